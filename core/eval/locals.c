/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locals.c: variables through libdw.  A variable is a place (dwarf_place.h) and a type; indexing, members and pointers
 * move the place and change the type, and only the end is read.
 */
#include "eval/locals.h"
#include <ctype.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/dwarf_place.h"
#include "eval/dwarf_steps.h"
#include "eval/returned.h"
#include "image/dwarf_scope.h"
#include "image/dwarf_type.h"
#include "image/image.h"
#include "eval/location.h"
#include "machine/machine.h"
#include "eval/value.h"
#include "gpudbg/text.h"

#define NESTING 6     /* of structures that are written out */
#define WATCHED 4096  /* bytes of a variable that can be watched */
#define WAVE_ALIGN 64 /* bytes; see struct gpudbg_wave */
#define ELEMENTS 200  /* of an array that are */

/* ---- What stands in a place ---- */

struct cursor {
    struct eval *ev;
    uint32_t wave;
    int lane;
    char letter;      /* of the format of numbers */
    const char *name; /* where it stands in the expression */
    struct dwarf_place place;
    struct gpudbg_wave *caller; /* whose variables they are: the wave at its call; NULL: as it is now */
    Dwarf_Die type;
    unsigned indexed; /* dimensions of an array that are passed */
    int64_t plus;     /* elements that are added to a pointer */
    bool inside;      /* a variable of several parts: others may stand in the same register */
};

/* In a register, or in two that follow one another.  A small number that is all of a variable is kept extended to its
 * register: functions take it so.  A part of a register cannot be set. */
static void set_register(const struct cursor *c, struct value *v)
{
    unsigned byte = 0, above = 0;
    const struct dwarf_place *p = &c->place;
    const struct dwarf_part *part = dwarf_part_at(p, p->offset, &byte),
                            *high = v->type.bits == 64 ? dwarf_part_at(p, p->offset + 4, &above) : NULL;
    if (p->caller || !part || part->file == DWARF_NOWHERE) return;
    const struct gpudbg_regfile *file = &c->ev->running->machine->isa->files[part->file];
    const bool wide = file->lanes <= 1 && file->bits > 64; /* an element of a register, which others share */
    if (!wide && (byte || (v->type.bits < 32 && (c->inside || part->bytes)))) return;
    if (wide && v->type.bits < 32 && byte * 8 + v->type.bits > 32) return;
    if (v->type.bits == 64 &&
        (!high || byte || above || part->file != high->file ||
            (wide ? part->reg != high->reg || part->first + 1 != high->first : part->reg + 1 != high->reg)))
        return;
    v->place = PLACE_REGISTER;
    v->file = part->file;
    v->reg = part->reg;
    v->count = high && !wide ? 2 : 1;
    v->part = wide;
    v->first = part->first;
    v->shift = (uint8_t)(8 * byte);
    v->lane = (int16_t)c->lane;
    v->lanes = 1;
}

/* The place of the value, for it to be set: memory, memory of the work-item, where 8 bytes are two words apart, or
 * registers. */
static void set_place(const struct cursor *c, struct value *v)
{
    const unsigned size = v->type.bits / 8;
    struct dwarf_place half = c->place;
    unsigned space;
    if (dwarf_place_address(c->ev, c->wave, c->lane, &c->place, size, &space, &v->addr)) {
        v->place = PLACE_MEMORY;
        v->space = (uint8_t)space;
    } else if (c->place.where == DWARF_OWN && size == 8 &&
               dwarf_place_address(c->ev, c->wave, c->lane, &half, 4, &space, &v->addr)) {
        dwarf_place_move(&half, 4);
        if (dwarf_place_address(c->ev, c->wave, c->lane, &half, 4, &space, &v->above)) {
            v->place = PLACE_MEMORY;
            v->space = (uint8_t)space;
        }
    } else if (c->place.where == DWARF_REGISTERS) {
        set_register(c, v);
    }
}

/* The class of the memory that a pointer of this value leads to, by its type, else by the value; and its place there.
 */
static unsigned class_of(const struct cursor *c, uint64_t *addr)
{
    Dwarf_Die type = c->type;
    const struct gpudbg_dwarf *rules = c->ev->loaded->image->isa->dwarf;
    struct gpudbg_error ignored = {0};
    if (die_class(&type) || !rules->aperture || !c->ev->running->machine) return die_class(&type);
    const struct gpudbg_wave *w = machine_wave(c->ev->running->machine, c->wave, &ignored);
    return w ? rules->aperture(w, addr) : 0;
}

/* The register that holds a half as a float; NULL: it is no such. */
static const struct dwarf_part *widened_part(const struct cursor *c)
{
    unsigned byte;
    const struct dwarf_part *part = c->place.where == DWARF_REGISTERS ? dwarf_part_at(&c->place, c->place.offset, &byte)
                                                                      : NULL;
    return part && part->widened ? part : NULL;
}

