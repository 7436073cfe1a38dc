/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in code and lines of source; see location.h. */
#include "base/alloc.h"
#include "eval/location.h"
#include "eval/location_turns.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "eval/expr.h"
#include "image/image.h"
#include "image/dwarf_scope.h"
#include "machine/machine.h"

uint64_t location_here(struct eval *ev)
{
    struct machine_wave_info info;
    if (!ev->running->machine) return ev->selection->cursor;
    machine_wave_info(ev->running->machine, ev->selection->wave, &info);
    return info.pc;
}

uint64_t location_code(struct eval *ev)
{
    struct gpudbg_machine *m = ev->running->machine;
    const struct gpudbg_image *image = ev->loaded->image;
    if (m && m->launch->kernel && machine_wave_ended(m, ev->selection->wave)) return m->launch->kernel->entry;
    return m || !image || !image->nkernels ? location_here(ev) : image->kernels[0].entry;
}

const struct gpudbg_line *location_row(struct eval *ev)
{
    struct gpudbg_machine *m = ev->running->machine;
    if (m && machine_wave_ended(m, ev->selection->wave)) return NULL;
    return gpudbg_image_line(ev->loaded->image, location_here(ev));
}

/* ---- Lines ---- */

static bool same_file(const char *have, const char *asked)
{
    size_t h = strlen(have), a = strlen(asked);
    return h >= a && strcmp(have + h - a, asked) == 0 && (h == a || have[h - a - 1] == '/');
}

static const char *current_file(struct eval *ev)
{
    const struct gpudbg_line *row = location_row(ev);
    if (ev->selection->listed.file) return ev->selection->listed.file;
    for (size_t i = 0; !row && i < ev->loaded->image->nlines; i++)
        if (ev->loaded->image->lines[i].file) row = &ev->loaded->image->lines[i];
    return row ? row->file : NULL;
}

/* Whether the row is of the line. */
static bool row_is(const struct gpudbg_line *row, const char *file, uint32_t line)
{
    return row->file && row->line == line && same_file(row->file, file);
}

/* The line itself where it has code, else the next one that a statement begins in. */
static bool line_with_code(struct eval *ev, const char *file, uint32_t *line, struct gpudbg_error *err)
{
    uint32_t best = 0;
    for (size_t i = 0; i < ev->loaded->image->nlines; i++) {
        const struct gpudbg_line *row = &ev->loaded->image->lines[i];
        if (!row->file || row->line < *line || (best && row->line >= best) || row->flags & GPUDBG_LINE_PASSED ||
            (row->line > *line && row->flags & GPUDBG_LINE_INSIDE) || !same_file(row->file, file))
            continue;
        best = row->line;
    }
    if (!best) return gpudbg_fail(err, "out-of-range", "no code for %s:%" PRIu32 " or behind it", file, *line);
    *line = best;
    return true;
}

/* "FILE:LINE" or "LINE"; *file points into `copy`. */
static bool is_line(struct eval *ev, char *copy, const char **file, uint32_t *line)
{
    char *colon = strrchr(copy, ':'), *number = colon ? colon + 1 : copy;
    size_t digits = strspn(number, "0123456789");
    if (!digits || number[digits] || digits > 9 || (number[0] == '0' && digits > 1)) return false;
    if (colon && colon == copy) return false;
    *line = (uint32_t)strtoul(number, NULL, 10);
    if (colon) *colon = 0;
    *file = colon ? copy : current_file(ev);
    return true;
}

