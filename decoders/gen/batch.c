/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch.c: decoding commands of rings and batch buffers.
 *
 *     31 29 28     23 22        8 7      0
 *       0   OPCODE      flags     LENGTH     MI: opcodes below 0x10 are one dword
 *       2   CLIENT 28:22          LENGTH     blits
 *       3   PIPE OPCODE SUBOPCODE LENGTH     28:16; pipe 1 is one dword, media commands have a length of 16 bits
 *
 * LENGTH + 2 dwords in all.  MI_LOAD_REGISTER_IMM has an operand of the file "mmio" for each register: `reg` its dword index,
 * `imm` the byte of the command where the value stands.  MI_BATCH_BUFFER_START has one of kind CODE.
 */
#include "batch.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BATCH_LRI = GPUDBG_OP_OWN, BATCH_START = GPUDBG_OP_OWN << 1, BATCH_SINGLE = GPUDBG_OP_OWN << 2, BATCH_MEDIA = GPUDBG_OP_OWN << 3 };
#define MI_SINGLE 0x10 /* opcodes below have no length */

/* ---- Layouts ---- */

static const struct gpudbg_value topology_values[] = {
#define TOPOLOGIES
#include "batch.def"
#undef TOPOLOGIES
};
static const struct gpudbg_enum topology_enum = {.name = "3D_Prim_Topo_Type", .source = "Haswell and DG1 PRM, enumerations",
    .values = topology_values, .count = sizeof topology_values / sizeof *topology_values};
static const struct gpudbg_value post_sync_values[] = {
    {0, "no write", NULL}, {1, "write a constant", NULL}, {2, "write PS_DEPTH_COUNT", NULL}, {3, "write the timestamp", NULL}};
static const struct gpudbg_enum post_sync_enum = {.name = "post_sync", .source = "PRM, PIPE_CONTROL", .values = post_sync_values, .count = 4};
static const struct gpudbg_value simd_values[] = {{0, "SIMD8", NULL}, {1, "SIMD16", NULL}, {2, "SIMD32", NULL}, {3, "reserved 3", NULL}};
static const struct gpudbg_enum simd_enum = {.name = "simd_size", .source = "PRM, GPGPU_WALKER", .values = simd_values, .count = 4};
static const struct gpudbg_enum *const enums[] = {&post_sync_enum, &simd_enum, NULL};

static int say_length(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "%" PRIu64 " dwords in all", value + 2);
}

