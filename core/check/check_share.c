/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_share.c: replays recorded time to watchers that missed it, by several processes.
 *
 * What a watcher knows at an instruction follows from all that came before, so recorded time cannot be cut into parts.
 * The kinds of checkers can be shared out, because they do not depend on each other: a worker (base/parts.h) runs the
 * whole recorded time again and shows it to some kinds, while this process shows it to the others.  The kinds of a
 * worker keep what they know in a pool (base/pool.h), so this process can go on with it.  The worker answers with its
 * reports; they are put where one process would have put them.
 */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/watch.h"

#define PROCESSES_MOST 16

#define AGAIN 4           /* a process is worth it from so many times the instructions of a search */
#define ALONE_MOST 500000 /* instructions that this process replays alone, before others help */

struct sharing {
    struct gpudbg_checks *checks;
    uint64_t now;
    size_t from; /* reports that there were before */
};

/* ---- Who shows what ---- */

static bool movable(const struct watcher *w) { return w->state && pool_whole(w->pool); }

static void be_all(struct gpudbg_checks *c)
{
    for (size_t i = 0; i < c->nwatch; i++) c->watch[i].process = 0;
    checks_tell(c, 0);
}

static struct watcher *heaviest_of(const struct gpudbg_checks *c, unsigned process)
{
    struct watcher *heaviest = NULL;
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++)
        if (w->process == process && (!heaviest || w->spent > heaviest->spent)) heaviest = w;
    return heaviest;
}

/* Deals kinds out, the slowest first, each to the process with the least work; kinds that cannot move stay here.
 * Returns how many processes that are; 1 also where one would have more than three quarters of the work. */
static unsigned deal(struct gpudbg_checks *c, unsigned processes)
{
    uint64_t load[PROCESSES_MOST] = {0}, all = 0, most = 0;
    unsigned used = 1;
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++) {
        w->process = movable(w) ? PROCESSES_MOST : 0;
        if (!w->process) load[0] += w->spent;
        all += w->spent;
    }
    for (struct watcher *w; (w = heaviest_of(c, PROCESSES_MOST));) {
        unsigned to = 0;
        for (unsigned i = 1; i < processes; i++)
            if (load[i] < load[to]) to = i;
        w->process = to;
        load[to] += w->spent;
        if (to >= used) used = to + 1;
    }
    for (unsigned i = 0; i < used; i++)
        if (load[i] > most) most = load[i];

    if (most <= all / 4 * 3) return used;
    be_all(c);
    return 1;
}

/* ---- Reports as bytes: the structure and its texts, each with its length before it ---- */

#define NO_TEXT SIZE_MAX

static void say_text(struct parts_worker *worker, const char *text)
{
    const size_t n = text ? strlen(text) : NO_TEXT;
    parts_answer(worker, &n, sizeof n);
    if (text) parts_answer(worker, text, n);
}

static void say_report(struct parts_worker *worker, const struct check_report *r)
{
    parts_answer(worker, r, sizeof *r);
    say_text(worker, r->what.message);
    say_text(worker, r->what.origin);
    say_text(worker, r->cause);
}

static char *hear_text(const char **at)
{
    size_t n;
    memcpy(&n, *at, sizeof n);
    *at += sizeof n;
    if (n == NO_TEXT) return NULL;
    char *text = xstrndup(*at, n);
    *at += n;
    return text;
}

/* Its other pointers are to constants: the kind, the word for an error. */
static struct check_report hear_report(const char **at)
{
    struct check_report r;
    memcpy(&r, *at, sizeof r);
    *at += sizeof r;
    r.what.message = hear_text(at);
    r.what.origin = hear_text(at);
    r.what.cause = r.cause = hear_text(at);
    return r;
}

/* Sends reports from before that were made again meanwhile. */
static void say_again(struct parts_worker *worker, const struct check_report *r)
{
    parts_answer(worker, &r->count, sizeof r->count);
    parts_answer(worker, &r->what.lanes, sizeof r->what.lanes);
}

static void hear_again(const char **at, struct check_report *r, bool theirs)
{
    if (theirs) memcpy(&r->count, *at, sizeof r->count);
    *at += sizeof r->count;
    if (theirs) memcpy(&r->what.lanes, *at, sizeof r->what.lanes);
    *at += sizeof r->what.lanes;
}

/* ---- In a worker ---- */

struct telling {
    struct parts_worker *worker;
    uint64_t told;
};

static bool worker_tick(void *data, uint64_t done, uint64_t todo)
{
    struct telling *t = data;
    const uint64_t more = done - t->told;
    (void)todo;
    t->told = done;
    return parts_goes_on(t->worker, more);
}

static bool show_part(void *data, size_t part, struct parts_worker *worker)
{
    const struct sharing *s = data;
    struct gpudbg_checks *c = s->checks;
    struct telling telling = {.worker = worker};
    checks_tell(c, (unsigned)part + 1);
    if (!checks_show(c, s->now, worker_tick, &telling)) return false;
    for (size_t i = 0; i < s->from; i++) say_again(worker, &c->report[i]);
    const size_t n = c->count - s->from;
    parts_answer(worker, &n, sizeof n);
    for (size_t i = s->from; i < c->count; i++) say_report(worker, &c->report[i]);
    if (c->sampling) checks_sample(c, 0);
    for (size_t i = 0; i < c->nwatch; i++) parts_answer(worker, &c->watch[i].spent, sizeof c->watch[i].spent);
    return true;
}

/* ---- Here ---- */

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct gpudbg_checks *c = data;
    return ticker_goes_on(c->eval->ticker, done, todo);
}

