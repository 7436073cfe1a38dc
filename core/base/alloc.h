/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alloc.h: memory.  There are two kinds of sizes:
 *
 * Small and our own: xalloc and its family.  They never return NULL: without memory they end the program, with a
 * reason. Decided by a file or a user: malloc, calloc, realloc or an arena.  Their NULL becomes an error of kind
 * "memory".
 */
#ifndef GPUDBG_ALLOC_H
#define GPUDBG_ALLOC_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "gpudbg/error.h"

/* n bytes, all 0; n may be 0.  The caller frees what all of these return. */
void *xalloc(size_t n);
/* n elements of `size` bytes, all 0; n * size may overflow, which counts as out of memory. */
void *xcalloc(size_t n, size_t size);
/* The array, of n elements of `size` bytes now; what is new is not cleared.  NULL makes a new one.  For the linker it
 * has another name: readline calls an xrealloc of its own, see ui/line.c. */
void *xrealloc(void *, size_t n, size_t size) __asm__("gpudbg_xrealloc");
/* The array with room for at least one more behind n elements; *room counts elements and doubles. */
void *xgrow(void *, size_t n, size_t *room, size_t size);
char *xstrdup(const char *);
char *xstrndup(const char *, size_t n);

/* Out of memory: calls what xalloc_at_end was given, says so on stderr and ends with status 1. */
__attribute__((noreturn)) void xalloc_end(void);
/* What is to be done before that, once; the screen gives the terminal back.  NULL: nothing.  One a process. */
void xalloc_at_end(void (*)(void));

/* Libraries say of what they had no memory for that it is not there, or that it is damaged; but malloc leaves ENOMEM in
 * errno.  alloc_watch forgets what was; alloc_short says whether memory has ended since, as far as errno tells. */
static inline void alloc_watch(void) { errno = 0; }
static inline bool alloc_short(void) { return errno == ENOMEM; }

/* Says that n bytes for `what` could not be had; kind "memory".  Returns false. */
bool alloc_failed(struct gpudbg_error *, uint64_t n, const char *what);

/* ---- Arena: memory that is taken piece by piece and freed at once ---- */

struct arena_block;

struct arena {
    struct arena_block *blocks; /* newest first */
    size_t taken;               /* bytes given out, rounded up to 16 each */
    size_t most;                /* ... that may be given out; 0: no limit */
};

/* `size` bytes, all 0, at a multiple of 16, until arena_free; NULL: more than `most`, or no memory. */
void *arena_alloc(struct arena *, size_t size);
/* n bytes of text and a 0; control characters become '?', because the text is shown on a terminal.  NULL as above. */
char *arena_string(struct arena *, const char *text, size_t n);
/* Frees all; the arena is empty then and may be used again. */
void arena_free(struct arena *);

#endif
