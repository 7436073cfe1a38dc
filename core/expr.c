/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions: one pass over the text, computing as it reads.  Operators stand in a table (operators.c).  Where C does not
 * evaluate (behind && || and the other branch of ?:) the parser reads on with `skip` set, and touches neither registers nor memory.
 */
#include "expr.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine.h"
#include "operators.h"
#include "session.h"
#include "value.h"

#define DEPTH_MAX 100

struct parser {
    struct gpudbg *g;
    const char *at;
    uint32_t wave;
    int lane, depth, skip;
    struct gpudbg_error *err;
};

static bool parse_expression(struct parser *, struct value *);
static bool parse_unary(struct parser *, struct value *);

static void skip_blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at))
        p->at++;
}

static bool accept(struct parser *p, const char *text)
{
    skip_blanks(p);
    if (strncmp(p->at, text, strlen(text)) != 0)
        return false;
    p->at += strlen(text);
    return true;
}

static bool expect(struct parser *p, const char *text)
{
    if (accept(p, text))
        return true;
    if (*p->at)
        return gpudbg_fail(p->err, "command", "expected \"%s\" before \"%.40s\"", text, p->at);
    return gpudbg_fail(p->err, "command", "expected \"%s\" at the end", text);
}

static const struct binary *peek_binary(struct parser *p)
{
    skip_blanks(p);
    const struct binary *op = operator_at(p->at);
    bool assigns = op && !op->compares && p->at[strlen(op->text)] == '='; /* "+=" */
    return assigns ? NULL : op;
}

/* ---- Types ---- */

static const struct {
    const char *name;
    struct value_type type;
} types[] = {
    {"u8", {VALUE_UNSIGNED, 8}}, {"u16", {VALUE_UNSIGNED, 16}}, {"u32", {VALUE_UNSIGNED, 32}}, {"u64", {VALUE_UNSIGNED, 64}},
    {"i8", {VALUE_SIGNED, 8}}, {"i16", {VALUE_SIGNED, 16}}, {"i32", {VALUE_SIGNED, 32}}, {"i64", {VALUE_SIGNED, 64}},
    {"f16", {VALUE_FLOAT, 16}}, {"f32", {VALUE_FLOAT, 32}}, {"f64", {VALUE_FLOAT, 64}},
    {"uchar", {VALUE_UNSIGNED, 8}}, {"ushort", {VALUE_UNSIGNED, 16}}, {"uint", {VALUE_UNSIGNED, 32}},
    {"ulong", {VALUE_UNSIGNED, 64}}, {"unsigned", {VALUE_UNSIGNED, 32}},
    {"char", {VALUE_SIGNED, 8}}, {"short", {VALUE_SIGNED, 16}}, {"int", {VALUE_SIGNED, 32}}, {"long", {VALUE_SIGNED, 64}},
    {"half", {VALUE_FLOAT, 16}}, {"float", {VALUE_FLOAT, 32}}, {"double", {VALUE_FLOAT, 64}},
};

static size_t name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || (n && at[n] == '.' && isalpha((unsigned char)at[n + 1])))
        n++;
    return n;
}

static bool type_named(const char *at, size_t len, struct value_type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == len && strncmp(types[i].name, at, len) == 0) {
            *type = types[i].type;
            return true;
        }
    return false;
}

/* "(u32)" and "(u32*)"; takes nothing if it is neither. */
static bool accept_cast(struct parser *p, struct value_type *type, bool *pointer)
{
    struct parser q = *p;
    if (!accept(&q, "("))
        return false;
    skip_blanks(&q);
    size_t len = name_length(q.at);
    if (!type_named(q.at, len, type))
        return false;
    q.at += len;
    *pointer = accept(&q, "*");
    if (!accept(&q, ")"))
        return false;
    p->at = q.at;
    return true;
}

static bool cast(struct parser *p, struct value *v, struct value_type type, bool pointer)
{
    if (pointer) {
        struct value to = value_convert(v, (struct value_type){VALUE_UNSIGNED, 64});
        to.to = type;
        to.address = true;
        *v = to;
        return true;
    }
    if ((v->place == PLACE_REGISTER && v->whole && !v->mask_bit) || v->place == PLACE_MEMORY) {
        unsigned have = v->place == PLACE_REGISTER ? v->type.bits : 64;
        if (type.bits <= have) {
            v->type = type;
            v->whole = false;
            v->address = false;
            return p->skip || value_load(p->g, p->wave, v, p->err);
        }
    }
    *v = value_convert(v, type);
    return true;
}

