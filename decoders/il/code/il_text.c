/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_text.c: packets as text, in the manual's spelling (chapter 3), so that assembling it gives the same tokens. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "il.h"
#include "gpudbg/text.h"

/* ---- Operands ---- */

static const char letters[] = "xyzw01??";

static bool all_same(const uint8_t select[4])
{
    return select[0] == select[1] && select[0] == select[2] && select[0] == select[3];
}

static bool identity(const uint8_t select[4])
{
    return select[0] == 0 && select[1] == 1 && select[2] == 2 && select[3] == 3;
}

static void put_swizzle(struct text *t, const uint8_t select[4])
{
    text_add(t, ".");
    for (unsigned i = 0; i < (all_same(select) ? 1u : 4u); i++) text_add(t, "%c", letters[select[i]]);
}

/* `plain`: there is nothing else by which a reader would know of the token. */
static void put_source_modifier(struct text *t, const struct il_operand *o)
{
    bool plain = !o->negate && !o->invert && !o->bias && !o->x2 && !o->sign && !o->abs && !o->divcomp;
    if (!identity(o->select))
        put_swizzle(t, o->select);
    else if (plain)
        text_add(t, ".xyzw");
    if (o->invert) text_add(t, "_invert");
    if (o->bias && o->x2)
        text_add(t, "_bx2");
    else if (o->bias || o->x2)
        text_add(t, o->bias ? "_bias" : "_x2");
    if (o->sign) text_add(t, "_sign");
    const char *divcomp = gpudbg_enum_name(&il_enum[IL_E_DIVCOMP], o->divcomp);
    if (o->divcomp) text_add(t, "_divcomp(%s)", divcomp ? divcomp : "?");
    if (o->abs) text_add(t, "_abs");
    if (o->negate) {
        text_add(t, "_neg(");
        for (unsigned i = 0; i < 4; i++)
            if (o->negate >> i & 1) text_add(t, "%c", letters[i]);
        text_add(t, ")");
    }
}

static void put_mask(struct text *t, const struct il_operand *o)
{
    static const char column[4][4] = {
        {'_', 'x', '0', '1'}, {'_', 'y', '0', '1'}, {'_', 'z', '0', '1'}, {'_', 'w', '0', '1'}};
    bool full = (o->mod & 0xff) == IL_DST_ALL;
    if (full && (o->clamp || o->scale)) return; /* _sat and the scale announce the token */
    text_add(t, ".");
    for (unsigned i = 0; i < 4; i++) text_add(t, "%c", column[i][o->select[i]]);
}

static void put_name(struct text *t, uint8_t type, uint32_t number, bool is_dst, bool numbered)
{
    if (type >= IL_REGTYPES) {
        text_add(t, "type%u_%" PRIu32, type, number);
        return;
    }
    const struct il_register *r = &il_register[type];
    text_add(t, "%s", is_dst ? r->text : r->source_text);
    if (numbered || number) text_add(t, "%" PRIu32, number);
}

static void put_index_register(struct text *t, const struct il_index *x)
{
    const struct il_operand o = il_index_register(x);
    put_name(t, x->type, x->reg, false, x->type < IL_REGTYPES && il_register[x->type].shape != IL_PLAIN);
    if (x->has_mod) put_source_modifier(t, &o);
}

/* One pair of brackets.  `base`: the number that its token carries. */
static void put_index(struct text *t, const struct il_index *x, uint32_t base)
{
    text_add(t, "[");
    if (x->relative == 1)
        text_add(t, "%s", x->loop ? "aL" : "a0.x");
    else if (x->relative >= 2)
        put_index_register(t, x);
    if (x->relative && base)
        text_add(t, "+%" PRIu32, base);
    else if (!x->relative && (base || !x->has_offset))
        text_add(t, "%" PRIu32, base);
    if (x->has_offset && (x->relative || base))
        text_add(t, x->offset < 0 ? "%" PRId32 : "+%" PRId32, x->offset);
    else if (x->has_offset)
        text_add(t, "%" PRId32, x->offset);
    text_add(t, "]");
}

/* Types that keep a number beside their brackets. */
static bool keeps_number(const struct il_operand *o)
{
    if (o->type >= IL_REGTYPES) return true;
    uint8_t shape = il_register[o->type].shape;
    return o->dimensions < 2 ? shape == IL_NAMED : false;
}

