/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.c: the memory door.  Runners go straight to the bytes where page words allow it; everything odd comes here, is
 * looked at byte by byte, and is named when it is wrong.
 */
#include "gpudbg/endian.h"
#include "gpudbg/text.h"
#include "machine/machine_core.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "base/alloc.h"
#include "machine/row.h"
#include "gpudbg/unset.h"

#define LARGE ((uint64_t)8 << 20)
#define LARGE_PAGE ((size_t)2 << 20)
#define MEDIUM (LARGE_PAGE / 4) /* from here on a large page is filled sooner than the small ones */

/* ---- Segments ---- */

/* Where a segment of that base stands, or would stand, among the sorted ones. */
static size_t place_of(const struct gpudbg_space *space, uint64_t base)
{
    size_t lo = 0, hi = space->count;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (space->segment[mid]->base > base)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static size_t mapping_size(uint64_t size)
{
    const size_t n = (size_t)((door_pages(size) + 1) << GPUDBG_PAGE_BITS); /* bytes behind the end are readable */
    return size < MEDIUM ? n : (n + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
}

/* New memory, cleared, at a multiple of a large page; MAP_FAILED: there is none. */
static void *map_aligned(size_t n)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    uint8_t *map = mmap(NULL, n + LARGE_PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (map == MAP_FAILED) return map;
    const size_t before = -(uintptr_t)map & (LARGE_PAGE - 1);
    if (before) munmap(map, before);
    munmap(map + before + n, LARGE_PAGE - before);
    return map + before;
}

/* The bytes of a segment, cleared; NULL: no memory.  One that is not large gets its pages at once (a run that touches
 * them one by one pays for each), unless the launch is so brief that it touches few. */
static uint8_t *bytes_new(uint64_t size, bool brief)
{
    const size_t n = mapping_size(size);
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (brief ? 0 : MAP_POPULATE);
    void *map = size < MEDIUM ? mmap(NULL, n, PROT_READ | PROT_WRITE, flags, -1, 0) : map_aligned(n);
    if (map == MAP_FAILED) return NULL;
    if (size >= MEDIUM) door_large_pages(map, n);
#ifdef MADV_POPULATE_WRITE
    if (size >= MEDIUM && size < LARGE && !brief) (void)madvise(map, (size_t)size, MADV_POPULATE_WRITE);
#endif
    return map;
}

static void segment_free(struct gpudbg_segment *s)
{
    if (!s) return;
    if (s->bytes) munmap(s->bytes, mapping_size(s->size));
    free(s->page);
    free((char *)s->name);
    free(s);
}

static struct gpudbg_segment *segment_new(
    const char *name, uint64_t base, uint64_t size, const uint8_t *bytes, uint32_t flags, bool brief)
{
    struct gpudbg_segment *s = xalloc(sizeof *s);
    *s = (struct gpudbg_segment){
        .name = xstrdup(name),
        .base = base,
        .size = size,
        .bytes = bytes_new(size, brief),
        .page = calloc((size_t)door_pages(size) + 1, sizeof *s->page),
        .flags = flags | (flags & GPUDBG_SEG_WRITEONLY ? GPUDBG_SEG_RWATCH : 0),
        .param = -1,
    };
    if (!s->bytes || !s->page) {
        segment_free(s);
        return NULL;
    }
    if (bytes) memcpy(s->bytes, bytes, (size_t)size);
    for (uint64_t p = 0; flags & GPUDBG_SEG_LOGGED && p < door_pages(size); p++) s->page[p] |= PAGE_WATCHED;
    return s;
}

struct gpudbg_segment *gpudbg_machine_segment_at(struct gpudbg_machine *m, const char *name, uint64_t base,
    uint64_t size, const uint8_t *bytes, uint32_t flags, struct gpudbg_error *err)
{
    struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    struct door *door = &core_of(m)->door;
    if (door->closed) {
        gpudbg_fail(err, "not-now", "'%s': memory can only be added at the launch", name);
        return NULL;
    }
    if (size > MACHINE_MEMORY - door->size) {
        gpudbg_fail(err, "too-large",
            "'%s' of %" PRIu64 " bytes: a launch may use %" PRIu64 " MB, of which %" PRIu64 " MB are taken", name, size,
            MACHINE_MEMORY >> 20, door->size >> 20);
        return NULL;
    }
    const size_t at = place_of(space, base);
    const struct gpudbg_segment *before = at ? space->segment[at - 1] : NULL;
    const struct gpudbg_segment *after = at < space->count ? space->segment[at] : NULL;
    const uint64_t room = after ? after->base - base : UINT64_MAX - base;
    if (size > room || (before && base - before->base < before->size)) {
        gpudbg_fail(err, "bad-argument", "'%s' at 0x%" PRIx64 " would overlap '%s'", name, base,
            size > room ? after ? after->name : "the end of memory" : before->name);
        return NULL;
    }
    struct gpudbg_segment **grown = xrealloc(space->segment, space->count + 1, sizeof *grown);
    space->segment = grown;
    struct gpudbg_segment *s = segment_new(name, base, size, bytes, flags, door->brief);
    if (!s) {
        gpudbg_fail(err, "memory", "no memory for '%s' of %" PRIu64 " bytes", name, size);
        return NULL;
    }
    memmove(grown + at + 1, grown + at, (space->count - at) * sizeof(struct gpudbg_segment *));
    grown[at] = s;
    if (flags & GPUDBG_SEG_LOGGED) core_of(m)->stores.segment = s;
    space->count++;
    door->size += size;
    return s;
}

struct gpudbg_segment *gpudbg_machine_segment(struct gpudbg_machine *m, const char *name, uint64_t size,
    const uint8_t *bytes, uint32_t flags, struct gpudbg_error *err)
{
    /* The first free slot, from 1: an address of a small number is nobody's. */
    const struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    uint64_t base = MACHINE_SLOT;
    for (size_t i = 0; i < space->count; i++) {
        const struct gpudbg_segment *s = space->segment[i];
        const uint64_t end = s->base + (s->size ? s->size : 1);
        if (end <= base) continue;
        if (s->base >= base + MACHINE_SLOT) break;
        base = (end + MACHINE_SLOT - 1) & ~(MACHINE_SLOT - 1);
    }
    return gpudbg_machine_segment_at(m, name, base, size, bytes, flags, err);
}

void door_close(struct gpudbg_machine *m)
{
    struct gpudbg_space *space = &m->space[GPUDBG_GLOBAL];
    for (size_t i = 0; i < space->count; i++) segment_free(space->segment[i]);
    free(space->segment);
    for (size_t i = 0; i < core_of(m)->door.nwatch; i++) free(core_of(m)->door.watch[i].access);
    free(core_of(m)->door.watch);
}

struct gpudbg_segment *gpudbg_mem_find(struct gpudbg_wave *w, unsigned space, uint64_t addr, uint64_t size)
{
    struct gpudbg_segment *s = w->lds;
    if (space != GPUDBG_LOCAL) {
        const struct gpudbg_space *all = &w->machine->space[space];
        const size_t at = place_of(all, addr);
        s = at ? all->segment[at - 1] : NULL;
    }
    return s && addr - s->base <= s->size && size <= s->size - (addr - s->base) ? s : NULL;
}

/* ---- Watchpoints ---- */

static bool watch_covers(const struct watch *watch, const struct gpudbg_segment *s, uint64_t *from, uint64_t *to)
{
    uint64_t lo = watch->addr > s->base ? watch->addr : s->base;
    uint64_t hi = watch->addr + watch->size < s->base + s->size ? watch->addr + watch->size : s->base + s->size;
    *from = lo - s->base;
    *to = hi - s->base;
    return lo < hi;
}

bool door_stored(const struct gpudbg_segment *s)
{
    for (uint64_t p = 0; p < door_pages(s->size); p++)
        if (s->page[p] & ~PAGE_WATCHED) return true;
    return false;
}

void door_mark(struct gpudbg_machine *m, unsigned space, struct gpudbg_segment *s)
{
    const struct door *door = &core_of(m)->door;
    uint64_t from, to;
    const bool listen = door->listen && space == GPUDBG_GLOBAL;
    if (door->told || (listen && (door->listen_all || door_stored(s)))) s->flags |= GPUDBG_SEG_RWATCH;
    const bool all = door->told || listen || s->flags & GPUDBG_SEG_LOGGED;
    for (uint64_t p = 0; all && p < door_pages(s->size); p++) s->page[p] |= PAGE_WATCHED;
    for (size_t i = 0; i < door->nwatch; i++) {
        const struct watch *watch = &door->watch[i];
        if (watch->space != space || !watch_covers(watch, s, &from, &to)) continue;
        if (watch->reads) s->flags |= GPUDBG_SEG_RWATCH;
        for (uint64_t p = from >> GPUDBG_PAGE_BITS; watch->writes && p <= (to - 1) >> GPUDBG_PAGE_BITS; p++)
            s->page[p] |= PAGE_WATCHED;
    }
}

/* Marks all segments anew after a watchpoint came or went. */
static void mark_all(struct gpudbg_machine *m, unsigned space)
{
    const struct core *c = core_of(m);
    const bool local = space == GPUDBG_LOCAL;
    const size_t n = local ? c->waves.nlive : m->space[space].count;
    for (size_t i = 0; i < n; i++) {
        struct gpudbg_segment *s = local ? &c->waves.live[i]->local : m->space[space].segment[i];
        if (!s->bytes) continue;
        if (!(s->flags & GPUDBG_SEG_WRITEONLY)) s->flags &= ~(uint32_t)GPUDBG_SEG_RWATCH;
        for (uint64_t p = 0; p < door_pages(s->size); p++) s->page[p] &= ~PAGE_WATCHED;
        door_mark(m, space, s);
    }
}

bool door_watch(struct gpudbg_machine *m, const struct watch *watch, struct gpudbg_error *err)
{
    struct door *door = &core_of(m)->door;
    if (!CORE_GROW(door->watch, door->watch_room, door->nwatch))
        return gpudbg_fail(err, "memory", "no memory for a watchpoint");
    door->watch[door->nwatch++] = *watch;
    mark_all(m, watch->space);
    return true;
}

void door_unwatch(struct gpudbg_machine *m, int number)
{
    struct door *door = &core_of(m)->door;
    for (size_t i = door->nwatch; i-- > 0;) {
        if (door->watch[i].number != number) continue;
        const unsigned space = door->watch[i].space;
        free(door->watch[i].access);
        memmove(&door->watch[i], &door->watch[i + 1], (--door->nwatch - i) * sizeof *door->watch);
        mark_all(m, space);
    }
}

void door_tell(struct gpudbg_machine *m, bool on)
{
    if (core_of(m)->door.told == on) return;
    core_of(m)->door.told = on;
    mark_all(m, GPUDBG_GLOBAL);
    mark_all(m, GPUDBG_LOCAL);
}

void door_listen(struct gpudbg_machine *m, const struct machine_observer *observer, bool all)
{
    core_of(m)->observer = observer;
    core_of(m)->observing = true;
    core_of(m)->door.listen = true;
    core_of(m)->door.listen_all = all;
    mark_all(m, GPUDBG_GLOBAL);
}

void door_clear_hits(struct gpudbg_machine *m)
{
    struct door *door = &core_of(m)->door;
    for (size_t i = 0; i < door->nwatch; i++) {
        struct watch *watch = &door->watch[i];
        if (m->watch_hit) watch->last = watch->hit;
        watch->hit = false;
        watch->lanes = 0;
    }
    m->watch_hit = 0;
}

/* Keeps what the bytes were before the access. */
static void access_add(struct watch *watch, const struct gpudbg_segment *s, uint64_t addr, uint64_t size, int lane)
{
    for (uint64_t at = addr; at < addr + size && watch->naccesses < WATCH_ACCESSES; at += 16) {
        const uint64_t n = addr + size - at < 16 ? addr + size - at : 16;
        if (!CORE_GROW(watch->access, watch->access_room, watch->naccesses)) return;
        struct watch_access *a = &watch->access[watch->naccesses++];
        *a = (struct watch_access){.addr = at, .size = (uint8_t)n, .lane = (int16_t)lane};
        if (at >= s->base && at - s->base + n <= s->size) memcpy(a->old, s->bytes + (at - s->base), (size_t)n);
    }
}

static void meet_watches(struct gpudbg_machine *m, unsigned space, const struct gpudbg_segment *s, uint64_t addr,
    uint64_t size, bool write, int lane)
{
    struct door *door = &core_of(m)->door;
    for (size_t i = 0; i < door->nwatch && !door->deaf && !door->trying; i++) {
        struct watch *watch = &door->watch[i];
        uint64_t from, to;
        if (watch->space != space || !(write ? watch->writes : watch->reads)) continue;
        if (addr >= watch->addr + watch->size || addr + size <= watch->addr || !watch_covers(watch, s, &from, &to))
            continue;
        if (!watch->hit) {
            watch->naccesses = 0;
            memset(watch->old, 0, sizeof watch->old);
            memcpy(
                watch->old, s->bytes + from, to - from < sizeof watch->old ? (size_t)(to - from) : sizeof watch->old);
        }
        access_add(watch, s, addr, size, lane);
        watch->hit = true;
        watch->lanes |= lane >= 0 ? UINT64_C(1) << lane : UINT64_MAX;
        if (!m->watch_hit) m->watch_hit = watch->number;
    }
}

static void tell(struct gpudbg_wave *w, const struct gpudbg_access *access)
{
    const struct core *c = core_of(w->machine);
    if (c->door.trying && c->door.trial_told) c->door.trial_told(c->door.trial_data, access);
    if (c->door.trying) return;
    if (c->observing && c->observer->access) c->observer->access(c->observer->data, w, access);
}

/* The same of several lanes. */
static void tell_all(struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    const struct core *c = core_of(w->machine);
    const bool together = !c->door.trying && (!c->observing || c->observer->accesses);
    for (uint64_t m = all->lanes; m && !(together && !c->door.nwatch); m &= m - 1) {
        const struct gpudbg_access a = gpudbg_access_of(all, (unsigned)__builtin_ctzll(m));
        meet_watches(w->machine, a.space, a.segment, a.addr, a.size, a.write, a.lane);
        if (!together) tell(w, &a);
    }
    if (together && c->observing) c->observer->accesses(c->observer->data, w, all);
}

/* ---- Faults ---- */

/* What is wrong with [addr, addr + size), relative to the nearest segment. */
static void name_place(struct gpudbg_wave *w, unsigned space, uint64_t addr, uint64_t size, char *buf, size_t room)
{
    if (space == GPUDBG_LOCAL) {
        if (w->lds)
            snprintf(buf, room, "past the end of LDS (%" PRIu64 " bytes)", w->lds->size);
        else
            snprintf(buf, room, "the kernel has no LDS");
        return;
    }
    if (addr < GPUDBG_PAGE) {
        snprintf(buf, room, "a null pointer");
        return;
    }
    const struct gpudbg_symbol *symbol = gpudbg_image_symbol_at(w->machine->image, addr);
    if (symbol && symbol->kind == GPUDBG_SYM_UNDEFINED) {
        text_put(buf, room, "it belongs to %s, which the file does not contain", symbol->name);
        return;
    }
    const struct gpudbg_space *all = &w->machine->space[space];
    const size_t at = place_of(all, addr);
    const struct gpudbg_segment *s = at ? all->segment[at - 1] : NULL;
    const struct gpudbg_segment *next = at < all->count ? all->segment[at] : NULL;
    const uint64_t past = s ? addr - s->base : 0;
    if (s && past < s->size)
        snprintf(buf, room, "its last %" PRIu64 " are past the end of '%s' (%" PRIu64 " bytes)",
            size - (s->size - past), s->name, s->size);
    else if (next && next->base - addr <= (uint64_t)1 << 24)
        snprintf(
            buf, room, "%" PRIu64 " bytes before '%s' (%" PRIu64 " bytes)", next->base - addr, next->name, next->size);
    else if (s && past < MACHINE_SLOT)
        snprintf(
            buf, room, "%" PRIu64 " bytes past the end of '%s' (%" PRIu64 " bytes)", past - s->size, s->name, s->size);
    else
        snprintf(buf, room, "no buffer is near");
}

static bool fault(
    struct gpudbg_wave *w, unsigned space, uint64_t addr, uint64_t size, int lane, bool write, const char *why)
{
    char place[160], who[32] = "";
    if (why)
        snprintf(place, sizeof place, "%s", why);
    else
        name_place(w, space, addr, size, place, sizeof place);
    if (lane >= 0) snprintf(who, sizeof who, ", lane %d", lane);
    gpudbg_fault(w, lane, "%s of %" PRIu64 " byte%s at %s0x%" PRIx64 "%s: %s", write ? "store" : "load", size,
        size == 1 ? "" : "s", space == GPUDBG_LOCAL ? "LDS " : "", addr, who, place);
    return false;
}

/* A segment of GLOBAL may be there for stores or loads alone. */
static bool forbidden(
    struct gpudbg_wave *w, const struct gpudbg_segment *s, uint64_t addr, uint64_t size, int lane, bool write)
{
    char why[128];
    snprintf(why, sizeof why, "'%s' is %s-only", s->name, write ? "read" : "write");
    return fault(w, GPUDBG_GLOBAL, addr, size, lane, write, why);
}

/* ---- The door ---- */

/* Saves what the pages of [offset, offset + size) hold.  false: no memory. */
static bool save_pages(struct gpudbg_wave *w, struct gpudbg_segment *s, uint64_t offset, uint64_t size, bool *watched)
{
    struct gpudbg_machine *m = w->machine;
    *watched = false;
    if (!size) return true;
    for (uint64_t p = offset >> GPUDBG_PAGE_BITS; p <= (offset + size - 1) >> GPUDBG_PAGE_BITS; p++) {
        *watched |= (s->page[p] & PAGE_WATCHED) != 0;
        if ((s->page[p] & ~PAGE_WATCHED) == m->stamp) continue;
        if (s == w->lds)
            s->page[p] = m->stamp | (s->page[p] & PAGE_WATCHED); /* checkpoints hold all of LDS */
        else if (!door_save(m, s, p))
            return false;
    }
    return true;
}

bool door_save(struct gpudbg_machine *m, struct gpudbg_segment *s, uint64_t page)
{
    const uint32_t watch = s->page[page] & PAGE_WATCHED;
    if ((s->page[page] & ~PAGE_WATCHED) == m->stamp) return true;
    if (!history_save(m, s, page)) return false;
    s->page[page] = m->stamp | watch;
    return true;
}

uint32_t door_drop(struct gpudbg_machine *m)
{
    const uint32_t stamp = m->stamp;
    core_of(m)->door.drops = core_of(m)->door.trying = true;
    core_of(m)->door.trial_told = NULL;
    m->stamp = UINT32_MAX; /* of no page: every store comes here */
    return stamp;
}

void door_drop_end(struct gpudbg_machine *m, uint32_t stamp)
{
    core_of(m)->door.drops = core_of(m)->door.trying = false;
    m->stamp = stamp;
}

static bool drops_stores(const struct gpudbg_machine *m) { return core_of(m)->door.drops; }

bool gpudbg_mem_open(struct gpudbg_wave *w, struct gpudbg_segment *s, uint64_t offset, uint64_t size)
{
    bool watched;
    if (drops_stores(w->machine)) return false;
    return !(s->flags & GPUDBG_SEG_READONLY) && save_pages(w, s, offset, size, &watched) && !watched;
}

bool gpudbg_mem_read(struct gpudbg_wave *w, unsigned space, uint64_t addr, void *to, size_t size, int lane)
{
    struct gpudbg_segment *s = gpudbg_mem_find(w, space, addr, size);
    if (!s) return fault(w, space, addr, size, lane, false, NULL);
    if (s->flags & GPUDBG_SEG_WRITEONLY) return forbidden(w, s, addr, size, lane, false);
    if (s->flags & GPUDBG_SEG_RWATCH) {
        if (core_of(w->machine)->door.nwatch) meet_watches(w->machine, space, s, addr, size, false, lane);
        tell(w, &(struct gpudbg_access){space, false, lane, addr, size, s, s->bytes + (addr - s->base)});
    }
    if (size == 4)
        memcpy(to, s->bytes + (addr - s->base), 4); /* most are */
    else
        memcpy(to, s->bytes + (addr - s->base), size);
    return true;
}

bool gpudbg_mem_write(struct gpudbg_wave *w, unsigned space, uint64_t addr, const void *from, size_t size, int lane)
{
    struct gpudbg_segment *s = gpudbg_mem_find(w, space, addr, size);
    if (!s) return fault(w, space, addr, size, lane, true, NULL);
    if (s->flags & GPUDBG_SEG_READONLY) return forbidden(w, s, addr, size, lane, true);
    if (drops_stores(w->machine)) return true;
    bool watched;
    if (!save_pages(w, s, addr - s->base, size, &watched))
        return fault(w, space, addr, size, lane, true, "no memory left to keep history in");
    if (watched) {
        if (core_of(w->machine)->door.nwatch) meet_watches(w->machine, space, s, addr, size, true, lane);
        tell(w, &(struct gpudbg_access){space, true, lane, addr, size, s, from});
        if (s->flags & GPUDBG_SEG_LOGGED && !core_of(w->machine)->door.trying)
            stores_add(w, addr - s->base, size, lane);
    }
    memcpy(s->bytes + (addr - s->base), from, size);
    return true;
}

/* The same accesses, for which all who are told need not look for a row again. */
static struct gpudbg_accesses with_row(const struct gpudbg_accesses *all)
{
    struct gpudbg_accesses known = *all;
    known.row = look_for_row(all) ? ROW_YES : ROW_NO;
    return known;
}

void gpudbg_mem_loads(struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    const struct gpudbg_accesses known = with_row(all);
    tell_all(w, &known);
}

/* The pages that lanes store to; most lanes store to the page of the lane before. */
static bool save_all(struct gpudbg_wave *w, const struct gpudbg_accesses *all, bool *watched)
{
    struct gpudbg_segment *s = all->segment;
    uint64_t saved = UINT64_MAX, from, n;
    if (accesses_in_row(all, &from, &n) && save_pages(w, s, from, n, watched)) return true;
    if (s == w->lds && s->size <= GPUDBG_PAGE * 16) /* its pages are only marked: there are few */
        return save_pages(w, s, 0, s->size, watched);
    *watched = false;
    for (uint64_t m = all->lanes; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        const uint64_t at = all->offset[lane], page = at >> GPUDBG_PAGE_BITS;
        bool one;
        if (page == saved && (at + all->size - 1) >> GPUDBG_PAGE_BITS == page) continue;
        if (!save_pages(w, s, at, all->size, &one))
            return fault(w, all->space, s->base + at, all->size, (int)lane, true, "no memory left to keep history in");
        *watched |= one;
        saved = page;
    }
    return true;
}

/* Whether all lanes may load before any lane stores: no watchpoint, trial or store log would see the other order. */
static bool together(const struct gpudbg_machine *m, const struct gpudbg_accesses *all)
{
    const struct core *c = core_of(m);
    return !c->door.nwatch && !c->door.trying && !(all->segment->flags & GPUDBG_SEG_LOGGED);
}

static bool store_all(struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct gpudbg_segment *s = all->segment;
    bool watched;
    if (!save_all(w, all, &watched)) return false;
    if (watched) tell_all(w, all);
    const bool logged = watched && s->flags & GPUDBG_SEG_LOGGED && !core_of(w->machine)->door.trying;
    uint64_t offset, size;
    if (!logged && accesses_in_row(all, &offset, &size)) {
        memcpy(s->bytes + offset, all->bytes + (unsigned)__builtin_ctzll(all->lanes) * all->size, (size_t)size);
        return true;
    }
    for (uint64_t m = all->lanes; m && !logged && all->size == 4; m &= m - 1) { /* most are */
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        memcpy(s->bytes + all->offset[lane], all->bytes + 4 * lane, 4);
    }
    for (uint64_t m = all->lanes; m && !logged && all->size == 1; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        s->bytes[all->offset[lane]] = all->bytes[lane];
    }
    for (uint64_t m = all->lanes; m && !logged && all->size == 16; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        memcpy(s->bytes + all->offset[lane], all->bytes + 16 * lane, 16);
    }
    const bool done = !logged && (all->size == 4 || all->size == 1 || all->size == 16);
    for (uint64_t m = done ? 0 : all->lanes; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        if (logged) stores_add(w, all->offset[lane], all->size, (int)lane);
        memcpy(s->bytes + all->offset[lane], all->bytes + lane * all->size, all->size);
    }
    return true;
}

bool gpudbg_mem_stores(struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    if (drops_stores(w->machine)) return true;
    const struct gpudbg_accesses known = with_row(all);
    return store_all(w, &known);
}

/* ---- Dwords of lanes ---- */

void row_each_dword(
    const struct gpudbg_accesses *all, bool (*each)(void *with, const struct gpudbg_accesses *), void *with)
{
    uint32_t places[64] GPUDBG_UNSET;
    uint8_t bytes[64 * 4] GPUDBG_UNSET;
    struct gpudbg_accesses one = *all;
    one.size = 4;
    one.offset = places;
    one.bytes = bytes;
    memcpy(places, all->offset, sizeof places);
    for (uint64_t at = 0; at < all->size; at += 4) {
        for (uint64_t m = all->write ? all->lanes : 0; m; m &= m - 1) {
            const unsigned lane = (unsigned)__builtin_ctzll(m);
            memcpy(bytes + 4 * lane, all->bytes + lane * all->size + at, 4);
        }
        one.row = look_for_row(&one) ? ROW_YES : ROW_NO;
        if (!each(with, &one)) return;
        for (unsigned i = 0; i < 64; i++) places[i] += 4;
    }
}

/* Whether nobody has to be told of each dword apart. */
static bool dwords_together(const struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    const struct core *c = core_of(w->machine);
    return together(w->machine, all) && c->observing && c->observer->accesses;
}

static bool load_dwords(void *with, const struct gpudbg_accesses *all)
{
    tell_all(with, all);
    return true;
}

void gpudbg_mem_loads_dwords(struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct gpudbg_accesses known = with_row(all);
    known.row |= ROW_DWORDS;
    if (dwords_together(w, all))
        tell_all(w, &known);
    else
        row_each_dword(&known, load_dwords, w);
}

struct storing {
    struct gpudbg_wave *wave;
    bool stored;
};

static bool store_dwords(void *with, const struct gpudbg_accesses *all)
{
    struct storing *s = with;
    return s->stored = store_all(s->wave, all);
}

bool gpudbg_mem_stores_dwords(struct gpudbg_wave *w, const struct gpudbg_accesses *all)
{
    struct storing s = {w, true};
    if (drops_stores(w->machine)) return true;
    struct gpudbg_accesses known = with_row(all);
    known.row |= ROW_DWORDS;
    if (dwords_together(w, all)) return store_all(w, &known);
    row_each_dword(&known, store_dwords, &s);
    return s.stored;
}

/* What the lanes find goes to old, what they make of it to bytes.  Returns whether it is known that all change. */
static bool change_lanes(const struct gpudbg_accesses *some, uint64_t old[64], uint8_t *bytes,
    uint64_t (*change)(const void *with, unsigned lane, uint64_t old), const void *with)
{
    const uint8_t *from = some->segment->bytes;
    const uint32_t *offset = some->offset;
    for (uint64_t m = some->size == 8 ? some->lanes : 0; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        old[lane] = le_u64(from + offset[lane]);
        le_put(bytes + 8 * lane, change(with, lane, old[lane]), 8);
    }
    bool same = some->size == 8;
    for (uint64_t m = same ? 0 : some->lanes; m; m &= m - 1) { /* without a loop over bytes */
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        uint32_t word;
        memcpy(&word, from + offset[lane], 4);
        old[lane] = word;
        const uint32_t new = (uint32_t)change(with, lane, word);
        memcpy(bytes + 4 * lane, &new, 4);
        same |= new == word;
    }
    return !same;
}

/* Stores what was made of what the lanes found. */
static void store_changed(const struct gpudbg_accesses *some)
{
    uint8_t *to = some->segment->bytes;
    const uint8_t *from = some->bytes;
    const uint32_t *offset = some->offset;
    for (uint64_t m = some->size == 4 ? some->lanes : 0; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        memcpy(to + offset[lane], from + 4 * lane, 4);
    }
    for (uint64_t m = some->size == 8 ? some->lanes : 0; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        memcpy(to + offset[lane], from + 8 * lane, 8);
    }
}

/* Lanes whose places are apart load, and are told; then they store.  first: of those that `all` has. */
static bool update_together(struct gpudbg_wave *w, const struct gpudbg_accesses *all, uint64_t first, uint64_t old[64],
    uint64_t (*change)(const void *with, unsigned lane, uint64_t old), const void *with)
{
    uint8_t bytes[64 * 8];
    struct gpudbg_accesses some = *all;
    bool watched = false, odd;
    some.bytes = bytes;
    for (uint64_t left = all->lanes; left; left &= ~some.lanes) {
        some.lanes = left == all->lanes ? first : row_apart(all, left, &odd);
        some.row = look_for_row(&some) ? ROW_YES : ROW_NO;
        some.row |= left == all->lanes ? 0 : ROW_AGAIN;
        some.write = false;
        tell_all(w, &some);
        const bool all_change = change_lanes(&some, old, bytes, change, with);
        some.row |= all_change ? ROW_CHANGES : 0;
        some.write = true;
        if (left == all->lanes && !save_all(w, all, &watched)) return false;
        if (watched) tell_all(w, &some);
        store_changed(&some);
    }
    return true;
}

bool gpudbg_mem_updates(struct gpudbg_wave *w, const struct gpudbg_accesses *all, uint64_t old[64],
    uint64_t (*change)(const void *with, unsigned lane, uint64_t old), const void *with)
{
    uint8_t bytes[64 * 8];
    struct gpudbg_accesses some = *all;
    bool odd = true;
    const uint64_t first = together(w->machine, all) ? row_apart(all, all->lanes, &odd) : 0;
    if (!odd) return update_together(w, all, first, old, change, with);
    some.bytes = bytes;
    for (uint64_t left = all->lanes; left; left &= ~some.lanes) {
        some.lanes = left & -left;
        some.write = false;
        gpudbg_mem_loads(w, &some);
        change_lanes(&some, old, bytes, change, with);
        some.write = true;
        if (!gpudbg_mem_stores(w, &some)) return false;
    }
    return true;
}
