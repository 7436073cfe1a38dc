/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_race.c: waves that touch the same bytes of memory, one of them writing, with nothing that puts the accesses in
 * an order.  Whichever comes first on the hardware decides the result; here the schedule does, so a run looks right
 * that is not.
 *
 * clocks.h knows what comes before what: barriers, and words that one wave stores or updates and another loads, with
 * the fences that the chip's memory model asks for.  Accesses that are atomic do not race with each other.  Code does
 * not always say which are: an atomic store is a plain one, and inside a group an atomic load is, too.  So
 *     - a coherent load does not race with a store, nor does one in a function of OpenCL's that loads atomically;
 *     - a plain load does not where it is in a loop that waits for it (spins.h), and others' stores reach it there;
 *     - a store does not race with other waves' atomics where the wave has just used the word atomically itself: it
 *       frees a lock;
 *     - a plain load of what others update atomically may begin a loop around a compare and exchange: plain_loads.h.
 *
 * A store that leaves the bytes as they are does what a load does: no order makes another result.  So stores of equal
 * values are silent, by lanes, waves and groups, unless `set equal-stores on`.
 *
 * Lanes of one wave race where one instruction stores different values to the same bytes.  Their instructions are in
 * order: compilers leave out barriers of groups that are one wave, and sub-group barriers.  What needs one by OpenCL's
 * rules is reported with `set lanes-race on`.
 */
#include <stdlib.h>
#include <string.h>
#include "check/race.h"
#include "code/walk.h"
#include "machine/row.h"

#define NOWHERE UINT32_MAX
#define NEAR_BITS 8 /* of the table of places, at first */

/* ---- From start to end ---- */

static void end(void *state)
{
    struct race *r = state;
    const uint32_t groups = r->machine->nwaves / r->machine->waves_per_group;
    for (uint32_t i = 0; i < groups; i++) race_group_ends(r, &r->group[i]);
    gpudbg_checks_free(r->checks, r->spare);
    for (size_t i = 0; i < r->nglobal; i++) area_free(r->traces, &r->global[i]);
    plain_loads_free(r->loads);
    locks_free(r->locks);
    clocks_free(r->clocks);
    traces_free(r->traces);
    gpudbg_checks_free(r->checks, r->group);
    gpudbg_checks_free(r->checks, r->global);
    gpudbg_checks_free(r->checks, r->place);
    gpudbg_checks_free(r->checks, r->near);
    gpudbg_checks_free(r->checks, r->numbered);
    gpudbg_checks_free(r->checks, r->load);
    gpudbg_checks_free(r->checks, r->unused);
    gpudbg_checks_free(r->checks, r);
}

/* The register that receives what an instruction loads; NULL: the program does not get it. */
static const struct gpudbg_operand *returns(const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_WRITE && insn->isa->files[o->file].indexed) return o;
    }
    return NULL;
}

static void look_up(const struct gpudbg_insn *insn, struct place *p)
{
    const uint64_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE, does = gpudbg_insn_does(insn);
    *p = (struct place){.pc = insn->addr, .atomic = (does & both) == both};
    const struct gpudbg_operand *value = p->atomic ? returns(insn) : NULL;
    p->returns = value;
    p->locks = p->returns && does & (GPUDBG_OP_COMPARE | GPUDBG_OP_COPY);
    if (value && !p->locks && value->index < 0) {
        p->later = true;
        p->file = value->file;
        p->reg = value->reg;
        p->count = value->count ? value->count : 1u;
    }
    if (insn->isa->ordering) insn->isa->ordering->order(insn, &p->order);
    /* A load that is atomic by its code, or by the function that it is in. */
    p->sees = p->order.coherent;
    p->orders = p->order.done[0] || p->order.done[1] || p->order.fresh;
}

