/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_text.c: an instruction as LLVM's assembler writes it.  Mnemonic, operands with commas, then modifiers in the
 * order that the assembler asks for.  Text is made from the word and its row: a table has the names of operand codes,
 * and only operands that are not a plain field are decoded first.  Without printf, listings are written at the speed of
 * copying.
 */
#include "gpudbg/unset.h"
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* ---- Modifiers ---- */

char *put_flag(char *p, uint32_t set, const char *name)
{
    if (!set) return p;
    *p++ = ' ';
    return put(p, name);
}

char *put_offset(char *p, const char *name, unsigned value)
{
    if (!value) return p;
    memcpy(p, name, 8); /* no name is shorter */
    p = put(p + 8, name + 8);
    return value < 256 ? put_small(p, value) : put_number(p, value);
}

/* The masks of ds_swizzle as LLVM spells them; NULL if that would not give the same 15 bits back. */
static char *put_swizzle_masks(char *p, unsigned value)
{
    unsigned and_mask = value & 31, or_mask = value >> 5 & 31, xor_mask = value >> 10 & 31, group = 32 - and_mask;
    if (and_mask == 31 && !or_mask && xor_mask && !(xor_mask & (xor_mask - 1))) {
        p = put_number(PUT(p, "swizzle(SWAP,"), xor_mask);
        return PUT(p, ")");
    }
    if (and_mask == 31 && !or_mask && xor_mask > 1 && !(xor_mask & (xor_mask + 1))) {
        p = put_number(PUT(p, "swizzle(REVERSE,"), xor_mask + 1);
        return PUT(p, ")");
    }
    if (group > 1 && !(group & (group - 1)) && or_mask < group && !xor_mask) {
        p = put_number(PUT(p, "swizzle(BROADCAST,"), group);
        *p++ = ',';
        p = put_number(p, or_mask);
        return PUT(p, ")");
    }
    if (and_mask & or_mask || or_mask & xor_mask || xor_mask & ~and_mask) return NULL;
    p = PUT(p, "swizzle(BITMASK_PERM,\"");
    for (unsigned bit = 16; bit; bit >>= 1)
        *p++ = or_mask & bit ? '1' : xor_mask & bit ? 'i' : and_mask & bit ? 'p' : '0';
    return PUT(p, "\")");
}

static char *put_swizzle(char *p, unsigned value)
{
    if (!value) return p;
    p = PUT(p, " offset:");
    if ((value & 0xff00) == 0x8000) {
        p = PUT(p, "swizzle(QUAD_PERM");
        for (unsigned i = 0; i < 4; i++) {
            *p++ = ',';
            *p++ = (char)('0' + (value >> (2 * i) & 3));
        }
        return PUT(p, ")");
    }
    char *end = value & 0x8000 ? NULL : put_swizzle_masks(p, value);
    return end ? end : put_number(p, value);
}

static char *put_ds_modifiers(char *p, const struct gpudbg_format *layout, uint64_t w)
{
    if (layout >= &gcn_layouts[GCN_W_DS_2X4] && layout <= &gcn_layouts[GCN_W_DS_2X512]) {
        p = put_offset(p, " offset0:", GET(w, DS_2X4, offset0));
        p = put_offset(p, " offset1:", GET(w, DS_2X4, offset1));
    } else if (layout == &gcn_layouts[GCN_W_DS_SWIZZLE])
        p = put_swizzle(p, GET(w, DS, offset));
    else
        p = put_offset(p, " offset:", GET(w, DS, offset));
    return PUT_FLAG(p, w, DS, gds);
}

static char *put_buffer_format(char *p, uint64_t w)
{
    unsigned data = GET(w, MTBUF, dfmt), number = GET(w, MTBUF, nfmt);
    if (data == 1 && number == 0) return p; /* the assembler's default */
    p = PUT(p, " format:[");
    p = put(p, gpudbg_enum_name(&gcn_enum[GCN_E_BUF_DATA_FORMAT], data));
    *p++ = ',';
    p = put(p, gpudbg_enum_name(&gcn_enum[GCN_E_BUF_NUM_FORMAT], number));
    return PUT(p, "]");
}