#define FIELD(name_, lo_, len_, kind_, say_, doc_) {.name = name_, .run = {{lo_, len_}}, .kind = GPUDBG_##kind_, .describe = say_, .doc = doc_}
#define HEADER(id, title, type, ...) \
    static const struct gpudbg_field id##_fields[] = {__VA_ARGS__, FIELD("type", 29, 3, UINT, NULL, "which unit takes it")}; \
    static const struct gpudbg_format id = {.name = title, .source = "PRM, command headers", .doc = "header of a command", .bits = 32, \
        .mask = {0xe0000000}, .match = {(uint64_t)type << 29}, .fields = id##_fields, .count = sizeof id##_fields / sizeof *id##_fields}
HEADER(mi, "MI", 0, FIELD("length", 0, 8, UINT, say_length, "dwords in all, minus two"), FIELD("flags", 8, 15, POINTER, NULL, "by command"),
    FIELD("opcode", 23, 6, OPCODE, NULL, "what the command does"));
HEADER(mi1, "MI1", 0, FIELD("flags", 0, 23, POINTER, NULL, "by command"), FIELD("opcode", 23, 6, OPCODE, NULL, "what the command does"));
HEADER(blt, "BLT", 2, FIELD("length", 0, 8, UINT, say_length, "dwords in all, minus two"), FIELD("flags", 8, 14, POINTER, NULL, "by command"),
    FIELD("opcode", 22, 7, OPCODE, NULL, "what the command does"));
HEADER(d3, "3D", 3, FIELD("length", 0, 8, UINT, say_length, "dwords in all, minus two"), FIELD("flags", 8, 8, POINTER, NULL, "by command"),
    FIELD("opcode", 16, 13, OPCODE, NULL, "pipe, opcode and subopcode"));
HEADER(d31, "3D1", 3, FIELD("flags", 0, 16, POINTER, NULL, "by command"), FIELD("opcode", 16, 13, OPCODE, NULL, "pipe, opcode and subopcode"));
HEADER(media, "MEDIA", 3, FIELD("length", 0, 16, UINT, say_length, "dwords in all, minus two"),
    FIELD("opcode", 16, 13, OPCODE, NULL, "pipe, opcode and subopcode"));
static const struct gpudbg_format *const formats[] = {&mi, &mi1, &blt, &d3, &d31, &media, NULL};
#define FORMAT_MI(code, flags) ((code) < MI_SINGLE ? &mi1 : &mi)
#define FORMAT_BLT(code, flags) &blt
#define FORMAT_D3(code, flags) ((flags) & BATCH_SINGLE ? &d31 : (flags) & BATCH_MEDIA ? &media : &d3)

#define F(name_, hi_, lo_, kind_) {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_##kind_},
#define E(name_, hi_, lo_, enum_) {.name = #name_, .run = {{lo_, hi_ - lo_ + 1}}, .kind = GPUDBG_ENUM, .meaning = &enum_##_enum},
#define WORD(id, ...) static const struct gpudbg_field fields_##id[] = {__VA_ARGS__}; \
    static const struct gpudbg_format word_##id = {.name = #id, .source = "PRM, commands", .doc = "dword of a command", .bits = 32, \
        .fields = fields_##id, .count = sizeof fields_##id / sizeof *fields_##id};
#include "batch.def"
#undef F
#undef E

#define WORDS_MOST 16
#define LIST1(a) &word_##a
#define LIST2(a, ...) &word_##a, LIST1(__VA_ARGS__)
#define LIST3(a, ...) &word_##a, LIST2(__VA_ARGS__)
#define LIST4(a, ...) &word_##a, LIST3(__VA_ARGS__)
#define LIST5(a, ...) &word_##a, LIST4(__VA_ARGS__)
#define LIST6(a, ...) &word_##a, LIST5(__VA_ARGS__)
#define LIST7(a, ...) &word_##a, LIST6(__VA_ARGS__)
#define LIST8(a, ...) &word_##a, LIST7(__VA_ARGS__)
#define LIST9(a, ...) &word_##a, LIST8(__VA_ARGS__)
#define LIST10(a, ...) &word_##a, LIST9(__VA_ARGS__)
#define LIST11(a, ...) &word_##a, LIST10(__VA_ARGS__)
#define LIST12(a, ...) &word_##a, LIST11(__VA_ARGS__)
#define LIST13(a, ...) &word_##a, LIST12(__VA_ARGS__)
#define LIST14(a, ...) &word_##a, LIST13(__VA_ARGS__)
#define LIST_OF(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, _13, _14, list, ...) list
#define LIST(...) \
    LIST_OF(__VA_ARGS__, LIST14, LIST13, LIST12, LIST11, LIST10, LIST9, LIST8, LIST7, LIST6, LIST5, LIST4, LIST3, LIST2, LIST1, )(__VA_ARGS__)

/* ---- Rows: one table a generation, of the rows that it has ---- */

#define IF_0(...)
#define IF_1(...) __VA_ARGS__
#define IF__(n) IF_##n
#define IF_(n) IF__(n)
#define OF7(a, b, c) a
#define OF75(a, b, c) b
#define OF12(a, b, c) c

#define ROW(g, kind_, code_, name_, flags_, doc_) \
    [g##_##name_] = {.name = #name_, .operands = "payload", .id = g##_##name_, .code = code_, .format = FORMAT_##kind_(code_, flags_), \
        .flags = (flags_), .doc = doc_ ".", .source = "PRM, commands"},

/* The three tables differ only in which column of a row decides. */
enum {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF7 in_)(G7_##name_,)
#include "batch.def"
    OPS7
};
static const struct gpudbg_op rows7[OPS7] = {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF7 in_)(ROW(G7, kind_, code_, name_, flags_, doc_))
#include "batch.def"
};
static const struct gpudbg_format *const words7[OPS7][WORDS_MOST] = {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF7 in_)([G7_##name_] = {LIST words_},)
#include "batch.def"
};

enum {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF75 in_)(G75_##name_,)
#include "batch.def"
    OPS75
};
static const struct gpudbg_op rows75[OPS75] = {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF75 in_)(ROW(G75, kind_, code_, name_, flags_, doc_))
#include "batch.def"
};
static const struct gpudbg_format *const words75[OPS75][WORDS_MOST] = {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF75 in_)([G75_##name_] = {LIST words_},)
#include "batch.def"
};

enum {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF12 in_)(G12_##name_,)
#include "batch.def"
    OPS12
};
static const struct gpudbg_op rows12[OPS12] = {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF12 in_)(ROW(G12, kind_, code_, name_, flags_, doc_))
#include "batch.def"
};
static const struct gpudbg_format *const words12[OPS12][WORDS_MOST] = {
#define COMMAND(kind_, in_, code_, name_, words_, flags_, doc_) IF_(OF12 in_)([G12_##name_] = {LIST words_},)
#include "batch.def"
};

