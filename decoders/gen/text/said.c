/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * said.c: the word that an assembler makes of an instruction's text, computed from the fields of the instruction
 * without writing and reading the text.  Bits of the instruction that differ from it are those that the text does not
 * give.
 *
 * A rule for each form drops the parts that its text leaves out: fill() gives the rest to pack.c, which sets the other
 * bits as IGA does.  t/gen/assemble.c reads texts back and compares.
 */
#include "text/gen_assembly.h"
#include "ops.h"

#define RUNS 8 /* most runs of bits for one half of the word */

/* ---- Operands ---- */

static unsigned file_of(const struct gen_insn *i, const struct gen_operand *o)
{
    const bool one_bit = i->eu->column == GEN_COLUMN_e2 || (i->shape == GEN_SEND && gen_is_split(i));
    return one_bit ? o->file == GEN_GRF : i->shape == GEN_TERNARY ? o->file == GEN_GRF : gen_file_code(i, o);
}

static struct gen_written place(const struct gen_insn *i, const struct gen_operand *o)
{
    return (struct gen_written){.mode = o->mode,
        .file = (uint8_t)file_of(i, o),
        .reg = o->mode == GEN_INDIRECT ? 0
               : o->file == GEN_GRF    ? o->reg
                                       : o->arf,
        .type = o->type,
        .code = (uint8_t)(o->type == GEN_BADTYPE ? gen_type_code(i, o) : 0),
        .sub = o->sub,
        .mme = gen_is_macro(i) && !o->align16,
        .swizzle = 0xe4,
        .chan_en = 15};
}

static struct gen_written operand(const struct gen_insn *i, const struct gen_operand *o, bool iga)
{
    struct gen_written s = place(i, o);
    s.neg = o->neg;
    s.abs = o->abs;
    s.rep = o->rep;
    s.addr_sub = o->addr_sub;
    s.addr_imm = o->addr_imm;
    s.imm = iga && i->shape == GEN_TERNARY && gen_type_size[o->type] == 1 ? o->imm & 0xff : o->imm;
    s.h = o->hcode;
    if (o != &i->dst) {
        s.v = o->vcode;
        s.w = o->wcode;
    }
    if (o->align16 && !o->rep) {
        if (o == &i->dst)
            s.chan_en = o->chan_en;
        else
            s.swizzle = o->swizzle;
    }
    return s;
}

void gen_fill_operand(const struct gen_insn *i, const struct gen_operand *o, struct gen_written *s)
{
    *s = operand(i, o, false);
}

/* ---- The forms ---- */

static bool has_flag(const struct gen_insn *i)
{
    return i->pred || (i->cmod && i->shape < GEN_JUMP) || gen_ends_early(i);
}

static void controls(const struct gen_insn *i, bool iga, struct gen_assembly *a)
{
    a->exec = (uint8_t)__builtin_ctz(i->exec_size);
    a->chan_off = i->chan_off;
    a->no_mask = i->no_mask;
    a->align16 = i->align16;
    a->pred = i->pred;
    a->has_flag = has_flag(i);
    if (i->pred) a->pred_inv = i->pred_inv;
    if (a->has_flag) {
        a->flag_reg = i->flag_reg;
        a->flag_sub = i->flag_sub;
    }
    a->cmod = i->shape < GEN_JUMP ? i->cmod : 0;
    a->func = i->func;
    a->sfid = i->sfid;
    a->saturate = i->saturate;
    a->acc_wr_en = i->acc_wr_en;
    a->no_dd_clr = i->no_dd_clr;
    a->no_dd_chk = i->no_dd_chk;
    a->thread_ctrl = i->thread_ctrl;
    a->breakpoint = i->breakpoint;
    a->branch_ctrl = i->branch_ctrl;
    a->swsb = i->swsb;
    a->eot = i->eot;
    a->serialize = gen_serializes(i);
    if (iga && (GEN_IS(i->op, THREAD) || i->shape == GEN_WAIT || i->shape == GEN_SYNC)) a->exec = a->chan_off = 0;
    if (iga && GEN_IS(i->op, THREAD)) a->no_mask = true;
}

