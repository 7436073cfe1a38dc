/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c: resolving lanes to segments, and reading, writing and modifying what they touch.  See memory.h. */
#include "memory.h"

#include <lanes.h>

static const struct gfx7_memory_rows *rows_of(const struct gpudbg_wave *w)
{
    return gfx7_of(w)->setup->rows;
}

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
    const struct gfx7_setup *setup = gfx7_of(w)->setup;
    if (seg != setup->scratch)
        return (struct window){seg->base, seg->size};
    return (struct window){seg->base + gfx7_scratch_place(setup, w), setup->scratch_wave};
}

/* Whether all lanes of mask lie in the segment; *row: one after another, and the bytes of absent lanes may be read too. */
static bool all_inside(const struct gpudbg_wave *w, const struct gpudbg_segment *seg, const uint32_t *lo, const uint32_t *hi, uint64_t mask,
    unsigned bytes, bool *row)
{
    const struct window in = window_of(w, seg);
    if (in.size < bytes)
        return false;
    uint64_t last = in.from + in.size - bytes;
    unsigned lane = gfx7_first_lane(mask);
    if ((uint32_t)seg->base == 0 && last >> 32 == seg->base >> 32) {
        uint32_t first = lo[lane] - lane * bytes;
        unsigned found = rows_of(w)->check(lo, hi, (uint32_t)(seg->base >> 32), (uint32_t)in.from, (uint32_t)last, first, bytes, mask);
        *row = !(found & GFX7_SCATTERED) && first <= lo[lane] && first + (uint64_t)64 * bytes <= seg->size;
        return !(found & GFX7_OUTSIDE);
    }
    *row = false;
    for (uint64_t m = mask; m; m &= m - 1)
        if (address(lo, hi, gfx7_first_lane(m)) - in.from > last - in.from)
            return false;
    return true;
}

static bool usable(const struct gpudbg_segment *seg, bool write)
{
    return seg && !(write && seg->flags & GPUDBG_SEG_READONLY);
}

/* Lets the memory door say what is wrong with the lane's access. */
static bool refuse(struct gpudbg_wave *w, const struct gfx7_op *op, uint64_t addr, unsigned bytes, bool write, unsigned lane)
{
    const struct gfx7_setup *setup = gfx7_of(w)->setup;
    uint8_t none[16] = {0};
    gfx7_sync(w, op);
    if (setup->scratch && addr >> 32 == setup->scratch->base >> 32) {
        int64_t at = (int64_t)(addr - window_of(w, setup->scratch).from);
        gpudbg_fault(w, (int)lane, "%s of %u byte%s, lane %u: outside the wave's scratch, %u bytes a work-item (this is byte %lld)",
            write ? "store" : "load", bytes, bytes == 1 ? "" : "s", lane, setup->scratch_wave / 64, (long long)(at / 256 * 4 + at % 4));
    } else if (write) {
        gpudbg_mem_write(w, GPUDBG_GLOBAL, addr, none, bytes, (int)lane);
    } else {
        gpudbg_mem_read(w, GPUDBG_GLOBAL, addr, none, bytes, (int)lane);
    }
    gfx7_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

static bool lane_inside(const struct gpudbg_wave *w, const struct gpudbg_segment *seg, uint64_t addr, unsigned bytes)
{
    const struct window in = window_of(w, seg);
    return in.size >= bytes && addr - in.from <= in.size - bytes;
}

/* Lanes in different segments. */
static bool resolve_each(struct gpudbg_wave *w, const struct gfx7_op *op, const uint32_t *lo, const uint32_t *hi, uint64_t mask, unsigned bytes,
    bool write, struct gfx7_spans *s)
{
    unsigned from = s->n;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gfx7_first_lane(m), i;
        struct gpudbg_segment *seg = gpudbg_mem_find(w, GPUDBG_GLOBAL, address(lo, hi, lane), bytes);
        if (!usable(seg, write) || !lane_inside(w, seg, address(lo, hi, lane), bytes))
            return refuse(w, op, address(lo, hi, lane), bytes, write, lane);
        for (i = from; i < s->n && s->span[i].segment != seg; i++)
            continue;
        if (i == s->n)
            s->span[s->n++] = (struct gfx7_span){.segment = seg, .space = GPUDBG_GLOBAL};
        s->span[i].mask |= m & (0 - m);
    }
    return true;
}

