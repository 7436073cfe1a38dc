/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_decode.c: bytes to struct gpudbg_insn: the row, the words with their fields, the registers read and
 * written. */
#include "code/gen_decoder.h"
#include "code/footprint.h"
#include "code/message.h"
#include "code/predicate.h"

/* ---- Words ---- */

static void add_part(struct gpudbg_insn *insn, unsigned layout, bool derived)
{
    insn->parts[insn->nparts++] = (struct gpudbg_part){&gen_layouts[layout], gen_layout_at[layout], 1, derived};
}

/* Words that depend on more than the shape; each returns enum gen_layout, or DESCRIPTOR. */
enum { DESCRIPTOR = GEN_LAYOUTS };

static bool constant7(const struct gen_insn *i, unsigned n)
{
    return (n ? GET(i->w, g7_DST, src1_file) : GET(i->w, g7_DST, src0_file)) == 3;
}

static bool constant12(const struct gen_insn *i, unsigned n)
{
    return n ? GET(i->w, g12_DST, src1_is_imm) : GET(i->w, g12_DST, src0_is_imm);
}

static unsigned one_of(const struct gen_insn *i, bool indirect, const uint8_t layouts[4])
{
    return layouts[2 * GET(i->w, g7_CTRL, access_mode) + indirect];
}

static unsigned dst7(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_g7_DST, GEN_L_g7_DSTI, GEN_L_g7_DST16, GEN_L_g7_DST16I};
    return one_of(i, GET(i->w, g7_DST, dst_addr_mode), layouts);
}

static unsigned src0_7(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_g7_SRC0, GEN_L_g7_SRC0I, GEN_L_g7_SRC016, GEN_L_g7_SRC016I};
    if (constant7(i, 0)) return GEN_IS(i->op, IMM64) ? GEN_L_g7_IMM64 : GEN_L_g7_NOSRC0;
    return one_of(i, GET(i->w, g7_SRC0, src0_addr_mode), layouts);
}

static unsigned src1_7(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_g7_SRC1, GEN_L_g7_SRC1I, GEN_L_g7_SRC116, GEN_L_g7_SRC116I};
    return one_of(i, GET(i->w, g7_SRC1, src1_addr_mode), layouts);
}

/* The last word where there is no source 1: it, or source 0, may be a constant all the same. */
static unsigned unary7(const struct gen_insn *i) { return constant7(i, 0) ? GEN_L_g7_IMM : GEN_L_g7_NOTHING3; }

static unsigned binary7(const struct gen_insn *i)
{
    return constant7(i, 0) || constant7(i, 1) ? GEN_L_g7_IMM : src1_7(i);
}

static unsigned math7(const struct gen_insn *i)
{
    return gen_math_sources(GEN7, GET(i->w, g7_MATH, math_fc)) > 1 ? binary7(i) : unary7(i);
}

static unsigned desc7(const struct gen_insn *i) { return constant7(i, 1) ? DESCRIPTOR : GEN_L_g7_DESC_REG; }

/* Branches: where they go stands in source 0 of brc, brd and ret, if not in a constant. */
static bool branches_by_src0(const struct gen_insn *i)
{
    const bool either = GEN_IS(i->op, EITHER) && !constant7(i, 1);
    return !constant7(i, 0) && (i->shape == GEN_RET || either);
}

static unsigned target7(const struct gen_insn *i) { return branches_by_src0(i) ? src0_7(i) : GEN_L_g7_NOSRC0; }

static unsigned jump7(const struct gen_insn *i)
{
    if (constant7(i, 1) || (i->op == GEN_OP_brd && constant7(i, 0))) return GEN_L_g7_JIP32;
    return i->op == GEN_OP_brd ? GEN_L_g7_NOTHING3 : src1_7(i);
}

static unsigned branch7(const struct gen_insn *i) { return branches_by_src0(i) ? GEN_L_g7_NOTHING3 : GEN_L_g7_JIP_UIP; }

static bool two12(const struct gen_insn *i)
{
    return i->shape == GEN_BINARY ||
           (i->shape == GEN_MATH && gen_math_sources(GEN12, GET(i->w, g12_MATH, math_fc)) > 1);
}

static unsigned dst12(const struct gen_insn *i)
{
    return GET(i->w, g12_DST, dst_addr_mode) ? GEN_L_g12_DSTI : GEN_L_g12_DST;
}

