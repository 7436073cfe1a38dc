/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_order.c: the memory models of chips, for `check race`.
 *
 * Source: LLVM, "User Guide for AMDGPU Backend", memory model of gfx6 to gfx9.  The waves of a group run on one compute
 * unit and share its vector L1 cache, which takes their accesses in order; so does the LDS.  Nothing else is needed
 * inside a group.  Other groups may run on other compute units: they see a store when vmcnt shows that it has reached
 * the L2 cache, and may load old bytes from their own L1 cache until buffer_wbinvl1 drops these.  A load with the bit
 * glc passes by the L1 cache: LLVM makes atomic loads so, and atomics that leave memory as it was.
 */
#include "code/gcn_decoder.h"
#include "gcn.h"
#include "gcn_ops.h"

static bool glc(const struct gpudbg_insn *insn)
{
    const uint32_t word = le_u32(insn->raw);
    switch (insn->variant) {
    case GCN_FLAT: return GET(word, FLAT, glc);
    case GCN_MUBUF: return GET(word, MUBUF, glc);
    case GCN_MTBUF: return GET(word, MTBUF, glc);
    case GCN_MIMG: return GET(word, MIMG, glc);
    default: return false;
    }
}

static void order(const struct gpudbg_insn *insn, struct gpudbg_order *to)
{
    if (insn->op->id == GCN_s_waitcnt && !GET(le_u16(insn->raw), SOPP_WAITCNT, vmcnt))
        to->done[GPUDBG_GLOBAL] = GPUDBG_SCOPE_SYSTEM;
    if (insn->op->flags & GPUDBG_OP_ORDER) to->fresh = GPUDBG_SCOPE_SYSTEM;
    to->coherent = insn->op->flags & GPUDBG_OP_LOAD && glc(insn);
}

const struct gpudbg_ordering gcn_one_l1 = {
    .done = {[GPUDBG_GLOBAL] = GPUDBG_SCOPE_GROUP, [GPUDBG_LOCAL] = GPUDBG_SCOPE_GROUP},
    .fresh = GPUDBG_SCOPE_GROUP,
    .repeats = GPUDBG_SCOPE_GROUP,
    .order = order,
    .release = "s_waitcnt vmcnt(0)",
    .acquire = "buffer_wbinvl1",
};
