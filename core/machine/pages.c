/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.c: copies of pages: taking, merging, exchanging with memory. */
#include "machine/pages.h"
#include "machine/door.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_PAGES 511 /* page blocks allocated at a time: with their link 2 MB */
#define INHERITED 8     /* chunks that the pool of the next machine gets: new memory takes longer to fill */

/* A chunk begins with the link to the next one of its list. */
static void chunk_push(void **list, void *chunk)
{
    memcpy(chunk, list, sizeof *list);
    *list = chunk;
}

static void *chunk_pop(void **list)
{
    void *chunk = *list;
    if (chunk) memcpy(list, chunk, sizeof *list);
    return chunk;
}

static bool chunk_begin(struct page_pool *pool)
{
    const size_t size = (CHUNK_PAGES + 1) * GPUDBG_PAGE;
    void *chunk = chunk_pop(&pool->whole);
    if (!chunk) {
        chunk = aligned_alloc(size, size);
        if (!chunk) return false;
        door_large_pages(chunk, size);
    }
    chunk_push(&pool->chunks, chunk);
    pool->uncut = CHUNK_PAGES;
    return true;
}

static uint8_t *page_alloc(struct page_pool *pool)
{
    uint8_t *page = pool->spare;
    if (page) {
        memcpy(&pool->spare, page, sizeof pool->spare);
    } else {
        if (!pool->uncut && !chunk_begin(pool)) return NULL;
        page = (uint8_t *)pool->chunks + (CHUNK_PAGES + 1 - pool->uncut--) * GPUDBG_PAGE;
    }
    pool->pages++;
    return page;
}

static void page_free(struct page_pool *pool, uint8_t *page)
{
    memcpy(page, &pool->spare, sizeof pool->spare);
    pool->spare = page;
    pool->pages--;
}

void pages_empty(struct page_pool *pool, struct page_list *list)
{
    for (size_t i = 0; i < list->n; i++) page_free(pool, list->copy[i].bytes);
    list->n = 0;
}

void pages_free(struct page_pool *pool, struct page_list *list)
{
    pages_empty(pool, list);
    free(list->copy);
    *list = (struct page_list){0};
}

static uint8_t *memory_of(const struct page_copy *copy)
{
    return copy->segment->bytes + (copy->page << GPUDBG_PAGE_BITS);
}

static void swap_bytes(uint8_t *a, uint8_t *b)
{
    uint8_t held[GPUDBG_PAGE];
    memcpy(held, a, GPUDBG_PAGE);
    memcpy(a, b, GPUDBG_PAGE);
    memcpy(b, held, GPUDBG_PAGE);
}

static int page_order(const void *a, const void *b)
{
    const struct page_copy *x = a, *y = b;
    if (x->segment != y->segment) return x->segment->base < y->segment->base ? -1 : 1;
    return x->page < y->page ? -1 : x->page > y->page;
}

bool pages_merge(struct page_pool *pool, struct page_list *list, struct page_list *other)
{
    struct page_copy *room = realloc(list->copy, (list->n + other->n + 1) * sizeof *room);
    if (!room) return false;
    list->copy = room;
    list->room = list->n + other->n + 1;
    qsort(list->copy, list->n, sizeof *list->copy, page_order);
    const size_t had = list->n;
    for (size_t i = 0; i < other->n; i++) {
        const struct page_copy *copy = &other->copy[i];
        if (had && bsearch(copy, list->copy, had, sizeof *copy, page_order))
            page_free(pool, copy->bytes);
        else
            list->copy[list->n++] = *copy;
    }
    other->n = 0;
    pages_free(pool, other);
    return true;
}

bool pages_save(struct page_pool *pool, struct page_list *list, struct gpudbg_segment *s, uint64_t page)
{
    if (list->n == list->room) {
        const size_t room = list->room ? list->room * 2 : 16;
        struct page_copy *grown = realloc(list->copy, room * sizeof *grown);
        if (!grown) return false;
        list->copy = grown;
        list->room = room;
    }
    struct page_copy copy = {s, page, page_alloc(pool)};
    if (!copy.bytes) return false;
    memcpy(copy.bytes, memory_of(&copy), GPUDBG_PAGE);
    list->copy[list->n++] = copy;
    return true;
}

void pages_put_back(const struct page_list *list)
{
    for (size_t i = 0; i < list->n; i++) memcpy(memory_of(&list->copy[i]), list->copy[i].bytes, GPUDBG_PAGE);
}

void pages_pool_inherit(const struct page_pool *pool, bool on)
{
#ifdef MADV_DONTFORK
    void *const lists[] = {pool->chunks, pool->whole};
    for (size_t i = 0; i < 2; i++)
        for (void *chunk = lists[i]; chunk; memcpy(&chunk, chunk, sizeof chunk))
            (void)madvise(chunk, (CHUNK_PAGES + 1) * GPUDBG_PAGE, on ? MADV_DOFORK : MADV_DONTFORK);
#else
    (void)pool, (void)on;
#endif
}

void pages_pool_close(struct page_pool *pool, struct page_pool *heir)
{
    void *chunk;
    for (unsigned n = 0; (chunk = chunk_pop(pool->chunks ? &pool->chunks : &pool->whole)) != NULL; n++)
        if (heir && n < INHERITED)
            chunk_push(&heir->whole, chunk);
        else
            free(chunk);
}

/* ---- Journeys ---- */

/* A page on the way: what is to be in memory so far, and the list entry that gets what is there now. */
struct traveller {
    uint8_t *memory;
    uint8_t *bytes;
    struct page_copy *waits;
};

static struct traveller *traveller_of(const struct page_journey *j, uint8_t *memory)
{
    uint64_t h = (uint64_t)(uintptr_t)memory / GPUDBG_PAGE * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = (size_t)(h >> 32) & j->mask;
    while (j->page[i].memory && j->page[i].memory != memory) i = (i + 1) & j->mask;
    return &j->page[i];
}

void pages_depart(struct page_journey *j, size_t pages, size_t lists)
{
    *j = (struct page_journey){.mask = 63};
    if (lists < 2) return; /* nothing passes over a page twice */
    while (j->mask < 2 * pages) j->mask = 2 * j->mask + 1;
    j->page = calloc(j->mask + 1, sizeof *j->page); /* without memory for it: copied, list by list */
}

void pages_pass(const struct page_journey *j, struct page_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct page_copy *copy = &list->copy[i];
        if (!j->page) {
            swap_bytes(memory_of(copy), copy->bytes);
            continue;
        }
        struct traveller *t = traveller_of(j, memory_of(copy));
        if (t->memory) {
            uint8_t *bytes = t->bytes;
            t->bytes = copy->bytes;
            copy->bytes = bytes;
        } else {
            *t = (struct traveller){memory_of(copy), copy->bytes, copy};
        }
    }
}

void pages_arrive(struct page_journey *j)
{
    for (size_t i = 0; j->page && i <= j->mask; i++) {
        struct traveller *t = &j->page[i];
        if (!t->memory) continue;
        swap_bytes(t->memory, t->bytes);
        t->waits->bytes = t->bytes;
    }
    free(j->page);
}
