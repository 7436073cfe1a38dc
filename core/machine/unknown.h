/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unknown.h: registers whose contents nobody knows.  The waves of a dump have some registers and lack others; those are
 * never taken as zero.  A mask a register, a bit a lane, stands behind the runner's own words of a wave, so it travels
 * through time with them.  An instruction that reads what is unknown stops before it is executed, with the register's
 * name; one that writes a register makes it known in the lanes it writes; so does `set`.  The program counter is behind
 * the last file.
 */
#ifndef GPUDBG_UNKNOWN_H
#define GPUDBG_UNKNOWN_H

#include "gpudbg.h"

void unknown_open(struct gpudbg_machine *); /* after runner->launch: makes room for the bits */
void unknown_close(struct gpudbg_machine *);
bool unknown_any(const struct gpudbg_machine *);                                   /* this machine has such registers */
void unknown_start(struct gpudbg_wave *);                                          /* all are unknown */
uint64_t unknown_lanes(const struct gpudbg_wave *, unsigned file, unsigned index); /* bit 0 where there are no lanes */
bool unknown_is(const struct gpudbg_wave *, unsigned file, unsigned index);        /* in any lane */
void unknown_learn(struct gpudbg_wave *, unsigned file, unsigned index, uint64_t lanes);
bool unknown_mask(const struct gpudbg_wave *); /* nobody knows which lanes run */
/* The first unknown register that the instruction at the wave's pc needs, named in buf. */
bool unknown_needed(struct gpudbg_wave *, char *buf, size_t size);
/* The instruction has been executed. */
void unknown_executed(struct gpudbg_wave *, const struct gpudbg_insn *, uint64_t active);
/* The instruction at the wave's pc, as the wave stands.  false: there is none, or it will be passed over. */
bool unknown_decode(struct gpudbg_wave *, struct gpudbg_insn *);

#endif
