/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_flow.c: control flow of channels.  A branch sends some channels to one address and the rest to another; then the
 * thread continues at the lowest address of any channel.  For structured code, and for goto and join as compilers use
 * them, this visits the same instructions as the hardware's JIPs.  Sources: Ivy Bridge manual, volume 4 part 3, 1.1
 * (PcIP) and 3.3.3.8 (exceptions); the targets of UIP and JIP: observed in compilers' output.
 */
#include "engine/places_simd.h"
#include "engine/gen_registers.h"
#include "ops.h"

/* ---- Channels ---- */

static bool in_system(const struct gpudbg_wave *w) { return w->words[GEN_W_CR0] & GEN_IN_EXCEPTION; }

static uint32_t *places(struct gpudbg_wave *w) { return w->words + (in_system(w) ? GEN_W_SYSTEM_PCIP : GEN_W_PCIP); }

/* Channels that are not held back by a call: those of the innermost call that have not returned. */
static uint32_t running(const struct gpudbg_wave *w)
{
    uint32_t depth = w->words[GEN_W_DEPTH];
    return depth ? w->words[GEN_W_CALLERS + depth] : w->words[GEN_W_LIVE];
}

void gen_flow_send(struct gpudbg_wave *w, uint32_t channels, uint32_t ip)
{
    gen_of(w)->places->send(places(w), channels, ip);
}

uint32_t gen_channel_place(struct gpudbg_wave *w, unsigned channel)
{
    bool runs = w->words[GEN_W_ACTIVE] >> channel & 1;
    return runs ? (uint32_t)(w->pc - gen_of(w)->base) : places(w)[channel];
}

uint32_t gen_channels_running(const struct gpudbg_wave *w) { return running(w); }

/* The lowest IP of the channels, and the channels there. */
static uint32_t lowest(struct gpudbg_wave *w, uint32_t channels, uint32_t *there)
{
    *there = 0;
    return channels ? gen_of(w)->places->lowest(places(w), channels, there) : GEN_NOWHERE;
}

void gen_flow_settle(struct gpudbg_wave *w)
{
    uint32_t there, waiting, all = running(w), ip = lowest(w, all, &there);
    w->words[GEN_W_ACTIVE] = there;
    w->words[GEN_W_JOIN] = lowest(w, all & ~there, &waiting);
    w->pc = gen_of(w)->base + ip;
    gen_find_join(w);
}

void gen_flow_enable(struct gpudbg_wave *w, uint32_t channels)
{
    const uint32_t width = gen_of(w)->width, depth = w->words[GEN_W_DEPTH];
    uint32_t there;
    channels &= width < 32 ? (UINT32_C(1) << width) - 1 : UINT32_MAX;
    gen_flow_send(w, w->words[GEN_W_ACTIVE] & ~channels, GEN_NOWHERE);
    w->words[GEN_W_LIVE] |= channels;
    if (depth) w->words[GEN_W_CALLERS + depth] |= channels;
    w->words[GEN_W_ACTIVE] = channels;
    w->words[GEN_W_JOIN] = lowest(w, running(w) & ~channels, &there);
    gen_find_join(w);
}

const struct gen_step *gen_flow_join(struct gpudbg_wave *w, const struct gen_step *op)
{
    uint32_t there, active = w->words[GEN_W_ACTIVE];
    lowest(w, running(w) & ~active, &there);
    w->words[GEN_W_ACTIVE] = active | there;
    w->words[GEN_W_JOIN] = lowest(w, running(w) & ~active & ~there, &there);
    gen_find_join(w);
    return op;
}

/* ---- Branches ---- */

static uint32_t ip_of(const struct gpudbg_wave *w, uint64_t address) { return (uint32_t)(address - gen_of(w)->base); }

/* Channels of the thread that the branch covers, and that pass its predicate. */
static uint32_t passing(const struct gpudbg_wave *w, const struct gen_insn *insn, uint32_t *covered)
{
    uint32_t active = w->words[GEN_W_ACTIVE], mask = gen_pass_mask(w, insn);
    if (w->words[GEN_W_CR0] & GEN_SPF || GEN_IS(insn->op, THREAD)) {
        *covered = active;
        return mask & 1 ? active : 0;
    }
    uint32_t all = insn->exec_size >= 32 ? UINT32_MAX : (1u << insn->exec_size) - 1;
    *covered = insn->chan_off < 32 ? all << insn->chan_off & active : 0;
    return insn->chan_off < 32 ? mask << insn->chan_off & *covered : 0;
}

