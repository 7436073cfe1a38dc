/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What instructions raise, against exact arithmetic by whole numbers (exact.h), in every rounding mode, with denormals
 * kept and flushed, on corners and random values.
 */
#include "tap.h"

#include "decoders/gcn/alu/exceptions.h"
#include "decoders/gcn/gcn_ops.h"
#include "core/exact.h"

static uint64_t state = 88172645463325252ull;

static uint64_t random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* ---- The model ---- */

struct kind {
    struct exact_format f;
    unsigned bits;
    int top; /* 2^top is beyond all numbers */
};

static const struct kind single = {{23, 8}, 32, 128}, real = {{52, 11}, 64, 1024}, half = {{10, 5}, 16, 16};

static uint64_t fraction(uint64_t x, struct kind k) { return x & ((1ull << k.f.mant) - 1); }

static uint64_t exponent(uint64_t x, struct kind k) { return x >> k.f.mant & ((1ull << k.f.exp) - 1); }

static bool nan_of(uint64_t x, struct kind k) { return exponent(x, k) == (1ull << k.f.exp) - 1 && fraction(x, k); }

static bool signals(uint64_t x, struct kind k) { return nan_of(x, k) && !(x >> (k.f.mant - 1) & 1); }

static bool tiny(uint64_t x, struct kind k) { return !exponent(x, k) && fraction(x, k); }

static uint64_t flush(uint64_t x, struct kind k, bool keep)
{
    return tiny(x, k) && !keep ? x >> (k.bits - 1) << (k.bits - 1) : x;
}

/* What writing the exact number as the kind raises. */
static uint32_t written(const struct exact *x, struct kind k, int round, bool keep)
{
    if (x->nan || x->inf) return 0;
    const uint64_t bits = exact_round(x, k.f, round);
    const struct exact back = exact_from(bits, k.f);
    struct exact limit = {0};
    exact_place(&limit, 1, k.top);
    if (back.inf || exact_compare(x, &limit) >= 0) return GCN_OVERFLOW | GCN_INEXACT;
    const bool inexact = exact_compare(x, &back) != 0, small = !exponent(bits, k), flushed = tiny(bits, k) && !keep;
    return (inexact || flushed ? GCN_INEXACT : 0) | ((small && inexact) || flushed ? GCN_UNDERFLOW : 0);
}

static uint32_t read_in(uint64_t *x, unsigned n, struct kind k, bool keep)
{
    uint32_t flags = 0;
    for (unsigned i = 0; i < n; i++) {
        flags |= signals(x[i], k) ? GCN_INVALID : tiny(x[i], k) && keep ? GCN_INPUT_DENORMAL : 0;
        x[i] = flush(x[i], k, keep);
    }
    return flags;
}

static bool any_nan(const uint64_t *x, unsigned n, struct kind k)
{
    for (unsigned i = 0; i < n; i++)
        if (nan_of(x[i], k)) return true;
    return false;
}

/* A new NaN is invalid. */
static uint32_t ended(const struct exact *r, struct kind k, int round, bool keep)
{
    return r->nan ? (uint32_t)GCN_INVALID : written(r, k, round, keep);
}

static uint32_t sum(uint64_t a, uint64_t b, struct kind k, int round, bool keep)
{
    const uint64_t x[2] = {a, b};
    if (any_nan(x, 2, k)) return 0;
    const struct exact p = exact_from(a, k.f), q = exact_from(b, k.f), r = exact_add(&p, &q, round);
    return ended(&r, k, round, keep);
}

static uint32_t product(uint64_t a, uint64_t b, struct kind k, int round, bool keep)
{
    const uint64_t x[2] = {a, b};
    if (any_nan(x, 2, k)) return 0;
    const struct exact r = exact_mul(a, b, k.f);
    return ended(&r, k, round, keep);
}

static uint32_t fused(uint64_t a, uint64_t b, uint64_t c, struct kind k, int round, bool keep)
{
    const uint64_t x[3] = {a, b, c};
    if (any_nan(x, 2, k)) return 0;
    const struct exact p = exact_mul(a, b, k.f), q = exact_from(c, k.f);
    if (p.nan) return GCN_INVALID;
    if (nan_of(c, k)) return 0;
    const struct exact r = exact_add(&p, &q, round);
    return ended(&r, k, round, keep);
}

static uint32_t quotient(uint64_t a, uint64_t b, struct kind k, int round, bool keep)
{
    const uint64_t x[2] = {a, b};
    if (any_nan(x, 2, k)) return 0;
    const struct exact p = exact_from(a, k.f), q = exact_from(b, k.f);
    if (exact_is_zero(&q) && !q.inf && !p.inf && !exact_is_zero(&p)) return GCN_DIVISION_BY_ZERO;
    const struct exact r = exact_div(a, b, k.f);
    return ended(&r, k, round, keep);
}

