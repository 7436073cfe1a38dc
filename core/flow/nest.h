/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nest.h: blocks that are nested in the text (gpudbg_nest), as moves of masks between slots. */
#ifndef GPUDBG_NEST_H
#define GPUDBG_NEST_H

#include "flow/used.h"

/* A loop that begins where a later instruction jumps to: its slot holds the mask of those who came in. */
struct nest_loop {
    uint64_t from, to; /* its first instruction; the one that ends it */
    uint8_t slot;
};

struct nest {
    struct gpudbg_mask_move (*move)[2]; /* of each instruction */
    uint8_t *nmoves;
    struct nest_loop *loop; /* by `from`, outer ones first */
    uint32_t nloops;
    uint8_t *waits; /* of each block: lanes may wait at its start: those of this slot, or GPUDBG_MASK_START; 0: none */
    bool any;       /* there are nested blocks: registers hold no masks */
};

/* false with an error. */
bool nest_read(struct nest *, const struct used *, struct gpudbg_error *);
void nest_free(struct nest *);

#endif
