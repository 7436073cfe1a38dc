/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_lanes_simd.c: the vector ALU.  Compiled once for each vector width (SIMD=1, 3, 4); each exports one struct
 * gcn_level.
 *
 * Three layers, from the bottom:
 *
 *     row functions    from ops.def, one an opcode: the row's body in a loop over 64 lanes that the compiler widens.
 *                      They read and write whole rows of 64 dwords and know nothing of EXEC, modifiers or operand
 *                      kinds.
 *     writeback        stores rows of results in registers, under a partial EXEC by selecting; packs masks to 64 bits.
 *     handlers         find the source rows (a scalar is spread over a row), call the row function, write back.  The
 *                      fast ones take 32-bit sources without modifiers; `vector` takes everything.
 *
 * Shapes of the bodies, as ops.def writes them.  Types are in the list below; D is the result, S0 S1 S2 the sources; IN
 * is the lane's bit of the carry or select mask, OUT (0 or 1) its bit of the mask result, LANE its number; NEAREST,
 * NEAREST64, IEEE, ROUND16 and the like are settings of the mode register.
 *
 *     LANES(d, s0, s1, s2, body)   any types; body sets D
 *     U32 I32 F32 F32Z F32K F64 F64K (body)  the same with one type for all
 *     F32N(body)                   functions of one float: f32n from f32z
 *     ARITH(n, body), ARITHZ       F32 and F32Z with n sources, where speed counts
 *     CMP(s, condition), CMP2(s0, s1, condition)
 *     CALL(handler)                not here: vector.c; nor HALF, HALF_OF, PACKED, MIX, DOT: gcn_packed.c
 */
#include "code/bits.h"
#include "alu/vector.h"
#include "gcn.h"
#include "gcn_ops.h"
#include "alu/gcn_lanes_simd.h"

#include <fenv.h>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifndef SIMD
#define SIMD 1
#endif

/* A quick pass declares its own constants, which shadow those of the whole row. */
#pragma GCC diagnostic ignored "-Wshadow"

/* Lanes are independent, also where rows are the same; ROLLED: the body is long enough not to be unrolled. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* a few rows do not widen */
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int l = 0; l < 64; l++)
#define EACH_LANE_ROLLED EACH_LANE
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int l = 0; l < 64; l++)
#define EACH_LANE_ROLLED _Pragma("GCC ivdep") _Pragma("GCC unroll 1") for (int l = 0; l < 64; l++)
#endif
#define ROW_ALIGNED __attribute__((aligned(64)))

/* ---- Types ----
 *
 * GET_x(p) is the source in rows p, p + 64, ...; C_x its C type.
 *
 *     u32 i32 u64 i64 u128   bits
 *     f32 f64                denormals flushed as the mode says; a NaN result follows the rule of lanes.h
 *     f32z                   denormals always flushed (v_mad, v_mac)
 *     f32k f64k              denormals kept whatever the mode says
 *     f32r f64r              as f32, f64, but the body makes its NaNs
 *     f32m f64n              as f32, f64, but rounds to nearest whatever the mode says
 *     f32n                   the same, and denormals are always flushed
 *     f16                    result: the low 16 bits
 *     h16 i16 u16            sources, of which the low 16 bits count: a half, denormals as the mode says; whole numbers
 */
typedef uint32_t C_u32;
typedef int32_t C_i32;
typedef uint64_t C_u64;
typedef int64_t C_i64;
typedef float C_f32, C_f32z, C_f32k, C_f32r, C_f32m, C_f32n;
typedef double C_f64, C_f64k, C_f64r, C_f64n;
typedef uint32_t C_f16;
typedef float C_h16;
typedef int32_t C_i16;
typedef uint32_t C_u16;
typedef struct gcn_u128 C_u128;

#define GET_u32(p) (p)[l]
#define GET_i32(p) (int32_t)(p)[l]
#define GET_u64(p) p##64 [l]
#define GET_i64(p) (int64_t) GET_u64(p)
#define GET_f32(p) lanes_f32(lanes_flush32((p)[l], keep_in32))
#define GET_f32z(p) lanes_f32(lanes_flush32((p)[l], keep_z))
#define GET_f32k(p) lanes_f32((p)[l])
#define GET_f64(p) lanes_f64(lanes_flush64(GET_u64(p), keep_in64))
#define GET_f64k(p) lanes_f64(GET_u64(p))
#define GET_u128(p) ((struct gcn_u128){{(p)[l], (p)[l + 64], (p)[l + 128], (p)[l + 192]}})

