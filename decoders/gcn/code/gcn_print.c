/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_print.c: text of long listings.  Most rows are a mnemonic, fields that hold operand codes and perhaps an offset;
 * for those rows, the tables that gcn_text.c walks are compiled once for a listing, into forms that say where the text
 * is copied from.  Printing hardly branches on the kind of instruction, which the processor cannot predict.  Text that
 * a form cannot make comes from gcn_text and is kept, because programs repeat themselves.
 */
#include <stdlib.h>
#include "code/gcn_decoder.h"
#include "gcn_ops.h"
#include "gpudbg/listing.h"
#include "gpudbg/unset.h"

/* ---- Texts by the value of a field: the printer's names ---- */

/* Operands have the comma and blank that follow them.  Texts that are longer, and those that depend on more than the
 * field, are odd: no text of a form is as long as an odd one counts, so its length shows that one was met. */
struct cell {
    char text[15];
    uint8_t n;
};
enum { CELL_ODD = 160, CELL_LONG }; /* LONG: odd only because the text is longer */

/* Registers and constants by their code come first, 512 for each number of dwords.  The last ones are of 16-bit
 * integers, on chips whose assembler writes the bits of their inline floats. */
static const uint8_t widths[] = {1, 2, 3, 4, 8, 16, 1};
enum {
    CODES = 512,
    HALVES = CODES * (sizeof widths - 1),
    OFFSETS_OF_SCALAR_LOADS = CODES * sizeof widths, /* 512: a register, or from 256 on a constant */
    NUMBERS = OFFSETS_OF_SCALAR_LOADS + 512,         /* 256 */
    BUFFER_FLAGS = NUMBERS + 256,                    /* 16, by bits 15..12: " offen" and so on */
    OFFSET = BUFFER_FLAGS + 16,                      /* " offset:", up to 4095 */
    OFFSETS = 4096,
    OFFSET0 = OFFSET + OFFSETS,
    OFFSET1 = OFFSET0 + 256,
    HIGH_BYTES = OFFSET1 + 256,               /* ", 0x12", the high byte of a constant of SOPK that is not 0 */
    LOW_BYTES = HIGH_BYTES + 256,             /* its two last digits */
    ATTRIBUTES = LOW_BYTES + 256,             /* 256, by number and component */
    OFF = ATTRIBUTES + 256,                   /* one */
    EMPTY,                                    /* one */
    RESULTS,                                  /* for the assembler: codes again, as results */
    LOADED = RESULTS + CODES * sizeof widths, /* and as results of scalar loads */
    NAMES = LOADED + CODES * sizeof widths
};

static void set_cell(struct cell *cell, const char *text, const char *end)
{
    const size_t n = (size_t)(end - text);
    *cell = (struct cell){.n = n <= sizeof cell->text ? (uint8_t)n : CELL_LONG};
    if (n <= sizeof cell->text) memcpy(cell->text, text, n);
}

static void set_operand(struct cell *cell, const char *text, char *end) { set_cell(cell, text, PUT(end, ", ")); }

/* Codes as results; and codes that LLVM's assembler does not always take are for gcn_text. */
static void keep_taken(const struct gcn_chip *chip, struct cell *cells)
{
    memcpy(cells + RESULTS, cells, CODES * sizeof widths * sizeof *cells);
    memcpy(cells + LOADED, cells, CODES * sizeof widths * sizeof *cells);
    for (unsigned i = 0; i < CODES * sizeof widths; i++) {
        const unsigned code = i % CODES, dwords = widths[i / CODES];
        const bool bits = i >= HALVES && is_half_as_bits(chip, GCN_U16, code);
        if (bits || !llvm_takes_code(chip, code, dwords, LLVM_SOURCE)) cells[i].n = CELL_ODD;
        if (!llvm_takes_code(chip, code, dwords, LLVM_RESULT)) cells[RESULTS + i].n = CELL_ODD;
        if (!llvm_takes_code(chip, code, dwords, LLVM_LOADED)) cells[LOADED + i].n = CELL_ODD;
    }
    for (unsigned code = 0; code < 256; code++)
        if (code >= GCN_CODE_INT || !llvm_takes_code(chip, code, 1, LLVM_SOURCE))
            cells[OFFSETS_OF_SCALAR_LOADS + code].n = CELL_ODD;
    for (unsigned i = 0; i < 16; i++)
        if (i & 8 && i & 3) cells[BUFFER_FLAGS + i].n = CELL_ODD;
    for (unsigned i = 33 << 2; i < 256; i++) cells[ATTRIBUTES + i].n = CELL_ODD; /* interpolation_is_taken */
}

