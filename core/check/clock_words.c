/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock_words.c: the words of memory that make an order, see clocks.h. */
#include "check/clocks_inside.h"
#include <string.h>
#include "machine/machine.h"

#define WORDS_MOST ((size_t)1 << 27) /* bytes of all words */

static struct words *words_of(const struct clocks *c, const struct gpudbg_wave *wave, bool local)
{
    return local ? &c->group[wave->group].words : (struct words *)&c->words;
}

/* Finds the word, or makes it; NULL: no memory. */
static struct word *word_at(struct clocks *c, const struct gpudbg_wave *wave, const struct clocks_word *a)
{
    struct words *w = words_of(c, wave, a->local);
    const uint64_t addr = a->addr & ~UINT64_C(3);
    struct word *x = a->at ? a->at : words_find(w, addr);
    if (x) return x;
    const size_t size = sizeof *x + ((size_t)2 * ROWS * c->per_group + 8) * sizeof(uint32_t);
    if (c->bytes + size > WORDS_MOST) return NULL;
    if (!a->local) c->bytes += size; /* those of groups are freed */
    return words_add(c, w, addr);
}

/* ---- Publishing ---- */

static void publish_now(struct clocks *c, struct word *x, const struct publishing *p)
{
    const uint32_t group = p->wave / c->per_group, n = c->per_group;
    uint32_t *to = known_at(c->checks, &x->known, group, ROWS * n);
    if (p->clock) times_join(to, p->clock->row, ROWS * n);
    for (unsigned r = 0; r < ROWS; r++)
        if (p->own[r] > to[r * n + p->wave % n]) to[r * n + p->wave % n] = p->own[r];
    struct known *far = p->clock ? p->clock->far : NULL;
    for (uint32_t i = 0; far && i < far->n; i++)
        times_join(known_at(c->checks, &x->known, far->of[i], ROWS * n) + ROW_AGENT * n, known_times(far, i), n);
}

/* What a word publishes. */
static struct known *words_known(struct clocks *c, struct word *x)
{
    if (!x->more) return x->known;
    x->more = false;
    publish_now(c, x, &x->latest_of);
    clocks_drop(c, x->latest_of.clock);
    return x->known;
}

static void forget(struct clocks *c, struct word *x)
{
    if (x->more) clocks_drop(c, x->latest_of.clock);
    known_drop(c->checks, x->known);
    x->known = NULL;
    x->more = false;
}

/* A wave that publishes again while it knows no more of others adds to what it did before. */
static void publish(struct clocks *c, struct word *x, const struct publishing *p)
{
    struct publishing *to = &x->latest_of;
    if (!x->more || to->wave != p->wave || to->clock != p->clock) {
        words_known(c, x);
        *to = *p;
        if (to->clock) to->clock->refs++;
        x->more = true;
        return;
    }
    for (unsigned r = 0; r < ROWS; r++)
        if (p->own[r] > to->own[r]) to->own[r] = p->own[r];
}

static void note(struct word *x, const struct publishing *p, uint32_t time, uint32_t place, bool stored)
{
    x->of[x->npublished++ % PUBLISHED_MOST] = (struct published){p->wave, time, place, p->own[ROW_AGENT], stored};
}

/* A store since the chain began: it begins a new one. */
static void begin_chain(struct clocks *c, struct word *x, const struct clocks_store *s)
{
    if (!s->wave || s->time <= x->base) return;
    const struct publishing p = clocks_publishing(c, s->wave - 1, s->time, false);
    forget(c, x);
    x->base = s->time;
    if (s->time > x->changed) {
        x->changed = s->time;
        x->changed_by = s->wave;
    }
    publish(c, x, &p);
    note(x, &p, s->time, s->place, true);
}

/* ---- Acquiring ---- */

static void keep(struct clocks *c, struct seen **ring, uint32_t *n, const struct clocks_word *a)
{
    if (!*ring) *ring = gpudbg_checks_alloc(c->checks, SEEN_MOST, sizeof **ring);
    struct seen *last = *n ? &(*ring)[(*n - 1) % SEEN_MOST] : NULL;
    const struct seen new = {a->segment, a->addr, a->local, a->blind, a->time, a->place};
    if (last && last->addr == a->addr && last->place == a->place && last->local == a->local)
        *last = new;
    else
        (*ring)[(*n)++ % SEEN_MOST] = new;
}

