/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions: one pass over the text, computing as it reads.  Operators stand in a table (operators.c).  Where C does
 * not evaluate (behind && || and the other branch of ?:) the parser reads on with `skip` set, and touches neither
 * registers nor memory.
 */
#include "eval/expr_parser.h"
#include "eval/locals.h"
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "machine/machine.h"
#include "eval/operators.h"
#include "eval/over_lanes.h"
#include "eval/value.h"

#define DEPTH_MAX 100

/* ---- Reading ---- */

void parser_blanks(struct parser *p)
{
    while (isspace((unsigned char)*p->at)) p->at++;
}

bool parser_accept(struct parser *p, const char *text)
{
    parser_blanks(p);
    if (strncmp(p->at, text, strlen(text)) != 0) return false;
    p->at += strlen(text);
    return true;
}

bool parser_expect(struct parser *p, const char *text)
{
    if (parser_accept(p, text)) return true;
    if (*p->at) return gpudbg_fail(p->err, "syntax", "expected \"%s\" before \"%.40s\"", text, p->at);
    return gpudbg_fail(p->err, "syntax", "expected \"%s\" at the end", text);
}

static const struct binary *peek_binary(struct parser *p)
{
    parser_blanks(p);
    const struct binary *op = operator_at(p->at);
    bool assigns = op && !op->compares && p->at[strlen(op->text)] == '='; /* "+=" */
    return assigns ? NULL : op;
}

/* ---- Types ---- */

static const struct {
    const char *name;
    struct value_type type;
} types[] = {
    {"u8", {VALUE_UNSIGNED, 8}},
    {"u16", {VALUE_UNSIGNED, 16}},
    {"u32", {VALUE_UNSIGNED, 32}},
    {"u64", {VALUE_UNSIGNED, 64}},
    {"i8", {VALUE_SIGNED, 8}},
    {"i16", {VALUE_SIGNED, 16}},
    {"i32", {VALUE_SIGNED, 32}},
    {"i64", {VALUE_SIGNED, 64}},
    {"f16", {VALUE_FLOAT, 16}},
    {"f32", {VALUE_FLOAT, 32}},
    {"f64", {VALUE_FLOAT, 64}},
    {"uchar", {VALUE_UNSIGNED, 8}},
    {"ushort", {VALUE_UNSIGNED, 16}},
    {"uint", {VALUE_UNSIGNED, 32}},
    {"ulong", {VALUE_UNSIGNED, 64}},
    {"unsigned", {VALUE_UNSIGNED, 32}},
    {"char", {VALUE_SIGNED, 8}},
    {"short", {VALUE_SIGNED, 16}},
    {"int", {VALUE_SIGNED, 32}},
    {"long", {VALUE_SIGNED, 64}},
    {"half", {VALUE_FLOAT, 16}},
    {"float", {VALUE_FLOAT, 32}},
    {"double", {VALUE_FLOAT, 64}},
};

size_t type_name_length(const char *at)
{
    size_t n = 0;
    while (isalnum((unsigned char)at[n]) || at[n] == '_' || (n && at[n] == '.' && isalpha((unsigned char)at[n + 1])))
        n++;
    return n;
}

bool type_named(const char *at, size_t len, struct value_type *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == len && strncmp(types[i].name, at, len) == 0) {
            *type = types[i].type;
            return true;
        }
    return false;
}

unsigned vector_named(const char *at, size_t len, struct value_type *type)
{
    size_t digits = 0;
    if (type_named(at, len, type)) return 1;
    while (digits < len && isdigit((unsigned char)at[len - 1 - digits])) digits++;
    const unsigned long n = digits && digits <= 2 ? strtoul(at + len - digits, NULL, 10) : 0;
    const bool legal = n == 2 || n == 3 || n == 4 || n == 8 || n == 16;
    return legal && type_named(at, len - digits, type) ? (unsigned)n : 0;
}

/* "(u32)" and "(u32*)"; takes nothing if it is neither. */
static bool accept_type(struct parser *p, const char *open, const char *close, struct value_type *type, bool *pointer)
{
    struct parser q = *p;
    if (!parser_accept(&q, open)) return false;
    parser_blanks(&q);
    size_t len = type_name_length(q.at);
    if (!type_named(q.at, len, type)) return false;
    q.at += len;
    *pointer = parser_accept(&q, "*");
    if (!parser_accept(&q, close)) return false;
    p->at = q.at;
    return true;
}

