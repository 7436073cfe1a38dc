/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c: lines of commands, blocks that keep them up to `end`, and the commands of breakpoints; see script.h. */
#include <stdlib.h>
#include <string.h>
#include "session/command.h"
#include "session/script.h"
#include "session/session.h"

#define LINES_MAX 10000
#define DEPTH_MAX 32

/* ---- Lines ---- */

bool lines_add(struct lines *lines, const char *text, struct gpudbg_error *err)
{
    if (lines->n >= LINES_MAX)
        return gpudbg_fail(err, "command", "more than %d lines", LINES_MAX);
    char **grown = realloc(lines->line, (lines->n + 1) * sizeof *grown);
    if (grown)
        lines->line = grown;
    if (!grown || !(grown[lines->n] = strdup(text)))
        return gpudbg_fail(err, "command", "out of memory");
    lines->n++;
    return true;
}

void lines_free(struct lines *lines)
{
    for (size_t i = 0; i < lines->n; i++)
        free(lines->line[i]);
    free(lines->line);
    *lines = (struct lines){0};
}

bool line_is(const char *line, const char *word)
{
    const size_t n = strlen(word);
    line += strspn(line, " \t");
    return strncmp(line, word, n) == 0 && !line[n + strspn(line + n, " \t\r")];
}

/* Ctrl-C, or a limit, has ended a run: a loop around it must not go on. */
static bool interrupted(const struct gpudbg *g, uint64_t runs)
{
    return g->script->loops && g->script->runs != runs && g->running.last.reason == GPUDBG_STOP_INTERRUPT;
}

/* once: until the machine has been run. */
static bool run_lines(struct gpudbg *g, const struct lines *lines, size_t from, size_t to, bool once, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    struct script *s = g->script;
    const uint64_t first = s->runs;
    bool ok = true;
    size_t i = from;
    if (g->depth >= DEPTH_MAX)
        return gpudbg_fail(err, "command", "commands nested deeper than %d", DEPTH_MAX);
    g->depth++;
    for (; ok && i < to && !g->quit && !g->abandon && s->loop == LOOP_ON && !(once && s->runs != first); i++) {
        const uint64_t runs = s->runs;
        ok = gpudbg_execute(g, lines->line[i], out, err);
        if (ok && interrupted(g, runs))
            ok = gpudbg_fail(err, "command", "interrupted");
    }
    g->depth--;
    if (ok && s->open) /* an argument of a defined command opened it */
        ok = gpudbg_fail(err, "command", "%s: no `end`", s->open->title);
    block_drop(g);
    if (!ok)
        s->behind += lines->n + 1 - i;
    return ok;
}

bool lines_run(struct gpudbg *g, const struct lines *lines, size_t from, size_t to, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return run_lines(g, lines, from, to, false, out, err);
}

bool script_goes_on(struct gpudbg *g, uint64_t rounds, struct gpudbg_error *err)
{
    const struct session_front *front = &g->front;
    return !front->tick || front->tick(front->data, rounds, 0) || gpudbg_fail(err, "command", "interrupted");
}

/* ---- Blocks ---- */

/* The commands that call block_begin: one that is added stands here, too, so that its `end` is known inside other blocks. */
static const char *const blocks[] = {"define", "document", "commands", "if", "while"};

static bool is_block(const char *command)
{
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (strcmp(command, blocks[i]) == 0)
            return true;
    return false;
}

/* Whether a line opens a block, and one of text.  What it names is found as it is when it is run. */
static bool opens(struct gpudbg *g, const char *line, bool *text)
{
    struct gpudbg_args args;
    struct gpudbg_error err = {0};
    struct command_found found = {0};
    bool is = false;
    if (!args_open(&args, &g->eval, line, &err))
        return false;
    if (*args.at && *args.at != '#' && command_find(g, &args, &found, &err) && found.command)
        is = is_block(found.command->name);
    *text = is && strcmp(found.command->name, "document") == 0;
    args_close(&args);
    return is;
}

static void block_free(struct block *b)
{
    lines_free(&b->lines);
    free(b->head);
    free(b);
}

bool block_begin(struct gpudbg *g, const struct block *wanted, const char *head, struct gpudbg_error *err)
{
    struct block *b = malloc(sizeof *b);
    char *copy = strdup(head);
    if (!b || !copy) {
        free(b);
        free(copy);
        return gpudbg_fail(err, "command", "out of memory");
    }
    *b = *wanted;
    b->head = copy;
    g->script->open = b;
    return true;
}

static bool end_refused(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)g, (void)b, (void)out, (void)err;
    return true;
}

bool block_refuse(struct gpudbg *g, const char *command)
{
    struct gpudbg_error ignored = {0};
    const struct block block = {.title = "refused", .refused = true, .text = strcmp(command, "document") == 0, .end = end_refused};
    if (g->depth && !g->script->open && is_block(command)) /* whoever types sees what happened */
        block_begin(g, &block, "", &ignored);
    return false;
}

const char *block_open(const struct gpudbg *g)
{
    return g->script->open ? g->script->open->title : NULL;
}

void block_drop(struct gpudbg *g)
{
    if (g->script->open)
        block_free(g->script->open);
    g->script->open = NULL;
}

bool block_collect(struct gpudbg *g, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct block *b = g->script->open;
    bool text;
    if (line_is(line, "end")) {
        b->deep_text = false;
        if (!b->deep) {
            g->script->open = NULL;
            bool ok = b->end(g, b, out, err);
            block_free(b);
            return ok;
        }
        b->deep--;
    } else if (!b->text && !b->deep_text && opens(g, line, &text)) {
        b->deep++;
        b->deep_text = text;
    } else if (!b->deep && !b->other && line_is(line, "else")) {
        b->other = b->lines.n + 1;
    }
    return lines_add(&b->lines, line, err);
}

/* ---- Commands of breakpoints ---- */

bool attached_run(struct gpudbg *g, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct script *s = g->script;
    const unsigned loops = s->loops;
    bool ok = true;
    if (s->attending || !s->attached.n)
        return true;
    s->attending = true;
    s->loops = 0;
    for (uint64_t rounds = 1; ok && s->attached.n && !g->quit; rounds++) {
        struct lines now = s->attached;
        s->attached = (struct lines){0};
        ok = script_goes_on(g, rounds, err) && run_lines(g, &now, 0, now.n, true, out, err);
        lines_free(&now);
    }
    lines_free(&s->attached);
    s->attending = false;
    s->loops = loops;
    s->behind = 0;
    return ok;
}

/* ---- The state of a session ---- */

struct script *script_new(void)
{
    return calloc(1, sizeof(struct script));
}

void script_free(struct script *s)
{
    if (!s)
        return;
    if (s->open)
        block_free(s->open);
    lines_free(&s->attached);
    free(s);
}