static uint32_t root(uint64_t a, struct kind k, int round, bool keep)
{
    if (nan_of(a, k)) return 0;
    const struct exact r = exact_sqrt(a, k.f);
    return ended(&r, k, round, keep);
}

static uint64_t negated(uint64_t x, struct kind k) { return x ^ 1ull << (k.bits - 1); }

/* The number x cut to whole numbers, as an integer where it fits 64 bits; *part: something was cut off. */
static bool whole_of(uint64_t bits, struct kind k, long long *whole, bool *part)
{
    int e;
    bool neg;
    uint64_t m = exact_take(bits, k.f, &e, &neg);
    *part = false;
    if (exponent(bits, k) == (1ull << k.f.exp) - 1 || e > 8) return false;
    if (e >= 0)
        m <<= e;
    else {
        *part = -e >= 64 ? m != 0 : (m & ((1ull << -e) - 1)) != 0;
        m = -e >= 64 ? 0 : m >> -e;
    }
    *whole = neg ? -(long long)m : (long long)m;
    return true;
}

static uint32_t integer(uint64_t bits, struct kind k, long long least, long long most)
{
    long long n;
    bool part;
    if (!whole_of(bits, k, &n, &part) || n < least || n > most) return GCN_INVALID;
    return part ? GCN_INEXACT : 0;
}

static uint32_t narrowed(uint64_t bits, struct kind from, struct kind to, int round, bool keep)
{
    const struct exact x = exact_from(bits, from.f);
    return nan_of(bits, from) ? 0 : written(&x, to, round, keep);
}

static uint32_t model(unsigned id, const uint64_t source[3], uint32_t mode)
{
    const int round = mode & 3, round64 = mode >> 2 & 3;
    const bool in = mode & GCN_DENORM_IN_F32, out = mode & GCN_DENORM_OUT_F32, in64 = mode & GCN_DENORM_IN_F64,
               out64 = mode & GCN_DENORM_OUT_F64;
    uint64_t x[3] = {source[0], source[1], source[2]};
    uint32_t flags;
    switch (id) {
    case GCN_v_add_f32: flags = read_in(x, 2, single, in); return flags | sum(x[0], x[1], single, round, out);
    case GCN_v_sub_f32:
        flags = read_in(x, 2, single, in);
        return flags | sum(x[0], negated(x[1], single), single, round, out);
    case GCN_v_subrev_f32:
        flags = read_in(x, 2, single, in);
        return flags | sum(x[1], negated(x[0], single), single, round, out);
    case GCN_v_mul_f32: flags = read_in(x, 2, single, in); return flags | product(x[0], x[1], single, round, out);
    case GCN_v_fma_f32: flags = read_in(x, 3, single, in); return flags | fused(x[0], x[1], x[2], single, round, out);
    case GCN_v_div_fixup_f32:
        flags = read_in(x + 1, 2, single, in);
        return flags | quotient(x[2], x[1], single, round, out);
    case GCN_v_rcp_f32:
        flags = read_in(x, 1, single, false);
        return flags | quotient(0x3f800000, x[0], single, EXACT_NEAREST, false);
    case GCN_v_sqrt_f32: flags = read_in(x, 1, single, false); return flags | root(x[0], single, EXACT_NEAREST, false);
    case GCN_v_add_f64: flags = read_in(x, 2, real, in64); return flags | sum(x[0], x[1], real, round64, out64);
    case GCN_v_mul_f64: flags = read_in(x, 2, real, in64); return flags | product(x[0], x[1], real, round64, out64);
    case GCN_v_fma_f64: flags = read_in(x, 3, real, in64); return flags | fused(x[0], x[1], x[2], real, round64, out64);
    case GCN_v_div_fixup_f64:
        flags = read_in(x + 1, 2, real, in64);
        return flags | quotient(x[2], x[1], real, round64, out64);
    case GCN_v_rcp_f64:
        flags = read_in(x, 1, real, in64);
        return flags | quotient(0x3ff0000000000000, x[0], real, EXACT_NEAREST, out64);
    case GCN_v_sqrt_f64: flags = read_in(x, 1, real, in64); return flags | root(x[0], real, EXACT_NEAREST, out64);
    case GCN_v_cvt_f32_f64: flags = read_in(x, 1, real, in64); return flags | narrowed(x[0], real, single, round, out);
    case GCN_v_cvt_f64_f32: return read_in(x, 1, single, in);
    case GCN_v_cvt_f16_f32:
        flags = read_in(x, 1, single, in);
        return flags | narrowed(x[0], single, half, round64, out64);
    case GCN_v_cvt_pkrtz_f16_f32:
        flags = read_in(x, 2, single, in);
        return flags | narrowed(x[0], single, half, EXACT_ZERO, out64) |
               narrowed(x[1], single, half, EXACT_ZERO, out64);
    case GCN_v_cvt_f32_f16: x[0] &= 0xffff; return read_in(x, 1, half, in64);
    case GCN_v_cvt_i32_f32:
        flags = read_in(x, 1, single, in);
        return flags | integer(x[0], single, INT32_MIN, INT32_MAX);
    case GCN_v_cvt_u32_f32: flags = read_in(x, 1, single, in); return flags | integer(x[0], single, 0, UINT32_MAX);
    case GCN_v_cvt_i32_f64: flags = read_in(x, 1, real, in64); return flags | integer(x[0], real, INT32_MIN, INT32_MAX);
    case GCN_v_cvt_u32_f64: flags = read_in(x, 1, real, in64); return flags | integer(x[0], real, 0, UINT32_MAX);
    case GCN_v_min_f32: return read_in(x, 2, single, true);
    case GCN_v_floor_f64: return read_in(x, 1, real, in64);
    case GCN_v_cmp_lt_f32: return read_in(x, 2, single, in);
    case GCN_v_cmps_lt_f32: flags = read_in(x, 2, single, in); return flags | (any_nan(x, 2, single) ? GCN_INVALID : 0);
    case GCN_v_cmpsx_neq_f64: flags = read_in(x, 2, real, in64); return flags | (any_nan(x, 2, real) ? GCN_INVALID : 0);
    case GCN_v_rcp_iflag_f32: read_in(x, 1, single, false); return x[0] << 33 ? 0 : GCN_INTEGER_DIVISION;
    }
    return 0;
}

