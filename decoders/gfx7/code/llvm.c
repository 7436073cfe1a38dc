/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * llvm.c: what LLVM's assembler cannot say.  The hardware's words are wider than the assembler's language:
 * bits that nothing uses, registers out of line, two constants on one bus.  Such words are printed as data
 * when the text is meant for the assembler.  All of it was found by asking llvm-mc 19 -arch=amdgcn
 * -mcpu=bonaire.
 */
#include "code/gfx7_decoder.h"

/* ---- Bits that the text does not carry ---- */

#define RANGE(hi, lo) ((((uint64_t)2 << ((hi) - (lo))) - 1) << (lo))

/* Bits of a word that the text gives back whatever the opcode: encoding, opcode, modifiers. */
static const uint64_t always[GFX7_ENCODINGS] = {
    [GFX7_DS] = RANGE(31, 17) | RANGE(15, 0),
    [GFX7_EXP] = RANGE(31, 26) | RANGE(12, 0),
    [GFX7_FLAT] = RANGE(31, 26) | RANGE(24, 16),
    [GFX7_MIMG] = RANGE(31, 8),
    [GFX7_MTBUF] = RANGE(31, 0) | RANGE(54, 54),
    [GFX7_MUBUF] = RANGE(31, 26) | RANGE(24, 18) | RANGE(16, 0) | RANGE(55, 54),
    [GFX7_SMRD] = RANGE(31, 22),
    [GFX7_SOP1] = RANGE(31, 23) | RANGE(15, 8),
    [GFX7_SOP2] = RANGE(31, 23),
    [GFX7_SOPC] = RANGE(31, 16),
    [GFX7_SOPK] = RANGE(31, 23),
    [GFX7_SOPP] = RANGE(31, 16),
    [GFX7_VINTRP] = RANGE(31, 26) | RANGE(17, 16),
    [GFX7_VOP1] = RANGE(31, 25) | RANGE(16, 9),
    [GFX7_VOP2] = RANGE(31, 25),
    [GFX7_VOP3] = RANGE(31, 17) | RANGE(63, 59) | RANGE(11, 8),
    [GFX7_VOPC] = RANGE(31, 17),
};

