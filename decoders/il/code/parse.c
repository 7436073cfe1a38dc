/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c: lines of IL text to packets: mnemonic with its controls, operands, what stands behind them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "code/assemble.h"

/* A packet under way; tokens are kept until all controls are known, then emitted in order. */
struct packet {
    const char *at; /* the mnemonic */
    const struct gpudbg_op *op;
    const struct il_op *row;
    uint32_t code, pri, sec, pixtex, aoffimmi, extra[2];
    bool has_pri, has_sec, has_aoffimmi, has_usage, has_sharing;
    bool prefixed;
    uint32_t precise, result;            /* result: bits of the destination's modifier */
    const struct gpudbg_field *said[24]; /* fields that the mnemonic has given so far */
    unsigned nsaid;
    uint32_t flags; /* other controls given so far: a bit an enum control */
};

/* ---- Mnemonics ---- */

/* Other spellings. */
static const struct {
    const char *name;
    uint16_t number;
} also[] = {
    {"and", IL_OP_AND},
    {"dcl_num_thread_per_blk", IL_OP_DCL_NUM_THREAD_PER_GROUP},
    {"dcl_num_instance", IL_DCL_NUM_INSTANCES},
    {"dcl_persist", IL_DCL_PERSIST},
    {"round_posinf", IL_OP_ROUND_PLUS_INF},
    {"round_pluginf", IL_OP_ROUND_PLUS_INF},
    {"emitcut", IL_OP_EMIT_THEN_CUT},
    {"emitthencut_stream", IL_OP_EMIT_THEN_CUT_STREAM},
    {"dmove", IL_OP_D_MOVC},
    {"invariant_mov", IL_OP_INV_MOV},
    {"sad_4", IL_OP_SAD_4},
    {"dcl_inputprimitive", IL_DCL_INPUT_PRIMITIVE},
    {"lds_cmp_xchg", IL_OP_LDS_READ_CMP_XCHG},
    {"fetch4_c", IL_OP_FETCH4_C},
    {"fetch4_po", IL_OP_FETCH4_PO},
    {"fetch4_po_c", IL_OP_FETCH4_PO_C},
    {"icountbits", IL_OP_I_COUNTBITS},
    {"i_and", IL_OP_AND},
};

static bool name_ends(char c) { return c == 0 || strchr("_([ \t\r=,", c) != NULL; }

/* The longest name that ends where a control, a parenthesis or a blank begins. */
static const struct gpudbg_op *find_op(const char *p, size_t *length)
{
    const struct gpudbg_op *best = NULL;
    *length = 0;
    for (size_t i = 0; i < IL_ROW_LANGUAGE; i++) {
        size_t n = tolower((unsigned char)*p) == *il_ops[i].name ? strlen(il_ops[i].name) : 0;
        if (n > *length && strncasecmp(p, il_ops[i].name, n) == 0 && name_ends(p[n])) {
            best = &il_ops[i];
            *length = n;
        }
    }
    for (size_t i = 0; i < sizeof also / sizeof *also; i++) {
        size_t n = strlen(also[i].name);
        if (n > *length && strncasecmp(p, also[i].name, n) == 0 && name_ends(p[n])) {
            best = il_op_by_number(also[i].number);
            *length = n;
        }
    }
    for (unsigned number = 460; number < IL_OP_LAST; number++) { /* names without a layout */
        const char *name = il_op_unknown_name(number);
        size_t n = name ? strlen(name) : 0;
        if (n > *length && strncasecmp(p, name, n) == 0 && name_ends(p[n])) best = NULL;
    }
    return best && (best->code == IL_OP_PREFIX || best->code == IL_OP_COMMENT) ? NULL : best;
}

bool il_names_op(const char *p)
{
    size_t n;
    return find_op(p, &n) != NULL;
}

/* ---- Controls ---- */

/* The words whose fields are spelled in the mnemonic, and where their bits are collected. */
struct slot {
    enum il_word word;
    uint32_t *bits;
    bool *present;
};

#define SLOTS 5
static unsigned slots_of(struct packet *k, struct slot slot[SLOTS])
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