/* Break: the instruction after the while at UIP. */
static uint32_t behind(const struct gpudbg_wave *w, uint64_t address)
{
    const struct gen_step *op = gen_op_made(w, address);
    return ip_of(w, address + (op && op->insn ? op->insn->size : 16));
}

struct targets {
    uint64_t jip, uip;
};

/* The targets of a branch.  Distances in a register have the units of those in the instruction; they are words or
 * dwords if typed_targets, else dwords. */
static struct targets targets_of(struct gpudbg_wave *w, const struct gen_insn *insn)
{
    struct targets t = {insn->jip_target, insn->uip_target};
    if (insn->jip_is_imm) return t;
    struct gen_insn in = *insn;
    uint64_t distance[2]; /* two's complement: addresses wrap */
    in.src[0].type = !insn->eu->typed_targets || GEN_IS(insn->op, THREAD) ? GEN_D : insn->src[0].type;
    unsigned size = gen_type_size[in.src[0].type];
    int64_t at = gen_element(w, &in, 0, 0);
    for (unsigned i = 0; i < 2; i++) {
        distance[i] = (uint64_t)gen_int_read(in.src[0].type, gen_load(w, in.src[0].file, at + i * (int64_t)size, size));
        distance[i] *= gen_branch_unit(insn);
    }
    const uint64_t from = gen_branch_from(insn);
    t.jip = from + distance[0];
    if (!insn->uip_is_imm) t.uip = from + distance[1];
    return t;
}

/* The dword of a call's return operand: 0 the address, 1 the mask. */
static int64_t return_slot(const struct gpudbg_wave *w, const struct gen_insn *insn, int n, unsigned dword)
{
    return gen_element(w, insn, n, 0) + 4 * dword;
}

static const struct gen_step *call(struct gpudbg_wave *w, const struct gen_step *op, uint32_t callers, uint64_t target)
{
    const struct gen_insn *insn = op->insn;
    uint32_t depth = w->words[GEN_W_DEPTH], next = ip_of(w, insn->addr + insn->size), active = w->words[GEN_W_ACTIVE];
    if (!callers) {
        gen_flow_send(w, active, next);
        gen_flow_settle(w);
        return gen_go(w);
    }
    if (depth + 1 > GEN_CALLS) {
        if (gen_exception(w, op, GEN_STACK, GEN_STACK >> 16, ip_of(w, insn->addr))) return gen_go(w);
        return GEN_FAULT(w, op, -1, "more than %u calls inside each other", GEN_CALLS);
    }
    gen_store(w, insn->dst.file, return_slot(w, insn, -1, 0), 4, next);
    gen_store(w, insn->dst.file, return_slot(w, insn, -1, 1), 4, callers);
    gen_flow_send(w, active, next);
    gen_flow_send(w, callers, ip_of(w, target));
    w->words[GEN_W_CALLERS + ++w->words[GEN_W_DEPTH]] = callers;
    gen_flow_settle(w);
    return gen_go(w);
}

static const struct gen_step *ret(struct gpudbg_wave *w, const struct gen_insn *insn, uint32_t channels)
{
    uint32_t to = (uint32_t)gen_load(w, insn->src[0].file, return_slot(w, insn, 0, 0), 4) & ~7u;
    uint32_t *depth = &w->words[GEN_W_DEPTH];
    uint32_t bottom = in_system(w) ? w->words[GEN_W_SAVED_DEPTH] + 1 : 0;
    gen_flow_send(w, w->words[GEN_W_ACTIVE], ip_of(w, insn->addr + insn->size));
    gen_flow_send(w, channels, to);
    if (*depth > bottom && !(w->words[GEN_W_CALLERS + *depth] &= ~channels)) --*depth;
    if (*depth > bottom && !w->words[GEN_W_CALLERS + *depth]) --*depth; /* of a jump (jump_over) */
    gen_flow_settle(w);
    return gen_go(w);
}

