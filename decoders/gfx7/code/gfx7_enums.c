/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfx7_enums.c: enums.def as data. */
#include "code/gfx7_decoder.h"

#define ENUM(name, source) static const struct gpudbg_value values_##name[] = {
#define VALUE(value, name, doc) {value, name, doc},
/* clang-format off */
#define END };
/* clang-format on */
#include "enums.def"

const struct gpudbg_enum gfx7_enum[GFX7_ENUMS] = {
#define ENUM(id, where)                            \
    [GFX7_E_##id] = {.name = #id,                  \
        .source = "Sea Islands registers, " where, \
        .values = values_##id,                     \
        .count = sizeof values_##id / sizeof *values_##id},
#define VALUE(value, name, doc)
#define END
#include "enums.def"
};

const struct gpudbg_enum *const gfx7_enums[GFX7_ENUMS + 1] = {
#define ENUM(name, source) &gfx7_enum[GFX7_E_##name],
#define VALUE(value, name, doc)
#define END
#include "enums.def"
};
