/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ahead_round.h: a round of ahead.h: who runs which groups, and how a worker says what its groups did.
 *
 * A worker writes its answer into a sheet of memory that it has in common with this process: for each group a struct
 * done, the ends of its waves, their registers if they can still be looked at, the lines that were read, and the
 * stretches of bytes that were stored.
 */
#ifndef GPUDBG_AHEAD_ROUND_H
#define GPUDBG_AHEAD_ROUND_H

#include "machine/run.h"

#define SHEET ((size_t)64 << 20) /* bytes of a worker's answer, at most */
#define LINES (GPUDBG_PAGE / 64) /* of a page; what is read of each is noted by dwords, 16 bits */

struct done {
    uint64_t n; /* instructions */
    uint32_t group;
    uint32_t reads, stores; /* how many follow */
    size_t kept;            /* bytes of its waves' registers and LDS; 0: they can no longer be looked at */
    size_t size;            /* with all that follows */
};

/* Followed by the dwords that were read of each line. */
struct read_lines {
    uint32_t segment, page;
    uint64_t lines;
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

/* Behind the groups are the registers of the last two, which can be looked at, as can those of the first ones. */
struct answer {
    size_t size; /* of the groups */
    uint32_t groups;
};

struct share {
    struct run *r;
    uint32_t first; /* group of the round */
    uint32_t here;  /* groups of this process */
    uint32_t there; /* groups of a worker; the last one goes on until this process has done its groups */
    size_t workers;
    uint64_t before; /* position at which the round begins: a checkpoint is there */
    bool stopped;    /* this process */
    size_t taken;    /* groups that were run ahead and count */
    bool refused;    /* one of them does not */
    struct changed *changed;
};

static inline uint32_t ahead_groups_of(const struct share *s, size_t part, uint32_t *first)
{
    const uint32_t all = core_of(s->r->m)->waves.ngroups;
    *first = s->first + s->here + s->there * (uint32_t)part;
    return part + 1 < s->workers ? s->there : all - *first;
}

static inline uint8_t *ahead_sheet(const struct share *s, size_t part) { return s->r->ahead.sheets + part * SHEET; }

/* In a worker: its part of the round (parts_work.work). */
bool ahead_work(void *share, size_t part, struct parts_worker *);

#endif
