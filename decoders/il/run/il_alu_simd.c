/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_alu_simd.c: see il_alu.h and ops.def.  Compiled once for each vector width (SIMD=1, 3, 4); each exports one struct
 * il_level.
 */
#include "run/il_alu.h"

#include <math.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "il.h"
#include "gpudbg/lanes.h"

#ifndef SIMD
#define SIMD 1
#endif

#define ONE_F 0x3f800000u
#define MOST_F 0x7f7fffffu
#define MOST_D 0x7fefffffffffffffu
#define TWO_PI 6.283185307179586

/* ---- Single floats, on bits ---- */

static inline uint32_t flush(uint32_t a) { return lanes_flush32(a, false); }

static inline float number(uint32_t a) { return lanes_f32(flush(a)); }

static inline uint32_t yes(bool c) { return 0 - (uint32_t)c; }

static inline uint32_t result(float r, uint32_t a, uint32_t b, uint32_t c) { return il_result(r, a, b, c); }

static inline uint32_t add(uint32_t a, uint32_t b) { return il_float_add(a, b); }

static inline uint32_t sub(uint32_t a, uint32_t b) { return result(number(a) - number(b), a, b, 0); }

static inline uint32_t mul(uint32_t a, uint32_t b) { return il_mul(a, b, false); }

static inline uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    return result(fmaf(number(a), number(b), number(c)), a, b, c);
}

static inline uint32_t compare_value(unsigned cmpval)
{
    static const uint32_t values[8] = {0, 0x3f000000, 0x3f800000, 0xbf000000, 0xbf800000};
    return values[cmpval & 7];
}

static inline uint32_t minimum(uint32_t a, uint32_t b, bool ieee)
{
    (void)ieee; /* both rules agree once denormals are flushed and a NaN loses */
    return result(lanes_min32(number(a), number(b), false), a, b, 0);
}

static inline uint32_t maximum(uint32_t a, uint32_t b, bool ieee)
{
    (void)ieee;
    return result(lanes_max32(number(a), number(b), false), a, b, 0);
}

static inline uint32_t median(uint32_t a, uint32_t b, uint32_t c)
{
    return maximum(minimum(a, b, true), minimum(maximum(a, b, true), c, true), true);
}

static inline uint32_t clamp(uint32_t a, uint32_t lo, uint32_t hi)
{
    uint32_t v = flush(a);
    v = lanes_f32(v) < number(lo) ? flush(lo) : v;
    return lanes_f32(v) > number(hi) ? flush(hi) : v;
}

static inline float nearest_even(float x)
{
    const float a = fabsf(x), r = a < 0x1p23f ? (a + 0x1p23f) - 0x1p23f : a;
    return copysignf(r, x);
}

static inline uint32_t rounded(float (*round)(float), uint32_t a) { return result(round(number(a)), a, 0, 0); }

/* Below 1 even where a tiny negative number rounds to it. */
static inline uint32_t fraction(uint32_t a)
{
    const uint32_t r = result(number(a) - lanes_floor32(number(a)), a, 0, 0);
    return r == ONE_F ? ONE_F - 1 : r;
}

static inline uint32_t sign_of(uint32_t a)
{
    const float x = number(a);
    return x < 0 ? ONE_F | LANES_SIGN32 : x == 0 ? 0 : ONE_F;
}

static inline uint32_t scaled(uint32_t a, int32_t n) { return result(lanes_ldexp32(number(a), n), a, 0, 0); }

static inline uint32_t mantissa(uint32_t a) { return result((float)lanes_significand64((double)number(a)), a, 0, 0); }

/* ---- What a zero divisor gives ---- */

static inline uint32_t zero_value(const struct il_alu *a, bool negative)
{
    static const uint32_t values[3] = {MOST_F, 0, LANES_INF32};
    const unsigned op = a->control >> 16 & 3;
    const uint32_t v = op < 3 ? values[op] : a->choice[IL_CHOICE_INFELSE] ? MOST_F : LANES_INF32;
    return negative ? v | LANES_SIGN32 : v;
}

static inline uint32_t reciprocal(const struct il_alu *a, uint32_t x)
{
    return flush(x) << 1 ? il_div(ONE_F, x) : zero_value(a, false);
}

/* ---- Functions ---- */

static inline uint32_t function(double (*f)(double), uint32_t a)
{
    return result((float)f((double)number(a)), a, 0, 0);
}

