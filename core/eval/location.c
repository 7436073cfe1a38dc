/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Places in code and lines of source; see location.h. */
#include "eval/location.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/expr.h"
#include "machine/machine.h"

#define SOURCE_MAX (16u << 20)

uint64_t location_here(struct eval *ev)
{
    struct machine_wave_info info;
    if (!ev->running->machine) return ev->selection->cursor;
    machine_wave_info(ev->running->machine, ev->selection->wave, &info);
    return info.pc;
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

/* The lowest address of that line, or of the next one that has code. */
static bool line_addr(struct eval *ev, const char *file, uint32_t line, uint64_t *addr, struct gpudbg_error *err)
{
    const struct gpudbg_line *best = NULL;
    for (size_t i = 0; i < ev->loaded->image->nlines; i++) {
        const struct gpudbg_line *row = &ev->loaded->image->lines[i];
        if (!row->file || row->line < line || !same_file(row->file, file)) continue;
        if (!best || row->line < best->line) best = row;
    }
    if (!best) return gpudbg_fail(err, "out-of-range", "no code for %s:%" PRIu32 " or behind it", file, line);
    *addr = best->addr;
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
        return gpudbg_fail(err, "no-source", "%s has no line table", ev->loaded->image->path);
    if (!location_addr(ev, text, &addr, err)) return false;
    const struct gpudbg_line *row = gpudbg_image_line(ev->loaded->image, addr);
    if (!row) return gpudbg_fail(err, "no-source", "no source line for 0x%" PRIx64, addr);
    *file = row->file;
    *line = row->line;
    return true;
}

/* ---- Addresses ---- */

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
            return gpudbg_fail(err, "no-source",
                "%s has no line table, so no line %" PRIu32 "; an address is written *0x...", ev->loaded->image->path,
                line);
        return line_addr(ev, file, line, addr, err);
    }
    return expr_number(ev, text, addr, err);
}

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
            return gpudbg_fail(err, "out-of-range", "nothing of %s is at 0x%" PRIx64, ev->loaded->image->path, *from);
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
            err, "out-of-range", "nothing of %s is at 0x%" PRIx64 ",0x%" PRIx64, ev->loaded->image->path, *from, *to);
    return true;
}

/* ---- Source ---- */

static char *read_text(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *text = xrealloc(NULL, SOURCE_MAX + 1, 1);
    *size = fread(text, 1, SOURCE_MAX, f);
    fclose(f);
    return xrealloc(text, *size + 1, 1);
}

void source_close(struct source *s)
{
    free(s->text);
    free(s->line);
    *s = (struct source){0};
}

bool source_open(struct source *s, const struct gpudbg_image *image, const char *file)
{
    char path[2048];
    if (s->file == file) return s->text != NULL;
    source_close(s);
    s->file = file;
    s->text = read_text(file, &s->size);
    if (!s->text) {
        const char *slash = strrchr(image->path, '/'), *base = strrchr(file, '/');
        snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - image->path + 1) : 0, image->path,
            base ? base + 1 : file);
        s->text = read_text(path, &s->size);
    }
    if (!s->text) return false;
    size_t lines = 1;
    for (size_t i = 0; i < s->size; i++) lines += s->text[i] == '\n';
    s->line = xcalloc(lines + 1, sizeof *s->line);
    s->line[s->nlines++] = 0;
    for (size_t i = 0; i < s->size; i++)
        if (s->text[i] == '\n' && i + 1 < s->size) s->line[s->nlines++] = (uint32_t)(i + 1);
    return true;
}

const char *source_line(const struct source *s, uint32_t n, size_t *len)
{
    if (!s->text || n < 1 || n > s->nlines) return NULL;
    size_t from = s->line[n - 1], to = n < s->nlines ? s->line[n] : s->size;
    while (to > from && (s->text[to - 1] == '\n' || s->text[to - 1] == '\r')) to--;
    *len = to - from;
    return s->text + from;
}

void source_print(const struct gpudbg_image *image, const char *file, uint32_t line, struct gpudbg_out *out)
{
    struct source source = {0};
    size_t len;
    if (gpudbg_out_json(out)) return;
    source_open(&source, image, file);
    const char *text = source_line(&source, line, &len);
    if (text) gpudbg_out_print(out, "%" PRIu32 "  %.*s\n", line, (int)len, text);
    source_close(&source);
}
