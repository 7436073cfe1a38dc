/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ahead_work.c: a worker of a round runs groups and notes what they read and store. */
#include "machine/ahead_round.h"

#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

/* ---- Noting ---- */

/* A bit a word of `read` and of `stored` says which are not 0. */
struct noted_page {
    uint32_t segment, page;
    uint64_t read_words, stored_words;
    uint64_t read[LINES / 4]; /* dwords that were read */
    uint64_t stored[LINES];   /* bytes that were stored */
};

struct notes {
    struct gpudbg_machine *m;
    uint32_t **slot; /* one list a segment: number of the page in `page`, from 1; 0: not noted */
    struct noted_page *page;
    size_t n, used, room;        /* used: those behind n, up to it, are all 0 */
    struct gpudbg_segment *last; /* whose number is last_number */
    uint32_t last_number;
    bool seen;                             /* the group did something that cannot be done ahead */
    const struct machine_observer *others; /* who watch the run, or NULL; they are told, too */
};

static void notes_open(struct notes *notes, struct gpudbg_machine *m)
{
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    *notes = (struct notes){.m = m, .slot = xcalloc(space->count, sizeof *notes->slot)};
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
}

static uint32_t number_of(struct notes *notes, struct gpudbg_segment *s)
{
    const struct gpudbg_space *space = &notes->m->space[GPUDBG_GLOBAL];
    for (uint32_t i = 0; s != notes->last && i < space->count; i++)
        if (space->segment[i] == s) {
            notes->last = s;
            notes->last_number = i;
        }
    return notes->last_number;
}

static struct noted_page *noted(struct notes *notes, struct gpudbg_segment *s, uint64_t page)
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
    return &notes->page[*slot - 1];
}

/* n bits from bit `from` on, of a word. */
static uint64_t bits(unsigned from, unsigned n) { return (n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX) << from; }

static void note_in_page(struct noted_page *p, uint32_t at, uint32_t size, bool write)
{
    uint64_t *mask = write ? p->stored : p->read, *words = write ? &p->stored_words : &p->read_words;
    if (!write) {
        size = (at + size + 3) / 4 - at / 4;
        at /= 4;
    }
    for (uint32_t n; size; at += n, size -= n) {
        n = 64 - at % 64 < size ? 64 - at % 64 : size;
        mask[at / 64] |= bits(at % 64, n);
        *words |= UINT64_C(1) << at / 64;
    }
}

