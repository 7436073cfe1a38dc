/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prm.c: the syntax of the Ivy Bridge manual.  It loses nothing: two words that differ have different texts, except in
 * bits that the hardware ignores; an exact text has those bits, too.  Codes that the manual reserves are written as #
 * and the code.
 *
 *     [(pred)] op[.cmod.fN.M][.sat] (exec) dst src... {options}
 */
#include "code/gen_decoder.h"

char *gen_prm_predicate(char *p, const struct gen_insn *i)
{
    if (!i->pred) return p;
    *p++ = '(';
    if (i->pred_inv) *p++ = '-';
    p = gen_put_flag(p, i);
    if (i->pred > 1) {
        const char *name = gen_pred_name(i);
        *p++ = '.';
        p = name ? put(p, name) : gen_put_code(p, i->pred);
    }
    *p++ = ')';
    *p++ = ' ';
    return p;
}

static char *put_name(char *p, const struct gen_insn *i)
{
    const char *name;
    p = put(p, i->row->name);
    if (i->shape == GEN_MATH) {
        *p++ = '.';
        name = gen_math_name(i->eu, i->func);
        p = name ? put(p, name) : gen_put_code(p, i->func);
    }
    if (GEN_IS(i->op, TRUTH)) p = gen_put_hex(PUT(p, "."), i->func, 2);
    if (i->shape == GEN_DPAS) p = gen_put_systolic(PUT(p, "."), i->func);
    if (i->shape == GEN_SYNC) {
        *p++ = '.';
        name = gen_sync_name(i->func);
        p = name ? put(p, name) : gen_put_code(p, i->func);
    }
    if (i->shape == GEN_SEND && i->eu->names_function) {
        *p++ = '.';
        name = gen_sfid_name(i->eu, i->sfid);
        p = name ? put(p, name) : gen_put_code(p, i->sfid);
    }
    if (i->cmod && i->shape < GEN_JUMP) {
        *p++ = '.';
        name = gen_cmod_name(i->cmod, true);
        p = name ? put(p, name) : gen_put_code(p, i->cmod);
        *p++ = '.';
        p = gen_put_flag(p, i);
    } else if (gen_ends_early(i)) { /* the condition on which the macro may end early */
        p = PUT(p, ".eo.");
        p = gen_put_flag(p, i);
    }
    if (i->saturate) p = PUT(p, ".sat");
    return p;
}

/* ---- Options ---- */

/* The channels of the thread: Q1.. for eights, N1.. for fours, H2 for the second sixteen. */
static char *put_quarter(char *p, const struct gen_insn *i)
{
    unsigned quarter = i->chan_off / 8, nibble = i->chan_off / 4 & 1;
    bool fours = i->exec_size <= 4 || nibble;
    if (i->exec_size == 16 && quarter == 2 && !nibble) return PUT(p, "H2");
    *p++ = fours ? 'N' : 'Q';
    return gen_put_dec(p, (fours ? 2 * quarter + nibble : quarter) + 1);
}

char *gen_prm_channels(char *p, const struct gen_insn *i)
{
    p = PUT(p, " {");
    if (i->align16) p = PUT(p, "Align16, ");
    if (i->no_mask) p = PUT(p, "NoMask, ");
    return put_quarter(p, i);
}

char *gen_prm_options(char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, bool exact)
{
    static const char *const thread[4] = {NULL, "Atomic", "Switch", "ThreadCtrl=#3"};
#define OPTION(flag, name) \
    if (flag) p = PUT(p, ", " name)
    OPTION(i->no_dd_clr, "NoDDClr");
    OPTION(i->no_dd_chk, "NoDDChk");
    if (i->thread_ctrl)
        p = put(PUT(p, ", "), i->thread_ctrl == 3 && i->eu->no_preempt ? "NoPreempt" : thread[i->thread_ctrl & 3]);
    OPTION(i->acc_wr_en, "AccWrEn");
    OPTION(i->branch_ctrl, "BranchCtrl");
    if (i->swsb) p = gen_put_swsb(PUT(p, ", "), i->eu, i->op, i->swsb);
    OPTION(i->breakpoint, "Breakpoint");
    if (i->compacted) p = PUT(p, ", Compacted");
    if (i->compacted && exact) p = gen_put_indices(p, insn, i);
    OPTION(i->eot, "EOT");
    OPTION(gen_serializes(i), "Serialize");
    OPTION(i->ex_bso, "ExBSO");
    OPTION(i->cps, "CPS");
#undef OPTION
    *p++ = '}';
    return p;
}

