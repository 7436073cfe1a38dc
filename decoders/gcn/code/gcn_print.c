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
#include "gpudbg/unset.h"

/* ---- Texts by the value of a field: the printer's names ---- */

/* Registers and constants by their code come first, 512 for each number of dwords.  No name is longer than 15
 * characters. */
static const uint8_t widths[] = {1, 2, 3, 4, 8, 16};
enum {
    CODES = 512,
    OFFSETS_OF_SCALAR_LOADS = CODES * sizeof widths, /* 512: a register, or from 256 on a constant */
    NUMBERS = OFFSETS_OF_SCALAR_LOADS + 512,         /* 256 */
    BUFFER_FLAGS = NUMBERS + 256,                    /* 16, by bits 15..12: " offen" and so on */
    OFFSET = BUFFER_FLAGS + 16,                      /* " offset:", up to 4095 */
    OFFSETS = 4096,
    OFFSET0 = OFFSET + OFFSETS,
    OFFSET1 = OFFSET0 + 256,
    HIGH_BYTES = OFFSET1 + 256,   /* ", 0x12", the high byte of a constant of SOPK that is not 0 */
    LOW_BYTES = HIGH_BYTES + 256, /* its two last digits */
    OFF = LOW_BYTES + 256,        /* one */
    EMPTY,                        /* one */
    RESULTS,                      /* for the assembler: codes again, as results */
    NAMES = RESULTS + CODES * sizeof widths
};
/* For the assembler: a scalar register that is a source, of which a vector operation takes one. */
#define NAME_SCALAR 32

static void set_name(struct gcn_name *name, const char *text, const char *end)
{
    size_t n = (size_t)(end - text);
    memset(name, 0, sizeof *name);
    if (n <= sizeof name->text) memcpy(name->text, text, n);
    name->n = n <= sizeof name->text ? (uint8_t)n : GCN_NAME_ODD;
}

/* Codes as results; and codes that LLVM's assembler does not always take are for gcn_text. */
static void keep_taken(const struct gcn_chip *chip, struct gcn_name *names)
{
    memcpy(names + RESULTS, names, CODES * sizeof widths * sizeof *names);
    for (unsigned i = 0; i < CODES * sizeof widths; i++) {
        const unsigned code = i % CODES, dwords = widths[i / CODES];
        if (!llvm_takes_code(chip, code, dwords, false)) names[i].n |= GCN_NAME_ODD;
        if (!llvm_takes_code(chip, code, dwords, true)) names[RESULTS + i].n |= GCN_NAME_ODD;
        if (code < GCN_CODE_INT) names[i].n |= NAME_SCALAR;
    }
    for (unsigned code = 0; code < 256; code++)
        if (code >= GCN_CODE_INT || !llvm_takes_code(chip, code, 1, false))
            names[OFFSETS_OF_SCALAR_LOADS + code].n |= GCN_NAME_ODD;
    for (unsigned i = 0; i < 16; i++)
        if (i & 8 && i & 3) names[BUFFER_FLAGS + i].n |= GCN_NAME_ODD;
}

/* Names of `what` followed by a number that is not 0; the name for 0 is empty. */
static void name_offsets(struct gcn_name *name, const char *what, unsigned n)
{
    char text[TEXT_OPERAND];
    for (unsigned i = 0; i < n; i++) set_name(name + i, text, i ? put_number(put(text, what), i) : text);
}

