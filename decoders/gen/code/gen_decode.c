/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_decode.c: bytes to struct gpudbg_insn: the row, the words with their fields, the registers read and
 * written. */
#include "code/gen_decoder.h"
#include "code/footprint.h"
#include "code/message.h"
#include "code/predicate.h"
#include "ops.h"

/* ---- Words ---- */

static void add_part(struct gpudbg_insn *insn, unsigned layout, bool derived)
{
    insn->parts[insn->nparts++] = (struct gpudbg_part){&gen_layouts[layout], gen_layout_at[layout], 1, derived};
}

/* Words that depend on more than the shape; each returns enum gen_layout, or DESCRIPTOR. */
enum { DESCRIPTOR = GEN_LAYOUTS };

static bool constant_typed(const struct gen_insn *i, unsigned n)
{
    const unsigned e = i->eu->column;
    return (n ? GET(e, i->w, src1_file) : GET(e, i->w, src0_file)) == 3;
}

static bool constant_e2(const struct gen_insn *i, unsigned n)
{
    return n ? GET(GEN_COLUMN_e2, i->w, src1_is_imm) : GET(GEN_COLUMN_e2, i->w, src0_is_imm);
}

/* Words that Gen7 and Gen8 have, by column: LAYOUT(i, SRC0) is GEN_L_e1_SRC0 or GEN_L_e8_SRC0. */
#define LAYOUT(i, word) ((i)->eu->column == GEN_COLUMN_e1 ? GEN_L_e1_##word : GEN_L_e8_##word)
#define ONE_OF(i, indirect, word)                                              \
    ((i)->align16    ? (indirect) ? LAYOUT(i, word##16I) : LAYOUT(i, word##16) \
           : (indirect) ? LAYOUT(i, word##I)                                   \
                     : LAYOUT(i, word))

static unsigned send_e8(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_e8_SENDS, GEN_L_e8_SENDS_X, GEN_L_e8_SENDS_D, GEN_L_e8_SENDS_DX};
    return layouts[2 * i->desc_is_reg + i->ex_desc_is_reg];
}

static unsigned dst_typed(const struct gen_insn *i)
{
    if (i->shape == GEN_SEND && gen_is_split(i)) return send_e8(i);
    return ONE_OF(i, GET(i->eu->column, i->w, dst_addr_mode), DST);
}

static unsigned src0_typed(const struct gen_insn *i)
{
    if (constant_typed(i, 0)) {
        const bool wide = i->shape == GEN_UNARY && gen_type_size[i->src[0].type] == 8;
        return GEN_IS(i->op, IMM64) || wide ? LAYOUT(i, IMM64) : LAYOUT(i, NOSRC0);
    }
    return ONE_OF(i, GET(i->eu->column, i->w, src0_addr_mode), SRC0);
}

static unsigned src1_typed(const struct gen_insn *i)
{
    return ONE_OF(i, GET(i->eu->column, i->w, src1_addr_mode), SRC1);
}

/* The last word of an instruction without source 1: source 0 may be a constant there. */
static unsigned unary_typed(const struct gen_insn *i)
{
    return constant_typed(i, 0) ? GEN_L_e1_IMM : GEN_L_e1_NOTHING3;
}

static unsigned binary_typed(const struct gen_insn *i)
{
    return constant_typed(i, 0) || constant_typed(i, 1) ? GEN_L_e1_IMM : src1_typed(i);
}

static unsigned math_typed(const struct gen_insn *i) { return i->nsrc > 1 ? binary_typed(i) : unary_typed(i); }

/* The payload of a message: bits of its region are the extended descriptor where there is one. */
static unsigned payload_typed(const struct gen_insn *i) { return i->eu->has_ex_desc ? GEN_L_e8_SRC0S : src0_typed(i); }

static unsigned desc_typed(const struct gen_insn *i) { return i->desc_is_reg ? GEN_L_e1_DESC_REG : DESCRIPTOR; }

static unsigned target_typed(const struct gen_insn *i)
{
    if (i->eu->column == GEN_COLUMN_e8 && i->uip_is_imm) return GEN_L_e8_UIP;
    const bool by_src0 = i->shape == GEN_RET || GEN_IS(i->op, EITHER);
    return i->nsrc && by_src0 ? src0_typed(i) : LAYOUT(i, NOSRC0);
}

static unsigned jump_typed(const struct gen_insn *i)
{
    if (i->jip_is_imm) return GEN_L_e1_JIP32;
    return i->op == GEN_OP_brd ? GEN_L_e1_NOTHING3 : src1_typed(i);
}

static unsigned jip_typed(const struct gen_insn *i) { return LAYOUT(i, JIP); }

static unsigned branch_typed(const struct gen_insn *i)
{
    return i->nsrc ? GEN_L_e1_NOTHING3 : i->eu->column == GEN_COLUMN_e1 ? GEN_L_e1_JIP_UIP : GEN_L_e8_JIP;
}

static bool two_e2(const struct gen_insn *i) { return i->nsrc > 1; }

static unsigned dst_e2(const struct gen_insn *i)
{
    return GET(GEN_COLUMN_e2, i->w, dst_addr_mode) ? GEN_L_e2_DSTI : GEN_L_e2_DST;
}

static unsigned src0_e2(const struct gen_insn *i)
{
    if (!constant_e2(i, 0)) return GET(GEN_COLUMN_e2, i->w, src0_addr_mode) ? GEN_L_e2_SRC0I : GEN_L_e2_SRC0;
    const unsigned type = gen_e2_imm_types[GET(GEN_COLUMN_e2, i->w, src0_type)];
    if (i->shape == GEN_UNARY && gen_type_size[type] == 8) return GEN_L_e2_IMM64;
    return two_e2(i) ? GEN_L_e2_NOREG0 : GEN_L_e2_NOSRC0;
}

static unsigned last_e2(const struct gen_insn *i)
{
    const bool two = two_e2(i);
    if (constant_e2(i, 0) || (two && constant_e2(i, 1))) return GEN_L_e2_IMM;
    return !two ? GEN_L_e2_NOSRC1 : GET(GEN_COLUMN_e2, i->w, src1_addr_mode) ? GEN_L_e2_SRC1I : GEN_L_e2_SRC1;
}

/* Three sources before Gen12: with Align16, or with regions. */
static unsigned ternary_e8(const struct gen_insn *i) { return i->eu->three_regions ? GEN_L_e8_REG1 : GEN_L_e8_TER1; }

static unsigned sources_e8(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_e8_REG2, GEN_L_e8_REG2_0, GEN_L_e8_REG2_2, GEN_L_e8_REG2_02};
    if (!i->eu->three_regions) return GEN_L_e8_TER2;
    return layouts[(i->src[0].mode == GEN_IMMEDIATE) + 2 * (i->src[2].mode == GEN_IMMEDIATE)];
}