static char *put_buffer_modifiers(char *p, int encoding, uint64_t w)
{
    if (encoding == GCN_MTBUF) p = put_buffer_format(p, w);
    if (w & (MASK(MUBUF, idxen) | MASK(MUBUF, offen) | MASK(MUBUF, addr64))) {
        p = PUT_FLAG(p, w, MUBUF, idxen);
        p = PUT_FLAG(p, w, MUBUF, offen);
        p = PUT_FLAG(p, w, MUBUF, addr64);
    }
    p = put_offset(p, " offset:", GET(w, MUBUF, offset));
    p = PUT_FLAG(p, w, MUBUF, glc);
    if (w & (MASK(MUBUF, slc) | MASK(MUBUF, tfe))) {
        p = PUT_FLAG(p, w, MUBUF, slc);
        p = PUT_FLAG(p, w, MUBUF, tfe);
    }
    return encoding == GCN_MUBUF ? PUT_FLAG(p, w, MUBUF, lds) : p;
}

static char *put_image_modifiers(char *p, uint64_t w)
{
    unsigned dmask = GET(w, MIMG, dmask);
    if (dmask) p = put_hex(PUT(p, " dmask:"), dmask);
    p = PUT_FLAG(p, w, MIMG, unorm);
    p = PUT_FLAG(p, w, MIMG, glc);
    p = PUT_FLAG(p, w, MIMG, slc);
    p = PUT_FLAG(p, w, MIMG, r128);
    p = PUT_FLAG(p, w, MIMG, tfe);
    p = PUT_FLAG(p, w, MIMG, lwe);
    return PUT_FLAG(p, w, MIMG, da);
}

const uint64_t gcn_modifier_bits[GCN_ENCODINGS] = {
    [GCN_VOP3] = MASK(VOP3, neg) | MASK(VOP3, omod) | MASK(VOP3, abs) | MASK(VOP3, clamp) | MASK(VOP3B, sdst) |
                 MASK(VOP3_HALF, op_sel),
    [GCN_DS] = MASK(DS, gds) | MASK(DS, offset),
    [GCN_MUBUF] = UINT64_MAX,
    [GCN_MTBUF] = UINT64_MAX,
    [GCN_MIMG] = UINT64_MAX,
    [GCN_FLAT] = MASK(FLAT, glc) | MASK(FLAT, slc) | MASK(FLAT, tfe),
    [GCN_VOP3H] = UINT64_MAX,
    [GCN_VOP3P] = UINT64_MAX,
    [GCN_SMEM] = UINT64_MAX,
    [GCN_FLAT_NEWER] = UINT64_MAX,
    [GCN_SCRATCH] = UINT64_MAX,
    [GCN_GLOBAL] = UINT64_MAX,
    [GCN_MUBUF_NEWER] = UINT64_MAX,
    [GCN_MTBUF_NEWER] = UINT64_MAX,
    [GCN_MTBUF_D16] = UINT64_MAX,
    [GCN_MIMG_NEWER] = UINT64_MAX,
    [GCN_MIMG_HIGH] = UINT64_MAX,
    [GCN_EXP] = MASK(EXP, compr) | MASK(EXP, done) | MASK(EXP, vm),
};

/* A bit for each source, unless all have the usual value: " op_sel:[0,1]". */
static char *put_bits(char *p, const char *name, unsigned bits, unsigned n, bool usual)
{
    if (bits == (usual ? (1u << n) - 1 : 0)) return p;
    p = put(p, name);
    for (unsigned i = 0; i < n; i++) {
        *p++ = i ? ',' : '[';
        *p++ = (char)('0' + (bits >> i & 1));
    }
    return PUT(p, "]");
}

bool takes_op_sel(const struct gcn_chip *chip, const struct gpudbg_op *op)
{
    if (!chip->newer_vop3) return op->flags & GCN_OPSEL && !is_vop3b(op);
    if (layout_on(chip, op) != &gcn_layouts[GCN_W_VOP3H_NEWER]) return false;
    for (const uint32_t *operand = gcn_templates[op->id].operand; *operand; operand++)
        if (is_half_literal(chip, *operand >> 8 & 255)) return true;
    return false;
}

unsigned gcn_sources(const struct gpudbg_op *op)
{
    unsigned n = 0;
    for (const uint32_t *operand = gcn_templates[op->id].operand; *operand; operand++)
        n += (*operand & 255) >= GCN_IN_SRC0 && (*operand & 255) <= GCN_IN_SRC2;
    return n;
}

