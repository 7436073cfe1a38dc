/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.c: machine_run.  Forward is taking turns: the recorded ones as long as there are any, then new ones.  Backward is
 * going to a checkpoint and taking recorded turns again: stops are found by passing over the epochs, latest first, and
 * keeping the last stop of the first epoch that has one.
 *
 * A stop belongs to a position: a breakpoint to the one before its instruction, a watchpoint to the one after.  Forward
 * stops at the first such position after the present, backward at the last before it.
 */
#include "image/image.h"
#include "base/alloc.h"
#include "machine/machine_core.h"
#include "machine/unknown.h"
#include "gpudbg/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TICK_WORK \
    1024             /* instructions between ticks: some take many microseconds, and Ctrl-C waits for all of them, \
                      */
#define TURN_WORK 16 /* ... where a turn counts as some, */
#define ASK_WORK 64  /* ... and a question to the caller as many */

struct run {
    struct gpudbg_machine *m;
    const struct machine_want *want;
    bool heed;      /* stops count */
    bool over;      /* not the breakpoint of the next instruction */
    uint64_t limit; /* position not to go beyond */
    uint64_t cap;   /* ... whatever is wanted: want->limit */
    uint64_t work, done, todo;
    struct gpudbg_stop stop;
    /* A search back: where stops count, and the last one found. */
    bool search, found;
    uint64_t from, before, position;
    int *after; /* traces to be met by the instruction that comes next */
    size_t nafter;
};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t position(const struct run *r) { return core_of(r->m)->schedule.position; }

/* Ends the run, or notes the stop for a search.  Returns whether to go on. */
static bool meet(struct run *r, enum gpudbg_reason reason, uint32_t wave, uint64_t pc, int number)
{
    const uint64_t here = position(r);
    if (r->search && (here < r->from || here >= r->before)) return true;
    r->stop = (struct gpudbg_stop){.reason = reason, .wave = wave, .lane = -1, .pc = pc, .number = number};
    r->found = true;
    r->position = here;
    return r->search;
}

static bool ask_hit(struct run *r, struct gpudbg_wave *w, int number)
{
    r->work += ASK_WORK;
    return !r->want->hit || r->want->hit(r->want->data, w, number);
}

/* In a search, questions are asked only where the answer counts. */
static bool asks_here(const struct run *r)
{
    return r->heed && (!r->search || (position(r) >= r->from && position(r) < r->before));
}

static bool met_break(struct run *r, struct gpudbg_wave *w)
{
    const struct core *c = core_of(r->m);
    r->over = true;
    if (!asks_here(r)) return true;
    for (size_t i = 0; i < c->nbreaks; i++) {
        const int number = c->breaks[i].number;
        if (c->breaks[i].pc == w->pc && ask_hit(r, w, number))
            return meet(r, GPUDBG_STOP_BREAKPOINT, w->id, w->pc, number);
    }
    return true;
}

/* Another range of the same number was met, before number i. */
static bool asked_before(const struct door *door, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (door->watch[k].hit && door->watch[k].number == door->watch[i].number) return true;
    return false;
}

/* Asks the traces of the wave's next instruction, which will be executed alone. */
static void ask_traces(struct run *r, struct gpudbg_wave *w)
{
    const struct core *c = core_of(r->m);
    const struct trace *t;
    r->nafter = 0;
    if (!r->heed || !r->want->about || (r->search && (position(r) + 1 < r->from || position(r) + 1 >= r->before)))
        return;
    for (size_t i = 0; (t = core_trace_at(c, w->pc, &i)); i++) {
        r->work += ASK_WORK;
        if (!r->want->about(r->want->data, w, t->number)) continue;
        r->after = xrealloc(r->after, r->nafter + 1, sizeof *r->after);
        r->after[r->nafter++] = t->number;
    }
}

