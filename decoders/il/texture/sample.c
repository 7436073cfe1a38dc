/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample.c: filtered texels (7.6 SAMPLE and its family).
 *
 * Coordinates and weights are doubles; a result is rounded to float once.  Level of detail: half the logarithm of the
 * longer derivative's squared length in texels, plus biases, within the sampler's limits, then the levels that there
 * are.  Beyond level 0 the minification filter counts.  A cube's faces are +x -x +y -y +z -z; filters do not cross
 * edges.
 */
#include "texture/texture.h"

#include <math.h>
#include <string.h>

#include "gpudbg/sampling.h"

/* ---- Places ---- */

void il_texture(struct il_texture *t, struct gpudbg_wave *w, const struct il_resource *res, unsigned type)
{
    const unsigned d = type ? type : res->dimension;
    t->w = w;
    t->res = res;
    t->cube = d == IL_PIXTEX_CUBE || d == IL_PIXTEX_CUBE_PLUS_W || d == IL_PIXTEX_CUBEARRAY;
    t->array = d == IL_PIXTEX_1DARRAY || d == IL_PIXTEX_2DARRAY || d == IL_PIXTEX_2DARRAYMSAA ||
               d == IL_PIXTEX_CUBEARRAY;
    t->axes = t->cube || d == IL_PIXTEX_3D                                           ? 3
              : d == IL_PIXTEX_1D || d == IL_PIXTEX_1DARRAY || d == IL_PIXTEX_BUFFER ? 1
                                                                                     : 2;
    if (d == IL_PIXTEX_UNKNOWN) t->axes = res->depth > 1 ? 3 : res->height > 1 ? 2 : 1;
    t->unnormalized = res->unnormalized;
}

static bool is_volume(const struct il_texture *t) { return t->axes == 3 && !t->cube; }

uint32_t il_level_size(const struct il_resource *r, unsigned axis, uint32_t level)
{
    const uint32_t n = axis == 0 ? r->width : axis == 1 ? r->height : r->depth;
    const bool shrinks = axis < 2 ? true : r->dimension == IL_PIXTEX_3D || r->dimension == IL_PIXTEX_UNKNOWN;
    return !shrinks ? n : level < 32 && n >> level ? n >> level : 1;
}

/* A one-dimensional array keeps its slices along the second size. */
static uint32_t rows_at(const struct il_texture *t, uint32_t level)
{
    return t->axes == 1 ? t->res->height : il_level_size(t->res, 1, level);
}

uint32_t il_slices(const struct il_texture *t) { return t->axes == 1 ? t->res->height : t->res->depth; }

static uint64_t place_of(
    const struct il_texture *t, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
    const struct il_resource *r = t->res;
    const uint32_t samples = r->samples ? r->samples : 1;
    uint64_t at = 0;
    if (r->line && level == 0)
        return ((uint64_t)z * rows_at(t, 0) + y) * r->line + ((uint64_t)x * samples + sample) * r->pitch;
    for (uint32_t i = 0; i < level; i++)
        at += (uint64_t)il_level_size(r, 0, i) * rows_at(t, i) * il_level_size(r, 2, i);
    at += ((uint64_t)z * rows_at(t, level) + y) * il_level_size(r, 0, level) + x;
    return (at * samples + sample) * r->pitch;
}

void il_texel(const struct il_texture *t, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample,
    unsigned lane, uint32_t out[4])
{
    il_element_read(t->w, t->res, t->res->base + place_of(t, level, x, y, z, sample), out, lane);
}

/* ---- Cubes ---- */

static unsigned face_of(const double d[3])
{
    const double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
    return z >= x && z >= y ? 4 + (d[2] < 0) : y >= x ? 2 + (d[1] < 0) : 0u + (d[0] < 0);
}

/* The point where a direction meets a face's plane, [0, 1] on the face. */
static void on_face(const double d[3], unsigned face, double out[2])
{
    const double major = fabs(d[face / 2]) > 0 ? fabs(d[face / 2]) : 1;
    double s, t;
    sampling_on_face(d, face, &s, &t);
    out[0] = (s / major + 1) / 2;
    out[1] = (t / major + 1) / 2;
}

