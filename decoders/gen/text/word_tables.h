/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * word_tables.h: the text of usual instructions straight from their words, put together from tables by the values of
 * fields.  A listing fills the tables with the functions that write a syntax, so there is hardly a branch that the
 * processor would have to guess.  iga_words.c has Gen12's words in IGA's syntax, prm_words.c those before Gen12 in the
 * manual's.
 */
#ifndef WORD_TABLES_H
#define WORD_TABLES_H

#include <string.h>
#include "text/gen_assembly.h"

struct iga_words;
struct prm_words;
struct gen_printer;
/* Bytes of the tables of a listing. */
size_t iga_words_size(void), prm_words_size(void);
/* Fills the tables, which are 0.  exact: texts are for the assembler. */
void iga_words_make(struct iga_words *, const struct gen_eu *, bool exact);
void prm_words_make(struct prm_words *, const struct gen_eu *, bool exact);
/* As `print` and `lines` of struct gpudbg_fast; a word that has to be decoded goes to gen_print_decoded. */
typedef int gen_print_fn(
    void *printer, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *, char *buf, size_t *len);
typedef unsigned gen_lines_fn(void *printer, struct gpudbg_lines *);
gen_print_fn gen_print_decoded;
struct gen_print_ways {
    gen_print_fn *print;
    gen_lines_fn *lines;
};
extern const struct gen_print_ways iga_words_ways, prm_words_ways[GEN_COLUMN_e2];

/* What a listing keeps, and in front of it the part that the tables need. */
struct gen_printer_words {
    struct gen_print_ways ways;
    union {
        struct iga_words *iga;
        struct prm_words *prm;
    };
};

/* ---- Words that tables are made from ---- */

static inline void put_field(uint64_t w[2], struct gen_place at, uint64_t value)
{
    if (at.len) w[at.lo >> 6] |= value << (at.lo & 63);
}

static inline bool decode_word(
    const struct gen_eu *eu, const uint64_t w[2], struct gpudbg_insn *insn, struct gen_insn *i)
{
    uint8_t bytes[16];
    le_put(bytes, w[0], 8);
    le_put(bytes + 8, w[1], 8);
    return gen_decode_words(&eu->isa, bytes, 16, 0, insn, i) == 16;
}

static inline void add_field(uint64_t mask[2], struct gen_place at)
{
    if (at.len) mask[at.lo >> 6] |= (UINT64_MAX >> (64 - at.len)) << (at.lo & 63);
}

/* Adds bits that a text does not give, and that the assembler clears, as those of a descriptor that is in a register.
 * Bits that are `fixed` are those of w; the others may have any value. */
static inline void find_unsaid(
    const struct gen_eu *eu, enum gen_syntax syntax, const uint64_t w[2], const uint64_t fixed[2], uint64_t zero[2])
{
    const uint64_t all[2] = {w[0] | ~fixed[0], w[1] | ~fixed[1]};
    uint64_t said[2] = {0, 0};
    struct gpudbg_insn insn;
    struct gen_insn i;
    uint8_t bytes[16];
    le_put(bytes, all[0], 8);
    le_put(bytes + 8, all[1], 8);
    if (gen_decode_words(&eu->isa, bytes, 16, 0, &insn, &i) == 16)
        gen_said_by_fields(&insn, &i, syntax, false, false, said);
    for (unsigned half = 0; half < 2; half++) zero[half] |= all[half] & ~said[half];
}

/* ---- Tables ---- */

/* PIECE_ODD is the length of a text that the tables do not have: words with this value have to be decoded, and so
 * have those whose whole text is as long.  At most 16 pieces of a text can be odd, so GPUDBG_PRINT bytes have room. */
enum { PIECE_ODD = 110 };
struct piece {
    char text[15];
    uint8_t n;
};
struct long_piece {
    char text[31];
    uint8_t n;
};
struct wide_piece {
    char text[63];
    uint8_t n;
};

/* The length to store of a text that has to be shorter than room, which then gets it; `good` is false for odd texts. */
static inline uint8_t set_text(char *x, size_t room, const char *text, const char *end, bool good)
{
    const size_t n = (size_t)(end - text);
    if (n > room || !good) return PIECE_ODD;
    memcpy(x, text, n);
    return (uint8_t)n;
}

