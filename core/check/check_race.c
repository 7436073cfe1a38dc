/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_race.c: work-items that touch the same bytes of memory in no order, one of them writing, not both atomically.
 * Whichever comes first on the hardware decides the result; here the schedule does, so a run looks right that is not.
 *
 * Waves of a group are in order where a barrier is between them.  Groups are in no order, but for what atomics make:
 * where one group updates a word after its access, and the other has updated the same word since, before its own, the
 * second may know that the first is done (the last group that adds up what all have left).  Such accesses are silent.
 *
 * A store that leaves the bytes as they are does what a load does: no order makes another result.  So stores of equal
 * values are silent, by lanes, waves and groups, unless `set equal-stores on`.
 *
 * Lanes of one wave race where one instruction stores different values to the same bytes.  Their instructions are in
 * order: compilers leave out barriers of groups that are one wave, and sub-group barriers.  What needs one by OpenCL's
 * rules is reported with `set lanes-race on`.
 *
 * A plain load of what others update atomically may begin a loop around a compare and exchange: see plain_loads.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check/check.h"
#include "check/plain_loads.h"
#include "gpudbg/text.h"
#include "machine/machine.h"

#define UNIT 4                        /* bytes that are followed together */
#define BLOCK 256                     /* units that are made together */
#define BLOCKS_MOST ((size_t)1 << 30) /* bytes of all blocks */
#define SYNCS_MOST 512                /* atomics of a group that are kept: the latest */
enum { NO_LANE = 255, SEVERAL_LANES = 254 };

/* Who touched a unit: for stores, loads and atomics apart, the two different waves that did last, so that one of them
 * is always another than the wave that comes next.  A store of what is there already counts among the loads. */
enum touch { STORE, LOAD, ATOMIC, TOUCHES };
enum { LAST, ONE_BEFORE, WAVES };
struct toucher {
    uint32_t wave;     /* id + 1; 0: none */
    uint32_t barriers; /* that the wave had arrived at */
    uint32_t syncs;    /* atomics that its group had done before in that memory */
    uint32_t insn;     /* which of all executed, modulo 2^32 */
    uint32_t place;    /* of the instruction, in race.place */
    uint8_t bytes;     /* of the unit, a bit each */
    uint8_t latest;    /* of them, those that `insn` touched */
    uint8_t lane;
    bool same; /* it stored what was there */
};

struct block {
    struct toucher by[BLOCK][WAVES];
};

/* The blocks of a segment; NULL: no such access yet. */
struct area {
    struct block **block[TOUCHES];
    size_t n;
};

/* What is the same for all accesses that are told of at once, and, apart from it, what is not: a processor waits where
 * it copies what it has just written a byte of. */
struct touching {
    struct toucher me; /* its bytes, latest and lane are 0 */
    uint8_t bytes, lane;
};

struct sync {
    uint64_t addr, when;
    uint32_t wave;
};

/* The atomics of a group, in order; before them, `gone` are forgotten. */
struct syncs {
    struct sync *of;
    uint32_t n, gone;
};

struct group {
    struct area local;
    struct syncs syncs, local_syncs; /* on memory that all groups share; on its own */
    uint32_t ended;                  /* waves */
};

struct race {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    bool report_equal, report_lanes;
    struct plain_loads *loads;
    uint32_t *barriers; /* that a wave arrived at, by id */
    struct group *group;
    struct area *global; /* by segment */
    size_t nglobal, latest;
    uint64_t *place; /* addresses of instructions, in the order in which they touched memory */
    size_t nplaces, places_room;
    size_t bytes;  /* of blocks */
    bool full;     /* of blocks */
    uint64_t when; /* instructions so far */
    /* The instruction being executed. */
    bool atomic;
    uint32_t here; /* its place; UINT32_MAX: not looked up */
    struct touching now;
};

/* ---- From start to end ---- */

static void area_free(struct race *r, struct area *a)
{
    for (unsigned t = 0; t < TOUCHES; t++) {
        for (size_t i = 0; a->block[t] && i < a->n; i++) {
            if (a->block[t][i]) r->bytes -= sizeof(struct block);
            gpudbg_checks_free(r->checks, a->block[t][i]);
        }
        gpudbg_checks_free(r->checks, a->block[t]);
        a->block[t] = NULL;
    }
}

