/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_model.h: images of gfx7 as the manual's names and the public rules of sampling have them, with none of the
 * machine's tables: formats by their names, layouts by their bits, filters in doubles.  From the top: descriptors,
 * formats, places, sampling.
 */
#ifndef GCN_IMAGE_MODEL_H
#define GCN_IMAGE_MODEL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Descriptors, field by field ---- */

struct t_sharp {
    uint32_t dfmt, nfmt, width, height, depth, pitch, base_level, last_level, tiling, type, first, last, pow2;
    uint32_t sel; /* octal digits w z y x */
    /* Of newer chips: where an element of a level is. */
    uint64_t (*place)(const struct t_sharp *, unsigned bytes, unsigned level, uint32_t x, uint32_t y, uint32_t slice);
};

static const struct t_sharp plain = {
    .dfmt = 4, .nfmt = 4, .width = 16, .height = 16, .depth = 1, .pitch = 16, .tiling = 8, .type = 9, .sel = 07654};

struct s_sharp {
    unsigned clamp[3], compare, unnormalized, mode, mag, min, z, mip, border;
    unsigned ratio;       /* log2 of the most taps, where mag or min is 2 or 3 */
    int bias;             /* 1/256 */
    unsigned least, most; /* 1/256 */
};

/* The table of border colours. */
static const float borders[3][4] = {{9, 9, 9, 9}, {0.25f, 0.5f, -3, 0.75f}, {0, 1, 2, 3}};
enum { ENTRY = 1 };

/* ---- Formats ---- */

/* Bits of the components from bit 0 on, from a name whose numbers count from the top bit. */
static unsigned widths_of(const char *name, unsigned bits[4])
{
    unsigned n = 0, from_top[4];
    if (strcmp(name, "X24_8_32") == 0) return bits[0] = 32, bits[1] = 8, 2;
    for (char *p = (char *)name; *p; p += *p == '_') from_top[n++] = (unsigned)strtoul(p, &p, 10);
    for (unsigned i = 0; i < n; i++) bits[i] = from_top[n - 1 - i];
    return n;
}

static double small_float(uint32_t x, unsigned mantissa, bool sign)
{
    int e = (int)(x >> mantissa & 31);
    double m = x & ((1u << mantissa) - 1), unit = ldexp(1, -(int)mantissa);
    double value = e == 31 ? (m != 0 ? (double)NAN : (double)INFINITY)
                   : e     ? ldexp(1 + m * unit, e - 15)
                           : ldexp(m * unit, -14);
    return sign && x >> (mantissa + 5) & 1 ? -value : value;
}

/* What the number format makes of a component, as the word that a program sees. */
static uint32_t component(uint32_t x, unsigned n, unsigned nfmt, unsigned i)
{
    double top = (double)((UINT64_C(1) << n) - 1), half = (double)((UINT64_C(1) << (n - 1)) - 1), f;
    if (nfmt >= 10) { /* half the range was added */
        x = (uint32_t)(((uint64_t)x + (UINT64_C(1) << (n - 1))) & (uint64_t)top);
        nfmt = nfmt == 10 ? 1 : nfmt == 11 ? 6 : nfmt == 12 ? 5 : 3;
    }
    int64_t s = x >> (n - 1) & 1 ? (int64_t)x - (INT64_C(1) << n) : (int64_t)x;
    switch (nfmt) {
    case 0: f = x / top; break;
    case 1: f = (double)s / half < -1 ? -1 : (double)s / half; break;
    case 2: f = x; break;
    case 3: f = (double)s; break;
    case 4: return x;
    case 5: return (uint32_t)s;
    case 6: f = ((double)s * 2 + 1) / top; break;
    case 9: f = i == 3 ? x / top : x / top <= 0.04045 ? x / top / 12.92 : pow((x / top + 0.055) / 1.055, 2.4); break;
    default:
        if (n == 32) return x;
        f = n == 16 ? small_float(x, 10, true) : small_float(x, n - 5, false);
    }
    float result = (float)f;
    uint32_t word;
    memcpy(&word, &result, 4);
    return word;
}

static bool close_words(uint32_t a, uint32_t b, bool exact)
{
    float x, y;
    if (a == b) return true;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    return (x != x && y != y) || (!exact && fabsf(x - y) <= 2e-7f * fabsf(y));
}

/* ---- Where texels lie ---- */

static uint32_t power_of_two(uint32_t n)
{
    uint32_t p = 1;
    while (p < n) p *= 2;
    return p;
}

static uint32_t up(uint32_t n, uint32_t to) { return n % to ? n + to - n % to : n; }

/* Bits of x and y that make an element's place in a tile of 8x8, lowest first. */
static uint32_t place_in_tile(const char *order, uint32_t x, uint32_t y)
{
    uint32_t place = 0;
    for (unsigned i = 0; i < 6; i++) place |= ((order[2 * i] == 'x' ? x : y) >> (order[2 * i + 1] - '0') & 1) << i;
    return place;
}

