/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gen_fields.c: fields.def and enums.def as data, and the meanings of fields in words. */
#include <inttypes.h>
#include <stdio.h>

#include "gpudbg/text.h"
#include "code/arf.h"
#include "code/gen_decoder.h"
#include "code/message.h"
#include "code/predicate.h"

/* ---- Enumerations ---- */

#define ENUM(name, source) static const struct gpudbg_value values_##name[] = {
#define VALUE(value, name, doc) {value, name, doc},
/* clang-format off */
#define END };
/* clang-format on */
#include "code/enums.def"
#undef ENUM
#undef VALUE
#undef END

#define ENUM(id, where)                           \
    static const struct gpudbg_enum enum_##id = { \
        .name = #id, .source = where, .values = values_##id, .count = sizeof values_##id / sizeof *values_##id};
#define VALUE(value, name, doc)
#define END
#include "code/enums.def"
#undef ENUM
#undef VALUE
#undef END

const struct gpudbg_enum *const gen_e1_enums[] = {&enum_AccessMode, &enum_MaskCtrl, &enum_ThreadCtrl, &enum_ExecSize,
    &enum_AddrMode, &enum_HorzStride, &enum_Width, &enum_VertStride, &enum_ChanSel, &enum_RepCtrl, &enum_TernaryType7,
    &enum_SamplerSIMD, &enum_SurfaceSIMD, &enum_OwordBlocks, &enum_DualBlocks, &enum_ScatteredLanes, &enum_ByteSize,
    &enum_AtomicOp, &enum_ScratchSize, &enum_TargetKind, &enum_VMEType, NULL};
const struct gpudbg_enum *const gen_e8_enums[] = {&enum_AccessMode, &enum_MaskCtrl, &enum_ThreadCtrl, &enum_ExecSize,
    &enum_AddrMode, &enum_HorzStride, &enum_Width, &enum_VertStride, &enum_ChanSel, &enum_RepCtrl,
    &enum_TernaryHorzStride, &enum_ExecDataType, &enum_RegFile11, &enum_RegFile12, &enum_SamplerSIMD, &enum_SurfaceSIMD,
    &enum_OwordBlocks, &enum_DualBlocks, &enum_ScatteredLanes, &enum_ByteSize, &enum_AtomicOp, &enum_ScratchSize12,
    &enum_TargetKind, &enum_FloatAtomicOp, &enum_ElementKind, &enum_ElementCount, &enum_BlockKind, &enum_VMEType, NULL};
const struct gpudbg_enum *const gen_e2_enums[] = {&enum_MaskCtrl, &enum_ExecSize, &enum_ChanOff, &enum_AddrMode,
    &enum_HorzStride, &enum_Width, &enum_VertStride, &enum_TernaryVertStride, &enum_TernaryHorzStride,
    &enum_ExecDataType, &enum_BfnCondition, &enum_SystolicDepth, &enum_SubByte, &enum_RegFile12, &enum_SyncFC,
    &enum_SamplerSIMD, &enum_SurfaceSIMD, &enum_OwordBlocks, &enum_DualBlocks, &enum_ScatteredLanes, &enum_ByteSize,
    &enum_AtomicOp, &enum_ScratchSize12, &enum_TargetKind, &enum_FloatAtomicOp, &enum_ElementKind, &enum_ElementCount,
    &enum_BlockKind, &enum_LscAddress, &enum_LscData, &enum_LscVector, &enum_LscCache, &enum_LscSurface, &enum_LscScope,
    &enum_LscFlush, &enum_VMEType, NULL};

/* ---- Meanings: int say_X(insn, value, buf, size), as gpudbg_field.describe ---- */

#define SAYS(name) static int say_##name(const struct gpudbg_insn *insn, uint64_t value, char *buf, size_t size)
#define PLAIN(name, ...)                         \
    SAYS(name)                                   \
    {                                            \
        (void)insn;                              \
        return snprintf(buf, size, __VA_ARGS__); \
    }

static bool unpacked(const struct gpudbg_insn *insn, struct gen_insn *i)
{
    if (!insn || !insn->op) return false;
    gen_unpack(insn, i);
    return true;
}

