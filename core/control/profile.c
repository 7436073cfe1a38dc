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
    } * last;
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

/* Before each instruction: the one before it of the same wave has shown where it went. */
static bool count(void *data, struct gpudbg_wave *w)
{
    struct counting *c = data;
    struct turn *last = &c->last[w->index % c->nlast];
    if (last->any && last->wave == w->id) {
        struct counter *from = counter(c, last->pc);
        if (from->next != w->pc) from->at.jumped++;
    }
    *last = (struct turn){w->id, w->pc, true};
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
    return ticker_goes_on(ctl->ticker, done, todo);
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

bool profile_take(struct control *ctl, struct profile *p, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval_need_machine(ctl->eval, err);
    memset(p, 0, sizeof *p);
    if (!m) return false;
    bool told;
    const bool tallied = take_tallied(ctl, p, &told, err);
    if (told) return tallied;
    struct counting c = {.ctl = ctl, .nlast = m->waves_per_group ? m->waves_per_group : 1};
    c.last = xcalloc(c.nlast, sizeof *c.last);
    const struct machine_observer mine = {.data = &c, .before = count};
    const bool whole = run_again(ctl, &c, &mine, false, err);
    if (whole) collect(&c, p);
    free(c.table);
    free(c.last);
    return whole;
}

void profile_free(struct profile *p) { free(p->place); }
