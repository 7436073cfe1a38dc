/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * endian.h: little-endian words in bytes, at any alignment.  Header-only, no part of the ABI.  Nothing is checked: the
 * caller knows that the bytes are there.
 */
#ifndef GPUDBG_ENDIAN_H
#define GPUDBG_ENDIAN_H

#include <stdint.h>

static inline uint16_t le_u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }

static inline uint32_t le_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t le_u64(const uint8_t *p) { return le_u32(p) | (uint64_t)le_u32(p + 4) << 32; }

/* A value of `bytes` bytes, up to 8. */
static inline uint64_t le_get(const uint8_t *p, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++) value |= (uint64_t)p[i] << 8 * i;
    return value;
}

/* Writes the low `bytes` bytes of a value, up to 8. */
static inline void le_put(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> 8 * i);
}

#endif
