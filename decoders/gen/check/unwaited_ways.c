/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unwaited_ways.c: `check scoreboard` without a run: the rules of unwaited.c over all paths through the loaded code.  A
 * producer that may be in flight on one path counts as in flight, with the bytes that all its channels touch.
 * Instructions whose bytes depend on registers are not checked, and a call waits for all producers.  A join's own jump
 * is a path only if the join can be without channels.
 */
#include <stdlib.h>
#include <string.h>
#include "code/footprint.h"
#include "check/unwaited.h"
#include "ops.h"

enum {
    FLIGHTS = 64, /* producers that are kept at a time */
    PASSED = 2,   /* later messages that are kept for a message, to know the bytes that it has read */
    KEPT = 512,   /* instructions whose bytes are kept, by address: a power of two */
};

/* An instruction that may be in flight. */
struct flight {
    uint64_t pc, follows;    /* follows: in order: the address after the last instruction, on a path without a jump */
    uint64_t falls, joins;   /* a join there has channels, see leave; 0: none is known */
    uint64_t unless, only;   /* of the next instruction: joins is not known there; there is no other; 0: neither */
    uint64_t passed[PASSED]; /* later messages that have read their payload: this one has read the same bytes */
    uint32_t channels;
    uint16_t younger; /* out of order: number of such instructions since then */
    uint8_t function;
    int8_t token;     /* -1: no token */
    uint8_t distance; /* in order: 1 is the last instruction of its pipe; 0: out of order */
    uint8_t pipe;     /* in order */
    uint8_t depth;    /* in order: see gen_issued */
    bool writing, reading;
    bool overtaken; /* a later message to the function has read its payload */
    uint8_t zero[3];
};

struct flights {
    uint64_t n;
    struct flight list[FLIGHTS];
};

/* ---- Joining ---- */

static void join_flight(struct flight *a, const struct flight *b)
{
    if (b->distance < a->distance) a->distance = b->distance;
    if (b->younger < a->younger) a->younger = b->younger;
    a->writing = a->writing || b->writing;
    a->reading = a->reading || b->reading;
    a->overtaken = a->overtaken && b->overtaken;
    if (a->falls != b->falls) a->falls = 0;
    if (a->joins != b->joins || a->unless != b->unless) a->joins = 0;
    if (a->only != b->only) a->only = 0;
    for (unsigned i = 0; i < PASSED; i++) {
        bool both = false;
        for (unsigned k = 0; k < PASSED; k++) both = both || b->passed[k] == a->passed[i];
        if (!both) a->passed[i] = 0;
    }
}

static int by_pc(const void *a, const void *b)
{
    const struct flight *x = a, *y = b;
    if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
    return x->follows < y->follows ? -1 : x->follows > y->follows;
}

static void join(void *to, const void *from)
{
    struct flights *a = to;
    const struct flights *b = from;
    for (uint64_t i = 0; i < b->n; i++) {
        uint64_t at = 0;
        while (at < a->n && by_pc(&a->list[at], &b->list[i]) < 0) at++;
        if (at < a->n && by_pc(&a->list[at], &b->list[i]) == 0)
            join_flight(&a->list[at], &b->list[i]);
        else if (a->n < FLIGHTS) {
            memmove(&a->list[at + 1], &a->list[at], (a->n - at) * sizeof *a->list);
            a->list[at] = b->list[i];
            a->n++;
        }
    }
}

static void pack(void *state)
{
    struct flights *f = state;
    qsort(f->list, f->n, sizeof *f->list, by_pc);
}

/* ---- Waiting ---- */

static void drop_done(struct flights *f)
{
    uint64_t kept = 0;
    for (uint64_t i = 0; i < f->n; i++)
        if (f->list[i].writing || f->list[i].reading) f->list[kept++] = f->list[i];
    memset(f->list + kept, 0, (f->n - kept) * sizeof *f->list);
    f->n = kept;
}

/* A message has read its sources: so earlier messages to the same function have read the same bytes, and all of theirs
 * if they are for the same channels. */
