/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.c: an instruction as LLVM's assembler writes it.  Mnemonic, operands with commas, then modifiers in the order that
 * the assembler asks for.  No printf: listings are written at the speed of copying.
 */
#include "decoder.h"

static bool is_vop(const struct gpudbg_op *op)
{
    const struct gpudbg_format *f = op->format;
    return f == &gfx7_layouts[GFX7_W_VOP1] || f == &gfx7_layouts[GFX7_W_VOP2] || f == &gfx7_layouts[GFX7_W_VOPC];
}

/* _e32 or _e64, where the assembler knows both forms or asks for it. */
static void put_suffix(struct text *t, const struct gpudbg_insn *insn)
{
    const struct gpudbg_op *op = insn->op;
    if (!is_vop(op)) return;
    if (insn->variant == GFX7_VOP3)
        put_chars(t, "_e64", 4);
    else if (!(op->flags & (GFX7_ALL | GFX7_E32)) && gfx7_templates[op->id].operand[0])
        put_chars(t, "_e32", 4);
}

/* ---- Modifiers ---- */

static void put_flag(struct text *t, uint64_t word, unsigned bit, const char *name)
{
    if (!(word >> bit & 1)) return;
    put_char(t, ' ');
    put(t, name);
}

static void put_offset(struct text *t, const char *name, unsigned value)
{
    if (!value) return;
    put(t, name);
    put_number(t, value);
}

/* The masks of ds_swizzle as LLVM spells them, if that gives the same 15 bits back. */
static bool put_swizzle_masks(struct text *t, unsigned value)
{
    unsigned and_mask = value & 31, or_mask = value >> 5 & 31, xor_mask = value >> 10 & 31;
    if (and_mask == 31 && !or_mask && xor_mask && !(xor_mask & (xor_mask - 1))) {
        put(t, "swizzle(SWAP,");
        put_number(t, xor_mask);
        put_char(t, ')');
        return true;
    }
    if (and_mask == 31 && !or_mask && xor_mask > 1 && !(xor_mask & (xor_mask + 1))) {
        put(t, "swizzle(REVERSE,");
        put_number(t, xor_mask + 1);
        put_char(t, ')');
        return true;
    }
    unsigned group = 32 - and_mask;
    if (group > 1 && !(group & (group - 1)) && or_mask < group && !xor_mask) {
        put(t, "swizzle(BROADCAST,");
        put_number(t, group);
        put_char(t, ',');
        put_number(t, or_mask);
        put_char(t, ')');
        return true;
    }
    if (and_mask & or_mask || or_mask & xor_mask || xor_mask & ~and_mask) return false;
    put(t, "swizzle(BITMASK_PERM,\"");
    for (unsigned bit = 16; bit; bit >>= 1)
        put_char(t, or_mask & bit ? '1' : xor_mask & bit ? 'i' : and_mask & bit ? 'p' : '0');
    put(t, "\")");
    return true;
}

static void put_swizzle(struct text *t, unsigned value)
{
    if (!value) return;
    put(t, " offset:");
    if ((value & 0xff00) == 0x8000) {
        put(t, "swizzle(QUAD_PERM");
        for (unsigned i = 0; i < 4; i++) {
            put_char(t, ',');
            put_number(t, value >> (2 * i) & 3);
        }
        put_char(t, ')');
    } else if (value & 0x8000 || !put_swizzle_masks(t, value))
        put_number(t, value);
}

static void put_ds_modifiers(struct text *t, const struct gpudbg_insn *insn, uint64_t w)
{
    const struct gpudbg_format *layout = insn->op->format;
    if (layout >= &gfx7_layouts[GFX7_W_DS_2X4] && layout <= &gfx7_layouts[GFX7_W_DS_2X512]) {
        put_offset(t, " offset0:", bits_of(w, 7, 0));
        put_offset(t, " offset1:", bits_of(w, 15, 8));
    } else if (layout == &gfx7_layouts[GFX7_W_DS_SWIZZLE])
        put_swizzle(t, bits_of(w, 15, 0));
    else
        put_offset(t, " offset:", bits_of(w, 15, 0));
    put_flag(t, w, 17, "gds");
}

static void put_buffer_format(struct text *t, uint64_t w)
{
    unsigned data = bits_of(w, 22, 19), number = bits_of(w, 25, 23);
    if (data == 1 && number == 0) return; /* the assembler's default */
    put(t, " format:[");
    put(t, gpudbg_enum_name(&gfx7_enum[GFX7_E_BUF_DATA_FORMAT], data));
    put_char(t, ',');
    put(t, gpudbg_enum_name(&gfx7_enum[GFX7_E_BUF_NUM_FORMAT], number));
    put_char(t, ']');
}

