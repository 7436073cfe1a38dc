/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * locals.c: variables through libdw.  A variable is a place (dwarf_place.h) and a type; indexing, members and pointers move the
 * place and change the type, and only the end is read.
 */
#include "locals.h"
#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dwarf_place.h"
#include "image.h"
#include "location.h"
#include "machine.h"
#include "session.h"
#include "value.h"

#define ELF_TYPE 16  /* byte of the header; addresses of what is yet to be linked mean nothing */
#define NESTING 6    /* of structures that are written out */
#define SCOPES 48    /* within each other */
#define ELEMENTS 200 /* of an array that are */

/* What is in scope at an address. */
struct scopes {
    Dwarf_Die die[SCOPES]; /* as they stand in each other: the innermost first, inlined functions in their callers, the unit last */
    int n;
    Dwarf_Die function; /* that the code was made for */
    bool has_function;
    uint64_t pc, ready; /* ready: from here on the function's frame holds what it should */
};

struct locals {
    Elf *elf;
    Dwarf *dwarf; /* NULL: there is none */
    struct scopes last; /* that were looked up */
};

void locals_free(struct locals *l)
{
    if (!l)
        return;
    dwarf_end(l->dwarf);
    elf_end(l->elf);
    free(l);
}

static struct locals *debug_of(const struct gpudbg_image *image)
{
    const bool linked = image && image->size > ELF_TYPE && memcmp(image->bytes, "\177ELF", 4) == 0 && image->bytes[ELF_TYPE] != ET_REL;
    if (!linked || !image->isa || !image->isa->dwarf)
        return NULL;
    struct locals **slot = image_locals(image);
    if (!*slot && (*slot = calloc(1, sizeof **slot))) {
        elf_version(EV_CURRENT);
        /* libelf wants a writable pointer but, in files of the machine's byte order, only reads. */
        (*slot)->elf = elf_memory((char *)(uintptr_t)image->bytes, image->size);
        (*slot)->dwarf = (*slot)->elf ? dwarf_begin_elf((*slot)->elf, DWARF_C_READ, NULL) : NULL;
    }
    return *slot && (*slot)->dwarf ? *slot : NULL;
}

/* ---- Scopes ---- */

/* Where the prologue of a function ends: its first line that is marked so. */
static uint64_t frame_ready(Dwarf_Die *unit, Dwarf_Die *function)
{
    Dwarf_Lines *lines;
    Dwarf_Addr low, high, at;
    size_t n;
    bool ends;
    if (dwarf_lowpc(function, &low) || dwarf_highpc(function, &high) || dwarf_getsrclines(unit, &lines, &n))
        return 0;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i);
        if (dwarf_lineaddr(row, &at) == 0 && at >= low && at < high && dwarf_lineprologueend(row, &ends) == 0 && ends)
            return at;
    }
    return 0;
}

/* The scope within that holds pc. */
static bool scope_within(Dwarf_Die *scope, uint64_t pc, Dwarf_Die *inner)
{
    for (int more = dwarf_child(scope, inner); more == 0; more = dwarf_siblingof(inner, inner)) {
        const int tag = dwarf_tag(inner);
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) && dwarf_haspc(inner, pc) == 1)
            return true;
    }
    return false;
}

static void find_scopes(struct scopes *s, Dwarf_Die *unit)
{
    Dwarf_Die chain[SCOPES] = {*unit};
    int n = 1;
    while (n < SCOPES && scope_within(&chain[n - 1], s->pc, &chain[n]))
        n++;
    for (s->n = 0; s->n < n; s->n++)
        s->die[s->n] = chain[n - 1 - s->n];
}