static void have_read(struct flights *f, struct flight *p)
{
    for (uint64_t i = 0; i < f->n; i++) {
        struct flight *before = &f->list[i];
        if (before == p || before->distance || before->function != p->function || before->younger < p->younger)
            continue;
        before->overtaken = true;
        if (gen_in_turn(before->function, before->channels, p->function, p->channels)) before->reading = false;
        if (before->passed[0] == p->pc || before->passed[1] == p->pc) continue;
        if (before->passed[1]) before->reading = false; /* too many to remember */
        before->passed[before->passed[0] ? 1 : 0] = p->pc;
    }
    p->reading = false;
}

static void wait_for(struct flights *f, const struct gen_swsb *how)
{
    for (uint64_t i = 0; i < f->n; i++) {
        struct flight *p = &f->list[i];
        if (p->distance) {
            if (how->distance && how->waits >> p->pipe & 1 && p->distance >= how->distance)
                p->writing = p->reading = false;
        } else if (p->token >= 0) {
            const bool answered = how->dst >> p->token & 1 || how->allocates == p->token;
            if (answered) p->writing = false;
            if (answered || how->src >> p->token & 1) have_read(f, p);
        }
    }
    drop_done(f);
}

/* Instructions in order have finished after a jump.  No thread comes from `only` to another address. */
static void arrive(struct flights *f, uint64_t addr)
{
    for (uint64_t i = 0; i < f->n; i++) {
        struct flight *p = &f->list[i];
        if ((p->distance && p->follows != addr) || (p->only && p->only != addr)) p->writing = p->reading = false;
        if (p->unless == addr) p->joins = 0;
        p->unless = p->only = 0;
    }
    drop_done(f);
}

/* A join jumps if it has no channels.  It has some where a thread comes from the instruction before, which ran; and
 * where a goto is known to have sent channels, as one does that does not go on to the next instruction, and always if
 * it has no predicate: they wait at UIP.  What is in flight then goes on to the instruction after the join only. */
static void leave(struct flights *f, const struct gpudbg_insn *insn)
{
    struct gen_insn x;
    gen_unpack(insn, &x);
    const uint64_t next = insn->addr + insn->size;
    const bool go = x.op == GEN_OP_goto, sends = go && x.jip_is_imm && x.uip_is_imm && !x.branch_ctrl;
    const bool falls = !x.jip_is_imm || x.jip_target != next;
    for (uint64_t i = 0; i < f->n; i++) {
        struct flight *p = &f->list[i];
        const bool has = p->joins == insn->addr || p->falls == insn->addr;
        p->only = has && x.op == GEN_OP_join ? next : 0;
        if (go || p->joins == insn->addr) p->joins = sends ? x.uip_target : 0;
        p->unless = sends && x.pred && x.uip_target != next ? next : 0;
        p->falls = falls || p->only ? next : 0;
    }
}

/* ---- Issuing ---- */

static void issue(struct flights *f, const struct gpudbg_insn *insn, const struct gen_issued *as)
{
    for (uint64_t i = 0; i < f->n; i++) {
        struct flight *p = &f->list[i];
        if (p->pc == insn->addr) p->writing = p->reading = false; /* from an earlier iteration of a loop */
        if (p->distance) p->follows = insn->addr + insn->size;
        if (p->distance && gen_in_order_after(as, p->pipe) && ++p->distance > p->depth) p->writing = p->reading = false;
        if (!p->distance && as->apart && p->younger < UINT16_MAX) p->younger++;
    }
    drop_done(f);
    if ((!as->apart && !as->how.in_order) || as->moves || f->n == FLIGHTS) return;
    struct flight *new = &f->list[f->n++];
    new->pc = insn->addr;
    new->channels = as->channels;
    new->function = as->function;
    new->token = as->how.allocates;
    new->writing = new->reading = true;
    if (!as->how.in_order) return;
    new->distance = 1;
    new->pipe = as->how.pipe;
    new->depth = as->depth;
    new->follows = insn->addr + insn->size;
}

static void step(void *state, const struct gpudbg_insn *insn)
{
    struct flights *f = state;
    struct gen_issued as;
    gen_issued_of(insn, &as);
    arrive(f, insn->addr);
    wait_for(f, &as.how);
    issue(f, insn, &as);
    leave(f, insn);
    if (insn->op->flags & GPUDBG_OP_CALL) memset(f, 0, sizeof *f);
}

/* ---- Using too early ---- */

struct kept {
    uint64_t pc;
    bool known;
    const struct gpudbg_op *op;
    struct gen_touched of;
};

