/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow.h: the ways through code, and what holds at each place, whichever way leads there.
 *
 * An instruction set says where control goes after an instruction (gpudbg_nexts); core makes blocks of it
 * (gpudbg_ways_new).  An analysis gives a state of any shape, how states of several ways meet, and what a block makes
 * of a state; core visits blocks until no state changes (gpudbg_solve).
 */
#ifndef GPUDBG_PUBLIC_FLOW_H
#define GPUDBG_PUBLIC_FLOW_H

#include "isa.h"

struct gpudbg_image;

#ifdef __cplusplus
extern "C" {
#endif

/* ---- After one instruction ---- */

#define GPUDBG_NEXTS 4

/* Where control may go after an instruction.  The first address is the one that a branch jumps to, if it names one. */
struct gpudbg_nexts {
    uint64_t to[GPUDBG_NEXTS];
    uint8_t n;
    bool call;    /* it calls a function: to[] holds the address after the call, too */
    bool returns; /* it goes on after some call */
    bool unknown; /* it may also go where a register says */
};

/* Asks the instruction set (isa->nexts), or follows the flags of the row: a branch goes to its operands of kind
 * GPUDBG_CODE, and on if it is conditional or a call.  A branch without such an operand that is not a return is
 * `unknown`. */
GPUDBG_PUBLIC void gpudbg_insn_nexts(const struct gpudbg_insn *, struct gpudbg_nexts *);

/* ---- Blocks ---- */

/* Instructions that run one after the other. */
struct gpudbg_basic_block {
    uint64_t addr, end;          /* of its first instruction; after its last.  Equal: it holds none, see `returns` */
    uint32_t first, ninsns;      /* its instructions are numbered from `first` on; see gpudbg_ways.ninsns */
    uint32_t next, nnext;        /* blocks that may follow: gpudbg_ways.link[next] and so on */
    uint32_t from, nfrom;        /* blocks that lead here, in the same list */
    uint32_t place;              /* in gpudbg_ways.order, or UINT32_MAX: no way from an entry leads here */
    bool entry;                  /* code may begin here */
    bool call, returns, unknown; /* of its last instruction, see struct gpudbg_nexts */
};

/* An instruction that does not simply go on, see gpudbg_isa.jumps. */
struct gpudbg_jump {
    uint64_t addr;
    struct gpudbg_nexts to;
};

struct gpudbg_ways {
    const struct gpudbg_isa *isa;
    const uint8_t *bytes;             /* of the code; borrowed */
    uint64_t base, size;              /* address of bytes[0]; bytes */
    struct gpudbg_basic_block *block; /* in the order of addresses */
    uint32_t nblocks;
    uint32_t ninsns; /* of all blocks */
    uint32_t *link;
    /* Blocks that can be reached from an entry.  Only an edge that closes a loop leads back in this order. */
    uint32_t *order, norder;
    /* The block without instructions between returns and calls: every return leads to it, and it leads to the address
     * after each call.  UINT32_MAX: there are no returns, or no calls. */
    uint32_t returns;
    struct gpudbg_jump *jump; /* by address */
    uint32_t njumps;
};

/* Where control may go after an instruction of this code: gpudbg_insn_nexts, or what isa->jumps says. */
GPUDBG_PUBLIC void gpudbg_ways_nexts(const struct gpudbg_ways *, const struct gpudbg_insn *, struct gpudbg_nexts *);

enum gpudbg_ways_flags {
    GPUDBG_WAYS_ALL = 1, /* also code that no way from an entry reaches: every instruction from the first byte on */
};

/* The ways through `size` bytes of code at address `base`, from n entries on.  The bytes must stay as they are while
 * the result is used; gpudbg_ways_free frees it.  NULL with an error: "too-large" (more than `most` instructions),
 * "memory", or "not-now": no entry is an address of this code. */
GPUDBG_PUBLIC struct gpudbg_ways *gpudbg_ways_new(const struct gpudbg_isa *, const uint8_t *bytes, uint64_t size,
    uint64_t base, const uint64_t *entries, unsigned n, unsigned flags, uint32_t most, struct gpudbg_error *);
GPUDBG_PUBLIC void gpudbg_ways_free(struct gpudbg_ways *);

/* Calls each(to, ways, err) with the ways through each section of code, until it returns false: then err is set.  Code
 * begins at kernels and functions; a section that has none begins at its first byte. */
typedef bool gpudbg_ways_fn(void *to, const struct gpudbg_ways *, struct gpudbg_error *);
GPUDBG_PUBLIC bool gpudbg_image_ways(
    const struct gpudbg_image *, unsigned flags, gpudbg_ways_fn *each, void *to, struct gpudbg_error *);

/* Decodes the instructions of a block in order and calls each(to, insn, number) until it returns false.  Returns false
 * then. */
typedef bool gpudbg_block_fn(void *to, const struct gpudbg_insn *, uint32_t number);
GPUDBG_PUBLIC bool gpudbg_block_walk(const struct gpudbg_ways *, uint32_t block, gpudbg_block_fn *each, void *to);
/* The block that begins at an address; UINT32_MAX: none does. */
GPUDBG_PUBLIC uint32_t gpudbg_block_at(const struct gpudbg_ways *, uint64_t addr);

/* ---- What holds at each place ---- */

struct gpudbg_solution;

/* An analysis.  Forwards, a block is entered at its start and left at its end; backwards the other way round. */
struct gpudbg_solver {
    size_t size; /* of a state, bytes.  Two states are the same if their bytes are: pad with zeros */
    bool backwards;
    /* Makes the state in which a block is entered of those in which the blocks before it are left (gpudbg_left), and of
     * what holds where the code begins or ends.  *in holds what the last call made; zeros at first. */
    void (*meet)(void *with, const struct gpudbg_solution *, uint32_t block, void *in);
    /* Turns the state in which a block is entered into the one in which it is left. */
    void (*pass)(void *with, uint32_t block, void *state);
    bool (*goes_on)(void *with); /* called now and then: false interrupts.  NULL: it cannot be interrupted */
    uint64_t most;               /* visits of blocks and links, after which the analysis gives up; 0: any number */
};

/* Visits all blocks that can be reached until no state changes.  NULL with an error: "interrupt", "too-large" or
 * "memory". */
GPUDBG_PUBLIC struct gpudbg_solution *gpudbg_solve(
    const struct gpudbg_ways *, const struct gpudbg_solver *, void *with, struct gpudbg_error *);
GPUDBG_PUBLIC void gpudbg_solution_free(struct gpudbg_solution *);
GPUDBG_PUBLIC const struct gpudbg_ways *gpudbg_solution_ways(const struct gpudbg_solution *);
/* The state in which a block is entered, or left; NULL: it was not visited (yet). */
GPUDBG_PUBLIC const void *gpudbg_entered(const struct gpudbg_solution *, uint32_t block);
GPUDBG_PUBLIC const void *gpudbg_left(const struct gpudbg_solution *, uint32_t block);

/* Calls each(to, state) with the state of every block that leads to this one (backwards: that follows it) and was
 * visited. */
static inline void gpudbg_each_left(const struct gpudbg_solution *s, uint32_t block, bool backwards,
    void (*each)(void *to, const void *state), void *to)
{
    const struct gpudbg_ways *w = gpudbg_solution_ways(s);
    const struct gpudbg_basic_block *b = &w->block[block];
    const uint32_t *link = &w->link[backwards ? b->next : b->from];
    for (uint32_t i = 0; i < (backwards ? b->nnext : b->nfrom); i++) {
        const void *state = gpudbg_left(s, link[i]);
        if (state) each(to, state);
    }
}

/* An analysis that goes forwards from instruction to instruction. */
struct gpudbg_stepper {
    size_t size;                              /* of a state, as in struct gpudbg_solver; zeros where code begins */
    void (*join)(void *to, const void *from); /* adds what holds on another way; must not lose what `to` has */
    void (*step)(void *state, const struct gpudbg_insn *);
    void (*pack)(void *state); /* after a block: one form for states that mean the same, for join; NULL: there is one */
};
/* Follows all ways through the code of an image, then calls each(to, state, insn) for every instruction that can be
 * reached, in the order of addresses, with the state before it.  Returns false with an error. */
typedef void gpudbg_stepped_fn(void *to, const void *state, const struct gpudbg_insn *);
GPUDBG_PUBLIC bool gpudbg_follow(const struct gpudbg_image *, const struct gpudbg_stepper *, gpudbg_stepped_fn *each,
    void *to, struct gpudbg_error *);

#ifdef __cplusplus
}
#endif
#endif
