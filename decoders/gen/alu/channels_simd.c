/* SPDX-License-Identifier: GPL-3.0-or-later */
/* channels_simd.c: see channels_simd.h. */
#include "alu/channels_simd.h"

#include <string.h>

#include "alu/channel_ops.h"

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

/* Two loops if the result depends on the float mode: one keeps denormals, one flushes them. */
#define ROW(number, sources, modes, value)                                                            \
    static void row_##number(                                                                         \
        uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, unsigned n, bool flush) \
    {                                                                                                 \
        b = sources > 1 ? b : a;                                                                      \
        c = sources > 2 ? c : a;                                                                      \
        if (modes && flush)                                                                           \
            LOOP(one_##number(a[i], b[i], c[i], true));                                               \
        else                                                                                          \
            LOOP(one_##number(a[i], b[i], c[i], false));                                              \
    }
#include "gen_fast.inc"
#undef ROW

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

/* The dwords above an accumulator's, which are in every other place. */
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

#define LEVEL_(n) gen_level_##n
#define LEVEL(n) LEVEL_(n)
#define SHAPES_(n) gen_shapes_##n
#define SHAPES(n) SHAPES_(n)

const struct gen_level LEVEL(SIMD) = {
    .row =
        {
#define ROW(number, sources, modes, value) [GEN_R_##number] = row_##number,
#include "gen_fast.inc"
#undef ROW
        },
    .shapes = &SHAPES(SIMD),
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
};
