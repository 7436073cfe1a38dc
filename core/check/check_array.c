/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check_array.c: elements of a private array that it does not have.  Memory of a work-item holds all its variables side
 * by side, so such an access meets another variable, and nothing else notices.
 *
 * Which array was meant is known where the instruction set finds in the code that the address is one constant and
 * scaled values (gpudbg_dwarf.indexed), and debug information has an array or a structure that begins at the constant.
 * What is reached through a pointer, in a register or in memory, is not known, and not checked.  Where the instruction
 * set shows how addresses are made instead (gpudbg_dwarf.step), see array_memory.c and array_registers.c.
 *
 * Compilers may leave out the addition of a frame's byte 0.  So where the frame is a register, what lies at byte 0 must
 * be known, and an access inside of it is silent.
 */
#include <elfutils/libdw.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check/arrays.h"
#include "eval/dwarf_place.h"
#include "gpudbg/text.h"
#include "image/dwarf_scope.h"
#include "image/dwarf_type.h"
#include "machine/machine.h"

/* An instruction that loads or stores. */
struct known {
    uint64_t pc;
    bool indexed; /* all of the rest is known */
    struct gpudbg_indexed at;
    uint64_t size, at_zero; /* bytes of the array; of what lies at the frame's byte 0 */
    char name[80];          /* "a (int[8])" */
};

struct arrays {
    struct gpudbg_machine *machine;
    struct gpudbg_checks *checks;
    struct known *known; /* by pc */
    size_t nknown, room;
    /* The latest instruction. */
    const struct known *now;
    uint32_t wave;
    bool stores;
    uint64_t seen, outside; /* lanes */
    int64_t first;          /* byte of the array that the lowest of them goes to */
    uint64_t bytes;
    int64_t byte[64]; /* of the frame, and of the lane's own memory */
    uint64_t own[64];
    /* Instead of all that, where the instruction set has steps. */
    struct gpudbg_footprint *footprint;
    struct array_memory *memory;
    struct array_registers *registers;
};

static void *begin(struct gpudbg_machine *m, struct gpudbg_checks *checks)
{
    if (!check_array_can(m->image)) return NULL;
    struct arrays *a = gpudbg_checks_alloc(checks, 1, sizeof *a);
    a->machine = m;
    a->checks = checks;
    if (m->isa->dwarf->step) {
        a->footprint = gpudbg_checks_alloc(checks, GPUDBG_FOOTPRINTS, sizeof *a->footprint);
        const struct array_run run = {.machine = m, .checks = checks, .footprint = a->footprint};
        a->memory = array_memory_new(&run);
        a->registers = array_registers_new(&run);
    }
    return a;
}

static void end(void *state)
{
    struct arrays *a = state;
    if (a->memory) array_memory_free(a->memory);
    if (a->registers) array_registers_free(a->registers);
    gpudbg_checks_free(a->checks, a->footprint);
    gpudbg_checks_free(a->checks, a->known);
    gpudbg_checks_free(a->checks, a);
}

bool check_array_can(const struct gpudbg_image *image)
{
    for (size_t i = 0; i < image->nkernels; i++)
        if (scopes_at(image, image->kernels[i].entry)) return true;
    return false;
}

/* ---- What an instruction indexes ---- */

/* Variables in a function's frame. */
struct frame {
    struct arrays *arrays;
    struct gpudbg_wave *w;
    struct scopes *scopes;
    struct known *known;
    uint64_t largest;
    bool array;     /* ... that lies at the constant */
    bool elsewhere; /* the frame is not where the access counts from */
};

static uint32_t word_of(struct gpudbg_wave *w, unsigned file, unsigned reg)
{
    unsigned n;
    const size_t at = machine_register_at(w, file, reg, &n);
    return at == SIZE_MAX ? 0 : w->words[at];
}

static void meet_variable(struct frame *f, Dwarf_Die *die)
{
    struct gpudbg_error err = {0};
    struct dwarf_place place;
    struct known *k = f->known;
    Dwarf_Die type;
    if (!die_type(die, &type) || !dwarf_place(checks_eval(f->arrays->checks), f->w->id, 0, NULL, die,
                                     &f->scopes->function, f->scopes->pc - f->scopes->base, &place, &err))
        return;
    const uint64_t size = die_bytes(&type);
    if (place.where != DWARF_OWN || !size) return;
    const bool moved = place.parts && word_of(f->w, place.part[0].file, place.part[0].reg);
    if (k->at.framed ? !place.parts : moved) f->elsewhere = true;
    if (!place.number && size > k->at_zero) k->at_zero = size;
    if (place.number != k->at.base || size < f->largest) return;
    char text[60];
    const char *name = dwarf_diename(die);
    f->largest = size;
    f->array = (die_is_group(&type) || dwarf_tag(&type) == DW_TAG_array_type) && !die_is_vector(&type);
    die_type_text(die, text, sizeof text, 0);
    text_put(k->name, sizeof k->name, "%s (%s)", name ? name : "a variable without a name", text);
}

static void meet_scope(struct frame *f, Dwarf_Die *scope, int deep)
{
    Dwarf_Die die;
    for (bool first = true; die_next_variable(scope, &die, first); first = false) meet_variable(f, &die);
    for (int more = dwarf_child(scope, &die); deep && more == 0; more = dwarf_siblingof(&die, &die)) {
        const int tag = dwarf_tag(&die);
        if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) meet_scope(f, &die, deep - 1);
    }
}

