/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_order.c: the memory model, for `check race`.
 *
 * Source: Ivy Bridge manual, volume 4 part 1, memory fence message; Intel's compiler, which makes an atomic load of an
 * atomic or with 0, an atomic store of an exchange, a release of a fence before it and an acquire of a fence after it,
 * and puts a fence of the memory that it names before a barrier.  From Gen9 on a fence whose surface is 254 is for
 * local memory alone; before, one fence is for both.
 */
#include "code/gen_decoder.h"
#include "code/message.h"

static void order(const struct gpudbg_insn *insn, struct gpudbg_order *to)
{
    struct gen_insn x;
    if (!(insn->does & GPUDBG_OP_ORDER)) return;
    gen_unpack(insn, &x);
    const bool surfaces = x.eu->local_fence, local = surfaces && gen_is_local_message(&x);
    if (!surfaces || local) to->done[GPUDBG_LOCAL] = GPUDBG_SCOPE_GROUP;
    if (local) return;
    to->done[GPUDBG_GLOBAL] = GPUDBG_SCOPE_SYSTEM;
    to->fresh = GPUDBG_SCOPE_SYSTEM;
}

const struct gpudbg_ordering gen_ordering = {
    .done = {[GPUDBG_GLOBAL] = GPUDBG_SCOPE_WAVE, [GPUDBG_LOCAL] = GPUDBG_SCOPE_WAVE},
    .fresh = GPUDBG_SCOPE_GROUP,
    .repeats = GPUDBG_SCOPE_SYSTEM, /* groups have no cache of their own in front of memory */
    .order = order,
    .release = "memory fence",
    .acquire = "memory fence",
};
