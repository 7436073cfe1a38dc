/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vector.c: the parts of the vector ALU that do not depend on the vector width: two slow functions, and the
 * predecoding of vector instructions.
 */
#include "code/gcn_decoder.h"
#include "alu/vector.h"
#include "alu/gcn_across.h"
#include "engine/gcn_exec.h"
#include "engine/program.h"
#include "gcn.h"
#include "gcn_ops.h"
#include "alu/gcn_lanes_simd.h"
#include "alu/gcn_parts.h"

/* ---- Functions ---- */

__extension__ typedef unsigned __int128 uint128;

/* q^2 * m < 2^160, for q below 2^55 and m below 2^54. */
static bool below(uint64_t q, uint64_t m)
{
    uint128 square = (uint128)q * q;
    uint128 high = (square >> 64) * m + ((uint128)(uint64_t)square * m >> 64);
    return high >> 96 == 0;
}

/* x = m * 2^e with e even and 2^52 <= m < 2^54; the result is c * 2^(-e/2 - 79), c the whole number nearest 2^79 /
 * sqrt(m). A first c from double arithmetic is off by a few at most; the midpoints 2c - 1 and 2c + 1 say which way. */
double gcn_rsq64(double x)
{
    if (x != x || x == 0) return 1 / x;
    if (x < 0) return lanes_f64(LANES_NAN64);
    if (x - x != 0) return 0;
    int32_t e = lanes_exponent64(x) - 53;
    uint64_t m = (uint64_t)(lanes_significand64(x) * 0x1p53);
    if (e & 1) {
        m *= 2;
        e--;
    }
    uint64_t c = (uint64_t)(0x1p79 / __builtin_sqrt((double)m));
    while (below(2 * c + 1, m)) c++;
    while (!below(2 * c - 1, m)) c--;
    return lanes_ldexp64((double)c, -e / 2 - 79);
}

/* The fraction of 2/pi, 1201 bits, the first in bit 63 of the first word. */
static const uint64_t two_over_pi[21] = {
    0xa2f9836e4e441529u,
    0xfc2757d1f534ddc0u,
    0xdb6295993c439041u,
    0xfe5163abdebbc561u,
    0xb7246e3a424dd2e0u,
    0x06492eea09d1921cu,
    0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u,
    0xe99c7026b45f7e41u,
    0x3991d639835339f4u,
    0x9c845f8bbdf9283bu,
    0x1ff897ffde05980fu,
    0xef2f118b5a0a6d1fu,
    0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du,
    0x7527bac7ebe5f17bu,
    0x3d0739f78a5292eau,
    0x6bfb5fb11f8d5d08u,
    0x56033046fc7b6babu & ~0x7fffull,
    0,
    0,
};

double gcn_trig_preop(double x, uint32_t segment)
{
    int exponent = EXP64(x);
    unsigned shift = 53 * (segment & 31);
    if (exponent > 1077) shift += (unsigned)(exponent - 1077);
    if (shift >= 1216) return 0;
    unsigned word = shift / 64, bit = shift % 64;
    uint64_t top = two_over_pi[word] << bit | (bit ? two_over_pi[word + 1] >> (64 - bit) : 0);
    return lanes_ldexp64((double)(top >> 11), -53 - (int32_t)shift + (exponent >= 1968 ? 128 : 0));
}

#define LANES(...) SKIP, 0
#define U32(...) SKIP, 0
#define I32(...) SKIP, 0
#define F32(...) SKIP, 0
#define F32Z(...) SKIP, 0
#define ARITH(...) SKIP, 0
#define ARITHZ(...) SKIP, 0
#define F32K(...) SKIP, 0
#define F32N(...) SKIP, 0
#define F64(...) SKIP, 0
#define F64K(...) SKIP, 0
#define CMP(...) SKIP, 0
#define CMP2(...) SKIP, 0
#define NONE SKIP, 0
#define CALL(fn) ENTRY, fn
#define HALF(...) SKIP, 0
#define HALF_OF(...) SKIP, 0
#define PACKED(...) SKIP, 0
#define MIX(...) SKIP, 0
#define DOT(...) SKIP, 0
#define SKIP(name, none)
#define ENTRY(name, fn) [GCN_##name] = fn,
#define DEFINE(name, ...) DEFINE_(name, __VA_ARGS__)
#define DEFINE_(name, make, ...) make(name, __VA_ARGS__)

