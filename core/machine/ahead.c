/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ahead.c: see ahead.h: who runs which groups, and what becomes of the groups that workers ran. */
#include "machine/ahead.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"
#include "machine/ahead_round.h"
#include "machine/replay.h"
#include "machine/unknown.h"

/* In intervals between checkpoints. */
#define FIRST 2         /* show how long groups are */
#define WORTH 8         /* of a process: making it must be cheap beside them */
#define STRETCH_FIRST 2 /* of a worker's stretch, at first and at least: each costs a checkpoint */
#define STRETCH_MOST 16 /* ... at most */
#define FRUITFUL 64     /* that were run ahead: making the processes was no loss */

/* No wave has begun that has not ended, so that memory is all the state there is. */
static bool begins_group(const struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    for (size_t i = 0; i < c->waves.nlive; i++)
        if (c->waves.live[i]->touched) return false;
    return !schedule_ended(m) && !c->schedule.cursor.wave && c->schedule.cursor.left == SCHEDULE_QUANTUM;
}

/* ---- What a worker's group did is done here ---- */

static const uint8_t *end_of(const struct read_words *read)
{
    return (const uint8_t *)(read + 1) + sizeof(uint64_t) * read->n;
}

static const struct wave_end *ends_of(const struct done *d) { return (const struct wave_end *)(const void *)(d + 1); }

static const uint8_t *kept_of(const struct gpudbg_machine *m, const struct done *d)
{
    return (const uint8_t *)(d + 1) + ahead_ends_size(m);
}

static const uint8_t *stores_of(const struct gpudbg_machine *m, const struct done *d)
{
    const uint8_t *p = kept_of(m, d) + d->kept;
    for (uint32_t i = 0; i < d->reads; i++) p = end_of((const struct read_words *)(const void *)p);
    return p;
}

/* writer: who ran the group, and knows what it changed itself. */
static bool read_what_is(const struct gpudbg_machine *m, const struct changed *c, const struct done *d, uint32_t writer)
{
    const uint8_t *p = kept_of(m, d) + d->kept;
    for (uint32_t i = 0; i < d->reads; i++) {
        const struct read_words *read = (const struct read_words *)(const void *)p;
        const struct changed_page *page = changed_find(c, changed_key(read->segment, read->page));
        const uint64_t *dwords = (const uint64_t *)(read + 1);
        for (uint32_t left = page && page->writer != writer ? read->words : 0; left; left &= left - 1)
            if (page->dwords[__builtin_ctz(left)] & *dwords++) return false;
        p = end_of(read);
    }
    return true;
}

/* Copies of the pages that are stored to are kept.  false: no memory. */
static bool save_pages(struct gpudbg_machine *m, const struct done *d)
{
    const uint8_t *p = stores_of(m, d);
    for (uint32_t i = 0; i < d->stores; i++) {
        const struct stored_bytes *head = (const struct stored_bytes *)(const void *)p;
        struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[head->segment];
        if (!door_save(m, s, head->offset >> GPUDBG_PAGE_BITS)) return false;
        p += sizeof *head + ahead_round_up(head->size);
    }
    return true;
}

/* changed: gets what changes; NULL: there is no other worker, who would have to know. */
static void make_stores(struct gpudbg_machine *m, const struct done *d, struct changed *changed, uint32_t writer)
{
    const uint8_t *p = stores_of(m, d);
    for (uint32_t i = 0; i < d->stores; i++) {
        const struct stored_bytes *head = (const struct stored_bytes *)(const void *)p;
        const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[head->segment];
        const uint64_t at = head->offset & (GPUDBG_PAGE - 1);
        p += sizeof *head;
        if (changed && memcmp(s->bytes + head->offset, p, head->size) != 0) {
            const uint64_t key = changed_key(head->segment, head->offset >> GPUDBG_PAGE_BITS);
            struct changed_page *page = changed_add(changed, key);
            for (uint64_t k = at / 4; k <= (at + head->size - 1) / 4; k++)
                changed_mark(page, (unsigned)k / 64, UINT64_C(1) << k % 64, writer);
        }
        memcpy(s->bytes + head->offset, p, head->size);
        p += ahead_round_up(head->size);
    }
}

