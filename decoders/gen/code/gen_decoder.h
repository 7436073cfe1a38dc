/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_decoder.h: shared by decoding and text: word layouts, compaction tables, appended text. */
#ifndef GEN_DECODER_H
#define GEN_DECODER_H

#include <string.h>
#include "gen.h"
#include "gpudbg/endian.h"

/* ---- Layouts ---- */

enum gen_layout {
#define FORMAT(layout, word, at, bits, doc) GEN_L_##layout,
#define FIELD(layout, name, at, range, how, doc)
#define SPLIT(layout, name, at, how, doc, ...)
#define END
#include "code/fields.def"
#undef FORMAT
#undef FIELD
#undef SPLIT
#undef END
    GEN_LAYOUTS
};
extern const struct gpudbg_format gen_layouts[GEN_LAYOUTS];
extern const uint8_t gen_layout_at[GEN_LAYOUTS]; /* the first bit of each layout */
/* Layouts of instructions, then those of descriptors and registers. */
extern const struct gpudbg_format *const gen_e1_formats[], *const gen_e8_formats[], *const gen_e2_formats[];
extern const struct gpudbg_enum *const gen_e1_enums[], *const gen_e8_enums[], *const gen_e2_enums[];

/* "hi:lo" is the second half of a conditional expression: 0 chooses lo, 1 chooses hi. */
#define GEN_LO(range) (0 ? range)
#define GEN_LEN(range) ((1 ? range) - (0 ? range) + 1)

/* The columns of places.def; eu->column chooses one. */
enum { GEN_COLUMN_e1, GEN_COLUMN_e8, GEN_COLUMN_e2, GEN_COLUMNS };
#define NO -1 : 0
enum gen_place_name {
#define PLACE(name, e1, e8, e2) GEN_P_##name,
#include "code/places.def"
    GEN_PLACES
};
static const struct gen_place {
    uint8_t lo, len;
} gen_places[GEN_COLUMNS][GEN_PLACES] = {
#define GEN_PLACE_OF(range)                               \
    {                                                     \
        (uint8_t)(GEN_LO(range)), (uint8_t)GEN_LEN(range) \
    }
#define PLACE(name, e1, e8, e2) [GEN_COLUMN_e1][GEN_P_##name] = GEN_PLACE_OF(e1),
#include "code/places.def"
#define PLACE(name, e1, e8, e2) [GEN_COLUMN_e8][GEN_P_##name] = GEN_PLACE_OF(e8),
#include "code/places.def"
#define PLACE(name, e1, e8, e2) [GEN_COLUMN_e2][GEN_P_##name] = GEN_PLACE_OF(e2),
#include "code/places.def"
};
/* The place of a field as fields.def has it, AT(e1, dst_reg). */
enum {
#define PLACE(name, e1, e8, e2)                                                                                     \
    e1_##name##_lo = GEN_LO(e1), e1_##name##_hi = (1 ? e1), e8_##name##_lo = GEN_LO(e8), e8_##name##_hi = (1 ? e8), \
    e2_##name##_lo = GEN_LO(e2), e2_##name##_hi = (1 ? e2),
#include "code/places.def"
};
#undef NO
#define AT(column, name) column##_##name##_hi : column##_##name##_lo

static inline uint32_t gen_bits(const uint64_t w[2], unsigned lo, unsigned len)
{
    return (uint32_t)(w[lo >> 6] >> (lo & 63) & (((uint64_t)1 << len) - 1));
}
/* The bits of a field of places.def: GET(i->eu->column, w, dst_reg).  With a constant column the place is one, too. */
#define GET(e, w, name) gen_bits(w, gen_places[e][GEN_P_##name].lo, gen_places[e][GEN_P_##name].len)