/* A jump of the whole thread over channels that wait below its target: a call by jmpi of a function that lies behind
 * them, or its way back.  The channels that jump run alone until a jump comes back to or below those that wait, as the
 * innermost call's do: two entries of the calls, of which the first is 0.  false: nothing waits there, as was. */
static bool jump_over(struct gpudbg_wave *w, uint32_t to)
{
    uint32_t *depth = &w->words[GEN_W_DEPTH], *callers = w->words + GEN_W_CALLERS, there;
    const uint32_t bottom = in_system(w) ? w->words[GEN_W_SAVED_DEPTH] + 1 : 0, active = w->words[GEN_W_ACTIVE];
    if (*depth > bottom + 1 && !callers[*depth - 1] && active == callers[*depth]) {
        const uint32_t outer = *depth > 2 ? callers[*depth - 2] : w->words[GEN_W_LIVE];
        if (lowest(w, outer & ~active, &there) < to) return false;
        *depth -= 2;
        return true;
    }
    if (lowest(w, running(w) & ~active, &there) >= to || *depth + 2 > GEN_CALLS) return false;
    callers[++*depth] = 0;
    callers[++*depth] = active;
    return true;
}

const struct gen_step *gen_flow(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_insn *insn = op->insn;
    uint32_t covered, active = w->words[GEN_W_ACTIVE], pass = passing(w, insn, &covered),
                      next = ip_of(w, insn->addr + insn->size);
    struct targets t = targets_of(w, insn);
    uint32_t jip = ip_of(w, t.jip), uip = ip_of(w, t.uip), to = jip, moved = pass, rest = next;
    switch (insn->op) {
    case GEN_OP_endif:
    case GEN_OP_join: return gen_next(op);
    case GEN_OP_call:
    case GEN_OP_calla: return call(w, op, pass, t.jip);
    case GEN_OP_ret: return ret(w, insn, pass);
    case GEN_OP_if: moved = covered & ~pass; break;
    case GEN_OP_else:
        moved = covered;
        to = insn->eu->else_has_uip ? uip : jip;
        break;
    case GEN_OP_jmpi:
    case GEN_OP_brd:
    case GEN_OP_while: break;
    case GEN_OP_break: to = behind(w, t.uip); break;
    case GEN_OP_goto:
        if (insn->eu->goto_else && !insn->branch_ctrl) moved = covered & ~pass;
        to = uip;
        rest = insn->branch_ctrl ? jip : next;
        break;
    default: to = uip; break; /* cont, halt, brc */
    }
    if (!moved && rest == next) return gen_next(op);
    const bool over = insn->op == GEN_OP_jmpi && moved && jump_over(w, to);
    if (!over && covered == running(w) && (!moved || moved == covered)) { /* all go the same way */
        uint32_t ip = moved ? to : rest;
        gen_flow_send(w, covered, ip);
        w->pc = gen_of(w)->base + ip;
        return gen_go(w);
    }
    gen_flow_send(w, active, next);
    gen_flow_send(w, covered & ~moved, rest);
    gen_flow_send(w, moved, to);
    gen_flow_settle(w);
    return gen_go(w);
}

/* ---- Waiting ---- */

/* A thread waits for its group's barrier after it has sent the gateway's message: core resumes a group's threads when
 * all of them wait. */
static const struct gen_step *wait_barrier(struct gpudbg_wave *w, const struct gen_step *op, const char *what)
{
    if (!w->words[GEN_W_SIGNALS])
        return GEN_FAULT(w, op, -1, "%s: nothing will ever notify this thread: it has not signalled a barrier", what);
    w->words[GEN_W_SIGNALS]--;
    w->state = GPUDBG_AT_BARRIER;
    return gen_leave(w, op, GPUDBG_RAN_BARRIER);
}

const struct gen_step *gen_wait(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_operand *o = &op->insn->src[0];
    unsigned dword = o->sub / 4;
    if (!(gen_pass_mask(w, op->insn) & 1)) return gen_next(op);
    if (dword < 3 && w->words[GEN_W_N0 + dword]) {
        w->words[GEN_W_N0 + dword]--;
        return gen_next(op);
    }
    if (dword) return GEN_FAULT(w, op, -1, "wait: nothing will ever notify n0.%u", dword);
    return wait_barrier(w, op, "wait");
}