/* ---- Registers ---- */

static const struct gpudbg_isa *parser_isa(const struct parser *p)
{
    return p->g->machine ? p->g->machine->isa : p->g->image ? p->g->image->isa : NULL;
}

/* Which register a name means; number -1: a number in brackets must follow. */
static bool register_named(const struct gpudbg_isa *isa, const char *at, size_t len, struct value *v, long *number)
{
    for (size_t f = 0; isa && f < isa->nfiles; f++) {
        const struct gpudbg_regfile *file = &isa->files[f];
        size_t n = strlen(file->name);
        if (len < n || strncmp(file->name, at, n) != 0)
            continue;
        bool half = !file->indexed && file->bits == 64 && len == n + 3 && at[n] == '_';
        v->file = (uint16_t)f;
        v->first = 0;
        if (file->indexed && len > n && len < n + 6 && strspn(at + n, "0123456789") == len - n) {
            *number = strtol(at + n, NULL, 10);
            return true;
        }
        if (len == n) {
            *number = file->indexed ? -1 : 0;
            return true;
        }
        if (half && (strncmp(at + n, "_lo", 3) == 0 || strncmp(at + n, "_hi", 3) == 0)) {
            v->first = at[n + 1] == 'h';
            *number = 0;
            return true;
        }
    }
    return false;
}

static bool constant_in(struct parser *p, const char *what, uint64_t most, uint64_t *n)
{
    struct value v;
    if (!parse_expression(p, &v))
        return false;
    if (v.type.kind == VALUE_FLOAT)
        return gpudbg_fail(p->err, "command", "%s is a float", what);
    *n = v.u;
    if (*n > most)
        return gpudbg_fail(p->err, "command", "%s %" PRIu64 ": at most %" PRIu64, what, *n, most);
    return true;
}

/* "[n]" or "[lo:hi]" of an indexed file, if the name had no number. */
static bool parse_numbers(struct parser *p, struct value *v, const char *file, long number)
{
    uint64_t lo = (uint64_t)number, hi = (uint64_t)number;
    if (number < 0) {
        if (!accept(p, "["))
            return gpudbg_fail(p->err, "command", "$%s: which one? $%s4, $%s[4:7]", file, file, file);
        if (!constant_in(p, "register", 65535, &lo))
            return false;
        hi = lo;
        if (accept(p, ":") && !constant_in(p, "register", 65535, &hi))
            return false;
        if (!expect(p, "]"))
            return false;
    }
    if (hi < lo || hi - lo > 31)
        return gpudbg_fail(p->err, "command", "$%s[%" PRIu64 ":%" PRIu64 "]: not one to 32 registers", file, lo, hi);
    v->reg = (uint16_t)lo;
    v->count = (uint16_t)(hi - lo + 1);
    return true;
}

/* "[lane]", "[first:last]" or "[:]" behind a register that has lanes. */
static bool parse_lanes(struct parser *p, struct value *v, const struct gpudbg_regfile *file)
{
    unsigned lanes = file->mask ? 64 : file->lanes;
    uint64_t first, last;
    v->lane = (int16_t)p->lane;
    v->lanes = 1;
    if (lanes <= 1 || !accept(p, "["))
        return true;
    v->mask_bit = file->mask;
    if (accept(p, ":")) {
        first = 0;
        last = lanes - 1;
    } else {
        if (!constant_in(p, "lane", lanes - 1, &first))
            return false;
        last = first;
        if (accept(p, ":") && !constant_in(p, "lane", lanes - 1, &last))
            return false;
    }
    if (!expect(p, "]"))
        return false;
    if (last < first || (last != first && file->mask))
        return gpudbg_fail(p->err, "command", "$%s: lanes %" PRIu64 " to %" PRIu64, file->name, first, last);
    v->lane = (int16_t)first;
    v->lanes = (int16_t)(last - first + 1);
    return true;
}