static void put_operand(struct text *t, const struct il_operand *o)
{
    bool bare = o->dimensions == 0;
    bool numbered = o->type >= IL_REGTYPES || il_register[o->type].shape == IL_NUMBERED ||
                    il_register[o->type].shape == IL_NAMED;
    if (bare) {
        put_name(t, o->type, o->number, o->is_dst, numbered);
    } else if (keeps_number(o) || (o->dimensions == 1 && (o->number || !o->index[0].relative))) {
        put_name(t, o->type, o->number, o->is_dst, numbered);
        put_index(t, &o->index[0], 0);
    } else {
        put_name(t, o->type, 0, o->is_dst, false);
        put_index(t, &o->index[0], o->number);
    }
    if (o->dimensions == 2) put_index(t, &o->index[1], o->index[1].number);
    if (o->has_mod && o->is_dst)
        put_mask(t, o);
    else if (o->has_mod)
        put_source_modifier(t, o);
}

/* ---- Mnemonics with their controls ---- */

static uint32_t field_bits(uint32_t token, const struct gpudbg_field *f)
{
    return token >> f->run[0].lo & (f->run[0].len < 32 ? (1u << f->run[0].len) - 1 : UINT32_MAX);
}

/* The field's value as it is spelled between parentheses. */
static void put_value(struct text *t, const struct gpudbg_field *f, uint32_t value)
{
    char said[64];
    const char *name = f->kind == GPUDBG_ENUM ? gpudbg_enum_name(f->meaning, value) : NULL;
    if (name) {
        text_add(t, "%s", name);
    } else if (f->kind == GPUDBG_SINT) {
        gpudbg_field_meaning(f, NULL, value, said, sizeof said);
        text_add(t, "%s", said);
    } else {
        text_add(t, "%" PRIu32, value);
    }
}

static void put_controls(struct text *t, const struct il_packet *p, enum il_word word, uint32_t token)
{
    const struct gpudbg_format *format = &il_format[word];
    for (size_t i = 0; i < format->count; i++) {
        const struct gpudbg_field *f = &format->fields[i];
        uint32_t value = field_bits(token, f);
        switch ((enum il_spelling)il_spelling[word][i]) {
        case IL_S_SELDOM:
            if (!value) break;
            /* fall through */
        case IL_S_OFTEN:
            text_add(t, "_%s(", f->name);
            put_value(t, f, value);
            text_add(t, word == IL_W_RESOURCE && p->code >> 31 && f->kind == GPUDBG_ENUM ? ",unnorm)" : ")");
            break;
        case IL_S_ON:
            if (value) text_add(t, "_%s", f->name);
            break;
        case IL_S_BARELY:
            if (!value) break;
            /* fall through */
        case IL_S_BARE:
            text_add(t, "_");
            put_value(t, f, value);
            break;
        case IL_S_PAREN:
            text_add(t, "(");
            put_value(t, f, value);
            text_add(t, ")");
            break;
        case IL_S_HIDDEN:
        case IL_S_ARGUMENT:
        case IL_S_WORDS: break;
        }
    }
}

static void put_precise(struct text *t, const struct il_packet *p)
{
    if (!p->prefixed) return;
    text_add(t, "_prec");
    if (p->precise == 15) return;
    text_add(t, "(");
    for (unsigned i = 0; i < 4; i++)
        if (p->precise >> i & 1) text_add(t, "%c", letters[i]);
    text_add(t, ")");
}

static void put_result_modifiers(struct text *t, const struct il_packet *p)
{
    const struct il_operand *d = p->noperands && p->operand[0].is_dst ? &p->operand[0] : NULL;
    const char *scale = d && d->scale ? gpudbg_enum_name(&il_enum[IL_E_SHIFT], d->scale) : NULL;
    if (scale) text_add(t, "_%s", scale);
    if (d && d->clamp) text_add(t, "_sat");
}