/* Texts of `what` followed by a number that is not 0; the text for 0 is empty. */
static void name_offsets(struct cell *cell, const char *what, unsigned n)
{
    char text[TEXT_OPERAND];
    for (unsigned i = 0; i < n; i++) set_cell(cell + i, text, i ? put_number(put(text, what), i) : text);
}

/* The code is a literal's, or a word about lanes follows. */
static bool asks_for_more(const struct gcn_chip *chip, unsigned code)
{
    return code == GCN_CODE_LITERAL || (chip->lane_words && (code == GCN_CODE_SDWA || code == GCN_CODE_DPP ||
                                                                code == GCN_CODE_DPP8 || code == GCN_CODE_DPP8_FI));
}

static char *put_name(char *p, const struct gcn_chip *chip, unsigned code, unsigned dwords)
{
    return code == GCN_CODE_INV_2PI && chip->inv_2pi ? put_inv_2pi(p, dwords) : put_code(p, chip, code, dwords);
}

static void name_all(const struct gcn_chip *chip, struct cell *cells)
{
    char text[TEXT_OPERAND];
    for (unsigned width = 0; width < sizeof widths; width++)
        for (unsigned code = 0; code < CODES; code++) {
            struct cell *cell = &cells[width * CODES + code];
            set_operand(cell, text, put_name(text, chip, code, widths[width]));
            if (asks_for_more(chip, code) || lacks_flat_scratch(chip, code)) cell->n = CELL_ODD;
        }
    for (unsigned code = 0; code < CODES; code++)
        if (is_half_as_bits(chip, GCN_U16, code)) set_operand(&cells[HALVES + code], text, put_half_bits(text, code));
    memcpy(cells + OFFSETS_OF_SCALAR_LOADS, cells, 256 * sizeof *cells);
    for (unsigned i = 0; i < 256; i++) {
        set_operand(&cells[OFFSETS_OF_SCALAR_LOADS + 256 + i], text, put_hex(text, i));
        set_operand(&cells[NUMBERS + i], text, put_small(text, i));
        set_operand(&cells[ATTRIBUTES + i], text, put_attribute(text, i));
        set_cell(&cells[HIGH_BYTES + i], text, put_hex(PUT(text, ", "), i));
        put_hex(text, 256 + i);
        set_cell(&cells[LOW_BYTES + i], text + 3, text + 5);
    }
    for (unsigned i = 0; i < 16; i++) {
        char *p = i & 2 ? PUT(text, " idxen") : text;
        if (i & 1) p = PUT(p, " offen");
        set_cell(&cells[BUFFER_FLAGS + i], text, i & 8 ? PUT(p, " addr64") : p);
    }
    cells[HIGH_BYTES].n = CELL_ODD;
    name_offsets(cells + OFFSET, " offset:", OFFSETS);
    name_offsets(cells + OFFSET0, " offset0:", 256);
    name_offsets(cells + OFFSET1, " offset1:", 256);
    set_operand(&cells[OFF], text, PUT(text, "off"));
    set_cell(&cells[EMPTY], text, text);
}

/* ---- Forms ---- */

/* A text: the cell so many bytes behind the first, base + (word rotated right by `turn` & mask). */
struct piece {
    uint32_t base;
    uint16_t mask;
    uint8_t turn;
};

/* The cells from `first` on, by the number in a field. */
static struct piece piece_of(unsigned first, unsigned mask, unsigned lo)
{
    static_assert(sizeof(struct cell) == 16, "a number is shifted by 4 to count cells in bytes");
    return (struct piece){16 * first, (uint16_t)(mask << 4), (uint8_t)((lo - 4) & 63)};
}

#define OPERANDS 5
enum {
    FORM_SLOW = 1,     /* a form cannot print it, but print_odd if `constant` says so */
    FORM_LONG = 2,     /* it has more than three operands */
    FORM_MODIFIED = 4, /* it has modifiers */
    FORM_COUNTS = 8,   /* for the assembler: the word may read more scalar registers and constants than `scalars` */
    FORM_FLAGS = 16    /* opcodes of buffers: flags of the word choose the form */
};
struct form {
    _Alignas(64) char head[32]; /* the mnemonic, with a blank if operands follow */
    uint64_t more;              /* bits of the word that may add text */
    uint8_t head_n, trim;       /* trim: bytes of the comma behind the last operand */
    uint8_t how;                /* FORM_SLOW and so on; most forms are 0 */
    uint8_t constant;           /* the operand that is the dword behind, from 1 on; 0: none */
    uint8_t operands;
    uint8_t scalars;           /* of FORM_COUNTS */
    uint8_t literal[OPERANDS]; /* the type of the operand, if its constant may follow the word; 0: it is for gcn_text */
    struct piece operand[OPERANDS];
    struct piece modifier[2];
};

