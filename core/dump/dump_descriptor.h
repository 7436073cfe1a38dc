/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_descriptor.h: the descriptors that an instruction uses, as the registers of a dump's wave hold them, or tables
 * that commands of a dump set for its program. */
#ifndef GPUDBG_DUMP_DESCRIPTOR_H
#define GPUDBG_DUMP_DESCRIPTOR_H

#include "dump/dump_program.h"
#include "gpudbg.h"

#define DUMP_DESCRIPTOR_BYTES 64

struct dump_descriptor {
    struct gpudbg_dumped_descriptor at;
    const struct gpudbg_view *view; /* NULL: an address */
    bool known;                     /* the dump has all of its registers, or the table's entry */
    uint8_t bytes[DUMP_DESCRIPTOR_BYTES];
    const struct dump_program *program; /* whose table has it, or NULL; `entry` is filled in if it is known */
    struct dump_entry entry;
    char missing[200]; /* why it is not known, of tables; else "" */
};
struct dump_holder {
    const struct gpudbg_dump *d;
    const struct gpudbg_dump_wave *w;
    const struct dump_programs *programs; /* of all dumps that are open */
};

/* The i-th of the instruction; false: it has no i-th that is shown.  A table may be set for a program several times:
 * then it has a next one, `which` from 0 on. */
bool dump_descriptor(
    const struct gpudbg_insn *, unsigned i, size_t which, const struct dump_holder *, struct dump_descriptor *);
/* The same for a program in which no wave stands.  false, too, if the descriptor is in registers. */
bool dump_descriptor_of_program(
    const struct gpudbg_insn *, unsigned i, const struct dump_program *, struct dump_descriptor *);
/* Where it is: "s[4:7]", "entry 3 of BINDING_TABLE"; what it is: "V#", "SURFACE_STATE". */
void dump_descriptor_place(const struct dump_descriptor *, char *buf, size_t size);
void dump_descriptor_kind(const struct dump_descriptor *, char *buf, size_t size);
/* The fields of a word that are not 0, as "name meaning, ...".  of: whose databases name values, or NULL. */
struct text;
void dump_fields_text(struct text *, const struct gpudbg_format *, const struct gpudbg_insn *of, const uint8_t *bytes);
/* Its fields that are not 0, as "name meaning, ...". */
void dump_descriptor_text(const struct dump_descriptor *, char *buf, size_t size);
/* What is wrong with it; false: nothing that is known. */
bool dump_descriptor_bad(const struct gpudbg_isa *, const struct dump_descriptor *, char *buf, size_t size);
/* The memory that it describes; *bytes 0: how much is not known.  false: none. */
bool dump_descriptor_range(const struct gpudbg_isa *, const struct dump_descriptor *, uint64_t *start, uint64_t *bytes);
/* Whether the registers that the instruction takes descriptors from hold at it what they hold for a wave at pc: the
 * code between the two goes straight on and writes none of them. */
bool dump_descriptor_stays(const struct gpudbg_image *, const struct gpudbg_insn *, uint64_t pc);
/* Whether loads of the wave that have not returned may still write scalar registers; also where the dump has no count.
 */
bool dump_scalars_to_come(const struct gpudbg_isa *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *);
/* The value of the field of a wave that the row names; false: the dump does not contain it. */
bool dump_wave_wait(const struct gpudbg_isa *, const struct gpudbg_dump *, const struct gpudbg_dump_wave *,
    const struct gpudbg_dumped_wait *, uint64_t *value);

#endif