/* The value of a number or a pointer.  One into the work-item's own memory has no address of one number. */
static bool cursor_value(const struct cursor *c, struct value *v, struct gpudbg_error *err)
{
    Dwarf_Die type = c->type, to;
    uint8_t bytes[8] = {0};
    uint64_t bits = 0;
    *v = (struct value){.type = die_number(&type)};
    const struct dwarf_part *wide = widened_part(c);
    const unsigned size = v->type.bits / 8;
    if (wide) {
        uint32_t word;
        *v = (struct value){.type = {VALUE_FLOAT, 32}};
        if (!dwarf_part_word(c->ev, c->wave, c->lane, c->place.caller, wide, &word, err)) return false;
        value_set_bits(v, word);
        return true;
    }
    if (!dwarf_place_read(c->ev, c->wave, c->lane, &c->place, bytes, size, err)) return false;
    for (unsigned i = 8; i-- > 0;) bits = bits << 8 | bytes[i];
    set_place(c, v);
    value_set_bits(v, bits);
    if (!die_is_pointer(&type)) return true;
    const struct gpudbg_dwarf *rules = c->ev->loaded->image->isa->dwarf;
    const unsigned class = class_of(c, &bits);
    v->place = PLACE_NONE;
    if (class && class == rules->own_class) {
        v->own = v->mask = true;
    } else {
        v->address = true;
        v->space = class && class == rules->local_class ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
        v->u = bits;
        v->type.bits = 64;
        if (die_type(&type, &to)) v->element = die_number(&to);
    }
    return true;
}

/* From a pointer to what it points at, which is of this type. */
static bool point_at(struct cursor *c, const Dwarf_Die *to, struct gpudbg_error *err)
{
    struct value v;
    if (!cursor_value(c, &v, err)) return false;
    if (v.own) class_of(c, &v.u);
    Dwarf_Die each = *to;
    v.u += (uint64_t)c->plus * die_bytes(&each);
    c->plus = 0;
    c->place = (struct dwarf_place){.where = v.own ? DWARF_OWN : DWARF_MEMORY, .number = v.u, .space = v.space};
    c->type = *to;
    return true;
}

static void cursor_text(const struct cursor *c, struct text *t, int depth);
static void add_target(const struct cursor *c, struct value *v, struct text *t);

/* So many of what the cursor is on, `each` bytes apart. */
static void elements_text(const struct cursor *c, struct text *t, uint64_t count, uint64_t each, int depth)
{
    struct cursor one = *c;
    text_add(t, "{");
    for (uint64_t i = 0; i < count; i++) {
        text_add(t, i ? ", " : "");
        if (i == ELEMENTS || text_room(t) < 32) {
            text_add(t, "...");
            break;
        }
        cursor_text(&one, t, depth + 1);
        dwarf_place_move(&one.place, each);
    }
    text_add(t, "}");
}

static void array_text(const struct cursor *c, struct text *t, int depth)
{
    struct cursor one = *c;
    struct die_array a;
    if (!die_array(&one.type, c->indexed, &a)) return;
    one.indexed++;
    if (!a.left) {
        one.indexed = 0;
        one.type = a.element;
    }
    elements_text(&one, t, a.length, a.each, depth);
}

static void group_text(const struct cursor *c, struct text *t, int depth)
{
    Dwarf_Die group = c->type, member;
    uint64_t offset;
    text_add(t, "{");
    for (bool first = true; die_next_member(&group, &member, first, &offset); first = false) {
        struct cursor one = *c;
        text_add(t, first ? "" : ", ");
        if (text_room(t) < 64 || !die_type(&member, &one.type)) {
            text_add(t, "...");
            break;
        }
        text_add(t, "%s = ", dwarf_diename(&member));
        dwarf_place_move(&one.place, offset);
        cursor_text(&one, t, depth + 1);
    }
    text_add(t, "}");
}

static void cursor_text(const struct cursor *c, struct text *t, int depth)
{
    struct cursor plain = *c;
    struct value v;
    struct gpudbg_error err = {0};
    if (depth > NESTING)
        text_add(t, "{...}");
    else if (dwarf_tag(&plain.type) == DW_TAG_array_type)
        array_text(c, t, depth);
    else if (die_is_group(&plain.type))
        group_text(c, t, depth);
    else if (!die_number(&plain.type).bits)
        text_add(t, "<%s is not shown>", dwarf_diename(&plain.type) ? dwarf_diename(&plain.type) : "this type");
    else if (cursor_value(c, &v, &err)) {
        text_wrote(t, value_text(c->ev, &v, c->letter, text_end(t), text_room(t)));
        if (!c->letter && die_is_pointer(&plain.type)) add_target(c, &v, t);
    } else
        text_add(t, "<%.200s>", err.message);
}

/* Puts the cursor on a variable; false: it has no value here. */
static bool cursor_on(struct cursor *c, struct scopes *s, Dwarf_Die *variable, struct gpudbg_error *err)
{
    if (!die_type(variable, &c->type))
        return gpudbg_fail(err, "optimised-out", "the debug information gives it no type");
    if (!dwarf_place(c->ev, c->wave, c->lane, c->caller, variable, s->has_function ? &s->function : NULL,
            s->pc - s->base, &c->place, err))
        return false;
    /* Linkers leave addresses in LDS 0 in debug information; where there is one variable alone, that is where it is. */
    const struct gpudbg_kernel *kernel = c->ev->running->machine ? c->ev->running->machine->launch->kernel : NULL;
    if (c->place.where == DWARF_MEMORY && c->place.space == GPUDBG_LOCAL && !c->place.number && kernel &&
        kernel->lds != die_bytes(&c->type))
        return gpudbg_fail(err, "unsupported", "the file does not say where in LDS it is");
    if ((c->place.where == DWARF_OWN || c->place.framed) && s->pc < s->ready)
        return gpudbg_fail(
            err, "optimised-out", "it has no value before the end of the function's prologue, 0x%" PRIx64, s->ready);
    c->place.caller = c->caller;
    return true;
}

