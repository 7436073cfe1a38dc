/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * flat.c: FLAT.  A 64-bit address a lane; its high dword chooses LDS (the shared aperture), scratch (the private one)
 * or global memory.  In scratch, dword i of a lane follows dword i of the lanes before it; FLAT_SCRATCH says where.  On
 * older chips HI counts 256 bytes from the hidden private base, and LO is the bytes that a lane has; on newer ones it
 * is an address.
 *
 * Newer chips have words for global memory and scratch alone, too, with an SGPR and an offset in the address:
 *
 *     flat      VGPR pair + offset
 *     global    VGPR pair + offset, or SGPR pair + VGPR + offset
 *               SGPR pair + offset + 4 * lane, in accesses to a word for each lane
 *     scratch   VGPR or SGPR + offset, or the offset: what is added to the base in each lane
 */
#include "memory/gcn_memory.h"

#include "code/gcn_decoder.h"
#include "gcn.h"

/* In mods; 9:8 hold enum gcn_half, 23:16 the data type or operation.  a ADDR, b DATA, c SADDR; imm: the offset. */
enum {
    GLC = 1,
    TFE = 2,
    WIDE = 4,
    GLOBAL = 8,
    SCRATCH = 16,
    BASE = 32,
    NO_VGPR = 64,
    OFFSET = 128,
    BY_LANE = 1024,
    HALF = 8,
    WHAT = 16
};

static unsigned what(const struct gcn_op *op) { return op->mods >> WHAT & 0xff; }
static enum gcn_half half(const struct gcn_op *op) { return (enum gcn_half)(op->mods >> HALF & 3); }

struct places {
    const uint32_t *lo, *hi; /* the lanes' addresses */
    struct gcn_spans spans;  /* global and LDS */
    uint64_t lds, scratch;   /* lanes in these apertures */
    _Alignas(64) uint32_t own[2][64];
};

static bool scratch_fault(
    struct gpudbg_wave *w, const struct gcn_op *op, unsigned lane, uint32_t at, unsigned bytes, uint32_t size)
{
    GCN_FAULT(w, op, (int)lane, "%u bytes at 0x%x of scratch: a lane has %u", bytes, at, size);
    return false;
}

/* The wave's scratch, and the bytes that a lane has. */
static uint64_t scratch_base(const struct gpudbg_wave *w, uint32_t *size)
{
    const uint32_t *s = gcn_s(w);
    const struct gcn_setup *setup = gcn_of(w)->setup;
    const bool newer = gcn_chip_of(w->machine->isa)->newer_hwregs;
    *size = newer ? setup->scratch_wave / w->machine->isa->lanes : s[GCN_FLAT_SCRATCH];
    return newer ? gcn_pair(s, GCN_SCRATCH_BASE) : setup->scratch_base + ((uint64_t)s[GCN_FLAT_SCRATCH + 1] << 8);
}

/* The real places of scratch lanes, as pieces. */
static bool scratch_pieces(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t *lo, uint64_t mask,
    unsigned bytes, struct gcn_pieces *p)
{
    uint32_t size;
    const uint64_t base = scratch_base(w, &size);
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
            uint64_t addr = base + (uint64_t)(at >> 2) * 4 * w->machine->isa->lanes + lane * 4 + (at & 3);
            p->lo[i][lane] = (uint32_t)addr;
            p->hi[i][lane] = (uint32_t)(addr >> 32);
        }
    return true;
}

static const uint32_t zeros[64]; /* the VGPR of an access without one */

/* ... and of one to a word for each lane. */
#define FOUR(n) 4 * (n), 4 * (n) + 4, 4 * (n) + 8, 4 * (n) + 12
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
static const uint32_t words_by_lane[64] = {SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)};

