/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gws.c: cooperation of waves through the global data share: barriers, semaphores, ordered counters.
 *
 * The state is in a segment of its own, so that time can go back over it.  A wave that must wait executes the
 * instruction again and again, and lets other waves run in between.  Groups run one after another, so waves of
 * different groups cannot wait for each other: if no wave is left that could end a wait, the waiting wave stops with a
 * reason.
 *
 * Ordered counts take place in the order of the waves: a wave has its turn when all earlier waves have passed theirs
 * on.  There are two readings of ds_ordered_count, which contradict each other (`set gfx7 ordered_count`):
 *
 *     compilers   the code that LLVM and Mesa make, and that their drivers rely on.  M0[31:16] and the offset's index
 *                 in bits 7:2, times 4, are the address of a dword in GDS; the VGPR of the first active lane is added
 *                 to it, or exchanged for it.  Offset, bit 8: the wave passes the turn of this index on; 9: this was
 *                 the wave's last count; 11:10: the stage, which has no effect here; 13:12: 0 adds, 1 exchanges
 *     manual      four counters beside GDS, the offset's bits 3:2 choose; each grows by the number of active lanes; bit
 *                 8: the wave passes the turn on
 *
 * Sources: LLVM, SIISelLowering of ds_ordered_add and ds_ordered_swap; the manual's sentence about the opcode.
 */
#include "memory/gcn_memory.h"

enum { RESOURCES = 64, COUNTERS = 4, INDICES = 16 };
/* In mods: newer chips add M0[21:16] to the number of a semaphore or barrier (LLVM, ds_gws_*). */
#define BY_M0 256u

struct resource {
    uint32_t value, arrived, generation;
};

struct state {
    struct resource resource[RESOURCES];
    uint32_t counter[COUNTERS], turn; /* turn: the wave that may count next */
    uint32_t index_turn[INDICES];     /* compilers: the same for each index */
    uint32_t ended;                   /* waves before this one have made their last count */
};
_Static_assert(sizeof(struct state) <= GCN_GWS_BYTES, "the segment holds the state");

static bool ready(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (gcn_of(w)->setup->gws) return true;
    (void)GCN_FAULT(w, op, -1, "the instruction uses GDS, and the launch has none: add gds=BYTES");
    return false;
}

