/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wait.c: the checker of missing waits.  The hardware writes a load's registers some time later, and a program waits
 * for that with s_waitcnt; in this debugger every load completes at once, so a program without the wait seems correct.
 * The checker keeps the loads that no wait has covered, and reports instructions that touch their registers.
 *
 * Vector memory returns in order, and so does the LDS; scalar loads return in any order, so while one is under way only
 * lgkmcnt(0) proves that a load has arrived.  FLAT needs vmcnt if lanes access memory and lgkmcnt(0) if lanes access
 * the LDS; in a run the checker sees which they access.  On newer chips lgkmcnt counts FLAT in order, too.  Stores to
 * the LDS must have arrived before a barrier tells the other waves of them.  Exports read their VGPRs late: no
 * instruction may write them until expcnt shows that they were read.
 * Source: Sea Islands manual, s_waitcnt and the counters VM_CNT, LGKM_CNT, EXP_CNT.
 *
 * Newer chips count stores, and atomics that return nothing, apart (vscnt); vmcnt and lgkmcnt have six bits; image
 * loads with a sampler may write their registers before or after other loads do, though vmcnt counts all in order.
 * Source: LLVM 19, SIInsertWaitcnts; GCNSubtarget, hasFlatLgkmVMemCountInOrder.
 *
 * `check wait` alone follows all ways through the loaded code.  An access counts as under way if it may be on one of
 * them.  For FLAT vmcnt is enough there, because the code does not say whether lanes access the LDS; a call counts as a
 * wait for all.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code/gcn_decoder.h"
#include "gcn.h"
#include "gcn_ops.h"
#include "gpudbg/text.h"

#define PENDING_MOST 64  /* more than the counters' maximum, at which the hardware waits by itself */
#define SPARE_MOST 64    /* lists of waves that have ended, which the next ones get */
#define REGISTERS_MOST 4 /* operands of one instruction that are read or written late */

enum counter { VM, EXP, LGKM, VS };

/* How far an access stands from the latest one that its counter counts. */
struct queued {
    uint8_t younger; /* number issued after it and counted by the same counter, but for pendings.issued */
    bool mixed;      /* one that returns in any order was under way with it: only 0 shows that it is done */
};

struct pending {
    uint64_t pc;
    const char *name;
    uint64_t addr;           /* of the first byte that it touched, in `space` */
    unsigned space;          /* GPUDBG_LOCAL: the LDS */
    bool now;                /* it is being executed */
    bool touched;            /* `addr` is known */
    uint8_t counter;         /* the counter that counts it */
    struct queued own, lgkm; /* ... among those that `counter` counts; FLAT: among those that LGKM counts */
    bool any_order, flat;
    bool sampled;     /* an image load with a sampler, where others may overtake it */
    bool memory, lds; /* FLAT: lanes accessed it, and no wait has covered that */
    bool shares;      /* stores to the LDS */
    bool reads;       /* its registers are read late, not written */
    uint8_t n;
    uint32_t since;         /* pendings.issued of its counter when `own` was right */
    const struct set *bits; /* those of `late`; NULL: they are to be found out */
    struct gcn_codes late[REGISTERS_MOST];
};

/* Registers, a bit each: the codes of scalars, then those of vectors. */
#define SCALARS 128u
#define SET_WORDS 6
struct set {
    uint64_t bits[SET_WORDS];
};

struct pendings {
    struct pending *list; /* oldest first */
    uint8_t n;
    bool any_order;  /* some of them may return in any order */
    bool idle;       /* the core was told so */
    struct set late; /* their registers */
    uint32_t
        issued[VS + 1]; /* by counter: accesses since the start, which are not counted one by one in those listed */
};

/* An instruction: its registers, and whether it may do more than touch them. */
struct plan {
    struct set touches;
    bool known, more, counts; /* counts: it does more, even if nothing is under way */
    bool waits, ends;
    struct pending *starts; /* the access that it starts; or NULL */
    struct set late;        /* its registers */
};

struct wait {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    struct pendings *wave; /* by id */
    struct plan *plan;     /* by number of the instruction */
    struct pending *spare[SPARE_MOST];
    unsigned nspare;
};