/* Whether what a word publishes is of other waves, too. */
static bool of_others(const struct clocks *c, const struct gpudbg_wave *wave, struct known *known)
{
    for (uint32_t i = 0; known && i < known->n; i++) {
        const uint32_t *times = known_times(known, i);
        if (known->of[i] != wave->group) return true;
        for (uint32_t k = 0; k < ROWS * c->per_group; k++)
            if (times[k] && k % c->per_group != wave->index) return true;
    }
    return false;
}

/* What a word publishes of the own group: at once, or of global memory when the group's caches are fresh. */
static void acquire_near(
    struct clocks *c, struct wave_clock *w, const uint32_t *times, const struct clocks_word *a, bool at_once)
{
    const uint32_t n = c->per_group;
    if (at_once) {
        times_join(clocks_write(c, &w->now)->row, times, ROWS * n);
        return;
    }
    if (a->local) times_join(clock_row(c, clocks_write(c, &w->now), ROW_LOCAL), times + ROW_LOCAL * n, n);
    times_join(clocks_write(c, &w->near)->row, times, ROWS * n);
    w->near_from = a->time;
    if (!a->local) w->near_time = a->time;
}

static void acquire(struct clocks *c, const struct gpudbg_wave *wave, struct known *known, const struct clocks_word *a)
{
    struct wave_clock *w = clocks_wave(c, wave->id);
    const uint32_t n = c->per_group;
    const bool at_once = a->local || c->model->fresh >= GPUDBG_SCOPE_AGENT;
    const bool here = clocks_loaded(c, w) >= a->time;
    const bool near = c->model->fresh >= GPUDBG_SCOPE_GROUP || (!a->local && here && w->near_fresh >= a->time);
    struct known *far = NULL;
    struct clocks_word seen = *a;
    for (uint32_t i = 0; known && i < known->n; i++) {
        const uint32_t *times = known_times(known, i);
        if (known->of[i] == wave->group)
            acquire_near(c, w, times, a, near);
        else if (a->near)
            seen.blind = true;
        else
            times_join(known_at(c->checks, &far, known->of[i], n), times + ROW_AGENT * n, n);
    }
    keep(c, &w->seen, &w->nseen, &seen);
    /* Where loads became fresh before the value was used, after the atomic was done, it is acquired, too. */
    const bool fresh = here && clocks_fresh_from(w) >= a->time;
    const bool other = !a->locks && of_others(c, wave, known);
    if (other && (at_once || fresh || (known->n == 1 && known->of[0] == wave->group))) c->other = true;
    if (at_once || fresh) {
        clocks_learn(c, &w->now, wave->group, far);
    } else if (far) {
        w->pending_other |= other;
        known_join(c->checks, &w->pending, far);
        w->pending_time = a->time;
    }
    known_drop(c->checks, far);
    clocks_changed(c, w);
}

void clocks_used(struct clocks *c, const struct gpudbg_wave *wave, bool used)
{
    struct wave_clock *w = clocks_wave(c, wave->id);
    struct known *known = w->unused;
    w->unused = NULL;
    if (known && used) acquire(c, wave, known, &w->unused_word);
    known_drop(c->checks, known);
}

/* An atomic of several lanes takes over what all their words publish. */
static void acquire_later(struct clocks *c, const struct gpudbg_wave *wave, struct word *x, const struct clocks_word *a)
{
    struct wave_clock *w = clocks_wave(c, wave->id);
    if (w->unused && w->unused_word.time != a->time) clocks_used(c, wave, true);
    w->unused_word = *a;
    known_join(c->checks, &w->unused, words_known(c, x));
}

struct word *clocks_word_at(const struct clocks *c, const struct gpudbg_wave *wave, bool local, uint64_t addr)
{
    return words_find(words_of(c, wave, local), addr & ~UINT64_C(3));
}

uint32_t clocks_base(const struct word *x) { return x ? x->base : 0; }

