/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * encode.h: instructions of the EU put together from the layouts of the fact sheets, for tests: no table of the decoder
 * is used here.  An instruction is filled in as a struct word; encode writes its bits to w.
 */
#ifndef GEN_ENCODE_H
#define GEN_ENCODE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { G7, G75, G8, G9, G11, G12, G125, GENS };

enum type { UB, UW, UD, UQ, B, W, D, Q, HF, F, DF, UV, V, VF, TYPES };
static const uint8_t type_size[TYPES] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 2, 2, 4};
static const char *const type_name[TYPES] = {
    "ub", "uw", "ud", "uq", "b", "w", "d", "q", "hf", "f", "df", "uv", "v", "vf"};

enum place { ABSENT, GRF, ACC, IMMEDIATE, INDIRECT, NULLREG };

struct operand {
    uint8_t place, type;
    uint16_t reg, sub;     /* sub: bytes */
    uint8_t vs, width, hs; /* elements; destinations: hs */
    bool neg, abs;
    uint8_t swizzle, enabled; /* align16 */
    bool replicated;          /* three sources of gen7 */
    uint64_t imm;             /* 8- and 16-bit types: once */
    uint8_t a0;               /* indirect: word of a0 */
    int16_t offset;           /* indirect: bytes */
    bool rows;                /* VxH, Vx1: each row has its own word of a0 */
    bool gather;              /* of movi: each channel its own word of a0 */
};

struct word {
    uint8_t gen, code, nsrc;
    bool ternary;
    uint8_t exec, first; /* channels, the first one's number */
    bool all, align16;   /* all: NoMask */
    uint8_t pred;
    bool inverted;
    uint8_t flag, half;
    uint8_t cmod; /* or the function of math */
    bool saturate, acc_write;
    uint8_t function; /* of bfn */
    struct operand dst, src[3];
    uint64_t w[2];
};

static inline void put(uint64_t w[2], unsigned hi, unsigned lo, uint64_t value)
{
    for (unsigned i = lo; i <= hi; i++)
        if (value >> (i - lo) & 1) w[i / 64] |= UINT64_C(1) << i % 64;
}

/* 0, 1, 2, 4, ... as 0, 1, 2, 3, ... */
static inline unsigned stride_code(unsigned stride) { return stride ? 1 + (unsigned)__builtin_ctz(stride) : 0; }

static inline unsigned register_number(const struct operand *o)
{
    return o->place == ACC ? 0x20u + o->reg : o->place == NULLREG ? 0 : o->reg;
}

static inline uint32_t immediate_dword(const struct operand *o)
{
    bool twice = type_size[o->type] == 2 && o->type != UV && o->type != V;
    return twice ? (uint32_t)((o->imm & 0xffff) * 0x10001u) : (uint32_t)o->imm;
}

/* ---- gen7, gen7.5: gen7-fields ---- */

static inline unsigned type7(const struct operand *o)
{
    static const uint8_t registers[TYPES] = {
        [UD] = 0, [D] = 1, [UW] = 2, [W] = 3, [UB] = 4, [B] = 5, [DF] = 6, [F] = 7};
    static const uint8_t constants[TYPES] = {
        [UD] = 0, [D] = 1, [UW] = 2, [W] = 3, [UV] = 4, [VF] = 5, [V] = 6, [F] = 7};
    return (o->place == IMMEDIATE ? constants : registers)[o->type];
}

static inline unsigned file7(const struct operand *o)
{
    return o->place == IMMEDIATE ? 3 : o->place == GRF || o->place == INDIRECT;
}

static inline void source7(struct word *x, const struct operand *o, unsigned at)
{
    if (o->place == IMMEDIATE) {
        put(x->w, 127, 96, immediate_dword(o));
        return;
    }
    put(x->w, at + 13, at + 13, o->abs);
    put(x->w, at + 14, at + 14, o->neg);
    if (o->place == INDIRECT) {
        put(x->w, at + 9, at, (uint64_t)(uint16_t)o->offset & 0x3ff);
        put(x->w, at + 12, at + 10, o->a0);
        put(x->w, at + 15, at + 15, 1);
    } else {
        put(x->w, at + 12, at + 5, register_number(o));
        if (x->align16)
            put(x->w, at + 4, at + 4, o->sub / 16);
        else
            put(x->w, at + 4, at, o->sub);
    }
    if (x->align16) {
        put(x->w, at + 3, at, o->swizzle & 15);
        put(x->w, at + 19, at + 16, o->swizzle >> 4);
    } else {
        put(x->w, at + 17, at + 16, stride_code(o->hs));
        put(x->w, at + 20, at + 18, (unsigned)__builtin_ctz(o->width));
    }
    put(x->w, at + 24, at + 21, o->rows ? 15 : stride_code(o->vs));
}

