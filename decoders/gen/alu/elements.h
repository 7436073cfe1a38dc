/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * elements.h: the generic walk over regions: the place of every element is computed separately, as in the manual's
 * chapter on register regions.  All instructions can be executed this way; the specialised paths are checked against
 * it.
 */
#ifndef GEN_OPERAND_H
#define GEN_OPERAND_H

#include "alu/arith.h"
#include "engine/gen_registers.h"
#include "code/predicate.h"

/* A channel's source or result between reading and writing: an integer, or the bits of a float. */
struct gen_value {
    gen_wide i;
    uint64_t f;
};

static inline struct gen_fp gen_fp_of(const struct gpudbg_wave *w)
{
    return gen_fp_modes(gen_of(w)->eu, w->words[GEN_W_CR0]);
}

/* The type in which an instruction computes: GEN_D means all integers. */
unsigned gen_exec_type(const struct gen_insn *);
/* The size of an integer instruction's elements: 2 (words and bytes), 4 or 8. */
unsigned gen_exec_size(const struct gen_insn *);
/* Is src[n] used unchanged, without rounding or flushing? */
bool gen_is_plain(const struct gen_insn *, unsigned n);

/* One element of a direct or indirect source: its bits; 0 outside of the registers. */
uint64_t gen_read_element(struct gpudbg_wave *, const struct gen_insn *, unsigned src, unsigned channel);
/* Reads src[n] of `count` channels, in type `type` (GEN_D or a float), with modifiers; flush: as arithmetic uses it. */
void gen_read_source(struct gpudbg_wave *, const struct gen_insn *, unsigned n, unsigned type, bool flush,
    unsigned count, struct gen_value *out);

/*
 * The place in the accumulators of the first of n elements of `size` bytes that the instruction reads or writes without
 * naming them: each is at the place that the destination's element has in its register.  at: the destination's
 * elements, file offsets, n of them.  false: the manual does not say which channels these are.
 */
bool gen_implicit_acc(const struct gen_insn *, const int64_t *at, unsigned n, unsigned size, int64_t *first);
gen_wide gen_acc_read(const struct gpudbg_wave *, int64_t offset, unsigned size);
void gen_acc_write(struct gpudbg_wave *, int64_t offset, unsigned size, gen_wide value);

#endif
