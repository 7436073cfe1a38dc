/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * coverage.h: `make coverage`: which rows of ops.def were executed.
 *
 * Built with GFX7_COVERAGE, every instruction that is executed passes a switch with one case a row, whose
 * lines are those of ops.def: so gcov counts rows.  Otherwise there is nothing.
 */
#ifndef GFX7_COVERAGE_H
#define GFX7_COVERAGE_H

#include "run/gfx7_exec.h"

#ifdef GFX7_COVERAGE
void gfx7_cover(const struct gpudbg_wave *, const struct gfx7_op *);
#else
static inline void gfx7_cover(const struct gpudbg_wave *w, const struct gfx7_op *op) { (void)w, (void)op; }
#endif

#endif
