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

static bool constant_e1(const struct gen_insn *i, unsigned n)
{
    return (n ? GET(i->w, e1_DST, src1_file) : GET(i->w, e1_DST, src0_file)) == 3;
}

static bool constant_e2(const struct gen_insn *i, unsigned n)
{
    return n ? GET(i->w, e2_DST, src1_is_imm) : GET(i->w, e2_DST, src0_is_imm);
}

static unsigned one_of(const struct gen_insn *i, bool indirect, const uint8_t layouts[4])
{
    return layouts[2 * GET(i->w, e1_CTRL, access_mode) + indirect];
}

static unsigned dst_e1(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_e1_DST, GEN_L_e1_DSTI, GEN_L_e1_DST16, GEN_L_e1_DST16I};
    return one_of(i, GET(i->w, e1_DST, dst_addr_mode), layouts);
}

static unsigned src0_e1(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_e1_SRC0, GEN_L_e1_SRC0I, GEN_L_e1_SRC016, GEN_L_e1_SRC016I};
    if (constant_e1(i, 0)) return GEN_IS(i->op, IMM64) ? GEN_L_e1_IMM64 : GEN_L_e1_NOSRC0;
    return one_of(i, GET(i->w, e1_SRC0, src0_addr_mode), layouts);
}

static unsigned src1_e1(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_e1_SRC1, GEN_L_e1_SRC1I, GEN_L_e1_SRC116, GEN_L_e1_SRC116I};
    return one_of(i, GET(i->w, e1_SRC1, src1_addr_mode), layouts);
}

/* The last word of an instruction without source 1: source 0 may be a constant there. */
static unsigned unary_e1(const struct gen_insn *i) { return constant_e1(i, 0) ? GEN_L_e1_IMM : GEN_L_e1_NOTHING3; }

static unsigned binary_e1(const struct gen_insn *i)
{
    return constant_e1(i, 0) || constant_e1(i, 1) ? GEN_L_e1_IMM : src1_e1(i);
}

static unsigned math_e1(const struct gen_insn *i)
{
    return gen_math_sources(i->eu, GET(i->w, e1_MATH, math_fc)) > 1 ? binary_e1(i) : unary_e1(i);
}

static unsigned desc_e1(const struct gen_insn *i) { return constant_e1(i, 1) ? DESCRIPTOR : GEN_L_e1_DESC_REG; }

/* Whether the target of brc, brd or ret is in source 0, not in a constant. */
static bool branches_by_src0(const struct gen_insn *i)
{
    const bool either = GEN_IS(i->op, EITHER) && !constant_e1(i, 1);
    return !constant_e1(i, 0) && (i->shape == GEN_RET || either);
}

static unsigned target_e1(const struct gen_insn *i) { return branches_by_src0(i) ? src0_e1(i) : GEN_L_e1_NOSRC0; }

static unsigned jump_e1(const struct gen_insn *i)
{
    if (constant_e1(i, 1) || (i->op == GEN_OP_brd && constant_e1(i, 0))) return GEN_L_e1_JIP32;
    return i->op == GEN_OP_brd ? GEN_L_e1_NOTHING3 : src1_e1(i);
}

static unsigned branch_e1(const struct gen_insn *i)
{
    return branches_by_src0(i) ? GEN_L_e1_NOTHING3 : GEN_L_e1_JIP_UIP;
}

static bool two_e2(const struct gen_insn *i)
{
    return i->shape == GEN_BINARY || (i->shape == GEN_MATH && gen_math_sources(i->eu, GET(i->w, e2_MATH, math_fc)) > 1);
}

static unsigned dst_e2(const struct gen_insn *i)
{
    return GET(i->w, e2_DST, dst_addr_mode) ? GEN_L_e2_DSTI : GEN_L_e2_DST;
}

static unsigned src0_e2(const struct gen_insn *i)
{
    if (!constant_e2(i, 0)) return GET(i->w, e2_SRC0, src0_addr_mode) ? GEN_L_e2_SRC0I : GEN_L_e2_SRC0;
    const unsigned type = gen_e2_imm_types[GET(i->w, e2_DST, src0_type)];
    if (i->shape == GEN_UNARY && gen_type_size[type] == 8) return GEN_L_e2_IMM64;
    return two_e2(i) ? GEN_L_e2_NOREG0 : GEN_L_e2_NOSRC0;
}

static unsigned last_e2(const struct gen_insn *i)
{
    const bool two = two_e2(i);
    if (constant_e2(i, 0) || (two && constant_e2(i, 1))) return GEN_L_e2_IMM;
    return !two ? GEN_L_e2_NOSRC1 : GET(i->w, e2_SRC1, src1_addr_mode) ? GEN_L_e2_SRC1I : GEN_L_e2_SRC1;
}

