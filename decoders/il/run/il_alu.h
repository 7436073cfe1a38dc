/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_alu.h: arithmetic of AMD IL on the 64 lanes of a wavefront.
 *
 * An operation reads rows of 64 words: one a component of a source, after swizzle and modifiers; and writes rows, one a
 * component of the result, before scale, clamp and mask.  It knows nothing of registers.  All of it is compiled once
 * for each vector width, and every width leaves the same bits.
 *
 * Rules for single floats (AMD IL 2.4, 7.11): denormals count as zeros of their sign on the way in and out; without
 * `ieee` a product with a zero is +0 whatever the other factor; a sum of products rounds each step.  NaN: as lanes.h
 * says.
 */
#ifndef IL_ALU_H
#define IL_ALU_H

#include <stdbool.h>
#include <stdint.h>

#include "gpudbg/lanes.h"

#define IL_LANES 64

/* Where the manual leaves a choice (share/help/amdil); the first value of each is the default. */
enum il_choice {
    IL_CHOICE_DMOVC,   /* d3d: not 0 takes source 1; manual: 0 does, as printed in 7.12 */
    IL_CHOICE_REFLECT, /* formula: _normalize scales source 0 by the square of source 1's length; divide: what the
                             prose says */
    IL_CHOICE_CONSUME, /* d3d: append_buf_consume gives the counter after the decrement; manual: before */
    IL_CHOICE_INFELSE, /* infinity or max, for zeroop(inf_else_max) */
    IL_CHOICE_CUBE,    /* seamless: filters of cubes take texels of the faces that join; face: of one face only */
    IL_CHOICE_SAMPLES, /* of a pixel, for eval_* and centroids: 1 2 4 8 as values 0 to 3 */
    IL_CHOICE_DIVCOMP, /* what divcomp(unknown) divides by: w z y, or nothing */
    IL_CHOICES,
};

struct il_alu {
    const uint32_t *s[4][4]; /* source, component: 64 words; rows of zeros where there is no such source */
    uint32_t (*d)[IL_LANES]; /* four rows */
    uint64_t mask;           /* lanes whose results are wanted */
    uint32_t control;        /* the opcode token's */
    const uint8_t *choice;   /* values of enum il_choice */
};
typedef void il_alu_fn(const struct il_alu *);
/* One component: a row of the result from a row of each source, of which `d` may be one.  `a` has control and choice.
 * Returns the lanes that are not written after all (cmov). */
typedef uint64_t il_row_fn(const struct il_alu *a, uint32_t *d, const uint32_t *s0, const uint32_t *s1,
    const uint32_t *s2, const uint32_t *s3);

/* The body of an arithmetic row of ops.def: one of the two. */
struct il_operation {
    il_alu_fn *fn;
    il_row_fn *row;
};

/* A vector width: SSE2 or what a machine has, AVX2, AVX-512. */
struct il_level {
    const struct il_operation *operations; /* by opcode; neither fn nor row: not arithmetic */
    void (*fill)(uint32_t *to, uint32_t value);
    void (*alter)(uint32_t *to, const uint32_t *from, uint32_t keep, uint32_t flip, uint32_t add); /* neg, abs */
    void (*choose)(uint32_t *to, const uint32_t *from, uint64_t lanes);                            /* for these lanes */
    uint64_t (*nonzero)(const uint32_t *row);                                                      /* lanes */
    uint64_t (*compare)(unsigned relop, const uint32_t *x, const uint32_t *y);
    /* place = index * stride + in, index NULL: in; bounds: the least and the greatest place, the greatest in.  false:
     * an index is not below count, an in has one of the low bits or is above 2^30. */
    bool (*places)(uint64_t *place, const uint32_t *index, const uint32_t *in, uint32_t stride, uint32_t count,
        uint32_t low_bits, uint32_t bounds[3]);
};
extern const struct il_level il_level_1 LANES_MISSING, il_level_3 LANES_MISSING, il_level_4 LANES_MISSING;

/* ---- The float operations that other files need, on bits ---- */

/* r, or the NaN that an operation on these sources returns. */
static inline uint32_t il_result(float r, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t bits = lanes_bits32(r);
    return lanes_isnan32(bits) ? lanes_nan32(a, b, c) : lanes_flush32(bits, false);
}

static inline float il_flushed(uint32_t a) { return lanes_f32(lanes_flush32(a, false)); }

static inline uint32_t il_float_add(uint32_t a, uint32_t b)
{
    return il_result(il_flushed(a) + il_flushed(b), a, b, 0);
}

static inline uint32_t il_mul(uint32_t a, uint32_t b, bool ieee)
{
    const uint32_t product = il_result(il_flushed(a) * il_flushed(b), a, b, 0);
    const uint32_t x = lanes_flush32(a, false) << 1, y = lanes_flush32(b, false) << 1;
    return !ieee && (!x || !y) ? 0 : product;
}

static inline uint32_t il_div(uint32_t a, uint32_t b) { return il_result(il_flushed(a) / il_flushed(b), a, b, 0); }

/* ILRelOp: ne eq ge gt le lt.  Without a branch, so that it widens. */
static inline bool il_compare(unsigned relop, uint32_t a, uint32_t b)
{
    const float x = il_flushed(a), y = il_flushed(b);
    const unsigned less = relop == 0 || relop >= 4, equal = relop == 1 || relop == 2 || relop == 4,
                   more = relop == 0 || relop == 2 || relop == 3, neither = relop == 0;
    return (less & (x < y)) | (equal & (x == y)) | (more & (x > y)) |
           (neither & ((unsigned)(x != x) | (unsigned)(y != y)));
}

#endif