/* The scopes at pc, good until those of another address are asked for; NULL: there are none. */
static struct scopes *scopes_at(const struct gpudbg_image *image, uint64_t pc)
{
    struct locals *l = debug_of(image);
    Dwarf_Off at = 0, next;
    size_t header;
    if (!l || (l->last.n > 0 && l->last.pc == pc))
        return l ? &l->last : NULL;
    l->last = (struct scopes){.pc = pc};
    struct scopes *s = &l->last;
    while (dwarf_nextcu(l->dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die unit;
        if (dwarf_offdie(l->dwarf, at + header, &unit) && dwarf_haspc(&unit, pc) == 1) {
            find_scopes(s, &unit);
            for (int i = 0; i < s->n && !s->has_function; i++)
                if (dwarf_tag(&s->die[i]) == DW_TAG_subprogram) {
                    s->function = s->die[i];
                    s->has_function = true;
                    s->ready = frame_ready(&unit, &s->function);
                }
            return s;
        }
        at = next;
    }
    return NULL;
}

/* The scope around scope i that code of scope i sees: of an inlined function the unit. */
static int scope_around(struct scopes *s, int i)
{
    return dwarf_tag(&s->die[i]) == DW_TAG_inlined_subroutine && i + 1 < s->n ? s->n - 1 : i + 1;
}

/* The next variable or parameter among a scope's children; first: from the beginning. */
static bool next_variable(Dwarf_Die *scope, Dwarf_Die *die, bool first)
{
    int more = first ? dwarf_child(scope, die) : dwarf_siblingof(die, die);
    for (; more == 0; more = dwarf_siblingof(die, die))
        if ((dwarf_tag(die) == DW_TAG_variable || dwarf_tag(die) == DW_TAG_formal_parameter) && dwarf_diename(die))
            return true;
    return false;
}

/* ---- Types ---- */

/* Without typedefs and qualifiers; false: void. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute at;
    return dwarf_attr_integrate(die, DW_AT_type, &at) && dwarf_formref_die(&at, type) && dwarf_peel_type(type, type) == 0;
}

static uint64_t bytes_of(Dwarf_Die *type)
{
    Dwarf_Word size;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

#define DIMENSIONS 8

/* An array of which some dimensions are indexed already. */
struct array {
    Dwarf_Die element;
    uint64_t length, each; /* of the next dimension: how many, bytes of one */
    unsigned left;         /* dimensions behind it */
};

/* The lengths of an array's dimensions, the first first; 0: not known. */
static unsigned lengths_of(Dwarf_Die *array, uint64_t length[DIMENSIONS])
{
    Dwarf_Die range;
    unsigned n = 0;
    for (int more = dwarf_child(array, &range); more == 0 && n < DIMENSIONS; more = dwarf_siblingof(&range, &range)) {
        Dwarf_Attribute at;
        Dwarf_Word count;
        if (dwarf_tag(&range) != DW_TAG_subrange_type)
            continue;
        if (dwarf_attr(&range, DW_AT_count, &at) && dwarf_formudata(&at, &count) == 0)
            length[n++] = count;
        else
            length[n++] = dwarf_attr(&range, DW_AT_upper_bound, &at) && dwarf_formudata(&at, &count) == 0 ? count + 1 : 0;
    }
    return n;
}

static bool array_of(Dwarf_Die *type, unsigned indexed, struct array *a)
{
    uint64_t length[DIMENSIONS];
    if (!type_of(type, &a->element))
        return false;
    const unsigned n = lengths_of(type, length);
    a->each = bytes_of(&a->element);
    a->left = indexed + 1 < n ? n - indexed - 1 : 0;
    a->length = n > 1 && indexed < n ? length[indexed] : a->each ? bytes_of(type) / a->each : 0;
    for (unsigned i = indexed + 1; i < n; i++)
        a->each *= length[i];
    if (!a->each)
        a->length = 0;
    return true;
}

static unsigned encoding_of(Dwarf_Die *type)
{
    Dwarf_Attribute at;
    Dwarf_Word n;
    return dwarf_tag(type) == DW_TAG_base_type && dwarf_attr(type, DW_AT_encoding, &at) && dwarf_formudata(&at, &n) == 0 ? (unsigned)n : 0;
}

static bool is_pointer(Dwarf_Die *type) { return dwarf_tag(type) == DW_TAG_pointer_type; }

static bool is_group(Dwarf_Die *type)
{
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

/* The class of the memory that a pointer points into; 0: any. */
static unsigned pointed_class(Dwarf_Die *pointer)
{
    Dwarf_Attribute at;
    Dwarf_Word n;
    return dwarf_attr(pointer, DW_AT_address_class, &at) && dwarf_formudata(&at, &n) == 0 ? (unsigned)n : 0;
}

/* What numbers of this type are; bits 0: it is none.  A pointer into a memory of its own has 4 bytes, whatever its size is said to be. */
static struct value_type number_type(Dwarf_Die *type)
{
    const uint64_t size = is_pointer(type) && pointed_class(type) ? 4 : bytes_of(type);
    const unsigned e = encoding_of(type);
    if (size != 1 && size != 2 && size != 4 && size != 8)
        return (struct value_type){0};
    if (is_pointer(type) || dwarf_tag(type) == DW_TAG_enumeration_type)
        return (struct value_type){VALUE_UNSIGNED, (uint8_t)(8 * size)};
    if (!e || (e == DW_ATE_float && size == 1))
        return (struct value_type){0};
    return (struct value_type){e == DW_ATE_float ? VALUE_FLOAT : e == DW_ATE_signed || e == DW_ATE_signed_char ? VALUE_SIGNED : VALUE_UNSIGNED,
        (uint8_t)(8 * size)};
}

/* The type as the source spells it, nearly. */
static void type_text(Dwarf_Die *die, char *buf, size_t size, int depth)
{
    Dwarf_Attribute at;
    Dwarf_Die type;
    char text[128] = "void";
    if (!dwarf_attr_integrate(die, DW_AT_type, &at) || !dwarf_formref_die(&at, &type) || depth > NESTING) {
        snprintf(buf, size, "%s", depth > NESTING ? "..." : "void");
        return;
    }
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_pointer_type) {
        type_text(&type, text, sizeof text, depth + 1);
        snprintf(buf, size, "%.120s *", text);
    } else if (tag == DW_TAG_array_type && !dwarf_diename(&type)) {
        struct array a;
        type_text(&type, text, sizeof text, depth + 1);
        int at_end = snprintf(buf, size, "%.80s", text);
        for (unsigned i = 0; array_of(&type, i, &a) && at_end < (int)size; i++) {
            at_end += snprintf(buf + at_end, size - (size_t)at_end, "[%" PRIu64 "]", a.length);
            if (!a.left)
                break;
        }
    } else if (tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type) {
        type_text(&type, buf, size, depth + 1);
    } else {
        const char *name = dwarf_diename(&type), *kind = !is_group(&type) ? "" : tag == DW_TAG_union_type ? "union " : "struct ";
        snprintf(buf, size, "%s%s", kind, name ? name : is_group(&type) ? "{...}" : "?");
    }
}

/* ---- What stands in a place ---- */

struct cursor {
    struct gpudbg *g;
    uint32_t wave;
    int lane;
    char letter; /* of the format of numbers */
    struct dwarf_place place;
    Dwarf_Die type;
    unsigned indexed; /* dimensions of an array that are passed */
};

/* The value of a number or a pointer. */
static bool cursor_value(const struct cursor *c, struct value *v, struct gpudbg_error *err)
{
    Dwarf_Die type = c->type, to;
    uint8_t bytes[8] = {0};
    uint64_t bits = 0;
    *v = (struct value){.type = number_type(&type)};
    const unsigned size = v->type.bits / 8;
    if (!dwarf_place_read(c->g, c->wave, c->lane, &c->place, bytes, size, err))
        return false;
    for (unsigned i = 8; i-- > 0;)
        bits = bits << 8 | bytes[i];
    unsigned space;
    if (dwarf_place_address(c->g, c->wave, c->lane, &c->place, size, &space, &v->addr)) {
        v->place = PLACE_MEMORY;
        v->space = (uint8_t)space;
    } else if (c->place.where == DWARF_REGISTERS && size == 4 && c->place.offset % 4 == 0) {
        v->place = PLACE_REGISTER;
        v->file = c->place.part[c->place.offset / 4].file;
        v->reg = c->place.part[c->place.offset / 4].reg;
        v->count = 1;
        v->lane = (int16_t)c->lane;
        v->lanes = 1;
    }
    value_set_bits(v, bits);
    if (is_pointer(&type)) {
        v->place = PLACE_NONE;
        v->address = true;
        v->space = pointed_class(&type) && pointed_class(&type) == c->g->image->isa->dwarf->local_class ? GPUDBG_LOCAL : GPUDBG_GLOBAL;
        v->type.bits = 64;
        if (type_of(&type, &to))
            v->to = number_type(&to);
    }
    return true;
}

static void cursor_text(const struct cursor *c, char *buf, size_t size, int depth);

static size_t length_in(const char *buf, size_t size)
{
    const void *end = memchr(buf, 0, size);
    return end ? (size_t)((const char *)end - buf) : size - 1;
}

static void append(char *buf, size_t size, const char *text)
{
    const size_t n = length_in(buf, size);
    snprintf(buf + n, size - n, "%s", text);
}

static void array_text(const struct cursor *c, char *buf, size_t size, int depth)
{
    struct cursor one = *c;
    struct array a;
    if (!array_of(&one.type, c->indexed, &a))
        return;
    one.indexed++;
    if (!a.left) {
        one.indexed = 0;
        one.type = a.element;
    }
    append(buf, size, "{");
    for (uint64_t i = 0; i < a.length; i++) {
        const size_t at = length_in(buf, size);
        append(buf, size, i ? ", " : "");
        if (i == ELEMENTS || at + 32 > size) {
            append(buf, size, "...");
            break;
        }
        cursor_text(&one, buf + length_in(buf, size), size - length_in(buf, size), depth + 1);
        dwarf_place_move(&one.place, a.each);
    }
    append(buf, size, "}");
}

/* The next member of a structure that has a name and a place. */
static bool next_member(Dwarf_Die *group, Dwarf_Die *member, bool first, uint64_t *offset)
{
    Dwarf_Attribute at;
    Dwarf_Word n;
    int more = first ? dwarf_child(group, member) : dwarf_siblingof(member, member);
    for (; more == 0; more = dwarf_siblingof(member, member)) {
        if (dwarf_tag(member) != DW_TAG_member || !dwarf_diename(member) || dwarf_hasattr(member, DW_AT_bit_size))
            continue;
        *offset = dwarf_attr(member, DW_AT_data_member_location, &at) && dwarf_formudata(&at, &n) == 0 ? n : 0;
        return true;
    }
    return false;
}

static void group_text(const struct cursor *c, char *buf, size_t size, int depth)
{
    Dwarf_Die group = c->type, member;
    uint64_t offset;
    append(buf, size, "{");
    for (bool first = true; next_member(&group, &member, first, &offset); first = false) {
        struct cursor one = *c;
        const size_t at = length_in(buf, size);
        append(buf, size, first ? "" : ", ");
        if (at + 64 > size || !type_of(&member, &one.type)) {
            append(buf, size, "...");
            break;
        }
        append(buf, size, dwarf_diename(&member));
        append(buf, size, " = ");
        dwarf_place_move(&one.place, offset);
        cursor_text(&one, buf + length_in(buf, size), size - length_in(buf, size), depth + 1);
    }
    append(buf, size, "}");
}

static void cursor_text(const struct cursor *c, char *buf, size_t size, int depth)
{
    struct cursor plain = *c;
    struct value v;
    struct gpudbg_error err = {0};
    *buf = 0;
    if (depth > NESTING)
        snprintf(buf, size, "{...}");
    else if (dwarf_tag(&plain.type) == DW_TAG_array_type)
        array_text(c, buf, size, depth);
    else if (is_group(&plain.type))
        group_text(c, buf, size, depth);
    else if (!number_type(&plain.type).bits)
        snprintf(buf, size, "<%s is not shown>", dwarf_diename(&plain.type) ? dwarf_diename(&plain.type) : "this type");
    else if (cursor_value(c, &v, &err))
        value_text(c->g, &v, c->letter, buf, size);
    else
        snprintf(buf, size, "<%.200s>", err.message);
}

/* Puts the cursor on a variable; false: it has no value here. */
static bool cursor_on(struct cursor *c, struct scopes *s, Dwarf_Die *variable, struct gpudbg_error *err)
{
    if (!type_of(variable, &c->type))
        return gpudbg_fail(err, "optimised-out", "it has no type");
    if (!dwarf_place(c->g->image->isa->dwarf, variable, s->has_function ? &s->function : NULL, s->pc, &c->place, err))
        return false;
    /* Linkers leave addresses in LDS 0 in debug information; where there is one variable alone, that is where it is. */
    const struct gpudbg_kernel *kernel = c->g->machine ? c->g->machine->launch->kernel : NULL;
    if (c->place.where == DWARF_MEMORY && c->place.space == GPUDBG_LOCAL && !c->place.number && kernel && kernel->lds != bytes_of(&c->type))
        return gpudbg_fail(err, "unsupported", "the file does not say where in LDS it is");
    if (c->place.where == DWARF_OWN && s->pc < s->ready)
        return gpudbg_fail(err, "optimised-out", "not set before the end of the prologue, 0x%" PRIx64, s->ready);
    return true;
}

static bool seen_before(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

void locals_each(struct gpudbg *g, uint32_t wave, int lane, bool (*each)(void *to, const struct local_row *), void *to)
{
    struct scopes *s = scopes_at(g->image, location_here(g));
    const char *names[256];
    struct machine_wave_info info = {.active = UINT64_MAX};
    size_t n = 0;
    bool go = s != NULL;
    if (g->machine)
        machine_wave_info(g->machine, wave, &info);
    const bool off = !info.lost_mask && lane >= 0 && lane < 64 && !(info.active >> lane & 1);
    for (int i = 0; go && i < s->n; i = scope_around(s, i)) {
        Dwarf_Die die;
        const bool outermost = dwarf_tag(&s->die[i]) == DW_TAG_compile_unit;
        for (bool first = true; go && next_variable(&s->die[i], &die, first); first = false) {
            struct cursor c = {.g = g, .wave = wave, .lane = lane};
            struct gpudbg_error err = {0};
            struct local_row row = {.name = dwarf_diename(&die), .function = s->has_function ? dwarf_diename(&s->function) : NULL,
                .parameter = dwarf_tag(&die) == DW_TAG_formal_parameter, .global = outermost};
            if (seen_before(names, n, row.name)) /* a variable further in has its name */
                continue;
            if (n < sizeof names / sizeof *names)
                names[n++] = row.name;
            type_text(&die, row.type, sizeof row.type, 0);
            if (cursor_on(&c, s, &die, &err)) {
                cursor_text(&c, row.value, sizeof row.value, 0);
                dwarf_place_text(g, &c.place, bytes_of(&c.type), row.place, sizeof row.place);
                if (off && (c.place.where == DWARF_OWN || c.place.where == DWARF_REGISTERS))
                    append(row.place, sizeof row.place, " (the lane is off)");
            } else {
                snprintf(row.value, sizeof row.value, "<%.200s>", err.message);
            }
            go = each(to, &row);
        }
    }
}

const char *locals_name(struct gpudbg *g, size_t n)
{
    struct scopes *s = scopes_at(g->image, location_here(g));
    Dwarf_Die die;
    for (int i = 0; s && i < s->n; i = scope_around(s, i))
        for (bool first = true; next_variable(&s->die[i], &die, first); first = false)
            if (n-- == 0)
                return dwarf_diename(&die);
    return NULL;
}

size_t locals_frames(struct gpudbg *g, uint64_t pc, struct local_frame *frame, size_t most)
{
    struct scopes *s = scopes_at(g->image, pc);
    size_t n = 0;
    const struct gpudbg_line *row = g->image ? gpudbg_image_line(g->image, pc) : NULL;
    struct local_frame at = {.file = row ? row->file : NULL, .line = row ? row->line : 0};
    for (int i = 0; s && i < s->n && n < most; i++) {
        const int tag = dwarf_tag(&s->die[i]);
        Dwarf_Attribute a;
        Dwarf_Word line;
        if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram)
            continue;
        at.name = dwarf_diename(&s->die[i]);
        at.inlined = tag == DW_TAG_inlined_subroutine;
        frame[n++] = at;
        if (!at.inlined)
            break;
        if (dwarf_attr(&s->die[i], DW_AT_call_line, &a) && dwarf_formudata(&a, &line) == 0)
            at.line = (uint32_t)line;
    }
    if (!n && most) {
        const struct gpudbg_symbol *symbol = g->image ? gpudbg_image_symbol_at(g->image, pc) : NULL;
        at.name = symbol ? symbol->name : NULL;
        frame[n++] = at;
    }
    return n;
}

/* ---- In expressions ---- */

/* The innermost variable of that name. */
static bool variable_named(struct scopes *s, const char *name, size_t len, Dwarf_Die *die)
{
    for (int i = 0; i < s->n; i = scope_around(s, i))
        for (bool first = true; next_variable(&s->die[i], die, first); first = false) {
            const char *its = dwarf_diename(die);
            if (strlen(its) == len && memcmp(its, name, len) == 0)
                return true;
        }
    return false;
}

/* "[i]" behind an array or a pointer. */
static bool take_index(struct parser *p, struct cursor *c)
{
    struct value v, index;
    Dwarf_Die pointer = c->type;
    struct array a = {.left = 0};
    if (!parse_expression(p, &index) || !parser_expect(p, "]"))
        return false;
    if (is_pointer(&pointer)) {
        if (!type_of(&pointer, &a.element) || !(a.each = bytes_of(&a.element)))
            return gpudbg_fail(p->err, "command", "what it points at has no size");
        if (!cursor_value(c, &v, p->err))
            return false;
        c->place = (struct dwarf_place){.where = DWARF_MEMORY, .number = v.u, .space = v.space};
    } else if (!array_of(&c->type, c->indexed, &a) || index.u >= a.length) {
        return gpudbg_fail(p->err, "command", "[%" PRId64 "]: the array has %" PRIu64 " elements", index.i, a.length);
    }
    dwarf_place_move(&c->place, index.u * a.each);
    c->indexed = a.left ? c->indexed + 1 : 0;
    if (!a.left)
        c->type = a.element;
    return true;
}

/* ".name" behind a structure. */
static bool take_member(struct parser *p, struct cursor *c)
{
    Dwarf_Die group = c->type, member;
    uint64_t offset;
    size_t len = 0;
    while (isalnum((unsigned char)p->at[len]) || p->at[len] == '_')
        len++;
    for (bool first = true; next_member(&group, &member, first, &offset); first = false)
        if (strlen(dwarf_diename(&member)) == len && memcmp(dwarf_diename(&member), p->at, len) == 0 && type_of(&member, &c->type)) {
            dwarf_place_move(&c->place, offset);
            p->at += len;
            return true;
        }
    return gpudbg_fail(p->err, "command", "it has no member \"%.*s\"", (int)len, p->at);
}

/* What follows the name: [i] .member ->member */
static bool take_rest(struct parser *p, struct cursor *c)
{
    struct value v;
    for (;;) {
        Dwarf_Die type = c->type, to;
        const bool pointer = is_pointer(&type), points = pointer && type_of(&type, &to);
        if (((pointer && points) || dwarf_tag(&type) == DW_TAG_array_type) && parser_accept(p, "[")) {
            if (!take_index(p, c))
                return false;
        } else if (is_group(&type) && parser_accept(p, ".")) {
            if (!take_member(p, c))
                return false;
        } else if (points && is_group(&to) && parser_accept(p, "->")) {
            if (!cursor_value(c, &v, p->err))
                return false;
            c->place = (struct dwarf_place){.where = DWARF_MEMORY, .number = v.u, .space = v.space};
            c->type = to;
            if (!take_member(p, c))
                return false;
        } else {
            return true;
        }
    }
}

/* An array in memory is its address for the rest of an expression. */
static bool array_address(const struct cursor *c, struct value *v)
{
    Dwarf_Die array = c->type, element;
    if (dwarf_tag(&array) != DW_TAG_array_type || c->place.where != DWARF_MEMORY || !type_of(&array, &element))
        return false;
    *v = (struct value){.type = {VALUE_UNSIGNED, 64}, .u = c->place.number, .address = true, .space = (uint8_t)c->place.space,
        .element = number_type(&element)};
    return true;
}

/* Letters of a name of the source. */
static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_')
        n++;
    return isdigit((unsigned char)*at) ? 0 : n;
}

