/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_isa.c: ops.def as data, one table an instruction set, and the descriptors by which core knows Gen. */
#include "commands/batch.h"
#include "code/arf.h"
#include "code/gen_decoder.h"
#include "binary/gen_binary.h"
#include "code/footprint.h"
#include "code/message.h"
#include "binary/payload.h"
#include "code/gen_rules.h"
#include "code/scoreboard.h"
#include "message/trace.h"

/* ---- Opcodes ---- */

/* The flags as ops.def writes them. */
enum {
    COMMON = GPUDBG_OP_VECTOR,
    LOGIC = GPUDBG_OP_OWN,
    ACC_R = GPUDBG_OP_OWN << 1,
    BRANCH = GPUDBG_OP_BRANCH,
    COND = GPUDBG_OP_COND,
    CALL = GPUDBG_OP_CALL,
    RETURN = GPUDBG_OP_RETURN,
    WAITS = GPUDBG_OP_WAIT,
};

#define LIST(...) #__VA_ARGS__

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


enum gen_row7 {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN7_##gens(ROW7_##id COMMA)
#define COMMA ,
#include "ops.def"
#undef OP
    ROWS7
};
enum gen_row75 {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN75_##gens(ROW75_##id COMMA)
#include "ops.def"
#undef OP
    ROWS75
};
enum gen_row12 {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN12_##gens(ROW12_##id COMMA)
#include "ops.def"
#undef OP
    ROWS12
};

/* The layout of the first word: a row of each shape has its own. */
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

#define ROW(set, id_, number, layout, list, bits, text, where) \
    [ROW##set##_##id_] = {.name = #id_, .operands = #list, .id = ROW##set##_##id_, .code = number, .format = layout, .flags = bits, \
        .doc = text, .source = where}

static const struct gpudbg_op ops7[ROWS7] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) \
    IN7_##gens(ROW(7, id, code7, LAYOUT(L7_##shape), list, bits, doc, "Ivy Bridge, volume 4 part 3; Haswell, EU_OPCODE") COMMA)
#include "ops.def"
#undef OP
};
static const struct gpudbg_op ops75[ROWS75] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) \
    IN75_##gens(ROW(75, id, code7, LAYOUT(L7_##shape), list, bits, doc, "Haswell, EU_OPCODE") COMMA)
#include "ops.def"
#undef OP
};
static const struct gpudbg_op ops12[ROWS12] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) \
    IN12_##gens(ROW(12, id, code12, LAYOUT(g12_CTRL), list, bits, doc, "DG1, EU_OPCODE") COMMA)
#include "ops.def"
#undef OP
};

static const uint8_t rows7[128] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN7_##gens([code7] = ROW7_##id + 1 COMMA)
#include "ops.def"
#undef OP
};
static const uint8_t rows75[128] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN75_##gens([code7] = ROW75_##id + 1 COMMA)
#include "ops.def"
#undef OP
};
static const uint8_t rows12[128] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN12_##gens([code12] = ROW12_##id + 1 COMMA)
#include "ops.def"
#undef OP
};

static const uint8_t op_of7[ROWS7] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN7_##gens(GEN_OP_##id COMMA)
#include "ops.def"
#undef OP
};
static const uint8_t op_of75[ROWS75] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN75_##gens(GEN_OP_##id COMMA)
#include "ops.def"
#undef OP
};
static const uint8_t op_of12[ROWS12] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) IN12_##gens(GEN_OP_##id COMMA)
#include "ops.def"
#undef OP
};

const uint8_t gen_shapes[GEN_OPS] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) [GEN_OP_##id] = GEN_##shape,
#include "ops.def"
#undef OP
};

static const bool logic[GEN_OPS] = {
#define OP(gens, id, code7, code12, shape, bits, list, doc) [GEN_OP_##id] = ((bits) & LOGIC) != 0,
#include "ops.def"
#undef OP
};

bool gen_is_logic(enum gen_op op)
{
    return logic[op];
}

