/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * iga_read.c: text in the syntax of Intel's assembler IGA, as iga.c writes it and as IGA accepts it: regions and
 * subregisters may be left out.
 */
#include <ctype.h>
#include <strings.h>
#include "text/gen_assembly.h"
#include "ops.h"

/* (W), (f0.1), (~f1.0.any16h), (W&f0.0) */
static bool read_predicate(struct gen_assembly *a)
{
    if (!gpudbg_reading_takes(a->r, '(')) return true;
    gpudbg_reading_ends(a->r);
    if ((*a->r->at == 'W' || *a->r->at == 'w') && !isalnum((unsigned char)a->r->at[1])) {
        a->r->at++;
        a->no_mask = true;
        if (!gpudbg_reading_takes(a->r, '&')) return gen_read_char(a, ')', "(W) or (W&f0.0)");
    }
    a->pred_inv = gpudbg_reading_takes(a->r, '~');
    if (!gen_read_flag(a)) return false;
    const char *name = a->r->at;
    const size_t named = *name == '.' ? strcspn(name + 1, " \t)") : 0;
    if (*name == '.') a->r->at += 1 + named;
    return gen_read_predicate(a, name + 1, named) && gen_read_char(a, ')', "(f0.0)");
}

/* .inv, .dc0, .nop; .b of branches. */
static bool read_suffixes(struct gen_assembly *a)
{
    if (gen_has_function(a)) return gen_read_function(a) && (a->ldst < 0 || gen_read_ldst_name(a));
    if (a->eu->branch_control && a->shape >= GEN_JUMP && strncasecmp(a->r->at, ".b", 2) == 0) {
        a->r->at += 2;
        a->branch_ctrl = true;
    }
    return true;
}

/* (8|M0), (8); jumps, wait and sync have one channel. */
static bool read_sizes(struct gen_assembly *a)
{
    static const char form[] = "(8|M0)";
    int64_t value;
    const bool once = GEN_IS(a->op, THREAD) || a->shape == GEN_WAIT || a->shape == GEN_SYNC;
    if (GEN_IS(a->op, THREAD)) a->no_mask = true;
    gpudbg_reading_ends(a->r);
    const bool tokens = a->shape == GEN_SYNC && *a->r->at == '(' && a->r->at[1 + strspn(a->r->at + 1, " \t")] == '$';
    if (tokens || !gpudbg_reading_takes(a->r, '('))
        return once || gen_wants(a, a->r->at, "the number of channels is expected here: %s", form);
    if (!gen_read_exec(a)) return false;
    if (gpudbg_reading_takes(a->r, '|')) {
        const char *from = (gpudbg_reading_ends(a->r), a->r->at);
        if (!gpudbg_reading_takes(a->r, 'M') || !isdigit((unsigned char)*a->r->at))
            return gen_wants(a, from, "the first channel is expected here: %s", form);
        if (!gen_read_int(a, 0, 28, "the first channel", &value)) return false;
        if (value % 4) return gen_wants(a, from, "the first channel is a multiple of 4");
        a->chan_off = (uint8_t)value;
    }
    return gen_read_char(a, ')', form);
}

static const char *condition_name(const struct gen_assembly *a, unsigned code)
{
    (void)a;
    return gen_cmod_name(code, false);
}

/* (eq)f0.0; (eo)f0.0 of macros. */
static bool read_condition(struct gen_assembly *a)
{
    gpudbg_reading_ends(a->r);
    const char *from = a->r->at;
    if (*from != '(' || strncasecmp(from, "(sat)", 5) == 0 || strncasecmp(from, "(abs)", 5) == 0) return true;
    const bool takes = a->shape == GEN_UNARY || a->shape == GEN_BINARY || a->shape == GEN_TERNARY;
    const bool macro = gen_reads_macro(a) && a->shape == GEN_MATH;
    if (a->shape == GEN_SYNC) return true; /* tokens */
    if (!takes && !macro) return gen_wants(a, from, "%s has no condition", a->row->name);
    a->r->at++;
    if (macro) {
        if (strncasecmp(a->r->at, "eo", 2) != 0) return gen_wants(a, a->r->at, "(eo) is expected here");
        a->r->at += 2;
    } else {
        const size_t n = strcspn(a->r->at, ") \t");
        for (unsigned code = 1; code < 16 && !a->cmod; code++) { /* also the manual's names: (z) */
            const char *name = gen_cmod_name(code, true);
            if (!name || strlen(name) != n || strncasecmp(name, a->r->at, n) != 0) continue;
            a->cmod = (uint8_t)code;
            a->r->at += n;
        }
        if (!a->cmod && !gen_read_code(a, condition_name, 16, "a condition", &a->cmod)) return false;
    }
    return gen_read_char(a, ')', "(eq)f0.0") && gen_read_flag(a);
}

static bool read_operand(struct gen_assembly *a, struct gen_written *o, int n)
{
    if (!gen_read_operand(a, o, n < 0)) return false;
    a->saturate |= o->saturate;
    return gen_settle(a, o, n);
}

static bool read_place(struct gen_assembly *a, struct gen_written *o, unsigned type)
{
    if (!gen_read_operand(a, o, false)) return false;
    if (!o->has_type) o->type = (uint8_t)type;
    /* Messages have whole registers: IGA ignores what else is written, except another step of the destination, and
     * before has_ex_desc a source's subregister, for which the word has bits. */
    if (a->shape == GEN_SEND && o->mode == GEN_DIRECT) {
        if (o != &a->dst || (o->nregion == 1 && o->region[0] == 1)) o->nregion = 0;
        if (o == &a->dst || a->eu->has_ex_desc) o->part = 0;
    }
    return (o->mode != GEN_IMMEDIATE && !o->neg && !o->abs) ? gen_settle_place(a, o)
                                                            : gen_wants(a, o->at, "a register is expected here: r10");
}

