/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_tables.c: ops.def as data, one table for each instruction set, and the words of its instructions. */
#include "code/arf.h"
#include "code/gen_decoder.h"
#include "code/message.h"
#include "op_tables.h"
#include "ops.h"

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

/* The layout of the first word, by column: before Gen12 each shape has its own. */
#define LAYOUT_e1(shape) FIRST_##shape(e1)
#define LAYOUT_e8(shape) FIRST_##shape(e8)
#define LAYOUT_e2(shape) GEN_L_e2_CTRL
#define FIRST(e, word) GEN_L_##e##_##word
#define FIRST_NONE(e) GEN_L_e1_NONE
#define FIRST_UNARY(e) FIRST(e, CTRL)
#define FIRST_BINARY(e) FIRST(e, CTRL)
#define FIRST_TERNARY(e) FIRST(e, CTRL)
#define FIRST_DPAS(e) GEN_L_e2_CTRL
#define FIRST_MATH(e) FIRST(e, MATH)
#define FIRST_SEND(e) FIRST(e, SEND)
#define FIRST_SYNC(e) FIRST(e, CTRL)
#define FIRST_WAIT(e) FIRST(e, CTRL)
#define FIRST_JUMP(e) FIRST(e, BARE)
#define FIRST_JIP(e) FIRST(e, BARE)
#define FIRST_BRANCH(e) FIRST(e, BARE)
#define FIRST_CALL(e) FIRST(e, BARE)
#define FIRST_RET(e) FIRST(e, BARE)

