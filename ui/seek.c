/* SPDX-License-Identifier: GPL-3.0-or-later */
/* seek.c: looking for text in code; see seek.h. */
#include "seek.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "code/walk.h"
#include "gpudbg/endian.h"
#include "session/session.h"

#define UNIT_TEXT 512                /* of a unit, as the pane shows it */
#define TEXT_MOST (64u << 10)        /* printed at once */
#define NEAR 4096                    /* bytes that are printed rather than passed over */
#define PRINTED_NEAR 512             /* bytes that are printed around a dword that fits */
#define WORDS_MOST ((size_t)4 << 20) /* bytes of words between two looks at whether to go on */
#define STRETCH 1024                 /* units that are gone back at once */
#define LONGEST 16                   /* bytes of an instruction where boundaries are found again */

/* ---- One unit ---- */

static bool symbol_holds(const struct gpudbg_image *image, uint64_t addr, const char *what)
{
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(image, addr);
    return symbol && symbol->addr == addr && strcasestr(symbol->name, what);
}

/* Whether a unit's text, or a label before it, holds what is looked for. */
static bool unit_holds(struct seek *s, uint64_t addr)
{
    char text[UNIT_TEXT] = "";
    struct gpudbg_insn insn;
    bool is_insn;
    code_labels_around(&s->labels, s->image, addr);
    if (code_at(s->image, addr, &insn, &is_insn)) code_text(s->g, &s->labels, &insn, is_insn, text, sizeof text);
    return strcasestr(text, s->what) || symbol_holds(s->image, addr, s->what) ||
           (code_label(&s->labels, addr, text, sizeof text) && strcasestr(text, s->what));
}

/* The first unit in [at, end) that holds it, or the last: *at.  at is where a unit starts. */
static bool units_hold(struct seek *s, uint64_t *at, uint64_t end, bool last)
{
    bool met = false;
    for (uint64_t here = *at; here < end && (last || !met);) {
        if (unit_holds(s, here)) {
            *at = here;
            met = true;
        }
        if (!code_forward(s->image, &here)) break;
    }
    return met;
}

/* ---- Many units ---- */

/* Small letters in place, and in what is behind the text up to a multiple of 64. */
static void fold(char *text, size_t n)
{
    for (size_t i = 0; i < n; i += 64)
        for (size_t j = i; j < i + 64; j++) {
            const unsigned char c = (unsigned char)text[j];
            text[j] = (char)(c + ((unsigned char)(c - 'A') < 26 ? 32 : 0));
        }
}

/* Prints the unit at addr, which is in the section, at the end of the text; returns its bytes. */
static uint32_t print_unit(struct seek *s, const struct gpudbg_section *section, uint64_t addr)
{
    const struct gpudbg_names *names = s->labels.open ? &s->labels.names.names : NULL;
    const uint8_t *bytes = section->bytes + (addr - section->addr);
    const size_t left = (size_t)(section->size - (addr - section->addr));
    char *p = s->text + s->printed;
    size_t n = 0;
    int size = s->printer ? s->image->isa->fast.print(s->printer, bytes, left, addr, names, p, &n) : 0;
    if (size <= 0) {
        struct gpudbg_insn insn;
        const bool is_insn = gpudbg_insn_at(s->image->isa, bytes, left, addr, &insn);
        const int length = code_text(s->g, &s->labels, &insn, is_insn, p, UNIT_TEXT);
        n = length < 0 ? 0 : length < UNIT_TEXT ? (size_t)length : UNIT_TEXT - 1;
        size = (int)insn.size;
    }
    p[n] = '\n';
    s->printed += n + 1;
    return (uint32_t)size;
}

/* Whether a symbol in [from, end) has it in its name, or a label there does. */
static bool names_hold(struct seek *s, uint64_t from, uint64_t end)
{
    const struct gpudbg_image *image = s->image;
    const struct code_names *n = &s->labels.names;
    char name[UNIT_TEXT];
    for (size_t i = from ? code_symbol_after(image, from - 1) : 0; i < image->nsymbols; i++) {
        if (image->symbols[i].addr >= end) break;
        if (image->symbols[i].name && strcasestr(image->symbols[i].name, s->what)) return true;
    }
    for (size_t i = 0; s->labels.open && s->in_labels && i < n->ntargets; i++)
        if (n->targets[i] >= from && n->targets[i] < end && code_label(&s->labels, n->targets[i], name, sizeof name) &&
            strcasestr(name, s->what))
            return true;
    return false;
}

/* Moves *at over units up to `end`, or not so far, but over one at least.  Returns whether one of them may hold it;
 * all that do are found. */
static bool units_may_hold(struct seek *s, uint64_t *at, uint64_t end)
{
    const struct gpudbg_section *section = code_section(s->image, *at);
    const uint64_t from = *at;
    code_labels_around(&s->labels, s->image, from);
    if (s->labels.open && end > s->labels.to) end = s->labels.to;
    if (end > section->addr + section->size) end = section->addr + section->size;
    s->printed = 0;
    do *at += print_unit(s, section, *at);
    while (*at < end && s->printed < TEXT_MOST);
    memset(s->text + s->printed, 0, 64);
    fold(s->text, s->printed);
    return strstr(s->text, s->sought) || names_hold(s, from, *at); /* sooner found than by memmem */
}

