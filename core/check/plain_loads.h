/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain_loads.h: follows a value that a plain load took from memory which others update atomically.
 *
 * A loop around an atomic compare and exchange begins with such a load.  That is no race as long as the program takes
 * nothing from the value but what to compare with and what to exchange for it: the atomic finds out whether it still
 * stands there, and where the program then compares, it knows, too.  So a report about such a load waits, until the
 * value leaves in another way (it is stored somewhere, is an address, or another atomic's operand) or the wave ends
 * without having asked; and it is dropped where the atomic's answer was compared with the value.
 *
 * Values are followed by lane through registers, and through the lane's own memory, from the load on.  All of its
 * functions take NULL: nothing is followed, because no atomic of the program compares.
 */
#ifndef GPUDBG_PLAIN_LOADS_H
#define GPUDBG_PLAIN_LOADS_H

#include "check/check.h"

struct plain_loads;

struct plain_loads *plain_loads_new(struct gpudbg_machine *, struct gpudbg_checks *);
void plain_loads_free(struct plain_loads *); /* or NULL */

/* Before an instruction of the wave; insn: its number, of all that were executed. */
void plain_loads_before(struct plain_loads *, struct gpudbg_wave *, const struct gpudbg_insn *, uint32_t insn);
/* An access of that instruction, and how many barriers the wave has arrived at.  shared: to memory that others see. */
void plain_loads_access(
    struct plain_loads *, struct gpudbg_wave *, const struct gpudbg_access *, uint32_t barriers, bool shared);

/* A load that takes part in what looks like a race. */
struct plain_load {
    uint32_t wave, insn, barriers;
    uint64_t addr, size;
    bool earlier; /* loads of the same bytes before it, since the last barrier, count as well */
};
/* Lets the report wait, or drops it; false: there is no reason to.  Texts are copied. */
bool plain_loads_wait(struct plain_loads *, const struct plain_load *, const struct gpudbg_report *);
/* Whether a report about this load of the wave would not wait. */
bool plain_loads_used(const struct plain_loads *, uint32_t wave, uint32_t insn);

#endif
