/* SPDX-License-Identifier: GPL-3.0-or-later */
/* row.h: lanes that access one place after another, so that their bytes are one range. */
#ifndef GPUDBG_ROW_H
#define GPUDBG_ROW_H

#include <string.h>
#include "gpudbg.h"

/* In gpudbg_accesses.row.  ROW_DWORDS: each dword of a lane is an access of its own, told beside those behind it.
 * ROW_AGAIN: of an atomic, whose lanes access places again that others of the same instruction have accessed.
 * ROW_CHANGES: of an atomic, each of whose lanes changes what is there. */
enum { ROW_UNKNOWN, ROW_YES, ROW_NO, ROW_KNOWN = 3, ROW_DWORDS = 4, ROW_AGAIN = 8, ROW_CHANGES = 16 };

/* Accesses of dwords that are told together, dword by dword: calls each(with, the same of one dword a lane). */
void row_each_dword(
    const struct gpudbg_accesses *, bool (*each)(void *with, const struct gpudbg_accesses *), void *with);
/* The size of an access of a lane. */
static inline uint64_t row_access_size(const struct gpudbg_accesses *all)
{
    return all->row & ROW_DWORDS ? 4 : all->size;
}

typedef uint32_t row_part __attribute__((vector_size(16)));

/* The 16 lowest bits, each in the lowest of four. */
static inline uint64_t row_spread(uint64_t x)
{
    x = (x | x << 24) & UINT64_C(0x000000ff000000ff);
    x = (x | x << 12) & UINT64_C(0x000f000f000f000f);
    x = (x | x << 6) & UINT64_C(0x0303030303030303);
    return (x | x << 3) & UINT64_C(0x1111111111111111);
}

/* A bit a dword, of 64, of a that is neither what it is in b nor that + step. */
static inline uint64_t row_differs(const void *a, const void *b, uint32_t step)
{
    const row_part next = {step, step, step, step};
    row_part found = {0}, bit = {1, 1, 1, 1}, x, y;
    for (size_t i = 0; i < 256; i += sizeof x, bit += bit) {
        memcpy(&x, (const uint8_t *)a + i, sizeof x);
        memcpy(&y, (const uint8_t *)b + i, sizeof y);
        x -= y;
        found |= bit & (row_part)(x != 0) & (row_part)(x != next);
    }
    return row_spread(found[0]) | row_spread(found[1]) << 1 | row_spread(found[2]) << 2 | row_spread(found[3]) << 3;
}

/* n: a multiple of 4. */
static inline bool lanes_in_row(const uint32_t *at, unsigned n, uint32_t step)
{
    row_part other = {0}, part, row = {at[0], at[0] + step, at[0] + 2 * step, at[0] + 3 * step};
    const row_part next = {4 * step, 4 * step, 4 * step, 4 * step};
    for (unsigned i = 0; i < n; i += 4, row += next) {
        memcpy(&part, at + i, sizeof part);
        other |= part ^ row;
    }
    return !(other[0] | other[1] | other[2] | other[3]);
}

static inline bool look_for_row(const struct gpudbg_accesses *all)
{
    const unsigned first = (unsigned)__builtin_ctzll(all->lanes);
    const uint64_t lanes = all->lanes >> first;
    const uint32_t *at = all->offset + first, step = (uint32_t)all->size;
    if (lanes & (lanes + 1) || (lanes > 1 && at[1] != at[0] + step)) return false;
    const unsigned n = 64 - (unsigned)__builtin_clzll(lanes);
    if (at[n - 1] != at[0] + (n - 1) * step) return false;
    if (n == 64) return lanes_in_row(at, 64, step); /* most are */
    if (n == 16) return lanes_in_row(at, 16, step);
    if (n % 4 == 0) return lanes_in_row(at, n, step);
    for (uint32_t i = 1; i < n; i++)
        if (at[i] != at[0] + i * step) return false;
    return true;
}

/* Whether lanes that follow each other access one place after another: the bytes from *offset on, *size of them. */
static inline bool accesses_in_row(const struct gpudbg_accesses *all, uint64_t *offset, uint64_t *size)
{
    const unsigned known = all->row & ROW_KNOWN;
    if (known ? known == ROW_NO : !look_for_row(all)) return false;
    *offset = all->offset[__builtin_ctzll(all->lanes)];
    *size = (uint64_t)__builtin_popcountll(all->lanes) * all->size;
    return true;
}

/* Whether one of the lanes accesses this place. */
static inline bool row_any_at(const struct gpudbg_accesses *all, uint64_t lanes, uint32_t at)
{
    for (; lanes; lanes &= lanes - 1)
        if (all->offset[__builtin_ctzll(lanes)] == at) return true;
    return false;
}

/* Lanes whose places are not those of other lanes before them.  *odd: whether any place is not a multiple of the size.
 */
static inline uint64_t row_apart(const struct gpudbg_accesses *all, uint64_t lanes, bool *odd)
{
    const unsigned shift = all->size == 8 ? 3 : 2;
    uint8_t taken[256] = {0}; /* by a hash of the place: a lane + 1 */
    uint64_t found = 0;
    uint32_t any = 0;
    for (uint64_t m = lanes; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint32_t at = all->offset[lane], other = taken[at >> shift & 255];
        any |= at;
        if (!other)
            taken[at >> shift & 255] = (uint8_t)(lane + 1);
        else if (all->offset[other - 1] == at || row_any_at(all, found, at))
            continue;
        found |= UINT64_C(1) << lane;
    }
    *odd = any & ((uint32_t)all->size - 1);
    return found;
}

#endif
