/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * templates.c: the operand column of ops.def as numbers.  "u32 sdst" becomes 1 << 16 | GCN_U32 << 8 | GCN_IN_SDST:
 * types are macros that end in a bar, fields are enumerators, so this file holds nothing else.
 */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* A data type, and the dwords of an operand of it. */
#define TYPE(type, dwords) (dwords) << 16 | (type) << 8

#define none 0
#define b32 TYPE(GCN_B32, 1) |
#define u32 TYPE(GCN_U32, 1) |
#define i32 TYPE(GCN_I32, 1) |
#define f32 TYPE(GCN_F32, 1) |
#define b64 TYPE(GCN_B64, 2) |
#define u64 TYPE(GCN_U64, 2) |
#define i64 TYPE(GCN_I64, 2) |
#define f64 TYPE(GCN_F64, 2) |
#define b96 TYPE(GCN_B96, 3) |
#define b128 TYPE(GCN_B128, 4) |
#define b256 TYPE(GCN_B256, 8) |
#define b512 TYPE(GCN_B512, 16) |
#define u8 TYPE(GCN_U8, 1) |
#define i8 TYPE(GCN_I8, 1) |
#define u16 TYPE(GCN_U16, 1) |
#define i16 TYPE(GCN_I16, 1) |
#define f16 TYPE(GCN_F16, 1) |
#define u24 TYPE(GCN_U24, 1) |
#define i24 TYPE(GCN_I24, 1) |
#define mask TYPE(GCN_MASK, 2) |
#define a1 TYPE(GCN_A1, 1) |
#define a2 TYPE(GCN_A2, 2) |
#define a3 TYPE(GCN_A3, 3) |
#define a4 TYPE(GCN_A4, 4) |
#define a5 TYPE(GCN_A5, 5) |
#define a6 TYPE(GCN_A6, 6) |
#define a7 TYPE(GCN_A7, 7) |
#define a8 TYPE(GCN_A8, 8) |
#define a9 TYPE(GCN_A9, 9) |
#define a11 TYPE(GCN_A11, 11) |
#define a12 TYPE(GCN_A12, 12) |
#define target TYPE(GCN_TARGET, 0) |
#define waitcnt TYPE(GCN_WAITCNT, 0) |
#define depctr TYPE(GCN_DEPCTR, 0) |
#define sendmsg TYPE(GCN_SENDMSG, 0) |
#define hwreg TYPE(GCN_HWREG, 0) |
#define slot TYPE(GCN_SLOT, 0) |

enum {
    sdst = GCN_IN_SDST,
    ssrc0 = GCN_IN_SSRC0,
    ssrc1 = GCN_IN_SSRC1,
    simm16 = GCN_IN_SIMM16,
    literal = GCN_IN_LITERAL,
    sbase = GCN_IN_SBASE,
    offset = GCN_IN_OFFSET,
    vdst = GCN_IN_VDST,
    src0 = GCN_IN_SRC0,
    src1 = GCN_IN_SRC1,
    src2 = GCN_IN_SRC2,
    lane = GCN_IN_LANE,
    scalar = GCN_IN_SCALAR,
    k = GCN_IN_K,
    vsrc = GCN_IN_VSRC,
    addr = GCN_IN_ADDR,
    data0 = GCN_IN_DATA0,
    data1 = GCN_IN_DATA1,
    data = GCN_IN_DATA,
    vdata = GCN_IN_VDATA,
    vaddr = GCN_IN_VADDR,
    srsrc = GCN_IN_SRSRC,
    soffset = GCN_IN_SOFFSET,
    ssamp = GCN_IN_SSAMP,
    saddr = GCN_IN_SADDR,
    vsrc0 = GCN_IN_VSRC0,
    vsrc1 = GCN_IN_VSRC1,
    vsrc2 = GCN_IN_VSRC2,
    vsrc3 = GCN_IN_VSRC3,
};
#define attribute TYPE(GCN_ATTRIBUTE, 0) |
#define export TYPE(GCN_EXPORT, 0) |
#define attr GCN_IN_ATTR
#define tgt GCN_IN_TGT
#define SLOTS(...) __VA_ARGS__

#define TEMPLATE(id, name, list) [GCN_##id] = {{SLOTS list}, sizeof name - 1, name},

const struct gcn_template gcn_templates[GCN_OPS] = {
#define OP(layout, number, id, list, bits, doc, ...) TEMPLATE(id, #id, list)
#define OP_AS(layout, number, id, name, list, ...) TEMPLATE(id, name, list)
#include "ops.def"
};

/* Scalar operations have masks of the width in their names, vector operations those of the wave. */
const struct gcn_template gcn_templates_of_32[GCN_OPS] = {
#define OP(layout, number, id, list, bits, doc, ...) TEMPLATE(id, #id, list)
#define OP_AS(layout, number, id, name, list, ...) TEMPLATE(id, name, list)
#define GCN_MEMORY_ROWS
#include "ops.def"
#undef GCN_MEMORY_ROWS
#define OP(layout, number, id, list, bits, doc, ...) TEMPLATE(id, #id, list)
#define OP_AS(layout, number, id, name, list, ...) TEMPLATE(id, name, list)
#define GCN_SCALAR_ROWS
#include "ops.def"
#undef GCN_SCALAR_ROWS
#undef mask
#define mask TYPE(GCN_MASK32, 1) |
#define OP(layout, number, id, list, bits, doc, ...) TEMPLATE(id, #id, list)
#define OP_AS(layout, number, id, name, list, ...) TEMPLATE(id, name, list)
#define GCN_VECTOR_ROWS
#include "ops.def"
};
