/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stop.c: breakpoints and watchpoints with their conditions; running until one of them says so; saying why it stopped.
 */
#include "image/image.h"
#include "control/stop.h"
#include "control/stopped.h"
#include "control/watched.h"
#include "check/check.h"
#include "past/origin.h"
#include "eval/expr.h"
#include "code/walk.h"
#include "eval/locals.h"
#include "eval/over_lanes.h"
#include "gpudbg/text.h"
#include "out/say.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

struct stops {
    struct stop_point **point; /* sorted by number */
    size_t n;
    int last;                          /* number given */
    struct stop_made made[STOPS_MADE]; /* a ring */
    size_t nmade;
    char why[80];  /* the latest run was ended, in the machine's words */
    size_t met_at; /* which of its locations the latest stop's breakpoint was met at, from 1; 0: none */
};

struct stops *stops_new(void) { return xalloc(sizeof(struct stops)); }

static void point_free(struct stop_point *p)
{
    lines_free(&p->commands);
    free(p->location);
    past_free(&p->place);
    catch_free(&p->catching);
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

struct stop_point *stops_next(struct control *ctl, int after)
{
    size_t low = 0, high = ctl->stops ? ctl->stops->n : 0;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ctl->stops->point[middle]->number > after)
            high = middle;
        else
            low = middle + 1;
    }
    return ctl->stops && low < ctl->stops->n ? ctl->stops->point[low] : NULL;
}

struct stop_point *stops_find(struct control *ctl, int number)
{
    struct stop_point *p = stops_next(ctl, number - 1);
    return p && p->number == number ? p : NULL;
}

struct stop_location *stop_location_at(const struct stop_point *p, uint64_t pc)
{
    for (size_t i = 0; i < p->nlocations; i++)
        if (p->location[i].pc == pc) return &p->location[i];
    return NULL;
}

struct stop_point *stops_at(struct control *ctl, uint64_t pc)
{
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number))
        if (stop_location_at(p, pc)) return p;
    return NULL;
}

/* On: those of its locations that are on.  If one cannot be met, none is armed. */
static bool set_locations(struct gpudbg_machine *m, const struct stop_point *p, bool on, struct gpudbg_error *err)
{
    struct gpudbg_error ignored = {0};
    for (size_t i = 0; i < p->nlocations; i++) {
        if (on && !p->location[i].on) continue;
        if (machine_break(m, p->location[i].pc, p->number, on, err)) continue;
        while (i-- > 0) machine_break(m, p->location[i].pc, p->number, false, &ignored);
        return false;
    }
    return true;
}

static bool set_armed(struct control *ctl, struct stop_point *p, bool on, struct gpudbg_error *err)
{
    if (!ctl->eval->running->machine) return true;
    if (p->kind == STOP_BREAK) return set_locations(ctl->eval->running->machine, p, on, err);
    if (p->kind == STOP_CATCH) {
        if (on && !catch_applies(ctl->eval->running->machine->isa, p->catching.kind, err)) return false;
        catch_arm(ctl->eval->running->machine, p->catching.kind, p->number, on);
        return true;
    }
    past_disarm(ctl->eval, p->number);
    if (on) past_read(ctl->eval, &p->place, p->now, sizeof p->now);
    return !on || past_arm(ctl->eval, &p->place, p->number, p->reads, p->writes, err);
}

void stops_arm(struct control *ctl)
{
    struct gpudbg_error err = {0};
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) {
        set_armed(ctl, p, false, &err);
        if (p->on) set_armed(ctl, p, true, &err); /* what a new launch does not have cannot be met */
    }
}

struct stop_point *stops_add(struct control *ctl, const struct stop_point *wanted, struct gpudbg_error *err)
{
    struct stops *s = ctl->stops;
    struct stop_point *p = xalloc(sizeof *p);
    s->point = xrealloc(s->point, s->n + 1, sizeof *s->point);
    *p = *wanted;
    const int highest = s->n ? s->point[s->n - 1]->number : 0; /* this one is not in the list yet */
    p->number = wanted->number > highest ? wanted->number : s->last + 1;
    if (p->on && !set_armed(ctl, p, true, err)) {
        free(p);
        return NULL;
    }
    if (p->number > s->last) s->last = p->number;
    return s->point[s->n++] = p;
}

