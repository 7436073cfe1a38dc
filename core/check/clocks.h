/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * clocks.h: which accesses of other waves come before what a wave does now, whatever the schedule: vector clocks over
 * waves, by the memory model of the chip (struct gpudbg_ordering).
 *
 * A time is the number of an instruction of the launch that accesses memory.  A wave's clock holds, for each wave of
 * its group and space, the time up to which accesses of that wave come before its own; and, for other groups, the same
 * for global memory.  Barriers join clocks.  A store or atomic of a word publishes what the wave's accesses have done
 * and what its clock holds; an atomic that returns, or a coherent load, of that word takes over what was published, at
 * once inside a group where the model says so, else when an instruction makes loads fresh.  The atomics that follow a
 * store publish together with it (a release sequence); the next store begins it anew.
 */
#ifndef GPUDBG_CLOCKS_H
#define GPUDBG_CLOCKS_H

#include "check/check.h"
#include "gpudbg/uses.h"

struct clocks;

/* past: what a plain store published must be known later, because the code has loads or atomics that may acquire. */
struct clocks *clocks_new(struct gpudbg_machine *, struct gpudbg_checks *, bool past);
void clocks_free(struct clocks *);

const struct gpudbg_ordering *clocks_model(const struct clocks *);
/* The time of the next access.  store: it may publish. */
uint32_t clocks_tick(struct clocks *, const struct gpudbg_wave *, bool store);
/* The wave stores to memory that others see: from now on another time is published. */
void clocks_stored(struct clocks *, const struct gpudbg_wave *);
/* Since this time the wave has published nothing new: of its loads since then, the first is ordered before what the
 * others are ordered before. */
uint32_t clocks_epoch(const struct clocks *, uint32_t wave);
void clocks_order(struct clocks *, const struct gpudbg_wave *, const struct gpudbg_order *);
/* The wave makes an access at the present time that is counted so (enum gpudbg_counted). */
void clocks_counted(struct clocks *, const struct gpudbg_wave *, unsigned counted);
void clocks_arrive(struct clocks *, const struct gpudbg_wave *);
/* Before an instruction of the wave: whether it comes from a barrier. */
bool clocks_go_on(struct clocks *, const struct gpudbg_wave *);
/* The last wave of a group has ended. */
void clocks_group_ends(struct clocks *, uint32_t group);
/* How many barriers the wave has arrived at, and the time of the last. */
uint32_t clocks_barriers(const struct clocks *, uint32_t wave, uint32_t *time);

/* Whether what another wave accessed at a time comes before what the wave does now. */
bool clocks_before(const struct clocks *, const struct gpudbg_wave *, bool local, uint32_t other, uint32_t time);

/* Whether what the wave did up to a time is done, for waves of its group (near) or for others. */
bool clocks_done(const struct clocks *, const struct gpudbg_wave *, bool local, bool near, uint32_t time);
/* Whether the waves of a group take each other's accesses to global memory in order, without any fence. */
bool clocks_near(const struct clocks *);
/* Whether the wave has dropped stale bytes after what it did at a time was done. */
bool clocks_fresh(const struct clocks *, const struct gpudbg_wave *, uint32_t time);
/* Whether only words that locks are kept in have put waves in an order so far, beside barriers. */
bool clocks_only_locks(const struct clocks *);
void clocks_other_than_locks(struct clocks *); /* another one has */

/* ---- Words that make an order ---- */

/* What the waves of a group know of each other: of local memory; of global memory inside the group; and of what all
 * waves of the device see. */
enum { ROW_LOCAL, ROW_GROUP, ROW_AGENT, ROWS };

/* What an access publishes. */
struct publishing {
    uint32_t wave, own[ROWS];
    struct clock *clock; /* or NULL */
};

/* The latest store to a word by a plain instruction; wave: id + 1; 0: no store is known. */
struct clocks_store {
    uint32_t wave, time, place;
};
struct word; /* NULL: it is not known yet */
struct word *clocks_word_at(const struct clocks *, const struct gpudbg_wave *, bool local, uint64_t addr);
/* The latest store to the word that is known already. */
uint32_t clocks_base(const struct word *);
/* An atomic, or a load that may acquire, of a word. */
struct clocks_word {
    const struct gpudbg_segment *segment;
    uint64_t addr;
    bool local;
    uint32_t time, place;
    struct word *at;                /* the word, if it is known */
    struct clocks_store store;      /* or zeros: none that is later than clocks_base */
    bool reads, publishes, changes; /* it loads for the program; it stores; and another value */
    bool blind;                     /* it loads in a loop that waits, and cannot see what another group stores */
    bool near;                      /* it is atomic inside its group only */
    bool later;                     /* what it acquires counts once the program uses the value: clocks_used */
    bool known;                     /* only if the word is known */
    bool locks;                     /* its instruction may have taken a lock */
    const struct publishing *as;    /* it comes late, and published this (clocks_hold); NULL: it is made now */
};
/* false: there is no memory for more words, which is to be said; from here on everything counts as ordered. */
bool clocks_meet(struct clocks *, const struct gpudbg_wave *, const struct clocks_word *);
/* The same of n words that are known, to which nothing was stored since they were met, and which an instruction updates
 * without a value for the program; the lanes that do, in the order of the words, and those of them that change it. */
void clocks_publish(struct clocks *, const struct gpudbg_wave *, const struct clocks_word *, unsigned n,
    struct word *const word[], const uint64_t addr[], uint64_t changes, uint64_t lanes);
#define CLOCKS_HELD 8 /* words that are kept for reports */
/* What an atomic that updates words now publishes, for a word that is told of it late; `addr`: the latest of its words,
 * the last one first, n of them, which differ, at most CLOCKS_HELD.  It is held until clocks_release. */
void clocks_hold(struct clocks *, const struct gpudbg_wave *, const struct clocks_word *, unsigned n,
    const uint64_t addr[], struct publishing *);
void clocks_release(struct clocks *, struct publishing *);
/* The wave uses the value of its latest atomic that was to acquire later; used: false: it never will. */
void clocks_used(struct clocks *, const struct gpudbg_wave *, bool used);
/* Whether any word makes an order, of the group's memory or of that of all. */
bool clocks_any(const struct clocks *, const struct gpudbg_wave *, bool local);
/* Whether the wave is the last that changed the word, by an atomic that takes locks, or has loaded what was stored
 * there last: then its own store there is one of a program that uses the word atomically. */
bool clocks_owns(const struct clocks *, const struct gpudbg_wave *, const struct clocks_word *);

/* The edge that is missing between an earlier access and what the wave does now. */
struct clocks_edge {
    enum {
        EDGE_NONE,
        EDGE_RELEASE,
        EDGE_ACQUIRE,
        EDGE_BLIND,
        EDGE_NOT_TAKEN,
        EDGE_NOT_GIVEN,
        EDGE_BARRIER_RELEASE, /* a barrier is between the two, and the first one was not done before it */
        EDGE_BARRIER_ACQUIRE, /* ... and loads were not made fresh after it */
    } missing;
    const struct gpudbg_segment *segment; /* of the word */
    uint64_t addr;
    bool local, stored;           /* it was published by a plain store */
    uint32_t published, acquired; /* places; of NOT_TAKEN and NOT_GIVEN the first or the second alone */
};
void clocks_missing(
    const struct clocks *, const struct gpudbg_wave *, uint32_t other, uint32_t time, struct clocks_edge *);

#endif