static unsigned ternary_dst(const struct gen_insn *i) { return GEN_IS(i->op, TRUTH) ? GEN_L_e2_BFN1 : GEN_L_e2_TER1; }

static unsigned ternary_src1(const struct gen_insn *i)
{
    if (GEN_IS(i->op, TRUTH)) return constant_e2(i, 0) ? GEN_L_e2_BFN2_IMM : GEN_L_e2_BFN2;
    return constant_e2(i, 0) ? GEN_L_e2_TER2_IMM : GEN_L_e2_TER2;
}

static unsigned ternary_src2(const struct gen_insn *i) { return constant_e2(i, 1) ? GEN_L_e2_TER3_IMM : GEN_L_e2_TER3; }

static unsigned send_e2(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_e2_SEND, GEN_L_e2_SEND_X, GEN_L_e2_SEND_D, GEN_L_e2_SEND_DX};
    if (i->ex_desc_is_reg && i->eu->bindless_offsets)
        return i->ex_bso        ? i->desc_is_reg ? GEN_L_e2_SEND_DXB : GEN_L_e2_SEND_XB
               : i->desc_is_reg ? GEN_L_e2_SEND_DXW
                                : GEN_L_e2_SEND_XW;
    return layouts[2 * GET(GEN_COLUMN_e2, i->w, desc_is_reg) + GET(GEN_COLUMN_e2, i->w, ex_desc_is_reg)];
}