static void messages(const struct gen_insn *i, bool iga, struct gen_assembly *a)
{
    a->nsrc = gen_is_split(i) ? 2 : 1;
    a->dst = operand(i, &i->dst, iga);
    a->src[0] = operand(i, &i->src[0], iga);
    if (iga) { /* registers without regions; of an architecture register only the number, not the kind */
        a->dst.h = 1;
        a->src[0].v = a->src[0].w = a->src[0].h = 0;
        if (!gen_is_split(i) && i->dst.file != GEN_GRF) a->dst.reg &= 15;
        if (!gen_is_split(i) && i->src[0].file != GEN_GRF) a->src[0].reg &= 15;
    }
    if (gen_is_split(i)) a->src[1] = place(i, &i->src[1]);
    a->desc_is_reg = i->desc_is_reg;
    a->ex_desc_is_reg = i->ex_desc_is_reg;
    a->ex_desc_reg = i->ex_desc_reg / 2;
    a->ex_desc = i->ex_desc;
    a->ex_bso = i->ex_bso;
    a->cps = i->cps;
    a->length = (int8_t)(gen_says_length(i) ? (int)(i->ex_desc >> 6 & 31) : -1);
    if (i->ex_bso) a->ex_desc = 0;
    if (gen_is_split(i) && i->ex_desc_is_reg && !i->eu->names_function) a->sfid = 0; /* the descriptor names it */
    a->desc = i->desc;
    if (!iga && !i->desc_is_reg) a->desc |= (uint32_t)(i->w[1] >> 32) & gen_reserved_descriptor(i);
    if (!gen_any_descriptor(i->eu, i->op) || !i->desc_is_reg) return;
    a->desc_reg = place(i, &i->src[1]);
    a->desc_reg.type = GEN_UD; /* it is read as a dword, whatever its type is */
}

static void branches(const struct gen_insn *i, bool iga, struct gen_assembly *a)
{
    if (i->shape == GEN_CALL) a->dst = operand(i, &i->dst, iga);
    a->nsrc = i->nsrc;
    a->jip = i->jip;
    a->uip = i->uip;
    if (!i->nsrc) return;
    struct gen_written *s = &a->src[0];
    *s = operand(i, &i->src[0], iga);
    if (!iga) return;
    s->v = s->w = s->h = 0;
    s->neg = s->abs = false;
    if (gen_targets_region(i->eu, i->op)) {
        s->v = 2;
        s->w = s->h = 1;
    }
    if (i->eu->typed_targets && !(i->eu->word_targets && i->op == GEN_OP_brd)) s->type = GEN_D;
}

/* The usual destination: null for sync, for wait the register that it waits for. */
static void waits(const struct gen_insn *i, bool iga, struct gen_assembly *a)
{
    if (!iga && !gen_prm_usual_destination(i)) return;
    const bool constant = a->src[0].mode == GEN_IMMEDIATE;
    if (i->shape == GEN_SYNC) {
        a->dst = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB, .h = 1, .chan_en = 15};
        if (iga && !constant)
            a->src[0] = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB, .swizzle = 0xe4, .chan_en = 15};
        return;
    }
    a->dst = a->src[0];
    a->dst.h = 1;
    a->dst.chan_en = 15;
    a->dst.neg = a->dst.abs = false;
}

static void fill(const struct gen_insn *i, bool iga, struct gen_assembly *a)
{
    a->eu = i->eu;
    a->iga = iga;
    a->row = i->row;
    a->op = i->op;
    a->shape = i->shape;
    a->settled = true;
    if (i->shape == GEN_NONE) {
        if (!i->compacted) a->swsb = (uint8_t)(i->w[0] >> 8);
        return;
    }
    controls(i, iga, a);
    if (i->shape == GEN_SEND) {
        messages(i, iga, a);
    } else if (i->shape >= GEN_JUMP) {
        branches(i, iga, a);
    } else {
        a->nsrc = i->nsrc;
        a->dst = operand(i, &i->dst, iga);
        for (unsigned n = 0; n < i->nsrc; n++) a->src[n] = operand(i, &i->src[n], iga);
        if (i->shape == GEN_SYNC || i->shape == GEN_WAIT) waits(i, iga, a);
    }
}

