/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program.c: program control: where the scalar instructions send the wave, the registers that say how it runs, and its
 * end. Source: Sea Islands register reference, chapter 4, SQ_SOP1, SQ_SOPK, SQ_SOPP.
 */
#include "run/program.h"
#include "gfx7.h"
#include "run/export.h"

/* ---- Calls, jumps ---- */

/* Where control goes by a register: the PC has 48 bits and counts dwords.  Above them s_trap leaves its number in
 * TTMP1. */
static uint64_t pc_of(uint64_t value) { return value & 0xfffffffffffcu; }

const struct gfx7_op *gfx7_getpc(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    gfx7_set_pair(gfx7_s(w), op->d, gfx7_pc(w, gfx7_next(op)));
    return gfx7_next(op);
}

const struct gfx7_op *gfx7_setpc(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_goto(w, pc_of(gfx7_pair(gfx7_s(w), op->a)));
}

const struct gfx7_op *gfx7_swappc(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint64_t target = pc_of(gfx7_pair(gfx7_s(w), op->a));
    gfx7_set_pair(gfx7_s(w), op->d, gfx7_pc(w, gfx7_next(op)));
    return gfx7_goto(w, target);
}

const struct gfx7_op *gfx7_rfe(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    gfx7_s(w)[GFX7_STATUS] &= ~(uint32_t)GFX7_PRIV;
    return gfx7_setpc(w, op);
}

/* The fork stack: entry i is SGPRs 4i to 4i + 3, an EXEC and the pc to go on at; MODE.csp counts the entries.  The
 * smaller side of a fork runs first, so six entries are enough for 64 lanes. */
static const struct gfx7_op *fork_wave(struct gpudbg_wave *w, const struct gfx7_op *op, uint64_t mask, uint64_t target)
{
    uint32_t *s = gfx7_s(w);
    uint64_t exec = gfx7_active(w), pass = mask & exec, fail = ~mask & exec;
    uint64_t next = gfx7_pc(w, gfx7_next(op));
    if (pass == exec) return gfx7_goto(w, target);
    if (fail == exec) return gfx7_next(op);
    unsigned csp = s[GFX7_MODE] >> GFX7_CSP;
    if (csp == 7) return GFX7_FAULT(w, op, -1, "the fork stack is full");
    bool fail_first = __builtin_popcountll(fail) < __builtin_popcountll(pass);
    gfx7_set_pair(s, 4 * csp, fail_first ? pass : fail);
    gfx7_set_pair(s, 4 * csp + 2, fail_first ? target : next);
    gfx7_set_pair(s, GFX7_EXEC, fail_first ? fail : pass);
    s[GFX7_MODE] += 1u << GFX7_CSP;
    return gfx7_goto(w, fail_first ? next : target);
}

const struct gfx7_op *gfx7_g_fork(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    const uint32_t *s = gfx7_s(w);
    return fork_wave(w, op, gfx7_pair(s, op->a), pc_of(gfx7_pair(s, op->b)));
}

const struct gfx7_op *gfx7_i_fork(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint64_t target = gfx7_pc(w, gfx7_next(op)) + 4 * (uint64_t)(int64_t)(int32_t)op->imm;
    return fork_wave(w, op, gfx7_pair(gfx7_s(w), op->d), target);
}

const struct gfx7_op *gfx7_join(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint32_t *s = gfx7_s(w);
    unsigned csp = s[GFX7_MODE] >> GFX7_CSP;
    s[GFX7_LITERAL] = op->imm;
    if (s[op->a] == csp) return gfx7_next(op);
    if (!csp) return GFX7_FAULT(w, op, -1, "the fork stack is empty");
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
        return GFX7_FAULT(w, op, -1, "s%u + m0 (%u) is not an SGPR", (unsigned)(to ? op->d : op->a), s[GFX7_M0]);
    s[GFX7_LITERAL] = s[GFX7_WIDE_LITERAL] = op->imm;
    s[GFX7_WIDE_LITERAL + 1] = 0;
    unsigned from = to ? op->a : (unsigned)moved, d = to ? (unsigned)moved : op->d;
    uint32_t low = s[from], high = n == 2 ? s[from + 1] : 0;
    s[d] = low;
    if (n == 2) s[d + 1] = high;
    return gfx7_next(op);
}

const struct gfx7_op *gfx7_movrels32(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return relative(w, op, 1, false);
}

const struct gfx7_op *gfx7_movrels64(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return relative(w, op, 2, false);
}

const struct gfx7_op *gfx7_movreld32(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return relative(w, op, 1, true);
}

const struct gfx7_op *gfx7_movreld64(struct gpudbg_wave *w, const struct gfx7_op *op)
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

static uint32_t hardware_mask(uint32_t imm) { return (uint32_t)((2ull << (imm >> 11 & 31)) - 1); }

