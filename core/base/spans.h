/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spans.h: which of many ranges of addresses, that may lie over one another, an address is in. */
#ifndef GPUDBG_SPANS_H
#define GPUDBG_SPANS_H

#include <stddef.h>
#include <stdint.h>

struct span {
    uint64_t from, last; /* inclusive, so that the end of all addresses can be said */
    uint32_t number;
};

struct spans {
    struct span *span; /* sorted, without overlaps; freed by free() */
    size_t count;
};

/* Sorts the n spans given; each address goes to the lowest number of those that cover it.  Time n log n.  A
 * span of NULL: no memory. */
struct spans spans_make(struct span *, size_t n);
/* The first span that ends at addr or above; count if there is none. */
size_t spans_to(const struct spans *, uint64_t addr);

#endif
