/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate.h: the channels of an instruction that run and pass its predicate, if the flag bits that it uses are
 * consecutive: prepared once, then two shifts.  Other instructions use gen_mask and gen_pass_mask.
 */
#ifndef GEN_GATE_H
#define GEN_GATE_H

#include "engine/gen_exec.h"
#include "code/predicate.h"

struct gen_gate {
    uint8_t n;                /* channels */
    uint8_t flag, flag_shift; /* dword of the flag registers, bit of channel 0 */
    uint8_t from;             /* the instruction's first channel, as a channel of the thread */
    bool no_mask, predicated, inverted;
    uint32_t group; /* any and all: the flag bits that all channels use; 0: each channel uses its own */
    bool all;
};

static inline uint32_t gen_ones(unsigned n) { return n >= 32 ? UINT32_MAX : (1u << n) - 1; }

/* false: the instruction needs the general functions. */
static inline bool gen_gate_make(const struct gen_insn *insn, struct gen_gate *g)
{
    bool whole = gen_whole_flag(insn);
    unsigned first = whole ? insn->chan_off & 31 : insn->chan_off & 15;
    *g = (struct gen_gate){.n = insn->exec_size,
        .flag = insn->flag_reg & 1,
        .from = insn->chan_off & 31,
        .no_mask = insn->no_mask,
        .flag_shift = (uint8_t)(whole ? first : insn->flag_sub * 16u + first),
        .predicated = insn->pred,
        .inverted = insn->pred_inv};
    if (insn->exec_size > 32 || insn->chan_off >= 32 || first + insn->exec_size > (whole ? 32u : 16u)) return false;
    if (insn->pred < 4 || insn->align16 || insn->pred > 13) return insn->pred <= 1;
    const unsigned size = 2u << (insn->pred / 2 - 2), start = g->flag_shift & ~(size - 1); /* any2h, all2h, any4h .. */
    g->group = size == 32 ? UINT32_MAX : gen_ones(size) << start;
    g->all = insn->pred & 1;
    return g->flag_shift + insn->exec_size <= start + size;
}

/* Bit i: channel i of the instruction is in the execution mask. */
static inline uint32_t gen_gate_runs(const struct gen_gate *g, const struct gpudbg_wave *w)
{
    return g->no_mask ? gen_ones(g->n) : w->words[GEN_W_ACTIVE] >> g->from & gen_ones(g->n);
}

/* ... its predicate holds for channel i. */
static inline uint32_t gen_gate_passes(const struct gen_gate *g, const struct gpudbg_wave *w)
{
    const uint32_t flag = w->words[GEN_W_F + g->flag];
    uint32_t bits = !g->predicated                                                      ? UINT32_MAX
                    : !g->group                                                         ? flag >> g->flag_shift
                    : (g->all ? (flag & g->group) == g->group : (flag & g->group) != 0) ? UINT32_MAX
                                                                                        : 0;
    return (g->predicated && g->inverted ? ~bits : bits) & gen_ones(g->n);
}

#endif
