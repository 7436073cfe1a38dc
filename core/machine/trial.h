/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trial.h: trying out a wave's next instruction without executing it.
 *
 * A trial runs on a copy of the wave, of which some bits may be flipped first.  What it stores to memory is taken back,
 * and so are its events; the machine stands where it stood.  This answers questions about any instruction set: what an
 * instruction writes, and which of its inputs its results depend on.
 */
#ifndef GPUDBG_TRIAL_H
#define GPUDBG_TRIAL_H

#include "gpudbg.h"

/* Bits of one dword of wave->words. */
struct trial_bits {
    uint32_t at, bits;
};

/* A load or a store of the instruction that was tried out. */
struct trial_access {
    unsigned space;
    uint64_t addr, size;
    int lane; /* -1: of the whole wave */
    bool write;
    uint8_t *before, *after; /* a store's, `size` bytes each */
};

struct trial {
    struct gpudbg_machine *machine;
    struct gpudbg_wave wave;     /* after the latest one that succeeded */
    struct trial_access *access; /* of the latest one, in order; only if `memory` */
    size_t naccess, room;
    bool memory;
    /* Room for the operands of an instruction, where they are regions; not cleared, as it is large. */
    struct gpudbg_footprint *footprint;
    const void *observer; /* of the machine, while memory is watched */
    char fault[400];      /* why the latest could not be executed; "": it could, or nobody said */
};

/* memory: stores may be tried out, and accesses are kept; until trial_close the machine's observer hears nothing, and
 * all loads and stores take the slow way.  false: no memory. */
bool trial_open(struct trial *, struct gpudbg_machine *, bool memory);
void trial_close(struct trial *);

/* Executes the next instruction of `w` on the copy, after flipping `n` groups of bits.  false: it cannot be executed so
 * (a fault), or it stores and the trial is not one of memory. */
bool trial_run(
    struct trial *, const struct gpudbg_wave *w, const struct gpudbg_insn *, const struct trial_bits *, size_t n);

#endif
