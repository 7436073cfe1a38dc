/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unpack.c: the native word of an instruction as struct gen_insn: the meaning of each field, in combination with the
 * others. */
#include "code/gen_decoder.h"
#include "ops.h"

const uint8_t gen_type_size[GEN_TYPES] = {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 4, 1};
const char *const gen_type_name[GEN_TYPES] = {
    "ub", "uw", "ud", "uq", "b", "w", "d", "q", "?", "hf", "f", "df", "uv", "v", "vf", "nf", "?"};

const uint8_t gen_e1_types[8] = {GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UB, GEN_B, GEN_DF, GEN_F32};
const uint8_t gen_e1_imm_types[8] = {GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UV, GEN_VF, GEN_V, GEN_F32};
const uint8_t gen_e1_ternary_types[4] = {GEN_F32, GEN_D, GEN_UD, GEN_DF};
const uint8_t gen_e2_types[16] = {GEN_UB, GEN_UW, GEN_UD, GEN_UQ, GEN_B, GEN_W, GEN_D, GEN_Q, GEN_BADTYPE, GEN_HF,
    GEN_F32, GEN_DF, GEN_BADTYPE, GEN_BADTYPE, GEN_BADTYPE, GEN_BADTYPE};
const uint8_t gen_e2_imm_types[16] = {GEN_UV, GEN_UW, GEN_UD, GEN_UQ, GEN_V, GEN_W, GEN_D, GEN_Q, GEN_VF, GEN_HF,
    GEN_F32, GEN_DF, GEN_BADTYPE, GEN_BADTYPE, GEN_BADTYPE, GEN_BADTYPE};
const uint8_t gen_e2_ternary_types[2][8] = {{GEN_UB, GEN_UW, GEN_UD, GEN_UQ, GEN_B, GEN_W, GEN_D, GEN_Q},
    {GEN_BADTYPE, GEN_HF, GEN_F32, GEN_DF, GEN_BADTYPE, GEN_BADTYPE, GEN_BADTYPE, GEN_NF}};

#define NO GEN_RESERVED
const uint8_t gen_strides[16] = {0, 1, 2, 4, 8, 16, 32, NO, NO, NO, NO, NO, NO, NO, NO, NO};
const uint8_t gen_widths[8] = {1, 2, 4, 8, 16, NO, NO, NO};
const uint8_t gen_hstrides[4] = {0, 1, 2, 4};
const uint8_t gen_e2_ternary_vstrides[4] = {0, 1, 4, 8};
#undef NO

unsigned gen_math_sources(const struct gen_eu *eu, unsigned func) { return 1u + eu->math_two[func & 15]; }

/* Architecture registers by the high half of their number. */
static const uint8_t arf_files[2][16] = {
    {GEN_NULL, GEN_A0, GEN_ACC, GEN_F, GEN_CE, GEN_NOFILE, GEN_SP, GEN_SR0, GEN_CR0, GEN_N0, GEN_IP, GEN_TDR, GEN_TM0,
        GEN_NOFILE, GEN_NOFILE, GEN_NOFILE},
    {GEN_NULL, GEN_A0, GEN_ACC, GEN_F, GEN_CE, GEN_NOFILE, GEN_SP, GEN_SR0, GEN_CR0, GEN_N0, GEN_IP, GEN_TDR, GEN_TM0,
        GEN_FC, GEN_NOFILE, GEN_DBG},
};

static void set_register(struct gen_operand *o, bool e2, unsigned file, unsigned number)
{
    o->mode = GEN_DIRECT;
    if (file == 1) {
        o->file = GEN_GRF;
        o->reg = (uint8_t)number;
        o->arf = 0;
        return;
    }
    o->file = file == 0 ? arf_files[e2][number >> 4 & 15] : GEN_NOFILE;
    o->arf = (uint8_t)number;
    o->bad_file = file > 1;
    o->reg = number & 15;
}

static void set_indirect(struct gen_operand *o, unsigned sub, int imm)
{
    o->mode = GEN_INDIRECT;
    o->file = GEN_GRF;
    o->addr_sub = (uint8_t)sub;
    o->addr_imm = (int16_t)imm;
}

