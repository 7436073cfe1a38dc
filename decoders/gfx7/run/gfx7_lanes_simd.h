/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gfx7_lanes_simd.h: what a compiled vector width gives to the rest, and how vector ops are packed.
 */
#ifndef GFX7_LANES_SIMD_H
#define GFX7_LANES_SIMD_H

#include "run/gfx7_exec.h"
#include "gfx7.h"
#include "gpudbg/lanes.h"

/* What a row function gets: rows of 64 dwords, one row a dword of the operand.  d may be one of the sources. */
struct gfx7_lanes {
    const uint32_t *a, *b, *c; /* S0, S1, S2; all are readable even if the instruction has fewer */
    const uint32_t *in;        /* all ones or zero: carry in, select */
    uint32_t *d, *out;         /* out: a mask, bit 0 of each dword */
    uint32_t mode;
};

/* What an operand is, as far as fetching it goes. */
enum gfx7_kind {
    GFX7_KIND_NONE,
    GFX7_KIND_B32,
    GFX7_KIND_F32,
    GFX7_KIND_F16,
    GFX7_KIND_B64,
    GFX7_KIND_I64,
    GFX7_KIND_F64,
    GFX7_KIND_B128,
};

/* op->mods of a vector op; d, a, b, c are operand codes (256 + n: VGPR n), d below 256 a mask result. */
#define GFX7_NEGS(m) ((m)&7)
#define GFX7_ABSS(m) ((m) >> 3 & 7)
#define GFX7_CLAMP (1u << 6)
#define GFX7_OMOD_BITS (3u << 7)
#define GFX7_OMOD(m) ((m) >> 7 & 3)
#define GFX7_SDST(m) ((m) >> 9 & 127)
#define GFX7_KIND(m, i) ((enum gfx7_kind)((m) >> (16 + 3 * (i)) & 7)) /* i: source 0 to 2; 3 the result */
#define GFX7_IN (1u << 28)     /* reads a mask: c, or VCC if there is a third source */
#define GFX7_OUT (1u << 29)    /* writes a mask beside the result: SDST */
#define GFX7_CMPX GFX7_OUT     /* a compare: writes EXEC too */
#define GFX7_ROUNDS (1u << 30) /* follows the rounding mode */

static inline unsigned gfx7_kind_dwords(enum gfx7_kind kind)
{
    return kind == GFX7_KIND_NONE ? 0 : kind < GFX7_KIND_B64 ? 1 : kind < GFX7_KIND_B128 ? 2 : 4;
}

static inline bool gfx7_kind_float(enum gfx7_kind kind)
{
    return kind == GFX7_KIND_F32 || kind == GFX7_KIND_F16 || kind == GFX7_KIND_F64;
}

/* Handlers for 32-bit sources without modifiers, by where these come from: V a VGPR, S a scalar. */
enum gfx7_fast {
    GFX7_FAST_V,
    GFX7_FAST_S,
    GFX7_FAST_VV,
    GFX7_FAST_SV,
    GFX7_FAST_VS,
    GFX7_FAST_VVV,
    GFX7_FAST_SVV,
    GFX7_FAST_VSV,
    GFX7_FAST_VVS,
    GFX7_FAST_VSS,
    GFX7_FAST_SVS,
    GFX7_CMP_VV,
    GFX7_CMP_SV,
    GFX7_CMP_VS,
    GFX7_CARRY_VV,
    GFX7_CARRY_SV,
    GFX7_CARRY_VS,
    GFX7_FAST_WA, /* hot rows only: pairs W, a VGPR or scalar A */
    GFX7_FAST_WW,
    GFX7_FAST_WWW,
    GFX7_FASTS,
};

/* One compiled vector width. */
struct gfx7_level {
    gfx7_fn *vector;
    gfx7_fn *fast[GFX7_FASTS];
    gfx7_fn *const
        *hot[GFX7_OPS]; /* of GFX7_FASTS each: handlers of one row alone, which come before `fast`; NULL: none */
    struct {
        gfx7_rows *rows; /* NULL: no vector ALU row, or one with a handler of its own */
        bool fixed;      /* its result does not depend on the rounding mode */
    } row[GFX7_OPS];
};

extern const struct gfx7_level gfx7_level_1 LANES_MISSING, gfx7_level_3 LANES_MISSING, gfx7_level_4 LANES_MISSING;

/* Handlers of rows whose body is CALL(name), by row; NULL: none.  scalar.c, vector.c */
extern gfx7_fn *const gfx7_scalar[GFX7_OPS];
extern gfx7_fn *const gfx7_lane_access[GFX7_OPS];

#endif
