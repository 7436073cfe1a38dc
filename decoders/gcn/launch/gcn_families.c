/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_families.c: the families of instructions: the functions that take an instruction apart; the rows of ops.def for
 * memory. */
#include "alu/exceptions.h"
#include "alu/gcn_lanes_simd.h"
#include "alu/gcn_packed.h"
#include "engine/gcn_exec.h"
#include "image/gcn_image.h"
#include "gcn_ops.h"

/* ---- The rows of ops.def ---- */

/* clang-format off */
#define NONE {GCN_NOT, 0, 0, 0}
#define NOTHING {GCN_NOTHING, 0, 0, 0}
#define READ(type) {GCN_READ, GCN_##type, 0, 0}
#define WRITE(type) {GCN_WRITE, GCN_##type, 0, 0}
#define READ2(type, stride) {GCN_READ2, GCN_##type, 0, stride}
#define WRITE2(type, stride) {GCN_WRITE2, GCN_##type, 0, stride}
#define RMW(op, bits) {GCN_MODIFY, GCN_RMW_##op, (bits) / 64, 0}
#define XCHG2(bits, stride) {GCN_EXCHANGE2, GCN_RMW_SWAP, (bits) / 64, stride}
#define SRC2(op, bits) {GCN_SRC2, GCN_RMW_##op, (bits) / 64, 0}
#define READ_LOW(type) {GCN_READ, GCN_##type, GCN_LOW_HALF, 0}
#define READ_HIGH(type) {GCN_READ, GCN_##type, GCN_HIGH_HALF, 0}
#define WRITE_HIGH(type) {GCN_WRITE, GCN_##type, GCN_HIGH_HALF, 0}
#define READ_BY_LANE(type) {GCN_READ_BY_LANE, GCN_##type, 0, 0}
#define WRITE_BY_LANE(type) {GCN_WRITE_BY_LANE, GCN_##type, 0, 0}
#define LANE_PERMUTE {GCN_PERMUTE, 0, 0, 0}
#define LANE_BPERMUTE {GCN_BPERMUTE, 0, 0, 0}
#define LANE_SWIZZLE {GCN_SWIZZLE, 0, 0, 0}
#define APPEND {GCN_APPEND, 0, 0, 0}
#define CONSUME {GCN_CONSUME, 0, 0, 0}
#define READ_FORMAT(n) {GCN_READ_FORMAT, n, 0, 0}
#define WRITE_FORMAT(n) {GCN_WRITE_FORMAT, n, 0, 0}
#define S_LOAD(n) {GCN_S_LOAD, n, 0, 0}
#define S_BUFFER_LOAD(n) {GCN_S_BUFFER_LOAD, n, 0, 0}
#define S_STORE(n) {GCN_S_STORE, n, 0, 0}
#define S_SCRATCH_LOAD(n) {GCN_S_LOAD, n, 0, 64}
#define S_SCRATCH_STORE(n) {GCN_S_STORE, n, 0, 64}
#define S_BUFFER_STORE(n) {GCN_S_BUFFER_STORE, n, 0, 0}
#define S_RMW(op, bits) {GCN_S_MODIFY, GCN_RMW_##op, (bits) / 64, 0}
#define S_BUFFER_RMW(op, bits) {GCN_S_MODIFY, GCN_RMW_##op, (bits) / 64, 1}
#define WAVE_ID {GCN_WAVE_ID, 0, 0, 0}
#define READ_FORMAT_HALVES(n) {GCN_READ_FORMAT, n, GCN_LOW_HALF, 0}
#define WRITE_FORMAT_HALVES(n) {GCN_WRITE_FORMAT, n, GCN_LOW_HALF, 0}
#define READ_FORMAT_HIGH {GCN_READ_FORMAT, 1, GCN_HIGH_HALF, 0}
#define WRITE_FORMAT_HIGH {GCN_WRITE_FORMAT, 1, GCN_HIGH_HALF, 0}
#define CLOCK {GCN_CLOCK, 0, 0, 0}
#define EXPORT_DATA {GCN_EXPORT_DATA, 0, 0, 0}
#define GWS_RELEASE {GCN_GWS_WAITS, GCN_GWS_RELEASE, 0, 0}
#define GWS_INIT {GCN_GWS_WAITS, GCN_GWS_INIT, 0, 0}
#define GWS_V {GCN_GWS_WAITS, GCN_GWS_V, 0, 0}
#define GWS_BR {GCN_GWS_WAITS, GCN_GWS_BR, 0, 0}
#define GWS_P {GCN_GWS_WAITS, GCN_GWS_P, 0, 0}
#define GWS_BARRIER {GCN_GWS_WAITS, GCN_GWS_BARRIER, 0, 0}
#define ORDERED {GCN_ORDERED, 0, 0, 0}
#define IMAGE_LOAD(forms) {GCN_IMAGE_LOAD, forms, 0, 0}
#define IMAGE_FOUR {GCN_IMAGE_FOUR, 0, 0, 0}
#define IMAGE_STORE(forms) {GCN_IMAGE_STORE, forms, 0, 0}
#define IMAGE_ATOMIC(op) {GCN_IMAGE_ATOMIC, GCN_RMW_##op, 0, 0}
#define IMAGE_INFO {GCN_IMAGE_INFO, 0, 0, 0}
#define IMAGE_SAMPLE(forms) {GCN_IMAGE_SAMPLE, forms, 0, 0}
#define IMAGE_SAMPLE_HALVES(forms) {GCN_IMAGE_SAMPLE, forms, 1, 0}
#define IMAGE_GATHER(forms) {GCN_IMAGE_GATHER, forms, 0, 0}
#define IMAGE_RAY(wide) {GCN_IMAGE_RAY, 0, wide, 0}
#define IMAGE_LOD {GCN_IMAGE_LOD, 0, 0, 0}
/* clang-format on */