static void set_field(uint32_t *bits, const struct gpudbg_field *f, uint32_t value)
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
    if (n > best->length && strncasecmp(p, name, n) == 0 && name_ends(p[n])) {
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

static void consider_fields(struct candidate *best, const char *p, struct packet *k)
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

static struct candidate find_control(const char *p, struct packet *k)
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
    if (k->row->dst && (!(k->op->flags & IL_DECLARES) || k->op->code == IL_OP_INITV)) {
        for (unsigned i = 0; i < 6; i++)
            consider(&best, p, scales[i], (struct candidate){.what = SCALE, .value = i + 1});
        consider(&best, p, "sat", (struct candidate){.what = SAT});
    }
    return best;
}

static bool parse_offsets(struct il_parser *s, struct packet *k, const char *text, size_t n)
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
        set_field(&k->aoffimmi, &f->fields[i], value);
        text = il_blanks(*stop == ',' ? stop + 1 : stop);
    }
    return text >= end || il_parse_fail(s, text, "syntax", "an offset has three parts");
}

static bool parse_precise(struct il_parser *s, struct packet *k, const char **p)
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
static bool parse_field(struct il_parser *s, struct packet *k, const struct candidate *c, const char **p)
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
                return il_parse_fail(s, word, "syntax", "\"unnorm\" is expected behind the comma");
            k->code |= UINT32_C(1) << 31;
            n = (size_t)(comma - text);
            while (n && isspace((unsigned char)text[n - 1])) n--;
        }
        if (!field_value(s, c->field, text, n, &value)) return false;
    }
    set_field(c->slot.bits, c->field, value);
    if (c->slot.present) *c->slot.present = true;
    k->has_usage |= strcmp(c->field->name, "usage") == 0;
    k->has_sharing |= strcmp(c->field->name, "sharingMode") == 0;
    return true;
}

/* A control may be given once. */
static bool said_once(struct packet *k, const struct candidate *c)
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

static bool parse_control(struct il_parser *s, struct packet *k, const char **p)
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
static bool parse_own_field(struct il_parser *s, struct packet *k, const char *name, const char **p)
{
    const struct gpudbg_field *f = il_field((enum il_word)k->row->word, name);
    const char *text;
    size_t n;
    uint32_t value;
    *p = il_blanks(*p);
    if (!parenthesis(s, p, &text, &n) || !field_value(s, f, text, n, &value)) return false;
    set_field(&k->code, f, value);
    return true;
}

/* Moves to the '_' of the next control, if there is one.  The manual prints macros with blanks and commas between the
 * parts: there it is the character before the name. */
static bool control_follows(const struct packet *k, const char **p)
{
    if (**p == '_') return true;
    if (k->op->code != IL_OP_MACRODEF) return false;
    const char *next = il_comma(*p);
    if (*next != '_' && !isalpha((unsigned char)*next)) return false;
    *p = *next == '_' ? next : next - 1;
    return true;
}

static bool parse_controls(struct il_parser *s, struct packet *k, const char **p)
{
    if ((k->op->code == IL_OP_MACRODEF || k->op->code == IL_OP_MACROCALL) && !parse_own_field(s, k, "macro", p))
        return false;
    if (k->op->code == IL_OP_I_FIRSTBIT && **p == '(' && !parse_own_field(s, k, "type", p)) return false;
    while (control_follows(k, p))
        if (!parse_control(s, k, p)) return false;
    if (**p == 0 || isspace((unsigned char)**p) || **p == '[' || **p == '=' ||
        ((**p == '(' || **p == ',') && k->op->code == IL_OP_MACROCALL))
        return true;
    return il_parse_fail(s, *p, "syntax", "\"%.20s\" behind %s is not understood", *p, k->op->name);
}

/* ---- Controls that stand like operands ---- */

static bool parse_word_argument(struct il_parser *s, struct packet *k, const struct gpudbg_field *f, const char **p)
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
    set_field(&k->code, f, value);
    if (k->op->code == IL_OP_DCL_LDS_SHARING_MODE) s->sharing = value;
    return true;
}

