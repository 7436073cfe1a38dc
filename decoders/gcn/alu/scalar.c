/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scalar.c: the scalar ALU: handlers of the SOP* rows.  Handlers that a row calls by name are in program.c.
 *
 * Shapes of the bodies, as ops.def writes them.  D is the destination (its old value at first), S0 and S1 the sources,
 * SCC a 0 or 1 that is written back:
 *
 *     SCALAR(d, s0, s1, body)   types u32 i32 u64 i64
 *     S32 S64 (body)            u32 or u64 for all
 *     COMPARE(s0, s1, cond)     sets SCC
 *     SCALARK(body)             SOPK: D is i32, K the constant, sign-extended
 *     SAVEEXEC(new)             D = EXEC, then EXEC = new; SAVEEXEC32: the low words
 *     WREXEC(new)               EXEC = new, then D = EXEC; WREXEC32: the low words
 *     JUMP(cond)                goes to the branch's target
 *     CALL(handler)             program.h
 *
 * Source: Sea Islands register reference, chapter 4, SQ_SOP*.
 */
#include "engine/program.h"

#include "gcn.h"
#include "gcn_ops.h"
#include "gpudbg/lanes.h"

/* ---- Bits ---- */

static uint32_t popcount(uint64_t x) { return lanes_popcount((uint32_t)x) + lanes_popcount((uint32_t)(x >> 32)); }

/* Number of the lowest bit set, -1: none. */
static uint32_t lowest(uint64_t x) { return x ? (uint32_t)__builtin_ctzll(x) : UINT32_MAX; }

/* Zeros above the highest bit set, of `width` bits; -1: none is set. */
static uint32_t leading(uint64_t x, int width)
{
    return x ? (uint32_t)(__builtin_clzll(x) - (64 - width)) : UINT32_MAX;
}

static uint64_t field(uint64_t x, uint32_t width) { return width > 63 ? x : x & ((1ull << width) - 1); }

/* x is sign-extended above its `bits` bits already. */
static int64_t field_signed(int64_t x, uint32_t width, uint32_t bits)
{
    if (width == 0 || width >= bits) return width ? x : 0;
    return (int64_t)((uint64_t)x << (64 - width)) >> (64 - width);
}

/* Bit 4i of the result: any of bits 4i to 4i + 3. */
static uint64_t any_of_four(uint64_t x)
{
    x |= x >> 1;
    return (x | x >> 2) & 0x1111111111111111u;
}

static uint64_t whole_quads(uint64_t x) { return any_of_four(x) * 15; }

static uint64_t quads(uint64_t x)
{
    uint64_t r = 0;
    x = any_of_four(x);
    for (unsigned i = 0; i < 16; i++) r |= (x >> (4 * i) & 1) << i;
    return r;
}

/* Each bit twice. */
static uint64_t twice(uint32_t x)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 32; i++) r |= (uint64_t)(x >> i & 1) * 3 << (2 * i);
    return r;
}

/* ---- Handlers from the table ---- */

typedef uint32_t C_u32;
typedef int32_t C_i32;
typedef uint64_t C_u64;
typedef int64_t C_i64;
#define GET_u32(i) s[i]
#define GET_i32(i) (int32_t) s[i]
#define GET_u64(i) gcn_pair(s, i)
#define GET_i64(i) (int64_t) gcn_pair(s, i)
#define PUT_u32(i, x) s[i] = (x)
#define PUT_i32(i, x) s[i] = (uint32_t)(x)
#define PUT_u64(i, x) gcn_set_pair(s, i, x)
#define PUT_i64(i, x) gcn_set_pair(s, i, (uint64_t)(x))
/* A literal as the source type extends it. */
#define LITERAL_u32 s[GCN_LITERAL] = op->imm;
#define LITERAL_i32 LITERAL_u32
#define LITERAL_u64 LITERAL_u32 gcn_set_pair(s, GCN_WIDE_LITERAL, op->imm);
#define LITERAL_i64 LITERAL_u32 gcn_set_pair(s, GCN_WIDE_LITERAL, (uint64_t)(int64_t)(int32_t)op->imm);

