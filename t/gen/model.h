/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * model.h: what an instruction of the EU leaves behind, worked out by itself from the Ivy Bridge manual, volume 4 part
 * 3, chapters 2 and 3, and the fact sheets: integers of 128 bits, floats by whole numbers (exact.h), one channel after
 * another. Nothing of the interpreter is used.
 *
 * Later generations: Broadwell's and Skylake's manuals, volume 7, and Mesa's brw_eu_validate.c, brw_reg_type.c and
 * intel_device_info.c.  What is not stated there is as the older generation has it.
 *
 * model_run changes the state as the instruction does.  Where a result may be any NaN, or is good to a unit in the last
 * place (functions of math), a note says so.
 *
 * What the manuals leave open is decided here as beside the interpreter's table: a mad is rounded once; products of
 * mac, line, pln, lrp and the dot products are rounded before they are added, from the left; conditions of integers
 * and floats look at what the destination gets ("the final result after all the clamping, normalizing, or format
 * conversion logic", Kaby Lake manual, volume 7), but for overflow and NaN, which .sat would hide.
 */
#ifndef GEN_MODEL_H
#define GEN_MODEL_H

#include <math.h>

#include "core/exact.h"
#include "encode.h"

__extension__ typedef __int128 wide;

/* ---- The operations: model.def ---- */

enum {
    BYTES = 1 << UB | 1 << B,
    WORDS = 1 << UW | 1 << W,
    DWORDS = 1 << UD | 1 << D,
    LONGS = 1 << UQ | 1 << Q,
    INTS = BYTES | WORDS | DWORDS,
    FLOATS = 1 << F | 1 << DF | 1 << HF,
    F_HF = 1 << F | 1 << HF,
    ONLY_F = 1 << F
};
enum {
    ON75 = 1 << G75,
    OLD = 1 << G7 | ON75,
    ON125 = 1 << G125,
    ALL = (1 << GENS) - 1,
    FROM12 = 1 << G12 | ON125,
    FROM11 = FROM12 | 1 << G11,
    FROM8 = ALL & ~OLD,
    UNTIL9 = ALL & ~FROM11
};
enum { PRED = 1, COND = 2, SAT = 4, MODS = 8, ACCW = 16, SIXTEEN = 32, ALIKE = 64, MACRO = 128 };
enum trait {
    LOGIC = 1 << 0,
    MOVE = 1 << 1,
    RAW = 1 << 2,
    COMPARES = 1 << 3,
    CHOOSES = 1 << 4,
    BY_FLAG = 1 << 5,
    NO_OVERFLOW = 1 << 6,
    READS_ACC = 1 << 7,
    BESIDE = 1 << 8,
    HALF_SOURCE = 1 << 10,
    HALF_RESULT = 1 << 11,
    GATHERS = 1 << 12,
    IMM64 = 1 << 13,
    PAIRS = 1 << 14,
    GROUP = 1 << 15,
    FOUR_F = 1 << 16,
    PLANE = 1 << 17,
    FUNCTION = 1 << 18,
    TO_FLOAT = 1 << 19,
    TO_INTEGER = 1 << 20,
    MIXES = 1 << 21,
    PRODUCT = 1 << 22,
    NARROW = 1 << 23,
    FACTORS = 1 << 24,
    RARE = 1 << 25,
    TABLE = 1 << 26,
    SCATTERS = 1 << 27,
    SHIFTS = 1 << 28
};
#define EXEC(least, choices) ((uint64_t)(least) << 32 | (uint64_t)(choices) << 40)
#define FUNCTIONS(bits) ((uint64_t)(bits) << 48)

enum operation {
#define MODEL(name, ...) M_##name,
#include "model.def"
#undef MODEL
    ROWS
};

static const struct row {
    const char *name;
    uint8_t code7, code12, gens, nsrc;
    uint32_t src, dst; /* types */
    unsigned may;
    uint64_t traits;
} rows[ROWS] = {
#define MODEL(name, code7, code12, gens, nsrc, src, dst, may, traits, integers, floats) \
    {#name, code7, code12, gens, nsrc, src, dst, may, traits},
#include "model.def"
#undef MODEL
};

static bool is(const struct row *r, unsigned traits) { return r->traits & traits; }
static unsigned exec_least(const struct row *r) { return r->traits >> 32 & 255; }
static unsigned exec_choices(const struct row *r) { return r->traits >> 40 & 255; }
static unsigned functions(const struct row *r) { return (unsigned)(r->traits >> 48); }

enum allowed {
    ANY_NAN,
    ONE_ULP,
    ANYTHING
}; /* ANYTHING: a NaN in ALT mode, of which the manual says that there is none */

struct note {
    uint8_t acc;   /* in the accumulators */
    uint8_t allow; /* enum allowed */
    uint8_t type;
    uint16_t at;
};

enum { GRF_MOST = 8192 };

struct state {
    uint8_t grf[GRF_MOST + 64], acc[320];
    uint16_t a0[16];
    uint32_t flag[2], running, cr0;
    /* What accumulators hold above their visible bits, by elements of `kept` bytes. */
    wide whole[10][16];
    uint8_t kept[10];
    struct note note[160];
    unsigned notes;
};

enum { Z = 1, NZ, G, GE, L, LE, R_, O, U };

/* ---- Types ---- */

static bool is_float(unsigned t) { return t == HF || t == F || t == DF || t == VF; }
static bool is_signed(unsigned t) { return (t >= B && t <= DF) || t == V || t == VF; }

static struct exact_format format(unsigned t) { return t == HF ? exact_f16 : t == DF ? exact_f64 : exact_f32; }

static uint64_t low_bits(unsigned bytes) { return bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * bytes) - 1; }
static uint64_t top_bit(unsigned t) { return UINT64_C(1) << (8 * type_size[t] - 1); }
static bool nan_bits(unsigned t, uint64_t v) { return exact_from(v, format(t)).nan; }
static bool inf_bits(unsigned t, uint64_t v) { return exact_from(v, format(t)).inf; }

static uint64_t a_nan(unsigned t)
{
    struct exact_format f = format(t);
    return ((UINT64_C(1) << (f.exp + 1)) - 1) << (f.mant - 1);
}

static wide as_integer(unsigned t, uint64_t v)
{
    v &= low_bits(type_size[t]);
    return is_signed(t) && v & top_bit(t) ? (wide)v - ((wide)1 << 8 * type_size[t]) : (wide)v;
}

static wide least(unsigned t) { return is_signed(t) ? -((wide)1 << (8 * type_size[t] - 1)) : 0; }
static wide most(unsigned t) { return ((wide)1 << (8 * type_size[t] - is_signed(t))) - 1; }
static wide within(unsigned t, wide v) { return v < least(t) ? least(t) : v > most(t) ? most(t) : v; }

/* ---- Float modes: 3.3.3.8; gen12 has a bit each for F and HF ---- */

static int rounding(const struct state *s) { return s->cr0 >> 4 & 3; }
static bool alternative(const struct state *s) { return s->cr0 & 1; }

static bool keeps_denormals(const struct state *s, unsigned gen, unsigned t)
{
    if (t == DF) return s->cr0 >> 6 & 1;
    if (t == HF) return gen < G8 || s->cr0 >> 10 & 1;
    return gen >= G8 && s->cr0 >> 7 & 1 && !alternative(s);
}

static uint64_t flushed(const struct state *s, unsigned gen, unsigned t, uint64_t v)
{
    struct exact_format f = format(t);
    bool small = !(v >> f.mant & ((1u << f.exp) - 1));
    return small && !keeps_denormals(s, gen, t) ? v & top_bit(t) : v;
}

/* A result leaves: 2.3.2, infinities become the largest number. */
static uint64_t leaves(const struct state *s, unsigned gen, unsigned t, uint64_t v)
{
    if (alternative(s) && t == F && inf_bits(F, v)) v -= 1;
    return flushed(s, gen, t, v);
}

static uint64_t rounded(const struct state *s, unsigned gen, unsigned t, const struct exact *x)
{
    return x->nan ? a_nan(t) : leaves(s, gen, t, exact_round(x, format(t), rounding(s)));
}

static uint64_t convert(const struct state *s, unsigned gen, unsigned from, unsigned to, uint64_t v)
{
    struct exact x = exact_from(v, format(from));
    if (from == to) return v;
    return x.nan ? a_nan(to)
                 : exact_round(
                       &x, format(to), from == DF && to == F && (gen < G8 || gen >= G12) ? EXACT_ZERO : rounding(s));
}

static double as_double(unsigned t, uint64_t v)
{
    struct exact x = exact_from(v, format(t));
    uint64_t bits = x.nan ? a_nan(DF) : exact_round(&x, exact_f64, EXACT_NEAREST);
    double d;
    memcpy(&d, &bits, 8);
    return d;
}

static uint64_t from_double(unsigned t, double d)
{
    uint64_t bits;
    memcpy(&bits, &d, 8);
    struct exact x = exact_from(bits, exact_f64);
    return x.nan ? a_nan(t) : exact_round(&x, format(t), EXACT_NEAREST);
}

static uint64_t from_integer(const struct state *s, unsigned t, wide v)
{
    struct exact x = {.neg = v < 0};
    exact_place(&x, (exact_u128)(v < 0 ? -v : v), 0);
    return exact_round(&x, format(t), rounding(s));
}

/* 2.4.1 */
static wide to_integer(unsigned from, unsigned to, uint64_t v)
{
    double d = as_double(from, v);
    if (d != d) return 0;
    if (d >= 0x1p70 || d <= -0x1p70) return d < 0 ? least(to) : most(to);
    return within(to, (wide)d);
}

static uint64_t to_unit(unsigned t, uint64_t v)
{
    double d = as_double(t, v);
    return !(d > 0) ? 0 : d > 1 ? from_double(t, 1) : v;
}

static int order(unsigned t, uint64_t a, uint64_t b) /* 2: unordered */
{
    double x = as_double(t, a), y = as_double(t, b);
    return x != x || y != y ? 2 : x < y ? -1 : x > y;
}

static bool holds(unsigned cmod, int sign) /* 2: unordered */
{
    switch (cmod) {
    case Z: return sign == 0;
    case NZ: return sign != 0;
    case G: return sign == 1;
    case GE: return sign == 0 || sign == 1;
    case L: return sign == -1;
    case LE: return sign == 0 || sign == -1;
    case U: return sign == 2;
    default: return false;
    }
}

static int sign_of(wide v) { return v < 0 ? -1 : v > 0; }

/* ---- The instruction's own types ---- */

static unsigned float_type(const struct word *x) /* TYPES: integers */
{
    unsigned best = TYPES;
    for (unsigned i = 0; i < x->nsrc; i++) {
        unsigned t = x->src[i].type == VF ? F : x->src[i].type;
        if (is_float(t) && (best == TYPES || t > best)) best = t;
    }
    return best;
}

static unsigned integer_size(const struct word *x)
{
    unsigned n = 2;
    for (unsigned i = 0; i < x->nsrc; i++) n = type_size[x->src[i].type] > n ? type_size[x->src[i].type] : n;
    return n;
}

/* The integer type of a size. */
static unsigned of_size(unsigned size, bool is_signed_)
{
    return (size == 2 ? UW : size == 4 ? UD : UQ) + (is_signed_ ? 4u : 0);
}

/* Ivy Bridge: a double is two channels. */
static bool has_pairs(const struct word *x)
{
    bool doubles = x->dst.type == DF;
    for (unsigned i = 0; i < x->nsrc; i++) doubles |= x->src[i].type == DF;
    return x->gen == G7 && doubles && x->exec > 1;
}

static unsigned channels(const struct word *x) { return has_pairs(x) ? x->exec / 2u : x->exec; }

/* ---- Places: 3.3.5 ---- */

static long origin(const struct state *s, const struct operand *o)
{
    return o->place == INDIRECT ? (long)s->a0[o->a0] + o->offset : o->reg * 32l + o->sub;
}

static unsigned swizzled(const struct operand *o, unsigned i) { return o->swizzle >> (i % 4 * 2) & 3; }

static long place_ternary7(const struct operand *o, unsigned i)
{
    long start = o->reg * 32l + o->sub;
    if (o->replicated) return start;
    const long size = type_size[o->type];
    return o->type == DF ? start + size * i : start + (long)(i / 4) * 4 * size + swizzled(o, i) * size;
}

static long place_of(const struct state *s, const struct word *x, int n, unsigned i)
{
    const struct operand *o = n < 0 ? &x->dst : &x->src[n];
    const long size = type_size[o->type];
    if (has_pairs(x) && !x->ternary) /* regions count dwords there */
        return origin(s, o) + (n < 0         ? 2 * i * o->hs
                                  : o->width ? 2 * i / o->width * o->vs + 2 * i % o->width * o->hs
                                             : 0) *
                                  4l;
    if (n < 0) return origin(s, o) + (long)i * (x->align16 ? 1 : o->hs) * size;
    if (x->ternary && x->gen < G11) return place_ternary7(o, i);
    if (x->align16) return origin(s, o) + (long)(i / 4) * o->vs * size + swizzled(o, i) * size;
    if (x->ternary && n == 2) return origin(s, o) + (long)i * o->hs * size;
    unsigned width = x->ternary ? (o->hs && o->vs > o->hs ? o->vs / o->hs : 1u) : o->width, row = i / width,
             column = i % width;
    if (o->rows) return (long)s->a0[o->a0 + row] + o->offset + (long)column * o->hs * size;
    return origin(s, o) + ((long)row * o->vs + (long)column * o->hs) * size;
}

/* Movi: each channel its own byte of the register that the first one's address names. */
static long place_movi(const struct state *s, const struct operand *o, unsigned i)
{
    long first = s->a0[o->a0] + o->offset, own = s->a0[o->a0 + i] + o->offset;
    return (first & ~31l) | (own & 31);
}

static uint64_t bytes_at(const uint8_t *p, unsigned size)
{
    uint64_t v = 0;
    memcpy(&v, p, size);
    return v;
}

static uint64_t constant(const struct word *x, const struct operand *o, unsigned i)
{
    unsigned at = i * type_size[x->dst.type] * x->dst.hs; /* byte of the destination that the element lies on */
    unsigned nibble = at / 2 % 8 * 4, byte = at / 4 % 4 * 8;
    int v = (int)(o->imm >> nibble & 15);
    switch (o->type) {
    case UV: return (uint64_t)v;
    case V: return (uint64_t)(v > 7 ? v - 16 : v) & 0xffff;
    case VF: {
        unsigned f = o->imm >> byte & 255;
        double d = f & 127 ? (1 + (f & 15) / 16.0) * ldexp(1, (int)(f >> 4 & 7) - 3) : 0;
        return from_double(F, f & 128 ? -d : d);
    }
    default: return o->imm;
    }
}

static uint64_t element(const struct state *s, const struct word *x, unsigned n, unsigned i)
{
    const struct operand *o = &x->src[n];
    if (o->place == IMMEDIATE) return constant(x, o, i);
    long at = o->gather ? place_movi(s, o, i) : place_of(s, x, (int)n, i);
    return bytes_at((o->place == ACC ? s->acc : s->grf) + at, type_size[o->type]);
}

/* ---- Operands with their modifiers ---- */

static wide integer_operand(const struct state *s, const struct word *x, bool logic, unsigned n, unsigned i)
{
    const struct operand *o = &x->src[n];
    wide v = as_integer(o->type == UV ? UW : o->type == V ? W : o->type, element(s, x, n, i));
    if (o->place == ACC && x->gen < G12) { /* more bits than can be seen */
        unsigned size = type_size[o->type], at = o->reg * 32u + o->sub + i * size;
        if (size <= 4 && s->kept[at / 32] == size) v = s->whole[at / 32][at % 32 / size];
    }
    if (x->gen >= G8 && logic) return o->neg ? ~v : v;
    v = o->abs && v < 0 ? -v : v;
    v = o->neg ? -v : v;
    if ((o->type != B && o->type != W && o->type != D && o->type != Q) || o->place == ACC || !(o->neg || o->abs))
        return v; /* 3.3.3.5: of an unsigned one, a bit wider than its type */
    /* Dwords and qwords keep their bits; smaller ones have those of another operand, 32 at most. */
    unsigned bits = x->dst.place == ABSENT || x->dst.place == NULLREG || type_size[x->dst.type] >= 4 ? 32 : 16;
    for (unsigned k = 0; k < x->nsrc; k++) bits = type_size[x->src[k].type] >= 4 ? 32 : bits;
    if (o->type == Q) bits = 64;
    const wide half = (wide)1 << (bits - 1);
    return v == half ? -half : v;
}

/* In the type in which the instruction computes. */
static uint64_t float_operand(
    const struct state *s, const struct word *x, unsigned n, unsigned i, unsigned t, bool flush)
{
    const struct operand *o = &x->src[n];
    if (!is_float(o->type)) return from_integer(s, t, integer_operand(s, x, false, n, i));
    uint64_t v = convert(s, x->gen, o->type == VF ? F : o->type, t, element(s, x, n, i));
    v = o->abs ? v & ~top_bit(t) : v;
    v = o->neg ? v ^ top_bit(t) : v;
    return flush ? flushed(s, x->gen, t, v) : v;
}

/* ---- Masks: predicates and flags ---- */

static unsigned flag_position(const struct word *x, unsigned i)
{
    unsigned c = x->first + i * (has_pairs(x) ? 2 : 1);
    if (x->exec == 32 || (!x->half && (x->gen >= G8 || x->exec == 4))) return c;
    return 16u * x->half + c % 16;
}

static bool group_says(uint32_t flag, unsigned position, unsigned n, bool all)
{
    unsigned first = position / n * n, ones = 0;
    for (unsigned i = 0; i < n; i++) ones += flag >> (first + i) & 1;
    return all ? ones == n : ones > 0;
}

static bool passes(const struct state *s, const struct word *x, unsigned i)
{
    unsigned at = flag_position(x, i);
    uint32_t flag = s->flag[x->flag];
    bool yes;
    if (!x->pred) return true;
    if (x->pred == 1)
        yes = flag >> at & 1;
    else if (x->align16)
        yes = x->pred < 6 ? flag >> (flag_position(x, i / 4 * 4) + x->pred - 2) & 1
                          : group_says(flag, at, 4, x->pred == 7);
    else if (x->pred == 2)
        yes = (s->flag[0] | s->flag[1]) >> at & 1;
    else if (x->pred == 3)
        yes = (s->flag[0] & s->flag[1]) >> at & 1;
    else
        yes = group_says(flag, at, 1u << (x->pred / 2 - 1), x->pred % 2);
    return yes != x->inverted;
}

static bool runs(const struct state *s, const struct word *x, unsigned i)
{
    return x->all || s->running >> (x->first + i * (has_pairs(x) ? 2 : 1)) & 1;
}

/* ---- Integer operations ---- */

struct result {
    wide i;
    uint64_t f;
    wide beside; /* carry, borrow, product, remainder */
    bool yes;    /* of comparisons */
    uint8_t ulp;
};

/* 2.4.2: what goes into a wider type is extended as the type it comes from says, src0's. */
static wide sized_number(const struct word *x, unsigned size, uint64_t v)
{
    unsigned from = type_size[x->dst.type] > size ? x->src[0].type : x->dst.type;
    return as_integer(of_size(size, is_signed(from)), v);
}

static wide bits_as_number(const struct word *x, uint64_t v) { return sized_number(x, integer_size(x), v); }

/* A logic operation bit by bit; bit p + 2 * q of `table` is what bits p and q give.  Each source is extended by its own
 * type for as long as the destination has bits. */
static wide bit_by_bit(const struct word *x, wide a, wide b, unsigned table)
{
    unsigned size = integer_size(x) > type_size[x->dst.type] ? integer_size(x) : type_size[x->dst.type];
    uint64_t v = 0;
    for (unsigned k = 0; k < 8 * size; k++) {
        unsigned p = a >> k & 1, q = b >> k & 1;
        v |= (uint64_t)(table >> (p + 2 * q) & 1) << k;
    }
    return as_integer(of_size(size, is_signed(x->dst.type)), v);
}

/* Bit a + 2 * b + 4 * c of the table: IGA 1.1, bfn; Intel's compiler, GenX_BFN. */
static wide by_table(const struct word *x, uint64_t a, uint64_t b, uint64_t c)
{
    unsigned size = integer_size(x) > type_size[x->dst.type] ? integer_size(x) : type_size[x->dst.type];
    uint64_t v = 0;
    for (unsigned k = 0; k < 8 * size; k++)
        v |= (uint64_t)(x->function >> ((a >> k & 1) + 2 * (b >> k & 1) + 4 * (c >> k & 1)) & 1) << k;
    return as_integer(of_size(size, false), v);
}

/* Where accumulators are read and written without being named: each under the destination's element. */
static unsigned implicit_acc(const struct state *s, const struct word *x, unsigned size, unsigned i)
{
    bool second = x->gen < G12 && size == 4 && float_type(x) != TYPES && x->exec <= 8 && x->first / 8 % 2;
    if (x->dst.place == NULLREG) return (second ? 32 : 0) + i * size;
    long start = place_of(s, x, -1, 0), own = place_of(s, x, -1, i);
    return (unsigned)((second ? 32 : 0) + start % 32 + (own - start));
}

static wide acc_integer(const struct state *s, unsigned at, unsigned size)
{
    if (size <= 4 && s->kept[at / 32] == size) return s->whole[at / 32][at % 32 / size];
    return as_integer(of_size(size, true), bytes_at(s->acc + at, size));
}

static void set_acc_integer(struct state *s, unsigned at, unsigned size, wide v)
{
    unsigned r = at / 32;
    memcpy(s->acc + at, &v, size);
    if (s->kept[r] != size && size <= 4)
        for (unsigned i = 0; i < 32 / size; i++)
            s->whole[r][i] = as_integer(of_size(size, true), bytes_at(s->acc + 32 * r + i * size, size));
    s->kept[r] = size <= 4 ? (uint8_t)size : 0;
    if (size <= 4) s->whole[r][at % 32 / size] = v;
}

static unsigned acc_element(const struct word *x)
{
    unsigned size = integer_size(x);
    return type_size[x->dst.type] > size ? type_size[x->dst.type] : size;
}

static wide times(const struct word *x, wide a, wide b)
{
    bool whole = x->gen == G8 || x->gen == G9; /* Mesa, has_integer_dword_mul */
    bool half = !whole && type_size[x->src[1].type] == 4 && x->src[1].type < HF && type_size[x->src[0].type] == 4;
    return a * (half ? b & 0xffff : b);
}

static unsigned count_bits(uint64_t v)
{
    unsigned n = 0;
    for (; v; v >>= 1) n += v & 1;
    return n;
}

static int highest(uint64_t v) /* -1: none */
{
    int n = -1;
    for (; v; v >>= 1) n++;
    return n;
}

static wide pair_difference(const struct state *s, const struct word *x, unsigned i)
{
    wide sum = 0;
    for (unsigned k = i; k < i + 2; k++) {
        wide d = integer_operand(s, x, false, 0, k) - integer_operand(s, x, false, 1, k);
        sum += d < 0 ? -d : d;
    }
    return sum;
}

static wide dot_of_bytes(const struct state *s, const struct word *x, unsigned i)
{
    uint64_t a = element(s, x, 1, i), b = element(s, x, 2, i);
    wide sum = integer_operand(s, x, false, 0, i);
    for (unsigned k = 0; k < 4; k++)
        sum += as_integer(x->src[1].type == D ? B : UB, a >> 8 * k) *
               as_integer(x->src[2].type == D ? B : UB, b >> 8 * k);
    return sum;
}

static void divide(const struct word *x, wide a, wide b, struct result *r)
{
    if (x->gen >= G12) {
        a = as_integer(x->dst.type, (uint64_t)a);
        b = as_integer(x->dst.type, (uint64_t)b);
    }
    wide q = b ? a / b : -1, rest = b ? a - a / b * b : a;
    r->i = x->cmod == 13 ? rest : q;
    r->beside = rest;
}

static wide own_acc(const struct state *s, const struct word *x, unsigned i)
{
    return acc_integer(s, implicit_acc(s, x, acc_element(x), i), acc_element(x));
}

static wide reversed(uint64_t v)
{
    wide r = 0;
    for (unsigned k = 0; k < 32; k++) r += (wide)(v >> k & 1) << (31 - k);
    return r;
}

static wide field_of(const struct word *x, unsigned width, unsigned offset, uint32_t v)
{
    wide r = 0;
    for (unsigned k = 0; k < width && offset + k < 32; k++) r += (wide)(v >> (offset + k) & 1) << k;
    unsigned last = offset + width > 32 ? 31 : offset + width - 1; /* the field's highest bit */
    return width && x->src[2].type == D && v >> last & 1 ? r - ((wide)1 << (last - offset + 1)) : r;
}

static uint64_t ones_at(unsigned width, unsigned offset)
{
    uint64_t r = 0;
    for (unsigned k = 0; k < width && k + offset < 32; k++) r += UINT64_C(1) << (k + offset);
    return r;
}

static uint32_t inserted(uint32_t mask, uint32_t from, uint32_t to)
{
    int low = mask ? highest(mask & -mask) : 0;
    for (int k = 0; k < 32; k++)
        if (mask >> k & 1) to = (to & ~(1u << k)) | (k >= low ? from >> (k - low) & 1 : 0) << k;
    return to;
}

static wide half_of(wide v) { return v >= 0 ? v / 2 : -((-v + 1) / 2); } /* rounded down */

/* mach: the product's part that mul left out, b's high word. */
static void second_half(const struct state *s, const struct word *x, unsigned i, wide a, wide b, struct result *r)
{
    wide above = b - (wide)((uint64_t)b & 0xffff);
    r->beside = as_integer(Q, (uint64_t)(acc_integer(s, implicit_acc(s, x, 4, i), 4) + a * above));
    r->i = bits_as_number(x, x->gen >= G11 && !x->acc_write ? (uint64_t)r->beside : (uint64_t)r->beside >> 32);
}

static wide first_high(const struct word *x, uint32_t v)
{
    if (is_signed(x->src[0].type) && v >> 31) v = ~v;
    return v ? 31 - highest(v) : (wide)UINT32_MAX;
}

static void add_carry(uint32_t a, uint32_t b, struct result *r)
{
    r->i = a + b;
    r->beside = (wide)a + b > UINT32_MAX;
}

static void subtract_borrow(const struct word *x, uint32_t a, uint32_t b, struct result *r)
{
    r->beside = a < b;
    r->i = x->saturate && a < b ? 0 : a - b;
}

#define RESULT_I(number) r->i = (number)
#define RESULT_F(bits) r->f = (bits)
#define RESULT_TEST(answer) r->yes = (answer)
#define RESULT_DO(call) call
#define RESULT_NONE return false

/* QWord mode: if src0 or dst has 64 bits, not if src1 alone has (Broadwell manual, volume 7, shl). */
static unsigned shift_size(const struct word *x)
{
    if (type_size[x->src[0].type] == 8 || type_size[x->dst.type] == 8) return 8;
    return integer_size(x) > 4 ? 4 : integer_size(x);
}

static bool integer_operation(
    const struct state *s, const struct word *x, const struct row *op, unsigned i, struct result *r)
{
    const unsigned size = is(op, SHIFTS) ? shift_size(x) : integer_size(x), bits = 8 * size;
    const bool logic = is(op, LOGIC);
    wide a = integer_operand(s, x, logic, 0, i), b = x->nsrc > 1 ? integer_operand(s, x, logic, 1, i) : 0,
         c = x->nsrc > 2 ? integer_operand(s, x, logic, 2, i) : 0;
    uint64_t ua = (uint64_t)a & low_bits(size), ub = (uint64_t)b & low_bits(size);
    unsigned count = (unsigned)ub & (size == 8 ? 63 : 31);
    switch ((enum operation)(op - rows)) {
#define MODEL(name, code7, code12, gens, nsrc, src, dst, may, traits, integers, floats) \
    case M_##name:                                                                      \
        RESULT_##integers;                                                              \
        break;
#include "model.def"
#undef MODEL
    default: return false;
    }
    return true;
}

/* ---- Float operations ---- */

static uint64_t plus(const struct state *s, const struct word *x, unsigned t, uint64_t a, uint64_t b)
{
    struct exact p = exact_from(a, format(t)), q = exact_from(b, format(t));
    if (p.nan || q.nan) return a_nan(t);
    struct exact r = exact_add(&p, &q, rounding(s));
    return rounded(s, x->gen, t, &r);
}

static uint64_t product(const struct state *s, const struct word *x, unsigned t, uint64_t a, uint64_t b)
{
    struct exact r = exact_mul(a, b, format(t));
    return rounded(s, x->gen, t, &r);
}

static uint64_t fused(const struct state *s, const struct word *x, unsigned t, uint64_t a, uint64_t b, uint64_t c)
{
    struct exact p = exact_mul(a, b, format(t)), q = exact_from(c, format(t));
    if (p.nan || q.nan) return a_nan(t);
    struct exact r = exact_add(&p, &q, rounding(s));
    return rounded(s, x->gen, t, &r);
}

/* a * b + c as mac has it: rounded once where ocloc compiles fma() to it. */
static uint64_t multiplied(const struct state *s, const struct word *x, unsigned t, uint64_t a, uint64_t b, uint64_t c)
{
    return x->gen >= G11 ? fused(s, x, t, a, b, c) : plus(s, x, t, product(s, x, t, a, b), c);
}

static uint64_t integral(unsigned t, uint64_t v, double (*how)(double))
{
    double d = how(as_double(t, v));
    return d != d ? a_nan(t) : from_double(t, d) | (v & top_bit(t)); /* a zero keeps its sign */
}

static uint64_t fraction(const struct state *s, const struct word *x, unsigned t, uint64_t v)
{
    if (nan_bits(t, v) || inf_bits(t, v)) return a_nan(t);
    uint64_t r = plus(s, x, t, v, integral(t, v, floor) ^ top_bit(t)), one = from_double(t, 1);
    return as_double(t, r) >= 1 ? one - 1 : as_double(t, r) == 0 ? 0 : r;
}

/* An F at a byte from the origin of src[n], modifiers applied. */
static uint64_t coefficient(const struct state *s, const struct word *x, unsigned n, unsigned bytes)
{
    const struct operand *o = &x->src[n];
    uint64_t v = bytes_at(s->grf + origin(s, o) + bytes, 4);
    v = o->abs ? v & 0x7fffffff : v;
    v = o->neg ? v ^ 0x80000000 : v;
    return flushed(s, x->gen, F, v);
}

/* last: the fourth component of src1 is added. */
static uint64_t dot(const struct state *s, const struct word *x, unsigned i, unsigned terms, bool last)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < terms; k++) {
        uint64_t p = product(
            s, x, F, float_operand(s, x, 0, i / 4 * 4 + k, F, true), float_operand(s, x, 1, i / 4 * 4 + k, F, true));
        sum = k ? plus(s, x, F, sum, p) : p;
    }
    return last ? plus(s, x, F, sum, float_operand(s, x, 1, i / 4 * 4 + 3, F, true)) : sum;
}

