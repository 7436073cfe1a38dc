/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * returned.c: two shapes of calling conventions.  `returned` counts dwords: each number of a value has one or two of
 * its own, in the order of the source.  `returned_in` keeps the components of all lanes one behind another.
 */
#include "eval/returned.h"
#include <dwarf.h>
#include "image/dwarf_type.h"

#define NESTING 6       /* of structures and arrays */
#define AGGREGATE 16    /* dwords of a structure that registers return, at most, as clang counts them */
#define IN_REGISTERS 32 /* dwords of any value: LLVM returns more in memory */
#define LOOKED_AT 65536 /* members and elements, again for each use of a type: a file may nest them without end */
#define VECTOR 1024     /* bytes; OpenCL's longest has 128 */

/* ---- Each number has dwords of its own ---- */

struct flat {
    const struct gpudbg_dwarf *rules;
    struct dwarf_place *place;
    uint64_t end;    /* bytes of the value that have parts */
    uint64_t dwords; /* registers that they take */
    unsigned work;   /* members and elements that were looked at */
    const char *why; /* it cannot be said */
};

static bool cannot(struct flat *f, const char *why)
{
    f->why = why;
    return false;
}

static uint64_t up(uint64_t n, uint64_t to) { return to ? (n + to - 1) / to * to : n; }

/* The next member of a structure, also one that has no name; none when there was too much work. */
static bool next_member(Dwarf_Die *group, Dwarf_Die *member, bool first, uint64_t *offset, unsigned *work)
{
    Dwarf_Attribute at;
    Dwarf_Word n = 0;
    if (++*work > LOOKED_AT) return false;
    int more = first ? dwarf_child(group, member) : dwarf_siblingof(member, member);
    while (more == 0 && dwarf_tag(member) != DW_TAG_member) more = dwarf_siblingof(member, member);
    *offset = more == 0 && dwarf_attr(member, DW_AT_data_member_location, &at) && !dwarf_formudata(&at, &n) ? n : 0;
    return more == 0;
}

/* What a compiler aligns a type to by itself; 0: not known. */
static uint64_t alignment(Dwarf_Die *type, unsigned depth, unsigned *work)
{
    struct die_array a;
    Dwarf_Die member, its;
    uint64_t most = 0, offset;
    if (depth > NESTING) return 0;
    if (dwarf_tag(type) == DW_TAG_array_type) {
        if (!die_array(type, 0, &a)) return 0;
        if (!die_is_vector(type)) return alignment(&a.element, depth + 1, work);
        if (!a.length || a.length > VECTOR || a.each > VECTOR / a.length) return 0;
        while (most < a.length * a.each) most = most ? 2 * most : 1;
        return most;
    }
    if (!die_is_group(type)) return die_number(type).bits / 8;
    for (bool first = true; next_member(type, &member, first, &offset, work); first = false) {
        const uint64_t one = die_type(&member, &its) ? alignment(&its, depth + 1, work) : 0;
        if (!one) return 0;
        if (one > most) most = one;
    }
    return most;
}

/* Bytes that no register holds. */
static bool add_gap(struct flat *f, uint64_t to)
{
    struct dwarf_place *p = f->place;
    if (to < f->end || to - f->end > UINT8_MAX) return cannot(f, "its members overlap or lie far apart");
    if (to > f->end && p->parts < PLACE_PARTS)
        p->part[p->parts++] = (struct dwarf_part){.file = DWARF_NOWHERE, .bytes = (uint8_t)(to - f->end)};
    f->end = to;
    return true;
}

/* A number at byte `at` of the value. */
static bool add_number(struct flat *f, uint64_t at, unsigned bytes, bool widened)
{
    struct dwarf_place *p = f->place;
    if (!add_gap(f, at)) return false;
    for (unsigned done = 0; done < bytes; done += 4, f->dwords++) {
        unsigned file = 0, reg = 0;
        if (p->parts >= PLACE_PARTS || !f->rules->returned((unsigned)f->dwords, &file, &reg)) continue;
        p->part[p->parts++] = (struct dwarf_part){.file = (uint16_t)file,
            .reg = (uint16_t)reg,
            .bytes = (uint8_t)(bytes < 4 ? bytes : 4),
            .widened = widened};
    }
    f->end = at + bytes;
    return true;
}

static bool add_type(struct flat *f, Dwarf_Die *type, uint64_t at, unsigned depth);

static bool add_elements(struct flat *f, Dwarf_Die *type, uint64_t at, unsigned depth)
{
    struct die_array a;
    if (!die_array(type, 0, &a) || !a.each) return cannot(f, "an array of it has no length");
    const uint64_t each = die_bytes(&a.element), count = each ? a.length * (a.each / each) : 0;
    for (uint64_t i = 0; i < count && f->dwords <= IN_REGISTERS && ++f->work <= LOOKED_AT; i++)
        if (!add_type(f, &a.element, at + i * each, depth + 1)) return false;
    return true;
}