/* Whether the code has atomics that compare, and loads or atomics by which waves may learn what others did. */
static void survey(const struct gpudbg_image *image, bool *compares, bool *learns, bool *later)
{
    struct code_walk walk;
    struct gpudbg_insn insn;
    struct place p;
    code_walk_open(&walk, image, 0, UINT64_MAX);
    while (!(*compares && *learns && *later) && code_walk_next(&walk, &insn)) {
        if (!walk.is_insn || !(gpudbg_insn_does(&insn) & GPUDBG_OP_LOAD)) continue;
        look_up(&insn, &p);
        *compares |= (gpudbg_insn_does(&insn) & GPUDBG_OP_COMPARE) != 0;
        *learns |= p.returns || p.sees;
        *later |= p.later;
    }
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct race *r = gpudbg_checks_alloc(checks, 1, sizeof *r);
    const struct check_options *options = checks_options(checks);
    bool compares = false, learns = false, later = false;
    survey(m->image, &compares, &learns, &later);
    r->machine = m;
    r->checks = checks;
    r->here = NOWHERE;
    r->settle = race_settle;
    checks_hear_dwords(checks);
    r->report_equal = options->equal_stores;
    r->report_lanes = options->lanes_race;
    r->loads = compares ? plain_loads_new(m, checks) : NULL;
    r->clocks = clocks_new(m, checks, learns);
    r->locks = locks_new(m, checks);
    r->traces = traces_new(checks);
    r->group = gpudbg_checks_alloc(checks, m->nwaves / m->waves_per_group, sizeof *r->group);
    r->nglobal = m->space[GPUDBG_GLOBAL].count;
    r->global = gpudbg_checks_alloc(checks, r->nglobal + 1, sizeof *r->global);
    r->near_bits = NEAR_BITS;
    r->near = gpudbg_checks_alloc(checks, (size_t)1 << r->near_bits, sizeof *r->near);
    r->numbers = gpudbg_checks_numbers(checks);
    r->numbered = gpudbg_checks_alloc(checks, (size_t)r->numbers + 1, sizeof *r->numbered);
    r->load = gpudbg_checks_alloc(checks, m->nwaves, sizeof *r->load);
    r->unused = later ? gpudbg_checks_alloc(checks, m->nwaves, sizeof *r->unused) : NULL;
    return r;
}

/* ---- Instructions ---- */

/* Whether the code at pc is in one of OpenCL's functions that load or store atomically: compilers leave them as
 * functions where they do not optimise, and inside a group their accesses are plain ones. */
static bool named_atomic(const struct gpudbg_image *image, uint64_t pc)
{
    static const char *const names[] = {"atomic_load", "atomic_load_explicit", "atomic_store", "atomic_store_explicit"};
    const struct gpudbg_symbol *s = gpudbg_image_symbol_at(image, pc);
    if (!s || !s->name || strncmp(s->name, "_Z", 2) != 0) return false;
    char *name;
    const unsigned long n = strtoul(s->name + 2, &name, 10); /* the name's length comes before it */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (n == strlen(names[i]) && strncmp(name, names[i], n) == 0) return true;
    return false;
}

/* Where the table of places has the one at pc, or will have it. */
static uint32_t *near_slot(const struct race *r, uint64_t pc)
{
    const uint32_t mask = (UINT32_C(1) << r->near_bits) - 1;
    uint32_t i = ((uint32_t)(pc >> 2) * UINT32_C(2654435769)) >> (32 - r->near_bits);
    while (r->near[i] && r->place[r->near[i] - 1].pc != pc) i = (i + 1) & mask;
    return &r->near[i];
}

static void grow_near(struct race *r)
{
    gpudbg_checks_free(r->checks, r->near);
    r->near = gpudbg_checks_alloc(r->checks, (size_t)1 << ++r->near_bits, sizeof *r->near);
    for (uint32_t i = 0; i < r->nplaces; i++) *near_slot(r, r->place[i].pc) = i + 1;
}

/* insn: NULL, if its flags do not say that it accesses memory (an operand is in a buffer of constants). */
static uint32_t place_of(struct race *r, uint64_t pc, const struct gpudbg_insn *insn)
{
    const uint32_t known = *near_slot(r, pc), i = (uint32_t)r->nplaces;
    if (known) return known - 1;
    if (2 * (i + 1) > UINT32_C(1) << r->near_bits) grow_near(r);
    r->place = checks_grow(r->checks, r->place, r->nplaces, &r->places_room, sizeof *r->place);
    *near_slot(r, pc) = i + 1;
    struct place *new = &r->place[r->nplaces++];
    if (insn)
        look_up(insn, new);
    else
        *new = (struct place){.pc = pc, .unsaid = true};
    if (!new->atomic && !new->sees && named_atomic(r->machine->image, pc)) new->sees = GPUDBG_SCOPE_GROUP;
    return i;
}

/* The same of an instruction that was told.  Its number follows from its address, and so does its place. */
static uint32_t place_told(struct race *r, const struct gpudbg_insn *insn)
{
    const uint32_t number = gpudbg_checks_number(r->checks);
    if (number >= r->numbers) return place_of(r, insn->addr, insn);
    if (!r->numbered[number]) r->numbered[number] = place_of(r, insn->addr, insn) + 1;
    return r->numbered[number] - 1;
}

