/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What checkers keep of a run, which is what they cost: things that cannot matter to a report are not kept. */
#include <stdlib.h>
#include <string.h>
#include "check/race.h"
#include "check/uninitialised.h"
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

/* What an instruction writes of a wave that misses everything: bits of each of its words, as found by looking at all of
 * them. */
static uint32_t *all_written(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const size_t words = w->machine->wave_words;
    struct shadow *s = &u->wave[w->id], was = *s;
    s->missing = malloc(words * sizeof *s->missing);
    s->some = malloc(UNINITIALISED_BLOCKS(words) * sizeof *s->some);
    memset(s->missing, 0xff, words * sizeof *s->missing);
    memset(s->some, 0xff, UNINITIALISED_BLOCKS(words) * sizeof *s->some);
    u->missing.n = 0;
    uninitialised_write(u, w, insn, NULL);
    uint32_t *written = s->missing;
    for (size_t i = 0; i < words; i++) written[i] = ~written[i];
    free(s->some);
    *s = was;
    return written;
}

/* The same as what the checker makes of the instruction for these lanes; -1: it keeps nothing. */
static int same_written(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct plan *plan, const uint32_t *written)
{
    const size_t words = w->machine->wave_words;
    struct shadow s = {.made = true,
        .missing = malloc(words * sizeof *s.missing),
        .some = malloc(UNINITIALISED_BLOCKS(words) * sizeof *s.some)};
    memset(s.missing, 0xff, words * sizeof *s.missing);
    memset(s.some, 0xff, UNINITIALISED_BLOCKS(words) * sizeof *s.some);
    const bool known = plan && plan->regions && regions_clear(u, w, &s, insn, plan, w->machine->isa->run->active(w));
    bool same = true;
    for (size_t i = 0; i < words; i++) {
        same &= s.missing[i] == ~written[i];
        same &= !s.missing[i] || s.some[block_of(u, i)] & block_bit(u, i); /* it is still marked */
    }
    free(s.missing);
    free(s.some);
    return known ? same : -1;
}

/* Whether the checker looks at what an instruction reads that is missing: it does if any of what it reads is. */
static bool reads_seen(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct plan *plan)
{
    const size_t words = w->machine->wave_words;
    struct shadow *s = &u->wave[w->id], was = *s;
    bool same = true;
    s->missing = calloc(words, sizeof *s->missing);
    s->some = malloc(UNINITIALISED_BLOCKS(words) * sizeof *s->some);
    for (unsigned r = 0; plan->regions && r < plan->n; r++) /* one dword of its registers after another */
        for (uint32_t i = plan->of[r].at; i < plan->of[r].at + plan->of[r].n; i++) {
            memset(s->some, 0xff, UNINITIALISED_BLOCKS(words) * sizeof *s->some);
            s->missing[i] = UINT32_MAX;
            uninitialised_find(u, w, insn, false, &u->missing);
            bool reads = u->missing.n > 0;
            uninitialised_find(u, w, insn, true, &u->missing); /* what a message stores, too */
            reads |= plan->memory && u->missing.n > 0;
            same &= reads == regions_miss(u, w, s, insn, plan, w->machine->isa->run->active(w));
            s->missing[i] = 0;
        }
    free(s->missing);
    free(s->some);
    *s = was;
    return same;
}

/* On Intel the checker keeps what an instruction writes, from its registers alone. */
static void regions_of_registers(void)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct gpudbg_out *out = out_memory(false);
    unsigned known = 0, wrong = 0, unseen = 0;
    run(g, "file t/data/kernels/gen12/histogram.bin");
    run(g, "check uninitialised on");
    run(g, "launch histogram -g 128 -l 128 zero:1024 fill:8192:7 8192");
    run(g, "stepi");
    struct uninitialised *u = state_of(g, &check_uninitialised);
    ok(u != NULL, "check uninitialised watches");
    for (unsigned i = 0; u && i < 400; i++) {
        struct gpudbg_wave *w = machine_wave(u->machine, 0, &err);
        const struct told *at = w ? told_at(&g->control.checks->code, w->pc) : NULL;
        if (!at || !at->is_insn || !u->wave[0].missing) break;
        struct plan *plan = at->number < u->nplans ? u->plan[at->number] : NULL;
        uint32_t *written = all_written(u, w, &at->insn);
        const int same = same_written(u, w, &at->insn, plan, written);
        known += same >= 0;
        wrong += same == 0;
        unseen += plan && !reads_seen(u, w, &at->insn, plan);
        free(written);
        if (!gpudbg_execute(g, "stepi", out, &err)) break;
    }
    ok(known > 10, "of many instructions it keeps what they write: %u", known);
    is_int(wrong, 0, "... which is what they write of all registers");
    is_int(unseen, 0, "... and what they read: a dword is looked at if it is read");
    out_close(out);
    session_close(g);
}

int main(void)
{
    regions_of_registers();
    atomics_between_barriers();
    return tap_done();
}
