/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reg: registers of the databases: what they are, what a value says, a value from its fields, what differs. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "gpudbg/endian.h"
#include "base/alloc.h"
#include "out/say.h"
#include "session/command.h"
#include "code/records.h"
#include "gpudbg/lanes.h"
#include "word/register_guess.h"
#include "word/registers.h"
#include "session/session.h"
#include "gpudbg/text.h"

/* ---- Which registers ---- */

static bool is_ours(struct gpudbg *g, const struct gpudbg_reg *reg)
{
    return registry_isa_named(g->registry, reg->isa);
}

/* Generations that gpudbg has no instruction set of have registers of the same names as others: they count where none
 * of the others has the name.  Whether one has. */
static bool has_ours(struct gpudbg *g, struct register_search m)
{
    const struct gpudbg_reg *reg;
    while ((reg = registers_next(gpudbg_session_databases(g), &m)))
        if (is_ours(g, reg)) return true;
    return false;
}

static const struct gpudbg_reg *first_match(struct gpudbg *g, const struct register_search *m)
{
    struct register_search anew = *m;
    const struct gpudbg_reg *reg;
    const bool ours = has_ours(g, *m);
    do reg = registers_next(gpudbg_session_databases(g), &anew);
    while (reg && ours && !is_ours(g, reg));
    return reg;
}

/* A NAME or ADDRESS as it stands for registers: ones of the isa in use if there are any.  `strict`: of that isa and no
 * other. */
static void match(struct gpudbg *g, struct register_search *m, const char *text, const char *isa, bool strict)
{
    const char *colon = strchr(text, ':');
    char own[32];
    struct gpudbg_error none = {0};
    *m = (struct register_search){.text = text, .isa = isa};
    if (colon && (size_t)(colon - text) < sizeof own) {
        snprintf(own, sizeof own, "%.*s", (int)(colon - text), text);
        const char *named = registers_isa(gpudbg_session_databases(g), own, &none);
        if (named) {
            m->isa = named;
            m->text = colon + 1;
            strict = true;
        }
    }
    if (!strict && m->isa && !first_match(g, m)) m->isa = NULL;
}

static bool none_there(const struct register_search *m, struct gpudbg_error *err)
{
    return gpudbg_fail(err, "no-such-name", "no register \"%.60s\"%s%s; `reg -s PATTERN` searches", m->text,
        m->isa ? " of " : "", m->isa ? m->isa : "");
}

/* ---- Showing one ---- */

static bool has_value(const struct gpudbg_field *field, uint64_t reset_mask)
{
    return reset_mask >> field->run[0].lo & 1;
}

static uint64_t field_of(const struct gpudbg_field *field, uint64_t value)
{
    uint64_t mask = field->run[0].len < 64 ? (UINT64_C(1) << field->run[0].len) - 1 : UINT64_MAX;
    return value >> field->run[0].lo & mask;
}

static void begin_register(struct gpudbg_out *out, const struct gpudbg_reg *reg, const char *text, const char *field)
{
    BEGIN(out, "register", text, STRING("name", reg->name), IF(reg->addr != GPUDBG_NOWHERE, HEX("addr", reg->addr)),
        STRING("isa", reg->isa), STRING("block", reg->block), STRING("space", reg->space),
        STRING("access", reg->access), STRING("array", reg->array), IF(reg->array, NUMBER("index", reg->index)),
        STRING("doc", reg->doc), STRING("note", reg->note), STRING("field", field),
        TEXT_ONLY(HEX("place", reg->addr == GPUDBG_NOWHERE ? 0 : reg->addr)));
}

#define HEADING                                                         \
    "{name}  {isa} {block}[  {space} {addr}]  {access}[  of {array}]\n" \
    "[  {doc}\n][  note: {note}\n]"

