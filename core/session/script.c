/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.c: lines of commands, blocks that keep them up to `end`, and the commands of breakpoints; see script.h. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "out/out.h"
#include "session/command.h"
#include "session/script.h"
#include "session/session.h"
#include "word/registry.h"

#define DEPTH_MAX 32

/* ---- Lines ---- */

/* Ctrl-C, or a limit, has ended a run: a loop around it must not go on. */
static bool interrupted(const struct gpudbg *g, uint64_t runs)
{
    return g->script->loops && g->control.runs != runs && g->running.last.reason == GPUDBG_STOP_INTERRUPT;
}

/* once: until the machine has been run. */
static bool run_lines(struct gpudbg *g, const struct line_list *lines, size_t from, size_t to, bool once,
    struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct script *s = g->script;
    const uint64_t first = g->control.runs;
    bool ok = true;
    size_t i = from;
    if (g->depth >= DEPTH_MAX) return gpudbg_fail(err, "too-large", "commands nested deeper than %d", DEPTH_MAX);
    g->depth++;
    g->foreign += lines->foreign;
    for (; ok && i < to && commands_go_on(g, out) && s->loop == LOOP_ON && !(once && g->control.runs != first); i++) {
        const uint64_t runs = g->control.runs;
        ok = script_goes_on(g, i - from, err) && gpudbg_execute(g, lines->line[i], out, err);
        if (ok && interrupted(g, runs)) ok = gpudbg_fail(err, "interrupt", "interrupted");
    }
    g->foreign -= lines->foreign;
    g->depth--;
    if (ok && s->open) /* an argument of a defined command opened it */
        ok = gpudbg_fail(err, "unclosed-block", "%s: no `end`", s->open->title);
    block_drop(g);
    if (!ok) s->behind += lines->n + 1 - i;
    return ok;
}

bool lines_run(struct gpudbg *g, const struct line_list *lines, size_t from, size_t to, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    return run_lines(g, lines, from, to, false, out, err);
}

bool commands_go_on(const struct gpudbg *g, const struct gpudbg_out *out)
{
    return !g->quit && !g->abandon && !out_broken(out);
}

bool script_goes_on(struct gpudbg *g, uint64_t rounds, struct gpudbg_error *err)
{
    return ticker_goes_on(&g->ticker, rounds, 0) || gpudbg_fail(err, "interrupt", "interrupted");
}

/* ---- Blocks ---- */

/* The next command that takes lines, from the *i-th on; NULL: there are no more. */
static const struct gpudbg_command *next_block(const struct gpudbg *g, size_t *i)
{
    const struct gpudbg_command *c;
    while ((c = registry_command(g->registry, (*i)++)) && c->block == GPUDBG_BLOCK_NONE) continue;
    return c;
}

/* What kind of block a line opens, if any.  What it names is found as it is when it is run. */
static enum gpudbg_block opens(struct gpudbg *g, const char *line)
{
    const char *word = line + strspn(line, " \t");
    const size_t n = strcspn(word, " \t");
    const struct gpudbg_command *c;
    bool may = false; /* most lines cannot, and finding a command takes a while */
    for (size_t i = 0; n && (c = next_block(g, &i));) {
        if (strncmp(c->name, word, n) != 0) continue;
        if (!c->name[n]) return (enum gpudbg_block)c->block; /* the whole name, which no defined command can have */
        may = true;
    }
    if (!may) return GPUDBG_BLOCK_NONE;
    struct gpudbg_args args;
    struct gpudbg_error err = {0};
    struct command_found found = {0};
    if (!args_open(&args, &g->eval, line, &err)) return GPUDBG_BLOCK_NONE;
    const bool known = *args.at && *args.at != '#' && command_find(g, &args, &found, &err);
    args_close(&args);
    return known && found.command ? (enum gpudbg_block)found.command->block : GPUDBG_BLOCK_NONE;
}

static void block_free(struct block *b)
{
    lines_free(&b->lines);
    free(b->head);
    free(b);
}

bool block_begin(struct gpudbg *g, const struct block *wanted, const char *head)
{
    struct block *b = xalloc(sizeof *b);
    *b = *wanted;
    b->head = xstrdup(head);
    b->lines.foreign = g->foreign > 0;
    g->script->open = b;
    return true;
}

static bool end_refused(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)g, (void)b, (void)out, (void)err;
    return true;
}

bool block_refuse(struct gpudbg *g, const struct gpudbg_command *c)
{
    const struct block block = {
        .title = "refused", .refused = true, .text = c->block == GPUDBG_BLOCK_TEXT, .end = end_refused};
    if (g->depth && !g->script->open && c->block) /* whoever types sees what happened */
        block_begin(g, &block, "");
    return false;
}

const char *block_open(const struct gpudbg *g) { return g->script->open ? g->script->open->title : NULL; }

void block_drop(struct gpudbg *g)
{
    if (g->script->open) block_free(g->script->open);
    g->script->open = NULL;
}

bool block_collect(struct gpudbg *g, const char *line, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct block *b = g->script->open;
    enum gpudbg_block inside;
    if (line_is(line, "end")) {
        b->deep_text = false;
        if (!b->deep) {
            g->script->open = NULL;
            bool ok = b->end(g, b, out, err);
            block_free(b);
            return ok;
        }
        b->deep--;
    } else if (!b->text && !b->deep_text && (inside = opens(g, line))) {
        b->deep++;
        b->deep_text = inside == GPUDBG_BLOCK_TEXT;
    } else if (!b->deep && !b->other && line_is(line, "else")) {
        b->other = b->lines.n + 1;
    }
    if (b->refused || lines_add(&b->lines, line, g->settings.script_limit, err)) return true;
    b->refused = true; /* the lines up to its end are dropped */
    b->end = end_refused;
    return false;
}

/* ---- Commands of breakpoints ---- */

bool attached_run(struct gpudbg *g, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct script *s = g->script;
    const unsigned loops = s->loops;
    bool ok = true;
    if (s->attending || !g->control.attached.n) return true;
    s->attending = true;
    s->loops = 0;
    for (uint64_t rounds = 1; ok && g->control.attached.n && commands_go_on(g, out); rounds++) {
        struct line_list now = g->control.attached;
        g->control.attached = (struct line_list){0};
        ok = script_goes_on(g, rounds, err) && run_lines(g, &now, 0, now.n, true, out, err);
        lines_free(&now);
    }
    lines_free(&g->control.attached);
    s->attending = false;
    s->loops = loops;
    s->behind = 0;
    return ok;
}

/* ---- The state of a session ---- */

struct script *script_new(void) { return xalloc(sizeof(struct script)); }

void script_free(struct script *s)
{
    if (!s) return;
    if (s->open) block_free(s->open);
    free(s);
}
