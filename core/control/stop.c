/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.c: breakpoints and watchpoints with their conditions; running until one of them says so; saying why it stopped. */
#include "image/image.h"
#include "control/stop.h"
#include "control/check.h"
#include "eval/expr.h"
#include "code/insn.h"
#include "eval/locals.h"
#include "session/session.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stops {
    struct stop_point **point; /* sorted by number */
    size_t n;
    int last; /* number given */
};

struct stops *stops_new(void)
{
    return calloc(1, sizeof(struct stops));
}

static void point_free(struct stop_point *p)
{
    lines_free(&p->commands);
    free(p);
}

void stops_free(struct stops *s)
{
    if (!s) return;
    for (size_t i = 0; i < s->n; i++) point_free(s->point[i]);
    free(s->point);
    free(s);
}

/* ---- The list ---- */

struct stop_point *stops_next(struct gpudbg *g, int after)
{
    for (size_t i = 0; g->stops && i < g->stops->n; i++)
        if (g->stops->point[i]->number > after) return g->stops->point[i];
    return NULL;
}

struct stop_point *stops_find(struct gpudbg *g, int number)
{
    struct stop_point *p = stops_next(g, number - 1);
    return p && p->number == number ? p : NULL;
}

struct stop_point *stops_at(struct gpudbg *g, uint64_t pc)
{
    for (struct stop_point *p = stops_next(g, 0); p; p = stops_next(g, p->number))
        if (p->kind == STOP_BREAK && p->pc == pc) return p;
    return NULL;
}

static size_t shown_size(const struct stop_point *p)
{
    return p->size < sizeof p->now ? (size_t)p->size : sizeof p->now;
}

static void read_now(struct gpudbg *g, struct stop_point *p, uint32_t wave)
{
    struct gpudbg_error err = {0};
    machine_peek(g->running.machine, wave, p->space, p->addr, p->now, shown_size(p), NULL, &err);
}

static bool set_armed(struct gpudbg *g, struct stop_point *p, bool on, struct gpudbg_error *err)
{
    if (!g->running.machine) return true;
    if (p->kind == STOP_BREAK) return machine_break(g->running.machine, p->pc, p->number, on, err);
    if (on) read_now(g, p, g->selection.wave);
    return machine_watch(g->running.machine, p->space, p->addr, p->size, p->reads, p->writes, p->number, on, err);
}

void stops_arm(struct gpudbg *g)
{
    struct gpudbg_error err = {0};
    for (struct stop_point *p = stops_next(g, 0); p; p = stops_next(g, p->number)) {
        set_armed(g, p, false, &err);
        if (p->on) set_armed(g, p, true, &err); /* what a new launch does not have cannot be met */
    }
}

struct stop_point *stops_add(struct gpudbg *g, const struct stop_point *wanted, struct gpudbg_error *err)
{
    struct stops *s = g->stops;
    struct stop_point *p = malloc(sizeof *p), **grown = realloc(s->point, (s->n + 1) * sizeof(struct stop_point *));
    if (grown) s->point = grown;
    if (!p || !grown) {
        free(p);
        gpudbg_fail(err, "command", "no memory for a breakpoint");
        return NULL;
    }
    *p = *wanted;
    p->number = s->last + 1;
    if (p->on && !set_armed(g, p, true, err)) {
        free(p);
        return NULL;
    }
    s->last++;
    return s->point[s->n++] = p;
}

bool stops_remove(struct gpudbg *g, int number, struct gpudbg_error *err)
{
    struct stops *s = g->stops;
    struct gpudbg_error ignored = {0};
    bool found = number == 0;
    for (size_t i = s->n; i-- > 0;) {
        struct stop_point *p = s->point[i];
        if (number && p->number != number) continue;
        found = true;
        set_armed(g, p, false, &ignored);
        point_free(p);
        memmove(s->point + i, s->point + i + 1, (--s->n - i) * sizeof(struct stop_point *));
    }
    return found || gpudbg_fail(err, "command", "there is no breakpoint or watchpoint %d", number);
}

/* ---- Lanes of a condition ---- */

enum { SCALAR = -1, VARIES = -2 }; /* else the lane that the condition names */

