/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plain_loads.c: see plain_loads.h. */
#include "check/plain_loads.h"

#include <stdlib.h>
#include <string.h>
#include "machine/machine.h"

#define LANES 64
#define LOADS 16        /* latest loads of a wave that are followed */
#define WAVES_MOST 1024 /* with loads that are followed, at a time */
#define CELLS_MOST 2048 /* dwords of registers that an instruction reads, or writes */
#define FINE_BITS 12    /* of the table of finished loads */
#define SPILLS_MOST 32  /* places of a lane's own memory; of more, the load's value counts as used */

/* What a dword of a register has of loads: a bit each for the value of one, and above for the answer of the atomic that
 * compared it. */
typedef uint32_t labels;
#define VALUE(load) (UINT32_C(1) << (load))
#define ANSWER(load) (UINT32_C(1) << (LOADS + (load)))

enum fate {
    ABSENT,  /* the lane took no part */
    LOADED,  /* not yet compared with memory */
    ASKED,   /* an atomic has compared it */
    KNOWN,   /* ... and the program has looked at the answer */
    ESCAPED, /* the value went elsewhere */
};

struct lane_load {
    uint64_t addr;
    uint8_t size; /* at most 8 */
    uint8_t fate;
    bool used;  /* computed with */
    bool stale; /* the atomic found another value */
    uint32_t low;
    struct gpudbg_report *waits; /* of gpudbg_checks_alloc, with its texts; or NULL */
};

struct load {
    uint32_t insn, barriers;
    bool on;
    struct lane_load of[LANES];
};

struct spill {
    uint64_t addr, size;
    labels has;
};

struct follow {
    struct load load[LOADS];
    unsigned next;
    labels *of; /* each of wave->words */
    struct spill spill[LANES][SPILLS_MOST];
    uint8_t nspills[LANES];
};

struct cell {
    uint32_t word;
    int16_t lane; /* -1: it belongs to no lane */
    bool whole;   /* all of the dword */
};

struct cells {
    struct cell of[CELLS_MOST];
    unsigned n;
};

struct plain_loads {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    struct gpudbg_footprint *footprint; /* NULL: operands are whole registers */
    struct follow **wave;               /* by id; NULL: nothing to follow */
    uint32_t nwaves;                    /* that are followed */
    uint32_t *fine;                     /* a hash table of loads that are done with, by number; 0: free */
    uint32_t nfine, fine_bits;
    /* The instruction being executed. */
    uint32_t insn;
    uint64_t does;
    struct cells read, written;
    labels stored[LANES], address[LANES], all[LANES]; /* of the operands, by lane */
};

/* ---- From start to end ---- */

struct plain_loads *plain_loads_new(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    struct plain_loads *p = gpudbg_checks_alloc(checks, 1, sizeof *p);
    *p = (struct plain_loads){.machine = m, .checks = checks, .fine_bits = FINE_BITS};
    p->fine = gpudbg_checks_alloc(p->checks, (size_t)1 << p->fine_bits, sizeof *p->fine);
    p->wave = gpudbg_checks_alloc(p->checks, m->nwaves, sizeof *p->wave);
    if (m->isa->regions.footprints)
        p->footprint = gpudbg_checks_alloc(p->checks, GPUDBG_FOOTPRINTS, sizeof *p->footprint);
    return p;
}

static void drop(const struct plain_loads *p, struct lane_load *l)
{
    if (!l->waits) return;
    gpudbg_checks_free(p->checks, (char *)l->waits->message);
    gpudbg_checks_free(p->checks, (char *)l->waits->origin);
    gpudbg_checks_free(p->checks, (char *)l->waits->cause);
    gpudbg_checks_free(p->checks, l->waits);
    l->waits = NULL;
}

static void forget_wave(struct plain_loads *p, uint32_t id)
{
    struct follow *f = p->wave[id];
    if (!f) return;
    for (unsigned i = 0; i < LOADS; i++)
        for (unsigned k = 0; k < LANES; k++) drop(p, &f->load[i].of[k]);
    gpudbg_checks_free(p->checks, f->of);
    gpudbg_checks_free(p->checks, f);
    p->wave[id] = NULL;
    p->nwaves--;
}

