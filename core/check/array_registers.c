/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * array_registers.c: elements that a private array in registers does not have, where debug information says which
 * registers hold it.
 *
 * An index reaches such an array through an address register, to which the code adds the number of the array's first
 * register: so which array is meant is a constant of the code.  Other variables may have been in the same registers,
 * and optimised code may have arrays of which debug information knows no place.  So an element counts as one that the
 * array does not have where it lies behind the end of the largest of all these, or before the beginning.  What is read
 * elsewhere than in the lane's own column of elements was not reached as an element of an array (shuffles do that).
 * Code that writes for one lane after another may do it with any of the channels.
 *
 * Of the place in debug information only the first register is believed.  What ocloc writes of the elements (IGC
 * 1.0.12504) counts bits of the whole array where those of one element are meant, and so names other registers than its
 * code uses, or no bits at all.  The code has one number of each lane after another, 16 lanes at most, then the next
 * numbers; of what is the same for all lanes, one number after another.  Of numbers of 64 bits it sometimes has halves:
 * they are not looked at.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>
#include "check/arrays.h"
#include "eval/dwarf_steps.h"
#include "image/dwarf_bytes.h"
#include "image/dwarf_type.h"
#include "machine/machine.h"

#define WORDS 32 /* of the address registers */
#define LANES 64
#define AHEAD 4096 /* bytes of code */
#define DIMENSIONS 16

/* What was added last to each word of a wave's address registers. */
struct bases {
    bool known[WORDS];
    int32_t by[WORDS];
};

/* An operand by which an address register reaches an array. */
struct reached {
    uint64_t pc;
    int32_t base;
    char role[8];
    bool array; /* an array begins there: */
    unsigned file;
    uint64_t size, most; /* bytes of it; of all that may lie there */
    struct column {
        int32_t begin, each, row; /* bytes: where the first number is; of one; from there to the lane's next one */
    } column;
    int lane; /* the first lane whose numbers lie there */
    char name[ARRAY_NAME];
};

/* What an instruction does: it reaches registers through pointers, or writes pointers. */
enum kind { KIND_KNOWN = 1, KIND_THROUGH = 2, KIND_WRITES = 4 };

struct array_registers {
    struct array_run run;
    struct bases *wave;
    uint8_t *kind; /* by number of the instruction, enum kind; 0: not known yet */
    struct reached *reached;
    size_t n, room;
};

struct array_registers *array_registers_new(const struct array_run *run)
{
    struct array_registers *a = gpudbg_checks_alloc(run->checks, 1, sizeof *a);
    a->run = *run;
    a->wave = gpudbg_checks_alloc(run->checks, run->machine->nwaves, sizeof *a->wave);
    a->kind = gpudbg_checks_alloc(run->checks, gpudbg_checks_numbers(run->checks), sizeof *a->kind);
    return a;
}

void array_registers_free(struct array_registers *a)
{
    gpudbg_checks_free(a->run.checks, a->wave);
    gpudbg_checks_free(a->run.checks, a->kind);
    gpudbg_checks_free(a->run.checks, a->reached);
    gpudbg_checks_free(a->run.checks, a);
}

/* ---- Where an array is ---- */

/* The expression of a variable's place at pc; false: it has no place there. */
static bool place_at(
    uint64_t pc, const struct array_function *f, const struct array_variable *v, struct bytes *expression)
{
    Dwarf_Attribute at;
    Dwarf_Die die = v->die;
    return dwarf_attr_integrate(&die, DW_AT_location, &at) && die_expression(&at, pc - f->base, expression);
}

/* The next place after pc, which instructions up to there may be filling. */
static bool next_place(
    uint64_t pc, const struct array_function *f, const struct array_variable *v, struct bytes *expression)
{
    struct bytes now;
    const bool placed = place_at(pc, f, v, &now);
    for (uint64_t to = pc + 8; to < pc + AHEAD; to += 8)
        if (place_at(to, f, v, expression) && (!placed || expression->at != now.at)) return true;
    return false;
}

