/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_enums.c: enums.def as data. */
#include "code/gcn_decoder.h"

#define ENUM(name, source) static const struct gpudbg_value values_##name[] = {
#define VALUE(value, name, doc) {value, name, doc},
/* clang-format off */
#define END };
/* clang-format on */
#include "enums.def"

const struct gpudbg_enum gcn_enum[GCN_ENUMS] = {
#define ENUM(id, where)                            \
    [GCN_E_##id] = {.name = #id,                   \
        .source = "Sea Islands registers, " where, \
        .values = values_##id,                     \
        .count = sizeof values_##id / sizeof *values_##id},
#define VALUE(value, name, doc)
#define END
#include "enums.def"
};

const struct gpudbg_enum *const gcn_enums[GCN_ENUMS + 1] = {
#define ENUM(name, source) &gcn_enum[GCN_E_##name],
#define VALUE(value, name, doc)
#define END
#include "enums.def"
};
