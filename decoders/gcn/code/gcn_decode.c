/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_decode.c: bytes to an instruction.  The leading bits choose the encoding, the OP field the row, the row's
 * template the operands.  Nothing is allocated and nothing written but *out.
 */
#include <assert.h>
#include "code/gcn_decoder.h"

/* ---- Rows by encoding and code ---- */

/* Where the codes of an encoding start in rows[]; layouts of one word share their place. */
enum {
    AT_DS = 0,
    AT_EXP = AT_DS + 256,
    AT_FLAT = AT_EXP + 1,
    AT_MIMG = AT_FLAT + 128,
    AT_MTBUF = AT_MIMG + 128,
    AT_MUBUF = AT_MTBUF + 8,
    AT_SMRD = AT_MUBUF + 128,
    AT_SOP1 = AT_SMRD + 32,
    AT_SOP2 = AT_SOP1 + 256,
    AT_SOPC = AT_SOP2 + 128,
    AT_SOPK = AT_SOPC + 128,
    AT_SOPP = AT_SOPK + 32,
    AT_VINTRP = AT_SOPP + 128,
    AT_VOP1 = AT_VINTRP + 4,
    AT_VOP2 = AT_VOP1 + 256,
    AT_VOP3 = AT_VOP2 + 64,
    AT_VOPC = AT_VOP3 + 512,
    AT_LITERAL = AT_VOPC + 256,
    BASE_ROWS = AT_LITERAL,
    AT_VOP3H = BASE_ROWS, /* the later chip's alone, and the words that may follow its own */
    AT_VOP3P = AT_VOP3H + 512,
    ROWS = AT_VOP3P + 128,
    AT_SDWA = ROWS,
    AT_DPP = ROWS,
#define FORMAT(layout, word, bits, mask, match, doc) FROM_##layout = AT_##word,
#define FIELD(name, bits, how, doc)
#define END
#include "formats.def"
};

/* Index of the row plus one; 0: no such opcode. */
static const uint16_t rows[ROWS] = {
#define OP(layout, code, name, operands, flags, doc, ...) [FROM_##layout + code] = GCN_##name + 1,
#include "ops.def"
};

/* What is known of an encoding before the opcode.  literal: the bits of the first source if a literal may
 * follow. */
static const struct {
    uint16_t rows, layout;
    uint8_t op_lo, op_bits;
    uint16_t literal;
    bool varies; /* has layouts that other bits than the opcode choose */
} encodings[GCN_ENCODINGS] = {
    [GCN_DS] = {AT_DS, GCN_W_DS, 18, 8, 0, true},
    [GCN_EXP] = {AT_EXP, GCN_W_EXP, 0, 0, 0, false},
    [GCN_FLAT] = {AT_FLAT, GCN_W_FLAT, 18, 7, 0, false},
    [GCN_MIMG] = {AT_MIMG, GCN_W_MIMG, 18, 7, 0, false},
    [GCN_MTBUF] = {AT_MTBUF, GCN_W_MTBUF, 16, 3, 0, false},
    [GCN_MUBUF] = {AT_MUBUF, GCN_W_MUBUF, 18, 7, 0, false},
    [GCN_VOP3H] = {AT_VOP3H, GCN_W_VOP3H, 17, 9, 0, false},
    [GCN_VOP3P] = {AT_VOP3P, GCN_W_VOP3P, 16, 7, 0, false},
    [GCN_SMRD] = {AT_SMRD, GCN_W_SMRD, 22, 5, 0x1ff, true},
    [GCN_SOP1] = {AT_SOP1, GCN_W_SOP1, 8, 8, 0xff, false},
    [GCN_SOP2] = {AT_SOP2, GCN_W_SOP2, 23, 7, 0xff, false},
    [GCN_SOPC] = {AT_SOPC, GCN_W_SOPC, 16, 7, 0xff, false},
    [GCN_SOPK] = {AT_SOPK, GCN_W_SOPK, 23, 5, 0, false},
    [GCN_SOPP] = {AT_SOPP, GCN_W_SOPP, 16, 7, 0, false},
    [GCN_VINTRP] = {AT_VINTRP, GCN_W_VINTRP, 16, 2, 0, false},
    [GCN_VOP1] = {AT_VOP1, GCN_W_VOP1, 9, 8, 0x1ff, false},
    [GCN_VOP2] = {AT_VOP2, GCN_W_VOP2, 25, 6, 0x1ff, false},
    [GCN_VOP3] = {AT_VOP3, GCN_W_VOP3, 17, 9, 0, true},
    [GCN_VOPC] = {AT_VOPC, GCN_W_VOPC, 17, 8, 0x1ff, false},
};