static bool accept_cast(struct parser *p, struct value_type *type, bool *pointer)
{
    return accept_type(p, "(", ")", type, pointer);
}

/* gdb's "{u32} ADDR", which is *(u32*)ADDR. */
static bool accept_braces(struct parser *p, struct value_type *type)
{
    bool pointer;
    const char *at = p->at;
    if (accept_type(p, "{", "}", type, &pointer) && !pointer) return true;
    p->at = at;
    return false;
}

static bool cast(struct parser *p, struct value *v, struct value_type type, bool pointer)
{
    if (pointer) {
        if (!value_one(v, p->err)) return false;
        struct value to = value_convert(v, (struct value_type){VALUE_UNSIGNED, 64});
        to.to = type;
        to.address = true;
        *v = to;
        return true;
    }
    if (v->whole && !v->mask_bit) { /* bits without a type yet */
        const unsigned have = v->place == PLACE_MEMORY ? 64 : v->type.bits;
        if (type.bits <= have) {
            const uint64_t bits = value_bits(v);
            v->type = type;
            v->whole = false;
            v->address = false;
            value_set_bits(v, bits);
            return p->skip || value_load(p->ev, p->wave, v, p->err);
        }
    }
    if (!value_one(v, p->err)) return false;
    *v = value_convert(v, type);
    return true;
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
    v->pattern = hex || binary || octal;
    v->type = (struct value_type){real ? VALUE_FLOAT : VALUE_SIGNED, 64};
    const char *from = p->at;
    errno = 0;
    if (real)
        v->f = strtod(p->at, &end);
    else
        v->u = strtoull(binary ? p->at + 2 : p->at, &end, hex ? 16 : binary ? 2 : octal ? 8 : 10);
    if (!real && v->i < 0) v->type.kind = VALUE_UNSIGNED;
    if (!real && errno == ERANGE)
        return gpudbg_fail(p->err, "out-of-range", "%.*s: more than 64 bits", (int)(end - from), from);
    p->at = end;
    if (real && (*p->at == 'f' || *p->at == 'F')) {
        struct value single = value_convert(v, (struct value_type){VALUE_FLOAT, 32});
        *v = single;
        p->at++;
    } else {
        p->at += strspn(p->at, "uUlL");
    }
    if (isalnum((unsigned char)*p->at) || *p->at == '_')
        return gpudbg_fail(
            p->err, "syntax", "not a number: %.*s", (int)(end - from) + (int)type_name_length(end), from);
    return true;
}

/* "..." */
static bool parse_text(struct parser *p, struct value *v)
{
    const size_t n = strcspn(++p->at, "\"");
    *v = value_unsigned(0, 64);
    v->is_text = true;
    if (!p->at[n]) return gpudbg_fail(p->err, "syntax", "the text has no closing quote");
    if (n >= sizeof v->text)
        return gpudbg_fail(
            p->err, "too-large", "a text of %zu letters: at most %zu are possible", n, sizeof v->text - 1);
    memcpy(v->text, p->at, n);
    p->at += n + 1;
    return true;
}

static bool parse_primary(struct parser *p, struct value *v)
{
    parser_blanks(p);
    *v = (struct value){.type = {VALUE_UNSIGNED, 32}};
    if (*p->at == '(' && !p->inside) { /* "(p + 1)->id": the source's, and what follows it */
        const char *at = p->at;
        struct gpudbg_error was = *p->err;
        if (locals_parse(p, v) == LOCAL_VALUE) return true;
        p->at = at;
        *p->err = was;
    }
    if (parser_accept(p, "(")) return parse_expression(p, v) && parser_expect(p, ")");
    if (parser_accept(p, "$")) return parse_dollar(p, v);
    if (*p->at == '"') return parse_text(p, v);
    if (*p->at == '\'' && p->at[1] && p->at[2] == '\'') {
        *v = value_signed((unsigned char)p->at[1]);
        p->at += 3;
        return true;
    }
    if (isdigit((unsigned char)*p->at) || (*p->at == '.' && isdigit((unsigned char)p->at[1])))
        return parse_number(p, v);
    enum over_kind kind;
    const size_t function = over_function(p->at, &kind);
    if (function) {
        p->at += function;
        return parse_over(p, kind, v);
    }
    if (isalpha((unsigned char)*p->at) || *p->at == '_') return parse_name(p, v);
    if (!*p->at) return gpudbg_fail(p->err, "syntax", "the expression ends too early");
    if (*p->at == '@' && isalpha((unsigned char)p->at[1])) /* cuda-gdb's (@shared int *)0 */
        return gpudbg_fail(p->err, "syntax",
            "memory is named before the address: *(i32*)lds:0 is of the group, *(i32*)0x100000000 of all");
    return gpudbg_fail(p->err, "syntax", "unexpected \"%.40s\"", p->at);
}

