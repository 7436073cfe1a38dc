/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iga_can.c: instructions that IGA 1.1 cannot write, refuses, or changes; found by giving it instructions of all kinds
 * and comparing the bytes. */
#include "code/gen_decoder.h"
#include "ops.h"

bool gen_iga_counts_bytes(const struct gen_operand *o)
{
    return o->file == GEN_IP || o->file == GEN_CE || o->file == GEN_FC || o->file == GEN_NOFILE;
}

static bool odd_subregister(const struct gen_operand *o)
{
    return o->mode == GEN_DIRECT && !gen_iga_counts_bytes(o) && o->sub % gen_type_size[o->type];
}

/* Whether the number of the register is too large: IGA takes the name for another register, or forgets the number. */
static bool beyond(const struct gen_insn *i, const struct gen_operand *o)
{
    static const uint8_t last[GEN_FILES] = {[GEN_ACC] = 9, [GEN_F] = 1, [GEN_SR0] = 1, [GEN_FC] = 3};
    if (o->mode == GEN_DIRECT && o->file == GEN_ACC && i->eu->iga_mme == 8)
        return false; /* acc8 to acc15 are mme0 to mme7 */
    return o->mode == GEN_DIRECT && o->file != GEN_GRF && o->file != GEN_NOFILE && o->reg > last[o->file];
}

bool gen_iga_nameless(const struct gen_insn *i, const struct gen_operand *o)
{
    return !gen_is_split(i) && i->shape == GEN_SEND && o->mode == GEN_DIRECT && o->file == GEN_NULL && !o->bad_file &&
           o->reg && o->reg < 8;
}

/* The region that IGA gives a source of a macro without Align16. */
static bool macro_region(const struct gen_insn *i, const struct gen_operand *o)
{
    if (i->shape == GEN_TERNARY) return o->hstride == 1 && o->vstride == (o == &i->src[2] ? 1 : 4);
    if (i->eu->macro_rows && i->exec_size > 1) return o->vstride == 2 && o->width == 2 && o->hstride == 1;
    return o->vstride == (i->exec_size > 1) && o->width == 1 && o->hstride == 0;
}

const char *gen_iga_operand_lacks(const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->type == GEN_BADTYPE) return "reserved type";
    if (gen_iga_nameless(i, o)) return odd_subregister(o) ? "subregister inside an element" : NULL;
    if (o->bad_file || (o->mode == GEN_DIRECT && o->file == GEN_NOFILE && (o->arf & 0xf8) != 0x50) || beyond(i, o))
        return "no such register";
    if (gen_is_macro(i) && i->eu->align16) {
        const bool three = i->shape == GEN_TERNARY, d = o == &i->dst;
        const bool plain = o->align16 && !o->sub && !o->rep &&
                           (d ? o->hstride == three
                              : o->swizzle < 16 && (three || o->vstride == (o->type == GEN_DF ? 2 : 4)));
        return o->mme > 8                       ? "reserved macro register"
               : plain && o->mode == GEN_DIRECT ? NULL
                                                : "an odd operand of a macro";
    }
    if (gen_is_macro(i)) {
        bool plain = o == &i->dst ? o->hstride == 1 : macro_region(i, o);
        const bool named = o->file == GEN_GRF || o->file == GEN_NULL || o == &i->dst || i->shape == GEN_TERNARY;
        return o->sub > 8                       ? "reserved macro register"
               : !named                         ? "IGA forgets which register the source of a macro is"
               : plain && o->mode == GEN_DIRECT ? NULL
                                                : "a region of a macro's operand";
    }
    if (i->eu->macros && i->eu->align16 && !i->compacted && o->mode == GEN_DIRECT && o->file == GEN_ACC &&
        o->reg >= i->eu->iga_mme)
        return "IGA writes accumulators of macros with Align16";
    return odd_subregister(o) ? "subregister inside an element" : NULL;
}

const char *gen_iga_source_lacks(const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->mode == GEN_IMMEDIATE) {
        unsigned size = gen_type_size[o->type];
        bool small = o->type < GEN_UV && size <= 2 && i->shape != GEN_TERNARY;
        if (o->type == GEN_BADTYPE) return "reserved type";
        if (small && (o->imm & 0xffff) != (o->imm >> 16 & 0xffff)) return "halves of the constant differ";
        return size == 1 && o->imm >> 8 & 0xff && (o->imm & 0xff) != (o->imm >> 8 & 0xff)
                   ? "halves of the constant differ"
                   : NULL;
    }
    const char *why = gen_iga_operand_lacks(i, o);
    if (why) return why;
    if (o->vstride == GEN_RESERVED && !o->vx) return "reserved region";
    return o->width == GEN_RESERVED && i->shape != GEN_TERNARY ? "reserved region" : NULL;
}