/* Pairs of rows are first interleaved, lane by lane, into p64. */
#define OPEN_u64(p)                  \
    ROW_ALIGNED uint64_t p##64 [64]; \
    interleave(p##64, p);
#define OPEN_i64(p) OPEN_u64(p)
#define OPEN_f64(p) OPEN_u64(p)
#define OPEN_f64k(p) OPEN_u64(p)
#define GET_h16(p) lanes_f32(lanes_f32_from_f16((p)[l] & 0xffff, keep_in64))
#define GET_i16(p) (int16_t)(p)[l]
#define GET_u16(p) ((p)[l] & 0xffff)
#define OPEN_h16(p)
#define OPEN_i16(p)
#define OPEN_u16(p)
#define OPEN_u32(p)
#define OPEN_i32(p)
#define OPEN_f32(p)
#define OPEN_f32z(p)
#define OPEN_f32k(p)
#define OPEN_u128(p)

/* Results go to rows d; floats whose NaNs must follow the rule go to a separate row first, as d may be a source. */
#define PUT_u32(x) d[l] = (x)
#define PUT_i32(x) d[l] = (uint32_t)(x)
#define PUT_f16(x) d[l] = (x)
#define PUT_u64(x) d64[l] = (x)
#define PUT_i64(x) PUT_u64((uint64_t)(x))
#define PUT_u128(x) \
    (d[l] = (x).dword[0], d[l + 64] = (x).dword[1], d[l + 128] = (x).dword[2], d[l + 192] = (x).dword[3])
#define PUT_f32r(x) d[l] = lanes_flush32(lanes_bits32(x), keep_out32)
#define PUT_f64r(x) PUT_u64(lanes_flush64(lanes_bits64(x), keep_out64))
#define PUT_FLOAT(bits) put_float(r, nan, l, bits)
#define PUT_f32(x) PUT_FLOAT(lanes_flush32(lanes_bits32(x), keep_out32))
#define PUT_f32z(x) PUT_FLOAT(lanes_flush32(lanes_bits32(x), keep_z))
#define PUT_f32n(x) PUT_f32z(x)
#define PUT_f32m(x) PUT_f32(x)
#define PUT_f32k(x) PUT_FLOAT(lanes_bits32(x))
#define PUT_DOUBLE(bits) put_double(d64, nan, l, bits)
#define PUT_f64(x) PUT_DOUBLE(lanes_flush64(lanes_bits64(x), keep_out64))
#define PUT_f64n(x) PUT_f64(x)
#define PUT_f64k(x) PUT_DOUBLE(lanes_bits64(x))

#define BEGIN_u32
#define BEGIN_i32
#define BEGIN_f16
#define BEGIN_u64 ROW_ALIGNED uint64_t d64[64];
#define BEGIN_i64 BEGIN_u64
#define BEGIN_u128
#define BEGIN_f32r
#define BEGIN_f64r BEGIN_u64
#define END_u32
#define END_i32
#define END_f16
#define END_u64 deinterleave(d, d64);
#define END_i64 END_u64
#define END_u128
#define END_f32r
#define END_f64r END_u64
#define BEGIN_f32 ROW_ALIGNED uint32_t r[64], nan[64];
#define END_f32 finish32(x, r, nan);
#define BEGIN_f32z BEGIN_f32
#define END_f32z END_f32
#define BEGIN_f32n BEGIN_f32
#define BEGIN_f32m BEGIN_f32
#define END_f32n END_f32
#define END_f32m END_f32
#define BEGIN_f32k BEGIN_f32
#define END_f32k END_f32

/* 1: the handler need not set the rounding mode. */
#define FIXED_u32 0
#define FIXED_i32 1
#define FIXED_f16 1
#define FIXED_u64 1
#define FIXED_i64 1
#define FIXED_u128 1
#define FIXED_f32 0
#define FIXED_f32r 0
#define FIXED_f32z 0
#define FIXED_f32k 1
#define FIXED_f32n 1
#define FIXED_f32m 1
#define FIXED_f64 0
#define FIXED_f64r 0
#define FIXED_f64k 1
#define FIXED_f64n 1

/* Whole rows are copied without a call. */
typedef uint32_t row_part __attribute__((vector_size(64), aligned(64), may_alias));

static inline void copy_row(uint32_t *d, const uint32_t *r)
{
    for (int i = 0; i < 4; i++) ((row_part *)(void *)d)[i] = ((const row_part *)(const void *)r)[i];
}

/* Is any dword not 0?  Below a limit? */
static inline bool any(const uint32_t *row)
{
    const row_part *p = (const row_part *)(const void *)row, all = p[0] | p[1] | p[2] | p[3];
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)all, (__m512i)all) != 0;
#elif defined(__AVX2__)
    __m256i half[2];
    memcpy(half, &all, sizeof half);
    return !_mm256_testz_si256(_mm256_or_si256(half[0], half[1]), _mm256_set1_epi32(-1));
#else
    uint64_t part[8], sum = 0;
    memcpy(part, &all, sizeof part);
    for (int i = 0; i < 8; i++) sum |= part[i];
    return sum != 0;
#endif
}

static inline bool any_below(const uint32_t *row, uint32_t limit)
{
#if defined(__AVX512F__)
    const __m512i *p = (const __m512i *)(const void *)row;
    const __m512i least = _mm512_min_epu32(_mm512_min_epu32(p[0], p[1]), _mm512_min_epu32(p[2], p[3]));
    return _mm512_cmplt_epu32_mask(least, _mm512_set1_epi32((int)limit)) != 0;
#else
    ROW_ALIGNED uint32_t below[64];
    EACH_LANE below[l] = row[l] < limit;
    return any(below);
#endif
}

/* Between two rows and pairs of dwords. */
enum { LOW = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? 0 : 1 };

static inline void interleave(uint64_t *pairs, const uint32_t *rows)
{
    uint32_t *p = (uint32_t *)(void *)pairs;
    EACH_LANE
    {
        p[2 * l + LOW] = rows[l];
        p[2 * l + !LOW] = rows[l + 64];
    }
}

static inline void deinterleave(uint32_t *rows, const uint64_t *pairs)
{
    const uint32_t *p = (const uint32_t *)(const void *)pairs;
    EACH_LANE
    {
        rows[l] = p[2 * l + LOW];
        rows[l + 64] = p[2 * l + !LOW];
    }
}

static inline void put_float(uint32_t *row, uint32_t *nan, int l, uint32_t bits)
{
    row[l] = bits;
    nan[l] = lanes_isnan32(bits);
}

static __attribute__((noinline)) void name_nans32(const struct gcn_lanes *x, const uint32_t *r)
{
    for (int l = 0; l < 64; l++) x->d[l] = lanes_isnan32(r[l]) ? gcn_nan32(x->a[l], x->b[l], x->c[l]) : r[l];
}

