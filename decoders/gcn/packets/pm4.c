/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pm4.c: decoding packets of the command processor.
 *
 *     31 30 29      16 15      8 7        2  1  0
 *      3     COUNT     OPCODE    -          S  P      COUNT + 1 dwords follow; 0x3fff: none.  S compute, P predicated
 *      2     -                                        filler
 *      0     COUNT     BASE (15:0)                    COUNT + 1 registers from dword index BASE on
 *
 * A packet that writes registers has an operand of the file "mmio" for each run of them: `reg` is the first register's
 * dword index, `count` how many, `imm` the offset of the first value in the packet, in bytes.
 */
#include "packets/pm4.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "gpudbg/text.h"
#include "gcn.h"

#define PM4_SET (GPUDBG_OP_OWN << 0)
#define PM4_IB (GPUDBG_OP_OWN << 1)
#define PM4_FENCE (GPUDBG_OP_OWN << 2)
#define PM4_WORK (GPUDBG_OP_OWN << 3)   /* a draw, a dispatch */
#define PM4_STATE (GPUDBG_OP_OWN << 4)  /* sets state that is not a register */
#define PM4_LOAD (GPUDBG_OP_OWN << 5)   /* registers from memory */
#define PM4_CHANGE (GPUDBG_OP_OWN << 6) /* registers whose value is not in the packet */
#define PM4_CLEAR (GPUDBG_OP_OWN << 7)  /* all context registers */
#define PM4_WAIT GPUDBG_OP_WAIT
#define PM4_BASE(bytes) ((uint64_t)((bytes) >> 12) << 48) /* of the registers that a packet sets */
#define PM4_BASE_OF(flags) ((uint32_t)((flags) >> 48) << 12)
static_assert(PM4_CLEAR >= GPUDBG_OP_OWN && PM4_CLEAR < PM4_BASE(0x1000), "flags and the base do not overlap");
#define CONTEXT_FIRST 0x28000
#define CONTEXT_BYTES 0x1000
#define ELSEWHERE INT32_MAX /* an operand's value is not in the packet */
#define COUNT_NONE 0x3fff

/* ---- Enumerations ---- */

#define ENUM(id, ...)                                               \
    static const struct gpudbg_value id##_values[] = {__VA_ARGS__}; \
    static const struct gpudbg_enum id##_enum = {                   \
        .name = #id, .source = "cikd.h", .values = id##_values, .count = sizeof id##_values / sizeof *id##_values}
ENUM(source, {0, "DI_SRC_SEL_DMA", NULL}, {1, "DI_SRC_SEL_IMMEDIATE", NULL}, {2, "DI_SRC_SEL_AUTO_INDEX", NULL},
    {3, "reserved 3", NULL});
ENUM(index, {0, "16 bits", NULL}, {1, "32 bits", NULL}, {2, "reserved 2", NULL}, {3, "reserved 3", NULL});
ENUM(function, {0, "always", NULL}, {1, "less", NULL}, {2, "less or equal", NULL}, {3, "equal", NULL},
    {4, "not equal", NULL}, {5, "greater or equal", NULL}, {6, "greater", NULL}, {7, "reserved 7", NULL});
ENUM(space, {0, "register", NULL}, {1, "memory", NULL});
ENUM(operation, {0, "wait", NULL}, {1, "write, wait, write", NULL}, {2, "reserved 2", NULL}, {3, "reserved 3", NULL});
ENUM(wait_engine, {0, "ME", NULL}, {1, "PFP", NULL});
ENUM(engine, {0, "ME", NULL}, {1, "PFP", NULL}, {2, "CE", NULL}, {3, "DE", NULL});
ENUM(destination, {0, "register", NULL}, {1, "memory (synchronous)", NULL}, {2, "L2 cache", NULL}, {3, "GDS", NULL},
    {4, "reserved 4", NULL}, {5, "memory", NULL});
ENUM(semaphore, {6, "signal", NULL}, {7, "wait", NULL});
ENUM(interrupt, {0, "none", NULL}, {1, "always", NULL}, {2, "when the write is confirmed", NULL},
    {3, "reserved 3", NULL});
ENUM(data, {0, "discard", NULL}, {1, "low 32 bits", NULL}, {2, "64 bits", NULL}, {3, "clock counter", NULL},
    {4, "performance counter", NULL});
