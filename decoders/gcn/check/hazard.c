/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hazard.c: the checker of missing wait states.  Between some pairs of instructions the hardware sees no dependency,
 * and the program must put s_nop or other instructions there; in this debugger each instruction is complete when the
 * next begins, so a program without them seems correct.  A wait state is an issued instruction; s_nop counts as many as
 * its constant says.  The checker records the registers that each wave has written in its latest wait states, and
 * reports instructions that come too early.  Some rules do not count wait states: what they record is kept until an
 * instruction ends it.  The rules are in hazards.def.
 *
 * `check hazard` alone follows all ways through the loaded code, and records the registers that were written on the
 * shortest one.  It does not know there which instructions MODE.vskip skips, and assumes none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check/hazard.h"
#include "code/gcn_decoder.h"
#include "gcn_ops.h"
#include "gpudbg/unset.h"

/* ---- Text ---- */

static bool overlap(struct range a, struct range b)
{
    return a.space == b.space && a.first < b.first + b.count && b.first < a.first + a.count;
}

static int put_range(char *buf, size_t size, const struct gcn_chip *chip, struct range r)
{
    if (r.space == NONE) return snprintf(buf, size, "%s", "");
    if (r.space == SKIP) return snprintf(buf, size, "mode.vskip");
    if (r.space == VGPR) return snprintf(buf, size, "v%u", r.first);
    if (r.space == HARDWARE && r.first >= GCN_HW_MODE && r.first <= GCN_HW_IB_STS)
        return snprintf(buf, size, "%s", gcn_files[GCN_FILE_MODE + r.first - GCN_HW_MODE].name);
    if (r.space == HARDWARE) return snprintf(buf, size, "hardware register %u", r.first);
    char name[TEXT_OPERAND];
    *put_codes(name, chip, (struct gcn_codes){r.first, r.count}) = 0;
    return snprintf(buf, size, "%.16s", name);
}

/* ---- The latest writes of the waves ---- */

#define WRITTEN_MOST 32 /* for each first the latest of each range; if there are more, the oldest are dropped */
#define STATES_MOST 5   /* of any rule */

struct written {
    uint64_t pc;
    uint8_t passed; /* wait states since */
    uint8_t first;
    uint16_t op;
    struct range range;
};

struct latest {
    uint64_t n;
    struct written list[WRITTEN_MOST];
};

struct hazard {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    bool skips;           /* the code may pass over instructions, which are no wait states then */
    struct latest **wave; /* by id; NULL: nothing recorded */
    struct kind **kind;   /* by number of the instruction; NULL: not met */
};

#define MET_MOST 12

/* Registers by which an instruction is the first, or the second, of a rule. */
struct met {
    uint8_t which; /* enum hazard_first; or the rule */
    struct range range;
};

/* What an instruction is in the rules: it is one of their firsts; it is a second after these firsts, a bit each; it
 * ends some (ENDS_); it ends the wave. */
struct kind {
    bool last, branch;
    uint8_t states; /* wait states that it is */
    uint16_t ending;
    uint32_t after;
    unsigned nfirsts, nseconds;
    struct met first[MET_MOST], second[MET_MOST];
};

static void end(void *state)
{
    struct hazard *s = state;
    for (uint32_t i = 0; i < s->machine->nwaves; i++) gpudbg_checks_free(s->checks, s->wave[i]);
    gpudbg_checks_free(s->checks, s->wave);
    for (uint32_t i = 0; i < gpudbg_checks_numbers(s->checks); i++) gpudbg_checks_free(s->checks, s->kind[i]);
    gpudbg_checks_free(s->checks, s->kind);
    gpudbg_checks_free(s->checks, s);
}

static void note_skips(void *to, const struct gpudbg_insn *insn, unsigned first, struct range range)
{
    (void)insn;
    (void)range;
    if (first == SETVSKIP || first == SETREG_SKIP) *(bool *)to = true;
}