static bool parse_register(struct parser *p, struct value *v, long number)
{
    const struct gpudbg_isa *isa = parser_isa(p);
    const struct gpudbg_regfile *file = &isa->files[v->file];
    if (!parse_numbers(p, v, file->name, number) || !parse_lanes(p, v, file))
        return false;
    unsigned bits = v->first ? 32 : file->bits * v->count;
    v->type = (struct value_type){VALUE_UNSIGNED, v->mask_bit ? 8 : bits > 32 ? 64 : 32};
    v->place = PLACE_REGISTER;
    v->whole = true;
    v->mask = file->mask && !v->mask_bit;
    if (p->skip)
        return true;
    if (!p->g->machine)
        return gpudbg_fail(p->err, "command", "$%s: nothing is launched", file->name);
    unsigned count = isa->run && isa->run->count ? isa->run->count(p->g->machine, v->file) : file->count;
    if ((unsigned)v->reg + v->count > count)
        return gpudbg_fail(p->err, "command", "$%s%u: this launch has %u", file->name, v->reg + v->count - 1, count);
    return value_load(p->g, p->wave, v, p->err);
}

/* $ $$ $$3 $7 */
static bool parse_history(struct parser *p, struct value *v)
{
    char *end;
    if (accept(p, "$")) {
        uint64_t back = isdigit((unsigned char)*p->at) ? strtoull(p->at, &end, 10) : 1;
        if (isdigit((unsigned char)*p->at))
            p->at = end;
        return value_recall(p->g, 0, back, v, p->err);
    }
    if (!isdigit((unsigned char)*p->at))
        return value_recall(p->g, 0, 0, v, p->err);
    uint64_t n = strtoull(p->at, &end, 10);
    p->at = end;
    return value_recall(p->g, n ? n : UINT64_MAX, 0, v, p->err);
}

static bool parse_pc(struct parser *p, struct value *v)
{
    struct machine_wave_info info;
    v->type.bits = 64;
    v->address = true;
    v->place = PLACE_PC;
    if (p->skip)
        return true;
    if (!p->g->machine)
        return gpudbg_fail(p->err, "command", "$pc: nothing is launched");
    machine_wave_info(p->g->machine, p->wave, &info);
    v->u = info.pc;
    return true;
}

/* Behind '$'. */
static bool parse_dollar(struct parser *p, struct value *v)
{
    size_t len = name_length(p->at);
    const char *name = p->at;
    long number;
    if (!len || isdigit((unsigned char)*name))
        return parse_history(p, v);
    p->at += len;
    if (register_named(parser_isa(p), name, len, v, &number))
        return parse_register(p, v, number);
    char copy[32];
    if (len >= sizeof copy)
        return gpudbg_fail(p->err, "command", "$%.*s: a name of more than %zu letters", (int)len, name, sizeof copy - 1);
    snprintf(copy, sizeof copy, "%.*s", (int)len, name);
    if (strcmp(copy, "pc") == 0)
        return parse_pc(p, v);
    if (strcmp(copy, "wave") == 0)
        *v = value_unsigned(p->wave, 32);
    else if (strcmp(copy, "lane") == 0)
        *v = value_unsigned((uint64_t)p->lane, 32);
    else if (strcmp(copy, "position") == 0)
        *v = value_unsigned(p->g->machine ? machine_position(p->g->machine) : 0, 64);
    else
        *v = value_variable(p->g, copy);
    return true;
}

/* ---- Names ---- */

/* The element type of a parameter that the source spells "float*" or "global float *". */
static struct value_type element_of(const struct gpudbg_param *param)
{
    struct value_type type = {0};
    const char *star = param && param->type ? strchr(param->type, '*') : NULL;
    if (!star)
        return type;
    const char *end = star;
    while (end > param->type && end[-1] == ' ')
        end--;
    const char *from = end;
    while (from > param->type && isalnum((unsigned char)from[-1]))
        from--;
    type_named(from, (size_t)(end - from), &type);
    return type;
}

static bool buffer_named(const struct parser *p, const char *name, struct value *v)
{
    const struct gpudbg_machine *m = p->g->machine;
    for (size_t i = 0; m && m->nspaces && i < m->space[GPUDBG_GLOBAL].count; i++) {
        const struct gpudbg_segment *s = m->space[GPUDBG_GLOBAL].segment[i];
        if (!s->name || strcmp(s->name, name) != 0)
            continue;
        const struct gpudbg_kernel *k = m->launch ? m->launch->kernel : NULL;
        if (k && s->param >= 0 && (size_t)s->param < k->nparams)
            v->element = element_of(&k->params[s->param]);
        v->u = s->base;
        return true;
    }
    return false;
}

