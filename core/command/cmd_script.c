/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of commands: define, document, source, quit. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "session/command.h"
#include "out/out.h"
#include "word/registry.h"
#include "session/script.h"
#include "session/session.h"

/* ---- Definitions ---- */

static void define_free(struct define *d)
{
    lines_free(&d->lines);
    free(d->name);
    free(d->doc);
    free(d);
}

void defines_free(struct define *first)
{
    for (struct define *d = first, *next; d; d = next) {
        next = d->next;
        define_free(d);
    }
}

const struct define *define_next(const struct gpudbg *g, const struct define *after)
{
    return after ? after->next : g->defines;
}

static struct define *define_named(const struct gpudbg *g, const char *name)
{
    struct define *d = g->defines;
    while (d && strcmp(d->name, name) != 0)
        d = d->next;
    return d;
}

/* An older one of the same name keeps its place and what is said of it. */
static bool end_define(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct define **at = &g->defines;
    (void)out;
    while (*at && strcmp((*at)->name, b->head) != 0)
        at = &(*at)->next;
    if (!*at) {
        struct define *d = calloc(1, sizeof *d);
        if (!d || !(d->name = strdup(b->head))) {
            free(d);
            return gpudbg_fail(err, "command", "out of memory");
        }
        *at = d;
    }
    lines_free(&(*at)->lines);
    (*at)->lines = b->lines;
    b->lines = (struct line_list){0};
    return true;
}

#define DOC_MAX 65536

static bool end_document(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct define *d = define_named(g, b->head);
    size_t n = 0, size = 1;
    (void)out;
    for (size_t i = 0; i < b->lines.n; i++)
        size += strlen(b->lines.line[i]) + 1;
    char *doc = d && size <= DOC_MAX ? malloc(size) : NULL;
    if (!doc)
        return gpudbg_fail(err, "command", "document %s: %s", b->head, d ? "too long" : "no such command now");
    *doc = 0;
    for (size_t i = 0; i < b->lines.n; i++) {
        const char *line = b->lines.line[i] + strspn(b->lines.line[i], " \t");
        n += (size_t)sprintf(doc + n, "%s%s", i ? "\n" : "", line);
    }
    free(d->doc);
    d->doc = doc;
    return true;
}

#define WORDS_MAX 10 /* that have a name; $argc counts them all */

/* The line with $argc and $arg0 to $arg9 replaced by the words given. */
static bool substituted(const char *line, const char *const *words, size_t nwords, char *buf, size_t size)
{
    size_t n = 0;
    while (*line && n + 1 < size) {
        if (strncmp(line, "$argc", 5) == 0 && !isalnum((unsigned char)line[5])) {
            n += (size_t)snprintf(buf + n, size - n, "%zu", nwords);
            line += 5;
        } else if (strncmp(line, "$arg", 4) == 0 && isdigit((unsigned char)line[4]) &&
                   !isalnum((unsigned char)line[5])) {
            size_t i = (size_t)(line[4] - '0');
            n += (size_t)snprintf(buf + n, size - n, "%s", i < nwords ? words[i] : "");
            line += 5;
        } else {
            buf[n++] = *line++;
        }
    }
    if (n >= size)
        return false;
    buf[n] = 0;
    return !*line;
}

#define LINE_SIZE 65536
#define RUN_SIZE (16 << 20)

/* The lines to run: a copy, for the definition may be replaced by one of its own commands. */
static bool substitute_all(const struct define *d, const char *const *words, size_t nwords, struct line_list *lines, struct gpudbg_error *err)
{
    char *line = malloc(LINE_SIZE);
    bool ok = line || gpudbg_fail(err, "command", "out of memory");
    for (size_t i = 0, size = 0; ok && i < d->lines.n; i++) {
        ok = substituted(d->lines.line[i], words, nwords, line, LINE_SIZE) ||
             gpudbg_fail(err, "command", "line %zu: too long", i + 1);
        size += ok ? strlen(line) : 0;
        ok = ok && (size <= RUN_SIZE || gpudbg_fail(err, "command", "%s: with these words its lines have more than %d bytes", d->name, RUN_SIZE));
        ok = ok && lines_add(lines, line, err);
    }
    free(line);
    return ok;
}

