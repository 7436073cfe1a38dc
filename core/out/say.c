/* SPDX-License-Identifier: GPL-3.0-or-later */
/* say.c: records that are described once; see say.h. */
#include "out/say.h"
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"

/* ---- JSON ---- */

static void write_numbers(struct gpudbg_out *out, const struct member *m)
{
    gpudbg_out_array(out, m->key);
    for (size_t i = 0; i < m->n; i++) gpudbg_out_number(out, NULL, m->is.numbers[i]);
    gpudbg_out_close(out);
}

static void write_member(struct gpudbg_out *out, const struct member *m)
{
    switch (m->kind) {
    case MEMBER_NONE: break;
    case MEMBER_STRING: gpudbg_out_string(out, m->key, m->is.string); break;
    case MEMBER_NUMBER: gpudbg_out_number(out, m->key, m->is.number); break;
    case MEMBER_UNSIGNED: gpudbg_out_number(out, m->key, (int64_t)m->is.bits); break;
    case MEMBER_HEX: gpudbg_out_hex(out, m->key, m->is.bits); break;
    case MEMBER_REAL: gpudbg_out_real(out, m->key, m->is.real); break;
    case MEMBER_BOOL: gpudbg_out_bool(out, m->key, m->is.yes); break;
    case MEMBER_NUMBERS: write_numbers(out, m); break;
    case MEMBER_BYTES: gpudbg_out_bytes(out, m->key, m->is.bytes, m->n); break;
    }
}

/* ---- Text ---- */

/* Text that is written in one piece, if it is not long. */
struct line {
    struct gpudbg_out *out;
    const struct member *member;
    size_t nmembers;
    char buf[1024];
    size_t n;
};

static void line_flush(struct line *l)
{
    if (l->n) out_write(l->out, l->buf, l->n);
    l->n = 0;
}

static void line_add(struct line *l, const char *bytes, size_t n)
{
    if (n > sizeof l->buf - l->n) line_flush(l);
    if (n > sizeof l->buf) {
        out_write(l->out, bytes, n);
        return;
    }
    memcpy(l->buf + l->n, bytes, n);
    l->n += n;
}

static void line_spaces(struct line *l, size_t n)
{
    for (; n; n--) line_add(l, " ", 1);
}

/* What stands in braces. */
struct named {
    const char *key, *otherwise; /* in the text; otherwise NULL: there is none */
    size_t key_size, otherwise_size;
    bool not, left, zeros, bare, plural;
    unsigned width;
    int precision; /* -1: none is given */
};

static const char *take_number(const char *at, unsigned *number)
{
    for (*number = 0; isdigit((unsigned char)*at); at++) *number = 10 * *number + (unsigned)(*at - '0');
    return at;
}

/* Reads from behind the opening brace to behind the closing one. */
static const char *take_named(const char *at, struct named *n)
{
    *n = (struct named){.not = *at == '!', .precision = -1};
    n->key = at + n->not ;
    n->key_size = strcspn(n->key, ":|}");
    at = n->key + n->key_size;
    if (*at == ':') {
        at++;
        if ((n->left = *at == '-')) at++;
        if ((n->bare = *at == 'x')) at++;
        if ((n->zeros = *at == '0')) at++;
        at = take_number(at, &n->width);
        if (*at == '.') {
            unsigned digits;
            at = take_number(at + 1, &digits);
            n->precision = (int)digits;
        }
        if ((n->plural = *at == 's')) at++;
    }
    if (*at == '|') {
        n->otherwise = at + 1;
        n->otherwise_size = strcspn(n->otherwise, "}");
        at = n->otherwise + n->otherwise_size;
    }
    return *at ? at + 1 : at;
}

/* The member of that name that is there, or NULL. */
static const struct member *find(const struct line *l, const struct named *n)
{
    for (size_t i = 0; i < l->nmembers; i++) {
        const struct member *m = &l->member[i];
        if (!m->key || m->kind == MEMBER_NONE || (m->kind == MEMBER_BOOL && !m->is.yes)) continue;
        if (strncmp(m->key, n->key, n->key_size) == 0 && !m->key[n->key_size]) return m;
    }
    return NULL;
}

