/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_decoder.h: shared by the files of the decoder: layouts, templates, functions that append text. */
#ifndef GCN_DECODER_H
#define GCN_DECODER_H

#include <string.h>
#include "code/bits.h"
#include "gcn.h"

/* Word layouts: indices in gcn_layouts. */
enum gcn_layout {
#define FORMAT(layout, word, bits, mask, match, doc) GCN_W_##layout,
#define FIELD(name, bits, how, doc)
#define END
#include "formats.def"
    GCN_WORD_LAYOUTS, /* the following are layouts of descriptors and registers */
    GCN_W_LAST_WORD = GCN_WORD_LAYOUTS - 1,
#define FORMAT(layout, word, bits, mask, match, doc) GCN_W_##layout,
#define FIELD(name, bits, how, doc)
#define END
#include "descriptors.def"
    GCN_LAYOUTS
};
extern const struct gpudbg_format gcn_layouts[GCN_LAYOUTS];
/* For each chip: the list of its layouts, and the tables of gcn_decode.c that struct gcn_chip points to. */
#define CHIP(id, ...)                                                               \
    extern const struct gpudbg_format *const gcn_formats_##id[2 * GCN_LAYOUTS + 1]; \
    extern const struct gpudbg_row gcn_rows_##id[];                                 \
    extern const uint16_t gcn_index_##id[];                                         \
    extern const int8_t gcn_leading_##id[512];
#include "chips.def"

/* Which chips have a layout of formats.def: the chip AT_HERE is one of them. */
#define SINCE(chip) (AT_HERE >= GCN_AT_##chip)
#define UNTIL(chip) (AT_HERE < GCN_AT_##chip)
#define EXCEPT(chip) (AT_HERE != GCN_AT_##chip)

/* The first nine bits of a word tell its encoding. */
#define LEADING_AT 23
#define LEADING(word) ((word) >> LEADING_AT)
/* The layout that an encoding's operands are read by. */
extern const uint8_t gcn_layout_of[GCN_ENCODINGS];

/* Enumerations: indices in gcn_enum. */
enum gcn_enum_id {
#define ENUM(name, source) GCN_E_##name,
#define VALUE(value, name, doc)
#define END
#include "enums.def"
    GCN_ENUMS
};
extern const struct gpudbg_enum gcn_enum[GCN_ENUMS];
extern const struct gpudbg_enum *const gcn_enums[GCN_ENUMS + 1];

/* The operands of a row, in the order of the text: dwords << 16 | type << 8 | slot, 0 ends. */
struct gcn_template {
    uint32_t operand[7];
    uint8_t name_len;
    char name[35]; /* the name again, so that it is copied at once */
};
extern const struct gcn_template gcn_templates[];       /* with masks of 64 bits */
extern const struct gcn_template gcn_templates_of_32[]; /* with masks of 32 bits */
/* The operands of a row on a chip, up to a 0. */
static inline const uint32_t *operands_on(const struct gcn_chip *chip, const struct gpudbg_op *op)
{
    const uint32_t *operand = chip->templates[op->id].operand;
    const bool no_mask = chip->compare_exec && op->flags & GCN_EXEC_W && op->flags & GPUDBG_OP_VECTOR;
    return operand + (no_mask && gcn_is_mask(*operand >> 8 & 255));
}

/* Facts of a row that sizes and targets depend on, by its index plus one; 0: there is no row. */
enum {
    GCN_NO_LONG_FORM = 1,
    GCN_HAS_LITERAL = 2,  /* with any sources */
    GCN_NAMES_TARGET = 4, /* SOPK: in a word with a register */
    GCN_IS_SOPK = 8,
    GCN_ENDS_PROGRAM = 16, /* no instruction comes next */
    GCN_IS_ROW = 32
};
extern const uint8_t gcn_kinds[];

/* gcn_type_dwords by table. */
extern const uint8_t gcn_dwords[GCN_TYPES];
static inline unsigned dwords_of(unsigned type) { return gcn_dwords[type]; }

/* Long vector words of newer chips, and the same with their bits in the places of VOP3 and VOP3H, where code reads
 * them.  second: the word has a second result in the places of op_sel and abs; its clamp keeps its place. */
