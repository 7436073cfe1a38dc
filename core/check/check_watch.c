/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check_watch.c: checkers that watch a run.  The machine calls these functions for each instruction, load and store;
 * they call each checker. */
#include "check/watch.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "base/alloc.h"
#include "gpudbg/unset.h"
#include "check/arrays.h"
#include "machine/machine.h"
#include "machine/row.h"

#define POOL ((size_t)2 << 30) /* most bytes for the state of one checker */
#define LONG 100000            /* nanoseconds; more means that another process ran meanwhile */

struct gpudbg_checks *checks_new(struct eval *eval, const struct check_options *options)
{
    struct gpudbg_checks *c = xalloc(sizeof *c);
    c->eval = eval;
    c->options = options;
    return c;
}

bool checks_left(struct gpudbg_checks *c)
{
    const bool left = c->started && c->count > c->before;
    if (left) c->said = c->before;
    c->before = c->count;
    return left;
}

struct array_functions *checks_functions(struct gpudbg_checks *c)
{
    if (!c->functions) c->functions = xalloc(sizeof *c->functions);
    return c->functions;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* To be called before a function of the watcher.  Returns the time, if it is measured. */
static inline uint64_t begins(struct gpudbg_checks *c, struct watcher *w)
{
    c->now = w;
    c->aside = 0;
    return c->measured ? nanoseconds() : 0;
}

static inline void ended(const struct gpudbg_checks *c, struct watcher *w, uint64_t began)
{
    if (!c->measured) return;
    const uint64_t spent = nanoseconds() - began - c->aside;
    if (spent >= LONG) return;
    w->spent += spent;
    w->calls++;
}

/* The time for new memory is not counted: it is spent early, and would mislead. */
void *gpudbg_checks_alloc(struct gpudbg_checks *c, size_t n, size_t size)
{
    const uint64_t began = c->measured ? nanoseconds() : 0;
    void *new = pool_alloc(c->now->pool, n, size);
    if (!c->measured) return new;
    memset(new, 0, n * size);
    c->aside += nanoseconds() - began;
    return new;
}

void gpudbg_checks_free(struct gpudbg_checks *c, void *what) { pool_free(c->now->pool, what); }

void *checks_grow(struct gpudbg_checks *c, void *array, size_t n, size_t *room, size_t size)
{
    if (n < *room) return array;
    const size_t want = n < 4 ? 8 : 2 * n;
    void *larger = gpudbg_checks_alloc(c, want, size);
    if (n) memcpy(larger, array, n * size);
    gpudbg_checks_free(c, array);
    *room = want;
    return larger;
}

void checks_hear_dwords(struct gpudbg_checks *c) { c->now->dwords = true; }

/* Calls one function of every watcher that has it. */
#define TELL(c, function, ...)                                                       \
    do {                                                                             \
        (c)->event++;                                                                \
        for (struct watcher *w_ = (c)->watch; w_ < (c)->watch + (c)->nwatch; w_++) { \
            if (!w_->here || !w_->checker->function) continue;                       \
            const uint64_t began_ = begins(c, w_);                                   \
            w_->checker->function(w_->state, __VA_ARGS__);                           \
            ended(c, w_, began_);                                                    \
        }                                                                            \
    } while (0)

/* Keeps the wave's calls as they are before the instruction. */
static void follow_calls(struct gpudbg_checks *c, const struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct calls **calls = &c->calls[w->id];
    while (*calls && (*calls)->n && (*calls)->of[(*calls)->n - 1].back == w->pc) (*calls)->n--;
    if (insn->op->flags & GPUDBG_OP_CALL) {
        if (!*calls) *calls = xalloc(sizeof **calls);
        if ((*calls)->n == CHECK_CALLS) memmove((*calls)->of, (*calls)->of + 1, --(*calls)->n * sizeof(*calls)->of[0]);
        (*calls)->of[(*calls)->n].pc = w->pc;
        (*calls)->of[(*calls)->n++].back = w->pc + insn->size;
    }
    if (!(gpudbg_insn_does(insn) & GPUDBG_OP_END)) return;
    free(*calls);
    *calls = NULL;
}

/* Decides whether the next instruction is timed: one in so many, at random, because of loops. */
static void sample(struct gpudbg_checks *c)
{
    c->random = c->random * UINT32_C(1664525) + UINT32_C(1013904223);
    c->measured = c->random < UINT32_MAX / c->sampling;
}

void gpudbg_checks_idle(struct gpudbg_checks *c, const struct gpudbg_wave *w, bool idle)
{
    uint64_t *busy = w ? &c->busy[w->id] : &c->any_busy;
    const uint64_t bit = c->now->bit;
    if (bit >> TOLD_SINGLE) return; /* it is not theirs alone */
    *busy = idle ? *busy & ~bit : *busy | bit;
}

/* Finds out which watchers want to be told before the instruction. */
static void find_wants(struct gpudbg_checks *c, struct told *at)
{
    at->known = true;
    at->wants = at->always = 0;
    at->nlist = 0;
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++) {
        const struct gpudbg_checker *k = w->checker;
        if (!w->here || !k->before || (k->heeds && !k->heeds(w->state, &at->insn))) continue;
        at->wants |= w->bit;
        if (!k->rests || !k->rests(w->state, &at->insn)) at->always |= w->bit;
        if (at->nlist < TOLD_LIST) at->list[at->nlist++] = w;
    }
    if (at->wants >> TOLD_SINGLE || at->nlist == TOLD_LIST) at->nlist = 0;
}