PLAIN(sub16, "byte %u", (unsigned)value * 16)
PLAIN(imm16, "%d B", gen_signed((uint32_t)value, 6) * 16)
PLAIN(dwords, "dword %u, byte %u", (unsigned)value, (unsigned)value * 4)
PLAIN(repeat, "%u", (unsigned)value + 1)
PLAIN(registers, "%u register%s", (unsigned)value, value == 1 ? "" : "s")
PLAIN(nibble, "%s", value ? "channels 4 to 7 of the eight" : "from the first of the eight on")
PLAIN(file_dst, "%s", value == 0 ? "ARF" : value == 1 ? "GRF" : value == 2 ? "reserved" : "constant")
PLAIN(ex_desc_addr, "a0.%u:ud", (unsigned)value)
PLAIN(unused, "%s", value ? "not used here, ignored" : "not used here")

/* Whether any part of the instruction uses a flag. */
static bool uses_flag(const struct gpudbg_insn *insn)
{
    struct gen_insn i;
    return !unpacked(insn, &i) || i.pred || (i.cmod && i.shape < GEN_JUMP) || gen_ends_early(&i);
}

PLAIN(flag_reg, "f%u%s", (unsigned)value, uses_flag(insn) ? "" : ", not used here")
PLAIN(flag_sub, "half %u%s", (unsigned)value, uses_flag(insn) ? "" : ", not used here")

SAYS(pred_inv)
{
    struct gen_insn i;
    bool ignored = unpacked(insn, &i) && !i.pred;
    return snprintf(buf, size, "%s%s", value ? "yes" : "no", ignored ? ", not used here" : "");
}

/* Modifiers of a source mean nothing if the source is a constant. */
static int say_modifier(const struct gpudbg_insn *insn, unsigned n, uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    bool ignored = unpacked(insn, &i) && (i.src[n].mode == GEN_IMMEDIATE || i.src[n].mode == GEN_ABSENT);
    return snprintf(buf, size, "%s%s", value ? "yes" : "no", ignored ? ", not used here" : "");
}
SAYS(modifier0) { return say_modifier(insn, 0, value, buf, size); }
SAYS(modifier2) { return say_modifier(insn, 2, value, buf, size); }

SAYS(quarter)
{
    struct gen_insn i;
    if (!unpacked(insn, &i) || i.shape == GEN_NONE)
        return snprintf(buf, size, insn && insn->op ? "not used here" : "from channel %u on", (unsigned)value * 8);
    return snprintf(buf, size, "channels %u to %u", i.chan_off, i.chan_off + i.exec_size - 1u);
}

SAYS(predicate)
{
    struct gen_insn i;
    if (value == 0) return snprintf(buf, size, "none");
    if (!unpacked(insn, &i)) return snprintf(buf, size, "code %u", (unsigned)value);
    const char *name = gen_pred_name(&i);
    if (!name) return snprintf(buf, size, "reserved (%u)", (unsigned)value);
    return snprintf(buf, size, "%sf%u.%u%s%s%s", i.pred_inv ? "not " : "", i.flag_reg, i.flag_sub, *name ? "." : "",
        name, gen_joins_flags(&i) ? i.eu->joins : "");
}

/* The generation of a field; NULL: the field is without an instruction, and has the names of the oldest one. */
static const struct gen_eu *eu_of(const struct gpudbg_insn *insn)
{
    return insn && insn->isa ? gen_eu_of(insn->isa) : NULL;
}

SAYS(cond_mod)
{
    const char *name = gen_cmod_name((unsigned)value, !eu_of(insn) || eu_of(insn)->isa.syntaxes[0][0] == 'p');
    struct gen_insn i;
    const bool chooses = unpacked(insn, &i) && (GEN_IS(i.op, CHOOSES) || GEN_IS(i.op, COMPARES)),
               saturates = value && name && !chooses && unpacked(insn, &i) && i.saturate;
    const char *seen = !saturates                 ? ""
                       : value == 8 || value == 9 ? " before .sat (inferred)" /* overflow, NaN */
                                                  : " after .sat (as seen on chips)";
    return snprintf(buf, size, "%s%s", value == 0 ? "none" : name ? name : "reserved", seen);
}

