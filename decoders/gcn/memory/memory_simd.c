/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_simd.c: the loops over 64 lanes that memory instructions share; compiled once for each vector width. */
#include "memory/gcn_memory.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#define NAME_(level) gcn_memory_rows_##level
#define NAME(level) NAME_(level)

/* All ones in the lanes of mask. */
static inline void spread(uint32_t *out, uint64_t mask)
{
    uint32_t half[2] = {(uint32_t)mask, (uint32_t)(mask >> 32)};
    for (unsigned h = 0; h < 2; h++)
        for (unsigned l = 0; l < 32; l++) out[32 * h + l] = 0u - (half[h] >> l & 1);
}

/* ---- Under a mask: sixteen lanes at once where the processor takes masks, else with a row of all ones ---- */

#if defined(__AVX512F__)
static inline __m512i sixteen(const uint32_t *row) { return _mm512_loadu_si512((const void *)row); }
static inline __m512i all_of(uint32_t value) { return _mm512_set1_epi32((int)value); }

/* first, first + step, ...: sixteen of them. */
static inline __m512i line_of(uint32_t first, uint32_t step)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_add_epi32(all_of(first), _mm512_mullo_epi32(lane, all_of(step)));
}

static unsigned check(const uint32_t *lo, const uint32_t *hi, uint32_t base_hi, uint32_t from, uint32_t last,
    uint32_t first, uint32_t step, uint64_t mask)
{
    __m512i line = line_of(first, step);
    unsigned outside = 0, scattered = 0;
    for (unsigned l = 0; l < 64; l += 16) {
        const __m512i at = sixteen(lo + l);
        const __mmask16 in = (__mmask16)(mask >> l);
        outside |= _mm512_mask_cmpneq_epi32_mask(in, sixteen(hi + l), all_of(base_hi));
        outside |= _mm512_mask_cmpgt_epu32_mask(in, _mm512_sub_epi32(at, all_of(from)), all_of(last - from));
        scattered |= _mm512_mask_cmpneq_epi32_mask(in, at, line);
        line = _mm512_add_epi32(line, all_of(16 * step));
    }
    return (outside ? GCN_OUTSIDE : 0) | (scattered ? GCN_SCATTERED : 0);
}

static unsigned local(
    uint32_t *out, const uint32_t *a, uint32_t add, uint32_t keep, uint32_t last, uint32_t step, uint64_t mask)
{
    const uint32_t lane = (uint32_t)__builtin_ctzll(mask);
    __m512i line = line_of(((a[lane] + add) & keep) - lane * step, step);
    unsigned outside = 0, scattered = 0;
    for (unsigned l = 0; l < 64; l += 16) {
        const __m512i at = _mm512_and_si512(_mm512_add_epi32(sixteen(a + l), all_of(add)), all_of(keep));
        const __mmask16 in = (__mmask16)(mask >> l);
        outside |= _mm512_mask_cmpgt_epu32_mask(in, at, all_of(last));
        scattered |= _mm512_mask_cmpneq_epi32_mask(in, at, line);
        _mm512_storeu_si512((void *)(out + l), at);
        line = _mm512_add_epi32(line, all_of(16 * step));
    }
    return (outside ? GCN_OUTSIDE : 0) | (scattered ? GCN_SCATTERED : 0);
}

static void select_lanes(uint32_t *d, const uint32_t *s, uint64_t mask)
{
    for (unsigned l = 0; l < 64; l += 16) _mm512_mask_storeu_epi32(d + l, (__mmask16)(mask >> l), sixteen(s + l));
}

static void tame(uint32_t *out, const uint32_t *a, uint64_t mask)
{
    const __m512i first = all_of(a[__builtin_ctzll(mask)]);
    for (unsigned l = 0; l < 64; l += 16)
        _mm512_storeu_si512((void *)(out + l), _mm512_mask_loadu_epi32(first, (__mmask16)(mask >> l), a + l));
}

static void bounds(const uint32_t *a, uint64_t mask, uint32_t *least, uint32_t *most)
{
    __m512i low = all_of(UINT32_MAX), high = all_of(0);
    for (unsigned l = 0; l < 64; l += 16) {
        const __mmask16 in = (__mmask16)(mask >> l);
        low = _mm512_mask_min_epu32(low, in, low, sixteen(a + l));
        high = _mm512_mask_max_epu32(high, in, high, sixteen(a + l));
    }
    *least = _mm512_reduce_min_epu32(low);
    *most = _mm512_reduce_max_epu32(high);
}

