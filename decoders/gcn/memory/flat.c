/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flat.c: FLAT.  A 64-bit address a lane; its high dword chooses LDS (the shared aperture), scratch (the private one)
 * or global memory.  In scratch, dword i of lane l is at i * 256 + l * 4 from the wave's place, which FLAT_SCRATCH
 * gives: HI counts 256 bytes from the hidden private base, LO is the bytes a lane has.
 */
#include "memory/gcn_memory.h"

enum { FLAT_GLC = 1, FLAT_TFE = 2, FLAT_WIDE = 4 }; /* in mods; c is the data type, or the operation */

struct places {
    struct gcn_spans spans; /* global and LDS */
    uint64_t lds, scratch;  /* lanes in these apertures */
};

static bool scratch_fault(
    struct gpudbg_wave *w, const struct gcn_op *op, unsigned lane, uint32_t at, unsigned bytes, uint32_t size)
{
    GCN_FAULT(w, op, (int)lane, "%u bytes at 0x%x of scratch: a lane has %u", bytes, at, size);
    return false;
}

/* The real places of scratch lanes, as pieces. */
static bool scratch_pieces(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t *lo, uint64_t mask,
    unsigned bytes, struct gcn_pieces *p)
{
    const uint32_t *s = gcn_s(w);
    uint32_t size = s[GCN_FLAT_SCRATCH];
    uint64_t base = gcn_of(w)->setup->scratch_base + ((uint64_t)s[GCN_FLAT_SCRATCH + 1] << 8);
    bool whole = true;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        if ((uint64_t)lo[lane] + bytes > size) return scratch_fault(w, op, lane, lo[lane], bytes, size);
        whole = whole && (lo[lane] & 3) + (bytes < 4 ? bytes : 4) <= 4;
    }
    p->bytes = !whole ? 1 : bytes < 4 ? bytes : 4;
    p->n = bytes / p->bytes;
    for (unsigned i = 0; i < p->n; i++)
        for (uint64_t m = mask; m; m &= m - 1) {
            unsigned lane = gcn_first_lane(m);
            uint32_t at = lo[lane] + i * p->bytes;
            uint64_t addr = base + (uint64_t)(at >> 2) * 256 + lane * 4 + (at & 3);
            p->lo[i][lane] = (uint32_t)addr;
            p->hi[i][lane] = (uint32_t)(addr >> 32);
        }
    return true;
}

/* Sorts lanes into apertures and resolves those that are not scratch. */
static bool find(
    struct gpudbg_wave *w, const struct gcn_op *op, uint64_t mask, unsigned bytes, bool write, struct places *p)
{
    const struct gcn_setup *setup = gcn_of(w)->setup;
    const uint32_t *lo = gcn_v(w, op->a), *hi = gcn_v(w, op->a + 1u);
    p->spans.n = 0;
    p->lds = p->scratch = 0;
    if (gcn_resolve_again(w, op, lo, hi, mask, bytes, write, &p->spans)) return true;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        if (hi[lane] == setup->shared_base)
            p->lds |= m & (0 - m);
        else if (hi[lane] == setup->private_base)
            p->scratch |= m & (0 - m);
    }
    uint64_t global = mask & ~p->lds & ~p->scratch;
    if (global && !gcn_resolve(w, op, lo, hi, global, bytes, write, &p->spans)) return false;
    if (p->lds) gcn_resolve_lds(w, lo, p->lds, bytes, &p->spans);
    return true;
}

static void zero(uint32_t *rows, unsigned n, uint64_t mask)
{
    for (unsigned i = 0; i < n; i++)
        for (uint64_t m = mask; m; m &= m - 1) rows[64 * i + gcn_first_lane(m)] = 0;
}

