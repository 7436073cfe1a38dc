/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * assemble_lanes.c: the SDWA and DPP words of newer chips in LLVM's syntax.  While the text is read, the word has its
 * sources in nine bits, as without such a word, and those that a short word has no room for above bit 31; gcn_put_lanes
 * then moves them to the second word.
 */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"
#include "gpudbg/text.h"

/* Places above the short word. */
enum { SRC1_AT = 32, SDST_AT = 48 };
#define WIDE(lo, bits)                                          \
    {                                                           \
        (bits), (uint16_t)-GCN_CODE_FLAT_SCRATCH, (lo), 0, 0, 0 \
    }

static bool is_named(const char *at, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(at, name, n) == 0;
}

static bool is_sdwa(const struct gcn_assembly *a) { return a->lanes == GCN_W_SDWA || a->lanes == GCN_W_SDWA_VOPC; }

uint32_t gcn_lanes_usual(const struct gcn_assembly *a)
{
    const uint32_t second = gcn_sources(a->op) > 1 ? (uint32_t)IN_PLACE(6, SDWA, src1_sel) : 0;
    switch (a->lanes) {
    case GCN_W_SDWA:
        return (uint32_t)(IN_PLACE(6, SDWA, dst_sel) | IN_PLACE(2, SDWA, dst_unused) | IN_PLACE(6, SDWA, src0_sel)) |
               second;
    case GCN_W_SDWA_VOPC: return (uint32_t)IN_PLACE(6, SDWA, src0_sel) | second;
    case GCN_W_DPP:
        return (
            uint32_t)(IN_PLACE(0xe4, DPP, dpp_ctrl) | MASK(DPP, bank_mask) | MASK(DPP, row_mask)); /* each its own */
    }
    return 0;
}

struct gcn_field_place gcn_lanes_place(const struct gcn_assembly *a, uint32_t operand)
{
    static const struct gcn_field_place source = WIDE(SRC1_AT, 511), result = WIDE(SDST_AT, 127);
    const unsigned slot = operand & 255;
    if (slot == GCN_IN_SRC1 && is_sdwa(a)) return source;
    if (slot == GCN_IN_SDST && a->lanes == GCN_W_SDWA_VOPC) {
        struct gcn_field_place place = result;
        place.use = gcn_place(a->op, a->encoding, operand).use;
        return place;
    }
    return gcn_place(a->op, a->encoding, operand);
}

bool gcn_put_lanes_signs(struct gcn_assembly *a, unsigned source, unsigned mods)
{
    static const uint32_t sdwa[2][3] = {{MASK(SDWA, src0_neg), MASK(SDWA, src0_abs), MASK(SDWA, src0_sext)},
        {MASK(SDWA, src1_neg), MASK(SDWA, src1_abs), MASK(SDWA, src1_sext)}};
    static const uint32_t dpp[2][3] = {{MASK(DPP, src0_neg), MASK(DPP, src0_abs), MASK(DPP, src0_neg)},
        {MASK(DPP, src1_neg), MASK(DPP, src1_abs), MASK(DPP, src1_neg)}};
    const uint32_t *bits = is_sdwa(a) ? sdwa[source] : dpp[source];
    if (a->lanes == GCN_W_DPP8) return false;
    a->literal |= (mods & GCN_NEG ? bits[0] : 0) | (mods & GCN_ABS ? bits[1] : 0) | (mods & GCN_SEXT ? bits[2] : 0);
    return true;
}

