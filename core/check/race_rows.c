/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race_rows.c: the accesses of all lanes of an instruction, as bytes of lines.  Lanes often access one place after
 * another, or all of them one place. */
#include <string.h>
#include "gpudbg/unset.h"
#include "check/race.h"
#include "machine/row.h"

/* The bytes that lanes access, of lines that follow each other: those that are changed or loaded, and those that are
 * stored as they were. */
#define WINDOW 32 /* lines */
struct window {
    uint64_t first; /* line */
    uint64_t bytes[WINDOW], same[WINDOW];
    unsigned used; /* lines from the first on that may have any */
};

static void window_flush(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m, struct window *in)
{
    const uint8_t kind = m->me.kind;
    for (unsigned i = 0; i < in->used; i++) {
        m->at = (in->first + i) * LINE;
        m->me.bytes = in->bytes[i];
        race_touch(r, w, area, m);
        if (!in->same[i]) continue;
        m->me.bytes = in->same[i];
        m->me.kind = TRACE_LOAD;
        m->me.same = true;
        race_touch(r, w, area, m);
        m->me.kind = kind;
        m->me.same = false;
    }
    in->used = 0;
}

static inline void window_add(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m,
    struct window *in, uint64_t at, uint64_t bits, bool same)
{
    const uint64_t line = at / LINE;
    if (in->used && line - in->first >= WINDOW) window_flush(r, w, area, m, in);
    if (!in->used) in->first = line;
    const unsigned i = (unsigned)(line - in->first);
    while (in->used <= i) {
        in->bytes[in->used] = in->same[in->used] = 0;
        in->used++;
    }
    *(same ? &in->same[i] : &in->bytes[i]) |= bits << at % LINE;
}

static inline void window_range(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m,
    struct window *in, uint64_t at, uint64_t size, bool same)
{
    const uint64_t i = at / LINE - in->first;
    if (i < in->used && at % LINE + size < LINE) { /* most are */
        *(same ? &in->same[i] : &in->bytes[i]) |= ((UINT64_C(1) << size) - 1) << at % LINE;
        return;
    }
    for (uint64_t n; size; at += n, size -= n) {
        const uint64_t room = LINE - at % LINE;
        n = size < room ? size : room;
        window_add(r, w, area, m, in, at, n == LINE ? UINT64_MAX : (UINT64_C(1) << n) - 1, same);
    }
}

#define SOME 16 /* lanes that are looked at together */

/* How far apart SOME lanes from one on access, if that is the same for all of them.  UINT32_MAX: it is not. */
static inline uint32_t some_apart(const struct gpudbg_accesses *all, unsigned lane)
{
    const uint32_t *at = all->offset + lane, step = at[1] - at[0];
    row_part other = {0}, part, next = {at[0], at[0] + step, at[0] + 2 * step, at[0] + 3 * step};
    const row_part more = {4 * step, 4 * step, 4 * step, 4 * step};
    if ((all->lanes >> lane & 0xffff) != 0xffff) return UINT32_MAX;
    for (uint32_t i = 0; i < SOME; i += 4, next += more) {
        memcpy(&part, at + i, sizeof part);
        other |= part ^ next;
    }
    return other[0] | other[1] | other[2] | other[3] ? UINT32_MAX : step;
}

/* Bytes of a line that are `size` long, one every `step`: step divides the line, and none goes past its step. */
static inline uint64_t every(uint64_t at, uint64_t size, uint32_t step)
{
    uint64_t bits = ((UINT64_C(1) << size) - 1) << at % step;
    for (; step < LINE; step *= 2) bits |= bits << step;
    return bits;
}

/* Adds SOME lanes that are `step` bytes apart.  false: they are to be added one by one. */
static inline bool window_some(struct race *r, struct gpudbg_wave *w, struct area *area, struct meeting *m,
    struct window *in, uint64_t at, uint64_t size, uint32_t step, bool same)
{
    if (step == size || !step) {
        window_range(r, w, area, m, in, at, step ? SOME * size : size, same);
        return true;
    }
    if (step > LINE || step & (step - 1) || at % step + size > step || size == LINE) return false;
    const uint64_t end = at + (SOME - 1) * (uint64_t)step + size, bits = every(at, size, step);
    for (uint64_t from = at, to; from < end; from = to) {
        to = (from & LINE_AT) + LINE < end ? (from & LINE_AT) + LINE : end;
        const uint64_t part = UINT64_MAX >> (LINE - (to - from)) << from % LINE;
        window_add(r, w, area, m, in, from & LINE_AT, bits & part, same);
    }
    return true;
}