static void end(void *state)
{
    struct wait *s = state;
    for (uint32_t i = 0; i < s->machine->nwaves; i++) gpudbg_checks_free(s->checks, s->wave[i].list);
    while (s->nspare) gpudbg_checks_free(s->checks, s->spare[--s->nspare]);
    gpudbg_checks_free(s->checks, s->wave);
    for (uint32_t i = 0; i < gpudbg_checks_numbers(s->checks); i++) gpudbg_checks_free(s->checks, s->plan[i].starts);
    gpudbg_checks_free(s->checks, s->plan);
    gpudbg_checks_free(s->checks, s);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct wait *s = gpudbg_checks_alloc(checks, 1, sizeof *s);
    *s = (struct wait){.machine = m, .checks = checks};
    s->wave = gpudbg_checks_alloc(checks, m->nwaves, sizeof *s->wave);
    s->plan = gpudbg_checks_alloc(checks, gpudbg_checks_numbers(checks), sizeof *s->plan);
    return s;
}

/* ---- Waiting ---- */

/* FLAT: clears the part that this counter shows to be done; returns whether all of it is done. */
static bool flat_arrived(struct pending *p, enum counter counter)
{
    *(counter == LGKM ? &p->lds : &p->memory) = false;
    return !p->memory && !p->lds;
}

/* Whether it is done when `left` may still be under way; `more` must be younger than it is in `one`. */
static bool is_done(const struct queued *one, unsigned more, unsigned left)
{
    return one->younger >= more && !(one->mixed && left);
}

/* `own` of those listed counts all. */
static void count_issued(struct pendings *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        struct pending *one = &p->list[i];
        const uint32_t more = p->issued[one->counter] - one->since, most = UINT8_MAX - one->own.younger;
        one->own.younger = (uint8_t)(one->own.younger + (more < most ? more : most));
        one->since = 0;
    }
    memset(p->issued, 0, sizeof p->issued);
}

/* Drops the accesses that are done when at most `left` of this counter's are still under way. */
static void arrive(struct pendings *p, enum counter counter, unsigned left)
{
    unsigned keep = 0;
    bool any_order = false;
    for (unsigned i = 0; i < p->n; i++) {
        struct pending *one = &p->list[i];
        const uint32_t more = p->issued[counter] - one->since;
        bool done = one->counter == counter ? is_done(&one->own, left > more ? left - more : 0, left)
                                            : one->flat && counter == LGKM && is_done(&one->lgkm, left, left);
        if (done && one->flat) done = flat_arrived(one, counter);
        if (done) continue;
        any_order |= one->any_order;
        if (keep++ != i) p->list[keep - 1] = *one;
    }
    p->any_order = any_order;
    p->n = (uint8_t)keep;
}

/* The constant of a wait for one counter, whose register is added; a register that is not null: nobody knows its sum
 * without a run, so it counts as a wait for all. */
static unsigned left_of(const struct gpudbg_insn *insn, unsigned simm16)
{
    const struct gpudbg_operand *o = gcn_operand(insn, GCN_IN_SDST);
    return o && o->kind == GPUDBG_REGISTER ? 0 : simm16;
}

static void wait_for(struct pendings *p, const struct gpudbg_insn *insn)
{
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    const unsigned simm16 = le_u16(insn->raw);
    const struct gcn_counters now = gcn_counters_of(chip, simm16), most = gcn_counters_of(chip, waitcnt_none(chip));
    switch (insn->op->id) {
    case GCN_s_waitcnt:
    case GCN_s_waitcnt_6:
        if (now.vm < most.vm) arrive(p, VM, now.vm);
        if (now.exp < most.exp) arrive(p, EXP, now.exp);
        if (now.lgkm < most.lgkm) arrive(p, LGKM, now.lgkm);
        break;
    case GCN_s_waitcnt_vmcnt: arrive(p, VM, left_of(insn, simm16)); break;
    case GCN_s_waitcnt_expcnt: arrive(p, EXP, left_of(insn, simm16)); break;
    case GCN_s_waitcnt_lgkmcnt: arrive(p, LGKM, left_of(insn, simm16)); break;
    case GCN_s_waitcnt_vscnt: arrive(p, VS, left_of(insn, simm16)); break;
    case GCN_s_wait_idle:
        for (unsigned i = VM; i <= VS; i++) arrive(p, (enum counter)i, 0);
        break;
    default: break;
    }
}

static bool waits(const struct gpudbg_insn *insn) { return insn->op->flags & GPUDBG_OP_WAIT; }

/* ---- Touching too early ---- */