static bool seen_before(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

/* ---- Frames ---- */

void locals_forget_frame(struct eval *ev)
{
    free(ev->selection->frame.caller);
    ev->selection->frame.caller = NULL;
    ev->selection->frame.number = 0;
}

/* A copy's registers follow it, aligned as those of a wave are. */
struct gpudbg_wave *locals_copy_wave(const struct gpudbg_wave *w, struct gpudbg_error *err)
{
    const struct gpudbg_machine *m = w->machine;
    const size_t head = (sizeof *w + WAVE_ALIGN - 1) / WAVE_ALIGN * WAVE_ALIGN, words = (size_t)m->wave_words * 4;
    struct gpudbg_wave *copy = aligned_alloc(WAVE_ALIGN, (head + words + WAVE_ALIGN - 1) / WAVE_ALIGN * WAVE_ALIGN);
    if (!copy) {
        alloc_failed(err, head + words, "the registers of a caller");
        return NULL;
    }
    *copy = *w;
    copy->words = (uint32_t *)((char *)copy + head);
    memcpy(copy->words, w->words, words);
    return copy;
}

struct gpudbg_wave *locals_keep_wave(struct eval *ev, struct gpudbg_error *err)
{
    const struct gpudbg_wave *w = machine_wave(ev->running->machine, ev->selection->wave, err);
    return w ? locals_copy_wave(w, err) : NULL;
}

void locals_select_frame(struct eval *ev, unsigned number, unsigned depth, uint64_t pc, struct gpudbg_wave *caller,
    const struct local_frame *frame)
{
    locals_forget_frame(ev);
    ev->selection->frame.caller = caller;
    ev->selection->frame.file = frame->file;
    ev->selection->frame.line = frame->line;
    ev->selection->frame.number = number;
    ev->selection->frame.depth = depth;
    ev->selection->frame.inner = !caller;
    ev->selection->frame.wave = ev->selection->wave;
    ev->selection->frame.pc = location_here(ev);
    ev->selection->frame.position = ev->running->machine ? machine_position(ev->running->machine) : 0;
    ev->selection->frame.its_pc = pc;
}

unsigned locals_frame(struct eval *ev, uint64_t *pc, bool *inner)
{
    const bool still = ev->selection->frame.number && ev->running->machine &&
                       ev->selection->frame.wave == ev->selection->wave &&
                       ev->selection->frame.position == machine_position(ev->running->machine) &&
                       ev->selection->frame.pc == location_here(ev);
    if (!still) ev->selection->frame.number = 0;
    *pc = still ? ev->selection->frame.its_pc : location_here(ev);
    *inner = !still || ev->selection->frame.inner;
    return ev->selection->frame.number;
}

/* The scope of the function that so many are inlined into. */
static int scope_outwards(struct scopes *s, unsigned depth)
{
    int i = 0;
    for (; depth && i < s->n; i++) depth -= dwarf_tag(&s->die[i]) == DW_TAG_inlined_subroutine;
    return i;
}

/* What is in scope for the wave in the frame that is selected, and from which scope outwards; NULL: nothing.  *caller:
 * as in struct cursor. */
static struct scopes *scopes_of(struct eval *ev, uint32_t wave, int *from, struct gpudbg_wave **caller)
{
    struct machine_wave_info info = {.pc = location_here(ev)};
    bool inner = true;
    *from = 0;
    *caller = NULL;
    if (ev->running->machine) {
        machine_wave_info(ev->running->machine, wave, &info);
        if (info.state == GPUDBG_ENDED) return NULL; /* its pc is in nothing of its own */
    }
    const unsigned number = wave == ev->selection->wave ? locals_frame(ev, &info.pc, &inner) : 0;
    struct scopes *s = scopes_at(ev->loaded->image, info.pc);
    if (s && number) *from = scope_outwards(s, ev->selection->frame.depth);
    if (!inner) *caller = ev->selection->frame.caller;
    return s;
}

/* Whether byte `addr` of a pointer into own memory or LDS lies in the place of a variable of that size; *at: where. */
static bool in_place(
    const struct cursor *c, const struct dwarf_place *p, uint64_t size, const struct dwarf_place *target, uint64_t *at)
{
    struct dwarf_place one = *p;
    unsigned space, its;
    uint64_t addr, wanted;
    if (p->where == DWARF_MEMORY && target->where == DWARF_MEMORY) {
        *at = target->number - p->number;
        return p->space == target->space && target->number >= p->number && *at < size;
    }
    if (p->where != DWARF_OWN || !dwarf_place_address(c->ev, c->wave, c->lane, target, 1, &its, &wanted)) return false;
    for (*at = 0; *at < size && *at < WATCHED; ++*at, dwarf_place_move(&one, 1))
        if (dwarf_place_address(c->ev, c->wave, c->lane, &one, 1, &space, &addr) && addr == wanted) return true;
    return false;
}

/* Behind a pointer into the work-item's own memory or LDS: the variable that it points into, of those in scope. */
static void add_target(const struct cursor *c, struct value *v, struct text *t)
{
    struct gpudbg_wave *caller;
    struct gpudbg_error err = {0};
    int from;
    uint64_t at, addr = v->u;
    if (!v->own && v->space != GPUDBG_LOCAL) return; /* value_text has named what global memory it is */
    if (v->own) class_of(c, &addr);
    const struct dwarf_place target = {.where = v->own ? DWARF_OWN : DWARF_MEMORY, .number = addr, .space = v->space};
    struct scopes *s = scopes_of(c->ev, c->wave, &from, &caller);
    for (int i = from; s && i < s->n; i = scopes_around(s, i)) {
        Dwarf_Die die;
        for (bool first = true; die_next_variable(&s->die[i], &die, first); first = false) {
            struct cursor one = {.ev = c->ev, .wave = c->wave, .lane = c->lane, .caller = caller};
            if (!cursor_on(&one, s, &die, &err) || !in_place(c, &one.place, die_bytes(&one.type), &target, &at))
                continue;
            text_add(t, " <%s", dwarf_diename(&die));
            if (at) text_add(t, "+0x%" PRIx64, at);
            text_add(t, ">");
            return;
        }
    }
}

/* The lanes that execute there. */
static uint64_t lanes_of(struct eval *ev, uint32_t wave, const struct gpudbg_wave *caller)
{
    struct machine_wave_info info = {.active = UINT64_MAX};
    if (caller) return caller->machine->isa->run->active(caller);
    if (ev->running->machine) machine_wave_info(ev->running->machine, wave, &info);
    return info.lost_mask ? UINT64_MAX : info.active;
}

static bool has_parts(const struct cursor *c)
{
    Dwarf_Die type = c->type;
    return die_is_group(&type) || dwarf_tag(&type) == DW_TAG_array_type;
}

static void row_value(struct cursor *c, struct local_row *row)
{
    row->parts = has_parts(c);
    struct text value = text_in(row->value, sizeof row->value);
    cursor_text(c, &value, 0);
    dwarf_place_text(c->ev, &c->place, die_bytes(&c->type), row->place, sizeof row->place);
}

void locals_each(struct eval *ev, uint32_t wave, int lane, bool (*each)(void *to, const struct local_row *), void *to)
{
    struct gpudbg_wave *caller;
    int from;
    struct scopes *s = scopes_of(ev, wave, &from, &caller);
    const char *names[256];
    size_t n = 0;
    bool go = s != NULL;
    const bool off = s && lane >= 0 && lane < 64 && !(lanes_of(ev, wave, caller) >> lane & 1);
    for (int i = from; go && i < s->n; i = scopes_around(s, i)) {
        Dwarf_Die die;
        const bool outermost = dwarf_tag(&s->die[i]) == DW_TAG_compile_unit;
        for (bool first = true; go && die_next_variable(&s->die[i], &die, first); first = false) {
            struct cursor c = {.ev = ev, .wave = wave, .lane = lane, .caller = caller};
            struct gpudbg_error err = {0};
            struct local_row row = {.name = dwarf_diename(&die),
                .function = s->has_function ? dwarf_diename(&s->function) : NULL,
                .parameter = dwarf_tag(&die) == DW_TAG_formal_parameter,
                .global = outermost};
            if (seen_before(names, n, row.name)) /* a variable further in has its name */
                continue;
            if (n < sizeof names / sizeof *names) names[n++] = row.name;
            die_type_text(&die, row.type, sizeof row.type, 0);
            if (cursor_on(&c, s, &die, &err)) {
                row_value(&c, &row);
                struct text place = text_behind(row.place, sizeof row.place);
                if (off && (c.place.where == DWARF_OWN || c.place.where == DWARF_REGISTERS))
                    text_add(&place, " (the lane is off)");
            } else {
                snprintf(row.value, sizeof row.value, "<%.200s>", err.message);
            }
            go = each(to, &row);
        }
    }
}

const char *locals_name(struct eval *ev, size_t n)
{
    struct gpudbg_wave *caller;
    int from;
    struct scopes *s = scopes_of(ev, ev->selection->wave, &from, &caller);
    Dwarf_Die die;
    for (int i = from; s && i < s->n; i = scopes_around(s, i))
        for (bool first = true; die_next_variable(&s->die[i], &die, first); first = false)
            if (n-- == 0) return dwarf_diename(&die);
    return NULL;
}

/* ---- What a function returned ---- */

/* The place of what the function around pc returns; *c has the rest. */
static enum returned_how returned_at(struct cursor *c, struct scopes *s, const char **why)
{
    const struct gpudbg_isa *isa = c->ev->loaded->image ? c->ev->loaded->image->isa : NULL;
    *why = NULL;
    if (!s || !s->has_function || !isa || !isa->dwarf || !die_type(&s->function, &c->type)) return RETURNED_UNKNOWN;
    *why = "";
    return returned_place(isa->dwarf, &s->function, &c->type, c->lane, &c->place, why);
}

bool locals_returns_in_memory(struct eval *ev, uint64_t pc)
{
    const char *why;
    struct cursor c = {.ev = ev};
    return returned_at(&c, scopes_at(ev->loaded->image, pc), &why) == RETURNED_MEMORY;
}

/* From the register that led to the memory, when the function was called, to that memory. */
static bool returned_through(struct cursor *c, struct gpudbg_wave *called, const char **why)
{
    uint32_t word[2] = {0};
    struct gpudbg_error err = {0};
    const unsigned words = c->place.parts == 2 ? 2 : 1;
    *why = "it is in memory, and recorded time does not reach the call, which says where";
    if (!called) return false;
    for (unsigned i = 0; i < words; i++)
        if (!dwarf_part_word(c->ev, c->wave, c->lane, called, &c->place.part[i], &word[i], &err)) return false;
    c->place = words == 2 ? (struct dwarf_place){.where = DWARF_MEMORY,
                                .number = word[0] | (uint64_t)word[1] << 32,
                                .space = GPUDBG_GLOBAL}
                          : (struct dwarf_place){.where = DWARF_OWN, .number = word[0]};
    return true;
}

bool locals_returned(
    struct eval *ev, uint64_t pc, uint32_t wave, int lane, struct gpudbg_wave *called, struct local_row *row)
{
    const char *why;
    struct scopes *s = scopes_at(ev->loaded->image, pc);
    struct cursor c = {.ev = ev, .wave = wave, .lane = lane};
    const enum returned_how how = returned_at(&c, s, &why);
    if (!why) return false;
    *row = (struct local_row){.name = dwarf_diename(&s->function)};
    row->function = row->name;
    die_type_text(&s->function, row->type, sizeof row->type, 0);
    if (lane >= 0 && lane < 64 && !(lanes_of(ev, wave, NULL) >> lane & 1))
        snprintf(row->value, sizeof row->value, "<the lane is off>");
    else if (how == RETURNED_REGISTERS || (how == RETURNED_MEMORY && returned_through(&c, called, &why)))
        row_value(&c, row);
    else
        snprintf(row->value, sizeof row->value, "<not known: %s>", why);
    return true;
}

size_t locals_frames(struct eval *ev, uint64_t pc, struct local_frame *frame, size_t most)
{
    struct scopes *s = scopes_at(ev->loaded->image, pc);
    size_t n = 0;
    const struct gpudbg_line *row = ev->loaded->image ? gpudbg_image_line(ev->loaded->image, pc) : NULL;
    struct local_frame at = {.file = row ? row->file : NULL, .line = row ? row->line : 0};
    for (int i = 0; s && i < s->n && n < most; i++) {
        const int tag = dwarf_tag(&s->die[i]);
        Dwarf_Attribute a;
        Dwarf_Word line;
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
        at.name = dwarf_diename(&s->die[i]);
        at.inlined = tag == DW_TAG_inlined_subroutine;
        frame[n++] = at;
        if (!at.inlined) break;
        if (dwarf_attr(&s->die[i], DW_AT_call_line, &a) && dwarf_formudata(&a, &line) == 0) at.line = (uint32_t)line;
    }
    if (!n && most) {
        const struct gpudbg_symbol *symbol = ev->loaded->image ? gpudbg_image_symbol_at(ev->loaded->image, pc) : NULL;
        at.name = symbol ? symbol->name : NULL;
        frame[n++] = at;
    }
    return n;
}

/* ---- In expressions ---- */

/* The innermost variable of that name, from a scope outwards. */
static bool variable_named(struct scopes *s, int from, const char *name, size_t len, Dwarf_Die *die)
{
    for (int i = from; i < s->n; i = scopes_around(s, i))
        for (bool first = true; die_next_variable(&s->die[i], die, first); first = false) {
            const char *its = dwarf_diename(die);
            if (strlen(its) == len && memcmp(its, name, len) == 0) return true;
        }
    return false;
}

/* "[i]" behind an array or a pointer. */
static bool take_index(struct parser *p, struct cursor *c)
{
    struct value index;
    Dwarf_Die pointer = c->type;
    struct die_array a = {.left = 0};
    if (!parse_expression(p, &index) || !parser_expect(p, "]") || !value_one(&index, p->err)) return false;
    index = value_convert(&index, (struct value_type){VALUE_SIGNED, 64});
    if (die_is_pointer(&pointer)) {
        if (!die_type(&pointer, &a.element) || !(a.each = die_bytes(&a.element)))
            return gpudbg_fail(p->err, "unsupported", "the type that it points to has no size");
        if (!point_at(c, &a.element, p->err)) return false;
    } else if (!die_array(&c->type, c->indexed, &a) || index.u >= a.length) {
        return gpudbg_fail(
            p->err, "out-of-range", "[%" PRId64 "]: the array has %" PRIu64 " elements", index.i, a.length);
    }
    dwarf_place_move(&c->place, index.u * a.each);
    c->indexed = a.left ? c->indexed + 1 : 0;
    if (!a.left) c->type = a.element;
    return true;
}

/* ".name" behind a structure. */
static bool take_member(struct parser *p, struct cursor *c)
{
    Dwarf_Die group = c->type, member;
    uint64_t offset;
    size_t len = 0;
    while (isalnum((unsigned char)p->at[len]) || p->at[len] == '_') len++;
    for (bool first = true; die_next_member(&group, &member, first, &offset); first = false)
        if (strlen(dwarf_diename(&member)) == len && memcmp(dwarf_diename(&member), p->at, len) == 0 &&
            die_type(&member, &c->type)) {
            dwarf_place_move(&c->place, offset);
            p->at += len;
            return true;
        }
    return gpudbg_fail(p->err, "no-such-name", "%s has no member \"%.*s\"",
        dwarf_diename(&c->type) ? dwarf_diename(&c->type) : "the type", (int)len, p->at);
}

/* Letters of a name of the source. */
static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_') n++;
    return isdigit((unsigned char)*at) ? 0 : n;
}

