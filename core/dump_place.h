/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_place.h: where the waves of a dump stand in loaded code: by the words around their program counters. */
#ifndef GPUDBG_DUMP_PLACE_H
#define GPUDBG_DUMP_PLACE_H

#include "gpudbg.h"

bool dump_wave_register(const struct gpudbg_dump *, const struct gpudbg_dump_wave *, const char *name, uint64_t *value);
/* The program counter as the dump tells it; false: it does not. */
bool dump_wave_pc(const struct gpudbg_dump *, const struct gpudbg_dump_wave *, uint64_t *pc);
/* *shift: what to take from the dump's addresses to get the image's; given: it is known, and only tried.  *good: how many waves'
 * words fit.  false: *problem says why there is no one place. */
bool dump_place(const struct gpudbg_image *, const struct gpudbg_dump *, bool given, uint64_t *shift, size_t *good, const char **problem);
/* The same for the loaded code of that family, remembered; the waves of d stand in it. */
bool dump_placed(struct gpudbg *, const struct gpudbg_dump *, const char *family, uint64_t *shift);

#endif
