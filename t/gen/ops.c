/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every operation of the EU x its types x source modifiers x kinds of regions, on all generations, align1 and
 * align16, with random and corner values, masks, predicates, conditions and float modes: the interpreter, by its
 * generic and by its specialised ways, must leave the registers that a model of the manual leaves (model.h).
 * Instructions are put together from the layouts (encode.h).  What ran is counted and printed; a row of the table that
 * did not run is a failure.
 *
 * GEN_OPS_SHARE=N in the environment tries every N-th combination (1: all).  GEN_OPS_ONLY=NAME: one operation.
 */
#include "tap.h"

#include <stdlib.h>

#include "isa.h"
#include "model.h"

#include "decoders/gen/engine/gen_exec.h"

/* Kinds of source operands; destinations are drawn. */
enum region {
    PACKED,
    BEHIND,
    SCALAR,
    STRIDED,
    REPEATED,
    TRANSPOSED,
    OVERLAPPING,
    ANY,
    BY_ADDRESS,
    BY_ADDRESSES,
    CONSTANT,
    VECTOR,
    REGIONS
};
static const char *const region_name[] = {"packed", "packed at an offset", "scalar", "strided", "repeated",
    "transposed", "overlapping", "drawn", "indirect", "an address a row", "constant", "vector constant"};

/* ---- Random numbers ---- */

static uint64_t seed = 0x9e3779b97f4a7c15;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static unsigned below(unsigned n) { return (unsigned)((draw() >> 33) % n); }
static bool chance(unsigned n) { return below(n) == 0; }

static const uint32_t corners[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x0000ffff, 0x00008000, 0x7fff8000,
    0x00ff00ff, 0x80ff7f01, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x40200000, 0xc0600000, 0x4b800001,
    0x3effffff, 0x3f800001, 0x33800000, 0x3ff00000, 0xbff00000, 0x41e00000, 0x43e00000, 0x7e800000, 0x00800000,
    0x80800000, 0x3c003c00, 0xb8004200, 0x04000001, 0x47800000, 0x4f000000, 0xcf000000, 0x4f7fffff};
static const uint32_t specials[] = {0x7f800000, 0xff800000, 0x7fc00001, 0xffc00000, 0x7f800001, 0x00000001, 0x807fffff,
    0x7c00fc00, 0x7ff00000, 0xfff00000, 0x7ff80000, 0x00010001, 0x83ff0001, 0x7f7fffff, 0xff7fffff, 0x7bff7bff,
    0x7e00fe01};

static uint32_t any_dword(bool tame)
{
    uint64_t r = draw();
    switch (r >> 61) {
    case 0: return corners[(r & 0xffff) % (sizeof corners / sizeof *corners)];
    case 1:
        return tame ? 0x3f000000 | (uint32_t)(r & 0x80ffffff)
                    : specials[(r & 0xffff) % (sizeof specials / sizeof *specials)];
    case 2: return 0x3f000000 | (uint32_t)(r & 0x80ffffff); /* floats near 1: sums cancel */
    case 3: return (uint32_t)r & 0x800000ff;
    case 4: return 0x3ff00000 | (uint32_t)(r & 0x801fffff);
    case 5: return 0x38003800 | (uint32_t)(r & 0x87ff87ff); /* halves near 1 */
    default: return (uint32_t)r;
    }
}

static uint32_t some_dword(bool tame)
{
    uint32_t v = any_dword(tame);
    return tame && (v >> 23 & 255) == 255 ? v ^ 0x40000000 : v;
}

/* Bytes, words and dwords at the bounds of their types and beside them. */
static uint32_t bound_dword(void)
{
    static const uint32_t bounds[] = {0x80808080, 0x7f7f7f7f, 0x80008000, 0x7fff7fff, 0x80000000, 0x7fffffff, 0,
        UINT32_MAX, 0x00010001, 1, 0x81818181, 0x80018001, 0x80000001, 0xfffffffe, 0x00008000, 0xffff8000};
    return bounds[below(sizeof bounds / sizeof *bounds)];
}

/* ---- A case ---- */

struct test {
    const struct row *row;
    struct word x, before; /* before: fills the accumulator, where the operation reads it */
    bool has_before;
    struct state start;
    bool tame; /* no infinities and NaNs come in: ALT mode */
};

static bool is_int_type(unsigned t) { return !is_float(t); }

