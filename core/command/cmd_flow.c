/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that are run: if, while, what leaves a loop, and the commands of a breakpoint. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "session/command.h"
#include "eval/expr.h"
#include "session/script.h"
#include "session/session.h"
#include "control/stop.h"

/* ---- if, while ---- */

static bool begin(struct gpudbg *g, struct gpudbg_args *a, const struct block *block, struct gpudbg_error *err)
{
    const char *condition = gpudbg_args_rest(a);
    if (!*condition) return gpudbg_fail(err, "usage", "a condition is missing");
    return block_begin(g, block, condition);
}

static bool end_if(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    bool holds;
    const size_t n = b->lines.n, other = b->other ? b->other : n;
    if (!expr_holds(&g->eval, g->selection.wave, g->selection.lane, b->head, &holds, err)) {
        g->script->behind += n + 1;
        return false;
    }
    if (holds) return lines_run(g, &b->lines, 0, b->other ? other - 1 : n, out, err);
    return lines_run(g, &b->lines, other, n, out, err);
}

static bool run_if(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return begin(g, a, &(struct block){.title = "if", .end = end_if}, err);
}

static bool end_while(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct script *s = g->script;
    bool ok = true, more = true, holds;
    s->loops++;
    for (uint64_t rounds = 1; ok && more && commands_go_on(g, out); rounds++) {
        ok = script_goes_on(g, rounds, err) &&
             expr_holds(&g->eval, g->selection.wave, g->selection.lane, b->head, &holds, err);
        if (!ok) s->behind += b->lines.n + 1;
        if (!ok || !holds) break;
        ok = lines_run(g, &b->lines, 0, b->lines.n, out, err);
        more = s->loop != LOOP_BREAK;
        s->loop = LOOP_ON;
    }
    s->loops--;
    return ok;
}

static bool run_while(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return begin(g, a, &(struct block){.title = "while", .end = end_while}, err);
}

static bool leave(struct gpudbg *g, struct gpudbg_args *a, enum loop how, struct gpudbg_error *err)
{
    if (!args_end(a, err)) return false;
    if (!g->script->loops)
        return gpudbg_fail(err, "unmatched-block", "loop_break and loop_continue need a `while` around them");
    g->script->loop = how;
    return true;
}

static bool run_loop_break(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return leave(g, a, LOOP_BREAK, err);
}

static bool run_loop_continue(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return leave(g, a, LOOP_CONTINUE, err);
}

static const struct gpudbg_command if_command = {
    .name = "if",
    .usage = "COND",
    .summary = "run lines if a condition is true; they follow, up to `end`",
    .help = "Lines after a line `else` run if the condition is false.  COND is an expression.  `help scripts` has\n"
            "an example.",
    .family = "Scripts",
    .effect = GPUDBG_CHANGES,
    .run = run_if,
    .complete = complete_expression,
    .block = GPUDBG_BLOCK_COMMANDS,
};
static const struct gpudbg_command while_command = {
    .name = "while",
    .usage = "COND",
    .summary = "repeat lines while a condition is true; they follow, up to `end`",
    .help = "`loop_break` leaves the loop.  `loop_continue` begins its next round.  The loop also ends at Ctrl-C,\n"
            "and when a run reaches the limit of `set step-limit`.",
    .family = "Scripts",
    .effect = GPUDBG_CHANGES,
    .run = run_while,
    .complete = complete_expression,
    .block = GPUDBG_BLOCK_COMMANDS,
};
static const struct gpudbg_command loop_break = {
    .name = "loop_break",
    .usage = "",
    .summary = "leave the loop `while`",
    .family = "Scripts",
    .run = run_loop_break,
};
static const struct gpudbg_command loop_continue = {
    .name = "loop_continue",
    .usage = "",
    .summary = "begin the next round of the loop `while`",
    .family = "Scripts",
    .run = run_loop_continue,
};

/* ---- commands ---- */

static bool end_commands(struct gpudbg *g, struct block *b, struct gpudbg_out *out, struct gpudbg_error *err)
{
    int number = 0;
    (void)out;
    sscanf(b->head, "%d", &number);
    struct stop_point *p = stops_find(&g->control, number);
    if (!p) return gpudbg_fail(err, "out-of-range", "there is no breakpoint or watchpoint %d any more", number);
    lines_free(&p->commands);
    p->commands = b->lines;
    p->commands_off = false;
    b->lines = (struct line_list){0};
    return true;
}

static bool run_commands(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct block block = {.end = end_commands};
    uint64_t number = 0;
    char head[16];
    (void)out;
    for (const struct stop_point *p = stops_next(&g->control, 0); p; p = stops_next(&g->control, p->number))
        number = (uint64_t)p->number;
    if (!number) return gpudbg_fail(err, "not-now", "there is no breakpoint or watchpoint");
    if (*gpudbg_args_rest(a) && (!gpudbg_args_number(a, &number, err) || !args_end(a, err))) return false;
    if (number > INT32_MAX || !stops_find(&g->control, (int)number))
        return gpudbg_fail(err, "out-of-range", "no breakpoint or watchpoint %" PRIu64, number);
    snprintf(head, sizeof head, "%" PRIu64, number);
    snprintf(block.title, sizeof block.title, "commands %" PRIu64, number);
    return block_begin(g, &block, head);
}

static const struct gpudbg_command commands_command = {
    .name = "commands",
    .usage = "[N]",
    .summary = "set the commands that a breakpoint or watchpoint runs when it stops",
    .help = "The commands follow on lines of their own, up to a line `end`.  Without N, they belong to the latest\n"
            "breakpoint.  If the first command is `silent`, gpudbg does not report the stop.\n"
            "The last command may be `continue`: the breakpoint then prints something and goes on.  Commands\n"
            "after it do not run.  An empty list removes the commands.",
    .family = "Breakpoints",
    .run = run_commands,
    .block = GPUDBG_BLOCK_COMMANDS,
};

static const struct gpudbg_command *const commands[] = {
    &if_command, &while_command, &loop_break, &loop_continue, &commands_command, NULL};
COMMAND_FAMILY(cmd_flow, "flow", .summary = "conditions, loops, commands of breakpoints", .commands = commands);
