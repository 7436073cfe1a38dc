/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spins.h: loops that wait for another wave, and loads of what is only tested. */
#ifndef GPUDBG_SPINS_H
#define GPUDBG_SPINS_H

#include "gpudbg.h"

/* Whether the load at pc is in a loop that does nothing but wait for it: some way leads from it back to it on which
 * nothing is stored to memory that others see, no barrier is met, and its address stays the same.  A compiler makes
 * that only of a load that other waves' stores may change: atomic, or volatile.
 * shares(with, pc): whether the instruction there has stored to memory that others see; asked of stores whose kind of
 * memory the code does not show. */
bool spins(const struct gpudbg_image *, uint64_t pc, bool (*shares)(void *with, uint64_t pc), void *with);

/* Whether all that the code does with what the load at pc gives is to compare it: no lane's register gets anything of
 * it, and no address.  A program that goes on either way may load a flag so.  *lanes: the load writes a register of
 * lanes. */
bool only_tested(const struct gpudbg_image *, uint64_t pc, bool *lanes);

#endif
