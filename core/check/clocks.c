/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clocks.c: see clocks.h.  Clocks of waves and their past are here, words that make an order in clock_words.c. */
#include "check/clocks_inside.h"
#include <string.h>
#include "machine/machine.h"

#define PAST_MOST \
    64 /* changes of a wave's clock that are kept: the latest.  An older store publishes what the oldest has */

/* ---- From start to end ---- */

struct clocks *clocks_new(struct gpudbg_machine *m, struct gpudbg_checks *checks, bool past)
{
    static const struct gpudbg_ordering in_order = {
        .done = {GPUDBG_SCOPE_SYSTEM, GPUDBG_SCOPE_SYSTEM}, .fresh = GPUDBG_SCOPE_SYSTEM};
    struct clocks *c = gpudbg_checks_alloc(checks, 1, sizeof *c);
    c->checks = checks;
    c->model = m->isa->ordering ? m->isa->ordering : &in_order;
    if (c->model->of) c->model = c->model->of(m);
    c->per_group = m->waves_per_group;
    c->nwaves = m->nwaves;
    c->keeps = past;
    c->in_order[ROW_LOCAL] = c->model->done[GPUDBG_LOCAL] >= GPUDBG_SCOPE_GROUP;
    c->in_order[ROW_GROUP] = c->model->done[GPUDBG_GLOBAL] >= GPUDBG_SCOPE_GROUP;
    c->in_order[ROW_AGENT] = c->model->done[GPUDBG_GLOBAL] >= GPUDBG_SCOPE_AGENT;
    c->wave = gpudbg_checks_alloc(checks, m->nwaves, sizeof *c->wave);
    c->group = gpudbg_checks_alloc(checks, m->nwaves / m->waves_per_group, sizeof *c->group);
    return c;
}

const struct gpudbg_ordering *clocks_model(const struct clocks *c) { return c->model; }

static void forget_past(struct clocks *c, struct wave_clock *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) clocks_drop(c, w->past[i].clock);
    w->npast -= n;
    if (w->npast) memmove(w->past, w->past + n, w->npast * sizeof *w->past);
}

void clocks_free(struct clocks *c)
{
    for (uint32_t i = 0; i < c->nwaves; i++) {
        struct wave_clock *w = c->wave[i];
        if (!w) continue;
        forget_past(c, w, w->npast);
        clocks_drop(c, w->now);
        clocks_drop(c, w->near);
        known_drop(c->checks, w->pending);
        known_drop(c->checks, w->unused);
        gpudbg_checks_free(c->checks, w->past);
        gpudbg_checks_free(c->checks, w->seen);
        gpudbg_checks_free(c->checks, w->made);
        gpudbg_checks_free(c->checks, w);
    }
    for (uint32_t i = 0; i < c->nwaves / c->per_group; i++) clocks_group_ends(c, i);
    words_free(c, &c->words);
    gpudbg_checks_free(c->checks, c->wave);
    gpudbg_checks_free(c->checks, c->group);
    gpudbg_checks_free(c->checks, c);
}

void clocks_group_ends(struct clocks *c, uint32_t group)
{
    words_free(c, &c->group[group].words);
    for (unsigned i = 0; i < 2; i++) {
        clocks_drop(c, c->group[group].gather[i]);
        c->group[group].gather[i] = NULL;
    }
}

/* ---- The clock of a wave ---- */

static struct clock *clock_new(struct clocks *c, const struct clock *from)
{
    const size_t n = (size_t)ROWS * c->per_group;
    struct clock *k = gpudbg_checks_alloc(c->checks, 1, sizeof *k + n * sizeof k->row[0]);
    if (from) memcpy(k->row, from->row, n * sizeof k->row[0]);
    k->far = from ? known_share(from->far) : NULL;
    k->refs = 1;
    return k;
}

struct wave_clock *clocks_wave(struct clocks *c, uint32_t id)
{
    if (!c->wave[id]) c->wave[id] = gpudbg_checks_alloc(c->checks, 1, sizeof *c->wave[id]);
    return c->wave[id];
}

struct clock *clocks_write(struct clocks *c, struct clock **k)
{
    if (*k && (*k)->refs == 1) return *k;
    struct clock *own = clock_new(c, *k);
    clocks_drop(c, *k);
    return *k = own;
}

void clocks_join(struct clocks *c, struct clock **to, struct clock *from, unsigned first_row)
{
    struct clock *k = clocks_write(c, to);
    const size_t n = (size_t)first_row * c->per_group;
    times_join(k->row + n, from->row + n, (uint32_t)(ROWS * c->per_group - n));
    known_join(c->checks, &k->far, from->far);
}

