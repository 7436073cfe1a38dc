/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "control/profile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "machine/machine.h"

#define GLANCE_MOST 1000000 /* instructions that run again within a blink */

/* Counters by pc in an open hash table; what an instruction is, is looked up once. */
struct counter {
    struct profile_place at;
    uint64_t next; /* the address behind it */
    bool used, vector;
};

struct counting {
    struct control *ctl;
    struct counter *table;
    size_t room, used; /* room: a power of two */
    struct turn {      /* the latest instruction of each wave of a group, by its index */
        uint32_t wave;
        uint64_t pc;
        bool any;
    } * last, *first; /* ... and the first of a part of time */
    size_t nlast;
    bool *watching; /* of gpudbg_rerun, or NULL */
};

static struct counter *slot(struct counter *table, size_t room, uint64_t pc)
{
    size_t i = (size_t)((pc >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (room - 1);
    while (table[i].used && table[i].at.pc != pc) i = (i + 1) & (room - 1);
    return &table[i];
}

static void grow(struct counting *c)
{
    size_t room = c->room ? 2 * c->room : 1024;
    struct counter *table = xcalloc(room, sizeof *table);
    for (size_t i = 0; i < c->room; i++)
        if (c->table[i].used) *slot(table, room, c->table[i].at.pc) = c->table[i];
    free(c->table);
    c->table = table;
    c->room = room;
}

static struct counter *counter(struct counting *c, uint64_t pc)
{
    if (2 * c->used >= c->room) grow(c);
    struct counter *at = slot(c->table, c->room, pc);
    if (!at->used) {
        struct gpudbg_insn insn;
        c->used++;
        at->used = true;
        at->at.pc = at->next = pc;
        if (insn_at(c->ctl->eval->loaded->image, pc, &insn)) {
            at->next = pc + insn.size;
            at->vector = insn.op && insn.op->flags & GPUDBG_OP_VECTOR;
        }
    }
    return at;
}

/* The wave is at `now`: so one knows whether the instruction before it jumped. */
static void follow(struct counting *c, struct turn *last, const struct turn *now)
{
    if (last->any && last->wave == now->wave) {
        struct counter *from = counter(c, last->pc);
        if (from->next != now->pc) from->at.jumped++;
    }
    *last = *now;
}

/* Before each instruction. */
static bool count(void *data, struct gpudbg_wave *w)
{
    struct counting *c = data;
    const size_t i = w->index % c->nlast;
    const struct turn now = {w->id, w->pc, true};
    if (!c->first[i].any) c->first[i] = now;
    follow(c, &c->last[i], &now);
    struct counter *at = counter(c, w->pc);
    at->at.executed++;
    if (at->vector) {
        uint64_t active = w->machine->isa->run->active(w);
        at->at.lanes += (unsigned)__builtin_popcountll(active);
        at->at.partial += active != w->lanes;
    }
    return false;
}

static int by_pc(const void *a, const void *b)
{
    uint64_t x = ((const struct profile_place *)a)->pc, y = ((const struct profile_place *)b)->pc;
    return x < y ? -1 : x > y;
}

static void collect(const struct counting *c, struct profile *p)
{
    p->place = xcalloc(c->used + 1, sizeof *p->place);
    for (size_t i = 0; i < c->room; i++)
        if (c->table[i].used) {
            p->place[p->count++] = c->table[i].at;
            p->instructions += c->table[i].at.executed;
            p->lane_operations += c->table[i].at.lanes;
        }
    qsort(p->place, p->count, sizeof *p->place, by_pc);
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    struct control *ctl = ((struct counting *)data)->ctl;
    return ticker_goes_on(ctl->eval->ticker, done, todo);
}

/* From the launch to the present once more, watched by `by`, or counted by the runner (`tally`), or neither.  false:
 * interrupted. */
static bool run_again(
    struct control *ctl, struct counting *c, const struct machine_observer *by, bool tally, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = ctl->eval->running->machine;
    const uint64_t now = machine_position(m);
    if (ctl->glance && now > GLANCE_MOST)
        return gpudbg_fail(
            err, "not-now", "%" PRIu64 " instructions would run again for each look: ask with `info`", now);
    const struct gpudbg_stop stop = m->stop; /* this is no run of the user's */
    struct machine_want want = {
        .until = MACHINE_POSITION, .count = now, .wave = ctl->eval->selection->wave, .tick = tick, .data = c};
    machine_rewind(m);
    if (tally) machine_tally(m, true);
    want.observed = by != NULL;
    want.whole = true;
    const struct machine_observer *theirs = by ? machine_observe(m, by) : NULL;
    machine_run(m, &want);
    if (by) machine_observe(m, theirs);
    const bool whole = machine_position(m) == now;
    if (!whole) {
        if (c->watching) *c->watching = false;
        machine_come_back(m, now);
        gpudbg_fail(err, "interrupt", "running recorded time again was interrupted");
    }
    m->stop = stop;
    return whole;
}

bool profile_rerun(struct control *ctl, bool *watching, struct gpudbg_error *err)
{
    struct counting c = {.ctl = ctl, .watching = watching};
    if (!eval_need_machine(ctl->eval, err)) return false;
    *watching = true;
    const bool whole = run_again(ctl, &c, NULL, false, err);
    *watching = false;
    return whole;
}

bool profile_watch(struct control *ctl, const struct machine_observer *by, struct gpudbg_error *err)
{
    struct counting c = {.ctl = ctl};
    return eval_need_machine(ctl->eval, err) && run_again(ctl, &c, by, false, err);
}

/* ---- As the runner counts ---- */

struct tallying {
    struct control *ctl;
    struct profile *p;
    size_t room;
};

static void take(void *to, const struct gpudbg_tally *t)
{
    struct tallying *c = to;
    struct gpudbg_insn insn;
    if (c->p->count == c->room) {
        c->room = c->room ? 2 * c->room : 256;
        c->p->place = xrealloc(c->p->place, c->room, sizeof *c->p->place);
    }
    const bool vector = insn_at(c->ctl->eval->loaded->image, t->pc, &insn) && insn.op &&
                        insn.op->flags & GPUDBG_OP_VECTOR;
    struct profile_place *place = &c->p->place[c->p->count++];
    *place = (struct profile_place){t->pc, t->executed, vector ? t->lanes : 0, vector ? t->partial : 0, t->jumped};
    c->p->instructions += place->executed;
    c->p->lane_operations += place->lanes;
}

/* *told: the runner could; then the result says whether it was not interrupted. */
static bool take_tallied(struct control *ctl, struct profile *p, bool *told, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = ctl->eval->running->machine;
    struct counting none = {.ctl = ctl};
    struct tallying c = {ctl, p, 0};
    *told = m->isa->run->tally != NULL;
    if (!*told) return false;
    const bool done = machine_tallied(m) || run_again(ctl, &none, NULL, true, err);
    *told = !done || (machine_tallied(m) && m->isa->run->tallied(m, take, &c));
    if (!ctl->settings->profile) machine_tally(m, false);
    if (*told && done) {
        if (p->count) qsort(p->place, p->count, sizeof *p->place, by_pc);
    } else {
        free(p->place);
        memset(p, 0, sizeof *p);
    }
    return done;
}

/* ---- By several processes at once ---- */

struct sharing {
    struct counting *c;
    bool tally; /* the runners count */
    bool told;  /* ... and could tell */
};

static bool share_tick(void *data, uint64_t done, uint64_t todo)
{
    return tick(((const struct sharing *)data)->c, done, todo);
}

static void clear(struct counting *c)
{
    free(c->table);
    c->table = NULL;
    c->room = c->used = 0;
    memset(c->last, 0, c->nlast * sizeof *c->last);
    memset(c->first, 0, c->nlast * sizeof *c->first);
}

static void share_begin(void *data, struct gpudbg_machine *m)
{
    struct sharing *s = data;
    clear(s->c);
    if (s->tally) machine_tally(m, true);
}

/* The answer: the first and the last turns, and the counts; nothing if the runner cannot tell. */
static void share_end(void *data, struct gpudbg_machine *m, struct parts_worker *worker)
{
    const struct sharing *s = data;
    struct profile p = {0};
    struct tallying t = {s->c->ctl, &p, 0};
    if (s->tally && !m->isa->run->tallied(m, take, &t)) return;
    if (!s->tally) collect(s->c, &p);
    parts_answer(worker, s->c->first, s->c->nlast * sizeof *s->c->first);
    parts_answer(worker, s->c->last, s->c->nlast * sizeof *s->c->last);
    parts_answer(worker, p.place, p.count * sizeof *p.place);
    profile_free(&p);
}

static void add_place(struct counting *c, const struct profile_place *p)
{
    struct profile_place *at = &counter(c, p->pc)->at;
    at->executed += p->executed;
    at->lanes += p->lanes;
    at->partial += p->partial;
    at->jumped += p->jumped;
}

static void share_merge(void *data, const void *answer, size_t size)
{
    struct sharing *s = data;
    struct counting *c = s->c;
    const struct turn *first = answer, *last = first + c->nlast;
    const struct profile_place *place = (const void *)(last + c->nlast);
    if (!size) s->told = false;
    if (!size) return;
    for (size_t i = 0; i < (size - 2 * c->nlast * sizeof *first) / sizeof *place; i++) add_place(c, &place[i]);
    for (size_t i = 0; i < c->nlast; i++) {
        if (first[i].any) follow(c, &c->last[i], &first[i]);
        if (last[i].any) c->last[i] = last[i];
    }
}

/* FAILED: it has to be counted here. */
static enum parts_end share(struct counting *c, struct gpudbg_machine *m, struct profile *p)
{
    const struct machine_observer mine = {.data = c, .before = count};
    struct sharing s = {c, m->isa->run->tally != NULL, true};
    struct machine_want want = {.wave = c->ctl->eval->selection->wave, .tick = share_tick, .data = &s};
    const struct machine_gather gather = {
        .want = &want, .to = machine_position(m), .begin = share_begin, .end = share_end, .merge = share_merge};
    want.observed = !s.tally;
    const struct machine_observer *theirs = want.observed ? machine_observe(m, &mine) : NULL;
    enum parts_end end = machine_gather(m, &gather);
    if (want.observed) machine_observe(m, theirs);
    if (!s.told) end = PARTS_FAILED;
    if (end == PARTS_DONE) collect(c, p);
    return end;
}

/* ---- */

static bool count_here(struct counting *c, struct profile *p, struct gpudbg_error *err)
{
    const struct machine_observer mine = {.data = c, .before = count};
    clear(c);
    const bool whole = run_again(c->ctl, c, &mine, false, err);
    if (whole) collect(c, p);
    return whole;
}

bool profile_take(struct control *ctl, struct profile *p, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval_need_machine(ctl->eval, err);
    memset(p, 0, sizeof *p);
    if (!m) return false;
    struct counting c = {.ctl = ctl, .nlast = m->waves_per_group ? m->waves_per_group : 1};
    c.last = xcalloc(c.nlast, sizeof *c.last);
    c.first = xcalloc(c.nlast, sizeof *c.first);
    bool told = false, whole = false;
    enum parts_end end = PARTS_FAILED;
    if (!ctl->glance && !ctl->settings->profile && !machine_tallied(m)) end = share(&c, m, p);
    if (end == PARTS_INTERRUPTED) gpudbg_fail(err, "interrupt", "running recorded time again was interrupted");
    if (end == PARTS_FAILED) whole = take_tallied(ctl, p, &told, err);
    if (end == PARTS_FAILED && !told) whole = count_here(&c, p, err);
    free(c.table);
    free(c.last);
    free(c.first);
    return whole || end == PARTS_DONE;
}

void profile_free(struct profile *p) { free(p->place); }
