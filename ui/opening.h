/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opening.h: what a terminal shows while large files are opened: how far that is, and of a log its text. */
#ifndef OPENING_H
#define OPENING_H

#include <stdbool.h>
#include <time.h>
#include "log_reading.h"
#include "screen.h"
#include "session/session.h"

/* Of CLOCK_MONOTONIC. */
double seconds_since(const struct timespec *then);

struct opening {
    struct gpudbg *g;
    const struct screen_options *options;
    struct timespec begun, shown;
    bool visible; /* a line stands on the terminal */
    bool plain;   /* there is no screen before the end */
    struct reading reading;
    struct screen *screen; /* shows the reading; NULL: not open yet */
};

/* From now on work of the session shows its progress, where standard output is a terminal: on a line of its own, and
 * Ctrl-C ends the program; of text, on a screen on which it can be read already, and Ctrl-C stops the reading.  A file
 * that opens at once shows nothing.  All are borrowed until opening_end. */
void opening_begin(struct opening *, struct gpudbg *, const struct screen_options *);
/* Takes the line away; what is left is the screen, if it opened. */
void opening_end(struct opening *, struct gpudbg *);
/* Takes the screen away, too.  Where it was Ctrl-C or another signal that ended the reading, the program ends by it. */
void opening_fail(struct opening *);
/* Shows an error on the screen that is open already; false: there is none. */
bool opening_says(struct gpudbg *, const struct gpudbg_error *);

#endif
