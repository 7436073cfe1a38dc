/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flow_text.c: values as paths.
 *
 *     user s[2:3]                      registers of user data; "s8 at the start": others
 *     PAIR + 0x20 -> ...               a value loaded from that address; the last -> names the descriptor
 *     (user s[4:7] V#) + 0x10 -> ...   a value loaded from a buffer
 *     PAIR + 0x20 + s_lshl_b32(...)    a register's value added to an address, where it is computed
 *     [0:2] PATH, [3] PATH             dwords that came in different ways
 */
#include <inttypes.h>
#include "flow/scalars.h"
#include "gcn_ops.h"

#define DEPTH_MOST 12
#define TEXT_MOST 1400 /* of a path; a longer one is cut and marked */

struct path {
    const struct flow *flow;
    const struct flow_node *node;
    struct text *text;
    size_t from; /* where the path begins in the text */
};

static bool is_full(const struct path *p) { return p->text->n - p->from > TEXT_MOST || text_room(p->text) < 64; }

static void put_dword(const struct path *p, uint32_t id, unsigned depth);
static void put_words(const struct path *p, const uint32_t *ids, unsigned n, unsigned depth);

static const char *scalar_name(const struct path *p, unsigned code, char buf[16])
{
    static const char *const names[] = {
        "flat_scratch_lo", "flat_scratch_hi", "vcc_lo", "vcc_hi", "tba_lo", "tba_hi", "tma_lo", "tma_hi"};
    const struct gcn_chip *chip = gcn_chip_of(flow_isa(p->flow));
    struct text t = text_in(buf, 16);
    if (code < chip->sgprs)
        text_add(&t, "s%u", code);
    else if (code < chip->ttmp)
        text_add(&t, "%s", names[code - GCN_CODE_FLAT_SCRATCH]);
    else if (code < GCN_CODE_M0)
        text_add(&t, "ttmp%u", code - chip->ttmp);
    else
        text_add(&t, "%s",
            code == GCN_CODE_M0     ? "m0"
            : code == GCN_CODE_EXEC ? "exec_lo"
            : code == 127           ? "exec_hi"
            : code == 128           ? "scc"
                                    : "reserved");
    return buf;
}

static bool same_inputs(const struct flow_node *a, const struct flow_node *b)
{
    for (unsigned i = 0; i < FLOW_INPUTS; i++)
        if (a->in[i] != b->in[i]) return false;
    return true;
}

/* Whether b is the dword after a: in registers at the start, or in memory that was loaded. */
static bool follows(const struct path *p, const struct flow_node *a, const struct flow_node *b)
{
    if (a->kind != b->kind) return false;
    if (a->kind == FLOW_START) return b->imm == a->imm + 1 && b->imm < gcn_chip_of(flow_isa(p->flow))->sgprs;
    return (a->kind == FLOW_LOAD || a->kind == FLOW_BUFFER) && b->imm == a->imm + 4 && same_inputs(a, b);
}

/* Where a loaded value is: the address, without the arrow. */
static void put_place(const struct path *p, const struct flow_node *x, unsigned depth)
{
    const unsigned words = x->kind == FLOW_BUFFER ? 3 : 2;
    if (words == 3) text_add(p->text, "(");
    put_words(p, x->in, words, depth + 1);
    if (words == 3) text_add(p->text, " V#)");
    const bool less = x->part && x->imm >> 31;
    text_add(p->text, " %c 0x%" PRIx32, less ? '-' : '+', less ? -x->imm : x->imm);
    if (!x->in[words]) return;
    text_add(p->text, " + ");
    put_dword(p, x->in[words], depth + 1);
}

/* A sum of 64 bits: s_add_u32 and s_addc_u32 with its carry. */
static bool is_sum(const struct path *p, uint32_t lo, uint32_t hi)
{
    const struct flow_node *a = &p->node[lo], *b = &p->node[hi];
    if (a->kind != FLOW_OP || b->kind != FLOW_OP || a->op != GCN_s_add_u32 || b->op != GCN_s_addc_u32) return false;
    const struct flow_node *carry = &p->node[b->in[2]];
    return a->part == 0 && b->part == 0 && carry->kind == FLOW_OP && carry->op == GCN_s_add_u32 &&
           carry->part == FLOW_SCC && same_inputs(a, carry);
}

static bool is_pair(const struct path *p, uint32_t lo, uint32_t hi)
{
    return follows(p, &p->node[lo], &p->node[hi]) || is_sum(p, lo, hi);
}

static void put_sum(const struct path *p, uint32_t lo, uint32_t hi, unsigned depth)
{
    const struct flow_node *a = &p->node[lo], *b = &p->node[hi];
    const unsigned base = is_pair(p, a->in[0], b->in[0]) || !is_pair(p, a->in[1], b->in[1]) ? 0 : 1;
    const uint32_t more[2] = {a->in[!base], b->in[!base]};
    const struct flow_node *x = &p->node[more[0]], *y = &p->node[more[1]];
    const uint32_t from[2] = {a->in[base], b->in[base]};
    text_add(p->text, "(");
    put_words(p, from, 2, depth + 1);
    text_add(p->text, " + ");
    if (x->kind == FLOW_CONST && y->kind == FLOW_CONST)
        text_add(p->text, "0x%" PRIx64, x->imm | (uint64_t)y->imm << 32);
    else if (y->kind == FLOW_CONST && y->imm == 0)
        put_dword(p, more[0], depth + 1);
    else
        put_words(p, more, 2, depth + 1);
    text_add(p->text, ")");
}

static void put_op(const struct path *p, const struct flow_node *x, unsigned depth)
{
    text_add(p->text, "%s%s at 0x%" PRIx64 " (", gcn_ops[x->op].name,
        x->part == FLOW_SCC ? "'s scc"
        : x->part == 1      ? "'s high dword"
                            : "",
        x->addr);
    for (unsigned i = 0; i < x->n && !is_full(p); i++) {
        if (i) text_add(p->text, ", ");
        put_dword(p, x->in[i], depth + 1);
    }
    text_add(p->text, ")");
}

static void put_lost(const struct path *p, const struct flow_node *x)
{
    char name[16];
    if (x->kind == FLOW_MEET)
        text_add(p->text, "%s, which differs by the way to 0x%" PRIx64, scalar_name(p, x->imm, name), x->addr);
    else
        text_add(p->text, "%s at 0x%" PRIx64, gcn_ops[x->op].name, x->addr);
}

static void put_dword(const struct path *p, uint32_t id, unsigned depth)
{
    const struct flow_node *x = &p->node[id];
    char name[16];
    if (is_full(p)) return;
    if (depth > DEPTH_MOST) {
        text_add(p->text, "...");
        return;
    }
    switch (x->kind) {
    case FLOW_START:
        text_add(p->text, x->imm < flow_user(p->flow) ? "user %s" : "%s at the start", scalar_name(p, x->imm, name));
        break;
    case FLOW_CONST: text_add(p->text, "0x%" PRIx32, x->imm); break;
    case FLOW_LOAD:
    case FLOW_BUFFER:
        put_place(p, x, depth);
        text_add(p->text, " ->");
        break;
    case FLOW_OP: put_op(p, x, depth); break;
    default:
        text_add(p->text, "(");
        put_lost(p, x);
        text_add(p->text, ")");
    }
}

/* n dwords that come in the same way: registers, a place, or a dword alone. */
static void put_run(const struct path *p, const uint32_t *ids, unsigned n, unsigned depth)
{
    const struct flow_node *x = &p->node[ids[0]];
    if (is_full(p)) return;
    if (n == 1 || depth > DEPTH_MOST) {
        put_dword(p, ids[0], depth);
    } else if (x->kind == FLOW_START) {
        const bool user = x->imm + n <= flow_user(p->flow);
        /* three dwords are the part of a V# that is read */
        text_add(p->text, "%ss[%" PRIu32 ":%" PRIu32 "]%s", user ? "user " : "", x->imm, x->imm + (n == 3 ? 4 : n) - 1,
            user ? "" : " at the start");
    } else {
        put_place(p, x, depth);
        text_add(p->text, " ->");
    }
}

/* How many dwords from ids[0] on came in the same way. */
static unsigned run_of(const struct path *p, const uint32_t *ids, unsigned n)
{
    unsigned end = 1;
    if (n > 1 && is_sum(p, ids[0], ids[1])) return 2;
    while (end < n && follows(p, &p->node[ids[end - 1]], &p->node[ids[end]])) end++;
    return end;
}

static void put_words(const struct path *p, const uint32_t *ids, unsigned n, unsigned depth)
{
    for (unsigned i = 0, run; i < n && !is_full(p); i += run) {
        const struct flow_node *x = &p->node[ids[i]];
        run = run_of(p, ids + i, n - i);
        if (n == 2 && run == 1 && x->kind == FLOW_CONST && p->node[ids[1]].kind == FLOW_CONST) {
            text_add(p->text, "0x%" PRIx64, x->imm | (uint64_t)p->node[ids[1]].imm << 32);
            return;
        }
        if (run < n) text_add(p->text, "%s[%u", i ? ", " : "", i);
        if (run < n && run > 1) text_add(p->text, ":%u", i + run - 1);
        if (run < n) text_add(p->text, "] ");
        if (run == 2 && is_sum(p, ids[i], ids[i + 1]))
            put_sum(p, ids[i], ids[i + 1], depth);
        else
            put_run(p, ids + i, run, depth);
    }
}

void flow_path(const struct flow *f, struct text *t, const uint32_t *ids, unsigned n, const char *what)
{
    size_t count;
    const struct path p = {f, flow_nodes(f, &count), t, t->n};
    put_words(&p, ids, n, 0);
    if (is_full(&p))
        text_add(t, " ... (cut: it is longer)");
    else if (run_of(&p, ids, n) == n && p.node[ids[0]].kind != FLOW_START && what)
        text_add(t, " %s", what);
}

void flow_lost(const struct flow *f, struct text *t, const uint32_t *ids, unsigned n)
{
    size_t count;
    const struct path p = {f, flow_nodes(f, &count), t, t->n};
    for (unsigned i = 0; i < n; i++)
        if (p.node[ids[i]].lost) {
            put_lost(&p, &p.node[p.node[ids[i]].lost]);
            return;
        }
}