/* ".x" to ".w" or ".s0" to ".sf" behind a vector. */
static bool take_component(struct parser *p, struct cursor *c)
{
    static const char xyzw[] = "xyzw", hex[] = "0123456789abcdef";
    struct die_array a;
    const char *at = p->at;
    const bool numbered = at[0] == 's' || at[0] == 'S';
    const char *which = strchr(numbered ? hex : xyzw, numbered ? tolower((unsigned char)at[1]) : at[0]);
    const size_t len = numbered ? 2 : 1;
    const uint64_t i = which && *which ? (uint64_t)(which - (numbered ? hex : xyzw)) : UINT64_MAX;
    if (isalnum((unsigned char)at[len]) || !die_array(&c->type, 0, &a) || i >= a.length)
        return gpudbg_fail(p->err, "no-such-name", "a vector has no component \"%.*s\"", (int)name_length(at), at);
    dwarf_place_move(&c->place, i * a.each);
    c->type = a.element;
    p->at += len;
    return true;
}

/* What follows the name: [i] .member ->member */
static bool take_rest(struct parser *p, struct cursor *c)
{
    for (;;) {
        Dwarf_Die type = c->type, to;
        const bool pointer = die_is_pointer(&type), points = pointer && die_type(&type, &to);
        if (((pointer && points) || dwarf_tag(&type) == DW_TAG_array_type) && parser_accept(p, "[")) {
            if (!take_index(p, c)) return false;
        } else if (die_is_vector(&type) && !c->indexed && parser_accept(p, ".")) {
            if (!take_component(p, c)) return false;
        } else if (die_is_group(&type) && parser_accept(p, ".")) {
            if (!take_member(p, c)) return false;
        } else if (points && die_is_group(&to) && parser_accept(p, "->")) {
            if (!point_at(c, &to, p->err) || !take_member(p, c)) return false;
        } else {
            return true;
        }
    }
}