/* Do the types go together?  src2 and src1 are src0's where there are none. */
static bool types_fit(const struct row *r, unsigned gen, const unsigned st[3], unsigned dt)
{
    bool floats = false, mov = is(r, MOVE), mixes = dt == F && is(r, MIXES);
    for (unsigned i = 0; i < r->nsrc; i++) floats |= is_float(st[i]);
    for (unsigned i = 0; i <= r->nsrc; i++) {
        unsigned t = i < r->nsrc ? st[i] : dt;
        if ((t == HF || type_size[t] == 8) && gen < G8 && t != DF) return false;
        if (t == DF && gen >= G11 && !mov) return false;
    }
    const bool halves = (gen >= G11 || (gen == G9 && r->nsrc == 3) || (gen >= G8 && r->nsrc < 3)) &&
                        is(r, TO_INTEGER | NARROW); /* F beside HF */
    if (halves && (dt == F || dt == HF)) {
        unsigned both = 0;
        for (unsigned i = 0; i < r->nsrc; i++) both |= 1u << st[i];
        if (both == F_HF) return true;
    }
    for (unsigned i = 0; floats && i < r->nsrc; i++) /* integers beside an F count as F */
        if (mixes ? st[i] != F && (is_float(st[i]) || type_size[st[i]] == 8) : st[i] != st[0]) return false;
    for (unsigned i = 0; !mov && i <= r->nsrc; i++) { /* arithmetic of 64 bits: Broadwell, Skylake; beside dwords */
        if (!((1u << (i < r->nsrc ? st[i] : dt)) & LONGS)) continue;
        for (unsigned k = 0; k <= r->nsrc; k++)
            if (!((1u << (k < r->nsrc ? st[k] : dt)) & (LONGS | DWORDS))) return false;
        return gen == G8 || gen == G9;
    }
    if (mixes && floats && (st[0] != F || st[1] != F)) return true;
    if (r->may & ALIKE) {
        for (unsigned i = 1; i < r->nsrc; i++)
            if (st[i] != st[0]) return false;
        return dt == st[0];
    }
    if (mov && (type_size[st[0]] == 8 || type_size[dt] == 8)) {
        if (st[0] == DF || dt == DF) return dt == DF ? st[0] == DF || st[0] == F : dt == F;
        return !floats && is_int_type(dt) && (type_size[st[0]] >= 4 && type_size[dt] >= 4);
    }
    if (mov || is(r, HALF_RESULT | HALF_SOURCE)) return true;
    if (is(r, COMPARES)) return floats ? dt == st[0] || (dt == D && st[0] == F) : is_int_type(dt) || dt == F;
    if (floats)
        return dt == st[0] || (is_int_type(dt) && type_size[dt] <= 4 && st[0] == F && is(r, TO_INTEGER)) ||
               (st[0] == HF && dt == F && is(r, TO_INTEGER));
    if (is(r, PRODUCT) && type_size[st[1]] == 4 && type_size[st[0]] < 4) return false; /* see below */
    if (is_float(dt)) return dt == F && is(r, TO_FLOAT);
    if (is(r, FACTORS)) return st[1] == st[2] && st[0] == dt;
    if (is(r, NARROW)) /* a factor is a word: gen12, mul */
        return type_size[st[2]] == 2 && gen >= G11;
    if (is(r, PRODUCT) && type_size[st[1]] == 4 && (type_size[st[0]] < 4 || type_size[dt] < 4))
        return false; /* the manual knows D times D and D times W */
    return true;
}

/* Threads of gen12.5 have 256 registers here. */
static unsigned grf_bytes(unsigned gen) { return gen == G125 ? GRF_MOST : GRF_MOST / 2; }

/* One of n registers from `first` on, or as far behind r128. */
static uint16_t draw_register(const struct word *x, unsigned first, unsigned n)
{
    return (uint16_t)(first + below(n) + (x->gen == G125 ? 128 * below(2) : 0));
}

static bool inside(const struct state *s, const struct word *x, int n)
{
    const struct operand *o = n < 0 ? &x->dst : &x->src[n];
    long end = (long)grf_bytes(x->gen) - (n < 0 ? 32 : 0);
    if (o->place != GRF && o->place != INDIRECT) return true;
    for (unsigned i = 0; i < channels(x); i++) {
        long at = o->gather ? place_movi(s, o, i) : place_of(s, x, n, i);
        if (at < 0 || at + type_size[o->type] > end || at % type_size[o->type]) return false;
    }
    return true;
}

static unsigned power(unsigned most) /* 1, 2, 4 .. most */ { return 1u << below((unsigned)__builtin_ctz(most) + 1); }

static void set_region(struct operand *o, unsigned vs, unsigned width, unsigned hs)
{
    o->vs = (uint8_t)vs;
    o->width = (uint8_t)width;
    o->hs = (uint8_t)hs;
}

static void draw_constant(struct operand *o, bool tame, bool vector)
{
    uint64_t low = some_dword(tame), v = low | (uint64_t)some_dword(tame) << 32;
    if (vector) o->type = is_float(o->type) ? VF : is_signed(o->type) ? V : UV;
    o->place = IMMEDIATE;
    o->neg = o->abs = false;
    o->imm = o->type == UV || o->type == V || o->type == VF ? low : v & low_bits(type_size[o->type]);
}

/* The a0 words that an indirect operand uses, so that it points into the registers. */
static void set_addresses(struct state *s, const struct word *x, struct operand *o, unsigned nrows)
{
    unsigned size = type_size[o->type];
    o->a0 = (uint8_t)below((x->gen >= G8 ? 17 : 9) - nrows);
    o->offset = (int16_t)((int)below(16) - 8) * (int16_t)size;
    for (unsigned i = 0; i < nrows; i++)
        s->a0[o->a0 + i] = (uint16_t)((40 + below(500)) * size + (o->offset < 0 ? 64 : 0));
}

/* Ivy Bridge's doubles: regions count dwords, and a row holds whole pairs of them. */
static bool draw_pairs(struct operand *o, enum region kind, unsigned most)
{
    const unsigned width = 2u << below((unsigned)__builtin_ctz(most));
    o->sub = kind == PACKED ? 0 : (uint16_t)(8 * below(4));
    switch (kind) {
    case PACKED:
    case BEHIND: set_region(o, most, most, 1); return true;
    case SCALAR: set_region(o, 0, 1, 0); return true;
    case STRIDED: set_region(o, 4u << below(4), 2, 1); return true;
    case REPEATED: set_region(o, 0, 2, 1); return true;
    case OVERLAPPING: set_region(o, 2, width, 1); return true;
    case ANY: set_region(o, chance(4) ? 0 : 2u << below(5), width, 1); return true;
    default: return false;
    }
}

