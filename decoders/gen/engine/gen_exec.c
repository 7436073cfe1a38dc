/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_exec.c: masks and predicates, and the run loop. */
#include "engine/gen_exec.h"
#include "engine/gate.h"

#define SLICE 65536u /* instructions between checks of machine->interrupt */

/* ---- Masks ---- */

static uint32_t ones(unsigned n) { return n >= 32 ? UINT32_MAX : (1u << n) - 1; }

uint32_t gen_mask(const struct gpudbg_wave *w, const struct gen_insn *insn)
{
    unsigned n = gen_channels(insn), step = gen_channel_step(insn);
    if (insn->no_mask) return ones(n);
    uint32_t active = w->words[GEN_W_ACTIVE], mask = 0;
    if (step == 1) return (insn->chan_off < 32 ? active >> insn->chan_off : 0) & ones(n);
    for (unsigned i = 0; i < n; i++)
        mask |= (insn->chan_off + step * i < 32 ? active >> (insn->chan_off + step * i) & 1 : 0) << i;
    return mask;
}

uint32_t gen_pass_mask(const struct gpudbg_wave *w, const struct gen_insn *insn)
{
    if (!insn->pred) return ones(gen_channels(insn));
    struct gen_gate gate;
    const bool simple = gen_channels(insn) == insn->exec_size && gen_gate_make(insn, &gate);
    uint32_t pass = simple ? gen_gate_passes(&gate, w) : gen_predicate(insn, w->words + GEN_W_F);
    /* Single program flow: channel 0 decides. */
    if (w->words[GEN_W_CR0] & GEN_SPF && insn->shape >= GEN_JUMP) return pass & 1 ? ones(gen_channels(insn)) : 0;
    return pass;
}

/* ---- Running ---- */

uint32_t gen_ip(const struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen *g = gen_of(w);
    return (uint32_t)(gen_pc(g, op) - g->base);
}

void gen_find_join(struct gpudbg_wave *w)
{
    struct gen *g = gen_of(w);
    g->join = w->words[GEN_W_JOIN] == GEN_NOWHERE ? NULL : gen_op_inside(g, g->base + w->words[GEN_W_JOIN]);
}

/* Executes up to n instructions from *op on; returns the number executed.  *op is NULL if a handler left the loop. */
static uint64_t run_ops(struct gpudbg_wave *w, const struct gen_step **op, uint64_t n)
{
    struct gen *g = gen_of(w);
    const struct gen_step *next = *op;
    uint64_t left = n;
    do {
        next = next->fn(w, next);
        if (!next) {
            left -= g->ran != GPUDBG_RAN_FAULT && g->ran != GPUDBG_RAN_BREAK && g->ran != GEN_COUNT_FIRST;
            break;
        }
        if (next == g->join) next = gen_flow_join(w, next);
    } while (--left);
    *op = next;
    return n - left;
}

/* The same in a run that is watched: machine->ask is called before each instruction. */
static uint64_t run_asking(struct gpudbg_wave *w, const struct gen_step **op, uint64_t n, bool over)
{
    struct gen *g = gen_of(w);
    const struct gen_step *next = *op;
    struct gen_steps in = {NULL, NULL, 0};
    uint64_t done = 0;
    for (; done < n && next; over = false) {
        if (next < in.first || next >= in.end) in = gen_steps_of(g, next);
        gen_fn *fn = over ? gen_real_fn(g, next) : next->fn;
        if (fn != gen_break) {
            w->pc = in.first ? in.base + 8 * (uint64_t)(next - in.first) : gen_pc(g, next);
            const struct gen_step *join = g->join; /* what is tried out has its own */
            g->placed.op = NULL;
            g->asked = next;
            const bool stops = w->machine->ask(w);
            g->asked = NULL;
            g->join = join;
            g->counted = true;
            if (stops) {
                g->placed.op = NULL;
                next = gen_stop(w, GPUDBG_RAN_BREAK);
                break;
            }
        }
        next = fn(w, next);
        const bool executed = next || (g->ran != GPUDBG_RAN_FAULT && g->ran != GPUDBG_RAN_BREAK);
        done += executed;
        w->executed += executed;
        if (next && next == g->join) next = gen_flow_join(w, next);
    }
    g->placed.op = NULL;
    w->executed -= done; /* the caller adds them */
    *op = next;
    return done;
}

static enum gpudbg_ran run_slices(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    struct gen *g = gen_of(w);
    const struct gen_step *op = gen_op_at(g, w->pc);
    uint64_t left = limit;
    g->counted = false;
    gen_find_join(w);
    while (left) {
        uint64_t done, slice = g->counted ? 1 : left < SLICE ? left : SLICE;
        if (w->machine->ask) {
            done = run_asking(w, &op, slice, over);
        } else if (over && op->fn != gen_real_fn(g, op)) {
            op = gen_real_fn(g, op)(w, op);
            done = op || (g->ran != GPUDBG_RAN_FAULT && g->ran != GEN_COUNT_FIRST);
            if (op && op == g->join) op = gen_flow_join(w, op);
        } else {
            done = run_ops(w, &op, slice);
        }
        left -= done;
        w->executed += done;
        if (!op && g->ran == GEN_COUNT_FIRST) {
            op = gen_op_at(g, w->pc);
            g->counted = true;
            continue;
        }
        over = g->counted = false;
        if (!op) return g->ran;
        if (w->machine->interrupt) break;
    }
    w->pc = gen_pc(g, op);
    return GPUDBG_RAN_LIMIT;
}

enum gpudbg_ran gen_execute(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    uint64_t before = w->executed;
    enum gpudbg_ran ran = run_slices(w, limit, over);
    bool left = ran != GPUDBG_RAN_LIMIT && ran != GPUDBG_RAN_FAULT &&
                ran != GPUDBG_RAN_BREAK; /* the loop has not looked for a join there */
    if (left && w->executed != before && w->state != GPUDBG_ENDED &&
        w->words[GEN_W_JOIN] == (uint32_t)(w->pc - gen_of(w)->base))
        gen_flow_join(w, NULL);
    return ran;
}
