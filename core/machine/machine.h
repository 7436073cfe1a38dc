/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine.h: waves, the deterministic schedule, and time.
 *
 * A machine is one launch.  Groups run one after another, the waves of a group in turn, changing at barriers, sleeps
 * and after a fixed quantum; whoever steps another wave is recorded.  The position is the number of instructions that
 * the whole machine has executed since the launch.  Time is checkpoints and replay (history.h): going back is restoring
 * the nearest checkpoint and running forward again, so nothing else knows that time can run backwards.
 *
 * Waves come into being when the schedule or the user first touches them; a wave that has ended keeps its state, not
 * its registers, once memory is wanted elsewhere.
 */
#ifndef GPUDBG_MACHINE_H
#define GPUDBG_MACHINE_H

#include "base/parts.h"
#include "gpudbg.h"

#define MACHINE_NO_WAVE UINT32_MAX

struct machine_options {
    struct gpudbg *session;      /* for the runner's questions (gpudbg_chosen); NULL: none */
    uint64_t history_budget;     /* bytes for going back in time; 0: as much as history.c takes */
    bool profile;                /* count what is executed from the start */
    const bool *observed;        /* while true, machine_set_... refuse; borrowed; NULL: never */
    bool restoring;              /* it has registers that nobody knows: unknown.h */
    bool brief;                  /* it executes few instructions, so it must cost little to make */
    const struct ticker *ticker; /* asked on long ways through recorded time; borrowed; NULL: nobody is */
    unsigned threads;            /* as machine_threads has them, as is `memory` */
    uint64_t memory;
};

/* Takes over `launch` (freed with the machine).  The machine stands at position 0, nothing executed.  options may be
 * NULL. */
struct gpudbg_machine *machine_new(
    const struct machine_options *, const struct gpudbg_image *, struct gpudbg_launch *launch, struct gpudbg_error *);
void machine_free(struct gpudbg_machine *);
/* The old machine (NULL: there was none), which the caller frees next, leaves memory to this one. */
void machine_inherit(struct gpudbg_machine *, struct gpudbg_machine *old);

/* ---- Looking ---- */

/* The wave with its registers; NULL with an error when there is no such wave or its registers are gone. */
struct gpudbg_wave *machine_wave(struct gpudbg_machine *, uint32_t id, struct gpudbg_error *);

struct machine_wave_info {
    uint32_t id, group, index, group_id[3];
    uint8_t state;
    bool registers;          /* machine_wave would succeed */
    bool lost_pc, lost_mask; /* a wave of a dump, which does not tell where it stands, or which lanes run */
    uint64_t pc, executed, lanes, active;
};
void machine_wave_info(struct gpudbg_machine *, uint32_t id, struct machine_wave_info *);
/* The same, and the first wave behind it that may differ: those before that have its state, lanes and (unless they have
 * ended) place.  So to look at all waves takes a step for each that has begun, and few for all others. */
uint32_t machine_waves_alike(struct gpudbg_machine *, uint32_t id, struct machine_wave_info *);
/* Registers and LDS of what has ended count as gone: so answers do not depend on how much of them is still kept. */
void machine_hide_ended(struct gpudbg_machine *, bool on);
/* Its pc is behind its last instruction, where nothing of it is. */
bool machine_wave_ended(struct gpudbg_machine *, uint32_t id);
uint32_t machine_next_wave(const struct gpudbg_machine *); /* that continue would run now; MACHINE_NO_WAVE: all ended */

/* Register `index` of a file in this wave: its dwords, *n of them, lane by lane where it has lanes.  NULL: this launch
 * has no such register.  Core goes from a number to a register by these two functions alone. */
uint32_t *machine_register(struct gpudbg_wave *, unsigned file, unsigned index, size_t *n);
/* The same as a place in wave->words; SIZE_MAX: there is no such register, or it is worked out when it is asked for. */
size_t machine_register_at(struct gpudbg_wave *, unsigned file, unsigned index, unsigned *n);

/* The instruction at the wave's pc with the operands it has now (runner->actual), in insn or own; NULL: it will be
 * passed over. */