/* Loads of lanes that go one place after another, or anywhere: a line at a time. */
void race_loads(
    struct race *r, struct gpudbg_wave *w, const struct gpudbg_accesses *all, struct area *area, struct meeting *m)
{
    struct window in GPUDBG_UNSET;
    uint64_t from, size;
    if (accesses_in_row(all, &from, &size)) {
        race_touch_range(r, w, area, m, from, size);
        return;
    }
    in.used = 0;
    for (unsigned lane = 0; lane < 64; lane += SOME) {
        const uint32_t step = some_apart(all, lane);
        const bool added = step != UINT32_MAX &&
                           window_some(r, w, area, m, &in, all->offset[lane], all->size, step, false);
        for (uint64_t lanes = added ? 0 : all->lanes & UINT64_C(0xffff) << lane; lanes; lanes &= lanes - 1)
            window_range(r, w, area, m, &in, all->offset[__builtin_ctzll(lanes)], all->size, false);
    }
    window_flush(r, w, area, m, &in);
}

/* ---- Stores and atomics ---- */

/* Whether a lane stores what was there. */
static inline bool lane_same(const struct race *r, const struct gpudbg_accesses *all, unsigned lane)
{
    const uint8_t *old = all->segment->bytes + all->offset[lane], *new = all->bytes + lane * all->size;
    if (r->report_equal) return false;
    return all->size == 4 ? !memcmp(old, new, 4) : all->size == 8 ? !memcmp(old, new, 8) : !memcmp(old, new, all->size);
}

static inline bool same_16(const uint8_t *a, const uint8_t *b)
{
    uint64_t x[2], y[2];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    return !((x[0] ^ y[0]) | (x[1] ^ y[1]));
}

/* Whether SOME lanes that are `step` bytes apart store what was there: all of them 1, none of them 0, else -1. */
static inline int some_same(const struct race *r, const struct gpudbg_accesses *all, unsigned lane, uint32_t step)
{
    const uint8_t *old = all->segment->bytes + all->offset[lane], *new = all->bytes + lane * all->size;
    unsigned same = 0;
    if (r->report_equal) return 0;
    if (all->size == 4)
        for (unsigned i = 0; i < SOME; i++) same += !memcmp(old + (size_t)step * i, new + 4 * i, 4);
    else if (all->size == 8)
        for (unsigned i = 0; i < SOME; i++) same += !memcmp(old + (size_t)step * i, new + 8 * i, 8);
    else if (all->size == 16)
        for (unsigned i = 0; i < SOME; i++) same += same_16(old + (size_t)step * i, new + 16 * i);
    else
        return -1;
    return same == SOME ? 1 : same ? -1 : 0;
}

bool race_stores_alike(const struct race *r, const struct gpudbg_accesses *all)
{
    uint64_t same = 0, n = 0;
    if (r->report_equal) return true;
    for (uint64_t lanes = all->lanes; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const uint8_t *old = all->segment->bytes + all->offset[lane], *new = all->bytes + lane * all->size;
        n += all->size / 4;
        for (uint64_t i = 0; i < all->size; i += 4) same += !memcmp(old + i, new + i, 4);
    }
    return !same || same == n;
}

