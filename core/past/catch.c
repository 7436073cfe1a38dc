/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "past/catch.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/walk.h"
#include "gpudbg/text.h"
#include "machine/machine.h"
#include "machine/touch.h"

const char *const catch_words[CATCH_KINDS] = {
    [CATCH_NAN] = "nan",
    [CATCH_INF] = "inf",
    [CATCH_DENORMAL] = "denormal",
    [CATCH_DIVERGENCE] = "divergence",
    [CATCH_BARRIER] = "barrier",
    [CATCH_FAULT] = "fault",
    [CATCH_EVENT] = "event",
    [CATCH_EMPTY] = "exec==0",
    [CATCH_MESSAGE] = "message",
};

bool catch_named(const char *word, enum catch_kind *kind, struct gpudbg_error *err)
{
    char all[160];
    struct text t = text_in(all, sizeof all);
    for (unsigned k = 0; k < CATCH_KINDS; k++) {
        *kind = (enum catch_kind)k;
        if (strcmp(word, catch_words[k]) == 0) return true;
        text_add(&t, "%s%s", !k ? "" : k + 1 < CATCH_KINDS ? ", " : " or ", catch_words[k]);
    }
    if (!*word) return gpudbg_fail(err, "usage", "what to catch is missing: %s", all);
    return gpudbg_fail(err, "usage", "catch: %.40s is not known: %s", word, all);
}

/* ---- What an instruction set has ---- */

static bool any_row(const struct gpudbg_isa *isa, uint64_t flags)
{
    for (size_t i = 0; i < isa->nops; i++)
        if (gpudbg_has_op(isa, i) && isa->ops[i].flags & flags) return true;
    return false;
}

/* A register exec says which lanes run, and programs set it. */
static bool has_mask_register(const struct gpudbg_isa *isa)
{
    if (!isa->dumped || !isa->dumped->mask || strcmp(isa->dumped->mask, "exec") != 0) return false;
    for (size_t i = 0; i < isa->nfiles; i++)
        if (isa->files[i].mask && strcmp(isa->files[i].name, "exec") == 0)
            return !isa->run->fixed || !isa->run->fixed((unsigned)i);
    return false;
}

bool catch_applies(const struct gpudbg_isa *isa, enum catch_kind kind, struct gpudbg_error *err)
{
    const char *why = NULL;
    switch (kind) {
    case CATCH_NAN:
    case CATCH_INF:
    case CATCH_DENORMAL:
        if (!isa->floats && !isa->regions.footprints) why = "it does not say which operands are floats";
        break;
    case CATCH_DIVERGENCE:
        if (isa->lanes <= 1) why = "its waves have one lane";
        break;
    case CATCH_EMPTY:
        if (!has_mask_register(isa)) why = "it never runs without lanes: branches pass over such code";
        break;
    case CATCH_MESSAGE:
        if (!any_row(isa, GPUDBG_OP_MESSAGE))
            why = "its instructions send no messages to other units (`catch event` waits for what programs tell)";
        break;
    default: break;
    }
    return !why || gpudbg_fail(err, "unsupported", "%s has no `catch %s`: %s", isa->name, catch_words[kind], why);
}

/* ---- Where it can happen ---- */

static bool is_float(const struct gpudbg_insn *insn)
{
    uint32_t which;
    if (insn->isa->regions.footprints) return !(insn->op->flags & GPUDBG_OP_MESSAGE);
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].flags & GPUDBG_WRITE && insn->isa->floats(insn, i, &which)) return true;
    return false;
}

/* Whether other lanes may run after it than before: not if it only writes registers that say nothing about lanes. */
static bool may_part(const struct gpudbg_insn *insn)
{
    const uint32_t flow = GPUDBG_OP_BRANCH | GPUDBG_OP_COND | GPUDBG_OP_CALL | GPUDBG_OP_RETURN | GPUDBG_OP_END |
                          GPUDBG_OP_OPEN | GPUDBG_OP_MIDDLE | GPUDBG_OP_CLOSE;
    bool any = insn->op->flags & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE | GPUDBG_OP_WAIT);
    if (insn->op->flags & flow) return true;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (!(o->flags & GPUDBG_WRITE) || o->kind == GPUDBG_MEMORY) continue;
        if (o->kind != GPUDBG_REGISTER || o->file >= insn->isa->nfiles) return true;
        const struct gpudbg_regfile *f = &insn->isa->files[o->file];
        if (f->mask || (!f->indexed && f->format)) return true;
        any = true;
    }
    return !any;
}

