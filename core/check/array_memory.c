/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * array_memory.c: which private array an address was computed from, where code multiplies the number of the lane by the
 * size of a variable to find the lane's copy of it.
 *
 * What was computed from such a product is followed through moves and additions, in registers and in private memory, a
 * tag for each dword.  The result of two tagged numbers, or of any other operation, has no tag.
 * The tagged number becomes the beginning of a variable
 *
 *     where it is what debug information gives as the place of an array of that size for the lane, or
 *     in code that is not optimised, where debug information has no place for an array of that size: when a number that
 *     is the same for all lanes is added.  This is then its place in private memory.
 *
 * From there on it belongs to the array, whatever is added: all that is loaded and stored by it must lie in the lane's
 * copy.  What was loaded from elsewhere has no tag, and is not looked at.
 */
#include <stdlib.h>
#include <string.h>
#include "check/arrays.h"
#include "eval/dwarf_place.h"
#include "machine/machine.h"

enum { TAG_NONE, TAG_UNKNOWN, TAG_NUMBERS, TAG_FIRST };

#define TAGS_MOST 4096 /* of a wave */
#define LANES 64
#define HELD_MOST 512

/* A tag stands for one of these: a lane's number times a size, or the beginning of a variable. */
struct derived {
    uint64_t pc, size; /* of the product */
    bool known;        /* it is the beginning of a variable, for these lanes: */
    uint64_t lanes;
    uint32_t begin[LANES]; /* lower half of the address */
    bool from_segment;     /* ... counted from the beginning of private memory */
    char name[ARRAY_NAME];
};

struct tracked {
    uint16_t *tag; /* by dword of the wave's words; NULL: there are none yet */
    struct derived *of;
    size_t n, room;
    /* Private memory: an open hash by dword; addr 0: free. */
    struct kept {
        uint64_t addr;
        uint16_t tag;
    } * kept;
    size_t nkept, kept_room;
};

struct piece {
    int16_t lane;
    uint16_t tag;
    size_t at; /* dword of the wave's words */
    bool uniform;
};

struct array_memory {
    struct array_run run;
    struct tracked *wave;
    /* Results of the latest instruction that may be beginnings of variables. */
    uint32_t id; /* of the wave */
    uint64_t pc;
    struct piece pending[GPUDBG_ELEMENTS];
    unsigned npending;
    /* The load or store that was shown last. */
    bool held;
    uint16_t by[LANES];                             /* tags of its addresses */
    struct piece stored[HELD_MOST], got[HELD_MOST]; /* dwords that go to memory, and that come from there */
    unsigned nstored, ngot;
    uint64_t first[LANES + 1]; /* the first address of each lane; [LANES]: not of one lane */
    struct array_overrun overrun;
};

struct array_memory *array_memory_new(const struct array_run *run)
{
    struct array_memory *a = gpudbg_checks_alloc(run->checks, 1, sizeof *a);
    a->run = *run;
    a->wave = gpudbg_checks_alloc(run->checks, run->machine->nwaves, sizeof *a->wave);
    return a;
}

static void forget(const struct array_memory *a, struct tracked *t)
{
    gpudbg_checks_free(a->run.checks, t->tag);
    gpudbg_checks_free(a->run.checks, t->of);
    gpudbg_checks_free(a->run.checks, t->kept);
    memset(t, 0, sizeof *t);
}

void array_memory_free(struct array_memory *a)
{
    for (uint32_t i = 0; i < a->run.machine->nwaves; i++) forget(a, &a->wave[i]);
    gpudbg_checks_free(a->run.checks, a->wave);
    gpudbg_checks_free(a->run.checks, a);
}

/* ---- Tags in private memory ---- */

