/* SPDX-License-Identifier: GPL-3.0-or-later */
/* race_locks.c: accesses of waves that hold a lock, see locks.h. */
#include <string.h>
#include "check/race.h"

static struct lock_access at(const struct race *r, const struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    return (struct lock_access){.segment = a->segment,
        .addr = a->addr & ~UINT64_C(3),
        .wave = w->id,
        .time = r->time,
        .place = r->here,
        .local = a->space == GPUDBG_LOCAL,
        .write = a->write};
}

struct reporting {
    struct race *race;
    const struct gpudbg_wave *wave;
};

static void report(void *with, const struct lock_race *found)
{
    const struct reporting *to = with;
    race_report_order(to->race, to->wave, found);
}

void race_lock_word(struct race *r, struct gpudbg_wave *w, const struct gpudbg_access *a, bool takes)
{
    const struct lock_access word = at(r, w, a);
    struct reporting to = {r, w};
    const size_t n = a->size < 4 ? (size_t)a->size : 4;
    uint32_t before = 0, after = 0;
    memcpy(&before, a->segment->bytes + (a->addr - a->segment->base), n);
    memcpy(&after, a->bytes, n);
    locks_changed(r->locks, r->clocks, w, &word, takes, before, after, report, &to);
}

void race_under_lock(struct race *r, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    struct lock_access one = at(r, w, a);
    if (a->write) race_lock_word(r, w, a, false);
    for (; one.addr < a->addr + a->size && locks_held(r->locks, w->id); one.addr += 4)
        locks_access(r->locks, r->clocks, w, &one);
}