const struct gfx7_op *gfx7_getreg(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    const uint32_t *reg = hardware_register(w, op->imm & 63);
    if (!reg) return GFX7_FAULT(w, op, -1, "s_getreg_b32: hardware register %u: not implemented", op->imm & 63);
    gfx7_s(w)[op->d] = *reg >> (op->imm >> 6 & 31) & hardware_mask(op->imm);
    return gfx7_next(op);
}

/* MODE and TRAPSTS are the program's; of STATUS only the user's debug condition; the rest is read-only. */
static const struct gfx7_op *set_hardware(
    struct gpudbg_wave *w, const struct gfx7_op *op, uint32_t where, uint32_t value)
{
    uint32_t *reg = hardware_register(w, where & 63);
    if (!reg) return GFX7_FAULT(w, op, -1, "s_setreg_b32: hardware register %u: not implemented", where & 63);
    static const uint32_t writable[] = {
        [GFX7_HW_MODE] = UINT32_MAX, [GFX7_HW_TRAPSTS] = UINT32_MAX, [GFX7_HW_STATUS] = GFX7_COND_DBG_USER};
    unsigned number = where & 63, offset = where >> 6 & 31;
    uint32_t mask = hardware_mask(where) << offset;
    mask &= number < sizeof writable / sizeof *writable ? writable[number] : 0;
    uint32_t set = (*reg & ~mask) | (value << offset & mask);
    *reg = set;
    if (number == GFX7_HW_MODE && mask & GFX7_VSKIP) return gfx7_leave(w, op, GFX7_RESUME);
    return gfx7_next(op);
}

const struct gfx7_op *gfx7_setreg(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return set_hardware(w, op, op->imm, gfx7_s(w)[op->d]);
}

/* imm is the literal; the constant is in b. */
const struct gfx7_op *gfx7_setreg_imm(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return set_hardware(w, op, op->b, op->imm);
}

const struct gfx7_op *gfx7_setvskip(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint32_t *s = gfx7_s(w);
    s[GFX7_LITERAL] = op->imm;
    bool on = s[op->a] >> (s[op->b] & 31) & 1;
    s[GFX7_MODE] = (s[GFX7_MODE] & ~(uint32_t)GFX7_VSKIP) | (on ? GFX7_VSKIP : 0);
    return gfx7_leave(w, op, GFX7_RESUME);
}

/* ---- Ends, waits, events ---- */

const struct gfx7_op *gfx7_nothing(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    (void)w;
    return gfx7_next(op);
}

/* Kept where STATUS shows it; the schedule here heeds no priorities. */
const struct gfx7_op *gfx7_setprio(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    uint32_t *status = &gfx7_s(w)[GFX7_STATUS];
    *status = (*status & ~(3u << 3)) | (op->imm & 3) << 3;
    return gfx7_next(op);
}

const struct gfx7_op *gfx7_endpgm(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    w->state = GPUDBG_ENDED;
    return gfx7_leave(w, op, GPUDBG_RAN_END);
}

const struct gfx7_op *gfx7_barrier(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    w->state = GPUDBG_AT_BARRIER;
    return gfx7_leave(w, op, GPUDBG_RAN_BARRIER);
}

const struct gfx7_op *gfx7_sleeps(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_leave(w, op, GPUDBG_RAN_YIELD);
}

const struct gfx7_op *gfx7_setkill(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    if (!(op->imm & 1)) return gfx7_next(op);
    gfx7_sync(w, op);
    gpudbg_event(w, "halt", "s_setkill ends the wave");
    return gfx7_endpgm(w, op);
}

/* Ignored in the trap handler. */
const struct gfx7_op *gfx7_sethalt(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    if (!(op->imm & 1) || gfx7_s(w)[GFX7_STATUS] & GFX7_PRIV) return gfx7_next(op);
    gfx7_sync(w, op);
    gpudbg_event(w, "halt", "s_sethalt 1");
    return gfx7_leave(w, op, GPUDBG_RAN_EVENT);
}

const struct gfx7_op *gfx7_sendmsg(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_message(w, op, false);
}

const struct gfx7_op *gfx7_sendmsghalt(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    return gfx7_message(w, op, true);
}

const struct gfx7_op *gfx7_ttracedata(struct gpudbg_wave *w, const struct gfx7_op *op)
{
    gfx7_sync(w, op);
    gpudbg_event(w, "trace", "s_ttracedata, m0 0x%x", gfx7_s(w)[GFX7_M0]);
    return gfx7_leave(w, op, GPUDBG_RAN_EVENT);
}

/* With a trap handler (TBA not 0) the wave enters it.  Without one the trap is an event; trap 2, which compilers emit
 * where a program must not go on, ends the wave. */
const struct gfx7_op *gfx7_trap(struct gpudbg_wave *w, const struct gfx7_op *op)
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
    return id == 2 ? gfx7_endpgm(w, op) : gfx7_leave(w, op, GPUDBG_RAN_EVENT);
}
