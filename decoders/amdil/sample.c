/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample.c: filtered texels (7.6 SAMPLE and its family).
 *
 * Coordinates and weights are doubles; a result is rounded to float once.  Level of detail: half the logarithm of the longer
 * derivative's squared length in texels, plus biases, within the sampler's limits, then the levels that there are.  Beyond
 * level 0 the minification filter counts.  A cube's faces are +x -x +y -y +z -z; filters do not cross edges.
 */
#include "image.h"

#include <math.h>
#include <string.h>

#include "lanes.h"

#define BORDER INT64_MIN

/* ---- Places ---- */

void amdil_texture(struct amdil_texture *t, struct gpudbg_wave *w, const struct amdil_resource *res, unsigned type)
{
    const unsigned d = type ? type : res->dimension;
    t->w = w;
    t->res = res;
    t->cube = d == IL_PIXTEX_CUBE || d == IL_PIXTEX_CUBE_PLUS_W || d == IL_PIXTEX_CUBEARRAY;
    t->array = d == IL_PIXTEX_1DARRAY || d == IL_PIXTEX_2DARRAY || d == IL_PIXTEX_2DARRAYMSAA || d == IL_PIXTEX_CUBEARRAY;
    t->axes = t->cube || d == IL_PIXTEX_3D ? 3 : d == IL_PIXTEX_1D || d == IL_PIXTEX_1DARRAY || d == IL_PIXTEX_BUFFER ? 1 : 2;
    if (d == IL_PIXTEX_UNKNOWN)
        t->axes = res->depth > 1 ? 3 : res->height > 1 ? 2 : 1;
    t->unnormalized = res->unnormalized;
}

static bool is_volume(const struct amdil_texture *t)
{
    return t->axes == 3 && !t->cube;
}

uint32_t amdil_level_size(const struct amdil_resource *r, unsigned axis, uint32_t level)
{
    const uint32_t n = axis == 0 ? r->width : axis == 1 ? r->height : r->depth;
    const bool shrinks = axis < 2 ? true : r->dimension == IL_PIXTEX_3D || r->dimension == IL_PIXTEX_UNKNOWN;
    return !shrinks ? n : level < 32 && n >> level ? n >> level : 1;
}

/* A one-dimensional array keeps its slices along the second size. */
static uint32_t rows_at(const struct amdil_texture *t, uint32_t level)
{
    return t->axes == 1 ? t->res->height : amdil_level_size(t->res, 1, level);
}

uint32_t amdil_slices(const struct amdil_texture *t)
{
    return t->axes == 1 ? t->res->height : t->res->depth;
}

static uint64_t place_of(const struct amdil_texture *t, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
    const struct amdil_resource *r = t->res;
    const uint32_t samples = r->samples ? r->samples : 1;
    uint64_t at = 0;
    if (r->line && level == 0)
        return ((uint64_t)z * rows_at(t, 0) + y) * r->line + ((uint64_t)x * samples + sample) * r->pitch;
    for (uint32_t i = 0; i < level; i++)
        at += (uint64_t)amdil_level_size(r, 0, i) * rows_at(t, i) * amdil_level_size(r, 2, i);
    at += ((uint64_t)z * rows_at(t, level) + y) * amdil_level_size(r, 0, level) + x;
    return (at * samples + sample) * r->pitch;
}

void amdil_texel(const struct amdil_texture *t, uint32_t level, uint32_t x, uint32_t y, uint32_t z, uint32_t sample, unsigned lane, uint32_t out[4])
{
    amdil_element_read(t->w, t->res, t->res->base + place_of(t, level, x, y, z, sample), out, lane);
}

/* ---- Cubes ---- */

static unsigned face_of(const double d[3])
{
    const double x = fabs(d[0]), y = fabs(d[1]), z = fabs(d[2]);
    return z >= x && z >= y ? 4 + (d[2] < 0) : y >= x ? 2 + (d[1] < 0) : 0u + (d[0] < 0);
}

/* Where a direction meets a face's plane, [0, 1] on the face. */
static void on_face(const double d[3], unsigned face, double out[2])
{
    const double major = fabs(d[face / 2]) > 0 ? fabs(d[face / 2]) : 1;
    const double s = face < 2 ? (face ? d[2] : -d[2]) : face == 5 ? -d[0] : d[0];
    const double t = face < 2 || face > 3 ? -d[1] : face == 2 ? d[2] : -d[2];
    out[0] = (s / major + 1) / 2;
    out[1] = (t / major + 1) / 2;
}