const struct gpudbg_insn *machine_actual(struct gpudbg_wave *, const struct gpudbg_insn *insn, struct gpudbg_insn *own);

uint64_t machine_position(const struct gpudbg_machine *);
uint64_t machine_recorded(const struct gpudbg_machine *); /* end of recorded time: forward runs repeat up to here */
uint64_t machine_hash(
    struct gpudbg_machine *); /* of all waves, masks, memory, schedule; equal states have equal hashes */

/* Is the register file's contents kept up to date (runner->keep)?  machine_keep sees to it, running time again; it
 * fails where that is no moment for it, while the machine runs. */
bool machine_kept(struct gpudbg_machine *, unsigned file);
bool machine_keep(struct gpudbg_machine *, unsigned file, bool edit, struct gpudbg_error *);

/* Executes an epilogue, the instructions from start to `last`, which returns, on a copy of a wave (or what is left of
 * it, where the copy stands inside).  The machine stays as it is.  false: it cannot be executed; the copy is spoilt. */
bool machine_leave(struct gpudbg_machine *, struct gpudbg_wave *copy, uint64_t start, uint64_t last);

/* ---- Changing (recorded as an edit at this position; what was recorded after it is forgotten) ---- */

/* Stores `dwords` at register `index` of file, lane by lane or whole, as in runner->reg; lane -1: all that is given. */
bool machine_set_register(struct gpudbg_machine *, uint32_t wave, unsigned file, unsigned index, unsigned first_dword,
    const uint32_t *dwords, size_t n, struct gpudbg_error *);
bool machine_set_memory(struct gpudbg_machine *, uint32_t wave, unsigned space, uint64_t addr, const void *bytes,
    size_t size, struct gpudbg_error *);
bool machine_set_pc(struct gpudbg_machine *, uint32_t wave, uint64_t pc, struct gpudbg_error *);
/* The error of whatever would change something while the user only wants to observe.  Returns false. */
bool machine_only_observed(struct gpudbg_error *);

/* Reading for the user: no watchpoint fires, no fault is recorded; segment (may be NULL) says whose bytes they are. */
bool machine_peek(struct gpudbg_machine *, uint32_t wave, unsigned space, uint64_t addr, void *bytes, size_t size,
    const struct gpudbg_segment **segment, struct gpudbg_error *);

/* ---- Running ----
 *
 * Inside recorded time, going forward repeats the record: so n steps back and n forward lead to the same state.  Only
 * an edit begins a new future.
 */

enum machine_until {
    MACHINE_STEPS, /* `count` instructions of `wave`; others run only where it cannot go on without them, or the record
                      says */
    MACHINE_POSITION, /* to position `count` */
    MACHINE_END,      /* to the end of the program, or backwards to the launch */
    MACHINE_BARRIER,  /* `wave` to its next barrier or end, alone where the record does not say who runs; backwards to
                         where it last came to one */
};

/* Somebody who is told what programs do, while `data` lives.  Any function may be NULL. */
struct machine_observer {
    void *data;
    /* Before every instruction of an observed run; returns whether to stop there (reason CHECK). */
    bool (*before)(void *data, struct gpudbg_wave *);
    /* Its loads and stores, lane by lane or (-1) of the whole wave, and its arrival at a barrier. */
    void (*access)(void *data, struct gpudbg_wave *, const struct gpudbg_access *);
    void (*accesses)(void *data, struct gpudbg_wave *, const struct gpudbg_accesses *); /* NULL: `access`, one by one */
    void (*barrier)(void *data, struct gpudbg_wave *);
    /* A change of a register by the user, now or made again. */
    void (*edit)(void *data, struct gpudbg_wave *, unsigned file, unsigned index);
    void (*edit_memory)(void *data, struct gpudbg_wave *, const struct gpudbg_access *); /* ... or of memory */
    /* How much it has said so far.  What it says of a group follows from that group alone: groups may run ahead, and be
     * watched there, if it says nothing of them (ahead.h).  NULL: it has to see all groups in their order. */
    uint64_t (*said)(void *data);
    /* Groups have run ahead: it has not seen what was executed up to here, and need not. */
    void (*passed)(void *data);
};
/* Puts the observer in place of the one there was, which is returned; NULL: nobody.  Borrowed. */
const struct machine_observer *machine_observe(struct gpudbg_machine *, const struct machine_observer *);
/* Executes one instruction on a copy of a wave, which nobody but `told` learns of.  What it stores to memory stays
 * there, for `told` to take back; where that is NULL, it stores nothing.  false: it could not be executed, or it ended,
 * waited, or left something behind. */
