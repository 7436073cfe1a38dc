/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_packed.c: instructions on halves of dwords, of the later console's chip: rows HALF, PACKED and MIX of ops.def.
 *
 * One lane at a time: halves become doubles or whole numbers, the row's body makes D of S0 to S2, D is rounded (once)
 * or cut to 16 bits.  The half of a register that is not written keeps its value. Cases that the open sources for this
 * chip do not describe stop the wave: gcn_packed_refuses.  Sources: AMD's Vega manual, "Packed math" and V_MAD_MIX; an
 * open emulator (shadPS4), whose author ran V_MAD_MIX_F32 on the chip (pull request 4338).
 */
#include "alu/gcn_packed.h"
#include "code/gcn_decoder.h"
#include "gpudbg/lanes.h"
#include "alu/vector.h"
#include "gcn_ops.h"

/* op->mods: bit numbers: from each of these on, a bit for each source. */
enum {
    NEG = 0,    /* negated, or the low half negated */
    ABS = 3,    /* absolute value, or the high half negated */
    SELECT = 6, /* reads its high half, or reads it for the low half; the fourth bit: writes the high half */
    SELECT_HIGH = 10,
    CLAMP = 13,
};

/* ---- Rows ---- */

/* A lane's values. */
struct half {
    double f[3], fd;
    int64_t i[3], id;
    bool ieee;
};

typedef void half_fn(struct half *);

enum shape { NOTHING, PLAIN, ONE, BOTH, WHOLE, LOW, HIGH }; /* PLAIN: in gcn_lanes_simd.c */
enum type { FLOATS, UNSIGNED, SIGNED };

struct half_row {
    half_fn *fn; /* NULL: MIX and PLAIN */
    uint8_t shape, type;
};

static double half_min(double a, double b, bool ieee) { return (double)lanes_min32((float)a, (float)b, ieee); }

static double half_max(double a, double b, bool ieee) { return (double)lanes_max32((float)a, (float)b, ieee); }

/* A sum that is rounded to odd, so that rounding it to a half gives the rounded exact sum: a is a product of halves. */
static double half_sum(double a, double b)
{
    const double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part);
    uint64_t bits = lanes_bits64(sum);
    if (!(error == error) || error == 0 || bits & 1) return sum;
    return lanes_f64((error > 0) == (sum > 0) ? bits | 1 : bits - 1);
}

#define IEEE x->ieee
/* clang-format off */
#define BODY_F(name, ...) \
    static void half_##name(struct half *x) \
    { \
        const double S0 = x->f[0], S1 = x->f[1], S2 = x->f[2]; \
        double D; \
        (void)S0, (void)S1, (void)S2; \
        __VA_ARGS__; \
        x->fd = D; \
    }
#define BODY_WHOLE(name, ...) \
    static void half_##name(struct half *x) \
    { \
        const int64_t S0 = x->i[0], S1 = x->i[1], S2 = x->i[2]; \
        int64_t D; \
        (void)S0, (void)S1, (void)S2; \
        __VA_ARGS__; \
        x->id = D; \
    }
/* clang-format on */
#define BODY_U BODY_WHOLE
#define BODY_I BODY_WHOLE
#define SKIP(name, none)

#define U32(...) SKIP, 0
#define LANES(...) SKIP, 0
#define NONE SKIP, 0
#define HALF(t, ...) BODY_##t, __VA_ARGS__
#define PACKED(t, ...) BODY_##t, __VA_ARGS__
#define MIX(part) SKIP, 0
#define DEFINE(name, ...) DEFINE_(name, __VA_ARGS__)
#define DEFINE_(name, make, ...) make(name, __VA_ARGS__)
#define GCN_OPSEL_ROWS
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"

#undef HALF
#undef PACKED
#undef MIX
#undef U32
#undef LANES
#define TYPE_F FLOATS
#define TYPE_U UNSIGNED
#define TYPE_I SIGNED
#define ENTRY(name, ...) [GCN_##name] = {__VA_ARGS__},
#define ENTRY_FN(name, s, t) ENTRY(name, half_##name, s, t)
#define ENTRY_MIX(name, s) ENTRY(name, NULL, s, FLOATS)
#define ENTRY_PLAIN(name, s) ENTRY(name, NULL, s, UNSIGNED)
#define U32(...) ENTRY_PLAIN, PLAIN
#define LANES(...) ENTRY_PLAIN, PLAIN
#define HALF(t, ...) ENTRY_FN, ONE, TYPE_##t
#define PACKED(t, ...) ENTRY_FN, BOTH, TYPE_##t
#define MIX(part) ENTRY_MIX, part

static const struct half_row rows[GCN_OPS] = {
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"
};

/* ---- Predecoding ---- */

static const struct half_row *row_of(const struct gpudbg_op *op)
{
    return op->flags & GCN_OPSEL ? &rows[op->id] : NULL;
}

