/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where code is: files of the source, and for code without source a listing that the client shows in its place. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/shown.h"
#include "code/code_names.h"
#include "code/records.h"
#include "code/walk.h"
#include "dap/client.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "machine/machine.h"

#define SOURCES_MOST 10000               /* that are listed */
#define LISTING_MOST ((uint64_t)4 << 20) /* bytes of code in a listing */
#define INSN_TEXT 1024

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ---- Listings ---- */

static void listing_free(struct dap_listing *l)
{
    free(l->text);
    free(l->addr);
}

void d_listings_free(struct dap *d)
{
    for (size_t i = 0; i < d->nlistings; i++) listing_free(&d->listing[i]);
    free(d->listing);
    d->listing = NULL;
    d->nlistings = 0;
    sources_close(&d->sources);
}

static void add_line(struct dap_listing *l, uint64_t addr)
{
    if ((l->nlines & (l->nlines - 1)) == 0) l->addr = xrealloc(l->addr, l->nlines ? 2 * l->nlines : 1, sizeof *l->addr);
    l->addr[l->nlines++] = addr;
}

/* The text of an instruction, or of data. */
static void insn_text(struct dap *d, const struct gpudbg_insn *insn, bool is_insn, const struct gpudbg_names *names,
    char *buf, size_t size)
{
    const int n = is_insn ? insn->isa->text(
                                insn, settings_syntax(&d->g->settings, insn->isa), GPUDBG_READABLE, names, buf, size)
                          : data_text(insn->raw, insn->size, buf, size);
    if (n < 0 && is_insn) snprintf(buf, size, "?");
}

static bool fill_listing(struct dap *d, struct dap_listing *l, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = d->g->loaded.image;
    struct code_names names;
    struct code_walk walk;
    struct gpudbg_insn insn;
    size_t size, target = 0;
    FILE *text = open_memstream(&l->text, &size);
    if (!text) return gpudbg_fail(err, "memory", "no memory for a listing");
    if (!code_names_open(&names, image, l->from, l->to, NULL, &d->g->ticker, err)) {
        fclose(text);
        return false;
    }
    code_walk_open(&walk, image, l->from, l->to);
    while (code_walk_next(&walk, &insn)) {
        char line[INSN_TEXT];
        const struct gpudbg_symbol *symbol = code_symbol(image, insn.addr);
        while (target < names.ntargets && names.targets[target] < insn.addr) target++;
        const bool label = target < names.ntargets && names.targets[target] == insn.addr;
        if (symbol)
            shown_print(text, "%s:\n", symbol->name);
        else if (label)
            fprintf(text, "L%04" PRIx64 ":\n", insn.addr);
        if (symbol || label) add_line(l, UINT64_MAX);
        insn_text(d, &insn, walk.is_insn, &names.names, line, sizeof line);
        shown_print(text, "  %04" PRIx64 "  %s\n", insn.addr, line);
        add_line(l, insn.addr);
    }
    code_names_close(&names);
    return fclose(text) == 0 || gpudbg_fail(err, "memory", "no memory for a listing");
}

/* The number, from 1, of the listing that has the address; 0: none can be made. */
static size_t listing_at(struct dap *d, uint64_t pc)
{
    struct gpudbg_error ignored = {0};
    struct dap_listing l = {0};
    char text[24];
    for (size_t i = 0; i < d->nlistings; i++)
        if (pc >= d->listing[i].from && pc < d->listing[i].to) return i + 1;
    snprintf(text, sizeof text, "0x%" PRIx64, pc);
    if (!d->g->loaded.image || !location_range(&d->g->eval, text, &l.from, &l.to, &ignored)) return 0;
    if (l.to - l.from > LISTING_MOST) { /* part of much code without functions */
        if (pc - l.from > LISTING_MOST / 2) l.from = pc;
        if (l.to - l.from > LISTING_MOST) l.to = l.from + LISTING_MOST;
    }
    if (!fill_listing(d, &l, &ignored)) {
        listing_free(&l);
        return 0;
    }
    d->listing = xrealloc(d->listing, d->nlistings + 1, sizeof *d->listing);
    d->listing[d->nlistings++] = l;
    return d->nlistings;
}

/* The line, from 1, of an address in a listing; 0: it is not there. */
static size_t listing_line(const struct dap_listing *l, uint64_t pc)
{
    for (size_t i = 0; i < l->nlines; i++)
        if (l->addr[i] == pc) return i + 1;
    return 0;
}

