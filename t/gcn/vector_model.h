/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vector_model.h: what each row of the vector ALU computes for a lane, made another way than the machine does it:
 * floats by whole numbers (exact.h), integers by loops over bits and bytes.
 */
#ifndef GCN_VECTOR_MODEL_H
#define GCN_VECTOR_MODEL_H

#include <math.h>
#include <string.h>

#include "core/exact.h"

/* ---- What the models see of the wave ---- */

static struct {
    uint32_t mode;
    unsigned lane;
    bool in;       /* the lane's bit of the mask that is read */
    bool out;      /* set by the model: its bit of the mask beside the result */
    uint64_t high; /* upper half of a 128-bit result, of a 128-bit third source */
    uint32_t old;  /* the destination */
    unsigned half; /* 16: the high halves of the sources are meant */
} at;

static int round32(void) { return at.mode & 3; }
static int round64(void) { return at.mode >> 2 & 3; }
static bool ieee(void) { return at.mode >> 9 & 1; }

#define F16 exact_f16
#define F32 exact_f32
#define F64 exact_f64

static bool is_nan(uint64_t x, struct exact_format f) { return exact_from(x, f).nan; }

static bool same_format(struct exact_format f, struct exact_format g) { return f.mant == g.mant; }

static uint64_t flush(uint64_t x, struct exact_format f, bool keep)
{
    uint64_t field = x >> f.mant & ((1u << f.exp) - 1), sign = 1ull << (f.mant + f.exp);
    return field || keep ? x : x & sign;
}

static uint64_t in(uint64_t x, struct exact_format f)
{
    return flush(x, f, at.mode >> (same_format(f, F32) ? 4 : 6) & 1);
}
static uint64_t out(uint64_t x, struct exact_format f)
{
    return flush(x, f, at.mode >> (same_format(f, F32) ? 5 : 7) & 1);
}
static uint64_t zeroed(uint64_t x) { return flush(x, F32, false); }

static uint64_t quiet(uint64_t x, struct exact_format f) { return x | 1ull << (f.mant - 1); }

static uint64_t nan_rule(struct exact_format f, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sources[3] = {a, b, c};
    for (int i = 0; i < 3; i++)
        if (is_nan(sources[i], f)) return quiet(sources[i], f);
    return (((2ull << f.exp) - 1) << f.mant) | 1ull << (f.mant - 1); /* AMD's has its sign set */
}

static int mode_of(struct exact_format f) { return same_format(f, F32) ? round32() : round64(); }
static uint64_t negated(uint64_t x, struct exact_format f) { return x ^ 1ull << (f.mant + f.exp); }
static uint64_t magnitude(uint64_t x, struct exact_format f) { return x & ((1ull << (f.mant + f.exp)) - 1); }

/* ---- Arithmetic ---- */

static uint64_t sum(struct exact_format f, uint64_t a, uint64_t b)
{
    struct exact x = exact_from(a, f), y = exact_from(b, f);
    if (x.nan || y.nan) return nan_rule(f, a, b, 0);
    struct exact r = exact_add(&x, &y, mode_of(f));
    return r.nan ? nan_rule(f, 0, 0, 0) : exact_round(&r, f, mode_of(f));
}

static uint64_t product(struct exact_format f, uint64_t a, uint64_t b)
{
    struct exact r = exact_mul(a, b, f);
    return r.nan ? nan_rule(f, a, b, 0) : exact_round(&r, f, mode_of(f));
}

static uint64_t fused(struct exact_format f, uint64_t a, uint64_t b, uint64_t c)
{
    struct exact p = exact_mul(a, b, f), z = exact_from(c, f);
    if (p.nan || z.nan) return nan_rule(f, a, b, c);
    struct exact r = exact_add(&p, &z, mode_of(f));
    return r.nan ? nan_rule(f, 0, 0, 0) : exact_round(&r, f, mode_of(f));
}

static uint64_t add(struct exact_format f, uint64_t a, uint64_t b) { return out(sum(f, in(a, f), in(b, f)), f); }
static uint64_t mul(struct exact_format f, uint64_t a, uint64_t b) { return out(product(f, in(a, f), in(b, f)), f); }
static uint64_t fma_(struct exact_format f, uint64_t a, uint64_t b, uint64_t c)
{
    return out(fused(f, in(a, f), in(b, f), in(c, f)), f);
}

/* A NaN stays the operand that it is until the end: a - b is a + -b but for the sign of a NaN. */
static uint64_t sub(struct exact_format f, uint64_t a, uint64_t b)
{
    return is_nan(a, f) || is_nan(b, f) ? nan_rule(f, a, b, 0) : add(f, a, negated(b, f));
}

static uint64_t mad(uint64_t a, uint64_t b, uint64_t c, bool legacy)
{
    a = zeroed(a), b = zeroed(b), c = zeroed(c);
    bool zero = legacy && (!magnitude(a, F32) || !magnitude(b, F32));
    uint64_t p = zero ? 0 : zeroed(product(F32, a, b));
    if (is_nan(p, F32) || is_nan(c, F32)) return nan_rule(F32, a, b, c);
    uint64_t r = zeroed(sum(F32, p, c));
    return is_nan(r, F32) ? nan_rule(F32, a, b, c) : r;
}