static inline void tell_one(
    struct gpudbg_checks *c, struct watcher *to, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint64_t began = begins(c, to);
    to->before(to->state, w, insn);
    ended(c, to, began);
}

/* Those of `wants` that are measured, or have no bit of their own. */
static __attribute__((noinline)) void tell_slowly(
    struct gpudbg_checks *c, struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint64_t wants)
{
    for (uint64_t m = wants & ~(UINT64_C(1) << TOLD_SINGLE); m; m &= m - 1)
        tell_one(c, &c->watch[__builtin_ctzll(m)], w, insn);
    for (size_t i = TOLD_SINGLE; wants >> TOLD_SINGLE && i < c->nwatch; i++)
        if (c->watch[i].here && c->watch[i].before) tell_one(c, &c->watch[i], w, insn);
}

static void tell_passed(struct gpudbg_checks *c, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    for (struct watcher *to = c->watch; to < c->watch + c->nwatch; to++) {
        if (!to->here || !to->checker->passed) continue;
        const uint64_t began = begins(c, to);
        to->checker->passed(to->state, w, insn);
        ended(c, to, began);
    }
}

/* A report that is made during or after an instruction stops the run before the next one.  Whether there is nothing
 * more to do for the instruction at this position, because the watchers know it, or because the run stops. */
static __attribute__((noinline)) bool is_shown(struct gpudbg_checks *c, uint64_t position, bool *stops)
{
    const bool late = c->count > c->before && !c->late && checks_left(c), told = c->told && position + 1 == c->seen;
    c->fresh = told || position >= c->seen;
    if (told && !late) c->told = false;
    *stops = late;
    return told || !c->fresh || late;
}

/* Tells the watchers that want it of an instruction, as its operands are now.  Returns whether they stop the run. */
static inline bool show(struct gpudbg_checks *c, struct gpudbg_wave *w, const struct told *at, uint64_t wants)
{
    const struct gpudbg_insn *actual = c->actual ? c->actual(w, &at->insn, &c->own) : &at->insn;
    c->number = actual == &at->insn ? at->number : TOLD_NO_NUMBER;
    if (!actual) {
        tell_passed(c, w, &at->insn);
    } else if (c->measured || wants >> TOLD_SINGLE) {
        tell_slowly(c, w, actual, wants);
    } else if (wants == at->wants && at->nlist) {
        for (unsigned i = 0; i < at->nlist; i++) {
            struct watcher *to = c->now = at->list[i];
            to->before(to->state, w, actual);
        }
    } else {
        for (uint64_t m = wants; m; m &= m - 1) {
            struct watcher *to = c->now = &c->watch[__builtin_ctzll(m)];
            to->before(to->state, w, actual);
        }
    }
    return c->told = c->count > c->before && !c->late && checks_left(c);
}