/* L0080: the label `disassemble` gives the address. */
static bool label_named(const struct parser *p, const char *name, uint64_t *addr)
{
    char *end;
    if (*name != 'L' || strlen(name) < 5 || !isxdigit((unsigned char)name[1]) || !p->g->image)
        return false;
    *addr = strtoull(name + 1, &end, 16);
    return !*end && gpudbg_image_at(p->g->image, *addr);
}

static bool parse_name(struct parser *p, struct value *v)
{
    char name[256];
    size_t len = name_length(p->at);
    const char *at = p->at;
    p->at += len;
    skip_blanks(p);
    int space = *p->at == ':' ? value_space(p->g, at, len) : -1;
    if (space >= 0) {
        p->at++;
        if (!parse_unary(p, v))
            return false;
        *v = value_convert(v, (struct value_type){VALUE_UNSIGNED, 64});
        v->space = (uint8_t)space;
        v->address = true;
        return true;
    }
    if (len >= sizeof name)
        return gpudbg_fail(p->err, "command", "a name of %zu letters", len);
    snprintf(name, sizeof name, "%.*s", (int)len, at);
    v->type.bits = 64;
    v->address = true;
    if (buffer_named(p, name, v))
        return true;
    const struct gpudbg_symbol *symbol = p->g->image ? gpudbg_image_find(p->g->image, name) : NULL;
    const struct gpudbg_kernel *kernel = p->g->image ? gpudbg_image_kernel_named(p->g->image, name) : NULL;
    if (kernel || symbol) {
        v->u = kernel ? kernel->entry : symbol->addr;
        return true;
    }
    if (label_named(p, name, &v->u))
        return true;
    return gpudbg_fail(p->err, "command", "no buffer, symbol or label \"%s\"; registers are written $%s", name, name);
}

/* ---- Grammar ---- */

static bool parse_number(struct parser *p, struct value *v)
{
    char *end;
    size_t digits = strspn(p->at, "0123456789");
    bool hex = p->at[0] == '0' && (p->at[1] == 'x' || p->at[1] == 'X');
    bool binary = p->at[0] == '0' && (p->at[1] == 'b' || p->at[1] == 'B');
    bool octal = p->at[0] == '0' && isdigit((unsigned char)p->at[1]);
    bool real = !hex && (p->at[digits] == '.' || p->at[digits] == 'e' || p->at[digits] == 'E');
    v->untyped = true;
    v->type = (struct value_type){real ? VALUE_FLOAT : VALUE_SIGNED, 64};
    const char *from = p->at;
    if (real)
        v->f = strtod(p->at, &end);
    else
        v->u = strtoull(binary ? p->at + 2 : p->at, &end, hex ? 16 : binary ? 2 : octal ? 8 : 10);
    if (!real && v->i < 0)
        v->type.kind = VALUE_UNSIGNED;
    if (!real && v->u == UINT64_MAX && (size_t)(end - from) > (hex ? 18u : 20u))
        return gpudbg_fail(p->err, "command", "%.*s: more than 64 bits", (int)(end - from), from);
    p->at = end;
    if (real && (*p->at == 'f' || *p->at == 'F')) {
        struct value single = value_convert(v, (struct value_type){VALUE_FLOAT, 32});
        *v = single;
        p->at++;
    } else {
        p->at += strspn(p->at, "uUlL");
    }
    if (isalnum((unsigned char)*p->at) || *p->at == '_')
        return gpudbg_fail(p->err, "command", "not a number: %.*s", (int)(end - from) + (int)name_length(end), from);
    return true;
}

static bool parse_primary(struct parser *p, struct value *v)
{
    skip_blanks(p);
    *v = (struct value){.type = {VALUE_UNSIGNED, 32}};
    if (accept(p, "("))
        return parse_expression(p, v) && expect(p, ")");
    if (accept(p, "$"))
        return parse_dollar(p, v);
    if (*p->at == '\'' && p->at[1] && p->at[2] == '\'') {
        *v = value_signed((unsigned char)p->at[1]);
        p->at += 3;
        return true;
    }
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
        return parse_number(p, v);
    if (isalpha((unsigned char)*p->at) || *p->at == '_')
        return parse_name(p, v);
    if (!*p->at)
        return gpudbg_fail(p->err, "command", "an expression ends too early");
    return gpudbg_fail(p->err, "command", "cannot read \"%.40s\"", p->at);
}