#define NEWER_VOP3_LOW (MASK(VOP3H_NEWER, op_sel) | MASK(VOP3H_NEWER, clamp))
#define NEWER_VOP3_HIGH (MASK(VOP3H_NEWER, op) | MASK(VOP3H_NEWER, encoding))
static inline uint64_t gcn_word_as_older(uint64_t w, bool second)
{
    const uint64_t kept = w & ~(NEWER_VOP3_HIGH | (second ? 0 : NEWER_VOP3_LOW));
    const uint64_t high = GET(w, VOP3H_NEWER, encoding) & 1;
    const uint64_t low = IN_PLACE(GET(w, VOP3H_NEWER, clamp), VOP3H, clamp) |
                         IN_PLACE(GET(w, VOP3H_NEWER, op_sel), VOP3H, op_sel);
    return kept | IN_PLACE(0x34, VOP3H, encoding) | IN_PLACE(high, VOP3H, high) |
           IN_PLACE(GET(w, VOP3H_NEWER, op), VOP3H, op) | (second ? 0 : low);
}
static inline uint64_t gcn_word_as_newer(uint64_t w, bool second)
{
    const uint64_t moved = MASK(VOP3H, clamp) | MASK(VOP3H, op_sel);
    const uint64_t kept = w & ~(MASK(VOP3H, op) | MASK(VOP3H, encoding) | MASK(VOP3H, high) | (second ? 0 : moved));
    const uint64_t low = IN_PLACE(GET(w, VOP3H, clamp), VOP3H_NEWER, clamp) |
                         IN_PLACE(GET(w, VOP3H, op_sel), VOP3H_NEWER, op_sel);
    return kept | IN_PLACE(0x6a | GET(w, VOP3H, high), VOP3H_NEWER, encoding) |
           IN_PLACE(GET(w, VOP3H, op), VOP3H_NEWER, op) | (second ? 0 : low);
}
static inline bool has_newer_vop3(const struct gcn_chip *chip, unsigned encoding)
{
    return chip->newer_vop3 && (encoding == GCN_VOP3 || encoding == GCN_VOP3H);
}

/* The instruction's bytes as a number: four or eight of them, in the places that code reads. */
static inline uint64_t word_of(const struct gpudbg_insn *insn)
{
    const uint64_t w = le_u32(insn->raw) | (insn->size >= 8 ? (uint64_t)le_u32(insn->raw + 4) << 32 : 0);
    return insn->op && has_newer_vop3(gcn_chip_of(insn->isa), insn->variant)
               ? gcn_word_as_older(w, insn->op->flags & GCN_CARRY)
               : w;
}

/* What an instruction accesses, by its encoding. */
enum gcn_access {
    GCN_NO_ACCESS,
    GCN_BUFFERS,
    GCN_IMAGES,
    GCN_FLATS,    /* memory or LDS, as the address says */
    GCN_SEGMENTS, /* global memory or scratch, as the word says */
    GCN_CONSTANTS,
    GCN_LOCALS, /* LDS or GDS */
    GCN_EXPORTS,
};
static inline enum gcn_access gcn_access_of(const struct gpudbg_insn *insn)
{
    switch (insn->variant) {
    case GCN_MUBUF:
    case GCN_MTBUF:
    case GCN_MUBUF_NEWER:
    case GCN_MTBUF_NEWER:
    case GCN_MTBUF_D16: return GCN_BUFFERS;
    case GCN_MIMG:
    case GCN_MIMG_NEWER:
    case GCN_MIMG_HIGH: return GCN_IMAGES;
    case GCN_FLAT:
    case GCN_FLAT_NEWER: return GCN_FLATS;
    case GCN_GLOBAL:
    case GCN_SCRATCH: return GCN_SEGMENTS;
    case GCN_SMRD:
    case GCN_SMEM: return GCN_CONSTANTS;
    case GCN_DS: return GCN_LOCALS;
    case GCN_EXP: return GCN_EXPORTS;
    default: return GCN_NO_ACCESS;
    }
}
/* The place that a scalar load or store accesses, beside its base: bytes, and an SGPR that is added; NULL: none. */
struct gcn_scalar_place {
    int64_t bytes;
    const struct gpudbg_operand *sgpr;
};
struct gcn_scalar_place gcn_scalar_place(const struct gpudbg_insn *);

/* Whether a vector access has the bit glc: an atomic returns the old value; a load passes by the first cache. */
bool gcn_has_glc(const struct gpudbg_insn *);
bool gcn_has_dlc(const struct gpudbg_insn *); /* ... a load with both passes by the second, too */

