/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iga.c: the syntax of Intel's assembler IGA (platforms 7p5 and 12p1, version 1.1).
 *
 *     (pred) op.sub (exec|Moff) (cond)flag (sat)dst src0 src1 src2 {options}
 */
#include "code/gen_decoder.h"
#include "ops.h"

/* (W), (f0.1), (~f1.0.any16h), (W&f0.0) */
char *gen_iga_predicate(char *p, const struct gen_insn *i)
{
    bool no_mask = i->no_mask;
    if (!no_mask && !i->pred) return p;
    *p++ = '(';
    if (no_mask) *p++ = 'W';
    if (i->pred) {
        if (no_mask) *p++ = '&';
        if (i->pred_inv) *p++ = '~';
        p = gen_put_flag(p, i);
        const char *name = gen_pred_name(i);
        if (name && *name) {
            *p++ = '.';
            p = put(p, name);
        }
    }
    *p++ = ')';
    *p++ = ' ';
    return p;
}

static char *put_name(char *p, const struct gen_insn *i)
{
    const char *name = NULL;
    p = put(p, i->row->name);
    if (i->shape == GEN_MATH) name = gen_math_name(i->eu, i->func);
    if (i->shape == GEN_SYNC) name = gen_sync_name(i->func);
    if (i->shape == GEN_SEND && i->eu->names_function) name = gen_sfid_name(i->eu, i->sfid);
    if (name) {
        *p++ = '.';
        p = put(p, name);
    }
    if (GEN_IS(i->op, TRUTH)) p = gen_put_hex(PUT(p, "."), i->func, 2);
    if (i->shape == GEN_DPAS) p = gen_put_systolic(PUT(p, "."), i->func);
    return i->branch_ctrl ? PUT(p, ".b") : p;
}

/* ---- Operands ---- */

/* A scalar double of a three-source instruction of Align16 has no RepCtrl: its two dwords are in the swizzle twice,
 * .xyxy or .zwzw. */
static bool scalar_double(const struct gen_insn *i, const struct gen_operand *o)
{
    return i->shape == GEN_TERNARY && !i->eu->three_regions && o->type == GEN_DF && !o->rep && o != &i->dst &&
           (o->swizzle == 0x44 || o->swizzle == 0xee);
}

char *gen_iga_place(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->mode == GEN_INDIRECT) {
        p = gen_put_dec(PUT(p, "r[a0."), o->addr_sub);
        if (o->addr_imm) {
            *p++ = ',';
            p = gen_put_number(p, o->addr_imm);
        }
        *p++ = ']';
        return p;
    }
    p = gen_put_register(p, o, false);
    if (gen_is_macro(i)) return o->mme < 8 ? gen_put_dec(PUT(p, ".mme"), o->mme) : PUT(p, ".nomme");
    if ((o->file == GEN_NULL || o->file == GEN_IP || o->file == GEN_CE) && o->sub == 0) return p;
    if (i->shape == GEN_DPAS && !o->sub && o != &i->src[2]) return p;
    *p++ = '.';
    if (gen_iga_counts_bytes(o)) return gen_put_dec(p, o->sub);
    if (i->shape == GEN_DPAS) return gen_put_dec(p, o->sub * gen_type_in_byte(o->type) / gen_type_size[o->type]);
    int channel = o == &i->dst ? gen_iga_channel(i) : -1;
    return gen_put_dec(p, o->sub / (unsigned)gen_type_size[o->type] + (scalar_double(i, o) && o->swizzle == 0xee) +
                              (unsigned)(channel > 0 ? channel : 0));
}

static char *put_stride(char *p, unsigned n) { return gen_put_dec(p, n == GEN_RESERVED ? 0 : n); }

char *gen_iga_region(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    if (gen_is_macro(i) || i->shape == GEN_DPAS) return p;
    *p++ = '<';
    if (i->shape == GEN_TERNARY && !i->eu->three_regions) {
        bool scalar = o->rep || scalar_double(i, o);
        p = o == &i->src[2] ? scalar ? PUT(p, "0") : PUT(p, "1") : scalar ? PUT(p, "0;0") : PUT(p, "2;1");
    } else if (i->shape == GEN_TERNARY) {
        if (o != &i->src[2]) {
            p = gen_put_dec(p, o->vstride);
            *p++ = ';';
        }
        p = gen_put_dec(p, o->hstride);
    } else {
        if (!o->vx) {
            p = put_stride(p, o->vstride);
            *p++ = ';';
        }
        p = put_stride(p, o->width);
        *p++ = ',';
        p = gen_put_dec(p, o->hstride);
    }
    *p++ = '>';
    return p;
}

