/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * loops.c: see loops.h.  Headers are taken from the last one in the order of the ways to the first, so inner loops are
 * found before those around them; blocks of a loop that was found are passed over as one.
 */
#include "flow/loops.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define NONE UINT32_MAX

bool loop_has(const struct loops *l, uint32_t loop, uint32_t block)
{
    uint32_t in = l->of[block];
    while (in != NONE && in != loop) in = l->loop[in].parent;
    return in == loop;
}

struct search {
    struct loops *l;
    uint32_t *outer;          /* of each loop: one around it that was found, itself if none was */
    uint32_t *queue, *queued; /* queued: of each block, the number of the search, plus 1, that took it */
};

/* The outermost loop so far around one. */
static uint32_t outermost(struct search *s, uint32_t loop)
{
    while (s->outer[loop] != loop) loop = s->outer[loop] = s->outer[s->outer[loop]];
    return loop;
}

/* Blocks that lead to the header without passing it are of its loop, as far as they come after it. */
static void gather(struct search *s, uint32_t number)
{
    const struct gpudbg_ways *w = s->l->ways;
    struct loop *loop = &s->l->loop[number];
    const uint32_t place = w->block[loop->header].place;
    uint32_t n = 0, done = 0;
    s->queued[loop->header] = number + 1;
    s->queue[n++] = loop->header;
    for (; done < n; done++) {
        const uint32_t block = s->queue[done];
        const struct gpudbg_basic_block *b = &w->block[block];
        uint32_t in = s->l->of[block];
        if (in == NONE) {
            s->l->of[block] = number;
        } else if ((in = outermost(s, in)) != number) {
            s->outer[in] = number;
            s->l->loop[in].parent = number;
        }
        for (uint32_t i = 0; i < b->nfrom; i++) {
            const uint32_t from = w->link[b->from + i], at = w->block[from].place;
            if (at == NONE) continue;
            if (block == loop->header) {
                if (at < place) continue;
                loop->again++;
            } else if (at < place) {
                loop->several = true;
                continue;
            }
            if (s->queued[from] == number + 1) continue;
            s->queued[from] = number + 1;
            s->queue[n++] = from;
        }
    }
}

static void count(struct loops *l)
{
    const struct gpudbg_ways *w = l->ways;
    for (uint32_t i = 0; i < l->nloops; i++)
        for (uint32_t p = i; p != NONE; p = l->loop[p].parent) l->loop[i].depth++;
    for (uint32_t b = 0; b < w->nblocks; b++) {
        for (uint32_t in = l->of[b]; in != NONE; in = l->loop[in].parent) {
            l->loop[in].nblocks++;
            l->loop[in].ninsns += w->block[b].ninsns;
            for (uint32_t i = 0; i < w->block[b].nnext; i++)
                l->loop[in].exits += !loop_has(l, in, w->link[w->block[b].next + i]);
        }
    }
}

static bool is_header(const struct gpudbg_ways *w, uint32_t block)
{
    const struct gpudbg_basic_block *b = &w->block[block];
    for (uint32_t i = 0; i < b->nfrom; i++) {
        const uint32_t place = w->block[w->link[b->from + i]].place;
        if (place != NONE && place >= b->place) return true;
    }
    return false;
}

/* An order by address is for people; searching wants the order of the ways. */
static void search_all(struct search *s)
{
    const struct gpudbg_ways *w = s->l->ways;
    uint32_t *number = xcalloc((size_t)w->nblocks + 1, sizeof *number);
    for (uint32_t i = 0; i < s->l->nloops; i++) number[s->l->loop[i].header] = i + 1;
    for (uint32_t i = w->norder; i-- > 0;)
        if (number[w->order[i]]) gather(s, number[w->order[i]] - 1);
    free(number);
}

struct loops *loops_new(const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    struct loops *l = xalloc(sizeof *l);
    const size_t n = (size_t)w->nblocks + 1;
    *l = (struct loops){.ways = w, .loop = calloc(n, sizeof *l->loop), .of = malloc(n * sizeof *l->of)};
    struct search s = {.l = l,
        .outer = malloc(n * sizeof *s.outer),
        .queue = malloc(n * sizeof *s.queue),
        .queued = calloc(n, sizeof *s.queued)};
    const bool room = l->loop && l->of && s.outer && s.queue && s.queued;
    if (room) {
        memset(l->of, 0xff, n * sizeof *l->of);
        for (uint32_t b = 0; b < w->nblocks; b++) {
            if (w->block[b].place == NONE || b == w->returns || !is_header(w, b)) continue;
            s.outer[l->nloops] = l->nloops;
            l->loop[l->nloops++] = (struct loop){.header = b, .parent = NONE};
        }
        search_all(&s);
        count(l);
    }
    free(s.outer);
    free(s.queue);
    free(s.queued);
    if (room) return l;
    loops_free(l);
    gpudbg_fail(err, "memory", "the code's loops: out of memory");
    return NULL;
}

void loops_free(struct loops *l)
{
    if (!l) return;
    free(l->loop);
    free(l->of);
    free(l);
}
