/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse.c: lines of IL text: the version, annotations, and one instruction or more. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "code/parse.h"

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
    if (*il_blanks(p)) return il_parse_fail(s, p, "syntax", "\"%.20s\" after the version", p);
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

static bool parse_mnemonic(struct il_parser *s, const char *at, struct il_text_packet *k, const char **p)
{
    size_t n;
    k->at = at;
    k->op = il_find_op(at, &n);
    if (!k->op)
        return il_parse_fail(s, at, "unknown-opcode", "no instruction is called \"%.*s\"",
            (int)(il_word_length(at) ? il_word_length(at) : 1), at);
    k->row = &il_op[k->op->id];
    *p = at + n;
    if (!il_parse_controls(s, k, p)) return false;
    const struct gpudbg_field *usage = il_field((enum il_word)k->row->word, "usage");
    if (usage && !k->has_usage && (k->row->word == IL_W_INPUT || k->row->word == IL_W_OUTPUT))
        il_set_field(&k->code, usage, 6); /* generic */
    const struct gpudbg_field *sharing = il_field((enum il_word)k->row->word, "sharingMode");
    if (sharing && !k->has_sharing) il_set_field(&k->code, sharing, s->sharing);
    return true;
}

/* Arrays are declared with their size in brackets; code_at: the opcode. */
static bool sized(struct il_parser *s, const struct il_text_packet *k, size_t code_at)
{
    const bool array = il_code(k->op) == IL_DCL_CONST_BUFFER || il_code(k->op) == IL_DCL_INDEXED_TEMP_ARRAY;
    if (!array || s->to->token[code_at] >> 31 || (s->to->token[code_at + 1] >> 23 & 15) == 8) return true;
    return il_parse_fail(s, k->at, "operand-count", "%s needs a size in brackets, as in [4]", k->op->name);
}

/* The v# that a declaration names, its destination at token code_at, is a vertex from here on, or an input. */
static void keep_vertex(struct il_parser *s, const struct il_text_packet *k, size_t code_at)
{
    const bool vertex = il_code(k->op) == IL_OP_DCLV || il_code(k->op) == IL_OP_INITV;
    if (!vertex && il_code(k->op) != IL_DCL_INPUT) return;
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
    struct il_text_packet k = {0};
    const char *p;
    const uint8_t v_type = s->v_type;
    s->joined = NULL;
    if (!parse_mnemonic(s, at, &k, &p)) return false;
    if (!s->has_version && !s->macro && il_code(k.op) != IL_OP_MACRODEF) {
        s->number = 1;
        return il_parse_fail(s, NULL, "bad-version", "%s needs a version line before it", k.op->name);
    }
    const bool says_itself = v_type; /* then so does every other v# of a vertex */
    if ((il_code(k.op) == IL_OP_DCLV || il_code(k.op) == IL_OP_INITV) && !says_itself) s->v_type = IL_REG_VERTEX;
    if (il_code(k.op) == IL_OP_MACRODEF) s->macro_arguments[k.code >> 16 & 0x3fff] = k.extra[0] + 1;
    s->macro += il_code(k.op) == IL_OP_MACRODEF;
    s->macro -= il_code(k.op) == IL_OP_MACROEND && s->macro;
    s->ended = il_code(k.op) == IL_OP_END;
    size_t first = s->to->n;
    if (!il_parse_packet(s, &k, p) || !sized(s, &k, first + k.prefixed)) return false;
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
    if (s->ended && !annotation) return il_parse_fail(s, at, "syntax", "\"%.20s\" after end", at);
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
        if (s->ended) return il_parse_fail(s, s->joined, "syntax", "\"%.20s\" after end", s->joined);
        good = parse_instruction(s, s->joined, true);
    }
    return good;
}