/* VGT_EVENT_INITIATOR of the register guide. */
ENUM(event, {1, "SAMPLE_STREAMOUTSTATS1", NULL}, {2, "SAMPLE_STREAMOUTSTATS2", NULL},
    {3, "SAMPLE_STREAMOUTSTATS3", NULL}, {4, "CACHE_FLUSH_TS", NULL}, {5, "CONTEXT_DONE", NULL},
    {6, "CACHE_FLUSH", NULL}, {7, "CS_PARTIAL_FLUSH", NULL}, {8, "VGT_STREAMOUT_SYNC", NULL},
    {10, "VGT_STREAMOUT_RESET", NULL}, {11, "END_OF_PIPE_INCR_DE", NULL}, {12, "END_OF_PIPE_IB_END", NULL},
    {13, "RST_PIX_CNT", NULL}, {15, "VS_PARTIAL_FLUSH", NULL}, {16, "PS_PARTIAL_FLUSH", NULL},
    {17, "FLUSH_HS_OUTPUT", NULL}, {18, "FLUSH_LS_OUTPUT", NULL}, {20, "CACHE_FLUSH_AND_INV_TS_EVENT", NULL},
    {21, "ZPASS_DONE", NULL}, {22, "CACHE_FLUSH_AND_INV_EVENT", NULL}, {23, "PERFCOUNTER_START", NULL},
    {24, "PERFCOUNTER_STOP", NULL}, {25, "PIPELINESTAT_START", NULL}, {26, "PIPELINESTAT_STOP", NULL},
    {27, "PERFCOUNTER_SAMPLE", NULL}, {28, "FLUSH_ES_OUTPUT", NULL}, {29, "FLUSH_GS_OUTPUT", NULL},
    {30, "SAMPLE_PIPELINESTAT", NULL}, {31, "SO_VGTSTREAMOUT_FLUSH", NULL}, {32, "SAMPLE_STREAMOUTSTATS", NULL},
    {33, "RESET_VTX_CNT", NULL}, {36, "VGT_FLUSH", NULL}, {39, "SC_SEND_DB_VPZ", NULL}, {40, "BOTTOM_OF_PIPE_TS", NULL},
    {42, "DB_CACHE_FLUSH_AND_INV", NULL}, {43, "FLUSH_AND_INV_DB_DATA_TS", NULL}, {44, "FLUSH_AND_INV_DB_META", NULL},
    {45, "FLUSH_AND_INV_CB_DATA_TS", NULL}, {46, "FLUSH_AND_INV_CB_META", NULL}, {47, "CS_DONE", NULL},
    {48, "PS_DONE", NULL}, {49, "FLUSH_AND_INV_CB_PIXEL_DATA", NULL}, {51, "THREAD_TRACE_START", NULL},
    {52, "THREAD_TRACE_STOP", NULL}, {54, "THREAD_TRACE_FLUSH", NULL}, {55, "THREAD_TRACE_FINISH", NULL},
    {56, "PIXEL_PIPE_STAT_CONTROL", NULL}, {57, "PIXEL_PIPE_STAT_DUMP", NULL}, {58, "PIXEL_PIPE_STAT_RESET", NULL});
