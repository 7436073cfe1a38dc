/* SPDX-License-Identifier: GPL-3.0-or-later */
/* flow.c: see flow.h.  The code is walked in blocks, in an order in which loops alone lead back, until no block leaves
 * other values than before.  What depends on the way once does so for good, so this ends; the work is cut off at
 * STEPS_MOST. */
#include "flow/flow.h"
#include <stdlib.h>
#include <string.h>
#include "code/gfx7_decoder.h"

#define STEPS_MOST (UINT64_C(40) << 20)
#define ASK_EVERY 65536 /* steps; some milliseconds */
#define INSNS_MOST (UINT32_C(64) << 10)
#define NODES_MOST (UINT32_C(4) << 20)

/* Instructions that run one after the other. */
struct block {
    uint32_t first;       /* dword of the section */
    uint32_t ways[2];     /* the blocks that follow; 0: none */
    uint32_t from, nfrom; /* those that lead here, in flow.from */
    bool waits;           /* what it begins with may have changed */
};

struct flow {
    const struct gpudbg_isa *isa;
    const uint8_t *bytes; /* of the section */
    uint64_t base, size;
    unsigned user;
    uint8_t *reached;    /* of each dword: an instruction was met there */
    uint32_t *block_at;  /* of each dword: the number of the block that begins there, from 1 on */
    struct block *block; /* [0] is none */
    uint32_t nblocks, blocks_room;
    uint32_t *order, first;      /* blocks that can be reached, from order[first] on */
    uint32_t *from;              /* blocks, see struct block */
    struct flow_state *in, *out; /* of each block */
    uint32_t start[FLOW_SCC_AT + 1];
    struct flow_node *node;
    uint32_t nnodes, nodes_room;
    uint32_t *table; /* of nodes by their contents; its size is a power of two */
    uint32_t table_size;
    bool failed; /* out of memory, or too many nodes */
};

unsigned flow_user(const struct flow *f) { return f->user; }

const struct flow_node *flow_nodes(const struct flow *f, size_t *n)
{
    *n = f->nnodes;
    return f->node;
}

/* ---- Nodes ---- */

static uint32_t hash(const struct flow_node *x)
{
    uint32_t h = 0x811c9dc5u;
    const bool placed = x->kind == FLOW_MEET || x->kind == FLOW_LOST;
    const uint32_t words[] = {x->kind | (uint32_t)x->part << 8 | (uint32_t)x->op << 16, x->imm, x->in[0], x->in[1],
        x->in[2], x->in[3], x->in[4], placed ? (uint32_t)x->addr : 0};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) h = (h ^ words[i]) * 0x01000193u ^ h >> 15;
    return h;
}

static bool same(const struct flow_node *a, const struct flow_node *b)
{
    const bool placed = a->kind == FLOW_MEET || a->kind == FLOW_LOST;
    return a->kind == b->kind && a->part == b->part && a->op == b->op && a->imm == b->imm &&
           memcmp(a->in, b->in, sizeof a->in) == 0 && (!placed || a->addr == b->addr);
}

static bool grow_table(struct flow *f)
{
    const uint32_t size = f->table_size ? 2 * f->table_size : 1024;
    uint32_t *table = calloc(size, sizeof *table);
    if (!table) return false;
    for (uint32_t i = 1; i < f->nnodes; i++) {
        uint32_t at = hash(&f->node[i]) & (size - 1);
        while (table[at]) at = (at + 1) & (size - 1);
        table[at] = i;
    }
    free(f->table);
    f->table = table;
    f->table_size = size;
    return true;
}

static bool grow_nodes(struct flow *f)
{
    const uint32_t room = f->nodes_room ? 2 * f->nodes_room : 512;
    struct flow_node *node = room > NODES_MOST ? NULL : realloc(f->node, room * sizeof *node);
    if (!node) return false;
    f->node = node;
    f->nodes_room = room;
    return true;
}

