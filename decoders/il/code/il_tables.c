/* SPDX-License-Identifier: GPL-3.0-or-later */
/* il_tables.c: the .def files as data. */
#include <stdio.h>
#include <string.h>
#include "il.h"

/* ---- Enumerations ---- */

#define ENUM(id, name, source) static const struct gpudbg_value values_##id[] = {
#define VALUE(number, text) {number, text, NULL},
/* clang-format off */
#define END };
/* clang-format on */
#include "code/enums.def"
#undef ENUM
#undef VALUE
#undef END

const struct gpudbg_enum il_enum[IL_ENUMS] = {
#define ENUM(id, name_, source_) \
    [IL_E_##id] = {              \
        .name = name_, .source = source_, .values = values_##id, .count = sizeof values_##id / sizeof *values_##id},
#define VALUE(number, text)
#define END
#include "code/enums.def"
#undef ENUM
#undef VALUE
#undef END
};

const struct gpudbg_enum *const il_enums[] = {
#define ENUM(id, name, source) &il_enum[IL_E_##id],
#define VALUE(number, text)
#define END
#include "code/enums.def"
#undef ENUM
#undef VALUE
#undef END
    NULL,
};

/* ---- Register types ---- */

#define R IL_R
#define W IL_W
#define RW IL_RW
const struct il_register il_register[IL_REGTYPES] = {
#define REG(number, name, text, source_text, access, shape, components, doc) \
    [number] = {text, source_text, access, IL_##shape, components, doc},
#include "code/registers.def"
#undef REG
};
#undef R
#undef W
#undef RW

/* ---- What a field's value means ---- */

static int say_hex(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "0x%08X", (unsigned)value);
}

static int say_halves(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "%g", (int8_t)value / 2.0);
}

static int say_lodbias(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    return snprintf(buf, size, "%g", ((int)(value & 127) - (value & 64 ? 128 : 0)) / 16.0);
}

/* A name; where it is a bare number, in words. */
static int say_named(enum il_enum_id e, const char *words, uint64_t value, char *buf, size_t size)
{
    const char *name = gpudbg_enum_name(&il_enum[e], value);
    if (!name) return snprintf(buf, size, "undefined");
    return snprintf(buf, size, name[strspn(name, "0123456789")] ? "%.0s%s" : "%s%s", words, name);
}

static int say_code(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    (void)insn;
    const struct gpudbg_op *op = il_op_by_number((unsigned)value);
    const char *listed = il_op_unknown_name((unsigned)value);
    return snprintf(buf, size, "%s", op ? op->name : listed ? listed : "no such opcode");
}

