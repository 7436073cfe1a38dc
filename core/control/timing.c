/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timing.c: see timing.h. */
#include "control/timing.h"

#include <stdlib.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "control/profile.h"
#include "machine/machine.h"

#define KNOWN 1024u /* instructions whose flags are remembered; a power of two */

struct watching {
    struct control *ctl;
    struct timing *t;
    uint64_t position;
    struct {
        uint64_t pc, does;
        bool known;
    } at[KNOWN];
};

static uint64_t does_at(struct watching *w, uint64_t pc)
{
    const size_t i = (size_t)(pc >> 2) & (KNOWN - 1);
    if (!w->at[i].known || w->at[i].pc != pc) {
        struct gpudbg_insn insn;
        w->at[i].known = true;
        w->at[i].pc = pc;
        w->at[i].does = insn_at(w->ctl->eval->loaded->image, pc, &insn) && insn.op ? gpudbg_insn_does(&insn) : 0;
    }
    return w->at[i].does;
}

/* The bits of the cells between two others. */
static uint64_t cells_between(unsigned a, unsigned b)
{
    return b > a + 1 ? (UINT64_MAX >> (64 - (b - a - 1))) << (a + 1) : 0;
}

static bool see(void *data, struct gpudbg_wave *w)
{
    struct watching *watching = data;
    const uint64_t position = watching->position++;
    if (w->id >= watching->t->n) return false;
    struct wave_time *time = &watching->t->wave[w->id];
    const uint64_t total = watching->t->total, cell = UINT64_C(1) << timing_cell(position, total);
    const uint64_t does = does_at(watching, w->pc);
    if (!time->executed) time->first = position;
    if (time->at_barrier) time->held |= cells_between(timing_cell(time->last, total), timing_cell(position, total));
    time->at_barrier = (does & GPUDBG_OP_BARRIER) != 0;
    time->last = position;
    time->executed++;
    if (does & GPUDBG_OP_VECTOR) {
        const uint64_t active = w->machine->isa->run->active(w) & w->lanes;
        time->lanes += (unsigned)__builtin_popcountll(active);
        *(active == w->lanes ? &time->full : &time->partial) |= cell;
    }
    time->barriers += (does & GPUDBG_OP_BARRIER) != 0;
    time->waits += (does & GPUDBG_OP_WAIT) != 0;
    time->runs |= cell;
    if (does & GPUDBG_OP_BARRIER) time->arrives |= cell;
    return false;
}

bool timing_take(struct control *ctl, struct timing *t, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = eval_need_machine(ctl->eval, err);
    *t = (struct timing){0};
    if (!m) return false;
    struct watching *w = xcalloc(1, sizeof *w);
    const struct machine_observer watcher = {.data = w, .before = see};
    w->ctl = ctl;
    w->t = t;
    *t = (struct timing){.n = m->nwaves, .total = machine_position(m)};
    t->wave = calloc((size_t)t->n + 1, sizeof *t->wave);
    const bool good = t->wave ? profile_watch(ctl, &watcher, err)
                              : gpudbg_fail(err, "memory", "the time of waves: out of memory");
    free(w);
    for (uint32_t i = 0; good && i < t->n; i++) /* those that wait still */
        if (t->wave[i].at_barrier)
            t->wave[i].held |= cells_between(timing_cell(t->wave[i].last, t->total), TIMING_CELLS);
    if (!good) timing_free(t);
    return good;
}

void timing_free(struct timing *t)
{
    free(t->wave);
    *t = (struct timing){0};
}

enum timing_mark timing_mark(const struct wave_time *w, unsigned cell, uint64_t total)
{
    if (w->held >> cell & 1) return TIMING_HELD;
    if (!w->executed || cell < timing_cell(w->first, total) || cell > timing_cell(w->last, total)) return TIMING_NOT;
    if (w->arrives >> cell & 1) return TIMING_BARRIER;
    if (!(w->runs >> cell & 1)) return TIMING_STANDS;
    return (w->partial & ~w->full) >> cell & 1 ? TIMING_PARTLY : TIMING_RUNS;
}

static bool alike(const struct wave_time *a, const struct wave_time *b)
{
    return a->runs == b->runs && a->arrives == b->arrives && a->held == b->held &&
           (a->partial & ~a->full) == (b->partial & ~b->full) && !a->executed == !b->executed;
}

static void add(struct wave_time *sum, const struct wave_time *w)
{
    if (w->executed && (!sum->executed || w->first < sum->first)) sum->first = w->first;
    if (w->last > sum->last) sum->last = w->last;
    sum->executed += w->executed;
    sum->lanes += w->lanes;
    sum->barriers += w->barriers;
    sum->waits += w->waits;
    sum->runs |= w->runs;
    sum->full |= w->full;
    sum->partial |= w->partial;
    sum->arrives |= w->arrives;
    sum->held |= w->held;
}

uint32_t timing_fold(const struct timing *t, uint32_t from, struct wave_time *sum)
{
    uint32_t i = from;
    *sum = (struct wave_time){0};
    for (; i < t->n && alike(&t->wave[i], &t->wave[from]); i++) add(sum, &t->wave[i]);
    return i;
}