/* The place of an access.  For instructions whose flags do not say that they access memory, `before` was not called. */
static struct place *place_now(struct race *r, const struct gpudbg_wave *w)
{
    if (r->here == NOWHERE || r->place[r->here].pc != w->pc || r->place[r->here].unsaid) {
        r->here = place_of(r, w->pc, NULL);
        r->time = clocks_tick(r->clocks, w, true);
    }
    return &r->place[r->here];
}

#define HEEDED (GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_WAIT | GPUDBG_OP_ORDER | GPUDBG_OP_END)

/* An instruction reads the value that an atomic returned, or overwrites it unread.  An unread value tells the program
 * nothing about the order of the atomics, which may differ in another run. */
static void use(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const struct place *p = &r->place[r->unused[w->id] - 1];
    bool reads = false, writes = false;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const unsigned n = o->count ? o->count : 1u;
        if (o->kind != GPUDBG_REGISTER || o->file != p->file) continue;
        if (o->index < 0 && (o->reg >= p->reg + p->count || p->reg >= o->reg + n)) continue;
        reads |= o->flags & GPUDBG_READ;
        writes |= o->flags & GPUDBG_WRITE;
    }
    if (!reads && !writes && !(gpudbg_insn_does(insn) & GPUDBG_OP_END)) return;
    r->unused[w->id] = 0;
    clocks_used(r->clocks, w, reads);
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint64_t does = gpudbg_insn_does(insn), memory = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    struct race *r = state;
    r->here = NOWHERE;
    if (clocks_go_on(r->clocks, w)) race_comes_from_barrier(r, w);
    if (r->unused && r->unused[w->id]) use(r, w, insn);
    if (does & memory) r->time = clocks_tick(r->clocks, w, does & GPUDBG_OP_STORE);
    if (r->loads) plain_loads_before(r->loads, w, insn, r->time);
    if (!(does & HEEDED)) return;
    r->here = place_told(r, insn);
    const struct place *p = &r->place[r->here];
    if (p->order.counted) clocks_counted(r->clocks, w, p->order.counted);
    if (p->orders) clocks_order(r->clocks, w, &p->order);
    if (!(does & GPUDBG_OP_END) || ++r->group[w->group].ended < w->machine->waves_per_group) return;
    race_group_ends(r, &r->group[w->group]);
    clocks_group_ends(r->clocks, w->group);
}

static bool heeds(void *state, const struct gpudbg_insn *insn)
{
    const struct race *r = state;
    return r->loads || r->unused || gpudbg_insn_does(insn) & HEEDED;
}

static void barrier(void *state, struct gpudbg_wave *w) { clocks_arrive(((struct race *)state)->clocks, w); }

/* ---- An access ---- */

static struct area *area_of(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_segment *s, unsigned space)
{
    if (space == GPUDBG_LOCAL) return &r->group[w->group].local;
    struct gpudbg_segment *const *all = r->machine->space[GPUDBG_GLOBAL].segment;
    for (size_t i = 0; i < r->nglobal; i++, r->latest = (r->latest + 1) % r->nglobal)
        if (all[r->latest] == s) return &r->global[r->latest];
    return NULL;
}

/* A load that a wave repeats, touching nothing else that others see in between, is in a loop that waits.  A load of
 * several dwords, one after another, touches others. */
static void repeats(struct race *r, const struct gpudbg_wave *w, bool write, uint64_t addr, bool several)
{
    struct latest_load *l = &r->load[w->id];
    struct place *p = &r->place[r->here];
    if (!write && !several && l->place == r->here + 1 && l->addr == addr && !p->atomic) p->asked = p->spins = true;
    *l = (struct latest_load){addr, write ? 0 : r->here + 1};
}

static struct meeting meeting_of(
    const struct race *r, const struct gpudbg_wave *w, struct gpudbg_segment *s, unsigned space, bool write)
{
    return (struct meeting){.segment = s,
        .local = space == GPUDBG_LOCAL,
        .epoch = clocks_epoch(r->clocks, w->id),
        .me = {.time = r->time, .wave = w->id, .place = r->here, .kind = write ? TRACE_STORE : TRACE_LOAD}};
}

