/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_packed.c: row functions on halves of dwords: HALF, PACKED, MIX and DOT of ops.def.
 *
 * Halves become doubles or whole numbers, the row's body makes D of S0 to S2, D is rounded (once) or cut to 16 bits.
 * gcn_parts.c chooses the halves, and writes the results.  Sources: AMD's Vega manual, "Packed math" and V_MAD_MIX; an
 * open emulator (shadPS4), whose author ran V_MAD_MIX_F32 on the later console's chip (pull request 4338).
 */
#include "alu/gcn_packed.h"
#include "alu/gcn_lanes_simd.h"
#include "alu/vector.h"
#include "code/bits.h"
#include "gcn_ops.h"

/* ---- Halves ---- */

static double half_value(uint32_t half, uint32_t mode)
{
    return (double)lanes_f32(lanes_f32_from_f16(half & 0xffff, mode & GCN_DENORM_IN_F64));
}

/* Rounded down, a sum that is 0 is -0, unless both are +0. */
static double half_zero(double sum, double a, double b, uint32_t mode)
{
    const bool down = GET(mode, MODE, round_f64) == LANES_DOWN, both = lanes_bits64(a) == 0 && lanes_bits64(b) == 0;
    return sum == 0 && down && !both ? -0.0 : sum;
}

static double half_add(double a, double b, uint32_t mode) { return half_zero(a + b, a, b, mode); }

/* A sum that is rounded to odd, so that rounding it to a half gives the rounded exact sum: a is a product of halves. */
static double half_sum(double a, double b, uint32_t mode)
{
    const double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    uint64_t bits = lanes_bits64(sum);
    if (!(error == error) || error == 0 || bits & 1) return half_zero(sum, a, b, mode);
    return lanes_f64((error > 0) == (sum > 0) ? bits | 1 : bits - 1);
}

static bool half_is_nan(uint32_t half) { return (half & 0x7fff) > 0x7c00; }

static uint32_t half_flush(uint32_t half, bool keep) { return half & 0x7c00 || keep ? half : half & 0x8000; }

/* The smaller or the greater of two halves, as lanes_min32; a NaN stays as it is. */
static uint32_t half_chosen(uint32_t a, uint32_t b, bool most, bool ieee)
{
    const int32_t x = a & 0x8000 ? -(int32_t)(a & 0x7fff) - 1 : (int32_t)a,
                  y = b & 0x8000 ? -(int32_t)(b & 0x7fff) - 1 : (int32_t)b;
    if (ieee && half_is_nan(a) && !(a & 0x200)) return a;
    if (ieee && half_is_nan(b) && !(b & 0x200)) return b;
    if (half_is_nan(a)) return b;
    if (half_is_nan(b)) return a;
    return (x < y) != most ? a : b;
}

static uint32_t half_chosen_of(uint32_t a, uint32_t b, uint32_t c, bool most, uint32_t mode)
{
    const bool keep = mode & GCN_DENORM_IN_F64, ieee = mode & GCN_IEEE;
    const uint32_t first = half_chosen(half_flush(a, keep), half_flush(b, keep), most, ieee),
                   r = half_chosen(first, half_flush(c, keep), most, ieee);
    const uint32_t from[3] = {a, b, c};
    for (unsigned i = 0; i < 3 && half_is_nan(r); i++)
        if (half_is_nan(from[i])) return from[i] | 0x200;
    return half_flush(r, mode & GCN_DENORM_OUT_F64);
}

/* The smaller and the greater of two, of three, the middle one, as gcn_med3. */
static uint32_t half_min(uint32_t a, uint32_t b, uint32_t mode) { return half_chosen_of(a, b, b, false, mode); }
static uint32_t half_max(uint32_t a, uint32_t b, uint32_t mode) { return half_chosen_of(a, b, b, true, mode); }
static uint32_t half_middle(uint32_t a, uint32_t b, uint32_t c, uint32_t mode)
{
    if (half_is_nan(a) || half_is_nan(b) || half_is_nan(c)) return half_chosen_of(a, b, c, false, mode);
    const uint32_t hi = half_max(a, b, mode), lo = half_min(a, b, mode);
    return half_max(lo, half_min(hi, c, mode), mode);
}

/* A double that is exact, or rounded to odd, as a half; a NaN result is the first NaN of the sources, made quiet. */
static uint32_t round_half(double d, const uint32_t from[3], uint32_t mode)
{
    const float f = (float)d;
    uint32_t bits = lanes_bits32(f);
    if (d != d) {
        for (unsigned i = 0; i < 3; i++)
            if (half_is_nan(from[i])) return from[i] | 0x200;
        return GCN_NAN16;
    }
    if ((double)f != d) bits = (bits - (d > 0 ? (double)f > d : (double)f < d)) | 1;
    return lanes_f16_from_f32(bits, (enum lanes_round)GET(mode, MODE, round_f64), mode & GCN_DENORM_OUT_F64);
}

