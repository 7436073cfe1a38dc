/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_isa.h: what the descriptors of il_isa.c are made of, beside decoding and text. */
#ifndef IL_ISA_H
#define IL_ISA_H

#include "amdil.h"

void il_faults(const struct gpudbg_image *, bool (*each)(void *to, const struct gpudbg_report *), void *to);

extern const struct gpudbg_command il_assemble_command;
extern const struct gpudbg_listing il_declarations;
extern const struct gpudbg_listing il_resources;

#endif