bool gcn_put_lanes(struct gcn_assembly *a, const char *from)
{
    const unsigned src0 = GET(a->w, VOP1, src0), src1 = (unsigned)(a->w >> SRC1_AT) & 511,
                   sdst = (unsigned)(a->w >> SDST_AT) & 127;
    a->w = (uint32_t)a->w & ~MASK(VOP1, src0);
    if (!is_sdwa(a) && src0 < GCN_CODE_VGPR)
        return gpudbg_reading_wants(a->r, from, "syntax", "the first source of a DPP form is a VGPR");
    a->literal |= src0 & 255;
    if (is_sdwa(a)) {
        a->w |= GCN_CODE_SDWA;
        if (src0 < GCN_CODE_VGPR) a->literal |= (uint32_t)MASK(SDWA, s0);
        if (gcn_sources(a->op) > 1) {
            a->w |= IN_PLACE(src1 & 255, VOP2, vsrc1);
            if (src1 < GCN_CODE_VGPR) a->literal |= (uint32_t)MASK(SDWA, s1);
        }
        if (a->lanes == GCN_W_SDWA_VOPC && !(a->op->flags & GCN_EXEC_W) && sdst != GCN_CODE_VCC)
            a->literal |= (uint32_t)(IN_PLACE(sdst, SDWA_VOPC, sdst) | MASK(SDWA_VOPC, sd));
    } else if (a->lanes == GCN_W_DPP) {
        a->w |= GCN_CODE_DPP;
    } else {
        a->w |= a->fi ? GCN_CODE_DPP8_FI : GCN_CODE_DPP8;
    }
    a->has_literal = true;
    return true;
}

/* ---- Modifiers ---- */

/* DPP controls with a lane or a count behind them, and the least of these; and those that are a word alone. */
static const struct control {
    const char *name;
    uint16_t base;
    uint8_t least;
} controls[] = {{"row_shl", 0x100, 1}, {"row_shr", 0x110, 1}, {"row_ror", 0x120, 1}, {"row_share", 0x150, 0},
    {"row_xmask", 0x160, 0}};
static const struct control alone[] = {{"row_mirror", 0x140, 0}, {"row_half_mirror", 0x141, 0}};

static const struct control *control_named(const struct control *list, size_t count, const char *p, size_t n)
{
    for (size_t i = 0; i < count; i++)
        if (is_named(p, n, list[i].name)) return &list[i];
    return NULL;
}

/* Fields of a name and a value: their places.  choice: of an enumeration. */
struct lanes_field {
    const char *name;
    uint8_t lo, len, sdwa;
    uint8_t choice;
};
#define AT(layout, field) LO_OF(layout, field), LEN_OF(layout, field)
static const struct lanes_field fields[] = {{"dst_sel", AT(SDWA, dst_sel), 1, GCN_E_SDWA_SEL},
    {"dst_unused", AT(SDWA, dst_unused), 1, GCN_E_SDWA_UNUSED}, {"src0_sel", AT(SDWA, src0_sel), 1, GCN_E_SDWA_SEL},
    {"src1_sel", AT(SDWA, src1_sel), 1, GCN_E_SDWA_SEL}, {"row_mask", AT(DPP, row_mask), 0, 0},
    {"bank_mask", AT(DPP, bank_mask), 0, 0}, {"bound_ctrl", AT(DPP, bound_ctrl), 0, 0},
    {"fi", AT(DPP_NEWER, fi), 0, 0}};

static const struct lanes_field *field_named(const struct gcn_assembly *a, const char *p, size_t n)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (!is_named(p, n, fields[i].name) || fields[i].sdwa != is_sdwa(a)) continue;
        if (a->lanes == GCN_W_SDWA_VOPC && strncmp(p, "dst", 3) == 0) continue;
        if (a->lanes == GCN_W_DPP8 && !is_named(p, n, "fi")) continue;
        if (is_named(p, n, "src1_sel") && gcn_sources(a->op) < 2) continue;
        return &fields[i];
    }
    return NULL;
}

bool gcn_is_lanes_modifier(const struct gcn_assembly *a, const char *p, size_t n, bool value)
{
    if (a->lanes == GCN_W_SDWA && (value ? is_named(p, n, "mul") || is_named(p, n, "div") : is_named(p, n, "clamp")))
        return true;
    if (!value) return a->lanes == GCN_W_DPP && control_named(alone, 2, p, n);
    if (a->lanes == GCN_W_DPP &&
        (is_named(p, n, "quad_perm") || control_named(controls, sizeof controls / sizeof *controls, p, n)))
        return true;
    return (a->lanes == GCN_W_DPP8 && is_named(p, n, "dpp8")) || field_named(a, p, n);
}

