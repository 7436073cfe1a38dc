/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scoreboard.c: see scoreboard.h.  A forward analysis over the basic blocks of a kernel: at each instruction, for each
 * token the instructions that may have allocated it last, and for each distance those that may be at that distance.
 * Sets are small: of a set with more than PRODUCERS members, only the fact that it has more is kept.  Source: the
 * layout of the byte as the assembler prints it; producers in order are all instructions except send, sendc, math, sync
 * and nop.  Branches count as producers: of 1,400 distances across a branch in compiled kernels, 1,000 lead to a source
 * of the instruction only if the branch is counted, and one only if it is not (without distances of 7, which also mean
 * longer ones).
 */
#include "check/scoreboard.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code/gen_decoder.h"
#include "gpudbg/text.h"

enum { PRODUCERS = 6, INSNS_MOST = 1 << 16 };

/* ---- What an instruction does to the scoreboard ---- */

struct node {
    uint64_t addr;
    const struct gpudbg_op *op;
    const char *letter; /* of the pipe, as the text says */
    struct gen_swsb sb;
};

enum { FLOATS, INTEGERS, LONGS };
static_assert(LONGS + 1 == GEN_PIPES, "a letter each");

/* The pipe of an instruction in order: by its result; flow control counts among the integers. */
static unsigned pipe_of(const struct gen_insn *x)
{
    bool wide = x->dst.mode != GEN_ABSENT && gen_type_size[x->dst.type] == 8;
    for (unsigned n = 0; n < x->nsrc && x->shape < GEN_JUMP; n++) wide |= gen_type_size[x->src[n].type] == 8;
    if (wide) return LONGS;
    return x->dst.mode != GEN_ABSENT && gen_type_is_float(x->dst.type) && x->shape < GEN_JUMP ? FLOATS : INTEGERS;
}

/* The pipes whose instructions a distance counts.  Without a letter: a message waits for all; other instructions for
 * the pipe of their sources (Mesa, brw_fs_scoreboard.cpp, inferred_sync_pipe). */
static unsigned pipes_waited(const struct gen_insn *x)
{
    const char *pipe = gen_pipe_of(x->swsb);
    const unsigned all = (1u << GEN_PIPES) - 1;
    if (!x->eu->pipes) return 1;
    if (pipe && *pipe) return *pipe == 'A' ? all : 1u << (strchr(GEN_PIPE_LETTERS, *pipe) - GEN_PIPE_LETTERS);
    if (x->shape == GEN_SEND || x->shape == GEN_SYNC) return all;
    bool wide = false, integer = false;
    for (unsigned n = 0; n < x->nsrc && x->shape < GEN_JUMP; n++) {
        wide = wide || gen_type_size[x->src[n].type] == 8;
        integer = integer || !gen_type_is_float(x->src[n].type);
    }
    return 1u << (wide ? LONGS : integer || x->shape >= GEN_JUMP ? INTEGERS : FLOATS);
}

void gen_swsb_of(const struct gen_insn *x, struct gen_swsb *s)
{
    bool out_of_order = gen_takes_token(x->shape);
    unsigned low = x->swsb & 15, kind = x->swsb >> 4;
    *s = (struct gen_swsb){.allocates = -1, .in_order = !out_of_order && x->shape != GEN_SYNC && x->shape != GEN_NONE};
    s->pipe = (uint8_t)(x->eu->pipes ? pipe_of(x) : 0);
    s->waits = (uint8_t)pipes_waited(x);
    if (x->eu->pipes && gen_pipe_of(x->swsb)) {
        s->distance = low & 7;
    } else if (x->swsb >= 0x80) {
        s->distance = kind & 7;
        if (out_of_order)
            s->allocates = (int8_t)low;
        else
            s->dst = (uint16_t)(1u << low);
    } else if (kind == 0) {
        s->distance = low <= GEN_DISTANCES ? (uint8_t)low : 0;
    } else if (kind == 2) {
        s->dst = (uint16_t)(1u << low);
    } else if (kind == 3) {
        s->src = (uint16_t)(1u << low);
    } else if (kind == 4) {
        s->allocates = (int8_t)low;
    }
    if (x->shape == GEN_SYNC && (x->func == 2 || x->func == 3)) { /* allrd, allwr: the tokens of a mask, or all */
        uint16_t mask = x->src[0].mode == GEN_IMMEDIATE ? (uint16_t)x->src[0].imm : 0xffff;
        *(x->func == 2 ? &s->src : &s->dst) |= mask;
    }
}

/* ---- Sets and states ---- */

struct set {
    uint32_t member[PRODUCERS]; /* indices of nodes, ascending */
    uint8_t n;
    bool more;
};