/* Whether IGA keeps the saturation: it forgets it for operations that may not saturate.  Messages and waits have their
 * own functions. */
bool gen_iga_saturates(const struct gen_insn *i)
{
    const unsigned old = i->eu->iga_forgets_sat ? 0 : GEN_MAY_SATURATE_OLD;
    return i->shape >= GEN_SEND || gen_may[i->op] & (GEN_MAY_SATURATE | old);
}

bool gen_iga_good_scoreboard(const struct gen_eu *eu, unsigned byte)
{
    if (eu->pipes && gen_pipe_of(byte)) return true;
    if (byte & 0x80) return byte >> 4 & 7;
    return byte < 8 || (byte >= 0x20 && byte < 0x50);
}

/* IGA writes one channel, at its own place, if the word has a vector with one component enabled, of four dwords or of
 * two doubles. */
int gen_iga_channel(const struct gen_insn *i)
{
    unsigned mask = i->dst.chan_en;
    if (i->eu->three_regions || i->shape != GEN_TERNARY || gen_is_macro(i)) return -1;
    if (i->dst.sub % (i->dst.type == GEN_HF ? 8 : 16)) return -1;
    if (i->dst.type == GEN_DF) return i->exec_size == 2 && (mask == 3 || mask == 12) ? mask == 12 : -1;
    return i->exec_size == 4 && mask && !(mask & (mask - 1)) ? __builtin_ctz(mask) : -1;
}

static const char *ternary_e1_lacks(const struct gen_insn *i)
{
    bool one = gen_iga_channel(i) >= 0;
    if (!i->align16) return "three sources without Align16";
    if (i->exec_size == 1) return "one channel of Align16";
    if (gen_is_macro(i)) return NULL;
    if (i->dst.chan_en != 15 && !one) return "a mask of components";
    if (!i->eu->half_places &&
        (GET(i->eu->column, i->w, ter_src1_is_half) | GET(i->eu->column, i->w, ter_src2_is_half)))
        return "a source's type of its own";
    for (unsigned n = 0; n < 3; n++) {
        const struct gen_operand *o = &i->src[n];
        if (o->sub % 4 && !i->eu->half_places) return "the second word of a dword";
        if (o->type != i->src[0].type && !i->eu->half_places) return "floats and half floats together";
        bool scalar_double = o->type == GEN_DF && (o->swizzle == 0x44 || o->swizzle == 0xee);
        if (o->rep && o->type == GEN_DF) return "a replicated double";
        if (!o->rep && o->swizzle != 0xe4 && !scalar_double) return "a swizzle";
    }
    return NULL;
}

static const char *send_e1_lacks(const struct gen_insn *i)
{
    const struct gen_operand *s = &i->src[0], *d = &i->src[1];
    if (i->no_dd_clr || i->no_dd_chk) return "IGA forgets the dependency control of a send";
    if (i->saturate) return "IGA forgets the saturation of a send";
    if (i->acc_wr_en && i->eu->column == GEN_COLUMN_e8) return "AccWrEn of a send";
    if (i->dst.file != GEN_GRF && i->dst.file != GEN_NULL) return "an answer that is not a general register";
    if (i->dst.mode != GEN_DIRECT || s->mode != GEN_DIRECT || i->dst.sub || s->sub || s->neg || s->abs)
        return "operands of a send that are no whole registers";
    if (i->desc_is_reg && (d->file != GEN_A0 || d->reg || d->sub)) return "a descriptor register other than a0.0";
    return !i->desc_is_reg && i->w[1] >> 32 & gen_reserved_descriptor(i) ? "reserved bits of the descriptor" : NULL;
}

/* Payloads are general registers, or null. */
static const char *send_e2_lacks(const struct gen_insn *i)
{
    bool fine = i->src[0].file == GEN_GRF && (i->src[1].file == GEN_GRF || i->src[1].file == GEN_NULL) &&
                (i->dst.file == GEN_GRF || i->dst.file == GEN_NULL);
    if (i->no_dd_clr || i->no_dd_chk) return "IGA forgets the dependency control of a send";
    return fine ? NULL : "a payload that is not a general register";
}

