/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blocks.h: structured control flow of code, for instruction sets that mark it (GPUDBG_OP_OPEN, MIDDLE, CLOSE): which
 * blocks an instruction stands in.  Found by one walk over the code of an image, when it is first looked at.
 */
#ifndef UI_BLOCKS_H
#define UI_BLOCKS_H

#include "gpudbg.h"

#define BLOCKS_DEEP 8 /* levels that are drawn */

struct blocks {
    const struct gpudbg_image *image; /* that the rest is about */
    struct blocks_unit {
        uint64_t addr;
        uint16_t depth; /* blocks open around it; of an opener, a middle and a closer: around the block */
        uint16_t mark;  /* GPUDBG_OP_OPEN, MIDDLE or CLOSE; or 0 */
    } * unit;
    size_t n;
};

/* The unit at addr, or NULL: this code has no blocks. */
const struct blocks_unit *blocks_at(struct blocks *, const struct gpudbg_image *, uint64_t addr);
void blocks_close(struct blocks *);

#endif