static bool may_happen(const struct gpudbg_insn *insn, enum catch_kind kind)
{
    switch (kind) {
    case CATCH_NAN:
    case CATCH_INF:
    case CATCH_DENORMAL: return is_float(insn);
    case CATCH_DIVERGENCE:
    case CATCH_EMPTY: return may_part(insn);
    case CATCH_MESSAGE: return insn->op->flags & GPUDBG_OP_MESSAGE;
    default: return false;
    }
}

static void trace(struct gpudbg_machine *m, enum catch_kind kind, int number)
{
    struct code_walk code;
    struct gpudbg_insn insn;
    uint64_t *pc = NULL;
    size_t n = 0, room = 0;
    code_walk_open(&code, m->image, 0, UINT64_MAX);
    while (code_walk_next(&code, &insn)) {
        if (!code.is_insn || !insn.op || insn.isa != m->isa || !may_happen(&insn, kind)) continue;
        if (n == room) pc = xrealloc(pc, room = room ? 2 * room : 256, sizeof *pc);
        pc[n++] = insn.addr;
    }
    machine_trace(m, number, pc, n);
    free(pc);
}

static int by_address(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lanes that wait for each other go on together at targets of branches, and behind branches. */
void catch_trace_lanes(struct gpudbg_machine *m, int number)
{
    struct code_walk code;
    struct gpudbg_insn insn;
    uint64_t *pc = NULL;
    size_t n = 0, room = 0, kept = 0;
    code_walk_open(&code, m->image, 0, UINT64_MAX);
    while (code_walk_next(&code, &insn)) {
        if (!code.is_insn || !insn.op || insn.isa != m->isa || !may_part(&insn)) continue;
        if (n + 2 + insn.noperands > room) pc = xrealloc(pc, room = 2 * room + 256, sizeof *pc);
        pc[n++] = insn.addr;
        pc[n++] = insn.addr + insn.size;
        for (unsigned i = 0; i < insn.noperands; i++)
            if (insn.operands[i].kind == GPUDBG_CODE) pc[n++] = (uint64_t)insn.operands[i].imm;
    }
    if (n) qsort(pc, n, sizeof *pc, by_address);
    for (size_t i = 0; i < n; i++)
        if (!kept || pc[kept - 1] != pc[i]) pc[kept++] = pc[i];
    machine_trace(m, number, pc, kept);
    free(pc);
}

void catch_arm(struct gpudbg_machine *m, enum catch_kind kind, int number, bool on)
{
    static const unsigned ran[CATCH_KINDS] = {[CATCH_BARRIER] = 1u << GPUDBG_RAN_BARRIER,
        [CATCH_FAULT] = 1u << GPUDBG_RAN_FAULT,
        [CATCH_EVENT] = 1u << GPUDBG_RAN_EVENT};
    machine_catch(m, number, on ? ran[kind] : 0);
    machine_trace(m, number, NULL, 0);
    if (on && !ran[kind]) trace(m, kind, number);
}

void catch_free(struct catching_state *c)
{
    free(c->result);
    c->result = NULL;
    c->n = c->room = 0;
}

/* ---- Floats ---- */

static bool is_kind(uint64_t v, unsigned bits, enum catch_kind kind)
{
    const unsigned mantissa = bits == 64 ? 52 : bits == 32 ? 23 : 10, exponent = bits - 1 - mantissa;
    const uint64_t fraction = v & ((UINT64_C(1) << mantissa) - 1), all = (UINT64_C(1) << exponent) - 1;
    const uint64_t power = v >> mantissa & all;
    switch (kind) {
    case CATCH_NAN: return power == all && fraction;
    case CATCH_INF: return power == all && !fraction;
    default: return !power && fraction;
    }
}

static uint64_t float_at(const uint32_t *words, const struct catch_result *r)
{
    if (r->bits == 64) return words[r->at] | (uint64_t)words[r->high] << 32;
    return words[r->at] >> r->shift & (r->bits < 32 ? (UINT32_C(1) << r->bits) - 1 : UINT32_MAX);
}

/* The first dword of a register in wave->words; SIZE_MAX: it is not stored there. */
static size_t word_of(struct gpudbg_wave *w, unsigned file, unsigned reg)
{
    unsigned n;
    return machine_register_at(w, file, reg, &n);
}

/* A float of the instruction: a source that is already one gives its lanes to `had`, a result is kept.  flags: of the
 * operand, which may be both. */
static void take(struct catching_state *c, struct gpudbg_wave *w, unsigned flags, struct catch_result r)
{
    if (r.at >= w->machine->wave_words || (r.bits == 64 && r.high >= w->machine->wave_words)) return;
    if (flags & GPUDBG_READ && is_kind(float_at(w->words, &r), r.bits, c->kind))
        c->had |= r.lane < 0 ? UINT64_MAX : UINT64_C(1) << r.lane;
    if (!(flags & GPUDBG_WRITE)) return;
    if (c->n == c->room) c->result = xrealloc(c->result, c->room = c->room ? 2 * c->room : 64, sizeof *c->result);
    c->result[c->n++] = r;
}

static void take_register(
    struct catching_state *c, struct gpudbg_wave *w, const struct gpudbg_operand *o, unsigned reg, unsigned bits)
{
    const struct gpudbg_regfile *f = &w->machine->isa->files[o->file];
    const size_t low = word_of(w, o->file, reg), high = bits == 64 ? word_of(w, o->file, reg + 1) : low;
    struct catch_result r = {.bits = (uint8_t)bits, .lane = -1, .file = o->file, .reg = (uint16_t)reg};
    if (low == SIZE_MAX || (high == SIZE_MAX && f->bits < 64)) return;
    if (f->lanes <= 1) { /* one for all lanes; a file of 64 bits holds all of it in one register */
        r.at = (uint32_t)low;
        r.high = (uint32_t)(f->bits >= 64 ? low + 1 : high);
        take(c, w, o->flags, r);
        return;
    }
    const uint64_t lanes = o->flags & GPUDBG_ALL_LANES ? w->lanes : c->active;
    for (int lane = 0; lane < f->lanes && lane < 64; lane++) {
        if (!(lanes >> lane & 1)) continue;
        r.at = (uint32_t)low + (uint32_t)lane;
        r.high = (uint32_t)high + (uint32_t)lane;
        r.lane = (int8_t)lane;
        take(c, w, o->flags, r);
    }
}

static void take_operands(struct catching_state *c, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const struct gpudbg_isa *isa = w->machine->isa;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        uint32_t which = 0;
        const unsigned bits = o->kind == GPUDBG_REGISTER && o->file < isa->nfiles ? isa->floats(insn, i, &which) : 0;
        if (!bits) continue;
        const unsigned parts = isa->files[o->file].parts ? (unsigned)strlen(isa->files[o->file].parts) : 1;
        for (unsigned k = 0; k < 32; k++)
            if (which >> k & 1) take_register(c, w, o, o->reg - o->reg % parts + k, bits);
    }
}

