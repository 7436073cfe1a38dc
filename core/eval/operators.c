/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary operators; see operators.h. */
#include "eval/operators.h"
#include <string.h>
#include "eval/value.h"

/* Binary operators; those that begin with another's text stand before it. */
static const struct binary binaries[] = {
    {"||", 1, OP_OR_ELSE, true, true},
    {"&&", 2, OP_AND_THEN, true, true},
    {"==", 6, OP_EQ, true, true},
    {"!=", 6, OP_NE, true, true},
    {"<<", 8, OP_SHL, false, false},
    {">>", 8, OP_SHR, false, false},
    {"<=", 7, OP_LE, true, true},
    {">=", 7, OP_GE, true, true},
    {"<", 7, OP_LT, true, true},
    {">", 7, OP_GT, true, true},
    {"|", 3, OP_OR, false, false},
    {"^", 4, OP_XOR, false, false},
    {"&", 5, OP_AND, false, false},
    {"+", 9, OP_ADD, true, false},
    {"-", 9, OP_SUB, true, false},
    {"*", 10, OP_MUL, true, false},
    {"/", 10, OP_DIV, true, false},
    {"%", 10, OP_MOD, false, false},
};

const struct binary *operator_at(const char *text)
{
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (strncmp(text, binaries[i].text, strlen(binaries[i].text)) == 0) return &binaries[i];
    return NULL;
}

/* Whether a whole number is one of that type; a negative one counts for an unsigned type of as many bits, as -1 does in
 * C. */
static bool fits(const struct value *v, struct value_type type)
{
    if (v->type.kind == VALUE_UNSIGNED && v->i < 0) /* 2^63 and more */
        return type.kind == VALUE_UNSIGNED && type.bits >= 64;
    if (type.bits >= 64) return true;
    const int64_t half = (int64_t)1 << (type.bits - 1);
    return v->i >= -half && v->i < (type.kind == VALUE_SIGNED ? half : 2 * half);
}

struct value_type operator_promoted(struct value_type type)
{
    return type.kind != VALUE_FLOAT && type.bits < 32 ? (struct value_type){VALUE_SIGNED, 32} : type;
}

/* The type both sides are brought to.  A number without a type takes the other side's if it fits there. */
static struct value_type common_type(const struct value *a, const struct value *b)
{
    struct value_type x = operator_promoted(a->type), y = operator_promoted(b->type);
    bool xf = x.kind == VALUE_FLOAT, yf = y.kind == VALUE_FLOAT;
    if (a->untyped != b->untyped) {
        const struct value *literal = a->untyped ? a : b;
        struct value_type typed = a->untyped ? y : x;
        const struct value_type plain = {VALUE_UNSIGNED, typed.bits};
        if (typed.kind == VALUE_FLOAT) return typed;
        if (literal->type.kind == VALUE_FLOAT) return (struct value_type){VALUE_FLOAT, typed.bits};
        if (fits(literal, typed)) return typed;
        if (literal->pattern && fits(literal, plain)) /* (i32)-1 == 0xffffffff */
            return plain;
    }
    if (xf != yf) return xf ? x : y;
    if (x.bits != y.bits) return x.bits > y.bits ? x : y;
    return x.kind == VALUE_UNSIGNED ? x : y;
}

static bool compare(uint8_t operation, int order, bool unordered)
{
    switch (operation) {
    case OP_EQ: return !unordered && order == 0;
    case OP_NE: return unordered || order != 0;
    case OP_LT: return !unordered && order < 0;
    case OP_GT: return !unordered && order > 0;
    case OP_LE: return !unordered && order <= 0;
    default: return !unordered && order >= 0;
    }
}

static double real_result(uint8_t operation, double a, double b)
{
    switch (operation) {
    case OP_ADD: return a + b;
    case OP_SUB: return a - b;
    case OP_MUL: return a * b;
    default: return a / b;
    }
}

