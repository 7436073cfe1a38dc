/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised.h: the inside of `check uninitialised`: instructions in check_uninitialised.c, what they read and write
 * in uninitialised_registers.c, those of which nothing is missing in uninitialised_quick.c, regions in
 * uninitialised_regions.c, memory in uninitialised_memory.c, trials in uninitialised_trial.c, where values come from in
 * uninitialised_origin.c. */
#ifndef GPUDBG_UNINITIALISED_H
#define GPUDBG_UNINITIALISED_H

#include "check/check.h"
#include "check/unwritten.h"
#include "check/watch.h"

#define TRIALS 4
#define SPANS 48
#define ORIGINS_NEAR 1024 /* a power of two */
#define DECODED_MOST 64   /* a power of two */
#define STARTS 16         /* waves of a group whose start is kept */
#define SPARE_MOST 64     /* waves that have ended, whose memory is kept */
#define MISSING_MOST 1024 /* most dwords of one instruction that are checked */

/* The dwords of wave->words that an instruction may read or write. */
struct spans {
    struct {
        uint32_t at, n;
    } of[SPANS];
    unsigned n;
};

struct shadow {
    bool made;
    uint32_t *missing; /* a bit for each of wave->words; NULL: all are written, or the wave has ended */
    uint64_t *some;    /* by 64 words, counted from `phase`: a bit for each that may miss something */
    uint32_t *origin; /* by dword: where what is missing comes from, in uninitialised.origin; 0: it was never written */
};

/* What the start of a wave leaves unwritten of its registers. */
struct start {
    uint64_t lanes;
    uint32_t index;
    uint32_t *missing; /* NULL: not known */
    uint64_t *some;    /* as those of a shadow */
};

/* Unwritten bits that an instruction reads, of one dword of a register. */
struct missing {
    size_t at; /* in wave->words */
    uint32_t bits;
    uint32_t origin;
    unsigned file, index;
    int lane;       /* -1: of no lane in particular */
    uint32_t other; /* what another operand holds there, for a trial */
};

struct missings {
    struct missing of[MISSING_MOST];
    unsigned n;
};

/* Where unwritten bits come from: a load of memory, or an instruction that made them of those of a register. */
struct origin {
    uint64_t pc, addr;
    const struct gpudbg_segment *segment;
    unsigned space;
    int lane;             /* that loaded it, or the first that did */
    bool given;           /* made of a register: */
    bool computed;        /* ... by arithmetic: it is a number, not padding */
    bool copied;          /* ... unchanged */
    uint32_t from;        /* ... and this is where it came from before; 0: */
    unsigned file, index; /* ... nothing was ever written to this register */
};

/* A register that an instruction names: its dwords in wave->words. */
struct named {
    uint32_t at, n;
    uint32_t block;         /* of `some`, if they are all of it; else 0 */
    uint32_t from;          /* the first block of `some` that has any of them: */
    uint64_t bits, further; /* ... which ones in it, and in the next; `bits` 0: there are more blocks */
    bool laned;             /* a lane each, of which those that run count */
    bool reads, writes;
    bool data; /* that is stored */
    uint8_t file;
    uint16_t index; /* the first register */
};

#define NAMED_MOST 12
#define WHOLE_MOST 4

/* Which dwords a copy moves where, if these lanes run. */
struct moves {
    uint64_t lanes;
    unsigned n;
    uint8_t to[64];    /* dwords of the destination */
    uint32_t from[64]; /* in wave->words */
};

/* Bits of a dword of wave->words that an instruction reads or writes for a lane; -1: whichever lanes run. */
struct region {
    uint32_t at, bits;
    int lane;
};

/* What an instruction touches whose operands are regions at places that do not change. */
struct regions {
    uint64_t lanes; /* that it names: all of it happens if they run */
    enum {
        LANES_UNKNOWN,
        LANES_RUN,
        LANES_ALL,
        LANES_OTHER
    } which;              /* lanes that take part; OTHER: more than those
                                                                        that run decide */
    uint32_t row_at, row; /* all that it writes is these dwords; row 0: it is not a row */
    unsigned nwhole;
    struct {
        uint32_t at;
        uint64_t bits;
    } whole[WHOLE_MOST]; /* ... in blocks of `some` */
    uint32_t nreads, nwrites;
    struct region of[]; /* reads, then writes */
};

