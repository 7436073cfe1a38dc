/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and watchpoints: setting, deleting, switching, conditions; `info breakpoints`. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "image/image.h"
#include "session/command.h"
#include "eval/expr.h"
#include "code/walk.h"
#include "eval/locals.h"
#include "eval/location.h"
#include "machine/machine.h"
#include "out/out.h"
#include "session/session.h"
#include "control/stop.h"
#include "eval/value.h"
#include "gpudbg/text.h"

/* ---- info breakpoints ---- */

struct point_row {
    const struct gpudbg *g;
    const struct stop_point *p;
};

#define POINT(row) (((const struct point_row *)(row))->p)

static int cell_number(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%d", POINT(row)->number);
}

static int cell_kind(const void *row, char *buf, size_t size)
{
    const struct stop_point *p = POINT(row);
    const char *watch = !p->writes ? "read-watchpoint" : p->reads ? "access-watchpoint" : "watchpoint";
    return snprintf(buf, size, "%s", p->kind == STOP_BREAK ? "breakpoint" : watch);
}

static int cell_on(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%s%s", POINT(row)->on ? "on" : "off", POINT(row)->temporary ? ", once" : "");
}

static int cell_addr(const void *row, char *buf, size_t size)
{
    const struct stop_point *p = POINT(row);
    return snprintf(buf, size, "0x%" PRIx64, p->kind == STOP_BREAK ? p->pc : p->addr);
}

static int cell_what(const void *row, char *buf, size_t size)
{
    const struct point_row *r = row;
    if (r->p->kind == STOP_BREAK) return image_where(r->g->loaded.image, r->p->pc, buf, size);
    return snprintf(buf, size, "%s", r->p->what);
}

static int cell_hits(const void *row, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu64, POINT(row)->hits);
}

static int cell_when(const void *row, char *buf, size_t size)
{
    const struct stop_point *p = POINT(row);
    struct text t = text_in(buf, size);
    if (p->wave >= 0) text_add(&t, "wave %d", p->wave);
    if (p->lane >= 0) text_add(&t, "%slane %d", t.n ? " " : "", p->lane);
    if (p->ignore) text_add(&t, "%signore %" PRIu64, t.n ? " " : "", p->ignore);
    if (*p->condition) text_add(&t, "%sif %s", t.n ? " " : "", p->condition);
    return text_length(&t);
}

static int cell_commands(const void *row, char *buf, size_t size)
{
    const struct line_list *lines = &POINT(row)->commands;
    struct text t = text_in(buf, size);
    for (size_t i = 0; i < lines->n; i++)
        text_add(&t, "%s%s", i ? "; " : "", lines->line[i] + strspn(lines->line[i], " \t"));
    return text_length(&t);
}

static const struct gpudbg_column columns[] = {
    {"number", "n", 0, GPUDBG_COUNT, cell_number},
    {"kind", "kind", 0, GPUDBG_PLAIN, cell_kind},
    {"state", "state", 0, GPUDBG_PLAIN, cell_on},
    {"addr", "address", 0, GPUDBG_ADDRESS, cell_addr},
    {"what", "what", 0, GPUDBG_NAME, cell_what},
    {"hits", "hits", 0, GPUDBG_COUNT, cell_hits},
    {"when", "when", 0, GPUDBG_NOTE, cell_when},
    {"commands", "commands", 0, GPUDBG_NOTE, cell_commands},
};

static bool point_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    uint64_t only = 0;
    if (*args && !gpudbg_evaluate(g, args, &only, err)) return false;
    for (const struct stop_point *p = stops_next(&g->control, 0); p; p = stops_next(&g->control, p->number)) {
        struct point_row row = {g, p};
        if ((!only || (uint64_t)p->number == only) && !each(to, &row)) break;
    }
    return true;
}

static const struct gpudbg_listing breakpoints = {
    .name = "breakpoints",
    .summary = "breakpoints and watchpoints",
    .type = "breakpoint",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = point_rows,
    .empty = "no breakpoints",
};

/* ---- break, watch ---- */

/* A word begins at `at` with these letters. */
static bool is_word_of(const char *at, const char *from, const char *letters)
{
    return (at == from || isspace((unsigned char)at[-1])) && strncmp(at, letters, strlen(letters)) == 0;
}

static bool is_word(const char *at, const char *from, const char *word)
{
    return is_word_of(at, from, word) && isspace((unsigned char)at[strlen(word)]);
}