/* A half as itself: denormals as the mode says, a NaN made quiet. */
static uint32_t canonical(uint32_t half, uint32_t mode)
{
    return round_half(half_value(half, mode), (const uint32_t[]){half, 0, 0}, mode);
}

/* S0 quotient, S1 denominator, S2 numerator. */
static uint32_t half_div_fixup(uint32_t s0, uint32_t s1, uint32_t s2)
{
    const uint32_t sign = (s1 ^ s2) & 0x8000, a1 = s1 & 0x7fff, a2 = s2 & 0x7fff, infinity = 0x7c00;
    if (half_is_nan(s2)) return s2 | 0x200;
    if (half_is_nan(s1)) return s1 | 0x200;
    if ((a1 == 0 && a2 == 0) || (a1 == infinity && a2 == infinity)) return 0xfe00;
    if (a1 == 0 || a2 == infinity) return sign | infinity;
    if (a1 == infinity || a2 == 0) return sign;
    return sign | (s0 & 0x7fff);
}

/* 0.5 <= mantissa < 1; of infinities and NaNs none. */
static double half_mantissa(double x) { return x - x == 0 && x != 0 ? lanes_significand64(x) : x; }

static int64_t half_exponent(double x) { return x - x == 0 && x != 0 ? lanes_exponent64(x) : 0; }

/* A half as a part of `range`, rounded as the mode says; NaN is 0. */
static int64_t half_norm(double x, double least, double range, uint32_t mode)
{
    const double scaled = (x != x ? 0 : x < least ? least : x > 1 ? 1 : x) * range;
    const uint64_t fixed = (uint64_t)((scaled < 0 ? -scaled : scaled) * 0x1p32);
    const int64_t n = (int64_t)lanes_round_shift(fixed, 32, scaled < 0, (enum lanes_round)GET(mode, MODE, round_f64));
    return scaled < 0 ? -n : n;
}

/* x * 2^n: as a half it is the same beyond these. */
static double half_ldexp(double x, int64_t n)
{
    return lanes_ldexp64(x, (int32_t)(n < -200 ? -200 : n > 200 ? 200 : n));
}

static double half_fract(double x, uint32_t mode)
{
    const double r = half_add(x, -lanes_floor64(x), mode);
    return r > 0x1.ffcp-1 ? 0x1.ffcp-1 : r;
}

/* Towards 0; NaN: 0. */
static int64_t whole_of(double x, int32_t least, int32_t most)
{
    return x != x ? 0 : x < least ? least : x > most ? most : (int64_t)x;
}

/* ---- Types of sources and results ----
 *
 *     F half, rounded once    B the bits of a half, as they are    U I 16 bits    W V 32 bits    S float
 *     Of results, U and W are clamped as unsigned numbers, I and V as signed ones.
 */

typedef double C_F;
typedef float C_S;
typedef int64_t C_U, C_I, C_W, C_V;
typedef uint32_t C_B;
#define GET_F(p) half_value(p, mode)
#define GET_B(p) ((p)&0xffff)
#define GET_U(p) ((p)&0xffff)
#define GET_I(p) ((int16_t)(p))
#define GET_W(p) (p)
#define GET_V(p) ((int32_t)(p))
#define GET_S(p) lanes_f32(lanes_flush32(p, KEEP_IN32))
#define NAN_F(p) ((p)&0xffff)
#define NAN_B(p) 0
#define NAN_U(p) 0
#define NAN_I(p) 0
#define NAN_W(p) 0
#define NAN_V(p) 0
#define NAN_S(p) 0

static int64_t whole(int64_t value, int64_t least, int64_t most, bool clamp)
{
    return !clamp ? value : value < least ? least : value > most ? most : value;
}

#define PUT_F(D) round_half(D, (const uint32_t[]){n0, n1, n2}, mode)
#define PUT_B(D) ((D)&0xffff)
#define PUT_U(D) ((uint32_t)whole(D, 0, UINT16_MAX, x->clamp) & 0xffff)
#define PUT_I(D) ((uint32_t)whole(D, INT16_MIN, INT16_MAX, x->clamp) & 0xffff)
#define PUT_W(D) (uint32_t) whole(D, 0, UINT32_MAX, x->clamp)
#define PUT_V(D) (uint32_t) whole(D, INT32_MIN, INT32_MAX, x->clamp)
#define PUT_S(D) named32(D, x, l)

