/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Breakpoints and watchpoints: setting, deleting, switching, conditions; `info breakpoints`. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "image/image.h"
#include "session/command.h"
#include "eval/locals.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/session.h"
#include "control/point.h"
#include "control/watched.h"
#include "control/stop.h"
#include "eval/value.h"
#include "gpudbg/text.h"
#include "base/alloc.h"

/* ---- info breakpoints ---- */

/* A breakpoint or watchpoint; where it has several locations a row each follows. */
struct point_row {
    struct gpudbg *g;
    const struct stop_point *p;
    const struct stop_location *location; /* NULL: the point itself */
};

#define POINT(row) (((const struct point_row *)(row))->p)
#define LOCATION(row) (((const struct point_row *)(row))->location)

static int cell_number(const void *row, char *buf, size_t size)
{
    if (LOCATION(row))
        return snprintf(buf, size, "%d.%zu", POINT(row)->number, (size_t)(LOCATION(row) - POINT(row)->location) + 1);
    return snprintf(buf, size, "%d", POINT(row)->number);
}

static int cell_kind(const void *row, char *buf, size_t size)
{
    const struct stop_point *p = POINT(row);
    if (LOCATION(row)) return 0;
    const char *watch = !p->writes ? "read-watchpoint" : p->reads ? "access-watchpoint" : "watchpoint";
    return snprintf(buf, size, "%s",
        p->kind == STOP_BREAK   ? "breakpoint"
        : p->kind == STOP_CATCH ? "catchpoint"
                                : watch);
}

static int cell_on(const void *row, char *buf, size_t size)
{
    if (LOCATION(row)) return snprintf(buf, size, "%s", LOCATION(row)->on ? "on" : "off");
    return snprintf(buf, size, "%s%s", POINT(row)->on ? "on" : "off",
        POINT(row)->temporary                ? ", once"
        : POINT(row)->on && POINT(row)->once ? ", then off"
                                             : "");
}

static int cell_addr(const void *row, char *buf, size_t size)
{
    const struct stop_point *p = POINT(row);
    const bool none = p->nlocations > 1 || p->place.is_register || p->place.followed || p->kind == STOP_CATCH;
    if (!LOCATION(row) && none) return 0;
    return snprintf(buf, size, "0x%" PRIx64,
        LOCATION(row)           ? LOCATION(row)->pc
        : p->kind == STOP_BREAK ? p->location->pc
                                : p->place.piece->addr);
}

/* "kernel+0x40 in steps at a.cl:12": what stands there, the function where it is inlined, and the line. */
static int location_text(struct gpudbg *g, uint64_t pc, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    struct local_frame f = {0};
    text_wrote(&t, image_where(g->loaded.image, pc, text_end(&t), text_room(&t)));
    if (!g->loaded.image || !locals_frames(&g->eval, pc, &f, 1)) return text_length(&t);
    if (f.inlined && f.name) text_add(&t, " in %s", f.name);
    if (f.file) text_add(&t, " at %s:%" PRIu32, f.file, f.line);
    return text_length(&t);
}

static int cell_what(const void *row, char *buf, size_t size)
{
    const struct point_row *r = row;
    if (r->location) return location_text(r->g, r->location->pc, buf, size);
    if (r->p->nlocations == 1) return image_where(r->g->loaded.image, r->p->location->pc, buf, size);
    return snprintf(buf, size, "%s", r->p->what);
}

static int cell_value(const void *row, char *buf, size_t size)
{
    if (LOCATION(row)) return 0;
    return watched_value(&((const struct point_row *)row)->g->control, POINT(row), buf, size);
}

static int cell_hits(const void *row, char *buf, size_t size)
{
    if (LOCATION(row)) return 0;
    return snprintf(buf, size, "%" PRIu64, POINT(row)->hits);
}

