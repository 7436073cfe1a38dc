/* SPDX-License-Identifier: GPL-3.0-or-later */
/* history.c: making, passing, restoring and merging checkpoints. */
#include "machine/machine_core.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#define INTERVAL ((uint64_t)65536)        /* h->interval */
#define EARLY ((uint64_t)4096)            /* the shortest, at the launch */
#define EARLY_PART 16                     /* ... and then this part of what was executed */
#define INTERVAL_PER_KB 512               /* instructions that copying a KB is worth */
#define EVEN_DISTANCE ((uint64_t)1 << 24) /* instructions from the present beyond which spacing no longer grows */
#define TURN_MOST ((uint64_t)65536)       /* instructions of a repeated turn */
#define ASK_EVERY ((uint64_t)1024)        /* instructions between questions whether to go on: some take microseconds */
#define NEAR ((uint64_t)16384)            /* instructions from a checkpoint that nobody waits for */

bool history_save(struct gpudbg_machine *m, struct gpudbg_segment *s, uint64_t page)
{
    struct history *h = &core_of(m)->history;
    return !h->n || h->still ||
           pages_save(&h->pool, &h->undo, s, page); /* nothing is kept before the launch is complete */
}

/* A page list starts: every page counts as not saved. */
static void restamp(struct gpudbg_machine *m)
{
    if (++m->stamp < PAGE_WATCHED) return;
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    const struct waves *waves = &core_of(m)->waves;
    for (size_t i = 0; i < space->count; i++)
        for (uint64_t p = 0; p < door_pages(space->segment[i]->size); p++) space->segment[i]->page[p] &= PAGE_WATCHED;
    for (size_t i = 0; i < waves->nlive; i++)
        for (uint64_t p = 0; p < door_pages(m->lds_size); p++) waves->live[i]->local.page[p] &= PAGE_WATCHED;
    m->stamp = 1;
}

/* ---- The state in a checkpoint: for every touched group this, its waves, their registers one after another, its LDS
 * ---- */

struct group_copy {
    uint32_t id;
    uint32_t size; /* of it all */
};

struct wave_copy {
    uint64_t pc, executed;
    uint64_t state;
};

static size_t round_up(size_t n) { return (n + 7) & ~(size_t)7; }

static size_t group_copy_size(const struct gpudbg_machine *m, const struct group *g)
{
    size_t words = 0;
    for (uint32_t i = 0; i < m->waves_per_group; i++) words += wave_state_words(&g->wave[i]);
    return round_up(
        sizeof(struct group_copy) + m->waves_per_group * sizeof(struct wave_copy) + words * 4 + m->lds_size);
}

static size_t state_size(const struct gpudbg_machine *m)
{
    const struct waves *waves = &core_of(m)->waves;
    size_t size = 0;
    for (size_t i = 0; i < waves->nlive; i++)
        if (waves->live[i]->touched) size += group_copy_size(m, waves->live[i]);
    return size;
}

static uint8_t *put(uint8_t *p, const void *from, size_t n)
{
    memcpy(p, from, n);
    return p + n;
}

static const uint8_t *take(const uint8_t *p, void *to, size_t n)
{
    memcpy(to, p, n);
    return p + n;
}

static uint8_t *put_group(const struct gpudbg_machine *m, uint8_t *p, const struct group *g)
{
    const struct group_copy head = {g->id, (uint32_t)group_copy_size(m, g)};
    uint8_t *end = p + head.size;
    p = put(p, &head, sizeof head);
    for (uint32_t i = 0; i < m->waves_per_group; i++) {
        const struct wave_copy wave = {g->wave[i].pc, g->wave[i].executed, g->wave[i].state};
        p = put(p, &wave, sizeof wave);
    }
    for (uint32_t i = 0; i < m->waves_per_group; i++) p = put(p, g->wave[i].words, wave_state_words(&g->wave[i]) * 4);
    if (m->lds_size) p = put(p, g->local.bytes, m->lds_size);
    memset(p, 0, (size_t)(end - p));
    return end;
}