static size_t slot_of(const struct tracked *t, uint64_t addr)
{
    size_t i = (size_t)(addr * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (t->kept_room - 1);
    while (t->kept[i].addr && t->kept[i].addr != addr) i = (i + 1) & (t->kept_room - 1);
    return i;
}

static void keep(const struct array_memory *a, struct tracked *t, uint64_t addr, uint16_t tag)
{
    if (!t->kept_room && tag <= TAG_UNKNOWN) return;
    if (2 * (t->nkept + 1) > t->kept_room) {
        struct tracked larger = {.kept_room = t->kept_room ? 2 * t->kept_room : 256};
        larger.kept = gpudbg_checks_alloc(a->run.checks, larger.kept_room, sizeof *larger.kept);
        for (size_t i = 0; i < t->kept_room; i++)
            if (t->kept[i].addr) larger.kept[slot_of(&larger, t->kept[i].addr)] = t->kept[i];
        gpudbg_checks_free(a->run.checks, t->kept);
        t->kept = larger.kept;
        t->kept_room = larger.kept_room;
    }
    struct kept *k = &t->kept[slot_of(t, addr)];
    if (!k->addr && tag <= TAG_UNKNOWN) return;
    t->nkept += !k->addr;
    *k = (struct kept){addr, tag};
}

static uint16_t kept_at(const struct tracked *t, uint64_t addr)
{
    return t->kept_room ? t->kept[slot_of(t, addr)].tag : TAG_NONE;
}

/* ---- Tags in registers ---- */

/* The dword of the wave's words that a byte of a register file is in; SIZE_MAX: it is not kept there. */
static size_t dword_at(const struct array_memory *a, struct gpudbg_wave *w, unsigned file, int32_t byte)
{
    const unsigned bytes = file < a->run.machine->isa->nfiles ? a->run.machine->isa->files[file].bits / 8u : 0;
    unsigned n;
    if (byte < 0 || !bytes) return SIZE_MAX;
    const size_t at = machine_register_at(w, file, (unsigned)byte / bytes, &n);
    return at == SIZE_MAX || (unsigned)byte % bytes / 4 >= n ? SIZE_MAX : at + (unsigned)byte % bytes / 4;
}

/* Whether a register of the instruction holds a tagged number. */
static bool meets_tags(const struct tracked *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_SPECIAL) return true;
        if (o->kind != GPUDBG_REGISTER) continue;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            unsigned n;
            const size_t at = machine_register_at(w, o->file, r, &n);
            for (unsigned d = 0; at != SIZE_MAX && d < n; d++)
                if (t->tag[at + d]) return true;
        }
    }
    return false;
}

/* The tag of an element that is read; a part of an address is not one. */
static uint16_t tag_of(const struct array_memory *a, const struct tracked *t, struct gpudbg_wave *w, unsigned file,
    const struct gpudbg_element *e)
{
    const size_t at = dword_at(a, w, file, e->at);
    const uint16_t tag = at == SIZE_MAX ? TAG_NONE : t->tag[at];
    return tag >= TAG_FIRST && e->size < 4 ? TAG_UNKNOWN : tag;
}

static bool is_source(const struct gpudbg_footprint *f) { return strncmp(f->role, "src", 3) == 0; }

/* What the sources of a lane are: uniform is set if all but the tagged one are the same for all lanes. */
static uint16_t sources(const struct array_memory *a, const struct tracked *t, struct gpudbg_wave *w, unsigned n,
    int lane, bool *uniform, bool *numbered)
{
    uint16_t tag = TAG_NONE;
    *uniform = true;
    *numbered = false;
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &a->run.footprint[i];
        for (unsigned k = 0; is_source(f) && k < f->n; k++) {
            const struct gpudbg_element *e = &f->element[k];
            if (e->lane != lane) continue;
            const uint16_t here = tag_of(a, t, w, f->file, e);
            if (!here && f->n > 1 && f->element[0].at != f->element[f->n - 1].at) *uniform = false;
            if (here == TAG_NUMBERS) {
                const size_t at = dword_at(a, w, f->file, e->at);
                const uint32_t value = w->words[at] >> 8 * (e->at % 4);
                *numbered = (e->size == 2 ? value & 0xffff : e->size == 4 ? value : UINT32_MAX) == (uint32_t)lane;
            }
            if (!here) continue;
            tag = !tag || (tag == TAG_NUMBERS && here >= TAG_FIRST) ? here
                  : (here == TAG_NUMBERS && tag != TAG_UNKNOWN)     ? tag
                                                                    : TAG_UNKNOWN;
        }
    }
    return tag;
}

static uint16_t add_derived(const struct array_memory *a, struct tracked *t, const struct derived *d)
{
    if (t->n == TAGS_MOST) return TAG_UNKNOWN;
    t->of = checks_grow(a->run.checks, t->of, t->n, &t->room, sizeof *t->of);
    t->of[t->n] = *d;
    return (uint16_t)(TAG_FIRST + t->n++);
}