static bool draw_source(struct test *t, unsigned n, enum region kind)
{
    struct word *x = &t->x;
    struct operand *o = &x->src[n];
    unsigned size = type_size[o->type], e = x->exec, wide_ = e < 16 ? e : 16;
    o->place = GRF;
    o->reg = draw_register(x, 2, 60);
    o->sub = kind == PACKED ? 0 : (uint16_t)(below(32 / size) * size);
    if (t->row->may & MACRO) {
        o->sub = 0;
        set_region(o, 8, 8, 1);
        return kind == PACKED;
    }
    if (has_pairs(x)) return draw_pairs(o, kind, e < 8 ? e : 8);
    switch (kind) {
    case PACKED:
    case BEHIND: set_region(o, wide_, wide_, e == 1 ? 0 : 1); break;
    case SCALAR: set_region(o, 0, 1, 0); break;
    case STRIDED: {
        unsigned w = wide_ > 8 ? 8 : wide_, hs = power(4);
        set_region(o, w * hs, w, hs);
        break;
    }
    case REPEATED: set_region(o, power(4), power(e < 4 ? e : 4), 0); break;
    case TRANSPOSED: set_region(o, 1, e < 4 ? e : 4, 4); break;
    case OVERLAPPING: set_region(o, power(4), e < 8 ? e : 8, 1); break;
    case ANY: set_region(o, chance(4) ? 0 : power(32), power(wide_), chance(4) ? 0 : power(4)); break;
    case BY_ADDRESS:
        o->place = INDIRECT;
        set_region(o, chance(4) ? 0 : power(16), power(wide_), chance(4) ? 0 : power(4));
        set_addresses(&t->start, x, o, 1);
        break;
    case BY_ADDRESSES:
        o->place = INDIRECT;
        o->rows = true;
        set_region(o, 0, e <= 8 && chance(2) ? 1 : power(wide_), chance(4) ? 0 : 1);
        if (e / o->width > 8) return false;
        set_addresses(&t->start, x, o, e / o->width);
        break;
    case CONSTANT:
    case VECTOR:
        if (n + 1u != x->nsrc || type_size[o->type] == 1 || (size == 8 && (x->gen < G8 || x->nsrc > 1))) return false;
        if (x->gen < G8 && o->type == DF) return false;
        draw_constant(
            o, t->tame, kind == VECTOR && size < 8 && !(x->gen >= G8 && o->type == HF) && !is(t->row, HALF_SOURCE));
        return kind == CONSTANT || type_size[x->dst.type] * x->dst.hs % (o->type == VF ? 4 : 2) == 0;
    default: return false;
    }
    return true;
}

/* Align16: a vector for each four channels, or one for all; swizzled. */
static bool draw_align16(struct test *t, unsigned n, enum region kind)
{
    struct word *x = &t->x;
    struct operand *o = &x->src[n];
    if (kind > OVERLAPPING && kind != CONSTANT) return false;
    o->place = GRF;
    o->reg = draw_register(x, 2, 60);
    o->sub = kind == PACKED ? 0 : (uint16_t)(16 * below(2));
    o->swizzle = kind == PACKED || kind == BEHIND ? 0xe4 : (uint8_t)draw();
    set_region(o, kind == SCALAR ? 0 : 4, 4, 1);
    if (kind == CONSTANT) {
        if (n + 1u != x->nsrc || type_size[o->type] == 1) return false;
        draw_constant(o, t->tame, false);
    }
    return true;
}

static bool draw_ternary(struct test *t, unsigned n, enum region kind)
{
    static const uint8_t forms[][2] = {{1, 0}, {4, 1}, {8, 1}, {8, 2}, {4, 2}, {8, 4}, {4, 4}};
    struct word *x = &t->x;
    struct operand *o = &x->src[n];
    unsigned size = type_size[o->type];
    o->place = GRF;
    o->reg = draw_register(x, 2, 60);
    if (x->gen < G11) {
        if (kind > OVERLAPPING) return false;
        o->sub = kind == PACKED || o->type == DF ? 0 : (uint16_t)(4 * below(8));
        o->swizzle = o->type == DF || kind == PACKED || kind == BEHIND ? 0xe4 : (uint8_t)draw();
        o->replicated = kind == SCALAR;
        o->width = 4;
        o->sub = o->replicated || kind == PACKED ? o->sub : o->sub & 16;
        return true;
    }
    o->sub = kind == PACKED ? 0 : (uint16_t)(below(32 / size) * size);
    o->width = 1;
    if (kind == CONSTANT) {
        if (n == 1 || size != 2) return false;
        draw_constant(o, t->tame, false);
        return true;
    }
    if (kind > ANY) return false;
    if (n == 2)
        set_region(o, 0, 1, kind == SCALAR ? 0 : kind <= BEHIND ? 1 : power(4));
    else if (kind == SCALAR)
        set_region(o, 0, 1, 0);
    else {
        const uint8_t *f = forms[kind <= BEHIND ? below(3) : below(7)];
        set_region(o, x->gen == G11 && f[0] == 1 ? 2 : f[0], 1, f[1]);
    }
    return true;
}

static void draw_destination(struct test *t, unsigned type)
{
    struct word *x = &t->x;
    struct operand *d = &x->dst;
    unsigned size = type_size[type];
    *d = (struct operand){
        .place = GRF, .type = (uint8_t)type, .reg = draw_register(x, 80, 20), .hs = 1, .width = 1, .enabled = 15};
    bool narrow = size < type_size[x->src[0].type];
    if (x->ternary || x->align16) {
        d->enabled = chance(3) ? 15 : (uint8_t)(1 + below(15));
        d->sub = (uint16_t)(16 * below(2));
        if (type == DF) d->enabled = 15, d->sub = 0;
        if (x->gen >= G11) d->hs = (uint8_t)(1 + below(2));
        return;
    }
    if (has_pairs(x)) {
        d->hs = type == DF || size == 4 ? 1 : 2;
        return;
    }
    if (narrow || chance(3)) d->hs = (uint8_t)power(4);
    if (chance(3)) d->sub = (uint16_t)(below(32 / size) * size);
    if (chance(6)) {
        d->place = INDIRECT;
        d->reg = d->sub = 0;
        set_addresses(&t->start, x, d, 1);
        t->start.a0[d->a0] = (uint16_t)(t->start.a0[d->a0] % 512 / size * size + 2560);
    } else if (chance(12)) {
        d->place = NULLREG;
        d->reg = d->sub = 0;
        d->hs = 1;
    }
}