/* What `address` points at. */
static bool load_through(struct parser *p, const struct value *address, struct value_type type, struct value *v)
{
    if (address->type.kind == VALUE_FLOAT)
        return gpudbg_fail(p->err, "command", "a float is no address");
    *v = (struct value){.type = type, .place = PLACE_MEMORY, .space = address->space, .addr = address->u};
    return p->skip || value_load(p->g, p->wave, v, p->err);
}

static struct value_type pointee(const struct value *v)
{
    if (v->to.bits)
        return v->to;
    return v->element.bits ? v->element : (struct value_type){VALUE_UNSIGNED, 32};
}

static bool parse_postfix(struct parser *p, struct value *v)
{
    if (!parse_primary(p, v))
        return false;
    while (accept(p, "[")) {
        struct value index;
        if (!parse_expression(p, &index) || !expect(p, "]"))
            return false;
        if (!v->to.bits && !v->element.bits && !v->address)
            return gpudbg_fail(p->err, "command", "[ ] behind what is neither an address nor a register with lanes");
        struct value_type type = pointee(v);
        struct value at = *v;
        at.u += value_convert(&index, (struct value_type){VALUE_SIGNED, 64}).u * (type.bits / 8u);
        if (!load_through(p, &at, type, v))
            return false;
    }
    return true;
}

static bool address_of(struct parser *p, struct value *v)
{
    if (v->place != PLACE_MEMORY)
        return gpudbg_fail(p->err, "command", "& of what is not in memory");
    *v = (struct value){.type = {VALUE_UNSIGNED, 64}, .to = v->type, .space = v->space, .address = true, .u = v->addr};
    return true;
}

static void negate(struct value *v)
{
    struct value result = value_convert(v, operator_promoted(v->type));
    result.untyped = v->untyped;
    if (result.type.kind == VALUE_FLOAT)
        result.f = -result.f;
    else
        value_set_bits(&result, 0 - result.u);
    if (result.untyped && result.type.kind == VALUE_UNSIGNED) /* -0xffffffffffffffff */
        result.type.kind = VALUE_SIGNED;
    *v = result;
}

static bool parse_unary_inside(struct parser *p, struct value *v)
{
    struct value_type type;
    bool pointer;
    if (accept_cast(p, &type, &pointer))
        return parse_unary(p, v) && cast(p, v, type, pointer);
    if (accept(p, "*")) {
        struct value address;
        return parse_unary(p, &address) && load_through(p, &address, pointee(&address), v);
    }
    if (accept(p, "&"))
        return parse_unary(p, v) && address_of(p, v);
    if (accept(p, "-")) {
        if (!parse_unary(p, v))
            return false;
        negate(v);
        return true;
    }
    if (accept(p, "+"))
        return parse_unary(p, v);
    if (accept(p, "~")) {
        if (!parse_unary(p, v))
            return false;
        if (v->type.kind == VALUE_FLOAT)
            return gpudbg_fail(p->err, "command", "\"~\" takes no floats");
        struct value result = value_convert(v, operator_promoted(v->type));
        result.untyped = v->untyped;
        value_set_bits(&result, ~result.u);
        *v = result;
        return true;
    }
    if (accept(p, "!")) {
        if (!parse_unary(p, v))
            return false;
        *v = value_signed(!expr_true(v));
        return true;
    }
    return parse_postfix(p, v);
}

static bool parse_unary(struct parser *p, struct value *v)
{
    if (p->depth >= DEPTH_MAX)
        return gpudbg_fail(p->err, "command", "an expression nested deeper than %d", DEPTH_MAX);
    p->depth++;
    bool ok = parse_unary_inside(p, v);
    p->depth--;
    return ok;
}

static bool parse_binary(struct parser *p, unsigned least, struct value *v)
{
    const struct binary *op;
    if (!parse_unary(p, v))
        return false;
    while ((op = peek_binary(p)) && op->precedence >= least) {
        struct value right;
        bool lazy = (op->operation == OP_AND_THEN && !expr_true(v)) || (op->operation == OP_OR_ELSE && expr_true(v));
        p->at += strlen(op->text);
        p->skip += lazy;
        bool ok = parse_binary(p, op->precedence + 1u, &right);
        p->skip -= lazy;
        if (!ok)
            return false;
        if (op->operation == OP_AND_THEN)
            *v = value_signed(expr_true(v) && expr_true(&right));
        else if (op->operation == OP_OR_ELSE)
            *v = value_signed(expr_true(v) || expr_true(&right));
        else if (!operator_apply(op, v, &right, p->skip, v, p->err))
            return false;
    }
    return true;
}

