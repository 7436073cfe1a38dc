/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exceptions.c: the exceptions that an instruction raises; see exceptions.h.
 *
 * Sums, products, quotients and roots are computed again, one lane at a time, by the processor, whose flags say which
 * exceptions they raise; only underflow is decided here, as processors differ about it.  Operands and results are
 * volatile, so that the compiler computes them where the flags are read.
 */
#include "alu/exceptions.h"
#include "code/gcn_decoder.h"
#include "alu/gcn_lanes_simd.h"
#include "alu/vector.h"
#include "gcn_ops.h"

#include <fenv.h>
#include <math.h>

static uint32_t raised(void)
{
    const int now = fetestexcept(FE_ALL_EXCEPT);
    return (now & FE_INVALID ? GCN_INVALID : 0) | (now & FE_DIVBYZERO ? GCN_DIVISION_BY_ZERO : 0) |
           (now & FE_OVERFLOW ? GCN_OVERFLOW : 0) | (now & FE_INEXACT ? GCN_INEXACT : 0);
}

/* ---- Floats ---- */

/* How floats and doubles are read, rounded and written here. */
struct style {
    bool keep_in, keep_out;
    int round;
};

/* Adds to the processor's flags those of a result below the normal numbers that is inexact, or that is flushed. */
static uint32_t with_underflow(uint32_t flags, bool below, bool zero, bool keep_out)
{
    if (below && !zero && !keep_out) return flags | GCN_UNDERFLOW | GCN_INEXACT;
    return below && flags & GCN_INEXACT ? flags | GCN_UNDERFLOW : flags;
}

enum arithmetic { ADD, MULTIPLY, FUSED, DIVIDE, ROOT, NARROW };

/* One operation on floats (NARROW: converts the double d to a float); *result: its result, flushed.  The caller handles
 * signalling NaNs. */
static uint32_t float_does(enum arithmetic what, struct style s, float a, float b, float c, double d, float *result)
{
    volatile float x = a, y = b, z = c, r = 0;
    volatile double wide = d;
    fesetround(s.round);
    feclearexcept(FE_ALL_EXCEPT);
    switch (what) {
    case ADD: r = x + y; break;
    case MULTIPLY: r = x * y; break;
    case FUSED: r = fmaf(x, y, z); break;
    case DIVIDE: r = x / y; break;
    case ROOT: r = sqrtf(x); break;
    case NARROW: r = (float)wide; break;
    }
    const uint32_t flags = raised(), bits = lanes_bits32(r);
    fesetround(FE_TONEAREST);
    if (result) *result = lanes_f32(lanes_flush32(bits, s.keep_out));
    return with_underflow(flags, (bits & LANES_INF32) == 0, (bits & ~LANES_SIGN32) == 0, s.keep_out);
}

static uint32_t double_does(enum arithmetic what, struct style s, double a, double b, double c)
{
    volatile double x = a, y = b, z = c, r = 0;
    fesetround(s.round);
    feclearexcept(FE_ALL_EXCEPT);
    switch (what) {
    case ADD: r = x + y; break;
    case MULTIPLY: r = x * y; break;
    case FUSED: r = fma(x, y, z); break;
    case DIVIDE: r = x / y; break;
    case ROOT: r = sqrt(x); break;
    case NARROW: r = lanes_ldexp64(x, (int32_t)y); break;
    }
    const uint32_t flags = raised();
    const uint64_t bits = lanes_bits64(r);
    fesetround(FE_TONEAREST);
    return with_underflow(flags, (bits & LANES_INF64) == 0, (bits & ~LANES_SIGN64) == 0, s.keep_out);
}

static bool denormal32(uint32_t bits) { return (bits & LANES_INF32) == 0 && bits & ~LANES_SIGN32; }

static bool denormal64(uint64_t bits) { return (bits & LANES_INF64) == 0 && bits & ~LANES_SIGN64; }

/* The exceptions that the sources themselves raise: signalling NaNs and denormals.  Flushes them, too. */
static uint32_t float_sources(uint64_t source[], unsigned n, struct style s)
{
    uint32_t flags = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint32_t bits = (uint32_t)source[i];
        flags |= lanes_signals32(bits) ? GCN_INVALID : denormal32(bits) && s.keep_in ? GCN_INPUT_DENORMAL : 0;
        source[i] = lanes_flush32(bits, s.keep_in);
    }
    return flags;
}