/* The file of registers with lanes that the name (behind '$') belongs to, or NULL; *end: behind name and number. */
static const struct gpudbg_regfile *laned_file(const struct gpudbg_isa *isa, const char *name, const char **end)
{
    size_t word = 0;
    while (isalpha((unsigned char)name[word]) || name[word] == '_') word++;
    for (size_t i = 0; i < isa->nfiles; i++) {
        const struct gpudbg_regfile *file = &isa->files[i];
        if ((file->lanes <= 1 && !file->mask) || strlen(file->name) != word || strncmp(file->name, name, word) != 0) continue;
        *end = name + word;
        if (file->indexed && **end == '[') *end += strcspn(*end, "]") + 1; /* $v[4:5] */
        else while (isdigit((unsigned char)**end)) ++*end;
        if (file->parts && **end == '.') *end += 1 + strspn(*end + 1, file->parts); /* $r0.x */
        return file;
    }
    return NULL;
}

int stop_condition_lane(const struct gpudbg_isa *isa, const char *condition)
{
    int lane = SCALAR;
    for (const char *p = strchr(condition, '$'); p; p = strchr(p + 1, '$')) {
        const char *end;
        const struct gpudbg_regfile *file = laned_file(isa, p + 1, &end);
        if (strncmp(p, "$lane", 5) == 0 && !isalnum((unsigned char)p[5])) return VARIES;
        if (!file) continue;
        if (*end == '[' && isdigit((unsigned char)end[1])) lane = atoi(end + 1);
        else if (!file->mask) return VARIES;
    }
    return lane;
}

/* ---- Running ---- */

struct stops_run {
    struct gpudbg *g;
    const struct machine_want *user;
    bool backwards;
    int number, lane; /* of the stop accepted: forwards the first, backwards the latest */
    char trouble[140]; /* a condition that could not be evaluated */
    char also[40]; /* "; breakpoint 2, too" */
};

static bool holds_in(struct stops_run *r, const struct stop_point *p, const struct gpudbg_wave *w, int lane)
{
    struct gpudbg_error err = {0};
    bool is;
    if (expr_holds(&r->g->eval, w->id, lane, p->condition, &is, &err)) return is;
    snprintf(r->trouble, sizeof r->trouble, "its condition '%.40s' fails: %.70s", p->condition, err.message);
    return true;
}

/* Whether the point's condition holds for the wave, and for which lane (-1: no one lane). */
static bool holds(struct stops_run *r, const struct stop_point *p, const struct gpudbg_wave *w, int *lane)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    const uint64_t did = p->kind == STOP_WATCH ? machine_watch_lanes(w->machine, p->number) : UINT64_MAX;
    const uint64_t active = did == UINT64_MAX ? isa->run->active(w) : did;
    *lane = p->lane;
    if (p->lane >= 0 && !(active >> p->lane & 1)) return false;
    if (!p->condition[0]) return true;
    int named = stop_condition_lane(isa, p->condition);
    if (named == SCALAR && locals_named(&r->g->eval, w->pc, p->condition)) named = VARIES;
    if (named >= 0 && *lane < 0) *lane = named;
    if (named != VARIES || p->lane >= 0) return holds_in(r, p, w, *lane);
    for (*lane = 0; *lane < isa->lanes && *lane < 64; ++*lane)
        if (active >> *lane & 1 && holds_in(r, p, w, *lane)) return true;
    return false;
}

static bool ask_hit(void *data, struct gpudbg_wave *w, int number)
{
    struct stops_run *r = data;
    struct stop_point *p = stops_find(r->g, number);
    int lane;
    if (!p || !p->on || (p->wave >= 0 && w->id != (uint32_t)p->wave)) return false;
    const bool again = r->number && !r->backwards;
    if (!again) r->trouble[0] = '\0';
    if (!holds(r, p, w, &lane)) return false;
    if (!r->backwards) {
        p->hits++;
        if (p->ignore) {
            p->ignore--;
            return false;
        }
    }
    if (p->kind == STOP_WATCH) {
        machine_watch_old(w->machine, number, p->old);
        read_now(r->g, p, w->id);
    }
    if (r->backwards && r->number) stops_find(r->g, r->number)->met = false;
    p->met = true;
    if (again) {
        snprintf(r->also, sizeof r->also, "; %s %d, too", p->kind == STOP_WATCH ? "watchpoint" : "breakpoint", number);
        return true;
    }
    r->number = number;
    r->lane = lane;
    return true;
}