static void access(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct race *r = state;
    uint32_t barrier;
    struct place *p = place_now(r, w);
    const bool shared = !(a->segment->flags & GPUDBG_SEG_PRIVATE);
    if (a->size && r->loads) plain_loads_access(r->loads, w, a, clocks_barriers(r->clocks, w->id, &barrier), shared);
    if (!a->size || !shared || (!a->write && a->segment->flags & GPUDBG_SEG_READONLY)) return;
    struct area *area = area_of(r, w, a->segment, a->space);
    if (!area) return;
    if (p->atomic && !a->write && !p->returns) return; /* the program does not get what it reads */
    if (a->space == GPUDBG_LOCAL) race_wait_ends(r, w, a->write || p->atomic);
    if (a->write) p->shares = true;
    if (a->write) clocks_stored(r->clocks, w);
    if (a->lane <= 0 || !(r->machine->isa->run->active(w) & ((UINT64_C(1) << (a->lane & 63)) - 1)))
        repeats(r, w, a->write, a->addr, false);
    struct meeting m = meeting_of(r, w, a->segment, a->space, a->write);
    if (p->atomic || p->sees) {
        m.near = !p->atomic && p->sees < GPUDBG_SCOPE_AGENT && !a->write;
        const uint64_t at = a->addr - a->segment->base;
        const bool changes = a->write && memcmp(a->segment->bytes + at, a->bytes, (size_t)a->size);
        race_meet_words(r, w, a, area, changes, NULL);
        if (!changes && !m.near) return;
        m.me.kind = m.near ? TRACE_LOAD : TRACE_UPDATE;
    } else {
        if (locks_held(r->locks, w->id)) race_under_lock(r, w, a);
        m.me.same = race_stores_same(r, a);
        if (m.me.same)
            m.me.kind = TRACE_LOAD;
        else if (a->write && race_owns(r, w, a, area))
            m.me.kind = TRACE_OWNER;
    }
    m.me.lane = a->lane >= 0 && a->lane < SEVERAL_LANES ? (uint8_t)a->lane : NO_LANE;
    m.one = a;
    race_touch_range(r, w, area, &m, a->addr - a->segment->base, a->size);
}

static void accesses(void *, struct gpudbg_wave *, const struct gpudbg_accesses *);

struct telling {
    struct race *race;
    struct gpudbg_wave *wave;
};

static bool dwords(void *with, const struct gpudbg_accesses *all)
{
    const struct telling *t = with;
    accesses(t->race, t->wave, all);
    return true;
}

static void accesses(void *state, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct race *r = state;
    struct place *p = place_now(r, w);
    const bool shared = !(all->segment->flags & GPUDBG_SEG_PRIVATE);
    if (!r->loads && (!shared || (!all->write && all->segment->flags & GPUDBG_SEG_READONLY))) return;
    const bool words = p->sees || (!p->atomic && locks_held(r->locks, w->id));
    if (p->atomic && !all->write && !p->returns && !r->loads) return; /* the program does not get what it reads */
    const bool apart = all->row & ROW_DWORDS;
    if (apart &&
        (words || r->loads || r->report_lanes ||
            (all->write && (clocks_any(r->clocks, w, all->space == GPUDBG_LOCAL) || !race_stores_alike(r, all))))) {
        row_each_dword(all, dwords, &(struct telling){r, w});
        return;
    }
    if (words || r->loads || r->report_lanes || all->size > 16 || !all->size) {
        for (uint64_t m = all->lanes; m; m &= m - 1) {
            const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
            access(r, w, &a);
        }
        return;
    }
    const bool local = all->space == GPUDBG_LOCAL;
    const uint64_t last = all->segment->base + all->offset[__builtin_ctzll(all->lanes)] + (apart ? all->size - 4 : 0);
    if (local && !all->write && !p->atomic && race_load_waits(r, w, all)) {
        repeats(r, w, false, last, apart);
        return;
    }
    struct area *area = area_of(r, w, all->segment, all->space);
    if (!area) return;
    if (all->write) p->shares = true;
    if (all->write) clocks_stored(r->clocks, w);
    repeats(r, w, all->write, last, apart);
    if (local) {
        if (p->atomic && race_update_waits(r, w, all)) return;
        race_wait_ends(r, w, all->write || p->atomic);
    }
    struct meeting m = meeting_of(r, w, all->segment, all->space, all->write);
    m.me.lane = SEVERAL_LANES;
    m.all = all;
    if (p->atomic) {
        race_updates(r, w, all, area, &m);
        return;
    }
    uint64_t left = 0;
    if (all->write)
        left = race_stores(r, w, all, area, &m);
    else
        race_loads(r, w, all, area, &m);
    for (; left; left &= left - 1) {
        const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(left));
        access(r, w, &a);
    }
}

const struct gpudbg_checker check_race = {
    .kind = "race",
    .summary = "memory that groups, waves or lanes use in no order, one of them writing",
    .start = begin,
    .stop = end,
    .before = before,
    .heeds = heeds,
    .access = access,
    .accesses = accesses,
    .barrier = barrier,
    .apart = true,
};
