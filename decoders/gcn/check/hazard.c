/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hazard.c: the checker of missing wait states.  Between some pairs of instructions the hardware sees no dependency,
 * and the program must put s_nop or other instructions there; in this debugger each instruction is complete when the
 * next begins, so a program without them seems correct.  A wait state is an issued instruction; s_nop counts as many as
 * its constant says.  The checker records the registers that each wave has written in its latest wait states, and
 * reports instructions that come too early.
 *
 * `check hazard` alone follows all ways through the loaded code, and records the registers that were written on the
 * shortest one.  It does not know there which instructions MODE.vskip skips, and assumes none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "code/gcn_decoder.h"
#include "gcn.h"
#include "gcn_ops.h"

/* ---- The rules ---- */

/* The instruction that comes first, and the registers that are recorded for it. */
enum first {
    SETREG,      /* s_setreg: a hardware register */
    SETREG_SKIP, /* s_setreg of MODE.vskip */
    SETVSKIP,
    VALU_SCALAR, /* a vector operation that writes scalars: SGPRs, VCC, EXEC */
    LONG_STORE,  /* more than 64 bits from VGPRs */
};

/* The instruction that comes too early, and the registers that the rule is about. */
enum second {
    GETREG_SAME,
    SETREG_SAME,
    VECTOR, /* any vector instruction */
    DIV_FMAS,
    ZERO_FLAG,   /* VCCZ or EXECZ as a source of a vector operation */
    LANE_SELECT, /* of v_readlane, v_writelane */
    VALU_VECTOR, /* a vector operation that writes VGPRs */
    SCALAR_LOAD, /* on chips that have the hazard */
};

/* Sources: A, LLVM's hazard recognizer as it works for Sea Islands (GCNHazardRecognizer.cpp, GCNSubtarget.h); B, Mesa's
 * for GCN 1 to 5 (aco_insert_NOPs.cpp, handle_instruction_gfx6), after AMD's manuals; C, only AMD's manuals of the
 * generations that followed; D, the Sea Islands register reference, S_SETVSKIP.  Not here, because LLVM says of each
 * that it came with Volcanic Islands or later: SGPRs of vector operations read by buffer and image instructions, M0
 * before s_sendmsg, GDS, s_movrel and interpolation, TRAPSTS before s_rfe. Columns: first, second, wait states, verb
 * for the second, verb for the first, verb for the place of the first */
static const struct rule {
    uint8_t first, second, states;
    const char *does, *did, *since;
} rules[] = {
    {SETREG, GETREG_SAME, 2, "reads", "set", "set"},                           /* A B */
    {SETREG, SETREG_SAME, 1, "sets", "set", "set"},                            /* A; B has 2, which later chips need */
    {SETREG_SKIP, VECTOR, 2, "obeys", "set", "set"},                           /* B */
    {SETVSKIP, VECTOR, 1, "obeys", "set", "set"},                              /* D */
    {VALU_SCALAR, DIV_FMAS, 4, "reads", "wrote", "written"},                   /* A B */
    {VALU_SCALAR, ZERO_FLAG, 5, "reads the zero flag of", "wrote", "written"}, /* C */
    {VALU_SCALAR, LANE_SELECT, 4, "takes its lane from", "wrote", "written"},  /* A B */
    {LONG_STORE, VALU_VECTOR, 1, "writes", "stores", "stored"},                /* A B */
    {VALU_SCALAR, SCALAR_LOAD, 4, "reads", "wrote", "written"},                /* A, of chips before Sea Islands */
};
#define STATES_MOST 5 /* of any rule */

/* ---- Registers of instructions ---- */

enum space { SCALAR, VGPR, HARDWARE, SKIP };

/* Registers: SCALAR by operand code, HARDWARE by number. */
struct range {
    uint8_t space;
    uint16_t first, count;
};

static bool overlap(struct range a, struct range b)
{
    return a.space == b.space && a.first < b.first + b.count && b.first < a.first + a.count;
}

static int put_range(char *buf, size_t size, const struct gcn_chip *chip, struct range r)
{
    if (r.space == SKIP) return snprintf(buf, size, "mode.vskip");
    if (r.space == VGPR) return snprintf(buf, size, "v%u", r.first);
    if (r.space == HARDWARE && r.first >= GCN_HW_MODE && r.first <= GCN_HW_IB_STS)
        return snprintf(buf, size, "%s", gcn_files[GCN_FILE_MODE + r.first - GCN_HW_MODE].name);
    if (r.space == HARDWARE) return snprintf(buf, size, "hardware register %u", r.first);
    char name[TEXT_OPERAND];
    *put_codes(name, chip, (struct gcn_codes){r.first, r.count}) = 0;
    return snprintf(buf, size, "%.16s", name);
}