static const char *flow_lacks(const struct gen_insn *i)
{
    bool alone = GEN_IS(i->op, THREAD);
    if (alone && (i->exec_size != 1 || i->chan_off || !i->no_mask)) return "channels of a jump";
    if (i->saturate || i->acc_wr_en) return "modifiers of a branch";
    if (i->branch_ctrl && i->op != GEN_OP_if && i->op != GEN_OP_else && i->op != GEN_OP_goto)
        return "branch control of another branch than if, else and goto";
    if (i->shape == GEN_CALL && i->eu->typed_targets &&
        (i->dst.type != GEN_D || i->dst.hstride != 1 || i->dst.mode != GEN_DIRECT))
        return "an odd destination of a call";
    return NULL;
}

static const char *wait_lacks(const struct gen_insn *i)
{
    const struct gen_operand *d = &i->dst, *s = &i->src[0];
    bool same = d->mode == GEN_DIRECT && s->mode == GEN_DIRECT && d->file == s->file && d->reg == s->reg &&
                d->sub == s->sub && d->type == s->type;
    if (i->exec_size != 1 || i->chan_off || i->pred) return "channels of a wait";
    return same && d->hstride == 1 && s->file == GEN_N0 && !i->saturate ? NULL : "an odd operand of a wait";
}

static const char *sync_lacks(const struct gen_insn *i)
{
    const struct gen_operand *s = &i->src[0];
    if (!gen_sync_name(i->func)) return "reserved function";
    const struct gen_operand *d = &i->dst;
    if (i->exec_size != 1 || i->chan_off) return "channels of a sync";
    bool usual = d->mode == GEN_DIRECT && d->file == GEN_NULL && !d->reg && !d->sub && d->type == GEN_UB &&
                 d->hstride == 1;
    if (!usual || i->saturate || i->acc_wr_en) return "an odd destination of a sync";
    if (s->mode == GEN_IMMEDIATE)
        return s->type == GEN_UD && (i->func == 2 || i->func == 3) ? NULL : "an odd operand of a sync";
    bool null = s->mode == GEN_DIRECT && s->file == GEN_NULL && !s->reg && !s->sub && s->type == GEN_UB && !s->neg &&
                !s->abs;
    return null && s->vstride == 0 && s->width == 1 && s->hstride == 0 ? NULL : "an odd operand of a sync";
}

/* IGA writes only the opcode of an instruction without operands, and the scoreboard byte of nop. */
static const char *bare_lacks(const struct gen_insn *i)
{
    const uint64_t scoreboard = i->eu->scoreboard && !GEN_IS(i->op, ILLEGAL) ? 0xff00 : 0;
    if (i->compacted) return "cannot be compacted by IGA";
    if (scoreboard && !gen_iga_good_scoreboard(i->eu, i->w[0] >> 8 & 0xff))
        return "a scoreboard byte that means nothing";
    return i->w[0] & ~(scoreboard | 0x7f) || i->w[1] ? "bits that mean nothing here" : NULL;
}

/* Whether IGA's encoder refuses the instruction. */
static bool refused(const struct gen_insn *i)
{
    if (!i->eu->iga_refuses) return false;
    if (GEN_IS(i->op, GATHERS) && i->nsrc < 2) return true;
    for (unsigned n = 0; i->op == GEN_OP_bfi2 && n < i->nsrc; n++)
        if (i->src[n].mode == GEN_IMMEDIATE && i->src[n].type != GEN_BADTYPE && gen_type_size[i->src[n].type] == 8)
            return true;
    return false;
}