/* The node with these contents, new or there already.  Where memory ends, all are one, and nobody reads them. */
static uint32_t node(struct flow *f, struct flow_node x)
{
    if (f->failed) return 1;
    if ((f->nnodes == f->nodes_room && !grow_nodes(f)) || (2 * f->nnodes >= f->table_size && !grow_table(f))) {
        f->failed = true;
        return 1;
    }
    uint32_t at = hash(&x) & (f->table_size - 1);
    for (; f->table[at]; at = (at + 1) & (f->table_size - 1))
        if (same(&f->node[f->table[at]], &x)) return f->table[at];
    if (x.kind == FLOW_MEET || x.kind == FLOW_LOST) x.lost = f->nnodes;
    for (unsigned i = 0; i < FLOW_INPUTS && !x.lost; i++)
        if (x.in[i]) x.lost = f->node[x.in[i]].lost;
    f->node[f->nnodes] = x;
    f->table[at] = f->nnodes;
    return f->nnodes++;
}

static uint32_t constant(struct flow *f, uint64_t value)
{
    return node(f, (struct flow_node){.kind = FLOW_CONST, .imm = (uint32_t)value});
}

static uint32_t lost(struct flow *f, const struct gpudbg_insn *insn)
{
    return node(f, (struct flow_node){.kind = FLOW_LOST, .op = insn->op->id, .addr = insn->addr});
}

uint32_t flow_operand(struct flow *f, const struct flow_state *s, const struct gpudbg_operand *o, unsigned k)
{
    struct gfx7_codes codes;
    if (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL)
        return constant(f, (uint64_t)o->imm >> 32 * k);
    if (o->kind == GPUDBG_REGISTER && o->file == GFX7_FILE_SCC) return s->at[FLOW_SCC_AT];
    if (!gfx7_codes_of(o, &codes) || codes.first + k >= GFX7_CODE_INT) return 0;
    return s->at[codes.first + k];
}

/* ---- One instruction ---- */

static void set(struct flow_state *s, unsigned code, uint32_t value)
{
    if (code < GFX7_CODE_INT) s->at[code] = value;
}

static void forget_all(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn)
{
    const uint32_t nobody_knows = lost(f, insn);
    for (unsigned i = 0; i <= FLOW_SCC_AT; i++) s->at[i] = nobody_knows;
}

static void scalar_load(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn, bool buffer)
{
    const uint32_t w = le_u32(insn->raw), sbase = (w >> 9 & 0x3f) * 2, offset = w & 0xff, sdst = w >> 15 & 0x7f;
    struct flow_node x = {.kind = buffer ? FLOW_BUFFER : FLOW_LOAD, .op = insn->op->id, .addr = insn->addr};
    const unsigned n = gfx7_type_dwords(insn->operands[0].type), words = buffer ? 3 : 2,
                   base = buffer ? sbase & ~3u : sbase;
    for (unsigned i = 0; i < words; i++) x.in[i] = base + i < GFX7_CODE_INT ? s->at[base + i] : lost(f, insn);
    uint32_t bytes = 0;
    if (w >> 8 & 1)
        bytes = 4 * offset;
    else if (offset == GFX7_CODE_LITERAL)
        bytes = 4 * le_u32(insn->raw + 4);
    else
        x.in[words] = offset < GFX7_CODE_INT ? s->at[offset] : lost(f, insn);
    if (x.in[words] && f->node[x.in[words]].kind == FLOW_CONST) {
        bytes = f->node[x.in[words]].imm;
        x.in[words] = 0;
    }
    for (unsigned i = 0; i < n; i++) {
        x.imm = bytes + 4 * i;
        set(s, sdst + i, node(f, x));
    }
}