bool clocks_meet(struct clocks *c, const struct gpudbg_wave *wave, const struct clocks_word *a)
{
    if (c->lost) return true;
    struct word *x = a->known ? words_find(words_of(c, wave, a->local), a->addr & ~UINT64_C(3)) : word_at(c, wave, a);
    if (!x && a->known) return true;
    if (!x) {
        c->lost = true;
        return false;
    }
    begin_chain(c, x, &a->store);
    x->lock |= a->locks && a->changes;
    if (a->reads && words_known(c, x)) {
        struct clocks_word read = *a;
        read.locks |= x->lock;
        if (a->later)
            acquire_later(c, wave, x, &read);
        else
            acquire(c, wave, x->known, &read);
    }
    if (a->blind) keep(c, &clocks_wave(c, wave->id)->seen, &clocks_wave(c, wave->id)->nseen, a);
    if (a->reads) {
        x->seen_by = wave->id + 1;
        x->seen = a->time;
    }
    if (a->changes) {
        x->changed_by = a->locks ? wave->id + 1 : 0;
        x->changed = a->time;
    }
    if (!a->publishes || x->latest == a->time) return true;
    x->latest = a->time;
    const struct publishing p = a->as ? *a->as : clocks_publishing(c, wave->id, a->time, true);
    struct wave_clock *w = clocks_wave(c, wave->id);
    publish(c, x, &p);
    note(x, &p, a->time, a->place, false);
    if (!a->as) keep(c, &w->made, &w->nmade, a);
    return true;
}

void clocks_publish(struct clocks *c, const struct gpudbg_wave *wave, const struct clocks_word *a, unsigned n,
    struct word *const word[], const uint64_t addr[], uint64_t changes, uint64_t lanes)
{
    if (c->lost) return;
    const struct publishing p = a->as ? *a->as : clocks_publishing(c, wave->id, a->time, true);
    struct wave_clock *w = clocks_wave(c, wave->id);
    struct clocks_word one = *a;
    for (unsigned i = 0; i < n; i++, lanes &= lanes - 1) {
        struct word *x = word[i];
        if (changes & lanes & -lanes) {
            x->changed_by = 0;
            x->changed = a->time;
        }
        if (x->latest == a->time) continue;
        one.addr = addr[i];
        x->latest = a->time;
        publish(c, x, &p);
        note(x, &p, a->time, a->place, false);
        if (!a->as) keep(c, &w->made, &w->nmade, &one);
    }
}

void clocks_hold(struct clocks *c, const struct gpudbg_wave *wave, const struct clocks_word *a, unsigned n,
    const uint64_t addr[], struct publishing *p)
{
    struct wave_clock *w = clocks_wave(c, wave->id);
    struct clocks_word one = *a;
    *p = clocks_publishing(c, wave->id, a->time, true);
    if (p->clock) p->clock->refs++;
    if (!n || c->lost) return;
    one.addr = addr[n - 1];
    keep(c, &w->made, &w->nmade, &one);
    struct seen new = {a->segment, 0, a->local, a->blind, a->time, a->place};
    for (unsigned i = n - 1; i > 0; i--) { /* the words differ */
        new.addr = addr[i - 1];
        w->made[w->nmade++ % SEEN_MOST] = new;
    }
}

void clocks_release(struct clocks *c, struct publishing *p)
{
    clocks_drop(c, p->clock);
    p->clock = NULL;
}

bool clocks_any(const struct clocks *c, const struct gpudbg_wave *wave, bool local)
{
    return words_of(c, wave, local)->n > 0;
}

bool clocks_owns(const struct clocks *c, const struct gpudbg_wave *wave, const struct clocks_word *a)
{
    const struct word *x = words_find(words_of(c, wave, a->local), a->addr & ~UINT64_C(3));
    if (!x || (a->store.wave && a->store.time > x->changed && a->store.wave != wave->id + 1)) return false;
    return x->changed_by == wave->id + 1 || (x->seen_by == wave->id + 1 && x->seen > x->changed);
}

/* ---- The edge that is missing ---- */

/* What wave `other` published through a word, after the time, before `until`; NULL: nothing that is known. */
static const struct published *published_by(
    const struct clocks *c, const struct word *x, uint32_t other, uint32_t time, uint32_t until)
{
    const uint32_t n = x->npublished < PUBLISHED_MOST ? x->npublished : PUBLISHED_MOST;
    const struct published *best = NULL;
    for (uint32_t i = 1; i <= n; i++) {
        const struct published *p = &x->of[(x->npublished - i) % PUBLISHED_MOST];
        const bool own = p->wave == other, near = p->wave / c->per_group == other / c->per_group;
        if (p->time < time || p->time >= until || !near) continue;
        if (own) return p;
        if (!best) best = p;
    }
    return best;
}