/* The lanes' addresses: the VGPRs, or sums in p->own. */
static void add_up(const struct gpudbg_wave *w, const struct gcn_op *op, struct places *p)
{
    const uint32_t *vgpr = op->mods & NO_VGPR ? op->mods & BY_LANE ? words_by_lane : zeros : gcn_v(w, op->a);
    uint64_t base = (uint64_t)(int64_t)(int32_t)op->imm;
    p->lo = vgpr;
    if (op->mods & SCRATCH) {
        if (op->mods & BASE) base += gcn_s(w)[op->c];
        for (unsigned lane = 0; lane < 64; lane++) p->own[0][lane] = vgpr[lane] + (uint32_t)base;
        p->lo = p->own[0];
        p->hi = NULL;
        return;
    }
    p->hi = op->mods & BASE ? NULL : gcn_v(w, op->a + 1u);
    if (!(op->mods & (BASE | OFFSET))) return;
    if (op->mods & BASE) base += gcn_pair(gcn_s(w), op->c);
    gcn_rows_of(w)->add(p->own[0], p->own[1], p->lo, p->hi, base);
    p->lo = p->own[0];
    p->hi = p->own[1];
}

/* Sorts lanes into apertures and resolves those that are not scratch. */
static bool find(
    struct gpudbg_wave *w, const struct gcn_op *op, uint64_t mask, unsigned bytes, bool write, struct places *p)
{
    const struct gcn_setup *setup = gcn_of(w)->setup;
    add_up(w, op, p);
    p->spans.n = 0;
    p->lds = 0;
    p->scratch = op->mods & SCRATCH ? mask : 0;
    if (p->scratch || gcn_resolve_again(w, op, p->lo, p->hi, mask, bytes, write, &p->spans)) return true;
    for (uint64_t m = op->mods & GLOBAL ? 0 : mask; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        if (p->hi[lane] == setup->shared_base)
            p->lds |= m & (0 - m);
        else if (p->hi[lane] == setup->private_base)
            p->scratch |= m & (0 - m);
    }
    uint64_t global = mask & ~p->lds & ~p->scratch;
    if (global && !gcn_resolve(w, op, p->lo, p->hi, global, bytes, write, &p->spans)) return false;
    if (p->lds) gcn_resolve_lds(w, p->lo, p->lds, bytes, &p->spans);
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
    const unsigned type = what(op), bytes = gcn_data_bytes(type);
    struct places p;
    if (!mask) return gcn_next(op);
    if (!find(w, op, mask, bytes, false, &p)) return NULL;
    const uint32_t *address = p.lo;
    _Alignas(64) uint32_t lo[64], part[64];
    uint32_t *to = half(op) ? part : gcn_v(w, op->d);
    if (p.scratch | p.lds) { /* the result may overwrite the address */
        memcpy(lo, address, sizeof lo);
        address = lo;
    }
    if (p.scratch) {
        struct gcn_pieces pieces;
        if (!scratch_pieces(w, op, address, p.scratch, bytes, &pieces) ||
            !gcn_pieces_read(w, op, &pieces, p.scratch, to, type))
            return NULL;
    }
    if (p.lds) zero(to, gcn_data_rows(type), p.lds);
    for (unsigned i = 0; i < p.spans.n; i++)
        if (!gcn_read(w, op, &p.spans.span[i], address, to, type)) return NULL;
    if (half(op)) gcn_put_half(gcn_v(w, op->d), part, half(op), mask);
    if (op->mods & TFE) zero(gcn_v(w, op->d + gcn_data_rows(type)), 1, mask);
    return gcn_done(w, op);
}

static const struct gcn_op *flat_write(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    const unsigned type = what(op), bytes = gcn_data_bytes(type);
    struct places p;
    if (!mask) return gcn_next(op);
    if (!find(w, op, mask, bytes, true, &p)) return NULL;
    uint32_t high[64];
    const uint32_t *lo = p.lo, *data = gcn_stored_half(gcn_v(w, op->b), half(op), high);
    if (p.scratch) {
        struct gcn_pieces pieces;
        if (!scratch_pieces(w, op, lo, p.scratch, bytes, &pieces) ||
            !gcn_pieces_write(w, op, &pieces, p.scratch, data, type))
            return NULL;
    }
    for (unsigned i = 0; i < p.spans.n; i++)
        if (!gcn_write(w, op, &p.spans.span[i], lo, data, type)) return NULL;
    return gcn_done(w, op);
}

