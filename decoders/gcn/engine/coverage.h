/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coverage.h: `make coverage`: which rows of ops.def were executed.
 *
 * Built with GCN_COVERAGE, every executed instruction goes through a switch with one case a row, whose
 * lines are those of ops.def: so gcov counts rows.  Otherwise it does nothing.
 */
#ifndef GCN_COVERAGE_H
#define GCN_COVERAGE_H

#include "engine/gcn_exec.h"

#ifdef GCN_COVERAGE
void gcn_cover(const struct gpudbg_wave *, const struct gcn_op *);
#else
static inline void gcn_cover(const struct gpudbg_wave *w, const struct gcn_op *op) { (void)w, (void)op; }
#endif

#endif