/* VGT_EVENT_TYPE of Mesa's gfx10.json. */
ENUM(event_10, {1, "SAMPLE_STREAMOUTSTATS1", NULL}, {2, "SAMPLE_STREAMOUTSTATS2", NULL},
    {3, "SAMPLE_STREAMOUTSTATS3", NULL}, {4, "CACHE_FLUSH_TS", NULL}, {5, "CONTEXT_DONE", NULL},
    {6, "CACHE_FLUSH", NULL}, {7, "CS_PARTIAL_FLUSH", NULL}, {8, "VGT_STREAMOUT_SYNC", NULL}, {9, "SET_FE_ID", NULL},
    {10, "VGT_STREAMOUT_RESET", NULL}, {11, "END_OF_PIPE_INCR_DE", NULL}, {12, "END_OF_PIPE_IB_END", NULL},
    {13, "RST_PIX_CNT", NULL}, {14, "BREAK_BATCH", NULL}, {15, "VS_PARTIAL_FLUSH", NULL},
    {16, "PS_PARTIAL_FLUSH", NULL}, {17, "FLUSH_HS_OUTPUT", NULL}, {18, "FLUSH_DFSM", NULL},
    {19, "RESET_TO_LOWEST_VGT", NULL}, {20, "CACHE_FLUSH_AND_INV_TS_EVENT", NULL}, {21, "ZPASS_DONE", NULL},
    {22, "CACHE_FLUSH_AND_INV_EVENT", NULL}, {23, "PERFCOUNTER_START", NULL}, {24, "PERFCOUNTER_STOP", NULL},
    {25, "PIPELINESTAT_START", NULL}, {26, "PIPELINESTAT_STOP", NULL}, {27, "PERFCOUNTER_SAMPLE", NULL},
    {28, "FLUSH_ES_OUTPUT", NULL}, {29, "BIN_CONF_OVERRIDE_CHECK", NULL}, {30, "SAMPLE_PIPELINESTAT", NULL},
    {31, "SO_VGTSTREAMOUT_FLUSH", NULL}, {32, "SAMPLE_STREAMOUTSTATS", NULL}, {33, "RESET_VTX_CNT", NULL},
    {34, "BLOCK_CONTEXT_DONE", NULL}, {35, "CS_CONTEXT_DONE", NULL}, {36, "VGT_FLUSH", NULL},
    {37, "TGID_ROLLOVER", NULL}, {38, "SQ_NON_EVENT", NULL}, {39, "SC_SEND_DB_VPZ", NULL},
    {40, "BOTTOM_OF_PIPE_TS", NULL}, {41, "FLUSH_SX_TS", NULL}, {42, "DB_CACHE_FLUSH_AND_INV", NULL},
    {43, "FLUSH_AND_INV_DB_DATA_TS", NULL}, {44, "FLUSH_AND_INV_DB_META", NULL}, {45, "FLUSH_AND_INV_CB_DATA_TS", NULL},
    {46, "FLUSH_AND_INV_CB_META", NULL}, {47, "CS_DONE", NULL}, {48, "PS_DONE", NULL},
    {49, "FLUSH_AND_INV_CB_PIXEL_DATA", NULL}, {50, "SX_CB_RAT_ACK_REQUEST", NULL}, {51, "THREAD_TRACE_START", NULL},
    {52, "THREAD_TRACE_STOP", NULL}, {53, "THREAD_TRACE_MARKER", NULL}, {54, "THREAD_TRACE_DRAW", NULL},
    {55, "THREAD_TRACE_FINISH", NULL}, {56, "PIXEL_PIPE_STAT_CONTROL", NULL}, {57, "PIXEL_PIPE_STAT_DUMP", NULL},
    {58, "PIXEL_PIPE_STAT_RESET", NULL}, {59, "CONTEXT_SUSPEND", NULL}, {60, "OFFCHIP_HS_DEALLOC", NULL},
    {61, "ENABLE_NGG_PIPELINE", NULL}, {62, "ENABLE_LEGACY_PIPELINE", NULL}, {63, "DRAW_DONE", NULL});
ENUM(gli_inv, {0, "none", NULL}, {1, "all", NULL}, {2, "range", NULL}, {3, "first and last", NULL});
ENUM(gl1_range, {0, "all", NULL}, {1, "reserved 1", NULL}, {2, "range", NULL}, {3, "first and last", NULL});
ENUM(gl2_range, {0, "all", NULL}, {1, "volatile lines", NULL}, {2, "range", NULL}, {3, "first and last", NULL});
ENUM(sequence, {0, "parallel", NULL}, {1, "forward", NULL}, {2, "reverse", NULL}, {3, "reserved 3", NULL});
ENUM(interrupt_10, {0, "none", NULL}, {1, "always", NULL}, {2, "when the write is confirmed", NULL});
ENUM(data_10, {0, "discard", NULL}, {1, "low 32 bits", NULL}, {2, "64 bits", NULL}, {3, "clock counter", NULL},
    {4, "system clock counter", NULL});
ENUM(frame, {0, "begin", NULL}, {1, "end", NULL});
ENUM(unmap, {0, "preempt queues", NULL}, {1, "reset queues", NULL}, {2, "disable a process's queues", NULL},
    {3, "preempt queues, keep them mapped", NULL});
static const struct gpudbg_enum *const enums[] = {&source_enum, &index_enum, &function_enum, &space_enum,
    &wait_engine_enum, &engine_enum, &operation_enum, &destination_enum, &semaphore_enum, &interrupt_enum, &data_enum,
    &event_enum, NULL};
