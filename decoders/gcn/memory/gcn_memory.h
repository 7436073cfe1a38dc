/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_memory.h: accesses of a wave's lanes to memory, for SMRD, DS, MUBUF, MTBUF and FLAT alike.
 *
 * An access has three steps.  The instruction makes addresses, a row of low and a row of high dwords.  They are
 * *resolved*: each lane's bytes must lie in one segment, else the wave faults and nothing has changed; lanes that share
 * a segment form a *span*.  Then each span is read, written or modified.  Almost always there is one span, its segment
 * the one that this op used last (op->cache), and its lanes are at consecutive places: that is the fast path.
 *
 * An access that the hardware interleaves by dwords (scratch) consists of several *pieces*, each an access of its own,
 * all resolved before the first is carried out.
 */
#ifndef GCN_MEMORY_H
#define GCN_MEMORY_H

#include "code/bits.h"
#include "engine/setup.h"
#include "engine/gcn_exec.h"
#include "gcn.h"
#include "gpudbg/lanes.h"

/* ---- Loops over lanes (memory_simd.c), compiled for several vector widths ---- */

enum { GCN_OUTSIDE = 1, GCN_SCATTERED = 2, GCN_CROSSING = 4 };

struct gcn_memory_rows {
    /* Of the lanes of mask: OUTSIDE if hi is not base_hi or lo not in [from, last] somewhere; SCATTERED unless lo grows
     * by `step` from lane to lane, starting at `first` in lane 0 (which need not be in the mask). */
    unsigned (*check)(const uint32_t *lo, const uint32_t *hi, uint32_t base_hi, uint32_t from, uint32_t last,
        uint32_t first, uint32_t step, uint64_t mask);
    /* out = (a + add) & keep; returns as check does, without hi. */
    unsigned (*local)(
        uint32_t *out, const uint32_t *a, uint32_t add, uint32_t keep, uint32_t last, uint32_t step, uint64_t mask);
    /* All lanes: OUTSIDE if a has a bit of `odd` or is above `last` somewhere; SCATTERED unless it grows by `step`. */
    unsigned (*plain)(const uint32_t *a, uint32_t odd, uint32_t last, uint32_t step);
    /* All lanes: out = a + more. */
    void (*plus)(uint32_t *out, const uint32_t *a, uint32_t more);
    /* Scratch: lane l's offset o = a + add goes to base + (o >> e << (e + n)) + (l % 2^n << e) + o % 2^e, which must
     * fit in 32 bits, apart from the base.  OUTSIDE if some a is above `last`; CROSSING if o % 2^e + bytes is above 2^e
     * somewhere. */
    unsigned (*interleave)(uint32_t *lo, uint32_t *hi, const uint32_t *a, uint32_t add, uint64_t base, unsigned e,
        unsigned n, uint32_t last, uint32_t bytes, uint64_t mask);
    /* out = a (hi: 0 if NULL) + base, 64 bits; out may be a. */
    void (*add)(uint32_t *lo, uint32_t *hi, const uint32_t *a_lo, const uint32_t *a_hi, uint64_t base);
    /* d = s in the lanes of mask. */
    void (*select)(uint32_t *d, const uint32_t *s, uint64_t mask);
    /* Convert between n rows and n packed dwords a lane. */
    void (*split)(uint32_t *rows, const uint8_t *packed, unsigned n);
    void (*join)(uint8_t *packed, const uint32_t *rows, unsigned n);
    /* Load rows of n dwords from bytes + off[lane], every lane; and store the lanes of mask there, in order. */
    void (*gather)(uint32_t *rows, const uint8_t *bytes, const uint32_t *off, unsigned n);
    void (*scatter)(uint8_t *bytes, const uint32_t *off, const uint32_t *rows, unsigned n, uint64_t mask);
    /* Row i of `rows` from bytes[i] + a[lane], every lane, i < n; a may be one of the rows.  false, and nothing is
     * read, if a is not a multiple of 4 or above `last` in some lane. */
    bool (*words)(uint32_t *rows, const uint8_t *const bytes[], unsigned n, const uint32_t *a, uint32_t last);
    /* out = a in the lanes of mask, else that of its first lane: any lane may then be read. */
    void (*tame)(uint32_t *out, const uint32_t *a, uint64_t mask);
    /* The least and the greatest of the lanes of mask. */
    void (*bounds)(const uint32_t *a, uint64_t mask, uint32_t *least, uint32_t *most);
    /* A row of bytes or words, one after another, as the type U8, I8, U16 or I16 says. */
    void (*widen)(uint32_t *row, const uint8_t *packed, unsigned type);
};

