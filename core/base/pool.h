/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pool.h: memory that a process and those forked from it share, at the same addresses.  What a worker (parts.h) makes
 * and leaves there is simply there for who asked it.  Only one process at a time may use a pool.
 *
 * All functions take NULL for a pool as well, and a pool that is full: then memory is malloc's.
 */
#ifndef GPUDBG_POOL_H
#define GPUDBG_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct pool;

/* Room for `most` bytes, of which only those that are used take memory; NULL: it cannot be had. */
struct pool *pool_new(size_t most);
/* Ends it, and with it all that it gave; but not what malloc gave in its place. */
void pool_end(struct pool *);
/* n elements of `size` bytes, all 0; like xcalloc it never returns NULL. */
void *pool_alloc(struct pool *, size_t n, size_t size);
void pool_free(struct pool *, void *); /* or NULL */
/* All that it was asked for lies in it: so other processes see it, too. */
bool pool_whole(const struct pool *);

#endif
