/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_print.c: text of long listings: decodes without operands, and writes the text from that.  Texts that do not
 * depend on the address are kept, because programs repeat instructions.
 */
#include <stdlib.h>
#include "gpudbg/listing.h"
#include "gpudbg/unset.h"
#include "text/word_tables.h"

/* An instruction that was printed before; size 0: empty. */
struct met {
    uint64_t word[2]; /* the second is 0 for 8 bytes; of a jump without its distances */
    uint8_t size, n;
    uint8_t names, at[2]; /* of a jump: how many names of targets its text has, and where: a mark has their place */
    char text[139];       /* longer than what the tables of words can have: PIECE_ODD */
};
enum { MARK_JIP = 1, MARK_UIP };

/* Two instructions share a place; the newer one comes first.  The whole table fits the second level of caches: a larger
 * table would have more texts, but an access beyond that level costs half as much as making a text. */
#define MET_BITS 11
#define JUMP_BITS 10
struct gen_printer {
    struct gen_printer_words words; /* has to be first */
    const struct gpudbg_isa *isa;
    unsigned syntax;
    enum gpudbg_style style;
    struct leap {
        struct gen_jump jump;
        uint64_t distances[2]; /* bits of the word */
    } leap[128];               /* by opcode */
    bool jumps;                /* they are kept */
    struct met met[1 << MET_BITS][2], jump[1 << JUMP_BITS][2];
};

static void add_bits(uint64_t mask[2], struct gen_place at)
{
    if (at.len) mask[at.lo >> 6] |= (UINT64_MAX >> (64 - at.len)) << (at.lo & 63);
}

static void make_leaps(struct gen_printer *printer, const struct gen_eu *eu)
{
    for (unsigned code = 0; code < 128; code++) {
        struct leap *leap = &printer->leap[code];
        if (!eu->by_code[code]) continue;
        leap->jump = gen_jump_of(eu, eu->by_code[code] - 1u);
        add_bits(leap->distances, leap->jump.jip);
        add_bits(leap->distances, leap->jump.uip);
    }
}

static struct met *place_of(struct gen_printer *printer, const uint64_t word[2], bool jump)
{
    uint64_t mixed = (word[0] ^ word[1] * UINT64_C(0xbf58476d1ce4e5b9)) * UINT64_C(0x9e3779b97f4a7c15);
    return jump ? printer->jump[mixed >> (64 - JUMP_BITS)] : printer->met[mixed >> (64 - MET_BITS)];
}

static bool is_met(const struct met *met, const uint64_t word[2])
{
    return met->size && met->word[0] == word[0] && met->word[1] == word[1];
}

/* ---- Jumps: the text is kept with marks where the names of its targets are ---- */

static const char *mark_of(const struct gpudbg_names *names, uint64_t target, char *buf, size_t size)
{
    const struct gen_insn *i = names->data;
    if (size < 2 || (target != i->jip_target && !(i->uip_is_imm && target == i->uip_target))) return NULL;
    buf[0] = target == i->jip_target ? MARK_JIP : MARK_UIP;
    buf[1] = 0;
    return buf;
}

/* Keeps the text of a jump whose targets have names; targets that are equal could be mistaken for each other. */
static void keep_jump(
    const struct gen_printer *printer, struct met *met, const struct gpudbg_insn *insn, const struct gen_insn *i)
{
    char text[TEXT_WHOLE] GPUDBG_UNSET;
    const struct gpudbg_names marks = {.name = mark_of, .data = i};
    if (i->uip_is_imm && i->jip_target == i->uip_target) return;
    const char *end = gen_put_text(text, insn, i, printer->syntax, printer->style, &marks);
    struct met jump = {.word = {met->word[0], met->word[1]}, .size = 16};
    if (!end || (size_t)(end - text) > sizeof jump.text) return;
    jump.n = (uint8_t)(end - text);
    for (unsigned n = 0; n < jump.n; n++) {
        if (text[n] != MARK_JIP && text[n] != MARK_UIP) continue;
        if (jump.names == 2) return;
        jump.at[jump.names++] = (uint8_t)n;
    }
    if (jump.names != 1u + i->uip_is_imm) return;
    memcpy(jump.text, text, jump.n);
    *met = jump;
}

