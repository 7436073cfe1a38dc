/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lds.c: DS on the group's own memory.  The address is VGPR + offset, 32 bits, its low bits dropped to the size of the
 * access. Bytes at or above min(M0, allocated) are out of range: they read as 0 and are not written.  With the gds bit
 * the same applies to the global share, of which M0 selects a part: its first byte in 31:16, its size in 15:0.
 *
 * On newer chips M0 does not limit addresses, and loads and stores may be at any (LLVM: unaligned-ds-access, which
 * amdhsa has on).  Their GDS is as on older ones: LLVM gives it the size in M0 as there.
 */
#include "memory/gcn_memory.h"

/* mods: unit of the two offsets (READ2 and the like) in bytes in 9:0, then flags; c is DATA1; imm is the offset, or two
 * of 8 bits; `what` (data type or operation) is in bits 23:16. */
enum {
    UNIT = 0x3ff,
    WIDE = 1 << 10,
    RETURNS = 1 << 11,
    GDS = 1 << 12,
    SIGNED_BASE = 1 << 13,
    BY_LANE = 1 << 14, /* the address is M0[15:0] and 4 times the lane */
    NEWER = 1 << 15,
    WHAT = 16,
    HALF = 24 /* enum gcn_half */
};
/* Offsets of ds_swizzle_b32 from which on newer chips rotate, and order lanes for a Fourier transform (AMD's manual of
 * RDNA 3, DS_SWIZZLE_B32; LLVM 19 has both for gfx10). */
enum { SWIZZLE_ROTATES = 0xc000, SWIZZLE_TRANSFORMS = 0xe000 };
/* The distance of memory to memory is signed. */
enum { DISTANCE_MOST = (1 << (LEN_OF(DS_SRC2, offset) - 1)) - 1 };

static unsigned what(const struct gcn_op *op) { return op->mods >> WHAT & 0xff; }

static enum gcn_half half(const struct gcn_op *op) { return (enum gcn_half)(op->mods >> HALF & 3); }

static uint32_t offset_of(const struct gcn_op *op, unsigned i)
{
    return (i ? GET(op->imm, DS_2X4, offset1) : GET(op->imm, DS_2X4, offset0)) * (op->mods & UNIT);
}

/* One item of an access: its places, and the lanes in range. */
struct item {
    _Alignas(64) uint32_t at[64];
    struct gcn_spans spans;
};

/* The lanes' addresses, before the offset. */
static const uint32_t *addresses(const struct gpudbg_wave *w, const struct gcn_op *op, uint32_t own[64])
{
    if (!(op->mods & BY_LANE)) return gcn_v(w, op->a);
    for (unsigned lane = 0; lane < 64; lane++) own[lane] = (gcn_s(w)[GCN_M0] & 0xffff) + 4 * lane;
    return own;
}

static void find(struct gpudbg_wave *w, const struct gcn_op *op, uint32_t offset, unsigned bytes, struct item *it)
{
    _Alignas(64) uint32_t own[64];
    uint64_t mask = gcn_active(w);
    const struct gcn_share share = gcn_share(w, op->mods & GDS);
    uint32_t limit = share.limit,
             keep = op->mods & NEWER && !(op->mods & GDS) ? UINT32_MAX : ~(bytes == 12 ? 15u : bytes - 1);
    it->spans.n = 0;
    if (limit < bytes) return;
    unsigned found = gcn_rows_of(w)->local(it->at, addresses(w, op, own), offset, keep, limit - bytes, bytes, mask);
    if (op->mods & GDS || found & GCN_OUTSIDE) {
        gcn_resolve_share(&share, it->at, mask, bytes, &it->spans);
        return;
    }
    unsigned lane = gcn_first_lane(mask);
    bool row = !(found & GCN_SCATTERED) && it->at[lane] >= lane * bytes &&
               it->at[lane] - lane * bytes + UINT64_C(64) * bytes <= w->lds->size;
    it->spans.span[it->spans.n++] = (struct gcn_span){
        .segment = w->lds, .mask = mask, .row = row, .space = GPUDBG_LOCAL};
}