static bool is_one(const struct member *m)
{
    return (m->kind == MEMBER_NUMBER && m->is.number == 1) || (m->kind == MEMBER_UNSIGNED && m->is.bits == 1);
}

/* A member that is no string, as text in buf. */
static void number_text(const struct member *m, const struct named *n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    const int digits = n->zeros ? (int)n->width : 1;
    switch (m->kind) {
    case MEMBER_NUMBER: text_add(&t, "%0*" PRId64, digits, m->is.number); break;
    case MEMBER_UNSIGNED: text_add(&t, "%0*" PRIu64, digits, m->is.bits); break;
    case MEMBER_HEX:
        text_add(&t, n->bare ? "%0*" PRIx64 : "0x%0*" PRIx64, n->zeros ? digits : (int)m->digits, m->is.bits);
        break;
    case MEMBER_REAL: text_add(&t, "%.*f", n->precision < 0 ? 6 : n->precision, m->is.real); break;
    case MEMBER_NUMBERS:
        for (size_t i = 0; i < m->n; i++) text_add(&t, "%s%" PRIu32, i ? "," : "", m->is.numbers[i]);
        break;
    default: break;
    }
}

static void add_named(struct line *l, const struct named *n)
{
    char buf[128];
    const struct member *m = find(l, n);
    const char *text = buf;
    if (n->not ) return;
    if (n->plural) {
        if (!m || !is_one(m)) line_add(l, "s", 1);
        return;
    }
    if (m && m->kind == MEMBER_STRING)
        text = m->is.string;
    else if (m)
        number_text(m, n, buf, sizeof buf);
    else
        text = n->otherwise ? n->otherwise : "";
    const size_t size = m ? strlen(text) : n->otherwise_size, width = n->zeros ? 0 : n->width;
    const size_t pad = width > size ? width - size : 0;
    if (!n->left) line_spaces(l, pad);
    line_add(l, text, size);
    if (n->left) line_spaces(l, pad);
}

/* Whether all is there that a piece in brackets names, without the pieces inside it; *end: behind it. */
static bool piece_there(const struct line *l, const char *at, const char **end)
{
    bool there = true;
    unsigned depth = 1;
    while (*at && depth) {
        const char c = *at++;
        struct named n;
        if (c == '\\' && *at) at++;
        depth += c == '[';
        depth -= c == ']';
        if (c != '{') continue;
        at = take_named(at, &n);
        if (depth == 1 && !n.otherwise && !n.plural && (find(l, &n) != NULL) == n.not ) there = false;
    }
    *end = at;
    return there;
}

static void write_text(struct line *l, const char *at)
{
    while (*at) {
        const size_t plain = strcspn(at, "{[]\\");
        struct named n;
        const char *end;
        line_add(l, at, plain);
        at += plain;
        switch (*at) {
        case '{':
            at = take_named(at + 1, &n);
            add_named(l, &n);
            break;
        case '[': at = piece_there(l, at + 1, &end) ? at + 1 : end; break;
        case ']': at++; break; /* of a piece that is there */
        case '\\':
            if (at[1]) line_add(l, at + 1, 1);
            at += at[1] ? 2 : 1;
            break;
        default: break;
        }
    }
    line_flush(l);
}

/* ---- Both ---- */

void out_say(struct gpudbg_out *out, const char *text, const struct member *m, size_t n)
{
    if (gpudbg_out_json(out)) {
        for (size_t i = 0; i < n; i++)
            if (!m[i].text_only) write_member(out, &m[i]);
        return;
    }
    if (!text) return;
    struct line l = {.out = out, .member = m, .nmembers = n, .n = 0};
    write_text(&l, text);
}

void out_record(struct gpudbg_out *out, const char *type, const char *text, const struct member *m, size_t n)
{
    gpudbg_out_begin(out, type);
    out_say(out, text, m, n);
    gpudbg_out_end(out);
}

void out_item(struct gpudbg_out *out, const char *key, const char *text, const struct member *m, size_t n)
{
    gpudbg_out_object(out, key);
    out_say(out, text, m, n);
    gpudbg_out_close(out);
}