struct checking {
    const struct gpudbg_image *image;
    struct gpudbg_checks *checks;
    struct gpudbg_footprint *footprint;
    struct kept *kept;
};

/* The instruction at an address of the code, with the bytes that it touches; NULL: no instruction there. */
static const struct kept *insn_at(struct checking *c, uint64_t pc)
{
    struct kept *k = &c->kept[pc >> 3 & (KEPT - 1)];
    struct gpudbg_insn insn;
    size_t n = 0;
    const uint8_t *bytes = gpudbg_image_bytes(c->image, pc, &n);
    if (k->known && k->pc == pc) return k;
    if (!bytes || !gpudbg_insn_at(c->image->isa, bytes, n, pc, &insn)) return NULL;
    k->known = true;
    k->pc = pc;
    k->op = insn.op;
    gen_touch_bytes(&k->of, &insn, c->footprint, gen_elements(&insn, NULL, c->footprint, GPUDBG_FOOTPRINTS), true);
    return k;
}

/* Bytes that a message in flight has not read yet, as far as later messages show. */
static struct grf_bytes still_read(struct checking *c, const struct flight *p, const struct kept *of)
{
    struct grf_bytes left = of->of.read;
    for (unsigned i = 0; i < PASSED; i++) {
        const struct kept *by = p->passed[i] ? insn_at(c, p->passed[i]) : NULL;
        if (!by) continue;
        gen_take_out(&left, &by->of.read);
        gen_take_out(&left, &by->of.written);
    }
    return left;
}

static void clash(struct checking *c, const struct gpudbg_insn *insn, const struct flight *p, const char *name,
    const struct grf_bytes *use, const struct grf_bytes *of, bool write, bool read_late)
{
    if (gen_common(use, of) < 0) return;
    const unsigned distance = p->distance < GEN_DISTANCES ? p->distance : GEN_DISTANCES;
    gen_report_early(c->checks, insn,
        &(struct gen_early){name, p->pc, use, of, write, read_late,
            p->distance     ? '@'
            : p->token >= 0 ? '$'
                            : 0,
            p->distance ? gen_pipe_letter(c->image->isa, p->pipe) : '\0', p->distance ? distance : (unsigned)p->token},
        0);
}

static void check_insn(void *to, const void *state, const struct gpudbg_insn *insn)
{
    struct checking *c = to;
    struct flights f = *(const struct flights *)state;
    struct gen_issued as;
    gen_issued_of(insn, &as);
    if (as.moves) return;
    arrive(&f, insn->addr);
    wait_for(&f, &as.how);
    const struct kept *found = insn_at(c, insn->addr);
    if (!found) return;
    const struct gen_touched use = found->of; /* a producer may take its place */
    for (uint64_t i = 0; i < f.n; i++) {
        const struct flight *p = &f.list[i];
        const struct kept *by = insn_at(c, p->pc);
        if (!by) continue;
        const struct kept of = *by;
        const bool in_turn = as.apart && !p->distance && p->function == as.function &&
                             ((as.channels && as.channels == p->channels) || p->overtaken);
        const bool ordered = p->distance && gen_in_order_after(&as, p->pipe);
        if (p->writing) clash(c, insn, p, of.op->name, &use.read, &of.of.written, false, false);
        if (p->writing && !ordered) clash(c, insn, p, of.op->name, &use.written, &of.of.written, true, false);
        if (!p->reading || ordered || in_turn) continue;
        const struct grf_bytes late = still_read(c, p, &of);
        clash(c, insn, p, of.op->name, &use.written, &late, true, true);
    }
}

bool gen_check_unwaited(const struct gpudbg_image *image, struct gpudbg_checks *checks, struct gpudbg_error *err)
{
    static const struct gpudbg_stepper stepper = {sizeof(struct flights), join, step, pack};
    struct checking c = {.image = image,
        .checks = checks,
        .footprint = calloc(GPUDBG_FOOTPRINTS, sizeof *c.footprint),
        .kept = calloc(KEPT, sizeof *c.kept)};
    const bool room = c.footprint && c.kept;
    const bool ok = room ? gpudbg_follow(image, &stepper, check_insn, &c, err)
                         : gpudbg_fail(err, "memory", "check scoreboard: out of memory");
    free(c.footprint);
    free(c.kept);
    return ok;
}