static double function_of(const struct state *s, unsigned t, unsigned f, double a, double b)
{
    if (alternative(s) && t == F && (f == 2 || f == 4 || f == 5)) a = fabs(a);
    switch (f) {
    case 1: return 1 / a;
    case 2: return a == 0 ? -INFINITY : log2(a);
    case 3: return exp2(a);
    case 4: return sqrt(a);
    case 5: return 1 / sqrt(a);
    case 6: return sin(a);
    case 7: return cos(a);
    case 9:
    case 14: return a / b;
    case 15: return sqrt(a); /* the whole macro at once, which is a root */
    default: return pow(fabs(a), b);
    }
}

static bool chooses_first(const struct state *s, const struct word *x, unsigned t, uint64_t a, uint64_t b)
{
    bool na = nan_bits(t, a), nb = nan_bits(t, b);
    if (na || nb) return nb && !na; /* a NaN loses; of two src1: 2.3.1.4 */
    return holds(x->cmod, order(t, flushed(s, x->gen, t, a), flushed(s, x->gen, t, b)));
}

static uint64_t selected(const struct state *s, const struct word *x, unsigned t, unsigned i, uint64_t a, uint64_t b)
{
    if (!x->cmod) return passes(s, x, i) ? a : b;
    return flushed(s, x->gen, t, chooses_first(s, x, t, a, b) ? a : b);
}

