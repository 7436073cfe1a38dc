/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vector.h: the computation of one lane, for the vector rows of ops.def that need more than two lines.
 *
 * Pure functions of values; no result depends on the last bit of a C library function.  Sources: Sea Islands register
 * reference, chapter 4; AMD GCN3 and Vega manuals for the parts that it leaves out.
 */
#ifndef GCN_VECTOR_H
#define GCN_VECTOR_H

#include "gcn_nan.h"
#include "gpudbg/lanes.h"

/* ---- Fused multiply-add: by the processor's instruction, else by other means that are exact as well ---- */

#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__aarch64__)
#define FMA_IN_HARDWARE 1
#else
#define FMA_IN_HARDWARE 0
#endif

/* a * b + c rounded to odd as a double: rounding that to a float, or a scaled one, rounds once (Boldo and Melquiond).
 * The product of floats is exact as a double, the sum is corrected by its own error; needs rounding to nearest. */
static inline double gcn_fma32_odd(float a, float b, float c)
{
    double p = (double)a * b, s = p + c;
    double pp = s - c, error = (p - pp) + (c - (s - pp));
    uint64_t bits = lanes_bits64(s);
    bool fix = s - s == 0 && error != 0 && !(bits & 1);
    uint64_t step = (error > 0) == (s > 0) ? 1 : (uint64_t)-1;
    return lanes_f64(fix ? bits + step : bits);
}

static inline float gcn_fma32(float a, float b, float c, bool nearest)
{
#if FMA_IN_HARDWARE
    (void)nearest;
    return __builtin_fmaf(a, b, c);
#else
    return nearest ? (float)gcn_fma32_odd(a, b, c) : fmaf(a, b, c);
#endif
}

static inline double gcn_fma64(double a, double b, double c) { return __builtin_fma(a, b, c); }

/* ---- Division ---- */

#define EXP32(x) ((int)(lanes_bits32(x) >> 23 & 0xff))
#define EXP64(x) ((int)(lanes_bits64(x) >> 52 & 0x7ff))

/* v_div_scale: the manual's rules in order, but for one: a denominator whose reciprocal is a denormal, as is the
 * quotient, is scaled down, where the manual's formula scales it up.  Scaled up it is an infinity, and LLVM's division,
 * which is exact, would not be.  *flag marks the lane for v_div_fmas. */
static inline float gcn_div_scale32(float s0, float s1, float s2, uint32_t *flag)
{
    const bool denominator = s0 == s1, numerator = s0 == s2;
    const int e1 = EXP32(s1), e2 = EXP32(s2);
    /* 1 / S1 is denormal above 2^126. */
    const bool tiny = (e1 != 0xff) & ((lanes_bits32(s1) & ~LANES_SIGN32) > 0x7e800000);
    const double quotient = (double)s2 / (double)s1;
    const bool tiny_quotient = (e1 != 0xff) & (e2 != 0xff) &
                               ((lanes_bits64(quotient) & ~LANES_SIGN64) < 0x3810000000000000u);
    /* From the last rule to the first. */
    const float up = 0x1p64f, if_denominator = lanes_select_f32(denominator, up, 1),
                if_numerator = lanes_select_f32(numerator, up, 1);
    float scale = lanes_select_f32(e2 <= 23, up, 1);
    uint32_t f = tiny_quotient;
    scale = lanes_select_f32(tiny_quotient, if_numerator, scale);
    f = lanes_select(tiny, 0, f);
    scale = lanes_select_f32(tiny, 0x1p-64f, scale);
    f = lanes_select(tiny & tiny_quotient, 1, f);
    scale = lanes_select_f32(tiny & tiny_quotient, lanes_select_f32(denominator, 0x1p-64f, 1), scale);
    f = lanes_select(e1 == 0, 0, f);
    scale = lanes_select_f32(e1 == 0, up, scale);
    f = lanes_select(e2 - e1 >= 96, 1, f);
    scale = lanes_select_f32(e2 - e1 >= 96, if_denominator, scale);
    const bool zero = (s1 == 0) | (s2 == 0);
    *flag = lanes_select(zero, 0, f);
    return lanes_select_f32(zero, lanes_f32(LANES_NAN32), s0 * scale);
}

