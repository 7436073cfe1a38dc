/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stopped.h: the sentence that says why a run stopped. */
#ifndef GPUDBG_STOPPED_H
#define GPUDBG_STOPPED_H

#include "control/stop.h"

/* What is known of a stop beside running->last. */
struct stopped {
    const struct stop_point *point; /* the one that stopped, or NULL */
    size_t location;                /* which of a breakpoint's, from 1; 0: none */
    const char *also, *trouble;     /* "; breakpoint 2, too"; a condition that could not be evaluated; or "" */
};

/* Puts the sentence in place of running->last's message, which is a part of it. */
void stopped_describe(struct control *, const struct stopped *);

#endif