static unsigned execution_size(const struct row *r, unsigned gen, bool align16)
{
    if (exec_least(r)) return exec_least(r) << below(exec_choices(r));
    if (align16) return 4u << below(2);
    return 1u << below(gen >= G8 ? 6 : 5);
}

static void draw_masks(struct test *t)
{
    struct word *x = &t->x;
    unsigned step = x->exec < 4 ? 4 : x->exec;
    x->first = (uint8_t)(below(32 / step) * step);
    x->all = chance(3);
    x->flag = (uint8_t)below(2);
    x->half = x->exec <= 16 && x->first + x->exec <= 16 && chance(3);
    if (t->row->may & PRED && chance(2)) {
        x->pred = (uint8_t)(x->align16 ? 1 + below(7)
                                       : 1 + below(x->exec == 32 || (x->gen >= G8 && !x->half) ? 13 : 11));
        if (x->ternary && x->gen < G11 && x->pred > 7) x->pred = 1;
        if (chance(2)) x->pred = 1;
        x->inverted = chance(2);
    }
    if (chance(2)) t->start.flag[0] = t->start.flag[1] = chance(2) ? 0 : UINT32_MAX; /* for any and all */
}

static void draw_extras(struct test *t)
{
    static const uint8_t conditions[] = {Z, NZ, G, GE, L, LE, O, U};
    struct word *x = &t->x;
    const struct row *r = t->row;
    const unsigned may = r->may;
    bool floats = is_float(x->src[0].type), needs = is(r, COMPARES) || (is(r, CHOOSES) && !is(r, BY_FLAG));
    x->saturate = may & SAT && chance(3);
    x->function = is(r, TABLE) ? (uint8_t)draw() : 0;
    if (is(r, FUNCTION)) {
        const unsigned all = functions(r);
        do x->cmod = (uint8_t)below(16);
        while (!(all >> x->cmod & 1));
        return;
    }
    if (is(r, BY_FLAG)) {
        static const uint8_t ordered[] = {G, GE, L, LE};
        x->cmod = chance(2) ? ordered[below(4)] : 0;
        if (x->cmod && floats) x->cmod = chance(2) ? GE : L;
        x->pred = x->cmod ? 0 : x->pred ? x->pred : 1;
        return;
    }
    if (may & COND && (needs || chance(3))) {
        x->cmod = conditions[below(is(r, NO_OVERFLOW) ? 6 : floats ? 8 : 7)];
        if (floats && !is(r, CHOOSES) && chance(8)) x->cmod = U;
    }
    bool same = is_int_type(x->dst.type) && !floats ? type_size[x->dst.type] == integer_size(x) && integer_size(x) <= 4
                                                    : x->dst.type == x->src[0].type;
    bool fits = channels(x) * type_size[x->dst.type] <= (type_size[x->dst.type] == 4 && floats ? 64 : 32) &&
                x->dst.type != DF;
    if (may & ACCW && same && fits && (x->gen < G12 || !floats || !x->first))
        x->acc_write = (is(r, BESIDE) && !is(r, READS_ACC)) || chance(4);
}

/* The low words of dwords, by name: a mul takes all of a dword on gen8 and gen9. */
static void low_words(struct operand *dwords, struct operand *words)
{
    dwords->neg = dwords->abs = false;
    if (dwords->vs > 16 || dwords->hs > 2) set_region(dwords, 0, 1, 0);
    *words = *dwords;
    words->type = UW;
    words->imm &= 0xffff;
    words->vs = (uint8_t)(words->vs * 2);
    words->hs = (uint8_t)(words->hs * 2);
}

/* What reads the accumulator finds a product in it. */
static void draw_before(struct test *t)
{
    struct word *x = &t->x, *b = &t->before;
    if (!is(t->row, READS_ACC)) return;
    const bool second = is(t->row, BESIDE); /* of a product of two halves */
    t->has_before = true;
    *b = (struct word){
        .gen = x->gen, .code = 0x41, .nsrc = 2, .exec = second || is_float(x->src[0].type) ? 8 : 16, .all = true};
    bool floats = is_float(x->src[0].type);
    unsigned type = floats ? x->src[0].type : second ? x->src[0].type : W;
    if (type == DF) b->exec = x->gen == G7 ? 8 : 4;
    b->dst = (struct operand){.place = ACC, .type = (uint8_t)type, .hs = 1, .width = 1};
    b->src[0] = (struct operand){
        .place = GRF, .type = (uint8_t)type, .reg = 5, .vs = b->exec, .width = b->exec, .hs = 1};
    b->src[1] = (struct operand){
        .place = GRF, .type = (uint8_t)type, .reg = draw_register(x, 7, 9), .vs = b->exec, .width = b->exec, .hs = 1};
    if (type == DF && x->gen == G7) b->src[0].vs = b->src[0].width = b->src[1].vs = b->src[1].width = 8;
    if (second) {
        b->src[0] = x->src[0];
        b->src[1] = x->src[1];
        b->first = 0;
        if (x->gen == G8 || x->gen == G9) low_words(&x->src[1], &b->src[1]);
    }
    encode(b);
}