/* Scattered fields, assembled from their runs: e2_SEND_desc_get(w). */
#define GEN_RUN(w, range) (uint64_t) gen_bits(w, GEN_LO(range), GEN_LEN(range))
#define GEN_JOIN2(w, a, b) (GEN_RUN(w, a) | GEN_RUN(w, b) << GEN_LEN(a))
#define GEN_JOIN4(w, a, b, c, d) (GEN_JOIN2(w, a, b) | GEN_JOIN2(w, c, d) << (GEN_LEN(a) + GEN_LEN(b)))
#define GEN_JOIN5(w, a, b, c, d, e)                                                         \
    (GEN_JOIN2(w, a, b) | (GEN_JOIN2(w, c, d) | GEN_RUN(w, e) << (GEN_LEN(c) + GEN_LEN(d))) \
                              << (GEN_LEN(a) + GEN_LEN(b)))
#define GEN_JOIN6(w, a, b, c, d, e, f)                                                           \
    (GEN_JOIN2(w, a, b) | (GEN_JOIN2(w, c, d) | GEN_JOIN2(w, e, f) << (GEN_LEN(c) + GEN_LEN(d))) \
                              << (GEN_LEN(a) + GEN_LEN(b)))
#define GEN_PICK(a, b, c, d, e, f, name, ...) name
#define GEN_JOIN(w, ...) GEN_PICK(__VA_ARGS__, GEN_JOIN6, GEN_JOIN5, GEN_JOIN4, , GEN_JOIN2, , )(w, __VA_ARGS__)
#define FORMAT(layout, word, at, bits, doc)
#define FIELD(layout, name, at, range, how, doc)
#define SPLIT(layout, name, at, how, doc, ...) \
    static inline uint64_t layout##_##name##_get(const uint64_t w[2]) { return GEN_JOIN(w, __VA_ARGS__); }
#define END
#include "code/fields.def"
#undef FORMAT
#undef FIELD
#undef SPLIT
#undef END

static inline int gen_signed(uint32_t value, unsigned len) { return (int32_t)(value << (32 - len)) >> (32 - len); }

/* Types by code; GEN_BADTYPE where the code is reserved. */
extern const uint8_t gen_e1_types[16], gen_e1_imm_types[16], gen_e1_ternary_types[8];
extern const uint8_t gen_e8_types[16], gen_e8_imm_types[16], gen_e8_ternary_types[8];
extern const uint8_t gen_e2_types[16], gen_e2_imm_types[16], gen_e2_region_types[2][8];
extern const uint8_t gen_e11_types[16], gen_e11_imm_types[16], gen_e11_region_types[2][8];
extern const uint8_t gen_truth_conditions[4]; /* of bfn, by its own code */
extern const uint8_t gen_e125_types[16], gen_e125_region_types[2][8];
extern const uint8_t gen_strides[16], gen_widths[8], gen_hstrides[4], gen_e11_row_steps[4], gen_e2_row_steps[4];

/* ---- Compaction ---- */

enum gen_table {
#define TABLE(name, rows, bits) GEN_T_##name,
#define ROW(bits)
#define END
#include "code/compact.def"
#undef TABLE
#undef ROW
#undef END
    GEN_TABLES
};
/* The native word of a compacted one; false: the compacted word is not valid. */
bool gen_expand(const struct gen_eu *, enum gen_shape, uint64_t compacted, uint64_t w[2]);
/* The bits of a row of a table, and the number of these bits; -1: no such row. */
int64_t gen_table_row(enum gen_table, unsigned row, unsigned *bits);
/* Adds the bits of a row to the native word. */
void gen_lay_row(enum gen_table, unsigned row, uint64_t w[2]);
/* Whether the row is the usual one of those that differ only in bits m of the native word: the row in which these bits
 * are 0, else the lowest. */