static bool holds_with_nan(unsigned cmod, unsigned t, uint64_t a, uint64_t b) /* 2.3.1.1 */
{
    return nan_bits(t, b) ? cmod != NZ : nan_bits(t, a) ? cmod == NZ : holds(cmod, order(t, a, b));
}

static uint64_t own_acc_float(const struct state *s, const struct word *x, unsigned t, unsigned i)
{
    return flushed(s, x->gen, t, bytes_at(s->acc + implicit_acc(s, x, type_size[t], i), type_size[t]));
}

static uint64_t plane(const struct state *s, const struct word *x, unsigned t, unsigned i)
{
    unsigned u = i / 8 * 64 + i % 8 * 4;
    uint64_t sum = plus(
        s, x, t, product(s, x, t, coefficient(s, x, 0, 0), coefficient(s, x, 1, u)), coefficient(s, x, 0, 12));
    return plus(s, x, t, product(s, x, t, coefficient(s, x, 0, 4), coefficient(s, x, 1, u + 32)), sum);
}

static void function_result(
    const struct state *s, const struct word *x, unsigned t, uint64_t a, uint64_t b, struct result *r)
{
    bool two = x->nsrc > 1, nan = nan_bits(t, a) || (two && nan_bits(t, b));
    r->f = nan ? a_nan(t) : from_double(t, function_of(s, t, x->cmod, as_double(t, a), two ? as_double(t, b) : 0));
    r->f = leaves(s, x->gen, t, r->f);
    r->ulp = 1;
}

