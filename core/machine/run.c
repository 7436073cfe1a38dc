/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run.c: machine_run.  Forward is taking turns: the recorded ones as long as there are any, then new ones.  Backward is
 * going to a checkpoint and taking recorded turns again: stops are found by passing over the epochs, latest first, and
 * keeping the last stop of the first epoch that has one.
 *
 * A stop belongs to a position: a breakpoint to the one before its instruction, a watchpoint to the one after.  Forward
 * stops at the first such position after the present, backward at the last before it.
 */
#include "base/alloc.h"
#include "machine/ahead.h"
#include "machine/replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static uint64_t position(const struct run *r) { return core_of(r->m)->schedule.position; }

/* Goes to a recorded position.  false: interrupted on the way, and r->stop says so. */
static bool seek(struct run *r, uint64_t to)
{
    const struct ticker ticker = {.tick = r->want->tick, .data = r->want->data};
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
    return !run_observer(r) && !r->want->whole &&
           (!r->heed || (!r->want->every && !c->nbreaks && !c->ntraces && !c->ncatching && !c->door.nwatch));
}

/* The cap was reached before what was wanted. */
static void met_cap(struct run *r)
{
    r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_INTERRUPT, .wave = r->want->wave, .lane = -1};
    snprintf(r->stop.message, sizeof r->stop.message, "Limit of %" PRIu64 " instructions", r->want->limit);
}

/* Goes to checkpoint `to`, which is further on.  false: interrupted. */
static bool pass_to(struct run *r, size_t to)
{
    r->done += core_of(r->m)->history.list[to].position - position(r);
    history_restore(r->m, to);
    r->work += TICK_WORK;
    return run_tick(r);
}

/* The epochs from the present on, up to position `to`, as far as they matter. */
static size_t epochs_ahead(const struct run *r, uint64_t to, struct epoch *epoch)
{
    const struct history *h = &core_of(r->m)->history;
    size_t n = 0;
    for (size_t i = h->present; i + 1 < h->n && h->list[i + 1].position <= to; i++)
        if (run_matters(r, i)) epoch[n++] = (struct epoch){i, h->list[i + 1].position};
    return n;
}

/* Once on a long way, others are asked where to go on.  false: interrupted. */
static bool pass_quiet(struct run *r, uint64_t to)
{
    const struct history *h = &core_of(r->m)->history;
    if (!r->want->pure || r->shared || r->done < replay_alone(r)) return true;
    r->shared = true;
    struct epoch *epoch = xcalloc(h->n, sizeof *epoch);
    const size_t n = epochs_ahead(r, to, epoch);
    size_t quiet = 0;
    const bool go_on = replay_quiet(r, epoch, n, &quiet);
    const size_t next = quiet < n ? epoch[quiet].checkpoint : n ? epoch[n - 1].checkpoint + 1 : h->present;
    free(epoch);
    return go_on && (next == h->present || pass_to(r, next));
}

/* Passes over epochs that do not matter.  false: interrupted. */
static bool pass_epochs(struct run *r, uint64_t to)
{
    const struct history *h = &core_of(r->m)->history;
    while (r->want->sieve && position(r) == h->list[h->present].position && h->present + 1 < h->n &&
           h->list[h->present + 1].position <= to) {
        if (!pass_quiet(r, to)) return false;
        if (h->present + 1 >= h->n || h->list[h->present + 1].position > to || run_matters(r, h->present)) break;
        if (!pass_to(r, h->present + 1)) return false;
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
        if (position(r) == to) break;
        if (ahead_due(r, to)) {
            if (!ahead_run(r, to)) return;
            continue;
        }
        if (!(recorded(r) ? schedule_recorded(r->m, &turn) : schedule_default(r->m, &turn))) {
            no_turn(r);
            return;
        }
        if (!run_turn(r, &turn, UINT64_MAX)) return;
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

/* Until the wave has executed `to` instructions, or with `barrier` until it waits at one. */
static void forward_wave(struct run *r, uint64_t to, bool barrier)
{
    struct machine_wave_info now;
    struct turn turn;
    r->limit = r->cap;
    bool ran = false;
    for (wave_now(r, &now); now.executed < to; wave_now(r, &now)) {
        if (now.state == GPUDBG_ENDED || (barrier && ran && now.state == GPUDBG_AT_BARRIER)) break;
        if (position(r) >= r->cap) {
            met_cap(r);
            return;
        }
        if (!(recorded(r) ? schedule_recorded(r->m, &turn) : schedule_alone(r->m, now.id, &turn))) {
            no_turn(r);
            return;
        }
        const bool mine = turn.wave->id == now.id;
        const uint64_t barriers = core_of(r->m)->schedule.barriers;
        if (!run_turn(r, &turn, mine ? to - now.executed : UINT64_MAX)) return;
        ran |= mine;
        if (barrier && mine && core_of(r->m)->schedule.barriers != barriers) break;
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

/* The epochs that matter between `from` and the present, the latest first. */
static size_t epochs_back(const struct run *r, uint64_t from, struct epoch *epoch)
{
    const struct history *h = &core_of(r->m)->history;
    size_t n = 0;
    uint64_t to = position(r);
    for (size_t i = history_find(r->m, to); to > from; i--) {
        if (run_matters(r, i)) epoch[n++] = (struct epoch){i, to};
        to = h->list[i].position;
    }
    return n;
}

/* Runs the epochs again, until one has a stop.  Once it takes long, others are asked where to go on.  false:
 * interrupted. */
static bool search_epochs(struct run *r, const struct epoch *epoch, size_t n)
{
    uint64_t instructions = 0;
    for (size_t i = 0, quiet; i < n && !r->found; i++) {
        if (!r->shared && instructions >= replay_alone(r)) {
            r->shared = true;
            if (!replay_quiet(r, epoch + i, n - i, &quiet)) return false;
            if ((i += quiet) == n) break;
        }
        history_restore(r->m, epoch[i].checkpoint);
        instructions += epoch[i].to - position(r);
        if (!run_repeat(r, epoch[i].to)) return false;
    }
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
    struct epoch *epoch = xcalloc(core_of(r->m)->history.n, sizeof *epoch);
    const bool whole = search_epochs(r, epoch, epochs_back(r, from, epoch));
    free(epoch);
    if (!whole || !seek(r, r->found ? r->position : from)) {
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
        go_on = run_tick(r);
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
    ahead_close(&r);
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