static inline void basic7(struct word *x)
{
    const struct operand *d = &x->dst;
    put(x->w, 47, 47, x->first / 4 & 1);
    put(x->w, 89, 89, x->half);
    put(x->w, 90, 90, x->flag);
    put(x->w, 33, 32, file7(d));
    put(x->w, 36, 34, type7(d));
    if (d->place == INDIRECT) {
        put(x->w, 57, 48, (uint64_t)(uint16_t)d->offset & 0x3ff);
        put(x->w, 60, 58, d->a0);
        put(x->w, 63, 63, 1);
    } else {
        put(x->w, 60, 53, register_number(d));
        if (x->align16) {
            put(x->w, 51, 48, d->enabled);
            put(x->w, 52, 52, d->sub / 16);
        } else {
            put(x->w, 52, 48, d->sub);
        }
    }
    put(x->w, 62, 61, x->align16 ? 1 : stride_code(d->hs));
    put(x->w, 38, 37, file7(&x->src[0]));
    put(x->w, 41, 39, type7(&x->src[0]));
    source7(x, &x->src[0], 64);
    if (x->nsrc > 1) {
        put(x->w, 43, 42, file7(&x->src[1]));
        put(x->w, 46, 44, type7(&x->src[1]));
        source7(x, &x->src[1], 96);
    }
}

static inline void ternary7(struct word *x)
{
    static const uint8_t types[TYPES] = {[F] = 0, [D] = 1, [UD] = 2, [DF] = 3};
    put(x->w, 47, 47, x->first / 4 & 1);
    put(x->w, 33, 33, x->half);
    put(x->w, 34, 34, x->flag);
    put(x->w, 43, 42, types[x->src[0].type]);
    put(x->w, 45, 44, types[x->dst.type]);
    put(x->w, 52, 49, x->dst.enabled);
    put(x->w, 55, 53, x->dst.sub / 4);
    put(x->w, 63, 56, x->dst.reg);
    for (unsigned i = 0; i < 3; i++) {
        const struct operand *o = &x->src[i];
        const unsigned at = 64 + 21 * i;
        put(x->w, 36 + 2 * i, 36 + 2 * i, o->abs);
        put(x->w, 37 + 2 * i, 37 + 2 * i, o->neg);
        put(x->w, at, at, o->replicated);
        put(x->w, at + 8, at + 1, o->swizzle);
        put(x->w, at + 11, at + 9, o->sub / 4);
        put(x->w, at + 19, at + 12, o->reg);
    }
}

static inline void encode7(struct word *x)
{
    put(x->w, 6, 0, x->code);
    put(x->w, 8, 8, x->align16);
    put(x->w, 9, 9, x->all);
    put(x->w, 13, 12, x->first / 8);
    put(x->w, 19, 16, x->pred);
    put(x->w, 20, 20, x->inverted);
    put(x->w, 23, 21, (unsigned)__builtin_ctz(x->exec));
    put(x->w, 27, 24, x->cmod);
    put(x->w, 28, 28, x->acc_write);
    put(x->w, 31, 31, x->saturate);
    if (x->ternary)
        ternary7(x);
    else
        basic7(x);
}

/* ---- gen8, gen9, gen11: generations/intel-eu-fields-by-generation; types: Mesa, brw_reg_type.c ---- */

static inline unsigned type8(unsigned gen, const struct operand *o)
{
    static const uint8_t registers[2][TYPES] = {
        {[UD] = 0, [D] = 1, [UW] = 2, [W] = 3, [UB] = 4, [B] = 5, [DF] = 6, [F] = 7, [UQ] = 8, [Q] = 9, [HF] = 10},
        {[UD] = 0, [D] = 1, [UW] = 2, [W] = 3, [UB] = 4, [B] = 5, [UQ] = 6, [Q] = 7, [HF] = 8, [F] = 9, [DF] = 10}};
    static const uint8_t constants[2][TYPES] = {{[UD] = 0,
                                                    [D] = 1,
                                                    [UW] = 2,
                                                    [W] = 3,
                                                    [UV] = 4,
                                                    [VF] = 5,
                                                    [V] = 6,
                                                    [F] = 7,
                                                    [UQ] = 8,
                                                    [Q] = 9,
                                                    [DF] = 10,
                                                    [HF] = 11},
        {[UD] = 0,
            [D] = 1,
            [UW] = 2,
            [W] = 3,
            [UV] = 4,
            [V] = 5,
            [UQ] = 6,
            [Q] = 7,
            [HF] = 8,
            [F] = 9,
            [DF] = 10,
            [VF] = 11}};
    return (o->place == IMMEDIATE ? constants : registers)[gen == G11][o->type];
}

