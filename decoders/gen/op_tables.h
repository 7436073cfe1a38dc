/* SPDX-License-Identifier: GPL-3.0-or-later */
/* op_tables.h: the tables of operations that gen_tables.c makes of ops.def, four for each generation. */
#ifndef GEN_OP_TABLES_H
#define GEN_OP_TABLES_H

#include "gen.h"

enum { GEN_IN_G7_75_12 = 7, GEN_IN_G7_75 = 3, GEN_IN_G75_12 = 6, GEN_IN_G75 = 2, GEN_IN_G12 = 4 }; /* bit 0: gen7 */
#define OP(gens, ...) +(GEN_IN_##gens & 1)
enum {
    GEN_ROWS_GEN7 = 0
#include "ops.def"
};
#undef OP
#define OP(gens, ...) +(GEN_IN_##gens >> 1 & 1)
enum {
    GEN_ROWS_GEN75 = 0
#include "ops.def"
};
#undef OP
#define OP(gens, ...) +(GEN_IN_##gens >> 2 & 1)
enum {
    GEN_ROWS_GEN12 = 0
#include "ops.def"
};
#undef OP
#define EU(x, id, ...)                                           \
    extern const struct gpudbg_op gen_ops_##id[GEN_ROWS_##id];   \
    extern const struct gpudbg_row gen_rows_##id[GEN_ROWS_##id]; \
    extern const uint8_t gen_row_##id[128], gen_op_##id[GEN_ROWS_##id];
GEN_EACH_EU(EU, )
#undef EU

#endif
