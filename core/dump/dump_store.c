/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump_store.c: what a dump keeps things in: chunks, strings, tables. */
#include "base/alloc.h"
#include "dump/dump_own.h"
#include <stdlib.h>
#include <string.h>

#define CHUNK 4096 /* things that are allocated together */

void *dump_chunk_at(const struct dump_chunks *c, size_t i) { return c->chunk[i / CHUNK] + i % CHUNK * c->item; }

void *dump_chunk_add(struct dump_chunks *c, size_t item)
{
    c->item = item;
    if (c->count == c->nchunks * CHUNK) {
        c->chunk = xrealloc(c->chunk, c->nchunks + 1, sizeof *c->chunk);
        c->chunk[c->nchunks++] = xrealloc(NULL, CHUNK, item);
    }
    return memset(dump_chunk_at(c, c->count++), 0, item);
}

void dump_chunks_free(struct dump_chunks *c)
{
    for (size_t i = 0; i < c->nchunks; i++) free(c->chunk[i]);
    free(c->chunk);
}

void *dump_grow(void *array, size_t count, size_t item)
{
    if (count & (count - 1)) return array;
    return xrealloc(array, count ? 2 * count : 1, item);
}

uint32_t *dump_slot(struct gpudbg_dump *d, struct dump_table *t, uint64_t hash, dump_same_fn *same, const void *key)
{
    size_t at = hash & (t->room - 1);
    while (t->slot[at] && !same(d, t->slot[at] - 1, key)) at = (at + 1) & (t->room - 1);
    return &t->slot[at];
}

void dump_table_room(struct gpudbg_dump *d, struct dump_table *t, dump_hash_fn *hash)
{
    if (2 * t->count < t->room) return;
    struct dump_table old = *t;
    t->room = old.room ? 2 * old.room : 256;
    t->slot = xcalloc(t->room, sizeof *t->slot);
    for (size_t i = 0; i < old.room; i++) {
        if (!old.slot[i]) continue;
        size_t at = hash(d, old.slot[i] - 1) & (t->room - 1);
        while (t->slot[at]) at = (at + 1) & (t->room - 1);
        t->slot[at] = old.slot[i];
    }
    free(old.slot);
}

static uint64_t text_hash(const char *text)
{
    uint64_t hash = 1, eight;
    size_t n = strlen(text);
    for (; n >= sizeof eight; text += sizeof eight, n -= sizeof eight) {
        memcpy(&eight, text, sizeof eight);
        hash = dump_mix(hash, eight);
    }
    eight = 0;
    memcpy(&eight, text, n);
    return dump_mix(hash, eight);
}
uint64_t string_hash(const struct gpudbg_dump *d, uint32_t i)
{
    return text_hash(*(char **)dump_chunk_at(&d->strings, i));
}
static bool string_same(const struct gpudbg_dump *d, uint32_t i, const void *key)
{
    return strcmp(*(char **)dump_chunk_at(&d->strings, i), key) == 0;
}

const char *dump_string(struct gpudbg_dump *d, const char *text)
{
    if (!text) return NULL;
    dump_table_room(d, &d->string_at, string_hash);
    uint32_t *at = dump_slot(d, &d->string_at, text_hash(text), string_same, text);
    if (!*at) {
        d->used += strlen(text) + 32;
        if (d->used > DUMP_BUDGET + ((size_t)4 << 20)) /* a little more, so that the note of the limit is kept */
            return "(dropped)";
        char *copy = xstrdup(text);
        *(char **)dump_chunk_add(&d->strings, sizeof copy) = copy;
        *at = (uint32_t)d->strings.count;
        d->string_at.count++;
    }
    return *(char **)dump_chunk_at(&d->strings, *at - 1);
}

const char *dump_string_kept(struct gpudbg_dump *d, const char *text)
{
    const uint32_t *at = d->string_at.room ? dump_slot(d, &d->string_at, text_hash(text), string_same, text) : NULL;
    return at && *at ? *(char **)dump_chunk_at(&d->strings, *at - 1) : NULL;
}