/* The usual case: all lanes in `seg`. */
static bool resolve_in(const struct gpudbg_wave *w, struct gpudbg_segment *seg, const uint32_t *lo, const uint32_t *hi, uint64_t mask,
    unsigned bytes, bool write, struct gfx7_spans *s)
{
    struct gfx7_span *span = &s->span[s->n];
    if (!usable(seg, write) || !all_inside(w, seg, lo, hi, mask, bytes, &span->row))
        return false;
    span->segment = seg;
    span->mask = mask;
    span->space = GPUDBG_GLOBAL;
    s->n++;
    return true;
}

bool gfx7_resolve_again(const struct gpudbg_wave *w, const struct gfx7_op *op, const uint32_t *lo, const uint32_t *hi, uint64_t mask,
    unsigned bytes, bool write, struct gfx7_spans *s)
{
    return resolve_in(w, op->cache, lo, hi, mask, bytes, write, s);
}

bool gfx7_resolve(struct gpudbg_wave *w, const struct gfx7_op *op, const uint32_t *lo, const uint32_t *hi, uint64_t mask, unsigned bytes,
    bool write, struct gfx7_spans *s)
{
    if (resolve_in(w, op->cache, lo, hi, mask, bytes, write, s))
        return true;
    struct gpudbg_segment *seg = gpudbg_mem_find(w, GPUDBG_GLOBAL, address(lo, hi, gfx7_first_lane(mask)), bytes);
    if (!resolve_in(w, seg, lo, hi, mask, bytes, write, s))
        return resolve_each(w, op, lo, hi, mask, bytes, write, s);
    ((struct gfx7_op *)op)->cache = seg;
    return true;
}

uint32_t gfx7_lds_limit(const struct gpudbg_wave *w)
{
    uint32_t size = w->lds ? (uint32_t)w->lds->size : 0, m0 = gfx7_s(w)[GFX7_M0];
    return m0 < size ? m0 : size;
}

void gfx7_resolve_lds(struct gpudbg_wave *w, const uint32_t *lo, uint64_t mask, unsigned bytes, struct gfx7_spans *s)
{
    uint32_t limit = gfx7_lds_limit(w);
    uint64_t in = 0;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gfx7_first_lane(m);
        if ((uint64_t)lo[lane] + bytes <= limit)
            in |= m & (0 - m);
    }
    if (in)
        s->span[s->n++] = (struct gfx7_span){.segment = w->lds, .mask = in, .space = GPUDBG_LOCAL};
}

/* ---- Reading ---- */

static uint32_t widen(const uint8_t *p, unsigned type)
{
    uint16_t half;
    memcpy(&half, p, 1 + (type == GFX7_U16 || type == GFX7_I16));
    switch (type) {
    case GFX7_U8: return *p;
    case GFX7_I8: return (uint32_t)(int8_t)*p;
    case GFX7_U16: return half;
    default: return (uint32_t)(int16_t)half;
    }
}

/* The segment's offset of a lane. */
static inline uint32_t offset(const struct gpudbg_segment *seg, const uint32_t *lo, unsigned lane)
{
    return lo[lane] - (uint32_t)seg->base;
}

static bool read_watched(struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_span *s, const uint32_t *lo, uint32_t *rows, unsigned type)
{
    unsigned bytes = gfx7_data_bytes(type);
    gfx7_sync(w, op);
    for (uint64_t m = s->mask; m; m &= m - 1) {
        unsigned lane = gfx7_first_lane(m);
        uint32_t d[4];
        if (!gpudbg_mem_read(w, s->space, s->segment->base + offset(s->segment, lo, lane), d, bytes, (int)lane)) {
            gfx7_stop(w, GPUDBG_RAN_FAULT);
            return false;
        }
        if (bytes < 4)
            d[0] = widen((const uint8_t *)d, type);
        for (unsigned i = 0; 4 * i < bytes; i++)
            rows[64 * i + lane] = d[i];
    }
    return true;
}

