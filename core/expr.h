/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * expr.h: the expression language: C operators over registers ($v1[3], $s[4:7], $exec, $pc), memory (*(u32*)addr, *(f32*)lds:16),
 * arguments and symbols (names of buffers and functions are their addresses), numbers, convenience variables ($x).
 */
#ifndef GPUDBG_EXPR_H
#define GPUDBG_EXPR_H

#include "gpudbg.h"

enum value_kind { VALUE_UNSIGNED, VALUE_SIGNED, VALUE_FLOAT };

struct value {
    enum value_kind kind;
    uint8_t bits;     /* 8, 16, 32 or 64 of the type */
    uint8_t space;    /* of the address the value is, for x and * */
    union { uint64_t u; int64_t i; double f; };
    /* An lvalue: where it came from. */
    enum { PLACE_NONE, PLACE_REGISTER, PLACE_MEMORY, PLACE_VARIABLE } place;
    uint16_t file, reg, count; /* REGISTER: first and how many */
    int16_t lane;              /* of a register with lanes */
    bool all_lanes;            /* $v1 with no lane: a row; u is the selected lane's */
    uint64_t addr;             /* MEMORY */
    char name[32];             /* VARIABLE */
};

/* Evaluates all of `text`; with lane < 0 the selected one. */
bool expr_value(struct gpudbg *, const char *text, struct value *, struct gpudbg_error *);
/* The same for another wave and lane: conditions, `lane apply`. */
bool expr_value_in(struct gpudbg *, uint32_t wave, int lane, const char *text, struct value *, struct gpudbg_error *);
/* Stores to an lvalue (set $v1[3] = 7). */
bool expr_assign(struct gpudbg *, const struct value *place, const struct value *, struct gpudbg_error *);
bool expr_true(const struct value *);
/* The state-th completion of the last name in text, malloc'ed. */
char *expr_complete(struct gpudbg *, const char *text, unsigned state);

#endif
