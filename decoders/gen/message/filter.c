/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * filter.c: from coordinates to a colour: which elements of a surface count, how much, and the values outside of it.
 * Source: the address modes of the manuals' enumeration "Texture Coordinate Mode"; faces of cubes lie one after the
 * other as +x -x +y -y +z -z, their axes as in the OpenGL specification.
 */
#include <math.h>

#include "gpudbg/sampling.h"
#include "message/sampler.h"

/* ---- Elements ---- */

bool gen_fetch(struct gen_sampling *q, int64_t u, int64_t v, int64_t r, unsigned lane, struct gen_texel *t)
{
    const struct gen_surface_state *s = q->surface;
    int64_t at = gen_surface_offset(s, u, v, r);
    uint8_t bytes[16] = {0};
    unsigned size = gen_surface_bytes(s);
    const bool inside = at >= 0 && (uint64_t)at + size <= s->segment->size;
    if (inside && !gen_port_read(q->m, &q->port, (uint64_t)at, bytes, size, (int)(q->m->insn->chan_off + lane)))
        return false;
    gen_surface_decode(s, bytes, t);
    return true;
}

uint32_t gen_extent(const struct gen_surface_state *s, unsigned axis)
{
    uint32_t pitch = s->pitch ? s->pitch : gen_surface_bytes(s);
    if (s->size[0]) return s->size[axis];
    return axis ? 1 : (uint32_t)(s->segment->size / pitch);
}

/* The place of a whole number on an axis of n elements. */
struct place {
    int64_t at;
    enum { INSIDE, HALFWAY, OUTSIDE } where;
};

static int64_t clamped(double x, uint32_t n) { return x > 0 ? x < n ? (int64_t)x : (int64_t)n - 1 : 0; }

/* x in 0 .. period - 1 */
static int64_t repeated(double x, double period)
{
    double rest = fmod(x, period);
    return (int64_t)(rest < 0 ? rest + period : rest);
}

static struct place place_of(enum gen_address address, double x, uint32_t n)
{
    struct place p = {clamped(x, n), INSIDE};
    if (!n) return (struct place){0, OUTSIDE};
    if (x >= 0 && x < n) return p;
    if (address == GEN_ADDRESS_BORDER) p.where = OUTSIDE;
    if (address == GEN_ADDRESS_HALF_BORDER) p.where = HALFWAY;
    if (!isfinite(x)) return p;
    if (address == GEN_ADDRESS_WRAP) p.at = repeated(x, n);
    if (address == GEN_ADDRESS_MIRROR && (p.at = repeated(x, 2.0 * n)) >= n) p.at = 2 * (int64_t)n - 1 - p.at;
    if (address == GEN_ADDRESS_MIRROR_101 && n > 1 && (p.at = repeated(x, 2.0 * n - 2)) >= n)
        p.at = 2 * (int64_t)n - 2 - p.at;
    if (address == GEN_ADDRESS_MIRROR_ONCE) p.at = clamped(x < 0 ? -1 - x : x, n);
    return p;
}

/* The sampler's border, as far as the format has channels. */
static void border(const struct gen_sampling *q, struct gen_texel *t)
{
    const unsigned channels = q->surface->channels ? q->surface->channels : 4;
    *t = (struct gen_texel){{0, 0, 0, gen_surface_is_float(q->surface) ? 0x3f800000u : 1u}};
    for (unsigned c = 0; c < channels; c++) t->c[c] = q->sampler->border[c];
}

static bool passes(const struct gen_sampling *q, float element)
{
    /* always never < = <= > != >=, of the element with the reference; if it holds, the answer is 0 */
    static const uint8_t how[8] = {7, 0, 1, 2, 3, 4, 5, 6};
    const unsigned op = q->sampler->compares ? q->sampler->compare : 2;
    return !sampling_compares(how[op & 7], element, q->reference);
}

