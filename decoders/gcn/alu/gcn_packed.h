/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_packed.h: the later console's chip's operations on halves of dwords: HALF, PACKED and MIX of ops.def. */
#ifndef GCN_PACKED_H
#define GCN_PACKED_H

#include "gcn.h"
#include "engine/gcn_exec.h"

/* The handler of all such rows. */
gcn_fn gcn_packed;
/* Fills op->mods and op->rows for it; registers and the literal are the caller's. */
void gcn_packed_op(const struct gpudbg_insn *, struct gcn_op *);
/* The reason, in words, why this instruction of the later chip is not executed although its row is; NULL: it is
 * executed. */
const char *gcn_packed_refuses(const struct gpudbg_insn *);

#endif
