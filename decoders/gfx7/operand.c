/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operand.c: operand codes, constants, and the text of one operand. */
#include "decoder.h"

/* ---- Appended text ---- */

void put_number(struct text *t, int64_t value)
{
    char digits[24];
    unsigned at = sizeof digits;
    uint64_t u = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do digits[--at] = (char)('0' + u % 10);
    while (u /= 10);
    if (value < 0) digits[--at] = '-';
    put_chars(t, digits + at, sizeof digits - at);
}

void put_hex(struct text *t, uint64_t value)
{
    char digits[18];
    unsigned at = sizeof digits;
    do digits[--at] = "0123456789abcdef"[value & 15];
    while (value >>= 4);
    digits[--at] = 'x';
    digits[--at] = '0';
    put_chars(t, digits + at, sizeof digits - at);
}

int put_end(struct text *t)
{
    if (t->size) t->buf[t->n < t->size ? t->n : t->size - 1] = 0;
    return (int)t->n;
}

/* ---- Types and constants ---- */

unsigned gfx7_type_dwords(unsigned type)
{
    static const uint8_t dwords[GFX7_TYPES] = {
        [GFX7_B32] = 1, [GFX7_U32] = 1, [GFX7_I32] = 1, [GFX7_F32] = 1, [GFX7_B64] = 2, [GFX7_U64] = 2, [GFX7_I64] = 2,
        [GFX7_F64] = 2, [GFX7_B96] = 3, [GFX7_B128] = 4, [GFX7_B256] = 8, [GFX7_B512] = 16, [GFX7_U8] = 1, [GFX7_I8] = 1,
        [GFX7_U16] = 1, [GFX7_I16] = 1, [GFX7_F16] = 1, [GFX7_U24] = 1, [GFX7_I24] = 1, [GFX7_MASK] = 2, [GFX7_A1] = 1,
        [GFX7_A2] = 2, [GFX7_A3] = 3, [GFX7_A4] = 4, [GFX7_A5] = 5, [GFX7_A6] = 6, [GFX7_A7] = 7, [GFX7_A8] = 8, [GFX7_A9] = 9};
    return type < GFX7_TYPES ? dwords[type] : 0;
}

/* 0.5 -0.5 1 -1 2 -2 4 -4 in the three widths. */
static const uint16_t halves[8] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400};
static const uint32_t floats[8] = {
    0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
static const uint16_t doubles[8] = {0x3fe0, 0xbfe0, 0x3ff0, 0xbff0, 0x4000, 0xc000, 0x4010, 0xc010}; /* high 16 bits */
static const char float_names[8][5] = {"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"};

bool gfx7_inline(unsigned code, unsigned type, uint64_t *value)
{
    if (code >= GFX7_CODE_INT && code <= GFX7_CODE_INT + 64)
        *value = code - GFX7_CODE_INT;
    else if (code > GFX7_CODE_NEG && code <= GFX7_CODE_NEG + 16)
        *value = (uint64_t)0 - (code - GFX7_CODE_NEG);
    else if (code >= GFX7_CODE_FLOAT && code < GFX7_CODE_FLOAT + 8) {
        unsigned i = code - GFX7_CODE_FLOAT;
        *value = type == GFX7_F16 ? halves[i] : gfx7_type_dwords(type) == 2 ? (uint64_t)doubles[i] << 48 : floats[i];
    } else
        return false;
    return true;
}

uint64_t gfx7_literal(uint32_t bits, unsigned type)
{
    if (type == GFX7_F64) return (uint64_t)bits << 32;
    if (type == GFX7_I64) return (uint64_t)(int64_t)(int32_t)bits;
    return bits;
}

const struct gpudbg_operand *gfx7_operand(const struct gpudbg_insn *insn, unsigned slot)
{
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].swizzle == slot) return &insn->operands[i];
    return NULL;
}

/* ---- Text ---- */

/* NAME and a number, or a run of them: s5, s[4:7]. */
static void put_registers(struct text *t, const char *name, size_t len, unsigned first, unsigned n)
{
    put_chars(t, name, len);
    if (n <= 1) {
        put_number(t, first);
        return;
    }
    put_char(t, '[');
    put_number(t, first);
    put_char(t, ':');
    put_number(t, first + n - 1);
    put_char(t, ']');
}

/* A register that is a pair of halves with names of their own. */
static void put_pair(struct text *t, const char *name, unsigned half, unsigned dwords)
{
    put(t, name);
    if (dwords == 1) put_chars(t, half ? "_hi" : "_lo", 3);
}

