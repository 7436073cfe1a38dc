/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unpack.c: the native word of an instruction as struct gen_insn: the meaning of each field, in combination with the
 * others. */
#include "code/gen_decoder.h"
#include "ops.h"

const uint8_t gen_type_size[GEN_TYPES] = {1, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 2, 2, 4, 4, 2, 1, 1, 1, 1, 1};
const char *const gen_type_name[GEN_TYPES] = {"ub", "uw", "ud", "uq", "b", "w", "d", "q", "?", "hf", "f", "df", "uv",
    "v", "vf", "nf", "bf", "u4", "s4", "u2", "s2", "?"};

#define BAD GEN_BADTYPE
#define BAD4 BAD, BAD, BAD, BAD
const uint8_t gen_e1_types[16] = {GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UB, GEN_B, GEN_DF, GEN_F32, BAD4, BAD4};
const uint8_t gen_e1_imm_types[16] = {GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UV, GEN_VF, GEN_V, GEN_F32, BAD4, BAD4};
const uint8_t gen_e1_ternary_types[8] = {GEN_F32, GEN_D, GEN_UD, GEN_DF, BAD4};
const uint8_t gen_e8_types[16] = {
    GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UB, GEN_B, GEN_DF, GEN_F32, GEN_UQ, GEN_Q, GEN_HF, BAD, BAD4};
const uint8_t gen_e8_imm_types[16] = {
    GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UV, GEN_VF, GEN_V, GEN_F32, GEN_UQ, GEN_Q, GEN_DF, GEN_HF, BAD4};
const uint8_t gen_e8_ternary_types[8] = {GEN_F32, GEN_D, GEN_UD, GEN_DF, GEN_HF, BAD, BAD, BAD};
const uint8_t gen_e2_types[16] = {
    GEN_UB, GEN_UW, GEN_UD, GEN_UQ, GEN_B, GEN_W, GEN_D, GEN_Q, BAD, GEN_HF, GEN_F32, GEN_DF, BAD4};
const uint8_t gen_e2_imm_types[16] = {
    GEN_UV, GEN_UW, GEN_UD, GEN_UQ, GEN_V, GEN_W, GEN_D, GEN_Q, GEN_VF, GEN_HF, GEN_F32, GEN_DF, BAD4};
const uint8_t gen_e125_types[16] = {
    GEN_UB, GEN_UW, GEN_UD, GEN_UQ, GEN_B, GEN_W, GEN_D, GEN_Q, BAD, GEN_HF, GEN_F32, GEN_DF, BAD, GEN_BF, BAD, BAD};
const uint8_t gen_e11_types[16] = {
    GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UB, GEN_B, GEN_UQ, GEN_Q, GEN_HF, GEN_F32, GEN_DF, GEN_NF, BAD4};
const uint8_t gen_e11_imm_types[16] = {
    GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UV, GEN_V, GEN_UQ, GEN_Q, GEN_HF, GEN_F32, GEN_DF, GEN_VF, BAD4};
const uint8_t gen_e11_region_types[2][8] = {
    {GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UB, GEN_B, BAD, BAD}, {GEN_HF, GEN_F32, GEN_DF, GEN_NF, BAD4}};
const uint8_t gen_e2_region_types[2][8] = {{GEN_UB, GEN_UW, GEN_UD, GEN_UQ, GEN_B, GEN_W, GEN_D, GEN_Q},
    {BAD, GEN_HF, GEN_F32, GEN_DF, BAD, BAD, BAD, GEN_NF}};
const uint8_t gen_e125_region_types[2][8] = {{GEN_UB, GEN_UW, GEN_UD, GEN_UQ, GEN_B, GEN_W, GEN_D, GEN_Q},
    {BAD, GEN_HF, GEN_F32, GEN_DF, BAD, GEN_BF, BAD, BAD}};

#define NO GEN_RESERVED
const uint8_t gen_strides[16] = {0, 1, 2, 4, 8, 16, 32, NO, NO, NO, NO, NO, NO, NO, NO, NO};
const uint8_t gen_widths[8] = {1, 2, 4, 8, 16, NO, NO, NO};
const uint8_t gen_hstrides[4] = {0, 1, 2, 4};
const uint8_t gen_e11_row_steps[4] = {0, 2, 4, 8};
const uint8_t gen_e2_row_steps[4] = {0, 1, 4, 8};
#undef NO