static bool find_array(struct arrays *a, struct gpudbg_wave *w, struct known *k)
{
    const struct gpudbg_dwarf *rules = a->machine->isa->dwarf;
    struct scopes *s = scopes_at(a->machine->image, k->pc);
    Dwarf_Addr low, high;
    if (!s || !s->has_function || k->pc < s->ready || dwarf_lowpc(&s->function, &low) ||
        dwarf_highpc(&s->function, &high) ||
        !rules->indexed(a->machine->image, low + s->base, high + s->base, k->pc, &k->at))
        return false;
    struct frame f = {.arrays = a, .w = w, .scopes = s, .known = k};
    meet_scope(&f, &s->function, ARRAY_BLOCKS);
    k->size = f.largest;
    return f.array && !f.elsewhere && (!k->at.framed || k->at_zero);
}

static int by_pc(const void *pc, const void *known)
{
    const uint64_t a = *(const uint64_t *)pc, b = ((const struct known *)known)->pc;
    return a < b ? -1 : a > b;
}

static const struct known *known_at(struct arrays *a, struct gpudbg_wave *w)
{
    const struct known *old = a->nknown ? bsearch(&w->pc, a->known, a->nknown, sizeof *a->known, by_pc) : NULL;
    if (old) return old;
    struct known k = {.pc = w->pc};
    size_t at = a->nknown;
    k.indexed = find_array(a, w, &k);
    a->known = checks_grow(a->checks, a->known, a->nknown, &a->room, sizeof *a->known);
    while (at && a->known[at - 1].pc > k.pc) at--;
    memmove(a->known + at + 1, a->known + at, (a->nknown++ - at) * sizeof *a->known);
    a->known[at] = k;
    return &a->known[at];
}

/* ---- A run ---- */

static void settle(struct arrays *a)
{
    char message[240], cause[100];
    const struct known *k = a->now;
    a->now = NULL;
    if (!k || !a->outside) return;
    snprintf(message, sizeof message,
        "%s %" PRIu64 " byte%s at byte %" PRId64 " of %s, which has %" PRIu64 ": it is another variable's",
        a->stores ? "stores" : "loads", a->bytes, a->bytes == 1 ? "" : "s", a->first, k->name, k->size);
    snprintf(cause, sizeof cause, "array %s", k->name);
    gpudbg_report(a->checks,
        &(struct gpudbg_report){
            .pc = k->pc, .by = a->wave + 1, .lanes = a->outside, .message = message, .cause = cause, .address = true});
}

static void before(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct arrays *a = state;
    if (a->memory) {
        array_memory_before(a->memory, w, insn);
        array_registers_before(a->registers, w, insn);
        return;
    }
    settle(a);
    if (!(gpudbg_insn_does(insn) & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE))) return;
    const struct known *k = known_at(a, w);
    unsigned n;
    const size_t at = k->indexed ? machine_register_at(w, k->at.file, k->at.reg, &n) : SIZE_MAX;
    if (at == SIZE_MAX) return;
    const uint32_t frame = k->at.framed ? word_of(w, k->at.frame_file, k->at.frame_reg) >> k->at.frame_shift : 0;
    a->now = k;
    a->wave = w->id;
    a->stores = gpudbg_insn_does(insn) & GPUDBG_OP_STORE;
    a->seen = a->outside = 0;
    for (unsigned l = 0; l < n && l < 64; l++) {
        a->own[l] = (uint64_t)w->words[at + l] + k->at.offset;
        a->byte[l] = (int64_t)(int32_t)w->words[at + l] + k->at.offset - frame;
    }
}

static bool inside(int64_t byte, uint64_t size, uint64_t from, uint64_t length)
{
    return byte >= 0 && (uint64_t)byte >= from && (uint64_t)byte - from <= length &&
           size <= length - ((uint64_t)byte - from);
}

static void access(void *state, struct gpudbg_wave *w, const struct gpudbg_access *access)
{
    struct arrays *a = state;
    const struct known *k = a->now;
    const unsigned l = (unsigned)access->lane;
    uint64_t addr;
    if (a->memory) array_memory_access(a->memory, w, access);
    if (!k || access->lane < 0 || l >= 64 || !(access->segment->flags & GPUDBG_SEG_PRIVATE) || a->seen >> l & 1) return;
    a->seen |= UINT64_C(1) << l;
    if (inside(a->byte[l], access->size, k->at.base, k->size) ||
        (k->at.framed && inside(a->byte[l], access->size, 0, k->at_zero)))
        return;
    if (!a->machine->isa->dwarf->own(w, l, 0, a->own[l], &addr) || addr != access->addr) return;
    if (!a->outside) {
        a->first = a->byte[l] - (int64_t)k->at.base;
        a->bytes = access->size;
    }
    a->outside |= UINT64_C(1) << l;
}

static void accesses(void *state, struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    if (!(all->segment->flags & GPUDBG_SEG_PRIVATE)) return;
    for (uint64_t m = all->lanes; m; m &= m - 1) {
        const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
        access(state, w, &a);
    }
}

static void edit(void *state, struct gpudbg_wave *w, unsigned file, unsigned index)
{
    struct arrays *a = state;
    if (a->memory) array_memory_edit(a->memory, w, file, index);
}

static void passed(void *state, struct gpudbg_wave *w, const struct gpudbg_insn *insn)
{
    struct arrays *a = state;
    (void)w;
    (void)insn;
    if (a->memory) array_memory_passed(a->memory);
}

static bool applies(const struct gpudbg_isa *isa) { return isa->dwarf && (isa->dwarf->indexed || isa->dwarf->step); }

const struct gpudbg_checker check_array = {
    .kind = "array",
    .summary = "elements that a private array does not have, by debug information",
    .applies = applies,
    .start = begin,
    .stop = end,
    .before = before,
    .access = access,
    .accesses = accesses,
    .edit = edit,
    .passed = passed,
    .apart = true,
};
