/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_order.c: the memory model, for `check race`.  Source: AMD IL 2.4, 7.6, fence: nothing but its suffixes orders
 * memory (_memory), LDS (_lds) and waves (_threads). */
#include "il_isa.h"

static void order(const struct gpudbg_insn *insn, struct gpudbg_order *to)
{
    struct il_packet p;
    if (!(insn->op->flags & GPUDBG_OP_ORDER)) return;
    il_unpack(insn->raw, insn->size, &p);
    if (il_control(&p, "lds")) to->done[GPUDBG_LOCAL] = GPUDBG_SCOPE_GROUP;
    if (!il_control(&p, "memory")) return;
    if (!il_control(&p, "mem_read_only")) to->done[GPUDBG_GLOBAL] = GPUDBG_SCOPE_SYSTEM;
    if (!il_control(&p, "mem_write_only")) to->fresh = GPUDBG_SCOPE_SYSTEM;
}

const struct gpudbg_ordering il_ordering = {
    .done = {[GPUDBG_GLOBAL] = GPUDBG_SCOPE_WAVE, [GPUDBG_LOCAL] = GPUDBG_SCOPE_WAVE},
    .fresh = GPUDBG_SCOPE_GROUP,
    .repeats = GPUDBG_SCOPE_GROUP,
    .order = order,
    .release = "fence_memory",
    .acquire = "fence_memory",
};