static char *put_packed_modifiers(char *p, const struct decoder *d)
{
    const uint64_t w = d->word;
    const unsigned n = gcn_sources(d->op), all = (1u << n) - 1;
    const unsigned high = GET(w, VOP3P, op_sel_hi) | GET(w, VOP3P, op_sel_hi2) << LEN_OF(VOP3P, op_sel_hi);
    p = put_bits(p, " op_sel:", GET(w, VOP3P, op_sel) & all, n, false);
    p = put_bits(p, " op_sel_hi:", high & all, n, !takes_mixed_sources(d->op));
    if (has_source_modifiers(d)) return PUT_FLAG(p, w, VOP3P, clamp); /* signs of mixed sources are before them */
    p = put_bits(p, " neg_lo:", GET(w, VOP3P, neg_lo) & all, n, false);
    p = put_bits(p, " neg_hi:", GET(w, VOP3P, neg_hi) & all, n, false);
    return PUT_FLAG(p, w, VOP3P, clamp);
}

static char *put_select(char *p, const char *name, const struct gpudbg_enum *e, unsigned value)
{
    const char *said = gpudbg_enum_name(e, value);
    p = put(p, name);
    return said ? put(p, said) : put_number(p, value);
}

static char *put_sdwa_modifiers(char *p, const struct decoder *d)
{
    static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};
    const struct gpudbg_enum *parts = &gcn_enum[GCN_E_SDWA_SEL];
    const uint32_t w = d->literal;
    if (d->lanes == GCN_W_SDWA) {
        p = PUT_FLAG(p, w, SDWA, clamp);
        p = put(p, omod[GET(w, SDWA, omod)]);
        p = put_select(p, " dst_sel:", parts, GET(w, SDWA, dst_sel));
        p = put_select(p, " dst_unused:", &gcn_enum[GCN_E_SDWA_UNUSED], GET(w, SDWA, dst_unused));
    }
    p = put_select(p, " src0_sel:", parts, GET(w, SDWA, src0_sel));
    return gcn_sources(d->op) < 2 ? p : put_select(p, " src1_sel:", parts, GET(w, SDWA, src1_sel));
}

static char *put_dpp8(char *p, const struct decoder *d)
{
    p = PUT(p, " dpp8:[");
    for (unsigned i = 0; i < 8; i++) {
        if (i) *p++ = ',';
        *p++ = (char)('0' + (d->literal >> (LO_OF(DPP8, lane0) + 3 * i) & 7));
    }
    return put_flag(PUT(p, "]"), d->dpp8_fi, "fi:1");
}

static char *put_dpp_modifiers(char *p, const struct decoder *d)
{
    const uint32_t w = d->literal;
    char buf[64];
    if (d->lanes == GCN_W_DPP8) return put_dpp8(p, d);
    if (d->chip->newer_vop3) {
        say_dpp_newer(GET(w, DPP, dpp_ctrl), buf, sizeof buf);
        *p++ = ' ';
        p = put(p, buf);
        p = put_hex(PUT(p, " row_mask:"), GET(w, DPP, row_mask));
        p = put_hex(PUT(p, " bank_mask:"), GET(w, DPP, bank_mask));
        p = put_flag(p, GET(w, DPP, bound_ctrl), "bound_ctrl:1");
        return put_flag(p, GET(w, DPP_NEWER, fi), "fi:1");
    }
    say_dpp(GET(w, DPP, dpp_ctrl), buf, sizeof buf);
    *p++ = ' ';
    p = put(p, buf);
    p = put_hex(PUT(p, " row_mask:"), GET(w, DPP, row_mask));
    p = put_hex(PUT(p, " bank_mask:"), GET(w, DPP, bank_mask));
    p = put_flag(p, GET(w, DPP, bound_ctrl), "bound_ctrl:0");
    p = PUT_FLAG(p, w, DPP, src0_neg);
    p = PUT_FLAG(p, w, DPP, src0_abs);
    p = PUT_FLAG(p, w, DPP, src1_neg);
    return PUT_FLAG(p, w, DPP, src1_abs);
}