static void to_half(const struct state *s, const struct word *x, unsigned i, struct result *r)
{
    uint64_t v = float_operand(s, x, 0, i, F, false);
    r->f = convert(s, x->gen, F, HF, x->saturate ? to_unit(F, v) : v);
    r->beside = (wide)convert(s, x->gen, F, HF, v);
}

static bool float_operation(
    const struct state *s, const struct word *x, const struct row *op, unsigned t, unsigned i, struct result *r)
{
    bool plain = !x->src[0].neg && !x->src[0].abs && !x->saturate && !x->cmod && x->src[0].type == x->dst.type;
    bool flush = is(op, MOVE) ? x->dst.type == x->src[0].type && !plain : !is(op, RAW), alone = is(op, GROUP);
    uint64_t a = alone ? 0 : float_operand(s, x, 0, i, t, flush),
             b = x->nsrc > 1 && !alone && !is(op, PLANE) ? float_operand(s, x, 1, i, t, flush) : 0;
    uint64_t c = x->nsrc > 2 ? float_operand(s, x, 2, i, t, flush) : 0, one = from_double(t, 1);
    switch ((enum operation)(op - rows)) {
#define MODEL(name, code7, code12, gens, nsrc, src, dst, may, traits, integers, floats) \
    case M_##name:                                                                      \
        RESULT_##floats;                                                                \
        break;
#include "model.def"
#undef MODEL
    default: return false;
    }
    return true;
}

