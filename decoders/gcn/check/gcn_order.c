/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_order.c: the memory models of chips, for `check race`.
 *
 * Source: LLVM, "User Guide for AMDGPU Backend", memory model of gfx6 to gfx9, and of gfx10.
 *
 * Before RDNA the waves of a group run on one compute
 * unit and share its vector L1 cache, which takes their accesses in order; so does the LDS.  Nothing else is needed
 * inside a group.  Other groups may run on other compute units: they see a store when vmcnt shows that it has reached
 * the L2 cache, and may load old bytes from their own L1 cache until buffer_wbinvl1 drops these.  A load with the bit
 * glc passes by the L1 cache: LLVM makes atomic loads so, and atomics that leave memory as it was.
 *
 * On RDNA each compute unit has a vector L0 cache, which takes the accesses of its waves in order, and many share an L1
 * cache.  Stores pass through both to the L2 cache; vmcnt counts loads, vscnt stores.  In CU mode a group runs on one
 * compute unit; in WGP mode on two, so that its waves must wait for stores before a barrier or flag, and drop the lines
 * of L0 after it (buffer_gl0_inv).  Other groups may have other L1 caches (buffer_gl1_inv).  A load with glc passes by
 * L0, one with dlc, too, by L1.  Bare code does not say which mode it runs in: CU mode is assumed.
 */
#include "code/gcn_decoder.h"
#include "gcn.h"
#include "gcn_ops.h"

static void order(const struct gpudbg_insn *insn, struct gpudbg_order *to)
{
    if (insn->op->id == GCN_s_waitcnt && !GET(le_u16(insn->raw), SOPP_WAITCNT, vmcnt))
        to->done[GPUDBG_GLOBAL] = GPUDBG_SCOPE_SYSTEM;
    if (insn->op->flags & GPUDBG_OP_ORDER) to->fresh = GPUDBG_SCOPE_SYSTEM;
    if (insn->op->flags & GPUDBG_OP_LOAD && gcn_has_glc(insn)) to->coherent = GPUDBG_SCOPE_SYSTEM;
}

const struct gpudbg_ordering gcn_one_l1 = {
    .done = {[GPUDBG_GLOBAL] = GPUDBG_SCOPE_GROUP, [GPUDBG_LOCAL] = GPUDBG_SCOPE_GROUP},
    .fresh = GPUDBG_SCOPE_GROUP,
    .repeats = GPUDBG_SCOPE_GROUP,
    .order = order,
    .release = "s_waitcnt vmcnt(0)",
    .acquire = "buffer_wbinvl1",
};

/* ---- RDNA ---- */

static void wait_for_all(struct gpudbg_order *to, unsigned of)
{
    to->done[GPUDBG_GLOBAL] = GPUDBG_SCOPE_SYSTEM;
    to->of = (uint8_t)of;
}

/* Waits for one counter, whose register is added: only null is known to be 0. */
static bool waits_for_none_left(const struct gpudbg_insn *insn)
{
    const struct gpudbg_operand *o = gcn_operand(insn, GCN_IN_SDST);
    return !le_u16(insn->raw) && (!o || o->kind != GPUDBG_REGISTER);
}

/* How an access is counted, and who sees what it loads. */
static void newer_access(const struct gpudbg_insn *insn, struct gpudbg_order *to)
{
    const uint64_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE, does = insn->op->flags & both;
    const enum gcn_access at = gcn_access_of(insn);
    if (!does || at == GCN_NO_ACCESS || at == GCN_CONSTANTS || at == GCN_LOCALS || at == GCN_EXPORTS) return;
    const bool returns = does == GPUDBG_OP_LOAD || (does == both && gcn_has_glc(insn));
    to->counted = returns ? GPUDBG_COUNTED_LOADS : GPUDBG_COUNTED_STORES;
    if (does == GPUDBG_OP_LOAD && gcn_has_glc(insn))
        to->coherent = gcn_has_dlc(insn) ? GPUDBG_SCOPE_SYSTEM : GPUDBG_SCOPE_GROUP;
}

static void newer_order(const struct gpudbg_insn *insn, struct gpudbg_order *to)
{
    switch (insn->op->id) {
    case GCN_s_waitcnt_6:
        if (!gcn_counters_of(gcn_chip_of(insn->isa), le_u16(insn->raw)).vm) wait_for_all(to, GPUDBG_COUNTED_LOADS);
        break;
    case GCN_s_waitcnt_vmcnt:
        if (waits_for_none_left(insn)) wait_for_all(to, GPUDBG_COUNTED_LOADS);
        break;
    case GCN_s_waitcnt_vscnt:
        if (waits_for_none_left(insn)) wait_for_all(to, GPUDBG_COUNTED_STORES);
        break;
    case GCN_s_wait_idle: wait_for_all(to, GPUDBG_COUNTED_NOT); break;
    case GCN_buffer_gl0_inv: to->fresh = GPUDBG_SCOPE_GROUP; break;
    case GCN_buffer_gl1_inv:
        to->fresh = GPUDBG_SCOPE_SYSTEM;
        to->outer = true;
        break;
    default: newer_access(insn, to); break;
    }
}

#define NEWER                                                                            \
    .order = newer_order, .release = "s_waitcnt vmcnt(0) and s_waitcnt_vscnt null, 0x0", \
    .acquire = "buffer_gl0_inv and buffer_gl1_inv"

/* The waves of a group may run on both compute units of a pair, each with a vector L0 cache. */
static const struct gpudbg_ordering of_pairs = {
    .done = {[GPUDBG_GLOBAL] = GPUDBG_SCOPE_WAVE, [GPUDBG_LOCAL] = GPUDBG_SCOPE_GROUP},
    .fresh = GPUDBG_SCOPE_WAVE,
    .repeats = GPUDBG_SCOPE_WAVE,
    .near_acquire = "buffer_gl0_inv",
    NEWER,
};

static const struct gpudbg_ordering *model_of(const struct gpudbg_machine *m)
{
    const struct gpudbg_launch *launch = m->launch;
    uint32_t pairs = 0;
    const bool said = launch && launch->kernel && gpudbg_kernel_number(launch->kernel, "wgp_mode", &pairs);
    return said && pairs ? &of_pairs : &gcn_two_caches;
}

const struct gpudbg_ordering gcn_two_caches = {
    .done = {[GPUDBG_GLOBAL] = GPUDBG_SCOPE_GROUP, [GPUDBG_LOCAL] = GPUDBG_SCOPE_GROUP},
    .fresh = GPUDBG_SCOPE_GROUP,
    .repeats = GPUDBG_SCOPE_GROUP,
    .of = model_of,
    NEWER,
};
