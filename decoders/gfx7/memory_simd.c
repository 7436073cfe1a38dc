/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_simd.c: the loops over 64 lanes that memory instructions share; compiled once for each vector width. */
#include "memory.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define NAME_(level) gfx7_memory_rows_##level
#define NAME(level) NAME_(level)

/* All ones in the lanes of mask. */
static inline void spread(uint32_t *out, uint64_t mask)
{
    uint32_t half[2] = {(uint32_t)mask, (uint32_t)(mask >> 32)};
    for (unsigned h = 0; h < 2; h++)
        for (unsigned l = 0; l < 32; l++)
            out[32 * h + l] = 0u - (half[h] >> l & 1);
}

static unsigned check(const uint32_t *lo, const uint32_t *hi, uint32_t base_hi, uint32_t from, uint32_t last, uint32_t first, uint32_t step, uint64_t mask)
{
    uint32_t outside = 0, scattered = 0;
    if (mask == UINT64_MAX) {
        for (uint32_t l = 0; l < 64; l++) {
            outside |= (hi[l] ^ base_hi) | (0u - (lo[l] - from > last - from));
            scattered |= lo[l] ^ (first + l * step);
        }
    } else {
        _Alignas(64) uint32_t in[64];
        spread(in, mask);
        for (uint32_t l = 0; l < 64; l++) {
            outside |= ((hi[l] ^ base_hi) | (0u - (lo[l] - from > last - from))) & in[l];
            scattered |= (lo[l] ^ (first + l * step)) & in[l];
        }
    }
    return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
}

static unsigned local(uint32_t *out, const uint32_t *a, uint32_t add, uint32_t keep, uint32_t last, uint32_t step, uint64_t mask)
{
    uint32_t outside = 0, scattered = 0, lane = (uint32_t)__builtin_ctzll(mask);
    uint32_t first = ((a[lane] + add) & keep) - lane * step;
    if (mask == UINT64_MAX) {
        for (uint32_t l = 0; l < 64; l++) {
            uint32_t at = (a[l] + add) & keep;
            outside |= 0u - (at > last);
            scattered |= at ^ (first + l * step);
            out[l] = at;
        }
        return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
    }
    _Alignas(64) uint32_t in[64];
    spread(in, mask);
    for (uint32_t l = 0; l < 64; l++) {
        uint32_t at = (a[l] + add) & keep;
        outside |= (0u - (at > last)) & in[l];
        scattered |= (at ^ (first + l * step)) & in[l];
        out[l] = at;
    }
    return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
}

static unsigned plain(const uint32_t *a, uint32_t odd, uint32_t last, uint32_t step)
{
    uint32_t outside = 0, scattered = 0, first = a[0];
    for (uint32_t l = 0; l < 64; l++) {
        outside |= (a[l] & odd) | (0u - (a[l] > last));
        scattered |= a[l] ^ (first + l * step);
    }
    return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
}

static unsigned interleave(uint32_t *lo, uint32_t *hi, const uint32_t *a, uint32_t plus, uint64_t base, unsigned e, unsigned n, uint32_t last,
    uint32_t bytes, uint64_t mask)
{
    uint32_t base_lo = (uint32_t)base, base_hi = (uint32_t)(base >> 32), in_element = (1u << e) - 1, in_group = (1u << n) - 1;
    uint32_t outside = 0, crossing = 0;
    _Alignas(64) uint32_t in[64];
    spread(in, mask);
    for (uint32_t l = 0; l < 64; l++) {
        uint32_t o = a[l] + plus, rest = o & in_element, at = (o >> e << (e + n)) + ((l & in_group) << e) + rest, sum = at + base_lo;
        outside |= (0u - (o > last)) & in[l];
        crossing |= (0u - (rest + bytes > in_element + 1)) & in[l];
        lo[l] = sum;
        hi[l] = base_hi + (sum < base_lo);
    }
    return (outside ? GFX7_OUTSIDE : 0) | (crossing ? GFX7_CROSSING : 0);
}

static void add(uint32_t *lo, uint32_t *hi, const uint32_t *a_lo, const uint32_t *a_hi, uint64_t base)
{
    uint32_t base_lo = (uint32_t)base, base_hi = (uint32_t)(base >> 32);
    for (unsigned l = 0; l < 64; l++) {
        uint32_t sum = a_lo[l] + base_lo;
        hi[l] = (a_hi ? a_hi[l] : 0) + base_hi + (sum < base_lo);
        lo[l] = sum;
    }
}

