/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "past/compare.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine.h"

#define OWN (-2)                      /* number of the watchpoint of a comparison */
#define STORES_MOST ((size_t)1 << 24) /* that are kept of a run, 32 bytes each */
#define SLICE (UINT64_C(1) << 20)     /* instructions, before looking whether the other has ended */
#define FEW 256                       /* bytes that are looked at where there are more stores */

static struct gpudbg_machine *machine_of(const struct compared *c) { return c->running.machine; }

void compared_open(
    struct compared *c, const struct eval *like, struct gpudbg_image *image, struct gpudbg_machine *machine)
{
    *c = (struct compared){.loaded = *like->loaded};
    c->loaded.image = image;
    c->running.machine = machine;
    c->eval = (struct eval){.loaded = &c->loaded,
        .running = &c->running,
        .selection = &c->selection,
        .syntax = like->syntax,
        .ticker = like->ticker};
}

static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct compared *c = data;
    return ticker_goes_on(c->eval.ticker, done, todo);
}

/* ---- The bytes of buffers that both runs have, numbered through ---- */

struct pair {
    const struct gpudbg_bound *bound[2];
    uint64_t first; /* number of its first byte */
    uint64_t size;
};

struct pairs {
    struct pair *list;
    size_t n;
    uint64_t bytes;
    uint8_t *differs; /* a bit for each byte that counts */
};

static bool is_same_argument(const struct gpudbg_machine *a, const struct gpudbg_bound *x,
    const struct gpudbg_machine *b, const struct gpudbg_bound *y)
{
    if (x->param && y->param) return x->param - a->launch->kernel->params == y->param - b->launch->kernel->params;
    return strcmp(x->name, y->name) == 0;
}

static void pairs_open(struct pairs *p, const struct compared *a, const struct compared *b, const char **unlike)
{
    const struct gpudbg_machine *m[2] = {machine_of(a), machine_of(b)};
    *p = (struct pairs){0};
    for (size_t i = 0; i < m[0]->launch->nbound; i++)
        for (size_t k = 0; k < m[1]->launch->nbound; k++) {
            const struct gpudbg_bound *x = &m[0]->launch->bound[i], *y = &m[1]->launch->bound[k];
            if (!x->segment || !y->segment || !is_same_argument(m[0], x, m[1], y)) continue;
            if (x->segment->size != y->segment->size) *unlike = x->name;
            if (x->segment->size != y->segment->size) continue;
            p->list = xrealloc(p->list, p->n + 1, sizeof *p->list);
            p->list[p->n++] = (struct pair){{x, y}, p->bytes, x->segment->size};
            p->bytes += x->segment->size;
        }
}

static void pairs_close(struct pairs *p)
{
    free(p->list);
    free(p->differs);
}

static bool counts(const struct pairs *p, uint64_t byte) { return p->differs[byte / 8] >> byte % 8 & 1; }

static uint64_t mark_differing(struct pairs *p, bool all)
{
    uint64_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        const uint8_t *x = p->list[i].bound[0]->segment->bytes, *y = p->list[i].bound[1]->segment->bytes;
        for (uint64_t k = 0; k < p->list[i].size; k++) {
            const uint64_t byte = p->list[i].first + k;
            if (x[k] != y[k] || all) p->differs[byte / 8] |= (uint8_t)(1u << byte % 8);
            n += x[k] != y[k];
        }
    }
    return n;
}

/* ---- Stores ---- */

struct stored_byte {
    uint64_t byte, position;
    uint32_t order, wave; /* order: among the stores of one instruction */
    int16_t lane;
    uint8_t value;
};

struct collecting {
    struct compared *c;
    const struct pairs *p;
    int side;
    struct stored_byte *list;
    size_t n, room;
    bool full, short_of_memory;
};