static inline void set_piece(struct piece *x, const char *text, const char *end, bool good)
{
    x->n = set_text(x->text, sizeof x->text, text, end, good);
}
static inline void set_long_piece(struct long_piece *x, const char *text, const char *end, bool good)
{
    x->n = set_text(x->text, sizeof x->text, text, end, good);
}
static inline void set_wide_piece(struct wide_piece *x, const char *text, const char *end, bool good)
{
    x->n = set_text(x->text, sizeof x->text - 15, text, end, good); /* of which 48 bytes are copied */
}
/* The text of a and then that of b. */
static inline void set_both(struct piece *x, const struct piece *a, const struct piece *b)
{
    char text[sizeof a->text + sizeof b->text];
    const bool good = a->n != PIECE_ODD && b->n != PIECE_ODD;
    memcpy(text, a->text, sizeof a->text);
    if (good) memcpy(text + a->n, b->text, sizeof b->text);
    set_piece(x, text, text + (good ? a->n + b->n : 0), good);
}

/* Adds list[index] to the text at p, with `most` bytes of what follows it. */
#define PUT_PIECE(list, index, most)                                                             \
    do {                                                                                         \
        size_t of = (size_t)(index) * sizeof *(list);                                            \
        __asm__("" : "+r"(of)); /* gcc 12 would compute it twice, for the text and its length */ \
        memcpy(p, (const char *)(list) + of, most);                                              \
        p += ((const uint8_t *)(list))[of + sizeof *(list)-1];                                   \
    } while (0)
/* The text at p has to be decoded if it is so. */
#define ODD_IF(so) (p += (so) ? PIECE_ODD : 0)
#define PIECE(list, index) PUT_PIECE(list, index, 16)
#define LONG_PIECE(list, index) PUT_PIECE(list, index, 32)
#define WIDE_PIECE(list, index) PUT_PIECE(list, index, 48)

/* 0x and at least `digits` digits, upper case; writes 10 bytes. */
static inline char *put_hex(char *p, uint32_t value, unsigned digits)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const unsigned needed = (35 - (unsigned)__builtin_clz(value | 1)) / 4, n = digits > needed ? digits : needed;
    uint64_t x = __builtin_bswap32(value);
    x = (x | x << 16) & UINT64_C(0x0000ffff0000ffff);
    x = (x | x << 8) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x >> 4 | x << 8) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    x += '0' * ones + ((x + 6 * ones) >> 4 & ones) * ('A' - '0' - 10);
    p[0] = '0';
    p[1] = 'x';
    le_put((uint8_t *)p + 2, x >> (64 - 8 * n), 8);
    return p + 2 + n;
}

/* The bits from one field to another as they are, with those in between. */
#define GET_RUN(e, w, first, last)               \
    gen_bits(w, gen_places[e][GEN_P_##first].lo, \
        (unsigned)gen_places[e][GEN_P_##last].lo + gen_places[e][GEN_P_##last].len - gen_places[e][GEN_P_##first].lo)
/* Two fields as one number, the first one lowest: one look where the word has them side by side. */
#define GET2(e, w, a, b)                                                                                            \
    (gen_places[e][GEN_P_##a].lo + gen_places[e][GEN_P_##a].len == gen_places[e][GEN_P_##b].lo                      \
            ? gen_bits(w, gen_places[e][GEN_P_##a].lo, gen_places[e][GEN_P_##a].len + gen_places[e][GEN_P_##b].len) \
            : GET(e, w, a) | GET(e, w, b) << gen_places[e][GEN_P_##a].len)
/* A region as the tables have it: hstride, width, vstride. */
#define GET_REGION(e, w)                                                            \
    (gen_places[e][GEN_P_src0_hstride].lo + 2 == gen_places[e][GEN_P_src0_width].lo \
            ? gen_bits(w, gen_places[e][GEN_P_src0_hstride].lo, 9)                  \
            : GET(e, w, src0_hstride) | gen_bits(w, gen_places[e][GEN_P_src0_width].lo, 7) << 2)

#endif