static void select_lanes(uint32_t *d, const uint32_t *s, uint64_t mask)
{
    _Alignas(64) uint32_t in[64];
    spread(in, mask);
    for (unsigned l = 0; l < 64; l++)
        d[l] = (s[l] & in[l]) | (d[l] & ~in[l]);
}

static void split(uint32_t *restrict rows, const uint8_t *restrict packed, unsigned n)
{
    _Alignas(64) uint32_t in[64 * 4];
    memcpy(in, packed, (size_t)n * 256);
    switch (n) {
    case 1: memcpy(rows, in, 256); break;
    case 2:
        for (unsigned l = 0; l < 64; l++) {
            rows[l] = in[2 * l];
            rows[64 + l] = in[2 * l + 1];
        }
        break;
    case 4:
        for (unsigned l = 0; l < 64; l++) {
            rows[l] = in[4 * l];
            rows[64 + l] = in[4 * l + 1];
            rows[128 + l] = in[4 * l + 2];
            rows[192 + l] = in[4 * l + 3];
        }
        break;
    default:
        for (unsigned i = 0; i < n; i++)
            for (unsigned l = 0; l < 64; l++)
                rows[64 * i + l] = in[n * l + i];
    }
}

static void join(uint8_t *restrict packed, const uint32_t *restrict rows, unsigned n)
{
    _Alignas(64) uint32_t out[64 * 4];
    switch (n) {
    case 1: memcpy(out, rows, 256); break;
    case 2:
        for (unsigned l = 0; l < 64; l++) {
            out[2 * l] = rows[l];
            out[2 * l + 1] = rows[64 + l];
        }
        break;
    case 4:
        for (unsigned l = 0; l < 64; l++) {
            out[4 * l] = rows[l];
            out[4 * l + 1] = rows[64 + l];
            out[4 * l + 2] = rows[128 + l];
            out[4 * l + 3] = rows[192 + l];
        }
        break;
    default:
        for (unsigned i = 0; i < n; i++)
            for (unsigned l = 0; l < 64; l++)
                out[n * l + i] = rows[64 * i + l];
    }
    memcpy(packed, out, (size_t)n * 256);
}

/* Eight lanes that read one place, or places one after another, as tiles in LDS do; others one by one. */
static void gather_words(uint32_t *rows, const uint8_t *bytes, const uint32_t *off)
{
#if defined(__AVX2__)
    const __m256i steps = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    for (unsigned l = 0; l < 64; l += 8) {
        const uint8_t *from = bytes + off[l];
        __m256i at = _mm256_loadu_si256((const __m256i *)(off + l)), first = _mm256_set1_epi32((int)off[l]), got;
        int word, lane[8];
        if (_mm256_movemask_epi8(_mm256_cmpeq_epi32(at, first)) == -1) {
            memcpy(&word, from, 4);
            got = _mm256_set1_epi32(word);
        } else if (_mm256_movemask_epi8(_mm256_cmpeq_epi32(at, _mm256_add_epi32(first, steps))) == -1) {
            got = _mm256_loadu_si256((const __m256i *)from);
        } else {
            for (unsigned i = 0; i < 8; i++)
                memcpy(&lane[i], bytes + off[l + i], 4);
            got = _mm256_setr_epi32(lane[0], lane[1], lane[2], lane[3], lane[4], lane[5], lane[6], lane[7]);
        }
        _mm256_storeu_si256((__m256i *)(rows + l), got);
    }
#else
    for (unsigned l = 0; l < 64; l++)
        memcpy(&rows[l], bytes + off[l], 4);
#endif
}

static void gather(uint32_t *rows, const uint8_t *bytes, const uint32_t *off, unsigned n)
{
    if (n == 1) {
        gather_words(rows, bytes, off);
        return;
    }
    for (unsigned l = 0; l < 64; l++) {
        uint32_t d[4];
        memcpy(d, bytes + off[l], 4 * (size_t)n);
        for (unsigned i = 0; i < n; i++)
            rows[64 * i + l] = d[i];
    }
}

const struct gfx7_memory_rows NAME(SIMD) = {check, local, plain, interleave, add, select_lanes, split, join, gather};
