/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * llvm.c: words that LLVM's assembler cannot write.  The hardware takes more words than the assembler's language has:
 * with unused bits set, unaligned registers, two constants on one bus.  Such words are printed as data when the text is
 * meant for the assembler.  All rules were found by asking llvm-mc 19 -arch=amdgcn -mcpu=bonaire.
 */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* ---- Bits that the text does not determine ---- */

#define RANGE_MASK(range) (ONES(RANGE_LEN(range)) << RANGE_LO(range))

/* The column "shown as" of formats.def, followed by (bits): those of an operand, or all others. */
#define NONE(range)
#define NO_BITS(range) | 0
#define BITS(range) | RANGE_MASK(range)
#define SLOT_NUMBER(shift) NONE
#define SLOT_SIGNED NONE
#define SLOT_FLAG NONE
#define SLOT_NAMED(id) NONE
#define SLOT_CODE NONE
#define SLOT_SAY(what) NONE
#define SLOT_REG(kind, slot) SLOT_##kind(slot)
#define SLOT_VGPR(slot) [GCN_IN_##slot] = SLOT_BITS
#define SLOT_VDST SLOT_VGPR
#define SLOT_SOURCE SLOT_VGPR
#define SLOT_SDST SLOT_VGPR
#define SLOT_PAIR SLOT_VGPR
#define SLOT_QUAD SLOT_VGPR
#define SLOT_SOME SLOT_VGPR
#define SLOT_PART(slot) NONE
#define SLOT_BITS(range) RANGE_MASK(range),
#define SAID_NUMBER(shift) BITS
#define SAID_SIGNED BITS
#define SAID_FLAG BITS
#define SAID_NAMED(id) BITS
#define SAID_CODE BITS
#define SAID_SAY(what) BITS
#define SAID_REG(kind, slot) NO_BITS

/* Bits of a word that hold an operand. */
static const uint64_t by_slot[GCN_WORD_LAYOUTS][GCN_IN_COUNT] = {
/* clang-format off */
#define FORMAT(layout, word, bits, mask, match, doc) [GCN_W_##layout] = {[GCN_IN_NONE] = 0,
#define FIELD(name, range, how, doc) SLOT_##how(range)
#define REST(range, how, doc)
#define OPERAND(slot, range) [GCN_IN_##slot] = RANGE_MASK(range),
#define IMPLIED(kind, slot)
#define END },
/* clang-format on */
#include "formats.def"
};

/* Bits that the text determines with any operands: encoding, opcode, modifiers. */
static const uint64_t always[GCN_WORD_LAYOUTS] = {
#define FORMAT(layout, word, bits, mask, match, doc) [GCN_W_##layout] = (0
#define FIELD(name, range, how, doc) SAID_##how(range)
#define REST(range, how, doc)
#define END ),
#include "formats.def"
};

/* Bits in `always` that belong to an operand of several fields. */
static const uint64_t not_always[GCN_WORD_LAYOUTS] = {
#define FORMAT(layout, word, bits, mask, match, doc) [GCN_W_##layout] = 0
#define FIELD(name, range, how, doc)
#define OPERAND(slot, range) | RANGE_MASK(range)
#define IMPLIED(kind, slot)
#define END ,
#include "formats.def"
};

/* Exports: bits of the sources that are printed.  With compr the two registers are in the first two fields.
 */
static uint64_t export_bits(uint64_t w)
{
    static const uint64_t source[4] = {MASK(EXP, vsrc0), MASK(EXP, vsrc1), MASK(EXP, vsrc2), MASK(EXP, vsrc3)};
    uint64_t bits = 0;
    bool compr = GET(w, EXP, compr);
    for (unsigned i = 0; i < 4; i++)
        if (GET(w, EXP, en) >> i & 1) bits |= source[compr ? i / 2 : i];
    return bits;
}

/* Memory words of newer chips, by the layout of the row.  A base that is not there has a code of its own. */
static bool memory_bits_clear(const struct gpudbg_insn *insn, uint64_t w)
{
    const size_t layout = (size_t)(insn->parts[0].format - gcn_layouts);
    uint64_t used = (always[layout] & ~not_always[layout]) | by_slot[layout][GCN_IN_SADDR];
    if (insn->variant == GCN_SMEM) used |= by_slot[layout][GCN_IN_SOFFSET];
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_SPECIAL || o->type) used |= by_slot[layout][o->swizzle];
    }
    return !(w & ~used);
}