/* The forms of images, as rows write them. */
enum {
    MIP = GCN_IMAGE_MIP,
    PACKED = GCN_IMAGE_PACKED,
    SIGNED = GCN_IMAGE_SIGNED,
    OFFSET = GCN_IMAGE_OFFSET,
    BIAS = GCN_IMAGE_BIAS,
    COMPARE = GCN_IMAGE_COMPARE,
    DERIVATIVES = GCN_IMAGE_DERIVATIVES,
    COARSE = GCN_IMAGE_COARSE,
    LEVEL = GCN_IMAGE_LEVEL,
    CLAMP = GCN_IMAGE_CLAMP,
    ZERO = GCN_IMAGE_ZERO,
};

static const struct gcn_memory_row memory_rows[GCN_OPS] = {
#define OP(layout, code, name, operands, flags, doc, ...) [GCN_##name] = __VA_ARGS__,
#define GCN_MEMORY_ROWS
#include "ops.def"
};

static bool memory_op(const struct gpudbg_insn *insn, struct gcn_op *op)
{
    const struct gcn_memory_row *row = &memory_rows[insn->op->id];
    const uint32_t w[2] = {le_u32(insn->raw), insn->size >= 8 ? le_u32(insn->raw + 4) : 0};
    op->cache = NULL;
    switch (row->action == GCN_NOT ? GCN_ENCODINGS : insn->variant) {
    case GCN_SMEM:
    case GCN_SMRD: return gcn_scalar_memory_op(insn, row, w, op);
    case GCN_DS:
        return row->action == GCN_GWS_WAITS || row->action == GCN_ORDERED ? gcn_gws_op(insn, row, w, op)
                                                                          : gcn_lds_op(insn, row, w, op);
    case GCN_EXP: return gcn_export_op(insn, w, op);
    case GCN_MUBUF_NEWER:
    case GCN_MTBUF_NEWER:
    case GCN_MTBUF_D16:
    case GCN_MUBUF:
    case GCN_MTBUF: return gcn_buffer_op(insn, row, w, op);
    case GCN_MIMG_NEWER:
    case GCN_MIMG_HIGH:
    case GCN_MIMG: return gcn_image_op(insn, row, w, op);
    case GCN_FLAT_NEWER:
    case GCN_GLOBAL:
    case GCN_SCRATCH:
    case GCN_FLAT: return gcn_flat_op(insn, row, w, op);
    default: return false;
    }
}

static bool take(const struct gpudbg_insn *insn, const struct gcn_level *level, struct gcn_op *op)
{
    return insn->variant >= GCN_SOP1 && insn->variant <= GCN_SOPP ? gcn_scalar_op(insn, op)
           : insn->variant >= GCN_VINTRP || insn->variant == GCN_VOP3H || insn->variant == GCN_VOP3P
               ? gcn_vector_op(insn, level, op)
               : memory_op(insn, op);
}

static const struct gcn_level *level(void) { return lanes_widest(&gcn_level_1, &gcn_level_3, &gcn_level_4); }

const struct gcn_families gcn_families = {.level = level,
    .take = take,
    .exceptions = gcn_exceptions,
    .sees_exceptions = gcn_sees_exceptions,
    .unsure_lane = gcn_unsure_lane,
    .refuses = gcn_vector_refuses};