static json_t *listing_source(struct dap *d, size_t number)
{
    char name[300];
    image_where(d->g->loaded.image, d->listing[number - 1].from, name, sizeof name - 16);
    struct text t = text_behind(name, sizeof name);
    text_add(&t, ".asm");
    return json_pack(
        "{s:o, s:I, s:s}", "name", d_text(name), "sourceReference", (json_int_t)number, "origin", "disassembly");
}

/* ---- Places ---- */

static json_t *file_source(struct dap *d, const char *file)
{
    const struct source *s = sources_of(&d->sources, &d->g->loaded, file);
    char path[PATH_MAX];
    const char *known = s->path && realpath(s->path, path) ? path : file;
    return json_pack("{s:o, s:o}", "name", d_text(last_part(file)), "path", d_text(known));
}

void d_place(struct dap *d, json_t *to, uint64_t pc, const char *file, uint32_t line, bool listed)
{
    const int first = d->line0 ? 0 : 1;
    const bool there = file && line && sources_of(&d->sources, &d->g->loaded, file)->text;
    const size_t number = !there && listed ? listing_at(d, pc) : 0;
    const size_t at = number ? listing_line(&d->listing[number - 1], pc) : 0;
    if (at) {
        json_object_set_new(to, "source", listing_source(d, number));
        json_object_set_new(to, "line", json_integer((json_int_t)at - 1 + first));
    } else if (file && line) {
        json_object_set_new(to, "source", file_source(d, file));
        json_object_set_new(to, "line", json_integer((json_int_t)line - 1 + first));
    } else {
        json_object_set_new(to, "line", json_integer(0));
    }
    json_object_set_new(to, "column", json_integer(at || (file && line) ? !d->column0 : 0));
}

/* How many parts at the end of two paths are the same. */
static size_t same_parts(const char *a, const char *b)
{
    size_t i = strlen(a), j = strlen(b), parts = 0;
    while (i && j && a[i - 1] == b[j - 1]) {
        parts += a[i - 1] == '/';
        i--, j--;
    }
    const bool whole = (!i || a[i - 1] == '/' || a[i] == '/') && (!j || b[j - 1] == '/' || b[j] == '/');
    return whole ? parts + 1 : parts;
}

/* The file of the line table that the client means by a path; NULL: none. */
static const char *table_file(struct dap *d, const char *path)
{
    const struct gpudbg_image *image = d->g->loaded.image;
    const char *best = NULL, *before = NULL;
    char real[PATH_MAX], its[PATH_MAX];
    size_t most = 0;
    const char *known = realpath(path, real) ? real : path;
    for (size_t i = 0; i < image->nlines; i++) {
        const char *file = image->lines[i].file;
        if (!file || file == before || strcmp(last_part(file), last_part(path)) != 0) continue;
        before = file;
        const struct source *s = sources_of(&d->sources, &d->g->loaded, file);
        if (s->path && realpath(s->path, its) && strcmp(its, known) == 0) return file;
        const size_t parts = same_parts(file, path);
        if (parts <= most) continue;
        most = parts;
        best = file;
    }
    return best;
}

static bool is_listing(const struct dap *d, const json_t *source, size_t *number)
{
    *number = (size_t)d_number_or(source, "sourceReference", 0);
    return *number > 0 && *number <= d->nlistings;
}

bool d_line_places(
    struct dap *d, const json_t *source, json_int_t line, struct code_places *p, struct gpudbg_error *err)
{
    const char *path = d_string(source, "path");
    char text[PATH_MAX + 24];
    size_t number;
    *p = (struct code_places){0};
    if (!eval_need_image(&d->g->eval, err)) return false;
    if (d->line0) line++;
    if (is_listing(d, source, &number)) {
        const struct dap_listing *l = &d->listing[number - 1];
        size_t at = line < 1 ? 0 : (size_t)line - 1;
        while (at < l->nlines && l->addr[at] == UINT64_MAX) at++;
        if (at >= l->nlines)
            return gpudbg_fail(
                err, "out-of-range", "the listing has %zu lines, not %" JSON_INTEGER_FORMAT, l->nlines, line);
        p->addr = xalloc(sizeof *p->addr);
        p->addr[p->n++] = l->addr[at];
        if ((json_int_t)at + 1 != line) p->line = (uint32_t)at + 1;
        return true;
    }
    if (!path) path = d_string(source, "name");
    if (!path) return gpudbg_fail(err, "usage", "the source has neither a \"path\" nor a \"sourceReference\"");
    const char *file = table_file(d, path);
    if (!file)
        return gpudbg_fail(err, "no-such-name",
            d->g->loaded.image->nlines ? "no code of %s is from \"%s\"" : "%s has no source lines, so none of \"%s\"",
            d->g->loaded.image->path, path);
    if (line < 1 || line > INT32_MAX)
        return gpudbg_fail(err, "out-of-range", "%s has no line %" JSON_INTEGER_FORMAT, path, line);
    snprintf(text, sizeof text, "%s:%" JSON_INTEGER_FORMAT, file, line);
    return location_places(&d->g->eval, text, p, err);
}

