/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exact.h: IEEE 754 arithmetic by whole numbers, as the answer to compare with: no floating-point instruction is used.
 *
 * A finite value is a sign and a magnitude in units of 2^-2300, 72 words of 64 bits: every double, every product of two
 * and every sum of those fits exactly.  Rounding happens once, in exact_round.
 */
#ifndef EXACT_H
#define EXACT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXACT_WORDS 72
#define EXACT_UNIT 2300

__extension__ typedef unsigned __int128 exact_u128;
__extension__ typedef __int128 exact_i128;

struct exact {
    bool nan, inf, neg;
    uint64_t w[EXACT_WORDS]; /* lowest first */
};

/* A format by the bits of its mantissa and exponent fields. */
struct exact_format {
    unsigned mant, exp;
};

static const struct exact_format exact_f16 = {10, 5}, exact_f32 = {23, 8}, exact_f64 = {52, 11};

enum { EXACT_NEAREST, EXACT_UP, EXACT_DOWN, EXACT_ZERO };

/* Adds m * 2^(e) to the magnitude. */
static inline void exact_place(struct exact *x, exact_u128 m, int e)
{
    unsigned at = (unsigned)(e + EXACT_UNIT);
    exact_u128 carry = 0;
    uint64_t parts[3] = {(uint64_t)(m << at % 64), 0, 0};
    exact_u128 high = at % 64 ? m >> (64 - at % 64) : m >> 64;
    parts[1] = (uint64_t)high;
    parts[2] = (uint64_t)(high >> 64);
    for (unsigned i = 0; at / 64 + i < EXACT_WORDS; i++) {
        carry += (exact_u128)x->w[at / 64 + i] + (i < 3 ? parts[i] : 0);
        x->w[at / 64 + i] = (uint64_t)carry;
        carry >>= 64;
        if (i >= 3 && !carry) break;
    }
}

static inline bool exact_is_zero(const struct exact *x)
{
    for (int i = 0; i < EXACT_WORDS; i++)
        if (x->w[i]) return false;
    return !x->inf && !x->nan;
}

/* Sign, exponent of the last bit and whole mantissa of a finite number. */
static inline uint64_t exact_take(uint64_t bits, struct exact_format f, int *e, bool *neg)
{
    int bias = (1 << (f.exp - 1)) - 1, field = (int)(bits >> f.mant & ((1u << f.exp) - 1));
    uint64_t m = bits & ((1ull << f.mant) - 1);
    *neg = bits >> (f.mant + f.exp) & 1;
    *e = (field ? field : 1) - bias - (int)f.mant;
    return field ? m | 1ull << f.mant : m;
}

static inline struct exact exact_from(uint64_t bits, struct exact_format f)
{
    struct exact x = {0};
    int e;
    uint64_t m = exact_take(bits, f, &e, &x.neg), all = (1ull << f.exp) - 1;
    if ((bits >> f.mant & all) == all) {
        x.nan = bits & ((1ull << f.mant) - 1);
        x.inf = !x.nan;
    } else
        exact_place(&x, m, e);
    return x;
}

static inline int exact_compare(const struct exact *a, const struct exact *b)
{
    for (int i = EXACT_WORDS; i-- > 0;)
        if (a->w[i] != b->w[i]) return a->w[i] < b->w[i] ? -1 : 1;
    return 0;
}

/* Neither is NaN; inf - inf gives NaN.  A zero sum is -0 when rounding down, else +0, unless both are -0. */
static inline struct exact exact_add(const struct exact *a, const struct exact *b, int round)
{
    struct exact r = {0};
    if (a->inf || b->inf) {
        r.nan = a->inf && b->inf && a->neg != b->neg;
        r.inf = !r.nan;
        r.neg = a->inf ? a->neg : b->neg;
        return r;
    }
    const struct exact *big = exact_compare(a, b) >= 0 ? a : b, *small = big == a ? b : a;
    bool subtract = a->neg != b->neg;
    uint64_t carry = 0;
    for (int i = 0; i < EXACT_WORDS; i++) {
        exact_u128 t = subtract ? (exact_u128)big->w[i] - small->w[i] - carry
                                : (exact_u128)big->w[i] + small->w[i] + carry;
        r.w[i] = (uint64_t)t;
        carry = subtract ? (uint64_t)(t >> 64) & 1 : (uint64_t)(t >> 64);
    }
    r.neg = big->neg;
    if (exact_is_zero(&r)) r.neg = subtract ? round == EXACT_DOWN : a->neg;
    return r;
}