/* Encodings by the first nine bits: Sea Islands registers, chapter 4, the ENCODING fields.  -1: none. */
#define X4(e) e, e, e, e
#define X8(e) X4(e), X4(e)
#define X32(e) X8(e), X8(e), X8(e), X8(e)
/* clang-format off */
static const int8_t by_leading_bits[512] = {
    /* 0........ */ X32(GCN_VOP2), X32(GCN_VOP2), X32(GCN_VOP2), X32(GCN_VOP2), X32(GCN_VOP2),
                    X32(GCN_VOP2), X32(GCN_VOP2),
    /* 0111..... */ X8(GCN_VOP2), X8(GCN_VOP2), X8(GCN_VOP2), X4(GCN_VOPC), X4(GCN_VOP1),
    /* 10....... */ X32(GCN_SOP2), X32(GCN_SOP2), X32(GCN_SOP2),
    /* 1011..... */ X8(GCN_SOPK), X8(GCN_SOPK), X8(GCN_SOPK), X4(GCN_SOPK), GCN_SOPK, GCN_SOP1, GCN_SOPC,
                    GCN_SOPP,
    /* 1100..... */ X8(GCN_SMRD), X8(GCN_SMRD), X8(GCN_VINTRP), X8(-1),
    /* 1101..... */ X8(GCN_VOP3), X8(-1), X8(GCN_DS), X8(GCN_FLAT),
    /* 1110..... */ X8(GCN_MUBUF), X8(-1), X8(GCN_MTBUF), X8(-1),
    /* 1111..... */ X8(GCN_MIMG), X8(-1), X8(GCN_EXP), X8(-1),
};
/* clang-format on */

/* The later chip has two encodings more: VOP3's bit 16 is the tenth of its opcode, and packed halves. */
static inline int encoding_of(uint32_t w, bool pro)
{
    const int encoding = by_leading_bits[w >> 23];
    if (!pro) return encoding;
    return encoding == GCN_VOP3 && w >> 16 & 1 ? GCN_VOP3H : w >> 26 == 0x33 ? GCN_VOP3P : encoding;
}

/* The row of a word plus one, by its first dword; 0: no such opcode.  VOP3 codes are 0 VOPC, 256 VOP2, 320 its own, 384
 * VOP1; rows without a long form have none, and the later chip's alone are none of the other. */
static inline unsigned row_of(int encoding, uint32_t w, bool pro)
{
    const unsigned last = pro ? GCN_OPS : GCN_BASE_OPS;
    static const int16_t in_vop3[8] = {
        AT_VOPC, AT_VOPC, AT_VOPC, AT_VOPC, AT_VOP2 - 256, AT_VOP3, AT_VOP1 - 384, AT_VOP1 - 384};
    unsigned code = w >> encodings[encoding].op_lo & ((1u << encodings[encoding].op_bits) - 1);
    const unsigned row =
        rows[encoding == GCN_VOP3 ? in_vop3[code / 64] + (int)code : encodings[encoding].rows + (int)code];
    return row > last || (encoding == GCN_VOP3 && gcn_kinds[row] & GCN_NO_LONG_FORM) ? 0 : row;
}

void gcn_place_of(int encoding, struct gcn_opcode_place *place)
{
    unsigned form = encoding == GCN_VOP3 ? BASE_ROWS : encodings[encoding].rows;
    *place = (struct gcn_opcode_place){(uint16_t)form, encodings[encoding].op_lo, encodings[encoding].op_bits};
}

int gcn_encoding(unsigned lead, struct gcn_opcode_place *place)
{
    int encoding = by_leading_bits[lead & 511];
    if (encoding >= 0) gcn_place_of(encoding, place);
    return encoding;
}

const struct gpudbg_op *gcn_op_at(int encoding, unsigned code)
{
    static_assert(BASE_ROWS + 512 < GCN_FORMS, "forms of all opcodes, and one more");
    unsigned row = row_of(encoding, code << encodings[encoding].op_lo, false);
    return row ? &gcn_ops[row - 1] : NULL;
}

