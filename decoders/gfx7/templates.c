/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * templates.c: the operand column of ops.def as numbers.  "u32 sdst" becomes GFX7_U32 << 8 | GFX7_IN_SDST: types are
 * macros that end in a bar, fields are enumerators, so this file holds nothing else.
 */
#include "decoder.h"

#define none 0
#define b32 GFX7_B32 << 8 |
#define u32 GFX7_U32 << 8 |
#define i32 GFX7_I32 << 8 |
#define f32 GFX7_F32 << 8 |
#define b64 GFX7_B64 << 8 |
#define u64 GFX7_U64 << 8 |
#define i64 GFX7_I64 << 8 |
#define f64 GFX7_F64 << 8 |
#define b96 GFX7_B96 << 8 |
#define b128 GFX7_B128 << 8 |
#define b256 GFX7_B256 << 8 |
#define b512 GFX7_B512 << 8 |
#define u8 GFX7_U8 << 8 |
#define i8 GFX7_I8 << 8 |
#define u16 GFX7_U16 << 8 |
#define i16 GFX7_I16 << 8 |
#define f16 GFX7_F16 << 8 |
#define u24 GFX7_U24 << 8 |
#define i24 GFX7_I24 << 8 |
#define mask GFX7_MASK << 8 |
#define a1 GFX7_A1 << 8 |
#define a2 GFX7_A2 << 8 |
#define a3 GFX7_A3 << 8 |
#define a4 GFX7_A4 << 8 |
#define a5 GFX7_A5 << 8 |
#define a6 GFX7_A6 << 8 |
#define a7 GFX7_A7 << 8 |
#define a8 GFX7_A8 << 8 |
#define a9 GFX7_A9 << 8 |
#define target GFX7_TARGET << 8 |
#define waitcnt GFX7_WAITCNT << 8 |
#define sendmsg GFX7_SENDMSG << 8 |
#define hwreg GFX7_HWREG << 8 |
#define slot GFX7_SLOT << 8 |

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
#define attribute GFX7_ATTRIBUTE << 8 |
#define export GFX7_EXPORT << 8 |
#define attr GFX7_IN_ATTR
#define tgt GFX7_IN_TGT
#define SLOTS(...) __VA_ARGS__

const struct gfx7_template gfx7_templates[GFX7_OPS] = {
#define OP(layout, number, id, list, bits, doc, ...) [GFX7_##id] = {{SLOTS list}, sizeof #id - 1, #id},
#include "ops.def"
};
