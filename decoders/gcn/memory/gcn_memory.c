/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_memory.c: resolving lanes to segments, reading and writing their bytes: see gcn_memory.h. */
#include "memory/gcn_memory.h"

/* ---- Resolving ---- */

static uint64_t address(const uint32_t *lo, const uint32_t *hi, unsigned lane)
{
    return lo[lane] | (uint64_t)hi[lane] << 32;
}

/* The part of a segment that a wave may touch: all of it, but of scratch only its own. */
struct window {
    uint64_t from, size;
};

static struct window window_of(const struct gpudbg_wave *w, const struct gpudbg_segment *seg)
{
    const struct gcn_setup *setup = gcn_of(w)->setup;
    if (seg != setup->scratch) return (struct window){seg->base, seg->size};
    return (struct window){seg->base + gcn_scratch_place(setup, w), setup->scratch_wave};
}

/* Whether all lanes of mask lie in the segment; *row: one after another, and the bytes of absent lanes may be read too.
 */
static bool all_inside(const struct gpudbg_wave *w, const struct gpudbg_segment *seg, const uint32_t *lo,
    const uint32_t *hi, uint64_t mask, unsigned bytes, bool *row)
{
    const struct window in = window_of(w, seg);
    if (in.size < bytes) return false;
    uint64_t last = in.from + in.size - bytes;
    unsigned lane = gcn_first_lane(mask);
    if ((uint32_t)seg->base == 0 && last >> 32 == seg->base >> 32) {
        uint32_t first = lo[lane] - lane * bytes;
        unsigned found = gcn_rows_of(w)->check(
            lo, hi, (uint32_t)(seg->base >> 32), (uint32_t)in.from, (uint32_t)last, first, bytes, mask);
        *row = !(found & GCN_SCATTERED) && first <= lo[lane] && first + (uint64_t)64 * bytes <= seg->size;
        return !(found & GCN_OUTSIDE);
    }
    *row = false;
    for (uint64_t m = mask; m; m &= m - 1)
        if (address(lo, hi, gcn_first_lane(m)) - in.from > last - in.from) return false;
    return true;
}

static bool usable(const struct gpudbg_segment *seg, bool write)
{
    return seg && !(write && seg->flags & GPUDBG_SEG_READONLY);
}

/* Has the memory door report the fault of the lane's access. */
static bool refuse(
    struct gpudbg_wave *w, const struct gcn_op *op, uint64_t addr, unsigned bytes, bool write, unsigned lane)
{
    const struct gcn_setup *setup = gcn_of(w)->setup;
    uint8_t none[16] = {0};
    gcn_sync(w, op);
    if (setup->scratch && addr >> 32 == setup->scratch->base >> 32) {
        const int64_t at = (int64_t)(addr - window_of(w, setup->scratch).from);
        const unsigned lanes = w->machine->isa->lanes;
        gpudbg_fault(w, (int)lane,
            "%s of %u byte%s, lane %u: outside the wave's scratch, %u bytes a work-item (this is byte %lld)",
            write ? "store" : "load", bytes, bytes == 1 ? "" : "s", lane, setup->scratch_wave / lanes,
            (long long)(at / (4 * lanes) * 4 + at % 4));
    } else if (write) {
        gpudbg_mem_write(w, GPUDBG_GLOBAL, addr, none, bytes, (int)lane);
    } else {
        gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, none, bytes, (int)lane);
    }
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

static bool lane_inside(const struct gpudbg_wave *w, const struct gpudbg_segment *seg, uint64_t addr, unsigned bytes)
{
    const struct window in = window_of(w, seg);
    return in.size >= bytes && addr - in.from <= in.size - bytes;
}

/* Lanes in different segments. */
static bool resolve_each(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t *lo, const uint32_t *hi,
    uint64_t mask, unsigned bytes, bool write, struct gcn_spans *s)
{
    unsigned from = s->n;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m), i;
        struct gpudbg_segment *seg = gpudbg_mem_find(w, GPUDBG_GLOBAL, address(lo, hi, lane), bytes);
        if (!usable(seg, write) || !lane_inside(w, seg, address(lo, hi, lane), bytes))
            return refuse(w, op, address(lo, hi, lane), bytes, write, lane);
        for (i = from; i < s->n && s->span[i].segment != seg; i++) continue;
        if (i == s->n) s->span[s->n++] = (struct gcn_span){.segment = seg, .space = GPUDBG_GLOBAL};
        s->span[i].mask |= m & (0 - m);
    }
    return true;
}