bool gen_row_is_usual(enum gen_table, unsigned row, const uint64_t m[2]);
/* The usual row among those whose bits equal the native word w outside of bits m.  -1: no row fits. */
int gen_row_of(enum gen_table, const uint64_t w[2], const uint64_t m[2]);
bool gen_row_fits(enum gen_table, unsigned row, const uint64_t w[2], const uint64_t m[2]);
/* The 12 bits that abbreviate a constant in a compacted word of e2. */
uint32_t gen_imm12(unsigned type, uint32_t value);
/* unused.c: bits of the native word that mean nothing in this instruction. */
void gen_meaningless_bits(const struct gpudbg_insn *, const struct gen_insn *, uint64_t mask[2]);
/* ... and those of a constant, which no row of a compaction table gives. */
void gen_unused_bits(const struct gpudbg_insn *, const struct gen_insn *, uint64_t mask[2]);
#define GEN_CONSTANT_BITS (UINT64_C(0xffffffff) << 32) /* of the high half */
bool gen_has_constant(const struct gen_insn *);
/* Writes indices that the rest of the text does not determine, as ", subreg=#3" (compact_index.c). */
char *gen_put_indices(char *p, const struct gpudbg_insn *, const struct gen_insn *);
/* Whether words of this shape have a compacted form. */
bool gen_compactable(const struct gen_eu *, enum gen_shape);

/* ---- Appended text ---- */

enum {
    TEXT_OPERAND = 256,
    TEXT_WHOLE = 2048,
};
#define PUT(p, text) ((char *)memcpy(p, text, sizeof text - 1) + sizeof text - 1)

static inline char *put(char *p, const char *text)
{
    while (*text) *p++ = *text++;
    return p;
}
char *gen_put_number(char *p, int64_t value);
/* A number of an operand, mostly small; a flag register, "f0.1". */
static inline char *gen_put_dec(char *p, unsigned n)
{
    if (n < 10) {
        *p++ = (char)('0' + n);
        return p;
    }
    if (n < 100) {
        *p++ = (char)('0' + n / 10);
        *p++ = (char)('0' + n % 10);
        return p;
    }
    return gen_put_number(p, n);
}
static inline char *gen_put_flag(char *p, const struct gen_insn *i)
{
    *p++ = 'f';
    *p++ = (char)('0' + i->flag_reg);
    *p++ = '.';
    *p++ = (char)('0' + i->flag_sub);
    return p;
}
/* "r10", "null", "acc0": with the number if the file has several registers, or if `number` is set. */
char *gen_put_register(char *p, const struct gen_operand *, bool number);
char *gen_put_hex(char *p, uint64_t value, unsigned digits); /* 0x and at least `digits` digits, upper case */
int gen_put_out(const char *from, const char *to, char *buf, size_t size);
/* A constant of a type; exact: its bits in hex; else as people write it, if that reads back to the same bits. */
char *gen_put_imm(char *p, unsigned type, uint64_t bits, bool exact);
char *gen_put_systolic(char *p, unsigned func);         /* "8x4": depth and rows of dpas */
char *gen_put_length(char *p, const struct gen_insn *); /* ":2" behind the second payload; nothing if not said there */
/* "@1", "$2.dst", "F@1", ...; nothing for 0 */
char *gen_put_swsb(char *p, const struct gen_eu *, unsigned op, unsigned byte);
const char *gen_pred_name(const struct gen_insn *);              /* "any4h", "x", ""; NULL: reserved */
const char *gen_cmod_name(unsigned code, bool prm);              /* "z", "eq"...; NULL: reserved or none */
const char *gen_math_name(const struct gen_eu *, unsigned func); /* NULL: reserved */
const char *gen_sync_name(unsigned func);
const char *gen_sfid_name(const struct gen_eu *, unsigned sfid); /* "dc1"; NULL: reserved */

/* The text in a syntax and style, at most TEXT_WHOLE; NULL: there is none. */
char *gen_put_text(char *p, const struct gpudbg_insn *, const struct gen_insn *, unsigned syntax, enum gpudbg_style,
    const struct gpudbg_names *);
bool gen_is_iga(const struct gpudbg_isa *, unsigned syntax);
void *gen_printer(const struct gpudbg_isa *, unsigned syntax, enum gpudbg_style);
unsigned gen_lines(void *printer, struct gpudbg_lines *);
int gen_print(
    void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len);
int gen_text(const struct gpudbg_insn *, unsigned syntax, enum gpudbg_style, const struct gpudbg_names *, char *buf,
    size_t size);