/* An array in memory is its address for the rest of an expression. */
static bool array_address(const struct cursor *c, struct value *v)
{
    Dwarf_Die array = c->type, element;
    if (dwarf_tag(&array) != DW_TAG_array_type || c->place.where != DWARF_MEMORY || !die_type(&array, &element))
        return false;
    *v = (struct value){.type = {VALUE_UNSIGNED, 64},
        .u = c->place.number,
        .address = true,
        .space = (uint8_t)c->place.space,
        .element = die_number(&element)};
    return true;
}

/* Which pointers a `*` before a name follows here: those into memory of its own, and ...; what is left is the
 * expression language's. */
enum follow { NUMBERS, GROUPS, ALWAYS };

/* What a pointer points at, where the expression language does not know: a structure or an array, and anything in
 * memory of its own. */
static bool follow_pointer(struct cursor *c, enum follow follow)
{
    struct gpudbg_error err = {0};
    Dwarf_Die pointer = c->type, to;
    if (!die_is_pointer(&pointer) || !die_type(&pointer, &to) || !die_bytes(&to)) return false;
    struct value v;
    const bool number = die_number(&to).bits != 0;
    const bool here = number ? follow == ALWAYS || (cursor_value(c, &v, &err) && v.own) : follow != NUMBERS;
    return here && point_at(c, &to, &err);
}