static bool load(struct gpudbg_wave *w, const struct gcn_op *op, struct state *s)
{
    gcn_sync(w, op);
    if (gpudbg_mem_read(w, GPUDBG_GLOBAL, gcn_of(w)->setup->gws->base, s, sizeof *s, -1)) return true;
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

static bool save(struct gpudbg_wave *w, const struct state *s)
{
    if (gpudbg_mem_write(w, GPUDBG_GLOBAL, gcn_of(w)->setup->gws->base, s, sizeof *s, -1)) return true;
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

/* Executes the instruction again when the wave runs next. */
static const struct gcn_op *again(struct gpudbg_wave *w, const struct gcn_op *op)
{
    gcn_sync(w, op);
    return gcn_stop(w, GPUDBG_RAN_YIELD);
}

static uint32_t first_lane(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    return gcn_v(w, op->a)[mask ? gcn_first_lane(mask) : 0];
}

/* ---- Barriers and semaphores ---- */

static const struct gcn_op *barrier(struct gpudbg_wave *w, const struct gcn_op *op, struct state *s, struct resource *r)
{
    uint32_t *wait = &gcn_s(w)[GCN_GWS_WAIT], wanted = first_lane(w, op), there = w->machine->waves_per_group;
    if (*wait) {
        if (r->generation == *wait - 1) return again(w, op);
        *wait = 0;
        return gcn_next(op);
    }
    if (wanted > there)
        return GCN_FAULT(w, op, -1,
            "ds_gws_barrier: waits for %u waves; groups run one after another, and this one has %u", wanted, there);
    r->arrived++;
    if (r->arrived >= wanted) {
        r->arrived = 0;
        r->generation++;
        return save(w, s) ? gcn_done(w, op) : NULL;
    }
    if (!save(w, s)) return NULL;
    *wait = r->generation + 1;
    return again(w, op);
}

static const struct gcn_op *take(struct gpudbg_wave *w, const struct gcn_op *op, struct state *s, struct resource *r)
{
    uint32_t *wait = &gcn_s(w)[GCN_GWS_WAIT];
    bool released = *wait && r->generation != *wait - 1;
    if (!released && !r->value) {
        if (w->machine->waves_per_group == 1)
            return GCN_FAULT(
                w, op, -1, "ds_gws_sema_p: the semaphore is 0, and no other wave of the group is there to raise it");
        *wait = r->generation + 1;
        return again(w, op);
    }
    *wait = 0;
    r->value -= !released;
    return save(w, s) ? gcn_done(w, op) : NULL;
}

static const struct gcn_op *gws(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct state s;
    if (!ready(w, op) || !load(w, op, &s)) return NULL;
    const uint32_t base = op->mods & BY_M0 ? gcn_s(w)[GCN_M0] >> 16 : 0;
    struct resource *r = &s.resource[(GET(op->imm, DS_GWS, resource) + base) % RESOURCES];
    switch ((enum gcn_gws)(op->mods & ~GCN_LONG & ~BY_M0)) {
    case GCN_GWS_BARRIER: return barrier(w, op, &s, r);
    case GCN_GWS_P: return take(w, op, &s, r);
    case GCN_GWS_INIT: *r = (struct resource){.value = first_lane(w, op), .generation = r->generation}; break;
    case GCN_GWS_RELEASE: r->generation++; break;
    case GCN_GWS_V: r->value++; break;
    case GCN_GWS_BR: r->value += first_lane(w, op); break;
    }
    return save(w, &s) ? gcn_done(w, op) : NULL;
}

/* ---- Ordered counters ---- */

/* Whether it is the wave's turn.  false: *then is the handler's return value. */
static bool has_turn(struct gpudbg_wave *w, const struct gcn_op *op, uint32_t turn, const struct gcn_op **then)
{
    *then = NULL;
    if (turn == w->id) return true;
    if (turn > w->id)
        (void)GCN_FAULT(w, op, -1,
            "ds_ordered_count: the wave has passed its turn on (bit 8 or 9 of the offset): it was its last count");
    else if (turn < w->id - w->index)
        (void)GCN_FAULT(w, op, -1,
            "ds_ordered_count: it is the turn of wave %u, of an earlier group, which never passed it on", turn);
    else
        *then = again(w, op);
    return false;
}

static const struct gcn_op *give(struct gpudbg_wave *w, const struct gcn_op *op, uint32_t old)
{
    for (uint64_t m = gcn_active(w); m; m &= m - 1) gcn_v(w, op->d)[gcn_first_lane(m)] = old;
    return gcn_done(w, op);
}

/* Bits of offset1 of ds_ordered_count. */
enum { PASSES_ON = 1, LAST = 2 };

/* ds_ordered_count as the manual describes it. */
static const struct gcn_op *counted(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct state s;
    const struct gcn_op *then;
    if (!ready(w, op) || !load(w, op, &s)) return NULL;
    if (!has_turn(w, op, s.turn, &then)) return then;
    uint32_t *counter = &s.counter[GET(op->imm, DS_ORDERED, offset0) / 4 % 4], old = *counter;
    *counter += (uint32_t)__builtin_popcountll(gcn_active(w));
    s.turn += GET(op->imm, DS_ORDERED, offset1) & PASSES_ON;
    return save(w, &s) ? give(w, op, old) : NULL;
}

/* An active lane that holds another value than the first active lane; -1: there is none. */
static int other_lane(const struct gpudbg_wave *w, const struct gcn_op *op, uint32_t value)
{
    for (uint64_t m = gcn_active(w); m; m &= m - 1)
        if (gcn_v(w, op->a)[gcn_first_lane(m)] != value) return (int)gcn_first_lane(m);
    return -1;
}

/* ds_ordered_count as compilers use it. */
static const struct gcn_op *ordered(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct state s;
    const struct gcn_op *then;
    const uint32_t index = GET(op->imm, DS_ORDERED, offset0) / 4, what = GET(op->imm, DS_ORDERED, offset1),
                   operation = what >> 4 & 3, value = first_lane(w, op);
    if (gcn_of(w)->setup->ordered_by_manual) return counted(w, op);
    if (!ready(w, op) || !load(w, op, &s)) return NULL;
    if (index >= INDICES)
        return GCN_FAULT(w, op, -1, "ds_ordered_count: index %u: there are %u counters in order", index, INDICES);
    if (operation > 1)
        return GCN_FAULT(w, op, -1,
            "ds_ordered_count: operation %u (bits 13:12 of the offset): 0 adds, 1 exchanges, others are not described",
            operation);
    if (other_lane(w, op, value) >= 0)
        return GCN_FAULT(w, op, other_lane(w, op, value),
            "ds_ordered_count: active lanes have different values: what is made of them is not described");
    const uint32_t turn = s.index_turn[index] > s.ended ? s.index_turn[index] : s.ended;
    if (!has_turn(w, op, turn, &then)) return then;
    const uint64_t addr = gcn_of(w)->setup->gds->base + (gcn_s(w)[GCN_M0] >> 16) + 4 * (uint64_t)index;
    uint32_t old;
    if (!gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, &old, 4, -1)) return gcn_stop(w, GPUDBG_RAN_FAULT);
    const uint32_t made = operation ? value : old + value;
    if (gcn_active(w) && !gpudbg_mem_write(w, GPUDBG_GLOBAL, addr, &made, 4, -1)) return gcn_stop(w, GPUDBG_RAN_FAULT);
    if (what & PASSES_ON) s.index_turn[index] = w->id + 1;
    if (what & LAST) s.ended = w->id + 1;
    return save(w, &s) ? give(w, op, old) : NULL;
}

bool gcn_gws_op(
    const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2], struct gcn_op *op)
{
    const bool newer = !gcn_chip_of(insn->isa)->lds_by_m0;
    op->fn = row->action == GCN_GWS_WAITS ? gws : ordered;
    op->a = (uint16_t)GET(w, DS, addr);
    op->d = (uint16_t)GET(w, DS, vdst);
    op->imm = GET(w, DS, offset);
    op->mods = row->what | (newer ? BY_M0 : 0);
    /* Newer chips count several dwords in one instruction. */
    const bool several = newer && row->action == GCN_ORDERED && GET(w, DS_ORDERED, offset1) >> 6;
    return GET(w, DS, gds) && !several;
}