/* Bits of a word of older layouts that the text determines. */
static uint64_t used_bits(const struct gpudbg_insn *insn, uint64_t w)
{
    const bool second = insn->parts[0].format == &gcn_layouts[GCN_W_VOP3B];
    const unsigned layout = second ? GCN_W_VOP3B : gcn_layout_of[insn->variant];
    uint64_t used = always[layout] & ~not_always[layout];
    if (insn->variant == GCN_FLAT) used &= ~MASK(FLAT, tfe); /* LLVM cannot write it */
    if (insn->variant == GCN_MTBUF) used &= ~MASK(MTBUF, tfe);
    if (insn->nparts == 2) used |= 0xffffffff00000000;
    if (insn->variant == GCN_EXP) return used | export_bits(w);
    for (const struct gpudbg_operand *o = insn->operands, *end = o + insn->noperands; o != end; o++)
        if (o->kind != GPUDBG_SPECIAL || o->type) used |= by_slot[layout][o->swizzle];
    return used;
}

static bool unused_bits_clear(const struct gpudbg_insn *insn, uint64_t w)
{
    return is_memory_word((int)insn->variant) ? memory_bits_clear(insn, w) : !(w & ~used_bits(insn, w));
}

/* ---- Constants ---- */

static bool is_inline_float(uint32_t bits)
{
    switch (bits) {
    case 0x3f000000:
    case 0xbf000000:
    case 0x3f800000:
    case 0xbf800000:
    case 0x40000000:
    case 0xc0000000:
    case 0x40800000:
    case 0xc0800000: return true;
    }
    return false;
}

static bool is_inline_half(uint32_t bits)
{
    switch (bits) {
    case 0x3800:
    case 0xb800:
    case 0x3c00:
    case 0xbc00:
    case 0x4000:
    case 0xc000:
    case 0x4400:
    case 0xc400: return true;
    }
    return false;
}

static bool is_inline_double(uint32_t high)
{
    switch (high) {
    case 0x3fe00000:
    case 0xbfe00000:
    case 0x3ff00000:
    case 0xbff00000:
    case 0x40000000:
    case 0xc0000000:
    case 0x40100000:
    case 0xc0100000: return true;
    }
    return false;
}

/* Whether the assembler keeps a number as a literal instead of making it an inline constant. */
static bool stays_literal(uint32_t bits, unsigned type)
{
    if (bits <= 64) return false;
    if (type == GCN_F16) return bits < 0xfff0 && !is_inline_half(bits);
    if (dwords_of(type) == 2) return type != GCN_F64 || !is_inline_double(bits);
    return bits < 0xfffffff0 && !is_inline_float(bits);
}

/* ---- Operands ---- */

/* Whether a register, or a run of them, has a name. */
static bool register_has_name(const struct gcn_chip *chip, const struct gpudbg_operand *o)
{
    unsigned dwords = dwords_of(o->type), code = o->sub;
    if (o->file == GCN_FILE_V) return o->reg + o->count <= 256u;
    if (dwords == 1 || code >= GCN_CODE_VCCZ) return true;
    if (o->file == GCN_FILE_M0 || code & 1) return false;
    if (dwords == 2) return true;
    unsigned first = o->file == GCN_FILE_S ? code : code - chip->ttmp;
    unsigned last = o->file == GCN_FILE_S ? chip->sgprs : GCN_CODE_M0 - chip->ttmp;
    if (o->file != GCN_FILE_S && o->file != GCN_FILE_TTMP) return false;
    return first % 4 == 0 && first + dwords <= last;
}

