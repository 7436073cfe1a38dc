/* SPDX-License-Identifier: GPL-3.0-or-later */
/* toy_decode.c: a word as fields, operands and text. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <gpudbg/endian.h>
#include <gpudbg/text.h>
#include "toy.h"

/* ---- Fields ---- */

static int say_register(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "v%" PRIu64, value);
}

static int say_buffer(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "buf%" PRIu64, value);
}

static uint64_t target_of(uint64_t addr, int64_t imm) { return addr + 4 + (uint64_t)imm * 4; }

static int say_target(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    return snprintf(buf, size, "0x%" PRIx64, target_of(insn ? insn->addr : 0, (int16_t)value));
}

#define FIELD(name_, lo_, len_, kind_, describe_, doc_)                                        \
    {                                                                                          \
        .name = name_, .run = {{lo_, len_}}, .kind = kind_, .describe = describe_, .doc = doc_ \
    }
/* Every bit belongs to one field; those that mean nothing are called "-". */
#define LAYOUT(layout, doc_, d_doc, sources, imm)                     \
    static const struct gpudbg_field layout##_fields[] = {            \
        FIELD("op", 28, 4, GPUDBG_OPCODE, NULL, "which instruction"), \
        FIELD("d", 24, 4, GPUDBG_OPERAND, say_register, d_doc),       \
        sources,                                                      \
        imm,                                                          \
    };                                                                \
    static const struct gpudbg_format layout = {.name = #layout,      \
        .source = "plugins/toy/toy.h",                                \
        .doc = doc_,                                                  \
        .bits = 32,                                                   \
        .fields = layout##_fields,                                    \
        .count = sizeof layout##_fields / sizeof *layout##_fields}

#define TWO(a, b) a, b

LAYOUT(ARITHMETIC, "registers to a register", "result",
    TWO(FIELD("a", 20, 4, GPUDBG_OPERAND, say_register, "first source"),
        FIELD("b", 16, 4, GPUDBG_OPERAND, say_register, "second source")),
    FIELD("imm", 0, 16, GPUDBG_SINT, NULL, "constant"));
LAYOUT(MEMORY, "a register and memory", "data",
    TWO(FIELD("a", 20, 4, GPUDBG_OPERAND, say_register, "offset in the buffer, bytes"),
        FIELD("b", 16, 4, GPUDBG_OPERAND, say_buffer, "which buffer")),
    FIELD("imm", 0, 16, GPUDBG_SINT, NULL, "added to the offset"));
LAYOUT(JUMP, "a jump", "counter", FIELD("-", 16, 8, GPUDBG_UINT, NULL, "not used"),
    FIELD("imm", 0, 16, GPUDBG_TARGET, say_target, "words from the next instruction to the target"));

const struct gpudbg_format *const toy_formats[] = {&ARITHMETIC, &MEMORY, &JUMP, NULL};

#define FORMAT_OF(flags) \
    ((flags)&GPUDBG_OP_BRANCH ? &JUMP : (flags) & (GPUDBG_OP_LOAD | GPUDBG_OP_STORE) ? &MEMORY : &ARITHMETIC)

const struct gpudbg_op toy_ops[TOY_OPS] = {
#define OP(toy, toy2, name_, operands_, flags_, doc_, lane) \
    [TOY_##name_] = {.name = #name_,                        \
        .operands = operands_,                              \
        .id = TOY_##name_,                                  \
        .flags = flags_,                                    \
        .doc = doc_,                                        \
        .source = "plugins/toy/ops.def"},
#include "ops.def"
};

/* A row says how one chip encodes an operation. */
const struct gpudbg_row toy_rows[TOY_OPS] = {
#define OP(toy, toy2, name, operands, flags, doc, lane) [TOY_##name] = {FORMAT_OF(flags), toy},
#include "ops.def"
};
const struct gpudbg_row toy2_rows[TOY_OPS] = {
#define OP(toy, toy2, name, operands, flags, doc, lane) [TOY_##name] = {FORMAT_OF(flags), toy2},
#include "ops.def"
};

const struct gpudbg_op *toy_op_of(const struct gpudbg_isa *isa, unsigned code)
{
    for (unsigned i = 0; i < TOY_OPS; i++)
        if (isa->rows[i].code == (int32_t)code) return &toy_ops[i];
    return NULL;
}

/* ---- Operands ---- */

static struct gpudbg_operand vector(unsigned reg, unsigned flags)
{
    return (struct gpudbg_operand){
        .kind = GPUDBG_REGISTER, .flags = (uint8_t)flags, .index = -1, .reg = (uint16_t)reg, .count = 1};
}

static void add(struct gpudbg_insn *out, struct gpudbg_operand operand) { out->operands[out->noperands++] = operand; }

/* The operand that a letter of the row's template stands for; a memory operand is followed by the register in its
 * address. Commas and blanks are for people; "none" has no letter that stands for one. */
static void add_operand(struct gpudbg_insn *out, char letter, struct toy_word w)
{
    switch (letter) {
    case 'd': add(out, vector(w.d, GPUDBG_WRITE)); break;
    case 'a': add(out, vector(w.a, GPUDBG_READ)); break;
    case 'b': add(out, vector(w.b, GPUDBG_READ)); break;
    case 's': add(out, vector(w.d, GPUDBG_READ)); break;
    case 'c': add(out, vector(w.d, GPUDBG_READ | GPUDBG_WRITE)); break;
    case 'i':
        add(out, (struct gpudbg_operand){.kind = GPUDBG_INTEGER, .flags = GPUDBG_READ, .index = -1, .imm = w.imm});
        break;
    case 't':
        add(out,
            (struct gpudbg_operand){.kind = GPUDBG_CODE, .index = -1, .imm = (int64_t)target_of(out->addr, w.imm)});
        break;
    case 'm':
        add(out, (struct gpudbg_operand){.kind = GPUDBG_MEMORY,
                     .flags = out->op->flags & GPUDBG_OP_LOAD ? GPUDBG_READ : GPUDBG_WRITE,
                     .index = (int8_t)(out->noperands + 1),
                     .reg = w.b,
                     .imm = w.imm});
        add(out, vector(w.a, GPUDBG_READ | GPUDBG_IMPLICIT));
        break;
    }
}

int toy_decode(const struct gpudbg_isa *isa, const uint8_t *p, size_t n, uint64_t addr, struct gpudbg_insn *out)
{
    if (n < 4) return GPUDBG_SHORT;
    const struct toy_word w = toy_word(le_u32(p));
    *out = (struct gpudbg_insn){
        .addr = addr, .isa = isa, .raw = p, .size = 4, .nparts = 1, .parts = {{.format = &ARITHMETIC, .count = 1}}};
    out->op = toy_op_of(isa, w.op);
    if (!out->op) return GPUDBG_ILLEGAL;
    out->parts[0].format = gpudbg_insn_row(out)->format;
    for (const char *letter = out->op->operands; *letter; letter++) add_operand(out, *letter, w);
    return 4;
}

/* ---- Text ---- */

int toy_operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    const struct gpudbg_operand *o = &insn->operands[operand];
    switch (o->kind) {
    case GPUDBG_REGISTER: return snprintf(buf, size, "v%u", o->reg);
    case GPUDBG_MEMORY:
        return snprintf(
            buf, size, o->imm ? "buf%u[v%u%+d]" : "buf%u[v%u]", o->reg, insn->operands[o->index].reg, (int)o->imm);
    case GPUDBG_CODE: return snprintf(buf, size, "0x%" PRIx64, (uint64_t)o->imm);
    default: return snprintf(buf, size, "%" PRId64, o->imm);
    }
}

int toy_text(const struct gpudbg_insn *insn, unsigned syntax, enum gpudbg_style style, const struct gpudbg_names *names,
    char *buf, size_t size)
{
    char label[64];
    (void)syntax;
    if (!insn->op || style == GPUDBG_ASSEMBLER) return -1; /* nobody has written an assembler */
    struct text t = text_in(buf, size);
    text_add(&t, "%s", insn->op->name);
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->flags & GPUDBG_IMPLICIT) continue;
        text_add(&t, i ? ", " : " ");
        const char *name = o->kind == GPUDBG_CODE && names ? names->name(names, (uint64_t)o->imm, label, sizeof label)
                                                           : NULL;
        if (name)
            text_add(&t, "%s", name);
        else
            text_wrote(&t, toy_operand_text(insn, i, text_end(&t), text_room(&t)));
    }
    return text_length(&t);
}