/* What a scalar instruction makes of its sources, and nothing else. */
static void compute(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn)
{
    struct flow_node x = {.kind = FLOW_OP, .op = insn->op->id, .addr = insn->addr};
    bool known = true;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & GPUDBG_READ) && o->kind == GPUDBG_REGISTER) continue;
        const unsigned dwords = gfx7_type_dwords(o->type);
        for (unsigned k = 0; k < (dwords ? dwords : 1); k++) {
            const uint32_t in = flow_operand(f, s, o, k);
            known = known && in && x.n < FLOW_INPUTS;
            if (known) x.in[x.n++] = in;
        }
    }
    const uint32_t otherwise = known ? 0 : lost(f, insn);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        struct gfx7_codes codes;
        if (!(o->flags & GPUDBG_WRITE) || o->kind != GPUDBG_REGISTER) continue;
        if (o->file == GFX7_FILE_SCC) {
            x.part = FLOW_SCC;
            s->at[FLOW_SCC_AT] = known ? node(f, x) : otherwise;
        } else if (gfx7_codes_of(o, &codes)) {
            const bool own = !(o->flags & GPUDBG_IMPLICIT);
            for (unsigned k = 0; k < codes.count; k++) {
                x.part = (uint8_t)k;
                set(s, codes.first + k, known && own && k < FLOW_SCC ? node(f, x) : lost(f, insn));
            }
        }
    }
}

static void forget_written(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        struct gfx7_codes codes;
        if (!(o->flags & GPUDBG_WRITE) || o->kind != GPUDBG_REGISTER) continue;
        if (o->file == GFX7_FILE_SCC) s->at[FLOW_SCC_AT] = lost(f, insn);
        if (gfx7_codes_of(o, &codes) && codes.first < GFX7_CODE_INT)
            for (unsigned k = 0; k < codes.count; k++) set(s, codes.first + k, lost(f, insn));
    }
}

static void step(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn)
{
    const uint32_t w = le_u32(insn->raw), sdst = w >> 16 & 0x7f;
    uint32_t pair[2];
    switch (insn->op->id) {
    case GFX7_s_load_dword:
    case GFX7_s_load_dwordx2:
    case GFX7_s_load_dwordx4:
    case GFX7_s_load_dwordx8:
    case GFX7_s_load_dwordx16: scalar_load(f, s, insn, false); return;
    case GFX7_s_buffer_load_dword:
    case GFX7_s_buffer_load_dwordx2:
    case GFX7_s_buffer_load_dwordx4:
    case GFX7_s_buffer_load_dwordx8:
    case GFX7_s_buffer_load_dwordx16: scalar_load(f, s, insn, true); return;
    case GFX7_s_mov_b32:
    case GFX7_s_mov_b64:
        for (unsigned k = 0; k < 2; k++) pair[k] = flow_operand(f, s, &insn->operands[1], k);
        for (unsigned k = 0; k < (insn->op->id == GFX7_s_mov_b64 ? 2 : 1); k++)
            set(s, sdst + k, pair[k] ? pair[k] : lost(f, insn));
        return;
    case GFX7_s_movk_i32: set(s, sdst, constant(f, (uint64_t)(int64_t)(int16_t)w)); return;
    case GFX7_s_swappc_b64: s->at[FLOW_CALL_AT] = lost(f, insn); /* fall through */
    case GFX7_s_getpc_b64:
        for (unsigned k = 0; k < 2; k++) set(s, sdst + k, constant(f, (insn->addr + 4) >> 32 * k));
        return;
    case GFX7_s_movreld_b32:
    case GFX7_s_movreld_b64:
    case GFX7_s_cbranch_g_fork:
    case GFX7_s_cbranch_i_fork:
    case GFX7_s_cbranch_join: forget_all(f, s, insn); return;
    case GFX7_s_movrels_b32:
    case GFX7_s_movrels_b64:
    case GFX7_s_getreg_b32:
    case GFX7_s_memtime: forget_written(f, s, insn); return;
    default: break;
    }
    if (insn->op->flags & GFX7_SALU)
        compute(f, s, insn);
    else
        forget_written(f, s, insn);
}

