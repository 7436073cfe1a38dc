/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scalars.c: see scalars.h.  A register that once depends on the way always does, so the analysis ends; its work is
 * limited to VISITS_MOST. */
#include "flow/scalars.h"
#include <stdlib.h>
#include <string.h>
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

#define VISITS_MOST (UINT64_C(4) << 20) /* of blocks and the ways between them */
#define INSNS_MOST (UINT32_C(64) << 10)
#define NODES_MOST (UINT32_C(4) << 20)

struct flow {
    struct gpudbg_ways *ways;
    struct gpudbg_solution *solution; /* a struct flow_state before and after each block */
    struct gpudbg *g;
    unsigned user;
    uint32_t start[FLOW_SCC_AT + 1];
    struct flow_node *node;
    uint32_t nnodes, nodes_room;
    uint32_t *table; /* of nodes by their contents; its size is a power of two */
    uint32_t table_size;
    bool failed; /* out of memory, or too many nodes */
};

unsigned flow_user(const struct flow *f) { return f->user; }
const struct gpudbg_isa *flow_isa(const struct flow *f) { return f->ways->isa; }

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

/* The node with these contents, existing or new.  After memory has run out it is always node 1, and the result is not
 * used. */
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
    struct gcn_codes codes;
    if (o->kind == GPUDBG_SPECIAL && o->sub == GCN_CODE_NULL && gcn_chip_of(f->ways->isa)->null_register)
        return constant(f, 0);
    if (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL)
        return constant(f, (uint64_t)o->imm >> 32 * k);
    if (o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_SCC) return s->at[FLOW_SCC_AT];
    if (!gcn_codes_of(o, &codes) || codes.first + k >= GCN_CODE_INT) return 0;
    return s->at[codes.first + k];
}

/* ---- One instruction ---- */

static void set(struct flow_state *s, unsigned code, uint32_t value)
{
    if (code < GCN_CODE_INT) s->at[code] = value;
}

static void forget_all(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn)
{
    const uint32_t nobody_knows = lost(f, insn);
    for (unsigned i = 0; i <= FLOW_SCC_AT; i++) s->at[i] = nobody_knows;
}

static void scalar_load(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn, bool buffer)
{
    const struct gcn_scalar_place place = gcn_scalar_place(insn);
    const struct gpudbg_operand *from = gcn_operand(insn, GCN_IN_SBASE);
    struct gcn_codes base = {GCN_CODE_INT, 0}, to = {GCN_CODE_INT, 0};
    struct flow_node x = {.kind = buffer ? FLOW_BUFFER : FLOW_LOAD, .op = insn->op->id, .addr = insn->addr};
    const unsigned n = gcn_type_dwords(insn->operands[0].type), words = buffer ? 3 : 2;
    if (from) gcn_codes_of(from, &base);
    gcn_codes_of(&insn->operands[0], &to);
    if (buffer) base.first &= 0xfffc;
    for (unsigned i = 0; i < words; i++)
        x.in[i] = base.first + i < GCN_CODE_INT ? s->at[base.first + i] : lost(f, insn);
    if (place.sgpr) x.in[words] = flow_operand(f, s, place.sgpr, 0);
    if (place.sgpr && !x.in[words]) x.in[words] = lost(f, insn);
    int64_t bytes = place.bytes;
    if (x.in[words] && f->node[x.in[words]].kind == FLOW_CONST) {
        bytes += f->node[x.in[words]].imm;
        x.in[words] = 0;
    }
    x.part = bytes < 0;
    for (unsigned i = 0; i < n; i++) {
        x.imm = (uint32_t)bytes + 4 * i;
        set(s, to.first + i, node(f, x));
    }
}

