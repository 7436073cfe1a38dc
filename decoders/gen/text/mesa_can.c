/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesa_can.c: the meaningful parts of an instruction that Mesa's text leaves out; found by reading back the texts that
 * mesa_text.c writes for random words. */
#include "text/mesa_message.h"

static const char *operand_lacks(const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->type == GEN_BADTYPE) return "reserved type";
    if (o->bad_file) return "no such register";
    if (o->mode == GEN_INDIRECT)
        return o->align16                                             ? "an address with Align16"
               : o == &i->dst && o->addr_sub % gen_type_size[o->type] ? "an address word of the destination"
                                                                      : NULL;
    if (o->file == GEN_NULL && o->reg) return "a number of null";
    if ((o->file == GEN_IP && o->reg) || o->file == GEN_TDR) return "a register without its number";
    if (gen_is_macro(i)) return "registers of a macro";
    return o->sub % gen_type_size[o->type] ? "a subregister inside an element" : NULL;
}

/* ip has neither subregister nor region nor type in the text. */
static bool usual_ip(const struct gen_operand *o, bool source)
{
    if (o->file != GEN_IP) return true;
    return !o->align16 && !o->sub && o->type == GEN_UD &&
           (source ? o->vstride == 0 && o->width == 1 && o->hstride == 0 : o->hstride == 1);
}

static const char *source_lacks(const struct gen_insn *i, const struct gen_operand *o)
{
    const unsigned size = gen_type_size[o->type];
    if (o->mode == GEN_IMMEDIATE) {
        if (o->type == GEN_BADTYPE || o->type == GEN_NF) return "reserved type";
        const bool small = o->type < GEN_UV && size <= 2 && i->shape != GEN_TERNARY;
        if (size == 1) return "a constant of bytes";
        return small && (o->imm & 0xffff) != (o->imm >> 16 & 0xffff) ? "halves of the constant differ" : NULL;
    }
    const char *why = operand_lacks(i, o);
    if (why) return why;
    if (!usual_ip(o, true)) return "the region of ip";
    if (i->shape == GEN_TERNARY && !i->eu->three_regions) return NULL;
    if (o->vstride == GEN_RESERVED && !o->vx) return "reserved region";
    return o->width == GEN_RESERVED ? "reserved region" : NULL;
}

static const char *destination_lacks(const struct gen_insn *i)
{
    const struct gen_operand *d = &i->dst;
    const char *why = d->mode == GEN_ABSENT || i->shape == GEN_SYNC ? NULL : operand_lacks(i, d);
    if (why || d->mode == GEN_ABSENT || i->shape == GEN_SYNC) return why;
    if (!usual_ip(d, false)) return "the region of ip";
    if ((i->shape == GEN_TERNARY || d->align16) && d->hstride != 1) return "the step of the destination";
    return NULL;
}

/* 1H is the first sixteen, 2H the second. */
static bool says_channels(const struct gen_insn *i)
{
    if (i->exec_size < 8 || i->chan_off % 8) return true;
    if (i->exec_size == 8) return true;
    return i->exec_size == 16 ? i->chan_off % 16 == 0 : i->chan_off == 0;
}

/* For wait Mesa prints only the destination: the source must be the same register. */
static bool usual_wait(const struct gen_insn *i)
{
    const struct gen_operand *d = &i->dst, *s = &i->src[0];
    const bool one = d->chan_en && !(d->chan_en & (d->chan_en - 1));
    const unsigned swizzle = one ? 0x55u * (unsigned)__builtin_ctz(d->chan_en) : 0xe4;
    const bool region = i->align16 ? s->vstride == 0 && s->swizzle == swizzle
                                   : s->vstride == 0 && s->width == 1 && s->hstride == 0;
    return d->mode == GEN_DIRECT && s->mode == GEN_DIRECT && d->file == s->file && d->arf == s->arf &&
           d->reg == s->reg && d->sub == s->sub && d->type == s->type && !s->neg && !s->abs && region;
}

/* Mesa prints the descriptor's register as a source.  A meaningless bit makes Mesa print it as an indirect one. */
static bool says_descriptor(const struct gen_insn *i)
{
    struct gen_insn both = *i;
    gen_unpack_second(&both);
    return !i->src[1].bad_file && both.src[1].mode == GEN_DIRECT && both.src[1].type != GEN_BADTYPE;
}

static bool usual_sync(const struct gen_insn *i)
{
    const struct gen_operand *d = &i->dst;
    return d->mode == GEN_DIRECT && d->file == GEN_NULL && !d->reg && !d->sub && d->type == GEN_UB &&
           (d->hstride == 1 || gen_mesa_bare_null(i));
}

const char *gen_mesa_lacks(const struct gen_insn *i)
{
    const char *why;
    const bool flow = i->shape >= GEN_JUMP;
    struct gen_insn region;
    if (i->shape == GEN_NONE) return NULL;
    if (gen_unpack_region(i, &region)) {
        if (i->ex_desc >> 28) return "the extended descriptor";
        i = &region;
    }
    if (i->exec_size > 32) return "reserved execution size";
    if (!says_channels(i)) return "which channels";
    if (i->shape == GEN_SEND && i->saturate) return "the saturation of a send";
    if (i->shape == GEN_SEND && i->desc_is_reg && gen_any_descriptor(i->eu, i->op) && !says_descriptor(i))
        return "the register of the descriptor";
    if (i->cmod && !flow && i->shape != GEN_SEND && !gen_mesa_says_flag(i->op) && !i->pred &&
        (i->flag_reg || i->flag_sub))
        return "the flag of the condition";
    if (gen_is_macro(i)) return "registers of a macro";
    if (GEN_IS(i->op, TRUTH) && i->func) return "the function";
    if (i->shape == GEN_TERNARY && !i->eu->three_regions && !i->align16) return "three sources without Align16";
    if ((why = destination_lacks(i))) return why;
    if (i->shape == GEN_SYNC && !usual_sync(i)) return "the destination of a sync";
    if (i->shape == GEN_WAIT) return usual_wait(i) ? NULL : "what it waits for";
    for (unsigned n = 0; n < i->nsrc; n++)
        if ((why = source_lacks(i, &i->src[n]))) return why;
    return NULL;
}