/* The product of a size and numbers of lanes. */
static uint16_t product(const struct array_memory *a, struct tracked *t, uint64_t pc, uint64_t size)
{
    for (unsigned i = 0; i < t->n; i++)
        if (!t->of[i].known && t->of[i].pc == pc && t->of[i].size == size) return (uint16_t)(TAG_FIRST + i);
    return add_derived(a, t, &(struct derived){.pc = pc, .size = size});
}

static uint16_t result(const struct array_memory *a, struct tracked *t, struct gpudbg_wave *w,
    const struct gpudbg_step *step, unsigned n, int lane, bool *uniform)
{
    bool numbered;
    const uint16_t tag = sources(a, t, w, n, lane, uniform, &numbered);
    switch (step->kind) {
    case GPUDBG_STEP_NUMBERS: return TAG_NUMBERS;
    case GPUDBG_STEP_MOVE:
    case GPUDBG_STEP_ADD: return tag;
    case GPUDBG_STEP_SCALE:
        if (tag == TAG_NUMBERS) return numbered && step->by > 0 ? product(a, t, w->pc, (uint64_t)step->by) : TAG_NONE;
        break;
    case GPUDBG_STEP_OTHER: break;
    }
    return tag == TAG_NONE || tag == TAG_NUMBERS ? TAG_NONE : TAG_UNKNOWN;
}

static void computes(struct array_memory *a, struct tracked *t, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct gpudbg_step *step, unsigned n)
{
    struct piece out[GPUDBG_ELEMENTS];
    unsigned nout = 0;
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &a->run.footprint[i];
        for (unsigned k = 0; strcmp(f->role, "dst") == 0 && k < f->n && nout < GPUDBG_ELEMENTS; k++) {
            const struct gpudbg_element *e = &f->element[k];
            const size_t at = e->off ? SIZE_MAX : dword_at(a, w, f->file, e->at);
            if (at == SIZE_MAX) continue;
            struct piece *p = &out[nout++];
            *p = (struct piece){.lane = e->lane, .at = at};
            if (e->lane >= 0) p->tag = result(a, t, w, step, n, e->lane, &p->uniform);
            if (e->size != 4 && p->tag >= TAG_FIRST) p->tag = TAG_UNKNOWN;
        }
    }
    for (unsigned i = 0; i < insn->noperands; i++) { /* an accumulator that is written as well as the destination */
        const struct gpudbg_operand *o = &insn->operands[i];
        unsigned many;
        if (o->kind != GPUDBG_REGISTER || !(o->flags & GPUDBG_WRITE) || !(o->flags & GPUDBG_IMPLICIT)) continue;
        for (unsigned r = o->reg; r < o->reg + (o->count ? o->count : 1u); r++) {
            const size_t at = machine_register_at(w, o->file, r, &many);
            if (at != SIZE_MAX) memset(t->tag + at, 0, many * sizeof *t->tag);
        }
    }
    a->id = w->id;
    a->pc = w->pc;
    for (unsigned i = 0; i < nout; i++) {
        t->tag[out[i].at] = out[i].tag;
        if (step->kind == GPUDBG_STEP_ADD && out[i].tag >= TAG_FIRST && !t->of[out[i].tag - TAG_FIRST].known &&
            out[i].lane < LANES)
            a->pending[a->npending++] = out[i];
    }
}

/* ---- Beginnings of variables ---- */

/* Whether the results are where the variable is, for every lane. */
static bool stands_at(struct array_memory *a, const struct gpudbg_wave *w, const struct array_function *f,
    const struct array_variable *v, uint16_t tag, struct derived *d)
{
    bool any = false;
    for (unsigned i = 0; i < a->npending; i++) {
        const struct piece *p = &a->pending[i];
        struct gpudbg_error ignored = {0};
        struct dwarf_place place;
        Dwarf_Die die = v->die, function = f->die;
        if (p->tag != tag) continue;
        if (!dwarf_place(
                checks_eval(a->run.checks), a->id, p->lane, NULL, &die, &function, a->pc - f->base, &place, &ignored) ||
            place.where != DWARF_MEMORY || place.space != GPUDBG_GLOBAL || !place.framed ||
            (uint32_t)place.number != w->words[p->at])
            return false;
        d->begin[p->lane] = (uint32_t)place.number;
        d->lanes |= UINT64_C(1) << p->lane;
        any = true;
    }
    return any;
}