const struct gen_set gen_sets[GEN_VERSIONS] = {
    [GEN7] = {GEN7, &gen7_isa, ops7, rows7, op_of7},
    [GEN75] = {GEN75, &gen75_isa, ops75, rows75, op_of75},
    [GEN12] = {GEN12, &gen12_isa, ops12, rows12, op_of12},
};

enum gen_version gen_version_of(const struct gpudbg_isa *isa)
{
    return isa == &gen12_isa ? GEN12 : isa == &gen75_isa ? GEN75 : GEN7;
}

enum gen_op gen_op_of(const struct gpudbg_op *op)
{
    if (op >= ops12 && op < ops12 + ROWS12) return op_of12[op->id];
    return op >= ops75 && op < ops75 + ROWS75 ? op_of75[op->id] : op_of7[op->id];
}

/* ---- Formats of the sets ---- */

#define SHOW(layout) &gen_layouts[GEN_L_##layout],
#define DESC(layout) &gen_descriptors[GEN_##layout],
#define DESCRIPTORS \
    DESC(d_OTHER) DESC(d_GATEWAY) DESC(d_URB) DESC(d_SPAWNER) DESC(d_OWORDS) DESC(d_DUAL) DESC(d_DWORDS) DESC(d_BYTES) \
    DESC(d_UNTYPED) DESC(d_ATOMIC) DESC(d_TYPED_ATOMIC) DESC(d_FENCE) DESC(d_TYPED) DESC(d_TARGET) DESC(d_PORT) \
    DESC(d_VME) DESC(d_CRE) DESC(d_INTERPOLATOR)
#define ARF(layout) &gen_arf_formats[GEN_ARF_##layout],
const struct gpudbg_format *const gen7_formats[] = {
    SHOW(g7_NONE) SHOW(g7_CTRL) SHOW(g7_MATH) SHOW(g7_SEND) SHOW(g7_BARE) SHOW(g7_DST) SHOW(g7_DSTI) SHOW(g7_DST16) SHOW(g7_DST16I) SHOW(g7_FLOW) SHOW(g7_NODST)
    SHOW(g7_SRC0) SHOW(g7_SRC0I) SHOW(g7_SRC016) SHOW(g7_SRC016I) SHOW(g7_NOSRC0) SHOW(g7_NOTHING2)
    SHOW(g7_SRC1) SHOW(g7_SRC1I) SHOW(g7_SRC116) SHOW(g7_SRC116I) SHOW(g7_NOTHING3) SHOW(g7_IMM) SHOW(g7_IMM64)
    SHOW(g7_JIP_UIP) SHOW(g7_JIP) SHOW(g7_JIP32) SHOW(g7_DESC_REG) SHOW(g7_TER1) SHOW(g7_TER2)
    SHOW(c7_REG) SHOW(c7_IMM) SHOW(c7_NONE) SHOW(g7_UNKNOWN) DESCRIPTORS DESC(d_SAMPLER) DESC(d_SCRATCH) DESC(d_MEDIA)
    ARF(a7) ARF(sr0) ARF(cr7) ARF(n0) ARF(ip) ARF(tdr) ARF(tm0) ARF(flag) ARF(ce) ARF(acc) ARF(sp) NULL,
};
const struct gpudbg_format *const gen12_formats[] = {
    SHOW(g12_NONE) SHOW(g12_CTRL) SHOW(g12_DST) SHOW(g12_DSTI) SHOW(g12_NODST) SHOW(g12_SRC0) SHOW(g12_SRC0I) SHOW(g12_NOSRC0) SHOW(g12_NOREG0)
    SHOW(g12_COND) SHOW(g12_MATH) SHOW(g12_SYNC) SHOW(g12_NOCOND) SHOW(g12_SRC1) SHOW(g12_SRC1I) SHOW(g12_NOSRC1)
    SHOW(g12_IMM) SHOW(g12_IMM64) SHOW(g12_TER1) SHOW(g12_TER2) SHOW(g12_TER2_IMM) SHOW(g12_TER3) SHOW(g12_TER3_IMM)
    SHOW(g12_SEND) SHOW(g12_SEND_D) SHOW(g12_SEND_X) SHOW(g12_SEND_DX)
    SHOW(g12_BRANCH) SHOW(g12_CALL) SHOW(g12_UIP) SHOW(g12_NOUIP) SHOW(g12_TARGET) SHOW(g12_JIP)
    SHOW(c12_REG) SHOW(c12_IMM) SHOW(c12_TER) SHOW(c12_NONE) SHOW(g12_UNKNOWN)
    DESCRIPTORS DESC(d_SAMPLER12) DESC(d_SCRATCH12) DESC(d_A64) DESC(d_A64_ATOMIC) DESC(d_A64_BLOCK) DESC(d_FLOAT_ATOMIC) DESC(d_URB12)
    ARF(a12) ARF(sr0) ARF(cr12) ARF(n0) ARF(ip) ARF(tdr) ARF(tm0) ARF(flag) ARF(ce) ARF(acc) ARF(sp) NULL,
};