void plain_loads_free(struct plain_loads *p)
{
    if (!p) return;
    for (uint32_t i = 0; i < p->machine->nwaves; i++) forget_wave(p, i);
    struct gpudbg_checks *checks = p->checks;
    gpudbg_checks_free(checks, p->wave);
    gpudbg_checks_free(checks, p->fine);
    gpudbg_checks_free(checks, p->footprint);
    gpudbg_checks_free(checks, p);
}

/* ---- Loads that are done with ---- */

static uint32_t *fine_slot(const struct plain_loads *p, uint32_t insn)
{
    const uint32_t mask = (UINT32_C(1) << p->fine_bits) - 1;
    uint32_t i = (insn * UINT32_C(2654435769)) >> (32 - p->fine_bits);
    while (p->fine[i] && p->fine[i] != insn) i = (i + 1) & mask;
    return &p->fine[i];
}

static void is_fine(struct plain_loads *p, uint32_t insn)
{
    if (2 * (p->nfine + 1) > UINT32_C(1) << p->fine_bits) {
        const uint32_t n = UINT32_C(1) << p->fine_bits++, *old = p->fine;
        p->fine = gpudbg_checks_alloc(p->checks, (size_t)2 * n, sizeof *p->fine);
        for (uint32_t i = 0; i < n; i++)
            if (old[i]) *fine_slot(p, old[i]) = old[i];
        gpudbg_checks_free(p->checks, (void *)old);
    }
    uint32_t *slot = fine_slot(p, insn);
    p->nfine += !*slot;
    *slot = insn;
}

/* ---- Reports that wait ---- */

static void tell(struct plain_loads *p, struct lane_load *l)
{
    if (l->waits) gpudbg_report(p->checks, l->waits);
    drop(p, l);
}

static void escapes(struct plain_loads *p, struct follow *f, labels has, int lane)
{
    for (unsigned i = 0; i < LOADS; i++) {
        struct lane_load *l = &f->load[i].of[lane];
        if (!(has & VALUE(i)) || l->fate == ABSENT || (l->fate == KNOWN && !l->stale)) continue;
        l->fate = ESCAPED;
        tell(p, l);
    }
}

/* Ends following the load: reports it if the value was never compared.  recent: its value may still be used. */
static void finish(struct plain_loads *p, struct load *load, bool recent)
{
    bool fine = load->on;
    for (unsigned k = 0; load->on && k < LANES; k++) {
        struct lane_load *l = &load->of[k];
        const bool open = l->fate == LOADED && (l->used || recent);
        if (open) tell(p, l);
        fine &= !open && l->fate != ESCAPED;
        drop(p, l);
        *l = (struct lane_load){0};
    }
    if (fine) is_fine(p, load->insn);
    load->on = false;
}

static char *copy(const struct plain_loads *p, const char *text)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    return text ? memcpy(gpudbg_checks_alloc(p->checks, size, 1), text, size) : NULL;
}

static void waits(const struct plain_loads *p, struct lane_load *l, const struct gpudbg_report *report)
{
    if (l->waits || (l->fate == KNOWN && !l->stale)) return;
    l->waits = gpudbg_checks_alloc(p->checks, 1, sizeof *l->waits);
    *l->waits = *report;
    l->waits->message = copy(p, report->message);
    l->waits->origin = copy(p, report->origin);
    l->waits->cause = copy(p, report->cause);
}

static bool is_about(const struct plain_load *what, const struct load *load, const struct lane_load *l)
{
    if (!load->on || l->fate == ABSENT || l->addr >= what->addr + what->size || what->addr >= l->addr + l->size)
        return false;
    return load->insn == what->insn || (what->earlier && load->barriers == what->barriers);
}