static void set_region(struct gen_operand *o, unsigned v, unsigned w, unsigned h)
{
    o->vcode = (uint8_t)v;
    o->wcode = (uint8_t)w;
    o->hcode = (uint8_t)h;
    o->vstride = gen_strides[v];
    o->width = gen_widths[w];
    o->hstride = gen_hstrides[h];
    o->vx = v == 15 && o->mode == GEN_INDIRECT;
}

/* Stores a constant once: constants of 8 and 16 bits are in their field twice. */
static void set_immediate(struct gen_operand *o, unsigned type, uint64_t bits)
{
    o->mode = GEN_IMMEDIATE;
    o->file = GEN_NOFILE;
    o->type = (uint8_t)type;
    o->imm = bits;
}

/* ---- All generations: they differ in where a field is; only Gen7 has Align16 ---- */

/* `e2` is a constant in each call, so that a generation does not pay for parts that it lacks. */
#define COLUMNS static inline __attribute__((always_inline)) void
/* A field that has the same name in both encodings. */
#define FIELD_OF(w, layout, name) (e2 ? GET(w, e2_##layout, name) : GET(w, e1_##layout, name))

/* The first words: the member, the field in e1, the field in e2. */
#define CONTROLS(ROW)                                      \
    ROW(no_mask, e1_CTRL, mask_ctrl, e2_CTRL, mask_ctrl)   \
    ROW(thread_ctrl, e1_CTRL, thread_ctrl, e2_DST, atomic) \
    ROW(pred, e1_CTRL, pred_ctrl, e2_CTRL, pred_ctrl)      \
    ROW(pred_inv, e1_CTRL, pred_inv, e2_CTRL, pred_inv)    \
    ROW(cmod, e1_CTRL, cond_mod, e2_COND, cond_mod)        \
    ROW(acc_wr_en, e1_CTRL, acc_wr_en, e2_DST, acc_wr_en)  \
    ROW(breakpoint, e1_CTRL, debug, e2_CTRL, debug)        \
    ROW(saturate, e1_CTRL, saturate, e2_DST, saturate)

static void flag_e1(struct gen_insn *i)
{
    i->flag_sub = (uint8_t)GET(i->w, e1_SRC0, flag_subreg);
    i->flag_reg = (uint8_t)GET(i->w, e1_SRC0, flag_reg);
}

COLUMNS controls(struct gen_insn *i, const bool e2)
{
    const uint64_t *w = i->w;
#define ROW(member, layout_e1, field_e1, layout_e2, field_e2) \
    i->member = (uint8_t)(e2 ? GET(w, layout_e2, field_e2) : GET(w, layout_e1, field_e1));
    CONTROLS(ROW)
#undef ROW
    i->exec_size = (uint8_t)(1u << FIELD_OF(w, CTRL, exec_size));
    if (e2) {
        i->swsb = (uint8_t)GET(w, e2_CTRL, swsb);
        i->chan_off = (uint8_t)(4 * GET(w, e2_CTRL, chan_off));
        i->flag_sub = (uint8_t)GET(w, e2_CTRL, flag_subreg);
        i->flag_reg = (uint8_t)GET(w, e2_CTRL, flag_reg);
    } else {
        i->align16 = GET(w, e1_CTRL, access_mode);
        i->no_dd_clr = GET(w, e1_CTRL, no_dd_clr);
        i->no_dd_chk = GET(w, e1_CTRL, no_dd_chk);
        i->chan_off = (uint8_t)(8 * GET(w, e1_CTRL, qtr_ctrl) + 4 * GET(w, e1_DST, nib_ctrl));
    }
}

/* e1 has a file for an indirect operand, too: it must be the GRF. */
static void check_file_e1(struct gen_operand *o, unsigned file)
{
    o->bad_file = file != 1;
    if (o->bad_file) o->file = GEN_NOFILE;
}

