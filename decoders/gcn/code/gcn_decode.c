/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_decode.c: bytes to an instruction.  The leading bits choose the encoding, the OP field the row, the row's
 * template the operands.  The decoder allocates nothing and writes only *out.
 */
#include <assert.h>
#include "code/gcn_decoder.h"
#include "gpudbg/unset.h"
#include "gcn_ops.h"

/* ---- Rows by encoding and code ---- */

/* Where the codes of an encoding start in a chip's index; layouts of the same word share one place.  Words that follow
 * others have no codes. */
enum {
#define AT(word, lo, len, literal, _) AT_##word, LAST_##word = AT_##word + (1 << (len)) - 1,
#define OF(...) AT(__VA_ARGS__)
    GCN_LEADING_ENCODINGS(OF, 0) LACKED,
    AT_LITERAL = LACKED,
    AT_SDWA = LACKED,
    AT_DPP = LACKED,
    AT_DPP8 = LACKED,
    AT_NSA = LACKED,
#define FORMAT(layout, word, bits, mask, match, doc) \
    FROM_##layout = AT_##word, LEAD_MASK_##layout = LEADING(mask), LEAD_##layout = LEADING(match),
#define FORMAT_IN(encoding, chips, source, layout, word, bits, mask, match, doc)   \
    FROM_##layout = AT_##encoding, LEAD_MASK_##layout = LEADING((uint32_t)(mask)), \
    LEAD_##layout = LEADING((uint32_t)(match)),
#define FIELD(name, bits, how, doc)
#define END
#include "formats.def"
};

/* Facts of an encoding that do not depend on the opcode.  literal: the bits of the first source if a literal may
 * follow. */
static const struct {
    uint16_t rows;
    uint8_t op_lo, op_bits;
    uint16_t literal;
} encodings[GCN_ENCODINGS] = {
#undef AT
#define AT(word, lo, len, literal, _) [GCN_##word] = {AT_##word, lo, len, literal},
    GCN_LEADING_ENCODINGS(OF, 0)};

const uint8_t gcn_layout_of[GCN_ENCODINGS] = {
#undef AT
#define AT(word, lo, len, literal, _) [GCN_##word] = GCN_W_##word,
    GCN_LEADING_ENCODINGS(OF, 0)};

/* Encodings by the first nine bits, the ENCODING fields of Sea Islands registers, chapter 4: the encoding whose mask
 * and match fit the bits, on the chip HERE.  -1: no encoding. */
#undef AT
#define AT(word, lo, len, literal, lead) CHIP_HAS(word) && ((lead)&MASK_HERE(word)) == LEAD_HERE(word) ? GCN_##word:
#define L1(lead) GCN_LEADING_ENCODINGS(OF, lead) - 1
#define L8(lead)                                                                                              \
    L1(lead), L1((lead) + 1), L1((lead) + 2), L1((lead) + 3), L1((lead) + 4), L1((lead) + 5), L1((lead) + 6), \
        L1((lead) + 7)
#define L64(lead)                                                                                                  \
    L8(lead), L8((lead) + 8), L8((lead) + 16), L8((lead) + 24), L8((lead) + 32), L8((lead) + 40), L8((lead) + 48), \
        L8((lead) + 56)

