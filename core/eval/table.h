/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h: memory as records: a vector (float4), a structure of the source, or a list of types behind commas, which lie
 * as in C: "float2, uint".  A field is a number; arrays and structures inside are taken apart.
 */
#ifndef GPUDBG_TABLE_H
#define GPUDBG_TABLE_H

#include "eval/eval.h"
#include "eval/form.h"
#include "word/value_type.h"

#define TABLE_FIELDS 64

struct table {
    char name[64]; /* as it was asked for */
    uint64_t size; /* bytes of a record */
    unsigned n;
    struct table_field {
        char name[32]; /* "x", "pos[1]", "" if it has none */
        uint32_t offset;
        const struct form *form;
    } field[TABLE_FIELDS];
};

/* The table that a type makes; false with an error that says what is not known, or that it has too many fields. */
bool table_named(struct eval *, const char *type, struct table *, struct gpudbg_error *);
/* The form that shows numbers of the type. */
const struct form *table_form(struct value_type);

#endif