static uint32_t double_sources(uint64_t source[], unsigned n, struct style s)
{
    uint32_t flags = 0;
    for (unsigned i = 0; i < n; i++) {
        flags |= lanes_signals64(source[i]) ? GCN_INVALID : denormal64(source[i]) && s.keep_in ? GCN_INPUT_DENORMAL : 0;
        source[i] = lanes_flush64(source[i], s.keep_in);
    }
    return flags;
}

/* A product (with `legacy`, 0 times anything is 0), then a sum, each rounded. */
static uint32_t product_sum(const struct style s, float a, float b, float c, bool sum, bool legacy)
{
    float p = 0;
    uint32_t flags = legacy && (a == 0 || b == 0) ? 0 : float_does(MULTIPLY, s, a, b, 0, 0, &p);
    return sum ? flags | float_does(ADD, s, p, c, 0, 0, NULL) : flags;
}

/* ---- Functions of one number: exact where the mathematical value is a float ---- */

static bool power_of_two(double x) { return lanes_significand64(x) == 0.5; }

static uint32_t exponential(float x)
{
    if (x != x || x - x != 0) return 0;
    if (x >= 128) return GCN_OVERFLOW | GCN_INEXACT;
    if (x < -126) return GCN_UNDERFLOW | GCN_INEXACT;
    return x == floorf(x) ? 0 : GCN_INEXACT;
}

static uint32_t logarithm(float x)
{
    if (x != x) return 0;
    if (x == 0) return GCN_DIVISION_BY_ZERO;
    if (x < 0) return GCN_INVALID;
    return x - x != 0 || power_of_two((double)x) ? 0 : GCN_INEXACT;
}

/* 1 / sqrt(x): exact for even powers of 2. */
static uint32_t reciprocal_root(double x)
{
    if (x != x) return 0;
    if (x == 0) return GCN_DIVISION_BY_ZERO;
    if (x < 0) return GCN_INVALID;
    return x - x != 0 || (power_of_two(x) && lanes_exponent64(x) & 1) ? 0 : GCN_INEXACT;
}

static uint32_t turns(float x, float most)
{
    if (x != x) return 0;
    if (x - x != 0) return GCN_INVALID;
    const double quarters = 4 * (double)x;
    return fabsf(x) > most || quarters == floor(quarters) ? 0 : GCN_INEXACT;
}

/* ---- Conversions ---- */

/* A conversion of x to the whole number `whole`, which is invalid outside [least, most]. */
static uint32_t to_integer(double x, double whole, double least, double most)
{
    if (!(whole >= least && whole <= most)) return GCN_INVALID;
    return whole == x ? 0 : GCN_INEXACT;
}

/* A conversion that clamps x to a range. */
static uint32_t saturating(double x, double least, double most)
{
    if (x != x) return GCN_INVALID;
    return x < least || x > most || x != floor(x) ? GCN_INEXACT : 0;
}

static uint32_t to_half(uint32_t bits, enum lanes_round round, bool keep_out)
{
    if (lanes_isnan32(bits) || (bits & ~LANES_SIGN32) == LANES_INF32) return 0;
    const uint32_t half = lanes_f16_from_f32(bits, round, true), magnitude = half & 0x7fff;
    if (magnitude == 0x7c00 || fabsf(lanes_f32(bits)) >= 65536) return GCN_OVERFLOW | GCN_INEXACT;
    const bool inexact = lanes_f32(lanes_f32_from_f16(half, true)) != lanes_f32(bits);
    const bool flushed = magnitude && magnitude < 0x400 && !keep_out;
    return (inexact || flushed ? GCN_INEXACT : 0) | ((magnitude < 0x400 && inexact) || flushed ? GCN_UNDERFLOW : 0);
}

/* ---- Rows ---- */

