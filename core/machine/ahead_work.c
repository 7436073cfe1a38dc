/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ahead_work.c: a worker runs groups and notes what they read and store. */
#include "machine/ahead_round.h"

#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/row.h"

/* ---- Noting ---- */

#define STORED_WORDS (GPUDBG_PAGE / 64) /* of a page, each with a bit a byte */

/* A bit a word of `read` and of `stored` says which are not 0. */
struct noted_page {
    uint32_t segment, page;
    uint64_t read_words, stored_words;
    uint64_t read[CHANGED_WORDS];  /* dwords that were read */
    uint64_t stored[STORED_WORDS]; /* bytes that were stored */
};

struct notes {
    struct gpudbg_machine *m;
    uint32_t **slot; /* one list a segment: number of the page in `page`, from 1; 0: not noted */
    struct noted_page *page;
    size_t n, used, room;              /* used: those behind n, up to it, are all 0 */
    const struct gpudbg_segment *last; /* whose number is last_number */
    uint32_t last_number;
    struct {
        const struct gpudbg_segment *segment; /* NULL: no page */
        uint64_t page;
        struct noted_page *noted;
    } recent;                              /* the page noted last: mostly the next one, too */
    size_t ended;                          /* groups, when the worker began */
    bool seen;                             /* the group did something that cannot be done ahead */
    const struct machine_observer *others; /* who watch the run, or NULL; they are told, too */
};

static void notes_open(struct notes *notes, struct gpudbg_machine *m)
{
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    *notes = (struct notes){
        .m = m, .ended = core_of(m)->waves.nended, .slot = xcalloc(space->count, sizeof *notes->slot)};
    for (size_t i = 0; i < space->count; i++)
        notes->slot[i] = xcalloc((size_t)door_pages(space->segment[i]->size) + 1, sizeof **notes->slot);
}

static void notes_clear(struct notes *notes)
{
    for (size_t i = 0; i < notes->n; i++) {
        struct noted_page *p = &notes->page[i];
        notes->slot[p->segment][p->page] = 0;
        for (uint64_t m = p->read_words; m; m &= m - 1) p->read[__builtin_ctzll(m)] = 0;
        for (uint64_t m = p->stored_words; m; m &= m - 1) p->stored[__builtin_ctzll(m)] = 0;
        p->read_words = p->stored_words = 0;
    }
    notes->n = 0;
    notes->recent.segment = NULL;
}

static uint32_t number_of(struct notes *notes, const struct gpudbg_segment *s)
{
    const struct gpudbg_space *space = &notes->m->space[GPUDBG_GLOBAL];
    for (uint32_t i = 0; s != notes->last && i < space->count; i++)
        if (space->segment[i] == s) {
            notes->last = s;
            notes->last_number = i;
        }
    return notes->last_number;
}

static struct noted_page *find_noted(struct notes *notes, const struct gpudbg_segment *s, uint64_t page)
{
    const uint32_t segment = number_of(notes, s);
    uint32_t *slot = &notes->slot[segment][page];
    if (!*slot) {
        if (notes->n == notes->room) notes->page = xgrow(notes->page, notes->n, &notes->room, sizeof *notes->page);
        if (notes->n == notes->used) notes->page[notes->used++] = (struct noted_page){0};
        notes->page[notes->n].segment = segment;
        notes->page[notes->n++].page = (uint32_t)page;
        *slot = (uint32_t)notes->n;
    }
    notes->recent.segment = s;
    notes->recent.page = page;
    notes->recent.noted = &notes->page[*slot - 1];
    return notes->recent.noted;
}

static inline struct noted_page *noted(struct notes *notes, const struct gpudbg_segment *s, uint64_t page)
{
    const bool again = notes->recent.segment == s && notes->recent.page == page;
    return again ? notes->recent.noted : find_noted(notes, s, page);
}

static inline void note_in_page(struct noted_page *p, uint32_t at, uint32_t size, bool write)
{
    uint64_t *mask = write ? p->stored : p->read, *words = write ? &p->stored_words : &p->read_words;
    if (!write) {
        size = (at + size + 3) / 4 - at / 4;
        at /= 4;
    }
    for (uint32_t n; size; at += n, size -= n) { /* mostly once */
        n = 64 - at % 64 < size ? 64 - at % 64 : size;
        mask[at / 64] |= UINT64_MAX >> (64 - n) << at % 64;
        *words |= UINT64_C(1) << at / 64;
    }
}