/* The structure or array that a pointer points at. */
static bool pointed_group(struct cursor *c)
{
    struct value v;
    struct gpudbg_error err = {0};
    Dwarf_Die pointer = c->type;
    if (!is_pointer(&pointer) || !type_of(&pointer, &c->type) || number_type(&c->type).bits || !bytes_of(&c->type))
        return false;
    c->type = pointer;
    if (!cursor_value(c, &v, &err) || !type_of(&pointer, &c->type))
        return false;
    c->place = (struct dwarf_place){.where = DWARF_MEMORY, .number = v.u, .space = v.space};
    return true;
}

static enum local_found find(struct parser *p, struct value *v, char letter, char *text, size_t size)
{
    Dwarf_Die die;
    const bool follow = text && parser_accept(p, "*");
    struct cursor c = {.g = p->g, .wave = p->wave, .lane = p->lane, .letter = letter};
    struct machine_wave_info info = {.pc = location_here(p->g)};
    const size_t len = name_length(p->at);
    if (p->g->machine)
        machine_wave_info(p->g->machine, p->wave, &info);
    struct scopes *s = len ? scopes_at(p->g->image, info.pc) : NULL;
    if (!s || !variable_named(s, p->at, len, &die))
        return LOCAL_NONE;
    if (!cursor_on(&c, s, &die, p->err))
        return LOCAL_LOST;
    const char *at = p->at;
    p->at += len;
    parser_blanks(p);
    const bool taken = take_rest(p, &c), number = taken && number_type(&c.type).bits;
    if (taken && follow && !pointed_group(&c))
        return LOCAL_NONE;
    if (number && !follow && cursor_value(&c, v, p->err))
        return LOCAL_VALUE;
    if (p->err->kind && strcmp(p->err->kind, "optimised-out") == 0) { /* a part of it; the name may mean something else */
        p->at = at;
        return LOCAL_LOST;
    }
    if (!taken || (number && !follow))
        return LOCAL_FAILED;
    if (!text && array_address(&c, v))
        return LOCAL_VALUE;
    if (text)
        cursor_text(&c, text, size, 0);
    return LOCAL_TEXT;
}

