/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_lanes_simd.h: the interface of a compiled vector width, and the packing of vector ops.
 */
#ifndef GCN_LANES_SIMD_H
#define GCN_LANES_SIMD_H

#include "engine/gcn_exec.h"
#include "gcn.h"
#include "gcn_ops.h"
#include "gpudbg/lanes.h"

/* The arguments of a row function: rows of 64 dwords, one row for each dword of an operand.  d may be one of the
 * sources. */
struct gcn_lanes {
    const uint32_t *a, *b, *c; /* S0, S1, S2; all are readable even if the instruction has fewer */
    const uint32_t *in;        /* all ones or zero: carry in, select */
    uint32_t *d, *out;         /* out: a mask, bit 0 of each dword */
    uint32_t mode;
    bool clamp; /* a whole number that its type does not hold becomes the nearest one that it holds: gcn_packed.c */
    uint64_t unknown; /* set by the function: lanes whose results are not known */
};

/* The kind of an operand, for fetching it. */
enum gcn_kind {
    GCN_KIND_NONE,
    GCN_KIND_B32,
    GCN_KIND_F32,
    GCN_KIND_F16,
    GCN_KIND_B64,
    GCN_KIND_I64,
    GCN_KIND_F64,
    GCN_KIND_B128,
};

/* op->mods of a vector op; d, a, b, c are operand codes (256 + n: VGPR n), d below 256 a mask result. */
#define GCN_NEGS(m) ((m)&7)
#define GCN_ABSS(m) ((m) >> 3 & 7)
#define GCN_CLAMP (1u << 6)
#define GCN_OMOD_BITS (3u << 7)
#define GCN_OMOD(m) ((m) >> 7 & 3)
#define GCN_SDST(m) ((m) >> 9 & 127)
#define GCN_KIND(m, i) ((enum gcn_kind)((m) >> (16 + 3 * (i)) & 7)) /* i: source 0 to 2; 3 the result */
#define GCN_IN (1u << 28)     /* reads a mask: c, or VCC if there is a third source */
#define GCN_OUT (1u << 29)    /* writes a mask besides the result: SDST */
#define GCN_CMPX GCN_OUT      /* a compare: writes EXEC too */
#define GCN_ROUNDS (1u << 30) /* follows the rounding mode */

static inline unsigned gcn_kind_dwords(enum gcn_kind kind)
{
    return kind == GCN_KIND_NONE ? 0 : kind < GCN_KIND_B64 ? 1 : kind < GCN_KIND_B128 ? 2 : 4;
}

static inline bool gcn_kind_float(enum gcn_kind kind)
{
    return kind == GCN_KIND_F32 || kind == GCN_KIND_F16 || kind == GCN_KIND_F64;
}

/* Handlers for 32-bit sources without modifiers, by where these come from: V a VGPR, S a scalar. */
enum gcn_fast {
    GCN_FAST_V,
    GCN_FAST_S,
    GCN_FAST_VV,
    GCN_FAST_SV,
    GCN_FAST_VS,
    GCN_FAST_VVV,
    GCN_FAST_SVV,
    GCN_FAST_VSV,
    GCN_FAST_VVS,
    GCN_FAST_VSS,
    GCN_FAST_SVS,
    GCN_CMP_VV,
    GCN_CMP_SV,
    GCN_CMP_VS,
    GCN_CARRY_VV,
    GCN_CARRY_SV,
    GCN_CARRY_VS,
    GCN_FAST_WA, /* hot rows only: pairs W, a VGPR or scalar A */
    GCN_FAST_WW,
    GCN_FAST_WWW,
    GCN_FASTS,
};

/* One compiled vector width. */
struct gcn_level {
    gcn_fn *vector;
    gcn_fn *fast[GCN_FASTS];
    gcn_fn *const
        *hot[GCN_OPS]; /* GCN_FASTS each: handlers of a single row, which are preferred to `fast`; NULL: none */
    struct {
        gcn_rows *rows; /* NULL: no vector ALU row, or one with a handler of its own */
        bool fixed;     /* its result does not depend on the rounding mode */
    } row[GCN_OPS];
};

extern const struct gcn_level gcn_level_1 LANES_MISSING, gcn_level_3 LANES_MISSING, gcn_level_4 LANES_MISSING;

/* Runs op->rows under its rounding mode; then omod and clamp.  gcn_result.c */
void gcn_run_row(const struct gcn_op *, struct gcn_lanes *);
void gcn_clamp_halves(uint32_t *row, uint32_t mode);

/* Handlers of rows whose body is CALL(name), by row; NULL: none.  scalar.c, vector.c */
extern gcn_fn *const gcn_scalar[];
extern gcn_fn *const gcn_lane_access[];

#endif