#define HANDLER(name) static const struct gcn_op *exec_##name(struct gpudbg_wave *w, const struct gcn_op *op)
#define MAKE_SCALAR(name, td, t0, t1, ...)              \
    HANDLER(name)                                       \
    {                                                   \
        uint32_t *s = gcn_s(w), SCC = s[GCN_SCC];       \
        LITERAL_##t0 const C_##t0 S0 = GET_##t0(op->a); \
        const C_##t1 S1 = GET_##t1(op->b);              \
        C_##td D = GET_##td(op->d);                     \
        (void)S0, (void)S1;                             \
        __VA_ARGS__;                                    \
        PUT_##td(op->d, D);                             \
        s[GCN_SCC] = SCC;                               \
        return gcn_next(op);                            \
    }
#define MAKE_COMPARE(name, t0, t1, ...)                 \
    HANDLER(name)                                       \
    {                                                   \
        uint32_t *s = gcn_s(w);                         \
        LITERAL_##t0 const C_##t0 S0 = GET_##t0(op->a); \
        const C_##t1 S1 = GET_##t1(op->b);              \
        s[GCN_SCC] = __VA_ARGS__;                       \
        return gcn_next(op);                            \
    }
#define MAKE_K(name, ...)                         \
    HANDLER(name)                                 \
    {                                             \
        uint32_t *s = gcn_s(w), SCC = s[GCN_SCC]; \
        const int32_t K = (int32_t)op->imm;       \
        int32_t D = (int32_t)s[op->d];            \
        __VA_ARGS__;                              \
        s[op->d] = (uint32_t)D;                   \
        s[GCN_SCC] = SCC;                         \
        return gcn_next(op);                      \
    }
#define MAKE_SAVEEXEC(name, ...) MAKE_MASK64(name, EXEC, __VA_ARGS__)
#define MAKE_WREXEC(name, ...) MAKE_MASK64(name, result, __VA_ARGS__)
#define MAKE_MASK64(name, kept, ...)                                                                            \
    HANDLER(name)                                                                                               \
    {                                                                                                           \
        uint32_t *s = gcn_s(w);                                                                                 \
        LITERAL_u64 const uint64_t S0 = gcn_pair(s, op->a), EXEC = gcn_pair(s, GCN_EXEC), result = __VA_ARGS__; \
        gcn_set_pair(s, op->d, kept);                                                                           \
        gcn_set_pair(s, GCN_EXEC, result);                                                                      \
        s[GCN_SCC] = result != 0;                                                                               \
        return gcn_next(op);                                                                                    \
    }
#define MAKE_SAVEEXEC32(name, ...) MAKE_MASK32(name, EXEC, __VA_ARGS__)
#define MAKE_WREXEC32(name, ...) MAKE_MASK32(name, result, __VA_ARGS__)
#define MAKE_MASK32(name, kept, ...)                                                        \
    HANDLER(name)                                                                           \
    {                                                                                       \
        uint32_t *s = gcn_s(w);                                                             \
        LITERAL_u32 const uint32_t S0 = s[op->a], EXEC = s[GCN_EXEC], result = __VA_ARGS__; \
        s[op->d] = kept;                                                                    \
        s[GCN_EXEC] = result;                                                               \
        s[GCN_SCC] = result != 0;                                                           \
        return gcn_next(op);                                                                \
    }
#define MAKE_JUMP(name, ...)                                                \
    HANDLER(name)                                                           \
    {                                                                       \
        const uint32_t *s = gcn_s(w);                                       \
        const uint32_t SCC = s[GCN_SCC];                                    \
        const uint64_t VCC = gcn_pair(s, GCN_VCC) & gcn_pair(s, GCN_LANES); \
        const uint64_t EXEC = gcn_exec_of(s);                               \
        (void)SCC, (void)VCC, (void)EXEC;                                   \
        return (__VA_ARGS__) ? op->target : gcn_next(op);                   \
    }