static const struct gpudbg_enum *const enums_10[] = {&source_enum, &index_enum, &function_enum, &space_enum,
    &wait_engine_enum, &engine_enum, &operation_enum, &destination_enum, &semaphore_enum, &interrupt_10_enum,
    &data_10_enum, &event_10_enum, &gli_inv_enum, &gl1_range_enum, &gl2_range_enum, &sequence_enum, &frame_enum,
    &unmap_enum, NULL};

/* ---- Layouts ---- */

static int say_count(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return value == COUNT_NONE ? snprintf(buf, size, "no dword follows")
                               : snprintf(buf, size, "%u dwords follow", (unsigned)value + 1);
}

static int say_engine(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, value ? "compute" : "graphics");
}

static int say_type(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "type %u", (unsigned)value);
}

static int say_base(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "register at byte 0x%x", (unsigned)value * 4);
}

static const struct gpudbg_field header3_fields[] = {
    {.name = "predicate", .run = {{0, 1}}, .kind = GPUDBG_FLAG, .doc = "only if the latest predicate holds"},
    {.name = "shader_type",
        .run = {{1, 1}},
        .kind = GPUDBG_UINT,
        .describe = say_engine,
        .doc = "which pipe the packet is for"},
    {.name = "-", .run = {{2, 6}}, .kind = GPUDBG_MBZ, .doc = "must be zero"},
    {.name = "opcode", .run = {{8, 8}}, .kind = GPUDBG_OPCODE, .doc = "what the packet does"},
    {.name = "count",
        .run = {{16, 14}},
        .kind = GPUDBG_UINT,
        .describe = say_count,
        .doc = "dwords of payload, minus one"},
    {.name = "type", .run = {{30, 2}}, .kind = GPUDBG_UINT, .describe = say_type, .doc = "shape of the header"},
};
static const struct gpudbg_field header2_fields[] = {
    {.name = "filler", .run = {{0, 30}}, .kind = GPUDBG_UINT, .doc = "has no meaning"},
    {.name = "type", .run = {{30, 2}}, .kind = GPUDBG_UINT, .describe = say_type, .doc = "shape of the header"},
};
static const struct gpudbg_field header0_fields[] = {
    {.name = "base",
        .run = {{0, 16}},
        .kind = GPUDBG_UINT,
        .describe = say_base,
        .doc = "first register, as a dword index"},
    {.name = "count", .run = {{16, 14}}, .kind = GPUDBG_UINT, .describe = say_count, .doc = "registers, minus one"},
    {.name = "type", .run = {{30, 2}}, .kind = GPUDBG_UINT, .describe = say_type, .doc = "shape of the header"},
};
#define HEADER(n)                                                         \
    static const struct gpudbg_format header##n = {.name = "PM4_TYPE" #n, \
        .source = "cikd.h",                                               \
        .doc = "header of a type " #n " packet",                          \
        .bits = 32,                                                       \
        .mask = {0xc0000000},                                             \
        .match = {(uint64_t)n << 30},                                     \
        .fields = header##n##_fields,                                     \
        .count = sizeof header##n##_fields / sizeof *header##n##_fields}
HEADER(0);
HEADER(2);
HEADER(3);
static const struct gpudbg_format *const formats[] = {&header3, &header0, &header2, NULL};