/* Breakpoints at the instruction before which something else stopped are met as well: the next run would pass over them. */
static void meet_here(struct stops_run *r)
{
    struct gpudbg *g = r->g;
    struct gpudbg_error ignored = {0};
    struct machine_wave_info info;
    machine_wave_info(g->running.machine, g->running.last.wave, &info);
    struct gpudbg_wave *w = machine_wave(g->running.machine, g->running.last.wave, &ignored);
    if (!w || info.state == GPUDBG_ENDED || info.state == GPUDBG_AT_BARRIER) return;
    for (struct stop_point *p = stops_next(g, 0); p; p = stops_next(g, p->number)) {
        if (p->kind != STOP_BREAK || p->pc != g->running.last.pc || p->met || !ask_hit(r, w, p->number)) continue;
        if (g->running.last.reason != GPUDBG_STOP_STEP) {
            snprintf(r->also, sizeof r->also, "; breakpoint %d, too", p->number);
            continue;
        }
        g->running.last.reason = GPUDBG_STOP_BREAKPOINT;
        g->running.last.number = p->number;
    }
}

/* Takes away the temporary ones that were met. */
static bool remove_met(struct gpudbg *g, bool stopped, struct gpudbg_error *err)
{
    bool good = true;
    if (!stopped) return true; /* a search back that was given up */
    for (struct stop_point *p = stops_next(g, 0), *next; p; p = next) {
        next = stops_next(g, p->number);
        if (p->met && p->temporary) good = stops_remove(g, p->number, err) && good;
    }
    return good;
}

static bool ask_every(void *data, struct gpudbg_wave *w)
{
    const struct stops_run *r = data;
    return r->user->every(r->user->data, w);
}

static bool ask_tick(void *data, uint64_t done, uint64_t todo)
{
    const struct stops_run *r = data;
    if (r->user->tick) return r->user->tick(r->user->data, done, todo);
    return !r->g->front.tick || r->g->front.tick(r->g->front.data, done, todo);
}

/* "matmul+0x1a0: ds_read_b32 v7, v12 offset:64" */
static void describe_place(const struct gpudbg *g, const struct gpudbg_insn *insn, uint64_t pc, char *buf, size_t size)
{
    int n = image_where(g->loaded.image, pc, buf, size);
    if (!insn || n < 0 || (size_t)n + 2 >= size) return;
    struct code_names names;
    code_names_plain(&names, g->loaded.image);
    memcpy(buf + n, ": ", 3);
    insn->isa->text(insn, session_syntax(g, insn->isa), GPUDBG_READABLE, &names.names, buf + n + 2, size - (size_t)n - 2);
    code_names_close(&names);
}

static void describe_next(const struct gpudbg *g, uint64_t pc, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    describe_place(g, g->loaded.image && insn_at(g->loaded.image, pc, &insn) ? &insn : NULL, pc, buf, size);
}

static bool ended(const struct gpudbg *g, uint32_t wave)
{
    struct machine_wave_info info;
    machine_wave_info(g->running.machine, wave, &info);
    return info.state == GPUDBG_ENDED;
}