static bool is_valu(const struct gpudbg_insn *insn)
{
    switch (insn->variant) {
    case GCN_VOP1:
    case GCN_VOP2:
    case GCN_VOP3:
    case GCN_VOPC:
    case GCN_VINTRP: return true;
    default: return false;
    }
}

static bool is_setreg(const struct gpudbg_insn *insn)
{
    return insn->op->id == GCN_s_setreg_b32 || insn->op->id == GCN_s_setreg_imm32_b32;
}

/* The range of an operand that is a scalar register; false: it is not. */
static bool scalar_range(const struct gpudbg_operand *o, struct range *r)
{
    struct gcn_codes codes;
    if (!gcn_codes_of(o, &codes) || codes.first >= GCN_CODE_VGPR) return false;
    *r = (struct range){SCALAR, codes.first, codes.count};
    return true;
}

/* The VGPRs that an instruction stores, if they are more than 64 bits and the hardware reads them late: for buffers
 * only if the offset is not in a register, for images only with a descriptor of 128 bits. */
static bool long_store(const struct gpudbg_insn *insn, struct range *r)
{
    if (!(insn->op->flags & GPUDBG_OP_STORE)) return false;
    const uint64_t w = word_of(insn);
    const struct gpudbg_operand *offset = gcn_operand(insn, GCN_IN_SOFFSET), *data = NULL;
    unsigned status = 0;
    switch (insn->variant) {
    case GCN_MUBUF:
    case GCN_MTBUF:
        if (offset && offset->kind == GPUDBG_REGISTER) return false;
        data = gcn_operand(insn, GCN_IN_VDATA);
        status = GET(w, MUBUF, tfe);
        break;
    case GCN_MIMG:
        if (!GET(w, MIMG, r128)) return false;
        data = gcn_operand(insn, GCN_IN_VDATA);
        status = GET(w, MIMG, tfe);
        break;
    case GCN_FLAT: data = gcn_operand(insn, GCN_IN_DATA); break;
    default: break;
    }
    if (!data || data->kind != GPUDBG_REGISTER || data->count - status <= 2) return false;
    *r = (struct range){VGPR, data->reg, (uint16_t)(data->count - status)};
    return true;
}

/* The hardware register of s_getreg and s_setreg. */
static unsigned hardware(const struct gpudbg_insn *insn) { return GET(word_of(insn), SOPK_HWREG, hwreg); }

static bool covers_vskip(const struct gpudbg_insn *insn)
{
    const uint64_t w = word_of(insn);
    const unsigned bit = LO_OF(MODE, vskip), from = GET(w, SOPK_HWREG, offset), size = GET(w, SOPK_HWREG, size) + 1;
    return hardware(insn) == GCN_HW_MODE && from <= bit && bit < from + size;
}

/* ---- The latest writes of the waves ---- */

#define WRITTEN_MOST 16 /* 2 an instruction, and those of the latest STATES_MOST wait states */

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
    struct latest **wave; /* by id; NULL: nothing recorded */
    uint16_t *kind;       /* by number of the instruction; 0: not known yet */
};

/* What an instruction is in the rules: it writes what they are about; it is the second one after this first one. */
enum kind { KIND_KNOWN = 1, KIND_WRITES = 2, KIND_ENDS = 4, KIND_FIRST = 8 };

static void end(void *state)
{
    struct hazard *s = state;
    for (uint32_t i = 0; i < s->machine->nwaves; i++) gpudbg_checks_free(s->checks, s->wave[i]);
    gpudbg_checks_free(s->checks, s->wave);
    gpudbg_checks_free(s->checks, s->kind);
    gpudbg_checks_free(s->checks, s);
}

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct hazard *s = gpudbg_checks_alloc(checks, 1, sizeof *s);
    *s = (struct hazard){.machine = m, .checks = checks};
    s->wave = gpudbg_checks_alloc(checks, m->nwaves, sizeof *s->wave);
    s->kind = gpudbg_checks_alloc(checks, gpudbg_checks_numbers(checks), sizeof *s->kind);
    return s;
}

/* ---- Coming too early ---- */