/* Where other instructions have the byte of the register, these have a number: 0 to 7 of mme, 8 for none. */
static bool encode_macro(struct word *x)
{
    if (x->dst.place != GRF) return false;
    x->dst.hs = 1;
    x->dst.sub = (uint16_t)below(9);
    for (unsigned i = 0; i < x->nsrc; i++) x->src[i].sub = (uint16_t)below(9);
    encode(x);
    for (unsigned i = 0; i < x->nsrc; i++) x->src[i].sub = 0;
    x->dst.sub = 0;
    return true;
}

/* false: there is no such instruction. */
static bool make(struct test *t, const struct row *r, unsigned gen, const unsigned st[3], unsigned dt, bool align16,
    unsigned mods, enum region kind)
{
    memset(t, 0, offsetof(struct test, start));
    struct word *x = &t->x;
    struct state *s = &t->start;
    t->row = r;
    s->notes = 0;
    memset(s->kept, 0, sizeof s->kept);
    s->cr0 = (uint32_t)(draw() & 0x30) * chance(2) | (uint32_t)(draw() & 0x4c0) | chance(6) | (uint32_t)chance(5) << 1;
    for (unsigned i = 0; i < r->nsrc; i++)
        if (st[i] == HF) s->cr0 &= ~1u; /* ALT mode is of F alone */
    t->tame = s->cr0 & 1;
    const bool bounds = !is_float(st[0]) && (r->nsrc < 2 || !is_float(st[1])) && chance(3);
    for (unsigned i = 0; i < GRF_MOST; i += 4) {
        uint32_t v = bounds ? bound_dword() : some_dword(t->tame);
        memcpy(s->grf + i, &v, 4);
    }
    for (unsigned i = 0; i < 320; i += 4) {
        uint32_t v = some_dword(t->tame);
        memcpy(s->acc + i, &v, 4);
    }
    for (unsigned i = 0; i < 16; i++) s->a0[i] = (uint16_t)draw() & 0xfff;
    s->flag[0] = (uint32_t)draw();
    s->flag[1] = (uint32_t)(draw() >> 13);
    s->running = chance(3) ? UINT32_MAX : (uint32_t)(draw() >> 7);
    x->gen = (uint8_t)gen;
    x->code = gen >= G12 ? r->code12 : r->code7;
    x->nsrc = r->nsrc;
    x->ternary = r->nsrc == 3;
    x->align16 = align16;
    x->exec = (uint8_t)execution_size(r, gen, align16);
    for (unsigned i = 0; i < r->nsrc; i++) x->src[i].type = (uint8_t)st[i];
    x->dst.type = (uint8_t)dt;
    if (dt == DF || st[0] == DF)
        x->exec = gen == G7 ? (uint8_t)(2u << below(3)) : (uint8_t)(1u << below(align16 || x->ternary ? 3 : 4));
    if ((dt == DF || st[0] == DF) && (align16 || x->ternary) && x->exec < 4) x->exec = 4;
    if (x->ternary && gen < G11 && x->exec < 4) x->exec = 4;
    if (has_pairs(x) && x->ternary) return false; /* doubles of three sources came with gen7.5 */
    for (unsigned i = 0; align16 && !x->ternary && i <= r->nsrc; i++)
        if (type_size[i < r->nsrc ? st[i] : dt] == 8) return false;
    draw_masks(t);
    draw_destination(t, dt);
    for (unsigned i = 0; i < r->nsrc; i++) {
        struct operand *o = &x->src[i];
        enum region k = i == 0 && kind != CONSTANT && kind != VECTOR                ? kind
                        : i + 1u == r->nsrc && (kind == CONSTANT || kind == VECTOR) ? kind
                                                                                    : (enum region)below(BY_ADDRESS);
        if (kind >= CONSTANT && i + 1u != r->nsrc && r->nsrc == 3 && i == 0 && gen >= G11 && chance(2) &&
            type_size[o->type] == 2)
            k = CONSTANT;
        unsigned m = i ? below(4) : mods;
        if (r->may & MODS) {
            bool logic = gen >= G8 && is(r, LOGIC);
            o->neg = m & 1;
            o->abs = m & 2 && !logic;
        } else if (mods) {
            return false;
        }
        if (is(r, IMM64)) continue;
        if (x->ternary ? !draw_ternary(t, i, k) : align16 ? !draw_align16(t, i, k) : !draw_source(t, i, k))
            return false;
    }
    if (is(r, IMM64)) { /* its constant is a double */
        if (kind != CONSTANT) return false;
        x->src[0] = (struct operand){
            .place = IMMEDIATE, .type = DF, .imm = some_dword(false) | (uint64_t)some_dword(false) << 32};
        x->dst.place = GRF;
        x->dst.reg = 82;
        x->dst.sub = 0;
        x->dst.hs = 1;
    }
    if (is(r, GATHERS)) {
        struct operand *o = &x->src[0];
        if (kind != BY_ADDRESSES || x->exec > 8) return false;
        o->rows = false;
        o->gather = true;
        set_region(o, 8, 8, 1);
        set_addresses(s, x, o, x->exec);
        for (unsigned i = 1; i < x->exec; i++)
            s->a0[o->a0 + i] = (uint16_t)(((s->a0[o->a0] + o->offset) & ~31) - o->offset +
                                          (int)(below(32 / type_size[o->type]) * type_size[o->type]));
        x->dst.place = x->dst.place == INDIRECT ? GRF : x->dst.place;
        x->dst.reg = x->dst.place == GRF ? 90 : 0;
    }
    if (is(r, SCATTERS)) {
        if (kind != SCALAR) return false;
        x->src[1] = (struct operand){.place = IMMEDIATE, .type = UD, .imm = (uint32_t)draw()};
    }
    if (is(r, FOUR_F)) { /* src0 is four F, src1 of pln pairs of registers */
        if (kind != SCALAR) return false;
        x->src[0].sub &= 16;
        if (is(r, PLANE)) {
            x->src[1].place = GRF;
            x->src[1].sub = 0;
            x->src[1].neg = x->src[1].abs = false;
            set_region(&x->src[1], 8, 8, 1);
        }
    }
    if (is(r, PAIRS)) {
        x->exec = 16;
        x->first &= 16;
        x->half &= !x->first;
        for (unsigned i = 0; i < 2; i++)
            if (x->src[i].place != IMMEDIATE) set_region(&x->src[i], 16, 16, 1);
    }
    draw_extras(t);
    draw_before(t);
    if (x->gen < G12) /* a0.2 and on hold 12 bits */
        for (unsigned i = 0; i < 16; i++) s->a0[i] = i < 8 || gen >= G8 ? s->a0[i] & 0xfff : 0;
    for (int i = -1; i < (int)x->nsrc; i++)
        if (!inside(s, x, i)) return false;
    if (x->src[0].place == IMMEDIATE && x->nsrc == 1 && x->gen >= G12 && type_size[x->src[0].type] == 8) x->cmod = 0;
    if (r->may & MACRO) return encode_macro(x);
    encode(x);
    return true;
}

