/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * stage.c: what a kind of shader has besides registers: identifiers, inputs and outputs, quads, primitives, phases.
 *
 *     compute    a lane is a thread
 *     pixel      a lane is a pixel; a wavefront is 8 x 8 of them, a quad is lanes 4n to 4n + 3: (0,0) (1,0) (0,1)
 *                (1,1).  Pixels outside the domain help their quad and store nothing
 *     vertex     a lane is a vertex
 *     geometry   a lane is a primitive (x of the launch) and an instance (y)
 *     hull       a lane is a patch; phases are repeated for its control points or instances
 *     domain     a lane is a point (x) of a patch (y)
 *
 * An input or output register bound to a buffer has 16 bytes an element: pixel y * width + x, vertex, point.
 */
#include <math.h>
#include <string.h>

#include "gpudbg/lanes.h"
#include "run/il_run.h"
#include "launch/stage.h"
#include "texture/texture.h"

#define CP_SCOPE 0x8000

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
static uint64_t element_of(const struct gpudbg_wave *w, unsigned l)
{
    const uint32_t *global = w->machine->launch->global;
    uint32_t at[3];
    il_position(w, l, at);
    return ((uint64_t)at[2] * global[1] + at[1]) * global[0] + at[0];
}

/* ---- Identifiers ---- */

/* Those that do not say where a lane is. */
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

/* Where all lanes are in their group: threads lie one behind another, so each place follows from the one before. */
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
    struct amdil *r = il_of(w);
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

static struct gpudbg_segment *bound_to(const struct amdil *r, unsigned type, uint64_t number, bool output)
{
    for (uint32_t i = 0; i < r->nbound; i++) {
        const struct il_bound_register *b = &r->bound[i];
        const bool same = b->type == type || (type == IL_REG_VERTEX && b->type == IL_REG_INPUT);
        if (same && b->number == number && b->output == output) return b->segment;
    }
    return NULL;
}

