/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * print.c: text of long listings.  Most rows are a mnemonic and up to three fields that hold operand codes; for those the tables
 * that text.c walks are compiled once for a listing, into forms: where the text is copied from.  Printing does not branch on what
 * the instruction is, for that cannot be guessed.  Whatever a form cannot say goes to gfx7_text's way.
 */
#include <endian.h>
#include <stdlib.h>
#include "decoder.h"

/* A cache line. */
struct form {
    _Alignas(64) char head[36]; /* the mnemonic, with a blank if operands follow */
    uint8_t head_n, trim;
    uint16_t row;               /* of gfx7_ops, plus one; 0: no such opcode */
    uint16_t name[3], mask[3];  /* of each field: in gfx7_names; of the bits of the word from lo on */
    uint8_t lo[3];
    bool slow;                  /* not of this kind */
    uint64_t more;              /* bits of the word that may mean more text */
};

/* By the first nine bits: where the opcode stands, and the form of opcode 0. */
struct lead {
    uint16_t form, mask;
    uint8_t lo, encoding, size;
};

struct gfx7_printer {
    struct form form[GFX7_FORMS];
    struct lead lead[512];
};

/* Whether the operand is a field that names registers or constants of one or two dwords. */
static bool compile_field(struct form *f, unsigned n, const struct decoder *d, uint32_t operand)
{
    const struct gfx7_field_place place = gfx7_place(d->op, d->encoding, d->word, operand);
    unsigned dwords = operand >> 16;
    if (n == 3 || !(place.mask | place.bias) || dwords > 2 || place.shift > place.lo) return false;
    f->name[n] = (uint16_t)((place.bias + GFX7_CODE_FLAT_SCRATCH) & 511) + (dwords == 2 ? 512 : 0);
    f->mask[n] = (uint16_t)(place.mask << place.shift);
    f->lo[n] = place.lo - place.shift;
    return true;
}

/* word: with the opcode in its place, and zeros. */
static void compile_form(struct form *f, const struct gpudbg_op *op, int encoding, uint64_t word)
{
    const struct gfx7_template *t = &gfx7_templates[op->id];
    struct decoder d = {.op = op, .encoding = encoding, .word = word};
    unsigned n = 0;
    f->row = op->id + 1;
    f->more = gfx7_modifier_bits[encoding] & ~(encoding == GFX7_VOP3 && is_vop3b(op, word) ? UINT64_C(15) << 8 : 0);
    f->slow = true;
    if (t->name_len + 5u >= sizeof f->head) return;
    memcpy(f->head, t->name, t->name_len);
    char *p = put_suffix(f->head + t->name_len, &d);
    f->slow = (op->flags & GFX7_E32) != 0;
    for (unsigned i = 0; i < 3; i++)
        f->name[i] = GFX7_NO_NAME;
    while (t->operand[n] && !f->slow)
        if (compile_field(f, n, &d, t->operand[n]))
            n++;
        else
            f->slow = true;
    if (n) *p++ = ' ';
    f->head_n = (uint8_t)(p - f->head);
    f->trim = n ? 8 - 2 * n : 6; /* a comma and a blank follow each of three names */
}

void *gfx7_printer(const struct gpudbg_isa *isa)
{
    struct gfx7_printer *printer = aligned_alloc(64, (sizeof *printer + 63) / 64 * 64);
    (void)isa;
    if (!printer) return NULL;
    memset(printer, 0, sizeof *printer);
    for (unsigned lead = 0; lead < 512; lead++) {
        struct lead *l = &printer->lead[lead];
        struct gfx7_opcode_place place;
        int encoding = gfx7_encoding(lead, &place);
        l->form = GFX7_FORMS - 1;
        if (encoding < 0) continue;
        *l = (struct lead){place.form, (uint16_t)((1u << place.bits) - 1), place.lo, (uint8_t)encoding, is_long(encoding) ? 8 : 4};
    }
    for (unsigned i = 0; i < GFX7_FORMS; i++)
        printer->form[i].slow = true;
    for (int encoding = 0; encoding < GFX7_ENCODINGS; encoding++) {
        struct gfx7_opcode_place place;
        gfx7_place_of(encoding, &place);
        for (unsigned code = 0; code < 1u << place.bits; code++) {
            const struct gpudbg_op *op = gfx7_op_at(encoding, code);
            if (op) compile_form(&printer->form[place.form + code], op, encoding, (uint64_t)code << place.lo);
        }
    }
    return printer;
}

/* What no form can say: the row is known. */
static int print_row(struct decoder *d, const struct form *f, const struct lead *lead, const uint8_t *p, uint64_t w,
    const struct gpudbg_names *names, char *buf, size_t *len)
{
    if (!f->row) return GPUDBG_ILLEGAL;
    int size = decode_size(d, &gfx7_ops[f->row - 1], lead->encoding, p, w);
    *len = gfx7_put(d, names, buf);
    return size;
}

int gfx7_print(const void *state, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf,
    size_t *len)
{
    const struct gfx7_printer *printer = state;
    struct decoder d;
    uint64_t w;
    d.addr = addr;
    if (n < 8) { /* the last one */
        int size = decode_row(&d, p, n);
        if (size > 0) *len = gfx7_put(&d, names, buf);
        return size;
    }
    memcpy(&w, p, 8);
    w = le64toh(w);
    const struct lead *lead = &printer->lead[(uint32_t)w >> 23];
    const struct form *f = &printer->form[lead->form + ((uint32_t)w >> lead->lo & lead->mask)];
    if (f->slow) return print_row(&d, f, lead, p, w, names, buf, len);
    memcpy(buf, f->head, sizeof f->head);
    char *q = buf + f->head_n;
    unsigned odd = 0;
#define NAME(i)                                                                               \
    const struct gfx7_name *name##i = &gfx7_names[f->name[i] + (w >> f->lo[i] & f->mask[i])]; \
    memcpy(q, name##i, sizeof *name##i);                                                      \
    odd |= name##i->n;                                                                        \
    q += name##i->n & GFX7_NAME_LENGTH;                                                       \
    memcpy(q, ", ", 2);                                                                       \
    q += 2
    NAME(0);
    NAME(1);
    NAME(2);
    if (odd < GFX7_NAME_ODD && !(w & f->more)) {
        *len = (size_t)(q - buf) - f->trim;
        return lead->size;
    }
    return print_row(&d, f, lead, p, w, names, buf, len);
}
