/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lds_bounds.c: the least address in LDS that each instruction of a kernel can access, from the code alone.
 *
 * A register has a span of unsigned values.  Spans pass through moves, sums, products, shifts and logic over all ways
 * through the code; where a sum may wrap, and after everything else, any value is possible.  In a kernel that calls
 * functions, and in code that no way leads to, the constants of the instructions are all that is known.  Work-item
 * numbers are below 1024 (the largest group of a Sea Islands kernel).  Lanes that a masked instruction leaves alone
 * keep what they had, so once EXEC has been written a new span includes the old one.
 */
#include "flow/lds_bounds.h"
#include <string.h>
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

#define INSNS_MOST (UINT32_C(16) << 10)
#define VISITS_MOST (UINT64_C(1) << 15)
enum { SCALARS = GCN_CODE_INT, REGISTERS = SCALARS + 256, ITEM_NUMBERS = 3, ITEMS_MOST = 1024 };

/* `room` is UINT32_MAX minus the most, so that zeros are the span of all values. */
struct span {
    uint32_t least, room;
};
struct spans {
    struct span of[REGISTERS];
    uint32_t masked, entered; /* EXEC was written; the state was made once before */
};

static uint32_t most(struct span s) { return UINT32_MAX - s.room; }

static struct span between(uint64_t least, uint64_t top)
{
    return top > UINT32_MAX ? (struct span){0, 0} : (struct span){(uint32_t)least, UINT32_MAX - (uint32_t)top};
}

static struct span either(struct span a, struct span b)
{
    return (struct span){a.least < b.least ? a.least : b.least, a.room < b.room ? a.room : b.room};
}

/* The number of the first register of an operand in struct spans; REGISTERS: it has none. */
static unsigned number(const struct gpudbg_operand *o, unsigned *count)
{
    struct gcn_codes codes;
    *count = 0;
    if (!gcn_codes_of(o, &codes)) return REGISTERS;
    *count = codes.count;
    if (codes.first >= GCN_CODE_VGPR) return SCALARS + codes.first - GCN_CODE_VGPR;
    return codes.first < SCALARS ? codes.first : REGISTERS;
}

static struct span operand(const struct spans *s, const struct gpudbg_operand *o)
{
    unsigned count;
    if (o->mods) return (struct span){0, 0};
    if (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL)
        return between((uint32_t)o->imm, (uint32_t)o->imm);
    const unsigned at = number(o, &count);
    return at < REGISTERS && count == 1 ? s->of[at] : (struct span){0, 0};
}

static struct span product(struct span a, struct span b)
{
    return between((uint64_t)a.least * b.least, (uint64_t)most(a) * most(b));
}

static struct span sum(struct span a, struct span b)
{
    return between((uint64_t)a.least + b.least, (uint64_t)most(a) + most(b));
}

static struct span shifted(struct span a, struct span by)
{
    if (by.least != most(by)) return (struct span){0, 0};
    return between((uint64_t)a.least << (by.least & 31), (uint64_t)most(a) << (by.least & 31));
}

static struct span shifted_right(struct span a, struct span by)
{
    if (by.least != most(by)) return between(0, most(a));
    return between(a.least >> (by.least & 31), most(a) >> (by.least & 31));
}

static struct span bits_of_either(struct span a, struct span b)
{
    uint32_t all = most(a) | most(b);
    for (unsigned i = 1; i < 32; i *= 2) all |= all >> i;
    return between(a.least > b.least ? a.least : b.least, all);
}

static struct span low_24(struct span a) { return most(a) < 1u << 24 ? a : between(0, (1u << 24) - 1); }

/* The result of a row with sources a, b, c. */
static struct span result(unsigned row, struct span a, struct span b, struct span c)
{
    switch (row) {
    case GCN_v_mov_b32:
    case GCN_s_mov_b32: return a;
    case GCN_v_add_i32:
    case GCN_s_add_u32:
    case GCN_s_add_i32: return sum(a, b);
    case GCN_v_mul_lo_u32:
    case GCN_v_mul_lo_i32:
    case GCN_s_mul_i32: return product(a, b);
    case GCN_v_mul_u32_u24: return product(low_24(a), low_24(b));
    case GCN_v_mad_u32_u24: return sum(product(low_24(a), low_24(b)), c);
    case GCN_v_lshl_b32:
    case GCN_s_lshl_b32: return shifted(a, b);
    case GCN_v_lshlrev_b32: return shifted(b, a);
    case GCN_v_lshr_b32:
    case GCN_s_lshr_b32: return shifted_right(a, b);
    case GCN_v_lshrrev_b32: return shifted_right(b, a);
    case GCN_v_and_b32:
    case GCN_s_and_b32: return between(0, most(a) < most(b) ? most(a) : most(b));
    case GCN_v_or_b32:
    case GCN_s_or_b32: return bits_of_either(a, b);
    case GCN_v_bfe_u32:
        return c.least == most(c) ? between(0, (UINT32_C(1) << (c.least & 31)) - 1) : between(0, most(a));
    }
    return (struct span){0, 0};
}

