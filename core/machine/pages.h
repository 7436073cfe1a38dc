/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.h: lists of page copies.  A list holds a page at most once.
 *
 * Exchanging a list with memory takes one from the state at one end of an epoch to the state at its other end.  A
 * journey over several epochs hands blocks on from list to list, so that each page is copied once however often it was
 * written.
 */
#ifndef GPUDBG_PAGES_H
#define GPUDBG_PAGES_H

#include "gpudbg.h"

struct page_copy {
    struct gpudbg_segment *segment;
    uint64_t page;
    uint8_t *bytes; /* GPUDBG_PAGE */
};

struct page_list {
    struct page_copy *copy;
    size_t n, room;
};

/* Where the blocks of copies come from. */
struct page_pool {
    uint8_t *spare; /* blocks that were used before, linked by their first bytes */
    void *chunks;   /* that blocks are cut from, linked likewise */
    size_t uncut;   /* blocks at the end of the first of them that were not used yet */
    void *whole;    /* chunks of which no block was used yet */
    uint64_t pages; /* blocks in use */
};

/* When no list uses it any more.  The heir, which may be NULL, gets some of its chunks. */
void pages_pool_close(struct page_pool *, struct page_pool *heir);

/* Whether a process that is made from now on gets the copies, too.  One that never looks at them spares both a fault a
 * page. */
void pages_pool_inherit(const struct page_pool *, bool on);

/* Adds a copy of a page as it is now.  false: no memory. */
bool pages_save(struct page_pool *, struct page_list *, struct gpudbg_segment *, uint64_t page);
void pages_put_back(const struct page_list *); /* memory gets the contents of the list */
void pages_empty(struct page_pool *, struct page_list *);
void pages_free(struct page_pool *, struct page_list *);
/* Moves to `list` those pages of `other` that it lacks; other is empty after.  false: no memory, nothing was done. */
bool pages_merge(struct page_pool *, struct page_list *, struct page_list *other);

struct page_journey {
    struct traveller *page; /* hash table by address; NULL: exchanged at once */
    size_t mask;
};
void pages_depart(struct page_journey *, size_t pages, size_t lists); /* how many will be passed */
void pages_pass(const struct page_journey *, struct page_list *);
void pages_arrive(struct page_journey *); /* memory and lists are whole again */

#endif