/* ---- Decoding ---- */

typedef const struct gpudbg_format *const layouts[WORDS_MOST];

static layouts *words_of(const struct gpudbg_isa *isa)
{
    return isa == &batch7_isa ? words7 : isa == &batch75_isa ? words75 : words12;
}

static uint32_t dword(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static const struct gpudbg_op *op_of(const struct gpudbg_isa *isa, uint32_t header)
{
    const unsigned type = header >> 29;
    const unsigned code = type == 0 ? header >> 23 & 0x3f : type == 2 ? header >> 22 & 0x7f : header >> 16 & 0x1fff;
    if (type != 0 && type != 2 && type != 3)
        return NULL;
    for (size_t i = 0; i < isa->nops; i++)
        if (isa->ops[i].code == code && isa->ops[i].format->match[0] == (uint64_t)type << 29)
            return &isa->ops[i];
    return NULL;
}

/* Dwords of a command, by the shape of its header alone: unknown ones can be passed over. */
static unsigned length_of(const struct gpudbg_op *op, uint32_t header)
{
    if (op->format == &mi1 || op->format == &d31)
        return 1;
    return (header & (op->format == &media ? 0xffff : 0xff)) + 2;
}

static void add_parts(struct gpudbg_insn *out, unsigned payload)
{
    const struct gpudbg_format *const *layout = words_of(out->isa)[out->op->id];
    unsigned at = 0;
    while (at < payload && at < WORDS_MOST && layout[at]) {
        const bool last = at + 1 == WORDS_MOST || !layout[at + 1];
        const bool repeats = last && layout[at] == &word_DATA;
        out->parts[out->nparts++] = (struct gpudbg_part){.format = layout[at], .bit = 32 * (at + 1), .count = repeats ? payload - at : 1};
        at = repeats ? payload : at + 1;
    }
    if (at < payload)
        out->parts[out->nparts++] = (struct gpudbg_part){.format = &word_DATA, .bit = 32 * (at + 1), .count = payload - at};
}

static void add_operands(struct gpudbg_insn *out, const uint8_t *p, unsigned payload)
{
    if (out->op->flags & BATCH_LRI) {
        for (unsigned at = 0; at + 1 < payload && out->noperands < GPUDBG_OPERANDS; at += 2) {
            const uint32_t offset = dword(p + 4 + 4 * at) & 0x7ffffc;
            if (offset < 0x3fffc)
                out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_REGISTER, .flags = GPUDBG_WRITE | GPUDBG_IMPLICIT,
                    .index = -1, .reg = (uint16_t)(offset / 4), .count = 1, .imm = 8 + 4 * (int64_t)at};
        }
    } else if ((out->op->flags & BATCH_START) && payload) {
        const uint64_t high = payload > 1 && out->isa == &batch12_isa ? dword(p + 8) & 0xffff : 0;
        out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_CODE, .flags = GPUDBG_IMPLICIT, .index = -1,
            .imm = (int64_t)((dword(p + 4) & ~UINT32_C(3)) | high << 32)};
    }
}