/* A field without a value: what it is for and what its values are called. */
static void describe_field(struct gpudbg_out *out, const struct gpudbg_reg *reg, const struct gpudbg_field_iter *it)
{
    const struct gpudbg_field *f = it->field;
    char bits[32];
    unsigned lo = f->run[0].lo, hi = lo + f->run[0].len - 1u;
    uint64_t initial = field_of(f, reg->reset);
    snprintf(bits, sizeof bits, "%u:%u", hi, lo);
    const bool known = has_value(f, reg->reset_mask);
    BEGIN_ITEM(out, NULL, "  {bits:7}  {name:-24} [={default:-6}][{!default}       ] {doc}\n",
        STRING("word", reg->name), STRING("name", f->name), NUMBER("lo", lo), NUMBER("hi", hi), STRING("bits", bits),
        IF(known, HEX("default", initial)), STRING("doc", f->doc));
    if (f->meaning) gpudbg_out_array(out, "values");
    for (size_t i = 0; f->meaning && i < f->meaning->count; i++) {
        const struct gpudbg_value *v = &f->meaning->values[i];
        char range[48];
        const uint64_t last = f->meaning->last ? f->meaning->last[i] : v->value;
        const bool wide = last != v->value;
        snprintf(range, sizeof range, wide ? "0x%" PRIx64 "-0x%" PRIx64 : "0x%" PRIx64, v->value, last);
        ITEM(out, NULL, "                                     {range:-6} {meaning}[  {doc}]\n", HEX("value", v->value),
            IF(wide, HEX("last", last)), STRING("meaning", v->name), TEXT("doc", v->doc), TEXT("range", range));
    }
    if (f->meaning) gpudbg_out_close(out);
    gpudbg_out_close(out);
}

static void describe(struct gpudbg_out *out, const struct gpudbg_reg *reg)
{
    static const uint8_t zeros[8];
    struct gpudbg_field_iter it;
    begin_register(out, reg, HEADING, NULL);
    SAY(out, NULL, IF(reg->reset_mask, HEX("reset", reg->reset)),
        IF(reg->reset_mask, HEX("reset_mask", reg->reset_mask)));
    gpudbg_out_array(out, "fields");
    for (gpudbg_word_fields(&it, reg->format, zeros); gpudbg_next_field(&it);)
        if (it.field != &it.hole) describe_field(out, reg, &it);
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

static bool fits(const struct gpudbg_reg *reg, uint64_t value, struct gpudbg_error *err)
{
    if (reg->format->bits < 64 && value >> reg->format->bits)
        return gpudbg_fail(
            err, "out-of-range", "0x%" PRIx64 " has more than the %u bits of %s", value, reg->format->bits, reg->name);
    return true;
}

static void decode_value(struct gpudbg_out *out, const struct gpudbg_reg *reg, uint64_t value)
{
    struct gpudbg_field_iter it;
    uint8_t bytes[8];
    const bool known = reg->reset_mask, changed = known && register_differs(reg, value);
    le_put(bytes, value, 8);
    begin_register(out, reg, HEADING, NULL);
    SAY(out, "  = {value}[{differs}  (* differs from what a reset leaves)]\n",
        HEX_DIGITS("value", value, reg->format->bits / 4), IF(known, BOOL("differs", changed)));
    gpudbg_out_array(out, "fields");
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
        bool differs = has_value(it.field, reg->reset_mask) && it.value != field_of(it.field, reg->reset);
        gpudbg_out_print(out, differs ? "*" : " ");
        field_record(out, &it, " {bits:7}  {name:-24} {value:-10} {meaning}[  ({doc})]\n");
    }
    gpudbg_out_close(out);
    gpudbg_out_end(out);
}

/* ---- Searching ---- */

static bool contains(const char *text, const char *pattern) { return text && strcasestr(text, pattern); }

/* The name of the first field that the pattern is in, or NULL. */
static const char *field_with(const struct gpudbg_reg *reg, const char *pattern)
{
    for (size_t i = 0; i < reg->format->count; i++)
        if (contains(reg->format->fields[i].name, pattern) || contains(reg->format->fields[i].doc, pattern))
            return reg->format->fields[i].name;
    return NULL;
}