static bool parse_flag_words(struct il_parser *s, struct packet *k, const char **p)
{
    for (*p = il_blanks(*p); **p; *p = il_comma(*p)) {
        size_t n = il_word_length(*p), i = 0;
        const struct gpudbg_format *format = k->op->format;
        while (i < format->count &&
               !(il_spelling[k->row->word][i] == IL_S_WORDS && il_same(*p, n, format->fields[i].name)))
            i++;
        if (!n || i == format->count) return il_parse_fail(s, *p, "syntax", "no flag is called \"%.40s\"", *p);
        set_field(&k->code, &format->fields[i], 1);
        *p += n;
    }
    return true;
}

static bool parse_arguments(struct il_parser *s, struct packet *k, const char **p)
{
    for (size_t i = 0; i < k->op->format->count; i++) {
        if (il_spelling[k->row->word][i] == IL_S_WORDS) return parse_flag_words(s, k, p);
        if (il_spelling[k->row->word][i] == IL_S_ARGUMENT) {
            *p = il_blanks(*p);
            if (!parse_word_argument(s, k, &k->op->format->fields[i], p)) return false;
        }
    }
    return true;
}

/* ---- What stands behind the operands ---- */

static bool count_fail(struct il_parser *s, const struct packet *k, const char *what)
{
    return il_parse_fail(s, k->at, "operand-count", "%s: too few %s", k->op->name, what);
}

/* The next number of a list; `first`: no comma before it. */
static bool next_number(struct il_parser *s, struct packet *k, const char **p, bool first, enum il_number_kind kind)
{
    uint32_t value;
    *p = first ? il_blanks(*p) : il_comma(*p);
    if (!**p) return count_fail(s, k, "numbers");
    const char *at = *p;
    return il_number(s, p, kind, &value) && il_emit(s, at, value);
}

static bool numbers(
    struct il_parser *s, struct packet *k, const char **p, unsigned n, bool first, enum il_number_kind kind)
{
    for (unsigned i = 0; i < n; i++)
        if (!next_number(s, k, p, first && i == 0, kind)) return false;
    return true;
}

/* Emits the count of a list in braces, then the list. */
static bool braces(struct il_parser *s, struct packet *k, const char **p, enum il_number_kind kind)
{
    *p = il_blanks(*p);
    if (**p == '=') *p = il_blanks(*p + 1);
    if (**p != '{')
        return **p ? il_parse_fail(s, *p, "syntax", "a list in braces is expected") : count_fail(s, k, "numbers");
    size_t count = s->to->n;
    if (!il_emit(s, *p, 0)) return false;
    *p = il_blanks(*p + 1);
    for (bool first = true; **p && **p != '}'; first = false) {
        if (!next_number(s, k, p, first, kind)) return false;
        s->to->token[count]++;
        *p = il_blanks(*p);
    }
    if (**p != '}') return il_parse_fail(s, *p, "syntax", "\"}\" is expected");
    ++*p;
    return true;
}

/* "[2]" */
static bool bracketed(struct il_parser *s, const char **p)
{
    uint32_t value;
    *p = il_blanks(*p);
    const char *at = *p;
    if (*at != '[') return il_parse_fail(s, at, "syntax", "\"[\" is expected");
    *p = il_blanks(at + 1);
    if (!il_number(s, p, IL_UNSIGNED, &value)) return false;
    *p = il_blanks(*p);
    if (**p != ']') return il_parse_fail(s, *p, "syntax", "\"]\" is expected");
    ++*p;
    return il_emit(s, at, value);
}

/* icb[8] = {...}: the brackets may be missing; the list decides. */
static bool parse_icb(struct il_parser *s, struct packet *k, const char **p)
{
    size_t said = s->to->n;
    *p += 3;
    bool sized = *il_blanks(*p) == '[';
    if (sized && !bracketed(s, p)) return false;
    uint32_t want = sized ? s->to->token[--s->to->n] : 0;
    if (!braces(s, k, p, IL_RAW_INTEGER)) return false;
    if (sized && s->to->token[said] != want)
        return il_parse_fail(s, k->at, "operand-count", "icb announces %" PRIu32 " numbers, and lists %" PRIu32, want,
            s->to->token[said]);
    return true;
}