/* ---- Ways ---- */

static bool insn_at(const struct flow *f, uint32_t dword, struct gpudbg_insn *insn)
{
    const uint64_t at = 4 * (uint64_t)dword;
    return at < f->size && gpudbg_insn_at(f->isa, f->bytes + at, f->size - at, f->base + at, insn);
}

/* The dwords that control goes to behind the instruction: where it jumps, what follows it. */
static unsigned successors(const struct flow *f, const struct gpudbg_insn *insn, uint32_t to[2])
{
    const uint32_t flags = insn->op->flags;
    unsigned n = 0;
    for (unsigned i = 0; i < insn->noperands && flags & GPUDBG_OP_BRANCH; i++) {
        const uint64_t offset = (uint64_t)insn->operands[i].imm - f->base;
        if (insn->operands[i].kind == GPUDBG_CODE && n == 0 && offset < f->size && offset % 4 == 0)
            to[n++] = (uint32_t)(offset / 4);
    }
    const bool falls = !(flags & GPUDBG_OP_BRANCH) || flags & (GPUDBG_OP_COND | GPUDBG_OP_CALL);
    const uint64_t next = insn->addr + insn->size - f->base;
    if (falls && !(flags & GPUDBG_OP_END) && next < f->size) to[n++] = (uint32_t)(next / 4);
    return n;
}

static bool no_memory(struct gpudbg_error *err) { return gpudbg_fail(err, "memory", "the code's ways: out of memory"); }

static bool add_block(struct flow *f, uint32_t dword)
{
    if (f->block_at[dword]) return true;
    if (f->nblocks + 1 >= f->blocks_room) {
        const uint32_t room = f->blocks_room ? 2 * f->blocks_room : 64;
        struct block *block = realloc(f->block, room * sizeof *block);
        if (!block) return false;
        f->block = block;
        f->blocks_room = room;
    }
    f->block[++f->nblocks] = (struct block){.first = dword};
    f->block_at[dword] = f->nblocks;
    return true;
}

/* Finds all that can be reached, and where blocks begin. */
static bool reach(struct flow *f, uint32_t entry, struct gpudbg_error *err)
{
    uint32_t count = 0;
    if (!add_block(f, entry)) return no_memory(err);
    for (uint32_t b = 1; b <= f->nblocks; b++) { /* the list grows while it is walked */
        struct gpudbg_insn insn;
        for (uint32_t at = f->block[b].first; !f->reached[at] && insn_at(f, at, &insn);) {
            uint32_t to[2];
            f->reached[at] = 1;
            if (++count > INSNS_MOST)
                return gpudbg_fail(err, "too-large", "the program has more than %u instructions", INSNS_MOST);
            const unsigned n = successors(f, &insn, to);
            const bool straight = n == 1 && to[0] == at + insn.size / 4;
            for (unsigned i = 0; i < n && !straight; i++)
                if (!add_block(f, to[i])) return no_memory(err);
            if (!straight) break;
            at = to[0];
        }
    }
    return true;
}

/* Walks block b from its state on, and leaves in *s the state behind it.  ways: the blocks that follow. */
static bool walk_block(
    struct flow *f, uint32_t b, flow_insn_fn *each, void *to, struct flow_state *s, uint32_t ways[2], uint64_t *steps)
{
    struct gpudbg_insn insn;
    uint32_t next[2], at = f->block[b].first;
    ways[0] = ways[1] = 0;
    while (insn_at(f, at, &insn)) {
        if (each && !each(to, &insn, s)) return false;
        if (s) step(f, s, &insn);
        ++*steps;
        const unsigned n = successors(f, &insn, next);
        const bool straight = n == 1 && next[0] == at + insn.size / 4;
        if (!straight || f->block_at[next[0]]) {
            for (unsigned i = 0; i < n; i++) ways[i] = f->block_at[next[i]];
            return true;
        }
        at = next[0];
    }
    return true;
}

