/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_costs.c: what execution costs on these chips, by a model (gpudbg/costs.h): the cycles for which an instruction
 * keeps its unit, and how many waves a SIMD holds.
 *
 * A SIMD works on a vector instruction for four cycles at the full rate: 64 lanes, 16 at once.  LLVM's schedules give
 * the other rates as multiples (SISchedule.td, the model for chips without fast doubles).
 *
 * A SIMD has 10 places for waves, 256 VGPRs a lane, given by fours, and 512 SGPRs, given by eights; a compute unit has
 * four SIMDs and 64 KB of LDS, given by 512 bytes, and at most 16 groups of several waves.  More than 80 SGPRs leave
 * five waves.  Sources: Sea Islands 3D register reference, COMPUTE_PGM_RSRC1 and 2 (granules); LLVM's AMDGPU backend,
 * which prints the same numbers for SGPRs and VGPRs ("Occupancy").
 */
#include <string.h>
#include "code/gcn_decoder.h"

/* ---- Issue ---- */

#define LLVM "LLVM, SISchedule.td: "

/* The instruction set's own rules, in the order of the table. */
enum rule { FULL = GPUDBG_RULES, WIDE, QUARTER, F64, F64_ROOT, SCALAR, UNIT, ISSUE };

static const struct gpudbg_cost_rule rules[] = {
    [GPUDBG_RULE_BANKS] = {"banks", 32, "banks of LDS", "Sea Islands ISA, chapter on LDS"},
    [GPUDBG_RULE_BANK_BYTES] = {"bank-bytes", 4, "neighbouring bytes of one bank", "Sea Islands ISA, chapter on LDS"},
    [GPUDBG_RULE_BANK_LANES] = {"bank-lanes", 32, "lanes that access LDS in one cycle",
        "AMD, OpenCL optimization guide: half a wave"},
    [GPUDBG_RULE_LINE_BYTES] = {"line-bytes", 64, "bytes of a line of the first cache",
        "AMD, OpenCL optimization guide: L1 cache"},
    [GPUDBG_RULE_LATENCY] = {"latency", 0, "cycles from a memory access to its result; 0: not estimated", "the user"},
    [GPUDBG_RULE_LOCAL_LATENCY] = {"local-latency", 0, "... of an LDS access", "the user"},
    [FULL] = {"vector", 4, "cycles of a vector instruction at the full rate: 64 lanes, 16 at once",
        "Sea Islands ISA, chapter on vector ALU"},
    [WIDE] = {"vector-64", 8, "... that shifts or compares 64-bit integers", LLVM "Write64Bit"},
    [QUARTER] = {"quarter", 16,
        "... at a quarter of the rate: 1/x, roots, logarithms, sines, products of dwords, "
        "conversions of doubles, v_fma_f32",
        LLVM "WriteTrans32, WriteIntMul, WriteDoubleCvt"},
    [F64] = {"f64", 32, "... that adds, multiplies, compares or rounds doubles", LLVM "WriteDoubleAdd"},
    [F64_ROOT] = {"f64-root", 64, "... that divides doubles or takes their roots", LLVM "WriteTrans64"},
    [SCALAR] = {"scalar", 4, "cycles of a scalar instruction", "Sea Islands ISA: each SIMD has a turn in four cycles"},
    [UNIT] = {"issue", 4, "cycles to give an instruction to memory, LDS or export",
        "Sea Islands ISA: each SIMD has a turn in four cycles"},
    [ISSUE] = {"free", 0, "cycles of what is done without a unit: waits, s_nop, barriers", "Sea Islands ISA, 4.3"},
    {NULL, 0, NULL, NULL},
};