static uint64_t mul_legacy(uint64_t a, uint64_t b)
{
    return magnitude(in(a, F32), F32) && magnitude(in(b, F32), F32) ? mul(F32, a, b) : 0;
}

static uint64_t fma_legacy(uint64_t a, uint64_t b, uint64_t c)
{
    const bool zero = !magnitude(in(a, F32), F32) || !magnitude(in(b, F32), F32);
    const uint64_t r = zero ? fma_(F32, 0, 0, c) : fma_(F32, a, b, c);
    return is_nan(r, F32) ? nan_rule(F32, in(a, F32), in(b, F32), in(c, F32)) : r;
}

/* Order of two numbers: below, equal, above, or 2: a NaN. */
static int order(struct exact_format f, uint64_t a, uint64_t b)
{
    if (is_nan(a, f) || is_nan(b, f)) return 2;
    int64_t x = (int64_t)magnitude(a, f), y = (int64_t)magnitude(b, f);
    x = a == (uint64_t)x ? x : -x;
    y = b == (uint64_t)y ? y : -y;
    return x < y ? -1 : x > y;
}

static bool signals(struct exact_format f, uint64_t x) { return is_nan(x, f) && !(x >> (f.mant - 1) & 1); }

static uint64_t least(struct exact_format f, uint64_t a, uint64_t b, bool most)
{
    if (ieee() && (signals(f, a) || signals(f, b))) return nan_rule(f, a, b, 0);
    if (is_nan(a, f)) return is_nan(b, f) ? nan_rule(f, a, b, 0) : b;
    if (is_nan(b, f)) return a;
    int o = order(f, a, b);
    bool a_negative = a >> (f.mant + f.exp) & 1;
    return (o == 0 ? a_negative : o < 0) != most ? a : b;
}

static uint64_t least3(struct exact_format f, uint64_t a, uint64_t b, uint64_t c, bool most)
{
    uint64_t first = ieee() && (signals(f, a) || signals(f, b)) ? (signals(f, a) ? a : b) : least(f, a, b, most);
    uint64_t r = least(f, first, c, most);
    return is_nan(r, f) ? nan_rule(f, a, b, c) : r;
}