static char *put_type(char *p, const struct gen_operand *o)
{
    *p++ = ':';
    return put(p, gen_type_name[o->type]);
}

static char *put_source(char *p, const struct gen_insn *i, const struct gen_operand *o, bool exact)
{
    if (o->mode == GEN_IMMEDIATE) return gen_put_imm(p, o->type, o->imm, exact);
    if (o->neg) *p++ = GEN_IS(i->op, LOGIC) ? '~' : '-';
    if (o->abs) p = PUT(p, "(abs)");
    p = gen_iga_place(p, i, o);
    p = gen_iga_region(p, i, o);
    return put_type(p, o);
}

static char *put_destination(char *p, const struct gen_insn *i)
{
    if (i->saturate) p = PUT(p, "(sat)");
    p = gen_iga_place(p, i, &i->dst);
    if (!gen_is_macro(i) && i->shape != GEN_DPAS) {
        *p++ = '<';
        p = gen_put_dec(p, i->dst.hstride);
        *p++ = '>';
    }
    return put_type(p, &i->dst);
}

/* Registers of messages and calls have no region.  For architecture registers in a message with typed payloads IGA
 * keeps the number and forgets the kind: so null1 to null7, which have no name, are written with a name that gives the
 * right number. */
static char *put_whole(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    if (gen_iga_nameless(i, o)) return o->reg == 1 ? PUT(p, "acc1") : gen_put_dec(PUT(p, "mme"), o->reg);
    return o->file == GEN_NULL ? PUT(p, "null") : gen_put_register(p, o, false);
}

/* ---- The operands of each shape ---- */

static char *put_target(char *p, const struct gpudbg_names *names, uint64_t target, int64_t distance)
{
    char buf[TEXT_OPERAND];
    const char *name = names ? names->name(names, target, buf, sizeof buf) : NULL;
    *p++ = ' ';
    if (!name) return gen_put_number(p, distance);
    for (unsigned n = 0; n < TEXT_OPERAND - 1 && name[n]; n++) *p++ = name[n];
    return p;
}

static char *put_message(char *p, const struct gen_insn *i)
{
    const bool split = gen_is_split(i);
    *p++ = ' ';
    p = put_whole(p, i, &i->dst);
    if (!split || gen_types_answer(i->eu, i->op)) p = put_type(p, &i->dst);
    *p++ = ' ';
    p = put_whole(p, i, &i->src[0]);
    if (!split && i->src[0].type != GEN_UD) p = put_type(p, &i->src[0]);
    *p++ = ' ';
    if (split) {
        p = gen_put_length(put_whole(p, i, &i->src[1]), i);
        *p++ = ' ';
    }
    p = i->ex_desc_is_reg ? gen_put_dec(PUT(p, "a0."), i->ex_desc_reg / 2u) : gen_put_hex(p, gen_ex_desc_text(i), 1);
    *p++ = ' ';
    return i->desc_is_reg ? gen_put_dec(PUT(p, "a0."), i->desc_reg / 2u) : gen_put_hex(p, i->desc, 8);
}

/* sync: null, or the tokens of a mask. */
static char *put_tokens(char *p, const struct gen_insn *i, bool exact)
{
    const struct gen_operand *o = &i->src[0];
    *p++ = ' ';
    if (o->mode != GEN_IMMEDIATE) {
        if (o->file == GEN_NULL) return PUT(p, "null");
        return put_source(p, i, o, exact);
    }
    if (!(i->func == 2 || i->func == 3) || !(o->imm & 0xffff) || o->imm >> 16)
        return gen_put_hex(p, o->imm & 0xffffffff, 1);
    char *open = p;
    for (unsigned t = 0; t < 16; t++)
        if (o->imm >> t & 1) {
            p = PUT(p, ",$");
            p = gen_put_dec(p, t);
        }
    *open = '(';
    *p++ = ')';
    return p;
}

