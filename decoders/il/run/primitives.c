/* SPDX-License-Identifier: GPL-3.0-or-later */
/* primitives.c: outputs: at the end of a shader, by vertices that are emitted, by phases of a hull shader. */
#include <string.h>

#include "run/stage.h"

#define CP_SCOPE 0x8000

/* ---- Outputs ---- */

bool il_store_register(struct gpudbg_wave *w, uint32_t slot, struct gpudbg_segment *s, uint64_t element, unsigned l)
{
    uint32_t v[4];
    for (unsigned c = 0; c < 4; c++) v[c] = il_row_of(w, slot, c)[l];
    return element * 16 + 16 > s->size || il_write(w, s, element * 16, v, 16, l);
}

static bool store_outputs(struct gpudbg_wave *w, struct il *r, uint64_t lanes)
{
    bool ok = true;
    unsigned l;
    for (uint32_t i = 0; i < r->nbound && ok; i++) {
        const struct il_bound_register *b = &r->bound[i];
        const struct il_range *range = b->output ? il_find(r, 0, b->type, b->number) : NULL;
        if (range && b->segment) IL_EACH_LANE(l, lanes)
        ok = ok && il_store_register(w, range->slot + b->number - range->first, b->segment, il_element_of(w, l), l);
    }
    return ok;
}

/* Patch constants: the outputs of all fork and join phases. */
static bool store_patches(struct gpudbg_wave *w, struct il *r, uint64_t lanes)
{
    bool ok = true;
    unsigned l;
    IL_EACH_LANE(l, lanes)
    for (uint32_t n = 0; n < r->patch.attributes && r->patch.segment && ok; n++) {
        const struct il_range *range = il_find(r, 0, IL_REG_OUTPUT, n);
        uint32_t at[3];
        il_position(w, l, at);
        if (range)
            ok = il_store_register(
                w, range->slot + n - range->first, r->patch.segment, (uint64_t)at[0] * r->patch.attributes + n, l);
    }
    return ok;
}

/* ---- Primitives ---- */

/* A dword for each vertex that may be emitted: bit 0 emitted, bit 1 the strip ends behind it, 15:8 the stream. */
static uint64_t vertex_of(const struct gpudbg_wave *w, const struct il *r, unsigned l, uint32_t n)
{
    return il_element_of(w, l) * (r->max_vertices ? r->max_vertices : 1) + n;
}

static bool emit(struct gpudbg_wave *w, struct il *r, uint32_t stream, unsigned l)
{
    uint32_t *count = &w->words[IL_EMITTED + l];
    const uint32_t word = 1 | stream << 8;
    bool ok = true;
    if (*count >= (r->max_vertices ? r->max_vertices : 1)) return true;
    const uint64_t vertex = vertex_of(w, r, l, *count);
    for (uint32_t i = 0; i < r->nbound && ok; i++) {
        const struct il_bound_register *b = &r->bound[i];
        const struct il_range *range = b->output ? il_find(r, 0, b->type, b->number) : NULL;
        if (range && b->segment)
            ok = il_store_register(w, range->slot + b->number - range->first, b->segment, vertex, l);
    }
    if (ok && r->streams && vertex * 4 + 4 <= r->streams->size) ok = il_write(w, r->streams, vertex * 4, &word, 4, l);
    *count += ok;
    return ok;
}

static bool cut(struct gpudbg_wave *w, struct il *r, uint32_t stream, unsigned l)
{
    for (uint32_t n = w->words[IL_EMITTED + l]; n-- > 0;) {
        const uint64_t at = vertex_of(w, r, l, n) * 4;
        uint32_t word = 0;
        if (!r->streams || !il_read(w, r->streams, at, &word, 4, l)) return true;
        if (word >> 8 != stream) continue;
        word |= 2;
        return il_write(w, r->streams, at, &word, 4, l);
    }
    return true;
}

