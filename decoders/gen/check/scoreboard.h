/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scoreboard.h: Gen12's software scoreboard: which instructions each one waits for, over all ways that lead to it.
 *
 * $n is a token: allocated by a message or a math instruction, waited for as $n.dst (its result is there) or $n.src
 * (its sources have been read).  @d waits for the d-th in-order instruction before.  Who allocated a token last, and
 * who stood d places before, may differ from way to way: all of them are named.
 */
#ifndef GEN_SCOREBOARD_H
#define GEN_SCOREBOARD_H

#include "gen.h"

enum { GEN_TOKENS = 16, GEN_DISTANCES = 7 };

/* What an instruction does to the scoreboard, by its byte (gen12). */
struct gen_swsb {
    bool in_order;     /* counts as a producer for @ */
    int8_t allocates;  /* token, or -1 */
    uint8_t distance;  /* @d, 0 none */
    uint16_t dst, src; /* tokens waited for, a bit each */
};
void gen_swsb_of(const struct gen_insn *, struct gen_swsb *);

/* gpudbg_isa.rules.waits. */
bool gen_waits(const struct gpudbg_image *, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to);
/* `info scoreboard [KERNEL]`. */
extern const struct gpudbg_listing gen_scoreboard_listing;
/* `check scoreboard`: runs against it (unwaited.c). */
extern const struct gpudbg_checker gen_scoreboard_checker;

#endif
