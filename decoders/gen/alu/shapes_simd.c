/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes_simd.c: see shapes.h. */
#include "alu/shapes.h"

#include "alu/channel_ops.h"
#include "alu/vectors.h"

/* The first of a source's dwords. */
static inline const uint32_t *source(const struct gen_hot *h, const uint32_t *r, unsigned k)
{
    return h->constant >> k & 1 ? &h->k[k] : r + h->at[k];
}

static inline bool lacks_channels(const struct gen_hot *h, const uint32_t *r)
{
    return (r[GEN_W_ACTIVE] & h->need) != h->need;
}

/* Whether rounding is not to nearest, or the mode is not IEEE. */
static inline bool unusual_mode(const uint32_t *r) { return r[GEN_W_CR0] & 0x31; }

/* ---- Rows ---- */

/* Some of a row's sources are one value for all channels. */
#define IS_ONE(shape, k) ((shape) >> (k)&1)
#define ROW_LOOP(number, n, shape, flush) \
    APART                                 \
    for (unsigned i = 0; i < (n); i++)    \
    d[i] = one_##number(IS_ONE(shape, 0) ? x : a[i], IS_ONE(shape, 1) ? y : b[i], IS_ONE(shape, 2) ? z : c[i], flush)
#define SHAPE(number, sources, modes, n, shape)                                                            \
    static const struct gen_step *number##_##n##_##shape(struct gpudbg_wave *w, const struct gen_step *op) \
    {                                                                                                      \
        const struct gen_hot *h = op->hot;                                                                 \
        uint32_t *r = w->words, *d = r + h->d;                                                             \
        if (lacks_channels(h, r) || (modes && unusual_mode(r))) return h->other(w, op);                    \
        const uint32_t *a = source(h, r, 0), *b = sources > 1 ? source(h, r, 1) : a,                       \
                       *c = sources > 2 ? source(h, r, 2) : a, x = *a, y = *b, z = *c;                     \
        (void)x;                                                                                           \
        (void)y;                                                                                           \
        (void)z;                                                                                           \
        if (modes && !(r[GEN_W_CR0] & h->keeps)) {                                                         \
            ROW_LOOP(number, n, shape, true);                                                              \
        } else {                                                                                           \
            ROW_LOOP(number, n, shape, false);                                                             \
        }                                                                                                  \
        return op->next;                                                                                   \
    }
#define SHAPES_1(number, modes, n) SHAPE(number, 1, modes, n, 0) SHAPE(number, 1, modes, n, 1)
#define SHAPES_2(number, modes, n) \
    SHAPE(number, 2, modes, n, 0) SHAPE(number, 2, modes, n, 1) SHAPE(number, 2, modes, n, 2)
#define SHAPES_3(number, modes, n) \
    SHAPE(number, 3, modes, n, 0)  \
    SHAPE(number, 3, modes, n, 1)  \
    SHAPE(number, 3, modes, n, 2)  \
    SHAPE(number, 3, modes, n, 3)  \
    SHAPE(number, 3, modes, n, 4) SHAPE(number, 3, modes, n, 5) SHAPE(number, 3, modes, n, 6)
#define ROW(number, sources, modes, value) \
    SHAPE(number, sources, modes, 1, 7) SHAPES_##sources(number, modes, 8) SHAPES_##sources(number, modes, 16)
#include "gen_fast.inc"
#undef ROW

/* ---- sel: by flags ---- */

#define SELECT_LOOP(n, shape)          \
    APART                              \
    for (unsigned i = 0; i < (n); i++) \
    d[i] = pass >> i & 1 ? (IS_ONE(shape, 0) ? x : a[i]) : IS_ONE(shape, 1) ? y : b[i]
#define SELECT(n, shape)                                                                                 \
    static const struct gen_step *select_##n##_##shape(struct gpudbg_wave *w, const struct gen_step *op) \
    {                                                                                                    \
        const struct gen_hot *h = op->hot;                                                               \
        uint32_t *r = w->words, *d = r + h->d;                                                           \
        if (lacks_channels(h, r)) return h->other(w, op);                                                \
        const uint32_t pass = r[GEN_W_F + h->flag] >> h->flag_shift ^ h->flip;                           \
        const uint32_t *a = source(h, r, 0), *b = source(h, r, 1), x = *a, y = *b;                       \
        (void)x;                                                                                         \
        (void)y;                                                                                         \
        SELECT_LOOP(n, shape);                                                                           \
        return op->next;                                                                                 \
    }
SELECT(1, 3)
SELECT(8, 0)
SELECT(8, 1)
SELECT(8, 2)
SELECT(16, 0)
SELECT(16, 1)
SELECT(16, 2)

/* ---- Comparisons ---- */

