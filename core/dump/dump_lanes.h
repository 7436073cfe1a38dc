/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_lanes.h: the instruction set of code in a dump, where waves of one chip come in two sizes and each has its own
 * (dumped.lanes).  What the dump says of the wave, or of the program that a command starts, comes first; then the
 * instruction set that the user named, or that of the loaded code; else the usual size is assumed.
 */
#ifndef GPUDBG_DUMP_LANES_H
#define GPUDBG_DUMP_LANES_H

#include "gpudbg.h"

/* How many lanes a wave has; how: what says so, "SQ_WAVE_IB_STS2.WAVE64 is 1".  0: the dump does not say it. */
unsigned dump_wave_lanes(
    const struct gpudbg_isa *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *, char *how, size_t size);
/* Whether the wave may run code of the instruction set: it has as many lanes, or the dump does not say. */
bool dump_wave_suits(const struct gpudbg_isa *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *);
/* The instruction set of a wave's code; NULL: there is none for its family.  *assumed: nothing says how many lanes the
 * wave has. */
const struct gpudbg_isa *dump_wave_isa(const struct gpudbg_dump *, const struct gpudbg_dump_wave *, bool *assumed);
/* The same of a stream; of streams that are no code, dump_stream_isa. */
const struct gpudbg_isa *dump_code_isa(const struct gpudbg_dump *, const struct gpudbg_stream *, bool *assumed);
/* The same chip's instruction set for waves of so many lanes; NULL: there is none. */
const struct gpudbg_isa *dump_isa_of_lanes(const struct gpudbg_isa *, unsigned lanes);
/* Whether `restore` would find the waves of the first dump that has any in the loaded code, by their words. */
bool dump_waves_fit(struct gpudbg_dump *const *, size_t n);

#endif
