/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * masks.c: see masks.h.  Forwards over all ways, a slot holds a *value*: a token, and whether the slot is that mask or
 * only a part of it.  Parents only move up the tree, so the tree is complete when a whole analysis has not changed it.
 */
#include "flow/masks.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "flow/nest.h"

#define ROUNDS 40 /* of whole analyses */
#define VISITS UINT64_C(20000000)

/* A value is token * 2, plus 1 if the slot is that mask; 0: no lane at all. */
typedef uint32_t value;
static value exactly(uint32_t token) { return token * 2 + 1; }
static value part_of(uint32_t token) { return token * 2; }
static uint32_t token_of(value v) { return v / 2; }

struct state {
    value slot[GPUDBG_MASK_SLOTS];
};

struct analysis {
    struct masks *m;
    struct nest nest;
    bool changed;  /* the tree has */
    bool finished; /* it is complete: `before` and `makes` are written */
};

static bool within(const struct masks *m, uint32_t part, uint32_t whole)
{
    while (part != whole && part > MASK_ROOT) part = m->parent[part];
    return part == whole;
}

/* Depths of tokens in the tree; 0: MASK_ROOT. */
static uint32_t depth(const struct masks *m, uint32_t t)
{
    uint32_t n = 0;
    for (; t != MASK_ROOT; t = m->parent[t]) n++;
    return n;
}

static uint32_t join(const struct masks *m, uint32_t a, uint32_t b)
{
    if (a == b) return a;
    uint32_t da = depth(m, a), db = depth(m, b);
    for (; da > db; da--) a = m->parent[a];
    for (; db > da; db--) b = m->parent[b];
    while (a != b) a = m->parent[a], b = m->parent[b];
    return a;
}

static value join_values(const struct masks *m, value a, value b)
{
    if (a == b || !b) return a && a != b ? part_of(token_of(a)) : a;
    if (!a) return part_of(token_of(b));
    return part_of(join(m, token_of(a), token_of(b)));
}

/* A token's maker makes it anew, as a part of `whole`. */
static void set_parent(struct analysis *a, uint32_t token, uint32_t whole)
{
    uint32_t *parent = &a->m->parent[token];
    if (*parent) whole = join(a->m, *parent, whole);
    if (*parent == whole) return;
    *parent = whole;
    a->changed = true;
}

/* What slots hold of a token that is made again, or of parts of it, is of the old one: a part of its parent. */
static void forget(const struct analysis *a, struct state *s, uint32_t token)
{
    if (!a->m->parent[token]) return; /* it is the first time */
    for (unsigned i = 0; i < GPUDBG_MASK_SLOTS; i++)
        if (s->slot[i] && within(a->m, token_of(s->slot[i]), token)) s->slot[i] = part_of(a->m->parent[token]);
}

/* ---- One instruction ---- */

static value and_values(const struct masks *m, value a, value b)
{
    if (!a || !b) return 0;
    const bool a_in_b = within(m, token_of(a), token_of(b)), b_in_a = within(m, token_of(b), token_of(a));
    if (a_in_b && b & 1) return a;
    if (b_in_a && a & 1) return b;
    return part_of(token_of(b_in_a ? b : a));
}

static value or_values(const struct masks *m, value a, value b)
{
    if (!a) return b;
    if (!b) return a;
    if (a & 1 && within(m, token_of(b), token_of(a))) return a;
    if (b & 1 && within(m, token_of(a), token_of(b))) return b;
    return part_of(join(m, token_of(a), token_of(b)));
}

static value slot_value(const struct state *s, unsigned slot)
{
    if (slot < GPUDBG_MASK_SLOTS) return s->slot[slot];
    if (slot == GPUDBG_MASK_START) return exactly(MASK_ENTRY);
    return slot == GPUDBG_MASK_NO_LANE ? 0 : slot == GPUDBG_MASK_ALL_LANES ? exactly(MASK_ROOT) : part_of(MASK_ROOT);
}