SAYS(math)
{
    const struct gen_eu *eu = eu_of(insn);
    const char *name = eu ? gen_math_name(eu, (unsigned)value) : gen_math_names[0][value & 15];
    return snprintf(buf, size, "%s", name ? name : "reserved");
}

SAYS(sfid)
{
    const struct gen_eu *eu = eu_of(insn);
    const char *name = eu ? gen_sfid_name(eu, (unsigned)value) : gen_sfids[0][GEN_SFID_SHORT][value & 15];
    return snprintf(buf, size, "%s", name ? name : "reserved");
}

SAYS(cond_or_function)
{
    struct gen_insn i;
    if (unpacked(insn, &i) && i.shape >= GEN_JUMP) return snprintf(buf, size, "not used here");
    if (unpacked(insn, &i) && i.shape == GEN_MATH) return say_math(insn, value, buf, size);
    if (insn && insn->op && i.shape == GEN_SEND) return say_sfid(insn, value, buf, size);
    return say_cond_mod(insn, value, buf, size);
}

SAYS(components)
{
    char names[5], *p = names;
    (void)insn;
    for (unsigned c = 0; c < 4; c++)
        if (value >> c & 1) *p++ = "xyzw"[c];
    *p = 0;
    return snprintf(buf, size, "%s", *names ? names : "none");
}

SAYS(swsb)
{
    struct gen_insn i;
    char text[64];
    if (!unpacked(insn, &i)) return snprintf(buf, size, "0x%02x", (unsigned)value);
    if (value == 0) return snprintf(buf, size, "no dependency");
    *gen_put_swsb(text, i.eu, i.op, (unsigned)value) = 0;
    return snprintf(buf, size, "%s", text);
}

static int say_swizzle(const struct gpudbg_insn *insn, unsigned n, uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    bool ignored = unpacked(insn, &i) && i.src[n].rep;
    return snprintf(buf, size, "%c%c%c%c%s", "xyzw"[value & 3], "xyzw"[value >> 2 & 3], "xyzw"[value >> 4 & 3],
        "xyzw"[value >> 6 & 3], ignored ? ", not used here: the source is replicated" : "");
}
SAYS(swizzle0) { return say_swizzle(insn, 0, value, buf, size); }
SAYS(swizzle1) { return say_swizzle(insn, 1, value, buf, size); }
SAYS(swizzle2) { return say_swizzle(insn, 2, value, buf, size); }

/* Types.  Constants have other codes than registers. */
static int type_text(unsigned type, uint64_t value, char *buf, size_t size)
{
    if (type == GEN_BADTYPE) return snprintf(buf, size, "reserved (%u)", (unsigned)value);
    return snprintf(buf, size, ":%s", gen_type_name[type]);
}
static int source_file(const struct gpudbg_insn *insn, unsigned n, uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    bool ignored = unpacked(insn, &i) && !gen_uses_file(&i, n);
    return ignored ? snprintf(buf, size, "not used here") : say_file_dst(insn, value, buf, size);
}
SAYS(file_src0) { return source_file(insn, 0, value, buf, size); }
SAYS(file_src1) { return source_file(insn, 1, value, buf, size); }

