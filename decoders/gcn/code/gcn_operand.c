/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_operand.c: operand codes, constants, and the text of one operand. */
#include "code/gcn_decoder.h"
#include "gpudbg/listing.h"

/* ---- Numbers ---- */

char *put_number(char *p, int64_t value)
{
    char digits[24];
    unsigned at = sizeof digits;
    uint64_t u = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0) *p++ = '-';
    do digits[--at] = (char)('0' + u % 10);
    while (u /= 10);
    while (at < sizeof digits) *p++ = digits[at++];
    return p;
}

char *put_hex(char *p, uint64_t value)
{
    const unsigned digits = (67 - (unsigned)__builtin_clzll(value | 1)) / 4;
    memcpy(p, "0x", 2);
    p += 2;
    char *const end = p + digits, *at = end;
    for (; at - p >= 2; value >>= 8) memcpy(at -= 2, gpudbg_two_digits + 2 * (value & 255), 2);
    if (at > p) *p = gpudbg_two_digits[2 * (value & 15) + 1];
    return end;
}

/* clang-format off */
#define ONE(u) {u, 0, 0, 1}
#define TWO(t, u) {t, u, 0, 2}
#define THREE(h, t, u) {h, t, u, 3}
#define TEN(t) TWO(t, '0'), TWO(t, '1'), TWO(t, '2'), TWO(t, '3'), TWO(t, '4'), TWO(t, '5'), \
    TWO(t, '6'), TWO(t, '7'), TWO(t, '8'), TWO(t, '9')
#define HALF(h, t) THREE(h, t, '0'), THREE(h, t, '1'), THREE(h, t, '2'), THREE(h, t, '3'), \
    THREE(h, t, '4'), THREE(h, t, '5')
#define MORE(h, t) HALF(h, t), THREE(h, t, '6'), THREE(h, t, '7'), THREE(h, t, '8'), THREE(h, t, '9')
const char small_numbers[256][4] = {
    ONE('0'), ONE('1'), ONE('2'), ONE('3'), ONE('4'), ONE('5'), ONE('6'), ONE('7'), ONE('8'), ONE('9'),
    TEN('1'), TEN('2'), TEN('3'), TEN('4'), TEN('5'), TEN('6'), TEN('7'), TEN('8'), TEN('9'),
    MORE('1', '0'), MORE('1', '1'), MORE('1', '2'), MORE('1', '3'), MORE('1', '4'),
    MORE('1', '5'), MORE('1', '6'), MORE('1', '7'), MORE('1', '8'), MORE('1', '9'),
    MORE('2', '0'), MORE('2', '1'), MORE('2', '2'), MORE('2', '3'), MORE('2', '4'), HALF('2', '5'),
};
/* clang-format on */

int put_out(const char *from, const char *to, char *buf, size_t size)
{
    size_t n = (size_t)(to - from);
    if (size) {
        size_t fits = n < size ? n : size - 1;
        memcpy(buf, from, fits);
        buf[fits] = 0;
    }
    return (int)n;
}

/* ---- Types and constants ---- */

const uint8_t gcn_dwords[GCN_TYPES] = {[GCN_B32] = 1,
    [GCN_U32] = 1,
    [GCN_I32] = 1,
    [GCN_F32] = 1,
    [GCN_B64] = 2,
    [GCN_U64] = 2,
    [GCN_I64] = 2,
    [GCN_F64] = 2,
    [GCN_B96] = 3,
    [GCN_B128] = 4,
    [GCN_B256] = 8,
    [GCN_B512] = 16,
    [GCN_U8] = 1,
    [GCN_I8] = 1,
    [GCN_U16] = 1,
    [GCN_I16] = 1,
    [GCN_F16] = 1,
    [GCN_U24] = 1,
    [GCN_I24] = 1,
    [GCN_MASK] = 2,
    [GCN_MASK32] = 1,
    [GCN_A1] = 1,
    [GCN_A2] = 2,
    [GCN_A3] = 3,
    [GCN_A4] = 4,
    [GCN_A5] = 5,
    [GCN_A6] = 6,
    [GCN_A7] = 7,
    [GCN_A8] = 8,
    [GCN_A9] = 9,
    [GCN_A11] = 11,
    [GCN_A12] = 12};