/* kept: the group's registers; NULL: they can no longer be looked at.  false: no memory. */
static bool count_group(struct share *s, const struct done *d, const uint8_t *kept, uint32_t writer)
{
    struct gpudbg_machine *m = s->r->m;
    const struct wave_end *end = ends_of(d);
    if (!schedule_room(m) || !save_pages(m, d)) return false;
    if (kept) {
        struct group *g = waves_group(m, d->group);
        if (!g) return false;
        waves_take_kept(m, kept, end, g);
        waves_retire(m, g);
    } else if (!waves_retire_unkept(m, d->group, end)) {
        return false;
    }
    make_stores(m, d, s->workers > 1 ? s->changed : NULL, writer);
    schedule_passed(m, d->n);
    core_of(m)->tallied = UINT64_MAX;
    s->r->done += d->n;
    s->r->work += TURN_WORK;
    s->r->over = false;
    history_due(m);
    s->taken++;
    return true;
}

/* How many groups of the answer count: those before the first that read an old dword, or that ends after the limit. */
static uint32_t that_count(struct share *s, const uint8_t *sheet, const struct answer *answer, uint32_t writer)
{
    uint64_t position = core_of(s->r->m)->schedule.position;
    uint32_t n = 0;
    for (size_t at = 0; at < answer->size; n++) {
        const struct done *d = (const struct done *)(const void *)(sheet + at);
        position += d->n;
        if (position > s->r->limit) break;
        if (!read_what_is(s->r->m, s->changed, d, writer)) {
            s->why = "they read what groups before them stored";
            break;
        }
        at += d->size;
    }
    return n;
}

/* The cursor is where the stretch begins.  false: what the worker does from now on does not count. */
static bool take(struct share *s, const struct stretch *stretch, const struct answer *answer)
{
    struct gpudbg_machine *m = s->r->m;
    const uint8_t *sheet = ahead_sheet(s, stretch->worker, stretch->number), *kept = sheet + answer->size;
    const uint32_t writer = CHANGED_HERE + 1 + stretch->worker;
    if (!changed_since(s->changed, m, s->before)) return false;
    const uint32_t all = that_count(s, sheet, answer, writer);
    bool whole = all == answer->groups;
    /* The registers of the two that ended before a group that may stop can be looked at: these are run here. */
    const uint32_t count = whole ? all : all > 2 ? all - 2 : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct done *d = (const struct done *)(const void *)sheet;
        const bool tail = i + 2 >= answer->groups;
        if (!count_group(s, d, tail ? kept : d->kept ? kept_of(m, d) : NULL, writer)) {
            whole = false;
            break;
        }
        kept += tail ? waves_kept_size(m) : 0;
        sheet += d->size;
    }
    const struct machine_observer *observer = run_observer(s->r);
    if (count && observer && observer->passed) observer->passed(observer->data);
    if (whole) s->why = answer->why;
    return whole && !s->why;
}

/* ---- Leading ---- */

/* The groups of this process up to a stretch, in their turn. */
static bool run_here(struct share *s, uint32_t to)
{
    struct run *r = s->r;
    struct turn turn;
    while (core_of(r->m)->schedule.cursor.group < to) {
        if (core_of(r->m)->schedule.position >= r->limit) break;
        if (!schedule_default(r->m, &turn)) break; /* no memory: run.c says so */
        s->stopped = !run_turn(r, &turn, UINT64_MAX);
        if (s->stopped) return false;
    }
    return true;
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    struct run *r = data;
    (void)done, (void)todo;
    const bool go_on = !r->m->interrupt && (!r->want->tick || r->want->tick(r->want->data, r->done, r->todo));
    r->m->interrupt = 0;
    return go_on;
}

