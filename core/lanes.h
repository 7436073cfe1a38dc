/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lanes.h: pure arithmetic that every instruction set wants: casts between words and floats, half floats.  Public; static
 * inline, no state.
 */
#ifndef GPUDBG_LANES_H
#define GPUDBG_LANES_H

#include <stdint.h>
#include <string.h>

static inline float lane_f32(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t lane_bits32(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline double lane_f64(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline uint64_t lane_bits64(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* A half float as a float: exact; NaN payloads move to the top of the fraction, signalling ones become quiet. */
static inline float lane_f32_of_f16(uint16_t h)
{
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, exp = h >> 10 & 31, frac = h & 0x3ff;
    if (exp == 31) return lane_f32(sign | 0x7f800000 | frac << 13 | (frac ? 0x400000 : 0));
    if (exp) return lane_f32(sign | (exp + 112) << 23 | frac << 13);
    return lane_f32(sign | lane_bits32((float)frac * 0x1p-24f));
}

#endif