/* The operands by their code from the cell `first` on, by the place of the code. */
static bool place_piece(struct piece *piece, struct gcn_field_place place, unsigned first)
{
    if (place.shift > place.lo) return false;
    *piece = piece_of(first + ((place.bias + GCN_CODE_FLAT_SCRATCH) & 511), (unsigned)place.mask << place.shift,
        place.lo - place.shift);
    return true;
}

/* Registers of so many dwords by the place of their code. */
static bool code_piece(struct piece *piece, struct gcn_field_place place, unsigned dwords)
{
    const uint8_t *width = memchr(widths, (int)dwords, sizeof widths);
    return width && place_piece(piece, place, (unsigned)(width - widths) * CODES);
}

static bool vgpr_piece(struct piece *piece, unsigned lo, unsigned dwords)
{
    const uint16_t bias = GCN_CODE_VGPR - GCN_CODE_FLAT_SCRATCH;
    return code_piece(piece, (struct gcn_field_place){.mask = 255, .bias = bias, .lo = (uint8_t)lo}, dwords);
}

/* A constant of SOPK that comes last, after one operand: it is printed as modifiers are. */
static bool is_last_constant(const struct decoder *d, const uint32_t *operand, unsigned n)
{
    const unsigned type = *operand >> 8 & 255;
    return d->encoding == GCN_SOPK && (*operand & 255) == GCN_IN_SIMM16 && n == 1 && !operand[1] &&
           (type == GCN_I16 || type == GCN_U16);
}

#define PIECE_OF(first, layout, name) piece_of(first, (unsigned)ONES(LEN_OF(layout, name)), LO_OF(layout, name))

/* address: dwords of a buffer's. */
static bool compile_operand(struct piece *piece, const struct decoder *d, uint32_t operand, unsigned address)
{
    const struct gcn_field_place place = gcn_place(d->op, d->encoding, operand);
    unsigned slot = operand & 255, type = operand >> 8 & 255, dwords = operand >> 16;
    bool buffer = d->encoding == GCN_MUBUF;
    if (place.mask | place.bias)
        return is_half_as_bits(d->chip, type, GCN_CODE_FLOAT) ? place_piece(piece, place, HALVES)
                                                              : code_piece(piece, place, dwords);
    if (slot == GCN_IN_VDATA && buffer) return vgpr_piece(piece, LO_OF(MUBUF, vdata), dwords);
    if (slot == GCN_IN_VADDR && buffer && address) return vgpr_piece(piece, LO_OF(MUBUF, vaddr), address);
    if (slot == GCN_IN_VDST && d->encoding == GCN_FLAT && !(d->op->flags & GPUDBG_OP_STORE))
        return vgpr_piece(piece, LO_OF(FLAT, vdst), dwords);
    if (slot == GCN_IN_VADDR && buffer)
        *piece = piece_of(OFF, 0, 0);
    else if (slot == GCN_IN_OFFSET && d->encoding == GCN_SMRD)
        *piece = piece_of(OFFSETS_OF_SCALAR_LOADS, (unsigned)(MASK(SMRD, imm) | MASK(SMRD, offset)), 0);
    else if (slot == GCN_IN_VSRC && d->encoding == GCN_VINTRP && type != GCN_SLOT)
        return vgpr_piece(piece, LO_OF(VINTRP, vsrc), 1);
    else if (slot == GCN_IN_ATTR && d->encoding == GCN_VINTRP) {
        static_assert(LO_OF(VINTRP, attr) == LO_OF(VINTRP, attrchan) + 2, "a number of eight bits");
        *piece = piece_of(ATTRIBUTES, 255, LO_OF(VINTRP, attrchan));
    } else if (slot == GCN_IN_SIMM16 && type == GCN_U16 && d->encoding == GCN_SOPP)
        *piece = piece_of(NUMBERS, 255, 0);
    else
        return false;
    return true;
}

/* ---- The printer ---- */

/* By the first nine bits: the place of the opcode, the form of opcode 0, and the bits of the next eight bytes that
 * surely belong to the instruction.  flags: mask of bits 15..12, which choose among a buffer instruction's forms. */
struct lead {
    uint64_t own;
    uint16_t form, mask;
    uint8_t lo, flags, size;
};