unsigned gcn_type_dwords(unsigned type) { return type < GCN_TYPES ? gcn_dwords[type] : 0; }

/* 0.5 -0.5 1 -1 2 -2 4 -4 in the three widths. */
static const uint16_t halves[8] = {0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400};
static const uint32_t floats[8] = {
    0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000, 0xc0000000, 0x40800000, 0xc0800000};
static const uint16_t doubles[8] = {0x3fe0, 0xbfe0, 0x3ff0, 0xbff0, 0x4000, 0xc000, 0x4010, 0xc010}; /* high 16 bits */

bool gcn_inline(unsigned code, unsigned type, uint64_t *value)
{
    if (code >= GCN_CODE_INT && code <= GCN_CODE_INT + 64)
        *value = code - GCN_CODE_INT;
    else if (code > GCN_CODE_NEG && code <= GCN_CODE_NEG + 16)
        *value = (uint64_t)0 - (code - GCN_CODE_NEG);
    else if (code >= GCN_CODE_FLOAT && code < GCN_CODE_FLOAT + 8) {
        unsigned i = code - GCN_CODE_FLOAT;
        *value = type == GCN_F16 ? halves[i] : gcn_type_dwords(type) == 2 ? (uint64_t)doubles[i] << 48 : floats[i];
    } else
        return false;
    return true;
}

uint64_t gcn_inv_2pi(unsigned type)
{
    return type == GCN_F16 ? 0x3118 : gcn_type_dwords(type) == 2 ? UINT64_C(0x3fc45f306dc9c882) : 0x3e22f983;
}

uint64_t gcn_literal(uint32_t bits, unsigned type)
{
    if (type == GCN_F64) return (uint64_t)bits << 32;
    if (type == GCN_I64) return (uint64_t)(int64_t)(int32_t)bits;
    return bits;
}

const struct gpudbg_operand *gcn_operand(const struct gpudbg_insn *insn, unsigned slot)
{
    for (unsigned i = 0; i < insn->noperands; i++)
        if (insn->operands[i].swizzle == slot) return &insn->operands[i];
    return NULL;
}

bool gcn_codes_of(const struct gpudbg_operand *o, struct gcn_codes *codes)
{
    static const uint8_t pairs[GCN_FILES] = {[GCN_FILE_VCC] = GCN_CODE_VCC,
        [GCN_FILE_EXEC] = GCN_CODE_EXEC,
        [GCN_FILE_FLAT_SCRATCH] = GCN_CODE_FLAT_SCRATCH,
        [GCN_FILE_TBA] = GCN_CODE_TBA,
        [GCN_FILE_TMA] = GCN_CODE_TMA};
    if (o->kind != GPUDBG_REGISTER) return false;
    const unsigned pair = o->file < GCN_FILES ? pairs[o->file] : 0;
    const bool half = gcn_type_dwords(o->type) == 1 && o->sub >> 1 == pair >> 1;
    if (pair)
        *codes = half ? (struct gcn_codes){o->sub, 1} : (struct gcn_codes){(uint16_t)pair, 2};
    else if (o->file == GCN_FILE_S)
        *codes = (struct gcn_codes){o->reg, o->count};
    else if (o->file == GCN_FILE_V)
        *codes = (struct gcn_codes){(uint16_t)(GCN_CODE_VGPR + o->reg), o->count};
    else if (o->file == GCN_FILE_TTMP)
        *codes = (struct gcn_codes){(uint16_t)(GCN_CODE_TTMP + o->reg), o->count};
    else if (o->file == GCN_FILE_M0)
        *codes = (struct gcn_codes){GCN_CODE_M0, 1};
    else
        return false;
    return true;
}

/* ---- Text ---- */

char *put_codes(char *p, const struct gcn_chip *chip, struct gcn_codes codes)
{
    const bool pair = codes.count == 2 && ((codes.first >= GCN_CODE_FLAT_SCRATCH && codes.first < GCN_CODE_TTMP) ||
                                              codes.first == GCN_CODE_EXEC);
    return put_code(p, chip, codes.first, pair ? 2 : 1);
}

