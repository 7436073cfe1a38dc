/* SPDX-License-Identifier: GPL-3.0-or-later */
/* numbers.c: words of a line as numbers; see numbers.h. */
#include "eval/numbers.h"
#include <inttypes.h>
#include <string.h>
#include "eval/value.h"

/* Counts, numbers of things and positions: whole, and not below zero. */
static bool count_of(struct eval *x, const char *text, uint64_t *value, struct gpudbg_error *err)
{
    struct value v;
    if (!expr_value(x, text, &v, err) || !value_one(&v, err)) return false;
    if (v.type.kind == VALUE_FLOAT)
        return gpudbg_fail(err, "syntax", "%.60s is a float; a whole number is needed", text);
    if (v.type.kind == VALUE_SIGNED && v.i < 0)
        return gpudbg_fail(err, "out-of-range", "%.60s: %" PRId64 " is below zero", text, v.i);
    *value = v.u;
    return true;
}

bool gpudbg_args_number(struct gpudbg_args *a, uint64_t *value, struct gpudbg_error *err)
{
    const char *word = args_need(a, "a number", err);
    return word && count_of(a->eval, word, value, err);
}

bool args_value(struct gpudbg_args *a, const char *what, uint64_t *value, struct gpudbg_error *err)
{
    if (!*a->at) return gpudbg_fail(err, "usage", "%s is missing", what);
    const char *text = a->at;
    a->at += strlen(a->at);
    return count_of(a->eval, text, value, err);
}