/* So many intervals of history are worth a step; tests make them short. */
static uint64_t intervals(const struct core *c, uint64_t n) { return n * c->history.interval; }

/* Instructions of a group, by those that have ended. */
static uint64_t mean(const struct core *c) { return c->schedule.position / c->waves.nended + 1; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Groups of the next stretch: fewer when few are left, so that all are done at about the same time. */
static uint32_t length_of(const struct share *s)
{
    const struct core *c = core_of(s->r->m);
    const uint64_t left = s->dealt < s->end ? s->end - s->dealt : 0, fair = left / (2 * (s->workers + 1));
    const uint64_t shortest = intervals(c, STRETCH_FIRST) / mean(c), most = s->r->ahead.share / mean(c);
    const uint64_t n = least(fair, most);
    return (uint32_t)least(left, (n > shortest ? n : shortest) + 1);
}

/* The worker gets its next order.  After one for each worker, this process has as many groups to do. */
static bool deal(struct share *s, struct parts_crew *crew, uint32_t worker, uint32_t number)
{
    if (s->put_in % s->workers == 0) s->dealt += length_of(s);
    if (s->dealt >= s->end) return true;
    const struct stretch stretch = {{s->dealt, length_of(s)}, worker, number};
    s->queue[s->put_in++ % (s->workers * ORDERS)] = stretch;
    s->dealt += stretch.order.groups;
    return parts_order(crew, worker, &stretch.order, sizeof stretch.order);
}

static enum parts_end lead(void *data, struct parts_crew *crew)
{
    struct share *s = data;
    struct run *r = s->r;
    pages_pool_inherit(&core_of(r->m)->history.pool, true);
    for (uint32_t number = 1; number <= ORDERS; number++)
        for (uint32_t i = 0; i < s->workers; i++)
            if (!deal(s, crew, i, number)) return PARTS_FAILED;
    while (s->taken_out < s->put_in) {
        const struct stretch stretch = s->queue[s->taken_out++ % (s->workers * ORDERS)];
        struct answer answer;
        if (!run_here(s, stretch.order.first)) return PARTS_INTERRUPTED;
        if (core_of(r->m)->schedule.cursor.group != stretch.order.first || !begins_group(r->m)) break;
        atomic_store_explicit(ahead_wanted(s, stretch.worker), stretch.number, memory_order_relaxed);
        const enum parts_end end = parts_hear(crew, stretch.worker, &answer, sizeof answer);
        if (end != PARTS_DONE) return end;
        if (!take(s, &stretch, &answer)) break;
        if (!deal(s, crew, stretch.worker, stretch.number + ORDERS)) return PARTS_FAILED;
        r->ahead.share = least(2 * r->ahead.share, intervals(core_of(r->m), STRETCH_MOST));
        history_cut(r->m);
        s->before = core_of(r->m)->schedule.position;
    }
    return PARTS_DONE;
}

/* Instructions that are still to be run, about. */
static uint64_t to_come(const struct core *c, uint64_t to)
{
    const uint64_t groups = c->waves.ngroups - c->schedule.cursor.group, left = to - c->schedule.position;
    return groups > left / mean(c) ? left : groups * mean(c);
}

/* What is to be done in one order, or by this process; NULL: nothing is. */
static const char *why_alone(const struct run *r)
{
    const struct core *c = core_of(r->m);
    const struct machine_observer *observer = run_observer(r);
    const bool ordered = observer && (!observer->said || (observer->before && !r->m->isa->run->asks));
    return ordered                     ? "a checker follows what several groups do"
           : r->want->every && r->heed ? "each instruction is asked about"
           : c->ncatching              ? "events are caught"
           : c->tallying               ? "the run is counted for a profile"
           : unknown_any(r->m)         ? "some registers of the dump are not known"
           : !waves_stays(r->m, 0)     ? "the registers of a group need too much memory"
                                       : NULL;
}

bool ahead_due(const struct run *r, uint64_t to)
{
    struct core *c = core_of(r->m);
    const struct schedule *s = &c->schedule;
    if (s->position < intervals(c, FIRST) || s->position < r->ahead.not_before || s->position != s->recorded ||
        !begins_group(r->m) || c->waves.nended != s->cursor.group || !s->cursor.group ||
        c->waves.ngroups - s->cursor.group < 2)
        return false;
    const uint64_t left = to_come(c, to), worth = intervals(c, WORTH);
    if (left < 2 * worth || replay_processes(r->m, left, worth) < 2) return false;
    c->ahead.alone = why_alone(r);
    return !c->ahead.alone;
}

/* Memory in common serves all workers of a run.  false: no memory, and nobody is asked again. */
static bool sheets_open(struct run *r, unsigned workers)
{
    if (r->ahead.workers >= workers) {
        memset(r->ahead.sheets + r->ahead.workers * ORDERS * SHEET, 0, 64 * r->ahead.workers);
        return true;
    }
    ahead_close(r);
    const int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    void *sheets = mmap(NULL, ahead_shared_size(workers), PROT_READ | PROT_WRITE, flags, -1, 0);
    if (sheets == MAP_FAILED) {
        r->ahead.not_before = UINT64_MAX;
        return false;
    }
    r->ahead.sheets = sheets;
    r->ahead.workers = workers;
    return true;
}

void ahead_close(struct run *r)
{
    if (r->ahead.workers) munmap(r->ahead.sheets, ahead_shared_size(r->ahead.workers));
    r->ahead.workers = 0;
}

/* The less comes of it, the longer nobody is asked again. */
static void think_over(const struct share *s)
{
    struct run *r = s->r;
    const struct core *c = core_of(r->m);
    const unsigned weight = s->taken ? 1 : 2;
    if (s->taken * mean(c) >= intervals(c, FRUITFUL))
        r->ahead.failed = 0;
    else if (r->ahead.failed < 16)
        r->ahead.failed++;
    r->ahead.share = 0;
    r->ahead.not_before = c->schedule.position + (intervals(c, WORTH) << r->ahead.failed * weight);
}

bool ahead_run(struct run *r, uint64_t to)
{
    struct gpudbg_machine *m = r->m;
    struct core *c = core_of(m);
    const uint64_t left = to_come(c, to);
    const unsigned workers = replay_processes(m, left, intervals(c, WORTH)) - 1;
    const struct ticker ticker = {.tick = tick, .data = r};
    struct changed changed = {0};
    if (!sheets_open(r, workers)) return true;
    history_cut(m);
    if (!r->ahead.share) r->ahead.share = intervals(c, STRETCH_FIRST);
    const uint32_t first = c->schedule.cursor.group;
    struct share s = {.r = r,
        .workers = workers,
        .dealt = first,
        .end = first + (uint32_t)least(c->waves.ngroups - first, left / mean(c) + 1),
        .queue = xcalloc(workers * ORDERS, sizeof *s.queue),
        .before = c->schedule.position,
        .changed = &changed};
    const struct parts_work how = {
        .n = workers, .workers = workers, .ticker = &ticker, .work = ahead_work, .lead = lead, .data = &s};
    pages_pool_inherit(&c->history.pool, false);
    const enum parts_end end = parts_do(&how);
    if (end == PARTS_FAILED) pages_pool_inherit(&c->history.pool, true); /* perhaps nobody has led */
    changed_free(&changed);
    free(s.queue);
    c->ahead.groups += s.taken;
    c->ahead.rounds++;
    if (s.why) c->ahead.alone = s.why;
    if (s.why || end != PARTS_DONE || s.taken_out < s.put_in || !s.put_in) think_over(&s);
    if (end == PARTS_INTERRUPTED && !s.stopped)
        r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_INTERRUPT, .wave = r->want->wave, .lane = -1};
    return end != PARTS_INTERRUPTED;
}