/* Such an instruction has been executed. */
static bool met_traces(struct run *r, struct gpudbg_wave *w)
{
    int first = 0;
    for (size_t i = 0; i < r->nafter && asks_here(r); i++)
        if (ask_hit(r, w, r->after[i]) && !first) first = r->after[i];
    r->nafter = 0;
    return !first || meet(r, GPUDBG_STOP_WATCHPOINT, w->id, w->pc, first);
}

static bool met_watch(struct run *r, struct gpudbg_wave *w)
{
    const struct door *door = &core_of(r->m)->door;
    int first = 0;
    for (size_t i = 0; asks_here(r) && i < door->nwatch; i++) { /* each counts; the first is what stops */
        const int number = door->watch[i].number;
        if (door->watch[i].hit && !asked_before(door, i) && ask_hit(r, w, number) && !first) first = number;
        if (first && r->search) break;
    }
    const bool go_on = !first || meet(r, GPUDBG_STOP_WATCHPOINT, w->id, w->pc, first);
    door_clear_hits(r->m);
    return go_on;
}

/* The last instruction, or the one that cannot be executed, did what somebody waits for. */
static bool met_catch(struct run *r, struct gpudbg_wave *w, unsigned ran)
{
    const struct core *c = core_of(r->m);
    int first = 0;
    for (size_t i = 0; asks_here(r) && i < c->ncatching; i++)
        if (c->catching[i].ran & ran && ask_hit(r, w, c->catching[i].number) && !first) first = c->catching[i].number;
    return !first || meet(r, GPUDBG_STOP_CATCH, w->id, w->pc, first);
}

/* The runner or the memory door said why; the sentence about it is control/stop.c's. */
static void met_fault(struct run *r, struct gpudbg_wave *w)
{
    struct gpudbg_machine *m = r->m;
    m->stop.reason = GPUDBG_STOP_FAULT;
    m->stop.wave = w->id;
    m->stop.pc = w->pc;
    r->stop = m->stop;
    if (core_of(m)->ncatching && !met_catch(r, w, 1u << GPUDBG_RAN_FAULT))
        memcpy(r->stop.message, m->stop.message, sizeof r->stop.message);
}

static bool tick(struct run *r)
{
    const struct machine_want *want = r->want;
    bool go_on = true;
    if (r->work >= TICK_WORK) {
        r->work = 0;
        if (want->tick && !want->tick(want->data, r->done, r->todo)) go_on = false;
    }
    if (r->m->interrupt) {
        r->m->interrupt = 0;
        go_on = false;
    }
    if (!go_on) r->stop.reason = GPUDBG_STOP_INTERRUPT;
    return go_on;
}

static const struct machine_observer *observer_of(const struct run *r)
{
    return r->want->observed ? core_of(r->m)->observer : NULL;
}