static inline double gcn_div_scale64(double s0, double s1, double s2, uint32_t *flag)
{
    *flag = 0;
    bool denominator = s0 == s1, numerator = s0 == s2;
    if (s1 == 0 || s2 == 0) return lanes_f64(LANES_NAN64);
    int e1 = EXP64(s1), e2 = EXP64(s2);
    bool tiny = e1 != 0x7ff && (e1 > 2045 || (e1 == 2045 && (lanes_bits64(s1) & 0xfffffffffffffu)));
    /* |S2 / S1| < 2^-1022: compares significands, scaled to [0.5, 1), if the exponents differ by just 1022. */
    int difference = lanes_exponent64(s2) - lanes_exponent64(s1);
    double m1 = lanes_significand64(s1), m2 = lanes_significand64(s2);
    bool less = (m2 < 0 ? -m2 : m2) < (m1 < 0 ? -m1 : m1);
    bool tiny_quotient = e1 != 0x7ff && e2 != 0x7ff && (difference < -1022 || (difference == -1022 && less));
    if (e2 - e1 >= 768) {
        *flag = 1;
        return denominator ? s0 * 0x1p128 : s0;
    }
    if (e1 == 0) return s0 * 0x1p128;
    if (tiny && tiny_quotient) {
        *flag = 1;
        return denominator ? s0 * 0x1p-128 : s0;
    }
    if (tiny) return s0 * 0x1p-128;
    if (tiny_quotient) {
        *flag = 1;
        return numerator ? s0 * 0x1p128 : s0;
    }
    return e2 <= 53 ? s0 * 0x1p128 : s0;
}

/* A lane that is scaled down rounds once, with the scale: a denormal must not be rounded twice. */
static inline float gcn_div_fmas32(float s0, float s1, float s2, bool scaled, bool nearest)
{
    float r = gcn_fma32(s0, s1, s2, nearest);
    if (!scaled || r - r != 0) return r;
    if (EXP32(s2) > 127) return r * 0x1p64f;
    /* Rounding twice in one direction is rounding once. */
    return nearest ? (float)(gcn_fma32_odd(s0, s1, s2) * 0x1p-64) : r * 0x1p-64f;
}

static inline double gcn_div_fmas64(double s0, double s1, double s2, bool scaled, bool nearest)
{
    double r = gcn_fma64(s0, s1, s2);
    if (!scaled) return r;
    if (EXP64(s2) > 1023) return r * 0x1p128;
    double d = r * 0x1p-128;
    if (!nearest) return d;
    /* If the first rounding made a tie for the second, the error of the first decides. */
    double rest = r - d * 0x1p128, error = gcn_fma64(s0, s1, s2 - r);
    bool tie = rest == 0x1p-947 || rest == -0x1p-947;
    return tie && error != 0 && (error > 0) == (rest > 0) ? d + rest * 0x1p-127 : d;
}

/* A source that is returned unchanged, except that a NaN becomes quiet. */
static inline float gcn_quiet32(float x)
{
    const uint32_t bits = lanes_bits32(x);
    return lanes_f32(lanes_isnan32(bits) ? bits | 0x400000 : bits);
}

/* S0 quotient, S1 denominator, S2 numerator.  The steps before give NaN for a quotient that is too large (CLRX's GCN
 * documentation, "V_DIV_FIXUP_F64"): that is an infinity. */
static inline float gcn_div_fixup32(float s0, float s1, float s2)
{
    uint32_t b0 = lanes_bits32(s0), b1 = lanes_bits32(s1), b2 = lanes_bits32(s2);
    uint32_t sign = (b1 ^ b2) & LANES_SIGN32, a1 = b1 & ~LANES_SIGN32, a2 = b2 & ~LANES_SIGN32;
    uint32_t r = sign | (s0 != s0 ? LANES_INF32 : b0 & ~LANES_SIGN32);
    if (EXP32(s1) == 255) r = sign | LANES_INF32;
    if (EXP32(s2) - EXP32(s1) < -150) r = sign;
    if ((a1 == LANES_INF32) | (a2 == 0)) r = sign;
    if ((a1 == 0) | (a2 == LANES_INF32)) r = sign | LANES_INF32;
    if (((a1 == 0) & (a2 == 0)) | ((a1 == LANES_INF32) & (a2 == LANES_INF32))) r = GCN_NAN32;
    if (a1 > LANES_INF32) r = b1 | 0x400000;
    if (a2 > LANES_INF32) r = b2 | 0x400000;
    return lanes_f32(r);
}