/* Without an instruction a code has the meaning that it has in the oldest generation. */
static const uint8_t *types_of(const struct gpudbg_insn *insn)
{
    return eu_of(insn) ? eu_of(insn)->types : gen_e1_types;
}
SAYS(type_dst) { return type_text(types_of(insn)[value & 15], value, buf, size); }
SAYS(type_ter)
{
    const uint8_t *types = eu_of(insn) ? eu_of(insn)->ternary_types : gen_e1_ternary_types;
    return type_text(types[value & 7], value, buf, size);
}
static int source_type(const struct gpudbg_insn *insn, unsigned n, uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    if (!unpacked(insn, &i)) return type_text(types_of(insn)[value & 15], value, buf, size);
    const struct gen_eu *eu = i.eu;
    const unsigned e = eu->column;
    if (e == GEN_COLUMN_e2 ? n && i.nsrc < 2 : !gen_uses_type(&i, n)) return snprintf(buf, size, "not used here");
    const bool imm = e == GEN_COLUMN_e2 ? n ? GET(e, i.w, src1_is_imm) : GET(e, i.w, src0_is_imm)
                                        : (n ? GET(e, i.w, src1_file) : GET(e, i.w, src0_file)) == 3;
    if (imm && GEN_IS(i.op, IMM64)) return snprintf(buf, size, ":df whatever the bits are, not used here");
    return type_text((imm ? eu->imm_types : eu->types)[value & 15], value, buf, size);
}
SAYS(type_src0) { return source_type(insn, 0, value, buf, size); }
SAYS(type_src1) { return source_type(insn, 1, value, buf, size); }
/* Whether source 1 is a constant: only forms with two sources use this bit. */
SAYS(imm1)
{
    struct gen_insn i;
    bool ignored = unpacked(insn, &i) && i.nsrc < 2;
    return snprintf(buf, size, "%s%s", value ? "yes" : "no", ignored ? ", not used here" : "");
}
/* Of branches with one target, and of ret, which has no target. */
SAYS(target_imm)
{
    struct gen_insn i;
    bool ignored = unpacked(insn, &i) && i.shape == GEN_RET;
    return snprintf(buf, size, "%s%s", value ? "yes" : "no", ignored ? ", not used here" : "");
}
/* The row step of source 0 of a three-source instruction. */
SAYS(vstride3)
{
    struct gen_insn i;
    bool ignored = unpacked(insn, &i) && i.src[0].mode == GEN_IMMEDIATE;
    return snprintf(buf, size, ignored ? "not used here" : "%u elements", gen_e2_row_steps[value & 3]);
}
SAYS(row_step) { return snprintf(buf, size, "%u elements", eu_of(insn) ? eu_of(insn)->row_steps[value & 3] : 0u); }
SAYS(type3)
{
    struct gen_insn i;
    const bool known = unpacked(insn, &i);
    const gen_region_types types = known ? i.eu->region_types : gen_e2_region_types;
    return type_text(types[known ? GET(i.eu->column, i.w, ter_exec_type) : 0][value & 7], value, buf, size);
}

/* The operand that a field belongs to, as the PRM writes it: n is -1 for the destination. */
static int say_operand(const struct gpudbg_insn *insn, int n, uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    char text[TEXT_OPERAND];
    if (!unpacked(insn, &i)) return snprintf(buf, size, "number %u", (unsigned)value);
    if (i.shape >= GEN_JUMP && n > 0 && i.nsrc) n = 0;
    const struct gen_operand *o = n < 0 ? &i.dst : &i.src[n];
    if (o->mode == GEN_ABSENT) return snprintf(buf, size, "not used here");
    return gen_put_out(text, gen_prm_operand(text, &i, o, n < 0), buf, size);
}
SAYS(dst) { return say_operand(insn, -1, value, buf, size); }
SAYS(src0) { return say_operand(insn, 0, value, buf, size); }
SAYS(src1) { return say_operand(insn, 1, value, buf, size); }
SAYS(src2) { return say_operand(insn, 2, value, buf, size); }

/* The bytes that are added to an address: a word may have them in two pieces. */
static int say_added(const struct gpudbg_insn *insn, int n, uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    if (!unpacked(insn, &i)) return snprintf(buf, size, "%u B", (unsigned)value);
    return snprintf(buf, size, "%d B", (n < 0 ? &i.dst : &i.src[n])->addr_imm);
}
SAYS(dst_added) { return say_added(insn, -1, value, buf, size); }
SAYS(src0_added) { return say_added(insn, 0, value, buf, size); }
SAYS(src1_added) { return say_added(insn, 1, value, buf, size); }