/* Bits of a word that stand for an operand. */
static const uint64_t by_slot[GFX7_ENCODINGS][GFX7_IN_COUNT] = {
    [GFX7_DS] = {[GFX7_IN_ADDR] = RANGE(39, 32),
        [GFX7_IN_DATA0] = RANGE(47, 40),
        [GFX7_IN_DATA1] = RANGE(55, 48),
        [GFX7_IN_VDST] = RANGE(63, 56)},
    [GFX7_FLAT] = {[GFX7_IN_ADDR] = RANGE(39, 32), [GFX7_IN_DATA] = RANGE(47, 40), [GFX7_IN_VDST] = RANGE(63, 56)},
    [GFX7_MIMG] = {[GFX7_IN_VADDR] = RANGE(39, 32),
        [GFX7_IN_VDATA] = RANGE(47, 40),
        [GFX7_IN_SRSRC] = RANGE(52, 48),
        [GFX7_IN_SSAMP] = RANGE(57, 53)},
    [GFX7_MTBUF] = {[GFX7_IN_VADDR] = RANGE(39, 32),
        [GFX7_IN_VDATA] = RANGE(47, 40),
        [GFX7_IN_SRSRC] = RANGE(52, 48),
        [GFX7_IN_SOFFSET] = RANGE(63, 56)},
    [GFX7_MUBUF] = {[GFX7_IN_VADDR] = RANGE(39, 32),
        [GFX7_IN_VDATA] = RANGE(47, 40),
        [GFX7_IN_SRSRC] = RANGE(52, 48),
        [GFX7_IN_SOFFSET] = RANGE(63, 56)},
    [GFX7_SMRD] = {[GFX7_IN_OFFSET] = RANGE(8, 0), [GFX7_IN_SBASE] = RANGE(14, 9), [GFX7_IN_SDST] = RANGE(21, 15)},
    [GFX7_SOP1] = {[GFX7_IN_SSRC0] = RANGE(7, 0), [GFX7_IN_SDST] = RANGE(22, 16)},
    [GFX7_SOP2] = {[GFX7_IN_SSRC0] = RANGE(7, 0), [GFX7_IN_SSRC1] = RANGE(15, 8), [GFX7_IN_SDST] = RANGE(22, 16)},
    [GFX7_SOPC] = {[GFX7_IN_SSRC0] = RANGE(7, 0), [GFX7_IN_SSRC1] = RANGE(15, 8)},
    [GFX7_SOPK] = {[GFX7_IN_SIMM16] = RANGE(15, 0), [GFX7_IN_SDST] = RANGE(22, 16)},
    [GFX7_SOPP] = {[GFX7_IN_SIMM16] = RANGE(15, 0)},
    [GFX7_VINTRP] = {[GFX7_IN_VSRC] = RANGE(7, 0), [GFX7_IN_ATTR] = RANGE(15, 8), [GFX7_IN_VDST] = RANGE(25, 18)},
    [GFX7_VOP1] = {[GFX7_IN_SRC0] = RANGE(8, 0), [GFX7_IN_VDST] = RANGE(24, 17)},
    [GFX7_VOP2] = {[GFX7_IN_SRC0] = RANGE(8, 0), [GFX7_IN_SRC1] = RANGE(16, 9), [GFX7_IN_VDST] = RANGE(24, 17)},
    [GFX7_VOP3] = {[GFX7_IN_SRC0] = RANGE(40, 32),
        [GFX7_IN_SRC1] = RANGE(49, 41),
        [GFX7_IN_SRC2] = RANGE(58, 50),
        [GFX7_IN_VDST] = RANGE(7, 0),
        [GFX7_IN_SDST] = RANGE(14, 8)},
    [GFX7_VOPC] = {[GFX7_IN_SRC0] = RANGE(8, 0), [GFX7_IN_SRC1] = RANGE(16, 9)},
};

/* Exports: bits of the sources that are printed.  With compr the two registers stand in the first two fields.
 */
static uint64_t export_bits(uint64_t w)
{
    uint64_t bits = 0;
    bool compr = bits_of(w, 10, 10);
    for (unsigned i = 0; i < 4; i++)
        if (w >> i & 1) bits |= (uint64_t)0xff << (32 + 8 * (compr ? i / 2 : i));
    return bits;
}

