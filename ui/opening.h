/* SPDX-License-Identifier: GPL-3.0-or-later */
/* opening.h: what a terminal shows while a large file is opened: there is no screen before that. */
#ifndef OPENING_H
#define OPENING_H

#include <stdbool.h>
#include <time.h>
#include "session/session.h"

/* Of CLOCK_MONOTONIC. */
double seconds_since(const struct timespec *then);

struct opening {
    struct timespec begun, shown;
    bool visible; /* a line stands on the terminal */
};

/* From now on work of the session shows its progress on a line of its own, where standard output is a terminal; a file
 * that opens at once shows nothing.  Ctrl-C ends the program, as it does before there is a screen. */
void opening_begin(struct opening *, struct gpudbg *);
/* Takes the line away. */
void opening_end(struct opening *, struct gpudbg *);

#endif
