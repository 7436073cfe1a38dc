/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_operand.c: registers with indices, masks, swizzles and modifiers.  Manual: AMD IL 2.4, 2.2.8 and 3.2 to 3.6. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "code/assemble.h"

/* Everything between '[' and ']'. */
struct subscript {
    const char *at;
    uint8_t relative; /* as enum ILAddressing */
    bool loop;
    bool has_offset;
    uint32_t offset;
    uint8_t type;
    uint32_t reg, mod;
    bool has_mod;
};

struct operand {
    const char *at;
    uint8_t type;
    bool has_number, has_mod;
    uint32_t number, mod;
    unsigned subscripts;
    struct subscript subscript[2];
};

/* ---- Names of registers ---- */

/* The type of "v#".  Two indices make it a VERTEX (2.2.8).  In a shader of model 3 (which has dclv or initv) it is a
 * VERTEX too, unless dcl_input declares it.  Otherwise it is an INPUT. */
static uint8_t type_of_v(const struct il_parser *s, uint32_t number, bool relative, unsigned indices)
{
    if (s->v_type) return s->v_type;
    if (indices == 2) return IL_REG_VERTEX;
    const bool input = !relative && number < IL_VERTICES && s->input[number / 8] >> number % 8 & 1;
    return s->any_vertex && !input ? IL_REG_VERTEX : IL_REG_INPUT;
}

static int register_type(const char *name, size_t n)
{
    static const struct {
        const char *name;
        uint8_t type;
    } also[] = {{"vTid", IL_REG_THREAD_ID_IN_GROUP_FLAT}, {"vaTid", IL_REG_ABSOLUTE_THREAD_ID_FLAT},
        {"vTgroupid", IL_REG_THREAD_GROUP_ID_FLAT}, {"vAbsThreadId", IL_REG_ABSOLUTE_THREAD_ID},
        {"vSprite", IL_REG_SPRITECOORD}, {"vObjectIndex", IL_REG_OBJECT_INDEX}};
    if (il_same(name, n, "v")) return IL_REG_INPUT;
    for (unsigned t = 0; t < IL_REGTYPES; t++)
        if (il_same(name, n, il_register[t].text) || il_same(name, n, il_register[t].source_text)) return (int)t;
    for (size_t i = 0; i < sizeof also / sizeof *also; i++)
        if (il_same(name, n, also[i].name)) return also[i].type;
    return -1;
}

/* Letters, then digits. */
static bool parse_name(struct il_parser *s, const char **p, uint8_t *type, bool *has_number, uint32_t *number)
{
    const char *at = *p;
    size_t n = 0;
    while (isalpha((unsigned char)at[n])) n++;
    int found = n ? register_type(at, n) : -1;
    if (found < 0)
        return il_parse_fail(s, at, "syntax", n ? "no register is called \"%.*s\"" : "a register is expected%.*s",
            (int)(n < 40 ? n : 40), at);
    *type = (uint8_t)found;
    *has_number = isdigit((unsigned char)at[n]);
    *p = at + n;
    *number = 0;
    if (!*has_number) return true;
    const char *digits = *p;
    uint64_t value = 0;
    for (; isdigit((unsigned char)**p); ++*p) value = value > UINT32_MAX ? value : 10 * value + (uint64_t)(**p - '0');
    if (value > UINT32_MAX)
        return il_parse_fail(s, digits, "syntax", "the register's number does not fit into 32 bits");
    *number = (uint32_t)value;
    return true;
}

/* ---- Source modifiers ---- */

static int component(char c, bool constants)
{
    static const char names[] = "xyzwrgba";
    const char *found = c ? strchr(names, tolower((unsigned char)c)) : NULL;
    if (found) return (int)((found - names) & 3);
    return constants && (c == '0' || c == '1') ? 4 + (c - '0') : -1;
}

/* Where an instruction begins directly after a swizzle; NULL: nowhere, or in several places. */
static const char *joined(const char *swizzle)
{
    const char *found = NULL;
    for (unsigned n = 1; n <= 4 && component(swizzle[n - 1], true) >= 0; n++) {
        if (!il_names_op(swizzle + n)) continue;
        if (found) return NULL;
        found = swizzle + n;
    }
    return found;
}