/* What `address` points at. */
static bool load_through(struct parser *p, const struct value *address, struct value_type type, struct value *v)
{
    if (!value_one(address, p->err)) return false;
    if (address->type.kind == VALUE_FLOAT) return gpudbg_fail(p->err, "syntax", "a float is not an address");
    bool typed = address->to.bits || address->element.bits;
    *v = (struct value){
        .type = type, .place = PLACE_MEMORY, .whole = !typed, .space = address->space, .addr = address->u};
    return p->skip || value_load(p->ev, p->wave, v, p->err);
}

static struct value_type pointee(const struct value *v)
{
    if (v->to.bits) return v->to;
    return v->element.bits ? v->element : (struct value_type){VALUE_UNSIGNED, 32};
}

/* Several elements of memory from *v on: all of them as one value, or the one that the walk is at. */
static bool several(struct parser *p, struct value *v, uint64_t n)
{
    uint64_t at;
    if (v->place != PLACE_MEMORY || v->above || v->many)
        return gpudbg_fail(p->err, "syntax", "@ needs a value in memory on its left, such as a[0]@8");
    if (!n || n > OVER_MOST)
        return gpudbg_fail(
            p->err, n ? "too-large" : "out-of-range", "%" PRIu64 " elements: 1 to %d are possible", n, OVER_MOST);
    if (p->over) {
        if (!over_range(p, 0, n, false, &at)) return false;
        v->addr += at * (v->type.bits / 8u);
        return p->skip || value_load(p->ev, p->wave, v, p->err);
    }
    if (n == 1) return true;
    v->many = true;
    v->elements = (uint32_t)n;
    uint8_t last; /* all of it must be there */
    return p->skip ||
           value_read_memory(p->ev, p->wave, v->space, v->addr + n * (v->type.bits / 8u) - 1, &last, 1, p->err);
}

uint64_t parser_elements_to_end(struct parser *p, const struct value *v, uint64_t each)
{
    if (v->elements) return v->elements;
    const struct gpudbg_machine *m = p->ev->running->machine;
    struct gpudbg_error ignored = {0};
    const struct gpudbg_segment *s = NULL;
    uint8_t byte;
    size_t n = 0;
    if (m && machine_peek(p->ev->running->machine, p->wave, v->space, v->u, &byte, 1, &s, &ignored) && s)
        return (s->base + s->size - v->u) / each;
    if (p->ev->loaded->image && v->space == GPUDBG_GLOBAL) gpudbg_image_bytes(p->ev->loaded->image, v->u, &n);
    return n / each;
}

/* Behind "[": "]" is taken as well. */
static bool parse_index(struct parser *p, struct value *v)
{
    struct value index = value_signed(0), last;
    const struct value_type type = pointee(v), whole = {VALUE_SIGNED, 64};
    const bool all = parser_accept(p, ":");
    if (!all && !parse_expression(p, &index)) return false;
    const bool range = !all && parser_accept(p, ":");
    if ((range && !parse_expression(p, &last)) || !parser_expect(p, "]") || !value_one(&index, p->err) ||
        (range && !value_one(&last, p->err)))
        return false;
    if (!v->to.bits && !v->element.bits && !v->address)
        return gpudbg_fail(p->err, "syntax",
            "[ ] must follow an address or a register with lanes; an element of a wide register is $r10.2 or "
            "$r10.2:f");
    const int64_t first = value_convert(&index, whole).i, to = range ? value_convert(&last, whole).i : first;
    if (range && to < first)
        return gpudbg_fail(
            p->err, "out-of-range", "[%" PRId64 ":%" PRId64 "]: the last element is before the first", first, to);
    if (v->elements && ((uint64_t)first >= v->elements || (uint64_t)to >= v->elements))
        return gpudbg_fail(p->err, "out-of-range", "[%" PRId64 "]: the array has %u elements",
            (uint64_t)first >= v->elements ? first : to, (unsigned)v->elements);
    struct value at = *v;
    const uint64_t n = p->skip ? 1 : all ? parser_elements_to_end(p, v, type.bits / 8u) : (uint64_t)(to - first) + 1;
    at.u += (uint64_t)first * (type.bits / 8u);
    return load_through(p, &at, type, v) && ((!all && !range) || several(p, v, n));
}