char *put_long_code(char *p, const struct gcn_chip *chip, unsigned code, unsigned dwords)
{
    if (code >= GCN_CODE_VGPR) {
        *p++ = 'v';
        return put_run(p, code - GCN_CODE_VGPR, dwords);
    }
    if (code < chip->ttmp) { /* or runs past the SGPRs */
        *p++ = 's';
        return put_run(p, code, dwords);
    }
    if (code < GCN_CODE_M0) {
        p = PUT(p, "ttmp");
        return put_run(p, code - chip->ttmp, dwords);
    }
    return put_code(p, chip, code, 2);
}

/* Whether the instruction's layout has a bit of that name among its fields, and it is set. */
static bool has_bit(const struct gpudbg_insn *insn, const char *name)
{
    const struct gpudbg_format *layout = layout_on(gcn_chip_of(insn->isa), insn->op);
    for (unsigned i = 0; i < layout->count; i++)
        if (strcmp(layout->fields[i].name, name) == 0)
            return insn->raw[layout->fields[i].run[0].lo / 8] >> layout->fields[i].run[0].lo % 8 & 1;
    return false;
}

bool gcn_has_glc(const struct gpudbg_insn *insn) { return insn->op->flags & GPUDBG_OP_VECTOR && has_bit(insn, "glc"); }

bool gcn_has_dlc(const struct gpudbg_insn *insn) { return insn->op->flags & GPUDBG_OP_VECTOR && has_bit(insn, "dlc"); }

struct gcn_scalar_place gcn_scalar_place(const struct gpudbg_insn *insn)
{
    struct gcn_scalar_place place = {0, NULL};
    for (unsigned i = 0; i < insn->noperands; i++) {
        const struct gpudbg_operand *o = &insn->operands[i];
        const bool offset = o->swizzle == GCN_IN_OFFSET || o->swizzle == GCN_IN_SOFFSET;
        if (o->kind == GPUDBG_MEMORY) place.bytes = o->imm;
        if (offset && o->kind == GPUDBG_REGISTER) place.sgpr = o;
    }
    return place;
}

struct gcn_counters gcn_counters_of(const struct gcn_chip *chip, unsigned value)
{
    if (chip->wide_counters)
        return (struct gcn_counters){GET(value, SOPP_WAITCNT_6, vmcnt) | GET(value, SOPP_WAITCNT_6, vmcnt_high) << 4,
            GET(value, SOPP_WAITCNT_6, expcnt), GET(value, SOPP_WAITCNT_6, lgkmcnt)};
    return (struct gcn_counters){
        GET(value, SOPP_WAITCNT, vmcnt), GET(value, SOPP_WAITCNT, expcnt), GET(value, SOPP_WAITCNT, lgkmcnt)};
}

static char *put_waitcnt(char *p, const struct gcn_chip *chip, unsigned value)
{
    const char *start = p;
    const unsigned none = waitcnt_none(chip);
    const struct gcn_counters now = gcn_counters_of(chip, value), most = gcn_counters_of(chip, none);
    const bool all = value == none;
    if (value & ~none) return put_hex(p, value);
    if (now.vm != most.vm || all) p = PUT(put_small(PUT(p, "vmcnt("), now.vm), ") ");
    if (now.exp != most.exp || all) p = PUT(put_small(PUT(p, "expcnt("), now.exp), ") ");
    if (now.lgkm != most.lgkm || all) p = PUT(put_small(PUT(p, "lgkmcnt("), now.lgkm), ") ");
    return p - (p != start);
}

#define DEPCTR(name)                                                         \
    {                                                                        \
        "depctr_" #name, LO_OF(SOPP_DEPCTR, name), LEN_OF(SOPP_DEPCTR, name) \
    }
const struct gcn_depctr gcn_depctrs[GCN_DEPCTRS] = {DEPCTR(hold_cnt), DEPCTR(sa_sdst), DEPCTR(va_vdst), DEPCTR(va_sdst),
    DEPCTR(va_ssrc), DEPCTR(va_vcc), DEPCTR(vm_vsrc)};
