/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_alu.h: arithmetic of AMD IL on the 64 lanes of a wavefront.
 *
 * An operation reads rows of 64 words: one a component of a source, after swizzle and modifiers; and writes rows, one a
 * component of the result, before scale, clamp and mask.  It knows nothing of registers.
 *
 * Rules for single floats (AMD IL 2.4, 7.11): denormals count as zeros of their sign on the way in and out; without
 * `ieee` a product with a zero is +0 whatever the other factor; a sum of products rounds each step.  NaN: as lanes.h
 * says.
 */
#ifndef IL_ALU_H
#define IL_ALU_H

#include <stdbool.h>
#include <stdint.h>

#define AMDIL_LANES 64

/* Where the manual leaves a choice (share/help/amdil); the first value of each is the default. */
enum amdil_choice {
    AMDIL_CHOICE_DMOVC,   /* d3d: not 0 takes source 1; manual: 0 does, as printed in 7.12 */
    AMDIL_CHOICE_REFLECT, /* formula: _normalize scales source 0 by the square of source 1's length; divide: what the
                             prose says */
    AMDIL_CHOICE_CONSUME, /* d3d: append_buf_consume gives the counter after the decrement; manual: before */
    AMDIL_CHOICE_INFELSE, /* infinity or max, for zeroop(inf_else_max) */
    AMDIL_CHOICE_CUBE,    /* seamless: filters of cubes take texels of the faces that join; face: of one face only */
    AMDIL_CHOICE_SAMPLES, /* of a pixel, for eval_* and centroids: 1 2 4 8 as values 0 to 3 */
    AMDIL_CHOICE_DIVCOMP, /* what divcomp(unknown) divides by: w z y, or nothing */
    AMDIL_CHOICES,
};

struct amdil_alu {
    const uint32_t *s[4][4];    /* source, component: 64 words; rows of zeros where there is no such source */
    uint32_t (*d)[AMDIL_LANES]; /* four rows */
    uint64_t mask;              /* lanes whose results are wanted */
    uint32_t control;           /* the opcode token's */
    const uint8_t *choice;      /* values of enum amdil_choice */
    uint64_t keep[4];           /* out, zero before: lanes whose component is not written after all (cmov) */
};
typedef void amdil_alu_fn(struct amdil_alu *);

/* How sources are modified and results stored. */
enum amdil_class {
    AMDIL_FLOAT = 'f',  /* numbers: neg flips the sign; scale and clamp apply */
    AMDIL_MOVED = 'm',  /* the same, but bits pass untouched where no modifier computes */
    AMDIL_INT = 'i',    /* neg is two's complement */
    AMDIL_DOUBLE = 'd', /* pairs: neg and abs act on the high word */
};

struct amdil_operation {
    amdil_alu_fn *fn;
    const char *sources; /* a class a source */
    char result;         /* class */
    uint8_t writes;      /* components that the operation has a result for: bits x y z w */
    bool apart;          /* a component of the result comes from the same component of each source */
};

/* NULL: no arithmetic. */
const struct amdil_operation *amdil_operation(unsigned opcode);

/* The float operations that other files need, on bits. */
uint32_t amdil_add(uint32_t a, uint32_t b);
uint32_t amdil_mul(uint32_t a, uint32_t b, bool ieee);
uint32_t amdil_div(uint32_t a, uint32_t b);
bool amdil_compare(unsigned relop, uint32_t a, uint32_t b); /* ILRelOp */

#endif
