/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_descriptor.h: the descriptors that an instruction uses, as the registers of a dump's wave hold them. */
#ifndef GPUDBG_DUMP_DESCRIPTOR_H
#define GPUDBG_DUMP_DESCRIPTOR_H

#include "gpudbg.h"

#define DUMP_DESCRIPTOR_BYTES 64

struct dump_descriptor {
    struct gpudbg_dumped_descriptor at;
    const struct gpudbg_view *view; /* NULL: an address */
    bool known;                     /* the dump has all of its registers */
    uint8_t bytes[DUMP_DESCRIPTOR_BYTES];
};

/* The i-th of the instruction; false: it has no i-th that is shown. */
bool dump_descriptor(const struct gpudbg_insn *, unsigned i, const struct gpudbg_dump_wave *, struct dump_descriptor *);
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
