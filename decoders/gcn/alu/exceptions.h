/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exceptions.h: the ALU exceptions of an instruction, exactly, lane by lane.
 *
 * TRAPSTS.excp and the traps of MODE.excp_en need them; little code looks at either.  So they are computed, by a slow
 * run of one instruction at a time, only in a launch whose code can see them (it reads or writes TRAPSTS or
 * MODE.excp_en, or starts with some enabled), and from the moment that the user asks: then core runs time again from
 * the launch, so that all exceptions since the launch are shown.  Results of instructions are the same with and without
 * this.
 *
 * The causes of each exception, for sources after their modifiers:
 *
 *     invalid           a signalling NaN; inf - inf, 0 * inf, 0 / 0, inf / inf; the root or logarithm of a negative
 *                       number; sine and cosine of an infinity; a conversion to an integer that cannot hold it; an
 *                       ordered v_cmps of any NaN
 *     input denormal    a denormal source that MODE does not flush
 *     division by zero  reciprocal (root), logarithm of 0; v_div_fixup of finite by 0
 *     overflow          the rounded result is beyond the largest number
 *     underflow         the result is below the smallest normal number and inexact, or was flushed
 *     inexact           the result is not the mathematical value
 *     integer division  v_rcp_iflag of 0, which raises nothing else
 *
 * v_div_scale and v_div_fmas raise none: v_div_fixup raises those of the whole division S2 / S1 (Sea Islands register
 * reference, chapter 4).  OMOD and CLAMP raise none.
 */
#ifndef GCN_EXCEPTIONS_H
#define GCN_EXCEPTIONS_H

#include "engine/gcn_exec.h"
#include "gcn.h"

enum gcn_exception {
    GCN_INVALID = 1 << 0,
    GCN_INPUT_DENORMAL = 1 << 1,
    GCN_DIVISION_BY_ZERO = 1 << 2,
    GCN_OVERFLOW = 1 << 3,
    GCN_UNDERFLOW = 1 << 4,
    GCN_INEXACT = 1 << 5,
    GCN_INTEGER_DIVISION = 1 << 6,
};

/* The exceptions that the op, row `id` of ops.def, will raise in the active lanes. */
uint32_t gcn_exceptions(struct gpudbg_wave *, const struct gcn_op *, unsigned id);

/* The same for one lane: sources as bits, in the order S0, S1, S2 of the row's body; mode: MODE, which says how to
 * round. */
uint32_t gcn_lane_exceptions(unsigned id, const uint64_t source[3], uint32_t mode);

/* The first active lane whose result the chip's row of GCN_UNSURE (chips.def) does not tell; -1: all are known. */
int gcn_unsure_lane(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_unsure *);

/* Whether the code sections of the image hold an instruction that can see exceptions. */
bool gcn_sees_exceptions(const struct gpudbg_image *);

#endif
