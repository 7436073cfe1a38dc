/* SPDX-License-Identifier: GPL-3.0-or-later */
/* special.c: registers that hold where a lane is: identifiers, and inputs of primitives by vertex and attribute. */
#include <string.h>

#include "run/stage.h"

/* ---- Who a lane is ---- */

/* Sizes of the wave's group: those at the edge of a grid are smaller. */
static void group_sizes(const struct gpudbg_wave *w, uint32_t size[3])
{
    const struct gpudbg_launch *launch = w->machine->launch;
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t left = launch->global[i] - w->group_id[i] * launch->local[i];
        size[i] = left < launch->local[i] ? left : launch->local[i];
    }
}

static void in_group(const struct gpudbg_wave *w, unsigned l, uint32_t out[3])
{
    uint32_t size[3];
    const uint32_t flat = w->index * IL_LANES + l;
    if (il_of(w)->shader == IL_PIXEL) {
        out[0] = (l >> 2 & 3) * 2 + (l & 1);
        out[1] = (l >> 4) * 2 + (l >> 1 & 1);
        out[2] = 0;
        return;
    }
    group_sizes(w, size);
    out[0] = flat % size[0];
    out[1] = flat / size[0] % size[1];
    out[2] = flat / size[0] / size[1];
}

void il_position(const struct gpudbg_wave *w, unsigned l, uint32_t out[3])
{
    in_group(w, l, out);
    for (unsigned i = 0; i < 3; i++) out[i] += w->group_id[i] * w->machine->launch->local[i];
}

/* Element of a buffer that belongs to the lane. */
uint64_t il_element_of(const struct gpudbg_wave *w, unsigned l)
{
    const uint32_t *global = w->machine->launch->global;
    uint32_t at[3];
    il_position(w, l, at);
    return ((uint64_t)at[2] * global[1] + at[1]) * global[0] + at[0];
}

/* ---- Identifiers ---- */

/* Identifiers other than a lane's place. */
static uint32_t identifier(const struct gpudbg_wave *w, unsigned type, unsigned c, unsigned l)
{
    const struct gpudbg_launch *launch = w->machine->launch;
    const uint64_t per_group = (uint64_t)launch->local[0] * launch->local[1] * launch->local[2];
    uint32_t at[3];
    switch (type) {
    case IL_REG_THREAD_ID_IN_GROUP_FLAT: return w->index * IL_LANES + l;
    case IL_REG_ABSOLUTE_THREAD_ID_FLAT: return (uint32_t)(w->group * per_group + w->index * IL_LANES + l);
    case IL_REG_THREAD_GROUP_ID: return c < 3 ? w->group_id[c] : 0;
    case IL_REG_THREAD_GROUP_ID_FLAT: return w->group;
    case IL_REG_TIMER: return c == 0 ? (uint32_t)w->executed : c == 1 ? (uint32_t)(w->executed >> 32) : 0;
    case IL_REG_OCP_ID: return w->words[IL_INSTANCE];
    case IL_REG_SHADER_INSTANCE_ID:
        il_position(w, l, at);
        return il_of(w)->shader == IL_GEOMETRY ? at[1] : w->words[IL_INSTANCE];
    default: return 0;
    }
}

/* Where all lanes are in their group: threads are numbered in order, so each place follows from the one before. */
static void in_group_rows(const struct gpudbg_wave *w, uint32_t (*rows)[IL_LANES])
{
    const bool pixels = il_of(w)->shader == IL_PIXEL;
    uint32_t size[3], at[3];
    group_sizes(w, size);
    in_group(w, 0, at);
    for (unsigned l = 0; l < IL_LANES; l++) {
        if (pixels) in_group(w, l, at);
        for (unsigned i = 0; i < 3; i++) rows[i][l] = at[i];
        if (++at[0] < size[0]) continue;
        at[0] = 0;
        if (++at[1] < size[1]) continue;
        at[1] = 0;
        at[2]++;
    }
}

const uint32_t (*il_threads(struct gpudbg_wave *w))[IL_LANES]
{
    struct il *r = il_of(w);
    struct il_threads *t = &r->threads[w->index % IL_THREADS];
    uint32_t size[3];
    group_sizes(w, size);
    if (t->wave != w->index + 1 || memcmp(t->size, size, sizeof size) != 0) {
        in_group_rows(w, t->rows);
        t->wave = w->index + 1;
        memcpy(t->size, size, sizeof size);
    }
    return (const uint32_t(*)[IL_LANES])t->rows;
}