/* Takes a turn, for at most `limit` instructions.  false: stopped, r->stop says why. */
static bool take_turn(struct run *r, const struct turn *turn, uint64_t limit)
{
    struct gpudbg_machine *m = r->m;
    struct gpudbg_wave *w = turn->wave;
    const bool every = r->want->every && r->heed;
    if (every) {
        limit = 1;
        r->work += ASK_WORK / 16;
        if (!r->over && asks_here(r) && r->want->every(r->want->data, w) && !meet(r, GPUDBG_STOP_STEP, w->id, w->pc, 0))
            return false;
    }
    const struct machine_observer *observer = observer_of(r);
    if (observer) {
        limit = 1;
        r->work += ASK_WORK / 16;
        if (observer->before && observer->before(observer->data, w) && r->heed)
            return meet(r, GPUDBG_STOP_CHECK, w->id, w->pc, 0);
    }
    struct gpudbg_insn insn;
    const bool partial = unknown_any(m);
    bool decoded = false;
    uint64_t active = 0;
    if (partial) { /* one instruction at a time: what it needs must be known */
        char name[64];
        limit = 1;
        if (unknown_needed(w, name, sizeof name)) {
            gpudbg_fault(
                w, -1, "%s is not known: the dump does not contain it (`set $%s = ...` gives it a value)", name, name);
            met_fault(r, w);
            return false;
        }
        decoded = unknown_decode(w, &insn);
        active = m->isa->run->active(w);
    }
    if (r->over && core_of(m)->ntraces) ask_traces(r, w); /* not over: the runner stops before the instruction first */
    if (r->nafter) limit = 1;
    const uint64_t due = history_limit(m), most = r->limit - position(r);
    if (limit > due) limit = due;
    if (limit > most) limit = most;
    if (limit > TICK_WORK) limit = TICK_WORK;
    const uint32_t id = w->id;
    uint64_t n;
    core_of(m)->observing = observer;
    const enum gpudbg_ran ran = schedule_run(m, turn, limit, r->over || !r->heed, &n);
    core_of(m)->observing = false;
    if (decoded && n) unknown_executed(w, &insn, active);
    if (observer && observer->barrier && ran == GPUDBG_RAN_BARRIER) observer->barrier(observer->data, w);
    if (n) r->over = false;
    r->work += n + TURN_WORK;
    r->done += n;
    const unsigned ended = 1u << ran | (core_of(m)->pending ? 1u << GPUDBG_RAN_EVENT : 0);
    if (ran == GPUDBG_RAN_FAULT) core_events_drop(m); /* of an instruction that was not executed */
    core_events_settle(m);
    bool go_on = true;
    if (n && r->nafter && !met_traces(r, w)) {
        history_due(m);
        return false;
    }
    if (ran == GPUDBG_RAN_FAULT) {
        met_fault(r, w);
        go_on = false;
    } else if (ran == GPUDBG_RAN_BREAK) {
        go_on = met_break(r, w);
    } else if (ran == GPUDBG_RAN_WATCH) {
        go_on = met_watch(r, w);
    } else if (ran == GPUDBG_RAN_BARRIER && r->search && r->want->until == MACHINE_BARRIER && id == r->want->wave) {
        meet(r, GPUDBG_STOP_STEP, id, w->pc, 0);
    }
    if (n && go_on && core_of(m)->ncatching) go_on = met_catch(r, w, ended & ~(1u << GPUDBG_RAN_FAULT));
    history_due(m);
    return go_on && tick(r);
}

/* Goes to a recorded position.  false: interrupted on the way, and r->stop says so. */
static bool seek(struct run *r, uint64_t to)
{
    const struct ticker ticker = {r->want->tick, r->want->data};
    if (history_seek(r->m, to, &ticker)) return true;
    r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_INTERRUPT, .wave = r->want->wave, .lane = -1};
    return false;
}

/* ---- Forward ---- */

static void no_turn(struct run *r)
{
    const struct cursor *at = &core_of(r->m)->schedule.cursor;
    r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_DONE, .wave = r->want->wave, .lane = -1};
    if (schedule_ended(r->m)) return;
    r->stop.reason = GPUDBG_STOP_FAULT;
    snprintf(r->stop.message, sizeof r->stop.message, "no memory for the waves of group %u", at->group);
}

static bool recorded(const struct run *r) { return position(r) < core_of(r->m)->schedule.recorded; }

/* Recorded time need not be run again where nothing in it can stop us. */
static bool may_jump(const struct run *r)
{
    const struct core *c = core_of(r->m);
    return !observer_of(r) && !r->want->whole &&
           (!r->heed || (!r->want->every && !c->nbreaks && !c->ntraces && !c->ncatching && !c->door.nwatch));
}

/* The cap was reached before what was wanted. */
static void met_cap(struct run *r)
{
    r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_INTERRUPT, .wave = r->want->wave, .lane = -1};
    snprintf(r->stop.message, sizeof r->stop.message, "Limit of %" PRIu64 " instructions", r->want->limit);
}