static inline double gcn_div_fixup64(double s0, double s1, double s2)
{
    const uint64_t quiet = 1ull << 51;
    uint64_t b0 = lanes_bits64(s0), b1 = lanes_bits64(s1), b2 = lanes_bits64(s2);
    uint64_t sign = (b1 ^ b2) & LANES_SIGN64, a1 = b1 & ~LANES_SIGN64, a2 = b2 & ~LANES_SIGN64;
    uint64_t r = sign | (s0 != s0 ? LANES_INF64 : b0 & ~LANES_SIGN64);
    if (EXP64(s1) == 0x7ff) r = sign | LANES_INF64;
    if (EXP64(s2) - EXP64(s1) < -1075) r = sign;
    if (a1 == LANES_INF64 || a2 == 0) r = sign;
    if (a1 == 0 || a2 == LANES_INF64) r = sign | LANES_INF64;
    if ((a1 == 0 && a2 == 0) || (a1 == LANES_INF64 && a2 == LANES_INF64)) r = GCN_NAN64;
    if (a1 > LANES_INF64) r = b1 | quiet;
    if (a2 > LANES_INF64) r = b2 | quiet;
    return lanes_f64(r);
}

/* ---- Functions of one float: evaluated in double precision, rounded to float once ---- */

static inline float gcn_rsq32(float x) { return (float)(1.0 / __builtin_sqrt((double)x)); }

double gcn_rsq64(double x); /* vector.c; correctly rounded */

static inline uint32_t gcn_magnitude(float x) { return lanes_bits32(x) & ~LANES_SIGN32; }

/* The most turns of older chips, 256; and 2^24, from where on a float is a whole number. */
enum { GCN_MOST_TURNS = 0x43800000, GCN_WHOLE_TURNS = 0x4b800000 };

/* Sine of x turns, or of 0 if they are more than `most`, plus `quarters` quarter turns; x is reduced exactly. */
static inline float gcn_turns(float x, int32_t quarters, uint32_t most)
{
    double t = (double)lanes_select_f32(gcn_magnitude(x) <= most, x, 0), i = (t * 4 + 0x1.8p52) - 0x1.8p52,
           r = t - i * 0.25;
    int32_t q = (int32_t)i + quarters;
    double v = q & 1 ? lanes_cos_eighth(r) : lanes_sin_eighth(r);
    return (float)(q & 2 ? 0 - v : v);
}

/* Sine and cosine beyond `most` turns are those of 0; of infinities and NaNs they are NaN. */
static inline float gcn_sin(float x, uint32_t most)
{
    float r = lanes_select_f32(gcn_magnitude(x) == 0, x, gcn_turns(x, 0, most));
    return lanes_select_f32(gcn_magnitude(x) >= LANES_INF32, lanes_f32(LANES_NAN32), r);
}

static inline float gcn_cos(float x, uint32_t most)
{
    return lanes_select_f32(gcn_magnitude(x) >= LANES_INF32, lanes_f32(LANES_NAN32), gcn_turns(x, 1, most));
}

static inline float gcn_clamp_infinity32(float x)
{
    return x == INFINITY ? 0x1.fffffep127f : x == -INFINITY ? -0x1.fffffep127f : x;
}

static inline double gcn_clamp_infinity64(double x)
{
    return x == INFINITY ? 0x1.fffffffffffffp1023 : x == -INFINITY ? -0x1.fffffffffffffp1023 : x;
}

/* +-infinity becomes +-0. */
static inline float gcn_zero_infinity(float x) { return x == INFINITY ? 0.0f : x == -INFINITY ? -0.0f : x; }

static inline float gcn_fract32(float x)
{
    float r = x - lanes_floor32(x);
    return r > 0x1.fffffep-1f ? 0x1.fffffep-1f : r;
}

static inline double gcn_fract64(double x)
{
    double r = x - lanes_floor64(x);
    return r > 0x1.fffffffffffffp-1 ? 0x1.fffffffffffffp-1 : r;
}

/* To the nearest whole number, halves to even, whatever the rounding mode: the mantissa's last bits drop off the end.
 */
static inline float gcn_rndne32(float x)
{
    float a = lanes_f32(lanes_bits32(x) & ~LANES_SIGN32), r = a < 0x1p23f ? (a + 0x1p23f) - 0x1p23f : a;
    return lanes_f32(lanes_bits32(r) | (lanes_bits32(x) & LANES_SIGN32));
}

static inline double gcn_rndne64(double x)
{
    double a = lanes_f64(lanes_bits64(x) & ~LANES_SIGN64), r = a < 0x1p52 ? (a + 0x1p52) - 0x1p52 : a;
    return lanes_f64(lanes_bits64(r) | (lanes_bits64(x) & LANES_SIGN64));
}

/* The 53 bits of 2/pi's fraction from a place on that follows the exponent of x; see the manual's V_TRIG_PREOP_F64. */
double gcn_trig_preop(double x, uint32_t segment); /* vector.c */

/* ---- Comparisons ---- */

/* v_cmp_class: bit 0 signalling NaN, 1 quiet NaN, 2 -infinity, 3 -normal, 4 -denormal, 5 -0, 6 to 9 the positive ones.
 */