static bool unused_bits_clear(const struct gpudbg_insn *insn, uint64_t w)
{
    const uint64_t *slots = by_slot[insn->variant];
    uint64_t used = always[insn->variant];
    if (insn->nparts == 2) used |= 0xffffffff00000000;
    if (insn->variant == GFX7_EXP) used |= export_bits(w);
    for (const struct gpudbg_operand *o = insn->operands, *end = o + insn->noperands; o != end; o++)
        if (o->kind != GPUDBG_SPECIAL || o->type) used |= slots[o->swizzle];
    return !(w & ~used);
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

/* Whether the assembler leaves a number as a literal, and does not make an inline constant of it. */
static bool stays_literal(uint32_t bits, unsigned type)
{
    if (bits <= 64) return false;
    if (type == GFX7_F16) return bits < 0xfff0 && !is_inline_half(bits);
    if (dwords_of(type) == 2) return type != GFX7_F64 || !is_inline_double(bits);
    return bits < 0xfffffff0 && !is_inline_float(bits);
}

/* ---- Operands ---- */

/* Whether a register, or a run of them, has a name. */
static bool register_has_name(const struct gpudbg_operand *o)
{
    unsigned dwords = dwords_of(o->type), code = o->sub;
    if (o->file == GFX7_FILE_V) return o->reg + o->count <= 256u;
    if (dwords == 1 || code >= GFX7_CODE_VCCZ) return true;
    if (o->file == GFX7_FILE_M0 || code & 1) return false;
    if (dwords == 2) return true;
    unsigned first = o->file == GFX7_FILE_S ? code : code - GFX7_CODE_TTMP;
    unsigned last = o->file == GFX7_FILE_S ? 104 : 12;
    if (o->file != GFX7_FILE_S && o->file != GFX7_FILE_TTMP) return false;
    return first % 4 == 0 && first + dwords <= last;
}

/* Whether the place takes only a VGPR, and it is none, or no VGPR, and it is one. */
static bool wrong_file(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    bool vgpr = o->kind == GPUDBG_REGISTER && o->file == GFX7_FILE_V;
    switch (insn->op->id) {
    case GFX7_v_readlane_b32:
        return o->swizzle == GFX7_IN_SRC0 ? !vgpr && o->sub != GFX7_CODE_LDS : o->swizzle == GFX7_IN_SRC1 && vgpr;
    case GFX7_v_writelane_b32: return o->swizzle != GFX7_IN_VDST && vgpr;
    case GFX7_v_readfirstlane_b32: return o->swizzle == GFX7_IN_SRC0 && !vgpr && o->sub != GFX7_CODE_LDS;
    case GFX7_v_movrels_b32:
    case GFX7_v_movrelsd_b32: return o->swizzle == GFX7_IN_SRC0 && !vgpr;
    case GFX7_v_mqsad_u32_u8: return o->swizzle == GFX7_IN_SRC2 && !vgpr;
    case GFX7_s_setpc_b64:
    case GFX7_s_rfe_b64:
    case GFX7_s_movrels_b64: return o->sub >= GFX7_CODE_INT;
    case GFX7_s_movrels_b32:
    case GFX7_s_cbranch_join: return o->kind != GPUDBG_REGISTER;
    case GFX7_s_cbranch_g_fork: return o->kind == GPUDBG_LITERAL;
    }
    if (o->swizzle == GFX7_IN_OFFSET && o->sub >= GFX7_CODE_INT)
        return o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER;
    return o->type == GFX7_MASK && insn->variant == GFX7_VOP3 && (o->kind != GPUDBG_REGISTER || vgpr);
}

/* LDS_DIRECT is taken as the first source of short vector operations that do not swap their sources. */
static bool lds_direct_is_taken(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    const char *name = insn->op->name;
    if (!(insn->op->flags & GPUDBG_OP_VECTOR) || o->swizzle != GFX7_IN_SRC0 || dwords_of(o->type) != 1) return false;
    const char *rev = strstr(name, "rev_");
    return !rev || insn->op->id == GFX7_v_bfrev_b32;
}

static bool operand_is_taken(const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    if (o->kind == GPUDBG_REGISTER && o->file == GFX7_FILE_V && o->type != GFX7_MASK && !(insn->op->flags & GFX7_ALL))
        return o->reg + o->count <= 256u; /* nearly all */
    if (wrong_file(insn, o)) return false;
    if (o->flags & GPUDBG_WRITE && o->kind != GPUDBG_REGISTER) return o->type >= GFX7_TARGET;
    switch ((enum gpudbg_operand_kind)o->kind) {
    case GPUDBG_REGISTER: return register_has_name(o);
    case GPUDBG_LITERAL:
        if (o->swizzle == GFX7_IN_K || o->swizzle == GFX7_IN_LITERAL) return true;
        if (o->swizzle == GFX7_IN_OFFSET) return (word_of(insn) >> 32) >= 0x100;
        return stays_literal((uint32_t)(word_of(insn) >> 32), o->type);
    case GPUDBG_INTEGER:
    case GPUDBG_NUMBER:
        /* A half as source of the long form takes no constant at all. */
        return !(o->type == GFX7_F16 && insn->variant == GFX7_VOP3);
    case GPUDBG_SPECIAL:
        if (o->sub == GFX7_CODE_LDS) return lds_direct_is_taken(insn, o);
        return o->sub == 0;
    default: return true;
    }
}

/* ---- Rules of an encoding ---- */

/* A vector operation reads one scalar register or literal, however often.  LDS_DIRECT is no scalar. */
static bool one_scalar(const struct gpudbg_insn *insn)
{
    unsigned seen = 0;
    bool any = false;
    if (insn->op->flags & (GFX7_VCC_R | GFX7_M0_R)) {
        seen = insn->op->flags & GFX7_VCC_R ? GFX7_CODE_VCC << 4 | 2 : GFX7_CODE_M0 << 4 | 1;
        any = true;
    }
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->flags & GPUDBG_IMPLICIT) break;
        if (!(o->kind == GPUDBG_LITERAL ||
                (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_READ && o->file != GFX7_FILE_V)))
            continue;
        if (insn->op->id == GFX7_v_writelane_b32 && o->swizzle == GFX7_IN_SRC1 && o->file == GFX7_FILE_M0) continue;
        /* A bit of the status is one register, whatever the width it is read in. */
        const bool bit = o->sub >= GFX7_CODE_VCCZ && o->sub <= GFX7_CODE_SCC;
        unsigned key = (unsigned)o->sub << 4 | (bit ? 1 : dwords_of(o->type));
        if (any && seen != key) return false;
        seen = key;
        any = true;
    }
    return true;
}

