/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check/known.h"
#include <string.h>

/* The number of the first group that is not below this one. */
static uint32_t place(const struct known *k, uint32_t group)
{
    uint32_t lo = 0, hi = k->n;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (k->of[mid] < group)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const uint32_t *known_find(const struct known *k, uint32_t group)
{
    const uint32_t i = k ? place(k, group) : 0;
    return k && i < k->n && k->of[i] == group ? k->of + k->room + (size_t)i * k->stride : NULL;
}

static struct known *make(struct gpudbg_checks *checks, uint32_t room, uint32_t stride)
{
    struct known *k = gpudbg_checks_alloc(checks, 1, sizeof *k + (size_t)room * (1 + stride) * sizeof k->of[0]);
    k->refs = 1;
    k->room = room;
    k->stride = stride;
    return k;
}

void known_drop(struct gpudbg_checks *checks, struct known *k)
{
    if (k && !--k->refs) gpudbg_checks_free(checks, k);
}

uint32_t *known_at(struct gpudbg_checks *checks, struct known **at, uint32_t group, uint32_t stride)
{
    struct known *k = *at;
    const uint32_t i = k ? place(k, group) : 0;
    const bool there = k && i < k->n && k->of[i] == group;
    if (!k || k->refs > 1 || (!there && k->n == k->room)) {
        const uint32_t n = k ? k->n : 0;
        struct known *own = make(checks, there ? n : n < 2 ? 2 : 2 * n, stride);
        own->n = n;
        if (k) memcpy(own->of, k->of, n * sizeof own->of[0]);
        if (k) memcpy(known_times(own, 0), known_times(k, 0), (size_t)n * stride * sizeof own->of[0]);
        known_drop(checks, k);
        *at = k = own;
    }
    if (there) return known_times(k, i);
    memmove(k->of + i + 1, k->of + i, (k->n - i) * sizeof k->of[0]);
    memmove(known_times(k, i + 1), known_times(k, i), (size_t)(k->n - i) * stride * sizeof k->of[0]);
    k->of[i] = group;
    k->n++;
    return memset(known_times(k, i), 0, stride * sizeof k->of[0]);
}

void known_join(struct gpudbg_checks *checks, struct known **to, struct known *from)
{
    struct known *a = *to;
    if (!from || a == from) return;
    if (!a) {
        *to = known_share(from);
        return;
    }
    struct known *both = make(checks, a->n + from->n, a->stride);
    for (uint32_t i = 0, k = 0; i < a->n || k < from->n; both->n++) {
        const bool mine = i < a->n && (k == from->n || a->of[i] <= from->of[k]);
        const bool theirs = k < from->n && (i == a->n || from->of[k] <= a->of[i]);
        uint32_t *times = known_times(both, both->n);
        both->of[both->n] = mine ? a->of[i] : from->of[k];
        if (mine) memcpy(times, known_times(a, i++), a->stride * sizeof *times);
        if (theirs) times_join(times, known_times(from, k++), a->stride);
    }
    known_drop(checks, a);
    *to = both;
}