static void note(struct notes *notes, const struct gpudbg_segment *s, uint64_t at, uint64_t size, bool write)
{
    for (uint64_t n; size; at += n, size -= n) { /* mostly once */
        const uint64_t in_page = at & (GPUDBG_PAGE - 1);
        n = GPUDBG_PAGE - in_page < size ? GPUDBG_PAGE - in_page : size;
        note_in_page(noted(notes, s, at >> GPUDBG_PAGE_BITS), (uint32_t)in_page, (uint32_t)n, write);
    }
}

static void told_one(void *data, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct notes *notes = data;
    if (notes->others && notes->others->access) notes->others->access(notes->others->data, w, a);
    if (a->space != GPUDBG_GLOBAL) return;
    if (a->segment->flags & GPUDBG_SEG_LOGGED) notes->seen = true;
    note(notes, a->segment, a->addr - a->segment->base, a->size, a->write);
}

static void tell_others(const struct machine_observer *others, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    for (uint64_t m = all->lanes; m && others->access && !others->accesses; m &= m - 1) {
        const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
        others->access(others->data, w, &a);
    }
    if (others->access && others->accesses) others->accesses(others->data, w, all);
}

/* A bit a lane, of 64, that accesses neither the place of the lane before it nor the next one. */
static uint64_t jumps(const uint32_t *at, uint32_t step)
{
    uint32_t before[64] = {at[0]};
    memcpy(before + 1, at, 63 * sizeof *at);
    return row_differs(at, before, step);
}

/* Notes a dword a lane.  Most lanes access the page of the lane before. */
static void note_dwords(struct notes *notes, const struct gpudbg_accesses *all)
{
    uint64_t page = UINT64_MAX;
    struct noted_page *p = NULL;
    for (uint64_t m = all->lanes; m; m &= m - 1) {
        const uint64_t at = all->offset[__builtin_ctzll(m)];
        const uint32_t in_page = at & (GPUDBG_PAGE - 1), word = all->write ? in_page / 64 : in_page / 256;
        if (at % 4) {
            note(notes, all->segment, at, 4, all->write);
            page = UINT64_MAX;
            continue;
        }
        if (at >> GPUDBG_PAGE_BITS != page) {
            page = at >> GPUDBG_PAGE_BITS;
            p = noted(notes, all->segment, page);
        }
        if (all->write) {
            p->stored[word] |= UINT64_C(15) << in_page % 64;
            p->stored_words |= UINT64_C(1) << word;
        } else {
            p->read[word] |= UINT64_C(1) << in_page / 4 % 64;
            p->read_words |= UINT64_C(1) << word;
        }
    }
}

/* Notes lanes that follow each other: those with consecutive places at once, and those with the same place once. */
static void note_lanes(struct notes *notes, const struct gpudbg_accesses *all)
{
    uint64_t from = 0, end = 0;
    if (all->size == 4) {
        note_dwords(notes, all);
        return;
    }
    for (uint64_t m = all->lanes; m; m &= m - 1) {
        const uint64_t at = all->offset[__builtin_ctzll(m)];
        if (at + all->size == end) continue;
        if (at != end) {
            note(notes, all->segment, from, end - from, all->write);
            from = at;
        }
        end = at + all->size;
    }
    note(notes, all->segment, from, end - from, all->write);
}

#define MANY 12 /* stretches of places, after which a lane after another takes less time */

static void note_all_lanes(struct notes *notes, const struct gpudbg_accesses *all)
{
    unsigned first = 0, n = 0;
    for (uint64_t left = jumps(all->offset, (uint32_t)all->size); first < 64; left &= left - 1) {
        const unsigned next = left ? (unsigned)__builtin_ctzll(left) : 64;
        const uint64_t from = all->offset[first], end = all->offset[next - 1] + all->size;
        if (end < from || ++n == MANY) { /* end < from: from the end of 4 GB to their start */
            note_lanes(notes, all);
            return;
        }
        note(notes, all->segment, from, end - from, all->write);
        first = next;
    }
}

static void told_row(void *data, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct notes *notes = data;
    uint64_t from, size;
    if (notes->others) tell_others(notes->others, w, all);
    if (all->space != GPUDBG_GLOBAL) return;
    if (all->segment->flags & GPUDBG_SEG_LOGGED) notes->seen = true;
    if (accesses_in_row(all, &from, &size))
        note(notes, all->segment, from, size, all->write);
    else if (all->lanes == UINT64_MAX)
        note_all_lanes(notes, all);
    else
        note_lanes(notes, all);
}

/* Others would be asked before the instruction. */
static bool ask_others(void *data, struct gpudbg_wave *w)
{
    const struct notes *notes = data;
    return notes->others->before(notes->others->data, w);
}

/* ---- Running ---- */

