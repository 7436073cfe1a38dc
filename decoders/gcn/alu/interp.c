/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * interp.c: VINTRP: parameters of a primitive, weighted by the place of a pixel in it.
 *
 * The manual says that parameters are in LDS before the wave starts, but not their layout.  Here: M0[15:0] is the byte
 * where they start; M0[30:16] is a bit for each of quads 1 to 15: it begins a new primitive.  Attribute a of primitive
 * p, of n in the wave, is 12 floats at 48 * (a * n + p): P0, P10, P20, each x y z w.  A launch may give them separately
 * (params=), else they are read from LDS.
 *
 * Long words of newer chips also have half attributes: one of the halves of a dword of the same place.  What a chip
 * without v_mad_f32 makes of a product and a sum is inferred: one rounding.  Results of half attributes are rounded as
 * MODE says of halves (LLVM sets that mode for them).  v_interp_p2_f16 rounds product and sum once, to a half; clamp
 * limits the sum before that; the other half of the register stays: an open emulator's tests (AnyPS5, "16-bit
 * interpolation").  Mesa has it write one half, too.
 */
#include "code/bits.h"
#include "code/gcn_decoder.h"
#include "engine/setup.h"
#include "engine/gcn_exec.h"
#include "alu/gcn_lanes_simd.h"
#include "alu/vector.h"
#include "gcn_ops.h"

#include <fenv.h>

enum { P0, P10, P20 };

/* op->imm.  b holds the code of I or J, c that of P0 or of the sum so far. */
enum {
    ATTRIBUTE = 63,
    CHANNEL = 6, /* two bits */
    HIGH = 1 << 8,
    HALF = 1 << 9,     /* parameters are halves */
    TO_HALF = 1 << 10, /* so is the result, */
    TO_HIGH = 1 << 11, /* in the high half, */
    CLAMPS = 1 << 20,  /* limited to [0, 1] */
    SLOT = 12,         /* v_interp_mov: which parameter; 3: no such one */
    NEGATES = 16,      /* two bits: I or J, c */
    POSITIVE = 18,     /* the same */
};

/* One of the three values of the attribute, for every lane of EXEC. */
static bool parameter(struct gpudbg_wave *w, const struct gcn_op *op, unsigned which, uint32_t row[64])
{
    const struct gcn_setup *setup = gcn_of(w)->setup;
    uint32_t m0 = gcn_s(w)[GCN_M0], starts = m0 >> 16 & 0x7fff, n = 1 + (uint32_t)__builtin_popcount(starts);
    uint32_t attribute = op->imm & ATTRIBUTE, channel = op->imm >> CHANNEL & 3;
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
        if (op->imm & HALF) row[lane] = lanes_f32_from_f16(row[lane] >> (op->imm & HIGH ? 16 : 0) & 0xffff, true);
    }
    return true;
}

static void keep(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t row[64])
{
    uint32_t *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    for (unsigned lane = 0; lane < 64; lane++)
        if (gcn_active(w) >> lane & 1) d[lane] = row[lane];
}

/* A source with its modifiers; i: 0 I or J, 1 the other. */
static void source(const struct gpudbg_wave *w, const struct gcn_op *op, unsigned i, uint32_t row[64])
{
    const uint32_t *from = gcn_v(w, (i ? op->c : op->b) - GCN_CODE_VGPR);
    for (unsigned lane = 0; lane < 64; lane++) {
        row[lane] = op->imm >> (POSITIVE + i) & 1 ? from[lane] & ~LANES_SIGN32 : from[lane];
        if (op->imm >> (NEGATES + i) & 1) row[lane] ^= LANES_SIGN32;
    }
}

static double value_of(uint32_t bits, uint32_t mode)
{
    const bool denormal = !(bits & LANES_INF32);
    return (double)lanes_f32(denormal && !(mode & GCN_DENORM_IN_F32) ? bits & LANES_SIGN32 : bits);
}

/* a + b; if that is not exact, the neighbour of the sum whose last bit is 1. */
static double sum_to_odd(double a, double b)
{
    const double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    uint64_t bits = lanes_bits64(sum);
    if (error != error || error == 0 || bits & 1) return sum;
    bits += (error > 0) == (sum > 0) ? 1 : UINT64_MAX;
    return lanes_f64(bits);
}