static void compare(const struct gen_sampling *q, struct gen_texel *t)
{
    if (q->compares) *t = (struct gen_texel){{lanes_bits32(passes(q, lanes_f32(t->c[0])) ? 1 : 0), 0, 0, 0x3f800000}};
}

static bool element(struct gen_sampling *q, const struct place p[3], unsigned lane, struct gen_texel *t)
{
    bool outside = false, halfway = false;
    for (unsigned i = 0; i < 3; i++) {
        outside |= p[i].where == OUTSIDE;
        halfway |= p[i].where == HALFWAY;
    }
    border(q, t);
    if (!outside && !gen_fetch(q, p[0].at, p[1].at, p[2].at, lane, t)) return false;
    if (!outside && halfway && gen_surface_is_float(q->surface)) {
        struct gen_texel edge = *t;
        border(q, t);
        for (unsigned c = 0; c < 4; c++) t->c[c] = lanes_bits32((lanes_f32(edge.c[c]) + lanes_f32(t->c[c])) / 2);
    }
    compare(q, t);
    return true;
}

static void add(float sum[4], float weight, const struct gen_texel *t)
{
    for (unsigned c = 0; c < 4; c++) sum[c] += weight * lanes_f32(t->c[c]);
}

static void finish(const float sum[4], struct gen_texel *t)
{
    for (unsigned c = 0; c < 4; c++) t->c[c] = lanes_bits32(sum[c]);
}

/* ---- Lines, planes and volumes ---- */

/* Whether the surface lacks the axis.  A surface of one line may be 1D, with v left out; one element deep it is 2D. */
static bool is_flat(unsigned axis, double at, uint32_t n) { return n == 1 && (axis == 2 || (axis == 1 && at == 0)); }

/* The elements on both sides of the place, and the weight of the second. */
struct between {
    struct place low[3], high[3];
    float weight[3];
};

static struct between around(const struct gen_sampling *q, const double at[4], bool linear)
{
    const struct gen_sampler_state *s = q->sampler;
    struct between b = {.weight = {0, 0, 0}};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t n = gen_extent(q->surface, i);
        if (is_flat(i, at[i], n)) continue;
        if (i && i == q->surface->layers) { /* layers are whole numbers, and never outside */
            b.low[i] = b.high[i] = place_of(GEN_ADDRESS_EDGE, rint(at[i]), n);
            continue;
        }
        double x = at[i] * (s->unnormalised ? 1 : n) - (linear ? 0.5 : 0) + q->offset[i], whole = floor(x);
        b.low[i] = place_of(s->address[i], whole, n);
        b.high[i] = linear ? place_of(s->address[i], whole + 1, n) : b.low[i];
        b.weight[i] = linear && isfinite(x) ? (float)(x - whole) : 0;
    }
    return b;
}

static bool plane(struct gen_sampling *q, const double at[4], bool linear, unsigned lane, struct gen_texel *out)
{
    const struct between b = around(q, at, linear);
    if (!linear) return element(q, b.low, lane, out);
    float sum[4] = {0, 0, 0, 0};
    for (unsigned k = 0; k < 8; k++) {
        struct place p[3];
        struct gen_texel t;
        float w = 1;
        for (unsigned i = 0; i < 3; i++) {
            p[i] = k >> i & 1 ? b.high[i] : b.low[i];
            w *= k >> i & 1 ? b.weight[i] : 1 - b.weight[i];
        }
        if (w == 0) continue;
        if (!element(q, p, lane, &t)) return false;
        add(sum, w, &t);
    }
    finish(sum, out);
    return true;
}

/* ---- Cubes ---- */

struct face {
    unsigned number;
    double s, t; /* -1 to 1 */
};

static struct face face_of(double x, double y, double z)
{
    const double ax = fabs(x), ay = fabs(y), az = fabs(z), d[3] = {x, y, z};
    const unsigned axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
    struct face f = {.number = 2 * axis + !(d[axis] >= 0)};
    sampling_on_face(d, f.number, &f.s, &f.t);
    f.s /= fabs(d[axis]);
    f.t /= fabs(d[axis]);
    return f;
}

