/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arith_math.c: the functions of `math`, in doubles, from operations for which IEEE 754 defines every bit. */
#include "alu/arith.h"
#include "gpudbg/lanes.h"

__extension__ typedef unsigned __int128 wide_bits;

/* 2^n, also beyond the range of normal doubles. */
static double scale(double d, int n)
{
    for (; n > 1000; n -= 1000) d *= 0x1p1000;
    for (; n < -1000; n += 1000) d *= 0x1p-1000;
    return d * lanes_f64((uint64_t)(n + 1023) << 52);
}

/* Base 2, of a positive finite normal double: exponent, and 2 / ln 2 * artanh((m - 1) / (m + 1)). */
static double log2_of(double x)
{
    uint64_t bits = lanes_bits64(x);
    int exp = (int)(bits >> 52 & 0x7ff) - 1023;
    double m = lanes_f64((bits & 0xfffffffffffffu) | (uint64_t)1023 << 52);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exp++;
    }
    double s = (m - 1) / (m + 1), q = s * s, sum = 0;
    for (int k = 25; k >= 1; k -= 2) sum = sum * q + 1.0 / k;
    return exp + sum * s * 2.8853900817779268;
}

static double exp2_of(double x)
{
    if (!(x < 2000)) return INFINITY;
    if (x < -2000) return 0;
    double whole = x < 0 ? (double)(int)(x - 0.5) : (double)(int)(x + 0.5), t = (x - whole) * 0.6931471805599453,
           sum = 1;
    for (int k = 16; k >= 1; k--) sum = 1 + sum * t / k;
    return scale(sum, (int)whole);
}

/* Splits x into quarter turns and a remainder of at most an eighth turn, returned in radians.  x is a float: m * 2^(exp
 * - 23) with 24 bits of m.  The bits of 2 / pi whose product with m is a multiple of four quarters do not matter; the
 * 96 bits after them are used. */
static double reduce(double x, unsigned *quarter)
{
    static const uint32_t two_over_pi[] = {0, 0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
        0xfe5163ab, 0xdebbc561, 0xb7246e3a};
    const uint64_t bits = lanes_bits64(x);
    const int exp = (int)(bits >> 52 & 0x7ff) - 1023;
    const uint64_t m = (bits & 0xfffffffffffffu) >> 29 | (uint64_t)1 << 23;
    *quarter = 0;
    if (exp < -1) return x;
    const unsigned first = (unsigned)(exp + 39); /* in the table, which has 64 zeros before the point's first bit */
    wide_bits p = 0;
    for (unsigned i = 0; i < 3; i++) {
        unsigned k = first / 32 + i, off = first % 32;
        uint32_t word = off ? two_over_pi[k] << off | two_over_pi[k + 1] >> (32 - off) : two_over_pi[k];
        p += (wide_bits)(m * word) << (64 - 32 * i);
    }
    *quarter = (unsigned)(p >> 94) & 3; /* 94 bits of fraction */
    int64_t fraction = (int64_t)(uint64_t)(p >> 30);
    if (fraction < 0) *quarter = (*quarter + 1) & 3;
    double r = (double)fraction * 0x1p-64 * 1.5707963267948966;
    return bits >> 63 ? -r : r;
}

static double sine_of(double r)
{
    double q = r * r, sum = 1;
    for (int k = 20; k >= 2; k -= 2) sum = 1 - sum * q / (k * (k + 1));
    return r * sum;
}

static double cosine_of(double r)
{
    double q = r * r, sum = 1;
    for (int k = 21; k >= 1; k -= 2) sum = 1 - sum * q / (k * (k + 1));
    return sum;
}

static double sin_or_cos(double x, bool cosine)
{
    unsigned quarter;
    bool negative = signbit(x);
    if (isinf(x)) return NAN;
    double r = reduce(x, &quarter);
    if (negative) quarter = (0 - quarter) & 3;
    quarter = (quarter + cosine) & 3;
    double v = quarter & 1 ? cosine_of(r) : sine_of(r);
    return quarter & 2 ? -v : v;
}

static double power(double x, double y)
{
    x = fabs(x);
    if (y == 0 || x == 1) return 1;
    if (x == 0 || isinf(x)) return (x == 0) == (y < 0) ? INFINITY : 0;
    if (isinf(y)) return (x > 1) == (y > 0) ? INFINITY : 0;
    return exp2_of(y * log2_of(x));
}

static double logarithm(double x) { return x == 0 ? -INFINITY : x < 0 ? NAN : isinf(x) ? x : log2_of(x); }

uint64_t gen_math_float(unsigned type, enum gen_math function, uint64_t a, uint64_t b, const struct gen_fp *fp)
{
    const struct gen_fp nearest = {.round = GEN_NEAREST};
    if (gen_is_nan(type, a) ||
        ((function == GEN_MATH_FDIV || function == GEN_MATH_POW || function == GEN_MATH_INVM) && gen_is_nan(type, b)))
        return gen_float_out(type, gen_nan(type), fp);
    double x = lanes_f64(gen_float_convert(type, GEN_DF, a, &nearest)),
           y = lanes_f64(gen_float_convert(type, GEN_DF, b, &nearest)), r = 0;
    if (fp->alt && type == GEN_F32 &&
        (function == GEN_MATH_LOG || function == GEN_MATH_SQT || function == GEN_MATH_RSQ))
        x = fabs(x); /* 2.3.2 */
    switch (function) {
    case GEN_MATH_INV: r = 1 / x; break;
    case GEN_MATH_LOG: r = logarithm(x); break;
    case GEN_MATH_EXP: r = exp2_of(x); break;
    case GEN_MATH_SQT:
    case GEN_MATH_RSQTM: r = sqrt(x); break;
    case GEN_MATH_RSQ: r = 1 / sqrt(x); break;
    case GEN_MATH_SIN: r = sin_or_cos(x, false); break;
    case GEN_MATH_COS: r = sin_or_cos(x, true); break;
    case GEN_MATH_FDIV:
    case GEN_MATH_INVM: r = x / y; break;
    case GEN_MATH_POW: r = power(x, y); break;
    default: break;
    }
    if (isnan(r)) return gen_float_out(type, gen_nan(type), fp);
    uint64_t out;
    if (type == GEN_DF) {
        out = lanes_bits64(r);
    } else if (type == GEN_HF) {
        out = gen_float_convert(GEN_DF, GEN_HF, lanes_bits64(r), &nearest);
    } else {
        out = lanes_bits32((float)r);
    }
    return gen_float_in(type, out, fp);
}

void gen_math_divide(gen_wide a, gen_wide b, gen_wide *quotient, gen_wide *remainder)
{
    *quotient = b ? a / b : -1;
    *remainder = b ? a % b : a;
}
