/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cause.h: why two runs of the same code differ in a place: from the place back, through inputs that differ, to where
 * they begin to differ.
 *
 * A step is an instruction that both runs executed, as a wave's n-th.  Where one run wrote the place and the other did
 * not, that is the branch at which their wave parted, or the instruction that turned the lane off in one of them.
 */
#ifndef GPUDBG_CAUSE_H
#define GPUDBG_CAUSE_H

#include "past/compare.h"
#include "past/past.h"

struct cause_step {
    enum cause_how {
        CAUSE_VALUE,  /* it computed the value in both runs, from inputs that differ */
        CAUSE_WAY,    /* after it the wave goes on elsewhere in the other run, or ends in one of them */
        CAUSE_LANE,   /* it turned the lane off in one run */
        CAUSE_ORDER,  /* after it another wave goes on in the other run */
        CAUSE_LAUNCH, /* no instruction: the launch gives the place other contents */
        CAUSE_ENDED,  /* one run ended too early to write it: before this instruction, if there is one */
        CAUSE_LOST,   /* no instruction: the cause is not known */
    } how;
    bool begins;          /* the runs have another instruction here: this is where they begin to differ */
    char name[160];       /* the place that it explains; "": none */
    char value[2][128];   /* what the place holds in each run */
    int plain[2];         /* bytes of it before the bits in parentheses */
    uint64_t position[2]; /* before the instruction; of a run that ended, its end */
    uint32_t wave;
    int lane; /* -1: no lane in particular */
    uint64_t pc;
    char leaf[160]; /* LAUNCH, ENDED: what it is */
};

#define CAUSE_STEPS 400 /* most that are followed */

/* The steps, the latest first, malloc'ed; *n of them.  place, its name, and the position in each run after which it
 * differs.  The places are freed.  NULL with an error: interrupted. */
struct cause_step *cause_of(struct compared *a, struct compared *b, struct past_place place[2], const char *name,
    const uint64_t position[2], size_t *n, struct gpudbg_error *);

#endif
