/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scoreboard.c: see scoreboard.h.  A forward analysis over the basic blocks of a kernel: at each place, for each token
 * the instructions that may have allocated it last, and for each distance those that may stand there.  Sets are small:
 * beyond PRODUCERS members only that there are more is remembered. Source: the layout of the byte as the assembler
 * prints it; producers in order are all but send, sendc, math, sync and nop. Branches count: of 1,400 distances in
 * compiled kernels with a branch between, 1,000 lead to a source of the instruction only so, and one only without
 * (distances of 7 aside, which stand for longer ones).
 */
#include "code/scoreboard.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code/gen_decoder.h"
#include "gpudbg/text.h"

enum { PRODUCERS = 6, NODES_MOST = 1 << 16 };

/* ---- What an instruction does to the scoreboard ---- */

struct node {
    uint64_t addr;
    uint32_t size;
    const struct gpudbg_op *op;
    struct gen_swsb sb;
    bool end;    /* nothing follows */
    bool leader; /* starts a block */
    bool is_call, is_return;
    uint32_t next[3]; /* successors, index of a node; nnext of them */
    uint8_t nnext;
};

static bool is_branch(unsigned shape)
{
    return shape == GEN_JUMP || shape == GEN_JIP || shape == GEN_BRANCH || shape == GEN_CALL || shape == GEN_RET;
}