static bool parse_postfix(struct parser *p, struct value *v)
{
    if (!parse_primary(p, v)) return false;
    while (parser_accept(p, "["))
        if (!parse_index(p, v)) return false;
    return true;
}

static struct value truth(bool is)
{
    struct value v = value_signed(is);
    v.truth = true;
    return v;
}

static bool address_of(struct parser *p, struct value *v)
{
    if (v->place != PLACE_MEMORY)
        return gpudbg_fail(p->err, "syntax", "& needs a value in memory, and this one is not in memory");
    if (!value_at_one_address(v, p->err)) return false;
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
    if (accept_cast(p, &type, &pointer)) return parse_unary(p, v) && cast(p, v, type, pointer);
    if (accept_braces(p, &type)) {
        struct value address;
        return parse_unary(p, &address) && cast(p, &address, type, true) && load_through(p, &address, type, v);
    }
    parser_blanks(p);
    if (*p->at == '*') { /* of a variable of the source that the language itself cannot follow */
        const char *at = p->at;
        struct gpudbg_error was = *p->err;
        if (locals_parse(p, v) == LOCAL_VALUE) return true;
        p->at = at;
        *p->err = was;
    }
    if (parser_accept(p, "*")) {
        struct value address;
        return parse_unary(p, &address) && load_through(p, &address, pointee(&address), v);
    }
    if ((*p->at == '&' || strncmp(p->at, "sizeof", 6) == 0)) {
        const char *at = p->at;
        struct gpudbg_error was = *p->err;
        if ((*at == '&' ? locals_address : locals_sizeof)(p, v) == LOCAL_VALUE) return true;
        p->at = at;
        *p->err = was;
    }
    if (parser_accept(p, "&")) return parse_unary(p, v) && address_of(p, v);
    if (parser_accept(p, "-")) {
        if (!parse_unary(p, v) || !value_one(v, p->err)) return false;
        negate(v);
        return true;
    }
    if (parser_accept(p, "+")) return parse_unary(p, v);
    if (parser_accept(p, "~")) {
        if (!parse_unary(p, v) || !value_one(v, p->err)) return false;
        if (v->type.kind == VALUE_FLOAT) return gpudbg_fail(p->err, "syntax", "\"~\" does not accept floats");
        struct value result = value_convert(v, operator_promoted(v->type));
        result.untyped = v->untyped;
        value_set_bits(&result, ~result.u);
        *v = result;
        return true;
    }
    if (parser_accept(p, "!")) {
        if (!parse_unary(p, v) || !value_one(v, p->err)) return false;
        *v = truth(!expr_true(v));
        return true;
    }
    return parse_postfix(p, v);
}

bool parse_unary(struct parser *p, struct value *v)
{
    if (p->depth >= DEPTH_MAX)
        return gpudbg_fail(p->err, "too-large", "the expression is nested deeper than %d levels", DEPTH_MAX);
    p->depth++;
    bool ok = parse_unary_inside(p, v);
    p->depth--;
    return ok;
}

/* Texts are the same or not; *done: at least one side is one. */
static bool compare_texts(
    struct parser *p, const struct binary *op, struct value *v, const struct value *right, bool *done)
{
    *done = v->is_text || right->is_text;
    if (!*done) return true;
    if (!v->is_text || !right->is_text)
        return gpudbg_fail(p->err, "syntax", "a text is compared with a text in quotes: \"[0,0,0]\"");
    *v = truth((strcmp(v->text, right->text) == 0) == (op->operation == OP_EQ));
    return true;
}