static void name_all(const struct gcn_chip *chip, struct gcn_name *names)
{
    char text[TEXT_OPERAND];
    for (unsigned width = 0; width < sizeof widths; width++)
        for (unsigned code = 0; code < CODES; code++) {
            set_name(&names[width * CODES + code], text, put_code(text, chip, code, widths[width]));
            if (code == GCN_CODE_LITERAL) names[width * CODES + code].n |= GCN_NAME_ODD;
        }
    memcpy(names + OFFSETS_OF_SCALAR_LOADS, names, 256 * sizeof *names);
    for (unsigned i = 0; i < 256; i++) {
        set_name(&names[OFFSETS_OF_SCALAR_LOADS + 256 + i], text, put_hex(text, i));
        set_name(&names[NUMBERS + i], text, put_small(text, i));
        set_name(&names[HIGH_BYTES + i], text, put_hex(PUT(text, ", "), i));
        put_hex(text, 256 + i);
        set_name(&names[LOW_BYTES + i], text + 3, text + 5);
    }
    for (unsigned i = 0; i < 16; i++) {
        char *p = i & 2 ? PUT(text, " idxen") : text;
        if (i & 1) p = PUT(p, " offen");
        set_name(&names[BUFFER_FLAGS + i], text, i & 8 ? PUT(p, " addr64") : p);
    }
    names[HIGH_BYTES].n |= GCN_NAME_ODD;
    name_offsets(names + OFFSET, " offset:", OFFSETS);
    name_offsets(names + OFFSET0, " offset0:", 256);
    name_offsets(names + OFFSET1, " offset1:", 256);
    set_name(&names[OFF], text, PUT(text, "off"));
    set_name(&names[EMPTY], text, text);
}

/* ---- Forms ---- */

/* A text: names[base + (word >> lo & mask)]. */
struct piece {
    uint16_t base, mask;
    uint8_t lo;
};

#define OPERANDS 5
struct form {
    _Alignas(64) char head[36]; /* the mnemonic, with a blank if operands follow */
    uint8_t head_n, trim;       /* trim: bytes of commas and blanks to cut at the end of three or five operands */
    uint16_t row;               /* of gcn_ops, plus one; 0: no such opcode */
    uint64_t more;              /* bits of the word that may add text */
    struct piece operand[OPERANDS];
    struct piece modifier[2];
    bool slow;                /* a form cannot print it */
    bool here;                /* the text depends on the address */
    bool long_list, modified; /* whether it has more than three operands; modifiers */
    uint8_t scalars;          /* names with NAME_SCALAR, at most: their sum */
};