static void two_dimensions(
    struct gpudbg_wave *w, struct amdil *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
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
                il_read(w, bound_to(r, IL_REG_INPUT, (uint64_t)attribute[l], false), element * 16, v, 16, l);
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
    struct gpudbg_wave *w, struct amdil *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
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

void il_special(struct gpudbg_wave *w, struct amdil *r, const struct il_location *p, uint32_t (*rows)[IL_LANES])
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

/* ---- Inputs at the start ---- */

static bool is_helper(const struct gpudbg_wave *w, unsigned l) { return !(il_pair(w->words, IL_REAL) >> l & 1); }

/* A pixel's input; of pixels beyond the domain the line through the last two is continued. */
static void pixel_input(struct gpudbg_wave *w, struct gpudbg_segment *s, unsigned l, uint32_t v[4])
{
    const uint32_t *size = w->machine->launch->global;
    uint32_t at[3], last[2], before[4], end[4];
    il_position(w, l, at);
    for (unsigned i = 0; i < 2; i++) last[i] = at[i] < size[i] ? at[i] : size[i] - 1;
    const unsigned axis = at[0] >= size[0] ? 0 : 1;
    const uint64_t here = (uint64_t)last[1] * size[0] + last[0], step = axis ? size[0] : 1;
    il_read(w, s, here * 16, v, 16, l);
    if (!is_helper(w, l) || last[axis] == 0) return;
    memcpy(end, v, sizeof end);
    il_read(w, s, (here - step) * 16, before, 16, l);
    for (unsigned c = 0; c < 4; c++) v[c] = il_float_add(end[c], il_float_add(end[c], before[c] ^ LANES_SIGN32));
}

/* What an input that no buffer is bound to holds. */
static void default_input(
    const struct gpudbg_wave *w, const struct amdil *r, unsigned type, unsigned usage, unsigned l, uint32_t v[4])
{
    uint32_t at[3];
    il_position(w, l, at);
    memset(v, 0, 16);
    if (type == IL_REG_WINCOORD || (type == IL_REG_INPUT && usage == IL_USAGE_POSITION && r->shader == IL_PIXEL)) {
        const float centre = r->centered ? 0 : 0.5f, y = (float)at[1] + centre;
        v[0] = lanes_bits32((float)at[0] + centre);
        v[1] = lanes_bits32(r->inverted ? (r->biased ? (float)w->machine->launch->global[1] - y : -y) : y);
        v[3] = 0x3f800000;
    } else if (type == IL_REG_FACE) {
        v[0] = v[1] = v[2] = v[3] = 0x3f800000;
    } else if (type == IL_REG_INDEX || type == IL_REG_PRIMITIVE_INDEX) {
        v[0] = v[1] = v[2] = v[3] = lanes_bits32((float)element_of(w, l));
    } else if (type == IL_REG_VPRIM || usage == IL_USAGE_PRIMITIVE) { /* the same for all instances and points */
        v[0] = v[1] = v[2] = v[3] = r->shader == IL_GEOMETRY ? at[0]
                                    : r->shader == IL_DOMAIN ? at[1]
                                                             : (uint32_t)element_of(w, l);
    } else if (usage == IL_USAGE_VERTEX) {
        v[0] = v[1] = v[2] = v[3] = (uint32_t)element_of(w, l);
    } else if (usage == IL_USAGE_FRONT) {
        v[0] = v[1] = v[2] = v[3] = UINT32_MAX;
    } else if (type == IL_REG_INPUT_COVERAGE_MASK) {
        v[0] = is_helper(w, l) ? 0 : (1u << (1u << r->choice[IL_CHOICE_SAMPLES])) - 1;
    }
}

bool il_is_input(unsigned type, unsigned shader)
{
    switch (type) {
    case IL_REG_VERTEX:
    case IL_REG_INPUT:
    case IL_REG_PINPUT:
    case IL_REG_INDEX:
    case IL_REG_OBJECT_INDEX:
    case IL_REG_BARYCENTRIC_COORD:
    case IL_REG_PRIMITIVE_INDEX:
    case IL_REG_QUAD_INDEX:
    case IL_REG_INTERP:
    case IL_REG_FOG:
    case IL_REG_TEXCOORD:
    case IL_REG_PRICOLOR:
    case IL_REG_SECCOLOR:
    case IL_REG_SPRITECOORD:
    case IL_REG_FACE:
    case IL_REG_WINCOORD:
    case IL_REG_PRIMCOORD:
    case IL_REG_PRIMTYPE:
    case IL_REG_VPRIM:
    case IL_REG_DOMAINLOCATION:
    case IL_REG_INPUT_COVERAGE_MASK:
    case IL_REG_LINE_STIPPLE: return shader == IL_PIXEL || il_register[type].access != IL_RW;
    default: return false;
    }
}

static unsigned usage_of(const struct amdil *r, unsigned type, uint32_t number)
{
    return (type == IL_REG_INPUT || type == IL_REG_VERTEX) && number < 64 ? r->usage[number] : IL_USAGE_GENERIC;
}

/* Components that are declared to be 1.0 where nothing is given. */
static void set_ones(struct gpudbg_wave *w, const struct amdil *r, uint32_t slot)
{
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; r->ones[slot] >> c & 1 && l < IL_LANES; l++) il_row_of(w, slot, c)[l] = 0x3f800000;
}