bool stops_remove(struct control *ctl, int number, struct gpudbg_error *err)
{
    struct stops *s = ctl->stops;
    struct gpudbg_error ignored = {0};
    bool found = number == 0;
    for (size_t i = s->n; i-- > 0;) {
        struct stop_point *p = s->point[i];
        if (number && p->number != number) continue;
        found = true;
        set_armed(ctl, p, false, &ignored);
        point_free(p);
        memmove(s->point + i, s->point + i + 1, (--s->n - i) * sizeof(struct stop_point *));
    }
    return found || gpudbg_fail(err, "out-of-range", "there is no breakpoint or watchpoint %d", number);
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
        if ((file->lanes <= 1 && !file->mask) || strlen(file->name) != word || strncmp(file->name, name, word) != 0)
            continue;
        *end = name + word;
        if (file->indexed && **end == '[')
            *end += strcspn(*end, "]") + 1; /* $v[4:5] */
        else
            while (isdigit((unsigned char)**end)) ++*end;
        if (file->parts && **end == '.') *end += 1 + strspn(*end + 1, file->parts); /* $r0.x */
        return file;
    }
    return NULL;
}

/* Behind the bracket that closes the first one of the text. */
static const char *behind_brackets(const char *at)
{
    int depth = 0;
    bool ranged = false;
    const char *begin = at;
    for (; *at; at++) {
        if (*at == '(') depth++;
        if (*at == '[' && memchr(at, ':', strcspn(at, "]"))) ranged = true;
        if (*at == ')' && --depth == 0) break;
    }
    /* With a range of lanes, a register without one is that of a lane outside. */
    return ranged ? begin : *at ? at + 1 : at;
}

int stop_condition_lane(const struct gpudbg_isa *isa, const char *condition)
{
    int lane = SCALAR;
    const char *inside = condition; /* behind the latest function over lanes, which has no lane of its own */
    enum over_kind kind;
    for (const char *p = condition; *p; p++) {
        if (p >= inside && (p == condition || !isalnum((unsigned char)p[-1])) && over_function(p, &kind))
            inside = behind_brackets(p);
        if (*p != '$' || p < inside) continue;
        const char *end;
        const struct gpudbg_regfile *file = laned_file(isa, p + 1, &end);
        if (where_laned(p + 1)) return VARIES;
        if (!file) continue;
        if (*end == '[' && memchr(end, ':', strcspn(end, "]"))) continue; /* lanes of a function */
        if (*end == '[' && isdigit((unsigned char)end[1]))
            lane = atoi(end + 1);
        else if (!file->mask)
            return VARIES;
    }
    return lane;
}

/* ---- Running ---- */

struct stops_run {
    struct control *ctl;
    const struct machine_want *user;
    bool backwards;
    int number, lane;  /* of the stop accepted: forwards the first, backwards the latest */
    char trouble[160]; /* a condition that could not be evaluated */
    char also[40];     /* "; breakpoint 2, too" */
};

static bool holds_in(struct stops_run *r, const struct stop_point *p, const struct gpudbg_wave *w, int lane)
{
    struct gpudbg_error err = {0};
    bool is;
    if (expr_holds(r->ctl->eval, w->id, lane, p->condition, &is, &err)) return is;
    struct text t = text_in(r->trouble, sizeof r->trouble);
    text_add(&t, "its condition '%.40s' cannot be evaluated: %s", p->condition, err.message);
    return true;
}

/* Whether the point's condition holds for the wave, and for which lane (-1: no one lane). */
static bool holds(struct stops_run *r, const struct stop_point *p, const struct gpudbg_wave *w, int *lane)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    const uint64_t did = p->kind == STOP_WATCH && !p->place.is_register && !p->place.followed
                             ? machine_watch_lanes(w->machine, p->number)
                         : p->kind == STOP_CATCH && p->catching.lanes ? p->catching.lanes
                                                                      : UINT64_MAX;
    const uint64_t active = did == UINT64_MAX ? isa->run->active(w) : did;
    const uint64_t its = p->kind == STOP_WATCH ? past_lanes(&p->place, w->machine) : 0;
    *lane = p->lane < 0 && its && !(its & (its - 1)) ? __builtin_ctzll(its) : p->lane;
    if (p->kind == STOP_CATCH && p->lane < 0 && p->catching.lanes) *lane = __builtin_ctzll(p->catching.lanes);
    if (p->lane >= 0 && !(active >> p->lane & 1)) return false;
    if (!p->condition[0]) return true;
    int named = stop_condition_lane(isa, p->condition);
    if (named == SCALAR && locals_named(r->ctl->eval, w->pc, p->condition)) named = VARIES;
    if (named >= 0 && *lane < 0) *lane = named;
    if (named != VARIES || p->lane >= 0) return holds_in(r, p, w, *lane);
    for (*lane = 0; *lane < isa->lanes && *lane < 64; ++*lane)
        if (active >> *lane & 1 && holds_in(r, p, w, *lane)) return true;
    return false;
}

