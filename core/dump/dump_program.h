/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_program.h: programs that a dump's commands start, each with the tables of descriptors that are set for it: what
 * is entry N of its binding table.  Commands of one stage (their instruction set says which) set a program and its
 * tables; a draw starts what is set then.  A structure that has both is a program of its own.
 */
#ifndef GPUDBG_DUMP_PROGRAM_H
#define GPUDBG_DUMP_PROGRAM_H

#include "gpudbg.h"

#define PROGRAM_TABLES 2

struct dump_program {
    const struct gpudbg_dump *d;
    uint32_t capture;
    size_t stream, offset;        /* of what starts it */
    const char *command, *name;   /* what points at its code: "3DSTATE_VS", "kernel" */
    uint64_t start;               /* of its code, counted from the base: as its threads count */
    uint64_t addr;                /* ... and as memory has it, if the base is known, else GPUDBG_NO_ADDR */
    uint64_t size;                /* of its code, where the dump holds it to its end, else 0 */
    const struct gpudbg_isa *isa; /* of its code, or NULL */
    const struct gpudbg_isa *commands;
    struct gpudbg_bases bases;
    struct gpudbg_point table[PROGRAM_TABLES]; /* op NULL: no such table is set */
};

struct dump_programs {
    struct dump_program *at;
    size_t n, room;
};

/* Those of a dump's commands, behind those that are there already: each once.  To be ended with programs_end. */
void dump_programs_add(struct dump_programs *, const struct gpudbg_dump *);
void dump_programs_end(struct dump_programs *);
/* The i-th program of that instruction set that a thread at pc runs: the code that begins last before pc and does not
 * end there.  NULL: there are i programs or fewer. */
const struct dump_program *dump_program_at(
    const struct dump_programs *, const struct gpudbg_isa *, uint64_t pc, size_t i);

/* Its code where the dump holds it to its end, `size` bytes of it, which begin at *addr; NULL: it does not. */
const uint8_t *dump_program_code(const struct dump_program *, uint64_t *addr, size_t *size);

struct dump_entry {
    uint64_t addr; /* of the structure; only if it is based */
    const struct gpudbg_format *const *words;
    const char *structure;
    uint8_t bytes[64];
    size_t size;
};
/* What entry `entry` of the table (its structure's name) is; false: why says what is missing. */
bool dump_program_entry(
    const struct dump_program *, const char *table, unsigned entry, struct dump_entry *, char *why, size_t why_size);

#endif