static inline void finish32(const struct gcn_lanes *x, const uint32_t *r, const uint32_t *nan)
{
    if (any(nan))
        name_nans32(x, r);
    else
        copy_row(x->d, r);
}

/* nan: set where the result may be a NaN, also for infinities. */
static inline void put_double(uint64_t *pairs, uint32_t *nan, int l, uint64_t bits)
{
    pairs[l] = bits;
    nan[l] = (uint32_t)(bits >> 32 & 0x7fffffff) >= 0x7ff00000;
}

static uint64_t wide_lane(const uint32_t *row, int l) { return row[l] | (uint64_t)row[l + 64] << 32; }

static __attribute__((noinline)) void name_nans64(const struct gcn_lanes *x, uint64_t *pairs)
{
    for (int l = 0; l < 64; l++)
        if (lanes_isnan64(pairs[l])) pairs[l] = gcn_nan64(wide_lane(x->a, l), wide_lane(x->b, l), wide_lane(x->c, l));
}

static inline void finish64(const struct gcn_lanes *x, uint64_t *pairs, const uint32_t *nan)
{
    if (any(nan)) name_nans64(x, pairs);
    deinterleave(x->d, pairs);
}

/* A float that the quick pass cannot handle (a denormal or, as a result, a NaN) brings *least below this. */
#define ODD_BELOW 0x7fffffu

static inline void note(uint32_t bits, uint32_t *least)
{
    const uint32_t m = (bits & ~LANES_SIGN32) - 1; /* 0 counts as the greatest */
    *least = *least < m ? *least : m;
}

static inline void note_nan(uint32_t bits, uint32_t *least)
{
    const uint32_t m = (bits & ~LANES_SIGN32) + (UINT32_MAX - LANES_INF32); /* turns over above infinity */
    *least = *least < m ? *least : m;
}

static inline float flush_or_note(float x, bool quick, uint32_t *least)
{
    if (quick) note(lanes_bits32(x), least);
    return quick ? x : lanes_f32(lanes_flush32(lanes_bits32(x), false));
}

/* ---- Row functions ---- */

#define NEAREST nearest
#define NEAREST64 nearest64
#define IEEE ieee
#define LANE l
#define IN (in[l] & 1)
#define OUT out[l]
#define ROUND16 ((enum lanes_round)GET(x->mode, MODE, round_f64))
#define KEEP_IN16 keep_in64
#define KEEP_OUT16 keep_out64
/* A product inside a sum, denormals flushed. */
#define FLUSH(x) flush_or_note(x, quick, &least)

/* clang-format off */
#define ROW_HEAD \
    const uint32_t *a = x->a, *b = x->b, *c = x->c, *in = x->in; \
    uint32_t *d = x->d, *out = x->out, least = UINT32_MAX; \
    const bool keep_in32 = x->mode & GCN_DENORM_IN_F32, keep_out32 = x->mode & GCN_DENORM_OUT_F32, \
               keep_in64 = x->mode & GCN_DENORM_IN_F64, keep_out64 = x->mode & GCN_DENORM_OUT_F64, \
               ieee = x->mode & GCN_IEEE, nearest = !(x->mode & GCN_ROUND_F32), \
               nearest64 = !(x->mode & GCN_ROUND_F64), keep_z = false, quick = false; \
    (void)b, (void)c, (void)in, (void)d, (void)out, (void)least, (void)keep_in32, (void)keep_out32, (void)keep_in64; \
    (void)keep_out64, (void)ieee, (void)nearest, (void)nearest64, (void)keep_z, (void)quick;
#define ROW_LOOP(each, td, t0, t1, t2, put, ...) \
    each \
    { \
        const C_##t0 S0 = GET_##t0(a); \
        const C_##t1 S1 = GET_##t1(b); \
        const C_##t2 S2 = GET_##t2(c); \
        C_##td D; \
        (void)S0, (void)S1, (void)S2; \
        __VA_ARGS__; \
        put(D); \
    }

#define ROW_LANES(name, td, t0, t1, t2, ...) \
    static void row_##name(struct gcn_lanes *x) \
    { \
        ROW_HEAD \
        OPEN_##t0(a) OPEN_##t1(b) OPEN_##t2(c) \
        BEGIN_##td ROW_LOOP(EACH_LANE, td, t0, t1, t2, PUT_##td, __VA_ARGS__) END_##td \
    }
/* clang-format on */

/* Float sums and products, first ignoring denormals and NaNs; again with them only if there was one. */
/* clang-format off */
#define PUT_QUICK(x) \
    r[l] = lanes_bits32(x); \
    note(r[l], &least); \
    note_nan(r[l], &least); \
    low[l] = least