/* ---- What is left behind ---- */

static void add_note(struct state *s, bool acc, enum allowed allow, unsigned type, long at)
{
    if (s->notes < sizeof s->note / sizeof *s->note)
        s->note[s->notes++] = (struct note){acc, (uint8_t)allow, (uint8_t)type, (uint16_t)at};
}

static uint64_t in_destination(
    const struct state *s, const struct word *x, const struct row *op, unsigned t, const struct result *r)
{
    unsigned to = x->dst.type;
    if (is(op, COMPARES)) return r->yes ? UINT64_MAX : 0;
    if (is(op, HALF_RESULT)) return r->f;
    if (t == TYPES && is_float(to)) {
        uint64_t v = from_integer(s, to, r->i);
        return x->saturate ? to_unit(to, v) : v;
    }
    if (t == TYPES) return (uint64_t)(x->saturate ? within(to, r->i) : r->i);
    if (!is_float(to)) return (uint64_t)to_integer(t, to, r->f);
    return convert(s, x->gen, t, to, x->saturate ? to_unit(t, r->f) : r->f);
}

/* v: what the destination gets */
static bool condition(const struct word *x, const struct row *op, unsigned t, const struct result *r, uint64_t v)
{
    const unsigned to = x->dst.type;
    if (is(op, COMPARES)) return r->yes;
    if (x->cmod == O && is(op, HALF_RESULT)) return inf_bits(HF, (uint64_t)r->beside);
    if (x->cmod == O && t != TYPES) return inf_bits(t, r->f);
    if (x->cmod == O) return r->i != within(is_float(to) ? D : to, r->i);
    if (x->cmod == U && is(op, HALF_RESULT)) return nan_bits(HF, (uint64_t)r->beside);
    if (x->cmod == U) return t != TYPES && nan_bits(t, r->f);
    if (is(op, HALF_RESULT)) return holds(x->cmod, order(HF, v & 0xffff, 0));
    return holds(x->cmod, is_float(to) ? order(to, v, 0) : sign_of(as_integer(to, v)));
}