static uint64_t middle(struct exact_format f, uint64_t a, uint64_t b, uint64_t c)
{
    if (is_nan(a, f) || is_nan(b, f) || is_nan(c, f)) return least3(f, a, b, c, false);
    uint64_t v[3] = {a, b, c};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (least(f, v[j], v[j + 1], false) != v[j]) {
                uint64_t t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    return v[1];
}

/* ---- Whole numbers ---- */

/* The whole part, towards zero, as an exact value; *rest: what was cut off, 0, 1 below a half, 2 a half, 3 above. */
static struct exact whole(uint64_t x, struct exact_format f, int *rest)
{
    struct exact r = exact_from(x, f);
    bool half = r.w[(EXACT_UNIT - 1) / 64] >> (EXACT_UNIT - 1) % 64 & 1, more = false;
    for (int i = 0; i < EXACT_UNIT; i++) {
        if (i < EXACT_UNIT - 1) more |= r.w[i / 64] >> i % 64 & 1;
        r.w[i / 64] &= ~(1ull << i % 64);
    }
    *rest = half * 2 + more;
    return r;
}

enum { TRUNC, FLOOR, CEIL, EVEN, HALF_UP };

static struct exact whole_by(uint64_t x, struct exact_format f, int how)
{
    int rest;
    struct exact r = whole(x, f, &rest);
    bool odd = r.w[EXACT_UNIT / 64] >> EXACT_UNIT % 64 & 1;
    bool away = how == FLOOR     ? rest && r.neg
                : how == CEIL    ? rest && !r.neg
                : how == EVEN    ? rest == 3 || (rest == 2 && odd)
                : how == HALF_UP ? rest == 3 || (rest == 2 && !r.neg)
                                 : false;
    if (away && !r.nan && !r.inf) exact_place(&r, 1, 0);
    return r;
}

static uint64_t rounded(uint64_t x, struct exact_format f, int how)
{
    x = in(x, f);
    if (is_nan(x, f)) return quiet(x, f);
    struct exact r = whole_by(x, f, how);
    return exact_round(&r, f, EXACT_NEAREST);
}

/* To a 32-bit integer, saturating; NaN is 0. */
static uint64_t integer(uint64_t x, struct exact_format f, int how, bool is_signed)
{
    x = in(x, f);
    struct exact r = whole_by(x, f, how);
    if (r.nan) return 0;
    uint64_t v = r.w[EXACT_UNIT / 64] >> EXACT_UNIT % 64;
    if (EXACT_UNIT % 64) v |= r.w[EXACT_UNIT / 64 + 1] << (64 - EXACT_UNIT % 64);
    bool big = r.inf || v >> 40 || r.w[EXACT_UNIT / 64 + 1] >> EXACT_UNIT % 64;
    for (int i = EXACT_UNIT / 64 + 2; i < EXACT_WORDS; i++) big |= r.w[i] != 0;
    if (!is_signed) return r.neg ? 0 : big || v > UINT32_MAX ? UINT32_MAX : v;
    if (r.neg) return big || v > 0x80000000u ? 0x80000000u : (uint32_t)(0 - v);
    return big || v > INT32_MAX ? INT32_MAX : v;
}

static uint64_t integer16(uint64_t x, bool is_signed)
{
    const uint64_t v = integer(x, F16, TRUNC, true);
    const int64_t n = (int32_t)v;
    return (uint64_t)(is_signed ? (n < -32768 ? -32768 : n > 32767 ? 32767 : n) : (n < 0 ? 0 : n)) & 0xffff;
}

static uint64_t from_integer(uint64_t value, bool negative, struct exact_format f)
{
    struct exact r = {.neg = negative && value};
    exact_place(&r, value, 0);
    return exact_round(&r, f, mode_of(f));
}

static uint64_t from_i32(uint64_t x, struct exact_format f)
{
    int64_t v = (int32_t)x;
    return from_integer((uint64_t)(v < 0 ? -v : v), v < 0, f);
}

static uint64_t fract(uint64_t x, struct exact_format f)
{
    x = in(x, f);
    if (is_nan(x, f) || exact_from(x, f).inf) return nan_rule(f, x, 0, 0);
    struct exact whole_part = whole_by(x, f, FLOOR), v = exact_from(x, f);
    whole_part.neg = !whole_part.neg;
    struct exact r = exact_add(&v, &whole_part, mode_of(f));
    uint64_t bits = exact_round(&r, f, mode_of(f)), one = ((1ull << (f.exp - 1)) - 1) << f.mant;
    return out(bits < one || bits >> (f.mant + f.exp) ? bits : one - 1, f);
}

/* ---- Other formats ---- */

static uint64_t convert(uint64_t x, struct exact_format from, struct exact_format to, int round)
{
    struct exact v = exact_from(x, from);
    if (!v.nan) return exact_round(&v, to, round);
    uint64_t payload = x & ((1ull << from.mant) - 1), inf = ((1ull << to.exp) - 1) << to.mant;
    payload = to.mant > from.mant ? payload << (to.mant - from.mant) : payload >> (from.mant - to.mant);
    return (x >> (from.mant + from.exp) & 1) << (to.mant + to.exp) | inf | 1ull << (to.mant - 1) | payload;
}

static uint64_t half(uint64_t x, int round)
{
    return flush(convert(in(x, F32), F32, exact_f16, round), exact_f16, at.mode >> 7 & 1);
}

static uint64_t unpack_half(uint64_t x)
{
    return out(convert(flush(x & 0xffff, exact_f16, at.mode >> 6 & 1), exact_f16, F32, 0), F32);
}

/* x * 2^n exactly, rounded once. */
static uint64_t scaled(uint64_t x, struct exact_format f, int n)
{
    struct exact v = exact_from(x, f), r = {.neg = v.neg};
    if (v.nan) return quiet(x, f);
    if (v.inf || exact_is_zero(&v)) return x;
    int e;
    bool neg;
    uint64_t m = exact_take(x, f, &e, &neg);
    n = n > 3000 ? 3000 : n < -3000 ? -3000 : n;
    if (e + n > 2100)
        exact_place(&r, 1, 2100);
    else if (e + n < -2250)
        exact_place(&r, 1, -2250);
    else
        exact_place(&r, m, e + n);
    return exact_round(&r, f, mode_of(f));
}

static uint64_t ldexp_(uint64_t x, struct exact_format f, uint64_t n)
{
    return out(scaled(in(x, f), f, (int32_t)n), f);
}

static double as_double(uint64_t x, struct exact_format f)
{
    if (same_format(f, F32)) {
        uint32_t bits = (uint32_t)x;
        float v;
        memcpy(&v, &bits, 4);
        return v;
    }
    if (same_format(f, F16)) {
        const double m = (double)(x & 0x3ff), sign = x >> 15 & 1 ? -1 : 1;
        const int e = (int)(x >> 10 & 31);
        if (e == 31) return m != 0 ? (double)NAN : sign * (double)INFINITY;
        return sign * ldexp(e ? m + 1024 : m, (e ? e : 1) - 25);
    }
    double d;
    memcpy(&d, &x, 8);
    return d;
}

static uint64_t exponent(uint64_t x, struct exact_format f)
{
    x = in(x, f);
    struct exact v = exact_from(x, f);
    int e = 0;
    if (!v.nan && !v.inf) frexp(as_double(x, f), &e);
    return (uint32_t)e;
}

static uint64_t mantissa_of(uint64_t x, struct exact_format f)
{
    x = in(x, f);
    struct exact v = exact_from(x, f);
    if (v.nan) return quiet(x, f);
    if (v.inf || exact_is_zero(&v)) return x;
    return scaled(x, f, -(int32_t)(uint32_t)exponent(x, f));
}

/* ---- Reciprocals, roots: correctly rounded, to nearest whatever the mode ---- */

static uint64_t quotient(uint64_t a, uint64_t b, struct exact_format f)
{
    struct exact r = exact_div(a, b, f);
    return r.nan ? nan_rule(f, b, 0, 0) : exact_round(&r, f, EXACT_NEAREST);
}

static uint64_t one(struct exact_format f) { return ((1ull << (f.exp - 1)) - 1) << f.mant; }
static uint64_t infinity(struct exact_format f) { return ((1ull << f.exp) - 1) << f.mant; }

static uint64_t prepared(uint64_t x, struct exact_format f) { return same_format(f, F32) ? zeroed(x) : in(x, f); }
static uint64_t finished(uint64_t x, struct exact_format f) { return same_format(f, F32) ? zeroed(x) : out(x, f); }

static uint64_t rcp(uint64_t x, struct exact_format f) { return finished(quotient(one(f), prepared(x, f), f), f); }

static uint64_t root(uint64_t x, struct exact_format f)
{
    x = prepared(x, f);
    struct exact r = exact_sqrt(x, f);
    return r.nan ? nan_rule(f, x, 0, 0) : finished(exact_round(&r, f, EXACT_NEAREST), f);
}

__extension__ typedef __float128 quad;

/* 1 / sqrt(x) to some 110 bits by Newton's iteration, then rounded. */
static uint64_t rsq(uint64_t x, struct exact_format f)
{
    x = prepared(x, f);
    if (is_nan(x, f) || (magnitude(x, f) && x != magnitude(x, f))) return nan_rule(f, x, 0, 0);
    if (!magnitude(x, f)) return x | infinity(f);
    if (x == infinity(f)) return 0;
    int e;
    double m = frexp(as_double(x, f), &e);
    if (e & 1) m *= 0.5, e++;
    quad y = (quad)(1 / sqrt(m));
    for (int i = 0; i < 3; i++) y = y * ((quad)1.5 - (quad)0.5 * (quad)m * y * y);
    /* To whole numbers, so that rounding is exact.h's. */
    exact_u128 scaled_y = (exact_u128)(y * (quad)0x1p112);
    struct exact r = {0};
    exact_place(&r, scaled_y, -112 - e / 2);
    return finished(exact_round(&r, f, EXACT_NEAREST), f);
}

static uint64_t no_infinity(uint64_t x, struct exact_format f) { return magnitude(x, f) == infinity(f) ? x - 1 : x; }
static uint64_t infinity_to_zero(uint64_t x) { return magnitude(x, F32) == infinity(F32) ? x & 0x80000000u : x; }

/* ---- Functions: within one unit of the last place of the C library's long double ---- */

/* A function of a half, to within a unit of its last place (a test allows for it). */
static uint64_t of_half(uint64_t x, long double (*fn)(long double))
{
    x = in(x, F16);
    if (is_nan(x, F16)) return quiet(x, F16);
    const long double v = fn((long double)as_double(x, F16));
    if (v != v) return nan_rule(F16, 0, 0, 0);
    if (v - v != 0 || v == 0) return (v == 0 ? 0 : infinity(F16)) | (signbit(v) ? 0x8000 : 0);
    const double d = (double)v;
    uint64_t bits;
    memcpy(&bits, &d, 8);
    return out(convert(bits, F64, F16, round64()), F16);
}

static long double reciprocal(long double x) { return 1 / x; }
static long double reciprocal_root(long double x) { return 1 / sqrtl(x); }

static long double sine(long double x)
{
    if (x - x != 0) return NAN;
    if (x == 0) return x;
    const long double t = x - rintl(x);
    return t == 0 || t == 0.5L || t == -0.5L ? 0 : sinl(2 * 3.14159265358979323846264338327950288L * t);
}

static long double cosine(long double x)
{
    if (x - x != 0) return NAN;
    const long double t = x - rintl(x);
    return t == 0.25L || t == -0.25L ? 0 : cosl(2 * 3.14159265358979323846264338327950288L * t);
}

static uint64_t nearest_float(long double v)
{
    float f = (float)v;
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return zeroed(bits);
}

static uint64_t exp2_(uint64_t x)
{
    x = zeroed(x);
    return is_nan(x, F32) ? quiet(x, F32) : nearest_float(exp2l((long double)as_double(x, F32)));
}

static uint64_t log2_(uint64_t x)
{
    x = zeroed(x);
    if (is_nan(x, F32) || (x >> 31 && magnitude(x, F32))) return nan_rule(F32, x, 0, 0);
    return magnitude(x, F32) ? nearest_float(log2l((long double)as_double(x, F32))) : 0xff800000u;
}

static uint64_t turns(uint64_t x, bool cosine)
{
    x = in(x, F32);
    if (is_nan(x, F32) || exact_from(x, F32).inf) return nan_rule(F32, x, 0, 0);
    double v = as_double(x, F32);
    if (!magnitude(x, F32)) return cosine ? 0x3f800000u : x;
    long double t = (long double)v - rintl((long double)v), angle = 2 * 3.14159265358979323846264338327950288L * t;
    if (t == 0.5L || t == -0.5L) return cosine ? 0xbf800000u : 0;
    if (cosine && (t == 0.25L || t == -0.25L)) return 0;
    const float f = (float)(cosine ? cosl(angle) : t == 0 ? 0 : sinl(angle));
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return out(bits, F32);
}

/* Of older chips: none beyond 256 turns, and no denormals. */
static uint64_t near_turns(uint64_t x, bool cosine)
{
    const uint64_t most = 0x43800000, size = x & 0x7fffffff;
    return zeroed(turns(size > most && size < 0x7f800000 ? 0 : zeroed(x), cosine));
}

/* ---- Division ---- */

/* Is |x / y| below the least normal number?  Both finite, y not 0. */
static bool tiny_quotient(uint64_t x, uint64_t y, struct exact_format f)
{
    struct exact q = exact_div(x, y, f), least_normal = exact_from(1ull << f.mant, f);
    return !q.nan && !q.inf && exact_compare(&q, &least_normal) < 0;
}

static uint64_t div_scale(struct exact_format f, uint64_t s0, uint64_t s1, uint64_t s2)
{
    bool single = same_format(f, F32);
    s0 = in(s0, f), s1 = in(s1, f), s2 = in(s2, f);
    int e1 = (int)(s1 >> f.mant & ((1u << f.exp) - 1)), e2 = (int)(s2 >> f.mant & ((1u << f.exp) - 1)),
        up = single ? 64 : 128;
    bool finite1 = e1 != (1 << f.exp) - 1, finite2 = e2 != (1 << f.exp) - 1;
    bool denominator = order(f, s0, s1) == 0, numerator = order(f, s0, s2) == 0;
    at.out = false;
    if (!magnitude(s1, f) || !magnitude(s2, f))
        return nan_rule(f, is_nan(s0, f) || is_nan(s1, f) || is_nan(s2, f) ? s0 : 0, s1, s2);
    bool tiny1 = finite1 && tiny_quotient(one(f), s1, f), tiny2 = finite1 && finite2 && tiny_quotient(s2, s1, f);
    int scale = 0;
    if (e2 - e1 >= (single ? 96 : 768))
        at.out = true, scale = denominator ? up : 0;
    else if (!e1)
        scale = up;
    else if (tiny1 && tiny2) /* the manual's formula says up, of which a division that is exact cannot come */
        at.out = true, scale = denominator ? -up : 0;
    else if (tiny1)
        scale = -up;
    else if (tiny2)
        at.out = true, scale = numerator ? up : 0;
    else if (e2 <= (single ? 23 : 53))
        scale = up;
    uint64_t r = scale ? scaled(s0, f, scale) : s0;
    return is_nan(r, f) ? nan_rule(f, s0, s1, s2) : out(r, f);
}

static uint64_t div_fmas(struct exact_format f, uint64_t a, uint64_t b, uint64_t c)
{
    a = in(a, f), b = in(b, f), c = in(c, f);
    uint64_t r = fused(f, a, b, c), inf = infinity(f);
    int up = same_format(f, F32) ? 64 : 128, bias = (1 << (f.exp - 1)) - 1;
    bool large = (int)(c >> f.mant & ((1u << f.exp) - 1)) > bias;
    if (is_nan(r, f) || !at.in || magnitude(r, f) == inf) return out(r, f);
    if (large || magnitude(r, f) == inf - 1) return out(scaled(r, f, large ? up : -up), f);
    /* Scaling down rounds once, with the sum. */
    struct exact p = exact_mul(a, b, f), z = exact_from(c, f), x = exact_add(&p, &z, mode_of(f)), y = {.neg = x.neg};
    unsigned words = (unsigned)up / 64;
    for (unsigned i = 0; i + words < EXACT_WORDS; i++) y.w[i] = x.w[i + words];
    for (unsigned i = 0; i < words; i++) y.w[0] |= x.w[i] != 0;
    return out(exact_round(&y, f, mode_of(f)), f);
}

static uint64_t div_fixup(struct exact_format f, uint64_t q, uint64_t d, uint64_t n)
{
    q = in(q, f), d = in(d, f), n = in(n, f);
    uint64_t sign = (d ^ n) & 1ull << (f.mant + f.exp), inf = infinity(f), ad = magnitude(d, f), an = magnitude(n, f),
             r;
    int ed = (int)(ad >> f.mant), en = (int)(an >> f.mant);
    if (an > inf) return quiet(n, f);
    if (ad > inf) return quiet(d, f);
    if ((!an && !ad) || (an == inf && ad == inf)) return 1ull << (f.mant + f.exp) | inf | 1ull << (f.mant - 1);
    if (!ad || an == inf) return sign | inf;
    if (ad == inf || !an) return sign;
    if (en - ed < (same_format(f, F32) ? -150 : -1075)) return sign;
    r = sign | (is_nan(q, f) ? inf : magnitude(q, f));
    return out(r, f);
}

/* ---- Bits and bytes ---- */

static uint64_t bits_of(uint64_t x, unsigned lo, unsigned n)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < n; i++) r |= (x >> (lo + i) & 1) << i;
    return r;
}