static void put_mnemonic(struct text *t, const struct il_packet *p)
{
    const struct il_modifiers *m = &il_modifiers[p->row->word];
    const bool numbered = p->row->word == IL_W_MDEF || p->row->word == IL_W_MCALL; /* the number is part of the name */
    text_add(t, "%s", p->op->name);
    if (!numbered) put_precise(t, p);
    if (il_field((enum il_word)p->row->word, "ext") && p->code >> 28 & 1) text_add(t, "_ext");
    put_controls(t, p, (enum il_word)p->row->word, p->code);
    if (numbered) put_precise(t, p);
    if (p->row->extra == IL_X_MACRO) {
        uint32_t counts = il_extra(p, 0);
        text_add(t, "_out(%" PRIu32 ")_in(%" PRIu32 ")%s", counts >> 8 & 255, counts & 255,
            counts >> 16 & 1 ? "_outline" : "");
    }
    if (p->has_pixtex && p->pixtex) {
        const char *name = gpudbg_enum_name(&il_enum[IL_E_PIXTEX], p->pixtex);
        text_add(t, name ? "_resourcetype(%s)" : "_resourcetype(?)", name);
    }
    if (p->has_pri && m->pri) put_controls(t, p, (enum il_word)m->pri, p->pri);
    if (p->has_sec && m->sec) put_controls(t, p, (enum il_word)m->sec, p->sec);
    if (p->has_aoffimmi)
        text_add(t, "_aoffimmi(%g,%g,%g)", (int8_t)p->aoffimmi / 2.0, (int8_t)(p->aoffimmi >> 8) / 2.0,
            (int8_t)(p->aoffimmi >> 16) / 2.0);
    switch (p->row->extra) {
    case IL_X_FORMATS: put_controls(t, p, IL_W_FORMATS, il_extra(p, 0)); break;
    case IL_X_TYPED: put_controls(t, p, IL_W_TYPED, il_extra(p, 0)); break;
    case IL_X_TYPELESS:
        put_controls(t, p, IL_W_TYPELESS_STRIDE, il_extra(p, 0));
        put_controls(t, p, IL_W_TYPELESS, il_extra(p, 1));
        break;
    default: break;
    }
    put_result_modifiers(t, p);
}

/* ---- What stands behind the mnemonic ---- */

static void put_list(struct text *t, const struct il_packet *p, uint32_t from, uint32_t n, const char *fmt)
{
    for (uint32_t i = 0; i < n; i++) {
        text_add(t, i ? ", " : "");
        text_add(t, fmt[1] == 'u' ? "%" PRIu32 : "0x%08" PRIX32, il_extra(p, from + i));
    }
}

/* Controls that are written like operands; returns whether there was one. */
static bool put_arguments(struct text *t, const struct il_packet *p)
{
    enum il_word word = (enum il_word)p->row->word;
    bool any = false;
    for (size_t i = 0; i < il_format[word].count; i++) {
        const struct gpudbg_field *f = &il_format[word].fields[i];
        uint32_t value = field_bits(p->code, f);
        if (il_spelling[word][i] == IL_S_ARGUMENT) {
            text_add(t, " ");
            put_value(t, f, value);
            any = true;
        } else if (il_spelling[word][i] == IL_S_WORDS && value) {
            text_add(t, " %s", f->name);
            any = true;
        }
    }
    return any;
}

static void put_call_arguments(struct text *t, const struct il_packet *p)
{
    uint32_t at = p->operands_at;
    size_t n = 4 * (size_t)p->words;
    struct il_operand o;
    text_add(t, " (");
    for (uint32_t i = 0; i < p->ndst + p->nsrc; i++) {
        if (i == p->ndst)
            text_add(t, "), (");
        else if (i)
            text_add(t, ", ");
        at += il_operand_at(p->raw, n, at, i < p->ndst, &o);
        put_operand(t, &o);
    }
    text_add(t, p->nsrc ? ")" : "), ()");
}

static void put_comment(struct text *t, const struct il_packet *p)
{
    for (uint32_t i = 4; i < 4 * p->nextra; i++) {
        uint8_t c = p->raw[4 * (size_t)p->extra + i];
        if (c) text_add(t, "%c", c >= ' ' && c < 127 ? c : '.');
    }
}

