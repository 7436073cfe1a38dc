/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.h: the row of rows.def that computes an instruction, by its types. */
#ifndef GEN_ROWS_H
#define GEN_ROWS_H

#include "alu/shapes.h"

/* enum gen_row_number; GEN_ROWS: no row; GEN_COMPARISON: tests of the condition. */
enum { GEN_COMPARISON = GEN_ROWS + 1 };
unsigned gen_int_row(const struct gen_insn *);   /* all sources are integers of at most 32 bits */
unsigned gen_float_row(const struct gen_insn *); /* all sources are F */

#endif
