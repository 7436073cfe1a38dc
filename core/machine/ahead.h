/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ahead.h: groups that run before their turn, in other processes.
 *
 * This process runs the groups that come next.  Meanwhile each worker (base/parts.h) runs groups that come later, on
 * its copy of memory, and notes for every group which lines it read and which bytes it stored.  When a group's turn
 * comes, it has read what it would read now, or it has not: a line that it read has changed since the workers began.
 * If none has, its stores are made here and it counts as run.  The first group that read an old line ends the round:
 * it and those after it are run here.  So memory, positions, messages and the hash are those of one process.
 *
 * A group that stops in a worker (a breakpoint, a watchpoint, a fault), or does what others can see besides storing (an
 * event, a message of printf), is left to its turn.
 */
#ifndef GPUDBG_AHEAD_H
#define GPUDBG_AHEAD_H

#include "machine/run.h"

/* Whether a round is worth while now: the present ends recorded time, and no group has begun that has not ended. */
bool ahead_due(const struct run *, uint64_t to);
/* Runs groups, here and ahead, up to position `to` at most.  false: stopped or interrupted, r->stop says which. */
bool ahead_run(struct run *, uint64_t to);
void ahead_close(struct run *); /* after the run's last round */

#endif