/* Whether all lanes of the mask, which is not empty, have the same value. */
static inline bool is_one(const uint32_t *a, uint64_t mask)
{
    const __m512i first = all_of(a[__builtin_ctzll(mask)]);
    unsigned other = 0;
    for (unsigned l = 0; l < 64; l += 16)
        other |= _mm512_mask_cmpneq_epi32_mask((__mmask16)(mask >> l), sixteen(a + l), first);
    return !other;
}

/* Stores one word each of sixteen lanes; places that grow by 4 take a single store, whatever the mask. */
static inline void scatter_words(uint8_t *bytes, const uint32_t *off, const uint32_t *row, __mmask16 in)
{
    if (!in) return;
    const unsigned k = (unsigned)__builtin_ctz(in);
    if (!_mm512_mask_cmpneq_epi32_mask(in, sixteen(off), line_of(off[k] - 4 * k, 4))) {
        /* The place of lane 0 may be before the segment: it is only a base if lane 0 does not store. */
        uint8_t *const first = (uint8_t *)((uintptr_t)bytes + off[k] - (uintptr_t)(4 * k));
        _mm512_mask_storeu_epi32(first, in, sixteen(row));
        return;
    }
    for (unsigned m = in; m; m &= m - 1) memcpy(bytes + off[__builtin_ctz(m)], &row[__builtin_ctz(m)], 4);
}
#else
static unsigned check(const uint32_t *lo, const uint32_t *hi, uint32_t base_hi, uint32_t from, uint32_t last,
    uint32_t first, uint32_t step, uint64_t mask)
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
    return (outside ? GCN_OUTSIDE : 0) | (scattered ? GCN_SCATTERED : 0);
}

static unsigned local(
    uint32_t *out, const uint32_t *a, uint32_t add, uint32_t keep, uint32_t last, uint32_t step, uint64_t mask)
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
        return (outside ? GCN_OUTSIDE : 0) | (scattered ? GCN_SCATTERED : 0);
    }
    _Alignas(64) uint32_t in[64];
    spread(in, mask);
    for (uint32_t l = 0; l < 64; l++) {
        uint32_t at = (a[l] + add) & keep;
        outside |= (0u - (at > last)) & in[l];
        scattered |= (at ^ (first + l * step)) & in[l];
        out[l] = at;
    }
    return (outside ? GCN_OUTSIDE : 0) | (scattered ? GCN_SCATTERED : 0);
}

static void select_lanes(uint32_t *d, const uint32_t *s, uint64_t mask)
{
    _Alignas(64) uint32_t in[64];
    spread(in, mask);
    for (unsigned l = 0; l < 64; l++) d[l] = (s[l] & in[l]) | (d[l] & ~in[l]);
}

static void tame(uint32_t *out, const uint32_t *a, uint64_t mask)
{
    _Alignas(64) uint32_t in[64];
    const uint32_t first = a[__builtin_ctzll(mask)];
    spread(in, mask);
    for (unsigned l = 0; l < 64; l++) out[l] = (a[l] & in[l]) | (first & ~in[l]);
}

static void bounds(const uint32_t *a, uint64_t mask, uint32_t *least, uint32_t *most)
{
    _Alignas(64) uint32_t in[64];
    uint32_t lo = UINT32_MAX, hi = 0;
    spread(in, mask);
    for (unsigned l = 0; l < 64; l++) {
        uint32_t low = a[l] | ~in[l], high = a[l] & in[l];
        lo = low < lo ? low : lo;
        hi = high > hi ? high : hi;
    }
    *least = lo;
    *most = hi;
}

static inline bool is_one(const uint32_t *a, uint64_t mask)
{
    uint32_t least, most;
    bounds(a, mask, &least, &most);
    return least == most;
}
#endif

static unsigned plain(const uint32_t *a, uint32_t odd, uint32_t last, uint32_t step)
{
    uint32_t outside = 0, scattered = 0, first = a[0];
    for (uint32_t l = 0; l < 64; l++) {
        outside |= (a[l] & odd) | (0u - (a[l] > last));
        scattered |= a[l] ^ (first + l * step);
    }
    return (outside ? GCN_OUTSIDE : 0) | (scattered ? GCN_SCATTERED : 0);
}