/* Cuts "PLACE [wave N] [lane N] [if COND]": the keywords fill the point, PLACE stays. */
static bool take_when(struct gpudbg *g, char *text, struct stop_point *p, struct gpudbg_error *err)
{
    const uint64_t lanes = g->running.machine ? g->running.machine->lanes : 64,
                   waves = g->running.machine ? g->running.machine->nwaves : INT32_MAX;
    for (char *at = text; *at; at++) {
        if (!is_word(at, text, "if") && !is_word_of(at, text, "if(")) continue;
        const char *condition = at + 2 + strspn(at + 2, " \t");
        if (strlen(condition) >= sizeof p->condition)
            return gpudbg_fail(err, "too-large", "a condition of %zu letters: at most %zu", strlen(condition),
                sizeof p->condition - 1);
        snprintf(p->condition, sizeof p->condition, "%s", condition);
        *at = 0;
        break;
    }
    for (char *at = text + strlen(text); at-- > text;) {
        bool wave = is_word(at, text, "wave"), lane = is_word(at, text, "lane");
        uint64_t n;
        if (!wave && !lane) continue;
        if (!gpudbg_evaluate(g, at + 4, &n, err)) return false;
        if (lane && n >= lanes)
            return gpudbg_fail(err, "out-of-range", "no lane %" PRIu64 ": a wave has %" PRIu64 ", from 0", n, lanes);
        if (wave && n >= waves)
            return gpudbg_fail(err, "out-of-range", "no wave %" PRIu64 ": there are %" PRIu64 ", from 0", n, waves);
        *(wave ? &p->wave : &p->lane) = (int)n;
        *at = 0;
    }
    for (size_t n = strlen(text); n && isspace((unsigned char)text[n - 1]);) text[--n] = 0;
    return true;
}

/* A condition that cannot be read is found now, not when it is met; but variables of the source may have no value here.
 */
static bool check_condition(
    struct gpudbg *g, const char *condition, const struct stop_point *p, struct gpudbg_error *err)
{
    bool holds;
    if (!*condition || !g->running.machine ||
        expr_holds(&g->eval, g->selection.wave, g->selection.lane, condition, &holds, err))
        return true;
    if (p->kind != STOP_BREAK || !locals_named(&g->eval, p->pc, condition)) return false;
    *err = (struct gpudbg_error){0};
    return true;
}

static void report_point(struct gpudbg *g, const struct stop_point *p, struct gpudbg_out *out)
{
    char where[256], number[16];
    struct gpudbg_error err = {0};
    if (gpudbg_out_json(out)) {
        snprintf(number, sizeof number, "%d", p->number);
        session_listing(g, out, &breakpoints, number, &err);
        return;
    }
    if (p->kind == STOP_BREAK) image_where(g->loaded.image, p->pc, where, sizeof where);
    const char *kind = p->kind == STOP_WATCH ? "Watchpoint" : p->temporary ? "Temporary breakpoint" : "Breakpoint";
    gpudbg_out_print(out, "%s %d at %s", kind, p->number, p->kind == STOP_BREAK ? where : p->what);
    int named = g->running.machine && p->lane < 0 ? stop_condition_lane(g->running.machine->isa, p->condition) : -1;
    if (p->wave >= 0) gpudbg_out_print(out, ", wave %d", p->wave);
    if (p->lane >= 0)
        gpudbg_out_print(out, ", lane %d", p->lane);
    else if (named >= 0)
        gpudbg_out_print(out, ", lane %d", named);
    gpudbg_out_print(out, "\n");
}

static bool add_break(
    struct gpudbg *g, struct gpudbg_args *a, bool temporary, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct stop_point p = {.kind = STOP_BREAK, .on = true, .temporary = temporary, .wave = -1, .lane = -1};
    struct gpudbg_insn insn;
    char text[1024];
    if (!eval_need_image(&g->eval, err)) return false;
    snprintf(text, sizeof text, "%s", gpudbg_args_rest(a));
    if (!take_when(g, text, &p, err)) return false;
    p.pc = location_here(&g->eval);
    if (!*text && g->running.machine && !eval_need_running(&g->eval, err)) return false;
    if ((*text && !location_addr(&g->eval, text, &p.pc, err)) || !check_condition(g, p.condition, &p, err))
        return false;
    if (!insn_at(g->loaded.image, p.pc, &insn))
        return gpudbg_fail(err, "out-of-range", "0x%" PRIx64 ": no instruction starts there", p.pc);
    snprintf(p.what, sizeof p.what, "%.127s", text);
    const struct stop_point *added = stops_add(&g->control, &p, err);
    if (added) report_point(g, added, out);
    return added != NULL;
}

static bool run_break(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return add_break(g, a, false, out, err);
}

static bool run_tbreak(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return add_break(g, a, true, out, err);
}

