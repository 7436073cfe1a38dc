/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_exports.c: memimport, memexport and scatter: memory as shader models up to 3 reach it. */
#include <math.h>

#include "gpudbg/lanes.h"
#include "run/stage.h"

/* Four dwords at element floor(s0.x) of the buffer of input n. */
enum gpudbg_ran il_do_memimport(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const struct gpudbg_segment *s = il_bound_to(r, IL_REG_INPUT, op->control >> 16 & 63, false);
    const uint32_t *at[4];
    unsigned l;
    if (!s) s = il_bound_to(r, IL_REG_VERTEX, op->control >> 16 & 63, false);
    il_fetch(w, r, &op->src[0], IL_FLOAT, 0, at);
    IL_EACH_LANE(l, il_exec(w))
    {
        const double n = floor((double)lanes_f32(at[0][l]));
        uint32_t v[4] = {0};
        if (n >= 0 && n < 0x1p40) il_read(w, s, (uint64_t)n * 16, v, 16, l);
        for (unsigned c = 0; c < 4; c++) r->result[c][l] = v[c];
    }
    return il_store(w, r, &op->dst[0], IL_MOVED, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

static enum gpudbg_ran not_given(struct gpudbg_wave *w, const struct il_exec_op *op, const char *name, uint32_t n)
{
    w->pc = op->pc;
    return gpudbg_fault(w, -1, "%s: the launch has no %s%u", op->row->name, name, n);
}

enum gpudbg_ran il_do_memexport(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint32_t stream = op->control >> 16 & 63, offset = op->control >> 23 & 63;
    struct gpudbg_segment *s = il_bound_to(r, IL_BOUND_EXPORT, stream, true);
    const uint32_t *at[4], *v[4];
    bool ok = true;
    unsigned l;
    if (!s) return not_given(w, op, "export", stream);
    il_fetch(w, r, &op->src[0], IL_FLOAT, 0, at);
    il_fetch(w, r, &op->src[1], IL_MOVED, 1, v);
    IL_EACH_LANE(l, il_storing(w))
    {
        const double n = floor((double)lanes_f32(at[0][l])) + offset;
        const uint32_t words[4] = {v[0][l], v[1][l], v[2][l], v[3][l]};
        if (n >= 0 && n < 0x1p40 && ((uint64_t)n + 1) * 16 <= s->size)
            ok = ok && il_write(w, s, (uint64_t)n * 16, words, 16, l);
    }
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* A dword at (x, y, index z) of an array as wide and high as the domain; by quads the first pixel's index counts for
 * all. */
enum gpudbg_ran il_do_scatter(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    struct gpudbg_segment *s = il_bound_to(r, IL_BOUND_SCATTER, 0, true);
    const uint32_t *size = w->machine->launch->global, *v[4];
    bool ok = true;
    unsigned l;
    if (!s) return not_given(w, op, "scatter", 0);
    il_fetch(w, r, &op->src[0], IL_MOVED, 0, v);
    IL_EACH_LANE(l, il_storing(w))
    {
        const unsigned from = op->control >> 16 ? l : l & ~3u;
        const double x = floor((double)lanes_f32(v[0][l])), y = floor((double)lanes_f32(v[1][l])),
                     z = floor((double)lanes_f32(v[2][from]));
        const bool inside = x >= 0 && y >= 0 && z >= 0 && x < size[0] && y < size[1] && z < 65536;
        const uint64_t at = inside ? (((uint64_t)z * size[1] + (uint64_t)y) * size[0] + (uint64_t)x) * 4 : s->size;
        if (at + 4 <= s->size) ok = ok && il_write(w, s, at, &v[3][l], 4, l);
    }
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}