const struct gen_step *gen_sync_op(struct gpudbg_wave *w, const struct gen_step *op)
{
    enum { BAR = 14, HOST = 15 };
    if (op->insn->func == BAR) return wait_barrier(w, op, "sync.bar");
    if (op->insn->func == HOST) return GEN_FAULT(w, op, -1, "sync.host: nothing will ever notify this thread");
    return gen_next(op); /* each instruction completes before the next one starts */
}

/* ---- Exceptions ---- */

bool gen_exception(struct gpudbg_wave *w, const struct gen_step *op, uint32_t status, uint32_t enable, uint32_t aip)
{
    const struct gen *g = gen_of(w);
    uint32_t *cr = w->words + GEN_W_CR0;
    if (g->system == UINT64_MAX || in_system(w) || !(cr[1] & enable)) return false;
    gen_sync(w, op);
    gen_flow_send(w, w->words[GEN_W_ACTIVE], aip);
    w->words[GEN_W_SAVED_ACTIVE] = w->words[GEN_W_ACTIVE];
    w->words[GEN_W_SAVED_DEPTH] = w->words[GEN_W_DEPTH];
    cr[0] |= GEN_IN_EXCEPTION;
    cr[1] |= status;
    cr[2] = aip;
    w->words[GEN_W_CALLERS + ++w->words[GEN_W_DEPTH]] = w->words[GEN_W_LIVE];
    gen_flow_send(w, w->words[GEN_W_LIVE], ip_of(w, g->system));
    gen_flow_settle(w);
    return true;
}

/* Back to the program, at AIP. */
static const struct gen_step *resume(struct gpudbg_wave *w)
{
    w->words[GEN_W_DEPTH] = w->words[GEN_W_SAVED_DEPTH];
    gen_flow_send(w, w->words[GEN_W_SAVED_ACTIVE], w->words[GEN_W_CR0 + 2] & ~7u);
    gen_flow_settle(w);
    return gen_go(w);
}

const struct gen_step *gen_control_written(struct gpudbg_wave *w, const struct gen_step *op, const uint32_t before[4])
{
    uint32_t *cr = w->words + GEN_W_CR0;
    bool was = before[0] & GEN_IN_EXCEPTION, is = cr[0] & GEN_IN_EXCEPTION;
    if (was && !is) return resume(w);
    if (!was) cr[0] &= ~GEN_IN_EXCEPTION; /* writing 1 has no effect */
    if (!was && cr[1] & GEN_SOFTWARE && !(before[1] & GEN_SOFTWARE) &&
        gen_exception(w, op, GEN_SOFTWARE, GEN_SOFTWARE >> 16, ip_of(w, op->insn->addr + op->insn->size)))
        return gen_go(w);
    return NULL;
}

const struct gen_step *gen_debug_break(struct gpudbg_wave *w, const struct gen_step *op)
{
    uint32_t *cr = w->words + GEN_W_CR0;
    bool suppressed = cr[0] & GEN_BREAK_SUPPRESS;
    if (!in_system(w) && cr[1] & GEN_BREAK_ENABLE) {
        if (!suppressed && gen_exception(w, op, 0, GEN_BREAK_ENABLE, ip_of(w, op->insn->addr))) return gen_go(w);
        cr[0] &= ~(uint32_t)GEN_BREAK_SUPPRESS;
    }
    const struct gen_step *next = gen_of(w)->families->handler(op->insn)(w, op);
    if (!next && suppressed && gen_of(w)->ran == GPUDBG_RAN_FAULT) cr[0] |= GEN_BREAK_SUPPRESS;
    return next;
}

const struct gen_step *gen_illegal(struct gpudbg_wave *w, const struct gen_step *op)
{
    if (gen_exception(w, op, GEN_ILLEGAL, GEN_ILLEGAL >> 16, (uint32_t)(gen_pc(gen_of(w), op) - gen_of(w)->base)))
        return gen_go(w);
    return GEN_FAULT(w, op, -1, "illegal instruction");
}