#undef DEPCTR

unsigned gcn_depctr_none(const struct gcn_chip *chip)
{
    unsigned none = 0;
    for (unsigned i = gcn_depctr_first(chip); i < GCN_DEPCTRS; i++)
        none |= (unsigned)ONES(gcn_depctrs[i].len) << gcn_depctrs[i].lo;
    return none;
}

/* Counters that are waited for; all of them where none is. */
static char *put_depctr(char *p, const struct gcn_chip *chip, unsigned value)
{
    const char *start = p;
    const unsigned none = gcn_depctr_none(chip);
    if (value & ~none) return put_hex(p, value);
    for (unsigned i = gcn_depctr_first(chip); i < GCN_DEPCTRS; i++) {
        const struct gcn_depctr *c = &gcn_depctrs[i];
        const unsigned most = (unsigned)ONES(c->len), count = value >> c->lo & most;
        if (count == most && value != none) continue;
        p = PUT(put(p, c->name), "(");
        p = PUT(put_small(p, count), ") ");
    }
    return p - (p != start);
}

const char *const gcn_gs_ops[4] = {"GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"};
const char *const gcn_sys_ops[5] = {
    NULL, "SYSMSG_OP_ECC_ERR_INTERRUPT", "SYSMSG_OP_REG_RD", "SYSMSG_OP_HOST_TRAP_ACK", "SYSMSG_OP_TTRACE_PC"};
const char *const gcn_parameters[3] = {"p10", "p20", "p0"};

static char *put_sendmsg(char *p, unsigned value)
{
    unsigned message = GET(value, SOPP_SENDMSG, msg), op = GET(value, SOPP_SENDMSG, msg_op),
             stream = GET(value, SOPP_SENDMSG, stream);
    const unsigned rest = value & ~(unsigned)(MASK(SOPP_SENDMSG, msg) | MASK(SOPP_SENDMSG, msg_op));
    if (value == 1) return PUT(p, "sendmsg(MSG_INTERRUPT)");
    if ((message == 2 || message == 3) && op < 4 && !(rest & ~MASK(SOPP_SENDMSG, stream)) &&
        (op || (message == 3 && !stream))) {
        p = put(p, message == 2 ? "sendmsg(MSG_GS, " : "sendmsg(MSG_GS_DONE, ");
        p = put(p, gcn_gs_ops[op]);
        if (op) {
            p = PUT(p, ", ");
            p = put_small(p, stream);
        }
        return PUT(p, ")");
    }
    if (message == 15 && op >= 1 && op <= 4 && !rest) {
        p = PUT(p, "sendmsg(MSG_SYSMSG, ");
        p = put(p, gcn_sys_ops[op]);
        return PUT(p, ")");
    }
    return put_number(p, value);
}

/* The same on chips with more messages; what has no name is three numbers. */
static char *put_newer_sendmsg(char *p, unsigned value)
{
    const unsigned message = GET(value, SOPP_SENDMSG_NEWER, msg), op = GET(value, SOPP_SENDMSG_NEWER, msg_op),
                   stream = GET(value, SOPP_SENDMSG_NEWER, stream);
    const char *name = gpudbg_enum_name(&gcn_enum[GCN_E_MESSAGE_NEWER], message);
    const bool geometry = message == 2 || message == 3, system = message == 15;
    const bool named = strncmp(name, "MSG_", 4) == 0 && (geometry ? op < 4 && (op || (message == 3 && !stream))
                                                                  : !stream && (system ? op && op < 5 : !op));
    if ((value & 0x37f) != value) return put_number(p, value);
    p = PUT(p, "sendmsg(");
    if (!named) {
        p = PUT(put_small(p, message), ", ");
        return PUT(put_small(PUT(put_small(p, op), ", "), stream), ")");
    }
    p = put(p, name);
    if (geometry || system) p = put(PUT(p, ", "), geometry ? gcn_gs_ops[op] : gcn_sys_ops[op]);
    if (geometry && op) p = put_small(PUT(p, ", "), stream);
    return PUT(p, ")");
}

