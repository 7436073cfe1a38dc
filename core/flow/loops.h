/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loops.h: the loops of some code.  A loop is the blocks on all ways from its header back to it.  Where a way comes
 * into such blocks past the header, the loop has several entries (it is irreducible), and its header is the first block
 * of it in the order of the ways.
 */
#ifndef GPUDBG_LOOPS_H
#define GPUDBG_LOOPS_H

#include "gpudbg.h"

struct loop {
    uint32_t header;
    uint32_t parent;          /* the loop around it; UINT32_MAX: none */
    uint32_t depth;           /* 1: no loop is around it */
    uint32_t nblocks, ninsns; /* loops inside included */
    uint32_t again, exits;    /* ways back to the header; ways out */
    bool several;             /* entries */
};

struct loops {
    const struct gpudbg_ways *ways;
    struct loop *loop; /* by the addresses of headers */
    uint32_t nloops;
    uint32_t *of; /* the innermost loop of each block; UINT32_MAX: none */
};

/* NULL with an error: "memory". */
struct loops *loops_new(const struct gpudbg_ways *, struct gpudbg_error *);
void loops_free(struct loops *);
/* Whether a block is in a loop, or in one inside it. */
bool loop_has(const struct loops *, uint32_t loop, uint32_t block);
static inline uint32_t loop_depth(const struct loops *l, uint32_t block)
{
    return l->of[block] == UINT32_MAX ? 0 : l->loop[l->of[block]].depth;
}

#endif