/* The usual case: all lanes in `seg`. */
static bool resolve_in(const struct gpudbg_wave *w, struct gpudbg_segment *seg, const uint32_t *lo, const uint32_t *hi,
    uint64_t mask, unsigned bytes, bool write, struct gcn_spans *s)
{
    struct gcn_span *span = &s->span[s->n];
    if (!usable(seg, write) || !all_inside(w, seg, lo, hi, mask, bytes, &span->row)) return false;
    span->segment = seg;
    span->mask = mask;
    span->space = GPUDBG_GLOBAL;
    s->n++;
    return true;
}

bool gcn_resolve_again(const struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t *lo, const uint32_t *hi,
    uint64_t mask, unsigned bytes, bool write, struct gcn_spans *s)
{
    return resolve_in(w, op->cache, lo, hi, mask, bytes, write, s);
}

bool gcn_resolve(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t *lo, const uint32_t *hi, uint64_t mask,
    unsigned bytes, bool write, struct gcn_spans *s)
{
    if (resolve_in(w, op->cache, lo, hi, mask, bytes, write, s)) return true;
    struct gpudbg_segment *seg = gpudbg_mem_find(w, GPUDBG_GLOBAL, address(lo, hi, gcn_first_lane(mask)), bytes);
    if (!resolve_in(w, seg, lo, hi, mask, bytes, write, s)) return resolve_each(w, op, lo, hi, mask, bytes, write, s);
    ((struct gcn_op *)op)->cache = seg;
    return true;
}

uint32_t gcn_lds_limit(const struct gpudbg_wave *w)
{
    const uint32_t size = w->lds ? (uint32_t)w->lds->size : 0, m0 = gcn_s(w)[GCN_M0];
    return m0 < size && gcn_chip_of(w->machine->isa)->lds_by_m0 ? m0 : size;
}

struct gcn_share gcn_share(const struct gpudbg_wave *w, bool gds)
{
    uint32_t m0 = gcn_s(w)[GCN_M0], base = m0 >> 16, size = m0 & 0xffff;
    struct gpudbg_segment *segment = gds ? gcn_of(w)->setup->gds : w->lds;
    if (!gds) return (struct gcn_share){segment, 0, gcn_lds_limit(w), GPUDBG_LOCAL};
    uint32_t there = segment && base < segment->size ? (uint32_t)segment->size - base : 0;
    return (struct gcn_share){segment, base, size < there ? size : there, GPUDBG_GLOBAL};
}

void gcn_resolve_share(const struct gcn_share *share, uint32_t *at, uint64_t mask, unsigned bytes, struct gcn_spans *s)
{
    uint64_t in = 0;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        if ((uint64_t)at[lane] + bytes <= share->limit) in |= m & (0 - m);
        at[lane] += share->base + (uint32_t)share->segment->base;
    }
    if (in) s->span[s->n++] = (struct gcn_span){.segment = share->segment, .mask = in, .space = share->space};
}

void gcn_resolve_lds(struct gpudbg_wave *w, const uint32_t *lo, uint64_t mask, unsigned bytes, struct gcn_spans *s)
{
    uint32_t limit = gcn_lds_limit(w);
    uint64_t in = 0;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        if ((uint64_t)lo[lane] + bytes <= limit) in |= m & (0 - m);
    }
    if (in) s->span[s->n++] = (struct gcn_span){.segment = w->lds, .mask = in, .space = GPUDBG_LOCAL};
}

/* ---- Reading ---- */