static value result(const struct masks *m, const struct state *s, const struct gpudbg_mask_move *move)
{
    const value a = slot_value(s, move->a), b = slot_value(s, move->b);
    switch ((enum gpudbg_mask_op)move->op) {
    case GPUDBG_MASK_ANY: break;
    case GPUDBG_MASK_COPY: return a;
    case GPUDBG_MASK_BELOW: return a & ~1u;
    case GPUDBG_MASK_AND: return and_values(m, a, b);
    case GPUDBG_MASK_OR: return or_values(m, a, b);
    case GPUDBG_MASK_XOR: return or_values(m, a, b) & ~1u;
    }
    return part_of(MASK_ROOT);
}

static void move_masks(struct analysis *a, struct state *s, const struct gpudbg_mask_move *move, unsigned n)
{
    const struct state old = *s;
    for (unsigned i = 0; i < n; i++) {
        const value v = result(a->m, &old, &move[i]);
        const unsigned last = move[i].op == GPUDBG_MASK_ANY ? move[i].to + move[i].a : move[i].to;
        for (unsigned k = move[i].to; k <= last && k < GPUDBG_MASK_SLOTS; k++) s->slot[k] = v;
    }
}

static void step(struct analysis *a, struct state *s, uint32_t number)
{
    struct masks *m = a->m;
    const struct used_insn *insn = &m->used->insn[number];
    const value ran = s->slot[0];
    if (a->finished) m->before[number] = token_of(ran);
    if (!insn->nmoves && !a->nest.nmoves[number]) return;
    struct state after = *s;
    move_masks(a, &after, m->used->move + insn->move, insn->nmoves);
    move_masks(a, &after, a->nest.move[number], a->nest.nmoves[number]);
    if (after.slot[0] == ran || (after.slot[0] & 1)) {
        *s = after;
        return;
    }
    /* A new mask.  What it is made of must not be an older one of its own. */
    const uint32_t token = mask_made(number);
    forget(a, s, token);
    after = *s;
    move_masks(a, &after, m->used->move + insn->move, insn->nmoves);
    move_masks(a, &after, a->nest.move[number], a->nest.nmoves[number]);
    const uint32_t whole = after.slot[0] ? token_of(after.slot[0]) : token_of(ran);
    set_parent(a, token, whole == token ? MASK_ROOT : whole);
    after.slot[0] = exactly(token);
    *s = after;
    if (a->finished) m->makes[number] = true;
}

/* ---- Blocks ---- */

static void at_entry(const struct analysis *a, struct state *s)
{
    memset(s, 0, sizeof *s);
    s->slot[0] = exactly(MASK_ENTRY);
    for (unsigned i = 1; i < GPUDBG_MASK_SLOTS && !a->nest.any; i++) s->slot[i] = part_of(MASK_ROOT);
}

/* A way into a loop from outside: its slot gets the mask of those who come. */
static void enter_loops(const struct analysis *a, struct state *s, uint64_t block, uint64_t from)
{
    uint32_t lo = 0, hi = a->nest.nloops;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (a->nest.loop[mid].from < block)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (; lo < a->nest.nloops && a->nest.loop[lo].from == block; lo++) {
        const struct nest_loop *l = &a->nest.loop[lo];
        if (from < l->from || from > l->to) s->slot[l->slot] = s->slot[0] & ~1u;
    }
}

/* The mask of which those are a part that wait at the start of a block. */
static uint32_t waiting_at(const struct analysis *a, const struct state *s, uint32_t block)
{
    const value v = slot_value(s, a->nest.waits[block]);
    return v ? token_of(v) : MASK_ENTRY;
}

struct meeting {
    struct analysis *a;
    struct state *in;
    uint32_t mask; /* of the ways so far; MASK_NONE: no way yet */
    bool differ;
};