static char *put_modifiers(char *p, const struct decoder *d)
{
    static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};
    uint64_t w = d->word;
    if (d->lanes) return is_dpp(d->lanes) ? put_dpp_modifiers(p, d) : put_sdwa_modifiers(p, d);
    if (is_memory_word(d->encoding)) return put_memory_modifiers(p, d);
    switch (d->encoding) {
    case GCN_VOP3P: return put_packed_modifiers(p, d);
    case GCN_VOP3:
    case GCN_VOP3H:
        if (layout_on(d->chip, d->op) == &gcn_layouts[GCN_W_VOP3H_PERMLANE])
            return put_bits(p, " op_sel:", GET(w, VOP3H, op_sel) & 3, 2, false);
        if (layout_on(d->chip, d->op) == &gcn_layouts[GCN_W_VOP3H_INTERP] ||
            layout_on(d->chip, d->op) == &gcn_layouts[GCN_W_VOP3H_INTERP_MOV])
            p = PUT_FLAG(p, w, VOP3H_INTERP, high);
        if (takes_op_sel(d->chip, d->op)) {
            const unsigned n = gcn_sources(d->op), all = (1u << n) - 1,
                           sel = GET(w, VOP3H, op_sel); /* bit 3: the result */
            p = put_bits(p, " op_sel:", (sel & all) | (sel >> 3) << n, n + 1, false);
        }
        if (!is_vop3b(d->op))
            p = PUT_FLAG(p, w, VOP3, clamp);
        else if (d->chip->newer_vop3)
            p = PUT_FLAG(p, w, VOP3HB_NEWER, clamp);
        return put(p, omod[GET(w, VOP3, omod)]);
    case GCN_DS: return put_ds_modifiers(p, layout_on(d->chip, d->op), w);
    case GCN_MUBUF:
    case GCN_MTBUF: return gcn_templates[d->op->id].operand[0] ? put_buffer_modifiers(p, d->encoding, w) : p;
    case GCN_MIMG: return put_image_modifiers(p, w);
    case GCN_FLAT:
        p = PUT_FLAG(p, w, FLAT, glc);
        p = PUT_FLAG(p, w, FLAT, slc);
        return PUT_FLAG(p, w, FLAT, tfe);
    case GCN_EXP:
        p = PUT_FLAG(p, w, EXP, done);
        p = PUT_FLAG(p, w, EXP, compr);
        return PUT_FLAG(p, w, EXP, vm);
    }
    return p; /* short words have none */
}

/* ---- The whole instruction ---- */

/* A label, or the distance of the branch in dwords. */
static char *put_target(char *p, const struct decoder *d, const struct gpudbg_names *names)
{
    char buf[TEXT_OPERAND];
    const char *name = names ? names->name(names, branch_target(d->addr, d->word), buf, sizeof buf) : NULL;
    if (!name) return put_number(p, (int64_t)GET(d->word, SOPP_BRANCH, simm16));
    for (unsigned i = 0; i < TEXT_OPERAND - 1 && name[i]; i++) *p++ = name[i];
    return p;
}

/* The separator before an operand: none after the mnemonic, which ends with a blank, or after an export's mnemonic and
 * target, which do, too. */
static inline char *put_comma(char *p, const struct decoder *d, unsigned before)
{
    *p = ',';
    p += before > (d->encoding == GCN_EXP);
    *p = ' ';
    return p + 1;
}

/* An operand that is more than a field: decoded first. */
static char *put_decoded(char *p, struct decoder *d, uint32_t operand, unsigned *before)
{
    struct gpudbg_insn insn;
    insn.addr = d->addr;
    insn.isa = &d->chip->isa;
    d->insn = &insn;
    decode_layouts(d, d->raw);
    if (!decode_operand(d, operand)) return p;
    const struct gpudbg_operand *o = &insn.operands[0];
    p = put_comma(p, d, (*before)++);
    return put_operand(p, &insn, o);
}