/* ---- Requests ---- */

bool d_source(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const json_t *source = json_object_get(args, "source");
    size_t number;
    if (is_listing(d, source, &number) || is_listing(d, args, &number)) {
        json_object_set_new(body, "content", d_text(d->listing[number - 1].text));
        json_object_set_new(body, "mimeType", json_string("text/x-asm"));
        return true;
    }
    const char *path = d_string(source, "path");
    const char *file = path && d->g && d->g->loaded.image ? table_file(d, path) : NULL;
    const struct source *s = file ? sources_of(&d->sources, &d->g->loaded, file) : NULL;
    if (!file) return gpudbg_fail(err, "no-such-name", "no source of this name or number");
    if (!s->text) return source_missing(file, err);
    char *text = xstrndup(s->text, s->size);
    json_object_set_new(body, "content", d_text(text));
    free(text);
    return true;
}

bool d_loaded_sources(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = d->g ? d->g->loaded.image : NULL;
    json_t *list = json_array(), *seen = json_object();
    const char *before = NULL;
    (void)args, (void)err;
    for (size_t i = 0; image && i < image->nlines && json_array_size(list) < SOURCES_MOST; i++) {
        const char *file = image->lines[i].file;
        if (!file || file == before) continue;
        before = file;
        json_t *source = file_source(d, file);
        const char *path = d_string(source, "path");
        if (!json_object_get(seen, path)) json_array_append(list, source);
        json_object_set_new(seen, path, json_true());
        json_decref(source);
    }
    json_decref(seen);
    for (size_t i = 0; i < d->nlistings; i++) json_array_append_new(list, listing_source(d, i + 1));
    json_object_set_new(body, "sources", list);
    return true;
}

bool d_modules(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = d->g ? d->g->loaded.image : NULL;
    json_t *list = json_array();
    (void)args, (void)err;
    if (image)
        json_array_append_new(
            list, json_pack("{s:i, s:o, s:o, s:s}", "id", 1, "name", d_text(last_part(image->path)), "path",
                      d_text(image->path), "symbolStatus", image->nlines ? "source lines" : "no source lines"));
    json_object_set_new(body, "totalModules", json_integer((json_int_t)json_array_size(list)));
    json_object_set_new(body, "modules", list);
    return true;
}

static int by_line(const void *a, const void *b)
{
    const json_int_t x = *(const json_int_t *)a, y = *(const json_int_t *)b;
    return (x > y) - (x < y);
}

bool d_breakpoint_locations(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = d->g ? d->g->loaded.image : NULL;
    const json_t *source = json_object_get(args, "source");
    const char *path = d_string(source, "path");
    const int first = d->line0 ? 0 : 1;
    json_int_t line;
    size_t number;
    if (!d_number(args, "line", &line, err)) return false;
    const json_int_t last = d_number_or(args, "endLine", line);
    json_t *list = json_array();
    json_object_set_new(body, "breakpoints", list);
    if (is_listing(d, source, &number)) {
        for (size_t i = 0; i < d->listing[number - 1].nlines; i++) {
            const json_int_t its = (json_int_t)i + first;
            if (its >= line && its <= last && d->listing[number - 1].addr[i] != UINT64_MAX)
                json_array_append_new(list, json_pack("{s:I}", "line", its));
        }
        return true;
    }
    const char *file = image && path ? table_file(d, path) : NULL;
    json_int_t *found = xcalloc(image ? image->nlines + 1 : 1, sizeof *found);
    size_t n = 0;
    for (size_t i = 0; file && i < image->nlines; i++) {
        const struct gpudbg_line *row = &image->lines[i];
        const json_int_t its = (json_int_t)row->line - 1 + first;
        if (row->file && row->line && !(row->flags & GPUDBG_LINE_INSIDE) && its >= line && its <= last &&
            strcmp(row->file, file) == 0)
            found[n++] = its;
    }
    qsort(found, n, sizeof *found, by_line);
    for (size_t i = 0; i < n; i++)
        if (!i || found[i] != found[i - 1]) json_array_append_new(list, json_pack("{s:I}", "line", found[i]));
    free(found);
    return true;
}