/* The opcode on the chip HERE: the last number whose chip is not younger. */
#define CODES(...) CODES_PICK(__VA_ARGS__, CODES_7, , CODES_5, , CODES_3, , )(__VA_ARGS__)
#define CODES_PICK(a, b, c, d, e, f, g, pick, ...) pick
#define CODES_3(first, chip, code) (AT_HERE >= GCN_AT_##chip ? (code) : (first))
#define CODES_5(first, chip, code, chip2, code2) (AT_HERE >= GCN_AT_##chip2 ? (code2) : CODES_3(first, chip, code))
#define CODES_7(first, chip, code, chip2, code2, chip3, code3) \
    (AT_HERE >= GCN_AT_##chip3 ? (code3) : CODES_5(first, chip, code, chip2, code2))

#define GCN_EACH_CHIP "code/chip_rows.def"
#include "gcn_each_chip.inc"

/* Memory words of newer chips that other bits than the first nine tell apart. */
int memory_encoding(int encoding, uint64_t w)
{
    static const int8_t segments[4] = {GCN_FLAT_NEWER, GCN_SCRATCH, GCN_GLOBAL, -1};
    switch (encoding) {
    case GCN_FLAT_NEWER: return segments[GET(w, FLAT_NEWER, seg)];
    case GCN_MTBUF_NEWER: return GET(w, MTBUF_NEWER, d16) ? GCN_MTBUF_D16 : encoding;
    case GCN_MIMG_NEWER: return GET(w, MIMG_NEWER, high) ? GCN_MIMG_HIGH : encoding;
    }
    return encoding;
}

/* The first eight bytes tell; of shorter words the rest may be 0. */
static inline int encoding_of(const struct gcn_chip *chip, uint64_t w)
{
    const int encoding = chip->leading[LEADING((uint32_t)w)];
    if (is_memory_word(encoding)) return memory_encoding(encoding, w);
    return encoding == GCN_VOP3 && chip->high_opcodes && GET(w, VOP3H, high) ? GCN_VOP3H : encoding;
}

/* Whether the offset of a scalar load is a constant after the word. */
static inline bool names_literal(const struct gcn_chip *chip, unsigned row, uint32_t w)
{
    return row && GET(w, SMRD, offset) == GCN_CODE_LITERAL && !GET(w, SMRD, imm) &&
           layout_on(chip, &gcn_ops[row - 1]) == &gcn_layouts[GCN_W_SMRD];
}

/* The row of a word plus one, by its first dword; 0: no such opcode.  VOP3 codes start at 0 for VOPC, 256 for VOP2, 320
 * for its own, 384 for VOP1; rows without a long form have no VOP3 code. */
static inline unsigned row_of(const struct gcn_chip *chip, int encoding, uint32_t w)
{
    static const int16_t in_vop3[8] = {
        AT_VOPC, AT_VOPC, AT_VOPC, AT_VOPC, AT_VOP2 - 256, AT_VOP3, AT_VOP1 - 384, AT_VOP1 - 384};
    const unsigned code = w >> encodings[encoding].op_lo & ((1u << encodings[encoding].op_bits) - 1);
    const unsigned row =
        chip->index[encoding == GCN_VOP3 ? in_vop3[code / 64] + (int)code : encodings[encoding].rows + (int)code];
    if (encoding == GCN_VOP3) return gcn_kinds[row] & GCN_NO_LONG_FORM ? 0 : row;
    return encoding == GCN_SMRD && !chip->smrd_literal && names_literal(chip, row, w) ? 0 : row;
}

/* The first dword with the opcode in the place that row_of reads. */
static inline uint32_t with_opcode(const struct gcn_chip *chip, int encoding, uint32_t w)
{
    return has_newer_vop3(chip, (unsigned)encoding) ? (uint32_t)gcn_word_as_older(w, true) : w;
}

void gcn_place_of(int encoding, struct gcn_opcode_place *place)
{
    unsigned form = encoding == GCN_VOP3 ? LACKED : encodings[encoding].rows;
    *place = (struct gcn_opcode_place){(uint16_t)form, encodings[encoding].op_lo, encodings[encoding].op_bits};
}

int gcn_encoding(const struct gcn_chip *chip, unsigned lead, struct gcn_opcode_place *place)
{
    int encoding = chip->leading[lead & 511];
    if (encoding >= 0) gcn_place_of(encoding, place);
    return encoding;
}

const struct gpudbg_op *gcn_op_at(const struct gcn_chip *chip, int encoding, unsigned code)
{
    static_assert(LACKED + 512 < GCN_FORMS, "forms of all opcodes, and one more");
    unsigned row = row_of(chip, encoding, code << encodings[encoding].op_lo);
    return row ? &gcn_ops[row - 1] : NULL;
}

/* ---- Decoding ---- */

/* Where bits besides the opcode choose among the layouts of a word. */
static const struct gpudbg_format *layout_of(
    const struct gcn_chip *chip, const struct gpudbg_op *op, int encoding, uint64_t w)
{
    const struct gpudbg_format *layout = layout_on(chip, op);
    switch (encoding) {
    case GCN_SMRD:
        return layout == &gcn_layouts[GCN_W_SMRD] && GET(w, SMRD, imm) ? &gcn_layouts[GCN_W_SMRD_IMM] : layout;
    case GCN_DS:
        if (layout != &gcn_layouts[GCN_W_DS_SWIZZLE] || !GET(w, DS_SWIZZLE, mode)) return layout;
        return &gcn_layouts[chip->lds_by_m0 || !(GET(w, DS_SWIZZLE_ROTATE, mode) & 2) ? GCN_W_DS_SWIZZLE_QUAD
                            : GET(w, DS_SWIZZLE_ROTATE, mode) & 1                     ? GCN_W_DS_SWIZZLE_FFT
                                                                                      : GCN_W_DS_SWIZZLE_ROTATE];
    case GCN_VOP3:
        if (chip->newer_vop3) return &gcn_layouts[is_vop3b(op) ? GCN_W_VOP3B_NEWER : GCN_W_VOP3_NEWER];
        return &gcn_layouts[op->flags & GCN_OPSEL ? GCN_W_VOP3_HALF : is_vop3b(op) ? GCN_W_VOP3B : GCN_W_VOP3];
    }
    return layout;
}

/* Whether a 32-bit constant follows the first dword, given that a field of a source has the literal's code. */
static bool source_is_literal(const struct gcn_chip *chip, const struct gpudbg_op *op, int encoding, uint32_t w)
{
    switch (encoding) {
    case GCN_SOP1: return GET(w, SOP1, ssrc0) == GCN_CODE_LITERAL && op->id != GCN_s_getpc_b64;
    case GCN_SOP2: return GET(w, SOP2, ssrc0) == GCN_CODE_LITERAL || GET(w, SOP2, ssrc1) == GCN_CODE_LITERAL;
    case GCN_SOPC: return GET(w, SOPC, ssrc0) == GCN_CODE_LITERAL || GET(w, SOPC, ssrc1) == GCN_CODE_LITERAL;
    case GCN_SMRD: return chip->smrd_literal && names_literal(chip, op->id + 1u, w);
    case GCN_VOP2: return GET(w, VOP2, src0) == GCN_CODE_LITERAL;
    case GCN_VOP1:
    case GCN_VOPC: return GET(w, VOP1, src0) == GCN_CODE_LITERAL && gcn_templates[op->id].operand[0];
    }
    return false;
}

/* The layout of the SDWA or DPP word after a short vector word, on chips with such words; 0: no such word follows. */
static unsigned lanes_word(const struct gcn_chip *chip, int encoding, uint32_t w)
{
    if (encoding != GCN_VOP1 && encoding != GCN_VOP2 && encoding != GCN_VOPC) return 0;
    switch (GET(w, VOP1, src0)) {
    case GCN_CODE_SDWA: return encoding == GCN_VOPC ? GCN_W_SDWA_VOPC : GCN_W_SDWA;
    case GCN_CODE_DPP: return GCN_W_DPP;
    case GCN_CODE_DPP8:
    case GCN_CODE_DPP8_FI: return chip->newer_vop3 ? GCN_W_DPP8 : 0;
    }
    return 0;
}

/* Whether the operation may have such a word.  Source: LLVM 19, gfx1010 and gfx1030; gfx7-pro's are not known. */
static bool takes_lanes_word(const struct gcn_chip *chip, const struct gpudbg_op *op, int encoding, unsigned lanes)
{
    const uint32_t *operand = chip->templates[op->id].operand;
    const bool sdwa = lanes == GCN_W_SDWA || lanes == GCN_W_SDWA_VOPC;
    if (!chip->newer_vop3) return true;
    if (op->flags & (GCN_ALL | GCN_E32) || (encoding == GCN_VOPC && !sdwa) || !*operand) return false;
    if (op->flags & GCN_ALONE && (sdwa || !(op->id == GCN_v_dot2c_f32_f16 || op->id == GCN_v_dot4c_i32_i8)))
        return false;
    if (op->id == GCN_v_mac_legacy_f32 || op->id == GCN_v_fmac_legacy_f32) return false;
    if (sdwa && encoding == GCN_VOP2 && op->flags & GCN_DRW && !(op->flags & GCN_OPSEL)) return false;
    for (; *operand; operand++)
        if (*operand >> 16 > 1 && !gcn_is_mask(*operand >> 8 & 255)) return false;
    return true;
}

/* Whether a field of a source has a literal's code, by the second dword of a long vector word. */
static inline bool names_long_literal(uint32_t high)
{
    const uint64_t w = (uint64_t)high << 32;
    return GET(w, VOP3, src0) == GCN_CODE_LITERAL || GET(w, VOP3, src1) == GCN_CODE_LITERAL ||
           GET(w, VOP3, src2) == GCN_CODE_LITERAL;
}

/* Whether a source of a long vector word is a literal, on chips where one may follow. */
static bool long_has_literal(const struct gcn_chip *chip, const struct gpudbg_op *op, int encoding, uint64_t w)
{
    if (!chip->newer_vop3 || (encoding != GCN_VOP3 && encoding != GCN_VOP3H && encoding != GCN_VOP3P)) return false;
    if (!names_long_literal((uint32_t)(w >> 32))) return false;
    for (const uint32_t *operand = chip->templates[op->id].operand; *operand; operand++) {
        const struct gcn_field_place place = gcn_place(op, encoding, *operand);
        if (place.mask >= 511 && !place.use && (w >> place.lo & place.mask) == GCN_CODE_LITERAL) return true;
    }
    return false;
}

/* Bytes of an instruction, by its row plus one and its word; long ones have 8, and a literal or more addresses may
 * follow.  Most have no literal, which a quick test shows. */
static inline unsigned size_of(const struct gcn_chip *chip, unsigned row, int encoding, uint64_t word)
{
    const uint32_t mask = encodings[encoding].literal, w = (uint32_t)word;
    if (chip->lane_words && lanes_word(chip, encoding, w)) return 8;
    if (is_long(encoding))
        return long_has_literal(chip, &gcn_ops[row - 1], encoding, word) ? 12 : long_size(encoding, w);
    if (gcn_kinds[row] & GCN_HAS_LITERAL) return 8;
    if (!mask || ((w & mask) != GCN_CODE_LITERAL && (w >> LO_OF(SOP2, ssrc1) & mask) != GCN_CODE_LITERAL)) return 4;
    return source_is_literal(chip, &gcn_ops[row - 1], encoding, w) ? 8 : 4;
}

static void set_part(struct gpudbg_insn *insn, const struct gpudbg_format *format, unsigned bit)
{
    insn->parts[insn->nparts++] = (struct gpudbg_part){format, bit, 1, false};
}

int decode_size(struct decoder *d, const struct gpudbg_op *op, int encoding, const uint8_t *p, uint64_t w)
{
    d->op = op;
    d->encoding = encoding;
    d->raw = p;
    d->size = size_of(d->chip, op->id + 1u, encoding, w);
    d->word = !is_long(encoding)                            ? (uint32_t)w
              : has_newer_vop3(d->chip, (unsigned)encoding) ? gcn_word_as_older(w, is_vop3b(op))
                                                            : w;
    d->literal = d->size == 8 && !is_long(encoding) ? (uint32_t)(w >> 32) : 0;
    d->lanes = 0;
    return (int)d->size;
}

/* Takes the first source from the SDWA or DPP word. */
static void take_lanes_word(struct decoder *d)
{
    const unsigned scalar = is_dpp(d->lanes) ? 0 : GET(d->literal, SDWA, s0);
    d->dpp8_fi = d->lanes == GCN_W_DPP8 && GET(d->word, VOP1, src0) == GCN_CODE_DPP8_FI;
    d->word = (d->word & ~MASK(VOP1, src0)) | GET(d->literal, SDWA, src0) | (scalar ? 0 : GCN_CODE_VGPR);
}

int decode_row(struct decoder *d, const uint8_t *p, size_t n)
{
    uint64_t w = 0;
    d->op = NULL;
    d->raw = p;
    d->size = 4;
    d->encoding = -1;
    d->lanes = 0;
    if (n < 4) return GPUDBG_SHORT;
    w = le_u32(p) | (n >= 8 ? (uint64_t)le_u32(p + 4) << 32 : 0);
    int encoding = encoding_of(d->chip, w);
    if (encoding < 0) return GPUDBG_ILLEGAL;
    d->encoding = encoding;
    d->size = long_size(encoding, (uint32_t)w);
    unsigned row = row_of(d->chip, encoding, with_opcode(d->chip, encoding, (uint32_t)w));
    const unsigned lanes = row && d->chip->lane_words ? lanes_word(d->chip, encoding, (uint32_t)w) : 0;
    if (lanes && !takes_lanes_word(d->chip, &gcn_ops[row - 1], encoding, lanes)) {
        d->size = 8;
        row = 0;
    }
    if (n < d->size) return GPUDBG_SHORT;
    if (!row) return GPUDBG_ILLEGAL;
    int size = decode_size(d, &gcn_ops[row - 1], encoding, p, w);
    d->lanes = (uint8_t)lanes;
    if (lanes) {
        d->size = (uint32_t)(size = 8);
        d->literal = (uint32_t)(w >> 32);
    }
    if (n >= (size_t)size) {
        if (size == 12) d->literal = le_u32(p + 8);
        if (lanes) take_lanes_word(d);
        return size;
    }
    d->op = NULL;
    d->lanes = 0;
    return GPUDBG_SHORT;
}

/* The layout of an SDWA or DPP word on a chip. */
static const struct gpudbg_format *lanes_layout(const struct gcn_chip *chip, unsigned lanes)
{
    if (chip->newer_vop3)
        lanes = lanes == GCN_W_SDWA        ? GCN_W_SDWA_NEWER
                : lanes == GCN_W_SDWA_VOPC ? GCN_W_SDWA_VOPC_NEWER
                : lanes == GCN_W_DPP       ? GCN_W_DPP_NEWER
                                           : lanes;
    return &gcn_layouts[lanes];
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
        set_part(out,
            d->chip->newer_vop3 && d->encoding == GCN_VOP3    ? &gcn_layouts[GCN_W_VOP3_NEWER]
            : d->chip->newer_vop3 && d->encoding == GCN_VOP3H ? &gcn_layouts[GCN_W_VOP3H_NEWER]
                                                              : &gcn_layouts[gcn_layout_of[d->encoding]],
            0);
        return;
    }
    set_part(out, layout_of(d->chip, d->op, d->encoding, d->word), 0);
    if (has_literal(d->encoding, d->size))
        set_part(out, d->lanes ? lanes_layout(d->chip, d->lanes) : &gcn_layouts[GCN_W_LITERAL], 8 * (d->size - 4));
    for (unsigned i = 0; i < gcn_nsa(d->encoding, (uint32_t)d->word); i++)
        set_part(out, &gcn_layouts[GCN_W_NSA], 64 + 32 * i);
}