static uint64_t reverse(uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++) r |= (x >> i & 1) << (31 - i);
    return r;
}

static uint64_t count(uint64_t x)
{
    uint64_t n = 0;
    for (int i = 0; i < 64; i++) n += x >> i & 1;
    return n;
}

/* Bits from the top that equal `bit`; all 32: -1. */
static uint64_t run_of(uint64_t x, unsigned bit)
{
    for (unsigned i = 0; i < 32; i++)
        if ((x >> (31 - i) & 1) != bit) return i;
    return UINT32_MAX;
}

static uint64_t first_set(uint64_t x)
{
    for (unsigned i = 0; i < 32; i++)
        if (x >> i & 1) return i;
    return UINT32_MAX;
}

static int64_t sign24(uint64_t x) { return (int64_t)(x & 0x7fffff) - (int64_t)(x & 0x800000); }

static uint64_t sad(uint64_t a, uint64_t b, unsigned width, bool masked)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < 32; i += width) {
        int64_t x = (int64_t)bits_of(a, i, width), y = (int64_t)bits_of(b, i, width);
        total += masked && !y ? 0 : (uint64_t)(x > y ? x - y : y - x);
    }
    return total;
}

static uint64_t qsad(uint64_t a, uint64_t b, uint64_t c, bool masked)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 4; i++)
        r |= ((bits_of(c, 16 * i, 16) + sad(bits_of(a, 8 * i, 32), b, 8, masked)) % 65536) << (16 * i);
    return r;
}

