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
 *
 * RDNA: a SIMD works on 32 lanes at once, so waves of 64 take two turns.  A SIMD has 20 places for waves (RDNA 2: 16)
 * and 1024 VGPRs for each of 32 lanes, 512 for each of 64; SGPRs limit nothing.  A group has the two SIMDs of a compute
 * unit and its 64 KB of LDS, or in WGP mode the four of a pair and 128 KB.  Source: LLVM 19, AMDGPUBaseInfo.cpp.
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

#define NO_SOURCE "no public source is known: counted as at the full rate"
static const struct gpudbg_cost_rule newer_rules[] = {
    [GPUDBG_RULE_BANKS] = {"banks", 32, "banks of LDS", "LLVM, AMDGPU.td: LDSBankCount32"},
    [GPUDBG_RULE_BANK_BYTES] = {"bank-bytes", 4, "neighbouring bytes of one bank", "as on Sea Islands: inferred"},
    [GPUDBG_RULE_BANK_LANES] = {"bank-lanes", 32, "lanes that access LDS in one cycle", "as many as banks: inferred"},
    [GPUDBG_RULE_LINE_BYTES] = {"line-bytes", 128, "bytes of a line of the first cache",
        "Linux, kfd_crat.c: navi10_cache_info"},
    [GPUDBG_RULE_LATENCY] = {"latency", 0, "cycles from a memory access to its result; 0: not estimated", "the user"},
    [GPUDBG_RULE_LOCAL_LATENCY] = {"local-latency", 0, "... of an LDS access", "the user"},
    [FULL] = {"vector", 1, "cycles of a vector instruction at the full rate, for 32 lanes",
        "AMD, RDNA architecture (2019): SIMDs of 32 lanes"},
    [WIDE] = {"vector-64", 1, "... that shifts or compares 64-bit integers, or multiplies dwords", NO_SOURCE},
    [QUARTER] = {"quarter", 4, "... of 1/x, roots, exponentials, logarithms, sines",
        "AMD, RDNA architecture (2019): a quarter of the rate"},
    [F64] = {"f64", 1, "... that adds, multiplies, compares or rounds doubles", NO_SOURCE},
    [F64_ROOT] = {"f64-root", 1, "... that divides doubles or takes their roots", NO_SOURCE},
    [SCALAR] = {"scalar", 1, "cycles of a scalar instruction", "AMD, RDNA architecture (2019): one each cycle"},
    [UNIT] = {"issue", 1, "cycles to give an instruction to memory, LDS or export",
        "AMD, RDNA architecture (2019): one each cycle"},
    [ISSUE] = {"free", 0, "cycles of what is done without a unit: waits, s_nop, barriers",
        "as on Sea Islands: inferred"},
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

/* Whether a row of quarter rate is one on RDNA, too: those of the unit for transcendental functions. */
static bool is_transcendental(const char *name)
{
    static const char *const parts[] = {"v_rcp", "v_rsq", "v_sqrt_", "v_exp_", "v_log_", "v_sin_", "v_cos_"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (begins(name, parts[i])) return true;
    return false;
}

static void cost(const struct gpudbg_insn *insn, struct gpudbg_cost *c)
{
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    const uint64_t does = gpudbg_insn_does(insn);
    switch (gcn_access_of(insn)) {
    case GCN_LOCALS: set(c, GPUDBG_WORK_LOCAL, UNIT); return;
    case GCN_EXPORTS: set(c, GPUDBG_WORK_EXPORT, UNIT); return;
    case GCN_BUFFERS:
    case GCN_IMAGES:
    case GCN_FLATS:
    case GCN_SEGMENTS: set(c, GPUDBG_WORK_MEMORY, UNIT); return;
    case GCN_CONSTANTS: set(c, GPUDBG_WORK_CONSTANT, UNIT); return;
    case GCN_NO_ACCESS: break;
    }
    switch (insn->variant) {
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
    case GCN_SOPK:
        if (does & GPUDBG_OP_WAIT) {
            set(c, GPUDBG_WORK_WAIT, ISSUE);
            break;
        }
        /* fall through */
    case GCN_SOP1:
    case GCN_SOP2:
    case GCN_SOPC: set(c, does & GPUDBG_OP_BRANCH ? GPUDBG_WORK_BRANCH : GPUDBG_WORK_SCALAR, SCALAR); break;
    default:
        set(c, GPUDBG_WORK_VECTOR, vector_rule(insn->op->name));
        if (!chip->newer_vop3) break;
        if (c->rule == QUARTER && !is_transcendental(insn->op->name))
            c->rule = begins(insn->op->name, "v_cvt_") ? F64 : begins(insn->op->name, "v_fma_f32") ? FULL : WIDE;
        c->times = insn->isa->lanes > 32 ? 2 : 1;
        break;
    }
}

/* ---- Occupancy ---- */

enum { SGPRS = 512, GROUPS = 16 };

/* The SIMDs that a group can use, and what they share. */
struct shape {
    unsigned waves, simds, groups, lanes;
    uint32_t vgprs, vgpr_unit, lds, lds_unit;
    bool sgprs; /* SGPRs limit the waves */
};

static struct shape shape_of(const struct gcn_chip *chip, const struct gpudbg_kernel *k)
{
    uint32_t pair = 0;
    const bool newer = chip->newer_vop3;
    const unsigned n = newer && gpudbg_kernel_number(k, "wgp_mode", &pair) && pair ? 2 : 1;
    return (struct shape){.waves = chip->simd_waves,
        .simds = newer ? 2 * n : 4,
        .groups = GROUPS * n,
        .lanes = chip->isa.lanes,
        .vgprs = chip->simd_vgprs,
        .vgpr_unit = chip->vgpr_unit,
        .lds = 65536 * n,
        .lds_unit = 512,
        .sgprs = !newer};
}

static uint32_t up(uint32_t n, uint32_t to) { return (n + to - 1) / to * to; }
static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned waves_of_vgprs(const struct shape *s, uint32_t n, uint32_t group)
{
    (void)group;
    return least(s->waves, s->vgprs / up(n ? n : 1, s->vgpr_unit));
}

static unsigned waves_of_sgprs(const struct shape *s, uint32_t n, uint32_t group)
{
    const unsigned waves = least(s->waves, SGPRS / up(n ? n : 1, 8));
    (void)group;
    return !s->sgprs ? s->waves : waves < 5 ? 5 : waves;
}

/* Groups are as many as fit in LDS and in the table of barriers; their waves spread over the SIMDs. */
static unsigned waves_of_lds(const struct shape *s, uint32_t lds, uint32_t group)
{
    const uint32_t waves = up(group ? group : s->lanes, s->lanes) / s->lanes;
    uint32_t groups = waves > 1 ? s->groups : s->waves * s->simds;
    if (lds) groups = least(groups, s->lds / up(lds, s->lds_unit));
    return least(s->waves, (groups * waves + s->simds - 1) / s->simds);
}

/* COMPUTE_TMPRING_SIZE.WAVESIZE has 13 bits, of 1 KB for a wave.  How many waves its driver gives such memory to, no
 * file says, so that scratch either fits or does not. */
static struct gpudbg_limit limit_of_scratch(const struct shape *s, uint32_t bytes)
{
    const uint32_t most = 8191u * 1024 / s->lanes;
    const bool fits = bytes <= most;
    return (struct gpudbg_limit){"scratch", bytes, fits ? 0 : bytes - most, fits ? s->waves : 0};
}

static bool occupancy(
    const struct gpudbg_isa *isa, const struct gpudbg_kernel *k, uint32_t group, struct gpudbg_occupancy *o)
{
    static unsigned (*const waves_of[])(const struct shape *, uint32_t, uint32_t) = {
        waves_of_vgprs, waves_of_sgprs, waves_of_lds};
    const uint32_t wanted = k->reqd_local[0] * k->reqd_local[1] * k->reqd_local[2];
    const struct shape s = shape_of(gcn_chip_of(isa), k);
    *o = (struct gpudbg_occupancy){.waves = s.waves,
        .most = s.waves,
        .nlimits = 3,
        .limit = {{.name = "vgprs"}, {.name = "sgprs"}, {.name = "lds", .takes = k->lds}}};
    if (!gpudbg_kernel_number(k, "vgprs", &o->limit[0].takes) || !gpudbg_kernel_number(k, "sgprs", &o->limit[1].takes))
        return false;
    if (!group) group = wanted ? wanted : k->max_local;
    o->group = group;
    for (unsigned i = 0; i < o->nlimits; i++) {
        o->limit[i].allows = waves_of[i](&s, o->limit[i].takes, group);
        o->waves = least(o->waves, o->limit[i].allows);
    }
    for (unsigned i = 0; i < o->nlimits && o->waves < s.waves; i++) {
        struct gpudbg_limit *l = &o->limit[i];
        for (uint32_t n = l->takes; n > 0 && !l->less && l->allows == o->waves; n--)
            if (waves_of[i](&s, n - 1, group) > o->waves) l->less = l->takes - (n - 1);
    }
    o->limit[o->nlimits++] = limit_of_scratch(&s, k->scratch);
    o->waves = least(o->waves, o->limit[o->nlimits - 1].allows);
    return true;
}

const struct gpudbg_costing gcn_costs = {.rules = rules,
    .cost = cost,
    .occupancy = occupancy,
    .vector = "vgprs",
    .scalar = "sgprs",
    .spilled = {"vgpr_spills", "sgpr_spills"}};

const struct gpudbg_costing gcn_newer_costs = {.rules = newer_rules,
    .cost = cost,
    .occupancy = occupancy,
    .vector = "vgprs",
    .scalar = "sgprs",
    .spilled = {"vgpr_spills", "sgpr_spills"}};