/* The line that a stop is reported by. */
static void describe(struct gpudbg *g, const struct stops_run *r)
{
    struct gpudbg_stop *s = &g->running.last;
    char who[48], place[140], own[sizeof s->message];
    snprintf(own, sizeof own, "%s", s->message);
    if (s->lane >= 0) snprintf(who, sizeof who, "wave %u, lane %d", s->wave, s->lane);
    else snprintf(who, sizeof who, "wave %u", s->wave);
    struct machine_wave_info info;
    machine_wave_info(g->running.machine, s->wave, &info);
    if (info.lost_pc) snprintf(place, sizeof place, "an unknown address");
    else describe_next(g, s->pc, place, sizeof place);
    struct gpudbg_insn before;
    const struct stop_point *p = stops_find(g, s->number);
    switch (s->reason) {
    case GPUDBG_STOP_BREAKPOINT:
        snprintf(s->message, sizeof s->message, "Breakpoint %d, %s at %s%s%s%s", s->number, who, place, r->also,
            r->trouble[0] ? "; " : "", r->trouble);
        break;
    case GPUDBG_STOP_WATCHPOINT:
        /* Loads and stores do not jump: the instruction is the one before. */
        if (g->loaded.image && insn_before(g->loaded.image, s->pc, &before)) describe_place(g, &before, before.addr, place, sizeof place);
        snprintf(s->message, sizeof s->message, "Watchpoint %d (%.40s), %s after %.130s%s%s%.100s", s->number, p ? p->what : "", who, place,
            r->also, r->trouble[0] ? "; " : "", r->trouble);
        break;
    case GPUDBG_STOP_DONE:
        snprintf(s->message, sizeof s->message, "Done: %u wave%s, %" PRIu64 " instructions", g->running.machine->nwaves,
            g->running.machine->nwaves == 1 ? "" : "s", machine_position(g->running.machine));
        break;
    case GPUDBG_STOP_CHECK: snprintf(s->message, sizeof s->message, "Check, %s at %s: %.150s%s", who, place, checks_said(g->checks), r->also); break;
    case GPUDBG_STOP_FAULT: snprintf(s->message, sizeof s->message, "Fault, %s at %.330s", who, own); break;
    case GPUDBG_STOP_INTERRUPT: snprintf(s->message, sizeof s->message, "%.100s, %s at %s%s", own[0] ? own : "Interrupted", who, place, r->also); break;
    case GPUDBG_STOP_HISTORY_START: snprintf(s->message, sizeof s->message, "Start of history, %s at %s", who, place); break;
    default:
        if (ended(g, s->wave)) snprintf(own, sizeof own, "wave %u has ended", s->wave);
        if (own[0]) snprintf(s->message, sizeof s->message, "%s", own);
        else snprintf(s->message, sizeof s->message, "%s at %s", who, place);
        s->message[0] = (char)toupper((unsigned char)s->message[0]);
        break;
    }
}

/* The commands of the point that stopped are to be run, by whoever ran the machine. */
static bool attach(struct gpudbg *g, const struct stop_point *p, struct gpudbg_error *err)
{
    struct script *s = g->script;
    lines_free(&s->attached);
    s->runs++;
    s->silent = p && p->commands.n && line_is(p->commands.line[0], "silent");
    for (size_t i = s->silent; p && i < p->commands.n; i++)
        if (!lines_add(&s->attached, p->commands.line[i], err)) return false;
    return true;
}

bool stops_run(struct gpudbg *g, struct machine_want *want, struct gpudbg_error *err)
{
    if (!g->running.machine) return gpudbg_fail(err, "command", "nothing is launched");
    const uint64_t start = machine_position(g->running.machine);
    struct stops_run r = {.g = g, .user = want, .lane = -1};
    struct machine_want run = *want;
    r.backwards = want->until == MACHINE_POSITION ? want->count < start : want->backwards;
    run.hit = ask_hit;
    run.every = want->every ? ask_every : NULL;
    run.tick = ask_tick;
    run.data = &r;
    if (run.until == MACHINE_END || run.until == MACHINE_POSITION) run.wave = g->selection.wave;
    run.limit = g->settings.step_limit;
    run.observed = !r.backwards && checks_watch(g->checks);
    if (run.observed && !checks_catch_up(g->checks, err)) return false;
    for (struct stop_point *p = stops_next(g, 0); p; p = stops_next(g, p->number)) p->met = false;
    g->running.last = machine_run(g->running.machine, &run);
    struct gpudbg_stop *s = &g->running.last;
    const bool ran = machine_position(g->running.machine) > start;
    if (want->stops && ran && !r.backwards && s->reason != GPUDBG_STOP_DONE && s->reason != GPUDBG_STOP_FAULT) meet_here(&r);
    /* Somewhere in time, a wave that has ended there is less worth looking at than the one that runs. */
    const uint32_t next = machine_next_wave(g->running.machine);
    if (run.until == MACHINE_POSITION && s->reason == GPUDBG_STOP_STEP && next != MACHINE_NO_WAVE && ended(g, s->wave)) {
        struct machine_wave_info info;
        machine_wave_info(g->running.machine, next, &info);
        s->wave = next;
        s->pc = info.pc;
    }
    const bool point = s->reason == GPUDBG_STOP_BREAKPOINT || s->reason == GPUDBG_STOP_WATCHPOINT;
    if (point) s->lane = r.lane;
    if (s->reason != GPUDBG_STOP_DONE) g->selection.wave = s->wave;
    if (s->lane >= 0) g->selection.lane = s->lane;
    if (s->reason == GPUDBG_STOP_FAULT) g->running.faulted = true;
    struct machine_history history;
    machine_history(g->running.machine, &history);
    if (history.position > start && history.pages) g->running.unsaved = true; /* something was stored */
    g->selection.cursor = s->pc;
    describe(g, &r);
    const struct stop_point *p = point ? stops_find(g, s->number) : NULL;
    return attach(g, p, err) && remove_met(g, point || !r.backwards, err);
}