static void plus(uint32_t *out, const uint32_t *a, uint32_t more)
{
    for (unsigned l = 0; l < 64; l++) out[l] = a[l] + more;
}

static unsigned interleave(uint32_t *lo, uint32_t *hi, const uint32_t *a, uint32_t plus, uint64_t base, unsigned e,
    unsigned n, uint32_t last, uint32_t bytes, uint64_t mask)
{
    uint32_t base_lo = (uint32_t)base, base_hi = (uint32_t)(base >> 32), in_element = (1u << e) - 1,
             in_group = (1u << n) - 1;
    uint32_t outside = 0, crossing = 0;
    _Alignas(64) uint32_t in[64];
    spread(in, mask);
    for (uint32_t l = 0; l < 64; l++) {
        uint32_t o = a[l] + plus, rest = o & in_element, at = (o >> e << (e + n)) + ((l & in_group) << e) + rest,
                 sum = at + base_lo;
        outside |= (0u - (a[l] > last)) & in[l];
        crossing |= (0u - (rest + bytes > in_element + 1)) & in[l];
        lo[l] = sum;
        hi[l] = base_hi + (sum < base_lo);
    }
    return (outside ? GCN_OUTSIDE : 0) | (crossing ? GCN_CROSSING : 0);
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

/* A dword at any address. */
typedef uint32_t loose_dword __attribute__((aligned(1), may_alias));

#if defined(__AVX512F__)
/* Sixteen dwords of two vectors, by number: 0 to 15 of a, 16 to 31 of b. */
static inline __m512i pick(__m512i a, __m512i b, const uint32_t *number)
{
    return _mm512_permutex2var_epi32(a, sixteen(number), b);
}

static inline void put_sixteen(void *to, __m512i x) { _mm512_storeu_si512(to, x); }

static void split_2(uint32_t *rows, const uint8_t *packed)
{
    static const uint32_t even[16] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30},
                          odd[16] = {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31};
    for (unsigned l = 0; l < 64; l += 16, packed += 128) {
        const __m512i a = _mm512_loadu_si512(packed), b = _mm512_loadu_si512(packed + 64);
        put_sixteen(rows + l, pick(a, b, even));
        put_sixteen(rows + 64 + l, pick(a, b, odd));
    }
}

/* First dwords 0 and 1, then 2 and 3, of eight lanes each; their halves are the rows. */
static void split_4(uint32_t *rows, const uint8_t *packed)
{
    static const uint32_t first[16] = {0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29},
                          second[16] = {2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31};
    for (unsigned l = 0; l < 64; l += 16, packed += 256) {
        const __m512i a = _mm512_loadu_si512(packed), b = _mm512_loadu_si512(packed + 64),
                      c = _mm512_loadu_si512(packed + 128), d = _mm512_loadu_si512(packed + 192);
        const __m512i p = pick(a, b, first), q = pick(c, d, first), r = pick(a, b, second), s = pick(c, d, second);
        put_sixteen(rows + l, _mm512_shuffle_i64x2(p, q, 0x44));
        put_sixteen(rows + 64 + l, _mm512_shuffle_i64x2(p, q, 0xee));
        put_sixteen(rows + 128 + l, _mm512_shuffle_i64x2(r, s, 0x44));
        put_sixteen(rows + 192 + l, _mm512_shuffle_i64x2(r, s, 0xee));
    }
}