/* For packed halves: a bit for each source whose high half is used for the high half of the result. */
static uint32_t high_of_packed(uint64_t w)
{
    return GET(w, VOP3P, op_sel_hi) | GET(w, VOP3P, op_sel_hi2) << LEN_OF(VOP3P, op_sel_hi);
}

void gcn_packed_op(const struct gpudbg_insn *insn, struct gcn_op *op)
{
    const uint64_t w = is_long((int)insn->variant) ? word_of(insn) : 0;
    const bool pairs = insn->variant == GCN_VOP3P;
    uint32_t mods = GET(w, VOP3H, neg) << NEG | GET(w, VOP3H, abs) << ABS; /* where VOP3P has neg_lo, neg_hi */
    mods |= (pairs ? GET(w, VOP3P, op_sel) : GET(w, VOP3H, op_sel)) << SELECT;
    mods |= (pairs ? GET(w, VOP3P, clamp) : GET(w, VOP3H, clamp)) << CLAMP;
    if (pairs) mods |= high_of_packed(w) << SELECT_HIGH;
    op->mods = mods;
    op->cache = (void *)(uintptr_t)row_of(insn->op);
}

const char *gcn_packed_refuses(const struct gpudbg_insn *insn)
{
    const struct half_row *row = row_of(insn->op);
    const uint64_t w = is_long((int)insn->variant) ? word_of(insn) : 0;
    const bool pairs = insn->variant == GCN_VOP3P;
    if (insn->nparts > 1 && insn->parts[1].format != &gcn_layouts[GCN_W_LITERAL])
        return strncmp(insn->parts[1].format->name, "DPP", 3) == 0 ? " with other lanes (DPP)"
                                                                   : " with parts of dwords (SDWA)";
    if (!row || !w || row->shape == NOTHING) return NULL;
    if (GCN_EMULATED_DWORDS(insn->op->id)) return GET(w, VOP3H, op_sel) ? " with op_sel" : NULL;
    if (row->type != FLOATS && (GET(w, VOP3H, neg) || GET(w, VOP3H, abs)) && !is_vop3b(insn->op)) return " with signs";
    if (row->shape == PLAIN && (GET(w, VOP3H, clamp) || GET(w, VOP3H, op_sel) || GET(w, VOP3H, omod)) &&
        !is_vop3b(insn->op))
        return " with clamp, omod or op_sel";
    if (row->shape == ONE && GET(w, VOP3H, omod)) return " with omod";
    for (unsigned i = 0; i < insn->noperands && row->type != FLOATS; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const unsigned n = o->swizzle - GCN_IN_SRC0;
        const unsigned high = pairs ? GET(w, VOP3P, op_sel) | high_of_packed(w) : GET(w, VOP3H, op_sel);
        if (n < 3 && o->kind == GPUDBG_INTEGER && o->imm < 0 && high >> n & 1)
            return " with the high half of a negative constant";
    }
    return NULL;
}

/* ---- Lanes ---- */

struct work {
    const struct gpudbg_wave *w;
    const struct gcn_op *op;
    const struct half_row *row;
    uint32_t mode;
    unsigned lane;
};

static bool bit(const struct work *k, unsigned first, unsigned n) { return k->op->mods >> (first + n) & 1; }

static unsigned code_of(const struct gcn_op *op, unsigned n) { return n == 0 ? op->a : n == 1 ? op->b : op->c; }

/* A source's dword.  half: a constant is wanted as a half, in the low 16 bits. */
static uint32_t source(const struct work *k, unsigned n, bool half)
{
    const unsigned code = code_of(k->op, n);
    uint64_t value;
    if (code >= GCN_CODE_VGPR) return gcn_v(k->w, code - GCN_CODE_VGPR)[k->lane];
    if (code == GCN_CODE_LITERAL) return k->op->imm;
    if (half && code == GCN_CODE_INV_2PI) return (uint32_t)gcn_inv_2pi(GCN_F16);
    if (half && code >= GCN_CODE_FLOAT && gcn_inline(code, GCN_F16, &value)) return (uint32_t)value;
    return gcn_s(k->w)[code];
}

static uint32_t half_at(uint32_t dword, bool high) { return high ? dword >> 16 : dword & 0xffff; }

static double value_of(const struct work *k, uint32_t half)
{
    return (double)lanes_f32(lanes_f32_from_f16(half, k->mode & GCN_DENORM_IN_F64));
}

/* A double that is exact, or rounded to odd, as a half; a NaN result is the first NaN of the sources, made quiet. */
static uint32_t round_half(const struct work *k, double d, const uint32_t from[3])
{
    const float f = (float)d;
    uint32_t bits = lanes_bits32(f);
    if (d != d) {
        for (unsigned i = 0; i < 3; i++)
            if ((from[i] & 0x7fff) > 0x7c00) return from[i] | 0x200;
        return 0x7e00;
    }
    if ((double)f != d) bits = (bits - (d > 0 ? (double)f > d : (double)f < d)) | 1;
    return lanes_f16_from_f32(bits, (enum lanes_round)GET(k->mode, MODE, round_f64), k->mode & GCN_DENORM_OUT_F64);
}

