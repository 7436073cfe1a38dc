/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * batch.c: decoding commands of rings and batch buffers.
 *
 *     31 29 28     23 22        8 7      0
 *       0   OPCODE      flags     LENGTH     MI: opcodes below 0x10 are one dword
 *       2   CLIENT 28:22          LENGTH     blits
 *       3   PIPE OPCODE SUBOPCODE LENGTH     28:16; pipe 1 is one dword, media commands have a length of 16 bits,
 *                                            GPGPU's of 8
 *       5   OPCODE 28:26          LENGTH     barriers between stages
 *
 * LENGTH + 2 dwords in all; a few lists have a longer one: 9 bits of pipe 3, 10 of MI.  In older generations that of
 * MI has 6 bits: flags begin at bit 6 (i915: MI_BATCH_GTT).  MI_LOAD_REGISTER_IMM has an operand of the file "mmio"
 * for each register: `reg` its dword index, `imm` the byte of the command where the value is.  MI_BATCH_BUFFER_START
 * has one of kind CODE.
 */
#include "packets/batch.h"
#include "packets/batch_state.h"
#include "packets/fields.h"
#include "gpudbg/endian.h"

#define BATCH_LRI (GPUDBG_OP_OWN << 0)
#define BATCH_START (GPUDBG_OP_OWN << 1)
#define BATCH_LIST (GPUDBG_OP_OWN << 2) /* the last layout applies to all following dwords */
#define BATCH_WORK (GPUDBG_OP_OWN << 3) /* a draw, a dispatch */

/* ---- Layouts ---- */

static int say_length(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "%" PRIu64 " dwords in all", value + 2);
}

#define FIELD(name_, lo_, len_, kind_, say_, doc_)                                                 \
    {                                                                                              \
        .name = name_, .run = {{lo_, len_}}, .kind = GPUDBG_##kind_, .describe = say_, .doc = doc_ \
    }
enum {
#define HEADER(id, ...) id,
#include "packets/batch.def"
};
#define HEADER(id, title, type, ...)                   \
    static const struct gpudbg_field header_##id[] = { \
        __VA_ARGS__, FIELD("type", 29, 3, UINT, NULL, "which unit takes it")};
