/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plan.c: arithmetic as it will run: finds once, at the launch, the rows of its sources and of its result. */
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/il_run.h"

#define CONSTANTS 4096u /* that have rows of their own; others are copied to all lanes when they are read */
#define ROW(n) ((n)*IL_LANES | IL_FIXED)
#define ZERO_ROW ROW(0)
#define ONE_ROW ROW(1)

/* The row of a component (4: zeros, 5: ones) of a plain place; false: it has none. */
static bool row_at(const struct il *r, const struct il_location *p, unsigned component, uint32_t *at)
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

/* Whether it is cbN[i] with constant numbers, and the program does not define it. */
static bool is_uniform(const struct il_location *p)
{
    if (p->type != IL_REG_CONST_BUFF || p->slot != IL_NO_SLOT || p->constant || !p->dimensions) return false;
    for (unsigned d = 0; d < p->dimensions; d++)
        if (p->index[d].by || p->index[d].relative) return false;
    return true;
}

static void plan_source(const struct il *r, struct il_plan *plan, const struct il_source *s, unsigned i)
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

/* Components that would change a row which a later component still reads. */
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

static void plan_result(const struct il *r, struct il_plan *plan, const struct il_exec_op *op)
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
    /* An indexed element may be the one that is written. */
    for (unsigned i = 0; i < plan->nsrc; i++)
        if (op->src[i].at.relative && op->src[i].at.type == d->at.type) plan->held = 15;
}

/* The usual case: one component, computed from rows into its own row. */
static bool is_simple(const struct il_plan *plan, const struct il_exec_op *op)
{
    if (!plan->alu->row || op->code == IL_OP_CMOV || plan->stored || __builtin_popcount(plan->writes) != 1)
        return false;
    return !(plan->zeros || plan->ones || plan->held || plan->fetched || plan->altered || plan->uniform);
}

static bool plan_op(struct il *r, struct il_exec_op *op)
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
    op->fn = is_simple(plan, op) ? il_do_simple : il_do_planned;
    return true;
}

static bool fill_fixed(struct il *r)
{
    const uint32_t n = r->nconstants < CONSTANTS ? r->nconstants : CONSTANTS;
    r->fixed = il_alloc(r, (2 + (size_t)n * 4) * IL_LANES * sizeof *r->fixed);
    if (!r->fixed) return false;
    r->level->fill(r->fixed + IL_LANES, 0x3f800000);
    for (uint32_t i = 0; i < 4 * n; i++)
        r->level->fill(r->fixed + (2 + (size_t)i) * IL_LANES, r->constant[i / 4].value[i % 4]);
    return true;
}

bool il_plan(struct il *r, struct gpudbg_error *err)
{
    bool ok = fill_fixed(r);
    for (uint32_t i = 0; i < r->nops && ok; i++)
        if (r->op[i].alu && r->op[i].fn && r->op[i].ndst) ok = plan_op(r, &r->op[i]);
    return ok || gpudbg_fail(err, "memory", "launch: out of memory");
}
