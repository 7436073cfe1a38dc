/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matrix.c: matrices: a row is a register, the first one is named. */
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/il_run.h"

/* From the place of a matrix's first row to that of row k. */
static void row_place(struct il_location *at, unsigned k)
{
    if (at->slot != IL_NO_SLOT && !at->relative)
        at->slot += k;
    else if (at->dimensions)
        at->index[at->dimensions - 1].offset += (int32_t)k;
    else
        at->number += k;
}

/* Row k of a matrix that begins at a source; the same modifiers apply to each. */
static void fetch_row(
    struct gpudbg_wave *w, struct il *r, const struct il_source *first, unsigned k, uint32_t (*to)[IL_LANES])
{
    struct il_source s = *first;
    const uint32_t *rows[4];
    row_place(&s.at, k);
    s.at.constant = il_constant_of(r, &s.at);
    il_fetch(w, r, &s, IL_FLOAT, 3, rows);
    for (unsigned c = 0; c < 4; c++) memcpy(to[c], rows[c], sizeof to[c]);
}

enum gpudbg_ran il_do_mmul(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    static const struct {
        uint8_t rows, length;
    } shapes[8] = {{4, 4}, {3, 4}, {4, 3}, {3, 3}, {2, 3}};
    const unsigned shape = op->control >> 16 & 7;
    const uint32_t *v[4];
    uint32_t row[4][IL_LANES];
    il_fetch(w, r, &op->src[0], IL_FLOAT, 0, v);
    memset(r->result, 0, sizeof r->result);
    for (unsigned k = 0; k < shapes[shape].rows; k++) {
        fetch_row(w, r, &op->src[1], k, row);
        for (unsigned l = 0; l < IL_LANES; l++) {
            uint32_t sum = il_mul(v[0][l], row[0][l], false);
            for (unsigned c = 1; c < shapes[shape].length; c++)
                sum = il_float_add(sum, il_mul(v[c][l], row[c][l], false));
            r->result[k][l] = sum;
        }
    }
    return il_store(w, r, &op->dst[0], IL_FLOAT, (1u << shapes[shape].rows) - 1, NULL, r->result) ? GPUDBG_RAN_LIMIT
                                                                                                  : GPUDBG_RAN_FAULT;
}

static double minor(double m[4][4], unsigned a, unsigned b, unsigned c)
{
    return m[1][a] * (m[2][b] * m[3][c] - m[2][c] * m[3][b]) - m[1][b] * (m[2][a] * m[3][c] - m[2][c] * m[3][a]) +
           m[1][c] * (m[2][a] * m[3][b] - m[2][b] * m[3][a]);
}

/* Computed in doubles, rounded once. */
enum gpudbg_ran il_do_det(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t row[4][4][IL_LANES];
    for (unsigned k = 0; k < 4; k++) fetch_row(w, r, &op->src[0], k, row[k]);
    for (unsigned l = 0; l < IL_LANES; l++) {
        double m[4][4];
        for (unsigned k = 0; k < 4; k++)
            for (unsigned c = 0; c < 4; c++) m[k][c] = (double)lanes_f32(lanes_flush32(row[k][c][l], false));
        const float d = (float)(m[0][0] * minor(m, 1, 2, 3) - m[0][1] * minor(m, 0, 2, 3) +
                                m[0][2] * minor(m, 0, 1, 3) - m[0][3] * minor(m, 0, 1, 2));
        const uint32_t bits = d != d ? LANES_NAN32 : lanes_flush32(lanes_bits32(d), false);
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = bits;
    }
    return il_store(w, r, &op->dst[0], IL_FLOAT, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

enum gpudbg_ran il_do_transpose(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t row[4][4][IL_LANES];
    for (unsigned k = 0; k < 4; k++) fetch_row(w, r, &op->src[0], k, row[k]);
    for (unsigned k = 0; k < 4; k++) {
        struct il_dest d = op->dst[0];
        row_place(&d.at, k);
        for (unsigned c = 0; c < 4; c++) memcpy(r->result[c], row[c][k], sizeof r->result[c]);
        if (!il_store(w, r, &d, IL_MOVED, 15, NULL, r->result)) return GPUDBG_RAN_FAULT;
    }
    return GPUDBG_RAN_LIMIT;
}