/* The request on the face that it meets: axes 0 and 1, slice in at[2]. */
static void to_face(const struct il_texture *t, struct il_request *q)
{
    const unsigned face = face_of(q->at);
    double here[2], there[2];
    on_face(q->at, face, here);
    for (unsigned d = 0; d < 2; d++) {
        double *by = d ? q->dy : q->dx;
        const double moved[3] = {q->at[0] + by[0], q->at[1] + by[1], q->at[2] + by[2]};
        on_face(moved, face, there);
        by[0] = there[0] - here[0];
        by[1] = there[1] - here[1];
        by[2] = 0;
    }
    const double cube = t->array ? lanes_rint(q->at[3] > 0 ? q->at[3] : 0) : 0;
    q->at[0] = here[0];
    q->at[1] = here[1];
    q->at[2] = cube * 6 + face;
}

/* ---- Level of detail ---- */

static double length_squared(const struct il_texture *t, const double d[3], unsigned axes)
{
    double sum = 0;
    for (unsigned i = 0; i < axes; i++) {
        const double texels = d[i] * (t->unnormalized ? 1 : il_level_size(t->res, i, 0));
        sum += texels * texels;
    }
    return sum;
}

/* How a pixel's area of the texture is covered: by `taps` side by side along its longer axis, at a level. */
struct footprint {
    double lod, unclamped;
    bool magnifies;
    uint8_t filter; /* enum il_filter: the one of mag and min that counts */
    struct sampling_taps taps;
};

static struct footprint footprint_of(const struct il_texture *t, const struct il_request *q)
{
    const struct il_sampler *s = &t->sampler;
    const unsigned axes = t->cube ? 2 : t->axes;
    struct footprint f = {.lod = q->lod, .taps = {1, NULL}};
    double x = 0, y = 0;
    if (!q->explicit_lod) {
        x = length_squared(t, q->dx, axes);
        y = length_squared(t, q->dy, axes);
        f.lod = x > 0 || y > 0 ? 0.5 * (double)lanes_log2((float)(x > y ? x : y)) : -1000;
    }
    f.filter = f.lod + (double)s->bias + q->bias <= 0 ? s->mag : s->min;
    if (f.filter == IL_ANISOTROPIC && s->aniso > 1 && (x > 0 || y > 0))
        f.taps = sampling_stretched(x, y, q->dx, q->dy, s->aniso, &f.lod);
    f.lod += (double)s->bias + q->bias;
    f.unclamped = f.lod + q->late_bias;
    if (f.lod != f.lod) f.lod = 0;
    f.lod = f.lod < (double)s->min_lod ? (double)s->min_lod : f.lod > (double)s->max_lod ? (double)s->max_lod : f.lod;
    f.lod += q->late_bias;
    f.magnifies = f.lod <= 0;
    f.filter = f.magnifies ? s->mag : s->min;
    return f;
}

double il_lod(const struct il_texture *t, const struct il_request *request, double *unclamped)
{
    struct il_request q = *request;
    const double most = t->res->levels ? t->res->levels - 1 : 0;
    if (t->cube) to_face(t, &q);
    const struct footprint f = footprint_of(t, &q);
    *unclamped = f.unclamped;
    return f.lod < 0 ? 0 : f.lod > most ? most : f.lod;
}

/* ---- One level ---- */

/* A texel's number along an axis. */
static int64_t wrapped(int64_t i, int64_t n, unsigned wrap)
{
    static const uint8_t ways[] = {[IL_WRAP] = SAMPLING_REPEAT,
        [IL_MIRROR] = SAMPLING_MIRROR,
        [IL_CLAMP] = SAMPLING_EDGE,
        [IL_MIRROR_ONCE] = SAMPLING_MIRROR_ONCE,
        [IL_BORDER] = SAMPLING_BORDER};
    return sampling_wrapped(wrap <= IL_BORDER ? (enum sampling_wrap)ways[wrap] : SAMPLING_EDGE, i, n);
}

static bool integers(const struct il_texture *t) { return t->res->format.kind == 3 || t->res->format.kind == 4; }