static void join_2(uint8_t *packed, const uint32_t *rows)
{
    static const uint32_t low[16] = {0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23},
                          high[16] = {8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
    for (unsigned l = 0; l < 64; l += 16, packed += 128) {
        const __m512i a = sixteen(rows + l), b = sixteen(rows + 64 + l);
        put_sixteen(packed, pick(a, b, low));
        put_sixteen(packed + 64, pick(a, b, high));
    }
}
#else
static void split_2(uint32_t *restrict rows, const uint8_t *restrict packed)
{
    const loose_dword *in = (const loose_dword *)(const void *)packed;
    for (unsigned l = 0; l < 64; l++) {
        rows[l] = in[2 * l];
        rows[64 + l] = in[2 * l + 1];
    }
}

static void split_4(uint32_t *restrict rows, const uint8_t *restrict packed)
{
    const loose_dword *in = (const loose_dword *)(const void *)packed;
    for (unsigned l = 0; l < 64; l++) {
        rows[l] = in[4 * l];
        rows[64 + l] = in[4 * l + 1];
        rows[128 + l] = in[4 * l + 2];
        rows[192 + l] = in[4 * l + 3];
    }
}

static void join_2(uint8_t *restrict packed, const uint32_t *restrict rows)
{
    loose_dword *out = (loose_dword *)(void *)packed;
    for (unsigned l = 0; l < 64; l++) {
        out[2 * l] = rows[l];
        out[2 * l + 1] = rows[64 + l];
    }
}
#endif

static void join_4(uint8_t *restrict packed, const uint32_t *restrict rows)
{
    loose_dword *out = (loose_dword *)(void *)packed;
    for (unsigned l = 0; l < 64; l++) {
        out[4 * l] = rows[l];
        out[4 * l + 1] = rows[64 + l];
        out[4 * l + 2] = rows[128 + l];
        out[4 * l + 3] = rows[192 + l];
    }
}

static void split(uint32_t *rows, const uint8_t *packed, unsigned n)
{
    switch (n) {
    case 1: memcpy(rows, packed, 256); break;
    case 2: split_2(rows, packed); break;
    case 4: split_4(rows, packed); break;
    default:
        for (unsigned i = 0; i < n; i++)
            for (unsigned l = 0; l < 64; l++) memcpy(&rows[64 * i + l], packed + 4 * ((size_t)n * l + i), 4);
    }
}

static void join(uint8_t *packed, const uint32_t *rows, unsigned n)
{
    switch (n) {
    case 1: memcpy(packed, rows, 256); break;
    case 2: join_2(packed, rows); break;
    case 4: join_4(packed, rows); break;
    default:
        for (unsigned l = 0; l < 64; l++)
            for (unsigned i = 0; i < n; i++) memcpy(packed + 4 * ((size_t)n * l + i), &rows[64 * i + l], 4);
    }
}

/* ---- Scattered lanes, eight at a time: often they read one place, or places one after another, as tiles do ---- */

#if defined(__AVX2__)
/* off[0..7] grow by `step`. */
static inline bool in_line(const uint32_t *off, uint32_t step)
{
    const __m256i steps = _mm256_mullo_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32((int)step));
    const __m256i at = _mm256_loadu_si256((const __m256i *)off), first = _mm256_set1_epi32((int)off[0]);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(at, _mm256_add_epi32(first, steps))) == -1;
}

static inline bool in_place(const uint32_t *off)
{
    const __m256i at = _mm256_loadu_si256((const __m256i *)off), first = _mm256_set1_epi32((int)off[0]);
    return _mm256_movemask_epi8(_mm256_cmpeq_epi32(at, first)) == -1;
}

/* rows may be the row of offsets: the offsets of a group are read before its results are written. */
static inline void gather_eight(uint32_t *rows, const uint8_t *bytes, const uint32_t *off)
{
    __m256i got;
    int word, lane[8];
    if (in_place(off)) {
        memcpy(&word, bytes + off[0], 4);
        got = _mm256_set1_epi32(word);
    } else if (in_line(off, 4)) {
        got = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + off[0]));
    } else {
        for (unsigned i = 0; i < 8; i++) memcpy(&lane[i], bytes + off[i], 4);
        got = _mm256_setr_epi32(lane[0], lane[1], lane[2], lane[3], lane[4], lane[5], lane[6], lane[7]);
    }
    _mm256_storeu_si256((__m256i *)rows, got);
}

#if defined(__AVX512F__)
static void gather_words(uint32_t *rows, const uint8_t *bytes, const uint32_t *off)
{
    const __m512i steps = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
    for (unsigned l = 0; l < 64; l += 16) {
        const __m512i at = _mm512_loadu_si512((const void *)(off + l)), first = _mm512_set1_epi32((int)off[l]);
        int word;
        if (_mm512_cmpneq_epi32_mask(at, _mm512_add_epi32(first, steps)) == 0) {
            _mm512_storeu_si512((void *)(rows + l), _mm512_loadu_si512((const void *)(bytes + off[l])));
        } else if (_mm512_cmpneq_epi32_mask(at, first) == 0) {
            memcpy(&word, bytes + off[l], 4);
            _mm512_storeu_si512((void *)(rows + l), _mm512_set1_epi32(word));
        } else {
            gather_eight(rows + l, bytes, off + l);
            gather_eight(rows + l + 8, bytes, off + l + 8);
        }
    }
}
#else
static void gather_words(uint32_t *rows, const uint8_t *bytes, const uint32_t *off)
{
    for (unsigned l = 0; l < 64; l += 8) gather_eight(rows + l, bytes, off + l);
}
#endif