enum local_found locals_parse(struct parser *p, struct value *v) { return find(p, v, 0, NULL, 0); }

bool locals_text(struct gpudbg *g, const char *expr, char letter, char *buf, size_t size)
{
    struct gpudbg_error err = {0};
    struct parser p = {.g = g, .at = expr, .wave = g->wave, .lane = g->lane, .err = &err};
    struct value v = {0};
    return find(&p, &v, letter, buf, size) == LOCAL_TEXT && !*p.at;
}

bool locals_named(struct gpudbg *g, uint64_t pc, const char *expr)
{
    struct scopes *s = scopes_at(g->image, pc);
    Dwarf_Die die;
    for (const char *p = expr; s && *p;) {
        const size_t len = name_length(p);
        if (len && (p == expr || p[-1] != '$') && variable_named(s, p, len, &die))
            return true;
        p += len ? len : 1;
    }
    return false;
}

/* Functions by the address of their first instruction: a file may have tens of thousands. */
struct functions {
    struct function {
        Dwarf_Addr low;
        Dwarf_Off die;
    } *row;
    size_t n, room;
};

static int by_low(const void *a, const void *b)
{
    const struct function *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->die > y->die) - (x->die < y->die);
}

static void add_functions(struct functions *f, Dwarf_Die *unit)
{
    Dwarf_Die die;
    Dwarf_Addr low;
    for (int more = dwarf_child(unit, &die); more == 0; more = dwarf_siblingof(&die, &die)) {
        if (dwarf_tag(&die) != DW_TAG_subprogram || dwarf_lowpc(&die, &low))
            continue;
        if (f->n == f->room) {
            struct function *grown = realloc(f->row, (f->room ? 2 * f->room : 64) * sizeof *grown);
            if (!grown)
                return;
            f->row = grown;
            f->room = f->room ? 2 * f->room : 64;
        }
        f->row[f->n++] = (struct function){low, dwarf_dieoffset(&die)};
    }
}

