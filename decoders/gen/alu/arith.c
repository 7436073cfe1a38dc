/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arith.c: floats in integer arithmetic: unpacked to a sign, an exponent and a wide significand, computed, rounded
 * once. */
#include "alu/arith.h"

__extension__ typedef unsigned __int128 wide_bits;

/* ---- Formats ---- */

struct format {
    uint8_t bits, fraction; /* stored bits; bits of the fraction */
    int16_t bias;
};

static const struct format *format_of(unsigned type)
{
    static const struct format hf = {16, 10, 15}, bf = {16, 7, 127}, f = {32, 23, 127}, df = {64, 52, 1023};
    return type == GEN_HF ? &hf : type == GEN_DF ? &df : type == GEN_BF ? &bf : &f;
}

static uint64_t mask_of(unsigned bits) { return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1; }

static uint64_t sign_of(const struct format *f, bool sign) { return (uint64_t)sign << (f->bits - 1); }

static uint64_t infinity_of(const struct format *f, bool sign)
{
    return sign_of(f, sign) | (mask_of(f->bits - 1) & ~mask_of(f->fraction));
}

static uint64_t largest_of(const struct format *f, bool sign) { return infinity_of(f, sign) - 1; }

uint64_t gen_nan(unsigned type)
{
    const struct format *f = format_of(type);
    return infinity_of(f, false) | (uint64_t)1 << (f->fraction - 1);
}

static uint64_t magnitude(const struct format *f, uint64_t bits) { return bits & mask_of(f->bits - 1u); }

bool gen_is_nan(unsigned type, uint64_t bits)
{
    const struct format *f = format_of(type);
    return magnitude(f, bits) > infinity_of(f, false);
}

bool gen_is_zero(unsigned type, uint64_t bits) { return !magnitude(format_of(type), bits); }

static bool is_denormal(const struct format *f, uint64_t bits)
{
    uint64_t m = magnitude(f, bits);
    return m && m <= mask_of(f->fraction);
}

static bool keeps(unsigned type, const struct gen_fp *fp)
{
    return type == GEN_HF ? fp->keep_hf : type == GEN_DF ? fp->keep_df : fp->keep_f && !fp->alt;
}

struct gen_fp gen_fp_modes(const struct gen_eu *eu, uint32_t cr0)
{
    return (struct gen_fp){
        .round = cr0 >> 4 & 3,
        .alt = cr0 & 1,
        .cuts = eu->cuts_doubles,
        .keep_df = cr0 >> 6 & 1,
        .keep_f = cr0 & eu->keep_f,
        .keep_hf = !eu->keep_hf || cr0 & eu->keep_hf,
    };
}

uint64_t gen_float_out(unsigned type, uint64_t bits, const struct gen_fp *fp)
{
    const struct format *f = format_of(type);
    if (!fp->alt || type != GEN_F32) return bits;
    if (gen_is_nan(type, bits)) return 0;
    return magnitude(f, bits) == infinity_of(f, false) ? largest_of(f, bits >> 31 & 1) : bits;
}

uint64_t gen_float_in(unsigned type, uint64_t bits, const struct gen_fp *fp)
{
    const struct format *f = format_of(type);
    if (is_denormal(f, bits) && !keeps(type, fp)) return bits & sign_of(f, true);
    return gen_float_out(type, bits, fp);
}

/* ---- Unpacked numbers ---- */

#define TOP 120 /* the significand's leading 1; bits that fall out below are kept as bit 0 */

struct number {
    enum { ZERO, FINITE, INFINITE, NOT } kind;
    bool sign;
    int exp; /* of the leading 1 */
    wide_bits sig;
};

static int leading(wide_bits v)
{
    uint64_t high = (uint64_t)(v >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)v);
}

static wide_bits shift_right(wide_bits v, int n)
{
    if (n <= 0) return v;
    if (n > 127) return v != 0;
    return v >> n | ((v & (((wide_bits)1 << n) - 1)) != 0);
}

static struct number normal(bool sign, int exp, wide_bits sig, int top)
{
    if (!sig) return (struct number){.kind = ZERO, .sign = sign};
    int lead = leading(sig);
    return (struct number){
        FINITE, sign, exp + lead - top, lead <= TOP ? sig << (TOP - lead) : shift_right(sig, lead - TOP)};
}

static struct number unpack(unsigned type, uint64_t bits)
{
    const struct format *f = format_of(type);
    bool sign = bits >> (f->bits - 1) & 1;
    uint64_t m = magnitude(f, bits), fraction = m & mask_of(f->fraction);
    int exp = (int)(m >> f->fraction);
    if (m > infinity_of(f, false)) return (struct number){.kind = NOT};
    if (m == infinity_of(f, false)) return (struct number){.kind = INFINITE, .sign = sign};
    if (exp) fraction |= (uint64_t)1 << f->fraction;
    return normal(sign, (exp ? exp : 1) - f->bias, fraction, f->fraction);
}

