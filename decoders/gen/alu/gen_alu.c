/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_alu.c: the operations.  Ivy Bridge manual, volume 4 part 3; differences of Gen12 are noted at each place. */
#include "alu/gen_alu.h"
#include "ops.h"

#include <stdlib.h>

/* A switch for each, because the manual does not say: is the product of a mad, line, pln or lrp rounded before it is
 * added?  Of a mac it is a fact of the generation. */
enum { FUSED_MAD = 1, FUSED_OTHERS = 0 };

/* ---- Conditions ---- */

bool gen_condition_int(unsigned cmod, gen_wide d)
{
    switch (cmod) {
    case GEN_C_Z: return d == 0;
    case GEN_C_NZ: return d != 0;
    case GEN_C_G: return d > 0;
    case GEN_C_GE: return d >= 0;
    case GEN_C_L: return d < 0;
    case GEN_C_LE: return d <= 0;
    default: return false;
    }
}

bool gen_condition_float(unsigned cmod, enum gen_order order)
{
    switch (cmod) {
    case GEN_C_Z: return order == GEN_EQUAL;
    case GEN_C_NZ: return order != GEN_EQUAL;
    case GEN_C_G: return order == GEN_GREATER;
    case GEN_C_GE: return order == GEN_GREATER || order == GEN_EQUAL;
    case GEN_C_L: return order == GEN_LESS;
    case GEN_C_LE: return order == GEN_LESS || order == GEN_EQUAL;
    case GEN_C_U: return order == GEN_UNORDERED;
    default: return false;
    }
}

/* 2.3.1.1: a NaN in src1 answers yes, one in src0 alone no; for "not equal" the other way round. */
static bool compare_nan(const struct gen_work *k, unsigned cmod, uint64_t a, uint64_t b)
{
    if (gen_is_nan(k->type, b)) return cmod != GEN_C_NZ;
    if (gen_is_nan(k->type, a)) return cmod == GEN_C_NZ;
    return gen_condition_float(cmod, gen_float_order(k->type, a, b));
}

/* nan: a NaN decides as compare_nan says. */
static bool compare(const struct gen_work *k, unsigned i, bool nan)
{
    const struct gen_value *a = &k->src[0][i], *b = &k->src[1][i];
    unsigned cmod = k->insn->cmod;
    if (k->type != GEN_D)
        return nan ? compare_nan(k, cmod, a->f, b->f) : gen_condition_float(cmod, gen_float_order(k->type, a->f, b->f));
    if (cmod == GEN_C_O) return !gen_int_fits(k->size == 2 ? GEN_W : k->size == 8 ? GEN_Q : GEN_D, a->i - b->i);
    return gen_condition_int(cmod, a->i - b->i);
}

/* ---- Selection ---- */

/* 2.3.1.4: minimum and maximum; of two NaNs src1. */
static bool select_first(const struct gen_work *k, unsigned i)
{
    const struct gen_value *a = &k->src[0][i], *b = &k->src[1][i];
    unsigned cmod = k->insn->cmod;
    if (!cmod) return k->pass >> i & 1;
    if (k->type == GEN_D) return gen_condition_int(cmod, a->i - b->i);
    if (gen_is_nan(k->type, a->f) && gen_is_nan(k->type, b->f)) return false;
    struct gen_fp fp = k->fp;
    return compare_nan(k, cmod, gen_float_in(k->type, a->f, &fp), gen_float_in(k->type, b->f, &fp));
}

static struct gen_value choose(const struct gen_work *k, unsigned i)
{
    const struct gen_insn *insn = k->insn;
    unsigned which = !select_first(k, i);
    struct gen_value v = k->src[which][i];
    if (insn->shape == GEN_TERNARY) { /* csel */
        const struct gen_value *c = &k->src[2][i];
        bool first = k->type == GEN_D ? gen_condition_int(insn->cmod, c->i)
                                      : gen_condition_float(insn->cmod,
                                            gen_float_order(k->type, gen_float_in(k->type, c->f, &k->fp), 0));
        v = k->src[!first][i];
    } else if (k->type != GEN_D && insn->cmod) {
        v.f = gen_float_in(k->type, v.f, &k->fp);
    }
    return v;
}

/* ---- Integers ---- */

static uint64_t bits_of(const struct gen_work *k, gen_wide v)
{
    return (uint64_t)v & (k->size == 8 ? UINT64_MAX : k->size == 4 ? UINT32_MAX : 0xffff);
}

static gen_wide number_of(unsigned size, bool is_signed, uint64_t bits)
{
    static const uint8_t types[2][3] = {{GEN_UW, GEN_UD, GEN_UQ}, {GEN_W, GEN_D, GEN_Q}};
    return gen_int_read(types[is_signed][size == 2 ? 0 : size == 4 ? 1 : 2], bits);
}