static void take_wave(struct group *g, uint32_t i, const struct wave_copy *copy)
{
    struct gpudbg_wave *w = &g->wave[i];
    if (copy->state == GPUDBG_UNSTARTED) {
        if (w->state != GPUDBG_UNSTARTED) waves_restart(w);
    } else if (copy->state == GPUDBG_ENDED && w->state != GPUDBG_ENDED) {
        g->lost[i] = !waves_final(w);
    }
    if (copy->state != GPUDBG_ENDED) g->lost[i] = false;
    w->state = (uint8_t)copy->state;
    if (copy->state == GPUDBG_UNSTARTED) return;
    w->pc = copy->pc;
    w->executed = copy->executed;
}

static void take_group(const struct gpudbg_machine *m, const uint8_t *p, struct group *g)
{
    p += sizeof(struct group_copy);
    for (uint32_t i = 0; i < m->waves_per_group; i++) {
        struct wave_copy wave;
        p = take(p, &wave, sizeof wave);
        take_wave(g, i, &wave);
    }
    for (uint32_t i = 0; i < m->waves_per_group; i++) p = take(p, g->wave[i].words, wave_state_words(&g->wave[i]) * 4);
    if (m->lds_size) memcpy(g->local.bytes, p, m->lds_size);
    g->touched = true;
}

/* ---- Checkpoints ---- */

static void checkpoint_free(struct history *h, struct checkpoint *c)
{
    h->state_bytes -= c->size;
    free(c->state);
    pages_free(&h->pool, &c->pages);
}

static bool checkpoint_take(struct gpudbg_machine *m, struct checkpoint *c)
{
    const struct core *core = core_of(m);
    *c = (struct checkpoint){
        .position = core->schedule.position,
        .place = core->schedule.place,
        .cursor = core->schedule.cursor,
        .nended = core->waves.nended,
        .size = state_size(m),
    };
    uint8_t *p = c->state = malloc(c->size + 1);
    if (!p) return false;
    for (size_t i = 0; i < core->waves.nlive; i++)
        if (core->waves.live[i]->touched) p = put_group(m, p, core->waves.live[i]);
    return true;
}

bool history_open(struct gpudbg_machine *m, struct gpudbg_error *err)
{
    struct history *h = &core_of(m)->history;
    if (!h->budget) h->budget = HISTORY_BUDGET;
    h->interval = INTERVAL;
    if (!CORE_GROW(h->list, h->room, 0) || !checkpoint_take(m, &h->list[0]))
        return gpudbg_fail(err, "memory", "no memory for history");
    h->n = 1;
    h->state_bytes = h->list[0].size;
    restamp(m);
    return true;
}

void history_close(struct gpudbg_machine *m)
{
    struct history *h = &core_of(m)->history;
    for (size_t i = 0; i < h->n; i++) checkpoint_free(h, &h->list[i]);
    pages_free(&h->pool, &h->undo);
    free(h->list);
    pages_pool_close(&h->pool, h->heir);
}

void history_inherit(struct gpudbg_machine *m, struct gpudbg_machine *old)
{
    core_of(old)->history.heir = &core_of(m)->history.pool;
}

static uint64_t bytes_of(const struct history *h)
{
    return h->state_bytes + h->pool.pages * GPUDBG_PAGE + h->n * sizeof *h->list;
}

uint64_t history_bytes(const struct gpudbg_machine *m) { return bytes_of(&core_of(m)->history); }

/* ---- Thinning ---- */

/* Takes out checkpoint i, which is neither the first nor the present's. */
static bool join_epochs(struct history *h, size_t i)
{
    struct page_list *before = &h->list[i - 1].pages, *after = &h->list[i].pages;
    if (i < h->present) {
        if (!pages_merge(&h->pool, before, after)) return false; /* the oldest contents count */
    } else if (i + 1 == h->n) {
        pages_free(&h->pool, before); /* the last epoch is not kept: it is repeated */
    } else {
        if (!pages_merge(&h->pool, after, before)) return false; /* the newest count */
        *before = *after;
        *after = (struct page_list){0};
    }
    checkpoint_free(h, &h->list[i]);
    memmove(&h->list[i], &h->list[i + 1], (h->n - i - 1) * sizeof *h->list);
    h->n--;
    if (h->present >= i) h->present--;
    return true;
}