static int decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    if (n < 4)
        return GPUDBG_SHORT;
    const uint32_t header = dword(p);
    const struct gpudbg_op *op = op_of(isa, header);
    *out = (struct gpudbg_insn){.addr = addr, .isa = isa, .raw = p, .size = 4, .nparts = 1, .parts = {{.format = &mi1, .count = 1}}};
    if (!op)
        return GPUDBG_ILLEGAL;
    const unsigned dwords = length_of(op, header);
    if (4 * (size_t)dwords > n)
        return GPUDBG_SHORT;
    out->op = op;
    out->parts[0].format = op->format;
    out->size = 4 * dwords;
    add_parts(out, dwords - 1);
    add_operands(out, p, dwords - 1);
    return (int)out->size;
}

/* ---- Text ---- */

static int operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    if (o->kind == GPUDBG_CODE)
        return snprintf(buf, size, "batch 0x%" PRIx64, (uint64_t)o->imm);
    return snprintf(buf, size, "register 0x%05x", o->reg * 4u);
}

static bool append(char *text, size_t room, size_t *n, const char *fmt, ...) GPUDBG_PRINTF(4, 5);
static bool append(char *text, size_t room, size_t *n, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int more = vsnprintf(text + *n, room - *n, fmt, args);
    va_end(args);
    if (more < 0 || (size_t)more >= room - *n) {
        text[*n] = 0;
        return false;
    }
    *n += (size_t)more;
    return true;
}

/* "3DPRIMITIVE topology=3DPRIM_TRILIST vertex_count=3": flags only where set, at most eight dwords of data. */
static int text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names, char *buf,
    size_t size)
{
    char line[1024], meaning[256];
    size_t n = 0;
    struct gpudbg_field_iter it;
    unsigned data = 0;
    (void)syntax;
    (void)names;
    if (!insn->op || style == GPUDBG_ASSEMBLER)
        return -1;
    append(line, sizeof line, &n, "%s", insn->op->name);
    for (gpudbg_insn_fields(&it, insn); gpudbg_next_field(&it);) {
        const bool header = it.bit == 0;
        if (strcmp(it.field->name, "-") == 0 || (it.field->kind == GPUDBG_FLAG && !it.value))
            continue;
        if (header) {
            if (strcmp(it.field->name, "flags") == 0 && it.value)
                append(line, sizeof line, &n, " flags=0x%" PRIx64, it.value);
        } else if (it.format == &word_DATA) {
            if (++data <= 8)
                append(line, sizeof line, &n, " 0x%" PRIx64, it.value);
        } else if (it.field->kind == GPUDBG_FLAG) {
            append(line, sizeof line, &n, " %s", it.field->name);
        } else {
            gpudbg_field_meaning(it.field, insn, it.value, meaning, sizeof meaning);
            append(line, sizeof line, &n, " %s=%s", it.field->name, meaning);
        }
    }
    if (data > 8)
        append(line, sizeof line, &n, " and %u more", data - 8);
    return snprintf(buf, size, "%s", line);
}

/* ---- The instruction sets ---- */

static const char *const syntaxes[] = {"batch", NULL};
static const struct gpudbg_regfile files[] = {
    {.name = "mmio", .doc = "registers of the chip, by dword index", .count = 0xffff, .bits = 32, .lanes = 1, .indexed = true},
};
#define ISA(id, name_, alias, title_, rows_, ops_) \
    static const char *const id##_aliases[] = {alias, NULL}; \
    const struct gpudbg_isa id##_isa = {.name = name_, .aliases = id##_aliases, .title = title_, .syntaxes = syntaxes, .align = 4, \
        .lanes = 1, .ops = rows_, .nops = ops_, .enums = enums, .formats = formats, .files = files, .nfiles = 1, .decode = decode, \
        .text = text, .operand_text = operand_text}
ISA(batch7, "gen7-batch", "gen7-commands", "Intel Gen7 ring and batch commands", rows7, OPS7);
ISA(batch75, "gen7.5-batch", "gen7.5-commands", "Intel Gen7.5 ring and batch commands", rows75, OPS75);
ISA(batch12, "gen12-batch", "gen12-commands", "Intel Gen12 ring and batch commands", rows12, OPS12);
