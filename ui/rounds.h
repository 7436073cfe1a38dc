/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rounds.h: what the instructions that the selected wave executed last have written, in the selected lane: for the code
 * pane, behind each of them.
 */
#ifndef UI_ROUNDS_H
#define UI_ROUNDS_H

#include "session/session.h"

#define ROUNDS_MOST 256 /* instructions of the launch that are looked at, back from the present */

struct rounds {
    const void *machine; /* that the rest is about */
    uint64_t position, future;
    uint32_t wave;
    int lane;
    struct round {
        uint64_t pc;
        char text[40]; /* "v4=1.5" */
    } round[ROUNDS_MOST];
    unsigned n;
};

/* Looks again, if the present is another one.  The machine ends where it is. */
void rounds_take(struct rounds *, struct gpudbg *);
/* What the instruction has written when it was executed last; NULL: it was not, or it writes no register. */
const char *rounds_at(const struct rounds *, uint64_t pc);

#endif
