/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_costs.c: what execution costs on the EU, by a model (gpudbg/costs.h): the cycles for which an instruction keeps
 * its pipe, and how many threads an EU holds.
 *
 * An instruction is cut into pieces of eight channels of four bytes.  Until Gen11 a pipe works on four channels at
 * once, on Gen12 on eight; math has a quarter of the rate.  Sources: Intel, "The Compute Architecture of Processor
 * Graphics" for several generations; Intel, oneAPI GPU optimization guide.
 */
#include <stdio.h>
#include <string.h>
#include "code/gen_decoder.h"
#include "code/message.h"
#include "ops.h"

/* ---- Issue ---- */

enum rule { ALU = GPUDBG_RULES, MATH, DOUBLE, SEND, CONTROL };

#define ARCHITECTURE "Intel, The Compute Architecture of Processor Graphics"
#define GUIDE "Intel, oneAPI GPU optimization guide"

/* For core's rules: banks, their bytes, lanes, a line, latencies.  Then: cycles of a piece. */
#define RULES(alu, math, df, from)                                                                                   \
    {                                                                                                                \
        [GPUDBG_RULE_BANKS] = {"banks", 16, "banks of SLM", "Intel, OpenCL optimization guide: SLM"},                \
        [GPUDBG_RULE_BANK_BYTES] = {"bank-bytes", 4, "neighbouring bytes of one bank",                               \
            "Intel, OpenCL optimization guide: SLM"},                                                                \
        [GPUDBG_RULE_BANK_LANES] = {"bank-lanes", 16, "channels that access SLM at once",                            \
            "Intel, OpenCL optimization guide: SLM"},                                                                \
        [GPUDBG_RULE_LINE_BYTES] = {"line-bytes", 64, "bytes of a line of the L3 cache", ARCHITECTURE},              \
        [GPUDBG_RULE_LATENCY] = {"latency", 0, "cycles from a message to its result; 0: not estimated", "the user"}, \
        [GPUDBG_RULE_LOCAL_LATENCY] = {"local-latency", 0, "... from SLM", "the user"},                              \
        [ALU] = {"alu", alu, "cycles of eight channels of four bytes in a pipe", from},                              \
        [MATH] = {"math", math, "... of math", from},                                                                \
        [DOUBLE] = {"double", df, "... of doubles, four channels", from},                                            \
        [SEND] = {"send", 2, "cycles to give a message to its unit, for each register of its payload",               \
            "a guess: no source says it"},                                                                           \
        [CONTROL] = {"control", 2, "cycles of a branch, a wait or a nop", "a guess: no source says it"},             \
        {NULL, 0, NULL, NULL},                                                                                       \
    }

static const struct gpudbg_cost_rule e1_rules[] = RULES(2, 8, 8, ARCHITECTURE);
static const struct gpudbg_cost_rule e2_rules[] = RULES(1, 4, 4, GUIDE);

static void set(struct gpudbg_cost *c, enum gpudbg_work work, enum rule rule, unsigned times)
{
    c->work = (uint8_t)work;
    c->rule = (uint8_t)rule;
    c->times = (uint16_t)(times ? times : 1);
}

static void cost_message(const struct gpudbg_insn *insn, const struct gen_insn *x, struct gpudbg_cost *c)
{
    const uint64_t does = gpudbg_insn_does(insn);
    unsigned length = 1, more = 0, back = 0;
    gen_message_lengths(x, &length, &more, &back);
    enum gpudbg_work work = GPUDBG_WORK_EXPORT;
    if (does & (GPUDBG_OP_BARRIER | GPUDBG_OP_WAIT))
        work = GPUDBG_WORK_WAIT;
    else if (does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))
        work = gen_is_local_message(x) ? GPUDBG_WORK_LOCAL : GPUDBG_WORK_MEMORY;
    set(c, work, SEND, length + more);
}

static void cost_alu(const struct gen_insn *x, struct gpudbg_cost *c)
{
    unsigned bytes = 4;
    for (unsigned i = 0; i <= x->nsrc && i <= 3; i++) {
        const struct gen_operand *o = i ? &x->src[i - 1] : &x->dst;
        if (o->mode != GEN_ABSENT && o->type < GEN_TYPES && gen_type_size[o->type] > bytes)
            bytes = gen_type_size[o->type];
    }
    const bool df = bytes == 8;
    const enum rule rule = x->shape == GEN_MATH ? MATH : df ? DOUBLE : ALU;
    const unsigned channels = df && rule == DOUBLE ? 4 : 8;
    set(c, x->exec_size == 1 ? GPUDBG_WORK_SCALAR : GPUDBG_WORK_VECTOR, rule, (x->exec_size + channels - 1) / channels);
}