static bool search(
    struct gpudbg *g, const char *pattern, const char *isa, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct regdb *r = gpudbg_session_databases(g);
    const struct gpudbg_reg *reg;
    unsigned found = 0;
    for (size_t i = 0; (reg = registers_each(r, i)); i++) {
        bool named = contains(reg->name, pattern) || contains(reg->doc, pattern);
        const char *field = named ? NULL : field_with(reg, pattern);
        if (!reg->isa || (isa && strcmp(reg->isa, isa) != 0) || (!named && !field)) continue;
        found++;
        begin_register(out, reg, "{isa:-8} {block:-5} {place:05}  {name}[.{field}]  {doc}\n", field);
        gpudbg_out_end(out);
    }
    return found || gpudbg_fail(err, "no-such-name",
                        "no register has \"%.60s\" in its name, its fields or its description", pattern);
}

#define CANDIDATES 20 /* that are shown; records have them all */

/* "POLYMODE_FRONT_PTYPE=X_DRAW_LINES CULL_FRONT=1": the fields of a value that are not 0, the first few. */
static void set_fields(const struct gpudbg_reg *reg, uint64_t value, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    struct gpudbg_field_iter it;
    uint8_t bytes[8];
    char meaning[120];
    unsigned shown = 0;
    le_put(bytes, value, 8);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
        if (!it.value) continue;
        if (shown++ == 4) {
            text_add(&t, " ...");
            break;
        }
        meaning[0] = 0;
        if (it.field->meaning) gpudbg_field_meaning(it.field, NULL, it.value, meaning, sizeof meaning);
        text_add(&t, "%s%s=", shown > 1 ? " " : "", it.field->name);
        if (meaning[0])
            text_add(&t, "%s", meaning);
        else
            text_add(&t, "0x%" PRIx64, it.value);
    }
}

/* reg -v */
static bool candidates(
    struct gpudbg *g, uint64_t value, const char *isa, struct gpudbg_out *out, struct gpudbg_error *err)
{
    size_t n;
    struct register_guess *list = register_guesses(gpudbg_session_databases(g), isa, value, &n);
    char fields[300];
    for (size_t i = 0; i < n; i++) {
        const bool shown = i < CANDIDATES;
        set_fields(list[i].reg, value, fields, sizeof fields);
        begin_register(out, list[i].reg, shown ? "{isa:-8} {block:-5} {place:05}  {name:-32}" : NULL, NULL);
        SAY(out, shown ? "  {agrees:2} bits agree[  {set}]\n" : NULL, NUMBER("agrees", list[i].agrees),
            HEX("value", value), STRING("set", *fields ? fields : NULL));
        gpudbg_out_end(out);
    }
    if (n > CANDIDATES) gpudbg_out_print(out, "... %zu more, which are less plausible\n", n - CANDIDATES);
    free(list);
    return n || gpudbg_fail(err, "no-such-name",
                    "0x%" PRIx64 " is a value of no register%s%s: of each a bit is set that is reserved, or a field "
                    "has a value without a name",
                    value, isa ? " of " : "", isa ? isa : "");
}

/* Registers of a block that come before the i-th or from it on. */
static size_t of_block(struct regdb *r, const struct gpudbg_reg *like, size_t from, size_t to)
{
    const struct gpudbg_reg *reg;
    size_t count = 0;
    for (size_t i = from; i < to && (reg = registers_each(r, i)); i++)
        count += reg->isa && strcmp(reg->isa, like->isa) == 0 && strcmp(reg->block, like->block) == 0;
    return count;
}

