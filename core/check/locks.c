/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/locks.h"
#include "machine/machine.h"

#define HELD_MOST 2     /* locks that a wave holds at a time */
#define TOUCHED_MOST 32 /* dwords under one lock, each time */
#define KEPT_MOST 128   /* stores under a lock by all waves, the latest */
#define LOCKS_MOST 256

struct touch {
    struct lock_access a;
    bool fresh; /* a load: stale bytes had been dropped since the lock was taken */
};

/* A lock that a wave holds, from `from` on. */
struct held {
    uint64_t addr; /* of the word */
    bool local;
    uint32_t from, place, before; /* before: what the word was */
    uint32_t n;
    struct touch touched[TOUCHED_MOST];
};

struct holder {
    struct held held[HELD_MOST];
    unsigned n;
};

/* A store under a lock that was freed. */
struct kept {
    struct lock_access a;
    uint32_t barriers, freed; /* of the wave at that time; place that freed the lock */
    bool done[2];             /* before that: for other groups; for waves of its own */
};

struct lock {
    uint64_t addr;
    uint32_t group; /* of local memory: + 1 */
    uint32_t n;     /* ever */
    struct kept kept[KEPT_MOST];
};

struct locks {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    struct holder **holder; /* by wave; NULL: it has not taken a lock */
    struct lock *lock[LOCKS_MOST];
    unsigned nlocks;
};

struct locks *locks_new(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct locks *l = gpudbg_checks_alloc(checks, 1, sizeof *l);
    l->machine = m;
    l->checks = checks;
    l->holder = gpudbg_checks_alloc(checks, m->nwaves, sizeof(struct holder *));
    return l;
}

void locks_free(struct locks *l)
{
    if (!l) return;
    for (uint32_t i = 0; i < l->machine->nwaves; i++) gpudbg_checks_free(l->checks, l->holder[i]);
    for (unsigned i = 0; i < l->nlocks; i++) gpudbg_checks_free(l->checks, l->lock[i]);
    gpudbg_checks_free(l->checks, l->holder);
    gpudbg_checks_free(l->checks, l);
}

bool locks_held(const struct locks *l, uint32_t wave) { return l && l->holder[wave] && l->holder[wave]->n; }

void locks_access(struct locks *l, const struct clocks *c, const struct gpudbg_wave *w, const struct lock_access *a)
{
    struct holder *h = l->holder[w->id];
    for (unsigned i = 0; i < h->n; i++) {
        struct held *held = &h->held[i];
        unsigned k = 0;
        while (k < held->n && (held->touched[k].a.addr != a->addr || held->touched[k].a.place != a->place)) k++;
        if (k == TOUCHED_MOST) continue;
        held->touched[k] = (struct touch){*a, a->local || clocks_fresh(c, w, held->from)};
        if (k == held->n) held->n++;
    }
}

static struct lock *lock_at(struct locks *l, const struct gpudbg_wave *w, const struct held *held)
{
    const uint32_t group = held->local ? w->group + 1 : 0;
    for (unsigned i = 0; i < l->nlocks; i++)
        if (l->lock[i]->addr == held->addr && l->lock[i]->group == group) return l->lock[i];
    if (l->nlocks == LOCKS_MOST) return NULL;
    struct lock *new = gpudbg_checks_alloc(l->checks, 1, sizeof *new);
    new->addr = held->addr;
    new->group = group;
    return l->lock[l->nlocks++] = new;
}

/* Whether the access would race with the store, had its wave taken the lock next after that. */
static bool races(const struct locks *l, const struct clocks *c, const struct gpudbg_wave *w, const struct touch *t,
    const struct kept *k, struct clocks_edge *edge)
{
    uint32_t time;
    if (k->a.addr != t->a.addr || k->a.local != t->a.local || k->a.wave == w->id) return false;
    const bool near = k->a.wave / l->machine->waves_per_group == w->group;
    if (near && clocks_barriers(c, w->id, &time) != k->barriers) return false; /* a barrier may have ordered them */
    edge->missing = !k->done[near] ? EDGE_RELEASE : !near && !t->a.write && !t->fresh ? EDGE_ACQUIRE : EDGE_NONE;
    edge->published = k->freed;
    return edge->missing != EDGE_NONE;
}

/* The wave frees the lock: its accesses meet the stores of others, and its stores are kept. */
static void frees(struct locks *l, const struct clocks *c, const struct gpudbg_wave *w, const struct held *held,
    const struct lock_access *word, void (*report)(void *with, const struct lock_race *), void *with)
{
    struct lock *lock = lock_at(l, w, held);
    uint32_t time;
    for (uint32_t i = 0; lock && i < held->n; i++) {
        const struct touch *t = &held->touched[i];
        struct lock_race race = {.mine = t->a,
            .edge = {.segment = word->segment, .addr = word->addr, .local = word->local, .acquired = held->place}};
        for (uint32_t k = 0; k < lock->n && k < KEPT_MOST; k++) {
            if (!races(l, c, w, t, &lock->kept[k], &race.edge)) continue;
            race.other = lock->kept[k].a;
            report(with, &race);
            break;
        }
    }
    for (uint32_t i = 0; lock && i < held->n; i++) {
        const struct touch *t = &held->touched[i];
        if (!t->a.write) continue;
        lock->kept[lock->n++ % KEPT_MOST] = (struct kept){.a = t->a,
            .barriers = clocks_barriers(c, w->id, &time),
            .freed = word->place,
            .done = {clocks_done(c, w, t->a.local, false, t->a.time), clocks_done(c, w, t->a.local, true, t->a.time)}};
    }
}

void locks_changed(struct locks *l, struct clocks *c, const struct gpudbg_wave *w, const struct lock_access *word,
    bool takes, uint32_t before, uint32_t after, void (*report)(void *with, const struct lock_race *), void *with)
{
    struct holder *h = l->holder[w->id];
    for (unsigned i = 0; h && i < h->n; i++) {
        if (h->held[i].addr != word->addr || h->held[i].local != word->local) continue;
        if (after != h->held[i].before) clocks_other_than_locks(c);
        if (clocks_only_locks(c)) frees(l, c, w, &h->held[i], word, report, with);
        h->held[i] = h->held[--h->n];
        return;
    }
    if (!takes) return;
    if (!h) h = l->holder[w->id] = gpudbg_checks_alloc(l->checks, 1, sizeof *h);
    if (h->n == HELD_MOST) h->held[0] = h->held[--h->n];
    struct held *new = &h->held[h->n++];
    new->addr = word->addr;
    new->local = word->local;
    new->from = word->time;
    new->place = word->place;
    new->before = before;
    new->n = 0;
}
