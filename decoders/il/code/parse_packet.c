/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parse_packet.c: the operands of an instruction, and the numbers and lists that follow them. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "code/parse.h"

/* ---- What follows the operands ---- */

static bool count_fail(struct il_parser *s, const struct il_text_packet *k, const char *what)
{
    return il_parse_fail(s, k->at, "operand-count", "%s: too few %s", k->op->name, what);
}

/* The next number of a list; `first`: no comma before it. */
static bool next_number(
    struct il_parser *s, struct il_text_packet *k, const char **p, bool first, enum il_number_kind kind)
{
    uint32_t value;
    *p = first ? il_blanks(*p) : il_comma(*p);
    if (!**p) return count_fail(s, k, "numbers");
    const char *at = *p;
    return il_number(s, p, kind, &value) && il_emit(s, at, value);
}

static bool numbers(
    struct il_parser *s, struct il_text_packet *k, const char **p, unsigned n, bool first, enum il_number_kind kind)
{
    for (unsigned i = 0; i < n; i++)
        if (!next_number(s, k, p, first && i == 0, kind)) return false;
    return true;
}

/* Emits the count of a list in braces, then the list. */
static bool braces(struct il_parser *s, struct il_text_packet *k, const char **p, enum il_number_kind kind)
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
static bool parse_icb(struct il_parser *s, struct il_text_packet *k, const char **p)
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

static bool parse_dimensions(struct il_parser *s, struct il_text_packet *k, const char **p, size_t code_at)
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

static bool parse_extra(struct il_parser *s, struct il_text_packet *k, const char **p, size_t code_at, bool first)
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

/* ---- Operands ---- */

static bool emit_head(struct il_parser *s, struct il_text_packet *k)
{
    uint32_t code = k->code | il_code(k->op);
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

static bool parse_operands(struct il_parser *s, struct il_text_packet *k, const char **p, bool first)
{
    unsigned ndst = k->row->dst, nsrc = k->row->src;
    if (k->code >> 28 & 1 && il_field((enum il_word)k->row->word, "ext")) nsrc += k->row->word == IL_W_SRV ? 1 : 2;
    for (unsigned i = 0; i < ndst + nsrc; i++) {
        *p = first && i == 0 ? il_blanks(*p) : il_comma(*p);
        if (il_code(k->op) == IL_DCL_PERSIST && isdigit((unsigned char)**p)) return parse_slots(s, p);
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

static bool parse_call(struct il_parser *s, struct il_text_packet *k, const char **p)
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

static bool at_end(struct il_parser *s, struct il_text_packet *k, const char *p)
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

bool il_parse_packet(struct il_parser *s, struct il_text_packet *k, const char *p)
{
    p = il_blanks(p);
    if (*p == ',' && k->row->extra != IL_X_MCALL) /* an example in 7.19 has a comma there */
        return il_parse_fail(s, p, "syntax", "a comma is before the first operand");
    bool immediate = k->row->extra == IL_X_ICB && strncasecmp(p, "icb", 3) == 0;
    if (immediate) k->code |= UINT32_C(1) << 31;
    if (!il_parse_arguments(s, k, &p)) return false;
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