bool gfx7_read(struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_span *s, const uint32_t *lo, uint32_t *rows, unsigned type)
{
    const struct gpudbg_segment *seg = s->segment;
    unsigned bytes = gfx7_data_bytes(type), n = bytes / 4;
    if (seg->flags & GPUDBG_SEG_RWATCH)
        return read_watched(w, op, s, lo, rows, type);
    if (bytes < 4) {
        for (uint64_t m = s->mask; m; m &= m - 1) {
            unsigned lane = gfx7_first_lane(m);
            rows[lane] = widen(seg->bytes + offset(seg, lo, lane), type);
        }
    } else if (s->row) {
        unsigned lane = gfx7_first_lane(s->mask);
        const uint8_t *from = seg->bytes + offset(seg, lo, lane) - lane * bytes;
        if (s->mask == UINT64_MAX) {
            rows_of(w)->split(rows, from, n);
        } else {
            _Alignas(64) uint32_t all[4 * 64];
            rows_of(w)->split(all, from, n);
            for (unsigned i = 0; i < n; i++)
                rows_of(w)->select(rows + 64 * i, all + 64 * i, s->mask);
        }
    } else if (s->mask == UINT64_MAX && (uint32_t)seg->base == 0) {
        rows_of(w)->gather(rows, seg->bytes, lo, n);
    } else {
        for (uint64_t m = s->mask; m; m &= m - 1) {
            unsigned lane = gfx7_first_lane(m);
            uint32_t d[4];
            memcpy(d, seg->bytes + offset(seg, lo, lane), bytes);
            for (unsigned i = 0; i < n; i++)
                rows[64 * i + lane] = d[i];
        }
    }
    return true;
}

/* ---- Writing ---- */

/* Stores may go straight to the bytes. */
static inline bool is_open(struct gpudbg_wave *w, struct gpudbg_segment *seg, uint64_t off, unsigned size)
{
    uint32_t stamp = w->machine->stamp;
    uint64_t from = off >> GPUDBG_PAGE_BITS, to = (off + size - 1) >> GPUDBG_PAGE_BITS;
    if (seg->page[from] == stamp && seg->page[to] == stamp && to - from < 2)
        return true;
    return gpudbg_mem_open(w, seg, off, size);
}

static bool write_lane(struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_span *s, uint64_t off, const void *d, unsigned bytes, unsigned lane)
{
    if (is_open(w, s->segment, off, bytes)) {
        memcpy(s->segment->bytes + off, d, bytes);
        return true;
    }
    gfx7_sync(w, op);
    if (gpudbg_mem_write(w, s->space, s->segment->base + off, d, bytes, (int)lane))
        return true;
    gfx7_stop(w, GPUDBG_RAN_FAULT);
    return false;
}

/* Words of the eight lanes from `lane` on, if they stand one after another: tiles do. */
static bool write_eight(struct gpudbg_wave *w, const struct gfx7_span *s, const uint32_t *lo, const uint32_t *row, unsigned lane)
{
    uint32_t off = offset(s->segment, lo, lane), scattered = ~(uint32_t)(s->mask >> lane) & 0xff;
    for (uint32_t i = 0; i < 8; i++)
        scattered |= lo[lane + i] ^ (lo[lane] + 4 * i);
    if (scattered || !is_open(w, s->segment, off, 32))
        return false;
    memcpy(s->segment->bytes + off, row + lane, 32);
    return true;
}

bool gfx7_write(struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_span *s, const uint32_t *lo, const uint32_t *rows, unsigned type)
{
    struct gpudbg_segment *seg = s->segment;
    unsigned bytes = gfx7_data_bytes(type), n = gfx7_data_rows(type);
    if (s->row && s->mask == UINT64_MAX && bytes >= 4 && is_open(w, seg, offset(seg, lo, 0), 64 * bytes)) {
        rows_of(w)->join(seg->bytes + offset(seg, lo, 0), rows, n);
        return true;
    }
    for (uint64_t m = s->mask; m; m &= m - 1) {
        unsigned lane = gfx7_first_lane(m);
        uint32_t d[4];
        if (lane % 8 == 0 && bytes == 4 && write_eight(w, s, lo, rows, lane)) {
            m &= ~(UINT64_C(0x7f) << lane);
            continue;
        }
        for (unsigned i = 0; i < n; i++)
            d[i] = rows[64 * i + lane];
        if (!write_lane(w, op, s, offset(seg, lo, lane), d, bytes, lane))
            return false;
    }
    return true;
}

/* ---- Read, modify, write ---- */