/* A union is as its member of the strictest alignment, the largest of those, and bytes behind it. */
static bool add_union(struct flat *f, Dwarf_Die *type, uint64_t at, unsigned depth)
{
    Dwarf_Die member, its, best;
    uint64_t offset, strictest = 0, largest = 0;
    for (bool first = true; next_member(type, &member, first, &offset, &f->work); first = false) {
        const uint64_t one = die_type(&member, &its) ? alignment(&its, 0, &f->work) : 0;
        if (!one) return cannot(f, "the alignment of a member is not known");
        if (one < strictest || (one == strictest && die_bytes(&its) <= largest)) continue;
        strictest = one;
        largest = die_bytes(&its);
        best = its;
    }
    if (!largest || !add_type(f, &best, at, depth + 1)) return cannot(f, f->why ? f->why : "a union of it is empty");
    for (const uint64_t end = at + die_bytes(type); f->end < end && f->dwords <= IN_REGISTERS;)
        if (!add_number(f, f->end, 1, false)) return false;
    return true;
}

/* What a type takes in a structure: a vector of three is as large as one of four. */
static uint64_t taken(struct flat *f, Dwarf_Die *type)
{
    return die_is_vector(type) ? alignment(type, 0, &f->work) : die_bytes(type);
}

static bool add_group(struct flat *f, Dwarf_Die *type, uint64_t at, unsigned depth)
{
    Dwarf_Die member, its;
    uint64_t offset, here = 0;
    if (dwarf_tag(type) == DW_TAG_union_type) return add_union(f, type, at, depth);
    for (bool first = true; next_member(type, &member, first, &offset, &f->work); first = false) {
        const uint64_t one = die_type(&member, &its) ? alignment(&its, 0, &f->work) : 0;
        if (!one || dwarf_hasattr(&member, DW_AT_bit_size) || dwarf_hasattr(&member, DW_AT_data_bit_offset))
            return cannot(f, "the layout of a member is not known");
        if (offset != here && offset != up(here, one)) /* compilers fill such gaps with bytes that have registers */
            return cannot(f, "a member is aligned by an attribute");
        if (!add_type(f, &its, at + offset, depth + 1)) return false;
        here = offset + taken(f, &its);
    }
    const uint64_t size = die_bytes(type);
    return here == size || up(here, alignment(type, 0, &f->work)) == size || cannot(f, "it is aligned by an attribute");
}

static bool add_type(struct flat *f, Dwarf_Die *type, uint64_t at, unsigned depth)
{
    const struct value_type number = die_number(type);
    if (depth > NESTING) return cannot(f, "it is nested too deeply");
    if (dwarf_tag(type) == DW_TAG_array_type) return add_elements(f, type, at, depth);
    if (die_is_group(type)) return add_group(f, type, at, depth);
    if (!number.bits) return cannot(f, "a part of it is not a number");
    return add_number(f, at, number.bits / 8u, number.kind == VALUE_FLOAT && number.bits == 16);
}

/* The only member of a structure, and its only member, that is no structure or array; false: there are others. */
static bool only_member(Dwarf_Die *type, Dwarf_Die *its)
{
    Dwarf_Die member, other;
    uint64_t offset, size = die_bytes(type);
    unsigned work = 0;
    *its = *type;
    for (unsigned depth = 0; die_is_group(its); depth++) {
        Dwarf_Die group = *its;
        if (depth > NESTING || !next_member(&group, &member, true, &offset, &work) || !die_type(&member, its))
            return false;
        other = member;
        if (next_member(&group, &other, false, &offset, &work)) return false;
    }
    return die_bytes(its) == size && (dwarf_tag(its) != DW_TAG_array_type || die_is_vector(its));
}

/* Dwords of a type as clang counts them before it chooses between registers and memory (numRegsForType). */
static uint64_t counted(Dwarf_Die *type, unsigned depth, unsigned *work)
{
    struct die_array a;
    Dwarf_Die member, its;
    uint64_t offset, n = 0;
    if (die_is_vector(type) && die_array(type, 0, &a))
        return a.each == 2 ? (a.length + 1) / 2 : (a.each + 3) / 4 * a.length;
    if (!die_is_group(type) || depth > NESTING) return (die_bytes(type) + 3) / 4;
    for (bool first = true; next_member(type, &member, first, &offset, work); first = false)
        if (die_type(&member, &its)) n += counted(&its, depth + 1, work);
    return n;
}

static bool add_packed(struct flat *f, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += 4)
        if (!add_number(f, at, size - at < 4 ? (unsigned)(size - at) : 4, false)) return false;
    return true;
}

static enum returned_how by_dwords(struct flat *f, Dwarf_Die *type)
{
    Dwarf_Die its;
    const uint64_t size = die_bytes(type);
    unsigned file = 0, reg = 0;
    bool known = true;
    if (!only_member(type, &its)) its = *type;
    if (die_is_group(&its) && size <= f->rules->packed)
        known = add_packed(f, size);
    else if (die_is_group(&its) && counted(type, 0, &f->work) > AGGREGATE)
        f->dwords = IN_REGISTERS + 1;
    else
        known = add_type(f, &its, 0, 0);
    if (f->work > LOOKED_AT) f->why = "its type has too many members";
    if (!known || f->work > LOOKED_AT) return RETURNED_UNKNOWN;
    if (f->dwords <= IN_REGISTERS && f->place->parts < PLACE_PARTS) return RETURNED_REGISTERS;
    f->why = "the convention has no register for it";
    if (f->dwords <= IN_REGISTERS || !f->rules->returned(0, &file, &reg)) return RETURNED_UNKNOWN;
    f->place->part[0] = (struct dwarf_part){.file = (uint16_t)file, .reg = (uint16_t)reg};
    return RETURNED_MEMORY;
}