/* Some operations have a rule of their own for the files of their operands: whether it is broken; -1: there is none. */
static int breaks_own_rule(unsigned id, const struct gpudbg_operand *o)
{
    const bool vgpr = o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_V;
    switch (id) {
    case GCN_v_permlane16_b32:
    case GCN_v_permlanex16_b32: return o->swizzle == GCN_IN_SRC0 ? !vgpr : o->swizzle != GCN_IN_VDST && vgpr;
    case GCN_v_interp_p1_f32_long:
    case GCN_v_interp_p2_f32_long:
    case GCN_v_interp_p1ll_f16:
    case GCN_v_interp_p1lv_f16:
    case GCN_v_interp_p2_f16: return (o->swizzle == GCN_IN_SRC1 || o->swizzle == GCN_IN_SRC2) && !vgpr;
    case GCN_v_readlane_b32_long:
    case GCN_v_readlane_b32:
        return o->swizzle == GCN_IN_SRC0 ? !vgpr && o->sub != GCN_CODE_LDS : o->swizzle == GCN_IN_SRC1 && vgpr;
    case GCN_v_writelane_b32_long:
    case GCN_v_writelane_b32: return o->swizzle != GCN_IN_VDST && vgpr;
    case GCN_v_readfirstlane_b32: return o->swizzle == GCN_IN_SRC0 && !vgpr && o->sub != GCN_CODE_LDS;
    case GCN_v_movrels_b32:
    case GCN_v_movrelsd_2_b32:
    case GCN_v_swap_b32:
    case GCN_v_swaprel_b32:
    case GCN_v_movrelsd_b32: return o->swizzle == GCN_IN_SRC0 && !vgpr;
    case GCN_v_mqsad_u32_u8: return o->swizzle == GCN_IN_SRC2 && !vgpr;
    case GCN_s_setpc_b64:
    case GCN_s_rfe_b64:
    case GCN_s_movrels_b64: return o->sub >= GCN_CODE_INT;
    case GCN_s_movrels_b32:
    case GCN_s_cbranch_join: return o->kind != GPUDBG_REGISTER;
    case GCN_s_cbranch_g_fork: return o->kind == GPUDBG_LITERAL;
    }
    return -1;
}

/* Whether the field must hold a VGPR and does not, or must not and does. */
static bool wrong_file(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    const bool vgpr = o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_V;
    const int own = breaks_own_rule(insn->op->id, o);
    if (own >= 0) return own;
    if (o->swizzle == GCN_IN_OFFSET && o->sub >= GCN_CODE_INT)
        return o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER;
    return gcn_is_mask(o->type) && (insn->variant == GCN_VOP3 || insn->variant == GCN_VOP3H) &&
           (o->kind != GPUDBG_REGISTER || vgpr) && !(o->kind == GPUDBG_SPECIAL && o->sub == GCN_CODE_NULL);
}

/* Whether it is a vector word of newer chips but for short ones. */
static bool has_newer_fields(const struct gpudbg_insn *insn)
{
    return gcn_chip_of(insn->isa)->newer_vop3 && !is_memory_word((int)insn->variant) &&
           (insn->variant == GCN_VOP3 || insn->variant == GCN_VOP3H || insn->variant == GCN_VOP3P ||
               (insn->nparts > 1 && insn->parts[1].format != &gcn_layouts[GCN_W_LITERAL]));
}

/* LDS_DIRECT is taken as the first source of short vector operations that do not swap their sources. */
static bool lds_direct_is_taken(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    const char *name = insn->op->name;
    if (insn->nparts > 1 && insn->parts[1].format != &gcn_layouts[GCN_W_LITERAL]) return false;
    if (!(insn->op->flags & GPUDBG_OP_VECTOR) || o->swizzle != GCN_IN_SRC0 || dwords_of(o->type) != 1) return false;
    const char *rev = strstr(name, "rev_");
    return !rev || insn->op->id == GCN_v_bfrev_b32;
}

/* Whether the constant in the text of the operation is a half. */
static bool takes_half_constant(const struct gpudbg_op *op)
{
    return op->id == GCN_v_fmamk_f16 || op->id == GCN_v_fmaak_f16;
}

/* Whether the source is two halves, of which a literal in the text is one. */
static bool takes_half_pairs(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    return insn->variant == GCN_VOP3P && o->type == GCN_B32 && strncmp(insn->op->name, "v_dot4", 6) != 0 &&
           strncmp(insn->op->name, "v_dot8", 6) != 0;
}

/* ... and whether the assembler keeps a number there as a literal. */
static bool pair_literal_stays(const struct gpudbg_op *op, uint32_t bits)
{
    const bool mixed = takes_mixed_sources(op), whole = !mixed && !strstr(op->name, "f16");
    if (mixed) return stays_literal(bits, GCN_F16) && bits <= 0xffff;
    if (bits > 0xffff) return bits < 0xfffffff0 && !(whole && is_inline_float(bits));
    return bits > 64 && (whole || !is_inline_half(bits));
}

