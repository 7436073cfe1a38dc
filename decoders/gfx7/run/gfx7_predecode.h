/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gfx7_predecode.h: what gfx7_exec.c needs of gfx7_predecode.c besides gfx7_exec.h. */
#ifndef GFX7_PREDECODE_H
#define GFX7_PREDECODE_H

#include "run/gfx7_exec.h"
#include "gfx7.h"

bool gfx7_breakpoint(struct gpudbg_machine *, uint64_t pc, bool on);
bool gfx7_recode(struct gpudbg_machine *, uint64_t from, uint64_t to, struct gpudbg_error *);
gfx7_fn *gfx7_real_fn(const struct gpudbg_wave *, const struct gfx7_op *); /* without the breakpoint */
bool gfx7_is_vector(const struct gpudbg_wave *, const struct gfx7_op *);   /* slow; for VSKIP */

/* The ops of the i-th section of code, how many, and the address of the first; NULL: there are no more. */
const struct gfx7_op *gfx7_code_section(const struct gpudbg_machine *, size_t i, size_t *n, uint64_t *base);

const struct gpudbg_op *gfx7_row(const struct gpudbg_wave *, const struct gfx7_op *); /* slow; for faults; or NULL */
void gfx7_made(struct gpudbg_wave *, const struct gfx7_op *); /* if it is not yet; fields may be read then */
/* Brings the sources up to date that have no place of their own.  false: that faults, as executing the op will. */
bool gfx7_prepare(struct gpudbg_wave *, const struct gfx7_op *);

#endif
