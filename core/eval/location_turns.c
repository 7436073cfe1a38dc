/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "eval/location_turns.h"
#include <stdlib.h>
#include "base/alloc.h"
#include "flow/loops.h"
#include "image/dwarf_scope.h"
#include "image/image.h"

#define INSNS_MOST (UINT32_C(1) << 18)
#define NO_LOOP UINT64_MAX

/* The loops of the function that was asked about last. */
struct turns {
    uint64_t entry;
    struct gpudbg_ways *ways;
    struct loops *loops; /* NULL: they are not known */
};

static void turns_close(struct turns *t)
{
    if (t->loops) loops_free(t->loops);
    if (t->ways) gpudbg_ways_free(t->ways);
    *t = (struct turns){0};
}

static void turns_open(struct turns *t, const struct gpudbg_image *image, uint64_t entry)
{
    struct gpudbg_error ignored = {0};
    const struct gpudbg_section *s = gpudbg_image_at(image, entry);
    turns_close(t);
    t->entry = entry;
    if (!s || !s->bytes || !image->isa) return;
    t->ways = gpudbg_ways_new(image->isa, s->bytes, s->size, s->addr, &entry, 1, 0, INSNS_MOST, &ignored);
    t->loops = t->ways ? loops_new(t->ways, &ignored) : NULL;
}

/* The address at which the innermost loop around the place begins. */
static uint64_t loop_at(struct turns *t, const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(image, addr);
    if (!symbol) return NO_LOOP;
    if (!t->ways || t->entry != symbol->addr) turns_open(t, image, symbol->addr);
    for (uint32_t b = 0; t->loops && b < t->ways->nblocks; b++)
        if (addr >= t->ways->block[b].addr && addr < t->ways->block[b].end && t->loops->of[b] != UINT32_MAX)
            return t->ways->block[t->loops->loop[t->loops->of[b]].header].addr;
    return NO_LOOP;
}

void location_turns(const struct gpudbg_image *image, struct code_places *p)
{
    struct turns turns = {0};
    size_t n = 0;
    if (p->n < 2) return;
    uint64_t *function = xcalloc(p->n, sizeof *function), *loop = xcalloc(p->n, sizeof *loop);
    for (size_t i = 0; i < p->n; i++) {
        size_t like = 0;
        function[n] = scopes_function(image, p->addr[i]);
        loop[n] = loop_at(&turns, image, p->addr[i]);
        while (like < n && (function[like] != function[n] || loop[like] != loop[n])) like++;
        if (like == n) p->addr[n++] = p->addr[i];
    }
    p->n = n;
    turns_close(&turns);
    free(function);
    free(loop);
}