/* The beginning of a variable, as it was met before or a new one. */
static uint16_t beginning(const struct array_memory *a, struct tracked *t, const struct derived *d)
{
    for (unsigned i = 0; i < t->n; i++) {
        struct derived *old = &t->of[i];
        bool same = old->known && old->size == d->size && old->from_segment == d->from_segment &&
                    strcmp(old->name, d->name) == 0;
        for (unsigned l = 0; same && l < LANES; l++)
            same = !(old->lanes & d->lanes & UINT64_C(1) << l) || old->begin[l] == d->begin[l];
        if (!same) continue;
        for (unsigned l = 0; l < LANES; l++)
            if (d->lanes >> l & 1) old->begin[l] = d->begin[l];
        old->lanes |= d->lanes;
        return (uint16_t)(TAG_FIRST + i);
    }
    return add_derived(a, t, d);
}

/* Finds the variable that begins at the results with this tag; false: none does, yet. */
static bool find_variable(struct array_memory *a, const struct gpudbg_wave *w, const struct array_function *f,
    uint16_t tag, const struct derived *of, struct derived *d)
{
    *d = (struct derived){.pc = of->pc, .size = of->size, .known = true};
    for (size_t i = 0; i < f->n; i++) {
        const struct array_variable *v = &f->variable[i];
        if (!v->indexed || !v->placed || v->size != of->size) continue;
        d->lanes = 0;
        if (!stands_at(a, w, f, v, tag, d)) continue;
        array_name(v, d->name);
        return true;
    }
    d->lanes = 0;
    d->from_segment = true;
    for (size_t i = 0; i < f->n && f->fixed; i++)
        if (f->variable[i].indexed && !f->variable[i].placed && f->variable[i].size == of->size)
            array_name(&f->variable[i], d->name);
    for (unsigned i = 0; *d->name && i < a->npending; i++) {
        const struct piece *p = &a->pending[i];
        if (p->tag != tag) continue;
        if (!p->uniform) return false;
        d->begin[p->lane] = w->words[p->at];
        d->lanes |= UINT64_C(1) << p->lane;
    }
    return d->lanes != 0;
}

/* Looks at what the latest instruction computed. */
static void settle(struct array_memory *a)
{
    struct gpudbg_error ignored = {0};
    const struct gpudbg_wave *w = a->npending ? machine_wave(a->run.machine, a->id, &ignored) : NULL;
    struct tracked *t = w ? &a->wave[a->id] : NULL;
    const struct array_function *f = t ? array_function_at(
                                             checks_functions(a->run.checks), a->run.machine->image, a->pc)
                                       : NULL;
    for (unsigned i = 0; f && i < a->npending; i++) {
        const uint16_t tag = a->pending[i].tag;
        struct derived d;
        if (!tag || !find_variable(a, w, f, tag, &t->of[tag - TAG_FIRST], &d)) continue;
        const uint16_t begins = beginning(a, t, &d);
        for (unsigned k = i; k < a->npending; k++)
            if (a->pending[k].tag == tag) {
                t->tag[a->pending[k].at] = begins;
                a->pending[k].tag = TAG_NONE;
            }
    }
    a->npending = 0;
    a->held = false;
    array_report(a->run.checks, &a->overrun);
}

/* ---- Loads and stores ---- */

static void add_piece(struct piece *to, unsigned *n, struct piece p)
{
    if (*n < HELD_MOST) to[(*n)++] = p;
}

static void hold(struct array_memory *a, struct tracked *t, struct gpudbg_wave *w, unsigned n)
{
    a->held = true;
    a->nstored = a->ngot = 0;
    memset(a->by, 0, sizeof a->by);
    memset(a->first, 0, sizeof a->first);
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &a->run.footprint[i];
        const bool got = strcmp(f->role, "dst") == 0, address = !got && f->part && strcmp(f->part, "addresses") == 0;
        for (unsigned k = 0; (got || is_source(f)) && k < f->n; k++) {
            const struct gpudbg_element *e = &f->element[k];
            if (e->off) continue;
            if (address && e->lane >= 0 && e->lane < LANES) a->by[e->lane] = tag_of(a, t, w, f->file, e);
            for (int32_t byte = 0; !address && byte < e->size; byte += 4) {
                const size_t at = dword_at(a, w, f->file, e->at + byte);
                if (at == SIZE_MAX) continue;
                const struct piece p = {.lane = e->lane, .at = at, .tag = t->tag[at]};
                if (got) add_piece(a->got, &a->ngot, p);
                if (f->stored) add_piece(a->stored, &a->nstored, p);
            }
        }
    }
    for (unsigned i = 0; i < a->ngot; i++) t->tag[a->got[i].at] = TAG_NONE;
}