/* The product of two numbers of the format; 0 * inf gives NaN. */
static inline struct exact exact_mul(uint64_t a, uint64_t b, struct exact_format f)
{
    struct exact x = exact_from(a, f), y = exact_from(b, f), r = {.neg = x.neg != y.neg};
    if (x.nan || y.nan || (x.inf && exact_is_zero(&y)) || (y.inf && exact_is_zero(&x))) {
        r.nan = true;
        return r;
    }
    r.inf = x.inf || y.inf;
    if (!r.inf) {
        int ea, eb;
        bool neg;
        uint64_t ma = exact_take(a, f, &ea, &neg), mb = exact_take(b, f, &eb, &neg);
        exact_place(&r, (exact_u128)ma * mb, ea + eb);
    }
    return r;
}

/* a / b of the format, to 70 bits or more and a last bit that says "and a bit more". */
static inline struct exact exact_div(uint64_t a, uint64_t b, struct exact_format f)
{
    struct exact x = exact_from(a, f), y = exact_from(b, f), r = {.neg = x.neg != y.neg};
    bool zx = exact_is_zero(&x), zy = exact_is_zero(&y);
    if (x.nan || y.nan || (x.inf && y.inf) || (zx && zy)) {
        r.nan = true;
        return r;
    }
    r.inf = x.inf || zy;
    if (r.inf || zx || y.inf) return r;
    int ea, eb;
    bool neg;
    uint64_t ma = exact_take(a, f, &ea, &neg), mb = exact_take(b, f, &eb, &neg);
    for (; !(ma >> 52); ea--) ma <<= 1;
    exact_u128 top = (exact_u128)ma << 74, q = top / mb;
    exact_place(&r, q << 1 | (top % mb != 0), ea - eb - 75);
    return r;
}

static inline struct exact exact_sqrt(uint64_t a, struct exact_format f)
{
    struct exact x = exact_from(a, f), r = {.neg = x.neg};
    bool zero = exact_is_zero(&x);
    if (x.nan || (x.neg && !zero)) {
        r.nan = true;
        return r;
    }
    r.inf = x.inf;
    if (zero || x.inf) return r;
    int e;
    bool neg;
    uint64_t m = exact_take(a, f, &e, &neg);
    for (; !(m >> 52); e--) m <<= 1;
    unsigned shift = e & 1 ? 73 : 72;
    exact_u128 n = (exact_u128)m << shift, root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        exact_u128 c = root | (exact_u128)1 << bit;
        if (c * c <= n) root = c;
    }
    exact_place(&r, root << 1 | (root * root != n), (e - (int)shift) / 2 - 1);
    return r;
}

/* The bits of x in the format, rounded once; a NaN gives 0. */
static inline uint64_t exact_round(const struct exact *x, struct exact_format f, int round)
{
    int bias = (1 << (f.exp - 1)) - 1, top = EXACT_WORDS * 64 - 1;
    uint64_t sign = (uint64_t)x->neg << (f.mant + f.exp), inf = ((1ull << f.exp) - 1) << f.mant;
    if (x->nan) return 0;
    if (x->inf) return sign | inf;
    while (top >= 0 && !(x->w[top / 64] >> top % 64 & 1)) top--;
    if (top < 0) return sign;
    int lowest = 1 - bias - (int)f.mant + EXACT_UNIT,
        last = top - (int)f.mant; /* bit numbers of the last mantissa bit */
    if (last < lowest) last = lowest;
    uint64_t m = 0;
    for (int i = top; i >= last; i--) m = m << 1 | (x->w[i / 64] >> i % 64 & 1);
    bool half = x->w[(last - 1) / 64] >> (last - 1) % 64 & 1, more = false;
    for (int i = last - 2; i >= 0 && !more; i--) more = x->w[i / 64] >> i % 64 & 1;
    bool up = round == EXACT_NEAREST ? half && (more || (m & 1))
              : round == EXACT_UP    ? (half || more) && !x->neg
              : round == EXACT_DOWN  ? (half || more) && x->neg
                                     : false;
    m += up;
    /* Adding the mantissa with its hidden bit carries into the exponent by itself. */
    uint64_t bits = ((uint64_t)(last - lowest) << f.mant) + m;
    if (bits >= inf) {
        bool overflow_to_inf = round == EXACT_NEAREST || (round == EXACT_UP && !x->neg) ||
                               (round == EXACT_DOWN && x->neg);
        return sign | (overflow_to_inf ? inf : inf - 1);
    }
    return sign | bits;
}

#endif