static uint64_t float_value(enum gfx7_rmw rmw, bool wide, uint64_t old, uint64_t src, uint64_t more)
{
    double a = wide ? lanes_f64(old) : (double)lanes_f32((uint32_t)old), b = wide ? lanes_f64(src) : (double)lanes_f32((uint32_t)src);
    if (rmw == GFX7_RMW_FCMPSWAP)
        return a == (wide ? lanes_f64(more) : (double)lanes_f32((uint32_t)more)) ? src : old;
    return (rmw == GFX7_RMW_FMIN ? b < a : b > a) ? src : old;
}

uint64_t gfx7_rmw_value(enum gfx7_rmw rmw, bool wide, uint64_t old, uint64_t src, uint64_t more)
{
    int64_t sold = wide ? (int64_t)old : (int32_t)old, ssrc = wide ? (int64_t)src : (int32_t)src;
    uint64_t set = wide ? UINT64_C(0x8000000080000000) : 0x80000000;
    switch (rmw) {
    case GFX7_RMW_SWAP: return src;
    case GFX7_RMW_ADD: return old + src;
    case GFX7_RMW_SUB: return old - src;
    case GFX7_RMW_RSUB: return src - old;
    case GFX7_RMW_INC: return old >= src ? 0 : old + 1;
    case GFX7_RMW_DEC: return old == 0 || old > src ? src : old - 1;
    case GFX7_RMW_SMIN: return ssrc < sold ? src : old;
    case GFX7_RMW_SMAX: return ssrc > sold ? src : old;
    case GFX7_RMW_UMIN: return src < old ? src : old;
    case GFX7_RMW_UMAX: return src > old ? src : old;
    case GFX7_RMW_AND: return old & src;
    case GFX7_RMW_OR: return old | src;
    case GFX7_RMW_XOR: return old ^ src;
    case GFX7_RMW_MSKOR: return (old & ~src) | more;
    case GFX7_RMW_CMPSWAP: return old == more ? src : old;
    case GFX7_RMW_WRAP: return old >= src ? old - src : old + more;
    case GFX7_RMW_CONDXCHG: /* each dword: its top bit says whether the rest is stored */
        set &= src;
        set |= set - (set >> 31 & UINT64_C(0x100000001)); /* every bit of those dwords */
        return (old & ~set) | (src & set & ~(UINT64_C(0x8000000080000000)));
    default: return float_value(rmw, wide, old, src, more);
    }
}

static uint64_t element(const uint32_t *rows, bool wide, unsigned lane)
{
    return rows ? rows[lane] | (wide ? (uint64_t)rows[64 + lane] << 32 : 0) : 0;
}

/* All pages of a segment of a few are open and nobody watches loads: its bytes may be used as they are. */
static bool all_open(struct gpudbg_wave *w, struct gpudbg_segment *seg)
{
    if (seg->size > 65536 || seg->flags & GPUDBG_SEG_RWATCH)
        return false;
    for (uint64_t off = 0; off < seg->size; off += GPUDBG_PAGE)
        if (!is_open(w, seg, off, 1))
            return false;
    return true;
}

/* The operations of 32 bits that programs use most, lane by lane without leaving the loop. */
static bool modify_plain(const struct gfx7_span *s, const uint32_t *lo, const struct gfx7_rmw_op *r)
{
#define LANES(expr) \
    for (uint64_t m = s->mask; m; m &= m - 1) { \
        unsigned lane = gfx7_first_lane(m); \
        uint32_t old, new, src = r->src[lane]; \
        memcpy(&old, s->segment->bytes + offset(s->segment, lo, lane), 4); \
        new = expr; \
        memcpy(s->segment->bytes + offset(s->segment, lo, lane), &new, 4); \
        if (r->out) \
            r->out[lane] = old; \
    } \
    return true
    switch (r->rmw) {
    case GFX7_RMW_ADD: LANES(old + src);
    case GFX7_RMW_OR: LANES(old | src);
    case GFX7_RMW_UMIN: LANES(src < old ? src : old);
    case GFX7_RMW_UMAX: LANES(src > old ? src : old);
    case GFX7_RMW_SWAP: LANES(src);
    default: return false;
    }
#undef LANES
}

