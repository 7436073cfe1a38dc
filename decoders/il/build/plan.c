/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plan.c: arithmetic as it runs: where the rows of its sources and its result are is found once, at the launch.
 *
 * A component that is computed from rows of registers and constants goes straight into its register when all lanes
 * execute and no later component still reads that row.  What is neither, modifiers that compute, and results that are
 * scaled or stored in memory take the ways of il_operand.c.
 */
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/il_run.h"

#define CONSTANTS 4096u /* with rows of their own; the others are spread when they are read */
#define ROW(n) ((n)*IL_LANES | IL_FIXED)
#define ZERO_ROW ROW(0)
#define ONE_ROW ROW(1)

/* ---- Making ---- */

/* The row of a component (4: zeros, 5: ones) of a plain place; false: it has none. */
static bool row_at(const struct amdil *r, const struct il_location *p, unsigned component, uint32_t *at)
{
    if (component >= 4) {
        *at = component == 5 ? ONE_ROW : ZERO_ROW;
        return true;
    }
    if (p->slot != IL_NO_SLOT && !p->relative) {
        *at = r->rows + (p->slot * 4 + component) * IL_LANES;
        return true;
    }
    *at = ROW(2 + (p->constant - 1) * 4 + component);
    return p->constant && p->constant <= CONSTANTS;
}

/* cbN[i] with numbers alone, which the program gives no value. */
static bool is_uniform(const struct il_location *p)
{
    if (p->type != IL_REG_CONST_BUFF || p->slot != IL_NO_SLOT || p->constant || !p->dimensions) return false;
    for (unsigned d = 0; d < p->dimensions; d++)
        if (p->index[d].by || p->index[d].relative) return false;
    return true;
}

static void plan_source(const struct amdil *r, struct il_plan *plan, const struct il_source *s, unsigned i)
{
    const uint8_t bit = (uint8_t)(1u << i);
    if (s->modified || s->divcomp || s->clamp) {
        plan->fetched |= bit;
        return;
    }
    if (s->negate || s->abs) plan->altered |= bit;
    if (is_uniform(&s->at)) {
        plan->uniform |= bit;
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        if (!row_at(r, &s->at, s->select[c] < 6 ? s->select[c] : 4, &plan->at[i][c])) plan->fetched |= bit;
}

/* Components that would change a row which one behind them still reads. */
static unsigned read_later(const struct il_plan *plan)
{
    unsigned held = 0;
    for (unsigned c = 0; c < 4; c++)
        for (unsigned later = c + 1; later < 4; later++)
            for (unsigned i = 0; i < plan->nsrc; i++)
                if ((plan->writes >> c & plan->writes >> later & 1) && plan->at[i][later] == plan->to[c])
                    held |= 1u << c;
    return held;
}

static void plan_result(const struct amdil *r, struct il_plan *plan, const struct il_exec_op *op)
{
    const struct il_dest *d = &op->dst[0];
    for (unsigned c = 0; c < 4; c++) {
        if (d->mask[c] == 1) plan->writes |= (uint8_t)(1u << c & op->alu->writes);
        if (d->mask[c] == 2) plan->zeros |= (uint8_t)(1u << c);
        if (d->mask[c] == 3) plan->ones |= (uint8_t)(1u << c);
        plan->to[c] = r->rows + (d->at.slot * 4 + c) * IL_LANES;
    }
    plan->stored = d->at.slot == IL_NO_SLOT || d->at.relative || d->scale || d->clamp;
    plan->held = (uint8_t)read_later(plan);
    /* An array's element that an index names may be the very one that is written. */
    for (unsigned i = 0; i < plan->nsrc; i++)
        if (op->src[i].at.relative && op->src[i].at.type == d->at.type) plan->held = 15;
}

/* The usual case: one component, which is computed from rows into its own. */
static bool is_simple(const struct il_plan *plan, const struct il_exec_op *op)
{
    if (!plan->alu->row || op->code == IL_OP_CMOV || plan->stored || __builtin_popcount(plan->writes) != 1)
        return false;
    return !(plan->zeros || plan->ones || plan->held || plan->fetched || plan->altered || plan->uniform);
}

static enum gpudbg_ran do_simple(struct gpudbg_wave *, struct amdil *, const struct il_exec_op *);

static bool plan_op(struct amdil *r, struct il_exec_op *op)
{
    struct il_plan *plan = il_alloc(r, sizeof *plan);
    if (!plan) return false;
    plan->alu = &r->level->operations[op->code];
    const size_t n = strlen(op->alu->sources);
    plan->nsrc = (uint8_t)(n < op->nsrc ? n : op->nsrc);
    for (unsigned i = 0; i < 4; i++)
        for (unsigned c = 0; c < 4; c++) plan->at[i][c] = ZERO_ROW;
    for (unsigned i = 0; i < plan->nsrc; i++) plan_source(r, plan, &op->src[i], i);
    plan_result(r, plan, op);
    op->plan = plan;
    op->fn = is_simple(plan, op) ? do_simple : il_do_planned;
    return true;
}

static bool fill_fixed(struct amdil *r)
{
    const uint32_t n = r->nconstants < CONSTANTS ? r->nconstants : CONSTANTS;
    r->fixed = il_alloc(r, (2 + (size_t)n * 4) * IL_LANES * sizeof *r->fixed);
    if (!r->fixed) return false;
    r->level->fill(r->fixed + IL_LANES, 0x3f800000);
    for (uint32_t i = 0; i < 4 * n; i++)
        r->level->fill(r->fixed + (2 + (size_t)i) * IL_LANES, r->constant[i / 4].value[i % 4]);
    return true;
}

bool il_plan(struct amdil *r, struct gpudbg_error *err)
{
    bool ok = fill_fixed(r);
    for (uint32_t i = 0; i < r->nops && ok; i++)
        if (r->op[i].alu && r->op[i].fn && r->op[i].ndst) ok = plan_op(r, &r->op[i]);
    return ok || gpudbg_fail(err, "memory", "launch: out of memory");
}

/* ---- Running ---- */

/* neg and abs of one component, as `class` has them (see modify in il_operand.c). */
static const uint32_t *altered(
    const struct amdil *r, const struct il_source *s, char class, unsigned c, const uint32_t *from, uint32_t *to)
{
    const bool counts = class != IL_DOUBLE || (c & 1);
    const bool negate = s->negate >> c & 1 && counts;
    const uint32_t keep = s->abs && counts ? ~LANES_SIGN32 : UINT32_MAX;
    if (!negate && !(s->abs && counts)) return from;
    if (class == IL_INT)
        r->level->alter(to, from, keep, negate ? UINT32_MAX : 0, negate);
    else
        r->level->alter(to, from, keep, negate ? LANES_SIGN32 : 0, 0);
    return to;
}

/* Rows of a source that are not simply there. */
static void take_source(
    struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op, unsigned i, const uint32_t *rows[4])
{
    const struct il_plan *plan = op->plan;
    const struct il_source *s = &op->src[i];
    const char class = op->alu->sources[i];
    uint32_t value[4];
    if (plan->fetched >> i & 1 || (plan->uniform >> i & 1 && !il_fetch_uniform(w, r, &s->at, value))) {
        il_fetch(w, r, s, class, i, rows);
        return;
    }
    for (unsigned c = 0; c < 4; c++) {
        const unsigned from = s->select[c];
        if (!(plan->uniform >> i & 1)) continue;
        rows[c] = from < 4 ? r->row[i][0][from] : r->fixed + (from == 5 ? IL_LANES : 0);
        if (from < 4) r->level->fill(r->row[i][0][from], value[from]);
    }
    if (plan->altered >> i & 1)
        for (unsigned c = 0; c < 4; c++) rows[c] = altered(r, s, class, c, rows[c], r->row[i][1][c]);
}

static const uint32_t *row_of(const struct gpudbg_wave *w, const struct amdil *r, uint32_t at)
{
    return at & IL_FIXED ? r->fixed + (at & ~IL_FIXED) : w->words + at;
}

/* Sources `some`, all components of them. */
static void take_sources(
    struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op, unsigned some, struct il_alu *a)
{
    const struct il_plan *plan = op->plan;
    const unsigned special = plan->fetched | plan->altered | plan->uniform;
    for (unsigned i = 0; i < 4; i++) {
        if (!(some >> i & 1)) continue;
        for (unsigned c = 0; c < 4; c++) a->s[i][c] = row_of(w, r, plan->at[i][c]);
        if (special >> i & 1) take_source(w, r, op, i, a->s[i]);
    }
}

/* Computes components: those of `direct` into their registers, the others into amdil->result. */
static void compute(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op, struct il_alu *a,
    unsigned components, unsigned direct, uint64_t keep[4])
{
    const struct il_plan *plan = op->plan;
    const unsigned special = plan->fetched | plan->altered | plan->uniform;
    take_sources(w, r, op, special, a);
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t *s[4];
        if (!(components >> c & 1)) continue;
        for (unsigned i = 0; i < 4; i++) s[i] = special >> i & 1 ? a->s[i][c] : row_of(w, r, plan->at[i][c]);
        uint32_t *to = direct >> c & 1 ? w->words + plan->to[c] : r->result[c];
        keep[c] = plan->alu->row(a, to, s[0], s[1], s[2], s[3]);
    }
}

