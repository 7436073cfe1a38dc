/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t/data/kernels/isa.cl: single instructions, by the right halves of the lists in t/data/kernels/isa/. */
#include "reference.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>

/* ---- What the lists call ---- */

#define least(a, b) ((a) < (b) ? (a) : (b))
#define most(a, b) ((a) > (b) ? (a) : (b))

static uint32_t ones64(uint64_t x) { return (uint32_t)__builtin_popcountll(x); }
static uint32_t count_ones(uint32_t x) { return ones64(x); }
static uint32_t leading_zeros(uint32_t x) { return (uint32_t)__builtin_clz(x); }
static uint32_t trailing_zeros(uint32_t x) { return (uint32_t)__builtin_ctz(x); }
static uint32_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }
static uint32_t uint24(uint32_t x) { return x & 0xffffff; }
static int32_t int24(uint32_t x) { return (int32_t)(x << 8) >> 8; }

static uint32_t reversed(uint32_t x)
{
    uint32_t r = 0;
    for (int k = 0; k < 32; k++) r |= (x >> k & 1) << (31 - k);
    return r;
}

static uint32_t limited(int64_t x, int64_t lo, int64_t hi) { return (uint32_t)(x < lo ? lo : x > hi ? hi : x); }

static uint32_t sign_extended(uint32_t x, uint32_t width)
{
    return (uint32_t)((int32_t)(x << (32 - width)) >> (32 - width));
}

/* Bytes of x that are zero in y do not count if `masked`. */
static uint32_t byte_differences(uint32_t x, uint32_t y, bool masked)
{
    uint32_t sum = 0;
    for (int k = 0; k < 32; k += 8)
        if (!masked || (y >> k & 255)) sum += apart(x >> k & 255, y >> k & 255);
    return sum;
}

static uint32_t byte_average(uint32_t x, uint32_t y, uint32_t round)
{
    uint32_t r = 0;
    for (int k = 0; k < 32; k += 8) r |= ((x >> k & 255) + (y >> k & 255) + (round >> k & 1)) / 2 << k;
    return r;
}

static uint64_t packed_differences(uint64_t x, uint32_t y, uint64_t sums, bool masked)
{
    uint64_t r = 0;
    for (int k = 0; k < 4; k++)
        r |= (uint64_t)((uint16_t)(sums >> 16 * k) + byte_differences((uint32_t)(x >> 8 * k), y, masked)) << 16 * k;
    return r;
}

static uint32_t limited_float(double x, double lo, double hi)
{
    return isnan(x) ? 0 : (uint32_t)(int64_t)(x < lo ? lo : x > hi ? hi : x);
}

/* NaN becomes 0: DX10_CLAMP is set. */
static float clamped(float x) { return x > 1 ? 1 : x > 0 ? x : 0; }

static float median(float x, float y, float z)
{
    if (isnan(x) || isnan(y) || isnan(z)) return fminf(fminf(x, y), z);
    return most(least(x, y), least(most(x, y), z));
}

/* 0 to 5: +x -x +y -y +z -z. */
static int cube_face(float x, float y, float z)
{
    if (fabsf(z) >= fabsf(x) && fabsf(z) >= fabsf(y)) return z < 0 ? 5 : 4;
    if (fabsf(y) >= fabsf(x)) return y < 0 ? 3 : 2;
    return x < 0 ? 1 : 0;
}

static uint64_t field(uint64_t x, uint32_t at, uint32_t width, uint32_t bits)
{
    return width == 0 ? 0 : width >= bits ? x >> at : x >> at & (((uint64_t)1 << width) - 1);
}

/* x is sign-extended to 64 bits; what lies above its `bits` is the sign too. */
static uint64_t signed_field(uint64_t x, uint32_t at, uint32_t width, uint32_t bits)
{
    if (width == 0) return 0;
    if (width + at > bits) width = bits - at;
    return (uint64_t)((int64_t)(x << (64 - at - width)) >> (64 - width));
}

static uint64_t spread_quads(uint64_t x, int bits)
{
    uint64_t r = 0;
    for (int k = 0; k < bits; k += 4)
        if (x >> k & 15) r |= (uint64_t)15 << k;
    return r;
}

static uint64_t gathered_quads(uint64_t x, int bits)
{
    uint64_t r = 0;
    for (int k = 0; k < bits; k += 4) r |= (uint64_t)((x >> k & 15) != 0) << k / 4;
    return r;
}

/* ---- Vector instructions ---- */

