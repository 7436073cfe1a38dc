/* SPDX-License-Identifier: GPL-3.0-or-later */
/* enum: what the values of enumerations are called, those of the databases and those that decoders bring. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/alloc.h"
#include "out/say.h"
#include "session/command.h"
#include "word/registers.h"
#include "word/registry.h"
#include "session/session.h"

/* "Data Type" is DataType: manuals print blanks in names, tables underscores. */
static bool same_name(const char *a, const char *b)
{
    for (;; a++, b++) {
        while (*a == ' ' || *a == '_') a++;
        while (*b == ' ' || *b == '_') b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
        if (!*a) return true;
    }
}

/* What was asked for; VALUE is a number or a name. */
struct asked {
    const char *isa, *name, *value;
    const char *pattern; /* -s: part of a name, or of what is said of a value */
    bool is_number;
    uint64_t number;
    bool known; /* met an enumeration of that name */
    unsigned found;
};

static void show_value(struct gpudbg_out *out, const char *isa, const struct gpudbg_enum *e,
    const struct gpudbg_value *v, const struct register_value *more, uint64_t number, uint64_t last)
{
    char range[48];
    const bool wide = last != number;
    snprintf(range, sizeof range, wide ? "0x%" PRIx64 "-0x%" PRIx64 : "0x%" PRIx64, number, last);
    RECORD(out, "enum", "  {range:-8} {meaning:-28}[ if {condition}][{default} (default)][ {doc}]\n",
        STRING("isa", isa), STRING("name", e->name), HEX("value", number), IF(wide, HEX("last", last)),
        STRING("meaning", v->name), STRING("condition", more->condition), FLAG("default", more->initial),
        STRING("doc", v->doc), TEXT("range", range));
}

static uint64_t last_of(const struct gpudbg_enum *e, size_t i) { return e->last ? e->last[i] : e->values[i].value; }

static bool wanted(const struct asked *ask, const struct gpudbg_enum *e, size_t i)
{
    uint64_t first = e->values[i].value, last = last_of(e, i);
    if (ask->pattern)
        return strcasestr(e->values[i].name, ask->pattern) ||
               (e->values[i].doc && strcasestr(e->values[i].doc, ask->pattern));
    if (!ask->value) return true;
    return ask->is_number ? ask->number >= first && ask->number <= last
                          : strcasecmp(e->values[i].name, ask->value) == 0;
}

/* One enumeration: its name alone, its values, or those asked for. */
static void show(struct gpudbg_out *out, struct asked *ask, const char *isa, const struct gpudbg_enum *e,
    const struct register_value *more)
{
    bool headed = false;
    ask->known = true;
    if (!ask->name && (!ask->pattern || strcasestr(e->name, ask->pattern))) {
        ask->found++;
        RECORD(out, "enumeration", "{isa:-8} {name}: {count} values\n", STRING("isa", isa), STRING("name", e->name),
            NUMBER("count", e->count));
        return;
    }
    for (size_t i = 0; i < e->count; i++) {
        if (!wanted(ask, e, i)) continue;
        uint64_t number = ask->value && ask->is_number ? ask->number : e->values[i].value;
        bool point = ask->value && ask->is_number; /* one value of a range, not the range */
        const struct register_value here = more ? more[i] : (struct register_value){.condition = NULL};
        if (!headed)
            gpudbg_out_print(out, "%s %s%s%s\n", isa, e->name, e->source ? "; " : "", e->source ? e->source : "");
        headed = true;
        show_value(out, isa, e, &e->values[i], &here, number, point ? number : last_of(e, i));
        ask->found++;
    }
}

static bool same_isa(const struct asked *ask, const char *isa)
{
    return isa && (!ask->isa || strcmp(ask->isa, isa) == 0);
}

static void show_databases(struct gpudbg *g, struct gpudbg_out *out, struct asked *ask)
{
    struct regdb *r = gpudbg_session_databases(g);
    const struct register_enum *e;
    for (size_t i = 0; (e = registers_enum(r, i)); i++)
        if (same_isa(ask, e->isa) && (!ask->name || same_name(e->names.name, ask->name)))
            show(out, ask, e->isa, &e->names, e->more);
}

/* "REG.FIELD" */
static void show_field(struct gpudbg *g, struct gpudbg_out *out, struct asked *ask)
{
    const struct gpudbg_enum *e = ask->name ? gpudbg_enum_named(gpudbg_session_databases(g), ask->isa, ask->name)
                                            : NULL;
    char reg[256];
    if (ask->known || !e || !strchr(ask->name, '.')) return;
    snprintf(reg, sizeof reg, "%.*s", (int)(strrchr(ask->name, '.') - ask->name), ask->name);
    const struct gpudbg_reg *of = gpudbg_reg_named(gpudbg_session_databases(g), ask->isa, reg);
    struct gpudbg_enum named = *e;
    named.name = ask->name;
    if (of) show(out, ask, of->isa, &named, NULL);
}

static void show_decoders(struct gpudbg *g, struct gpudbg_out *out, struct asked *ask)
{
    const struct gpudbg_isa *isa;
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (const struct gpudbg_enum *const *e = isa->traits.enums; same_isa(ask, isa->name) && e && *e; e++)
            if ((!ask->name || same_name((*e)->name, ask->name)) &&
                !registers_find_enum(gpudbg_session_databases(g), isa->name, (*e)->name))
                show(out, ask, isa->name, *e, NULL);
}