/* An instruction printed before, in one cache line.  An empty entry has a word that no instruction has. */
#define MET_BITS 10
struct met {
    _Alignas(64) uint64_t word;
    uint8_t behind, size; /* bits of the next eight bytes that do not belong to it; bytes */
    uint8_t n;
    char text[53];
};

/* Forms of buffer instructions by the dwords of the address: 0; those for 1 and 2 come after all other forms. */
#define BUFFER_FORMS 128
#define FORMS (GCN_FORMS + 2 * BUFFER_FORMS)

struct gcn_printer {
    const struct gcn_chip *chip;
    bool assembler; /* texts are for the assembler */
    struct form form[FORMS];
    struct met met[1 << MET_BITS];
    struct lead lead[512];
    uint16_t by_flags[16]; /* added to the opcode for the form of a buffer instruction */
    struct cell cell[NAMES];
};

/* ---- Making it ---- */

/* For the assembler: what LLVM takes of the row.  `word` has no operands; words that break a rule are for gcn_text. */
static void compile_rules(struct form *f, const struct decoder *d, unsigned address)
{
    const uint32_t *operand = operands_on(d->chip, d->op);
    const uint64_t flags = address == 1 ? MASK(MUBUF, offen) : address == 2 ? MASK(MUBUF, addr64) : 0;
    const bool vector = d->encoding == GCN_VOP1 || d->encoding == GCN_VOP2 || d->encoding == GCN_VOP3 ||
                        d->encoding == GCN_VOPC;
    const bool newer = has_newer_vop3(d->chip, (unsigned)d->encoding);
    const bool few = newer || (vector && d->chip->scalar_reads == 1); /* scalar registers and constants */
    unsigned scalars = newer ? 2 : 1, sources = 0;
    uint8_t bytes[16] = {0};
    uint64_t said;
    struct gpudbg_insn insn = {.isa = &d->chip->isa};
    struct decoder plain = {.chip = d->chip, .insn = &insn};
    if (f->how & FORM_SLOW) return;
    le_put(bytes, d->word | flags, 8);
    decode_size(&plain, d->op, d->encoding, bytes, d->word | flags);
    decode_layouts(&plain, bytes);
    decode_operands(&plain);
    if (!llvm_takes_row(&insn, &said)) {
        f->how |= FORM_SLOW;
        return;
    }
    /* Modifiers of newer words, which have other places, are in f->more. */
    if (newer) said |= ~(MASK(VOP3, vdst) | MASK(VOP3, src0) | MASK(VOP3, src1) | MASK(VOP3, src2));
    f->more |= (is_long(d->encoding) ? UINT64_MAX : UINT32_MAX) & ~said;
    if (d->op->flags & (GCN_VCC_R | GCN_M0_R) || f->constant) scalars--;
    for (unsigned n = 0; operand[n]; n++) {
        const struct gcn_field_place place = gcn_place(d->op, d->encoding, operand[n]);
        if (!(place.mask | place.bias)) continue;
        if (place.use)
            f->operand[n].base += (uint32_t)(sizeof(struct cell) * (d->encoding == GCN_SMRD ? LOADED : RESULTS));
        else {
            sources += f->operand[n].mask >> 4 != 255 || f->operand[n].base % (16 * CODES) != 16 * GCN_CODE_VGPR;
            if (!place.mask) scalars = 1; /* VCC, which is counted */
        }
    }
    if (few && sources > scalars) f->how |= FORM_COUNTS;
    f->scalars = (uint8_t)scalars;
}