/* What is known of an instruction once it was met. */
struct plan {
    bool known;
    bool quick;  /* `of` are all of its registers */
    bool memory; /* it loads or stores */
    bool last;   /* of the wave */
    bool plain;  /* quick, without memory, and not the last */
    uint8_t n;
    uint64_t does;
    /* A load or store that changes nothing on the way: dword i of a lane's memory is that of the lane in the i-th of
     * `copied` registers, from word copy_at on.  0: it changes something. */
    unsigned copied;
    uint32_t copy_at;
    unsigned file, reg;      /* the first of them */
    struct spans *copy;      /* of a copy that is executed on what is missing (uninitialised_copies); or NULL */
    bool fixed;              /* ... that moves whole dwords the same way each time that the same lanes run */
    struct moves *moves;     /* ... which way; NULL: it was not executed yet */
    struct regions *regions; /* NULL: it has none, or they are elsewhere each time */
    bool clean;              /* if all lanes run, none of what it writes is marked in `some` afterwards */
    struct named of[NAMED_MOST];
    /* The same of all of them: which words of which blocks of `some`; nblocks of them.  0: there are more. */
    unsigned nblocks;
    struct {
        uint32_t at;
        uint64_t bits, reads; /* reads: those of operands that are read */
    } block[NAMED_MOST];
};

/* A load or store that is executed, and the wave as it was before. */
struct held {
    bool on, atomic;
    bool kept;               /* `wave` and `spans` are whole; else only what the instruction writes is in wave.words */
    struct gpudbg_wave wave; /* `words` are our own, of which `spans` are kept */
    const struct plan *plan; /* or NULL */
    uint8_t passed[64];      /* dwords of the lanes that were copied */
    struct spans spans;
    const struct gpudbg_insn *insn;
    struct gpudbg_insn own; /* what it is, if its operands are not those of the code */
    struct missings stored; /* of what it stores */
    struct gpudbg_access *of;
    size_t n, room;
};

struct uninitialised {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    bool *follows, *starts;         /* a file of registers; one whose registers begin without a value */
    unsigned phase;                 /* where registers of lanes begin, of 64 words */
    struct spans small;             /* words that are not lanes' registers */
    struct gpudbg_insn *as_decoded; /* DECODED_MOST, by pc: operands as the code has them */
    uint32_t *differs, *results;    /* of a trial, by word */
    struct shadow *wave;            /* by id */
    struct shadow spare[SPARE_MOST];
    unsigned nspare;
    struct start start[STARTS];
    struct gpudbg_footprint *footprint; /* room for those of two instructions; NULL: operands are whole registers */
    struct missings missing;
    struct gpudbg_wave trial[TRIALS];
    struct unwritten *memory;
    struct plan **plan; /* by number of the instruction; NULL: not met */
    uint32_t nplans;
    struct held held;
    struct origin *origin;       /* from 1 on */
    uint32_t near[ORIGINS_NEAR]; /* some of them, by what they are */
    uint32_t norigins;
};

#define UNINITIALISED_BLOCKS(words) ((size_t)(words) / 64 + 3) /* of shadow.some */
static inline size_t block_of(const struct uninitialised *u, size_t word) { return (word + 64 - u->phase) / 64; }
static inline uint64_t block_bit(const struct uninitialised *u, size_t word)
{
    return UINT64_C(1) << ((word + 64 - u->phase) & 63);
}
/* A word misses something from now on. */
static inline void some_add(const struct uninitialised *u, struct shadow *s, size_t word)
{
    s->some[block_of(u, word)] |= block_bit(u, word);
}
/* The dwords of a register that is followed, *n of them, a lane each where it has lanes; SIZE_MAX: it is not. */
size_t uninitialised_dwords(
    const struct uninitialised *, struct gpudbg_wave *, unsigned file, unsigned index, unsigned *n);

/* ---- Trials ---- */

/* The filling of missing bits in a trial. */
uint32_t uninitialised_fill(unsigned trial, uint64_t place);
void spans_of(struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, struct spans *);
void spans_copy(const struct spans *, uint32_t *to, const uint32_t *from);
/* Bits in which so many trials (3 or 4) differ, of these words, go to `differs`. */
void uninitialised_differs(struct uninitialised *, const struct spans *, unsigned trials);
/* Executes the instruction with the missing bits filled in several ways: bits of words that depend on them go to
 * `differs`; *control: which instruction is next, or which lanes run.  false: it could not be executed so. */
bool uninitialised_depends(
    struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, struct spans *, bool *control);

/* Whether an instruction is a copy that moves what is missing as it moves values; these are its words. */
bool uninitialised_is_copy(struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, struct spans *);
/* Executes such a copy on a wave whose registers hold what is missing of them: then its destinations hold what is
 * missing of those, in u->trial[0].  numbers: they hold numbers of their dwords instead.  false: it decides which lanes
 * run. */
bool uninitialised_copies(
    struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, const struct spans *, bool numbers);
/* Whether all but what such a copy moves is constant. */
bool uninitialised_is_fixed(const struct uninitialised *, const struct gpudbg_insn *);
/* Finds out plan->moves for the lanes that run, which are given.  false: it moves other things than dwords. */
bool uninitialised_moves(struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, struct plan *,
    const struct named *to, uint64_t lanes);

/* ---- Where values come from ---- */

