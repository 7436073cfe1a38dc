/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hash.h: a 64-bit hash, by libxxhash's XXH3, which is the same on every machine. */
#ifndef GPUDBG_HASH_H
#define GPUDBG_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Of bytes, behind what `seed` is the hash of. */
uint64_t hash_bytes(const void *, size_t size, uint64_t seed);

/* Folds one value into a hash; for one h every v gives another result, and for one v every h. */
static inline uint64_t hash_fold(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 32;
    return h * UINT64_C(0xd6e8feb86659fd93);
}

#endif
