/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * systolic.c: dpas, products of matrices.  Row r of the result, in channel c, is that of source 0 and the sum over the
 * depth of products of source 2's dword of row r with source 1's dword of channel c, element by element of both.
 *
 * Source: Intel, the extension cl_intel_subgroup_matrix_multiply_accumulate (the layout of the operands); IGA 1.1.
 * Inferred: integers wrap, floats are added in order, each product and sum rounded once, results of bf and hf again.
 */
#include "alu/arith.h"
#include "alu/gen_alu.h"
#include "ops.h"
#include "gpudbg/lanes.h"

/* Elements of a dword; 0: not known how they lie. */
static unsigned elements(unsigned a, unsigned b)
{
    const bool nibbles = gen_type_in_byte(a) == 2 && gen_type_in_byte(b) == 2,
               bytes = (a == GEN_UB || a == GEN_B) && (b == GEN_UB || b == GEN_B),
               halves = (a == GEN_HF || a == GEN_BF) && a == b;
    return nibbles ? 8 : bytes ? 4 : halves ? 2 : 0;
}

static int32_t integer(unsigned type, uint32_t dword, unsigned n, unsigned of)
{
    const unsigned bits = 32 / of;
    const uint32_t v = dword >> n * bits & ((1u << bits) - 1);
    const bool negative = (type == GEN_B || type == GEN_S4) && v >> (bits - 1);
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
    const unsigned a = x->src[1].type, b = x->src[2].type, n = elements(a, b);
    const bool floats = a == GEN_HF || a == GEN_BF;
    for (unsigned k = 0; k < gen_systolic_depth(x); k++) {
        uint32_t u, v;
        memcpy(&u, column + 4u * x->exec_size * k, 4);
        memcpy(&v, row + 4 * k, 4);
        for (unsigned e = 0; e < n; e++)
            from = floats ? (uint32_t)gen_float_fma(
                                GEN_F32, wide(a, u >> 16 * e & 0xffff), wide(b, v >> 16 * e & 0xffff), from, &fp)
                          : from + (uint32_t)(integer(a, u, e, n) * integer(b, v, e, n));
    }
    return from;
}

const struct gen_step *gen_systolic(struct gpudbg_wave *w, const struct gen_step *op)
{
    static const struct gen_fp fp = {.keep_hf = true, .keep_f = true};
    const struct gen_insn *x = op->insn;
    const struct gen_operand *d = &x->dst, *s = x->src;
    const char *name = x->row->name;
    if (x->op == GEN_OP_dpasw) return GEN_FAULT(w, op, -1, "dpasw: not implemented: threads do not run in fused pairs");
    if (!elements(s[1].type, s[2].type))
        return GEN_FAULT(
            w, op, -1, "%s of %s and %s: not implemented", name, gen_type_name[s[1].type], gen_type_name[s[2].type]);
    const bool floats = s[1].type == GEN_HF || s[1].type == GEN_BF;
    for (int k = -1; k < 3; k++) {
        const struct gen_operand *o = k < 0 ? d : &s[k];
        const bool null = !k && o->file == GEN_NULL, sums = k < 1;
        const bool fits = !sums || (floats ? o->type == GEN_F32 || o->type == GEN_HF || o->type == GEN_BF
                                           : o->type == GEN_D || o->type == GEN_UD);
        if (!fits || (o->file != GEN_GRF && !null) || x->acc_wr_en)
            return GEN_FAULT(w, op, -1, "%s: a type or a register that it has not", name);
        if (!null && 32u * o->reg + o->sub + gen_systolic_bytes(x, k) > GEN_GRF_BYTES)
            return GEN_FAULT(w, op, -1, "%s: an operand is not within r0 to r127", name);
    }
    const uint32_t write = gen_mask(w, x) & gen_pass_mask(w, x);
    const unsigned from_size = gen_type_size[s[0].type], size = gen_type_size[d->type];
    const uint8_t *grf = gen_grf(w);
    uint32_t result[8][GEN_CHANNELS];
    for (unsigned r = 0; r < gen_systolic_rows(x); r++)
        for (unsigned c = 0; c < x->exec_size; c++) {
            uint32_t v = 0;
            if (s[0].file == GEN_GRF)
                memcpy(&v, grf + 32u * s[0].reg + s[0].sub + from_size * (r * x->exec_size + c), from_size);
            if (from_size == 2) v = wide(s[0].type, v);
            v = sum(x, v, grf + 32u * s[2].reg + s[2].sub + 4u * gen_systolic_depth(x) * r,
                grf + 32u * s[1].reg + s[1].sub + 4u * c);
            result[r][c] = d->type == GEN_BF   ? brain(v)
                           : d->type == GEN_HF ? (uint32_t)gen_float_convert(GEN_F32, GEN_HF, v, &fp)
                                               : v;
        }
    for (unsigned r = 0; r < gen_systolic_rows(x); r++)
        for (unsigned c = 0; c < x->exec_size; c++)
            if (write >> c & 1)
                memcpy(gen_bytes(w, 32u * d->reg + d->sub + size * (r * x->exec_size + c), size), &result[r][c], size);
    return gen_next(op);
}
