/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_control.c: the controls of an instruction: in its mnemonic, and as words behind it. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "code/parse.h"

/* ---- Controls ---- */

/* The words whose fields are spelled in the mnemonic, and where their bits are collected. */
struct slot {
    enum il_word word;
    uint32_t *bits;
    bool *present;
};

#define SLOTS 5
static unsigned slots_of(struct il_text_packet *k, struct slot slot[SLOTS])
{
    const struct il_modifiers *m = &il_modifiers[k->row->word];
    unsigned n = 0;
    slot[n++] = (struct slot){(enum il_word)k->row->word, &k->code, NULL};
    if (m->pri) slot[n++] = (struct slot){(enum il_word)m->pri, &k->pri, &k->has_pri};
    if (m->sec) slot[n++] = (struct slot){(enum il_word)m->sec, &k->sec, &k->has_sec};
    if (k->row->extra == IL_X_FORMATS) slot[n++] = (struct slot){IL_W_FORMATS, &k->extra[0], NULL};
    if (k->row->extra == IL_X_TYPED) slot[n++] = (struct slot){IL_W_TYPED, &k->extra[0], NULL};
    if (k->row->extra == IL_X_TYPELESS) {
        slot[n++] = (struct slot){IL_W_TYPELESS_STRIDE, &k->extra[0], NULL};
        slot[n++] = (struct slot){IL_W_TYPELESS, &k->extra[1], NULL};
    }
    return n;
}

void il_set_field(uint32_t *bits, const struct gpudbg_field *f, uint32_t value)
{
    uint32_t mask = f->run[0].len < 32 ? (UINT32_C(1) << f->run[0].len) - 1 : UINT32_MAX;
    *bits = (*bits & ~(mask << f->run[0].lo)) | (value & mask) << f->run[0].lo;
}

static bool fits(const struct gpudbg_field *f, uint32_t value)
{
    return f->run[0].len == 32 || value < UINT32_C(1) << f->run[0].len;
}

/* A value of a field, as text of n characters. */
static bool field_value(struct il_parser *s, const struct gpudbg_field *f, const char *text, size_t n, uint32_t *value)
{
    int64_t named = f->kind == GPUDBG_ENUM ? il_enum_value(f->meaning, text, n) : -1;
    if (f->kind == GPUDBG_ENUM && named < 0)
        return il_parse_fail(
            s, text, "syntax", "%s: no value is called \"%.*s\"", f->name, (int)(n < 40 ? n : 40), text);
    if (named >= 0) {
        *value = (uint32_t)named;
        return true;
    }
    char *end;
    if (f->kind == GPUDBG_SINT) {
        double scale = f->run[0].len == 7 ? 16 : 2, scaled = strtod(text, &end) * scale;
        double most = 1u << (f->run[0].len - 1);
        if (end != text + n || !(scaled >= -most && scaled < most) || scaled != (double)(int)scaled)
            return il_parse_fail(s, text, "syntax", "%s: \"%.*s\" is not a multiple of 1/%g in its range", f->name,
                (int)(n < 40 ? n : 40), text, scale);
        *value = (uint32_t)(int)scaled;
        return true;
    }
    const char *p = text;
    if (!il_number(s, &p, IL_UNSIGNED, value)) return false;
    if (p != text + n) return il_parse_fail(s, p, "syntax", "%s: a number is expected", f->name);
    return fits(f, *value) || il_parse_fail(s, text, "syntax", "%s: %" PRIu32 " does not fit into %u bits", f->name,
                                  *value, f->run[0].len);
}

/* What stands between parentheses at *p, blanks cut off; passes over it. */
static bool parenthesis(struct il_parser *s, const char **p, const char **text, size_t *n)
{
    const char *open = *p;
    const char *close = strchr(open, ')');
    if (*open != '(' || !close)
        return il_parse_fail(s, open, "syntax", *open == '(' ? "a parenthesis is not closed" : "\"(\" is expected");
    *text = il_blanks(open + 1);
    *n = (size_t)(close - *text);
    while (*n && isspace((unsigned char)(*text)[*n - 1])) --*n;
    *p = close + 1;
    return true;
}

/* What one control could be; the longest name wins. */
struct candidate {
    size_t length;
    const struct gpudbg_field *field;
    struct slot slot;
    uint32_t value; /* of a bare name */
    bool bare, on;
    enum control {
        NOTHING,
        FIELD,
        PREC,
        EXT,
        AOFF,
        PIXTEX,
        SCALE,
        SAT,
        NRM3,
        UNNORM,
        MACRO_IN,
        MACRO_OUT,
        OUTLINE
    } what;
};

