/* SPDX-License-Identifier: GPL-3.0-or-later */
/* coverage.c: see coverage.h. */
#include "engine/coverage.h"
#include "gcn.h"
#include "engine/gcn_predecode.h"

#ifdef GCN_COVERAGE
static volatile unsigned sum;

static void row_ran(unsigned id)
{
    switch (id) {
#define OP(layout, code, name, ...) \
    case GCN_##name:                \
        sum = sum + 1;              \
        break;
#include "ops.def"
    }
}

void gcn_cover(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct gpudbg_op *row = gcn_row(w, op);
    if (row) row_ran(row->id);
}
#endif