/* Writes zero for the active lanes that the spans leave out. */
static void rest_zero(struct gpudbg_wave *w, const struct item *it, uint32_t *rows, unsigned n)
{
    uint64_t mask = gcn_active(w) & ~(it->spans.n ? it->spans.span[0].mask : 0);
    for (; mask; mask &= mask - 1)
        for (unsigned i = 0; i < n; i++) rows[64 * i + gcn_first_lane(mask)] = 0;
}

/* Faults and returns true if an active lane's address has bit 31 set: its sum with an offset is not known. */
static bool below_zero(struct gpudbg_wave *w, const struct gcn_op *op)
{
    for (uint64_t mask = gcn_active(w); mask; mask &= mask - 1) {
        const unsigned lane = gcn_first_lane(mask);
        if (gcn_v(w, op->a)[lane] >> 31)
            return GCN_FAULT(w, op, (int)lane,
                       "an address with bit 31 set, 0x%08x, plus an offset: what %s makes of it is not known",
                       gcn_v(w, op->a)[lane], w->machine->isa->name),
                   true;
    }
    return false;
}

/* Whether the size of LDS is known: the launch of bare code must give it, a compiled kernel has it. */
static bool ready(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (op->mods & SIGNED_BASE && below_zero(w, op)) return false;
    if (op->mods & GDS ? gcn_of(w)->setup->gds != NULL : w->lds || gcn_of(w)->setup->abi) return true;
    if (op->mods & GDS) {
        GCN_FAULT(w, op, -1, "the instruction uses GDS, and the launch has none: add gds=BYTES");
        return false;
    }
    GCN_FAULT(w, op, -1, "the instruction uses LDS, and the launch has none: add lds=BYTES");
    return false;
}

static bool idle(const struct gpudbg_wave *w) { return gcn_active(w) == 0; }

static bool read_item(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct item *it, uint32_t *rows, unsigned type)
{
    rest_zero(w, it, rows, gcn_data_rows(type));
    return !it->spans.n || gcn_read(w, op, it->spans.span, it->at, rows, type);
}

/* Watchers are told of loads of all lanes, at the offsets given, before any register is written. */
static void tell_plain(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t offset[], unsigned n,
    const uint32_t *a, unsigned bytes)
{
    gcn_sync(w, op);
    for (unsigned i = 0; i < n; i++) {
        _Alignas(64) uint32_t at[64];
        gcn_rows_of(w)->plus(at, a, offset[i]);
        const struct gpudbg_accesses loads = {
            .space = GPUDBG_LOCAL, .size = bytes, .segment = w->lds, .lanes = UINT64_MAX, .offset = at};
        gpudbg_mem_loads(w, &loads);
    }
}

/* Reads words in all lanes, aligned and in range, at the offsets given: the usual case, without a list of spans. */
static bool read_plain(
    struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t offset[], unsigned n, uint32_t *rows, unsigned type)
{
    const struct gcn_memory_rows *f = gcn_rows_of(w);
    const uint32_t *a = gcn_v(w, op->a);
    uint32_t limit = gcn_lds_limit(w), bytes = gcn_data_bytes(type), most = offset[0], bits = 0;
    for (unsigned i = 0; i < n; i++) {
        most = offset[i] > most ? offset[i] : most;
        bits |= offset[i];
    }
    if (op->mods & (GDS | BY_LANE) || gcn_active(w) != UINT64_MAX || bytes < 4 || bytes == 12 || limit < most + bytes)
        return false;
    if (bits & (bytes - 1) || (uint32_t)w->lds->base) return false;
    if (w->lds->flags & GPUDBG_SEG_RWATCH) {
        if (f->plain(a, bytes - 1, limit - most - bytes, bytes) & GCN_OUTSIDE) return false;
        tell_plain(w, op, offset, n, a, bytes);
    }
    if (bytes == 4) {
        const uint8_t *const from[2] = {w->lds->bytes + offset[0], w->lds->bytes + offset[n - 1]};
        return f->words(rows, from, n, a, limit - most - bytes);
    }
    unsigned found = f->plain(a, bytes - 1, limit - most - bytes, bytes);
    if (found & GCN_OUTSIDE) return false;
    _Alignas(64) uint32_t copy[64];
    if (n > 1) a = memcpy(copy, a, sizeof copy); /* the first result may overwrite the address */
    for (unsigned i = 0; i < n; i++, rows += 16 * bytes)
        if (found & GCN_SCATTERED || a[0] + offset[i] + 64 * bytes > w->lds->size)
            f->gather(rows, w->lds->bytes + offset[i], a, bytes / 4);
        else
            f->split(rows, w->lds->bytes + offset[i] + a[0], bytes / 4);
    return true;
}

