/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * door.h: the inside of the memory door.  A page word is the stamp at which the page was last saved, with PAGE_WATCHED
 * set while a watchpoint is on it: so it equals machine->stamp only if a store may go straight through.
 */
#ifndef GPUDBG_DOOR_H
#define GPUDBG_DOOR_H

#include "gpudbg.h"

#include <sys/mman.h>

struct machine_observer;

#define MACHINE_MEMORY ((uint64_t)4 << 30) /* bytes that the segments of one launch may have together */
#define MACHINE_SLOT ((uint64_t)1 << 32)   /* segments of core's choosing start at multiples of this */
#define PAGE_WATCHED 0x80000000u

#define WATCH_ACCESSES 4096 /* of one instruction that are kept */

/* A load or store that met a watchpoint, at most 16 bytes of it: longer ones are several. */
struct watch_access {
    uint64_t addr;
    uint8_t size;
    int16_t lane;          /* -1: no lane in particular */
    unsigned char old[16]; /* before it */
};

struct watch {
    int number;
    unsigned space;
    uint64_t addr, size;
    bool reads, writes;
    bool hit;                    /* by the instruction just executed */
    bool last;                   /* ... by the latest one that met any */
    uint64_t lanes;              /* ... these of it; all if it was none of them in particular */
    unsigned char old[64];       /* the first bytes before it */
    struct watch_access *access; /* of the latest instruction that met it, in order; malloc'ed */
    size_t naccesses, access_room;
};

struct door {
    struct watch *watch;
    size_t nwatch, watch_room;
    uint64_t size; /* of all segments */
    bool deaf;     /* watchpoints do not count: replays, edits */
    bool closed;   /* no more segments */
    bool drops;    /* stores are not made: door_drop */
    bool brief;    /* few instructions are executed: memory gets its pages when it is touched */
    bool trying;   /* an instruction is tried out: nobody but this is told, if it is not NULL */
    void (*trial_told)(void *data, const struct gpudbg_access *);
    void *trial_data;
    bool told;   /* everything is watched: the observer wants all loads and stores */
    bool listen; /* ... the stores to global memory, and the loads that may matter: door_listen */
    bool listen_all;
};

void door_close(struct gpudbg_machine *);
bool door_watch(struct gpudbg_machine *, const struct watch *, struct gpudbg_error *);
void door_unwatch(struct gpudbg_machine *, int number);
void door_mark(struct gpudbg_machine *, unsigned space, struct gpudbg_segment *); /* a segment's watched pages */
void door_tell(struct gpudbg_machine *, bool on);
/* From now on the observer, which stays, is told of stores to global memory, whoever runs, and of loads: of all, or of
 * those from segments that have been stored to by now. */
void door_listen(struct gpudbg_machine *, const struct machine_observer *, bool all);
/* Whether anybody has stored to the segment since the launch. */
bool door_stored(const struct gpudbg_segment *);
/* Keeps what a page of global memory holds before it is stored to.  false: no memory. */
bool door_save(struct gpudbg_machine *, struct gpudbg_segment *, uint64_t page);
void door_clear_hits(struct gpudbg_machine *);

/* Much memory is filled sooner with large pages; where there are none nothing is lost. */
static inline void door_large_pages(void *bytes, size_t size)
{
#ifdef MADV_HUGEPAGE
    (void)madvise(bytes, size, MADV_HUGEPAGE);
#else
    (void)bytes, (void)size;
#endif
}

static inline uint64_t door_pages(uint64_t size) { return (size + GPUDBG_PAGE - 1) >> GPUDBG_PAGE_BITS; }

/* An instruction is tried out whose stores nobody takes back, so they are not made, until door_drop_end gets what this
 * returns. */
uint32_t door_drop(struct gpudbg_machine *);
void door_drop_end(struct gpudbg_machine *, uint32_t stamp);

#endif