struct state {
    struct set token[GEN_TOKENS], back[GEN_PIPES][GEN_DISTANCES]; /* back[pipe][d - 1]; without pipes: of the first */
    uint16_t pending; /* tokens allocated on some path and not waited for since */
};

/* Keeps the first PRODUCERS members by address, so that a set does not depend on the order of following paths. */
static void set_add(struct set *s, uint32_t member)
{
    unsigned at = 0;
    while (at < s->n && s->member[at] < member) at++;
    if (at < s->n && s->member[at] == member) return;
    if (s->n == PRODUCERS)
        s->more = true;
    else
        s->n++;
    if (at == s->n) return;
    memmove(&s->member[at + 1], &s->member[at], (s->n - 1u - at) * sizeof *s->member);
    s->member[at] = member;
}

static void set_join(struct set *to, const struct set *from)
{
    for (unsigned i = 0; i < from->n; i++) set_add(to, from->member[i]);
    to->more = to->more || from->more;
}

/* Clears the whole old set, because states are compared byte by byte. */
static void set_only(struct set *s, uint32_t member)
{
    memset(s, 0, sizeof *s);
    s->member[0] = member;
    s->n = 1;
}

static void join(void *to, const void *from)
{
    struct state *a = to;
    const struct state *b = from;
    a->pending |= b->pending;
    for (unsigned i = 0; i < GEN_TOKENS; i++) set_join(&a->token[i], &b->token[i]);
    for (unsigned p = 0; p < GEN_PIPES; p++)
        for (unsigned i = 0; i < GEN_DISTANCES; i++) set_join(&a->back[p][i], &b->back[p][i]);
}

static void step(struct state *s, const struct node *n, uint32_t index)
{
    s->pending &= (uint16_t)~n->sb.dst;
    if (n->sb.allocates >= 0) {
        set_only(&s->token[n->sb.allocates], index);
        s->pending |= (uint16_t)(1u << n->sb.allocates);
    }
    if (!n->sb.in_order) return;
    struct set *back = s->back[n->sb.pipe];
    memmove(&back[1], &back[0], (GEN_DISTANCES - 1) * sizeof *back);
    set_only(&back[0], index);
}

/* ---- The analysis ---- */

struct analysis {
    struct gpudbg_ways *ways;
    struct gpudbg_solution *solution; /* a struct state before and after each block */
    struct node *node;                /* the instructions, as gpudbg_ways numbers them */
};

static void analysis_free(struct analysis *a)
{
    gpudbg_ways_free(a->ways);
    gpudbg_solution_free(a->solution);
    free(a->node);
}

static void meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *in)
{
    (void)with;
    gpudbg_each_left(solution, block, false, join, in);
}

static void pass(void *with, uint32_t block, void *state)
{
    const struct analysis *a = with;
    const struct gpudbg_basic_block *b = &a->ways->block[block];
    for (uint32_t i = b->first; i < b->first + b->ninsns; i++) step(state, &a->node[i], i);
}

static bool take_insn(void *to, const struct gpudbg_insn *insn, uint32_t number)
{
    struct node *n = &((struct analysis *)to)->node[number];
    struct gen_insn x;
    gen_unpack(insn, &x);
    const char *letter = x.eu->pipes ? gen_pipe_of(x.swsb) : "";
    if (!letter) letter = x.shape == GEN_SEND ? "A" : "";
    *n = (struct node){.addr = insn->addr, .op = insn->op, .letter = letter};
    gen_swsb_of(&x, &n->sb);
    return true;
}

static bool analyse(
    struct analysis *a, const struct gpudbg_image *image, uint64_t from, uint64_t to, struct gpudbg_error *err)
{
    static const struct gpudbg_solver solver = {.size = sizeof(struct state), .meet = meet, .pass = pass};
    size_t left = 0;
    const uint8_t *bytes = gpudbg_image_bytes(image, from, &left);
    memset(a, 0, sizeof *a);
    if (!bytes) return gpudbg_fail(err, "not-now", "no code is at 0x%" PRIx64, from);
    if (to - from < left) left = (size_t)(to - from);
    a->ways = gpudbg_ways_new(image->isa, bytes, left, from, &from, 1, GPUDBG_WAYS_ALL, INSNS_MOST, err);
    a->node = a->ways ? calloc((size_t)a->ways->ninsns + 1, sizeof *a->node) : NULL;
    if (a->ways && !a->node) gpudbg_fail(err, "memory", "the code's scoreboard: out of memory");
    for (uint32_t b = 0; a->node && b < a->ways->nblocks; b++) gpudbg_block_walk(a->ways, b, take_insn, a);
    a->solution = a->node ? gpudbg_solve(a->ways, &solver, a, err) : NULL;
    if (!a->solution) analysis_free(a);
    return a->solution;
}