static bool operand_is_taken(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    if (insn->op->id == GCN_v_permlane16_b32 || insn->op->id == GCN_v_permlanex16_b32)
        if (wrong_file(insn, o)) return false;
    if (o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_V && !gcn_is_mask(o->type) && !(insn->op->flags & GCN_ALL))
        return o->reg + o->count <= 256u; /* nearly all */
    if (wrong_file(insn, o)) return false;
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    if (o->kind == GPUDBG_SPECIAL && o->sub == GCN_CODE_NULL && chip->null_register) return true;
    if (o->kind == GPUDBG_SPECIAL && is_aperture(chip, o->sub)) return !(o->flags & GPUDBG_WRITE);
    if (o->flags & GPUDBG_WRITE && o->kind != GPUDBG_REGISTER) return o->type >= GCN_TARGET;
    switch ((enum gpudbg_operand_kind)o->kind) {
    case GPUDBG_REGISTER: return register_has_name(gcn_chip_of(insn->isa), o);
    case GPUDBG_LITERAL:
        if (takes_half_constant(insn->op)) return literal_of_insn(insn) <= 0xffff;
        if (o->swizzle == GCN_IN_K || o->swizzle == GCN_IN_LITERAL) return true;
        if (o->type == GCN_F64 && o->mods) return false;
        if (takes_half_pairs(insn, o)) return pair_literal_stays(insn->op, literal_of_insn(insn));
        if (o->swizzle == GCN_IN_OFFSET) return literal_of_insn(insn) >= 0x100;
        if (is_half_literal(gcn_chip_of(insn->isa), o->type) && o->type != GCN_F16)
            return literal_of_insn(insn) > 64 && literal_of_insn(insn) <= 0xffff;
        return stays_literal(literal_of_insn(insn), o->type);
    case GPUDBG_INTEGER:
    case GPUDBG_NUMBER:
        /* A half as source of the long form takes no constant at all. */
        return !(o->type == GCN_F16 && insn->variant == GCN_VOP3 && !gcn_chip_of(insn->isa)->newer_vop3) &&
               !is_half_as_bits(gcn_chip_of(insn->isa), o->type, o->sub);
    case GPUDBG_SPECIAL:
        if (o->sub == GCN_CODE_LDS) return lds_direct_is_taken(insn, o);
        return o->sub == 0;
    default: return true;
    }
}

/* ---- Rules of an encoding ---- */

/* A vector operation reads one scalar register or literal, however often.  LDS_DIRECT is not a scalar. */
static bool one_scalar(const struct gpudbg_insn *insn)
{
    unsigned seen = 0;
    bool any = false;
    if (gcn_chip_of(insn->isa)->scalar_reads > 1) return true; /* short words cannot have more than two */
    if (insn->op->flags & (GCN_VCC_R | GCN_M0_R)) {
        seen = insn->op->flags & GCN_VCC_R ? GCN_CODE_VCC << 4 | 2 : GCN_CODE_M0 << 4 | 1;
        any = true;
    }
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->flags & GPUDBG_IMPLICIT) break;
        if (!(o->kind == GPUDBG_LITERAL ||
                (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_READ && o->file != GCN_FILE_V)))
            continue;
        if (insn->op->id == GCN_v_writelane_b32 && o->swizzle == GCN_IN_SRC1 && o->file == GCN_FILE_M0) continue;
        /* A bit of the status is one register, whatever the width it is read in. */
        const bool bit = o->sub >= GCN_CODE_VCCZ && o->sub <= GCN_CODE_SCC;
        unsigned key = (unsigned)o->sub << 4 | (bit ? 1 : dwords_of(o->type));
        if (any && seen != key) return false;
        seen = key;
        any = true;
    }
    return true;
}

static bool is_float(unsigned type) { return type == GCN_F32 || type == GCN_F64 || type == GCN_F16; }

/* The assembler takes modifiers only where they have a meaning for it. */
static bool modifiers_are_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    unsigned id = insn->op->id, id_sources = 0;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        unsigned n = o->swizzle - GCN_IN_SRC0;
        if (n > 2) continue;
        bool taken = is_float(o->type) || (id == GCN_v_cndmask_b32 && n < 2);
        if (o->mods && !taken) return false;
        id_sources |= 1u << n;
    }
    if (GET(w, VOP3, neg) & ~id_sources) return false;
    const struct gpudbg_operand *result = insn->noperands ? &insn->operands[0] : NULL;
    bool scaled = result && (is_float(result->type) || id == GCN_v_cvt_pkrtz_f16_f32);
    bool halved = scaled || id == GCN_v_cvt_i32_f64 || id == GCN_v_cvt_u32_f32 || id == GCN_v_cvt_i32_f32 ||
                  id == GCN_v_cvt_u32_f64 || id == GCN_v_frexp_exp_i32_f64;
    if (GET(w, VOP3, omod) && !halved) return false;
    if (insn->parts[0].format == &gcn_layouts[GCN_W_VOP3B]) return true; /* SDST takes the place of abs and clamp */
    if (GET(w, VOP3, abs) & ~id_sources) return false;
    return !GET(w, VOP3, clamp) || scaled;
}