static bool may_skip(const struct gpudbg_image *image, const struct gpudbg_isa *isa)
{
    bool skips = false;
    for (size_t i = 0; i < image->nsections && !skips; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        struct gpudbg_insn insn;
        for (uint64_t at = 0; s->bytes && at < s->size && !skips; at += insn.size)
            if (gpudbg_insn_at(isa, s->bytes + at, (size_t)(s->size - at), s->addr + at, &insn))
                hazard_firsts(&insn, note_skips, &skips);
    }
    return skips;
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct hazard *s = gpudbg_checks_alloc(checks, 1, sizeof *s);
    *s = (struct hazard){.machine = m, .checks = checks};
    s->skips = may_skip(m->image, m->isa);
    s->wave = gpudbg_checks_alloc(checks, m->nwaves, sizeof *s->wave);
    s->kind = gpudbg_checks_alloc(checks, gpudbg_checks_numbers(checks), sizeof *s->kind);
    return s;
}

/* ---- Coming too early ---- */

static void report(struct gpudbg_checks *checks, const struct gpudbg_insn *insn, const struct rule *rule,
    const struct written *by, struct range at)
{
    char message[240], origin[64], name[32];
    const char *first = gcn_ops[by->op].name, *does = rule->does, *states = by->passed == 1 ? "" : "s";
    put_range(name, sizeof name, gcn_chip_of(insn->isa), at);
    if (rule->first == NOTHING_BEFORE)
        snprintf(message, sizeof message, "%s %s (%s)", insn->op->name, does, rule->name);
    else if (!rule->states && at.space == NONE)
        snprintf(message, sizeof message, "%s %s %s: %s is needed between them (%s)", insn->op->name, does, first,
            rule->remedy, rule->name);
    else if (!rule->states)
        snprintf(message, sizeof message, "%s %s %s, which %s %s: %s is needed between them (%s)", insn->op->name, does,
            name, first, rule->did, rule->remedy, rule->name);
    else if (at.space == NONE)
        snprintf(message, sizeof message, "%s %s %s %u wait state%s later; %u %s needed (%s)", insn->op->name, does,
            first, by->passed, states, rule->states, rule->states == 1 ? "is" : "are", rule->name);
    else
        snprintf(message, sizeof message, "%s %s %s %u wait state%s after %s %s it; %u %s needed", insn->op->name, does,
            name, by->passed, states, first, rule->did, rule->states, rule->states == 1 ? "is" : "are");
    snprintf(origin, sizeof origin, "%s at 0x%" PRIx64, rule->since, by->pc);
    gpudbg_report(
        checks, &(struct gpudbg_report){
                    .pc = insn->addr, .message = message, .origin = rule->first == NOTHING_BEFORE ? NULL : origin});
}

struct coming {
    struct gpudbg_checks *checks;
    const struct latest *latest;
};

/* Reports a rule's second, which accesses the registers in `range`, if it comes too early for one of them. */
static void come(void *to, const struct gpudbg_insn *insn, unsigned which, struct range range)
{
    const struct coming *c = to;
    const struct rule *rule = &hazard_rules[which];
    const struct written none = {.pc = insn->addr, .op = insn->op->id};
    const struct written *latest = rule->first == NOTHING_BEFORE ? &none : NULL;
    for (size_t i = 0; i < c->latest->n; i++) {
        const struct written *by = &c->latest->list[i];
        if (by->first != rule->first || (rule->states && by->passed >= rule->states) || !overlap(by->range, range))
            continue;
        if (!latest || by->passed <= latest->passed) latest = by;
    }
    if (!latest) return;
    if (range.space == VGPR && latest->range.first > range.first) range.first = latest->range.first;
    report(c->checks, insn, rule, latest, range);
}

static void apply(struct coming *c, const struct gpudbg_insn *insn, unsigned which)
{
    const struct rule *rule = &hazard_rules[which];
    if (hazard_applies(rule, gcn_chip_of(insn->isa)) && hazard_is_second(insn, (enum hazard_second)rule->second))
        hazard_ranges(insn, (enum hazard_second)rule->second, which, come, c);
}

static void apply_all(struct gpudbg_checks *checks, const struct latest *l, const struct gpudbg_insn *insn)
{
    struct coming c = {checks, l};
    for (unsigned i = 0; i < hazard_nrules; i++) apply(&c, insn, i);
}

/* ---- Issuing ---- */

static void drop(struct latest *l, unsigned at)
{
    memmove(&l->list[at], &l->list[at + 1], (--l->n - at) * sizeof *l->list);
    memset(&l->list[l->n], 0, sizeof *l->list);
}

