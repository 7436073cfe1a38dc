/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ahead.c: see ahead.h: rounds, and what becomes of the groups that workers ran. */
#include "machine/ahead.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "machine/ahead_round.h"
#include "machine/changed.h"
#include "machine/replay.h"
#include "machine/unknown.h"

#define FIRST 2         /* intervals between checkpoints that show how long groups are */
#define SHARE_LEAST 8   /* intervals of a process in a round: making it must be cheap beside them */
#define SHARE_MOST 1024 /* ... and nobody waits long for Ctrl-C or a breakpoint */
#define PACE 48         /* of a worker, at first: it notes what it does */

/* No wave has begun that has not ended, so that memory is all the state there is. */
static bool begins_group(const struct gpudbg_machine *m)
{
    const struct core *c = core_of(m);
    for (size_t i = 0; i < c->waves.nlive; i++)
        if (c->waves.live[i]->touched) return false;
    return !schedule_ended(m) && !c->schedule.cursor.wave && c->schedule.cursor.left == SCHEDULE_QUANTUM;
}

/* ---- What a worker's group did is done here ---- */

static const uint8_t *end_of(const struct read_lines *read)
{
    return (const uint8_t *)(read + 1) + ahead_round_up(2 * (size_t)__builtin_popcountll(read->lines));
}

static const struct wave_end *ends_of(const struct done *d) { return (const struct wave_end *)(const void *)(d + 1); }

static const uint8_t *kept_of(const struct gpudbg_machine *m, const struct done *d)
{
    return (const uint8_t *)(d + 1) + ahead_ends_size(m);
}

static const uint8_t *stores_of(const struct gpudbg_machine *m, const struct done *d)
{
    const uint8_t *p = kept_of(m, d) + d->kept;
    for (uint32_t i = 0; i < d->reads; i++) p = end_of((const struct read_lines *)(const void *)p);
    return p;
}