bool location_line(struct eval *ev, const char *text, const char **file, uint32_t *line, struct gpudbg_error *err)
{
    char copy[1024];
    uint64_t addr;
    if (!eval_need_image(ev, err)) return false;
    snprintf(copy, sizeof copy, "%s", text);
    bool by_line = is_line(ev, copy, file, line);
    if (by_line && *file) {
        for (size_t i = 0; i < ev->loaded->image->nlines; i++)
            if (ev->loaded->image->lines[i].file && same_file(ev->loaded->image->lines[i].file, *file)) {
                *file = ev->loaded->image->lines[i].file;
                return true;
            }
        return gpudbg_fail(err, "no-such-name", "no source file \"%s\" in %s", *file, ev->loaded->image->path);
    }
    if (!ev->loaded->image->nlines)
        return gpudbg_fail(err, "no-source", "%s %s", ev->loaded->image->path, image_no_lines(ev->loaded->image));
    if (!location_addr(ev, text, &addr, err)) return false;
    const struct gpudbg_line *row = gpudbg_image_line(ev->loaded->image, addr);
    if (!row) return gpudbg_fail(err, "no-source", "no source line for 0x%" PRIx64, addr);
    *file = row->file;
    *line = row->line;
    return true;
}

/* ---- Statements of a line ---- */

#define PLACES_MOST 4096 /* addresses of one place */

/* Keeps them in order and each once; false: there are too many. */
static bool add_place(struct code_places *p, uint64_t addr)
{
    size_t at = p->n;
    while (at && p->addr[at - 1] > addr) at--;
    if (at && p->addr[at - 1] == addr) return true;
    if (p->n == PLACES_MOST) return false;
    p->addr = xrealloc(p->addr, p->n + 1, sizeof *p->addr);
    memmove(p->addr + at + 1, p->addr + at, (p->n++ - at) * sizeof *p->addr);
    p->addr[at] = addr;
    return true;
}

/* A function, or a copy of it, that has rows of the line, and whether a breakpoint is in it yet. */
struct holder {
    uint64_t function, first;
    bool has;
};

struct holders {
    struct holder *of;
    size_t n;
};

/* The number of the function's holder; PLACES_MOST: there are too many. */
static size_t holder_of(struct holders *all, uint64_t function, uint64_t addr)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].function == function) return i;
    if (all->n == PLACES_MOST) return PLACES_MOST;
    all->of = xrealloc(all->of, all->n + 1, sizeof *all->of);
    all->of[all->n] = (struct holder){.function = function, .first = addr};
    return all->n++;
}

/* Where the statements of a line begin: rows that follow one another in one function are one statement.  A copy of a
 * function of which no row begins one (compilers mark the first of several that touch) has the first. */
static bool statements(const struct gpudbg_image *image, const char *file, uint32_t line, struct code_places *p)
{
    struct holders holders = {0};
    size_t run = PLACES_MOST; /* the holder that the row before was of; PLACES_MOST: none */
    bool marked = false, good = true;
    for (size_t i = 0; good && i < image->nlines; i++) {
        const struct gpudbg_line *row = &image->lines[i];
        if (!row_is(row, file, line) || row->flags & GPUDBG_LINE_PASSED) {
            run = PLACES_MOST;
            continue;
        }
        const size_t holder = holder_of(&holders, scopes_function(image, row->addr), row->addr);
        if (holder != run) marked = false;
        run = holder;
        good = holder < PLACES_MOST;
        if (!good || marked || row->flags & GPUDBG_LINE_INSIDE) continue;
        marked = holders.of[holder].has = true;
        good = add_place(p, row->addr);
    }
    for (size_t i = 0; good && i < holders.n; i++)
        if (!holders.of[i].has) good = add_place(p, holders.of[i].first);
    free(holders.of);
    return good;
}

static bool line_places(
    struct eval *ev, const char *file, uint32_t line, struct code_places *p, struct gpudbg_error *err)
{
    uint32_t taken = line;
    *p = (struct code_places){0};
    if (!line_with_code(ev, file, &taken, err)) return false;
    if (!statements(ev->loaded->image, file, taken, p)) {
        location_places_free(p);
        return gpudbg_fail(err, "too-large", "%s:%" PRIu32 " is at more than %d addresses", file, line, PLACES_MOST);
    }
    if (taken != line) p->line = taken;
    if (!ev->every_statement) location_turns(ev->loaded->image, p);
    return true;
}

