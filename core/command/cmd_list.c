/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Source and places: list, info line, info symbol. */
#include <inttypes.h>
#include "eval/location.h"
#include "eval/source_file.h"
#include "image/image.h"
#include "out/pieces.h"
#include "out/say.h"
#include "session/command.h"
#include "session/session.h"

#define LIST_LINES 10 /* unless `set listsize` says another number */

static uint32_t list_lines(const struct gpudbg *g)
{
    return g->settings.list_size ? (uint32_t)g->settings.list_size : LIST_LINES;
}

static void list_line(
    struct gpudbg *g, struct gpudbg_out *out, const char *file, uint32_t n, const char *text, size_t len)
{
    const struct gpudbg_line *here = location_row(&g->eval);
    bool current = here && here->line == n && strcmp(here->file, file) == 0;
    char line[2048]; /* a longer line of source is cut */
    snprintf(line, sizeof line, "%.*s", (int)(len < sizeof line ? len : sizeof line - 1), text);
    RECORD(out, "source", "{mark}{line:5}  {text}\n", STRING("file", file), NUMBER("line", n), STRING("text", line),
        FLAG("current", current), TEXT("mark", current ? ">" : " "));
}

/* "3,6" "3," ",6": from a line to a line; ten of them where one is missing. */
static bool list_from_to(
    struct gpudbg *g, char *text, const char **file, uint32_t *first, uint32_t *end, struct gpudbg_error *err)
{
    char *to = strchr(text, ',');
    const char *other = NULL;
    *to++ = 0;
    text[strcspn(text, " \t")] = 0;
    to += strspn(to, " \t");
    if (!*text && !*to) return gpudbg_fail(err, "usage", "a line before or after the comma is missing");
    if ((*text && !location_line(&g->eval, text, file, first, err)) ||
        (*to && !location_line(&g->eval, to, &other, end, err)))
        return false;
    if (*text && *to && strcmp(*file, other) != 0)
        return gpudbg_fail(err, "usage", "lines of two files: %.100s and %.100s", *file, other);
    if (!*text) {
        *file = other;
        *first = *end >= list_lines(g) ? *end - list_lines(g) + 1 : 1;
    }
    *end = *to ? *end + 1 : *first + list_lines(g);
    return *first < *end ||
           gpudbg_fail(err, "out-of-range", "line %" PRIu32 " is before line %" PRIu32, *end - 1, *first);
}

/* The lines that are asked for, from *first on, *end not included. */
static bool list_range(
    struct gpudbg *g, const char *where, const char **file, uint32_t *first, uint32_t *end, struct gpudbg_error *err)
{
    char text[1024];
    const bool back = strcmp(where, "-") == 0;
    *file = g->selection.listed.file;
    if (back && *file) {
        *end = g->selection.listed.first;
        *first = *end > list_lines(g) ? *end - list_lines(g) : 1;
        return *end > 1 || gpudbg_fail(err, "out-of-range", "nothing is before line 1 of %s", *file);
    }
    *first = g->selection.listed.line;
    if (*where || !*file) {
        if (back || !*where)
            snprintf(text, sizeof text, "*0x%" PRIx64, location_here(&g->eval));
        else
            snprintf(text, sizeof text, "%s", where);
        if (strchr(text, ',')) return list_from_to(g, text, file, first, end, err);
        if (!location_line(&g->eval, text, file, first, err)) return false;
        *first = *first > list_lines(g) / 2 ? *first - list_lines(g) / 2 : 1;
    }
    *end = *first + list_lines(g);
    return true;
}

static bool run_list(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct source source = {0};
    const char *file;
    uint32_t line, end;
    size_t len;
    if (!list_range(g, gpudbg_args_rest(a), &file, &line, &end, err)) return false;
    const uint32_t first = line;
    if (!source_open(&source, &g->loaded, file)) {
        source_close(&source);
        return source_missing(file, err);
    }
    const char *text = source_line(&source, line, &len);
    bool any = text;
    for (; text && line < end; text = source_line(&source, ++line, &len)) list_line(g, out, file, line, text, len);
    g->selection.listed.file = file;
    g->selection.listed.first = first;
    g->selection.listed.line = line;
    size_t lines = source.nlines;
    source_close(&source);
    return any || gpudbg_fail(err, "out-of-range", "%s has %zu lines", file, lines);
}

static const struct gpudbg_command list = {
    .name = "list",
    .aliases = "l",
    .usage = "[PLACE | FIRST,LAST | -]",
    .summary = "show source lines",
    .help = "list PLACE       ten lines around a place: LINE, FILE:LINE, SYMBOL or *ADDR\n"
            "list FIRST,LAST  these lines; `list 20,` shows ten lines from 20, `list ,20` ten lines up to 20\n"
            "list -           the ten lines before those shown last\n"
            "list             the next ten lines\n"
            "gpudbg looks for the source file in the folders of `directory`, then beside the loaded file;\n"
            "`info source` shows which file it opened.",
    .family = "Code",
    .run = run_list,
    .complete = complete_symbol,
};

/* ---- info line, info symbol ---- */

static bool run_info_line(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *where = gpudbg_args_rest(a);
    uint64_t addr = location_here(&g->eval);
    char at[256];
    if (!eval_need_image(&g->eval, err) || (*where && !location_addr(&g->eval, where, &addr, err))) return false;
    if (!*where && g->running.machine && !eval_need_running(&g->eval, err)) return false;
    const struct gpudbg_line *row = gpudbg_image_line(g->loaded.image, addr);
    image_where(g->loaded.image, addr, at, sizeof at);
    if (!row) return gpudbg_fail(err, "no-source", "no source line for 0x%" PRIx64 " (%s)", addr, at);
    RECORD(out, "line", "{addr} <{where}> is {file}:{line}\n", HEX("addr", addr), STRING("where", at),
        STRING("file", row->file), NUMBER("line", row->line), IF(row->column, NUMBER("column", row->column)));
    return true;
}

static const struct gpudbg_command info_line = {
    .name = "info line",
    .usage = "[LINE | FILE:LINE | SYMBOL | *ADDR]",
    .summary = "show the source line of a place and its addresses",
    .family = "Code",
    .run = run_info_line,
    .complete = complete_symbol,
};

static bool run_info_symbol(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char at[256];
    uint64_t addr;
    if (!eval_need_image(&g->eval, err)) return false;
    if (!*gpudbg_args_rest(a)) return gpudbg_fail(err, "usage", "an address is missing");
    if (!gpudbg_evaluate(g, gpudbg_args_rest(a), &addr, err)) return false;
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(g->loaded.image, addr);
    const struct gpudbg_section *section = gpudbg_image_at(g->loaded.image, addr);
    if (!symbol) return gpudbg_fail(err, "out-of-range", "no symbol covers 0x%" PRIx64, addr);
    image_where(g->loaded.image, addr, at, sizeof at);
    RECORD(out, "symbol-at", "{addr} is {where} in {section|no section}\n", HEX("addr", addr), STRING("where", at),
        STRING("name", symbol->name), HEX("symbol", symbol->addr), STRING("section", section ? section->name : NULL));
    return true;
}

static const struct gpudbg_command info_symbol = {
    .name = "info symbol",
    .usage = "ADDR",
    .summary = "show the symbol that an address belongs to",
    .family = "Code",
    .run = run_info_symbol,
    .complete = complete_expression,
};

static const struct gpudbg_command *const commands[] = {&list, &info_line, &info_symbol, NULL};
COMMAND_FAMILY(cmd_list, "list", .summary = "source and places", .commands = commands);