/* Of the same first and range the latest is kept.  If the list is full, the oldest entry is dropped. */
static void keep(struct latest *l, struct written new)
{
    unsigned oldest = 0;
    for (unsigned i = 0; i < l->n; i++) {
        const struct written *one = &l->list[i];
        if (one->passed > l->list[oldest].passed) oldest = i;
        if (one->first != new.first || memcmp(&one->range, &new.range, sizeof new.range) != 0) continue;
        drop(l, i);
        break;
    }
    if (l->n == WRITTEN_MOST) drop(l, oldest);
    l->list[l->n++] = new;
}

/* Whether a rule of the chip begins with this first. */
static bool matters(const struct gcn_chip *chip, unsigned first)
{
    for (unsigned i = 0; i < hazard_nrules; i++)
        if (hazard_rules[i].first == first && hazard_applies(&hazard_rules[i], chip)) return true;
    return (first == LOCAL_USED && matters(chip, LOCAL_THEN_BRANCH)) ||
           (first == MEMORY_USED && matters(chip, MEMORY_THEN_BRANCH));
}

/* A first of an instruction, and where it goes. */
static void write_one(void *to, const struct gpudbg_insn *insn, unsigned first, struct range range)
{
    struct written new;
    if (!matters(gcn_chip_of(insn->isa), first)) return;
    memset(&new, 0, sizeof new);
    new.pc = insn->addr;
    new.op = insn->op->id;
    new.first = (uint8_t)first;
    new.range.space = range.space;
    new.range.first = range.first;
    new.range.count = range.count;
    keep(to, new);
}

/* Records what the instruction is as a first. */
static void write_all(struct latest *l, const struct gpudbg_insn *insn) { hazard_firsts(insn, write_one, l); }

/* A branch: what was used before it was used before a branch. */
static void branch(struct latest *l)
{
    for (unsigned i = 0, n = (unsigned)l->n; i < n; i++) {
        struct written one = l->list[i];
        if (one.first != LOCAL_USED && one.first != MEMORY_USED) continue;
        one.first = one.first == LOCAL_USED ? LOCAL_THEN_BRANCH : MEMORY_THEN_BRANCH;
        bool there = false;
        for (unsigned k = 0; k < l->n; k++) there |= l->list[k].first == one.first;
        if (!there && l->n < WRITTEN_MOST) l->list[l->n++] = one;
    }
}

static unsigned states_of(const struct gpudbg_insn *insn)
{
    return insn->op->id == GCN_s_nop ? GET(word_of(insn), SOPP_NOP, simm16) + 1 : 1;
}

/* Adds the instruction's wait states, and drops what is too old for all rules or is ended by it. */
static void advance(struct latest *l, unsigned states, unsigned ending)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < l->n; i++) {
        struct written *one = &l->list[i];
        const unsigned ends = hazard_ends[one->first];
        if (ends & ENDS_AGE) one->passed = (uint8_t)(one->passed + states);
        const bool old = ends & ENDS_AGE ? one->passed >= STATES_MOST : ending & ENDS_CALL;
        if (!old && !(ends & ending)) l->list[kept++] = *one;
    }
    memset(l->list + kept, 0, (l->n - kept) * sizeof *l->list);
    l->n = kept;
}

/* ---- Instructions that were met ---- */

static void meet(struct met *of, unsigned *n, unsigned which, struct range range)
{
    if (*n < MET_MOST) of[*n] = (struct met){(uint8_t)which, range};
    ++*n;
}

static void meet_first(void *to, const struct gpudbg_insn *insn, unsigned first, struct range range)
{
    struct kind *k = to;
    if (matters(gcn_chip_of(insn->isa), first)) meet(k->first, &k->nfirsts, first, range);
}

static void meet_second(void *to, const struct gpudbg_insn *insn, unsigned which, struct range range)
{
    struct kind *k = to;
    (void)insn;
    k->after |= UINT32_C(1) << hazard_rules[which].first;
    meet(k->second, &k->nseconds, which, range);
}

/* ---- Firsts that matter ---- */

/* A first of an instruction, and what follows it on some way. */
struct ahead {
    const struct gpudbg_image *image;
    unsigned first, passed; /* wait states between */
    struct range range;
    bool too_early; /* a second may be met */
};

static void meet_ahead(void *to, const struct gpudbg_insn *insn, unsigned which, struct range range)
{
    struct ahead *a = to;
    (void)insn;
    (void)which;
    a->too_early |= overlap(a->range, range);
}

/* Whether a second of the first may come too early, on any way after the instruction.  Where nobody knows how the code
 * goes on, it may. */
