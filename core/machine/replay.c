/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay.c: see replay.h. */
#include "machine/replay.h"

#include <stdlib.h>
#include "base/alloc.h"

#define PARTS_EACH 16 /* a worker gets about so many, so that all are done at about the same time */
#define ASKED 16      /* an instruction that somebody is asked about takes as long as so many */

/* A list of epochs, cut into parts of about the same length. */
struct share {
    const struct epoch *epoch;
    size_t *first; /* epoch of a part; nparts + 1 of them */
    size_t nparts;
    uint64_t instructions;
};

static uint64_t length_of(const struct gpudbg_machine *m, const struct epoch *e)
{
    return e->to - core_of(m)->history.list[e->checkpoint].position;
}

static uint64_t alone(const struct gpudbg_machine *m, bool asked)
{
    return 2 * core_of(m)->history.interval / (asked ? ASKED : 1);
}

uint64_t replay_alone(const struct run *r) { return alone(r->m, r->want->every || r->want->observed); }

/* Processes, by their number and by their memory. */
static uint64_t processes(const struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    return c->threads.most ? c->threads.most : parts_processors();
}

static uint64_t processes_in_memory(const struct gpudbg_machine *m)
{
    const uint64_t each = core_of(m)->door.size + history_bytes(m), memory = core_of(m)->threads.memory;
    return memory && each ? memory / each : UINT64_MAX;
}

bool replay_memory_forbids(const struct gpudbg_machine *m) { return processes(m) > 1 && processes_in_memory(m) < 2; }

unsigned replay_processes(const struct gpudbg_machine *m, uint64_t instructions, uint64_t least)
{
    uint64_t n = processes(m);
    if (n > processes_in_memory(m)) n = processes_in_memory(m);
    if (n > instructions / least) n = instructions / least;
    return n < 2 || n > UINT32_MAX ? 1 : (unsigned)n;
}

static unsigned workers_for(const struct run *r, uint64_t instructions)
{
    return replay_processes(r->m, instructions, replay_alone(r));
}

unsigned machine_processes(const struct gpudbg_machine *m, uint64_t instructions)
{
    return replay_processes(m, instructions, alone(m, true));
}

static void cut(const struct gpudbg_machine *m, struct share *s, size_t n, unsigned workers)
{
    const uint64_t most = s->instructions / (workers * PARTS_EACH) + 1;
    uint64_t in_part = most;
    s->first = xcalloc(n + 1, sizeof *s->first);
    for (size_t i = 0; i < n; i++) {
        if (in_part >= most) {
            s->first[s->nparts++] = i;
            in_part = 0;
        }
        in_part += length_of(m, &s->epoch[i]);
    }
    s->first[s->nparts] = n;
}

/* Ctrl-C says so in the machine; the caller's tick may say so, too. */
static bool shared_tick(void *data, uint64_t done, uint64_t todo)
{
    struct run *r = data;
    const bool go_on = !r->m->interrupt && (!r->want->tick || r->want->tick(r->want->data, done, todo));
    r->m->interrupt = 0;
    return go_on;
}

/* Does the parts.  PARTS_FAILED also where it is not worth while. */
static enum parts_end share_out(struct run *r, struct share *s, size_t n, const struct parts_work *how)
{
    const struct ticker ticker = {.tick = shared_tick, .data = r};
    struct parts_work parts = *how;
    for (size_t i = 0; i < n; i++) s->instructions += length_of(r->m, &s->epoch[i]);
    parts.ticker = &ticker;
    parts.workers = workers_for(r, s->instructions);
    parts.todo = s->instructions;
    if (parts.workers < 2) return PARTS_FAILED;
    cut(r->m, s, n, parts.workers);
    parts.n = s->nparts;
    const enum parts_end end = parts_do(&parts);
    free(s->first);
    return end;
}

/* Goes where the epoch begins. */
static void enter(struct gpudbg_machine *m, const struct epoch *e)
{
    const struct history *h = &core_of(m)->history;
    if (h->present != e->checkpoint || h->list[h->present].position != core_of(m)->schedule.position)
        history_restore(m, e->checkpoint);
}

