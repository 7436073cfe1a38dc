/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_result.c: runs a row function under the rounding mode that its result follows, then the output modifiers. */
#include "alu/gcn_lanes_simd.h"
#include "alu/vector.h"
#include "code/bits.h"

#include <fenv.h>

/* OMOD, then CLAMP.  OMOD flushes denormals first, and turns -0 into +0 (LLVM's review D30209). */
static float finish_result32(float f, uint32_t mode, unsigned omod, bool clamp)
{
    if (omod && !(mode & (GCN_DENORM_OUT_F32 | GCN_IEEE)))
        f = EXP32(f) == 0 ? 0
                          : lanes_f32(lanes_flush32(lanes_bits32(f * (omod == 1      ? 2.0f
                                                                         : omod == 2 ? 4.0f
                                                                                     : 0.5f)),
                                false));
    if (clamp) f = f != f ? (mode & GCN_DX10_CLAMP ? 0 : f) : f > 1 ? 1 : f > 0 ? f : 0;
    return f;
}

static double finish_result64(double f, uint32_t mode, unsigned omod, bool clamp)
{
    if (omod && !(mode & (GCN_DENORM_OUT_F64 | GCN_IEEE)))
        f = EXP64(f) == 0 ? 0
                          : lanes_f64(lanes_flush64(lanes_bits64(f * (omod == 1      ? 2.0
                                                                         : omod == 2 ? 4.0
                                                                                     : 0.5)),
                                false));
    if (clamp) f = f != f ? (mode & GCN_DX10_CLAMP ? 0 : f) : f > 1 ? 1 : f > 0 ? f : 0;
    return f;
}

static uint32_t finish_result16(uint32_t half, uint32_t mode, unsigned omod, bool clamp)
{
    const bool nan = (half & 0x7fff) > 0x7c00;
    if (omod && !nan && !(mode & (GCN_DENORM_OUT_F64 | GCN_IEEE))) {
        const float f = lanes_f32(lanes_f32_from_f16(half, true)) * (omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f);
        half = half & 0x7c00 ? lanes_f16_from_f32(lanes_bits32(f), (enum lanes_round)GET(mode, MODE, round_f64), false)
                             : 0;
    }
    if (clamp) half = nan ? (mode & GCN_DX10_CLAMP ? 0 : half) : half & 0x8000 ? 0 : half > 0x3c00 ? 0x3c00 : half;
    return half;
}

static void modify_result(uint32_t *d, enum gcn_kind kind, uint32_t mode, uint32_t mods)
{
    const unsigned omod = GCN_OMOD(mods);
    const bool clamp = mods & GCN_CLAMP;
    if (kind == GCN_KIND_F32)
        for (int l = 0; l < 64; l++) {
            /* A NaN that is only passed on keeps its bits. */
            float f = finish_result32(lanes_f32(d[l]), mode, omod, clamp);
            d[l] = f != f ? d[l] : lanes_bits32(f);
        }
    if (kind == GCN_KIND_F16) /* perhaps a pair of halves */
        for (int l = 0; l < 64; l++)
            d[l] = finish_result16(d[l] & 0xffff, mode, omod, clamp) | finish_result16(d[l] >> 16, mode, omod, clamp)
                                                                           << 16;
    if (kind == GCN_KIND_F64)
        for (int l = 0; l < 64; l++) {
            uint64_t bits = d[l] | (uint64_t)d[l + 64] << 32;
            double f = finish_result64(lanes_f64(bits), mode, omod, clamp);
            bits = f != f ? bits : lanes_bits64(f);
            d[l] = (uint32_t)bits;
            d[l + 64] = (uint32_t)(bits >> 32);
        }
}

/* Runs the row function under the rounding mode that its result follows; output modifiers round as the mode says in any
 * case. */
void gcn_run_row(const struct gcn_op *op, struct gcn_lanes *x)
{
    static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    const unsigned field = GCN_KIND(op->mods, 3) == GCN_KIND_F64 ? GET(x->mode, MODE, round_f64)
                                                                 : GET(x->mode, MODE, round_f32);
    const unsigned round = op->mods & GCN_ROUNDS ? field : 0;
    if (round) fesetround(rounding[round]);
    op->rows(x);
    if (op->mods & (GCN_CLAMP | GCN_OMOD_BITS)) {
        if (field != round) fesetround(rounding[field]);
        modify_result(x->d, GCN_KIND(op->mods, 3), x->mode, op->mods);
    }
    if (field) fesetround(FE_TONEAREST);
}

void gcn_clamp_halves(uint32_t *row, uint32_t mode)
{
    for (int l = 0; l < 64; l++) row[l] = finish_result16(row[l] & 0xffff, mode, 0, true);
}