/* Whether what the word publishes has the access of another wave. */
static bool covers(const struct clocks *c, const struct word *x, uint32_t other, uint32_t time, unsigned row)
{
    const uint32_t *times = known_find(words_known((struct clocks *)c, (struct word *)x), other / c->per_group);
    return times && times[row * c->per_group + other % c->per_group] >= time;
}

/* The word that a wave updated last before a time, else the first after it: a lock that it held.  false: no word.
 */
static bool lock(const struct clocks *c, const struct wave_clock *o, uint32_t other, const struct gpudbg_wave *wave,
    uint32_t time, struct clocks_edge *edge)
{
    const uint32_t n = o->nmade < SEEN_MOST ? o->nmade : SEEN_MOST;
    for (uint32_t i = 1; i <= n; i++) {
        const struct seen *s = &o->made[(o->nmade - i) % SEEN_MOST];
        if (s->local && other / c->per_group != wave->group) continue;
        *edge = (struct clocks_edge){.missing = EDGE_NOT_TAKEN,
            .segment = s->segment,
            .addr = s->addr,
            .local = s->local,
            .published = s->place};
        if (s->time < time) return true;
    }
    return edge->missing == EDGE_NOT_TAKEN;
}

/* Whether both waves, of one group, have met a barrier since the first one's access: what was missing around it. */
static bool around_barrier(
    const struct clocks *c, const struct gpudbg_wave *wave, uint32_t other, uint32_t time, struct clocks_edge *edge)
{
    const struct wave_clock *w = c->wave[wave->id], *o = c->wave[other];
    const uint32_t index = other % c->per_group;
    if (!w || !o || other / c->per_group != wave->group) return false;
    if (o->barrier_time < time || w->barriers < o->barriers || (w->arrived && w->barriers == o->barriers)) return false;
    const bool given = w->near && clock_row(c, w->near, ROW_GROUP)[index] >= time;
    *edge = (struct clocks_edge){.missing = given ? EDGE_BARRIER_ACQUIRE : EDGE_BARRIER_RELEASE};
    return true;
}

void clocks_missing(
    const struct clocks *c, const struct gpudbg_wave *wave, uint32_t other, uint32_t time, struct clocks_edge *edge)
{
    const struct wave_clock *w = c->wave[wave->id], *o = c->wave[other];
    const uint32_t nseen = w ? w->nseen < SEEN_MOST ? w->nseen : SEEN_MOST : 0;
    *edge = (struct clocks_edge){.missing = EDGE_NONE};
    for (uint32_t i = 1; i <= nseen; i++) {
        const struct seen *s = &w->seen[(w->nseen - i) % SEEN_MOST];
        const struct word *x = words_find(words_of(c, wave, s->local), s->addr & ~UINT64_C(3));
        const struct published *p = x ? published_by(c, x, other, time, s->time) : NULL;
        if (!p) continue;
        const bool near = other / c->per_group == wave->group;
        const bool acquired = near ? c->model->fresh >= GPUDBG_SCOPE_GROUP || s->local || w->near_fresh >= s->time
                                   : clocks_fresh_from(w) >= s->time;
        const bool released = p->wave == other && !near ? p->done >= time
                                                        : covers(c, x, other, time,
                                                              s->local ? ROW_LOCAL
                                                              : near   ? ROW_GROUP
                                                                       : ROW_AGENT);
        if ((released && acquired && !s->blind) || (!released && p->wave != other)) continue;
        *edge = (struct clocks_edge){.missing = s->blind   ? EDGE_BLIND
                                                : released ? EDGE_ACQUIRE
                                                           : EDGE_RELEASE,
            .segment = s->segment,
            .addr = s->addr,
            .local = s->local,
            .stored = p->stored,
            .published = p->place,
            .acquired = s->place};
        return;
    }
    if (around_barrier(c, wave, other, time, edge)) return;
    if (!o || !lock(c, o, other, wave, time, edge)) {
        if (w && lock(c, w, wave->id, wave, c->time, edge)) {
            edge->missing = EDGE_NOT_GIVEN;
            edge->acquired = edge->published;
        }
    }
    /* It may be another wave of its group that released to the wave's, after a barrier. */
    if (edge->missing == EDGE_NONE && o && other / c->per_group != wave->group && o->barrier_time >= time &&
        !c->in_order[ROW_AGENT] && o->done[ROW_AGENT] < time)
        edge->missing = EDGE_BARRIER_RELEASE;
}