static const struct gcn_op *lds_read(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct item it;
    if (idle(w)) return gcn_next(op);
    if (!ready(w, op)) return NULL;
    if (!half(op) && read_plain(w, op, &op->imm, 1, gcn_v(w, op->d), what(op))) return gcn_done(w, op);
    find(w, op, op->imm, gcn_data_bytes(what(op)), &it);
    _Alignas(64) uint32_t part[64];
    if (!read_item(w, op, &it, half(op) ? part : gcn_v(w, op->d), what(op))) return NULL;
    if (half(op)) gcn_put_half(gcn_v(w, op->d), part, half(op), gcn_active(w));
    return gcn_done(w, op);
}

static const struct gcn_op *lds_read2(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct item it[2];
    unsigned bytes = gcn_data_bytes(what(op)), n = gcn_data_rows(what(op));
    const uint32_t offset[2] = {offset_of(op, 0), offset_of(op, 1)};
    if (idle(w)) return gcn_next(op);
    if (!ready(w, op)) return NULL;
    if (read_plain(w, op, offset, 2, gcn_v(w, op->d), what(op))) return gcn_done(w, op);
    for (unsigned i = 0; i < 2; i++)
        find(w, op, offset[i], bytes, &it[i]); /* finds both before the result may overwrite the address */
    for (unsigned i = 0; i < 2; i++)
        if (!read_item(w, op, &it[i], gcn_v(w, op->d + i * n), what(op))) return NULL;
    return gcn_done(w, op);
}

static const struct gcn_op *lds_write(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct item it;
    if (idle(w)) return gcn_next(op);
    if (!ready(w, op)) return NULL;
    find(w, op, op->imm, gcn_data_bytes(what(op)), &it);
    uint32_t high[64];
    const uint32_t *data = gcn_stored_half(gcn_v(w, op->b), half(op), high);
    if (it.spans.n && !gcn_write(w, op, it.spans.span, it.at, data, what(op))) return NULL;
    return gcn_done(w, op);
}

static const struct gcn_op *lds_write2(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct item it;
    if (idle(w)) return gcn_next(op);
    if (!ready(w, op)) return NULL;
    for (unsigned i = 0; i < 2; i++) {
        find(w, op, offset_of(op, i), gcn_data_bytes(what(op)), &it);
        if (it.spans.n && !gcn_write(w, op, it.spans.span, it.at, gcn_v(w, i ? op->c : op->b), what(op))) return NULL;
    }
    return gcn_done(w, op);
}

/* LLVM: sums in LDS obey the mode for denormals. */
static enum gcn_rmw in_mode(const struct gpudbg_wave *w, enum gcn_rmw rmw)
{
    return rmw == GCN_RMW_FADD && !(gcn_s(w)[GCN_MODE] & GCN_DENORM_OUT_F32) ? GCN_RMW_FADD_FLUSH : rmw;
}

/* Operations with two data operands: CMPST compares with D0 and stores D1, the others take D0 first. */
static struct gcn_rmw_op operation(const struct gpudbg_wave *w, const struct gcn_op *op, uint32_t *out)
{
    enum gcn_rmw rmw = (enum gcn_rmw)what(op);
    bool compares = rmw == GCN_RMW_CMPSWAP || rmw == GCN_RMW_FCMPSWAP,
         two = compares || rmw == GCN_RMW_MSKOR || rmw == GCN_RMW_WRAP;
    const uint32_t *d0 = gcn_v(w, op->b), *d1 = two ? gcn_v(w, op->c) : NULL;
    rmw = in_mode(w, rmw);
    return (struct gcn_rmw_op){
        .rmw = rmw, .wide = op->mods & WIDE, .src = compares ? d1 : d0, .more = compares ? d0 : d1, .out = out};
}