static void add_way(struct meeting *t, const struct state *from)
{
    const struct masks *m = t->a->m;
    const uint32_t mask = token_of(from->slot[0]);
    if (!t->mask) {
        *t->in = *from;
        t->mask = mask;
        return;
    }
    t->differ = t->differ || mask != t->mask;
    t->mask = join(m, t->mask, mask);
    for (unsigned i = 1; i < GPUDBG_MASK_SLOTS; i++) t->in->slot[i] = join_values(m, t->in->slot[i], from->slot[i]);
}

static void meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *in)
{
    struct analysis *a = with;
    struct masks *m = a->m;
    const struct gpudbg_ways *w = m->used->ways;
    const struct gpudbg_basic_block *b = &w->block[block];
    struct meeting t = {.a = a, .in = in};
    struct state way;
    if (b->entry || m->used->unknown_jumps) {
        at_entry(a, &way);
        enter_loops(a, &way, b->addr, UINT64_MAX);
        add_way(&t, &way);
    }
    if (m->used->unknown_jumps && block != w->returns) { /* somebody may come with any mask */
        for (unsigned i = 1; i < GPUDBG_MASK_SLOTS; i++) way.slot[i] = part_of(MASK_ROOT);
        way.slot[0] = exactly(MASK_ROOT);
        add_way(&t, &way);
    }
    for (uint32_t i = 0; i < b->nfrom; i++) {
        const uint32_t from = w->link[b->from + i];
        const struct state *left = gpudbg_left(solution, from);
        if (!left) continue;
        way = *left;
        /* What was called may have changed all masks, and nobody knows it. */
        if (w->block[from].call && m->used->leaves[from] == USED_LEAVES) {
            for (unsigned k = 1; k < GPUDBG_MASK_SLOTS; k++) way.slot[k] = part_of(MASK_ROOT);
            t.differ = true;
            way.slot[0] = exactly(MASK_ROOT);
        }
        enter_loops(a, &way, b->addr, from == w->returns ? b->addr : w->block[from].end - 1);
        add_way(&t, &way);
    }
    if (!t.mask) { /* not reached yet */
        at_entry(a, in);
        return;
    }
    if (a->nest.waits[block]) t.mask = join(m, t.mask, waiting_at(a, in, block));
    if (!t.differ && !m->meets[block] && !a->nest.waits[block]) return;
    const uint32_t token = mask_met(m, block);
    m->meets[block] = true;
    forget(a, in, token);
    /* The new mask of a loop may come from the old one: then it is a part of what that was part of. */
    uint32_t whole = t.mask;
    while (whole != MASK_ROOT && within(m, whole, token)) whole = m->parent[token] ? m->parent[token] : MASK_ROOT;
    set_parent(a, token, whole);
    ((struct state *)in)->slot[0] = exactly(token);
}

static void pass(void *with, uint32_t block, void *state)
{
    struct analysis *a = with;
    const struct gpudbg_basic_block *b = &a->m->used->ways->block[block];
    for (uint32_t i = 0; i < b->ninsns; i++) step(a, state, b->first + i);
}

/* ---- The tree as numbers ---- */

static bool number_tree(struct masks *m)
{
    uint32_t *child = calloc(m->ntokens, sizeof *child), *next = calloc(m->ntokens, sizeof *next), n = 0;
    bool ok = child && next;
    for (uint32_t t = m->ntokens; ok && t-- > MASK_ENTRY;) {
        if (!m->parent[t]) continue;
        next[t] = child[m->parent[t]];
        child[m->parent[t]] = t;
    }
    for (uint32_t t = ok ? MASK_ROOT : 0; t;) { /* depth first */
        m->first[t] = n++;
        if (child[t]) {
            t = child[t];
            continue;
        }
        for (;;) {
            m->last[t] = n - 1;
            if (t == MASK_ROOT || next[t]) break;
            t = m->parent[t];
        }
        t = t == MASK_ROOT ? 0 : next[t];
    }
    free(child);
    free(next);
    return ok;
}

