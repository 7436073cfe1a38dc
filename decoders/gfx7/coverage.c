/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.c: see coverage.h. */
#include "coverage.h"
#include "gfx7.h"
#include "predecode.h"

#ifdef GFX7_COVERAGE
static volatile unsigned sum;

static void row_ran(unsigned id)
{
    switch (id) {
#define OP(layout, code, name, ...) case GFX7_##name: sum = sum + 1; break;
#include "ops.def"
    }
}

void gfx7_cover(const struct gpudbg_wave *w, const struct gfx7_op *op)
{
    /* The latest few: loops need not be taken apart again and again. */
    static const struct gfx7_op *seen[4096];
    const struct gfx7_op **slot = &seen[(uintptr_t)op / sizeof *op % 4096];
    const struct gpudbg_op *row = *slot == op ? NULL : gfx7_row(w, op);
    if (row)
        row_ran(row->id);
    *slot = op;
}
#endif