int gcn_decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    struct decoder d = {.insn = out, .chip = gcn_chip_of(isa)};
    out->addr = addr;
    out->isa = isa;
    out->derived[0] = out->derived[1] = 0;
    int size = decode_row(&d, p, n);
    decode_layouts(&d, p);
    if (size > 0) decode_operands(&d);
    return size;
}

/* ---- Only sizes and targets ---- */

/* Words of an encoding: the rows of their opcodes are index[rows + (w >> lo & mask)]. */
struct quick {
    uint16_t rows, mask;
    uint8_t lo, flags;
};
enum {
    QUICK_ASK = 1,   /* decode_row has to read it */
    QUICK_LANES = 2, /* words about lanes may follow */
    QUICK_LONG = 4,  /* it has 8 bytes, whatever its bits are */
    QUICK_NEWER = 8  /* a long vector word of newer chips: the same, unless a literal follows */
};

/* By encoding plus one; the first is for words without an encoding. */
static void make_quick(const struct gcn_chip *chip, struct quick quick[GCN_ENCODINGS + 1])
{
    quick[0] = (struct quick){.flags = QUICK_ASK};
    for (int encoding = 0; encoding < GCN_ENCODINGS; encoding++) {
        const bool asks = gcn_has_no_forms(chip, encoding) || (encoding == GCN_SMRD && !chip->smrd_literal);
        quick[encoding + 1] = (struct quick){encodings[encoding].rows,
            (uint16_t)((1u << encodings[encoding].op_bits) - 1), encodings[encoding].op_lo,
            has_newer_vop3(chip, (unsigned)encoding) ? QUICK_ASK | QUICK_NEWER
            : asks                                   ? QUICK_ASK
            : is_long(encoding)                      ? QUICK_ASK | QUICK_LONG
            : chip->lane_words                       ? QUICK_LANES
                                                     : 0};
    }
}