unsigned gen_math_sources(const struct gen_eu *eu, unsigned func) { return 1u + eu->math_two[func & 15]; }

/* Architecture registers by the high half of their number. */
static const uint8_t arf_files[2][16] = {
    {GEN_NULL, GEN_A0, GEN_ACC, GEN_F, GEN_CE, GEN_NOFILE, GEN_SP, GEN_SR0, GEN_CR0, GEN_N0, GEN_IP, GEN_TDR, GEN_TM0,
        GEN_NOFILE, GEN_NOFILE, GEN_NOFILE},
    {GEN_NULL, GEN_A0, GEN_ACC, GEN_F, GEN_CE, GEN_NOFILE, GEN_SP, GEN_SR0, GEN_CR0, GEN_N0, GEN_IP, GEN_TDR, GEN_TM0,
        GEN_FC, GEN_NOFILE, GEN_DBG},
};

static void set_register(const struct gen_insn *i, struct gen_operand *o, unsigned file, unsigned number)
{
    o->mode = GEN_DIRECT;
    if (file == 1) {
        o->file = GEN_GRF;
        o->reg = (uint8_t)number;
        o->arf = 0;
        return;
    }
    o->file = file == 0 ? arf_files[i->eu->flow_register][number >> 4 & 15] : GEN_NOFILE;
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

/* ---- One and two sources ---- */

/* `e` is a constant in each call, so that a generation does not pay for parts that it lacks. */
#define COLUMNS static inline __attribute__((always_inline)) void

COLUMNS controls(struct gen_insn *i, const unsigned e)
{
    const uint64_t *w = i->w;
    i->no_mask = GET(e, w, mask_ctrl);
    i->thread_ctrl = (uint8_t)GET(e, w, thread_ctrl);
    i->pred = (uint8_t)GET(e, w, pred_ctrl);
    i->pred_inv = GET(e, w, pred_inv);
    i->cmod = (uint8_t)GET(e, w, cond_mod);
    i->acc_wr_en = GET(e, w, acc_wr_en);
    i->breakpoint = GET(e, w, debug);
    i->saturate = GET(e, w, saturate);
    i->exec_size = (uint8_t)(1u << GET(e, w, exec_size));
    i->swsb = (uint8_t)GET(e, w, swsb);
    i->chan_off = (uint8_t)(8 * GET(e, w, qtr_ctrl) + 4 * GET(e, w, nib_ctrl) + 4 * GET(e, w, chan_off));
    i->align16 = i->eu->align16 && GET(e, w, access_mode);
    i->no_dd_clr = GET(e, w, no_dd_clr);
    i->no_dd_chk = GET(e, w, no_dd_chk);
}

COLUMNS flag(struct gen_insn *i, const unsigned e)
{
    i->flag_sub = (uint8_t)GET(e, i->w, flag_subreg);
    i->flag_reg = (uint8_t)GET(e, i->w, flag_reg);
}

/* Before Gen12 an indirect operand has a file, too: it must be the GRF. */
COLUMNS check_file(struct gen_operand *o, unsigned file, const unsigned e)
{
    if (e == GEN_COLUMN_e2) return;
    o->bad_file = file != 1;
    if (o->bad_file) o->file = GEN_NOFILE;
}

COLUMNS dst(struct gen_insn *i, const unsigned e)
{
    struct gen_operand *o = &i->dst;
    const uint64_t *w = i->w;
    const bool align16 = e != GEN_COLUMN_e2 && i->align16;
    const unsigned file = GET(e, w, dst_file), sign = GET(e, w, dst_addr_sign);
    o->type = i->eu->types[GET(e, w, dst_type)];
    if (GET(e, w, dst_addr_mode)) {
        const int imm = align16 ? gen_signed(GET(e, w, dst_addr_imm16) | sign << 5, 6) * 16
                                : gen_signed(GET(e, w, dst_addr_imm) | sign << 9, 10);
        set_indirect(o, GET(e, w, dst_addr_subreg), imm);
        check_file(o, file, e);
    } else {
        set_register(i, o, file, GET(e, w, dst_reg));
        o->sub = (uint8_t)(align16 ? GET(e, w, dst_subreg16) * 16 : GET(e, w, dst_subreg));
    }
    o->hcode = (uint8_t)GET(e, w, dst_hstride);
    o->hstride = gen_hstrides[o->hcode];
    o->align16 = align16;
    o->chan_en = align16 ? (uint8_t)GET(e, w, dst_chan_en) : 15;
    o->mme = 255;
}

/* A field of source n of one or two. */
#define SRC(name) (n ? GET(e, w, src1_##name) : GET(e, w, src0_##name))

COLUMNS src(struct gen_insn *i, const unsigned n, const unsigned e)
{
    struct gen_operand *o = &i->src[n];
    const uint64_t *w = i->w;
    const bool align16 = e != GEN_COLUMN_e2 && i->align16;
    const unsigned file = SRC(file), type = SRC(type);
    o->mme = 255;
    if (e == GEN_COLUMN_e2 ? SRC(is_imm) : file == 3) {
        const unsigned t = e == GEN_COLUMN_e1 && GEN_IS(i->op, IMM64) ? GEN_DF : i->eu->imm_types[type];
        const bool wide = !n && gen_type_size[t] == 8 && i->shape == GEN_UNARY;
        set_immediate(o, t, !wide ? w[1] >> 32 : e == GEN_COLUMN_e2 ? e2_IMM64_imm64_get(w) : w[1]);
        return;
    }
    o->type = i->eu->types[type];
    o->abs = SRC(abs);
    o->neg = SRC(neg);
    if (SRC(addr_mode)) {
        const int imm = align16 ? gen_signed(SRC(addr_imm16) | SRC(addr_sign) << 5, 6) * 16
                                : gen_signed(SRC(addr_imm) | SRC(addr_sign) << 9, 10);
        set_indirect(o, SRC(addr_subreg), imm);
        check_file(o, file, e);
    } else {
        set_register(i, o, file, SRC(reg));
        o->sub = (uint8_t)(align16 ? SRC(subreg16) * 16 : SRC(subreg));
    }
    o->align16 = align16;
    set_region(o, SRC(vstride), align16 ? 2 : SRC(width), align16 ? 1 : SRC(hstride));
    if (align16) o->swizzle = (uint8_t)(SRC(swz_x) | SRC(swz_y) << 2 | SRC(swz_z) << 4 | SRC(swz_w) << 6);
}

/* ---- Three sources with Align16 ---- */

static void ternary_src16(
    struct gen_insn *i, unsigned n, unsigned type, unsigned rep, unsigned swizzle, unsigned sub, unsigned reg)
{
    struct gen_operand *o = &i->src[n];
    o->type = (uint8_t)type;
    set_register(i, o, 1, reg);
    o->sub = (uint8_t)sub;
    o->swizzle = (uint8_t)swizzle;
    o->rep = rep;
    o->align16 = true;
    o->mme = 255;
    set_region(o, rep ? 0 : 3, rep ? 0 : 2, rep ? 0 : 1);
}

COLUMNS ternary16(struct gen_insn *i, const unsigned e)
{
    const uint64_t *w = i->w;
    struct gen_operand *o = &i->dst;
    const unsigned type = i->eu->ternary_types[GET(e, w, ter_src_type)];
    i->flag_sub = (uint8_t)GET(e, w, ter_flag_subreg);
    i->flag_reg = (uint8_t)GET(e, w, ter_flag_reg);
    o->type = i->eu->ternary_types[GET(e, w, ter_dst_type)];
    set_register(i, o, 1, GET(e, w, ter_dst_reg));
    o->sub = (uint8_t)(GET(e, w, ter_dst_subreg16) * 4);
    o->hcode = o->hstride = 1;
    o->align16 = true;
    o->chan_en = (uint8_t)GET(e, w, ter_chan_en);
    o->mme = 255;
    /* Where floats and half floats can be mixed, sources 1 and 2 have a bit each that says which they are. */
    const bool mixed = i->eu->half_places && (type == GEN_F32 || type == GEN_HF);
#define SOURCE(n, its)                                                                                         \
    ternary_src16(i, n, its, GET(e, w, ter_src##n##_rep), GET(e, w, ter_src##n##_swz),                         \
        GET(e, w, ter_src##n##_subreg16) * 4 + GET(e, w, ter_src##n##_half) * 2, GET(e, w, ter_src##n##_reg)); \
    i->src[n].abs = GET(e, w, ter_src##n##_abs);                                                               \
    i->src[n].neg = GET(e, w, ter_src##n##_neg)
    SOURCE(0, type);
    SOURCE(1, !mixed ? type : GET(e, w, ter_src1_is_half) ? GEN_HF : GEN_F32);
    SOURCE(2, !mixed ? type : GET(e, w, ter_src2_is_half) ? GEN_HF : GEN_F32);
#undef SOURCE
}

/* ---- Three sources with regions ---- */

/* <V;H> of a three-source operand: its rows have V / H elements; one element if H is 0. */
static void ternary_region(const struct gen_eu *eu, struct gen_operand *o, unsigned v, unsigned h)
{
    o->vcode = (uint8_t)v;
    o->hcode = (uint8_t)h;
    o->vstride = eu->row_steps[v];
    o->hstride = gen_hstrides[h];
    o->width = o->hstride == 0 ? 1 : o->vstride == 0 ? GEN_RESERVED : (uint8_t)(o->vstride / o->hstride);
    if (o->width == 0) o->width = GEN_RESERVED;
    o->wcode = 255;
}

static void ternary_src(struct gen_insn *i, unsigned n, unsigned type, unsigned file, unsigned reg, unsigned sub)
{
    struct gen_operand *o = &i->src[n];
    o->mme = 255;
    o->type = (uint8_t)type;
    set_register(i, o, file, reg);
    o->sub = (uint8_t)sub;
}

/* The function of a bfn is where modifiers and the condition are in others. */
const uint8_t gen_truth_conditions[4] = {0, 1, 3, 5}; /* none, equal, greater, less */
static void truth(struct gen_insn *i)
{
    const unsigned e = GEN_COLUMN_e2;
    i->func = (uint8_t)(GET(e, i->w, bfn_low) | GET(e, i->w, cond_mod) << 4);
    i->cmod = gen_truth_conditions[GET(e, i->w, bfn_cond)];
    for (unsigned n = 0; n < 3; n++) i->src[n].neg = i->src[n].abs = false;
}

/* The elements of a source of dpas: bytes may be halves or quarters of bytes. */
static unsigned part_of_byte(unsigned type, unsigned bits)
{
    static const uint8_t parts[2][4] = {{GEN_UB, GEN_U4, GEN_U2, BAD}, {GEN_B, GEN_S4, GEN_S2, BAD}};
    return type == GEN_UB || type == GEN_B ? parts[type == GEN_B][bits] : type;
}

static void ternary_src(struct gen_insn *i, unsigned n, unsigned type, unsigned file, unsigned reg, unsigned sub);

static void dpas(struct gen_insn *i)
{
    const unsigned e = GEN_COLUMN_e2;
    const uint64_t *w = i->w;
    const uint8_t *types = i->eu->region_types[GET(e, w, ter_exec_type)];
    struct gen_operand *o = &i->dst;
    i->saturate = false;
    i->cmod = 0;
    i->func = (uint8_t)(GET(e, w, dpas_depth) << 3 | GET(e, w, dpas_repeat));
    o->type = types[GET(e, w, ter_dst_type)];
    o->chan_en = 15;
    o->mme = 255;
    o->hstride = 1;
    set_register(i, o, GET(e, w, ter_dst_file), GET(e, w, ter_dst_reg));
    o->sub = (uint8_t)GET(e, w, ter_dst_subreg);
    ternary_src(i, 0, types[GET(e, w, ter_src0_type)], GET(e, w, ter_src0_file), GET(e, w, ter_src0_reg),
        GET(e, w, ter_src0_subreg));
    ternary_src(i, 1, part_of_byte(types[GET(e, w, ter_src1_type)], GET(e, w, dpas_src1_bits)),
        GET(e, w, ter_src1_file), GET(e, w, ter_src1_reg), GET(e, w, ter_src1_subreg));
    ternary_src(i, 2, part_of_byte(types[GET(e, w, ter_src2_type)], GET(e, w, dpas_src2_bits)),
        GET(e, w, ter_src2_file), GET(e, w, ter_src2_reg), GET(e, w, ter_src2_subreg));
    for (unsigned n = 0; n < 3; n++) i->src[n].vstride = i->src[n].width = i->src[n].hstride = 1;
}

COLUMNS ternary(struct gen_insn *i, const unsigned e)
{
    const uint64_t *w = i->w;
    const bool e2 = e == GEN_COLUMN_e2;
    const uint8_t *types = i->eu->region_types[GET(e, w, ter_exec_type)];
    struct gen_operand *o = &i->dst;
    o->type = types[GET(e, w, ter_dst_type)];
    o->chan_en = 15;
    o->mme = 255;
    /* In e8, 1 is the architecture's file; source 2 is in the GRF, and source 0, but for native floats. */
    set_register(i, o, GET(e, w, ter_dst_file) == e2, GET(e, w, ter_dst_reg));
    o->sub = (uint8_t)(GET(e, w, ter_dst_subreg) * (e2 ? 1 : 8));
    o->hcode = (uint8_t)GET(e, w, ter_dst_hstride);
    o->hstride = o->hcode + 1;
    const bool native0 = !e2 && types[GET(e, w, ter_src0_type)] == GEN_NF && GET(e, w, ter_src0_is_imm);
    const unsigned files[3] = {
        e2 ? GET(e, w, ter_src0_file) : !native0, GET(e, w, ter_src1_file) == e2, e2 ? GET(e, w, ter_src2_file) : 1};
#define SOURCE(n)                                                                                 \
    ternary_src(i, n, types[GET(e, w, ter_src##n##_type)], files[n], GET(e, w, ter_src##n##_reg), \
        GET(e, w, ter_src##n##_subreg));                                                          \
    i->src[n].abs = GET(e, w, ter_src##n##_abs);                                                  \
    i->src[n].neg = GET(e, w, ter_src##n##_neg)
    SOURCE(0);
    SOURCE(1);
    SOURCE(2);
#undef SOURCE
    ternary_region(i->eu, &i->src[0], e2 ? (unsigned)e2_TER1_src0_vstride_get(w) : GET(e, w, ter_src0_vstride),
        GET(e, w, ter_src0_hstride));
    ternary_region(i->eu, &i->src[1], e2 ? (unsigned)e2_TER2_src1_vstride_get(w) : GET(e, w, ter_src1_vstride),
        GET(e, w, ter_src1_hstride));
    o = &i->src[2];
    o->hcode = (uint8_t)GET(e, w, ter_src2_hstride);
    o->hstride = gen_hstrides[o->hcode];
    o->vstride = o->hstride;
    o->width = 1;
    o->vcode = o->wcode = 255;
    if (GET(e, w, ter_src0_is_imm) && !native0) set_immediate(&i->src[0], i->src[0].type, GET(e, w, ter_src0_imm));
    if (GET(e, w, ter_src2_is_imm)) set_immediate(&i->src[2], i->src[2].type, GET(e, w, ter_src2_imm));
}

/* ---- Messages ---- */

/* A message with one payload, whose registers have types. */
COLUMNS send_typed(struct gen_insn *i, const unsigned e)
{
    const uint64_t *w = i->w;
    i->sfid = (uint8_t)GET(e, w, cond_mod);
    i->cmod = 0;
    dst(i, e);
    src(i, 0, e);
    if (e == GEN_COLUMN_e8 && i->eu->has_ex_desc) { /* its bits are in place of a region and modifiers */
        struct gen_operand *o = &i->src[0];
        set_register(i, o, GET(e, w, src0_file), GET(e, w, src0_reg));
        o->sub = (uint8_t)(GET(e, w, src0_subreg16) * 16);
        o->addr_sub = 0;
        o->addr_imm = 0;
        o->align16 = o->neg = o->abs = false;
        set_region(o, 0, 0, 0);
        i->ex_desc = (uint32_t)e8_SRC0S_ex_desc_get(w) << 16;
    }
    i->nsrc = 1;
    i->eot = GET(e, w, eot);
    if (GET(e, w, src1_file) == 3) {
        i->desc = (uint32_t)(w[1] >> 32) & i->eu->descriptor_mask;
        return;
    }
    struct gen_operand *d = &i->src[1]; /* read as a dword, whatever its region is */
    set_register(i, d, GET(e, w, src1_file), GET(e, w, desc_reg));
    d->type = i->eu->types[GET(e, w, src1_type)];
    d->sub = (uint8_t)GET(e, w, desc_subreg);
    d->width = 1;
    i->desc_is_reg = true;
    i->desc_reg = d->sub / 2;
}

static void payload(const struct gen_insn *i, struct gen_operand *o, unsigned file, unsigned reg)
{
    set_register(i, o, file, reg);
    o->type = GEN_UD;
    o->chan_en = 15;
    o->mme = 255;
    o->vstride = 8;
    o->width = 8;
    o->hstride = 1;
}

/* A message with two payloads, which are registers alone. */
COLUMNS send(struct gen_insn *i, const unsigned e)
{
    const uint64_t *w = i->w;
    i->acc_wr_en = i->saturate = false;
    i->cmod = 0;
    i->sfid = (uint8_t)GET(e, w, cond_mod);
    i->eot = GET(e, w, eot);
    payload(i, &i->dst, GET(e, w, send_dst_file), GET(e, w, send_dst_reg));
    if (e != GEN_COLUMN_e2) i->dst.type = i->eu->types[GET(e, w, send_dst_type)];
    payload(i, &i->src[0], e == GEN_COLUMN_e2 ? GET(e, w, send_src0_file) : 1, GET(e, w, send_src0_reg));
    payload(i, &i->src[1], GET(e, w, send_src1_file), GET(e, w, send_src1_reg));
    i->nsrc = 2;
    i->desc_is_reg = GET(e, w, desc_is_reg);
    i->ex_desc_is_reg = GET(e, w, ex_desc_is_reg);
    if (!i->desc_is_reg)
        i->desc = e == GEN_COLUMN_e2 ? (uint32_t)e2_SEND_desc_get(w) : (uint32_t)(w[1] >> 32) & 0x7fffffff;
    if (i->ex_desc_is_reg) {
        i->ex_desc_reg = (uint8_t)(2 * GET(e, w, ex_desc_addr));
        i->ex_bso = i->eu->bindless_offsets && GET(e, w, ex_bso);
        i->cps = i->ex_bso && GET(e, w, send_cps);
        if (i->ex_bso) i->ex_desc = (uint32_t)GET(e, w, send_src1_len) << 6;
    }
    if (!i->ex_desc_is_reg && e == GEN_COLUMN_e2)
        i->ex_desc = (uint32_t)e2_SEND_ex_desc_get(w) << 6;
    else if (!i->ex_desc_is_reg) {
        const uint32_t pieces = (uint32_t)e8_SENDS_ex_desc_get(w);
        i->ex_desc = (pieces & 15) << 6 | pieces >> 4 << 16;
    }
}

/* ---- Branches ---- */

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

static inline __attribute__((always_inline)) struct gen_jump jump_of(
    const struct gen_eu *eu, unsigned op, unsigned shape, const unsigned e)
{
    struct gen_jump j = {.absolute = GEN_IS(op, ABSOLUTE), .from_next = GEN_IS(op, THREAD) && eu->jumps_from_next};
    const struct gen_place none = {0, 0};
    j.unit = j.absolute || e == GEN_COLUMN_e2 ? 1 : GEN_IS(op, JUMP_UNIT) ? eu->jump_unit : eu->branch_unit;
    if (shape < GEN_JUMP || shape == GEN_RET) return j;
    const bool two = shape == GEN_BRANCH;
    j.jip = gen_places[e][e == GEN_COLUMN_e2 || two || shape == GEN_JIP ? GEN_P_jip : GEN_P_jip32];
    if (two) j.uip = gen_places[e][GEN_P_uip];
    if (e == GEN_COLUMN_e2) {
        j.constant[0] = j.constant[1] = gen_places[e][GEN_P_jip_is_imm];
    } else if (op == GEN_OP_brc || !(two || shape == GEN_JIP)) {
        /* jmpi, call, calla say it of source 1, brd and brc of either; in e8 brc has its second target there. */
        const struct gen_place src0 = gen_places[e][GEN_P_src0_file], src1 = gen_places[e][GEN_P_src1_file];
        j.constant[0] = op == GEN_OP_brc || op == GEN_OP_brd ? src0 : src1;
        j.constant[1] = two && e == GEN_COLUMN_e8 ? src0 : src1;
    } else {
        j.constant[0] = j.constant[1] = none;
    }
    return j;
}

/* The targets if they are constants; false: they are in a register. */
static inline __attribute__((always_inline)) bool constant_targets(struct gen_insn *i, const unsigned e)
{
    const struct gen_jump j = jump_of(i->eu, i->op, i->shape, e);
    i->nsrc = 0;
    i->jip_is_imm = gen_jump_is_constant(&j, i->w);
    i->uip_is_imm = i->jip_is_imm && j.uip.len;
    if (i->jip_is_imm) i->jip = gen_distance(&j, j.jip, i->w);
    if (i->uip_is_imm) i->uip = gen_distance(&j, j.uip, i->w);
    return i->jip_is_imm;
}

COLUMNS branch_typed(struct gen_insn *i, const unsigned e)
{
    if (i->eu->branch_control) {
        i->branch_ctrl = GET(e, i->w, branch_ctrl);
        i->acc_wr_en = false;
    }
    if (i->shape == GEN_CALL) dst(i, e);
    if (constant_targets(i, e)) return;
    if (i->shape == GEN_RET || i->op == GEN_OP_brc || i->op == GEN_OP_brd) {
        src(i, 0, e);
    } else {
        src(i, 1, e);
        i->src[0] = i->src[1];
    }
    i->nsrc = 1;
}

unsigned gen_file_code(const struct gen_insn *i, const struct gen_operand *o)
{
    const unsigned e = i->eu->column;
    if (e == GEN_COLUMN_e2 || i->shape == GEN_TERNARY || gen_is_split(i)) return 0; /* one bit */
    if (o == &i->dst) return GET(e, i->w, dst_file);
    const bool branch = i->shape >= GEN_JUMP && i->shape != GEN_RET && !GEN_IS(i->op, EITHER);
    return o == &i->src[1] || branch ? GET(e, i->w, src1_file) : GET(e, i->w, src0_file);
}

unsigned gen_type_code(const struct gen_insn *i, const struct gen_operand *o)
{
    const unsigned e = i->eu->column;
    const uint64_t *w = i->w;
    if (gen_has_three(i->shape))
        return o == &i->dst            ? GET(e, w, ter_dst_type)
               : !i->eu->three_regions ? GET(e, w, ter_src_type)
               : o == &i->src[0]       ? GET(e, w, ter_src0_type)
               : o == &i->src[1]       ? GET(e, w, ter_src1_type)
                                       : GET(e, w, ter_src2_type);
    const bool second = i->shape >= GEN_JUMP && i->shape != GEN_RET &&
                        !GEN_IS(i->op, EITHER); /* a register as target */
    return o == &i->dst                 ? GET(e, w, dst_type)
           : o == &i->src[0] && !second ? GET(e, w, src0_type)
                                        : GET(e, w, src1_type);
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
    const unsigned e = i->eu->column, file = n ? GET(e, i->w, src1_file) : GET(e, i->w, src0_file);
    bool either = GEN_IS(i->op, EITHER); /* either may say constant */
    return either && file != 3 ? n == 0 && i->nsrc : consults_file(i, n);
}

bool gen_uses_type(const struct gen_insn *i, unsigned n)
{
    bool pair = GEN_IS(i->op, EITHER);
    if (!consults_file(i, n) || (i->shape == GEN_SEND && n)) return false;
    return i->shape < GEN_JUMP || (i->nsrc && !(pair && n));
}

COLUMNS branch(struct gen_insn *i, const unsigned e)
{
    const uint64_t *w = i->w;
    i->branch_ctrl = GET(e, w, branch_ctrl);
    i->acc_wr_en = i->saturate = false;
    i->cmod = 0;
    if (i->shape == GEN_CALL) {
        payload(i, &i->dst, GET(e, w, dst_file), GET(e, w, dst_reg));
        i->dst.sub = (uint8_t)GET(e, w, dst_subreg);
        i->dst.hstride = 1;
    }
    if (constant_targets(i, e)) return;
    struct gen_operand *o = &i->src[0];
    payload(i, o, GET(e, w, src0_file), GET(e, w, src0_reg));
    o->sub = (uint8_t)GET(e, w, src0_subreg);
    o->vstride = 0;
    o->width = 1;
    o->hstride = 0;
    i->nsrc = 1;
}

struct gen_jump gen_jump_of(const struct gen_eu *eu, unsigned op)
{
    const unsigned shape = gen_shape_on(eu, op);
    switch (eu->column) {
    case GEN_COLUMN_e1: return jump_of(eu, op, shape, GEN_COLUMN_e1);
    case GEN_COLUMN_e8: return jump_of(eu, op, shape, GEN_COLUMN_e8);
    default: return jump_of(eu, op, shape, GEN_COLUMN_e2);
    }
}

/* ---- The whole ---- */

__attribute__((noinline)) void gen_clear(struct gen_insn *i, size_t size) { memset(i, 0, size); }

static void set_targets(struct gen_insn *i)
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

/* Steps of macros: in Align16 the number of an mme is in place of the components, else in place of the subregister,
 * where all is kept as such. */
static void mend_e8(struct gen_insn *i)
{
    const unsigned e = GEN_COLUMN_e8;
    if (!gen_is_macro(i)) return;
    if (!i->eu->align16 && i->shape == GEN_TERNARY) {
        i->dst.sub = (uint8_t)GET(e, i->w, ter_dst_mme);
        i->src[0].sub = (uint8_t)GET(e, i->w, ter_src0_mme);
        i->src[1].sub = (uint8_t)GET(e, i->w, ter_src1_mme);
        i->src[2].sub = (uint8_t)GET(e, i->w, ter_src2_mme);
    }
    i->dst.mme = i->eu->align16 ? i->dst.chan_en : i->dst.sub & 15;
    for (unsigned n = 0; n < i->nsrc; n++) i->src[n].mme = (i->eu->align16 ? i->src[n].swizzle : i->src[n].sub) & 15;
}

/* Corrections: a constant of 64 bits takes the place of the condition; macros of math. */
static void mend_e2(struct gen_insn *i)
{
    if (i->src[0].mode == GEN_IMMEDIATE && i->shape == GEN_UNARY && gen_type_size[i->src[0].type] == 8) i->cmod = 0;
    if (i->shape != GEN_MATH || i->func < 14) return;
    i->dst.mme = i->dst.sub & 15; /* macros: the subregister is the number of an mme, as in IGA */
    for (unsigned n = 0; n < i->nsrc; n++) i->src[n].mme = i->src[n].sub & 15;
}

COLUMNS unpack(struct gen_insn *i, const unsigned e)
{
    controls(i, e);
    if (e == GEN_COLUMN_e2 || i->shape != GEN_NONE) flag(i, e);
    switch ((enum gen_shape)i->shape) {
    case GEN_NONE: return;
    case GEN_TERNARY:
        i->nsrc = 3;
        e == GEN_COLUMN_e2 || (e == GEN_COLUMN_e8 && i->eu->three_regions) ? ternary(i, e) : ternary16(i, e);
        if (e == GEN_COLUMN_e8) mend_e8(i);
        if (e == GEN_COLUMN_e2 && GEN_IS(i->op, TRUTH)) truth(i);
        return;
    case GEN_DPAS:
        i->nsrc = 3;
        if (e == GEN_COLUMN_e2) dpas(i);
        return;
    case GEN_SEND:
        e == GEN_COLUMN_e2 || (e == GEN_COLUMN_e8 && gen_is_split(i)) ? send(i, e) : send_typed(i, e);
        return;
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
    default: e == GEN_COLUMN_e2 ? branch(i, e) : branch_typed(i, e); return;
    }
    dst(i, e);
    src(i, 0, e);
    if (i->nsrc > 1) src(i, 1, e);
    if (e == GEN_COLUMN_e2) mend_e2(i);
    if (e == GEN_COLUMN_e8) mend_e8(i);
}

/* BY_COLUMN(call, i): call(i, e) with the column of the instruction as a constant. */
#define BY_COLUMN(call)                             \
    switch (i->eu->column) {                        \
    case GEN_COLUMN_e1: call(GEN_COLUMN_e1); break; \
    case GEN_COLUMN_e8: call(GEN_COLUMN_e8); break; \
    case GEN_COLUMN_e2: call(GEN_COLUMN_e2); break; \
    }
#define WHOLE(e) unpack(i, e)
#define SECOND(e) src(i, 1, e)

void gen_unpack_word(struct gen_insn *i)
{
    BY_COLUMN(WHOLE)
    if (i->shape >= GEN_JUMP) set_targets(i);
}

void gen_unpack_second(struct gen_insn *i) { BY_COLUMN(SECOND) }

bool gen_unpack_region(const struct gen_insn *i, struct gen_insn *with)
{
    if (i->eu->column != GEN_COLUMN_e8 || !i->eu->has_ex_desc || i->shape != GEN_SEND || gen_is_split(i)) return false;
    *with = *i;
    with->src[0] = (struct gen_operand){0};
    src(with, 0, GEN_COLUMN_e8);
    return true;
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

gen_wide gen_int_read(unsigned type, uint64_t bits)
{
    unsigned n = gen_type_size[type] * 8u;
    bits &= UINT64_MAX >> (64 - n);
    if (gen_type_is_signed(type) && bits >> (n - 1) & 1) return (gen_wide)bits - ((gen_wide)1 << n);
    return (gen_wide)bits;
}
