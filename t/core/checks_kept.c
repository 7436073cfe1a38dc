/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What checkers keep of a run, which is what they cost: things that cannot matter to a report are not kept. */
#include <stdlib.h>
#include <string.h>
#include "check/race.h"
#include "check/watch.h"
#include "command/families.h"
#include "decoders/decoders.h"
#include "out/out.h"
#include "session/session.h"
#include "tap.h"

static void run(struct gpudbg *g, const char *line)
{
    struct gpudbg_error err = {0};
    struct gpudbg_out *out = out_memory(false);
    ok(gpudbg_execute(g, line, out, &err), "%s: %s", line, err.message);
    out_close(out);
}

/* The state of a checker that is on. */
static void *state_of(const struct gpudbg *g, const struct gpudbg_checker *k)
{
    const struct gpudbg_checks *c = g->control.checks;
    for (size_t i = 0; i < c->nwatch; i++)
        if (c->watch[i].checker == k) return c->watch[i].state;
    return NULL;
}

/* Traces of updates in memory, those of each line. */
static unsigned updates_in(struct area *a)
{
    unsigned n = 0;
    for (size_t b = 0; b < a->n; b++)
        for (unsigned i = 0; a->block[b] && i < BLOCK; i++) {
            struct line *l = &a->block[b][i];
            for (unsigned k = 0; k < l->n; k++) n += line_traces(l)[k].kind == TRACE_UPDATE;
        }
    return n;
}

/* Each of 128 lanes counts 64 bytes by atomics that return nothing, between two barriers.  Until somebody accesses the
 * counts in another way these atomics race with nothing, so they need no traces, and make no order. */
static void atomics_between_barriers(void)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct gpudbg_wave wave = {0};
    run(g, "file t/data/kernels/gfx7/histogram-O2.co");
    run(g, "check race on");
    run(g, "launch histogram -g 128 -l 128 zero:1024 fill:8192:7 8192");
    run(g, "catch barrier");
    for (unsigned i = 0; i < 4; i++) run(g, "continue"); /* two waves, at two barriers each */
    struct race *r = state_of(g, &check_race);
    ok(r != NULL, "check race watches");
    if (!r) return;
    ok(!clocks_any(r->clocks, &wave, true), "no word of local memory makes an order");
    is_int(updates_in(&r->group[0].local), 0, "atomics leave no traces in local memory");
    ok(r->group[0].nwaiting > 64, "they wait");
    run(g, "continue");
    is_int(r->group[0].nwaiting, 0, "behind the barrier they are forgotten");
    is_int(updates_in(&r->group[0].local), 0, "... without traces");
    session_close(g);
}

int main(void)
{
    atomics_between_barriers();
    return tap_done();
}
