/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interp.c: VINTRP: parameters of a primitive, weighted by the place of a pixel in it.
 *
 * The manual says that parameters are in LDS before the wave starts, but not their layout.  Here: M0[15:0] is the byte
 * where they start; M0[30:16] is a bit for each of quads 1 to 15: it begins a new primitive.  Attribute a of primitive
 * p, of n in the wave, is 12 floats at 48 * (a * n + p): P0, P10, P20, each x y z w.  A launch may give them separately
 * (params=), else they are read from LDS.
 */
#include "code/bits.h"
#include "engine/setup.h"
#include "engine/gcn_exec.h"
#include "alu/gcn_lanes_simd.h"
#include "alu/vector.h"
#include "gcn_ops.h"

#include <fenv.h>

enum { P0, P10, P20 };

/* One of the three values of the attribute, for every lane of EXEC. */
static bool parameter(struct gpudbg_wave *w, const struct gcn_op *op, unsigned which, uint32_t row[64])
{
    const struct gcn_setup *setup = gcn_of(w)->setup;
    uint32_t m0 = gcn_s(w)[GCN_M0], starts = m0 >> 16 & 0x7fff, n = 1 + (uint32_t)__builtin_popcount(starts);
    uint32_t attribute = GET(op->imm, VINTRP, attr), channel = GET(op->imm, VINTRP, attrchan);
    gcn_sync(w, op);
    if (!setup->params && !w->lds) {
        (void)GCN_FAULT(
            w, op, -1, "the launch has no parameters to interpolate: add params=hex:... or params=@FILE, or lds=BYTES");
        return false;
    }
    for (unsigned lane = 0; lane < 64; lane++) {
        unsigned quad = lane / 4;
        uint32_t primitive = (uint32_t)__builtin_popcount(starts & ((1u << quad) - 1));
        uint64_t at = (m0 & 0xffff) + 48 * (uint64_t)(attribute * n + primitive) + 16 * which + 4 * channel;
        row[lane] = 0;
        if (!(gcn_active(w) >> lane & 1)) continue;
        if (!setup->params) {
            if (!gpudbg_mem_read(w, GPUDBG_LOCAL, w->lds->base + at, &row[lane], 4, (int)lane)) {
                gcn_stop(w, GPUDBG_RAN_FAULT);
                return false;
            }
        } else if (at + 4 <= setup->params_size) {
            memcpy(&row[lane], setup->params + at, 4);
        } else {
            (void)GCN_FAULT(w, op, (int)lane, "attr%u of primitive %u of %u: params has %llu bytes, this is byte %llu",
                attribute, primitive, n, (unsigned long long)setup->params_size, (unsigned long long)at);
            return false;
        }
    }
    return true;
}

static void keep(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t row[64])
{
    uint32_t *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    for (unsigned lane = 0; lane < 64; lane++)
        if (gcn_active(w) >> lane & 1) d[lane] = row[lane];
}

/* D = parameter * S + more, as v_mad_f32. */
static const struct gcn_op *multiply(
    struct gpudbg_wave *w, const struct gcn_op *op, unsigned which, const uint32_t *more)
{
    static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    _Alignas(64) uint32_t value[64], result[64], copy[64], none[64] = {0};
    uint32_t mode = gcn_s(w)[GCN_MODE];
    if (!parameter(w, op, which, value)) return NULL;
    memcpy(copy, more, sizeof copy);
    struct gcn_lanes x = {.a = value,
        .b = gcn_v(w, GET(op->imm, VINTRP, vsrc)),
        .c = copy,
        .in = none,
        .d = result,
        .out = none,
        .mode = mode};
    fesetround(rounding[mode & GCN_ROUND_F32]);
    op->rows(&x);
    fesetround(FE_TONEAREST);
    keep(w, op, result);
    return gcn_next(op);
}

const struct gcn_op *gcn_interp_p1(struct gpudbg_wave *w, const struct gcn_op *op)
{
    _Alignas(64) uint32_t first[64];
    return parameter(w, op, P0, first) ? multiply(w, op, P10, first) : NULL;
}

const struct gcn_op *gcn_interp_p2(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return multiply(w, op, P20, gcn_v(w, op->d - GCN_CODE_VGPR));
}

const struct gcn_op *gcn_interp_mov(struct gpudbg_wave *w, const struct gcn_op *op)
{
    static const uint8_t order[3] = {P10, P20, P0};
    uint32_t row[64], slot = GET(op->imm, VINTRP, vsrc);
    if (slot > 2) return GCN_FAULT(w, op, -1, "v_interp_mov_f32: parameter %u: P10 is 0, P20 is 1, P0 is 2", slot);
    if (!parameter(w, op, order[slot], row)) return NULL;
    keep(w, op, row);
    return gcn_next(op);
}