static void take_elements(struct catching_state *c, struct gpudbg_wave *w, const struct gpudbg_footprint *f)
{
    static const struct {
        const char *type;
        uint8_t bits;
    } floats[] = {{"f", 32}, {"hf", 16}, {"df", 64}};
    const bool written = strcmp(f->role, "dst") == 0;
    unsigned bits = 0;
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        if (strcmp(f->type, floats[i].type) == 0) bits = floats[i].bits;
    if (!bits || f->file >= w->machine->isa->nfiles) return;
    const unsigned bytes = w->machine->isa->files[f->file].bits / 8u;
    for (unsigned i = 0; i < f->n && bytes; i++) {
        const struct gpudbg_element *e = &f->element[i];
        if (e->off || e->at < 0 || e->size * 8u != bits || e->lane > 63) continue;
        const unsigned reg = (unsigned)e->at / bytes, at = (unsigned)e->at % bytes;
        const size_t word = word_of(w, f->file, reg);
        if (word == SIZE_MAX) continue;
        take(c, w, written ? GPUDBG_WRITE : GPUDBG_READ,
            (struct catch_result){.at = (uint32_t)word + at / 4,
                .high = (uint32_t)word + at / 4 + 1,
                .bits = (uint8_t)bits,
                .shift = (uint8_t)(8 * (at % 4)),
                .lane = (int8_t)e->lane,
                .file = f->file,
                .reg = (uint16_t)reg});
    }
}