#define NOTE_2 note(lanes_bits32(S0), &least), note(lanes_bits32(S1), &least)
#define NOTE_3 NOTE_2, note(lanes_bits32(S2), &least)
#define ROW_QUICK(name, t, n, ...) \
    static void row_##name(struct gcn_lanes *x) \
    { \
        ROW_HEAD \
        BEGIN_f32 \
        { \
            ROW_ALIGNED uint32_t r[64], low[64]; \
            const bool keep_in32 = true, keep_z = true, quick = true; \
            (void)keep_in32, (void)keep_z, (void)quick; \
            ROW_LOOP(EACH_LANE, t, t, t, t, PUT_QUICK, uint32_t least = UINT32_MAX; __VA_ARGS__; NOTE_##n) \
            if (!any_below(low, ODD_BELOW)) { \
                copy_row(d, r); \
                return; \
            } \
        } \
        ROW_LOOP(EACH_LANE_ROLLED, t, t, t, t, PUT_##t, __VA_ARGS__) END_f32 \
    }
/* clang-format on */

/* Doubles: the same, where denormals are kept anyway. */
/* clang-format off */
#define ROW_DOUBLE(name, td, t0, t1, t2, ...) \
    static void row_##name(struct gcn_lanes *x) \
    { \
        ROW_ALIGNED uint64_t d64[64]; \
        ROW_ALIGNED uint32_t nan[64]; \
        ROW_HEAD \
        OPEN_##t0(a) OPEN_##t1(b) OPEN_##t2(c) \
        if (keep_in64 && keep_out64) { \
            const bool keep_in64 = true, keep_out64 = true; \
            (void)keep_in64, (void)keep_out64; \
            ROW_LOOP(EACH_LANE, td, t0, t1, t2, PUT_##td, __VA_ARGS__) \
        } else \
            ROW_LOOP(EACH_LANE_ROLLED, td, t0, t1, t2, PUT_##td, __VA_ARGS__) \
        finish64(x, d64, nan); \
    }
#define ROW_u32 ROW_LANES
#define ROW_i32 ROW_LANES
#define ROW_u64 ROW_LANES
#define ROW_i64 ROW_LANES
#define ROW_u128 ROW_LANES
#define ROW_f16 ROW_LANES
#define ROW_f32 ROW_LANES
#define ROW_f32m ROW_LANES
#define ROW_f32r ROW_LANES
#define ROW_f64r ROW_LANES
#define ROW_f64 ROW_DOUBLE
#define ROW_f64n ROW_DOUBLE
#define ROW_f64k ROW_DOUBLE
#define ROW_CMP2(name, t0, t1, ...) \
    static void row_##name(struct gcn_lanes *x) \
    { \
        ROW_HEAD \
        OPEN_##t0(a) OPEN_##t1(b) \
        EACH_LANE \
        { \
            const C_##t0 S0 = GET_##t0(a); \
            const C_##t1 S1 = GET_##t1(b); \
            (void)S0, (void)S1; \
            out[l] = (__VA_ARGS__) ? 0xffffffff : 0; \
        } \
    }
#define ROW_SKIP(name, ...)
/* clang-format on */

/* A shape says which generator makes its row function. */
#define LANES(td, ...) ROW_##td, td, __VA_ARGS__
#define U32(...) ROW_LANES, u32, u32, u32, u32, __VA_ARGS__
#define I32(...) ROW_LANES, i32, i32, i32, i32, __VA_ARGS__
#define F32(...) ROW_LANES, f32, f32, f32, f32, __VA_ARGS__
#define ARITH(n, ...) ROW_QUICK, f32, n, __VA_ARGS__
#define ARITHZ(n, ...) ROW_QUICK, f32z, n, __VA_ARGS__
#define F32Z(...) ROW_LANES, f32z, f32z, f32z, f32z, __VA_ARGS__
#define F32K(...) ROW_LANES, f32k, f32k, f32k, f32k, __VA_ARGS__
#define F32N(...) ROW_LANES, f32n, f32z, u32, u32, __VA_ARGS__
#define F64(...) ROW_DOUBLE, f64, f64, f64, f64, __VA_ARGS__
#define F64K(...) ROW_DOUBLE, f64k, f64k, f64k, f64k, __VA_ARGS__
#define CMP(t, ...) ROW_CMP2, t, t, __VA_ARGS__
#define CMP2(t0, t1, ...) ROW_CMP2, t0, t1, __VA_ARGS__
#define CALL(fn) ROW_SKIP, fn
#define NONE ROW_SKIP, 0
#define HALF(...) ROW_SKIP, 0
#define HALF_OF(...) ROW_SKIP, 0
#define PACKED(...) ROW_SKIP, 0
#define MIX(...) ROW_SKIP, 0
#define DOT(...) ROW_SKIP, 0

#define DEFINE(name, ...) DEFINE_(name, __VA_ARGS__)
#define DEFINE_(name, make, ...) make(name, __VA_ARGS__)

#define GCN_VECTOR_ROWS
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"

/* ---- Writeback ---- */

/* Packs a row into one bit a lane: bit 0 of each dword. */
#if defined(__AVX512F__)
static inline uint64_t pack(const uint32_t *row)
{
    const __m512i one = _mm512_set1_epi32(1);
    uint64_t mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= (uint64_t)_mm512_test_epi32_mask(_mm512_load_si512((const void *)(row + 16 * i)), one) << (16 * i);
    return mask;
}
#elif defined(__AVX2__)
static inline uint64_t pack(const uint32_t *row)
{
    uint64_t mask = 0;
    for (int i = 0; i < 8; i++) {
        __m256i v = _mm256_slli_epi32(_mm256_load_si256((const __m256i *)row + i), 31);
        mask |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v)) << (8 * i);
    }
    return mask;
}
#elif defined(__SSE2__)
static inline uint64_t pack(const uint32_t *row)
{
    uint64_t mask = 0;
    for (int i = 0; i < 16; i++) {
        __m128i v = _mm_slli_epi32(_mm_load_si128((const __m128i *)row + i), 31);
        mask |= (uint64_t)(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(v)) << (4 * i);
    }
    return mask;
}
#else
static inline uint64_t pack(const uint32_t *row)
{
    uint64_t mask = 0;
    for (int l = 0; l < 64; l++) mask |= (uint64_t)(row[l] & 1) << l;
    return mask;
}
#endif

/* Expands a mask to a dword a lane, all ones or zero; and stores n rows of results in the lanes of exec. */
#if defined(__AVX512F__)
static inline void unpack(uint64_t mask, uint32_t *row)
{
    for (int i = 0; i < 4; i++)
        _mm512_store_si512((void *)(row + 16 * i), _mm512_maskz_set1_epi32((__mmask16)(mask >> (16 * i)), -1));
}

static inline void select_rows(uint32_t *d, const uint32_t *r, uint64_t exec, unsigned n)
{
    for (unsigned i = 0; i < 4 * n; i++) {
        __m512i old = _mm512_load_si512((const void *)(d + 16 * i)),
                new = _mm512_load_si512((const void *)(r + 16 * i));
        _mm512_store_si512((void *)(d + 16 * i), _mm512_mask_mov_epi32(old, (__mmask16)(exec >> (16 * (i % 4))), new));
    }
}
#else
static inline void unpack(uint64_t mask, uint32_t *row)
{
    static const uint32_t bit[16] ROW_ALIGNED = {
        1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    for (int i = 0; i < 4; i++) {
        const uint32_t part = (uint32_t)(mask >> (16 * i)) & 0xffff;
        for (int l = 0; l < 16; l++) row[16 * i + l] = part & bit[l] ? 0xffffffff : 0;
    }
}

static inline void select_rows(uint32_t *d, const uint32_t *r, uint64_t exec, unsigned n)
{
    ROW_ALIGNED uint32_t lanes[64];
    unpack(exec, lanes);
    for (unsigned k = 0; k < n; k++, d += 64, r += 64) EACH_LANE d[l] = (r[l] & lanes[l]) | (d[l] & ~lanes[l]);
}
#endif

static inline void spread(uint32_t *row, uint32_t value) { EACH_LANE row[l] = value; }

static void modify(uint32_t *row, const uint32_t *from, uint32_t clear, uint32_t flip)
{
    EACH_LANE row[l] = (from[l] & ~clear) ^ flip;
}

/* ---- Handlers ---- */

static const uint32_t zeros[256] ROW_ALIGNED;

/* The full path: any operand, any modifier. */

/* The rows of source i, one for each of its dwords; in tmp if they must be built. */
static const uint32_t *gather(struct gpudbg_wave *w, const struct gcn_op *op, int i, unsigned code, uint32_t *tmp)
{
    const uint32_t *s = gcn_s(w);
    const enum gcn_kind kind = GCN_KIND(op->mods, i);
    const unsigned n = gcn_kind_dwords(kind);
    if (n == 0) return zeros;
    const uint32_t *rows = tmp;
    if (code >= GCN_CODE_VGPR)
        rows = gcn_v(w, code - GCN_CODE_VGPR);
    else {
        uint64_t wide = n == 1                 ? 0
                        : code != GCN_LITERAL  ? gcn_pair(s, gcn_wide(code))
                        : kind == GCN_KIND_F64 ? (uint64_t)op->imm << 32
                        : kind == GCN_KIND_I64 ? (uint64_t)(int32_t)op->imm
                                               : op->imm;
        for (unsigned k = 0; k < n; k++)
            spread(tmp + 64 * k, n == 1          ? s[code]
                                 : k < 2         ? (uint32_t)(wide >> (32 * k))
                                 : code < GCN_M0 ? s[code + k]
                                                 : 0);
    }
    const bool neg = op->mods >> i & 1, abs = op->mods >> (3 + i) & 1;
    const uint32_t sign = kind == GCN_KIND_F16 ? 0x8000 : LANES_SIGN32;
    if ((neg || abs) && gcn_kind_float(kind)) {
        if (n == 2) memmove(tmp, rows, 256);
        modify(tmp + 64 * (n - 1), rows + 64 * (n - 1), abs ? sign : 0, neg ? sign : 0);
        rows = tmp;
    }
    return rows;
}

/* Never inlined: some 150 handlers call it for cases that they do not handle, and compiling its copies took most of the
 * time of a build. */
static __attribute__((noinline)) const struct gcn_op *vector(struct gpudbg_wave *w, const struct gcn_op *op)
{
    ROW_ALIGNED uint32_t tmp[4][256], in[64], out[64];
    uint32_t *s = gcn_s(w);
    const uint64_t exec = gcn_exec_of(s);
    s[GCN_LITERAL] = op->imm;
    uint32_t *const d = op->d >= GCN_CODE_VGPR ? gcn_v(w, op->d - GCN_CODE_VGPR) : NULL;
    const bool direct = d && exec == UINT64_MAX;
    struct gcn_lanes x = {
        .in = in, .d = direct ? d : tmp[3], .out = out, .mode = s[GCN_MODE], .clamp = op->mods & GCN_CLAMP};
    x.a = gather(w, op, 0, op->a, tmp[0]);
    x.b = gather(w, op, 1, op->b, tmp[1]);
    x.c = gather(w, op, 2, op->c, tmp[2]);
    if (op->mods & GCN_IN) unpack(gcn_pair(s, gcn_wide(GCN_KIND(op->mods, 2) ? GCN_VCC : op->c)), in);
    gcn_run_row(op, &x);
    if (d) {
        if (!direct) select_rows(d, x.d, exec, gcn_kind_dwords(GCN_KIND(op->mods, 3)));
        if (op->mods & GCN_OUT) gcn_set_mask(s, GCN_SDST(op->mods), pack(out) & exec);
    } else {
        const uint64_t mask = pack(out) & exec;
        gcn_set_mask(s, op->d, mask);
        if (op->mods & GCN_CMPX) gcn_set_mask(s, GCN_EXEC, mask);
    }
    return gcn_next(op);
}

/* The fast path: no modifiers, rounding to nearest; other rounding modes take the full path.  An argument that is
 * constant in a call below is constant in the handler; so is the row function of a hot row. */
#define INLINE static inline __attribute__((always_inline))

/* The place of a source: a VGPR, a scalar, either, a pair of either. */
enum from { FROM_N, FROM_V, FROM_S, FROM_A, FROM_W };

INLINE const uint32_t *fetch(const struct gpudbg_wave *w, enum from from, unsigned code, uint32_t *tmp)
{
    const uint32_t *s = gcn_s(w);
    if (from == FROM_N) return zeros;
    if (from == FROM_V || (from != FROM_S && code >= GCN_CODE_VGPR)) return gcn_v(w, code - GCN_CODE_VGPR);
    const unsigned i = from == FROM_W ? gcn_wide(code) : code;
    spread(tmp, s[i]);
    if (from == FROM_W) spread(tmp + 64, s[i + 1]);
    return tmp;
}

/* A result of n dwords a lane. */
INLINE const struct gcn_op *fast(struct gpudbg_wave *w, const struct gcn_op *op, gcn_rows *rows, enum from k0,
    enum from k1, enum from k2, unsigned n)
{
    ROW_ALIGNED uint32_t t0[128], t1[128], t2[128], r[128];
    uint32_t *s = gcn_s(w);
    const uint64_t exec = gcn_exec_of(s);
    s[GCN_LITERAL] = op->imm;
    if (s[GCN_MODE] & (n == 1 ? GCN_ROUND_F32 : GCN_ROUND_F64)) return vector(w, op);
    uint32_t *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    const bool all = exec == UINT64_MAX;
    struct gcn_lanes x = {.a = fetch(w, k0, op->a, t0),
        .b = fetch(w, k1, op->b, t1),
        .c = fetch(w, k2, op->c, t2),
        .d = all ? d : r,
        .mode = s[GCN_MODE]};
    rows(&x);
    if (!all) select_rows(d, r, exec, n);
    return gcn_next(op);
}

/* Compares: the result is a mask. */
INLINE const struct gcn_op *compare(
    struct gpudbg_wave *w, const struct gcn_op *op, gcn_rows *rows, enum from k0, enum from k1)
{
    ROW_ALIGNED uint32_t t0[128], t1[128], out[64];
    uint32_t *s = gcn_s(w);
    s[GCN_LITERAL] = op->imm;
    struct gcn_lanes x = {
        .a = fetch(w, k0, op->a, t0), .b = fetch(w, k1, op->b, t1), .c = zeros, .out = out, .mode = s[GCN_MODE]};
    rows(&x);
    const uint64_t mask = pack(out) & gcn_exec_of(s);
    gcn_set_mask(s, op->d, mask);
    if (op->mods & GCN_CMPX) gcn_set_mask(s, GCN_EXEC, mask);
    return gcn_next(op);
}

/* Integer sums with a carry out, perhaps a carry in, and v_cndmask, which has only the latter. */
INLINE const struct gcn_op *carry(
    struct gpudbg_wave *w, const struct gcn_op *op, gcn_rows *rows, enum from k0, enum from k1, bool reads, bool writes)
{
    ROW_ALIGNED uint32_t t0[64], t1[64], r[64], in[64], out[64];
    uint32_t *s = gcn_s(w), *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    const uint64_t exec = gcn_exec_of(s);
    const bool all = exec == UINT64_MAX;
    s[GCN_LITERAL] = op->imm;
    struct gcn_lanes x = {.a = fetch(w, k0, op->a, t0),
        .b = fetch(w, k1, op->b, t1),
        .c = zeros,
        .in = in,
        .d = all ? d : r,
        .out = out,
        .mode = s[GCN_MODE]};
    if (reads) unpack(gcn_pair(s, gcn_wide(op->c)), in);
    rows(&x);
    if (writes) gcn_set_mask(s, GCN_SDST(op->mods), pack(out) & exec);
    if (!all) select_rows(d, r, exec, 1);
    return gcn_next(op);
}

/* clang-format off */
#define HANDLER(name, ...) \
    static const struct gcn_op *name(struct gpudbg_wave *w, const struct gcn_op *op) \
    { \
        return __VA_ARGS__; \
    }
/* clang-format on */

HANDLER(fast_v, fast(w, op, op->rows, FROM_V, FROM_N, FROM_N, 1))
HANDLER(fast_s, fast(w, op, op->rows, FROM_S, FROM_N, FROM_N, 1))
HANDLER(fast_vv, fast(w, op, op->rows, FROM_V, FROM_V, FROM_N, 1))
HANDLER(fast_sv, fast(w, op, op->rows, FROM_S, FROM_V, FROM_N, 1))
HANDLER(fast_vs, fast(w, op, op->rows, FROM_V, FROM_S, FROM_N, 1))
HANDLER(fast_vvv, fast(w, op, op->rows, FROM_V, FROM_V, FROM_V, 1))
HANDLER(fast_svv, fast(w, op, op->rows, FROM_S, FROM_V, FROM_V, 1))
HANDLER(fast_vsv, fast(w, op, op->rows, FROM_V, FROM_S, FROM_V, 1))
HANDLER(fast_vvs, fast(w, op, op->rows, FROM_V, FROM_V, FROM_S, 1))
HANDLER(fast_vss, fast(w, op, op->rows, FROM_V, FROM_S, FROM_S, 1))
HANDLER(fast_svs, fast(w, op, op->rows, FROM_S, FROM_V, FROM_S, 1))
HANDLER(cmp_vv, compare(w, op, op->rows, FROM_V, FROM_V))
HANDLER(cmp_sv, compare(w, op, op->rows, FROM_S, FROM_V))
HANDLER(cmp_vs, compare(w, op, op->rows, FROM_V, FROM_S))
HANDLER(carry_vv, carry(w, op, op->rows, FROM_V, FROM_V, op->mods &GCN_IN, op->mods &GCN_OUT))
HANDLER(carry_sv, carry(w, op, op->rows, FROM_S, FROM_V, op->mods &GCN_IN, op->mods &GCN_OUT))
HANDLER(carry_vs, carry(w, op, op->rows, FROM_V, FROM_S, op->mods &GCN_IN, op->mods &GCN_OUT))

/* ---- Hot rows: the most frequent instructions, each with handlers of its own that contain the row function ---- */

#define HOT_UNARY(X) X(v_mov_b32) X(v_not_b32) X(v_cvt_f32_u32) X(v_cvt_f32_i32) X(v_cvt_u32_f32)
/* clang-format off */
#define HOT_BINARY(X) \
    X(v_lshlrev_b32) X(v_lshrrev_b32) X(v_ashrrev_i32) X(v_and_b32) X(v_or_b32) X(v_xor_b32) X(v_mul_lo_u32) \
        X(v_mul_lo_i32) \
    X(v_mul_hi_u32) X(v_add_f32) X(v_sub_f32) X(v_mul_f32) X(v_min_u32) X(v_max_u32) X(v_min_i32) X(v_max_i32) \
        X(v_mul_u32_u24)
#define HOT_TERNARY(X) X(v_mac_f32) X(v_mad_f32) X(v_fma_f32) X(v_mad_u32_u24) X(v_mad_i32_i24) X(v_bfe_u32) \
        X(v_alignbit_b32)
#define HOT_SUM(X) X(v_add_i32) X(v_sub_i32) X(v_subrev_i32)
#define HOT_CARRY(X) X(v_addc_u32) X(v_subb_u32)
#define HOT_SELECT(X) X(v_cndmask_b32)
#define HOT_COMPARE(X) \
    X(v_cmp_lt_i32) X(v_cmp_eq_i32) X(v_cmp_le_i32) X(v_cmp_gt_i32) X(v_cmp_ne_i32) X(v_cmp_ge_i32) X(v_cmp_lt_u32) \
    X(v_cmp_eq_u32) X(v_cmp_le_u32) X(v_cmp_gt_u32) X(v_cmp_ne_u32) X(v_cmp_ge_u32) X(v_cmp_lt_f32) X(v_cmp_gt_f32) \
        X(v_cmp_eq_f32)
#define HOT_WIDE_SHIFT(X) X(v_lshl_b64) X(v_lshr_b64) X(v_ashr_i64) X(v_ldexp_f64)
#define HOT_DOUBLE(X) X(v_add_f64) X(v_mul_f64)
#define HOT_DOUBLE3(X) X(v_fma_f64)

#define HOT_HANDLER(row, how, ...) \
    static __attribute__((flatten)) const struct gcn_op *row##_##how(struct gpudbg_wave *w, const struct gcn_op *op) \
    { \
        return __VA_ARGS__; \
    }
#define FAST_V(x) HOT_HANDLER(x, v, fast(w, op, row_##x, FROM_V, FROM_N, FROM_N, 1))
#define FAST_S(x) HOT_HANDLER(x, s, fast(w, op, row_##x, FROM_S, FROM_N, FROM_N, 1))
#define FAST_VV(x) HOT_HANDLER(x, vv, fast(w, op, row_##x, FROM_V, FROM_V, FROM_N, 1))
#define FAST_SV(x) HOT_HANDLER(x, sv, fast(w, op, row_##x, FROM_S, FROM_V, FROM_N, 1))
#define FAST_VS(x) HOT_HANDLER(x, vs, fast(w, op, row_##x, FROM_V, FROM_S, FROM_N, 1))
#define FAST_VVV(x) HOT_HANDLER(x, vvv, fast(w, op, row_##x, FROM_V, FROM_V, FROM_V, 1))
#define FAST_SVV(x) HOT_HANDLER(x, svv, fast(w, op, row_##x, FROM_S, FROM_V, FROM_V, 1))
#define FAST_VSV(x) HOT_HANDLER(x, vsv, fast(w, op, row_##x, FROM_V, FROM_S, FROM_V, 1))
#define FAST_WA(x) HOT_HANDLER(x, wa, fast(w, op, row_##x, FROM_W, FROM_A, FROM_N, 2))
#define FAST_WW(x) HOT_HANDLER(x, ww, fast(w, op, row_##x, FROM_W, FROM_W, FROM_N, 2))
#define FAST_WWW(x) HOT_HANDLER(x, www, fast(w, op, row_##x, FROM_W, FROM_W, FROM_W, 2))
#define SUM_VV(x) HOT_HANDLER(x, vv, carry(w, op, row_##x, FROM_V, FROM_V, false, true))
#define SUM_SV(x) HOT_HANDLER(x, sv, carry(w, op, row_##x, FROM_S, FROM_V, false, true))
#define CARRY_VV(x) HOT_HANDLER(x, vv, carry(w, op, row_##x, FROM_V, FROM_V, true, true))
#define CARRY_SV(x) HOT_HANDLER(x, sv, carry(w, op, row_##x, FROM_S, FROM_V, true, true))
#define SELECT_VV(x) HOT_HANDLER(x, vv, carry(w, op, row_##x, FROM_V, FROM_V, true, false))
#define SELECT_SV(x) HOT_HANDLER(x, sv, carry(w, op, row_##x, FROM_S, FROM_V, true, false))
#define CMP_VV(x) HOT_HANDLER(x, vv, compare(w, op, row_##x, FROM_V, FROM_V))
#define CMP_SV(x) HOT_HANDLER(x, sv, compare(w, op, row_##x, FROM_S, FROM_V))
#define CMP_VS(x) HOT_HANDLER(x, vs, compare(w, op, row_##x, FROM_V, FROM_S))
/* clang-format on */

HOT_UNARY(FAST_V)
HOT_UNARY(FAST_S)
HOT_BINARY(FAST_VV)
HOT_BINARY(FAST_SV)
HOT_BINARY(FAST_VS)
HOT_TERNARY(FAST_VVV)
HOT_TERNARY(FAST_SVV)
HOT_TERNARY(FAST_VSV)
HOT_SUM(SUM_VV)
HOT_SUM(SUM_SV)
HOT_CARRY(CARRY_VV)
HOT_CARRY(CARRY_SV)
HOT_SELECT(SELECT_VV)
HOT_SELECT(SELECT_SV)
HOT_COMPARE(CMP_VV)
HOT_COMPARE(CMP_SV)
HOT_COMPARE(CMP_VS)
HOT_WIDE_SHIFT(FAST_WA)
HOT_DOUBLE(FAST_WW)
HOT_DOUBLE3(FAST_WWW)

#define UNARY_TABLE(x) static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_FAST_V] = x##_v, [GCN_FAST_S] = x##_s};
/* clang-format off */
#define BINARY_TABLE(x) \
    static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_FAST_VV] = x##_vv, [GCN_FAST_SV] = x##_sv, \
        [GCN_FAST_VS] = x##_vs};
#define TERNARY_TABLE(x) \
    static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_FAST_VVV] = x##_vvv, [GCN_FAST_SVV] = x##_svv, \
        [GCN_FAST_VSV] = x##_vsv};
#define CARRY_TABLE(x) static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_CARRY_VV] = x##_vv, [GCN_CARRY_SV] = x##_sv};
#define COMPARE_TABLE(x) \
    static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_CMP_VV] = x##_vv, [GCN_CMP_SV] = x##_sv, \
        [GCN_CMP_VS] = x##_vs};