static bool rounds_up(enum gen_rounding round, bool sign, bool odd, wide_bits rest, wide_bits half)
{
    switch (round) {
    case GEN_NEAREST: return rest > half || (rest == half && odd);
    case GEN_UP: return rest && !sign;
    case GEN_DOWN: return rest && sign;
    default: return false;
    }
}

static uint64_t pack(unsigned type, struct number n, enum gen_rounding round, bool keep)
{
    const struct format *f = format_of(type);
    if (n.kind == NOT) return gen_nan(type);
    if (n.kind == ZERO) return sign_of(f, n.sign);
    if (n.kind == INFINITE) return infinity_of(f, n.sign);
    int least = 1 - f->bias, below = n.exp < least ? least - n.exp : 0;
    int shift = TOP - f->fraction + (below > 124 - TOP + f->fraction ? 124 - TOP + f->fraction : below);
    wide_bits half = (wide_bits)1 << (shift - 1), rest = n.sig & ((half << 1) - 1);
    uint64_t m = (uint64_t)(n.sig >> shift);
    m += rounds_up(round, n.sign, m & 1, rest, half);
    if (!below) m += (uint64_t)(n.exp + f->bias - 1) << f->fraction; /* a carry goes into the exponent */
    if (m >= infinity_of(f, false) || (!below && n.exp > f->bias)) {
        bool away = round == GEN_NEAREST || (round == GEN_UP && !n.sign) || (round == GEN_DOWN && n.sign);
        return away ? infinity_of(f, n.sign) : largest_of(f, n.sign);
    }
    if (m <= mask_of(f->fraction) && !keep) m = 0;
    return sign_of(f, n.sign) | m;
}

static uint64_t result(unsigned type, struct number n, const struct gen_fp *fp)
{
    return gen_float_out(type, pack(type, n, fp->round, keeps(type, fp)), fp);
}

/* ---- Arithmetic ---- */

static struct number add(struct number a, struct number b, enum gen_rounding round)
{
    if (a.kind == NOT || b.kind == NOT || (a.kind == INFINITE && b.kind == INFINITE && a.sign != b.sign))
        return (struct number){.kind = NOT};
    if (a.kind == INFINITE || b.kind == INFINITE) return a.kind == INFINITE ? a : b;
    if (a.kind == ZERO && b.kind == ZERO)
        return (struct number){.kind = ZERO, .sign = a.sign == b.sign ? a.sign : round == GEN_DOWN};
    if (a.kind == ZERO || b.kind == ZERO) return a.kind == ZERO ? b : a;
    if (a.exp < b.exp || (a.exp == b.exp && a.sig < b.sig)) {
        struct number t = a;
        a = b;
        b = t;
    }
    b.sig = shift_right(b.sig, a.exp - b.exp);
    if (a.sign != b.sign && a.sig == b.sig) return (struct number){.kind = ZERO, .sign = round == GEN_DOWN};
    return normal(a.sign, a.exp, a.sign == b.sign ? a.sig + b.sig : a.sig - b.sig, TOP);
}

static struct number mul(struct number a, struct number b)
{
    bool sign = a.sign != b.sign;
    if (a.kind == NOT || b.kind == NOT || (a.kind == INFINITE && b.kind == ZERO) ||
        (a.kind == ZERO && b.kind == INFINITE))
        return (struct number){.kind = NOT};
    if (a.kind == INFINITE || b.kind == INFINITE) return (struct number){.kind = INFINITE, .sign = sign};
    if (a.kind == ZERO || b.kind == ZERO) return (struct number){.kind = ZERO, .sign = sign};
    wide_bits product = (wide_bits)(uint64_t)(a.sig >> (TOP - 52)) * (uint64_t)(b.sig >> (TOP - 52)); /* 53 bits each */
    return normal(sign, a.exp + b.exp, product, 104);
}

uint64_t gen_float_add(unsigned type, uint64_t a, uint64_t b, const struct gen_fp *fp)
{
    return result(type, add(unpack(type, a), unpack(type, b), fp->round), fp);
}

uint64_t gen_float_mul(unsigned type, uint64_t a, uint64_t b, const struct gen_fp *fp)
{
    return result(type, mul(unpack(type, a), unpack(type, b)), fp);
}

uint64_t gen_float_fma_from(unsigned type, uint64_t a, uint64_t b, unsigned from, uint64_t c, const struct gen_fp *fp)
{
    return result(type, add(mul(unpack(type, a), unpack(type, b)), unpack(from, c), fp->round), fp);
}

