/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unwritten.c: see unwritten.h.  A page that is neither as at the start nor all written has a byte of shadow for each
 * byte; and where something unwritten was stored, a number for each dword. */
#include "check/unwritten.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "machine/row.h"
#include "gpudbg/endian.h"

struct page {
    uint8_t *bits;  /* NULL: `from_start`, or with `written` none */
    uint32_t *came; /* NULL: nothing unwritten was stored there */
    uint64_t some;  /* by 64 bytes: a bit for those that may miss something, where `bits` are */
    uint16_t left;  /* bytes of it that miss something, where `bits` are */
    bool written;   /* all of it */
};

struct area {
    struct page *page; /* npages of them; NULL: all as at the start */
    size_t npages;
    uint64_t left;      /* bytes that miss something */
    uint8_t from_start; /* what a byte misses at the start */
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
        free(a->page[i].bits);
        free(a->page[i].came);
    }
    free(a->page);
    *a = (struct area){NULL, 0, 0, 0};
}

void unwritten_forget(struct unwritten *u, uint32_t group)
{
    area_free(&u->group[group]);
    u->latest.segment = NULL;
}

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
    struct area *a = global ? &u->global[lo] : &u->group[group];
    if (!a->npages) {
        a->npages = (size_t)((s->size + GPUDBG_PAGE - 1) >> GPUDBG_PAGE_BITS);
        a->page = xcalloc(a->npages + 1, sizeof *a->page);
        a->from_start = !global || s->flags & GPUDBG_SEG_UNDEFINED ? 0xff : 0;
        a->left = a->from_start ? s->size : 0;
    }
    return (struct place){.segment = s, .group = group, .area = a};
}

static inline struct area *area_of(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s)
{
    if (u->latest.segment != s || u->latest.group != group) u->latest = find(u, group, s);
    return u->latest.area;
}

static inline uint8_t page_from(const struct area *a, const struct page *p) { return p->written ? 0 : a->from_start; }

uint8_t unwritten_bits(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset)
{
    const struct area *a = area_of(u, group, s);
    const struct page *p = &a->page[offset >> GPUDBG_PAGE_BITS];
    return p->bits ? p->bits[offset & (GPUDBG_PAGE - 1)] : page_from(a, p);
}

/* Of the bytes from offset on, those that are in its page. */
static size_t in_page(uint64_t offset, uint64_t size)
{
    const uint64_t room = GPUDBG_PAGE - (offset & (GPUDBG_PAGE - 1));
    return (size_t)(size < room ? size : room);
}

static inline bool any_bits(const uint8_t *bytes, size_t n)
{
    uint64_t all = 0;
    uint32_t four;
    if (n == 4) { /* most are */
        memcpy(&four, bytes, 4);
        return four != 0;
    }
    row_part part, parts = {0};
    for (; n >= sizeof part; bytes += sizeof part, n -= sizeof part) {
        memcpy(&part, bytes, sizeof part);
        parts |= part;
    }
    if (parts[0] | parts[1] | parts[2] | parts[3]) return true;
    if (n >= 8) {
        memcpy(&all, bytes, 8);
        bytes += 8, n -= 8;
    }
    if (n >= 4) {
        memcpy(&four, bytes, 4);
        all |= four;
        bytes += 4, n -= 4;
    }
    while (n--) all |= *bytes++;
    return all != 0;
}

#define PART (GPUDBG_PAGE / 64) /* bytes for which a page has a bit in `some` */

/* The bits of n bytes of a page in `some`. */
static inline uint64_t parts_of(size_t at, size_t n)
{
    const unsigned lo = (unsigned)(at / PART), hi = (unsigned)((at + n - 1) / PART);
    return UINT64_MAX >> (63 - hi) & UINT64_MAX << lo;
}

/* Whether any of n bytes miss something; parts that do not are not marked any more. */
static inline bool page_misses(struct page *p, size_t at, size_t n)
{
    const uint64_t parts = parts_of(at, n);
    if (!(p->some & parts)) return false;
    if (any_bits(p->bits + at, n)) return true;
    if (at % PART == 0 && n % PART == 0) p->some &= ~parts;
    return false;
}

