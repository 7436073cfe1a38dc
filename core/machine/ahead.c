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

/* ---- What a worker's groups did is done here ---- */

static const struct batch *batch_of(const uint8_t *sheet) { return (const struct batch *)(const void *)sheet; }

static const struct read_words *reads_of(const struct batch *b)
{
    return (const struct read_words *)(const void *)((const uint8_t *)b + b->notes);
}

static const struct read_words *next_read(const struct read_words *read)
{
    return (const struct read_words *)(const void *)((const uint64_t *)(read + 1) + read->n);
}

static const struct stored_bytes *stores_of(const struct batch *b)
{
    const struct read_words *read = reads_of(b);
    for (uint32_t i = 0; i < b->reads; i++) read = next_read(read);
    return (const struct stored_bytes *)(const void *)read;
}

static const struct stored_bytes *next_store(const struct stored_bytes *head)
{
    return (const struct stored_bytes *)(const void *)((const uint8_t *)(head + 1) + ahead_round_up(head->size));
}

/* writer: who ran the groups, and knows what it changed itself. */
static bool read_what_is(const struct changed *c, const struct batch *b, uint32_t writer)
{
    const struct read_words *read = reads_of(b);
    for (uint32_t i = 0; i < b->reads; i++, read = next_read(read))
        if (changed_page_read(c, read->segment, read->page, read->words, (const uint64_t *)(read + 1), writer))
            return false;
    return true;
}

/* From which segments the groups have read: a flag a segment. */
static const bool *note_read(const struct share *s, const uint8_t *sheet, size_t size)
{
    memset(s->read, 0, s->r->m->space[GPUDBG_GLOBAL].count);
    for (const uint8_t *end = sheet + size; sheet < end; sheet += batch_of(sheet)->size) {
        const struct read_words *read = reads_of(batch_of(sheet));
        for (uint32_t i = 0; i < batch_of(sheet)->reads; i++, read = next_read(read)) s->read[read->segment] = true;
    }
    return s->read;
}

/* Copies of the pages that are stored to are kept.  false: no memory. */
static bool save_pages(struct gpudbg_machine *m, const struct batch *b)
{
    const struct stored_bytes *head = stores_of(b);
    for (uint32_t i = 0; i < b->stores; i++, head = next_store(head)) {
        struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[head->segment];
        if (!door_save(m, s, head->offset >> GPUDBG_PAGE_BITS)) return false;
    }
    return true;
}

/* changed: gets what changes; NULL: there is no other worker, who would have to know. */
static void make_stores(struct gpudbg_machine *m, const struct batch *b, struct changed *changed, uint32_t writer)
{
    const struct stored_bytes *head = stores_of(b);
    for (uint32_t i = 0; i < b->stores; i++, head = next_store(head)) {
        const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[head->segment];
        const uint8_t *bytes = (const uint8_t *)(head + 1);
        if (changed) changed_stored(changed, head->segment, head->offset, bytes, head->size, writer);
        memcpy(s->bytes + head->offset, bytes, head->size);
    }
}

/* kept: the group's registers; NULL: they can no longer be looked at.  false: no memory. */
static bool end_group(struct gpudbg_machine *m, uint32_t group, const struct wave_end *end, const uint8_t *kept)
{
    if (!kept) return waves_retire_unkept(m, group, end);
    struct group *g = waves_group(m, group);
    if (!g) return false;
    waves_take_kept(m, kept, end, g);
    waves_retire(m, g);
    return true;
}

/* tail: registers of the groups from last - 2 on.  false: no memory, and none of them has ended. */
static bool end_groups(struct gpudbg_machine *m, const struct batch *b, uint32_t last, const uint8_t *tail)
{
    const size_t before = core_of(m)->waves.nended;
    const uint8_t *p = (const uint8_t *)(b + 1);
    for (uint32_t group = b->first; group < b->first + b->groups; group++) {
        const struct wave_end *end = (const struct wave_end *)(const void *)p;
        const uint8_t *kept = b->kept ? p + ahead_ends_size(m) : NULL;
        if (group + 2 >= last) kept = tail + (group + 2 - last) * waves_kept_size(m);
        if (!end_group(m, group, end, kept)) {
            core_of(m)->waves.nended = before;
            waves_forget(m);
            return false;
        }
        p += ahead_ends_size(m) + b->kept;
    }
    return true;
}

/* false: no memory. */
static bool count_batch(struct share *s, const struct batch *b, uint32_t last, const uint8_t *tail, uint32_t writer)
{
    struct gpudbg_machine *m = s->r->m;
    if (!schedule_room(m) || !save_pages(m, b) || !end_groups(m, b, last, tail)) return false;
    make_stores(m, b, s->workers > 1 ? s->changed : NULL, writer);
    schedule_passed(m, b->n);
    core_of(m)->tallied = UINT64_MAX;
    s->r->done += b->n;
    s->r->work += b->groups * TURN_WORK;
    s->r->over = false;
    history_due(m);
    s->taken += b->groups;
    return true;
}

/* How many groups of the answer count: those in batches before the first that read an old dword, or that ends after the
 * limit. */
