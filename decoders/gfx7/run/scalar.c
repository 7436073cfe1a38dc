/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scalar.c: the scalar ALU and program control: handlers of the SOP* rows.
 *
 * Shapes of the bodies, as ops.def writes them.  D is the destination (its old value at first), S0 and S1 the sources, SCC
 * a 0 or 1 that is written back:
 *
 *     SCALAR(d, s0, s1, body)   types u32 i32 u64 i64
 *     S32 S64 (body)            u32 or u64 for all
 *     COMPARE(s0, s1, cond)     sets SCC
 *     SCALARK(body)             SOPK: D is i32, K the constant, sign-extended
 *     SAVEEXEC(new)             D = EXEC, then EXEC = new
 *     JUMP(cond)                goes to the branch's target
 *     CALL(handler)
 *
 * Source: Sea Islands register reference, chapter 4, SQ_SOP*.
 */
#include "run/gfx7_exec.h"
#include "run/export.h"
#include "gfx7.h"
#include "gpudbg/lanes.h"
#include "run/gfx7_lanes_simd.h"

/* ---- Bits ---- */

static uint32_t popcount(uint64_t x)
{
    return lanes_popcount((uint32_t)x) + lanes_popcount((uint32_t)(x >> 32));
}

/* Number of the lowest bit set, -1: none. */
static uint32_t lowest(uint64_t x)
{
    return x ? (uint32_t)__builtin_ctzll(x) : UINT32_MAX;
}

/* Zeros above the highest bit set, of `width` bits; -1: none is set. */
static uint32_t leading(uint64_t x, int width)
{
    return x ? (uint32_t)(__builtin_clzll(x) - (64 - width)) : UINT32_MAX;
}

static uint64_t field(uint64_t x, uint32_t width)
{
    return width > 63 ? x : x & ((1ull << width) - 1);
}

/* x is sign-extended above its `bits` bits already. */
static int64_t field_signed(int64_t x, uint32_t width, uint32_t bits)
{
    if (width == 0 || width >= bits)
        return width ? x : 0;
    return (int64_t)((uint64_t)x << (64 - width)) >> (64 - width);
}

/* Bit 4i of the result: any of bits 4i to 4i + 3. */
static uint64_t any_of_four(uint64_t x)
{
    x |= x >> 1;
    return (x | x >> 2) & 0x1111111111111111u;
}

static uint64_t whole_quads(uint64_t x)
{
    return any_of_four(x) * 15;
}

static uint64_t quads(uint64_t x)
{
    uint64_t r = 0;
    x = any_of_four(x);
    for (unsigned i = 0; i < 16; i++)
        r |= (x >> (4 * i) & 1) << i;
    return r;
}

/* ---- Calls, jumps ---- */

/* Where control goes by a register: the PC has 48 bits and counts dwords.  Above them s_trap leaves its number in TTMP1. */
static uint64_t pc_of(uint64_t value)
{
    return value & 0xfffffffffffcu;
}

static const struct gfx7_op *getpc(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    gfx7_set_pair(gfx7_s(w), op->d, gfx7_pc(w, gfx7_next(op)));
    return gfx7_next(op);
}

static const struct gfx7_op *setpc(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_goto(w, pc_of(gfx7_pair(gfx7_s(w), op->a)));
}

static const struct gfx7_op *swappc(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint64_t target = pc_of(gfx7_pair(gfx7_s(w), op->a));
    gfx7_set_pair(gfx7_s(w), op->d, gfx7_pc(w, gfx7_next(op)));
    return gfx7_goto(w, target);
}

static const struct gfx7_op *rfe(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    gfx7_s(w)[GFX7_STATUS] &= ~(uint32_t)GFX7_PRIV;
    return setpc(w, op);
}

/* The fork stack: entry i is SGPRs 4i to 4i + 3, an EXEC and the pc to go on at; MODE.csp counts the entries.  The smaller
 * side of a fork runs first, so six entries are enough for 64 lanes. */