/* Ctrl-C says so in the machine, too. */
static bool waiting_tick(void *data, uint64_t done, uint64_t todo)
{
    const struct sharing *s = data;
    struct gpudbg_machine *m = s->checks->eval->running->machine;
    const bool go_on = !m->interrupt && tick(s->checks, done, todo);
    m->interrupt = 0;
    return go_on;
}

static bool show_here(void *data)
{
    const struct sharing *s = data;
    checks_tell(s->checks, 0);
    return checks_show(s->checks, s->now, tick, s->checks);
}

static bool hear_part(void *data, size_t part, const void *answer, size_t size)
{
    const struct sharing *s = data;
    struct gpudbg_checks *c = s->checks;
    const char *at = answer;
    size_t n;
    (void)size;
    for (size_t i = 0; i < s->from; i++) {
        struct check_report *r = &c->report[i];
        hear_again(&at, r, r->running && c->watch[r->watcher].process == part + 1);
    }
    memcpy(&n, at, sizeof n);
    at += sizeof n;
    struct check_report *r = xcalloc(n, sizeof *r);
    for (size_t i = 0; i < n; i++) r[i] = hear_report(&at);
    checks_merge(c, s->from, r, n);
    free(r);
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++, at += sizeof w->spent)
        if (w->process == part + 1) memcpy(&w->spent, at, sizeof w->spent);
    return true;
}

/* The workers' parts are lost, so this process drops its own part, too. */
static void start_again(struct gpudbg_checks *c)
{
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++) {
        if (!w->process || !w->pool) continue;
        w->state = NULL;
        pool_end(w->pool);
        w->pool = NULL;
    }
    checks_end(c);
    checks_forget(c, NULL, true);
    checks_start(c, false);
}

static bool all_whole(const struct gpudbg_checks *c)
{
    for (const struct watcher *w = c->watch; w < c->watch + c->nwatch; w++)
        if (w->process && !pool_whole(w->pool)) return false;
    return true;
}

/* Replays with workers.  FAILED: the watchers have seen nothing. */
static enum parts_end show_apart(struct gpudbg_checks *c, uint64_t to, unsigned workers)
{
    const struct sharing s = {.checks = c, .now = to, .from = c->count};
    const struct ticker ticker = {.tick = waiting_tick, .data = (void *)&s};
    const struct parts_work parts = {.n = workers,
        .workers = workers,
        .todo = (to - c->seen) * workers,
        .ticker = &ticker,
        .work = show_part,
        .meanwhile = show_here,
        .take = hear_part,
        .data = (void *)&s};
    enum parts_end end = parts_do(&parts);
    if (end == PARTS_DONE && !all_whole(c)) end = PARTS_FAILED;
    if (end != PARTS_DONE) start_again(c);
    be_all(c);
    return end;
}

static void rewind_to_launch(struct gpudbg_checks *c)
{
    machine_rewind(c->eval->running->machine);
    c->rewound = true;
}

/* Replays a part.  measured: one instruction in `measured` is timed, and the times decide how the next part is dealt
 * out; 0: without timing. */
static enum parts_end show_to(struct gpudbg_checks *c, uint64_t to, unsigned processes, unsigned measured)
{
    const unsigned used = processes > 1 ? deal(c, processes) : 1;
    enum parts_end end;
    if (measured) checks_sample(c, measured);
    if (used > 1)
        end = show_apart(c, to, used - 1);
    else
        end = checks_show(c, to, tick, c) ? PARTS_DONE : PARTS_INTERRUPTED;
    if (measured) checks_sample(c, 0);
    return end;
}

static bool any_movable(const struct gpudbg_checks *c)
{
    for (const struct watcher *w = c->watch; w < c->watch + c->nwatch; w++)
        if (movable(w)) return true;
    return false;
}

static unsigned processes_for(const struct gpudbg_checks *c, uint64_t instructions)
{
    const unsigned n = machine_processes(c->eval->running->machine, instructions / AGAIN);
    return n < PROCESSES_MOST ? n : PROCESSES_MOST;
}

/* Replays what they missed: a part that times each kind; a longer one, because programs begin differently from how they
 * go on; and the rest. */
static bool show_from(struct gpudbg_checks *c, uint64_t from, uint64_t now)
{
    const uint64_t n = now - from, alone = n / 64 < ALONE_MOST ? n / 64 : ALONE_MOST;
    const unsigned processes = processes_for(c, n);
    if (processes > 1 && any_movable(c)) {
        enum parts_end end = show_to(c, from + alone, 1, 32);
        if (end == PARTS_DONE) end = show_to(c, from + n / 8, processes, 128);
        if (end == PARTS_DONE) end = show_to(c, now, processes, 0);
        if (end != PARTS_FAILED) return end == PARTS_DONE;
        rewind_to_launch(c);
    }
    return checks_show(c, now, tick, c);
}

static bool show_all(struct gpudbg_checks *c, uint64_t now)
{
    if (processes_for(c, now) > 1) {
        checks_end(c);
        checks_start(c, true);
    }
    rewind_to_launch(c);
    return show_from(c, 0, now);
}

bool checks_catch_up(struct gpudbg_checks *c, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = c->eval->running->machine;
    const uint64_t now = machine_position(m);
    if (c->rewound && c->seen >= now) return true;
    const struct gpudbg_stop stop = m->stop;
    const bool whole = !c->rewound ? show_all(c, now) : machine_go(m, c->seen, err) && show_from(c, c->seen, now);
    const struct gpudbg_stop end = m->stop;
    if (!whole) machine_come_back(m, now);
    c->before = c->count;
    m->stop = stop;
    /* These instructions ran before without a fault, so this fault means that memory ran out. */
    if (!whole && end.reason == GPUDBG_STOP_FAULT) return gpudbg_fail(err, "memory", "%s", end.message);
    return whole || gpudbg_fail(err, "interrupt", "interrupted while the checkers looked at what was executed before");
}
