/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lanes.h: pure arithmetic for one lane, without state, for decoders and plug-ins.
 *
 * Everything here gives the same bits with every compiler, vector width and machine.  What rounds by nature (sums,
 * products, square roots, conversions to a narrower float) is written as plain C, so it follows the rounding of the
 * floating-point environment; a caller that wants another rounding sets it around a loop over lanes.  Build with
 * -ffp-contract=off.
 *
 * NaN.  IEEE 754 leaves open which NaN an operation returns, and processors differ.  Ours, applied by lanes_nan32 and
 * lanes_nan64 whenever a result is NaN: the first source that is NaN, made quiet; if none is (inf - inf, 0 * inf, ...)
 * the default NaN: sign clear, only the top bit of the mantissa set.  A decoder whose chips have another one has a rule
 * of its own.
 */
#ifndef GPUDBG_LANES_H
#define GPUDBG_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Bits and values ---- */

static inline float lanes_f32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, 4);
    return f;
}

static inline uint32_t lanes_bits32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, 4);
    return bits;
}

static inline double lanes_f64(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, 8);
    return f;
}

static inline uint64_t lanes_bits64(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, 8);
    return bits;
}

/* c ? a : b, computed without a branch, so that the compiler can vectorise loops over lanes. */
static inline uint32_t lanes_select(bool c, uint32_t a, uint32_t b) { return b ^ ((a ^ b) & (0 - (uint32_t)c)); }

static inline uint64_t lanes_select64(bool c, uint64_t a, uint64_t b) { return b ^ ((a ^ b) & (0 - (uint64_t)c)); }

static inline float lanes_select_f32(bool c, float a, float b)
{
    return lanes_f32(lanes_select(c, lanes_bits32(a), lanes_bits32(b)));
}

static inline double lanes_select_f64(bool c, double a, double b)
{
    return lanes_f64(lanes_select64(c, lanes_bits64(a), lanes_bits64(b)));
}

#define LANES_NAN32 0x7fc00000u
#define LANES_NAN64 0x7ff8000000000000u
#define LANES_INF32 0x7f800000u
#define LANES_INF64 0x7ff0000000000000u
#define LANES_SIGN32 0x80000000u
#define LANES_SIGN64 0x8000000000000000u

static inline bool lanes_isnan32(uint32_t bits) { return (bits & ~LANES_SIGN32) > LANES_INF32; }

static inline bool lanes_isnan64(uint64_t bits) { return (bits & ~LANES_SIGN64) > LANES_INF64; }

static inline bool lanes_signals32(uint32_t bits) { return lanes_isnan32(bits) & !(bits & 0x400000); }

static inline bool lanes_signals64(uint64_t bits) { return lanes_isnan64(bits) & !(bits >> 51 & 1); }

/* The NaN that an operation on a, b, c returns; sources that the operation does not have are 0. */
static inline uint32_t lanes_nan32(uint32_t a, uint32_t b, uint32_t c)
{
    return lanes_isnan32(a)   ? a | 0x400000
           : lanes_isnan32(b) ? b | 0x400000
           : lanes_isnan32(c) ? c | 0x400000
                              : LANES_NAN32;
}

static inline uint64_t lanes_nan64(uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t quiet = 1ull << 51;
    return lanes_isnan64(a) ? a | quiet : lanes_isnan64(b) ? b | quiet : lanes_isnan64(c) ? c | quiet : LANES_NAN64;
}

/* A denormal becomes a zero of its sign, unless keep. */
static inline uint32_t lanes_flush32(uint32_t bits, bool keep)
{
    const uint32_t all = 0 - (uint32_t)(((bits & LANES_INF32) != 0) | keep);
    return bits & (all | LANES_SIGN32);
}

static inline uint64_t lanes_flush64(uint64_t bits, bool keep)
{
    const uint64_t all = 0 - (uint64_t)(((bits & LANES_INF64) != 0) | keep);
    return bits & (all | LANES_SIGN64);
}

/* ---- Half precision ---- */

enum lanes_round { LANES_NEAREST, LANES_UP, LANES_DOWN, LANES_ZERO };

/* The float with the value of a half; a NaN keeps its sign and payload and becomes quiet. */
static inline uint32_t lanes_f32_from_f16(uint32_t half, bool keep_denormals)
{
    uint32_t sign = (half & 0x8000) << 16, exp = half >> 10 & 31, mant = half & 0x3ff;
    if (exp == 31) return sign | LANES_INF32 | mant << 13 | (mant ? 0x400000 : 0);
    if (exp) return sign | (exp + 112) << 23 | mant << 13;
    if (!mant || !keep_denormals) return sign;
    return sign | lanes_bits32((float)(int)mant * 0x1p-24f);
}