static int cell_when(const void *row, char *buf, size_t size)
{
    const struct stop_point *p = POINT(row);
    struct text t = text_in(buf, size);
    if (LOCATION(row)) return 0;
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
    if (LOCATION(row)) return 0;
    if (POINT(row)->commands_off) text_add(&t, "(off) ");
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
    {"value", "value", 0, GPUDBG_PLAIN, cell_value},
    {"hits", "hits", 0, GPUDBG_COUNT, cell_hits},
    {"when", "when", 0, GPUDBG_NOTE, cell_when},
    {"commands", "commands", 0, GPUDBG_NOTE, cell_commands},
};

static bool rows_of(
    struct gpudbg *g, const char *args, bool watches, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    uint64_t only = 0;
    if (*args && !gpudbg_evaluate(g, args, &only, err)) return false;
    for (const struct stop_point *p = stops_next(&g->control, 0); p; p = stops_next(&g->control, p->number)) {
        struct point_row row = {g, p, NULL};
        if (watches && p->kind != STOP_WATCH) continue;
        if (only && (uint64_t)p->number != only) continue;
        if (!each(to, &row)) break;
        for (size_t i = 0; p->nlocations > 1 && i < p->nlocations; i++) {
            row.location = &p->location[i];
            if (!each(to, &row)) return true;
        }
    }
    return true;
}

static bool point_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    return rows_of(g, args, false, each, to, err);
}

static bool watch_rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    return rows_of(g, args, true, each, to, err);
}

static bool is_location(const void *row) { return LOCATION(row) != NULL; }

/* Members of the record that are no column: the locations of a breakpoint. */
static void point_record(const void *row, struct gpudbg_out *out)
{
    const struct point_row *r = row;
    struct gpudbg *g = r->g;
    if (r->p->kind != STOP_BREAK) return;
    SAY(out, NULL, IF(r->p->nlocations > 1, HEX("addr", r->p->nlocations ? r->p->location->pc : 0)),
        IF(r->p->line, NUMBER("line", r->p->line)));
    gpudbg_out_array(out, "locations");
    for (size_t i = 0; i < r->p->nlocations; i++) {
        const struct point_row location = {g, r->p, &r->p->location[i]};
        char number[24], where[256];
        struct local_frame f = {0};
        cell_number(&location, number, sizeof number);
        image_where(g->loaded.image, location.location->pc, where, sizeof where);
        const bool framed = g->loaded.image && locals_frames(&g->eval, location.location->pc, &f, 1);
        ITEM(out, NULL, NULL, STRING("number", number), HEX("addr", location.location->pc), STRING("where", where),
            STRING("state", location.location->on ? "on" : "off"), STRING("function", f.name),
            IF(framed, BOOL("inlined", f.inlined)), STRING("file", f.file), IF(f.file, NUMBER("line", f.line)));
    }
    gpudbg_out_close(out);
}

static const struct gpudbg_listing breakpoints = {
    .name = "breakpoints",
    .summary = "list the breakpoints and watchpoints",
    .type = "breakpoint",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = point_rows,
    .empty = "no breakpoints",
    .is_part = is_location,
    .record = point_record,
};

