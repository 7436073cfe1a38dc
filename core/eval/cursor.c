/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cursor.c: a variable is a place (dwarf_place.h) and a type; indexing, members and pointers move the place and change
 * the type, and only the end is read.
 */
#include "eval/cursor.h"
#include <dwarf.h>
#include <inttypes.h>
#include "eval/dwarf_steps.h"
#include "eval/local_layout.h"
#include "eval/value.h"
#include "image/dwarf_type.h"
#include "image/image.h"
#include "machine/machine.h"

#define NESTING 6     /* of structures that are written out */
#define ELEMENTS 200  /* of an array that are */
#define SEARCHED 4096 /* bytes of a variable in which a pointer's target is looked for */

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

bool cursor_value(const struct cursor *c, struct value *v, struct gpudbg_error *err)
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

bool cursor_follow(struct cursor *c, const Dwarf_Die *to, struct gpudbg_error *err)
{
    struct value v = {0};
    if (!c->shape_only && !cursor_value(c, &v, err)) return false;
    if (v.own) class_of(c, &v.u);
    Dwarf_Die each = *to;
    v.u += (uint64_t)c->plus * die_bytes(&each);
    c->plus = 0;
    c->place = (struct dwarf_place){.where = v.own ? DWARF_OWN : DWARF_MEMORY, .number = v.u, .space = v.space};
    c->type = *to;
    return true;
}

static void add_target(const struct cursor *c, struct value *v, struct text *t);

void cursor_elements(const struct cursor *c, struct text *t, int depth)
{
    struct cursor one = *c;
    one.count = 0;
    text_add(t, "{");
    for (uint64_t i = 0; i < c->count; i++) {
        text_add(t, i ? ", " : "");
        if (i == ELEMENTS || text_room(t) < 32) {
            text_add(t, "...");
            break;
        }
        cursor_text(&one, t, depth + 1);
        dwarf_place_move(&one.place, c->each);
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
    one.count = a.length;
    one.each = a.each;
    cursor_elements(&one, t, depth);
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

void cursor_text(const struct cursor *c, struct text *t, int depth)
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

bool cursor_on(struct cursor *c, struct scopes *s, Dwarf_Die *variable, struct gpudbg_error *err)
{
    if (!die_type(variable, &c->type))
        return gpudbg_fail(err, "optimised-out", "the debug information gives it no type");
    if (!dwarf_place(c->ev, c->wave, c->lane, c->caller, variable, s->has_function ? &s->function : NULL,
            s->pc - s->base, &c->place, err))
        return false;
    /* Linkers leave addresses in LDS 0 in debug information; where there is one variable alone, that is where it is;
     * else the code may say it. */
    const struct gpudbg_kernel *kernel = c->ev->running->machine ? c->ev->running->machine->launch->kernel : NULL;
    if (c->place.where == DWARF_MEMORY && c->place.space == GPUDBG_LOCAL && !c->place.number && kernel &&
        kernel->lds != die_bytes(&c->type) && !local_base(c->ev, s, variable, &c->place.number))
        return gpudbg_fail(err, "unsupported", "the file does not say where in LDS it is");
    if ((c->place.where == DWARF_OWN || c->place.framed) && s->pc < s->ready)
        return gpudbg_fail(
            err, "optimised-out", "it has no value before the end of the function's prologue, 0x%" PRIx64, s->ready);
    c->place.caller = c->caller;
    return true;
}

bool cursor_has_parts(const struct cursor *c)
{
    Dwarf_Die type = c->type;
    return die_is_group(&type) || dwarf_tag(&type) == DW_TAG_array_type;
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
    for (*at = 0; *at < size && *at < SEARCHED; ++*at, dwarf_place_move(&one, 1))
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
    struct scopes *s = locals_scopes(c->ev, c->wave, &from, &caller);
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