static inline void source8(struct word *x, const struct operand *o, unsigned at, unsigned sign)
{
    if (o->place == INDIRECT) {
        put(x->w, at + 8, at, (uint64_t)(uint16_t)o->offset & 0x1ff);
        put(x->w, sign, sign, (uint64_t)(uint16_t)o->offset >> 9 & 1);
        put(x->w, at + 12, at + 9, o->a0);
        put(x->w, at + 15, at + 15, 1);
        put(x->w, at + 13, at + 13, o->abs);
        put(x->w, at + 14, at + 14, o->neg);
        put(x->w, at + 17, at + 16, stride_code(o->hs));
        put(x->w, at + 20, at + 18, (unsigned)__builtin_ctz(o->width));
        put(x->w, at + 24, at + 21, o->rows ? 15 : stride_code(o->vs));
    } else {
        source7(x, o, at);
    }
}

static inline void basic8(struct word *x)
{
    const struct operand *d = &x->dst, *a = &x->src[0], *b = &x->src[1];
    put(x->w, 36, 35, file7(d));
    put(x->w, 40, 37, type8(x->gen, d));
    if (d->place == INDIRECT) {
        put(x->w, 56, 48, (uint64_t)(uint16_t)d->offset & 0x1ff);
        put(x->w, 47, 47, (uint64_t)(uint16_t)d->offset >> 9 & 1);
        put(x->w, 60, 57, d->a0);
        put(x->w, 63, 63, 1);
    } else {
        put(x->w, 60, 53, register_number(d));
        if (x->align16) {
            put(x->w, 51, 48, d->enabled);
            put(x->w, 52, 52, d->sub / 16);
        } else {
            put(x->w, 52, 48, d->sub);
        }
    }
    put(x->w, 62, 61, x->align16 ? 1 : stride_code(d->hs));
    put(x->w, 42, 41, file7(a));
    put(x->w, 46, 43, type8(x->gen, a));
    if (a->place == IMMEDIATE && type_size[a->type] == 8) {
        x->w[1] = a->imm;
        return;
    }
    source8(x, a, 64, 95);
    if (x->nsrc > 1) {
        put(x->w, 90, 89, file7(b));
        put(x->w, 94, 91, type8(x->gen, b));
        source8(x, b, 96, 121);
    }
}

static inline void ternary8(struct word *x) /* align16 */
{
    static const uint8_t types[TYPES] = {[F] = 0, [D] = 1, [UD] = 2, [DF] = 3, [HF] = 4};
    put(x->w, 45, 43, types[x->src[0].type]);
    put(x->w, 48, 46, types[x->dst.type]);
    put(x->w, 52, 49, x->dst.enabled);
    put(x->w, 55, 53, x->dst.sub / 4);
    put(x->w, 63, 56, x->dst.reg);
    if (x->gen == G9) { /* Mesa, brw_eu_emit.c: the type is source 0's, the others have a bit */
        put(x->w, 36, 36, x->src[1].type == HF);
        put(x->w, 35, 35, x->src[2].type == HF);
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct operand *o = &x->src[i];
        const unsigned at = 64 + 21 * i;
        put(x->w, 37 + 2 * i, 37 + 2 * i, o->abs);
        put(x->w, 38 + 2 * i, 38 + 2 * i, o->neg);
        put(x->w, at, at, o->replicated);
        put(x->w, at + 8, at + 1, o->swizzle);
        put(x->w, at + 11, at + 9, o->sub / 4);
        put(x->w, at + 19, at + 12, o->reg);
    }
}

static inline unsigned region_type11(unsigned type)
{
    static const uint8_t codes[TYPES] = {
        [UD] = 0, [D] = 1, [UW] = 2, [W] = 3, [UB] = 4, [B] = 5, [HF] = 0, [F] = 1, [DF] = 2};
    return codes[type];
}

static inline unsigned row_step11(unsigned vs) { return vs == 8 ? 3 : vs / 2; }