void il_stage_start(struct gpudbg_wave *w, struct amdil *r)
{
    const uint32_t *size = w->machine->launch->global;
    uint64_t real = w->lanes, all = w->lanes;
    if (r->shader == IL_PIXEL) {
        all = UINT64_MAX;
        real = 0;
        for (unsigned l = 0; l < IL_LANES; l++) {
            uint32_t at[3];
            il_position(w, l, at);
            real |= (uint64_t)(at[0] < size[0] && at[1] < size[1]) << l;
        }
        w->lanes = real;
    }
    il_set_pair(w->words, IL_EXEC, all);
    il_set_pair(w->words, IL_ALIVE, all);
    il_set_pair(w->words, IL_REAL, real);
    for (uint32_t slot = 0; slot < r->slots; slot++) set_ones(w, r, slot);
    for (uint32_t i = 0; i < r->nranges; i++) {
        const struct il_range *range = &r->range[i];
        if (!il_is_input(range->type, r->shader)) continue;
        for (uint32_t n = 0; n < range->count; n++) {
            struct gpudbg_segment *s = bound_to(r, range->type, range->first + n, false);
            for (unsigned l = 0; l < IL_LANES; l++) {
                uint32_t v[4];
                if (r->shader == IL_PIXEL && s && range->type == IL_REG_INPUT_COVERAGE_MASK && is_helper(w, l))
                    memset(v, 0, sizeof v); /* 5.18 */
                else if (s && r->shader == IL_PIXEL)
                    pixel_input(w, s, l, v);
                else if (s)
                    il_read(w, s, element_of(w, l) * 16, v, 16, l);
                else
                    default_input(w, r, range->type, usage_of(r, range->type, range->first + n), l, v);
                for (unsigned c = 0; c < 4; c++) il_row_of(w, range->slot + n, c)[l] = v[c];
            }
            if (!s) set_ones(w, r, range->slot + n);
        }
    }
}

/* ---- Outputs ---- */

static bool store_register(struct gpudbg_wave *w, uint32_t slot, struct gpudbg_segment *s, uint64_t element, unsigned l)
{
    uint32_t v[4];
    for (unsigned c = 0; c < 4; c++) v[c] = il_row_of(w, slot, c)[l];
    return element * 16 + 16 > s->size || il_write(w, s, element * 16, v, 16, l);
}

static bool store_outputs(struct gpudbg_wave *w, struct amdil *r, uint64_t lanes)
{
    bool ok = true;
    unsigned l;
    for (uint32_t i = 0; i < r->nbound && ok; i++) {
        const struct il_bound_register *b = &r->bound[i];
        const struct il_range *range = b->output ? il_find(r, 0, b->type, b->number) : NULL;
        if (range && b->segment) IL_EACH_LANE(l, lanes)
        ok = ok && store_register(w, range->slot + b->number - range->first, b->segment, element_of(w, l), l);
    }
    return ok;
}

/* Patch constants: the outputs of all fork and join phases. */
static bool store_patches(struct gpudbg_wave *w, struct amdil *r, uint64_t lanes)
{
    bool ok = true;
    unsigned l;
    IL_EACH_LANE(l, lanes)
    for (uint32_t n = 0; n < r->patch.attributes && r->patch.segment && ok; n++) {
        const struct il_range *range = il_find(r, 0, IL_REG_OUTPUT, n);
        uint32_t at[3];
        il_position(w, l, at);
        if (range)
            ok = store_register(
                w, range->slot + n - range->first, r->patch.segment, (uint64_t)at[0] * r->patch.attributes + n, l);
    }
    return ok;
}

/* ---- Pixels ---- */

