/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uninitialised_quick.c: instructions that read nothing that is missing, as nearly all do.  The registers of an
 * instruction are found once; from then on a few words of the shadow show that there is nothing to do. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "check/uninitialised.h"
#include "gpudbg/unset.h"
#include "machine/machine.h"

#define FEW 4 /* dwords that are looked at without `some` */

/* The latest origin that was asked for: of what operand, and what its bits came from. */
struct copied {
    const struct named *from;
    uint32_t origin, given;
};

static void plan_operand(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, unsigned operand, struct plan *plan)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    const uint64_t memory = plan->does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
    const bool data = plan->does & GPUDBG_OP_STORE && uninitialised_is_stored(insn, operand);
    const bool moved = data || (memory == GPUDBG_OP_LOAD && o->flags & GPUDBG_WRITE);
    const bool reads = o->flags & GPUDBG_READ && !(o->flags & GPUDBG_NO_MATTER), writes = o->flags & GPUDBG_WRITE;
    if (o->kind != GPUDBG_REGISTER || !(reads || writes)) return;
    if (o->index >= 0) plan->quick = false;
    for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u) && plan->quick; r++) {
        unsigned n;
        const size_t at = uninitialised_dwords(u, w, o->file, r, &n);
        const bool laned = at != SIZE_MAX && u->machine->isa->files[o->file].lanes > 1;
        struct named *last = plan->n ? &plan->of[plan->n - 1] : NULL;
        if (at == SIZE_MAX) continue;
        if (laned && n != 64) plan->quick = false;
        if (last && !laned && !last->laned && last->at + last->n == at && last->reads == reads &&
            last->writes == writes && last->data == data) {
            last->n += n;
        } else if (plan->n == NAMED_MOST) {
            plan->quick = false;
        } else {
            plan->of[plan->n++] = (struct named){(uint32_t)at, n,
                n == 64 && block_bit(u, at) == 1 ? (uint32_t)block_of(u, at) : 0, 0, 0, 0,
                laned && !(o->flags & GPUDBG_ALL_LANES), reads, writes, data, o->file, (uint16_t)r};
        }
        if (!moved || !laned || !(insn->op->flags & GPUDBG_OP_COPY)) continue;
        if (!plan->copied++) {
            plan->copy_at = (uint32_t)at;
            plan->file = o->file;
            plan->reg = r;
        }
        if (at != plan->copy_at + 64 * (size_t)(plan->copied - 1)) plan->quick = false;
    }
}

/* Whether it reads and writes lanes or dwords of one register each, and writes one only. */
static bool copies_one(const struct plan *plan)
{
    unsigned writes = 0;
    for (unsigned i = 0; i < plan->n; i++) {
        writes += plan->of[i].writes;
        if (plan->of[i].n != 64 && plan->of[i].n != 1) return false;
    }
    return writes == 1;
}

static void plan_copy(struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, struct plan *plan)
{
    struct spans spans GPUDBG_UNSET;
    if (!plan->quick || (insn->op->flags | plan->does) & UNINITIALISED_OUTSIDE || !copies_one(plan)) return;
    if (!uninitialised_is_copy(u, w, insn, &spans)) return;
    plan->copy = xalloc(sizeof *plan->copy);
    *plan->copy = spans;
    plan->fixed = uninitialised_is_fixed(u, insn);
}

/* Where the dwords of a register are in `some`. */
static void find_bits(const struct uninitialised *u, struct named *r)
{
    const unsigned lo = (unsigned)((r->at + 64 - u->phase) % 64);
    r->from = (uint32_t)block_of(u, r->at);
    if (lo + r->n > 128) return;
    r->bits = UINT64_MAX << lo & (lo + r->n < 64 ? (UINT64_C(1) << (lo + r->n)) - 1 : UINT64_MAX);
    r->further = lo + r->n > 64 ? UINT64_MAX >> (128 - lo - r->n) : 0;
}

/* Adds bits of a block of `some`, if there is room. */
static void add_block(struct plan *plan, uint32_t at, uint64_t bits, bool reads, bool *room)
{
    for (unsigned i = 0; i < plan->nblocks && bits; i++) {
        if (plan->block[i].at != at) continue;
        plan->block[i].bits |= bits;
        plan->block[i].reads |= reads ? bits : 0;
        return;
    }
    *room = *room && (!bits || plan->nblocks < NAMED_MOST);
    if (!bits || !*room) return;
    plan->block[plan->nblocks].at = at;
    plan->block[plan->nblocks].reads = reads ? bits : 0;
    plan->block[plan->nblocks++].bits = bits;
}

static void find_blocks(struct plan *plan)
{
    bool room = true;
    for (unsigned i = 0; i < plan->n; i++) {
        const struct named *r = &plan->of[i];
        room = room && r->bits;
        add_block(plan, r->from, r->bits, r->reads, &room);
        add_block(plan, r->from + 1, r->further, r->reads, &room);
    }
    if (!room) plan->nblocks = 0;
}

