/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels of t/data/kernels once more in plain C, from what they are meant to compute: no work-items, no barriers
 * where a loop will do, C's own arithmetic.  One table a family; reference.c looks a kernel up by name and runs it.
 * Build with -ffp-contract=off: a fused multiply-add where none is written would round differently.
 */
#ifndef HOST_REFERENCE_H
#define HOST_REFERENCE_H

#include "args.h"

#include <stdbool.h>
#include <string.h>

struct reference {
    const char *kernel;
    void (*run)(const struct host_run *);
};

/* Tables end with a NULL name. */
extern const struct reference reference_integer[], reference_float[], reference_flow[], reference_memory[],
    reference_types[], reference_math[], reference_unseen[], reference_isa[];

/* Argument `i`: a buffer's bytes (aligned for any type), or a number. */
void *ref_buffer(const struct host_run *run, unsigned i);
uint64_t ref_integer(const struct host_run *run, unsigned i);
double ref_real(const struct host_run *run, unsigned i);

/* All work-items of the grid, and the items of one group. */
size_t ref_items(const struct host_run *run);
size_t ref_group(const struct host_run *run);

/* Arithmetic that several families share.  Shift counts of rotate are taken modulo the width. */
static inline uint32_t rotate32(uint32_t x, uint32_t n) { return n & 31 ? x << (n & 31) | x >> (32 - (n & 31)) : x; }

static inline uint64_t rotate64(uint64_t x, uint32_t n) { return n & 63 ? x << (n & 63) | x >> (64 - (n & 63)) : x; }

static inline uint32_t float_bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static inline float bits_float(uint32_t u)
{
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static inline uint64_t double_bits(double f)
{
    uint64_t u;
    memcpy(&u, &f, 8);
    return u;
}

/* A half's value, and the half that a float rounds to: direction 0 nearest even, 1 up, -1 down, -2 toward zero. */
float half_value(uint16_t h);
uint16_t half_bits(float x, int direction);

#endif
