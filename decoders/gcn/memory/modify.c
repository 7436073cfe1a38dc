/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modify.c: read, modify, write, one lane after another; and accesses in pieces.  See gcn_memory.h. */
#include "memory/gcn_memory.h"

#include "gcn_nan.h"
#include "gpudbg/lanes.h"

/* ---- Read, modify, write ---- */

static uint32_t flushed(uint32_t v) { return v & 0x7f800000 ? v : v & LANES_SIGN32; }

/* Rounded to the nearest, ties to even. */
static uint32_t sum(uint32_t old, uint32_t src, enum gcn_rmw rmw)
{
    const bool flush = rmw == GCN_RMW_FADD_FLUSH;
    const uint32_t a = flush ? flushed(old) : old, b = flush ? flushed(src) : src;
    const uint32_t both = lanes_bits32(lanes_f32(a) + lanes_f32(b));
    return lanes_isnan32(both) ? gcn_nan32(a, b, 0) : flush ? flushed(both) : both;
}

static uint64_t float_value(enum gcn_rmw rmw, bool wide, uint64_t old, uint64_t src, uint64_t more)
{
    double a = wide ? lanes_f64(old) : (double)lanes_f32((uint32_t)old),
           b = wide ? lanes_f64(src) : (double)lanes_f32((uint32_t)src);
    if (rmw == GCN_RMW_FADD || rmw == GCN_RMW_FADD_FLUSH) return sum((uint32_t)old, (uint32_t)src, rmw);
    if (rmw == GCN_RMW_FCMPSWAP) return a == (wide ? lanes_f64(more) : (double)lanes_f32((uint32_t)more)) ? src : old;
    return (rmw == GCN_RMW_FMIN ? b < a : b > a) ? src : old;
}