static char *put_operands(char *p, struct decoder *d, const struct gpudbg_names *names)
{
    const bool plain = !has_source_modifiers(d), buffer = d->encoding == GCN_MUBUF || d->encoding == GCN_MTBUF;
    const uint64_t w = d->word;
    unsigned n = 0;
    if (d->op->id == GCN_s_endpgm && !GET(w, SOPP_PLAIN, simm16)) return p;
    if (is_memory_word(d->encoding)) return put_memory_operands(p, d);
    for (const uint32_t *operand = operands_on(d->chip, d->op); *operand; operand++) {
        unsigned slot = *operand & 255, type = *operand >> 8 & 255, dwords = *operand >> 16;
        const struct gcn_field_place place = gcn_place(d->op, d->encoding, *operand);
        unsigned code = (code_above_sgprs(place, w) + GCN_CODE_FLAT_SCRATCH) & 511;
        if (plain && place.mask | place.bias) {
            p = put_comma(p, d, n++);
            p = code == GCN_CODE_LITERAL && has_literal(d->encoding, d->size)
                    ? put_hex(p, is_half_literal(d->chip, type) ? (uint16_t)d->literal : d->literal)
                : is_half_as_bits(d->chip, type, code)         ? put_half_bits(p, code)
                : code == GCN_CODE_INV_2PI && d->chip->inv_2pi ? put_inv_2pi(p, dwords)
                : lacks_flat_scratch(d->chip, code)            ? put_number(PUT(p, "reserved_"), code)
                                                               : put_code(p, d->chip, code, dwords);
        } else if (slot == GCN_IN_VDATA && (dwords = data_dwords(d, dwords)) != 0) {
            p = put_code(put_comma(p, d, n++), d->chip,
                GCN_CODE_VGPR + (buffer ? GET(w, MUBUF, vdata) : GET(w, MIMG, vdata)), dwords);
        } else if (slot == GCN_IN_VADDR && buffer) {
            p = put_comma(p, d, n++);
            dwords = buffer_address_dwords(w);
            p = dwords ? put_code(p, d->chip, GCN_CODE_VGPR + GET(w, MUBUF, vaddr), dwords) : PUT(p, "off");
        } else if (slot == GCN_IN_K) {
            p = put_hex(put_comma(p, d, n++), is_half_literal(d->chip, type) ? (uint16_t)d->literal : d->literal);
        } else if (slot == GCN_IN_ATTR && d->encoding == GCN_VINTRP) {
            p = put_attribute(put_comma(p, d, n++), GET(w, VINTRP, attr) << 2 | GET(w, VINTRP, attrchan));
        } else if (slot == GCN_IN_VSRC && d->encoding == GCN_VINTRP && type != GCN_SLOT) {
            p = put_code(put_comma(p, d, n++), d->chip, GCN_CODE_VGPR + GET(w, VINTRP, vsrc), 1);
        } else if (slot == GCN_IN_SIMM16) {
            p = put_comma(p, d, n++);
            p = type == GCN_TARGET ? put_target(p, d, names) : put_simm16(p, d->chip, d->encoding, type, (uint16_t)w);
        } else {
            p = put_decoded(p, d, *operand, &n);
        }
    }
    return p;
}

static char *put_data(char *p, const struct gpudbg_insn *insn)
{
    p = put_hex(PUT(p, ".long "), le_u32(insn->raw));
    for (unsigned at = 4; at < insn->size; at += 4) p = put_hex(PUT(p, ", "), le_u32(insn->raw + at));
    return p;
}

size_t gcn_put(struct decoder *d, const struct gpudbg_names *names, char *buf)
{
    const struct gcn_template *template = &gcn_templates[d->op->id];
    memcpy(buf, template->name, 32);
    char *end = put_operands(put_suffix(buf + template->name_len, d), d, names);
    if (d->word & gcn_modifier_bits[d->encoding] || d->lanes) end = put_modifiers(end, d);
    const uint64_t odd = d->word & reserved_of(d->chip, d->op, d->encoding);
    if (odd) end = put_reserved(PUT(end, " // "), odd);
    return (size_t)(end - buf);
}

int gcn_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names,
    char *buf, size_t size)
{
    char text[TEXT_WHOLE] GPUDBG_UNSET;
    struct decoder d = {.addr = insn->addr, .chip = gcn_chip_of(insn->isa)};
    (void)syntax;
    int operand;
    if (style == GPUDBG_ASSEMBLER && (!d.chip->llvm || !insn->op || llvm_refuses(insn, &operand))) return -1;
    if (decode_row(&d, insn->raw, insn->size) <= 0) return put_out(text, put_data(text, insn), buf, size);
    return put_out(text, text + gcn_put(&d, names, text), buf, size);
}
