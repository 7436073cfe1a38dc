/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa_said.c: what an assembler makes of Mesa's text (mesa_text.c), from the fields of the instruction: said.c fills
 * in what the manual's syntax gives, and here the parts are dropped or changed that Mesa's text lacks or writes in
 * another way.  t/gen/said.c reads texts back and compares.
 */
#include "text/mesa_message.h"
#include "ops.h"

/* ---- Operands ---- */

enum { ARF_IP = 0xa0, ARF_TDR = 0xb0 };

/* null, ip and tdr0 are written without their number. */
static void drop_number(struct gen_written *s)
{
    const unsigned kind = s->reg & 0xf0;
    if (!kind || kind == ARF_IP || kind == ARF_TDR) s->reg = (uint8_t)kind;
}

/* ip and tdr0 are written alone: they have the usual type and region.  false: no dword of a register is meant. */
static bool usual_parts(const struct gen_insn *i, struct gen_written *s, unsigned part, bool destination)
{
    if (4 * part > 31 || (i->align16 && 4 * part % 16)) return false;
    s->sub = (uint8_t)(4 * part);
    s->type = GEN_UD;
    s->swizzle = 0xe4;
    s->chan_en = 15;
    s->v = i->align16 && !destination ? 3 : 0;
    s->w = 0;
    s->h = destination && !(i->shape == GEN_TERNARY && i->eu->three_regions);
    return true;
}

/* Small constants are in their field twice; the text has them once. */
static void constant(const struct gen_insn *i, const struct gen_operand *o, struct gen_written *s)
{
    const unsigned size = gen_type_size[o->type];
    if (size > 2 || o->type >= GEN_UV) return;
    const uint64_t bits = size == 1 ? (o->imm & 0xff) * 0x101 : o->imm & 0xffff;
    s->imm = i->shape == GEN_TERNARY ? bits : bits * 0x10001;
}

static bool stands_alone(const struct gen_operand *o)
{
    return o->mode == GEN_DIRECT && (o->file == GEN_IP || o->file == GEN_TDR);
}

/* false: the text of the operand cannot be read. */
static bool operand(const struct gen_insn *i, const struct gen_operand *o, struct gen_written *s)
{
    const bool destination = o == &i->dst;
    const unsigned size = gen_type_size[o->type];
    const bool alone = stands_alone(o) && (destination || i->shape != GEN_TERNARY);
    if (o->mode == GEN_ABSENT) return true;
    s->mme = false;
    if (o->type == GEN_BADTYPE && !alone) return false;
    if (o->mode == GEN_IMMEDIATE) {
        constant(i, o, s);
        return !destination;
    }
    if (o->mode == GEN_INDIRECT) {
        s->file = 1;
        if (destination) s->addr_sub = (uint8_t)(o->addr_sub / size * size);
        if (destination && s->addr_sub >= i->eu->address_words) return false;
    } else {
        if (o->bad_file) return false;
        if (!s->file) drop_number(s);
        s->sub = (uint8_t)(o->sub / size * size);
    }
    if (alone) return usual_parts(i, s, o->sub / size, destination);
    if (!destination && i->shape == GEN_TERNARY && o != &i->src[2] && o->hstride && o->width == GEN_RESERVED)
        return false;
    if (!destination && o->vx && o->mode != GEN_INDIRECT && !o->align16) return false;
    if (destination && (i->shape == GEN_TERNARY || o->align16)) s->h = i->shape != GEN_TERNARY;
    if (!destination && o->rep) s->swizzle = 0;
    return true;
}

/* ---- The forms ---- */

/* 1Q and 1H start at eights and sixteens, and 32 channels at none. */
static void channels(struct gen_assembly *a)
{
    if (a->exec == 4) a->chan_off = a->chan_off & 4 ? a->chan_off : a->chan_off & 16;
    if (a->exec > 4 && !(a->chan_off & 4)) a->chan_off = 0;
}

static void flags(const struct gen_insn *i, struct gen_assembly *a)
{
    a->cmod = i->shape == GEN_SEND || i->shape == GEN_MATH || i->shape == GEN_SYNC ? 0 : i->cmod;
    a->has_flag = i->pred || (a->cmod && gen_mesa_says_flag(i->op));
    a->flag_reg = a->has_flag ? i->flag_reg : 0;
    a->flag_sub = a->has_flag ? i->flag_sub : 0;
}

