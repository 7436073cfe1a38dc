/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decoder.h: what the files of the decoder share among themselves: layouts, templates, appended text. */
#ifndef GFX7_DECODER_H
#define GFX7_DECODER_H

#include <string.h>
#include "gfx7.h"

/* Word layouts: indices in gfx7_layouts. */
enum gfx7_layout {
#define FORMAT(layout, word, bits, mask, match, doc) GFX7_W_##layout,
#define FIELD(name, bits, how, doc)
#define END
#include "formats.def"
#define FORMAT(layout, word, bits, mask, match, doc) GFX7_W_##layout,
#define FIELD(name, bits, how, doc)
#define END
#include "descriptors.def"
    GFX7_LAYOUTS
};
extern const struct gpudbg_format gfx7_layouts[GFX7_LAYOUTS];
extern const struct gpudbg_format *const gfx7_formats[GFX7_LAYOUTS + 1]; /* the same as a list */

/* Enumerations: indices in gfx7_enum. */
enum gfx7_enum_id {
#define ENUM(name, source) GFX7_E_##name,
#define VALUE(value, name, doc)
#define END
#include "enums.def"
    GFX7_ENUMS
};
extern const struct gpudbg_enum gfx7_enum[GFX7_ENUMS];
extern const struct gpudbg_enum *const gfx7_enums[GFX7_ENUMS + 1];

/* The operands of a row, in the order of the text: type << 8 | slot, 0 ends. */
struct gfx7_template {
    uint16_t operand[6];
    uint8_t name_len;
};
extern const struct gfx7_template gfx7_templates[GFX7_OPS];

/* Bits hi..lo of a word. */
static inline uint32_t bits_of(uint64_t word, unsigned hi, unsigned lo)
{
    return (uint32_t)(word >> lo & (((uint64_t)2 << (hi - lo)) - 1));
}

/* The instruction's bytes as a number: four or eight of them. */
static inline uint64_t word_of(const struct gpudbg_insn *insn)
{
    uint64_t word = 0;
    for (unsigned i = 0; i < insn->size && i < 8; i++) word |= (uint64_t)insn->raw[i] << (8 * i);
    return word;
}

/* A text being appended; what does not fit is counted but not stored, as snprintf does. */
struct text {
    char *buf;
    size_t size, n;
};

static inline void put_char(struct text *t, char c)
{
    if (t->n + 1 < t->size) t->buf[t->n] = c;
    t->n++;
}

static inline void put_chars(struct text *t, const char *s, size_t len)
{
    if (t->n + len < t->size)
        memcpy(t->buf + t->n, s, len);
    else
        for (size_t i = 0; i < len; i++)
            if (t->n + i + 1 < t->size) t->buf[t->n + i] = s[i];
    t->n += len;
}

static inline void put(struct text *t, const char *s)
{
    put_chars(t, s, strlen(s));
}

void put_number(struct text *, int64_t value); /* decimal */
void put_hex(struct text *, uint64_t value);   /* 0x... */
int put_end(struct text *);                    /* terminates; the length */

/* One operand as it stands in the text, with its modifiers. */
void put_operand(struct text *, const struct gpudbg_insn *, const struct gpudbg_operand *);
/* What the operand code of a scalar or 9-bit source field means for a type, when no operand is at hand. */
void put_code(struct text *, unsigned code, unsigned dwords);

/* The number of VGPRs an image address takes at least: a 1D image. */
unsigned image_address_least(const struct gpudbg_op *);

/* Whether LLVM's assembler can give exactly these bytes for the text (llvm.c). */
bool llvm_can_say(const struct gpudbg_insn *);

#endif
