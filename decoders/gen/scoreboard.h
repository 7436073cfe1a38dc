/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scoreboard.h: Gen12's software scoreboard: which instructions each one waits for, over all ways that lead to it.
 *
 * $n is a token: allocated by a message or a math instruction, waited for as $n.dst (its result is there) or $n.src (its
 * sources have been read).  @d waits for the d-th in-order instruction before.  Who allocated a token last, and who stood d
 * places before, may differ from way to way: all of them are named.
 */
#ifndef GEN_SCOREBOARD_H
#define GEN_SCOREBOARD_H

#include "gen.h"

/* gpudbg_isa.waits. */
bool gen_waits(const struct gpudbg_image *, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to);
/* `info scoreboard [KERNEL]`. */
extern const struct gpudbg_listing gen_scoreboard_listing;

#endif