static enum local_found take_variable(struct parser *p, struct cursor *c, enum follow kind);

/* "(p + 1)": a pointer to structures and a number of them, in brackets.  Behind other pointers + counts bytes, as the
 * expression language has it. */
static enum local_found take_sum(struct parser *p, struct cursor *c)
{
    Dwarf_Die to, type;
    const enum local_found found = take_variable(p, c, GROUPS);
    if (found != LOCAL_VALUE) return LOCAL_NONE;
    for (parser_blanks(p); *p->at == '+' || *p->at == '-'; parser_blanks(p)) {
        struct value by;
        const bool minus = *p->at++ == '-';
        type = c->type;
        if (!die_is_pointer(&type) || !die_type(&type, &to) || die_number(&to).bits || !parse_unary(p, &by) ||
            !value_one(&by, p->err))
            return LOCAL_NONE;
        by = value_convert(&by, (struct value_type){VALUE_SIGNED, 64});
        c->plus += minus ? -by.i : by.i;
    }
    return parser_accept(p, ")") ? LOCAL_VALUE : LOCAL_NONE;
}

/* Puts the cursor on the variable that stands at p->at, and what follows its name.  LOCAL_VALUE: it is there. */
static enum local_found take_variable(struct parser *p, struct cursor *c, enum follow kind)
{
    Dwarf_Die die;
    const bool follow = parser_accept(p, "*");
    parser_blanks(p);
    if (*p->at == '(' && p->depth < 50) {
        const bool inside = p->inside;
        p->at++;
        p->depth++;
        p->inside = true;
        const enum local_found found = take_sum(p, c);
        p->inside = inside;
        p->depth--;
        if (found != LOCAL_VALUE) return LOCAL_NONE;
        const char *end = p->at;
        if (!take_rest(p, c)) return LOCAL_FAILED;
        if (follow && !follow_pointer(c, kind)) return LOCAL_NONE;
        c->inside = true;
        /* A pointer that was only added to is the expression language's. */
        return follow || p->at > end ? LOCAL_VALUE : LOCAL_NONE;
    }
    const size_t len = name_length(p->at);
    int from;
    *c = (struct cursor){.ev = p->ev, .wave = p->wave, .lane = p->lane, .letter = c->letter};
    struct scopes *s = len ? scopes_of(p->ev, p->wave, &from, &c->caller) : NULL;
    if (!s || !variable_named(s, from, p->at, len, &die)) return LOCAL_NONE;
    if (!cursor_on(c, s, &die, p->err)) return LOCAL_LOST;
    c->name = p->at;
    p->at += len;
    parser_blanks(p);
    const char *rest = p->at;
    if (!take_rest(p, c)) return LOCAL_FAILED;
    c->inside = p->at > rest || follow;
    return follow && !follow_pointer(c, kind) ? LOCAL_NONE : LOCAL_VALUE;
}

