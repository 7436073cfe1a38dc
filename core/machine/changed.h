/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * changed.h: which dwords of global memory have changed since some time, who changed them, and whether that matters to
 * those who have read memory as it was at that time.
 *
 * Several write, in sections of time one after another: changed_since adds a section of this process, changed_stored
 * what somebody else stored.  Of a segment from which nobody has read, only who stores to it is noted, not what.  Of
 * one that nobody had stored to at that time, reads are not noted: everybody counts as having read all of it.
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

struct changed_segment {
    bool quiet;      /* nobody had stored to it: reads are not noted */
    bool read;       /* reads were noted, some time or other: it is known which dwords change */
    uint32_t writer; /* who stored while that was not known; 0: nobody has */
};

struct changed {
    const struct gpudbg_machine *m;
    struct changed_segment *segment; /* one a segment of global memory */
    struct changed_page *list;
    size_t n, room; /* room: a power of two */
    uint32_t section;
};

/* That time is now; from which segments was read before, in the same run, is remembered.  all: the reads of all
 * segments are noted. */
void changed_begin(struct changed *, const struct gpudbg_machine *, bool all);
void changed_free(struct changed *);
/* Adds what this process has changed since the checkpoint at that position.  read: a flag a segment, whether reads
 * of it are noted that are about to be looked at.  false: the checkpoint is gone. */
bool changed_since(struct changed *, uint64_t position, const bool *read);
/* Whether others have stored to segments that the reader has read, and it is not known what. */
bool changed_unknown(const struct changed *, const bool *read, uint32_t reader);
/* Whether others than the reader have changed dwords of a page.  words: a bit a word of 64 dwords, each of which is in
 * `dwords`. */
bool changed_page_read(
    const struct changed *, uint32_t segment, uint32_t page, uint32_t words, const uint64_t *dwords, uint32_t reader);
/* Adds what a writer is about to change: bytes of one page. */
void changed_stored(
    struct changed *, uint32_t segment, uint64_t offset, const uint8_t *bytes, uint32_t size, uint32_t writer);

#endif