static void collect(struct collecting *t, const struct gpudbg_wave *w, uint64_t addr, size_t size, int lane)
{
    for (size_t i = 0; i < t->p->n; i++) {
        const struct pair *pair = &t->p->list[i];
        const struct gpudbg_segment *s = pair->bound[t->side]->segment;
        for (uint64_t a = addr; a < addr + size; a++) {
            if (a < s->base || a - s->base >= s->size || !counts(t->p, pair->first + (a - s->base))) continue;
            if (t->n == STORES_MOST) t->full = true;
            if (t->full) return;
            if (t->n == t->room) {
                const size_t room = t->room ? 2 * t->room : 4096;
                struct stored_byte *more = realloc(t->list, room * sizeof *more);
                if (!more) t->full = t->short_of_memory = true;
                if (!more) return;
                t->list = more;
                t->room = room;
            }
            t->list[t->n] = (struct stored_byte){.byte = pair->first + (a - s->base),
                .position = machine_position(w->machine) - 1,
                .order = (uint32_t)t->n,
                .wave = w->id,
                .lane = (int16_t)lane,
                .value = s->bytes[a - s->base]};
            t->n++;
        }
    }
}

static bool hit(void *data, struct gpudbg_wave *w, int number)
{
    struct collecting *t = data;
    struct machine_access access;
    for (size_t i = 0; number == OWN && machine_watch_access(w->machine, OWN, i, &access); i++)
        collect(t, w, access.addr, access.size, access.lane);
    return t->full;
}

static bool collect_tick(void *data, uint64_t done, uint64_t todo)
{
    const struct collecting *t = data;
    return tick(t->c, done, todo);
}

/* Runs again from the launch to the end, and keeps the stores to bytes that count. */
static bool collect_all(struct collecting *t, uint64_t end, struct gpudbg_error *err)
{
    struct gpudbg_machine *m = machine_of(t->c);
    struct gpudbg_error ignored = {0};
    bool good = true;
    machine_rewind(m);
    for (size_t i = 0; i < t->p->n && good; i++) {
        const struct gpudbg_segment *s = t->p->list[i].bound[t->side]->segment;
        good = machine_watch(m, GPUDBG_GLOBAL, s->base, s->size, false, true, OWN, true, err);
    }
    if (good) {
        const struct gpudbg_stop stop = machine_run(m, &(struct machine_want){.until = MACHINE_POSITION,
                                                           .count = end,
                                                           .stops = true,
                                                           .whole = true,
                                                           .hit = hit,
                                                           .tick = collect_tick,
                                                           .data = t});
        if (stop.reason == GPUDBG_STOP_INTERRUPT) good = gpudbg_fail(err, "interrupt", "interrupted while comparing");
    }
    machine_watch(m, GPUDBG_GLOBAL, 0, 0, false, false, OWN, false, &ignored);
    return good;
}