static const char *order_of(unsigned tiling, unsigned bytes)
{
    static const char *const display[] = {
        "x0x1x2y1y0y2", "x0x1x2y0y1y2", "x0x1y0x2y1y2", "x0y0x1x2y1y2", "y0x0x1x2y1y2"};
    static const char *const rotated[] = {"y0y1y2x1x0x2", "y0y1y2x0x1x2", "y0y1x0y2x1x2", "y0x0y1x1x2y2"};
    unsigned size = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4;
    return tiling == 9 || tiling == 10 ? display[size] : tiling == 27 ? rotated[size] : "x0y0x1y1x2y2";
}

/* Address of an element by the published rules: linear, or tiles of 8x8. */
static uint64_t place(const struct t_sharp *t, unsigned bytes, unsigned level, uint32_t x, uint32_t y, uint32_t slice)
{
    uint64_t at = 0;
    bool linear = t->tiling == 8, volume = t->type == 10;
    if (t->place) return t->place(t, bytes, level, x, y, slice);
    for (unsigned l = 0;; l++) {
        uint32_t pitch = t->pitch >> l ? t->pitch >> l : 1, rows = t->height >> l ? t->height >> l : 1,
                 slices = t->depth;
        if (volume) slices = slices >> l ? slices >> l : 1;
        if (t->type == 11) slices *= 6;
        if (l || t->pow2) rows = power_of_two(rows), slices = power_of_two(slices);
        if (l) pitch = power_of_two(pitch);
        if (linear && l) pitch = up(pitch, 64 / bytes > 8 ? 64 / bytes : 8);
        if (!linear) pitch = up(pitch, 8), rows = up(rows, 8);
        if (linear && l)
            while ((uint64_t)pitch * rows % (256 / bytes > 64 ? 256 / bytes : 64))
                pitch += 64 / bytes > 8 ? 64 / bytes : 8;
        if (!linear && l)
            while ((uint64_t)pitch * rows * bytes % 256) pitch += 8;
        if (l < level) {
            at += ((uint64_t)pitch * rows * bytes * slices + 255) / 256 * 256;
            continue;
        }
        uint64_t element = linear ? (uint64_t)y * pitch + x
                                  : ((uint64_t)(y / 8) * (pitch / 8) + x / 8) * 64 +
                                        place_in_tile(order_of(t->tiling, bytes), x, y);
        return at + ((uint64_t)slice * pitch * rows + element) * bytes;
    }
}

/* ---- Sampling ---- */

/* What a lane asks. */
struct ask {
    const uint8_t *mem; /* the image */
    double at[3], dx[3], dy[3], level, bias, reference;
    int offset[3];
    unsigned slice;
    bool given, limited, zero, compares;
};

/* The index of a texel that a coordinate's whole part means, or -1: the border. */
static int clamped(unsigned how, int i, int n)
{
    bool once = how == 3 || how == 5 || how == 7;
    if (how == 0) {
        while (i < 0) i += n;
        return i % n;
    }
    if (how == 1) {
        while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
        return i;
    }
    if (once && i < 0) i = -1 - i;
    if (how == 2 || how == 3) return i < 0 ? 0 : i >= n ? n - 1 : i;
    return i < 0 || i >= n ? -1 : i;
}

static double texel_at(
    const struct t_sharp *t, const struct s_sharp *s, const struct ask *a, unsigned level, const int i[3], unsigned c)
{
    double f;
    float x[4];
    if (i[0] < 0 || i[1] < 0 || i[2] < 0) {
        f = s->border == 3 ? (double)borders[ENTRY][c] : s->border == 2 || (s->border == 1 && c == 3);
        x[0] = s->border == 3 ? borders[ENTRY][0] : s->border == 2;
    } else {
        memcpy(
            x, a->mem + place(t, 16, level, (uint32_t)i[0], (uint32_t)i[1], (uint32_t)i[2] + t->first + a->slice), 16);
        f = x[c];
    }
    if (!a->compares) return f;
    float ref = (float)a->reference;
    bool pass[8] = {false, ref<x[0], ref == x[0], ref <= x[0], ref> x[0], ref != x[0], ref >= x[0], true};
    return c == 0 ? pass[s->compare] : c == 3;
}

/* u of an axis at a level, in texels. */
static double scaled(const struct s_sharp *s, const struct ask *a, unsigned axis, int size)
{
    double u = (s->unnormalized ? a->at[axis] : a->at[axis] * size) + a->offset[axis];
    if (s->clamp[axis] == 5) u = fabs(u);
    if (s->clamp[axis] == 4 || s->clamp[axis] == 5) u = fmin(fmax(u, 0), size);
    return u;
}

static int sizes_of(const struct t_sharp *t, unsigned axis, unsigned level)
{
    uint32_t n = (axis == 0 ? t->width : axis == 1 ? t->height : t->depth) >> level;
    return n ? (int)n : 1;
}