static bool read_what_is(const struct gpudbg_machine *m, const struct changed *c, const struct done *d)
{
    const uint8_t *p = kept_of(m, d) + d->kept;
    for (uint32_t i = 0; i < d->reads; i++) {
        const struct read_lines *read = (const struct read_lines *)(const void *)p;
        const struct changed_page *page = changed_find(c, changed_key(read->segment, read->page));
        const uint16_t *dwords = (const uint16_t *)(read + 1);
        for (uint64_t left = page ? read->lines : 0; left; left &= left - 1)
            if (page->dwords[__builtin_ctzll(left)] & *dwords++) return false;
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

/* later: gets what changes; NULL: no other worker's groups follow. */
static void make_stores(struct gpudbg_machine *m, const struct done *d, struct changed *later)
{
    const uint8_t *p = stores_of(m, d);
    for (uint32_t i = 0; i < d->stores; i++) {
        const struct stored_bytes *head = (const struct stored_bytes *)(const void *)p;
        const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[head->segment];
        const uint64_t at = head->offset & (GPUDBG_PAGE - 1);
        p += sizeof *head;
        if (later && memcmp(s->bytes + head->offset, p, head->size) != 0) {
            struct changed_page *page = changed_add(
                later, changed_key(head->segment, head->offset >> GPUDBG_PAGE_BITS));
            for (uint64_t k = at / 4; k <= (at + head->size - 1) / 4; k++)
                page->dwords[k / 16] |= (uint16_t)(1u << k % 16);
        }
        memcpy(s->bytes + head->offset, p, head->size);
        p += ahead_round_up(head->size);
    }
}

/* kept: the group's registers; NULL: they can no longer be looked at. */
static bool count_group(struct share *s, const struct done *d, const uint8_t *kept, struct changed *later)
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
    make_stores(m, d, later);
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
static uint32_t that_count(const struct share *s, const uint8_t *sheet, size_t size)
{
    uint64_t position = core_of(s->r->m)->schedule.position;
    uint32_t n = 0;
    for (size_t at = 0; at < size; n++) {
        const struct done *d = (const struct done *)(const void *)(sheet + at);
        position += d->n;
        if (position > s->r->limit || !read_what_is(s->r->m, s->changed, d)) break;
        at += d->size;
    }
    return n;
}

static bool take(void *data, size_t part, const void *bytes, size_t size)
{
    struct share *s = data;
    struct gpudbg_machine *m = s->r->m;
    const uint8_t *sheet = ahead_sheet(s, part);
    const bool more = part + 1 < s->workers; /* groups of other workers */
    struct changed later = {0};
    struct answer answer;
    uint32_t first;
    const uint32_t n = ahead_groups_of(s, part, &first);
    s->refused = true;
    if (size != sizeof answer || core_of(m)->schedule.cursor.group != first || !begins_group(m)) return false;
    if (part == 0 && !changed_since(s->changed, m, s->before)) return false;
    if (part == 0 && more) changed_compare(s->changed);
    memcpy(&answer, bytes, sizeof answer);
    const uint8_t *kept = sheet + answer.size;
    uint32_t count = that_count(s, sheet, answer.size);
    s->refused = count < answer.groups || (more && count < n);
    /* The registers of the two that ended before a group that may stop can be looked at: these are run here. */
    if (count < answer.groups) count = count > 2 ? count - 2 : 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct done *d = (const struct done *)(const void *)sheet;
        const bool tail = i + 2 >= answer.groups;
        if (!count_group(s, d, tail ? kept : d->kept ? kept_of(m, d) : NULL, more ? &later : NULL)) {
            s->refused = true;
            break;
        }
        kept += tail ? waves_kept_size(m) : 0;
        sheet += d->size;
    }
    changed_join(s->changed, &later);
    const struct machine_observer *observer = run_observer(s->r);
    if (count && observer && observer->passed) observer->passed(observer->data);
    return !s->refused;
}

/* ---- A round ---- */

/* The groups of this process, in their turn. */
static bool meanwhile(void *data)
{
    struct share *s = data;
    struct run *r = s->r;
    struct turn turn;
    while (core_of(r->m)->schedule.cursor.group < s->first + s->here) {
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

/* So many intervals of history are worth a step of a round; tests make them short. */
static uint64_t intervals(const struct core *c, uint64_t n) { return n * c->history.interval; }

/* Instructions of a group, by those that have ended. */
static uint64_t mean(const struct core *c) { return c->schedule.position / c->waves.nended + 1; }

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
    const uint64_t left = to_come(c, to), least = intervals(c, SHARE_LEAST);
    if (left < 2 * least || replay_processes(r->m, left, least) < 2) return false;
    c->ahead.alone = why_alone(r);
    return !c->ahead.alone;
}

/* Whether what is left behind a round of so many groups is too little for another one: this one takes all of it. */
static bool is_last(const struct core *c, uint32_t left, uint64_t groups, uint64_t least)
{
    return groups < left && (left - groups) * mean(c) < 2 * least;
}

/* They serve all rounds of a run.  false: no memory, and no round will be due. */
static bool sheets_open(struct run *r, unsigned workers)
{
    if (r->ahead.nsheets >= workers) return true;
    ahead_close(r);
    const int flags = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE;
    void *sheets = mmap(NULL, workers * SHEET, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (sheets == MAP_FAILED) {
        r->ahead.not_before = UINT64_MAX;
        return false;
    }
    r->ahead.sheets = sheets;
    r->ahead.nsheets = workers;
    return true;
}

void ahead_close(struct run *r)
{
    if (r->ahead.nsheets) munmap(r->ahead.sheets, r->ahead.nsheets * SHEET);
    r->ahead.nsheets = 0;
}

bool ahead_run(struct run *r, uint64_t to)
{
    struct gpudbg_machine *m = r->m;
    struct core *c = core_of(m);
    const uint32_t left = c->waves.ngroups - c->schedule.cursor.group;
    const uint64_t least = intervals(c, SHARE_LEAST);
    const unsigned workers = replay_processes(m, to_come(c, to), least) - 1;
    const struct ticker ticker = {.tick = tick, .data = r};
    struct changed changed = {0};
    if (!sheets_open(r, workers)) return true;
    history_cut(m);
    if (!r->ahead.share) r->ahead.share = least;
    if (!r->ahead.pace) r->ahead.pace = PACE;
    /* While this process runs one group, a worker runs pace / 64. */
    const uint64_t each = r->ahead.share / mean(c) + 1, fair = (uint64_t)left * 64 / (64 + workers * r->ahead.pace) + 1;
    struct share s = {.r = r,
        .first = c->schedule.cursor.group,
        .here = (uint32_t)(each < fair ? each : fair),
        .workers = 1,
        .before = c->schedule.position,
        .changed = &changed};
    s.there = (uint32_t)((uint64_t)s.here * r->ahead.pace / 64) + 1;
    while (s.workers < workers && s.here + s.there * s.workers < left) s.workers++;
    if (is_last(c, left, s.here + s.there * s.workers, least)) {
        s.workers = workers;
        s.here = (uint32_t)fair;
        s.there = (uint32_t)((left - fair) / workers) + 1;
    }
    if (s.here >= left) s.here = left - 1;
    const struct parts_work how = {.n = s.workers,
        .workers = (unsigned)s.workers,
        .ticker = &ticker,
        .work = ahead_work,
        .take = take,
        .meanwhile = meanwhile,
        .data = &s};
    const enum parts_end end = parts_do(&how);
    changed_free(&changed);
    c->ahead.groups += s.taken;
    c->ahead.rounds++;
    if (end == PARTS_DONE && !s.refused) {
        const uint64_t pace = (s.taken - s.there * (s.workers - 1)) * 64 / s.here;
        r->ahead.failed = 0;
        r->ahead.pace = pace < 8 ? 8 : pace > 128 ? 128 : (unsigned)pace;
        if (r->ahead.share < intervals(c, SHARE_MOST)) r->ahead.share *= 2;
    } else {
        /* The less comes of it, the longer it is left alone. */
        if (r->ahead.failed < 16) r->ahead.failed++;
        r->ahead.share = least;
        r->ahead.not_before = c->schedule.position + (least << r->ahead.failed * (s.taken ? 1 : 2));
        if (end == PARTS_DONE) c->ahead.alone = "groups read what groups before them stored";
    }
    if (end == PARTS_INTERRUPTED && !s.stopped)
        r->stop = (struct gpudbg_stop){.reason = GPUDBG_STOP_INTERRUPT, .wave = r->want->wave, .lane = -1};
    return end != PARTS_INTERRUPTED;
}
