/* SPDX-License-Identifier: GPL-3.0-or-later */
/* off.h: why a lane does not run, and where it does again. */
#ifndef GPUDBG_OFF_H
#define GPUDBG_OFF_H

#include "eval/eval.h"

struct off {
    enum off_how {
        OFF_RUNS,   /* it runs */
        OFF_ABSENT, /* the wave has no such lane: the group has fewer work-items */
        OFF_ENDED,  /* its wave has ended */
        OFF_LAUNCH, /* it has never run */
        OFF_EDITED, /* it ran, and was turned off by hand */
        OFF_TURNED, /* an instruction turned it off: */
    } how;
    uint64_t position, pc; /* before that instruction */
    bool returns;          /* in recorded time it runs again, after an instruction: */
    uint64_t returns_position, returns_pc;
    bool may_return; /* else: where the code says that it may, from here on */
    uint64_t may_return_pc;
};

/* Of the present; the machine stays where it is.  false: interrupted, or there is no such lane at all. */
bool off_find(struct eval *, uint32_t wave, int lane, struct off *, struct gpudbg_error *);

#endif