/* Puts the blocks in an order in which, but for loops, each comes behind those that lead to it. */
static bool order_blocks(struct flow *f, struct gpudbg_error *err)
{
    uint32_t *stack = malloc((f->nblocks + 1) * sizeof *stack), depth = 0, left = f->nblocks;
    uint8_t *turn = calloc(f->nblocks + 1, 1); /* ways that were tried; 3: it is in the order */
    uint64_t steps = 0;
    f->order = calloc(f->nblocks + 1, sizeof *f->order);
    if (!stack || !turn || !f->order) {
        free(stack);
        free(turn);
        return no_memory(err);
    }
    for (uint32_t b = 1; b <= f->nblocks; b++) walk_block(f, b, NULL, NULL, NULL, f->block[b].ways, &steps);
    stack[depth++] = 1;
    turn[1] = 1;
    while (depth) {
        const uint32_t b = stack[depth - 1];
        const uint32_t way = turn[b] <= 2 ? f->block[b].ways[turn[b] - 1] : 0;
        if (turn[b] > 2) {
            f->order[--left] = b;
            depth--;
        } else {
            turn[b]++;
            if (way && !turn[way]) {
                turn[way] = 1;
                stack[depth++] = way;
            }
        }
    }
    f->first = left;
    free(stack);
    free(turn);
    return true;
}

/* Who leads to each block: f->from, from block.from on. */
static bool list_ways(struct flow *f, struct gpudbg_error *err)
{
    f->from = calloc(2 * (size_t)f->nblocks + 2, sizeof *f->from);
    f->in = calloc(f->nblocks + 1, sizeof *f->in);
    f->out = calloc(f->nblocks + 1, sizeof *f->out);
    if (!f->from || !f->in || !f->out) return no_memory(err);
    for (uint32_t b = 1; b <= f->nblocks; b++)
        for (unsigned i = 0; i < 2; i++)
            if (f->block[b].ways[i]) f->block[f->block[b].ways[i]].nfrom++;
    for (uint32_t b = 1, at = 0; b <= f->nblocks; b++) {
        f->block[b].from = at;
        at += f->block[b].nfrom;
        f->block[b].nfrom = 0;
    }
    for (uint32_t b = 1; b <= f->nblocks; b++)
        for (unsigned i = 0; i < 2; i++) {
            struct block *to = &f->block[f->block[b].ways[i]];
            if (f->block[b].ways[i]) f->from[to->from + to->nfrom++] = b;
        }
    return true;
}

/* What a block begins with, of what is behind those that lead to it.  A register that has depended on the way does so
 * for good. */
static void meet(struct flow *f, uint32_t b)
{
    const struct block *block = &f->block[b];
    struct flow_state *in = &f->in[b];
    const uint64_t addr = f->base + 4 * (uint64_t)block->first;
    for (unsigned i = 0; i < FLOW_SLOTS; i++) {
        uint32_t value = b == 1 && i <= FLOW_SCC_AT ? f->start[i] : 0;
        const bool kept = in->at[i] && f->node[in->at[i]].kind == FLOW_MEET && f->node[in->at[i]].addr == addr;
        for (uint32_t k = 0; k < block->nfrom && !kept; k++) {
            const uint32_t other = f->out[f->from[block->from + k]].at[i];
            if (!other) continue; /* nobody has come that way yet; or no call */
            if (i == FLOW_CALL_AT)
                value = value > other ? value : other;
            else if (!value)
                value = other;
            else if (value != other)
                value = node(f, (struct flow_node){.kind = FLOW_MEET, .imm = i, .addr = addr});
        }
        if (!kept) in->at[i] = value;
    }
}