static gcn_fn *const handlers[GCN_OPS] = {
#define GCN_VECTOR_ROWS
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"
};

/* ---- Predecoding ---- */

static enum gcn_kind kind_of(const struct gpudbg_operand *o)
{
    switch (o->type) {
    case GCN_F32: return GCN_KIND_F32;
    case GCN_F16: return GCN_KIND_F16;
    case GCN_F64: return GCN_KIND_F64;
    case GCN_I64: return GCN_KIND_I64;
    case GCN_B64:
    case GCN_U64: return GCN_KIND_B64;
    case GCN_B128: return GCN_KIND_B128;
    default: return GCN_KIND_B32;
    }
}

/* A fast handler for an op without modifiers, or the full one. */
static gcn_fn *choose(const struct gcn_level *level, unsigned id, const struct gcn_op *op)
{
    /* By the kinds of the three sources: 0 none, 1 scalar, 2 vector, 3 a pair; first source in the low digit. */
    enum { N, S, V, W };
#define SOURCES(a, b, c) ((a) | (b) << 2 | (c) << 4)
    static const uint8_t fast[64] = {[SOURCES(V, N, N)] = 1 + GCN_FAST_V,
        [SOURCES(S, N, N)] = 1 + GCN_FAST_S,
        [SOURCES(V, V, N)] = 1 + GCN_FAST_VV,
        [SOURCES(S, V, N)] = 1 + GCN_FAST_SV,
        [SOURCES(V, S, N)] = 1 + GCN_FAST_VS,
        [SOURCES(V, V, V)] = 1 + GCN_FAST_VVV,
        [SOURCES(S, V, V)] = 1 + GCN_FAST_SVV,
        [SOURCES(V, S, V)] = 1 + GCN_FAST_VSV,
        [SOURCES(V, V, S)] = 1 + GCN_FAST_VVS,
        [SOURCES(V, S, S)] = 1 + GCN_FAST_VSS,
        [SOURCES(S, V, S)] = 1 + GCN_FAST_SVS};
    static const uint8_t wide[64] = {[SOURCES(W, S, N)] = 1 + GCN_FAST_WA,
        [SOURCES(W, V, N)] = 1 + GCN_FAST_WA,
        [SOURCES(W, W, N)] = 1 + GCN_FAST_WW,
        [SOURCES(W, W, W)] = 1 + GCN_FAST_WWW};
    static const uint8_t compare[64] = {
        [SOURCES(V, V, N)] = 1 + GCN_CMP_VV, [SOURCES(S, V, N)] = 1 + GCN_CMP_SV, [SOURCES(V, S, N)] = 1 + GCN_CMP_VS};
    static const uint8_t carry[64] = {[SOURCES(V, V, N)] = 1 + GCN_CARRY_VV,
        [SOURCES(S, V, N)] = 1 + GCN_CARRY_SV,
        [SOURCES(V, S, N)] = 1 + GCN_CARRY_VS};
    const uint16_t codes[3] = {op->a, op->b, op->c};
    const bool masks = op->mods & (GCN_IN | GCN_OUT);
    unsigned sources = 0;
    if (GCN_NEGS(op->mods) || GCN_ABSS(op->mods) || op->mods & (GCN_CLAMP | GCN_OMOD_BITS)) return level->vector;
    for (int i = 0; i < 3; i++) {
        unsigned n = gcn_kind_dwords(GCN_KIND(op->mods, i));
        if (n > 2 || (n == 2 && codes[i] == GCN_LITERAL)) return level->vector;
        sources |= (unsigned)(n == 0 ? N : n == 2 ? W : codes[i] >= GCN_CODE_VGPR ? V : S) << (2 * i);
    }
    unsigned dwords = op->d >= GCN_CODE_VGPR ? gcn_kind_dwords(GCN_KIND(op->mods, 3)) : 0;
    unsigned which = dwords == 0             ? compare[sources]
                     : dwords == 2 && !masks ? wide[sources]
                     : dwords != 1           ? 0
                     : masks                 ? carry[sources]
                                             : fast[sources];
    gcn_fn *hot = which && level->hot[id] ? level->hot[id][which - 1] : NULL;
    gcn_fn *plain = which ? level->fast[which - 1] : NULL;
    return hot ? hot : plain ? plain : level->vector;
#undef SOURCES
}