static bool second_ahead(struct ahead a, const struct gpudbg_insn *from)
{
    struct gpudbg_nexts nexts;
    gpudbg_insn_nexts(from, &nexts);
    if (nexts.call || nexts.returns || nexts.unknown) return true;
    for (unsigned n = 0; n < nexts.n; n++) {
        const struct gpudbg_section *s = gpudbg_image_at(a.image, nexts.to[n]);
        const uint64_t at = s ? nexts.to[n] - s->addr : 0;
        struct gpudbg_insn insn;
        struct ahead next = a;
        if (!s || !s->bytes || !gpudbg_insn_at(from->isa, s->bytes + at, (size_t)(s->size - at), s->addr + at, &insn))
            return true;
        for (unsigned i = 0; i < hazard_nrules; i++) {
            const struct rule *rule = &hazard_rules[i];
            const enum hazard_second second = (enum hazard_second)rule->second;
            if (rule->first == a.first && a.passed < rule->states && hazard_applies(rule, gcn_chip_of(from->isa)) &&
                hazard_is_second(&insn, second))
                hazard_ranges(&insn, second, i, meet_ahead, &next);
        }
        next.passed += states_of(&insn);
        if (next.too_early || (next.passed < STATES_MOST && second_ahead(next, &insn))) return true;
    }
    return false;
}

/* Drops the firsts of an instruction after which no second comes too early. */
static void drop_firsts(const struct hazard *s, struct kind *k, const struct gpudbg_insn *insn)
{
    unsigned kept = 0;
    if (s->skips || k->nfirsts > MET_MOST) return;
    for (unsigned i = 0; i < k->nfirsts; i++) {
        const struct ahead a = {.image = s->machine->image, .first = k->first[i].which, .range = k->first[i].range};
        if (!(hazard_ends[a.first] & ENDS_AGE) || second_ahead(a, insn)) k->first[kept++] = k->first[i];
    }
    k->nfirsts = kept;
}

static void find_kind(const struct hazard *s, struct kind *k, const struct gpudbg_insn *insn)
{
    *k = (struct kind){.last = insn->op->flags & GPUDBG_OP_END,
        .branch = hazard_is_branch(insn),
        .states = (uint8_t)states_of(insn),
        .ending = (uint16_t)hazard_ending(insn)};
    hazard_firsts(insn, meet_first, k);
    for (unsigned i = 0; i < hazard_nrules; i++) {
        const enum hazard_second second = (enum hazard_second)hazard_rules[i].second;
        if (hazard_applies(&hazard_rules[i], gcn_chip_of(insn->isa)) && hazard_is_second(insn, second))
            hazard_ranges(insn, second, i, meet_second, k);
    }
    drop_firsts(s, k, insn);
}

/* own: for an instruction without a number. */
static const struct kind *kind_now(struct hazard *s, const struct gpudbg_insn *insn, struct kind *own)
{
    const uint32_t number = gpudbg_checks_number(s->checks);
    if (number != UINT32_MAX && s->kind[number]) return s->kind[number];
    if (number != UINT32_MAX) own = s->kind[number] = gpudbg_checks_alloc(s->checks, 1, sizeof *own);
    find_kind(s, own, insn);
    return own;
}

static void record(struct latest *l, const struct gpudbg_insn *insn, const struct kind *kind)
{
    if (kind->nfirsts > MET_MOST) write_all(l, insn);
    for (unsigned i = 0; i < kind->nfirsts && kind->nfirsts <= MET_MOST; i++) {
        struct written new;
        memset(&new, 0, sizeof new);
        new.pc = insn->addr;
        new.op = insn->op->id;
        new.first = kind->first[i].which;
        new.range.space = kind->first[i].range.space;
        new.range.first = kind->first[i].range.first;
        new.range.count = kind->first[i].range.count;
        keep(l, new);
    }
}

