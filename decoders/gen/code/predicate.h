/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predicate.h: the channels of an instruction, and those that pass its predicate, for pictures and execution. */
#ifndef GEN_PREDICATE_H
#define GEN_PREDICATE_H

#include "gen.h"

/* Whether exec_size counts dwords, as for the doubles of Ivy Bridge: two channels each. */
bool gen_halves_channels(const struct gen_insn *);
/* The number of channels of the instruction, at most 32. */
unsigned gen_channels(const struct gen_insn *);
/* Instruction channel i is channel chan_off + i * step of the thread: 2 for the doubles of Ivy Bridge, else 1. */
unsigned gen_channel_step(const struct gen_insn *);
/* Whether channels use all 32 bits of a flag register, else only the half that the instruction names: wide
 * instructions, whole_flags from f.0 on, and four channels otherwise: 1N to 8N select eighths of the register (Ivy
 * Bridge manual, vol. 4 part 3, 3.3.3.6 flag register; EU enumerations of Haswell, QtrCtrl). */
static inline bool gen_whole_flag(const struct gen_insn *insn)
{
    return insn->exec_size > 16 || (!insn->flag_sub && (insn->eu->whole_flags || insn->exec_size == 4));
}
/* anyv and allv: each channel uses its bit of f0 and of f1.  Source: DG1's enumeration PredCtrl; Haswell's says
 * f0.0 and f0.1, whose bits are other channels of a wide instruction, and is not followed. */
static inline bool gen_joins_flags(const struct gen_insn *insn)
{
    return !insn->align16 && (insn->pred == 2 || insn->pred == 3);
}
/* The bit of the 32-bit flag register that instruction channel i uses. */
unsigned gen_flag_bit(const struct gen_insn *, unsigned i);
/* Bit i: instruction channel i passes; flags: f0 and f1.  No predicate: all pass.  A reserved code counts as false. */
uint32_t gen_predicate(const struct gen_insn *, const uint32_t flags[2]);

#endif