static inline uint32_t root(uint32_t a) { return result(sqrtf(number(a)), a, 0, 0); }

static inline uint32_t inverse_root(uint32_t a) { return result((float)(1.0 / sqrt((double)number(a))), a, 0, 0); }

/* Sine of x radians plus `quarters` quarter turns. */
static uint32_t radians(uint32_t a, int32_t quarters)
{
    const float x = number(a);
    double t = (double)x * (1 / TWO_PI);
    if (!(fabs(t) < 0x1p50)) return x - x == 0 ? (quarters ? ONE_F : 0) : result(x - x, a, 0, 0);
    t -= lanes_rint(t);
    const double i = lanes_rint(t * 4), r = t - i * 0.25;
    const int32_t q = (int32_t)i + quarters;
    const double v = q & 1 ? lanes_cos_eighth(r) : lanes_sin_eighth(r);
    return flush(lanes_bits32((float)(q & 2 ? 0 - v : v)));
}

static uint32_t logarithm(const struct il_alu *a, uint32_t x, bool natural)
{
    if (!(flush(x) << 1)) {
        const uint32_t v = zero_value(a, false);
        return v ? v | LANES_SIGN32 : 0;
    }
    return natural ? function(log, x) : result(lanes_log2(number(x)), x, 0, 0);
}

/* 2 to the b log2(a), which is 0 times infinity where a and b are 0. */
static uint32_t power(uint32_t a, uint32_t b)
{
    const float x = number(a), y = number(b);
    if (x < 0 || (x == 0 && y == 0) || (y == 0 && x == INFINITY) || (x == 1 && fabsf(y) == INFINITY) || x != x ||
        y != y)
        return lanes_nan32(a, b, 0);
    return flush(lanes_bits32((float)pow((double)fabsf(x), (double)y)));
}

static uint32_t pireduce(uint32_t a)
{
    const double t = (double)number(a) / TWO_PI + 0.5;
    return result((float)((t - floor(t)) * TWO_PI - TWO_PI / 2), a, 0, 0);
}

/* ---- Vectors ---- */

/* Sum of the first n products of sources 0 and 1, from x on, each step rounded; or of their differences' squares. */
static inline uint32_t dot(const struct il_alu *a, unsigned l, unsigned n, bool ieee, bool differences)
{
    uint32_t sum = 0;
    for (unsigned c = 0; c < n; c++) {
        const uint32_t x = differences ? sub(a->s[0][c][l], a->s[1][c][l]) : a->s[0][c][l];
        const uint32_t product = il_mul(x, differences ? x : a->s[1][c][l], ieee);
        sum = c ? add(sum, product) : product;
    }
    return sum;
}

static inline uint32_t dot_self(const struct il_alu *a, unsigned l, unsigned source, unsigned n)
{
    uint32_t sum = 0;
    for (unsigned c = 0; c < n; c++) {
        const uint32_t product = mul(a->s[source][c][l], a->s[source][c][l]);
        sum = c ? add(sum, product) : product;
    }
    return sum;
}

static uint32_t normalizer(const struct il_alu *a, unsigned l)
{
    const uint32_t sum = dot_self(a, l, 0, a->control >> 18 & 1 ? 4 : 3);
    return sum << 1 ? inverse_root(sum) : zero_value(a, false);
}

static void reflect(const struct il_alu *a, unsigned l, uint32_t *x, uint32_t *y, uint32_t *z, uint32_t *w)
{
    const uint32_t square = dot_self(a, l, 1, 4);
    const bool normalize = a->control >> 16 & 1, divide = a->choice[IL_CHOICE_REFLECT];
    uint32_t f = mul(0x40000000, dot(a, l, 4, false, false)), *to[4] = {x, y, z, w};
    if (normalize && divide) f = il_div(f, square);
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t v = normalize && !divide ? mul(square, a->s[0][c][l]) : a->s[0][c][l];
        *to[c] = sub(v, mul(f, a->s[1][c][l]));
    }
}

/* ---- Noise: gradients on a lattice of whole numbers, blended by a curve that is smooth at its ends ---- */

static uint32_t lattice_hash(const int64_t at[4], unsigned n)
{
    uint32_t h = 2166136261u;
    for (unsigned i = 0; i < n; i++) {
        h = (h ^ (uint32_t)at[i]) * 16777619u;
        h ^= h >> 15;
        h *= 0x2c1b3c6du;
    }
    return h ^ h >> 13;
}

