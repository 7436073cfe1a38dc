/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwritten.c: see unwritten.h.  A byte of shadow for each byte, made a page at a time when the page departs from what
 * it was at the start; and a number for each dword, where something unwritten was stored. */
#include "check/unwritten.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct area {
    uint8_t **page;  /* npages of them; NULL: as at the start */
    uint32_t **came; /* as many; NULL: nothing unwritten was stored there */
    size_t npages;
};

struct unwritten {
    struct gpudbg_machine *machine;
    struct area *group, *global;
    size_t nglobal;
    bool any;
    /* What was looked for last. */
    struct place {
        const struct gpudbg_segment *segment;
        uint32_t group;
        struct area *area;
        uint8_t from_start; /* what its bytes miss at the start */
    } latest;
};

struct unwritten *unwritten_new(struct gpudbg_machine *m)
{
    struct unwritten *u = xalloc(sizeof *u);
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    u->machine = m;
    u->group = xcalloc(m->nwaves / m->waves_per_group, sizeof *u->group);
    u->nglobal = space->count;
    u->global = xcalloc(u->nglobal + 1, sizeof *u->global);
    u->any = m->lds_size;
    for (size_t i = 0; i < u->nglobal; i++) u->any |= (space->segment[i]->flags & GPUDBG_SEG_UNDEFINED) != 0;
    return u;
}

static void area_free(struct area *a)
{
    for (size_t i = 0; i < a->npages; i++) {
        if (a->page) free(a->page[i]);
        if (a->came) free(a->came[i]);
    }
    free(a->page);
    free(a->came);
    *a = (struct area){NULL, NULL, 0};
}

void unwritten_forget(struct unwritten *u, uint32_t group) { area_free(&u->group[group]); }

void unwritten_free(struct unwritten *u)
{
    if (!u) return;
    for (uint32_t i = 0; i < u->machine->nwaves / u->machine->waves_per_group; i++) area_free(&u->group[i]);
    for (size_t i = 0; i < u->nglobal; i++) area_free(&u->global[i]);
    free(u->group);
    free(u->global);
    free(u);
}

bool unwritten_any(const struct unwritten *u) { return u->any; }

static struct place find(const struct unwritten *u, uint32_t group, const struct gpudbg_segment *s)
{
    struct gpudbg_segment *const *all = u->machine->space[GPUDBG_GLOBAL].segment;
    size_t lo = 0, hi = u->nglobal;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (all[mid]->base < s->base)
            lo = mid + 1;
        else
            hi = mid;
    }
    const bool global = lo < u->nglobal && all[lo] == s;
    return (struct place){.segment = s,
        .group = group,
        .area = global ? &u->global[lo] : &u->group[group],
        .from_start = !global || s->flags & GPUDBG_SEG_UNDEFINED ? 0xff : 0};
}

/* The area of a segment, and what its bytes miss at the start. */
static inline struct area *area_of(
    struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint8_t *from_start)
{
    if (u->latest.segment != s || u->latest.group != group) u->latest = find(u, group, s);
    *from_start = u->latest.from_start;
    return u->latest.area;
}

uint8_t unwritten_bits(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset)
{
    uint8_t from_start;
    const struct area *a = area_of(u, group, s, &from_start);
    const uint8_t *page = a->page ? a->page[offset >> GPUDBG_PAGE_BITS] : NULL;
    return page ? page[offset & (GPUDBG_PAGE - 1)] : from_start;
}

/* Of the bytes from offset on, those that are in its page. */
static size_t in_page(uint64_t offset, uint64_t size)
{
    const uint64_t room = GPUDBG_PAGE - (offset & (GPUDBG_PAGE - 1));
    return (size_t)(size < room ? size : room);
}

static inline bool any_bits(const uint8_t *bytes, size_t n)
{
    uint64_t eight, all = 0;
    uint32_t four;
    if (n == 4) { /* most are */
        memcpy(&four, bytes, 4);
        return four != 0;
    }
    for (; n >= 8; bytes += 8, n -= 8) {
        memcpy(&eight, bytes, 8);
        all |= eight;
    }
    if (n >= 4) {
        memcpy(&four, bytes, 4);
        all |= four;
        bytes += 4, n -= 4;
    }
    while (n--) all |= *bytes++;
    return all != 0;
}