/* The code of a source: null reads as 0. */
static uint16_t source_code(const struct gpudbg_operand *o) { return o->sub == GCN_CODE_NULL ? GCN_INLINE : o->sub; }

static enum gcn_kind half_kind(const struct gcn_half_row *row, unsigned source, const struct gpudbg_operand *o)
{
    if (row->shape >= GCN_MIXED) return GCN_KIND_F32;
    return row->floats >> source & 1 ? GCN_KIND_F16 : o->type == GCN_F32 ? GCN_KIND_F32 : GCN_KIND_B32;
}

static enum gcn_kind result_kind(const struct gcn_half_row *row)
{
    return row->result == GCN_HALF_FLOAT ? GCN_KIND_F16 : row->result == GCN_DWORD_FLOAT ? GCN_KIND_F32 : GCN_KIND_B32;
}

/* Clamp and omod of the long form, of packed halves, and of SDWA. */
static uint32_t output_modifiers(const struct gpudbg_insn *insn, enum gcn_kind kind)
{
    const bool newer = gcn_chip_of(insn->isa)->newer_vop3, floats = gcn_kind_float(kind);
    const bool longer = insn->variant == GCN_VOP3 || insn->variant == GCN_VOP3H;
    const uint64_t w = word_of(insn);
    uint32_t sdwa, clamp = 0, omod = 0;
    if (gcn_sdwa_word(insn, &sdwa) && insn->variant != GCN_VOPC) {
        clamp = GET(sdwa, SDWA, clamp);
        omod = GET(sdwa, SDWA, omod);
    } else if (insn->variant == GCN_VOP3P) {
        clamp = GET(w, VOP3P, clamp);
    } else if (longer && (newer || floats || gcn_half_row(insn->op))) {
        clamp = !is_vop3b(insn->op) ? GET(w, VOP3, clamp) : newer ? GET(w, VOP3HB_NEWER, clamp) : 0;
        omod = GET(w, VOP3, omod);
    }
    return (clamp ? GCN_CLAMP : 0) | omod << 7;
}

const char *gcn_vector_refuses(const struct gpudbg_insn *insn)
{
    const struct gpudbg_operand *vdst = gcn_operand(insn, GCN_IN_VDST);
    const struct gcn_half_row *half = gcn_half_row(insn->op);
    if (gcn_chip_of(insn->isa)->newer_vop3 && vdst && !gcn_is_mask(vdst->type)) {
        const enum gcn_kind kind = half ? result_kind(half) : kind_of(vdst);
        const uint32_t mods = output_modifiers(insn, kind);
        const bool whole = !gcn_kind_float(kind), second = is_vop3b(insn->op);
        if (mods & GCN_CLAMP && (second || (whole && !half && !gcn_clamped_row(insn->op))))
            return " with clamp of a whole number";
        if (mods & GCN_OMOD_BITS && whole) return " with omod of a whole number";
        if (is_long((int)insn->variant) && takes_sext(insn->op) && GET(word_of(insn), VOP3H, neg) >> 1)
            return " with sext()";
    }
    const char *interp = gcn_interp_refuses(insn);
    return interp ? interp : gcn_parts_refuse(insn);
}