static void note(struct notes *notes, struct gpudbg_segment *s, uint64_t at, uint64_t size, bool write)
{
    while (size) {
        const uint64_t in_page = at & (GPUDBG_PAGE - 1);
        const uint64_t n = GPUDBG_PAGE - in_page < size ? GPUDBG_PAGE - in_page : size;
        note_in_page(noted(notes, s, at >> GPUDBG_PAGE_BITS), (uint32_t)in_page, (uint32_t)n, write);
        at += n;
        size -= n;
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

/* Lanes with consecutive places are noted at once, and lanes with the same place once. */
static void told_row(void *data, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct notes *notes = data;
    if (notes->others) tell_others(notes->others, w, all);
    if (all->space != GPUDBG_GLOBAL) return;
    if (all->segment->flags & GPUDBG_SEG_LOGGED) notes->seen = true;
    uint64_t from = 0, end = 0;
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

static void put(struct sheet *sheet, const void *bytes, size_t size)
{
    sheet->full |= ahead_round_up(size) > sheet->most - sheet->size;
    if (sheet->full) return;
    memcpy(sheet->bytes + sheet->size, bytes, size);
    sheet->size += ahead_round_up(size);
}

/* Runs the cursor's group to its end.  false: it is to be run in its turn. */
static bool run_group(struct share *s, struct notes *notes, struct parts_worker *worker, uint64_t *n)
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
        if (!schedule_default(m, &turn)) return false;
        c->asked = false;
        c->heeds = true;
        m->ask = others && others->before ? run_ask_observer : NULL;
        const enum gpudbg_ran end = schedule_run(m, &turn, TICK_WORK, over || !s->r->heed, &ran);
        m->ask = NULL;
        *n += ran;
        if (others && others->barrier && end == GPUDBG_RAN_BARRIER) others->barrier(others->data, turn.wave);
        over = end == GPUDBG_RAN_BREAK && !c->asked && run_passes_traces(s->r, turn.wave);
        if (end == GPUDBG_RAN_FAULT || (end == GPUDBG_RAN_BREAK && !over) || end == GPUDBG_RAN_WATCH || notes->seen ||
            c->asked || c->pending || c->nevents != events || !parts_goes_on(worker, ran))
            return false;
    }
    return !others || others->said(others->data) == said;
}

/* The dwords that were read of a page; returns whether there are any. */
static bool put_reads(struct sheet *sheet, const struct noted_page *p)
{
    struct read_lines head = {.segment = p->segment, .page = p->page};
    uint16_t dwords[LINES];
    unsigned n = 0;
    for (uint64_t m = p->read_words; m; m &= m - 1) {
        const unsigned word = (unsigned)__builtin_ctzll(m);
        for (unsigned i = 0; i < 4; i++) {
            dwords[n] = (uint16_t)(p->read[word] >> 16 * i);
            head.lines |= (uint64_t)(dwords[n] != 0) << (4 * word + i);
            n += dwords[n] != 0;
        }
    }
    if (!n) return false;
    put(sheet, &head, sizeof head);
    put(sheet, dwords, n * sizeof *dwords);
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
    waves_put_kept(m, waves_ended(m, group)->kept, sheet->bytes + sheet->size);
    sheet->size += waves_kept_size(m);
}

/* kept: with its registers.  false: there is no room. */
static bool put_group(struct sheet *sheet, const struct notes *notes, uint32_t group, uint64_t n, bool kept)
{
    struct gpudbg_machine *m = notes->m;
    const size_t start = sheet->size;
    struct done d = {.n = n, .group = group, .kept = kept ? waves_kept_size(m) : 0};
    put(sheet, &d, sizeof d);
    put(sheet, waves_ended(m, group)->wave, ahead_ends_size(m));
    sheet->full |= d.kept > sheet->most - sheet->size;
    if (kept && !sheet->full) put_kept(sheet, m, group);
    for (size_t i = 0; i < notes->n; i++) d.reads += put_reads(sheet, &notes->page[i]);
    for (size_t i = 0; i < notes->n; i++) d.stores += put_stores(sheet, &notes->page[i], m);
    if (sheet->full) {
        sheet->size = start;
        return false;
    }
    d.size = sheet->size - start;
    memcpy(sheet->bytes + start, &d, sizeof d);
    return true;
}

bool ahead_work(void *data, size_t part, struct parts_worker *worker)
{
    struct share *s = data;
    struct gpudbg_machine *m = s->r->m;
    struct core *c = core_of(m);
    struct sheet sheet = {.bytes = ahead_sheet(s, part), .most = SHEET - 2 * waves_kept_size(m)};
    struct notes notes;
    struct answer answer = {0};
    uint32_t first;
    const uint32_t n = ahead_groups_of(s, part, &first);
    const size_t before = c->waves.nended + (first - s->first); /* groups that have ended when its turn comes */
    const bool last = part + 1 == s->workers;
    notes_open(&notes, m);
    notes.others = run_observer(s->r);
    const bool asks = notes.others && notes.others->before;
    const struct machine_observer observer = {
        .data = &notes, .before = asks ? ask_others : NULL, .access = told_one, .accesses = told_row};
    history_still(m);
    door_listen(m, &observer);
    schedule_leap(m, first);
    for (uint64_t ran; answer.groups < n && !(last && parts_enough(worker)); answer.groups++) {
        notes_clear(&notes);
        if (!run_group(s, &notes, worker, &ran) ||
            !put_group(&sheet, &notes, first + answer.groups, ran, waves_stays(m, before + answer.groups)))
            break;
    }
    answer.size = sheet.size;
    for (uint32_t i = answer.groups < 2 ? 0 : answer.groups - 2; i < answer.groups; i++) put_kept(&sheet, m, first + i);
    parts_answer(worker, &answer, sizeof answer);
    return true;
}
