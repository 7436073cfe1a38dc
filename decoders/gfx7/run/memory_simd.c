/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory_simd.c: the loops over 64 lanes that memory instructions share; compiled once for each vector width. */
#include "run/gfx7_memory.h"

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
    return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
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
    return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
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

/* Whether all lanes of the mask, which is not empty, have one value. */
static inline bool is_one(const uint32_t *a, uint64_t mask)
{
    const __m512i first = all_of(a[__builtin_ctzll(mask)]);
    unsigned other = 0;
    for (unsigned l = 0; l < 64; l += 16)
        other |= _mm512_mask_cmpneq_epi32_mask((__mmask16)(mask >> l), sixteen(a + l), first);
    return !other;
}

/* Stores one word each of sixteen lanes; places that grow by 4 are one store, whatever the mask. */
static inline void scatter_words(uint8_t *bytes, const uint32_t *off, const uint32_t *row, __mmask16 in)
{
    if (!in) return;
    const unsigned k = (unsigned)__builtin_ctz(in);
    if (!_mm512_mask_cmpneq_epi32_mask(in, sixteen(off), line_of(off[k] - 4 * k, 4))) {
        /* The place of lane 0 may lie before the segment: it is only counted from, where lane 0 does not store. */
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
    return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
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
    return (outside ? GFX7_OUTSIDE : 0) | (scattered ? GFX7_SCATTERED : 0);
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

/* A dword at any address. */
typedef uint32_t loose_dword __attribute__((aligned(1), may_alias));

static void split(uint32_t *restrict rows, const uint8_t *restrict packed, unsigned n)
{
    const loose_dword *in = (const loose_dword *)(const void *)packed;
    switch (n) {
    case 1: memcpy(rows, packed, 256); break;
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
            for (unsigned l = 0; l < 64; l++) rows[64 * i + l] = in[n * l + i];
    }
}

static void join(uint8_t *restrict packed, const uint32_t *restrict rows, unsigned n)
{
    loose_dword *out = (loose_dword *)(void *)packed;
    switch (n) {
    case 1: memcpy(packed, rows, 256); break;
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
            for (unsigned l = 0; l < 64; l++) out[n * l + i] = rows[64 * i + l];
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

/* rows may be the row of offsets: a group's are read before its results are written. */
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

/* Eight pairs of words, one after another, as two rows; false: they stand otherwise. */
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

static void gather(uint32_t *rows, const uint8_t *bytes, const uint32_t *off, unsigned n)
{
    if (n == 1) {
        gather_words(rows, bytes, off);
        return;
    }
    if (off[0] == off[63] && is_one(off, UINT64_MAX)) { /* what every lane reads is read once */
        uint32_t d[4];
        memcpy(d, bytes + off[0], 4 * (size_t)n);
        for (unsigned i = 0; i < n; i++)
            for (unsigned l = 0; l < 64; l++) rows[64 * i + l] = d[i];
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
        is_one(off, mask)) { /* of stores to one place the last lane's stays */
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
    if (type == GFX7_U8 || type == GFX7_I8)
        memcpy(byte, packed, sizeof byte);
    else
        for (unsigned l = 0; l < 64; l++) word[l] = (uint16_t)(packed[2 * l] | packed[2 * l + 1] << 8);
    switch (type) {
    case GFX7_U8:
        for (unsigned l = 0; l < 64; l++) row[l] = byte[l];
        break;
    case GFX7_I8:
        for (unsigned l = 0; l < 64; l++) row[l] = (uint32_t)(int8_t)byte[l];
        break;
    case GFX7_U16:
        for (unsigned l = 0; l < 64; l++) row[l] = word[l];
        break;
    default:
        for (unsigned l = 0; l < 64; l++) row[l] = (uint32_t)(int16_t)word[l];
    }
}

const struct gfx7_memory_rows NAME(SIMD) = {
    .check = check,
    .local = local,
    .plain = plain,
    .interleave = interleave,
    .add = add,
    .select = select_lanes,
    .split = split,
    .join = join,
    .gather = gather,
    .scatter = scatter,
    .tame = tame,
    .bounds = bounds,
    .widen = widen,
};