static enum local_found find(struct parser *p, struct value *v)
{
    struct cursor c = {.letter = 0};
    enum local_found found = take_variable(p, &c, NUMBERS);
    if (found == LOCAL_VALUE && die_number(&c.type).bits)
        found = cursor_value(&c, v, p->err) ? LOCAL_VALUE : LOCAL_FAILED;
    else if (found == LOCAL_VALUE && !array_address(&c, v))
        found = LOCAL_TEXT;
    if (found == LOCAL_FAILED && p->err->kind && strcmp(p->err->kind, "optimised-out") == 0) {
        p->at = c.name; /* a part of it; the name may mean something else */
        return LOCAL_LOST;
    }
    return found;
}

enum local_found locals_parse(struct parser *p, struct value *v) { return find(p, v); }

enum local_found locals_address(struct parser *p, struct value *v)
{
    struct cursor c = {.letter = 0};
    unsigned space;
    if (!parser_accept(p, "&") || take_variable(p, &c, GROUPS) != LOCAL_VALUE || die_number(&c.type).bits)
        return LOCAL_NONE; /* of a number it is the expression language's */
    *v = (struct value){.type = {VALUE_UNSIGNED, 64}, .address = true};
    if (!dwarf_place_address(c.ev, c.wave, c.lane, &c.place, 1, &space, &v->u)) return LOCAL_NONE;
    v->space = (uint8_t)space;
    return LOCAL_VALUE;
}

enum local_found locals_sizeof(struct parser *p, struct value *v)
{
    struct cursor c = {.letter = 0};
    struct gpudbg_wave *caller;
    struct value_type type;
    Dwarf_Die die;
    int from;
    if (strncmp(p->at, "sizeof", 6) != 0 || name_length(p->at) != 6) return LOCAL_NONE;
    p->at += 6;
    const bool bracket = parser_accept(p, "(");
    parser_blanks(p);
    if (bracket && (strncmp(p->at, "struct ", 7) == 0 || strncmp(p->at, "union ", 6) == 0))
        p->at += *p->at == 's' ? 7 : 6;
    const size_t len = name_length(p->at);
    struct scopes *s = scopes_of(p->ev, p->wave, &from, &caller);
    uint64_t bytes = 0;
    if (bracket && len && type_named(p->at, len, &type)) {
        bytes = type.bits / 8;
        p->at += len;
    } else if (bracket && len && s && !variable_named(s, from, p->at, len, &die) &&
               scopes_type_named(s, p->at, len, &die) && dwarf_peel_type(&die, &die) == 0) {
        bytes = die_bytes(&die);
        p->at += len;
    } else {
        if (take_variable(p, &c, ALWAYS) != LOCAL_VALUE) return LOCAL_NONE;
        struct die_array a;
        bytes = die_bytes(&c.type);
        if (c.indexed && die_array(&c.type, c.indexed, &a)) bytes = a.length * a.each;
    }
    if (bracket && !parser_accept(p, ")")) return LOCAL_NONE;
    *v = value_unsigned(bytes, 64);
    return LOCAL_VALUE;
}

void locals_shape_text(
    struct eval *ev, const struct local_memory *m, const uint8_t *bytes, size_t n, char *buf, size_t size)
{
    struct cursor c = {.ev = ev, .place = {.where = DWARF_BYTES, .bytes = bytes, .number = n}};
    struct text t = text_in(buf, size);
    if (!scopes_type(ev->loaded->image, m->shape, &c.type)) return;
    if (m->count)
        elements_text(&c, &t, m->count, die_bytes(&c.type), 0);
    else
        cursor_text(&c, &t, 0);
    for (char *at = buf; size && *at; at++) *at = text_shown(*at); /* names of members are the file's: one line */
}

/* "@N" behind it: so many, one behind another. */
static bool take_count(struct parser *p, uint64_t *count)
{
    struct value v;
    *count = 0;
    if (!parser_accept(p, "@")) return true;
    if (!parse_expression(p, &v) || !value_one(&v, p->err)) return false;
    v = value_convert(&v, (struct value_type){VALUE_SIGNED, 64});
    *count = v.u;
    return (v.i > 0 && v.u <= UINT32_MAX) ||
           gpudbg_fail(p->err, "out-of-range", "@%" PRId64 ": a count of at least 1", v.i);
}

bool locals_text(struct eval *ev, const char *expr, char letter, char *buf, size_t size)
{
    struct gpudbg_error err = {0};
    struct parser p = {.ev = ev, .at = expr, .wave = ev->selection->wave, .lane = ev->selection->lane, .err = &err};
    struct cursor c = {.letter = letter};
    uint64_t count;
    if (take_variable(&p, &c, strchr(expr, '@') ? ALWAYS : GROUPS) != LOCAL_VALUE || !take_count(&p, &count) || *p.at ||
        (!count && die_number(&c.type).bits))
        return false;
    struct text t = text_in(buf, size);
    if (count)
        elements_text(&c, &t, count, die_bytes(&c.type), 0);
    else
        cursor_text(&c, &t, 0);
    for (char *at = buf; size && *at; at++) *at = text_shown(*at); /* names of members are the file's: one line */
    return true;
}