static inline void ternary11(struct word *x) /* three regions */
{
    const struct operand *d = &x->dst, *a = &x->src[0], *b = &x->src[1], *c = &x->src[2];
    put(x->w, 35, 35, d->type >= HF);
    put(x->w, 36, 36, d->place != GRF);
    put(x->w, 48, 46, region_type11(d->type));
    put(x->w, 49, 49, d->hs == 2);
    put(x->w, 55, 54, d->sub / 8);
    put(x->w, 63, 56, register_number(d));
    put(x->w, 66, 64, region_type11(a->type));
    put(x->w, 87, 85, region_type11(b->type));
    put(x->w, 108, 106, region_type11(c->type));
    if (a->place == IMMEDIATE) {
        put(x->w, 43, 43, 1);
        put(x->w, 82, 67, a->imm);
    } else {
        put(x->w, 68, 67, row_step11(a->vs));
        put(x->w, 70, 69, stride_code(a->hs));
        put(x->w, 75, 71, a->sub);
        put(x->w, 83, 76, register_number(a));
    }
    put(x->w, 89, 88, row_step11(b->vs));
    put(x->w, 91, 90, stride_code(b->hs));
    put(x->w, 96, 92, b->sub);
    put(x->w, 104, 97, register_number(b));
    if (c->place == IMMEDIATE) {
        put(x->w, 45, 45, 1);
        put(x->w, 124, 109, c->imm);
    } else {
        put(x->w, 112, 111, stride_code(c->hs));
        put(x->w, 117, 113, c->sub);
        put(x->w, 125, 118, register_number(c));
    }
    for (unsigned i = 0; i < 3; i++) {
        put(x->w, 37 + 2 * i, 37 + 2 * i, x->src[i].abs);
        put(x->w, 38 + 2 * i, 38 + 2 * i, x->src[i].neg);
    }
}

static inline void encode8(struct word *x)
{
    put(x->w, 6, 0, x->code);
    put(x->w, 8, 8, x->align16);
    put(x->w, 11, 11, x->first / 4 & 1);
    put(x->w, 13, 12, x->first / 8);
    put(x->w, 19, 16, x->pred);
    put(x->w, 20, 20, x->inverted);
    put(x->w, 23, 21, (unsigned)__builtin_ctz(x->exec));
    put(x->w, 27, 24, x->cmod);
    put(x->w, 28, 28, x->acc_write);
    put(x->w, 31, 31, x->saturate);
    put(x->w, 32, 32, x->half);
    put(x->w, 33, 33, x->flag);
    put(x->w, 34, 34, x->all);
    if (!x->ternary)
        basic8(x);
    else if (x->gen == G11)
        ternary11(x);
    else
        ternary8(x);
}

/* ---- gen12: gen12-fields ---- */

static inline unsigned type12(const struct operand *o)
{
    static const uint8_t constants[TYPES] = {[UV] = 0, [V] = 4, [VF] = 8};
    return o->type < HF ? o->type : o->type <= DF ? o->type + 1u : constants[o->type];
}

static inline void source12(struct word *x, const struct operand *o, unsigned at)
{
    if (o->place == INDIRECT) { /* from the file's bit on */
        put(x->w, at + 11, at + 2, (uint64_t)(uint16_t)o->offset & 0x3ff);
        put(x->w, at + 15, at + 12, o->a0);
        put(x->w, at + 16, at + 16, 1);
    } else {
        put(x->w, at + 2, at + 2, o->place == GRF);
        put(x->w, at + 7, at + 3, o->sub);
        put(x->w, at + 15, at + 8, register_number(o));
    }
    put(x->w, at + 1, at, stride_code(o->hs));
    put(x->w, at + 19, at + 17, (unsigned)__builtin_ctz(o->width));
    put(x->w, at + 23, at + 20, o->rows ? 15 : stride_code(o->vs));
}

