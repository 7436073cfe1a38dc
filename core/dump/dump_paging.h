/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_paging.h: how the page tables of captured memory translate an address.  Registers may be in one dump and memory
 * in another; memory is a stream of the kind "memory", at the addresses that the tables count in.
 */
#ifndef GPUDBG_DUMP_PAGING_H
#define GPUDBG_DUMP_PAGING_H

#include "gpudbg.h"

struct dump_memory { /* what is looked into: borrowed */
    struct gpudbg_dump *const *dumps;
    size_t ndumps;
    const struct gpudbg_isa *isa; /* which walks the page tables, */
    const char *family;           /* and whose they are: dump_paging_of */
};

/* The family of a capture whose page tables can be walked, and what walks them; NULL: they are not known. */
const char *dump_paging_of(const struct gpudbg_dump *, uint32_t capture, const struct gpudbg_isa **);

/* isa->dumped->translate on these dumps; false: it has none, or no dump has the registers of that address space. */
bool dump_translate(const struct dump_memory *, unsigned space, uint64_t addr, gpudbg_level_fn *each, void *to,
    struct gpudbg_translation *);
/* An entry's fields that are not 0, as "name meaning, ...". */
void dump_level_text(const struct gpudbg_level *, char *buf, size_t size);

#endif
