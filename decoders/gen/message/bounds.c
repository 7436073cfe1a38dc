/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bounds.c: `check bounds`: messages that go past the end of a surface.  The hardware drops such stores and reads
 * zeros, and so does the machine; the checker reports them, with the name of the buffer.
 */
#include <inttypes.h>
#include <stdio.h>

#include "message/message_run.h"
#include "message/quick.h"

void gen_outside(
    const struct gen_message *m, const struct gpudbg_segment *s, uint64_t offset, unsigned size, bool write, int lane)
{
    const char *name = s && s->name ? s->name : "the surface";
    char message[200];
    if (!m->probe) return;
    snprintf(message, sizeof message,
        "the message at 0x%" PRIx64 " %s %u byte%s at 0x%" PRIx64 " of %s, which has %" PRIu64 ": %s", m->wave->pc,
        write ? "stores" : "loads", size, size == 1 ? "" : "s", offset, name, s ? s->size : 0,
        write ? "it is dropped" : "it gives 0");
    gpudbg_report(m->probe, &(struct gpudbg_report){.pc = m->wave->pc,
                                .lanes = lane >= 0 ? UINT64_C(1) << lane : 0,
                                .message = message,
                                .cause = name,
                                .address = true});
}

static void *start(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    (void)m;
    return checks;
}

static bool heeds(void *state, const struct gpudbg_insn *insn)
{
    struct gen_insn x;
    (void)state;
    gen_unpack(insn, &x);
    return x.shape == GEN_SEND;
}

/* The message is tried out before it is sent, so that a run stops at it. */
static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const struct gen_step *asked = gen_of(w)->asked;
    const struct gen_step *op = asked && asked->insn ? asked : gen_op_made(w, w->pc);
    (void)insn;
    if (op && op->insn && op->insn->shape == GEN_SEND && !gen_quick_inside(w, op)) gen_send_probe(w, op, state);
}

static bool applies(const struct gpudbg_isa *isa) { return gen_eu_or_none(isa) != NULL; }

const struct gpudbg_checker gen_bounds_checker = {
    .kind = "bounds",
    .summary = "messages that go past the end of a surface",
    .applies = applies,
    .start = start,
    .before = before,
    .heeds = heeds,
    .by_group = true,
};