/* ---- Disassembly ---- */

/* One that is no instruction: the list must be as long as it was asked for. */
static json_t *no_insn(uint64_t addr)
{
    return json_pack("{s:o, s:s, s:s}", "address", d_hex(addr), "instruction", "??", "presentationHint", "invalid");
}

static json_t *one_insn(struct dap *d, const struct gpudbg_insn *insn, bool is_insn, bool symbols)
{
    const struct gpudbg_image *image = d->g->loaded.image;
    char text[INSN_TEXT], bytes[2 * 64 + 4];
    struct text t = text_in(bytes, sizeof bytes);
    struct code_names names;
    code_names_plain(&names, image);
    insn_text(d, insn, is_insn, &names.names, text, sizeof text);
    code_names_close(&names);
    for (size_t i = 0; i < insn->size && i < 64; i++) text_add(&t, i ? " %02x" : "%02x", insn->raw[i]);
    json_t *one = json_pack(
        "{s:o, s:s, s:o}", "address", d_hex(insn->addr), "instructionBytes", bytes, "instruction", d_text(text));
    const struct gpudbg_symbol *symbol = symbols ? gpudbg_image_symbol_at(image, insn->addr) : NULL;
    if (symbol && symbol->addr == insn->addr) json_object_set_new(one, "symbol", d_text(symbol->name));
    const struct gpudbg_line *row = gpudbg_image_line(image, insn->addr);
    if (row && row->file && row->line) {
        json_object_set_new(one, "location", file_source(d, row->file));
        json_object_set_new(one, "line", json_integer((json_int_t)row->line - d->line0));
    }
    return one;
}

bool d_disassemble(struct dap *d, const json_t *args, json_t *body, struct gpudbg_error *err)
{
    const char *reference = d_string(args, "memoryReference");
    const json_int_t offset = d_number_or(args, "offset", 0);
    const bool symbols = d_bool(args, "resolveSymbols", true);
    json_int_t count, skip = d_number_or(args, "instructionOffset", 0);
    struct code_walk walk;
    struct gpudbg_insn insn;
    unsigned space;
    uint32_t wave;
    uint64_t addr;
    if (!eval_need_image(&d->g->eval, err) || !d_number(args, "instructionCount", &count, err)) return false;
    if (!reference) return gpudbg_fail(err, "usage", "\"memoryReference\" is missing");
    if (!d_reference(d, reference, &space, &addr, &wave, err)) return false;
    if (count < 0 || count > 100000 || skip < -100000 || skip > 100000)
        return gpudbg_fail(err, "out-of-range", "at most 100000 instructions are listed at once");
    addr += (uint64_t)offset;
    json_t *list = json_array();
    json_object_set_new(body, "instructions", list);
    for (; skip < 0 && insn_before(d->g->loaded.image, addr, &insn); skip++) addr = insn.addr;
    const unsigned unit = d->g->loaded.image->isa && d->g->loaded.image->isa->align ? d->g->loaded.image->isa->align
                                                                                    : 4;
    for (; skip < 0 && count; skip++, count--) json_array_append_new(list, no_insn(addr - (uint64_t)(-skip) * unit));
    if (skip < 0) skip = 0;
    code_walk_open(&walk, d->g->loaded.image, addr, UINT64_MAX);
    bool there = gpudbg_image_at(d->g->loaded.image, addr) != NULL;
    for (; count; count--) {
        while (there && skip && (there = code_walk_next(&walk, &insn))) {
            addr = insn.addr + insn.size;
            skip--;
        }
        there = there && code_walk_next(&walk, &insn);
        json_array_append_new(list, there ? one_insn(d, &insn, walk.is_insn, symbols) : no_insn(addr));
        addr = there ? insn.addr + insn.size : addr + unit;
    }
    return true;
}