static void end(void *state)
{
    struct race *r = state;
    const uint32_t groups = r->machine->nwaves / r->machine->waves_per_group;
    for (uint32_t i = 0; i < groups; i++) {
        area_free(r, &r->group[i].local);
        gpudbg_checks_free(r->checks, r->group[i].syncs.of);
        gpudbg_checks_free(r->checks, r->group[i].local_syncs.of);
    }
    for (size_t i = 0; i < r->nglobal; i++) area_free(r, &r->global[i]);
    plain_loads_free(r->loads);
    gpudbg_checks_free(r->checks, r->group);
    gpudbg_checks_free(r->checks, r->global);
    gpudbg_checks_free(r->checks, r->place);
    gpudbg_checks_free(r->checks, r->barriers);
    gpudbg_checks_free(r->checks, r);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct race *r = gpudbg_checks_alloc(checks, 1, sizeof *r);
    const struct check_options *options = checks_options(checks);
    r->machine = m;
    r->checks = checks;
    r->report_equal = options->equal_stores;
    r->report_lanes = options->lanes_race;
    r->loads = plain_loads_new(m, checks);
    r->barriers = gpudbg_checks_alloc(checks, m->nwaves, sizeof *r->barriers);
    r->group = gpudbg_checks_alloc(checks, m->nwaves / m->waves_per_group, sizeof *r->group);
    r->nglobal = m->space[GPUDBG_GLOBAL].count;
    r->global = gpudbg_checks_alloc(checks, r->nglobal + 1, sizeof *r->global);
    return r;
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint64_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE, does = gpudbg_insn_does(insn);
    struct race *r = state;
    r->atomic = (does & both) == both;
    r->here = UINT32_MAX;
    r->when++;
    plain_loads_before(r->loads, w, insn, (uint32_t)r->when);
    if (!(does & GPUDBG_OP_END) || ++r->group[w->group].ended < w->machine->waves_per_group) return;
    area_free(r, &r->group[w->group].local);
    gpudbg_checks_free(r->checks, r->group[w->group].local_syncs.of);
    r->group[w->group].local_syncs = (struct syncs){NULL, 0, 0};
}

static void barrier(void *state, struct gpudbg_wave *w) { ((struct race *)state)->barriers[w->id]++; }

/* ---- Units ---- */

static struct area *area_of(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    if (a->space == GPUDBG_LOCAL) return &r->group[w->group].local;
    struct gpudbg_segment *const *all = r->machine->space[GPUDBG_GLOBAL].segment;
    for (size_t i = 0; i < r->nglobal; i++, r->latest = (r->latest + 1) % r->nglobal)
        if (all[r->latest] == a->segment) return &r->global[r->latest];
    return NULL;
}

/* The touchers of a unit, or NULL. */
static inline struct toucher *touchers(const struct area *area, enum touch t, uint64_t unit)
{
    struct block *b = area->block[t] ? area->block[t][unit / BLOCK] : NULL;
    return b ? b->by[unit % BLOCK] : NULL;
}

/* Makes room for them; NULL: no memory. */
static struct toucher *new_touchers(
    struct race *r, struct area *area, const struct gpudbg_segment *s, enum touch t, uint64_t unit)
{
    if (!area->block[t]) {
        area->n = (size_t)((s->size + UNIT * BLOCK - 1) / (UNIT * BLOCK));
        area->block[t] = gpudbg_checks_alloc(r->checks, area->n, sizeof(struct block *));
    }
    struct block **b = &area->block[t][unit / BLOCK];
    if (!*b && r->bytes + sizeof **b > BLOCKS_MOST) r->full = true;
    if (!*b && !r->full) {
        *b = gpudbg_checks_alloc(r->checks, 1, sizeof **b);
        r->bytes += sizeof **b;
    }
    return touchers(area, t, unit);
}

static uint32_t place_of(struct race *r, uint64_t pc)
{
    if (r->here != UINT32_MAX) return r->here;
    for (size_t i = r->nplaces; i-- > 0;)
        if (r->place[i] == pc) return r->here = (uint32_t)i;
    r->place = checks_grow(r->checks, r->place, r->nplaces, &r->places_room, sizeof *r->place);
    r->place[r->nplaces] = pc;
    return r->here = (uint32_t)r->nplaces++;
}

