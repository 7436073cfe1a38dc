/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_race.c: waves that touch the same bytes of memory, one of them writing, with nothing that puts the accesses in
 * an order.  Whichever comes first on the hardware decides the result; here the schedule does, so a run looks right
 * that is not.
 *
 * clocks.h knows what comes before what: barriers, and words that one wave stores or updates and another loads, with
 * the fences that the chip's memory model asks for.  Accesses that are atomic do not race with each other.  Code does
 * not always say which are: an atomic store is a plain one, and inside a group an atomic load is, too.  So
 *     - a coherent load does not race with a store;
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
#include <string.h>
#include "check/race.h"
#include "code/walk.h"

#define NOWHERE UINT32_MAX
#define PLACES_NEAR 256 /* places that are found without a search: a power of two */

/* ---- From start to end ---- */

static void end(void *state)
{
    struct race *r = state;
    const uint32_t groups = r->machine->nwaves / r->machine->waves_per_group;
    for (uint32_t i = 0; i < groups; i++) area_free(r->traces, &r->group[i].local);
    for (size_t i = 0; i < r->nglobal; i++) area_free(r->traces, &r->global[i]);
    plain_loads_free(r->loads);
    clocks_free(r->clocks);
    traces_free(r->traces);
    gpudbg_checks_free(r->checks, r->group);
    gpudbg_checks_free(r->checks, r->global);
    gpudbg_checks_free(r->checks, r->place);
    gpudbg_checks_free(r->checks, r->near);
    gpudbg_checks_free(r->checks, r->load);
    gpudbg_checks_free(r->checks, r);
}

/* Whether an instruction gives the program a value. */
static bool returns(const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_WRITE && insn->isa->files[o->file].indexed) return true;
    }
    return false;
}

static void look_up(const struct gpudbg_insn *insn, struct place *p)
{
    const uint64_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE, does = gpudbg_insn_does(insn);
    *p = (struct place){.pc = insn->addr, .atomic = (does & both) == both};
    p->returns = p->atomic && returns(insn);
    p->locks = p->returns && does & (GPUDBG_OP_COMPARE | GPUDBG_OP_COPY);
    if (insn->isa->ordering) insn->isa->ordering->order(insn, &p->order);
    p->orders = p->order.done[0] || p->order.done[1] || p->order.fresh;
}

/* Whether the code has atomics that compare, and loads or atomics by which waves may learn what others did. */
static void survey(const struct gpudbg_image *image, bool *compares, bool *learns)
{
    struct code_walk walk;
    struct gpudbg_insn insn;
    struct place p;
    code_walk_open(&walk, image, 0, UINT64_MAX);
    while (!(*compares && *learns) && code_walk_next(&walk, &insn)) {
        if (!walk.is_insn || !(gpudbg_insn_does(&insn) & GPUDBG_OP_LOAD)) continue;
        look_up(&insn, &p);
        *compares |= (gpudbg_insn_does(&insn) & GPUDBG_OP_COMPARE) != 0;
        *learns |= p.returns || p.order.coherent;
    }
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct race *r = gpudbg_checks_alloc(checks, 1, sizeof *r);
    const struct check_options *options = checks_options(checks);
    bool compares = false, learns = false;
    survey(m->image, &compares, &learns);
    r->machine = m;
    r->checks = checks;
    r->report_equal = options->equal_stores;
    r->report_lanes = options->lanes_race;
    r->loads = compares ? plain_loads_new(m, checks) : NULL;
    r->clocks = clocks_new(m, checks, learns);
    r->traces = traces_new(checks);
    r->group = gpudbg_checks_alloc(checks, m->nwaves / m->waves_per_group, sizeof *r->group);
    r->nglobal = m->space[GPUDBG_GLOBAL].count;
    r->global = gpudbg_checks_alloc(checks, r->nglobal + 1, sizeof *r->global);
    r->near = gpudbg_checks_alloc(checks, PLACES_NEAR, sizeof *r->near);
    r->load = gpudbg_checks_alloc(checks, m->nwaves, sizeof *r->load);
    return r;
}

/* ---- Instructions ---- */

