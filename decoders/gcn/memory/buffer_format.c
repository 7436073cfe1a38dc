/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buffer_format.c: see buffer_format.h.  The names of packed formats count from the top bit (10_11_11: z has bits
 * 31:22), as Mesa uses them.  Conversions to normalised integers round to the nearest, ties to even, and clamp; NaN
 * becomes 0.
 */
#include "memory/buffer_format.h"

#include "gpudbg/lanes.h"
#include <math.h>

/* Bits of x, y, z, w, from bit 0 on. */
static const uint8_t widths[16][4] = {
    [1] = {8},
    [2] = {16},
    [3] = {8, 8},
    [4] = {32},
    [5] = {16, 16},
    [6] = {11, 11, 10},
    [7] = {10, 11, 11},
    [8] = {2, 10, 10, 10},
    [9] = {10, 10, 10, 2},
    [10] = {8, 8, 8, 8},
    [11] = {32, 32},
    [12] = {16, 16, 16, 16},
    [13] = {32, 32, 32},
    [14] = {32, 32, 32, 32},
};

enum { UNORM, SNORM, USCALED, SSCALED, UINT, SINT, SNORM_OGL, FLOAT };

const uint8_t *gcn_format_widths(unsigned dfmt) { return widths[dfmt & 15]; }

unsigned gcn_format_bytes(unsigned dfmt)
{
    const uint8_t *n = widths[dfmt & 15];
    return (unsigned)(n[0] + n[1] + n[2] + n[3]) / 8;
}

/* In the order of their numbers, from 1 on; each has unorm, snorm, uscaled and sscaled unless its components have 32
 * bits, then uint and sint, then float where there is one. */
bool gcn_format_newer(unsigned format, unsigned *dfmt, unsigned *nfmt)
{
    static const struct {
        uint8_t dfmt, first, last;
    } rows[] = {{1, UNORM, SINT}, {2, UNORM, FLOAT}, {3, UNORM, SINT}, {4, UINT, FLOAT}, {5, UNORM, FLOAT},
        {6, UNORM, FLOAT}, {7, UNORM, FLOAT}, {8, UNORM, SINT}, {9, UNORM, SINT}, {10, UNORM, SINT}, {11, UINT, FLOAT},
        {12, UNORM, FLOAT}, {13, UINT, FLOAT}, {14, UINT, FLOAT}};
    unsigned at = 1;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned n = rows[i].first; n <= rows[i].last; n++) {
            if (n == SNORM_OGL) continue;
            *dfmt = rows[i].dfmt;
            *nfmt = n;
            if (at++ == format) return true;
        }
    return false;
}

uint32_t gcn_format_one(unsigned nfmt) { return nfmt == UINT || nfmt == SINT ? 1 : 0x3f800000; }

uint32_t gcn_format_half(unsigned nfmt, uint32_t value)
{
    return nfmt == UINT || nfmt == SINT ? value & 0xffff : lanes_f16_from_f32(value, LANES_NEAREST, true);
}

uint32_t gcn_format_whole(unsigned nfmt, uint32_t half)
{
    half &= 0xffff;
    return nfmt == UINT ? half : nfmt == SINT ? (uint32_t)(int16_t)half : lanes_f32_from_f16(half, true);
}

bool gcn_format_fits(unsigned dfmt, unsigned nfmt)
{
    const uint8_t *n = widths[dfmt & 15];
    return nfmt != FLOAT || n[0] % 16 == 0 || n[0] == 11 || n[1] == 11;
}

static uint32_t mask(unsigned bits) { return bits == 32 ? UINT32_MAX : (1u << bits) - 1; }

static int32_t extend(uint32_t v, unsigned bits) { return (int32_t)(v << (32 - bits)) >> (32 - bits); }

/* Floats of 11 and 10 bits: five bits of exponent as in a half, no sign. */
static uint32_t load_float(uint32_t v, unsigned bits)
{
    return bits == 32   ? v
           : bits == 16 ? lanes_f32_from_f16(v, true)
           : bits >= 10 ? lanes_f32_from_f16(v << (15 - bits), true)
                        : 0;
}

uint32_t gcn_component_load(uint32_t v, unsigned bits, unsigned nfmt)
{
    double top = mask(bits), half = mask(bits - 1);
    switch (nfmt) {
    case UNORM: return lanes_bits32((float)(v / top));
    case SNORM: return lanes_bits32((float)fmax(extend(v, bits) / half, -1));
    case USCALED: return lanes_bits32((float)v);
    case SSCALED: return lanes_bits32((float)extend(v, bits));
    case UINT: return v;
    case SINT: return (uint32_t)extend(v, bits);
    case SNORM_OGL: return lanes_bits32((float)((2.0 * extend(v, bits) + 1) / top));
    default: return load_float(v, bits);
    }
}

/* Cuts off the bits of a half that do not fit; negative numbers become 0. */
static uint32_t store_float(uint32_t v, unsigned bits)
{
    if (bits == 32) return v;
    if (bits == 16) return lanes_f16_from_f32(v, LANES_NEAREST, true);
    if (bits < 10 || (v & LANES_SIGN32 && !lanes_isnan32(v))) return 0;
    return (lanes_f16_from_f32(v & ~LANES_SIGN32, LANES_ZERO, true) & 0x7fff) >> (15 - bits);
}

/* The nearest integer between lo and hi. */
static uint32_t clamped(double v, double lo, double hi)
{
    return isnan(v) ? 0 : (uint32_t)(int64_t)nearbyint(fmin(fmax(v, lo), hi));
}

uint32_t gcn_component_store(uint32_t v, unsigned bits, unsigned nfmt)
{
    double top = mask(bits), half = mask(bits - 1), f = lanes_f32(v);
    int32_t s = (int32_t)v, most = (int32_t)mask(bits - 1);
    switch (nfmt) {
    case UNORM: return clamped(f * top, 0, top);
    case SNORM: return clamped(f * half, -half, half);
    case USCALED: return clamped(trunc(f), 0, top);
    case SSCALED: return clamped(trunc(f), -half - 1, half);
    case UINT: return v > mask(bits) ? mask(bits) : v;
    case SINT: return (uint32_t)(s > most ? most : s < -most - 1 ? -most - 1 : s);
    case SNORM_OGL: return clamped((f * top - 1) / 2, -half - 1, half);
    default: return store_float(v, bits);
    }
}

void gcn_format_load(unsigned dfmt, unsigned nfmt, const uint32_t raw[4], uint32_t out[4])
{
    unsigned bit = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = widths[dfmt & 15][i];
        out[i] = bits     ? gcn_component_load(raw[bit / 32] >> bit % 32 & mask(bits), bits, nfmt & 7)
                 : i == 3 ? gcn_format_one(nfmt & 7)
                          : 0;
        bit += bits;
    }
}

void gcn_format_store(unsigned dfmt, unsigned nfmt, const uint32_t in[4], uint32_t raw[4])
{
    unsigned bit = 0;
    memset(raw, 0, 16);
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = widths[dfmt & 15][i];
        if (bits) raw[bit / 32] |= (gcn_component_store(in[i], bits, nfmt & 7) & mask(bits)) << bit % 32;
        bit += bits;
    }
}