static bool before(void *data, struct gpudbg_wave *w)
{
    struct gpudbg_checks *c = data;
    const uint64_t position = machine_position(w->machine);
    const uint32_t id = w->id;
    bool stops;
    c->fresh = true;
    if ((c->told || c->count != c->before || position < c->seen) && is_shown(c, position, &stops)) return stops;
    c->seen = position + 1;
    c->wave = w;
    c->event++;
    if (c->sampling) sample(c);
    struct told *at = told_at(&c->code, w->pc);
    if (!at || !at->is_insn) return false;
    if (at->flows || c->calls[id]) follow_calls(c, w, &at->insn);
    if (!at->known) find_wants(c, at);
    uint64_t wants = at->wants & (at->always | c->busy[id] | c->any_busy);
    if (c->arrived[id]) {
        c->arrived[id] = false;
        wants |= c->after_barriers;
    }
    return wants && show(c, w, at, wants);
}

uint32_t gpudbg_checks_number(const struct gpudbg_checks *c) { return c->number; }

uint32_t gpudbg_checks_numbers(const struct gpudbg_checks *c) { return c->code.numbers; }

static void told_access(void *data, struct gpudbg_wave *w, const struct gpudbg_access *access)
{
    struct gpudbg_checks *c = data;
    if (!c->fresh) return;
    c->wave = w;
    c->event++;
    for (const struct listener *to = c->listening; to < c->listening + c->nlistening; to++) {
        const uint64_t began = begins(c, to->watcher);
        to->access(to->state, w, access);
        ended(c, to->watcher, began);
    }
}

static void hear(
    struct gpudbg_checks *c, const struct listener *to, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    const uint64_t began = begins(c, to->watcher);
    for (uint64_t m = all->lanes; m && !to->accesses; m &= m - 1) {
        const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
        to->access(to->state, w, &a);
    }
    if (to->accesses) to->accesses(to->state, w, all);
    ended(c, to->watcher, began);
}

struct hearing {
    struct gpudbg_checks *checks;
    const struct listener *to;
};

static bool hear_dwords(void *with, const struct gpudbg_accesses *all)
{
    const struct hearing *h = with;
    hear(h->checks, h->to, h->checks->wave, all);
    return true;
}

static void told_accesses(void *data, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct gpudbg_checks *c = data;
    if (!c->fresh) return;
    c->wave = w;
    c->event++;
    for (const struct listener *to = c->listening; to < c->listening + c->nlistening; to++) {
        if (all->row & ROW_DWORDS && !to->watcher->dwords) {
            row_each_dword(all, hear_dwords, &(struct hearing){c, to});
            continue;
        }
        if (c->measured || !to->accesses) {
            hear(c, to, w, all);
            continue;
        }
        c->now = to->watcher;
        to->accesses(to->state, w, all);
    }
}

static void told_barrier(void *data, struct gpudbg_wave *w)
{
    struct gpudbg_checks *c = data;
    c->wave = w;
    if (!c->fresh) return;
    c->arrived[w->id] = true;
    TELL(c, barrier, w);
}

/* Whether the machine is at the end of what the watchers have seen.  If a report stopped it, they have also seen the
 * instruction that it is about to execute. */
static bool at_front(const struct gpudbg_checks *c, const struct gpudbg_wave *w)
{
    const uint64_t position = machine_position(w->machine);
    return position == c->seen || (c->told && position + 1 == c->seen);
}

