/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_order.c: the memory model, for `check race`.
 *
 * Source: Ivy Bridge manual, volume 4 part 1, memory fence message; Intel's compiler, which makes an atomic load of an
 * atomic or with 0, an atomic store of an exchange, a release of a fence before it and an acquire of a fence after it,
 * and puts a fence of the memory that it names before a barrier.  From Gen9 on a fence whose surface is 254 is for
 * local memory alone; before, one fence is for both.  Up to Gen9 it puts none for local memory (facts.def).
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

/* The memory model, with the scope in which local memory is in order, and the function that chooses one by the chip. */
#define MODEL(local, chooser)                                                                               \
    {                                                                                                       \
        .done = {[GPUDBG_GLOBAL] = GPUDBG_SCOPE_WAVE, [GPUDBG_LOCAL] = local}, .fresh = GPUDBG_SCOPE_GROUP, \
        .repeats = GPUDBG_SCOPE_SYSTEM, /* groups have no cache of their own in front of memory */          \
            .order = order, .release = "memory fence", .acquire = "memory fence", .of = chooser,            \
    }

static const struct gpudbg_ordering in_order = MODEL(GPUDBG_SCOPE_GROUP, NULL);

static const struct gpudbg_ordering *model_of(const struct gpudbg_machine *m)
{
    return gen_eu_of(m->isa)->local_in_order ? &in_order : &gen_ordering;
}

const struct gpudbg_ordering gen_ordering = MODEL(GPUDBG_SCOPE_WAVE, model_of);
