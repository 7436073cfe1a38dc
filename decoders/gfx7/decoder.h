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

/* The operands of a row, in the order of the text: dwords << 16 | type << 8 | slot, 0 ends. */
struct gfx7_template {
    uint32_t operand[7];
    uint8_t name_len;
    char name[35]; /* again, to be copied at once */
};
extern const struct gfx7_template gfx7_templates[GFX7_OPS];

/* gfx7_type_dwords by table. */
extern const uint8_t gfx7_dwords[GFX7_TYPES];
static inline unsigned dwords_of(unsigned type)
{
    return gfx7_dwords[type];
}

/* Bits hi..lo of a word. */
static inline uint32_t bits_of(uint64_t word, unsigned hi, unsigned lo)
{
    return (uint32_t)(word >> lo & (((uint64_t)2 << (hi - lo)) - 1));
}

static inline uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* The instruction's bytes as a number: four or eight of them. */
static inline uint64_t word_of(const struct gpudbg_insn *insn)
{
    return load32(insn->raw) | (insn->size >= 8 ? (uint64_t)load32(insn->raw + 4) << 32 : 0);
}

/* Text is written forward through a pointer, without looking at its end: the functions below return the new end and
 * write no more than they say. */
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

char *put_number(char *p, int64_t value); /* decimal, at most 20 characters */
char *put_hex(char *p, uint64_t value);   /* 0x..., at most 18 */

/* Numbers of registers as text: the digits, and in [3] how many. */
extern const char small_numbers[256][4];
static inline char *put_small(char *p, unsigned n)
{
    const char *digits = small_numbers[n & 255];
    memcpy(p, digits, 4);
    return p + digits[3];
}

/* The rest of a register's name: its number, or a run of them: s5, s[4:7]. */
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

/* Copies from..to out as snprintf does: at most size bytes with the 0; returns the whole length. */
int put_out(const char *from, const char *to, char *buf, size_t size);

/* One operand as it stands in the text, with its modifiers; at most TEXT_OPERAND characters. */
char *put_operand(char *p, const struct gpudbg_insn *, const struct gpudbg_operand *);

/* Encodings of 64 bits; the others have 32, and a literal may follow. */
static inline bool is_long(int encoding)
{
    return encoding == GFX7_VOP3 || encoding <= GFX7_MUBUF;
}

/* The instruction while it is being decoded. */
struct decoder {
    struct gpudbg_insn *insn;
    const struct gpudbg_op *op;
    uint64_t word; /* all 64 bits of long encodings; else the first dword */
    uint32_t literal;
    int encoding;
    unsigned destination; /* how the destination field is used: enum gpudbg_operand_flags */
    bool lds_direct;
};

/* Fills the operands of decoder->insn: those of the template, then what is read and written besides (operands.c). */
void decode_operands(struct decoder *);

/* The number of VGPRs an image address takes at least: a 1D image. */
unsigned image_address_least(const struct gpudbg_op *);

/* Whether LLVM's assembler can give exactly these bytes for the text (llvm.c). */
bool llvm_can_say(const struct gpudbg_insn *);

#endif