/* Without an argument: how many registers there are, by block. */
static bool summary(struct gpudbg *g, const char *isa, struct gpudbg_out *out)
{
    struct regdb *r = gpudbg_session_databases(g);
    const struct gpudbg_reg *reg, *before = NULL;
    for (size_t i = 0; (reg = registers_each(r, i)); i++) {
        if (!reg->isa || (isa && strcmp(reg->isa, isa) != 0)) continue;
        bool again = before && strcmp(before->isa, reg->isa) == 0 && strcmp(before->block, reg->block) == 0;
        before = reg;
        if (again || of_block(r, reg, 0, i)) continue;
        size_t count = of_block(r, reg, i, SIZE_MAX);
        RECORD(out, "registers", "{isa:-8} {block:-10} {count} registers, from {first}\n", STRING("isa", reg->isa),
            STRING("block", reg->block), NUMBER("count", count), TEXT("first", reg->name));
    }
    return true;
}

/* ---- Composing ---- */

static bool plain_number(const char *text, uint64_t *value)
{
    char *end;
    bool minus = *text == '-';
    if (!isdigit((unsigned char)text[minus])) return false;
    *value = strtoull(text + minus, &end, 0);
    if (minus) *value = 0 - *value;
    return !*end;
}

static bool value_named(const struct gpudbg_enum *names, const char *text, uint64_t *value)
{
    for (size_t i = 0; names && i < names->count; i++)
        if (strcasecmp(names->values[i].name, text) == 0) {
            *value = names->values[i].value;
            return true;
        }
    return false;
}

/* A field's value as a user writes it: a number, a name, names joined by '|', a float, an address. */
static bool field_value(const struct gpudbg_field *f, const char *text, uint64_t *value, struct gpudbg_error *err)
{
    uint64_t most = f->run[0].len < 64 ? (UINT64_C(1) << f->run[0].len) - 1 : UINT64_MAX, one;
    char word[128], *end;
    if (f->kind == GPUDBG_FLOAT && f->run[0].len == 32 && strpbrk(text, ".e") && strncmp(text, "0x", 2) != 0) {
        *value = lanes_bits32(strtof(text, &end));
        return !*end || gpudbg_fail(err, "usage", "%s: \"%.60s\" is not a float", f->name, text);
    }
    *value = 0;
    for (const char *at = text; *at;) {
        size_t n = f->kind == GPUDBG_BITS ? strcspn(at, "|") : strlen(at);
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
        if (!plain_number(word, &one) && !value_named(f->meaning, word, &one))
            return gpudbg_fail(err, "no-such-name", "%s has no value \"%.60s\"", f->name, word);
        *value |= one;
        at += n + (at[n] == '|');
    }
    if (*text == '-' && (int64_t)*value < 0 && (int64_t)*value >= -(int64_t)(most / 2) - 1) *value &= most;
    if (*value > most || !*text)
        return gpudbg_fail(err, "out-of-range", "%s: \"%.60s\" does not fit %u bits", f->name, text, f->run[0].len);
    return true;
}

/* FIELD=V over *value. */
static bool set_field(const struct gpudbg_reg *reg, char *text, uint64_t *value, struct gpudbg_error *err)
{
    char *equal = strchr(text, '=');
    uint64_t bits, mask;
    *equal = 0;
    const struct gpudbg_field *f = register_field(reg, text);
    if (!f) return gpudbg_fail(err, "no-such-name", "%s has no field \"%.60s\"", reg->name, text);
    if (!field_value(f, equal + 1, &bits, err)) return false;
    mask = f->run[0].len < 64 ? (UINT64_C(1) << f->run[0].len) - 1 : UINT64_MAX;
    *value = (*value & ~(mask << f->run[0].lo)) | bits << f->run[0].lo;
    return true;
}

/* Splits "NAME.FIELD=V" where NAME is a register, which may have dots of its own; NULL: it does not. */
static char *after_register(struct gpudbg *g, char *text, struct register_search *m, const char *isa, bool strict)
{
    char *equal = strchr(text, '=');
    for (char *dot = equal; dot && dot > text; dot--) {
        if (*dot != '.') continue;
        *dot = 0;
        match(g, m, text, isa, strict);
        if (first_match(g, m)) return dot + 1;
        *dot = '.';
    }
    return NULL;
}