/* Eight pairs of words, one after another, as two rows; false: they have other places. */
static inline bool gather_pairs(uint32_t *rows, const uint8_t *bytes, const uint32_t *off)
{
    if (!in_line(off, 8)) return false;
    const __m256 a = _mm256_loadu_ps((const float *)(const void *)(bytes + off[0]));
    const __m256 b = _mm256_loadu_ps((const float *)(const void *)(bytes + off[0] + 32));
    const __m256i low = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)),
                  high = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
    _mm256_storeu_si256((__m256i *)rows, _mm256_permute4x64_epi64(low, 0xd8));
    _mm256_storeu_si256((__m256i *)(rows + 64), _mm256_permute4x64_epi64(high, 0xd8));
    return true;
}

static inline bool scatter_eight(uint8_t *bytes, const uint32_t *off, const uint32_t *rows, unsigned n)
{
    if (n > 2 || !in_line(off, 4 * n)) return false;
    const __m256i low = _mm256_loadu_si256((const __m256i *)rows);
    __m256i *to = (__m256i *)(void *)(bytes + off[0]);
    if (n == 1) {
        _mm256_storeu_si256(to, low);
        return true;
    }
    const __m256i high = _mm256_loadu_si256((const __m256i *)(rows + 64));
    const __m256i even = _mm256_unpacklo_epi32(low, high), odd = _mm256_unpackhi_epi32(low, high);
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
    return true;
}
#else
static void gather_words(uint32_t *rows, const uint8_t *bytes, const uint32_t *off)
{
    for (unsigned l = 0; l < 64; l++) memcpy(&rows[l], bytes + off[l], 4);
}

static inline bool gather_pairs(uint32_t *rows, const uint8_t *bytes, const uint32_t *off)
{
    (void)rows, (void)bytes, (void)off;
    return false;
}

static inline bool scatter_eight(uint8_t *bytes, const uint32_t *off, const uint32_t *rows, unsigned n)
{
    (void)bytes, (void)off, (void)rows, (void)n;
    return false;
}
#endif

#if defined(__AVX512F__)
static bool words(uint32_t *rows, const uint8_t *const bytes[], unsigned n, const uint32_t *a, uint32_t last)
{
    const __m512i at[4] = {sixteen(a), sixteen(a + 16), sixteen(a + 32), sixteen(a + 48)}, steps = line_of(0, 4);
    unsigned outside = 0;
    for (unsigned i = 0; i < 4; i++)
        outside |= _mm512_cmpgt_epu32_mask(at[i], all_of(last)) | _mm512_test_epi32_mask(at[i], all_of(3));
    if (outside) return false;
    for (unsigned i = 0; i < 4; i++, rows += 16) {
        const uint32_t first = (uint32_t)_mm512_cvtsi512_si32(at[i]);
        const __m512i from_first = _mm512_sub_epi32(at[i], all_of(first));
        if (!_mm512_cmpneq_epi32_mask(from_first, steps))
            for (unsigned j = 0; j < n; j++) put_sixteen(rows + 64 * j, _mm512_loadu_si512(bytes[j] + first));
        else if (!_mm512_test_epi32_mask(from_first, from_first))
            for (unsigned j = 0; j < n; j++)
                put_sixteen(rows + 64 * j, all_of(*(const loose_dword *)(const void *)(bytes[j] + first)));
        else
            for (unsigned j = 0; j < n; j++)
                put_sixteen(rows + 64 * j, _mm512_i32gather_epi32(at[i], (const int *)(const void *)bytes[j], 1));
    }
    return true;
}
#else
static bool words(uint32_t *rows, const uint8_t *const bytes[], unsigned n, const uint32_t *a, uint32_t last)
{
    uint32_t at[64];
    if (plain(a, 3, last, 4) & GCN_OUTSIDE) return false;
    memcpy(at, a, sizeof at);
    for (unsigned j = 0; j < n; j++) gather_words(rows + 64 * j, bytes[j], at);
    return true;
}
#endif