/* insn: NULL, if its flags do not say that it accesses memory (an operand is in a buffer of constants). */
static uint32_t place_of(struct race *r, uint64_t pc, const struct gpudbg_insn *insn)
{
    uint32_t *near = &r->near[pc >> 2 & (PLACES_NEAR - 1)];
    if (*near && r->place[*near - 1].pc == pc) return *near - 1;
    uint32_t i = 0;
    while (i < r->nplaces && r->place[i].pc != pc) i++;
    if (i == r->nplaces) {
        r->place = checks_grow(r->checks, r->place, r->nplaces, &r->places_room, sizeof *r->place);
        struct place *new = &r->place[r->nplaces++];
        if (insn)
            look_up(insn, new);
        else
            *new = (struct place){.pc = pc};
    }
    *near = i + 1;
    return i;
}

/* The place of an access. */
static struct place *place_now(struct race *r, const struct gpudbg_wave *w)
{
    if (r->here == NOWHERE) {
        r->here = place_of(r, w->pc, NULL);
        r->time = clocks_tick(r->clocks, w, true);
    }
    return &r->place[r->here];
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint64_t does = gpudbg_insn_does(insn), memory = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    struct race *r = state;
    r->here = NOWHERE;
    clocks_go_on(r->clocks, w);
    if (does & memory) r->time = clocks_tick(r->clocks, w, does & GPUDBG_OP_STORE);
    if (r->loads) plain_loads_before(r->loads, w, insn, r->time);
    if (!(does & (memory | GPUDBG_OP_WAIT | GPUDBG_OP_ORDER | GPUDBG_OP_END))) return;
    r->here = place_of(r, insn->addr, insn);
    const struct place *p = &r->place[r->here];
    if (p->orders) clocks_order(r->clocks, w, &p->order);
    if (!(does & GPUDBG_OP_END) || ++r->group[w->group].ended < w->machine->waves_per_group) return;
    area_free(r->traces, &r->group[w->group].local);
    clocks_group_ends(r->clocks, w->group);
}

static void barrier(void *state, struct gpudbg_wave *w) { clocks_arrive(((struct race *)state)->clocks, w); }

/* ---- Order ---- */

static bool shares(void *with, uint64_t pc)
{
    const struct race *r = with;
    for (uint32_t i = 0; i < r->nplaces; i++)
        if (r->place[i].pc == pc) return r->place[i].shares;
    return false;
}

/* Whether the load at a place is in a loop that waits, and comes to see what another wave stores. */
static bool waits_for(struct race *r, uint32_t place, uint32_t wave, uint32_t other)
{
    const uint32_t n = r->machine->waves_per_group;
    const struct gpudbg_ordering *model = r->machine->isa->ordering;
    const unsigned scope = wave / n == other / n ? GPUDBG_SCOPE_GROUP : GPUDBG_SCOPE_AGENT;
    struct place *p = &r->place[place];
    if (!p->asked) p->spins = spins(r->machine->image, p->pc, shares, r);
    p->asked = true;
    return p->spins && (!model || model->repeats >= scope);
}

/* The latest store to a word of the line. */
static struct clocks_store latest_store(struct line *l, uint64_t bytes)
{
    struct clocks_store s = {0, 0, 0};
    for (unsigned i = 0; l && i < l->n; i++) {
        const struct trace *t = &line_traces(l)[i];
        const bool stored = t->kind == TRACE_STORE || t->kind == TRACE_OWNER || t->same;
        if (stored && t->bytes & bytes && t->time >= s.time) s = (struct clocks_store){t->wave + 1, t->time, t->place};
    }
    return s;
}

static struct clocks_word word_of(const struct race *r, const struct gpudbg_access *a, struct line *l, uint64_t bytes)
{
    return (struct clocks_word){.segment = a->segment,
        .addr = a->addr,
        .local = a->space == GPUDBG_LOCAL,
        .time = r->time,
        .place = r->here,
        .store = latest_store(l, bytes)};
}

static void meet_word(struct race *r, struct gpudbg_wave *w, const struct gpudbg_access *a, const struct clocks_word *x)
{
    if (!clocks_meet(r->clocks, w, x))
        race_note(r, w, a, "more words are used atomically than are watched: from here on race reports nothing");
}

