/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/nest.h"
#include <stdlib.h>

/* Slots: an `if` takes one by its depth, a loop the next one, counted through; the last is shared by all loops that
 * follow, which makes what is known of them less, never wrong. */
enum { IF_SLOTS = 48, FIRST_LOOP = 1 + IF_SLOTS, LAST_LOOP = GPUDBG_MASK_SLOTS - 1, DEEP = 512 };

struct level {
    bool loop, left; /* left: lanes leave it, or come back into it, in between */
    uint8_t slot;
};

struct nesting {
    struct nest *n;
    const struct used *used;
    struct level level[DEEP];
    unsigned depth, ifs;
    unsigned next_loop;
    uint32_t begun; /* loops whose first instruction was met */
    bool lost;      /* nested too deep, or not well */
};

static void put(struct nesting *s, uint32_t i, unsigned op, unsigned to, unsigned a)
{
    uint8_t *n = &s->n->nmoves[i];
    s->n->move[i][(*n)++] = (struct gpudbg_mask_move){(uint8_t)op, (uint8_t)to, (uint8_t)a, (uint8_t)a};
}

static struct level *push(struct nesting *s, bool loop)
{
    if (s->depth == DEEP) {
        s->lost = true;
        return &s->level[DEEP - 1];
    }
    struct level *l = &s->level[s->depth++];
    *l = (struct level){.loop = loop};
    if (loop)
        l->slot = (uint8_t)(s->next_loop < LAST_LOOP ? s->next_loop++ : LAST_LOOP);
    else
        l->slot = (uint8_t)(s->ifs++ < IF_SLOTS ? s->ifs : 0);
    return l;
}

/* What is left of it goes on in the block around. */
static struct level pop(struct nesting *s)
{
    const struct level l = s->depth ? s->level[--s->depth] : (struct level){.slot = 0};
    s->lost = s->lost || !l.slot;
    if (!l.loop && s->ifs) s->ifs--;
    if (s->depth && l.left && !l.loop) s->level[s->depth - 1].left = true;
    return l;
}

static void step(struct nesting *s, uint32_t i)
{
    const uint64_t addr = s->used->addr[i];
    struct nest *n = s->n;
    while (s->begun < n->nloops && n->loop[s->begun].from <= addr) n->loop[s->begun++].slot = push(s, true)->slot;
    struct level *top = s->depth ? &s->level[s->depth - 1] : NULL;
    switch ((enum gpudbg_nest)s->used->insn[i].nest) {
    case GPUDBG_NEST_NONE: break;
    case GPUDBG_NEST_OPEN:
        put(s, i, GPUDBG_MASK_COPY, push(s, false)->slot, 0);
        put(s, i, GPUDBG_MASK_BELOW, 0, 0);
        break;
    case GPUDBG_NEST_ELSE:
        if (top && !top->loop)
            put(s, i, GPUDBG_MASK_BELOW, 0, top->slot);
        else
            s->lost = true;
        break;
    case GPUDBG_NEST_CLOSE: {
        const struct level l = pop(s);
        s->lost = s->lost || l.loop;
        put(s, i, l.left ? GPUDBG_MASK_BELOW : GPUDBG_MASK_COPY, 0, l.slot);
        break;
    }
    case GPUDBG_NEST_LOOP: put(s, i, GPUDBG_MASK_COPY, push(s, true)->slot, 0); break;
    case GPUDBG_NEST_AGAIN: {
        const struct level l = pop(s);
        s->lost = s->lost || !l.loop;
        put(s, i, GPUDBG_MASK_BELOW, 0, l.slot);
        break;
    }
    case GPUDBG_NEST_LESS:
        if (top) top->left = true;
        put(s, i, GPUDBG_MASK_BELOW, 0, 0);
        break;
    case GPUDBG_NEST_JOIN:
        if (top) top->left = true;
        put(s, i, GPUDBG_MASK_BELOW, 0, GPUDBG_MASK_START);
        break;
    }
}

static int by_from(const void *a, const void *b)
{
    const struct nest_loop *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to == y->to ? 0 : x->to < y->to ? 1 : -1;
}

struct ends {
    struct nest *n;
    const struct used *used;
    bool failed;
};

static void wait_at(struct ends *e, uint64_t addr)
{
    const uint32_t block = gpudbg_block_at(e->used->ways, addr);
    if (block != UINT32_MAX) e->n->waits[block] = GPUDBG_MASK_START;
}

static bool see_loop(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct ends *e = to;
    const uint8_t kind = e->used->insn[number].nest;
    struct nest *n = e->n;
    n->any = n->any || kind;
    if (kind == GPUDBG_NEST_LESS && gpudbg_insn_does(insn) & GPUDBG_OP_CALL) wait_at(e, insn->addr + insn->size);
    if (kind != GPUDBG_NEST_AGAIN && kind != GPUDBG_NEST_LESS) return true;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_CODE) continue;
        if (kind == GPUDBG_NEST_LESS) {
            wait_at(e, (uint64_t)o->imm);
            continue;
        }
        struct nest_loop *more = realloc(n->loop, (n->nloops + 1) * sizeof *more);
        if (!more) return !(e->failed = true);
        n->loop = more;
        n->loop[n->nloops++] = (struct nest_loop){(uint64_t)o->imm, insn->addr, 0};
        break;
    }
    return true;
}

/* Nothing is known of blocks that are not nested well: each that opens or closes makes an unknown mask. */
static void lose(struct nest *n, const struct used *u)
{
    for (uint32_t i = 0; i < u->ways->ninsns; i++) {
        n->nmoves[i] = 0;
        if (!u->insn[i].nest) continue;
        n->nmoves[i] = 1;
        n->move[i][0] = (struct gpudbg_mask_move){GPUDBG_MASK_ANY, 0, 0, 0};
    }
    n->nloops = 0;
}

bool nest_read(struct nest *n, const struct used *used, struct gpudbg_error *err)
{
    const struct gpudbg_ways *w = used->ways;
    *n = (struct nest){.move = calloc((size_t)w->ninsns + 1, sizeof *n->move),
        .nmoves = calloc((size_t)w->ninsns + 1, 1),
        .waits = calloc((size_t)w->nblocks + 1, sizeof *n->waits)};
    struct ends ends = {.n = n, .used = used, .failed = !n->move || !n->nmoves || !n->waits};
    for (uint32_t b = 0; b < w->nblocks && !ends.failed; b++)
        if (w->block[b].place != UINT32_MAX) gpudbg_block_walk(w, b, see_loop, &ends);
    if (ends.failed) return gpudbg_fail(err, "memory", "the code's masks: out of memory");
    if (!n->any) return true;
    if (n->nloops) qsort(n->loop, n->nloops, sizeof *n->loop, by_from);
    struct nesting s = {.n = n, .used = used, .next_loop = FIRST_LOOP};
    for (uint32_t b = 0; b < w->nblocks && !s.lost; b++)
        for (uint32_t i = 0; i < w->block[b].ninsns && w->block[b].place != UINT32_MAX; i++)
            step(&s, w->block[b].first + i);
    if (s.lost) lose(n, used);
    for (uint32_t i = 0; i < n->nloops; i++) { /* those that continue wait where the loop ends */
        const uint32_t block = gpudbg_block_at(w, n->loop[i].to);
        if (block != UINT32_MAX && n->waits[block] && n->loop[i].slot) n->waits[block] = n->loop[i].slot;
    }
    return true;
}

void nest_free(struct nest *n)
{
    free(n->move);
    free(n->nmoves);
    free(n->waits);
    free(n->loop);
}