enum gpudbg_ran il_do_planned(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    const struct il_plan *plan = op->plan;
    const uint64_t exec = il_exec(w);
    const bool keeps = op->code == IL_OP_CMOV, row = plan->alu->row;
    const unsigned direct = row && !keeps && !plan->stored && exec == UINT64_MAX ? plan->writes & ~plan->held : 0;
    struct il_alu a;
    uint64_t keep[4] = {0};
    a.d = r->result;
    a.control = op->control;
    a.choice = r->choice;
    if (row) {
        compute(w, r, op, &a, keeps || plan->stored ? 15 : plan->writes, direct, keep);
    } else {
        take_sources(w, r, op, 15, &a);
        plan->alu->fn(&a);
    }
    if (plan->stored)
        return il_store(w, r, &op->dst[0], op->alu->result, op->alu->writes, keep, r->result) ? GPUDBG_RAN_LIMIT
                                                                                              : GPUDBG_RAN_FAULT;
    for (unsigned c = 0; c < 4; c++) {
        const uint32_t *from = plan->writes >> c & 1  ? r->result[c]
                               : plan->zeros >> c & 1 ? r->fixed
                               : plan->ones >> c & 1  ? r->fixed + IL_LANES
                                                      : NULL;
        if (from && !(direct >> c & 1)) r->level->choose(w->words + plan->to[c], from, exec & ~keep[c]);
    }
    return GPUDBG_RAN_LIMIT;
}

/* A plan that is_simple; where some lanes do not execute, the long way. */
static enum gpudbg_ran do_simple(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    const struct il_plan *plan = op->plan;
    if (il_exec(w) != UINT64_MAX) return il_do_planned(w, r, op);
    struct il_alu a;
    const unsigned c = (unsigned)__builtin_ctz(plan->writes);
    const uint32_t *s[4];
    a.control = op->control;
    a.choice = r->choice;
    for (unsigned i = 0; i < 4; i++) s[i] = row_of(w, r, plan->at[i][c]);
    plan->alu->row(&a, w->words + plan->to[c], s[0], s[1], s[2], s[3]);
    return GPUDBG_RAN_LIMIT;
}