/* Before an instruction that may write or read a watched register. */
static bool ask_about(void *data, struct gpudbg_wave *w, int number)
{
    struct stops_run *r = data;
    struct stop_point *p = stops_find(r->ctl, number);
    if (p && p->on && p->kind == STOP_CATCH) return catch_may(&p->catching, w);
    if (!p || !p->on || !past_about(r->ctl->eval, w, &p->place, p->reads, p->writes)) return false;
    watched_before(r->ctl, p);
    p->its_pc = w->pc;
    return true;
}

static const char *kind_word(const struct stop_point *p)
{
    return p->kind == STOP_WATCH ? "watchpoint" : p->kind == STOP_CATCH ? "catchpoint" : "breakpoint";
}

static bool ask_hit(void *data, struct gpudbg_wave *w, int number)
{
    struct stops_run *r = data;
    struct stop_point *p = stops_find(r->ctl, number);
    int lane;
    if (!p || !p->on || (p->wave >= 0 && w->id != (uint32_t)p->wave)) return false;
    const bool again = r->number && !r->backwards;
    if (!again) r->trouble[0] = '\0';
    if (p->kind == STOP_CATCH && !catch_happened(&p->catching, w)) return false;
    if (p->kind == STOP_WATCH && p->place.followed) {
        if (!watched_followed(r->ctl, p, w, r->backwards)) return false;
    } else if (p->kind == STOP_WATCH &&
               (p->reads ? past_unchanged(r->ctl->eval, &p->place, p->before) : !watched_changed(r->ctl, p, w->id)))
        return false;
    lane = p->lane;
    if (!p->ended && !holds(r, p, w, &lane)) return false;
    if (!r->backwards && !p->ended) {
        p->hits++;
        if (p->ignore) {
            p->ignore--;
            return false;
        }
    }
    const struct control_asked *asked = &r->ctl->asked;
    if (p->ended)
        p->temporary = true;
    else if (asked->met && !asked->met(asked->data, p, w, lane, r->backwards))
        return false;
    if (p->kind == STOP_WATCH && p->place.is_register) {
        past_read(r->ctl->eval, &p->place, p->now, sizeof p->now);
        memcpy(p->old, p->before, sizeof p->old);
        p->pc = p->its_pc;
        if (lane < 0 && watched_lanes_changed(p)) lane = __builtin_ctzll(watched_lanes_changed(p));
    } else if (p->kind == STOP_WATCH && !p->place.followed) {
        if (p->place.space == GPUDBG_LOCAL) p->place.wave = w->id;
        past_read(r->ctl->eval, &p->place, p->now, sizeof p->now);
        memcpy(p->old, p->now, sizeof p->old);
        machine_watch_old(w->machine, number, p->old, watched_shown(p));
        watched_take(r->ctl, p, w->id, lane);
        if (lane < 0) lane = p->stored.lane;
    }
    if (p->kind == STOP_CATCH) {
        p->caught = p->catching;
        p->caught.result = NULL;
    }
    if (r->backwards && r->number) stops_find(r->ctl, r->number)->met = false;
    p->met = true;
    if (again) {
        snprintf(r->also, sizeof r->also, "; %s %d, too", kind_word(p), number);
        return true;
    }
    r->number = number;
    r->lane = lane;
    return true;
}

/* Breakpoints at the instruction before which something else stopped are met as well: the next run would pass over
 * them. */