/* Registers and LDS may take a quarter: what is left is for pages, which grow by themselves. */
static bool exceeds(const struct history *h, uint64_t budget)
{
    return bytes_of(h) > budget || h->state_bytes > budget / 4;
}

/* One pass: a checkpoint goes if the gap it leaves is at most `grain` 1024ths of its distance from the present.  Near
 * the present checkpoints stay dense; far from it they are even. */
static void thin(struct history *h, uint64_t position, uint64_t grain, uint64_t goal)
{
    for (size_t i = h->n - 1; i > 0 && exceeds(h, goal); i--) {
        if (i == h->present) continue;
        const uint64_t at = h->list[i].position;
        const uint64_t next = i + 1 < h->n ? h->list[i + 1].position : at + INTERVAL;
        uint64_t distance = at > position ? at - position : position - at;
        if (distance > EVEN_DISTANCE) distance = EVEN_DISTANCE;
        if ((next - h->list[i - 1].position) * 1024 <= grain * (distance + 64) && !join_epochs(h, i)) return;
    }
}

static void keep_budget(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    struct history *h = &c->history;
    if (!exceeds(h, h->budget)) return;
    const uint64_t goal = h->budget - h->budget / 8;
    for (uint64_t grain = 1; h->n > 2 && exceeds(h, goal); grain *= 2) {
        thin(h, c->schedule.position, grain, goal);
        if (grain > c->schedule.recorded * 64 + 65536) break;
    }
}

void history_set_budget(struct gpudbg_machine *m, uint64_t bytes)
{
    core_of(m)->history.budget = bytes ? bytes : 1;
    keep_budget(m);
}

/* ---- Passing and making ---- */

/* A new checkpoint here.  Inside recorded time it cuts an epoch in two; the second half keeps the whole list, in which
 * pages written in the first half only are the same at both ends. */
static void checkpoint_here(struct gpudbg_machine *m)
{
    struct history *h = &core_of(m)->history;
    if (h->list[h->present].position == core_of(m)->schedule.position) return;
    struct checkpoint c;
    if (!CORE_GROW(h->list, h->room, h->n) || !checkpoint_take(m, &c))
        return; /* fewer checkpoints: slower, still right */
    struct checkpoint *now = &h->list[h->present];
    memmove(now + 2, now + 1, (h->n - h->present - 1) * sizeof c);
    h->n++;
    h->state_bytes += c.size;
    c.pages = now->pages;
    now->pages = h->undo;
    now[1] = c;
    h->undo = (struct page_list){0};
    h->present++;
    restamp(m);
    keep_budget(m);
}

static bool at_checkpoint(const struct core *c, size_t i)
{
    return i < c->history.n && c->history.list[i].position == c->schedule.position &&
           c->history.list[i].place.edits == c->schedule.place.edits;
}

static void pass_checkpoint(struct gpudbg_machine *m)
{
    struct history *h = &core_of(m)->history;
    if (h->still) {
        h->present++;
        return;
    }
    pages_free(&h->pool, &h->list[h->present].pages);
    h->list[h->present].pages = h->undo;
    h->undo = (struct page_list){0};
    h->present++;
    restamp(m);
}

static uint64_t worth(uint64_t bytes) { return (bytes >> 10) * INTERVAL_PER_KB; }

/* n, but not less than `least` nor more than `most`. */
static uint64_t within(uint64_t least, uint64_t n, uint64_t most) { return n < least ? least : n < most ? n : most; }

/* Instructions after the latest checkpoint at which the next one is worth its cost: fewer where no wave has registers
 * to copy and near the launch (so questions to a short program are answered at once), more where registers and pages
 * are many. */
static bool checkpoint_due(const struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    const struct history *h = &c->history;
    const uint64_t since = c->schedule.position - h->list[h->present].position;
    const uint64_t early = h->interval < EARLY ? h->interval : EARLY;
    const uint64_t interval = within(early, c->schedule.position / EARLY_PART, h->interval);
    if (since < interval / 2) return false;
    const size_t state = state_size(m);
    const uint64_t unit = state ? interval : interval / 2;
    return since >= within(unit, worth(state), 8 * h->interval) &&
           since >= within(unit, worth(h->undo.n * GPUDBG_PAGE), 2 * h->interval);
}