static unsigned src0_12(const struct gen_insn *i)
{
    if (!constant12(i, 0)) return GET(i->w, g12_SRC0, src0_addr_mode) ? GEN_L_g12_SRC0I : GEN_L_g12_SRC0;
    const unsigned type = gen12_imm_types[GET(i->w, g12_DST, src0_type)];
    if (i->shape == GEN_UNARY && gen_type_size[type] == 8) return GEN_L_g12_IMM64;
    return two12(i) ? GEN_L_g12_NOREG0 : GEN_L_g12_NOSRC0;
}

static unsigned last12(const struct gen_insn *i)
{
    const bool two = two12(i);
    if (constant12(i, 0) || (two && constant12(i, 1))) return GEN_L_g12_IMM;
    return !two ? GEN_L_g12_NOSRC1 : GET(i->w, g12_SRC1, src1_addr_mode) ? GEN_L_g12_SRC1I : GEN_L_g12_SRC1;
}

static unsigned ternary_src1(const struct gen_insn *i)
{
    return constant12(i, 0) ? GEN_L_g12_TER2_IMM : GEN_L_g12_TER2;
}

static unsigned ternary_src2(const struct gen_insn *i)
{
    return constant12(i, 1) ? GEN_L_g12_TER3_IMM : GEN_L_g12_TER3;
}

static unsigned send12(const struct gen_insn *i)
{
    static const uint8_t layouts[4] = {GEN_L_g12_SEND, GEN_L_g12_SEND_X, GEN_L_g12_SEND_D, GEN_L_g12_SEND_DX};
    return layouts[2 * GET(i->w, g12_SEND, desc_is_reg) + GET(i->w, g12_SEND, ex_desc_is_reg)];
}

static bool by_register(const struct gen_insn *i) { return i->shape == GEN_RET || !GET(i->w, g12_BRANCH, jip_is_imm); }

static unsigned target12(const struct gen_insn *i)
{
    return by_register(i) ? GEN_L_g12_TARGET : i->shape == GEN_BRANCH ? GEN_L_g12_UIP : GEN_L_g12_NOUIP;
}

static unsigned jip12(const struct gen_insn *i) { return by_register(i) ? GEN_L_g12_NOSRC1 : GEN_L_g12_JIP; }

/* The words of each shape, a column a generation: a layout, or the function that chooses one.  A constant of 64 bits is
 * the last. */
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
    uint8_t n7, n12;
    struct word gen7[4], gen12[5];
} words[] = {
    [GEN_NONE] = {4, 5, {IS(g7_NONE), IS(g7_NODST), IS(g7_NOTHING2), IS(g7_NOTHING3)},
        {IS(g12_NONE), IS(g12_NODST), IS(g12_NOSRC0), IS(g12_NOCOND), IS(g12_NOSRC1)}},
    [GEN_UNARY] = {4, 5, {IS(g7_CTRL), BY(dst7), BY(src0_7), BY(unary7)},
        {IS(g12_CTRL), BY(dst12), BY(src0_12), IS(g12_COND), BY(last12)}},
    [GEN_BINARY] = {4, 5, {IS(g7_CTRL), BY(dst7), BY(src0_7), BY(binary7)},
        {IS(g12_CTRL), BY(dst12), BY(src0_12), IS(g12_COND), BY(last12)}},
    [GEN_TERNARY] = {3, 4, {IS(g7_CTRL), IS(g7_TER1), IS(g7_TER2)},
        {IS(g12_CTRL), IS(g12_TER1), BY(ternary_src1), BY(ternary_src2)}},
    [GEN_MATH] = {4, 5, {IS(g7_MATH), BY(dst7), BY(src0_7), BY(math7)},
        {IS(g12_CTRL), BY(dst12), BY(src0_12), IS(g12_MATH), BY(last12)}},
    [GEN_SEND] = {4, 2, {IS(g7_SEND), BY(dst7), BY(src0_7), BY(desc7)}, {IS(g12_CTRL), BY(send12)}},
    [GEN_SYNC] = {0, 5, {{0}}, {IS(g12_CTRL), BY(dst12), BY(src0_12), IS(g12_SYNC), BY(last12)}},
    [GEN_WAIT] = {4, 0, {IS(g7_CTRL), BY(dst7), BY(src0_7), BY(unary7)}, {{0}}},
    [GEN_JUMP] = {4, 4, {IS(g7_BARE), IS(g7_FLOW), BY(target7), BY(jump7)},
        {IS(g12_CTRL), IS(g12_BRANCH), BY(target12), BY(jip12)}},
    [GEN_JIP] = {4, 4, {IS(g7_BARE), IS(g7_FLOW), BY(target7), IS(g7_JIP)},
        {IS(g12_CTRL), IS(g12_BRANCH), BY(target12), BY(jip12)}},
    [GEN_BRANCH] = {4, 4, {IS(g7_BARE), IS(g7_FLOW), BY(target7), BY(branch7)},
        {IS(g12_CTRL), IS(g12_BRANCH), BY(target12), BY(jip12)}},
    [GEN_CALL] = {4, 4, {IS(g7_BARE), BY(dst7), BY(target7), BY(jump7)},
        {IS(g12_CTRL), IS(g12_CALL), BY(target12), BY(jip12)}},
    [GEN_RET] = {4, 4, {IS(g7_BARE), IS(g7_FLOW), BY(target7), IS(g7_NOTHING3)},
        {IS(g12_CTRL), IS(g12_BRANCH), BY(target12), BY(jip12)}},
};