static void meet_here(struct stops_run *r)
{
    struct control *ctl = r->ctl;
    struct gpudbg_error ignored = {0};
    struct machine_wave_info info;
    machine_wave_info(ctl->eval->running->machine, ctl->eval->running->last.wave, &info);
    struct gpudbg_wave *w = machine_wave(ctl->eval->running->machine, ctl->eval->running->last.wave, &ignored);
    if (!w || info.state == GPUDBG_ENDED || info.state == GPUDBG_AT_BARRIER) return;
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) {
        const struct stop_location *here = stop_location_at(p, ctl->eval->running->last.pc);
        if (!here || !here->on || p->met || !ask_hit(r, w, p->number)) continue;
        if (ctl->eval->running->last.reason != GPUDBG_STOP_STEP) {
            snprintf(r->also, sizeof r->also, "; breakpoint %d, too", p->number);
            continue;
        }
        ctl->eval->running->last.reason = GPUDBG_STOP_BREAKPOINT;
        ctl->eval->running->last.number = p->number;
    }
}

/* Takes away the temporary ones that were met. */
static bool remove_met(struct control *ctl, bool stopped, struct gpudbg_error *err)
{
    bool good = true;
    if (!stopped) return true; /* a search back that was given up */
    for (struct stop_point *p = stops_next(ctl, 0), *next; p; p = next) {
        next = stops_next(ctl, p->number);
        if (p->met && p->once) p->on = false;
        if (p->met && p->temporary) good = stops_remove(ctl, p->number, err) && good;
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
    return ticker_goes_on(r->ctl->eval->ticker, done, todo);
}

/* The commands of the point that stopped are to be run, by whoever ran the machine. */
static bool attach(struct control *ctl, const struct stop_point *p, struct gpudbg_error *err)
{
    lines_free(&ctl->attached);
    ctl->runs++;
    if (p && p->commands_off) p = NULL;
    ctl->attached.foreign = p && p->commands.foreign;
    ctl->silent = p && p->commands.n && line_is(p->commands.line[0], "silent");
    for (size_t i = ctl->silent; p && i < p->commands.n; i++)
        if (!lines_add(&ctl->attached, p->commands.line[i], 0, err)) return false;
    return true;
}

/* On the way back a watchpoint that is the only point which is on need not look at all of recorded time. */
static bool only_watch(struct control *ctl, struct machine_sieve *sieve)
{
    const struct stop_point *only = NULL;
    for (const struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) {
        if (p->on && only) return false;
        if (p->on) only = p;
    }
    return only && only->kind == STOP_WATCH && (only->place.is_register || !only->reads) &&
           past_sieve(ctl->eval, &only->place, sieve);
}

static void note_made(struct control *ctl, const struct gpudbg_stop *s, bool point)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    if (!point && s->reason != GPUDBG_STOP_CHECK && s->reason != GPUDBG_STOP_FAULT) return;
    ctl->stops->made[ctl->stops->nmade++ % STOPS_MADE] = (struct stop_made){
        machine_futures(m), machine_position(m), point ? s->number : 0};
}

const struct stop_made *stops_made(const struct control *ctl, size_t i)
{
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    const struct stops *s = ctl->stops;
    for (size_t k = s->nmade; m && k > 0 && k + STOPS_MADE > s->nmade; k--) {
        const struct stop_made *made = &s->made[(k - 1) % STOPS_MADE];
        const bool here = made->position <= machine_recorded(m) && !machine_forgot(m, made->future, made->position);
        if (here && !i--) return made;
    }
    return NULL;
}

void stops_forget(struct control *ctl) { ctl->stops->nmade = 0; }

