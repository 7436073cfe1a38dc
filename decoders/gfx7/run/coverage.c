/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.c: see coverage.h. */
#include "run/coverage.h"
#include "gfx7.h"
#include "run/gfx7_predecode.h"

#ifdef GFX7_COVERAGE
static volatile unsigned sum;

static void row_ran(unsigned id)
{
    switch (id) {
#define OP(layout, code, name, ...) \
    case GFX7_##name:               \
        sum = sum + 1;              \
        break;
#include "ops.def"
    }
}

void gfx7_cover(const struct gpudbg_wave *w, const struct gfx7_op *op)
{
    const struct gpudbg_op *row = gfx7_row(w, op);
    if (row) row_ran(row->id);
}
#endif