#include "packets/batch.def"
static const struct gpudbg_format headers[] = {
#define HEADER(id, title, type, ...)      \
    [id] = {.name = title,                \
        .source = "PRM, command headers", \
        .doc = "header of a command",     \
        .bits = 32,                       \
        .mask = {0xe0000000},             \
        .match = {(uint64_t)type << 29},  \
        .fields = header_##id,            \
        .count = sizeof header_##id / sizeof *header_##id},
#include "packets/batch.def"
};
static const struct gpudbg_format *const formats[] = {
#define HEADER(id, ...) &headers[id],
#include "packets/batch.def"
    NULL};

#define ENUMERATION(id, name) NAMED_ENUM(id, name)
#define VALUES(id, from, ...) OWN_ENUM(id, from, __VA_ARGS__)
#define FIXED(id, bits, fraction) FIXED_TEXT(id, bits, fraction)
#define LENGTH_OF(bits) FIELD("length", 0, bits, UINT, say_length, "dwords in all, minus two"),
#define LENGTH_FIELD LENGTH_OF(8)
#define LONG(id, bits, ...) FIELDS(id, bits, "PRM, commands", "dwords of a command", __VA_ARGS__)
#define WORD(id, ...) LONG(id, 32, __VA_ARGS__)
#include "packets/batch.def"
static const struct gpudbg_enum *const enums[] = {
#define VALUES(id, ...) &id##_enum,
#include "packets/values.def"
#include "packets/values_video.def"
    NULL};
#undef VALUES

/* ---- Commands, their numbers by generation, and the layouts of their dwords ---- */

enum {
#define COMMAND(header, code, name, ...) B_##name,
#include "packets/batch.def"
    COMMANDS
};
static const struct gpudbg_op commands[COMMANDS] = {
#define COMMAND(header, code, name_, flags_, doc_, ...) \
    {.name = #name_,                                    \
        .operands = "payload",                          \
        .id = B_##name_,                                \
        .flags = (flags_),                              \
        .doc = doc_ ".",                                \
        .source = "PRM, commands"},
#include "packets/batch.def"
};

#define WITH(macro, ...) macro(__VA_ARGS__)
#define ROW_OF(x, id, number, ...) WITH(ROW_IS, id, number, GEN_LIST x)
#define ROW_IS(id, number, name, header, code) \
    [id][B_##name] = {&headers[GEN_AT(number, header)], GEN_AT(number, code)},
#define ROWS(header, code, name, ...)         \
    GEN_EACH_EU(ROW_OF, (name, header, code)) \
    GEN_EACH_COMMANDS(ROW_OF, (name, header, code))
#define NO_ROWS(header, code, name, ...) ROWS(header, (-1), name, )
static const struct gpudbg_row rows[GEN_BATCHES][COMMANDS] = {
#define COMMAND(...) ROWS(__VA_ARGS__)
#define VIDEO(...) NO_ROWS(__VA_ARGS__)
#define ENHANCER(...) NO_ROWS(__VA_ARGS__)
#define SCALER(...) NO_ROWS(__VA_ARGS__)
#include "packets/batch.def"
};
static const struct gpudbg_row video_rows[GEN_BATCHES][COMMANDS] = {
#define COMMAND(...) ROWS(__VA_ARGS__)
#define RENDER(...) NO_ROWS(__VA_ARGS__)
#define ENHANCER(...) NO_ROWS(__VA_ARGS__)
#include "packets/batch.def"
};
static const struct gpudbg_row enhancer_rows[GEN_BATCHES][COMMANDS] = {
#define COMMAND(...) ROWS(__VA_ARGS__)
#define RENDER(...) NO_ROWS(__VA_ARGS__)
#define VIDEO(...) NO_ROWS(__VA_ARGS__)
#include "packets/batch.def"
};

struct dwords {
    struct gen_span in;
    bool headed;
    const struct gpudbg_format *const *words;
};
#define W(word) &word_##word,
#define DWORDS(in, ...) {GEN_##in, false, (const struct gpudbg_format *const[]){__VA_ARGS__ NULL}},
#define HEADED(in, ...) {GEN_##in, true, (const struct gpudbg_format *const[]){__VA_ARGS__ NULL}},
#define COMMAND(header, code, name, flags, doc, ...) static const struct dwords dwords_##name[] = {__VA_ARGS__};
#include "packets/batch.def"
static const struct dwords *const layouts[COMMANDS] = {
#define COMMAND(header, code, name, ...) dwords_##name,
#include "packets/batch.def"
};

/* ---- Decoding ---- */

#define MI_LENGTHS 0x10 /* opcodes of MI below have no length */

static const struct gen_batch *batch_of(const struct gpudbg_isa *isa) { return (const struct gen_batch *)isa; }

static const struct gpudbg_op *op_of(const struct gpudbg_isa *isa, uint32_t header)
{
    const unsigned type = header >> 29;
    const unsigned code = type == 0   ? header >> 23 & 0x3f
                          : type == 2 ? header >> 22 & 0x7f
                          : type == 3 ? header >> 16 & 0x1fff
                                      : header >> 26 & 7;
    if (type != 0 && type != 2 && type != 3 && type != 5) return NULL;
    for (size_t i = 0; i < isa->nops; i++)
        if (isa->rows[i].code == (int32_t)code && isa->rows[i].format->match[0] == (uint64_t)type << 29)
            return &isa->ops[i];
    return NULL;
}

/* The layout of a header, by its type, its pipe and, for MI commands, its opcode; NULL: no command has this type. */
static const struct gpudbg_format *shape_of(uint32_t header)
{
    static const struct gpudbg_format *const pipes[] = {&headers[D3], &headers[D3_ONE], &headers[MEDIA], &headers[D3]};
    switch (header >> 29) {
    case 0: return &headers[(header >> 23 & 0x3f) < MI_LENGTHS ? MI_ONE : MI];
    case 2: return &headers[BLT];
    case 3: return pipes[header >> 27 & 3];
    default: return NULL;
    }
}

/* Dwords of a command, by the shape of its header, whose first field is the length: so unknown ones can be skipped. */
static unsigned length_of(const struct gpudbg_format *shape, uint32_t header)
{
    if (shape == &headers[MI_ONE] || shape == &headers[D3_ONE]) return 1;
    return (header & ((1u << shape->fields[0].run[0].len) - 1)) + 2;
}

static void add_parts(struct gpudbg_insn *out, unsigned payload)
{
    const struct dwords *of = layouts[out->op->id];
    while (!gen_is_in(batch_of(out->isa)->eu, of->in)) of++; /* one row applies, as the command has a number */
    const struct gpudbg_format *const *layout = of->words;
    if (of->headed) out->parts[0].format = *layout++;
    unsigned laid = 0, most = payload;
    if (out->op->flags & BATCH_LIST) {
        for (const struct gpudbg_format *const *word = layout; *word; word++) laid += word[0]->bits / 32;
        if (laid < most) most = laid;
    }
    gpudbg_packet_parts(out, layout, most, &word_DATA);
    if (most < payload)
        out->parts[out->nparts - 1].count = GPUDBG_PART_COUNT(out->parts[out->nparts - 1].count + payload - most);
}

static void add_operands(struct gpudbg_insn *out, const uint8_t *p, unsigned payload)
{
    if (out->op->flags & BATCH_LRI) {
        for (unsigned at = 0; at + 1 < payload && out->noperands < GPUDBG_OPERANDS; at += 2) {
            const uint32_t offset = le_u32(p + 4 + 4 * at) & 0x7ffffc;
            if (offset < 0x3fffc)
                out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_REGISTER,
                    .flags = GPUDBG_WRITE | GPUDBG_IMPLICIT,
                    .index = -1,
                    .reg = (uint16_t)(offset / 4),
                    .count = 1,
                    .imm = 8 + 4 * (int64_t)at};
        }
    } else if ((out->op->flags & BATCH_START) && payload) {
        const uint64_t high = payload > 1 && batch_of(out->isa)->eu->long_batches ? le_u32(p + 8) & 0xffff : 0;
        out->operands[out->noperands++] = (struct gpudbg_operand){.kind = GPUDBG_CODE,
            .flags = GPUDBG_IMPLICIT,
            .index = -1,
            .imm = (int64_t)((le_u32(p + 4) & ~UINT32_C(3)) | high << 32)};
    }
}

static int decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    if (n < 4) return GPUDBG_SHORT;
    const uint32_t header = le_u32(p);
    const struct gpudbg_op *op = op_of(isa, header);
    *out = (struct gpudbg_insn){.addr = addr,
        .isa = isa,
        .raw = p,
        .size = 4,
        .nparts = 1,
        .parts = {{.format = &headers[MI_ONE], .count = 1}}};
    const struct gpudbg_format *shape = op ? isa->rows[op->id].format : shape_of(header);
    if (shape == &headers[MI] && batch_of(isa)->eu->short_lengths) shape = &headers[MI_SHORT];
    const unsigned dwords = shape ? length_of(shape, header) : 1;
    if (!op) {
        out->nparts = shape != NULL;
        out->parts[0].format = shape;
        out->size = 4 * dwords;
        return GPUDBG_ILLEGAL;
    }
    if (4 * (size_t)dwords > n) return GPUDBG_SHORT;
    out->op = op;
    out->parts[0].format = shape;
    out->size = 4 * dwords;
    add_parts(out, dwords - 1);
    add_operands(out, p, dwords - 1);
    return (int)out->size;
}