static void cost(const struct gpudbg_insn *insn, struct gpudbg_cost *c)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    switch ((enum gen_shape)x.shape) {
    case GEN_SEND: cost_message(insn, &x, c); break;
    case GEN_SYNC:
    case GEN_WAIT: set(c, GPUDBG_WORK_WAIT, CONTROL, 1); break;
    case GEN_NONE: set(c, GPUDBG_WORK_OTHER, CONTROL, 1); break;
    case GEN_JUMP:
    case GEN_JIP:
    case GEN_BRANCH:
    case GEN_CALL:
    case GEN_RET: set(c, GPUDBG_WORK_BRANCH, CONTROL, 1); break;
    case GEN_UNARY:
    case GEN_BINARY:
    case GEN_TERNARY:
    case GEN_DPAS:
    case GEN_MATH: cost_alu(&x, c); break;
    }
}

/* The token of the scoreboard that an instruction waits for: a message's result, or that its payload has been read. */
static int waits(const struct gpudbg_insn *insn, char *buf, size_t size)
{
    struct gen_insn x;
    char text[32];
    gen_unpack(insn, &x);
    *gen_put_swsb(text, x.eu, x.op, x.swsb) = 0;
    const char *token = strchr(text, '$');
    return token && strchr(token, '.') ? snprintf(buf, size, "%s", token) : 0;
}

/* ---- Occupancy ---- */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Threads of an EU, if so many groups of `threads` fit in its part of the machine. */
static unsigned of_groups(const struct gen_eu *eu, unsigned groups, unsigned threads)
{
    return least(eu->eu_threads, (groups * threads + eu->part_eus - 1) / eu->part_eus);
}

static unsigned groups_of_slm(const struct gen_eu *eu, uint32_t bytes)
{
    uint32_t given = 1024; /* powers of two */
    while (given < bytes) given *= 2;
    return bytes ? eu->part_slm / given : UINT16_MAX;
}

/* The header of a message says a thread's scratch as a power of two, 1 KB to 2 MB.  All threads of the chip have it. */
#define SCRATCH_MOST (2u * 1024 * 1024)

static bool occupancy(
    const struct gpudbg_isa *isa, const struct gpudbg_kernel *k, uint32_t group, struct gpudbg_occupancy *o)
{
    const struct gen_eu *eu = gen_eu_of(isa);
    uint32_t simd = 0, grfs = 0, barriers = 0, scratch = 0;
    if (!gpudbg_kernel_number(k, "simd", &simd) || !gpudbg_kernel_number(k, "grfs", &grfs) || !simd) return false;
    gpudbg_kernel_number(k, "barriers", &barriers);
    gpudbg_kernel_number(k, "scratch_per_thread", &scratch);
    const uint32_t wanted = k->reqd_local[0] * k->reqd_local[1] * k->reqd_local[2];
    if (!group) group = wanted ? wanted : k->max_local ? k->max_local : 256;
    const unsigned threads = (group + simd - 1) / simd, room = eu->eu_threads * eu->part_eus;
    *o = (struct gpudbg_occupancy){.most = eu->eu_threads, .group = group, .nlimits = 5};
    o->limit[0] = (struct gpudbg_limit){"registers", grfs, 0, grfs <= 128 ? eu->eu_threads : eu->eu_threads / 2};
    o->limit[1] = (struct gpudbg_limit){"slm", k->lds, 0, of_groups(eu, groups_of_slm(eu, k->lds), threads)};
    o->limit[2] = (struct gpudbg_limit){
        "barriers", barriers, 0, of_groups(eu, barriers ? eu->part_barriers / barriers : UINT16_MAX, threads)};
    o->limit[3] = (struct gpudbg_limit){"threads", threads, 0, threads <= room ? eu->eu_threads : 0};
    o->limit[4] = (struct gpudbg_limit){"scratch", scratch, scratch <= SCRATCH_MOST ? 0 : scratch - SCRATCH_MOST,
        scratch <= SCRATCH_MOST ? eu->eu_threads : 0};
    o->waves = o->most;
    for (unsigned i = 0; i < o->nlimits; i++) o->waves = least(o->waves, o->limit[i].allows);
    struct gpudbg_limit *slm = &o->limit[1];
    for (uint32_t n = slm->takes; n > 0 && !slm->less && slm->allows == o->waves && o->waves < o->most; n--)
        if (of_groups(eu, groups_of_slm(eu, n - 1), threads) > o->waves) slm->less = slm->takes - (n - 1);
    return true;
}

const struct gpudbg_costing gen_e1_costs = {.rules = e1_rules, .cost = cost, .occupancy = occupancy, .vector = "grfs"};
const struct gpudbg_costing gen_e8_costs = {.rules = e1_rules, .cost = cost, .occupancy = occupancy, .vector = "grfs"};
const struct gpudbg_costing gen_e2_costs = {
    .rules = e2_rules, .cost = cost, .occupancy = occupancy, .vector = "grfs", .waits = waits};