static const struct gpudbg_command break_command = {
    .name = "break",
    .aliases = "b br",
    .usage = "[PLACE] [wave N] [lane N] [if COND]",
    .summary = "stop before an instruction",
    .help = "PLACE: *ADDR, SYMBOL, SYMBOL+OFF, L0080 (a label), FILE:LINE or LINE; without one: here.\n"
            "lane N stops only where that lane executes.  COND is an expression; one about registers of lanes that "
            "names no\n"
            "lane ($v3 > 1) holds when it is true in any lane that executes, which is then selected.",
    .family = "Breakpoints",
    .run = run_break,
    .complete = complete_symbol,
};

static const struct gpudbg_command tbreak = {
    .name = "tbreak",
    .aliases = "tb",
    .usage = "[PLACE] [wave N] [lane N] [if COND]",
    .summary = "the same, once",
    .family = "Breakpoints",
    .run = run_tbreak,
    .complete = complete_symbol,
};

/* What is watched: memory that the expression is, a whole buffer by its name, four bytes at any other address; ",SIZE"
 * says how many. */
static bool watched(struct gpudbg *g, char *text, struct stop_point *p, struct gpudbg_error *err)
{
    struct value v;
    char *comma = strrchr(text, ',');
    uint64_t size = 0;
    if (comma && !gpudbg_evaluate(g, comma + 1, &size, err)) return false;
    if (comma) *comma = 0;
    if (!expr_value(&g->eval, text, &v, err)) return false;
    if (v.place == PLACE_REGISTER || v.place == PLACE_PC)
        return gpudbg_fail(err, "unsupported", "%.60s: memory can be watched, registers cannot", text);
    if (v.place != PLACE_MEMORY && !v.address)
        return gpudbg_fail(err, "usage", "%.60s is not in memory; *(u32*)ADDR is", text);
    if (!value_at_one_address(&v, err)) return false;
    p->space = v.space;
    p->addr = v.place == PLACE_MEMORY ? v.addr : v.u;
    p->size = v.place == PLACE_MEMORY ? v.type.bits / 8 : 4;
    const struct gpudbg_space *space = &g->running.machine->space[GPUDBG_GLOBAL];
    for (size_t i = 0; v.place == PLACE_NONE && v.space == GPUDBG_GLOBAL && i < space->count; i++)
        if (space->segment[i]->base == p->addr && space->segment[i]->name && strcmp(space->segment[i]->name, text) == 0)
            p->size = space->segment[i]->size;
    if (comma) p->size = size;
    if (!p->size || p->size > UINT64_MAX - p->addr)
        return gpudbg_fail(err, "out-of-range", "%" PRIu64 " bytes cannot be watched", p->size);
    return true;
}

static bool add_watch(
    struct gpudbg *g, struct gpudbg_args *a, bool reads, bool writes, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct stop_point p = {.kind = STOP_WATCH, .on = true, .reads = reads, .writes = writes, .wave = -1, .lane = -1};
    char text[1024];
    if (!eval_need_machine(&g->eval, err)) return false;
    snprintf(text, sizeof text, "%s", gpudbg_args_rest(a));
    if (!take_when(g, text, &p, err) || !check_condition(g, p.condition, &p, err)) return false;
    if (!*text) return gpudbg_fail(err, "usage", "what to watch is missing");
    snprintf(p.what, sizeof p.what, "%.127s", text);
    if (!watched(g, text, &p, err)) return false;
    const struct stop_point *added = stops_add(&g->control, &p, err);
    if (added) report_point(g, added, out);
    return added != NULL;
}

static bool run_watch(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return add_watch(g, a, false, true, out, err);
}

static bool run_rwatch(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return add_watch(g, a, true, false, out, err);
}

static bool run_awatch(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    return add_watch(g, a, true, true, out, err);
}

#define WATCH_USAGE "PLACE[,SIZE] [wave N] [lane N] [if COND]"
static const struct gpudbg_command watch = {
    .name = "watch",
    .usage = WATCH_USAGE,
    .summary = "stop after a store to memory",
    .help = "watch *(u32*)(a+16), watch lds:64, watch a,32; a buffer's name alone watches all of it.\n"
            "lane N stops only where that lane stores there.",
    .family = "Breakpoints",
    .run = run_watch,
    .complete = complete_expression,
};
static const struct gpudbg_command rwatch = {
    .name = "rwatch",
    .usage = WATCH_USAGE,
    .summary = "stop after a load from memory",
    .family = "Breakpoints",
    .run = run_rwatch,
    .complete = complete_expression,
};
static const struct gpudbg_command awatch = {
    .name = "awatch",
    .usage = WATCH_USAGE,
    .summary = "stop after a load or a store",
    .family = "Breakpoints",
    .run = run_awatch,
    .complete = complete_expression,
};

/* ---- delete, enable, disable, condition, ignore ---- */