/* dim's constant stands in the upper 64 bits, its source type says F, and it is align16: gen7-encoding, 2. */
static void encode_dim(struct word *x)
{
    struct word y = *x;
    y.src[0] = (struct operand){.place = IMMEDIATE, .type = F};
    y.align16 = true;
    y.dst.enabled = 15;
    y.dst.sub &= 16;
    x->dst.sub &= 16;
    encode(&y);
    x->w[0] = y.w[0];
    x->w[1] = x->src[0].imm;
}

/* ---- The interpreter ---- */

struct host {
    struct gpudbg_section section;
    struct gpudbg_image image;
    struct gpudbg_machine machine;
    struct gpudbg_wave wave;
    struct gen gen;
};

static const struct gpudbg_isa *const isas[GENS] = {
    GEN_ISA(7), GEN_ISA(75), GEN_ISA(8), GEN_ISA(9), GEN_ISA(11), GEN_ISA(12), GEN_ISA(125)};

static void host_open(struct host *h, unsigned gen, enum gen_paths paths, const uint64_t *code, size_t bytes)
{
    struct gpudbg_error err = {0};
    memset(h, 0, sizeof *h);
    h->section = (struct gpudbg_section){
        .name = ".text", .size = bytes, .bytes = (const uint8_t *)code, .flags = GPUDBG_CODE_BYTES | GPUDBG_LOADED};
    h->image = (struct gpudbg_image){.path = "test", .isa = isas[gen], .sections = &h->section, .nsections = 1};
    h->machine = (struct gpudbg_machine){.isa = isas[gen],
        .image = &h->image,
        .runner = &h->gen,
        .wave_words = GEN_W_GRF + grf_bytes(gen) / 4,
        .lanes = 32,
        .waves_per_group = 1,
        .nwaves = 1};
    h->gen = (struct gen){.eu = gen_eu_of(isas[gen]),
        .paths = paths,
        .families = &gen_families,
        .system = UINT64_MAX,
        .width = 32,
        .grfs = grf_bytes(gen) / 32};
    if (!gen_code_new(&h->machine, &err)) {
        printf("Bail out! %s\n", err.message);
        exit(1);
    }
    h->wave = (struct gpudbg_wave){.machine = &h->machine, .lanes = UINT32_MAX, .state = GPUDBG_READY};
    h->wave.words = aligned_alloc(64, (4 * (GEN_W_GRF + 8 * 256) + 63) / 64 * 64);
}

static void host_close(struct host *h)
{
    gen_code_free(&h->machine);
    free(h->wave.words);
}

static bool host_run(struct host *h, const struct state *s, uint64_t pc, unsigned n)
{
    uint32_t *w = h->wave.words;
    memset(w, 0, 4 * (GEN_W_GRF + 8 * 256));
    memcpy(w + GEN_W_GRF, s->grf, GRF_MOST);
    memcpy(w + GEN_W_ACC, s->acc, 320);
    memcpy(w + GEN_W_A0, s->a0, 32);
    memcpy(w + GEN_W_F, s->flag, 8);
    w[GEN_W_CR0] = s->cr0;
    w[GEN_W_LIVE] = UINT32_MAX;
    w[GEN_W_ACTIVE] = s->running;
    w[GEN_W_JOIN] = GEN_NOWHERE;
    h->wave.pc = pc;
    return h->gen.eu->isa.run->run(&h->wave, n, false) == GPUDBG_RAN_LIMIT;
}

/* ---- Comparing ---- */

static bool close_enough(const struct note *n, uint64_t got, uint64_t want)
{
    if (n->allow != ONE_ULP) return n->allow == ANYTHING || nan_bits(n->type, got);
    if (nan_bits(n->type, want)) return nan_bits(n->type, got);
    bool tiny = !(want & ~top_bit(n->type)) || !(got & ~top_bit(n->type)); /* one of them may have been flushed */
    double a = as_double(n->type, got), b = as_double(n->type, want);
    if (tiny && fabs(a) <= 1.2e-38 && fabs(b) <= 1.2e-38) return true;
    return got == want || got + 1 == want || got == want + 1;
}

