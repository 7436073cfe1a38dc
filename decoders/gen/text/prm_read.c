/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prm_read.c: text in the syntax of the Ivy Bridge manual, as prm.c writes it. */
#include <strings.h>
#include "text/gen_assembly.h"
#include "ops.h"

static bool read_predicate(struct gen_assembly *a)
{
    if (!gpudbg_reading_takes(a->r, '(')) return true;
    a->pred_inv = gpudbg_reading_takes(a->r, '-');
    if (!a->pred_inv) gpudbg_reading_takes(a->r, '+');
    if (!gen_read_flag(a)) return false;
    a->pred = 1;
    if (*a->r->at == '.' && a->r->at[1] == '#') {
        a->r->at++;
        if (!gen_read_code(a, gen_function_name, 16, "the code of a predicate", &a->pred)) return false;
    } else if (*a->r->at == '.') {
        const char *name = ++a->r->at;
        const size_t n = strcspn(name, " \t)");
        if (!gen_read_predicate(a, name, n)) return false;
        a->r->at += n;
    }
    return gen_read_char(a, ')', "(f0.0)");
}

static const char *condition_name(const struct gen_assembly *a, unsigned code)
{
    (void)a;
    return gen_cmod_name(code, true);
}

static bool next_is(const struct gen_assembly *a, const char *word)
{
    const size_t n = strlen(word);
    const char *p = a->r->at;
    return strncasecmp(p, word, n) == 0 && (!p[n] || strchr(". \t(", p[n]));
}

/* The suffixes of the mnemonic: the function, the condition with its flag, .sat. */
static bool read_suffixes(struct gen_assembly *a)
{
    if (gen_has_function(a) && !gen_read_function(a)) return false;
    const bool takes = a->shape == GEN_UNARY || a->shape == GEN_BINARY || a->shape == GEN_TERNARY ||
                       a->shape == GEN_WAIT;
    const bool macro = gen_reads_macro(a) && a->shape == GEN_MATH;
    while (*a->r->at == '.') {
        const char *from = ++a->r->at;
        if (next_is(a, "sat")) {
            if (a->eu->column == GEN_COLUMN_e2 && (a->shape == GEN_SEND || a->shape >= GEN_JUMP))
                return gen_wants(a, from, "%s does not saturate", a->row->name);
            a->saturate = true;
            a->r->at += 3;
            continue;
        }
        if (macro && next_is(a, "eo"))
            a->r->at += 2;
        else if (!takes || a->cmod)
            return gen_wants(a, from, "the end of the name, %sis expected here", takes ? "or sat, " : "");
        else if (!gen_read_code(a, condition_name, 16, "a condition or sat", &a->cmod))
            return false;
        if (*a->r->at != '.') return gen_wants(a, a->r->at, "the flag of the condition is expected here: .f0.0");
        a->r->at++;
        if (!gen_read_flag(a)) return false;
    }
    return true;
}

static bool read_operand(struct gen_assembly *a, struct gen_written *o, int n)
{
    return gen_read_operand(a, o, n < 0) && gen_settle(a, o, n);
}

/* A register without a region. */
static bool read_place(struct gen_assembly *a, struct gen_written *o, bool destination)
{
    return gen_read_operand(a, o, destination) && gen_settle_place(a, o);
}

static bool read_sources(struct gen_assembly *a, unsigned n)
{
    for (a->nsrc = 0; a->nsrc < n; a->nsrc++)
        if (!read_operand(a, &a->src[a->nsrc], a->nsrc)) return false;
    return true;
}

/* One operand, with the usual destination; or two. */
static bool read_one_or_two(struct gen_assembly *a)
{
    const char *from = a->r->at;
    struct gen_written *s = &a->src[0];
    a->nsrc = 1;
    if (a->shape == GEN_SYNC && gen_read_ends(a)) { /* null may be left out */
        a->dst = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB, .h = 1};
        *s = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB};
        return true;
    }
    if (gen_read_operand(a, s, false) && gen_read_ends(a)) {
        if (!gen_settle(a, s, 0)) return false;
        a->dst = *s;
        a->dst.h = 1;
        a->dst.chan_en = 15;
        a->dst.neg = a->dst.abs = false;
        if (a->shape == GEN_WAIT)
            return s->mode == GEN_DIRECT || gen_wants(a, s->at, "wait waits for a register: n0.0<0;1,0>:ud");
        a->dst.mode = GEN_DIRECT;
        a->dst.file = a->dst.reg = a->dst.sub = 0;
        a->dst.type = GEN_UB;
        return true;
    }
    a->r->at = from;
    return read_operand(a, &a->dst, -1) && read_operand(a, s, 0);
}

