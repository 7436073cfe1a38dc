/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_decode.c: bytes to struct gpudbg_insn: the row, the words with their fields, the registers read and
 * written. */
#include "run/arith.h"
#include "code/gen_decoder.h"
#include "code/footprint.h"
#include "code/message.h"

/* ---- Words ---- */

static void add_part(struct gpudbg_insn *insn, unsigned layout, bool derived)
{
    insn->parts[insn->nparts++] =
        (struct gpudbg_part){&gen_layouts[layout], gen_layout_at[layout], 1, derived};
}

static void parts7(struct gpudbg_insn *insn, enum gen_version version, const uint64_t w[2], enum gen_op op,
    enum gen_shape shape, bool derived)
{
    bool a16 = GET(w, g7_CTRL, access_mode), imm0 = GET(w, g7_DST, src0_file) == 3,
         imm1 = GET(w, g7_DST, src1_file) == 3;
    switch (shape) {
    case GEN_NONE:
        add_part(insn, GEN_L_g7_NONE, derived);
        add_part(insn, GEN_L_g7_NODST, derived);
        add_part(insn, GEN_L_g7_NOTHING2, derived);
        add_part(insn, GEN_L_g7_NOTHING3, derived);
        return;
    case GEN_TERNARY:
        add_part(insn, GEN_L_g7_CTRL, derived);
        add_part(insn, GEN_L_g7_TER1, derived);
        add_part(insn, GEN_L_g7_TER2, derived);
        return;
    default:
        break;
    }
    add_part(insn,
        shape == GEN_SEND   ? GEN_L_g7_SEND
        : shape == GEN_MATH ? GEN_L_g7_MATH
        : shape >= GEN_JUMP ? GEN_L_g7_BARE
                            : GEN_L_g7_CTRL,
        derived);
    bool indirect = GET(w, g7_DST, dst_addr_mode);
    if (shape >= GEN_JUMP && shape != GEN_CALL)
        add_part(insn, GEN_L_g7_FLOW, derived);
    else
        add_part(insn,
            a16        ? indirect ? GEN_L_g7_DST16I : GEN_L_g7_DST16
            : indirect ? GEN_L_g7_DSTI
                       : GEN_L_g7_DST,
            derived);
    if (op == GEN_OP_dim && imm0) {
        add_part(insn, GEN_L_g7_IMM64, derived);
        return;
    }
    bool branch = shape >= GEN_JUMP;
    bool uses0 =
        !imm0 && (!branch || shape == GEN_RET || (shape == GEN_BRANCH && op == GEN_OP_brc && !imm1) ||
                     (op == GEN_OP_brd && !imm1));
    indirect = GET(w, g7_SRC0, src0_addr_mode);
    add_part(insn,
        !uses0     ? GEN_L_g7_NOSRC0
        : a16      ? indirect ? GEN_L_g7_SRC016I : GEN_L_g7_SRC016
        : indirect ? GEN_L_g7_SRC0I
                   : GEN_L_g7_SRC0,
        derived);
    indirect = GET(w, g7_SRC1, src1_addr_mode);
    unsigned src1 = a16        ? indirect ? GEN_L_g7_SRC116I : GEN_L_g7_SRC116
                    : indirect ? GEN_L_g7_SRC1I
                               : GEN_L_g7_SRC1;
    unsigned last = GEN_L_g7_NOTHING3;
    switch (shape) {
    case GEN_SEND:
        if (imm1) {
            const struct gpudbg_format *f =
                gen_descriptor_format(version, GET(w, g7_SEND, sfid), (uint32_t)(w[1] >> 32));
            insn->parts[insn->nparts++] = (struct gpudbg_part){f, 96, 1, derived};
            return;
        }
        last = GEN_L_g7_DESC_REG;
        break;
    case GEN_JIP:
        last = GEN_L_g7_JIP;
        break;
    case GEN_BRANCH:
        last = uses0 ? GEN_L_g7_NOTHING3 : GEN_L_g7_JIP_UIP;
        break;
    case GEN_RET:
        break;
    case GEN_JUMP:
    case GEN_CALL:
        last = imm1 || (op == GEN_OP_brd && imm0) ? GEN_L_g7_JIP32
               : op == GEN_OP_brd                 ? GEN_L_g7_NOTHING3
                                                  : src1;
        break;
    case GEN_BINARY:
        last = imm0 || imm1 ? GEN_L_g7_IMM : src1;
        break;
    case GEN_MATH: {
        bool two = gen_math_sources(GEN7, GET(w, g7_MATH, math_fc)) > 1;
        last = imm0 || (two && imm1) ? GEN_L_g7_IMM : two ? src1 : GEN_L_g7_NOTHING3;
        break;
    }
    default:
        last = imm0 ? GEN_L_g7_IMM : GEN_L_g7_NOTHING3;
        break;
    }
    add_part(insn, last, derived);
}