/* Text is appended through a pointer, without a check for room: the functions below return the new end and write no
 * more than their comments say. */
enum {
    TEXT_OPERAND = 256, /* an operand */
    TEXT_WHOLE = 2048,  /* an instruction, a label of TEXT_OPERAND included */
};
#define PUT(p, text) ((char *)memcpy(p, text, sizeof text - 1) + sizeof text - 1)

static inline char *put(char *p, const char *text)
{
    while (*text) *p++ = *text++;
    return p;
}

/* The counters of s_waitcnt. */
struct gcn_counters {
    unsigned vm, exp, lgkm;
};
struct gcn_counters gcn_counters_of(const struct gcn_chip *, unsigned value);
/* The names of hardware registers on a chip; NULL: the register has none. */
const struct gpudbg_enum *gcn_hwregs(const struct gcn_chip *);
const char *gcn_hwreg_name(const struct gcn_chip *, unsigned id);
const struct gpudbg_enum *gcn_export_targets(const struct gcn_chip *); /* on a chip */

/* The constant of s_waitcnt that waits for nothing. */
static inline unsigned waitcnt_none(const struct gcn_chip *chip)
{
    const unsigned narrow = (unsigned)(MASK(SOPP_WAITCNT, vmcnt) | MASK(SOPP_WAITCNT, expcnt) |
                                       MASK(SOPP_WAITCNT, lgkmcnt));
    const unsigned wide = (unsigned)(MASK(SOPP_WAITCNT_6, vmcnt) | MASK(SOPP_WAITCNT_6, vmcnt_high) |
                                     MASK(SOPP_WAITCNT_6, expcnt) | MASK(SOPP_WAITCNT_6, lgkmcnt));
    return chip->wide_counters ? wide : narrow;
}
#define WAITCNT_NONE ((unsigned)(MASK(SOPP_WAITCNT, vmcnt) | MASK(SOPP_WAITCNT, expcnt) | MASK(SOPP_WAITCNT, lgkmcnt)))

/* The counters of s_waitcnt_depctr, in the order of text; the first is not on all chips. */
enum { GCN_DEPCTRS = 7 };
struct gcn_depctr {
    const char *name;
    uint8_t lo, len;
};
extern const struct gcn_depctr gcn_depctrs[GCN_DEPCTRS];
static inline unsigned gcn_depctr_first(const struct gcn_chip *chip) { return !chip->cycles; }
unsigned gcn_depctr_none(const struct gcn_chip *); /* the constant that waits for nothing */

/* The 16-bit constant of an encoding, by its type; the caller writes branch targets. */
char *put_simm16(char *p, const struct gcn_chip *, int encoding, unsigned type, uint16_t value);
char *put_number(char *p, int64_t value); /* decimal, at most 20 characters */
char *put_hex(char *p, uint64_t value);   /* 0x..., at most 18 */

/* Numbers of registers as text: the digits, and their count in [3]. */
extern const char small_numbers[256][4];
static inline char *put_small(char *p, unsigned n)
{
    const char *digits = small_numbers[n & 255];
    memcpy(p, digits, 4);
    return p + digits[3];
}

/* The rest of a register's name: its number, or a range of numbers: s5, s[4:7]. */
static inline char *put_run(char *p, unsigned first, unsigned n)
{
    if (n <= 1) return put_small(p, first);
    *p++ = '[';
    p = put_small(p, first);
    *p++ = ':';
    p = first + n <= 256 ? put_small(p, first + n - 1) : put_number(p, first + n - 1);
    *p++ = ']';
    return p;
}

/* An attribute that is interpolated: its number, times 4, and the component. */
static inline char *put_attribute(char *p, unsigned attribute)
{
    p = put_small(PUT(p, "attr"), attribute >> 2);
    *p++ = '.';
    *p++ = "xyzw"[attribute & 3];
    return p;
}

/* Names of the operand codes (operand_names.c).  n: the length, plus GCN_NAME_ODD if the text may be a constant
 * instead. */
struct gcn_name {
    char text[15];
    uint8_t n;
};
enum { GCN_NAME_LENGTH = 15, GCN_NAME_ODD = 16 };
#define GCN_NO_NAME 1024 /* an empty name */
/* Of operands of one dword; from 512 on, of two dwords. */
extern const struct gcn_name gcn_names[1025], gcn_newer_names[1025];