/* ---- Addresses ---- */

/* A function's end: its size says, else the next symbol of code, else its section's end. */
static uint64_t function_end(const struct gpudbg_image *image, const struct gpudbg_symbol *s)
{
    const struct gpudbg_section *section = gpudbg_image_at(image, s->addr);
    uint64_t end = section ? section->addr + section->size : s->addr;
    if (s->size) return s->addr + s->size < end ? s->addr + s->size : end;
    for (size_t i = 0; i < image->nsymbols; i++)
        if (image->symbols[i].addr > s->addr && image->symbols[i].addr < end &&
            image->symbols[i].kind != GPUDBG_SYM_LABEL)
            end = image->symbols[i].addr;
    return end;
}

bool location_addr(struct eval *ev, const char *text, uint64_t *addr, struct gpudbg_error *err)
{
    char copy[1024];
    const char *file;
    uint32_t line;
    if (!eval_need_image(ev, err)) return false;
    while (isspace((unsigned char)*text)) text++;
    snprintf(copy, sizeof copy, "%s", text);
    if (*text == '*') return expr_number(ev, text + 1, addr, err);
    if (is_line(ev, copy, &file, &line)) {
        if (!file)
            return gpudbg_fail(err, "no-source", "%s %s, so no line %" PRIu32 "; an address is written *0x...",
                ev->loaded->image->path, image_no_lines(ev->loaded->image), line);
        struct code_places places;
        if (!line_places(ev, file, line, &places, err)) return false;
        *addr = places.addr[0];
        location_places_free(&places);
        return true;
    }
    return expr_number(ev, text, addr, err);
}

/* ---- All addresses of a place ---- */

void location_places_free(struct code_places *p)
{
    free(p->addr);
    *p = (struct code_places){0};
}

/* Behind the prologue of the function at [entry, end): the row that says so, else, where `second`, the next statement
 * behind the first; entry, where its rows say neither. */
static uint64_t behind_prologue(const struct gpudbg_image *image, uint64_t entry, uint64_t end, bool second)
{
    uint64_t next = entry;
    unsigned at_entry = 0;
    const struct gpudbg_line *row = gpudbg_image_line(image, entry);
    while (row && row > image->lines && row[-1].addr == entry) row--;
    for (; row && row < image->lines + image->nlines && row->addr < end; row++) {
        if (row->file && row->addr >= entry && row->flags & GPUDBG_LINE_READY) return row->addr;
        if (!row->file || row->flags & GPUDBG_LINE_INSIDE) continue;
        at_entry += row->addr == entry;
        if (next == entry && row->addr > entry) next = row->addr;
    }
    return second && at_entry < 2 ? next : entry; /* two rows at the entry: the prologue is empty */
}

struct found {
    const struct gpudbg_image *image;
    struct code_places *places;
    bool full;
};

static void add_copy(void *to, const struct function_copy *copy)
{
    struct found *f = to;
    const uint64_t at = copy->inlined ? copy->entry : behind_prologue(f->image, copy->entry, copy->end, true);
    f->full = !add_place(f->places, at) || f->full;
}

static bool is_name(const char *text)
{
    if (!*text || isdigit((unsigned char)*text)) return false;
    while (isalnum((unsigned char)*text) || *text == '_') text++;
    return !*text;
}

/* Every copy of a function; a symbol without debug information is one copy. */
static void function_places(struct eval *ev, const char *name, struct found *f)
{
    const struct gpudbg_symbol *s = gpudbg_image_find(f->image, name);
    scopes_each_copy(f->image, name, add_copy, f);
    if (!f->places->n && s && (s->kind == GPUDBG_SYM_FUNCTION || s->kind == GPUDBG_SYM_KERNEL))
        add_place(f->places, behind_prologue(f->image, s->addr, function_end(ev->loaded->image, s), false));
}