/* Which kinds race with which, where nothing orders them. */
static const uint8_t conflicts[] = {
    [TRACE_STORE] = 1 << TRACE_STORE | 1 << TRACE_OWNER | 1 << TRACE_LOAD | 1 << TRACE_UPDATE,
    [TRACE_OWNER] = 1 << TRACE_LOAD, /* it has seen the latest store there */
    [TRACE_LOAD] = 1 << TRACE_STORE | 1 << TRACE_OWNER | 1 << TRACE_UPDATE,
    [TRACE_UPDATE] = 1 << TRACE_STORE | 1 << TRACE_LOAD,
};

/* Of one wave: the accesses of two lanes, or of one. */
static bool ordered_in_wave(const struct race *r, const struct trace *me, const struct trace *by)
{
    uint32_t barrier;
    const bool apart = me->lane < SEVERAL_LANES && by->lane != NO_LANE && by->lane != me->lane;
    if (!apart) return true;
    if (by->time == me->time) return me->kind != TRACE_STORE || by->kind != TRACE_STORE;
    clocks_barriers(r->clocks, me->wave, &barrier);
    return !r->report_lanes || by->time <= barrier;
}

static bool ordered(struct race *r, const struct gpudbg_wave *w, const struct meeting *m, const struct trace *by)
{
    if (by->wave == w->id) return ordered_in_wave(r, &m->me, by);
    if (clocks_before(r->clocks, w, m->local, by->wave, by->time)) return true;
    /* A wave that waits in a loop goes on when it loads the value that it waits for.  A store that it has not loaded
     * yet is no race. */
    if (by->kind == TRACE_LOAD && !by->same && m->me.kind != TRACE_LOAD)
        return waits_for(r, by->place, by->wave, w->id);
    return false;
}

/* A plain load of a loop meets a store of another wave: it acquires, and counts as atomic. */
static bool acquires(struct race *r, struct gpudbg_wave *w, const struct meeting *m, const struct trace *by)
{
    if (m->me.kind != TRACE_LOAD || m->me.same || by->wave == w->id) return false;
    if (by->kind == TRACE_UPDATE && by->wave / r->machine->waves_per_group != w->group) return false;
    const bool sees = waits_for(r, r->here, w->id, by->wave);
    if (!r->place[r->here].spins) return false;
    struct gpudbg_access a = {
        .segment = m->segment, .addr = m->segment->base + m->at + first_byte(m->me.bytes & by->bytes)};
    a.space = m->local ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
    struct clocks_word x = word_of(r, &a, m->line, m->me.bytes & by->bytes);
    x.reads = sees;
    x.blind = !sees;
    meet_word(r, w, &a, &x);
    return sees;
}

/* Compares with what others did to the bytes.  false: the access is atomic after all, and leaves no trace. */
static bool meet(struct race *r, struct gpudbg_wave *w, const struct meeting *m)
{
    bool traced = true;
    for (unsigned i = 0; i < m->line->n; i++) {
        struct trace *by = &line_traces(m->line)[i];
        if (!(by->bytes & m->me.bytes)) continue;
        if (by->wave == w->id && !r->report_lanes && by->time != m->me.time) continue;
        if (conflicts[m->me.kind] >> by->kind & 1 && !ordered(r, w, m, by)) {
            if (acquires(r, w, m, by)) {
                traced = false;
                continue;
            }
            const struct trace was = *by;
            by->bytes &= ~m->me.bytes; /* said once */
            race_report(r, w, m, &was);
        } else if (m->me.kind == TRACE_STORE && by->wave != w->id) {
            by->bytes &= ~m->me.bytes; /* what comes after this store comes after that, too */
        }
    }
    return traced;
}

static bool keeps(void *with, const struct trace *t)
{
    const struct race *r = with;
    return t->kind == TRACE_LOAD && !t->same && plain_loads_used(r->loads, t->wave, t->time);
}

/* ---- An access ---- */

static struct area *area_of(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_segment *s, unsigned space)
{
    if (space == GPUDBG_LOCAL) return &r->group[w->group].local;
    struct gpudbg_segment *const *all = r->machine->space[GPUDBG_GLOBAL].segment;
    for (size_t i = 0; i < r->nglobal; i++, r->latest = (r->latest + 1) % r->nglobal)
        if (all[r->latest] == s) return &r->global[r->latest];
    return NULL;
}

