/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vectors.h: 8 and 16 dwords as vectors, at any address; for files named *_simd.c. */
#ifndef GEN_VECTORS_H
#define GEN_VECTORS_H

#include <stdint.h>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

typedef uint32_t row8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef uint32_t row16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t signed8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef int32_t signed16 __attribute__((vector_size(64), aligned(4), may_alias));
typedef float float8 __attribute__((vector_size(32), aligned(4), may_alias));
typedef float float16 __attribute__((vector_size(64), aligned(4), may_alias));

/* A bit for each element; all bits of an element must be equal. */
static inline uint32_t bits8(const row8 *m)
{
#if defined(__AVX2__)
    return (uint32_t)_mm256_movemask_ps(_mm256_loadu_ps((const float *)m));
#elif defined(__SSE2__)
    const float *f = (const float *)m;
    return (uint32_t)_mm_movemask_ps(_mm_loadu_ps(f)) | (uint32_t)_mm_movemask_ps(_mm_loadu_ps(f + 4)) << 4;
#else
    uint32_t bits = 0;
    for (unsigned i = 0; i < 8; i++) bits |= ((*m)[i] & 1) << i;
    return bits;
#endif
}

static inline uint32_t bits16(const row16 *m)
{
#if defined(__AVX512DQ__)
    return _mm512_movepi32_mask(_mm512_loadu_si512((const void *)m));
#else
    const row8 *halves = (const row8 *)m;
    return bits8(halves) | bits8(halves + 1) << 8;
#endif
}

/* All ones in the elements whose bit is set. */
#define MASK8(bits) ((row8)(((row8){1, 2, 4, 8, 16, 32, 64, 128} & (bits)) != 0))
#define MASK16(bits) \
    ((row16)(((row16){1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768} & (bits)) != 0))

#endif