bool gen_read_place(struct gen_assembly *a, struct gen_written *o) { return read_place(a, o, GEN_UD); }

static bool read_sources(struct gen_assembly *a, unsigned n)
{
    for (a->nsrc = 0; a->nsrc < n; a->nsrc++)
        if (!read_operand(a, &a->src[a->nsrc], a->nsrc)) return false;
    return true;
}

static bool read_descriptors(struct gen_assembly *a)
{
    int64_t value;
    if (!gen_read_extended(a)) return false;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (strncmp(from, "a0.0", 4) == 0 && !isalnum((unsigned char)from[4])) {
        a->r->at += 4;
        a->desc_is_reg = true;
        a->desc_reg = (struct gen_written){.mode = GEN_DIRECT, .reg = 0x10, .type = GEN_UD};
        return true;
    }
    if (!gen_read_int(a, 0, a->eu->descriptor_mask, "the descriptor", &value)) return false;
    a->desc = (uint32_t)value;
    return true;
}

static bool read_message(struct gen_assembly *a)
{
    if (!read_place(a, &a->dst, GEN_UD) || !read_place(a, &a->src[0], GEN_UD)) return false;
    a->dst.h = 1;
    a->nsrc = 1;
    if (gen_splits(a->eu, a->op)) {
        if (!read_place(a, &a->src[1], GEN_UD)) return false;
        a->nsrc = 2;
    }
    return read_descriptors(a);
}

/* null, tokens ($1,$2), or a mask. */
static bool read_tokens(struct gen_assembly *a)
{
    struct gen_written *s = &a->src[0];
    int64_t value, mask = 0;
    a->dst = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB, .h = 1};
    *s = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB};
    a->nsrc = 1;
    if (gen_read_ends(a) || gpudbg_reading_word(a->r, "null")) return true;
    const char *from = a->r->at;
    if (a->func != 2 && a->func != 3)
        return gen_wants(a, from, "null is expected here; only allrd and allwr have tokens");
    s->mode = GEN_IMMEDIATE;
    s->type = GEN_UD;
    if (gpudbg_reading_takes(a->r, '(')) {
        do {
            if (!gen_read_char(a, '$', "($1,$2)") || !gen_read_int(a, 0, 15, "a token", &value)) return false;
            mask |= (int64_t)1 << value;
        } while (gpudbg_reading_takes(a->r, ','));
        s->imm = (uint64_t)mask;
        return gen_read_char(a, ')', "($1,$2)");
    }
    if (!gen_read_int(a, 0, UINT32_MAX, "the mask of tokens", &value)) return false;
    s->imm = (uint64_t)value;
    if (strncasecmp(a->r->at, ":ud", 3) == 0) a->r->at += 3;
    return true;
}

static bool read_wait(struct gen_assembly *a)
{
    if (!read_sources(a, 1)) return false;
    struct gen_written *s = &a->src[0];
    if (s->mode != GEN_DIRECT || s->neg || s->abs)
        return gen_wants(a, s->at, "wait waits for a register: n0.0<0;1,0>:ud");
    a->dst = *s;
    a->dst.h = 1;
    return true;
}

static bool read_branch(struct gen_assembly *a)
{
    const bool brd = a->op == GEN_OP_brd && a->eu->word_targets;
    struct gen_written *s = &a->src[0];
    if (a->shape == GEN_CALL) {
        if (!read_place(a, &a->dst, a->eu->typed_targets ? GEN_D : GEN_UD)) return false;
        a->dst.h = 1;
    }
    if (a->shape == GEN_RET ||
        ((a->eu->target_registers || a->shape == GEN_JUMP || a->shape == GEN_CALL || a->op == GEN_OP_brc) &&
            gen_register_next(a))) {
        a->nsrc = 1;
        if (!read_place(a, s, !a->eu->typed_targets ? GEN_UD : brd ? GEN_W : GEN_D)) return false;
        if (gen_targets_region(a->eu, a->op)) { /* IGA: <2;2,1> */
            s->v = 2;
            s->w = s->h = 1;
        }
        return true;
    }
    if (!gen_read_target(a, true)) return false;
    if (brd && strncasecmp(a->r->at, ":w", 2) == 0) a->r->at += 2;
    return a->shape != GEN_BRANCH || gen_read_target(a, false);
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
    case GEN_SYNC: return read_tokens(a);
    case GEN_WAIT: return read_wait(a);
    case GEN_SEND: return a->ldst >= 0 ? gen_read_ldst(a) : read_message(a);
    default: return read_branch(a);
    }
}

bool gen_read_iga(struct gen_assembly *a)
{
    const char *behind;
    if (!gen_read_ends_of(a, &behind) || !read_predicate(a)) return false;
    a->r->at = behind;
    a->align16 = a->shape == GEN_TERNARY && !a->eu->three_regions;
    if (!read_suffixes(a) || (a->shape != GEN_NONE && (!read_sizes(a) || !read_condition(a)))) return false;
    a->align16 |= gen_reads_macro(a) && a->eu->align16;
    if (!read_operands(a)) return false;
    return gen_read_ends(a) ||
           gen_wants(a, a->r->at, "the end or {options} are expected here: %s has %s", a->row->name, a->row->operands);
}
