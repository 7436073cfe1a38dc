/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sampling.h: arithmetic of texture samplers, without state, for decoders and plug-ins.
 *
 * Coordinates and weights are doubles, as the OpenGL and Direct3D specifications leave them: no weights of 8 bits.
 * Sources: Direct3D 11.3 functional specification, 7.18; OpenGL 4.6, 8.13 and 8.14; GL_EXT_texture_filter_anisotropic.
 */
#ifndef GPUDBG_SAMPLING_H
#define GPUDBG_SAMPLING_H

#include "lanes.h"

/* ---- Texels along an axis ---- */

enum sampling_wrap {
    SAMPLING_REPEAT,
    SAMPLING_MIRROR,
    SAMPLING_EDGE,        /* the nearest texel */
    SAMPLING_MIRROR_ONCE, /* mirrored at 0, then EDGE */
    SAMPLING_BORDER,
    SAMPLING_MIRROR_BORDER, /* mirrored at 0, then BORDER */
};
#define SAMPLING_OUTSIDE INT64_MIN

/* The texel for number i on an axis of n texels, 0 to n - 1; SAMPLING_OUTSIDE: the border colour.  n is not
 * 0, and i no further than 2^62 from it. */
static inline int64_t sampling_wrapped(enum sampling_wrap how, int64_t i, int64_t n)
{
    if (i >= 0 && i < n) return i;
    const int64_t mirrored = i < 0 ? -1 - i : i, period = how == SAMPLING_MIRROR ? 2 * n : n;
    int64_t m;
    switch (how) {
    case SAMPLING_REPEAT:
    case SAMPLING_MIRROR:
        m = i % period;
        m = m < 0 ? m + period : m;
        return m < n ? m : 2 * n - 1 - m;
    case SAMPLING_MIRROR_ONCE: return mirrored < n ? mirrored : n - 1;
    case SAMPLING_MIRROR_BORDER: return mirrored < n ? mirrored : SAMPLING_OUTSIDE;
    case SAMPLING_BORDER: return SAMPLING_OUTSIDE;
    default: return i < 0 ? 0 : n - 1;
    }
}

/* The i-th of the four texels that a gather takes, in the order (0, 1) (1, 1) (1, 0) (0, 0): bit 0 is the second texel
 * along u, bit 1 the second along v. */
static inline unsigned sampling_gathered(unsigned i) { return i == 0 ? 2 : i == 1 ? 3 : i == 2 ? 1 : 0; }

/* An offset in texels, six bits with a sign. */
static inline int32_t sampling_offset(uint32_t v) { return (int32_t)(v << 26) >> 26; }

/* ---- Depth ---- */

/* how: never, less, equal, less or equal, greater, not equal, greater or equal, always. */
static inline bool sampling_compares(unsigned how, float a, float b)
{
    switch (how) {
    case 0: return false;
    case 1: return a < b;
    case 2: return a == b;
    case 3: return a <= b;
    case 4: return a > b;
    case 5: return a != b;
    case 6: return a >= b;
    default: return true;
    }
}

/* ---- Level of detail ---- */

/* Places that one request takes texels from, side by side along an axis. */
struct sampling_taps {
    unsigned n;
    const double *along; /* coordinates of the axis, borrowed; n 1: NULL */
};

/* Taps of an anisotropic filter for a pixel's area of the texture: as many as its longer axis is longer than the
 * shorter one, at most `most`.  x and y: squared lengths in texels of the axes dx and dy, not both 0.  *level becomes
 * that of one tap. */
static inline struct sampling_taps sampling_stretched(
    double x, double y, const double *dx, const double *dy, unsigned most, double *level)
{
    const double ratio = sqrt(x > y ? x / y : y / x); /* infinite or NaN where one is 0 */
    const struct sampling_taps taps = {ratio <= most ? (unsigned)lanes_ceil64(ratio) : most, x > y ? dx : dy};
    *level -= (double)lanes_log2((float)taps.n);
    return taps;
}

/* How far a tap is from the middle, in lengths of the axis. */
static inline double sampling_tap(unsigned tap, unsigned n) { return (tap + 1) / (n + 1.0) - 0.5; }

enum sampling_mip { SAMPLING_BASE, SAMPLING_NEAREST, SAMPLING_BETWEEN };

/* The level or levels for a level of detail, 0 to `last`; returns the share of the second, which is 0 if there is none.
 */
static inline double sampling_levels(enum sampling_mip mip, double level, uint32_t last, uint32_t at[2])
{
    const double limited = !(level > 0) ? 0 : level > last ? last : level;
    at[0] = at[1] = 0;
    if (mip == SAMPLING_BASE) return 0;
    at[0] = at[1] = (uint32_t)lanes_floor64(mip == SAMPLING_NEAREST ? limited + 0.5 : limited);
    if (mip == SAMPLING_NEAREST || at[0] == last) return 0;
    at[1]++;
    return limited - at[0];
}

/* ---- Cubes: faces +x -x +y -y +z -z ---- */

/* Where a direction meets a face's plane: s and t, times the distance along the face's axis. */
static inline void sampling_on_face(const double d[3], unsigned face, double *s, double *t)
{
    *s = face < 2 ? (face ? d[2] : -d[2]) : face == 5 ? -d[0] : d[0];
    *t = face < 2 || face > 3 ? -d[1] : face == 2 ? d[2] : -d[2];
}

/* The direction of a place on a face's plane, s and t from -1 to 1 on the face. */
static inline void sampling_direction(unsigned face, double s, double t, double d[3])
{
    const double sign = face & 1 ? -1 : 1;
    d[face / 2 % 3] = sign;
    if (face < 2) {
        d[1] = -t;
        d[2] = -sign * s;
    } else if (face < 4) {
        d[0] = s;
        d[2] = sign * t;
    } else {
        d[0] = sign * s;
        d[1] = -t;
    }
}

#endif
