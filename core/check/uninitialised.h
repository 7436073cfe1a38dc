/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised.h: the inside of `check uninitialised`: registers in check_uninitialised.c, memory in
 * uninitialised_memory.c. */
#ifndef GPUDBG_UNINITIALISED_H
#define GPUDBG_UNINITIALISED_H

#include "check/check.h"
#include "check/unwritten.h"

#define TRIALS 3
#define MISSING_MOST 1024 /* most dwords of one instruction that are checked */

struct shadow {
    bool made;
    uint32_t *missing; /* a bit for each of wave->words; NULL: none, or the wave has ended */
    uint32_t *origin;  /* by dword: where what is missing comes from, in uninitialised.origin; 0: nobody wrote it */
};

/* Unwritten bits that an instruction reads, of one dword of a register. */
struct missing {
    size_t at; /* in wave->words */
    uint32_t bits;
    uint32_t origin;
    unsigned file, index;
    int lane; /* -1: of no lane in particular */
};

struct missings {
    struct missing of[MISSING_MOST];
    unsigned n;
};

/* Where unwritten bits come from: a load of memory, or an instruction that copied them to a register. */
struct origin {
    uint64_t pc, addr;
    const struct gpudbg_segment *segment;
    unsigned space;
    bool given;           /* copied: */
    uint32_t from;        /* ... and this is where it came from before; 0: */
    unsigned file, index; /* ... nothing was ever written to this register */
};

/* A load or store that has been executed, and the wave as it was before. */
struct held {
    bool on;
    struct gpudbg_wave wave; /* `words` are our own */
    struct gpudbg_insn insn;
    struct missings stored; /* of what it stores */
    struct gpudbg_access *of;
    size_t n, room;
};

struct uninitialised {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    bool *follows;                      /* a file of registers */
    struct shadow *wave;                /* by id */
    struct gpudbg_footprint *footprint; /* NULL: operands are whole registers */
    struct missings missing;
    struct gpudbg_wave trial[TRIALS];
    struct unwritten *memory;
    struct held held;
    struct origin *origin; /* from 1 on */
    uint32_t norigins;
};

/* The filling of missing bits in a trial. */
uint32_t uninitialised_fill(unsigned trial, uint64_t place);
/* "local memory 0x40", "scratch+0x40" */
void uninitialised_place(unsigned space, const struct gpudbg_segment *, uint64_t addr, char *buf, size_t size);

/* The first origin of a chain: a load, or the first copy of a register. */
const struct origin *uninitialised_first(const struct uninitialised *, uint32_t origin);
/* "scratch+0x40 was loaded at reduce+0x40 (reduce.cl:12)", "v5 was never written; copied at reduce+0x8, reduce+0x10" */
void uninitialised_origin(const struct uninitialised *, uint32_t origin, char *buf, size_t size);

/* Keeps the wave before its load or store; `stored` is what of its sources is missing. */
void memory_hold(struct uninitialised *, const struct gpudbg_wave *, const struct gpudbg_insn *);
void memory_touched(struct uninitialised *, const struct gpudbg_access *);
void memory_touched_all(struct uninitialised *, const struct gpudbg_accesses *);
/* What the load or store held has done to registers and memory. */
void memory_settle(struct uninitialised *);

#endif
