/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program.c: program control: the jumps of scalar instructions, the registers that control execution, and the end of a
 * wave. Source: Sea Islands register reference, chapter 4, SQ_SOP1, SQ_SOPK, SQ_SOPP.
 */
#include "code/bits.h"
#include "code/gcn_decoder.h"
#include "engine/program.h"
#include "gcn.h"
#include "engine/export.h"
#include "engine/setup.h"

/* ---- Calls, jumps ---- */

/* The target of a jump by register: the PC has 48 bits and counts dwords.  Above them s_trap leaves its number in
 * TTMP1. */
static uint64_t pc_of(uint64_t value) { return value & 0xfffffffffffcu; }

const struct gcn_op *gcn_getpc(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_set_pair(gcn_s(w), op->d, gcn_pc(w, gcn_next(op)));
    return gcn_next(op);
}

const struct gcn_op *gcn_setpc(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return gcn_goto(w, pc_of(gcn_pair(gcn_s(w), op->a)));
}

const struct gcn_op *gcn_swappc(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t target = pc_of(gcn_pair(gcn_s(w), op->a));
    gcn_set_pair(gcn_s(w), op->d, gcn_pc(w, gcn_next(op)));
    return gcn_goto(w, target);
}

const struct gcn_op *gcn_call(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_set_pair(gcn_s(w), op->d, gcn_pc(w, gcn_next(op)));
    return op->target;
}

const struct gcn_op *gcn_rfe(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_s(w)[GCN_STATUS] &= ~(uint32_t)GCN_PRIV;
    return gcn_setpc(w, op);
}

/* A wave of 64 runs a loop twice, first with the lower half of EXEC, then with the upper one; D holds the half that
 * does not run.  Inferred: Mesa's notes (src/amd/compiler/README-ISA.md) and an open emulator repeat of AMD's manual
 * that this is a branch with additions, and two passes of which D keeps the other's half of EXEC. */
static bool has_halves(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (gcn_s(w)[GCN_LANES + 1]) return true;
    (void)GCN_FAULT(w, op, -1, "a subvector loop in a wave of 32 lanes: only waves of 64 have halves");
    return false;
}

const struct gcn_op *gcn_subvector_begin(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w), *exec = s + GCN_EXEC;
    if (!has_halves(w, op)) return NULL;
    if (!exec[0] && !exec[1]) return op->target;
    if (!exec[0]) {
        s[op->d] = 0;
    } else {
        s[op->d] = exec[1];
        exec[1] = 0;
    }
    return gcn_next(op);
}

const struct gcn_op *gcn_subvector_end(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w), *exec = s + GCN_EXEC;
    if (!has_halves(w, op)) return NULL;
    if (exec[1]) { /* the upper half has run */
        exec[0] = s[op->d];
    } else if (s[op->d]) {
        exec[1] = s[op->d];
        s[op->d] = exec[0];
        exec[0] = 0;
        return op->target;
    }
    return gcn_next(op);
}

/* The fork stack: entry i is SGPRs 4i to 4i + 3, an EXEC and the pc to go on at; MODE.csp counts the entries.  The
 * smaller side of a fork runs first, so six entries are enough for 64 lanes. */
static const struct gcn_op *fork_wave(struct gpudbg_wave *w, const struct gcn_op *op, uint64_t mask, uint64_t target)
{
    uint32_t *s = gcn_s(w);
    uint64_t exec = gcn_active(w), pass = mask & exec, fail = ~mask & exec;
    uint64_t next = gcn_pc(w, gcn_next(op));
    if (pass == exec) return gcn_goto(w, target);
    if (fail == exec) return gcn_next(op);
    unsigned csp = s[GCN_MODE] >> GCN_CSP;
    if (csp == 7) return GCN_FAULT(w, op, -1, "the fork stack is full");
    bool fail_first = __builtin_popcountll(fail) < __builtin_popcountll(pass);
    gcn_set_pair(s, 4 * csp, fail_first ? pass : fail);
    gcn_set_pair(s, 4 * csp + 2, fail_first ? target : next);
    gcn_set_pair(s, GCN_EXEC, fail_first ? fail : pass);
    s[GCN_MODE] += 1u << GCN_CSP;
    return gcn_goto(w, fail_first ? next : target);
}