/* ---- Words ---- */

/* Whether one of 16 dwords fits a mask. */
static inline bool block_fits(const struct seek *s, const uint8_t *p)
{
    uint32_t word[16], any = 0;
    memcpy(word, p, sizeof word);
    for (int m = 0; m < s->masks; m++) {
        const uint32_t mask = htole32(s->mask[m].mask), value = htole32(s->mask[m].value);
        uint32_t fit[16];
        for (unsigned i = 0; i < 16; i++) fit[i] = (word[i] & mask) == value ? UINT32_MAX : 0;
        for (unsigned i = 0; i < 16; i++) any |= fit[i];
    }
    return any;
}

static bool word_fits(const struct seek *s, const uint8_t *p)
{
    for (int m = 0; m < s->masks; m++)
        if ((le_u32(p) & s->mask[m].mask) == s->mask[m].value) return true;
    return false;
}

/* The first dword of n bytes that fits, or the bytes that dwords fill. */
static size_t word_after(const struct seek *s, const uint8_t *p, size_t n)
{
    size_t at = 0;
    while (n - at >= 64 && !block_fits(s, p + at)) at += 64;
    while (n - at >= 4 && !word_fits(s, p + at)) at += 4;
    return at;
}

/* The end of the last one, or 0. */
static size_t word_before(const struct seek *s, const uint8_t *p, size_t n)
{
    while (n >= 64 && !block_fits(s, p + n - 64)) n -= 64;
    while (n >= 4 && !word_fits(s, p + n - 4)) n -= 4;
    return n >= 4 ? n : 0;
}

/* Where a unit starts at or before x, whatever stands before `from`: every way to decode that begins in LONGEST bytes
 * from there on has met before x.  false: they do not meet, or there are longer units. */
static bool ways_meet(
    const struct seek *s, const struct gpudbg_section *section, uint64_t from, uint64_t x, uint64_t *at)
{
    const unsigned align = s->image->isa->align ? s->image->isa->align : 1;
    uint64_t way[LONGEST];
    const unsigned n = align <= LONGEST ? LONGEST / align : 1;
    for (unsigned i = 0; i < n; i++) way[i] = from + (uint64_t)i * align;
    for (;;) {
        unsigned least = 0, most = 0;
        for (unsigned i = 1; i < n; i++) {
            if (way[i] < way[least]) least = i;
            if (way[i] > way[most]) most = i;
        }
        *at = way[least];
        if (*at > x) return false;
        if (way[least] == way[most]) return true;
        struct gpudbg_insn insn;
        const uint64_t offset = way[least] - section->addr;
        gpudbg_insn_at(s->image->isa, section->bytes + offset, (size_t)(section->size - offset), *at, &insn);
        if (insn.size > LONGEST) return false;
        way[least] += insn.size;
    }
}

/* A unit's start at or before x, from which it is not far to x if one can be found; `from` is one. */
static uint64_t start_near(const struct seek *s, const struct gpudbg_section *section, uint64_t from, uint64_t x)
{
    const unsigned align = s->image->isa->align ? s->image->isa->align : 1;
    uint64_t at;
    for (uint64_t back = 256; x - from > NEAR && back <= 16 * NEAR && back < x - from; back *= 4)
        if (ways_meet(s, section, x - (x - from) % align - back, x, &at)) return at;
    return from;
}

/* ---- The search ---- */

static bool may_stand_in_data(const char *word)
{
    char copy[16] = "";
    for (size_t i = 0; i + 1 < sizeof copy && word[i] && word[i] != ' '; i++) copy[i] = word[i];
    return strstr(".long .quad .byte", copy) || strspn(copy, "0123456789abcdefx") == strlen(copy);
}

static bool in_symbols(const struct gpudbg_image *image, const char *what)
{
    for (size_t i = 0; i < image->nsymbols; i++)
        if (image->symbols[i].name && strcasestr(image->symbols[i].name, what)) return true;
    return false;
}

void seek_open(struct seek *s, struct gpudbg *g, const char *what)
{
    const struct gpudbg_image *image = g->loaded.image;
    const struct gpudbg_isa *isa = image->isa;
    *s = (struct seek){.g = g, .image = image, .what = what, .length = strlen(what), .masks = -1};
    s->sought = xalloc((s->length / 64 + 1) * 64);
    memset(s->sought, 0, (s->length / 64 + 1) * 64);
    memcpy(s->sought, what, s->length);
    fold(s->sought, s->length);
    s->text = xalloc(TEXT_MOST + GPUDBG_PRINT + 128);
    if (isa->fast.print && !settings_syntax(&g->settings, isa)) s->printer = isa->fast.printer(isa, 0, GPUDBG_READABLE);
    const bool named = in_symbols(image, what);
    s->in_labels = named || strspn(s->sought, "l0123456789abcdef") == s->length;
    if (s->printer && isa->fast.sieve && !named && !may_stand_in_data(s->sought))
        s->masks = isa->fast.sieve(isa, s->sought, s->mask, SEEK_MASKS);
}