void put_code(struct text *t, unsigned code, unsigned dwords)
{
    if (code >= GFX7_CODE_VGPR)
        put_registers(t, "v", 1, code - GFX7_CODE_VGPR, dwords);
    else if (code < GFX7_CODE_FLAT_SCRATCH)
        put_registers(t, "s", 1, code, dwords);
    else if (code >= GFX7_CODE_TTMP && code < GFX7_CODE_M0)
        put_registers(t, "ttmp", 4, code - GFX7_CODE_TTMP, dwords);
    else if (code >= GFX7_CODE_INT && code <= GFX7_CODE_INT + 64)
        put_number(t, code - GFX7_CODE_INT);
    else if (code > GFX7_CODE_NEG && code <= GFX7_CODE_NEG + 16)
        put_number(t, (int)GFX7_CODE_NEG - (int)code);
    else if (code >= GFX7_CODE_FLOAT && code < GFX7_CODE_FLOAT + 8)
        put(t, float_names[code - GFX7_CODE_FLOAT]);
    else if (dwords > 2 && code < GFX7_CODE_TTMP)
        put_registers(t, "s", 1, code, dwords); /* runs past the SGPRs */
    else
        switch (code) {
        case GFX7_CODE_FLAT_SCRATCH:
        case GFX7_CODE_FLAT_SCRATCH + 1:
            put_pair(t, "flat_scratch", code & 1, dwords);
            break;
        case GFX7_CODE_VCC:
        case GFX7_CODE_VCC + 1:
            put_pair(t, "vcc", code & 1, dwords);
            break;
        case GFX7_CODE_TBA:
        case GFX7_CODE_TBA + 1:
            put_pair(t, "tba", code & 1, dwords);
            break;
        case GFX7_CODE_TMA:
        case GFX7_CODE_TMA + 1:
            put_pair(t, "tma", code & 1, dwords);
            break;
        case GFX7_CODE_M0:
            put(t, "m0");
            break;
        case GFX7_CODE_EXEC:
        case GFX7_CODE_EXEC + 1:
            put_pair(t, "exec", code & 1, dwords);
            break;
        case GFX7_CODE_VCCZ:
            put(t, "src_vccz");
            break;
        case GFX7_CODE_EXECZ:
            put(t, "src_execz");
            break;
        case GFX7_CODE_SCC:
            put(t, "src_scc");
            break;
        case GFX7_CODE_LDS:
            put(t, "src_lds_direct");
            break;
        default:
            put(t, "reserved_");
            put_number(t, code);
        }
}

static void put_waitcnt(struct text *t, unsigned value)
{
    static const struct {
        const char *name;
        uint8_t lo, max;
    } counters[] = {{"vmcnt(", 0, 15}, {"expcnt(", 4, 7}, {"lgkmcnt(", 8, 15}};
    if (value & 0xf080) {
        put_hex(t, value);
        return;
    }
    bool all = value == 0xf7f, first = true;
    for (unsigned i = 0; i < 3; i++) {
        unsigned n = value >> counters[i].lo & counters[i].max;
        if (n == counters[i].max && !all) continue;
        if (!first) put_char(t, ' ');
        first = false;
        put(t, counters[i].name);
        put_number(t, n);
        put_char(t, ')');
    }
}