static bool parse_ternary(struct parser *p, struct value *v)
{
    struct value yes, no;
    if (!parse_binary(p, 1, v))
        return false;
    if (!accept(p, "?"))
        return true;
    bool first = expr_true(v);
    p->skip += !first;
    bool ok = parse_expression(p, &yes);
    p->skip -= !first;
    if (!ok || !expect(p, ":"))
        return false;
    p->skip += first;
    ok = parse_expression(p, &no);
    p->skip -= first;
    *v = first ? yes : no;
    v->place = PLACE_NONE;
    return ok;
}

/* Behind an lvalue: "=", or an operator and "=". */
static bool accept_assignment(struct parser *p, const struct binary **op)
{
    skip_blanks(p);
    *op = NULL;
    if (*p->at == '=') {
        p->at++;
        return true;
    }
    *op = operator_at(p->at);
    if (*op && !(*op)->compares && p->at[strlen((*op)->text)] == '=') {
        p->at += strlen((*op)->text) + 1;
        return true;
    }
    return false;
}

static bool assign_in(struct parser *p, const struct value *place, const struct value *value);

static bool parse_expression_inside(struct parser *p, struct value *v)
{
    const struct binary *op;
    struct value right;
    if (!parse_ternary(p, v))
        return false;
    if (!accept_assignment(p, &op))
        return true;
    if (!parse_expression(p, &right) || (op && !operator_apply(op, v, &right, p->skip, &right, p->err)))
        return false;
    if (p->skip)
        return true;
    if (!assign_in(p, v, &right))
        return false;
    if (v->place == PLACE_VARIABLE)
        *v = value_variable(p->g, v->name);
    else if (v->place == PLACE_PC)
        return parse_pc(p, v);
    return value_load(p->g, p->wave, v, p->err);
}

static bool parse_expression(struct parser *p, struct value *v)
{
    if (p->depth >= DEPTH_MAX)
        return gpudbg_fail(p->err, "command", "an expression nested deeper than %d", DEPTH_MAX);
    p->depth++;
    bool ok = parse_expression_inside(p, v);
    p->depth--;
    return ok;
}

/* ---- Stores ---- */

/* The pattern of `value` for a place of type `type`: a float goes into untyped bits as a float of that width. */
static uint64_t bits_for(const struct value *value, struct value_type type)
{
    if (value->type.kind == VALUE_FLOAT && type.kind != VALUE_FLOAT && type.bits >= 32)
        type.kind = VALUE_FLOAT;
    struct value converted = value_convert(value, type);
    return value_bits(&converted);
}

static bool assign_mask_bit(struct parser *p, const struct value *place, bool on)
{
    struct value all = *place;
    uint32_t words[2] = {0};
    all.mask_bit = false;
    size_t n = value_words(p->g, p->wave, &all, words, 2, p->err);
    if (!n)
        return false;
    uint32_t bit = UINT32_C(1) << (place->lane & 31), *word = &words[place->lane / 32];
    *word = on ? *word | bit : *word & ~bit;
    return machine_set_register(p->g->machine, p->wave, place->file, place->reg, 0, words, n, p->err);
}

static bool assign_register(struct parser *p, const struct value *place, const struct value *value)
{
    const struct gpudbg_regfile *file = &parser_isa(p)->files[place->file];
    unsigned each = (file->bits + 31u) / 32;
    bool many = file->lanes > 1;
    if (place->mask_bit)
        return assign_mask_bit(p, place, expr_true(value));
    uint64_t pattern = bits_for(value, place->type);
    unsigned total = place->first ? 1 : each * place->count;
    if (total > 2 && pattern >> 32)
        return gpudbg_fail(p->err, "command", "$%s[%u:%u]: set at most two dwords at a time", file->name, place->reg,
            place->reg + place->count - 1u);
    for (int lane = 0; lane < (many ? place->lanes : 1); lane++)
        for (unsigned d = 0; d < total; d++) {
            uint32_t word = d < 2 ? (uint32_t)(pattern >> 32 * d) : 0;
            unsigned first = place->first ? place->first : d % each;
            if (many)
                first += (unsigned)(place->lane + lane) * file->bits / 32;
            if (!machine_set_register(p->g->machine, p->wave, place->file, place->reg + d / each, first, &word, 1, p->err))
                return false;
        }
    return true;
}