/* ---- Order ---- */

static struct syncs *syncs_of(struct race *r, uint32_t group, bool local)
{
    return local ? &r->group[group].local_syncs : &r->group[group].syncs;
}

static void keep_sync(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct syncs *s = syncs_of(r, w->group, a->space == GPUDBG_LOCAL);
    const struct sync *last = s->n ? &s->of[s->n - 1] : NULL;
    if (last && last->addr == a->addr && last->when == r->when) return;
    if (!s->of) s->of = gpudbg_checks_alloc(r->checks, SYNCS_MOST, sizeof *s->of);
    if (s->n == SYNCS_MOST) {
        s->n /= 2;
        s->gone += s->n;
        memmove(s->of, s->of + s->n, s->n * sizeof *s->of);
    }
    s->of[s->n++] = (struct sync){a->addr, r->when, w->id};
}

/* Whether atomics make an order: one of theirs after their access, and one of ours to the same word after that.  Of
 * waves of one group, those of the two waves count.  Where some are forgotten, they may. */
static bool synchronised(struct race *r, const struct gpudbg_wave *w, bool local, const struct toucher *by)
{
    const uint32_t group = (by->wave - 1) / r->machine->waves_per_group;
    const struct syncs *theirs = syncs_of(r, group, local), *ours = syncs_of(r, w->group, local);
    const bool one = group == w->group;
    if (theirs->gone + theirs->n == by->syncs || !ours->n) return false;
    if (by->syncs < theirs->gone || ours->gone) return true;
    for (uint32_t k = ours->n; k-- > 0;) {
        if (ours->of[k].when == r->when) continue; /* itself: it may come before theirs as well */
        for (uint32_t i = by->syncs - theirs->gone; i < theirs->n && theirs->of[i].when < ours->of[k].when; i++)
            if (theirs->of[i].addr == ours->of[k].addr &&
                (!one || (theirs->of[i].wave == by->wave - 1 && ours->of[k].wave == w->id)))
                return true;
    }
    return false;
}

/* ---- Reports ---- */

static void name_place(const struct gpudbg_access *a, uint64_t addr, char *buf, size_t size)
{
    if (a->space == GPUDBG_LOCAL)
        snprintf(buf, size, "local memory 0x%" PRIx64, addr);
    else
        text_put(buf, size, "%s+0x%" PRIx64, a->segment->name, addr - a->segment->base);
}

/* load: the report may wait until it is known what the value is used for; or NULL. */
static void add_report(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a,
    const struct plain_load *load, const char *message, const char *origin, const char *cause)
{
    const struct gpudbg_report report = {
        .pc = w->pc,
        .by = w->id + 1,
        .lanes = a->lane >= 0 && a->lane < 64 ? UINT64_C(1) << a->lane : 0,
        .message = message,
        .origin = origin,
        .cause = cause,
    };
    if (!load || !plain_loads_wait(r->loads, load, &report)) gpudbg_report(r->checks, &report);
}

/* The plain load of the two, where the other is atomic. */
static const struct plain_load *load_of(const struct race *r, const struct gpudbg_wave *w,
    const struct gpudbg_access *a, enum touch mine, const struct toucher *by, enum touch theirs,
    struct plain_load *load)
{
    *load = (struct plain_load){.wave = w->id, .insn = (uint32_t)r->when, .addr = a->addr, .size = a->size};
    if (mine == LOAD && theirs == ATOMIC) return load;
    load->wave = by->wave - 1;
    load->insn = by->insn;
    load->barriers = by->barriers;
    load->earlier = true;
    return mine == ATOMIC && theirs == LOAD && !by->same ? load : NULL;
}

