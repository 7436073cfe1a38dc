/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_across.c: vector instructions that reach across lanes, or choose their registers at run time. */
#include "alu/gcn_across.h"
#include "gcn.h"

/* A lane's value of a source: from a VGPR, or the scalar itself. */
static uint32_t lane_of(const struct gpudbg_wave *w, unsigned code, unsigned lane)
{
    return code >= GCN_CODE_VGPR ? gcn_v(w, code - GCN_CODE_VGPR)[lane] : gcn_s(w)[code];
}

const struct gcn_op *gcn_readlane(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    s[GCN_LITERAL] = op->imm;
    if (op->b >= GCN_CODE_VGPR) return GCN_FAULT(w, op, -1, "the lane select of v_readlane_b32 must be a scalar");
    s[op->d] = lane_of(w, op->a, s[op->b] & (w->machine->isa->lanes - 1u));
    return gcn_next(op);
}

const struct gcn_op *gcn_readfirstlane(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    uint64_t exec = gcn_active(w);
    s[GCN_LITERAL] = op->imm;
    s[op->d] = lane_of(w, op->a, exec ? (unsigned)__builtin_ctzll(exec) : 0);
    return gcn_next(op);
}

const struct gcn_op *gcn_writelane(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    s[GCN_LITERAL] = op->imm;
    if (op->a >= GCN_CODE_VGPR || op->b >= GCN_CODE_VGPR)
        return GCN_FAULT(w, op, -1, "the sources of v_writelane_b32 must be scalars");
    gcn_v(w, op->d - GCN_CODE_VGPR)[s[op->b] & (w->machine->isa->lanes - 1u)] = s[op->a];
    return gcn_next(op);
}

/* Moves a row; numbers are added to those of the source (a VGPR then) and of the destination. */
static const struct gcn_op *move_relative(
    struct gpudbg_wave *w, const struct gcn_op *op, bool from, uint64_t more_a, uint64_t more_d, bool swap)
{
    uint32_t *s = gcn_s(w);
    const uint64_t exec = gcn_active(w);
    uint64_t a = op->a, d = op->d - GCN_CODE_VGPR + more_d;
    s[GCN_LITERAL] = op->imm;
    if (from) {
        a = (a >= GCN_CODE_VGPR ? a - GCN_CODE_VGPR : UINT32_MAX) + more_a;
        if (!gcn_has_v(w, a, 1))
            return GCN_FAULT(w, op, -1, "source register plus m0 (%u) is not a VGPR of this launch", s[GCN_M0]);
        a += GCN_CODE_VGPR;
    }
    if (!gcn_has_v(w, d, 1))
        return GCN_FAULT(w, op, -1, "destination register plus m0 (%u) is not a VGPR of this launch", s[GCN_M0]);
    uint32_t *row = gcn_v(w, (unsigned)d);
    for (unsigned l = 0; l < 64; l++) {
        if (!(exec >> l & 1)) continue;
        const uint32_t old = row[l];
        row[l] = lane_of(w, (unsigned)a, l);
        if (swap) gcn_v(w, (unsigned)a - GCN_CODE_VGPR)[l] = old;
    }
    return gcn_next(op);
}

const struct gcn_op *gcn_movreld(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return move_relative(w, op, false, 0, gcn_s(w)[GCN_M0], false);
}

const struct gcn_op *gcn_movrels(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return move_relative(w, op, true, gcn_s(w)[GCN_M0], 0, false);
}

const struct gcn_op *gcn_movrelsd(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return move_relative(w, op, true, gcn_s(w)[GCN_M0], gcn_s(w)[GCN_M0], false);
}

/* M0 has two numbers of ten bits. */
const struct gcn_op *gcn_movrelsd_2(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t m0 = gcn_s(w)[GCN_M0];
    return move_relative(w, op, true, m0 & 0x3ff, m0 >> 16 & 0x3ff, false);
}

const struct gcn_op *gcn_swaprel(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t m0 = gcn_s(w)[GCN_M0];
    return move_relative(w, op, true, m0 & 0x3ff, m0 >> 16 & 0x3ff, true);
}

const struct gcn_op *gcn_swap(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return move_relative(w, op, true, 0, 0, true);
}

/* Each lane reads the lane of a row of 16 that four bits of two scalars name: of its own row, or of the other one of
 * its pair.  A lane that EXEC turns off is read with fi, else 0 is with bound_ctrl, else nothing is written. */
static const struct gcn_op *permute(struct gpudbg_wave *w, const struct gcn_op *op, unsigned other)
{
    uint32_t *s = gcn_s(w), *d = gcn_v(w, op->d - GCN_CODE_VGPR), from[64];
    const uint64_t exec = gcn_active(w);
    const bool fi = op->mods & GCN_PERMLANE_FI, zero = op->mods & GCN_PERMLANE_BOUND_CTRL;
    s[GCN_LITERAL] = op->imm;
    if (op->b >= GCN_CODE_VGPR || op->c >= GCN_CODE_VGPR)
        return GCN_FAULT(w, op, -1, "the lanes of v_permlane16_b32 must be scalars");
    for (unsigned l = 0; l < 64; l++) from[l] = lane_of(w, op->a, l);
    for (unsigned l = 0; l < 64; l++) {
        const unsigned lane = ((l & ~15u) ^ other) | (s[l & 8 ? op->c : op->b] >> (4 * (l & 7)) & 15);
        const bool there = fi || exec >> lane & 1;
        if (exec >> l & 1 && (there || zero)) d[l] = there ? from[lane] : 0;
    }
    return gcn_next(op);
}

const struct gcn_op *gcn_permlane16(struct gpudbg_wave *w, const struct gcn_op *op) { return permute(w, op, 0); }

const struct gcn_op *gcn_permlanex16(struct gpudbg_wave *w, const struct gcn_op *op) { return permute(w, op, 16); }

const struct gcn_op *gcn_clrexcp(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_s(w)[GCN_TRAPSTS] &= ~0x1ffu;
    return gcn_next(op);
}