static bool enabled(const struct word *x, unsigned i)
{
    if (!x->align16 || x->dst.type == DF) return true;
    return x->dst.enabled >> i % 4 & 1;
}

static void update_acc(struct state *s, const struct word *x, const struct row *op, unsigned t, unsigned i,
    const struct result *r, uint64_t v)
{
    bool floats = t != TYPES || is_float(x->dst.type);
    unsigned size = floats ? type_size[x->dst.type] : acc_element(x), at = implicit_acc(s, x, size, i);
    wide number = is(op, COMPARES) ? -(wide)r->yes : is(op, BESIDE) ? r->beside : r->i;
    if (!is(op, BESIDE) && x->saturate) number = within(x->dst.type, number);
    if (!floats) {
        set_acc_integer(s, at, size, number);
        return;
    }
    memcpy(s->acc + at, &v, size);
    s->kept[at / 32] = 0;
    if (is_float(x->dst.type) && nan_bits(x->dst.type, v))
        add_note(s, true, alternative(s) ? ANYTHING : ANY_NAN, x->dst.type, at);
}

static void store(struct state *s, const struct word *x, const struct row *op, unsigned t, long at,
    const struct result *r, uint64_t v)
{
    unsigned size = type_size[x->dst.type];
    bool acc = x->dst.place == ACC, floats = is_float(x->dst.type) && !is(op, COMPARES);
    if (x->dst.place == NULLREG) return;
    if (acc && !floats && t == TYPES && !is_float(x->dst.type)) {
        wide number = is(op, COMPARES) ? -(wide)r->yes : x->saturate ? within(x->dst.type, r->i) : r->i;
        set_acc_integer(s, (unsigned)at, size, number);
        return;
    }
    memcpy((acc ? s->acc : s->grf) + at, &v, size);
    if (acc) s->kept[at / 32] = 0;
    if (floats && nan_bits(x->dst.type, v))
        add_note(s, acc, alternative(s) ? ANYTHING : ANY_NAN, x->dst.type, at);
    else if (r->ulp && floats)
        add_note(s, acc, ONE_ULP, x->dst.type, at);
}