extern const char *const gcn_aperture_names[5];
static inline bool is_aperture(const struct gcn_chip *chip, unsigned code)
{
    return chip->apertures && code >= GCN_CODE_APERTURE && code < GCN_CODE_APERTURE + 5;
}

/* The operand code as an operand of so many dwords; reserved codes and the literal's have names, too. */
char *put_long_code(char *p, const struct gcn_chip *, unsigned code, unsigned dwords);
static inline char *put_code(char *p, const struct gcn_chip *chip, unsigned code, unsigned dwords)
{
    if (dwords > 2) return put_long_code(p, chip, code, dwords);
    if (is_aperture(chip, code)) return put(p, gcn_aperture_names[code - GCN_CODE_APERTURE]);
    const struct gcn_name *name = &chip->names[(code & 511) + (dwords == 2 ? 512 : 0)];
    memcpy(p, name, 16);
    return p + (name->n & GCN_NAME_LENGTH);
}

/* Whether the code is one of FLAT_SCRATCH's on other chips, and this one reserves it. */
static inline bool lacks_flat_scratch(const struct gcn_chip *chip, unsigned code)
{
    return code >= GCN_CODE_FLAT_SCRATCH && code < GCN_CODE_VCC && code >= chip->sgprs && !chip->flat_scratch;
}

/* Operands of 16 bits, of which newer chips' assemblers write 16 bits of a literal, and floats as their bits where the
 * operand is an integer. */
static inline bool is_half_literal(const struct gcn_chip *chip, unsigned type)
{
    return chip->half_literals && (type == GCN_F16 || type == GCN_U16 || type == GCN_I16);
}
static inline bool is_half_as_bits(const struct gcn_chip *chip, unsigned type, unsigned code)
{
    return chip->half_literals && (type == GCN_U16 || type == GCN_I16) && code >= GCN_CODE_FLOAT &&
           code <= GCN_CODE_INV_2PI;
}
static inline char *put_half_bits(char *p, unsigned code)
{
    uint64_t value = gcn_inv_2pi(GCN_F16);
    gcn_inline(code, GCN_F16, &value);
    return put_hex(p, value);
}

/* Whether the long form of the operation chooses halves on the chip. */
bool takes_op_sel(const struct gcn_chip *, const struct gpudbg_op *);
/* How many sources the operation has. */
unsigned gcn_sources(const struct gpudbg_op *);
/* A modifier that is set or not: " glc"; one that is a number, and left out if it is 0: " offset:8". */
char *put_flag(char *p, uint32_t set, const char *name);
char *put_offset(char *p, const char *name, unsigned value);
/* A flag of a layout, by its name. */
#define PUT_FLAG(p, w, layout, name) put_flag(p, GET(w, layout, name), #name)
/* 1 / (2 pi), as LLVM writes it. */
static inline char *put_inv_2pi(char *p, unsigned dwords)
{
    const char *text = dwords == 2 ? "0.15915494309189532" : "0.15915494";
    const size_t n = strlen(text);
    memcpy(p, text, n);
    return p + n;
}

/* Names of the operations of messages, by number: a geometry shader's, the system's (0 has no name); and names of the
 * values of an attribute that v_interp_mov takes. */
extern const char *const gcn_gs_ops[4], *const gcn_sys_ops[5], *const gcn_parameters[3];

/* Which lane DPP reads, in LLVM's words: "quad_perm:[0,1,2,3]", "row_shr:1".  Length as snprintf. */
int say_dpp(uint64_t control, char *buf, size_t size);
int say_dpp_newer(uint64_t control, char *buf, size_t size);

/* Copies from..to out as snprintf does: at most size bytes with the 0; returns the whole length. */
int put_out(const char *from, const char *to, char *buf, size_t size);

/* Bits of the word that its encoding leaves reserved (gcn_reserved.c); and text for those that are set: "bit 16 is
 * reserved". */
uint64_t reserved_of(const struct gcn_chip *, const struct gpudbg_op *, int encoding);
char *put_reserved(char *p, uint64_t bits);