static inline uint32_t gcn_class(bool sign, bool nan, bool quiet, bool infinity, bool normal, bool zero)
{
    if (nan) return quiet ? 2 : 1;
    if (infinity) return sign ? 1 << 2 : 1 << 9;
    if (normal) return sign ? 1 << 3 : 1 << 8;
    if (zero) return sign ? 1 << 5 : 1 << 6;
    return sign ? 1 << 4 : 1 << 7;
}

static inline uint32_t gcn_class32(uint32_t x)
{
    uint32_t a = x & ~LANES_SIGN32;
    return gcn_class(x >> 31, a > LANES_INF32, x >> 22 & 1, a == LANES_INF32, a >> 23, !a);
}

static inline uint32_t gcn_class16(uint32_t x)
{
    uint32_t a = x & 0x7fff;
    return gcn_class(x >> 15 & 1, a > 0x7c00, x >> 9 & 1, a == 0x7c00, a >> 10, !a);
}

static inline uint32_t gcn_class64(uint64_t x)
{
    uint64_t a = x & ~LANES_SIGN64;
    return gcn_class(x >> 63, a > LANES_INF64, x >> 51 & 1, a == LANES_INF64, a >> 52, !a);
}

/* The median; with a NaN, the smallest of the others. */
static inline float gcn_med3(float a, float b, float c, bool ieee)
{
    float lo = lanes_min32(a, b, ieee), hi = lanes_max32(a, b, ieee);
    bool nan = (a != a) | (b != b) | (c != c);
    float middle = lanes_max32(lo, lanes_min32(hi, c, false), false), least = lanes_min32(lo, c, ieee);
    return lanes_select_f32(nan, least, middle);
}

static inline int32_t gcn_med3i(int32_t a, int32_t b, int32_t c)
{
    return lanes_maxi(lanes_mini(a, b), lanes_mini(lanes_maxi(a, b), c));
}

static inline uint32_t gcn_med3u(uint32_t a, uint32_t b, uint32_t c)
{
    return lanes_maxu(lanes_minu(a, b), lanes_minu(lanes_maxu(a, b), c));
}

/* ---- Cube maps: the face that a direction meets, +x -x +y -y +z -z, and the coordinates there ---- */

static inline float gcn_abs(float x) { return lanes_f32(lanes_bits32(x) & ~LANES_SIGN32); }

static inline float gcn_negate(float x) { return lanes_f32(lanes_bits32(x) ^ LANES_SIGN32); }

enum { GCN_X, GCN_Y, GCN_Z };

static inline int gcn_major(float x, float y, float z)
{
    float ax = gcn_abs(x), ay = gcn_abs(y), az = gcn_abs(z);
    return az >= ax && az >= ay ? GCN_Z : ay >= ax ? GCN_Y : GCN_X;
}

static inline float gcn_cubeid(float x, float y, float z)
{
    int m = gcn_major(x, y, z);
    float along = m == GCN_Z ? z : m == GCN_Y ? y : x;
    return (float)(2 * m + (along < 0));
}

static inline float gcn_cubema(float x, float y, float z)
{
    int m = gcn_major(x, y, z);
    return 2.0f * (m == GCN_Z ? z : m == GCN_Y ? y : x);
}

static inline float gcn_cubesc(float x, float y, float z)
{
    int m = gcn_major(x, y, z);
    return m == GCN_Z ? (z < 0 ? gcn_negate(x) : x) : m == GCN_Y ? x : x < 0 ? z : gcn_negate(z);
}

static inline float gcn_cubetc(float x, float y, float z)
{
    int m = gcn_major(x, y, z);
    return m == GCN_Y ? (y < 0 ? gcn_negate(z) : z) : gcn_negate(y);
}

/* ---- Products, bytes, fields ---- */

/* 0 times anything is 0. */
static inline float gcn_mul_legacy(float a, float b) { return a == 0 || b == 0 ? 0 : a * b; }

static inline float gcn_fma_legacy(float a, float b, float c, bool nearest)
{
    return a == 0 || b == 0 ? gcn_fma32(0, 0, c, nearest) : gcn_fma32(a, b, c, nearest);
}

/* The lowest float also where b is not above it (AMD's manual of RDNA 3, V_MULLIT_F32; of R600, MUL_LIT). */
static inline float gcn_mullit(float a, float b, float c)
{
    return !(c > 0) || !(b > -0x1.fffffep127f) ? -0x1.fffffep127f : gcn_mul_legacy(a, b);
}