static void set_add(struct set *to, struct gcn_codes codes)
{
    for (unsigned i = 0; i < codes.count; i++) {
        const unsigned code = codes.first + i,
                       bit = code < SCALARS ? code : SCALARS + code % (64 * SET_WORDS - SCALARS);
        to->bits[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static bool sets_meet(const struct set *a, const struct set *b)
{
    static_assert(SET_WORDS == 6, "all words");
    const uint64_t *x = a->bits, *y = b->bits;
    return (x[0] & y[0]) | (x[1] & y[1]) | (x[2] & y[2]) | (x[3] & y[3]) | (x[4] & y[4]) | (x[5] & y[5]);
}

static void set_join(struct set *to, const struct set *from)
{
    for (unsigned i = 0; i < SET_WORDS; i++) to->bits[i] |= from->bits[i];
}

static void find_late(struct pendings *p)
{
    p->late = (struct set){{0}};
    for (unsigned i = 0; i < p->n; i++) {
        const struct pending *one = &p->list[i];
        if (one->n && one->bits) set_join(&p->late, one->bits);
        for (unsigned k = 0; k < one->n && !one->bits; k++) set_add(&p->late, one->late[k]);
    }
}

/* The counters that should have been waited for. */
static const char *counters_of(const struct pending *p)
{
    if (p->reads) return "expcnt";
    if (p->flat && p->memory && p->lds) return "vmcnt and lgkmcnt";
    return p->flat ? p->lds ? "lgkmcnt" : "vmcnt" : p->counter == LGKM ? "lgkmcnt" : "vmcnt";
}

static void origin_of(const struct pending *p, const char *what, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    text_add(&t, "%s by %.40s at 0x%" PRIx64, what, p->name, p->pc);
    if (p->touched) text_add(&t, ", %s 0x%" PRIx64, p->space == GPUDBG_LOCAL ? "LDS" : "memory", p->addr);
}

static __attribute__((noinline)) void report(struct gpudbg_checks *checks, const struct gpudbg_insn *insn,
    const struct gpudbg_operand *o, struct gcn_codes shared, const struct pending *p)
{
    char message[200], origin[120], name[TEXT_OPERAND];
    *put_codes(name, gcn_chip_of(insn->isa), shared) = 0;
    snprintf(message, sizeof message, "%.16s is %s, and nothing has waited (%s) until %.40s at 0x%" PRIx64 " %s it",
        name, p->reads || o->flags & GPUDBG_WRITE ? "written" : "read", counters_of(p), p->name, p->pc,
        p->reads ? "sent" : "loaded");
    origin_of(p, p->reads ? "sent" : "loaded", origin, sizeof origin);
    gpudbg_report(checks, &(struct gpudbg_report){.pc = insn->addr, .message = message, .origin = origin});
}

static void touch(struct gpudbg_checks *checks, const struct gpudbg_insn *insn, const struct gpudbg_operand *o,
    struct gcn_codes codes, struct pending *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        const struct gcn_codes shared = gcn_codes_shared(p->late[i], codes);
        if (!shared.count) continue;
        report(checks, insn, o, shared, p);
        p->late[i].count = 0; /* reported once */
        p->bits = NULL;
    }
}

/* ---- Starting accesses ---- */

/* The counter of an access to memory. */
static enum counter counter_of(const struct gpudbg_insn *insn)
{
    const uint64_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE, does = insn->op->flags & both;
    if (!gcn_chip_of(insn->isa)->stores_apart || does == GPUDBG_OP_LOAD) return VM;
    return does == both && gcn_has_glc(insn) ? VM : VS;
}

/* How an instruction is counted; false: it is not. */
static bool counts(const struct gpudbg_insn *insn, struct pending *p)
{
    const bool newer = gcn_chip_of(insn->isa)->stores_apart;
    switch (gcn_access_of(insn)) {
    case GCN_BUFFERS:
    case GCN_SEGMENTS:
    case GCN_IMAGES:
    case GCN_FLATS:
        if (newer && insn->op->flags & GPUDBG_OP_ORDER) return false; /* it drops lines of a cache */
        p->counter = (uint8_t)counter_of(insn);
        p->flat = gcn_access_of(insn) == GCN_FLATS;
        p->sampled = newer && gcn_operand(insn, GCN_IN_SSAMP);
        return true;
    case GCN_CONSTANTS:
        p->counter = LGKM;
        p->any_order = true;
        return true;
    case GCN_LOCALS:
        p->counter = LGKM;
        p->shares = insn->op->flags & GPUDBG_OP_STORE;
        return true;
    case GCN_EXPORTS:
        p->counter = EXP;
        p->reads = true;
        return true;
    default: return false;
    }
}

/* Loads that return in order may write the same register one after another. */
static bool follows(const struct pending *first, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    struct pending then = {0};
    return !(o->flags & GPUDBG_READ) && counts(insn, &then) && then.counter == first->counter && !then.any_order &&
           !first->any_order && then.sampled == first->sampled;
}

static void touch_all(struct gpudbg_checks *checks, const struct gpudbg_insn *insn, struct pendings *p)
{
    for (unsigned i = 0; i < insn->noperands && p->n; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        struct gcn_codes codes;
        struct set touched = {{0}};
        if (o->kind != GPUDBG_REGISTER || !gcn_codes_of(o, &codes)) continue;
        set_add(&touched, codes);
        for (unsigned k = 0; k < p->n && sets_meet(&touched, &p->late); k++) {
            if (!p->list[k].n) continue; /* it writes no registers late */
            const bool late = p->list[k].reads ? o->flags & GPUDBG_WRITE : !follows(&p->list[k], insn, o);
            if (late) touch(checks, insn, o, codes, &p->list[k]);
        }
    }
}

static void at_barrier(struct gpudbg_checks *checks, const struct gpudbg_insn *insn, const struct pendings *p)
{
    for (unsigned i = 0; i < p->n; i++) {
        if (!p->list[i].shares) continue;
        char origin[120];
        origin_of(&p->list[i], "stored", origin, sizeof origin);
        gpudbg_report(checks,
            &(struct gpudbg_report){.pc = insn->addr,
                .origin = origin,
                .message =
                    "the LDS may not have been written when others pass this barrier: nothing has waited (lgkmcnt)"});
    }
}

/* The access that the instruction starts; false: none. */
static bool begins(const struct gpudbg_insn *insn, struct pending *new)
{
    memset(new, 0, sizeof *new);
    if (!counts(insn, new)) return false;
    new->pc = insn->addr;
    new->name = insn->op->name;
    for (unsigned i = 0; i < insn->noperands && new->n < REGISTERS_MOST; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & (new->reads ? GPUDBG_READ : GPUDBG_WRITE))) continue;
        if (gcn_codes_of(o, &new->late[new->n])) new->n++;
    }
    return true;
}

