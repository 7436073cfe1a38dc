/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_alu.h: computes the result of an operation from its sources, a channel at a time. */
#ifndef GEN_ALU_H
#define GEN_ALU_H

#include "alu/elements.h"

/* An instruction being executed the generic way. */
struct gen_work {
    struct gpudbg_wave *wave;
    const struct gen_insn *insn;
    struct gen_fp fp;
    unsigned type;        /* GEN_D for integers, or the float in which it computes */
    unsigned size;        /* of an integer operation's elements */
    unsigned n;           /* channels */
    int64_t acc;          /* the accumulator's byte for channel 0, if it is read or written without being named */
    uint32_t write, pass; /* channels that write; channels whose predicate holds (for sel: that choose src0) */
    struct gen_value src[3][GEN_CHANNELS];
    struct gen_value out[GEN_CHANNELS];
    gen_wide second[GEN_CHANNELS]; /* carry, borrow, remainder, or the accumulator's value in place of the result */
    uint32_t flags;                /* of compares: the answer for each channel */
};

/* The generic execution of an instruction (generic.c). */
const struct gen_step *gen_alu(struct gpudbg_wave *, const struct gen_step *);
/* The handler of native floats: mad with an accumulator of type nf (native_float.c). */
gen_fn gen_native_mad;
gen_fn gen_systolic; /* dpas (systolic.c) */
/* Its parts, for dpasw: whether it is refused, which is a fault then; the products with source 2 at these bytes. */
bool gen_systolic_refused(struct gpudbg_wave *, const struct gen_step *);
const struct gen_step *gen_systolic_with(struct gpudbg_wave *, const struct gen_step *, const uint8_t *source2);
bool gen_uses_native(const struct gen_insn *);
/* Do the n bytes of accumulators from `offset` on hold native floats? */
bool gen_acc_is_native(const struct gpudbg_wave *, int64_t offset, unsigned n);
/* Fills out (and second, flags).  false: not implemented, or not with these types. */
bool gen_compute(struct gen_work *);
/* Do comparisons and selections by condition `cmod` between a and b hold? */
bool gen_condition_int(unsigned cmod, gen_wide difference);
bool gen_condition_float(unsigned cmod, enum gen_order);
/* Element size of the accumulator that the operation reads without naming it; 0: it does not read one. */
unsigned gen_acc_read_size(const struct gen_work *);

enum gen_condition { GEN_C_Z = 1, GEN_C_NZ, GEN_C_G, GEN_C_GE, GEN_C_L, GEN_C_LE, GEN_C_R, GEN_C_O, GEN_C_U };

#endif