static const struct gfx7_op *fork_wave(struct gpudbg_wave *w, const struct gfx7_op *op, uint64_t mask, uint64_t target)
{
    uint32_t *s = gfx7_s(w);
    uint64_t exec = gfx7_active(w), pass = mask & exec, fail = ~mask & exec;
    uint64_t next = gfx7_pc(w, gfx7_next(op));
    if (pass == exec)
        return gfx7_goto(w, target);
    if (fail == exec)
        return gfx7_next(op);
    unsigned csp = s[GFX7_MODE] >> GFX7_CSP;
    if (csp == 7)
        return GFX7_FAULT(w, op, -1, "the fork stack is full");
    bool fail_first = popcount(fail) < popcount(pass);
    gfx7_set_pair(s, 4 * csp, fail_first ? pass : fail);
    gfx7_set_pair(s, 4 * csp + 2, fail_first ? target : next);
    gfx7_set_pair(s, GFX7_EXEC, fail_first ? fail : pass);
    s[GFX7_MODE] += 1u << GFX7_CSP;
    return gfx7_goto(w, fail_first ? next : target);
}

static const struct gfx7_op *g_fork(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    const uint32_t *s = gfx7_s(w);
    return fork_wave(w, op, gfx7_pair(s, op->a), pc_of(gfx7_pair(s, op->b)));
}

static const struct gfx7_op *i_fork(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint64_t target = gfx7_pc(w, gfx7_next(op)) + 4 * (uint64_t)(int64_t)(int32_t)op->imm;
    return fork_wave(w, op, gfx7_pair(gfx7_s(w), op->d), target);
}

static const struct gfx7_op *join(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint32_t *s = gfx7_s(w);
    unsigned csp = s[GFX7_MODE] >> GFX7_CSP;
    s[GFX7_LITERAL] = op->imm;
    if (s[op->a] == csp)
        return gfx7_next(op);
    if (!csp)
        return GFX7_FAULT(w, op, -1, "the fork stack is empty");
    csp--;
    s[GFX7_MODE] -= 1u << GFX7_CSP;
    gfx7_set_pair(s, GFX7_EXEC, gfx7_pair(s, 4 * csp));
    return gfx7_goto(w, pc_of(gfx7_pair(s, 4 * csp + 2)));
}

/* ---- Registers by number ---- */

static const struct gfx7_op *relative(struct gpudbg_wave *w, const struct gfx7_op *op, unsigned n, bool to)
{
    uint32_t *s = gfx7_s(w);
    uint64_t moved = (uint64_t)(to ? op->d : op->a) + s[GFX7_M0];
    if (moved + n > GFX7_SGPRS)
        return GFX7_FAULT(w, op, -1, "s%u + m0 (%u) is no SGPR", (unsigned)(to ? op->d : op->a), s[GFX7_M0]);
    s[GFX7_LITERAL] = s[GFX7_WIDE_LITERAL] = op->imm;
    s[GFX7_WIDE_LITERAL + 1] = 0;
    unsigned from = to ? op->a : (unsigned)moved, d = to ? (unsigned)moved : op->d;
    uint32_t low = s[from], high = n == 2 ? s[from + 1] : 0;
    s[d] = low;
    if (n == 2)
        s[d + 1] = high;
    return gfx7_next(op);
}

static const struct gfx7_op *movrels32(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return relative(w, op, 1, false);
}

static const struct gfx7_op *movrels64(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return relative(w, op, 2, false);
}

static const struct gfx7_op *movreld32(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return relative(w, op, 1, true);
}

static const struct gfx7_op *movreld64(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return relative(w, op, 2, true);
}

/* ---- Hardware registers: SIMM16 is {size - 1 [15:11], offset [10:6], register [5:0]} ---- */

uint32_t gfx7_status(struct gpudbg_wave *w)
{
    uint32_t *s = gfx7_s(w);
    uint32_t live = s[GFX7_SCC] | (uint32_t)!gfx7_active(w) << 9 | (uint32_t)!gfx7_pair(s, GFX7_VCC) << 10;
    s[GFX7_STATUS] = (s[GFX7_STATUS] & ~0x601u) | live;
    return s[GFX7_STATUS];
}

static uint32_t *hardware_register(struct gpudbg_wave *w, unsigned number)
{
    switch (number) {
    case GFX7_HW_MODE: return &gfx7_s(w)[GFX7_MODE];
    case GFX7_HW_STATUS: gfx7_status(w); return &gfx7_s(w)[GFX7_STATUS];
    case GFX7_HW_TRAPSTS: return &gfx7_s(w)[GFX7_TRAPSTS];
    case GFX7_HW_ID: return &gfx7_s(w)[GFX7_HW_ID_WORD];
    case GFX7_HW_GPR_ALLOC: return &gfx7_s(w)[GFX7_GPR_ALLOC_WORD];
    case GFX7_HW_LDS_ALLOC: return &gfx7_s(w)[GFX7_LDS_ALLOC_WORD];
    case GFX7_HW_IB_STS: return &gfx7_s(w)[GFX7_IB_STS_WORD];
    }
    return NULL;
}