/* ---- The components of all lanes stand one behind another ---- */

static bool add_returned(const struct gpudbg_dwarf *rules, unsigned width, unsigned lane, unsigned before,
    unsigned bytes, struct dwarf_place *p)
{
    unsigned file, reg, byte, at = 0;
    if (!rules->returned_in(width, lane, before, bytes, &file, &reg, &byte)) return false;
    for (unsigned here; at < bytes; at += here) {
        here = bytes - at < 4 ? bytes - at : 4;
        if (p->parts == PLACE_PARTS) return false;
        p->part[p->parts++] = (struct dwarf_part){.file = (uint16_t)file,
            .reg = (uint16_t)reg,
            .first = (uint8_t)((byte + at) / 4),
            .byte = (byte + at) % 4,
            .bytes = (uint8_t)here};
    }
    return true;
}

#define PLAIN 16 /* bytes of a structure that registers return, at most (ocloc 22.43, observed) */

/* A structure of numbers alone, none of them of 8 bytes, where a member has its place in the registers as it has one in
 * memory.  Others are in memory: with a long, a vector, an array or a structure in them, or larger. */
static bool is_plain(Dwarf_Die *type)
{
    Dwarf_Die member, its;
    uint64_t offset;
    unsigned work = 0;
    if (die_bytes(type) > PLAIN) return false;
    for (bool first = true; next_member(type, &member, first, &offset, &work); first = false)
        if (!die_type(&member, &its) || !die_number(&its).bits || die_number(&its).bits > 32) return false;
    return work <= LOOKED_AT;
}

static bool add_members(
    const struct gpudbg_dwarf *rules, unsigned width, unsigned lane, Dwarf_Die *type, struct dwarf_place *place)
{
    Dwarf_Die member, its;
    struct flat f = {.rules = rules, .place = place};
    uint64_t offset;
    for (bool first = true; next_member(type, &member, first, &offset, &f.work); first = false) {
        const unsigned bytes = die_type(&member, &its) ? die_number(&its).bits / 8u : 0;
        if (!add_gap(&f, offset) || !add_returned(rules, width, lane, (unsigned)offset, bytes, place)) return false;
        f.end = offset + bytes;
    }
    return true;
}

static enum returned_how by_lanes(const struct gpudbg_dwarf *rules, Dwarf_Die *function, Dwarf_Die *type, unsigned lane,
    struct dwarf_place *place, const char **why)
{
    Dwarf_Attribute attribute;
    Dwarf_Word width;
    struct die_array a;
    const uint64_t size = die_bytes(type);
    *why = "the debug information does not say for how many lanes the function is";
    if (!rules->width || !dwarf_attr(function, rules->width, &attribute) || dwarf_formudata(&attribute, &width) ||
        width > 32)
        return RETURNED_UNKNOWN;
    uint64_t each = size;
    if (die_is_vector(type)) {
        if (!die_array(type, 0, &a) || a.left || !(each = a.each)) return RETURNED_UNKNOWN;
    } else if (dwarf_tag(type) == DW_TAG_structure_type && size) {
        const bool plain = is_plain(type), found = plain ? add_members(rules, (unsigned)width, lane, type, place)
                                                         : add_returned(rules, (unsigned)width, lane, 0, 8, place);
        *why = "the convention has no register for it";
        return !found ? RETURNED_UNKNOWN : plain ? RETURNED_REGISTERS : RETURNED_MEMORY;
    } else if (!die_number(type).bits) {
        *why = "how the compiler returns a union is not described";
        return RETURNED_UNKNOWN;
    }
    *why = "the convention has no register for it";
    for (uint64_t at = 0; at < size; at += each)
        if (!add_returned(rules, (unsigned)width, lane, (unsigned)at, (unsigned)each, place)) return RETURNED_UNKNOWN;
    return RETURNED_REGISTERS;
}

enum returned_how returned_place(const struct gpudbg_dwarf *rules, Dwarf_Die *function, Dwarf_Die *type, int lane,
    struct dwarf_place *place, const char **why)
{
    struct flat f = {.rules = rules, .place = place};
    *place = (struct dwarf_place){.where = DWARF_REGISTERS};
    *why = "there is no calling convention";
    if (rules->returned_in) return by_lanes(rules, function, type, lane > 0 ? (unsigned)lane : 0, place, why);
    if (!rules->returned) return RETURNED_UNKNOWN;
    const enum returned_how how = by_dwords(&f, type);
    if (f.why) *why = f.why;
    return how;
}
