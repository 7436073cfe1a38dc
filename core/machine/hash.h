/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.h: a fast 64-bit hash.  For inputs of one length, two that differ in a single 64-bit word never hash alike. */
#ifndef GPUDBG_HASH_H
#define GPUDBG_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *, size_t size, uint64_t seed);

/* Folds one value into a hash; for one h every v gives another result, and for one v every h. */
static inline uint64_t hash_fold(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 32;
    return h * UINT64_C(0xd6e8feb86659fd93);
}

#endif