static bool parse_dimensions(struct il_parser *s, struct packet *k, const char **p, size_t code_at)
{
    uint32_t n = 0;
    for (*p = il_blanks(*p); **p && n < 3; *p = il_comma(*p), n++) {
        const char *at = *p;
        uint32_t value;
        if (!il_number(s, p, IL_UNSIGNED, &value) || !il_emit(s, at, value)) return false;
    }
    s->to->token[code_at] |= n << 16;
    return n || count_fail(s, k, "numbers");
}

static bool parse_extra(struct il_parser *s, struct packet *k, const char **p, size_t code_at, bool first)
{
    switch ((enum il_extra)k->row->extra) {
    case IL_X_LABEL:
    case IL_X_NUMBER:
    case IL_X_BYTES:
    case IL_X_STRIDE:
    case IL_X_BOOL: return numbers(s, k, p, 1, first, IL_UNSIGNED);
    case IL_X_VALUE: return numbers(s, k, p, 1, first, IL_RAW_INTEGER);
    case IL_X_STRUCT: return numbers(s, k, p, 2, first, IL_UNSIGNED);
    case IL_X_LITERAL: return numbers(s, k, p, 4, first, IL_RAW_INTEGER);
    case IL_X_FLOAT: return numbers(s, k, p, 1, first, IL_RAW_FLOAT);
    case IL_X_DEF: {
        bool integers = (s->to->token[code_at + 1] >> 16 & 63) == IL_REG_CONST_INT;
        return numbers(s, k, p, 4, first, integers ? IL_RAW_INTEGER : IL_RAW_FLOAT);
    }
    case IL_X_DIMENSIONS: return parse_dimensions(s, k, p, code_at);
    case IL_X_FORMATS:
    case IL_X_TYPED: return il_emit(s, k->at, k->extra[0]);
    case IL_X_TYPELESS: return il_emit(s, k->at, k->extra[0]) && il_emit(s, k->at, k->extra[1]);
    case IL_X_TABLE: return braces(s, k, p, IL_UNSIGNED);
    case IL_X_INTERFACE: return bracketed(s, p) && bracketed(s, p) && braces(s, k, p, IL_UNSIGNED);
    case IL_X_NO:
    case IL_X_ICB:
    case IL_X_COMMENT:
    case IL_X_MACRO:
    case IL_X_MCALL: break;
    }
    return true;
}

/* ---- Packets ---- */

static bool emit_head(struct il_parser *s, struct packet *k)
{
    uint32_t code = k->code | k->op->code;
    if (k->has_pri) code |= UINT32_C(1) << 31;
    if (k->has_sec) code |= UINT32_C(1) << 30;
    if (k->prefixed && !il_emit(s, k->at, IL_OP_PREFIX | k->precise << 16)) return false;
    return il_emit(s, k->at, code) && (!k->has_pri || il_emit(s, k->at, k->pri)) &&
           (!k->has_sec || il_emit(s, k->at, k->sec)) &&
           (!(code >> 28 & 1) || !il_field((enum il_word)k->row->word, "aoffimmi") || il_emit(s, k->at, k->pixtex)) &&
           (!k->has_aoffimmi || il_emit(s, k->at, k->aoffimmi)) &&
           (k->row->extra != IL_X_MACRO || il_emit(s, k->at, k->extra[0]));
}

/* dcl_persistent 4, which means p[4] (7.5) */
static bool parse_slots(struct il_parser *s, const char **p)
{
    char text[16];
    const char *operand = text;
    uint32_t slots;
    if (!il_number(s, p, IL_UNSIGNED, &slots)) return false;
    snprintf(text, sizeof text, "p[%" PRIu32 "]", slots);
    return il_parse_operand(s, &operand, false, 0);
}