/* The texel that a sampler takes for a place of a level, compared if the request compares.  face: of a cube. */
static void fetch_at(const struct il_texture *t, const struct il_request *q, uint32_t level, const int64_t at[3],
    double layer, unsigned lane, uint32_t out[4])
{
    const struct il_sampler *s = &t->sampler;
    const unsigned axes = t->cube ? 2 : t->axes;
    uint32_t place[3] = {0, 0, 0};
    bool border = false;
    for (unsigned i = 0; i < axes; i++) {
        const int64_t n = wrapped(at[i], il_level_size(t->res, i, level), t->cube ? (unsigned)IL_CLAMP : s->wrap[i]);
        border |= n == SAMPLING_OUTSIDE;
        place[i] = n == SAMPLING_OUTSIDE ? 0 : (uint32_t)n;
    }
    if (!is_volume(t) && (t->array || t->cube)) {
        const double last = (double)il_slices(t) - 1;
        place[axes] = (uint32_t)(layer > 0 ? layer < last ? layer : last : 0);
    }
    if (border)
        for (unsigned c = 0; c < 4; c++) out[c] = lanes_bits32(s->border[c]);
    else
        il_texel(t, level, place[0], place[1], place[2], 0, lane, out);
    if (q->compares)
        out[0] = out[1] = out[2] = out[3] = sampling_compares(s->compare, q->reference, lanes_f32(out[0])) ? 0x3f800000
                                                                                                           : 0;
}

/* A texel beyond an edge of a cube's face belongs to the face that joins there. */
static void fetch_beyond(const struct il_texture *t, const struct il_request *q, uint32_t level, const int64_t at[3],
    unsigned lane, uint32_t out[4])
{
    const double layer = q->at[2], cube = floor(layer / 6) * 6;
    double direction[3], there[2];
    int64_t place[3] = {0};
    sampling_direction((unsigned)(layer - cube), (2 * (double)at[0] + 1) / il_level_size(t->res, 0, level) - 1,
        (2 * (double)at[1] + 1) / il_level_size(t->res, 1, level) - 1, direction);
    const unsigned face = face_of(direction);
    on_face(direction, face, there);
    for (unsigned i = 0; i < 2; i++) place[i] = (int64_t)floor(there[i] * il_level_size(t->res, i, level));
    fetch_at(t, q, level, place, cube + face, lane, out);
}

/* Three faces meet in a corner: the missing texel is the mean of the other three; of comparisons 0, 0.25,
 * 0.75 or 1 (7.6, FETCH4_C). */
static void fetch_corner(const struct il_texture *t, const struct il_request *q, uint32_t level, const int64_t at[3],
    const int64_t in[3], unsigned lane, uint32_t out[4])
{
    static const float passed[] = {0, 0.25f, 0.75f, 1};
    const int64_t beside[2][3] = {{at[0], in[1], 0}, {in[0], at[1], 0}};
    uint32_t texel[3][4];
    fetch_at(t, q, level, in, q->at[2], lane, texel[0]);
    fetch_beyond(t, q, level, beside[0], lane, texel[1]);
    fetch_beyond(t, q, level, beside[1], lane, texel[2]);
    for (unsigned c = 0; c < 4; c++) {
        const double sum = (double)lanes_f32(texel[0][c]) + (double)lanes_f32(texel[1][c]) +
                           (double)lanes_f32(texel[2][c]);
        out[c] = integers(t) ? texel[0][c] : lanes_bits32(q->compares ? passed[(unsigned)sum & 3] : (float)(sum / 3));
    }
}

static void fetch(const struct il_texture *t, const struct il_request *q, uint32_t level, const int64_t at[3],
    unsigned lane, uint32_t out[4])
{
    int64_t in[3] = {at[0], at[1], at[2]};
    unsigned outside = 0;
    for (unsigned i = 0; i < 2 && t->cube; i++) {
        in[i] = wrapped(at[i], il_level_size(t->res, i, level), IL_CLAMP);
        outside += in[i] != at[i];
    }
    if (outside == 2 && t->seamless)
        fetch_corner(t, q, level, at, in, lane, out);
    else if (outside && t->seamless)
        fetch_beyond(t, q, level, at, lane, out);
    else
        fetch_at(t, q, level, at, is_volume(t) ? 0 : lanes_rint(q->at[t->cube ? 2 : t->axes]), lane, out);
}

/* Position in texels of a level. */
static double position(const struct il_texture *t, const struct il_request *q, unsigned axis, uint32_t level)
{
    const double size = il_level_size(t->res, axis, level);
    const double x = (t->unnormalized ? q->at[axis] / (level < 32 ? (double)(1u << level) : 1) : q->at[axis] * size) +
                     q->offset[axis];
    return x != x || fabs(x) > 0x1p40 ? 0 : x;
}