/* Words by their first nine bits: whether these bits choose an operation of which sizes and targets depend on nothing
 * but is_plain.  Found when such a word is met, as programs are short and have few of the 512. */
enum plain { PLAIN_UNKNOWN, PLAIN_YES, PLAIN_NO };

__attribute__((noinline)) static bool find_plain(const struct gcn_chip *chip, uint8_t *plain, unsigned lead)
{
    const int encoding = chip->leading[lead];
    const bool is = encoding >= 0 && !is_long(encoding) && !is_memory_word(encoding) && encoding != GCN_SMRD &&
                    encodings[encoding].op_lo >= LEADING_AT &&
                    !((gcn_kinds[row_of(chip, encoding, lead << LEADING_AT)] ^ GCN_IS_ROW) & ~GCN_NO_LONG_FORM);
    plain[lead] = is ? PLAIN_YES : PLAIN_NO;
    return is;
}

static inline bool has_plain_lead(const struct gcn_chip *chip, uint8_t *plain, uint32_t w)
{
    const unsigned known = plain[LEADING(w)];
    return known == PLAIN_YES || (known == PLAIN_UNKNOWN && find_plain(chip, plain, LEADING(w)));
}

/* No source has a code that other words follow. */
static inline bool is_plain(uint32_t w)
{
    return GET(w, SOP2, ssrc0) < GCN_CODE_DPP8 && GET(w, SOP2, ssrc1) != GCN_CODE_LITERAL;
}