/* Where a worker's answer is put together: in memory that it has in common with this process. */
struct sheet {
    uint8_t *bytes;
    size_t size, most;
    bool full;
};

static inline void put(struct sheet *sheet, const void *bytes, size_t size)
{
    sheet->full |= ahead_round_up(size) > sheet->most - sheet->size;
    if (sheet->full) return;
    memcpy(sheet->bytes + sheet->size, bytes, size);
    sheet->size += ahead_round_up(size);
}

/* Runs the cursor's group to its end; NULL, or why it is to be run in its turn. */
static const char *run_group(struct share *s, struct notes *notes, struct parts_worker *worker, uint64_t *n)
{
    struct gpudbg_machine *m = s->r->m;
    struct core *c = core_of(m);
    const uint32_t group = c->schedule.cursor.group;
    const struct machine_observer *others = notes->others;
    const uint64_t said = others ? others->said(others->data) : 0;
    const size_t events = c->nevents;
    struct turn turn;
    bool over = false;
    *n = 0;
    while (c->schedule.cursor.group == group) {
        uint64_t ran;
        if (!schedule_default(m, &turn)) return "there is no memory for them in other processes";
        c->asked = false;
        c->heeds = true;
        m->ask = others && others->before ? run_ask_observer : NULL;
        const enum gpudbg_ran end = schedule_run(m, &turn, TICK_WORK, over || !s->r->heed, &ran);
        m->ask = NULL;
        *n += ran;
        if (others && others->barrier && end == GPUDBG_RAN_BARRIER) others->barrier(others->data, turn.wave);
        over = end == GPUDBG_RAN_BREAK && !c->asked && run_passes_traces(s->r, turn.wave);
        if (c->asked) return "a checker reports what they do";
        if (end == GPUDBG_RAN_FAULT) return "they fault";
        if ((end == GPUDBG_RAN_BREAK && !over) || end == GPUDBG_RAN_WATCH)
            return "they meet breakpoints or watchpoints";
        if (notes->seen || c->pending || c->nevents != events) return "they write messages or raise events";
        if (!parts_goes_on(worker, 0)) return "the program that they are run for has ended";
    }
    return others && others->said(others->data) != said ? "a checker reports what they do" : NULL;
}

/* The dwords that were read of a page; returns whether there are any. */
static bool put_reads(struct sheet *sheet, const struct noted_page *p)
{
    struct read_words head = {.segment = p->segment, .page = p->page, .words = (uint32_t)p->read_words};
    uint64_t words[CHANGED_WORDS];
    for (uint64_t m = p->read_words; m; m &= m - 1) words[head.n++] = p->read[__builtin_ctzll(m)];
    if (!head.n) return false;
    put(sheet, &head, sizeof head);
    put(sheet, words, head.n * sizeof *words);
    return true;
}

/* The end of a stretch of ones. */
static uint32_t stretch_end(const uint64_t *mask, uint32_t at)
{
    while (at < GPUDBG_PAGE) {
        const uint64_t zeros = ~mask[at / 64] >> at % 64;
        const uint32_t left = 64 - at % 64, ones = zeros ? (uint32_t)__builtin_ctzll(zeros) : left;
        if (ones < left) return at + ones;
        at += left;
    }
    return at;
}

/* The stretches of bytes that were stored to a page; returns how many. */
static uint32_t put_stores(struct sheet *sheet, const struct noted_page *p, const struct gpudbg_machine *m)
{
    const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[p->segment];
    uint32_t n = 0, end = 0;
    for (uint64_t words = p->stored_words; words; words &= words - 1) {
        const uint32_t word = (uint32_t)__builtin_ctzll(words);
        for (uint32_t at = end > 64 * word ? end : 64 * word; at < 64 * (word + 1); at = end) {
            const uint64_t left = p->stored[word] >> at % 64;
            if (!left) break;
            at += (uint32_t)__builtin_ctzll(left);
            end = stretch_end(p->stored, at);
            const struct stored_bytes head = {p->segment, end - at, ((uint64_t)p->page << GPUDBG_PAGE_BITS) + at};
            put(sheet, &head, sizeof head);
            put(sheet, s->bytes + head.offset, head.size);
            n++;
        }
    }
    return n;
}

static void put_kept(struct sheet *sheet, const struct gpudbg_machine *m, uint32_t group)
{
    const size_t size = waves_kept_size(m);
    sheet->full |= size > sheet->most - sheet->size;
    if (sheet->full) return;
    waves_put_kept(m, waves_ended(m, group)->kept, sheet->bytes + sheet->size);
    sheet->size += size;
}

/* ---- Obeying ---- */