static bool parse_operands(struct il_parser *s, struct packet *k, const char **p, bool first)
{
    unsigned ndst = k->row->dst, nsrc = k->row->src;
    if (k->code >> 28 & 1 && il_field((enum il_word)k->row->word, "ext")) nsrc += k->row->word == IL_W_SRV ? 1 : 2;
    for (unsigned i = 0; i < ndst + nsrc; i++) {
        *p = first && i == 0 ? il_blanks(*p) : il_comma(*p);
        if (k->op->code == IL_DCL_PERSIST && isdigit((unsigned char)**p)) return parse_slots(s, p);
        if (!**p || s->joined)
            return il_parse_fail(
                s, k->at, "operand-count", "%s wants %u operands and has %u", k->op->name, ndst + nsrc, i);
        if (!il_parse_operand(s, p, i < ndst, i == 0 && ndst ? k->result : 0)) return false;
    }
    return true;
}

/* "(r1, r2)", emitted; returns how many. */
static bool parse_argument_list(struct il_parser *s, const char **p, bool is_dst, uint32_t *count)
{
    *p = il_comma(*p);
    if (**p != '(')
        return il_parse_fail(s, *p, "syntax", "mcall needs its arguments in parentheses, as in mcall(1) (r0), (r1)");
    *p = il_blanks(*p + 1);
    for (*count = 0; **p && **p != ')'; ++*count) {
        if (*count == 65535) return il_parse_fail(s, *p, "operand-count", "the call has more than 65535 arguments");
        if (!il_parse_operand(s, p, is_dst, 0)) return false;
        *p = il_comma(*p);
    }
    if (**p != ')') return il_parse_fail(s, *p, "syntax", "a parenthesis is not closed");
    ++*p;
    return true;
}

static bool parse_call(struct il_parser *s, struct packet *k, const char **p)
{
    uint32_t outs, ins;
    size_t counts = s->to->n;
    const uint32_t macro = s->macro_arguments[k->code >> 16 & 0x3fff];
    if (!il_emit(s, *p, 0) || !parse_argument_list(s, p, true, &outs) || !parse_argument_list(s, p, false, &ins))
        return false;
    s->to->token[counts] = outs | ins << 16;
    if (!macro || (((macro - 1) >> 8 & 255) == outs && ((macro - 1) & 255) == ins)) return true;
    return il_parse_fail(s, k->at, "operand-count",
        "the macro has %" PRIu32 " outputs and %" PRIu32 " inputs, the call %" PRIu32 " and %" PRIu32,
        (macro - 1) >> 8 & 255, (macro - 1) & 255, outs, ins);
}

static bool at_end(struct il_parser *s, struct packet *k, const char *p)
{
    if (!s->joined && isdigit((unsigned char)p[-1]) && isalpha((unsigned char)*p) && il_names_op(p)) s->joined = p;
    if (s->joined == p) return true;
    p = il_blanks(p);
    if (!*p) return true;
    const char *next = il_comma(p);
    if (isalnum((unsigned char)*next))
        return il_parse_fail(s, k->at, "operand-count", "%s: too many operands, from \"%.20s\" on", k->op->name, next);
    return il_parse_fail(s, p, "syntax", "\"%.20s\" is not understood", p);
}

static bool parse_packet(struct il_parser *s, struct packet *k, const char *p)
{
    p = il_blanks(p);
    if (*p == ',' && k->row->extra != IL_X_MCALL) /* an example of 7.19 has one there */
        return il_parse_fail(s, p, "syntax", "a comma stands before the first operand");
    bool immediate = k->row->extra == IL_X_ICB && strncasecmp(p, "icb", 3) == 0;
    if (immediate) k->code |= UINT32_C(1) << 31;
    if (!parse_arguments(s, k, &p)) return false;
    size_t code_at = s->to->n + k->prefixed;
    if (!emit_head(s, k)) return false;
    bool done;
    if (immediate)
        done = parse_icb(s, k, &p);
    else if (k->row->extra == IL_X_MCALL)
        done = parse_call(s, k, &p);
    else
        done = parse_operands(s, k, &p, true) && parse_extra(s, k, &p, code_at, k->row->dst + k->row->src == 0);
    return done && at_end(s, k, p);
}

/* ---- Version ---- */