/* ---- Saying why ---- */

static void print_bytes(struct gpudbg_out *out, const char *title, const unsigned char *bytes, size_t n)
{
    char text[3 * 64 + 8] = "";
    uint64_t value = 0;
    memcpy(&value, bytes, n <= 8 ? n : 0);
    size_t at = 0;
    for (size_t i = 0; n > 8 && i < n; i++) at += (size_t)sprintf(text + at, i % 4 ? "%02x" : i ? " %02x" : "%02x", bytes[i]);
    if (n <= 8) snprintf(text, sizeof text, "0x%0*" PRIx64, (int)(2 * n), value);
    gpudbg_out_print(out, "  %s %s\n", title, text);
}

static const char *reason_word(enum gpudbg_reason reason)
{
    switch (reason) {
    case GPUDBG_STOP_BREAKPOINT: return "breakpoint";
    case GPUDBG_STOP_WATCHPOINT: return "watchpoint";
    case GPUDBG_STOP_DONE: return "done";
    case GPUDBG_STOP_FAULT: return "fault";
    case GPUDBG_STOP_CHECK: return "check";
    case GPUDBG_STOP_INTERRUPT: return "interrupt";
    case GPUDBG_STOP_HISTORY_START: return "history-start";
    default: return "step";
    }
}

static void stop_record(struct gpudbg *g, struct gpudbg_out *out, const struct stop_point *watch)
{
    const struct gpudbg_stop *s = &g->running.last;
    struct machine_wave_info info;
    char where[200];
    machine_wave_info(g->running.machine, s->wave, &info);
    image_where(g->loaded.image, s->pc, where, sizeof where);
    gpudbg_out_begin(out, "stop");
    gpudbg_out_string(out, "reason", reason_word(s->reason));
    gpudbg_out_number(out, "wave", s->wave);
    gpudbg_out_array(out, "group");
    for (int i = 0; i < 3; i++) gpudbg_out_number(out, NULL, info.group_id[i]);
    gpudbg_out_close(out);
    if (s->lane >= 0) gpudbg_out_number(out, "lane", s->lane);
    if (info.lost_pc) gpudbg_out_string(out, "pc", "unknown");
    else gpudbg_out_hex(out, "pc", s->pc);
    gpudbg_out_string(out, "where", info.lost_pc ? "unknown" : where);
    if (s->number > 0) gpudbg_out_number(out, "number", s->number);
    gpudbg_out_number(out, "position", (int64_t)machine_position(g->running.machine));
    if (watch) {
        gpudbg_out_bytes(out, "old", watch->old, shown_size(watch));
        gpudbg_out_bytes(out, "new", watch->now, shown_size(watch));
    }
    gpudbg_out_string(out, "message", s->message);
    gpudbg_out_end(out);
}

void stop_report(struct gpudbg *g, struct gpudbg_out *out)
{
    if (!g->running.machine) return;
    const struct stop_point *p = g->running.last.reason == GPUDBG_STOP_WATCHPOINT ? stops_find(g, g->running.last.number) : NULL;
    if (gpudbg_out_json(out)) {
        stop_record(g, out, p);
        return;
    }
    gpudbg_out_print(out, "%s\n", g->running.last.message);
    if (!p) return;
    print_bytes(out, "old", p->old, shown_size(p));
    print_bytes(out, "new", p->now, shown_size(p));
}