/* Scratch lanes are done first: only they can still fault. */
static const struct gcn_op *flat_read(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    unsigned bytes = gcn_data_bytes(op->c);
    struct places p;
    if (!mask) return gcn_next(op);
    if (!find(w, op, mask, bytes, false, &p)) return NULL;
    const uint32_t *address = gcn_v(w, op->a);
    _Alignas(64) uint32_t lo[64];
    if (p.scratch | p.lds) { /* the result may overwrite the address */
        memcpy(lo, address, sizeof lo);
        address = lo;
    }
    if (p.scratch) {
        struct gcn_pieces pieces;
        if (!scratch_pieces(w, op, address, p.scratch, bytes, &pieces) ||
            !gcn_pieces_read(w, op, &pieces, p.scratch, gcn_v(w, op->d), op->c))
            return NULL;
    }
    if (p.lds) zero(gcn_v(w, op->d), gcn_data_rows(op->c), p.lds);
    for (unsigned i = 0; i < p.spans.n; i++)
        if (!gcn_read(w, op, &p.spans.span[i], address, gcn_v(w, op->d), op->c)) return NULL;
    if (op->mods & FLAT_TFE) zero(gcn_v(w, op->d + gcn_data_rows(op->c)), 1, mask);
    return gcn_done(w, op);
}

static const struct gcn_op *flat_write(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    unsigned bytes = gcn_data_bytes(op->c);
    struct places p;
    if (!mask) return gcn_next(op);
    if (!find(w, op, mask, bytes, true, &p)) return NULL;
    const uint32_t *lo = gcn_v(w, op->a), *data = gcn_v(w, op->b);
    if (p.scratch) {
        struct gcn_pieces pieces;
        if (!scratch_pieces(w, op, lo, p.scratch, bytes, &pieces) ||
            !gcn_pieces_write(w, op, &pieces, p.scratch, data, op->c))
            return NULL;
    }
    for (unsigned i = 0; i < p.spans.n; i++)
        if (!gcn_write(w, op, &p.spans.span[i], lo, data, op->c)) return NULL;
    return gcn_done(w, op);
}

static const struct gcn_op *flat_modify(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    bool wide = op->mods & FLAT_WIDE;
    unsigned bytes = wide ? 8 : 4, rows = wide ? 2 : 1;
    struct places p;
    if (!mask) return gcn_next(op);
    if (!find(w, op, mask, bytes, true, &p)) return NULL;
    _Alignas(64) uint32_t lo[64];
    memcpy(lo, gcn_v(w, op->a), sizeof lo); /* the result may overwrite the address */
    struct gcn_rmw_op r = {.rmw = (enum gcn_rmw)op->c, .wide = wide, .src = gcn_v(w, op->b), .more = NULL, .out = NULL};
    if (r.rmw == GCN_RMW_CMPSWAP || r.rmw == GCN_RMW_FCMPSWAP)
        r.more = gcn_v(w, op->b + rows); /* the new value first, then the value to compare with */
    if (op->mods & FLAT_GLC) r.out = gcn_v(w, op->d);
    if (p.scratch) {
        struct gcn_pieces pieces;
        if (!scratch_pieces(w, op, lo, p.scratch, bytes, &pieces) || !gcn_pieces_modify(w, op, &pieces, p.scratch, &r))
            return NULL;
    }
    if (p.lds && r.out) zero(r.out, rows, p.lds & ~(p.spans.n ? p.spans.span[p.spans.n - 1].mask : 0));
    for (unsigned i = 0; i < p.spans.n; i++)
        if (!gcn_modify(w, op, &p.spans.span[i], lo, &r)) return NULL;
    if (op->mods & FLAT_TFE && r.out) zero(gcn_v(w, op->d + rows), 1, mask);
    return gcn_done(w, op);
}

bool gcn_flat_op(
    const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2], struct gcn_op *op)
{
    (void)insn;
    op->a = (uint16_t)GET(w, FLAT, addr);
    op->b = (uint16_t)GET(w, FLAT, data);
    op->d = (uint16_t)GET(w, FLAT, vdst);
    op->c = row->what;
    op->mods = (GET(w, FLAT, glc) ? FLAT_GLC : 0) | (GET(w, FLAT, tfe) ? FLAT_TFE : 0) | (row->wide ? FLAT_WIDE : 0);
    op->fn = row->action == GCN_READ ? flat_read : row->action == GCN_WRITE ? flat_write : flat_modify;
    return true;
}