uint64_t race_stores(
    struct race *r, struct gpudbg_wave *w, const struct gpudbg_accesses *all, struct area *area, struct meeting *m)
{
    const bool owned = clocks_any(r->clocks, w, m->local);
    struct window in GPUDBG_UNSET;
    uint64_t left = 0;
    in.used = 0;
    for (unsigned from = 0; from < 64; from += SOME) {
        uint64_t lanes = all->lanes & UINT64_C(0xffff) << from;
        if (!lanes) continue;
        const uint32_t step = owned ? UINT32_MAX : some_apart(all, from);
        const int alike = step < LINE + 1 && step >= all->size ? some_same(r, all, from, step) : -1;
        if (alike >= 0 && window_some(r, w, area, m, &in, all->offset[from], all->size, step, alike)) continue;
        for (; lanes; lanes &= lanes - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(lanes);
            const bool same = lane_same(r, all, lane);
            const struct gpudbg_access a = gpudbg_access_of(all, lane);
            if (!same && owned && race_owns(r, w, &a, area))
                left |= UINT64_C(1) << lane;
            else
                window_range(r, w, area, m, &in, all->offset[lane], all->size, same);
        }
    }
    window_flush(r, w, area, m, &in);
    return left;
}

/* Lanes whose atomics change what is there. */
static uint64_t lanes_changing(const struct gpudbg_accesses *all)
{
    const uint8_t *there = all->segment->bytes, *stored = all->bytes;
    const uint32_t *offset = all->offset;
    uint64_t changing = 0, lanes = all->write ? all->lanes : 0;
    if (all->row & ROW_CHANGES) return lanes;
    for (; lanes && all->size == 4; lanes &= lanes - 1) { /* most are */
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        uint32_t was, is;
        memcpy(&was, there + offset[lane], 4);
        memcpy(&is, stored + 4 * lane, 4);
        if (was != is) changing |= lanes & -lanes;
    }
    for (; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const uint8_t *old = all->segment->bytes + all->offset[lane], *new = all->bytes + lane * all->size;
        if (memcmp(old, new, all->size) != 0) changing |= lanes & -lanes;
    }
    return changing;
}

/* Atomics of 4 bytes that give their program nothing and take no locks, of words that were met before and that no store
 * has changed since: they publish together.  false: they are to be looked at one by one. */
static bool publish_row(struct race *r, struct gpudbg_wave *w, const struct gpudbg_accesses *all, struct area *area,
    uint64_t changes, const struct publishing *as)
{
    const struct place *p = &r->place[r->here];
    struct word *word[64];
    uint64_t addr[64];
    unsigned n = 0;
    if (p->locks || !all->write || all->size != 4 || (!as && locks_held(r->locks, w->id))) return false;
    for (uint64_t lanes = all->lanes; lanes; lanes &= lanes - 1) {
        const uint32_t at = all->offset[__builtin_ctzll(lanes)];
        const struct line *l = area_line(area, at);
        addr[n] = all->segment->base + at;
        word[n] = clocks_word_at(r->clocks, w, all->space == GPUDBG_LOCAL, addr[n]);
        if (!word[n] || !l || l->stored > clocks_base(word[n])) return false;
        n++;
    }
    const struct clocks_word x = {.segment = all->segment,
        .local = all->space == GPUDBG_LOCAL,
        .time = r->time,
        .place = r->here,
        .publishes = true,
        .as = as};
    clocks_publish(r->clocks, w, &x, n, word, addr, changes, all->lanes);
    return true;
}

/* as: what they published, if they have waited. */
static void updates(struct race *r, struct gpudbg_wave *w, const struct gpudbg_accesses *all, struct area *area,
    struct meeting *m, uint64_t changes, const struct publishing *as)
{
    struct window in GPUDBG_UNSET;
    in.used = 0;
    m->me.kind = TRACE_UPDATE;
    const bool together = publish_row(r, w, all, area, changes, as);
    for (uint64_t lanes = together ? changes : all->lanes; lanes; lanes &= lanes - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(lanes);
        const bool changed = changes >> lane & 1;
        const struct gpudbg_access a = {.space = all->space,
            .lane = (int)lane,
            .write = all->write,
            .addr = all->segment->base + all->offset[lane],
            .size = all->size,
            .bytes = as ? NULL : all->bytes + lane * all->size,
            .segment = all->segment};
        if (!together) race_meet_words(r, w, &a, area, changed, as);
        if (changed) window_range(r, w, area, m, &in, all->offset[lane], all->size, false);
    }
    window_flush(r, w, area, m, &in);
}