/* Calls each(to, node, before, number) for every instruction in order of addresses, with the state before it. */
typedef bool node_fn(void *to, const struct node *, const struct state *before);
static void walk_nodes(const struct analysis *a, node_fn *each, void *to)
{
    for (uint32_t b = 0; b < a->ways->nblocks; b++) {
        const struct state *in = gpudbg_entered(a->solution, b);
        const struct gpudbg_basic_block *block = &a->ways->block[b];
        struct state s;
        memset(&s, 0, sizeof s);
        if (in) s = *in;
        for (uint32_t i = block->first; i < block->first + block->ninsns; i++) {
            if (!each(to, &a->node[i], &s)) return;
            step(&s, &a->node[i], i);
        }
    }
}

/* The kernel or function that holds addr, else its section. */
static bool range_of(const struct gpudbg_image *image, uint64_t addr, uint64_t *from, uint64_t *to)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    for (size_t i = 0; i < image->nkernels; i++) {
        const struct gpudbg_kernel *k = &image->kernels[i];
        if (addr < k->entry || !k->size || addr - k->entry >= k->size) continue;
        *from = k->entry;
        *to = k->entry + k->size;
        return true;
    }
    if (!s || !(s->flags & GPUDBG_CODE_BYTES)) return false;
    const struct gpudbg_symbol *f = gpudbg_image_symbol_at(image, addr);
    bool function = f && f->kind != GPUDBG_SYM_OBJECT && f->size && f->addr >= s->addr;
    *from = function ? f->addr : s->addr;
    *to = function ? f->addr + f->size : s->addr + s->size;
    return true;
}

/* ---- Who waits for whom ---- */

typedef void each_wait(void *to, const char *how, const struct set *producers);

static void walk_waits(const struct node *n, const struct state *before, each_wait *each, void *to)
{
    char how[16];
    if (n->sb.distance) {
        const bool one = !(n->sb.waits & (n->sb.waits - 1));
        bool any = false;
        for (unsigned p = 0; p < GEN_PIPES; p++) {
            const struct set *s = &before->back[p][n->sb.distance - 1];
            if (!(n->sb.waits >> p & 1) || (!one && !s->n))
                continue; /* of all pipes, those that have one so far back */
            snprintf(how, sizeof how, "%s@%u", n->letter, n->sb.distance);
            each(to, how, s);
            any = true;
        }
        if (!any) {
            snprintf(how, sizeof how, "%s@%u", n->letter, n->sb.distance);
            each(to, how, &before->back[0][n->sb.distance - 1]);
        }
    }
    for (unsigned t = 0; t < GEN_TOKENS; t++) {
        bool all = n->sb.dst == 0xffff ||
                   n->sb.src == 0xffff; /* sync of all tokens: those that were never allocated are left out */
        if (!((n->sb.dst | n->sb.src) >> t & 1) || (all && !before->token[t].n)) continue;
        snprintf(how, sizeof how, "$%u.%s", t, n->sb.dst >> t & 1 ? "dst" : "src");
        each(to, how, &before->token[t]);
    }
}

struct gathered {
    const struct analysis *a;
    uint64_t consumer;
    gpudbg_wait_fn *each;
    void *to;
};

static void gather(void *to, const char *how, const struct set *producers)
{
    struct gathered *g = to;
    struct gpudbg_wait w = {.consumer = g->consumer};
    snprintf(w.how, sizeof w.how, "%s", how);
    for (unsigned i = 0; i < producers->n; i++) {
        w.producer = g->a->node[producers->member[i]].addr;
        g->each(g->to, &w);
    }
}

static bool gather_waits(void *to, const struct node *n, const struct state *before)
{
    struct gathered *g = to;
    g->consumer = n->addr;
    walk_waits(n, before, gather, g);
    return true;
}

bool gen_waits(const struct gpudbg_image *image, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to)
{
    struct analysis a;
    struct gpudbg_error err = {0};
    if (!gen_has_scoreboard(image->isa) || !range_of(image, addr, &range[0], &range[1]) ||
        !analyse(&a, image, range[0], range[1], &err))
        return false;
    walk_nodes(&a, gather_waits, &(struct gathered){.a = &a, .each = each, .to = to});
    analysis_free(&a);
    return true;
}

/* ---- The listing ---- */

/* A row: an instruction and one of its waits; its first row shows the state of the tokens. */
struct row {
    uint64_t addr;
    const char *name;
    char life[GEN_TOKENS +
              1]; /* token by token: o allocated here, < and - waited for here (dst, src), | pending, blank */
    char how[24], producers[160];
};