static void show_all(struct gpudbg *g, struct gpudbg_out *out, struct asked *ask)
{
    show_databases(g, out, ask);
    show_decoders(g, out, ask);
    show_field(g, out, ask);
}

/* "42", "0x2a", and as manuals write numbers: "02Ah", "101010b". */
static bool number_of(const char *text, uint64_t *number)
{
    const size_t n = strlen(text);
    const int last = n ? tolower((unsigned char)text[n - 1]) : 0;
    const bool binary = last == 'b' && n > 1 && strspn(text, "01") == n - 1;
    char *end;
    if (!isdigit((unsigned char)*text)) return false;
    *number = strtoull(text, &end, binary ? 2 : last == 'h' ? 16 : 0);
    return end == text + n - (binary || last == 'h');
}

static bool run_enum(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct asked ask = {.name = gpudbg_args_word(a)};
    bool digits = false, chosen = false; /* by --isa of this command */
    if (ask.name && strcmp(ask.name, "--isa") == 0) {
        const char *which = args_need(a, "the instruction set's name", err);
        if (!which || !(ask.isa = registers_isa(gpudbg_session_databases(g), which, err))) return false;
        ask.name = gpudbg_args_word(a);
        chosen = true;
    } else if (g->loaded.isa) {
        ask.isa = g->loaded.isa->name;
    }
    if (ask.name && strcmp(ask.name, "-s") == 0) {
        ask = (struct asked){.isa = chosen ? ask.isa : NULL, .pattern = args_need(a, "a pattern", err)};
        if (!ask.pattern || !args_end(a, err)) return false;
        show_all(g, out, &ask);
        return ask.found ||
               gpudbg_fail(err, "no-such-name", "no enumeration or value has \"%.60s\" in its name", ask.pattern);
    }
    ask.value = gpudbg_args_word(a);
    if (!args_end(a, err)) return false;
    if (ask.value) {
        digits = number_of(ask.value, &ask.number);
        ask.is_number = digits &&
                        !(ask.value[0] == '0' && isdigit((unsigned char)ask.value[1])); /* "0010" is a name first */
    }
    show_all(g, out, &ask);
    if (digits && !ask.is_number && !ask.found) {
        ask.is_number = true;
        show_all(g, out, &ask);
    }
    if (!chosen && ask.isa && ask.name && !ask.known) { /* the instruction set in use has none of that name */
        ask.isa = NULL;
        show_all(g, out, &ask);
    }
    if (ask.is_number && ask.known && !ask.found) { /* some names are digits */
        ask.is_number = false;
        show_all(g, out, &ask);
    }
    if (ask.name && !ask.known)
        return gpudbg_fail(err, "no-such-name",
            "no enumeration \"%.60s\"%s%s; `enum` lists them, `enum -s` searches names and values", ask.name,
            ask.isa ? " of " : "", ask.isa ? ask.isa : "");
    if (ask.value && !ask.found)
        return gpudbg_fail(err, "no-such-name", "%.60s has no value %.60s", ask.name, ask.value);
    return true;
}

/* Instruction sets of one family share enumerations. */
static bool of_an_earlier(struct gpudbg *g, size_t n, const struct gpudbg_enum *e)
{
    for (size_t i = 0; i < n; i++)
        for (const struct gpudbg_enum *const *own = registry_isa(g->registry, i)->traits.enums; own && *own; own++)
            if (*own == e) return true;
    return false;
}

static char *complete_enum(struct gpudbg *g, const char *text, unsigned state)
{
    struct regdb *r = gpudbg_session_databases(g);
    const struct register_enum *e;
    const struct gpudbg_isa *isa;
    size_t len = strlen(text);
    for (size_t i = 0; (e = registers_enum(r, i)); i++)
        if (e->isa && strncasecmp(e->names.name, text, len) == 0 && state-- == 0) return xstrdup(e->names.name);
    for (size_t i = 0; (isa = registry_isa(g->registry, i)); i++)
        for (const struct gpudbg_enum *const *own = isa->traits.enums; own && *own; own++)
            if (strncasecmp((*own)->name, text, len) == 0 && !of_an_earlier(g, i, *own) && state-- == 0)
                return xstrdup((*own)->name);
    return NULL;
}

static const struct gpudbg_command enum_command = {
    .name = "enum",
    .usage = "[--isa ISA] [NAME [VALUE] | -s PATTERN]",
    .summary = "list enumerations and what their values mean",
    .help = "NAME        the name of an enumeration, in quotes if it has blanks, or REGISTER.FIELD for the values\n"
            "            of a field\n"
            "VALUE       a number (42, 0x2a, or as the manuals write it: 02Ah, 101010b) or the name of a value\n"
            "-s PATTERN  search the names of all enumerations and of their values",
    .family = "Data",
    .run = run_enum,
    .complete = complete_enum,
};

static const struct gpudbg_command *const commands[] = {&enum_command, NULL};
COMMAND_FAMILY(cmd_enum, "enumerations", .summary = "the command enum", .commands = commands);
