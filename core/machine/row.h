/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row.h: lanes that access one place after another, so that their bytes are one range. */
#ifndef GPUDBG_ROW_H
#define GPUDBG_ROW_H

#include "gpudbg.h"

/* Whether lanes that follow each other access one place after another: the bytes from *offset on, *size of them. */
static inline bool accesses_in_row(const struct gpudbg_accesses *all, uint64_t *offset, uint64_t *size)
{
    const unsigned first = (unsigned)__builtin_ctzll(all->lanes), n = (unsigned)__builtin_popcountll(all->lanes);
    const uint32_t *at = all->offset + first, step = (uint32_t)all->size;
    if (all->lanes >> first != UINT64_MAX >> (64 - n)) return false;
    if (n == 64) { /* most are: a vector at a time */
        uint32_t other = 0;
        for (uint32_t i = 0; i < 64; i++) other |= at[i] ^ (at[0] + i * step);
        if (other) return false;
    }
    for (uint32_t i = 1; n < 64 && i < n; i++)
        if (at[i] != at[0] + i * step) return false;
    *offset = at[0];
    *size = (uint64_t)n * all->size;
    return true;
}

#endif
