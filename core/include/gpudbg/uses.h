/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * uses.h: what an instruction does to registers and to the mask of lanes, for core's analysis of live registers.
 *
 * Core reads registers from the operands, or from the footprints where operands are regions.  An instruction set adds
 * what these leave out: registers that no footprint has, what happens to masks, and where a write leaves something as
 * it was.
 *
 * Registers are counted in units: bytes where operands are regions, else dwords of a register (of one lane).  Masks
 * are in slots: slot 0 is the mask of the lanes that run; the instruction set numbers the others (registers in which
 * masks are kept).  What a slot holds is described by the set of lanes that it is part of.
 */
#ifndef GPUDBG_PUBLIC_USES_H
#define GPUDBG_PUBLIC_USES_H

#include "isa.h"

struct gpudbg_image;
struct gpudbg_kernel;

#ifdef __cplusplus
extern "C" {
#endif

enum gpudbg_use_flags {
    GPUDBG_USE_READ = 1,
    GPUDBG_USE_WRITE = 2,
    GPUDBG_USE_ALL = 4,    /* whatever the mask says; registers without lanes always */
    GPUDBG_USE_PART = 8,   /* a write that may keep old contents: under a predicate, by an index, of some bits */
    GPUDBG_USE_MAYBE = 16, /* a read that may not happen: an index or a descriptor decides which registers it is */
};

#define GPUDBG_USE_OWN 255    /* each lane uses its own part of the register */
#define GPUDBG_USE_FILE 65535 /* as `n`: all registers of the file that the code names */

struct gpudbg_use {
    uint8_t file, flags;
    uint8_t lane; /* that reads or writes these units; GPUDBG_USE_OWN; without meaning if ALL is set */
    uint16_t n;   /* units */
    uint32_t at;  /* the first unit: register * units of a register + unit in it */
};

enum gpudbg_mask_op {
    GPUDBG_MASK_ANY,   /* slots to .. to + a get unknown masks */
    GPUDBG_MASK_COPY,  /* a */
    GPUDBG_MASK_BELOW, /* lanes of a, not all of them */
    GPUDBG_MASK_AND,   /* lanes of both a and b */
    GPUDBG_MASK_OR,    /* lanes of a or b */
    GPUDBG_MASK_XOR,   /* ... but not of both */
};
#define GPUDBG_MASK_SLOTS 128
/* Values of a and b for masks that are not in a slot; START: the mask that the wave starts with. */
enum { GPUDBG_MASK_START = 252, GPUDBG_MASK_UNKNOWN, GPUDBG_MASK_NO_LANE, GPUDBG_MASK_ALL_LANES };
struct gpudbg_mask_move {
    uint8_t op, to, a, b; /* op: enum gpudbg_mask_op; slots */
};

/* How the machine keeps masks, if blocks are nested in the text and masks are not in registers. */
enum gpudbg_nest {
    GPUDBG_NEST_NONE,
    GPUDBG_NEST_OPEN,  /* an `if` begins: some lanes wait */
    GPUDBG_NEST_ELSE,  /* ... those that waited run */
    GPUDBG_NEST_CLOSE, /* ... all that are still here run */
    GPUDBG_NEST_LOOP,  /* a loop begins after this instruction */
    GPUDBG_NEST_AGAIN, /* the loop ends: lanes go to its start, or wait for the others after it */
    GPUDBG_NEST_LESS,  /* some lanes leave the block and wait where it jumps to: break, continue, halt, call, return */
    GPUDBG_NEST_JOIN,  /* lanes that left may come back here */
};

struct gpudbg_uses {
    struct gpudbg_use *use;
    size_t n, room;
    struct gpudbg_mask_move move[4]; /* all of them read the slots as they were before the instruction */
    uint8_t nmoves, nest;
    bool full;                          /* memory ran out: uses are missing */
    struct gpudbg_footprint *footprint; /* core's own */
};

/* Adds a use; a use without units is left out. */
GPUDBG_PUBLIC void gpudbg_use_add(struct gpudbg_uses *, struct gpudbg_use);
static inline void gpudbg_mask_move_add(struct gpudbg_uses *u, unsigned op, unsigned to, unsigned a, unsigned b)
{
    if (u->nmoves == sizeof u->move / sizeof *u->move) return;
    struct gpudbg_mask_move *m = &u->move[u->nmoves++];
    m->op = (uint8_t)op;
    m->to = (uint8_t)to;
    m->a = (uint8_t)a;
    m->b = (uint8_t)b;
}

/* An instruction that accesses a group's memory, at addresses from `least` on in it. */
typedef void gpudbg_local_fn(void *to, const struct gpudbg_insn *, uint32_t least);

/* What an instruction set must say for this analysis, and what it may say. */
struct gpudbg_using {
    bool (*follows)(unsigned file); /* whether registers of the file are followed */
    /* Changes the uses that core made of the operands, or adds to them, and says what happens to masks. */
    void (*uses)(const struct gpudbg_insn *, struct gpudbg_uses *);
    /* Calls each(to, ...) for every access to a group's memory in the code of a kernel.  false: there is too much of
     * it, or none.  NULL: it is never known. */
    bool (*local_accesses)(const struct gpudbg_image *, const struct gpudbg_kernel *, gpudbg_local_fn *each, void *to);
};

/* Bits of a unit; units of a register of the file. */
static inline unsigned gpudbg_use_bits(const struct gpudbg_isa *isa) { return isa->regions.elements ? 8 : 32; }
static inline unsigned gpudbg_use_units(const struct gpudbg_isa *isa, unsigned file)
{
    const unsigned bits = gpudbg_use_bits(isa);
    return (isa->files[file].bits + bits - 1) / bits;
}

/* Fills in the uses of an instruction.  The caller zeroes *to before the first one, may use it again for the next, and
 * frees to->use and to->footprint. */
GPUDBG_PUBLIC void gpudbg_insn_uses(const struct gpudbg_insn *, struct gpudbg_uses *to);

struct gpudbg_launch; /* machine.h */

/* ---- The order of memory: what other waves may see of a wave's accesses, for `check race` ---- */

/* Who sees an access: the wave itself, its group, all waves of the device, others as well. */
enum gpudbg_scope { GPUDBG_SCOPE_WAVE, GPUDBG_SCOPE_GROUP, GPUDBG_SCOPE_AGENT, GPUDBG_SCOPE_SYSTEM };

/* How accesses to global memory are counted where a wait may be for loads alone, or for stores alone.  Loads: also
 * atomics that return a value; stores: also those that do not. */
enum gpudbg_counted { GPUDBG_COUNTED_NOT, GPUDBG_COUNTED_LOADS, GPUDBG_COUNTED_STORES };

/* What an instruction adds to the order of its wave's accesses.  Zeros: nothing. */
struct gpudbg_order {
    /* By space (GPUDBG_GLOBAL, GPUDBG_LOCAL): in this scope all earlier accesses have taken place before any later one
     * of the wave does.  A later store of a flag then releases them. */
    uint8_t done[2];
    /* In this scope later loads see everything that was released to what earlier loads of the wave have loaded: these
     * then acquire it. */
    uint8_t fresh;
    bool outer; /* `fresh` is about caches beyond the group's own: those must be made fresh by another instruction */
    /* What it loads is what others in this scope stored last: an atomic load, as LLVM makes one; of a load alone. */
    uint8_t coherent;
    uint8_t counted; /* enum gpudbg_counted: of an access to global memory */
    uint8_t of;      /* enum gpudbg_counted: done[GPUDBG_GLOBAL] is about accesses that are counted so; NOT: all */
};

/* The memory model of a chip.  An atomic that returns a value, and a coherent load, may acquire; every store and
 * every atomic may release.  Barriers order waves of a group, as far as their accesses are done in that scope. */
struct gpudbg_ordering {
    uint8_t done[2]; /* by space: scope in which accesses take place in the order of the code, without an instruction */
    uint8_t fresh;   /* scope in which a load acquires, without an instruction */
    uint8_t repeats; /* scope in which a plain load, repeated, comes to see what others store: a loop that waits */
    void (*order)(const struct gpudbg_insn *, struct gpudbg_order *); /* *order is zeros before */
    const char *release, *acquire; /* the instructions that make them in the scope AGENT, for reports */
    const char *near_acquire;      /* ... in the scope GROUP; NULL: `fresh` has it */
    /* The model of a machine, where it depends on the chip or on the launch.  NULL: this one. */
    const struct gpudbg_ordering *(*of)(const struct gpudbg_machine *);
};

#ifdef __cplusplus
}
#endif
#endif
