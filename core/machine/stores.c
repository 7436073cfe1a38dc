/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stores.c: who stored what when, in the one segment that asks for it (GPUDBG_SEG_LOGGED).  Such a store ends the
 * runner's turn as a watchpoint does, so that the instruction's position is known; then nobody stops.
 */
#include "machine/machine_core.h"

#include <stdlib.h>

#define STORES ((size_t)1 << 22) /* that are kept */

static bool has_room(struct stores *s)
{
    if (s->n < s->room) return true;
    const size_t room = s->room ? 2 * s->room : 1024;
    struct stored *list = s->n < STORES ? realloc(s->list, room * sizeof *list) : NULL;
    if (!list) return false;
    s->list = list;
    s->room = room;
    return true;
}

void stores_add(struct gpudbg_wave *w, uint64_t offset, uint64_t size, int lane)
{
    struct stores *s = &core_of(w->machine)->stores;
    if (!has_room(s)) return;
    s->list[s->n++] = (struct stored){
        .offset = (uint32_t)offset, .size = (uint32_t)size, .wave = w->id, .lane = (int16_t)lane};
    s->pending++;
    if (!w->machine->watch_hit) w->machine->watch_hit = STORES_HIT;
}

void stores_settle(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    struct stores *s = &c->stores;
    if (!s->pending) return;
    const size_t old = s->n - s->pending;
    const uint64_t position = c->schedule.position - 1;
    s->pending = 0;
    if (old && s->list[old - 1].position >= position) { /* a replay repeats them */
        s->n = old;
        return;
    }
    for (size_t i = old; i < s->n; i++) s->list[i].position = position;
}

size_t stores_now(const struct gpudbg_machine *m, struct stored **list)
{
    const struct core *c = core_of(m);
    size_t lo = 0, hi = c->stores.n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (c->stores.list[mid].position < c->schedule.position)
            lo = mid + 1;
        else
            hi = mid;
    }
    *list = c->stores.list;
    return lo;
}

void stores_truncate(struct gpudbg_machine *m)
{
    struct core *c = core_of(m);
    struct stored *list;
    c->stores.n = stores_now(m, &list);
}