/* NULL, or what differs. */
static const char *difference(const struct host *h, struct state *s, uint64_t pc)
{
    static char text[200];
    const uint32_t *w = h->wave.words;
    for (unsigned i = 0; i < s->notes; i++) {
        const struct note *n = &s->note[i];
        uint8_t *to = (n->acc ? s->acc : s->grf) + n->at;
        const uint8_t *from = (const uint8_t *)(w + (n->acc ? GEN_W_ACC : GEN_W_GRF)) + n->at;
        if (close_enough(n, bytes_at(from, type_size[n->type]), bytes_at(to, type_size[n->type])))
            memcpy(to, from, type_size[n->type]);
    }
    const struct {
        const char *name;
        const void *got, *want;
        unsigned size;
    } parts[] = {{"r", w + GEN_W_GRF, s->grf, 32 * h->gen.grfs}, {"acc", w + GEN_W_ACC, s->acc, 320},
        {"a0.", w + GEN_W_A0, s->a0, 32}, {"f", w + GEN_W_F, s->flag, 8}, {"cr0.", w + GEN_W_CR0, &s->cr0, 4}};
    for (unsigned p = 0; p < 5; p++)
        if (memcmp(parts[p].got, parts[p].want, parts[p].size)) {
            unsigned at = 0;
            while (((const uint8_t *)parts[p].got)[at] == ((const uint8_t *)parts[p].want)[at]) at++;
            at &= ~3u;
            uint32_t got, want;
            memcpy(&got, (const uint8_t *)parts[p].got + at, 4);
            memcpy(&want, (const uint8_t *)parts[p].want + at, 4);
            snprintf(text, sizeof text, "%s%u byte %u is %08x, the model has %08x", parts[p].name,
                parts[p].size > 32 ? at / 32 : 0, at % 32, got, want);
            return text;
        }
    if (h->wave.pc != pc) return "the instruction pointer";
    return NULL;
}

/* ---- Counting ---- */

static struct {
    unsigned ran, wrong, stopped, behind; /* behind: not from the first channel of an accumulator on */
    uint32_t types;                       /* of destinations and sources */
    uint16_t regions;
    uint8_t mods, sixteen;
} count[GENS][ROWS];
static unsigned reported, open_cases;

#define BATCH 512
static struct test batch[BATCH];
static uint64_t code[BATCH * 4];
static unsigned filled;

static void describe(const struct test *t, const char *what, const char *way)
{
    struct gpudbg_insn insn;
    char text[300] = "?";
    const struct gpudbg_isa *isa = isas[t->x.gen];
    if (reported++ >= 60) return;
    if (isa->decode(isa, (const uint8_t *)t->x.w, 16, 0, &insn) > 0 && insn.op)
        isa->text(&insn, 0, GPUDBG_READABLE, NULL, text, sizeof text);
    fprintf(stderr, "# %s (%s ways): %s\n#   cr0 %x, f0 %08x f1 %08x, running %08x: %s\n", gen_names[t->x.gen], way,
        text, t->start.cr0, t->start.flag[0], t->start.flag[1], t->start.running, what);
    for (unsigned i = 0; i < t->x.nsrc; i++)
        if (t->x.src[i].place != IMMEDIATE)
            fprintf(stderr, "#   src%u of channel 0: %llx\n", i, (unsigned long long)element(&t->start, &t->x, i, 0));
}

static void flush(unsigned gen)
{
    static struct state want, now;
    struct host hosts[2];
    if (!filled) return;
    for (unsigned i = 0; i < 2; i++) host_open(&hosts[i], gen, i ? GEN_GENERIC_PATH : GEN_ALL_PATHS, code, filled * 32);
    for (unsigned k = 0; k < filled; k++) {
        struct test *t = &batch[k];
        bool good = true;
        memcpy(&want, &t->start, sizeof want);
        if (t->has_before) good = model_run(&want, &t->before, &rows[M_mul]);
        const bool stops = acc_is_open(&want, &t->x, t->row);
        if (!good || (!stops && !model_run(&want, &t->x, t->row))) {
            open_cases++;
            continue;
        }
        unsigned n = t->has_before ? 2 : 1;
        count[gen][t->row - rows].behind += !stops && n == 2 && t->x.dst.place != NULLREG &&
                                            place_of(&t->start, &t->x, -1, 0) % 32;
        for (unsigned i = 0; i < 2; i++) {
            const char *way = i ? "generic" : "all", *wrong;
            memcpy(&now, &want, sizeof now);
            bool ran = host_run(&hosts[i], &t->start, 32 * k + (n == 1 ? 16 : 0), n);
            count[gen][t->row - rows].stopped += stops && !i;
            if (stops)
                wrong = ran ? "it does not stop"
                        : strstr(hosts[i].machine.stop.message, "accumulator")
                            ? difference(&hosts[i], &now, 32 * k + 16)
                            : hosts[i].machine.stop.message;
            else if (!ran)
                wrong = hosts[i].machine.stop.message[0] ? hosts[i].machine.stop.message : "it stops";
            else
                wrong = difference(&hosts[i], &now, 32 * (k + 1));
            if (wrong) {
                count[gen][t->row - rows].wrong++;
                describe(t, wrong, way);
            }
        }
    }
    for (unsigned i = 0; i < 2; i++) host_close(&hosts[i]);
    filled = 0;
}

static void add(
    const struct row *r, unsigned gen, const unsigned st[3], unsigned dt, bool align16, unsigned mods, enum region kind)
{
    struct test *t = &batch[filled];
    bool made = false;
    for (unsigned tries = 0; !made && tries < 4; tries++) made = make(t, r, gen, st, dt, align16, mods, kind);
    if (!made) return;
    if (is(r, IMM64)) encode_dim(&t->x);
    memcpy(code + 4 * filled, t->has_before ? t->before.w : t->x.w, 16);
    memcpy(code + 4 * filled + 2, t->x.w, 16);
    count[gen][r - rows].ran++;
    for (unsigned i = 0; i < r->nsrc; i++) count[gen][r - rows].types |= 1u << st[i];
    count[gen][r - rows].types |= 1u << (dt + 16);
    count[gen][r - rows].regions |= (uint16_t)(1u << kind);
    count[gen][r - rows].mods |= (uint8_t)(1u << mods);
    count[gen][r - rows].sixteen |= align16;
    if (++filled == BATCH) flush(gen);
}