/* What already is one stays one where the instruction does not write it: such results do not count. */
static void leave_unwritten(struct catching_state *c, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct trial t;
    struct touch_set set;
    uint32_t touched[TOUCH_MOST];
    size_t kept = 0;
    bool any = false;
    for (size_t i = 0; i < c->n; i++) any |= is_kind(float_at(w->words, &c->result[i]), c->result[i].bits, c->kind);
    if (!any || !trial_open(&t, w->machine, false)) return;
    for (size_t i = 0; i < c->n; i++) {
        const struct catch_result *r = &c->result[i];
        bool stays = is_kind(float_at(w->words, r), r->bits, c->kind);
        if (stays) {
            const uint32_t bits = (r->bits < 32 ? (UINT32_C(1) << r->bits) - 1 : UINT32_MAX) << r->shift;
            set.file = r->file;
            set.loose = false;
            set.n = 1;
            set.bit[0] = (struct trial_bits){r->at, bits};
            stays = touch_does(&t, w, insn, &set, true, touched) == TOUCH_NO;
        }
        if (!stays) c->result[kept++] = *r;
    }
    c->n = kept;
    trial_close(&t);
}

/* Adds the bits of all floats of a register that are of the kind. */
static void add_floats(const struct catching_state *c, struct gpudbg_wave *w, unsigned file, unsigned reg,
    struct trial_bits *bits, size_t *n)
{
    const unsigned size = c->result[0].bits, words = size == 64 ? 2 : 1;
    const size_t at = word_of(w, file, reg);
    if (at == SIZE_MAX) return;
    for (unsigned k = 0; k + words <= w->machine->isa->files[file].bits / 32u; k += words)
        for (unsigned shift = 0; shift < 32; shift += size < 32 ? size : 32) {
            const uint32_t first = (uint32_t)at + k;
            const struct catch_result r = {
                .at = first, .high = first + 1, .bits = (uint8_t)size, .shift = (uint8_t)shift};
            if (*n + words > TOUCH_MOST || !is_kind(float_at(w->words, &r), size, c->kind)) continue;
            for (unsigned i = 0; i < words; i++) {
                const uint32_t mask = size < 32 ? ((UINT32_C(1) << size) - 1) << shift : UINT32_MAX;
                bits[(*n)++] = (struct trial_bits){first + i, w->words[first + i] & mask};
            }
        }
}

/* Where operands are regions, nothing tells which lane reads what of an accumulator that is no operand of the text: a
 * result that is none of the kind once those in accumulators are made 0 has got it from there. */
static void take_accumulators(struct catching_state *c, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct trial_bits bits[TOUCH_MOST];
    struct trial t;
    size_t n = 0;
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_READ) || !(o->flags & GPUDBG_IMPLICIT)) continue;
        if (o->file >= w->machine->isa->nfiles || w->machine->isa->files[o->file].mask) continue;
        for (unsigned reg = 0; reg < w->machine->isa->run->count(w->machine, o->file); reg++)
            add_floats(c, w, o->file, reg, bits, &n);
    }
    if (!n || !trial_open(&t, w->machine, false)) return;
    if (trial_run(&t, w, insn, bits, n))
        for (size_t i = 0; i < c->n; i++)
            if (!is_kind(float_at(t.wave.words, &c->result[i]), c->result[i].bits, c->kind))
                c->had |= UINT64_C(1) << c->result[i].lane;
    trial_close(&t);
}