/* Registers by operand code: scalars by their own, VGPRs from GCN_CODE_VGPR on. */
struct gcn_codes {
    uint16_t first, count;
};
/* The registers of an operand, halves of pairs apart; false: it has no registers that instructions wait for. */
bool gcn_codes_of(const struct gpudbg_operand *, struct gcn_codes *);
/* The registers that both have; count 0: none. */
static inline struct gcn_codes gcn_codes_shared(struct gcn_codes a, struct gcn_codes b)
{
    const unsigned first = a.first > b.first ? a.first : b.first, ends[2] = {a.first + a.count, b.first + b.count};
    const unsigned end = ends[0] < ends[1] ? ends[0] : ends[1];
    return (struct gcn_codes){(uint16_t)first, (uint16_t)(first < end ? end - first : 0)};
}
char *put_codes(char *p, const struct gcn_chip *, struct gcn_codes); /* the first register, or a pair with a name */

/* One operand as text, with its modifiers; at most TEXT_OPERAND characters. */
char *put_operand(char *p, const struct gpudbg_insn *, const struct gpudbg_operand *);

/* The text of an instruction without a final 0; returns its length.  decode_row has filled the decoder, and its addr is
 * set. */
struct decoder;
size_t gcn_put(struct decoder *, const struct gpudbg_names *, char *buf);
/* Bits of a word that may add text to the operands' names. */
extern const uint64_t gcn_modifier_bits[GCN_ENCODINGS];

/* Encodings of 64 bits; the others have 32, and a literal may follow.  On newer chips a literal may follow long vector
 * words, too. */
static inline bool is_long(int encoding) { return encoding == GCN_VOP3 || encoding <= GCN_VOP3P; }

/* Memory words of newer chips. */
static inline bool is_memory_word(int encoding) { return encoding >= GCN_SMEM && encoding <= GCN_MIMG_HIGH; }

/* Words whose size, opcode or operands other bits choose than those of the leading bits and the opcode. */
static inline bool gcn_has_no_forms(const struct gcn_chip *chip, int encoding)
{
    return is_memory_word(encoding) || (is_long(encoding) && (chip->newer_vop3 || chip->high_opcodes));
}

static inline bool is_image(int encoding) { return encoding == GCN_MIMG_NEWER || encoding == GCN_MIMG_HIGH; }

/* The encoding of a memory word, whose first bits are those of `encoding`; -1: none.  Others stay. */
int memory_encoding(int encoding, uint64_t w);

/* Dwords with VGPRs of the address that follow an image word. */
static inline unsigned gcn_nsa(int encoding, uint32_t w) { return is_image(encoding) ? GET(w, MIMG_NEWER, nsa) : 0; }
static inline unsigned long_size(int encoding, uint32_t w)
{
    return is_long(encoding) ? 8 + 4 * gcn_nsa(encoding, w) : 4;
}

/* The instruction while it is being decoded. */
struct decoder {
    struct gpudbg_insn *insn;
    const struct gpudbg_op *op; /* NULL: none */
    uint64_t word;              /* all 64 bits of long encodings; else the first dword */
    const uint8_t *raw;
    uint64_t addr;
    uint32_t literal, size;
    int encoding; /* -1: none */
    bool lds_direct;
    const struct gcn_chip *chip;
    uint8_t lanes; /* GCN_W_SDWA, GCN_W_SDWA_VOPC, GCN_W_DPP or GCN_W_DPP8: `literal` is such a word; 0: it is not */
    bool dpp8_fi;  /* of DPP8: lanes that do not run are read, too */
};
static inline bool is_dpp(unsigned lanes) { return lanes == GCN_W_DPP || lanes == GCN_W_DPP8; }

/* Whether a constant follows the word, and where. */
static inline bool has_literal(int encoding, uint32_t size)
{
    return size > (is_long(encoding) ? 8 : 4) && !is_memory_word(encoding);
}
static inline uint32_t literal_of_insn(const struct gpudbg_insn *insn)
{
    return has_literal((int)insn->variant, insn->size) ? le_u32(insn->raw + insn->size - 4) : 0;
}

/* The target of a branch at addr. */
static inline uint64_t branch_target(uint64_t addr, uint64_t w)
{
    return addr + 4 + (uint64_t)(4 * (int64_t)(int16_t)w);
}

/* Long words with a scalar destination besides the vector destination. */
static inline bool is_vop3b(const struct gpudbg_op *op) { return op->flags & GCN_CARRY; }

/* The layout of an operation's word on a chip. */
static inline const struct gpudbg_format *layout_on(const struct gcn_chip *chip, const struct gpudbg_op *op)
{
    return chip->isa.rows[op->id].format;
}

/* The row, the word and the size of the instruction at p; returns as gcn_decode does.  Does not use decoder->insn.
 */