/* The types of three sources are of one of two rows, which the names say; a code without a name is of the same row. */
static bool keeps_types(const struct gen_assembly *a)
{
    if (a->shape != GEN_DPAS && !(a->shape == GEN_TERNARY && a->eu->three_regions)) return true;
    const uint8_t *types = a->eu->region_types[gen_written_row(a)];
    for (unsigned n = 0; n < 3; n++) {
        unsigned type = a->src[n].type;
        if (type != GEN_BADTYPE && gen_type_in_byte(type) != 1) type = GEN_UB;
        if (type == GEN_BADTYPE ? types[a->src[n].code & 7] != GEN_BADTYPE : !memchr(types, (int)type, 8)) return false;
    }
    return true;
}

/* A message whose extended descriptor is in place of the payload's region. */
static bool has_no_region(const struct gen_insn *i)
{
    return i->shape == GEN_SEND && i->eu->has_ex_desc && i->eu->column == GEN_COLUMN_e8 && !gen_is_split(i);
}

/* The stored word that the text gives; false: the text cannot be read as this instruction. */
static bool said(const struct gpudbg_insn *insn, const struct gen_insn *i, enum gen_syntax syntax, uint64_t w[2])
{
    const bool iga = syntax == GEN_SYNTAX_IGA;
    struct gen_assembly a = {.index = {-1, -1, -1, -1, -1}, .length = -1};
    struct gpudbg_error err = {.offset = -1};
    struct gpudbg_reading r = {.text = "", .at = "", .isa = insn->isa, .addr = insn->addr, .err = &err};
    a.r = &r;
    if (iga && i->shape >= GEN_JUMP && i->nsrc && i->src[0].mode != GEN_DIRECT) return false;
    if (syntax != GEN_SYNTAX_MESA && has_no_region(i) && i->src[0].file == GEN_NOFILE &&
        i->src[0].type != i->eu->types[gen_type_code(i, &i->src[0])])
        return false; /* its type is one of constants */
    if (iga && i->shape == GEN_SEND && i->eu->names_function && !gen_sfid_name(i->eu, i->sfid)) return false;
    struct gen_insn region;
    if (syntax == GEN_SYNTAX_MESA && gen_unpack_region(i, &region)) i = &region;
    fill(i, iga, &a);
    if (syntax == GEN_SYNTAX_MESA && !gen_mesa_drops(i, &a)) return false;
    if (!keeps_types(&a) || !gen_pack(&a) || (a.mesa && !gen_mesa_keeps(&a))) return false;
    w[0] = a.w[0];
    w[1] = a.w[1];
    if (!i->compacted) return true;
    w[1] = 0;
    if (!iga) gen_named_indices(insn, i, a.index);
    return gen_find_compacted(insn->isa, a.w, a.index, &w[0]);
}

/* ---- Bits that the text does not give ---- */

/* A message takes whole registers: the region of its payload and the step of its answer mean nothing. */
static void drop_regions(struct gen_insn *i)
{
    struct gen_operand *s = &i->src[0], *d = &i->dst;
    if (i->shape != GEN_SEND || gen_is_split(i)) return;
    s->vstride = s->width = s->hstride = d->hstride = 0;
    s->vcode = s->wcode = s->hcode = d->hcode = 0;
}

/* Whether the manual's syntax, which cannot give their words, writes both alike. */
static bool same_text(const struct gpudbg_insn *insn, const struct gen_insn *mine, const struct gpudbg_insn *other,
    const struct gen_insn *theirs)
{
    char one[TEXT_WHOLE], two[TEXT_WHOLE];
    *gen_prm_text(one, insn, mine, false, NULL) = 0;
    *gen_prm_text(two, other, theirs, false, NULL) = 0;
    return strcmp(one, two) == 0;
}

/* Whether all bits in which the word w differs from the instruction's mean nothing: then the words of both in the
 * manual's syntax, which has every meaningful bit, are equal. */
static bool differs_in_nothing(const struct gpudbg_insn *insn, const struct gen_insn *i, enum gen_syntax syntax,
    bool drops, bool any, const uint64_t w[2])
{
    uint8_t bytes[16];
    struct gpudbg_insn other;
    struct gen_insn mine = *i, theirs;
    uint64_t one[2], two[2];
    le_put(bytes, w[0], 8);
    le_put(bytes + 8, w[1], 8);
    if (gen_decode_words(insn->isa, bytes, insn->size, insn->addr, &other, &theirs) != (int)insn->size ||
        theirs.op != i->op)
        return false;
    if (any || (syntax == GEN_SYNTAX_PRM && !drops) || i->shape == GEN_NONE) return true;
    if (drops) {
        drop_regions(&mine);
        drop_regions(&theirs);
    }
    mine.compacted = theirs.compacted = false;
    const bool can = said(insn, &mine, GEN_SYNTAX_PRM, one), could = said(&other, &theirs, GEN_SYNTAX_PRM, two);
    if (!can && !could) return same_text(insn, &mine, &other, &theirs);
    return can && could && one[0] == two[0] && one[1] == two[1];
}

