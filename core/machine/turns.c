/* SPDX-License-Identifier: GPL-3.0-or-later */
/* turns.c: one turn of a run: who is asked before it and after it, and whether the run goes on. */
#include "machine/run.h"
#include "machine/unknown.h"

#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

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

bool run_tick(struct run *r)
{
    const struct machine_want *want = r->want;
    bool go_on = true;
    if (r->work >= TICK_WORK) {
        r->work = 0;
        if (r->worker)
            go_on = parts_goes_on(r->worker, r->done - r->told);
        else if (want->tick && !want->tick(want->data, r->done, r->todo))
            go_on = false;
        r->told = r->done;
    }
    if (r->m->interrupt) {
        r->m->interrupt = 0;
        go_on = false;
    }
    if (!go_on) r->stop.reason = GPUDBG_STOP_INTERRUPT;
    return go_on;
}

const struct machine_observer *run_observer(const struct run *r)
{
    return r->want->observed ? core_of(r->m)->observer : NULL;
}

bool run_passes_traces(const struct run *r, struct gpudbg_wave *w)
{
    const struct core *c = core_of(r->m);
    const struct trace *t;
    size_t i = 0;
    for (size_t k = 0; k < c->nbreaks; k++)
        if (c->breaks[k].pc == w->pc) return false;
    for (; r->want->about && (t = core_trace_at(c, w->pc, &i)) != NULL; i++)
        if (r->want->about(r->want->data, w, t->number)) return false;
    return c->ntraces;
}

bool run_ask_observer(struct gpudbg_wave *w)
{
    struct core *c = core_of(w->machine);
    c->asked = c->observer->before(c->observer->data, w) && c->heeds;
    return c->asked;
}

/* Runs a turn until somebody has to look.  *n: how many instructions it executed; *again: the same turn may go on.
 * false: the run stops. */
static bool run_some(struct run *r, const struct turn *turn, uint64_t limit, uint64_t *n, bool *again)
{
    struct gpudbg_machine *m = r->m;
    struct gpudbg_wave *w = turn->wave;
    const bool every = r->want->every && r->heed;
    *n = 0;
    *again = false;
    if (every) {
        limit = 1;
        r->work += ASK_WORK / 16;
        if (!r->over && asks_here(r) && r->want->every(r->want->data, w) && !meet(r, GPUDBG_STOP_STEP, w->id, w->pc, 0))
            return false;
    }
    const struct machine_observer *observer = run_observer(r);
    const bool asks = observer && observer->before && m->isa->run->asks;
    if (observer && !asks) {
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
    core_of(m)->observing = observer;
    core_of(m)->asked = false;
    core_of(m)->heeds = r->heed;
    if (asks) m->ask = run_ask_observer;
    const enum gpudbg_ran ran = schedule_run(m, turn, limit, r->over || !r->heed, n);
    m->ask = NULL;
    core_of(m)->observing = false;
    if (decoded && *n) unknown_executed(w, &insn, active);
    if (observer && observer->barrier && ran == GPUDBG_RAN_BARRIER) observer->barrier(observer->data, w);
    if (*n) r->over = false;
    r->work += *n + TURN_WORK;
    r->done += *n;
    const unsigned ended = 1u << ran | (core_of(m)->pending ? 1u << GPUDBG_RAN_EVENT : 0);
    if (ran == GPUDBG_RAN_FAULT) core_events_drop(m); /* of an instruction that was not executed */
    core_events_settle(m);
    bool go_on = true;
    if (*n && r->nafter && !met_traces(r, w)) {
        history_due(m);
        return false;
    }
    if (ran == GPUDBG_RAN_FAULT) {
        met_fault(r, w);
        go_on = false;
    } else if (core_of(m)->asked) {
        go_on = meet(r, GPUDBG_STOP_CHECK, w->id, w->pc, 0);
    } else if (ran == GPUDBG_RAN_BREAK) {
        go_on = met_break(r, w);
    } else if (ran == GPUDBG_RAN_WATCH) {
        go_on = met_watch(r, w);
    } else if (ran == GPUDBG_RAN_BARRIER && r->search && r->want->until == MACHINE_BARRIER && id == r->want->wave) {
        meet(r, GPUDBG_STOP_STEP, id, w->pc, 0);
    }
    if (*n && go_on && core_of(m)->ncatching) go_on = met_catch(r, w, ended & ~(1u << GPUDBG_RAN_FAULT));
    history_due(m);
    *again = observer && !every && !partial && !r->nafter && ran == GPUDBG_RAN_LIMIT && *n;
    return go_on && run_tick(r);
}

bool run_turn(struct run *r, const struct turn *turn, uint64_t limit)
{
    struct turn rest = *turn;
    uint64_t n;
    for (bool again = true; again; again = again && rest.limit && limit && position(r) < r->limit) {
        if (!run_some(r, &rest, limit, &n, &again)) return false;
        rest.limit -= n;
        limit -= n;
    }
    return true;
}

bool run_repeat(struct run *r, uint64_t to)
{
    struct turn turn;
    r->limit = to;
    r->over = false;
    while (position(r) < to)
        if (!schedule_recorded(r->m, &turn) || !run_turn(r, &turn, UINT64_MAX)) return false;
    return true;
}

/* ---- Where one need not look ---- */

/* Instructions that the wave of the sieve, or its group, have executed by a checkpoint. */
static uint64_t sieve_executed(const struct run *r, size_t checkpoint)
{
    const struct machine_sieve *sieve = r->want->sieve;
    const uint32_t each = r->m->waves_per_group, first = sieve->wave / each * each;
    const bool group = sieve->by == SIEVE_GROUP;
    uint64_t sum = 0;
    for (uint32_t w = group ? first : sieve->wave; w < (group ? first + each : sieve->wave + 1); w++)
        sum += history_executed(r->m, checkpoint, w);
    return sum;
}

bool run_matters(const struct run *r, size_t i)
{
    const struct history *h = &core_of(r->m)->history;
    const struct machine_sieve *sieve = r->want->sieve;
    if (!sieve) return true;
    if (sieve->by == SIEVE_PAGES) return history_stores(r->m, i, sieve->segment, sieve->first, sieve->last);
    const size_t next = i + 1;
    return next == h->n || sieve_executed(r, i) != sieve_executed(r, next);
}
