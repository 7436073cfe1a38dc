/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * llvm_newer.c: vector words of RDNA that LLVM's assembler cannot write: long ones, packed ones, and the SDWA and DPP
 * words after short ones (llvm.c has the rest).  All rules were found by asking the disassembler and the assembler of
 * LLVM 19 for gfx1010, gfx1011 and gfx1030, each operation with each bit.
 */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

static bool is_float(unsigned type) { return type == GCN_F32 || type == GCN_F64 || type == GCN_F16; }

static bool is_interp(const struct gpudbg_insn *insn)
{
    return insn->parts[0].format == &gcn_layouts[GCN_W_VOP3H_INTERP] ||
           insn->parts[0].format == &gcn_layouts[GCN_W_VOP3H_INTERP_MOV];
}

static bool starts(const struct gpudbg_op *op, const char *name) { return strncmp(op->name, name, strlen(name)) == 0; }

/* The sources, the first of which is 1, as bits: those in fields, and those that take a sign and an absolute value. */
struct sources {
    unsigned used, signs;
    bool floats; /* a source or the result is a float */
    unsigned result;
};

static struct sources sources_of(const struct gpudbg_insn *insn)
{
    struct sources s = {0};
    const bool picks = insn->op->id == GCN_v_cndmask_b32;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const unsigned n = o->swizzle - GCN_IN_SRC0;
        if (o->flags & GPUDBG_IMPLICIT) break;
        s.floats |= is_float(o->type);
        if (o->swizzle == GCN_IN_VDST) s.result = o->type;
        if (n > 2) continue;
        s.used |= 1u << n;
        if (is_float(o->type) || (picks && n < 2)) s.signs |= 1u << n;
    }
    return s;
}

/* ---- Long words ---- */

static bool takes_clamp(const struct gpudbg_insn *insn, const struct sources *s)
{
    static const char *const whole[] = {"v_add_nc_", "v_sub_nc_", "v_subrev_nc_", "v_mad_", "v_sad_", "v_msad_",
        "v_qsad_", "v_mqsad_", "v_mul_i32_i24", "v_mul_u32_u24"};
    const struct gpudbg_op *op = insn->op;
    if (starts(op, "v_cmp_class_") || starts(op, "v_cmpx_class_")) return false;
    if (s->floats || is_vop3b(op)) return true;
    for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++)
        if (starts(op, whole[i])) return true;
    return s->used == 7 && takes_op_sel(gcn_chip_of(insn->isa), op);
}

/* Whether the result is multiplied: float results, and conversions of floats but for some. */
static bool takes_omod(const struct gpudbg_insn *insn, const struct sources *s)
{
    const struct gpudbg_op *op = insn->op;
    if (is_float(s->result)) return op->id != GCN_v_interp_p2_f16;
    return s->signs && (starts(op, "v_cvt_i") || starts(op, "v_cvt_u") || starts(op, "v_cvt_norm_") ||
                           op->id == GCN_v_cvt_pkrtz_f16_f32 || op->id == GCN_v_frexp_exp_i16_f16 ||
                           op->id == GCN_v_frexp_exp_i32_f64);
}

/* Bits that choose halves: not of operations on two whole numbers. */
static unsigned halves_taken(const struct gpudbg_insn *insn, const struct sources *s)
{
    const struct gpudbg_op *op = insn->op;
    const bool two_whole = s->used == 3 && !s->floats && !starts(op, "v_add_nc_") && !starts(op, "v_sub_nc_");
    return takes_op_sel(gcn_chip_of(insn->isa), op) && !two_whole ? s->used | 8 : 0;
}