/* The size of any instruction, and what gcn_kinds says of its row: 0, no such opcode.  Returns 0 where its end is
 * missing. */
__attribute__((noinline)) static size_t asked_size(
    const struct gcn_chip *chip, unsigned flags, const uint8_t *p, size_t n, unsigned *kind)
{
    struct decoder d GPUDBG_UNSET;
    if (flags & QUICK_LONG || (flags & QUICK_NEWER && n >= 8 && !names_long_literal(le_u32(p + 4)))) {
        const uint32_t w = le_u32(p);
        const int encoding = chip->leading[LEADING(w)];
        *kind = gcn_kinds[row_of(chip, encoding, with_opcode(chip, encoding, w))];
        return n >= 8 ? 8 : 0;
    }
    d.chip = chip;
    *kind = 0;
    if (decode_row(&d, p, n) == GPUDBG_SHORT) return 0;
    if (d.op) *kind = gcn_kinds[d.op->id + 1u];
    return d.size <= n ? d.size : 0;
}

/* The same, quick for short words.  Codes of sources that other words follow are a literal's, and those about lanes. */
__attribute__((always_inline)) static inline size_t size_at(
    const struct gcn_chip *chip, const struct quick *quick, const uint8_t *p, size_t n, unsigned *kind)
{
    static_assert(GCN_CODE_DPP8_FI == GCN_CODE_DPP8 + 1 && GCN_CODE_SDWA == GCN_CODE_DPP8 + 16 &&
                      GCN_CODE_DPP == GCN_CODE_DPP8 + 17,
        "a code about lanes is the first one, with bit 0 or 4");
    const uint32_t w = le_u32(p);
    const struct quick *q = &quick[chip->leading[LEADING(w)] + 1];
    if (q->flags & QUICK_ASK || GET(w, SOP2, ssrc0) == GCN_CODE_LITERAL || GET(w, SOP2, ssrc1) == GCN_CODE_LITERAL ||
        (q->flags & QUICK_LANES && ((w - GCN_CODE_DPP8) & 0xee) == 0))
        return asked_size(chip, q->flags, p, n, kind);
    *kind = gcn_kinds[chip->index[q->rows + (w >> q->lo & q->mask)]];
    if (!(*kind & GCN_HAS_LITERAL)) return 4;
    return n >= 8 ? 8 : 0;
}