/* It is a second after some of these firsts, a bit each. */
static void follow(
    struct hazard *s, const struct latest *l, const struct gpudbg_insn *insn, const struct kind *kind, uint32_t firsts)
{
    struct coming c = {s->checks, l};
    if (kind->nseconds > MET_MOST) apply_all(s->checks, l, insn);
    for (unsigned i = 0; i < kind->nseconds && kind->nseconds <= MET_MOST; i++)
        if (firsts >> hazard_rules[kind->second[i].which].first & 1)
            come(&c, insn, kind->second[i].which, kind->second[i].range);
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct hazard *s = state;
    struct latest **l = &s->wave[w->id];
    struct kind own GPUDBG_UNSET;
    const struct kind *kind = kind_now(s, insn, &own);
    const bool any = *l && (*l)->n;
    if (!any || kind->nfirsts) gpudbg_checks_idle(s->checks, w, !any && !kind->nfirsts);
    if (!any && !kind->nfirsts && !kind->last && !(kind->after >> NOTHING_BEFORE & 1)) return;
    uint32_t firsts = UINT32_C(1) << NOTHING_BEFORE;
    for (size_t i = 0; any && i < (*l)->n; i++) firsts |= UINT32_C(1) << (*l)->list[i].first;
    static const struct latest none;
    if (kind->after & firsts) follow(s, *l ? *l : &none, insn, kind, firsts);
    if (any) advance(*l, kind->states, kind->ending);
    if (any && kind->branch) branch(*l);
    if (kind->nfirsts) {
        if (!*l) *l = gpudbg_checks_alloc(s->checks, 1, sizeof **l);
        record(*l, insn, kind);
    }
    if (!kind->last) return;
    gpudbg_checks_free(s->checks, *l);
    *l = NULL;
}

/* While nothing is recorded, what is no first needs no look. */
static bool rests(void *state, const struct gpudbg_insn *insn)
{
    struct kind k;
    find_kind(state, &k, insn);
    return !k.nfirsts && !k.last && !(k.after >> NOTHING_BEFORE & 1);
}

/* MODE.vskip skips without issuing, so this is not a wait state; only skipping too early is a hazard. */
static void passed(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const struct hazard *s = state;
    struct coming c = {s->checks, s->wave[w->id]};
    for (unsigned i = 0; c.latest && i < hazard_nrules; i++)
        if (hazard_rules[i].second == VECTOR) apply(&c, insn, i);
}

/* ---- Over all ways, without a run ---- */

/* The order of writes in a state between blocks: by place and range, so that states of different ways can be compared
 * and joined. */
static int by_place(const void *a, const void *b)
{
    const struct written *x = a, *y = b;
    if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
    if (x->first != y->first) return x->first - y->first;
    if (x->range.space != y->range.space) return x->range.space - y->range.space;
    return x->range.first - y->range.first;
}

/* The registers written on either of two ways; for those written on both, the shorter way counts. */
static void join(void *to, const void *from)
{
    struct latest *a = to;
    const struct latest *b = from;
    for (unsigned i = 0; i < b->n; i++) {
        const struct written *new = &b->list[i];
        unsigned at = 0;
        while (at < a->n && by_place(&a->list[at], new) < 0) at++;
        if (at < a->n && by_place(&a->list[at], new) == 0) {
            if (new->passed < a->list[at].passed) a->list[at].passed = new->passed;
        } else if (a->n < WRITTEN_MOST) {
            memmove(&a->list[at + 1], &a->list[at], (a->n - at) * sizeof *a->list);
            a->list[at] = *new;
            a->n++;
        }
    }
}

static void step(void *state, const struct gpudbg_insn *insn)
{
    struct latest *l = state;
    advance(l, states_of(insn), hazard_ending(insn));
    if (hazard_is_branch(insn)) branch(l);
    write_all(l, insn);
    if (insn->op->flags & GPUDBG_OP_CALL) memset(l, 0, sizeof *l);
}

static void pack(void *state)
{
    struct latest *l = state;
    qsort(l->list, l->n, sizeof *l->list, by_place);
}

static void check_insn(void *checks, const void *state, const struct gpudbg_insn *insn)
{
    apply_all(checks, state, insn);
}

static bool check_code(const struct gpudbg_image *image, struct gpudbg_checks *checks, struct gpudbg_error *err)
{
    static const struct gpudbg_stepper stepper = {sizeof(struct latest), join, step, pack};
    return gpudbg_follow(image, &stepper, check_insn, checks, err);
}

const struct gpudbg_checker gcn_hazard = {
    .kind = "hazard",
    .summary = "instructions that follow too soon after one they depend on: an s_nop is missing",
    .applies = is_gcn,
    .code = check_code,
    .start = begin,
    .stop = end,
    .before = before,
    .rests = rests,
    .passed = passed,
    .apart = true,
    .by_group = true,
};
