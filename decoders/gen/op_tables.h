/* SPDX-License-Identifier: GPL-3.0-or-later */
/* op_tables.h: the operations and the rows of each generation, which gen_tables.c makes of ops.def for gen_isa.c. */
#ifndef GEN_OP_TABLES_H
#define GEN_OP_TABLES_H

#include "gen.h"
#include "ops.h"

#define GEN_CODES 128
extern const struct gpudbg_op gen_ops[GEN_OPS];
extern const struct gpudbg_row gen_rows[GEN_EUS][GEN_OPS];
extern const uint8_t gen_by_code[GEN_EUS][GEN_CODES + GEN_OPS]; /* 1 + enum gen_op; 0: not an opcode */

#endif