bool gfx7_modify(struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_span *s, const uint32_t *lo, const struct gfx7_rmw_op *r)
{
    struct gpudbg_segment *seg = s->segment;
    unsigned bytes = r->wide ? 8 : 4;
    if (!r->wide && all_open(w, seg) && modify_plain(s, lo, r))
        return true;
    for (uint64_t m = s->mask; m; m &= m - 1) {
        unsigned lane = gfx7_first_lane(m);
        uint64_t old = 0, off = offset(seg, lo, lane);
        if (!(seg->flags & GPUDBG_SEG_RWATCH)) {
            memcpy(&old, seg->bytes + off, bytes);
        } else {
            gfx7_sync(w, op);
            if (!gpudbg_mem_read(w, s->space, seg->base + off, &old, bytes, (int)lane)) {
                gfx7_stop(w, GPUDBG_RAN_FAULT);
                return false;
            }
        }
        uint64_t new = gfx7_rmw_value(r->rmw, r->wide, old, element(r->src, r->wide, lane), element(r->more, r->wide, lane));
        if (!write_lane(w, op, s, off, &new, bytes, lane))
            return false;
        if (r->out) {
            r->out[lane] = (uint32_t)old;
            if (r->wide)
                r->out[64 + lane] = (uint32_t)(old >> 32);
        }
    }
    return true;
}

/* ---- Pieces ---- */

static bool resolve_pieces(struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_pieces *p, uint64_t mask, bool write, struct gfx7_spans s[])
{
    for (unsigned i = 0; i < p->n; i++) {
        s[i].n = 0;
        if (!gfx7_resolve(w, op, p->lo[i], p->hi[i], mask, p->bytes, write, &s[i]))
            return false;
    }
    return true;
}

/* The data type of a piece: the whole's, if there is but one. */
static unsigned piece_type(const struct gfx7_pieces *p, unsigned type)
{
    return p->n == 1 ? type : p->bytes == 4 ? (unsigned)GFX7_B32 : (unsigned)GFX7_U8;
}

bool gfx7_pieces_read(
    struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_pieces *p, uint64_t mask, uint32_t *rows, unsigned type)
{
    struct gfx7_spans s[GFX7_PIECES];
    _Alignas(64) uint32_t got[GFX7_PIECES][64];
    unsigned bytes = gfx7_data_bytes(type);
    if (!resolve_pieces(w, op, p, mask, false, s))
        return false;
    for (unsigned k = 0; p->n == 1 && k < s[0].n; k++)
        if (!gfx7_read(w, op, &s[0].span[k], p->lo[0], rows, type))
            return false;
    if (p->n == 1)
        return true;
    for (unsigned i = 0; i < p->n; i++)
        for (unsigned k = 0; k < s[i].n; k++)
            if (!gfx7_read(w, op, &s[i].span[k], p->lo[i], got[i], piece_type(p, type)))
                return false;
    if (p->bytes == 1) /* put the bytes together, in place */
        for (uint64_t m = mask; m; m &= m - 1) {
            unsigned lane = gfx7_first_lane(m);
            uint8_t b[16];
            for (unsigned i = 0; i < bytes; i++)
                b[i] = (uint8_t)got[i][lane];
            if (bytes < 4)
                got[0][lane] = widen(b, type);
            else
                for (unsigned i = 0; i < bytes / 4; i++)
                    memcpy(&got[i][lane], b + 4 * i, 4);
        }
    for (unsigned i = 0; i < gfx7_data_rows(type); i++)
        rows_of(w)->select(rows + 64 * i, got[i], mask);
    return true;
}

bool gfx7_pieces_write(
    struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_pieces *p, uint64_t mask, const uint32_t *rows, unsigned type)
{
    struct gfx7_spans s[GFX7_PIECES];
    _Alignas(64) uint32_t shifted[64];
    if (!resolve_pieces(w, op, p, mask, true, s))
        return false;
    for (unsigned i = 0; i < p->n; i++) {
        const uint32_t *row = rows + 64 * (i * p->bytes / 4);
        if (p->bytes == 1 && p->n > 1) {
            for (unsigned l = 0; l < 64; l++)
                shifted[l] = row[l] >> 8 * (i % 4);
            row = shifted;
        }
        for (unsigned k = 0; k < s[i].n; k++)
            if (!gfx7_write(w, op, &s[i].span[k], p->lo[i], row, piece_type(p, type)))
                return false;
    }
    return true;
}