bool define_run(struct gpudbg *g, const struct define *d, const char *text, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    struct gpudbg_args a;
    struct line_list lines = {0};
    const char *words[WORDS_MAX];
    size_t nwords = 0;
    const char *word;
    const unsigned loops = g->script->loops;
    if (!args_open(&a, &g->eval, text, err))
        return false;
    for (; (word = gpudbg_args_word(&a)); nwords++)
        if (nwords < WORDS_MAX)
            words[nwords] = word;
    g->script->loops = 0; /* one around it is not left from inside */
    bool ok = substitute_all(d, words, nwords, &lines, err) && lines_run(g, &lines, 0, lines.n, out, err);
    g->script->loops = loops;
    g->script->behind = 0;
    lines_free(&lines);
    args_close(&a);
    return ok;
}

#define DEFINES_MOST 4096 /* each name is compared with all */

static bool run_define(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct block block = {.end = end_define};
    const char *name = args_need(a, "a name", err);
    (void)out;
    if (!name || !args_end(a, err))
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return gpudbg_fail(err, "command", "\"%.40s\": a name is letters, digits, - and _", name);
    if (strlen(name) > 40)
        return gpudbg_fail(err, "command", "\"%.60s\": a name of more than 40 letters", name);
    if (command_own(g, name))
        return gpudbg_fail(err, "command", "\"%s\" is a command of gpudbg's own", name);
    size_t n = 0;
    for (const struct define *d = g->defines; d; d = d->next)
        n++;
    if (n >= DEFINES_MOST)
        return gpudbg_fail(err, "command", "%s: more than %d defined commands", name, DEFINES_MOST);
    snprintf(block.title, sizeof block.title, "define %s", name);
    return block_begin(g, &block, name, err);
}

static const struct gpudbg_command define = {
    .name = "define", .usage = "NAME", .summary = "define a command: lines follow, up to `end`",
    .help = "In the lines $arg0 to $arg9 stand for the words behind the name, $argc for how many there are.",
    .family = "Scripts", .run = run_define,
};

static bool run_document(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct block block = {.end = end_document, .text = true};
    const char *name = args_need(a, "a name", err);
    (void)out;
    if (!name || !args_end(a, err))
        return false;
    if (!define_named(g, name))
        return gpudbg_fail(err, "command", "no defined command \"%.40s\"", name);
    snprintf(block.title, sizeof block.title, "document %s", name);
    return block_begin(g, &block, name, err);
}

static const struct gpudbg_command document = {
    .name = "document", .usage = "NAME", .summary = "say what a defined command does: lines follow, up to `end`",
    .family = "Scripts", .run = run_document,
};

/* ---- source, quit ---- */

static bool run_source(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *path = args_need(a, "a script", err);
    if (!path || !args_end(a, err))
        return false;
    if (g->sealed)
        return gpudbg_fail(err, "command", "scripts are closed here");
    FILE *f = fopen(path, "r");
    if (!f)
        return gpudbg_fail(err, errno == ENOENT ? "missing" : "io", "%s: %s", path, strerror(errno));
    const bool ran = session_script(g, f, path, out);
    fclose(f);
    return ran || g->quit || g->abandon || out_broken(out) || gpudbg_fail(err, "command", "%s: ended by an error", path);
}

static const struct gpudbg_command source = {
    .name = "source", .usage = "SCRIPT", .summary = "run the commands of a script",
    .help = "One command a line; lines that begin with # are comments.  A command that fails is reported with its line and the\n"
            "script goes on, unless `set stop-on-error on`.",
    .family = "Scripts", .run = run_source, .complete = complete_file,
};

static bool run_quit(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    if (!args_end(a, err))
        return false;
    if (session_may_lose(g, "Buffers were written and not saved.  Quit?"))
        g->quit = true;
    return true;
}

static const struct gpudbg_command quit = {
    .name = "quit", .aliases = "q exit", .usage = "", .summary = "leave gpudbg", .family = "Scripts", .run = run_quit,
};

static const struct gpudbg_command *const commands[] = {&source, &define, &document, &quit, NULL};
COMMAND_FAMILY(cmd_script, "scripts", .summary = "commands of commands", .commands = commands);