/* Rounds value / 2^shift (shift < 64) to an integer; sign: the value is the magnitude of a negative number. */
static inline uint64_t lanes_round_shift(uint64_t value, unsigned shift, bool sign, enum lanes_round round)
{
    if (!shift) return value;
    uint64_t whole = value >> shift, rest = value & ((1ull << shift) - 1), half = 1ull << (shift - 1);
    bool more = round == LANES_NEAREST ? rest > half || (rest == half && (whole & 1))
                : round == LANES_UP    ? rest && !sign
                : round == LANES_DOWN  ? rest && sign
                                       : false;
    return whole + more;
}

/* The half nearest a float in the given direction; a NaN keeps its sign and the top of its payload and becomes quiet.
 */
static inline uint32_t lanes_f16_from_f32(uint32_t bits, enum lanes_round round, bool keep_denormals)
{
    uint32_t sign = bits >> 16 & 0x8000, mant = bits & 0x7fffff;
    int exp = (int)(bits >> 23 & 0xff) - 127;
    if (exp == 128) return sign | 0x7c00 | (mant ? 0x200 | mant >> 13 : 0);
    if (exp == -127 && !mant) return sign;
    uint64_t value = exp == -127 ? mant : mant | 0x800000; /* times 2^(exp - 23), or 2^-149 */
    if (exp == -127) exp = -126;
    if (exp < -14) {
        unsigned shift = 13 + (unsigned)(-14 - exp);
        uint32_t r = (uint32_t)lanes_round_shift(value, shift > 40 ? 40 : shift, sign, round);
        return r & 0x400 || keep_denormals ? sign | r : sign;
    }
    uint32_t r = ((uint32_t)(exp + 14) << 10) + (uint32_t)lanes_round_shift(value, 13, sign, round);
    if (r < 0x7c00) return sign | r;
    bool infinite = round == LANES_NEAREST || (round == LANES_UP && !sign) || (round == LANES_DOWN && sign);
    return sign | (infinite ? 0x7c00 : 0x7bff);
}

/* The half nearest a double.  It goes through a float that is rounded to odd if it is inexact: so the value is rounded
 * only once. */
static inline uint32_t lanes_f16_from_f64(double d)
{
    const float f = (float)d;
    uint32_t bits = lanes_bits32(f);
    if (d == d && (double)f != d) bits = (bits - (d > 0 ? (double)f > d : (double)f < d)) | 1;
    return lanes_f16_from_f32(bits, LANES_NEAREST, true);
}

/* ---- Conversions ---- */

/* Toward zero, to the nearest end of the range, NaN to 0. */
static inline int32_t lanes_i32(double x)
{
    return x != x ? 0 : x >= 2147483647.0 ? INT32_MAX : x <= -2147483648.0 ? INT32_MIN : (int32_t)x;
}

static inline uint32_t lanes_u32(double x)
{
    return !(x > 0) ? 0 : x >= 4294967295.0 ? UINT32_MAX : (uint32_t)(int64_t)x;
}

static inline int32_t lanes_i32_f32(float x)
{
    return x != x ? 0 : x >= 0x1p31f ? INT32_MAX : x <= -0x1p31f ? INT32_MIN : (int32_t)x;
}

/* Narrowing with a NaN that keeps its sign and the top of its payload. */
static inline uint32_t lanes_f32_from_f64(uint64_t bits)
{
    if (lanes_isnan64(bits))
        return (uint32_t)(bits >> 32 & LANES_SIGN32) | LANES_NAN32 | (uint32_t)(bits >> 29 & 0x3fffff);
    return lanes_bits32((float)lanes_f64(bits));
}

static inline uint64_t lanes_f64_from_f32(uint32_t bits)
{
    if (lanes_isnan32(bits))
        return (uint64_t)(bits & LANES_SIGN32) << 32 | LANES_NAN64 | (uint64_t)(bits & 0x3fffff) << 29;
    return lanes_bits64((double)lanes_f32(bits));
}

/* To a whole number as the environment rounds; |x| < 2^51. */
static inline double lanes_rint(double x) { return x < 0 ? (x - 0x1p52) + 0x1p52 : (x + 0x1p52) - 0x1p52; }

static inline int32_t lanes_clamp(int64_t x, int32_t lo, int32_t hi) { return x < lo ? lo : x > hi ? hi : (int32_t)x; }