/* ---- A search ---- */

struct hunt {
    struct run *r;
    struct share share;
    size_t quiet;
};

static bool hunt_part(void *data, size_t part, struct parts_worker *worker)
{
    const struct hunt *hunt = data;
    struct run r = *hunt->r;
    r.worker = worker;
    r.after = NULL;
    r.told = r.done;
    history_still(r.m);
    size_t i = hunt->share.first[part];
    for (; i < hunt->share.first[part + 1]; i++) {
        const struct epoch *e = &hunt->share.epoch[i];
        enter(r.m, e);
        const bool whole = run_repeat(&r, e->to);
        if (r.found) break;
        if (!whole) return false;
    }
    parts_answer(worker, &i, sizeof i);
    return true;
}

static bool hunt_take(void *data, size_t part, const void *answer, size_t size)
{
    struct hunt *hunt = data;
    (void)size;
    hunt->quiet = *(const size_t *)answer;
    return hunt->quiet == hunt->share.first[part + 1];
}

bool replay_quiet(struct run *r, const struct epoch *epoch, size_t n, size_t *quiet)
{
    struct hunt hunt = {.r = r, .share = {.epoch = epoch}};
    const struct parts_work how = {.work = hunt_part, .take = hunt_take, .data = &hunt};
    const enum parts_end end = share_out(r, &hunt.share, n, &how);
    *quiet = hunt.quiet;
    if (end != PARTS_INTERRUPTED) return true; /* where it failed: what is known to be quiet is */
    r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_INTERRUPT, .wave = r->want->wave, .lane = -1};
    return false;
}

/* ---- Gathering ---- */

struct gathering {
    struct run *r;
    const struct machine_gather *g;
    struct share share;
};

static bool gather_part(void *data, size_t part, struct parts_worker *worker)
{
    const struct gathering *g = data;
    struct run r = *g->r;
    r.worker = worker;
    history_still(r.m);
    enter(r.m, &g->share.epoch[g->share.first[part]]);
    g->g->begin(r.want->data, r.m);
    for (size_t i = g->share.first[part]; i < g->share.first[part + 1]; i++) {
        const struct epoch *e = &g->share.epoch[i];
        enter(r.m, e);
        if (!run_repeat(&r, e->to)) return false;
    }
    g->g->end(r.want->data, r.m, worker);
    return true;
}

static bool gather_take(void *data, size_t part, const void *answer, size_t size)
{
    const struct gathering *g = data;
    (void)part;
    g->g->merge(g->r->want->data, answer, size);
    return true;
}

enum parts_end machine_gather(struct gpudbg_machine *m, const struct machine_gather *g)
{
    const struct history *h = &core_of(m)->history;
    struct run r = {.m = m, .want = g->want, .heed = g->want->stops, .cap = UINT64_MAX};
    const uint64_t now = core_of(m)->schedule.position;
    if (workers_for(&r, g->to) < 2) return PARTS_FAILED;
    history_mark(m);
    history_restore(m, 0); /* workers go on in time only */
    struct epoch *epoch = xcalloc(h->n, sizeof *epoch);
    size_t n = 0;
    for (size_t i = 0; i < h->n && h->list[i].position < g->to; i++) {
        const uint64_t end = i + 1 < h->n && h->list[i + 1].position < g->to ? h->list[i + 1].position : g->to;
        if (end > h->list[i].position && run_matters(&r, i)) epoch[n++] = (struct epoch){i, end};
    }
    struct gathering all = {.r = &r, .g = g, .share = {.epoch = epoch}};
    const struct parts_work how = {.work = gather_part, .take = gather_take, .data = &all};
    const bool deaf = core_of(m)->door.deaf;
    core_of(m)->door.deaf = !r.heed;
    core_of(m)->running = true;
    m->interrupt = 0;
    const enum parts_end end = share_out(&r, &all.share, n, &how);
    core_of(m)->running = false;
    core_of(m)->door.deaf = deaf;
    history_seek(m, now, NULL);
    free(epoch);
    return end;
}
