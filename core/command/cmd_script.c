/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands of commands: define, document, source, quit. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/open_file.h"
#include "session/command.h"
#include "out/out.h"
#include "word/registry.h"
#include "session/define.h"
#include "session/script.h"
#include "session/session.h"
#include "gpudbg/text.h"

/* ---- Definitions ---- */

/* An older one of the same name keeps its place and what is said of it. */
static bool end_define(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct define **at = &g->defines;
    (void)out;
    (void)err;
    while (*at && strcmp((*at)->name, b->head) != 0) at = &(*at)->next;
    if (!*at) {
        struct define *d = xalloc(sizeof *d);
        d->name = xstrdup(b->head);
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
    size_t size = 1;
    (void)out;
    for (size_t i = 0; i < b->lines.n; i++) size += strlen(b->lines.line[i]) + 1;
    char *doc = d && size <= DOC_MAX ? xalloc(size) : NULL;
    if (!doc)
        return d ? gpudbg_fail(err, "too-large", "document %s: %zu bytes, at most %d", b->head, size, DOC_MAX)
                 : gpudbg_fail(err, "no-such-name", "document %s: the command is no longer defined", b->head);
    struct text t = text_in(doc, size);
    for (size_t i = 0; i < b->lines.n; i++) {
        const char *line = b->lines.line[i] + strspn(b->lines.line[i], " \t");
        text_add(&t, "%s%s", i ? "\n" : "", line);
    }
    free(d->doc);
    d->doc = doc;
    return true;
}

#define DEFINES_MOST 4096 /* each name is compared with all */

static bool run_define(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct block block = {.end = end_define};
    const char *name = args_need(a, "a name", err);
    (void)out;
    if (!name || !args_end(a, err)) return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '-' && *c != '_')
            return gpudbg_fail(err, "usage", "\"%.40s\" is not a name: a name has letters, digits, - and _", name);
    if (strlen(name) > 40) return gpudbg_fail(err, "too-large", "\"%.60s\": the name has more than 40 letters", name);
    if (command_own(g, name))
        return gpudbg_fail(err, "redefinition", "\"%s\" is a command of gpudbg; choose another name", name);
    const struct define *old = define_named(g, name);
    if (old && old->alias)
        return gpudbg_fail(err, "redefinition", "\"%s\" is an alias of `%s`; choose another name", name, old->alias);
    size_t n = 0;
    for (const struct define *d = g->defines; d; d = d->next) n++;
    if (n >= DEFINES_MOST)
        return gpudbg_fail(err, "too-large", "%s: more than %d defined commands", name, DEFINES_MOST);
    snprintf(block.title, sizeof block.title, "define %s", name);
    return block_begin(g, &block, name);
}

static const struct gpudbg_command define = {
    .name = "define",
    .usage = "NAME",
    .summary = "define a command of your own",
    .help = "The lines of the command follow, up to a line `end`.  In them, $arg0 to $arg9 are the words after\n"
            "the command's name, and $argc is how many there are.",
    .family = "Scripts",
    .run = run_define,
    .block = GPUDBG_BLOCK_COMMANDS,
};

static bool run_document(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct block block = {.end = end_document, .text = true};
    const char *name = args_need(a, "a name", err);
    (void)out;
    if (!name || !args_end(a, err)) return false;
    const struct define *d = define_named(g, name);
    if (!d || d->alias) return gpudbg_fail(err, "no-such-name", "no defined command \"%.40s\"", name);
    snprintf(block.title, sizeof block.title, "document %s", name);
    return block_begin(g, &block, name);
}

static const struct gpudbg_command document = {
    .name = "document",
    .usage = "NAME",
    .summary = "give a defined command its help text; lines follow, up to `end`",
    .family = "Scripts",
    .run = run_document,
    .block = GPUDBG_BLOCK_TEXT,
};

/* ---- source, quit ---- */

static bool run_source(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *path = args_need(a, "a script", err);
    if (!path || !args_end(a, err)) return false;
    return session_source(g, path, out, err);
}

static const struct gpudbg_command source = {
    .name = "source",
    .usage = "SCRIPT",
    .summary = "run the commands of a script",
    .help = "A script has one command on each line; a line that begins with # is a comment.  When a command\n"
            "fails, gpudbg reports its line and the script goes on.  After `set stop-on-error on` the script ends\n"
            "there.",
    .family = "Scripts",
    .effect = GPUDBG_CHANGES,
    .run = run_source,
    .complete = complete_file,
};

static bool run_quit(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    if (!args_end(a, err)) return false;
    if (session_may_lose(g, true, "Quit?")) g->quit = true;
    return true;
}

static const struct gpudbg_command quit = {
    .name = "quit",
    .aliases = "q exit",
    .usage = "",
    .summary = "leave gpudbg",
    .family = "Scripts",
    .effect = GPUDBG_CHANGES,
    .run = run_quit,
};

static const struct gpudbg_command *const commands[] = {&source, &define, &document, &quit, NULL};
COMMAND_FAMILY(cmd_script, "scripts", .summary = "commands of commands", .commands = commands);