static uint32_t hardware_mask(uint32_t imm)
{
    return (uint32_t)((2ull << (imm >> 11 & 31)) - 1);
}

static const struct gfx7_op *getreg(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    const uint32_t *reg = hardware_register(w, op->imm & 63);
    if (!reg)
        return GFX7_FAULT(w, op, -1, "s_getreg_b32: hardware register %u: not implemented", op->imm & 63);
    gfx7_s(w)[op->d] = *reg >> (op->imm >> 6 & 31) & hardware_mask(op->imm);
    return gfx7_next(op);
}

/* MODE and TRAPSTS are the program's; of STATUS only the user's debug condition; the rest is read-only. */
static const struct gfx7_op *set_hardware(struct gpudbg_wave *w, const struct gfx7_op *op, uint32_t where, uint32_t value)
{
    uint32_t *reg = hardware_register(w, where & 63);
    if (!reg)
        return GFX7_FAULT(w, op, -1, "s_setreg_b32: hardware register %u: not implemented", where & 63);
    static const uint32_t writable[] = {
        [GFX7_HW_MODE] = UINT32_MAX, [GFX7_HW_TRAPSTS] = UINT32_MAX, [GFX7_HW_STATUS] = GFX7_COND_DBG_USER};
    unsigned number = where & 63, offset = where >> 6 & 31;
    uint32_t mask = hardware_mask(where) << offset;
    mask &= number < sizeof writable / sizeof *writable ? writable[number] : 0;
    uint32_t set = (*reg & ~mask) | (value << offset & mask);
    *reg = set;
    if (number == GFX7_HW_MODE && mask & GFX7_VSKIP)
        return gfx7_leave(w, op, GFX7_RESUME);
    return gfx7_next(op);
}

static const struct gfx7_op *setreg(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return set_hardware(w, op, op->imm, gfx7_s(w)[op->d]);
}

/* imm is the literal; the constant is in b. */
static const struct gfx7_op *setreg_imm(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return set_hardware(w, op, op->b, op->imm);
}

static const struct gfx7_op *setvskip(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint32_t *s = gfx7_s(w);
    s[GFX7_LITERAL] = op->imm;
    bool on = s[op->a] >> (s[op->b] & 31) & 1;
    s[GFX7_MODE] = (s[GFX7_MODE] & ~(uint32_t)GFX7_VSKIP) | (on ? GFX7_VSKIP : 0);
    return gfx7_leave(w, op, GFX7_RESUME);
}

/* ---- Ends, waits, events ---- */

static const struct gfx7_op *gfx7_nothing(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    (void)w;
    return gfx7_next(op);
}

/* Kept where STATUS shows it; the schedule here heeds no priorities. */
static const struct gfx7_op *setprio(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint32_t *status = &gfx7_s(w)[GFX7_STATUS];
    *status = (*status & ~(3u << 3)) | (op->imm & 3) << 3;
    return gfx7_next(op);
}

static const struct gfx7_op *endpgm(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    w->state = GPUDBG_ENDED;
    return gfx7_leave(w, op, GPUDBG_RAN_END);
}

static const struct gfx7_op *barrier(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    w->state = GPUDBG_AT_BARRIER;
    return gfx7_leave(w, op, GPUDBG_RAN_BARRIER);
}

static const struct gfx7_op *sleeps(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_leave(w, op, GPUDBG_RAN_YIELD);
}

static const struct gfx7_op *setkill(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    if (!(op->imm & 1))
        return gfx7_next(op);
    gfx7_sync(w, op);
    gpudbg_event(w, "halt", "s_setkill ends the wave");
    return endpgm(w, op);
}

/* Ignored in the trap handler. */
static const struct gfx7_op *sethalt(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    if (!(op->imm & 1) || gfx7_s(w)[GFX7_STATUS] & GFX7_PRIV)
        return gfx7_next(op);
    gfx7_sync(w, op);
    gpudbg_event(w, "halt", "s_sethalt 1");
    return gfx7_leave(w, op, GPUDBG_RAN_EVENT);
}

static const struct gfx7_op *sendmsg(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_message(w, op, false);
}