static const int rounding[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

#define F(i) lanes_f32((uint32_t)x[i])
#define D(i) lanes_f64(x[i])

/* Recognises comparisons of floats by their names: v_cmp, v_cmpx, v_cmps, v_cmpsx.  false: not a comparison. */
static bool comparison(unsigned id, bool *wide, bool *signalling)
{
    const struct gcn_template *t = &gcn_templates[id];
    if (t->name_len < 10 || strncmp(t->name, "v_cmp", 5) != 0 || strstr(t->name, "class")) return false;
    const char *type = t->name + t->name_len - 4;
    *wide = strcmp(type, "_f64") == 0;
    *signalling = t->name[5] == 's';
    return *wide || strcmp(type, "_f32") == 0;
}

static uint32_t of_comparison(const uint64_t source[3], uint32_t mode, bool wide, bool signalling)
{
    const bool keep = mode & (wide ? GCN_DENORM_IN_F64 : GCN_DENORM_IN_F32);
    uint64_t x[2] = {source[0], source[1]};
    uint32_t flags = wide ? double_sources(x, 2, (struct style){keep, true, 0})
                          : float_sources(x, 2, (struct style){keep, true, 0});
    const bool nan = wide ? lanes_isnan64(x[0]) || lanes_isnan64(x[1])
                          : lanes_isnan32((uint32_t)x[0]) || lanes_isnan32((uint32_t)x[1]);
    return flags | (signalling && nan ? GCN_INVALID : 0);
}

uint32_t gcn_lane_exceptions(unsigned id, const uint64_t source[3], uint32_t mode)
{
    const struct style f32 = {mode & GCN_DENORM_IN_F32, mode & GCN_DENORM_OUT_F32, rounding[mode & 3]};
    const struct style f64 = {
        mode & GCN_DENORM_IN_F64, mode & GCN_DENORM_OUT_F64, rounding[GET(mode, MODE, round_f64)]};
    const struct style flushed = {false, false, rounding[mode & 3]}, function = {false, false, FE_TONEAREST},
                       kept = {true, true, FE_TONEAREST};
    const struct style nearest32 = {f32.keep_in, f32.keep_out, FE_TONEAREST},
                       nearest64 = {f64.keep_in, f64.keep_out, FE_TONEAREST};
    const enum lanes_round round16 = (enum lanes_round)GET(mode, MODE, round_f64);
    uint64_t x[3] = {source[0], source[1], source[2]};
    bool wide, signalling;
    if (comparison(id, &wide, &signalling)) return of_comparison(source, mode, wide, signalling);
    switch (id) {
    case GCN_v_add_f32: return float_sources(x, 2, f32) | float_does(ADD, f32, F(0), F(1), 0, 0, NULL);
    case GCN_v_sub_f32: return float_sources(x, 2, f32) | float_does(ADD, f32, F(0), gcn_negate(F(1)), 0, 0, NULL);
    case GCN_v_subrev_f32: return float_sources(x, 2, f32) | float_does(ADD, f32, F(1), gcn_negate(F(0)), 0, 0, NULL);
    case GCN_v_mul_f32: return float_sources(x, 2, f32) | product_sum(f32, F(0), F(1), 0, false, false);
    case GCN_v_mullit_f32:
        return float_sources(x, 3, f32) |
               (F(2) > 0 && F(1) > -0x1.fffffep127 ? product_sum(f32, F(0), F(1), 0, false, true) : 0);
    case GCN_v_mul_legacy_f32: return float_sources(x, 2, f32) | product_sum(f32, F(0), F(1), 0, false, true);
    case GCN_v_mac_f32:
    case GCN_v_mad_f32:
    case GCN_v_madak_f32: return float_sources(x, 3, flushed) | product_sum(flushed, F(0), F(1), F(2), true, false);
    case GCN_v_madmk_f32: return float_sources(x, 3, flushed) | product_sum(flushed, F(0), F(2), F(1), true, false);
    case GCN_v_mac_legacy_f32:
    case GCN_v_mad_legacy_f32: return float_sources(x, 3, flushed) | product_sum(flushed, F(0), F(1), F(2), true, true);
    case GCN_v_fma_f32: return float_sources(x, 3, f32) | float_does(FUSED, f32, F(0), F(1), F(2), 0, NULL);
    case GCN_v_div_fixup_f32: return float_sources(x + 1, 2, f32) | float_does(DIVIDE, f32, F(2), F(1), 0, 0, NULL);
    case GCN_v_ldexp_f32: {
        uint32_t flags = float_sources(x, 1, f32);
        const int32_t n = lanes_clamp((int32_t)(uint32_t)x[1], -400, 400);
        return flags | float_does(NARROW, f32, 0, 0, 0, (double)F(0) * lanes_f64((uint64_t)(1023 + n) << 52), NULL);
    }
    case GCN_v_add_f64: return double_sources(x, 2, f64) | double_does(ADD, f64, D(0), D(1), 0);
    case GCN_v_mul_f64: return double_sources(x, 2, f64) | double_does(MULTIPLY, f64, D(0), D(1), 0);
    case GCN_v_fma_f64: return double_sources(x, 3, f64) | double_does(FUSED, f64, D(0), D(1), D(2));
    case GCN_v_div_fixup_f64: return double_sources(x + 1, 2, f64) | double_does(DIVIDE, f64, D(2), D(1), 0);
    case GCN_v_ldexp_f64:
        return double_sources(x, 1, f64) | double_does(NARROW, f64, D(0), (double)(int32_t)(uint32_t)x[1], 0);

    case GCN_v_min_legacy_f32:
    case GCN_v_max_legacy_f32: return float_sources(x, 2, f32);
    case GCN_v_min_f32:
    case GCN_v_max_f32: return float_sources(x, 2, kept); /* these never flush */
    case GCN_v_min3_f32:
    case GCN_v_max3_f32:
    case GCN_v_med3_f32: return float_sources(x, 3, kept);
    case GCN_v_cubeid_f32:
    case GCN_v_cubesc_f32:
    case GCN_v_cubetc_f32: return float_sources(x, 3, f32);
    case GCN_v_cubema_f32: {
        uint32_t flags = float_sources(x, 3, f32);
        const int major = gcn_major(F(0), F(1), F(2));
        return flags | float_does(MULTIPLY, f32, 2, F(major), 0, 0, NULL);
    }
    case GCN_v_min_f64:
    case GCN_v_max_f64: return double_sources(x, 2, kept);
    case GCN_v_trunc_f32:
    case GCN_v_ceil_f32:
    case GCN_v_rndne_f32:
    case GCN_v_floor_f32:
    case GCN_v_frexp_mant_f32:
    case GCN_v_frexp_exp_i32_f32: return float_sources(x, 1, f32);
    case GCN_v_trunc_f64:
    case GCN_v_ceil_f64:
    case GCN_v_rndne_f64:
    case GCN_v_floor_f64:
    case GCN_v_frexp_mant_f64:
    case GCN_v_frexp_exp_i32_f64: return double_sources(x, 1, f64);
    case GCN_v_fract_f32:
        return float_sources(x, 1, f32) | float_does(ADD, f32, F(0), gcn_negate(floorf(F(0))), 0, 0, NULL);
    case GCN_v_fract_f64: return double_sources(x, 1, f64) | double_does(ADD, f64, D(0), -floor(D(0)), 0);

    case GCN_v_exp_f32:
    case GCN_v_exp_legacy_f32: return float_sources(x, 1, function) | exponential(F(0));
    case GCN_v_log_f32:
    case GCN_v_log_clamp_f32:
    case GCN_v_log_legacy_f32: return float_sources(x, 1, function) | logarithm(F(0));
    case GCN_v_rcp_f32:
    case GCN_v_rcp_clamp_f32:
    case GCN_v_rcp_legacy_f32: return float_sources(x, 1, function) | float_does(DIVIDE, function, 1, F(0), 0, 0, NULL);
    case GCN_v_rcp_iflag_f32: float_sources(x, 1, function); return F(0) == 0 ? GCN_INTEGER_DIVISION : 0;
    case GCN_v_rsq_f32:
    case GCN_v_rsq_clamp_f32:
    case GCN_v_rsq_legacy_f32: return float_sources(x, 1, function) | reciprocal_root((double)F(0));
    case GCN_v_sqrt_f32: return float_sources(x, 1, function) | float_does(ROOT, function, F(0), 0, 0, 0, NULL);
    case GCN_v_sin_f32:
    case GCN_v_cos_f32: return float_sources(x, 1, function) | turns(F(0), 256);
    case GCN_v_sin_f32_newer:
    case GCN_v_cos_f32_newer: return float_sources(x, 1, nearest32) | turns(F(0), INFINITY);
    case GCN_v_rcp_f64:
    case GCN_v_rcp_clamp_f64: return double_sources(x, 1, nearest64) | double_does(DIVIDE, nearest64, 1, D(0), 0);
    case GCN_v_rsq_f64:
    case GCN_v_rsq_clamp_f64: return double_sources(x, 1, nearest64) | reciprocal_root(D(0));
    case GCN_v_sqrt_f64: return double_sources(x, 1, nearest64) | double_does(ROOT, nearest64, D(0), 0, 0);

    case GCN_v_cvt_i32_f32:
        return float_sources(x, 1, f32) | to_integer((double)F(0), trunc((double)F(0)), -0x1p31, 0x1p31 - 1);
    case GCN_v_cvt_u32_f32:
        return float_sources(x, 1, f32) | to_integer((double)F(0), trunc((double)F(0)), 0, 0x1p32 - 1);
    case GCN_v_cvt_flr_i32_f32:
        return float_sources(x, 1, f32) | to_integer((double)F(0), floor((double)F(0)), -0x1p31, 0x1p31 - 1);
    case GCN_v_cvt_rpi_i32_f32:
        return float_sources(x, 1, f32) | to_integer((double)F(0), floor((double)F(0) + 0.5), -0x1p31, 0x1p31 - 1);
    case GCN_v_cvt_i32_f64: return double_sources(x, 1, f64) | to_integer(D(0), trunc(D(0)), -0x1p31, 0x1p31 - 1);
    case GCN_v_cvt_u32_f64: return double_sources(x, 1, f64) | to_integer(D(0), trunc(D(0)), 0, 0x1p32 - 1);
    case GCN_v_cvt_f32_i32: return float_does(NARROW, f32, 0, 0, 0, (double)(int32_t)(uint32_t)x[0], NULL);
    case GCN_v_cvt_f32_u32: return float_does(NARROW, f32, 0, 0, 0, (double)(uint32_t)x[0], NULL);
    case GCN_v_cvt_f32_f64: {
        const struct style both = {f64.keep_in, f32.keep_out, f32.round};
        return double_sources(x, 1, both) | (lanes_isnan64(x[0]) ? 0 : float_does(NARROW, both, 0, 0, 0, D(0), NULL));
    }
    case GCN_v_cvt_f64_f32: return float_sources(x, 1, f32);
    case GCN_v_cvt_f16_f32: return float_sources(x, 1, nearest32) | to_half((uint32_t)x[0], round16, f64.keep_out);
    case GCN_v_cvt_pkrtz_f16_f32:
        return float_sources(x, 2, nearest32) | to_half((uint32_t)x[0], LANES_ZERO, f64.keep_out) |
               to_half((uint32_t)x[1], LANES_ZERO, f64.keep_out);
    case GCN_v_cvt_f32_f16: {
        const uint32_t half = (uint32_t)x[0] & 0x7fff;
        return half > 0x7c00 && !(half & 0x200)      ? GCN_INVALID
               : half && half < 0x400 && f64.keep_in ? GCN_INPUT_DENORMAL
                                                     : 0;
    }
    case GCN_v_cvt_pk_u8_f32:
    case GCN_v_cvt_pkaccum_u8_f32: return float_sources(x, 1, f32) | saturating((double)F(0), 0, 255);
    case GCN_v_cvt_pknorm_i16_f32:
        return float_sources(x, 2, f32) | saturating(32767 * (double)F(0), -32767, 32767) |
               saturating(32767 * (double)F(1), -32767, 32767);
    case GCN_v_cvt_pknorm_u16_f32:
        return float_sources(x, 2, f32) | saturating(65535 * (double)F(0), 0, 65535) |
               saturating(65535 * (double)F(1), 0, 65535);
    default: return 0;
    }
}

/* ---- A wave's lanes ---- */

static uint64_t lane_source(const struct gpudbg_wave *w, const struct gcn_op *op, unsigned i, unsigned lane)
{
    const uint32_t *s = gcn_s(w);
    const unsigned code = i == 0 ? op->a : i == 1 ? op->b : op->c;
    const enum gcn_kind kind = GCN_KIND(op->mods, i);
    const bool wide = gcn_kind_dwords(kind) > 1, neg = op->mods >> i & 1, abs = op->mods >> (3 + i) & 1;
    const uint64_t sign = kind == GCN_KIND_F16 ? 0x8000 : wide ? LANES_SIGN64 : LANES_SIGN32;
    uint64_t value;
    if (kind == GCN_KIND_NONE) return 0;
    if (code >= GCN_CODE_VGPR) {
        if (!gcn_has_v(w, code - GCN_CODE_VGPR, wide ? 2 : 1)) return 0; /* not an operand: a number for the handler */
        const uint32_t *row = gcn_v(w, code - GCN_CODE_VGPR);
        value = row[lane] | (wide ? (uint64_t)row[64 + lane] << 32 : 0);
    } else if (code == GCN_LITERAL) {
        value = kind == GCN_KIND_F64 ? (uint64_t)op->imm << 32 : op->imm;
    } else {
        value = wide ? gcn_pair(s, gcn_wide(code)) : s[code];
    }
    value = abs ? value & ~sign : value;
    return neg ? value ^ sign : value;
}

uint32_t gcn_exceptions(struct gpudbg_wave *w, const struct gcn_op *op, unsigned id)
{
    uint32_t flags = 0;
    for (uint64_t m = gcn_active(w); m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint64_t source[3] = {
            lane_source(w, op, 0, lane), lane_source(w, op, 1, lane), lane_source(w, op, 2, lane)};
        flags |= gcn_lane_exceptions(id, source, gcn_s(w)[GCN_MODE]);
    }
    return flags;
}

/* Whether x is NaN, or x - floor(x) rounds to 1, in a format whose numbers below 1 are `ulp` apart.  Denormals that are
 * not kept are 0. */
static bool is_near_one(double x, double ulp, double least_normal, uint32_t round, bool keep_denormals)
{
    if (isnan(x)) return true;
    if (x >= 0 || (-x < least_normal && !keep_denormals)) return false;
    return round == LANES_NEAREST ? -x <= ulp / 2 : round == LANES_UP && -x < ulp;
}

int gcn_unsure_lane(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_unsure *unsure)
{
    const uint32_t mode = gcn_s(w)[GCN_MODE];
    for (uint64_t m = gcn_active(w); m; m &= m - 1) {
        const unsigned lane = gcn_first_lane(m);
        const uint64_t x = lane_source(w, op, 0, lane);
        const bool wide = gcn_kind_dwords(GCN_KIND(op->mods, 0)) > 1;
        if (unsure->lanes == GCN_UNSURE_ALL ||
            (wide ? is_near_one(lanes_f64(x), 0x1p-53, 0x1p-1022, (mode & GCN_ROUND_F64) >> 2, mode & GCN_DENORM_IN_F64)
                  : is_near_one((double)lanes_f32((uint32_t)x), 0x1p-24, 0x1p-126, mode & GCN_ROUND_F32,
                        mode & GCN_DENORM_IN_F32)))
            return (int)lane;
    }
    return -1;
}

/* Searches for s_getreg of TRAPSTS and s_setreg of TRAPSTS or of MODE's enables, by their bits.  Data may look like
 * such an instruction, which does no harm. */
bool gcn_sees_exceptions(const struct gpudbg_image *image)
{
    const uint32_t getreg = (uint32_t)image->isa->rows[GCN_s_getreg_b32].code;
    const uint32_t setreg = (uint32_t)image->isa->rows[GCN_s_setreg_b32].code;
    const uint32_t setreg_imm = (uint32_t)image->isa->rows[GCN_s_setreg_imm32_b32].code;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_CODE_BYTES) || !s->bytes) continue;
        for (uint64_t at = 0; at + 4 <= s->size; at += 4) {
            uint32_t word;
            memcpy(&word, s->bytes + at, 4);
            if ((word & ~MASK(SOPK, op) & ~MASK(SOPK, sdst) & ~MASK(SOPK, simm16)) != gcn_layouts[GCN_W_SOPK].match[0])
                continue;
            const uint32_t opcode = GET(word, SOPK, op), number = GET(word, SOPK_HWREG, hwreg),
                           first = GET(word, SOPK_HWREG, offset), last = first + GET(word, SOPK_HWREG, size);
            const bool get = opcode == getreg, set = opcode == setreg || opcode == setreg_imm;
            if (number == GCN_HW_TRAPSTS && (get || set) && first < 9) return true;
            if (number == GCN_HW_MODE && set && last >= 12 && first <= 20) return true;
        }
    }
    return false;
}
