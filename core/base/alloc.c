/* SPDX-License-Identifier: GPL-3.0-or-later */
/* alloc.c: memory; see alloc.h.  The hook is the one variable here: without memory there is no session to ask. */
#include "base/alloc.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gpudbg/text.h"

#define BLOCK_LEAST 4064 /* of an arena; each is twice as large as the one before */
#define BLOCK_SIZE 65024

static void (*at_end)(void);

void xalloc_at_end(void (*hook)(void)) { at_end = hook; }

void xalloc_end(void)
{
    void (*hook)(void) = at_end;
    at_end = NULL; /* it may need memory itself */
    if (hook) hook();
    fputs("gpudbg: out of memory\n", stderr);
    exit(1);
}

static void *must(void *p)
{
    if (!p) xalloc_end();
    return p;
}

void *xalloc(size_t n) { return must(calloc(1, n ? n : 1)); }

void *xcalloc(size_t n, size_t size) { return must(calloc(n ? n : 1, size ? size : 1)); }

void *xrealloc(void *p, size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size) xalloc_end();
    const size_t bytes = n * size;
    return must(realloc(p, bytes ? bytes : 1));
}

void *xgrow(void *p, size_t n, size_t *room, size_t size)
{
    if (n < *room) return p;
    if (n > SIZE_MAX / 2) xalloc_end();
    const size_t want = n < 4 ? 8 : 2 * n;
    p = xrealloc(p, want, size);
    *room = want;
    return p;
}

char *xstrdup(const char *text) { return must(strdup(text)); }

char *xstrndup(const char *text, size_t n) { return must(strndup(text, n)); }

bool alloc_failed(struct gpudbg_error *err, uint64_t n, const char *what)
{
    return gpudbg_fail(err, "memory", "no memory for %s (%" PRIu64 " bytes)", what, n);
}

/* ---- Arena ---- */

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    _Alignas(16) uint8_t bytes[];
};

/* A block that has `size` bytes left; NULL: no memory. */
static struct arena_block *block_with(struct arena *a, size_t size)
{
    if (a->blocks && size <= a->blocks->size - a->blocks->used) return a->blocks;
    size_t room = !a->blocks ? BLOCK_LEAST : a->blocks->size < BLOCK_SIZE ? 2 * a->blocks->size : BLOCK_SIZE;
    if (room < size) room = size;
    struct arena_block *b = room > SIZE_MAX - sizeof *b ? NULL : calloc(1, sizeof *b + room);
    if (!b) return NULL;
    b->size = room;
    b->next = a->blocks;
    return a->blocks = b;
}

void *arena_alloc(struct arena *a, size_t size)
{
    const size_t most = a->most ? a->most : SIZE_MAX - 15;
    if (size > SIZE_MAX - 15 || (size = (size + 15) & ~(size_t)15) > most - a->taken) return NULL;
    struct arena_block *b = block_with(a, size);
    if (!b) return NULL;
    void *p = b->bytes + b->used;
    b->used += size;
    a->taken += size;
    return p;
}

char *arena_string(struct arena *a, const char *text, size_t n)
{
    char *copy = n < SIZE_MAX ? arena_alloc(a, n + 1) : NULL;
    for (size_t i = 0; copy && i < n; i++) copy[i] = text_shown(text[i]);
    return copy;
}

void arena_free(struct arena *a)
{
    for (struct arena_block *b = a->blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    a->blocks = NULL;
    a->taken = 0;
}