/* The fields that follow, over a value; each may repeat the register's name. */
static bool compose(
    struct gpudbg *g, const struct gpudbg_reg *reg, struct gpudbg_args *a, uint64_t *value, struct gpudbg_error *err)
{
    const char *word;
    struct register_search m;
    while ((word = gpudbg_args_word(a))) {
        char text[512];
        snprintf(text, sizeof text, "%s", word);
        if (!strchr(text, '=')) return gpudbg_fail(err, "usage", "\"%.60s\" is not of the form FIELD=VALUE", word);
        char *field = after_register(g, text, &m, reg->isa, true);
        if (field && first_match(g, &m) != reg)
            return gpudbg_fail(err, "usage", "the fields must be of one register: %s, not \"%.60s\"", reg->name, word);
        if (!set_field(reg, field ? field : text, value, err)) return false;
    }
    return true;
}

/* The first of the registers that has the fields, and its value; NULL: none has all of them, and the error is that of
 * the first. */
static const struct gpudbg_reg *made_of_fields(struct gpudbg *g, struct register_search m, const char *field,
    struct gpudbg_args *a, uint64_t *value, struct gpudbg_error *err)
{
    const bool ours = has_ours(g, m);
    const struct gpudbg_reg *reg;
    struct gpudbg_error first = {0};
    const char *rest = gpudbg_args_rest(a);
    while ((reg = registers_next(gpudbg_session_databases(g), &m))) {
        struct gpudbg_args again;
        char text[512];
        if (ours && !is_ours(g, reg)) continue;
        snprintf(text, sizeof text, "%s", field);
        *value = 0;
        *err = (struct gpudbg_error){.offset = -1};
        if (set_field(reg, text, value, err) && args_open(&again, a->eval, rest, err)) {
            const bool good = compose(g, reg, &again, value, err);
            args_close(&again);
            if (good) return reg;
        }
        if (!first.kind) first = *err;
    }
    *err = first;
    return NULL;
}

/* ---- reg ---- */

static bool run_reg(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *isa = g->loaded.isa                             ? g->loaded.isa->name
                      : g->loaded.image && g->loaded.image->isa ? g->loaded.image->isa->name
                                                                : NULL;
    const char *word = gpudbg_args_word(a), *pattern = NULL;
    const struct gpudbg_reg *reg;
    struct register_search m;
    bool strict = false, has = false, guessing = false;
    uint64_t value = 0;
    char text[512];
    for (; word && *word == '-'; word = gpudbg_args_word(a)) {
        if (strcmp(word, "--isa") == 0) {
            if (!(word = args_need(a, "the instruction set's name", err)) ||
                !(isa = registers_isa(gpudbg_session_databases(g), word, err)))
                return false;
            strict = true;
        } else if (strcmp(word, "-s") == 0) {
            if (!(pattern = args_need(a, "a pattern", err))) return false;
        } else if (strcmp(word, "-v") == 0) {
            guessing = true;
            if (!args_value(a, "a value", &value, err)) return false;
        } else {
            return gpudbg_fail(err, "usage", "reg has no option \"%.40s\"", word);
        }
    }
    if (pattern)
        return !word ? search(g, pattern, strict ? isa : NULL, out, err)
                     : gpudbg_fail(err, "usage", "-s PATTERN cannot be combined with \"%.60s\"", word);
    if (guessing)
        return !word ? candidates(
                           g, value, strict || registers_any(gpudbg_session_databases(g), isa) ? isa : NULL, out, err)
                     : gpudbg_fail(err, "usage", "-v VALUE cannot be combined with \"%.60s\"", word);
    if (!word) return summary(g, strict ? isa : NULL, out);
    snprintf(text, sizeof text, "%s", word);
    char *field = strchr(text, '=') ? after_register(g, text, &m, isa, strict) : NULL;
    if (!field) match(g, &m, text, isa, strict);
    if (!(reg = first_match(g, &m))) return none_there(&m, err);
    if (field) {
        if (!(reg = made_of_fields(g, m, field, a, &value, err))) return false;
        decode_value(out, reg, value);
        return true;
    }
    const char *rest = gpudbg_args_rest(a);
    has = *rest;
    const bool fields_alone = memchr(rest, '=', strcspn(rest, " ")); /* over 0 */
    if (has && !fields_alone && !gpudbg_args_number(a, &value, err)) return false;
    bool composing = *gpudbg_args_rest(a);
    if (composing && !compose(g, reg, a, &value, err)) return false;
    const bool ours = has_ours(g, m);
    char elsewhere[256] = "";
    struct text aside = text_in(elsewhere, sizeof elsewhere);
    while ((reg = registers_next(gpudbg_session_databases(g), &m))) {
        if (ours && !is_ours(g, reg)) {
            text_add(&aside, " %s:%s", reg->isa, reg->name);
            continue;
        }
        if (has && !fits(reg, value, err)) return false;
        if (has)
            decode_value(out, reg, value);
        else
            describe(out, reg);
        if (composing) break;
    }
    if (*elsewhere && !gpudbg_out_json(out)) gpudbg_out_print(out, "other generations have it, too:%s\n", elsewhere);
    return true;
}