/* Adds weight times a level's value; linear: a bit an axis. */
static void sample_level(const struct il_texture *t, const struct il_request *q, uint32_t level, unsigned linear,
    unsigned lane, double sum[4], double weight, uint32_t out[4])
{
    const unsigned axes = t->cube ? 2 : t->axes;
    int64_t base[3] = {0, 0, 0};
    double part[3] = {0, 0, 0};
    for (unsigned i = 0; i < axes; i++) {
        const double x = position(t, q, i, level) - (linear >> i & 1 ? 0.5 : 0);
        base[i] = (int64_t)floor(x);
        part[i] = x - floor(x);
    }
    for (unsigned corner = 0; corner < 8; corner++) {
        int64_t at[3];
        double share = weight;
        if (corner & ~linear) continue;
        for (unsigned i = 0; i < 3; i++) {
            const bool up = corner >> i & 1;
            at[i] = base[i] + up;
            if (linear >> i & 1) share *= up ? part[i] : 1 - part[i];
        }
        fetch(t, q, level, at, lane, out);
        for (unsigned c = 0; c < 4; c++)
            if (share != 0) sum[c] += share * (double)lanes_f32(out[c]);
    }
}

/* Axes that are filtered, a bit each. */
static unsigned linear_axes(const struct il_texture *t, const struct footprint *f)
{
    const unsigned axes = t->cube ? 2 : t->axes, all = (1u << axes) - 1;
    const uint8_t between = f->magnifies ? t->sampler.volmag : t->sampler.volmin;
    if (integers(t)) return 0;
    const unsigned plane = f->filter == IL_POINT ? 0 : all;
    return !is_volume(t) || between == IL_AS_OTHERS ? plane : (plane & 3) | (between == IL_POINT ? 0u : 4u);
}

void il_sample(const struct il_texture *t, const struct il_request *request, unsigned lane, uint32_t out[4])
{
    const struct il_sampler *s = &t->sampler;
    struct il_request q = *request;
    const uint32_t last = t->res->levels ? t->res->levels - 1 : 0;
    double sum[4] = {0, 0, 0, 0};
    if (t->cube) to_face(t, &q);
    const struct footprint f = footprint_of(t, &q);
    const unsigned linear = linear_axes(t, &f), taps = linear && f.filter == IL_ANISOTROPIC ? f.taps.n : 1;
    const enum sampling_mip mip = s->no_mips ? SAMPLING_BASE : s->linear_mip ? SAMPLING_BETWEEN : SAMPLING_NEAREST;
    uint32_t level[2];
    const double second = sampling_levels(mip, f.lod, last, level), between = integers(t) ? 0 : second;
    for (unsigned tap = 0; tap < taps; tap++) {
        struct il_request here = q;
        for (unsigned i = 0; i < 3 && taps > 1; i++)
            here.at[i] += i < (t->cube ? 2 : t->axes) ? f.taps.along[i] * sampling_tap(tap, taps) : 0;
        sample_level(t, &here, level[0], linear, lane, sum, (1 - between) / taps, out);
        if (between > 0) sample_level(t, &here, level[1], linear, lane, sum, between / taps, out);
    }
    if (!linear && between == 0) return; /* one texel, untouched */
    for (unsigned c = 0; c < 4; c++)
        out[c] = lanes_isnan32(lanes_bits32((float)sum[c])) ? LANES_NAN32 : lanes_bits32((float)sum[c]);
}

void il_gather(
    const struct il_texture *t, const struct il_request *request, unsigned component, unsigned lane, uint32_t out[4])
{
    struct il_request q = *request;
    uint32_t texel[4];
    if (t->cube) to_face(t, &q);
    const int64_t x = (int64_t)floor(position(t, &q, 0, 0) - 0.5),
                  y = t->axes > 1 ? (int64_t)floor(position(t, &q, 1, 0) - 0.5) : 0;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned corner = sampling_gathered(i);
        const int64_t at[3] = {x + (corner & 1), y + (corner >> 1), 0};
        fetch(t, &q, 0, at, lane, texel);
        out[i] = texel[q.compares ? 0 : component];
    }
}

void il_weights(const struct il_texture *t, const struct il_request *q, double out[2])
{
    for (unsigned i = 0; i < 2; i++) {
        const double x = position(t, q, i, 0) - 0.5;
        out[i] = x - floor(x);
    }
}