/* [-1, 1] to [-32767, 32767] and [0, 1] to [0, 65535], rounded as the environment says; NaN is 0. */
static inline uint32_t lanes_snorm16(float x)
{
    return x != x ? 0 : (uint32_t)(int32_t)lanes_rint((x > 1 ? 1 : x < -1 ? -1 : (double)x) * 32767) & 0xffff;
}

static inline uint32_t lanes_unorm16(float x)
{
    return !(x > 0) ? 0 : (uint32_t)(int32_t)lanes_rint((x > 1 ? 1 : (double)x) * 65535);
}

/* Whole numbers toward zero, down and up, whatever the environment's rounding.  Without an instruction for them
 * compilers may assume rounding to nearest, so then the fraction's bits are cut off. */
#if defined(__x86_64__) && !defined(__SSE4_1__)
static inline float lanes_trunc32(float x)
{
    uint32_t bits = lanes_bits32(x), exp = bits >> 23 & 0xff;
    uint32_t fraction = exp < 127 ? ~LANES_SIGN32 : exp < 150 ? 0x7fffffu >> (exp - 127) : 0;
    return lanes_f32(bits & ~fraction);
}

static inline double lanes_trunc64(double x)
{
    uint64_t bits = lanes_bits64(x), exp = bits >> 52 & 0x7ff;
    uint64_t fraction = exp < 1023 ? ~LANES_SIGN64 : exp < 1075 ? 0xfffffffffffffu >> (exp - 1023) : 0;
    return lanes_f64(bits & ~fraction);
}

static inline float lanes_floor32(float x)
{
    float t = lanes_trunc32(x);
    return t > x ? t - 1 : t;
}

static inline double lanes_floor64(double x)
{
    double t = lanes_trunc64(x);
    return t > x ? t - 1 : t;
}

static inline float lanes_ceil32(float x)
{
    float t = lanes_trunc32(x);
    return t < x ? lanes_f32(lanes_bits32(t + 1) | (lanes_bits32(x) & LANES_SIGN32)) : t;
}

static inline double lanes_ceil64(double x)
{
    double t = lanes_trunc64(x);
    return t < x ? lanes_f64(lanes_bits64(t + 1) | (lanes_bits64(x) & LANES_SIGN64)) : t;
}
#else
static inline float lanes_trunc32(float x) { return truncf(x); }

static inline double lanes_trunc64(double x) { return trunc(x); }

static inline float lanes_floor32(float x) { return floorf(x); }

static inline double lanes_floor64(double x) { return floor(x); }

static inline float lanes_ceil32(float x) { return ceilf(x); }

static inline double lanes_ceil64(double x) { return ceil(x); }
#endif

/* ---- Minimum and maximum ---- */

/* -0 is less than +0.  If one operand is a NaN, the result is the other one; with `ieee`, a signalling NaN is the
 * result instead.  If both are NaNs, the caller decides. */
/* Maps the bits of a float to a signed integer, so that the integers have the order of the floats. */
static inline int32_t lanes_order32(uint32_t bits) { return (int32_t)(bits ^ ((uint32_t)((int32_t)bits >> 31) >> 1)); }

static inline int64_t lanes_order64(uint64_t bits) { return (int64_t)(bits ^ ((uint64_t)((int64_t)bits >> 63) >> 1)); }

/* x if `first` is true, otherwise y.  NaNs are treated as the comment above says. */
static inline float lanes_choose32(uint32_t x, uint32_t y, bool first, bool ieee)
{
    uint32_t r = lanes_select(first, x, y);
    r = lanes_select(lanes_isnan32(y), x, r);
    r = lanes_select(lanes_isnan32(x), y, r);
    r = lanes_select(ieee & lanes_signals32(y), y, r);
    return lanes_f32(lanes_select(ieee & lanes_signals32(x), x, r));
}

/* x if `first` is true, otherwise y.  NaNs are treated as the comment above says. */
static inline double lanes_choose64(uint64_t x, uint64_t y, bool first, bool ieee)
{
    uint64_t r = lanes_select64(first, x, y);
    r = lanes_select64(lanes_isnan64(y), x, r);
    r = lanes_select64(lanes_isnan64(x), y, r);
    r = lanes_select64(ieee & lanes_signals64(y), y, r);
    return lanes_f64(lanes_select64(ieee & lanes_signals64(x), x, r));
}

static inline float lanes_min32(float a, float b, bool ieee)
{
    uint32_t x = lanes_bits32(a), y = lanes_bits32(b);
    return lanes_choose32(x, y, lanes_order32(x) < lanes_order32(y), ieee);
}

static inline float lanes_max32(float a, float b, bool ieee)
{
    uint32_t x = lanes_bits32(a), y = lanes_bits32(b);
    return lanes_choose32(x, y, lanes_order32(x) > lanes_order32(y), ieee);
}