/* Bytes of the numbers in an array of arrays or vectors; 0: other elements. */
static unsigned number_bytes(const struct array_variable *v)
{
    Dwarf_Die die = v->die, type;
    for (unsigned deep = 0; deep < DIMENSIONS && die_type(&die, &type); deep++) {
        if (dwarf_tag(&type) == DW_TAG_base_type) return (unsigned)die_bytes(&type);
        if (dwarf_tag(&type) != DW_TAG_array_type) return 0;
        die = type;
    }
    return 0;
}

/* Lanes whose numbers are in consecutive registers: all of a wave, or the lower and the upper 16 of 32. */
static int lanes_of(const struct gpudbg_dwarf *rules, const struct array_function *f)
{
    Dwarf_Attribute at;
    Dwarf_Word width;
    Dwarf_Die function = f->die;
    if (!rules->width || !dwarf_attr_integrate(&function, rules->width, &at) || dwarf_formudata(&at, &width)) return 0;
    return width == 8 ? 8 : width == 16 || width == 32 ? 16 : 0;
}

/* The lane's column of a variable that is wholly in registers; false: it is not. */
static bool find_column(struct array_registers *a, struct gpudbg_wave *w, const struct array_function *f,
    const struct array_variable *v, struct bytes expression, int lane, struct column *c, unsigned *file)
{
    const struct gpudbg_dwarf *rules = a->run.machine->isa->dwarf;
    const int lanes = lanes_of(rules, f);
    const unsigned each = number_bytes(v);
    unsigned reg;
    bool laned;
    if (!lanes || !each || each > 4 ||
        !dwarf_first_register(
            checks_eval(a->run.checks), w->id, lane / lanes * lanes, rules, expression, file, &reg, &laned))
        return false;
    c->begin = (int32_t)(reg * (a->run.machine->isa->files[*file].bits / 8)) + (laned ? lane % lanes * (int)each : 0);
    c->each = (int32_t)each;
    c->row = laned ? lanes * (int)each : (int)each;
    return true;
}

/* Finds what may begin at the base; lane: the first of the operand. */
static void find_array(struct array_registers *a, struct gpudbg_wave *w, struct reached *r, int lane)
{
    const struct array_function *f = array_function_at(checks_functions(a->run.checks), a->run.machine->image, r->pc);
    const int lanes = f ? lanes_of(a->run.machine->isa->dwarf, f) : 0;
    if (!lanes) return;
    r->lane = lane / lanes * lanes;
    for (size_t i = 0; !f->fixed && i < f->n; i++) {
        const struct array_variable *v = &f->variable[i];
        struct bytes now, next;
        struct column c;
        unsigned file;
        const bool placed = place_at(r->pc, f, v, &now);
        if (!number_bytes(v) && placed) continue;
        bool here = placed && find_column(a, w, f, v, now, r->lane, &c, &file) && c.begin == r->base;
        if (!here)
            here = next_place(r->pc, f, v, &next) && find_column(a, w, f, v, next, r->lane, &c, &file) &&
                   c.begin == r->base;
        if ((here || !placed) && v->size > r->most) r->most = v->size;
        if (!here || !v->indexed || v->size <= r->size) continue;
        r->array = true;
        r->file = file;
        r->size = v->size;
        r->column = c;
        *r->name = 0;
        array_name(v, r->name);
    }
}

static struct reached *reached_at(
    struct array_registers *a, struct gpudbg_wave *w, const char *role, int32_t base, int lane)
{
    for (size_t i = 0; i < a->n; i++) {
        struct reached *r = &a->reached[i];
        if (r->pc == w->pc && r->base == base && strcmp(r->role, role) == 0) return r;
    }
    a->reached = checks_grow(a->run.checks, a->reached, a->n, &a->room, sizeof *a->reached);
    struct reached *r = &a->reached[a->n++];
    *r = (struct reached){.pc = w->pc, .base = base};
    strncpy(r->role, role, sizeof r->role - 1);
    find_array(a, w, r, lane);
    return r;
}

/* ---- Instructions ---- */