/* false: a target has no name. */
static bool print_jump(const struct met *met, const struct gen_jump *j, const uint64_t w[2], uint64_t addr,
    const struct gpudbg_names *names, char *buf, size_t *len)
{
    unsigned from = 0;
    char *p = buf, name[TEXT_OPERAND] GPUDBG_UNSET;
    for (unsigned n = 0; n < met->names; n++) {
        const unsigned at = met->at[n];
        const struct gen_place place = met->text[at] == MARK_JIP ? j->jip : j->uip;
        const char *is = names->name(names, gen_target(j, place, w, addr), name, sizeof name);
        if (!is) return false;
        memcpy(p, met->text + from, at - from);
        p += at - from;
        for (unsigned k = 0; k < TEXT_OPERAND - 1 && is[k]; k++) *p++ = is[k];
        from = at + 1;
    }
    memcpy(p, met->text + from, met->n - from);
    *len = (size_t)(p - buf) + met->n - from;
    return true;
}

/* ---- All others ---- */

static bool all_named(const struct gen_insn *i, const struct gpudbg_names *names)
{
    char name[TEXT_OPERAND] GPUDBG_UNSET;
    return names && i->jip_is_imm && names->name(names, i->jip_target, name, sizeof name) &&
           (!i->uip_is_imm || names->name(names, i->uip_target, name, sizeof name));
}

/* Prints what the tables of words cannot. */
int gen_print_decoded(
    void *state, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct gen_printer *printer = state;
    struct gpudbg_insn insn GPUDBG_UNSET;
    struct gen_insn i GPUDBG_UNSET;
    struct met *place = NULL;
    uint64_t word[2] = {0, 0};
    if (n >= 16) {
        const uint64_t w[2] = {le_u64(p), le_u64(p + 8)};
        const struct leap *leap = &printer->leap[w[0] & 127];
        const bool compacted = gen_is_compacted(w[0]), jump = !compacted && gen_jump_is_constant(&leap->jump, w);
        word[0] = jump ? w[0] & ~leap->distances[0] : w[0];
        word[1] = jump ? w[1] & ~leap->distances[1] : compacted ? 0 : w[1];
        place = place_of(printer, word, jump);
        const struct met *met = is_met(place, word) ? place : place + 1;
        if (!is_met(met, word)) {
        } else if (!met->names) {
            memcpy(buf, met->text, sizeof met->text);
            *len = met->n;
            return met->size;
        } else if (names && print_jump(met, &leap->jump, w, addr, names, buf, len)) {
            return 16;
        }
    }
    insn.databases = NULL;
    int size = gen_decode_words(printer->isa, p, n, addr, &insn, &i);
    if (size <= 0) return size;
    const char *end = gen_put_text(buf, &insn, &i, printer->syntax, printer->style, names);
    if (!end) return 0;
    *len = (size_t)(end - buf);
    if (!place) return size;
    struct met now = {.word = {word[0], word[1]}, .size = (uint8_t)size, .n = (uint8_t)*len};
    if (i.jip_is_imm) {
        now.size = 0;
        if (size == 16 && printer->jumps && all_named(&i, names)) keep_jump(printer, &now, &insn, &i);
    } else if (*len > sizeof now.text) {
        now.size = 0;
    } else {
        memcpy(now.text, buf, *len);
    }
    if (!now.size) return size;
    if (place->size) place[1] = place[0];
    place[0] = now;
    return size;
}

static unsigned decoded_lines(void *printer, struct gpudbg_lines *lines)
{
    return gpudbg_lines_loop(printer, lines, lines->ends, gen_print_decoded);
}

static const struct gen_print_ways decoded_ways = {gen_print_decoded, decoded_lines};

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
    make_leaps(printer, eu);
    printer->jumps = isa->syntaxes[syntax][0] != 'm'; /* Mesa's text has columns, and remarks about distances */
    printer->words.ways = !words ? decoded_ways : iga ? iga_words_ways : prm_words_ways[eu->column];
    if (!words) return printer;
    if (iga)
        iga_words_make(printer->words.iga = (struct iga_words *)(void *)(printer + 1), eu, exact);
    else
        prm_words_make(printer->words.prm = (struct prm_words *)(void *)(printer + 1), eu, exact);
    return printer;
}

int gen_print(
    void *state, const uint8_t *p, size_t n, uint64_t addr, const struct gpudbg_names *names, char *buf, size_t *len)
{
    struct gen_printer *printer = state;
    return printer->words.ways.print(printer, p, n, addr, names, buf, len);
}

unsigned gen_lines(void *state, struct gpudbg_lines *lines)
{
    struct gen_printer *printer = state;
    return printer->words.ways.lines(printer, lines);
}