/* Modifiers that forms can print; the bits of others stay in f->more. */
static void compile_own_modifiers(struct form *f, const struct decoder *d)
{
    f->more = gcn_modifier_bits[d->encoding];
    if (has_newer_vop3(d->chip, (unsigned)d->encoding)) {
        f->more = MASK(VOP3_NEWER, neg) | MASK(VOP3_NEWER, omod) | MASK(VOP3_NEWER, clamp);
        if (!is_vop3b(d->op)) f->more |= MASK(VOP3_NEWER, abs) | MASK(VOP3H_NEWER, op_sel);
    } else if (d->encoding == GCN_VOP3 && is_vop3b(d->op))
        f->more &= ~MASK(VOP3B, sdst);
    if (d->encoding == GCN_SOPP) f->more = MASK(SOPP_PLAIN, simm16) & ~UINT64_C(255); /* NUMBERS are bytes */
    if (d->encoding == GCN_MUBUF && !gcn_templates[d->op->id].operand[0])
        f->more = 0;
    else if (d->encoding == GCN_MUBUF) {
        f->more = MASK(MUBUF, slc) | MASK(MUBUF, tfe) | MASK(MUBUF, glc) | MASK(MUBUF, lds);
        f->modifier[0] = piece_of(BUFFER_FLAGS, 15, LO_OF(MUBUF, offen));
        f->modifier[1] = PIECE_OF(OFFSET, MUBUF, offset);
        f->how |= FORM_MODIFIED;
    }
    if (d->encoding == GCN_SOPK && is_last_constant(d, &gcn_templates[d->op->id].operand[1], 1)) {
        f->modifier[0] = piece_of(HIGH_BYTES, 255, 8);
        f->modifier[1] = piece_of(LOW_BYTES, 255, 0);
        f->how |= FORM_MODIFIED;
    }
    if (d->encoding != GCN_DS || layout_on(d->chip, d->op) == &gcn_layouts[GCN_W_DS_SWIZZLE]) return;
    bool two = layout_on(d->chip, d->op) >= &gcn_layouts[GCN_W_DS_2X4] &&
               layout_on(d->chip, d->op) <= &gcn_layouts[GCN_W_DS_2X512];
    f->more &= ~(two ? MASK(DS, offset) : (uint64_t)OFFSETS - 1);
    f->modifier[0] = two ? PIECE_OF(OFFSET0, DS_2X4, offset0) : piece_of(EMPTY, 0, 0);
    f->modifier[1] = two ? PIECE_OF(OFFSET1, DS_2X4, offset1) : piece_of(OFFSET, OFFSETS - 1, LO_OF(DS, offset));
    f->how |= FORM_MODIFIED;
}

static void compile_modifiers(struct form *f, const struct decoder *d)
{
    compile_own_modifiers(f, d);
    /* Listings mark reserved bits.  Those of newer chips' long words are op_sel's, in an older place. */
    if (!has_newer_vop3(d->chip, (unsigned)d->encoding)) f->more |= reserved_of(d->chip, d->op, d->encoding);
}

/* Of which operands the constant may follow the word, if it has four bytes. */
static void compile_literals(struct form *f, const struct gcn_printer *printer, const uint32_t *operand, unsigned n)
{
    for (unsigned i = 0; i < n && i < OPERANDS; i++) {
        const unsigned slot = operand[i] & 255, type = operand[i] >> 8 & 255;
        const bool source = slot == GCN_IN_SSRC0 || slot == GCN_IN_SSRC1 || slot == GCN_IN_SRC0;
        if (source && !(printer->assembler && is_half_literal(printer->chip, type))) f->literal[i] = (uint8_t)type;
    }
}

/* Whether the operand is the dword behind the word, and a form can print it. */
static bool is_constant_behind(const struct gcn_printer *printer, const struct gpudbg_op *op, uint32_t operand)
{
    const unsigned type = operands_on(printer->chip, op)[0] >> 8 & 255;
    return (operand & 255) == GCN_IN_K && (type == GCN_F32 || (type == GCN_F16 && !printer->assembler));
}

/* word: the opcode in its place; all other bits are 0. */
static void compile_form(struct form *f, const struct gcn_printer *printer, const struct gpudbg_op *op, int encoding,
    uint64_t word, unsigned address)
{
    const struct gcn_chip *chip = printer->chip;
    const struct gcn_template *t = &gcn_templates[op->id];
    const uint32_t *operand = operands_on(chip, op);
    struct decoder d = {.chip = chip, .op = op, .encoding = encoding, .word = word};
    unsigned n = 0;
    if (t->name_len + 5u >= sizeof f->head) return;
    memcpy(f->head, t->name, t->name_len);
    char *p = put_suffix(f->head + t->name_len, &d);
    for (unsigned i = 0; i < OPERANDS; i++) f->operand[i] = piece_of(EMPTY, 0, 0);
    /* Without operands, the field of the first source can still ask for a word about lanes. */
    bool slow = op->id == GCN_s_endpgm || (chip->lane_words && !operand[0]);
    for (; operand[n] && !slow && !is_last_constant(&d, &operand[n], n); n++)
        if (n >= 2 && is_constant_behind(printer, op, operand[n]))
            f->constant = (uint8_t)(n + 1);
        else
            slow = n == OPERANDS || !compile_operand(&f->operand[n], &d, operand[n], address);
    if (n) *p++ = ' ';
    f->head_n = (uint8_t)(p - f->head);
    f->how = (uint8_t)((slow ? FORM_SLOW : 0) | (n > 3 ? FORM_LONG : 0));
    f->trim = n ? 2 : 0;
    compile_modifiers(f, &d);
    if (printer->assembler) compile_rules(f, &d, address);
    f->operands = (uint8_t)n;
    if (!f->constant && !(op->flags & GCN_E32)) compile_literals(f, printer, operand, n);
    if (f->how & FORM_SLOW)
        f->constant = 0;
    else if (f->constant)
        f->how |= FORM_SLOW;
}