static void report(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a, enum touch mine,
    const struct toucher *by, enum touch theirs)
{
    static const char *const does[] = {"stores to", "loads from", "updates"}, *const did[] = {
                                                                                  "stored to", "loaded", "updated"};
    const uint32_t other = by->wave - 1, group = other / r->machine->waves_per_group;
    const uint64_t pc = r->place[by->place];
    const enum touch past = by->same ? STORE : theirs;
    char message[240], origin[200], where[160], cause[80], place[80], who[40];
    name_place(a, a->addr, place, sizeof place);
    if (other == w->id)
        snprintf(who, sizeof who, "another lane");
    else
        snprintf(who, sizeof who, "wave %" PRIu32, other);
    if (other == w->id && by->insn == (uint32_t)r->when)
        snprintf(
            message, sizeof message, "lanes of wave %" PRIu32 " store different values to %s at once", w->id, place);
    else if (group == w->group)
        snprintf(message, sizeof message, "wave %" PRIu32 " %s %s, which %s %s since the last barrier", w->id,
            does[mine], place, who, did[past]);
    else
        snprintf(message, sizeof message,
            "wave %" PRIu32 " of group %" PRIu32 " %s %s, which wave %" PRIu32 " of group %" PRIu32 " %s", w->id,
            w->group, does[mine], place, other, group, did[past]);
    check_where(w->machine->image, pc, where, sizeof where);
    snprintf(origin, sizeof origin, "the other one was at %s", where);
    snprintf(cause, sizeof cause, "%d %d %d 0x%" PRIx64, (int)mine, (int)past, group == w->group, pc);
    struct plain_load load;
    add_report(r, w, a, load_of(r, w, a, mine, by, theirs, &load), message,
        other == w->id && by->insn == (uint32_t)r->when ? NULL : origin, cause);
}

/* ---- An access ---- */

static bool ordered(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a, enum touch mine,
    const struct toucher *by, enum touch theirs)
{
    if (by->wave == w->id + 1) {
        const bool apart = a->lane >= 0 && by->lane != NO_LANE && by->lane != a->lane;
        if (!apart || by->barriers != r->barriers[w->id]) return true;
        if (by->insn == (uint32_t)r->when) return mine != STORE || theirs != STORE;
        return !r->report_lanes;
    }
    const bool one_group = a->space == GPUDBG_LOCAL || (by->wave - 1) / r->machine->waves_per_group == w->group;
    if (one_group && by->barriers != r->barriers[w->id]) return true;
    return synchronised(r, w, a->space == GPUDBG_LOCAL, by);
}

/* Reports earlier accesses to the unit that are not ordered with this one. */
static void meet(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a, struct area *area,
    uint64_t unit, enum touch mine, uint8_t bytes)
{
    for (int t = 0; t < TOUCHES; t++) {
        struct toucher *by = (enum touch)t == mine && mine != STORE ? NULL : touchers(area, (enum touch)t, unit);
        for (int k = LAST; by && k < WAVES; k++) {
            if (!by[k].wave || !(by[k].bytes & bytes) || ordered(r, w, a, mine, &by[k], (enum touch)t)) continue;
            report(r, w, a, mine, &by[k], (enum touch)t);
            by[k].wave = 0; /* said once */
        }
    }
}

static void remember(const struct race *r, struct toucher *by, enum touch t)
{
    struct toucher *last = &by[LAST];
    const struct toucher *me = &r->now.me;
    uint8_t bytes = r->now.bytes, latest = bytes, lane = r->now.lane;
    bool keep = false;
    if (last->wave == me->wave && last->barriers == me->barriers) {
        bytes |= last->bytes;
        if (last->insn == me->insn) latest |= last->latest;
        if (last->lane != lane) lane = SEVERAL_LANES;
        keep = t == LOAD && r->loads && last->insn != me->insn && !last->same &&
               plain_loads_used(r->loads, me->wave - 1, last->insn);
    } else if (last->wave && last->wave != me->wave) {
        by[ONE_BEFORE] = *last;
    }
    if (!keep) *last = *me;
    last->bytes = bytes;
    last->latest = latest;
    last->lane = lane;
}

/* Whether the wave stored there before and changed the value: that access is kept. */
static bool stored(const struct toucher *by, const struct touching *now)
{
    for (int k = LAST; by && k < WAVES; k++)
        if (by[k].wave == now->me.wave && by[k].barriers == now->me.barriers && !(now->bytes & ~by[k].bytes))
            return true;
    return false;
}

/* Of the unit's bytes, a bit each, those of an access at `at`. */
static inline uint8_t bytes_of(uint64_t unit, uint64_t at, uint64_t size)
{
    const uint64_t from = unit * UNIT, to = from + UNIT, end = at + size;
    const unsigned before = at > from ? (unsigned)(at - from) : 0, behind = end < to ? (unsigned)(to - end) : 0;
    return (uint8_t)((0xf >> behind) & (0xf << before));
}