static void all_of(const struct row *r, unsigned gen, unsigned share)
{
    const unsigned more = is(r, RARE) ? 32 : !(r->may & MODS) ? 8 : r->nsrc == 1 ? 4 : 1;
    for (unsigned a = 0; a <= DF; a++)
        for (unsigned b = 0; b <= (r->nsrc > 1 ? DF : 0u); b++)
            for (unsigned c = 0; c <= (r->nsrc > 2 ? DF : 0u); c++)
                for (unsigned d = 0; d <= DF; d++) {
                    const unsigned st[3] = {a, b, c};
                    bool in = r->src >> a & 1 && r->dst >> d & 1 && (r->nsrc < 2 || r->src >> b & 1) &&
                              (r->nsrc < 3 || r->src >> c & 1);
                    if (!in || !types_fit(r, gen, st, d)) continue;
                    if (r->nsrc == 3 && gen < G11 && !(F_HF >> a & F_HF >> b & F_HF >> c & F_HF >> d & 1) &&
                        (type_size[a] < 4 || a != b || a != c || a != d))
                        continue;
                    const unsigned repeat = more * (r->may & ALIKE || r->nsrc == 3 || is_float(a) ? 8 : 1);
                    for (unsigned sixteen = 0; sixteen < 2; sixteen++)
                        for (unsigned mods = 0; mods < 4; mods++)
                            for (unsigned kind = 0; kind < REGIONS * repeat; kind++) {
                                if (sixteen && (gen >= G11 || !(r->may & SIXTEEN))) continue;
                                if (below(share)) continue;
                                add(r, gen, st, d, r->nsrc == 3 && gen < G11 ? true : sixteen, mods, kind % REGIONS);
                            }
                }
}

static void list_types(uint32_t set, char *text)
{
    for (unsigned t = 0; t <= DF; t++)
        if (set >> t & 1) text += sprintf(text, "%s ", type_name[t]);
    *text = 0;
}

/* Every operation of the instruction set's table has a row here, but for branches, messages and waiting. */
static void compare_tables(unsigned gen)
{
    char missing[300] = "";
    for (size_t i = 0; i < isas[gen]->nops; i++) {
        const struct gpudbg_op *op = &isas[gen]->ops[i];
        if (!gpudbg_has_op(isas[gen], i)) continue;
        static const char *const others[] = {"illegal", "nop", "send", "sendc", "sends", "sendsc", "wait", "sync",
            "endif", "join", "dpas", "dpasw", /* t/gen/dpas.t */
            "madm"};                          /* not executed */
        bool known = op->flags & (GPUDBG_OP_BRANCH | GPUDBG_OP_WAIT);
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) known |= strcmp(op->name, others[k]) == 0;
        for (size_t k = 0; k < ROWS; k++)
            known |= rows[k].gens >> gen & 1 && strcmp(op->name, rows[k].name) == 0 &&
                     isas[gen]->rows[i].code == (gen >= G12 ? rows[k].code12 : rows[k].code7);
        if (!known) snprintf(missing + strlen(missing), sizeof missing - strlen(missing), " %s", op->name);
    }
    is_str(missing, "", "%s: no operation of its table is left out", isas[gen]->name);
}

int main(void)
{
    const char *wish = getenv("GEN_OPS_SHARE"), *only = getenv("GEN_OPS_ONLY");
    const unsigned share = wish && atoi(wish) > 0 ? (unsigned)atoi(wish) : 14 + 7 * (tap_sample() - 1);
    for (unsigned gen = 0; gen < GENS; gen++) {
        unsigned total = 0;
        compare_tables(gen);
        for (unsigned k = 0; k < ROWS; k++) {
            char src[80], dst[80];
            if (!(rows[k].gens >> gen & 1) || (only && strcmp(only, rows[k].name))) continue;
            /* A sample that is too small to say anything is made larger. */
            for (unsigned s = share; s && (count[gen][k].ran < 4 || (k == M_mac && !count[gen][k].behind)); s /= 4)
                all_of(&rows[k], gen, s);
            flush(gen);
            list_types(count[gen][k].types & 0xffff, src);
            list_types(count[gen][k].types >> 16, dst);
            printf("# %s %s: %u instructions, %s<- %s, %d kinds of regions%s\n", isas[gen]->name, rows[k].name,
                count[gen][k].ran, dst, src, __builtin_popcount(count[gen][k].regions),
                count[gen][k].sixteen ? ", align16" : "");
            if (k == M_mac && !only)
                ok(count[gen][k].behind && count[gen][k].stopped,
                    "%s: %u of them add other channels than the first, %u stop", isas[gen]->name, count[gen][k].behind,
                    count[gen][k].stopped);
            total += count[gen][k].ran;
            ok(count[gen][k].ran && !count[gen][k].wrong, "%s %s: %u of %u instructions are as the model has them",
                isas[gen]->name, rows[k].name, count[gen][k].ran - (count[gen][k].wrong + 1) / 2, count[gen][k].ran);
        }
        printf("# %s: %u instructions\n", isas[gen]->name, total);
    }
    for (unsigned k = 0; k < REGIONS; k++) {
        bool met = only;
        for (unsigned gen = 0; gen < GENS; gen++)
            for (unsigned r = 0; r < ROWS; r++) met |= count[gen][r].regions >> k & 1;
        ok(met, "sources that are %s ran", region_name[k]);
    }
    is_int(open_cases, 0, "the model knows every one of them");
    return tap_done();
}