const struct gcn_op *gcn_g_fork(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t *s = gcn_s(w);
    return fork_wave(w, op, gcn_pair(s, op->a), pc_of(gcn_pair(s, op->b)));
}

const struct gcn_op *gcn_i_fork(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t target = gcn_pc(w, gcn_next(op)) + 4 * (uint64_t)(int64_t)(int32_t)op->imm;
    return fork_wave(w, op, gcn_pair(gcn_s(w), op->d), target);
}

const struct gcn_op *gcn_join(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    unsigned csp = s[GCN_MODE] >> GCN_CSP;
    s[GCN_LITERAL] = op->imm;
    if (s[op->a] == csp) return gcn_next(op);
    if (!csp) return GCN_FAULT(w, op, -1, "the fork stack is empty");
    csp--;
    s[GCN_MODE] -= 1u << GCN_CSP;
    gcn_set_pair(s, GCN_EXEC, gcn_pair(s, 4 * csp));
    return gcn_goto(w, pc_of(gcn_pair(s, 4 * csp + 2)));
}

/* ---- Registers by number ---- */

static const struct gcn_op *relative(struct gpudbg_wave *w, const struct gcn_op *op, unsigned n, bool to)
{
    uint32_t *s = gcn_s(w);
    uint64_t moved = (uint64_t)(to ? op->d : op->a) + s[GCN_M0];
    if (moved + n > GCN_SGPRS)
        return GCN_FAULT(w, op, -1, "s%u + m0 (%u) is not an SGPR", (unsigned)(to ? op->d : op->a), s[GCN_M0]);
    s[GCN_LITERAL] = s[GCN_WIDE_LITERAL] = op->imm;
    s[GCN_WIDE_LITERAL + 1] = 0;
    unsigned from = to ? op->a : (unsigned)moved, d = to ? (unsigned)moved : op->d;
    uint32_t low = s[from], high = n == 2 ? s[from + 1] : 0;
    s[d] = low;
    if (n == 2) s[d + 1] = high;
    return gcn_next(op);
}

const struct gcn_op *gcn_movrels32(struct gpudbg_wave *w, const struct gcn_op *op) { return relative(w, op, 1, false); }

const struct gcn_op *gcn_movrels64(struct gpudbg_wave *w, const struct gcn_op *op) { return relative(w, op, 2, false); }

const struct gcn_op *gcn_movreld32(struct gpudbg_wave *w, const struct gcn_op *op) { return relative(w, op, 1, true); }

const struct gcn_op *gcn_movreld64(struct gpudbg_wave *w, const struct gcn_op *op) { return relative(w, op, 2, true); }

/* M0 has two numbers of ten bits, for the source and the destination. */
const struct gcn_op *gcn_movrelsd2_32(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    const uint32_t a = op->a + (s[GCN_M0] & 0x3ff), d = op->d + (s[GCN_M0] >> 16 & 0x3ff);
    if (a >= gcn_of(w)->sgprs || d >= gcn_of(w)->sgprs)
        return GCN_FAULT(w, op, -1, "registers s%u and s%u by m0 (0x%x): the launch has %u SGPRs", d, a, s[GCN_M0],
            gcn_of(w)->sgprs);
    s[d] = s[a];
    return gcn_next(op);
}

/* ---- Hardware registers: SIMM16 is {size - 1 [15:11], offset [10:6], register [5:0]} ---- */

uint32_t gcn_status(struct gpudbg_wave *w)
{
    uint32_t *s = gcn_s(w);
    uint32_t live = s[GCN_SCC] | (uint32_t)!gcn_active(w) << 9 |
                    (uint32_t) !(gcn_pair(s, GCN_VCC) & gcn_pair(s, GCN_LANES)) << 10;
    s[GCN_STATUS] = (s[GCN_STATUS] & ~0x601u) | live;
    return s[GCN_STATUS];
}

/* A value that is in no word of the wave. */
static uint32_t *shown(struct gpudbg_wave *w, uint64_t value)
{
    gcn_s(w)[GCN_SINK] = (uint32_t)value;
    return &gcn_s(w)[GCN_SINK];
}

/* The low 20 bits of the clock that s_memtime reads. */
static uint32_t *cycles(struct gpudbg_wave *w)
{
    const uint64_t now = gcn_pair(gcn_s(w), GCN_TIME) + 64;
    gcn_set_pair(gcn_s(w), GCN_TIME, now);
    return shown(w, now & ONES(20));
}