/* ---- Text ---- */

static int operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    if (o->kind == GPUDBG_CODE) return snprintf(buf, size, "batch 0x%" PRIx64, (uint64_t)o->imm);
    return snprintf(buf, size, "register 0x%05x", o->reg * 4u);
}

static int text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style,
    const struct gpudbg_names *names, char *buf, size_t size)
{
    (void)syntax;
    (void)names;
    return insn->op && style != GPUDBG_ASSEMBLER ? gpudbg_packet_text(insn, "", true, &word_DATA, NULL, buf, size) : -1;
}

/* ---- What commands set and start ---- */

static bool starts(const struct gpudbg_insn *insn) { return insn->op->flags & BATCH_WORK; }

/* Commands of the pipelines set state, except those that flush and wait; vertex buffers and instancing are set one by
 * one, by the number in their first dword. */
static bool setting(const struct gpudbg_insn *insn, unsigned i, struct gpudbg_setting *s)
{
    enum { VERTEX_BUFFERS = 0x1808, VF_INSTANCING = 0x1849, VF_TOPOLOGY = 0x184b, ELEMENT = 16 };
    const struct gpudbg_row *row = gpudbg_insn_row(insn);
    const unsigned code = (unsigned)row->code;
    if (row->format->match[0] >> 29 != 3 || starts(insn) || code == 0x1a00 || code == 0x1004 || code == 3) return false;
    const bool several = code == VERTEX_BUFFERS;
    if (several ? 4 + ELEMENT * (i + 1) > insn->size : i) return false;
    *s = (struct gpudbg_setting){.key = code << 8, .size = insn->size, .says_work = code == VF_TOPOLOGY};
    snprintf(s->name, sizeof s->name, "%s", insn->op->name);
    if (several) {
        s->at = 4 + ELEMENT * i;
        s->size = ELEMENT;
        s->format = insn->nparts > 1 ? insn->parts[1].format : NULL;
        const unsigned buffer = le_u32(insn->raw + s->at) >> 26;
        s->key |= buffer;
        snprintf(s->name, sizeof s->name, "vertex buffer %u", buffer);
    } else if (code == VF_INSTANCING && insn->size >= 8) {
        s->key |= insn->raw[4] & 0x3fu;
    }
    return true;
}

