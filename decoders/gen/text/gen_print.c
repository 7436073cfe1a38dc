/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_print.c: text of long listings: decodes without operands, and writes the text from that.  Texts that do not
 * depend on the address are kept, because programs repeat instructions.
 */
#include <stdlib.h>
#include "code/gen_decoder.h"
#include "gpudbg/unset.h"
#include "text/word_tables.h"

/* An instruction that was printed before; size 0: empty. */
struct met {
    uint64_t word[2]; /* the second is 0 for 8 bytes */
    uint8_t size, n;
    char text[110];
};

/* Two instructions share a place; the newer one comes first.  The whole table fits the second level of caches: a larger
 * table would have more texts, but an access beyond that level costs half as much as making a text. */
#define MET_BITS 11
struct gen_printer {
    const struct gpudbg_isa *isa;
    unsigned syntax;
    enum gpudbg_style style;
    struct iga_words *iga; /* of usual instructions; NULL: none, in other syntaxes and words */
    struct prm_words *prm;
    struct met met[1 << MET_BITS][2];
};

void *gen_printer(const struct gpudbg_isa *isa, unsigned syntax, enum gpudbg_style style)
{
    const struct gen_eu *eu = gen_eu_of(isa);
    const bool e2 = eu->column == GEN_COLUMN_e2, exact = style != GPUDBG_READABLE, iga = gen_is_iga(isa, syntax);
    const bool prm = isa->syntaxes[syntax][0] == 'p';
    const size_t words = e2 && iga ? iga_words_size() : !e2 && prm ? prm_words_size() : 0;
    struct gen_printer *printer = calloc(1, sizeof *printer + words);
    if (!printer) return NULL;
    printer->isa = isa;
    printer->syntax = syntax;
    printer->style = style;
    if (!words) return printer;
    if (iga)
        iga_words_make(printer->iga = (struct iga_words *)(void *)(printer + 1), eu, exact);
    else
        prm_words_make(printer->prm = (struct prm_words *)(void *)(printer + 1), eu, exact);
    return printer;
}

static struct met *place_of(struct gen_printer *printer, const uint64_t word[2])
{
    uint64_t mixed = (word[0] ^ word[1] * UINT64_C(0xbf58476d1ce4e5b9)) * UINT64_C(0x9e3779b97f4a7c15);
    return printer->met[mixed >> (64 - MET_BITS)];
}

static bool is_met(const struct met *met, const uint64_t word[2])
{
    return met->size && met->word[0] == word[0] && met->word[1] == word[1];
}

/* Prints what the tables of words cannot. */
__attribute__((noinline)) static int print_decoded(struct gen_printer *printer, const uint8_t *p, size_t n,
    uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct gpudbg_insn insn GPUDBG_UNSET;
    struct gen_insn i GPUDBG_UNSET;
    struct met *place = NULL;
    uint64_t word[2];
    if (n >= 16) {
        word[0] = le_u64(p);
        word[1] = gen_is_compacted(word[0]) ? 0 : le_u64(p + 8);
        place = place_of(printer, word);
        const struct met *met = is_met(place, word) ? place : place + 1;
        if (is_met(met, word)) {
            memcpy(buf, met->text, sizeof met->text);
            *len = met->n;
            return met->size;
        }
    }
    insn.databases = NULL;
    int size = gen_decode_words(printer->isa, p, n, addr, &insn, &i);
    if (size <= 0) return size;
    const char *end = gen_put_text(buf, &insn, &i, printer->syntax, printer->style, names);
    if (!end) return 0;
    *len = (size_t)(end - buf);
    if (!place || i.shape >= GEN_JUMP || *len > sizeof place->text) return size;
    if (place->size) place[1] = place[0];
    place[0] = (struct met){.word = {word[0], word[1]}, .size = (uint8_t)size, .n = (uint8_t)*len};
    memcpy(place->text, buf, *len);
    return size;
}

int gen_print(
    void *state, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct gen_printer *printer = state;
    if (n >= 16) {
        const uint64_t word[2] = {le_u64(p), le_u64(p + 8)};
        if (gen_is_compacted(word[0])) return print_decoded(printer, p, n, addr, names, buf, len);
        if (printer->iga && iga_words_put(printer->iga, word, buf, len)) return 16;
        if (printer->prm && prm_words_put(printer->prm, word, buf, len)) return 16;
    }
    return print_decoded(printer, p, n, addr, names, buf, len);
}
