/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explain_sentence.c: whether a rule holds of a subject, and the sentence that it says then. */
#include "gpudbg/text.h"
#include "gpudbg/unset.h"
#include "explain/explain_keys.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "word/registers.h"

/* ---- Conditions ---- */

static bool same_word(const char *have, const char *want)
{
    size_t n = strlen(want);
    if (n && want[n - 1] == '*') return strncasecmp(have, want, n - 1) == 0;
    return strcasecmp(have, want) == 0;
}

bool condition_holds(struct context *c, const struct condition *when)
{
    struct key_value a GPUDBG_UNSET, b GPUDBG_UNSET;
    bool there = key_value(c, when->key, &a);
    if (!when->op || *when->op == 'n') return there == !when->op;
    if (!there) return false;
    if (a.is_text) return same_word(a.text, when->other) == (when->op[0] == '=');
    if (isdigit((unsigned char)*when->other)) {
        if (!when->is_number) return false;
        b.n = when->number;
    } else if (!key_value(c, when->other, &b) || b.is_text) {
        return false;
    }
    switch (when->op[0]) {
    case '=': return a.n == b.n;
    case '!': return when->op[1] == '&' ? !(a.n & b.n) : a.n != b.n;
    case '&': return (a.n & b.n) != 0;
    case '<': return when->op[1] ? a.n <= b.n : a.n < b.n;
    default: return when->op[1] ? a.n >= b.n : a.n > b.n;
    }
}

/* ---- Sentences ---- */

/* The meaning that a field of the databases gives to bits: form "REG.FIELD", or "FAMILY/REG.FIELD" for a layout that
 * others share. */
static bool as_field(struct context *c, uint64_t n, const char *form, char *buf, size_t size)
{
    char name[128], family[32];
    const char *slash = strchr(form, '/'), *dot = strchr(slash ? slash : form, '.');
    const char *start = slash ? slash + 1 : form;
    snprintf(family, sizeof family, "%.*s", slash ? (int)(slash - form) : 0, form);
    snprintf(name, sizeof name, "%.*s", dot ? (int)(dot - start) : 0, start);
    const struct gpudbg_reg *reg = dot ? gpudbg_reg_named(gpudbg_dump_databases(c->d), slash ? family : c->family, name)
                                       : NULL;
    const struct gpudbg_field *f = reg ? register_field(reg, dot + 1) : NULL;
    return f && gpudbg_field_meaning(f, NULL, n, buf, size) >= 0;
}

static bool formatted(struct context *c, const struct key_value *v, const char *form, char *buf, size_t size)
{
    char text[8], number[KEY_HEX];
    struct text to = text_in(buf, size);
    if (!*form && v->is_text)
        text_add_bytes(&to, v->text, strlen(v->text));
    else if (strcmp(form, "client") == 0 || strcmp(form, "engine") == 0 || strcmp(form, "firmware") == 0) {
        if (!v->is_text) key_letters(v->n, text);
        const char *means = rules_word(c->rules, form, v->is_text ? v->text : text);
        if (!means) means = v->is_text ? v->text : text;
        text_add_bytes(&to, means, strlen(means));
    } else if (v->is_text)
        text_add_bytes(&to, v->text, strlen(v->text));
    else if (strcmp(form, "x") == 0 || strcmp(form, "page") == 0) {
        key_hex(*form == 'p' ? v->n << 12 : v->n, number);
        text_add_bytes(&to, number, strlen(number));
    } else if (strcmp(form, "letters") == 0)
        key_letters(v->n, text), snprintf(buf, size, "%s", text);
    else if (strcmp(form, "signed") == 0)
        snprintf(buf, size, "%" PRId64, (int64_t)v->n);
    else if (strcmp(form, "name") == 0 && v->field)
        gpudbg_field_meaning(v->field, NULL, v->n, buf, size);
    else if (strchr(form, '.'))
        return as_field(c, v->n, form, buf, size);
    else
        snprintf(buf, size, "%" PRIu64, v->n);
    return true;
}

/* {busy} {idle} {set}: of the subject register. */
static bool listed(const struct context *c, const char *key, char *buf, size_t size)
{
    static const char *const lists[] = {[LIST_BUSY] = "busy", [LIST_IDLE] = "idle", [LIST_SET] = "set"};
    for (unsigned i = 0; i < 3; i++)
        if (c->reg && c->record && strcmp(key, lists[i]) == 0)
            return list_fields(c->reg, c->record->value, c->record->mask, (enum listed)i, buf, size) > 0;
    return false;
}

static bool expanded(struct context *c, const char *text, unsigned depth, char *buf, size_t size);

/* `inside` is what stands between the braces; it is changed. */
static bool replaced(struct context *c, char *inside, unsigned depth, char *buf, size_t size)
{
    struct key_value v GPUDBG_UNSET;
    char *form = inside + strcspn(inside, ":?"), how = *form;
    *form = 0;
    if (how) form++;
    if (listed(c, inside, buf, size)) return true;
    const bool there = key_value(c, inside, &v);
    if (how != '?') return there && formatted(c, &v, form, buf, size);
    char *bar = strchr(form, '|');
    if (bar) *bar++ = 0;
    if (!there && !bar) return false; /* without the other text it must be there */
    const bool yes = there && (v.is_text ? v.text[0] != 0 : v.n != 0);
    return expanded(c, yes ? form : bar ? bar : "", depth + 1, buf, size);
}

/* Behind the brace that closes the one at p; NULL: none does. */
static const char *closing(const char *p)
{
    unsigned depth = 0;
    for (; *p; p++) {
        depth += *p == '{';
        if (*p == '}' && !--depth) return p;
    }
    return NULL;
}

static bool expanded(struct context *c, const char *text, unsigned depth, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (const char *p = text; *p && !text_is_cut(&t);) {
        const char *close = *p == '{' && depth < 3 ? closing(p) : NULL;
        char inside[200] GPUDBG_UNSET, piece[512] GPUDBG_UNSET;
        if (!close || close - p >= (long)sizeof inside) {
            const size_t n = 1 + strcspn(p + 1, "{");
            text_add_bytes(&t, p, n);
            p += n;
            continue;
        }
        const size_t n = (size_t)(close - p - 1);
        memcpy(inside, p + 1, n);
        inside[n] = 0;
        if (!replaced(c, inside, depth, piece, sizeof piece)) return false;
        text_add_bytes(&t, piece, strlen(piece));
        p = close + 1;
    }
    return true;
}

bool sentence(struct context *c, char *buf, size_t size) { return expanded(c, c->rule->text, 0, buf, size); }