#define ROW(value) out[row++ * n + i] = (uint32_t)(value)
#define V1(name, value) ROW(value);
#define V2(name, value) ROW(value);
#define V3(name, value) ROW(value);
#define T(text, value) ROW(value);
#define Q3(name, value) \
    wide = (value);     \
    ROW(wide);          \
    ROW(wide >> 32);
#define O3(name, value) \
    for (int k = 0; k < 4; k++) ROW(value);

#define VECTOR_FUNCTION_HEAD                                                                                       \
    uint32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3); \
    size_t n = ref_integer(run, 4);                                                                                \
    for (size_t i = 0; i < n; i++) {                                                                               \
        uint32_t x = a[i], y = b[i], z = c[i], lane = (uint32_t)i % 64;                                            \
        int32_t ix = (int32_t)x, iy = (int32_t)y, iz = (int32_t)z;                                                 \
        uint64_t X = (uint64_t)y << 32 | x, Z = ((uint64_t)x << 32 | z) & 0x0fff0fff0fff0fff, wide = 0;            \
        float fx = bits_float(x), fy = bits_float(y), fz = bits_float(z);                                          \
        int e = 0;                                                                                                 \
        size_t row = 0;                                                                                            \
        (void)lane, (void)ix, (void)iy, (void)iz, (void)X, (void)Z, (void)wide, (void)fx, (void)fy, (void)fz, (void)e;

static void isa_vector_integer(const struct host_run *run)
{
    VECTOR_FUNCTION_HEAD
#include "../data/kernels/isa/vector_integer.def"
}
}

static void isa_vector_float(const struct host_run *run)
{
    VECTOR_FUNCTION_HEAD
#include "../data/kernels/isa/vector_float.def"
}
}

static void isa_vector_order(const struct host_run *run)
{
    VECTOR_FUNCTION_HEAD
#include "../data/kernels/isa/vector_order.def"
}
}

static void isa_vector_near(const struct host_run *run)
{
    VECTOR_FUNCTION_HEAD
#include "../data/kernels/isa/vector_near.def"
}
}

/* ---- Comparisons ---- */

#define COMPARED(type, left, right, value, mask) \
    {                                            \
        type a = (left), b = (right);            \
        bool un = a != a || b != b;              \
        (void)un;                                \
        bits |= (value) ? (mask) : 0u;           \
    }
#define F(name, value)                                              \
    {                                                               \
        uint32_t bits = 0;                                          \
        COMPARED(float, bits_float(x), bits_float(y), value, 0x0fu) \
        COMPARED(double, fX, fY, value, 0xf0u)                      \
        ROW(bits);                                                  \
    }
#define I(name, value)                                          \
    {                                                           \
        uint32_t bits = 0;                                      \
        COMPARED(int32_t, (int32_t)x, (int32_t)y, value, 0x03u) \
        COMPARED(uint32_t, x, y, value, 0x0cu)                  \
        COMPARED(int64_t, (int64_t)X, (int64_t)Y, value, 0x30u) \
        COMPARED(uint64_t, X, Y, value, 0xc0u)                  \
        ROW(bits);                                              \
    }

/* The bit of V_CMP_CLASS's mask that a value belongs to; there are no signalling NaNs in the input. */
static uint32_t class_of(int kind, bool negative)
{
    switch (kind) {
    case FP_NAN: return 1 << 1;
    case FP_INFINITE: return negative ? 1 << 2 : 1 << 9;
    case FP_NORMAL: return negative ? 1 << 3 : 1 << 8;
    case FP_SUBNORMAL: return negative ? 1 << 4 : 1 << 7;
    default: return negative ? 1 << 5 : 1 << 6;
    }
}

static void isa_compare(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *as = ref_buffer(run, 1), *bs = ref_buffer(run, 2);
    uint64_t *cs = ref_buffer(run, 3), *ds = ref_buffer(run, 4);
    size_t n = ref_integer(run, 5);
    for (size_t i = 0; i < n; i++) {
        uint32_t x = as[i], y = bs[i];
        uint64_t X = cs[i], Y = ds[i];
        double fX, fY;
        size_t row = 0;
        memcpy(&fX, &X, 8);
        memcpy(&fY, &Y, 8);
#include "../data/kernels/isa/compare.def"
        uint32_t chosen = (uint32_t)(X ^ Y) & 1023;
        bool single = chosen & class_of(fpclassify(bits_float(x)), x >> 31);
        bool twice = chosen & class_of(fpclassify(fX), X >> 63);
        ROW((single ? 3 : 0) | (twice ? 12 : 0));
    }
}

/* ---- Scalar instructions ---- */

#define SCALAR(type, before, ...) \
    {                             \
        type d = (before);        \
        uint32_t c = first;       \
        __VA_ARGS__               \
        out[row++ * n + i] = d;   \
        out[row++ * n + i] = c;   \
    }