void seek_close(struct seek *s)
{
    code_labels_close(&s->labels);
    free(s->printer);
    free(s->sought);
    free(s->text);
}

/* Moves *at, a unit's start, near the next dword of its section that fits, *x, from where on the units are to be
 * printed.  false: no unit from *at on can hold it. */
static bool pass_words(
    const struct seek *s, const struct gpudbg_section *section, uint64_t *at, uint64_t *x, bool *go_on)
{
    const uint64_t end = section->addr + section->size;
    *x = *at;
    while ((*go_on = ticker_goes_on(&s->g->ticker, *x - section->addr, section->size))) {
        const size_t n = end - *x < WORDS_MOST ? (size_t)(end - *x) : WORDS_MOST;
        const size_t met = word_after(s, section->bytes + (*x - section->addr), n);
        *x += met;
        if (n - met >= 4) { /* it fits */
            *at = start_near(s, section, *at, *x);
            return true;
        }
        if (n < WORDS_MOST) return false;
    }
    *at = *x;
    return false;
}

enum seek_end seek_after(struct seek *s, uint64_t *at)
{
    if (!code_forward(s->image, at)) return SEEK_NOWHERE;
    bool go_on = true;
    for (const struct gpudbg_section *section = code_section(s->image, *at); section;) {
        const uint64_t end = section->addr + section->size;
        uint64_t until = end, x, next = *at;
        if (*at < end && s->masks >= 0 && !pass_words(s, section, at, &x, &go_on)) {
            if (!go_on) return SEEK_STOPPED;
            *at = end;
        } else if (*at < end && s->masks >= 0) {
            until = x + PRINTED_NEAR;
        }
        if (*at >= end) {
            section = code_section_from(s->image, end);
            if (section) *at = section->addr;
            continue;
        }
        next = *at;
        const bool may = units_may_hold(s, &next, until);
        if (may && units_hold(s, at, next, false)) return SEEK_MET;
        *at = next;
        if (!ticker_goes_on(&s->g->ticker, *at - section->addr, section->size)) return SEEK_STOPPED;
    }
    return SEEK_NOWHERE;
}

/* The same as units_may_hold, from one unit to the end of another, through the sections between them. */
static bool stretch_may_hold(struct seek *s, uint64_t from, uint64_t end)
{
    while (from < end) {
        const struct gpudbg_section *section = code_section(s->image, from);
        if (!section && (section = code_section_from(s->image, from))) from = section->addr;
        if (!section || from >= end) return false;
        if (units_may_hold(s, &from, end)) return true;
    }
    return false;
}

/* Moves *end, a unit's end in the section or behind it, back to the end of the last unit whose first dword fits, or
 * near it; to the beginning of the section if there is none. */
static void pass_words_back(const struct seek *s, const struct gpudbg_section *section, uint64_t *end, bool *go_on)
{
    const size_t whole = (size_t)section->size, inside = (size_t)(*end - section->addr);
    size_t n = inside < whole ? inside : whole & ~(size_t)3, met = 0;
    while ((*go_on = ticker_goes_on(&s->g->ticker, whole - n, whole)) && n >= 4 && !met) {
        const size_t piece = n < WORDS_MOST ? n : WORDS_MOST;
        met = word_before(s, section->bytes + n - piece, piece);
        if (met) met += n - piece;
        n -= piece & ~(size_t)3;
    }
    if (!*go_on || !met) {
        *end = section->addr + (*go_on ? 0 : n);
        return;
    }
    const uint64_t x = section->addr + met - 4, limit = *end;
    uint64_t at = start_near(s, section, section->addr, x);
    if (x - at > NEAR) return; /* what stands there is gone back over */
    for (struct gpudbg_insn insn; at <= x; at += insn.size)
        gpudbg_insn_at(
            s->image->isa, section->bytes + (at - section->addr), whole - (size_t)(at - section->addr), at, &insn);
    if (at < limit) *end = at;
}

enum seek_end seek_before(struct seek *s, uint64_t *at)
{
    const bool words = s->masks >= 0;
    bool go_on = true;
    for (;;) {
        const struct gpudbg_section *section = code_section_below(s->image, *at);
        if (!section) return SEEK_NOWHERE;
        if (words) pass_words_back(s, section, at, &go_on);
        if (!go_on || !ticker_goes_on(&s->g->ticker, section->addr + section->size - *at, section->size))
            return SEEK_STOPPED;
        if (words && *at == section->addr) continue;
        uint64_t from = *at;
        if (!code_back(s->image, &from, words ? STRETCH / 16 : STRETCH)) return SEEK_NOWHERE;
        const uint64_t end = *at;
        *at = from;
        if (stretch_may_hold(s, from, end) && units_hold(s, at, end, true)) return SEEK_MET;
    }
}