/* A double that is exact or rounded to odd, as a half. */
static uint32_t half_of(double d, uint32_t mode)
{
    const float f = (float)d;
    uint32_t bits = lanes_bits32(f);
    if (d != d) return GCN_NAN16;
    if ((double)f != d) bits = (bits - (d > 0 ? (double)f > d : (double)f < d)) | 1;
    return lanes_f16_from_f32(bits, (enum lanes_round)GET(mode, MODE, round_f64), mode & GCN_DENORM_OUT_F64);
}

/* D = parameter * S + more, as halves, in the half of D that the instruction writes.  The product is exact. */
static void keep_halves(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t value[64],
    const uint32_t place[64], const uint32_t more[64])
{
    const uint32_t mode = gcn_s(w)[GCN_MODE], shift = op->imm & TO_HIGH ? 16 : 0;
    const uint32_t *old = gcn_v(w, op->d - GCN_CODE_VGPR);
    const bool down = GET(mode, MODE, round_f64) == LANES_DOWN;
    uint32_t row[64];
    for (unsigned lane = 0; lane < 64; lane++) {
        const double product = (double)lanes_f32(value[lane]) * value_of(place[lane], mode),
                     first = value_of(more[lane], mode);
        double sum = sum_to_odd(product, first);
        if (sum == 0 && down && (lanes_bits64(product) || lanes_bits64(first))) sum = -0.0;
        if (op->imm & CLAMPS && (sum == sum || mode & GCN_DX10_CLAMP)) sum = sum > 0 ? sum < 1 ? sum : 1 : 0;
        row[lane] = (old[lane] & ~(UINT32_C(0xffff) << shift)) | (half_of(sum, mode) & 0xffff) << shift;
    }
    keep(w, op, row);
}