/* "NAME.FIELD=" and what of a value stands behind it: the value names of that field. */
static char *complete_value(struct gpudbg *g, const char *text, unsigned state)
{
    char owner[256], *result = NULL;
    const char *equals = strchr(text, '='), *dot = text;
    for (const char *p = text; p < equals; p++) dot = *p == '.' ? p : dot;
    if (dot == text || (size_t)(dot - text) >= sizeof owner) return NULL;
    snprintf(owner, sizeof owner, "%.*s", (int)(dot - text), text);
    const struct gpudbg_reg *reg = gpudbg_reg_named(gpudbg_session_databases(g), NULL, owner);
    for (size_t i = 0; reg && i < reg->format->count; i++) {
        const struct gpudbg_field *f = &reg->format->fields[i];
        if (strlen(f->name) != (size_t)(equals - dot - 1) ||
            strncasecmp(f->name, dot + 1, (size_t)(equals - dot - 1)) != 0 || !f->meaning)
            continue;
        const struct gpudbg_enum *e = f->meaning->count
                                          ? f->meaning
                                          : gpudbg_enum_named(gpudbg_session_databases(g), reg->isa, f->meaning->name);
        for (size_t k = 0; e && k < e->count; k++)
            if (e->values[k].name && strncasecmp(e->values[k].name, equals + 1, strlen(equals + 1)) == 0 &&
                state-- == 0)
                return asprintf(&result, "%.*s%s", (int)(equals - text) + 1, text, e->values[k].name) < 0 ? NULL
                                                                                                          : result;
    }
    return NULL;
}

static char *complete_reg(struct gpudbg *g, const char *text, unsigned state)
{
    struct regdb *r = gpudbg_session_databases(g);
    const char *dot = strrchr(text, '.');
    const struct gpudbg_reg *reg;
    size_t len = strlen(text);
    char *result = NULL, owner[256];
    if (strchr(text, '=')) return complete_value(g, text, state);
    for (size_t i = 0; (reg = registers_each(r, i)); i++)
        if (reg->isa && strncasecmp(reg->name, text, len) == 0 && state-- == 0) return xstrdup(reg->name);
    if (!dot || (size_t)(dot - text) >= sizeof owner) return NULL;
    snprintf(owner, sizeof owner, "%.*s", (int)(dot - text), text);
    reg = gpudbg_reg_named(gpudbg_session_databases(g), NULL, owner);
    for (size_t i = 0; reg && i < reg->format->count; i++)
        if (strncasecmp(reg->format->fields[i].name, dot + 1, strlen(dot + 1)) == 0 && state-- == 0)
            return asprintf(&result, "%s.%s=", owner, reg->format->fields[i].name) < 0 ? NULL : result;
    return NULL;
}

