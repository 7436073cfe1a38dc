/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registers_table.h: what the reader of .regs files fills; inside core/registers*.c only. */
#ifndef GPUDBG_REGISTERS_TABLE_H
#define GPUDBG_REGISTERS_TABLE_H

#include "word/registers.h"

/* Offsets that a command packet counts registers with: `packet context 0x28000-0x2ffff`. */
struct register_packet {
    const char *name, *isa;
    uint64_t first, last; /* byte addresses */
};

/* The instruction set of that name, which lives as long as `name`; NULL: there are too many. */
const char *registers_add_isa(struct regdb *, const char *name);
/* Adds a copy; what has its name in the same isa is no longer in force.  The strings must live in registers_alloc's
 * memory. */
struct gpudbg_reg *registers_add(struct regdb *, const struct gpudbg_reg *);
struct register_enum *registers_add_enum(struct regdb *, const struct register_enum *);
void registers_add_packet(struct regdb *, const struct register_packet *);
/* One more name for a register in force.  false: too many are called so. */
bool registers_alias(struct regdb *, const char *name, struct gpudbg_reg *);
/* Zeroed memory that lives as long as the databases; NULL: there is too much. */
void *registers_alloc(struct regdb *, size_t size);
const char *registers_string(struct regdb *, const char *text, size_t n);

/* What registers_common has made: found again by its isa and the name that was asked for. */
const struct gpudbg_reg *registers_kept(const struct regdb *, const char *isas, const char *name);
void registers_keep(struct regdb *, const struct gpudbg_reg *, const char *name);

/* The name of all elements of "NA[0-7]ME" together: without the brackets, with single underscores, none at the end; its
 * length. */
size_t registers_array_name(char *to, size_t size, const char *pattern);

/* register_file.c: reads text over what is there; `text` has n bytes and a zero after them, and is kept.  The first
 * line that could not be read goes to *err. */
bool register_text(struct regdb *, const char *path, char *text, size_t n, struct gpudbg_error *);

#endif