/* Drops the access that is done when the hardware waits by itself: the oldest of this counter, or else of all. */
static void drop_oldest(struct pendings *p, enum counter counter)
{
    unsigned i = 0;
    while (i < p->n && p->list[i].counter != counter) i++;
    if (i == p->n) i = 0;
    p->n--;
    memmove(p->list + i, p->list + i + 1, (p->n - i) * sizeof *p->list);
}

/* What nothing can touch too early, such as a store to memory, only makes others older. */
static bool is_listed(const struct pending *p) { return p->n || p->shares || p->any_order; }

/* Two accesses that a counter counts, the older one first. */
static void queue(struct queued *one, bool any_order, struct queued *new, bool new_any_order)
{
    if (one->younger < UINT8_MAX) one->younger++;
    one->mixed |= new_any_order;
    new->mixed |= any_order;
}

/* The place of an access in the queue of LGKM; NULL: it has none.  Where LGKM counts FLAT in no order, it has none
 * before others, and only 0 shows that it is done. */
static struct queued *in_lgkm(struct pending *p, bool ordered)
{
    return p->counter == LGKM ? &p->own : p->flat && ordered ? &p->lgkm : NULL;
}

/* Adds an access to the list, which has room for PENDING_MOST.  ordered: LGKM counts FLAT in order. */
static void issue(struct pendings *p, struct pending *new, bool ordered)
{
    struct queued *last = in_lgkm(new, ordered);
    const bool singly = ordered || new->any_order || p->any_order;
    new->own.mixed = new->any_order;
    new->lgkm.mixed = !ordered;
    if (singly)
        count_issued(p);
    else
        p->issued[new->counter]++;
    new->since = p->issued[new->counter];
    for (unsigned i = 0; i < p->n && singly && !ordered; i++)
        if (p->list[i].counter == new->counter) queue(&p->list[i].own, p->list[i].any_order, &new->own, new->any_order);
    for (unsigned i = 0; i < p->n && ordered; i++) {
        struct pending *one = &p->list[i];
        struct queued *first = in_lgkm(one, ordered);
        if (first && last) queue(first, one->any_order, last, new->any_order);
        if (one->counter == new->counter && one->counter != LGKM)
            queue(&one->own, one->any_order, &new->own, new->any_order);
    }
    if (!is_listed(new)) return;
    if (p->n == PENDING_MOST) drop_oldest(p, (enum counter) new->counter);
    p->any_order |= new->any_order;
    p->list[p->n++] = *new;
}