#define TELL(id, words)                                                                         \
    static int say_##id(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size) \
    {                                                                                           \
        (void)insn;                                                                             \
        return say_named(IL_E_##id, words, value, buf, size);                                   \
    }
TELL(DSTCOMP, "constant ")
TELL(COMPONENT, "constant ")
TELL(DEFAULT, "default ")
TELL(IMPORT, "default ")
TELL(ANISO, "up to ")
TELL(DATA_FORMAT, "bits ")
TELL(DIVCOMP, "component ")
TELL(SHIFT, "times ")

int il_describe_register(const struct gpudbg_insn *insn, uint64_t type, char *buf, size_t size)
{
    (void)insn;
    if (type >= IL_REGTYPES) return snprintf(buf, size, "undefined");
    const struct il_register *r = &il_register[type];
    return snprintf(buf, size, "%s: %s", r->text, r->doc);
}

/* ---- Tokens ---- */

#define SHOW_NUMBER GPUDBG_UINT, 0, NULL, NULL
#define SHOW_SIGNED GPUDBG_SINT, 0, NULL, NULL
#define SHOW_FLAG GPUDBG_FLAG, 0, NULL, NULL
#define SHOW_CODE GPUDBG_OPCODE, 0, NULL, say_code
#define SHOW_RESERVED GPUDBG_MBZ, 0, NULL, NULL
#define SHOW_REAL GPUDBG_FLOAT, 0, NULL, NULL
#define SHOW_HEX GPUDBG_UINT, 0, NULL, say_hex
#define SHOW_HALVES GPUDBG_SINT, 0, NULL, say_halves
#define SHOW_LODBIAS GPUDBG_SINT, 0, NULL, say_lodbias
#define SHOW_REGISTER GPUDBG_UINT, 0, NULL, il_describe_register
#define SHOW_NAMED(id) GPUDBG_ENUM, 0, &il_enum[IL_E_##id], NULL
#define SHOW_TOLD(id) GPUDBG_ENUM, 0, &il_enum[IL_E_##id], say_##id
#define SHOW(...) __VA_ARGS__

#define LAYOUT(id, pri, sec, doc) static const struct gpudbg_field fields_##id[] = {
#define WORD(id, name, source, doc) static const struct gpudbg_field fields_##id[] = {
#define FIELD(name, hi, lo, shown, spelled, doc) {#name, {{lo, (hi) - (lo) + 1}}, SHOW(SHOW_##shown), doc},
/* clang-format off */
#define END };
/* clang-format on */
#include "code/formats.def"
#undef LAYOUT
#undef WORD
#undef FIELD
#undef END

#define LAYOUT(id, pri, sec, doc) static const uint8_t spelling_##id[] = {
#define WORD(id, name, source, doc) static const uint8_t spelling_##id[] = {
#define FIELD(name, hi, lo, shown, spelled, doc) IL_S_##spelled,
/* clang-format off */
#define END };
/* clang-format on */
#include "code/formats.def"
#undef LAYOUT
#undef WORD
#undef FIELD
#undef END

#define COUNT(id) sizeof fields_##id / sizeof *fields_##id

const struct gpudbg_format il_format[IL_WORDS] = {
#define LAYOUT(id, pri, sec, doc_)                       \
    [IL_W_##id] = {.name = "IL_Opcode",                  \
        .source = "AMD IL 2.4, table 2.4 and chapter 7", \
        .doc = doc_,                                     \
        .bits = 32,                                      \
        .fields = fields_##id,                           \
        .count = COUNT(id)},
#define WORD(id, name_, source_, doc_)                     \
    [IL_W_##id] = {.name = name_,                          \
        .source = "AMD IL 2.4, " source_,                  \
        .doc = doc_,                                       \
        .bits = 32,                                        \
        .mask = {IL_W_##id == IL_W_VERSION ? 0xff00 : 0},  \
        .match = {IL_W_##id == IL_W_VERSION ? 0x0200 : 0}, \
        .fields = fields_##id,                             \
        .count = COUNT(id)},
#define FIELD(name, hi, lo, shown, spelled, doc)
#define END
#include "code/formats.def"
#undef LAYOUT
#undef WORD
#undef FIELD
#undef END
};

const struct gpudbg_format *const il_formats[] = {
#define LAYOUT(id, pri, sec, doc) &il_format[IL_W_##id],
#define WORD(id, name, source, doc) &il_format[IL_W_##id],
#define FIELD(name, hi, lo, shown, spelled, doc)
#define END
#include "code/formats.def"
#undef LAYOUT
#undef WORD
#undef FIELD
#undef END
    NULL,
};

const uint8_t *const il_spelling[IL_WORDS] = {
#define LAYOUT(id, pri, sec, doc) [IL_W_##id] = spelling_##id,
#define WORD(id, name, source, doc) [IL_W_##id] = spelling_##id,
#define FIELD(name, hi, lo, shown, spelled, doc)
#define END
#include "code/formats.def"
#undef LAYOUT
#undef WORD
#undef FIELD
#undef END
};

const struct il_modifiers il_modifiers[IL_WORDS] = {
#define LAYOUT(id, pri, sec, doc) [IL_W_##id] = {IL_W_##pri, IL_W_##sec},
#define WORD(id, name, source, doc)
#define FIELD(name, hi, lo, shown, spelled, doc)
#define END
#include "code/formats.def"
#undef LAYOUT
#undef WORD
#undef FIELD
#undef END
};

const struct gpudbg_field *il_field(enum il_word word, const char *name)
{
    const struct gpudbg_format *f = &il_format[word];
    for (size_t i = 0; i < f->count; i++)
        if (strcmp(f->fields[i].name, name) == 0) return &f->fields[i];
    return NULL;
}

/* ---- Opcodes ---- */

/* The flags as ops.def writes them. */
enum {
    BRANCH = GPUDBG_OP_BRANCH,
    COND = GPUDBG_OP_COND,
    CALL = GPUDBG_OP_CALL,
    RETURN = GPUDBG_OP_RETURN,
    BARRIER = GPUDBG_OP_BARRIER,
    ORDER = GPUDBG_OP_ORDER,
    COPY = GPUDBG_OP_COPY,
    COMPARE = GPUDBG_OP_COMPARE,
    LOAD = GPUDBG_OP_LOAD,
    STORE = GPUDBG_OP_STORE,
    OPEN = GPUDBG_OP_OPEN,
    MIDDLE = GPUDBG_OP_MIDDLE,
    CLOSE = GPUDBG_OP_CLOSE,
    STOP = GPUDBG_OP_END,
};
#define DECL IL_DECLARES
#define SM3 IL_SM3
#define SM4 IL_SM4

enum { VS = IL_VS, PS = IL_PS, GS = IL_GS, CS = IL_CS, HS = IL_HS, DS = IL_DS, ALL = IL_ALL };

/* Whatever writes a register or touches memory does so lane by lane. */
#define LANES(bits, dst) ((dst) || (bits) & (LOAD | STORE) ? ((bits)&DECL ? 0 : GPUDBG_OP_VECTOR) : 0)

const struct gpudbg_op il_ops[IL_ROWS] = {
#define OP(number, id_, text, word, dst, src, extra, class, who, bits, doc_, source_, ...) \
    [IL_ROW_##id_] = {.name = #text,                                                       \
        .operands = #dst " written, " #src " read",                                        \
        .id = IL_ROW_##id_,                                                                \
        .flags = (uint64_t)(bits) | LANES((uint64_t)(bits), dst),                          \
        .doc = doc_,                                                                       \
        .source = "AMD IL 2.4, " source_},
#include "ops.def"
    [IL_ROW_LANGUAGE] = {.name = "language",
        .operands = "-",
        .id = IL_ROW_LANGUAGE,
        .flags = IL_DECLARES,
        .doc = "First token: the language the stream was made from.",
        .source = "AMD IL 2.4, 2.2.1"},
    [IL_ROW_VERSION] = {.name = "il",
        .operands = "-",
        .id = IL_ROW_VERSION,
        .flags = IL_DECLARES,
        .doc = "Second token: version and kind of shader.",
        .source = "AMD IL 2.4, 2.2.2 and 3.1"},
};

const struct gpudbg_row il_rows[IL_ROWS] = {
#define OP(number, id, text, word, ...) [IL_ROW_##id] = {&il_format[IL_W_##word], number},
#include "ops.def"
#undef OP
    [IL_ROW_LANGUAGE] = {&il_format[IL_W_LANGUAGE], IL_OP_LANGUAGE},
    [IL_ROW_VERSION] = {&il_format[IL_W_VERSION], IL_OP_VERSION},
};

const struct il_op il_op[IL_ROWS] = {
#define EACH(sources, result, value) {sources, result, 15, true}, true
#define EACH_OF(sources, result, shared, value) {sources, result, 15, false}, true
#define ONE(sources, result, value) {sources, result, 15, false}, true
#define PAIR ONE
#define BOOL ONE
#define VEC(sources, result, writes, ...) {sources, result, writes, false}, true
#define DO(name) {NULL, 0, 0, false}, true
#define NONE {NULL, 0, 0, false}, false
#define OP(number, id, text, word, dst, src, extra, class, who, bits, doc, source, body) \
    [IL_ROW_##id] = {IL_W_##word, dst, src, IL_X_##extra, IL_C_##class, who, body},
#include "ops.def"
    [IL_ROW_LANGUAGE] = {.word = IL_W_LANGUAGE, .who = ALL},
    [IL_ROW_VERSION] = {.word = IL_W_VERSION, .who = ALL},
};

static const uint16_t row_of[IL_OP_LAST] = {
#define OP(number, id, ...) [number] = IL_ROW_##id + 1,
#include "ops.def"
};

const struct gpudbg_op *il_op_by_number(unsigned number)
{
    return number < IL_OP_LAST && row_of[number] ? &il_ops[row_of[number] - 1] : NULL;
}

const char *il_op_unknown_name(unsigned number)
{
    static const struct {
        uint16_t number;
        const char *name;
    } listed[] = {{460, "sample_return_code"}, {461, "cu_id"}, {462, "wave_id"}, {468, "dcl_gws_thread_count"},
        {469, "dcl_semaphore"}, {470, "semaphore_init"}, {471, "semaphore_signal"}, {472, "semaphore_wait"},
        {473, "div_scale"}, {474, "div_fmas"}, {475, "div_fixup"}, {476, "d_div_scale"}, {477, "d_div_fmas"},
        {478, "d_div_fixup"}, {479, "d_trig_preop"}, {480, "msad_u8"}, {481, "qsad_u8"}, {482, "mqsad_u8"}};
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (listed[i].number == number) return listed[i].name;
    return NULL;
}
