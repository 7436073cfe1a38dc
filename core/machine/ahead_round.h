/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ahead_round.h: how this process leads the workers of ahead.h, and how they say what their groups did.
 *
 * A worker gets orders, each for a stretch of groups.  It ends one early if this process has come to it.  What the
 * groups did is in a sheet, memory that both have in common, by batches of groups that are short beside the time
 * between two checkpoints.  A batch counts as a whole, or not at all: a struct batch; for each group the ends of its
 * waves, and their registers and LDS if they can still be looked at; the dwords that were read; the stretches of
 * bytes that were stored.
 */
#ifndef GPUDBG_AHEAD_ROUND_H
#define GPUDBG_AHEAD_ROUND_H

#include <stdatomic.h>
#include "machine/changed.h"
#include "machine/run.h"

#define SHEET ((size_t)32 << 20) /* bytes of a stretch's answer, at most */
#define OWN 8                    /* parts of a stretch */
#define ORDERS 2                 /* that a worker has at most: one that it does, and the next; a sheet each */

struct batch {
    uint64_t n; /* instructions */
    uint32_t first, groups;
    uint32_t reads, stores; /* how many follow */
    size_t kept;            /* bytes of registers and LDS a group; 0: they can no longer be looked at */
    size_t notes;           /* bytes in front of the reads */
    size_t size;            /* with all that follows */
};

/* Followed by the words of which it has a bit each: of the dwords that were read of a page, 64 a word. */
struct read_words {
    uint32_t segment, page;
    uint32_t words, n; /* n: how many they are */
};

struct stored_bytes {
    uint32_t segment, size;
    uint64_t offset;
};

static inline size_t ahead_round_up(size_t n) { return (n + 7) & ~(size_t)7; }

static inline size_t ahead_ends_size(const struct gpudbg_machine *m)
{
    return m->waves_per_group * sizeof(struct wave_end);
}

struct order {
    uint32_t first, groups;
};

/* Behind the batches, the sheet has the registers of the last two groups, which can be looked at, as can those of the
 * first ones. */
struct answer {
    size_t size; /* of the batches */
    uint32_t groups;
    bool cut;        /* the last batch was not ended, and registers do not follow */
    const char *why; /* it can do no more: its next group is to be run in its turn; else NULL */
};

struct stretch {
    struct order order;
    uint32_t worker, number; /* of the worker's orders, from 1 */
};

struct share {
    struct run *r;
    uint32_t workers;
    uint32_t end;          /* groups from here on are not dealt out */
    uint32_t dealt;        /* groups up to here are */
    uint32_t own;          /* what this process leaves for itself, in parts of a worker's stretch: 1 to OWN */
    struct stretch *queue; /* what workers do or will do, in the order of groups: a ring of workers * ORDERS */
    uint64_t taken_out, put_in;
    uint64_t before; /* position at which this process took over: a checkpoint is there */
    uint64_t taken;  /* groups that were run ahead and count */
    bool stopped;    /* this process */
    const char *why; /* what some group did, for which it had to run in its turn; else NULL */
    bool noisy;      /* ... because of stores to a segment whose reads workers did not note, but now will */
    struct changed *changed;
    bool *read; /* a flag a segment, for take */
};

static inline uint8_t *ahead_sheet(const struct share *s, uint32_t worker, uint32_t number)
{
    return s->r->ahead.sheets + (worker * ORDERS + number % ORDERS) * SHEET;
}

/* The worker's order, from 1, that is to end now, as are those before it.  Both sides see it, behind the sheets. */
static inline _Atomic uint32_t *ahead_wanted(const struct share *s, uint32_t worker)
{
    return (_Atomic uint32_t *)(void *)(s->r->ahead.sheets + s->r->ahead.workers * ORDERS * SHEET + 64 * worker);
}

static inline size_t ahead_shared_size(size_t workers) { return workers * (ORDERS * SHEET + 64); }

/* Whether workers are told of all loads. */
static inline bool ahead_tells_loads(const struct run *r)
{
    const struct machine_observer *observer = run_observer(r);
    return observer && observer->access;
}

/* In a worker: obeys (parts_work.work). */
bool ahead_work(void *share, size_t part, struct parts_worker *);

#endif