static inline int32_t gcn_i24(uint32_t x) { return (int32_t)(x << 8) >> 8; }

static inline uint32_t gcn_bfe(uint32_t x, uint32_t lo, uint32_t width)
{
    return x >> (lo & 31) & ((1u << (width & 31)) - 1);
}

static inline uint32_t gcn_bfe_signed(int32_t x, uint32_t lo, uint32_t width)
{
    uint32_t field = (uint32_t)(x >> (lo & 31)), top = (width & 31) ? 32 - (width & 31) : 0;
    return width & 31 ? (uint32_t)((int32_t)(field << top) >> top) : 0;
}

static inline uint32_t gcn_difference(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static inline uint32_t gcn_sad8(uint32_t a, uint32_t b)
{
    return gcn_difference(a & 255, b & 255) + gcn_difference(a >> 8 & 255, b >> 8 & 255) +
           gcn_difference(a >> 16 & 255, b >> 16 & 255) + gcn_difference(a >> 24, b >> 24);
}

/* Bytes that are 0 in b do not count. */
static inline uint32_t gcn_msad8(uint32_t a, uint32_t b)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i += 8) sum += b >> i & 255 ? gcn_difference(a >> i & 255, b >> i & 255) : 0;
    return sum;
}

/* Four sums: b against the bytes of a from byte 0, 1, 2 and 3 on, each added to a 16-bit field, which wraps. */
static inline uint64_t gcn_qsad(uint64_t a, uint32_t b, uint64_t sums, bool masked)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 4; i++) {
        uint32_t window = (uint32_t)(a >> (8 * i)), sad = masked ? gcn_msad8(window, b) : gcn_sad8(window, b);
        r |= (uint64_t)(uint16_t)((sums >> (16 * i)) + sad) << (16 * i);
    }
    return r;
}

struct gcn_u128 {
    uint32_t dword[4];
};

static inline struct gcn_u128 gcn_mqsad32(uint64_t a, uint32_t b, struct gcn_u128 sums)
{
    for (unsigned i = 0; i < 4; i++) sums.dword[i] += gcn_msad8((uint32_t)(a >> (8 * i)), b);
    return sums;
}

static inline uint32_t gcn_lerp8(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i += 8) r |= ((a >> i & 255) + (b >> i & 255) + (c >> i & 1)) >> 1 << i;
    return r;
}

/* A float as a byte, rounded as the mode says, put in byte `at` of x. */
static inline uint32_t gcn_pack_u8(float f, uint32_t at, uint32_t x)
{
    float whole = f > 0 ? (f < 255 ? (f + 0x1p23f) - 0x1p23f : 255) : 0;
    uint32_t shift = 8 * (at & 3);
    return (x & ~(255u << shift)) | (uint32_t)(int32_t)whole << shift;
}

/* Bits of x below this lane's, among the 32 lanes from `from` on. */
static inline uint32_t gcn_below(uint32_t x, int lane, int from)
{
    int n = lane - from;
    return n <= 0 ? 0 : n >= 32 ? x : x & ((1u << n) - 1);
}

static inline uint64_t gcn_mad_u64(uint32_t a, uint32_t b, uint64_t c, uint32_t *carry)
{
    uint64_t r = (uint64_t)a * b + c;
    *carry = r < c;
    return r;
}

/* The carry is bit 64 of the sum of sign-extended numbers. */
static inline uint64_t gcn_mad_i64(int32_t a, int32_t b, uint64_t c, uint32_t *carry)
{
    uint64_t p = (uint64_t)((int64_t)a * b), r = p + c;
    bool overflow = (~(p ^ c) & (p ^ r)) >> 63;
    *carry = (uint32_t)(r >> 63) ^ overflow;
    return r;
}

/* ---- Handlers of interp.c ---- */

struct gcn_level;
struct gcn_op;
struct gpudbg_insn;
struct gpudbg_wave;
const struct gcn_op *gcn_interp_p1(struct gpudbg_wave *, const struct gcn_op *);
const struct gcn_op *gcn_interp_p1lv(struct gpudbg_wave *, const struct gcn_op *);
const struct gcn_op *gcn_interp_p2(struct gpudbg_wave *, const struct gcn_op *);
const struct gcn_op *gcn_interp_mov(struct gpudbg_wave *, const struct gcn_op *);
/* Whether a row interpolates; takes such an instruction apart; and why it is not executed, as gcn_vector_refuses. */
bool gcn_is_interp(unsigned id);
bool gcn_interp_op(const struct gpudbg_insn *, const struct gcn_level *, struct gcn_op *);
const char *gcn_interp_refuses(const struct gpudbg_insn *);

#endif