static struct stop_point *take_point(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_error *err)
{
    uint64_t number;
    if (!gpudbg_args_number(a, &number, err)) return NULL;
    struct stop_point *p = number && number <= INT32_MAX ? stops_find(&g->control, (int)number) : NULL;
    if (!p) gpudbg_fail(err, "out-of-range", "no breakpoint or watchpoint %" PRIu64, number);
    return p;
}

static bool run_delete(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    if (!*gpudbg_args_rest(a)) {
        if (g->settings.confirm && stops_next(&g->control, 0) && g->front.ask &&
            !g->front.ask(g->front.data, "Delete all breakpoints?"))
            return true;
        return stops_remove(&g->control, 0, err);
    }
    while (*gpudbg_args_rest(a)) {
        const struct stop_point *p = take_point(g, a, err);
        if (!p || !stops_remove(&g->control, p->number, err)) return false;
    }
    return true;
}

static bool switch_points(struct gpudbg *g, struct gpudbg_args *a, bool on, struct gpudbg_error *err)
{
    bool all = !*gpudbg_args_rest(a);
    for (struct stop_point *p = stops_next(&g->control, 0); all && p; p = stops_next(&g->control, p->number))
        p->on = on;
    while (*gpudbg_args_rest(a)) {
        struct stop_point *p = take_point(g, a, err);
        if (!p) return false;
        p->on = on;
    }
    stops_arm(&g->control);
    return true;
}

static bool run_enable(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return switch_points(g, a, true, err);
}

static bool run_disable(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return switch_points(g, a, false, err);
}

static bool run_condition(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    struct stop_point *p = take_point(g, a, err);
    const char *condition = gpudbg_args_rest(a);
    if (!p || !check_condition(g, condition, p, err)) return false;
    if (strlen(condition) >= sizeof p->condition)
        return gpudbg_fail(
            err, "too-large", "a condition of %zu letters: at most %zu", strlen(condition), sizeof p->condition - 1);
    snprintf(p->condition, sizeof p->condition, "%s", condition);
    return true;
}

static bool run_ignore(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    struct stop_point *p = take_point(g, a, err);
    return p && args_value(a, "how often", &p->ignore, err);
}

static bool run_clear(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    uint64_t pc = location_here(&g->eval);
    if (*gpudbg_args_rest(a) && !location_addr(&g->eval, gpudbg_args_rest(a), &pc, err)) return false;
    if (!*gpudbg_args_rest(a) && g->running.machine && !eval_need_running(&g->eval, err)) return false;
    const struct stop_point *p = stops_at(&g->control, pc);
    if (!p) return gpudbg_fail(err, "out-of-range", "no breakpoint at 0x%" PRIx64, pc);
    for (; p; p = stops_at(&g->control, pc))
        if (!stops_remove(&g->control, p->number, err)) return false;
    return true;
}

static const struct gpudbg_command delete_command = {
    .name = "delete",
    .aliases = "d del",
    .usage = "[N]...",
    .summary = "delete breakpoints and watchpoints; without a number, all",
    .family = "Breakpoints",
    .run = run_delete,
};
static const struct gpudbg_command clear = {
    .name = "clear",
    .usage = "[PLACE]",
    .summary = "delete the breakpoints at a place",
    .family = "Breakpoints",
    .run = run_clear,
    .complete = complete_symbol,
};
static const struct gpudbg_command enable = {
    .name = "enable",
    .aliases = "en",
    .usage = "[N]...",
    .summary = "switch breakpoints and watchpoints on",
    .family = "Breakpoints",
    .run = run_enable,
};
static const struct gpudbg_command disable = {
    .name = "disable",
    .aliases = "dis",
    .usage = "[N]...",
    .summary = "switch them off",
    .family = "Breakpoints",
    .run = run_disable,
};
static const struct gpudbg_command condition = {
    .name = "condition",
    .aliases = "cond",
    .usage = "N [COND]",
    .summary = "give a breakpoint a condition, or take it away",
    .family = "Breakpoints",
    .run = run_condition,
};
static const struct gpudbg_command ignore = {
    .name = "ignore",
    .usage = "N COUNT",
    .summary = "pass over a breakpoint's next hits",
    .family = "Breakpoints",
    .run = run_ignore,
};

static const struct gpudbg_command *const commands[] = {
    &break_command,
    &tbreak,
    &watch,
    &rwatch,
    &awatch,
    &delete_command,
    &clear,
    &enable,
    &disable,
    &condition,
    &ignore,
    NULL,
};
static const struct gpudbg_listing *const listings[] = {&breakpoints, NULL};
COMMAND_FAMILY(cmd_stop, "stops", .summary = "breakpoints and watchpoints", .commands = commands, .listings = listings);
