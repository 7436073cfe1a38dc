/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_text.c: an instruction as LLVM's assembler writes it.  Mnemonic, operands with commas, then modifiers in
 * the order that the assembler asks for.  Text is made from the word and its row: a field that holds an operand code
 * has a name in a table, and only what is no plain field is decoded first.  No printf: listings are written at the
 * speed of copying.
 */
#include "code/gcn_decoder.h"

/* ---- Modifiers ---- */

static char *put_flag(char *p, uint64_t word, unsigned bit, const char *name)
{
    if (!(word >> bit & 1)) return p;
    *p++ = ' ';
    return put(p, name);
}

static char *put_offset(char *p, const char *name, unsigned value)
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

static char *put_ds_modifiers(char *p, const struct gpudbg_op *op, uint64_t w)
{
    const struct gpudbg_format *layout = op->format;
    if (layout >= &gcn_layouts[GCN_W_DS_2X4] && layout <= &gcn_layouts[GCN_W_DS_2X512]) {
        p = put_offset(p, " offset0:", bits_of(w, 7, 0));
        p = put_offset(p, " offset1:", bits_of(w, 15, 8));
    } else if (layout == &gcn_layouts[GCN_W_DS_SWIZZLE])
        p = put_swizzle(p, bits_of(w, 15, 0));
    else
        p = put_offset(p, " offset:", bits_of(w, 15, 0));
    return put_flag(p, w, 17, "gds");
}

static char *put_buffer_format(char *p, uint64_t w)
{
    unsigned data = bits_of(w, 22, 19), number = bits_of(w, 25, 23);
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
    if (w >> 12 & 11) { /* idxen, offen, addr64 */
        p = put_flag(p, w, 13, "idxen");
        p = put_flag(p, w, 12, "offen");
        p = put_flag(p, w, 15, "addr64");
    }
    p = put_offset(p, " offset:", bits_of(w, 11, 0));
    p = put_flag(p, w, 14, "glc");
    if (w >> 54 & 3) {
        p = put_flag(p, w, 54, "slc");
        p = put_flag(p, w, 55, "tfe");
    }
    return encoding == GCN_MUBUF ? put_flag(p, w, 16, "lds") : p;
}

static char *put_image_modifiers(char *p, uint64_t w)
{
    unsigned dmask = bits_of(w, 11, 8);
    if (dmask) p = put_hex(PUT(p, " dmask:"), dmask);
    p = put_flag(p, w, 12, "unorm");
    p = put_flag(p, w, 13, "glc");
    p = put_flag(p, w, 25, "slc");
    p = put_flag(p, w, 15, "r128");
    p = put_flag(p, w, 16, "tfe");
    p = put_flag(p, w, 17, "lwe");
    return put_flag(p, w, 14, "da");
}

const uint64_t gcn_modifier_bits[GCN_ENCODINGS] = {
    [GCN_VOP3] = (uint64_t)7 << 61 | (uint64_t)3 << 59 |
                 255 << 8, /* signs and absolute values, too; or another destination */
    [GCN_DS] = 0x2ffff,
    [GCN_MUBUF] = UINT64_MAX,
    [GCN_MTBUF] = UINT64_MAX,
    [GCN_MIMG] = UINT64_MAX,
    [GCN_FLAT] = (uint64_t)1 << 55 | 3 << 16,
    [GCN_VOP3H] = UINT64_MAX,
    [GCN_VOP3P] = UINT64_MAX,
    [GCN_EXP] = 7 << 10,
};

/* A bit a source, where they are not all the usual one: " op_sel:[0,1]". */
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
    const unsigned high = bits_of(w, 60, 59) | bits_of(w, 14, 14) << 2;
    p = put_bits(p, " op_sel:", bits_of(w, 13, 11) & all, n, false);
    p = put_bits(p, " op_sel_hi:", high & all, n, strncmp(d->op->name, "v_mad_mix", 9) != 0);
    p = put_bits(p, " neg_lo:", bits_of(w, 63, 61) & all, n, false);
    p = put_bits(p, " neg_hi:", bits_of(w, 10, 8) & all, n, false);
    return put_flag(p, w, 15, "clamp");
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
        p = put_flag(p, w, 13, "clamp");
        p = put(p, omod[w >> 14 & 3]);
        p = put_select(p, " dst_sel:", parts, w >> 8 & 7);
        p = put_select(p, " dst_unused:", &gcn_enum[GCN_E_SDWA_UNUSED], w >> 11 & 3);
    }
    p = put_select(p, " src0_sel:", parts, w >> 16 & 7);
    return gcn_sources(d->op) < 2 ? p : put_select(p, " src1_sel:", parts, w >> 24 & 7);
}

static char *put_dpp_modifiers(char *p, uint32_t w)
{
    char buf[64];
    say_dpp(w >> 8 & 0x1ff, buf, sizeof buf);
    *p++ = ' ';
    p = put(p, buf);
    p = put_hex(PUT(p, " row_mask:"), w >> 28);
    p = put_hex(PUT(p, " bank_mask:"), w >> 24 & 15);
    p = put_flag(p, w, 19, "bound_ctrl:0");
    p = put_flag(p, w, 20, "src0_neg");
    p = put_flag(p, w, 21, "src0_abs");
    p = put_flag(p, w, 22, "src1_neg");
    return put_flag(p, w, 23, "src1_abs");
}