int gen_operand_text(const struct gpudbg_insn *, unsigned operand, char *buf, size_t size);
/* Whether the instruction uses the file, or the type, of source n (e1); branches find their target by it. */
bool gen_uses_file(const struct gen_insn *, unsigned n);
bool gen_uses_type(const struct gen_insn *, unsigned n);
/* The codes of an operand's file (before Gen12: 0 ARF, 1 GRF, 2 reserved, once messages, 3 constant) and type. */
unsigned gen_file_code(const struct gen_insn *, const struct gen_operand *);
unsigned gen_type_code(const struct gen_insn *, const struct gen_operand *);
/* Bits of a descriptor that say nothing, and are part of the text all the same. */
static inline uint32_t gen_reserved_descriptor(const struct gen_insn *i)
{
    return i->eu->column == GEN_COLUMN_e2 ? 0 : ~i->eu->descriptor_mask & 0x7fffffff;
}
/* exact: also names rows of compacted words that the rest of the text does not determine. */
char *gen_prm_text(
    char *p, const struct gpudbg_insn *, const struct gen_insn *, bool exact, const struct gpudbg_names *);
/* Whether the manual's syntax leaves out the destination of sync or wait. */
bool gen_prm_usual_destination(const struct gen_insn *);
/* The text of an instruction without operands, in both syntaxes: "nop {$1}". */
char *gen_put_bare(char *p, const struct gen_insn *);
char *gen_iga_text(char *p, const struct gen_insn *, bool exact, const struct gpudbg_names *);
/* Parts of these texts, which listings ask once for each value (word_tables.h); and what IGA can say of each part.  The
 * options of the manual's syntax come in two parts, up to the channels and after them. */
char *gen_prm_predicate(char *p, const struct gen_insn *);
char *gen_prm_channels(char *p, const struct gen_insn *);
char *gen_prm_options(char *p, const struct gpudbg_insn *, const struct gen_insn *, bool exact);
char *gen_iga_predicate(char *p, const struct gen_insn *);
char *gen_iga_region(char *p, const struct gen_insn *, const struct gen_operand *);
char *gen_iga_options(char *p, const struct gen_insn *);
const char *gen_iga_operand_lacks(const struct gen_insn *, const struct gen_operand *);
const char *gen_iga_source_lacks(const struct gen_insn *, const struct gen_operand *);
bool gen_iga_good_scoreboard(const struct gen_eu *, unsigned byte);
/* The letter of the pipe whose instructions a distance counts, "" for the instruction's own; NULL: no distance. */
const char *gen_pipe_of(unsigned byte);
bool gen_iga_saturates(const struct gen_insn *); /* IGA keeps the saturation: it forgets it for some operations */
/* Mesa's syntax, in its columns or with one blank in place of each gap. */
char *gen_mesa_text(
    char *p, const struct gpudbg_insn *, const struct gen_insn *, bool columns, const struct gpudbg_names *);
/* The part of an instruction that Mesa's text leaves out or changes; NULL: the text is complete (mesa_can.c). */
const char *gen_mesa_lacks(const struct gen_insn *);
const char *gen_mesa_cmod_name(unsigned code); /* NULL: reserved */
const char *gen_mesa_math_name(unsigned func); /* NULL: reserved */
/* sync's null, which Mesa from 2020 on writes without a region: its destination is 0 in all bits. */
bool gen_mesa_bare_null(const struct gen_insn *);
bool gen_mesa_says_flag(unsigned op); /* the text has the flag of the condition */
/* Whether the text of math or movi has the second source that gen_unpack_second made: Mesa always gives them two, and
 * one that means nothing is written only if it can be read back. */
bool gen_mesa_says_second(const struct gen_insn *);
extern const char *const gen_mesa_arfs[16]; /* names of architecture registers by the high half of their numbers */
/* operand_text.c: an operand of the instruction in the manual's syntax; its register without a region, as one of
 * another type; a reserved code, "#5". */