void race_updates(
    struct race *r, struct gpudbg_wave *w, const struct gpudbg_accesses *all, struct area *area, struct meeting *m)
{
    updates(r, w, all, area, m, lanes_changing(all), NULL);
}

/* ---- Accesses of local memory that wait ---- */

#define WAITING_MOST 1024 /* of a group */

static void note_latest(const struct race *r, const struct gpudbg_wave *w, struct race_group *g)
{
    if (!g->latest) g->latest = gpudbg_checks_alloc(r->checks, w->machine->waves_per_group, sizeof *g->latest);
    g->latest[w->index] = r->time;
}

/* Whether an atomic can wait: it gives the program nothing, takes no lock, and is made under none. */
static bool update_waits(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    const struct place *p = &r->place[r->here];
    return p->atomic && all->write && all->size == 4 && !p->returns && !p->locks && !locks_held(r->locks, w->id);
}

/* Whether any of 64 lanes accesses the place. */
static bool any_at(const uint32_t of[64], uint32_t at)
{
    const row_part place = {at, at, at, at};
    row_part part, same = {0};
    for (unsigned i = 0; i < 64; i += 4) {
        memcpy(&part, of + i, sizeof part);
        same |= (row_part)(part == place);
    }
    return same[0] | same[1] | same[2] | same[3];
}

/* The words of an atomic publish, though they are told later.  Lanes of one instruction come one after another where
 * they update one word: it publishes once.  The latest words are kept: those of the last lanes. */
static void hold(
    struct race *r, const struct gpudbg_wave *w, const struct gpudbg_accesses *all, struct waiting *to, bool first)
{
    uint64_t addr[CLOCKS_HELD];
    uint32_t places[64] GPUDBG_UNSET; /* of the lanes that were told before; no word is at the end of 32 bits */
    unsigned n = 0;
    if (!first) memcpy(places, to->offset, sizeof places);
    for (uint64_t m = first ? 0 : ~to->lanes; m; m &= m - 1) places[__builtin_ctzll(m)] = UINT32_MAX;
    for (uint64_t m = all->lanes; m && n < CLOCKS_HELD;) {
        const unsigned lane = 63 - (unsigned)__builtin_clzll(m);
        const uint32_t at = all->offset[lane];
        m &= ~(UINT64_C(1) << lane);
        if (first || !any_at(places, at)) addr[n++] = all->segment->base + at;
    }
    const struct clocks_word x = {.segment = all->segment, .local = true, .time = r->time, .place = r->here};
    struct publishing again;
    clocks_hold(r->clocks, w, &x, n, addr, first ? &to->as : &again);
    if (!first) clocks_release(r->clocks, &again);
}

/* Room for one more that waits, or NULL. */
static struct waiting *new_waiting(struct race *r, struct race_group *g)
{
    if (g->nwaiting == WAITING_MOST) return NULL;
    if (!g->waiting && r->spare) {
        g->waiting = r->spare;
        g->room = r->spare_room;
        r->spare = NULL;
    }
    if (g->nwaiting == g->room)
        g->waiting = checks_grow(r->checks, g->waiting, g->nwaiting, &g->room, sizeof *g->waiting);
    return &g->waiting[g->nwaiting++];
}

static void begin_waiting(
    const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_accesses *all, struct waiting *one)
{
    one->size = all->size;
    one->dwords = all->row & ROW_DWORDS;
    one->wave = w->id;
    one->time = r->time;
    one->place = r->here;
    one->epoch = clocks_epoch(r->clocks, w->id);
    one->lanes = all->lanes;
    one->changes = 0;
    one->as.clock = NULL;
    memcpy(one->offset, all->offset, sizeof one->offset);
}

bool race_load_waits(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct race_group *g = &r->group[w->group];
    if (g->changed || (g->nwaiting && g->updates)) return false;
    struct waiting *one = new_waiting(r, g);
    if (!one) return false;
    note_latest(r, w, g);
    begin_waiting(r, w, all, one);
    g->updates = false;
    return true;
}

