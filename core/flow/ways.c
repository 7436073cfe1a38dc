/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ways.c: blocks of code and the ways between them, see gpudbg/flow.h. */
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg.h"

void gpudbg_insn_nexts(const struct gpudbg_insn *insn, struct gpudbg_nexts *to)
{
    *to = (struct gpudbg_nexts){.n = 0};
    if (insn->isa->nexts) {
        insn->isa->nexts(insn, to);
        return;
    }
    const uint64_t flags = insn->op->flags;
    const bool branch = flags & GPUDBG_OP_BRANCH;
    for (unsigned i = 0; i < insn->noperands && branch; i++)
        if (insn->operands[i].kind == GPUDBG_CODE && to->n < GPUDBG_NEXTS - 1)
            to->to[to->n++] = (uint64_t)insn->operands[i].imm;
    to->call = flags & GPUDBG_OP_CALL;
    to->returns = flags & GPUDBG_OP_RETURN;
    to->unknown = branch && !to->n && !to->returns;
    if (flags & GPUDBG_OP_END || (branch && !(flags & (GPUDBG_OP_COND | GPUDBG_OP_CALL)))) return;
    to->to[to->n++] = insn->addr + insn->size;
}

void gpudbg_ways_nexts(const struct gpudbg_ways *w, const struct gpudbg_insn *insn, struct gpudbg_nexts *to)
{
    uint32_t lo = 0, hi = w->njumps;
    if (!w->isa->jumps) {
        gpudbg_insn_nexts(insn, to);
        return;
    }
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (w->jump[mid].addr < insn->addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    *to = (struct gpudbg_nexts){.to = {insn->addr + insn->size}, .n = 1};
    if (lo < w->njumps && w->jump[lo].addr == insn->addr) *to = w->jump[lo].to;
}

/* ---- Making ---- */

enum { REACHED = 1, LEADER = 2, ENTRY = 4 };

struct making {
    struct gpudbg_ways *w;
    uint8_t *unit; /* of each unit of isa->align bytes: REACHED: an instruction was met there; LEADER, ENTRY: of a block
                    */
    uint32_t *queue, nqueue, queue_room; /* units from which code is still to be reached */
    uint32_t *block_at;                  /* of each unit: the number of the block that begins there, plus 1 */
    uint32_t most, ninsns;
    struct gpudbg_error *err;
};

static uint64_t units(const struct gpudbg_ways *w) { return (w->size + w->isa->align - 1) / w->isa->align; }

static bool no_memory(struct gpudbg_error *err) { return gpudbg_fail(err, "memory", "the code's ways: out of memory"); }

/* The unit of an address; false: it is not in this code, or not aligned. */
static bool unit_of(const struct gpudbg_ways *w, uint64_t addr, uint32_t *unit)
{
    const uint64_t offset = addr - w->base;
    *unit = (uint32_t)(offset / w->isa->align);
    return offset < w->size && offset % w->isa->align == 0;
}

static bool insn_at(const struct gpudbg_ways *w, uint64_t addr, struct gpudbg_insn *insn)
{
    const uint64_t offset = addr - w->base;
    return offset < w->size && gpudbg_insn_at(w->isa, w->bytes + offset, (size_t)(w->size - offset), addr, insn);
}

/* Whether the only way on is the next instruction. */
static bool straight(const struct gpudbg_insn *insn, const struct gpudbg_nexts *to)
{
    return to->n == 1 && to->to[0] == insn->addr + insn->size && !to->call && !to->returns && !to->unknown;
}

static bool lead(struct making *m, uint64_t addr)
{
    uint32_t unit;
    if (!unit_of(m->w, addr, &unit) || m->unit[unit] & LEADER) return true;
    m->unit[unit] |= LEADER;
    if (m->nqueue == m->queue_room) {
        const uint32_t room = m->queue_room ? 2 * m->queue_room : 64;
        uint32_t *queue = realloc(m->queue, room * sizeof *queue);
        if (!queue) return no_memory(m->err);
        m->queue = queue;
        m->queue_room = room;
    }
    m->queue[m->nqueue++] = unit;
    return true;
}

static bool count(struct making *m)
{
    return ++m->ninsns <= m->most ||
           gpudbg_fail(m->err, "too-large", "the program has more than %lu instructions", (unsigned long)m->most);
}

/* Marks what the instruction leads to.  false with an error, or (straight_on) it is the end of its block. */
static bool mark(struct making *m, const struct gpudbg_insn *insn, bool *straight_on)
{
    struct gpudbg_nexts to;
    gpudbg_ways_nexts(m->w, insn, &to);
    *straight_on = straight(insn, &to);
    for (unsigned i = 0; i < to.n && !*straight_on; i++)
        if (!lead(m, to.to[i])) return false;
    return true;
}

/* Marks what can be reached from the queue's units. */
static bool reach(struct making *m)
{
    for (uint32_t q = 0; q < m->nqueue; q++) { /* the queue grows while it is walked */
        struct gpudbg_insn insn;
        uint64_t addr = m->w->base + (uint64_t)m->queue[q] * m->w->isa->align;
        bool on = true;
        for (uint32_t unit; on && unit_of(m->w, addr, &unit) && !(m->unit[unit] & REACHED); addr += insn.size) {
            if (!insn_at(m->w, addr, &insn)) break;
            m->unit[unit] |= REACHED;
            if (!count(m) || !mark(m, &insn, &on)) return false;
        }
    }
    return true;
}

/* Marks every instruction from the first byte on, whether a way leads there or not. */
static bool mark_all(struct making *m)
{
    struct gpudbg_insn insn;
    bool begins = true; /* a block does at the next instruction */
    uint32_t unit;
    for (uint64_t addr = m->w->base; unit_of(m->w, addr, &unit); addr += insn.size) {
        bool on;
        if (!insn_at(m->w, addr, &insn)) {
            begins = true;
            continue;
        }
        if (begins && !lead(m, addr)) return false;
        m->unit[unit] |= REACHED;
        if (!count(m) || !mark(m, &insn, &on)) return false;
        begins = !on;
    }
    return reach(m); /* jumps into the middle of an instruction */
}

/* Walks from the start of block b to its end: its size, its instructions and what follows, as a list of addresses. */
static void walk(const struct making *m, struct gpudbg_basic_block *b, struct gpudbg_nexts *to)
{
    struct gpudbg_insn insn;
    *to = (struct gpudbg_nexts){.n = 0};
    b->end = b->addr;
    while (insn_at(m->w, b->end, &insn)) {
        uint32_t unit;
        b->ninsns++;
        b->end += insn.size;
        gpudbg_ways_nexts(m->w, &insn, to);
        if (!straight(&insn, to) || (unit_of(m->w, b->end, &unit) && m->unit[unit] & LEADER)) return;
        *to = (struct gpudbg_nexts){.n = 0};
    }
}

/* Fills in the blocks, and in to[] the addresses that follow each. */
static void list_blocks(struct making *m, struct gpudbg_nexts *to)
{
    struct gpudbg_ways *w = m->w;
    const uint64_t n = units(w);
    bool calls = false, returns = false;
    for (uint64_t i = 0; i < n; i++) {
        if (!(m->unit[i] & LEADER && m->unit[i] & REACHED)) continue;
        struct gpudbg_basic_block *b = &w->block[w->nblocks];
        *b = (struct gpudbg_basic_block){
            .addr = w->base + i * w->isa->align, .first = w->ninsns, .place = UINT32_MAX, .entry = m->unit[i] & ENTRY};
        walk(m, b, &to[w->nblocks]);
        b->call = to[w->nblocks].call;
        b->returns = to[w->nblocks].returns;
        b->unknown = to[w->nblocks].unknown;
        calls = calls || b->call;
        returns = returns || b->returns;
        w->ninsns += b->ninsns;
        m->block_at[i] = ++w->nblocks;
    }
    w->returns = UINT32_MAX;
    if (!calls || !returns) return;
    w->returns = w->nblocks;
    w->block[w->nblocks++] = (struct gpudbg_basic_block){.first = w->ninsns, .place = UINT32_MAX};
}

/* Adds a link from a block, whose links are the last ones so far, to the block that begins at addr, if one does. */
static void add_link(const struct making *m, struct gpudbg_basic_block *from, uint64_t addr)
{
    uint32_t unit;
    if (!unit_of(m->w, addr, &unit) || !m->block_at[unit]) return;
    const uint32_t to = m->block_at[unit] - 1;
    for (uint32_t i = 0; i < from->nnext; i++)
        if (m->w->link[from->next + i] == to) return;
    m->w->link[from->next + from->nnext++] = to;
}

/* Links each block with those that follow, and with those that lead to it. */
static void link_blocks(const struct making *m, const struct gpudbg_nexts *to)
{
    struct gpudbg_ways *w = m->w;
    uint32_t links = 0;
    for (uint32_t i = 0; i < w->nblocks; i++) {
        struct gpudbg_basic_block *b = &w->block[i];
        b->next = links;
        for (unsigned k = 0; i != w->returns && k < to[i].n; k++) add_link(m, b, to[i].to[k]);
        for (uint32_t c = 0; i == w->returns && c < w->returns; c++)
            if (w->block[c].call) add_link(m, b, w->block[c].end);
        if (b->returns && w->returns != UINT32_MAX) w->link[b->next + b->nnext++] = w->returns;
        links += b->nnext;
    }
    for (uint32_t i = 0; i < links; i++) w->block[w->link[i]].nfrom++;
    for (uint32_t i = 0; i < w->nblocks; i++) {
        w->block[i].from = links;
        links += w->block[i].nfrom;
        w->block[i].nfrom = 0;
    }
    for (uint32_t i = 0; i < w->nblocks; i++)
        for (uint32_t k = 0; k < w->block[i].nnext; k++) {
            struct gpudbg_basic_block *after = &w->block[w->link[w->block[i].next + k]];
            w->link[after->from + after->nfrom++] = i;
        }
}

static bool make_blocks(struct making *m)
{
    struct gpudbg_ways *w = m->w;
    const uint64_t n = units(w);
    size_t most = 1; /* the one of the returns */
    for (uint64_t i = 0; i < n; i++) most += m->unit[i] & LEADER && m->unit[i] & REACHED;
    struct gpudbg_nexts *to = calloc(most, sizeof *to);
    w->block = calloc(most, sizeof *w->block);
    /* A block has at most GPUDBG_NEXTS ways on and one to the returns, which lead behind each call.  Each link is in
     * the list twice: as a way on and as a way that leads there. */
    w->link = calloc(2 * most * (GPUDBG_NEXTS + 2), sizeof *w->link);
    const bool room = to && w->block && w->link;
    if (room) list_blocks(m, to);
    if (room) link_blocks(m, to);
    free(to);
    return room || no_memory(m->err);
}

/* Puts the blocks in an order in which, but for loops, each comes after those that lead to it. */
static bool order_blocks(struct making *m)
{
    struct gpudbg_ways *w = m->w;
    uint32_t *stack = malloc(((size_t)w->nblocks + 1) * sizeof *stack), depth = 0, left = w->nblocks;
    uint32_t *tried = calloc((size_t)w->nblocks + 1, sizeof *tried); /* 1 and the ways on that were followed */
    w->order = calloc((size_t)w->nblocks + 1, sizeof *w->order);
    const bool room = stack && tried && w->order;
    for (uint32_t e = w->nblocks; room && e-- > 0;) { /* the first entry comes first */
        if (!w->block[e].entry || tried[e]) continue;
        stack[depth++] = e;
        tried[e] = 1;
        while (depth) {
            const uint32_t b = stack[depth - 1], way = tried[b] - 1;
            if (way == w->block[b].nnext) {
                w->order[--left] = b;
                depth--;
                continue;
            }
            tried[b]++;
            const uint32_t to = w->link[w->block[b].next + way];
            if (!tried[to]) {
                tried[to] = 1;
                stack[depth++] = to;
            }
        }
    }
    free(stack);
    free(tried);
    if (!room) return no_memory(m->err);
    w->norder = w->nblocks - left;
    memmove(w->order, w->order + left, w->norder * sizeof *w->order);
    for (uint32_t i = 0; i < w->norder; i++) w->block[w->order[i]].place = i;
    return true;
}

/* Jumps of code whose instructions do not name their targets. */
static bool keep_jump(void *data, uint64_t addr, const struct gpudbg_nexts *to)
{
    struct gpudbg_ways *w = data;
    if ((w->njumps & (w->njumps - 1)) == 0) { /* a power of two: it is full */
        struct gpudbg_jump *more = realloc(w->jump, (w->njumps ? 2 * (size_t)w->njumps : 1) * sizeof *more);
        if (!more) return false;
        w->jump = more;
    }
    w->jump[w->njumps++] = (struct gpudbg_jump){addr, *to};
    return true;
}

static bool make(struct making *m, const uint64_t *entries, unsigned n, unsigned flags)
{
    struct gpudbg_ways *w = m->w;
    const uint64_t all = units(w);
    bool any = false;
    if (all >= UINT32_MAX) return gpudbg_fail(m->err, "too-large", "the code is too large to follow its ways");
    m->unit = calloc((size_t)all + 1, 1);
    m->block_at = calloc((size_t)all + 1, sizeof *m->block_at);
    if (!m->unit || !m->block_at) return no_memory(m->err);
    if (w->isa->jumps && !w->isa->jumps(w->isa, w->bytes, w->size, w->base, keep_jump, w)) return no_memory(m->err);
    for (unsigned i = 0; i < n; i++) {
        uint32_t unit;
        if (!unit_of(w, entries[i], &unit)) continue;
        m->unit[unit] |= ENTRY;
        any = true;
        if (!lead(m, entries[i])) return false;
    }
    if (!any) return gpudbg_fail(m->err, "not-now", "no code is at 0x%llx", n ? (unsigned long long)entries[0] : 0ull);
    if (!(flags & GPUDBG_WAYS_ALL ? mark_all(m) : reach(m))) return false;
    return make_blocks(m) && order_blocks(m);
}

struct gpudbg_ways *gpudbg_ways_new(const struct gpudbg_isa *isa, const uint8_t *bytes, uint64_t size, uint64_t base,
    const uint64_t *entries, unsigned n, unsigned flags, uint32_t most, struct gpudbg_error *err)
{
    struct making m = {.w = xalloc(sizeof *m.w), .most = most, .err = err};
    *m.w = (struct gpudbg_ways){.isa = isa, .bytes = bytes, .base = base, .size = size};
    if (!make(&m, entries, n, flags)) {
        gpudbg_ways_free(m.w);
        m.w = NULL;
    }
    free(m.unit);
    free(m.queue);
    free(m.block_at);
    return m.w;
}

void gpudbg_ways_free(struct gpudbg_ways *w)
{
    if (!w) return;
    free(w->block);
    free(w->link);
    free(w->order);
    free(w->jump);
    free(w);
}

/* ---- Asking ---- */

bool gpudbg_block_walk(const struct gpudbg_ways *w, uint32_t block, gpudbg_block_fn *each, void *to)
{
    const struct gpudbg_basic_block *b = &w->block[block];
    struct gpudbg_insn insn;
    uint64_t addr = b->addr;
    for (uint32_t i = 0; i < b->ninsns && insn_at(w, addr, &insn); i++, addr += insn.size)
        if (!each(to, &insn, b->first + i)) return false;
    return true;
}

uint32_t gpudbg_block_at(const struct gpudbg_ways *w, uint64_t addr)
{
    uint32_t lo = 0, hi = w->nblocks - (w->returns != UINT32_MAX);
    const uint32_t n = hi;
    while (lo < hi) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (w->block[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < n && w->block[lo].addr == addr ? lo : UINT32_MAX;
}
