/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of commands: source, define, document, echo, quit. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "out.h"
#include "registry.h"
#include "script.h"
#include "session.h"

#define LINES_MAX 10000
#define DEPTH_MAX 32

struct defines {
    struct define *first;
    struct define *open;  /* being written, not in the list yet; or documented */
    bool documenting;
};

/* ---- Definitions ---- */

static void define_free(struct define *d)
{
    for (size_t i = 0; i < d->nlines; i++)
        free(d->lines[i]);
    free(d->lines);
    free(d->name);
    free(d->doc);
    free(d);
}

void defines_free(struct defines *defines)
{
    if (!defines)
        return;
    if (defines->open && !defines->documenting)
        define_free(defines->open);
    for (struct define *d = defines->first, *next; d; d = next) {
        next = d->next;
        define_free(d);
    }
    free(defines);
}

const struct define *define_next(const struct gpudbg *g, const struct define *after)
{
    if (after)
        return after->next;
    return g->defines ? g->defines->first : NULL;
}

const char *define_open(const struct gpudbg *g)
{
    return g->defines && g->defines->open ? g->defines->open->name : NULL;
}

void define_drop(struct gpudbg *g)
{
    if (!g->defines || !g->defines->open)
        return;
    if (!g->defines->documenting)
        define_free(g->defines->open);
    g->defines->open = NULL;
}

/* The finished one takes the place of an older one of the same name. */
static void define_end(struct defines *defines)
{
    struct define *done = defines->open, **at = &defines->first;
    defines->open = NULL;
    if (defines->documenting)
        return;
    while (*at && strcmp((*at)->name, done->name) != 0)
        at = &(*at)->next;
    done->next = NULL;
    if (*at) {
        struct define *old = *at;
        done->next = old->next;
        done->doc = old->doc;
        old->doc = NULL;
        define_free(old);
    }
    *at = done;
}

#define DEFINES_MOST 4096 /* each name is compared with all */

static bool append_line(struct define *d, const char *line, struct gpudbg_error *err)
{
    if (d->nlines >= LINES_MAX)
        return gpudbg_fail(err, "command", "define %s: more than %d lines", d->name, LINES_MAX);
    char **lines = realloc(d->lines, (d->nlines + 1) * sizeof *lines);
    if (lines)
        d->lines = lines;
    if (!lines || !(d->lines[d->nlines] = strdup(line)))
        return gpudbg_fail(err, "command", "define %s: out of memory", d->name);
    d->nlines++;
    return true;
}

static bool append_doc(struct define *d, const char *line, struct gpudbg_error *err)
{
    size_t had = d->doc ? strlen(d->doc) + 1 : 0, size = had + strlen(line) + 1;
    char *doc = size > 65536 ? NULL : realloc(d->doc, size);
    if (!doc)
        return gpudbg_fail(err, "command", "document %s: too long", d->name);
    if (had)
        doc[had - 1] = '\n';
    memcpy(doc + had, line, size - had);
    d->doc = doc;
    return true;
}

bool define_collect(struct gpudbg *g, const char *line, struct gpudbg_error *err)
{
    struct defines *defines = g->defines;
    if (!defines || !defines->open)
        return false;
    const char *at = line + strspn(line, " \t");
    if (strncmp(at, "end", 3) == 0 && !at[3 + strspn(at + 3, " \t\r")]) {
        define_end(defines);
        return true;
    }
    return defines->documenting ? append_doc(defines->open, at, err) : append_line(defines->open, line, err);
}

/* Appends the line with $argc and $arg0 to $arg9 replaced by the words given. */
static bool substituted(const char *line, char *const *words, size_t nwords, char *buf, size_t size)
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