bool machine_try(struct gpudbg_wave *copy, void (*told)(void *data, const struct gpudbg_access *), void *data);
/* Makes the runner count what is executed, or no longer; false: it is not counting (it cannot, or was told not to). */
bool machine_tally(struct gpudbg_machine *, bool on);
/* Its counts are those of all that was executed from the launch to the present. */
bool machine_tallied(const struct gpudbg_machine *);
/* Back to the launch, where the edits made there are made again. */
void machine_rewind(struct gpudbg_machine *);
/* Changes whenever recorded time is cut off and begins anew. */
uint64_t machine_futures(const struct gpudbg_machine *);
/* Whether the state at a position, as it was when machine_futures was `future`, was forgotten since. */
bool machine_forgot(const struct gpudbg_machine *, uint64_t future, uint64_t position);

/* Where in recorded time a search needs to look: the instructions of a wave (or of its group), or those that store to
 * some pages.  Epochs without any are passed over. */
struct machine_sieve {
    enum { SIEVE_WAVE, SIEVE_GROUP, SIEVE_PAGES } by;
    uint32_t wave;
    const struct gpudbg_segment *segment; /* PAGES first to last of it */
    uint64_t first, last;
};

struct machine_want {
    enum machine_until until;
    bool backwards;
    bool stops; /* heed breakpoints and watchpoints */
    uint32_t wave;
    uint64_t count;
    uint64_t limit; /* forwards: instructions of all waves after which it is interrupted; 0: none */
    /* Asked at a breakpoint (number > 0, before the instruction) or watchpoint hit (after it); returns whether to stop
     * there. */
    bool (*hit)(void *data, struct gpudbg_wave *, int number);
    /* Asked before an instruction that `number` traces; returns whether `hit` is to be asked after it. */
    bool (*about)(void *data, struct gpudbg_wave *, int number);
    bool pure; /* where `hit` and `about` say no, they leave nothing behind: so they need not be asked here */
    const struct machine_sieve *sieve; /* NULL: all recorded time counts */
    /* If set, asked before every instruction (slow): stop here?  For conditions on registers, source steps, `finish`.
     */
    bool (*every)(void *data, struct gpudbg_wave *);
    bool present;  /* backwards, a stop at the present counts, too */
    bool observed; /* the observer is told of every instruction, whether or not `stops` (slow) */
    bool whole;    /* recorded time is run again, too, never jumped over */
    /* Called now and then with the instructions done and, if known, to do; false: stop now (interrupt). */
    bool (*tick)(void *data, uint64_t done, uint64_t todo);
    void *data;
};

/* Runs.  The stop says why it ended; a fault ends before its instruction.  Never leaves a half-executed instruction.  A
 * way back that is interrupted ends where it began; a way forward, where it got to. */
struct gpudbg_stop machine_run(struct gpudbg_machine *, const struct machine_want *);
/* Goes to a recorded position, to look.  false: interrupted, and the present may be anywhere. */
bool machine_go(struct gpudbg_machine *, uint64_t position, struct gpudbg_error *);
/* Comes back from there.  It asks nobody, and need not: machine_run left a checkpoint there. */
void machine_come_back(struct gpudbg_machine *, uint64_t position);

/* Recorded time from the launch to position `to`, run again in parts, by several processes at once; then the machine
 * stands where it stood.  `want` says what is heeded, asked and told on the way; nobody may stop.  The others get its
 * `data`, too. */
struct machine_gather {
    const struct machine_want *want; /* until, count and limit do not matter */
    uint64_t to;
    /* In a worker, where a part begins and where it ends: there the part's answer is given by parts_answer. */
    void (*begin)(void *data, struct gpudbg_machine *);
    void (*end)(void *data, struct gpudbg_machine *, struct parts_worker *);
    void (*merge)(void *data, const void *answer, size_t size); /* here, in the order of time */
};
/* FAILED: it is too short for that, or a worker did not do its part (some answers may have been merged by then): run
 * it here, from the launch. */