bool unwritten_within(
    struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, uint64_t size)
{
    uint8_t from_start;
    const struct area *a = area_of(u, group, s, &from_start);
    if (!a->page) return from_start && size;
    for (size_t n; size; offset += n, size -= n) {
        n = in_page(offset, size);
        const uint8_t *page = a->page[offset >> GPUDBG_PAGE_BITS];
        if (!page && from_start) return true;
        if (page && any_bits(page + (offset & (GPUDBG_PAGE - 1)), n)) return true;
    }
    return false;
}

bool unwritten_in(struct unwritten *u, uint32_t group, const struct gpudbg_accesses *all)
{
    uint8_t from_start;
    const struct area *a = area_of(u, group, all->segment, &from_start);
    if (!a->page) return from_start && all->size;
    for (uint64_t m = all->lanes; m; m &= m - 1) {
        const uint64_t offset = all->offset[__builtin_ctzll(m)], in = offset & (GPUDBG_PAGE - 1);
        const uint8_t *page = a->page[offset >> GPUDBG_PAGE_BITS];
        if (in + all->size > GPUDBG_PAGE ? unwritten_within(u, group, all->segment, offset, all->size)
            : page                       ? any_bits(page + in, (size_t)all->size)
                                         : from_start)
            return true;
    }
    return false;
}

void unwritten_set(
    struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, uint64_t size, uint8_t bits)
{
    uint8_t from_start;
    struct area *a = area_of(u, group, s, &from_start);
    if (!a->page) {
        if (bits == from_start || !size) return;
        a->npages = (size_t)((s->size + GPUDBG_PAGE - 1) >> GPUDBG_PAGE_BITS);
        a->page = xcalloc(a->npages, sizeof *a->page);
    }
    for (size_t n; size; offset += n, size -= n) {
        n = in_page(offset, size);
        uint8_t **page = &a->page[offset >> GPUDBG_PAGE_BITS];
        if (!*page && bits == from_start) continue;
        if (!*page) {
            *page = xalloc((size_t)GPUDBG_PAGE);
            memset(*page, from_start, (size_t)GPUDBG_PAGE);
        }
        memset(*page + (offset & (GPUDBG_PAGE - 1)), bits, n);
        u->any |= bits != 0;
    }
}

void unwritten_store(struct unwritten *u, uint32_t group, const struct gpudbg_accesses *all)
{
    uint8_t from_start;
    const struct area *a = area_of(u, group, all->segment, &from_start);
    if (!a->page && !from_start) return;
    for (uint64_t m = all->lanes; m; m &= m - 1)
        unwritten_set(u, group, all->segment, all->offset[__builtin_ctzll(m)], all->size, 0);
}

void unwritten_came(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, uint64_t size,
    uint32_t origin)
{
    uint8_t from_start;
    struct area *a = area_of(u, group, s, &from_start);
    a->npages = (size_t)((s->size + GPUDBG_PAGE - 1) >> GPUDBG_PAGE_BITS);
    if (!size) return;
    if (!a->came) a->came = xcalloc(a->npages, sizeof *a->came);
    for (uint64_t at = offset & ~UINT64_C(3); at < offset + size; at += 4) {
        uint32_t **page = &a->came[at >> GPUDBG_PAGE_BITS];
        if (!*page) *page = xcalloc((size_t)GPUDBG_PAGE / 4, sizeof **page);
        (*page)[(at & (GPUDBG_PAGE - 1)) / 4] = origin;
    }
}

uint32_t unwritten_origin(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset)
{
    uint8_t from_start;
    const struct area *a = area_of(u, group, s, &from_start);
    const uint32_t *page = a->came && offset < s->size ? a->came[offset >> GPUDBG_PAGE_BITS] : NULL;
    return page ? page[(offset & (GPUDBG_PAGE - 1)) / 4] : 0;
}
