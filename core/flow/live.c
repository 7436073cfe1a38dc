/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/live.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define STATES_MOST (UINT64_C(1) << 30) /* bytes of all blocks */
#define TOKENS_MOST (UINT32_C(1) << 23)

static live_need need_of(uint32_t mask, unsigned lane, bool maybe)
{
    return mask << 8 | (mask == MASK_ROOT ? 0 : lane) | (maybe ? LIVE_MAYBE : 0);
}

static live_need join_needs(const struct masks *m, live_need a, live_need b)
{
    if (!b || a == b) return a;
    if (!a) return b;
    const bool maybe = a & b & LIVE_MAYBE;
    if ((a ^ b) & 255) return need_of(MASK_ROOT, 0, maybe);
    return need_of(mask_join(m, live_mask(a), live_mask(b)), a & 255, maybe);
}

/* ---- One instruction, backwards ---- */

/* Before a token is made, those who need what it stands for are lanes of `whole`. */
static void unmake(const struct masks *m, live_need *needs, uint32_t n, uint32_t token, uint32_t whole)
{
    for (uint32_t i = 0; i < n; i++)
        if (needs[i] && mask_within(m, live_mask(needs[i]), token))
            needs[i] = need_of(whole, needs[i] & 255, needs[i] & LIVE_MAYBE);
}

static bool ends_need(const struct masks *m, const struct used_use *use, uint32_t mask, live_need need)
{
    if (use->flags & GPUDBG_USE_ALL || mask == MASK_ROOT) return true;
    return (need & 255) == use->lane && live_mask(need) != MASK_ROOT && mask_within(m, live_mask(need), mask);
}

static void step_back(const struct live *l, uint32_t number, live_need *needs)
{
    const struct used *u = l->used;
    const struct masks *m = l->masks;
    const struct used_insn *insn = &u->insn[number];
    const uint32_t mask = m->before[number];
    if (m->makes[number]) unmake(m, needs, u->ncells, mask_made(number), m->parent[mask_made(number)]);
    for (uint32_t k = insn->use; k < insn->use + insn->nuses; k++) {
        const struct used_use *use = &u->use[k];
        if (!(use->flags & GPUDBG_USE_WRITE) || use->flags & GPUDBG_USE_PART) continue;
        for (uint32_t c = use->cell; c < use->cell + use->n; c++)
            if (needs[c] && ends_need(m, use, mask, needs[c])) needs[c] = 0;
    }
    for (uint32_t k = insn->use; k < insn->use + insn->nuses; k++) {
        const struct used_use *use = &u->use[k];
        if (!(use->flags & GPUDBG_USE_READ)) continue;
        const live_need need = need_of(
            use->flags & GPUDBG_USE_ALL ? MASK_ROOT : mask, use->lane, use->flags & GPUDBG_USE_MAYBE);
        for (uint32_t c = use->cell; c < use->cell + use->n; c++) needs[c] = join_needs(m, needs[c], need);
    }
}

/* ---- Blocks ---- */

static void meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *in)
{
    const struct live *l = with;
    const struct gpudbg_ways *w = l->ways;
    const struct gpudbg_basic_block *b = &w->block[block];
    const struct masks *m = l->masks;
    live_need *needs = in;
    const live_need all = l->used->leaves[block] == USED_LEAVES ? need_of(MASK_ROOT, 0, true) : 0;
    for (uint32_t c = 0; c < l->used->ncells; c++) needs[c] = all;
    for (uint32_t i = 0; i < b->nnext; i++) {
        const uint32_t next = w->link[b->next + i];
        const live_need *left = gpudbg_left(solution, next);
        if (!left) continue;
        const bool met = m->meets[next];
        for (uint32_t c = 0; c < l->used->ncells; c++) {
            live_need need = left[c];
            if (need && met && mask_within(m, live_mask(need), mask_met(m, next)))
                need = need_of(
                    m->waits[next] ? m->parent[mask_met(m, next)] : m->leave[block], need & 255, need & LIVE_MAYBE);
            needs[c] = join_needs(m, needs[c], need);
        }
    }
}

