/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.h: code in address order, one instruction or unit of data after another, and the instructions around an address.
 */
#ifndef GPUDBG_WALK_H
#define GPUDBG_WALK_H

#include "gpudbg.h"

struct memo; /* memo.h */

/* Walks [at, to) of an image in address order, one instruction or one unit of data at a time.  Objects inside code and
 * sections without code are data; no instruction reaches over the start of a function.  Addresses without bytes are
 * passed over. */
struct code_walk {
    const struct gpudbg_image *image;
    uint64_t at, to;
    const uint8_t *bytes; /* of what is left of the run that `at` is in */
    size_t left;
    size_t symbol; /* the first that starts behind `at` */
    bool data;
    bool is_insn; /* what code_walk_next gave */
};
void code_walk_open(struct code_walk *, const struct gpudbg_image *, uint64_t from, uint64_t to);
bool code_walk_next(struct code_walk *, struct gpudbg_insn *); /* false: the end */
/* Passes over the next instruction without decoding it if the memo knows it; *bytes and *addr say where it stood. */
struct memo_entry *code_walk_known(struct code_walk *, struct memo *, const uint8_t **bytes, uint64_t *addr);

/* The branch target of an instruction, if it is encoded. */
bool insn_target(const struct gpudbg_insn *, uint64_t *target);
/* The instruction before `addr` in decode order from the nearest symbol or section start; false at the start. */
bool insn_before(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *);
/* Whether `addr` is behind the first byte of an instruction, which is told, in that order. */
bool insn_around(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *);
/* The instruction at pc goes to the first of its function without calling it: a loop. */
bool insn_stays(const struct gpudbg_image *, uint64_t pc, const struct gpudbg_symbol *function);
bool insn_at(const struct gpudbg_image *, uint64_t addr, struct gpudbg_insn *); /* false: data */
/* Symbols are sorted: the number of the first whose address is above `addr`. */
size_t code_symbol_after(const struct gpudbg_image *, uint64_t addr);

#endif