/* Instructions that the wave of the sieve, or its group, have executed now, or by checkpoint i. */
static uint64_t sieve_executed(const struct run *r, const size_t *i)
{
    const struct machine_sieve *sieve = r->want->sieve;
    if (!sieve || sieve->by == SIEVE_PAGES) return 0;
    const uint32_t each = r->m->waves_per_group, first = sieve->wave / each * each;
    const bool group = sieve->by == SIEVE_GROUP;
    uint64_t sum = 0;
    for (uint32_t w = group ? first : sieve->wave; w < (group ? first + each : sieve->wave + 1); w++) {
        struct machine_wave_info info;
        if (!i) machine_wave_info(r->m, w, &info);
        sum += i ? history_executed(r->m, *i, w) : info.executed;
    }
    return sum;
}

/* Whether the epoch from checkpoint i on may hold what is looked for; executed: instructions of the wave by its end. */
static bool matters(const struct run *r, size_t i, uint64_t executed)
{
    const struct machine_sieve *sieve = r->want->sieve;
    if (!sieve) return true;
    if (sieve->by == SIEVE_PAGES) return history_stores(r->m, i, sieve->segment, sieve->first, sieve->last);
    return sieve_executed(r, &i) != executed;
}

/* Passes over epochs that do not matter.  false: interrupted. */
static bool pass_epochs(struct run *r, uint64_t to)
{
    const struct history *h = &core_of(r->m)->history;
    while (r->want->sieve && position(r) == h->list[h->present].position && h->present + 1 < h->n &&
           h->list[h->present + 1].position <= to) {
        const size_t next = h->present + 1;
        if (matters(r, h->present, sieve_executed(r, &next))) break;
        r->done += h->list[next].position - position(r);
        history_restore(r->m, next);
        r->work += TICK_WORK;
        if (!tick(r)) return false;
    }
    return true;
}

/* To a position, or the end of the program. */
static void forward(struct run *r, uint64_t to)
{
    const uint64_t end = core_of(r->m)->schedule.recorded;
    const bool capped = to > r->cap;
    struct turn turn;
    if (capped) to = r->cap;
    r->limit = to;
    if (may_jump(r) && position(r) < end) {
        if (!seek(r, to < end ? to : end)) return;
        r->over = false;
    }
    while (position(r) < to) {
        if (recorded(r) && !pass_epochs(r, to)) return;
        if (!(recorded(r) ? schedule_recorded(r->m, &turn) : schedule_default(r->m, &turn))) {
            no_turn(r);
            return;
        }
        if (!take_turn(r, &turn, UINT64_MAX)) return;
    }
    if (capped && !schedule_ended(r->m))
        met_cap(r);
    else if (capped)
        no_turn(r);
    else
        r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_STEP, .wave = r->want->wave, .lane = -1};
}

static void wave_now(const struct run *r, struct machine_wave_info *info)
{
    machine_wave_info(r->m, r->want->wave, info);
}

/* Until the wave has executed `to` instructions, or waits at a barrier (then `alone`: turns of others in the record are
 * given up for its own). */
static void forward_wave(struct run *r, uint64_t to, bool alone)
{
    struct machine_wave_info now;
    struct turn turn;
    r->limit = r->cap;
    bool ran = false;
    for (wave_now(r, &now); now.executed < to; wave_now(r, &now)) {
        if (now.state == GPUDBG_ENDED || (alone && ran && now.state == GPUDBG_AT_BARRIER)) break;
        if (position(r) >= r->cap) {
            met_cap(r);
            return;
        }
        if (alone && now.state != GPUDBG_AT_BARRIER && recorded(r) && machine_next_wave(r->m) != now.id)
            history_truncate(r->m);
        if (!(recorded(r) ? schedule_recorded(r->m, &turn) : schedule_alone(r->m, now.id, &turn))) {
            no_turn(r);
            return;
        }
        const bool mine = turn.wave->id == now.id;
        const uint64_t barriers = core_of(r->m)->schedule.barriers;
        if (!take_turn(r, &turn, mine ? to - now.executed : UINT64_MAX)) return;
        ran |= mine;
        if (alone && mine && core_of(r->m)->schedule.barriers != barriers) break;
    }
    wave_now(r, &now);
    r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_STEP, .wave = now.id, .lane = -1};
    if (now.state != GPUDBG_ENDED) return;
    if (schedule_ended(r->m)) r->stop.reason = GPUDBG_STOP_DONE;
    snprintf(r->stop.message, sizeof r->stop.message, "wave %u has ended", now.id);
}

