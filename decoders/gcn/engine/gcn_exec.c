/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_exec.c: runs predecoded ops.
 */
#include "engine/gcn_exec.h"
#include "engine/setup.h"
#include "engine/coverage.h"
#include "gcn.h"
#include "gpudbg/text.h"
#include "engine/gcn_predecode.h"
#include "engine/tally.h"

#define SLICE 65536u /* instructions between looks at machine->interrupt */

/* ---- Running ---- */

/* Executes up to n instructions from *op on; returns how many were.  *op is NULL if a handler left, gfx7->ran saying
 * why. */
static uint64_t run_ops(struct gpudbg_wave *w, const struct gcn_op **op, uint64_t n)
{
    const struct gcn_op *next = *op;
    uint64_t left = n;
    do {
        gcn_cover(w, next);
        next = next->fn(w, next);
        if (!next) {
            enum gpudbg_ran ran = gcn_of(w)->ran;
            left -= ran != GPUDBG_RAN_FAULT && ran != GPUDBG_RAN_BREAK;
            break;
        }
    } while (--left);
    *op = next;
    return n - left;
}

/* The same, counted where a profile is wanted. */
static uint64_t run_some(struct gpudbg_wave *w, const struct gcn_op **op, uint64_t n)
{
    return gcn_of(w)->tally ? gcn_run_tallied(w, op, n) : run_ops(w, op, n);
}

/* The same in a run that is watched: machine->ask is called before each instruction. */
static uint64_t run_asking(struct gpudbg_wave *w, const struct gcn_op **op, uint64_t n, bool over)
{
    struct gcn_ops in = {NULL, NULL, 0};
    const struct gcn_op *next = *op;
    uint64_t done = 0;
    for (; done < n && next; over = false) {
        if (next < in.first || next >= in.end) in = gcn_ops_of(w, next);
        gcn_fn *fn = over ? gcn_real_fn(w, next) : next->fn;
        if (fn != gcn_break) {
            w->pc = in.first ? in.base + 4 * (uint64_t)(next - in.first) : gcn_pc(w, next);
            if (w->machine->ask(w)) {
                next = gcn_stop(w, GPUDBG_RAN_BREAK);
                break;
            }
        }
        gcn_cover(w, next);
        next = fn(w, next);
        const enum gpudbg_ran ran = gcn_of(w)->ran;
        const bool executed = next || (ran != GPUDBG_RAN_FAULT && ran != GPUDBG_RAN_BREAK);
        done += executed;
        w->executed += executed;
    }
    w->executed -= done; /* the caller adds them */
    *op = next;
    return done;
}

/* Whether instructions of a watched run have to be executed one by one, by a way of their own. */
static bool run_singly(const struct gpudbg_wave *w)
{
    return gcn_of(w)->observed || gcn_of(w)->tally || gcn_s(w)[GCN_MODE] & GCN_VSKIP;
}

/* The same under MODE.VSKIP: vector instructions are skipped. */
static uint64_t run_skipping(struct gpudbg_wave *w, const struct gcn_op **op, uint64_t n)
{
    uint64_t done = 0;
    while (done < n && *op) {
        gcn_made(w, *op); /* else its length is not known */
        if (gcn_real_fn(w, *op) == (*op)->fn && gcn_is_vector(w, *op)) {
            gcn_tally_one(w, *op, gcn_active(w), gcn_next(*op));
            *op = gcn_next(*op);
            done++;
        } else
            done += run_some(w, op, 1);
    }
    return done;
}

/* Executes the instruction at *op, which has a breakpoint, or skips it.  Returns 1; 0: a fault. */
static uint64_t run_past_break(struct gpudbg_wave *w, const struct gcn_op **op)
{
    const bool skipped = gcn_s(w)[GCN_MODE] & GCN_VSKIP && gcn_is_vector(w, *op);
    const struct gcn_op *at = *op;
    const uint64_t exec = gcn_active(w);
    *op = skipped ? gcn_next(at) : gcn_real_fn(w, at)(w, at);
    if (!*op && gcn_of(w)->ran == GPUDBG_RAN_FAULT) return 0;
    gcn_tally_one(w, at, exec, *op);
    return 1;
}

/* Names of exceptions, in the order of their bits. */
static void name_exceptions(uint32_t flags, char *buf, size_t size)
{
    static const char *const names[] = {"invalid", "input denormal", "division by zero", "overflow", "underflow",
        "inexact", "integer division by zero"};
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (flags >> i & 1) text_add(&t, "%s%s", t.n ? ", " : "", names[i]);
}

/* On newer chips TTMPs are in the place of TBA. */
uint64_t gcn_trap_handler(const struct gpudbg_wave *w)
{
    const bool newer = gcn_chip_of(w->machine->isa)->ttmp < GCN_TTMP;
    return gcn_pair(gcn_s(w), newer ? GCN_TRAP_BASE : GCN_TBA) & ~(uint64_t)3;
}