static void consider(struct candidate *best, const char *p, const char *name, struct candidate c)
{
    size_t n = strlen(name);
    if (n > best->length && strncasecmp(p, name, n) == 0 && il_name_ends(p[n])) {
        *best = c;
        best->length = n;
    }
}

/* LDS opcodes are spelled with _id and with _resource. */
static const char *other_name(const struct gpudbg_field *f, enum il_word word)
{
    if (word == IL_W_LDS) return "resource";
    if (word == IL_W_LDS_READ) return "id";
    if (strcmp(f->name, "rep") == 0) return "repeat";
    return strcmp(f->name, "coordtype") == 0 ? "coordtyped" : f->name;
}

static void consider_fields(struct candidate *best, const char *p, struct il_text_packet *k)
{
    struct slot slot[SLOTS];
    unsigned n = slots_of(k, slot);
    for (unsigned w = 0; w < n; w++)
        for (size_t i = 0; i < il_format[slot[w].word].count; i++) {
            const struct gpudbg_field *f = &il_format[slot[w].word].fields[i];
            struct candidate c = {.field = f, .slot = slot[w], .what = FIELD};
            switch ((enum il_spelling)il_spelling[slot[w].word][i]) {
            case IL_S_OFTEN:
            case IL_S_SELDOM:
                consider(best, p, f->name, c);
                consider(best, p, other_name(f, slot[w].word), c);
                break;
            case IL_S_ON:
                c.on = true;
                consider(best, p, f->name, c);
                consider(best, p, other_name(f, slot[w].word), c);
                break;
            case IL_S_BARE:
            case IL_S_BARELY:
                c.bare = true;
                for (size_t v = 0; v < f->meaning->count; v++) {
                    c.value = (uint32_t)f->meaning->values[v].value;
                    consider(best, p, f->meaning->values[v].name, c);
                }
                c.bare = false;
                consider(best, p, f->name, c);
                break;
            case IL_S_HIDDEN:
            case IL_S_ARGUMENT:
            case IL_S_WORDS:
            case IL_S_PAREN: break;
            }
        }
}

static struct candidate find_control(const char *p, struct il_text_packet *k)
{
    static const char scales[][3] = {"x2", "x4", "x8", "d2", "d4", "d8"};
    enum il_word word = (enum il_word)k->row->word;
    struct candidate best = {0};
    bool samples = il_field(word, "aoffimmi") != NULL;
    consider_fields(&best, p, k);
    consider(&best, p, "prec", (struct candidate){.what = PREC});
    if (il_field(word, "ext")) consider(&best, p, "ext", (struct candidate){.what = EXT});
    if (samples) {
        consider(&best, p, "aoffimmi", (struct candidate){.what = AOFF});
        consider(&best, p, "addroffimmi", (struct candidate){.what = AOFF});
        consider(&best, p, "resourcetype", (struct candidate){.what = PIXTEX});
    }
    if (word == IL_W_NRM) consider(&best, p, "nrm3", (struct candidate){.what = NRM3});
    if (word == IL_W_RESOURCE) consider(&best, p, "unnorm", (struct candidate){.what = UNNORM});
    if (word == IL_W_MDEF) {
        consider(&best, p, "out", (struct candidate){.what = MACRO_OUT, .value = 8});
        consider(&best, p, "in", (struct candidate){.what = MACRO_IN, .value = 0});
        consider(&best, p, "outline", (struct candidate){.what = OUTLINE});
    }
    if (k->row->dst && (!(k->op->flags & IL_DECLARES) || il_code(k->op) == IL_OP_INITV)) {
        for (unsigned i = 0; i < 6; i++)
            consider(&best, p, scales[i], (struct candidate){.what = SCALE, .value = i + 1});
        consider(&best, p, "sat", (struct candidate){.what = SAT});
    }
    return best;
}

static bool parse_offsets(struct il_parser *s, struct il_text_packet *k, const char *text, size_t n)
{
    const struct gpudbg_format *f = &il_format[IL_W_AOFFIMMI];
    const char *end = text + n;
    k->has_aoffimmi = true;
    for (unsigned i = 0; i < 3; i++) {
        size_t len = strcspn(text, ",)");
        const char *stop = text + len < end ? text + len : end;
        const char *last = stop;
        while (last > text && isspace((unsigned char)last[-1])) last--;
        uint32_t value = 0;
        if (last <= text) return il_parse_fail(s, text, "syntax", "an offset has three parts: (u,v,w)");
        if (!field_value(s, &f->fields[i], text, (size_t)(last - text), &value)) return false;
        il_set_field(&k->aoffimmi, &f->fields[i], value);
        text = il_blanks(*stop == ',' ? stop + 1 : stop);
    }
    return text >= end || il_parse_fail(s, text, "syntax", "an offset has three parts");
}