/* Has the memory door report that the segment is only for stores. */
static bool read_refused(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, const uint32_t *lo, unsigned bytes)
{
    unsigned lane = gcn_first_lane(s->mask);
    uint32_t none[4];
    gcn_sync(w, op);
    gpudbg_mem_read(w, s->space, s->segment->base + gcn_offset(s->segment, lo, lane), none, bytes, (int)lane);
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

struct gpudbg_accesses gcn_accesses_of(const struct gcn_span *s, const uint32_t *lo, unsigned bytes, uint32_t off[64])
{
    const bool based = (uint32_t)s->segment->base;
    for (unsigned l = 0; l < 64 && based; l++) off[l] = gcn_offset(s->segment, lo, l);
    return (struct gpudbg_accesses){
        .space = s->space, .size = bytes, .segment = s->segment, .lanes = s->mask, .offset = based ? off : lo};
}

static void tell_loads(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, const uint32_t *lo, unsigned bytes)
{
    uint32_t off[64];
    const struct gpudbg_accesses loads = gcn_accesses_of(s, lo, bytes, off);
    gcn_sync(w, op);
    gpudbg_mem_loads(w, &loads);
}

/* The start of the row that the lanes are in; the bytes of absent lanes are readable, too. */
static const uint8_t *row_start(const struct gcn_span *s, const uint32_t *lo, unsigned bytes)
{
    unsigned lane = gcn_first_lane(s->mask);
    return s->segment->bytes + gcn_offset(s->segment, lo, lane) - lane * bytes;
}

/* Reads all lanes into rows; the values of absent lanes mean nothing. */
static void read_rows(
    const struct gpudbg_wave *w, const struct gcn_span *s, const uint32_t *lo, uint32_t *rows, unsigned type)
{
    const struct gcn_memory_rows *f = gcn_rows_of(w);
    const struct gpudbg_segment *seg = s->segment;
    unsigned bytes = gcn_data_bytes(type);
    _Alignas(64) uint32_t off[64];
    if (s->row && bytes < 4) {
        f->widen(rows, row_start(s, lo, bytes), type);
    } else if (s->row) {
        f->split(rows, row_start(s, lo, bytes), bytes / 4);
    } else if (s->mask == UINT64_MAX && (uint32_t)seg->base == 0) {
        f->gather(rows, seg->bytes, lo, bytes / 4);
    } else {
        f->tame(off, lo, s->mask);
        for (unsigned l = 0; (uint32_t)seg->base && l < 64; l++) off[l] -= (uint32_t)seg->base;
        f->gather(rows, seg->bytes, off, bytes / 4);
    }
}

bool gcn_read(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, const uint32_t *lo,
    uint32_t *rows, unsigned type)
{
    const struct gpudbg_segment *seg = s->segment;
    unsigned bytes = gcn_data_bytes(type), n = gcn_data_rows(type);
    if (seg->flags & GPUDBG_SEG_WRITEONLY) return read_refused(w, op, s, lo, bytes);
    if (seg->flags & GPUDBG_SEG_RWATCH) tell_loads(w, op, s, lo, bytes);
    if (bytes < 4 && !s->row) {
        for (uint64_t m = s->mask; m; m &= m - 1) {
            unsigned lane = gcn_first_lane(m);
            rows[lane] = gcn_widen(seg->bytes + gcn_offset(seg, lo, lane), type);
        }
    } else if (s->mask == UINT64_MAX) {
        read_rows(w, s, lo, rows, type);
    } else {
        _Alignas(64) uint32_t all[4 * 64];
        read_rows(w, s, lo, all, type);
        for (unsigned i = 0; i < n; i++) gcn_rows_of(w)->select(rows + 64 * i, all + 64 * i, s->mask);
    }
    return true;
}

/* ---- Writing ---- */

bool gcn_write_lane(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, uint64_t off,
    const void *d, unsigned bytes, unsigned lane)
{
    const bool told = s->segment->flags & GPUDBG_SEG_RWATCH; /* its watchers are told of stores, too */
    if (!told && gcn_is_open(w, s->segment, off, bytes)) {
        memcpy(s->segment->bytes + off, d, bytes);
        return true;
    }
    gcn_sync(w, op);
    if (gpudbg_mem_write(w, s->space, s->segment->base + off, d, bytes, (int)lane)) return true;
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

/* Stores the words of the eight lanes from `lane` on, if their places are consecutive, as in tiles. */
static bool write_eight(
    struct gpudbg_wave *w, const struct gcn_span *s, const uint32_t *lo, const uint32_t *row, unsigned lane)
{
    uint32_t off = gcn_offset(s->segment, lo, lane), scattered = ~(uint32_t)(s->mask >> lane) & 0xff;
    for (uint32_t i = 0; i < 8; i++) scattered |= lo[lane + i] ^ (lo[lane] + 4 * i);
    if (scattered || !gcn_is_open(w, s->segment, off, 32)) return false;
    memcpy(s->segment->bytes + off, row + lane, 32);
    return true;
}

/* Whether each lane's place is behind that of the lane before. */
static bool ascends(const struct gcn_span *s, const uint32_t *lo, unsigned bytes)
{
    uint64_t end = 0;
    for (uint64_t m = s->mask; m; m &= m - 1) {
        const uint32_t at = gcn_offset(s->segment, lo, gcn_first_lane(m));
        if (at < end) return false;
        end = (uint64_t)at + bytes;
    }
    return true;
}

/* Stores lanes whose places do not overlap while the stores are watched. */
static bool write_told(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, const uint32_t *lo,
    const uint32_t *rows, unsigned bytes)
{
    uint32_t off[64], joined[4 * 64];
    struct gpudbg_accesses stores = gcn_accesses_of(s, lo, bytes, off);
    stores.write = true;
    stores.bytes = (const uint8_t *)(bytes == 4 ? rows : joined);
    if (bytes > 4) gcn_rows_of(w)->join((uint8_t *)joined, rows, bytes / 4);
    for (unsigned lane = 0; lane < 64 && bytes < 4; lane++)
        memcpy((uint8_t *)joined + lane * bytes, &rows[lane], bytes);
    gcn_sync(w, op);
    if (gpudbg_mem_stores(w, &stores)) return true;
    gcn_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

/* Stores words that are scattered over a few pages, if stores may write these directly. */
static bool write_scattered(
    const struct gpudbg_wave *w, const struct gcn_span *s, const uint32_t *lo, const uint32_t *rows, unsigned n)
{
    const struct gpudbg_segment *seg = s->segment;
    const uint32_t stamp = w->machine->stamp;
    uint32_t least, most;
    if ((uint32_t)seg->base) return false;
    gcn_rows_of(w)->bounds(lo, s->mask, &least, &most);
    const uint64_t from = least >> GPUDBG_PAGE_BITS, to = (most + UINT64_C(4) * n - 1) >> GPUDBG_PAGE_BITS;
    for (uint64_t p = from; p <= to; p++)
        if (to - from > 64 || seg->page[p] != stamp) return false;
    gcn_rows_of(w)->scatter(seg->bytes, lo, rows, n, s->mask);
    return true;
}

bool gcn_write(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, const uint32_t *lo,
    const uint32_t *rows, unsigned type)
{
    struct gpudbg_segment *seg = s->segment;
    unsigned bytes = gcn_data_bytes(type), n = gcn_data_rows(type);
    if (seg->flags & GPUDBG_SEG_RWATCH && (s->row || ascends(s, lo, bytes)))
        return write_told(w, op, s, lo, rows, bytes);
    if (s->row && s->mask == UINT64_MAX && bytes >= 4 && gcn_is_open(w, seg, gcn_offset(seg, lo, 0), 64 * bytes)) {
        gcn_rows_of(w)->join(seg->bytes + gcn_offset(seg, lo, 0), rows, n);
        return true;
    }
    if (bytes >= 4 && write_scattered(w, s, lo, rows, n)) return true;
    for (uint64_t m = s->mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        uint32_t d[4];
        if (lane % 8 == 0 && bytes == 4 && write_eight(w, s, lo, rows, lane)) {
            m &= ~(UINT64_C(0x7f) << lane);
            continue;
        }
        for (unsigned i = 0; i < n; i++) d[i] = rows[64 * i + lane];
        if (!gcn_write_lane(w, op, s, gcn_offset(seg, lo, lane), d, bytes, lane)) return false;
    }
    return true;
}