static void identifier_rows(const struct gpudbg_wave *w, unsigned type, uint32_t (*rows)[IL_LANES])
{
    const uint32_t *local = w->machine->launch->local;
    const bool absolute = type == IL_REG_ABSOLUTE_THREAD_ID;
    if (absolute || type == IL_REG_THREAD_ID_IN_GROUP) {
        in_group_rows(w, rows);
        for (unsigned i = 0; absolute && i < 3; i++)
            for (unsigned l = 0; l < IL_LANES; l++) rows[i][l] += w->group_id[i] * local[i];
        memset(rows[3], 0, sizeof rows[3]);
        return;
    }
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; l < IL_LANES; l++) rows[c][l] = identifier(w, type, c, l);
}

/* ---- Inputs in two dimensions: vertex or control point, then attribute ---- */

struct gpudbg_segment *il_bound_to(const struct il *r, unsigned type, uint64_t number, bool output)
{
    for (uint32_t i = 0; i < r->nbound; i++) {
        const struct il_bound_register *b = &r->bound[i];
        const bool same = b->type == type || (type == IL_REG_VERTEX && b->type == IL_REG_INPUT);
        if (same && b->number == number && b->output == output) return b->segment;
    }
    return NULL;
}

static void two_dimensions(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
{
    int64_t vertex[IL_LANES], attribute[IL_LANES];
    il_index_rows(w, r, p, 0, vertex);
    il_index_rows(w, r, p, 1, attribute);
    for (unsigned l = 0; l < IL_LANES; l++) {
        uint32_t at[3], v[4] = {0};
        il_position(w, l, at);
        if (p->type == IL_REG_INPUT || p->type == IL_REG_VERTEX) {
            const uint64_t element = (uint64_t)at[0] * r->input_vertices + (uint64_t)vertex[l];
            if (vertex[l] >= 0 && vertex[l] < r->input_vertices)
                il_read(w, il_bound_to(r, IL_REG_INPUT, (uint64_t)attribute[l], false), element * 16, v, 16, l);
        } else {
            const bool output = p->type == IL_REG_OUTPUTCP;
            const struct il_points *points = output ? &r->outputs_cp : &r->inputs_cp;
            const uint64_t patch = r->shader == IL_DOMAIN ? at[1] : at[0], count = points->points ? points->points : 1;
            if (vertex[l] >= 0 && (uint64_t)vertex[l] < count && attribute[l] >= 0 && attribute[l] < points->attributes)
                il_read(w, points->segment,
                    ((patch * count + (uint64_t)vertex[l]) * points->attributes + (uint64_t)attribute[l]) * 16, v, 16,
                    l);
        }
        for (unsigned c = 0; c < 4; c++) rows[c][l] = v[c];
    }
}

static void patch_constants(
    struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
{
    int64_t n[IL_LANES];
    il_index_rows(w, r, p, 0, n);
    for (unsigned l = 0; l < IL_LANES; l++) {
        uint32_t at[3], v[4] = {0};
        il_position(w, l, at);
        if (!p->dimensions) n[l] = p->number;
        const uint64_t patch = r->shader == IL_DOMAIN ? at[1] : at[0];
        if (r->shader == IL_HULL) { /* what the fork phases have written so far */
            const struct il_range *range = n[l] >= 0 ? il_find(r, 0, IL_REG_OUTPUT, (uint32_t)n[l]) : NULL;
            for (unsigned c = 0; c < 4 && range; c++)
                v[c] = il_row_of(w, range->slot + (uint32_t)n[l] - range->first, c)[l];
        } else if (n[l] >= 0 && n[l] < r->patch.attributes)
            il_read(w, r->patch.segment, (patch * r->patch.attributes + (uint64_t)n[l]) * 16, v, 16, l);
        for (unsigned c = 0; c < 4; c++) rows[c][l] = v[c];
    }
}

void il_special(struct gpudbg_wave *w, struct il *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
{
    if (p->type == IL_REG_PATCHCONST) {
        patch_constants(w, r, p, rows);
        return;
    }
    if (p->dimensions == 2) {
        two_dimensions(w, r, p, rows);
        return;
    }
    identifier_rows(w, p->type, rows);
}