/* Whether no register that it writes is marked in `some` after all of it was written. */
static bool cleans(const struct uninitialised *u, const struct plan *plan)
{
    bool clean = true;
    for (unsigned i = 0; i < plan->n; i++)
        clean &= !plan->of[i].writes || u->footprint || plan->of[i].block || !plan->of[i].laned;
    return clean && (!u->footprint || (plan->regions && plan->regions->row));
}

struct plan *uninitialised_plan_new(
    struct uninitialised *u, struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint32_t number)
{
    struct plan *plan = u->plan[number] = xalloc(sizeof *plan);
    *plan = (struct plan){.quick = true, .does = gpudbg_insn_does(insn)};
    plan->last = plan->does & GPUDBG_OP_END;
    plan->memory = plan->does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
    for (unsigned i = 0; i < insn->noperands; i++) plan_operand(u, w, insn, i, plan);
    for (unsigned i = 0; i < plan->n; i++) find_bits(u, &plan->of[i]);
    find_blocks(plan);
    plan_copy(u, w, insn, plan);
    if (u->footprint && plan->quick) plan->regions = regions_new(u, w, insn, plan);
    plan->clean = cleans(u, plan);
    plan->plain = plan->quick && !plan->memory && !plan->last;
    return plan;
}

/* Whether any bits of the dwords are missing in these lanes. */
static inline bool named_misses(struct uninitialised *u, struct shadow *s, const struct named *r, uint64_t lanes)
{
    if (r->n <= FEW) {
        uint32_t any = 0;
        for (unsigned i = 0; i < r->n; i++) any |= s->missing[r->at + i];
        if (any) return true;
        s->some[r->from] &= ~r->bits;
        s->some[r->from + 1] &= ~r->further;
        return false;
    }
    if (r->n != 64) return uninitialised_any_missing(u, s, r->at, r->n);
    const uint64_t of = r->laned ? lanes : UINT64_MAX;
    if (r->block && !(s->some[r->block] & of)) return false;
    return uninitialised_any_lane(u, s, r->at, of);
}

/* ---- Copies ---- */

/* Which dword of an operand, read in these lanes, misses something that goes to a lane; -1: to no lane in particular,
 * then it is the first.  SIZE_MAX: none. */
static size_t source_at(const struct shadow *s, const struct named *r, uint64_t lanes, int lane)
{
    const unsigned first = r->n == 64 && lane >= 0 ? (unsigned)lane : 0, last = lane >= 0 ? first : r->n - 1;
    for (unsigned d = first; d <= last; d++)
        if (s->missing[r->at + d] && (!r->laned || lanes >> d & 1)) return r->at + d;
    return SIZE_MAX;
}

/* The origin of missing bits that a copy has moved to a lane.  known: the latest that was asked for. */
static uint32_t copied_origin(struct uninitialised *u, const struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct plan *plan, uint64_t lanes, int lane, struct copied *known)
{
    const struct shadow *s = &u->wave[w->id];
    for (unsigned i = 0; i < plan->n; i++) {
        const struct named *r = &plan->of[i];
        const size_t at = r->reads ? source_at(s, r, lanes, lane) : SIZE_MAX;
        if (at == SIZE_MAX) continue;
        if (known->from == r && known->origin == s->origin[at]) return known->given;
        const struct missing from = {
            .bits = s->missing[at], .origin = s->origin[at], .file = r->file, .index = r->index, .lane = lane};
        *known = (struct copied){r, from.origin, uninitialised_given(u, w->pc, &from, insn->op->flags)};
        return known->given;
    }
    return 0;
}

/* A dword that a copy has moved misses these bits now. */
static void copied_to(struct uninitialised *u, const struct gpudbg_wave *w, struct shadow *s,
    const struct gpudbg_insn *insn, const struct plan *plan, uint64_t lanes, struct copied *known,
    const struct named *to, unsigned d, uint32_t bits)
{
    const size_t at = to->at + d;
    if (bits) {
        s->origin[at] = copied_origin(u, w, insn, plan, lanes, to->n == 64 ? (int)d : -1, known);
        some_add(u, s, at);
    }
    s->missing[at] = bits;
}

/* A copy whose way is known: these dwords go to those, and all others stay. */
static void follow_moves(struct uninitialised *u, const struct gpudbg_wave *w, struct shadow *s,
    const struct gpudbg_insn *insn, const struct plan *plan, uint64_t lanes, const struct named *to)
{
    const struct moves *moves = plan->moves;
    struct copied known = {NULL, 0, 0};
    uint32_t bits[64];
    for (unsigned i = 0; i < moves->n; i++) bits[i] = s->missing[moves->from[i]];
    for (unsigned i = 0; i < moves->n; i++)
        if (bits[i] | s->missing[to->at + moves->to[i]])
            copied_to(u, w, s, insn, plan, lanes, &known, to, moves->to[i], bits[i]);
}