bool stops_run(struct control *ctl, struct machine_want *want, struct gpudbg_error *err)
{
    if (!ctl->eval->running->machine) return gpudbg_fail(err, "no-launch", "nothing is launched");
    const uint64_t start = machine_position(ctl->eval->running->machine);
    struct stops_run r = {.ctl = ctl, .user = want, .lane = -1};
    struct machine_want run = *want;
    r.backwards = want->until == MACHINE_POSITION ? want->count < start : want->backwards;
    run.hit = ask_hit;
    run.about = ask_about;
    run.every = want->every ? ask_every : NULL;
    run.tick = ask_tick;
    run.data = &r;
    struct machine_sieve sieve;
    if (r.backwards && !want->every && want->stops && only_watch(ctl, &sieve)) run.sieve = &sieve;
    if (run.until == MACHINE_END || run.until == MACHINE_POSITION) run.wave = ctl->eval->selection->wave;
    run.limit = ctl->settings->step_limit;
    run.observed = !r.backwards && checks_watch(ctl->checks);
    if (run.observed && !checks_catch_up(ctl->checks, err)) return false;
    for (struct stop_point *p = stops_next(ctl, 0); p; p = stops_next(ctl, p->number)) {
        p->met = false;
        if (p->place.followed) local_watch_begin(p->place.followed);
    }
    ctl->going = !r.backwards;
    ctl->eval->running->last = machine_run(ctl->eval->running->machine, &run);
    ctl->going = false;
    struct gpudbg_stop *s = &ctl->eval->running->last;
    if (run.observed && s->reason == GPUDBG_STOP_DONE && checks_left(ctl->checks)) s->reason = GPUDBG_STOP_CHECK;
    const bool ran = machine_position(ctl->eval->running->machine) > start;
    if (want->stops && ran && !r.backwards && s->reason != GPUDBG_STOP_DONE && s->reason != GPUDBG_STOP_FAULT)
        meet_here(&r);
    /* Somewhere in time, a wave that has ended there is less worth looking at than the one that runs. */
    const uint32_t next = machine_next_wave(ctl->eval->running->machine);
    if (run.until == MACHINE_POSITION && s->reason == GPUDBG_STOP_STEP && next != MACHINE_NO_WAVE &&
        machine_wave_ended(ctl->eval->running->machine, s->wave)) {
        struct machine_wave_info info;
        machine_wave_info(ctl->eval->running->machine, next, &info);
        s->wave = next;
        s->pc = info.pc;
    }
    if (s->reason == GPUDBG_STOP_CHECK && checks_said(ctl->checks)) {
        s->wave = checks_said(ctl->checks)->wave; /* another may be the next to run */
        s->pc = checks_said(ctl->checks)->what.pc;
    }
    const struct stop_point *met = s->reason == GPUDBG_STOP_WATCHPOINT || s->reason == GPUDBG_STOP_CATCH
                                       ? stops_find(ctl, s->number)
                                       : NULL;
    if (met && met->kind == STOP_CATCH) s->reason = GPUDBG_STOP_CATCH; /* the machine traces for both */
    const bool point = s->reason == GPUDBG_STOP_BREAKPOINT || met;
    note_made(ctl, s, point);
    if (point) s->lane = r.lane;
    if (s->reason != GPUDBG_STOP_DONE) ctl->eval->selection->wave = s->wave;
    if (s->lane >= 0) ctl->eval->selection->lane = s->lane;
    if (s->reason == GPUDBG_STOP_FAULT || (s->reason == GPUDBG_STOP_CATCH && met->catching.kind == CATCH_FAULT))
        ctl->eval->running->faulted = true;
    struct machine_history history;
    machine_history(ctl->eval->running->machine, &history);
    if (history.position > start && history.pages) ctl->eval->running->unsaved = true; /* something was stored */
    ctl->eval->selection->cursor = s->pc;
    const struct stop_point *p = point ? stops_find(ctl, s->number) : NULL;
    const struct stop_location *l = p && s->reason == GPUDBG_STOP_BREAKPOINT ? stop_location_at(p, s->pc) : NULL;
    ctl->stops->met_at = l ? (size_t)(l - p->location) + 1 : 0;
    text_put(ctl->stops->why, sizeof ctl->stops->why, "%s", s->message);
    stopped_describe(ctl, &(struct stopped){p, ctl->stops->met_at, r.also, r.trouble});
    return attach(ctl, p, err) && remove_met(ctl, point || !r.backwards, err);
}

/* ---- Saying why ---- */

static const char *reason_word(enum gpudbg_reason reason)
{
    switch (reason) {
    case GPUDBG_STOP_BREAKPOINT: return "breakpoint";
    case GPUDBG_STOP_WATCHPOINT: return "watchpoint";
    case GPUDBG_STOP_CATCH: return "catch";
    case GPUDBG_STOP_DONE: return "done";
    case GPUDBG_STOP_FAULT: return "fault";
    case GPUDBG_STOP_CHECK: return "check";
    case GPUDBG_STOP_INTERRUPT: return "interrupt";
    case GPUDBG_STOP_HISTORY_START: return "history-start";
    default: return "step";
    }
}

