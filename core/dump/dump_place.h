/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_place.h: where the waves of a dump stand in loaded code: by the words around their program counters. */
#ifndef GPUDBG_DUMP_PLACE_H
#define GPUDBG_DUMP_PLACE_H

#include "gpudbg.h"

/* The instruction set by whose names the waves of a capture have their registers: their family's own, or one that knows
 * them (dumped.waves_of); NULL: none.  It may not be able to decode their code. */
const struct gpudbg_isa *dump_waves_isa(const struct gpudbg_dump *, uint32_t capture);
/* The wave's own register of that name, as the dump or the database calls it. */
bool dump_wave_register(
    const struct gpudbg_dump *, const struct gpudbg_dump_wave *, const char *name, struct gpudbg_record *);
/* The record that is dword `dword` of `file` ("pc", "code", ...) to an instruction set, which may be NULL; its value
 * cut to it. */
bool dump_wave_part(const struct gpudbg_isa *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *,
    const char *file, unsigned dword, struct gpudbg_record *);
uint32_t dumped_bits(const struct gpudbg_dumped_register *, uint64_t value);
/* The program counter as the dump tells it; false: it does not. */
bool dump_wave_pc(const struct gpudbg_isa *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *, uint64_t *pc);
/* *shift: what to take from the dump's addresses to get the image's; given: it is known, and only tried.  *good: how
 * many waves' words fit; 0: none tells words, and the addresses are taken as they are.  false: *problem says why there
 * is no one place. */
bool dump_place(const struct gpudbg_image *, const struct gpudbg_dump *, bool given, uint64_t *shift, size_t *good,
    const char **problem);
/* The same for one wave, by its words alone; false: they are nowhere, or in several places. */
bool dump_wave_place(
    const struct gpudbg_image *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *, uint64_t *shift);
/* Whether a wave stands in the image when `shift` is taken from the dump's addresses: its words are there, or, if it
 * tells none, an instruction is. */
bool dump_wave_fits(
    const struct gpudbg_image *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *, uint64_t shift);
/* The same for the loaded code of that family, remembered; the waves of d stand in it. */
bool dump_placed(const struct gpudbg_dump *, const char *family, uint64_t *shift);
/* What is remembered is no longer true: another file is loaded, or more code. */
void dump_place_anew(struct gpudbg_dump *);

#endif