static bool by_register(const struct gen_insn *i)
{
    return i->shape == GEN_RET || !GET(GEN_COLUMN_e2, i->w, jip_is_imm);
}

static unsigned target_e2(const struct gen_insn *i)
{
    return by_register(i) ? GEN_L_e2_TARGET : i->shape == GEN_BRANCH ? GEN_L_e2_UIP : GEN_L_e2_NOUIP;
}

static unsigned jip_e2(const struct gen_insn *i) { return by_register(i) ? GEN_L_e2_NOSRC1 : GEN_L_e2_JIP; }

/* The words of each shape, with a column for each encoding: a layout, or the function that chooses one.  A constant of
 * 64 bits is the last. */
struct word {
    uint8_t layout;
    unsigned (*choose)(const struct gen_insn *);
};
#define IS(name)           \
    {                      \
        GEN_L_##name, NULL \
    }
#define BY(function) \
    {                \
        0, function  \
    }
/* TYPED: rows of Gen7 and Gen8 differ in the first word alone. */
#define TYPED(first, a, b, c, n_e2, ...)                                          \
    {                                                                             \
        {4, 4, n_e2},                                                             \
        {                                                                         \
            {IS(e1_##first), a, b, c}, {IS(e8_##first), a, b, c}, { __VA_ARGS__ } \
        }                                                                         \
    }
#define BRANCHES(last)                                                                                              \
    {                                                                                                               \
        {4, 4, 4},                                                                                                  \
        {                                                                                                           \
            {IS(e1_BARE), IS(e1_FLOW), BY(target_typed), last}, {IS(e8_BARE), IS(e8_FLOW), BY(target_typed), last}, \
            {                                                                                                       \
                IS(e2_CTRL), IS(e2_BRANCH), BY(target_e2), BY(jip_e2)                                               \
            }                                                                                                       \
        }                                                                                                           \
    }
static const struct words {
    uint8_t n[GEN_COLUMNS];
    struct word word[GEN_COLUMNS][5];
} words[] = {
    [GEN_NONE] = {{4, 4, 5}, {{IS(e1_NONE), IS(e1_NODST), IS(e1_NOTHING2), IS(e1_NOTHING3)},
                                 {IS(e1_NONE), IS(e8_NODST), IS(e1_NOTHING2), IS(e1_NOTHING3)},
                                 {IS(e2_NONE), IS(e2_NODST), IS(e2_NOSRC0), IS(e2_NOCOND), IS(e2_NOSRC1)}}},
    [GEN_UNARY] = TYPED(CTRL, BY(dst_typed), BY(src0_typed), BY(unary_typed), 5, IS(e2_CTRL), BY(dst_e2), BY(src0_e2),
        IS(e2_COND), BY(last_e2)),
    [GEN_BINARY] = TYPED(CTRL, BY(dst_typed), BY(src0_typed), BY(binary_typed), 5, IS(e2_CTRL), BY(dst_e2), BY(src0_e2),
        IS(e2_COND), BY(last_e2)),
    [GEN_TERNARY] = {{3, 3, 4}, {{IS(e1_CTRL), IS(e1_TER1), IS(e1_TER2)}, {IS(e8_CTRL), BY(ternary_e8), BY(sources_e8)},
                                    {IS(e2_CTRL), BY(ternary_dst), BY(ternary_src1), BY(ternary_src2)}}},
    [GEN_DPAS] = {{0, 0, 4}, {{{0}}, {{0}}, {IS(e2_CTRL), IS(e2_DPAS1), IS(e2_DPAS2), IS(e2_DPAS3)}}},
    [GEN_MATH] = TYPED(MATH, BY(dst_typed), BY(src0_typed), BY(math_typed), 5, IS(e2_CTRL), BY(dst_e2), BY(src0_e2),
        IS(e2_MATH), BY(last_e2)),
    [GEN_SEND] = TYPED(SEND, BY(dst_typed), BY(payload_typed), BY(desc_typed), 2, IS(e2_CTRL), BY(send_e2)),
    [GEN_SYNC] = {{0, 0, 5}, {{{0}}, {{0}}, {IS(e2_CTRL), BY(dst_e2), BY(src0_e2), IS(e2_SYNC), BY(last_e2)}}},
    [GEN_WAIT] = TYPED(CTRL, BY(dst_typed), BY(src0_typed), BY(unary_typed), 0, {0}),
    [GEN_JUMP] = BRANCHES(BY(jump_typed)),
    [GEN_JIP] = BRANCHES(BY(jip_typed)),
    [GEN_BRANCH] = BRANCHES(BY(branch_typed)),
    [GEN_CALL] = TYPED(
        BARE, BY(dst_typed), BY(target_typed), BY(jump_typed), 4, IS(e2_CTRL), IS(e2_CALL), BY(target_e2), BY(jip_e2)),
    [GEN_RET] = BRANCHES(IS(e1_NOTHING3)),
};

/* Whether no word comes after this one. */
static bool is_last(unsigned layout)
{
    return layout == GEN_L_e1_IMM64 || layout == GEN_L_e8_IMM64 || layout == GEN_L_e2_IMM64 ||
           (layout >= GEN_L_e8_SENDS && layout <= GEN_L_e8_SENDS_DX);
}

static void parts(struct gpudbg_insn *insn, const struct gen_insn *i)
{
    const unsigned e = i->eu->column;
    const struct word *word = words[i->shape].word[e], *end = word + words[i->shape].n[e];
    for (unsigned layout = GEN_LAYOUTS; word < end && !is_last(layout); word++) {
        layout = word->choose ? word->choose(i) : word->layout;
        if (layout == DESCRIPTOR)
            insn->parts[insn->nparts++] = (struct gpudbg_part){
                gen_descriptor_format(i->eu, i->sfid, (uint32_t)(i->w[1] >> 32)), 96, 1, i->compacted};
        else
            add_part(insn, layout, i->compacted);
    }
    /* Its descriptor, out of the words; a compacted one has the place of its words. */
    if (gen_is_split(i) && i->shape == GEN_SEND && !i->desc_is_reg && !i->compacted) {
        insn->derived[0] = i->desc;
        insn->parts[insn->nparts++] = (struct gpudbg_part){gen_descriptor_format(i->eu, i->sfid, i->desc), 0, 1, true};
    }
}

/* The layout of the stored word of a compacted instruction. */
static unsigned stored_layout(const struct gen_insn *i)
{
    static const struct {
        uint8_t none, ternary, constant, other;
    } layouts[GEN_COLUMNS] = {
        {GEN_L_c1_NONE, GEN_L_c1_REG, GEN_L_c1_IMM, GEN_L_c1_REG},
        {GEN_L_c1_NONE, GEN_L_c8_TER, GEN_L_c8_IMM, GEN_L_c8_REG},
        {GEN_L_c2_NONE, GEN_L_c2_TER, GEN_L_c2_IMM, GEN_L_c2_REG},
    };
    const unsigned e = i->eu->column;
    if (i->shape == GEN_NONE) return layouts[e].none;
    if (gen_has_three(i->shape)) return layouts[e].ternary;
    const bool constant = e == GEN_COLUMN_e2
                              ? i->shape != GEN_SEND && i->shape < GEN_JUMP && (constant_e2(i, 0) || constant_e2(i, 1))
                              : constant_typed(i, 0) || constant_typed(i, 1);
    return constant ? layouts[e].constant : layouts[e].other;
}

/* ---- Operands, for those who know no Gen ---- */

static struct gpudbg_operand *add_operand(struct gpudbg_insn *insn, unsigned kind, unsigned flags)
{
    struct gpudbg_operand
        *o = &insn->operands[insn->noperands < GPUDBG_OPERANDS ? insn->noperands++ : GPUDBG_OPERANDS - 1];
    memset(o, 0, sizeof *o);
    o->kind = (uint8_t)kind;
    o->flags = (uint8_t)flags;
    o->index = -1;
    return o;
}

/* Number of registers that a direct region touches, from its first one on: they have 32 bytes. */
static unsigned registers_of_region(const struct gen_insn *i, const struct gen_operand *o, bool destination)
{
    unsigned size = gen_element_size(i->eu, o), last;
    if (o->rep)
        last = o->sub + 3u;
    else if (o->align16)
        last = o->sub + (i->exec_size > 4 ? (i->exec_size / 4u - 1) * (destination ? 4u : o->vstride) * size : 0) +
               4 * size - 1;
    else if (destination)
        last = o->sub + (i->exec_size - 1u) * o->hstride * size + size - 1;
    else {
        unsigned width = o->width > i->exec_size || o->width == GEN_RESERVED ? i->exec_size : o->width;
        unsigned rows = (unsigned)i->exec_size >> __builtin_ctz(width); /* widths are powers of two */
        last = o->sub + ((rows - 1u) * o->vstride + (width - 1u) * o->hstride) * size + size - 1;
    }
    return last / 32 + 1;
}

/* ... that an operand covers: idiv's remainders follow its quotients, pln reads u and v for every eight
 * channels. */
static unsigned registers_of(const struct gen_insn *i, const struct gen_operand *o, bool destination)
{
    if (i->shape == GEN_DPAS) {
        const unsigned bytes = o->sub + gen_systolic_bytes(i, destination ? -1 : (int)(o - i->src));
        return (bytes + 31) / 32;
    }
    unsigned n = registers_of_region(i, o, destination);
    if (destination && i->shape == GEN_MATH && i->func == GEN_MATH_IDIV) n *= 2;
    if (GEN_IS(i->op, PLANE) && o == &i->src[1]) n = 2 * ((i->exec_size + 7u) / 8);
    if (o->file == GEN_GRF) return n > 16 ? 16 : n;
    const unsigned all = i->eu->isa.files[o->file].count, left = all > o->reg ? all - o->reg : 1;
    return n > left ? left : n;
}

static void use_register(
    struct gpudbg_insn *insn, const struct gen_insn *i, const struct gen_operand *o, unsigned flags, unsigned count)
{
    if (o->mode == GEN_ABSENT || (o->mode == GEN_DIRECT && (o->file == GEN_NULL || o->file == GEN_NOFILE))) return;
    if (o->mode == GEN_IMMEDIATE) {
        struct gpudbg_operand *c = add_operand(
            insn, gen_type_is_float(o->type) ? GPUDBG_NUMBER : GPUDBG_INTEGER, GPUDBG_READ);
        c->type = o->type;
        c->imm = (int64_t)o->imm;
        return;
    }
    if (i->no_mask) flags |= GPUDBG_ALL_LANES;
    if (o->mode == GEN_INDIRECT) {
        struct gpudbg_operand *a = add_operand(insn, GPUDBG_REGISTER, GPUDBG_READ | GPUDBG_IMPLICIT);
        a->file = GEN_A0;
        a->count = 1;
    }
    struct gpudbg_operand *r = add_operand(insn, o->mode == GEN_INDIRECT ? GPUDBG_SPECIAL : GPUDBG_REGISTER, flags);
    r->file = o->file;
    r->type = o->type;
    r->mods = (uint8_t)(o->neg << 1 | o->abs);
    r->reg = o->reg;
    r->sub = o->sub;
    r->swizzle = o->swizzle;
    r->count = (uint16_t)(count                                      ? count
                          : o->file == GEN_GRF || o->file == GEN_ACC ? registers_of(i, o, flags & GPUDBG_WRITE)
                                                                     : 1);
    r->region = (struct gpudbg_region){o->vstride, o->width, o->hstride};
    r->imm = o == &i->dst ? 0 : 1 + (o - i->src); /* its place in the text, for operand_text */
}

static void use_flag(struct gpudbg_insn *insn, const struct gen_insn *i, unsigned reg, unsigned flags)
{
    struct gpudbg_operand *o = add_operand(insn, GPUDBG_REGISTER, flags | GPUDBG_IMPLICIT);
    o->file = GEN_F;
    o->reg = (uint16_t)reg;
    o->sub = (uint16_t)(2 * i->flag_sub);
    o->count = 1;
}

/* Floats of more than eight channels, or of every second eight of them, are in acc1, too: see gen_implicit_acc. */
static void use_acc(struct gpudbg_insn *insn, const struct gen_insn *i, unsigned flags)
{
    struct gpudbg_operand *o = add_operand(insn, GPUDBG_REGISTER, flags | GPUDBG_IMPLICIT);
    o->file = GEN_ACC;
    o->count = i->exec_size > 8 || i->chan_off / 8 & 1 ? 2 : 1;
}

static void use_target(struct gpudbg_insn *insn, uint64_t target)
{
    add_operand(insn, GPUDBG_CODE, GPUDBG_READ)->imm = (int64_t)target;
}

/* Integers compared with themselves: compilers use that to find the active channels. */
static bool compares_alike(const struct gen_insn *i)
{
    const struct gen_operand *a = &i->src[0], *b = &i->src[1];
    return GEN_IS(i->op, COMPARES) && i->nsrc == 2 && !gen_type_is_float(a->type) && a->mode == GEN_DIRECT &&
           b->mode == GEN_DIRECT && a->file == b->file && a->reg == b->reg && a->sub == b->sub && a->type == b->type &&
           a->neg == b->neg && a->abs == b->abs && a->align16 == b->align16 && a->vstride == b->vstride &&
           a->width == b->width && a->hstride == b->hstride && a->swizzle == b->swizzle;
}

static void operands(struct gpudbg_insn *insn, const struct gen_insn *i)
{
    unsigned mlen = 0, ex_mlen = 0, rlen = 0;
    if (i->shape == GEN_NONE) return;
    if (i->shape == GEN_SEND) {
        bool known = gen_message_lengths(i, &mlen, &ex_mlen, &rlen);
        if (rlen || !known) use_register(insn, i, &i->dst, GPUDBG_WRITE, rlen ? rlen : 1);
        if (mlen || !known) use_register(insn, i, &i->src[0], GPUDBG_READ, mlen ? mlen : 1);
        if (gen_is_split(i) && (ex_mlen || !known))
            use_register(insn, i, &i->src[1], GPUDBG_READ, ex_mlen ? ex_mlen : 1);
        if (i->desc_is_reg || i->ex_desc_is_reg) {
            struct gpudbg_operand *a = add_operand(insn, GPUDBG_REGISTER, GPUDBG_READ | GPUDBG_IMPLICIT);
            a->file = GEN_A0;
            a->count = 1;
        }
    } else {
        if (i->shape != GEN_WAIT) use_register(insn, i, &i->dst, GPUDBG_WRITE, 0);
        for (unsigned n = 0; n < i->nsrc; n++)
            use_register(insn, i, &i->src[n], GPUDBG_READ | (compares_alike(i) ? GPUDBG_NO_MATTER : 0), 0);
    }
    if (i->jip_is_imm) use_target(insn, i->jip_target);
    if (i->uip_is_imm) use_target(insn, i->uip_target);
    if (i->pred) use_flag(insn, i, i->flag_reg, GPUDBG_READ);
    if (gen_joins_flags(i)) use_flag(insn, i, !i->flag_reg, GPUDBG_READ);
    if (i->cmod) use_flag(insn, i, i->flag_reg, GEN_IS(i->op, CHOOSES) ? GPUDBG_READ : GPUDBG_WRITE);
    if (GEN_IS(i->op, READS_ACC)) use_acc(insn, i, GPUDBG_READ);
    if (i->acc_wr_en) use_acc(insn, i, GPUDBG_WRITE);
}

/* ---- Decoding ---- */

static bool short_of_code(
    const struct gen_eu *eu, const uint8_t *p, size_t n, struct gpudbg_insn *out, struct gen_insn *i)
{
    if (n < 8) return true;
    uint64_t first = le_u64(p);
    i->compacted = gen_is_compacted(first);
    i->size = i->compacted ? 8 : 16;
    if (n < i->size) return true;
    out->size = i->size;
    const unsigned op = eu->by_code[first & 127];
    out->op = op ? &eu->isa.ops[op - 1] : NULL;
    i->w[0] = first;
    return false;
}

/* All but words and operands: GPUDBG_SHORT, GPUDBG_ILLEGAL or the size. */
static int decode_row(const struct gen_eu *eu, const uint8_t *p, size_t n, struct gpudbg_insn *out, struct gen_insn *i)
{
    out->op = NULL;
    out->raw = p;
    out->size = 8;
    out->variant = 0;
    out->does = 0;
    out->nparts = out->noperands = 0;
    out->derived[0] = out->derived[1] = 0;
    if (short_of_code(eu, p, n, out, i)) return GPUDBG_SHORT;
    if (!out->op) return GPUDBG_ILLEGAL;
    i->op = (uint8_t)out->op->id;
    i->shape = (uint8_t)gen_shape_on(eu, i->op);
    if (i->compacted) {
        uint64_t stored = i->w[0];
        if (!gen_expand(eu, i->shape, stored, i->w)) {
            out->op = NULL;
            return GPUDBG_ILLEGAL;
        }
        out->derived[0] = i->w[0];
        out->derived[1] = i->w[1];
    } else {
        i->w[1] = le_u64(p + 8);
    }
    out->variant = i->shape;
    return i->size;
}

int gen_decode_words(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out,
    struct gen_insn *i)
{
    const struct gen_eu *eu = gen_eu_of(isa);
    gen_clear(i, sizeof *i);
    out->addr = addr;
    out->isa = isa;
    int size = decode_row(eu, p, n, out, i);
    if (size < 0 && out->size <= n) {
        static const uint8_t unknown[GEN_COLUMNS][2] = {
            {GEN_L_e1_UNKNOWN, GEN_L_c1_REG}, {GEN_L_e8_UNKNOWN, GEN_L_c8_REG}, {GEN_L_e2_UNKNOWN, GEN_L_c2_REG}};
        add_part(out, unknown[eu->column][out->size == 8], false);
    }
    if (size <= 0) return size;
    i->row = out->op;
    i->addr = addr;
    i->eu = eu;
    gen_unpack_word(i);
    if (i->shape == GEN_SEND && !i->desc_is_reg) out->does = gen_message_does(eu, i->sfid, i->desc);
    if (i->shape == GEN_SEND && i->eot) out->does |= GPUDBG_OP_END;
    if (i->compacted) add_part(out, stored_layout(i), false);
    parts(out, i);
    return size;
}

int gen_decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    struct gen_insn i;
    int size = gen_decode_words(isa, p, n, addr, out, &i);
    if (size > 0) operands(out, &i);
    return size;
}

/* The size of the instruction at p, or what decode returns; adds the addresses that it names. */
static int skim_one(const struct gen_eu *eu, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *s)
{
    if (n < 8) return GPUDBG_SHORT;
    uint64_t first = le_u64(p);
    unsigned op = eu->by_code[first & 127], size = gen_is_compacted(first) ? 8 : 16;
    if (n < size) return GPUDBG_SHORT;
    if (!op) return GPUDBG_ILLEGAL;
    bool branch = eu->isa.ops[op - 1].flags & GPUDBG_OP_BRANCH;
    if (!branch && (size == 16 || gen_compactable(eu, gen_shapes[op - 1]))) return (int)size;
    struct gpudbg_insn insn;
    struct gen_insn i;
    gen_clear(&i, sizeof i);
    int taken = decode_row(eu, p, n, &insn, &i);
    if (taken <= 0 || !branch) return taken;
    i.addr = addr;
    i.eu = eu;
    gen_unpack_word(&i);
    if (i.jip_is_imm) s->targets[s->ntargets++] = i.jip_target;
    if (i.uip_is_imm) s->targets[s->ntargets++] = i.uip_target;
    return taken;
}

/* Names the targets of a branch of 16 bytes. */
static void skim_jump(const struct gen_jump *j, const uint8_t *p, uint64_t addr, struct gpudbg_skim *s)
{
    const uint64_t w[2] = {le_u64(p), le_u64(p + 8)};
    if (!gen_jump_is_constant(j, w)) return;
    s->targets[s->ntargets++] = gen_target(j, j->jip, w, addr);
    if (j->uip.len) s->targets[s->ntargets++] = gen_target(j, j->uip, w, addr);
}

size_t gen_skim(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *s)
{
    const struct gen_eu *eu = gen_eu_of(isa);
    size_t at = 0;
    enum { PLAIN, JUMP, OTHER }; /* PLAIN: there is such an opcode, and it names no address */
    uint8_t is[128];             /* by code */
    struct gen_jump jump[128];
    for (unsigned code = 0; code < 128; code++) {
        const unsigned op = eu->by_code[code] - 1u;
        is[code] = OTHER;
        if (!eu->by_code[code]) continue;
        is[code] = eu->isa.ops[op].flags & GPUDBG_OP_BRANCH ? JUMP : PLAIN;
        if (is[code] == JUMP) jump[code] = gen_jump_of(eu, op);
    }
    while (s->room - s->ntargets >= 2) {
        for (; n - at >= 16; at += 16) {
            const uint64_t first = le_u64(p + at);
            if (is[first & 127] != PLAIN || gen_is_compacted(first)) {
                if (is[first & 127] == OTHER || gen_is_compacted(first) || s->room - s->ntargets < 2) break;
                skim_jump(&jump[first & 127], p + at, addr + at, s);
            }
            gpudbg_skim_start(s, at / 8);
        }
        if (s->room - s->ntargets < 2) break;
        int size = skim_one(eu, p + at, n - at, addr + at, s);
        if (size <= 0) break;
        gpudbg_skim_start(s, at / 8);
        at += (size_t)size;
    }
    return at;
}

/* ---- Bare code ---- */

static bool ends_thread(const struct gen_eu *eu, const uint8_t *p, size_t n)
{
    struct gpudbg_insn insn;
    struct gen_insn i;
    gen_clear(&i, sizeof i);
    if (decode_row(eu, p, n, &insn, &i) <= 0) return false;
    i.eu = eu;
    gen_unpack_word(&i);
    return i.eot;
}

/* Follows the code from its start: it ends with the first send that ends the thread, unless an earlier branch goes
 * beyond that send. */
size_t gen_program(const struct gpudbg_isa *isa, const uint8_t *p, size_t n)
{
    const struct gen_eu *eu = gen_eu_of(isa);
    uint64_t far = 0, target[2];
    for (size_t at = 0; at < n;) {
        struct gpudbg_skim s = {.targets = target, .room = 2};
        const int size = skim_one(eu, p + at, n - at, at, &s);
        const unsigned op = eu->by_code[p[at] & 127] - 1u;
        if (size <= 0 || GEN_IS(op, ILLEGAL)) return 0;
        for (size_t k = 0; k < s.ntargets; k++)
            if (target[k] > far && target[k] < n) far = target[k];
        if (gen_shapes[op] == GEN_SEND && far < at + (size_t)size && ends_thread(eu, p + at, n - at))
            return at + (size_t)size;
        at += (size_t)size;
    }
    return 0;
}

/* ---- Which generation it is ---- */

const struct gen_eu *gen_eu_or_none(const struct gpudbg_isa *isa)
{
    return isa && isa->decode == gen_decode ? gen_eu_of(isa) : NULL;
}

bool gen_has_scoreboard(const struct gpudbg_isa *isa)
{
    const struct gen_eu *eu = gen_eu_or_none(isa);
    return eu && eu->scoreboard;
}
