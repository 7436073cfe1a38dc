/* SPDX-License-Identifier: GPL-3.0-or-later */
/* known.h: times of the waves of several groups: `stride` numbers a group, sorted by group.  Shared until it is
 * written; NULL is one without groups. */
#ifndef GPUDBG_KNOWN_H
#define GPUDBG_KNOWN_H

#include "gpudbg.h"

struct known {
    uint32_t refs, n, room, stride;
    uint32_t of[]; /* `room` groups, then their times */
};

static inline uint32_t *known_times(struct known *k, uint32_t i) { return k->of + k->room + (size_t)i * k->stride; }
const uint32_t *known_find(const struct known *, uint32_t group); /* NULL: nothing is known of it */
/* The times of a group, to be written. */
uint32_t *known_at(struct gpudbg_checks *, struct known **, uint32_t group, uint32_t stride);
/* The later one of each time. */
void known_join(struct gpudbg_checks *, struct known **to, struct known *from);
static inline struct known *known_share(struct known *k)
{
    if (k) k->refs++;
    return k;
}
void known_drop(struct gpudbg_checks *, struct known *);

static inline void times_join(uint32_t *restrict to, const uint32_t *restrict from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) to[i] = from[i] > to[i] ? from[i] : to[i];
}

#endif
