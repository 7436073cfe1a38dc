/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * recode.c: code that changes while something is launched.  Recorded time is run again from the launch to find where
 * the old code was first executed.  Everything before that place is the same with the new code, so only what comes
 * after it is forgotten, and going back still works.
 */
#include "machine/recode.h"
#include "machine/machine_core.h"
#include "machine/history.h"

#define OWN (-1000) /* the number of its breakpoints: nobody else has it */
#define BREAKS_MOST 64

static bool reaches(void *data, struct gpudbg_wave *w)
{
    const struct machine_recoding *r = data;
    return w->pc >= r->from && w->pc < r->to;
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct machine_recoding *r = data;
    return !r->tick || r->tick(r->data, done, todo);
}

/* Whether the very first instruction is one of the range: a run does not ask about the one that it begins with. */
static bool starts_there(struct gpudbg_machine *m, const struct machine_recoding *r)
{
    struct gpudbg_error err = {0};
    struct gpudbg_wave *w = machine_wave(m, machine_next_wave(m), &err);
    return w && reaches((void *)(uintptr_t)r, w);
}

/* ---- Finding the first execution ---- */

static bool is_own(void *data, struct gpudbg_wave *w, int number)
{
    (void)data;
    (void)w;
    return number == OWN;
}

/* Breakpoints of its own wherever an instruction of the range may start, so that the run is as fast as any; where
 * these are too many, or cannot be set, every instruction is asked. */
static bool set_breaks(struct gpudbg_machine *m, const struct machine_recoding *r, bool on)
{
    const uint64_t align = m->isa->align ? m->isa->align : 1;
    struct gpudbg_error ignored = {0};
    bool all = r->to - r->from <= BREAKS_MOST * align;
    for (uint64_t pc = r->from; pc < r->to && (all || !on); pc += align)
        if (!machine_break(m, pc, OWN, on, &ignored) && on) all = false;
    return all;
}

/* Goes to the first execution of the range, or to the end of what is recorded.  false: interrupted. */
static bool find_first(struct gpudbg_machine *m, const struct machine_recoding *r, bool *found)
{
    const uint64_t recorded = machine_recorded(m);
    struct machine_want want = {.until = MACHINE_POSITION,
        .count = recorded,
        .stops = true,
        .hit = is_own,
        .whole = true,
        .tick = tick,
        .data = (void *)(uintptr_t)r};
    machine_rewind(m);
    *found = false;
    if (!recorded) return true;
    *found = starts_there(m, r);
    if (*found) return true;
    if (!set_breaks(m, r, true)) {
        set_breaks(m, r, false);
        want.every = reaches;
    }
    const struct gpudbg_stop stop = machine_run(m, &want);
    set_breaks(m, r, false);
    *found = machine_position(m) < recorded;
    return stop.reason != GPUDBG_STOP_INTERRUPT;
}

bool machine_recode(struct gpudbg_machine *m, const struct machine_recoding *r, bool *back, struct gpudbg_error *err)
{
    const uint64_t now = machine_position(m);
    bool found;
    *back = false;
    if (!m->isa->run->recode)
        return gpudbg_fail(err, "not-now",
            "code of %s cannot change while it is launched: `kill`, then patch and `run`", m->isa->name);
    if (!find_first(m, r, &found)) {
        machine_come_back(m, now);
        return gpudbg_fail(err, "interrupt", "interrupted while looking for the first execution of the code");
    }
    const uint64_t first = machine_position(m);
    bool ok = r->change(r->data, err);
    if (ok && !m->isa->run->recode(m, r->from, r->to, err)) {
        r->undo(r->data);
        ok = false;
    }
    if (ok && found) history_truncate(m);
    *back = ok && found && first < now;
    if (!*back) machine_come_back(m, now);
    return ok;
}