/* Faults and returns true if an active lane's address is not a multiple of the size: what an atomic does there is not
 * known where others may be at any address. */
static bool misaligned(struct gpudbg_wave *w, const struct gcn_op *op, uint32_t offset, unsigned bytes)
{
    for (uint64_t mask = op->mods & NEWER ? gcn_active(w) : 0; mask; mask &= mask - 1) {
        const unsigned lane = gcn_first_lane(mask);
        const uint32_t at = gcn_v(w, op->a)[lane] + offset;
        if (at & (bytes - 1))
            return GCN_FAULT(w, op, (int)lane, "an atomic of %u bytes at 0x%x of LDS: what %s makes of it is not known",
                       bytes, at, w->machine->isa->name),
                   true;
    }
    return false;
}

static const struct gcn_op *lds_modify(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct item it;
    struct gcn_rmw_op r = operation(w, op, op->mods & RETURNS ? gcn_v(w, op->d) : NULL);
    if (idle(w)) return gcn_next(op);
    if (!ready(w, op) || misaligned(w, op, op->imm, r.wide ? 8 : 4)) return NULL;
    find(w, op, op->imm, r.wide ? 8 : 4, &it);
    if (r.out) rest_zero(w, &it, r.out, r.wide ? 2 : 1);
    return it.spans.n && !gcn_modify(w, op, it.spans.span, it.at, &r) ? NULL : gcn_done(w, op);
}

/* Two exchanges, or the two halves of one of 128 bits; lane after lane, so that each sees the other's work in order. */
static const struct gcn_op *lds_modify2(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct item it[2];
    bool wide = op->mods & WIDE, whole = what(op) == GCN_RMW_CONDXCHG;
    unsigned n = wide ? 2 : 1;
    _Alignas(64) uint32_t src[4 * 64];
    if (idle(w)) return gcn_next(op);
    if (!ready(w, op)) return NULL;
    for (unsigned i = 0; i < 2; i++) {
        if (!whole && misaligned(w, op, offset_of(op, i), 4 * n)) return NULL;
        if (whole) { /* aligned as a whole, then 8 bytes further */
            find(w, op, op->imm, 16, &it[i]);
            for (unsigned l = 0; l < 64 && it[i].spans.n; l++) it[i].at[l] += 8 * i;
        } else {
            find(w, op, offset_of(op, i), 4 * n, &it[i]);
        }
        memcpy(src + 64 * n * i, gcn_v(w, whole ? op->b + 2 * i : i ? op->c : op->b), 256 * (size_t)n);
    }
    for (unsigned i = 0; i < 2; i++) rest_zero(w, &it[i], gcn_v(w, op->d + i * n), n);
    for (uint64_t m = gcn_active(w); m; m &= m - 1)
        for (unsigned i = 0; i < 2; i++) {
            struct gcn_rmw_op r = {
                .rmw = (enum gcn_rmw)what(op), .wide = wide, .src = src + 64 * n * i, .out = gcn_v(w, op->d + i * n)};
            if (!it[i].spans.n) continue;
            struct gcn_span one = it[i].spans.span[0];
            one.mask &= m & (0 - m);
            if (one.mask && !gcn_modify(w, op, &one, it[i].at, &r)) return NULL;
        }
    return gcn_done(w, op);
}

/* [A] = [A] op [B], B a distance of words from A: the offset's 15 bits, or, if its top bit is set, the address's own
 * high bits. */