/* il_cs, il_ps_2_0_mp_rt */
static bool parse_version(struct il_parser *s, const char *at)
{
    const char *p = at + 3;
    int64_t shader = il_enum_value(&il_enum[IL_E_SHADER], p, 2);
    uint32_t number[2] = {2, 0}, flags = 0;
    if (shader < 0 || !(p[2] == 0 || p[2] == '_' || isspace((unsigned char)p[2])))
        return il_parse_fail(s, at, "bad-version", "no kind of shader is called \"%.*s\"", (int)il_word_length(at), at);
    p += 2;
    for (unsigned i = 0; i < 2 && p[0] == '_' && isdigit((unsigned char)p[1]); i++) {
        char *end;
        unsigned long value = strtoul(p + 1, &end, 10);
        if (value > 255 || (i == 0 && value == 0))
            return il_parse_fail(s, p, "bad-version", "version %lu: numbers go from 1 to 255", value);
        number[i] = (uint32_t)value;
        number[1] = i ? number[1] : 0;
        p = end;
    }
    for (; *p == '_'; p += 3) {
        if (il_same(p, il_word_length(p) < 3 ? il_word_length(p) : 3, "_mp"))
            flags |= UINT32_C(1) << 24;
        else if (il_same(p, il_word_length(p) < 3 ? il_word_length(p) : 3, "_rt"))
            flags |= UINT32_C(1) << 25;
        else
            return il_parse_fail(s, p, "bad-version", "\"%.20s\": _mp or _rt is expected", p);
    }
    if (*il_blanks(p)) return il_parse_fail(s, p, "syntax", "\"%.20s\" behind the version", p);
    s->has_version = true;
    return il_emit(s, at, s->language) && il_emit(s, at, number[1] | number[0] << 8 | (uint32_t)shader << 16 | flags);
}

/* language dx11_ps */
static bool parse_language(struct il_parser *s, const char *at)
{
    const char *name = il_blanks(at + il_word_length(at));
    size_t n = il_word_length(name);
    int64_t value = il_enum_value(&il_enum[IL_E_LANGUAGE], name, n);
    if (value < 0 || *il_blanks(name + n))
        return il_parse_fail(s, name, "syntax", "no language is called \"%.20s\"", name);
    s->language = (uint32_t)value;
    return true;
}

/* ---- Lines ---- */

static bool parse_mnemonic(struct il_parser *s, const char *at, struct packet *k, const char **p)
{
    size_t n;
    k->at = at;
    k->op = find_op(at, &n);
    if (!k->op)
        return il_parse_fail(s, at, "unknown-opcode", "no instruction is called \"%.*s\"",
            (int)(il_word_length(at) ? il_word_length(at) : 1), at);
    k->row = &il_op[k->op->id];
    *p = at + n;
    if (!parse_controls(s, k, p)) return false;
    const struct gpudbg_field *usage = il_field((enum il_word)k->row->word, "usage");
    if (usage && !k->has_usage && (k->row->word == IL_W_INPUT || k->row->word == IL_W_OUTPUT))
        set_field(&k->code, usage, 6); /* generic */
    const struct gpudbg_field *sharing = il_field((enum il_word)k->row->word, "sharingMode");
    if (sharing && !k->has_sharing) set_field(&k->code, sharing, s->sharing);
    return true;
}

/* Arrays are declared with their size in brackets; code_at: the opcode. */
static bool sized(struct il_parser *s, const struct packet *k, size_t code_at)
{
    const bool array = k->op->code == IL_DCL_CONST_BUFFER || k->op->code == IL_DCL_INDEXED_TEMP_ARRAY;
    if (!array || s->to->token[code_at] >> 31 || (s->to->token[code_at + 1] >> 23 & 15) == 8) return true;
    return il_parse_fail(s, k->at, "operand-count", "%s needs a size in brackets, as in [4]", k->op->name);
}

/* The v# that a declaration names, its destination at token code_at, is a vertex from here on, or an input. */
static void keep_vertex(struct il_parser *s, const struct packet *k, size_t code_at)
{
    const bool vertex = k->op->code == IL_OP_DCLV || k->op->code == IL_OP_INITV;
    if (!vertex && k->op->code != IL_DCL_INPUT) return;
    const uint32_t number = s->to->token[code_at] & 0xffff;
    s->any_vertex |= vertex;
    if (number >= IL_VERTICES) return;
    s->input[number / 8] &= (uint8_t) ~(1u << number % 8);
    s->input[number / 8] |= (uint8_t)(!vertex << number % 8);
}