static unsigned ternary_src1(const struct gen_insn *i) { return constant_e2(i, 0) ? GEN_L_e2_TER2_IMM : GEN_L_e2_TER2; }

static unsigned ternary_src2(const struct gen_insn *i) { return constant_e2(i, 1) ? GEN_L_e2_TER3_IMM : GEN_L_e2_TER3; }

static unsigned send_e2(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_e2_SEND, GEN_L_e2_SEND_X, GEN_L_e2_SEND_D, GEN_L_e2_SEND_DX};
    return layouts[2 * GET(i->w, e2_SEND, desc_is_reg) + GET(i->w, e2_SEND, ex_desc_is_reg)];
}

static bool by_register(const struct gen_insn *i) { return i->shape == GEN_RET || !GET(i->w, e2_BRANCH, jip_is_imm); }

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
static const struct words {
    uint8_t n_e1, n_e2;
    struct word e1[4], e2[5];
} words[] = {
    [GEN_NONE] = {4, 5, {IS(e1_NONE), IS(e1_NODST), IS(e1_NOTHING2), IS(e1_NOTHING3)},
        {IS(e2_NONE), IS(e2_NODST), IS(e2_NOSRC0), IS(e2_NOCOND), IS(e2_NOSRC1)}},
    [GEN_UNARY] = {4, 5, {IS(e1_CTRL), BY(dst_e1), BY(src0_e1), BY(unary_e1)},
        {IS(e2_CTRL), BY(dst_e2), BY(src0_e2), IS(e2_COND), BY(last_e2)}},
    [GEN_BINARY] = {4, 5, {IS(e1_CTRL), BY(dst_e1), BY(src0_e1), BY(binary_e1)},
        {IS(e2_CTRL), BY(dst_e2), BY(src0_e2), IS(e2_COND), BY(last_e2)}},
    [GEN_TERNARY] = {3, 4, {IS(e1_CTRL), IS(e1_TER1), IS(e1_TER2)},
        {IS(e2_CTRL), IS(e2_TER1), BY(ternary_src1), BY(ternary_src2)}},
    [GEN_MATH] = {4, 5, {IS(e1_MATH), BY(dst_e1), BY(src0_e1), BY(math_e1)},
        {IS(e2_CTRL), BY(dst_e2), BY(src0_e2), IS(e2_MATH), BY(last_e2)}},
    [GEN_SEND] = {4, 2, {IS(e1_SEND), BY(dst_e1), BY(src0_e1), BY(desc_e1)}, {IS(e2_CTRL), BY(send_e2)}},
    [GEN_SYNC] = {0, 5, {{0}}, {IS(e2_CTRL), BY(dst_e2), BY(src0_e2), IS(e2_SYNC), BY(last_e2)}},
    [GEN_WAIT] = {4, 0, {IS(e1_CTRL), BY(dst_e1), BY(src0_e1), BY(unary_e1)}, {{0}}},
    [GEN_JUMP] = {4, 4, {IS(e1_BARE), IS(e1_FLOW), BY(target_e1), BY(jump_e1)},
        {IS(e2_CTRL), IS(e2_BRANCH), BY(target_e2), BY(jip_e2)}},
    [GEN_JIP] = {4, 4, {IS(e1_BARE), IS(e1_FLOW), BY(target_e1), IS(e1_JIP)},
        {IS(e2_CTRL), IS(e2_BRANCH), BY(target_e2), BY(jip_e2)}},
    [GEN_BRANCH] = {4, 4, {IS(e1_BARE), IS(e1_FLOW), BY(target_e1), BY(branch_e1)},
        {IS(e2_CTRL), IS(e2_BRANCH), BY(target_e2), BY(jip_e2)}},
    [GEN_CALL] = {4, 4, {IS(e1_BARE), BY(dst_e1), BY(target_e1), BY(jump_e1)},
        {IS(e2_CTRL), IS(e2_CALL), BY(target_e2), BY(jip_e2)}},
    [GEN_RET] = {4, 4, {IS(e1_BARE), IS(e1_FLOW), BY(target_e1), IS(e1_NOTHING3)},
        {IS(e2_CTRL), IS(e2_BRANCH), BY(target_e2), BY(jip_e2)}},
};

