/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_fields.c: formats.def and descriptors.def as data, and the meanings of their fields in words. */
#include <inttypes.h>
#include <stdio.h>
#include "code/gcn_decoder.h"

/* ---- Meanings: int say_X(insn, value, buf, size), as gpudbg_field.describe ---- */

#define SAYS(name) static int say_##name(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
/* clang-format off */
#define PLAIN(name, ...) \
    SAYS(name) \
    { \
        (void)insn; \
        return snprintf(buf, size, __VA_ARGS__); \
    }
/* clang-format on */

PLAIN(bytes, "%" PRIu64 " B", value)
PLAIN(bytes4, "%" PRIu64 " B", value * 4)
PLAIN(bytes8, "%" PRIu64 " B", value * 8)
PLAIN(bytes256, "%" PRIu64 " B", value * 256)
PLAIN(bytes512, "%" PRIu64 " B", value * 512)
PLAIN(words_signed, "%d B", ((int)(value << 17) >> 17) * 4)
PLAIN(address, "0x%" PRIx64, value)
PLAIN(address256, "0x%" PRIx64, value << 8)
PLAIN(fixed8, "%g", (double)value / 256)
PLAIN(fixed8_signed, "%g", (double)((int32_t)(value << 18) >> 18) / 256)
PLAIN(plus1, "%" PRIu64, value + 1)
PLAIN(plus1_4, "%" PRIu64, (value + 1) * 4)
PLAIN(plus1_8, "%" PRIu64, (value + 1) * 8)
PLAIN(element_size, "%u B", 2u << value)
PLAIN(index_stride, "%u records", 8u << value)
PLAIN(bit, "bit %" PRIu64, value)
PLAIN(bits, "%" PRIu64 " bit%s", value + 1, value ? "s" : "")
PLAIN(cycles, "%" PRIu64 " cycle%s", value + 1, value ? "s" : "")
PLAIN(sleep, "about %" PRIu64 " clocks", value * 64)
PLAIN(lane_mask, "0x%02" PRIx64, value)
PLAIN(swizzle_mode, "%s",
    value == 7   ? "order of a Fourier transform"
    : value == 6 ? "rotation"
    : value      ? "quad permutation"
                 : "lane masks")
PLAIN(nsa, "%" PRIu64 " dword%s", value, value == 1 ? "" : "s")
PLAIN(nsa_vgpr, "v%" PRIu64, value)
PLAIN(attribute, "attr%" PRIu64, value)
PLAIN(parameter, "%s", value == 0 ? "p10" : value == 1 ? "p20" : value == 2 ? "p0" : "undefined")

/* A counter of s_waitcnt: at its maximum it is not waited for. */
static int say_counter(const char *name, uint64_t value, unsigned max, char *buf, size_t size)
{
    return snprintf(buf, size, "%s %" PRIu64 "%s", name, value,
        value == 0     ? ", all done"
        : value == max ? ", no wait"
                       : "");
}