/* Whether another lane already loaded these bytes by this instruction; it was reported then. */
static inline bool loaded(const struct race *r, struct toucher *by)
{
    struct toucher *last = &by[LAST];
    const struct touching *now = &r->now;
    if (r->report_lanes || last->insn != now->me.insn || last->wave != now->me.wave || now->bytes & ~last->latest)
        return false;
    if (last->lane != now->lane) last->lane = SEVERAL_LANES;
    return true;
}

static void meet_access(struct race *r, struct gpudbg_wave *w, const struct gpudbg_access *a, struct area *area)
{
    const uint64_t at = a->addr - a->segment->base;
    const bool same = r->now.me.same, was_full = r->full;
    const enum touch mine = r->atomic ? ATOMIC : a->write && !same ? STORE : LOAD;
    r->now.lane = a->lane >= 0 && a->lane < SEVERAL_LANES ? (uint8_t)a->lane : NO_LANE;
    for (uint64_t unit = at / UNIT; unit <= (at + a->size - 1) / UNIT; unit++) {
        struct toucher *by = touchers(area, mine, unit);
        r->now.bytes = bytes_of(unit, at, a->size);
        if (mine == LOAD && !same && by && loaded(r, by)) continue;
        if (!same) meet(r, w, a, area, unit, mine, r->now.bytes);
        if (same && stored(touchers(area, STORE, unit), &r->now)) continue;
        if (!by) by = new_touchers(r, area, a->segment, mine, unit);
        if (by) remember(r, by, mine);
    }
    if (!r->full || was_full) return;
    add_report(r, w, a, NULL,
        "more memory is used than is watched for races: from here on only what was used before is", NULL, NULL);
}

/* Begins the accesses of an instruction. */
static void touches(struct race *r, const struct gpudbg_wave *w, bool local, bool same)
{
    const struct syncs *syncs = syncs_of(r, w->group, local);
    r->now.me = (struct toucher){
        .wave = w->id + 1,
        .barriers = r->barriers[w->id],
        .syncs = syncs->gone + syncs->n, /* before this one */
        .insn = (uint32_t)r->when,
        .place = place_of(r, w->pc),
        .same = same,
    };
}

static bool stores_same(const struct race *r, const struct gpudbg_access *a)
{
    const uint8_t *old = a->segment->bytes + (a->addr - a->segment->base);
    return a->write && !r->atomic && !r->report_equal && !memcmp(old, a->bytes, a->size);
}

static void access(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct race *r = state;
    const bool shared = !(a->segment->flags & GPUDBG_SEG_PRIVATE), local = a->space == GPUDBG_LOCAL;
    if (a->size) plain_loads_access(r->loads, w, a, r->barriers[w->id], shared);
    struct area *area = a->size && shared ? area_of(r, w, a) : NULL;
    if (!area) return;
    touches(r, w, local, stores_same(r, a));
    if (r->atomic) keep_sync(r, w, a);
    meet_access(r, w, a, area);
}

static void accesses(void *state, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct race *r = state;
    const bool one_by_one = all->write || r->atomic || r->loads || r->report_lanes ||
                            all->segment->flags & GPUDBG_SEG_PRIVATE;
    struct area *area = NULL;
    for (uint64_t m = all->lanes; m && all->size; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint64_t at = all->offset[lane], unit = at / UNIT;
        struct toucher *by = area && unit == (at + all->size - 1) / UNIT ? touchers(area, LOAD, unit) : NULL;
        r->now.lane = (uint8_t)lane;
        r->now.bytes = bytes_of(unit, at, all->size);
        if (by && loaded(r, by)) continue;
        const struct gpudbg_access a = gpudbg_access_of(all, lane);
        if (one_by_one) {
            access(r, w, &a);
            continue;
        }
        if (!area) {
            if (!(area = area_of(r, w, &a))) return;
            touches(r, w, all->space == GPUDBG_LOCAL, false);
        }
        meet_access(r, w, &a, area);
    }
}

const struct gpudbg_checker check_race = {
    .kind = "race",
    .summary = "memory that groups, waves or lanes use in no order, one of them writing",
    .start = begin,
    .stop = end,
    .before = before,
    .access = access,
    .accesses = accesses,
    .barrier = barrier,
    .apart = true,
};
