/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pool.c: see pool.h.  A pool is a mapping.  The size of each piece is a power of two.  Free pieces are kept in one
 * list for each size; new ones are taken from the front of what is unused.  The lists are in the mapping itself,
 * because the next process that uses the pool needs them. */
#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"

#define SMALLEST 5 /* bits: a piece of 32 bytes */
#define SIZES 64

/* Before each piece's own bytes. */
struct piece {
    struct piece *next; /* in the list of free ones */
    uint64_t bits;      /* of its size, with this */
};

struct pool {
    size_t most, used; /* bytes, this structure included */
    bool full;         /* a piece was asked for that did not fit */
    struct piece *free[SIZES];
};

struct pool *pool_new(size_t most)
{
    if (most < sizeof(struct pool)) return NULL;
    struct pool *p = mmap(NULL, most, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return NULL;
    p->most = most;
    p->used = (sizeof *p + 15) & ~(size_t)15;
    return p;
}

void pool_end(struct pool *p)
{
    if (p) munmap(p, p->most);
}

static struct piece *take(struct pool *p, size_t bytes, bool *fresh)
{
    unsigned bits = SMALLEST;
    while (bits < SIZES - 1 && bytes > (UINT64_C(1) << bits) - sizeof(struct piece)) bits++;
    struct piece *piece = p->free[bits];
    *fresh = !piece;
    if (piece) {
        p->free[bits] = piece->next;
        return piece;
    }
    if (bits == SIZES - 1 || UINT64_C(1) << bits > p->most - p->used) {
        p->full = true;
        return NULL;
    }
    piece = (struct piece *)((char *)p + p->used);
    p->used += (size_t)1 << bits;
    piece->bits = bits;
    return piece;
}

void *pool_alloc(struct pool *p, size_t n, size_t size)
{
    bool fresh;
    const size_t bytes = size && n > SIZE_MAX / size ? SIZE_MAX : n * size;
    struct piece *piece = p ? take(p, bytes, &fresh) : NULL;
    if (!piece) return xcalloc(n, size);
    if (!fresh) memset(piece + 1, 0, bytes);
    return piece + 1;
}

void pool_free(struct pool *p, void *what)
{
    const uintptr_t from = (uintptr_t)p, at = (uintptr_t)what;
    if (!p || at < from || at - from >= p->most) {
        free(what);
        return;
    }
    struct piece *piece = (struct piece *)what - 1;
    piece->next = p->free[piece->bits];
    p->free[piece->bits] = piece;
}

bool pool_whole(const struct pool *p) { return p && !p->full; }
