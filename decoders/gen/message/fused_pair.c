/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fused_pair.c: dpasw, a product of matrices for which two threads of a group, fused as a pair, give a half of source 2
 * each.
 *
 * Each thread has a place in the segment "pairs": how many halves it has given, and the last two of them.  It gives its
 * half when it comes to the instruction, and waits until the other one has given as many: then it has all of source 2.
 * It cannot be ahead by more than one product, so two halves are enough.  A thread that waits executes the instruction
 * again and lets others run, so time can go back over it.
 *
 * Source: Intel's compiler, documentation of vISA, DPASW: the registers of source 2 are the first half of them, rounded
 * up, of one EU, then the rest of the other EU.
 * Inferred: the even thread is the one that gives the first half (the document: "need to verify").
 */
#include <inttypes.h>
#include "message/message_run.h"
#include "alu/gen_alu.h"

enum {
    HALF = 4 * 32,        /* bytes: at most eight registers are shared */
    MOST_WAITS = 1 << 16, /* turns, in each of which the other threads run; then the other one of the pair is lost */
};

struct place {
    uint32_t thread, given; /* thread: its id + 1; a place of another thread means nothing */
    uint8_t half[2][HALF];  /* by the parity of their number */
};
_Static_assert(sizeof(struct place) == GEN_PAIR_BYTES, "the segment has such places");

static bool place_of(struct gpudbg_wave *w, uint32_t thread, struct place *p, bool write)
{
    const struct gpudbg_segment *s = gen_setup_of(w)->pairs;
    const uint64_t at = s->base + thread % (s->size / sizeof *p) * sizeof *p;
    if (write) return gpudbg_mem_write(w, GPUDBG_GLOBAL, at, p, sizeof *p, -1);
    if (!gpudbg_mem_read(w, GPUDBG_GLOBAL, at, p, sizeof *p, -1)) return false;
    if (p->thread != thread + 1) *p = (struct place){.thread = thread + 1};
    return true;
}

/* false: the memory door has failed. */
static bool give(struct gpudbg_wave *w, const struct gen_insn *x, uint32_t number)
{
    struct place own;
    const struct gen_operand *o = &x->src[2];
    if (!place_of(w, w->id, &own, false)) return false;
    if (own.given > number) return true;
    own.given = number + 1;
    memcpy(own.half[number & 1], gen_grf(w) + 32u * o->reg + o->sub, gen_systolic_bytes(x, 2));
    return place_of(w, w->id, &own, true);
}

const struct gen_step *gen_systolic_pair(struct gpudbg_wave *w, const struct gen_step *op)
{
    const struct gen_insn *x = op->insn;
    uint32_t *paired = &w->words[GEN_W_PAIRED], *waits = &w->words[GEN_W_PAIR_WAITS];
    const uint32_t other = w->index ^ 1, half = 32 * gen_systolic_half(x), number = *paired;
    const char *name = x->row->name;
    struct place own, theirs;
    uint8_t source2[2 * HALF];
    if (gen_systolic_refused(w, op)) return NULL;
    if (!gen_setup_of(w) || !gen_setup_of(w)->pairs)
        return GEN_FAULT(w, op, -1, "%s: the code of the launch had none, so its threads have no place to share", name);
    if (other >= w->machine->waves_per_group)
        return GEN_FAULT(w, op, -1,
            "%s: this thread has no other one to form a pair with: its group has %" PRIu32 " threads", name,
            w->machine->waves_per_group);
    if (*waits >= MOST_WAITS)
        return GEN_FAULT(w, op, -1,
            "%s: thread %" PRIu32 " of the group, the other one of the pair, does not come to it", name, other);
    gen_sync(w, op);
    if (!give(w, x, number) || !place_of(w, w->id, &own, false) ||
        !place_of(w, w->id - w->index + other, &theirs, false))
        return gen_stop(w, GPUDBG_RAN_FAULT);
    if (theirs.given <= number) {
        ++*waits;
        return gen_stop(w, GPUDBG_RAN_YIELD);
    }
    const struct place *first = w->index & 1 ? &theirs : &own, *second = w->index & 1 ? &own : &theirs;
    memcpy(source2, first->half[number & 1], half);
    memcpy(source2 + half, second->half[number & 1], half);
    *waits = 0;
    ++*paired;
    return gen_systolic_with(w, op, source2);
}