uint64_t gcn_rmw_value(enum gcn_rmw rmw, bool wide, uint64_t old, uint64_t src, uint64_t more)
{
    int64_t sold = wide ? (int64_t)old : (int32_t)old, ssrc = wide ? (int64_t)src : (int32_t)src;
    uint64_t set = wide ? UINT64_C(0x8000000080000000) : 0x80000000;
    switch (rmw) {
    case GCN_RMW_SWAP: return src;
    case GCN_RMW_ADD: return old + src;
    case GCN_RMW_SUB: return old - src;
    case GCN_RMW_RSUB: return src - old;
    case GCN_RMW_INC: return old >= src ? 0 : old + 1;
    case GCN_RMW_DEC: return old == 0 || old > src ? src : old - 1;
    case GCN_RMW_SMIN: return ssrc < sold ? src : old;
    case GCN_RMW_SMAX: return ssrc > sold ? src : old;
    case GCN_RMW_UMIN: return src < old ? src : old;
    case GCN_RMW_UMAX: return src > old ? src : old;
    case GCN_RMW_AND: return old & src;
    case GCN_RMW_OR: return old | src;
    case GCN_RMW_XOR: return old ^ src;
    case GCN_RMW_CSUB: return src > old ? 0 : old - src;
    case GCN_RMW_MSKOR: return (old & ~src) | more;
    case GCN_RMW_CMPSWAP: return old == more ? src : old;
    case GCN_RMW_WRAP: return old >= src ? old - src : old + more;
    case GCN_RMW_CONDXCHG: /* each dword: its top bit says whether the rest is stored */
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

/* Whether the bytes of a small segment may be used directly: all its pages are open and its loads are not watched. */
static bool all_open(struct gpudbg_wave *w, struct gpudbg_segment *seg)
{
    if (seg->size > 65536 || seg->flags & GPUDBG_SEG_RWATCH) return false;
    for (uint64_t off = 0; off < seg->size; off += GPUDBG_PAGE)
        if (!gcn_is_open(w, seg, off, 1)) return false;
    return true;
}

/* The operations of 32 bits that programs use most, lane by lane without leaving the loop. */
static bool modify_plain(const struct gcn_span *s, const uint32_t *lo, const struct gcn_rmw_op *r)
{
#define LANES(expr)                                                            \
    for (uint64_t m = s->mask; m; m &= m - 1) {                                \
        unsigned lane = gcn_first_lane(m);                                     \
        uint32_t old, new, src = r->src[lane];                                 \
        memcpy(&old, s->segment->bytes + gcn_offset(s->segment, lo, lane), 4); \
        new = expr;                                                            \
        memcpy(s->segment->bytes + gcn_offset(s->segment, lo, lane), &new, 4); \
        if (r->out) r->out[lane] = old;                                        \
    }                                                                          \
    return true
    switch (r->rmw) {
    case GCN_RMW_ADD: LANES(old + src);
    case GCN_RMW_OR: LANES(old | src);
    case GCN_RMW_UMIN: LANES(src < old ? src : old);
    case GCN_RMW_UMAX: LANES(src > old ? src : old);
    case GCN_RMW_SWAP: LANES(src);
    default: return false;
    }
#undef LANES
}

static uint64_t change(const void *with, unsigned lane, uint64_t old)
{
    const struct gcn_rmw_op *r = with;
    return gcn_rmw_value(r->rmw, r->wide, old, element(r->src, r->wide, lane), element(r->more, r->wide, lane));
}

/* The same of the operations that programs use most, of 32 bits. */
#define CHANGE(name, expr)                                                 \
    static uint64_t name(const void *with, unsigned lane, uint64_t old)    \
    {                                                                      \
        const uint32_t src = ((const struct gcn_rmw_op *)with)->src[lane]; \
        return expr;                                                       \
    }
CHANGE(change_add, (uint32_t)(old + src))
CHANGE(change_or, old | src)
CHANGE(change_umin, src < old ? src : old)
CHANGE(change_umax, src > old ? src : old)
#undef CHANGE

static uint64_t (*change_of(const struct gcn_rmw_op *r))(const void *with, unsigned lane, uint64_t old)
{
    if (r->wide || !r->src) return change;
    switch (r->rmw) {
    case GCN_RMW_ADD: return change_add;
    case GCN_RMW_OR: return change_or;
    case GCN_RMW_UMIN: return change_umin;
    case GCN_RMW_UMAX: return change_umax;
    default: return change;
    }
}

/* Where loads are watched. */
static bool modify_told(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, const uint32_t *lo,
    const struct gcn_rmw_op *r)
{
    uint32_t off[64];
    uint64_t old[64];
    const struct gpudbg_accesses all = gcn_accesses_of(s, lo, r->wide ? 8 : 4, off);
    gcn_sync(w, op);
    const bool done = gpudbg_mem_updates(w, &all, old, change_of(r), r);
    for (uint64_t m = done && r->out ? s->mask : 0; m; m &= m - 1) {
        const unsigned lane = gcn_first_lane(m);
        r->out[lane] = (uint32_t)old[lane];
        if (r->wide) r->out[64 + lane] = (uint32_t)(old[lane] >> 32);
    }
    if (!done) gcn_stop(w, GPUDBG_RAN_FAULT);
    return done;
}

bool gcn_modify(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_span *s, const uint32_t *lo,
    const struct gcn_rmw_op *r)
{
    struct gpudbg_segment *seg = s->segment;
    unsigned bytes = r->wide ? 8 : 4;
    if (!r->wide && all_open(w, seg) && modify_plain(s, lo, r)) return true;
    const bool told = seg->flags & GPUDBG_SEG_RWATCH && !(seg->flags & (GPUDBG_SEG_READONLY | GPUDBG_SEG_WRITEONLY));
    if (told && !modify_told(w, op, s, lo, r)) return false;
    for (uint64_t m = told ? 0 : s->mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        uint64_t old = 0, off = gcn_offset(seg, lo, lane);
        if (!(seg->flags & GPUDBG_SEG_RWATCH)) {
            memcpy(&old, seg->bytes + off, bytes);
        } else {
            gcn_sync(w, op);
            if (!gpudbg_mem_read(w, s->space, seg->base + off, &old, bytes, (int)lane)) {
                gcn_stop(w, GPUDBG_RAN_FAULT);
                return false;
            }
        }
        const uint64_t new = change(r, lane, old);
        if (!gcn_write_lane(w, op, s, off, &new, bytes, lane)) return false;
        if (r->out) {
            r->out[lane] = (uint32_t)old;
            if (r->wide) r->out[64 + lane] = (uint32_t)(old >> 32);
        }
    }
    return seg != gcn_of(w)->setup->hostcall || gcn_hostcall(w, op);
}

/* ---- Pieces ---- */

static bool resolve_pieces(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_pieces *p, uint64_t mask,
    bool write, struct gcn_spans s[])
{
    for (unsigned i = 0; i < p->n; i++) {
        s[i].n = 0;
        if (!gcn_resolve(w, op, p->lo[i], p->hi[i], mask, p->bytes, write, &s[i])) return false;
    }
    return true;
}

/* The data type of a piece: that of the whole access, if it has only one piece. */
static unsigned piece_type(const struct gcn_pieces *p, unsigned type)
{
    return p->n == 1 ? type : p->bytes == 4 ? (unsigned)GCN_B32 : (unsigned)GCN_U8;
}

bool gcn_pieces_read(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_pieces *p, uint64_t mask,
    uint32_t *rows, unsigned type)
{
    struct gcn_spans s[GCN_PIECES];
    _Alignas(64) uint32_t got[GCN_PIECES][64];
    unsigned bytes = gcn_data_bytes(type);
    if (!resolve_pieces(w, op, p, mask, false, s)) return false;
    for (unsigned k = 0; p->n == 1 && k < s[0].n; k++)
        if (!gcn_read(w, op, &s[0].span[k], p->lo[0], rows, type)) return false;
    if (p->n == 1) return true;
    for (unsigned i = 0; i < p->n; i++)
        for (unsigned k = 0; k < s[i].n; k++)
            if (!gcn_read(w, op, &s[i].span[k], p->lo[i], got[i], piece_type(p, type))) return false;
    if (p->bytes == 1) /* put the bytes together, in place */
        for (uint64_t m = mask; m; m &= m - 1) {
            unsigned lane = gcn_first_lane(m);
            uint8_t b[16];
            for (unsigned i = 0; i < bytes; i++) b[i] = (uint8_t)got[i][lane];
            if (bytes < 4)
                got[0][lane] = gcn_widen(b, type);
            else
                for (unsigned i = 0; i < bytes / 4; i++) memcpy(&got[i][lane], b + 4 * i, 4);
        }
    for (unsigned i = 0; i < gcn_data_rows(type); i++) gcn_rows_of(w)->select(rows + 64 * i, got[i], mask);
    return true;
}

bool gcn_pieces_write(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_pieces *p, uint64_t mask,
    const uint32_t *rows, unsigned type)
{
    struct gcn_spans s[GCN_PIECES];
    _Alignas(64) uint32_t shifted[64];
    if (!resolve_pieces(w, op, p, mask, true, s)) return false;
    for (unsigned i = 0; i < p->n; i++) {
        const uint32_t *row = rows + 64 * (i * p->bytes / 4);
        if (p->bytes == 1 && p->n > 1) {
            for (unsigned l = 0; l < 64; l++) shifted[l] = row[l] >> 8 * (i % 4);
            row = shifted;
        }
        for (unsigned k = 0; k < s[i].n; k++)
            if (!gcn_write(w, op, &s[i].span[k], p->lo[i], row, piece_type(p, type))) return false;
    }
    return true;
}

bool gcn_pieces_modify(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_pieces *p, uint64_t mask,
    const struct gcn_rmw_op *r)
{
    _Alignas(64) uint32_t old[2 * 64], new[2 * 64];
    unsigned type = r->wide ? GCN_B64 : GCN_B32;
    struct gcn_spans s[GCN_PIECES];
    if (!resolve_pieces(w, op, p, mask, true, s)) return false;
    for (unsigned k = 0; p->n == 1 && k < s[0].n; k++)
        if (!gcn_modify(w, op, &s[0].span[k], p->lo[0], r)) return false;
    if (p->n == 1) return true;
    for (uint64_t m = mask; m; m &= m - 1) { /* lane after lane: they may use the same place */
        uint64_t one = m & (0 - m);
        unsigned lane = gcn_first_lane(m);
        if (!gcn_pieces_read(w, op, p, one, old, type)) return false;
        uint64_t value = gcn_rmw_value(r->rmw, r->wide, element(old, r->wide, lane), element(r->src, r->wide, lane),
            element(r->more, r->wide, lane));
        new[lane] = (uint32_t)value;
        new[64 + lane] = (uint32_t)(value >> 32);
        if (!gcn_pieces_write(w, op, p, one, new, type)) return false;
        if (r->out) r->out[lane] = old[lane];
        if (r->out && r->wide) r->out[64 + lane] = old[64 + lane];
    }
    return true;
}