/* An implicit cut of every stream (7.6 CUT). */
static bool end_strips(struct gpudbg_wave *w, struct il *r, uint64_t lanes)
{
    bool ok = true;
    unsigned l;
    IL_EACH_LANE(l, lanes)
    {
        uint8_t ended[256] = {0};
        for (uint32_t n = w->words[IL_EMITTED + l]; n-- > 0 && ok;) {
            uint32_t word = 0;
            if (r->streams && il_read(w, r->streams, vertex_of(w, r, l, n) * 4, &word, 4, l) && !ended[word >> 8 & 255])
                ok = cut(w, r, word >> 8, l);
            ended[word >> 8 & 255] = 1;
        }
    }
    return ok;
}

enum gpudbg_ran il_do_emit(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const bool emits = op->code != IL_OP_CUT && op->code != IL_OP_CUT_STREAM,
               cuts = op->code != IL_OP_EMIT && op->code != IL_OP_EMIT_STREAM;
    const bool named = op->code == IL_OP_CUT_STREAM || op->code == IL_OP_EMIT_STREAM ||
                       op->code == IL_OP_EMIT_THEN_CUT_STREAM;
    const uint32_t stream = named ? op->control >> 16 & 255 : 0;
    uint64_t full = 0; /* the declared maximum ends an invocation (7.5) */
    bool ok = true;
    unsigned l;
    IL_EACH_LANE(l, il_exec(w))
    {
        ok = ok && (!emits || emit(w, r, stream, l));
        ok = ok && (!cuts || cut(w, r, stream, l));
        full |= (uint64_t)(r->max_vertices && w->words[IL_EMITTED + l] >= r->max_vertices) << l;
    }
    if (ok) il_kill(w, r, full);
    return ok ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* ---- Phases of a hull shader ---- */

enum gpudbg_ran il_do_phase(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    w->words[IL_PHASE] = (uint32_t)(op - r->op) + 1;
    w->words[IL_INSTANCE] = 0;
    il_set_pair(w->words, IL_BEGAN, il_exec(w));
    return GPUDBG_RAN_LIMIT;
}

static bool store_points(struct gpudbg_wave *w, struct il *r, uint32_t point)
{
    const struct il_points *p = &r->outputs_cp;
    bool ok = true;
    unsigned l;
    for (uint32_t a = 0; a < p->attributes; a++) {
        const struct il_range *range = il_find(r, CP_SCOPE, IL_REG_OUTPUT, a);
        IL_EACH_LANE(l, il_exec(w) & il_pair(w->words, IL_REAL))
        {
            uint32_t at[3];
            il_position(w, l, at);
            if (range && p->segment)
                ok = ok && il_store_register(w, range->slot + a - range->first, p->segment,
                               ((uint64_t)at[0] * p->points + point) * p->attributes + a, l);
        }
    }
    return ok;
}

enum gpudbg_ran il_do_endphase(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const struct il_exec_op *phase = &r->op[op->opener];
    const uint32_t done = w->words[IL_INSTANCE],
                   times = phase->code == IL_OP_HS_CP_PHASE ? r->ocp : phase->control >> 16;
    il_set_pair(
        w->words, IL_EXEC, il_pair(w->words, IL_BEGAN) & il_pair(w->words, IL_ALIVE)); /* who has returned, too */
    if (phase->code == IL_OP_HS_CP_PHASE && !store_points(w, r, done)) return GPUDBG_RAN_FAULT;
    if (done + 1 < times) {
        w->words[IL_INSTANCE]++;
        r->next = phase->next;
        return GPUDBG_RAN_LIMIT;
    }
    w->words[IL_INSTANCE] = 0;
    w->words[IL_PHASE] = 0;
    il_set_pair(w->words, IL_BEGAN, 0);
    return GPUDBG_RAN_LIMIT;
}

/* ---- The end ---- */

enum gpudbg_ran il_do_end(struct gpudbg_wave *w, struct il *r, const struct il_exec_op *op)
{
    const uint64_t lanes = il_pair(w->words, IL_REAL) & ~il_pair(w->words, IL_DISCARD);
    bool ok = true;
    (void)op;
    if (r->shader == IL_HULL)
        ok = store_patches(w, r, lanes);
    else if (r->shader == IL_GEOMETRY)
        ok = end_strips(w, r, lanes);
    else
        ok = store_outputs(w, r, lanes);
    return ok ? GPUDBG_RAN_END : GPUDBG_RAN_FAULT;
}
