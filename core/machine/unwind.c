/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unwind.c: leaving a function in thought.  What a function saved in its prologue its epilogue brings back, so the
 * epilogue itself is executed, on a copy of the wave: the copy is then what the wave will be after the return.  Nothing
 * of the machine changes: an epilogue loads and does not store.
 */
#include "machine/machine_core.h"
#include "machine/unknown.h"

#define STEPS 512 /* of an epilogue */

/* One instruction of the copy; false: it cannot be executed. */
static bool leave_step(struct gpudbg_machine *m, struct gpudbg_wave *copy)
{
    struct gpudbg_insn insn;
    char name[64];
    const bool partial = unknown_any(m);
    if (partial && unknown_needed(copy, name, sizeof name)) return false;
    const bool decoded = partial && unknown_decode(copy, &insn);
    const uint64_t active = m->isa->run->active(copy), before = copy->executed;
    const enum gpudbg_ran ran = m->isa->run->run(copy, 1, true);
    if (copy->executed != before + 1 || ran == GPUDBG_RAN_FAULT || ran == GPUDBG_RAN_END) return false;
    if (decoded) unknown_executed(copy, &insn, active);
    return true;
}

bool machine_leave(struct gpudbg_machine *m, struct gpudbg_wave *copy, uint64_t start, uint64_t last)
{
    struct core *c = core_of(m);
    const struct gpudbg_stop stop = m->stop;
    const bool deaf = c->door.deaf;
    bool left = false, good = !c->tallying; /* executions that nobody asked for are not counted */
    if (copy->pc < start || copy->pc > last) copy->pc = start;
    c->door.deaf = true;
    for (unsigned steps = 0; good && !left && steps < STEPS; steps++) {
        left = copy->pc == last;
        good = leave_step(m, copy);
    }
    c->door.deaf = deaf;
    m->stop = stop;
    return good && left;
}
