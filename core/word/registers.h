/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * registers.h: the databases of registers and enumerations, text files that only name things.
 *
 *     isa one two                           what follows belongs to these, until the next such line
 *     space mmio                            mmio, sq (indirect), arf, word
 *     source manual and chapter
 *     block CB                              heading in the tree of registers
 *
 *     CB_COLOR[0-7]_INFO 0x28c70+0x3c R/W  how a colour target is laid out       an array, 0x3c bytes apart
 *       alias CB_INFO[0-7]
 *       note  what sources disagree about
 *       6:2  FORMAT =0 {COLOR_FORMAT}  components of a pixel                    default 0, names from an enumeration
 *       7:7  LINEAR_GENERAL            rows follow each other without tiles
 *         0 TILED  1 LINEAR                                                     or names of its own
 *       31:12 "Fault Address" :address<<12  page that could not be read         kinds: number signed flag float
 *                                                                                address bits busy done reserved opcode
 *     isa one two three                     columns: a register, or a field, that is not the same in all of them
 *     STATUS 0x8010 . 0x8014 R              an address for each; "." there is none, "-" it is not known
 *       3:0 . 4:1 FIFO                      bits for each; "." it has no such field
 *
 *     enum SFID 4                           its width in bits
 *       2 SFID_SAMPLER * ?Cond              `*` the default, `?` when it has this name; 3-7 ranges; "names with blanks"
 *
 * Kinds that show a word for one bit: busy (1 is busy, 0 idle) and done (1 is idle, 0 busy).  A name may stand for a
 * range of values wherever values are named.
 *
 * # begins a comment.  A later definition of a name takes the place of an earlier one, so a user's own files, which are
 * read last, add and override.  A line that cannot be read is left out and named once, with its file and number.
 */
#ifndef GPUDBG_REGISTERS_H
#define GPUDBG_REGISTERS_H

#include "gpudbg.h"
#include "base/folders.h"
#include "word/registry.h"

/* More about a value of an enumeration than a word needs. */
struct register_value {
    const char *condition; /* "AccessMode==Align1": when it has this name; NULL: always */
    bool initial;          /* the default */
};

struct register_enum {
    struct gpudbg_enum names;
    const char *isa;
    unsigned bits;                     /* 0: not said */
    const struct register_value *more; /* one a value */
    struct register_enum *before;      /* the next older one in a chain of names */
};

/* Databases of the .regs files of these folders (copied), in the order of their names; the registry (borrowed) knows
 * other names of instruction sets.  Files are read when the databases are first asked for something. */
struct regdb *regdb_open(const struct folders *, const struct registry *);
void regdb_close(struct regdb *);
/* Reads them now, if they were not. */
void regdb_read(struct regdb *);
/* Reads one more file over what is there.  false: the first line that could not be read; the rest is taken all the
 * same. */
bool registers_load(struct regdb *, const char *path, struct gpudbg_error *);
/* What could not be read since the last call, one line a file; false: no more.  What else stands in
 * the file is used all the same. */
bool registers_problem(struct regdb *, struct gpudbg_error *);
/* The name of an instruction set as the databases spell it, from any of its names; NULL with an error. */
const char *registers_isa(struct regdb *, const char *name, struct gpudbg_error *);

/* Every register and enumeration in force, in the order of the files; NULL past the end. */
bool registers_any(struct regdb *, const char *isa); /* whether there are registers of it; NULL: no */
const struct gpudbg_reg *registers_each(struct regdb *, size_t i);
const struct register_enum *registers_enum(struct regdb *, size_t i);
/* The enumeration of that name; isa NULL: of any. */
const struct register_enum *registers_find_enum(struct regdb *, const char *isa, const char *name);
/* What a text stands for, one register after another: a name (one an isa; all subregisters of "cr0") or an address as
 * users write one: byte address, dword index, "ix:0x12", offset of a PM4 packet ("context:0x290", "sh:", "config:",
 * "uconfig:"). */
struct register_search {
    const char *isa, *text; /* isa NULL: of any */
    /* registers_next's own, zero at the start: the way that found something, and where it goes on. */
    unsigned way;
    bool found;
    size_t next;
    const void *name;
};

/* The next one; NULL: no more.  All of them cost one pass over the databases. */
const struct gpudbg_reg *registers_next(struct regdb *, struct register_search *);
/* Of "A, B or C": the register of that name with the fields that are the same in all of them, which all know; NULL: one
 * of them does not have it.  What is left out is in `note`. */
const struct gpudbg_reg *registers_common(struct regdb *, const char *isas, const char *name);
/* The field of that name, any case; NULL: none. */
const struct gpudbg_field *register_field(const struct gpudbg_reg *, const char *name);
/* Whether the value differs from what a reset leaves, as far as that is known. */
bool register_differs(const struct gpudbg_reg *, uint64_t value);

#endif