void clocks_learn(struct clocks *c, struct clock **k, uint32_t own_group, struct known *far)
{
    const uint32_t *ours = known_find(far, own_group);
    if (!far) return;
    struct clock *to = clocks_write(c, k);
    known_join(c->checks, &to->far, far);
    /* What came back by way of other groups. */
    if (!ours) return;
    times_join(clock_row(c, to, ROW_GROUP), ours, c->per_group);
    times_join(clock_row(c, to, ROW_AGENT), ours, c->per_group);
}

/* The clock, or what is done, has changed: accesses from now on publish something else. */
void clocks_changed(struct clocks *c, struct wave_clock *w)
{
    if (!c->keeps) return;
    struct past *last = w->npast ? &w->past[w->npast - 1] : NULL;
    if (!last || w->stored) {
        if (w->npast == PAST_MOST) forget_past(c, w, PAST_MOST / 2);
        w->past = checks_grow(c->checks, w->past, w->npast, &w->past_room, sizeof *w->past);
        last = &w->past[w->npast++];
        *last = (struct past){.from = c->time + 1};
    }
    w->stored = false;
    clocks_drop(c, last->clock);
    last->clock = w->now;
    if (w->now) w->now->refs++;
    memcpy(last->done, w->done, sizeof last->done);
}

struct publishing clocks_publishing(const struct clocks *c, uint32_t wave, uint32_t time, bool now)
{
    const struct wave_clock *w = c->wave[wave];
    struct publishing p = {.wave = wave, .clock = w ? w->now : NULL};
    const uint32_t *done = w ? w->done : NULL;
    if (w && c->keeps && !now) {
        uint32_t i = w->npast;
        while (i > 1 && w->past[i - 1].from > time) i--;
        const bool before = !i || w->past[i - 1].from > time;
        p.clock = before && w->npast < PAST_MOST / 2 ? NULL : i ? w->past[i - 1].clock : w->now;
        done = before && w->npast < PAST_MOST / 2 ? NULL : i ? w->past[i - 1].done : w->done;
    }
    for (unsigned r = 0; r < ROWS; r++) p.own[r] = c->in_order[r] ? time : done ? done[r] : 0;
    return p;
}

/* ---- What waves do ---- */

uint32_t clocks_tick(struct clocks *c, const struct gpudbg_wave *w, bool store)
{
    if (c->time < UINT32_MAX) c->time++;
    if (store && c->keeps) clocks_wave(c, w->id)->stored = true;
    return c->time;
}

void clocks_stored(struct clocks *c, const struct gpudbg_wave *w) { clocks_wave(c, w->id)->epoch = c->time; }

uint32_t clocks_epoch(const struct clocks *c, uint32_t wave) { return c->wave[wave] ? c->wave[wave]->epoch : 0; }

void clocks_counted(struct clocks *c, const struct gpudbg_wave *wave, unsigned counted)
{
    struct wave_clock *w = clocks_wave(c, wave->id);
    c->counts = true;
    if (!w->first[counted]) w->first[counted] = c->time;
}

/* An instruction waits for accesses to global memory.  Returns the time up to which all are done. */
static uint32_t wait_for(const struct clocks *c, struct wave_clock *w, unsigned of)
{
    uint32_t done = c->time;
    for (unsigned i = GPUDBG_COUNTED_LOADS; i <= GPUDBG_COUNTED_STORES; i++) {
        if (of == GPUDBG_COUNTED_NOT || of == i) w->first[i] = 0;
        if (w->first[i] && w->first[i] <= done) done = w->first[i] - 1;
    }
    if (of != GPUDBG_COUNTED_STORES) w->loaded = c->time;
    return done;
}

/* Loads are fresh: what was acquired before counts.  What is loaded has to be there before. */
static bool refresh(struct clocks *c, struct wave_clock *w, const struct gpudbg_wave *wave)
{
    const uint32_t loaded = clocks_loaded(c, w);
    const bool near = w->near && w->near_fresh >= w->near_from && loaded >= w->near_time;
    if (near) {
        clocks_join(c, &w->now, w->near, ROW_LOCAL);
        clocks_drop(c, w->near);
        w->near = NULL;
    }
    if (!w->pending || clocks_fresh_from(w) < w->pending_time || loaded < w->pending_time) return near;
    clocks_learn(c, &w->now, wave->group, w->pending);
    c->other |= w->pending_other;
    w->pending_other = false;
    known_drop(c->checks, w->pending);
    w->pending = NULL;
    return true;
}