static uint64_t long_bits(const struct gpudbg_insn *insn)
{
    const struct sources s = sources_of(insn);
    const struct gpudbg_format *layout = insn->parts[0].format;
    uint64_t bits = MASK(VOP3H, encoding) | MASK(VOP3H, op) | MASK(VOP3H, high) | MASK(VOP3H, vdst);
    if (s.used & 1) bits |= MASK(VOP3H, src0);
    if (s.used & 2) bits |= MASK(VOP3H, src1);
    if (s.used & 4) bits |= MASK(VOP3H, src2);
    if (layout == &gcn_layouts[GCN_W_VOP3H_PERMLANE]) return bits | IN_PLACE(3, VOP3H, op_sel);
    if (is_interp(insn)) {
        bits |= MASK(VOP3H_INTERP, attr) | MASK(VOP3H_INTERP, attrchan);
        if (layout == &gcn_layouts[GCN_W_VOP3H_INTERP_MOV]) bits |= MASK(VOP3H_INTERP_MOV, vsrc);
        if (!has_short_row(gcn_chip_of(insn->isa), insn->op)) bits |= MASK(VOP3H_INTERP, high);
    }
    bits |= IN_PLACE(s.signs | (takes_sext(insn->op) ? s.used : 0), VOP3H, neg);
    if (takes_omod(insn, &s)) bits |= MASK(VOP3H, omod);
    if (is_vop3b(insn->op)) return bits | MASK(VOP3HB_NEWER, sdst) | MASK(VOP3HB_NEWER, clamp);
    if (takes_clamp(insn, &s)) bits |= MASK(VOP3H, clamp);
    return bits | IN_PLACE(s.signs, VOP3H, abs) | IN_PLACE(halves_taken(insn, &s), VOP3H, op_sel);
}

static uint64_t packed_bits(const struct gpudbg_insn *insn)
{
    const unsigned used = sources_of(insn).used;
    return MASK(VOP3P, encoding) | MASK(VOP3P, op) | MASK(VOP3P, vdst) | MASK(VOP3P, clamp) | MASK(VOP3P, src0) |
           MASK(VOP3P, src1) | (used & 4 ? MASK(VOP3P, src2) : 0) | MASK(VOP3P, op_sel_hi) | MASK(VOP3P, op_sel_hi2) |
           IN_PLACE(used, VOP3P, neg_hi) | IN_PLACE(used, VOP3P, neg_lo) | IN_PLACE(used, VOP3P, op_sel);
}

/* ---- SDWA and DPP ---- */

static bool sdwa_is_taken(const struct gpudbg_insn *insn, bool compares, uint32_t w)
{
    const struct sources s = sources_of(insn);
    uint32_t bits = (uint32_t)(MASK(SDWA, src0) | MASK(SDWA, src0_sel) | MASK(SDWA, s0));
    bits |= (uint32_t)(s.signs & 1 ? MASK(SDWA, src0_neg) | MASK(SDWA, src0_abs) : MASK(SDWA, src0_sext));
    if (s.used & 2) {
        bits |= (uint32_t)(MASK(SDWA, src1_sel) | MASK(SDWA, s1));
        bits |= (uint32_t)(s.signs & 2 ? MASK(SDWA, src1_neg) | MASK(SDWA, src1_abs) : MASK(SDWA, src1_sext));
    }
    if (GET(w, SDWA, src0_sel) > 6 || (s.used & 2 && GET(w, SDWA, src1_sel) > 6)) return false;
    if (compares) {
        const bool own = GET(w, SDWA_VOPC, sd), writes_exec = insn->op->flags & GCN_EXEC_W;
        if (!writes_exec) bits |= (uint32_t)(MASK(SDWA_VOPC, sd) | (own ? MASK(SDWA_VOPC, sdst) : 0));
        if (own && GET(w, SDWA_VOPC, sdst) == GCN_CODE_VCC) return false; /* the text for VCC has no sd */
    } else {
        bits |= (uint32_t)(MASK(SDWA, dst_sel) | MASK(SDWA, dst_unused) | MASK(SDWA, clamp));
        if (is_float(s.result) || insn->op->id == GCN_v_cvt_pkrtz_f16_f32) bits |= (uint32_t)MASK(SDWA, omod);
        if (GET(w, SDWA, dst_sel) > 6 || GET(w, SDWA, dst_unused) > 2) return false;
    }
    return !(w & ~bits);
}

