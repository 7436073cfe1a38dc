/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channels_simd.c: see channels_simd.h. */
#include "run/channels_simd.h"

#include <math.h>
#include <string.h>

#define NAN_BITS 0x7fc00000u

static inline uint32_t flushed(uint32_t u) { return u & 0x7f800000 ? u : u & 0x80000000; }

static inline bool is_nan(uint32_t u) { return (u & 0x7fffffff) > 0x7f800000; }

/* A result as arithmetic leaves it. */
static inline uint32_t result(float f, bool flush)
{
    uint32_t u = lanes_bits32(f);
    u = flush ? flushed(u) : u;
    return is_nan(u) ? NAN_BITS : u;
}

/* Channels do not depend on each other, though d may be a, b or c. */
#if defined(__clang__)
#define APART _Pragma("clang loop vectorize(assume_safety)")
#else
#define APART _Pragma("GCC ivdep")
#endif

/* The three sizes as loops of a known length. */
#define LOOP(expression)                                           \
    do {                                                           \
        if (n == 8) {                                              \
            APART                                                  \
            for (unsigned i = 0; i < 8; i++) d[i] = (expression);  \
        } else if (n == 16) {                                      \
            APART                                                  \
            for (unsigned i = 0; i < 16; i++) d[i] = (expression); \
        } else {                                                   \
            APART                                                  \
            for (unsigned i = 0; i < 32; i++) d[i] = (expression); \
        }                                                          \
    } while (0)
#define A a[i]
#define B b[i]
#define C c[i]
#define ROW(name, expression)                                                                                      \
    static void name(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, unsigned n, bool flush) \
    {                                                                                                              \
        (void)a;                                                                                                   \
        (void)b;                                                                                                   \
        (void)c;                                                                                                   \
        (void)flush;                                                                                               \
        LOOP(expression);                                                                                          \
    }