const struct gpudbg_enum *gcn_hwregs(const struct gcn_chip *chip)
{
    return &gcn_enum[chip->newer_hwregs ? GCN_E_HWREG_NEWER : GCN_E_HWREG];
}

const struct gpudbg_enum *gcn_export_targets(const struct gcn_chip *chip)
{
    return &gcn_enum[chip->newer_hwregs ? GCN_E_EXP_TARGET_NEWER : GCN_E_EXP_TARGET];
}

const char *gcn_hwreg_name(const struct gcn_chip *chip, unsigned id)
{
    const char *name = gpudbg_enum_name(gcn_hwregs(chip), id);
    const bool lacked = chip->newer_hwregs && id == (chip->cycles ? GCN_HW_XNACK_MASK : GCN_HW_SHADER_CYCLES);
    return lacked || !name || strncmp(name, "HW_REG", 6) != 0 ? NULL : name;
}

static char *put_hwreg(char *p, const struct gcn_chip *chip, unsigned value)
{
    unsigned id = GET(value, SOPK_HWREG, hwreg), offset = GET(value, SOPK_HWREG, offset),
             size = GET(value, SOPK_HWREG, size) + 1;
    p = PUT(p, "hwreg(");
    const char *name = gcn_hwreg_name(chip, id);
    if (name)
        p = put(p, name);
    else
        p = put_small(p, id);
    if (offset || size != 32) {
        p = PUT(p, ", ");
        p = put_small(p, offset);
        p = PUT(p, ", ");
        p = put_small(p, size);
    }
    return PUT(p, ")");
}

char *put_simm16(char *p, const struct gcn_chip *chip, int encoding, unsigned type, uint16_t value)
{
    switch (type) {
    case GCN_WAITCNT: return put_waitcnt(p, chip, value);
    case GCN_DEPCTR: return put_depctr(p, chip, value);
    case GCN_SENDMSG: return chip->newer_hwregs ? put_newer_sendmsg(p, value) : put_sendmsg(p, value);
    case GCN_HWREG: return put_hwreg(p, chip, value);
    }
    if (encoding == GCN_SOPK) return put_hex(p, value);
    return value < 256 ? put_small(p, value) : put_number(p, type == GCN_I16 ? (int16_t)value : value);
}

/* Operands without a register or number: kind SPECIAL, by type. */
static char *put_special(char *p, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    switch (o->type) {
    case GCN_ATTRIBUTE: return put_attribute(p, (unsigned)o->imm);
    case GCN_SLOT:
        if (o->imm < 3) return put(p, gcn_parameters[o->imm]);
        p = PUT(p, "invalid_param_");
        return put_number(p, o->imm);
    case GCN_EXPORT: return put(p, gpudbg_enum_name(gcn_export_targets(gcn_chip_of(insn->isa)), (uint64_t)o->imm));
    }
    return PUT(p, "off");
}

/* Registers that make the address of a memory operand: the fields of the instruction, or M0 alone. */
static char *put_address(char *p, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    static const uint8_t parts[] = {
        GCN_IN_SBASE, GCN_IN_SADDR, GCN_IN_SRSRC, GCN_IN_ADDR, GCN_IN_VADDR, GCN_IN_SOFFSET, GCN_IN_OFFSET};
    const char *start = p;
    bool by_m0 = o->file == GPUDBG_LOCAL && (insn->variant == GCN_MUBUF || is_memory_word((int)insn->variant));
    for (unsigned i = 0; i < sizeof parts && !by_m0; i++) {
        const struct gpudbg_operand *part = gcn_operand(insn, parts[i]);
        if (!part || !(part->kind == GPUDBG_REGISTER || (parts[i] == GCN_IN_SOFFSET && part->imm))) continue;
        if (p != start) *p++ = '+';
        p = put_operand(p, insn, part);
    }
    return p == start ? PUT(p, "m0") : p;
}

/* Memory, for "reads" and "writes": its space and the registers of its address. */
static char *put_memory(char *p, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    p = put(p, o->file == GPUDBG_LOCAL ? "lds[" : o->sub ? "gds[" : "memory[");
    p = put_address(p, insn, o);
    if (o->imm) {
        *p++ = '+';
        p = put_number(p, o->imm);
    }
    return PUT(p, "]");
}