static bool look_before(struct catching_state *c, struct gpudbg_wave *w)
{
    struct gpudbg_insn insn, own;
    c->n = 0;
    c->had = 0;
    if (!insn_at(w->machine->image, w->pc, &insn)) return false;
    const struct gpudbg_insn *actual = machine_actual(w, &insn, &own);
    if (!actual) return false;
    const struct gpudbg_isa *isa = w->machine->isa;
    if (isa->regions.footprints) {
        struct gpudbg_footprint *f = xcalloc(GPUDBG_FOOTPRINTS, sizeof *f);
        const unsigned n = isa->regions.elements(actual, w, f, GPUDBG_FOOTPRINTS);
        for (unsigned i = 0; i < n; i++) take_elements(c, w, &f[i]);
        free(f);
        if (c->n) take_accumulators(c, w, actual);
    } else {
        take_operands(c, w, actual);
    }
    if (c->n) leave_unwritten(c, w, actual);
    return c->n;
}

static bool found_float(struct catching_state *c, struct gpudbg_wave *w)
{
    bool found = false;
    c->lanes = 0;
    for (size_t i = 0; i < c->n; i++) {
        const struct catch_result *r = &c->result[i];
        const uint64_t lane = r->lane < 0 ? 0 : UINT64_C(1) << r->lane, v = float_at(w->words, r);
        if (!is_kind(v, r->bits, c->kind) || (lane ? c->had & lane : c->had)) continue;
        c->lanes |= lane;
        if (found) continue;
        found = true;
        char name[40];
        gpudbg_register_name(&w->machine->isa->files[r->file], r->reg, name, sizeof name);
        const bool laned = w->machine->isa->files[r->file].lanes > 1;
        snprintf(c->name, sizeof c->name, laned ? "$%s[%d]" : "$%s", name, r->lane);
        snprintf(c->value, sizeof c->value, "0x%0*" PRIx64, r->bits / 4, v);
    }
    return found;
}

/* ---- Met ---- */

bool catch_may(struct catching_state *c, struct gpudbg_wave *w)
{
    c->pc = w->pc;
    c->active = w->machine->isa->run->active(w);
    c->name[0] = c->value[0] = 0;
    c->lanes = 0;
    switch (c->kind) {
    case CATCH_NAN:
    case CATCH_INF:
    case CATCH_DENORMAL: return look_before(c, w);
    case CATCH_DIVERGENCE: return c->active & (c->active - 1);
    case CATCH_EMPTY: return c->active;
    default: return true;
    }
}

/* Whose instruction it was: an event says so; barriers and faults do not jump. */
static void find_pc(struct catching_state *c, struct gpudbg_wave *w)
{
    const struct gpudbg_event *event;
    struct gpudbg_insn insn;
    c->name[0] = c->value[0] = 0;
    c->lanes = 0;
    c->pc = w->pc;
    const size_t n = c->kind == CATCH_EVENT ? gpudbg_events(w->machine, &event) : 0;
    if (n)
        c->pc = event[n - 1].pc;
    else if (c->kind != CATCH_FAULT && insn_before(w->machine->image, w->pc, &insn))
        c->pc = insn.addr;
}

bool catch_happened(struct catching_state *c, struct gpudbg_wave *w)
{
    const uint64_t now = w->state == GPUDBG_ENDED ? c->active : w->machine->isa->run->active(w);
    switch (c->kind) {
    case CATCH_NAN:
    case CATCH_INF:
    case CATCH_DENORMAL: return found_float(c, w);
    case CATCH_DIVERGENCE: c->lanes = c->active & ~now; return now && c->lanes && !(now & ~c->active);
    case CATCH_EMPTY: c->lanes = c->active; return !now;
    case CATCH_MESSAGE: return true;
    default: find_pc(c, w); return true;
    }
}