static double corner(const int64_t cell[4], const double in[4], unsigned n, unsigned which)
{
    int64_t at[4];
    double sum = 0, weight = 1;
    for (unsigned i = 0; i < n; i++) {
        const unsigned up = which >> i & 1;
        const double t = in[i], fade = t * t * t * (t * (t * 6 - 15) + 10);
        at[i] = cell[i] + up;
        weight *= up ? fade : 1 - fade;
    }
    uint32_t h = lattice_hash(at, n);
    for (unsigned i = 0; i < n; i++, h = h * 1664525u + 1013904223u)
        sum += ((double)(h >> 8) / 8388607.5 - 1) * (in[i] - (which >> i & 1));
    return weight * sum / n;
}

static uint32_t noise(const struct il_alu *a, unsigned l, unsigned type)
{
    const unsigned n = type < 4 ? type + 1 : 4;
    int64_t cell[4];
    double in[4], sum = 0;
    for (unsigned i = 0; i < n; i++) {
        const double x = (double)number(a->s[0][i][l]), whole = floor(x);
        if (!(fabs(x) < 0x1p31)) return 0;
        cell[i] = (int64_t)whole;
        in[i] = x - whole;
    }
    for (unsigned which = 0; which < 1u << n; which++) sum += corner(cell, in, n, which);
    return flush(lanes_bits32((float)sum));
}

/* ---- Doubles, on bits ---- */

static inline uint64_t double_result(double r, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t bits = lanes_bits64(r);
    return lanes_isnan64(bits) ? lanes_nan64(a, b, c) : bits;
}

static inline uint64_t double_add(uint64_t a, uint64_t b)
{
    return double_result(lanes_f64(a) + lanes_f64(b), a, b, 0);
}

static inline uint64_t double_mul(uint64_t a, uint64_t b)
{
    return double_result(lanes_f64(a) * lanes_f64(b), a, b, 0);
}

static inline uint64_t double_fma(uint64_t a, uint64_t b, uint64_t c)
{
    return double_result(fma(lanes_f64(a), lanes_f64(b), lanes_f64(c)), a, b, c);
}

static inline uint64_t double_over(uint64_t a, uint64_t b)
{
    return double_result(lanes_f64(a) / lanes_f64(b), a, b, 0);
}

static uint64_t double_zero_value(const struct il_alu *a)
{
    static const uint64_t values[3] = {MOST_D, 0, LANES_INF64};
    const unsigned op = a->control >> 16 & 3;
    return op < 3 ? values[op] : a->choice[IL_CHOICE_INFELSE] ? MOST_D : LANES_INF64;
}

/* The manual gives ddiv no zeroop and calls it IEEE; a zeroop other than 0, which real kernels write, is heeded. */
static uint64_t double_div(const struct il_alu *a, uint64_t x, uint64_t y)
{
    if (y << 1 || !(a->control >> 16 & 3)) return double_over(x, y);
    return double_zero_value(a) | (lanes_f64(x) < 0 ? LANES_SIGN64 : 0);
}

static inline uint64_t double_choose(uint64_t a, uint64_t b, bool first)
{
    if (lanes_isnan64(a) || lanes_isnan64(b))
        return lanes_isnan64(a) && lanes_isnan64(b) ? lanes_nan64(a, b, 0) : lanes_isnan64(a) ? b : a;
    return first ? a : b;
}

static inline uint64_t double_fraction(uint64_t a)
{
    const double x = lanes_f64(lanes_flush64(a, false)), r = x - lanes_floor64(x);
    return r == 1 ? 0x3fefffffffffffffu : double_result(r + 0.0, a, 0, 0);
}

static inline uint64_t double_ldexp(uint64_t a, int32_t n)
{
    return lanes_flush64(double_result(lanes_ldexp64(lanes_f64(a), n), a, 0, 0), false);
}

static inline uint64_t double_root(uint64_t a) { return double_result(sqrt(lanes_f64(a)), a, 0, 0); }

static inline uint64_t double_inverse_root(uint64_t a) { return double_result(1 / sqrt(lanes_f64(a)), a, 0, 0); }