static uint32_t units(uint64_t n, uint32_t unit) { return (uint32_t)((n + unit - 1) / unit); }

/* What a wave was given: registers and LDS are given out in the chip's units, and counted in others: VGPRs in fours,
 * whatever the size of the wave (Linux, cwsr_trap_handler_gfx10.asm, get_vgpr_size_bytes), LDS in 256 bytes. */
static uint32_t vgprs_given(const struct gpudbg_wave *w)
{
    const struct gcn_chip *chip = gcn_chip_of(w->machine->isa);
    const uint32_t given = units(gcn_of(w)->vgprs, chip->vgpr_unit) * chip->vgpr_unit;
    return (uint32_t)IN_PLACE(given / 4 - 1, GPR_ALLOC_NEWER, vgpr_size);
}

static uint32_t lds_given(const struct gpudbg_wave *w)
{
    const uint32_t unit = gcn_chip_of(w->machine->isa)->lds_unit;
    return (uint32_t)IN_PLACE(units(w->machine->lds_size, unit) * (unit / 256), LDS_ALLOC_NEWER, lds_size);
}

/* One of the places where a scheduler may put it: waves of a group go to the SIMDs in turn, groups to the processors of
 * work groups. */
static uint32_t hw_id1(const struct gpudbg_wave *w)
{
    return (uint32_t)(IN_PLACE(w->index / 4 & 31, HW_ID1_NEWER, wave_id) |
                      IN_PLACE(w->index & 3, HW_ID1_NEWER, simd_id) | IN_PLACE(w->group & 15, HW_ID1_NEWER, wgp_id));
}

/* Those of newer chips that are known here.  SH_MEM_BASES has the high words of the flat apertures; TBA and TMA are in
 * units of 256 bytes (Linux, the trap handler of compute queues); whether TBA's high dword has more than the address is
 * not known. */
static uint32_t *newer_register(struct gpudbg_wave *w, unsigned number)
{
    switch (number) {
    case GCN_HW_MODE: return &gcn_s(w)[GCN_MODE];
    case GCN_HW_STATUS: gcn_status(w); return &gcn_s(w)[GCN_STATUS];
    case GCN_HW_TRAPSTS: return &gcn_s(w)[GCN_TRAPSTS];
    case GCN_HW_GPR_ALLOC: return shown(w, vgprs_given(w));
    case GCN_HW_LDS_ALLOC: return shown(w, lds_given(w));
    case GCN_HW_ID1: return shown(w, hw_id1(w));
    case GCN_HW_ID2: return shown(w, IN_PLACE(w->group >> 4 & 31, HW_ID2_NEWER, wg_id));
    case GCN_HW_XNACK_MASK: return gcn_chip_of(w->machine->isa)->cycles ? NULL : shown(w, 0); /* nothing is replayed */
    case GCN_HW_SH_MEM_BASES: return &gcn_of(w)->setup->memory_bases;
    case GCN_HW_TBA_LO: return shown(w, gcn_pair(gcn_s(w), GCN_TRAP_BASE) >> 8);
    case GCN_HW_TMA_LO: return shown(w, gcn_pair(gcn_s(w), GCN_TRAP_MEMORY) >> 8);
    case GCN_HW_TMA_HI: return shown(w, gcn_pair(gcn_s(w), GCN_TRAP_MEMORY) >> 40);
    case GCN_HW_SHADER_CYCLES: return gcn_chip_of(w->machine->isa)->cycles ? cycles(w) : NULL;
    case GCN_HW_FLAT_SCR_LO: return &gcn_s(w)[GCN_SCRATCH_BASE];
    case GCN_HW_FLAT_SCR_HI: return &gcn_s(w)[GCN_SCRATCH_BASE + 1];
    }
    return NULL;
}