static int addr_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%04" PRIx64, ((const struct row *)r)->addr);
}
static int name_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->name);
}
static int life_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->life);
}
static int how_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->how);
}
static int producers_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->producers);
}

static const struct gpudbg_column columns[] = {
    {"addr", "address", 0, GPUDBG_ADDRESS, addr_cell},
    {"op", "op", 0, GPUDBG_NAME, name_cell},
    {"tokens", "0123456789abcdef", GEN_TOKENS, GPUDBG_PLAIN, life_cell},
    {"dependency", "needs", 0, GPUDBG_NAME, how_cell},
    {"producers", "waits for", 0, GPUDBG_NOTE, producers_cell},
};

struct listing {
    const struct analysis *a;
    struct row row;
    bool any, enough;
    gpudbg_row_fn *each;
    void *to;
};

static void emit(struct listing *l)
{
    if (!l->enough && !l->each(l->to, &l->row)) l->enough = true;
    l->any = true;
    memset(l->row.life, ' ', GEN_TOKENS); /* further rows of the same instruction */
}

static void list_wait(void *to, const char *how, const struct set *producers)
{
    struct listing *l = to;
    struct text t = text_in(l->row.producers, sizeof l->row.producers);
    snprintf(l->row.how, sizeof l->row.how, "%s", how);
    for (unsigned i = 0; i < producers->n && t.n < sizeof l->row.producers - 40; i++) {
        const struct node *p = &l->a->node[producers->member[i]];
        text_add(&t, "%s0x%04" PRIx64 " %s", t.n ? ", " : "", p->addr, p->op->name);
    }
    if (producers->more) text_add(&t, ", ...");
    if (!producers->n) text_add(&t, "nothing before it");
    emit(l);
}

static void draw_life(char *life, const struct node *n, uint16_t pending)
{
    for (unsigned t = 0; t < GEN_TOKENS; t++)
        life[t] = n->sb.allocates == (int)t                                         ? 'o'
                  : n->sb.dst >> t & 1 && (n->sb.dst != 0xffff || pending >> t & 1) ? '<'
                  : n->sb.src >> t & 1 && (n->sb.src != 0xffff || pending >> t & 1) ? '-'
                  : pending >> t & 1                                                ? '|'
                                                                                    : ' ';
    life[GEN_TOKENS] = 0;
}

static bool list_node(void *to, const struct node *n, const struct state *before)
{
    struct listing *l = to;
    l->row = (struct row){.addr = n->addr, .name = n->op->name};
    l->any = false;
    draw_life(l->row.life, n, before->pending);
    walk_waits(n, before, list_wait, l);
    if (!l->any && (n->sb.allocates >= 0 || before->pending)) {
        if (n->sb.allocates >= 0) snprintf(l->row.how, sizeof l->row.how, "$%d", n->sb.allocates);
        emit(l);
    }
    return !l->enough;
}

static bool list_range(
    struct listing *l, const struct gpudbg_image *image, uint64_t from, uint64_t to, struct gpudbg_error *err)
{
    struct analysis a;
    if (!analyse(&a, image, from, to, err)) return false;
    l->a = &a;
    walk_nodes(&a, list_node, l);
    analysis_free(&a);
    return true;
}

static bool rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    struct listing l = {.each = each, .to = to};
    uint64_t from = 0, end = 0;
    bool found = false;
    if (!image) return gpudbg_fail(err, "no-file", "no file is loaded");
    if (!gen_has_scoreboard(image->isa))
        return !*args || gpudbg_fail(err, "unsupported", "only code of gen12 has a scoreboard");
    for (size_t i = 0; i < image->nkernels; i++) {
        const struct gpudbg_kernel *k = &image->kernels[i];
        if (*args && strcmp(args, k->name) != 0) continue;
        found = true;
        if (!list_range(&l, image, k->entry, k->entry + k->size, err)) return false;
    }
    if (found) return true;
    if (*args) return gpudbg_fail(err, "no-such-name", "no kernel is named \"%.60s\"", args);
    for (size_t i = 0; i < image->nsections; i++) { /* bare code */
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_CODE_BYTES) || !range_of(image, s->addr, &from, &end)) continue;
        if (!list_range(&l, image, s->addr, s->addr + s->size, err)) return false;
    }
    return true;
}

const struct gpudbg_listing gen_scoreboard_listing = {
    .name = "scoreboard",
    .summary = "show which instructions each instruction waits for (scoreboard)",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "no instruction of this code uses a scoreboard",
};