/* ---- Backward ---- */

/* An interrupted way back ends where it began. */
static void come_back(struct run *r, uint64_t now)
{
    history_seek(r->m, now, NULL);
    r->stop.reason = GPUDBG_STOP_INTERRUPT;
}

/* Takes recorded turns up to position `to`. */
static bool repeat(struct run *r, uint64_t to)
{
    struct turn turn;
    r->limit = to;
    r->over = false;
    while (position(r) < to)
        if (!schedule_recorded(r->m, &turn) || !take_turn(r, &turn, UINT64_MAX)) return false;
    return true;
}

/* Goes to the last stop at or after `from` and before the present, else to `from`. */
static void search_back(struct run *r, uint64_t from)
{
    const uint64_t now = position(r);
    r->search = true;
    r->found = false;
    r->from = from;
    r->todo = now;
    r->before = now + r->want->present;
    uint64_t to = now, executed = sieve_executed(r, NULL);
    for (size_t i = history_find(r->m, now); now > from; i--) {
        const uint64_t start = core_of(r->m)->history.list[i].position;
        const bool here = matters(r, i, executed);
        executed = sieve_executed(r, &i);
        if (here) history_restore(r->m, i);
        if (here && !repeat(r, to)) {
            come_back(r, now);
            return;
        }
        if (r->found || start <= from || !i) break;
        to = start;
    }
    if (!seek(r, r->found ? r->position : from)) {
        come_back(r, now);
        return;
    }
    if (r->found) return;
    r->stop = (struct gpudbg_stop){
        .reason = from ? GPUDBG_STOP_STEP : GPUDBG_STOP_HISTORY_START, .wave = r->want->wave, .lane = -1};
}

static void backward(struct run *r, uint64_t to)
{
    if (!may_jump(r)) {
        search_back(r, to);
        return;
    }
    const uint64_t now = position(r);
    if (!seek(r, to)) {
        come_back(r, now);
        return;
    }
    r->stop = (struct gpudbg_stop){
        .reason = to ? GPUDBG_STOP_STEP : GPUDBG_STOP_HISTORY_START, .wave = r->want->wave, .lane = -1};
}

/* Goes to the position before the instruction that the wave executed when it had executed `count`.  false: interrupted,
 * on the way. */
static bool go_to_count(struct run *r, uint64_t count)
{
    struct gpudbg_machine *m = r->m;
    struct core *c = core_of(m);
    size_t i = history_find(m, position(r));
    while (i && history_executed(m, i, r->want->wave) > count) i--;
    history_restore(m, i);
    const bool deaf = c->door.deaf;
    bool go_on = true;
    c->door.deaf = true;
    struct turn turn;
    while (go_on && schedule_recorded(m, &turn)) {
        uint64_t limit = least(history_limit(m), TICK_WORK), n;
        if (turn.wave->id == r->want->wave) {
            if (turn.wave->executed == count) break;
            if (limit > count - turn.wave->executed) limit = count - turn.wave->executed;
        }
        schedule_run(m, &turn, limit, true, &n);
        core_events_settle(m);
        history_due(m);
        r->work += n + TURN_WORK;
        go_on = tick(r);
    }
    c->door.deaf = deaf;
    return go_on;
}

