/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_isa.h: parts of the descriptors in il_isa.c other than decoding and text. */
#ifndef IL_ISA_H
#define IL_ISA_H

#include "il.h"

void il_faults(const struct gpudbg_image *, bool (*each)(void *to, const struct gpudbg_report *), void *to);

bool il_assemble_file(const char *text, size_t size, uint8_t **bytes, size_t *n, struct gpudbg_error *);
int il_assemble_insn(struct gpudbg_reading *, uint8_t *bytes, size_t room);
extern const struct gpudbg_ordering il_ordering; /* check/il_order.c */
extern const struct gpudbg_listing il_declarations;
extern const struct gpudbg_listing il_resources;

#endif