static double level_value(const struct t_sharp *t, const struct s_sharp *s, const struct ask *a, unsigned dims,
    unsigned level, bool linear, unsigned c)
{
    double sum = 0, worst = 0;
    bool any = false;
    for (unsigned corner = 0; corner < 8; corner++) {
        int i[3] = {0, 0, 0};
        double weight = 1;
        for (unsigned axis = 0; axis < 3; axis++) {
            bool far = corner >> axis & 1, two = axis == 2 && s->z ? s->z == 2 : linear;
            if (axis >= dims || !two) {
                weight *= !far;
                if (axis < dims) {
                    int n = sizes_of(t, axis, level), at = (int)floor(rint(scaled(s, a, axis, n) * 256) / 256);
                    i[axis] = (s->clamp[axis] == 4 || s->clamp[axis] == 5) && at == n ? n - 1
                                                                                      : clamped(s->clamp[axis], at, n);
                }
                continue;
            }
            int n = sizes_of(t, axis, level);
            double u = scaled(s, a, axis, n) - 0.5, whole = floor(u);
            weight *= far ? u - whole : 1 - (u - whole);
            i[axis] = clamped(s->clamp[axis], (int)whole + far, n);
        }
        if (weight == 0) continue;
        double f = texel_at(t, s, a, level, i, c);
        sum += weight * f;
        worst = !any ? f : s->mode == 1 ? fmin(worst, f) : fmax(worst, f);
        any = true;
    }
    return s->mode ? worst : sum;
}

/* GL_EXT_texture_filter_anisotropic: the number of taps, and the axis that they lie on. */
static unsigned taps_of(const struct t_sharp *t, const struct s_sharp *s, const struct ask *a, unsigned dims,
    const double **axis, double *longer)
{
    double x = 0, y = 0, bias = a->bias + s->bias / 256.;
    for (unsigned i = 0; i < dims; i++) {
        x += pow(a->dx[i] * sizes_of(t, i, 0), 2);
        y += pow(a->dy[i] * sizes_of(t, i, 0), 2);
    }
    double most = fmax(sqrt(x), sqrt(y)), least = fmin(sqrt(x), sqrt(y));
    *axis = x > y ? a->dx : a->dy;
    *longer = most;
    if ((log2(most) + bias > 0 ? s->min : s->mag) < 2 || a->given || a->zero || s->unnormalized) return 1;
    return (unsigned)fmin(ceil(most / least), 1 << s->ratio);
}

static double raw_lod(const struct t_sharp *t, const struct s_sharp *s, const struct ask *a, unsigned dims)
{
    const double *axis;
    double longer;
    if (a->zero || s->unnormalized) return 0;
    unsigned taps = taps_of(t, s, a, dims, &axis, &longer);
    return (a->given ? a->level : log2(longer / taps)) + a->bias + s->bias / 256.;
}

static double limited_lod(const struct s_sharp *s, const struct ask *a, double lod)
{
    if (a->zero || s->unnormalized) return 0;
    lod = fmin(lod, s->most / 256.);
    lod = fmax(lod, s->least / 256.);
    return a->limited ? fmax(lod, a->level) : lod;
}

static double tap_value(
    const struct t_sharp *t, const struct s_sharp *s, const struct ask *a, unsigned dims, unsigned c, double lod)
{
    double at = fmin(fmax(lod, 0), t->last_level);
    bool linear = (lod > 0 ? s->min : s->mag) & 1;
    unsigned low = (unsigned)floor(at);
    if (s->mip == 0) return level_value(t, s, a, dims, 0, linear, c);
    if (s->mip == 1) return level_value(t, s, a, dims, (unsigned)floor(at + 0.5), linear, c);
    double f = at - low, first = f < 1 ? level_value(t, s, a, dims, low, linear, c) : 0;
    if (f == 0) return first;
    double second = level_value(t, s, a, dims, low + 1, linear, c);
    return s->mode == 0 ? first * (1 - f) + second * f : s->mode == 1 ? fmin(first, second) : fmax(first, second);
}

static double sample_value(
    const struct t_sharp *t, const struct s_sharp *s, const struct ask *a, unsigned dims, unsigned c)
{
    const double *axis;
    double longer, lod = limited_lod(s, a, raw_lod(t, s, a, dims)), sum = 0, worst = 0;
    unsigned taps = taps_of(t, s, a, dims, &axis, &longer);
    for (unsigned k = 1; k <= taps; k++) {
        struct ask here = *a;
        for (unsigned i = 0; i < dims && taps > 1; i++) here.at[i] += axis[i] * (k / (taps + 1.) - 0.5);
        double v = tap_value(t, s, &here, dims, c, lod);
        sum += v / taps;
        worst = k == 1 ? v : s->mode == 1 ? fmin(worst, v) : fmax(worst, v);
    }
    return s->mode ? worst : sum;
}

#endif