void gcn_enter_trap(struct gpudbg_wave *w, uint64_t pc, uint32_t number)
{
    uint32_t *s = gcn_s(w);
    gcn_set_pair(s, gcn_chip_of(w->machine->isa)->ttmp, (pc & 0xffffffffffffu) | (uint64_t)number << 48);
    s[GCN_STATUS] |= GCN_PRIV;
}

/* Records what the instruction raised.  One that MODE enables enters the trap handler after the instruction: TTMP0 and
 * 1 hold the address of the next one, as after s_trap with the number 0.  Without a handler it is an event. */
static const struct gcn_op *meet_exceptions(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_op *next, uint32_t flags)
{
    uint32_t *s = gcn_s(w);
    const uint32_t taken = flags & s[GCN_MODE] >> 12 & GCN_TRAPSTS_EXCP;
    s[GCN_TRAPSTS] |= flags;
    if (!taken || s[GCN_STATUS] & GCN_PRIV) return next;
    char names[128];
    name_exceptions(taken, names, sizeof names);
    gcn_sync(w, op);
    gpudbg_event(w, "exception", "%s", names);
    const uint64_t handler = gcn_trap_handler(w);
    gcn_sync(w, next);
    if (handler) {
        gcn_enter_trap(w, w->pc, 0);
        w->pc = handler;
    }
    return gcn_stop(w, GPUDBG_RAN_EVENT);
}

/* The same one by one, observing exceptions. */
static uint64_t run_observed(struct gpudbg_wave *w, const struct gcn_op **op, uint64_t n, bool over)
{
    uint64_t done = 0;
    for (; done < n && *op; over = false) {
        const struct gcn_op *at = *op, *next;
        const bool broken = at->fn != gcn_real_fn(w, at);
        if (gcn_s(w)[GCN_MODE] & GCN_VSKIP) {
            done += over && broken ? run_past_break(w, op) : run_skipping(w, op, 1);
            continue;
        }
        gcn_fn *fn = over ? gcn_real_fn(w, at) : at->fn;
        const bool breaks = broken && !over;
        const struct gpudbg_op *row = breaks ? NULL : gcn_row(w, at);
        uint32_t flags = 0;
        if (row && row->flags & GPUDBG_OP_VECTOR) {
            gcn_made(w, at);
            flags = gcn_prepare(w, at) ? gcn_of(w)->families->exceptions(w, at, row->id) : 0;
        }
        const uint64_t exec = gcn_active(w);
        gcn_cover(w, at);
        next = fn(w, at);
        const enum gpudbg_ran ran = gcn_of(w)->ran;
        const bool executed = next || (ran != GPUDBG_RAN_FAULT && ran != GPUDBG_RAN_BREAK);
        done += executed;
        *op = flags && next ? meet_exceptions(w, at, next, flags) : next;
        if (executed) gcn_tally_one(w, at, exec, *op);
    }
    return done;
}

static enum gpudbg_ran run_slices(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    const uint32_t *s = gcn_s(w);
    const struct gcn_op *op = gcn_goto(w, w->pc);
    uint64_t left = limit;
    while (left) {
        uint64_t done, slice = left < SLICE ? left : SLICE;
        const bool asks = w->machine->ask, singly = asks && run_singly(w);
        if (singly && (over || op->fn != gcn_break)) {
            w->pc = gcn_pc(w, op);
            if (w->machine->ask(w)) return GPUDBG_RAN_BREAK;
        }
        if (singly) slice = 1;
        if (asks && !singly) {
            done = run_asking(w, &op, slice, over);
        } else if (gcn_of(w)->observed) {
            done = run_observed(w, &op, slice, over);
        } else if (over && gcn_real_fn(w, op) != op->fn) {
            done = run_past_break(w, &op);
        } else
            done = s[GCN_MODE] & GCN_VSKIP ? run_skipping(w, &op, slice) : run_some(w, &op, slice);
        over = false;
        left -= done;
        w->executed += done;
        if (!op) {
            enum gpudbg_ran ran = gcn_of(w)->ran;
            if (ran != GCN_RESUME) return ran;
            op = gcn_goto(w, w->pc);
        }
        if (w->machine->interrupt) break;
    }
    w->pc = gcn_pc(w, op);
    return GPUDBG_RAN_LIMIT;
}

/* Clears the words that are valid only during an instruction, and brings STATUS up to date, so that a fault, or a look,
 * changes nothing. */
static void settle(struct gpudbg_wave *w)
{
    uint32_t *s = gcn_s(w);
    s[GCN_VCCZ] = s[GCN_EXECZ] = s[GCN_LDS_DIRECT] = s[GCN_LITERAL] = 0;
    for (unsigned code = GCN_VCCZ; code <= GCN_LITERAL; code++) gcn_set_pair(s, gcn_wide(code), 0);
    gcn_status(w);
}

enum gpudbg_ran gcn_execute(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    enum gpudbg_ran ran = run_slices(w, limit, over);
    settle(w);
    return ran;
}