/* Moves a place beyond an edge to the same place on the face that is there. */
static struct face fold(struct face f)
{
    double d[3];
    sampling_direction(f.number, f.s, f.t, d);
    return face_of(d[0], d[1], d[2]);
}

static bool face_element(
    struct gen_sampling *q, unsigned cube, unsigned face, int64_t i, int64_t j, unsigned lane, struct gen_texel *t)
{
    const int64_t n = gen_extent(q->surface, 0);
    if (i < 0 || j < 0 || i >= n || j >= n) {
        struct face f = fold(
            (struct face){face, (2.0 * (double)i + 1) / (double)n - 1, (2.0 * (double)j + 1) / (double)n - 1});
        face = f.number;
        i = clamped(floor((f.s + 1) / 2 * (double)n), (uint32_t)n);
        j = clamped(floor((f.t + 1) / 2 * (double)n), (uint32_t)n);
    }
    const struct place p[3] = {{i, INSIDE}, {j, INSIDE}, {6 * (int64_t)cube + face, INSIDE}};
    return element(q, p, lane, t);
}

static bool cube(struct gen_sampling *q, const double at[4], bool linear, unsigned lane, struct gen_texel *out)
{
    const uint32_t n = gen_extent(q->surface, 0), cubes = gen_extent(q->surface, 2) / 6;
    const unsigned number = (unsigned)clamped(rint(at[3]), cubes);
    const struct face f = face_of(at[0], at[1], at[2]);
    const double x = (f.s + 1) / 2 * n - (linear ? 0.5 : 0), y = (f.t + 1) / 2 * n - (linear ? 0.5 : 0);
    if (!linear || !isfinite(x) || !isfinite(y))
        return face_element(q, number, f.number, clamped(floor(x), n), clamped(floor(y), n), lane, out);
    float sum[4] = {0, 0, 0, 0}, total = 0;
    for (unsigned k = 0; k < 4; k++) {
        const int64_t i = (int64_t)floor(x) + (k & 1), j = (int64_t)floor(y) + (k >> 1);
        const bool corner = (i < 0 || i >= n) && (j < 0 || j >= n); /* three faces meet there, no element */
        const float wx = (float)(x - floor(x)), wy = (float)(y - floor(y)),
                    w = (k & 1 ? wx : 1 - wx) * (k >> 1 ? wy : 1 - wy);
        struct gen_texel t;
        if (corner || w == 0) continue;
        if (!face_element(q, number, f.number, i, j, lane, &t)) return false;
        add(sum, w, &t);
        total += w;
    }
    for (unsigned c = 0; c < 4; c++) sum[c] /= total;
    finish(sum, out);
    return true;
}

static bool is_cube(const struct gen_sampling *q)
{
    const struct gen_surface_state *s = q->surface;
    return q->sampler->address[0] == GEN_ADDRESS_CUBE && s->size[0] && s->size[0] == s->size[1] && s->size[2] % 6 == 0;
}

/* ---- All ---- */

bool gen_filter(struct gen_sampling *q, const double at[4], bool linear, unsigned lane, struct gen_texel *out)
{
    linear = linear && (q->compares || gen_surface_is_float(q->surface));
    return is_cube(q) ? cube(q, at, linear, lane, out) : plane(q, at, linear, lane, out);
}

/* One channel of the four elements that a linear filter would take: lower left, lower right, upper right, upper left.
 */
bool gen_gather(struct gen_sampling *q, const double at[4], unsigned lane, struct gen_texel *out)
{
    const struct between b = around(q, at, true);
    for (unsigned c = 0; c < 4; c++) {
        const unsigned corner = sampling_gathered(c);
        const struct place p[3] = {corner & 1 ? b.high[0] : b.low[0], corner & 2 ? b.high[1] : b.low[1], b.low[2]};
        struct gen_texel t;
        if (!element(q, p, lane, &t)) return false;
        out->c[c] = t.c[q->compares ? 0 : q->gathers];
    }
    return true;
}