#define COND_DBG_SYS (s[GCN_STATUS] & GCN_COND_DBG_SYS)
#define COND_DBG_USER (s[GCN_STATUS] & GCN_COND_DBG_USER)
#define MAKE_NOTHING(name, ...)

#define SCALAR(...) MAKE_SCALAR, __VA_ARGS__
#define S32(...) MAKE_SCALAR, u32, u32, u32, __VA_ARGS__
#define S64(...) MAKE_SCALAR, u64, u64, u64, __VA_ARGS__
#define COMPARE(...) MAKE_COMPARE, __VA_ARGS__
#define SCALARK(...) MAKE_K, __VA_ARGS__
#define SAVEEXEC(...) MAKE_SAVEEXEC, __VA_ARGS__
#define SAVEEXEC32(...) MAKE_SAVEEXEC32, __VA_ARGS__
#define WREXEC(...) MAKE_WREXEC, __VA_ARGS__
#define WREXEC32(...) MAKE_WREXEC32, __VA_ARGS__
#define JUMP(...) MAKE_JUMP, __VA_ARGS__
#define CALL(fn) MAKE_NOTHING, fn
#define NONE MAKE_NOTHING, 0
#define DEFINE(name, ...) DEFINE_(name, __VA_ARGS__)
#define DEFINE_(name, make, ...) make(name, __VA_ARGS__)

#define GCN_SCALAR_ROWS
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"

#undef SCALAR
#undef S32
#undef S64
#undef COMPARE
#undef SCALARK
#undef SAVEEXEC
#undef SAVEEXEC32
#undef WREXEC
#undef WREXEC32
#undef JUMP
#undef CALL
#undef NONE
#define SCALAR(...) ENTRY, 0
#define S32(...) ENTRY, 0
#define S64(...) ENTRY, 0
#define COMPARE(...) ENTRY, 0
#define SCALARK(...) ENTRY, 0
#define SAVEEXEC(...) ENTRY, 0
#define SAVEEXEC32(...) ENTRY, 0
#define WREXEC(...) ENTRY, 0
#define WREXEC32(...) ENTRY, 0
#define JUMP(...) ENTRY, 0
#define CALL(fn) CALL_ENTRY, fn
#define NONE MAKE_NOTHING, 0
#define ENTRY(name, none) [GCN_##name] = exec_##name,
#define CALL_ENTRY(name, fn) [GCN_##name] = fn,

static gcn_fn *const handlers[GCN_OPS] = {
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"
};

/* ---- Predecoding ---- */

/* A source's slot: wide constants have slots of their own. */
static uint16_t slot(const struct gpudbg_operand *o)
{
    if (!o || o->sub == GCN_CODE_NULL) return GCN_INLINE; /* 0 */
    return (uint16_t)(gcn_type_dwords(o->type) == 2 ? gcn_wide(o->sub) : o->sub);
}

bool gcn_scalar_op(const struct gpudbg_insn *insn, struct gcn_op *op)
{
    op->fn = handlers[insn->op->id];
    if (!op->fn) return false;
    const struct gpudbg_operand *d = gcn_operand(insn, GCN_IN_SDST), *k = gcn_operand(insn, GCN_IN_SIMM16);
    const struct gpudbg_operand *literal = gcn_operand(insn, GCN_IN_LITERAL);
    op->a = slot(gcn_operand(insn, GCN_IN_SSRC0));
    op->b = slot(gcn_operand(insn, GCN_IN_SSRC1));
    op->d = !d ? 0 : d->sub == GCN_CODE_NULL ? GCN_SINK : d->sub;
    uint16_t simm16 = le_u16(insn->raw);
    if (literal) {
        op->imm = (uint32_t)literal->imm;
        op->b = simm16;
    } else if (k)
        op->imm = (uint32_t)(int32_t)(int16_t)simm16;
    else if (insn->size == 8)
        op->imm = le_u32(insn->raw + 4);
    return true;
}
