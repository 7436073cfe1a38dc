/* SPDX-License-Identifier: GPL-3.0-or-later */
/* find.c: registers, constants and subroutines of a program by their numbers. */
#include <stdlib.h>

#include "run/il_run.h"

const struct il_range *il_find(const struct il *r, unsigned scope, unsigned type, uint32_t number)
{
    uint32_t low = 0, high = r->nranges; /* ranges are sorted: the last one that begins at the register or before it */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const struct il_range *at = &r->range[middle];
        const bool after = at->scope != scope ? at->scope > scope
                           : at->type != type ? at->type > type
                                              : at->first > number;
        if (after)
            high = middle;
        else
            low = middle + 1;
    }
    const struct il_range *range = low ? &r->range[low - 1] : NULL;
    if (!range || range->type != type || range->scope != scope) return NULL;
    return number - range->first < (type == IL_REG_ITEMP ? 1 : range->count) ? range : NULL;
}

int il_by_name(const void *a, const void *b)
{
    const struct il_constant *x = a, *y = b;
    if (x->type != y->type || x->scope != y->scope) return x->type != y->type ? x->type - y->type : x->scope - y->scope;
    return x->number < y->number ? -1 : x->number > y->number;
}

uint32_t il_constant_of(const struct il *r, const struct il_location *p)
{
    const bool has = p->type <= IL_REG_CONST_INT || p->type == IL_REG_LITERAL;
    const uint32_t number = p->number + (p->dimensions ? (uint32_t)p->index[0].offset : 0);
    const struct il_constant wanted = {.type = p->type, .scope = p->scope, .number = number};
    if (!has || !r->nconstants || (p->dimensions && p->index[0].relative)) return 0;
    const struct il_constant *found = r->nconstants
                                          ? bsearch(&wanted, r->constant, r->nconstants, sizeof wanted, il_by_name)
                                          : NULL;
    return found ? (uint32_t)(found - r->constant) + 1 : 0;
}

int il_by_label(const void *a, const void *b)
{
    const struct il_function *x = a, *y = b;
    return x->label < y->label ? -1 : x->label > y->label;
}

uint32_t il_function_op(const struct il *r, uint32_t label)
{
    const struct il_function wanted = {.label = label};
    const struct il_function *found = r->nfunctions
                                          ? bsearch(&wanted, r->function, r->nfunctions, sizeof wanted, il_by_label)
                                          : NULL;
    return found ? found->op : IL_NO_OP;
}