static inline double lanes_min64(double a, double b, bool ieee)
{
    uint64_t x = lanes_bits64(a), y = lanes_bits64(b);
    return lanes_choose64(x, y, lanes_order64(x) < lanes_order64(y), ieee);
}

static inline double lanes_max64(double a, double b, bool ieee)
{
    uint64_t x = lanes_bits64(a), y = lanes_bits64(b);
    return lanes_choose64(x, y, lanes_order64(x) > lanes_order64(y), ieee);
}

static inline int32_t lanes_mini(int32_t a, int32_t b) { return a < b ? a : b; }

static inline int32_t lanes_maxi(int32_t a, int32_t b) { return a > b ? a : b; }

static inline uint32_t lanes_minu(uint32_t a, uint32_t b) { return a < b ? a : b; }

static inline uint32_t lanes_maxu(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* ---- Scaling ---- */

/* x * 2^n, rounded once. */
static inline float lanes_ldexp32(float x, int32_t n)
{
    n = n > 400 ? 400 : n < -400 ? -400 : n;
    return (float)((double)x * lanes_f64((uint64_t)(1023 + n) << 52));
}

static inline double lanes_ldexp64(double x, int32_t n)
{
    n = n > 2200 ? 2200 : n < -2200 ? -2200 : n;
    /* At most two steps bring n into the range of one factor.  Steps down are short, so that a normal number stays
     * normal and only the last multiplication can round. */
    for (int step = 0; step < 2; step++) {
        const int32_t part = n > 1023 ? 1023 : n < -1022 ? -969 : 0;
        x *= lanes_f64((uint64_t)(1023 + part) << 52);
        n -= part;
    }
    return x * lanes_f64((uint64_t)(1023 + n) << 52);
}

/* x = significand * 2^exponent with a significand in [0.5, 1); 0, infinities and NaN have the exponent 0. */
static inline int32_t lanes_exponent64(double x)
{
    uint64_t bits = lanes_bits64(x) & ~LANES_SIGN64;
    if (!bits || bits >= LANES_INF64) return 0;
    if (bits >> 52) return (int32_t)(bits >> 52) - 1022;
    return (int32_t)(lanes_bits64(x * 0x1p64) >> 52 & 0x7ff) - 1022 - 64;
}

static inline double lanes_significand64(double x)
{
    uint64_t bits = lanes_bits64(x);
    if (!(bits & ~LANES_SIGN64) || (bits & ~LANES_SIGN64) >= LANES_INF64) return x;
    if (!(bits & LANES_INF64)) bits = lanes_bits64(x * 0x1p64);
    return lanes_f64((bits & ~LANES_INF64) | 0x3feull << 52);
}

/* ---- Functions of one float: evaluated in double precision, rounded to float once ---- */

/* 2^x: x = i + f, |f| <= 1/2; Taylor's series of 2^f. */
static inline float lanes_exp2(float x)
{
    double t = x > 200 ? 200 : x > -200 ? (double)x : -200, i = (t + 0x1.8p52) - 0x1.8p52, f = t - i;
    double p = 0x1.c3bd650fc2986p-36;
    p = p * f + 0x1.e8cac7351bb25p-32;
    p = p * f + 0x1.e4cf5158b8ecap-28;
    p = p * f + 0x1.b5253d395e7c4p-24;
    p = p * f + 0x1.62c0223a5c824p-20;
    p = p * f + 0x1.ffcbfc588b0c7p-17;
    p = p * f + 0x1.430912f86c787p-13;
    p = p * f + 0x1.5d87fe78a6731p-10;
    p = p * f + 0x1.3b2ab6fba4e77p-7;
    p = p * f + 0x1.c6b08d704a0c0p-5;
    p = p * f + 0x1.ebfbdff82c58fp-3;
    p = p * f + 0x1.62e42fefa39efp-1;
    p = p * f + 1;
    return x != x ? x : (float)(p * lanes_f64((uint64_t)((int32_t)i + 1023) << 52));
}

/* log2(x): x = m * 2^e with m in [1/sqrt 2, sqrt 2); s = (m - 1) / (m + 1); 2 / ln 2 * (s + s^3 / 3 + s^5 / 5 + ...).
 */
static inline float lanes_log2(float x)
{
    uint64_t bits = lanes_bits64((double)x);
    int32_t e = (int32_t)(bits >> 52 & 0x7ff) - 1023;
    uint64_t mantissa = bits & 0xfffffffffffffu;
    bool upper = (int64_t)mantissa > 0x6a09e667f3bcd;
    double m = lanes_f64(mantissa | (0x3ffull - upper) << 52);
    double s = (m - 1) / (m + 1), z = s * s;
    double p = 0x1.00ecd7e080215p-3;
    p = p * z + 0x1.1964ec6fc9491p-3;
    p = p * z + 0x1.3703c1f4d0ffep-3;
    p = p * z + 0x1.5b9ac9b743f0dp-3;
    p = p * z + 0x1.89f3b1694cffep-3;
    p = p * z + 0x1.c68f568d31760p-3;
    p = p * z + 0x1.0c9a84994022dp-2;
    p = p * z + 0x1.484b13d7c02a9p-2;
    p = p * z + 0x1.a61762a7aded9p-2;
    p = p * z + 0x1.2776c50ef9bfep-1;
    p = p * z + 0x1.ec709dc3a03fdp-1;
    p = p * z + 0x1.71547652b82fep+1;
    double r = p * s + (double)(e + (int32_t)upper);
    float log = lanes_select_f32(x == INFINITY, INFINITY, (float)r);
    log = lanes_select_f32(x < 0, lanes_f32(LANES_NAN32), log);
    log = lanes_select_f32(x == 0, -INFINITY, log);
    return lanes_select_f32(x != x, x, log);
}

/* sin(2 pi r) and cos(2 pi r), |r| <= 1/8. */
static inline double lanes_sin_eighth(double r)
{
    double z = r * r;
    double p = 0x1.aaec32af93359p-4;
    p = p * z - 0x1.6fadb9f155744p-1;
    p = p * z + 0x1.e8f434d018d63p+1;
    p = p * z - 0x1.e3074fde8871fp+3;
    p = p * z + 0x1.50783487ee782p+5;
    p = p * z - 0x1.32d2cce62bd86p+6;
    p = p * z + 0x1.466bc6775aae2p+6;
    p = p * z - 0x1.4abbce625be53p+5;
    p = p * z + 0x1.921fb54442d18p+2;
    return p * r;
}

static inline double lanes_cos_eighth(double r)
{
    double z = r * r;
    double p = 0x1.20c62c2f2d7f5p-2;
    p = p * z - 0x1.b6e24f44b128fp+0;
    p = p * z + 0x1.f9d38a3763cc3p+2;
    p = p * z - 0x1.a6d1f2a204a8cp+4;
    p = p * z + 0x1.e1f506891babbp+5;
    p = p * z - 0x1.55d3c7e3cbffap+6;
    p = p * z + 0x1.03c1f081b5ac4p+6;
    p = p * z - 0x1.3bd3cc9be45dep+4;
    return p * z + 1;
}

/* ---- Bits ---- */

static inline uint32_t lanes_popcount(uint32_t x)
{
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f;
    return x * 0x01010101 >> 24;
}

static inline uint32_t lanes_reverse(uint32_t x)
{
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    x = (x >> 8 & 0x00ff00ff) | (x & 0x00ff00ff) << 8;
    return x >> 16 | x << 16;
}

/* Zeros above the first one, from bit 31 down; below it, from bit 0 up.  x is not 0. */
static inline uint32_t lanes_clz(uint32_t x) { return (uint32_t)__builtin_clz(x); }

static inline uint32_t lanes_ctz(uint32_t x) { return (uint32_t)__builtin_ctz(x); }

/* ---- Vector widths ---- */

/* A file of loops over lanes (*_simd.c) is compiled once for each vector width that the build knows.  The names
 * that it exports end with the level: 1 for every machine, 3 for AVX2, 4 for AVX-512.  A build may leave out levels,
 * not all of them: declare the names with this macro, and their address is NULL if they are missing. */
#define LANES_MISSING __attribute__((weak))

/* Returns one of the three that was built, whatever this processor can run: for what the levels share, no code. */
static inline const void *lanes_any(const void *one, const void *three, const void *four)
{
    return one ? one : three ? three : four;
}

/* Returns the widest of the three that was built and that this processor can run.  The environment variable GPUDBG_SIMD
 * names a lower level.  A build for one kind of processor has one level, and that is returned. */
static inline const void *lanes_widest(const void *one, const void *three, const void *four)
{
#if defined(__x86_64__)
    const char *wish = getenv("GPUDBG_SIMD");
    int level = wish && *wish ? atoi(wish) : 4;
    __builtin_cpu_init();
    bool has3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    bool has4 = has3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                __builtin_cpu_supports("avx512cd");
    if (level >= 4 && has4 && four) return four;
    if (level >= 3 && has3 && three) return three;
#else
    (void)three;
    (void)four;
#endif
    return lanes_any(one, three, four);
}

#endif
