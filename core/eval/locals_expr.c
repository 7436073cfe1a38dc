/* SPDX-License-Identifier: GPL-3.0-or-later */
/* locals_expr.c: variables of the source in expressions: names, and what follows them. */
#include <ctype.h>
#include <dwarf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/cursor.h"
#include "eval/entry.h"
#include "eval/locals.h"
#include "eval/value.h"
#include "image/dwarf_type.h"
#include "image/image.h"
#include "machine/machine.h"

#define WATCHED 4096 /* bytes of a variable that can be watched */

static bool is_named(Dwarf_Die *die, const char *name, size_t len)
{
    const char *its = dwarf_diename(die);
    return strlen(its) == len && memcmp(its, name, len) == 0;
}

/* The innermost variable of that name, from a scope outwards. */
static bool variable_named(struct scopes *s, int from, const char *name, size_t len, Dwarf_Die *die)
{
    for (int i = from; i < s->n; i = scopes_around(s, i))
        for (bool first = true; die_next_variable(&s->die[i], die, first); first = false)
            if (is_named(die, name, len)) return true;
    return false;
}

/* The same, or the variable of that entry, which another of its name may hide. */
static bool variable_wanted(
    const struct parser *p, struct scopes *s, int from, const char *name, size_t len, Dwarf_Die *die)
{
    for (int i = 0; p->entry && i < s->n; i++)
        for (bool first = true; die_next_variable(&s->die[i], die, first); first = false)
            if (is_named(die, name, len) && scopes_number(p->ev->loaded->image, die) == p->entry) return true;
    return !p->entry && variable_named(s, from, name, len, die);
}

/* Whether "[" at p->at begins a slice, "[2:5]" or "[:]". */
static bool is_slice(const struct parser *p)
{
    struct gpudbg_error ignored = {0};
    struct parser q = *p;
    struct value v;
    q.skip++;
    q.err = &ignored;
    q.over = NULL;
    q.changes = false;
    q.refused = NULL;
    return parser_accept(&q, "[") && (parser_accept(&q, ":") || (parse_expression(&q, &v) && parser_accept(&q, ":")));
}

/* Numbers that lie one behind another at one address: the expression language slices those itself. */
static bool language_slices(const struct cursor *c, Dwarf_Die *to)
{
    struct gpudbg_error ignored = {0};
    struct die_array a;
    struct value v;
    Dwarf_Die type = c->type;
    if (die_is_pointer(&type)) return die_number(to).bits && !c->shape_only && cursor_value(c, &v, &ignored) && !v.own;
    return c->place.where == DWARF_MEMORY && die_array(&type, c->indexed, &a) && !a.left && !c->indexed &&
           die_number(&a.element).bits;
}

static bool one_number(struct parser *p, int64_t *n)
{
    struct value v;
    if (!parse_expression(p, &v) || !value_one(&v, p->err)) return false;
    *n = value_convert(&v, (struct value_type){VALUE_SIGNED, 64}).i;
    return true;
}