static struct functions functions_of(Dwarf *dwarf)
{
    struct functions f = {0};
    Dwarf_Off at = 0, next;
    size_t header;
    while (dwarf_nextcu(dwarf, at, &next, &header, NULL, NULL, NULL) == 0 && next > at) {
        Dwarf_Die unit;
        if (dwarf_offdie(dwarf, at + header, &unit))
            add_functions(&f, &unit);
        at = next;
    }
    if (f.n)
        qsort(f.row, f.n, sizeof *f.row, by_low);
    return f;
}

static bool function_at(const struct functions *f, Dwarf *dwarf, uint64_t low, Dwarf_Die *die)
{
    size_t lo = 0, hi = f->n;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (f->row[mid].low < low)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < f->n && f->row[lo].low == low && dwarf_offdie(dwarf, f->row[lo].die, die);
}

void locals_name_parameters(struct gpudbg_image *image)
{
    bool wanted = false;
    for (size_t k = 0; k < image->nkernels && !wanted; k++)
        wanted = image->kernels[k].nparams && !image->kernels[k].params[0].name;
    struct locals *l = wanted ? debug_of(image) : NULL;
    struct functions functions = l ? functions_of(l->dwarf) : (struct functions){0};
    for (size_t k = 0; k < image->nkernels; k++) {
        struct gpudbg_kernel *kernel = &image->kernels[k];
        Dwarf_Die function, die;
        const bool told = kernel->nparams && !kernel->params[0].name && l && function_at(&functions, l->dwarf, kernel->entry, &function);
        size_t n = 0;
        for (bool first = true; told && next_variable(&function, &die, first); first = false) {
            if (dwarf_tag(&die) != DW_TAG_formal_parameter)
                continue;
            if (n < kernel->nparams && kernel->params[n].kind != GPUDBG_PARAM_HIDDEN && !kernel->params[n].name)
                kernel->params[n].name = gpudbg_image_string(image, dwarf_diename(&die), strlen(dwarf_diename(&die)));
            n++;
        }
    }
    free(functions.row);
}
