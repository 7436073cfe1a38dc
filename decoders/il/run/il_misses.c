/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * il_misses.c: `check extent` and `check alignment` of AMD IL.  Such accesses read 0, store nothing, or lose the low
 * bits of their address, and the program goes on; with a checker on, the run stops after the instruction.
 */
#include <inttypes.h>
#include <stdio.h>

#include "il_isa.h"
#include "run/il_run.h"

struct watch {
    struct gpudbg_checks *checks;
    bool watching, alignment;
    uint64_t executed; /* what the wave had executed before the instruction that is watched */
    uint32_t wave;
};

static void *begin(struct gpudbg_checks *checks, bool alignment)
{
    struct watch *s = gpudbg_checks_alloc(checks, 1, sizeof *s);
    s->checks = checks;
    s->alignment = alignment;
    return s;
}

static void *begin_extent(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    (void)m;
    return begin(checks, false);
}

static void *begin_alignment(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    (void)m;
    return begin(checks, true);
}

static void end(void *state) { gpudbg_checks_free(((struct watch *)state)->checks, state); }

static void report(struct watch *s, const struct il_miss *miss)
{
    char message[160];
    s->watching = false;
    if (s->alignment)
        snprintf(
            message, sizeof message, "%s: low bits of the address 0x%" PRIx64 " are cut off", miss->what, miss->first);
    else
        snprintf(message, sizeof message, "%s has no place 0x%" PRIx64 ": loads give 0, stores are dropped", miss->what,
            miss->first);
    gpudbg_report(s->checks, &(struct gpudbg_report){.pc = miss->pc,
                                 .by = miss->wave + 1,
                                 .lanes = miss->lanes,
                                 .message = message,
                                 .cause = miss->what,
                                 .address = true});
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct watch *s = state;
    (void)insn;
    const struct il_miss *miss = s->alignment ? &il_of(w)->unaligned : &il_of(w)->outside;
    if (s->watching && miss->lanes && miss->wave == s->wave && miss->executed == s->executed) report(s, miss);
    s->watching = true;
    s->wave = w->id;
    s->executed = w->executed;
}

static bool applies(const struct gpudbg_isa *isa) { return il_is(isa); }

const struct gpudbg_checker il_extent_checker = {
    .kind = "extent",
    .summary = "AMD IL: accesses past the end of a resource or of an array of registers",
    .applies = applies,
    .start = begin_extent,
    .stop = end,
    .before = before,
    .apart = true,
    .by_group = true,
};

const struct gpudbg_checker il_alignment_checker = {
    .kind = "alignment",
    .summary = "AMD IL: addresses whose low bits are cut off",
    .applies = applies,
    .start = begin_alignment,
    .stop = end,
    .before = before,
    .apart = true,
    .by_group = true,
};