static uint32_t that_count(struct share *s, const uint8_t *sheet, const struct answer *answer, uint32_t writer)
{
    uint64_t position = core_of(s->r->m)->schedule.position;
    uint32_t n = 0;
    for (const uint8_t *end = sheet + answer->size; sheet < end; sheet += batch_of(sheet)->size) {
        const struct batch *b = batch_of(sheet);
        position += b->n;
        if (position > s->r->limit) break;
        if (!read_what_is(s->changed, b, writer)) {
            s->why = "they read what groups before them stored";
            break;
        }
        n += b->groups;
    }
    return n;
}

/* The cursor is where the stretch begins.  false: what the worker does from now on does not count. */
static bool take(struct share *s, const struct stretch *stretch, const struct answer *answer)
{
    const uint8_t *sheet = ahead_sheet(s, stretch->worker, stretch->number), *tail = sheet + answer->size;
    const uint32_t writer = CHANGED_HERE + 1 + stretch->worker, first = stretch->order.first;
    const bool *read = note_read(s, sheet, answer->size);
    if (!changed_since(s->changed, s->before, read)) return false;
    s->noisy = changed_unknown(s->changed, read, writer);
    if (s->noisy) return false;
    const uint32_t all = that_count(s, sheet, answer, writer);
    bool whole = all == answer->groups && !answer->cut;
    /* The registers of the two that ended before a group that may stop can be looked at: these are run here. */
    const uint32_t last = whole ? first + all : all > 2 ? first + all - 2 : first;
    for (; sheet < tail && batch_of(sheet)->first + batch_of(sheet)->groups <= last; sheet += batch_of(sheet)->size) {
        if (count_batch(s, batch_of(sheet), first + answer->groups, tail, writer)) continue;
        whole = false;
        break;
    }
    const struct machine_observer *observer = run_observer(s->r);
    if (last > first && observer && observer->passed) observer->passed(observer->data);
    if (answer->groups == all) s->why = answer->why;
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

/* This process also does what comes of a stretch, so it leaves less for itself where workers end theirs in time. */
static void balance(struct share *s, bool ended)
{
    if (ended && s->own > 1)
        s->own--;
    else if (!ended && s->own < OWN)
        s->own++;
}

/* The worker gets its next order.  After one for each worker, this process has about as many groups to do. */
static bool deal(struct share *s, struct parts_crew *crew, uint32_t worker, uint32_t number)
{
    if (s->put_in % s->workers == 0) s->dealt += (uint32_t)((uint64_t)length_of(s) * s->own / OWN);
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
        balance(s, answer.groups == stretch.order.groups);
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
    if (left < 2 * worth) return false;
    const char *memory = replay_memory_forbids(r->m) ? "two processes would need more than the setting memory-limit"
                                                     : NULL;
    if (!memory && replay_processes(r->m, left, worth) < 2) return false;
    c->ahead.alone = memory ? memory : why_alone(r);
    return !c->ahead.alone;
}

static void sheets_close(struct run *r)
{
    if (r->ahead.workers) munmap(r->ahead.sheets, ahead_shared_size(r->ahead.workers));
    r->ahead.workers = 0;
}

/* Memory in common serves all workers of a run.  false: no memory, and nobody is asked again. */
static bool sheets_open(struct run *r, unsigned workers)
{
    if (r->ahead.workers >= workers) {
        memset(r->ahead.sheets + r->ahead.workers * ORDERS * SHEET, 0, 64 * r->ahead.workers);
        return true;
    }
    sheets_close(r);
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
    sheets_close(r);
    changed_free(&r->ahead.changed);
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
    if (!sheets_open(r, workers)) return true;
    history_cut(m);
    if (!r->ahead.share) r->ahead.share = intervals(c, STRETCH_FIRST);
    const uint32_t first = c->schedule.cursor.group;
    changed_begin(&r->ahead.changed, m, ahead_tells_loads(r));
    struct share s = {.r = r,
        .workers = workers,
        .own = OWN,
        .dealt = first,
        .end = first + (uint32_t)least(c->waves.ngroups - first, left / mean(c) + 1),
        .queue = xcalloc(workers * ORDERS, sizeof *s.queue),
        .before = c->schedule.position,
        .changed = &r->ahead.changed,
        .read = xcalloc(m->space[GPUDBG_GLOBAL].count, sizeof *s.read)};
    const struct parts_work how = {
        .n = workers, .workers = workers, .ticker = &ticker, .work = ahead_work, .lead = lead, .data = &s};
    pages_pool_inherit(&c->history.pool, false);
    const enum parts_end end = parts_do(&how);
    if (end == PARTS_FAILED) pages_pool_inherit(&c->history.pool, true); /* perhaps nobody has led */
    free(s.queue);
    free(s.read);
    c->ahead.groups += s.taken;
    c->ahead.rounds++;
    if (s.why) c->ahead.alone = s.why;
    if (!s.noisy && (s.why || end != PARTS_DONE || s.taken_out < s.put_in || !s.put_in)) think_over(&s);
    if (end == PARTS_INTERRUPTED && !s.stopped)
        r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_INTERRUPT, .wave = r->want->wave, .lane = -1};
    return end != PARTS_INTERRUPTED;
}
