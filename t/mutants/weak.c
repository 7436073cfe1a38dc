/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * weak.c: a plug-in whose checker `weak` reports loads that another order of the memory system could have given an
 * older value: it runs the launch as it is, and keeps for each byte of global memory what it was before the latest
 * stores.  A plain load may still see an older byte unless
 *     - the store is done: its wave has executed an instruction that completes stores (the chip's `order` says which),
 *     - and the loading group's stale bytes were dropped after that,
 * where the memory model does not say that the two are in order by themselves.  Nothing here asks what the program
 * means by it: flags and locks are bytes like others.  Only an older byte that differs counts, and not where the wave
 * then compares and exchanges the word, which proves the value.  So it shows what a missing fence can change, in the
 * order in which the waves happened to run, and knows no happens-before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg.h"
#include "gpudbg/uses.h"

#define KEPT 6

struct store {
    uint64_t time;
    uint32_t wave;
    uint8_t before;
    bool atomic;
};
struct byte {
    uint64_t addr; /* + 1; 0: free */
    uint32_t n;
    struct store of[KEPT];
};

#define WAITING 64
/* A load of a wave that may have missed a store. */
struct missed {
    uint64_t addr, pc;
    char text[160];
};
struct waiting {
    struct missed of[WAITING];
    unsigned n;
};

struct weak {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    const struct gpudbg_ordering *model;
    struct byte *bytes;
    size_t n, room; /* a power of two */
    uint64_t time;
    uint64_t **done;          /* by wave: times at which its stores were done, the first is their number */
    uint64_t *fresh;          /* by group: when stale bytes of its caches were dropped, or of those beyond the first */
    uint64_t *near;           /* by wave: when those of the first cache were, where a group may have two of them */
    struct waiting **waiting; /* by wave */
    struct gpudbg_order order;
    bool atomic, compares;
};

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct weak *k = calloc(1, sizeof *k);
    if (!k) abort();
    k->machine = m;
    k->checks = checks;
    k->model = m->isa->ordering;
    if (k->model && k->model->of) k->model = k->model->of(m);
    k->room = 1 << 16;
    k->bytes = calloc(k->room, sizeof *k->bytes);
    k->done = calloc(m->nwaves, sizeof *k->done);
    k->fresh = calloc(m->nwaves / m->waves_per_group, sizeof *k->fresh);
    k->near = calloc(m->nwaves, sizeof *k->near);
    k->waiting = calloc(m->nwaves, sizeof *k->waiting);
    if (!k->bytes || !k->done || !k->fresh || !k->near || !k->waiting) abort();
    return k;
}

static void end(void *state)
{
    struct weak *k = state;
    for (uint32_t i = 0; i < k->machine->nwaves; i++) {
        free(k->done[i]);
        free(k->waiting[i]);
    }
    free(k->waiting);
    free(k->done);
    free(k->fresh);
    free(k->near);
    free(k->bytes);
    free(k);
}

static struct byte *byte_at(struct weak *k, uint64_t addr, bool make)
{
    if (make && 2 * k->n >= k->room) {
        struct byte *old = k->bytes;
        const size_t room = k->room;
        k->room *= 2;
        k->n = 0;
        k->bytes = calloc(k->room, sizeof *k->bytes);
        if (!k->bytes) abort();
        for (size_t i = 0; i < room; i++)
            if (old[i].addr) *byte_at(k, old[i].addr - 1, true) = old[i];
        free(old);
    }
    size_t i = (size_t)(addr * UINT64_C(0x9e3779b97f4a7c15)) & (k->room - 1);
    while (k->bytes[i].addr && k->bytes[i].addr != addr + 1) i = (i + 1) & (k->room - 1);
    if (!k->bytes[i].addr && !make) return NULL;
    if (!k->bytes[i].addr) {
        k->bytes[i].addr = addr + 1;
        k->n++;
    }
    return &k->bytes[i];
}

/* When the stores of a wave up to a time were done; 0: they are not. */
static uint64_t done_after(const struct weak *k, uint32_t wave, uint64_t time)
{
    const uint64_t *list = k->done[wave];
    for (uint64_t i = 1; list && i <= list[0]; i++)
        if (list[i] >= time) return list[i];
    return 0;
}

/* The wave ends, or has loaded too much: what was not proven is reported. */
static void tell(const struct weak *k, uint32_t wave)
{
    struct waiting *list = k->waiting[wave];
    for (unsigned i = 0; list && i < list->n; i++)
        gpudbg_report(k->checks, &(struct gpudbg_report){.pc = list->of[i].pc,
                                     .by = wave + 1,
                                     .note = true,
                                     .message = list->of[i].text,
                                     .cause = "may miss a store"});
    if (list) list->n = 0;
}

