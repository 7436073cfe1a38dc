/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iga_words.h: the text of usual instructions straight from their words, in IGA's syntax; see iga_words.c. */
#ifndef IGA_WORDS_H
#define IGA_WORDS_H

#include "gen.h"

struct iga_words;
/* Bytes of the tables of a listing; 0: the generation has other words. */
size_t iga_words_size(const struct gen_eu *);
/* Fills the tables, which are 0.  exact: texts are for the assembler. */
void iga_words_make(struct iga_words *, const struct gen_eu *, bool exact);
/* Writes the text of a word of 16 bytes, up to GPUDBG_PRINT bytes, without a 0 at the end.  false: it has to be
 * decoded. */
bool iga_words_put(const struct iga_words *, const uint64_t w[2], char *buf, size_t *len);

#endif
