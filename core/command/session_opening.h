/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * session_opening.h: a saved session while its lines are read (session_file.h has the lines).
 *
 * Each reader takes the words of one line behind its first; false with an error: the session is damaged.
 */
#ifndef GPUDBG_SESSION_OPENING_H
#define GPUDBG_SESSION_OPENING_H

#include "session/saved.h"
#include "session/session.h"

struct opening {
    struct gpudbg *g;
    struct saved *s;
    const char *path; /* of the session */
    struct gpudbg_out *out;
    struct gpudbg_error *err;
    size_t dumps;         /* that were open before */
    uint64_t done, limit; /* instructions run; 0: no limit */
    uint64_t position, hash;
    bool positioned;
    struct selection selected;
    bool selects;
    unsigned displays;
};

/* What could not be set again, and why; the rest is opened all the same. */
void opening_say(struct opening *, const char *what, const char *why);

/* A number of at most `most`, which fits an int; the name of a memory space. */
bool opening_small(struct opening *, struct saved_line *, const char *what, uint64_t most, int *to);
bool opening_space(struct opening *, struct saved_line *, unsigned *space);

/* Where it stops, what is shown at each stop, and what is marked. */
bool opening_break(struct opening *, struct saved_line *);
bool opening_watch(struct opening *, struct saved_line *);
bool opening_catch(struct opening *, struct saved_line *);
bool opening_commands(struct opening *, struct saved_line *);
bool opening_display(struct opening *, struct saved_line *);
bool opening_bookmark(struct opening *, struct saved_line *);
bool opening_note(struct opening *, struct saved_line *);

#endif