/* ---- Decoding ---- */

/* Where bits besides the opcode choose among the layouts of a word. */
static const struct gpudbg_format *layout_of(const struct gpudbg_op *op, int encoding, uint64_t w)
{
    const struct gpudbg_format *layout = op->format;
    switch (encoding) {
    case GCN_SMRD:
        return layout == &gcn_layouts[GCN_W_SMRD] && bits_of(w, 8, 8) ? &gcn_layouts[GCN_W_SMRD_IMM] : layout;
    case GCN_DS:
        return layout == &gcn_layouts[GCN_W_DS_SWIZZLE] && bits_of(w, 15, 15) ? &gcn_layouts[GCN_W_DS_SWIZZLE_QUAD]
                                                                              : layout;
    case GCN_VOP3:
        return &gcn_layouts[op->id >= GCN_BASE_OPS ? GCN_W_VOP3_HALF : is_vop3b(op, w) ? GCN_W_VOP3B : GCN_W_VOP3];
    }
    return layout;
}

/* Whether a 32-bit constant follows the first dword, where some field of a source says so. */
static bool source_is_literal(const struct gpudbg_op *op, int encoding, uint32_t w)
{
    switch (encoding) {
    case GCN_SOP1: return bits_of(w, 7, 0) == GCN_CODE_LITERAL && op->id != GCN_s_getpc_b64;
    case GCN_SOP2:
    case GCN_SOPC: return bits_of(w, 7, 0) == GCN_CODE_LITERAL || bits_of(w, 15, 8) == GCN_CODE_LITERAL;
    case GCN_SMRD: return bits_of(w, 8, 0) == GCN_CODE_LITERAL && op->format == &gcn_layouts[GCN_W_SMRD];
    case GCN_VOP2: return bits_of(w, 8, 0) == GCN_CODE_LITERAL;
    case GCN_VOP1:
    case GCN_VOPC: return bits_of(w, 8, 0) == GCN_CODE_LITERAL && gcn_templates[op->id].operand[0];
    }
    return false;
}

/* On the later chip, what the dword behind a short vector word says of its sources: a layout, or 0. */
static unsigned lanes_word(int encoding, uint32_t w)
{
    if (encoding != GCN_VOP1 && encoding != GCN_VOP2 && encoding != GCN_VOPC) return 0;
    if ((w & 0x1ff) == 249) return encoding == GCN_VOPC ? GCN_W_SDWA_VOPC : GCN_W_SDWA;
    return (w & 0x1ff) == 250 ? GCN_W_DPP : 0;
}

/* Bytes of an instruction: of a row plus one and a word.  Most have no literal, and a glance tells. */
static inline unsigned size_of(unsigned row, int encoding, uint32_t w, bool pro)
{
    const uint32_t mask = encodings[encoding].literal;
    if (pro && lanes_word(encoding, w)) return 8;
    if (is_long(encoding) || gcn_kinds[row] & GCN_HAS_LITERAL) return 8;
    if (!mask || ((w & mask) != GCN_CODE_LITERAL && (w >> 8 & mask) != GCN_CODE_LITERAL)) return 4;
    return source_is_literal(&gcn_ops[row - 1], encoding, w) ? 8 : 4;
}

static void set_part(struct gpudbg_insn *insn, const struct gpudbg_format *format)
{
    insn->parts[insn->nparts] = (struct gpudbg_part){format, insn->nparts * 32u, 1, false};
    insn->nparts++;
}

int decode_size(struct decoder *d, const struct gpudbg_op *op, int encoding, const uint8_t *p, uint64_t w)
{
    d->op = op;
    d->encoding = encoding;
    d->raw = p;
    d->size = size_of(op->id + 1, encoding, (uint32_t)w, false);
    d->word = is_long(encoding) ? w : (uint32_t)w;
    d->literal = d->size == 8 && !is_long(encoding) ? (uint32_t)(w >> 32) : 0;
    d->lanes = 0;
    return (int)d->size;
}

/* The first source of a word that such a dword follows is in that dword. */
static void take_lanes_word(struct decoder *d)
{
    const unsigned scalar = d->lanes == GCN_W_DPP ? 0 : d->literal >> 23 & 1;
    d->word = (d->word & ~UINT64_C(0x1ff)) | (d->literal & 0xff) | (scalar ? 0 : GCN_CODE_VGPR);
}

