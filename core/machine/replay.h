/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.h: epochs of recorded time, run again by several processes at once.
 *
 * An epoch follows from its checkpoint, so a worker (base/parts.h) goes to the checkpoint and does what a search here
 * would do there, by the same code.  Two kinds of work are shared out:
 *
 *     a search        workers say in which epochs nobody would stop; the first other one is then run here, so that
 *                     the stop, and all that is noted about it, comes from where it always came from
 *     machine_gather  workers say what they counted; the answers are put together in the order of time
 */
#ifndef GPUDBG_REPLAY_H
#define GPUDBG_REPLAY_H

#include "machine/run.h"

struct epoch {
    size_t checkpoint;
    uint64_t to; /* position where it ends, or where it need not be run any more */
};

/* Instructions that are run again here sooner than workers are made. */
uint64_t replay_alone(const struct run *);

/* How many epochs of the list, from its start, hold no stop.  The list is in the order in which stops are wanted:
 * forwards, or if r->search, backwards.  false: interrupted, and r->stop says so. */
bool replay_quiet(struct run *, const struct epoch *, size_t n, size_t *quiet);

/* Processes that are worth making for so many instructions, `least` each: each may come to have memory and history to
 * itself.  At least 1. */
unsigned replay_processes(const struct gpudbg_machine *, uint64_t instructions, uint64_t least);
/* Whether there is one process for everything, because two would need too much memory. */
bool replay_memory_forbids(const struct gpudbg_machine *);

#endif