static bool ends(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* What divides or takes roots of doubles. */
static bool doubles_long(const char *name)
{
    static const char *const parts[] = {"v_rcp", "v_rsq", "v_sqrt_", "v_div_", "v_trig_"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (begins(name, parts[i])) return true;
    return false;
}

static bool is_quarter(const char *name)
{
    static const char *const parts[] = {"v_rcp", "v_rsq", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_",
        "v_mul_lo_", "v_mul_hi_u32", "v_mul_hi_i32", "v_mad_u64", "v_mad_i64", "v_fma_f32"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (begins(name, parts[i]) && !begins(name, "v_mul_hi_u32_u24") && !begins(name, "v_mul_hi_i32_i24") &&
            !ends(name, "_u16"))
            return true;
    return false;
}

static enum rule vector_rule(const char *name)
{
    const char *f64 = strstr(name, "_f64");
    if (f64 && begins(name, "v_cvt_")) return QUARTER;
    if (f64) return doubles_long(name) ? F64_ROOT : F64;
    if (is_quarter(name)) return QUARTER;
    return ends(name, "_b64") || ends(name, "_i64") || ends(name, "_u64") ? WIDE : FULL;
}

static void set(struct gpudbg_cost *c, enum gpudbg_work work, enum rule rule)
{
    c->work = (uint8_t)work;
    c->rule = (uint8_t)rule;
    c->times = 1;
}

static void cost(const struct gpudbg_insn *insn, struct gpudbg_cost *c)
{
    const uint64_t does = gpudbg_insn_does(insn);
    switch (insn->variant) {
    case GCN_DS: set(c, GPUDBG_WORK_LOCAL, UNIT); break;
    case GCN_EXP: set(c, GPUDBG_WORK_EXPORT, UNIT); break;
    case GCN_FLAT:
    case GCN_MIMG:
    case GCN_MTBUF:
    case GCN_MUBUF: set(c, GPUDBG_WORK_MEMORY, UNIT); break;
    case GCN_SMRD: set(c, GPUDBG_WORK_CONSTANT, UNIT); break;
    case GCN_SOPP:
        if (does & (GPUDBG_OP_WAIT | GPUDBG_OP_BARRIER))
            set(c, GPUDBG_WORK_WAIT, ISSUE);
        else if (does & (GPUDBG_OP_BRANCH | GPUDBG_OP_END))
            set(c, GPUDBG_WORK_BRANCH, UNIT);
        else if (does & GPUDBG_OP_MESSAGE)
            set(c, GPUDBG_WORK_EXPORT, UNIT);
        else
            set(c, GPUDBG_WORK_OTHER, ISSUE);
        break;
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC:
    case GCN_SOPK: set(c, does & GPUDBG_OP_BRANCH ? GPUDBG_WORK_BRANCH : GPUDBG_WORK_SCALAR, SCALAR); break;
    default: set(c, GPUDBG_WORK_VECTOR, vector_rule(insn->op->name)); break;
    }
}

/* ---- Occupancy ---- */

enum { WAVES = 10, SIMDS = 4, VGPRS = 256, SGPRS = 512, LDS = 65536, GROUPS = 16, LANES = 64 };

static uint32_t up(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }
static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned waves_of_vgprs(uint32_t n, uint32_t group)
{
    (void)group;
    return least(WAVES, VGPRS / up(n ? n : 1, 4));
}

static unsigned waves_of_sgprs(uint32_t n, uint32_t group)
{
    const unsigned waves = least(WAVES, SGPRS / up(n ? n : 1, 8));
    (void)group;
    return waves < 5 ? 5 : waves;
}

/* Groups are as many as fit in LDS and in the table of barriers; their waves spread over the SIMDs. */
static unsigned waves_of_lds(uint32_t lds, uint32_t group)
{
    const uint32_t waves = up(group ? group : LANES, LANES) / LANES;
    uint32_t groups = waves > 1 ? GROUPS : WAVES * SIMDS;
    if (lds) groups = least(groups, LDS / up(lds, 512));
    return least(WAVES, (groups * waves + SIMDS - 1) / SIMDS);
}

/* COMPUTE_TMPRING_SIZE.WAVESIZE has 13 bits, of 1 KB for a wave.  How many waves its driver gives such memory to, no
 * file says, so that scratch either fits or does not. */
#define SCRATCH_LANE (8191u * 1024 / 64)

static struct gpudbg_limit limit_of_scratch(uint32_t bytes)
{
    const bool fits = bytes <= SCRATCH_LANE;
    return (struct gpudbg_limit){"scratch", bytes, fits ? 0 : bytes - SCRATCH_LANE, fits ? WAVES : 0};
}

static bool occupancy(
    const struct gpudbg_isa *isa, const struct gpudbg_kernel *k, uint32_t group, struct gpudbg_occupancy *o)
{
    static unsigned (*const waves_of[])(uint32_t, uint32_t) = {waves_of_vgprs, waves_of_sgprs, waves_of_lds};
    const uint32_t wanted = k->reqd_local[0] * k->reqd_local[1] * k->reqd_local[2];
    (void)isa;
    *o = (struct gpudbg_occupancy){.waves = WAVES,
        .most = WAVES,
        .nlimits = 3,
        .limit = {{.name = "vgprs"}, {.name = "sgprs"}, {.name = "lds", .takes = k->lds}}};
    if (!gpudbg_kernel_number(k, "vgprs", &o->limit[0].takes) || !gpudbg_kernel_number(k, "sgprs", &o->limit[1].takes))
        return false;
    if (!group) group = wanted ? wanted : k->max_local;
    o->group = group;
    for (unsigned i = 0; i < o->nlimits; i++) {
        o->limit[i].allows = waves_of[i](o->limit[i].takes, group);
        o->waves = least(o->waves, o->limit[i].allows);
    }
    for (unsigned i = 0; i < o->nlimits && o->waves < WAVES; i++) {
        struct gpudbg_limit *l = &o->limit[i];
        for (uint32_t n = l->takes; n > 0 && !l->less && l->allows == o->waves; n--)
            if (waves_of[i](n - 1, group) > o->waves) l->less = l->takes - (n - 1);
    }
    o->limit[o->nlimits++] = limit_of_scratch(k->scratch);
    o->waves = least(o->waves, o->limit[o->nlimits - 1].allows);
    return true;
}

const struct gpudbg_costing gcn_costs = {.rules = rules,
    .cost = cost,
    .occupancy = occupancy,
    .vector = "vgprs",
    .scalar = "sgprs",
    .spilled = {"vgpr_spills", "sgpr_spills"}};