bool plain_loads_wait(struct plain_loads *p, const struct plain_load *what, const struct gpudbg_report *report)
{
    struct follow *f = p ? p->wave[what->wave] : NULL;
    bool any = p && *fine_slot(p, what->insn) == what->insn;
    for (unsigned i = 0; f && i < LOADS; i++)
        for (unsigned k = 0; k < LANES; k++) {
            if (!is_about(what, &f->load[i], &f->load[i].of[k])) continue;
            if (f->load[i].of[k].fate == ESCAPED) return false;
            any = true;
        }
    for (unsigned i = 0; any && f && i < LOADS; i++)
        for (unsigned k = 0; k < LANES; k++)
            if (is_about(what, &f->load[i], &f->load[i].of[k])) waits(p, &f->load[i].of[k], report);
    return any;
}

bool plain_loads_used(const struct plain_loads *p, uint32_t wave, uint32_t insn)
{
    const struct follow *f = p ? p->wave[wave] : NULL;
    if (!p || *fine_slot(p, insn) == insn) return false;
    for (unsigned i = 0; f && i < LOADS; i++) {
        if (!f->load[i].on || f->load[i].insn != insn) continue;
        for (unsigned k = 0; k < LANES; k++)
            if (f->load[i].of[k].fate == ESCAPED) return true;
        return false;
    }
    return true;
}

/* ---- What an instruction reads and writes ---- */

static void add(struct cells *to, size_t word, int lane, bool whole)
{
    if (to->n < CELLS_MOST) to->of[to->n++] = (struct cell){(uint32_t)word, (int16_t)lane, whole};
}

static void add_register(struct plain_loads *p, struct gpudbg_wave *w, struct cells *to, const struct gpudbg_operand *o)
{
    const uint64_t lanes = o->flags & GPUDBG_ALL_LANES ? w->lanes : p->machine->isa->run->active(w);
    for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
        unsigned n;
        const size_t at = machine_register_at(w, o->file, r, &n);
        const bool laned = at != SIZE_MAX && p->machine->isa->files[o->file].lanes > 1;
        for (unsigned d = 0; at != SIZE_MAX && d < n; d++)
            if (!laned || (d < LANES && lanes >> d & 1)) add(to, at + d, laned ? (int)d : -1, true);
    }
}

static void add_elements(
    struct plain_loads *p, struct gpudbg_wave *w, struct cells *to, const struct gpudbg_footprint *f)
{
    const int32_t bytes = p->machine->isa->files[f->file].bits / 8;
    for (unsigned k = 0; k < f->n && bytes; k++) {
        const struct gpudbg_element *e = &f->element[k];
        for (int32_t at = e->at & ~3; !e->off && e->at >= 0 && at < e->at + e->size; at += 4) {
            unsigned n;
            const size_t word = machine_register_at(w, f->file, (unsigned)(at / bytes), &n);
            const bool whole = at >= e->at && at + 4 <= e->at + e->size;
            if (word != SIZE_MAX) add(to, word + (size_t)(at % bytes) / 4, e->lane < LANES ? e->lane : -1, whole);
        }
    }
}

static labels labels_of(const struct follow *f, const struct cells *cells, labels by_lane[LANES])
{
    labels any = 0;
    for (unsigned i = 0; f && i < cells->n; i++) {
        const labels has = f->of[cells->of[i].word];
        if (cells->of[i].lane >= 0) by_lane[cells->of[i].lane] |= has;
        any |= has;
    }
    return any;
}

/* Whether an operand is the address of memory. */
static bool is_address(const struct gpudbg_insn *insn, unsigned operand)
{
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].kind == GPUDBG_MEMORY && insn->operands[i].index == (int)operand) return true;
    return false;
}

