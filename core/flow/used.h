/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * used.h: what each instruction of some code uses, read once: registers as numbered units, moves of masks.
 *
 * Only units that the code names have a number (a *cell*).  Cells are numbered in the order of files and registers.
 */
#ifndef GPUDBG_USED_H
#define GPUDBG_USED_H

#include "gpudbg.h"

struct used_cell {
    uint8_t file;
    uint32_t at; /* unit of the file */
};

struct used_use {
    uint32_t cell;
    uint16_t n;
    uint8_t flags, lane;
};

struct used_insn {
    uint32_t use, nuses;
    uint32_t move;
    uint8_t nmoves, nest;
};

struct used {
    const struct gpudbg_ways *ways;
    struct used_insn *insn; /* by number, see gpudbg_basic_block */
    struct used_use *use;
    struct gpudbg_mask_move *move;
    struct used_cell *cell;
    uint32_t ncells;
    uint32_t *first_cell;   /* of each file of the instruction set, and behind the last */
    uint64_t *addr;         /* of each instruction */
    uint8_t *leaves;        /* of each block: enum used_leaves */
    uint32_t unknown_jumps; /* blocks that may go on where a register says, calls apart */
    size_t nuses, nmoves;
};

/* Where control goes behind a block that this code does not contain. */
enum used_leaves { USED_STAYS, USED_ENDS, USED_LEAVES }; /* the wave ends; it goes on where nobody knows */

/* NULL with an error: "memory", "too-large". */
struct used *used_new(const struct gpudbg_ways *, struct gpudbg_error *);
void used_free(struct used *);
/* The cell of a unit; UINT32_MAX: the code does not name it. */
uint32_t used_cell_of(const struct used *, unsigned file, uint32_t at);

#endif