void gen_swsb_of(const struct gen_insn *x, struct gen_swsb *s)
{
    bool out_of_order = x->shape == GEN_SEND || x->shape == GEN_MATH;
    unsigned low = x->swsb & 15, kind = x->swsb >> 4;
    *s = (struct gen_swsb){.allocates = -1, .in_order = !out_of_order && x->shape != GEN_SYNC && x->shape != GEN_NONE};
    if (x->swsb >= 0x80) {
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
    if (x->shape == GEN_SYNC && (x->func == 2 || x->func == 3)) { /* allrd, allwr: those of a mask, or all */
        uint16_t mask = x->src[0].mode == GEN_IMMEDIATE ? (uint16_t)x->src[0].imm : 0xffff;
        *(x->func == 2 ? &s->src : &s->dst) |= mask;
    }
}

/* ---- The code as nodes and ways between them ---- */

struct code {
    struct node *node;
    uint32_t n;
};

static int64_t node_at(const struct code *c, uint64_t addr)
{
    uint32_t lo = 0, hi = c->n;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (c->node[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < c->n && c->node[lo].addr == addr ? (int64_t)lo : -1;
}

static void lead_to(struct code *c, uint32_t from, int64_t to)
{
    struct node *n = &c->node[from];
    if (to < 0 || to >= c->n) return;
    for (unsigned i = 0; i < n->nnext; i++)
        if (n->next[i] == (uint32_t)to) return;
    n->next[n->nnext++] = (uint32_t)to;
}

/* Where a branch may take the thread: on, to JIP, and with .b to UIP.  Channels that wait at UIP do not move the thread
 * there. */
static void branches(struct code *c, uint32_t i, const struct gen_insn *x)
{
    struct node *n = &c->node[i];
    bool always = x->op == GEN_OP_jmpi && !x->pred;
    n->end = x->shape == GEN_RET || (x->shape == GEN_SEND && x->eot);
    n->is_call = x->shape == GEN_CALL;
    n->is_return = x->shape == GEN_RET;
    if (!n->end && !always) lead_to(c, i, (int64_t)i + 1);
    if (!is_branch(x->shape)) return;
    if (x->jip_is_imm) lead_to(c, i, node_at(c, x->jip_target));
    if (x->uip_is_imm && (x->branch_ctrl || x->op == GEN_OP_brc)) lead_to(c, i, node_at(c, x->uip_target));
}

/* The bytes of [from, to) as nodes; false: too many for what is analysed or for memory, or no code. */
static bool take_code(struct code *c, const struct gpudbg_image *image, uint64_t from, uint64_t to)
{
    size_t left = 0, room = 0;
    const uint8_t *bytes = gpudbg_image_bytes(image, from, &left);
    if (!bytes) return false;
    if (to - from < left) left = (size_t)(to - from);
    struct gpudbg_insn insn;
    struct gen_insn x;
    for (size_t at = 0; at < left; at += insn.size) {
        bool is_insn = gpudbg_insn_at(image->isa, bytes + at, left - at, from + at, &insn);
        if (!is_insn) continue;
        if (c->n == NODES_MOST) return false;
        if (c->n == room) {
            struct node *grown = realloc(c->node, (room = room ? 2 * room : 256) * sizeof *grown);
            if (!grown) return false;
            c->node = grown;
        }
        gen_unpack(&insn, &x);
        c->node[c->n] = (struct node){.addr = insn.addr, .size = insn.size, .op = insn.op};
        gen_swsb_of(&x, &c->node[c->n++].sb);
    }
    for (uint32_t i = 0; i < c->n; i++) {
        gpudbg_insn_at(image->isa, bytes + (c->node[i].addr - from), (size_t)(left - (c->node[i].addr - from)),
            c->node[i].addr, &insn);
        gen_unpack(&insn, &x);
        branches(c, i, &x);
    }
    return c->n > 0;
}

/* ---- Sets and states ---- */

struct set {
    uint32_t member[PRODUCERS]; /* indices of nodes, ascending */
    uint8_t n;
    bool more;
};

struct state {
    struct set token[GEN_TOKENS], back[GEN_DISTANCES]; /* back[d - 1] */
    uint16_t pending;                                  /* tokens allocated on some way and not waited for since */
    bool reached;
};

static bool set_add(struct set *s, uint32_t member)
{
    unsigned at = 0;
    while (at < s->n && s->member[at] < member) at++;
    if (at < s->n && s->member[at] == member) return false;
    if (s->n == PRODUCERS) {
        bool news = !s->more;
        s->more = true;
        return news;
    }
    memmove(&s->member[at + 1], &s->member[at], (s->n - at) * sizeof *s->member);
    s->member[at] = member;
    s->n++;
    return true;
}

static bool set_join(struct set *to, const struct set *from)
{
    bool news = false;
    for (unsigned i = 0; i < from->n; i++) news = set_add(to, from->member[i]) || news;
    if (from->more && !to->more) news = to->more = true;
    return news;
}

static bool state_join(struct state *to, const struct state *from)
{
    bool news = !to->reached || (from->pending & ~to->pending);
    to->reached = true;
    to->pending |= from->pending;
    for (unsigned i = 0; i < GEN_TOKENS; i++) news = set_join(&to->token[i], &from->token[i]) || news;
    for (unsigned i = 0; i < GEN_DISTANCES; i++) news = set_join(&to->back[i], &from->back[i]) || news;
    return news;
}

static void step(struct state *s, const struct node *n, uint32_t index)
{
    s->pending &= (uint16_t)~n->sb.dst;
    if (n->sb.allocates >= 0) {
        s->token[n->sb.allocates] = (struct set){.member = {index}, .n = 1};
        s->pending |= (uint16_t)(1u << n->sb.allocates);
    }
    if (!n->sb.in_order) return;
    memmove(&s->back[1], &s->back[0], (GEN_DISTANCES - 1) * sizeof *s->back);
    s->back[0] = (struct set){.member = {index}, .n = 1};
}

/* ---- The analysis ---- */

struct analysis {
    struct code code;
    struct state *at; /* before the first node of each block, by block; then what leaves any return */
    bool *changed;    /* since it was last followed, by block; then of the returns */
    uint32_t *block;  /* of each node */
    uint32_t *first;  /* node of each block */
    uint32_t nblocks;
};

static void analysis_free(struct analysis *a)
{
    free(a->code.node);
    free(a->at);
    free(a->changed);
    free(a->block);
    free(a->first);
}

/* false: no memory. */
static bool find_blocks(struct analysis *a)
{
    struct code *c = &a->code;
    a->block = calloc(c->n, sizeof *a->block);
    a->first = calloc(c->n + 1, sizeof *a->first);
    if (!a->block || !a->first) return false;
    c->node[0].leader = true;
    for (uint32_t i = 0; i < c->n; i++) {
        const struct node *n = &c->node[i];
        bool plain = n->nnext == 1 && n->next[0] == i + 1 && !n->is_call;
        for (unsigned k = 0; !plain && k < n->nnext; k++) c->node[n->next[k]].leader = true;
        if (!plain && i + 1 < c->n) c->node[i + 1].leader = true;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        if (c->node[i].leader) a->first[a->nblocks++] = i;
        a->block[i] = a->nblocks - 1;
    }
    a->first[a->nblocks] = c->n;
    a->at = calloc(a->nblocks + 1, sizeof *a->at);
    a->changed = calloc(a->nblocks + 1, sizeof *a->changed);
    return a->at && a->changed;
}

static void flow_to(struct analysis *a, const struct state *s, uint32_t block)
{
    if (state_join(&a->at[block], s)) a->changed[block] = true;
}

static void follow_block(struct analysis *a, uint32_t block)
{
    struct state s = a->at[block];
    const struct node *last = &a->code.node[a->first[block + 1] - 1];
    for (uint32_t i = a->first[block]; i < a->first[block + 1]; i++) step(&s, &a->code.node[i], i);
    for (unsigned k = 0; k < last->nnext; k++) flow_to(a, &s, a->block[last->next[k]]);
    if (last->is_return) flow_to(a, &s, a->nblocks);
}

/* What leaves a return goes behind every call. */
static void follow_returns(struct analysis *a)
{
    for (uint32_t i = 0; i + 1 < a->code.n; i++)
        if (a->code.node[i].is_call) flow_to(a, &a->at[a->nblocks], a->block[i + 1]);
}

static bool analyse(struct analysis *a, const struct gpudbg_image *image, uint64_t from, uint64_t to)
{
    memset(a, 0, sizeof *a);
    if (!take_code(&a->code, image, from, to) || !find_blocks(a)) {
        analysis_free(a);
        return false;
    }
    a->at[0].reached = a->changed[0] = true;
    /* Over all blocks in turn until nothing changes; the next round begins where a block that was passed has changed.
     */
    const bool *next;
    while ((next = memchr(a->changed, true, a->nblocks + 1)))
        for (uint32_t b = (uint32_t)(next - a->changed); b <= a->nblocks; b++) {
            if (!a->changed[b]) {
                next = memchr(a->changed + b, true, a->nblocks + 1 - b);
                if (!next) break;
                b = (uint32_t)(next - a->changed);
            }
            a->changed[b] = false;
            if (b < a->nblocks)
                follow_block(a, b);
            else
                follow_returns(a);
        }
    return true;
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
        snprintf(how, sizeof how, "@%u", n->sb.distance);
        each(to, how, &before->back[n->sb.distance - 1]);
    }
    for (unsigned t = 0; t < GEN_TOKENS; t++) {
        bool all = n->sb.dst == 0xffff ||
                   n->sb.src == 0xffff; /* sync of all tokens: those that were never allocated go unsaid */
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
        w.producer = g->a->code.node[producers->member[i]].addr;
        g->each(g->to, &w);
    }
}

bool gen_waits(const struct gpudbg_image *image, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to)
{
    struct analysis a;
    struct state s;
    if (!gen_has_scoreboard(image->isa) || !range_of(image, addr, &range[0], &range[1]) ||
        !analyse(&a, image, range[0], range[1]))
        return false;
    struct gathered g = {.a = &a, .each = each, .to = to};
    for (uint32_t i = 0; i < a.code.n; i++) {
        const struct node *n = &a.code.node[i];
        if (n->leader) s = a.at[a.block[i]];
        g.consumer = n->addr;
        walk_waits(n, &s, gather, &g);
        step(&s, n, i);
    }
    analysis_free(&a);
    return true;
}

/* ---- The listing ---- */

/* A row: an instruction and one of its waits; the life of the tokens is drawn in its first row. */
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
        const struct node *p = &l->a->code.node[producers->member[i]];
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

static bool list_range(struct listing *l, const struct gpudbg_image *image, uint64_t from, uint64_t to)
{
    struct analysis a;
    struct state s;
    if (!analyse(&a, image, from, to)) return false;
    l->a = &a;
    for (uint32_t i = 0; i < a.code.n && !l->enough; i++) {
        const struct node *n = &a.code.node[i];
        if (n->leader) s = a.at[a.block[i]];
        l->row = (struct row){.addr = n->addr, .name = n->op->name};
        l->any = false;
        draw_life(l->row.life, n, s.pending);
        walk_waits(n, &s, list_wait, l);
        if (!l->any && (n->sb.allocates >= 0 || s.pending)) {
            if (n->sb.allocates >= 0) snprintf(l->row.how, sizeof l->row.how, "$%d", n->sb.allocates);
            emit(l);
        }
        step(&s, n, i);
    }
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
        errno = 0;
        if (!list_range(&l, image, k->entry, k->entry + k->size))
            return errno == ENOMEM ? gpudbg_fail(err, "memory", "no memory for the code of kernel %.80s", k->name)
                                   : gpudbg_fail(err, "too-large", "kernel %.80s has more than %d instructions",
                                         k->name, NODES_MOST);
    }
    if (found) return true;
    if (*args) return gpudbg_fail(err, "no-such-name", "no kernel is named \"%.60s\"", args);
    for (size_t i = 0; i < image->nsections; i++) { /* bare code */
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_CODE_BYTES) || !range_of(image, s->addr, &from, &end)) continue;
        if (!list_range(&l, image, s->addr, s->addr + s->size) && s->size > 8 * (uint64_t)NODES_MOST)
            return gpudbg_fail(err, "too-large", "section %.80s has more than %d instructions", s->name, NODES_MOST);
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