#define WA_TABLE(x) static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_FAST_WA] = x##_wa};
#define WW_TABLE(x) static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_FAST_WW] = x##_ww};
#define WWW_TABLE(x) static gcn_fn *const hot_##x[GCN_FASTS] = {[GCN_FAST_WWW] = x##_www};
/* clang-format on */

HOT_UNARY(UNARY_TABLE)
HOT_BINARY(BINARY_TABLE)
HOT_TERNARY(TERNARY_TABLE)
HOT_SUM(CARRY_TABLE)
HOT_CARRY(CARRY_TABLE)
HOT_SELECT(CARRY_TABLE)
HOT_COMPARE(COMPARE_TABLE)
HOT_WIDE_SHIFT(WA_TABLE)
HOT_DOUBLE(WW_TABLE)
HOT_DOUBLE3(WWW_TABLE)

/* ---- The table ---- */

#undef LANES
#undef U32
#undef I32
#undef F32
#undef F32Z
#undef ARITH
#undef ARITHZ
#undef F32K
#undef F32N
#undef F64
#undef F64K
#undef CMP
#undef CMP2
#undef CALL
#undef NONE
#undef HALF
#undef HALF_OF
#undef PACKED
#undef MIX
#undef DOT
#define LANES(td, ...) ENTRY, td
#define U32(...) ENTRY, i32
#define I32(...) ENTRY, i32
#define F32(...) ENTRY, f32
#define F32Z(...) ENTRY, f32z
#define ARITH(...) ENTRY, f32
#define ARITHZ(...) ENTRY, f32z
#define F32K(...) ENTRY, f32k
#define F32N(...) ENTRY, f32n
#define F64(...) ENTRY, f64
#define F64K(...) ENTRY, f64k
#define CMP(...) ENTRY, i32
#define CMP2(...) ENTRY, i32
#define CALL(fn) NO_ENTRY, fn
#define NONE NO_ENTRY, 0
#define HALF(...) NO_ENTRY, 0
#define HALF_OF(...) NO_ENTRY, 0
#define PACKED(...) NO_ENTRY, 0
#define MIX(...) NO_ENTRY, 0
#define DOT(...) NO_ENTRY, 0
#define ENTRY(name, td) [GCN_##name] = {row_##name, FIXED_##td},
#define NO_ENTRY(name, none)