static uint64_t integer_result(uint8_t operation, const struct value *a, const struct value *b)
{
    bool is_signed = a->type.kind == VALUE_SIGNED;
    unsigned bits = a->type.bits;
    switch (operation) {
    case OP_OR: return a->u | b->u;
    case OP_XOR: return a->u ^ b->u;
    case OP_AND: return a->u & b->u;
    case OP_ADD: return a->u + b->u;
    case OP_SUB: return a->u - b->u;
    case OP_MUL: return a->u * b->u;
    case OP_SHL: return b->u < bits ? a->u << b->u : 0;
    case OP_SHR:
        if (is_signed) return (uint64_t)(a->i >> (b->u < bits ? b->u : bits - 1));
        return b->u < bits ? a->u >> b->u : 0;
    case OP_DIV:
        if (is_signed) return b->i == -1 ? 0 - a->u : (uint64_t)(a->i / b->i);
        return a->u / b->u;
    default:
        if (is_signed) return b->i == -1 ? 0 : (uint64_t)(a->i % b->i);
        return a->u % b->u;
    }
}

/* Pointer plus or minus a number, and a difference of pointers; false: not such a case. */
static bool pointer_result(const struct binary *op, const struct value *a, const struct value *b, struct value *out)
{
    bool add = op->operation == OP_ADD, sub = op->operation == OP_SUB;
    if (sub && a->to.bits && b->to.bits) {
        *out = value_signed((int64_t)(a->u - b->u) / (a->to.bits / 8));
        return true;
    }
    const struct value *base = a->address || a->to.bits ? a : b, *offset = base == a ? b : a;
    if (!(base->address || base->to.bits) || offset->type.kind == VALUE_FLOAT || (!add && !(sub && base == a)) ||
        offset->address)
        return false;
    uint64_t scale = base->to.bits ? base->to.bits / 8u : 1;
    struct value result = *base;
    result.place = PLACE_NONE;
    result.u = add ? base->u + offset->u * scale : base->u - offset->u * scale;
    *out = result;
    return true;
}

bool operator_apply(const struct binary *op, const struct value *a, const struct value *b, bool skip, struct value *out,
    struct gpudbg_error *err)
{
    if (!value_one(a, err) || !value_one(b, err)) return false;
    if (!op->compares && pointer_result(op, a, b, out)) return true;
    bool shift = op->operation == OP_SHL || op->operation == OP_SHR, untyped = a->untyped && b->untyped;
    struct value_type type = shift ? operator_promoted(a->type) : common_type(a, b);
    if (!op->reals && (a->type.kind == VALUE_FLOAT || b->type.kind == VALUE_FLOAT))
        return gpudbg_fail(err, "syntax", "\"%s\" does not accept floats", op->text);
    struct value x = value_convert(a, type),
                 y = value_convert(b, shift ? (struct value_type){VALUE_UNSIGNED, 64} : type);
    if (op->compares) {
        bool reals = type.kind == VALUE_FLOAT, below, above, unordered = reals && (x.f != x.f || y.f != y.f);
        below = reals ? x.f < y.f : type.kind == VALUE_SIGNED ? x.i < y.i : x.u < y.u;
        above = reals ? x.f > y.f : type.kind == VALUE_SIGNED ? x.i > y.i : x.u > y.u;
        *out = value_signed(compare(op->operation, above - below, unordered));
        out->truth = true;
        return true;
    }
    struct value result = {.type = type, .untyped = untyped, .space = a->space};
    if (type.kind == VALUE_FLOAT) {
        result.f = real_result(op->operation, x.f, y.f);
        value_set_bits(&result, value_bits(&result));
    } else {
        bool divides = op->operation == OP_DIV || op->operation == OP_MOD;
        if (divides && y.u == 0 && !skip) return gpudbg_fail(err, "out-of-range", "division by zero");
        value_set_bits(&result, divides && y.u == 0 ? 0 : integer_result(op->operation, &x, &y));
    }
    *out = result;
    return true;
}
