/* SPDX-License-Identifier: GPL-3.0-or-later */
/* footprint.h: the bytes of registers that each channel reads or writes. */
#ifndef GEN_FOOTPRINT_H
#define GEN_FOOTPRINT_H

#include "gen.h"

/* gpudbg_isa.regions.footprints. */
unsigned gen_footprints(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *, unsigned most);
/* The same without text and note. */
unsigned gen_elements(const struct gpudbg_insn *, struct gpudbg_wave *, struct gpudbg_footprint *, unsigned most);

/* Bytes of a register of a file. */
unsigned gen_register_bytes(const struct gen_eu *, unsigned file);
/* The most general registers that a thread can have: how many a kernel was compiled for is not in its code. */
unsigned gen_registers(const struct gen_eu *);
/* Operands of a step of a macro of math are whole registers; they have the number of an mme in place of the byte in a
 * register, in Align16 in place of the components.  Makes plain regions of them; other instructions stay. */
void gen_take_registers(struct gen_insn *);

/* Byte of a direct operand's first element, from the first byte of its file. */
int32_t gen_origin(const struct gen_eu *, const struct gen_operand *);
/* The offset of the element of channel i of a source from the region's origin; indirect with vx: from the address in
 * the row's own address word.  Ivy Bridge counts a double as two elements of 4 bytes, so size is not always that of the
 * type. */
int32_t gen_source_offset(const struct gen_operand *, unsigned i, unsigned size);
unsigned gen_element_size(const struct gen_eu *, const struct gen_operand *);

#endif