static void parts12(struct gpudbg_insn *insn, const uint64_t w[2], enum gen_shape shape, bool derived)
{
    bool imm0 = GET(w, g12_DST, src0_is_imm), imm1 = GET(w, g12_DST, src1_is_imm);
    add_part(insn, shape == GEN_NONE ? GEN_L_g12_NONE : GEN_L_g12_CTRL, derived);
    switch (shape) {
    case GEN_NONE:
        add_part(insn, GEN_L_g12_NODST, derived);
        add_part(insn, GEN_L_g12_NOSRC0, derived);
        add_part(insn, GEN_L_g12_NOCOND, derived);
        add_part(insn, GEN_L_g12_NOSRC1, derived);
        return;
    case GEN_TERNARY:
        add_part(insn, GEN_L_g12_TER1, derived);
        add_part(insn, imm0 ? GEN_L_g12_TER2_IMM : GEN_L_g12_TER2, derived);
        add_part(insn, imm1 ? GEN_L_g12_TER3_IMM : GEN_L_g12_TER3, derived);
        return;
    case GEN_SEND: {
        unsigned d = GET(w, g12_SEND, desc_is_reg), x = GET(w, g12_SEND, ex_desc_is_reg);
        add_part(insn,
            d   ? x ? GEN_L_g12_SEND_DX : GEN_L_g12_SEND_D
            : x ? GEN_L_g12_SEND_X
                : GEN_L_g12_SEND,
            derived);
        return;
    }
    case GEN_UNARY:
    case GEN_BINARY:
    case GEN_MATH:
    case GEN_SYNC:
        break;
    default: {
        bool target = shape == GEN_RET || !GET(w, g12_BRANCH, jip_is_imm);
        add_part(insn, shape == GEN_CALL ? GEN_L_g12_CALL : GEN_L_g12_BRANCH, derived);
        add_part(insn,
            target                ? GEN_L_g12_TARGET
            : shape == GEN_BRANCH ? GEN_L_g12_UIP
                                  : GEN_L_g12_NOUIP,
            derived);
        add_part(insn, target ? GEN_L_g12_NOSRC1 : GEN_L_g12_JIP, derived);
        return;
    }
    }
    add_part(insn, GET(w, g12_DST, dst_addr_mode) ? GEN_L_g12_DSTI : GEN_L_g12_DST, derived);
    if (imm0 && shape == GEN_UNARY && gen_type_size[gen12_imm_types[GET(w, g12_DST, src0_type)]] == 8) {
        add_part(insn, GEN_L_g12_IMM64, derived);
        return;
    }
    bool two =
        shape == GEN_BINARY || (shape == GEN_MATH && gen_math_sources(GEN12, GET(w, g12_MATH, math_fc)) > 1);
    add_part(insn,
        imm0                               ? two ? GEN_L_g12_NOREG0 : GEN_L_g12_NOSRC0
        : GET(w, g12_SRC0, src0_addr_mode) ? GEN_L_g12_SRC0I
                                           : GEN_L_g12_SRC0,
        derived);
    add_part(insn,
        shape == GEN_MATH   ? GEN_L_g12_MATH
        : shape == GEN_SYNC ? GEN_L_g12_SYNC
                            : GEN_L_g12_COND,
        derived);
    add_part(insn,
        imm0 || (two && imm1)              ? GEN_L_g12_IMM
        : !two                             ? GEN_L_g12_NOSRC1
        : GET(w, g12_SRC1, src1_addr_mode) ? GEN_L_g12_SRC1I
                                           : GEN_L_g12_SRC1,
        derived);
}

