/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regions.h: instructions whose operands are known when they are made: sources that are packed, scalar or constant, or
 * that a table of byte offsets gathers; operations that are a loop over channels.  Everything else goes the generic way
 * (elements.h), and so do these when the thread is in an unusual float mode.
 */
#ifndef GEN_REGIONS_H
#define GEN_REGIONS_H

#include "engine/gen_exec.h"

/* NULL: only the generic way will do. */
const struct gen_fast *gen_fast_new(const struct gen *, const struct gen_insn *);
void gen_fast_free(const struct gen_fast *);
gen_fn *gen_fast_handler(const struct gen_fast *);

#endif