static const struct gcn_op *flat_modify(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    bool wide = op->mods & WIDE;
    unsigned bytes = wide ? 8 : 4, rows = wide ? 2 : 1;
    struct places p;
    if (!mask) return gcn_next(op);
    if (!find(w, op, mask, bytes, true, &p)) return NULL;
    _Alignas(64) uint32_t lo[64];
    memcpy(lo, p.lo, sizeof lo); /* the result may overwrite the address */
    struct gcn_rmw_op r = {
        .rmw = (enum gcn_rmw)what(op), .wide = wide, .src = gcn_v(w, op->b), .more = NULL, .out = NULL};
    if (r.rmw == GCN_RMW_CMPSWAP || r.rmw == GCN_RMW_FCMPSWAP)
        r.more = gcn_v(w, op->b + rows); /* the new value first, then the value to compare with */
    if (op->mods & GLC) r.out = gcn_v(w, op->d);
    if (p.scratch) {
        struct gcn_pieces pieces;
        if (!scratch_pieces(w, op, lo, p.scratch, bytes, &pieces) || !gcn_pieces_modify(w, op, &pieces, p.scratch, &r))
            return NULL;
    }
    if (p.lds && r.out) zero(r.out, rows, p.lds & ~(p.spans.n ? p.spans.span[p.spans.n - 1].mask : 0));
    for (unsigned i = 0; i < p.spans.n; i++)
        if (!gcn_modify(w, op, &p.spans.span[i], lo, &r)) return NULL;
    if (op->mods & TFE && r.out) zero(gcn_v(w, op->d + rows), 1, mask);
    return gcn_done(w, op);
}

/* What newer chips' words add: the segment, an SGPR, an offset. */
static bool take_segment(const struct gpudbg_insn *insn, const uint32_t w[2], struct gcn_op *op)
{
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    const struct decoder d = {.word = w[0] | (uint64_t)w[1] << 32, .encoding = (int)insn->variant, .chip = chip};
    op->imm = (uint32_t)memory_offset(&d);
    op->c = (uint16_t)GET(w, FLAT_NEWER, saddr);
    op->mods |= (insn->variant == GCN_GLOBAL       ? GLOBAL
                    : insn->variant == GCN_SCRATCH ? SCRATCH
                                                   : 0) |
                (has_saddr(chip, d.encoding, d.word) ? BASE : 0) | (has_vaddr(chip, d.encoding, d.word) ? 0 : NO_VGPR) |
                (op->imm ? OFFSET : 0);
    const bool odd = insn->variant == GCN_FLAT_NEWER &&
                     (op->imm > (chip->flat_offset ? 0x7ffu : 0) || op->c != GCN_CODE_NULL);
    return !odd && !GET(w, FLAT_NEWER, lds) && (!(op->mods & BASE) || op->c < GCN_INLINE);
}

bool gcn_flat_op(
    const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2], struct gcn_op *op)
{
    const bool newer = insn->variant != GCN_FLAT, modifies = row->action == GCN_MODIFY;
    op->a = (uint16_t)GET(w, FLAT, addr);
    op->b = (uint16_t)GET(w, FLAT, data);
    op->d = (uint16_t)GET(w, FLAT, vdst);
    op->mods = (GET(w, FLAT, glc) ? GLC : 0) | (!newer && GET(w, FLAT, tfe) ? TFE : 0) |
               (modifies && row->wide ? WIDE : 0) | (modifies ? 0 : (uint32_t)row->wide << HALF) |
               (uint32_t)row->what << WHAT;
    const bool by_lane = row->action == GCN_READ_BY_LANE || row->action == GCN_WRITE_BY_LANE;
    op->fn = modifies                                                     ? flat_modify
             : row->action == GCN_READ || row->action == GCN_READ_BY_LANE ? flat_read
                                                                          : flat_write;
    if (newer && !take_segment(insn, w, op)) return false;
    if (by_lane) op->mods |= BY_LANE | NO_VGPR;
    return !by_lane || op->mods & BASE;
}