static bool give_part(struct cursor *c, const char *name, const struct local_part *like,
    bool (*each)(void *to, const struct local_part *), void *to)
{
    struct local_part part = *like;
    struct text t = text_in(part.value, sizeof part.value);
    part.name = name;
    part.parts = has_parts(c);
    cursor_text(c, &t, 0);
    for (char *at = part.value; *at; at++) *at = text_shown(*at);
    return each(to, &part);
}

bool locals_parts(struct eval *ev, const char *expr, uint64_t first, uint64_t most, uint64_t *count,
    bool (*each)(void *to, const struct local_part *), void *to)
{
    struct gpudbg_error err = {0};
    struct parser p = {.ev = ev, .at = expr, .wave = ev->selection->wave, .lane = ev->selection->lane, .err = &err};
    struct cursor c = {.letter = 0};
    struct local_part like = {.name = NULL};
    struct die_array a;
    char name[160];
    *count = 0;
    if (take_variable(&p, &c, GROUPS) != LOCAL_VALUE || *p.at || !has_parts(&c)) return false;
    Dwarf_Die type = c.type, member;
    uint64_t offset;
    if (die_is_group(&type)) {
        for (bool begin = true; die_next_member(&type, &member, begin, &offset); begin = false) {
            struct cursor one = c;
            const uint64_t i = (*count)++;
            if (i < first || i - first >= most || !die_type(&member, &one.type)) continue;
            dwarf_place_move(&one.place, offset);
            one.inside = true;
            snprintf(name, sizeof name, ".%s", dwarf_diename(&member));
            die_type_text(&member, like.type, sizeof like.type, 0);
            if (!give_part(&one, name, &like, each, to)) most = 0;
        }
        return true;
    }
    if (!die_array(&type, c.indexed, &a)) return false;
    *count = a.length;
    for (uint64_t i = first; i < a.length && i - first < most; i++) {
        struct cursor one = c;
        dwarf_place_move(&one.place, i * a.each);
        one.inside = true;
        one.indexed = a.left ? c.indexed + 1 : 0;
        if (!a.left) one.type = a.element;
        snprintf(name, sizeof name, "[%" PRIu64 "]", i);
        if (!give_part(&one, name, &like, each, to)) break;
    }
    return true;
}

/* Adds what lies at addr to the last piece, or as a new one. */
static void add_piece(struct local_memory *m, uint64_t addr, uint64_t size)
{
    struct memory_piece *last = m->npieces ? &m->piece[m->npieces - 1] : NULL;
    if (last && last->addr + last->size == addr) {
        last->size += size;
        return;
    }
    m->piece = xrealloc(m->piece, m->npieces + 1, sizeof *m->piece);
    m->piece[m->npieces++] = (struct memory_piece){addr, size};
}

enum local_found locals_memory(struct eval *ev, const char *expr, struct local_memory *m, struct gpudbg_error *err)
{
    struct parser p = {.ev = ev, .at = expr, .wave = ev->selection->wave, .lane = ev->selection->lane, .err = err};
    struct cursor c = {.letter = 0};
    uint64_t count;
    *m = (struct local_memory){0};
    const enum local_found found = take_variable(&p, &c, GROUPS);
    if (found != LOCAL_VALUE) return found;
    if (!take_count(&p, &count)) return LOCAL_FAILED;
    if (*p.at || (die_is_pointer(&c.type) && !count)) return LOCAL_NONE; /* a pointer means what it points at */
    m->size = die_bytes(&c.type) * (count ? count : 1);
    m->type = count ? (struct value_type){0} : die_number(&c.type);
    m->shape = c.indexed ? 0 : scopes_number(ev->loaded->image, &c.type);
    m->count = count;
    if (m->type.bits) m->size = m->type.bits / 8;
    const bool in_memory = c.place.where == DWARF_MEMORY || c.place.where == DWARF_OWN;
    if (!in_memory || !m->size || m->size > WATCHED) {
        gpudbg_fail(err, "unsupported",
            !in_memory ? "%.60s is in a register here: watch that register, which `info locals` names"
                       : "%.60s: its size cannot be watched",
            expr);
        return LOCAL_FAILED;
    }
    for (uint64_t at = 0, n; at < m->size; at += n) { /* the work-item's own memory is cut into dwords */
        struct dwarf_place one = c.place;
        uint64_t addr;
        dwarf_place_move(&one, at);
        n = c.place.where == DWARF_MEMORY ? m->size : 4 - one.number % 4;
        if (n > m->size - at) n = m->size - at;
        if (!dwarf_place_address(ev, p.wave, p.lane, &one, n, &m->space, &addr)) {
            free(m->piece);
            gpudbg_fail(err, "out-of-range", "%.60s lies outside of the work-item's memory", expr);
            return LOCAL_FAILED;
        }
        add_piece(m, addr, n);
    }
    return LOCAL_VALUE;
}

bool locals_named(struct eval *ev, uint64_t pc, const char *expr)
{
    struct scopes *s = scopes_at(ev->loaded->image, pc);
    Dwarf_Die die;
    for (const char *p = expr; s && *p;) {
        const size_t len = name_length(p);
        if (len && (p == expr || p[-1] != '$') && variable_named(s, 0, p, len, &die)) return true;
        p += len ? len : 1;
    }
    return false;
}