static void put_extra(struct text *t, const struct il_packet *p, bool any)
{
    const char *first = any ? ", " : " ";
    uint32_t n = p->nextra;
    switch ((enum il_extra)p->row->extra) {
    case IL_X_LABEL:
    case IL_X_NUMBER:
    case IL_X_BYTES:
    case IL_X_STRIDE:
    case IL_X_STRUCT:
    case IL_X_DIMENSIONS:
    case IL_X_BOOL:
        text_add(t, "%s", n ? first : "");
        put_list(t, p, 0, n, "%u");
        break;
    case IL_X_VALUE: text_add(t, "%s%" PRId32, first, (int32_t)il_extra(p, 0)); break;
    case IL_X_DEF:
    case IL_X_LITERAL:
    case IL_X_FLOAT:
        text_add(t, "%s", first);
        put_list(t, p, 0, n, "%x");
        break;
    case IL_X_ICB:
        if (!n) break;
        text_add(t, " icb[%" PRIu32 "] = {", n - 1);
        put_list(t, p, 1, n - 1, "%x");
        text_add(t, "}");
        break;
    case IL_X_TABLE:
        text_add(t, " = {");
        put_list(t, p, 1, n - 1, "%u");
        text_add(t, "}");
        break;
    case IL_X_INTERFACE:
        text_add(t, "[%" PRIu32 "][%" PRIu32 "] = {", il_extra(p, 0), il_extra(p, 1));
        put_list(t, p, 3, n - 3, "%u");
        text_add(t, "}");
        break;
    case IL_X_NO:
    case IL_X_FORMATS:
    case IL_X_TYPED:
    case IL_X_TYPELESS:
    case IL_X_COMMENT:
    case IL_X_MACRO:
    case IL_X_MCALL: break;
    }
}

static void put_packet(struct text *t, const struct il_packet *p)
{
    put_mnemonic(t, p);
    bool any = put_arguments(t, p);
    if (p->row->extra == IL_X_MCALL) {
        put_call_arguments(t, p);
        return;
    }
    for (uint32_t i = 0; i < p->noperands; i++) {
        text_add(t, any ? ", " : " ");
        put_operand(t, &p->operand[i]);
        any = true;
    }
    put_extra(t, p, any);
}

/* ---- The two tokens at the beginning ---- */

static void put_language(struct text *t, uint32_t token, bool assembler)
{
    const char *name = gpudbg_enum_name(&il_enum[IL_E_LANGUAGE], token & 255);
    text_add(t, assembler ? "; language " : "language ");
    if (token > 255)
        text_add(t, "0x%08" PRIX32, token);
    else if (name)
        text_add(t, "%s", name);
    else
        text_add(t, "%" PRIu32, token);
}

static void put_version(struct text *t, uint32_t token)
{
    const char *shader = gpudbg_enum_name(&il_enum[IL_E_SHADER], token >> 16 & 255);
    text_add(t, "il_%s_%" PRIu32 "_%" PRIu32, shader ? shader : "?", token >> 8 & 255, token & 255);
    text_add(t, "%s%s", token >> 24 & 1 ? "_mp" : "", token >> 25 & 1 ? "_rt" : "");
}

/* ---- The interface ---- */

int il_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names,
    char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    struct il_packet p;
    (void)syntax;
    (void)names;
    if (il_code(insn->op) == IL_OP_LANGUAGE) {
        put_language(&t, il_token(insn->raw, 0), style == GPUDBG_ASSEMBLER);
    } else if (il_code(insn->op) == IL_OP_VERSION) {
        put_version(&t, il_token(insn->raw, 0));
    } else if (il_code(insn->op) == IL_OP_PREFIX && insn->size == 4) {
        text_add(&t, style == GPUDBG_ASSEMBLER ? "; prefix" : "prefix"); /* of an instruction that is not there */
    } else if (il_unpack(insn->raw, insn->size, &p) <= 0) {
        return -1;
    } else if (il_code(p.op) == IL_OP_COMMENT) {
        text_add(&t, style == GPUDBG_ASSEMBLER ? "; " : "comment ");
        put_comment(&t, &p);
    } else {
        put_packet(&t, &p);
    }
    return text_length(&t);
}

int il_operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    struct il_packet p;
    if (il_unpack(insn->raw, insn->size, &p) > 0 && operand < p.noperands) put_operand(&t, &p.operand[operand]);
    return text_length(&t);
}