static uint64_t mqsad32(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sums[2] = {c, at.high};
    for (unsigned i = 0; i < 4; i++) {
        uint64_t *s = &sums[i / 2], low = bits_of(*s, i % 2 * 32, 32),
                 keep = *s & ((uint64_t)UINT32_MAX << (i % 2 ? 0 : 32));
        *s = keep | ((low + sad(bits_of(a, 8 * i, 32), b, 8, true)) % 0x100000000u) << (i % 2 * 32);
    }
    at.high = sums[1];
    return sums[0];
}

static uint64_t lerp(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 32; i += 8) r |= (bits_of(a, i, 8) + bits_of(b, i, 8) + bits_of(c, i, 1)) / 2 << i;
    return r;
}

static uint64_t sext(uint64_t x, unsigned n) { return n && x >> (n - 1) & 1 ? (uint32_t)(x | ~((1ull << n) - 1)) : x; }

/* Shifting left to right fills: the field cannot be wider than what is there. */
static uint64_t bfe_i32(uint64_t x, unsigned lo, unsigned n)
{
    uint64_t wide = (uint64_t)(int64_t)(int32_t)x;
    return sext(bits_of(wide, lo, n), n);
}

static uint64_t pack_byte(uint64_t f, uint64_t byte, uint64_t rest)
{
    f = in(f, F32);
    struct exact v = exact_from(f, F32);
    int rest_of, round = round32();
    struct exact r = whole(f, F32, &rest_of);
    bool odd = r.w[EXACT_UNIT / 64] >> EXACT_UNIT % 64 & 1;
    uint64_t n = as_double(f, F32) >= 256 ? 255 : (uint64_t)(v.neg || v.nan ? 0 : as_double(f, F32));
    if (!v.neg && !v.nan)
        n += round == EXACT_NEAREST ? rest_of == 3 || (rest_of == 2 && odd) : round == EXACT_UP ? rest_of != 0 : 0;
    n = n > 255 ? 255 : n;
    byte = 8 * (byte & 3);
    return (rest & ~(255ull << byte)) | n << byte;
}