static void told_edit(void *data, struct gpudbg_wave *w, unsigned file, unsigned index)
{
    struct gpudbg_checks *c = data;
    c->wave = w;
    if (at_front(c, w)) TELL(c, edit, w, file, index);
}

static void told_edit_memory(void *data, struct gpudbg_wave *w, const struct gpudbg_access *access)
{
    struct gpudbg_checks *c = data;
    if (at_front(c, w)) TELL(c, edit_memory, w, access);
}

static uint64_t said(void *data) { return ((struct gpudbg_checks *)data)->spoken; }

static void passed_groups(void *data)
{
    struct gpudbg_checks *c = data;
    c->seen = machine_position(c->eval->running->machine);
    c->told = false;
}

/* Whether each watcher may see groups in any order. */
static bool all_by_group(const struct gpudbg_checks *c)
{
    for (const struct watcher *w = c->watch; w < c->watch + c->nwatch; w++)
        if (w->state && !w->checker->by_group) return false;
    return true;
}

void checks_end(struct gpudbg_checks *c)
{
    if (!c || !c->started) return;
    machine_observe(c->eval->running->machine, NULL);
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++) {
        begins(c, w);
        if (w->state && w->checker->stop) w->checker->stop(w->state);
        pool_end(w->pool);
        *w = (struct watcher){.checker = w->checker};
    }
    for (uint32_t i = 0; i < c->eval->running->machine->nwaves; i++) free(c->calls[i]);
    free(c->calls);
    c->calls = NULL;
    free(c->arrived);
    c->arrived = NULL;
    free(c->busy);
    c->busy = NULL;
    c->wave = NULL;
    if (c->functions) array_functions_free(c->functions);
    free(c->functions);
    c->functions = NULL;
    free(c->listening);
    c->listening = NULL;
    c->nlistening = 0;
    c->started = false;
    told_close(&c->code);
}

void checks_free(struct gpudbg_checks *c)
{
    if (!c) return;
    checks_end(c);
    checks_clear(c);
    free(c->report);
    free(c->watch);
    free(c);
}

static struct watcher *watcher_of(const struct gpudbg_checks *c, const struct gpudbg_checker *k)
{
    for (size_t i = 0; i < c->nwatch; i++)
        if (c->watch[i].checker == k) return &c->watch[i];
    return NULL;
}

void checks_tell(struct gpudbg_checks *c, unsigned process)
{
    c->listening = xrealloc(c->listening, c->nwatch + 1, sizeof *c->listening);
    c->nlistening = 0;
    c->after_barriers = 0;
    c->any_busy = 0;
    memset(c->busy, 0xff, c->eval->running->machine->nwaves * sizeof *c->busy);
    told_forget(&c->code);
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++) {
        w->here = w->state && w->process == process;
        w->before = w->checker->before;
        w->bit = UINT64_C(1) << (w - c->watch < TOLD_SINGLE ? w - c->watch : TOLD_SINGLE);
        if (w->here && w->before && w->checker->barrier) c->after_barriers |= w->bit;
        if (w->here && w->checker->access)
            c->listening[c->nlistening++] = (struct listener){w->checker->access, w->checker->accesses, w->state, w};
    }
}