static bool vector_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    const uint64_t modifiers = MASK(VOP3, neg) | MASK(VOP3, omod) | MASK(VOP3, abs) | MASK(VOP3, clamp);
    if (insn->variant == GCN_VOP3) {
        if (insn->op->flags & GCN_ALL) return false; /* v_readlane and the like have no long form there */
        if (w & modifiers && !modifiers_are_taken(insn, w)) return false;
    }
    if (insn->op->flags & GCN_E32 && GET(w, VOP2, src0) == GCN_CODE_LITERAL)
        return stays_literal((uint32_t)(w >> 32), takes_half_constant(insn->op) ? GCN_F16 : GCN_F32);
    return one_scalar(insn);
}

static bool buffer_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    bool load = (insn->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == GPUDBG_OP_LOAD;
    bool lds = insn->variant == GCN_MUBUF && GET(w, MUBUF, lds), tfe = GET(w, MUBUF, tfe);
    if (!gcn_templates[insn->op->id].operand[0]) return !(w & ~(MASK(MUBUF, op) | MASK(MUBUF, encoding)));
    if (GET(w, MUBUF, addr64) && (GET(w, MUBUF, offen) || GET(w, MUBUF, idxen))) return false;
    if (tfe && (!load || lds || insn->variant == GCN_MTBUF)) return false;
    if (!lds) return true;
    switch (insn->op->id) {
    case GCN_buffer_load_format_x:
    case GCN_buffer_load_ubyte:
    case GCN_buffer_load_sbyte:
    case GCN_buffer_load_ushort:
    case GCN_buffer_load_sshort:
    case GCN_buffer_load_dword: return true;
    }
    return false;
}

/* Data widths of image atomics for which the assembler has an instruction: bits of dmask, and tfe. */
static bool image_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    unsigned dmask = GET(w, MIMG, dmask), tfe = GET(w, MIMG, tfe), id = insn->op->id;
    if (id >= GCN_image_gather4 && id <= GCN_image_gather4_c_lz_o) return dmask && !(dmask & (dmask - 1));
    if (!(insn->op->flags & GPUDBG_OP_STORE) || !(insn->op->flags & GPUDBG_OP_LOAD)) return true;
    if (id == GCN_image_atomic_cmpswap || id == GCN_image_atomic_fcmpswap)
        return dmask == 3 || dmask == 15 || (dmask == 1 && tfe);
    return dmask == 1 || dmask == 3 || (dmask == 15 && tfe);
}

static bool data_share_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    if (insn->op->flags & GCN_GWS) return GET(w, DS, gds);
    if (insn->op->id == GCN_ds_permute_b32 || insn->op->id == GCN_ds_bpermute_b32) return !GET(w, DS, gds);
    if (insn->op->id == GCN_ds_nop) return !GET(w, DS, offset) && !GET(w, DS, gds);
    return true;
}

static bool export_is_taken(const struct gcn_chip *chip, uint64_t w)
{
    unsigned target = GET(w, EXP, tgt), en = GET(w, EXP, en);
    const char *name = gpudbg_enum_name(gcn_export_targets(chip), target);
    if (strncmp(name, "invalid", 7) == 0) return false;
    return !GET(w, EXP, compr) || en == 0 || en == 3 || en == 12 || en == 15;
}

static bool scalar_load_is_taken(const struct gpudbg_insn *insn)
{
    const struct gpudbg_operand *o = gcn_operand(insn, GCN_IN_SDST);
    if (!o) return true;
    return o->file != GCN_FILE_EXEC && (o->file != GCN_FILE_M0);
}

static bool interpolation_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    if (GET(w, VINTRP, attr) > 32) return false;
    return insn->op->id != GCN_v_interp_mov_f32 || GET(w, VINTRP_MOV, vsrc) < 3;
}