static void backward_wave(struct run *r, uint64_t count)
{
    struct machine_wave_info info;
    wave_now(r, &info);
    const uint64_t now = position(r);
    r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_STEP, .wave = info.id, .lane = -1};
    if (count > info.executed) {
        r->stop.reason = GPUDBG_STOP_HISTORY_START;
        count = info.executed;
    }
    if (!count) return;
    const uint64_t left = info.executed - count;
    if (count == 1) {
        /* Nearly always it was this wave that ran last. */
        if (!seek(r, now - 1)) {
            come_back(r, now);
            return;
        }
        wave_now(r, &info);
        if (info.executed == left) return;
    }
    if (!go_to_count(r, left)) {
        come_back(r, now);
        return;
    }
    if (count == 1 || may_jump(r)) return;
    const uint64_t to = position(r);
    const struct gpudbg_stop stop = r->stop;
    history_seek(r->m, now, NULL);
    search_back(r, to);
    if (!r->found && r->stop.reason != GPUDBG_STOP_INTERRUPT) r->stop = stop;
}

/* ---- */

static void run_backwards(struct run *r)
{
    const struct machine_want *want = r->want;
    switch (want->until) {
    case MACHINE_STEPS: backward_wave(r, want->count); break;
    case MACHINE_POSITION: backward(r, want->count < position(r) ? want->count : position(r)); break;
    case MACHINE_END: backward(r, 0); break;
    case MACHINE_BARRIER: search_back(r, 0); break;
    }
}

static void run_forwards(struct run *r)
{
    const struct machine_want *want = r->want;
    struct machine_wave_info info;
    switch (want->until) {
    case MACHINE_STEPS:
        wave_now(r, &info);
        r->todo = want->count;
        forward_wave(r, want->count > UINT64_MAX - info.executed ? UINT64_MAX : info.executed + want->count, false);
        break;
    case MACHINE_POSITION:
        r->todo = want->count > position(r) ? want->count - position(r) : 0;
        forward(r, want->count);
        break;
    case MACHINE_END: forward(r, UINT64_MAX); break;
    case MACHINE_BARRIER: forward_wave(r, UINT64_MAX, true); break;
    }
}

struct gpudbg_stop machine_run(struct gpudbg_machine *m, const struct machine_want *want)
{
    const uint64_t now = machine_position(m);
    struct run r = {.m = m, .want = want, .heed = want->stops, .over = true};
    r.cap = want->limit && want->limit < UINT64_MAX - now ? now + want->limit : UINT64_MAX;
    const bool goes_back = want->until == MACHINE_POSITION ? want->count < machine_position(m) : want->backwards;
    r.stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_STEP, .wave = want->wave, .lane = -1};
    if (want->wave >= m->nwaves) return r.stop;
    m->interrupt = 0;
    if (now < core_of(m)->schedule.recorded || goes_back) history_mark(m);
    struct machine_wave_info info;
    core_of(m)->door.deaf = !want->stops;
    core_of(m)->running = true;
    if (goes_back)
        run_backwards(&r);
    else
        run_forwards(&r);
    free(r.after);
    core_of(m)->running = false;
    core_of(m)->door.deaf = false;
    door_clear_hits(m);
    if (r.stop.reason == GPUDBG_STOP_INTERRUPT) r.stop.wave = machine_next_wave(m);
    if (r.stop.wave >= m->nwaves) r.stop.wave = want->wave;
    machine_wave_info(m, r.stop.wave, &info);
    r.stop.pc = info.pc;
    m->stop = r.stop;
    return r.stop;
}

bool machine_go(struct gpudbg_machine *m, uint64_t position, struct gpudbg_error *err)
{
    const struct ticker *ticker = core_of(m)->ticker;
    const struct machine_want want = {.until = MACHINE_POSITION,
        .count = position,
        .tick = ticker ? ticker->tick : NULL,
        .data = ticker ? ticker->data : NULL};
    return machine_run(m, &want).reason != GPUDBG_STOP_INTERRUPT ||
           gpudbg_fail(err, "interrupt", "interrupted while looking through recorded time");
}

void machine_come_back(struct gpudbg_machine *m, uint64_t position)
{
    machine_run(m, &(struct machine_want){.until = MACHINE_POSITION, .count = position});
}
