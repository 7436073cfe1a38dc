/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * changed.h: which dwords of global memory have changed since some time, and who changed them.
 *
 * Several write, in sections of time one after another: changed_since adds a section of this process, and changed_add
 * what somebody else's section changed.
 */
#ifndef GPUDBG_CHANGED_H
#define GPUDBG_CHANGED_H

#include "machine/machine_core.h"

#define CHANGED_WORDS (GPUDBG_PAGE / 4 / 64) /* of a page, each with a bit a dword */
#define CHANGED_HERE 1                       /* writer: this process; others have numbers from 2 */
#define CHANGED_SEVERAL UINT32_MAX           /* ... more than one */

struct changed_page {
    uint64_t key;                   /* 0: free */
    uint32_t writer;                /* who changed its dwords; 0: nobody has */
    uint32_t section;               /* that was compared last */
    uint64_t dwords[CHANGED_WORDS]; /* that have changed */
};

struct changed {
    struct changed_page *list;
    size_t n, room; /* room: a power of two */
    uint32_t section;
};

static inline uint64_t changed_key(uint32_t segment, uint64_t page) { return ((uint64_t)segment << 32 | page) + 1; }

static inline void changed_mark(struct changed_page *p, unsigned word, uint64_t dwords, uint32_t writer)
{
    if (!dwords) return;
    p->dwords[word] |= dwords;
    p->writer = !p->writer || p->writer == writer ? writer : CHANGED_SEVERAL;
}

/* Adds what this process has changed since the checkpoint at that position.  false: the checkpoint is gone. */
bool changed_since(struct changed *, const struct gpudbg_machine *, uint64_t position);
/* The page of a key; NULL: it has not changed. */
const struct changed_page *changed_find(const struct changed *, uint64_t key);
/* The page, made if it is not there. */
struct changed_page *changed_add(struct changed *, uint64_t key);
void changed_free(struct changed *);

#endif