static char *put_integer(char *p, const struct gcn_chip *chip, const struct gpudbg_operand *o)
{
    if (o->swizzle == GCN_IN_OFFSET && !o->sub)
        return o->imm < 0 ? put_hex(PUT(p, "-"), (uint64_t)-o->imm) : put_hex(p, (uint64_t)o->imm);
    return o->sub ? put_code(p, chip, o->sub, 1) : put_number(p, o->imm);
}

static char *put_plain(char *p, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    static const char *const files[GCN_FILES] = {"s", "v", "vcc", "exec", "scc", "m0", "flat_scratch", "tba", "tma",
        "ttmp", "mode", "status", "trapsts", "hw_id", "gpr_alloc", "lds_alloc", "ib_sts"};
    const struct gcn_chip *chip = gcn_chip_of(insn->isa);
    if (o->swizzle == GCN_IN_SIMM16 && o->kind != GPUDBG_CODE)
        return put_simm16(p, chip, (int)insn->variant, o->type, (uint16_t)o->imm);
    switch ((enum gpudbg_operand_kind)o->kind) {
    case GPUDBG_REGISTER:
        if (o->file == GCN_FILE_V) {
            *p++ = 'v';
            return put_run(p, o->reg, o->count);
        }
        if (o->flags & GPUDBG_IMPLICIT) return put(p, files[o->file]);
        return put_code(p, chip, o->sub, dwords_of(o->type));
    case GPUDBG_INTEGER: return put_integer(p, chip, o);
    case GPUDBG_NUMBER:
        if (is_half_as_bits(chip, o->type, o->sub)) return put_half_bits(p, o->sub);
        return o->sub == GCN_CODE_INV_2PI ? put_inv_2pi(p, dwords_of(o->type)) : put_code(p, chip, o->sub, 1);
    case GPUDBG_LITERAL: {
        const uint32_t bits = literal_of_insn(insn);
        return put_hex(p, is_half_literal(chip, o->type) ? (uint16_t)bits : bits);
    }
    case GPUDBG_CODE: return put_hex(p, (uint64_t)o->imm);
    case GPUDBG_MEMORY: return put_memory(p, insn, o);
    case GPUDBG_SPECIAL:
        if (o->type && o->type < GCN_TARGET && lacks_flat_scratch(chip, o->sub))
            return put_number(PUT(p, "reserved_"), o->sub);
        return o->type >= GCN_TARGET || o->sub == 0 ? put_special(p, insn, o) : put_code(p, chip, o->sub, 1);
    }
    return p;
}

char *put_operand(char *p, const struct gpudbg_insn *insn, const struct gpudbg_operand *o)
{
    if (!o->mods) return put_plain(p, insn, o);
    /* A minus sign before a constant would be read as part of the constant. */
    const bool bars = o->mods & GCN_ABS && gcn_chip_of(insn->isa)->newer_vop3; /* -|1| is read as it is meant */
    bool word = o->mods & GCN_NEG && !bars &&
                (o->kind == GPUDBG_INTEGER || o->kind == GPUDBG_NUMBER || o->kind == GPUDBG_LITERAL);
    if (word)
        p = PUT(p, "neg(");
    else if (o->mods & GCN_NEG)
        *p++ = '-';
    if (o->mods & GCN_ABS) *p++ = '|';
    if (o->mods & GCN_SEXT) p = PUT(p, "sext(");
    p = put_plain(p, insn, o);
    if (o->mods & GCN_SEXT) *p++ = ')';
    if (o->mods & GCN_ABS) *p++ = '|';
    if (word) *p++ = ')';
    return p;
}

int gcn_operand_text(const struct gpudbg_insn *insn, unsigned operand, char *buf, size_t size)
{
    char text[TEXT_OPERAND], *p = text;
    if (operand < insn->noperands) p = put_operand(p, insn, &insn->operands[operand]);
    return put_out(text, p, buf, size);
}
