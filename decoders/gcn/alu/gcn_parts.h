/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_parts.h: vector instructions on parts of dwords (halves, SDWA) or with sources of other lanes (DPP). */
#ifndef GCN_PARTS_H
#define GCN_PARTS_H

#include "alu/gcn_packed.h"

/* op->mods of such a row, besides those of gcn_lanes_simd.h: where these have SDST, from each number on a bit for each
 * source, that is read in its high half (of mixed ones: that is a half); the fourth: the high half is written. */
enum { GCN_SELECTS = 9, GCN_SELECTS_HIGH = 12 };

/* The handler of an instruction; the word that follows it, about parts or lanes, is op->imm.  NULL: an ordinary one on
 * whole dwords. */
gcn_fn *gcn_parts_fn(const struct gpudbg_insn *, const struct gcn_half_row *);
/* The word about parts or lanes; the word about parts.  false: it has none, and *word stays. */
bool gcn_lanes_word(const struct gpudbg_insn *, uint32_t *word);
bool gcn_sdwa_word(const struct gpudbg_insn *, uint32_t *word);
/* Bits of GCN_SELECTS and GCN_SELECTS_HIGH. */
uint32_t gcn_parts_mods(const struct gpudbg_insn *, const struct gcn_half_row *);
/* The reason, in words that follow its name, why such an instruction is not executed; NULL: it is executed. */
const char *gcn_parts_refuse(const struct gpudbg_insn *);

#endif
