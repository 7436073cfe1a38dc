/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * out_of_range.c: `check range`: lanes that go past the end of the LDS (or past the limit in M0), or of a buffer by its
 * V#.  The hardware returns zeros and drops stores, and so does the machine, which reports no access then: an active
 * lane without an access was out of range.  Source: Sea Islands manual, range checking of buffers and of the LDS.
 */
#include <stdio.h>
#include "code/gcn_decoder.h"
#include "gcn.h"
#include "gcn_ops.h"

struct ranges {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    bool local, stores;           /* what the latest instruction with a range does */
    uint64_t pc, active, touched; /* the lanes that ran then, and those that accessed anything */
    uint32_t wave;
    const char *name;
    uint64_t size; /* of the LDS */
};

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct ranges *r = gpudbg_checks_alloc(checks, 1, sizeof *r);
    r->machine = m;
    r->checks = checks;
    return r;
}

static void end(void *state) { gpudbg_checks_free(((struct ranges *)state)->checks, state); }

static void settle(struct ranges *r)
{
    const uint64_t lost = r->active & ~r->touched;
    char message[200];
    const char *then = r->stores ? "what they store is dropped" : "they load zeros";
    if (r->local)
        snprintf(message, sizeof message, "%.40s: lanes are past the end of local memory, which has %llu bytes: %s",
            r->name, (unsigned long long)r->size, then);
    else
        snprintf(message, sizeof message, "%.40s: lanes are past the end of the buffer that its V# describes: %s",
            r->name, then);
    gpudbg_report(r->checks,
        &(struct gpudbg_report){
            .pc = r->pc, .by = r->wave + 1, .lanes = lost, .message = message, .cause = "range", .address = true});
}

/* Whether each lane has its own access; counters that all lanes share (append, consume) are accessed once. */
static bool one_a_lane(const struct gpudbg_insn *insn)
{
    const unsigned id = insn->op->id;
    return insn->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE) && id != GCN_ds_append && id != GCN_ds_consume;
}

static bool has_range(const struct gpudbg_insn *insn)
{
    if (!(insn->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))) return false;
    const enum gcn_access at = gcn_access_of(insn);
    return (at == GCN_LOCALS || at == GCN_BUFFERS) && one_a_lane(insn);
}

static bool rests(void *state, const struct gpudbg_insn *insn)
{
    (void)state;
    return !has_range(insn);
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct ranges *r = state;
    if (r->active & ~r->touched) settle(r);
    r->active = r->touched = 0;
    gpudbg_checks_idle(r->checks, NULL, true);
    gpudbg_checks_idle(r->checks, w, true);
    if (!has_range(insn)) return;
    gpudbg_checks_idle(r->checks, NULL, false);
    r->local = gcn_access_of(insn) == GCN_LOCALS;
    r->stores = insn->op->flags & GPUDBG_OP_STORE;
    r->pc = w->pc;
    r->wave = w->id;
    r->name = insn->op->name;
    r->size = w->lds ? w->lds->size : 0;
    r->active = w->machine->isa->run->active(w);
    r->touched = 0;
}

static void access(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct ranges *r = state;
    (void)w;
    r->touched |= a->lane >= 0 && a->lane < 64 ? UINT64_C(1) << a->lane : ~UINT64_C(0);
}

static void accesses(void *state, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct ranges *r = state;
    (void)w;
    r->touched |= all->lanes;
    if (!(r->active & ~r->touched)) gpudbg_checks_idle(r->checks, NULL, true);
}

const struct gpudbg_checker gcn_range = {
    .kind = "range",
    .summary = "AMD: lanes past the end of local memory or of a buffer",
    .applies = is_gcn,
    .start = begin,
    .stop = end,
    .before = before,
    .rests = rests,
    .access = access,
    .accesses = accesses,
    .apart = true,
    .by_group = true,
};