/*
 * Is it open which accumulators an instruction uses?  It names none, and its destination's elements are not
 * accumulators one after the other: another stride, part of one, or more than there are (of one register where the
 * first is not its first).  3.3.3.5: acc0 and acc1 for F, acc0 alone for all others; the next register is used from a
 * full one on.
 */
static bool acc_is_open(const struct state *s, const struct word *x, const struct row *op)
{
    unsigned t = float_type(x), n = channels(x);
    bool reads = is(op, READS_ACC), writes = x->acc_write && !(s->cr0 & 2) && x->dst.place != ACC;
    for (int k = 0; k < 2; k++) {
        if (!(k ? writes : reads)) continue;
        unsigned size = t == TYPES ? acc_element(x) : k ? type_size[x->dst.type] : type_size[t];
        unsigned all = size * n, most = x->gen >= G12 || (size == 4 && t != TYPES) ? 64 : 32;
        if (all > most) return true;
        if (x->dst.place == NULLREG) continue;
        long first = place_of(s, x, -1, 0) % 32;
        for (unsigned i = 0; i < n; i++)
            if (place_of(s, x, -1, i) - place_of(s, x, -1, 0) != (long)(i * size)) return true;
        if (first % size || (first && first + all > 32)) return true;
    }
    return false;
}

