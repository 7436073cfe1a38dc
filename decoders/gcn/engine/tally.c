/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/tally.h"

#include "engine/coverage.h"
#include "engine/gcn_predecode.h"

#include <stdlib.h>

/* Of an op: executed, lanes and partial are more (or fewer) than those of the op before; jumped is its own. */
struct count {
    uint64_t executed, lanes, partial, jumped;
};

struct gcn_tally {
    size_t nsections;
    struct tally_section {
        const struct gcn_op *ops;
        size_t n;
        uint64_t base;
        struct count *counts; /* n + 2 */
    } section[];
};

/* ---- Counting ---- */

static struct count *count_of(const struct gcn_tally *t, const struct gcn_op *op)
{
    for (size_t i = 0; i < t->nsections; i++)
        if (op >= t->section[i].ops && op < t->section[i].ops + t->section[i].n)
            return &t->section[i].counts[op - t->section[i].ops];
    return NULL;
}

/* Counts a stretch that was executed: the ops from `first` to `last`. */
static void add(const struct gpudbg_wave *w, const struct gcn_op *first, const struct gcn_op *last, uint64_t exec)
{
    const uint64_t lanes = (unsigned)__builtin_popcountll(exec), partial = exec != w->lanes;
    struct count *from = count_of(gcn_of(w)->tally, first), *last_count = from ? from + (last - first) : NULL;
    if (!from) return;
    struct count *behind = last_count + (gcn_next(last) - last);
    from->executed++;
    from->lanes += lanes;
    from->partial += partial;
    behind->executed--;
    behind->lanes -= lanes;
    behind->partial -= partial;
}

static bool jumps(const struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_op *next)
{
    const struct gcn_op *behind = gcn_next(op);
    return next ? next != behind : w->pc != gcn_pc(w, behind);
}

/* The stretch ends with `last`, which leads to `next`. */
static void end(const struct gpudbg_wave *w, const struct gcn_op *first, const struct gcn_op *last, uint64_t exec,
    const struct gcn_op *next)
{
    add(w, first, last, exec);
    struct count *c = jumps(w, last, next) ? count_of(gcn_of(w)->tally, last) : NULL;
    if (c) c->jumped++;
}

void gcn_tally_one(struct gpudbg_wave *w, const struct gcn_op *op, uint64_t exec, const struct gcn_op *next)
{
    if (gcn_of(w)->tally) end(w, op, op, exec, next);
}

uint64_t gcn_run_tallied(struct gpudbg_wave *w, const struct gcn_op **op, uint64_t n)
{
    const struct gcn_op *next = *op, *first = next, *at,
                        *before = NULL; /* before: the last one of the stretch so far */
    uint64_t left = n, exec = gcn_active(w);
    do {
        gcn_cover(w, next);
        at = next;
        next = at->fn(w, at);
        if (__builtin_expect(next == gcn_next(at) && gcn_active(w) == exec, 1)) {
            before = at;
            continue;
        }
        enum gpudbg_ran ran = gcn_of(w)->ran;
        const bool executed = next || (ran != GPUDBG_RAN_FAULT && ran != GPUDBG_RAN_BREAK);
        if (executed)
            end(w, first, at, exec, next);
        else if (before)
            add(w, first, before, exec);
        first = next;
        before = NULL;
        exec = gcn_active(w);
        if (!next) {
            left -= executed;
            break;
        }
    } while (--left);
    if (next && before) add(w, first, before, exec);
    *op = next;
    return n - left;
}

/* ---- Asking ---- */

/* The instructions of a section that were executed, by walking from one to the next.  false: a count changes in the
 * middle of one. */
static bool walk(const struct tally_section *s, void (*each)(void *to, const struct gpudbg_tally *), void *to)
{
    struct gpudbg_tally sum = {.pc = s->base};
    for (size_t i = 0; i < s->n;) {
        sum.pc = s->base + 4 * i;
        sum.executed += s->counts[i].executed;
        sum.lanes += s->counts[i].lanes;
        sum.partial += s->counts[i].partial;
        sum.jumped = s->counts[i].jumped;
        size_t size = 1;
        if (sum.executed) {
            each(to, &sum);
            size = (size_t)(gcn_next(&s->ops[i]) - &s->ops[i]);
        }
        const struct count *middle = &s->counts[i + 1];
        if (size == 2 && (middle->executed || middle->lanes || middle->partial || middle->jumped)) return false;
        i += size;
    }
    return true;
}

bool gcn_tallied(const struct gpudbg_machine *m, void (*each)(void *to, const struct gpudbg_tally *), void *to)
{
    const struct gcn_tally *t = ((const struct gcn_run *)m->runner)->tally;
    bool whole = t != NULL;
    for (size_t i = 0; whole && i < t->nsections; i++) whole = walk(&t->section[i], each, to);
    return whole;
}

/* ---- On and off ---- */

static void tally_free(struct gcn_tally *t)
{
    for (size_t i = 0; t && i < t->nsections; i++) free(t->section[i].counts);
    free(t);
}

bool gcn_tally(struct gpudbg_machine *m, bool on)
{
    struct gcn_run *g = m->runner;
    size_t n = 0, ops;
    uint64_t base;
    tally_free(g->tally);
    g->tally = NULL;
    if (!on) return true;
    while (gcn_code_section(m, n, &ops, &base)) n++;
    struct gcn_tally *t = calloc(1, sizeof *t + n * sizeof *t->section);
    if (!t) return false;
    for (; t->nsections < n; t->nsections++) {
        struct tally_section *s = &t->section[t->nsections];
        s->ops = gcn_code_section(m, t->nsections, &s->n, &s->base);
        if (!(s->counts = calloc(s->n + 2, sizeof *s->counts))) {
            tally_free(t);
            return false;
        }
    }
    g->tally = t;
    return true;
}
