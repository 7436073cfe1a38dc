/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_tables.c: ops.def as data, one table an instruction set, and the words that each of them has. */
#include <assert.h>

#include "code/arf.h"
#include "code/gen_decoder.h"
#include "code/message.h"

/* ---- Opcodes ---- */

/* The flags as ops.def writes them. */
enum {
    COMMON = GPUDBG_OP_VECTOR,
    BRANCH = GPUDBG_OP_BRANCH,
    COND = GPUDBG_OP_COND,
    CALL = GPUDBG_OP_CALL,
    RETURN = GPUDBG_OP_RETURN,
    WAITS = GPUDBG_OP_WAIT,
    MESSAGE = GPUDBG_OP_MESSAGE,
    BITWISE = GPUDBG_OP_BITWISE,
    COPY = GPUDBG_OP_COPY,
};

/* Which rows a set has: IN7_G12(row) is nothing. */
#define IN7_G7_75_12(row) row
#define IN7_G7_75(row) row
#define IN7_G75_12(row)
#define IN7_G75(row)
#define IN7_G12(row)
#define IN75_G7_75_12(row) row
#define IN75_G7_75(row) row
#define IN75_G75_12(row) row
#define IN75_G75(row) row
#define IN75_G12(row)
#define IN12_G7_75_12(row) row
#define IN12_G7_75(row)
#define IN12_G75_12(row) row
#define IN12_G75(row)
#define IN12_G12(row) row

/* Which column of a row a set takes. */
#define CODE7(code7, code12) code7
#define CODE75(code7, code12) code7
#define CODE12(code7, code12) code12

/* The layout of the first word: on Gen7 a row of each shape has its own. */
#define L7_NONE g7_NONE
#define L7_UNARY g7_CTRL
#define L7_BINARY g7_CTRL
#define L7_TERNARY g7_CTRL
#define L7_MATH g7_MATH
#define L7_SEND g7_SEND
#define L7_SYNC g7_CTRL
#define L7_WAIT g7_CTRL
#define L7_JUMP g7_BARE
#define L7_JIP g7_BARE
#define L7_BRANCH g7_BARE
#define L7_CALL g7_BARE
#define L7_RET g7_BARE
#define LAYOUT_(layout) &gen_layouts[GEN_L_##layout]
#define LAYOUT(layout) LAYOUT_(layout)
#define LAYOUT7(shape) LAYOUT(L7_##shape)
#define LAYOUT75(shape) LAYOUT(L7_##shape)
#define LAYOUT12(shape) LAYOUT(g12_CTRL)

#define SOURCE7 "Ivy Bridge, volume 4 part 3; Haswell, EU_OPCODE"
#define SOURCE75 "Haswell, EU_OPCODE"
#define SOURCE12 "DG1, EU_OPCODE"

#define GENERATION 7
#include "op_rows.def"
#define GENERATION 75
#include "op_rows.def"
#define GENERATION 12
#include "op_rows.def"

const uint8_t gen_shapes[GEN_OPS] = {
#define OP(gens, id, code7, code12, shape, ...) [GEN_OP_##id] = GEN_##shape,
#include "ops.def"
#undef OP
};

#define DOT(src0, src1) ((uint64_t)(src0) << GEN_TRAIT_DOT | (uint64_t)(src1) << (GEN_TRAIT_DOT + 4))
enum {
#define TRAIT(name) name = 1 << GEN_TRAIT_##name,
#include "traits.def"
#undef TRAIT
};
static_assert(GEN_TRAITS < 31, "a trait is a bit of an int");
#define OP(gens, id, code7, code12, shape, bits, list, doc, traits, ...) [GEN_OP_##id] = traits,
const uint64_t gen_traits[GEN_OPS] = {
#include "ops.def"
};
#undef OP

enum { P = GEN_MAY_PREDICATE, C = GEN_MAY_CONDITION, S = GEN_MAY_SATURATE, S7 = GEN_MAY_SATURATE_OLD };
#define OP(gens, id, code7, code12, shape, bits, list, doc, traits, may, ...) [GEN_OP_##id] = may,
const uint8_t gen_may[GEN_OPS] = {
#include "ops.def"
};
#undef OP

enum { INTEGERS = GEN_INTEGERS, FLOATS = GEN_FLOATS, DOUBLES = GEN_DOUBLES, ANY = GEN_ANY_TYPE };
#define OP(gens, id, code7, code12, shape, bits, list, doc, traits, may, types, alu) [GEN_OP_##id] = types,
const uint8_t gen_takes[GEN_OPS] = {
#include "ops.def"
};
#undef OP

const struct gen_set gen_sets[GEN_VERSIONS] = {
    [GEN7] = {GEN7, gen_ops7, by_code7, op_of7},
    [GEN75] = {GEN75, gen_ops75, by_code75, op_of75},
    [GEN12] = {GEN12, gen_ops12, by_code12, op_of12},
};