#define NAME_(level) gcn_level_##level
#define NAME(level) NAME_(level)

const struct gcn_level NAME(SIMD) = {
    .vector = vector,
    .fast =
        {
            [GCN_FAST_V] = fast_v,
            [GCN_FAST_S] = fast_s,
            [GCN_FAST_VV] = fast_vv,
            [GCN_FAST_SV] = fast_sv,
            [GCN_FAST_VS] = fast_vs,
            [GCN_FAST_VVV] = fast_vvv,
            [GCN_FAST_SVV] = fast_svv,
            [GCN_FAST_VSV] = fast_vsv,
            [GCN_FAST_VVS] = fast_vvs,
            [GCN_FAST_VSS] = fast_vss,
            [GCN_FAST_SVS] = fast_svs,
            [GCN_CMP_VV] = cmp_vv,
            [GCN_CMP_SV] = cmp_sv,
            [GCN_CMP_VS] = cmp_vs,
            [GCN_CARRY_VV] = carry_vv,
            [GCN_CARRY_SV] = carry_sv,
            [GCN_CARRY_VS] = carry_vs,
        },
#define HOT(x) [GCN_##x] = hot_##x,
    .hot = {HOT_UNARY(HOT) HOT_BINARY(HOT) HOT_TERNARY(HOT) HOT_SUM(HOT) HOT_CARRY(HOT) HOT_SELECT(HOT) HOT_COMPARE(HOT)
            HOT_WIDE_SHIFT(HOT) HOT_DOUBLE(HOT) HOT_DOUBLE3(HOT)},
    .row =
        {
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"
        },
};
