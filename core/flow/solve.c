/* SPDX-License-Identifier: GPL-3.0-or-later */
/* solve.c: visits blocks until no state changes, see gpudbg/flow.h. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg.h"

#define ASK_EVERY 4096 /* visits of blocks and links */

struct gpudbg_solution {
    const struct gpudbg_ways *ways;
    size_t size;
    uint8_t *in, *out; /* a state for each block */
    bool *visited;
};

const struct gpudbg_ways *gpudbg_solution_ways(const struct gpudbg_solution *s) { return s->ways; }

const void *gpudbg_entered(const struct gpudbg_solution *s, uint32_t block)
{
    return s->visited[block] ? s->in + block * s->size : NULL;
}

const void *gpudbg_left(const struct gpudbg_solution *s, uint32_t block)
{
    return s->visited[block] ? s->out + block * s->size : NULL;
}

void gpudbg_solution_free(struct gpudbg_solution *s)
{
    if (!s) return;
    free(s->in);
    free(s->out);
    free(s->visited);
    free(s);
}

struct solving {
    const struct gpudbg_ways *ways;
    const struct gpudbg_solver *solver;
    void *with;
    struct gpudbg_solution *solution;
    uint8_t *state; /* of the block that is visited */
    bool *waits;    /* blocks to be visited */
};

/* Visits a block; true: blocks that come earlier in the order wait for what it has changed. */
static bool visit(struct solving *s, uint32_t block)
{
    const struct gpudbg_ways *w = s->ways;
    const struct gpudbg_basic_block *b = &w->block[block];
    const size_t size = s->solver->size;
    uint8_t *in = s->solution->in + block * size, *out = s->solution->out + block * size;
    const bool first = !s->solution->visited[block], back = s->solver->backwards;
    s->waits[block] = false;
    s->solver->meet(s->with, s->solution, block, in);
    memcpy(s->state, in, size);
    s->solver->pass(s->with, block, s->state);
    s->solution->visited[block] = true;
    if (!first && memcmp(s->state, out, size) == 0) return false;
    memcpy(out, s->state, size);
    const uint32_t *link = &w->link[back ? b->from : b->next];
    bool earlier = false;
    for (uint32_t i = 0; i < (back ? b->nfrom : b->nnext); i++) {
        const uint32_t place = w->block[link[i]].place;
        if (place == UINT32_MAX) continue;
        s->waits[link[i]] = true;
        earlier = earlier || (back ? place >= b->place : place <= b->place);
    }
    return earlier;
}

static bool settle(struct solving *s, struct gpudbg_error *err)
{
    const struct gpudbg_ways *w = s->ways;
    uint64_t visits = 0, asked = 0;
    /* All of them at first: backwards, a loop without an end has no block that others lead to. */
    for (uint32_t i = 0; i < w->norder; i++) s->waits[w->order[i]] = true;
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < w->norder; i++) {
            const uint32_t block = w->order[s->solver->backwards ? w->norder - 1 - i : i];
            if (!s->waits[block]) continue;
            visits += 1 + (uint64_t)w->block[block].nfrom + w->block[block].nnext;
            if (s->solver->most && visits > s->solver->most)
                return gpudbg_fail(err, "too-large", "the program has too many ways through it to follow them all");
            if (visits - asked > ASK_EVERY && s->solver->goes_on) {
                asked = visits;
                if (!s->solver->goes_on(s->with))
                    return gpudbg_fail(err, "interrupt", "interrupted while following the program's ways");
            }
            more = visit(s, block) || more;
        }
    }
    return true;
}

struct gpudbg_solution *gpudbg_solve(
    const struct gpudbg_ways *w, const struct gpudbg_solver *solver, void *with, struct gpudbg_error *err)
{
    struct gpudbg_solution *solution = xalloc(sizeof *solution);
    struct solving s = {.ways = w, .solver = solver, .with = with, .solution = solution};
    const size_t n = (size_t)w->nblocks + 1;
    *solution = (struct gpudbg_solution){.ways = w,
        .size = solver->size,
        .in = calloc(n, solver->size),
        .out = calloc(n, solver->size),
        .visited = calloc(n, sizeof *solution->visited)};
    s.state = xalloc(solver->size);
    s.waits = calloc(n, sizeof *s.waits);
    bool ok = solution->in && solution->out && solution->visited && s.waits;
    ok = ok ? settle(&s, err) : gpudbg_fail(err, "memory", "the code's ways: out of memory");
    free(s.state);
    free(s.waits);
    if (ok) return solution;
    gpudbg_solution_free(solution);
    return NULL;
}