/* The result of a scalar instruction that depends only on its sources. */
static void compute(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn)
{
    struct flow_node x = {.kind = FLOW_OP, .op = insn->op->id, .addr = insn->addr};
    bool known = true;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & GPUDBG_READ) && o->kind == GPUDBG_REGISTER) continue;
        const unsigned dwords = gcn_type_dwords(o->type);
        for (unsigned k = 0; k < (dwords ? dwords : 1); k++) {
            const uint32_t in = flow_operand(f, s, o, k);
            known = known && in && x.n < FLOW_INPUTS;
            if (known) x.in[x.n++] = in;
        }
    }
    const uint32_t otherwise = known ? 0 : lost(f, insn);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        struct gcn_codes codes;
        if (!(o->flags & GPUDBG_WRITE) || o->kind != GPUDBG_REGISTER) continue;
        if (o->file == GCN_FILE_SCC) {
            x.part = FLOW_SCC;
            s->at[FLOW_SCC_AT] = known ? node(f, x) : otherwise;
        } else if (gcn_codes_of(o, &codes)) {
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
        struct gcn_codes codes;
        if (!(o->flags & GPUDBG_WRITE) || o->kind != GPUDBG_REGISTER) continue;
        if (o->file == GCN_FILE_SCC) s->at[FLOW_SCC_AT] = lost(f, insn);
        if (gcn_codes_of(o, &codes) && codes.first < GCN_CODE_INT)
            for (unsigned k = 0; k < codes.count; k++) set(s, codes.first + k, lost(f, insn));
    }
}

static void step(struct flow *f, struct flow_state *s, const struct gpudbg_insn *insn)
{
    const uint32_t w = le_u32(insn->raw), sdst = GET(w, SOP1, sdst);
    uint32_t pair[2];
    switch (insn->op->id) {
    case GCN_s_load_dword:
    case GCN_s_load_dwordx2:
    case GCN_s_load_dwordx4:
    case GCN_s_load_dwordx8:
    case GCN_s_load_dwordx16: scalar_load(f, s, insn, false); return;
    case GCN_s_buffer_load_dword:
    case GCN_s_buffer_load_dwordx2:
    case GCN_s_buffer_load_dwordx4:
    case GCN_s_buffer_load_dwordx8:
    case GCN_s_buffer_load_dwordx16: scalar_load(f, s, insn, true); return;
    case GCN_s_mov_b32:
    case GCN_s_mov_b64:
        for (unsigned k = 0; k < 2; k++) pair[k] = flow_operand(f, s, &insn->operands[1], k);
        for (unsigned k = 0; k < (insn->op->id == GCN_s_mov_b64 ? 2 : 1); k++)
            set(s, sdst + k, pair[k] ? pair[k] : lost(f, insn));
        return;
    case GCN_s_movk_i32: set(s, sdst, constant(f, (uint64_t)(int64_t)(int16_t)w)); return;
    case GCN_s_call_b64:
    case GCN_s_swappc_b64: s->at[FLOW_CALL_AT] = lost(f, insn); /* fall through */
    case GCN_s_getpc_b64:
        for (unsigned k = 0; k < 2; k++) set(s, sdst + k, constant(f, (insn->addr + 4) >> 32 * k));
        return;
    case GCN_s_movreld_b32:
    case GCN_s_movreld_b64:
    case GCN_s_cbranch_g_fork:
    case GCN_s_cbranch_i_fork:
    case GCN_s_cbranch_join: forget_all(f, s, insn); return;
    case GCN_s_movrels_b32:
    case GCN_s_movrels_b64:
    case GCN_s_getreg_b32:
    case GCN_s_memtime: forget_written(f, s, insn); return;
    default: break;
    }
    if (insn->op->flags & GCN_SALU)
        compute(f, s, insn);
    else
        forget_written(f, s, insn);
}

/* ---- Over all ways ---- */

struct passing {
    struct flow *f;
    struct flow_state *state;
    flow_insn_fn *each; /* or NULL */
    void *to;
};

static bool pass_insn(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct passing *p = to;
    (void)number;
    if (p->each && !p->each(p->to, insn, p->state)) return false;
    step(p->f, p->state, insn);
    return true;
}