static uint64_t norm16_by(uint64_t f, int range, int round)
{
    f = in(f, F32);
    double v = as_double(f, F32), lo = range == 32767 ? -1 : 0;
    if (v != v) return 0;
    v = v < lo ? lo : v > 1 ? 1 : v;
    double scaled_v = v * range, n = floor(scaled_v), rest = scaled_v - n;
    bool odd = fmod(n, 2) != 0;
    n += round == EXACT_NEAREST ? rest > 0.5 || (rest == 0.5 && odd)
         : round == EXACT_UP    ? rest > 0
         : round == EXACT_ZERO  ? rest > 0 && v < 0
                                : 0;
    return (uint64_t)(int64_t)n & 0xffff;
}

static uint64_t norm16(uint64_t f, int range) { return norm16_by(f, range, round32()); }

static uint64_t clamp_to(int64_t x, int64_t lo, int64_t hi)
{
    return (uint64_t)(x < lo ? lo : x > hi ? hi : x) & 0xffff;
}

/* ---- Cube maps, in the words of the facts: z if it is largest, else y, else x ---- */

enum { CUBE_ID, CUBE_S, CUBE_T, CUBE_MA };

static uint64_t cube(uint64_t a, uint64_t b, uint64_t c, int what)
{
    uint64_t v[3] = {in(a, F32), in(b, F32), in(c, F32)}, r;
    uint64_t m[3] = {magnitude(v[0], F32), magnitude(v[1], F32), magnitude(v[2], F32)};
    bool nan[3] = {is_nan(a, F32), is_nan(b, F32), is_nan(c, F32)};
#define NOT_BELOW(i, j) (!nan[i] && !nan[j] && m[i] >= m[j])
    int face = NOT_BELOW(2, 0) && NOT_BELOW(2, 1) ? 2 : NOT_BELOW(1, 0) ? 1 : 0;
    bool negative = order(F32, v[face], 0) == -1;
    uint64_t flip = 0x80000000u;
    if (what == CUBE_ID) return from_integer((uint64_t)(2 * face + negative), false, F32);
    if (what == CUBE_MA)
        r = is_nan(v[face], F32) ? v[face] : product(F32, 0x40000000u, v[face]);
    else if (what == CUBE_S)
        r = face == 2 ? v[0] ^ (negative ? flip : 0) : face == 1 ? v[0] : v[2] ^ (negative ? 0 : flip);
    else
        r = face == 1 ? v[2] ^ (negative ? flip : 0) : v[1] ^ flip;
    return is_nan(r, F32) ? nan_rule(F32, v[0], v[1], v[2]) : out(r, F32);
}

