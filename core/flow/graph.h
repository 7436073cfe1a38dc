/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.h: the blocks of a function and the edges between them, to be drawn: by the pane `flow`, and by `export`. */
#ifndef GPUDBG_GRAPH_H
#define GPUDBG_GRAPH_H

#include "gpudbg.h"

struct graph_block {
    uint64_t addr, end, last; /* last: of its last instruction */
    uint32_t number;          /* as `info blocks` has it */
    uint32_t ninsns, depth;   /* loops around it */
    bool entry, header;       /* header: of a loop */
    bool call, returns, unknown, ends;
};

struct graph_edge {
    uint32_t from, to; /* indices of blocks */
    bool back;         /* it closes a loop */
    bool on;           /* to the next instruction */
    int lane;          /* a column for its line, so that lines do not overlap: graph_lanes; -1: it needs or has none */
};

struct graph {
    struct graph_block *block; /* by address */
    uint32_t nblocks;
    struct graph_edge *edge; /* by `from` */
    uint32_t nedges;
    int lanes;
};

/* Of the function that holds an address, or of the whole section; NULL with an error. */
struct graph *graph_new(const struct gpudbg_image *, uint64_t addr, struct gpudbg_error *);
void graph_free(struct graph *);
/* The block that holds an address; UINT32_MAX: none does. */
uint32_t graph_at(const struct graph *, uint64_t addr);

#endif