static bool parse_precise(struct il_parser *s, struct il_text_packet *k, const char **p)
{
    const char *text;
    size_t n;
    k->prefixed = true;
    k->precise = 15;
    if (**p != '(') return true;
    if (!parenthesis(s, p, &text, &n)) return false;
    k->precise = 0;
    for (size_t i = 0; i < n; i++) {
        const char *at = strchr("xyzw_", tolower((unsigned char)text[i]));
        if (!at) return il_parse_fail(s, text, "syntax", "_prec takes components: (xyzw)");
        if (*at != '_') k->precise |= 1u << (at - "xyzw_");
    }
    return true;
}

/* A field with its value in parentheses. */
static bool parse_field(struct il_parser *s, struct il_text_packet *k, const struct candidate *c, const char **p)
{
    const char *text;
    size_t n;
    uint32_t value = c->bare ? c->value : 1;
    if (!c->bare && !c->on) {
        if (!parenthesis(s, p, &text, &n)) return false;
        const char *comma = k->row->word == IL_W_RESOURCE && c->field->kind == GPUDBG_ENUM ? memchr(text, ',', n)
                                                                                           : NULL;
        if (comma) { /* _type(2d,unnorm) */
            const char *word = il_blanks(comma + 1);
            if (!il_same(word, il_word_length(word), "unnorm"))
                return il_parse_fail(s, word, "syntax", "\"unnorm\" is expected after the comma");
            k->code |= UINT32_C(1) << 31;
            n = (size_t)(comma - text);
            while (n && isspace((unsigned char)text[n - 1])) n--;
        }
        if (!field_value(s, c->field, text, n, &value)) return false;
    }
    il_set_field(c->slot.bits, c->field, value);
    if (c->slot.present) *c->slot.present = true;
    k->has_usage |= strcmp(c->field->name, "usage") == 0;
    k->has_sharing |= strcmp(c->field->name, "sharingMode") == 0;
    return true;
}

/* A control may be given once. */
static bool said_once(struct il_text_packet *k, const struct candidate *c)
{
    if (c->what != FIELD) {
        const bool had = k->flags >> c->what & 1;
        k->flags |= UINT32_C(1) << c->what;
        return !had;
    }
    for (unsigned i = 0; i < k->nsaid; i++)
        if (k->said[i] == c->field) return false;
    if (k->nsaid < sizeof k->said / sizeof *k->said) k->said[k->nsaid++] = c->field;
    return true;
}

static bool parse_control(struct il_parser *s, struct il_text_packet *k, const char **p)
{
    const char *at = *p, *text;
    size_t n;
    struct candidate c = find_control(at + 1, k);
    *p = at + 1 + c.length;
    if (c.what != NOTHING && !said_once(k, &c))
        return il_parse_fail(s, at, "syntax", "%s: \"%.*s\" is given twice", k->op->name, (int)(1 + c.length), at);
    switch (c.what) {
    case NOTHING:
        return il_parse_fail(
            s, at, "syntax", "%s has no control \"%.*s\"", k->op->name, (int)(1 + il_word_length(at + 1)), at);
    case FIELD: return parse_field(s, k, &c, p);
    case PREC: return parse_precise(s, k, p);
    case EXT: k->code |= UINT32_C(1) << 28; return true;
    case AOFF: k->code |= UINT32_C(1) << 29; return parenthesis(s, p, &text, &n) && parse_offsets(s, k, text, n);
    case PIXTEX:
        return parenthesis(s, p, &text, &n) && field_value(s, &il_format[IL_W_PIXTEX].fields[0], text, n, &k->pixtex);
    case SCALE: k->result = (k->result & ~(UINT32_C(15) << 9)) | c.value << 9; return true;
    case SAT: k->result |= 1 << 8; return true;
    case NRM3: return true;
    case UNNORM: k->code |= UINT32_C(1) << 31; return true;
    case MACRO_IN:
    case MACRO_OUT: {
        uint32_t value;
        *p = il_blanks(*p);
        if (!parenthesis(s, p, &text, &n)) return false;
        const char *number = text;
        if (!il_number(s, &number, IL_UNSIGNED, &value)) return false;
        if (number != text + n || value > 255)
            return il_parse_fail(s, text, "syntax", "a macro has up to 255 arguments of a kind");
        k->extra[0] = (k->extra[0] & ~(UINT32_C(255) << c.value)) | value << c.value;
        return true;
    }
    case OUTLINE: k->extra[0] |= UINT32_C(1) << 16; return true;
    }
    return false;
}