/* A pattern of bits as a number of the operation's width, signed as the destination is.  If the destination is wider,
 * or a float, src0's type decides how the bits are extended: 2.4.2. */
static gen_wide as_number(const struct gen_work *k, uint64_t bits)
{
    const unsigned to = k->insn->dst.type;
    const bool converted = gen_type_is_float(to) || gen_type_size[to] > k->size;
    return number_of(k->size, gen_type_is_signed(converted ? k->insn->src[0].type : to), bits);
}

/* Low bits as a number, as many as the operation or the destination has: for the results of and, or, xor, not, whose
 * sources are first extended to the destination's width, each by its own type (2.4.2). */
static gen_wide low_bits(const struct gen_work *k, gen_wide v)
{
    const unsigned to = k->insn->dst.type;
    if (gen_type_is_float(to)) return as_number(k, (uint64_t)v);
    return number_of(gen_type_size[to] > k->size ? gen_type_size[to] : k->size, gen_type_is_signed(to), (uint64_t)v);
}

static unsigned count_of(const struct gen_work *k, gen_wide v) { return (unsigned)v & (k->size == 8 ? 63 : 31); }

static gen_wide shift_right(const struct gen_work *k, gen_wide a, gen_wide b)
{
    const unsigned n = count_of(k, b);
    return as_number(k, n < 8 * k->size ? bits_of(k, a) >> n : 0);
}

static gen_wide rotate(const struct gen_work *k, gen_wide value, gen_wide by, bool left)
{
    unsigned width = k->size * 8, n = (unsigned)by & (width - 1);
    uint64_t v = bits_of(k, value);
    if (!left) n = (width - n) & (width - 1);
    return as_number(k, n ? v << n | v >> (width - n) : v);
}

static gen_wide multiply(const struct gen_work *k, gen_wide a, gen_wide b)
{
    const struct gen_insn *insn = k->insn;
    unsigned first = gen_type_size[insn->src[0].type], second = gen_type_size[insn->src[1].type];
    bool low = second == 4 && insn->src[1].type != GEN_VF && (insn->eu->cuts_dwords || first == 4) &&
               !insn->eu->whole_dwords;
    return a * (low ? (gen_wide)((uint64_t)b & 0xffff) : b); /* a dword times the low word of a dword */
}

static unsigned acc_size(const struct gen_work *k)
{
    unsigned dst = gen_type_size[k->insn->dst.type];
    return k->size > dst ? k->size : dst;
}

static gen_wide accumulator(const struct gen_work *k, unsigned i)
{
    unsigned size = acc_size(k);
    return gen_acc_read(k->wave, k->acc + (int64_t)i * size, size);
}

static gen_wide mach(struct gen_work *k, unsigned i)
{
    gen_wide sum = accumulator(k, i) + k->src[0][i].i * (k->src[1][i].i >> 16) * 65536; /* mul used the low word */
    bool low = k->insn->eu->low_half && !k->insn->acc_wr_en;
    /* 64 bits are kept; an unsigned product needs all of them */
    sum = gen_int_read(GEN_Q, (uint64_t)sum);
    k->second[i] = sum;
    uint64_t bits = (uint64_t)sum;
    return as_number(k, low ? bits : bits >> 32);
}

static gen_wide extract(const struct gen_work *k, unsigned i)
{
    unsigned width = (unsigned)k->src[0][i].i & 31, offset = (unsigned)k->src[1][i].i & 31;
    uint32_t v = (uint32_t)k->src[2][i].i;
    bool is_signed = k->insn->src[2].type == GEN_D;
    if (!width) return 0;
    if (offset + width < 32) v = v << (32 - offset - width);
    unsigned right = offset + width < 32 ? 32 - width : offset;
    return is_signed ? (gen_wide)((int32_t)v >> right) : (gen_wide)(v >> right);
}

static gen_wide insert(const struct gen_work *k, gen_wide a, gen_wide b, gen_wide c)
{
    uint32_t mask = (uint32_t)a, v = (uint32_t)b, into = (uint32_t)c;
    unsigned shift = mask ? (unsigned)__builtin_ctz(mask) : 0;
    return as_number(k, ((v << shift) & mask) | (into & ~mask));
}

static uint32_t reverse(uint32_t v)
{
    uint32_t r = 0;
    for (unsigned i = 0; i < 32; i++) r |= (v >> i & 1) << (31 - i);
    return r;
}

static gen_wide first_high(const struct gen_work *k, gen_wide value)
{
    uint32_t v = (uint32_t)value;
    if (gen_type_is_signed(k->insn->src[0].type) && v >> 31) v = ~v;
    return v ? (gen_wide)__builtin_clz(v) : (gen_wide)UINT32_MAX;
}