static const struct gfx7_op *sendmsghalt(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_message(w, op, true);
}

static const struct gfx7_op *ttracedata(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    gfx7_sync(w, op);
    gpudbg_event(w, "trace", "s_ttracedata, m0 0x%x", gfx7_s(w)[GFX7_M0]);
    return gfx7_leave(w, op, GPUDBG_RAN_EVENT);
}

/* With a trap handler (TBA not 0) the wave enters it.  Without one the trap is an event; trap 2, which compilers emit where
 * a program must not go on, ends the wave. */
static const struct gfx7_op *trap(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint32_t *s = gfx7_s(w), id = op->imm & 255;
    gfx7_sync(w, op);
    gpudbg_event(w, "trap", "s_trap %u", id);
    uint64_t handler = gfx7_pair(s, GFX7_TBA) & ~(uint64_t)3;
    if (handler) {
        gfx7_set_pair(s, GFX7_TTMP, (gfx7_pc(w, op) & 0xffffffffffffu) | (uint64_t)id << 48);
        s[GFX7_STATUS] |= GFX7_PRIV;
        return gfx7_goto(w, handler);
    }
    return id == 2 ? endpgm(w, op) : gfx7_leave(w, op, GPUDBG_RAN_EVENT);
}

/* ---- Handlers from the table ---- */

typedef uint32_t C_u32;
typedef int32_t C_i32;
typedef uint64_t C_u64;
typedef int64_t C_i64;
#define GET_u32(i) s[i]
#define GET_i32(i) (int32_t)s[i]
#define GET_u64(i) gfx7_pair(s, i)
#define GET_i64(i) (int64_t)gfx7_pair(s, i)
#define PUT_u32(i, x) s[i] = (x)
#define PUT_i32(i, x) s[i] = (uint32_t)(x)
#define PUT_u64(i, x) gfx7_set_pair(s, i, x)
#define PUT_i64(i, x) gfx7_set_pair(s, i, (uint64_t)(x))
/* A literal as the source type extends it. */
#define LITERAL_u32 s[GFX7_LITERAL] = op->imm;
#define LITERAL_i32 LITERAL_u32
#define LITERAL_u64 LITERAL_u32 gfx7_set_pair(s, GFX7_WIDE_LITERAL, op->imm);
#define LITERAL_i64 LITERAL_u32 gfx7_set_pair(s, GFX7_WIDE_LITERAL, (uint64_t)(int64_t)(int32_t)op->imm);

#define HANDLER(name) static const struct gfx7_op *exec_##name(struct gpudbg_wave *w, const struct gfx7_op *op)
#define MAKE_SCALAR(name, td, t0, t1, ...) \
    HANDLER(name) \
    { \
        uint32_t *s = gfx7_s(w), SCC = s[GFX7_SCC]; \
        LITERAL_##t0 \
        const C_##t0 S0 = GET_##t0(op->a); \
        const C_##t1 S1 = GET_##t1(op->b); \
        C_##td D = GET_##td(op->d); \
        (void)S0, (void)S1; \
        __VA_ARGS__; \
        PUT_##td(op->d, D); \
        s[GFX7_SCC] = SCC; \
        return gfx7_next(op); \
    }
#define MAKE_COMPARE(name, t0, t1, ...) \
    HANDLER(name) \
    { \
        uint32_t *s = gfx7_s(w); \
        LITERAL_##t0 \
        const C_##t0 S0 = GET_##t0(op->a); \
        const C_##t1 S1 = GET_##t1(op->b); \
        s[GFX7_SCC] = __VA_ARGS__; \
        return gfx7_next(op); \
    }
#define MAKE_K(name, ...) \
    HANDLER(name) \
    { \
        uint32_t *s = gfx7_s(w), SCC = s[GFX7_SCC]; \
        const int32_t K = (int32_t)op->imm; \
        int32_t D = (int32_t)s[op->d]; \
        __VA_ARGS__; \
        s[op->d] = (uint32_t)D; \
        s[GFX7_SCC] = SCC; \
        return gfx7_next(op); \
    }
#define MAKE_SAVEEXEC(name, ...) \
    HANDLER(name) \
    { \
        uint32_t *s = gfx7_s(w); \
        LITERAL_u64 \
        const uint64_t S0 = gfx7_pair(s, op->a), EXEC = gfx7_pair(s, GFX7_EXEC), result = __VA_ARGS__; \
        gfx7_set_pair(s, op->d, EXEC); \
        gfx7_set_pair(s, GFX7_EXEC, result); \
        s[GFX7_SCC] = result != 0; \
        return gfx7_next(op); \
    }
