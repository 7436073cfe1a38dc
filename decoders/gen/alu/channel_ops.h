/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * channel_ops.h: the results of rows.def, as functions of one channel.  Files named *_simd.c make loops of them, which
 * a compiler can widen.
 */
#ifndef GEN_CHANNEL_OPS_H
#define GEN_CHANNEL_OPS_H

#include <math.h>

#include "gpudbg/lanes.h"

#define NAN_BITS 0x7fc00000u

/* Channels do not depend on each other, though d may be a, b or c. */
#if defined(__clang__)
#define APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define APART _Pragma("GCC ivdep")
#endif

static inline uint32_t flushed(uint32_t u) { return u & 0x7f800000 ? u : u & 0x80000000; }

static inline bool is_nan(uint32_t u) { return (u & 0x7fffffff) > 0x7f800000; }

/* A source as arithmetic uses it. */
static inline float taken(uint32_t u, bool flush) { return lanes_f32(flush ? flushed(u) : u); }

/* A result as arithmetic returns it. */
static inline uint32_t result(float f, bool flush)
{
    uint32_t u = lanes_bits32(f);
    u = flush ? flushed(u) : u;
    return is_nan(u) ? NAN_BITS : u;
}

/* Minimum and maximum: a NaN loses; of two NaNs, src1 is returned unchanged. */
static inline uint32_t chosen(uint32_t x, uint32_t y, bool greater, bool flush)
{
    x = flush ? flushed(x) : x;
    y = flush ? flushed(y) : y;
    bool first = greater ? lanes_f32(x) >= lanes_f32(y) : lanes_f32(x) < lanes_f32(y);
    first = is_nan(y) ? !is_nan(x) : first;
    return first ? x : y;
}

static inline uint32_t rounded(uint32_t x, float r)
{
    uint32_t u = lanes_bits32(r);
    return is_nan(x) ? NAN_BITS : (u & 0x7fffffff) | (x & 0x80000000);
}

static inline uint32_t saturated(uint32_t x) { return is_nan(x) || x >> 31 ? 0 : x > 0x3f800000 ? 0x3f800000 : x; }

/* Out of range to the nearest value, NaN to 0: 2.4.1. */
static inline uint32_t to_d(uint32_t x)
{
    float f = lanes_f32(x);
    bool high = f >= 2147483648.0f, low = f < -2147483648.0f;
    float in = high || low || is_nan(x) ? 0 : f;
    uint32_t v = (uint32_t)(int32_t)in;
    return high ? 0x7fffffff : low ? 0x80000000 : v;
}

static inline uint32_t to_ud(uint32_t x)
{
    float f = lanes_f32(x);
    bool high = f >= 4294967296.0f, low = !(f > 0), upper = f >= 2147483648.0f;
    float in = high || low ? 0 : upper ? f - 2147483648.0f : f;
    uint32_t v = (uint32_t)(int32_t)in;
    return high ? 0xffffffff : v + (upper && !high ? 0x80000000u : 0);
}

static inline uint32_t function(uint32_t x, double r, bool flush)
{
    return is_nan(x) ? NAN_BITS : result((float)r, flush);
}

/* one_ADD(x, y, z, flush), ... */
#define ROW(number, sources, modes, value)                                              \
    static inline uint32_t one_##number(uint32_t x, uint32_t y, uint32_t z, bool flush) \
    {                                                                                   \
        (void)x;                                                                        \
        (void)y;                                                                        \
        (void)z;                                                                        \
        (void)flush;                                                                    \
        return value;                                                                   \
    }
#include "gen_fast.inc"
#undef ROW

#endif
