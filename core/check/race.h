/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race.h: the inside of `check race`: check_race.c looks at accesses, race_rows.c at those of many
 * lanes, race_meet.c compares them with those of others, race_locks.c with those of other holders of a lock,
 * race_report.c says what is wrong. */
#ifndef GPUDBG_RACE_H
#define GPUDBG_RACE_H

#include "check/check.h"
#include "check/clocks.h"
#include "check/locks.h"
#include "check/plain_loads.h"
#include "check/spins.h"
#include "check/traces.h"
#include "machine/machine.h"

/* An instruction that accesses or orders memory. */
struct place {
    uint64_t pc;
    struct gpudbg_order order;
    bool orders;          /* `order` does something */
    bool atomic, returns; /* it reads and writes; and gives the program what it read */
    /* Scope in which it is an atomic load by its bits, or an atomic access by its function's name; WAVE: neither */
    uint8_t sees;
    bool locks; /* it compares or exchanges and returns the old value, as code does that takes a lock */
    bool later; /* it acquires once its value, in these registers, is used */
    unsigned file, reg, count;
    bool shares;        /* it has stored to memory that others see */
    bool unsaid;        /* its flags do not say that it accesses memory */
    bool asked, spins;  /* whether spins.h knows its answer; it */
    bool known, tested; /* the same of only_tested */
    bool lanes;         /* the load writes a register of lanes */
};

/* A load of local memory, or an atomic there, that has left no traces yet. */
struct waiting {
    uint64_t lanes, size;
    uint8_t dwords; /* as gpudbg_accesses.row has it */
    uint32_t wave, time, place, epoch;
    uint32_t offset[64];
    /* Of an atomic: */
    uint64_t changes;     /* lanes that change their words */
    struct publishing as; /* held */
};

struct race_group {
    struct area local;
    uint32_t ended; /* waves */
    /* Loads of local memory that have left no traces yet.  A load races with nothing until a wave changes local memory
     * after the start, or after the last barrier that all waves have passed.  The first change makes the traces of the
     * loads before it; the next barrier drops the loads.  Atomics that give the program nothing wait in the same way
     * for the first access of another kind. */
    struct waiting *waiting;
    size_t nwaiting, room;
    bool updates; /* atomics wait, not loads */
    bool changed;
    uint32_t barriers; /* that its waves have come from */
    uint32_t *latest;  /* by wave: when it accessed local memory last; NULL: none has */
};

/* The latest load of a wave from memory that others see; nothing else of it touched such memory since. */
struct latest_load {
    uint64_t addr;
    uint32_t place; /* + 1; 0: it was no load */
};

struct race {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    bool report_equal, report_lanes;
    struct plain_loads *loads; /* NULL: loads are not followed */
    struct clocks *clocks;
    struct locks *locks;
    struct traces *traces;
    struct race_group *group;
    void (*settle)(struct race *, const struct gpudbg_wave *); /* race_settle: reports come before it */
    struct waiting *spare;                                     /* of a group that has ended, for the next; or NULL */
    size_t spare_room;
    struct area *global; /* by segment */
    size_t nglobal, latest;
    struct place *place;
    size_t nplaces, places_room;
    uint32_t *near; /* a hash table of pc: number + 1 in `place` */
    unsigned near_bits;
    uint32_t *numbered; /* by number of the instruction: number + 1 in `place`; 0: not met */
    uint32_t numbers;
    struct latest_load *load; /* by wave */
    uint32_t
        *unused; /* by wave: place + 1 of the atomic whose value was not used yet; NULL: code without such atomics */
    /* The instruction being executed. */
    uint32_t time, here;
};

/* An access to a line: of one lane, or of several. */
struct meeting {
    struct gpudbg_segment *segment;
    bool local;
    uint64_t at; /* of the line, in the segment */
    struct line *line;
    uint32_t epoch; /* clocks_epoch of the wave */
    struct trace me;
    bool near; /* a load that is atomic inside its group: it meets other groups alone, and leaves no trace */
    const struct gpudbg_access *one;
    const struct gpudbg_accesses *all; /* or */
};

static inline unsigned first_byte(uint64_t bytes) { return (unsigned)__builtin_ctzll(bytes); }

/* ---- race_meet.c ---- */

/* The bytes of one line (m->me.bytes), or of a range. */
void race_touch(struct race *, struct gpudbg_wave *, struct area *, struct meeting *);
void race_touch_range(
    struct race *, struct gpudbg_wave *, struct area *, struct meeting *, uint64_t from, uint64_t size);
/* A store of what is there already, which counts as a load. */
bool race_stores_same(const struct race *, const struct gpudbg_access *);
/* A store to a word that the wave uses atomically. */
bool race_owns(const struct race *, const struct gpudbg_wave *, const struct gpudbg_access *, struct area *);
/* The words of an atomic, or of a coherent load.  changes: what is there; as: what it has published, if it waited. */
void race_meet_words(struct race *, struct gpudbg_wave *, const struct gpudbg_access *, struct area *, bool changes,
    const struct publishing *as);

/* ---- race_rows.c: plain accesses of several lanes, of at most 16 bytes each ---- */

/* Done with a load of local memory, or an atomic there: it waits. */
bool race_load_waits(struct race *, const struct gpudbg_wave *, const struct gpudbg_accesses *);
bool race_update_waits(struct race *, const struct gpudbg_wave *, const struct gpudbg_accesses *);
/* Before another access to local memory: what waits leaves its traces. */
void race_wait_ends(struct race *, const struct gpudbg_wave *, bool changes);
/* What waits in the wave's group leaves its traces, and its words publish: before a report, which may name them. */
void race_settle(struct race *, const struct gpudbg_wave *);
/* The last wave of the group has ended. */
void race_group_ends(struct race *, struct race_group *);
/* The wave comes from a barrier. */
void race_comes_from_barrier(struct race *, struct gpudbg_wave *);

void race_loads(struct race *, struct gpudbg_wave *, const struct gpudbg_accesses *, struct area *, struct meeting *);
/* Atomics, of words of their own; those that only load leave no traces. */
void race_updates(struct race *, struct gpudbg_wave *, const struct gpudbg_accesses *, struct area *, struct meeting *);
/* Whether all dwords that are stored, or none, are as they were. */
bool race_stores_alike(const struct race *, const struct gpudbg_accesses *);
/* Returns the lanes that it leaves: their words are used atomically. */
uint64_t race_stores(
    struct race *, struct gpudbg_wave *, const struct gpudbg_accesses *, struct area *, struct meeting *);

/* ---- race_locks.c ---- */

/* A plain access of a wave that holds a lock. */
void race_under_lock(struct race *, struct gpudbg_wave *, const struct gpudbg_access *);
/* Another value is stored to a word.  takes: by an instruction that may take a lock. */
void race_lock_word(struct race *, struct gpudbg_wave *, const struct gpudbg_access *, bool takes);

/* ---- race_report.c ---- */

/* Reports an access that would race in another order of the waves, with the edge that would be missing then. */
void race_report_order(struct race *, const struct gpudbg_wave *, const struct lock_race *);
/* Reports each lane of the access that meets this trace. */
void race_report(struct race *, const struct gpudbg_wave *, const struct meeting *, const struct trace *by);
/* Says that something is no longer watched. */
void race_note(const struct race *, const struct gpudbg_wave *, const struct gpudbg_access *, const char *message);

#endif