static bool settle(struct flow *f, struct gpudbg *g, struct gpudbg_error *err)
{
    uint64_t steps = 0, asked = 0;
    bool more = true;
    f->block[1].waits = true;
    while (more && !f->failed && steps < STEPS_MOST) {
        more = false;
        for (uint32_t i = f->first; i < f->nblocks && steps < STEPS_MOST; i++) {
            const uint32_t b = f->order[i];
            struct flow_state s;
            uint32_t ways[2];
            steps++;
            if (steps - asked > ASK_EVERY && !gpudbg_goes_on(g, asked = steps, 0))
                return gpudbg_fail(err, "interrupt", "interrupted while following the program's values");
            if (!f->block[b].waits) continue;
            f->block[b].waits = false;
            meet(f, b);
            steps += 16 + 16 * (uint64_t)f->block[b].nfrom;
            s = f->in[b];
            walk_block(f, b, NULL, NULL, &s, ways, &steps);
            if (memcmp(&s, &f->out[b], sizeof s) == 0) continue;
            f->out[b] = s;
            for (unsigned k = 0; k < 2; k++)
                if (ways[k]) f->block[ways[k]].waits = more = true;
        }
    }
    if (f->failed) return gpudbg_fail(err, "too-large", "the program's values: more than memory has room for");
    return !more || gpudbg_fail(err, "too-large", "the program has too many ways through it to follow them all");
}

/* ---- Making, walking ---- */

static const struct gpudbg_section *code_at(const struct gpudbg_image *image, uint64_t entry)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, entry);
    return s && s->bytes && s->flags & GPUDBG_CODE_BYTES && (entry - s->addr) % 4 == 0 ? s : NULL;
}

struct flow *flow_new(
    struct gpudbg *g, const struct gpudbg_image *image, uint64_t entry, unsigned user, struct gpudbg_error *err)
{
    const struct gpudbg_section *section = code_at(image, entry);
    if (!section) {
        gpudbg_fail(err, "not-now", "no code is at 0x%llx", (unsigned long long)entry);
        return NULL;
    }
    struct flow *f = calloc(1, sizeof *f);
    const uint64_t dwords = section->size / 4 + 1;
    if (f) {
        *f = (struct flow){.isa = image->isa == &gfx7_pro_isa ? image->isa : &gfx7_isa,
            .bytes = section->bytes,
            .base = section->addr,
            .size = section->size,
            .user = user};
        f->reached = dwords < UINT32_MAX ? calloc(dwords, 1) : NULL;
        f->block_at = f->reached ? calloc(dwords, sizeof *f->block_at) : NULL;
    }
    if (!f || !f->block_at || !grow_nodes(f)) {
        gpudbg_fail(err, "memory", "the code's values: out of memory");
        flow_free(f);
        return NULL;
    }
    memset(f->node, 0, sizeof *f->node);
    f->nnodes = 1;
    const uint32_t first = (uint32_t)((entry - section->addr) / 4);
    for (unsigned i = 0; i <= FLOW_SCC_AT; i++) f->start[i] = node(f, (struct flow_node){.kind = FLOW_START, .imm = i});
    if (!reach(f, first, err) || !order_blocks(f, err) || !list_ways(f, err) || !settle(f, g, err)) {
        flow_free(f);
        return NULL;
    }
    return f;
}

void flow_free(struct flow *f)
{
    if (!f) return;
    free(f->reached);
    free(f->block_at);
    free(f->block);
    free(f->order);
    free(f->from);
    free(f->in);
    free(f->out);
    free(f->node);
    free(f->table);
    free(f);
}

void flow_walk(const struct flow *flow, flow_insn_fn *each, void *to)
{
    struct flow *f = (struct flow *)(uintptr_t)flow; /* finds all its nodes there */
    for (uint32_t at = 0; 4 * (uint64_t)at < f->size; at++) {
        const uint32_t b = f->block_at[at];
        uint32_t ways[2];
        uint64_t steps = 0;
        if (!b) continue;
        struct flow_state s = f->in[b];
        if (!walk_block(f, b, each, to, &s, ways, &steps)) return;
    }
}