#define nz c = d != 0;
#define BBB(name, ...) SCALAR(uint32_t, 0, __VA_ARGS__)
#define QQQ(name, ...) SCALAR(uint64_t, 0, __VA_ARGS__)
#define QQB(name, ...) SCALAR(uint64_t, 0, __VA_ARGS__)
#define QBB(name, ...) SCALAR(uint64_t, 0, __VA_ARGS__)
#define BB(name, ...) SCALAR(uint32_t, 0, __VA_ARGS__)
#define QQ(name, ...) SCALAR(uint64_t, 0, __VA_ARGS__)
#define BQ(name, ...) SCALAR(uint32_t, 0, __VA_ARGS__)
#define D_BB(name, ...) SCALAR(uint32_t, y, __VA_ARGS__)
#define D_QQ(name, ...) SCALAR(uint64_t, Y, __VA_ARGS__)
#define D_QB(name, ...) SCALAR(uint64_t, Y, __VA_ARGS__)
#define K_(name, immediate, ...) SCALAR(uint32_t, y, __VA_ARGS__)
#define C_BB(name, ...) SCALAR(uint32_t, 0, __VA_ARGS__)
#define C_QB(name, ...) SCALAR(uint32_t, 0, __VA_ARGS__)
#define C_K(name, immediate, ...) SCALAR(uint32_t, 0, __VA_ARGS__)

static void isa_scalar(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < n; i++) {
        uint64_t X = a[i], Y = b[i];
        uint32_t x = (uint32_t)X, y = (uint32_t)Y, first = X >> 32 & 1;
        int32_t ix = (int32_t)x, iy = (int32_t)y;
        size_t row = 0;
#include "../data/kernels/isa/scalar.def"
    }
}

/* ---- Memory ---- */

#undef ROW
#define ROW(value) out[row++ * n + i] = (value)
#define WORD(value)                 \
    {                               \
        uint32_t m = x;             \
        value;                      \
        ROW(x);                     \
        ROW((uint64_t)y << 32 | m); \
    }
#define WIDE(value)                         \
    {                                       \
        uint64_t M = (uint64_t)y << 32 | x; \
        ROW(M);                             \
        value;                              \
        ROW(M);                             \
    }
#define L(name, value) WORD(value)
#define L2(name, value) WORD(value)
#define LQ(name, value) WIDE(value)
#define LQ2(name, value) WIDE(value)
#define LR(name, value) \
    ROW(value);         \
    ROW((uint64_t)y << 32 | x);
#define G(name, value) WORD(value)
#define GQ(name, value) WIDE(value)
#define G2(name, data, value) WORD(value)
#define B(name, value) WORD(value)
#define B2(name, data, value) WORD(value)
#define BQ_(name, value)                    \
    {                                       \
        uint64_t M = (uint64_t)y << 32 | x; \
        ROW(x);                             \
        value;                              \
        ROW(M);                             \
    }

static void isa_memory(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0);
    uint32_t *a = ref_buffer(run, 2), *b = ref_buffer(run, 3), *c = ref_buffer(run, 4);
    size_t n = ref_integer(run, 5);
    for (size_t i = 0; i < n; i++) {
        uint32_t x = a[i], y = b[i], z = c[i];
        uint64_t Y = (uint64_t)x << 32 | z, Z = (uint64_t)z << 32 | y;
        size_t row = 0;
#include "../data/kernels/isa/memory.def"
    }
}

/* x * y + z, rounded once in that direction. */
static float rounded(int direction, float x, float y, float z)
{
    volatile float a = x, b = y, c = z, r;
    fesetround(direction);
    r = b == 1 ? a + c : fmaf(a, b, c);
    fesetround(FE_TONEAREST);
    return r;
}

#undef ROW
#define X(text, value) out[row++ * n + i] = (uint32_t)(value);

static void isa_special(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = a[i], y = b[i], z = c[i], lane = i % 64, first = i - lane;
        float fx = bits_float(x), fy = bits_float(y), fz = bits_float(z);
        size_t row = 0;
#include "../data/kernels/isa/special.def"
    }
}

const struct reference reference_isa[] = {
    {"isa_special", isa_special},
    {"isa_vector_integer", isa_vector_integer},
    {"isa_vector_float", isa_vector_float},
    {"isa_vector_order", isa_vector_order},
    {"isa_vector_near", isa_vector_near},
    {"isa_compare", isa_compare},
    {"isa_scalar", isa_scalar},
    {"isa_memory", isa_memory},
    {NULL, NULL},
};
