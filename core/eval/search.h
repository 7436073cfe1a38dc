/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * search.h: looking for bytes in memory: a pattern, a NaN, anything but zero, what differs from other bytes.  Memory is
 * searched where it lies, at the speed of reading it; the ticker is asked every few million bytes.
 *
 * What is looked for, as text, values behind commas one behind another in memory:
 *
 *     1.5   0x3f800000, 2   'c'   "text"    values; `size` says how many bytes each has, else its type: 4 for a plain
 *                                           number that fits, 8 for another
 *     hex:00112233                          bytes in memory order
 *     nan   nonzero   differs FILE          words of their own
 */
#ifndef GPUDBG_SEARCH_H
#define GPUDBG_SEARCH_H

#include "base/ticker.h"
#include "eval/eval.h"

struct search {
    enum search_kind { SEARCH_BYTES, SEARCH_NAN, SEARCH_NONZERO, SEARCH_DIFFERS } kind;
    uint8_t *bytes; /* BYTES: the pattern; DIFFERS: the other bytes; malloc'ed */
    size_t n;
    unsigned element; /* bytes of an element, for those that count in elements: 1, 2, 4 or 8 */
};

/* size: bytes of an element, 0: as the values say (4 for nan, nonzero and differs).  most: bytes of FILE (`set
 * memory-limit`); 0: no limit. */
bool search_open(struct search *, struct eval *, const struct ticker *, uint64_t most, const char *what, unsigned size,
    struct gpudbg_error *);
void search_close(struct search *);

/* Calls each(to, addr) for every place in [first, end) where it is, until it returns false.  `differs` compares FILE's
 * first byte with the byte at `base`.  false: no such memory, or interrupted. */
bool search_run(const struct search *, struct eval *, const struct ticker *, unsigned space, uint64_t base,
    uint64_t first, uint64_t end, bool (*each)(void *to, uint64_t addr), void *to, struct gpudbg_error *);

/* The first place at or after `from` in n bytes, or n: for bytes that are not memory. */
size_t search_in(const struct search *, const uint8_t *bytes, size_t n, size_t from);

#endif