/* The request on the face that it meets: axes 0 and 1, slice in at[2]. */
static void to_face(const struct amdil_texture *t, struct amdil_request *q)
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

static double length_squared(const struct amdil_texture *t, const double d[3], unsigned axes)
{
    double sum = 0;
    for (unsigned i = 0; i < axes; i++) {
        const double texels = d[i] * (t->unnormalized ? 1 : amdil_level_size(t->res, i, 0));
        sum += texels * texels;
    }
    return sum;
}

static double lod_on_face(const struct amdil_texture *t, const struct amdil_request *q, double *unclamped)
{
    const struct amdil_sampler *s = &t->sampler;
    const unsigned axes = t->cube ? 2 : t->axes;
    double lod = q->lod;
    if (!q->explicit_lod) {
        const double x = length_squared(t, q->dx, axes), y = length_squared(t, q->dy, axes), most = x > y ? x : y;
        lod = most > 0 ? 0.5 * (double)lanes_log2((float)most) : -1000;
    }
    lod += (double)s->bias;
    *unclamped = lod + q->bias;
    lod += q->bias;
    if (lod != lod)
        lod = 0;
    lod = lod < (double)s->min_lod ? (double)s->min_lod : lod > (double)s->max_lod ? (double)s->max_lod : lod;
    return lod;
}

double amdil_lod(const struct amdil_texture *t, const struct amdil_request *request, double *unclamped)
{
    struct amdil_request q = *request;
    const double most = t->res->levels ? t->res->levels - 1 : 0;
    if (t->cube)
        to_face(t, &q);
    const double lod = lod_on_face(t, &q, unclamped);
    return lod < 0 ? 0 : lod > most ? most : lod;
}

/* ---- One level ---- */

/* A texel's number along an axis, wrapped; BORDER: none. */
static int64_t wrapped(int64_t i, int64_t n, unsigned wrap)
{
    int64_t m;
    switch (wrap) {
    case AMDIL_WRAP: m = i % n; return m < 0 ? m + n : m;
    case AMDIL_MIRROR:
        m = i % (2 * n);
        m = m < 0 ? m + 2 * n : m;
        return m < n ? m : 2 * n - 1 - m;
    case AMDIL_MIRROR_ONCE: m = i < 0 ? -1 - i : i; return m < n ? m : n - 1;
    case AMDIL_BORDER: return i < 0 || i >= n ? BORDER : i;
    default: return i < 0 ? 0 : i >= n ? n - 1 : i;
    }
}

static bool passes(unsigned compare, float reference, float texel)
{
    switch (compare) {
    case 0: return false;
    case 1: return reference < texel;
    case 2: return reference == texel;
    case 3: return reference <= texel;
    case 4: return reference > texel;
    case 5: return reference != texel;
    case 6: return reference >= texel;
    default: return true;
    }
}

static void fetch(const struct amdil_texture *t, const struct amdil_request *q, uint32_t level, const int64_t at[3], unsigned lane, uint32_t out[4])
{
    const struct amdil_sampler *s = &t->sampler;
    const unsigned axes = t->cube ? 2 : t->axes;
    uint32_t place[3] = {0, 0, 0};
    bool border = false;
    for (unsigned i = 0; i < axes; i++) {
        const int64_t n = wrapped(at[i], amdil_level_size(t->res, i, level), t->cube ? (unsigned)AMDIL_CLAMP : s->wrap[i]);
        border |= n == BORDER;
        place[i] = n == BORDER ? 0 : (uint32_t)n;
    }
    if (!is_volume(t) && (t->array || t->cube)) {
        const double layer = lanes_rint(q->at[axes]), last = (double)amdil_slices(t) - 1;
        place[axes] = (uint32_t)(layer > 0 ? layer < last ? layer : last : 0);
    }
    if (border)
        for (unsigned c = 0; c < 4; c++)
            out[c] = lanes_bits32(s->border[c]);
    else
        amdil_texel(t, level, place[0], place[1], place[2], 0, lane, out);
    if (q->compares) {
        out[0] = passes(s->compare, q->reference, lanes_f32(out[0])) ? 0x3f800000 : 0;
        out[1] = out[2] = 0;
        out[3] = 0x3f800000;
    }
}