static bool parse_swizzle(struct il_parser *s, const char **p, uint32_t *mod)
{
    const char *at = ++*p, *end = at;
    unsigned n = 0;
    int c = -1, last = 0;
    while (end - at < 4 && component(*end, true) >= 0) end++;
    if (end != at && isalnum((unsigned char)*end) && (s->joined = joined(at))) end = s->joined;
    for (; *p < end && (c = component(**p, true)) >= 0; ++*p, n++) {
        *mod = (*mod & ~(UINT32_C(7) << 4 * n)) | (uint32_t)c << 4 * n;
        last = c;
    }
    if (!n || (isalnum((unsigned char)**p) && !s->joined))
        return il_parse_fail(s, at, "syntax", "\"%.*s\" is not a swizzle: write one to four of x y z w r g b a 0 1",
            (int)il_word_length(at), at);
    for (; n < 4; n++) *mod = (*mod & ~(UINT32_C(7) << 4 * n)) | (uint32_t)last << 4 * n;
    return true;
}

/* "(xw)" */
static bool parse_negate(struct il_parser *s, const char **p, uint32_t *mod)
{
    const char *at = *p;
    int c;
    *p = il_blanks(*p);
    if (**p != '(') return il_parse_fail(s, at, "syntax", "_neg needs its components, as in _neg(xyzw)");
    for (*p = il_blanks(*p + 1); (c = component(**p, false)) >= 0; *p = il_blanks(*p + 1)) *mod |= UINT32_C(8) << 4 * c;
    if (**p != ')') return il_parse_fail(s, *p, "syntax", "\")\" is expected after the components of _neg");
    ++*p;
    return true;
}

static bool parse_divcomp(struct il_parser *s, const char **p, uint32_t *mod)
{
    const char *open = il_blanks(*p);
    const char *name = *open == '(' ? il_blanks(open + 1) : open;
    size_t n = il_word_length(name);
    int64_t value = il_enum_value(&il_enum[IL_E_DIVCOMP], name, n);
    const char *close = il_blanks(name + n);
    if (*open != '(' || value < 0 || *close != ')')
        return il_parse_fail(s, open, "syntax", "_divcomp needs one of (y), (z), (w) and (unknown)");
    *mod |= (uint32_t)value << 21;
    *p = close + 1;
    return true;
}

static bool parse_source_modifiers(struct il_parser *s, const char **p, struct operand *o)
{
    static const struct {
        const char *name;
        uint32_t bits;
    } words[] = {{"invert", 1 << 16}, {"bias", 1 << 17}, {"x2", 1 << 18}, {"bx2", 3 << 17}, {"sign", 1 << 19},
        {"abs", 1 << 20}, {"neg", 0}, {"divcomp", 0}};
    unsigned given = 0; /* a bit a word */
    o->mod = IL_SRC_IDENTITY;
    if (**p == '.') {
        o->has_mod = true;
        if (!parse_swizzle(s, p, &o->mod)) return false;
    }
    while (**p == '_') {
        const char *at = *p + 1;
        size_t n = 0, i = 0;
        while (isalnum((unsigned char)at[n])) n++;
        while (i < sizeof words / sizeof *words && !il_same(at, n, words[i].name)) i++;
        if (i == sizeof words / sizeof *words)
            return il_parse_fail(s, *p, "syntax", "no source modifier is called \"_%.*s\"", (int)(n < 40 ? n : 40), at);
        if (given >> i & 1 || o->mod & words[i].bits)
            return il_parse_fail(s, *p, "syntax", "\"_%.*s\" is given twice", (int)n, at);
        given |= 1u << i;
        *p = at + n;
        o->has_mod = true;
        o->mod |= words[i].bits;
        if (!strcmp(words[i].name, "neg") && !parse_negate(s, p, &o->mod)) return false;
        if (!strcmp(words[i].name, "divcomp") && !parse_divcomp(s, p, &o->mod)) return false;
    }
    return true;
}

/* ---- Write masks ---- */