static bool parse_binary(struct parser *p, unsigned least, struct value *v)
{
    const struct binary *op;
    struct value count;
    if (!parse_unary(p, v)) return false;
    if (parser_accept(p, "@") &&
        (!parse_unary(p, &count) || !value_one(&count, p->err) ||
            !several(p, v, p->skip ? 1 : value_convert(&count, (struct value_type){VALUE_UNSIGNED, 64}).u)))
        return false;
    while ((op = peek_binary(p)) && op->precedence >= least) {
        struct value right;
        const bool equality = op->operation == OP_EQ || op->operation == OP_NE;
        bool texts = false;
        if (!(equality && v->is_text) && !value_one(v, p->err)) return false;
        bool lazy = (op->operation == OP_AND_THEN && !expr_true(v)) || (op->operation == OP_OR_ELSE && expr_true(v));
        p->at += strlen(op->text);
        p->skip += lazy;
        bool ok = parse_binary(p, op->precedence + 1u, &right);
        p->skip -= lazy;
        if (!ok || (equality && !compare_texts(p, op, v, &right, &texts))) return false;
        if (texts) continue;
        if (!value_one(&right, p->err)) return false;
        if (op->operation == OP_AND_THEN)
            *v = truth(expr_true(v) && expr_true(&right));
        else if (op->operation == OP_OR_ELSE)
            *v = truth(expr_true(v) || expr_true(&right));
        else if (!operator_apply(op, v, &right, p->skip, v, p->err))
            return false;
    }
    return true;
}

static bool parse_ternary(struct parser *p, struct value *v)
{
    struct value yes, no;
    if (!parse_binary(p, 1, v)) return false;
    if (!parser_accept(p, "?")) return true;
    if (!value_one(v, p->err)) return false;
    bool first = expr_true(v);
    p->skip += !first;
    bool ok = parse_expression(p, &yes);
    p->skip -= !first;
    if (!ok || !parser_expect(p, ":")) return false;
    p->skip += first;
    ok = parse_expression(p, &no);
    p->skip -= first;
    *v = first ? yes : no;
    v->place = PLACE_NONE;
    return ok && value_one(v, p->err);
}