COLUMNS dst(struct gen_insn *i, const bool e2)
{
    struct gen_operand *o = &i->dst;
    const uint64_t *w = i->w;
    const bool align16 = !e2 && i->align16;
    const unsigned file = FIELD_OF(w, DST, dst_file), type = FIELD_OF(w, DST, dst_type);
    o->type = e2 ? gen_e2_types[type] : gen_e1_types[type];
    if (FIELD_OF(w, DST, dst_addr_mode)) {
        const int imm = align16 ? gen_signed(GET(w, e1_DST16I, dst_addr_imm), 6) * 16
                                : gen_signed(FIELD_OF(w, DSTI, dst_addr_imm), 10);
        set_indirect(o, FIELD_OF(w, DSTI, dst_addr_subreg), imm);
        if (!e2) check_file_e1(o, file);
    } else {
        set_register(o, e2, file, FIELD_OF(w, DST, dst_reg));
        o->sub = (uint8_t)(align16 ? GET(w, e1_DST16, dst_subreg16) * 16 : FIELD_OF(w, DST, dst_subreg));
    }
    o->hcode = (uint8_t)FIELD_OF(w, DST, dst_hstride);
    o->hstride = gen_hstrides[o->hcode];
    o->align16 = align16;
    o->chan_en = align16 ? (uint8_t)GET(w, e1_DST16, dst_chan_en) : 15;
    if (e2) o->mme = 255;
}

static void set_region16(struct gen_operand *o, const uint64_t w[2])
{
    set_region(o, GET(w, e1_SRC016, src0_vstride), 2, 1);
    o->swizzle = (uint8_t)(GET(w, e1_SRC016, src0_swz_x) | GET(w, e1_SRC016, src0_swz_y) << 2 |
                           GET(w, e1_SRC016, src0_swz_z) << 4 | GET(w, e1_SRC016, src0_swz_w) << 6);
}

/* Source n of one or two: the region of source 1 is laid out as that of source 0, 32 bits higher. */
COLUMNS src(struct gen_insn *i, unsigned n, const bool e2)
{
    struct gen_operand *o = &i->src[n];
    const uint64_t *all = i->w, w[2] = {i->w[0], n ? i->w[1] >> 32 : i->w[1]};
    const bool align16 = !e2 && i->align16;
    unsigned file, type, constant;
    if (e2) {
        o->mme = 255;
        file = GET(w, e2_SRC0, src0_file);
        type = n ? GET(all, e2_SRC0, src1_type) : GET(w, e2_DST, src0_type);
        constant = n ? GET(w, e2_DST, src1_is_imm) : GET(w, e2_DST, src0_is_imm);
    } else {
        file = n ? GET(w, e1_DST, src1_file) : GET(w, e1_DST, src0_file);
        type = n ? GET(w, e1_DST, src1_type) : GET(w, e1_DST, src0_type);
        constant = file == 3;
    }
    if (constant) {
        const unsigned t = !e2 && GEN_IS(i->op, IMM64) ? GEN_DF : e2 ? gen_e2_imm_types[type] : gen_e1_imm_types[type];
        const bool wide = e2 && !n && gen_type_size[t] == 8 && i->shape == GEN_UNARY;
        set_immediate(o, t, wide ? e2_IMM64_imm64_get(all) : !e2 && t == GEN_DF ? all[1] : all[1] >> 32);
        return;
    }
    o->type = e2 ? gen_e2_types[type] : gen_e1_types[type];
    o->abs = !e2 ? GET(w, e1_SRC0, src0_abs) : n ? GET(all, e2_SRC1, src1_abs) : GET(w, e2_DST, src0_abs);
    o->neg = !e2 ? GET(w, e1_SRC0, src0_neg) : n ? GET(all, e2_SRC1, src1_neg) : GET(w, e2_DST, src0_neg);
    if (FIELD_OF(w, SRC0, src0_addr_mode)) {
        const int imm = align16 ? gen_signed(GET(w, e1_SRC016I, src0_addr_imm), 6) * 16
                                : gen_signed(FIELD_OF(w, SRC0I, src0_addr_imm), 10);
        set_indirect(o, FIELD_OF(w, SRC0I, src0_addr_subreg), imm);
        if (!e2) check_file_e1(o, file);
    } else {
        set_register(o, e2, file, FIELD_OF(w, SRC0, src0_reg));
        o->sub = (uint8_t)(align16 ? GET(w, e1_SRC016, src0_subreg16) * 16 : FIELD_OF(w, SRC0, src0_subreg));
    }
    o->align16 = align16;
    if (align16)
        set_region16(o, w);
    else
        set_region(o, FIELD_OF(w, SRC0, src0_vstride), FIELD_OF(w, SRC0, src0_width), FIELD_OF(w, SRC0, src0_hstride));
}

