/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_registers.h: the bits of a thread's registers by file and byte, and where an operand's elements are. */
#ifndef GEN_REGISTERS_H
#define GEN_REGISTERS_H

#include "engine/gen_exec.h"

/* Raw bits of an element of a file, 0 outside; writes outside are dropped. */
uint64_t gen_load(const struct gpudbg_wave *, unsigned file, int64_t offset, unsigned size);
void gen_store(struct gpudbg_wave *, unsigned file, int64_t offset, unsigned size, uint64_t bits);
/* Byte offset of a direct or indirect operand's element in its file; the operand is src[n], or n -1 for dst. */
int64_t gen_element(const struct gpudbg_wave *, const struct gen_insn *, int n, unsigned channel);

#endif
