/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory as a whole: find; restore FILE binary. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command/cmd_memory.h"
#include "eval/search.h"
#include "eval/show.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"

#define FILE_MOST ((size_t)1 << 30)

/* ---- restore FILE binary ---- */

bool restore_is_binary(const char *rest)
{
    const char quote = *rest == '"' || *rest == '\'' ? *rest++ : 0;
    while (*rest && (quote ? *rest != quote : !isspace((unsigned char)*rest))) rest++;
    rest += quote && *rest;
    rest += strspn(rest, " \t");
    return strncmp(rest, "binary", 6) == 0 && (!rest[6] || isspace((unsigned char)rest[6]));
}

/* The bytes of the file from `start` to `end`, as one edit, so that going back in time undoes it. */
bool restore_binary(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    unsigned space;
    uint64_t addr, start = 0, end = UINT64_MAX;
    char path[4096], where[300];
    snprintf(path, sizeof path, "%s", args_need(a, "a file", err));
    gpudbg_args_word(a); /* "binary" */
    const char *to = args_need(a, "the address to load it at", err);
    if (!to || !eval_need_machine(&g->eval, err) || !expr_place(&g->eval, to, &space, &addr, err)) return false;
    if (*gpudbg_args_rest(a) && !gpudbg_args_number(a, &start, err)) return false;
    if (*gpudbg_args_rest(a) && !gpudbg_args_number(a, &end, err)) return false;
    if (!args_end(a, err)) return false;
    size_t n = 0;
    char *bytes = gpudbg_read_file(g, path, FILE_MOST, &n, err);
    if (!bytes) {
        char why[sizeof err->message];
        snprintf(why, sizeof why, "%s", err->message);
        return gpudbg_fail(err, err->kind, "%.200s: %.200s", path, why);
    }
    if (end == UINT64_MAX) end = n;
    bool ok = (start < end && end <= n) ||
              gpudbg_fail(err, "out-of-range", "%.200s: bytes 0x%" PRIx64 " to 0x%" PRIx64 ": it has 0x%zx", path,
                  start, end, n);
    ok = ok && machine_set_memory(
                   g->running.machine, g->selection.wave, space, addr, bytes + start, (size_t)(end - start), err);
    free(bytes);
    if (!ok) return false;
    show_address(&g->eval, space, addr, where, sizeof where);
    RECORD(out, "loaded", "{file}: {size} byte{size:s} at {where}\n", STRING("file", path), NUMBER("size", end - start),
        STRING("space", g->running.machine->space[space].name), HEX("addr", addr), TEXT("where", where));
    return true;
}

/* ---- find ---- */

struct finding {
    struct gpudbg *g;
    struct gpudbg_out *out;
    unsigned space;
    uint64_t last, n, most;
};

static bool found(void *data, uint64_t addr)
{
    struct finding *f = data;
    char where[300];
    f->last = addr;
    f->n++;
    show_address(&f->g->eval, f->space, addr, where, sizeof where);
    RECORD(f->out, "match", "{where}\n",
        STRING("space", f->g->running.machine ? f->g->running.machine->space[f->space].name : "file"),
        HEX("addr", addr), TEXT("where", where));
    return f->n < f->most && !out_broken(f->out);
}

/* "/w3", "/3w": the letter of a size, a count, both or neither. */
static bool find_format(const char *format, unsigned *size, uint64_t *most, struct gpudbg_error *err)
{
    static const char letters[] = "bhwg";
    *size = 0;
    *most = UINT64_MAX;
    for (const char *at = format; *at;) {
        const char *letter = strchr(letters, *at);
        char *end = (char *)at;
        if (isdigit((unsigned char)*at)) *most = strtoull(at, &end, 10);
        if (letter) *size = 1u << (letter - letters);
        if ((!letter && end == at) || !*most)
            return gpudbg_fail(err, "usage", "/%s: find takes b, h, w or g (1, 2, 4 or 8 bytes) and a count", format);
        at = letter ? at + 1 : end;
    }
    return true;
}