int decode_row(struct decoder *, const uint8_t *p, size_t n);
/* The same if the row is known and eight bytes can be read: w. */
int decode_size(struct decoder *, const struct gpudbg_op *, int encoding, const uint8_t *p, uint64_t w);
/* Then fills all of decoder->insn but its operands; the caller sets addr and isa. */
void decode_layouts(struct decoder *, const uint8_t *p);

/* The place of an operand's field.  Its code, less 104, is bias + ((word >> lo & mask) << shift) in 16 bits: a result
 * of 152 or more is nearly always an SGPR or a VGPR.  If mask and bias are 0, the operand is not in a single field. */
struct gcn_field_place {
    uint16_t mask, bias;
    uint8_t lo, shift, use, unused;
};
extern const struct gcn_field_place gcn_places[GCN_WORD_LAYOUTS][GCN_IN_COUNT]; /* by layout */
/* The place of an operand of a template, including scalar results of vector instructions, whose place depends on the
 * opcode. */
struct gcn_field_place gcn_place(const struct gpudbg_op *, int encoding, uint32_t operand);
static inline unsigned code_above_sgprs(struct gcn_field_place place, uint64_t w)
{
    return (uint16_t)(place.bias + (((unsigned)(w >> place.lo) & place.mask) << place.shift));
}

/* Whether rows of the layout are long alone. */
static inline bool is_long_alone(const struct gpudbg_format *layout)
{
    static_assert(GCN_W_VOP3B == GCN_W_VOP3 + 1 && GCN_W_VOP3_NEWER < GCN_W_VOP3P_NEWER, "layouts follow each other");
    return layout == &gcn_layouts[GCN_W_VOP3] || layout == &gcn_layouts[GCN_W_VOP3B] ||
           layout == &gcn_layouts[GCN_W_VOP3H] || layout == &gcn_layouts[GCN_W_VOP3HB] ||
           layout == &gcn_layouts[GCN_W_VOP3P] ||
           (layout >= &gcn_layouts[GCN_W_VOP3_NEWER] && layout <= &gcn_layouts[GCN_W_VOP3P_NEWER]);
}
/* Whether a long operation is another layout of a short one: the interpolations of floats. */
static inline bool has_short_row(const struct gcn_chip *chip, const struct gpudbg_op *op)
{
    const struct gpudbg_format *layout = layout_on(chip, op);
    return layout == &gcn_layouts[GCN_W_VOP3H_INTERP_MOV] ||
           (layout == &gcn_layouts[GCN_W_VOP3H_INTERP] && strstr(op->name, "_f32"));
}

/* _e32 or _e64, if the assembler knows both forms or requires the suffix. */
static inline char *put_suffix(char *p, const struct decoder *d)
{
    const struct gpudbg_op *op = d->op;
    if (d->lanes) return is_dpp(d->lanes) ? PUT(p, "_dpp") : PUT(p, "_sdwa");
    switch (d->encoding) {
    case GCN_VOP3:
        if (d->chip->newer_vop3 && !gcn_templates[op->id].operand[0]) return p;
        return is_long_alone(layout_on(d->chip, op)) ? p : PUT(p, "_e64");
    case GCN_VOP3H: return has_short_row(d->chip, op) ? PUT(p, "_e64") : p;
    case GCN_VINTRP: return d->chip->interp_e32 ? PUT(p, "_e32") : p;
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOPC:
        return op->flags & (GCN_ALL | GCN_E32 | GCN_ALONE) || !gcn_templates[op->id].operand[0] ? p : PUT(p, "_e32");
    }
    return p;
}

/* The place of the opcode in an encoding's first dword.  Its opcodes are numbered from `form` on; each encoding has its
 * own range. */
struct gcn_opcode_place {
    uint16_t form;
    uint8_t lo, bits;
};
#define GCN_FORMS 5120 /* above all forms; the last belongs to no opcode */
void gcn_place_of(int encoding, struct gcn_opcode_place *);
/* The encoding of a word that starts with these nine bits, or -1. */
int gcn_encoding(const struct gcn_chip *, unsigned lead, struct gcn_opcode_place *);
/* NULL: no such opcode. */
const struct gpudbg_op *gcn_op_at(const struct gcn_chip *, int encoding, unsigned code);

/* The VGPR in field n of an export. */
static inline unsigned export_source(uint64_t w, unsigned n)
{
    const uint32_t field[4] = {GET(w, EXP, vsrc0), GET(w, EXP, vsrc1), GET(w, EXP, vsrc2), GET(w, EXP, vsrc3)};
    return field[n];
}

