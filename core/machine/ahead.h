/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ahead.h: groups that run before their turn, in other processes.
 *
 * This process runs the groups that come next.  Meanwhile each worker (base/parts.h) runs stretches of groups that
 * come later, on its copy of memory, and notes by batches of groups which dwords they read and which bytes they
 * stored.  When this process comes to a stretch, the worker ends it and goes on with its next one.  If no dword that
 * a batch read has been changed by others since the workers began, its stores are made here and it counts as run;
 * what the worker did not get to is run here.  The first batch that read an old dword ends the work of all workers:
 * it and those after it are run here.  So memory, positions, messages and the hash are those of one process, and
 * nobody waits for longer than a group takes.
 *
 * Most buffers are either loaded from or stored to.  So loads from a buffer that nobody has stored to yet are not
 * noted, and what is stored to one that nobody has loaded from is not compared (changed.h).  A kernel that does both
 * after all ends the work of the workers; the next ones know.
 *
 * A group that stops in a worker (a breakpoint, a watchpoint, a fault), or does what others can see besides storing (an
 * event, a message of printf), is left to its turn.
 */
#ifndef GPUDBG_AHEAD_H
#define GPUDBG_AHEAD_H

#include "machine/run.h"

/* Whether workers are worth while now: the present ends recorded time, and no group has begun that has not ended. */
bool ahead_due(const struct run *, uint64_t to);
/* Runs groups, here and ahead, up to position `to` at most.  false: stopped or interrupted, r->stop says which. */
bool ahead_run(struct run *, uint64_t to);
void ahead_close(struct run *); /* after the run */

#endif