static void parts(struct gpudbg_insn *insn, const struct gen_insn *i)
{
    const struct words *row = &words[i->shape];
    const bool g12 = i->version == GEN12;
    const struct word *word = g12 ? row->gen12 : row->gen7, *end = word + (g12 ? row->n12 : row->n7);
    for (unsigned layout = GEN_LAYOUTS; word < end && layout != GEN_L_g7_IMM64 && layout != GEN_L_g12_IMM64; word++) {
        layout = word->choose ? word->choose(i) : word->layout;
        if (layout == DESCRIPTOR)
            insn->parts[insn->nparts++] = (struct gpudbg_part){
                gen_descriptor_format(i->version, i->sfid, (uint32_t)(i->w[1] >> 32)), 96, 1, i->compacted};
        else
            add_part(insn, layout, i->compacted);
    }
    if (g12 && i->shape == GEN_SEND && !i->desc_is_reg) { /* its descriptor, put together */
        insn->derived[0] = i->desc;
        insn->parts[insn->nparts++] = (struct gpudbg_part){gen_descriptor_format(GEN12, i->sfid, i->desc), 0, 1, true};
    }
}

/* The word that a compacted one is stored as. */
static unsigned stored_layout(const struct gen_insn *i)
{
    static const struct {
        uint8_t none, ternary, constant, other;
    } layouts[] = {
        {GEN_L_c7_NONE, GEN_L_c7_REG, GEN_L_c7_IMM, GEN_L_c7_REG},
        {GEN_L_c12_NONE, GEN_L_c12_TER, GEN_L_c12_IMM, GEN_L_c12_REG},
    };
    const bool g12 = i->version == GEN12;
    if (i->shape == GEN_NONE) return layouts[g12].none;
    if (i->shape == GEN_TERNARY) return layouts[g12].ternary;
    const bool constant = g12 ? i->shape != GEN_SEND && i->shape < GEN_JUMP && (constant12(i, 0) || constant12(i, 1))
                              : constant7(i, 0) || constant7(i, 1);
    return constant ? layouts[g12].constant : layouts[g12].other;
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

/* Registers that a direct region of the GRF touches, from the first one on. */
static unsigned registers_of_region(const struct gen_insn *i, const struct gen_operand *o, bool destination)
{
    unsigned size = gen_element_size(i->version, o), last;
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

/* ... that an operand of the GRF stands for: idiv's remainders follow its quotients, pln reads u and v for every eight
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
    r->imm = o == &i->dst ? 0 : 1 + (o - i->src); /* which it is in the text, for operand_text */
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

/* Integers compared with themselves: how compilers ask which channels are on. */
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
        if (i->version == GEN12 && (ex_mlen || !known))
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
    const struct gen_set *set, const uint8_t *p, size_t n, struct gpudbg_insn *out, struct gen_insn *i)
{
    if (n < 8) return true;
    uint64_t first = le_u64(p);
    i->compacted = gen_is_compacted(first);
    i->size = i->compacted ? 8 : 16;
    if (n < i->size) return true;
    out->size = i->size;
    unsigned row = set->row[first & 127];
    out->op = row ? &set->ops[row - 1] : NULL;
    i->w[0] = first;
    return false;
}

/* All but words and operands: GPUDBG_SHORT, GPUDBG_ILLEGAL or the size. */
static int decode_row(
    const struct gen_set *set, const uint8_t *p, size_t n, struct gpudbg_insn *out, struct gen_insn *i)
{
    out->op = NULL;
    out->raw = p;
    out->size = 8;
    out->variant = out->does = 0;
    out->nparts = out->noperands = 0;
    out->derived[0] = out->derived[1] = 0;
    if (short_of_code(set, p, n, out, i)) return GPUDBG_SHORT;
    if (!out->op) return GPUDBG_ILLEGAL;
    i->op = set->op[out->op->id];
    i->shape = gen_shapes[i->op];
    if (set->version == GEN12 && GEN_IS(i->op, UIP12)) i->shape = GEN_BRANCH;
    if (i->compacted) {
        uint64_t stored = i->w[0];
        if (!gen_expand(set->version, i->shape, stored, i->w)) {
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
    const struct gen_set *set = &gen_sets[gen_version_of(isa)];
    gen_clear(i, sizeof *i);
    out->addr = addr;
    out->isa = isa;
    int size = decode_row(set, p, n, out, i);
    if (size < 0 && out->size <= n) {
        static const uint8_t unknown[2][2] = {{GEN_L_g7_UNKNOWN, GEN_L_c7_REG}, {GEN_L_g12_UNKNOWN, GEN_L_c12_REG}};
        add_part(out, unknown[set->version == GEN12][out->size == 8], false);
    }
    if (size <= 0) return size;
    i->row = out->op;
    i->addr = addr;
    i->version = (uint8_t)set->version;
    gen_unpack_word(i);
    if (i->shape == GEN_SEND && !i->desc_is_reg) out->does = gen_message_does(set->version, i->sfid, i->desc);
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

/* The size of the instruction at p, or what decode returns; adds the addresses it names. */
static int skim_one(const struct gen_set *set, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *s)
{
    if (n < 8) return GPUDBG_SHORT;
    uint64_t first = le_u64(p);
    unsigned row = set->row[first & 127], size = gen_is_compacted(first) ? 8 : 16;
    if (n < size) return GPUDBG_SHORT;
    if (!row) return GPUDBG_ILLEGAL;
    bool branch = set->ops[row - 1].flags & GPUDBG_OP_BRANCH;
    if (!branch && (size == 16 || gen_compactable(set->version, gen_shapes[set->op[row - 1]]))) return (int)size;
    struct gpudbg_insn insn;
    struct gen_insn i;
    gen_clear(&i, sizeof i);
    int taken = decode_row(set, p, n, &insn, &i);
    if (taken <= 0 || !branch) return taken;
    i.addr = addr;
    i.version = (uint8_t)set->version;
    gen_unpack_word(&i);
    if (i.jip_is_imm) s->targets[s->ntargets++] = i.jip_target;
    if (i.uip_is_imm) s->targets[s->ntargets++] = i.uip_target;
    return taken;
}

size_t gen_skim(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *s)
{
    const struct gen_set *set = &gen_sets[gen_version_of(isa)];
    size_t at = 0;
    while (s->room - s->ntargets >= 2) {
        int size = skim_one(set, p + at, n - at, addr + at, s);
        if (size <= 0) break;
        gpudbg_skim_start(s, at / 8);
        at += (size_t)size;
    }
    return at;
}

/* ---- Bare code ---- */

/* Follows the code from its start: it ends with the first send that ends the thread and that no branch met so
 * far goes beyond. */
size_t gen_program(const struct gpudbg_isa *isa, const uint8_t *p, size_t n)
{
    const struct gen_set *set = &gen_sets[gen_version_of(isa)];
    uint64_t far = 0;
    for (size_t at = 0; at < n;) {
        struct gpudbg_insn insn;
        struct gen_insn i;
        gen_clear(&i, sizeof i);
        int size = decode_row(set, p + at, n - at, &insn, &i);
        if (size <= 0 || GEN_IS(i.op, ILLEGAL)) return 0;
        i.addr = at;
        i.version = (uint8_t)set->version;
        gen_unpack_word(&i);
        at += (size_t)size;
        if (i.jip_is_imm && i.jip_target > far && i.jip_target < n) far = i.jip_target;
        if (i.uip_is_imm && i.uip_target > far && i.uip_target < n) far = i.uip_target;
        if (i.shape == GEN_SEND && i.eot && far < at) return at;
    }
    return 0;
}