/* false: there is no such operation with these types. */
static bool model_run(struct state *s, const struct word *x, const struct row *op)
{
    static struct state before;
    struct result r[32];
    bool writes[32];
    unsigned t = float_type(x), n = channels(x);
    memcpy(&before, s, sizeof before);
    if (t == HF && x->dst.type == F && !is(op, COMPARES)) t = F;
    if (is(op, HALF_SOURCE)) t = F;
    for (unsigned i = 0; i < n; i++) {
        r[i] = (struct result){0};
        writes[i] = runs(&before, x, i) && enabled(x, i) && (is(op, BY_FLAG) || passes(&before, x, i)) &&
                    (!is(op, SCATTERS) || x->src[1].imm >> i & 1);
        if (t == TYPES ? !integer_operation(&before, x, op, i, &r[i]) : !float_operation(&before, x, op, t, i, &r[i]))
            return false;
    }
    for (unsigned i = 0; i < n; i++) {
        bool halves = is(op, PAIRS);
        if (!writes[i] || (halves && i % 2)) continue;
        uint64_t v = in_destination(&before, x, op, t, &r[i]);
        bool updates = x->acc_write && !(before.cr0 & 2) && x->dst.place != ACC;
        if (updates) update_acc(s, x, op, t, i, &r[i], v);
        long at = place_of(&before, x, -1, i);
        store(s, x, op, t, at, &r[i], v);
        if (is(op, FUNCTION) && x->cmod == 11 && x->dst.place != NULLREG) { /* the remainder behind the quotient */
            uint32_t rest = (uint32_t)r[i].beside;
            memcpy(s->grf + at + 32 * ((n * 4 + 31) / 32), &rest, 4);
        }
    }
    for (unsigned i = 0; i < n && is(op, FUNCTION) && x->cmod >= 14;
         i++) /* the result is done: nothing is left to refine */
        s->flag[x->flag] |= (uint32_t)writes[i] << flag_position(x, i);
    if (!x->cmod || is(op, CHOOSES | FUNCTION)) return true;
    for (unsigned i = 0; i < n; i++) {
        if (!writes[i]) continue;
        bool yes = condition(x, op, t, &r[i], in_destination(&before, x, op, t, &r[i]));
        for (unsigned k = 0; k < (has_pairs(x) ? 2u : 1u); k++) {
            unsigned at = flag_position(x, i) + k;
            s->flag[x->flag] = (s->flag[x->flag] & ~(1u << at)) | (uint32_t)yes << at;
        }
    }
    return true;
}

#endif