bool gfx7_pieces_modify(
    struct gpudbg_wave *w, const struct gfx7_op *op, const struct gfx7_pieces *p, uint64_t mask, const struct gfx7_rmw_op *r)
{
    _Alignas(64) uint32_t old[2 * 64], new[2 * 64];
    unsigned type = r->wide ? GFX7_B64 : GFX7_B32;
    struct gfx7_spans s[GFX7_PIECES];
    if (!resolve_pieces(w, op, p, mask, true, s))
        return false;
    for (unsigned k = 0; p->n == 1 && k < s[0].n; k++)
        if (!gfx7_modify(w, op, &s[0].span[k], p->lo[0], r))
            return false;
    if (p->n == 1)
        return true;
    for (uint64_t m = mask; m; m &= m - 1) { /* lane after lane: they may meet */
        uint64_t one = m & (0 - m);
        unsigned lane = gfx7_first_lane(m);
        if (!gfx7_pieces_read(w, op, p, one, old, type))
            return false;
        uint64_t value = gfx7_rmw_value(
            r->rmw, r->wide, element(old, r->wide, lane), element(r->src, r->wide, lane), element(r->more, r->wide, lane));
        new[lane] = (uint32_t)value;
        new[64 + lane] = (uint32_t)(value >> 32);
        if (!gfx7_pieces_write(w, op, p, one, new, type))
            return false;
        if (r->out)
            r->out[lane] = old[lane];
        if (r->out && r->wide)
            r->out[64 + lane] = old[64 + lane];
    }
    return true;
}

/* ---- The rows of ops.def ---- */

#define NONE {GFX7_NOT, 0, 0, 0}
#define NOTHING {GFX7_NOTHING, 0, 0, 0}
#define READ(type) {GFX7_READ, GFX7_##type, 0, 0}
#define WRITE(type) {GFX7_WRITE, GFX7_##type, 0, 0}
#define READ2(type, stride) {GFX7_READ2, GFX7_##type, 0, stride}
#define WRITE2(type, stride) {GFX7_WRITE2, GFX7_##type, 0, stride}
#define RMW(op, bits) {GFX7_MODIFY, GFX7_RMW_##op, (bits) / 64, 0}
#define XCHG2(bits, stride) {GFX7_EXCHANGE2, GFX7_RMW_SWAP, (bits) / 64, stride}
#define SRC2(op, bits) {GFX7_SRC2, GFX7_RMW_##op, (bits) / 64, 0}
#define LANE_SWIZZLE {GFX7_SWIZZLE, 0, 0, 0}
#define APPEND {GFX7_APPEND, 0, 0, 0}
#define CONSUME {GFX7_CONSUME, 0, 0, 0}
#define READ_FORMAT(n) {GFX7_READ_FORMAT, n, 0, 0}
#define WRITE_FORMAT(n) {GFX7_WRITE_FORMAT, n, 0, 0}
#define S_LOAD(n) {GFX7_S_LOAD, n, 0, 0}
#define S_BUFFER_LOAD(n) {GFX7_S_BUFFER_LOAD, n, 0, 0}
#define CLOCK {GFX7_CLOCK, 0, 0, 0}

static const struct gfx7_memory_row memory_rows[GFX7_OPS] = {
#define OP(layout, code, name, operands, flags, doc, ...) [GFX7_##name] = __VA_ARGS__,
#define GFX7_MEMORY_ROWS
#include "ops.def"
};

bool gfx7_memory_op(const struct gpudbg_insn *insn, struct gfx7_op *op)
{
    const struct gfx7_memory_row *row = &memory_rows[insn->op->id];
    uint32_t w[2] = {0, 0};
    for (unsigned i = 0; i < 8 && i < insn->size; i++)
        w[i / 4] |= (uint32_t)insn->raw[i] << 8 * (i % 4);
    op->cache = NULL;
    switch (row->action == GFX7_NOT ? GFX7_ENCODINGS : insn->variant) {
    case GFX7_SMRD: return gfx7_scalar_memory_op(insn, row, w, op);
    case GFX7_DS: return gfx7_lds_op(insn, row, w, op);
    case GFX7_MUBUF:
    case GFX7_MTBUF: return gfx7_buffer_op(insn, row, w, op);
    case GFX7_FLAT: return gfx7_flat_op(insn, row, w, op);
    default: return false;
    }
}