/* Registers of so many dwords by the place of their code. */
static bool code_piece(struct piece *piece, struct gcn_field_place place, unsigned dwords)
{
    const uint8_t *width = memchr(widths, (int)dwords, sizeof widths);
    if (!width || place.shift > place.lo) return false;
    piece->base = (uint16_t)((width - widths) * CODES + ((place.bias + GCN_CODE_FLAT_SCRATCH) & 511));
    piece->mask = (uint16_t)(place.mask << place.shift);
    piece->lo = place.lo - place.shift;
    return true;
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

/* The texts from base on, by the number in a field. */
#define PIECE_OF(base, layout, name)                                    \
    {                                                                   \
        base, (uint16_t)ONES(LEN_OF(layout, name)), LO_OF(layout, name) \
    }

/* address: dwords of a buffer's. */
static bool compile_operand(struct piece *piece, const struct decoder *d, uint32_t operand, unsigned address)
{
    const struct gcn_field_place place = gcn_place(d->op, d->encoding, operand);
    unsigned slot = operand & 255, type = operand >> 8 & 255, dwords = operand >> 16;
    bool buffer = d->encoding == GCN_MUBUF;
    if (place.mask | place.bias) return code_piece(piece, place, dwords);
    if (slot == GCN_IN_VDATA && buffer) return vgpr_piece(piece, LO_OF(MUBUF, vdata), dwords);
    if (slot == GCN_IN_VADDR && buffer && address) return vgpr_piece(piece, LO_OF(MUBUF, vaddr), address);
    if (slot == GCN_IN_VDST && d->encoding == GCN_FLAT && !(d->op->flags & GPUDBG_OP_STORE))
        return vgpr_piece(piece, LO_OF(FLAT, vdst), dwords);
    if (slot == GCN_IN_VADDR && buffer)
        *piece = (struct piece){OFF, 0, 0};
    else if (slot == GCN_IN_OFFSET && d->encoding == GCN_SMRD)
        *piece = (struct piece){OFFSETS_OF_SCALAR_LOADS, MASK(SMRD, imm) | MASK(SMRD, offset), 0};
    else if (slot == GCN_IN_SIMM16 && type == GCN_U16 && d->encoding == GCN_SOPP)
        *piece = (struct piece){NUMBERS, 255, 0};
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
    uint8_t lo, encoding, flags;
    int8_t size;
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
    struct gcn_name name[NAMES];
};

/* ---- Making it ---- */

/* For the assembler: what LLVM takes of the row.  `word` has no operands; words that break a rule are for gcn_text. */
static void compile_rules(struct form *f, const struct decoder *d, unsigned address)
{
    const uint32_t *operand = gcn_templates[d->op->id].operand;
    const uint64_t flags = address == 1 ? MASK(MUBUF, offen) : address == 2 ? MASK(MUBUF, addr64) : 0;
    const bool vector = d->encoding == GCN_VOP1 || d->encoding == GCN_VOP2 || d->encoding == GCN_VOP3 ||
                        d->encoding == GCN_VOPC;
    unsigned scalars = vector ? NAME_SCALAR : OPERANDS * NAME_SCALAR;
    uint8_t bytes[16] = {0};
    uint64_t said;
    struct gpudbg_insn insn = {.isa = &d->chip->isa};
    struct decoder plain = {.chip = d->chip, .insn = &insn};
    if (f->slow) return;
    le_put(bytes, d->word | flags, 8);
    decode_size(&plain, d->op, d->encoding, bytes, d->word | flags);
    decode_layouts(&plain, bytes);
    decode_operands(&plain);
    f->slow = !llvm_takes_row(&insn, &said);
    if (f->slow) return;
    f->more |= (is_long(d->encoding) ? UINT64_MAX : UINT32_MAX) & ~said;
    if (vector && d->op->flags & (GCN_VCC_R | GCN_M0_R)) scalars = 0;
    for (unsigned n = 0; operand[n]; n++) {
        const struct gcn_field_place place = gcn_place(d->op, d->encoding, operand[n]);
        if (!(place.mask | place.bias)) continue;
        if (place.use)
            f->operand[n].base += RESULTS;
        else if (!place.mask && vector) /* VCC, which is counted */
            scalars = NAME_SCALAR;
    }
    f->scalars = (uint8_t)scalars;
}

/* Modifiers that forms can print; the bits of others stay in f->more. */
static void compile_own_modifiers(struct form *f, const struct decoder *d)
{
    f->more = gcn_modifier_bits[d->encoding];
    if (d->encoding == GCN_VOP3 && is_vop3b(d->op)) f->more &= ~(MASK(VOP3, abs) | MASK(VOP3, clamp));
    if (d->encoding == GCN_SOPP) f->more = MASK(SOPP_PLAIN, simm16) & ~UINT64_C(255); /* NUMBERS are bytes */
    if (d->encoding == GCN_MUBUF && !gcn_templates[d->op->id].operand[0])
        f->more = 0;
    else if (d->encoding == GCN_MUBUF) {
        f->more = MASK(MUBUF, slc) | MASK(MUBUF, tfe) | MASK(MUBUF, glc) | MASK(MUBUF, lds);
        f->modifier[0] = (struct piece){BUFFER_FLAGS, 15, LO_OF(MUBUF, offen)};
        f->modifier[1] = (struct piece)PIECE_OF(OFFSET, MUBUF, offset);
        f->modified = true;
    }
    if (d->encoding == GCN_SOPK && is_last_constant(d, &gcn_templates[d->op->id].operand[1], 1)) {
        f->modifier[0] = (struct piece){HIGH_BYTES, 255, 8};
        f->modifier[1] = (struct piece){LOW_BYTES, 255, 0};
        f->modified = true;
    }
    if (d->encoding != GCN_DS || layout_on(d->chip, d->op) == &gcn_layouts[GCN_W_DS_SWIZZLE]) return;
    bool two = layout_on(d->chip, d->op) >= &gcn_layouts[GCN_W_DS_2X4] &&
               layout_on(d->chip, d->op) <= &gcn_layouts[GCN_W_DS_2X512];
    f->more &= ~(two ? MASK(DS, offset) : (uint64_t)OFFSETS - 1);
    f->modifier[0] = two ? (struct piece)PIECE_OF(OFFSET0, DS_2X4, offset0) : (struct piece){EMPTY, 0, 0};
    f->modifier[1] = two ? (struct piece)PIECE_OF(OFFSET1, DS_2X4, offset1)
                         : (struct piece){OFFSET, OFFSETS - 1, LO_OF(DS, offset)};
    f->modified = true;
}

static void compile_modifiers(struct form *f, const struct decoder *d)
{
    compile_own_modifiers(f, d);
    f->more |= reserved_of(d->chip, d->op, d->encoding); /* listings mark them */
}

/* word: the opcode in its place; all other bits are 0. */
static void compile_form(struct form *f, const struct gcn_printer *printer, const struct gpudbg_op *op, int encoding,
    uint64_t word, unsigned address)
{
    const struct gcn_chip *chip = printer->chip;
    const struct gcn_template *t = &gcn_templates[op->id];
    struct decoder d = {.chip = chip, .op = op, .encoding = encoding, .word = word};
    unsigned n = 0;
    f->row = op->id + 1;
    for (const uint32_t *operand = t->operand; *operand; operand++) f->here |= (*operand >> 8 & 255) == GCN_TARGET;
    f->slow = true;
    if (t->name_len + 5u >= sizeof f->head) return;
    memcpy(f->head, t->name, t->name_len);
    char *p = put_suffix(f->head + t->name_len, &d);
    for (unsigned i = 0; i < OPERANDS; i++) f->operand[i] = (struct piece){EMPTY, 0, 0};
    f->slow = (op->flags & GCN_E32) != 0 || op->id == GCN_s_endpgm;
    for (; t->operand[n] && !f->slow && !is_last_constant(&d, &t->operand[n], n); n++)
        f->slow = n == OPERANDS || !compile_operand(&f->operand[n], &d, t->operand[n], address);
    if (n) *p++ = ' ';
    f->head_n = (uint8_t)(p - f->head);
    f->long_list = n > 3;
    f->trim = (uint8_t)(2 * ((f->long_list ? OPERANDS : 3) - n + (n != 0)));
    compile_modifiers(f, &d);
    if (printer->assembler) compile_rules(f, &d, address);
}

static void compile_lead(struct lead *l, const struct gcn_chip *chip, unsigned lead)
{
    struct gcn_opcode_place place;
    int encoding = gcn_encoding(chip, lead, &place);
    *l = (struct lead){.own = UINT32_MAX, .form = GCN_FORMS - 1, .size = GPUDBG_ILLEGAL};
    if (encoding < 0) return;
    *l = (struct lead){is_long(encoding) ? UINT64_MAX : UINT32_MAX, place.form, (uint16_t)((1u << place.bits) - 1),
        place.lo, (uint8_t)encoding, encoding == GCN_MUBUF ? 15 : 0, is_long(encoding) ? 8 : 4};
}

static void compile_encoding(struct gcn_printer *printer, int encoding)
{
    struct gcn_opcode_place place;
    gcn_place_of(encoding, &place);
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
    name_all(gcn_chip_of(isa), printer->name);
    if (printer->assembler) keep_taken(gcn_chip_of(isa), printer->name);
    for (unsigned i = 0; i < FORMS; i++) printer->form[i].slow = true;
    for (int encoding = 0; encoding < GCN_ENCODINGS; encoding++) compile_encoding(printer, encoding);
    gcn_place_of(GCN_MUBUF, &buffer);
    for (unsigned flags = 0; flags < 16; flags++) {
        unsigned address = buffer_address_dwords(flags << LO_OF(MUBUF, offen));
        printer->by_flags[flags] = (uint16_t)(address ? GCN_FORMS + (address - 1) * BUFFER_FORMS - buffer.form : 0);
    }
    for (unsigned lead = 0; lead < 512; lead++) compile_lead(&printer->lead[lead], printer->chip, lead);
    for (unsigned i = 0; i < 1u << MET_BITS; i++) printer->met[i] = (struct met){.word = UINT64_MAX};
    return printer;
}

/* Prints by the form; false: the form cannot print it. */
static inline bool print_form(
    const struct gcn_printer *printer, const struct form *f, uint64_t w, char *buf, size_t *len)
{
    char *q = buf + f->head_n;
    unsigned odd = 0, scalars = 0;
    memcpy(buf, f->head, sizeof f->head);
#define PIECE(piece)                                                                                   \
    do {                                                                                               \
        const struct gcn_name *name = &printer->name[(piece).base + (w >> (piece).lo & (piece).mask)]; \
        memcpy(q, name, sizeof *name);                                                                 \
        odd |= name->n;                                                                                \
        scalars += name->n & NAME_SCALAR;                                                              \
        q += name->n & GCN_NAME_LENGTH;                                                                \
    } while (0)
#define OPERAND(i)        \
    PIECE(f->operand[i]); \
    memcpy(q, ", ", 2);   \
    q += 2
    OPERAND(0);
    OPERAND(1);
    OPERAND(2);
    if (f->long_list) {
        OPERAND(3);
        OPERAND(4);
    }
    q -= f->trim;
    if (f->modified) {
        PIECE(f->modifier[0]);
        PIECE(f->modifier[1]);
    }
    *len = (size_t)(q - buf);
    return !(odd & GCN_NAME_ODD) && scalars <= f->scalars && !(w & f->more);
}

/* Whether LLVM's assembler takes the instruction at p. */
static bool is_taken(const struct gcn_chip *chip, const uint8_t *p, size_t n, uint64_t addr)
{
    struct gpudbg_insn insn GPUDBG_UNSET;
    int operand;
    return gcn_decode(&chip->isa, p, n, addr, &insn) <= 0 || !llvm_refuses(&insn, &operand);
}

/* Prints an instruction that no form can print; its row is known. */
static int print_row(const struct gcn_printer *printer, struct met *met, const struct form *f, const struct lead *lead,
    const uint8_t *p, size_t n, uint64_t w, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct decoder d;
    if (!f->row) return GPUDBG_ILLEGAL;
    if (printer->assembler && !is_taken(printer->chip, p, n, addr)) return 0;
    d.addr = addr;
    d.chip = printer->chip;
    int size = decode_size(&d, &gcn_ops[f->row - 1], lead->encoding, p, w);
    *len = gcn_put(&d, names, buf);
    if (f->here || *len > sizeof met->text) return size;
    *met = (struct met){.word = w, .behind = (uint8_t)(64 - 8 * size), .size = (uint8_t)size, .n = (uint8_t)*len};
    memcpy(met->text, buf, *len);
    return size;
}

static int print_last(const struct gcn_printer *printer, const uint8_t *p, size_t n, uint64_t addr,
    const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct decoder d;
    if (printer->assembler && !is_taken(printer->chip, p, n, addr)) return 0;
    d.addr = addr;
    d.chip = printer->chip;
    int size = decode_row(&d, p, n);
    if (size > 0) *len = gcn_put(&d, names, buf);
    return size;
}

int gcn_print(
    void *state, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct gcn_printer *printer = state;
    if (n < 8) return print_last(printer, p, n, addr, names, buf, len);
    const uint64_t w = le_u64(p);
    const struct lead *lead = &printer->lead[LEADING((uint32_t)w)];
    const struct form *f = &printer->form[lead->form + ((uint32_t)w >> lead->lo & lead->mask) +
                                          printer->by_flags[w >> LO_OF(MUBUF, offen) & lead->flags]];
    if (!f->slow && print_form(printer, f, w, buf, len)) return lead->size;
    struct met *met = &printer->met[(w & lead->own) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MET_BITS)];
    if ((met->word ^ w) << met->behind) return print_row(printer, met, f, lead, p, n, w, addr, names, buf, len);
    memcpy(buf, met->text, sizeof met->text);
    *len = met->n;
    return met->size;
}