size_t gcn_skim(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *s)
{
    const struct gcn_chip *chip = gcn_chip_of(isa);
    struct quick quick[GCN_ENCODINGS + 1];
    uint8_t plain[512] = {0};
    make_quick(chip, quick);
    uint8_t *const starts = s->starts;
    size_t at = 0, size, unit = s->first;
    for (; n - at >= 4; at += size, unit += size / 4) {
        const uint32_t w = le_u32(p + at);
        unsigned kind = 0;
        if (has_plain_lead(chip, plain, w) && is_plain(w)) {
            size = 4;
            starts[unit / 8] |= (uint8_t)(1u << unit % 8);
            continue;
        }
        size = size_at(chip, quick, p + at, n - at, &kind);
        if (!size) break;
        if (!kind) continue;
        if (kind & GCN_NAMES_TARGET) {
            if (s->ntargets == s->room) break;
            s->targets[s->ntargets++] = branch_target(addr + at, w);
        }
        starts[unit / 8] |= (uint8_t)(1u << unit % 8);
    }
    return at;
}

/* ---- Bare code ---- */

/* Follows the code from its start: the program ends with the first s_endpgm (or jump without return) that no branch
 * found so far jumps past. */
size_t gcn_program(const struct gpudbg_isa *isa, const uint8_t *p, size_t n)
{
    const struct gcn_chip *chip = gcn_chip_of(isa);
    struct quick quick[GCN_ENCODINGS + 1];
    uint8_t plain[512] = {0};
    size_t far = 0, size;
    make_quick(chip, quick);
    for (size_t at = 0; n - at >= 4;) {
        const uint32_t w = le_u32(p + at);
        unsigned kind = 0;
        if (has_plain_lead(chip, plain, w) && is_plain(w)) {
            at += 4;
            continue;
        }
        size = size_at(chip, quick, p + at, n - at, &kind);
        if (!size || !kind) return 0;
        at += size;
        if (!(kind & (GCN_NAMES_TARGET | GCN_ENDS_PROGRAM))) continue;
        const int64_t away = 4 * (int64_t)(int16_t)GET(w, SOPP_BRANCH, simm16);
        const bool forward = kind & GCN_NAMES_TARGET && !(kind & GCN_IS_SOPK) && away >= 0;
        const size_t target = at + (size_t)away;
        if (forward && target > far && target < n) far = target;
        if (kind & GCN_ENDS_PROGRAM && far < at) return at;
    }
    return 0;
}