static bool within(const struct area *a, uint64_t offset, uint64_t size)
{
    for (size_t n; size; offset += n, size -= n) {
        n = in_page(offset, size);
        struct page *p = &a->page[offset >> GPUDBG_PAGE_BITS];
        if (p->bits ? page_misses(p, offset & (GPUDBG_PAGE - 1), n) : page_from(a, p)) return true;
    }
    return false;
}

bool unwritten_within(
    struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, uint64_t size)
{
    const struct area *a = area_of(u, group, s);
    return a->left && within(a, offset, size);
}

bool unwritten_in(struct unwritten *u, uint32_t group, const struct gpudbg_accesses *all)
{
    const struct area *a = area_of(u, group, all->segment);
    uint64_t from, size;
    if (!a->left) return false;
    if (accesses_in_row(all, &from, &size)) return within(a, from, size);
    for (uint64_t m = all->lanes; m; m &= m - 1)
        if (within(a, all->offset[__builtin_ctzll(m)], all->size)) return true;
    return false;
}

/* How many of the bytes are not 0: eight at a time, in each the highest bit says so. */
static uint16_t missing_in(const uint8_t *bits, size_t n)
{
    const uint64_t high = UINT64_C(0x8080808080808080);
    uint64_t eight;
    unsigned missing = 0;
    for (; n >= 8; bits += 8, n -= 8) {
        memcpy(&eight, bits, 8);
        eight = (((eight & ~high) + ~high) | eight) & high;
        missing += (unsigned)(((eight >> 7) * UINT64_C(0x0101010101010101)) >> 56);
    }
    while (n--) missing += *bits++ != 0;
    return (uint16_t)missing;
}

/* The page has bits of its own from now on. */
static void page_open(const struct area *a, struct page *p)
{
    const uint8_t from = page_from(a, p);
    p->bits = xalloc((size_t)GPUDBG_PAGE);
    memset(p->bits, from, (size_t)GPUDBG_PAGE);
    p->left = from ? (uint16_t)GPUDBG_PAGE : 0;
    p->some = from ? UINT64_MAX : 0;
}

/* The page's bits have changed: so many of its bytes missed something there, and so many do now. */
static void page_changed(struct area *a, struct page *p, uint16_t were, uint16_t are)
{
    p->left = (uint16_t)(p->left + are - were);
    a->left = a->left + are - were;
    if (p->left) return;
    free(p->bits);
    p->bits = NULL;
    p->written = true;
}

static void set(struct unwritten *u, struct area *a, uint64_t offset, uint64_t size, uint8_t bits)
{
    for (size_t n; size; offset += n, size -= n) {
        n = in_page(offset, size);
        struct page *p = &a->page[offset >> GPUDBG_PAGE_BITS];
        if (!p->bits && bits == page_from(a, p)) continue;
        if (!p->bits) page_open(a, p);
        const size_t at = offset & (GPUDBG_PAGE - 1);
        if (!bits && !page_misses(p, at, n)) continue;
        if (bits) p->some |= parts_of(at, n);
        uint8_t *to = p->bits + at;
        const uint16_t were = missing_in(to, n), are = bits ? (uint16_t)n : 0;
        memset(to, bits, n);
        u->any |= bits != 0;
        page_changed(a, p, were, are);
    }
}

void unwritten_set(
    struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, uint64_t size, uint8_t bits)
{
    struct area *a = area_of(u, group, s);
    if (bits || a->left) set(u, a, offset, size, bits);
}

uint32_t unwritten_dword(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset)
{
    uint8_t byte[4] = {0};
    for (unsigned i = 0; i < 4 && offset + i < s->size; i++) byte[i] = unwritten_bits(u, group, s, offset + i);
    return le_u32(byte);
}

void unwritten_set_dword(
    struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, uint32_t bits)
{
    if (bits == UINT32_MAX || !bits) {
        unwritten_set(u, group, s, offset, 4, (uint8_t)bits);
        return;
    }
    uint8_t byte[4];
    le_put(byte, bits, 4);
    for (unsigned i = 0; i < 4; i++) unwritten_set(u, group, s, offset + i, 1, byte[i]);
}