static void report(struct gpudbg_checks *checks, const struct gpudbg_insn *insn, const struct rule *rule,
    const struct written *by, struct range at)
{
    char message[200], origin[64], name[32];
    put_range(name, sizeof name, gcn_chip_of(insn->isa), at);
    snprintf(message, sizeof message, "%s %s %s %u wait state%s after %s %s it; %u %s needed", insn->op->name,
        rule->does, name, by->passed, by->passed == 1 ? "" : "s", gcn_ops[by->op].name, rule->did, rule->states,
        rule->states == 1 ? "is" : "are");
    snprintf(origin, sizeof origin, "%s at 0x%" PRIx64, rule->since, by->pc);
    gpudbg_report(checks, &(struct gpudbg_report){.pc = insn->addr, .message = message, .origin = origin});
}

/* Reports the rule's second instruction, which accesses the registers in `range`, if it comes too early for one of
 * them. */
static void come(struct gpudbg_checks *checks, const struct latest *l, const struct gpudbg_insn *insn,
    const struct rule *rule, struct range range)
{
    const struct written *latest = NULL;
    for (size_t i = 0; i < l->n; i++) {
        const struct written *by = &l->list[i];
        if (by->first != rule->first || by->passed >= rule->states || !overlap(by->range, range)) continue;
        if (!latest || by->passed <= latest->passed) latest = by;
    }
    if (!latest) return;
    if (range.space == VGPR && latest->range.first > range.first) range.first = latest->range.first;
    report(checks, insn, rule, latest, range);
}

static void come_operands(
    struct gpudbg_checks *checks, const struct latest *l, const struct gpudbg_insn *insn, const struct rule *rule)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        struct range range;
        if (rule->second == VALU_VECTOR) {
            if (o->kind != GPUDBG_REGISTER || o->file != GCN_FILE_V || !(o->flags & GPUDBG_WRITE)) continue;
            range = (struct range){VGPR, o->reg, o->count};
        } else {
            const bool zero = o->sub == GCN_CODE_VCCZ || o->sub == GCN_CODE_EXECZ;
            if (!(o->flags & GPUDBG_READ) || !scalar_range(o, &range) || (rule->second == ZERO_FLAG && !zero)) continue;
            if (rule->second == DIV_FMAS && !(o->flags & GPUDBG_IMPLICIT && o->file == GCN_FILE_VCC)) continue;
            if (rule->second == LANE_SELECT && o->swizzle != GCN_IN_SRC1) continue;
        }
        come(checks, l, insn, rule, range);
    }
}

static bool is_second(const struct gpudbg_insn *insn, enum second second)
{
    switch (second) {
    case GETREG_SAME: return insn->op->id == GCN_s_getreg_b32;
    case SETREG_SAME: return is_setreg(insn);
    case VECTOR: return insn->op->flags & GPUDBG_OP_VECTOR;
    case DIV_FMAS: return insn->op->id == GCN_v_div_fmas_f32 || insn->op->id == GCN_v_div_fmas_f64;
    case LANE_SELECT: return insn->op->id == GCN_v_readlane_b32 || insn->op->id == GCN_v_writelane_b32;
    case ZERO_FLAG:
    case VALU_VECTOR: return is_valu(insn);
    case SCALAR_LOAD: return insn->variant == GCN_SMRD && gcn_chip_of(insn->isa)->smrd_hazard;
    }
    return false;
}

static void apply(
    struct gpudbg_checks *checks, const struct latest *l, const struct gpudbg_insn *insn, const struct rule *rule)
{
    if (!is_second(insn, rule->second)) return;
    switch (rule->second) {
    case GETREG_SAME:
    case SETREG_SAME: come(checks, l, insn, rule, (struct range){HARDWARE, (uint16_t)hardware(insn), 1}); break;
    case VECTOR: come(checks, l, insn, rule, (struct range){SKIP, 0, 1}); break;
    default: come_operands(checks, l, insn, rule); break;
    }
}

static void apply_all(struct gpudbg_checks *checks, const struct latest *l, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; l->n && i < sizeof rules / sizeof *rules; i++) apply(checks, l, insn, &rules[i]);
}

/* ---- Issuing ---- */

/* If the list is full, the oldest entry is dropped. */
static void keep(struct latest *l, struct written new)
{
    unsigned at = 0;
    for (unsigned i = 1; i < l->n && l->n == WRITTEN_MOST; i++)
        if (l->list[i].passed > l->list[at].passed) at = i;
    if (l->n == WRITTEN_MOST) memmove(&l->list[at], &l->list[at + 1], (--l->n - at) * sizeof *l->list);
    l->list[l->n++] = new;
}

static void write_one(struct latest *l, const struct gpudbg_insn *insn, enum first first, struct range range)
{
    struct written new;
    memset(&new, 0, sizeof new);
    new.pc = insn->addr;
    new.op = insn->op->id;
    new.first = (uint8_t)first;
    new.range = range;
    keep(l, new);
}