static void look(struct plain_loads *p, struct gpudbg_wave *w, const struct follow *f, const struct gpudbg_insn *insn)
{
    const struct gpudbg_isa *isa = p->machine->isa;
    struct cells one;
    p->read.n = p->written.n = 0;
    memset(p->stored, 0, sizeof p->stored);
    memset(p->address, 0, sizeof p->address);
    const unsigned n = p->footprint ? isa->regions.elements(insn, w, p->footprint, GPUDBG_FOOTPRINTS) : 0;
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *r = &p->footprint[i];
        if (r->file >= isa->nfiles) continue;
        one.n = 0;
        add_elements(p, w, strcmp(r->role, "dst") == 0 ? &p->written : &one, r);
        labels_of(f, &one, r->stored ? p->stored : p->address);
        for (unsigned k = 0; k < one.n; k++) add(&p->read, one.of[k].word, one.of[k].lane, true);
    }
    for (unsigned i = 0; !n && i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_REGISTER || o->index >= 0) continue;
        if (o->flags & GPUDBG_WRITE) add_register(p, w, &p->written, o);
        if (!(o->flags & GPUDBG_READ) || o->flags & GPUDBG_NO_MATTER) continue;
        one.n = 0;
        add_register(p, w, &one, o);
        labels_of(f, &one, is_address(insn, i) ? p->address : p->stored);
        for (unsigned k = 0; k < one.n; k++) add(&p->read, one.of[k].word, one.of[k].lane, true);
    }
    for (unsigned k = 0; k < LANES; k++) p->all[k] = p->stored[k] | p->address[k];
}

static void write_labels(const struct plain_loads *p, struct follow *f, const labels by_lane[LANES])
{
    for (unsigned i = 0; i < p->written.n; i++) {
        const struct cell *c = &p->written.of[i];
        const labels has = by_lane && c->lane >= 0 ? by_lane[c->lane] : 0;
        f->of[c->word] = c->whole ? has : f->of[c->word] | has;
    }
}

/* ---- An instruction ---- */

/* Follows a computation: if a value and its answer meet, the program has tested the answer. */
static void computes(const struct plain_loads *p, struct follow *f, bool copies)
{
    for (unsigned k = 0; k < LANES && !copies; k++)
        for (unsigned i = 0; p->all[k] && i < LOADS; i++) {
            struct lane_load *l = &f->load[i].of[k];
            if (!(p->all[k] & VALUE(i)) || l->fate == ABSENT) continue;
            l->used = true;
            if (l->fate != ASKED || !(p->all[k] & ANSWER(i))) continue;
            l->fate = KNOWN;
            if (!l->stale) drop(p, l);
        }
    write_labels(p, f, p->all);
}

void plain_loads_before(struct plain_loads *p, struct gpudbg_wave *w, const struct gpudbg_insn *insn, uint32_t number)
{
    const uint32_t memory = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    if (!p) return;
    struct follow *f = p->wave[w->id];
    p->insn = number;
    p->does = gpudbg_insn_does(insn);
    if (f && p->does & GPUDBG_OP_END) {
        for (unsigned i = 0; i < LOADS; i++) finish(p, &f->load[i], false);
        forget_wave(p, w->id);
        return;
    }
    if (!f && !(p->does & GPUDBG_OP_LOAD)) return;
    look(p, w, f, insn);
    if (!f) return;
    if (!(p->does & memory)) {
        computes(p, f, insn->op->flags & GPUDBG_OP_COPY);
        return;
    }
    if (!(p->does & GPUDBG_OP_COMPARE))
        for (int k = 0; k < LANES; k++) escapes(p, f, p->address[k], k);
    write_labels(p, f, NULL);
}

/* ---- An access ---- */

static struct follow *follow(struct plain_loads *p, const struct gpudbg_wave *w)
{
    if (!p->wave[w->id] && p->nwaves < WAVES_MOST) {
        p->wave[w->id] = gpudbg_checks_alloc(p->checks, 1, sizeof(struct follow));
        p->wave[w->id]->of = gpudbg_checks_alloc(
            p->checks, p->machine->wave_words ? p->machine->wave_words : 1, sizeof(labels));
        p->nwaves++;
    }
    return p->wave[w->id];
}

static void give(const struct plain_loads *p, struct follow *f, int lane, labels has)
{
    for (unsigned i = 0; i < p->written.n; i++)
        if (p->written.of[i].lane == lane) f->of[p->written.of[i].word] |= has;
}