static void pass(void *with, uint32_t block, void *state)
{
    struct flow *f = with;
    gpudbg_block_walk(f->ways, block, pass_insn, &(struct passing){.f = f, .state = state});
}

/* The state before a block, joined from the states after the blocks that lead to it.  A register that has depended on
 * the way always does. */
static void meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *state)
{
    struct flow *f = with;
    const struct gpudbg_basic_block *b = &f->ways->block[block];
    struct flow_state *in = state;
    for (unsigned i = 0; i < FLOW_SLOTS; i++) {
        uint32_t value = b->entry && i <= FLOW_SCC_AT ? f->start[i] : 0;
        const bool kept = in->at[i] && f->node[in->at[i]].kind == FLOW_MEET && f->node[in->at[i]].addr == b->addr;
        for (uint32_t k = 0; k < b->nfrom && !kept; k++) {
            const uint32_t before = f->ways->link[b->from + k];
            const struct flow_state *from = gpudbg_left(solution, before);
            const uint32_t other = from && before != f->ways->returns ? from->at[i] : 0; /* calls are stepped over */
            if (!other) continue; /* not visited yet; or no call */
            if (i == FLOW_CALL_AT)
                value = value > other ? value : other;
            else if (!value)
                value = other;
            else if (value != other)
                value = node(f, (struct flow_node){.kind = FLOW_MEET, .imm = i, .addr = b->addr});
        }
        if (!kept) in->at[i] = value;
    }
}

static bool goes_on(void *with)
{
    const struct flow *f = with;
    return !f->failed && gpudbg_goes_on(f->g, 0, 0);
}

/* ---- Making, walking ---- */

static const struct gpudbg_section *code_at(const struct gpudbg_image *image, uint64_t entry)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, entry);
    return s && s->bytes && s->flags & GPUDBG_CODE_BYTES && (entry - s->addr) % 4 == 0 ? s : NULL;
}

static bool solve(struct flow *f, struct gpudbg_error *err)
{
    static const struct gpudbg_solver solver = {
        .size = sizeof(struct flow_state), .meet = meet, .pass = pass, .goes_on = goes_on, .most = VISITS_MOST};
    if (!grow_nodes(f)) return gpudbg_fail(err, "memory", "the code's values: out of memory");
    memset(f->node, 0, sizeof *f->node);
    f->nnodes = 1;
    for (unsigned i = 0; i <= FLOW_SCC_AT; i++) f->start[i] = node(f, (struct flow_node){.kind = FLOW_START, .imm = i});
    f->solution = gpudbg_solve(f->ways, &solver, f, err);
    if (f->failed) return gpudbg_fail(err, "too-large", "the program's values: more than memory has room for");
    return f->solution;
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
    if (!f) {
        gpudbg_fail(err, "memory", "the code's values: out of memory");
        return NULL;
    }
    *f = (struct flow){.g = g, .user = user};
    f->ways = gpudbg_ways_new(is_gcn(image->isa) ? image->isa : gcn_usual, section->bytes, section->size, section->addr,
        &entry, 1, 0, INSNS_MOST, err);
    if (f->ways && solve(f, err)) return f;
    flow_free(f);
    return NULL;
}

void flow_free(struct flow *f)
{
    if (!f) return;
    gpudbg_ways_free(f->ways);
    gpudbg_solution_free(f->solution);
    free(f->node);
    free(f->table);
    free(f);
}

void flow_walk(const struct flow *flow, flow_insn_fn *each, void *to)
{
    struct flow *f = (struct flow *)(uintptr_t)flow; /* adds no nodes: all exist */
    for (uint32_t b = 0; b < f->ways->nblocks; b++) {
        const struct flow_state *in = gpudbg_entered(f->solution, b);
        if (!in) continue;
        struct flow_state s = *in;
        if (!gpudbg_block_walk(f->ways, b, pass_insn, &(struct passing){f, &s, each, to})) return;
    }
}