/* ---- Operands ---- */

static const uint32_t corners32[] = {0, 0x80000000, 1, 0x80000001, 0x7fffff, 0x800000, 0x800001, 0x807fffff, 0x3f800000,
    0xbf800000, 0x40000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff,
    0x4f000000, 0xcf000000, 0x4f800000, 0x3f000000, 0x477fe000, 0x477ff000, 0x47800000, 0x38800000, 0x387fffff,
    0x33000000, 0x33800000, 0x40490fdb, 0x00400000, 0x34000000};
static const uint64_t corners64[] = {0, 1ull << 63, 1, 0xfffffffffffff, 0x10000000000000, 0x8010000000000001,
    0x3ff0000000000000, 0xbff0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
    0x7ff8000000000000, 0x7ff0000000000001, 0x41dfffffffc00000, 0xc1e0000000000000, 0x41efffffffe00000,
    0x47efffffe0000000, 0x47effffff0000000, 0x3810000000000000, 0x380fffffffffffff, 0x36a0000000000000,
    0x400921fb54442d18, 0x3ca0000000000000, 0x8000000000000001};

static uint64_t operand(bool wide)
{
    const uint64_t r = random64();
    if (r % 4 == 0)
        return wide ? corners64[(r >> 8) % (sizeof corners64 / sizeof *corners64)]
                    : corners32[(r >> 8) % (sizeof corners32 / sizeof *corners32)];
    if (r % 4 == 1) /* near 1, so that operations meet */
        return wide ? (0x3f00000000000000 + (random64() >> 8 & 0x1ffffffffffffff)) | r >> 8 << 63
                    : (uint32_t)((0x3f000000 + (random64() & 0x1ffffff)) | (r >> 8 & 1) << 31);
    return wide ? random64() : (uint32_t)random64();
}

static const struct row {
    const char *name;
    unsigned id;
    bool wide;
} rows[] = {
#define ROW(name, wide)         \
    {                           \
#name, GCN_##name, wide \
    }
    ROW(v_add_f32, false),
    ROW(v_sub_f32, false),
    ROW(v_subrev_f32, false),
    ROW(v_mul_f32, false),
    ROW(v_fma_f32, false),
    ROW(v_div_fixup_f32, false),
    ROW(v_rcp_f32, false),
    ROW(v_sqrt_f32, false),
    ROW(v_add_f64, true),
    ROW(v_mul_f64, true),
    ROW(v_fma_f64, true),
    ROW(v_div_fixup_f64, true),
    ROW(v_rcp_f64, true),
    ROW(v_sqrt_f64, true),
    ROW(v_cvt_f32_f64, true),
    ROW(v_cvt_f64_f32, false),
    ROW(v_cvt_f16_f32, false),
    ROW(v_cvt_pkrtz_f16_f32, false),
    ROW(v_cvt_f32_f16, false),
    ROW(v_cvt_i32_f32, false),
    ROW(v_cvt_u32_f32, false),
    ROW(v_cvt_i32_f64, true),
    ROW(v_cvt_u32_f64, true),
    ROW(v_min_f32, false),
    ROW(v_floor_f64, true),
    ROW(v_cmp_lt_f32, false),
    ROW(v_cmps_lt_f32, false),
    ROW(v_cmpsx_neq_f64, true),
    ROW(v_rcp_iflag_f32, false),
};

