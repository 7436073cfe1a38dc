/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arith.h: numbers of the EU, one at a time: the three float formats in integer arithmetic, exact in every rounding and
 * denormal mode, and conversions between all types.  The loops of channels_simd.c do the common cases with the host's
 * floats; they are compared with these functions.
 *
 * A float is its bits in a uint64_t, with its type as a separate argument (GEN_HF, GEN_F32, GEN_DF).  An integer is a
 * gen_wide from its source's modifier to the destination: no negation, sum or product of the EU overflows before it is
 * tested, converted or saturated.  A NaN that arithmetic makes or passes on is the format's positive quiet one: the
 * manual does not give the pattern.  Source: Ivy Bridge manual, volume 4 part 3, chapter "EU Data Types" (2.2 to 2.4).
 */
#ifndef GEN_ARITH_H
#define GEN_ARITH_H

#include "gen.h"

enum gen_rounding { GEN_NEAREST, GEN_UP, GEN_DOWN, GEN_TO_ZERO }; /* as in cr0.0 5:4 */

struct gen_fp {
    uint8_t round;                 /* enum gen_rounding */
    bool alt;                      /* ALT mode, F: no infinities, NaNs or denormals in sources or results */
    bool cuts;                     /* DF becomes F by leaving out bits, whatever `round` says */
    bool keep_f, keep_df, keep_hf; /* denormals are kept, else flushed to a zero of their sign */
};

/* The modes in a value of cr0.0.  Without keep_f F is always flushed; without keep_hf HF has no arithmetic. */
struct gen_fp gen_fp_modes(const struct gen_eu *, uint32_t cr0);

/* ---- Floats ---- */

uint64_t gen_nan(unsigned type);
bool gen_is_nan(unsigned type, uint64_t bits);
bool gen_is_zero(unsigned type, uint64_t bits);
/* A source as an operation uses it: denormals flushed, ALT mode applied. */
uint64_t gen_float_in(unsigned type, uint64_t bits, const struct gen_fp *);
/* A result with ALT mode applied; nothing else changes. */
uint64_t gen_float_out(unsigned type, uint64_t bits, const struct gen_fp *);

/* Operands are taken as they are: flush them before. */
uint64_t gen_float_add(unsigned type, uint64_t a, uint64_t b, const struct gen_fp *);
uint64_t gen_float_mul(unsigned type, uint64_t a, uint64_t b, const struct gen_fp *);
uint64_t gen_float_fma(
    unsigned type, uint64_t a, uint64_t b, uint64_t c, const struct gen_fp *); /* a * b + c, rounded once */
/* The same with an addend of another type, which is not rounded first. */
uint64_t gen_float_fma_from(unsigned type, uint64_t a, uint64_t b, unsigned from, uint64_t c, const struct gen_fp *);
enum gen_order { GEN_LESS, GEN_EQUAL, GEN_GREATER, GEN_UNORDERED };
enum gen_order gen_float_order(unsigned type, uint64_t a, uint64_t b);
/* To an integer with the given rounding; infinities, NaNs and -0 keep their kind. */
uint64_t gen_float_round(unsigned type, uint64_t bits, enum gen_rounding);
uint64_t gen_float_frac(unsigned type, uint64_t bits, const struct gen_fp *); /* in [0, 1) */
uint64_t gen_float_saturate(unsigned type, uint64_t bits);                    /* to [0, 1]; NaN: 0 */

/* ---- Conversions ---- */

uint64_t gen_float_convert(unsigned from, unsigned to, uint64_t bits, const struct gen_fp *);
/* Towards zero, out of range to the nearest value of the type, NaN to 0 (2.4.1). */
gen_wide gen_float_to_int(unsigned from, unsigned to, uint64_t bits);
uint64_t gen_int_to_float(unsigned to, gen_wide, const struct gen_fp *);
uint32_t gen_restricted_float(uint8_t); /* an element of vf as an F (2.2.5) */
/* A value saturated to the range of an integer type; whether it is in this range. */
gen_wide gen_int_saturate(unsigned type, gen_wide);
bool gen_int_fits(unsigned type, gen_wide);

/* ---- The math function ---- */

/* Float functions, of F or HF: computed in doubles by only +, -, *, / and square root, so that every host gives the
 * same bits, then rounded to nearest.  b is used by fdiv and pow. */
uint64_t gen_math_float(unsigned type, enum gen_math, uint64_t a, uint64_t b, const struct gen_fp *);
/* Truncated division; by zero: quotient all ones, remainder a. */
void gen_math_divide(gen_wide a, gen_wide b, gen_wide *quotient, gen_wide *remainder);

#endif