static uint32_t *hardware_register(struct gpudbg_wave *w, unsigned number)
{
    if (gcn_chip_of(w->machine->isa)->newer_hwregs) return newer_register(w, number);
    switch (number) {
    case GCN_HW_MODE: return &gcn_s(w)[GCN_MODE];
    case GCN_HW_STATUS: gcn_status(w); return &gcn_s(w)[GCN_STATUS];
    case GCN_HW_TRAPSTS: return &gcn_s(w)[GCN_TRAPSTS];
    case GCN_HW_ID: return &gcn_s(w)[GCN_HW_ID_WORD];
    case GCN_HW_GPR_ALLOC: return &gcn_s(w)[GCN_GPR_ALLOC_WORD];
    case GCN_HW_LDS_ALLOC: return &gcn_s(w)[GCN_LDS_ALLOC_WORD];
    case GCN_HW_IB_STS: return &gcn_s(w)[GCN_IB_STS_WORD];
    }
    return NULL;
}

static const struct gcn_op *no_register(
    struct gpudbg_wave *w, const struct gcn_op *op, const char *insn, unsigned number)
{
    if (gcn_chip_of(w->machine->isa)->newer_hwregs)
        return GCN_FAULT(
            w, op, -1, "%s: %s: not implemented", insn, gpudbg_enum_name(&gcn_enum[GCN_E_HWREG_NEWER], number));
    return GCN_FAULT(w, op, -1, "%s: hardware register %u: not implemented", insn, number);
}

static uint32_t hardware_mask(uint32_t imm) { return (uint32_t)ONES(GET(imm, SOPK_HWREG, size) + 1); }

const struct gcn_op *gcn_getreg(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t *reg = hardware_register(w, GET(op->imm, SOPK_HWREG, hwreg));
    if (!reg) return no_register(w, op, "s_getreg_b32", GET(op->imm, SOPK_HWREG, hwreg));
    gcn_s(w)[op->d] = *reg >> GET(op->imm, SOPK_HWREG, offset) & hardware_mask(op->imm);
    return gcn_next(op);
}

/* Programs may write MODE and TRAPSTS, and of STATUS only the user's debug condition; the rest is read-only. */
static const struct gcn_op *set_hardware(struct gpudbg_wave *w, const struct gcn_op *op, uint32_t where, uint32_t value)
{
    const unsigned number = GET(where, SOPK_HWREG, hwreg), offset = GET(where, SOPK_HWREG, offset);
    uint32_t *reg = hardware_register(w, number);
    if (!reg) return no_register(w, op, "s_setreg_b32", number);
    const bool newer = gcn_chip_of(w->machine->isa)->newer_hwregs;
    const uint32_t writable[] = {[GCN_HW_MODE] = newer ? GCN_VSKIP - 1 : UINT32_MAX,
        [GCN_HW_TRAPSTS] = UINT32_MAX,
        [GCN_HW_STATUS] = newer ? 0 : GCN_COND_DBG_USER,
        [GCN_HW_FLAT_SCR_LO] = newer ? UINT32_MAX : 0,
        [GCN_HW_FLAT_SCR_HI] = newer ? UINT32_MAX : 0};
    uint32_t mask = hardware_mask(where) << offset;
    mask &= number < sizeof writable / sizeof *writable ? writable[number] : 0;
    uint32_t set = (*reg & ~mask) | (value << offset & mask);
    if (newer && number == GCN_HW_MODE && set & GCN_FP16_OVFL)
        return GCN_FAULT(w, op, -1, "s_setreg_b32: MODE.fp16_ovfl, halves that do not overflow: not implemented");
    *reg = set;
    if (number == GCN_HW_MODE && mask & GCN_VSKIP) return gcn_leave(w, op, GCN_RESUME);
    return gcn_next(op);
}

const struct gcn_op *gcn_setreg(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return set_hardware(w, op, op->imm, gcn_s(w)[op->d]);
}

/* imm is the literal; the constant is in b. */
const struct gcn_op *gcn_setreg_imm(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return set_hardware(w, op, op->b, op->imm);
}

const struct gcn_op *gcn_round_mode(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *mode = &gcn_s(w)[GCN_MODE];
    const uint32_t rounds = GCN_ROUND_F32 | GCN_ROUND_F64;
    *mode = (*mode & ~rounds) | (op->imm & rounds);
    return gcn_next(op);
}

const struct gcn_op *gcn_denorm_mode(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *mode = &gcn_s(w)[GCN_MODE];
    const uint32_t denorms = GCN_DENORM_IN_F32 | GCN_DENORM_OUT_F32 | GCN_DENORM_IN_F64 | GCN_DENORM_OUT_F64;
    *mode = (*mode & ~denorms) | (op->imm * GCN_DENORM_IN_F32 & denorms);
    return gcn_next(op);
}