/* Every change of the mask, and every block, is unknown. */
static void know_nothing(struct masks *m)
{
    const struct gpudbg_ways *w = m->used->ways;
    m->unknown = true;
    for (uint32_t i = 0; i < w->ninsns; i++) {
        m->parent[mask_made(i)] = MASK_ROOT;
        m->makes[i] = true;
    }
    for (uint32_t b = 0; b < w->nblocks; b++) {
        m->parent[mask_met(m, b)] = MASK_ROOT;
        m->meets[b] = true;
        m->enter[b] = m->leave[b] = mask_met(m, b);
        for (uint32_t i = 0; i < w->block[b].ninsns; i++) {
            const uint32_t number = w->block[b].first + i;
            m->before[number] = m->leave[b];
            m->leave[b] = mask_made(number);
        }
    }
}

static bool solve(struct analysis *a, struct gpudbg_error *err)
{
    struct masks *m = a->m;
    const struct gpudbg_ways *w = m->used->ways;
    const struct gpudbg_solver solver = {.size = sizeof(struct state), .meet = meet, .pass = pass, .most = VISITS};
    for (unsigned round = 0; round < ROUNDS; round++) {
        a->changed = false;
        struct gpudbg_solution *solution = gpudbg_solve(w, &solver, a, err);
        if (!solution) return false;
        if (!a->changed) {
            a->finished = true;
            for (uint32_t b = 0; b < w->nblocks; b++) {
                const struct state *in = gpudbg_entered(solution, b), *out = gpudbg_left(solution, b);
                if (!in) continue;
                struct state s = *in;
                m->enter[b] = token_of(in->slot[0]);
                m->leave[b] = token_of(out->slot[0]);
                pass(a, b, &s);
            }
            gpudbg_solution_free(solution);
            return true;
        }
        gpudbg_solution_free(solution);
    }
    know_nothing(m);
    return true;
}

struct masks *masks_new(const struct used *used, struct gpudbg_error *err)
{
    const struct gpudbg_ways *w = used->ways;
    struct masks *m = xalloc(sizeof *m);
    struct analysis a = {.m = m};
    *m = (struct masks){.used = used, .ntokens = MASK_FIRST + w->ninsns + w->nblocks};
    m->parent = calloc(m->ntokens, sizeof *m->parent);
    m->first = calloc(m->ntokens, sizeof *m->first);
    m->last = calloc(m->ntokens, sizeof *m->last);
    m->before = calloc((size_t)w->ninsns + 1, sizeof *m->before);
    m->makes = calloc((size_t)w->ninsns + 1, sizeof *m->makes);
    m->meets = calloc((size_t)w->nblocks + 1, sizeof *m->meets);
    m->enter = calloc((size_t)w->nblocks + 1, sizeof *m->enter);
    m->leave = calloc((size_t)w->nblocks + 1, sizeof *m->leave);
    m->waits = calloc((size_t)w->nblocks + 1, sizeof *m->waits);
    bool ok = m->waits && m->parent && m->first && m->last && m->before && m->makes && m->meets && m->enter && m->leave;
    if (!ok) gpudbg_fail(err, "memory", "the code's masks: out of memory");
    if (ok) {
        m->parent[MASK_ROOT] = MASK_NONE;
        m->parent[MASK_ENTRY] = MASK_ROOT;
    }
    ok = ok && nest_read(&a.nest, used, err);
    for (uint32_t b = 0; ok && b < w->nblocks; b++) m->waits[b] = a.nest.waits[b];
    ok = ok && solve(&a, err) && (number_tree(m) || gpudbg_fail(err, "memory", "the code's masks: out of memory"));
    nest_free(&a.nest);
    if (ok) return m;
    masks_free(m);
    return NULL;
}

void masks_free(struct masks *m)
{
    if (!m) return;
    free(m->parent);
    free(m->first);
    free(m->last);
    free(m->before);
    free(m->makes);
    free(m->meets);
    free(m->enter);
    free(m->leave);
    free(m->waits);
    free(m);
}