static void put_buffer_modifiers(struct text *t, const struct gpudbg_insn *insn, uint64_t w)
{
    if (insn->variant == GFX7_MTBUF) put_buffer_format(t, w);
    put_flag(t, w, 13, "idxen");
    put_flag(t, w, 12, "offen");
    put_flag(t, w, 15, "addr64");
    put_offset(t, " offset:", bits_of(w, 11, 0));
    put_flag(t, w, 14, "glc");
    put_flag(t, w, 54, "slc");
    put_flag(t, w, 55, "tfe");
    if (insn->variant == GFX7_MUBUF) put_flag(t, w, 16, "lds");
}

static void put_image_modifiers(struct text *t, uint64_t w)
{
    unsigned dmask = bits_of(w, 11, 8);
    if (dmask) {
        put(t, " dmask:");
        put_hex(t, dmask);
    }
    put_flag(t, w, 12, "unorm");
    put_flag(t, w, 13, "glc");
    put_flag(t, w, 25, "slc");
    put_flag(t, w, 15, "r128");
    put_flag(t, w, 16, "tfe");
    put_flag(t, w, 17, "lwe");
    put_flag(t, w, 14, "da");
}

static void put_modifiers(struct text *t, const struct gpudbg_insn *insn)
{
    static const char *const omod[] = {NULL, " mul:2", " mul:4", " div:2"};
    if (insn->variant > GFX7_MUBUF && insn->variant != GFX7_VOP3) return; /* short words have none */
    uint64_t w = word_of(insn);
    switch (insn->variant) {
    case GFX7_VOP3:
        if (insn->parts[0].format == &gfx7_layouts[GFX7_W_VOP3]) put_flag(t, w, 11, "clamp");
        if (bits_of(w, 60, 59)) put(t, omod[bits_of(w, 60, 59)]);
        break;
    case GFX7_DS:
        put_ds_modifiers(t, insn, w);
        break;
    case GFX7_MUBUF:
    case GFX7_MTBUF:
        if (gfx7_templates[insn->op->id].operand[0]) put_buffer_modifiers(t, insn, w);
        break;
    case GFX7_MIMG:
        put_image_modifiers(t, w);
        break;
    case GFX7_FLAT:
        put_flag(t, w, 16, "glc");
        put_flag(t, w, 17, "slc");
        put_flag(t, w, 55, "tfe");
        break;
    case GFX7_EXP:
        put_flag(t, w, 11, "done");
        put_flag(t, w, 10, "compr");
        put_flag(t, w, 12, "vm");
        break;
    }
}

/* ---- The whole ---- */

/* A label, or what the branch adds to the address, in dwords. */
static void put_target(struct text *t, const struct gpudbg_insn *insn, const struct gpudbg_operand *o, const struct gpudbg_names *names)
{
    char buf[256];
    const char *name = names ? names->name(names, (uint64_t)o->imm, buf, sizeof buf) : NULL;
    if (name)
        put(t, name);
    else
        put_number(t, (int64_t)(word_of(insn) & 0xffff));
}

static void put_operands(struct text *t, const struct gpudbg_insn *insn, const struct gpudbg_names *names)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->flags & GPUDBG_IMPLICIT) break;
        if (insn->op->id == GFX7_s_endpgm && o->imm == 0) break;
        if (i == 0 || (i == 1 && insn->variant == GFX7_EXP))
            put_char(t, ' ');
        else
            put_chars(t, ", ", 2);
        if (o->kind == GPUDBG_CODE)
            put_target(t, insn, o, names);
        else
            put_operand(t, insn, o);
    }
}

static int put_data(struct text *t, const struct gpudbg_insn *insn)
{
    put(t, ".long ");
    put_hex(t, word_of(insn) & 0xffffffff);
    if (insn->size == 8) {
        put(t, ", ");
        put_hex(t, word_of(insn) >> 32);
    }
    return put_end(t);
}

int gfx7_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names, char *buf,
    size_t size)
{
    struct text t = {buf, size, 0};
    (void)syntax;
    if (!insn->op) return style == GPUDBG_ASSEMBLER ? -1 : put_data(&t, insn);
    if (style == GPUDBG_ASSEMBLER && !llvm_can_say(insn)) return -1;
    put_chars(&t, insn->op->name, gfx7_templates[insn->op->id].name_len);
    put_suffix(&t, insn);
    put_operands(&t, insn, names);
    put_modifiers(&t, insn);
    return put_end(&t);
}