bool location_places(struct eval *ev, const char *text, struct code_places *p, struct gpudbg_error *err)
{
    char copy[1024];
    const char *file;
    uint32_t line;
    uint64_t addr;
    *p = (struct code_places){0};
    if (!eval_need_image(ev, err)) return false;
    while (isspace((unsigned char)*text)) text++;
    snprintf(copy, sizeof copy, "%s", text);
    struct found found = {ev->loaded->image, p, false};
    if (is_name(copy)) function_places(ev, copy, &found);
    if (found.full) {
        location_places_free(p);
        return gpudbg_fail(err, "too-large", "%s is at more than %d addresses", text, PLACES_MOST);
    }
    if (p->n) return true;
    if (*copy != '*' && is_line(ev, copy, &file, &line) && file) return line_places(ev, file, line, p, err);
    if (!location_addr(ev, text, &addr, err)) return false;
    add_place(p, addr);
    return true;
}

static void all_code(const struct gpudbg_image *image, uint64_t *from, uint64_t *to)
{
    bool raw = image->kind && strcmp(image->kind, "raw") == 0;
    *from = UINT64_MAX;
    *to = 0;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_LOADED) || !s->size || (!raw && !(s->flags & GPUDBG_CODE_BYTES))) continue;
        *from = s->addr < *from ? s->addr : *from;
        *to = s->addr + s->size > *to ? s->addr + s->size : *to;
    }
    if (*from > *to) *from = *to;
}

/* In a range a bare number is an address, never a line. */
static bool range_addr(struct eval *ev, const char *text, uint64_t *addr, struct gpudbg_error *err)
{
    size_t digits = strspn(text, "0123456789");
    return digits && !text[digits] ? expr_number(ev, text, addr, err) : location_addr(ev, text, addr, err);
}

static bool any_loaded(const struct gpudbg_image *image, uint64_t from, uint64_t to)
{
    bool any = gpudbg_image_at(image, from);
    for (size_t i = 0; i < image->nsections && !any; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        any = s->addr >= from && s->addr < to && gpudbg_image_at(image, s->addr);
    }
    return any;
}

bool location_range(struct eval *ev, const char *text, uint64_t *from, uint64_t *to, struct gpudbg_error *err)
{
    char first[512];
    if (!eval_need_image(ev, err)) return false;
    if (!*text) {
        all_code(ev->loaded->image, from, to);
        return true;
    }
    const char *comma = strchr(text, ',');
    snprintf(first, sizeof first, "%.*s", (int)(comma ? comma - text : (long)strlen(text)), text);
    if (!range_addr(ev, first, from, err)) return false;
    if (!comma) {
        const struct gpudbg_symbol *s = gpudbg_image_symbol_at(ev->loaded->image, *from);
        const struct gpudbg_section *section = gpudbg_image_at(ev->loaded->image, *from);
        if (!section)
            return gpudbg_fail(err, "out-of-range", "%s has no code at 0x%" PRIx64, ev->loaded->image->path, *from);
        *to = s ? function_end(ev->loaded->image, s) : section->addr + section->size;
        *from = s ? s->addr : section->addr;
        return true;
    }
    comma += 1 + strspn(comma + 1, " ");
    bool size = *comma == '+';
    if (!range_addr(ev, comma + size, to, err)) return false;
    if (size) *to = *to > UINT64_MAX - *from ? UINT64_MAX : *from + *to;
    if (*to <= *from)
        return gpudbg_fail(err, "out-of-range", "0x%" PRIx64 ",0x%" PRIx64 ": an empty range", *from, *to);
    if (!any_loaded(ev->loaded->image, *from, *to))
        return gpudbg_fail(
            err, "out-of-range", "%s has no code at 0x%" PRIx64 ",0x%" PRIx64, ev->loaded->image->path, *from, *to);
    return true;
}