uint64_t history_limit(const struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    const struct history *h = &c->history;
    if (c->schedule.position >= c->schedule.recorded || h->present + 1 >= h->n) return TURN_MOST;
    const uint64_t left = h->list[h->present + 1].position - c->schedule.position;
    return left < TURN_MOST ? left : TURN_MOST;
}

void history_due(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    struct history *h = &c->history;
    for (;;) {
        if (at_checkpoint(c, h->present + 1))
            pass_checkpoint(m);
        else if (schedule_edit_due(m))
            schedule_edit(m);
        else
            break;
    }
    if (h->present + 1 == h->n && !h->still && checkpoint_due(m)) checkpoint_here(m);
}

/* ---- Going ---- */

size_t history_find(const struct gpudbg_machine *m, uint64_t position)
{
    const struct history *h = &core_of(m)->history;
    size_t lo = 0, hi = h->n;
    while (hi - lo > 1) {
        size_t mid = lo + (hi - lo) / 2;
        if (h->list[mid].position <= position)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

/* Memory gets what the lists hold, which stay as they are: those of before the present where they were made still have
 * the contents at their start, those behind it at their end. */
static void restore_still(struct history *h, size_t to)
{
    if (to <= h->present && h->present == h->stood) pages_put_back(&h->undo);
    for (size_t i = h->present + 1; i-- > to;)
        if (i < h->stood) pages_put_back(&h->list[i].pages);
    for (size_t i = h->present; i < to; i++) pages_put_back(&h->list[i].pages);
    h->present = to;
}

void history_still(struct gpudbg_machine *m)
{
    struct history *h = &core_of(m)->history;
    if (!h->still) h->stood = h->present;
    h->still = true;
}

static void restore_memory(struct gpudbg_machine *m, size_t to)
{
    struct history *h = &core_of(m)->history;
    if (h->still) {
        restore_still(h, to);
        return;
    }
    const size_t from = h->present, first = from < to ? from : to, last = from < to ? to : from;
    struct page_journey journey;
    size_t pages = 0;
    pages_put_back(&h->undo);
    pages_empty(&h->pool, &h->undo);
    for (size_t i = first; i < last; i++) pages += h->list[i].pages.n;
    pages_depart(&journey, pages, last - first);
    while (h->present > to) pages_pass(&journey, &h->list[--h->present].pages);
    while (h->present < to) pages_pass(&journey, &h->list[h->present++].pages);
    pages_arrive(&journey);
    restamp(m);
}

static const uint8_t *copy_of(const struct checkpoint *c, uint32_t group)
{
    struct group_copy head;
    for (const uint8_t *p = c->state; p < c->state + c->size; p += head.size) {
        memcpy(&head, p, sizeof head);
        if (head.id == group) return p;
    }
    return NULL;
}

void history_restore(struct gpudbg_machine *m, size_t to)
{
    struct core *core = core_of(m);
    const struct checkpoint *c = &core->history.list[to];
    waves_leave(m);
    restore_memory(m, to);
    for (size_t i = core->waves.nlive; i-- > 0;)
        if (!copy_of(c, core->waves.live[i]->id)) waves_drop(m, core->waves.live[i]);
    core->waves.nended = c->nended;
    struct group_copy head;
    for (const uint8_t *p = c->state; p < c->state + c->size; p += head.size) {
        memcpy(&head, p, sizeof head);
        struct group *g = waves_group(m, head.id);
        if (g) take_group(m, p, g);
    }
    core->schedule.position = c->position;
    core->schedule.place = c->place;
    core->schedule.cursor = c->cursor;
    history_due(m);
}

uint64_t history_executed(const struct gpudbg_machine *m, size_t checkpoint, uint32_t wave)
{
    const struct core *core = core_of(m);
    const struct checkpoint *c = &core->history.list[checkpoint];
    const uint32_t group = wave / m->waves_per_group, index = wave % m->waves_per_group;
    const uint8_t *p = copy_of(c, group);
    if (p) {
        struct wave_copy copy;
        memcpy(&copy, p + sizeof(struct group_copy) + index * sizeof copy, sizeof copy);
        return copy.state == GPUDBG_UNSTARTED ? 0 : copy.executed;
    }
    const size_t end = waves_end_index(m, group);
    return end && end <= c->nended ? core->waves.ended[end - 1].wave[index].executed : 0;
}

static bool lists_page(const struct page_list *list, const struct gpudbg_segment *s, uint64_t first, uint64_t last)
{
    for (size_t i = 0; i < list->n; i++)
        if (list->copy[i].segment == s && list->copy[i].page >= first && list->copy[i].page <= last) return true;
    return false;
}

bool history_stores(
    const struct gpudbg_machine *m, size_t checkpoint, const struct gpudbg_segment *s, uint64_t first, uint64_t last)
{
    const struct history *h = &core_of(m)->history;
    if (lists_page(&h->list[checkpoint].pages, s, first, last)) return true;
    return checkpoint == h->present && lists_page(&h->undo, s, first, last);
}

/* Distances from the goal of a journey back at which checkpoints are left, so that the next steps back are short. */
static uint64_t next_dense(uint64_t left)
{
    static const uint64_t dense[] = {16384, 2048, 256};
    for (size_t i = 0; i < sizeof dense / sizeof *dense; i++)
        if (left > dense[i]) return dense[i];
    return 0;
}

void history_mark(struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    if (c->schedule.position - c->history.list[c->history.present].position > NEAR) checkpoint_here(m);
}

void history_cut(struct gpudbg_machine *m) { checkpoint_here(m); }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* One turn towards the position, of at most ASK_EVERY instructions; returns how many it had. */
static uint64_t seek_turn(struct gpudbg_machine *m, uint64_t position, bool back)
{
    struct core *c = core_of(m);
    const uint64_t left = position - c->schedule.position, most = least(history_limit(m), ASK_EVERY);
    const uint64_t dense = back ? next_dense(left) : 0;
    uint64_t n;
    struct turn turn;
    if (!schedule_recorded(m, &turn)) return 0;
    schedule_run(m, &turn, least(most, left - dense), true, &n);
    core_events_settle(m);
    history_due(m);
    if (dense && position - c->schedule.position == dense) checkpoint_here(m);
    return n;
}

bool history_seek(struct gpudbg_machine *m, uint64_t position, const struct ticker *t)
{
    struct core *c = core_of(m);
    const bool back = position < c->schedule.position, deaf = c->door.deaf;
    const size_t from = history_find(m, position);
    bool go_on = true, interrupted = false;
    if (back || from != c->history.present) history_restore(m, from);
    const uint64_t start = c->schedule.position;
    uint64_t asked = start;
    c->door.deaf = true;
    while (go_on && c->schedule.position < position) {
        alloc_watch();
        const uint64_t n = seek_turn(m, position, back);
        if (!n && !m->interrupt && alloc_short()) xalloc_end(); /* where it stands now, nobody asked to be */
        if (!n && !m->interrupt) break;
        if (m->interrupt) interrupted = true;
        m->interrupt = 0;
        if (t && interrupted) go_on = false;
        if (c->schedule.position - asked < ASK_EVERY) continue;
        asked = c->schedule.position;
        if (!ticker_goes_on(t, asked - start, position - start)) go_on = false;
    }
    if (interrupted && go_on) m->interrupt = 1; /* nobody was asked here: it counts later */
    c->door.deaf = deaf;
    return go_on;
}

void history_truncate(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    struct history *h = &c->history;
    while (h->n > h->present + 1) checkpoint_free(h, &h->list[--h->n]);
    pages_free(&h->pool, &h->list[h->present].pages);
    schedule_truncate(m);
    waves_forget(m);
    core_events_truncate(m);
}

bool history_again(struct gpudbg_machine *m, const struct ticker *t)
{
    struct core *c = core_of(m);
    struct history *h = &c->history;
    const uint64_t now = c->schedule.position;
    history_restore(m, 0);
    while (h->n > h->present + 1) checkpoint_free(h, &h->list[--h->n]);
    pages_free(&h->pool, &h->list[h->present].pages);
    waves_forget(m);
    return history_seek(m, now, t);
}
