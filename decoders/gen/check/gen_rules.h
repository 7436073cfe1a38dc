/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_rules.h: errors in an instruction: reserved encodings, restrictions on regions, operands and messages. */
#ifndef GEN_RULES_H
#define GEN_RULES_H

#include "gen.h"

/* gpudbg_isa.rules.problems. */
unsigned gen_problems(const struct gpudbg_insn *, struct gpudbg_problem *, unsigned most);
/* `check regions`: checks all loaded code against the rules. */
extern const struct gpudbg_checker gen_regions_checker;
extern const struct gpudbg_checker gen_bounds_checker; /* bounds.c */

#endif