/* The lane loads from memory that others see. */
static void loads(struct plain_loads *p, struct follow *f, const struct gpudbg_access *a, uint32_t barriers)
{
    const unsigned i = (f->next + LOADS - 1) % LOADS;
    struct load *load = &f->load[i];
    if (!load->on || load->insn != p->insn) {
        load = &f->load[f->next];
        finish(p, load, true);
        for (uint32_t k = 0; k < p->machine->wave_words; k++) f->of[k] &= ~(VALUE(f->next) | ANSWER(f->next));
        for (unsigned k = 0; k < LANES; k++)
            for (unsigned n = 0; n < f->nspills[k]; n++) f->spill[k][n].has &= ~(VALUE(f->next) | ANSWER(f->next));
        load->on = true;
        load->insn = p->insn;
        load->barriers = barriers;
        f->next = (f->next + 1) % LOADS;
    }
    struct lane_load *l = &load->of[a->lane];
    const bool more = l->fate != ABSENT;
    if (more && (a->addr != l->addr + l->size || l->size + a->size > 8)) {
        l->fate = ESCAPED; /* several values */
        return;
    }
    if (!more) *l = (struct lane_load){.addr = a->addr, .fate = a->size > 8 ? ESCAPED : LOADED};
    if (!more) memcpy(&l->low, a->bytes, a->size < 4 ? (size_t)a->size : 4);
    l->size = (uint8_t)(l->size + (a->size > 8 ? 8 : a->size));
    give(p, f, a->lane, VALUE(load - f->load));
}

/* The lane's own memory. */
static void spills(struct plain_loads *p, struct follow *f, const struct gpudbg_access *a)
{
    struct spill *all = f->spill[a->lane];
    uint8_t *n = &f->nspills[a->lane];
    labels has = 0;
    for (unsigned i = 0; i < *n; i++) {
        const struct spill *s = &all[i];
        if (s->addr >= a->addr + a->size || a->addr >= s->addr + s->size) continue;
        has |= s->has;
        if (a->write && s->addr >= a->addr && s->addr + s->size <= a->addr + a->size) all[i--] = all[--*n];
    }
    if (!a->write)
        give(p, f, a->lane, has);
    else if (p->stored[a->lane] && *n < SPILLS_MOST)
        all[(*n)++] = (struct spill){a->addr, a->size, p->stored[a->lane]};
    else
        escapes(p, f, p->stored[a->lane], a->lane);
}

/* Whether a register that the instruction reads for the lane holds this. */
static bool reads_value(const struct plain_loads *p, const struct gpudbg_wave *w, int lane, uint32_t value)
{
    for (unsigned i = 0; i < p->read.n; i++)
        if (p->read.of[i].lane == lane && w->words[p->read.of[i].word] == value) return true;
    return false;
}

/* An atomic compare: does it compare with the value loaded from there, and does memory still hold it? */
static void asks(struct plain_loads *p, struct follow *f, const struct gpudbg_wave *w, const struct gpudbg_access *a)
{
    for (unsigned i = 0; i < LOADS && !a->write; i++) {
        struct lane_load *l = &f->load[i].of[a->lane];
        if (!(p->all[a->lane] & VALUE(i)) || l->fate == ABSENT || l->fate == ESCAPED) continue;
        const uint64_t at = l->addr - a->addr;
        const bool within = l->addr >= a->addr && at + l->size <= a->size;
        if (!within || !reads_value(p, w, a->lane, l->low)) {
            escapes(p, f, VALUE(i), a->lane);
            continue;
        }
        l->fate = ASKED;
        l->stale = memcmp((const uint8_t *)a->bytes + at, &l->low, l->size < 4 ? l->size : 4) != 0;
        give(p, f, a->lane, ANSWER(i));
    }
}

void plain_loads_access(
    struct plain_loads *p, struct gpudbg_wave *w, const struct gpudbg_access *a, uint32_t barriers, bool shared)
{
    const uint32_t both = GPUDBG_OP_LOAD | GPUDBG_OP_STORE;
    if (!p || a->lane < 0 || a->lane >= LANES) return;
    const bool atomic = (p->does & both) == both, plain = shared && !atomic && !a->write;
    struct follow *f = plain ? follow(p, w) : p->wave[w->id];
    if (!f) return;
    if (!shared)
        spills(p, f, a);
    else if (p->does & GPUDBG_OP_COMPARE)
        asks(p, f, w, a);
    else if (plain)
        loads(p, f, a, barriers);
    else
        escapes(p, f, p->stored[a->lane], a->lane);
}
