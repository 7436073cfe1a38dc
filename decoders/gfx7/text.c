/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.c: an instruction as LLVM's assembler writes it.  Mnemonic, operands with commas, then modifiers in
 * the order that the assembler asks for.  No printf: listings are written at the speed of copying.
 */
#include "decoder.h"

/* _e32 or _e64, where the assembler knows both forms or asks for it. */
static inline char *put_suffix(char *p, const struct gpudbg_insn *insn)
{
    const struct gpudbg_op *op = insn->op;
    switch (insn->variant) {
    case GFX7_VOP3:
        return op->format == &gfx7_layouts[GFX7_W_VOP3] || op->format == &gfx7_layouts[GFX7_W_VOP3B]
                   ? p
                   : PUT(p, "_e64");
    case GFX7_VOP1:
    case GFX7_VOP2:
    case GFX7_VOPC:
        return op->flags & (GFX7_ALL | GFX7_E32) || !gfx7_templates[op->id].operand[0] ? p : PUT(p, "_e32");
    }
    return p;
}

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
    return put_number(put(p, name), value);
}

/* The masks of ds_swizzle as LLVM spells them; NULL if that would not give the same 15 bits back. */
static char *put_swizzle_masks(char *p, unsigned value)
{
    unsigned and_mask = value & 31, or_mask = value >> 5 & 31, xor_mask = value >> 10 & 31,
             group = 32 - and_mask;
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

static char *put_ds_modifiers(char *p, const struct gpudbg_insn *insn, uint64_t w)
{
    const struct gpudbg_format *layout = insn->op->format;
    if (layout >= &gfx7_layouts[GFX7_W_DS_2X4] && layout <= &gfx7_layouts[GFX7_W_DS_2X512]) {
        p = put_offset(p, " offset0:", bits_of(w, 7, 0));
        p = put_offset(p, " offset1:", bits_of(w, 15, 8));
    } else if (layout == &gfx7_layouts[GFX7_W_DS_SWIZZLE])
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
    p = put(p, gpudbg_enum_name(&gfx7_enum[GFX7_E_BUF_DATA_FORMAT], data));
    *p++ = ',';
    p = put(p, gpudbg_enum_name(&gfx7_enum[GFX7_E_BUF_NUM_FORMAT], number));
    return PUT(p, "]");
}

static char *put_buffer_modifiers(char *p, const struct gpudbg_insn *insn, uint64_t w)
{
    if (insn->variant == GFX7_MTBUF) p = put_buffer_format(p, w);
    p = put_flag(p, w, 13, "idxen");
    p = put_flag(p, w, 12, "offen");
    p = put_flag(p, w, 15, "addr64");
    p = put_offset(p, " offset:", bits_of(w, 11, 0));
    p = put_flag(p, w, 14, "glc");
    p = put_flag(p, w, 54, "slc");
    p = put_flag(p, w, 55, "tfe");
    return insn->variant == GFX7_MUBUF ? put_flag(p, w, 16, "lds") : p;
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

static char *put_modifiers(char *p, const struct gpudbg_insn *insn)
{
    static const char *const omod[] = {"", " mul:2", " mul:4", " div:2"};
    if (insn->variant > GFX7_MUBUF && insn->variant != GFX7_VOP3) return p; /* short words have none */
    uint64_t w = word_of(insn);
    switch (insn->variant) {
    case GFX7_VOP3:
        if (insn->parts[0].format == &gfx7_layouts[GFX7_W_VOP3]) p = put_flag(p, w, 11, "clamp");
        return put(p, omod[bits_of(w, 60, 59)]);
    case GFX7_DS:
        return put_ds_modifiers(p, insn, w);
    case GFX7_MUBUF:
    case GFX7_MTBUF:
        return gfx7_templates[insn->op->id].operand[0] ? put_buffer_modifiers(p, insn, w) : p;
    case GFX7_MIMG:
        return put_image_modifiers(p, w);
    case GFX7_FLAT:
        p = put_flag(p, w, 16, "glc");
        p = put_flag(p, w, 17, "slc");
        return put_flag(p, w, 55, "tfe");
    case GFX7_EXP:
        p = put_flag(p, w, 11, "done");
        p = put_flag(p, w, 10, "compr");
        return put_flag(p, w, 12, "vm");
    }
    return p;
}

/* ---- The whole ---- */

/* A label, or what the branch adds to the address, in dwords. */
static char *put_target(
    char *p, const struct gpudbg_insn *insn, const struct gpudbg_operand *o, const struct gpudbg_names *names)
{
    char buf[TEXT_OPERAND];
    const char *name = names ? names->name(names, (uint64_t)o->imm, buf, sizeof buf) : NULL;
    if (!name) return put_number(p, (int64_t)(word_of(insn) & 0xffff));
    for (unsigned i = 0; i < TEXT_OPERAND - 1 && name[i]; i++)
        *p++ = name[i];
    return p;
}

static char *put_operands(char *p, const struct gpudbg_insn *insn, const struct gpudbg_names *names)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->flags & GPUDBG_IMPLICIT) break;
        if (insn->op->id == GFX7_s_endpgm && o->imm == 0) break;
        if (i > 1 || (i == 1 && insn->variant != GFX7_EXP)) *p++ = ',';
        *p++ = ' ';
        if (o->kind == GPUDBG_REGISTER && o->sub >= GFX7_CODE_VGPR && !o->mods) { /* most are VGPRs */
            *p++ = 'v';
            p = put_run(p, o->reg, o->count);
        } else
            p = o->kind == GPUDBG_CODE ? put_target(p, insn, o, names) : put_operand(p, insn, o);
    }
    return p;
}

static char *put_data(char *p, const struct gpudbg_insn *insn)
{
    p = put_hex(PUT(p, ".long "), word_of(insn) & 0xffffffff);
    return insn->size == 8 ? put_hex(PUT(p, ", "), word_of(insn) >> 32) : p;
}

int gfx7_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style,
    const struct gpudbg_names *names, char *buf, size_t size)
{
    char text[TEXT_WHOLE], *p = text;
    (void)syntax;
    if (style == GPUDBG_ASSEMBLER && !(insn->op && llvm_can_say(insn))) return -1;
    if (!insn->op) return put_out(text, put_data(p, insn), buf, size);
    const struct gfx7_template *template = &gfx7_templates[insn->op->id];
    memcpy(p, template->name, 32);
    p = put_suffix(p + template->name_len, insn);
    p = put_operands(p, insn, names);
    p = put_modifiers(p, insn);
    return put_out(text, p, buf, size);
}