/* A line whose annotation is its tokens. */
static bool parse_annotated(struct il_parser *s, const char *text, const char *annotation)
{
    if (!s->has_version && strncasecmp(text, "il_", 3) == 0) {
        s->has_version = true;
        return il_emit(s, text, s->language) && il_parse_tokens(s, annotation) >= 0;
    }
    size_t first = s->to->n;
    long n = il_parse_tokens(s, annotation);
    if (n <= 0) return false;
    const uint32_t code = s->to->token[first] & 0xffff;
    if (!s->has_version && !s->macro && code != IL_OP_MACRODEF) { /* the language, which the version line gives */
        s->language = s->to->token[--s->to->n];
        return s->to->n == first || il_parse_fail(s, text, "bad-version", "tokens need a version line before them");
    }
    s->macro += code == IL_OP_MACRODEF;
    s->macro -= code == IL_OP_MACROEND && s->macro;
    return true;
}

/* One instruction of the line; joined: no line end parts it from the one before it. */
static bool parse_instruction(struct il_parser *s, const char *at, bool joined)
{
    struct packet k = {0};
    const char *p;
    const uint8_t v_type = s->v_type;
    s->joined = NULL;
    if (!parse_mnemonic(s, at, &k, &p)) return false;
    if (!s->has_version && !s->macro && k.op->code != IL_OP_MACRODEF) {
        s->number = 1;
        return il_parse_fail(s, NULL, "bad-version", "%s needs a version line before it", k.op->name);
    }
    const bool says_itself = v_type; /* then so does every other v# of a vertex */
    if ((k.op->code == IL_OP_DCLV || k.op->code == IL_OP_INITV) && !says_itself) s->v_type = IL_REG_VERTEX;
    if (k.op->code == IL_OP_MACRODEF) s->macro_arguments[k.code >> 16 & 0x3fff] = k.extra[0] + 1;
    s->macro += k.op->code == IL_OP_MACRODEF;
    s->macro -= k.op->code == IL_OP_MACROEND && s->macro;
    s->ended = k.op->code == IL_OP_END;
    size_t first = s->to->n;
    if (!parse_packet(s, &k, p) || !sized(s, &k, first + k.prefixed)) return false;
    s->to->place[first].joined = joined;
    s->v_type = v_type;
    /* The destination stands behind the opcode and its modifiers. */
    if (!says_itself) keep_vertex(s, &k, first + 1 + k.prefixed + k.has_pri + k.has_sec);
    return true;
}

bool il_parse_line(struct il_parser *s)
{
    const char *at = il_blanks(s->line), *p;
    char *annotation = il_annotation(s);
    s->v_type = 0;
    if (!*at) return true;
    if (s->ended && !annotation) return il_parse_fail(s, at, "syntax", "\"%.20s\" behind end", at);
    if (annotation) {
        *annotation = 0;
        annotation += 2;
        p = il_blanks(annotation);
        s->v_type = il_same(p, il_word_length(p), "vertex")  ? IL_REG_VERTEX
                    : il_same(p, il_word_length(p), "input") ? IL_REG_INPUT
                                                             : 0;
        if (!s->v_type) return parse_annotated(s, at, annotation);
        if (!*at) return true;
    }
    if (strncasecmp(at, "il_", 3) == 0) {
        if (s->has_version) return il_parse_fail(s, at, "syntax", "the text has a second version line");
        return parse_version(s, at);
    }
    if (!s->has_version && il_same(at, il_word_length(at), "language")) /* as a readable listing has it */
        return parse_language(s, at);
    bool good = parse_instruction(s, at, false);
    while (good && s->joined) {
        if (s->ended) return il_parse_fail(s, s->joined, "syntax", "\"%.20s\" behind end", s->joined);
        good = parse_instruction(s, s->joined, true);
    }
    return good;
}