static int say_sub(const struct gpudbg_insn *insn, int n, uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    if (unpacked(insn, &i)) {
        if (i.shape >= GEN_JUMP && n > 0 && i.nsrc) n = 0;
        const struct gen_operand *o = n < 0 ? &i.dst : &i.src[n];
        if (o->mode == GEN_ABSENT) return snprintf(buf, size, "not used here");
        unsigned width = gen_type_size[o->type];
        if (gen_is_macro(&i)) return snprintf(buf, size, o->mme < 8 ? "mme%u" : "nomme", o->mme);
        if (value % width) return snprintf(buf, size, "byte %u, not a multiple of the element size", (unsigned)value);
        return snprintf(buf, size, "byte %u, element %u", (unsigned)value, (unsigned)value / width);
    }
    return snprintf(buf, size, "byte %u", (unsigned)value);
}
SAYS(dst_sub) { return say_sub(insn, -1, value, buf, size); }
SAYS(src0_sub) { return say_sub(insn, 0, value, buf, size); }
SAYS(src1_sub) { return say_sub(insn, 1, value, buf, size); }
SAYS(src2_sub) { return say_sub(insn, 2, value, buf, size); }
SAYS(dst_sub8) { return say_sub(insn, -1, value * 8, buf, size); }
SAYS(mme_low)
{
    struct gen_insn i;
    if (unpacked(insn, &i) && gen_is_macro(&i)) return say_sub(insn, -1, i.dst.sub, buf, size);
    return snprintf(buf, size, "%s", value ? "reserved, should be 0" : "not used here");
}

/* The constant as its source reads it. */
SAYS(imm)
{
    struct gen_insn i;
    char text[TEXT_OPERAND];
    if (unpacked(insn, &i))
        for (unsigned n = 0; n < i.nsrc; n++)
            if (i.src[n].mode == GEN_IMMEDIATE)
                return gen_put_out(text, gen_put_imm(text, i.src[n].type, i.src[n].imm, false), buf, size);
    return snprintf(buf, size, "0x%" PRIx64, value);
}

SAYS(jip)
{
    struct gen_insn i;
    if (!unpacked(insn, &i)) return snprintf(buf, size, "0x%" PRIx64, value);
    return snprintf(buf, size, "0x%" PRIx64 " (%+" PRId64 " B)", i.jip_target, i.jip);
}
SAYS(uip)
{
    struct gen_insn i;
    if (!unpacked(insn, &i)) return snprintf(buf, size, "0x%" PRIx64, value);
    return snprintf(buf, size, "0x%" PRIx64 " (%+" PRId64 " B)", i.uip_target, i.uip);
}

PLAIN(bytes32, "%u B", (unsigned)value * 32)

SAYS(surface)
{
    struct gen_insn i;
    if (value == GEN_BTI_BINDLESS && unpacked(insn, &i) && i.eu->bindless) return snprintf(buf, size, "bindless");
    if (value == 0xfe) return snprintf(buf, size, "SLM");
    if (value == 0xff) return snprintf(buf, size, "stateless");
    if (value == 0xfd) return snprintf(buf, size, "stateless, not coherent");
    return snprintf(buf, size, "surface %u", (unsigned)value);
}

/* Offsets are signed sixteenths of a pixel, x in the low four bits; sample numbers are in the high four. */
SAYS(interpolation)
{
    struct gen_insn i;
    unsigned kind = unpacked(insn, &i) ? i.desc >> 12 & 3 : 0;
    if (kind == 1) return snprintf(buf, size, "sample %u", (unsigned)value >> 4);
    if (kind) return snprintf(buf, size, "not used here");
    return snprintf(
        buf, size, "%+d/16, %+d/16", gen_signed((uint32_t)value & 15, 4), gen_signed((uint32_t)value >> 4, 4));
}

SAYS(absent) { return say_components(insn, ~value & 15, buf, size); }

SAYS(message_name)
{
    struct gen_insn i;
    if (!unpacked(insn, &i)) return snprintf(buf, size, "message %u", (unsigned)value);
    const struct gen_request *m = gen_request_of(i.eu, i.sfid, i.desc);
    return snprintf(buf, size, "%s", m ? m->name : "unknown");
}