enum gen_version gen_version_of(const struct gpudbg_isa *isa)
{
    return isa->ops == gen_ops12 ? GEN12 : isa->ops == gen_ops75 ? GEN75 : GEN7;
}

bool gen_has_scoreboard(const struct gpudbg_isa *isa) { return isa && isa->ops == gen_ops12; }

enum gen_op gen_op_of(const struct gpudbg_op *op)
{
    if (op >= gen_ops12 && op < gen_ops12 + GEN_ROWS12) return op_of12[op->id];
    return op >= gen_ops75 && op < gen_ops75 + GEN_ROWS75 ? op_of75[op->id] : op_of7[op->id];
}

/* ---- Formats of the sets ---- */

#define SHOW(layout) &gen_layouts[GEN_L_##layout],
#define DESC(layout) &gen_descriptors[GEN_##layout],
/* clang-format off */
#define DESCRIPTORS \
    DESC(d_OTHER) DESC(d_GATEWAY) DESC(d_URB) DESC(d_SPAWNER) DESC(d_OWORDS) DESC(d_DUAL) DESC(d_DWORDS) DESC(d_BYTES) \
    DESC(d_UNTYPED) DESC(d_ATOMIC) DESC(d_TYPED_ATOMIC) DESC(d_FENCE) DESC(d_TYPED) DESC(d_TARGET) DESC(d_PORT) \
    DESC(d_VME) DESC(d_CRE) DESC(d_INTERPOLATOR)
#define ARF(layout) &gen_arf_formats[GEN_ARF_##layout],
/* clang-format on */
const struct gpudbg_format *const gen7_formats[] = {
    SHOW(g7_NONE) SHOW(g7_CTRL) SHOW(g7_MATH) SHOW(g7_SEND) SHOW(g7_BARE) SHOW(g7_DST) SHOW(g7_DSTI) SHOW(g7_DST16)
        SHOW(g7_DST16I) SHOW(g7_FLOW) SHOW(g7_NODST) SHOW(g7_SRC0) SHOW(g7_SRC0I) SHOW(g7_SRC016) SHOW(g7_SRC016I)
            SHOW(g7_NOSRC0) SHOW(g7_NOTHING2) SHOW(g7_SRC1) SHOW(g7_SRC1I) SHOW(g7_SRC116) SHOW(g7_SRC116I)
                SHOW(g7_NOTHING3) SHOW(g7_IMM) SHOW(g7_IMM64) SHOW(g7_JIP_UIP) SHOW(g7_JIP) SHOW(g7_JIP32)
                    SHOW(g7_DESC_REG) SHOW(g7_TER1) SHOW(g7_TER2) SHOW(c7_REG) SHOW(c7_IMM) SHOW(c7_NONE)
                        SHOW(g7_UNKNOWN) DESCRIPTORS DESC(d_SAMPLER) DESC(d_SCRATCH) DESC(d_MEDIA) ARF(a7) ARF(sr0)
                            ARF(cr7) ARF(n0) ARF(ip) ARF(tdr) ARF(tm0) ARF(flag) ARF(ce) ARF(acc) ARF(sp) NULL,
};
const struct gpudbg_format *const gen12_formats[] = {
    SHOW(g12_NONE) SHOW(g12_CTRL) SHOW(g12_DST) SHOW(g12_DSTI) SHOW(g12_NODST) SHOW(g12_SRC0) SHOW(g12_SRC0I)
        SHOW(g12_NOSRC0) SHOW(g12_NOREG0) SHOW(g12_COND) SHOW(g12_MATH) SHOW(g12_SYNC) SHOW(g12_NOCOND) SHOW(g12_SRC1)
            SHOW(g12_SRC1I) SHOW(g12_NOSRC1) SHOW(g12_IMM) SHOW(g12_IMM64) SHOW(g12_TER1) SHOW(g12_TER2)
                SHOW(g12_TER2_IMM) SHOW(g12_TER3) SHOW(g12_TER3_IMM) SHOW(g12_SEND) SHOW(g12_SEND_D) SHOW(g12_SEND_X)
                    SHOW(g12_SEND_DX) SHOW(g12_BRANCH) SHOW(g12_CALL) SHOW(g12_UIP) SHOW(g12_NOUIP) SHOW(g12_TARGET)
                        SHOW(g12_JIP) SHOW(c12_REG) SHOW(c12_IMM) SHOW(c12_TER) SHOW(c12_NONE) SHOW(g12_UNKNOWN)
                            DESCRIPTORS DESC(d_SAMPLER12) DESC(d_SCRATCH12) DESC(d_A64) DESC(d_A64_ATOMIC)
                                DESC(d_A64_BLOCK) DESC(d_FLOAT_ATOMIC) DESC(d_URB12) ARF(a12) ARF(sr0) ARF(cr12) ARF(n0)
                                    ARF(ip) ARF(tdr) ARF(tm0) ARF(flag) ARF(ce) ARF(acc) ARF(sp) NULL,
};
