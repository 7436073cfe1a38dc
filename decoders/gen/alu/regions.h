/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * regions.h: instructions whose operands are known when they are made: sources that are packed, scalar or constant, or
 * gathered by a table of byte offsets; operations that are a loop over channels.  All other instructions are executed
 * the generic way (elements.h), and so are these when the thread is in an unusual float mode.
 */
#ifndef GEN_REGIONS_H
#define GEN_REGIONS_H

#include "engine/gen_exec.h"

/* NULL: the instruction needs the generic way. */
const struct gen_fast *gen_fast_new(const struct gen *, const struct gen_insn *);
void gen_fast_free(const struct gen_fast *);
gen_fn *gen_fast_handler(const struct gen_fast *);

#endif