/* A lane's access, by the latest instruction. */
static void touched(const struct wait *s, const struct gpudbg_wave *w, unsigned space, uint64_t addr)
{
    const struct pendings *p = &s->wave[w->id];
    struct pending *last = p->n ? &p->list[p->n - 1] : NULL;
    if (!last || !last->now) return;
    *(space == GPUDBG_LOCAL ? &last->lds : &last->memory) = true;
    if (last->touched) return;
    last->touched = true;
    last->space = space;
    last->addr = addr;
}

static void access(void *state, struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    touched(state, w, a->space, a->addr);
}

static void accesses(void *state, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    touched(state, w, all->space, all->segment->base + all->offset[__builtin_ctzll(all->lanes)]);
}

/* The latest instruction is done; if it is a FLAT one without lanes, it needs no wait. */
static void settle(struct pendings *p)
{
    struct pending *last = p->n ? &p->list[p->n - 1] : NULL;
    if (!last || !last->now) return;
    last->now = false;
    if (last->flat && !last->touched) last->n = 0;
}

/* Reports registers that the instruction touches too early. */
static void look(struct gpudbg_checks *checks, const struct gpudbg_insn *insn, struct pendings *p, bool touches)
{
    if (waits(insn)) wait_for(p, insn);
    if (touches) touch_all(checks, insn, p);
    if (insn->op->flags & GPUDBG_OP_BARRIER) at_barrier(checks, insn, p);
}

static __attribute__((noinline)) void make_plan(const struct wait *s, const struct gpudbg_insn *insn, struct plan *plan)
{
    struct pending new;
    struct gcn_codes codes;
    *plan = (struct plan){.known = true, .waits = waits(insn), .ends = (insn->op->flags & GPUDBG_OP_END) != 0};
    if (begins(insn, &new)) {
        plan->starts = gpudbg_checks_alloc(s->checks, 1, sizeof *plan->starts);
        new.now = true;
        new.bits = &plan->late;
        *plan->starts = new;
        plan->counts = is_listed(&new);
        for (unsigned i = 0; i < new.n; i++) set_add(&plan->late, new.late[i]);
    }
    plan->more = plan->waits || plan->ends || insn->op->flags & GPUDBG_OP_BARRIER || plan->starts;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && gcn_codes_of(o, &codes)) set_add(&plan->touches, codes);
    }
}

static void set_idle(const struct wait *s, const struct gpudbg_wave *w, struct pendings *p, bool idle)
{
    if (p->idle != idle) gpudbg_checks_idle(s->checks, w, idle);
    p->idle = idle;
}

static void end_wave(struct wait *s, struct pendings *p)
{
    if (p->list && s->nspare < SPARE_MOST)
        s->spare[s->nspare++] = p->list;
    else
        gpudbg_checks_free(s->checks, p->list);
    *p = (struct pendings){.list = NULL};
}

/* The instruction waits, or touches what is under way, or starts an access, or ends the wave.  plan: or NULL. */
static void matters(
    struct wait *s, struct gpudbg_wave *w, const struct gpudbg_insn *insn, const struct plan *plan, bool touches)
{
    struct pendings *p = &s->wave[w->id];
    struct pending new;
    look(s->checks, insn, p, touches);
    if (touches || waits(insn)) find_late(p);
    const bool starts = plan ? plan->starts != NULL : begins(insn, &new);
    if (starts) {
        if (!p->list && s->nspare) p->list = s->spare[--s->nspare];
        if (!p->list) p->list = gpudbg_checks_alloc(s->checks, PENDING_MOST, sizeof *p->list);
        if (plan) new = *plan->starts;
        new.now = true;
        issue(p, &new, gcn_chip_of(insn->isa)->flat_ordered);
        if (plan) set_join(&p->late, &plan->late);
        for (unsigned i = 0; i < new.n && !plan; i++) set_add(&p->late, new.late[i]);
    }
    if (!p->n || starts || !plan) set_idle(s, w, p, !p->n);
    if (insn->op->flags & GPUDBG_OP_END) end_wave(s, p);
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct wait *s = state;
    struct pendings *p = &s->wave[w->id];
    const uint32_t number = gpudbg_checks_number(s->checks);
    struct plan *plan = number == UINT32_MAX ? NULL : &s->plan[number];
    if (plan && !plan->known) make_plan(s, insn, plan);
    if (!p->n && plan && !plan->counts && !plan->ends) {
        set_idle(s, w, p, true);
        return;
    }
    settle(p);
    const bool touches = !plan || sets_meet(&plan->touches, &p->late);
    if (plan && !plan->more && !touches) return;
    matters(s, w, insn, plan, touches);
}