/* Position in texels of a level. */
static double position(const struct amdil_texture *t, const struct amdil_request *q, unsigned axis, uint32_t level)
{
    const double size = amdil_level_size(t->res, axis, level);
    const double x = (t->unnormalized ? q->at[axis] / (level < 32 ? (double)(1u << level) : 1) : q->at[axis] * size) + q->offset[axis];
    return x != x || fabs(x) > 0x1p40 ? 0 : x;
}

static bool integers(const struct amdil_texture *t)
{
    return t->res->format.kind == 3 || t->res->format.kind == 4;
}

static void sample_level(const struct amdil_texture *t, const struct amdil_request *q, uint32_t level, bool linear, unsigned lane, double sum[4],
    double weight, uint32_t out[4])
{
    const unsigned axes = t->cube ? 2 : t->axes;
    int64_t base[3] = {0, 0, 0};
    double part[3] = {0, 0, 0};
    for (unsigned i = 0; i < axes; i++) {
        const double x = position(t, q, i, level) - (linear ? 0.5 : 0);
        base[i] = (int64_t)floor(x);
        part[i] = x - floor(x);
    }
    for (unsigned corner = 0; corner < (linear ? 1u << axes : 1); corner++) {
        int64_t at[3];
        double share = weight;
        for (unsigned i = 0; i < 3; i++) {
            const bool up = corner >> i & 1;
            at[i] = base[i] + up;
            if (linear && i < axes)
                share *= up ? part[i] : 1 - part[i];
        }
        fetch(t, q, level, at, lane, out);
        for (unsigned c = 0; c < 4; c++)
            if (share != 0)
                sum[c] += share * (double)lanes_f32(out[c]);
    }
}

void amdil_sample(const struct amdil_texture *t, const struct amdil_request *request, unsigned lane, uint32_t out[4])
{
    const struct amdil_sampler *s = &t->sampler;
    struct amdil_request q = *request;
    const uint32_t last = t->res->levels ? t->res->levels - 1 : 0;
    double sum[4] = {0, 0, 0, 0}, unclamped;
    if (t->cube)
        to_face(t, &q);
    const double lod = lod_on_face(t, &q, &unclamped);
    const bool linear = (lod <= 0 ? s->linear_mag : s->linear_min) && !integers(t);
    const double limited = s->no_mips || lod < 0 ? 0 : lod > last ? last : lod;
    const uint32_t level = (uint32_t)(s->linear_mip ? floor(limited) : floor(limited + 0.5));
    const double between = s->linear_mip && !integers(t) ? limited - floor(limited) : 0;
    sample_level(t, &q, level > last ? last : level, linear, lane, sum, 1 - between, out);
    if (between > 0)
        sample_level(t, &q, level + 1, linear, lane, sum, between, out);
    if (!linear && between == 0)
        return; /* one texel, untouched */
    for (unsigned c = 0; c < 4; c++)
        out[c] = lanes_isnan32(lanes_bits32((float)sum[c])) ? LANES_NAN32 : lanes_bits32((float)sum[c]);
}

void amdil_gather(const struct amdil_texture *t, const struct amdil_request *request, unsigned component, unsigned lane, uint32_t out[4])
{
    static const int8_t corner[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    struct amdil_request q = *request;
    uint32_t texel[4];
    if (t->cube)
        to_face(t, &q);
    const int64_t x = (int64_t)floor(position(t, &q, 0, 0) - 0.5), y = t->axes > 1 ? (int64_t)floor(position(t, &q, 1, 0) - 0.5) : 0;
    for (unsigned i = 0; i < 4; i++) {
        const int64_t at[3] = {x + corner[i][0], y + corner[i][1], 0};
        fetch(t, &q, 0, at, lane, texel);
        out[i] = texel[q.compares ? 0 : component];
    }
}

void amdil_weights(const struct amdil_texture *t, const struct amdil_request *q, double out[2])
{
    for (unsigned i = 0; i < 2; i++) {
        const double x = position(t, q, i, 0) - 0.5;
        out[i] = x - floor(x);
    }
}