/* Whether the wave itself has changed these bytes since its last barrier: then the trace of that change is reported. */
static bool stored(const struct race *r, struct line *l, const struct trace *me)
{
    uint32_t barrier;
    clocks_barriers(r->clocks, me->wave, &barrier);
    for (unsigned i = 0; i < l->n; i++) {
        const struct trace *t = &line_traces(l)[i];
        if (t->wave == me->wave && t->kind == TRACE_STORE && t->time > barrier && !(me->bytes & ~t->bytes)) return true;
    }
    return false;
}

/* The bytes of one line. */
static void touch(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m)
{
    const bool was_full = traces_full(r->traces);
    if (!m->me.bytes) return;
    m->line = area_make(r->traces, area, m->segment, m->at);
    if (m->line && (m->me.same ? !stored(r, m->line, &m->me) : meet(r, w, m)))
        line_add(r->traces, m->line, &m->me, r->loads ? keeps : NULL, r);
    if (traces_full(r->traces) && !was_full) {
        const struct gpudbg_access a = {.lane = -1};
        race_note(r, w, &a, "more memory is used than is watched for races: from here on only what was used before is");
    }
}

/* A load that a wave repeats, touching nothing else that others see in between, is in a loop that waits. */
static void repeats(struct race *r, const struct gpudbg_wave *w, bool write, uint64_t addr)
{
    struct latest_load *l = &r->load[w->id];
    struct place *p = &r->place[r->here];
    if (!write && l->place == r->here + 1 && l->addr == addr && !p->atomic) p->asked = p->spins = true;
    *l = (struct latest_load){addr, write ? 0 : r->here + 1};
}

static bool stores_same(const struct race *r, const struct gpudbg_access *a)
{
    return a->write && !r->report_equal &&
           !memcmp(a->segment->bytes + (a->addr - a->segment->base), a->bytes, (size_t)a->size);
}

static struct meeting meeting_of(
    const struct race *r, const struct gpudbg_wave *w, struct gpudbg_segment *s, unsigned space, bool write)
{
    return (struct meeting){.segment = s,
        .local = space == GPUDBG_LOCAL,
        .me = {.time = r->time, .wave = w->id, .place = r->here, .kind = write ? TRACE_STORE : TRACE_LOAD}};
}

/* The words of an atomic, or of a coherent load.  Returns whether the access leaves traces. */
static bool meet_words(struct race *r, struct gpudbg_wave *w, const struct gpudbg_access *a, struct area *area)
{
    const struct place *p = &r->place[r->here];
    const uint64_t at = a->addr - a->segment->base, bits = a->size < 8 ? (UINT64_C(1) << a->size) - 1 : 0xff;
    struct line *l = area_line(area, at);
    struct clocks_word x = word_of(r, a, l, bits << at % LINE);
    const bool changes = a->write && memcmp(a->segment->bytes + at, a->bytes, (size_t)a->size);
    x.reads = !a->write && (p->returns || !p->atomic);
    x.publishes = a->write;
    x.locks = p->locks;
    x.changes = changes;
    x.known = !x.publishes && !p->atomic && !x.store.wave;
    if (x.publishes || x.reads) meet_word(r, w, a, &x);
    return changes;
}

/* A store to a word that the wave uses atomically. */
static bool owns(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a, struct area *area)
{
    const uint64_t at = a->addr - a->segment->base;
    const struct clocks_word x = word_of(r, a, area_line(area, at), UINT64_C(0xf) << at % LINE / 4 * 4);
    return clocks_owns(r->clocks, w, &x);
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
    if (a->write) p->shares = true;
    if (a->lane <= 0 || !(r->machine->isa->run->active(w) & ((UINT64_C(1) << (a->lane & 63)) - 1)))
        repeats(r, w, a->write, a->addr);
    struct meeting m = meeting_of(r, w, a->segment, a->space, a->write);
    if (p->atomic || p->order.coherent) {
        if (!meet_words(r, w, a, area)) return;
        m.me.kind = TRACE_UPDATE;
    } else {
        m.me.same = stores_same(r, a);
        if (m.me.same)
            m.me.kind = TRACE_LOAD;
        else if (a->write && owns(r, w, a, area))
            m.me.kind = TRACE_OWNER;
    }
    m.me.lane = a->lane >= 0 && a->lane < SEVERAL_LANES ? (uint8_t)a->lane : NO_LANE;
    m.one = a;
    const uint64_t from = a->addr - a->segment->base, to = from + a->size;
    for (m.at = from & LINE_AT; m.at < to; m.at += LINE) {
        const uint64_t lo = from > m.at ? from - m.at : 0, hi = to - m.at < LINE ? to - m.at : LINE;
        m.me.bytes = (hi - lo == LINE ? UINT64_MAX : (UINT64_C(1) << (hi - lo)) - 1) << lo;
        touch(r, w, area, &m);
    }
}