enum parts_end machine_gather(struct gpudbg_machine *, const struct machine_gather *);
/* Processes that are worth making to observe so many instructions of recorded time, at least 1. */
unsigned machine_processes(const struct gpudbg_machine *, uint64_t instructions);
/* How many processes there may be (0: as many as there are processors; 1: none but this), and how many bytes of copies
 * they may make together (0: as many as they like). */
void machine_threads(struct gpudbg_machine *, unsigned most, uint64_t memory);

/* ---- Breakpoints and watchpoints, as the machine knows them (stop.h numbers them and keeps their conditions) ---- */

bool machine_break(struct gpudbg_machine *, uint64_t pc, int number, bool on, struct gpudbg_error *);
/* One number may watch several ranges; off: none of them any more. */
bool machine_watch(struct gpudbg_machine *, unsigned space, uint64_t addr, uint64_t size, bool reads, bool writes,
    int number, bool on, struct gpudbg_error *);

/* Traces the instructions at n addresses, ascending, in place of those that the number traced before; n 0: none.
 * Addresses where no instruction starts are left out.  A trace stops like a watchpoint, after its instruction. */
void machine_trace(struct gpudbg_machine *, int number, const uint64_t *pc, size_t n);

/* Stops (reason CATCH) after an instruction that ended a run in one of these ways: bits by enum gpudbg_ran, of BARRIER,
 * EVENT, and FAULT, which stops before the instruction.  0: no longer. */
void machine_catch(struct gpudbg_machine *, int number, unsigned ran);

/* Puts what was changed by the access that a watchpoint has just met back to what it was: `bytes` hold its ranges as
 * they are now, one behind another in the order in which they were given; of each the first 64 are known. */
void machine_watch_old(const struct gpudbg_machine *, int number, unsigned char *bytes, size_t size);
/* The i-th load or store, in order, of the instruction that met the watchpoint last; of long ones each 16 bytes. */
struct machine_access {
    uint64_t addr;
    size_t size;
    int lane;                 /* -1: no lane in particular */
    const unsigned char *old; /* `size` bytes as they were before it; borrowed until the next one is met */
};
bool machine_watch_access(const struct gpudbg_machine *, int number, size_t i, struct machine_access *);
/* While one is met: the lanes that did; all, where it was no lane's access. */
uint64_t machine_watch_lanes(const struct gpudbg_machine *, int number);

/* ---- History ---- */

struct machine_history {
    uint64_t position, recorded; /* instructions */
    uint64_t checkpoints, bytes; /* kept now */
    uint64_t pages;              /* page copies kept */
    uint64_t edits;
    uint64_t ahead;    /* groups that other processes ran before their turn */
    const char *alone; /* why not, where it would have been worth while; NULL: nothing forbade it */
};
void machine_history(const struct gpudbg_machine *, struct machine_history *);
void machine_history_budget(struct gpudbg_machine *, uint64_t bytes); /* 0: no limit */

/* What recorded time consists of: runs and changes, in order.  Whoever launches the same and does the same, by
 * machine_run and machine_set_..., comes to the same state. */
struct machine_logged {
    enum machine_logged_kind { LOGGED_RUN, LOGGED_REGISTER, LOGGED_MEMORY, LOGGED_PC } kind;
    uint32_t wave;               /* RUN: MACHINE_NO_WAVE: whoever's turn it was */
    uint64_t n;                  /* RUN: instructions */
    unsigned file, index, first; /* REGISTER */
    unsigned space;              /* MEMORY */
    uint64_t addr;               /* MEMORY, PC */
    const uint8_t *bytes;        /* REGISTER, MEMORY: `size` of them, borrowed */
    size_t size;
};
/* The i-th, from 0; false: there are no more. */
bool machine_logged(const struct gpudbg_machine *, size_t i, struct machine_logged *);
/* It was made of the waves of a dump. */
bool machine_restoring(const struct gpudbg_machine *);

#endif