static void src_e1(struct gen_insn *i, unsigned n) { src(i, n, false); }

/* ---- Words of Gen7 alone ---- */

static void ternary_src_e1(
    struct gen_insn *i, unsigned n, unsigned rep, unsigned swizzle, unsigned sub, unsigned reg, unsigned mods)
{
    struct gen_operand *o = &i->src[n];
    o->type = gen_e1_ternary_types[GET(i->w, e1_TER1, src_type)];
    set_register(o, false, 1, reg);
    o->sub = (uint8_t)(sub * 4);
    o->swizzle = (uint8_t)swizzle;
    o->rep = rep;
    o->abs = mods & 1;
    o->neg = mods >> 1;
    o->align16 = true;
    set_region(o, rep ? 0 : 3, rep ? 0 : 2, rep ? 0 : 1);
}

static void ternary_e1(struct gen_insn *i)
{
    const uint64_t *w = i->w;
    struct gen_operand *o = &i->dst;
    i->flag_sub = (uint8_t)GET(w, e1_TER1, flag_subreg);
    i->flag_reg = (uint8_t)GET(w, e1_TER1, flag_reg);
    o->type = gen_e1_ternary_types[GET(w, e1_TER1, dst_type)];
    set_register(o, false, 1, GET(w, e1_TER1, dst_reg));
    o->sub = (uint8_t)(GET(w, e1_TER1, dst_subreg) * 4);
    o->hcode = o->hstride = 1;
    o->align16 = true;
    o->chan_en = (uint8_t)GET(w, e1_TER1, dst_chan_en);
    ternary_src_e1(i, 0, GET(w, e1_TER2, src0_rep), GET(w, e1_TER2, src0_swz), GET(w, e1_TER2, src0_subreg),
        GET(w, e1_TER2, src0_reg), gen_bits(w, e1_TER1_src0_abs_lo, 2));
    ternary_src_e1(i, 1, GET(w, e1_TER2, src1_rep), GET(w, e1_TER2, src1_swz), GET(w, e1_TER2, src1_subreg),
        GET(w, e1_TER2, src1_reg), gen_bits(w, e1_TER1_src1_abs_lo, 2));
    ternary_src_e1(i, 2, GET(w, e1_TER2, src2_rep), GET(w, e1_TER2, src2_swz), GET(w, e1_TER2, src2_subreg),
        GET(w, e1_TER2, src2_reg), gen_bits(w, e1_TER1_src2_abs_lo, 2));
}

static void send_e1(struct gen_insn *i)
{
    i->sfid = (uint8_t)GET(i->w, e1_SEND, sfid);
    i->cmod = 0;
    flag_e1(i);
    dst(i, false);
    src_e1(i, 0);
    i->nsrc = 1;
    i->eot = GET(i->w, e1_DESC_REG, eot);
    if (GET(i->w, e1_DST, src1_file) == 3) {
        i->desc = (uint32_t)(i->w[1] >> 32) & 0x1fffffff;
        return;
    }
    struct gen_operand *d = &i->src[1]; /* read as a dword, whatever its region is */
    set_register(d, false, GET(i->w, e1_DST, src1_file), GET(i->w, e1_DESC_REG, desc_reg));
    d->type = gen_e1_types[GET(i->w, e1_DST, src1_type)];
    d->sub = (uint8_t)GET(i->w, e1_DESC_REG, desc_subreg);
    d->width = 1;
    i->desc_is_reg = true;
    i->desc_reg = d->sub / 2;
}

unsigned gen_branch_unit(const struct gen_insn *i)
{
    if (GEN_IS(i->op, ABSOLUTE)) return 1;
    return GEN_IS(i->op, JUMP_UNIT) ? i->eu->jump_unit : i->eu->branch_unit;
}

uint64_t gen_branch_from(const struct gen_insn *i)
{
    if (GEN_IS(i->op, ABSOLUTE)) return 0;
    return i->addr + (GEN_IS(i->op, THREAD) && i->eu->jumps_from_next ? i->size : 0);
}