const struct gpudbg_op gen_ops[GEN_OPS] = {
#define OP(id_, codes, shape, bits, list, text, ...) \
    [GEN_OP_##id_] = {                               \
        .name = #id_, .operands = #list, .id = GEN_OP_##id_, .flags = bits, .doc = text, .source = SOURCE},
#define SOURCE "Ivy Bridge, volume 4 part 3; Haswell and DG1, EU_OPCODE"
#include "ops.def"
#undef OP
};

#define WITH(macro, ...) macro(__VA_ARGS__)
#define ROW_OF(x, id, number, name, title, others, first, encoding, ...) WITH(ROW_IS, id, number, encoding, GEN_LIST x)
#define ROW_IS(id, number, encoding, name, codes, shape) \
    [id][GEN_OP_##name] = {&gen_layouts[LAYOUT_##encoding(shape)], GEN_AT(number, codes)},
const struct gpudbg_row gen_rows[GEN_EUS][GEN_OPS] = {
#define OP(name, codes, shape, ...) GEN_EACH_EU(ROW_OF, (name, codes, shape))
#include "ops.def"
#undef OP
};

/* An operation that a set lacks has no code; its place in the table is after those of the codes. */
#define CODE_OF(x, id, number, ...) WITH(CODE_IS, id, number, GEN_LIST x)
#define CODE_IS(id, number, name, codes) \
    [id][GEN_AT(number, codes) < 0 ? GEN_CODES + GEN_OP_##name : GEN_AT(number, codes)] = GEN_OP_##name + 1,
const uint8_t gen_by_code[GEN_EUS][GEN_CODES + GEN_OPS] = {
#define OP(name, codes, ...) GEN_EACH_EU(CODE_OF, (name, codes))
#include "ops.def"
#undef OP
};

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
const struct gpudbg_format *const gen_e1_formats[] = {
    SHOW(e1_NONE) SHOW(e1_CTRL) SHOW(e1_MATH) SHOW(e1_SEND) SHOW(e1_BARE) SHOW(e1_DST) SHOW(e1_DSTI) SHOW(e1_DST16)
        SHOW(e1_DST16I) SHOW(e1_FLOW) SHOW(e1_NODST) SHOW(e1_SRC0) SHOW(e1_SRC0I) SHOW(e1_SRC016) SHOW(e1_SRC016I)
            SHOW(e1_NOSRC0) SHOW(e1_NOTHING2) SHOW(e1_SRC1) SHOW(e1_SRC1I) SHOW(e1_SRC116) SHOW(e1_SRC116I)
                SHOW(e1_NOTHING3) SHOW(e1_IMM) SHOW(e1_IMM64) SHOW(e1_JIP_UIP) SHOW(e1_JIP) SHOW(e1_JIP32)
                    SHOW(e1_DESC_REG) SHOW(e1_TER1) SHOW(e1_TER2) SHOW(c1_REG) SHOW(c1_IMM) SHOW(c1_NONE)
                        SHOW(e1_UNKNOWN) DESCRIPTORS DESC(d_SAMPLER) DESC(d_SCRATCH) DESC(d_MEDIA) ARF(a_e1) ARF(sr0)
                            ARF(cr_e1) ARF(n0) ARF(ip) ARF(tdr) ARF(tm0) ARF(flag) ARF(ce) ARF(acc) ARF(sp) NULL,
};
const struct gpudbg_format *const gen_e8_formats[] = {
    SHOW(e1_NONE) SHOW(e8_CTRL) SHOW(e8_MATH) SHOW(e8_SEND) SHOW(e8_BARE) SHOW(e8_DST) SHOW(e8_DSTI) SHOW(e8_DST16)
        SHOW(e8_DST16I) SHOW(e8_FLOW) SHOW(e8_NODST) SHOW(e8_SRC0) SHOW(e8_SRC0I) SHOW(e8_SRC016) SHOW(e8_SRC016I) SHOW(
            e8_NOSRC0) SHOW(e1_NOTHING2) SHOW(e8_SRC1) SHOW(e8_SRC1I) SHOW(e8_SRC116) SHOW(e8_SRC116I) SHOW(e1_NOTHING3)
            SHOW(e1_IMM) SHOW(e8_IMM64) SHOW(e8_UIP) SHOW(e8_JIP) SHOW(e1_JIP32) SHOW(e8_SRC0S) SHOW(e1_DESC_REG) SHOW(
                e8_SENDS) SHOW(e8_SENDS_D) SHOW(e8_SENDS_X) SHOW(e8_SENDS_DX) SHOW(e8_TER1) SHOW(e8_TER2) SHOW(e8_REG1)
                SHOW(e8_REG2) SHOW(e8_REG2_0) SHOW(e8_REG2_2) SHOW(e8_REG2_02) SHOW(c8_REG) SHOW(c8_IMM) SHOW(c8_TER)
                    SHOW(c1_NONE) SHOW(e8_UNKNOWN) DESCRIPTORS DESC(d_SAMPLER) DESC(d_SCRATCH_8) DESC(d_A64)
                        DESC(d_A64_ATOMIC) DESC(d_A64_BLOCK) DESC(d_FLOAT_ATOMIC) DESC(d_URB_LONG) ARF(a_e2) ARF(sr0)
                            ARF(cr_e2) ARF(n0) ARF(ip) ARF(tdr) ARF(tm0) ARF(flag) ARF(ce) ARF(acc) ARF(sp) NULL,
};
const struct gpudbg_format *const gen_e2_formats[] = {
    SHOW(e2_NONE) SHOW(e2_CTRL) SHOW(e2_DST) SHOW(e2_DSTI) SHOW(e2_NODST) SHOW(e2_SRC0) SHOW(e2_SRC0I) SHOW(e2_NOSRC0)
        SHOW(e2_NOREG0) SHOW(e2_COND) SHOW(e2_MATH) SHOW(e2_SYNC) SHOW(e2_NOCOND) SHOW(e2_SRC1) SHOW(e2_SRC1I)
            SHOW(e2_NOSRC1) SHOW(e2_IMM) SHOW(e2_IMM64) SHOW(e2_TER1) SHOW(e2_TER2) SHOW(e2_TER2_IMM) SHOW(e2_TER3)
                SHOW(e2_TER3_IMM) SHOW(e2_SEND) SHOW(e2_SEND_D) SHOW(e2_SEND_X) SHOW(e2_SEND_DX) SHOW(e2_SEND_XW)
                    SHOW(e2_SEND_DXW) SHOW(e2_SEND_XB) SHOW(e2_SEND_DXB) SHOW(e2_BFN1) SHOW(e2_BFN2) SHOW(e2_BFN2_IMM)
                        SHOW(e2_DPAS1) SHOW(e2_DPAS2) SHOW(e2_DPAS3) SHOW(e2_BRANCH) SHOW(e2_CALL) SHOW(e2_UIP)
                            SHOW(e2_NOUIP) SHOW(e2_TARGET) SHOW(e2_JIP) SHOW(c2_REG) SHOW(c2_IMM) SHOW(c2_TER)
                                SHOW(c2_NONE) SHOW(e2_UNKNOWN) DESCRIPTORS DESC(d_SAMPLER_HALF) DESC(d_SCRATCH_8)
                                    DESC(d_A64) DESC(d_A64_ATOMIC) DESC(d_A64_BLOCK) DESC(d_FLOAT_ATOMIC)
                                        DESC(d_URB_LONG) ARF(a_e2) ARF(sr0) ARF(cr_e2) ARF(n0) ARF(ip) ARF(tdr) ARF(tm0)
                                            ARF(flag) ARF(ce) ARF(acc) ARF(sp) NULL,
};