#define F(name_, hi_, lo_, kind_) {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_##kind_},
#define E(name_, hi_, lo_, enum_) \
    {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_ENUM, .meaning = &enum_##_enum},
#define WORD(id, ...)                                               \
    static const struct gpudbg_field fields_##id[] = {__VA_ARGS__}; \
    static const struct gpudbg_format word_##id = {.name = #id,     \
        .source = "cikd.h, nvd.h",                                  \
        .doc = "dword of a packet",                                 \
        .bits = 32,                                                 \
        .fields = fields_##id,                                      \
        .count = sizeof fields_##id / sizeof *fields_##id};
#include "packets/pm4.def"
#undef F
#undef E

enum { CI = 1, NV = 2, ALL = 3 }; /* the generations of a row */

/* The layouts of a packet's dwords in order. */
#define WORDS_MOST 12
enum {
#define ROW(id_, sets_, code_, name_, flags_, doc_, ...) OP_##id_,
#include "packets/pm4.def"
    OP_TYPE0,
    OP_TYPE2,
    OPS
};

static const struct gpudbg_format *const words[OPS][WORDS_MOST] = {
#define ROW(id_, sets_, code_, name_, flags_, doc_, ...) [OP_##id_] = {__VA_ARGS__},
#define W(word) &word_##word,
#include "packets/pm4.def"
    [OP_TYPE0] = {&word_DATA},
};

/* Of a WAIT_REG_MEM that writes a register, waits for another and writes again. */
static const struct gpudbg_format *const words_write_wait[] = {
    &word_WAIT, &word_WRITE_REG, &word_REG_ADDR, &word_REFERENCE, &word_MASK, &word_INTERVAL, NULL};

static const struct gpudbg_op ops[OPS] = {
#define ROW(id_, sets_, code_, name_, flags_, doc_, ...) \
    [OP_##id_] = {.name = name_,                         \
        .operands = "payload",                           \
        .id = OP_##id_,                                  \
        .flags = (flags_),                               \
        .doc = doc_ ".",                                 \
        .source = (sets_)&CI ? "cikd.h" : "nvd.h"},
#include "packets/pm4.def"
    [OP_TYPE0] = {.name = "TYPE0",
        .operands = "payload",
        .id = OP_TYPE0,
        .flags = PM4_SET,
        .doc = "writes registers one after another.",
        .source = "cikd.h"},
    [OP_TYPE2] =
        {.name = "TYPE2", .operands = "payload", .id = OP_TYPE2, .doc = "fills one dword.", .source = "cikd.h"},
};

static const struct gpudbg_row rows_7[OPS] = {
#define ROW(id_, sets_, code_, name_, flags_, doc_, ...) [OP_##id_] = {&header3, (sets_)&CI ? code_ : -1},
#include "packets/pm4.def"
    [OP_TYPE0] = {&header0, 0},
    [OP_TYPE2] = {&header2, 0},
};
static const struct gpudbg_row rows_10[OPS] = {
#define ROW(id_, sets_, code_, name_, flags_, doc_, ...) [OP_##id_] = {&header3, (sets_)&NV ? code_ : -1},
#include "packets/pm4.def"
    [OP_TYPE0] = {&header0, 0},
    [OP_TYPE2] = {&header2, 0},
};

/* ---- Decoding ---- */

/* Opcode to row + 1; what a generation lacks is behind the opcodes. */
#define CODES 256
static const uint8_t codes_7[CODES + OPS] = {
#define ROW(id_, sets_, code_, name_, flags_, doc_, ...) [(sets_)&CI ? code_ : CODES + OP_##id_] = OP_##id_ + 1,
#include "packets/pm4.def"
};
static const uint8_t codes_10[CODES + OPS] = {
#define ROW(id_, sets_, code_, name_, flags_, doc_, ...) [(sets_)&NV ? code_ : CODES + OP_##id_] = OP_##id_ + 1,
#include "packets/pm4.def"
};
static_assert(OPS < 255, "a row and 1 fit in a byte");

uint32_t packet_field(const struct gpudbg_format *format, const char *name, uint32_t dword)
{
    size_t i = 0;
    while (i < format->count && strcmp(format->fields[i].name, name) != 0) i++;
    assert(i < format->count);
    const struct gpudbg_run *run = &format->fields[i].run[0];
    return dword >> run->lo & (uint32_t)((UINT64_C(1) << run->len) - 1);
}

static const struct gpudbg_op *op_of(const struct gpudbg_isa *isa, uint32_t header)
{
    switch (packet_field(&header3, "type", header)) {
    case 0: return &ops[OP_TYPE0];
    case 2: return &ops[OP_TYPE2];
    case 1: return NULL;
    }
    const unsigned row = (isa->rows == rows_10 ? codes_10 : codes_7)[packet_field(&header3, "opcode", header)];
    return row ? &ops[row - 1] : NULL;
}

static void add_registers(struct gpudbg_insn *out, uint32_t first, unsigned count, unsigned byte)
{
    if (!count || first > 0xffff || count > 0x10000 - first) return;
    out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_REGISTER,
        .flags = GPUDBG_WRITE | GPUDBG_IMPLICIT,
        .index = -1,
        .reg = (uint16_t)first,
        .count = (uint16_t)(count > 0xffff ? 0xffff : count),
        .imm = byte};
}

static void add_read(struct gpudbg_insn *out, uint32_t reg)
{
    out->operands[out->noperands++] = (struct gpudbg_operand){
        .kind = GPUDBG_REGISTER, .flags = GPUDBG_READ | GPUDBG_IMPLICIT, .index = -1, .reg = (uint16_t)reg, .count = 1};
}

