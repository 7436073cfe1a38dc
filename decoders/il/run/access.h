/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * access.h: what an instruction of AMD IL touches in memory, lane by lane.
 *
 *     il_access_begin       which resource, which lanes
 *     il_access_address     where each lane goes (il_access_places)
 *     il_access_get, _put   one lane; or, where il_access_all_loaded, _stored say so, all lanes at once
 *     il_access_done        reports what missed
 */
#ifndef IL_ACCESS_H
#define IL_ACCESS_H

#include "run/il_run.h"

struct il_accesses {
    struct gpudbg_wave *w;
    struct il *r;
    const struct il_exec_op *op;
    const struct il_resource *res;
    struct gpudbg_segment *segment;
    const char *family;
    uint32_t id;
    uint64_t exec, storing;
    uint64_t place[IL_LANES]; /* byte from the resource's start */
    uint64_t limit[IL_LANES]; /* first byte that is out of reach: end of the struct, or of the buffer */
    uint64_t outside, odd;    /* lanes */
    uint64_t first_outside, first_odd;
    uint64_t lowest, highest; /* places */
    uint64_t deepest, deep;   /* byte of a struct; bytes of one */
    bool astray;              /* a lane names a struct that is not there */
    /* Where `limit` was not filled: */
    bool flat;   /* the limit is the resource's end for all lanes, */
    bool inside; /* or of the struct that is there by its index */
    uint32_t index[IL_LANES];
};

/* The resource of that number, or an empty one. */
static inline const struct il_resource *il_chosen(const struct il_resource *list, uint32_t room, uint32_t id)
{
    static const struct il_resource none;
    return id < room ? &list[id] : &none;
}

void il_access_begin(struct il_accesses *, struct gpudbg_wave *, struct il *, const struct il_exec_op *);
/* For an instruction that only stores: lanes that must not store do not take part. */
void il_access_store(struct il_accesses *, struct gpudbg_wave *, struct il *, const struct il_exec_op *);
/* Where lanes go.  index and offset: rows; a raw buffer has no index.  align: bytes, a power of two. */
void il_access_places(struct il_accesses *, const uint32_t *index, const uint32_t *offset, unsigned align);
/* The same from source 0: struct buffers take x and y, others and instructions called raw x alone. */
void il_access_address(struct il_accesses *, unsigned align);
/* Coordinates of a typed resource: rows of x, y and z. */
void il_typed_places(struct il_accesses *, const uint32_t *s[4]);
/* The bytes of the segment that places count from, if the next n bytes of every lane exist; else NULL: take lanes one
 * by one.  Watchers have then been told that these dwords of them, a bit each, are loaded. */
const uint8_t *il_access_all_loaded(const struct il_accesses *, size_t n, uint8_t dwords);
/* The same for stores, where nobody watches, and all pages between may be written at once. */
uint8_t *il_access_all_stored(const struct il_accesses *, size_t n);
/* Stores these dwords of every lane, a bit each, of n bytes, from rows.  false: take lanes one by one. */
bool il_access_put_rows(const struct il_accesses *, size_t n, uint8_t dwords, const uint32_t *const rows[4]);
/* Reads a dword of each lane from `bytes` on; all lanes are in reach. */
void il_access_gather(const struct il_accesses *, const uint8_t *bytes, uint32_t *row);
/* Whether a load may write the rows of its destination: all lanes execute, and it is a register. */
bool il_access_is_direct(const struct il_accesses *);
/* Fills the components that the mask makes 0 or 1. */
void il_access_fill_masked(const struct il_accesses *);
/* Reports lanes that missed. */
enum gpudbg_ran il_access_done(struct il_accesses *);
/* Stores il->result[0] into all components that are written.  ok: the memory part worked. */
enum gpudbg_ran il_store_word(struct il_accesses *, bool ok);
/* Reports lanes whose address had low bits that are cut off. */
void il_unaligned(struct gpudbg_wave *, struct il *, const struct il_exec_op *, uint64_t lanes, uint64_t at);

/* Notes a miss; helper lanes are not reported. */
static inline void il_access_miss(struct il_accesses *a, unsigned l, uint64_t at)
{
    if (!(a->storing >> l & 1)) return;
    if (!a->outside) a->first_outside = at;
    a->outside |= 1ull << l;
}

static inline uint64_t il_access_limit(const struct il_accesses *a, unsigned l)
{
    if (a->inside) return ((uint64_t)a->index[l] + 1) * a->res->stride;
    return a->flat ? a->res->size : a->limit[l];
}

static inline bool il_access_reaches(struct il_accesses *a, unsigned l, uint64_t at, size_t n)
{
    if (at + n <= il_access_limit(a, l) && at + n <= a->res->size && a->segment &&
        a->res->base + at + n <= a->segment->size)
        return true;
    il_access_miss(a, l, at);
    return false;
}

static inline uint32_t il_access_get(struct il_accesses *a, unsigned l, uint64_t at, size_t n)
{
    uint32_t v = 0;
    if (il_access_reaches(a, l, at, n)) il_read(a->w, a->segment, a->res->base + at, &v, n, l);
    return v;
}

static inline bool il_access_put(struct il_accesses *a, unsigned l, uint64_t at, uint32_t v, size_t n)
{
    if (!(a->storing >> l & 1)) return true;
    if (a->r->refused) return false;
    return !il_access_reaches(a, l, at, n) || il_write(a->w, a->segment, a->res->base + at, &v, n, l);
}

#endif
