/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine_core.h: what machine->core is.  Each part has its own header and file:
 *
 *     waves.h     groups and waves: made when first touched, kept for a while after their end
 *     schedule.h  whose turn it is, and the log of whose turn it was
 *     door.h      memory: segments, page words, watchpoints, faults
 *     history.h   checkpoints and page copies
 *
 * machine.c is what the rest of gpudbg calls.
 */
#ifndef GPUDBG_MACHINE_CORE_H
#define GPUDBG_MACHINE_CORE_H

#include <limits.h>
#include "machine/door.h"
#include "machine/history.h"
#include "machine/machine.h"
#include "machine/schedule.h"
#include "machine/waves.h"

/* A store to the segment that is GPUDBG_SEG_LOGGED, made by the instruction at that position. */
struct stored {
    uint64_t position;
    uint32_t offset, size, wave;
    int16_t lane; /* -1: no lane in particular */
    bool shown;   /* it began a message of printf that the user was shown at a stop */
};

/* Stores in order, also those after the present position; `pending` at the end are of the instruction being executed.
 */
struct stores {
    const struct gpudbg_segment *segment; /* or NULL */
    struct stored *list;
    size_t n, room, pending;
};

/* Instructions after which somebody wants to be asked: machine_trace. */
struct trace {
    int number;
    size_t n;
    uint64_t *pc; /* ascending */
};

/* Ends of runs that somebody waits for: machine_catch. */
struct catching {
    int number;
    unsigned ran;
};

struct core {
    struct waves waves;
    struct schedule schedule;
    struct door door;
    struct history history;
    struct unknown *unknown; /* unknown.h; NULL: every register is known */
    struct {
        uint64_t pc;
        int number;
    } * breaks;
    size_t nbreaks;
    struct trace *trace; /* in any order */
    size_t ntraces;
    struct catching *catching; /* in any order */
    size_t ncatching;
    const struct ticker *ticker; /* of the session, or NULL */
    const bool *observed;        /* machine_options; or NULL */
    struct {
        unsigned most;
        uint64_t memory;
    } threads; /* machine_threads */
    struct {
        uint64_t rounds, groups;             /* that other processes ran, and that counted */
        const char *alone;                   /* why groups were last run here alone, or NULL */
    } ahead;                                 /* ahead.h */
    bool running;                            /* in machine_run */
    bool hide_ended;                         /* machine_hide_ended */
    const struct machine_observer *observer; /* or NULL */
    bool observing;                          /* it is told what happens now */
    bool heeds, asked;                       /* it may stop the run; it does */
    struct gpudbg_event *events;             /* in order; texts are malloc'ed */
    size_t nevents, events_room;
    uint64_t tallied; /* position up to which the runner's counts are whole, or UINT64_MAX */
    bool tallying;
    struct stores stores;
    size_t pending; /* at the end of events: of the instruction being executed */
};

static inline struct core *core_of(const struct gpudbg_machine *m) { return (struct core *)m->core; }

/* Room for one more element; the array stays as it is when there is none. */
bool core_grow(void **array, size_t *room, size_t n, size_t size);
#define CORE_GROW(array, room, n) core_grow((void **)&(array), &(room), (n), sizeof *(array))

/* Number i of the traces of the instruction at pc, from 0; NULL: there are no more. */
const struct trace *core_trace_at(const struct core *, uint64_t pc, size_t *i);

void edits_open(struct gpudbg_machine *); /* edit.c: tells the schedule how to make edits again */

/* Gives the events of the instruction just executed their position; forgets those a replay repeats. */
void core_events_settle(struct gpudbg_machine *);
void core_events_truncate(struct gpudbg_machine *); /* those at and after the position */
void core_events_drop(
    struct gpudbg_machine *); /* ... of an instruction that was only tried out; its logged stores, too */

/* stores.c: the log of the segment that is logged.  Settled and truncated with the events. */
#define STORES_HIT INT_MIN /* machine->watch_hit after a store that was logged: nobody's watchpoint */
void stores_add(struct gpudbg_wave *, uint64_t offset, uint64_t size, int lane);
void stores_settle(struct gpudbg_machine *);
void stores_truncate(struct gpudbg_machine *);
/* The stores of instructions before the present position: returns how many. */
size_t stores_now(const struct gpudbg_machine *, struct stored **);

#endif
