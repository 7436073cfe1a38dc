/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * templates.c: the operand column of ops.def as numbers.  "u32 sdst" becomes 1 << 16 | GFX7_U32 << 8 | GFX7_IN_SDST:
 * types are macros that end in a bar, fields are enumerators, so this file holds nothing else.
 */
#include "code/gfx7_decoder.h"

/* A data type, and the dwords of an operand of it. */
#define TYPE(type, dwords) (dwords) << 16 | (type) << 8

#define none 0
#define b32 TYPE(GFX7_B32, 1) |
#define u32 TYPE(GFX7_U32, 1) |
#define i32 TYPE(GFX7_I32, 1) |
#define f32 TYPE(GFX7_F32, 1) |
#define b64 TYPE(GFX7_B64, 2) |
#define u64 TYPE(GFX7_U64, 2) |
#define i64 TYPE(GFX7_I64, 2) |
#define f64 TYPE(GFX7_F64, 2) |
#define b96 TYPE(GFX7_B96, 3) |
#define b128 TYPE(GFX7_B128, 4) |
#define b256 TYPE(GFX7_B256, 8) |
#define b512 TYPE(GFX7_B512, 16) |
#define u8 TYPE(GFX7_U8, 1) |
#define i8 TYPE(GFX7_I8, 1) |
#define u16 TYPE(GFX7_U16, 1) |
#define i16 TYPE(GFX7_I16, 1) |
#define f16 TYPE(GFX7_F16, 1) |
#define u24 TYPE(GFX7_U24, 1) |
#define i24 TYPE(GFX7_I24, 1) |
#define mask TYPE(GFX7_MASK, 2) |
#define a1 TYPE(GFX7_A1, 1) |
#define a2 TYPE(GFX7_A2, 2) |
#define a3 TYPE(GFX7_A3, 3) |
#define a4 TYPE(GFX7_A4, 4) |
#define a5 TYPE(GFX7_A5, 5) |
#define a6 TYPE(GFX7_A6, 6) |
#define a7 TYPE(GFX7_A7, 7) |
#define a8 TYPE(GFX7_A8, 8) |
#define a9 TYPE(GFX7_A9, 9) |
#define target TYPE(GFX7_TARGET, 0) |
#define waitcnt TYPE(GFX7_WAITCNT, 0) |
#define sendmsg TYPE(GFX7_SENDMSG, 0) |
#define hwreg TYPE(GFX7_HWREG, 0) |
#define slot TYPE(GFX7_SLOT, 0) |

enum {
    sdst = GFX7_IN_SDST,
    ssrc0 = GFX7_IN_SSRC0,
    ssrc1 = GFX7_IN_SSRC1,
    simm16 = GFX7_IN_SIMM16,
    literal = GFX7_IN_LITERAL,
    sbase = GFX7_IN_SBASE,
    offset = GFX7_IN_OFFSET,
    vdst = GFX7_IN_VDST,
    src0 = GFX7_IN_SRC0,
    src1 = GFX7_IN_SRC1,
    src2 = GFX7_IN_SRC2,
    lane = GFX7_IN_LANE,
    scalar = GFX7_IN_SCALAR,
    k = GFX7_IN_K,
    vsrc = GFX7_IN_VSRC,
    addr = GFX7_IN_ADDR,
    data0 = GFX7_IN_DATA0,
    data1 = GFX7_IN_DATA1,
    data = GFX7_IN_DATA,
    vdata = GFX7_IN_VDATA,
    vaddr = GFX7_IN_VADDR,
    srsrc = GFX7_IN_SRSRC,
    soffset = GFX7_IN_SOFFSET,
    ssamp = GFX7_IN_SSAMP,
    vsrc0 = GFX7_IN_VSRC0,
    vsrc1 = GFX7_IN_VSRC1,
    vsrc2 = GFX7_IN_VSRC2,
    vsrc3 = GFX7_IN_VSRC3,
};
#define attribute TYPE(GFX7_ATTRIBUTE, 0) |
#define export TYPE(GFX7_EXPORT, 0) |
#define attr GFX7_IN_ATTR
#define tgt GFX7_IN_TGT
#define SLOTS(...) __VA_ARGS__

const struct gfx7_template gfx7_templates[GFX7_OPS] = {
#define OP(layout, number, id, list, bits, doc, ...) [GFX7_##id] = {{SLOTS list}, sizeof #id - 1, #id},
#include "ops.def"
};