static uint32_t clamp_half(const struct work *k, uint32_t half)
{
    if (!(k->op->mods >> CLAMP & 1)) return half;
    if ((half & 0x7fff) > 0x7c00) return k->mode & GCN_DX10_CLAMP ? 0 : half;
    return half & 0x8000 ? 0 : half > 0x3c00 ? 0x3c00 : half;
}

static int64_t clamp_whole(const struct work *k, int64_t value)
{
    const int64_t least = k->row->type == SIGNED ? INT16_MIN : 0,
                  most = k->row->type == SIGNED ? INT16_MAX : UINT16_MAX;
    if (!(k->op->mods >> CLAMP & 1)) return value;
    return value < least ? least : value > most ? most : value;
}

/* One half of the result; high: the high one of PACKED. */
static uint32_t one_half(const struct work *k, bool high)
{
    struct half x = {.ieee = k->mode & GCN_IEEE};
    uint32_t from[3];
    const bool pairs = k->row->shape == BOTH;
    for (unsigned n = 0; n < 3; n++) {
        from[n] = half_at(source(k, n, k->row->type == FLOATS), bit(k, high ? SELECT_HIGH : SELECT, n));
        if (k->row->type == FLOATS) {
            if (!pairs && bit(k, ABS, n)) from[n] &= 0x7fff;
            if (bit(k, high ? ABS : NEG, n)) from[n] ^= 0x8000;
        }
        x.f[n] = value_of(k, from[n]);
        x.i[n] = k->row->type == SIGNED ? (int16_t)from[n] : (int64_t)from[n];
    }
    k->row->fn(&x);
    if (k->row->type != FLOATS) return (uint32_t)clamp_whole(k, x.id) & 0xffff;
    return clamp_half(k, round_half(k, x.fd, from));
}

/* A product and a sum of floats, each rounded, denormals flushed, as v_mad_f32; a source may be a half. */
static float mixed(const struct work *k)
{
    float s[3];
    for (unsigned n = 0; n < 3; n++) {
        const bool half = bit(k, SELECT_HIGH, n);
        uint32_t bits = source(k, n, half);
        if (half) bits = lanes_f32_from_f16(half_at(bits, bit(k, SELECT, n)), k->mode & GCN_DENORM_IN_F64);
        if (bit(k, ABS, n)) bits &= ~LANES_SIGN32;
        if (bit(k, NEG, n)) bits ^= LANES_SIGN32;
        s[n] = lanes_f32(lanes_flush32(bits, false));
    }
    const float product = lanes_f32(lanes_flush32(lanes_bits32(s[0] * s[1]), false));
    uint32_t sum = lanes_flush32(lanes_bits32(product + s[2]), false);
    if (lanes_isnan32(sum)) sum = lanes_nan32(lanes_bits32(s[0]), lanes_bits32(s[1]), lanes_bits32(s[2]));
    return lanes_f32(sum);
}

static uint32_t mixed_result(const struct work *k, uint32_t old)
{
    const uint32_t bits = lanes_bits32(mixed(k));
    const bool clamp = k->op->mods >> CLAMP & 1;
    const float f = lanes_f32(bits);
    if (k->row->shape == WHOLE) {
        if (!clamp) return bits;
        if (f != f) return k->mode & GCN_DX10_CLAMP ? 0 : bits;
        return lanes_bits32(!(f > 0) ? 0.0f : f > 1 ? 1.0f : f);
    }
    const uint32_t half = clamp_half(
        k, lanes_f16_from_f32(bits, (enum lanes_round)GET(k->mode, MODE, round_f64), k->mode & GCN_DENORM_OUT_F64));
    return k->row->shape == LOW ? (old & 0xffff0000) | half : (old & 0xffff) | half << 16;
}

const struct gcn_op *gcn_packed(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct work k = {w, op, op->cache, gcn_s(w)[GCN_MODE], 0};
    const uint64_t exec = gcn_active(w);
    uint32_t *d = gcn_v(w, op->d - GCN_CODE_VGPR);
    if (!k.row->fn && k.mode & GCN_ROUND_F32)
        return GCN_FAULT(w, op, -1, "v_mad_mix with another rounding than to nearest: not implemented");
    for (; k.lane < 64; k.lane++) {
        uint32_t *to = &d[k.lane];
        if (!(exec >> k.lane & 1)) continue;
        if (!k.row->fn)
            *to = mixed_result(&k, *to);
        else if (k.row->shape == BOTH)
            *to = one_half(&k, false) | one_half(&k, true) << 16;
        else if (op->mods >> (SELECT + 3) & 1)
            *to = (*to & 0xffff) | one_half(&k, false) << 16;
        else
            *to = (*to & 0xffff0000) | one_half(&k, false);
    }
    return gcn_next(op);
}