static inline void basic12(struct word *x)
{
    const struct operand *d = &x->dst, *a = &x->src[0], *b = &x->src[1];
    put(x->w, 39, 36, type12(d));
    put(x->w, 49, 48, stride_code(d->hs));
    if (d->place == INDIRECT) {
        put(x->w, 35, 35, 1);
        put(x->w, 59, 50, (uint64_t)(uint16_t)d->offset & 0x3ff);
        put(x->w, 63, 60, d->a0);
    } else {
        put(x->w, 50, 50, d->place == GRF);
        put(x->w, 55, 51, d->sub);
        put(x->w, 63, 56, register_number(d));
    }
    put(x->w, 43, 40, type12(a));
    put(x->w, 95, 92, x->cmod);
    if (a->place == IMMEDIATE) {
        put(x->w, 46, 46, 1);
        put(x->w, 127, 96, immediate_dword(a));
        if (type_size[a->type] == 8) put(x->w, 95, 64, a->imm >> 32);
        return;
    }
    put(x->w, 44, 44, a->abs);
    put(x->w, 45, 45, a->neg);
    source12(x, a, 64);
    if (x->nsrc < 2) return;
    put(x->w, 91, 88, type12(b));
    if (b->place == IMMEDIATE) {
        put(x->w, 47, 47, 1);
        put(x->w, 127, 96, immediate_dword(b));
        return;
    }
    put(x->w, 120, 120, b->abs);
    put(x->w, 121, 121, b->neg);
    source12(x, b, 96);
}

static inline unsigned ternary_type(unsigned type) { return type < HF ? type : type - HF + 1u; }

static inline unsigned ternary_stride(unsigned vs) { return vs == 8 ? 3 : vs == 4 ? 2 : vs; }

static inline void ternary12(struct word *x)
{
    const struct operand *d = &x->dst, *a = &x->src[0], *b = &x->src[1], *c = &x->src[2];
    unsigned va = ternary_stride(a->vs), vb = ternary_stride(b->vs);
    put(x->w, 38, 36, ternary_type(d->type));
    put(x->w, 39, 39, d->type >= HF);
    put(x->w, 48, 48, d->hs == 2);
    put(x->w, 50, 50, d->place == GRF);
    put(x->w, 55, 51, d->sub);
    put(x->w, 63, 56, register_number(d));
    put(x->w, 42, 40, ternary_type(a->type));
    put(x->w, 82, 80, ternary_type(c->type));
    put(x->w, 90, 88, ternary_type(b->type));
    put(x->w, 95, 92, x->cmod);
    put(x->w, 95, 92, x->function >> 4); /* of bfn, which has no modifiers */
    put(x->w, 87, 84, x->function & 15);
    if (a->place == IMMEDIATE) {
        put(x->w, 46, 46, 1);
        put(x->w, 79, 64, a->imm);
    } else {
        put(x->w, 44, 44, a->abs);
        put(x->w, 45, 45, a->neg);
        put(x->w, 43, 43, va >> 1);
        put(x->w, 35, 35, va & 1);
        put(x->w, 65, 64, stride_code(a->hs));
        put(x->w, 66, 66, a->place == GRF);
        put(x->w, 71, 67, a->sub);
        put(x->w, 79, 72, register_number(a));
    }
    put(x->w, 86, 86, b->abs);
    put(x->w, 87, 87, b->neg);
    put(x->w, 91, 91, vb >> 1);
    put(x->w, 83, 83, vb & 1);
    put(x->w, 97, 96, stride_code(b->hs));
    put(x->w, 98, 98, b->place == GRF);
    put(x->w, 103, 99, b->sub);
    put(x->w, 111, 104, register_number(b));
    if (c->place == IMMEDIATE) {
        put(x->w, 47, 47, 1);
        put(x->w, 127, 112, c->imm);
    } else {
        put(x->w, 84, 84, c->abs);
        put(x->w, 85, 85, c->neg);
        put(x->w, 113, 112, stride_code(c->hs));
        put(x->w, 114, 114, c->place == GRF);
        put(x->w, 119, 115, c->sub);
        put(x->w, 127, 120, register_number(c));
    }
}

static inline void encode12(struct word *x)
{
    put(x->w, 6, 0, x->code);
    put(x->w, 18, 16, (unsigned)__builtin_ctz(x->exec));
    put(x->w, 21, 19, x->first / 4);
    put(x->w, 22, 22, x->half);
    put(x->w, 23, 23, x->flag);
    put(x->w, 27, 24, x->pred);
    put(x->w, 28, 28, x->inverted);
    put(x->w, 31, 31, x->all);
    put(x->w, 33, 33, x->acc_write);
    put(x->w, 34, 34, x->saturate);
    if (x->ternary)
        ternary12(x);
    else
        basic12(x);
}

static inline void encode(struct word *x)
{
    x->w[0] = x->w[1] = 0;
    if (x->gen >= G12)
        encode12(x);
    else if (x->gen >= G8)
        encode8(x);
    else
        encode7(x);
}

#endif