/* ---- Sums with carries ---- */

static uint64_t carry_sum(uint64_t a, uint64_t b, bool more)
{
    uint64_t r = a + b + more;
    at.out = r >> 32;
    return (uint32_t)r;
}

static uint64_t borrow(uint64_t a, uint64_t b, bool more)
{
    at.out = (int64_t)a - (int64_t)b - more < 0;
    return (uint32_t)(a - b - more);
}

static uint64_t mad_wide(exact_u128 p, uint64_t c, bool is_signed)
{
    exact_u128 addend = is_signed ? (exact_u128)(exact_i128)(int64_t)c : c;
    exact_u128 r = p + addend;
    at.out = r >> 64 & 1;
    return (uint64_t)r;
}

static uint64_t below_lane(uint64_t x, unsigned first)
{
    uint64_t n = 0;
    for (unsigned l = first; l < at.lane && l < first + 32; l++) n += x >> (l - first) & 1;
    return n;
}

#define I32(x) ((int64_t)(int32_t)(x))
#define LOW(x) ((uint32_t)(x))

/* ---- The rows of vector_model.def ---- */

static uint64_t bitwise(uint64_t a, uint64_t b, unsigned truth) /* bit 2a + b of truth */
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 32; i++) r |= (uint64_t)(truth >> (2 * (a >> i & 1) + (b >> i & 1)) & 1) << i;
    return r;
}

static int64_t smallest(int64_t a, int64_t b, int64_t c) { return a < b ? (a < c ? a : c) : b < c ? b : c; }
static int64_t largest(int64_t a, int64_t b, int64_t c) { return a > b ? (a > c ? a : c) : b > c ? b : c; }

/* In the rows' operand order K is the second source of v_madmk, as c. */
static uint64_t madmk(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = mad(a, c, b, false);
    return is_nan(r, F32) ? nan_rule(F32, zeroed(a), zeroed(b), zeroed(c)) : r;
}

static int64_t sign16(uint64_t x) { return (int64_t)(x & 0x7fff) - (int64_t)(x & 0x8000); }

static uint64_t fmamk(struct exact_format f, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = fma_(f, a, c, b);
    return is_nan(r, f) ? nan_rule(f, in(a, f), in(b, f), in(c, f)) : r;
}

static uint64_t legacy_min(uint64_t a, uint64_t b)
{
    uint64_t r = order(F32, in(a, F32), in(b, F32)) == -1 ? in(a, F32) : in(b, F32);
    return is_nan(r, F32) ? quiet(b, F32) : out(r, F32);
}

static uint64_t legacy_max(uint64_t a, uint64_t b)
{
    int o = order(F32, in(a, F32), in(b, F32));
    uint64_t r = o == 0 || o == 1 ? in(a, F32) : in(b, F32);
    return is_nan(r, F32) ? quiet(b, F32) : out(r, F32);
}

static uint64_t mullit(uint64_t a, uint64_t b, uint64_t c)
{
    const bool low = order(F32, in(b, F32), 0xff7fffffu) != 1; /* or no number */
    return order(F32, in(c, F32), 0) == 1 && !low ? mul_legacy(a, b) : 0xff7fffffu;
}

/* Halves: of the sources, unsigned and signed; a result in the low half, in both. */
#define A16 (a >> at.half & 0xffff)
#define B16 (b >> at.half & 0xffff)
#define C16 (c >> at.half & 0xffff)
#define SA sign16(A16)
#define SB sign16(B16)
#define SC sign16(C16)
#define LOW_HALF(...) ((at.old & 0xffff0000u) | (at.half = 0, (uint64_t)(__VA_ARGS__)&0xffff))
#define BOTH(...)                                                            \
    (at.half = 0, first_half = (uint64_t)(__VA_ARGS__)&0xffff, at.half = 16, \
        first_half | ((uint64_t)(__VA_ARGS__)&0xffff) << 16)
static uint64_t first_half;

static uint64_t half_fract(uint64_t x) { return fract(x, F16); }

static uint64_t canonical(uint64_t x)
{
    x = in(x, F16);
    return is_nan(x, F16) ? quiet(x, F16) : out(x, F16);
}

/* As a fraction of `range`; NaN: 0. */
static uint64_t norm_half(uint64_t x, int range)
{
    const uint32_t mode = at.mode;
    at.mode |= 0x30; /* the float is no denormal of its own */
    const uint64_t r = norm16_by(convert(flush(x, F16, mode >> 6 & 1), F16, F32, EXACT_NEAREST), range, round64());
    at.mode = mode;
    return r & 0xffff;
}

