/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * systolic.c: dpas, products of matrices.  Row r of the result, in channel c, is that of source 0 and the sum over the
 * depth of products of source 2's elements of row r with source 1's of channel c.  The elements of both are packed: a
 * dword of source 1 has those of several steps if they are narrower than the widest factor allows.
 *
 * Source: Intel's compiler, documentation of vISA, DPAS; the extension cl_intel_subgroup_matrix_multiply_accumulate;
 * IGA 1.1.
 * Inferred: integers wrap, floats are added in order, each product and sum rounded once, results of bf and hf again.
 */
#include "alu/arith.h"
#include "alu/gen_alu.h"
#include "gpudbg/lanes.h"

static bool is_half(unsigned type) { return type == GEN_HF || type == GEN_BF; }
/* Sums of halves are F or halves of the same kind. */
static bool is_sum(unsigned type, unsigned of)
{
    return is_half(of) ? type == GEN_F32 || type == of : type == GEN_D || type == GEN_UD;
}
static bool is_integer(unsigned type) { return type == GEN_UB || type == GEN_B || gen_type_in_byte(type) > 1; }

static uint32_t element(unsigned type, const uint8_t *from, unsigned n)
{
    const unsigned bits = gen_systolic_bits(type), at = n * bits;
    if (bits > 8) return from[at / 8] | (uint32_t)from[at / 8 + 1] << 8;
    return (uint32_t)from[at / 8] >> at % 8 & ((1u << bits) - 1);
}

static int32_t integer(unsigned type, const uint8_t *from, unsigned n)
{
    const unsigned bits = gen_systolic_bits(type);
    const uint32_t v = element(type, from, n);
    const bool negative = (type == GEN_B || type == GEN_S4 || type == GEN_S2) && v >> (bits - 1);
    return negative ? (int32_t)v - (1 << bits) : (int32_t)v;
}

static uint32_t wide(unsigned type, uint32_t half)
{
    static const struct gen_fp fp = {.keep_hf = true, .keep_f = true};
    return type == GEN_BF ? half << 16 : (uint32_t)gen_float_convert(GEN_HF, GEN_F32, half, &fp);
}

/* To the nearest bf, ties to even. */
static uint32_t brain(uint32_t f)
{
    if ((f & 0x7fffffff) > 0x7f800000) return f >> 16 | 0x40;
    return (f + 0x7fff + (f >> 16 & 1)) >> 16;
}

static uint32_t sum(const struct gen_insn *x, uint32_t from, const uint8_t *row, const uint8_t *column)
{
    static const struct gen_fp fp = {.keep_hf = true, .keep_f = true};
    const unsigned a = x->src[1].type, b = x->src[2].type, n = gen_systolic_elements(x), steps = gen_systolic_steps(x);
    for (unsigned k = 0; k < gen_systolic_depth(x); k++)
        for (unsigned e = 0; e < n; e++) {
            const uint8_t *of = column + 4u * x->exec_size * (k / steps);
            const unsigned at = k % steps * n + e, other = k * n + e;
            from = is_half(a) ? (uint32_t)gen_float_fma(
                                    GEN_F32, wide(a, element(a, of, at)), wide(b, element(b, row, other)), from, &fp)
                              : from + (uint32_t)(integer(a, of, at) * integer(b, row, other));
        }
    return from;
}

/* NULL: a fault. */
static const struct gen_step *refuse(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_insn *x = op->insn;
    const struct gen_operand *d = &x->dst, *s = x->src;
    const char *name = x->row->name;
    const bool floats = is_half(s[1].type);
    if (floats ? s[1].type != s[2].type : !is_integer(s[1].type) || !is_integer(s[2].type))
        return GEN_FAULT(
            w, op, -1, "%s has no factors of %s and %s", name, gen_type_name[s[1].type], gen_type_name[s[2].type]);
    for (int k = -1; k < 3; k++) {
        const struct gen_operand *o = k < 0 ? d : &s[k];
        const bool null = !k && o->file == GEN_NULL, sums = k < 1;
        if (sums && !is_sum(o->type, s[1].type))
            return GEN_FAULT(
                w, op, -1, "%s adds no products of %s to %s", name, gen_type_name[s[1].type], gen_type_name[o->type]);
        if ((o->file != GEN_GRF && !null) || x->acc_wr_en)
            return GEN_FAULT(w, op, -1, "%s has only general registers as operands, and null as source 0", name);
        if (!null && 32u * o->reg + o->sub + gen_systolic_bytes(x, k) > gen_grf_bytes(w))
            return GEN_FAULT(w, op, -1, "%s: an operand is not within r0 to r%u", name, gen_of(w)->grfs - 1);
    }
    return op;
}

bool gen_systolic_refused(struct gpudbg_wave *w, const struct gen_step *op) { return !refuse(w, op); }

const struct gen_step *gen_systolic_with(struct gpudbg_wave *w, const struct gen_step *op, const uint8_t *source2)
{
    static const struct gen_fp fp = {.keep_hf = true, .keep_f = true};
    const struct gen_insn *x = op->insn;
    const struct gen_operand *d = &x->dst, *s = x->src;
    const uint32_t write = gen_mask(w, x) & gen_pass_mask(w, x);
    const unsigned from_size = gen_type_size[s[0].type], size = gen_type_size[d->type];
    uint8_t *grf = gen_grf(w);
    uint32_t result[8][GEN_CHANNELS];
    for (unsigned r = 0; r < gen_systolic_rows(x); r++)
        for (unsigned c = 0; c < x->exec_size; c++) {
            uint32_t v = 0;
            if (s[0].file == GEN_GRF)
                memcpy(&v, grf + 32u * s[0].reg + s[0].sub + from_size * (r * x->exec_size + c), from_size);
            if (from_size == 2) v = wide(s[0].type, v);
            v = sum(x, v, source2 + gen_systolic_row(x) * r, grf + 32u * s[1].reg + s[1].sub + 4u * c);
            result[r][c] = d->type == GEN_BF   ? brain(v)
                           : d->type == GEN_HF ? (uint32_t)gen_float_convert(GEN_F32, GEN_HF, v, &fp)
                                               : v;
        }
    for (unsigned r = 0; r < gen_systolic_rows(x); r++)
        for (unsigned c = 0; c < x->exec_size; c++)
            if (write >> c & 1)
                memcpy(grf + 32u * d->reg + d->sub + size * (r * x->exec_size + c), &result[r][c], size);
    return gen_next(op);
}

const struct gen_step *gen_systolic(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_operand *o = &op->insn->src[2];
    return gen_systolic_refused(w, op) ? NULL : gen_systolic_with(w, op, gen_grf(w) + 32u * o->reg + o->sub);
}