static void branch_e1(struct gen_insn *i)
{
    flag_e1(i);
    i->nsrc = 0;
    uint32_t high = (uint32_t)(i->w[1] >> 32);
    bool imm0 = GET(i->w, e1_DST, src0_file) == 3, imm1 = GET(i->w, e1_DST, src1_file) == 3;
    switch (i->shape) {
    case GEN_JIP:
        i->jip_is_imm = true;
        i->jip = 8 * (int64_t)(int16_t)high;
        break;
    case GEN_BRANCH:
        if (i->op == GEN_OP_brc && !imm0 && !imm1) {
            src_e1(i, 0);
            i->nsrc = 1;
            break;
        }
        i->jip_is_imm = i->uip_is_imm = true;
        i->jip = 8 * (int64_t)(int16_t)high;
        i->uip = 8 * (int64_t)(int16_t)(high >> 16);
        break;
    case GEN_RET:
        src_e1(i, 0);
        i->nsrc = 1;
        break;
    default: /* jmpi, call, calla: source 1; brd: source 0 */
        if (i->shape == GEN_CALL) dst(i, false);
        if (imm1 || (i->op == GEN_OP_brd && imm0)) {
            i->jip_is_imm = true;
            i->jip = (int64_t)gen_branch_unit(i) * (int32_t)high;
            break;
        }
        src_e1(i, i->op == GEN_OP_brd ? 0 : 1);
        if (i->op != GEN_OP_brd) i->src[0] = i->src[1];
        i->nsrc = 1;
    }
}

static bool consults_file(const struct gen_insn *i, unsigned n)
{
    switch ((enum gen_shape)i->shape) {
    case GEN_JUMP: return n == 1 || i->op == GEN_OP_brd;
    case GEN_BRANCH: return i->op == GEN_OP_brc;
    case GEN_CALL: return n == 1;
    case GEN_JIP:
    case GEN_NONE: return false;
    case GEN_RET:
    case GEN_SYNC:
    case GEN_WAIT:
    case GEN_UNARY: return n == 0;
    case GEN_MATH: return n < i->nsrc;
    default: return true;
    }
}

bool gen_uses_file(const struct gen_insn *i, unsigned n)
{
    unsigned file = n ? GET(i->w, e1_DST, src1_file) : GET(i->w, e1_DST, src0_file);
    bool either = GEN_IS(i->op, EITHER); /* either may say constant */
    return either && file != 3 ? n == 0 && i->nsrc : consults_file(i, n);
}

bool gen_uses_type(const struct gen_insn *i, unsigned n)
{
    bool pair = GEN_IS(i->op, EITHER);
    if (!consults_file(i, n) || (i->shape == GEN_SEND && n)) return false;
    return i->shape < GEN_JUMP || (i->nsrc && !(pair && n));
}

/* ---- Words of Gen12 alone ---- */

/* <V;H> of a three-source operand: its rows have V / H elements; one element if H is 0. */
static void ternary_region(struct gen_operand *o, unsigned v, unsigned h)
{
    o->vcode = (uint8_t)v;
    o->hcode = (uint8_t)h;
    o->vstride = gen_e2_ternary_vstrides[v];
    o->hstride = gen_hstrides[h];
    o->width = o->hstride == 0 ? 1 : o->vstride == 0 ? GEN_RESERVED : (uint8_t)(o->vstride / o->hstride);
    if (o->width == 0) o->width = GEN_RESERVED;
    o->wcode = 255;
}

static void ternary_src_e2(struct gen_insn *i, unsigned n, unsigned type, unsigned file, unsigned reg, unsigned sub,
    unsigned abs, unsigned neg)
{
    struct gen_operand *o = &i->src[n];
    o->mme = 255;
    o->type = gen_e2_ternary_types[GET(i->w, e2_TER1, exec_type)][type];
    o->abs = abs;
    o->neg = neg;
    set_register(o, true, file, reg);
    o->sub = (uint8_t)sub;
}