/* By vector level. */
extern const struct gcn_memory_rows gcn_memory_rows_1 LANES_MISSING, gcn_memory_rows_3 LANES_MISSING,
    gcn_memory_rows_4 LANES_MISSING;

static inline const struct gcn_memory_rows *gcn_rows_of(const struct gpudbg_wave *w) { return gcn_of(w)->setup->rows; }

/* ---- Spans ---- */

struct gcn_span {
    struct gpudbg_segment *segment;
    uint64_t mask;
    bool row; /* lanes are consecutive in memory, one size of the access apart */
    uint8_t space;
};

struct gcn_spans {
    unsigned n;
    struct gcn_span span[65];
};

/* Bytes of a data type: U8 I8 U16 I16 B32 B64 B96 B128; and VGPRs it takes. */
static inline unsigned gcn_data_bytes(unsigned type)
{
    return type == GCN_U8 || type == GCN_I8     ? 1
           : type == GCN_U16 || type == GCN_I16 ? 2
           : type == GCN_B64                    ? 8
           : type == GCN_B96                    ? 12
           : type == GCN_B128                   ? 16
                                                : 4;
}

static inline unsigned gcn_data_rows(unsigned type) { return (gcn_data_bytes(type) + 3) / 4; }

/* Adds the spans of global memory that the lanes of mask (not 0) touch, `bytes` each.  false: a fault, and the run is
 * stopped (return NULL from the handler). */
bool gcn_resolve(struct gpudbg_wave *, const struct gcn_op *, const uint32_t *lo, const uint32_t *hi, uint64_t mask,
    unsigned bytes, bool write, struct gcn_spans *);
/* The same, if all of them are in the segment that this op used last; else returns false and changes nothing. */
bool gcn_resolve_again(const struct gpudbg_wave *, const struct gcn_op *, const uint32_t *lo, const uint32_t *hi,
    uint64_t mask, unsigned bytes, bool write, struct gcn_spans *);
/* Adds the span of LDS that lanes touch; those that are out of range are left out. */
void gcn_resolve_lds(struct gpudbg_wave *, const uint32_t *lo, uint64_t mask, unsigned bytes, struct gcn_spans *);
/* Bytes of LDS that instructions reach: those allocated, on older chips M0 at most. */
uint32_t gcn_lds_limit(const struct gpudbg_wave *);

/* The segment's offset of a lane. */
static inline uint32_t gcn_offset(const struct gpudbg_segment *seg, const uint32_t *lo, unsigned lane)
{
    return lo[lane] - (uint32_t)seg->base;
}

/* Stores of size bytes (no more than a page) may go straight to the segment's bytes. */
static inline bool gcn_is_open(struct gpudbg_wave *w, struct gpudbg_segment *seg, uint64_t off, unsigned size)
{
    uint32_t stamp = w->machine->stamp;
    uint64_t from = off >> GPUDBG_PAGE_BITS, to = (off + size - 1) >> GPUDBG_PAGE_BITS;
    return (seg->page[from] == stamp && seg->page[to] == stamp) || gpudbg_mem_open(w, seg, off, size);
}

/* One or two bytes as a word of the type U8, I8, U16 or I16. */
static inline uint32_t gcn_widen(const uint8_t *p, unsigned type)
{
    uint32_t v = type == GCN_U16 || type == GCN_I16 ? le_u16(p) : p[0];
    return type == GCN_I8 ? (uint32_t)(int8_t)v : type == GCN_I16 ? (uint32_t)(int16_t)v : v;
}