/* mdef(k), mcall(k), ffb(hi) */
static bool parse_own_field(struct il_parser *s, struct il_text_packet *k, const char *name, const char **p)
{
    const struct gpudbg_field *f = il_field((enum il_word)k->row->word, name);
    const char *text;
    size_t n;
    uint32_t value;
    *p = il_blanks(*p);
    if (!parenthesis(s, p, &text, &n) || !field_value(s, f, text, n, &value)) return false;
    il_set_field(&k->code, f, value);
    return true;
}

/* Moves to the '_' of the next control, if there is one.  The manual prints macros with blanks and commas between the
 * parts: there it is the character before the name. */
static bool control_follows(const struct il_text_packet *k, const char **p)
{
    if (**p == '_') return true;
    if (il_code(k->op) != IL_OP_MACRODEF) return false;
    const char *next = il_comma(*p);
    if (*next != '_' && !isalpha((unsigned char)*next)) return false;
    *p = *next == '_' ? next : next - 1;
    return true;
}

bool il_parse_controls(struct il_parser *s, struct il_text_packet *k, const char **p)
{
    if ((il_code(k->op) == IL_OP_MACRODEF || il_code(k->op) == IL_OP_MACROCALL) && !parse_own_field(s, k, "macro", p))
        return false;
    if (il_code(k->op) == IL_OP_I_FIRSTBIT && **p == '(' && !parse_own_field(s, k, "type", p)) return false;
    while (control_follows(k, p))
        if (!parse_control(s, k, p)) return false;
    if (**p == 0 || isspace((unsigned char)**p) || **p == '[' || **p == '=' ||
        ((**p == '(' || **p == ',') && il_code(k->op) == IL_OP_MACROCALL))
        return true;
    return il_parse_fail(s, *p, "syntax", "\"%.20s\" after %s is not understood", *p, k->op->name);
}

/* ---- Controls that are written like operands ---- */

static bool parse_word_argument(
    struct il_parser *s, struct il_text_packet *k, const struct gpudbg_field *f, const char **p)
{
    const char *text = *p, *at = *p;
    size_t n = il_word_length(text), own = strlen(f->name);
    if (!n) return il_parse_fail(s, k->at, "operand-count", "%s needs its %s", k->op->name, f->name);
    *p = text + n;
    if (il_same(text, n, f->name) && **p == '(') { /* prim_type(triangle) */
        if (!parenthesis(s, p, &text, &n)) return false;
    } else if (n > own && strncasecmp(text, f->name, own) == 0 && text[own] == '_') { /* ts_domain_tri */
        text += own + 1;
        n -= own + 1;
    }
    uint32_t value;
    if (isdigit((unsigned char)*text) && f->kind == GPUDBG_ENUM) {
        const char *number = text;
        if (!il_number(s, &number, IL_UNSIGNED, &value)) return false;
        if (!gpudbg_enum_name(f->meaning, value))
            return il_parse_fail(s, at, "syntax", "%s has no value %" PRIu32, f->name, value);
    } else if (!field_value(s, f, text, n, &value)) {
        return false;
    }
    il_set_field(&k->code, f, value);
    if (il_code(k->op) == IL_OP_DCL_LDS_SHARING_MODE) s->sharing = value;
    return true;
}

static bool parse_flag_words(struct il_parser *s, struct il_text_packet *k, const char **p)
{
    for (*p = il_blanks(*p); **p; *p = il_comma(*p)) {
        size_t n = il_word_length(*p), i = 0;
        const struct gpudbg_format *format = il_rows[k->op->id].format;
        while (i < format->count &&
               !(il_spelling[k->row->word][i] == IL_S_WORDS && il_same(*p, n, format->fields[i].name)))
            i++;
        if (!n || i == format->count) return il_parse_fail(s, *p, "syntax", "no flag is called \"%.40s\"", *p);
        il_set_field(&k->code, &format->fields[i], 1);
        *p += n;
    }
    return true;
}

bool il_parse_arguments(struct il_parser *s, struct il_text_packet *k, const char **p)
{
    for (size_t i = 0; i < il_rows[k->op->id].format->count; i++) {
        if (il_spelling[k->row->word][i] == IL_S_WORDS) return parse_flag_words(s, k, p);
        if (il_spelling[k->row->word][i] == IL_S_ARGUMENT) {
            *p = il_blanks(*p);
            if (!parse_word_argument(s, k, &il_rows[k->op->id].format->fields[i], p)) return false;
        }
    }
    return true;
}
