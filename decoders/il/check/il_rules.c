/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_rules.c: walks a stream, judges tokens one by one, and shows packets to the other parts; the checker `il`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "check/rules_inside.h"

/* ---- Reports ---- */

static void report(struct il_rules *r, struct il_finding f, const char *fmt, va_list ap)
{
    f.packet = r->packet;
    if (r->enough) return;
    vsnprintf(f.message, sizeof f.message, fmt, ap);
    r->enough = !r->each(r->to, &f);
}

void il_error(struct il_rules *r, uint32_t token, const char *kind, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    report(r, (struct il_finding){.kind = kind, .rule = kind, .source = "chapter 2", .token = token}, fmt, ap);
    va_end(ap);
}

static const struct il_finding rules[] = {
#define RULE(id, name, origin, doc) {.rule = name, .source = origin},
#include "check/rules.def"
#undef RULE
};

void il_warn(struct il_rules *r, uint32_t token, enum il_rule rule, const char *fmt, ...)
{
    struct il_finding f = rules[rule];
    va_list ap;
    va_start(ap, fmt);
    f.token = token;
    report(r, f, fmt, ap);
    va_end(ap);
}

void il_note(struct il_rules *r, uint32_t token, enum il_rule rule, const char *fmt, ...)
{
    struct il_finding f = rules[rule];
    va_list ap;
    va_start(ap, fmt);
    f.token = token;
    f.note = true;
    report(r, f, fmt, ap);
    va_end(ap);
}

/* ---- Tokens ---- */

static uint32_t bits_of(uint32_t token, const struct gpudbg_field *f)
{
    return token >> f->run[0].lo & (f->run[0].len < 32 ? (1u << f->run[0].len) - 1 : UINT32_MAX);
}

/* Reserved bits, enumerations and register types of one token. */
static void judge_token(struct il_rules *r, const struct gpudbg_format *format, uint32_t at)
{
    uint32_t token = il_token(r->raw, at);
    for (size_t i = 0; i < format->count; i++) {
        const struct gpudbg_field *f = &format->fields[i];
        uint32_t value = bits_of(token, f);
        if (f->kind == GPUDBG_MBZ && value)
            il_error(r, at, "reserved-bits", "%s: reserved bits %u:%u are 0x%" PRIx32, format->name,
                f->run[0].lo + f->run[0].len - 1u, f->run[0].lo, value);
        if (f->kind == GPUDBG_ENUM && !gpudbg_enum_name(f->meaning, value))
            il_error(r, at, "bad-enum", "%s: %s is %" PRIu32 ", which %s does not have", format->name, f->name, value,
                f->meaning->name);
        if (f->describe == il_describe_register && value >= IL_REGTYPES)
            il_error(r, at, "bad-register-type", "%s: register type %" PRIu32 " does not exist", format->name, value);
    }
}

static void judge_tokens(struct il_rules *r, const struct il_packet *p)
{
    for (unsigned i = 0; i < p->nparts; i++)
        for (uint32_t n = 0; n < p->parts[i].count; n++)
            judge_token(r, p->parts[i].format, r->packet + p->parts[i].bit / 32 + n);
    const struct il_modifiers *m = &il_modifiers[p->row->word];
    if ((p->has_pri && !m->pri) || (p->has_sec && !m->sec))
        il_error(r, r->packet + p->at, "reserved-bits", "%s: the token announces a modifier, and the opcode has none",
            p->op->name);
    if ((il_code(p->op) == IL_OP_DCL_NUM_THREAD_PER_GROUP || il_code(p->op) == IL_OP_DCL_TOTAL_NUM_THREAD_GROUP) &&
        (p->nextra < 1 || p->nextra > 3))
        il_error(r, r->packet + p->at, "bad-enum", "%s: %" PRIu32 " dimensions, not 1 to 3", p->op->name, p->nextra);
}

/* ---- The walk ---- */