static inline uint64_t double_significand(uint64_t a)
{
    return double_result(lanes_significand64(lanes_f64(a)), a, 0, 0);
}

/* x 0, y the exponent, zw the mantissa; infinities and NaN: exponent -1 and a NaN. */
static void double_frexp(uint64_t a, uint32_t *x, uint32_t *y, uint32_t *z, uint32_t *w)
{
    const uint64_t d = lanes_flush64(a, false);
    uint64_t mantissa = lanes_bits64(lanes_significand64(lanes_f64(d)));
    *x = 0;
    *y = (uint32_t)lanes_exponent64(lanes_f64(d));
    if ((d & LANES_INF64) == LANES_INF64) {
        *y = UINT32_MAX;
        mantissa = lanes_isnan64(d) ? d | 1ull << 51 : LANES_SIGN64 | LANES_NAN64;
    }
    *z = (uint32_t)mantissa;
    *w = (uint32_t)(mantissa >> 32);
}

/* ---- Classes: one bit of ten, as the name promises: signalling, quiet; then from -infinity up, zeros apart ---- */

static uint32_t class_bit(bool nan, bool quiet, bool sign, bool infinite, bool zero, bool denormal)
{
    if (nan) return quiet ? 2 : 1;
    const unsigned size = infinite ? 0 : !zero && !denormal ? 1 : denormal ? 2 : 3;
    return 1u << (sign ? 2 + size : 9 - size);
}

static inline uint32_t class_of(uint32_t a)
{
    const uint32_t m = a & ~LANES_SIGN32;
    return class_bit(lanes_isnan32(a), a >> 22 & 1, a >> 31, m == LANES_INF32, !m, m && m < 0x800000);
}

static inline uint32_t double_class_of(uint64_t a)
{
    const uint64_t m = a & ~LANES_SIGN64;
    return class_bit(lanes_isnan64(a), a >> 51 & 1, a >> 63, m == LANES_INF64, !m, m && m < 1ull << 52);
}

/* ---- Integers ---- */

static inline int64_t signed24(uint32_t a) { return (int32_t)(a << 8) >> 8; }

static inline int32_t signed_field(uint32_t from, unsigned width, unsigned offset)
{
    if (!width) return 0;
    return width + offset < 32 ? (int32_t)(from << (32 - width - offset)) >> (32 - width) : (int32_t)from >> offset;
}

static inline uint32_t insert_field(uint32_t into, uint32_t field, unsigned width, unsigned offset)
{
    const uint32_t mask = ((1u << width) - 1) << offset;
    return (field << offset & mask) | (into & ~mask);
}

static inline uint32_t first_bit(unsigned type, uint32_t a)
{
    if (type == 2 && (int32_t)a < 0) a = ~a;
    return !a ? UINT32_MAX : type ? lanes_clz(a) : lanes_ctz(a);
}

static inline uint64_t signed_divide(uint64_t a, uint64_t b)
{
    return !b ? UINT64_MAX : b == UINT64_MAX ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b);
}

static inline uint64_t signed_remainder(uint64_t a, uint64_t b)
{
    return !b ? UINT64_MAX : b == UINT64_MAX ? 0 : (uint64_t)((int64_t)a % (int64_t)b);
}

static inline uint32_t differences(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        const int32_t d = (int32_t)(a >> i & 255) - (int32_t)(b >> i & 255);
        sum += (uint32_t)(d < 0 ? -d : d);
    }
    return sum;
}

