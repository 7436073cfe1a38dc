/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pressure.h: how many registers are alive at each instruction. */
#ifndef GPUDBG_PRESSURE_H
#define GPUDBG_PRESSURE_H

#include "flow/live.h"

/* Registers before the instruction, or those behind it and those that it writes, whichever are more. */
struct pressure_at {
    uint16_t vector, scalar; /* that are surely read later */
    uint16_t maybe;          /* others, that may be */
};

/* Of each instruction by its number; to be freed.  Those that cannot be reached have 0. */
struct pressure_at *pressure_new(const struct live *);

enum pressure_kind { PRESSURE_OTHER, PRESSURE_VECTOR, PRESSURE_SCALAR };
/* Vector registers have a value for each lane, or are where regions are; other numbered registers are scalar. */
enum pressure_kind pressure_kind_of(const struct gpudbg_isa *, unsigned file);

#endif
