/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_packed.h: operations on halves of dwords and with parts of dwords: HALF, PACKED, MIX and DOT of ops.def. */
#ifndef GCN_PACKED_H
#define GCN_PACKED_H

#include "gcn.h"
#include "engine/gcn_exec.h"

/* How sources and the result of a row lie in dwords. */
enum gcn_halves {
    GCN_WHOLE_DWORDS, /* not one of these rows */
    GCN_ONE_HALF,     /* the words choose a half of each source, and the one that is written */
    GCN_BOTH_HALVES,
    GCN_MIXED,      /* each source is a float or a half; the result is a float */
    GCN_MIXED_LOW,  /* ... a half, which goes to the low half */
    GCN_MIXED_HIGH, /* ... to the high half */
    GCN_DOTS,       /* sources are several numbers each */
};

/* What a row on halves computes.  Its rows hold a source a dword: a half in the low 16 bits, or a dword. */
struct gcn_half_row {
    gcn_rows *rows;
    uint8_t shape;      /* enum gcn_halves */
    uint8_t floats : 3; /* a bit for each source that is a half: its constants are halves, signs work on bit 15 */
    uint8_t result : 3; /* enum gcn_half_result */
};
enum gcn_half_result { GCN_HALF_FLOAT, GCN_HALF_WHOLE, GCN_DWORD_FLOAT, GCN_DWORD_WHOLE };

/* The destination's old value is the third source. */
#define GCN_ACCUMULATES(id) \
    ((id) == GCN_v_fmac_f16 || (id) == GCN_v_pk_fmac_f16 || (id) == GCN_v_dot2c_f32_f16 || (id) == GCN_v_dot4c_i32_i8)

/* NULL: the row is on whole dwords. */
const struct gcn_half_row *gcn_half_row(const struct gpudbg_op *);
/* The function of a row on whole dwords when its result is clamped; NULL: none is known. */
gcn_rows *gcn_clamped_row(const struct gpudbg_op *);

#endif