static char *put_modifiers(char *p, const struct decoder *d)
{
    static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};
    uint64_t w = d->word;
    if (d->lanes) return d->lanes == GCN_W_DPP ? put_dpp_modifiers(p, d->literal) : put_sdwa_modifiers(p, d);
    switch (d->encoding) {
    case GCN_VOP3P: return put_packed_modifiers(p, d);
    case GCN_VOP3:
    case GCN_VOP3H:
        if (d->op->id >= GCN_BASE_OPS && !is_vop3b(d->op, w)) {
            const unsigned n = gcn_sources(d->op), all = (1u << n) - 1; /* the result's comes behind the sources' */
            p = put_bits(p, " op_sel:", (bits_of(w, 14, 12) & all) | bits_of(w, 15, 15) << n, n + 1, false);
        }
        if (!is_vop3b(d->op, w)) p = put_flag(p, w, 11, "clamp");
        return put(p, omod[bits_of(w, 60, 59)]);
    case GCN_DS: return put_ds_modifiers(p, d->op, w);
    case GCN_MUBUF:
    case GCN_MTBUF: return gcn_templates[d->op->id].operand[0] ? put_buffer_modifiers(p, d->encoding, w) : p;
    case GCN_MIMG: return put_image_modifiers(p, w);
    case GCN_FLAT:
        p = put_flag(p, w, 16, "glc");
        p = put_flag(p, w, 17, "slc");
        return put_flag(p, w, 55, "tfe");
    case GCN_EXP:
        p = put_flag(p, w, 11, "done");
        p = put_flag(p, w, 10, "compr");
        return put_flag(p, w, 12, "vm");
    }
    return p; /* short words have none */
}

/* ---- The whole ---- */

/* A label, or what the branch adds to the address, in dwords. */
static char *put_target(char *p, const struct decoder *d, const struct gpudbg_names *names)
{
    char buf[TEXT_OPERAND];
    const char *name = names ? names->name(names, branch_target(d->addr, d->word), buf, sizeof buf) : NULL;
    if (!name) return put_number(p, (int64_t)(d->word & 0xffff));
    for (unsigned i = 0; i < TEXT_OPERAND - 1 && name[i]; i++) *p++ = name[i];
    return p;
}

/* What stands before the operand: the mnemonic ends with a blank, and so does the mnemonic of an export with its
 * target. */
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
    if (d->op->id == GCN_s_endpgm && !(w & 0xffff)) return p;
    for (const uint32_t *operand = gcn_templates[d->op->id].operand; *operand; operand++) {
        unsigned slot = *operand & 255, type = *operand >> 8 & 255, dwords = *operand >> 16;
        const struct gcn_field_place place = gcn_place(d->op, d->encoding, w, *operand);
        unsigned code = (code_above_sgprs(place, w) + GCN_CODE_FLAT_SCRATCH) & 511;
        if (plain && place.mask | place.bias) {
            p = put_comma(p, d, n++);
            p = code == GCN_CODE_LITERAL && !is_long(d->encoding) ? put_hex(p, d->literal)
                : code == GCN_CODE_INV_2PI && d->pro              ? put_inv_2pi(p, dwords)
                                                                  : put_code(p, code, dwords);
        } else if (slot == GCN_IN_VDATA && (dwords = data_dwords(d, dwords)) != 0) {
            p = put_code(put_comma(p, d, n++), GCN_CODE_VGPR + bits_of(w, 47, 40), dwords);
        } else if (slot == GCN_IN_VADDR && buffer) {
            p = put_comma(p, d, n++);
            dwords = buffer_address_dwords(w);
            p = dwords ? put_code(p, GCN_CODE_VGPR + bits_of(w, 39, 32), dwords) : PUT(p, "off");
        } else if (slot == GCN_IN_SIMM16) {
            p = put_comma(p, d, n++);
            p = type == GCN_TARGET ? put_target(p, d, names) : put_simm16(p, d->encoding, type, (uint16_t)w);
        } else {
            p = put_decoded(p, d, *operand, &n);
        }
    }
    return p;
}

static char *put_data(char *p, const struct gpudbg_insn *insn)
{
    p = put_hex(PUT(p, ".long "), word_of(insn) & 0xffffffff);
    return insn->size == 8 ? put_hex(PUT(p, ", "), word_of(insn) >> 32) : p;
}

size_t gcn_put(struct decoder *d, const struct gpudbg_names *names, char *buf)
{
    const struct gcn_template *template = &gcn_templates[d->op->id];
    memcpy(buf, template->name, 32);
    char *end = put_operands(put_suffix(buf + template->name_len, d), d, names);
    if (d->word & gcn_modifier_bits[d->encoding] || d->lanes) end = put_modifiers(end, d);
    const uint64_t odd = d->word & reserved_of(d->op, d->encoding, d->word);
    if (odd) end = put_reserved(PUT(end, " // "), odd);
    return (size_t)(end - buf);
}

int gcn_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names,
    char *buf, size_t size)
{
    char text[TEXT_WHOLE];
    struct decoder d = {.addr = insn->addr, .pro = insn->isa == &gfx7_pro_isa};
    (void)syntax;
    int operand;
    if (style == GPUDBG_ASSEMBLER && (d.pro || !insn->op || llvm_refuses(insn, &operand))) return -1;
    if (decode_row(&d, insn->raw, insn->size) <= 0) return put_out(text, put_data(text, insn), buf, size);
    return put_out(text, text + gcn_put(&d, names, text), buf, size);
}