static bool step(void *to, const struct gpudbg_insn *insn, uint32_t unused)
{
    struct spans *s = to;
    struct span in[3] = {{0, 0}, {0, 0}, {0, 0}};
    unsigned n = 0, count;
    bool masked = false;
    (void)unused;
    if (insn->op->id >= GCN_v_movreld_b32 && insn->op->id <= GCN_v_movrelsd_b32) memset(s->of, 0, sizeof s->of);
    if (insn->op->id >= GCN_s_movrels_b32 && insn->op->id <= GCN_s_movreld_b64) memset(s->of, 0, sizeof s->of);
    for (unsigned i = 0; i < insn->noperands; i++)
        if (!(insn->operands[i].flags & (GPUDBG_WRITE | GPUDBG_IMPLICIT)) && n < 3)
            in[n++] = operand(s, &insn->operands[i]);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & GPUDBG_WRITE)) continue;
        masked |= o->kind == GPUDBG_REGISTER && o->file == GCN_FILE_EXEC;
        const unsigned at = number(o, &count);
        const bool plain = i == 0 && count == 1 && !o->mods && insn->size <= 8;
        const struct span made = plain ? result(insn->op->id, in[0], in[1], in[2]) : (struct span){0, 0};
        for (unsigned k = at; k < at + count && k < REGISTERS; k++)
            s->of[k] = k >= SCALARS && s->masked ? either(s->of[k], made) : made;
    }
    s->masked |= masked;
    return true;
}

struct analysis {
    struct gpudbg_ways *ways;
    gpudbg_local_fn *each;
    void *to;
};

static void pass(void *with, uint32_t block, void *state)
{
    gpudbg_block_walk(((struct analysis *)with)->ways, block, step, state);
}

/* The spans at the start of a kernel: the numbers of the work-item are in the first VGPRs. */
static struct spans at_entry(void)
{
    struct spans s = {.entered = 1};
    for (unsigned i = 0; i < ITEM_NUMBERS; i++) s.of[SCALARS + i] = between(0, ITEMS_MOST - 1);
    return s;
}

struct joined {
    struct spans all;
    bool any;
};

static void join(void *to, const void *state)
{
    struct joined *j = to;
    const struct spans *from = state;
    for (unsigned i = 0; i < REGISTERS && j->any; i++) j->all.of[i] = either(j->all.of[i], from->of[i]);
    if (!j->any) j->all = *from;
    j->all.masked |= from->masked;
    j->any = true;
}

/* A span that grows on the second visit has no bound on that side, so that loops end. */
static void meet(void *with, const struct gpudbg_solution *solution, uint32_t block, void *state)
{
    const struct analysis *a = with;
    struct spans *last = state;
    struct joined j = {.any = a->ways->block[block].entry};
    if (j.any) j.all = at_entry();
    gpudbg_each_left(solution, block, false, join, &j);
    for (unsigned i = 0; i < REGISTERS && last->entered; i++) {
        if (j.all.of[i].least < last->of[i].least) j.all.of[i].least = 0;
        if (j.all.of[i].room < last->of[i].room) j.all.of[i].room = 0;
    }
    j.all.entered = 1;
    *last = j.all;
}

/* The constant that is added to the address.  Two addresses of one instruction have a constant each, in units of their
 * own: it is at least 0. */
static uint32_t constant(const struct gpudbg_insn *insn)
{
    return insn->parts[0].format == &gcn_layouts[GCN_W_DS] ? GET((uint32_t)le_get(insn->raw, 4), DS, offset) : 0;
}

struct telling {
    const struct analysis *a;
    struct spans spans;
    bool follows; /* the spans are known */
};

static bool tell(void *to, const struct gpudbg_insn *insn, uint32_t place)
{
    struct telling *t = to;
    const uint64_t does = gpudbg_insn_does(insn);
    if (insn->variant == GCN_DS && does & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE) &&
        !GET((uint32_t)le_get(insn->raw, 4), DS, gds)) {
        const struct gpudbg_operand *addr = gcn_operand(insn, GCN_IN_ADDR);
        const struct span base = addr ? operand(&t->spans, addr) : (struct span){0, 0};
        const struct span at = sum(base, between(constant(insn), constant(insn)));
        t->a->each(t->a->to, insn, at.least > constant(insn) ? at.least : constant(insn));
    }
    return !t->follows || step(&t->spans, insn, place);
}

/* Whether all ways stay in the kernel. */
static bool stays(const struct gpudbg_ways *w)
{
    for (uint32_t i = 0; i < w->norder; i++)
        if (w->block[w->order[i]].unknown || w->block[w->order[i]].call) return false;
    return true;
}

bool gcn_local_accesses(
    const struct gpudbg_image *image, const struct gpudbg_kernel *kernel, gpudbg_local_fn *each, void *to)
{
    static const struct gpudbg_solver solver = {
        .size = sizeof(struct spans), .meet = meet, .pass = pass, .most = VISITS_MOST};
    struct gpudbg_error ignored = {0};
    struct analysis a = {.each = each, .to = to};
    size_t size = 0;
    const uint8_t *bytes = gpudbg_image_bytes(image, kernel->entry, &size);
    if (kernel->size < size) size = (size_t)kernel->size;
    if (!bytes || !size) return false;
    a.ways = gpudbg_ways_new(
        image->isa, bytes, size, kernel->entry, &kernel->entry, 1, GPUDBG_WAYS_ALL, INSNS_MOST, &ignored);
    struct gpudbg_solution *solution = a.ways && stays(a.ways) ? gpudbg_solve(a.ways, &solver, &a, &ignored) : NULL;
    for (uint32_t b = 0; a.ways && b < a.ways->nblocks; b++) {
        const struct spans *in = solution ? gpudbg_entered(solution, b) : NULL;
        struct telling t = {.a = &a, .follows = in};
        if (in) t.spans = *in;
        gpudbg_block_walk(a.ways, b, tell, &t);
    }
    const bool told = a.ways;
    gpudbg_solution_free(solution);
    gpudbg_ways_free(a.ways);
    return told;
}