/* The bytes of a row of lanes in one line: those that change memory, or are loaded; and those stored as they were. */
struct run {
    uint64_t at, bytes, same;
};

static void run_ends(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m, struct run *run)
{
    const uint8_t kind = m->me.kind;
    m->at = run->at;
    m->me.bytes = run->bytes;
    touch(r, w, area, m);
    if (run->same) {
        m->me.bytes = run->same;
        m->me.kind = TRACE_LOAD;
        m->me.same = true;
        touch(r, w, area, m);
        m->me.kind = kind;
        m->me.same = false;
    }
    run->bytes = run->same = 0;
}

static inline void run_add(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m, struct run *run,
    uint64_t at, uint64_t bits, bool same)
{
    if ((at & LINE_AT) != run->at) {
        if (run->bytes | run->same) run_ends(r, w, area, m, run);
        run->at = at & LINE_AT;
    }
    *(same ? &run->same : &run->bytes) |= bits << at % LINE;
}

/* Whether 64 lanes access one place after another. */
static bool in_row(const struct gpudbg_accesses *all)
{
    uint32_t other = 0;
    if (all->lanes != UINT64_MAX) return false;
    for (uint32_t i = 0; i < 64; i++) other |= all->offset[i] ^ (all->offset[0] + i * (uint32_t)all->size);
    return !other;
}

static void accesses(void *state, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct race *r = state;
    struct place *p = place_now(r, w);
    const bool shared = !(all->segment->flags & GPUDBG_SEG_PRIVATE);
    if (!r->loads && (!shared || (!all->write && all->segment->flags & GPUDBG_SEG_READONLY))) return;
    if (p->atomic || p->order.coherent || r->loads || r->report_lanes || all->size > 16 || !all->size) {
        for (uint64_t m = all->lanes; m; m &= m - 1) {
            const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
            access(r, w, &a);
        }
        return;
    }
    struct area *area = area_of(r, w, all->segment, all->space);
    if (!area) return;
    if (all->write) p->shares = true;
    repeats(r, w, all->write, all->segment->base + all->offset[__builtin_ctzll(all->lanes)]);
    struct meeting m = meeting_of(r, w, all->segment, all->space, all->write);
    const uint64_t bits = (UINT64_C(1) << all->size) - 1;
    struct run run = {0, 0, 0};
    m.me.lane = SEVERAL_LANES;
    m.all = all;
    if (!all->write && in_row(all)) {
        const uint64_t from = all->offset[0], to = from + 64 * all->size;
        for (m.at = from & LINE_AT; m.at < to; m.at += LINE) {
            const uint64_t lo = from > m.at ? from - m.at : 0, hi = to - m.at < LINE ? to - m.at : LINE;
            m.me.bytes = (hi - lo == LINE ? UINT64_MAX : (UINT64_C(1) << (hi - lo)) - 1) << lo;
            touch(r, w, area, &m);
        }
        return;
    }
    const bool owned = all->write && clocks_any(r->clocks, w, m.local);
    for (uint64_t lanes = all->lanes; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const uint64_t at = all->offset[lane], room = LINE - at % LINE;
        bool same = false;
        if (all->write) {
            const struct gpudbg_access a = gpudbg_access_of(all, lane);
            same = stores_same(r, &a);
            if (!same && owned && owns(r, w, &a, area)) {
                access(r, w, &a);
                continue;
            }
        }
        run_add(r, w, area, &m, &run, at, bits, same);
        if (all->size > room) run_add(r, w, area, &m, &run, at + room, bits >> room, same);
    }
    if (run.bytes | run.same) run_ends(r, w, area, &m, &run);
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