static const struct gcn_op *lds_src2(struct gpudbg_wave *w, const struct gcn_op *op)
{
    bool wide = op->mods & WIDE;
    unsigned bytes = wide ? 8 : 4;
    uint32_t limit;
    if (!ready(w, op)) return NULL;
    const struct gcn_share share = gcn_share(w, op->mods & GDS);
    limit = share.limit;
    for (uint64_t m = gcn_active(w); m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        uint32_t a = gcn_v(w, op->a)[lane], distance = GET(op->imm, DS_SRC2, offset);
        if (distance > DISTANCE_MOST) distance -= 2 * DISTANCE_MOST + 2;
        if (GET(op->imm, DS_SRC2, from_addr)) {
            distance = a >> 17 | (a & 0x80000000u ? 0xffff8000u : 0);
            a &= 0x1ffff;
        }
        uint32_t b = (a + 4 * distance) & ~(bytes - 1);
        a &= ~(bytes - 1);
        uint64_t value = 0;
        if ((uint64_t)a + bytes > limit) continue;
        gcn_sync(w, op);
        if ((uint64_t)b + bytes <= limit &&
            !gpudbg_mem_read(w, share.space, share.segment->base + share.base + b, &value, bytes, (int)lane))
            return gcn_stop(w, GPUDBG_RAN_FAULT);
        uint32_t src[2 * 64], at[64];
        src[lane] = (uint32_t)value;
        src[64 + lane] = (uint32_t)(value >> 32);
        at[lane] = a + share.base + (uint32_t)share.segment->base;
        struct gcn_span one = {.segment = share.segment, .mask = m & (0 - m), .space = share.space};
        struct gcn_rmw_op r = {.rmw = in_mode(w, (enum gcn_rmw)what(op)), .wide = wide, .src = src};
        if (!gcn_modify(w, op, &one, at, &r)) return NULL;
    }
    return gcn_done(w, op);
}

/* Counts the active lanes into the word at M0 + offset; all of them get its old value. */
static const struct gcn_op *lds_count(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    uint32_t n = (uint32_t)__builtin_popcountll(mask), old = 0, m0 = gcn_s(w)[GCN_M0],
             at = ((op->mods & GDS ? m0 >> 16 : m0 & 0xffff) + op->imm) & ~3u;
    if (!mask) return gcn_next(op);
    if (!ready(w, op)) return NULL;
    const struct gcn_share share = gcn_share(w, op->mods & GDS);
    if (share.segment && (uint64_t)at + 4 <= share.segment->size) {
        int lane = (int)gcn_first_lane(mask);
        gcn_sync(w, op);
        if (!gpudbg_mem_read(w, share.space, share.segment->base + at, &old, 4, lane))
            return gcn_stop(w, GPUDBG_RAN_FAULT);
        uint32_t new = what(op) == GCN_APPEND ? old + n : old - n;
        if (!gpudbg_mem_write(w, share.space, share.segment->base + at, &new, 4, lane))
            return gcn_stop(w, GPUDBG_RAN_FAULT);
    }
    for (uint64_t m = mask; m; m &= m - 1) gcn_v(w, op->d)[gcn_first_lane(m)] = old;
    return gcn_done(w, op);
}

/* Of 32. */
static unsigned reversed(unsigned lane)
{
    return (lane & 1) << 4 | (lane & 2) << 2 | (lane & 4) | (lane & 8) >> 2 | (lane & 16) >> 4;
}

/* The lane that a lane of 32 reads.  Bits of the mask stay. */
static unsigned rotated(uint32_t offset, unsigned lane)
{
    const unsigned mask = GET(offset, DS_SWIZZLE_ROTATE, kept), n = GET(offset, DS_SWIZZLE_ROTATE, lanes);
    if (offset >= SWIZZLE_TRANSFORMS) return reversed(lane) >> __builtin_popcount(mask) | (lane & mask);
    return (lane & mask) | ((GET(offset, DS_SWIZZLE_ROTATE, down) ? lane - n : lane + n) & ~mask & 31);
}

/* Lanes exchange words without memory: within four (offset bit 15), or within 32 by and, or, xor of the lane's number,
 * or turned. */
static const struct gcn_op *lds_swizzle(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    const uint32_t quad[4] = {GET(op->imm, DS_SWIZZLE_QUAD, lane0), GET(op->imm, DS_SWIZZLE_QUAD, lane1),
        GET(op->imm, DS_SWIZZLE_QUAD, lane2), GET(op->imm, DS_SWIZZLE_QUAD, lane3)};
    uint32_t in[64], *out = gcn_v(w, op->d);
    memcpy(in, gcn_v(w, op->a), sizeof in);
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m), from;
        if (op->mods & NEWER && op->imm >= SWIZZLE_ROTATES)
            from = (lane & 32) | rotated(op->imm, lane & 31);
        else if (GET(op->imm, DS_SWIZZLE, mode))
            from = (lane & ~3u) | quad[lane & 3];
        else
            from = (lane & 32) | (((lane & GET(op->imm, DS_SWIZZLE, and_mask)) | GET(op->imm, DS_SWIZZLE, or_mask)) ^
                                     GET(op->imm, DS_SWIZZLE, xor_mask));
        out[lane] = mask >> from & 1 ? in[from] : 0;
    }
    return gcn_next(op);
}