static void ternary_e2(struct gen_insn *i)
{
    const uint64_t *w = i->w;
    unsigned exec = GET(w, e2_TER1, exec_type);
    struct gen_operand *o = &i->dst;
    o->type = gen_e2_ternary_types[exec][GET(w, e2_TER1, dst_type)];
    o->chan_en = 15;
    o->mme = 255;
    set_register(o, true, GET(w, e2_TER1, dst_file), GET(w, e2_TER1, dst_reg));
    o->sub = (uint8_t)GET(w, e2_TER1, dst_subreg);
    o->hcode = (uint8_t)GET(w, e2_TER1, dst_hstride);
    o->hstride = o->hcode + 1;
    ternary_src_e2(i, 0, GET(w, e2_TER1, src0_type), GET(w, e2_TER2, src0_file), GET(w, e2_TER2, src0_reg),
        GET(w, e2_TER2, src0_subreg), GET(w, e2_TER1, src0_abs), GET(w, e2_TER1, src0_neg));
    ternary_src_e2(i, 1, GET(w, e2_TER2, src1_type), GET(w, e2_TER3, src1_file), GET(w, e2_TER3, src1_reg),
        GET(w, e2_TER3, src1_subreg), GET(w, e2_TER2, src1_abs), GET(w, e2_TER2, src1_neg));
    ternary_src_e2(i, 2, GET(w, e2_TER2, src2_type), GET(w, e2_TER3, src2_file), GET(w, e2_TER3, src2_reg),
        GET(w, e2_TER3, src2_subreg), GET(w, e2_TER2, src2_abs), GET(w, e2_TER2, src2_neg));
    ternary_region(&i->src[0], (unsigned)e2_TER1_src0_vstride_get(w), GET(w, e2_TER2, src0_hstride));
    ternary_region(&i->src[1], (unsigned)e2_TER2_src1_vstride_get(w), GET(w, e2_TER3, src1_hstride));
    o = &i->src[2];
    o->hcode = (uint8_t)GET(w, e2_TER3, src2_hstride);
    o->hstride = gen_hstrides[o->hcode];
    o->vstride = o->hstride;
    o->width = 1;
    o->vcode = o->wcode = 255;
    if (GET(w, e2_TER1, src0_is_imm)) set_immediate(&i->src[0], i->src[0].type, GET(w, e2_TER2_IMM, src0_imm16));
    if (GET(w, e2_TER1, src2_is_imm)) set_immediate(&i->src[2], i->src[2].type, GET(w, e2_TER3_IMM, src2_imm16));
}

static void payload_e2(struct gen_operand *o, unsigned file, unsigned reg)
{
    set_register(o, true, file, reg);
    o->type = GEN_UD;
    o->chan_en = 15;
    o->mme = 255;
    o->vstride = 8;
    o->width = 8;
    o->hstride = 1;
}

static void send_e2(struct gen_insn *i)
{
    const uint64_t *w = i->w;
    i->thread_ctrl = (uint8_t)GET(w, e2_SEND, atomic);
    i->acc_wr_en = i->saturate = false;
    i->cmod = 0;
    i->sfid = (uint8_t)GET(w, e2_SEND, sfid);
    i->eot = GET(w, e2_SEND, eot);
    payload_e2(&i->dst, GET(w, e2_SEND, dst_file), GET(w, e2_SEND, dst_reg));
    payload_e2(&i->src[0], GET(w, e2_SEND, src0_file), GET(w, e2_SEND, src0_reg));
    payload_e2(&i->src[1], GET(w, e2_SEND, src1_file), GET(w, e2_SEND, src1_reg));
    i->nsrc = 2;
    i->desc_is_reg = GET(w, e2_SEND, desc_is_reg);
    i->ex_desc_is_reg = GET(w, e2_SEND, ex_desc_is_reg);
    if (!i->desc_is_reg) i->desc = (uint32_t)e2_SEND_desc_get(w);
    if (i->ex_desc_is_reg)
        i->ex_desc_reg = (uint8_t)(2 * GET(w, e2_SEND_X, ex_desc_addr));
    else
        i->ex_desc = (uint32_t)e2_SEND_ex_desc_get(w) << 6;
}