/* ---- The whole ---- */

/* A label, or the encoded distance. */
static char *put_target(
    char *p, const struct gen_insn *i, const struct gpudbg_names *names, uint64_t target, int64_t distance)
{
    char buf[TEXT_OPERAND];
    const char *name = names ? names->name(names, target, buf, sizeof buf) : NULL;
    *p++ = ' ';
    if (!name) {
        return gen_put_number(p, distance / (int64_t)gen_branch_unit(i));
    }
    for (unsigned n = 0; n < TEXT_OPERAND - 1 && name[n]; n++) *p++ = name[n];
    return p;
}

static char *put_message(char *p, const struct gen_insn *i)
{
    *p++ = ' ';
    if (i->ex_desc_is_reg)
        p = gen_put_dec(PUT(p, "a0."), i->ex_desc_reg / 2u);
    else
        p = gen_put_hex(p, gen_ex_desc_text(i), 1);
    *p++ = ' ';
    if (!i->desc_is_reg) return gen_put_hex(p, i->desc | ((uint32_t)(i->w[1] >> 32) & gen_reserved_descriptor(i)), 8);
    if (!gen_any_descriptor(i->eu, i->op)) return PUT(p, "a0.0");
    return gen_prm_register(p, i, &i->src[1], GEN_UD); /* it is read as a dword, whatever its type is */
}

/* Whether the destination is the usual one, which is not written: null for sync, for wait the register that it waits
 * for. */
bool gen_prm_usual_destination(const struct gen_insn *i)
{
    const struct gen_operand *d = &i->dst, *s = &i->src[0];
    if (i->shape == GEN_SYNC)
        return d->mode == GEN_DIRECT && d->file == GEN_NULL && !d->reg && !d->sub && d->type == GEN_UB &&
               d->hstride == 1;
    return i->shape == GEN_WAIT && d->mode == GEN_DIRECT && s->mode == GEN_DIRECT && d->file == s->file &&
           d->reg == s->reg && d->sub == s->sub && d->type == s->type && d->hstride == 1 && d->file != GEN_NOFILE &&
           !i->align16;
}

static char *put_operands(char *p, const struct gen_insn *i, const struct gpudbg_names *names)
{
    bool has_dst = i->dst.mode != GEN_ABSENT && !gen_prm_usual_destination(i);
    if (has_dst) {
        *p++ = ' ';
        p = gen_prm_operand(p, i, &i->dst, true);
    }
    for (unsigned n = 0; n < i->nsrc; n++) {
        *p++ = ' ';
        p = gen_prm_operand(p, i, &i->src[n], false);
    }
    p = gen_put_length(p, i);
    if (i->jip_is_imm) p = put_target(p, i, names, i->jip_target, i->jip);
    if (i->uip_is_imm) p = put_target(p, i, names, i->uip_target, i->uip);
    return i->shape == GEN_SEND ? put_message(p, i) : p;
}

char *gen_prm_text(
    char *p, const struct gpudbg_insn *insn, const struct gen_insn *i, bool exact, const struct gpudbg_names *names)
{
    if (i->shape == GEN_NONE) return gen_put_bare(p, i);
    p = gen_prm_predicate(p, i);
    p = put_name(p, i);
    p = PUT(p, " (");
    p = gen_put_dec(p, i->exec_size);
    *p++ = ')';
    p = put_operands(p, i, names);
    return gen_prm_options(gen_prm_channels(p, i), insn, i, exact);
}