int decode_row(struct decoder *d, const uint8_t *p, size_t n)
{
    uint64_t w = 0;
    d->op = NULL;
    d->raw = p;
    d->size = 4;
    d->encoding = -1;
    if (n < 4) return GPUDBG_SHORT;
    w = le_u32(p) | (n >= 8 ? (uint64_t)le_u32(p + 4) << 32 : 0);
    int encoding = encoding_of((uint32_t)w, d->pro);
    if (encoding < 0) return GPUDBG_ILLEGAL;
    d->encoding = encoding;
    d->size = is_long(encoding) ? 8 : 4;
    if (n < d->size) return GPUDBG_SHORT;
    unsigned row = row_of(encoding, (uint32_t)w, d->pro);
    if (!row) return GPUDBG_ILLEGAL;
    int size = decode_size(d, &gcn_ops[row - 1], encoding, p, w);
    d->lanes = d->pro ? (uint8_t)lanes_word(encoding, (uint32_t)w) : 0;
    if (d->lanes) {
        d->size = (uint32_t)(size = 8);
        d->literal = (uint32_t)(w >> 32);
    }
    if (n >= (size_t)size) {
        if (d->lanes) take_lanes_word(d);
        return size;
    }
    d->op = NULL;
    return GPUDBG_SHORT;
}

void decode_layouts(struct decoder *d, const uint8_t *p)
{
    struct gpudbg_insn *out = d->insn;
    out->op = d->op;
    out->raw = p;
    out->size = d->size;
    out->does = 0;
    out->variant = d->encoding < 0 ? 0 : (uint32_t)d->encoding;
    out->nparts = out->noperands = 0;
    if (d->encoding < 0) return;
    if (!d->op) {
        set_part(out, &gcn_layouts[encodings[d->encoding].layout]);
        return;
    }
    set_part(out, encodings[d->encoding].varies ? layout_of(d->op, d->encoding, d->word) : d->op->format);
    if (d->size == 8 && !is_long(d->encoding)) set_part(out, &gcn_layouts[d->lanes ? d->lanes : GCN_W_LITERAL]);
}

int gcn_decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    struct decoder d = {.insn = out, .pro = isa == &gfx7_pro_isa};
    out->addr = addr;
    out->isa = isa;
    out->derived[0] = out->derived[1] = 0;
    int size = decode_row(&d, p, n);
    decode_layouts(&d, p);
    if (size > 0) decode_operands(&d);
    return size;
}

/* ---- Sizes and targets alone ---- */

size_t gcn_skim(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *s)
{
    const bool pro = isa == &gfx7_pro_isa;
    size_t at = 0, size;
    for (; n - at >= 4; at += size) {
        uint32_t w = le_u32(p + at);
        int encoding = encoding_of(w, pro);
        size = 4;
        if (encoding < 0) continue;
        unsigned row = row_of(encoding, w, pro);
        size = row ? size_of(row, encoding, w, pro) : is_long(encoding) ? 8 : 4;
        if (n - at < size) break;
        if (!row) continue;
        if (gcn_kinds[row] & GCN_NAMES_TARGET) {
            if (s->ntargets == s->room) break;
            s->targets[s->ntargets++] = branch_target(addr + at, w);
        }
        gpudbg_skim_start(s, at / 4);
    }
    return at;
}

/* ---- Bare code ---- */

/* Follows the code from its start: the program ends with the first s_endpgm (or jump without return) that no
 * branch met so far goes beyond. */
size_t gcn_program(const struct gpudbg_isa *isa, const uint8_t *p, size_t n)
{
    size_t far = 0;
    for (size_t at = 0; at < n;) {
        struct decoder d = {.pro = isa == &gfx7_pro_isa};
        int size = decode_row(&d, p + at, n - at);
        if (size <= 0) return 0;
        at += (size_t)size;
        bool forward = d.op->format == &gcn_layouts[GCN_W_SOPP_BRANCH] && !(d.word & 0x8000);
        size_t target = at + 4 * (size_t)(d.word & 0x7fff);
        if (forward && target > far && target < n) far = target;
        if ((d.op->flags & GPUDBG_OP_END || d.op->id == GCN_s_setpc_b64) && far < at) return at;
    }
    return 0;
}