/* ---- Operands, for those who know no Gen ---- */

static struct gpudbg_operand *add_operand(struct gpudbg_insn *insn, unsigned kind, unsigned flags)
{
    struct gpudbg_operand *o =
        &insn->operands[insn->noperands < GPUDBG_OPERANDS ? insn->noperands++ : GPUDBG_OPERANDS - 1];
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
        last = o->sub +
               (i->exec_size > 4 ? (i->exec_size / 4u - 1) * (destination ? 4u : o->vstride) * size : 0) +
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

/* ... that an operand of the GRF stands for: idiv's remainders follow its quotients, pln reads u and v for every eight channels. */
static unsigned registers_of(const struct gen_insn *i, const struct gen_operand *o, bool destination)
{
    unsigned n = registers_of_region(i, o, destination);
    if (destination && i->shape == GEN_MATH && i->func == GEN_MATH_IDIV) n *= 2;
    if (i->op == GEN_OP_pln && o == &i->src[1]) n = 2 * ((i->exec_size + 7u) / 8);
    return n > 16 ? 16 : n;
}

static void use_register(struct gpudbg_insn *insn, const struct gen_insn *i, const struct gen_operand *o,
    unsigned flags, unsigned count)
{
    if (o->mode == GEN_ABSENT || (o->mode == GEN_DIRECT && (o->file == GEN_NULL || o->file == GEN_NOFILE)))
        return;
    if (o->mode == GEN_IMMEDIATE) {
        struct gpudbg_operand *c =
            add_operand(insn, gen_type_is_float(o->type) ? GPUDBG_NUMBER : GPUDBG_INTEGER, GPUDBG_READ);
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
    struct gpudbg_operand *r =
        add_operand(insn, o->mode == GEN_INDIRECT ? GPUDBG_SPECIAL : GPUDBG_REGISTER, flags);
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

static void use_flag(struct gpudbg_insn *insn, const struct gen_insn *i, unsigned flags)
{
    struct gpudbg_operand *o = add_operand(insn, GPUDBG_REGISTER, flags | GPUDBG_IMPLICIT);
    o->file = GEN_F;
    o->reg = i->flag_reg;
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
    return i->op == GEN_OP_cmp && i->nsrc == 2 && !gen_type_is_float(a->type) && a->mode == GEN_DIRECT && b->mode == GEN_DIRECT && a->file == b->file &&
        a->reg == b->reg && a->sub == b->sub && a->type == b->type && a->neg == b->neg && a->abs == b->abs && a->align16 == b->align16 &&
        a->vstride == b->vstride && a->width == b->width && a->hstride == b->hstride && a->swizzle == b->swizzle;
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
    if (i->pred) use_flag(insn, i, GPUDBG_READ);
    if (i->cmod) use_flag(insn, i, i->op == GEN_OP_sel || i->op == GEN_OP_csel ? GPUDBG_READ : GPUDBG_WRITE);
    if (i->op == GEN_OP_mac || i->op == GEN_OP_mach || i->op == GEN_OP_sada2) use_acc(insn, GPUDBG_READ);
    if (i->acc_wr_en) use_acc(insn, GPUDBG_WRITE);
}

/* ---- Decoding ---- */

static bool short_of_code(
    const struct gen_set *set, const uint8_t *p, size_t n, struct gpudbg_insn *out, struct gen_insn *i)
{
    if (n < 8) return true;
    uint64_t first = gen_load64(p);
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
    out->variant = 0;
    out->nparts = out->noperands = 0;
    out->derived[0] = out->derived[1] = 0;
    if (short_of_code(set, p, n, out, i)) return GPUDBG_SHORT;
    if (!out->op) return GPUDBG_ILLEGAL;
    i->op = set->op[out->op->id];
    i->shape = gen_shapes[i->op];
    if (set->version == GEN12 && i->op == GEN_OP_else) i->shape = GEN_BRANCH;
    if (i->compacted) {
        uint64_t stored = i->w[0];
        if (!gen_expand(set->version, i->shape, stored, i->w)) {
            out->op = NULL;
            return GPUDBG_ILLEGAL;
        }
        out->derived[0] = i->w[0];
        out->derived[1] = i->w[1];
    } else {
        i->w[1] = gen_load64(p + 8);
    }
    out->variant = i->shape;
    return i->size;
}

int gen_decode_words(
    const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out, struct gen_insn *i)
{
    const struct gen_set *set = &gen_sets[gen_version_of(isa)];
    gen_clear(i, sizeof *i);
    out->addr = addr;
    out->isa = isa;
    int size = decode_row(set, p, n, out, i);
    if (size < 0 && out->size <= n) {
        bool g12 = set->version == GEN12;
        add_part(out,
            out->size == 8 ? g12 ? GEN_L_c12_REG : GEN_L_c7_REG
            : g12          ? GEN_L_g12_UNKNOWN
                           : GEN_L_g7_UNKNOWN,
            false);
    }
    if (size <= 0) return size;
    i->row = out->op;
    i->addr = addr;
    i->version = (uint8_t)set->version;
    gen_unpack_word(i);
    if (i->compacted) {
        bool imm =
            i->shape != GEN_SEND && i->shape < GEN_JUMP && i->shape != GEN_NONE &&
            (set->version == GEN12 ? i->w[0] >> 46 & 3 : (i->w[0] >> 37 & 3) == 3 || (i->w[0] >> 42 & 3) == 3);
        if (set->version != GEN12 && i->shape != GEN_NONE)
            imm = (i->w[0] >> 37 & 3) == 3 || (i->w[0] >> 42 & 3) == 3;
        if (set->version == GEN12)
            add_part(out,
                i->shape == GEN_NONE      ? GEN_L_c12_NONE
                : i->shape == GEN_TERNARY ? GEN_L_c12_TER
                : imm                    ? GEN_L_c12_IMM
                                         : GEN_L_c12_REG,
                false);
        else
            add_part(out, i->shape == GEN_NONE ? GEN_L_c7_NONE : imm ? GEN_L_c7_IMM : GEN_L_c7_REG, false);
    }
    if (set->version == GEN12)
        parts12(out, i->w, i->shape, i->compacted);
    else
        parts7(out, set->version, i->w, i->op, i->shape, i->compacted);
    if (set->version == GEN12 && i->shape == GEN_SEND && !i->desc_is_reg) { /* its descriptor, put together */
        out->derived[0] = i->desc;
        out->parts[out->nparts++] =
            (struct gpudbg_part){gen_descriptor_format(GEN12, i->sfid, i->desc), 0, 1, true};
    }
    return size;
}

int gen_decode(
    const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
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
    uint64_t first = gen_load64(p);
    unsigned row = set->row[first & 127], size = gen_is_compacted(first) ? 8 : 16;
    if (n < size) return GPUDBG_SHORT;
    if (!row) return GPUDBG_ILLEGAL;
    bool branch = set->ops[row - 1].flags & GPUDBG_OP_BRANCH;
    if (!branch && (size == 16 || gen_compactable(set->version, gen_shapes[set->op[row - 1]])))
        return (int)size;
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
        if (size <= 0 || i.op == GEN_OP_illegal) return 0;
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
