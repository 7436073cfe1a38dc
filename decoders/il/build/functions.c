/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c: which function executes a row of ops.def. */
#include "run/il_run.h"

#define OP(number, id, text, layout, dst, src, extra, class, who, flags, doc, source, body) il_fn body;
#define EACH(...) il_do_alu
#define EACH_OF EACH
#define ONE EACH
#define PAIR EACH
#define BOOL EACH
#define VEC EACH
#define DO(name) il_do_##name
#define NONE il_do_nothing
#include "ops.def"

static il_fn *const functions[IL_ROWS] = {
#define OP(number, id, text, layout, dst, src, extra, class, who, flags, doc, source, body) [IL_ROW_##id] = body,
#define EACH(...) il_do_alu
#define EACH_OF EACH
#define ONE EACH
#define PAIR EACH
#define BOOL EACH
#define VEC EACH
#define DO(name) il_do_##name
#define NONE NULL
#include "ops.def"
};

il_fn *il_fn_of(const struct gpudbg_op *row) { return functions[row->id]; }