static const struct gpudbg_command reg_command = {
    .name = "reg",
    .usage = "[--isa ISA] [NAME|ADDR [VALUE] [FIELD=V...] | -s PATTERN | -v VALUE]",
    .summary = "describe a register, decode its value, or make a value from fields",
    .help = "reg NAME                    describe the register\n"
            "reg NAME VALUE              decode a value\n"
            "reg NAME VALUE FIELD=V ...  make a value: change fields of VALUE, or of 0.  V is a number, a\n"
            "                            value's name or a float\n"
            "reg ADDR                    find the register at an address\n"
            "reg -s PATTERN              search\n"
            "reg -v VALUE                registers that could hold this value, the most plausible first:\n"
            "                            those whose reserved bits are 0 and whose fields have named values\n"
            "NAME is the name in manuals and logs: it may begin with mm, ix or reg, and CB_COLOR_INFO[3] is one\n"
            "of several.  ISA:NAME picks an instruction set.  ADDR is a byte address or a dword index.  To say\n"
            "which, write byte:0x28a40, dword:0xa290, ix:0x12 (indirect), or an offset in a packet: context:0x290\n"
            "sh:0x48 config:0x4 uconfig:0x2.  `reg load` reads a file of yours.  The files in\n"
            "$XDG_CONFIG_HOME/gpudbg/registers are always read.",
    .family = "Data",
    .run = run_reg,
    .complete = complete_reg,
};

/* ---- reg diff ---- */

static void difference(struct gpudbg_out *out, const struct gpudbg_reg *a, const struct gpudbg_reg *b,
    const struct gpudbg_field *fa, const struct gpudbg_field *fb, const char *ta, const char *tb)
{
    const struct gpudbg_field *f = fa ? fa : fb;
    RECORD(out, "register-difference", "  {field:-24} {a:-28} {b}\n", STRING("name", a->name), STRING("other", b->name),
        STRING("field", f->name), STRING("a", ta), STRING("b", tb));
}

/* Two values of one register, field by field. */
static bool diff_values(const struct gpudbg_reg *reg, uint64_t a, uint64_t b, struct gpudbg_out *out)
{
    struct gpudbg_field_iter it;
    uint8_t bytes[8];
    char text[2][300];
    unsigned found = 0;
    le_put(bytes, a, 8);
    gpudbg_out_print(out, "%s  0x%" PRIx64 "  0x%" PRIx64 "\n", reg->name, a, b);
    for (gpudbg_word_fields(&it, reg->format, bytes); gpudbg_next_field(&it);) {
        uint64_t value[2] = {it.value, field_of(it.field, b)};
        if (value[0] == value[1]) continue;
        for (unsigned i = 0; i < 2; i++) {
            struct text t = text_in(text[i], sizeof text[i]);
            text_add(&t, "0x%" PRIx64 " ", value[i]);
            gpudbg_field_meaning(it.field, NULL, value[i], text_end(&t), text_room(&t));
        }
        difference(out, reg, reg, it.field, NULL, text[0], text[1]);
        found++;
    }
    if (!found) gpudbg_out_print(out, "  no difference\n");
    return true;
}

static void layout_text(const struct gpudbg_field *f, char *text, size_t size)
{
    if (f)
        snprintf(text, size, "%u:%u", f->run[0].lo + f->run[0].len - 1u, f->run[0].lo);
    else
        snprintf(text, size, "-");
}

/* Two layouts, field by field. */
static bool diff_layouts(const struct gpudbg_reg *a, const struct gpudbg_reg *b, struct gpudbg_out *out)
{
    char text[2][32];
    unsigned found = 0;
    gpudbg_out_print(out, "%s %s  %s %s\n", a->isa, a->name, b->isa, b->name);
    for (size_t i = 0; i < a->format->count; i++) {
        const struct gpudbg_field *fa = &a->format->fields[i], *fb = register_field(b, fa->name);
        if (fb && memcmp(fa->run, fb->run, sizeof fa->run) == 0) continue;
        layout_text(fa, text[0], sizeof text[0]);
        layout_text(fb, text[1], sizeof text[1]);
        difference(out, a, b, fa, fb, text[0], text[1]);
        found++;
    }
    for (size_t i = 0; i < b->format->count; i++)
        if (!register_field(a, b->format->fields[i].name)) {
            layout_text(&b->format->fields[i], text[1], sizeof text[1]);
            difference(out, a, b, NULL, &b->format->fields[i], "-", text[1]);
            found++;
        }
    if (!found) gpudbg_out_print(out, "  the same fields\n");
    return true;
}

