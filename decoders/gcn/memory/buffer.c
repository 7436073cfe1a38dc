/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buffer.c: MUBUF and MTBUF: memory through a buffer descriptor (V#, four SGPRs).
 *
 *     index  = (idxen: VGPR) + (ADD_TID: lane)        offset = (offen: VGPR) + OFFSET
 *     linear    base + soffset + index * stride + offset
 *     swizzled  base + soffset + ((index / N) * stride + (offset / E) * E) * N + (index % N) * E + offset % E
 *     addr64    base + soffset + VGPR pair + OFFSET, no range check
 *
 * E is the element size, on newer chips 4; N the index stride.  Range: with stride 0 the offset and the size of the
 * access against num_records in bytes, otherwise the index against num_records; on newer chips as the descriptor says
 * (enum gcn_bounds).  SOFFSET does not count (LLVM, raw and struct buffer loads).  Out of range: loads give 0, stores
 * and atomics do nothing.
 */
#include "memory/buffer_format.h"
#include "memory/gcn_memory.h"
#include "engine/gcn_predecode.h"

/* In mods; 23:16 hold the data type, operation or component count.  a VADDR, d VDATA, b the V#'s first SGPR, c SOFFSET;
 * imm: OFFSET 11:0, MTBUF's formats in their places; 25:24 of mods enum gcn_half. */
enum {
    NEWER = 256,
    HALF = 24,
    OFFEN = 1,
    IDXEN = 2,
    GLC = 4,
    ADDR64 = 8,
    TO_LDS = 16,
    TFE = 32,
    WIDE = 64,
    TYPED = 128,
    WHAT = 16
};

static unsigned what(const struct gcn_op *op) { return op->mods >> WHAT & 0xff; }
static enum gcn_half half(const struct gcn_op *op) { return (enum gcn_half)(op->mods >> HALF & 3); }

struct descriptor {
    uint64_t base;
    uint32_t stride, records;
    uint8_t dfmt, nfmt, type, sel[4];
    bool swizzle, add_tid;
    unsigned element, index; /* log2 of E, N */
    bool newer;
    enum gcn_bounds bounds; /* of newer chips */
};

enum { NO_FORMAT = 15 }; /* a data format that no buffer has */

static struct descriptor descriptor(const struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint32_t *v = gcn_s(w) + op->b;
    struct descriptor d = {
        .base = GET_LONG(v, V_SHARP, base_address),
        .stride = GET(v, V_SHARP, stride),
        .swizzle = GET(v, V_SHARP, swizzle_enable),
        .records = GET(v, V_SHARP, num_records),
        .dfmt = (uint8_t)GET(v, V_SHARP, data_format),
        .nfmt = (uint8_t)GET(v, V_SHARP, num_format),
        .type = (uint8_t)GET(v, V_SHARP, type),
        .sel = {(uint8_t)GET(v, V_SHARP, dst_sel_x), (uint8_t)GET(v, V_SHARP, dst_sel_y),
            (uint8_t)GET(v, V_SHARP, dst_sel_z), (uint8_t)GET(v, V_SHARP, dst_sel_w)},
        .element = 1 + GET(v, V_SHARP, element_size),
        .index = 3 + GET(v, V_SHARP, index_stride),
        .add_tid = GET(v, V_SHARP, add_tid_enable),
    };
    if (!(op->mods & NEWER)) return d;
    unsigned dfmt = NO_FORMAT, nfmt = 0;
    d.newer = true;
    d.element = 2;
    d.bounds = (enum gcn_bounds)GET(v, V_SHARP_NEWER, oob_select);
    if (!gcn_format_newer(GET(v, V_SHARP_NEWER, format), &dfmt, &nfmt)) dfmt = NO_FORMAT;
    d.dfmt = (uint8_t)dfmt;
    d.nfmt = (uint8_t)nfmt;
    return d;
}

/* ---- Addresses ----
 *
 * The VGPR's offset and OFFSET are added without turning over: from below the base nothing is in range, wherever the
 * sum leads. LLVM's AMDGPU backend counts on that before GFX9 where it folds offsets. */

/* The places of an access: the lanes in range, and pieces for them. */
struct found {
    uint64_t in, partly; /* partly: some bytes are in range, on newer chips */
    struct gcn_pieces p;
};

static const uint32_t zeros[64]; /* the offsets of an access without offen */

/* addr64, and linear buffers without an index: a row of offsets from one base. */
static void find_linear(
    const struct gpudbg_wave *w, const struct gcn_op *op, const struct descriptor *v, unsigned bytes, struct found *f)
{
    const struct gcn_memory_rows *rows = gcn_rows_of(w);
    uint64_t base = v->base + gcn_s(w)[op->c];
    uint32_t offset = GET(op->imm, MTBUF, offset);
    f->in = gcn_active(w);
    f->p.n = 1;
    f->p.bytes = bytes;
    if (op->mods & ADDR64) {
        rows->add(f->p.lo[0], f->p.hi[0], gcn_v(w, op->a), gcn_v(w, op->a + 1u), base + offset);
        return;
    }
    const uint64_t size = v->stride ? v->records ? UINT64_MAX : 0 : v->records, least = (uint64_t)offset + bytes;
    const uint32_t last = size < least ? 0 : size - least < UINT32_MAX ? (uint32_t)(size - least) : UINT32_MAX;
    unsigned out = rows->local(f->p.lo[0], op->mods & OFFEN ? gcn_v(w, op->a) : zeros, 0, UINT32_MAX, last, 0, f->in);
    if (size < least)
        f->in = 0;
    else if (out & GCN_OUTSIDE)
        for (uint64_t m = f->in; m; m &= m - 1)
            if (f->p.lo[0][gcn_first_lane(m)] > last) f->in &= ~(m & (0 - m));
    rows->add(f->p.lo[0], f->p.hi[0], f->p.lo[0], NULL, base + offset);
}

static uint64_t place(const struct descriptor *v, uint64_t index, uint64_t offset)
{
    if (!v->swizzle) return index * v->stride + offset;
    uint64_t e = v->element, n = v->index, in_element = offset & ((1u << e) - 1), in_group = index & ((1u << n) - 1);
    return (((index >> n) * v->stride + (offset >> e << e)) << n) + (in_group << e) + in_element;
}

/* Whether a byte is in range, on newer chips. */
static bool in_range(const struct descriptor *v, uint64_t index, uint64_t offset)
{
    switch (v->bounds) {
    case GCN_BOUNDS_STRIDE: return index < v->records && offset < v->stride;
    case GCN_BOUNDS_INDEX: return index < v->records;
    case GCN_BOUNDS_RAW: return (v->swizzle ? place(v, index, offset) : offset) < v->records;
    default: return v->records;
    }
}

/* Sources differ about accesses whose first bytes are in range, and others are not. */
static bool partly_fault(struct gpudbg_wave *w, const struct gcn_op *op, unsigned bytes, unsigned lane)
{
    (void)GCN_FAULT(w, op, (int)lane, "of %u bytes only some are in the buffer: what %s makes of it is not known",
        bytes, w->machine->isa->name);
    return false;
}

/* Everything else, lane by lane. */
static void find_each(
    const struct gpudbg_wave *w, const struct gcn_op *op, const struct descriptor *v, unsigned bytes, struct found *f)
{
    const uint32_t *index_row = op->mods & IDXEN ? gcn_v(w, op->a) : NULL;
    const uint32_t *offset_row = op->mods & OFFEN ? gcn_v(w, op->a + (index_row ? 1u : 0)) : NULL;
    uint64_t base = v->base + gcn_s(w)[op->c], active = gcn_active(w);
    uint32_t index[64];
    uint64_t offset[64];
    unsigned unit = v->swizzle && bytes > 4 ? 4 : bytes;
    f->in = 0;
    for (unsigned l = 0; l < 64; l++) {
        index[l] = (index_row ? index_row[l] : 0) + (v->add_tid ? l : 0);
        offset[l] = (uint64_t)(offset_row ? offset_row[l] : 0) + GET(op->imm, MTBUF, offset);
    }
    for (uint64_t m = active; m; m &= m - 1) {
        unsigned l = gcn_first_lane(m);
        const bool first = v->newer    ? in_range(v, index[l], offset[l])
                           : v->stride ? index[l] < v->records
                                       : offset[l] + bytes <= v->records;
        if (first) f->in |= m & (0 - m);
        if (v->newer && in_range(v, index[l], offset[l] + bytes - 1) != first) f->partly |= m & (0 - m);
    }
    for (uint64_t m = v->swizzle ? f->in : 0; m; m &= m - 1) { /* a unit across two elements: byte by byte */
        uint32_t at = (uint32_t)offset[gcn_first_lane(m)] & ((1u << v->element) - 1);
        if (at + unit > 1u << v->element || (unit < bytes && at & 3)) unit = 1;
    }
    f->p.bytes = unit;
    f->p.n = bytes / unit;
    for (unsigned i = 0; i < f->p.n; i++)
        for (unsigned l = 0; l < 64; l++) {
            uint64_t addr = base + place(v, index[l], offset[l] + i * unit);
            f->p.lo[i][l] = (uint32_t)addr;
            f->p.hi[i][l] = (uint32_t)(addr >> 32);
        }
}

/* Scratch as compilers use it: swizzled, without stride and index.  false: another case. */
static bool find_scratch(
    const struct gpudbg_wave *w, const struct gcn_op *op, const struct descriptor *v, unsigned bytes, struct found *f)
{
    const struct gcn_memory_rows *rows = gcn_rows_of(w);
    unsigned unit = bytes < 4 ? bytes : 4, element = 1u << v->element, offset = GET(op->imm, MTBUF, offset);
    if (!v->swizzle || !v->add_tid || v->stride || op->mods & IDXEN || (bytes > 4 && element != 4) ||
        v->records < offset + bytes || v->records >> (32 - v->index))
        return false;
    f->in = gcn_active(w);
    f->p.bytes = unit;
    f->p.n = bytes / unit;
    for (unsigned i = 0; i < f->p.n; i++)
        if (rows->interleave(f->p.lo[i], f->p.hi[i], op->mods & OFFEN ? gcn_v(w, op->a) : zeros, offset + 4 * i,
                v->base + gcn_s(w)[op->c], v->element, v->index, v->records - offset - bytes, unit, f->in))
            return false; /* some lane is out of range or misaligned */
    return true;
}

/* false: a fault. */
static bool find(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct descriptor *v, unsigned bytes, struct found *f)
{
    f->partly = 0;
    if (v->newer ? v->bounds == GCN_BOUNDS_DISABLED && v->records && find_scratch(w, op, v, bytes, f) : false)
        return true;
    if (v->newer) {
        find_each(w, op, v, bytes, f);
        return !f->partly || partly_fault(w, op, bytes, gcn_first_lane(f->partly));
    }
    if (op->mods & ADDR64 || !(op->mods & IDXEN || v->swizzle || v->add_tid))
        find_linear(w, op, v, bytes, f);
    else if (!find_scratch(w, op, v, bytes, f))
        find_each(w, op, v, bytes, f);
    return true;
}

static void zero(uint32_t *rows, unsigned n, uint64_t mask)
{
    for (unsigned i = 0; mask && i < n; i++)
        for (uint64_t m = mask; m; m &= m - 1) rows[64 * i + gcn_first_lane(m)] = 0;
}

/* ---- LDS as destination: lane l's word goes to M0[15:0] + OFFSET + 4 * l ---- */

static bool to_lds(struct gpudbg_wave *w, const struct gcn_op *op, const uint32_t *row)
{
    uint32_t at[64], start = (gcn_s(w)[GCN_M0] & 0xffff) + GET(op->imm, MTBUF, offset);
    struct gcn_span s = {.segment = w->lds, .mask = 0, .space = GPUDBG_LOCAL};
    for (uint64_t m = gcn_active(w); m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        at[lane] = (start + 4 * lane) & ~3u;
        if (w->lds && (uint64_t)at[lane] + 4 <= w->lds->size) s.mask |= m & (0 - m);
    }
    return !s.mask || gcn_write(w, op, &s, at, row, GCN_B32);
}

/* ---- Handlers ---- */

/* The end of a load of n rows: lanes outside the buffer get 0, and with TFE an extra row reports that every lane was
 * served. */
static const struct gcn_op *arrived(
    struct gpudbg_wave *w, const struct gcn_op *op, uint32_t *rows, unsigned n, uint64_t mask, uint64_t in)
{
    zero(rows, n, mask & ~in);
    if (op->mods & TO_LDS) return to_lds(w, op, rows) ? gcn_done(w, op) : NULL;
    if (op->mods & TFE) zero(rows + 64 * n, 1, mask);
    return gcn_done(w, op);
}

static const struct gcn_op *buffer_read(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    unsigned type = what(op), n = gcn_data_rows(type);
    _Alignas(64) uint32_t lds_row[64];
    uint32_t *rows = op->mods & TO_LDS || half(op) ? lds_row : gcn_v(w, op->d);
    struct descriptor v = descriptor(w, op);
    struct found f;
    if (!mask) return gcn_next(op);
    if (!find(w, op, &v, gcn_data_bytes(type), &f)) return NULL;
    if (f.in && !gcn_pieces_read(w, op, &f.p, f.in, rows, type)) return NULL;
    if (!half(op)) return arrived(w, op, rows, n, mask, f.in);
    zero(rows, 1, mask & ~f.in);
    gcn_put_half(gcn_v(w, op->d), rows, half(op), mask);
    return arrived(w, op, gcn_v(w, op->d), 1, mask, mask);
}

static const struct gcn_op *buffer_write(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct descriptor v = descriptor(w, op);
    struct found f;
    uint32_t high[64];
    const uint32_t *data = gcn_stored_half(gcn_v(w, op->d), half(op), high);
    if (!gcn_active(w)) return gcn_next(op);
    if (!find(w, op, &v, gcn_data_bytes(what(op)), &f)) return NULL;
    return f.in && !gcn_pieces_write(w, op, &f.p, f.in, data, what(op)) ? NULL : gcn_done(w, op);
}

static const struct gcn_op *buffer_modify(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    bool wide = op->mods & WIDE;
    unsigned n = wide ? 2 : 1;
    struct descriptor v = descriptor(w, op);
    struct found f;
    struct gcn_rmw_op r = {.rmw = (enum gcn_rmw)what(op), .wide = wide, .src = gcn_v(w, op->d)};
    if (!mask) return gcn_next(op);
    if (r.rmw == GCN_RMW_CMPSWAP || r.rmw == GCN_RMW_FCMPSWAP)
        r.more = r.src + 64 * n; /* the new value first, then the value to compare with */
    if (op->mods & GLC) r.out = gcn_v(w, op->d);
    if (!find(w, op, &v, 4 * n, &f)) return NULL;
    if (f.in && !gcn_pieces_modify(w, op, &f.p, f.in, &r)) return NULL;
    if (r.out) zero(r.out, n, mask & ~f.in);
    if (op->mods & TFE && r.out) /* after all data, as for images */
        zero(r.out + 64 * (r.more ? 2 * n : n), 1, mask);
    return gcn_done(w, op);
}

/* The formats of an access: the instruction's (MTBUF) or the descriptor's. */
static void formats(const struct gcn_op *op, const struct descriptor *v, unsigned *dfmt, unsigned *nfmt)
{
    if (op->mods & TYPED && v->newer) {
        if (!gcn_format_newer(GET(op->imm, MTBUF_NEWER, format), dfmt, nfmt)) *dfmt = NO_FORMAT;
        return;
    }
    *dfmt = op->mods & TYPED ? GET(op->imm, MTBUF, dfmt) : v->dfmt;
    *nfmt = op->mods & TYPED ? GET(op->imm, MTBUF, nfmt) : v->nfmt;
}

/* Stops the wave with the name of a field of the descriptor, or of the instruction, that is not a valid format. */
static bool check_formats(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct descriptor *v, unsigned dfmt, unsigned nfmt)
{
    static const char *const sel[4] = {"dst_sel_x", "dst_sel_y", "dst_sel_z", "dst_sel_w"};
    const bool typed = op->mods & TYPED;
    const char *of = typed ? "" : "V#.", *why = NULL, *field = "data_format";
    unsigned value = dfmt;
    if (dfmt == NO_FORMAT)
        why = "no format";
    else if (!gcn_format_fits(dfmt, nfmt))
        why = "does not fit the data format", field = "num_format", value = nfmt;
    for (unsigned i = 0; !typed && !why && i < 4; i++)
        if ((v->sel[i] & 6) == 2) why = "reserved", field = sel[i], value = v->sel[i];
    if (!why && v->type) why = "no buffer", of = "V#.", field = "type", value = v->type;
    if (!why) return true;
    const struct gpudbg_op *row = gcn_row(w, op);
    (void)GCN_FAULT(w, op, -1, "%s: %s%s is %u: %s", row ? row->name : "buffer", of, field, value, why);
    return false;
}

static unsigned element_type(unsigned bytes)
{
    switch (bytes) {
    case 1: return GCN_U8;
    case 2: return GCN_U16;
    case 4: return GCN_B32;
    case 8: return GCN_B64;
    case 12: return GCN_B96;
    default: return GCN_B128;
    }
}

/* Component i as DST_SEL of the descriptor selects it from the four; MTBUF takes the components unchanged. */
static uint32_t selected(const struct descriptor *v, const uint32_t c[4], unsigned i, unsigned nfmt)
{
    unsigned sel = v->sel[i];
    return sel >= 4 ? c[sel - 4] : sel == 1 ? gcn_format_one(nfmt) : 0;
}

static const struct gcn_op *buffer_read_format(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    unsigned n = what(op), dfmt, nfmt;
    struct descriptor v = descriptor(w, op);
    _Alignas(64) uint32_t raw[4 * 64], lds_row[64], parts[4 * 64];
    uint32_t *rows = op->mods & TO_LDS ? lds_row : gcn_v(w, op->d);
    struct found f = {.in = 0};
    if (!mask) return gcn_next(op);
    formats(op, &v, &dfmt, &nfmt);
    if (!check_formats(w, op, &v, dfmt, nfmt)) return NULL;
    unsigned bytes = gcn_format_bytes(dfmt), type = element_type(bytes);
    if (bytes && !find(w, op, &v, bytes, &f)) return NULL;
    if (f.in && !gcn_pieces_read(w, op, &f.p, f.in, raw, type)) return NULL;
    if (half(op)) rows = parts;
    for (uint64_t m = f.in; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        uint32_t in[4] = {raw[lane]}, out[4];
        for (unsigned i = 1; i < gcn_data_rows(type); i++) in[i] = raw[64 * i + lane];
        gcn_format_load(dfmt, nfmt, in, out);
        for (unsigned i = 0; i < n; i++) rows[64 * i + lane] = op->mods & TYPED ? out[i] : selected(&v, out, i, nfmt);
    }
    if (!half(op)) return arrived(w, op, rows, n, mask, f.in);
    zero(rows, n, mask & ~f.in);
    for (unsigned i = 0; i < n; i++) {
        for (unsigned lane = 0; lane < 64; lane++) rows[64 * i + lane] = gcn_format_half(nfmt, rows[64 * i + lane]);
        gcn_put_half(gcn_v(w, op->d + i / 2), rows + 64 * i,
            half(op) == GCN_HIGH_HALF || i % 2 ? GCN_HIGH_HALF : GCN_LOW_HALF, mask);
    }
    return arrived(w, op, gcn_v(w, op->d), (n + 1) / 2, mask, mask);
}

/* Components that the instruction does not give are stored as 0. */
static const struct gcn_op *buffer_write_format(struct gpudbg_wave *w, const struct gcn_op *op)
{
    unsigned n = what(op), dfmt, nfmt;
    struct descriptor v = descriptor(w, op);
    _Alignas(64) uint32_t raw[4 * 64];
    const uint32_t *rows = gcn_v(w, op->d);
    struct found f;
    if (!gcn_active(w)) return gcn_next(op);
    formats(op, &v, &dfmt, &nfmt);
    if (!check_formats(w, op, &v, dfmt, nfmt)) return NULL;
    unsigned bytes = gcn_format_bytes(dfmt);
    if (!bytes) return gcn_next(op);
    if (!find(w, op, &v, bytes, &f)) return NULL;
    for (uint64_t m = f.in; m; m &= m - 1) {
        unsigned lane = gcn_first_lane(m);
        uint32_t in[4] = {0}, out[4];
        for (unsigned i = 0; i < n; i++)
            in[i] = half(op) ? gcn_format_whole(
                                   nfmt, rows[64 * (i / 2) + lane] >> (half(op) == GCN_HIGH_HALF || i % 2 ? 16 : 0))
                             : rows[64 * i + lane];
        gcn_format_store(dfmt, nfmt, in, out);
        for (unsigned i = 0; i < 4; i++) raw[64 * i + lane] = out[i];
    }
    return f.in && !gcn_pieces_write(w, op, &f.p, f.in, raw, element_type(bytes)) ? NULL : gcn_done(w, op);
}

static const struct gcn_op *nothing(struct gpudbg_wave *w, const struct gcn_op *op)
{
    (void)w;
    return gcn_next(op);
}

bool gcn_buffer_op(
    const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2], struct gcn_op *op)
{
    const bool newer = gcn_chip_of(insn->isa)->newer_buffers;
    const bool typed = insn->variant == GCN_MTBUF || insn->variant == GCN_MTBUF_NEWER || insn->variant == GCN_MTBUF_D16;
    const bool lds = !typed && GET(w, MUBUF, lds), plain = row->action != GCN_MODIFY;
    op->a = (uint16_t)GET(w, MUBUF, vaddr);
    op->d = (uint16_t)GET(w, MUBUF, vdata);
    op->b = (uint16_t)(GET(w, MUBUF, srsrc) * 4);
    op->c = (uint16_t)GET(w, MUBUF, soffset);
    static_assert((MASK(MTBUF, dfmt) | MASK(MTBUF, nfmt)) == MASK(MTBUF_NEWER, format), "formats have the same place");
    op->imm = w[0] & (uint32_t)(MASK(MTBUF, offset) | (typed ? MASK(MTBUF_NEWER, format) : 0));
    op->mods = (GET(w, MUBUF, offen) ? OFFEN : 0) | (GET(w, MUBUF, idxen) ? IDXEN : 0) |
               (GET(w, MUBUF, glc) ? GLC : 0) |
               (newer                      ? NEWER
                   : GET(w, MUBUF, addr64) ? ADDR64
                                           : 0) |
               (lds ? TO_LDS : 0) | (GET(w, MUBUF, tfe) ? TFE : 0) |
               (plain          ? (uint32_t)row->wide << HALF
                   : row->wide ? WIDE
                               : 0) |
               (typed ? TYPED : 0) | (uint32_t)row->what << WHAT;
    switch (row->action) {
    case GCN_READ: op->fn = buffer_read; break;
    case GCN_WRITE: op->fn = buffer_write; break;
    case GCN_MODIFY: op->fn = buffer_modify; break;
    case GCN_READ_FORMAT: op->fn = buffer_read_format; break;
    case GCN_WRITE_FORMAT: op->fn = buffer_write_format; break;
    default: op->fn = nothing; return true;
    }
    bool one_word = row->action == GCN_READ ? gcn_data_rows(row->what) == 1
                                            : row->action == GCN_READ_FORMAT && row->what == 1;
    return op->b + 4 <= GCN_INLINE && op->c != GCN_LITERAL && (!lds || (one_word && !half(op)));
}