static inline uint32_t byte_average(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i += 8) r |= ((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 << i;
    return r;
}

static inline uint32_t packed(uint32_t a) { return lanes_u32((double)number(a)) & 255; }

/* ---- The rows as functions ---- */

#define CONTROL a->control
#define IEEE (a->control >> 16 & 1)
#define CHOICE(name) a->choice[IL_CHOICE_##name]
#define A(i) a->s[0][i][l]
#define B(i) a->s[1][i][l]
#define C(i) a->s[2][i][l]

#define PAIR_OF(source) (a->s[source][0][l] | (uint64_t)a->s[source][1][l] << 32)

/* Lanes are independent, also where a row of the result is the same component of a source. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed" /* some rows do not widen */
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (unsigned l = 0; l < IL_LANES; l++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (unsigned l = 0; l < IL_LANES; l++)
#endif

/* A component is the macro, A(3); without parentheses A is the word of the component at hand. */
#define LOOP(...)                                                                                \
    uint32_t *const d0 = a->d[0], *const d1 = a->d[1], *const d2 = a->d[2], *const d3 = a->d[3]; \
    EACH_LANE { __VA_ARGS__ }
#define PAIRS                                                         \
    const uint64_t AA = PAIR_OF(0), BB = PAIR_OF(1), CC = PAIR_OF(2); \
    (void)AA, (void)BB, (void)CC;
#define HERE const struct il_alu here = *in, *const a = &here; /* which no store into a row can change */

#define FUNCTION_EACH(op, sources, res, value)                                                            \
    static uint64_t row_##op(const struct il_alu *a, uint32_t *d, const uint32_t *s0, const uint32_t *s1, \
        const uint32_t *s2, const uint32_t *s3)                                                           \
    {                                                                                                     \
        uint64_t keep = 0;                                                                                \
        (void)a, (void)s1, (void)s2, (void)s3;                                                            \
        EACH_LANE                                                                                         \
        {                                                                                                 \
            const uint32_t A = s0[l], B = s1[l], C = s2[l], E = s3[l];                                    \
            bool KEEP = false;                                                                            \
            (void)A, (void)B, (void)C, (void)E;                                                           \
            d[l] = value;                                                                                 \
            keep |= (uint64_t)KEEP << l;                                                                  \
        }                                                                                                 \
        return keep;                                                                                      \
    }
#define FUNCTION_EACH_OF(op, sources, res, shared, value)                               \
    static void op_##op(const struct il_alu *in)                                        \
    {                                                                                   \
        HERE EACH_LANE                                                                  \
        {                                                                               \
            const uint32_t SHARED = shared;                                             \
            for (unsigned c = 0; c < 4; c++) {                                          \
                const uint32_t A = a->s[0][c][l], B = a->s[1][c][l], C = a->s[2][c][l]; \
                (void)A, (void)B, (void)C;                                              \
                a->d[c][l] = value;                                                     \
            }                                                                           \
        }                                                                               \
    }
#define FUNCTION_ONE(op, sources, res, value) \
    static void op_##op(const struct il_alu *in) { HERE LOOP(d0[l] = d1[l] = d2[l] = d3[l] = value;) }
#define FUNCTION_BOOL(op, sources, res, value) \
    static void op_##op(const struct il_alu *in) { HERE LOOP(PAIRS d0[l] = d1[l] = d2[l] = d3[l] = value;) }
#define FUNCTION_PAIR(op, sources, res, value)                                                                       \
    static void op_##op(const struct il_alu *in)                                                                     \
    {                                                                                                                \
        HERE LOOP(PAIRS const uint64_t D = value; d0[l] = d2[l] = (uint32_t)D; d1[l] = d3[l] = (uint32_t)(D >> 32);) \
    }
#define FUNCTION_VEC(op, sources, res, writes, ...)                                                                   \
    static void op_##op(const struct il_alu *in)                                                                      \
    {                                                                                                                 \
        HERE LOOP(PAIRS uint32_t X = 0, Y = 0, Z = 0, W = 0; __VA_ARGS__ d0[l] = X; d1[l] = Y; d2[l] = Z; d3[l] = W;) \
    }
#define FUNCTION_DO(op, name)
#define FUNCTION_NONE(op, ...)

/* From OP(..., EACH(a, b, c)) to FUNCTION_EACH(id, a, b, c). */
#define APPLY(id, kind, ...) FUNCTION_##kind(id, __VA_ARGS__)
#define APPLY_BODY(...) APPLY(__VA_ARGS__)
#define OP(number, id, text, layout, dst, src, extra, class, who, flags, doc, source, body) APPLY_BODY(id, body)
#define EACH(...) EACH, __VA_ARGS__
#define EACH_OF(...) EACH_OF, __VA_ARGS__
#define ONE(...) ONE, __VA_ARGS__
#define PAIR(...) PAIR, __VA_ARGS__
#define BOOL(...) BOOL, __VA_ARGS__
#define VEC(...) VEC, __VA_ARGS__
#define DO(...) DO, __VA_ARGS__
#define NONE NONE,
#include "ops.def"

static const struct il_operation operations[IL_OP_LAST] = {
#define OP(number, id, text, layout, dst, src, extra, class, who, flags, doc, source, body) [id] = {body(id)},
#define BY_ROW(id) NULL, row_##id
#define WHOLE(id) op_##id, NULL
#define NEITHER(id) NULL, NULL
#define EACH(...) BY_ROW
#define EACH_OF(...) WHOLE
#define ONE(...) WHOLE
#define PAIR(...) WHOLE
#define BOOL(...) WHOLE
#define VEC(...) WHOLE
#define DO(name) NEITHER
#define NONE NEITHER
#include "ops.def"
};

/* ---- Rows and masks ---- */

static void fill(uint32_t *to, uint32_t value) { EACH_LANE to[l] = value; }

static void alter(uint32_t *to, const uint32_t *from, uint32_t keep, uint32_t flip, uint32_t add_)
{
    EACH_LANE to[l] = ((from[l] & keep) ^ flip) + add_;
}

static void choose(uint32_t *to, const uint32_t *from, uint64_t lanes)
{
#if defined(__AVX512F__)
    for (unsigned l = 0; l < IL_LANES; l += 16)
        _mm512_mask_storeu_epi32(to + l, (__mmask16)(lanes >> l), _mm512_loadu_si512((const void *)(from + l)));
#else
    uint32_t in[IL_LANES];
    const uint32_t half[2] = {(uint32_t)lanes, (uint32_t)(lanes >> 32)};
    for (unsigned h = 0; h < 2; h++)
        for (unsigned l = 0; l < 32; l++) in[32 * h + l] = 0u - (half[h] >> l & 1);
    for (unsigned l = 0; l < IL_LANES; l++) to[l] = (from[l] & in[l]) | (to[l] & ~in[l]);
#endif
}

static uint64_t nonzero(const uint32_t *row)
{
    uint64_t lanes = 0;
#if defined(__AVX512F__)
    for (unsigned l = 0; l < IL_LANES; l += 16) {
        const __m512i v = _mm512_loadu_si512((const void *)(row + l));
        lanes |= (uint64_t)_mm512_test_epi32_mask(v, v) << l;
    }
#elif defined(__AVX2__)
    for (unsigned l = 0; l < IL_LANES; l += 8) {
        const __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(row + l));
        const __m256i zero = _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
        lanes |= (uint64_t)(~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(zero)) & 0xff) << l;
    }