static void put_sendmsg(struct text *t, unsigned value)
{
    static const char *const gs[] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
    static const char *const sys[] = {
        NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"};
    unsigned message = value & 15, op = value >> 4 & 7, stream = value >> 8 & 3;
    if (value == 1)
        put(t, "sendmsg(MSG_INTERRUPT)");
    else if ((message == 2 || message == 3) && op < 4 && !(value & 0xfc80) && (op || (message == 3 && !stream))) {
        put(t, message == 2 ? "sendmsg(MSG_GS, " : "sendmsg(MSG_GS_DONE, ");
        put(t, gs[op]);
        if (op) {
            put(t, ", ");
            put_number(t, stream);
        }
        put_char(t, ')');
    } else if (message == 15 && op >= 1 && op <= 4 && !(value & 0xff80)) {
        put(t, "sendmsg(MSG_SYSMSG, ");
        put(t, sys[op]);
        put_char(t, ')');
    } else
        put_number(t, value);
}

static void put_hwreg(struct text *t, unsigned value)
{
    unsigned id = value & 63, offset = value >> 6 & 31, size = (value >> 11) + 1;
    put(t, "hwreg(");
    if (id >= GFX7_HW_MODE && id <= GFX7_HW_IB_STS)
        put(t, gpudbg_enum_name(&gfx7_enum[GFX7_E_HWREG], id));
    else
        put_number(t, id);
    if (offset || size != 32) {
        put(t, ", ");
        put_number(t, offset);
        put(t, ", ");
        put_number(t, size);
    }
    put_char(t, ')');
}

/* What has no register and no number: kind SPECIAL, by type. */
static void put_special(struct text *t, const struct gpudbg_operand *o)
{
    static const char *const parameters[] = {"p10", "p20", "p0"};
    switch (o->type) {
    case GFX7_WAITCNT:
        put_waitcnt(t, (unsigned)o->imm);
        break;
    case GFX7_SENDMSG:
        put_sendmsg(t, (unsigned)o->imm);
        break;
    case GFX7_HWREG:
        put_hwreg(t, (unsigned)o->imm);
        break;
    case GFX7_ATTRIBUTE:
        put(t, "attr");
        put_number(t, o->imm >> 2);
        put_char(t, '.');
        put_char(t, "xyzw"[o->imm & 3]);
        break;
    case GFX7_SLOT:
        if (o->imm < 3)
            put(t, parameters[o->imm]);
        else {
            put(t, "invalid_param_");
            put_number(t, o->imm);
        }
        break;
    case GFX7_EXPORT:
        put(t, gpudbg_enum_name(&gfx7_enum[GFX7_E_EXP_TARGET], (uint64_t)o->imm));
        break;
    default:
        put(t, "off");
    }
}

/* Memory, for "reads" and "writes": space and what makes the address. */
static void put_memory(struct text *t, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    static const uint8_t parts[] = {GFX7_IN_SBASE, GFX7_IN_SRSRC, GFX7_IN_ADDR, GFX7_IN_VADDR, GFX7_IN_SOFFSET, GFX7_IN_OFFSET};
    put(t, o->file == GPUDBG_LOCAL ? "lds[" : o->sub ? "gds[" : "memory[");
    bool first = true;
    for (unsigned i = 0; i < sizeof parts; i++) {
        const struct gpudbg_operand *part = gfx7_operand(insn, parts[i]);
        if (!part || part->kind == GPUDBG_SPECIAL || (part->kind == GPUDBG_INTEGER && part->imm == 0)) continue;
        if (!first) put_char(t, '+');
        first = false;
        put_operand(t, insn, part);
    }
    if (o->imm) {
        if (!first) put_char(t, '+');
        put_number(t, o->imm);
    } else if (first)
        put_char(t, '0');
    put_char(t, ']');
}

static const char *const file_names[GFX7_FILES] = {"s", "v", "vcc", "exec", "scc", "m0", "flat_scratch", "tba", "tma", "ttmp",
    "mode", "status", "trapsts", "hw_id", "gpr_alloc", "lds_alloc", "ib_sts"};

static void put_plain(struct text *t, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    switch ((enum gpudbg_operand_kind)o->kind) {
    case GPUDBG_REGISTER:
        if (o->flags & GPUDBG_IMPLICIT)
            put(t, file_names[o->file]);
        else if (o->file == GFX7_FILE_V)
            put_registers(t, "v", 1, o->reg, o->count);
        else
            put_code(t, o->sub, gfx7_type_dwords(o->type));
        break;
    case GPUDBG_INTEGER:
        if (o->swizzle == GFX7_IN_SIMM16 && insn->variant == GFX7_SOPK)
            put_hex(t, (uint16_t)o->imm);
        else if (o->swizzle == GFX7_IN_OFFSET && !o->sub)
            put_hex(t, (uint64_t)o->imm);
        else
            put_number(t, o->imm);
        break;
    case GPUDBG_NUMBER:
        put(t, float_names[(o->sub - GFX7_CODE_FLOAT) & 7]);
        break;
    case GPUDBG_LITERAL:
        put_hex(t, insn->size == 8 ? word_of(insn) >> 32 : 0);
        break;
    case GPUDBG_CODE:
        put_hex(t, (uint64_t)o->imm);
        break;
    case GPUDBG_MEMORY:
        put_memory(t, insn, o);
        break;
    case GPUDBG_SPECIAL:
        if (o->type >= GFX7_TARGET || o->sub == 0)
            put_special(t, o);
        else
            put_code(t, o->sub, 1);
        break;
    }
}

void put_operand(struct text *t, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    if (!o->mods) {
        put_plain(t, insn, o);
        return;
    }
    /* A minus sign before a constant would be read as part of the constant. */
    bool word = o->mods & GFX7_NEG && (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER);
    if (word)
        put(t, "neg(");
    else if (o->mods & GFX7_NEG)
        put_char(t, '-');
    if (o->mods & GFX7_ABS) put_char(t, '|');
    put_plain(t, insn, o);
    if (o->mods & GFX7_ABS) put_char(t, '|');
    if (word) put_char(t, ')');
}

int gfx7_operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    struct text t = {buf, size, 0};
    if (operand < insn->noperands) put_operand(&t, insn, &insn->operands[operand]);
    return put_end(&t);
}