/* "local memory 0x40", "scratch+0x40" */
void uninitialised_place(unsigned space, const struct gpudbg_segment *, uint64_t addr, char *buf, size_t size);
/* An instruction with these flags makes missing bits of those of a register. */
uint32_t uninitialised_given(struct uninitialised *, uint64_t pc, const struct missing *, uint64_t flags);
/* Whether the instruction that made them computed, copies aside. */
bool uninitialised_computed(const struct uninitialised *, uint32_t origin);
/* A load of bytes that were never written. */
uint32_t uninitialised_loaded(struct uninitialised *, uint64_t pc, const struct gpudbg_access *);
/* Of the missing registers of an instruction the one that register k of a destination comes from, of the lane where it
 * has one (else -1); NULL: none. */
const struct missing *missing_source(const struct missings *, int lane, unsigned k);
/* The first origin of a chain: a load, or the first register. */
const struct origin *uninitialised_first(const struct uninitialised *, uint32_t origin);
/* "scratch+0x40 was loaded at reduce+0x40 (reduce.cl:12)", "v5 was never written; given on at reduce+0x8, ..." */
void uninitialised_origin(
    const struct uninitialised *, const struct gpudbg_wave *, uint32_t origin, char *buf, size_t size);

/* ---- Registers ---- */

/* What such an instruction does concerns more than registers. */
#define UNINITIALISED_OUTSIDE                                                                                      \
    (GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_MESSAGE | GPUDBG_OP_BRANCH | GPUDBG_OP_CALL | GPUDBG_OP_RETURN | \
        GPUDBG_OP_END | GPUDBG_OP_BARRIER | GPUDBG_OP_WAIT)

/* Whether any of n words, not 0, misses something; any of those of these lanes, of a register of 64. */
bool uninitialised_any_missing(const struct uninitialised *, struct shadow *, size_t at, unsigned n);
bool uninitialised_any_lane(const struct uninitialised *, struct shadow *, size_t at, uint64_t lanes);
/* Whether an operand is data that passes through: that of a store, or a register of which a load keeps a part. */
bool uninitialised_is_stored(const struct gpudbg_insn *, unsigned operand);
/* Finds unwritten bits that active lanes read.  stored: only in data that passes through; else in all others. */
void uninitialised_find(
    struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, bool stored, struct missings *to);
/* Its destinations are written.  results: what of each dword of wave->words is not, or NULL; what destinations take of
 * it is cleared.  The rest is of flags and accumulators: uninitialised_write_others. */
void uninitialised_write(struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, uint32_t *results);
void uninitialised_write_others(
    struct uninitialised *, const struct gpudbg_wave *, struct shadow *, const struct spans *, uint32_t *results);

/* ---- Quickly ---- */

/* What is known of an instruction from now on, by its number. */
struct plan *uninitialised_plan_new(
    struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, uint32_t number);
/* The same, also later; NULL: it has no number at present. */
static inline struct plan *uninitialised_plan(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint32_t number = u->checks->number;
    if (number >= u->nplans) return NULL;
    return u->plan[number] ? u->plan[number] : uninitialised_plan_new(u, w, insn, number);
}
/* Whether the instruction touches only registers that are written whole. */
static inline bool uninitialised_all_written(const struct shadow *s, const struct plan *plan)
{
    uint64_t any = 0;
    for (unsigned i = 0; i < plan->nblocks; i++) any |= s->some[plan->block[i].at] & plan->block[i].bits;
    return !any && (plan->nblocks || !plan->n);
}
/* Done with the instruction, because it reads nothing that is missing.  false: it does, or may. */
bool uninitialised_quickly(
    struct uninitialised *, struct gpudbg_wave *, struct shadow *, const struct gpudbg_insn *, struct plan *);

/* ---- Regions ---- */

/* The regions of an instruction whose registers are in the plan; NULL: they change, or are elsewhere. */
struct regions *regions_new(
    struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, const struct plan *);
/* Whether it may touch a part of them only, if these lanes run. */
static inline bool regions_part(const struct regions *r, uint64_t lanes)
{
    return r->lanes & ~lanes && r->which != LANES_ALL;
}
/* Whether any bits that it reads are missing.  true also if that is not known. */
bool regions_miss(struct uninitialised *, struct gpudbg_wave *, const struct shadow *, const struct gpudbg_insn *,
    const struct plan *, uint64_t lanes);
/* What it writes is not missing any more.  false: it is not known what it writes. */
bool regions_clear(struct uninitialised *, struct gpudbg_wave *, struct shadow *, const struct gpudbg_insn *,
    const struct plan *, uint64_t lanes);

/* ---- Memory ---- */

/* Keeps the wave before its load or store; `stored` is what of its sources is missing.  plan: that of the instruction,
 * where all its registers are in it; else NULL. */
void memory_hold(struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_insn *, const struct plan *);
void memory_touched(struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_access *);
void memory_touched_all(struct uninitialised *, struct gpudbg_wave *, const struct gpudbg_accesses *);
/* What the load or store held has done to registers and memory. */
void memory_settle(struct uninitialised *);

#endif