#elif defined(__SSE2__)
    for (unsigned l = 0; l < IL_LANES; l += 4) {
        const __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(row + l));
        const __m128i zero = _mm_cmpeq_epi32(v, _mm_setzero_si128());
        lanes |= (uint64_t)(~(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(zero)) & 15) << l;
    }
#else
    for (unsigned l = 0; l < IL_LANES; l++) lanes |= (uint64_t)(row[l] != 0) << l;
#endif
    return lanes;
}

static uint64_t compare(unsigned relop, const uint32_t *x, const uint32_t *y)
{
    uint32_t holds[IL_LANES];
    EACH_LANE holds[l] = yes(il_compare(relop, x[l], y[l]));
    return nonzero(holds);
}

static bool places(uint64_t *place, const uint32_t *index, const uint32_t *in, uint32_t stride, uint32_t count,
    uint32_t low_bits, uint32_t bounds[3])
{
    uint32_t wrong = 0, at[IL_LANES];
    int32_t least = INT32_MAX, most = 0, deepest = 0;
    EACH_LANE wrong |= (in[l] & low_bits) | in[l] >> 30;
    if (index) EACH_LANE wrong |= index[l] >= count;
    if (wrong) return false;
    if (index)
        EACH_LANE at[l] = index[l] * stride + in[l];
    else
        EACH_LANE at[l] = in[l];
    EACH_LANE least = (int32_t)at[l] < least ? (int32_t)at[l] : least;
    EACH_LANE most = (int32_t)at[l] > most ? (int32_t)at[l] : most;
    EACH_LANE deepest = (int32_t)in[l] > deepest ? (int32_t)in[l] : deepest;
    EACH_LANE place[l] = at[l];
    bounds[0] = (uint32_t)least;
    bounds[1] = (uint32_t)most;
    bounds[2] = (uint32_t)deepest;
    return true;
}

#define LEVEL_NAME(n) il_level_##n
#define LEVEL(n) LEVEL_NAME(n)
const struct il_level LEVEL(SIMD) = {operations, fill, alter, choose, nonzero, compare, places};