void checks_start(struct gpudbg_checks *c, bool pooled)
{
    struct gpudbg_machine *m = c->eval->running->machine;
    bool accesses = false;
    told_open(&c->code, c->eval->loaded->image);
    c->calls = xcalloc(m->nwaves, sizeof *c->calls);
    c->arrived = xcalloc(m->nwaves, sizeof *c->arrived);
    c->busy = xcalloc(m->nwaves, sizeof *c->busy);
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++) {
        const struct gpudbg_checker *k = w->checker;
        if (!checks_apply(k, m->isa)) continue;
        w->pool = pooled && k->apart ? pool_new(POOL) : NULL;
        begins(c, w);
        w->state = k->start(m, c);
        accesses |= w->state && k->access;
    }
    checks_tell(c, 0);
    c->observer = (struct machine_observer){.data = c,
        .before = before,
        .access = accesses ? told_access : NULL,
        .accesses = told_accesses,
        .barrier = told_barrier,
        .edit = told_edit,
        .edit_memory = told_edit_memory,
        .said = all_by_group(c) ? said : NULL,
        .passed = passed_groups};
    machine_observe(m, &c->observer);
    c->seen = c->event = 0;
    c->told = false;
    c->before = c->count;
    c->actual = m->isa->run->actual;
    c->futures = machine_futures(m);
    c->started = true;
    c->rewound = false;
}

bool checks_show(
    struct gpudbg_checks *c, uint64_t to, bool (*tick)(void *data, uint64_t done, uint64_t todo), void *data)
{
    struct gpudbg_machine *m = c->eval->running->machine;
    struct machine_want want = {
        .until = MACHINE_POSITION, .count = to, .wave = c->eval->selection->wave, .tick = tick, .data = data};
    want.observed = true;
    c->late = true;
    machine_run(m, &want);
    c->late = c->told = c->measured = false;
    return machine_position(m) == to;
}

void checks_sample(struct gpudbg_checks *c, unsigned of)
{
    struct watcher empty = {0}; /* its time is what reading the clock takes */
    c->measured = true;
    for (unsigned i = 0; i < 1000 && !of; i++) ended(c, &empty, nanoseconds());
    c->measured = false;
    c->sampling = of;
    for (struct watcher *w = c->watch; w < c->watch + c->nwatch; w++) {
        const uint64_t clock = empty.calls ? w->calls * empty.spent / empty.calls : 0;
        w->spent = of ? 0 : w->spent - (clock < w->spent ? clock : w->spent);
        w->calls = 0;
    }
}

bool checks_watch(struct gpudbg_checks *c)
{
    if (!c->nwatch || !c->eval->running->machine) return false;
    if (c->started && c->futures != machine_futures(c->eval->running->machine)) checks_end(c);
    if (!c->started) {
        checks_forget(c, NULL, true); /* the same reports will be made again */
        checks_start(c, false);
    }
    return true;
}

void checks_changed(struct gpudbg_checks *c)
{
    checks_end(c);
    checks_watch(c);
}

bool checks_on(const struct gpudbg_checks *c, const struct gpudbg_checker *k) { return watcher_of(c, k); }

bool checks_any(const struct gpudbg_checks *c) { return c->nwatch > 0; }

#define WAVE_BYTES 2048 /* that all checkers together keep for a wave, about */

bool checks_room(const struct gpudbg_machine *m, struct gpudbg_error *err)
{
    const uint64_t bytes = (uint64_t)m->nwaves * WAVE_BYTES;
    void *room = bytes <= SIZE_MAX ? malloc((size_t)bytes) : NULL;
    free(room);
    return room || alloc_failed(err, bytes, "the checkers' notes on this many waves");
}

bool checks_switch(struct gpudbg_checks *c, const struct gpudbg_checker *k, bool on, struct gpudbg_error *err)
{
    struct watcher *w = watcher_of(c, k);
    if (!k->start) return gpudbg_fail(err, "unsupported", "check %s checks code, not runs", k->kind);
    if (on == (w != NULL)) return true;
    const struct gpudbg_machine *m = c->eval->running->machine;
    if (on && m && !checks_room(m, err)) return false;
    checks_end(c); /* all are replayed from the start: the same watchers see all of the time */
    if (!on) {
        *w = c->watch[--c->nwatch];
        checks_watch(c);
        return true;
    }
    c->watch = xrealloc(c->watch, c->nwatch + 1, sizeof *c->watch);
    c->watch[c->nwatch++] = (struct watcher){.checker = k};
    checks_watch(c); /* what the user changes from now on is seen */
    return true;
}