/* A float result: a NaN is the first of the sources. */
static uint32_t named32(float f, const struct gcn_lanes *x, int l)
{
    const uint32_t bits = lanes_flush32(lanes_bits32(f), x->mode & GCN_DENORM_OUT_F32);
    return lanes_isnan32(bits) ? gcn_nan32(x->a[l], x->b[l], x->c[l]) : bits;
}

/* ---- Products and sums of floats, of which a source may have been a half ---- */

/* Each rounded, denormals flushed, as v_mad_f32. */
static float mix_mad(float a, float b, float c)
{
    const float s0 = lanes_f32(lanes_flush32(lanes_bits32(a), false)),
                s1 = lanes_f32(lanes_flush32(lanes_bits32(b), false)),
                s2 = lanes_f32(lanes_flush32(lanes_bits32(c), false)),
                product = lanes_f32(lanes_flush32(lanes_bits32(s0 * s1), false));
    return lanes_f32(lanes_flush32(lanes_bits32(product + s2), false));
}

/* Two products of halves and a float.  No source says in which order they are summed, or where that is rounded: the
 * result is known where that makes no difference. */
static float dot2(uint32_t a, uint32_t b, float c, uint32_t mode, bool *known)
{
    float x[2], y[2];
    for (unsigned i = 0; i < 2; i++) {
        x[i] = (float)half_value(a >> (16 * i), mode);
        y[i] = (float)half_value(b >> (16 * i), mode);
    }
    const float low = gcn_fma32(x[1], y[1], gcn_fma32(x[0], y[0], c, true), true),
                high = gcn_fma32(x[0], y[0], gcn_fma32(x[1], y[1], c, true), true),
                products = (x[0] * y[0] + x[1] * y[1]) + c;
    *known = (low == high && low == products) || (low != low && high != high && products != products);
    return low;
}

/* The sum of the products of n numbers of `bits` bits. */
static int64_t dot(uint32_t a, uint32_t b, unsigned bits, bool sign)
{
    int64_t sum = 0;
    for (unsigned at = 0; at < 32; at += bits) {
        const uint32_t up = 32 - at - bits;
        const int64_t s = (int64_t)((int32_t)(a << up) >> (32 - bits)) * ((int32_t)(b << up) >> (32 - bits));
        sum += sign ? s : (int64_t)((uint64_t)(a << up >> (32 - bits)) * (b << up >> (32 - bits)));
    }
    return sum;
}

/* ---- Bytes ---- */

/* Byte `select` of the pair that a is the upper half of: 8 to 11: a sign, of bits 15, 31, 47, 63; 12: 0; others 255. */
static uint32_t permuted_byte(uint64_t pair, uint32_t select)
{
    if (select < 8) return (uint32_t)(pair >> (8 * select)) & 255;
    if (select < 12) return pair >> (16 * (select - 8) + 15) & 1 ? 255 : 0;
    return select == 12 ? 0 : 255;
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selects)
{
    const uint64_t pair = (uint64_t)a << 32 | b;
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i += 8) r |= permuted_byte(pair, selects >> i & 255) << i;
    return r;
}

static uint32_t clamped_byte(int32_t x) { return x < 0 ? 0 : x > 255 ? 255 : (uint32_t)x; }

/* ---- Rows ---- */

#define IEEE (mode & GCN_IEEE)
#define ROUND16 ((enum lanes_round)GET(mode, MODE, round_f64))
#define NEAREST !(mode & GCN_ROUND_F32)
#define KEEP_IN16 (mode & GCN_DENORM_IN_F64)
#define KEEP_IN32 (mode & GCN_DENORM_IN_F32)
#define KEEP_OUT16 (mode & GCN_DENORM_OUT_F64)
/* clang-format off */
#define BODY(name, td, t0, t1, t2, ...) \
    static void half_##name(struct gcn_lanes *x) \
    { \
        const uint32_t mode = x->mode; \
        for (int l = 0; l < 64; l++) { \
            const uint32_t n0 = NAN_##t0(x->a[l]), n1 = NAN_##t1(x->b[l]), n2 = NAN_##t2(x->c[l]); \
            const C_##t0 S0 = GET_##t0(x->a[l]); \
            const C_##t1 S1 = GET_##t1(x->b[l]); \
            const C_##t2 S2 = GET_##t2(x->c[l]); \
            C_##td D; \
            bool known = true; \
            (void)S0, (void)S1, (void)S2, (void)n0, (void)n1, (void)n2, (void)mode; \
            __VA_ARGS__; \
            x->d[l] = PUT_##td(D); \
            x->unknown |= (uint64_t)!known << l; \
        } \
    }