/* One lane's store; false as above. */
/* The lanes' accesses, for watchers; the offsets are written to `off` if `lo` does not hold them. */
struct gpudbg_accesses gcn_accesses_of(const struct gcn_span *, const uint32_t *lo, unsigned bytes, uint32_t off[64]);
bool gcn_write_lane(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_span *, uint64_t off, const void *,
    unsigned bytes, unsigned lane);
/* Carry out one span; lo is the row that was resolved.  false as above. */
bool gcn_read(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_span *, const uint32_t *lo, uint32_t *rows,
    unsigned type);
bool gcn_write(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_span *, const uint32_t *lo,
    const uint32_t *rows, unsigned type);

/* ---- Read, modify, write ---- */

enum gcn_rmw {
    GCN_RMW_SWAP,
    GCN_RMW_ADD,
    GCN_RMW_SUB,
    GCN_RMW_RSUB,
    GCN_RMW_INC,
    GCN_RMW_DEC,
    GCN_RMW_SMIN,
    GCN_RMW_SMAX,
    GCN_RMW_UMIN,
    GCN_RMW_UMAX,
    GCN_RMW_AND,
    GCN_RMW_OR,
    GCN_RMW_XOR,
    GCN_RMW_MSKOR,
    GCN_RMW_CMPSWAP,
    GCN_RMW_FCMPSWAP,
    GCN_RMW_FMIN,
    GCN_RMW_FMAX,
    GCN_RMW_WRAP,
    GCN_RMW_CONDXCHG,
    GCN_RMW_CSUB,
    GCN_RMW_FADD,
    GCN_RMW_FADD_FLUSH, /* the same; denormals are taken as 0, and become 0 */
};

/* The new contents; `more` is the third operand, which CMPSWAP compares with, MSKOR ORs and WRAP adds.
 */
uint64_t gcn_rmw_value(enum gcn_rmw, bool wide, uint64_t old, uint64_t src, uint64_t more);

struct gcn_rmw_op {
    enum gcn_rmw rmw;
    bool wide;                  /* 64 bits */
    const uint32_t *src, *more; /* rows; more may be NULL */
    uint32_t *out;              /* rows for the old contents, or NULL */
};
bool gcn_hostcall(struct gpudbg_wave *, const struct gcn_op *); /* after an atomic in its segment: the host acts */
bool gcn_modify(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_span *, const uint32_t *lo,
    const struct gcn_rmw_op *);

/* ---- Pieces ---- */

#define GCN_PIECES 16

struct gcn_pieces {
    unsigned n, bytes; /* pieces, bytes of each */
    _Alignas(64) uint32_t lo[GCN_PIECES][64], hi[GCN_PIECES][64];
};

bool gcn_pieces_read(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_pieces *, uint64_t mask,
    uint32_t *rows, unsigned type);
bool gcn_pieces_write(struct gpudbg_wave *, const struct gcn_op *, const struct gcn_pieces *, uint64_t mask,
    const uint32_t *rows, unsigned type);
bool gcn_pieces_modify(
    struct gpudbg_wave *, const struct gcn_op *, const struct gcn_pieces *, uint64_t mask, const struct gcn_rmw_op *);

/* ---- The global data share ---- */

/* The memory of a DS instruction with the gds bit: M0 holds its first byte in 31:16 and its size in 15:0. */
struct gcn_share {
    struct gpudbg_segment *segment;
    uint32_t base, limit; /* bytes: added to an address; the limit that addresses stay below */
    uint8_t space;
};
struct gcn_share gcn_share(
    const struct gpudbg_wave *, bool gds); /* without the bit: LDS; segment NULL, limit 0: there is none */
/* Adds the span of the share that lanes touch, at at[] + base, which becomes at[]; those out of range are left out. */
void gcn_resolve_share(const struct gcn_share *, uint32_t *at, uint64_t mask, unsigned bytes, struct gcn_spans *);

enum gcn_gws { GCN_GWS_RELEASE, GCN_GWS_INIT, GCN_GWS_V, GCN_GWS_BR, GCN_GWS_P, GCN_GWS_BARRIER };

/* ---- Rows of ops.def ---- */