/* Behind an lvalue: "=", or an operator and "=". */
static bool accept_assignment(struct parser *p, const struct binary **op)
{
    parser_blanks(p);
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

static bool parse_expression_inside(struct parser *p, struct value *v)
{
    const struct binary *op;
    struct value right;
    if (!parse_ternary(p, v)) return false;
    if (!accept_assignment(p, &op)) return true;
    if (!p->changes && p->refused) *p->refused = true;
    if (!p->changes) return gpudbg_fail(p->err, "usage", "use == to compare; set changes a value");
    if (p->over) p->over->assigns = true;
    if (!parse_expression(p, &right) || (op && !operator_apply(op, v, &right, p->skip, &right, p->err))) return false;
    if (p->skip) return true;
    if (!expr_store(p, v, &right)) return false;
    if (v->place == PLACE_VARIABLE)
        value_variable(p->ev, v->name, v);
    else if (v->place == PLACE_PC)
        return parse_pc(p, v);
    return value_load(p->ev, p->wave, v, p->err);
}

bool parse_expression(struct parser *p, struct value *v)
{
    if (p->depth >= DEPTH_MAX)
        return gpudbg_fail(p->err, "too-large", "the expression is nested deeper than %d levels", DEPTH_MAX);
    p->depth++;
    bool ok = parse_expression_inside(p, v);
    p->depth--;
    return ok;
}

/* ---- Front ---- */

static bool parse_all(struct parser *p, struct value *v)
{
    if (!parse_expression(p, v)) return false;
    parser_blanks(p);
    return !*p->at || gpudbg_fail(p->err, "syntax", "unexpected \"%.40s\"", p->at);
}

bool expr_value_in(
    struct eval *ev, uint32_t wave, int lane, const char *text, struct value *v, struct gpudbg_error *err)
{
    struct parser p = {.ev = ev, .at = text, .wave = wave, .lane = lane < 0 ? ev->selection->lane : lane, .err = err};
    return parse_all(&p, v);
}

bool expr_value_changing(struct eval *ev, const char *text, struct value *v, struct gpudbg_error *err)
{
    struct parser p = {
        .ev = ev, .at = text, .wave = ev->selection->wave, .lane = ev->selection->lane, .changes = true, .err = err};
    return parse_all(&p, v);
}

/* Other errors are of the moment: what is not launched or not in scope now may be there when the text is evaluated. */
bool expr_readable(struct eval *ev, const char *text, struct gpudbg_error *err)
{
    struct gpudbg_error why = {.offset = -1};
    bool refused = false;
    struct value v;
    struct parser p = {.ev = ev,
        .at = text,
        .wave = ev->selection->wave,
        .lane = ev->selection->lane,
        .skip = 1,
        .strict = true,
        .refused = &refused,
        .err = &why};
    parse_all(&p, &v);
    if (!refused) return true;
    *err = why;
    return false;
}

bool expr_value(struct eval *ev, const char *text, struct value *v, struct gpudbg_error *err)
{
    return expr_value_in(ev, ev->selection->wave, ev->selection->lane, text, v, err);
}

bool expr_true(const struct value *v) { return v->type.kind == VALUE_FLOAT ? v->f != 0 : v->u != 0; }

bool expr_holds(struct eval *ev, uint32_t wave, int lane, const char *text, bool *holds, struct gpudbg_error *err)
{
    struct value v;
    if (!expr_value_in(ev, wave, lane, text, &v, err) || !value_one(&v, err)) return false;
    *holds = expr_true(&v);
    return true;
}

bool expr_place(struct eval *ev, const char *text, unsigned *space, uint64_t *addr, struct gpudbg_error *err)
{
    struct value v;
    if (!expr_value(ev, text, &v, err) || !value_at_one_address(&v, err)) return false;
    if (v.place != PLACE_MEMORY && !value_one(&v, err)) return false;
    if (v.place != PLACE_MEMORY && v.type.kind == VALUE_FLOAT)
        return gpudbg_fail(err, "syntax", "%.60s is a float, not an address", text);
    *addr = v.place == PLACE_MEMORY ? v.addr : v.u;
    *space = v.space;
    return true;
}

bool expr_number(struct eval *ev, const char *text, uint64_t *value, struct gpudbg_error *err)
{
    struct value v;
    if (!expr_value(ev, text, &v, err) || !value_one(&v, err)) return false;
    if (v.type.kind == VALUE_FLOAT)
        return gpudbg_fail(err, "syntax", "%.60s is a float; a whole number is needed", text);
    *value = v.u;
    return true;
}

/* ---- Completion ---- */

static char *joined(const char *head, size_t len, const char *tail)
{
    size_t size = len + strlen(tail) + 1;
    char *text = xalloc(size);
    snprintf(text, size, "%.*s%s", (int)len, head, tail);
    return text;
}

const char *expr_dollar_name(const struct eval *ev, size_t i)
{
    static const char *const fixed[] = {"pc", "_isvoid"};
    const size_t nfixed = sizeof fixed / sizeof *fixed;
    size_t nwhere = 0;
    while (where_name(nwhere)) nwhere++;
    const struct gpudbg_isa *isa = ev->running->machine ? ev->running->machine->isa
                                   : ev->loaded->image  ? ev->loaded->image->isa
                                                        : NULL;
    size_t nfiles = isa ? isa->nfiles : 0;
    if (i < nfiles) return isa->files[i].name;
    i -= nfiles;
    if (i < nfixed) return fixed[i];
    i -= nfixed;
    return i < nwhere ? where_name(i) : value_variable_name(ev, i - nwhere);
}

const char *expr_plain_name(struct eval *ev, size_t i)
{
    const struct gpudbg_space *global = ev->running->machine && ev->running->machine->nspaces
                                            ? &ev->running->machine->space[GPUDBG_GLOBAL]
                                            : NULL;
    size_t nsegments = global ? global->count : 0, nsymbols = ev->loaded->image ? ev->loaded->image->nsymbols : 0;
    if (i < nsegments) return global->segment[i]->name ? global->segment[i]->name : "";
    i -= nsegments;
    return i < nsymbols ? ev->loaded->image->symbols[i].name : locals_name(ev, i - nsymbols);
}

char *expr_complete(struct eval *ev, const char *text, unsigned state)
{
    const char *name = text + strlen(text), *candidate;
    while (name > text && (isalnum((unsigned char)name[-1]) || name[-1] == '_')) name--;
    bool dollar = name > text && name[-1] == '$';
    if (!dollar && !*name) return NULL;
    for (size_t i = 0; (candidate = dollar ? expr_dollar_name(ev, i) : expr_plain_name(ev, i)); i++)
        if (*candidate && strncmp(candidate, name, strlen(name)) == 0 && state-- == 0)
            return joined(text, (size_t)(name - text), candidate);
    return NULL;
}
