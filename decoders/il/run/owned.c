/* SPDX-License-Identifier: GPL-3.0-or-later */
/* owned.c: LDS that threads own (7.2.10.1), and registers that wavefronts share. */
#include <string.h>

#include "run/il_run.h"

/* Where wave and mode put the part of thread 0. */
static uint64_t owned_base(const struct gpudbg_wave *w, const struct il *r, const struct il_exec_op *op)
{
    return op->control >> 16 & 3 ? 0 : (uint64_t)w->index * IL_LANES * r->lds_per_thread * 4;
}

enum gpudbg_ran il_do_lds_read_vec(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const bool exchange = op->control >> 18 & 1;
    const uint64_t base = owned_base(w, r, op), exec = il_exec(w);
    uint32_t rows[4][IL_LANES] = {{0}};
    const uint32_t *s[4];
    uint64_t outside = 0, first = 0;
    unsigned l;
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    IL_EACH_LANE(l, exec)
    for (unsigned c = 0; c < 4; c++) {
        const uint64_t dword = (uint64_t)s[1][l] + c;
        if (s[0][l] < IL_LANES && dword < r->lds_per_thread)
            il_read(w, w->lds, base + ((uint64_t)s[0][l] * r->lds_per_thread + dword) * 4, &rows[c][l], 4, l);
        else if (op->dst[0].mask[c] == 1) {
            first = outside ? first : s[0][l];
            outside |= 1ull << l;
        }
    }
    for (l = 0; l < IL_LANES; l++)
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = exchange ? rows[l & 3][(l & ~3u) + c] : rows[c][l];
    const bool ok = il_store(w, r, &op->dst[0], IL_INT, 15, NULL, r->result);
    il_outside(w, r, "lds", 0, outside, first);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

enum gpudbg_ran il_do_lds_write_vec(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    static const uint32_t fixed[4] = {0, 0, 0, 0x3f800000};
    const uint64_t base = owned_base(w, r, op);
    const uint32_t offset = op->control >> 18 & 63;
    const uint32_t *s[4];
    uint64_t outside = 0;
    bool ok = true;
    unsigned l;
    il_fetch(w, r, &op->src[0], IL_INT, 0, s);
    IL_EACH_LANE(l, il_storing(w))
    for (unsigned c = 0; c < 4; c++) {
        const unsigned mask = op->dst[0].mask[c];
        const uint32_t v = mask == 1 ? s[c][l] : fixed[mask];
        if (mask && offset + c >= r->lds_per_thread)
            outside |= 1ull << l;
        else if (mask)
            ok = ok && il_write(w, w->lds, base + ((uint64_t)l * r->lds_per_thread + offset + c) * 4, &v, 4, l);
    }
    il_outside(w, r, "lds", 0, outside, offset);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* ---- Order ---- */

/* Memory is always in order here; only _threads has work to do. */
enum gpudbg_ran il_do_fence(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    (void)r;
    if (!(op->control >> 16 & 1)) return GPUDBG_RAN_LIMIT;
    w->state = GPUDBG_AT_BARRIER;
    return GPUDBG_RAN_BARRIER;
}

/* x, z, w of sr[cb0[0].x .. cb0[0].y) become -1 and y becomes cb0[0].z. */
enum gpudbg_ran il_do_init_shared(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    uint32_t range[4] = {0};
    bool ok = true;
    (void)op;
    il_read(w, r->cb[0].segment, 0, range, 16, 0);
    for (uint32_t n = range[0]; n < range[1] && n < r->shared_temps && ok; n++)
        for (unsigned c = 0; c < 4; c++) {
            uint32_t row[IL_LANES];
            for (unsigned l = 0; l < IL_LANES; l++) row[l] = c == 1 ? range[2] : UINT32_MAX;
            for (unsigned l = 0; l < IL_LANES; l++)
                ok = ok && il_write(w, r->shared, (((uint64_t)n * 4 + c) * IL_LANES + l) * 4, &row[l], 4, l);
        }
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}