static uint64_t byte_of(int64_t x) { return (uint64_t)(x < 0 ? 0 : x > 255 ? 255 : x); }

static uint64_t division_of_halves(uint64_t q, uint64_t d, uint64_t n)
{
    const uint64_t sign = (d ^ n) & 0x8000;
    const bool zero_d = !magnitude(d, F16), zero_n = !magnitude(n, F16);
    const bool inf_d = magnitude(d, F16) == infinity(F16), inf_n = magnitude(n, F16) == infinity(F16);
    if (is_nan(n, F16)) return quiet(n, F16);
    if (is_nan(d, F16)) return quiet(d, F16);
    if (zero_d ? zero_n : inf_d && inf_n) return 0xfe00;
    if (zero_d || inf_n) return sign | infinity(F16);
    return inf_d || zero_n ? sign : sign | magnitude(q, F16);
}

/* Four bytes, chosen by those of c: 0 to 7 of {a, b}, 8 to 11 signs of their words, 12 zero, else ones. */
static uint64_t chosen_bytes(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint64_t select = bits_of(c, 8 * i, 8), word = select & 2   ? (select & 1 ? a >> 16 : a)
                                                             : select & 1 ? b >> 16
                                                                          : b;
        const uint64_t byte = select < 4     ? bits_of(b, 8 * (unsigned)select, 8)
                              : select < 8   ? bits_of(a, 8 * (unsigned)select - 32, 8)
                              : select < 12  ? (word & 0x8000 ? 255 : 0)
                              : select == 12 ? 0
                                             : 255;
        r += byte << (8 * i);
    }
    return r;
}

/* Sums of products of fields of n bits. */
static uint64_t dots(uint64_t a, uint64_t b, uint64_t c, unsigned n, bool is_signed)
{
    int64_t total = is_signed ? I32(c) : (int64_t)c;
    for (unsigned i = 0; i < 32; i += n) {
        const int64_t x = (int64_t)bits_of(a, i, n), y = (int64_t)bits_of(b, i, n), top = (int64_t)1 << (n - 1);
        total += is_signed ? ((x ^ top) - top) * ((y ^ top) - top) : x * y;
    }
    return LOW(total);
}

#define MODEL(name, ...)                                             \
    static uint64_t model_##name(uint64_t a, uint64_t b, uint64_t c) \
    {                                                                \
        (void)a, (void)b, (void)c;                                   \
        return __VA_ARGS__;                                          \
    }
#include "vector_model.def"
#undef MODEL

static const struct model {
    const char *name;
    uint64_t (*fn)(uint64_t, uint64_t, uint64_t);
} models[] = {
#define MODEL(name, ...) {#name, model_##name},
#include "vector_model.def"
#undef MODEL
};

/* ---- Compares, by the parts of their names ---- */

static uint64_t class_of(uint64_t x, struct exact_format f)
{
    struct exact v = exact_from(x, f);
    if (v.nan) return signals(f, x) ? 1 : 2;
    int positive = v.inf ? 9 : exact_is_zero(&v) ? 6 : magnitude(x, f) >> f.mant ? 8 : 7;
    return 1u << (v.neg ? 11 - positive : positive);
}

static bool compare(const char *name, uint64_t a, uint64_t b)
{
    const char *cond = strchr(strchr(name, '_') + 1, '_') + 1, *type = strrchr(name, '_') + 1;
    size_t n = (size_t)(type - 1 - cond);
#define IS(text) (n == strlen(text) && !memcmp(cond, text, n))
    const bool halves = !strcmp(type + 1, "16");
    const struct exact_format f = !strcmp(type, "f16") ? F16 : !strcmp(type, "f32") ? F32 : F64;
    if (halves) a &= 0xffff;
    if (IS("class")) return class_of(a, f) & b;
    if (halves) b &= 0xffff;
    int o; /* -1 0 1, 2 unordered */
    if (*type == 'f')
        o = order(f, in(a, f), in(b, f));
    else if (!strcmp(type, "i16"))
        o = (int16_t)a < (int16_t)b ? -1 : (int16_t)a > (int16_t)b;
    else if (!strcmp(type, "i32"))
        o = I32(a) < I32(b) ? -1 : I32(a) > I32(b);
    else if (!strcmp(type, "i64"))
        o = (int64_t)a < (int64_t)b ? -1 : (int64_t)a > (int64_t)b;
    else
        o = a < b ? -1 : a > b;
    if (IS("f")) return false;
    if (IS("t") || IS("tru")) return true;
    if (IS("o")) return o != 2;
    if (IS("u")) return o == 2;
    bool not = cond[0] == 'n' && n == 3;
    cond += not ;
    n -= not ;
    bool r = IS("lt")   ? o == -1
             : IS("eq") ? o == 0
             : IS("le") ? o == -1 || o == 0
             : IS("gt") ? o == 1
             : IS("ge") ? o == 0 || o == 1
             : IS("lg") ? o == -1 || o == 1
                        : o != 0;
    return not ? !r : r;
}

#endif