/* Dwords of one page, from its byte `at` on. */
static void page_dwords(
    const struct area *a, const struct page *p, size_t at, unsigned n, uint32_t *bits, uint32_t *came)
{
    const uint32_t all = page_from(a, p) * UINT32_C(0x01010101);
    for (unsigned i = 0; i < n && p->bits; i++) bits[i] = le_u32(p->bits + at + 4 * i);
    for (unsigned i = 0; i < n && !p->bits; i++) bits[i] = all;
    if (p->came)
        memcpy(came, p->came + at / 4, n * sizeof *came);
    else
        memset(came, 0, n * sizeof *came);
}

void unwritten_dwords(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, unsigned n,
    uint32_t *bits, uint32_t *came)
{
    const struct area *a = area_of(u, group, s);
    for (unsigned more; n; offset += 4 * more, n -= more, bits += more, came += more) {
        more = (unsigned)in_page(offset, 4 * n) / 4;
        page_dwords(a, &a->page[offset >> GPUDBG_PAGE_BITS], offset & (GPUDBG_PAGE - 1), more, bits, came);
    }
}

static void page_set_dwords(struct unwritten *u, struct area *a, struct page *p, size_t at, unsigned n,
    const uint32_t *bits, const uint32_t *came)
{
    const uint32_t all = page_from(a, p) * UINT32_C(0x01010101);
    uint32_t others = 0, any = 0;
    uint8_t bytes[4 * 64];
    for (unsigned i = 0; i < n; i++) {
        others |= bits[i] ^ all;
        any |= bits[i];
        for (unsigned k = 0; k < 4; k++) bytes[4 * i + k] = (uint8_t)(bits[i] >> 8 * k);
    }
    u->any |= any != 0;
    if (any && !p->came) p->came = xcalloc((size_t)GPUDBG_PAGE / 4, sizeof *p->came);
    if (any && memcmp(p->came + at / 4, came, n * sizeof *came) != 0)
        for (unsigned i = 0; i < n; i++)
            if (bits[i]) p->came[at / 4 + i] = came[i];
    if (!p->bits && !others) return;
    if (!p->bits) page_open(a, p);
    if (memcmp(p->bits + at, bytes, 4 * n) == 0) return;
    const uint16_t were = missing_in(p->bits + at, 4 * n);
    memcpy(p->bits + at, bytes, 4 * n);
    if (any) p->some |= parts_of(at, 4 * n);
    page_changed(a, p, were, missing_in(p->bits + at, 4 * n));
}

void unwritten_set_dwords(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset,
    unsigned n, const uint32_t *bits, const uint32_t *came)
{
    struct area *a = area_of(u, group, s);
    for (unsigned more; n; offset += 4 * more, n -= more, bits += more, came += more) {
        more = (unsigned)in_page(offset, 4 * n) / 4;
        page_set_dwords(u, a, &a->page[offset >> GPUDBG_PAGE_BITS], offset & (GPUDBG_PAGE - 1), more, bits, came);
    }
}

void unwritten_store(struct unwritten *u, uint32_t group, const struct gpudbg_accesses *all)
{
    struct area *a = area_of(u, group, all->segment);
    uint64_t from, size;
    if (!a->left) return;
    if (accesses_in_row(all, &from, &size)) {
        set(u, a, from, size, 0);
        return;
    }
    for (uint64_t m = all->lanes; m; m &= m - 1) set(u, a, all->offset[__builtin_ctzll(m)], all->size, 0);
}

void unwritten_came(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset, uint64_t size,
    uint32_t origin)
{
    struct area *a = area_of(u, group, s);
    if (!size) return;
    for (uint64_t at = offset & ~UINT64_C(3); at < offset + size; at += 4) {
        struct page *p = &a->page[at >> GPUDBG_PAGE_BITS];
        if (!p->came) p->came = xcalloc((size_t)GPUDBG_PAGE / 4, sizeof *p->came);
        p->came[(at & (GPUDBG_PAGE - 1)) / 4] = origin;
    }
}

uint32_t unwritten_origin(struct unwritten *u, uint32_t group, const struct gpudbg_segment *s, uint64_t offset)
{
    const struct area *a = area_of(u, group, s);
    const struct page *p = offset < s->size ? &a->page[offset >> GPUDBG_PAGE_BITS] : NULL;
    return p && p->came ? p->came[(offset & (GPUDBG_PAGE - 1)) / 4] : 0;
}