static bool read_message(struct gen_assembly *a)
{
    int64_t value;
    if (!gen_read_extended(a)) return false;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gen_any_descriptor(a->eu, a->op) && strncmp(from, "a0.0", 4) == 0) {
        a->r->at += 4;
        a->desc_is_reg = true;
        return true;
    }
    if (gen_any_descriptor(a->eu, a->op) && gen_register_next(a)) {
        a->desc_is_reg = true;
        return gen_read_operand(a, &a->desc_reg, false) && gen_settle_descriptor(a, &a->desc_reg);
    }
    if (!gen_read_int(a, 0, a->eu->descriptor_mask | 0x7fffffff, "the descriptor", &value)) return false;
    a->desc = (uint32_t)value;
    return true;
}

static bool read_branch(struct gen_assembly *a)
{
    if (a->shape == GEN_CALL && !(a->eu->typed_targets ? read_operand(a, &a->dst, -1) : read_place(a, &a->dst, true)))
        return false;
    const bool pair = a->shape == GEN_JIP || (a->shape == GEN_BRANCH && a->op != GEN_OP_brc);
    if (a->shape == GEN_RET || ((a->eu->target_registers || !pair) && gen_register_next(a))) {
        a->nsrc = 1;
        return a->eu->typed_targets ? read_operand(a, &a->src[0], 0) : read_place(a, &a->src[0], false);
    }
    return gen_read_target(a, true) && (a->shape != GEN_BRANCH || gen_read_target(a, false));
}

static bool read_operands(struct gen_assembly *a)
{
    switch ((enum gen_shape)a->shape) {
    case GEN_NONE: return true;
    case GEN_UNARY: return read_operand(a, &a->dst, -1) && read_sources(a, 1);
    case GEN_BINARY: return read_operand(a, &a->dst, -1) && read_sources(a, 2);
    case GEN_TERNARY:
    case GEN_DPAS: return read_operand(a, &a->dst, -1) && read_sources(a, 3);
    case GEN_MATH: return read_operand(a, &a->dst, -1) && read_sources(a, gen_math_sources(a->eu, a->func));
    case GEN_SYNC:
    case GEN_WAIT: return read_one_or_two(a);
    case GEN_SEND:
        if (!gen_splits(a->eu, a->op)) return read_operand(a, &a->dst, -1) && read_sources(a, 1) && read_message(a);
        a->nsrc = 2;
        return read_place(a, &a->dst, true) && read_place(a, &a->src[0], false) && read_place(a, &a->src[1], false) &&
               read_message(a);
    default: return read_branch(a);
    }
}

bool gen_read_prm(struct gen_assembly *a)
{
    const char *behind;
    if (!gen_read_ends_of(a, &behind) || !read_predicate(a)) return false;
    a->r->at = behind;
    if (!read_suffixes(a)) return false;
    gpudbg_reading_ends(a->r);
    const bool once = (GEN_IS(a->op, THREAD) || a->shape == GEN_SYNC) && *a->r->at != '(';
    a->no_mask |= once && GEN_IS(a->op, THREAD); /* jmpi L: the usual channels */
    if (!once && a->shape != GEN_NONE) {
        if (!gpudbg_reading_takes(a->r, '('))
            return gen_wants(a, a->r->at, "the number of channels is expected here: (8)");
        if (!gen_read_exec(a) || !gen_read_char(a, ')', "(8)")) return false;
    }
    if (!read_operands(a)) return false;
    return gen_read_ends(a) ||
           gen_wants(a, a->r->at, "the end or {options} are expected here: %s has %s", a->row->name, a->row->operands);
}