static void parts(struct gpudbg_insn *insn, const struct gen_insn *i)
{
    const struct words *row = &words[i->shape];
    const bool e2 = i->eu->e2;
    const struct word *word = e2 ? row->e2 : row->e1, *end = word + (e2 ? row->n_e2 : row->n_e1);
    for (unsigned layout = GEN_LAYOUTS; word < end && layout != GEN_L_e1_IMM64 && layout != GEN_L_e2_IMM64; word++) {
        layout = word->choose ? word->choose(i) : word->layout;
        if (layout == DESCRIPTOR)
            insn->parts[insn->nparts++] = (struct gpudbg_part){
                gen_descriptor_format(i->eu, i->sfid, (uint32_t)(i->w[1] >> 32)), 96, 1, i->compacted};
        else
            add_part(insn, layout, i->compacted);
    }
    if (e2 && i->shape == GEN_SEND && !i->desc_is_reg) { /* its descriptor, assembled from scattered bits */
        insn->derived[0] = i->desc;
        insn->parts[insn->nparts++] = (struct gpudbg_part){gen_descriptor_format(i->eu, i->sfid, i->desc), 0, 1, true};
    }
}

/* The layout of the stored word of a compacted instruction. */
static unsigned stored_layout(const struct gen_insn *i)
{
    static const struct {
        uint8_t none, ternary, constant, other;
    } layouts[] = {
        {GEN_L_c1_NONE, GEN_L_c1_REG, GEN_L_c1_IMM, GEN_L_c1_REG},
        {GEN_L_c2_NONE, GEN_L_c2_TER, GEN_L_c2_IMM, GEN_L_c2_REG},
    };
    const bool e2 = i->eu->e2;
    if (i->shape == GEN_NONE) return layouts[e2].none;
    if (i->shape == GEN_TERNARY) return layouts[e2].ternary;
    const bool constant = e2 ? i->shape != GEN_SEND && i->shape < GEN_JUMP && (constant_e2(i, 0) || constant_e2(i, 1))
                             : constant_e1(i, 0) || constant_e1(i, 1);
    return constant ? layouts[e2].constant : layouts[e2].other;
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

/* Number of registers that a direct region of the GRF touches, from its first one on. */
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

/* ... that an operand of the GRF covers: idiv's remainders follow its quotients, pln reads u and v for every eight
 * channels. */
static unsigned registers_of(const struct gen_insn *i, const struct gen_operand *o, bool destination)
{
    unsigned n = registers_of_region(i, o, destination);
    if (destination && i->shape == GEN_MATH && i->func == GEN_MATH_IDIV) n *= 2;
    if (GEN_IS(i->op, PLANE) && o == &i->src[1]) n = 2 * ((i->exec_size + 7u) / 8);
    return n > 16 ? 16 : n;
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
    r->count = (uint16_t)(count ? count : o->file == GEN_GRF ? registers_of(i, o, flags & GPUDBG_WRITE) : 1);
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

static void use_acc(struct gpudbg_insn *insn, unsigned flags)
{
    struct gpudbg_operand *o = add_operand(insn, GPUDBG_REGISTER, flags | GPUDBG_IMPLICIT);
    o->file = GEN_ACC;
    o->count = 1;
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
        if (i->eu->two_payloads && (ex_mlen || !known))
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
    if (GEN_IS(i->op, READS_ACC)) use_acc(insn, GPUDBG_READ);
    if (i->acc_wr_en) use_acc(insn, GPUDBG_WRITE);
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
    i->shape = gen_shapes[i->op];
    if (eu->else_has_uip && GEN_IS(i->op, ELSE)) i->shape = GEN_BRANCH;
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
        static const uint8_t unknown[2][2] = {{GEN_L_e1_UNKNOWN, GEN_L_c1_REG}, {GEN_L_e2_UNKNOWN, GEN_L_c2_REG}};
        add_part(out, unknown[eu->e2][out->size == 8], false);
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

size_t gen_skim(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *s)
{
    const struct gen_eu *eu = gen_eu_of(isa);
    size_t at = 0;
    while (s->room - s->ntargets >= 2) {
        int size = skim_one(eu, p + at, n - at, addr + at, s);
        if (size <= 0) break;
        gpudbg_skim_start(s, at / 8);
        at += (size_t)size;
    }
    return at;
}

/* ---- Bare code ---- */

/* Follows the code from its start: it ends with the first send that ends the thread, unless an earlier branch goes
 * beyond that send. */
size_t gen_program(const struct gpudbg_isa *isa, const uint8_t *p, size_t n)
{
    const struct gen_eu *eu = gen_eu_of(isa);
    uint64_t far = 0;
    for (size_t at = 0; at < n;) {
        struct gpudbg_insn insn;
        struct gen_insn i;
        gen_clear(&i, sizeof i);
        int size = decode_row(eu, p + at, n - at, &insn, &i);
        if (size <= 0 || GEN_IS(i.op, ILLEGAL)) return 0;
        i.addr = at;
        i.eu = eu;
        gen_unpack_word(&i);
        at += (size_t)size;
        if (i.jip_is_imm && i.jip_target > far && i.jip_target < n) far = i.jip_target;
        if (i.uip_is_imm && i.uip_target > far && i.uip_target < n) far = i.uip_target;
        if (i.shape == GEN_SEND && i.eot && far < at) return at;
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