/* A rule for the usual forms: no bit is set that means nothing, so the text gives all bits. */
static bool is_usual(const struct gpudbg_insn *insn, const struct gen_insn *i)
{
    uint64_t m[2];
    if (i->compacted || gen_is_macro(i) || GEN_IS(i->op, GATHERS) || GEN_IS(i->op, IMM64)) return false;
    if (i->shape != GEN_UNARY && i->shape != GEN_BINARY && i->shape != GEN_TERNARY && i->shape != GEN_MATH)
        return false;
    if (i->shape == GEN_TERNARY && i->eu->column == GEN_COLUMN_e8) return false; /* operands may have several texts */
    for (unsigned n = 0; n < i->nsrc; n++)
        if ((i->src[n].rep && i->src[n].swizzle != 0xe4) || /* the components of one element mean nothing */
            (i->src[n].mode == GEN_IMMEDIATE && gen_type_size[i->src[n].type] == 1)) /* nor does its upper half */
            return false;
    if (i->shape == GEN_TERNARY && i->eu->three_regions) /* of which row a code is has to be seen */
        for (unsigned n = 0; n < 4; n++)
            if ((n ? i->src[n - 1].type : i->dst.type) == GEN_BADTYPE) return false;
    gen_meaningless_bits(insn, i, m);
    return !((i->w[0] & m[0]) | (i->w[1] & m[1]));
}

bool gen_said(const struct gpudbg_insn *insn, const struct gen_insn *i, enum gen_syntax syntax, bool drops, bool any,
    uint64_t w[2])
{
    if (syntax != GEN_SYNTAX_MESA && is_usual(insn, i)) {
        w[0] = i->w[0];
        w[1] = i->w[1];
        return true;
    }
    return gen_said_by_fields(insn, i, syntax, drops, any, w);
}

bool gen_said_by_fields(const struct gpudbg_insn *insn, const struct gen_insn *i, enum gen_syntax syntax, bool drops,
    bool any, uint64_t w[2])
{
    if (!said(insn, i, syntax, w)) return false;
    if (w[0] == le_u64(insn->raw) && (insn->size == 8 || w[1] == le_u64(insn->raw + 8))) return true;
    return differs_in_nothing(insn, i, syntax, drops, any, w);
}

/* ---- The remark ---- */

/* Bits of one half that differ, in runs from the lowest; if there are many runs, both dwords. */
static char *put_runs(char *p, uint64_t is, uint64_t was, unsigned half)
{
    uint64_t differ = is ^ was;
    if (__builtin_popcountll(differ & ~(differ << 1)) > RUNS) differ = UINT64_MAX;
    while (differ) {
        const unsigned lo = (unsigned)__builtin_ctzll(differ);
        const uint64_t above = ~(differ >> lo);
        unsigned len = above ? (unsigned)__builtin_ctzll(above) : 64 - lo;
        if (len > 32) len = 32;
        const uint64_t mask = UINT64_MAX >> (64 - len);
        *p++ = ' ';
        if (len > 1) p = PUT(gen_put_number(p, half * 64 + lo + len - 1), ":");
        p = PUT(gen_put_number(p, half * 64 + lo), "=");
        p = len > 3 ? gen_put_hex(p, is >> lo & mask, 1) : gen_put_number(p, (int64_t)(is >> lo & mask));
        differ &= ~(mask << lo);
    }
    return p;
}

char *gen_put_remark(char *p, const struct gpudbg_insn *insn, const uint64_t w[2], const char *lacks)
{
    const uint64_t low = le_u64(insn->raw), high = insn->size == 16 ? le_u64(insn->raw + 8) : w[1];
    if (low == w[0] && high == w[1]) return p;
    p = PUT(p, " " GEN_REMARK);
    p = put_runs(p, low, w[0], 0);
    p = put_runs(p, high, w[1], 1);
    return lacks ? put(PUT(p, ", "), lacks) : PUT(p, ", which mean nothing");
}