/* NAME or NAME=VALUE */
static const struct gpudbg_reg *side(
    struct gpudbg *g, const char *word, uint64_t *value, bool *has, struct gpudbg_error *err)
{
    const char *equal = strchr(word, '=');
    struct register_search m;
    char name[256];
    snprintf(name, sizeof name, "%.*s", (int)(equal ? equal - word : (long)strlen(word)), word);
    *has = equal;
    if (equal && !gpudbg_evaluate(g, equal + 1, value, err)) return NULL;
    match(g, &m, name, g->loaded.isa ? g->loaded.isa->name : NULL, false);
    const struct gpudbg_reg *reg = registers_next(gpudbg_session_databases(g), &m);
    if (!reg) none_there(&m, err);
    return reg;
}

static bool run_diff(struct gpudbg *g, struct gpudbg_args *args, struct gpudbg_out *out, struct gpudbg_error *err)
{
    const char *first = args_need(args, "a register", err),
               *second = first ? args_need(args, "what to compare with", err) : NULL;
    const struct gpudbg_reg *a, *b;
    uint64_t value[2] = {0};
    bool has[2];
    if (!second || !(a = side(g, first, &value[0], &has[0], err))) return false;
    if (*gpudbg_args_rest(args) || isdigit((unsigned char)*second)) { /* NAME VALUE VALUE, NAME=VALUE VALUE */
        if (!gpudbg_evaluate(g, second, &value[has[0]], err) ||
            (!has[0] && !args_value(args, "another value", &value[1], err)))
            return false;
        return args_end(args, err) && fits(a, value[0], err) && fits(a, value[1], err) &&
               diff_values(a, value[0], value[1], out);
    }
    if (!(b = side(g, second, &value[1], &has[1], err))) return false;
    if (has[0] != has[1])
        return gpudbg_fail(
            err, "usage", "only one side has a value: compare NAME=VALUE with NAME=VALUE, or NAME with NAME");
    if (has[0] && a != b)
        return gpudbg_fail(
            err, "usage", "%s and %s are two registers: compare their fields without values", a->name, b->name);
    return has[0] ? fits(a, value[0], err) && fits(a, value[1], err) && diff_values(a, value[0], value[1], out)
                  : diff_layouts(a, b, out);
}

static const struct gpudbg_command diff_command = {
    .name = "reg diff",
    .usage = "NAME VALUE VALUE | NAME=VALUE NAME=VALUE | NAME NAME",
    .summary = "compare two values of a register, or the fields of two registers",
    .help = "To compare a register of two instruction sets, write ISA:NAME OTHER:NAME.",
    .family = "Data",
    .run = run_diff,
    .complete = complete_reg,
};

/* ---- reg load ---- */

static bool run_load(struct gpudbg *g, struct gpudbg_args *a, struct gpudbg_out *out, struct gpudbg_error *err)
{
    (void)out;
    const char *path = args_need(a, "a .regs file", err);
    if (!path || !args_end(a, err)) return false;
    if (g->sealed) return gpudbg_fail(err, "not-now", "this session must not open files");
    return registers_load(gpudbg_session_databases(g), path, err);
}

static const struct gpudbg_command load_command = {
    .name = "reg load",
    .usage = "FILE",
    .summary = "read registers and enumerations from a .regs file; they replace those of the same name",
    .family = "Data",
    .run = run_load,
    .complete = complete_file,
};

static const struct gpudbg_command *const commands[] = {&reg_command, &diff_command, &load_command, NULL};
COMMAND_FAMILY(cmd_registers, "registers", .summary = "registers of the databases", .commands = commands);