static int by_byte(const void *x, const void *y)
{
    const struct stored_byte *a = x, *b = y;
    if (a->byte != b->byte) return a->byte < b->byte ? -1 : 1;
    if (a->position != b->position) return a->position < b->position ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

/* Of one instruction's stores to a byte the last one counts: its lane, and what it left. */
static size_t tidied(struct stored_byte *list, size_t n)
{
    size_t to = 0;
    if (n) qsort(list, n, sizeof *list, by_byte);
    for (size_t i = 0; i < n; i++) {
        if (to && list[to - 1].byte == list[i].byte && list[to - 1].position == list[i].position) to--;
        list[to++] = list[i];
    }
    return to;
}

/* Comes before what was found so far: the first run's time decides, else the second's. */
static bool is_earlier(const struct compared_store store[2], const struct comparison *c)
{
    if (!c->found) return true;
    if (store[0].there != c->store[0].there) return store[0].there;
    const int side = !store[0].there;
    return store[side].position < c->store[side].position;
}

static struct compared_store as_store(const struct stored_byte *s)
{
    return s ? (struct compared_store){.there = true,
                   .position = s->position,
                   .wave = s->wave,
                   .lane = s->lane,
                   .value = s->value}
             : (struct compared_store){.there = false};
}

static void find_first(const struct pairs *p, const struct collecting t[2], struct comparison *c)
{
    size_t at[2] = {0, 0};
    while (at[0] < t[0].n || at[1] < t[1].n) {
        uint64_t byte = UINT64_MAX;
        for (int s = 0; s < 2; s++)
            if (at[s] < t[s].n && t[s].list[at[s]].byte < byte) byte = t[s].list[at[s]].byte;
        bool known = false;
        for (;;) {
            const struct stored_byte *now[2];
            for (int s = 0; s < 2; s++)
                now[s] = at[s] < t[s].n && t[s].list[at[s]].byte == byte ? &t[s].list[at[s]] : NULL;
            if (!now[0] && !now[1]) break;
            if (!known && (!now[0] || !now[1] || now[0]->value != now[1]->value)) {
                const struct compared_store store[2] = {as_store(now[0]), as_store(now[1])};
                known = true;
                if (is_earlier(store, c)) {
                    size_t i = 0;
                    while (i + 1 < p->n && p->list[i + 1].first <= byte) i++;
                    c->found = true;
                    c->bound = p->list[i].bound[0];
                    c->offset = byte - p->list[i].first;
                    memcpy(c->store, store, sizeof c->store);
                    for (int s = 0; s < 2; s++) c->store[s].addr = p->list[i].bound[s]->segment->base + c->offset;
                }
            }
            for (int s = 0; s < 2; s++) at[s] += now[s] != NULL;
        }
    }
}

/* Runs on to that position, or to the end. */
static bool run_until(struct compared *c, uint64_t position, struct gpudbg_stop *stop, uint64_t *length)
{
    const struct machine_want want = {.until = MACHINE_POSITION, .count = position, .tick = tick, .data = c};
    *stop = machine_run(machine_of(c), &want);
    *length = machine_position(machine_of(c));
    return stop->reason != GPUDBG_STOP_INTERRUPT;
}

/* Both to their ends; where one does not end although the other has long done so, that is its end. */
static bool run_both(struct compared *both[2], uint64_t limit, struct comparison *c)
{
    for (uint64_t to = SLICE;; to *= 4) {
        const bool last = limit && to >= limit;
        bool on[2];
        for (int s = 0; s < 2; s++) {
            on[s] = to == SLICE || c->end[s].reason == GPUDBG_STOP_STEP;
            if (on[s] && !run_until(both[s], last ? limit : to, &c->end[s], &c->length[s])) return false;
            on[s] = c->end[s].reason == GPUDBG_STOP_STEP;
        }
        if ((!on[0] && !on[1]) || last) return true;
        for (int s = 0; s < 2; s++)
            if (on[s] && !on[!s] && to / 100 > c->length[!s]) return true;
    }
}

/* Fewer bytes, where not all stores can be kept. */
static void narrow(struct pairs *p, struct comparison *c)
{
    uint64_t left = FEW;
    c->limited = true;
    for (uint64_t byte = 0; byte < p->bytes; byte++) {
        if (!counts(p, byte)) continue;
        if (left)
            left--, c->until = byte;
        else
            p->differs[byte / 8] &= (uint8_t) ~(1u << byte % 8);
    }
}

static bool compare_stores(
    struct compared *both[2], struct pairs *p, bool fewer, struct comparison *c, struct gpudbg_error *err)
{
    struct collecting t[2] = {{.c = both[0], .p = p, .side = 0}, {.c = both[1], .p = p, .side = 1}};
    bool good = true, full = false;
    if (fewer) narrow(p, c);
    for (int s = 0; s < 2 && good && !full; s++) {
        good = collect_all(&t[s], c->length[s], err);
        full = t[s].full;
        if (good && full && (fewer || t[s].short_of_memory))
            good = gpudbg_fail(err, "too-large", "more than %zu stores to the bytes that differ", t[s].n);
        t[s].n = tidied(t[s].list, t[s].n);
    }
    if (good && !full) find_first(p, t, c);
    for (int s = 0; s < 2; s++) free(t[s].list);
    return good && (!full || compare_stores(both, p, true, c, err));
}

bool compare_runs(
    struct compared *a, struct compared *b, bool all, uint64_t limit, struct comparison *c, struct gpudbg_error *err)
{
    struct compared *both[2] = {a, b};
    struct pairs p;
    *c = (struct comparison){0};
    if (!run_both(both, limit, c)) return gpudbg_fail(err, "interrupt", "interrupted while comparing");
    pairs_open(&p, a, b, &c->unlike);
    c->bytes = p.bytes;
    p.differs = calloc((size_t)(p.bytes / 8 + 1), 1);
    bool good = p.differs || alloc_failed(err, p.bytes / 8, "the comparison");
    if (good) c->differ = mark_differing(&p, all);
    if (good && (c->differ || all)) good = compare_stores(both, &p, false, c, err);
    for (int s = 0; s < 2 && good && c->found; s++) {
        struct machine_wave_info info;
        if (!c->store[s].there) continue;
        good = machine_go(machine_of(both[s]), c->store[s].position, err);
        machine_wave_info(machine_of(both[s]), c->store[s].wave, &info);
        c->store[s].pc = info.pc;
    }
    pairs_close(&p);
    return good;
}

/* ---- Registers ---- */

void compare_waves(struct gpudbg_wave *a, struct gpudbg_wave *b,
    bool (*each)(
        void *to, unsigned file, unsigned index, int lane, const uint32_t *a, const uint32_t *b, size_t dwords),
    void *to)
{
    const struct gpudbg_isa *isa = a->machine->isa;
    for (unsigned f = 0; f < isa->nfiles && isa == b->machine->isa; f++) {
        const struct gpudbg_regfile *file = &isa->files[f];
        if (!machine_kept(a->machine, f) || !machine_kept(b->machine, f)) continue;
        const unsigned lanes = file->lanes > 1 ? file->lanes : 1, bits = file->bits ? file->bits : 32;
        const size_t each_lane = (bits + 31u) / 32;
        const unsigned na = isa->run->count(a->machine, f), nb = isa->run->count(b->machine, f);
        for (unsigned i = 0; i < (na < nb ? na : nb); i++) {
            size_t n;
            const uint32_t *x = machine_register(a, f, i, &n), *y = machine_register(b, f, i, &n);
            for (unsigned lane = 0; x && y && lane < lanes; lane++, x += each_lane, y += each_lane)
                if (memcmp(x, y, each_lane * sizeof *x) != 0 &&
                    !each(to, f, i, lanes > 1 ? (int)lane : -1, x, y, each_lane))
                    return;
        }
    }
}

static bool first_register(
    void *to, unsigned file, unsigned index, int lane, const uint32_t *a, const uint32_t *b, size_t dwords)
{
    struct compared_register *r = to;
    r->found = true;
    r->file = file;
    r->index = index;
    r->lane = lane;
    size_t first = 0; /* of long registers, the dwords that differ */
    while (dwords > 2 && first + 2 < dwords && a[first] == b[first]) first++;
    r->value[0] = a[first] | (dwords > 1 ? (uint64_t)a[first + 1] << 32 : 0);
    r->value[1] = b[first] | (dwords > 1 ? (uint64_t)b[first + 1] << 32 : 0);
    return false;
}

bool compare_registers(
    struct compared *a, struct compared *b, uint64_t to, struct compared_register *r, struct gpudbg_error *err)
{
    struct gpudbg_machine *m[2] = {machine_of(a), machine_of(b)};
    *r = (struct compared_register){.lane = -1};
    machine_rewind(m[0]);
    machine_rewind(m[1]);
    for (uint64_t at = 0; at < to && !r->found && !r->flow; at++) {
        const uint32_t wave[2] = {machine_next_wave(m[0]), machine_next_wave(m[1])};
        struct gpudbg_wave *w[2];
        if (wave[0] == MACHINE_NO_WAVE && wave[1] == MACHINE_NO_WAVE) break;
        r->position = at;
        r->wave = wave[0];
        r->flow = wave[0] != wave[1];
        for (int s = 0; s < 2 && !r->flow; s++)
            if (!(w[s] = machine_wave(m[s], wave[s], err))) return false;
        if (r->flow) break;
        r->pc = w[0]->pc;
        r->flow = w[0]->pc != w[1]->pc;
        if (r->flow) break;
        if (!machine_go(m[0], at + 1, err) || !machine_go(m[1], at + 1, err)) return false;
        if (machine_position(m[0]) != at + 1 || machine_position(m[1]) != at + 1) break;
        const uint8_t ended = w[0]->state == GPUDBG_ENDED || w[1]->state == GPUDBG_ENDED;
        if (!ended && memcmp(w[0]->words, w[1]->words, (size_t)m[0]->wave_words * sizeof *w[0]->words) != 0)
            compare_waves(w[0], w[1], first_register, r);
        if (at % 1024 == 0 && !ticker_goes_on(a->eval.ticker, at, to))
            return gpudbg_fail(err, "interrupt", "interrupted while comparing registers");
    }
    return true;
}
