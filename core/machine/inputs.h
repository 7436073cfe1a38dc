/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inputs.h: what one result of an instruction is computed from.
 *
 * The operands say which registers an instruction may read; of those of the same lane, and of scalars, all count. Where
 * an operand does not say which part is meant (one lane of all, a swizzle, an index, a bit of a mask), and for memory,
 * the instruction is tried out with the part flipped: it counts if the result changes.  If it changes what is loaded or
 * stored, it is part of an address.
 */
#ifndef GPUDBG_INPUTS_H
#define GPUDBG_INPUTS_H

#include "machine/touch.h"

#define INPUTS_MOST 96

struct insn_input {
    enum input_role {
        INPUT_VALUE,
        INPUT_ADDRESS, /* of what is loaded or stored */
        INPUT_CHOICE,  /* a bit of a mask: which value it is, or whether */
    } role;
    bool is_register;
    /* A register: all of it, of a register with lanes that of one lane, of a wide one `bits` bits from bit `shift` of
     * dword `first` on; mask_bit: the bit of that lane. */
    unsigned file, reg;
    int lane; /* -1: it has none */
    uint8_t first, shift, bits;
    bool pair;     /* ... all of two registers that are one number: past/origin.c says so, nobody here */
    bool mask_bit; /* ... or, of a register of 32 bits that holds a bit for each lane, bits 1 */
    /* Memory. */
    unsigned space;
    uint64_t addr;
    uint32_t size; /* at most 4 */
};

/* A result: bits of registers, whether a lane runs, or memory. */
struct input_result {
    const struct touch_set *set; /* NULL: memory, or */
    bool active;                 /* whether the lane runs behind the instruction */
    bool address;                /* where the lane loads and stores, no more */
    int lane;                    /* of the registers; -1: none, or several */
    unsigned space;
    uint64_t addr, size;
};

/* Fills in what the next instruction of `w` computes the result from, in the order of its operands, registers first;
 * returns how many.  The trial is one of memory.  *lanes: those that store the result to memory, else 0. */
size_t inputs_of(struct trial *, struct gpudbg_wave *w, const struct gpudbg_insn *, const struct input_result *,
    struct insn_input to[INPUTS_MOST], uint64_t *lanes);

/* The lanes whose elements of the destination lie in these bits; 0: nobody's, or the instruction set has no regions. */
uint64_t inputs_lanes(struct gpudbg_wave *, const struct gpudbg_insn *, const struct touch_set *);

#endif
