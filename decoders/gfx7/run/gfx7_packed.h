/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfx7_packed.h: halves of dwords, which the later console's chip computes with: HALF, PACKED and MIX of ops.def. */
#ifndef GFX7_PACKED_H
#define GFX7_PACKED_H

#include "gfx7.h"
#include "run/gfx7_exec.h"

/* The handler of all such rows. */
gfx7_fn gfx7_packed;
/* Fills op->mods and op->rows for it; registers and the literal are the caller's. */
void gfx7_packed_op(const struct gpudbg_insn *, struct gfx7_op *);
/* Why an instruction of the later chip is not executed, in words, though its row is; NULL: it is. */
const char *gfx7_pro_refuses(const struct gpudbg_insn *);

#endif