/* Records additions to words of address registers. */
static void write_words(struct array_registers *a, struct gpudbg_wave *w, const struct gpudbg_step *step, unsigned n)
{
    struct bases *to = &a->wave[w->id];
    for (unsigned i = 0; i < n; i++) {
        const struct gpudbg_footprint *f = &a->run.footprint[i];
        if (strcmp(f->role, "dst") != 0 || f->file != a->run.machine->isa->dwarf->pointers) continue;
        for (unsigned k = 0; k < f->n; k++) {
            const struct gpudbg_element *e = &f->element[k];
            for (int32_t word = e->at / 2; !e->off && word >= 0 && word < (e->at + e->size + 1) / 2 && word < WORDS;
                 word++) {
                to->known[word] = e->size == 2 && step->kind == GPUDBG_STEP_ADD && step->constant;
                to->by[word] = (int32_t)step->by;
            }
        }
    }
}

static void look(struct array_registers *a, struct gpudbg_wave *w, const struct gpudbg_insn *insn,
    const struct gpudbg_footprint *f, struct array_overrun *o)
{
    const struct bases *bases = &a->wave[w->id];
    for (unsigned k = 0; k < f->n; k++) {
        const struct gpudbg_element *e = &f->element[k];
        const int word = a->run.machine->isa->dwarf->through(insn, f->role, k);
        if (e->off || e->lane < 0 || e->lane >= LANES || word < 0 || word >= WORDS || !bases->known[word]) continue;
        struct reached *r = reached_at(a, w, f->role, bases->by[word], f->element[0].lane);
        const bool stores = strcmp(f->role, "dst") == 0;
        const struct column *c = &r->column;
        if (!r->array || r->file != f->file || e->size != c->each) continue;
        const int64_t behind = e->at - c->begin;
        const int64_t index = (behind < 0 ? behind - (c->row - 1) : behind) / c->row, byte = index * c->each;
        const int64_t lane = r->lane + (behind - index * c->row) / c->each;
        if (behind % c->each || (!stores && c->row > c->each && lane != e->lane) ||
            (byte >= 0 && byte < (int64_t)r->most))
            continue;
        if (!o->lanes) {
            *o = (struct array_overrun){.pc = w->pc,
                .wave = w->id,
                .size = r->size,
                .bytes = e->size,
                .registers = true,
                .stores = stores,
                .first = byte};
            memcpy(o->name, r->name, sizeof o->name);
        }
        o->lanes |= UINT64_C(1) << (c->row > c->each && lane < LANES ? (int)lane : e->lane);
    }
}

static bool writes_words(const struct array_registers *a, const struct gpudbg_insn *insn)
{
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind == GPUDBG_REGISTER && o->flags & GPUDBG_WRITE && o->file == a->run.machine->isa->dwarf->pointers)
            return true;
    }
    return false;
}

static unsigned kind_of(const struct array_registers *a, const struct gpudbg_insn *insn)
{
    static const char *const roles[] = {"dst", "src0", "src1", "src2"};
    unsigned kind = KIND_KNOWN | (writes_words(a, insn) ? KIND_WRITES : 0u);
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (a->run.machine->isa->dwarf->through(insn, roles[i], 0) >= 0) kind |= KIND_THROUGH;
    return kind;
}

static unsigned kind_now(struct array_registers *a, const struct gpudbg_insn *insn)
{
    const uint32_t number = gpudbg_checks_number(a->run.checks);
    if (number == UINT32_MAX) return kind_of(a, insn);
    if (!a->kind[number]) a->kind[number] = (uint8_t)kind_of(a, insn);
    return a->kind[number];
}

void array_registers_before(struct array_registers *a, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    const struct gpudbg_dwarf *rules = a->run.machine->isa->dwarf;
    const unsigned kind = kind_now(a, insn);
    const bool writes = kind & KIND_WRITES, through = kind & KIND_THROUGH;
    if (!writes && !through) return;
    const unsigned n = a->run.machine->isa->regions.elements(insn, w, a->run.footprint, GPUDBG_FOOTPRINTS);
    for (unsigned i = 0; through && i < n; i++) {
        struct array_overrun o = {0};
        look(a, w, insn, &a->run.footprint[i], &o);
        array_report(a->run.checks, &o);
    }
    const struct gpudbg_step step = rules->step(insn);
    if (writes) write_words(a, w, &step, n);
}