uint64_t gen_float_fma(unsigned type, uint64_t a, uint64_t b, uint64_t c, const struct gen_fp *fp)
{
    return gen_float_fma_from(type, a, b, type, c, fp);
}

enum gen_order gen_float_order(unsigned type, uint64_t a, uint64_t b)
{
    const struct format *f = format_of(type);
    if (gen_is_nan(type, a) || gen_is_nan(type, b)) return GEN_UNORDERED;
    int64_t x = (int64_t)magnitude(f, a), y = (int64_t)magnitude(f, b);
    x = a & sign_of(f, true) ? -x : x;
    y = b & sign_of(f, true) ? -y : y;
    return x < y ? GEN_LESS : x > y ? GEN_GREATER : GEN_EQUAL;
}

uint64_t gen_float_round(unsigned type, uint64_t bits, enum gen_rounding round)
{
    const struct format *f = format_of(type);
    struct number n = unpack(type, bits);
    if (n.kind == NOT) return gen_nan(type);
    if (n.kind != FINITE || n.exp >= f->fraction) return bits;
    int shift = n.exp < -1 ? TOP + 1 : TOP - n.exp; /* below a half it only matters whether it is 0 */
    wide_bits sig = n.exp < -1 ? (wide_bits)1 : n.sig, half = (wide_bits)1 << (shift - 1),
              rest = sig & ((half << 1) - 1);
    wide_bits whole = shift > TOP + 1 ? 0 : sig >> shift;
    whole += rounds_up(round, n.sign, whole & 1, rest, half);
    return pack(type, normal(n.sign, 0, whole, 0), GEN_NEAREST, true);
}

uint64_t gen_float_frac(unsigned type, uint64_t bits, const struct gen_fp *fp)
{
    const struct format *f = format_of(type);
    if (magnitude(f, bits) >= infinity_of(f, false)) return gen_float_out(type, gen_nan(type), fp);
    uint64_t floor = gen_float_round(type, bits, GEN_DOWN) ^ sign_of(f, true);
    uint64_t r = gen_float_add(type, bits, floor, fp), one = (uint64_t)f->bias << f->fraction;
    if (!magnitude(f, r)) return 0;
    return r >= one ? one - 1 : r;
}

uint64_t gen_float_saturate(unsigned type, uint64_t bits)
{
    const struct format *f = format_of(type);
    uint64_t one = (uint64_t)f->bias << f->fraction;
    if (gen_is_nan(type, bits) || bits & sign_of(f, true)) return 0;
    return bits > one ? one : bits;
}

/* ---- Conversions ---- */

uint64_t gen_float_convert(unsigned from, unsigned to, uint64_t bits, const struct gen_fp *fp)
{
    if (from == to) return bits;
    const bool cuts = fp->cuts && from == GEN_DF && to == GEN_F32;
    return pack(to, unpack(from, bits), cuts ? GEN_TO_ZERO : fp->round, true); /* denormals are always kept */
}

gen_wide gen_float_to_int(unsigned from, unsigned to, uint64_t bits)
{
    struct number n = unpack(from, bits);
    if (n.kind == NOT || n.kind == ZERO || (n.kind == FINITE && n.exp < 0)) return 0;
    gen_wide value = (gen_wide)1 << 100;
    if (n.kind == FINITE && n.exp < 100) value = (gen_wide)(n.sig >> (TOP - n.exp));
    return gen_int_saturate(to, n.sign ? -value : value);
}

uint64_t gen_int_to_float(unsigned to, gen_wide value, const struct gen_fp *fp)
{
    wide_bits m = value < 0 ? -(wide_bits)value : (wide_bits)value;
    return pack(to, normal(value < 0, TOP, m, TOP), fp->round, true);
}

uint32_t gen_restricted_float(uint8_t v)
{
    uint32_t sign = (uint32_t)(v >> 7) << 31;
    return v & 0x7f ? sign | (uint32_t)((v >> 4 & 7) + 124) << 23 | (uint32_t)(v & 15) << 19 : sign;
}

static void range_of(unsigned type, gen_wide *least, gen_wide *most)
{
    unsigned n = gen_type_size[type] * 8u;
    bool is_signed = gen_type_is_signed(type);
    *most = ((gen_wide)1 << (n - is_signed)) - 1;
    *least = is_signed ? -*most - 1 : 0;
}

gen_wide gen_int_saturate(unsigned type, gen_wide value)
{
    gen_wide least, most;
    range_of(type, &least, &most);
    return value < least ? least : value > most ? most : value;
}

bool gen_int_fits(unsigned type, gen_wide value) { return gen_int_saturate(type, value) == value; }