static bool dpp_is_taken(const struct gpudbg_insn *insn, uint32_t w)
{
    const struct sources s = sources_of(insn);
    const unsigned control = GET(w, DPP, dpp_ctrl);
    const unsigned signs = insn->op->id == GCN_v_dot2c_f32_f16 ? 3 : s.signs;
    uint64_t bits = MASK(DPP, src0) | MASK(DPP, dpp_ctrl) | MASK(DPP_NEWER, fi) | MASK(DPP, bound_ctrl) |
                    MASK(DPP, bank_mask) | MASK(DPP, row_mask);
    if (signs & 1) bits |= MASK(DPP, src0_neg) | MASK(DPP, src0_abs);
    if (signs & 2) bits |= MASK(DPP, src1_neg) | MASK(DPP, src1_abs);
    if (insn->op->id == GCN_v_ldexp_f16) bits |= MASK(DPP, src1_neg); /* extends the sign, as the text says */
    if (w & ~bits) return false;
    if (control >= 0x100 && control < 0x130) return control & 15;
    return control < 0x100 || control == 0x140 || control == 0x141 || (control >= 0x150 && control < 0x170);
}

/* ---- Scalars ---- */

/* How many scalar registers and literals a vector operation may read: of shifts of pairs one. */
static unsigned scalars_most(const struct gpudbg_insn *insn)
{
    switch (insn->op->id) {
    case GCN_v_lshlrev_b64:
    case GCN_v_lshrrev_b64:
    case GCN_v_ashrrev_i64: return 1;
    }
    return gcn_chip_of(insn->isa)->scalar_reads;
}

static bool scalars_fit(const struct gpudbg_insn *insn)
{
    unsigned seen[8], n = 0;
    if (insn->op->flags & GCN_VCC_R) seen[n++] = GCN_CODE_VCC << 4 | dwords_of(GCN_B64);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->flags & GPUDBG_IMPLICIT) break;
        if (!(o->kind == GPUDBG_LITERAL || (o->kind == GPUDBG_SPECIAL && is_aperture(gcn_chip_of(insn->isa), o->sub)) ||
                (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_READ && o->file != GCN_FILE_V)))
            continue;
        const bool bit = o->sub >= GCN_CODE_APERTURE && o->sub <= GCN_CODE_SCC;
        const unsigned key = (unsigned)o->sub << 4 | (bit || o->kind == GPUDBG_LITERAL ? 1 : dwords_of(o->type));
        unsigned j = 0;
        while (j < n && seen[j] != key) j++;
        if (j == n) seen[n++] = key;
    }
    return n <= scalars_most(insn);
}

bool newer_takes_row(const struct gpudbg_insn *insn, uint64_t *said)
{
    *said = long_bits(insn);
    return !is_interp(insn) && !(insn->op->flags & (GCN_EXEC_W | GCN_ALL)) && scalars_most(insn) == 2;
}

/* ---- All ---- */

const char *newer_word_refused(const struct gpudbg_insn *insn, uint64_t w)
{
    static const char modifiers[] = "the operation does not take these modifiers";
    const unsigned lanes = insn->nparts > 1 ? (unsigned)(insn->parts[1].format - gcn_layouts) : 0;
    const uint32_t second = literal_of_insn(insn);
    const unsigned parameter = insn->parts[0].format == &gcn_layouts[GCN_W_VOP3H_INTERP_MOV]
                                   ? GET(w, VOP3H_INTERP_MOV, vsrc)
                                   : 0;
    if (!scalars_fit(insn)) return "a vector instruction reads two scalar registers or literals, and no more";
    switch (insn->variant) {
    case GCN_VOP3:
    case GCN_VOP3H:
        if (is_interp(insn) && (GET(w, VOP3H_INTERP, attr) > 32 || parameter > 2))
            return "attributes are attr0 to attr32, their values p10, p20 and p0";
        if (insn->op->flags & GCN_EXEC_W && GET(w, VOP3H, vdst) != GCN_CODE_EXEC)
            return "the destination is not EXEC, which the text does not show";
        return w & ~long_bits(insn) ? modifiers : NULL;
    case GCN_VOP3P:
        return w & ~packed_bits(insn) || (sources_of(insn).used == 3 && !GET(w, VOP3P, op_sel_hi2)) ? modifiers : NULL;
    }
    switch (lanes) {
    case GCN_W_SDWA_NEWER: return sdwa_is_taken(insn, false, second) ? NULL : modifiers;
    case GCN_W_SDWA_VOPC_NEWER: return sdwa_is_taken(insn, true, second) ? NULL : modifiers;
    case GCN_W_DPP_NEWER: return dpp_is_taken(insn, second) ? NULL : "the operation does not take these lanes or signs";
    }
    return NULL;
}
