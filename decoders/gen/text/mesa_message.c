/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mesa_message.c: see mesa_message.h.  A form is used both for printing and for reading. */
#include "text/mesa_message.h"
#include "code/message.h"
#include <ctype.h>
#include <stdlib.h>

enum { WORDS_MOST = 32 };

struct list {
    const char *name;
    const char *word[WORDS_MOST];
};

struct form {
    struct gen_span gens;
    uint8_t sfid, type_lo, type_len;
    bool also;
    uint32_t types;
    const char *form;
};

static const struct list lists[] = {
#define LIST(name, ...) {#name, {__VA_ARGS__}},
#define FORM(gens, sfid, type, types, form)
#define ALSO(gens, sfid, type, types, form)
#include "text/mesa_messages.def"
#undef LIST
#undef FORM
#undef ALSO
};

#define T(n) (UINT32_C(1) << (n))
#define ANY UINT32_MAX
#define ROW(gens, sfid, type, types, is_also, form) \
    {GEN_##gens, sfid, GEN_LO(type), GEN_LEN(type), is_also, types, form},
static const struct form forms[] = {
#define LIST(name, ...)
#define FORM(gens, sfid, type, types, form) ROW(gens, sfid, type, types, false, form)
#define ALSO(gens, sfid, type, types, form) ROW(gens, sfid, type, types, true, form)
#include "text/mesa_messages.def"
};
#define FORMS (sizeof forms / sizeof *forms)

static bool is_of(const struct form *f, const struct gen_eu *eu, unsigned sfid)
{
    return f->sfid == sfid && gen_is_in(eu, f->gens);
}

static bool is_type(const struct form *f, uint32_t desc)
{
    return f->types >> (desc >> f->type_lo & ((1u << f->type_len) - 1)) & 1;
}

/* ---- Fields of a form ---- */

struct field {
    const struct list *list; /* NULL: a number, or a message: */
    bool message;            /* Mesa's name of the message */
    char how;                /* of a number: d, x, X; '?': any value */
    bool blank;              /* a blank comes before the word */
    unsigned lo, len;
};

/* The field after an opening brace at *at, which moves after the closing brace. */
static struct field field_at(const char **at)
{
    struct field f = {.how = 'd'};
    const char *p = *at + 1;
    if (*p == ' ') {
        f.blank = true;
        p++;
    }
    const char *name = p;
    while (islower((unsigned char)*p)) p++;
    const size_t n = (size_t)(p - name);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strlen(lists[i].name) == n && memcmp(lists[i].name, name, n) == 0) f.list = &lists[i];
    f.message = gen_is_named(name, n, "message");
    if (!f.list && n && !f.message) f.how = *name;
    if (*p == 'X' || *p == '?') f.how = *p++;
    if (*p == ' ') p++;
    char *end;
    const unsigned hi = (unsigned)strtoul(p, &end, 10);
    f.lo = (unsigned)strtoul(end + 1, &end, 10);
    f.len = hi - f.lo + 1;
    *at = end + 1;
    return f;
}

/* ---- To text ---- */

const char *mesa_sfid_name(const struct gen_eu *eu, unsigned sfid) { return eu->sfid[GEN_SFID_MESA][sfid & 15]; }

static char *put_lower(char *p, uint32_t value, unsigned digits)
{
    while (digits < 8 && value >> 4 * digits) digits++;
    while (digits--) *p++ = "0123456789abcdef"[value >> 4 * digits & 15];
    return p;
}

/* The word of a field's value; NULL: the value has no word. */
static const char *word_of(const struct field *f, const struct gen_eu *eu, unsigned sfid, uint32_t value)
{
    if (f->message) return gen_mesa_word(eu, sfid, f->lo, value);
    return f->list && value < WORDS_MOST ? f->list->word[value] : NULL;
}

static bool has_words(const struct field *f) { return f->list || f->message; }

static char *put_field(char *p, const struct field *f, const struct gen_insn *i, uint32_t value)
{
    const char *word = word_of(f, i->eu, i->sfid, value);
    if (word) {
        if (*word && f->blank) *p++ = ' ';
        return put(p, word);
    }
    if (has_words(f)) p = f->blank ? PUT(p, " #") : PUT(p, "#");
    return f->how == 'x' ? put_lower(p, value, 1) : f->how == 'X' ? put_lower(p, value, 2) : gen_put_number(p, value);
}

char *mesa_put_message(char *p, const struct gen_insn *i)
{
    for (const struct form *f = forms; f < forms + FORMS; f++) {
        if (f->also || !is_of(f, i->eu, i->sfid) || !is_type(f, i->desc)) continue;
        for (const char *at = f->form; *at;) {
            if (*at != '{') {
                *p++ = *at++;
                continue;
            }
            const struct field field = field_at(&at);
            p = put_field(p, &field, i, i->desc >> field.lo & ((1u << field.len) - 1));
        }
        return p;
    }
    return gen_put_dec(PUT(p, "unsupported shared function ID "), i->sfid);
}

/* ---- To bits ---- */