bool define_run(struct gpudbg *g, const struct define *d, const char *text, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    struct gpudbg_args a;
    char *words[10], *line = malloc(65536);
    size_t nwords = 0;
    const char *word;
    if (g->depth >= DEPTH_MAX || !line || !args_open(&a, g, text, err)) {
        free(line);
        return gpudbg_fail(err, "command", "%s: commands nested deeper than %d", d->name, DEPTH_MAX);
    }
    while (nwords < 10 && (word = gpudbg_args_word(&a)))
        words[nwords++] = (char *)(uintptr_t)word;
    bool ok = true;
    g->depth++;
    /* The definition may be replaced by one of its own commands: keep to a copy of its lines. */
    size_t nlines = d->nlines;
    char **lines = calloc(nlines + 1, sizeof *lines);
    for (size_t i = 0; lines && i < nlines; i++)
        lines[i] = strdup(d->lines[i]);
    for (size_t i = 0; ok && lines && i < nlines && !g->quit; i++) {
        ok = lines[i] && substituted(lines[i], words, nwords, line, 65536);
        ok = ok ? gpudbg_execute(g, line, out, err) : gpudbg_fail(err, "command", "line %zu: too long", i + 1);
    }
    for (size_t i = 0; lines && i < nlines; i++)
        free(lines[i]);
    free(lines);
    g->depth--;
    args_close(&a);
    free(line);
    return ok;
}

static bool open_define(struct gpudbg *g, struct gpudbg_args *a, bool documenting, struct gpudbg_error *err)
{
    const char *name = args_need(a, "a name", err);
    if (!name || !args_end(a, err))
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return gpudbg_fail(err, "command", "\"%.40s\": a name is letters, digits, - and _", name);
    if (strlen(name) > 40)
        return gpudbg_fail(err, "command", "\"%.60s\": a name of more than 40 letters", name);
    const struct gpudbg_command *c;
    for (size_t i = 0; (c = registry_command(g->registry, i)); i++)
        if (strcmp(c->name, name) == 0)
            return gpudbg_fail(err, "command", "\"%s\" is a command of gpudbg's own", name);
    if (!g->defines && !(g->defines = calloc(1, sizeof *g->defines)))
        return gpudbg_fail(err, "command", "out of memory");
    struct define *d = NULL;
    if (documenting) {
        for (d = g->defines->first; d && strcmp(d->name, name) != 0;)
            d = d->next;
        if (!d)
            return gpudbg_fail(err, "command", "no defined command \"%s\"", name);
        free(d->doc);
        d->doc = NULL;
    } else {
        size_t n = 0;
        for (d = g->defines->first; d; d = d->next)
            n++;
        if (n >= DEFINES_MOST)
            return gpudbg_fail(err, "command", "%s: more than %d defined commands", name, DEFINES_MOST);
        d = calloc(1, sizeof *d);
        if (!d || !(d->name = strdup(name))) {
            free(d);
            return gpudbg_fail(err, "command", "out of memory");
        }
    }
    g->defines->open = d;
    g->defines->documenting = documenting;
    return true;
}

static bool run_define(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return open_define(g, a, false, err);
}

static const struct gpudbg_command define = {
    .name = "define", .usage = "NAME", .summary = "define a command: lines follow, up to `end`",
    .help = "In the lines $arg0 to $arg9 stand for the words behind the name, $argc for how many there are.",
    .family = "Scripts", .run = run_define,
};

static bool run_document(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return open_define(g, a, true, err);
}

static const struct gpudbg_command document = {
    .name = "document", .usage = "NAME", .summary = "say what a defined command does: lines follow, up to `end`",
    .family = "Scripts", .run = run_document,
};

/* ---- source, echo, quit ---- */

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
    session_script(g, f, path, out);
    fclose(f);
    return true;
}

static const struct gpudbg_command source = {
    .name = "source", .usage = "SCRIPT", .summary = "run the commands of a script",
    .help = "One command a line; lines that begin with # are comments.  A command that fails is reported with its line and the\n"
            "script goes on, unless `set stop-on-error on`.",
    .family = "Scripts", .run = run_source, .complete = complete_file,
};

static bool run_echo(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)g;
    (void)err;
    const char *at = gpudbg_args_rest(a);
    for (; *at; at++) {
        char c = *at;
        if (c == '\\' && at[1]) {
            c = *++at;
            c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
        }
        out_write(out, &c, 1);
    }
    return true;
}

static const struct gpudbg_command echo = {
    .name = "echo", .usage = "TEXT", .summary = "print text; \\n ends a line", .family = "Scripts", .run = run_echo,
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

static const struct gpudbg_command *const commands[] = {&source, &define, &document, &echo, &quit, NULL};
COMMAND_FAMILY(cmd_script, "scripts", .summary = "commands of commands", .commands = commands);