#define FLUSH(n, u) ((u) & ((row##n)(((u)&0x7f800000) != 0) | 0x80000000))
#define AS_UNSIGNED(n, u) (u)
#define AS_SIGNED(n, u) ((signed##n)(u))
#define AS_FLOAT(n, u) ((float##n)(u))
#define COMPARE_ROWS(as, operator, n, shape)               \
    row##n u = *(const row##n *)a, v = *(const row##n *)b; \
    if (IS_ONE(shape, 0)) u = (row##n){0} + *a;            \
    if (IS_ONE(shape, 1)) v = (row##n){0} + *b;            \
    if (flush) {                                           \
        u = FLUSH(n, u);                                   \
        v = FLUSH(n, v);                                   \
    }                                                      \
    const row##n m = (row##n)(as(n, u) operator as(n, v)); \
    answer = bits##n(&m)

/* Sets the flag bits of the channels that run. */
static inline void set_flags(uint32_t *r, const struct gen_hot *h, uint32_t answer)
{
    const uint32_t mask = (r[GEN_W_ACTIVE] | h->forced) >> h->from & h->ones;
    uint32_t *flag = r + GEN_W_F + h->flag;
    *flag = (*flag & ~(mask << h->flag_shift)) | ((answer ^ h->flip) & mask) << h->flag_shift;
}

#define COMPARE(order, floats, as, operator, n, shape)                                                    \
    static const struct gen_step *order##_##n##_##shape(struct gpudbg_wave *w, const struct gen_step *op) \
    {                                                                                                     \
        const struct gen_hot *h = op->hot;                                                                \
        uint32_t *r = w->words, answer;                                                                   \
        const uint32_t *a = source(h, r, 0), *b = source(h, r, 1);                                        \
        if (floats && unusual_mode(r)) return h->other(w, op);                                            \
        const bool flush = floats && !(r[GEN_W_CR0] & h->keeps);                                          \
        COMPARE_ROWS(as, operator, n, shape);                                                             \
        set_flags(r, h, answer);                                                                          \
        return op->next;                                                                                  \
    }
#define ONE_UNSIGNED(u) (u)
#define ONE_SIGNED(u) ((int32_t)(u))
#define ONE_FLOAT(u) taken(u, flush)
/* Source k, one value for all channels. */
static inline uint32_t value(const struct gen_hot *h, const uint32_t *r, unsigned k)
{
    const uint32_t u = *source(h, r, k), word = u >> h->shift[k];
    return !h->word[k] ? u : h->word[k] == 1 ? word & 0xffff : (uint32_t)(int16_t)word;
}

#define COMPARE_ALL(order, floats, as, operator)                                                \
    static const struct gen_step *order##_all(struct gpudbg_wave *w, const struct gen_step *op) \
    {                                                                                           \
        const struct gen_hot *h = op->hot;                                                      \
        uint32_t *r = w->words, x = value(h, r, 0), y = value(h, r, 1);                         \
        if (floats && unusual_mode(r)) return h->other(w, op);                                  \
        const bool flush = floats && !(r[GEN_W_CR0] & h->keeps);                                \
        (void)flush;                                                                            \
        set_flags(r, h, as(x) operator as(y) ? UINT32_MAX : 0);                                 \
        return op->next;                                                                        \
    }
#define COMPARISONS(order, floats, as, operator)     \
    COMPARE_ALL(order, floats, ONE_##as, operator)   \
    COMPARE(order, floats, AS_##as, operator, 8, 0)  \
    COMPARE(order, floats, AS_##as, operator, 8, 1)  \
    COMPARE(order, floats, AS_##as, operator, 8, 2)  \
    COMPARE(order, floats, AS_##as, operator, 16, 0) \
    COMPARE(order, floats, AS_##as, operator, 16, 1) \
    COMPARE(order, floats, AS_##as, operator, 16, 2)
COMPARISONS(EQUAL, 0, UNSIGNED, ==)
COMPARISONS(LESS, 0, SIGNED, <)
COMPARISONS(BELOW, 0, UNSIGNED, <)
COMPARISONS(FEQUAL, 1, FLOAT, ==)
COMPARISONS(FLESS, 1, FLOAT, <)
COMPARISONS(FLESS_EQUAL, 1, FLOAT, <=)

/* ---- Products in the accumulator ---- */

/* Whether the accumulators of the n channels hold dwords, and the bits above them. */
static inline bool acc_holds_dwords(const uint32_t *r, unsigned first, unsigned n)
{
    const uint32_t *size = r + GEN_W_ACC_SIZE + first / 8;
    return size[0] == 4 && (n <= 8 || size[1] == 4);
}

static inline uint64_t wide(uint32_t v, bool is_signed) { return is_signed ? (uint64_t)(int64_t)(int32_t)v : v; }

/* The bits above a dword are in the first of two places; the other is left unchanged. */
static inline uint64_t with_above(uint64_t pair, uint64_t sum) { return (pair & ~(uint64_t)UINT32_MAX) | sum >> 32; }

#define MUL_ACC_LOOP(n, is_signed)                     \
    APART                                              \
    for (unsigned i = 0; i < (n); i++) {               \
        const uint64_t p = wide(a[i], is_signed) * by; \
        acc[i] = (uint32_t)p;                          \
        pair[i] = with_above(pair[i], p);              \
    }
#define MUL_ACC(n)                                                                                      \
    static const struct gen_step *mul_acc_##n(struct gpudbg_wave *w, const struct gen_step *op)         \
    {                                                                                                   \
        const struct gen_hot *h = op->hot;                                                              \
        uint32_t *r = w->words, *acc = r + h->d, *above = r + GEN_W_ACC_HIGH + 2u * (h->d - GEN_W_ACC); \
        uint64_t pair[n];                                                                               \
        if (lacks_channels(h, r) || !acc_holds_dwords(r, h->d - GEN_W_ACC, n)) return h->other(w, op);  \
        const uint32_t *a = source(h, r, 0), b = value(h, r, 1);                                        \
        const uint64_t by = wide(b, h->product.b_signed && !h->product.low);                            \
        memcpy(pair, above, sizeof pair);                                                               \
        if (h->product.a_signed) {                                                                      \
            MUL_ACC_LOOP(n, true)                                                                       \
        } else {                                                                                        \
            MUL_ACC_LOOP(n, false)                                                                      \
        }                                                                                               \
        memcpy(above, pair, sizeof pair);                                                               \
        return op->next;                                                                                \
    }
MUL_ACC(1)
MUL_ACC(8)
MUL_ACC(16)

#define MACH_LOOP(n, is_signed) \
    APART                       \
    for (unsigned i = 0; i < (n); i++) sum[i] = (acc[i] | pair[i] << 32) + (wide(a[i], is_signed) * by << 16);
#define MACH(n)                                                                                    \
    static const struct gen_step *mach_##n(struct gpudbg_wave *w, const struct gen_step *op)       \
    {                                                                                              \
        const struct gen_hot *h = op->hot;                                                         \
        uint32_t *r = w->words, *d = r + h->d, *acc = r + GEN_W_ACC, *above = r + GEN_W_ACC_HIGH;  \
        uint64_t sum[n], pair[n];                                                                  \
        if (lacks_channels(h, r) || !acc_holds_dwords(r, 0, n) || r[GEN_W_CR0] & GEN_ACC_DISABLE)  \
            return h->other(w, op);                                                                \
        const uint32_t *a = source(h, r, 0), b = *source(h, r, 1);                                 \
        const uint64_t by = h->product.b_signed ? (uint64_t)((int64_t)(int32_t)b >> 16) : b >> 16; \
        memcpy(pair, above, sizeof pair);                                                          \
        if (h->product.a_signed) {                                                                 \
            MACH_LOOP(n, true)                                                                     \
        } else {                                                                                   \
            MACH_LOOP(n, false)                                                                    \
        }                                                                                          \
        const unsigned right = h->product.low ? 0 : 32;                                            \
        for (unsigned i = 0; i < n; i++) d[i] = (uint32_t)(sum[i] >> right);                       \
        if (!h->product.keeps) return op->next;                                                    \
        for (unsigned i = 0; i < n; i++) {                                                         \
            acc[i] = (uint32_t)sum[i];                                                             \
            pair[i] = with_above(pair[i], sum[i]);                                                 \
        }                                                                                          \
        memcpy(above, pair, sizeof pair);                                                          \
        return op->next;                                                                           \
    }
MACH(1)
MACH(8)
MACH(16)

/* ---- The table ---- */

#define SHAPES_(n) gen_shapes_##n
#define SHAPES(n) SHAPES_(n)
#define AT_1(number, n) [GEN_SHAPE_##n] = number##_##n##_0, [GEN_SHAPE_##n + 1] = number##_##n##_1
#define AT_2(number, n) AT_1(number, n), [GEN_SHAPE_##n + 2] = number##_##n##_2
#define AT_3(number, n)                                                                              \
    AT_2(number, n), [GEN_SHAPE_##n + 3] = number##_##n##_3, [GEN_SHAPE_##n + 4] = number##_##n##_4, \
                                      [GEN_SHAPE_##n + 5] = number##_##n##_5, [GEN_SHAPE_##n + 6] = number##_##n##_6
#define PAIR(order, n) \
    [GEN_PAIR_##n] = order##_##n##_0, [GEN_PAIR_##n + 1] = order##_##n##_1, [GEN_PAIR_##n + 2] = order##_##n##_2
#define ORDER(order) [GEN_O_##order] = {[GEN_PAIR_ALL] = order##_all, PAIR(order, 8), PAIR(order, 16)}

const struct gen_shapes SHAPES(SIMD) = {
    .row =
        {
#define ROW(number, sources, modes, value) \
    [GEN_R_##number] = {[GEN_SHAPE_ONE] = number##_1_7, AT_##sources(number, 8), AT_##sources(number, 16)},
#include "gen_fast.inc"
#undef ROW
        },
    .compare = {ORDER(EQUAL), ORDER(LESS), ORDER(BELOW), ORDER(FEQUAL), ORDER(FLESS), ORDER(FLESS_EQUAL)},
    .mul_acc = {mul_acc_1, mul_acc_8, mul_acc_16},
    .mach = {mach_1, mach_8, mach_16},
    .select = {[GEN_SHAPE_ONE] = select_1_3, AT_2(select, 8), AT_2(select, 16)},
};