enum gpudbg_ran il_do_discard(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
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

void il_discard_and_end(struct gpudbg_wave *w, struct amdil *r, uint64_t lanes)
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

enum gpudbg_ran il_do_derivative(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
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

/* The place of a pixel's centroid, from its centre: the centre where all samples are covered or none, else the first
 * covered sample (Direct3D's rule).  What is covered stands in the buffer of vCoverageMask; without one all is. */
void il_centroid(struct gpudbg_wave *w, const struct amdil *r, unsigned l, double out[2])
{
    const unsigned samples = 1u << r->choice[IL_CHOICE_SAMPLES];
    struct gpudbg_segment *s = bound_to(r, IL_REG_INPUT_COVERAGE_MASK, 0, false);
    uint32_t covered = UINT32_MAX;
    out[0] = out[1] = 0;
    if (s && !is_helper(w, l)) il_read(w, s, element_of(w, l) * 16, &covered, 4, l);
    covered &= (1u << samples) - 1;
    if (covered && covered != (1u << samples) - 1) il_sample_place(samples, (unsigned)__builtin_ctz(covered), out);
}

/* Where eval_* evaluates, from the centre; at: rows of source 1. */
static void place_of(
    struct gpudbg_wave *w, const struct amdil *r, unsigned code, const uint32_t *const at[4], unsigned l, double out[2])
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
enum gpudbg_ran il_do_eval(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
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
enum gpudbg_ran il_do_copy(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    const uint32_t *s[4];
    il_fetch(w, r, &op->src[0], IL_MOVED, 0, s);
    for (unsigned c = 0; c < 4; c++) memcpy(r->result[c], s[c], sizeof r->result[c]);
    return il_store(w, r, &op->dst[0], IL_MOVED, 15, NULL, r->result) ? GPUDBG_RAN_LIMIT : GPUDBG_RAN_FAULT;
}

/* ---- Primitives ---- */

/* A dword for each vertex that may be emitted: bit 0 emitted, bit 1 the strip ends behind it, 15:8 the stream. */
static uint64_t vertex_of(const struct gpudbg_wave *w, const struct amdil *r, unsigned l, uint32_t n)
{
    return element_of(w, l) * (r->max_vertices ? r->max_vertices : 1) + n;
}

static bool emit(struct gpudbg_wave *w, struct amdil *r, uint32_t stream, unsigned l)
{
    uint32_t *count = &w->words[IL_EMITTED + l];
    const uint32_t word = 1 | stream << 8;
    bool ok = true;
    if (*count >= (r->max_vertices ? r->max_vertices : 1)) return true;
    const uint64_t vertex = vertex_of(w, r, l, *count);
    for (uint32_t i = 0; i < r->nbound && ok; i++) {
        const struct il_bound_register *b = &r->bound[i];
        const struct il_range *range = b->output ? il_find(r, 0, b->type, b->number) : NULL;
        if (range && b->segment) ok = store_register(w, range->slot + b->number - range->first, b->segment, vertex, l);
    }
    if (ok && r->streams && vertex * 4 + 4 <= r->streams->size) ok = il_write(w, r->streams, vertex * 4, &word, 4, l);
    *count += ok;
    return ok;
}

static bool cut(struct gpudbg_wave *w, struct amdil *r, uint32_t stream, unsigned l)
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
static bool end_strips(struct gpudbg_wave *w, struct amdil *r, uint64_t lanes)
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

enum gpudbg_ran il_do_emit(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
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

enum gpudbg_ran il_do_phase(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    w->words[IL_PHASE] = (uint32_t)(op - r->op) + 1;
    w->words[IL_INSTANCE] = 0;
    il_set_pair(w->words, IL_BEGAN, il_exec(w));
    return GPUDBG_RAN_LIMIT;
}

static bool store_points(struct gpudbg_wave *w, struct amdil *r, uint32_t point)
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
                ok = ok && store_register(w, range->slot + a - range->first, p->segment,
                               ((uint64_t)at[0] * p->points + point) * p->attributes + a, l);
        }
    }
    return ok;
}

enum gpudbg_ran il_do_endphase(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
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

enum gpudbg_ran il_do_end(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
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

/* ---- Old ways to memory ---- */

/* Four dwords at element floor(s0.x) of the buffer of input n. */
enum gpudbg_ran il_do_memimport(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    const struct gpudbg_segment *s = bound_to(r, IL_REG_INPUT, op->control >> 16 & 63, false);
    const uint32_t *at[4];
    unsigned l;
    if (!s) s = bound_to(r, IL_REG_VERTEX, op->control >> 16 & 63, false);
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

enum gpudbg_ran il_do_memexport(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    const uint32_t stream = op->control >> 16 & 63, offset = op->control >> 23 & 63;
    struct gpudbg_segment *s = bound_to(r, IL_BOUND_EXPORT, stream, true);
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
enum gpudbg_ran il_do_scatter(struct gpudbg_wave *w, struct amdil *r, const struct il_exec_op *op)
{
    struct gpudbg_segment *s = bound_to(r, IL_BOUND_SCATTER, 0, true);
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