char *gen_prm_operand(char *p, const struct gen_insn *, const struct gen_operand *, bool destination);
char *gen_prm_register(char *p, const struct gen_insn *, const struct gen_operand *, unsigned type);
char *gen_put_code(char *p, unsigned code);
/* IGA writes subregisters of these in bytes, of all others in elements. */
bool gen_iga_counts_bytes(const struct gen_operand *);
/* The one channel of four that a three-source instruction of Align16 enables, if IGA writes it so; else -1. */
int gen_iga_channel(const struct gen_insn *);
/* The reason why IGA cannot write the instruction or would lose part of it; NULL: it can write it (iga_can.c). */
const char *gen_iga_lacks(const struct gen_insn *);
/* Whether the bits that IGA cannot write mean nothing. */
bool gen_iga_may_drop(const struct gen_insn *);
/* Whether it is a numbered null of a message (typed_payloads), for which IGA has no name. */
bool gen_iga_nameless(const struct gen_insn *, const struct gen_operand *);

/* ---- Decoding ---- */

/* The shape of an operation of a generation. */
static inline unsigned gen_shape_on(const struct gen_eu *eu, unsigned op)
{
    return eu->else_has_uip && GEN_IS(op, ELSE) ? GEN_BRANCH : gen_shapes[op];
}
int gen_decode(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out);
/* The same without operands; also unpacks the instruction if it is valid. */
int gen_decode_words(
    const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out, struct gen_insn *);
/* Of the first 8 bytes. */
/* fused: the threads of a pair send one after the other (fields.def, `serialize`). */
static inline bool gen_serializes(const struct gen_insn *i)
{
    return i->eu->fused && i->shape == GEN_SEND && i->w[0] >> 33 & 1;
}

static inline bool gen_is_compacted(uint64_t first) { return first >> 29 & 1; }
size_t gen_skim(const struct gpudbg_isa *, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_skim *);
size_t gen_program(const struct gpudbg_isa *, const uint8_t *p, size_t n);
/* gen_nexts.c: gpudbg_isa.nexts. */
void gen_nexts(const struct gpudbg_insn *, struct gpudbg_nexts *);
/* Fills with zeros; not inline, because compilers make a slow loop from a constant memset. */
void gen_clear(struct gen_insn *, size_t size);
/* Unpacks src[1] of an instruction with one source: Mesa prints it for `math`, and IGA encodes it. */
void gen_unpack_second(struct gen_insn *);
/* A message whose extended descriptor is in place of the payload's region (Gen9): Mesa writes the region instead, as
 * before Gen9.  false: it is not such a message. */
bool gen_unpack_region(const struct gen_insn *, struct gen_insn *with);
void gen_unpack_word(struct gen_insn *); /* w, eu, op, shape, size, addr are set */
unsigned gen_math_sources(const struct gen_eu *, unsigned func);

/* ---- Targets straight from the word ---- */

/* Where a branch has its targets.  They are constants if all bits of one of the places `constant` are 1, which is so if
 * the place has no bits; else a register has the target. */
struct gen_jump {
    struct gen_place jip, uip, constant[2]; /* no bits: there is no such target */
    uint8_t unit;                           /* bytes that a distance counts */
    bool absolute, from_next;               /* an address; a distance from the next instruction */
};
struct gen_jump gen_jump_of(const struct gen_eu *, unsigned op);
static inline bool gen_jump_is_constant(const struct gen_jump *j, const uint64_t w[2])
{
    const struct gen_place a = j->constant[0], b = j->constant[1];
    return j->jip.len &&
           (gen_bits(w, a.lo, a.len) == (1u << a.len) - 1 || gen_bits(w, b.lo, b.len) == (1u << b.len) - 1);
}
static inline int64_t gen_distance(const struct gen_jump *j, struct gen_place at, const uint64_t w[2])
{
    return j->unit * (int64_t)gen_signed(gen_bits(w, at.lo, at.len), at.len);
}
static inline uint64_t gen_target(const struct gen_jump *j, struct gen_place at, const uint64_t w[2], uint64_t addr)
{
    return (j->absolute ? 0 : addr + (j->from_next ? 16 : 0)) + (uint64_t)gen_distance(j, at, w);
}

#endif