/* A row of one value. */
static inline void fill_row(uint32_t *row, uint32_t value)
{
#if defined(__AVX512F__)
    for (unsigned l = 0; l < 64; l += 16) put_sixteen(row + l, all_of(value));
#elif defined(__AVX2__)
    const __m256i eight = _mm256_set1_epi32((int)value);
    for (unsigned l = 0; l < 64; l += 8) _mm256_storeu_si256((__m256i *)(void *)(row + l), eight);
#else
    for (unsigned l = 0; l < 64; l++) row[l] = value;
#endif
}

static void gather(uint32_t *rows, const uint8_t *bytes, const uint32_t *off, unsigned n)
{
    if (n == 1) {
        gather_words(rows, bytes, off);
        return;
    }
    if (off[0] == off[63] && is_one(off, UINT64_MAX)) { /* a word that every lane reads is read once */
        uint32_t d[4];
        memcpy(d, bytes + off[0], 4 * (size_t)n);
        for (unsigned i = 0; i < n; i++) fill_row(rows + 64 * i, d[i]);
        return;
    }
    for (unsigned at = 0; at < 64; at += 8) {
        if (n == 2 && gather_pairs(rows + at, bytes, off + at)) continue;
        for (unsigned l = at; l < at + 8; l++) {
            uint32_t d[4];
            memcpy(d, bytes + off[l], 4 * (size_t)n);
            for (unsigned i = 0; i < n; i++) rows[64 * i + l] = d[i];
        }
    }
}

static void scatter(uint8_t *bytes, const uint32_t *off, const uint32_t *rows, unsigned n, uint64_t mask)
{
    if (!mask) return;
    const unsigned last = 63 - (unsigned)__builtin_clzll(mask);
    if (off[__builtin_ctzll(mask)] == off[last] &&
        is_one(off, mask)) { /* of stores to one place, the last lane's remains */
        for (unsigned i = 0; i < n; i++) memcpy(bytes + off[last] + 4 * i, &rows[64 * i + last], 4);
        return;
    }
#if defined(__AVX512F__)
    if (n == 1) {
        for (unsigned l = 0; l < 64; l += 16) scatter_words(bytes, off + l, rows + l, (__mmask16)(mask >> l));
        return;
    }
#endif
    for (unsigned at = 0; at < 64; at += 8) {
        uint32_t eight = (uint32_t)(mask >> at) & 0xff;
        if (eight == 0xff && scatter_eight(bytes, off + at, rows + at, n)) continue;
        for (; eight; eight &= eight - 1) {
            unsigned l = at + (unsigned)__builtin_ctz(eight);
            for (unsigned i = 0; i < n; i++) memcpy(bytes + off[l] + 4 * i, &rows[64 * i + l], 4);
        }
    }
}

static void widen(uint32_t *row, const uint8_t *packed, unsigned type)
{
    uint8_t byte[64];
    uint16_t word[64];
    if (type == GCN_U8 || type == GCN_I8)
        memcpy(byte, packed, sizeof byte);
    else
        for (unsigned l = 0; l < 64; l++) word[l] = (uint16_t)(packed[2 * l] | packed[2 * l + 1] << 8);
    switch (type) {
    case GCN_U8:
        for (unsigned l = 0; l < 64; l++) row[l] = byte[l];
        break;
    case GCN_I8:
        for (unsigned l = 0; l < 64; l++) row[l] = (uint32_t)(int8_t)byte[l];
        break;
    case GCN_U16:
        for (unsigned l = 0; l < 64; l++) row[l] = word[l];
        break;
    default:
        for (unsigned l = 0; l < 64; l++) row[l] = (uint32_t)(int16_t)word[l];
    }
}

const struct gcn_memory_rows NAME(SIMD) = {
    .check = check,
    .local = local,
    .plain = plain,
    .plus = plus,
    .interleave = interleave,
    .add = add,
    .select = select_lanes,
    .split = split,
    .join = join,
    .gather = gather,
    .words = words,
    .scatter = scatter,
    .tame = tame,
    .bounds = bounds,
    .widen = widen,
};
