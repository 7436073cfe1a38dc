/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_nan.h: which NaN an operation returns: the first source that is one, made quiet; where none is (inf - inf,
 * 0 * inf, the square root of -1), a quiet one whose sign is set.
 *
 * Sources: for V_DIV_FIXUP on all chips, CLRX; for V_LOG, V_RSQ, V_SQRT, V_SIN and V_COS, the functional examples in
 * AMD's manuals of RDNA 3, 3.5 and 4; for the rest, and for older chips, inferred from these.
 */
#ifndef GCN_NAN_H
#define GCN_NAN_H

#include "gpudbg/lanes.h"

#define GCN_NAN16 0xfe00u
#define GCN_NAN32 (LANES_SIGN32 | LANES_NAN32)
#define GCN_NAN64 (LANES_SIGN64 | LANES_NAN64)

/* Of sources a, b, c; those that the operation does not have are 0. */
static inline uint32_t gcn_nan32(uint32_t a, uint32_t b, uint32_t c)
{
    return lanes_isnan32(a) || lanes_isnan32(b) || lanes_isnan32(c) ? lanes_nan32(a, b, c) : GCN_NAN32;
}

static inline uint64_t gcn_nan64(uint64_t a, uint64_t b, uint64_t c)
{
    return lanes_isnan64(a) || lanes_isnan64(b) || lanes_isnan64(c) ? lanes_nan64(a, b, c) : GCN_NAN64;
}

#endif
