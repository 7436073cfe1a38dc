/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * planned.c: arithmetic, by the plan that the launch has made.
 *
 * A component that is computed from rows of registers and constants goes straight into its register when all lanes
 * execute and no later component still reads that row.  What is neither, modifiers that compute, and results that are
 * scaled or stored in memory take the ways of il_operand.c.
 */
#include "gpudbg/lanes.h"
#include "run/il_run.h"

/* neg and abs of one component, as `class` has them (see modify in il_operand.c). */
static const uint32_t *altered(
    const struct il *r, const struct il_source *s, char class, unsigned c, const uint32_t *from, uint32_t *to)
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
    struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op, unsigned i, const uint32_t *rows[4])
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

static const uint32_t *row_of(const struct gpudbg_wave *w, const struct il *r, uint32_t at)
{
    return at & IL_FIXED ? r->fixed + (at & ~IL_FIXED) : w->words + at;
}

/* Sources `some`, all components of them. */
static void take_sources(
    struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op, unsigned some, struct il_alu *a)
{
    const struct il_plan *plan = op->plan;
    const unsigned special = plan->fetched | plan->altered | plan->uniform;
    for (unsigned i = 0; i < 4; i++) {
        if (!(some >> i & 1)) continue;
        for (unsigned c = 0; c < 4; c++) a->s[i][c] = row_of(w, r, plan->at[i][c]);
        if (special >> i & 1) take_source(w, r, op, i, a->s[i]);
    }
}

/* Computes components: those of `direct` into their registers, the others into il->result. */
static void compute(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op, struct il_alu *a,
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

enum gpudbg_ran il_do_planned(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
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
enum gpudbg_ran il_do_simple(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
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

enum gpudbg_ran il_do_nothing(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    (void)w, (void)r, (void)op;
    return GPUDBG_RAN_LIMIT;
}

/* What ops.def names for arithmetic.  A launch puts il_do_planned in its place; without one nothing runs. */
enum gpudbg_ran il_do_alu(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    return op->plan ? il_do_planned(w, r, op) : il_do_nothing(w, r, op);
}
