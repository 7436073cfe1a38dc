/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * changed.h: which dwords of global memory have changed since a checkpoint.
 *
 * Pages are compared with their copies when somebody asks, so copies must stay until then: changed_compare.
 */
#ifndef GPUDBG_CHANGED_H
#define GPUDBG_CHANGED_H

#include "machine/machine_core.h"

#define CHANGED_LINES (GPUDBG_PAGE / 64) /* of a page, each with a bit a dword */

struct changed_page {
    uint64_t key;                   /* 0: free */
    uint16_t dwords[CHANGED_LINES]; /* that differ from `before`, and others */
    const uint8_t *before;          /* what the page held then; NULL: it has been compared */
    const uint8_t *now;
};

struct changed {
    struct changed_page *list;
    size_t n, room; /* room: a power of two */
};

static inline uint64_t changed_key(uint32_t segment, uint64_t page) { return ((uint64_t)segment << 32 | page) + 1; }

/* Pages that were stored to since the checkpoint at that position.  false: that is no longer known. */
bool changed_since(struct changed *, const struct gpudbg_machine *, uint64_t position);
/* The page of a key, compared; NULL: it has not changed. */
const struct changed_page *changed_find(const struct changed *, uint64_t key);
void changed_compare(const struct changed *); /* all pages: copies may go while time goes on */
/* The page, made if it is not there. */
struct changed_page *changed_add(struct changed *, uint64_t key);
void changed_join(struct changed *, struct changed *other); /* adds those of another, which is empty after */
void changed_free(struct changed *);

#endif