/* The action that the body of a row names; `what` is a data type, an operation or a count. */
enum gcn_action {
    GCN_NOT, /* NONE */
    GCN_NOTHING,
    GCN_READ,
    GCN_READ2,
    GCN_WRITE,
    GCN_WRITE2,
    GCN_MODIFY,
    GCN_EXCHANGE2,
    GCN_SRC2,
    GCN_SWIZZLE,
    GCN_APPEND,
    GCN_CONSUME,
    GCN_READ_BY_LANE, /* a word for each lane from M0[15:0] on; of global memory from an SGPR pair on */
    GCN_WRITE_BY_LANE,
    GCN_PERMUTE, /* lanes send words to others, or fetch them */
    GCN_BPERMUTE,
    GCN_READ_FORMAT,
    GCN_WRITE_FORMAT,
    GCN_S_LOAD,
    GCN_S_BUFFER_LOAD,
    GCN_S_STORE,
    GCN_S_BUFFER_STORE,
    GCN_S_MODIFY, /* stride 1: a buffer */
    GCN_WAVE_ID,
    GCN_CLOCK,
    GCN_EXPORT_DATA,
    GCN_GWS_WAITS,
    GCN_ORDERED,
    GCN_IMAGE_LOAD,
    GCN_IMAGE_FOUR, /* samples of a texel */
    GCN_IMAGE_STORE,
    GCN_IMAGE_ATOMIC,
    GCN_IMAGE_INFO,
    GCN_IMAGE_SAMPLE,
    GCN_IMAGE_GATHER,
    GCN_IMAGE_LOD,
    GCN_IMAGE_RAY, /* wide: a pointer has two dwords */
};

struct gcn_memory_row {
    /* wide: units of 64 bits, or of READ and WRITE enum gcn_half; stride: of two offsets, in items; of S_LOAD and
     * S_STORE what an SGPR counts, in bytes, if not 1 */
    uint8_t action, what, wide, stride;
};

/* The half of a VGPR that one or two bytes belong to; a load keeps the other.  GCN_NO_HALF: they become a word. */
enum gcn_half { GCN_NO_HALF, GCN_LOW_HALF, GCN_HIGH_HALF };
/* Puts the low bits of `from` into the half of the row, in the lanes of mask. */
static inline void gcn_put_half(uint32_t *row, const uint32_t *from, enum gcn_half half, uint64_t mask)
{
    const unsigned shift = half == GCN_HIGH_HALF ? 16 : 0;
    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned lane = (unsigned)__builtin_ctzll(m);
        row[lane] = (row[lane] & ~(UINT32_C(0xffff) << shift)) | (from[lane] & 0xffff) << shift;
    }
}
/* The row whose low bits a store takes: `row`, or its high halves in `own`. */
static inline const uint32_t *gcn_stored_half(const uint32_t *row, enum gcn_half half, uint32_t own[64])
{
    if (half != GCN_HIGH_HALF) return row;
    for (unsigned lane = 0; lane < 64; lane++) own[lane] = row[lane] >> 16;
    return own;
}

/* Each fills an op for its encodings (w: the instruction's two dwords); false: not executed here. */
bool gcn_scalar_memory_op(
    const struct gpudbg_insn *, const struct gcn_memory_row *, const uint32_t w[2], struct gcn_op *);
bool gcn_lds_op(const struct gpudbg_insn *, const struct gcn_memory_row *, const uint32_t w[2], struct gcn_op *);
bool gcn_buffer_op(const struct gpudbg_insn *, const struct gcn_memory_row *, const uint32_t w[2], struct gcn_op *);
bool gcn_export_op(const struct gpudbg_insn *, const uint32_t w[2], struct gcn_op *);
bool gcn_gws_op(const struct gpudbg_insn *, const struct gcn_memory_row *, const uint32_t w[2], struct gcn_op *);
bool gcn_image_op(const struct gpudbg_insn *, const struct gcn_memory_row *, const uint32_t w[2], struct gcn_op *);
bool gcn_flat_op(const struct gpudbg_insn *, const struct gcn_memory_row *, const uint32_t w[2], struct gcn_op *);

#endif
