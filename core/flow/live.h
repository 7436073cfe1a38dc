/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * live.h: which registers are alive: what they hold may still be read.
 *
 * A register is alive *for a mask*: the lanes that may read it.  A write under a mask ends that only if those lanes are
 * among the ones that write (masks.h).  Where control goes on where nobody knows, everything may be read.
 */
#ifndef GPUDBG_LIVE_H
#define GPUDBG_LIVE_H

#include "flow/masks.h"

/* What a cell is needed for: a mask, and the lane that reads it (gpudbg_use.lane; 0 for MASK_ROOT); 0: dead.
 * LIVE_MAYBE: only by reads that may not happen, or that nobody knows. */
typedef uint32_t live_need;
#define LIVE_MAYBE (UINT32_C(1) << 31)
static inline uint32_t live_mask(live_need n) { return (n & ~LIVE_MAYBE) >> 8; }

struct live {
    const struct gpudbg_ways *ways;
    struct used *used;
    struct masks *masks;
    struct gpudbg_solution *solution;
};

/* NULL with an error: "memory", "too-large". */
struct live *live_new(const struct gpudbg_ways *, struct gpudbg_error *);
void live_free(struct live *);

/* Calls each(to, number, before, after) for the instructions of a block, the last one first, with the needs of all
 * cells before and after it, until it returns false.  Nothing is called for a block that no way reaches. */
typedef bool live_fn(void *to, uint32_t number, const live_need *before, const live_need *after);
void live_walk(const struct live *, uint32_t block, live_fn *each, void *to);

/* The number of the instruction at an address, and its block; false: no way leads to one. */
bool live_find(const struct live *, uint64_t addr, uint32_t *number, uint32_t *block);
/* Copies the needs before an instruction to `needs`, used->ncells of them. */
void live_before(const struct live *, uint32_t block, uint32_t number, live_need *needs);
/* The nearest instruction from `number` on that reads the cell, over all ways on which it is not written before;
 * UINT32_MAX: none is known. */
uint32_t live_next_read(const struct live *, uint32_t block, uint32_t number, uint32_t cell);
/* The same, where a write of the lanes that run at `number` is one: others are off there, and what they hold is read by
 * operations that look at lanes that do not run. */
uint32_t live_next_read_here(const struct live *, uint32_t block, uint32_t number, uint32_t cell);
/* The nearest instruction before `number` that writes the cell, or a part of its lanes; UINT32_MAX: none. */
uint32_t live_last_write(const struct live *, uint32_t block, uint32_t number, uint32_t cell);
/* The register of a cell. */
static inline uint32_t live_register(const struct used *u, uint32_t cell)
{
    return u->cell[cell].at / gpudbg_use_units(u->ways->isa, u->cell[cell].file);
}

#endif