/* VGPRs of a buffer's address; of the data of a buffer or image, whose row says `dwords`, status included. */
unsigned buffer_address_dwords(uint64_t word);
unsigned data_dwords(const struct decoder *, unsigned dwords);

/* Fills the operands of decoder->insn: those of the template, then those that are read and written besides
 * (decode_operands.c). */
void decode_operands(struct decoder *);
/* Makes the operand of a template's entry the only operand of decoder->insn; false: this word lacks it. */
bool decode_operand(struct decoder *, uint32_t operand);
/* Whether op_sel_hi says which sources are halves: of v_mad_mix_f32 and the like. */
static inline bool takes_mixed_sources(const struct gpudbg_op *op)
{
    return strncmp(op->name, "v_mad_mix", 9) == 0 || strncmp(op->name, "v_fma_mix", 9) == 0;
}
/* Whether the sign of a whole source is LLVM's sext() in the long form. */
static inline bool takes_sext(const struct gpudbg_op *op)
{
    return strncmp(op->name, "v_ldexp_", 8) == 0 || strncmp(op->name, "v_trig_", 7) == 0 ||
           strncmp(op->name, "v_cvt_pk_u8", 11) == 0;
}
/* Whether the word has signs or absolute values of sources. */
static inline bool has_source_modifiers(const struct decoder *d)
{
    if (d->encoding == GCN_VOP3P) return d->chip->newer_vop3 && takes_mixed_sources(d->op);
    if (d->lanes)
        return d->lanes == GCN_W_SDWA || d->lanes == GCN_W_SDWA_VOPC || (d->chip->newer_vop3 && d->lanes == GCN_W_DPP);
    return (d->encoding == GCN_VOP3 || d->encoding == GCN_VOP3H) &&
           d->word & (MASK(VOP3, neg) | (is_vop3b(d->op) ? 0 : MASK(VOP3, abs)));
}

/* The least number of VGPRs of an image address: that of a 1D image. */
unsigned image_address_least(const struct gpudbg_op *);

/* Why LLVM's assembler does not give exactly these bytes for the text (llvm.c); NULL: it does.  *operand: the index in
 * insn->operands of the operand at fault, or -1. */
const char *llvm_refuses(const struct gpudbg_insn *, int *operand);
/* The same for a whole row in one encoding, of whose words the instruction is one without modifiers.  true: the
 * assembler takes all of its words without modifiers whose bits besides *said are 0, whose operands have codes of
 * llvm_takes_code, and that read one scalar register at most if they are vector operations.  false: ask
 * llvm_refuses. */
bool llvm_takes_row(const struct gpudbg_insn *, uint64_t *said);
/* Whether it takes the code as a source or result of so many dwords of each such row; it may take others, too. */
enum llvm_use { LLVM_SOURCE, LLVM_RESULT, LLVM_LOADED }; /* LOADED: the result of a scalar load */
bool llvm_takes_code(const struct gcn_chip *, unsigned code, unsigned dwords, enum llvm_use);
/* Whether it keeps a constant behind a short word of such a row instead of making it a code. */
bool llvm_keeps_literal(uint32_t bits, unsigned type);
/* The same for newer chips' long vector words: rows of which a word may read two scalar registers. */
bool newer_takes_row(const struct gpudbg_insn *, uint64_t *said);
/* The same as llvm_refuses for the fields of newer chips' vector words (llvm_newer.c). */
const char *newer_word_refused(const struct gpudbg_insn *, uint64_t word);

/* ---- Memory words of newer chips: memory_words.c, memory_parse.c, memory_llvm.c ---- */

/* The parts of decode_operands.c that they share. */
struct gpudbg_operand *add_constant(struct decoder *, unsigned kind, unsigned type, unsigned slot, int64_t value);
void add_code(struct decoder *, unsigned code, unsigned flags, unsigned type, unsigned slot);
void add_vgprs(struct decoder *, unsigned first, unsigned n, unsigned flags, unsigned type, unsigned slot);
unsigned data_flags(const struct gpudbg_op *, bool glc); /* of the data of a load, a store or an atomic */
unsigned mask_dwords(unsigned dmask);                    /* VGPRs for these components */