#define BATCHES 4        /* of an interval between checkpoints, each of which may be late by one */
#define BATCH_PAGES 1024 /* that a batch notes, about at most */

/* Whether the next group is to begin a batch of its own. */
static bool fills_batch(const struct notes *notes, const struct batch *b)
{
    const struct gpudbg_machine *m = notes->m;
    return b->n >= core_of(m)->history.interval / BATCHES || notes->n >= BATCH_PAGES ||
           waves_stays(m, b->first) != waves_stays(m, b->first + b->groups);
}

/* This process has come to the worker's stretch. */
static bool is_wanted(const struct share *s, const struct stretch *stretch)
{
    return atomic_load_explicit(ahead_wanted(s, stretch->worker), memory_order_relaxed) >= stretch->number;
}

/* Runs groups from `first` on, before `end`, and puts what they did.  b: gets their head.  NULL, or why one of them is
 * to be run in its turn. */
static const char *run_batch(struct share *s, const struct stretch *stretch, struct notes *notes,
    struct parts_worker *worker, struct sheet *sheet, struct batch *b)
{
    struct gpudbg_machine *m = s->r->m;
    const size_t start = sheet->size;
    const uint32_t end = stretch->order.first + stretch->order.groups;
    const char *why = NULL;
    /* When the turn of a group comes, those before it have ended. */
    if (waves_stays(m, b->first)) b->kept = waves_kept_size(m);
    notes_clear(notes);
    put(sheet, b, sizeof *b);
    do {
        const uint32_t group = b->first + b->groups;
        uint64_t ran;
        why = run_group(s, notes, worker, &ran);
        if (why) break;
        put(sheet, waves_ended(m, group)->wave, ahead_ends_size(m));
        if (b->kept) put_kept(sheet, m, group);
        b->groups++;
        b->n += ran;
    } while (b->first + b->groups < end && !fills_batch(notes, b) && !is_wanted(s, stretch));
    b->notes = sheet->size - start;
    for (size_t i = 0; i < notes->n && !why; i++) b->reads += put_reads(sheet, &notes->page[i]);
    for (size_t i = 0; i < notes->n && !why; i++) b->stores += put_stores(sheet, &notes->page[i], m);
    if (sheet->full && !why) why = "what they store takes too much memory";
    b->size = sheet->size - start;
    if (why)
        sheet->size = start;
    else
        memcpy(sheet->bytes + start, b, sizeof *b);
    return why;
}

/* Does an order. */
static struct answer obey(
    struct share *s, const struct stretch *stretch, struct notes *notes, struct parts_worker *worker)
{
    struct gpudbg_machine *m = s->r->m;
    const uint32_t first = stretch->order.first;
    struct sheet sheet = {
        .bytes = ahead_sheet(s, stretch->worker, stretch->number), .most = SHEET - 2 * waves_kept_size(m)};
    struct answer answer = {0};
    core_of(m)->waves.nended = notes->ended; /* those of the last order are no longer asked for */
    waves_forget(m);
    schedule_leap(m, first);
    while (!answer.why && answer.groups < stretch->order.groups && !is_wanted(s, stretch)) {
        struct batch b = {.first = first + answer.groups};
        answer.why = run_batch(s, stretch, notes, worker, &sheet, &b);
        if (answer.why)
            answer.cut = true;
        else
            answer.groups += b.groups;
    }
    answer.size = sheet.size;
    for (uint32_t i = answer.groups < 2 ? 2 - answer.groups : 0; i < 2 && !answer.cut; i++)
        waves_put_kept(
            m, waves_ended(m, first + answer.groups + i - 2)->kept, sheet.bytes + sheet.size + i * waves_kept_size(m));
    return answer;
}

bool ahead_work(void *data, size_t part, struct parts_worker *worker)
{
    struct share *s = data;
    struct gpudbg_machine *m = s->r->m;
    struct stretch stretch = {.worker = (uint32_t)part};
    struct answer answer = {0};
    struct notes notes;
    notes_open(&notes, m);
    notes.others = run_observer(s->r);
    const bool asks = notes.others && notes.others->before;
    const struct machine_observer observer = {
        .data = &notes, .before = asks ? ask_others : NULL, .access = told_one, .accesses = told_row};
    history_still(m);
    door_listen(m, &observer, ahead_tells_loads(s->r));
    while (!answer.why && parts_obey(worker, &stretch.order, sizeof stretch.order)) {
        stretch.number++;
        answer = obey(s, &stretch, &notes, worker);
        if (!parts_report(worker, &answer, sizeof answer)) break;
    }
    while (parts_obey(worker, &stretch.order, sizeof stretch.order)) { /* until nobody leads */
    }
    return true;
}