/* The place of the opcode in the words of listings, and the encoding's forms; false: no form can print them. */
static bool place_of_forms(const struct gcn_chip *chip, int encoding, struct gcn_opcode_place *place)
{
    const bool newer = has_newer_vop3(chip, (unsigned)encoding);
    gcn_place_of(encoding, place);
    if (newer) place->lo = LO_OF(VOP3_NEWER, op);
    return newer || !gcn_has_no_forms(chip, encoding);
}

static void compile_lead(struct lead *l, const struct gcn_chip *chip, unsigned lead)
{
    struct gcn_opcode_place place;
    int encoding = gcn_encoding(chip, lead, &place);
    *l = (struct lead){.own = UINT32_MAX, .form = GCN_FORMS - 1};
    if (encoding < 0) return;
    l->own = is_long(encoding) ? UINT64_MAX : UINT32_MAX;
    if (place_of_forms(chip, encoding, &place))
        *l = (struct lead){l->own, place.form, (uint16_t)((1u << place.bits) - 1), place.lo,
            encoding == GCN_MUBUF ? 15 : 0, is_long(encoding) ? 8 : 4};
}

static void compile_encoding(struct gcn_printer *printer, int encoding)
{
    struct gcn_opcode_place place;
    if (!place_of_forms(printer->chip, encoding, &place)) return;
    for (unsigned code = 0; code < 1u << place.bits; code++) {
        const struct gpudbg_op *op = gcn_op_at(printer->chip, encoding, code);
        const uint64_t word = (uint64_t)code << place.lo;
        if (!op) continue;
        compile_form(&printer->form[place.form + code], printer, op, encoding, word, 0);
        for (unsigned address = 1; address <= 2 && encoding == GCN_MUBUF; address++)
            compile_form(
                &printer->form[GCN_FORMS + (address - 1) * BUFFER_FORMS + code], printer, op, encoding, word, address);
    }
}

void *gcn_printer(const struct gpudbg_isa *isa, unsigned syntax, enum gpudbg_style style)
{
    (void)syntax; /* there is one */
    if (style == GPUDBG_ASSEMBLER && !gcn_chip_of(isa)->llvm) return NULL;
    struct gcn_printer *printer = aligned_alloc(64, (sizeof *printer + 63) / 64 * 64);
    struct gcn_opcode_place buffer;
    if (!printer) return NULL;
    printer->chip = gcn_chip_of(isa);
    printer->assembler = style == GPUDBG_ASSEMBLER;
    memset(printer->form, 0, sizeof printer->form);
    name_all(printer->chip, printer->cell);
    if (printer->assembler) keep_taken(printer->chip, printer->cell);
    for (unsigned i = 0; i < FORMS; i++) printer->form[i].how = FORM_SLOW;
    for (int encoding = 0; encoding < GCN_ENCODINGS; encoding++) compile_encoding(printer, encoding);
    gcn_place_of(GCN_MUBUF, &buffer);
    for (unsigned code = 0; code < 1u << buffer.bits; code++) printer->form[buffer.form + code].how |= FORM_FLAGS;
    for (unsigned flags = 0; flags < 16; flags++) {
        unsigned address = buffer_address_dwords(flags << LO_OF(MUBUF, offen));
        printer->by_flags[flags] = (uint16_t)(address ? GCN_FORMS + (address - 1) * BUFFER_FORMS - buffer.form : 0);
    }
    for (unsigned lead = 0; lead < 512; lead++) compile_lead(&printer->lead[lead], printer->chip, lead);
    for (unsigned i = 0; i < 1u << MET_BITS; i++) printer->met[i] = (struct met){.word = UINT64_MAX};
    return printer;
}

/* The form of the opcode. */
static inline const struct form *first_form(const struct gcn_printer *printer, const struct lead *lead, uint64_t w)
{
    return &printer->form[lead->form + ((uint32_t)w >> lead->lo & lead->mask)];
}

/* The same, of buffer instructions the one that their flags choose. */
static inline const struct form *form_of(const struct gcn_printer *printer, const struct lead *lead, uint64_t w)
{
    return first_form(printer, lead, w) + printer->by_flags[w >> LO_OF(MUBUF, offen) & lead->flags];
}

static inline const struct cell *cell_of(const struct gcn_printer *printer, struct piece piece, uint64_t w)
{
    const uint64_t turned = w >> piece.turn | w << (-piece.turn & 63);
    const char *cells = (const char *)printer->cell;
    return (const void *)(cells + piece.base + (turned & piece.mask));
}