bool race_update_waits(struct race *r, const struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct race_group *g = &r->group[w->group];
    if (!update_waits(r, w, all) || g->changed || (g->nwaiting && !g->updates)) return false;
    struct waiting *one = g->nwaiting ? &g->waiting[g->nwaiting - 1] : NULL;
    const bool first = !one || one->time != r->time;
    if (first) one = new_waiting(r, g);
    if (!one) return false;
    note_latest(r, w, g);
    if (first) {
        begin_waiting(r, w, all, one);
        g->updates = true;
    }
    if (!(all->row & ROW_AGAIN)) hold(r, w, all, one, first);
    for (uint64_t m = first || all->row & ROW_AGAIN ? 0 : all->lanes; m; m &= m - 1)
        one->offset[__builtin_ctzll(m)] = all->offset[__builtin_ctzll(m)];
    one->lanes |= all->lanes;
    one->changes |= lanes_changing(all);
    return true;
}

/* What has waited is forgotten. */
static void forget(struct race *r, struct race_group *g)
{
    for (size_t i = 0; g->updates && i < g->nwaiting; i++) clocks_release(r->clocks, &g->waiting[i].as);
    g->nwaiting = 0;
}

void race_group_ends(struct race *r, struct race_group *g)
{
    forget(r, g);
    area_free(r->traces, &g->local);
    gpudbg_checks_free(r->checks, g->latest);
    g->latest = NULL;
    if (r->spare) gpudbg_checks_free(r->checks, g->waiting);
    if (!r->spare && g->waiting) {
        r->spare = g->waiting;
        r->spare_room = g->room;
    }
    g->waiting = NULL;
    g->room = 0;
}

void race_settle(struct race *r, const struct gpudbg_wave *w)
{
    struct race_group *g = &r->group[w->group];
    const uint32_t here = r->here, now = r->time;
    const size_t n = g->nwaiting;
    struct gpudbg_wave then = *w;
    g->nwaiting = 0; /* a report settles nothing more */
    g->changed |= n && g->updates;
    for (size_t i = 0; i < n; i++) {
        struct waiting *one = &g->waiting[i];
        then.id = one->wave;
        then.index = one->wave - w->group * w->machine->waves_per_group;
        const struct gpudbg_accesses all = {.space = GPUDBG_LOCAL,
            .write = g->updates,
            .size = one->size,
            .segment = w->lds,
            .lanes = one->lanes,
            .offset = one->offset,
            .row = one->dwords};
        struct meeting m = {.segment = w->lds, .local = true, .epoch = one->epoch, .all = &all};
        m.me = (struct trace){.time = one->time, .wave = one->wave, .place = one->place, .kind = TRACE_LOAD};
        m.me.lane = SEVERAL_LANES;
        if (g->updates) {
            r->here = one->place;
            r->time = one->time;
            updates(r, &then, &all, &g->local, &m, one->changes, &one->as);
            clocks_release(r->clocks, &one->as);
        } else {
            race_loads(r, &then, &all, &g->local, &m);
        }
    }
    r->here = here;
    r->time = now;
}

void race_wait_ends(struct race *r, const struct gpudbg_wave *w, bool changes)
{
    struct race_group *g = &r->group[w->group];
    if (g->nwaiting) race_settle(r, w);
    g->changed |= changes;
    note_latest(r, w, g);
}

void race_comes_from_barrier(struct race *r, struct gpudbg_wave *w)
{
    struct race_group *g = &r->group[w->group];
    const uint32_t n = w->machine->waves_per_group, first = w->group * n;
    uint32_t time;
    const uint32_t barriers = clocks_barriers(r->clocks, w->id, &time);
    if (barriers <= g->barriers) return;
    g->barriers = barriers;
    for (uint32_t i = 0; g->latest && i < n; i++) {
        if (!g->latest[i] || clocks_before(r->clocks, w, true, first + i, g->latest[i])) continue;
        race_wait_ends(r, w, true); /* it had ended, or did not wait until that was done */
        return;
    }
    /* Where words make an order, it may be another than that of the barrier. */
    if (g->nwaiting && g->updates && clocks_any(r->clocks, w, true)) race_settle(r, w);
    forget(r, g);
    g->changed = false;
}