/* With nothing under way only what starts, or ends the wave, matters. */
static bool rests(void *state, const struct gpudbg_insn *insn)
{
    struct pending new;
    (void)state;
    return !(insn->op->flags & GPUDBG_OP_END) && !(begins(insn, &new) && is_listed(&new));
}

/* ---- Over all ways, without a run ---- */

struct on_ways {
    uint32_t n;
    struct pending list[PENDING_MOST];
};

static void worse(struct queued *to, const struct queued *from)
{
    if (from->younger < to->younger) to->younger = from->younger;
    to->mixed |= from->mixed;
}

/* The accesses under way on either of two ways; for those on both, the way with more left to wait for counts. */
static void join(void *to, const void *from)
{
    struct on_ways *a = to;
    const struct on_ways *b = from;
    for (uint32_t i = 0; i < b->n; i++) {
        const struct pending *new = &b->list[i];
        uint32_t at = 0;
        while (at < a->n && a->list[at].pc < new->pc) at++;
        struct pending *same = at < a->n && a->list[at].pc == new->pc ? &a->list[at] : NULL;
        if (same) {
            worse(&same->own, &new->own);
            worse(&same->lgkm, &new->lgkm);
        } else if (a->n < PENDING_MOST) {
            memmove(&a->list[at + 1], &a->list[at], (a->n - at) * sizeof *a->list);
            a->list[at] = *new;
            a->n++;
        }
    }
}

static void step(void *state, const struct gpudbg_insn *insn)
{
    struct on_ways *on = state;
    struct pendings p = {.list = on->list, .n = (uint8_t)on->n, .any_order = true};
    struct pending new;
    if (waits(insn)) wait_for(&p, insn);
    if (begins(insn, &new)) {
        for (unsigned i = 0; i < p.n; i++) { /* the latest iteration of a loop counts */
            if (p.list[i].pc != new.pc) continue;
            memmove(&p.list[i], &p.list[i + 1], (--p.n - i) * sizeof *p.list);
        }
        new.memory = new.flat;
        issue(&p, &new, gcn_chip_of(insn->isa)->flat_ordered);
        count_issued(&p);
    }
    if (insn->op->flags & (GPUDBG_OP_CALL | GPUDBG_OP_END)) p.n = 0;
    on->n = p.n;
    memset(p.list + p.n, 0, (PENDING_MOST - p.n) * sizeof *p.list);
}

static int by_pc(const void *a, const void *b)
{
    const struct pending *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static void pack(void *state)
{
    struct on_ways *on = state;
    qsort(on->list, on->n, sizeof *on->list, by_pc);
}

static void check_insn(void *checks, const void *state, const struct gpudbg_insn *insn)
{
    struct on_ways on = *(const struct on_ways *)state;
    struct pendings p = {.list = on.list, .n = (uint8_t)on.n};
    find_late(&p);
    look(checks, insn, &p, true);
}

static bool check_code(const struct gpudbg_image *image, struct gpudbg_checks *checks, struct gpudbg_error *err)
{
    static const struct gpudbg_stepper stepper = {sizeof(struct on_ways), join, step, pack};
    return gpudbg_follow(image, &stepper, check_insn, checks, err);
}

const struct gpudbg_checker gcn_wait = {
    .kind = "wait",
    .summary = "registers that are used before a wait for their load",
    .applies = is_gcn,
    .code = check_code,
    .start = begin,
    .stop = end,
    .before = before,
    .rests = rests,
    .access = access,
    .accesses = accesses,
    .apart = true,
    .by_group = true,
};