/* What a copy moves is found out by executing it on what is missing. */
static bool copies(struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s, const struct gpudbg_insn *insn,
    struct plan *plan, uint64_t lanes)
{
    const struct named *to = plan->of;
    struct copied known = {NULL, 0, 0};
    if (!plan->copy) return false;
    while (!to->writes) to++;
    if (plan->fixed && (!plan->moves || plan->moves->lanes != lanes))
        plan->fixed = uninitialised_moves(u, w, insn, plan, to, lanes);
    if (plan->fixed) {
        follow_moves(u, w, s, insn, plan, lanes, to);
        return true;
    }
    if (!uninitialised_copies(u, w, insn, plan->copy, false)) return false;
    for (unsigned d = 0; d < to->n; d++) {
        const uint32_t bits = u->trial[0].words[to->at + d];
        if (!(bits | s->missing[to->at + d]) || (to->laned && !(lanes >> d & 1))) continue;
        copied_to(u, w, s, insn, plan, lanes, &known, to, d, bits);
    }
    return true;
}

/* ---- All of it ---- */

/* Whether the instruction reads nothing that is missing, though its registers miss something: its regions are others.
 */
static bool reads_written(struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s,
    const struct gpudbg_insn *insn, struct plan *plan, uint64_t lanes)
{
    return plan->regions && !regions_miss(u, w, s, insn, plan, lanes);
}

/* Words of lanes are not missing any more; most often lanes in a row. */
static void clear_lanes(uint32_t *missing, uint64_t lanes)
{
    while (lanes) {
        const unsigned first = (unsigned)__builtin_ctzll(lanes);
        const uint64_t rest = ~(lanes >> first);
        const unsigned n = rest ? (unsigned)__builtin_ctzll(rest) : 64;
        memset(missing + first, 0, n * sizeof *missing);
        lanes = first + n < 64 ? lanes & UINT64_MAX << (first + n) : 0;
    }
}

/* What the instruction writes is not missing any more. */
static void clear(struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s, const struct gpudbg_insn *insn,
    struct plan *plan, uint64_t lanes)
{
    if (u->footprint) {
        if (!plan->regions || !regions_clear(u, w, s, insn, plan, lanes)) uninitialised_write(u, w, insn, NULL);
        return;
    }
    for (unsigned i = 0; i < plan->n; i++) {
        const struct named *r = &plan->of[i];
        if (!r->writes) continue;
        if (r->block) s->some[r->block] &= ~(r->laned ? lanes : UINT64_MAX);
        if (!r->laned || lanes == UINT64_MAX)
            memset(s->missing + r->at, 0, r->n * sizeof *s->missing);
        else
            clear_lanes(s->missing + r->at, lanes);
        if (r->laned || !r->bits) continue;
        s->some[r->from] &= ~r->bits;
        s->some[r->from + 1] &= ~r->further;
    }
}

/* Whether all that may be missing is in registers that the instruction writes, and is not missing any more after it. */
static bool writes_alone(const struct shadow *s, const struct plan *plan, uint64_t lanes)
{
    uint64_t reads = 0;
    if (!plan->nblocks || !plan->clean || (plan->regions && regions_part(plan->regions, lanes))) return false;
    for (unsigned i = 0; i < plan->nblocks; i++) reads |= s->some[plan->block[i].at] & plan->block[i].reads;
    return !reads;
}

bool uninitialised_quickly(
    struct uninitialised *u, struct gpudbg_wave *w, struct shadow *s, const struct gpudbg_insn *insn, struct plan *plan)
{
    const bool memory = plan->memory && unwritten_any(u->memory);
    if (uninitialised_all_written(s, plan)) {
        u->missing.n = u->held.stored.n = 0;
        if (memory) memory_hold(u, w, insn, plan);
        return true;
    }
    const uint64_t lanes = w->machine->isa->run->active(w);
    bool clears = writes_alone(s, plan, lanes), stores = false, written = false;
    for (unsigned i = clears ? plan->n : 0; i < plan->n; i++) {
        if (!named_misses(u, s, &plan->of[i], lanes)) continue;
        if (plan->of[i].reads && !(plan->of[i].data && plan->copied) && !written) {
            written = reads_written(u, w, s, insn, plan, lanes);
            if (!written) return copies(u, w, s, insn, plan, lanes);
        }
        clears |= plan->of[i].writes;
        stores |= plan->of[i].data;
    }
    u->missing.n = u->held.stored.n = 0;
    if (memory || (stores && plan->memory)) memory_hold(u, w, insn, plan);
    if (clears) clear(u, w, s, insn, plan, lanes);
    return true;
}