/* Registers that a packet changes. */
static void add_writes(struct gpudbg_insn *out, const uint8_t *p, unsigned payload)
{
    const uint64_t flags = out->op->flags;
    const uint32_t base = PM4_BASE_OF(flags) >> 2;
    const uint32_t first = payload > 1 ? base + packet_field(&word_REG, "offset", le_u32(p + 4)) : 0;
    if (out->op == &ops[OP_TYPE0])
        add_registers(out, packet_field(&header0, "base", le_u32(p)), payload, 4);
    else if ((flags & PM4_SET) && payload > 1)
        add_registers(out, first, payload - 1, 8);
    else if ((flags & PM4_CHANGE) && payload > 1)
        add_registers(out, first, out->op == &ops[OP_SET_SH_REG_OFFSET] ? payload - 1 : 1, ELSEWHERE);
    else if (flags & PM4_CLEAR)
        add_registers(out, CONTEXT_FIRST / 4, CONTEXT_BYTES / 4, ELSEWHERE);
    for (unsigned at = 2; (flags & PM4_LOAD) && at + 1 < payload && out->noperands < GPUDBG_OPERANDS; at += 2)
        add_registers(out, base + packet_field(&word_REG, "offset", le_u32(p + 4 + 4 * at)),
            packet_field(&word_DWORDS, "dwords", le_u32(p + 8 + 4 * at)), ELSEWHERE);
}

static int decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    if (n < 4) return GPUDBG_SHORT;
    const uint32_t header = le_u32(p);
    const unsigned type = packet_field(&header3, "type", header), count = packet_field(&header3, "count", header);
    *out = (struct gpudbg_insn){.addr = addr, .isa = isa, .raw = p, .size = 4, .nparts = 1, .parts = {{.count = 1}}};
    out->parts[0].format = type == 0 ? &header0 : type == 2 ? &header2 : &header3;
    const struct gpudbg_op *op = op_of(isa, header);
    const unsigned payload = type == 1 || type == 2 || (type == 3 && count == COUNT_NONE) ? 0 : count + 1;
    if (!op) { /* the header has the length even if the opcode is not known */
        out->size = 4 * (payload + 1);
        return GPUDBG_ILLEGAL;
    }
    if (4 * ((size_t)payload + 1) > n) return GPUDBG_SHORT;
    out->op = op;
    out->size = 4 * (payload + 1);
    const bool waits = op == &ops[OP_WAIT_REG_MEM] && payload >= 2;
    const bool writes = waits && packet_field(&word_WAIT, "operation", le_u32(p + 4)) == 1;
    gpudbg_packet_parts(out, writes ? words_write_wait : words[op->id], payload, &word_DATA);
    add_writes(out, p, payload);
    if (writes && payload >= 4)
        add_registers(out, packet_field(&word_WRITE_REG, "write_register", le_u32(p + 8)), 1, 16),
            add_read(out, le_u32(p + 12));
    else if (waits && !writes && !packet_field(&word_WAIT, "mem_space", le_u32(p + 4)))
        add_read(out, le_u32(p + 8));
    else if ((op->flags & PM4_IB) && payload >= 2)
        out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_CODE,
            .flags = GPUDBG_IMPLICIT,
            .index = -1,
            .imm = (int64_t)((le_u32(p + 4) & ~UINT32_C(3)) |
                             (uint64_t)packet_field(&word_ADDR_HI, "addr_hi", le_u32(p + 8)) << 32)};
    return (int)out->size;
}

/* ---- State and work of commands, and marks between them ---- */

static bool starts(const struct gpudbg_insn *insn) { return insn->op->flags & PM4_WORK; }

/* State that packets set besides registers is valid until the next packet of its kind; SET_BASE has several kinds. */
static bool setting(const struct gpudbg_insn *insn, unsigned i, struct gpudbg_setting *s)
{
    if (i || !(insn->op->flags & PM4_STATE)) return false;
    *s = (struct gpudbg_setting){.key = (uint32_t)gpudbg_insn_row(insn)->code << 8, .size = insn->size};
    if (insn->op == &ops[OP_SET_BASE] && insn->size >= 8) s->key |= insn->raw[4] & 15u;
    snprintf(s->name, sizeof s->name, "%s", insn->op->name);
    return true;
}

