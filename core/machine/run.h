/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.h: a run of the machine as turns.c, replay.c and run.c see it: machine_run's. */
#ifndef GPUDBG_RUN_H
#define GPUDBG_RUN_H

#include "base/parts.h"
#include "machine/changed.h"

/* Instructions between ticks: some take many microseconds, and Ctrl-C waits for all of them; a turn counts as some, and
 * a question to the caller as many. */
#define TICK_WORK 1024
#define TURN_WORK 16
#define ASK_WORK 64

struct run {
    struct gpudbg_machine *m;
    const struct machine_want *want;
    struct parts_worker *worker; /* it is told in place of want->tick; NULL: this is no worker */
    bool heed;                   /* stops count */
    bool over;                   /* not the breakpoint of the next instruction */
    bool shared;                 /* other processes have looked at what comes */
    uint64_t limit;              /* position not to go beyond */
    uint64_t cap;                /* ... whatever is wanted: want->limit */
    uint64_t work, done, todo;
    uint64_t told; /* what of `done` was told */
    struct gpudbg_stop stop;
    /* A search back: where stops count, and the last one found. */
    bool search, found;
    uint64_t from, before, position;
    struct {
        uint64_t share, not_before; /* instructions of a stretch at most; position before which nobody is asked */
        unsigned failed;            /* times that it came to little, one after another */
        uint8_t *sheets;            /* for answers of so many workers */
        size_t workers;
        struct changed changed;
    } ahead;    /* ahead.h */
    int *after; /* traces to be met by the instruction that comes next */
    size_t nafter;
};

/* Takes a turn, for at most `limit` instructions.  false: stopped, r->stop says why. */
bool run_turn(struct run *, const struct turn *, uint64_t limit);
/* Now and then, whether to go on.  false: interrupted, as r->stop says. */
bool run_tick(struct run *);
/* Who is told of each instruction, or NULL. */
const struct machine_observer *run_observer(const struct run *);
bool run_ask_observer(struct gpudbg_wave *); /* what machine->ask is in a watched run */
/* Whether the runner stopped before the wave's next instruction for traces alone, none of which is about this wave. */
bool run_passes_traces(const struct run *, struct gpudbg_wave *);
/* Takes recorded turns up to position `to`.  false: stopped or interrupted, r->stop says which. */
bool run_repeat(struct run *, uint64_t to);
/* Whether the epoch that begins at a checkpoint may hold what r->want->sieve looks for. */
bool run_matters(const struct run *, size_t checkpoint);

#endif