/* Letters are anchored to their components; 0, 1 and _ take the next place. */
static bool parse_mask(struct il_parser *s, const char **p, struct operand *o)
{
    const char *at = *p;
    unsigned column = 0;
    o->has_mod = true;
    o->mod = 0;
    for (++*p; isalnum((unsigned char)**p) || **p == '_'; ++*p) {
        int c = component(**p, false);
        if (c >= 0 && (unsigned)c >= column) {
            o->mod |= UINT32_C(1) << 2 * c;
            column = (unsigned)c + 1;
        } else if (column < 4 && strchr("_01", **p)) {
            o->mod |= (**p == '_' ? 0u : **p == '0' ? 2u : 3u) << 2 * column++;
        } else {
            return il_parse_fail(s, o->at, "bad-write-mask",
                "\"%.*s\" is not a write mask: write x y z w in order, 0, 1 or _ in their places",
                (int)il_word_length(at + 1) + 1, at);
        }
    }
    if (*p == at + 1) return il_parse_fail(s, o->at, "bad-write-mask", "a write mask is expected after the dot");
    return true;
}

/* ---- Indices ---- */

static bool parse_index_register(struct il_parser *s, const char **p, struct subscript *x)
{
    struct operand o = {.at = *p};
    if (il_same(*p, il_word_length(*p), "aL")) {
        *p += 2;
        x->relative = 1;
        x->loop = true;
        return true;
    }
    if (!parse_name(s, p, &o.type, &o.has_number, &o.number)) return false;
    if (o.type == IL_REG_INPUT) o.type = type_of_v(s, o.number, false, 0);
    if (!o.has_number && il_register[o.type].shape != IL_PLAIN)
        return il_parse_fail(s, o.at, "syntax", "the index register needs a number, as in r1");
    if (!parse_source_modifiers(s, p, &o)) return false;
    if (o.type == IL_REG_ADDR && o.number == 0 && (!o.has_mod || o.mod == 0)) {
        x->relative = 1;
        return true;
    }
    x->relative = 2;
    x->type = o.type;
    x->reg = o.number;
    x->mod = o.mod;
    x->has_mod = o.has_mod;
    return true;
}

/* "[6]", "[r2.x+6]", "[aL-1]" */
static bool parse_subscript(struct il_parser *s, const char **p, struct subscript *x)
{
    x->at = *p;
    *p = il_blanks(*p + 1);
    if (isalpha((unsigned char)**p) && !parse_index_register(s, p, x)) return false;
    *p = il_blanks(*p);
    bool sign = **p == '+' || **p == '-';
    if (x->relative ? sign : **p != ']') {
        const char *number = il_blanks(*p + sign);
        bool minus = **p == '-';
        if (!il_number(s, &number, IL_RAW_INTEGER, &x->offset)) return false;
        if (minus) x->offset = 0 - x->offset;
        x->has_offset = true;
        *p = il_blanks(number);
    }
    if (**p != ']') return il_parse_fail(s, *p, "syntax", "\"]\" is expected");
    if (!x->relative && !x->has_offset)
        return il_parse_fail(s, x->at, "syntax", "an index is expected between the brackets");
    ++*p;
    return true;
}

/* ---- Tokens ---- */

static bool emit_extended(struct il_parser *s, const char *at, uint32_t number)
{
    return number <= 0xffff || il_emit(s, at, number & 0xffff0000);
}

static uint32_t operand_token(uint8_t type, uint32_t number, bool has_mod)
{
    return (number & 0xffff) | (uint32_t)type << 16 | (uint32_t)has_mod << 22 |
           (number > 0xffff ? UINT32_C(1) << 31 : 0);
}

static uint32_t subscript_bits(const struct subscript *x)
{
    return (uint32_t)x->relative << 23 | (uint32_t)x->has_offset << 26;
}

/* The tokens that a token's flags announce: index register, constant. */
static bool emit_subscript(struct il_parser *s, const struct subscript *x)
{
    if (x->relative == 1 && !il_emit(s, x->at, x->loop)) return false;
    if (x->relative == 2 && !(il_emit(s, x->at, operand_token(x->type, x->reg, x->has_mod)) &&
                                (!x->has_mod || il_emit(s, x->at, x->mod)) && emit_extended(s, x->at, x->reg)))
        return false;
    return !x->has_offset || il_emit(s, x->at, x->offset);
}