static void pass_blanks(const char **at, const char *end)
{
    while (*at < end && isspace((unsigned char)**at)) ++*at;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The value whose word is the longest at *at. */
static bool read_word(const char *const *words, unsigned n, const char **at, const char *end, uint32_t *value)
{
    size_t longest = 0;
    bool found = false;
    for (unsigned i = 0; i < n; i++) {
        const size_t length = words[i] ? strlen(words[i]) : 0;
        if (!words[i] || (found && length <= longest) || length > (size_t)(end - *at) ||
            memcmp(words[i], *at, length) != 0)
            continue;
        if (length && *at + length < end && in_word((*at)[length])) continue;
        longest = length;
        *value = i;
        found = true;
    }
    *at += longest;
    return found;
}

static bool read_number(const char **at, const char *end, bool hex, uint32_t *value)
{
    const char *from = *at;
    *value = 0;
    for (; *at < end && (hex ? isxdigit((unsigned char)**at) : isdigit((unsigned char)**at)); ++*at) {
        const unsigned char c = (unsigned char)**at;
        if (*value >> 27) return false;
        *value = *value * (hex ? 16 : 10) + (unsigned)(isdigit(c) ? c - '0' : tolower(c) - 'a' + 10);
    }
    return *at > from;
}

static bool read_field(const struct field *f, const struct gen_eu *eu, unsigned sfid, const char **at, const char *end,
    struct mesa_words *w)
{
    uint32_t value;
    pass_blanks(at, end);
    if (has_words(f) && !(*at < end && **at == '#')) {
        const char *words[WORDS_MOST];
        for (uint32_t n = 0; n < WORDS_MOST; n++) words[n] = word_of(f, eu, sfid, n);
        if (!read_word(words, WORDS_MOST, at, end, &value)) return false;
    } else {
        if (has_words(f)) ++*at;
        if (!read_number(at, end, f->how == 'x' || f->how == 'X', &value)) return false;
    }
    const uint32_t mask = ((uint32_t)1 << f->len) - 1;
    if (f->how == '?') return true;
    if (value & ~mask || (w->mask >> f->lo & mask && ((w->value >> f->lo ^ value) & mask & w->mask >> f->lo)))
        return false; /* a field that occurs twice must have one value */
    w->value |= value << f->lo;
    w->mask |= mask << f->lo;
    return true;
}

static bool read_form(
    const struct form *f, const struct gen_eu *eu, const char **at, const char *end, struct mesa_words *w)
{
    for (const char *p = f->form; *p;) {
        if (*p == '{') {
            const struct field field = field_at(&p);
            if (!read_field(&field, eu, f->sfid, at, end, w)) return false;
            continue;
        }
        if (*p == ' ')
            pass_blanks(at, end);
        else if (*at < end && **at == *p)
            ++*at;
        else
            return false;
        p++;
    }
    return is_type(f, w->value);
}

/* "mlen 4 ex_mlen 0 rlen 0", with the additions of later versions; the words end after them. */
static bool read_lengths(const char *at, const char *end, struct mesa_words *w)
{
    uint32_t value;
    for (;;) {
        pass_blanks(&at, end);
        const char *name = at;
        while (at < end && in_word(*at)) at++;
        const size_t n = (size_t)(at - name);
        if (!n) return at == end;
        if (gen_is_named(name, n, "ex_bso") || gen_is_named(name, n, "indirect")) continue;
        pass_blanks(&at, end);
        if (at < end && *at == '=') at++;
        pass_blanks(&at, end);
        if (!read_number(&at, end, false, &value)) return false;
        if (gen_is_named(name, n, "mlen")) {
            w->has_mlen = true;
            w->mlen = value;
        } else if (gen_is_named(name, n, "rlen")) {
            w->has_rlen = true;
            w->rlen = value;
        } else if (gen_is_named(name, n, "ex_mlen") || gen_is_named(name, n, "src1_len")) {
            w->has_ex = true;
            w->ex_mlen = value;
        } else {
            return false;
        }
    }
}

int mesa_read_sfid(const char **at)
{
    uint32_t value;
    const char *end = *at + strlen(*at);
    pass_blanks(at, end);
    for (unsigned n = GEN_EUS; n-- > 0;)
        if (read_word(gen_sfids[n][GEN_SFID_MESA], 16, at, end, &value)) return (int)value;
    return -1;
}

bool mesa_read_message(const struct gen_eu *eu, unsigned sfid, const char *text, size_t n, struct mesa_words *w)
{
    const char *end = text + n, *at = text;
    *w = (struct mesa_words){.at = text};
    for (const struct form *f = forms; f < forms + FORMS && !w->known; f++) {
        if (!is_of(f, eu, sfid)) continue;
        *w = (struct mesa_words){.at = text};
        at = text;
        w->known = read_form(f, eu, &at, end, w) && read_lengths(at, end, w);
    }
    if (w->known) return true;
    *w = (struct mesa_words){.at = text};
    for (at = text; at < end && !w->has_mlen; at++) /* words of another version have the lengths, too */
        if (end - at > 5 && memcmp(at, " mlen ", 6) == 0) read_lengths(at, end, w);
    return w->has_mlen;
}

bool mesa_guess_header(unsigned sfid, uint32_t desc)
{
    const unsigned mlen = desc >> 25 & 15, type = desc >> 14 & 15, kind = desc >> 8 & 7;
    switch (sfid) {
    case 6: return true;                                                    /* URB: the handles */
    case 5: return type != 12 || mlen > (kind == 0 || kind == 1 ? 9u : 5u); /* colours, perhaps with depth */
    case 9:
    case 10: return type <= 2 || type == 8 || type == 10; /* blocks: the offset */
    case 3:
    case 7: return false;
    }
    return false;
}