static void pass(void *with, uint32_t block, void *state)
{
    const struct live *l = with;
    const struct gpudbg_basic_block *b = &l->ways->block[block];
    for (uint32_t i = b->ninsns; i-- > 0;) step_back(l, b->first + i, state);
}

static bool solve(struct live *l, struct gpudbg_error *err)
{
    const struct gpudbg_ways *w = l->ways;
    const size_t size = (l->used->ncells ? l->used->ncells : 1) * sizeof(live_need);
    if ((uint64_t)w->nblocks * size * 2 > STATES_MOST || l->masks->ntokens >= TOKENS_MOST)
        return gpudbg_fail(err, "too-large",
            "the code is too large to follow its registers (%lu blocks, %lu parts of "
            "registers)",
            (unsigned long)w->nblocks, (unsigned long)l->used->ncells);
    const struct gpudbg_solver solver = {
        .size = size, .backwards = true, .meet = meet, .pass = pass, .most = UINT64_C(100000000)};
    l->solution = gpudbg_solve(w, &solver, l, err);
    return l->solution;
}

struct live *live_new(const struct gpudbg_ways *w, struct gpudbg_error *err)
{
    if (!w->isa->uses) {
        gpudbg_fail(err, "unsupported", "live registers of %s are not followed: it does not say which lanes write",
            w->isa->name);
        return NULL;
    }
    struct live *l = xalloc(sizeof *l);
    *l = (struct live){.ways = w};
    l->used = used_new(w, err);
    if (l->used) l->masks = masks_new(l->used, err);
    if (l->masks && solve(l, err)) return l;
    live_free(l);
    return NULL;
}

void live_free(struct live *l)
{
    if (!l) return;
    gpudbg_solution_free(l->solution);
    masks_free(l->masks);
    used_free(l->used);
    free(l);
}

/* ---- Asking ---- */

void live_walk(const struct live *l, uint32_t block, live_fn *each, void *to)
{
    const live_need *end = gpudbg_entered(l->solution, block);
    const struct gpudbg_basic_block *b = &l->ways->block[block];
    const size_t size = ((size_t)l->used->ncells + 1) * sizeof(live_need);
    if (!end) return;
    live_need *before = xalloc(size), *after = xalloc(size);
    memcpy(before, end, l->used->ncells * sizeof *before);
    bool more = true;
    for (uint32_t i = b->ninsns; i-- > 0 && more;) {
        memcpy(after, before, size);
        step_back(l, b->first + i, before);
        more = each(to, b->first + i, before, after);
    }
    free(before);
    free(after);
}