/* Bit by bit, the bit of the function that the bits of the sources number. */
static gen_wide truth(const struct gen_work *k, gen_wide a, gen_wide b, gen_wide c)
{
    uint64_t answer = 0;
    for (unsigned f = 0; f < 8; f++)
        if (k->insn->func >> f & 1)
            answer |= (uint64_t)(f & 1 ? a : ~a) & (uint64_t)(f & 2 ? b : ~b) & (uint64_t)(f & 4 ? c : ~c);
    return low_bits(k, (gen_wide)answer);
}

static gen_wide dot_bytes(const struct gen_work *k, unsigned i)
{
    uint32_t a = (uint32_t)k->src[1][i].i, b = (uint32_t)k->src[2][i].i;
    bool a_signed = k->insn->src[1].type == GEN_D, b_signed = k->insn->src[2].type == GEN_D;
    gen_wide sum = k->src[0][i].i;
    for (unsigned j = 0; j < 32; j += 8) {
        int x = a_signed ? (int8_t)(a >> j) : (uint8_t)(a >> j), y = b_signed ? (int8_t)(b >> j) : (uint8_t)(b >> j);
        sum += x * y;
    }
    return sum;
}

static gen_wide magnitude(gen_wide v) { return v < 0 ? -v : v; }

/* Every second channel gets the differences of its pair. */
static gen_wide differences(const struct gen_work *k, unsigned i)
{
    if (i & 1) return 0;
    unsigned j = i + 1 < GEN_CHANNELS ? i + 1 : i;
    return magnitude(k->src[0][i].i - k->src[1][i].i) + magnitude(k->src[0][j].i - k->src[1][j].i);
}

static gen_wide first_low(const struct gen_work *k, gen_wide value)
{
    const uint64_t v = bits_of(k, value);
    return v ? (gen_wide)__builtin_ctzll(v) : (gen_wide)UINT32_MAX;
}

static gen_wide count_ones(const struct gen_work *k, gen_wide value)
{
    const unsigned size = gen_type_size[k->insn->src[0].type];
    return __builtin_popcountll((uint64_t)gen_int_read(size == 1   ? GEN_UB
                                                       : size == 2 ? GEN_UW
                                                                   : GEN_UD,
        (uint64_t)value));
}

static gen_wide add_with_carry(struct gen_work *k, unsigned i)
{
    const uint64_t sum = (uint64_t)(uint32_t)k->src[0][i].i + (uint32_t)k->src[1][i].i;
    k->second[i] = sum >> 32;
    return (uint32_t)sum;
}

static gen_wide subtract_with_borrow(struct gen_work *k, unsigned i)
{
    const uint32_t a = (uint32_t)k->src[0][i].i, b = (uint32_t)k->src[1][i].i;
    k->second[i] = a < b;
    return k->insn->saturate && a < b ? 0 : a - b;
}

/* ---- Floats ---- */

static uint64_t multiply_add(const struct gen_work *k, uint64_t a, uint64_t b, uint64_t c, bool fused)
{
    if (fused) return gen_float_fma(k->type, a, b, c, &k->fp);
    return gen_float_add(k->type, gen_float_mul(k->type, a, b, &k->fp), c, &k->fp);
}

/* plus: the fourth component of src1 is added. */
static uint64_t dot(const struct gen_work *k, unsigned i, unsigned terms, bool plus)
{
    const unsigned first = i & ~3u;
    uint64_t sum = gen_float_mul(k->type, k->src[0][first].f, k->src[1][first].f, &k->fp);
    for (unsigned j = 1; j < terms; j++)
        sum = gen_float_add(
            k->type, sum, gen_float_mul(k->type, k->src[0][first + j].f, k->src[1][first + j].f, &k->fp), &k->fp);
    return plus ? gen_float_add(k->type, sum, k->src[1][first + 3].f, &k->fp) : sum;
}

/* An F of src0's scalar region, or of the register pairs of pln's src1, by its byte distance from the origin. */
static uint64_t coefficient(const struct gen_work *k, unsigned n, unsigned bytes)
{
    const struct gen_operand *o = &k->insn->src[n];
    uint64_t bits = gen_load(k->wave, o->file, gen_element(k->wave, k->insn, (int)n, 0) + bytes, 4);
    if (o->abs) bits &= 0x7fffffff;
    return gen_float_in(GEN_F32, o->neg ? bits ^ 0x80000000 : bits, &k->fp);
}

static uint64_t line(const struct gen_work *k, uint64_t b)
{
    return multiply_add(k, coefficient(k, 0, 0), b, coefficient(k, 0, 12), FUSED_OTHERS);
}

