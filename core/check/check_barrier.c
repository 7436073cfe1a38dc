/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_barrier.c: barriers that not all of a group's work-items meet, in the same order and at the same place.  OpenCL
 * leaves that undefined: some machines open the barrier when the other waves have ended, others wait for ever.  A
 * barrier of a function that was called from two places is two barriers.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "check/check.h"
#include "gpudbg/lane_set.h"
#include "machine/machine.h"

/* The barrier that a group met last: its number, the wave that came first, the address. */
struct meeting {
    uint32_t number, wave;
    uint64_t pc, call[CHECK_CALLS];
    unsigned ncalls;
    bool opened; /* a wave went on from it */
};

struct barriers {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    uint32_t *met; /* by a wave, by id */
    uint64_t *pc;  /* of its latest instruction */
    struct meeting *group;
};

static void end(void *state)
{
    struct barriers *b = state;
    free(b->met);
    free(b->pc);
    free(b->group);
    free(b);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct barriers *b = xalloc(sizeof *b);
    b->machine = m;
    b->checks = checks;
    b->met = xcalloc(m->nwaves, sizeof *b->met);
    b->pc = xcalloc(m->nwaves, sizeof *b->pc);
    b->group = xcalloc(m->nwaves / m->waves_per_group, sizeof *b->group);
    return b;
}

/* What a wave does wrong at pc; what: what the other one does at `other`; NULL: there is none. */
static void report(const struct barriers *b, uint32_t wave, uint64_t pc, uint64_t lanes, const char *message,
    uint64_t other, const char *what)
{
    char where[160], origin[220];
    if (what) {
        check_where(b->machine->image, other, where, sizeof where);
        snprintf(origin, sizeof origin, "%s %s", what, where);
    }
    gpudbg_report(b->checks, &(struct gpudbg_report){.pc = pc,
                                 .by = wave + 1,
                                 .lanes = lanes,
                                 .message = message,
                                 .cause = what ? origin : "lanes",
                                 .origin = what ? origin : NULL});
}

/* A wave goes on from a barrier: all waves of its group have arrived, or have ended. */
static void opened(const struct barriers *b, const struct gpudbg_wave *w, struct meeting *at)
{
    const uint32_t first = w->group * b->machine->waves_per_group;
    char message[200];
    struct machine_wave_info info;
    at->opened = true;
    for (uint32_t id = first; id < first + b->machine->waves_per_group; id++) {
        if (b->met[id] >= at->number) continue;
        machine_wave_info(b->machine, id, &info);
        if (!info.lanes) continue; /* a smaller last group has waves without lanes */
        snprintf(message, sizeof message,
            "wave %" PRIu32 " waits at barrier %" PRIu32 " of its group, and wave %" PRIu32 " ends after %" PRIu32,
            at->wave, at->number, id, b->met[id]);
        report(b, at->wave, at->pc, 0, message, b->pc[id], "it ended at");
    }
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct barriers *b = state;
    struct meeting *at = &b->group[w->group];
    (void)insn;
    if (!at->opened && at->number && b->met[w->id] == at->number) opened(b, w, at);
    b->pc[w->id] = w->pc;
}

static bool heeds(void *state, const struct gpudbg_insn *insn)
{
    (void)state;
    return gpudbg_insn_does(insn) & (GPUDBG_OP_END | GPUDBG_OP_BARRIER | GPUDBG_OP_WAIT | GPUDBG_OP_MESSAGE);
}

/* A wave arrives where others of its group wait. */
static void join(const struct barriers *b, uint32_t wave, const struct meeting *here, const struct meeting *at)
{
    char message[200];
    unsigned n = here->ncalls < at->ncalls ? here->ncalls : at->ncalls, i = 0;
    while (i < n && here->call[i] == at->call[i]) i++;
    const bool same_calls = i == here->ncalls && i == at->ncalls;
    if (here->pc == at->pc && same_calls) return;
    snprintf(message, sizeof message, "wave %" PRIu32 " waits at another barrier than wave %" PRIu32 " of its group",
        wave, at->wave);
    if (here->pc != at->pc || i == at->ncalls)
        report(b, wave, here->pc, 0, message, at->pc, "the other one waits at");
    else
        report(b, wave, here->pc, 0, message, at->call[i], "the other one was called at");
}

static void barrier(void *state, struct gpudbg_wave *w)
{
    struct barriers *b = state;
    struct meeting *at = &b->group[w->group];
    char message[200 + LANE_SET_TEXT], lanes[LANE_SET_TEXT];
    const uint64_t pc = b->pc[w->id];
    const uint32_t number = ++b->met[w->id];
    const uint64_t missing = w->lanes & ~b->machine->isa->run->active(w);
    if (missing) {
        snprintf(message, sizeof message, "wave %" PRIu32 " waits at barrier %" PRIu32 " without %s", w->id, number,
            lane_set_text(missing, lanes, sizeof lanes));
        report(b, w->id, pc, missing, message, 0, NULL);
    }
    struct meeting here = {.number = number, .wave = w->id, .pc = pc};
    here.ncalls = check_calls(b->checks, w->id, here.call);
    if (number > at->number)
        *at = here;
    else if (number == at->number)
        join(b, w->id, &here, at);
}

const struct gpudbg_checker check_barrier = {
    .kind = "barrier",
    .summary = "barriers that only some work-items of a group reach",
    .start = begin,
    .stop = end,
    .before = before,
    .heeds = heeds,
    .barrier = barrier,
    .by_group = true,
};