/* "[i]", "[lo:hi]" or "[:]" behind an array or a pointer. */
static bool take_index(struct parser *p, struct cursor *c)
{
    int64_t first = 0, last;
    Dwarf_Die pointer = c->type;
    const bool points = die_is_pointer(&pointer), all = parser_accept(p, ":");
    struct die_array a = {.left = 0};
    if (!all && !one_number(p, &first)) return false;
    last = first;
    const bool range = all || parser_accept(p, ":");
    if ((range && !all && !one_number(p, &last)) || !parser_expect(p, "]")) return false;
    if (points) {
        struct value to;
        if (!die_type(&pointer, &a.element) || !(a.each = die_bytes(&a.element)))
            return gpudbg_fail(p->err, "unsupported", "the type that it points to has no size");
        if (all &&
            (!cursor_value(c, &to, p->err) || !to.address || !(last = (int64_t)parser_elements_to_end(p, &to, a.each))))
            return gpudbg_fail(p->err, "unsupported", "[:] of this pointer: where its elements end is not known");
        last -= all;
        if (!cursor_follow(c, &a.element, p->err)) return false;
    } else if (!die_array(&c->type, c->indexed, &a)) {
        return gpudbg_fail(p->err, "syntax", "[ ] must follow an array or a pointer");
    } else {
        if (all) last = (int64_t)a.length - 1;
        if ((uint64_t)first >= a.length || (uint64_t)last >= a.length)
            return gpudbg_fail(p->err, "out-of-range", "[%" PRId64 "]: the array has %" PRIu64 " elements",
                (uint64_t)first >= a.length ? first : last, a.length);
    }
    if (last < first)
        return gpudbg_fail(
            p->err, "out-of-range", "[%" PRId64 ":%" PRId64 "]: the last element is before the first", first, last);
    dwarf_place_move(&c->place, (uint64_t)first * a.each);
    c->count = range ? (uint64_t)(last - first) + 1 : 0;
    c->each = a.each;
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

/* What follows the name: [i] .member ->member, and at the end perhaps a slice. */
static bool take_rest(struct parser *p, struct cursor *c)
{
    while (!c->count) {
        Dwarf_Die type = c->type, to;
        const bool pointer = die_is_pointer(&type), points = pointer && die_type(&type, &to);
        const bool indexes = (pointer && points) || dwarf_tag(&type) == DW_TAG_array_type;
        if (indexes && is_slice(p) && language_slices(c, &to)) return true;
        if (indexes && parser_accept(p, "[")) {
            if (!take_index(p, c)) return false;
        } else if (die_is_vector(&type) && !c->indexed && parser_accept(p, ".")) {
            if (!take_component(p, c)) return false;
        } else if (die_is_group(&type) && parser_accept(p, ".")) {
            if (!take_member(p, c)) return false;
        } else if (points && die_is_group(&to) && parser_accept(p, "->")) {
            if (!cursor_follow(c, &to, p->err) || !take_member(p, c)) return false;
        } else {
            return true;
        }
    }
    return true;
}

/* An array in memory is its address for the rest of an expression. */
static bool array_address(const struct cursor *c, struct value *v)
{
    Dwarf_Die array = c->type;
    struct die_array a;
    if (dwarf_tag(&array) != DW_TAG_array_type || c->place.where != DWARF_MEMORY || !die_array(&array, c->indexed, &a))
        return false;
    *v = (struct value){.type = {VALUE_UNSIGNED, 64},
        .u = c->place.number,
        .address = true,
        .space = (uint8_t)c->place.space,
        .element = die_number(&a.element),
        .elements = a.left || a.length > UINT32_MAX ? 0 : (uint32_t)a.length};
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
    return here && cursor_follow(c, &to, &err);
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

/* "$3", "$", "$$2" where that is a value of the history with parts; *len: its letters. */
static const struct value_parts *remembered(struct eval *ev, const char *at, size_t *len)
{
    char *end = (char *)(uintptr_t)at + 1;
    const bool back = *at == '$' && at[1] == '$';
    if (*at != '$') return NULL;
    if (back) end++;
    const bool numbered = isdigit((unsigned char)*end);
    const uint64_t n = numbered ? strtoull(end, &end, 10) : back;
    *len = (size_t)(end - at);
    if (isalnum((unsigned char)*end) || *end == '_' || (numbered && !back && !n)) return NULL;
    return value_recall_parts(ev, back ? 0 : n, back ? n : 0);
}

/* cursor_on; but before a launch a variable has a value only where the file itself holds it. */
static bool stand_on(struct cursor *c, struct scopes *s, Dwarf_Die *variable, struct gpudbg_error *err)
{
    const bool on = cursor_on(c, s, variable, err);
    const struct dwarf_place *p = &c->place;
    const bool in_file = on && (p->where == DWARF_CONSTANT || (p->where == DWARF_MEMORY && p->space == GPUDBG_GLOBAL));
    return in_file || (eval_need_machine(c->ev, err) && on);
}

static bool is_entry(const char *at)
{
    const size_t n = strlen(ENTRY_SUFFIX);
    return strncmp(at, ENTRY_SUFFIX, n) == 0 && !isalnum((unsigned char)at[n]) && at[n] != '_';
}

/* ... on a parameter of the kernel as the launch gave it. */
static bool entry_on(struct cursor *c, struct scopes *s, Dwarf_Die *variable, struct gpudbg_error *err)
{
    if (die_type(variable, &c->type) && entry_place(c->ev, s, variable, &c->place)) return true;
    return gpudbg_fail(err, "no-such-name",
        ENTRY_SUFFIX " follows a parameter of the launched kernel, and only "
                     "one that is a number, a structure or a buffer");
}

/* A buffer of structures, which only the source has a name for: where the compiler kept no copy of the pointer, and
 * where the wave has ended, its name means the buffer that the launch gave, as names of buffers of numbers do. */
static bool buffer_on(struct cursor *c, struct scopes *s, Dwarf_Die *variable)
{
    Dwarf_Die to;
    return die_type(variable, &c->type) && die_is_pointer(&c->type) && die_type(&c->type, &to) && die_bytes(&to) &&
           !die_number(&to).bits && entry_place(c->ev, s, variable, &c->place);
}

/* What is in scope at the entry of the kernel, for a wave that has ended; NULL: nothing. */
static struct scopes *scopes_of_ended(struct parser *p)
{
    struct gpudbg_machine *m = p->ev->running->machine;
    const struct gpudbg_kernel *kernel = m && m->launch ? m->launch->kernel : NULL;
    return kernel && machine_wave_ended(m, p->wave) ? scopes_at(p->ev->loaded->image, kernel->entry) : NULL;
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
    size_t len = name_length(p->at);
    int from;
    *c = (struct cursor){.ev = p->ev, .wave = p->wave, .lane = p->lane, .letter = c->letter};
    const struct value_parts *kept = remembered(p->ev, p->at, &len);
    if (kept) {
        if (!scopes_type(p->ev->loaded->image, kept->shape, &c->type)) return LOCAL_NONE;
        c->place = (struct dwarf_place){.where = DWARF_BYTES, .bytes = kept->bytes, .number = kept->n};
        c->indexed = kept->indexed;
        p->at += len;
        const char *behind = p->at;
        if (!take_rest(p, c)) return LOCAL_FAILED;
        c->inside = p->at > behind || follow;
        return follow && !follow_pointer(c, kind) ? LOCAL_NONE : LOCAL_VALUE;
    }
    struct scopes *s = len ? locals_scopes(p->ev, p->wave, &from, &c->caller) : NULL;
    const bool ended = len && !s;
    if (ended) s = scopes_of_ended(p);
    if (!s || !variable_wanted(p, s, from, p->at, len, &die)) return LOCAL_NONE;
    p->entry = 0;
    const bool entry = is_entry(p->at + len);
    bool on = entry ? entry_on(c, s, &die, p->err) : ended ? buffer_on(c, s, &die) : stand_on(c, s, &die, p->err);
    const bool lost = !on && !entry && !ended && strcmp(p->err->kind, "optimised-out") == 0;
    if (lost && buffer_on(c, s, &die)) {
        *p->err = (struct gpudbg_error){.offset = -1};
        on = true;
    }
    if (!on) {
        if (lost && entry_place(c->ev, s, &die, &c->place))
            gpudbg_fail(p->err, "optimised-out", "optimised out here; %.*s" ENTRY_SUFFIX " is what the launch gave",
                (int)(len < 60 ? len : 60), p->at);
        return entry ? LOCAL_FAILED : ended ? LOCAL_NONE : LOCAL_LOST;
    }
    c->name = p->at;
    p->at += len + (entry ? strlen(ENTRY_SUFFIX) : 0);
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
    if (found == LOCAL_VALUE && c.count)
        found = LOCAL_TEXT;
    else if (found == LOCAL_VALUE && die_number(&c.type).bits)
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
    if (!parser_accept(p, "&") || take_variable(p, &c, GROUPS) != LOCAL_VALUE || c.count || die_number(&c.type).bits)
        return LOCAL_NONE; /* of a number it is the expression language's */
    *v = (struct value){.type = {VALUE_UNSIGNED, 64}, .address = true};
    if (!dwarf_place_address(c.ev, c.wave, c.lane, &c.place, 1, &space, &v->u)) return LOCAL_NONE;
    v->space = (uint8_t)space;
    return LOCAL_VALUE;
}

/* Finds the type of a variable, as in "*p[1].x".  The type is known where the value is not. */
static bool take_shape(struct parser *p, struct scopes *s, int from, struct cursor *c)
{
    Dwarf_Die die, pointer;
    int stars = 0;
    while (parser_accept(p, "*")) stars++;
    parser_blanks(p);
    const size_t len = name_length(p->at);
    if (!len || !s || !variable_named(s, from, p->at, len, &die) || !die_type(&die, &c->type)) return false;
    p->at += len;
    if (!take_rest(p, c)) return false;
    for (; stars; stars--) {
        pointer = c->type;
        if (!die_is_pointer(&pointer) || !die_type(&pointer, &c->type)) return false;
    }
    return true;
}

bool cursor_shape(
    struct eval *ev, uint32_t wave, int lane, uint64_t at, const char *expr, struct cursor *c, uint64_t *entry)
{
    struct gpudbg_error ignored = {0};
    struct parser p = {.ev = ev, .at = expr, .wave = wave, .lane = lane, .err = &ignored};
    struct scopes *s = scopes_at(ev->loaded->image, at);
    Dwarf_Die die;
    const char *name = expr + strspn(expr, " *");
    const size_t len = name_length(name);
    *c = (struct cursor){.ev = ev, .wave = wave, .lane = lane, .shape_only = true};
    if (!s || !len || !variable_named(s, 0, name, len, &die)) return false;
    *entry = scopes_number(ev->loaded->image, &die);
    return take_shape(&p, s, 0, c) && !*p.at;
}

bool cursor_expression(struct eval *ev, uint32_t wave, int lane, const char *expr, uint64_t entry, struct cursor *c,
    struct gpudbg_error *err)
{
    struct parser p = {.ev = ev, .at = expr, .wave = wave, .lane = lane, .entry = entry, .err = err};
    *c = (struct cursor){.letter = 0};
    return take_variable(&p, c, ALWAYS) == LOCAL_VALUE && !*p.at;
}

enum local_found locals_sizeof(struct parser *p, struct value *v)
{
    struct cursor c = {.letter = 0};
    struct gpudbg_wave *caller;
    struct value_type type = {0};
    Dwarf_Die die;
    int from;
    if (strncmp(p->at, "sizeof", 6) != 0 || name_length(p->at) != 6) return LOCAL_NONE;
    p->at += 6;
    const bool bracket = parser_accept(p, "(");
    parser_blanks(p);
    if (bracket && (strncmp(p->at, "struct ", 7) == 0 || strncmp(p->at, "union ", 6) == 0))
        p->at += *p->at == 's' ? 7 : 6;
    const size_t len = name_length(p->at);
    struct scopes *s = locals_scopes(p->ev, p->wave, &from, &caller);
    uint64_t bytes = 0;
    if (bracket && len && (bytes = vector_room(vector_named(p->at, len, &type)) * (type.bits / 8)) != 0) {
        p->at += len;
    } else if (bracket && len && s && !variable_named(s, from, p->at, len, &die) &&
               scopes_type_named(s, p->at, len, &die) && dwarf_peel_type(&die, &die) == 0) {
        bytes = die_bytes(&die);
        p->at += len;
    } else {
        const char *at = p->at;
        struct die_array a;
        c.shape_only = true;
        if (!take_shape(p, s, from, &c)) {
            p->at = at;
            c = (struct cursor){.letter = 0};
            if (take_variable(p, &c, ALWAYS) != LOCAL_VALUE) return LOCAL_NONE;
        }
        bytes = c.count ? c.count * c.each : die_bytes(&c.type);
        if (!c.count && c.indexed && die_array(&c.type, c.indexed, &a)) bytes = a.length * a.each;
    }
    if (bracket && !parser_accept(p, ")")) return LOCAL_NONE;
    *v = value_unsigned(bytes, 64);
    return LOCAL_VALUE;
}

static void all_text(const struct cursor *c, struct text *t)
{
    if (c->count)
        cursor_elements(c, t, 0);
    else
        cursor_text(c, t, 0);
}

void locals_shape_text(
    struct eval *ev, const struct local_memory *m, const uint8_t *bytes, size_t n, char *buf, size_t size)
{
    struct cursor c = {.ev = ev, .place = {.where = DWARF_BYTES, .bytes = bytes, .number = n}};
    struct text t = text_in(buf, size);
    if (!scopes_type(ev->loaded->image, m->shape, &c.type)) return;
    c.count = m->count;
    c.each = die_bytes(&c.type);
    all_text(&c, &t);
    for (char *at = buf; size && *at; at++) *at = text_shown(*at); /* names of members are the file's: one line */
}

/* "@N" behind it: so many, one behind another. */
static bool take_count(struct parser *p, struct cursor *c)
{
    struct value v;
    if (c->count || !parser_accept(p, "@")) return true;
    if (!parse_expression(p, &v) || !value_one(&v, p->err)) return false;
    v = value_convert(&v, (struct value_type){VALUE_SIGNED, 64});
    c->count = v.u;
    c->each = die_bytes(&c->type);
    return (v.i > 0 && v.u <= UINT32_MAX) ||
           gpudbg_fail(p->err, "out-of-range", "@%" PRId64 ": a count of at least 1", v.i);
}

bool locals_text(struct eval *ev, const char *expr, char letter, char *buf, size_t size)
{
    struct gpudbg_error err = {0};
    struct parser p = {.ev = ev, .at = expr, .wave = ev->selection->wave, .lane = ev->selection->lane, .err = &err};
    struct cursor c = {.letter = letter};
    if (take_variable(&p, &c, strchr(expr, '@') ? ALWAYS : GROUPS) != LOCAL_VALUE || !take_count(&p, &c) || *p.at ||
        (!c.count && die_number(&c.type).bits))
        return false;
    struct text t = text_in(buf, size);
    all_text(&c, &t);
    for (char *at = buf; size && *at; at++) *at = text_shown(*at); /* names of members are the file's: one line */
    return true;
}

#define KEPT 1048576 /* bytes of a value in the history */

unsigned locals_remember(struct eval *ev, const char *expr)
{
    struct gpudbg_error err = {0};
    struct parser p = {.ev = ev, .at = expr, .wave = ev->selection->wave, .lane = ev->selection->lane, .err = &err};
    struct cursor c = {.letter = 0};
    struct die_array a;
    const struct value many = {.many = true, .place = PLACE_NONE};
    if (take_variable(&p, &c, GROUPS) != LOCAL_VALUE || *p.at || c.count) return value_remember(ev, &many);
    const uint64_t size = c.indexed && die_array(&c.type, c.indexed, &a) ? a.length * a.each : die_bytes(&c.type);
    uint8_t *bytes = size && size <= KEPT ? malloc(size) : NULL;
    if (!bytes || !dwarf_place_read(ev, c.wave, c.lane, &c.place, bytes, size, &err)) {
        free(bytes);
        return value_remember(ev, &many);
    }
    const struct value_parts parts = {scopes_number(ev->loaded->image, &c.type), c.indexed, bytes, size};
    return value_remember_parts(ev, &parts);
}

static bool give_part(struct cursor *c, const char *name, const struct local_part *like,
    bool (*each)(void *to, const struct local_part *), void *to)
{
    struct local_part part = *like;
    struct text t = text_in(part.value, sizeof part.value);
    part.name = name;
    part.parts = cursor_has_parts(c);
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
    if (take_variable(&p, &c, GROUPS) != LOCAL_VALUE || *p.at || c.count || !cursor_has_parts(&c)) return false;
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
    *m = (struct local_memory){0};
    const enum local_found found = take_variable(&p, &c, GROUPS);
    if (found != LOCAL_VALUE) return found;
    if (!take_count(&p, &c)) return LOCAL_FAILED;
    if (*p.at || (die_is_pointer(&c.type) && !c.count)) return LOCAL_NONE; /* a pointer means what it points at */
    m->size = c.count ? c.count * c.each : die_bytes(&c.type);
    m->type = c.count ? (struct value_type){0} : die_number(&c.type);
    m->shape = c.indexed ? 0 : scopes_number(ev->loaded->image, &c.type);
    m->count = c.count;
    if (m->type.bits) m->size = m->type.bits / 8;
    const bool in_memory = c.place.where == DWARF_MEMORY || c.place.where == DWARF_OWN;
    if (!in_memory) {
        gpudbg_fail(err, "unsupported", "%.60s is in no memory here", expr);
        return LOCAL_LOST;
    }
    if (!m->size || m->size > WATCHED) {
        gpudbg_fail(err, "unsupported", "%.60s: its size cannot be watched", expr);
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