int stop_brief(struct control *ctl, char *buf, size_t size)
{
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    const struct gpudbg_machine *m = ctl->eval->running->machine;
    const struct stop_point *p = s->number > 0 ? stops_find(ctl, s->number) : NULL;
    struct text t = text_in(buf, size);
    switch (s->reason) {
    case GPUDBG_STOP_BREAKPOINT:
        text_add(&t, "Breakpoint %d", s->number);
        if (p && p->nlocations > 1) text_add(&t, ".%zu", ctl->stops->met_at);
        break;
    case GPUDBG_STOP_WATCHPOINT:
    case GPUDBG_STOP_CATCH:
        text_add(&t, "%s %d", s->reason == GPUDBG_STOP_CATCH ? "Catchpoint" : "Watchpoint", s->number);
        if (p) text_add(&t, " (%s)", p->what);
        break;
    case GPUDBG_STOP_DONE: text_add(&t, "Done: %u wave%s", m->nwaves, m->nwaves == 1 ? "" : "s"); break;
    case GPUDBG_STOP_FAULT: text_add(&t, "Fault"); break;
    case GPUDBG_STOP_CHECK: text_add(&t, "Check"); break;
    case GPUDBG_STOP_INTERRUPT: text_add(&t, "%s", *ctl->stops->why ? ctl->stops->why : "Interrupted"); break;
    case GPUDBG_STOP_HISTORY_START: text_add(&t, "Start of history"); break;
    default: text_add(&t, "Stopped"); break;
    }
    return text_length(&t);
}

/* What the address was computed from that a load or store could not use; "": it is another fault, or nobody knows. */
static void fault_address(struct control *ctl, const struct gpudbg_stop *s, char *buf, size_t size)
{
    struct gpudbg_insn insn;
    buf[0] = 0;
    if (s->reason != GPUDBG_STOP_FAULT || !insn_at(ctl->eval->loaded->image, s->pc, &insn)) return;
    if (gpudbg_insn_does(&insn) & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))
        origin_address_text(
            ctl->eval, s->wave, s->lane, machine_position(ctl->eval->running->machine), s->pc, buf, size);
}

void stop_report(struct control *ctl, struct gpudbg_out *out)
{
    if (!ctl->eval->running->machine) return;
    const struct gpudbg_stop *s = &ctl->eval->running->last;
    const struct stop_point *watch = s->reason == GPUDBG_STOP_WATCHPOINT ? stops_find(ctl, s->number) : NULL;
    const struct stop_point *caught = s->reason == GPUDBG_STOP_CATCH ? stops_find(ctl, s->number) : NULL;
    const struct catching_state *c = caught ? &caught->caught : NULL;
    const struct check_report *check = s->reason == GPUDBG_STOP_CHECK ? checks_said(ctl->checks) : NULL;
    struct check_report fault = {.what.pc = s->pc};
    struct machine_wave_info info;
    char where[200], address[600];
    fault_address(ctl, s, address, sizeof address);
    machine_wave_info(ctl->eval->running->machine, s->wave, &info);
    image_where(ctl->eval->loaded->image, s->pc, where, sizeof where);
    const bool lost = info.lost_pc && !check;
    fault.ncalls = check_calls(ctl->checks, s->wave, fault.call);
    BEGIN(out, "stop", "{message}\n[    {origin}\n][    {address}\n]", STRING("reason", reason_word(s->reason)),
        STRING("checker", check ? check->kind : NULL), NUMBER("wave", s->wave), NUMBERS("group", info.group_id, 3),
        IF(check && check->what.lanes, HEX("lanes", check ? check->what.lanes : 0)),
        IF(s->lane >= 0, NUMBER("lane", s->lane)), lost ? STRING("pc", "unknown") : HEX("pc", s->pc),
        STRING("where", lost ? "unknown" : where), IF(check && !info.lost_pc && info.pc != s->pc, HEX("next", info.pc)),
        STRING("origin", check ? check->what.origin : NULL), STRING("address", *address ? address : NULL),
        TEXT("message", s->message));
    if (check || (s->reason == GPUDBG_STOP_FAULT && !lost)) check_frames(ctl->eval, check ? check : &fault, out);
    SAY(out, NULL, IF(s->number > 0, NUMBER("number", s->number)),
        IF(ctl->stops->met_at, NUMBER("location", ctl->stops->met_at)),
        NUMBER("position", machine_position(ctl->eval->running->machine)));
    if (watch) watched_record(ctl, out, watch);
    if (c)
        SAY(out, "[  {register} = {value}\n]", STRING("catch", catch_words[c->kind]), HEX("by", c->pc),
            IF(c->lanes, HEX("lanes", c->lanes)), STRING("register", *c->name ? c->name : NULL),
            STRING("value", *c->value ? c->value : NULL));
    SAY(out, NULL, STRING("message", s->message));
    gpudbg_out_end(out);
}
