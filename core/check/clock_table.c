/* SPDX-License-Identifier: GPL-3.0-or-later */
/* clock_table.c: the table of words that make an order. */
#include "check/clocks_inside.h"

#define FIRST_BITS 5

void words_free(struct clocks *c, struct words *w)
{
    for (uint32_t i = 0; w->slot && i < UINT32_C(1) << w->bits; i++) {
        if (!w->slot[i]) continue;
        known_drop(c->checks, w->slot[i]->known);
        if (w->slot[i]->more) clocks_drop(c, w->slot[i]->latest_of.clock);
        gpudbg_checks_free(c->checks, w->slot[i]);
    }
    gpudbg_checks_free(c->checks, w->slot);
    *w = (struct words){NULL, 0, 0};
}

static struct word **slot_of(const struct words *w, uint64_t addr)
{
    const uint32_t mask = (UINT32_C(1) << w->bits) - 1;
    uint32_t i = (uint32_t)((addr * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - w->bits));
    while (w->slot[i] && w->slot[i]->addr != addr) i = (i + 1) & mask;
    return &w->slot[i];
}

struct word *words_find(const struct words *w, uint64_t addr) { return w->slot ? *slot_of(w, addr) : NULL; }

static void grow(struct clocks *c, struct words *w)
{
    const struct words old = *w;
    w->bits = old.slot ? old.bits + 1 : FIRST_BITS;
    w->slot = gpudbg_checks_alloc(c->checks, (size_t)1 << w->bits, sizeof *w->slot);
    for (uint32_t i = 0; old.slot && i < UINT32_C(1) << old.bits; i++)
        if (old.slot[i]) *slot_of(w, old.slot[i]->addr) = old.slot[i];
    gpudbg_checks_free(c->checks, old.slot);
}

struct word *words_add(struct clocks *c, struct words *w, uint64_t addr)
{
    if (!w->slot || 2 * (w->n + 1) > UINT32_C(1) << w->bits) grow(c, w);
    struct word *x = gpudbg_checks_alloc(c->checks, 1, sizeof *x);
    x->addr = addr;
    *slot_of(w, addr) = x;
    w->n++;
    return x;
}