/* clang-format on */
#define SKIP(name, none)

#define LANES(...) SKIP, 0
#define U32(...) SKIP, 0
#define I32(...) SKIP, 0
#define F32(...) SKIP, 0
#define F32Z(...) SKIP, 0
#define ARITH(...) SKIP, 0
#define ARITHZ(...) SKIP, 0
#define F32K(...) SKIP, 0
#define F32N(...) SKIP, 0
#define F64(...) SKIP, 0
#define F64K(...) SKIP, 0
#define CMP(...) SKIP, 0
#define CMP2(...) SKIP, 0
#define CALL(fn) SKIP, 0
#define NONE SKIP, 0
#define HALF(t, ...) BODY, t, t, t, t, __VA_ARGS__
#define HALF_OF(td, t0, t1, t2, ...) BODY, td, t0, t1, t2, __VA_ARGS__
#define PACKED(t, ...) BODY, t, t, t, t, __VA_ARGS__
#define MIX(part, ...) BODY, S, S, S, S, __VA_ARGS__
#define DOT(td, t2, ...) BODY, td, W, W, t2, __VA_ARGS__
#define DEFINE(name, ...) DEFINE_(name, __VA_ARGS__)
#define DEFINE_(name, make, ...) make(name, __VA_ARGS__)
#define GCN_VECTOR_ROWS
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"

#undef HALF
#undef HALF_OF
#undef PACKED
#undef MIX
#undef DOT
#define IS_FLOAT_F 1
#define IS_FLOAT_B 1
#define IS_FLOAT_U 0
#define IS_FLOAT_I 0
#define IS_FLOAT_W 0
#define IS_FLOAT_V 0
#define IS_FLOAT_S 0
#define RESULT_F GCN_HALF_FLOAT
#define RESULT_B GCN_HALF_FLOAT
#define RESULT_U GCN_HALF_WHOLE
#define RESULT_I GCN_HALF_WHOLE
#define RESULT_W GCN_DWORD_WHOLE
#define RESULT_V GCN_DWORD_WHOLE
#define RESULT_S GCN_DWORD_FLOAT
#define ENTRY(name, shape, td, t0, t1, t2) \
    [GCN_##name] = {half_##name, shape, IS_FLOAT_##t0 | IS_FLOAT_##t1 << 1 | IS_FLOAT_##t2 << 2, RESULT_##td},
#define HALF(t, ...) ENTRY, GCN_ONE_HALF, t, t, t, t
#define HALF_OF(td, t0, t1, t2, ...) ENTRY, GCN_ONE_HALF, td, t0, t1, t2
#define PACKED(t, ...) ENTRY, GCN_BOTH_HALVES, t, t, t, t
#define MIX(part, ...) ENTRY, GCN_MIXED##part, S, S, S, S
#define DOT(td, t2, ...) ENTRY, GCN_DOTS, td, W, W, t2

static const struct gcn_half_row rows[GCN_OPS] = {
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"
};

const struct gcn_half_row *gcn_half_row(const struct gpudbg_op *op) { return rows[op->id].rows ? &rows[op->id] : NULL; }

/* ---- Whole dwords, clamped ---- */

/* X(row, type of the result, of the sources, the exact result). */
#define CLAMPED(X)                                                       \
    X(v_add_nc_u32, W, W, W, W, S0 + S1)                                 \
    X(v_sub_nc_u32, W, W, W, W, S0 - S1)                                 \
    X(v_subrev_nc_u32, W, W, W, W, S1 - S0)                              \
    X(v_add_nc_i32, V, V, V, V, S0 + S1)                                 \
    X(v_sub_nc_i32, V, V, V, V, S0 - S1)                                 \
    X(v_mad_u32_u24, W, W, W, W, (S0 & 0xffffff) * (S1 & 0xffffff) + S2) \
    X(v_mad_i32_i24, V, V, V, V, (int64_t)gcn_i24((uint32_t)S0) * gcn_i24((uint32_t)S1) + S2)
#define CLAMPED_ROW(name, td, t0, t1, t2, value) BODY(clamped_##name, td, t0, t1, t2, D = (value))
CLAMPED(CLAMPED_ROW)

gcn_rows *gcn_clamped_row(const struct gpudbg_op *op)
{
    switch (op->id) {
#define CLAMPED_CASE(name, td, t0, t1, t2, value) \
    case GCN_##name: return half_clamped_##name;
        CLAMPED(CLAMPED_CASE)
    }
    return NULL;
}