/* Drops stale bytes of the first cache: where a group has one, those of all of its waves. */
static void drop_near(struct weak *k, const struct gpudbg_wave *w)
{
    const uint32_t n = k->machine->waves_per_group;
    if (k->model->fresh < GPUDBG_SCOPE_GROUP) {
        k->near[w->id] = k->time;
        return;
    }
    for (uint32_t i = 0; i < n; i++) k->near[w->group * n + i] = k->time;
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const uint64_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    struct weak *k = state;
    memset(&k->order, 0, sizeof k->order);
    if (k->model) k->model->order(insn, &k->order);
    k->atomic = (gpudbg_insn_does(insn) & both) == both;
    k->compares = k->atomic && gpudbg_insn_does(insn) & GPUDBG_OP_COMPARE;
    if (gpudbg_insn_does(insn) & GPUDBG_OP_END) tell(k, w->id);
    k->time++;
    if (k->order.done[GPUDBG_GLOBAL] >= GPUDBG_SCOPE_AGENT && k->order.of != GPUDBG_COUNTED_LOADS) {
        uint64_t **list = &k->done[w->id];
        const uint64_t n = *list ? (*list)[0] : 0;
        *list = realloc(*list, (size_t)(n + 2) * sizeof **list);
        if (!*list) abort();
        (*list)[0] = n + 1;
        (*list)[n + 1] = k->time;
    }
    if (k->order.fresh >= GPUDBG_SCOPE_GROUP && !k->order.outer) drop_near(k, w);
    if (k->order.fresh >= GPUDBG_SCOPE_AGENT) k->fresh[w->group] = k->time;
}

/* Whether the load may still see what was there before the store. */
static bool may_miss(const struct weak *k, const struct gpudbg_wave *w, const struct store *s)
{
    const uint32_t group = s->wave / k->machine->waves_per_group;
    if (s->wave == w->id) return false;
    const uint64_t done = s->atomic ? s->time : done_after(k, s->wave, s->time);
    const bool passes = k->order.coherent; /* by the first cache */
    if (group == w->group && passes) return false;
    if (group == w->group && k->model->done[GPUDBG_GLOBAL] < GPUDBG_SCOPE_GROUP && !done) return true;
    if (group == w->group) return k->model->fresh < GPUDBG_SCOPE_GROUP && k->near[w->id] < done;
    if (!done) return true;
    return k->model->fresh < GPUDBG_SCOPE_AGENT && (k->fresh[w->group] < done || (!passes && k->near[w->id] < done));
}

static void wait_for_proof(
    struct weak *k, const struct gpudbg_wave *w, const struct gpudbg_access *a, uint64_t addr, const struct store *s)
{
    struct waiting **list = &k->waiting[w->id];
    if (!*list) *list = calloc(1, sizeof **list);
    if (!*list) abort();
    if ((*list)->n == WAITING) tell(k, w->id);
    struct missed *new = &(*list)->of[(*list)->n++];
    new->addr = a->addr;
    new->pc = w->pc;
    snprintf(new->text, sizeof new->text, "wave %u may miss what wave %u stored to %s+0x%llx", w->id, s->wave,
        a->segment->name, (unsigned long long)(addr - a->segment->base));
}

/* The wave compares the word with what it has loaded. */
static void prove(const struct weak *k, const struct gpudbg_wave *w, uint64_t addr)
{
    struct waiting *list = k->waiting[w->id];
    for (unsigned i = 0; list && i < list->n;)
        if (list->of[i].addr == addr)
            list->of[i] = list->of[--list->n];
        else
            i++;
}

static void access_memory(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct weak *k = state;
    if (a->space != GPUDBG_GLOBAL || a->segment->flags & GPUDBG_SEG_PRIVATE || !k->model) return;
    const uint8_t *now = a->segment->bytes + (a->addr - a->segment->base);
    if (k->compares) prove(k, w, a->addr);
    for (uint64_t i = 0; i < a->size; i++) {
        struct byte *b = byte_at(k, a->addr + i, a->write);
        if (a->write) {
            b->of[b->n++ % KEPT] = (struct store){k->time, w->id, now[i], k->atomic};
            continue;
        }
        if (!b || k->atomic || k->order.coherent >= GPUDBG_SCOPE_AGENT) continue;
        for (uint32_t n = 1; n <= b->n && n <= KEPT; n++) {
            const struct store *s = &b->of[(b->n - n) % KEPT];
            if (!may_miss(k, w, s)) break; /* it sees this one, so all before it, too */
            if (s->before != now[i]) {
                wait_for_proof(k, w, a, a->addr + i, s);
                return;
            }
        }
    }
}

static const struct gpudbg_checker weak_checker = {
    .kind = "weak",
    .summary = "loads that another order of the memory system could have given an older value",
    .start = begin,
    .stop = end,
    .before = before,
    .access = access_memory,
};

static const struct gpudbg_checker *const checkers[] = {&weak_checker, NULL};

GPUDBG_PUBLIC const struct gpudbg_plugin gpudbg_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof(struct gpudbg_plugin),
    .name = "weak",
    .version = "1",
    .summary = "loads that another order of the memory system could have given an older value",
    .checkers = checkers,
};
