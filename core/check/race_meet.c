/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race_meet.c: an access meets what others did to the same bytes: whether that is a race. */
#include <string.h>
#include "check/race.h"
#include "machine/row.h"

/* ---- Order ---- */

static bool shares(void *with, uint64_t pc)
{
    const struct race *r = with;
    for (uint32_t i = 0; i < r->nplaces; i++)
        if (r->place[i].pc == pc) return r->place[i].shares;
    return false;
}

/* Whether the load at a place is in a loop that waits, and sees what another wave stores in the end. */
static bool waits_for(struct race *r, uint32_t place, uint32_t wave, uint32_t other)
{
    const uint32_t n = r->machine->waves_per_group;
    const struct gpudbg_ordering *model = clocks_model(r->clocks);
    const unsigned scope = wave / n == other / n ? GPUDBG_SCOPE_GROUP : GPUDBG_SCOPE_AGENT;
    struct place *p = &r->place[place];
    if (!p->asked) p->spins = spins(r->machine->image, p->pc, shares, r);
    p->asked = true;
    return p->spins && (!r->machine->isa->ordering || model->repeats >= scope);
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
        race_note(r, w, a, "more words are used atomically than race can watch: it reports nothing from here on");
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

/* Where the waves of a group take each other's accesses to global memory in order, a plain load of a word is what an
 * atomic load of the scope of the group is compiled to, and it acquires.  It counts as one beside their atomics; beside
 * their plain stores where the code only tests what it has loaded.  No atomic load is compiled to a scalar one.
 * place: of the load. */
static bool atomic_inside(
    struct race *r, const struct gpudbg_wave *w, const struct meeting *m, const struct trace *by, uint32_t place)
{
    const enum trace_kind other = by->kind == TRACE_LOAD ? m->me.kind : by->kind;
    const uint64_t size = m->all ? row_access_size(m->all) : m->one->size;
    struct place *p = &r->place[place];
    if (m->local || size > 8 || by->wave == w->id || !clocks_near(r->clocks)) return false;
    if (by->wave / r->machine->waves_per_group != w->group) return false;
    if (!p->known) p->tested = only_tested(r->machine->image, p->pc, &p->lanes);
    p->known = true;
    return p->lanes && (p->tested || other == TRACE_UPDATE);
}

static bool ordered(struct race *r, const struct gpudbg_wave *w, const struct meeting *m, const struct trace *by)
{
    if (by->wave == w->id) return ordered_in_wave(r, &m->me, by);
    if (clocks_before(r->clocks, w, m->local, by->wave, by->time)) return true;
    /* A wave that waits in a loop goes on when it loads the value that it waits for.  A store that it has not loaded
     * yet is no race. */
    if (by->kind == TRACE_LOAD && !by->same && m->me.kind != TRACE_LOAD) {
        const uint32_t place = trace_place(by, by->bytes & m->me.bytes);
        return waits_for(r, place, by->wave, w->id) || atomic_inside(r, w, m, by, place);
    }
    return false;
}

/* A plain load of a loop, or of a word that is atomic inside the group, meets a store of another wave: it acquires.
 * One of a loop counts as atomic. */
static bool acquires(
    struct race *r, struct gpudbg_wave *w, const struct meeting *m, const struct trace *by, bool inside)
{
    if (m->me.kind != TRACE_LOAD || m->me.same || by->wave == w->id) return false;
    if (by->kind == TRACE_UPDATE && by->wave / r->machine->waves_per_group != w->group) return false;
    const bool sees = waits_for(r, r->here, w->id, by->wave) || inside;
    if (!r->place[r->here].spins && !inside) return false;
    struct gpudbg_access a = {
        .segment = m->segment, .addr = m->segment->base + m->at + first_byte(m->me.bytes & by->bytes)};
    a.space = m->local ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
    struct clocks_word x = word_of(r, &a, m->line, m->me.bytes & by->bytes);
    x.reads = sees;
    x.near = inside && !r->place[r->here].spins;
    x.blind = !sees;
    meet_word(r, w, &a, &x);
    return sees;
}

/* Compares with what others did to the bytes.  false: the access is atomic after all, and leaves no trace. */
static bool meet(struct race *r, struct gpudbg_wave *w, const struct meeting *m)
{
    bool traced = true;
    if (m->me.kind != TRACE_STORE && !(conflicts[m->me.kind] & m->line->kinds)) return !m->near;
    for (unsigned i = 0; i < m->line->n; i++) {
        struct trace *by = &line_traces(m->line)[i];
        if (!(by->bytes & m->me.bytes)) continue;
        if (by->wave == w->id && !r->report_lanes && by->time != m->me.time) continue;
        if (m->near && by->wave / r->machine->waves_per_group == w->group) continue;
        if (conflicts[m->me.kind] >> by->kind & 1 && !ordered(r, w, m, by)) {
            const bool inside = m->me.kind == TRACE_LOAD && !m->me.same && atomic_inside(r, w, m, by, r->here);
            if (acquires(r, w, m, by, inside)) {
                traced &= inside && !r->place[r->here].spins;
                continue;
            }
            const struct trace was = *by;
            by->bytes &= ~m->me.bytes; /* said once */
            race_report(r, w, m, &was);
        } else if (m->me.kind == TRACE_STORE && by->wave != w->id) {
            by->bytes &= ~m->me.bytes; /* what comes after this store comes after that, too */
        }
    }
    return traced && !m->near;
}

static bool keeps(void *with, const struct trace *t)
{
    const struct race *r = with;
    return t->kind == TRACE_LOAD && !t->same && plain_loads_used(r->loads, t->wave, t->time);
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

/* Done with a load of a line, because the wave has loaded there before, and published nothing since: either these
 * bytes, or others, and what others did to them comes before. */
static inline bool adds_load(const struct race *r, const struct gpudbg_wave *w, const struct meeting *m)
{
    struct trace *mine = NULL;
    bool other = false, meets = false;
    if (m->me.kind != TRACE_LOAD || m->me.same || m->near || r->loads || r->report_lanes) return false;
    for (struct trace *t = line_traces(m->line), *end = t + m->line->n; t < end; t++) {
        const bool load = t->kind == TRACE_LOAD && !t->same;
        if (t->wave != m->me.wave) {
            meets |= t->kind != TRACE_LOAD && t->bytes & m->me.bytes &&
                     !clocks_before(r->clocks, w, m->local, t->wave, t->time);
            continue;
        }
        other |= !t->bytes || (load && (mine || t->time < m->epoch));
        if (!load) continue;
        if (t->time >= m->epoch && !(m->me.bytes & ~t->bytes)) return true;
        mine = t;
    }
    if (meets || !mine || other) return false;
    trace_merge(mine, &m->me);
    return true;
}

/* Adds an access without a search, if the line has no trace, or only one: of this wave, and of the same instruction or
 * of one of the same kind whose bytes the access covers.  false: the line has to be searched. */
static inline bool adds_own(const struct race *r, const struct meeting *m)
{
    struct line *l = m->line;
    struct trace *t = line_traces(l);
    const bool stores = m->me.kind == TRACE_STORE || m->me.kind == TRACE_OWNER || m->me.same;
    if (m->near || r->loads || r->report_lanes || l->n > 1) return false;
    if (l->n) {
        const bool like = t->kind == m->me.kind && !t->same && !m->me.same && m->me.kind != TRACE_LOAD;
        if (!like || t->wave != m->me.wave) return false;
        if (t->time == m->me.time ? t->bytes & m->me.bytes || t->place != m->me.place : t->bytes & ~m->me.bytes)
            return false;
    }
    if (l->n && t->time == m->me.time) {
        if (t->lane != m->me.lane) t->lane = SEVERAL_LANES;
        t->bytes |= m->me.bytes;
    } else {
        *t = m->me;
        l->n = 1;
    }
    l->kinds = (uint8_t)(1 << m->me.kind);
    if (stores) l->stored = m->me.time;
    return true;
}

/* The bytes of one line. */
void race_touch(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m)
{
    if (!m->me.bytes) return;
    m->line = area_line(area, m->at);
    if (m->line && (adds_own(r, m) || adds_load(r, w, m))) return;
    const bool was_full = traces_full(r->traces);
    if (!m->line) m->line = area_make(r->traces, area, m->segment, m->at);
    if (m->line && (m->me.same ? !stored(r, m->line, &m->me) : meet(r, w, m)))
        line_add(r->traces, m->line, &m->me, m->epoch, r->loads ? keeps : NULL, r);
    if (traces_full(r->traces) && !was_full) {
        const struct gpudbg_access a = {.lane = -1};
        race_note(r, w, &a, "more memory is used than race can watch: from here on it watches only memory used before");
    }
}

/* All bytes of a range. */
void race_touch_range(
    struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m, uint64_t from, uint64_t size)
{
    const uint64_t to = from + size;
    for (m->at = from & LINE_AT; m->at < to; m->at += LINE) {
        const uint64_t lo = from > m->at ? from - m->at : 0, hi = to - m->at < LINE ? to - m->at : LINE;
        m->me.bytes = (hi - lo == LINE ? UINT64_MAX : (UINT64_C(1) << (hi - lo)) - 1) << lo;
        race_touch(r, w, area, m);
    }
}

bool race_stores_same(const struct race *r, const struct gpudbg_access *a)
{
    return a->write && !r->report_equal &&
           !memcmp(a->segment->bytes + (a->addr - a->segment->base), a->bytes, (size_t)a->size);
}

bool race_owns(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a, struct area *area)
{
    const uint64_t at = a->addr - a->segment->base;
    const struct clocks_word x = word_of(r, a, area_line(area, at), UINT64_C(0xf) << at % LINE / 4 * 4);
    return clocks_owns(r->clocks, w, &x);
}

void race_meet_words(struct race *r, struct gpudbg_wave *w, const struct gpudbg_access *a, struct area *area,
    bool changes, const struct publishing *as)
{
    const struct place *p = &r->place[r->here];
    const uint64_t at = a->addr - a->segment->base, bits = a->size < 8 ? (UINT64_C(1) << a->size) - 1 : 0xff;
    const bool local = a->space == GPUDBG_LOCAL;
    struct word *word = clocks_word_at(r->clocks, w, local, a->addr);
    struct line *l = area_line(area, at);
    if (p->atomic && l && l->stored <= clocks_base(word)) l = NULL; /* the latest store is known */
    struct clocks_word x = word_of(r, a, l, bits << at % LINE);
    x.at = word;
    x.as = as;
    x.reads = !a->write && (p->returns || !p->atomic);
    x.near = x.reads && !p->atomic && p->sees < GPUDBG_SCOPE_AGENT;
    x.publishes = a->write;
    x.locks = p->locks;
    x.later = p->later;
    x.changes = changes;
    x.known = !x.publishes && !p->atomic && !x.store.wave;
    if (x.publishes || x.reads) meet_word(r, w, a, &x);
    if (x.reads && x.later && r->unused) r->unused[w->id] = r->here + 1;
    if (changes && !as && (p->locks || locks_held(r->locks, w->id))) race_lock_word(r, w, a, p->locks);
}