/* Lanes of a half of 32 fetch each other's words; those that do not run give 0. */
static const struct gcn_op *lds_bpermute(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t mask = gcn_active(w);
    uint32_t in[64], at[64];
    memcpy(in, gcn_v(w, op->b), sizeof in);
    memcpy(at, gcn_v(w, op->a), sizeof at);
    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned lane = gcn_first_lane(m), from = (lane & 32) | (at[lane] + op->imm) / 4 % 32;
        gcn_v(w, op->d)[lane] = mask >> from & 1 ? in[from] : 0;
    }
    return gcn_next(op);
}

/* The same, sending: of several words for a lane the last counts; lanes without one get 0. */
static const struct gcn_op *lds_permute(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t mask = gcn_active(w);
    uint32_t out[64] = {0};
    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned lane = gcn_first_lane(m);
        out[(lane & 32) | (gcn_v(w, op->a)[lane] + op->imm) / 4 % 32] = gcn_v(w, op->b)[lane];
    }
    for (uint64_t m = mask; m; m &= m - 1) gcn_v(w, op->d)[gcn_first_lane(m)] = out[gcn_first_lane(m)];
    return gcn_next(op);
}

static const struct gcn_op *nothing(struct gpudbg_wave *w, const struct gcn_op *op)
{
    (void)w;
    return gcn_next(op);
}

static gcn_fn *handler(const struct gcn_memory_row *row)
{
    switch (row->action) {
    case GCN_READ_BY_LANE:
    case GCN_READ: return lds_read;
    case GCN_READ2: return lds_read2;
    case GCN_WRITE_BY_LANE:
    case GCN_WRITE: return lds_write;
    case GCN_WRITE2: return lds_write2;
    case GCN_MODIFY: return row->wide > 1 ? lds_modify2 : lds_modify;
    case GCN_EXCHANGE2: return lds_modify2;
    case GCN_SRC2: return lds_src2;
    case GCN_SWIZZLE: return lds_swizzle;
    case GCN_PERMUTE: return lds_permute;
    case GCN_BPERMUTE: return lds_bpermute;
    case GCN_APPEND:
    case GCN_CONSUME: return lds_count;
    default: return nothing;
    }
}

bool gcn_lds_op(
    const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2], struct gcn_op *op)
{
    bool two = row->action == GCN_READ2 || row->action == GCN_WRITE2 || row->action == GCN_EXCHANGE2;
    unsigned item = row->action == GCN_EXCHANGE2 ? 4u << row->wide : gcn_data_bytes(row->what);
    op->a = (uint16_t)GET(w, DS, addr);
    op->b = (uint16_t)GET(w, DS, data0);
    op->c = (uint16_t)GET(w, DS, data1);
    op->d = (uint16_t)GET(w, DS, vdst);
    op->imm = GET(w, DS, offset);
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    const bool plain = row->action == GCN_READ || row->action == GCN_WRITE;
    op->mods = (two ? row->stride * item : 0) |
               (plain          ? (uint32_t)row->wide << HALF
                   : row->wide ? WIDE
                               : 0) |
               (GET(w, DS, gds) ? GDS : 0) | (gcn_operand(insn, GCN_IN_VDST) ? RETURNS : 0) |
               (uint32_t)row->what << WHAT;
    if (row->action == GCN_READ_BY_LANE || row->action == GCN_WRITE_BY_LANE) op->mods |= BY_LANE;
    if (!chip->lds_by_m0) op->mods |= NEWER;
    if (chip->negative_lds_base && op->imm && gcn_operand(insn, GCN_IN_ADDR)) op->mods |= SIGNED_BASE;
    if (row->action == GCN_APPEND || row->action == GCN_CONSUME) op->mods |= (uint32_t)row->action << WHAT;
    op->fn = handler(row);
    return true;
}