static bool is_float(unsigned type) { return type == GFX7_F32 || type == GFX7_F64 || type == GFX7_F16; }

/* Modifiers stand only where the assembler thinks they mean something. */
static bool modifiers_are_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    unsigned id = insn->op->id, id_sources = 0;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        unsigned n = o->swizzle - GFX7_IN_SRC0;
        if (n > 2) continue;
        bool taken = is_float(o->type) || (id == GFX7_v_cndmask_b32 && n < 2);
        if (o->mods && !taken) return false;
        id_sources |= 1u << n;
    }
    if (bits_of(w, 63, 61) & ~id_sources) return false;
    const struct gpudbg_operand *result = insn->noperands ? &insn->operands[0] : NULL;
    bool scaled = result && (is_float(result->type) || id == GFX7_v_cvt_pkrtz_f16_f32);
    bool halved = scaled || id == GFX7_v_cvt_i32_f64 || id == GFX7_v_cvt_u32_f32 || id == GFX7_v_cvt_i32_f32 ||
                  id == GFX7_v_cvt_u32_f64 || id == GFX7_v_frexp_exp_i32_f64;
    if (bits_of(w, 60, 59) && !halved) return false;
    if (insn->parts[0].format == &gfx7_layouts[GFX7_W_VOP3B]) return true; /* SDST stands where abs and clamp are */
    if (bits_of(w, 10, 8) & ~id_sources) return false;
    return !bits_of(w, 11, 11) || scaled;
}

static bool vector_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    if (insn->variant == GFX7_VOP3) {
        if (insn->op->flags & GFX7_ALL) return false; /* v_readlane and the like have no long form there */
        if (w & (RANGE(63, 59) | RANGE(11, 8)) && !modifiers_are_taken(insn, w)) return false;
    }
    if (insn->op->flags & GFX7_E32 && bits_of(w, 8, 0) == GFX7_CODE_LITERAL)
        return stays_literal((uint32_t)(w >> 32), GFX7_F32);
    return one_scalar(insn);
}

static bool buffer_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    bool load = (insn->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE)) == GPUDBG_OP_LOAD;
    bool lds = insn->variant == GFX7_MUBUF && bits_of(w, 16, 16), tfe = bits_of(w, 55, 55);
    if (!gfx7_templates[insn->op->id].operand[0]) return bits_of(w, 63, 32) == 0 && bits_of(w, 17, 0) == 0;
    if (bits_of(w, 15, 15) && bits_of(w, 13, 12)) return false;
    if (tfe && (!load || lds || insn->variant == GFX7_MTBUF)) return false;
    if (!lds) return true;
    switch (insn->op->id) {
    case GFX7_buffer_load_format_x:
    case GFX7_buffer_load_ubyte:
    case GFX7_buffer_load_sbyte:
    case GFX7_buffer_load_ushort:
    case GFX7_buffer_load_sshort:
    case GFX7_buffer_load_dword: return true;
    }
    return false;
}