/* The rule of the encoding that the word breaks, as a sentence; NULL: none. */
static const char *refused_word(const struct gpudbg_insn *insn, uint64_t w)
{
    if (has_newer_fields(insn)) return newer_word_refused(insn, w);
    if (is_memory_word((int)insn->variant)) return memory_refused(insn, w);
    switch (insn->variant) {
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOP3:
    case GCN_VOPC:
        if (!one_scalar(insn)) return "a vector instruction reads one scalar register or one literal, not two";
        return vector_is_taken(insn, w) ? NULL : "the operation does not take these modifiers or this constant";
    case GCN_MUBUF:
    case GCN_MTBUF: return buffer_is_taken(insn, w) ? NULL : "the operation does not take these modifiers together";
    case GCN_MIMG:
        return image_is_taken(insn, w)
                   ? NULL
                   : "the operation does not take this dmask: an atomic has 1 or 3, a gather one bit";
    case GCN_DS:
        return data_share_is_taken(insn, w)
                   ? NULL
                   : "the operation works on one of the data shares alone: gds is missing, or not wanted";
    case GCN_EXP:
        return export_is_taken(gcn_chip_of(insn->isa), w)
                   ? NULL
                   : "the export target, or this choice of sources with compr, does not exist";
    case GCN_SMRD: return scalar_load_is_taken(insn) ? NULL : "a scalar load cannot write this register";
    case GCN_VINTRP:
        return interpolation_is_taken(insn, w) ? NULL : "attributes are attr0 to attr32, their values p10, p20 and p0";
    }
    return NULL;
}

const char *llvm_refuses(const struct gpudbg_insn *insn, int *operand)
{
    uint64_t w = word_of(insn);
    *operand = -1;
    if (insn->op->flags & GCN_NOASM) return "LLVM does not know the instruction";
    if (!has_newer_fields(insn) && !unused_bits_clear(insn, w)) return "bits are set that the text does not show";
    for (unsigned i = 0; i < insn->noperands; i++) {
        if (insn->operands[i].flags & GPUDBG_IMPLICIT) break;
        if (operand_is_taken(insn, &insn->operands[i])) continue;
        *operand = (int)i;
        if (insn->operands[i].kind == GPUDBG_REGISTER && insn->operands[i].file != GCN_FILE_V &&
            !register_has_name(gcn_chip_of(insn->isa), &insn->operands[i]))
            return "two scalar registers start at an even number, and more at a multiple of 4";
        return "this register or constant is not allowed here";
    }
    return refused_word(insn, w);
}

/* ---- What is decided for a whole row ----
 * Listings ask this once for each row, so that most words need no more than their fields. */

bool llvm_takes_row(const struct gpudbg_insn *insn, uint64_t *said)
{
    const struct gpudbg_op *op = insn->op;
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    const bool newer = has_newer_vop3(chip, insn->variant);
    if ((chip->newer_vop3 && is_long((int)insn->variant) && !newer) || is_memory_word((int)insn->variant) ||
        op->flags & (GCN_NOASM | GCN_GWS) || op->id == GCN_ds_nop || !gcn_templates[op->id].operand[0] ||
        breaks_own_rule(op->id, &insn->operands[0]) >= 0)
        return false;
    for (unsigned i = 0; i < insn->noperands && (newer || insn->variant == GCN_VOP3); i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if ((o->type == GCN_F16 && !newer) || (gcn_is_mask(o->type) && !(o->flags & GPUDBG_WRITE))) return false;
    }
    if (newer) return newer_takes_row(insn, said);
    *said = used_bits(insn, word_of(insn));
    return !(insn->variant == GCN_VOP3 && op->flags & GCN_ALL);
}

bool llvm_takes_code(const struct gcn_chip *chip, unsigned code, unsigned dwords, enum llvm_use use)
{
    const bool pair = dwords == 2 && !(code & 1);
    if (code >= GCN_CODE_VGPR) return code + dwords <= GCN_CODE_VGPR + 256;
    if (code >= GCN_CODE_INT)
        return use == LLVM_SOURCE &&
               (code <= GCN_CODE_NEG + 16 || (code >= GCN_CODE_FLOAT && code < GCN_CODE_INV_2PI) ||
                   (code >= GCN_CODE_VCCZ && code <= GCN_CODE_SCC));
    if (code >= chip->ttmp && code < GCN_CODE_M0) return dwords == 1 || pair;
    if (code < chip->sgprs) return dwords == 1 || pair || (code % 4 == 0 && code + dwords <= chip->sgprs);
    if (use == LLVM_LOADED && code / 2 != GCN_CODE_VCC / 2) return false;
    if (lacks_flat_scratch(chip, code) || code == GCN_CODE_NULL) return false;
    return dwords == 1 || (pair && code != GCN_CODE_M0);
}

bool llvm_keeps_literal(uint32_t bits, unsigned type) { return stays_literal(bits, type); }
