/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operators.h: the binary operators of expressions, one row each, and what they compute. */
#ifndef GPUDBG_OPERATORS_H
#define GPUDBG_OPERATORS_H

#include "eval/expr.h"

enum operation {
    OP_OR_ELSE,
    OP_AND_THEN,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_LT,
    OP_GT,
    OP_SHL,
    OP_SHR,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_MOD,
};

struct binary {
    const char *text;
    uint8_t precedence; /* binds tighter when greater */
    uint8_t operation;
    bool reals;    /* takes floats */
    bool compares; /* or decides: the result is 0 or 1 */
};

/* The operator that the text begins with; NULL: none. */
const struct binary *operator_at(const char *text);
/* The type that arithmetic works in: at least 32 bits wide. */
struct value_type operator_promoted(struct value_type);
/* *out may be one of the sides.  skip: nothing depends on the result, so dividing by zero is no error. */
bool operator_apply(const struct binary *, const struct value *a, const struct value *b, bool skip, struct value *out,
    struct gpudbg_error *);

#endif