/* The text of a piece, at p; returns its n. */
static inline unsigned put_piece(char *p, const struct gcn_printer *printer, struct piece piece, uint64_t w)
{
    const struct cell *cell = cell_of(printer, piece, w);
    memcpy(p, cell, sizeof *cell);
    return cell->n;
}

/* The code of an operand by its cell; CODES: it is none. */
static unsigned code_of(const struct gcn_printer *printer, const struct cell *cell, unsigned *dwords)
{
    const size_t at = (size_t)(cell - printer->cell), codes = CODES * sizeof widths;
    const size_t in = at < codes ? at : at - (at < LOADED ? RESULTS : LOADED);
    if (at >= codes && at < RESULTS) return CODES;
    *dwords = widths[in / CODES];
    return in % CODES;
}

/* Whether a vector operation reads more scalar registers and constants than the assembler takes. */
static bool reads_too_many(const struct gcn_printer *printer, const struct form *f, uint64_t w)
{
    unsigned scalars = 0, dwords;
    for (unsigned i = 0; i < f->operands; i++) {
        const struct cell *cell = cell_of(printer, f->operand[i], w);
        const unsigned code = code_of(printer, cell, &dwords);
        scalars += cell < printer->cell + CODES * sizeof widths &&
                   (code < GCN_CODE_INT || (code >= GCN_CODE_VCCZ && code <= GCN_CODE_SCC) || code == GCN_CODE_LITERAL);
    }
    return scalars > f->scalars;
}

/* Prints by the form, whose `how` is given; false: the form cannot print it. */
__attribute__((always_inline)) static inline bool print_form(
    const struct gcn_printer *printer, const struct form *f, unsigned how, uint64_t w, char *buf, size_t *len)
{
    char *q = buf + f->head_n;
    memcpy(buf, f->head, sizeof f->head);
    q += put_piece(q, printer, f->operand[0], w);
    q += put_piece(q, printer, f->operand[1], w);
    q += put_piece(q, printer, f->operand[2], w);
    if (how & FORM_LONG) {
        q += put_piece(q, printer, f->operand[3], w);
        q += put_piece(q, printer, f->operand[4], w);
    }
    q -= f->trim;
    if (how & FORM_MODIFIED) {
        q += put_piece(q, printer, f->modifier[0], w);
        q += put_piece(q, printer, f->modifier[1], w);
    }
    *len = (size_t)(q - buf);
    static_assert(sizeof f->head + (OPERANDS + 2) * sizeof(struct cell) < CELL_ODD, "longer than all texts");
    return *len < CELL_ODD && !(w & f->more) && !(how & FORM_COUNTS && reads_too_many(printer, f, w));
}

/* An odd operand at q: a constant behind a short word, or a long name.  NULL: it is for gcn_text. */
static char *put_odd(
    char *q, const struct gcn_printer *printer, const struct cell *cell, unsigned literal_type, uint32_t literal)
{
    unsigned dwords = 0;
    const unsigned code = code_of(printer, cell, &dwords);
    if (code == CODES) return NULL;
    if (code == GCN_CODE_LITERAL) {
        if (!literal_type || (printer->assembler && !llvm_keeps_literal(literal, literal_type))) return NULL;
        return PUT(put_hex(q, is_half_literal(printer->chip, literal_type) ? (uint16_t)literal : literal), ", ");
    }
    if (cell->n != CELL_LONG) return NULL;
    return PUT(put_name(q, printer->chip, code, dwords), ", ");
}

/* The same, quicker than gcn_text, with operands that are odd or follow the word. */
static bool print_odd(const struct gcn_printer *printer, const struct lead *lead, const struct form *f, uint64_t w,
    char *buf, size_t *len, int *size)
{
    char *q = buf + f->head_n;
    if (f->how & FORM_SLOW && !f->constant) return false;
    memcpy(buf, f->head, sizeof f->head);
    *size = f->constant ? 8 : lead->size;
    for (unsigned i = 0; i < f->operands; i++) {
        const struct cell *cell = cell_of(printer, f->operand[i], w);
        if (i + 1 == f->constant) {
            q = PUT(put_hex(q, w >> 32), ", ");
            continue;
        }
        if (cell->n < CELL_ODD) {
            memcpy(q, cell, sizeof *cell);
            q += cell->n;
            continue;
        }
        q = put_odd(q, printer, cell, lead->size == 4 ? f->literal[i] : 0, (uint32_t)(w >> 32));
        if (!q) return false;
        if (cell->n == CELL_ODD) *size = 8;
    }
    q -= f->trim;
    for (unsigned i = 0; i < 2 && f->how & FORM_MODIFIED; i++) {
        const unsigned n = put_piece(q, printer, f->modifier[i], w);
        if (n >= CELL_ODD) return false;
        q += n;
    }
    *len = (size_t)(q - buf);
    return !(w & f->more) && !(f->how & FORM_COUNTS && reads_too_many(printer, f, w));
}

