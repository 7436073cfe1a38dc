/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predicate.h: which channels of a thread a predicate lets through. */
#ifndef GEN_PREDICATE_H
#define GEN_PREDICATE_H

#include "gen.h"

/* The channels an instruction has: exec_size of them from chan_off on, as bits of the thread's 32. */
static inline uint32_t gen_channels(const struct gen_insn *x)
{
    uint64_t all = x->exec_size >= 32 ? UINT32_MAX : ((uint64_t)1 << x->exec_size) - 1;
    return (uint32_t)(all << x->chan_off);
}

/* Bit c: channel c of the thread passes; flags: f0 and f1.  No predicate: all pass.  A reserved code lets nothing through. */
uint32_t gen_predicate(const struct gen_insn *, const uint32_t flags[2]);

#endif