/* Mesa's math and movi have two sources. */
static bool second(const struct gen_insn *i, struct gen_assembly *a)
{
    struct gen_insn both = *i;
    if (i->nsrc != 1 || !(i->shape == GEN_MATH || GEN_IS(i->op, GATHERS))) return true;
    gen_unpack_second(&both);
    if (!gen_mesa_says_second(&both)) return true;
    a->has_second = true;
    gen_fill_operand(&both, &both.src[1], &a->src[1]);
    return operand(&both, &both.src[1], &a->src[1]);
}

/* wait names the register once; sync has no destination in the text. */
static bool waits(const struct gen_insn *i, struct gen_assembly *a)
{
    struct gen_written *s = &a->src[0];
    if (i->shape == GEN_SYNC) {
        const bool bare = gen_mesa_bare_null(i) || stands_alone(&i->src[0]);
        a->dst = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB, .h = !bare};
        return true;
    }
    const bool one = a->dst.chan_en && !(a->dst.chan_en & (a->dst.chan_en - 1));
    *s = a->dst;
    s->v = s->w = s->h = 0;
    s->swizzle = a->align16 && one ? (uint8_t)(0x55u * (unsigned)__builtin_ctz(s->chan_en)) : 0xe4;
    a->has_second = true;
    a->src[1] = (struct gen_written){
        .mode = GEN_DIRECT, .type = GEN_F32, .swizzle = 0xe4, .v = a->align16 ? 3 : 4, .w = 3, .h = 1};
    return s->mode == GEN_DIRECT;
}

/* The descriptor is written as a number, beside a register if it is in one. */
static bool messages(const struct gen_insn *i, struct gen_assembly *a)
{
    a->sfid = i->sfid;
    a->ex_bso = a->cps = false;
    a->length = -1;
    a->has_desc = true;
    if (gen_is_split(i)) {
        a->ex_desc = i->ex_desc_is_reg ? 0 : i->ex_desc;
        a->has_desc = !i->desc_is_reg;
        if (!i->ex_desc_is_reg && i->ex_desc & 0x3f) return false;
        return true;
    }
    a->ex_desc = 0;
    a->desc = (uint32_t)(i->w[1] >> 32) & 0x7fffffff;
    a->eot |= i->w[1] >> 63;
    if (!i->desc_is_reg) return true;
    struct gen_insn both = *i;
    gen_unpack_second(&both);
    const struct gen_operand *o = &both.src[1];
    gen_fill_operand(&both, o, &a->desc_reg);
    return stands_alone(o) ? (a->desc_reg.type = GEN_UD, true) : operand(&both, o, &a->desc_reg);
}

bool gen_mesa_drops(const struct gen_insn *i, struct gen_assembly *a)
{
    a->mesa = true;
    if (i->shape == GEN_NONE) return true;
    if (i->shape == GEN_DPAS) return false;
    channels(a);
    flags(i, a);
    if (i->shape == GEN_SEND) a->saturate = false;
    if (GEN_IS(i->op, TRUTH)) a->func = 0;
    if (i->shape == GEN_WAIT) gen_fill_operand(i, &i->dst, &a->dst);
    if (i->shape != GEN_SYNC && !operand(i, &i->dst, &a->dst)) return false;
    for (unsigned n = 0; n < i->nsrc && i->shape != GEN_WAIT; n++)
        if (!operand(i, &i->src[n], &a->src[n])) return false;
    if (i->shape == GEN_SYNC || i->shape == GEN_WAIT) return waits(i, a);
    return i->shape == GEN_SEND ? messages(i, a) : second(i, a);
}

/* A constant shares its bits with the other source: what is dropped of that one may not change the constant. */
bool gen_mesa_keeps(const struct gen_assembly *a)
{
    if (a->shape != GEN_UNARY && a->shape != GEN_BINARY) return true;
    for (unsigned n = 0; n < a->nsrc; n++) {
        const struct gen_written *s = &a->src[n];
        const unsigned bits = 8u * gen_type_size[s->type];
        const bool wide = bits == 64 && a->shape == GEN_UNARY;
        if (s->mode == GEN_IMMEDIATE && !wide && (s->imm ^ a->w[1] >> 32) << (64 - bits)) return false;
    }
    return true;
}