static void set(struct gcn_assembly *a, unsigned lo, unsigned len, uint32_t value)
{
    const uint32_t mask = (uint32_t)(ONES(len) << lo);
    a->literal = (a->literal & ~mask) | value << lo;
}

/* [0,1,2,3]: so many lanes, of `bits` bits each. */
static bool take_lanes(struct gcn_assembly *a, unsigned count, unsigned bits, uint32_t *lanes)
{
    uint32_t lane;
    *lanes = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!gpudbg_reading_takes(a->r, i ? ',' : '['))
            return gpudbg_reading_wants(
                a->r, a->r->at, "syntax", "a list of %u lanes, [0,1,...], is expected here", count);
        if (!gcn_take_bits(a, bits, "a lane", &lane)) return false;
        *lanes |= lane << bits * i;
    }
    return gpudbg_reading_takes(a->r, ']') ||
           gpudbg_reading_wants(a->r, a->r->at, "syntax", "a ] is expected here: the list has %u lanes", count);
}

static bool take_scale(struct gcn_assembly *a, bool divide)
{
    uint32_t value;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gcn_take_bits(a, 4, "the factor", &value)) return false;
    if (divide ? value != 2 : value != 2 && value != 4)
        return gpudbg_reading_wants(a->r, from, "out-of-range", "mul:2, mul:4 and div:2 are the factors");
    set(a, LO_OF(SDWA, omod), LEN_OF(SDWA, omod), divide ? 3 : value / 2);
    return true;
}

/* at: after the name and its colon. */
bool gcn_take_lanes_modifier(struct gcn_assembly *a, const char *p, size_t n)
{
    uint32_t value;
    const struct lanes_field *field = field_named(a, p, n);
    const struct control *control = control_named(alone, 2, p, n);
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (is_named(p, n, "clamp")) {
        a->literal |= (uint32_t)MASK(SDWA, clamp);
        return true;
    }
    if (is_named(p, n, "mul") || is_named(p, n, "div")) return take_scale(a, *p == 'd');
    if (control) {
        set(a, AT(DPP, dpp_ctrl), control->base);
        return true;
    }
    if (is_named(p, n, "dpp8") || is_named(p, n, "quad_perm")) {
        const bool eight = *p == 'd';
        if (!take_lanes(a, eight ? 8 : 4, eight ? 3 : 2, &value)) return false;
        set(a, eight ? LO_OF(DPP8, lane0) : LO_OF(DPP, dpp_ctrl), eight ? 24 : LEN_OF(DPP, dpp_ctrl), value);
        return true;
    }
    if ((control = control_named(controls, sizeof controls / sizeof *controls, p, n)) != NULL) {
        if (!gcn_take_bits(a, 4, control->name, &value)) return false;
        if (value < control->least)
            return gpudbg_reading_wants(
                a->r, from, "out-of-range", "%s:1 to %s:15 are possible", control->name, control->name);
        set(a, AT(DPP, dpp_ctrl), control->base + value);
        return true;
    }
    if (field->choice) {
        const int64_t known = gcn_take_name(a, &gcn_enum[field->choice]);
        if (known >= 0)
            value = (uint32_t)known;
        else if (!gcn_take_bits(a, field->len, field->name, &value))
            return gpudbg_reading_wants(a->r, from, "syntax", "%s is expected here",
                field->choice == GCN_E_SDWA_SEL ? "BYTE_0 to BYTE_3, WORD_0, WORD_1 or DWORD"
                                                : "UNUSED_PAD, UNUSED_SEXT or UNUSED_PRESERVE");
    } else if (!gcn_take_bits(a, field->len, field->name, &value)) {
        return false;
    }
    if (is_named(p, n, "bound_ctrl")) value = 1; /* 0 and 1 mean the same */
    if (a->lanes == GCN_W_DPP8)
        a->fi = value != 0;
    else
        set(a, field->lo, field->len, value);
    return true;
}