/* ---- The descriptors ---- */

static const char *const aliases7[] = {"ivb", "ivybridge", NULL};
static const char *const aliases75[] = {"hsw", "haswell", "7p5", NULL};
static const char *const aliases12[] = {"dg1", "tgl", "tigerlake", "xelp", "12p1", NULL};
static const char *const prm_first[] = {"prm", "iga", NULL};
static const char *const iga_first[] = {"iga", "prm", NULL};

#define ISA(id, the_name, other, words, first, table, count, names, words_of, registers, saved) \
    const struct gpudbg_isa id = { \
        .name = the_name, .aliases = other, .title = words, .syntaxes = first, .align = 8, .lanes = 32, .ops = table, .nops = count, \
        .enums = names, .formats = words_of, .files = registers, .nfiles = GEN_FILES, .decode = gen_decode, .text = gen_text, \
        .operand_text = gen_operand_text, .program = gen_program, .skim = gen_skim, .printer = gen_printer, .print = gen_print, .comment = "//", .run = &gen_runner, \
        .footprints = gen_footprints, .problems = gen_problems, .waits = gen_waits, \
        .dumped = &saved, \
    };
ISA(gen7_isa, "gen7", aliases7, "Intel Gen7 (Ivy Bridge)", prm_first, ops7, ROWS7, gen7_enums, gen7_formats, gen7_files, gen7_dumped)
ISA(gen75_isa, "gen7.5", aliases75, "Intel Gen7.5 (Haswell)", prm_first, ops75, ROWS75, gen7_enums, gen7_formats, gen7_files, gen7_dumped)
ISA(gen12_isa, "gen12", aliases12, "Intel Gen12 (Xe-LP: Tiger Lake, DG1)", iga_first, ops12, ROWS12, gen12_enums, gen12_formats, gen12_files, gen12_dumped)

static const struct gpudbg_loader *const loaders[] = {&gen_zebin_loader, &gen_patch_loader, NULL};
static const struct gpudbg_checker *const checkers[] = {&gen_regions_checker, &gen_bounds_checker, &gen_scoreboard_checker, NULL};
static const struct gpudbg_listing *const listings[] = {&gen_payload_listing, &gen_scoreboard_listing, &gen_messages, &gen_channels_listing, NULL};
static const struct gpudbg_isa *const isas[] = {&gen7_isa, &gen75_isa, &gen12_isa, &batch7_isa, &batch75_isa, &batch12_isa, NULL};

const struct gpudbg_plugin gen_plugin;
const struct gpudbg_plugin gen_plugin = {
    .abi = GPUDBG_ABI,
    .size = sizeof gen_plugin,
    .name = "gen",
    .version = GPUDBG_VERSION,
    .summary = "Intel EU: Ivy Bridge, Haswell, Xe-LP",
    .isas = isas,
    .loaders = loaders,
    .checkers = checkers,
    .listings = listings,
};