/* Types and registers of a product of matrices. */
static const char *dpas_lacks(const struct gen_insn *i)
{
    static const uint32_t sums = 1u << GEN_F32 | 1u << GEN_HF | 1u << GEN_BF | 1u << GEN_D | 1u << GEN_UD,
                          bytes = 1u << GEN_UB | 1u << GEN_B | 1u << GEN_U4 | 1u << GEN_S4 | 1u << GEN_U2 |
                                  1u << GEN_S2,
                          halves = 1u << GEN_HF | 1u << GEN_BF;
    const bool floats = GET(i->eu->column, i->w, ter_exec_type);
    const struct gen_operand *s = i->src;
    if (i->dst.file != GEN_GRF || s[1].file != GEN_GRF || s[2].file != GEN_GRF ||
        (s[0].file != GEN_GRF && (s[0].file != GEN_NULL || s[0].sub || s[0].reg)))
        return "an operand of dpas that is no general register";
    if (!(sums >> i->dst.type & 1) || !(sums >> s[0].type & 1)) return "a type that dpas has not";
    for (unsigned n = 1; n < 3; n++)
        if (!((floats ? halves : bytes) >> s[n].type & 1)) return "a type that dpas has not";
    return floats && (GET(i->eu->column, i->w, dpas_src1_bits) || GET(i->eu->column, i->w, dpas_src2_bits))
               ? "bits of elements that are no bytes"
               : NULL;
}

const char *gen_iga_lacks(const struct gen_insn *i)
{
    const char *why = NULL;
    if (i->shape == GEN_NONE) return bare_lacks(i);
    if (refused(i)) return "IGA refuses these sources";
    if (i->exec_size > 32) return "reserved execution size";
    if (i->thread_ctrl == 3 && !i->eu->no_preempt) return "reserved thread control";
    if (i->align16 && i->shape != GEN_TERNARY && !gen_is_macro(i)) return "IGA has no Align16";
    if (i->pred && (!gen_pred_name(i) || (i->align16 && i->pred > 1 && i->pred < 6)))
        return "a predicate control that IGA has not";
    if (i->pred && !(gen_may[i->op] & GEN_MAY_PREDICATE)) return "IGA forgets the predicate here";
    if (i->cmod && i->shape < GEN_JUMP && (!(gen_may[i->op] & GEN_MAY_CONDITION) || !gen_cmod_name(i->cmod, false)))
        return "a condition that IGA has not or forgets here";
    if (i->saturate && !gen_iga_saturates(i)) return "IGA forgets the saturation here";
    if (i->shape == GEN_MATH && !gen_math_name(i->eu, i->func)) return "reserved function";
    if (i->eu->scoreboard && !gen_iga_good_scoreboard(i->eu, i->swsb)) return "a scoreboard byte that means nothing";
    if (i->dst.mode != GEN_ABSENT && i->shape != GEN_SYNC) why = gen_iga_operand_lacks(i, &i->dst);
    for (unsigned n = 0; n < i->nsrc && !why; n++) why = gen_iga_source_lacks(i, &i->src[n]);
    if (why) return why;
    switch ((enum gen_shape)i->shape) {
    case GEN_DPAS: return dpas_lacks(i);
    case GEN_TERNARY: return i->eu->three_regions ? NULL : ternary_e1_lacks(i);
    case GEN_SEND: return gen_is_split(i) ? send_e2_lacks(i) : send_e1_lacks(i);
    case GEN_WAIT: return wait_lacks(i);
    case GEN_SYNC: return sync_lacks(i);
    case GEN_MATH:
        if (i->compacted && !i->eu->compacts_math) return "IGA has no compacted math on gen12";
        for (unsigned n = 0; n < i->nsrc && !i->eu->iga_math_modifiers; n++)
            if (i->src[n].neg || i->src[n].abs) return "IGA forgets the modifiers of math";
        return NULL;
    default: return i->shape >= GEN_JUMP ? flow_lacks(i) : NULL;
    }
}

bool gen_iga_may_drop(const struct gen_insn *i)
{
    struct gen_insn without = *i;
    if (i->shape == GEN_NONE) {
        without.w[0] &= i->eu->scoreboard && !GEN_IS(i->op, ILLEGAL) ? 0xff7f : 0x7f;
        without.w[1] = 0;
    }
    if (i->shape == GEN_SEND && !gen_is_split(i)) {
        without.src[0].vstride = without.src[0].width = without.src[0].hstride = without.dst.hstride = 0;
        if (!i->desc_is_reg) without.w[1] &= ~((uint64_t)gen_reserved_descriptor(i) << 32);
    }
    if (i->shape == GEN_SYNC) {
        without.dst = (struct gen_operand){.mode = GEN_DIRECT, .file = GEN_NULL, .type = GEN_UB, .hstride = 1};
        without.saturate = without.acc_wr_en = false;
    }
    return !gen_iga_lacks(&without);
}