static uint64_t plane(const struct gen_work *k, unsigned i)
{
    unsigned pair = i / 8 * 64 + i % 8 * 4;
    uint64_t sum = multiply_add(k, coefficient(k, 0, 0), coefficient(k, 1, pair), coefficient(k, 0, 12), FUSED_OTHERS);
    return multiply_add(k, coefficient(k, 0, 4), coefficient(k, 1, pair + 32), sum, FUSED_OTHERS);
}

static uint64_t interpolate(const struct gen_work *k, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t one = gen_int_to_float(k->type, 1, &k->fp), sign = (uint64_t)1 << (gen_type_size[k->type] * 8 - 1);
    uint64_t rest = gen_float_add(k->type, one, a ^ sign, &k->fp);
    return multiply_add(k, a, b, gen_float_mul(k->type, rest, c, &k->fp), FUSED_OTHERS);
}

static uint64_t float_accumulator(const struct gen_work *k, unsigned i)
{
    unsigned size = gen_type_size[k->type];
    return gen_float_in(k->type, gen_load(k->wave, GEN_ACC, k->acc + (int64_t)i * size, size), &k->fp);
}

/* ---- The math function ---- */

static bool compute_math(struct gen_work *k, unsigned i)
{
    unsigned f = k->insn->func;
    if (f == GEN_MATH_IDIV || f == GEN_MATH_IQOT || f == GEN_MATH_IREM) {
        if (k->type != GEN_D) return false;
        gen_wide a = k->src[0][i].i, b = k->src[1][i].i, quotient;
        if (k->insn->eu->divides_by_dst) { /* the destination's type decides whether the dwords are signed */
            a = gen_int_read(k->insn->dst.type, (uint64_t)a);
            b = gen_int_read(k->insn->dst.type, (uint64_t)b);
        }
        gen_math_divide(a, b, &quotient, &k->second[i]);
        k->out[i].i = f == GEN_MATH_IREM ? k->second[i] : quotient;
        return true;
    }
    if (k->type != GEN_F32 && k->type != GEN_HF && !gen_is_macro(k->insn)) return false;
    if (!k->insn->eu->math[f & 15]) return false;
    k->out[i].f = gen_math_float(k->type, f, k->src[0][i].f, k->src[1][i].f, &k->fp);
    return true;
}

/* ---- The rows of ops.def ---- */

#define NO_RESULT return false
#define RESULT_I(value) \
    *r = (value);       \
    break
#define RESULT_TRY(call) return call
#define RESULT_ANSWER(yes)            \
    k->flags |= (uint32_t)(yes) << i; \
    break
#define RESULT_HALF(value)                     \
    k->out[i].i = (gen_wide)half_of(k, value); \
    break
#define RESULT_NONE NO_RESULT

static uint64_t half_of(const struct gen_work *k, uint64_t f)
{
    return gen_float_convert(GEN_F32, GEN_HF, k->insn->saturate ? gen_float_saturate(GEN_F32, f) : f, &k->fp);
}

static bool compute_int(struct gen_work *k, unsigned i)
{
    gen_wide *r = &k->out[i].i;
    switch ((enum gen_op)k->insn->op) {
#define A k->src[0][i].i
#define B k->src[1][i].i
#define C k->src[2][i].i
#define INTEGERS_NONE NO_RESULT
#define INTEGERS_ALU(integers, floats, fast, fast_float) RESULT_##integers
#define OP(name, codes, shape, flags, operands, doc, traits, may, types, alu) \
    case GEN_OP_##name:                                                       \
        INTEGERS_##alu;
#include "ops.def"
#undef OP
#undef A
#undef B
#undef C
    default: return false;
    }
    return true;
}

static bool compute_float(struct gen_work *k, unsigned i)
{
    uint64_t *r = &k->out[i].f;
    switch ((enum gen_op)k->insn->op) {
#define A k->src[0][i].f
#define B k->src[1][i].f
#define C k->src[2][i].f
#define FLOATS_NONE NO_RESULT
#define FLOATS_ALU(integers, floats, fast, fast_float) RESULT_##floats
#define OP(name, codes, shape, flags, operands, doc, traits, may, types, alu) \
    case GEN_OP_##name:                                                       \
        FLOATS_##alu;
#include "ops.def"
#undef OP
#undef A
#undef B
#undef C
    default: return false;
    }
    return true;
}

unsigned gen_acc_read_size(const struct gen_work *k)
{
    if (!GEN_IS(k->insn->op, READS_ACC)) return 0;
    return k->type == GEN_D ? acc_size(k) : gen_type_size[k->type];
}

bool gen_compute(struct gen_work *k)
{
    for (unsigned i = 0; i < k->n; i++)
        if (!(k->type == GEN_D ? compute_int(k, i) : compute_float(k, i))) return false;
    return true;
}