const struct gcn_op *gcn_setvskip(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *s = gcn_s(w);
    s[GCN_LITERAL] = op->imm;
    bool on = s[op->a] >> (s[op->b] & 31) & 1;
    s[GCN_MODE] = (s[GCN_MODE] & ~(uint32_t)GCN_VSKIP) | (on ? GCN_VSKIP : 0);
    return gcn_leave(w, op, GCN_RESUME);
}

/* ---- Ends, waits, events ---- */

const struct gcn_op *gcn_nothing(struct gpudbg_wave *w, const struct gcn_op *op)
{
    (void)w;
    return gcn_next(op);
}

/* Kept where STATUS shows it; the scheduler here ignores priorities. */
const struct gcn_op *gcn_setprio(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint32_t *status = &gcn_s(w)[GCN_STATUS];
    *status = (*status & ~(uint32_t)MASK(STATUS, wave_prio)) |
              (uint32_t)IN_PLACE(GET(op->imm, SOPP_PRIO, simm16), STATUS, wave_prio);
    return gcn_next(op);
}

const struct gcn_op *gcn_endpgm(struct gpudbg_wave *w, const struct gcn_op *op)
{
    w->state = GPUDBG_ENDED;
    return gcn_leave(w, op, GPUDBG_RAN_END);
}

const struct gcn_op *gcn_barrier(struct gpudbg_wave *w, const struct gcn_op *op)
{
    w->state = GPUDBG_AT_BARRIER;
    return gcn_leave(w, op, GPUDBG_RAN_BARRIER);
}

const struct gcn_op *gcn_sleeps(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return gcn_leave(w, op, GPUDBG_RAN_YIELD);
}

const struct gcn_op *gcn_setkill(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (!GET(op->imm, SOPP_BIT, simm16)) return gcn_next(op);
    gcn_sync(w, op);
    gpudbg_event(w, "halt", "s_setkill ends the wave");
    return gcn_endpgm(w, op);
}

/* Ignored in the trap handler. */
const struct gcn_op *gcn_sethalt(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (!GET(op->imm, SOPP_BIT, simm16) || gcn_s(w)[GCN_STATUS] & GCN_PRIV) return gcn_next(op);
    gcn_sync(w, op);
    gpudbg_event(w, "halt", "s_sethalt 1");
    return gcn_leave(w, op, GPUDBG_RAN_EVENT);
}

const struct gcn_op *gcn_sendmsg(struct gpudbg_wave *w, const struct gcn_op *op) { return gcn_message(w, op, false); }

const struct gcn_op *gcn_sendmsghalt(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return gcn_message(w, op, true);
}

const struct gcn_op *gcn_ttracedata(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_sync(w, op);
    gpudbg_event(w, "trace", "s_ttracedata, m0 0x%x", gcn_s(w)[GCN_M0]);
    return gcn_leave(w, op, GPUDBG_RAN_EVENT);
}

const struct gcn_op *gcn_ttracedata_imm(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_sync(w, op);
    gpudbg_event(w, "trace", "s_ttracedata_imm 0x%x", GET(op->imm, SOPP_PLAIN, simm16));
    return gcn_leave(w, op, GPUDBG_RAN_EVENT);
}

const struct gcn_op *gcn_code_end(struct gpudbg_wave *w, const struct gcn_op *op)
{
    return GCN_FAULT(w, op, -1, "s_code_end: the wave has passed the end of its code");
}

/* With a trap handler (TBA not 0) the wave enters it.  Without one the trap is an event; trap 2, which compilers emit
 * where a program must not go on, ends the wave. */
const struct gcn_op *gcn_trap(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t id = GET(op->imm, SOPP_TRAP, simm16);
    gcn_sync(w, op);
    gpudbg_event(w, "trap", "s_trap %u", id);
    uint64_t handler = gcn_trap_handler(w);
    if (handler) {
        gcn_enter_trap(w, gcn_pc(w, op), id);
        return gcn_goto(w, handler);
    }
    return id == 2 ? gcn_endpgm(w, op) : gcn_leave(w, op, GPUDBG_RAN_EVENT);
}