/* D = parameter * S + more, as v_mad_f32 or v_fma_f32. */
static const struct gcn_op *multiply(
    struct gpudbg_wave *w, const struct gcn_op *op, unsigned which, const uint32_t more[64])
{
    static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    _Alignas(64) uint32_t value[64], result[64], copy[64], place[64], none[64] = {0};
    uint32_t mode = gcn_s(w)[GCN_MODE];
    if (!parameter(w, op, which, value)) return NULL;
    memcpy(copy, more, sizeof copy);
    source(w, op, 0, place);
    if (op->imm & TO_HALF) {
        keep_halves(w, op, value, place, more);
        return gcn_next(op);
    }
    struct gcn_lanes x = {.a = value, .b = place, .c = copy, .in = none, .d = result, .out = none, .mode = mode};
    fesetround(rounding[op->imm & HALF ? GET(mode, MODE, round_f64) : mode & GCN_ROUND_F32]);
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

/* P0 is a half of a VGPR. */
const struct gcn_op *gcn_interp_p1lv(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t *halves = gcn_v(w, op->c - GCN_CODE_VGPR);
    _Alignas(64) uint32_t first[64];
    for (unsigned lane = 0; lane < 64; lane++) {
        uint32_t half = halves[lane] >> (op->imm & HIGH ? 16 : 0) & 0xffff;
        if (op->imm >> (POSITIVE + 1) & 1) half &= 0x7fff;
        if (op->imm >> (NEGATES + 1) & 1) half ^= 0x8000;
        first[lane] = lanes_f32_from_f16(half, true);
    }
    return multiply(w, op, P10, first);
}

const struct gcn_op *gcn_interp_p2(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t sum[64];
    source(w, op, 1, sum);
    return multiply(w, op, P20, sum);
}

const struct gcn_op *gcn_interp_mov(struct gpudbg_wave *w, const struct gcn_op *op)
{
    static const uint8_t order[3] = {P10, P20, P0};
    uint32_t row[64], slot = op->imm >> SLOT & 3;
    if (slot > 2) return GCN_FAULT(w, op, -1, "v_interp_mov_f32: no such parameter: P10 is 0, P20 is 1, P0 is 2");
    if (!parameter(w, op, order[slot], row)) return NULL;
    keep(w, op, row);
    return gcn_next(op);
}

/* ---- Predecoding ---- */

static bool is_interp_mov(unsigned id) { return id == GCN_v_interp_mov_f32 || id == GCN_v_interp_mov_f32_long; }

static uint32_t slot_bits(uint32_t slot) { return (slot < 3 ? slot : 3) << SLOT; }

/* The word as it is, not with its fields in the places of older chips. */
static uint64_t long_word(const struct gpudbg_insn *insn)
{
    return le_u32(insn->raw) | (uint64_t)le_u32(insn->raw + 4) << 32;
}

static uint32_t of_long(const struct gpudbg_insn *insn)
{
    const uint64_t w = long_word(insn);
    const unsigned id = insn->op->id, abs = GET(w, VOP3H_INTERP, abs), neg = GET(w, VOP3H_INTERP, neg);
    const bool halves = id == GCN_v_interp_p1ll_f16 || id == GCN_v_interp_p1lv_f16 || id == GCN_v_interp_p2_f16;
    return GET(w, VOP3H_INTERP, attr) | GET(w, VOP3H_INTERP, attrchan) << CHANNEL |
           (GET(w, VOP3H_INTERP, high) ? HIGH : 0) | (halves ? HALF : 0) | (id == GCN_v_interp_p2_f16 ? TO_HALF : 0) |
           (GET(w, VOP3H_INTERP, op_sel) & 8 ? TO_HIGH : 0) | (GET(w, VOP3H_INTERP, clamp) ? CLAMPS : 0) |
           (is_interp_mov(id) ? slot_bits(GET(w, VOP3H_INTERP_MOV, vsrc)) : 0) | (neg >> 1) << NEGATES |
           (abs >> 1) << POSITIVE;
}

bool gcn_is_interp(unsigned id)
{
    return id == GCN_v_interp_p1_f32 || id == GCN_v_interp_p2_f32 || is_interp_mov(id) ||
           id == GCN_v_interp_p1_f32_long || id == GCN_v_interp_p2_f32_long || id == GCN_v_interp_p1ll_f16 ||
           id == GCN_v_interp_p1lv_f16 || id == GCN_v_interp_p2_f16;
}

/* No source says what modifiers of an attribute do, nor what becomes of a float that is clamped or multiplied. */
const char *gcn_interp_refuses(const struct gpudbg_insn *insn)
{
    if (!gcn_is_interp(insn->op->id) || insn->variant == GCN_VINTRP) return NULL;
    const uint64_t w = long_word(insn);
    const bool half = insn->op->id == GCN_v_interp_p2_f16;
    if (GET(w, VOP3H_INTERP, abs) & 1 || GET(w, VOP3H_INTERP, neg) & 1) return " with a sign of the attribute";
    if (GET(w, VOP3H_INTERP, op_sel) & (half ? 7 : 15)) return " with op_sel";
    if ((GET(w, VOP3H_INTERP, clamp) && !half) || GET(w, VOP3H_INTERP, omod)) return " with clamp or omod";
    return NULL;
}

bool gcn_interp_op(const struct gpudbg_insn *insn, const struct gcn_level *level, struct gcn_op *op)
{
    const uint32_t w = le_u32(insn->raw);
    const unsigned id = insn->op->id;
    const bool no_mad = insn->isa->rows[GCN_v_mad_f32].code < 0;
    if (insn->variant == GCN_VINTRP) {
        op->imm = GET(w, VINTRP, attr) | GET(w, VINTRP, attrchan) << CHANNEL | slot_bits(GET(w, VINTRP, vsrc));
        op->b = (uint16_t)(GCN_CODE_VGPR + GET(w, VINTRP, vsrc));
    } else {
        op->imm = of_long(insn);
    }
    if (!(id == GCN_v_interp_p1lv_f16 || id == GCN_v_interp_p2_f16)) op->c = op->d;
    op->rows = level->row[no_mad ? GCN_v_fma_f32 : GCN_v_mad_f32].rows;
    return is_interp_mov(id) || (op->b >= GCN_CODE_VGPR && op->c >= GCN_CODE_VGPR);
}