/* Cuts the text before the next comma that is in no brackets; NULL: there is none. */
static char *cut_part(char **at)
{
    int depth = 0;
    for (char *p = *at; *p; p++) {
        depth += *p == '(' || *p == '[' ? 1 : *p == ')' || *p == ']' ? -1 : 0;
        if (*p != ',' || depth > 0) continue;
        char *part = *at;
        *p = 0;
        *at = p + 1 + strspn(p + 1, " ");
        return part;
    }
    return NULL;
}

/* START and +LENGTH or the last byte's address; END "" is the end of the buffer. */
static bool find_range(
    struct gpudbg *g, char *from, char *to, unsigned *space, uint64_t *first, uint64_t *end, struct gpudbg_error *err)
{
    uint64_t n;
    unsigned its;
    if (!expr_place(&g->eval, from, space, first, err)) return false;
    if (*to == '+') {
        if (!expr_number(&g->eval, to + 1, &n, err)) return false;
        *end = *first + n;
        return (n && *end > *first) || gpudbg_fail(err, "out-of-range", "the length must be at least 1");
    }
    if (!expr_place(&g->eval, to, &its, end, err)) return false;
    return (*end >= *first && ++*end) ||
           gpudbg_fail(
               err, "out-of-range", "the last byte, 0x%" PRIx64 ", is before the first, 0x%" PRIx64, *end, *first);
}

static bool run_find(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct finding f = {g, out, 0, 0, 0, 0};
    unsigned size;
    uint64_t first, end;
    char *at = (char *)gpudbg_args_rest(a);
    if (!find_format(gpudbg_args_format(a), &size, &f.most, err)) return false;
    char *from = cut_part(&at), *to = from ? cut_part(&at) : NULL;
    if (!to) return gpudbg_fail(err, "usage", "find needs START, END or +LENGTH, and values: find a, +1024, 1.5");
    struct search s;
    if (!find_range(g, from, to, &f.space, &first, &end, err) ||
        !search_open(&s, &g->eval, &g->ticker, g->settings.memory_limit, at, size, err))
        return false;
    const bool ok = search_run(&s, &g->eval, &g->ticker, f.space, first, first, end, found, &f, err);
    const struct value_type type = {VALUE_UNSIGNED, (uint8_t)(8 * s.element)};
    search_close(&s);
    const struct value count = value_unsigned(f.n, 64);
    struct gpudbg_error ignored = {0};
    value_set_variable(&g->eval, "numfound", &count, &ignored);
    if (f.n) value_shown(&g->eval, f.space, f.last, type);
    if (ok)
        RECORD(out, "matches", "[{!none}{count} pattern{count:s} found.\n][Pattern not found.\n{none}]",
            NUMBER("count", f.n), TEXT_ONLY(FLAG("none", !f.n)));
    return ok;
}

static const struct gpudbg_command find = {
    .name = "find",
    .usage = "[/SIZE COUNT] START, END|+LENGTH, VALUE[, VALUE]...",
    .summary = "look for values in memory",
    .help = "    find a, +4096, 1.5                  a float\n"
            "    find/h a, +4096, 7                  two bytes\n"
            "    find lds:0, lds:1023, 1, 2          two words, one after the other\n"
            "    find a, +4096, \"abc\"                text\n"
            "    find a, +4096, hex:00ff             bytes in memory order\n"
            "    find a, +4096, nan                  a float that is not a number; /h and /g: of 2 and 8 bytes\n"
            "    find a, +4096, nonzero              an element that is not zero\n"
            "    find c, +4096, differs want.bin     an element that differs from a file's\n"
            "END is the address of the last byte.  SIZE is b h w g: 1, 2, 4 or 8 bytes a value; otherwise a value has\n"
            "the size of its type, and a plain number 4 bytes.  COUNT is the largest number of places.  $_ is then\n"
            "the last address that was found, and $numfound how many there were.",
    .family = "Data",
    .run = run_find,
    .complete = complete_expression,
};

static const struct gpudbg_command *const commands[] = {&find, NULL};
COMMAND_FAMILY(cmd_memory, "memory", .summary = "the command find", .commands = commands);
