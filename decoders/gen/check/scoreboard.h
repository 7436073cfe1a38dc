/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scoreboard.h: Gen12's software scoreboard: the instructions that each instruction waits for, over all paths that lead
 * to it.
 *
 * $n is a token: allocated by a message or a math instruction, waited for as $n.dst (its result is written) or $n.src
 * (its sources have been read).  @d waits for the d-th in-order instruction before.  The last instruction that
 * allocated a token, and the instruction at distance d, may differ between paths: all of them are named.
 */
#ifndef GEN_SCOREBOARD_H
#define GEN_SCOREBOARD_H

#include "gen.h"

enum { GEN_TOKENS = 16, GEN_DISTANCES = 7, GEN_PIPES = 3 };

/* Letters of the pipes: floats, integers, 64 bits. */
#define GEN_PIPE_LETTERS "FIL"

/* The effect of an instruction on the scoreboard, by its scoreboard byte. */
struct gen_swsb {
    uint8_t pipe, waits; /* pipes: that of the instruction in order, and a bit for each that its distance counts */
    bool in_order;       /* counts as a producer for @ */
    int8_t allocates;    /* token, or -1 */
    uint8_t distance;    /* @d; 0: no distance */
    uint16_t dst, src;   /* tokens waited for, a bit for each */
};
void gen_swsb_of(const struct gen_insn *, struct gen_swsb *);

/* gpudbg_isa.rules.waits. */
bool gen_waits(const struct gpudbg_image *, uint64_t addr, uint64_t range[2], gpudbg_wait_fn *each, void *to);
/* `info scoreboard [KERNEL]`. */
extern const struct gpudbg_listing gen_scoreboard_listing;
/* `check scoreboard`: checks runs (unwaited.c). */
extern const struct gpudbg_checker gen_scoreboard_checker;

#endif