/* The dword of a lane that is so many dwords after its first address. */
static const struct piece *piece_at(const struct piece *p, unsigned n, int lane, uint64_t index)
{
    for (unsigned i = 0; i < n; i++)
        if (p[i].lane == lane && !index--) return &p[i];
    return NULL;
}

static void gives_on(struct array_memory *a, struct tracked *t, const struct gpudbg_access *access)
{
    uint64_t *first = &a->first[access->lane < 0 || access->lane >= LANES ? LANES : access->lane];
    if (!*first) *first = access->addr;
    if (access->addr < *first || access->addr % 4) return;
    for (uint64_t k = 0; k + 4 <= access->size; k += 4) {
        const uint64_t addr = access->addr + k, index = (addr - *first) / 4;
        const struct piece *p = access->write ? piece_at(a->stored, a->nstored, access->lane, index)
                                              : piece_at(a->got, a->ngot, access->lane, index);
        if (access->write) keep(a, t, addr, p ? p->tag : TAG_NONE);
        if (!access->write && p) t->tag[p->at] = kept_at(t, addr);
    }
}

void array_memory_access(struct array_memory *a, struct gpudbg_wave *w, const struct gpudbg_access *access)
{
    struct tracked *t = &a->wave[w->id];
    if (!a->held || !t->tag || access->space != GPUDBG_GLOBAL || !(access->segment->flags & GPUDBG_SEG_PRIVATE)) return;
    gives_on(a, t, access);
    const int l = access->lane;
    const struct derived *d = l >= 0 && l < LANES && a->by[l] >= TAG_FIRST ? &t->of[a->by[l] - TAG_FIRST] : NULL;
    if (!d || !d->known || !(d->lanes >> l & 1)) return;
    const uint64_t from = d->from_segment ? access->segment->base : 0;
    const int64_t byte = (int32_t)((uint32_t)(access->addr - from) - d->begin[l]);
    if (byte >= 0 && (uint64_t)byte <= d->size && access->size <= d->size - (uint64_t)byte) return;
    struct array_overrun *o = &a->overrun;
    if (!o->lanes) {
        *o = (struct array_overrun){
            .pc = a->pc, .wave = w->id, .size = d->size, .bytes = access->size, .stores = access->write, .first = byte};
        memcpy(o->name, d->name, sizeof o->name);
    }
    o->lanes |= UINT64_C(1) << l;
}

/* ---- Instructions ---- */

void array_memory_before(struct array_memory *a, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct tracked *t = &a->wave[w->id];
    settle(a);
    const struct gpudbg_step step = a->run.machine->isa->dwarf->step(insn);
    if (gpudbg_insn_does(insn) & GPUDBG_OP_END) forget(a, t);
    if (!t->tag && step.kind != GPUDBG_STEP_NUMBERS) return;
    if (!t->tag)
        t->tag = gpudbg_checks_alloc(
            a->run.checks, w->machine->wave_words ? w->machine->wave_words : 1, sizeof *t->tag);
    const bool memory = gpudbg_insn_does(insn) & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE);
    if (step.kind != GPUDBG_STEP_NUMBERS && !(memory && t->nkept) && !meets_tags(t, w, insn)) return;
    const unsigned n = a->run.machine->isa->regions.elements(insn, w, a->run.footprint, GPUDBG_FOOTPRINTS);
    a->pc = w->pc;
    if (memory)
        hold(a, t, w, n);
    else
        computes(a, t, w, insn, &step, n);
}

void array_memory_passed(struct array_memory *a) { settle(a); }

void array_memory_edit(struct array_memory *a, struct gpudbg_wave *w, unsigned file, unsigned index)
{
    unsigned n;
    const size_t at = a->wave[w->id].tag ? machine_register_at(w, file, index, &n) : SIZE_MAX;
    if (at != SIZE_MAX) memset(a->wave[w->id].tag + at, 0, n * sizeof *a->wave[w->id].tag);
}