static void check(const struct row *row)
{
    char wrong[200] = "";
    uint32_t met = 0;
    for (unsigned n = 0; n < 3000 && !*wrong; n++) {
        const uint32_t mode = (uint32_t)random64() & 0xff;
        const uint64_t source[3] = {operand(row->wide), operand(row->wide), operand(row->wide)};
        const uint32_t got = gcn_lane_exceptions(row->id, source, mode), want = model(row->id, source, mode);
        met |= want;
        if (got != want)
            snprintf(wrong, sizeof wrong, "0x%llx 0x%llx 0x%llx mode 0x%x: 0x%x, not 0x%x",
                (unsigned long long)source[0], (unsigned long long)source[1], (unsigned long long)source[2], mode, got,
                want);
    }
    is_str(wrong, "", "%s", row->name);
    ok(met != 0, "%s: something was raised", row->name);
}

/* Where the answer is known without arithmetic. */
static void functions(void)
{
    static const struct {
        const char *name;
        unsigned id;
        uint32_t source, want;
    } cases[] = {
#define CASE(name, source, want) {#name, GCN_##name, source, want}
        CASE(v_exp_f32, 0x40400000, 0),
        CASE(v_exp_f32, 0x3f000000, GCN_INEXACT),
        CASE(v_exp_f32, 0x43000000, GCN_OVERFLOW | GCN_INEXACT),
        CASE(v_exp_f32, 0xc3000000, GCN_UNDERFLOW | GCN_INEXACT),
        CASE(v_exp_f32, 0x7f800001, GCN_INVALID),
        CASE(v_log_f32, 0x41000000, 0),
        CASE(v_log_f32, 0x40400000, GCN_INEXACT),
        CASE(v_log_f32, 0, GCN_DIVISION_BY_ZERO),
        CASE(v_log_f32, 0xbf800000, GCN_INVALID),
        CASE(v_log_f32, 0x7f800000, 0),
        CASE(v_rsq_f32, 0x40800000, 0),
        CASE(v_rsq_f32, 0x40000000, GCN_INEXACT),
        CASE(v_rsq_f32, 0x80000000, GCN_DIVISION_BY_ZERO),
        CASE(v_rsq_f32, 0xc0000000, GCN_INVALID),
        CASE(v_rsq_f32, 0x3e800000, 0),
        CASE(v_sin_f32, 0x3e800000, 0),
        CASE(v_sin_f32, 0x3dcccccd, GCN_INEXACT),
        CASE(v_sin_f32, 0x7f800000, GCN_INVALID),
        CASE(v_cos_f32, 0x3f800000, 0),
        CASE(v_cos_f32, 0xff800000, GCN_INVALID),
        CASE(v_sin_f32, 0x43801000, 0), /* 256.125 */
        CASE(v_sin_f32_newer, 0x43801000, GCN_INEXACT),
        CASE(v_cos_f32_newer, 0x7f7fffff, 0),
        CASE(v_cos_f32_newer, 0xff800000, GCN_INVALID),
        CASE(v_cvt_flr_i32_f32, 0xbf000000, GCN_INEXACT),
        CASE(v_cvt_rpi_i32_f32, 0x4f000000, GCN_INVALID),
        CASE(v_cvt_f32_u32, 0x01000001, GCN_INEXACT),
        CASE(v_cvt_f32_i32, 0xff000000, 0),
        CASE(v_cvt_f64_i32, 0x7fffffff, 0),
        CASE(v_fract_f32, 0x3fc00000, 0),
        CASE(v_frexp_mant_f32, 0x7f800001, GCN_INVALID),
        CASE(v_mov_b32, 0x7f800001, 0),
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint64_t source[3] = {cases[i].source, 0, 0};
        is_int(gcn_lane_exceptions(cases[i].id, source, 0xf0), cases[i].want, "%s of 0x%x", cases[i].name,
            cases[i].source);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) check(&rows[i]);
    functions();
    return tap_done();
}
