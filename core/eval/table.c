/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory as records; see table.h. */
#include "eval/table.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "eval/expr_parser.h"
#include "eval/location.h"
#include "gpudbg/text.h"
#include "image/dwarf_scope.h"
#include "image/dwarf_type.h"

#define NESTED_MOST 8

const struct form *table_form(struct value_type type)
{
    static const char *const names[3][4] = {
        [VALUE_UNSIGNED] = {"ub", "uw", "ud", "uq"},
        [VALUE_SIGNED] = {"b", "w", "d", "q"},
        [VALUE_FLOAT] = {NULL, "hf", "f", "df"},
    };
    const unsigned i = type.bits == 8 ? 0 : type.bits == 16 ? 1 : type.bits == 32 ? 2 : 3;
    const char *name = type.bits && type.bits <= 64 ? names[type.kind][i] : NULL;
    return name ? form_named(name) : NULL;
}

static bool add_field(
    struct table *t, const char *name, uint64_t offset, const struct form *form, struct gpudbg_error *err)
{
    if (t->n == TABLE_FIELDS || offset > UINT32_MAX)
        return gpudbg_fail(err, "too-large", "%s: more than %d fields", t->name, TABLE_FIELDS);
    struct table_field *f = &t->field[t->n++];
    snprintf(f->name, sizeof f->name, "%s", name);
    f->offset = (uint32_t)offset;
    f->form = form;
    return true;
}

/* As OpenCL C names component i of n. */
static void part_name(unsigned i, unsigned n, char *buf, size_t size)
{
    if (n > 4)
        snprintf(buf, size, "s%x", i);
    else
        snprintf(buf, size, "%c", "xyzw"[i & 3]);
}

/* "float", "float4", "int3".  Adds its fields at the next offset that suits it.  false without an error: it is no such
 * type. */
static bool add_plain(
    struct table *t, const char *word, size_t len, bool alone, unsigned item, uint64_t *align, struct gpudbg_error *err)
{
    struct value_type type;
    char name[40];
    const unsigned n = vector_named(word, len, &type);
    const struct form *form = n ? table_form(type) : NULL;
    if (!form) return false;
    const uint64_t each = type.bits / 8u, room = vector_room(n) * each, at = (t->size + room - 1) / room * room;
    for (unsigned i = 0; i < n; i++) {
        if (n == 1 && alone)
            name[0] = 0;
        else if (n == 1)
            snprintf(name, sizeof name, "%c", 'a' + (int)(item % 26));
        else if (alone)
            part_name(i, n, name, sizeof name);
        else {
            char part[16];
            part_name(i, n, part, sizeof part);
            snprintf(name, sizeof name, "%c.%s", 'a' + (int)(item % 26), part);
        }
        if (!add_field(t, name, at + i * each, form, err)) return false;
    }
    t->size = at + room;
    if (room > *align) *align = room;
    return true;
}

/* A type of the source: its numbers, at `offset`. */
static bool add_source(
    struct table *t, Dwarf_Die *type, const char *name, uint64_t offset, unsigned depth, struct gpudbg_error *err)
{
    struct die_array a;
    Dwarf_Die member, inner;
    char text[200];
    uint64_t at;
    const struct value_type number = die_number(type);
    if (depth > NESTED_MOST)
        return gpudbg_fail(
            err, "too-large", "%s: structures inside each other are deeper than %d", t->name, NESTED_MOST);
    if (number.bits || die_is_pointer(type)) {
        const struct form *form = table_form(
            number.bits ? number : (struct value_type){VALUE_UNSIGNED, (uint8_t)(8 * die_bytes(type))});
        return form ? add_field(t, name, offset, form, err)
                    : gpudbg_fail(err, "unsupported", "%s: field %.60s is not a number of 1 to 8 bytes", t->name, name);
    }
    if (die_array(type, 0, &a)) {
        for (uint64_t i = 0; i < a.length; i++) {
            Dwarf_Die element = a.element;
            if (a.left) return gpudbg_fail(err, "unsupported", "%s: field %.60s has several dimensions", t->name, name);
            snprintf(text, sizeof text, "%.150s[%" PRIu64 "]", name, i);
            if (!add_source(t, &element, text, offset + i * a.each, depth + 1, err)) return false;
        }
        return true;
    }
    if (!die_is_group(type))
        return gpudbg_fail(err, "unsupported", "%s: field %.60s is of a type without numbers", t->name, name);
    for (bool first = true; die_next_member(type, &member, first, &at); first = false) {
        const char *own = dwarf_diename(&member);
        snprintf(text, sizeof text, "%.100s%s%.90s", name, *name ? "." : "", own ? own : "");
        if (!die_type(&member, &inner) || !add_source(t, &inner, text, offset + at, depth + 1, err)) return false;
    }
    return true;
}

bool table_named(struct eval *ev, const char *type, struct table *t, struct gpudbg_error *err)
{
    Dwarf_Die die;
    uint64_t align = 1;
    unsigned item = 0;
    *t = (struct table){.n = 0};
    while (*type == ' ') type++;
    snprintf(t->name, sizeof t->name, "%.63s", type);
    const bool alone = !strchr(type, ',');
    struct scopes *s = ev->loaded->image ? scopes_at(ev->loaded->image, location_here(ev)) : NULL;
    for (const char *at = type; *at; item++) {
        at += strspn(at, " ");
        if (strncmp(at, "struct ", 7) == 0) at += 7;
        const size_t len = type_name_length(at);
        if (len && add_plain(t, at, len, alone, item, &align, err)) {
        } else if (err->kind) {
            return false;
        } else if (len && alone && s && scopes_type_named(s, at, len, &die) && dwarf_peel_type(&die, &die) == 0) {
            if (!add_source(t, &die, "", 0, 0, err)) return false;
            t->size = die_bytes(&die);
        } else {
            return gpudbg_fail(err, "no-such-name",
                "\"%.40s\" is not a type; float4, a structure of the source, or a list such as float2,uint is one", at);
        }
        at += len;
        at += strspn(at, " ");
        if (*at && *at++ != ',') return gpudbg_fail(err, "syntax", "expected \",\" before \"%.40s\"", at - 1);
    }
    if (alone || !align) align = 1;
    t->size = (t->size + align - 1) / align * align;
    return (t->n && t->size) || gpudbg_fail(err, "usage", "the name of a type is missing");
}