/* Language and version; returns the tokens passed over, 0: the stream ends. */
static uint32_t opening(struct il_rules *r, uint32_t at)
{
    uint32_t tokens = (uint32_t)(r->n / 4);
    r->has_version = true;
    judge_token(r, &il_format[IL_W_LANGUAGE], at);
    if (at + 1 >= tokens) {
        il_error(r, tokens, "truncated", "the stream ends before its version");
        return 0;
    }
    r->version = il_token(r->raw, at + 1);
    uint32_t shader = r->version >> 16 & 255;
    if (shader > 5)
        il_error(r, at + 1, "bad-version", "kind of shader %" PRIu32 " is not 0 to 5", shader);
    else if (!(r->version >> 8 & 255))
        il_error(r, at + 1, "bad-version", "there is no version 0.%" PRIu32, r->version & 255);
    else if (r->version >> 26 == 0 &&
             (!il_is_language(r->raw + 4 * (size_t)at, r->n - 4 * (size_t)at, 4 * (uint64_t)at) ||
                 !il_is_version(r->raw + 4 * (size_t)at + 4, r->n - 4 * (size_t)at - 4, 4 * (uint64_t)at + 4)))
        il_error(r, at + 1, "bad-version", "no stream starts with language 0x%" PRIx32 " and version 0x%08" PRIx32,
            il_token(r->raw, at), r->version);
    else
        judge_token(r, &il_format[IL_W_VERSION], at + 1);
    if (r->version >> 25 & 1 && shader != 1)
        il_warn(r, at + 1, IL_RULE_REALTIME, "the shader is real-time, and not a pixel shader");
    return 2;
}

static void unknown(struct il_rules *r, uint32_t at)
{
    uint32_t number = il_token(r->raw, at) & 0xffff;
    const char *listed = il_op_unknown_name(number);
    if (listed)
        il_error(r, at, "unknown-opcode", "the layout of opcode %" PRIu32 " (%s) is not known", number, listed);
    else
        il_error(r, at, "unknown-opcode", "there is no opcode %" PRIu32, number);
}

/* One packet at token `at`; returns its tokens. */
static uint32_t packet(struct il_rules *r, uint32_t at)
{
    struct il_packet p;
    struct gpudbg_insn insn;
    const uint8_t *raw = r->raw + 4 * (size_t)at;
    size_t left = r->n - 4 * (size_t)at;
    int size = il_unpack(raw, left, &p);
    if (size > 0 && il_code(p.op) == IL_OP_PREFIX && size == 4 && left >= 8) {
        judge_tokens(r, &p);
        return 1;
    }
    if (size == GPUDBG_SHORT) {
        il_error(r, (uint32_t)(r->n / 4), "truncated", "the stream ends inside the %s of token %" PRIu32,
            p.op ? p.op->name : "instruction", at);
        return (uint32_t)(left / 4);
    }
    if (size == GPUDBG_ILLEGAL) {
        unknown(r, at);
        il_decode(NULL, raw, left, 4 * (uint64_t)at + 8, &insn);
        return insn.size / 4 ? insn.size / 4 : 1;
    }
    judge_tokens(r, &p);
    il_rules_block(r, &p);
    il_rules_declare(r, &p);
    il_rules_warn(r, &p);
    r->ended |= il_code(p.op) == IL_OP_END;
    return p.words;
}

static void walk(struct il_rules *r)
{
    uint32_t tokens = (uint32_t)(r->n / 4), at = 0;
    while (at < tokens && !r->enough && !r->ended) {
        r->packet = at;
        bool macro = (il_token(r->raw, at) & 0xffff) == IL_OP_MACRODEF;
        uint32_t n = !r->has_version && !r->macro && !macro ? opening(r, at) : packet(r, at);
        at = n ? at + n : tokens;
    }
    r->packet = at;
    if (r->ended && at < tokens) il_error(r, at, "syntax", "%" PRIu32 " tokens after the end", tokens - at);
    if (r->n % 4) il_error(r, tokens, "truncated", "%zu stray bytes", r->n % 4);
    il_rules_block_end(r);
    il_rules_labels(r);
    if (!r->has_version) il_error(r, tokens, "truncated", "the stream ends before its language and version");
    if (!r->ended) il_error(r, tokens, "missing-end", "no end instruction");
    il_rules_warn_end(r);
}

void il_check(const uint8_t *raw, size_t n, il_finding_fn *each, void *to)
{
    struct il_rules *r = calloc(1, sizeof *r);
    if (!r) return;
    r->raw = raw;
    r->n = n / 4 < UINT32_MAX / 8 ? n : (size_t)UINT32_MAX / 2;
    r->each = each;
    r->to = to;
    walk(r);
    free(r->block);
    free(r->funcs.item);
    free(r->calls.item);
    free(r);
}
