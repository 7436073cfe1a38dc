/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pixels.c: discards, derivatives over quads, and inputs elsewhere in a pixel. */
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/stage.h"

enum gpudbg_ran il_do_discard(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t *s[4];
    uint64_t lanes = 0;
    unsigned l;
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    IL_EACH_LANE(l, il_exec(w))
    lanes |= (uint64_t)((s[0][l] == 0) == (op->code == IL_OP_DISCARD_LOGICALZ)) << l;
    il_set_pair(w->words, IL_DISCARD, il_pair(w->words, IL_DISCARD) | lanes);
    return GPUDBG_RAN_LIMIT;
}

void il_discard_and_end(struct gpudbg_wave *w, struct il *r, uint64_t lanes)
{
    il_set_pair(w->words, IL_DISCARD, il_pair(w->words, IL_DISCARD) | lanes);
    il_kill(w, r, lanes);
}

/* One difference for the quad, or (fine) one for each of its rows or columns. */
static uint32_t derivative(const uint32_t *row, unsigned l, bool y, bool fine)
{
    const unsigned step = y ? 2 : 1, first = fine ? l & ~step : l & ~3u;
    return il_float_add(row[first + step], row[first] ^ LANES_SIGN32);
}

enum gpudbg_ran il_do_derivative(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const bool fine = op->code != IL_OP_FWIDTH && op->control >> 23 & 1;
    const uint32_t *s[4];
    il_fetch(w, r, &op->src[0], IL_FLOAT, 0, s);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < IL_LANES; l++) {
            const uint32_t x = derivative(s[c], l, false, fine), y = derivative(s[c], l, true, fine);
            r->result[c][l] = op->code == IL_OP_DSX   ? x
                              : op->code == IL_OP_DSY ? y
                                                      : il_float_add(x & ~LANES_SIGN32, y & ~LANES_SIGN32);
        }
    return il_store(w, r, &op->dst[0], IL_FLOAT, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* An offset from the centre, in sixteenths of a pixel from -8 to 7. */
static float snapped(float x)
{
    const double n = lanes_rint((double)x * 16);
    return n != n ? 0 : (float)((n < -8 ? -8 : n > 7 ? 7 : n) / 16);
}

/* Places of samples in sixteenths of a pixel from its centre, as Direct3D 10.1 fixes them. */
void il_sample_place(unsigned samples, unsigned n, double out[2])
{
    static const int8_t two[][2] = {{4, 4}, {-4, -4}}, four[][2] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
                        eight[][2] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
    const int8_t(*list)[2] = samples == 2 ? two : samples == 4 ? four : samples == 8 ? eight : NULL;
    out[0] = list && n < samples ? list[n][0] / 16.0 : 0;
    out[1] = list && n < samples ? list[n][1] / 16.0 : 0;
}

/* The place of a pixel's centroid, from its centre: the centre where all samples are covered or none, else the first
 * covered sample (Direct3D's rule).  What is covered stands in the buffer of vCoverageMask; without one all is. */
void il_centroid(struct gpudbg_wave *w, const struct il *r, unsigned l, double out[2])
{
    const unsigned samples = 1u << r->choice[IL_CHOICE_SAMPLES];
    struct gpudbg_segment *s = il_bound_to(r, IL_REG_INPUT_COVERAGE_MASK, 0, false);
    uint32_t covered = UINT32_MAX;
    out[0] = out[1] = 0;
    if (s && !il_is_helper(w, l)) il_read(w, s, il_element_of(w, l) * 16, &covered, 4, l);
    covered &= (1u << samples) - 1;
    if (covered && covered != (1u << samples) - 1) il_sample_place(samples, (unsigned)__builtin_ctz(covered), out);
}

/* Where eval_* evaluates, from the centre; at: rows of source 1. */
static void place_of(
    struct gpudbg_wave *w, const struct il *r, unsigned code, const uint32_t *const at[4], unsigned l, double out[2])
{
    if (code == IL_OP_EVAL_CENTROID) {
        il_centroid(w, r, l, out);
    } else if (code == IL_OP_EVAL_SAMPLE_INDEX) {
        il_sample_place(1u << r->choice[IL_CHOICE_SAMPLES], at[0][l], out);
    } else {
        out[0] = (double)snapped(lanes_f32(at[0][l]));
        out[1] = (double)snapped(lanes_f32(at[1][l]));
    }
}

/* An input elsewhere in the pixel: the plane through the quad, at an offset from the centre. */
enum gpudbg_ran il_do_eval(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t *v[4], *at[4] = {0};
    il_fetch(w, r, &op->src[0], IL_FLOAT, 0, v);
    if (op->nsrc > 1) il_fetch(w, r, &op->src[1], op->code == IL_OP_EVAL_SNAPPED ? IL_FLOAT : IL_INT, 1, at);
    for (unsigned l = 0; l < IL_LANES; l++) {
        double place[2];
        place_of(w, r, op->code, at, l, place);
        for (unsigned c = 0; c < 4; c++) {
            uint32_t sum = v[c][l];
            for (unsigned axis = 0; axis < 2; axis++)
                if (place[axis] != 0 || op->code == IL_OP_EVAL_SNAPPED)
                    sum = il_float_add(
                        sum, il_mul(derivative(v[c], l, axis, true), lanes_bits32((float)place[axis]), true));
            r->result[c][l] = sum;
        }
    }
    return il_store(w, r, &op->dst[0], IL_FLOAT, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* project, whose division is divComp of the source; initv. */
enum gpudbg_ran il_do_copy(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t *s[4];
    il_fetch(w, r, &op->src[0], IL_MOVED, 0, s);
    for (unsigned c = 0; c < 4; c++) memcpy(r->result[c], s[c], sizeof r->result[c]);
    return il_store(w, r, &op->dst[0], IL_MOVED, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}