SAYS(message)
{
    struct gen_insn i;
    if (!unpacked(insn, &i)) return snprintf(buf, size, "0x%" PRIx64, value);
    return gen_message_text(&i, buf, size);
}
PLAIN(ex_desc_high, "0x%x", (unsigned)value << 16)
SAYS(ex_desc_split)
{
    (void)insn;
    const unsigned n = (unsigned)value & 15, rest = (unsigned)(value >> 4) << 16;
    return snprintf(buf, size, "0x%x: %u register%s of second payload", rest | n << 6, n, n == 1 ? "" : "s");
}
SAYS(ex_desc)
{
    struct gen_insn i;
    if (!unpacked(insn, &i)) return snprintf(buf, size, "0x%" PRIx64, value << 6);
    const unsigned n = i.ex_desc >> 6 & 15;
    struct text t = text_in(buf, size);
    text_add(&t, "0x%x: %u register%s of second payload", i.ex_desc, n, n == 1 ? "" : "s");
    if (gen_is_target(&i) && i.eu->target_in_ex_desc)
        text_add(&t, ", render target %u%s%s", i.ex_desc >> 12 & 7, i.ex_desc >> 15 & 1 ? ", source 0 alpha" : "",
            i.ex_desc >> 20 & 1 ? ", null render target" : "");
    return text_length(&t);
}

/* A register's number in a compacted word means nothing if its place in the native word does. */
static int say_stored(const struct gpudbg_insn *insn, enum gen_place_name two, enum gen_place_name three,
    uint64_t value, char *buf, size_t size)
{
    struct gen_insn i;
    uint64_t m[2] = {0, 0};
    bool nothing = false;
    if (unpacked(insn, &i)) {
        const struct gen_place *at = &gen_places[i.eu->column][gen_has_three(i.shape) ? three : two];
        gen_unused_bits(insn, &i, m);
        nothing = gen_bits(m, at->lo, at->len) == ((uint64_t)1 << at->len) - 1;
    }
    return snprintf(buf, size, "number %u%s", (unsigned)value, nothing ? ", not used here" : "");
}
SAYS(stored_dst) { return say_stored(insn, GEN_P_dst_reg, GEN_P_ter_dst_reg, value, buf, size); }
SAYS(stored_src0) { return say_stored(insn, GEN_P_src0_reg, GEN_P_ter_src0_reg, value, buf, size); }
SAYS(stored_src1) { return say_stored(insn, GEN_P_src1_reg, GEN_P_ter_src1_reg, value, buf, size); }
SAYS(stored_src2) { return say_stored(insn, GEN_P_ter_src2_reg, GEN_P_ter_src2_reg, value, buf, size); }

/* Whether a source that the instruction uses is a constant; the constants of branches and messages are elsewhere. */
static bool has_constant(const struct gpudbg_insn *insn)
{
    struct gen_insn i;
    if (!unpacked(insn, &i) || i.jip_is_imm || (i.shape == GEN_SEND && !i.desc_is_reg)) return true;
    for (unsigned n = 0; n < i.nsrc; n++)
        if (i.src[n].mode == GEN_IMMEDIATE) return true;
    return false;
}
SAYS(imm13)
{
    return snprintf(buf, size, "%d%s", gen_signed((uint32_t)value, 13), has_constant(insn) ? "" : ", not used here");
}
SAYS(imm12)
{
    return has_constant(insn) ? say_imm(insn, value, buf, size)
                              : snprintf(buf, size, "0x%03x, not used here", (unsigned)value);
}

