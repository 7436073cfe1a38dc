/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_race.c: waves of a group that touch the same bytes of its local memory between two barriers, one of them
 * writing, not both atomically.  Whichever comes first on the hardware decides the result; here the schedule does, so a
 * run looks right that is not.  Between two barriers of a group all its waves have arrived at the same number of them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "control/check.h"

#define UNIT 4 /* bytes that are followed together */

/* Who touched a unit: for stores, loads and atomics apart, the two different waves that did last, so that one of them
 * is always another than the wave that comes next. */
enum touch { STORE, LOAD, ATOMIC, TOUCHES };
enum { LAST, ONE_BEFORE, WAVES };
struct toucher {
    uint64_t pc;
    uint32_t wave;     /* id + 1; 0: nobody */
    uint32_t barriers; /* it had arrived at */
};
struct unit {
    struct toucher by[TOUCHES][WAVES];
};

struct race {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    uint32_t *barriers; /* that a wave arrived at, by id */
    struct unit *
        *group;      /* units of a group's local memory, made when first touched, gone when its last wave has ended */
    uint32_t *ended; /* waves of a group */
    size_t units;
    bool atomic; /* the instruction being executed */
};

static void end(void *state)
{
    struct race *r = state;
    const uint32_t groups = r->machine->nwaves / r->machine->waves_per_group;
    for (uint32_t i = 0; r->group && i < groups; i++) free(r->group[i]);
    free(r->group);
    free(r->ended);
    free(r->barriers);
    free(r);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    if (!m->lds_size || m->waves_per_group < 2) return NULL; /* the lanes of one wave go together */
    struct race *r = xalloc(sizeof *r);
    r->machine = m;
    r->checks = checks;
    r->units = (m->lds_size + UNIT - 1) / UNIT;
    r->barriers = xcalloc(m->nwaves, sizeof *r->barriers);
    r->group = xcalloc(m->nwaves / m->waves_per_group, sizeof(struct unit *));
    r->ended = xcalloc(m->nwaves / m->waves_per_group, sizeof *r->ended);
    return r;
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint32_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    struct race *r = state;
    r->atomic = (insn->op->flags & both) == both;
    if (!(insn->op->flags & GPUDBG_OP_END) || ++r->ended[w->group] < w->machine->waves_per_group) return;
    free(r->group[w->group]);
    r->group[w->group] = NULL;
}

static void barrier(void *state, struct gpudbg_wave *w) { ((struct race *)state)->barriers[w->id]++; }

static void report(const struct race *r, const struct gpudbg_wave *w, uint64_t addr, enum touch mine,
    const struct toucher *by, enum touch theirs, int lane)
{
    static const char *const does[] = {"stores to", "loads from", "updates"}, *const did[] = {
                                                                                  "stored to", "loaded", "updated"};
    char message[160], origin[200], where[160], cause[64];
    snprintf(message, sizeof message,
        "wave %" PRIu32 " %s local memory 0x%" PRIx64 ", which wave %" PRIu32 " %s since the last barrier", w->id,
        does[mine], addr, by->wave - 1, did[theirs]);
    check_where(w->machine->image, by->pc, where, sizeof where);
    snprintf(origin, sizeof origin, "the other one was at %s", where);
    const uint64_t lanes = lane >= 0 && lane < 64 ? UINT64_C(1) << lane : 0;
    snprintf(cause, sizeof cause, "%d %d 0x%" PRIx64, (int)mine, (int)theirs, by->pc);
    gpudbg_report(r->checks,
        &(struct gpudbg_report){.pc = w->pc, .lanes = lanes, .message = message, .origin = origin, .cause = cause});
}

static void access(
    void *state, struct gpudbg_wave *w, unsigned space, uint64_t addr, uint64_t size, bool write, int lane)
{
    struct race *r = state;
    if (space != GPUDBG_LOCAL || !size) return;
    struct unit **units = &r->group[w->group];
    if (!*units) *units = xcalloc(r->units, sizeof(struct unit));
    const enum touch mine = r->atomic ? ATOMIC : write ? STORE : LOAD;
    const uint64_t at = addr - w->lds->base;
    for (uint64_t i = at / UNIT; i <= (at + size - 1) / UNIT && i < r->units; i++) {
        struct unit *u = &(*units)[i];
        for (int t = 0; t < TOUCHES; t++) {
            const bool harmless = (enum touch)t == mine && mine != STORE;
            for (int k = LAST; k < WAVES && !harmless; k++) {
                struct toucher *by = &u->by[t][k];
                if (!by->wave || by->wave == w->id + 1 || by->barriers != r->barriers[w->id]) continue;
                report(r, w, addr, mine, by, (enum touch)t, lane);
                by->wave = 0; /* said once */
            }
        }
        struct toucher *by = u->by[mine];
        if (by[LAST].wave && by[LAST].wave != w->id + 1) by[ONE_BEFORE] = by[LAST];
        by[LAST] = (struct toucher){.pc = w->pc, .wave = w->id + 1, .barriers = r->barriers[w->id]};
    }
}

const struct gpudbg_checker check_race = {
    .kind = "race",
    .summary = "waves of a group that use the same local memory without a barrier between them",
    .start = begin,
    .stop = end,
    .before = before,
    .access = access,
    .barrier = barrier,
};