/* Adds the operands of the row's template. */
void decode_memory_operands(struct decoder *);
/* The constant part of the address, in bytes; whether a load goes to LDS. */
int64_t memory_offset(const struct decoder *);
bool memory_to_lds(const struct decoder *);
bool is_ray(const struct gpudbg_op *); /* a ray against a tree of boxes and triangles */
/* VGPRs of an image address, of the data of a buffer or an image. */
unsigned image_address_dwords(const struct gpudbg_op *, uint64_t w);
unsigned memory_data_dwords(const struct gpudbg_op *, int encoding, uint64_t w, unsigned dwords);
/* Whether the text of a word has the template's operand. */
bool memory_operand_is_there(const struct gpudbg_op *, int encoding, uint64_t w, unsigned slot);
/* Which registers make the address of GLOBAL and SCRATCH words. */
bool has_saddr(const struct gcn_chip *, int encoding, uint64_t w);
bool has_vaddr(const struct gcn_chip *, int encoding, uint64_t w);
char *put_memory_operands(char *p, struct decoder *);
char *put_memory_modifiers(char *p, const struct decoder *);
/* The rule of LLVM's assembler that the word breaks, as a sentence; NULL: none. */
const char *memory_refused(const struct gpudbg_insn *, uint64_t w);

/* ---- Text to bytes: gcn_assemble.c, and gcn_parse.c for operands ---- */

/* An instruction that is being assembled in one of the forms of its row. */
struct gcn_assembly {
    struct gpudbg_reading *r;
    const struct gpudbg_op *op;
    int encoding;
    uint64_t w;              /* the known bits of the word; the opcode and the modifiers from the start */
    uint32_t literal;        /* the constant after the word */
    uint32_t more[3];        /* dwords after an image word: VGPRs of the address */
    bool has_literal, loose; /* loose: the literal is an address that is not final */
    uint8_t lanes;           /* the word about lanes that follows, as in struct decoder; literal is that word */
    bool fi;                 /* of a DPP8 form */
    const char *modifiers;   /* where the modifiers begin in the text, or its end */
    const char *offset;      /* the last operand of a typed buffer, if modifiers stand before it; else NULL */
    const char *operand[8];  /* starts of the operands that were read */
    unsigned noperands;
};
/* Reads the operand of one entry of the template and puts it into the word.  false: the report says why. */
bool gcn_take_operand(struct gcn_assembly *, uint32_t operand);
/* Modifiers of the words about lanes (assemble_lanes.c): whether a word of the text is one; reading it; putting the
 * operands in their places in both words; the fields that a text without modifiers means. */
bool gcn_is_lanes_modifier(const struct gcn_assembly *, const char *name, size_t n, bool value);
bool gcn_take_lanes_modifier(struct gcn_assembly *, const char *name, size_t n);
bool gcn_put_lanes(struct gcn_assembly *, const char *from);
uint32_t gcn_lanes_usual(const struct gcn_assembly *);
/* Where an operand of an SDWA form is put until gcn_put_lanes: sources of nine bits, a scalar result. */
struct gcn_field_place gcn_lanes_place(const struct gcn_assembly *, uint32_t operand);
/* Signs of an SDWA or DPP source: 0 or 1.  false: the form has none of these. */
bool gcn_put_lanes_signs(struct gcn_assembly *, unsigned source, unsigned mods);
/* Registers in a row, by operand code. */
struct registers {
    unsigned code, dwords;
};
/* Parts of gcn_parse.c.  take_register: 1: registers were read; 0: no register is next; -1: the register is wrong.
 * take_vgprs: into the 8 bits from lo on.  take_placed: an operand that one field holds. */
int take_register(struct gpudbg_reading *, struct registers *);
bool take_vgprs(struct gcn_assembly *, unsigned lo, unsigned least, unsigned most);
bool take_placed(struct gcn_assembly *, struct gcn_field_place, unsigned type, unsigned slot, unsigned dwords);
bool take_memory_operand(struct gcn_assembly *, uint32_t operand);
/* Reads a whole number of `bits` bits, signed or not, after `what`:. */
bool gcn_take_bits(struct gcn_assembly *, unsigned bits, const char *what, uint32_t *value);
bool gcn_take_signed(struct gcn_assembly *, unsigned bits, const char *what, uint32_t *value);
/* The value of the enumeration whose name is next in the text; -1: the text has no such name. */
int64_t gcn_take_name(struct gcn_assembly *, const struct gpudbg_enum *);

#endif