static bool assign_in(struct parser *p, const struct value *place, const struct value *value)
{
    uint8_t bytes[8];
    switch (place->place) {
    case PLACE_VARIABLE: return value_set_variable(p->g, place->name, value, p->err);
    case PLACE_REGISTER:
        if (!p->g->machine)
            break;
        return assign_register(p, place, value);
    case PLACE_PC:
        if (!p->g->machine)
            break;
        return machine_set_pc(p->g->machine, p->wave, value->u, p->err);
    case PLACE_MEMORY: {
        if (!p->g->machine)
            break;
        uint64_t bits = bits_for(value, place->type);
        for (int i = 0; i < 8; i++)
            bytes[i] = (uint8_t)(bits >> 8 * i);
        return machine_set_memory(p->g->machine, p->wave, place->space, place->addr, bytes, place->type.bits / 8, p->err);
    }
    default: return gpudbg_fail(p->err, "command", "the left side of = is no register, memory or variable");
    }
    return gpudbg_fail(p->err, "command", "nothing is launched: there is nothing to set");
}

/* ---- Front ---- */

bool expr_value_in(
    struct gpudbg *g, uint32_t wave, int lane, const char *text, struct value *v, struct gpudbg_error *err)
{
    struct parser p = {.g = g, .at = text, .wave = wave, .lane = lane < 0 ? g->lane : lane, .err = err};
    if (!parse_expression(&p, v))
        return false;
    skip_blanks(&p);
    if (*p.at)
        return gpudbg_fail(err, "command", "cannot read \"%.40s\"", p.at);
    return true;
}

bool expr_value(struct gpudbg *g, const char *text, struct value *v, struct gpudbg_error *err)
{
    return expr_value_in(g, g->wave, g->lane, text, v, err);
}

bool expr_assign(struct gpudbg *g, const struct value *place, const struct value *value, struct gpudbg_error *err)
{
    struct parser p = {.g = g, .at = "", .wave = g->wave, .lane = g->lane, .err = err};
    return assign_in(&p, place, value);
}

bool expr_true(const struct value *v)
{
    return v->type.kind == VALUE_FLOAT ? v->f != 0 : v->u != 0;
}

bool gpudbg_evaluate(struct gpudbg *g, const char *expr, uint64_t *value, struct gpudbg_error *err)
{
    struct value v;
    if (!expr_value(g, expr, &v, err))
        return false;
    if (v.type.kind == VALUE_FLOAT)
        return gpudbg_fail(err, "command", "%.60s: a float, where a whole number is wanted", expr);
    *value = v.u;
    return true;
}

/* ---- Completion ---- */

static char *joined(const char *head, size_t len, const char *tail)
{
    size_t size = len + strlen(tail) + 1;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%.*s%s", (int)len, head, tail);
    return text;
}

static const char *dollar_candidate(struct gpudbg *g, size_t i)
{
    static const char *const fixed[] = {"pc", "wave", "lane", "position"};
    const size_t nfixed = sizeof fixed / sizeof *fixed;
    const struct gpudbg_isa *isa = g->machine ? g->machine->isa : g->image ? g->image->isa : NULL;
    size_t nfiles = isa ? isa->nfiles : 0;
    if (i < nfiles)
        return isa->files[i].name;
    i -= nfiles;
    return i < nfixed ? fixed[i] : value_variable_name(g, i - nfixed);
}

static const char *name_candidate(struct gpudbg *g, size_t i)
{
    const struct gpudbg_space *global = g->machine && g->machine->nspaces ? &g->machine->space[GPUDBG_GLOBAL] : NULL;
    size_t nsegments = global ? global->count : 0, nsymbols = g->image ? g->image->nsymbols : 0;
    if (i < nsegments)
        return global->segment[i]->name ? global->segment[i]->name : "";
    i -= nsegments;
    return i < nsymbols ? g->image->symbols[i].name : NULL;
}

char *expr_complete(struct gpudbg *g, const char *text, unsigned state)
{
    const char *name = text + strlen(text), *candidate;
    while (name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_'))
        name--;
    bool dollar = name > text && name[-1] == '$';
    if (!dollar && !*name)
        return NULL;
    for (size_t i = 0; (candidate = dollar ? dollar_candidate(g, i) : name_candidate(g, i)); i++)
        if (*candidate && strncmp(candidate, name, strlen(name)) == 0 && state-- == 0)
            return joined(text, (size_t)(name - text), candidate);
    return NULL;
}