bool gcn_vector_op(const struct gpudbg_insn *insn, const struct gcn_level *level, struct gcn_op *op)
{
    const unsigned id = insn->op->id;
    const bool newer = gcn_chip_of(insn->isa)->newer_vop3;
    const struct gpudbg_operand *vdst = gcn_operand(insn, GCN_IN_VDST), *sdst = gcn_operand(insn, GCN_IN_SDST);
    const struct gpudbg_operand *k = gcn_operand(insn, GCN_IN_K);
    const struct gpudbg_operand *src[3] = {
        gcn_operand(insn, GCN_IN_SRC0), gcn_operand(insn, GCN_IN_SRC1), k ? k : gcn_operand(insn, GCN_IN_SRC2)};
    const bool mask_only = !vdst || gcn_is_mask(vdst->type);
    uint16_t *code[3] = {&op->a, &op->b, &op->c};
    const struct gcn_half_row *half = gcn_half_row(insn->op);
    gcn_fn *const parts = gcn_parts_fn(insn, half);
    uint32_t mods = 0;

    if (gcn_vector_refuses(insn)) return false;
    if (has_literal((int)insn->variant, insn->size)) op->imm = literal_of_insn(insn);
    op->d = vdst ? vdst->sub : sdst ? sdst->sub : newer && insn->op->flags & GCN_EXEC_W ? GCN_EXEC : 0;
    if (op->d == GCN_CODE_NULL) op->d = GCN_SINK;
    /* v_mac and the like: the old destination is the third source. */
    if (insn->op->flags & GCN_DRW && !src[2] && (!half || GCN_ACCUMULATES(id))) src[2] = vdst;
    for (unsigned i = 0; i < 3; i++) {
        const struct gpudbg_operand *o = src[i];
        if (!o) continue;
        *code[i] = source_code(o);
        if (gcn_is_mask(o->type)) {
            mods |= GCN_IN;
            continue;
        }
        enum gcn_kind kind = half && half->shape != GCN_DOTS ? half_kind(half, i, o) : kind_of(o);
        if (o->type == GCN_F16 && o->kind == GPUDBG_NUMBER && !parts) { /* inline constants are halves here */
            *code[i] = GCN_LITERAL;
            op->imm = (uint32_t)o->imm;
        }
        /* Selecting between floats, v_cndmask_b32 applies their modifiers; they also apply to whole dwords that
         * gcn_parts_refuse lets through. */
        if ((id == GCN_v_cndmask_b32 || (insn->op->flags & GCN_OPSEL && !half)) && o->mods && kind == GCN_KIND_B32)
            kind = GCN_KIND_F32;
        mods |= (uint32_t)kind << (16 + 3 * i);
        if (gcn_kind_float(kind)) mods |= (o->mods & GCN_NEG ? 1u << i : 0) | (o->mods & GCN_ABS ? 8u << i : 0);
    }
    if (handlers[id]) {
        op->fn = handlers[id];
        if (insn->parts[0].format == &gcn_layouts[GCN_W_VOP3H_PERMLANE])
            op->mods = GET(le_u32(insn->raw), VOP3H_PERMLANE, fi) * GCN_PERMLANE_FI |
                       GET(le_u32(insn->raw), VOP3H_PERMLANE, bound_ctrl) * GCN_PERMLANE_BOUND_CTRL;
        return !gcn_is_interp(id) || gcn_interp_op(insn, level, op);
    }
    op->rows = half ? half->rows : level->row[id].rows;
    if (!op->rows) return false;
    if (insn->op->flags & GCN_VCC_R) mods |= GCN_IN;
    if (mask_only)
        mods |= insn->op->flags & GCN_EXEC_W && !newer ? GCN_CMPX : 0;
    else {
        enum gcn_kind kind = half                            ? result_kind(half)
                             : id == GCN_v_cvt_pkrtz_f16_f32 ? GCN_KIND_F16 /* a pair of halves */
                                                             : kind_of(vdst);
        mods |= (uint32_t)kind << 25;
        if (sdst && sdst->sub != GCN_CODE_NULL) mods |= GCN_OUT | (uint32_t)sdst->sub << 9;
        if (half ? half->shape >= GCN_MIXED && half->shape < GCN_DOTS : !level->row[id].fixed) mods |= GCN_ROUNDS;
        mods |= output_modifiers(insn, kind);
        if (mods & GCN_CLAMP && !gcn_kind_float(kind) && !half) op->rows = gcn_clamped_row(insn->op);
    }
    op->mods = mods | gcn_parts_mods(insn, half);
    if (parts) {
        op->fn = parts;
        gcn_lanes_word(insn, &op->imm);
    } else {
        const bool usual = op->rows == level->row[id].rows && !(sdst && sdst->sub == GCN_CODE_NULL);
        op->fn = usual ? choose(level, id, op) : level->vector;
    }
    return true;
}