static const struct gpudbg_listing watchpoints = {
    .name = "watchpoints",
    .summary = "list the watchpoints",
    .type = "breakpoint",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = watch_rows,
    .empty = "no watchpoints",
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

/* Cuts "PLACE [wave N] [lane N] [if COND]": the keywords fill the point, PLACE stays.  gdb says thread for a wave. */
static bool take_when(struct gpudbg *g, char *text, struct stop_point *p, struct gpudbg_error *err)
{
    const uint64_t lanes = g->running.machine ? g->running.machine->lanes : 64,
                   waves = g->running.machine ? g->running.machine->nwaves : INT32_MAX;
    for (char *at = text; *at; at++) {
        if (!is_word(at, text, "if") && !is_word_of(at, text, "if(")) continue;
        const char *condition = at + 2 + strspn(at + 2, " \t");
        if (strlen(condition) >= sizeof p->condition)
            return gpudbg_fail(err, "too-large", "the condition has %zu letters; at most %zu are possible",
                strlen(condition), sizeof p->condition - 1);
        snprintf(p->condition, sizeof p->condition, "%s", condition);
        *at = 0;
        break;
    }
    for (char *at = text + strlen(text); at-- > text;) {
        const bool thread = is_word(at, text, "thread");
        bool wave = thread || is_word(at, text, "wave"), lane = is_word(at, text, "lane");
        uint64_t n;
        if (!wave && !lane) continue;
        if (!gpudbg_evaluate(g, at + (thread ? 6 : 4), &n, err)) return false;
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

static void report_point(struct gpudbg *g, const struct stop_point *p, struct gpudbg_out *out)
{
    char where[256], number[16];
    struct gpudbg_error err = {0};
    const struct value last = value_signed(p->number);
    value_set_variable(&g->eval, "bpnum", &last, &err); /* as gdb has it, for scripts */
    if (gpudbg_out_json(out)) {
        snprintf(number, sizeof number, "%d", p->number);
        session_listing(g, out, &breakpoints, number, &err);
        return;
    }
    if (p->nlocations == 1)
        image_where(g->loaded.image, p->location->pc, where, sizeof where);
    else
        text_put(where, sizeof where, "%s", p->what);
    const char *kind = p->kind == STOP_WATCH   ? "Watchpoint"
                       : p->kind == STOP_CATCH ? "Catchpoint"
                       : p->temporary          ? "Temporary breakpoint"
                                               : "Breakpoint";
    int named = g->running.machine && p->lane < 0 ? stop_condition_lane(g->running.machine->isa, p->condition) : -1;
    const int lane = p->lane >= 0 ? p->lane : named;
    SAY(out,
        "{kind} {number}{at|} {where}[: {locations} locations][, wave {wave}][, lane {lane}]"
        "[; that line has no code, line {line} was taken]\n",
        TEXT("at", p->kind == STOP_CATCH ? ":" : " at"), STRING("kind", kind), NUMBER("number", p->number),
        STRING("where", where), IF(p->nlocations > 1, NUMBER("locations", p->nlocations)),
        IF(p->wave >= 0, NUMBER("wave", p->wave)), IF(lane >= 0, NUMBER("lane", lane)),
        IF(p->line, NUMBER("line", p->line)));
}

static bool add_break(
    struct gpudbg *g, struct gpudbg_args *a, bool temporary, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct stop_point p = {.kind = STOP_BREAK, .on = true, .temporary = temporary, .wave = -1, .lane = -1};
    char text[1024];
    if (!eval_need_image(&g->eval, err)) return false;
    if (!args_whole(a, text, sizeof text, err)) return false;
    if (!take_when(g, text, &p, err)) return false;
    if (!*text && g->running.machine && !eval_need_running(&g->eval, err)) return false;
    if (!point_named(&p, text, err)) return false;
    const struct stop_point *added = NULL;
    if (point_locations(&g->control, text, &p, err) && point_condition(&g->control, p.condition, &p, err))
        added = stops_add(&g->control, &p, err);
    if (added)
        report_point(g, added, out);
    else
        free(p.location);
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
    .aliases = "b br hbreak hb",
    .usage = "[PLACE] [wave N] [lane N] [if COND]",
    .summary = "set a breakpoint: stop before an instruction",
    .help = "PLACE    *ADDR, SYMBOL, SYMBOL+OFF, L0080 (a label), FILE:LINE or LINE; without it, the next\n"
            "         instruction.  A function stops after its prologue and in every inlined copy, a line at each\n"
            "         of its statements: one number with locations 1.1, 1.2, ... (`help places`)\n"
            "wave N   stop only this wave\n"
            "lane N   stop only when this lane executes\n"
            "if COND  stop only when this expression is true.  If it uses lane registers without naming a lane\n"
            "         ($v3 > 1), it is true if it is true in any lane that executes; gpudbg then selects that\n"
            "         lane.",
    .family = "Breakpoints",
    .run = run_break,
    .complete = complete_code,
};

static const struct gpudbg_command tbreak = {
    .name = "tbreak",
    .aliases = "tb thbreak thb",
    .usage = "[PLACE] [wave N] [lane N] [if COND]",
    .summary = "set a breakpoint that is deleted after one hit",
    .help = "PLACE, N and COND are those of `break`.",
    .family = "Breakpoints",
    .run = run_tbreak,
    .complete = complete_code,
};

static bool add_watch(
    struct gpudbg *g, struct gpudbg_args *a, bool reads, bool writes, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct stop_point p = {.kind = STOP_WATCH, .on = true, .reads = reads, .writes = writes, .wave = -1, .lane = -1};
    char text[1024];
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!args_whole(a, text, sizeof text, err)) return false;
    if (!take_when(g, text, &p, err) || !point_condition(&g->control, p.condition, &p, err)) return false;
    if (!*text) return gpudbg_fail(err, "usage", "the register or memory to watch is missing");
    if (!point_named(&p, text, err)) return false;
    const struct stop_point *added = point_watch(&g->control, text, &p, err);
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
#define WATCH_WORDS "PLACE, SIZE, N and COND are those of `watch`."
static const struct gpudbg_command watch = {
    .name = "watch",
    .usage = WATCH_USAGE,
    .summary = "set a watchpoint: stop after a register or memory is changed",
    .help = "    watch $v7[12]         a register in a lane; $v7[:] in all lanes, $s[4:7] four registers\n"
            "    watch $exec[3]        a bit of a mask; $r16.3:f an element, $r1.x a component\n"
            "    watch *(u32*)(a+16)   4 bytes at an address\n"
            "    watch lds:64          an address in LDS\n"
            "    watch a,32            32 bytes\n"
            "    watch a               the whole buffer a\n"
            "    watch s.x             a variable of the source, or a part of one, of the selected lane\n"
            "A variable in registers is followed where the compiler moves it.  When no place for it can come\n"
            "any more, the run stops once and the watchpoint is deleted.\n"
            "A register belongs to the selected wave, or to wave N.  The stop shows its old and new value.\n"
            "A write that leaves the value as it was does not stop, as in gdb: `awatch` stops at every access.\n"
            "lane N   stop only when this lane stores there; wave N and if COND as in `break`.",
    .family = "Breakpoints",
    .run = run_watch,
    .complete = complete_expression,
};
static const struct gpudbg_command rwatch = {
    .name = "rwatch",
    .usage = WATCH_USAGE,
    .summary = "set a watchpoint: stop after a register or memory is read",
    .help = WATCH_WORDS,
    .family = "Breakpoints",
    .run = run_rwatch,
    .complete = complete_expression,
};
static const struct gpudbg_command awatch = {
    .name = "awatch",
    .usage = WATCH_USAGE,
    .summary = "set a watchpoint: stop after a register or memory is read or written",
    .help = WATCH_WORDS,
    .family = "Breakpoints",
    .run = run_awatch,
    .complete = complete_expression,
};

static bool run_catch(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct stop_point p = {.kind = STOP_CATCH, .on = true, .wave = -1, .lane = -1};
    char text[1024];
    if (!eval_need_machine(&g->eval, err)) return false;
    if (!args_whole(a, text, sizeof text, err)) return false;
    if (!take_when(g, text, &p, err) || !point_condition(&g->control, p.condition, &p, err)) return false;
    if (!catch_named(text, &p.catching.kind, err)) return false;
    if (!catch_applies(g->running.machine->isa, p.catching.kind, err)) return false;
    snprintf(p.what, sizeof p.what, "%s", catch_words[p.catching.kind]);
    const struct stop_point *added = stops_add(&g->control, &p, err);
    if (added) report_point(g, added, out);
    return added != NULL;
}

static const struct gpudbg_command catch_command = {
    .name = "catch",
    .usage = "WHAT [wave N] [lane N] [if COND]",
    .summary = "set a catchpoint: stop after something happens, wherever it happens",
    .help = "nan, inf, denormal  an instruction produces one in a lane without having one as an input: the\n"
            "                    stop is where the first one appears\n"
            "divergence          the wave diverges: some active lanes go idle, others continue\n"
            "exec==0             the mask of lanes becomes 0 (in instruction sets that have a register exec)\n"
            "barrier             a wave arrives at a barrier\n"
            "message             an instruction sends a message to another unit\n"
            "event               the program reports something: a trap, a message to the host (`info events`)\n"
            "fault               an instruction cannot be executed: the wave stops before it\n"
            "The stop selects the wave and the first lane in which it happened.  Catchpoints work in both directions.\n"
            "wave N, lane N and if COND mean what they mean for `break`; `condition`, `ignore`, `commands`, `delete`,\n"
            "`enable` and `disable` work on catchpoints, too.",
    .family = "Breakpoints",
    .run = run_catch,
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

/* "N", or "N.M": one of its locations. */
static struct stop_point *take_point_or_location(
    struct gpudbg *g, struct gpudbg_args *a, struct stop_location **location, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a);
    int number, which, end = 0;
    struct value last;
    if (strncmp(rest, "$bpnum.", 7) == 0 && sscanf(rest + 7, "%9d%n", &which, &end) == 1 &&
        (!rest[7 + end] || isspace((unsigned char)rest[7 + end]))) {
        if (!expr_value(&g->eval, "$bpnum", &last, err)) return NULL;
        number = (int)last.i;
        end += 7;
    } else if (sscanf(rest, "%9d.%9d%n", &number, &which, &end) != 2 ||
               (rest[end] && !isspace((unsigned char)rest[end])))
        return take_point(g, a, err);
    struct stop_point *p = stops_find(&g->control, number);
    if (!p || which < 1 || (size_t)which > p->nlocations) {
        gpudbg_fail(err, "out-of-range", "no location %d.%d of a breakpoint", number, which);
        return NULL;
    }
    gpudbg_args_word(a);
    *location = &p->location[which - 1];
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

/* What a stop does to a point that is switched on. */
enum after_stop { STAYS_ON, GOES_OFF, GOES };

static void switch_point(struct stop_point *p, bool on, enum after_stop after)
{
    p->on = on;
    p->once = after == GOES_OFF;
    if (after == GOES) p->temporary = true;
}

static bool switch_points(
    struct gpudbg *g, struct gpudbg_args *a, bool on, enum after_stop after, struct gpudbg_error *err)
{
    bool all = !*gpudbg_args_rest(a);
    for (struct stop_point *p = stops_next(&g->control, 0); all && p; p = stops_next(&g->control, p->number))
        switch_point(p, on, after);
    while (*gpudbg_args_rest(a)) {
        struct stop_location *location = NULL;
        struct stop_point *p = take_point_or_location(g, a, &location, err);
        if (!p) return false;
        if (location && after != STAYS_ON)
            return gpudbg_fail(err, "unsupported", "once and delete are for whole breakpoints, not for one location");
        if (location)
            location->on = on;
        else
            switch_point(p, on, after);
    }
    stops_arm(&g->control);
    return true;
}

static bool run_enable(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a);
    const size_t n = strcspn(rest, " \t");
    const enum after_stop after = n == 4 && strncmp(rest, "once", n) == 0     ? GOES_OFF
                                  : n == 6 && strncmp(rest, "delete", n) == 0 ? GOES
                                                                              : STAYS_ON;
    (void)out;
    if (after != STAYS_ON) gpudbg_args_word(a);
    if (after != STAYS_ON && !*gpudbg_args_rest(a))
        return gpudbg_fail(err, "usage", "enable %.*s: a breakpoint's number is missing", (int)n, rest);
    return switch_points(g, a, true, after, err);
}

static bool run_disable(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return switch_points(g, a, false, STAYS_ON, err);
}

static bool switch_commands(struct gpudbg *g, struct gpudbg_args *a, bool on, struct gpudbg_error *err)
{
    const bool all = !*gpudbg_args_rest(a);
    for (struct stop_point *p = stops_next(&g->control, 0); all && p; p = stops_next(&g->control, p->number))
        p->commands_off = !on;
    while (*gpudbg_args_rest(a)) {
        struct stop_point *p = take_point(g, a, err);
        if (!p) return false;
        p->commands_off = !on;
    }
    return true;
}

static bool run_enable_commands(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return switch_commands(g, a, true, err);
}

static bool run_disable_commands(
    struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    return switch_commands(g, a, false, err);
}

static bool run_condition(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    struct stop_point *p = take_point(g, a, err);
    const char *condition = gpudbg_args_rest(a);
    if (!p || !point_condition(&g->control, condition, p, err)) return false;
    if (strlen(condition) >= sizeof p->condition)
        return gpudbg_fail(err, "too-large", "the condition has %zu letters; at most %zu are possible",
            strlen(condition), sizeof p->condition - 1);
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
    if (!*gpudbg_args_rest(a) && g->running.machine && !eval_need_running(&g->eval, err)) return false;
    struct stop_point there = {.kind = STOP_BREAK};
    bool good = eval_need_image(&g->eval, err) && point_locations(&g->control, gpudbg_args_rest(a), &there, err),
         any = false;
    for (size_t i = 0; good && i < there.nlocations; i++)
        for (const struct stop_point *p; good && (p = stops_at(&g->control, there.location[i].pc)); any = true)
            good = stops_remove(&g->control, p->number, err);
    if (good && !any) good = gpudbg_fail(err, "out-of-range", "no breakpoint at 0x%" PRIx64, there.location->pc);
    free(there.location);
    return good;
}

static const struct gpudbg_command delete_command = {
    .name = "delete",
    .aliases = "d del",
    .usage = "[N]...",
    .summary = "delete breakpoints and watchpoints; without N, all of them",
    .family = "Breakpoints",
    .run = run_delete,
};
static const struct gpudbg_command clear = {
    .name = "clear",
    .usage = "[PLACE]",
    .summary = "delete the breakpoints at a place",
    .family = "Breakpoints",
    .run = run_clear,
    .complete = complete_code,
};
static const struct gpudbg_command enable = {
    .name = "enable",
    .aliases = "en",
    .usage = "[once | delete] [N | N.M]...",
    .summary = "enable breakpoints and watchpoints",
    .help = "N.M is location M of breakpoint N.  Without a number, the command enables all.\n"
            "enable once N     enable N until it stops the program, then disable it\n"
            "enable delete N   enable N until it stops the program, then delete it",
    .family = "Breakpoints",
    .run = run_enable,
};
static const struct gpudbg_command disable = {
    .name = "disable",
    .aliases = "dis disa",
    .usage = "[N | N.M]...",
    .summary = "disable breakpoints and watchpoints without deleting them",
    .help = "N.M is location M of breakpoint N.  Without a number, the command disables all.",
    .family = "Breakpoints",
    .run = run_disable,
};
static const struct gpudbg_command enable_commands = {
    .name = "enable commands",
    .usage = "[N]...",
    .summary = "let breakpoints run their commands",
    .help = "Commands that came with a saved session stay off until you enable them.  Without a number, the\n"
            "command switches on those of all breakpoints; `info breakpoints` shows them.",
    .family = "Breakpoints",
    .run = run_enable_commands,
};
static const struct gpudbg_command disable_commands = {
    .name = "disable commands",
    .usage = "[N]...",
    .summary = "let breakpoints stop without running their commands",
    .family = "Breakpoints",
    .run = run_disable_commands,
};
static const struct gpudbg_command condition = {
    .name = "condition",
    .aliases = "cond",
    .usage = "N [COND]",
    .summary = "give a breakpoint a condition; without COND, remove it",
    .family = "Breakpoints",
    .run = run_condition,
};
static const struct gpudbg_command ignore = {
    .name = "ignore",
    .usage = "N COUNT",
    .summary = "ignore a breakpoint's next COUNT hits",
    .family = "Breakpoints",
    .run = run_ignore,
};

static const struct gpudbg_command *const commands[] = {
    &break_command,
    &tbreak,
    &watch,
    &rwatch,
    &awatch,
    &catch_command,
    &delete_command,
    &clear,
    &enable,
    &disable,
    &enable_commands,
    &disable_commands,
    &condition,
    &ignore,
    NULL,
};
static const struct gpudbg_listing *const listings[] = {&breakpoints, &watchpoints, NULL};
COMMAND_FAMILY(cmd_stop, "stops", .summary = "breakpoints and watchpoints", .commands = commands, .listings = listings);
