/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operand_value.h: what an instruction reads and writes in the selected lane, as expressions to ask about. */
#ifndef UI_OPERAND_VALUE_H
#define UI_OPERAND_VALUE_H

#include "inside.h"

/* The n-th register of the instruction's text, from 1; 0: the first that is read. */
bool operand_value(
    struct gpudbg *, const struct gpudbg_insn *, unsigned n, char *buf, size_t size, struct gpudbg_error *);
/* The one that a field is about; where it is about none, the first that is read. */
bool operand_of_field(struct gpudbg *, const struct gpudbg_insn *, const char *field, const char *meaning, char *buf,
    size_t size, struct gpudbg_error *);
/* The footprint of that index, as the instruction set gives them (gpudbg_isa.regions). */
bool operand_of_region(
    struct gpudbg *, const struct gpudbg_insn *, unsigned index, char *buf, size_t size, struct gpudbg_error *);
/* A register: of one with lanes, and of a mask, the selected lane. */
void register_value(struct gpudbg *, unsigned file, unsigned reg, unsigned count, char *buf, size_t size);

#endif