/* The same for a form with a constant behind, and operands that are not odd: the constant comes third or last. */
static bool print_constant(const struct gcn_printer *printer, const struct form *f, uint64_t w, char *buf, size_t *len)
{
    char *q = buf + f->head_n;
    memcpy(buf, f->head, sizeof f->head);
    q += put_piece(q, printer, f->operand[0], w);
    q += put_piece(q, printer, f->operand[1], w);
    if (f->constant == 4) q += put_piece(q, printer, f->operand[2], w);
    if (q - buf >= CELL_ODD) return false;
    q = PUT(put_hex(q, w >> 32), ", ");
    if (f->constant == 3) q += put_piece(q, printer, f->operand[3], w);
    *len = (size_t)(q - f->trim - buf);
    return *len < CELL_ODD && !(w & f->more) && !(f->how & FORM_COUNTS && reads_too_many(printer, f, w));
}

/* Whether LLVM's assembler takes the instruction at p. */
static bool is_taken(const struct gcn_chip *chip, const uint8_t *p, size_t n, uint64_t addr)
{
    struct gpudbg_insn insn GPUDBG_UNSET;
    int operand;
    return gcn_decode(&chip->isa, p, n, addr, &insn) <= 0 || !llvm_refuses(&insn, &operand);
}

/* Prints what no form can print. */
static int print_decoded(const struct gcn_printer *printer, struct met *met, const uint8_t *p, size_t n, uint64_t addr,
    const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct decoder d;
    d.addr = addr;
    d.chip = printer->chip;
    const int size = decode_row(&d, p, n);
    if (size <= 0) return size;
    if (printer->assembler && !is_taken(printer->chip, p, n, addr)) return 0;
    *len = gcn_put(&d, names, buf);
    if (!met || size > 8 || *len > sizeof met->text || gcn_kinds[d.op->id + 1] & GCN_NAMES_TARGET) return size;
    *met = (struct met){.word = le_u64(p), .behind = (uint8_t)(64 - 8 * size), .size = (uint8_t)size};
    met->n = (uint8_t)*len;
    memcpy(met->text, buf, *len);
    return size;
}

/* Prints what no form without a constant can print. */
__attribute__((noinline)) static int print_other(struct gcn_printer *printer, const uint8_t *p, size_t n, uint64_t addr,
    const struct gpudbg_names *names, char *buf, size_t *len)
{
    if (n < 8) return print_decoded(printer, NULL, p, n, addr, names, buf, len);
    const uint64_t w = le_u64(p);
    const struct lead *lead = &printer->lead[LEADING((uint32_t)w)];
    const struct form *f = form_of(printer, lead, w);
    int size;
    if (print_odd(printer, lead, f, w, buf, len, &size)) return size;
    struct met *met = &printer->met[(w & lead->own) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MET_BITS)];
    if ((met->word ^ w) << met->behind) return print_decoded(printer, met, p, n, addr, names, buf, len);
    memcpy(buf, met->text, sizeof met->text);
    *len = met->n;
    return met->size;
}

__attribute__((always_inline)) static inline int print_one(
    void *state, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct gcn_printer *printer = state;
    if (__builtin_expect(n >= 8, 1)) {
        const uint64_t w = le_u64(p);
        const struct lead *lead = &printer->lead[LEADING((uint32_t)w)];
        const struct form *f = first_form(printer, lead, w);
        if (__builtin_expect(!f->how, 1)) {
            if (print_form(printer, f, 0, w, buf, len)) return lead->size;
        } else {
            f = form_of(printer, lead, w);
            if (!(f->how & FORM_SLOW)) {
                if (print_form(printer, f, f->how, w, buf, len)) return lead->size;
            } else if (f->constant && print_constant(printer, f, w, buf, len))
                return 8;
        }
    }
    return print_other(printer, p, n, addr, names, buf, len);
}

int gcn_print(
    void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    return print_one(printer, p, n, addr, names, buf, len);
}

unsigned gcn_lines(void *printer, struct gpudbg_lines *lines) { return gpudbg_lines_print(printer, lines, print_one); }