bool live_find(const struct live *l, uint64_t addr, uint32_t *number, uint32_t *block)
{
    const struct gpudbg_ways *w = l->ways;
    uint32_t lo = 0, hi = w->nblocks - (w->returns != UINT32_MAX);
    while (lo < hi) { /* the last one that begins there or before */
        const uint32_t mid = lo + (hi - lo) / 2;
        if (w->block[mid].addr <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo-- > 0;) {
        const struct gpudbg_basic_block *b = &w->block[lo];
        if (b->place == UINT32_MAX || addr >= b->end) {
            if (addr - b->addr > UINT64_C(1) << 20) break;
            continue;
        }
        for (uint32_t i = 0; i < b->ninsns; i++)
            if (l->used->addr[b->first + i] == addr) {
                *number = b->first + i;
                *block = lo;
                return true;
            }
        break;
    }
    return false;
}

struct stopping {
    uint32_t number, ncells;
    live_need *needs;
};

static bool stop_at(void *to, uint32_t number, const live_need *before, const live_need *after)
{
    const struct stopping *s = to;
    (void)after;
    if (number != s->number) return true;
    memcpy(s->needs, before, s->ncells * sizeof *before);
    return false;
}

void live_before(const struct live *l, uint32_t block, uint32_t number, live_need *needs)
{
    struct stopping s = {number, l->used->ncells, needs};
    live_walk(l, block, stop_at, &s);
}

static bool uses_cell(const struct used *u, uint32_t number, uint32_t cell, unsigned flags, unsigned without)
{
    const struct used_insn *insn = &u->insn[number];
    for (uint32_t k = insn->use; k < insn->use + insn->nuses; k++)
        if ((u->use[k].flags & flags) == flags && !(u->use[k].flags & without) && cell >= u->use[k].cell &&
            cell - u->use[k].cell < u->use[k].n)
            return true;
    return false;
}

/* mask: writes of these lanes end the search, too; MASK_ROOT: only those of all lanes do. */
static uint32_t next_read(const struct live *l, uint32_t block, uint32_t number, uint32_t cell, uint32_t mask)
{
    const struct gpudbg_ways *w = l->ways;
    uint32_t *queue = xcalloc((size_t)w->nblocks + 1, sizeof *queue), head = 0, tail = 0, found = UINT32_MAX;
    bool *seen = xcalloc((size_t)w->nblocks + 1, sizeof *seen);
    queue[tail++] = block;
    for (uint32_t from = number; head < tail && found == UINT32_MAX; head++) {
        const struct gpudbg_basic_block *b = &w->block[queue[head]];
        bool ended = false;
        if (head) from = b->first;
        for (uint32_t i = from; i < b->first + b->ninsns && !ended && found == UINT32_MAX; i++) {
            if (uses_cell(l->used, i, cell, GPUDBG_USE_READ, GPUDBG_USE_MAYBE)) found = i;
            ended = uses_cell(l->used, i, cell, GPUDBG_USE_WRITE | GPUDBG_USE_ALL, GPUDBG_USE_PART) ||
                    (mask != MASK_ROOT && l->masks->before[i] == mask &&
                        uses_cell(l->used, i, cell, GPUDBG_USE_WRITE, GPUDBG_USE_PART));
        }
        for (uint32_t i = 0; i < b->nnext && !ended; i++) {
            const uint32_t next = w->link[b->next + i];
            const live_need *needs = gpudbg_left(l->solution, next);
            if (seen[next] || !needs || !needs[cell]) continue;
            seen[next] = true;
            queue[tail++] = next;
        }
    }
    free(queue);
    free(seen);
    return found;
}

uint32_t live_next_read(const struct live *l, uint32_t block, uint32_t number, uint32_t cell)
{
    return next_read(l, block, number, cell, MASK_ROOT);
}

uint32_t live_next_read_here(const struct live *l, uint32_t block, uint32_t number, uint32_t cell)
{
    return next_read(l, block, number, cell, l->masks->before[number]);
}

uint32_t live_last_write(const struct live *l, uint32_t block, uint32_t number, uint32_t cell)
{
    const struct gpudbg_ways *w = l->ways;
    uint32_t *queue = xcalloc((size_t)w->nblocks + 1, sizeof *queue), head = 0, tail = 0, found = UINT32_MAX;
    bool *seen = xcalloc((size_t)w->nblocks + 1, sizeof *seen);
    queue[tail++] = block;
    for (; head < tail && found == UINT32_MAX; head++) {
        const struct gpudbg_basic_block *b = &w->block[queue[head]];
        for (uint32_t i = head ? b->first + b->ninsns : number; i-- > b->first && found == UINT32_MAX;)
            if (uses_cell(l->used, i, cell, GPUDBG_USE_WRITE, 0)) found = i;
        for (uint32_t i = 0; i < b->nfrom; i++) {
            const uint32_t from = w->link[b->from + i];
            if (seen[from] || w->block[from].place == UINT32_MAX) continue;
            seen[from] = true;
            queue[tail++] = from;
        }
    }
    free(queue);
    free(seen);
    return found;
}