#define MAKE_JUMP(name, ...) \
    HANDLER(name) \
    { \
        const uint32_t *s = gfx7_s(w); \
        const uint32_t SCC = s[GFX7_SCC]; \
        const uint64_t VCC = gfx7_pair(s, GFX7_VCC), EXEC = gfx7_pair(s, GFX7_EXEC); \
        (void)SCC, (void)VCC, (void)EXEC; \
        return (__VA_ARGS__) ? op->target : gfx7_next(op); \
    }
#define COND_DBG_SYS (s[GFX7_STATUS] & GFX7_COND_DBG_SYS)
#define COND_DBG_USER (s[GFX7_STATUS] & GFX7_COND_DBG_USER)
#define MAKE_NOTHING(name, ...)

#define SCALAR(...) MAKE_SCALAR, __VA_ARGS__
#define S32(...) MAKE_SCALAR, u32, u32, u32, __VA_ARGS__
#define S64(...) MAKE_SCALAR, u64, u64, u64, __VA_ARGS__
#define COMPARE(...) MAKE_COMPARE, __VA_ARGS__
#define SCALARK(...) MAKE_K, __VA_ARGS__
#define SAVEEXEC(...) MAKE_SAVEEXEC, __VA_ARGS__
#define JUMP(...) MAKE_JUMP, __VA_ARGS__
#define CALL(fn) MAKE_NOTHING, fn
#define NONE MAKE_NOTHING, 0
#define DEFINE(name, ...) DEFINE_(name, __VA_ARGS__)
#define DEFINE_(name, make, ...) make(name, __VA_ARGS__)

#define GFX7_SCALAR_ROWS
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"

#undef SCALAR
#undef S32
#undef S64
#undef COMPARE
#undef SCALARK
#undef SAVEEXEC
#undef JUMP
#undef CALL
#undef NONE
#define SCALAR(...) ENTRY, 0
#define S32(...) ENTRY, 0
#define S64(...) ENTRY, 0
#define COMPARE(...) ENTRY, 0
#define SCALARK(...) ENTRY, 0
#define SAVEEXEC(...) ENTRY, 0
#define JUMP(...) ENTRY, 0
#define CALL(fn) CALL_ENTRY, fn
#define NONE MAKE_NOTHING, 0
#define ENTRY(name, none) [GFX7_##name] = exec_##name,
#define CALL_ENTRY(name, fn) [GFX7_##name] = fn,

static gfx7_fn *const handlers[GFX7_OPS] = {
#define OP(layout, code, name, operands, flags, doc, ...) DEFINE(name, __VA_ARGS__)
#include "ops.def"
};

/* ---- Predecoding ---- */

/* A source's slot: wide constants stand apart. */
static uint16_t slot(const struct gpudbg_operand *o)
{
    if (!o)
        return GFX7_INLINE; /* 0 */
    return (uint16_t)(gfx7_type_dwords(o->type) == 2 ? gfx7_wide(o->sub) : o->sub);
}

bool gfx7_scalar_op(const struct gpudbg_insn *insn, struct gfx7_op *op)
{
    op->fn = handlers[insn->op->id];
    if (!op->fn)
        return false;
    const struct gpudbg_operand *d = gfx7_operand(insn, GFX7_IN_SDST), *k = gfx7_operand(insn, GFX7_IN_SIMM16);
    const struct gpudbg_operand *literal = gfx7_operand(insn, GFX7_IN_LITERAL);
    op->a = slot(gfx7_operand(insn, GFX7_IN_SSRC0));
    op->b = slot(gfx7_operand(insn, GFX7_IN_SSRC1));
    op->d = d ? d->sub : 0;
    uint16_t simm16 = (uint16_t)(insn->raw[0] | insn->raw[1] << 8);
    if (literal) {
        op->imm = (uint32_t)literal->imm;
        op->b = simm16;
    } else if (k)
        op->imm = (uint32_t)(int32_t)(int16_t)simm16;
    else if (insn->size == 8)
        op->imm = insn->raw[4] | insn->raw[5] << 8 | insn->raw[6] << 16 | (uint32_t)insn->raw[7] << 24;
    return true;
}