/* Marks are a NOP's payload.  Mesa's trace points are one dword, 0xcafe and a number (ac_debug.h).  Programs of the
 * PlayStation 4 write 0x6875 and a kind, and then text (shadPS4, pm4_cmds.h). */
static bool mark(const struct gpudbg_insn *insn, struct gpudbg_mark *m)
{
    enum { PUSH = 0x68750001, POP, SET, COLOUR_PUSH = 0x6875000e };
    if (insn->op != &ops[OP_NOP] || insn->size < 8) return false;
    const uint32_t word = le_u32(insn->raw + 4);
    *m = (struct gpudbg_mark){.kind = word == POP                           ? GPUDBG_MARK_END
                                      : word == PUSH || word == COLOUR_PUSH ? GPUDBG_MARK_BEGIN
                                                                            : GPUDBG_MARK};
    if (le_u16(insn->raw + 6) == 0xcafe) {
        m->numbered = true;
        m->point = le_u16(insn->raw + 4);
        return insn->size == 8;
    }
    const uint32_t behind = word == COLOUR_PUSH ? 12 : 8;
    if (word != PUSH && word != POP && word != SET && word != COLOUR_PUSH) return false;
    if (word == POP || insn->size <= behind) return true;
    m->text = (const char *)insn->raw + behind;
    m->n = strnlen(m->text, insn->size - behind);
    return true;
}

static const struct gpudbg_commands commands = {.starts = starts, .setting = setting, .mark = mark};

/* ---- Text ---- */

static int operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    if (o->kind == GPUDBG_CODE) return snprintf(buf, size, "buffer 0x%" PRIx64, (uint64_t)o->imm);
    if (o->count > 1)
        return snprintf(buf, size, "registers 0x%05x to 0x%05x", o->reg * 4u, (o->reg + o->count - 1u) * 4u);
    return snprintf(buf, size, "register 0x%05x", o->reg * 4u);
}

/* "DRAW_INDEX_AUTO index_count=6 source_select=DI_SRC_SEL_AUTO_INDEX" */
static int text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style,
    const struct gpudbg_names *names, char *buf, size_t size)
{
    char more[200] = "", operand[80];
    (void)syntax;
    (void)names;
    if (!insn->op || style == GPUDBG_ASSEMBLER) return -1;
    const bool type3 = insn->parts[0].format == &header3;
    struct text t = text_in(more, sizeof more);
    text_add(&t, "%s%s", type3 && insn->raw[0] & 2 ? " compute" : "", type3 && insn->raw[0] & 1 ? " predicated" : "");
    for (unsigned i = 0; i < insn->noperands; i++) {
        if (insn->operands[i].kind != GPUDBG_REGISTER || insn->operands[i].imm >= ELSEWHERE) continue;
        operand_text(insn, i, operand, sizeof operand);
        text_add(&t, "%s %.80s", i + 1 < insn->noperands ? " writes" : "", operand);
    }
    return gpudbg_packet_text(insn, more, false, &word_DATA, insn->noperands ? &word_REG : NULL, buf, size);
}

/* ---- The instruction set ---- */

static const char *const aliases[] = {GCN_FAMILY "-commands", GCN_FAMILY "-packets", NULL};
static const char *const aliases_10[] = {GCN_RDNA_ALIASES, NULL};
static const char *const syntaxes[] = {"pm4", NULL};
const struct gpudbg_regfile pm4_files[] = {
    {.name = "mmio",
        .doc = "registers of the chip, by dword index",
        .count = 0xffff,
        .bits = 32,
        .lanes = 1,
        .indexed = true},
};

#define ISA(name_, title_, rows_, aliases_, enums_)                                                             \
    {                                                                                                           \
        .name = name_, .title = "AMD command processor packets (" title_ ")", .syntaxes = syntaxes, .align = 4, \
        .lanes = 1, .ops = ops, .nops = OPS, .rows = rows_, .formats = formats, .files = pm4_files,             \
        .nfiles = PM4_FILES, .decode = decode, .text = text, .operand_text = operand_text,                      \
        .traits = {.aliases = aliases_, .enums = enums_}, .commands = &commands                                 \
    }
const struct gpudbg_isa pm4_isa = ISA("pm4", "Sea Islands", rows_7, aliases, enums),
                        pm4_10_isa = ISA(GCN_RDNA_PACKETS, "RDNA 1 and 2", rows_10, aliases_10, enums_10);
