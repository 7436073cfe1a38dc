/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_exec.c: one op after another. */
#include "run/il_run.h"

static enum gpudbg_ran step(struct gpudbg_wave *w, struct il *r, uint32_t at)
{
    const struct il_exec_op *op = &r->op[at];
    w->pc = op->pc;
    if (!op->fn) return gpudbg_fault(w, -1, "%s: not implemented: no manual says what it does", op->row->name);
    r->now = op;
    r->next = op->next;
    r->event = r->refused = false;
    const enum gpudbg_ran ran = op->fn(w, r, op);
    const bool refused = r->refused;
    r->refused = false;
    if (ran == GPUDBG_RAN_FAULT || refused) return GPUDBG_RAN_FAULT;
    if (ran == GPUDBG_RAN_END) {
        w->state = GPUDBG_ENDED;
        return ran;
    }
    if (!il_exec(w)) il_skip(w, r, at);
    w->pc = r->op[r->next].pc;
    if (ran != GPUDBG_RAN_LIMIT) return ran;
    return w->machine->watch_hit ? GPUDBG_RAN_WATCH : r->event ? GPUDBG_RAN_EVENT : GPUDBG_RAN_LIMIT;
}

enum gpudbg_ran il_run(struct gpudbg_wave *w, uint64_t limit, bool over)
{
    struct il *r = il_of(w);
    uint32_t at = il_op_at(r, w->pc);
    enum gpudbg_ran ran = GPUDBG_RAN_LIMIT;
    if (at == IL_NO_OP || !r->op[at].executable)
        return gpudbg_fault(w, -1, "no instruction starts here that gpudbg can execute");
    for (; limit && ran == GPUDBG_RAN_LIMIT && !w->machine->interrupt; limit--, over = false) {
        if (r->breakpoint[at] && !over) return GPUDBG_RAN_BREAK;
        if (w->machine->ask) {
            w->pc = r->op[at].pc;
            if (w->machine->ask(w)) return GPUDBG_RAN_BREAK;
        }
        ran = step(w, r, at);
        w->executed += ran != GPUDBG_RAN_FAULT;
        at = r->next;
    }
    return ran;
}

bool il_breakpoint(struct gpudbg_machine *m, uint64_t pc, bool on)
{
    struct il *r = m->runner;
    const uint32_t at = il_op_at(r, pc);
    if (at == IL_NO_OP || !r->op[at].executable) return false;
    r->breakpoint[at] = on;
    return true;
}