static bool emit_operand(struct il_parser *s, const struct operand *o)
{
    const struct subscript *first = &o->subscript[0], *second = &o->subscript[1];
    uint32_t token = operand_token(o->type, o->number, o->has_mod);
    if (o->subscripts) token |= subscript_bits(first);
    if (o->subscripts == 2) token |= UINT32_C(1) << 25;
    if (!il_emit(s, o->at, token) || (o->has_mod && !il_emit(s, o->at, o->mod))) return false;
    if (o->subscripts && !emit_subscript(s, first)) return false;
    if (!emit_extended(s, o->at, o->number)) return false;
    if (o->subscripts < 2) return true;
    /* A constant second index is the number of the second token; for a relative one that token has only flags. */
    struct subscript rest = *second;
    uint32_t number = second->relative ? 0 : second->offset;
    if (!second->relative) rest.has_offset = false;
    uint32_t bare = second->relative ? subscript_bits(&rest) : operand_token(o->type, number, false);
    return il_emit(s, second->at, bare) && emit_subscript(s, &rest) &&
           (second->relative || emit_extended(s, second->at, number));
}

/* Decides where the numbers go: into the register number or after the token (2.2.8). */
static bool place_numbers(struct il_parser *s, struct operand *o)
{
    struct subscript *first = &o->subscript[0];
    uint8_t shape = il_register[o->type].shape;
    if (o->type == IL_REG_INPUT)
        o->type = type_of_v(s, o->subscripts && !o->has_number ? first->offset : o->number,
            o->subscripts && first->relative, o->subscripts);
    if (o->subscripts == 0 && !o->has_number && (shape == IL_NUMBERED || shape == IL_NAMED))
        return il_parse_fail(s, o->at, "syntax", "the register needs a number, as in r1");
    if (o->subscripts == 2 && o->has_number)
        return il_parse_fail(s, o->at, "syntax", "a register with two indices has no number beside them");
    if (o->subscripts == 1 && shape == IL_NAMED && !o->has_number && !first->relative)
        return il_parse_fail(s, o->at, "syntax", "the array needs a number before its brackets, as in x0[1]");
    if (o->type == IL_REG_SHARED_TEMP && o->subscripts && first->relative)
        return il_parse_fail(s, o->at, "syntax", "sr# takes no index of a register");
    if (shape == IL_PLAIN && (o->number || (o->subscripts && (first->relative || first->offset))))
        return il_parse_fail(s, o->at, "syntax", "there is one %s, without a number", il_register[o->type].text);
    bool spells = o->subscripts == 2 ||
                  (o->subscripts == 1 && !o->has_number && (shape == IL_NUMBERED || shape == IL_PLAIN));
    if (!spells || first->relative) return true;
    o->number = first->offset;
    first->has_offset = false;
    if (o->subscripts == 1) o->subscripts = 0;
    return true;
}

bool il_parse_operand(struct il_parser *s, const char **p, bool is_dst, uint32_t result)
{
    struct operand o = {.at = *p};
    if (!parse_name(s, p, &o.type, &o.has_number, &o.number)) return false;
    for (const char *open = il_blanks(*p); *open == '['; open = il_blanks(*p)) {
        if (o.subscripts == 2) return il_parse_fail(s, open, "syntax", "a register has two indices at most");
        *p = open;
        if (!parse_subscript(s, p, &o.subscript[o.subscripts++])) return false;
    }
    if (o.subscripts && *il_blanks(*p) == '.' && isalpha((unsigned char)il_blanks(*p)[1]))
        *p = il_blanks(*p); /* x5 [6] .y, as the manual prints it */
    if (!place_numbers(s, &o)) return false;
    if (!is_dst) return parse_source_modifiers(s, p, &o) && emit_operand(s, &o);
    o.mod = IL_DST_ALL;
    if (**p == '.' && !parse_mask(s, p, &o)) return false;
    o.mod |= result;
    o.has_mod = o.has_mod || result;
    return emit_operand(s, &o);
}
