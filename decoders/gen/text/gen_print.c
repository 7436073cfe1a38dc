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

/* A branch that was printed before, to other places: text behind whose first `head` bytes is where it goes, and behind
 * the next `middle` bytes a second place, if there is one. */
struct met_branch {
    uint64_t word[2];          /* without the bits of the places; 0: empty */
    struct gen_place place[2]; /* the second: len 0, there is none */
    uint8_t unit, shown;       /* bytes that a place counts; that its text counts, where it has no name */
    uint8_t head, middle, n;   /* n: bytes of text */
    char text[91];
};
#define BRANCH_BITS 11

/* Two instructions share a place; the newer one comes first.  The whole table fits the second level of caches: a larger
 * table would have more texts, but an access beyond that level costs half as much as making a text. */
#define MET_BITS 11
struct gen_printer {
    const struct gpudbg_isa *isa;
    unsigned syntax;
    enum gpudbg_style style;
    struct iga_words *iga; /* of usual instructions; NULL: none, in other syntaxes and words */
    struct prm_words *prm;
    struct gen_place place[128][2]; /* by code: where a branch with constants has its places, see met_branch */
    struct met_branch branch[1 << BRANCH_BITS];
    struct met met[1 << MET_BITS][2];
};

/* The operations that have their places in fields of their own. */
static void find_branches(struct gen_printer *printer, const struct gen_eu *eu)
{
    const struct gen_place *places = gen_places[eu->column];
    for (unsigned code = 0; code < 128; code++) {
        const unsigned op = eu->by_code[code] ? eu->by_code[code] - 1u : 0, shape = gen_shapes[op];
        const bool two = shape == GEN_BRANCH || (eu->else_has_uip && GEN_IS(op, ELSE));
        if (!eu->by_code[code] || (shape != GEN_JIP && shape != GEN_BRANCH)) continue;
        printer->place[code][0] = places[GEN_P_jip];
        if (two) printer->place[code][1] = places[GEN_P_uip];
    }
}

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
    if (!exact && isa->syntaxes[syntax][0] != 'm') find_branches(printer, eu); /* Mesa's columns depend on names */
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

/* ---- Branches ---- */

static uint64_t bits_of(struct gen_place at) { return at.len ? UINT64_MAX >> (64 - at.len) << (at.lo & 63) : 0; }

/* The word without the places that it goes to. */
static void without_places(uint64_t word[2], const struct gen_place place[2])
{
    for (unsigned k = 0; k < 2; k++) word[place[k].lo >> 6] &= ~bits_of(place[k]);
}

static struct met_branch *branch_at(struct gen_printer *printer, const uint64_t word[2])
{
    const uint64_t mixed = (word[0] ^ word[1] * UINT64_C(0xbf58476d1ce4e5b9)) * UINT64_C(0x9e3779b97f4a7c15);
    return &printer->branch[mixed >> (64 - BRANCH_BITS)];
}

/* Marks the places in a text. */
static const char *mark(const struct gpudbg_names *names, uint64_t addr, char *buf, size_t size)
{
    (void)addr;
    (void)buf;
    (void)size;
    *(unsigned *)(uintptr_t)names->data += 1; /* keep_branch made it so */
    return "\1";
}

/* Bytes from the branch to its place k. */
static int64_t distance_in(const struct met_branch *met, unsigned k, const uint64_t w[2])
{
    const struct gen_place at = met->place[k];
    return met->unit * (int64_t)gen_signed((uint32_t)((w[at.lo >> 6] & bits_of(at)) >> (at.lo & 63)), at.len);
}

/* Keeps the text of a branch with constants around the names of its places, which come in the order of the fields. */
static void keep_branch(
    struct gen_printer *printer, const uint64_t w[2], const struct gpudbg_insn *insn, const struct gen_insn *i)
{
    char text[GPUDBG_PRINT], *first, *second = NULL;
    unsigned places = 0;
    const struct gpudbg_names names = {.name = mark, .data = &places};
    const struct gen_place *place = printer->place[w[0] & 127];
    uint64_t word[2] = {w[0], w[1]};
    if (!i->jip_is_imm || i->uip_is_imm != (place[1].len != 0) || GEN_IS(i->op, ABSOLUTE)) return;
    const char *end = gen_put_text(text, insn, i, printer->syntax, printer->style, &names);
    const size_t n = end ? (size_t)(end - text) : 0;
    if (places != 1u + i->uip_is_imm || !(first = memchr(text, 1, n))) return;
    if (places == 2 && !(second = memchr(first + 1, 1, (size_t)(end - first) - 1))) return;
    without_places(word, place);
    struct met_branch branch = {.word = {word[0], word[1]},
        .place = {place[0], place[1]},
        .unit = (uint8_t)(i->eu->column == GEN_COLUMN_e2 ? 1 : gen_branch_unit(i)),
        .shown = (uint8_t)(printer->isa->syntaxes[printer->syntax][0] == 'i' ? 1 : gen_branch_unit(i)),
        .head = (uint8_t)(first - text),
        .middle = (uint8_t)(second ? second - first - 1 : 0),
        .n = (uint8_t)(n - places)};
    const char *tail = (second ? second : first) + 1;
    if (n - places > sizeof branch.text || i->addr + (uint64_t)distance_in(&branch, 0, w) != i->jip_target) return;
    if (second && i->addr + (uint64_t)distance_in(&branch, 1, w) != i->uip_target) return;
    memcpy(branch.text, text, branch.head);
    memcpy(branch.text + branch.head, first + 1, branch.middle);
    memcpy(branch.text + branch.head + branch.middle, tail, (size_t)(end - tail));
    *branch_at(printer, word) = branch;
}

static char *put_place(char *p, const struct met_branch *met, unsigned k, const uint64_t w[2], uint64_t addr,
    const struct gpudbg_names *names)
{
    char buf[TEXT_OPERAND];
    const int64_t distance = distance_in(met, k, w);
    const char *name = names->name(names, addr + (uint64_t)distance, buf, sizeof buf);
    if (!name) return gen_put_number(p, distance / met->shown);
    for (unsigned n = 0; n < TEXT_OPERAND - 1 && name[n]; n++) *p++ = name[n];
    return p;
}

/* Prints a branch that differs from one met before in its places alone; false: it has to be decoded. */
static bool put_branch(struct gen_printer *printer, const uint64_t w[2], uint64_t addr,
    const struct gpudbg_names *names, char *buf, size_t *len)
{
    const struct gen_place *place = printer->place[w[0] & 127];
    uint64_t word[2] = {w[0], w[1]};
    if (!place[0].len || !names || gen_is_compacted(w[0])) return false;
    without_places(word, place);
    const struct met_branch *met = branch_at(printer, word);
    if (met->word[0] != word[0] || met->word[1] != word[1]) return false;
    memcpy(buf, met->text, sizeof met->text);
    char *p = put_place(buf + met->head, met, 0, w, addr, names);
    memcpy(p, met->text + met->head, met->middle);
    p += met->middle;
    if (met->place[1].len) p = put_place(p, met, 1, w, addr, names);
    const unsigned before = (unsigned)met->head + met->middle;
    memcpy(p, met->text + before, met->n - before);
    *len = (size_t)(p - buf) + met->n - before;
    return true;
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
        if (put_branch(printer, word, addr, names, buf, len)) return 16;
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
    if (place && size == 16 && names && printer->place[word[0] & 127][0].len) keep_branch(printer, word, &insn, &i);
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