/* Records the registers that the instruction writes and that a rule is about. */
static void write_all(struct latest *l, const struct gpudbg_insn *insn)
{
    struct range range;
    if (is_setreg(insn)) {
        write_one(l, insn, SETREG, (struct range){HARDWARE, (uint16_t)hardware(insn), 1});
        if (covers_vskip(insn)) write_one(l, insn, SETREG_SKIP, (struct range){SKIP, 0, 1});
    }
    if (insn->op->id == GCN_s_setvskip) write_one(l, insn, SETVSKIP, (struct range){SKIP, 0, 1});
    if (long_store(insn, &range)) write_one(l, insn, LONG_STORE, range);
    for (unsigned i = 0; i < insn->noperands && is_valu(insn); i++)
        if (insn->operands[i].flags & GPUDBG_WRITE && scalar_range(&insn->operands[i], &range))
            write_one(l, insn, VALU_SCALAR, range);
}

/* Adds the instruction's wait states, and drops writes that are too old for all rules. */
static void advance(struct latest *l, const struct gpudbg_insn *insn)
{
    const unsigned states = insn->op->id == GCN_s_nop ? GET(word_of(insn), SOPP_NOP, simm16) + 1 : 1;
    unsigned kept = 0;
    for (unsigned i = 0; i < l->n; i++) {
        l->list[i].passed = (uint8_t)(l->list[i].passed + states);
        if (l->list[i].passed < STATES_MOST) l->list[kept++] = l->list[i];
    }
    memset(l->list + kept, 0, (l->n - kept) * sizeof *l->list);
    l->n = kept;
}

static bool reads_zero_flag(const struct gpudbg_insn *insn)
{
    bool reads = false;
    for (unsigned i = 0; i < insn->noperands; i++)
        reads |= insn->operands[i].sub == GCN_CODE_VCCZ || insn->operands[i].sub == GCN_CODE_EXECZ;
    return reads;
}

static uint16_t kind_of(const struct gpudbg_insn *insn)
{
    struct latest now;
    unsigned kind = KIND_KNOWN;
    now.n = 0;
    write_all(&now, insn);
    if (now.n) kind |= KIND_WRITES;
    if (insn->op->flags & GPUDBG_OP_END) kind |= KIND_ENDS;
    for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
        if (is_second(insn, rules[i].second) && (rules[i].second != ZERO_FLAG || reads_zero_flag(insn)))
            kind |= (unsigned)KIND_FIRST << rules[i].first;
    return (uint16_t)kind;
}

static uint16_t kind_now(struct hazard *s, const struct gpudbg_insn *insn)
{
    const uint32_t number = gpudbg_checks_number(s->checks);
    if (number == UINT32_MAX) return kind_of(insn);
    if (!s->kind[number]) s->kind[number] = kind_of(insn);
    return s->kind[number];
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct hazard *s = state;
    struct latest **l = &s->wave[w->id];
    const uint16_t kind = kind_now(s, insn);
    unsigned firsts = 0;
    if (!(kind & (KIND_WRITES | KIND_ENDS))) {
        if (!*l || !(*l)->n) return;
        for (size_t i = 0; i < (*l)->n; i++) firsts |= (unsigned)KIND_FIRST << (*l)->list[i].first;
        if (!(kind & firsts)) {
            advance(*l, insn);
            return;
        }
    }
    struct latest now;
    now.n = 0;
    if (*l) {
        apply_all(s->checks, *l, insn);
        advance(*l, insn);
    }
    write_all(&now, insn);
    if (now.n && !*l) *l = gpudbg_checks_alloc(s->checks, 1, sizeof **l);
    for (unsigned i = 0; i < now.n; i++) keep(*l, now.list[i]);
    if (!(insn->op->flags & GPUDBG_OP_END)) return;
    gpudbg_checks_free(s->checks, *l);
    *l = NULL;
}

/* MODE.vskip skips without issuing, so this is not a wait state; only skipping too early is a hazard. */
static void passed(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const struct hazard *s = state;
    for (unsigned i = 0; s->wave[w->id] && i < sizeof rules / sizeof *rules; i++)
        if (rules[i].second == VECTOR) apply(s->checks, s->wave[w->id], insn, &rules[i]);
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
    advance(l, insn);
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

static bool applies(const struct gpudbg_isa *isa) { return gcn_runs(isa); }

const struct gpudbg_checker gcn_hazard = {
    .kind = "hazard",
    .summary = "instructions that follow too soon after one they depend on: an s_nop is missing",
    .applies = applies,
    .code = check_code,
    .start = begin,
    .stop = end,
    .before = before,
    .passed = passed,
    .apart = true,
    .by_group = true,
};
