/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locks.h: what waves do while they hold a lock, and whether that would be sound in another order of the holders.
 *
 * A run shows one order: where groups run one after another, a wave takes a lock again and again before another wave
 * takes it.  Then one acquire that is missing among several does not show, nor one release.  On hardware another wave
 * may take the lock each time it is free.  So a wave has to drop stale bytes each time it has taken the lock, before it
 * loads what another group stores under it, and its stores have to be done each time before it frees it.
 *
 * A wave takes a lock where a compare and exchange, or an exchange, changes a word, and frees it where it puts back
 * what was there.  What is done with a word that gets other values (a counter, the top of a stack) is forgotten.  Waves
 * that something else has put in an order, as a flag, need not come in another one: clocks_only_locks.
 */
#ifndef GPUDBG_LOCKS_H
#define GPUDBG_LOCKS_H

#include "check/clocks.h"

struct locks;
struct locks *locks_new(struct gpudbg_machine *, struct gpudbg_checks *);
void locks_free(struct locks *);
bool locks_held(const struct locks *, uint32_t wave);

/* A dword that a wave accesses. */
struct lock_access {
    const struct gpudbg_segment *segment;
    uint64_t addr;
    uint32_t wave, time, place;
    bool local, write;
};
void locks_access(struct locks *, const struct clocks *, const struct gpudbg_wave *, const struct lock_access *);

/* An access of a wave under a lock would race with the one of another. */
struct lock_race {
    struct lock_access mine, other;
    struct clocks_edge edge;
};
/* A wave changes a word.  takes: by an instruction that may take a lock.  Calls report for each race that freeing the
 * lock brings to light. */
void locks_changed(struct locks *, struct clocks *, const struct gpudbg_wave *, const struct lock_access *word,
    bool takes, uint32_t before, uint32_t after, void (*report)(void *with, const struct lock_race *), void *with);

#endif
