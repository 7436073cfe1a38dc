/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_bytes.h: little-endian words at any address. */
#ifndef GEN_BYTES_H
#define GEN_BYTES_H

#include <stdint.h>
#include <string.h>

static inline uint32_t gen_load32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t gen_load64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

#endif