static char *put_flow(char *p, const struct gen_insn *i, const struct gpudbg_names *names)
{
    if (i->shape == GEN_CALL) {
        *p++ = ' ';
        p = gen_iga_place(p, i, &i->dst);
    }
    if (i->nsrc) {
        *p++ = ' ';
        p = gen_iga_place(p, i, &i->src[0]);
        if (i->eu->word_targets && i->op == GEN_OP_brd) p = put_type(p, &i->src[0]);
        return p;
    }
    p = put_target(p, names, i->jip_target, GEN_IS(i->op, ABSOLUTE) ? i->jip : (int64_t)(i->jip_target - i->addr));
    if (i->eu->word_targets && i->op == GEN_OP_brd) p = PUT(p, ":w");
    return i->uip_is_imm ? put_target(p, names, i->uip_target, i->uip) : p;
}

/* ---- Options ---- */

char *gen_iga_options(char *p, const struct gen_insn *i)
{
    char *open = p;
    if (i->compacted) p = PUT(p, ",Compacted");
    if (i->acc_wr_en) p = PUT(p, ",AccWrEn");
    if (i->thread_ctrl == 1) p = PUT(p, ",Atomic");
    if (i->breakpoint) p = PUT(p, ",Breakpoint");
    if (i->no_dd_chk) p = PUT(p, ",NoDDChk");
    if (i->no_dd_clr) p = PUT(p, ",NoDDClr");
    if (i->thread_ctrl == 3) p = PUT(p, ",NoPreempt");
    if (i->thread_ctrl == 2) p = PUT(p, ",Switch");
    if (i->eot) p = PUT(p, ",EOT");
    if (gen_serializes(i)) p = PUT(p, ",Serialize");
    if (i->ex_bso) p = PUT(p, ",ExBSO");
    if (i->cps) p = PUT(p, ",CPS");
    if (i->swsb) {
        *p++ = ',';
        p = gen_put_swsb(p, i->eu, i->op, i->swsb);
    }
    if (p == open) return p;
    memmove(open + 2, open + 1, (size_t)(p - open - 1)); /* the first comma becomes " {" */
    open[0] = ' ';
    open[1] = '{';
    p++;
    *p++ = '}';
    return p;
}

/* ---- The whole ---- */

/* Three-source instructions of Align16 on one channel are encoded as four channels, one of them enabled. */
static unsigned channels(const struct gen_insn *i) { return gen_iga_channel(i) >= 0 ? 1 : i->exec_size; }

char *gen_iga_text(char *p, const struct gen_insn *i, bool exact, const struct gpudbg_names *names)
{
    if (i->shape == GEN_NONE) return gen_put_bare(p, i);
    p = gen_iga_predicate(p, i);
    p = put_name(p, i);
    bool sizes = !GEN_IS(i->op, THREAD) && i->shape != GEN_WAIT && i->shape != GEN_SYNC;
    if (sizes) {
        p = PUT(p, " (");
        p = gen_put_dec(p, channels(i));
        p = PUT(p, "|M");
        p = gen_put_dec(p, i->chan_off);
        *p++ = ')';
    }
    if (i->cmod && i->shape < GEN_JUMP) {
        const char *name = gen_cmod_name(i->cmod, false);
        p = PUT(p, " (");
        p = name ? put(p, name) : gen_put_number(p, i->cmod);
        *p++ = ')';
        p = gen_put_flag(p, i);
    } else if (gen_ends_early(i)) {
        p = gen_put_flag(PUT(p, " (eo)"), i);
    }
    switch ((enum gen_shape)i->shape) {
    case GEN_SEND: p = put_message(p, i); break;
    case GEN_SYNC: p = put_tokens(p, i, exact); break;
    case GEN_UNARY:
    case GEN_BINARY:
    case GEN_TERNARY:
    case GEN_DPAS:
    case GEN_MATH:
        *p++ = ' ';
        p = put_destination(p, i);
        /* fall through */
    case GEN_WAIT:
        for (unsigned n = 0; n < i->nsrc; n++) {
            *p++ = ' ';
            p = put_source(p, i, &i->src[n], exact);
        }
        break;
    default: p = put_flow(p, i, names); break;
    }
    return gen_iga_options(p, i);
}
