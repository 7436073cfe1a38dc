/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * word_tables.h: the text of usual instructions straight from their words, put together from tables by the values of
 * fields.  A listing fills the tables with the functions that write a syntax, so there is hardly a branch that the
 * processor would have to guess.  iga_words.c has Gen12's words in IGA's syntax, prm_words.c those before Gen12 in the
 * manual's.
 */
#ifndef WORD_TABLES_H
#define WORD_TABLES_H

#include "gen.h"

struct iga_words;
struct prm_words;
/* Bytes of the tables of a listing. */
size_t iga_words_size(void), prm_words_size(void);
/* Fills the tables, which are 0.  exact: texts are for the assembler. */
void iga_words_make(struct iga_words *, const struct gen_eu *, bool exact);
void prm_words_make(struct prm_words *, const struct gen_eu *, bool exact);
/* Writes the text of a word of 16 bytes, up to GPUDBG_PRINT bytes, without a 0 at the end.  false: it has to be
 * decoded. */
bool iga_words_put(const struct iga_words *, const uint64_t w[2], char *buf, size_t *len);
bool prm_words_put(struct prm_words *, const uint64_t w[2], char *buf, size_t *len);

/* ---- Tables ---- */

/* Marks beside the length of a text.  ODD: words with this value have to be decoded.  BARE: no subregister is written
 * if it is 0.  NAMELESS: a register of which only the file and the number are known. */
enum { PIECE_ODD = 64, PIECE_BARE = 32, PIECE_NAMELESS = 16 };
struct piece {
    char text[15];
    uint8_t n;
};
struct long_piece {
    char text[47];
    uint8_t n;
};

static inline void set_piece(struct piece *x, const char *text, const char *end, bool good)
{
    const size_t n = (size_t)(end - text);
    *x = (struct piece){.n = PIECE_ODD};
    if (n > 15) return;
    for (size_t k = 0; k < n; k++) x->text[k] = text[k];
    x->n = (uint8_t)(n | (good ? 0 : PIECE_ODD));
}

static inline void set_long_piece(struct long_piece *x, const char *text, const char *end, bool good)
{
    const size_t n = (size_t)(end - text);
    *x = (struct long_piece){.n = PIECE_ODD};
    if (n > 47) return;
    for (size_t k = 0; k < n; k++) x->text[k] = text[k];
    x->n = (uint8_t)(n | (good ? 0 : PIECE_ODD));
}

/* Adds list[index] to the text at p; `odd` collects the marks. */
#define PIECE(list, index)                          \
    do {                                            \
        const struct piece *piece = &(list)[index]; \
        memcpy(p, piece->text, sizeof piece->text); \
        odd |= piece->n;                            \
        p += piece->n & 15;                         \
    } while (0)
/* ... of which `most` bytes are copied. */
#define LONG_PIECE(list, index, most)                    \
    do {                                                 \
        const struct long_piece *piece = &(list)[index]; \
        memcpy(p, piece->text, most);                    \
        odd |= piece->n & PIECE_ODD;                     \
        p += piece->n & 63;                              \
    } while (0)

#endif