/* A row of a compaction table, its bits as the manual lists them. */
static int say_row(enum gen_table t, uint64_t value, char *buf, size_t size)
{
    unsigned bits;
    int64_t row = gen_table_row(t, (unsigned)value, &bits);
    char text[64], *p = text;
    if (row < 0) return snprintf(buf, size, "no such row");
    while (bits--) *p++ = (char)('0' + (row >> bits & 1));
    *p = 0;
    return snprintf(buf, size, "row %u: %s", (unsigned)value, text);
}
#define TABLE(name, rows, bits)                         \
    __attribute__((unused)) SAYS(name)                  \
    {                                                   \
        (void)insn;                                     \
        return say_row(GEN_T_##name, value, buf, size); \
    }
#define ROW(bits)
#define END
#include "code/compact.def"
#undef TABLE
#undef ROW
#undef END

/* Generations with the same words may have different tables of files and types. */
SAYS(datatype)
{
    const struct gen_eu *eu = eu_of(insn);
    return say_row(eu ? (enum gen_table)eu->datatype_table : GEN_T_c1_datatype, value, buf, size);
}

/* ---- Fields ---- */

#define NUMBER .kind = GPUDBG_UINT
#define SIGNED .kind = GPUDBG_SINT
#define FLAG .kind = GPUDBG_FLAG
#define RESERVED .kind = GPUDBG_MBZ
#define UNUSED .kind = GPUDBG_UINT, .describe = say_unused
#define CODE .kind = GPUDBG_OPCODE
#define NAMED(id) .kind = GPUDBG_ENUM, .meaning = &enum_##id
#define SAY(what) .kind = GPUDBG_UINT, .describe = say_##what

#define RUN(at, range)                       \
    {                                        \
        GEN_LO(range) - (at), GEN_LEN(range) \
    }
#define RUNS2(at, a, b) RUN(at, a), RUN(at, b)
#define RUNS4(at, a, b, c, d) RUN(at, a), RUN(at, b), RUN(at, c), RUN(at, d)
#define RUNS5(at, a, b, c, d, e) RUN(at, a), RUN(at, b), RUN(at, c), RUN(at, d), RUN(at, e)
#define RUNS6(at, a, b, c, d, e, f) RUNS5(at, a, b, c, d, e), RUN(at, f)
#define PICK(a, b, c, d, e, f, name, ...) name
#define RUNS(at, ...) PICK(__VA_ARGS__, RUNS6, RUNS5, RUNS4, , RUNS2, , )(at, __VA_ARGS__)

#define FORMAT(layout, word, at, bits, doc) static const struct gpudbg_field fields_##layout[] = {
#define FIELD(layout, id, at, range, how, text) {.name = #id, .run = {RUN(at, range)}, how, .doc = text},
#define SPLIT(layout, id, at, how, text, ...) {.name = #id, .run = {RUNS(at, __VA_ARGS__)}, how, .doc = text},
/* clang-format off */
#define END };
/* clang-format on */
#include "code/fields.def"
#undef FORMAT
#undef FIELD
#undef SPLIT
#undef END

#define MESSAGE(...)
#define WORD(...)
#define FORMAT(layout, word, at, bits, doc) static const struct gpudbg_field fields_##layout[] = {
#define FIELD(layout, id, at, range, how, text) {.name = #id, .run = {RUN(at, range)}, how, .doc = text},
/* clang-format off */
#define END };
/* clang-format on */
#include "code/messages.def"
#undef FORMAT
#undef FIELD
#undef END
#define FORMAT(layout, word, at, width, text)                     \
    [GEN_##layout] = {.name = #word,                              \
        .source = "data port, sampler, gateway and URB messages", \
        .doc = text,                                              \
        .bits = width,                                            \
        .fields = fields_##layout,                                \
        .count = sizeof fields_##layout / sizeof *fields_##layout},
#define FIELD(layout, id, at, range, how, text)
#define END
const struct gpudbg_format gen_descriptors[GEN_DESCRIPTORS] = {
#include "code/messages.def"
};
#undef FORMAT
#undef FIELD
#undef END

#define FIELD(layout, id, at, range, how, text)
#define SPLIT(layout, id, at, how, text, ...)
#define END
#define FORMAT(layout, word, at, width, text)                                  \
    [GEN_L_##layout] = {.name = #word,                                         \
        .source = "Ivy Bridge, volume 4 part 3; Haswell and DG1 enumerations", \
        .doc = text,                                                           \
        .bits = width,                                                         \
        .fields = fields_##layout,                                             \
        .count = sizeof fields_##layout / sizeof *fields_##layout},
const struct gpudbg_format gen_layouts[GEN_LAYOUTS] = {
#include "code/fields.def"
};
#undef FORMAT
#define FORMAT(layout, word, at, bits, doc) [GEN_L_##layout] = at,
const uint8_t gen_layout_at[GEN_LAYOUTS] = {
#include "code/fields.def"
};
#undef FORMAT