/* clang-format off */
#define COUNTER(name, max) \
    SAYS(name) \
    { \
        (void)insn; \
        return say_counter(#name, value, max, buf, size); \
    }
/* clang-format on */

COUNTER(vmcnt, 15)
PLAIN(vmcnt_low, "vmcnt %" PRIu64 ", low bits", value)
SAYS(lgkmcnt_6)
{
    (void)insn;
    return say_counter("lgkmcnt", value, 63, buf, size);
}
COUNTER(expcnt, 7)
COUNTER(lgkmcnt, 15)

/* Names of the bits that are set, or "none"; together under 200 characters. */
static int say_set(const char *const *names, unsigned n, uint64_t value, char *buf, size_t size)
{
    char text[256], *p = text;
    for (unsigned i = 0; i < n; i++)
        if (value >> i & 1) {
            if (p != text) *p++ = ' ';
            p = put(p, names[i]);
        }
    if (p == text) p = PUT(p, "none");
    return put_out(text, p, buf, size);
}

SAYS(components)
{
    static const char *const names[] = {"x", "y", "z", "w"};
    (void)insn;
    return say_set(names, 4, value, buf, size);
}

SAYS(sources)
{
    static const char *const names[] = {"src0", "src1", "src2"};
    (void)insn;
    return say_set(names, 3, value, buf, size);
}

/* op_sel: of three sources, and of the result. */
SAYS(halves)
{
    static const char *const names[] = {"src0", "src1", "src2", "vdst"};
    (void)insn;
    return say_set(names, 4, value, buf, size);
}

int say_dpp(uint64_t control, char *buf, size_t size)
{
    static const char *const rows[] = {NULL, "row_shl", "row_shr", "row_ror"};
    const unsigned c = (unsigned)control, n = c & 15;
    if (c < 0x100) return snprintf(buf, size, "quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3, c >> 6 & 3);
    if (c > 0x100 && c < 0x130 && n) return snprintf(buf, size, "%s:%u", rows[(c >> 4 & 3) + 1], n);
    if (c == 0x140 || c == 0x141) return snprintf(buf, size, "%s", c == 0x140 ? "row_mirror" : "row_half_mirror");
    return snprintf(buf, size, "dpp_ctrl:0x%x", c);
}

int say_dpp_newer(uint64_t control, char *buf, size_t size)
{
    const unsigned c = (unsigned)control;
    if (c >> 4 == 0x15 || c >> 4 == 0x16)
        return snprintf(buf, size, "%s:%u", c >> 4 == 0x15 ? "row_share" : "row_xmask", c & 15);
    return say_dpp(control, buf, size);
}

static int say_dpp_field(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
{
    return insn && gcn_chip_of(insn->isa)->newer_vop3 ? say_dpp_newer(value, buf, size) : say_dpp(value, buf, size);
}

SAYS(exceptions)
{
    static const char *const names[] = {"invalid", "input_denormal", "divide_by_zero", "overflow", "underflow",
        "inexact", "int_divide_by_zero", "address_watch", "memory_violation"};
    (void)insn;
    return say_set(names, 9, value, buf, size);
}

SAYS(message_op)
{
    static const char *const gs[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
    static const char *const sys[] = {"undefined", "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD",
        "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"};
    uint32_t message = insn && insn->size >= 4 ? GET(word_of(insn), SOPP_SENDMSG, msg) : 0;
    if (message == 2 || message == 3) return snprintf(buf, size, "%s", value < 4 ? gs[value] : "undefined");
    if (message == 15) return snprintf(buf, size, "%s", value < 5 ? sys[value] : "undefined");
    return snprintf(buf, size, "%s", value ? "undefined" : "none");
}

SAYS(target)
{
    int64_t distance = 4 * (int64_t)(int16_t)value;
    if (!insn) return snprintf(buf, size, "%+" PRId64 " B", distance);
    return snprintf(buf, size, "0x%" PRIx64, insn->addr + 4 + (uint64_t)distance);
}

/* The literal as the operand that uses it reads it. */
SAYS(literal)
{
    int n = snprintf(buf, size, "0x%" PRIx64, value);
    for (unsigned i = 0; insn && i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        if (o->kind != GPUDBG_LITERAL) continue;
        float f;
        uint32_t bits = (uint32_t)value;
        memcpy(&f, &bits, sizeof f);
        if (o->type == GCN_F32) return snprintf(buf, size, "%.9g", (double)f);
        double d;
        uint64_t wide = (uint64_t)bits << 32;
        memcpy(&d, &wide, sizeof d);
        if (o->type == GCN_F64) return snprintf(buf, size, "%.17g", d);
        if (o->type == GCN_I32 || o->type == GCN_I64) return snprintf(buf, size, "%d", (int32_t)bits);
    }
    return n;
}

/* The operand that comes from a field, without its modifiers; they have fields of their own. */
static int say_operand(const struct gpudbg_insn *insn, unsigned slot, uint64_t value, char *buf, size_t size)
{
    if (!insn || !insn->op) return snprintf(buf, size, "code %" PRIu64, value);
    const struct gpudbg_operand *o = gcn_operand(insn, slot);
    if (!o) return snprintf(buf, size, "not used");
    struct gpudbg_operand plain = *o;
    char text[TEXT_OPERAND];
    plain.mods = 0;
    return put_out(text, put_operand(text, insn, &plain), buf, size);
}

/* clang-format off */
#define PLACE(slot) \
    static int in_##slot(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size) \
    { \
        return say_operand(insn, GCN_IN_##slot, value, buf, size); \
    }

PLACE(SDST) PLACE(SSRC0) PLACE(SSRC1) PLACE(SBASE) PLACE(OFFSET)
PLACE(VDST) PLACE(SRC0) PLACE(SRC1) PLACE(SRC2) PLACE(VSRC) PLACE(ADDR) PLACE(DATA0) PLACE(DATA1) PLACE(DATA)
PLACE(VDATA) PLACE(VADDR) PLACE(SRSRC) PLACE(SOFFSET) PLACE(SSAMP) PLACE(SADDR)
    /* clang-format on */

    /* The VGPR in field n of an export.  With compr the first two fields hold the registers of two sources each. */
    static int say_export(const struct gpudbg_insn *insn, unsigned n, uint64_t value, char *buf, size_t size)
{
    bool compr = insn && insn->op && GET(word_of(insn), EXP, compr);
    if (compr && n > 1) return snprintf(buf, size, "not used");
    return say_operand(insn, GCN_IN_VSRC0 + (compr ? 2 * n : n), value, buf, size);
}

/* clang-format off */
#define EXPORTED(n) \
    static int in_VSRC##n(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size) \
    { \
        return say_export(insn, n, value, buf, size); \
    }
/* clang-format on */

EXPORTED(0)
EXPORTED(1)
EXPORTED(2)
EXPORTED(3)

/* ---- Formats ---- */

/* How a field is shown. */
#define NUMBER(shift) .kind = GPUDBG_UINT, .scale = shift
#define SIGNED .kind = GPUDBG_SINT
#define FLAG .kind = GPUDBG_FLAG
#define RESERVED .kind = GPUDBG_MBZ
#define IGNORED .kind = GPUDBG_MBZ
#define CODE .kind = GPUDBG_OPCODE
#define NAMED(id) .kind = GPUDBG_ENUM, .meaning = &gcn_enum[GCN_E_##id]
#define REG(kind_of, slot) .kind = GPUDBG_OPERAND, .describe = in_##slot
#define SAY(what) .kind = GPUDBG_UINT, .describe = say_##what

#define FORMAT(layout, word, bits, mask, match, doc) static const struct gpudbg_field fields_##layout[] = {
#define FIELD(id, range, how, text) {.name = #id, .run = {{RANGE_LO(range), RANGE_LEN(range)}}, how, .doc = text},
/* clang-format off */
#define END };
/* clang-format on */
#include "formats.def"
#define FORMAT(layout, word, bits, mask, match, doc) static const struct gpudbg_field fields_##layout[] = {
#define FIELD(id, range, how, text) {.name = #id, .run = {{RANGE_LO(range), RANGE_LEN(range)}}, how, .doc = text},
/* clang-format off */
#define END };
/* clang-format on */
#include "descriptors.def"

/* clang-format off */
#define LAYOUT(layout, word, width, m, v, where, text) \
    [GCN_W_##layout] = {.name = #word, .source = where, .doc = text, .bits = width, \
        .mask = {m}, .match = {v}, \
        .fields = fields_##layout, .count = sizeof fields_##layout / sizeof *fields_##layout},
/* clang-format on */

const struct gpudbg_format gcn_layouts[GCN_LAYOUTS] = {
#define FORMAT(layout, word, bits, mask, match, doc) LAYOUT(layout, word, bits, mask, match, GCN_SOURCE, doc)
#define FORMAT_ON(chips, source, layout, word, bits, mask, match, doc) \
    LAYOUT(layout, word, bits, mask, match, source, doc)
#define FIELD(name, bits, how, doc)
#define END
#include "formats.def"
#define FORMAT(layout, word, bits, mask, match, doc) \
    LAYOUT(layout, word, bits, mask, match, "Sea Islands registers, SQ", doc)
#define FORMAT_ON(chips, source, layout, word, bits, mask, match, doc) \
    LAYOUT(layout, word, bits, mask, match, source, doc)
#define FIELD(name, bits, how, doc)
#define END
#include "descriptors.def"
};

#define GCN_EACH_CHIP "code/chip_formats.def"
#include "gcn_each_chip.inc"
