/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * touch.h: does an instruction write these registers, does it read them?
 *
 * The operands of an instruction (and its footprints, where operands are regions) say which registers it may touch;
 * that is the claim.  A claim may be too wide: a conditional move that does not move, one lane of all.  So where an
 * instruction can be tried out, it is: what it writes no longer depends on what stood there before.  A register that is
 * a source as well as the destination is always written: adding 0 to it is a write, though its value stays.
 *
 * Some registers change without being an operand: masks that branches change, states that follow from others.  A set
 * of such is `loose`: any instruction may change it, and where no operand names it, only a change counts.
 */
#ifndef GPUDBG_TOUCH_H
#define GPUDBG_TOUCH_H

#include "machine/trial.h"

#define TOUCH_MOST 512 /* dwords of a set */

/* Bits of registers of one file. */
struct touch_set {
    unsigned file;
    bool loose; /* set by the caller */
    size_t n;
    struct trial_bits bit[TOUCH_MOST];
};

/* Adds `bits` of dword `dword` of a register; of a register with lanes, that is the dword of a lane.  false: it is not
 * stored in the wave, so no instruction writes it, or the set is full. */
bool touch_add(struct touch_set *, struct gpudbg_wave *, unsigned file, unsigned reg, unsigned dword, uint32_t bits);

/* Whether the instruction, wherever a wave of this launch meets it, may write the set, or read it. */
bool touch_may(struct gpudbg_wave *, const struct gpudbg_insn *, const struct touch_set *, bool write);

enum touch_answer {
    TOUCH_NO,
    TOUCH_MAYBE, /* the operands do not tell, and it cannot be tried out: if the set changes, it is written */
    TOUCH_YES,
};

/* Whether the next instruction of `w` writes or reads bits of the set: one word for each of set->bit, in `touched`
 * (TOUCH_MOST of them).  insn: as machine_actual gives it. */
enum touch_answer touch_does(struct trial *, struct gpudbg_wave *w, const struct gpudbg_insn *,
    const struct touch_set *, bool write, uint32_t *touched);

#endif