static void branch_e2(struct gen_insn *i)
{
    const uint64_t *w = i->w;
    i->branch_ctrl = GET(w, e2_BRANCH, branch_ctrl);
    i->acc_wr_en = i->saturate = false;
    i->cmod = 0;
    if (i->shape == GEN_CALL) {
        payload_e2(&i->dst, GET(w, e2_CALL, dst_file), GET(w, e2_CALL, dst_reg));
        i->dst.sub = (uint8_t)GET(w, e2_CALL, dst_subreg);
        i->dst.hstride = 1;
    }
    if (i->shape == GEN_RET || !GET(w, e2_BRANCH, jip_is_imm)) {
        struct gen_operand *o = &i->src[0];
        payload_e2(o, GET(w, e2_TARGET, src0_file), GET(w, e2_TARGET, src0_reg));
        o->sub = (uint8_t)GET(w, e2_TARGET, src0_subreg);
        o->vstride = 0;
        o->width = 1;
        o->hstride = 0;
        i->nsrc = 1;
        return;
    }
    i->nsrc = 0;
    i->jip_is_imm = true;
    i->jip = (int32_t)GET(w, e2_JIP, jip);
    if (i->shape != GEN_BRANCH) return;
    i->uip_is_imm = true;
    i->uip = (int32_t)GET(w, e2_UIP, uip);
}

/* ---- The whole ---- */

__attribute__((noinline)) void gen_clear(struct gen_insn *i, size_t size) { memset(i, 0, size); }

static void targets(struct gen_insn *i)
{
    const uint64_t from = gen_branch_from(i);
    i->jip_target = from + (uint64_t)i->jip;
    i->uip_target = from + (uint64_t)i->uip;
}

/* `math` and `sync` have a function in place of a condition. */
static void function_of(struct gen_insn *i)
{
    i->func = i->cmod;
    i->cmod = 0;
}

/* Corrections for e2: a constant of 64 bits takes the place of the condition; macros of math. */
static void mend_e2(struct gen_insn *i)
{
    if (i->src[0].mode == GEN_IMMEDIATE && i->shape == GEN_UNARY && gen_type_size[i->src[0].type] == 8) i->cmod = 0;
    if (i->shape != GEN_MATH || i->func < 14) return;
    i->dst.mme = i->dst.sub & 15; /* macros: the subregister is the number of an mme, as in IGA */
    for (unsigned n = 0; n < i->nsrc; n++) i->src[n].mme = i->src[n].sub & 15;
}

COLUMNS unpack(struct gen_insn *i, const bool e2)
{
    controls(i, e2);
    switch ((enum gen_shape)i->shape) {
    case GEN_NONE: return;
    case GEN_TERNARY:
        i->nsrc = 3;
        e2 ? ternary_e2(i) : ternary_e1(i);
        return;
    case GEN_SEND: e2 ? send_e2(i) : send_e1(i); return;
    case GEN_SYNC:
        function_of(i);
        i->nsrc = 1;
        break;
    case GEN_WAIT:
    case GEN_UNARY: i->nsrc = 1; break;
    case GEN_BINARY: i->nsrc = 2; break;
    case GEN_MATH:
        function_of(i);
        i->nsrc = (uint8_t)gen_math_sources(i->eu, i->func);
        break;
    default: e2 ? branch_e2(i) : branch_e1(i); return;
    }
    if (!e2) flag_e1(i);
    dst(i, e2);
    src(i, 0, e2);
    if (i->nsrc > 1) src(i, 1, e2);
    if (e2) mend_e2(i);
}

void gen_unpack_word(struct gen_insn *i)
{
    if (i->eu->e2)
        unpack(i, true);
    else
        unpack(i, false);
    if (i->shape >= GEN_JUMP) targets(i);
}

void gen_unpack_second(struct gen_insn *i)
{
    if (i->eu->e2)
        src(i, 1, true);
    else
        src(i, 1, false);
}

void gen_unpack(const struct gpudbg_insn *insn, struct gen_insn *i)
{
    gen_clear(i, sizeof *i);
    i->row = insn->op;
    i->addr = insn->addr;
    i->eu = gen_eu_of(insn->isa);
    i->op = (uint8_t)insn->op->id;
    i->shape = (uint8_t)insn->variant;
    i->size = (uint8_t)insn->size;
    i->compacted = insn->size == 8;
    i->w[0] = i->compacted ? insn->derived[0] : le_u64(insn->raw);
    i->w[1] = i->compacted ? insn->derived[1] : le_u64(insn->raw + 8);
    gen_unpack_word(i);
}