/* Data widths of image atomics for which the assembler has an instruction: bits of dmask, and tfe. */
static bool image_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    unsigned dmask = bits_of(w, 11, 8), tfe = bits_of(w, 16, 16), id = insn->op->id;
    if (id >= GFX7_image_gather4 && id <= GFX7_image_gather4_c_lz_o) return dmask && !(dmask & (dmask - 1));
    if (!(insn->op->flags & GPUDBG_OP_STORE) || !(insn->op->flags & GPUDBG_OP_LOAD)) return true;
    if (id == GFX7_image_atomic_cmpswap || id == GFX7_image_atomic_fcmpswap)
        return dmask == 3 || dmask == 15 || (dmask == 1 && tfe);
    return dmask == 1 || dmask == 3 || (dmask == 15 && tfe);
}

static bool data_share_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    if (insn->op->flags & GFX7_GWS) return bits_of(w, 17, 17);
    if (insn->op->id == GFX7_ds_nop) return bits_of(w, 17, 0) == 0;
    return true;
}

static bool export_is_taken(uint64_t w)
{
    unsigned target = bits_of(w, 9, 4), en = bits_of(w, 3, 0);
    if (target == 10 || target == 11 || (target >= 16 && target < 32)) return false;
    return !bits_of(w, 10, 10) || en == 0 || en == 3 || en == 12 || en == 15;
}

static bool scalar_load_is_taken(const struct gpudbg_insn *insn)
{
    const struct gpudbg_operand *o = gfx7_operand(insn, GFX7_IN_SDST);
    if (!o) return true;
    return o->file != GFX7_FILE_EXEC && (o->file != GFX7_FILE_M0);
}

static bool interpolation_is_taken(const struct gpudbg_insn *insn, uint64_t w)
{
    if (bits_of(w, 15, 10) > 32) return false;
    return insn->op->id != GFX7_v_interp_mov_f32 || bits_of(w, 7, 0) < 3;
}

/* What rules of the encoding the word breaks, as a sentence; NULL: none. */
static const char *refused_word(const struct gpudbg_insn *insn, uint64_t w)
{
    switch (insn->variant) {
    case GFX7_VOP1:
    case GFX7_VOP2:
    case GFX7_VOP3:
    case GFX7_VOPC:
        if (!one_scalar(insn)) return "a vector instruction reads one scalar register or one literal, not two";
        return vector_is_taken(insn, w) ? NULL : "the operation does not take these modifiers or this constant";
    case GFX7_MUBUF:
    case GFX7_MTBUF: return buffer_is_taken(insn, w) ? NULL : "the operation does not take these modifiers together";
    case GFX7_MIMG:
        return image_is_taken(insn, w)
                   ? NULL
                   : "the operation does not take this dmask: an atomic has 1 or 3, a gather one bit";
    case GFX7_DS:
        return data_share_is_taken(insn, w) ? NULL : "the operation works on the global data share: gds is missing";
    case GFX7_EXP:
        return export_is_taken(w) ? NULL : "the export target, or this choice of sources with compr, does not exist";
    case GFX7_SMRD: return scalar_load_is_taken(insn) ? NULL : "a scalar load cannot write this register";
    case GFX7_VINTRP:
        return interpolation_is_taken(insn, w) ? NULL : "attributes are attr0 to attr32, their values p10, p20 and p0";
    }
    return NULL;
}

const char *llvm_refuses(const struct gpudbg_insn *insn, int *operand)
{
    uint64_t w = word_of(insn);
    *operand = -1;
    if (insn->op->flags & GFX7_NOASM) return "LLVM does not know the instruction";
    if (!unused_bits_clear(insn, w)) return "bits are set that the text does not show";
    for (unsigned i = 0; i < insn->noperands; i++) {
        if (insn->operands[i].flags & GPUDBG_IMPLICIT) break;
        if (operand_is_taken(insn, &insn->operands[i])) continue;
        *operand = (int)i;
        if (insn->operands[i].kind == GPUDBG_REGISTER && insn->operands[i].file != GFX7_FILE_V &&
            !register_has_name(&insn->operands[i]))
            return "two scalar registers start at an even number, and more at a multiple of 4";
        return "this register or constant is not allowed here";
    }
    return refused_word(insn, w);
}