static const char *const heads[] = {"ACTHD", NULL};
static const struct gpudbg_commands work = {.starts = starts, .setting = setting, .heads = heads};

/* ---- The instruction sets ---- */

static const char *const syntaxes[] = {"batch", NULL};
static const struct gpudbg_regfile files[] = {
    {.name = "mmio",
        .doc = "registers of the chip, by dword index",
        .count = 0xffff,
        .bits = 32,
        .lanes = 1,
        .indexed = true},
};
#define EU(x, id, number, name, title, others, first, encoding, idle, batch)        \
    static const char *const aliases_##id[] = {BATCH_ALIAS batch, NULL};            \
    static const char *const video_aliases_##id[] = {name "-video-commands", NULL}; \
    static const char *const enhancer_aliases_##id[] = {name "-enhancer-commands", NULL};
#define BATCH_NAME(name, alias, database, title) name
#define BATCH_ALIAS(name, alias, database, title) alias
#define BATCH_DATABASE(name, alias, database, title) database
#define BATCH_TITLE(name, alias, database, title) title
GEN_EACH_EU(EU, )
GEN_EACH_COMMANDS(EU, )
#undef EU
/* Generations whose code is not read have only what commands ask for: the yes and no of facts.def. */
/* clang-format off */
static const struct gen_eu others[GEN_BATCHES - GEN_EUS] = {
#define EU(x, id, number_, ...) [id - GEN_EUS].number = (number_),
    GEN_EACH_COMMANDS(EU, )
#undef EU
#define FACT_OF(x, id, number, ...) WITH(FACT_IS, id, number, GEN_LIST x)
#define FACT_IS(id, number, name, values) [id - GEN_EUS].name = GEN_AT(number, values),
#define FACT(name, values, ...) GEN_EACH_COMMANDS(FACT_OF, (name, values))
#include "facts.def"
};
/* clang-format on */
#define BATCH(id, eu_, pointing_, batch) \
    BATCH_OF(id, eu_, pointing_, rows, aliases_##id, BATCH_NAME batch, BATCH_TITLE batch, BATCH_DATABASE batch)
#define BATCH_OF(id, eu_, pointing_, rows_, aliases_, name_, title_, database_)     \
    [id] = {.eu = (eu_),                                                            \
        .isa = {.name = name_,                                                      \
            .title = title_,                                                        \
            .syntaxes = syntaxes,                                                   \
            .align = 4,                                                             \
            .lanes = 1,                                                             \
            .ops = commands,                                                        \
            .nops = COMMANDS,                                                       \
            .rows = rows_[id],                                                      \
            .formats = formats,                                                     \
            .files = files,                                                         \
            .nfiles = 1,                                                            \
            .decode = decode,                                                       \
            .text = text,                                                           \
            .operand_text = operand_text,                                           \
            .traits = {.aliases = aliases_, .enums = enums, .database = database_}, \
            .pointing = (pointing_),                                                \
            .commands = &work}},
/* What commands before Gen7 point at is not known. */
#define POINTING(id) (NULL, 70, &gen_pointing[id])
const struct gen_batch gen_batches[GEN_BATCHES] = {
#define EU(x, id, number, name, title, others_, first, encoding, idle, batch) \
    BATCH(id, &gen_eus[id], GEN_AT(number, POINTING(id)), batch)
    GEN_EACH_EU(EU, )
#undef EU
#define EU(x, id, number, name, title, others_, first, encoding, idle, batch) \
    BATCH(id, &others[id - GEN_EUS], GEN_AT(number, POINTING(id)), batch)
        GEN_EACH_COMMANDS(EU, )
#undef EU
};
/* Those of other engines: x is the name of the kind, as streams of dumps have it. */
#define TITLE_video " video ring and batch commands"
#define TITLE_enhancer " video enhancer's ring and batch commands"
#define OWN(x, id, number, name, title, others_, first, encoding, idle, batch)                          \
    BATCH_OF(id, &gen_eus[id], NULL, x##_rows, x##_aliases_##id, name "-" #x "-batch", title TITLE_##x, \
        BATCH_DATABASE batch)
#define OTHER(x, id, number, name, title, others_, first, encoding, idle, batch)                                 \
    BATCH_OF(id, &others[id - GEN_EUS], NULL, x##_rows, x##_aliases_##id, name "-" #x "-batch", title TITLE_##x, \
        BATCH_DATABASE batch)
const struct gen_batch gen_video_batches[GEN_BATCHES] = {GEN_EACH_EU(OWN, video) GEN_EACH_COMMANDS(OTHER, video)};
const struct gen_batch gen_enhancer_batches[GEN_BATCHES] = {
    GEN_EACH_EU(OWN, enhancer) GEN_EACH_COMMANDS(OTHER, enhancer)};
