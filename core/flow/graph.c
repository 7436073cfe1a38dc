/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/graph.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "flow/loops.h"

#define LANES_MOST 24

struct making {
    struct graph *g;
    const struct gpudbg_image *image;
    uint64_t addr, from, to; /* the function */
    bool found;
};

static bool last_insn(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    (void)number;
    ((struct graph_block *)to)->last = insn->addr;
    return true;
}

/* Lines that do not overlap share a lane; short ones come first, next to the blocks. */
static int by_length(const void *a, const void *b)
{
    const struct graph_edge *const *x = a, *const *y = b;
    const uint32_t m = (*x)->from > (*x)->to ? (*x)->from - (*x)->to : (*x)->to - (*x)->from,
                   n = (*y)->from > (*y)->to ? (*y)->from - (*y)->to : (*y)->to - (*y)->from;
    if (m != n) return m < n ? -1 : 1;
    return (*x)->from != (*y)->from ? ((*x)->from < (*y)->from ? -1 : 1) : 0;
}

static bool lane_is_free(struct graph_edge *const *edge, uint32_t n, const struct graph_edge *e, int lane)
{
    const uint32_t lo = e->from < e->to ? e->from : e->to, hi = e->from < e->to ? e->to : e->from;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t a = edge[i]->from < edge[i]->to ? edge[i]->from : edge[i]->to,
                       b = edge[i]->from < edge[i]->to ? edge[i]->to : edge[i]->from;
        if (edge[i]->lane == lane && a <= hi && lo <= b) return false;
    }
    return true;
}

static void choose_lanes(struct graph *g)
{
    struct graph_edge **edge = xcalloc((size_t)g->nedges + 1, sizeof *edge);
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->nedges; i++) {
        g->edge[i].lane = -1;
        if (!g->edge[i].on || g->edge[i].to != g->edge[i].from + 1) edge[n++] = &g->edge[i];
    }
    if (n) qsort(edge, n, sizeof *edge, by_length);
    for (uint32_t i = 0; i < n; i++) {
        int lane = 0;
        while (lane < LANES_MOST && !lane_is_free(edge, i, edge[i], lane)) lane++;
        if (lane == LANES_MOST) continue;
        edge[i]->lane = lane;
        if (lane >= g->lanes) g->lanes = lane + 1;
    }
    free(edge);
}

static bool take(void *data, const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct making *m = data;
    struct graph *g = m->g;
    if (m->addr - w->base >= w->size) return true;
    struct loops *loops = loops_new(w, err);
    if (!loops) return false;
    uint32_t *index = xalloc(((size_t)w->nblocks + 1) * sizeof *index);
    g->block = xcalloc((size_t)w->nblocks + 1, sizeof *g->block);
    for (uint32_t i = 0; i < w->nblocks; i++) {
        const struct gpudbg_basic_block *b = &w->block[i];
        index[i] = UINT32_MAX;
        if (i == w->returns || b->place == UINT32_MAX || b->addr < m->from || b->addr >= m->to) continue;
        index[i] = g->nblocks;
        struct graph_block *to = &g->block[g->nblocks++];
        *to = (struct graph_block){.addr = b->addr,
            .end = b->end,
            .number = i,
            .ninsns = b->ninsns,
            .depth = loop_depth(loops, i),
            .entry = b->entry,
            .header = loops->of[i] != UINT32_MAX && loops->loop[loops->of[i]].header == i,
            .call = b->call,
            .returns = b->returns,
            .unknown = b->unknown,
            .ends = !b->nnext && !b->returns && !b->unknown};
        gpudbg_block_walk(w, i, last_insn, to);
    }
    size_t room = 1;
    for (uint32_t i = 0; i < w->nblocks; i++) room += w->block[i].nnext;
    g->edge = xcalloc(room, sizeof *g->edge);
    for (uint32_t i = 0; i < w->nblocks; i++)
        for (uint32_t k = 0; index[i] != UINT32_MAX && k < w->block[i].nnext; k++) {
            const uint32_t to = w->link[w->block[i].next + k];
            if (to == w->returns || index[to] == UINT32_MAX) continue;
            g->edge[g->nedges++] = (struct graph_edge){.from = index[i],
                .to = index[to],
                .back = w->block[to].place <= w->block[i].place,
                .on = w->block[to].addr == w->block[i].end};
        }
    free(index);
    loops_free(loops);
    choose_lanes(g);
    m->found = g->nblocks > 0;
    return true;
}

struct graph *graph_new(const struct gpudbg_image *image, uint64_t addr, struct gpudbg_error *err)
{
    struct making m = {.g = xcalloc(1, sizeof *m.g), .image = image, .addr = addr, .to = UINT64_MAX};
    const struct gpudbg_symbol *s = gpudbg_image_symbol_at(image, addr);
    if (s && s->size) {
        m.from = s->addr;
        m.to = s->addr + s->size;
    }
    if (gpudbg_image_ways(image, 0, take, &m, err) &&
        (m.found || gpudbg_fail(err, "out-of-range", "no way from an entry of the code leads to the function at 0x%llx",
                        (unsigned long long)addr)))
        return m.g;
    graph_free(m.g);
    return NULL;
}

void graph_free(struct graph *g)
{
    if (!g) return;
    free(g->block);
    free(g->edge);
    free(g);
}

uint32_t graph_at(const struct graph *g, uint64_t addr)
{
    for (uint32_t i = 0; i < g->nblocks; i++)
        if (addr - g->block[i].addr < g->block[i].end - g->block[i].addr) return i;
    return UINT32_MAX;
}