/* The same twice: where denormals stay, and where they do not. */
#define FROW(name, expression)                                                                                     \
    static inline uint32_t name##_one(uint32_t x, uint32_t y, uint32_t z, bool flush)                              \
    {                                                                                                              \
        float X = lanes_f32(flush ? flushed(x) : x), Y = lanes_f32(flush ? flushed(y) : y),                        \
              Z = lanes_f32(flush ? flushed(z) : z);                                                               \
        (void)X;                                                                                                   \
        (void)Y;                                                                                                   \
        (void)Z;                                                                                                   \
        return result(expression, flush);                                                                          \
    }                                                                                                              \
    static void name(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, unsigned n, bool flush) \
    {                                                                                                              \
        b = b ? b : a;                                                                                             \
        c = c ? c : a;                                                                                             \
        if (flush)                                                                                                 \
            LOOP(name##_one(A, B, C, true));                                                                       \
        else                                                                                                       \
            LOOP(name##_one(A, B, C, false));                                                                      \
    }

ROW(copy, A)
ROW(add, A + B)
ROW(mul, A *B)
ROW(mul16, A *(B & 0xffff))
ROW(mad, A + B * C)
ROW(and, A &B)
ROW(or, A | B)
ROW(xor, A ^ B)
ROW(not, ~A)
ROW(shl, A << (B & 31))
ROW(shr, A >> (B & 31))
ROW(asr, (uint32_t)((int32_t)A >> (B & 31)))
ROW(rol, A << (B & 31) | A >> (-B & 31))
ROW(ror, A >> (B & 31) | A << (-B & 31))
ROW(imax, (int32_t)A >= (int32_t)B ? A : B)
ROW(imin, (int32_t)A < (int32_t)B ? A : B)
ROW(umax, A >= B ? A : B)
ROW(umin, A < B ? A : B)

FROW(add_f, X + Y)
FROW(mul_f, X *Y)
FROW(mad_f, fmaf(Y, Z, X))

/* Minimum and maximum: a NaN loses; of two, src1 is taken as it is. */
static inline uint32_t chosen(uint32_t x, uint32_t y, bool greater, bool flush)
{
    x = flush ? flushed(x) : x;
    y = flush ? flushed(y) : y;
    bool first = greater ? lanes_f32(x) >= lanes_f32(y) : lanes_f32(x) < lanes_f32(y);
    first = is_nan(y) ? !is_nan(x) : first;
    return first ? x : y;
}

ROW(fmax_, chosen(A, B, true, flush))
ROW(fmin_, chosen(A, B, false, flush))
ROW(flush_, flush ? flushed(A) : A)

static inline uint32_t rounded(uint32_t x, float r)
{
    uint32_t u = lanes_bits32(r);
    return is_nan(x) ? NAN_BITS : (u & 0x7fffffff) | (x & 0x80000000);
}
ROW(floor_, rounded(A, floorf(lanes_f32(flush ? flushed(A) : A))))
ROW(ceil_, rounded(A, ceilf(lanes_f32(flush ? flushed(A) : A))))
ROW(nearest, rounded(A, rintf(lanes_f32(flush ? flushed(A) : A))))
ROW(trunc_, rounded(A, truncf(lanes_f32(flush ? flushed(A) : A))))

static inline uint32_t saturated(uint32_t x) { return is_nan(x) || x >> 31 ? 0 : x > 0x3f800000 ? 0x3f800000 : x; }
ROW(saturate, saturated(A))
ROW(f_of_d, lanes_bits32((float)(int32_t)A))
ROW(f_of_ud, lanes_bits32((float)A))

/* Out of range to the nearest value, NaN to 0: 2.4.1. */
static inline uint32_t to_d(uint32_t x)
{
    float f = lanes_f32(x);
    bool high = f >= 2147483648.0f, low = f < -2147483648.0f;
    float in = high || low || is_nan(x) ? 0 : f;
    uint32_t v = (uint32_t)(int32_t)in;
    return high ? 0x7fffffff : low ? 0x80000000 : v;
}
static inline uint32_t to_ud(uint32_t x)
{
    float f = lanes_f32(x);
    bool high = f >= 4294967296.0f, low = !(f > 0), upper = f >= 2147483648.0f;
    float in = high || low ? 0 : upper ? f - 2147483648.0f : f;
    uint32_t v = (uint32_t)(int32_t)in;
    return high ? 0xffffffff : v + (upper && !high ? 0x80000000u : 0);
}
ROW(d_of_f, to_d(A))
ROW(ud_of_f, to_ud(A))

static inline uint32_t function(uint32_t x, double r, bool flush)
{
    return is_nan(x) ? NAN_BITS : result((float)r, flush);
}
ROW(inv, function(A, 1.0 / (double)lanes_f32(flush ? flushed(A) : A), flush))
ROW(sqt, function(A, sqrt((double)lanes_f32(flush ? flushed(A) : A)), flush))
ROW(rsq, function(A, 1.0 / sqrt((double)lanes_f32(flush ? flushed(A) : A)), flush))

/* ---- Tests ---- */

#define TEST_(name, convert, operator)                                                              \
    static uint32_t name(const uint32_t *a, const uint32_t *b, unsigned n, bool flush)              \
    {                                                                                               \
        uint32_t m = 0;                                                                             \
        (void)flush;                                                                                \
        if (n == 8)                                                                                 \
            for (unsigned i = 0; i < 8; i++) m |= (uint32_t)(convert(A) operator convert(B)) << i;  \
        else if (n == 16)                                                                           \
            for (unsigned i = 0; i < 16; i++) m |= (uint32_t)(convert(A) operator convert(B)) << i; \
        else                                                                                        \
            for (unsigned i = 0; i < 32; i++) m |= (uint32_t)(convert(A) operator convert(B)) << i; \
        return m;                                                                                   \
    }
#define TESTS(prefix, convert)      \
    TEST_(prefix##_z, convert, ==)  \
    TEST_(prefix##_nz, convert, !=) \
    TEST_(prefix##_g, convert, >)   \
    TEST_(prefix##_ge, convert, >=) \
    TEST_(prefix##_l, convert, <)   \
    TEST_(prefix##_le, convert, <=)
#define SIGNED(x) (int32_t)(x)
#define UNSIGNED(x) (x)
#define REAL(x) lanes_f32(flush ? flushed(x) : (x))
TESTS(int, SIGNED)
TESTS(uint, UNSIGNED)
TESTS(real, REAL)

/* ---- Lanes of messages ---- */

/* Loops of a known length, as LOOP. */
#define LANES(statement)                                 \
    do {                                                 \
        if (n == 8)                                      \
            for (unsigned i = 0; i < 8; i++) statement;  \
        else                                             \
            for (unsigned i = 0; i < 16; i++) statement; \
    } while (0)

static unsigned places(const uint32_t *offset, unsigned n, uint32_t most)
{
    const uint32_t first = offset[0];
    uint32_t found = 0;
    LANES(found |= (offset[i] > most ? GEN_ABOVE : 0) | (offset[i] - 4 * i != first ? GEN_APART : 0));
    return found;
}

static bool one_page(const uint32_t *offset, unsigned n, uint32_t span)
{
    const uint32_t first = offset[0];
    uint32_t other = 0;
    LANES(other |= (offset[i] ^ first) | ((offset[i] + (span - 1)) ^ first));
    return !(other >> GPUDBG_PAGE_BITS);
}

static void spread(uint32_t *d, const uint32_t *from, unsigned n, uint32_t mask, unsigned first)
{
    const uint32_t other = from[first];
    LANES(d[i] = mask >> i & 1 ? from[i] : other);
}

typedef uint32_t eight __attribute__((vector_size(32)));
typedef uint32_t sixteen __attribute__((vector_size(64)));

static inline uint32_t dword_at(const uint8_t *bytes)
{
    uint32_t v;
    memcpy(&v, bytes, 4);
    return v;
}

static void gather(uint32_t *d, const uint8_t *bytes, const uint32_t *offset, unsigned n)
{
#define AT(i) dword_at(bytes + offset[i])
    if (n == 8) {
        eight v = {AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7)};
        memcpy(d, &v, sizeof v);
    } else {
        sixteen v = {AT(0), AT(1), AT(2), AT(3), AT(4), AT(5), AT(6), AT(7), AT(8), AT(9), AT(10), AT(11), AT(12),
            AT(13), AT(14), AT(15)};
        memcpy(d, &v, sizeof v);
    }
}

/* ---- Values for rows ---- */

static void fill(uint32_t *d, uint32_t value, unsigned n) { LOOP(value); }

static void words(uint32_t *d, const void *from, unsigned n, bool is_signed)
{
    uint16_t half[32];
    if (n == 8)
        memcpy(half, from, 16);
    else if (n == 16)
        memcpy(half, from, 32);
    else
        memcpy(half, from, 64);
    if (is_signed)
        LOOP((uint32_t)(int16_t)half[i]);
    else
        LOOP(half[i]);
}

static void modify(uint32_t *d, const uint32_t *a, unsigned n, uint32_t keep, uint32_t flip, uint32_t one)
{
    LOOP(((A & keep) ^ flip) + one);
}

static void select_(uint32_t *d, const uint32_t *a, const uint32_t *b, unsigned n, uint32_t mask)
{
    LOOP(mask >> i & 1 ? A : B);
}

static void masks(uint32_t *d, unsigned n, uint32_t mask) { LOOP(-(mask >> i & 1)); }

/* ---- Products ---- */

static inline uint64_t extended(uint32_t v, bool is_signed) { return is_signed ? (uint64_t)(int64_t)(int32_t)v : v; }

/* The dwords above an accumulator's, which stand in every other place. */
static inline uint64_t with_above(uint64_t pair, uint64_t sum) { return (pair & ~(uint64_t)UINT32_MAX) | sum >> 32; }

static void mul_acc(
    uint32_t *acc, uint32_t *above, const uint32_t *a, const uint32_t *b, unsigned n, struct gen_product how)
{
    uint64_t pair[16];
    memcpy(pair, above, n == 8 ? 64 : 128);
    APART
    for (unsigned i = 0; i < n; i++) {
        uint64_t p = extended(a[i], how.a_signed) * (how.low ? b[i] & 0xffff : extended(b[i], how.b_signed));
        acc[i] = (uint32_t)p;
        pair[i] = with_above(pair[i], p);
    }
    memcpy(above, pair, n == 8 ? 64 : 128);
}

static void mach(uint32_t *d, uint32_t *acc, uint32_t *above, const uint32_t *a, const uint32_t *b, unsigned n,
    struct gen_product how)
{
    uint64_t pair[16], sum[16];
    memcpy(pair, above, n == 8 ? 64 : 128);
    for (unsigned i = 0; i < n; i++) {
        uint64_t high = how.b_signed ? (uint64_t)((int64_t)(int32_t)b[i] >> 16) : b[i] >> 16;
        sum[i] = (acc[i] | pair[i] << 32) + (extended(a[i], how.a_signed) * high << 16);
    }
    for (unsigned i = 0; i < n; i++) d[i] = (uint32_t)(how.low ? sum[i] : sum[i] >> 32);
    if (!how.keeps) return;
    for (unsigned i = 0; i < n; i++) {
        acc[i] = (uint32_t)sum[i];
        pair[i] = with_above(pair[i], sum[i]);
    }
    memcpy(above, pair, n == 8 ? 64 : 128);
}

/* ---- Places of channels ---- */

static void send(uint32_t *place, uint32_t channels, uint32_t ip)
{
    for (unsigned i = 0; i < 32; i++) place[i] = channels >> i & 1 ? ip : place[i];
}

static uint32_t lowest(const uint32_t *place, uint32_t channels, uint32_t *there)
{
    uint32_t least = UINT32_MAX, at = 0;
    for (unsigned i = 0; i < 32; i++) {
        uint32_t here = channels >> i & 1 ? place[i] : UINT32_MAX;
        least = here < least ? here : least;
    }
    for (unsigned i = 0; i < 32; i++) at |= (uint32_t)(place[i] == least) << i;
    *there = at & channels;
    return least;
}

#define LEVEL_(n) gen_level_##n
#define LEVEL(n) LEVEL_(n)

const struct gen_level LEVEL(SIMD) = {
    .row = {[GEN_R_COPY] = copy,
        [GEN_R_ADD] = add,
        [GEN_R_MUL] = mul,
        [GEN_R_MUL16] = mul16,
        [GEN_R_MAD] = mad,
        [GEN_R_AND] = and,
        [GEN_R_OR] = or
        ,
        [GEN_R_XOR] = xor,
        [GEN_R_NOT] = not,
        [GEN_R_SHL] = shl,
        [GEN_R_SHR] = shr,
        [GEN_R_ASR] = asr,
        [GEN_R_ROL] = rol,
        [GEN_R_ROR] = ror,
        [GEN_R_IMAX] = imax,
        [GEN_R_IMIN] = imin,
        [GEN_R_UMAX] = umax,
        [GEN_R_UMIN] = umin,
        [GEN_R_FADD] = add_f,
        [GEN_R_FMUL] = mul_f,
        [GEN_R_FMAD] = mad_f,
        [GEN_R_FMAX] = fmax_,
        [GEN_R_FMIN] = fmin_,
        [GEN_R_FLUSH] = flush_,
        [GEN_R_FLOOR] = floor_,
        [GEN_R_CEIL] = ceil_,
        [GEN_R_NEAREST] = nearest,
        [GEN_R_TRUNC] = trunc_,
        [GEN_R_SATURATE] = saturate,
        [GEN_R_F_OF_D] = f_of_d,
        [GEN_R_F_OF_UD] = f_of_ud,
        [GEN_R_D_OF_F] = d_of_f,
        [GEN_R_UD_OF_F] = ud_of_f,
        [GEN_R_INV] = inv,
        [GEN_R_SQT] = sqt,
        [GEN_R_RSQ] = rsq},
    .test = {{NULL, int_z, int_nz, int_g, int_ge, int_l, int_le},
        {NULL, uint_z, uint_nz, uint_g, uint_ge, uint_l, uint_le},
        {NULL, real_z, real_nz, real_g, real_ge, real_l, real_le}},
    .places = places,
    .one_page = one_page,
    .spread = spread,
    .gather = gather,
    .fill = fill,
    .words = words,
    .modify = modify,
    .select = select_,
    .masks = masks,
    .mul_acc = mul_acc,
    .mach = mach,
    .send = send,
    .lowest = lowest,
};