void clocks_order(struct clocks *c, const struct gpudbg_wave *wave, const struct gpudbg_order *o)
{
    const uint8_t global = o->done[GPUDBG_GLOBAL], local = o->done[GPUDBG_LOCAL];
    if (!global && !local && !o->fresh) return;
    struct wave_clock *w = clocks_wave(c, wave->id);
    bool changed = global || local;
    w->epoch = c->time + 1;
    if (local >= GPUDBG_SCOPE_GROUP) w->done[ROW_LOCAL] = c->time;
    if (global) {
        const uint32_t done = wait_for(c, w, o->of);
        if (global >= GPUDBG_SCOPE_GROUP && done > w->done[ROW_GROUP]) w->done[ROW_GROUP] = done;
        if (global >= GPUDBG_SCOPE_AGENT && done > w->done[ROW_AGENT]) w->done[ROW_AGENT] = done;
    }
    if (o->fresh >= GPUDBG_SCOPE_GROUP && !o->outer) w->near_fresh = c->time;
    if (o->fresh >= GPUDBG_SCOPE_AGENT) w->outer_fresh = c->time;
    if (o->fresh >= GPUDBG_SCOPE_GROUP) changed |= refresh(c, w, wave);
    if (changed) clocks_changed(c, w);
}

void clocks_arrive(struct clocks *c, const struct gpudbg_wave *wave)
{
    struct wave_clock *w = clocks_wave(c, wave->id);
    struct group_clocks *g = &c->group[wave->group];
    struct clock **at = &g->gather[++w->barriers & 1];
    if (w->barriers > g->barriers) {
        clocks_drop(c, *at);
        *at = NULL;
        g->barriers = w->barriers;
    }
    struct clock *to = clocks_write(c, at);
    const struct publishing p = clocks_publishing(c, wave->id, c->time, true);
    if (w->now) {
        times_join(to->row, w->now->row, ROWS * c->per_group);
        known_join(c->checks, &to->far, w->now->far);
    }
    for (unsigned r = 0; r < ROWS; r++) clock_row(c, to, r)[wave->index] = p.own[r];
    w->arrived = true;
    w->barrier_time = c->time;
    w->epoch = c->time + 1;
}

bool clocks_go_on(struct clocks *c, const struct gpudbg_wave *wave)
{
    struct wave_clock *w = c->wave[wave->id];
    if (!w || !w->arrived) return false;
    struct clock *from = c->group[wave->group].gather[w->barriers & 1];
    w->arrived = false;
    if (!from) return true;
    if (c->model->fresh >= GPUDBG_SCOPE_GROUP) {
        from->refs++;
        clocks_drop(c, w->now);
        w->now = from;
    } else { /* of global memory it holds once loads are fresh */
        times_join(clock_row(c, clocks_write(c, &w->now), ROW_LOCAL), clock_row(c, from, ROW_LOCAL), c->per_group);
        clocks_join(c, &w->near, from, ROW_LOCAL);
        if (w->near_from < w->barrier_time) w->near_from = w->barrier_time;
    }
    clocks_changed(c, w);
    return true;
}

uint32_t clocks_barriers(const struct clocks *c, uint32_t wave, uint32_t *time)
{
    const struct wave_clock *w = c->wave[wave];
    *time = w ? w->barrier_time : 0;
    return w ? w->barriers : 0;
}

bool clocks_before(const struct clocks *c, const struct gpudbg_wave *wave, bool local, uint32_t other, uint32_t time)
{
    const struct wave_clock *w = c->wave[wave->id];
    const uint32_t group = other / c->per_group, index = other % c->per_group;
    if (c->lost) return true;
    if (!w || !w->now) return false;
    if (group == wave->group) return w->now->row[(local ? ROW_LOCAL : ROW_GROUP) * c->per_group + index] >= time;
    const uint32_t *times = local ? NULL : known_find(w->now->far, group);
    return times && times[index] >= time;
}

bool clocks_done(const struct clocks *c, const struct gpudbg_wave *wave, bool local, bool near, uint32_t time)
{
    const struct wave_clock *w = c->wave[wave->id];
    const unsigned row = local ? ROW_LOCAL : near ? ROW_GROUP : ROW_AGENT;
    return c->in_order[row] || (w && w->done[row] >= time);
}

bool clocks_near(const struct clocks *c) { return c->in_order[ROW_GROUP]; }

bool clocks_fresh(const struct clocks *c, const struct gpudbg_wave *wave, uint32_t time)
{
    const struct wave_clock *w = c->wave[wave->id];
    if (c->model->fresh >= GPUDBG_SCOPE_AGENT) return true;
    return w && clocks_fresh_from(w) >= time && clocks_loaded(c, w) >= time;
}

bool clocks_only_locks(const struct clocks *c) { return !c->other && !c->lost; }

void clocks_other_than_locks(struct clocks *c) { c->other = true; }
