/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_assemble.c: an instruction in LLVM's syntax to bytes.  The mnemonic chooses the row of ops.def, the suffix or the
 * operands the form; modifiers are fields of the form's layout, by their names, in any order after the operands.  The
 * result is decoded and checked against LLVM's rules (llvm.c): text that LLVM refuses because of a rule of the hardware
 * is refused here with that rule.
 */
#include "code/gcn_decoder.h"
#include "gcn_ops.h"

/* ---- Modifiers ---- */

static bool is_named(const char *at, size_t n, const char *name)
{
    return strlen(name) == n && memcmp(at, name, n) == 0;
}

static const struct gpudbg_format *layout_in(const struct gcn_chip *chip, const struct gpudbg_op *op, int encoding)
{
    const struct gpudbg_format *layout = layout_on(chip, op);
    if (encoding == GCN_VOP3 && chip->newer_vop3) /* with the bits in older places (gcn_word_as_older) */
        return &gcn_layouts[is_vop3b(op) ? GCN_W_VOP3HB_NEWER : GCN_W_VOP3H];
    if (encoding != GCN_VOP3 || is_long_alone(layout)) return layout;
    return &gcn_layouts[is_vop3b(op) ? GCN_W_VOP3B : GCN_W_VOP3];
}

/* Layouts of opcodes from 512 on. */
static bool is_high(const struct gpudbg_format *layout)
{
    return layout->match[0] >> LO_OF(VOP3H_NEWER, encoding) == 0x6b;
}

static bool is_interp_long(const struct gcn_chip *chip, const struct gpudbg_op *op)
{
    return layout_on(chip, op) == &gcn_layouts[GCN_W_VOP3H_INTERP] ||
           layout_on(chip, op) == &gcn_layouts[GCN_W_VOP3H_INTERP_MOV];
}

static const struct gpudbg_field *field_named(const struct gpudbg_format *layout, const char *at, size_t n)
{
    for (size_t i = 0; i < layout->count; i++)
        if (is_named(at, n, layout->fields[i].name)) return &layout->fields[i];
    return NULL;
}

/* How a modifier is written that is not a field, or whose field has another name. */
enum modifier {
    NO_MODIFIER,
    FLAG,
    NO_FLAG,
    VALUE,
    WHOLE_OFFSET,
    MULTIPLY,
    DIVIDE,
    FORMAT,
    LIST,
    LANES,
    HIGH,
    DIMENSIONS
};

/* Lists of the later chip, a bit for each source: the places of these bits; VOP3's last bit is for the result. */
#define BITS_OF(layout, name)                                                                          \
    {                                                                                                  \
        LO_OF(layout, name), LO_OF(layout, name) + 1, LO_OF(layout, name) + 2, LO_OF(layout, name) + 3 \
    }
static const struct list {
    const char *name;
    int encoding;
    uint8_t bit[4];
} lists[] = {{"op_sel", GCN_VOP3, BITS_OF(VOP3H, op_sel)}, {"op_sel", GCN_VOP3P, BITS_OF(VOP3P, op_sel)},
    {"op_sel_hi", GCN_VOP3P, {LO_OF(VOP3P, op_sel_hi), LO_OF(VOP3P, op_sel_hi) + 1, LO_OF(VOP3P, op_sel_hi2), 0}},
    {"neg_lo", GCN_VOP3P, BITS_OF(VOP3P, neg_lo)}, {"neg_hi", GCN_VOP3P, BITS_OF(VOP3P, neg_hi)}};

static const struct list *list_named(const struct gcn_assembly *a, const char *p, size_t n)
{
    const struct gcn_chip *chip = gcn_chip_of(a->r->isa);
    const bool chooses = a->encoding == GCN_VOP3P || takes_op_sel(chip, a->op) ||
                         layout_on(chip, a->op) == &gcn_layouts[GCN_W_VOP3H_PERMLANE];
    for (size_t i = 0; i < sizeof lists / sizeof *lists && chooses; i++)
        if (lists[i].encoding == a->encoding && is_named(p, n, lists[i].name)) return &lists[i];
    return NULL;
}

/* The same for memory words of newer chips: flags, numbers that are not those of registers, and names. */
static enum modifier memory_modifier_at(
    const struct gcn_assembly *a, const char *p, size_t n, bool value, const struct gpudbg_field **field)
{
    const struct gpudbg_format *layout = layout_on(gcn_chip_of(a->r->isa), a->op);
    const bool typed = a->encoding == GCN_MTBUF_NEWER || a->encoding == GCN_MTBUF_D16;
    const size_t no = !value && n > 2 && memcmp(p, "no", 2) == 0 ? 2 : 0;
    *field = field_named(layout, p + no, n - no);
    if (!*field || is_named(p + no, n - no, "high") || (typed && is_named(p + no, n - no, "d16"))) return NO_MODIFIER;
    if ((*field)->kind == GPUDBG_FLAG) return value ? NO_MODIFIER : no ? NO_FLAG : FLAG;
    if (!value) return NO_MODIFIER;
    if (is_named(p, n, "format")) return FORMAT;
    if (is_named(p, n, "dim")) return DIMENSIONS;
    return is_named(p, n, "offset") || is_named(p, n, "dmask") ? VALUE : NO_MODIFIER;
}

/* The kind of modifier that the word at p, of n characters, is in the form. */
static enum modifier modifier_at(
    const struct gcn_assembly *a, const char *p, size_t n, const struct gpudbg_field **field)
{
    const struct gpudbg_format *layout = layout_in(gcn_chip_of(a->r->isa), a->op, a->encoding);
    const bool memory = a->encoding == GCN_DS || a->encoding == GCN_MUBUF || a->encoding == GCN_MTBUF ||
                        a->encoding == GCN_MIMG;
    const bool value = p[n + strspn(p + n, " \t")] == ':';
    *field = NULL;
    if (a->lanes) return gcn_is_lanes_modifier(a, p, n, value) ? LANES : NO_MODIFIER;
    if (!is_long(a->encoding)) return NO_MODIFIER;
    if (!value && is_interp_long(gcn_chip_of(a->r->isa), a->op) && is_named(p, n, "high")) return HIGH;
    if (is_memory_word(a->encoding)) return memory_modifier_at(a, p, n, value, field);
    if (value && list_named(a, p, n)) return LIST;
    if (value && a->encoding == GCN_VOP3)
        return is_named(p, n, "mul") ? MULTIPLY : is_named(p, n, "div") ? DIVIDE : NO_MODIFIER;
    if (value && a->encoding == GCN_DS && is_named(p, n, "offset"))
        return layout >= &gcn_layouts[GCN_W_DS_2X4] && layout <= &gcn_layouts[GCN_W_DS_2X512] ? NO_MODIFIER
                                                                                              : WHOLE_OFFSET;
    if (value && a->encoding == GCN_MTBUF && is_named(p, n, "format")) return FORMAT;
    *field = field_named(layout, p, n);
    if (value && *field && memory && (*field)->kind != GPUDBG_FLAG && (*field)->kind != GPUDBG_OPERAND &&
        (*field)->kind != GPUDBG_OPCODE)
        return is_named(p, n, "encoding") || is_named(p, n, "-") ? NO_MODIFIER : VALUE;
    if (!value && *field && (*field)->kind == GPUDBG_FLAG && !is_named(p, n, "from_addr")) return FLAG;
    if (!value && n > 2 && memcmp(p, "no", 2) == 0 && (*field = field_named(layout, p + 2, n - 2)) &&
        (*field)->kind == GPUDBG_FLAG)
        return NO_FLAG;
    return NO_MODIFIER;
}

/* Where the modifiers begin: at the first word outside of brackets that is a modifier. */
static const char *modifiers_from(const struct gcn_assembly *a, const char *p)
{
    const struct gpudbg_field *field;
    unsigned depth = 0;
    while (*p) {
        struct gpudbg_reading word = *a->r;
        word.at = p;
        const size_t n = gpudbg_reading_name(&word);
        if (n && word.at == p) {
            if (!depth && modifier_at(a, p, n, &field)) return p;
            p += n;
            continue;
        }
        depth += *p == '(' || *p == '[' || *p == '{';
        if (depth && (*p == ')' || *p == ']' || *p == '}')) depth--;
        do p++;
        while (*p && (p[-1] >= '0' && p[-1] <= '9') && ((*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z')));
    }
    return p;
}

static void set_bits(struct gcn_assembly *a, const struct gpudbg_field *field, uint64_t value)
{
    const uint64_t mask = (((uint64_t)1 << field->run[0].len) - 1) << field->run[0].lo;
    a->w = (a->w & ~mask) | (value << field->run[0].lo & mask);
}

static bool take_char(struct gcn_assembly *a, char c, const char *form)
{
    return gpudbg_reading_takes(a->r, c) ||
           gpudbg_reading_wants(a->r, a->r->at, "syntax", "a %c is expected here: %s", c, form);
}

/* A value in the form of the field, or in the range that the hardware has. */
static bool take_value(struct gcn_assembly *a, const struct gpudbg_field *field)
{
    uint32_t value;
    const unsigned bits = field->run[0].len;
    if (!(field->kind == GPUDBG_SINT ? gcn_take_signed(a, bits, field->name, &value)
                                     : gcn_take_bits(a, bits, field->name, &value)))
        return false;
    set_bits(a, field, value);
    return true;
}

/* Three to five characters in quotes, or a name. */
static bool take_mask_bits(struct gcn_assembly *a, uint32_t *pattern)
{
    static const char form[] = "BITMASK_PERM,\"01pip\"";
    uint32_t and_mask = 0, or_mask = 0, xor_mask = 0;
    if (!take_char(a, '"', form)) return false;
    for (unsigned bit = 16; bit; bit >>= 1, a->r->at++) switch (*a->r->at) {
        case '0': break;
        case '1': or_mask |= bit; break;
        case 'p': and_mask |= bit; break;
        case 'i':
            and_mask |= bit;
            xor_mask |= bit;
            break;
        default: return gpudbg_reading_wants(a->r, a->r->at, "syntax", "0, 1, p or i is expected here: five of them");
        }
    *pattern = and_mask | or_mask << 5 | xor_mask << 10;
    return take_char(a, '"', form);
}

/* A number of lanes: a power of two from `least` to `most`. */
static bool take_lanes(struct gcn_assembly *a, unsigned least, unsigned most, uint32_t *value)
{
    const char *from;
    if (!take_char(a, ',', "and a number of lanes")) return false;
    from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gcn_take_bits(a, 8, "the number of lanes", value)) return false;
    return (*value >= least && *value <= most && !(*value & (*value - 1))) ||
           gpudbg_reading_wants(
               a->r, from, "out-of-range", "the number of lanes is a power of two from %u to %u", least, most);
}

/* ds_swizzle_b32: which lane each lane reads, as a macro; or the 16 bits. */
static bool take_swizzle(struct gcn_assembly *a, uint32_t *pattern)
{
    uint32_t value = 0, lane;
    if (!gpudbg_reading_word(a->r, "swizzle")) return gcn_take_bits(a, 16, "the pattern", pattern);
    if (!take_char(a, '(', "swizzle(QUAD_PERM,0,1,2,3)")) return false;
    if (gpudbg_reading_word(a->r, "QUAD_PERM")) {
        *pattern = 0x8000;
        for (unsigned i = 0; i < 4; i++) {
            if (!take_char(a, ',', "QUAD_PERM has four lanes") || !gcn_take_bits(a, 2, "a lane of a quad", &lane))
                return false;
            *pattern |= lane << 2 * i;
        }
    } else if (gpudbg_reading_word(a->r, "BITMASK_PERM")) {
        if (!take_char(a, ',', "BITMASK_PERM,\"01pip\"") || !take_mask_bits(a, pattern)) return false;
    } else if (gpudbg_reading_word(a->r, "SWAP")) {
        if (!take_lanes(a, 1, 16, &value)) return false;
        *pattern = value << 10 | 31;
    } else if (gpudbg_reading_word(a->r, "REVERSE")) {
        if (!take_lanes(a, 2, 32, &value)) return false;
        *pattern = (value - 1) << 10 | 31;
    } else if (gpudbg_reading_word(a->r, "BROADCAST")) {
        if (!take_lanes(a, 2, 32, &value) || !take_char(a, ',', "BROADCAST,LANES,LANE")) return false;
        const char *from = (gpudbg_reading_ends(a->r), a->r->at);
        if (!gcn_take_bits(a, 5, "the lane to read", &lane)) return false;
        if (lane >= value)
            return gpudbg_reading_wants(a->r, from, "out-of-range", "the lane to read is one of %u", value);
        *pattern = lane << 5 | (32 - value);
    } else
        return gpudbg_reading_wants(
            a->r, a->r->at, "syntax", "QUAD_PERM, BITMASK_PERM, SWAP, REVERSE or BROADCAST is expected here");
    return take_char(a, ')', "the macro ends");
}

/* [DATA,NUMBER], or either of them alone; behind the bracket.  What is not named stays. */
static bool take_format_names(struct gcn_assembly *a, uint64_t *data, uint64_t *number)
{
    const struct gpudbg_enum *const kinds[] = {&gcn_enum[GCN_E_BUF_DATA_FORMAT], &gcn_enum[GCN_E_BUF_NUM_FORMAT]};
    int64_t value;
    for (unsigned i = 0; i < 2; i++) {
        if (i && !gpudbg_reading_takes(a->r, ',')) break;
        if ((value = gcn_take_name(a, kinds[0])) >= 0)
            *data = (uint64_t)value;
        else if ((value = gcn_take_name(a, kinds[1])) >= 0)
            *number = (uint64_t)value;
        else
            return gpudbg_reading_wants(a->r, a->r->at, "syntax",
                "a format is expected here: %sBUF_DATA_FORMAT_32, BUF_NUM_FORMAT_FLOAT (`enum %s` lists them)",
                is_memory_word(a->encoding) ? "BUF_FMT_32_FLOAT or " : "",
                is_memory_word(a->encoding) ? "BUF_FORMAT_NEWER" : "BUF_DATA_FORMAT");
    }
    return take_char(a, ']', "format:[DATA,NUMBER]");
}

/* Newer chips have one number for both: format:[NAME], format:[DATA,NUMBER], or the number. */
static bool take_one_format(struct gcn_assembly *a, const struct gpudbg_field *field)
{
    static const char whole[] = "BUF_FMT_", data_part[] = "BUF_DATA_FORMAT_", number_part[] = "BUF_NUM_FORMAT_";
    uint64_t data = 1, number = 0; /* as LLVM: BUF_DATA_FORMAT_8, UNORM */
    if (!gpudbg_reading_takes(a->r, '[')) return take_value(a, field);
    const int64_t value = gcn_take_name(a, field->meaning);
    if (value >= 0) {
        set_bits(a, field, (uint64_t)value);
        return take_char(a, ']', "format:[NAME]");
    }
    const char *from = a->r->at;
    if (!take_format_names(a, &data, &number)) return false;
    const char *const of_data = gpudbg_enum_name(&gcn_enum[GCN_E_BUF_DATA_FORMAT], data) + sizeof data_part - 1;
    const char *const of_number = gpudbg_enum_name(&gcn_enum[GCN_E_BUF_NUM_FORMAT], number) + sizeof number_part - 1;
    const size_t n = strlen(of_data);
    for (size_t i = 0; i < field->meaning->count; i++) {
        const char *name = field->meaning->values[i].name + sizeof whole - 1;
        if (strncmp(name, of_data, n) != 0 || name[n] != '_' || strcmp(name + n + 1, of_number) != 0) continue;
        set_bits(a, field, field->meaning->values[i].value);
        return true;
    }
    return gpudbg_reading_wants(a->r, from, "syntax", "this chip has no format %s of %s", of_number, of_data);
}

/* dim:SQ_RSRC_IMG_2D, dim:2D or its number. */
static bool take_dimensions(struct gcn_assembly *a, const struct gpudbg_field *field)
{
    static const char prefix[] = "SQ_RSRC_IMG_";
    const char *at = (gpudbg_reading_ends(a->r), a->r->at);
    const size_t skipped = strncmp(at, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
    const size_t n = strspn(at + skipped, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    for (size_t i = 0; i < field->meaning->count; i++) {
        const struct gpudbg_value *known = &field->meaning->values[i];
        if (!is_named(at + skipped, n, known->name + sizeof prefix - 1)) continue;
        a->r->at = at + skipped + n;
        set_bits(a, field, known->value);
        return true;
    }
    return take_value(a, field);
}

/* format:[DATA,NUMBER], or both as one number. */
static bool take_format(struct gcn_assembly *a)
{
    uint32_t both;
    const struct gpudbg_field *one = field_named(layout_on(gcn_chip_of(a->r->isa), a->op), "format", 6);
    if (one) return take_one_format(a, one);
    uint64_t data = GET(a->w, MTBUF, dfmt), number = GET(a->w, MTBUF, nfmt);
    if (gpudbg_reading_takes(a->r, '[')) {
        if (!take_format_names(a, &data, &number)) return false;
    } else {
        if (!gcn_take_bits(a, LEN_OF(MTBUF, dfmt) + LEN_OF(MTBUF, nfmt), "the format", &both)) return false;
        data = both & ONES(LEN_OF(MTBUF, dfmt));
        number = both >> LEN_OF(MTBUF, dfmt);
    }
    a->w &= ~(MASK(MTBUF, dfmt) | MASK(MTBUF, nfmt));
    a->w |= IN_PLACE(data, MTBUF, dfmt) | IN_PLACE(number, MTBUF, nfmt);
    return true;
}

static bool take_scale(struct gcn_assembly *a, bool divide)
{
    const struct gpudbg_field *field = field_named(layout_in(gcn_chip_of(a->r->isa), a->op, a->encoding), "omod", 4);
    uint32_t value;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    if (!gcn_take_bits(a, 4, "the factor", &value)) return false;
    if (divide ? value != 1 && value != 2 : value != 1 && value != 2 && value != 4)
        return gpudbg_reading_wants(a->r, from, "out-of-range", "%s",
            divide ? "div:2 is the only quotient" : "mul:2 and mul:4 are the factors");
    set_bits(a, field, value == 1 ? 0 : divide ? 3 : value / 2);
    return true;
}

/* [0,1]: a bit for each source, and in VOP3 for the result. */
static bool take_list(struct gcn_assembly *a, const struct list *list)
{
    const unsigned n = gcn_sources(a->op);
    uint32_t bit;
    if (!take_char(a, '[', "[0,1]: a bit for each source")) return false;
    for (unsigned i = 0; i < 4; i++) {
        const unsigned at = a->encoding == GCN_VOP3 && i == n ? list->bit[3] : list->bit[i];
        if (i && !gpudbg_reading_takes(a->r, ',')) break;
        const char *from = (gpudbg_reading_ends(a->r), a->r->at);
        if (!gcn_take_bits(a, 1, "a bit of the list", &bit)) return false;
        if (i >= n + (a->encoding == GCN_VOP3))
            return gpudbg_reading_wants(a->r, from, "operand-count", "the list has a bit for each of %u sources", n);
        a->w = (a->w & ~((uint64_t)1 << at)) | (uint64_t)bit << at;
    }
    return take_char(a, ']', "the list ends");
}

static bool is_format(enum modifier modifier, const struct gpudbg_field *field)
{
    return modifier == FORMAT ||
           (modifier == VALUE && (strcmp(field->name, "dfmt") == 0 || strcmp(field->name, "nfmt") == 0));
}

/* LLVM's older text has the format of a typed buffer before the last operand, which is not read yet. */
static bool passes_offset(struct gcn_assembly *a, bool behind_format)
{
    if (!behind_format || a->offset || !*a->r->at) return false;
    a->offset = a->r->at;
    a->r->at = modifiers_from(a, a->r->at);
    return true;
}

static bool take_modifiers(struct gcn_assembly *a)
{
    const struct gpudbg_field *field;
    uint32_t value;
    bool format = false; /* the modifier before was one */
    while (!gpudbg_reading_ends(a->r)) {
        gpudbg_reading_takes(a->r, ',');
        const size_t n = gpudbg_reading_name(a->r);
        const enum modifier modifier = n ? modifier_at(a, a->r->at, n, &field) : NO_MODIFIER;
        const bool behind_format = format;
        format = modifier && is_format(modifier, field);
        if (!modifier && passes_offset(a, behind_format)) continue;
        if (!modifier) {
            if (!*a->r->at)
                return gpudbg_reading_wants(a->r, a->r->at, "syntax", "a modifier is expected after the comma");
            return gpudbg_reading_wants(
                a->r, a->r->at, "syntax", "the end, or a modifier of %s, is expected here", a->op->name);
        }
        const struct list *list = modifier == LIST ? list_named(a, a->r->at, n) : NULL;
        const char *name = a->r->at;
        a->r->at += n;
        if (modifier != FLAG && modifier != NO_FLAG) gpudbg_reading_takes(a->r, ':');
        switch (modifier) {
        case NO_MODIFIER: break;
        case LANES:
            if (!gcn_take_lanes_modifier(a, name, n)) return false;
            continue;
        case HIGH: a->w |= MASK(VOP3H_INTERP, high); continue;
        case LIST:
            if (!take_list(a, list)) return false;
            continue;
        case FLAG:
        case NO_FLAG: set_bits(a, field, modifier == FLAG); continue;
        case VALUE:
            if (!take_value(a, field)) return false;
            continue;
        case WHOLE_OFFSET:
            if (!(a->op->id == GCN_ds_swizzle_b32 ? take_swizzle(a, &value)
                                                  : gcn_take_bits(a, 16, "the offset", &value)))
                return false;
            a->w = (a->w & ~MASK(DS, offset)) | IN_PLACE(value, DS, offset);
            continue;
        case MULTIPLY:
        case DIVIDE:
            if (!take_scale(a, modifier == DIVIDE)) return false;
            continue;
        case FORMAT:
            if (!take_format(a)) return false;
            continue;
        case DIMENSIONS:
            if (!take_dimensions(a, field)) return false;
            continue;
        }
    }
    return true;
}

/* ---- Forms ---- */

/* Of memory words: base registers that are not there unless the text names them, BUF_FMT_8_UNORM. */
static uint64_t bare_memory_word(const struct gpudbg_op *op, const struct gpudbg_format *layout, int encoding)
{
    switch (encoding) {
    case GCN_SMEM:
        return layout == &gcn_layouts[GCN_W_SMEM_TIME] || layout == &gcn_layouts[GCN_W_SMEM_PLAIN]
                   ? 0
                   : IN_PLACE(GCN_CODE_NULL, SMEM, soffset);
    case GCN_FLAT_NEWER:
    case GCN_SCRATCH:
    case GCN_GLOBAL: return IN_PLACE(GCN_CODE_NULL, FLAT_NEWER, saddr);
    case GCN_MTBUF_NEWER:
    case GCN_MTBUF_D16: return IN_PLACE(1, MTBUF_NEWER, format);
    case GCN_MIMG_HIGH: /* rays have no other choice */
        return is_ray(op) ? MASK(MIMG_HIGH, dmask) | MASK(MIMG_HIGH, unorm) | MASK(MIMG_HIGH, r128) : 0;
    }
    return 0;
}

/* The bits of a form that come from neither operands nor modifiers. */
static uint64_t bare_word(const struct gcn_chip *chip, const struct gpudbg_op *op, int encoding)
{
    struct gcn_opcode_place place;
    const struct gpudbg_format *layout = layout_on(chip, op);
    gcn_place_of(encoding, &place);
    uint64_t w = encoding == GCN_VOP3 && !is_long_alone(layout) ? gcn_layouts[GCN_W_VOP3].match[0] : layout->match[0];
    if (encoding == GCN_VOP3 && chip->newer_vop3)
        w = gcn_layouts[is_high(layout) ? GCN_W_VOP3H : GCN_W_VOP3].match[0] |
            (op->flags & GCN_EXEC_W ? IN_PLACE(GCN_CODE_EXEC, VOP3, vdst) : 0);
    unsigned code = (unsigned)chip->isa.rows[op->id].code;
    if (encoding == GCN_VOP3) /* VOPC from 0, VOP2 from 256, VOP1 from 384 */
        code += layout == &gcn_layouts[GCN_W_VOP2] ? 256 : layout == &gcn_layouts[GCN_W_VOP1] ? 384 : 0;
    if (place.bits) w |= (uint64_t)code << place.lo;
    if (encoding == GCN_VOP3P && !takes_mixed_sources(op))
        w |= MASK(VOP3P, op_sel_hi) |
             MASK(VOP3P, op_sel_hi2); /* the high half is made of high halves unless the text says otherwise */
    w |= bare_memory_word(op, layout, encoding);
    if (encoding == GCN_MTBUF) w |= IN_PLACE(1, MTBUF, dfmt); /* BUF_DATA_FORMAT_8 unless the text says otherwise */
    return w;
}

/* Assembles one form; returns its bytes, or 0 with a report.  lanes: as in struct decoder. */
static int take_form(struct gpudbg_reading *r, const struct gpudbg_op *op, int encoding, unsigned lanes, uint8_t *bytes)
{
    const struct gcn_chip *chip = gcn_chip_of(r->isa);
    struct gcn_assembly a = {
        .r = r, .op = op, .encoding = encoding, .w = bare_word(chip, op, encoding), .lanes = (uint8_t)lanes};
    const char *from = r->at;
    struct gpudbg_insn insn;
    int blamed;
    a.literal = gcn_lanes_usual(&a);
    a.modifiers = modifiers_from(&a, from);
    r->at = a.modifiers;
    if (!take_modifiers(&a)) return 0;
    r->at = from;
    const bool optional = op->id == GCN_s_endpgm; /* its constant */
    if (!(optional && gpudbg_reading_ends(r)))
        for (const uint32_t *operand = operands_on(gcn_chip_of(r->isa), op); *operand; operand++)
            if (!gcn_take_operand(&a, *operand)) return 0;
    if (a.noperands) gpudbg_reading_takes(r, ',');
    gpudbg_reading_ends(r);
    const char *rest = a.offset && r->at <= a.modifiers ? a.offset : r->at; /* that no operand took */
    if (a.offset && modifiers_from(&a, rest) != rest) {
        gpudbg_reading_wants(r, rest, "syntax", "the end, or a modifier of %s, is expected here", op->name);
        return 0;
    }
    if (r->at < a.modifiers) {
        gpudbg_reading_wants(r, r->at, *r->at == '|' ? "syntax" : "operand-count",
            "the end%s is expected here: %s has (%s)", is_long(encoding) ? " or a modifier" : "", op->name,
            op->operands);
        return 0;
    }
    if (lanes && !gcn_put_lanes(&a, a.noperands > 1 ? a.operand[1] : from)) return 0;
    if (encoding == GCN_VOP3 && chip->newer_vop3) a.w = gcn_word_as_newer(a.w, is_vop3b(op));
    le_put(bytes, (uint32_t)a.w, 4);
    le_put(bytes + 4, is_long(encoding) ? a.w >> 32 : a.literal, 4);
    for (unsigned i = 0; i < 3; i++) le_put(bytes + 8 + 4 * i, a.more[i], 4);
    if (is_long(encoding) && a.has_literal) le_put(bytes + 8, a.literal, 4);
    const int size = (int)long_size(encoding, (uint32_t)a.w) + (a.has_literal ? 4 : 0);
    if (gcn_decode(r->isa, bytes, 20, r->addr, &insn) != size || insn.op != op) {
        gpudbg_reading_wants(r, from, "syntax", "the instruction has no encoding with these operands");
        return 0;
    }
    const bool judged = gcn_chip_of(r->isa)->llvm || !(op->flags & GCN_OPSEL); /* LLVM writes this word */
    const char *why = op->flags & GCN_NOASM || a.loose || !judged ? NULL : llvm_refuses(&insn, &blamed);
    if (why) {
        r->furthest = NULL; /* the text was read to its end: no other report says more */
        gpudbg_reading_wants(r,
            blamed >= 0 && (unsigned)blamed < a.noperands ? a.operand[blamed]
            : a.noperands                                 ? a.operand[0]
                                                          : from,
            "syntax", "%s", why);
        return 0;
    }
    return size;
}

/* ---- Mnemonics ---- */

/* longer: the row that is long alone where the name has a short one, too. */
static const struct gpudbg_op *row_named(const struct gcn_chip *chip, const char *name, size_t n, bool longer)
{
    for (unsigned i = 0; i < GCN_OPS; i++)
        if (gpudbg_has_op(&chip->isa, i) && gcn_templates[i].name_len == n &&
            memcmp(gcn_templates[i].name, name, n) == 0 && (!longer || has_short_row(chip, &gcn_ops[i])))
            return &gcn_ops[i];
    return NULL;
}

/* The forms that a name may ask for by its end. */
enum form { ANY, SHORT, LONG, SDWA, DPP };
static const struct {
    const char *end;
    enum form form;
} ends[] = {{"_e32", SHORT}, {"_e64", LONG}, {"_sdwa", SDWA}, {"_dpp", DPP}};

static const struct gpudbg_op *op_named(const struct gcn_chip *chip, const char *name, size_t *n, enum form *form)
{
    const struct gpudbg_op *op = row_named(chip, name, *n, false);
    *form = ANY;
    for (unsigned i = 0; !op && i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i].end);
        if (*n <= end || memcmp(name + *n - end, ends[i].end, end) != 0) continue;
        if (ends[i].form > LONG && !chip->newer_vop3) continue;
        *n -= end;
        *form = ends[i].form;
        if (*form == LONG && (op = row_named(chip, name, *n, true)) != NULL) return op;
        return row_named(chip, name, *n, false);
    }
    return op;
}

static bool is_short_vector(int encoding)
{
    return encoding == GCN_VOP1 || encoding == GCN_VOP2 || encoding == GCN_VOPC;
}

/* The forms with a word about lanes; eight: that of DPP8 alone. */
static int take_lanes_forms(
    struct gpudbg_reading *r, const struct gpudbg_op *op, int encoding, enum form form, uint8_t *bytes)
{
    const unsigned sdwa = encoding == GCN_VOPC ? GCN_W_SDWA_VOPC : GCN_W_SDWA;
    const char *from = r->at;
    if (form == SDWA) return take_form(r, op, encoding, sdwa, bytes);
    const int size = take_form(r, op, encoding, strstr(from, "dpp8:") ? GCN_W_DPP8 : GCN_W_DPP, bytes);
    if (size || form == DPP) return size;
    r->at = from;
    return take_form(r, op, encoding, sdwa, bytes);
}

int gcn_assemble(struct gpudbg_reading *r, uint8_t *bytes, size_t room)
{
    const size_t n = gpudbg_reading_name(r);
    size_t bare = n;
    const char *name = r->at;
    enum form form;
    if (room < 20) return 0;
    if (!n) {
        gpudbg_reading_wants(r, name, "syntax", "the name of an instruction is expected here");
        return 0;
    }
    const struct gcn_chip *chip = gcn_chip_of(r->isa);
    const struct gpudbg_op *op = op_named(chip, name, &bare, &form);
    struct gcn_opcode_place place;
    int encoding = !op ? -1
                   : layout_on(chip, op)->match[0] == gcn_layouts[GCN_W_VOP3P].match[0]
                       ? GCN_VOP3P
                       : memory_encoding(gcn_encoding(chip, LEADING((uint32_t)layout_on(chip, op)->match[0]), &place),
                             layout_on(chip, op)->match[0]);
    if (encoding == GCN_VOP3H) encoding = GCN_VOP3;
    const bool interp = encoding == GCN_VINTRP && chip->interp_e32;
    const bool vector = encoding == GCN_VOP3P || is_short_vector(encoding) || encoding == GCN_VOP3 || interp;
    if (!op || (form && !vector)) {
        gpudbg_reading_unknown_op(r, name, n);
        return 0;
    }
    const bool has_long = is_short_vector(encoding) && !(gcn_kinds[op->id + 1] & GCN_NO_LONG_FORM) &&
                          !(op->flags & GCN_ALL);
    const bool long_only = encoding == GCN_VOP3 || encoding == GCN_VOP3P;
    const bool has_form = form == ANY     ? true
                          : form == SHORT ? is_short_vector(encoding) || interp
                          : form == LONG  ? has_long || has_short_row(chip, op) || (long_only && !(op->flags & GCN_ALL))
                                          : is_short_vector(encoding);
    r->at += n;
    const char *behind = r->at;
    if (*behind && *behind != ' ' && *behind != '\t') {
        gpudbg_reading_wants(r, behind, "syntax", "a blank is expected after the name");
        return 0;
    }
    if (!has_form) {
        gpudbg_reading_wants(r, name + bare, "unknown-opcode", "%s has no %s form", op->name,
            form == LONG    ? "long"
            : form == SHORT ? "short"
                            : name + bare + 1);
        return 0;
    }
    if (form == SDWA || form == DPP) return take_lanes_forms(r, op, encoding, form, bytes);
    if (form == LONG && encoding != GCN_VOP3P) encoding = GCN_VOP3;
    int size = take_form(r, op, encoding, 0, bytes);
    if (size || !has_long || form) return size;
    r->at = behind;
    size = take_form(r, op, GCN_VOP3, 0, bytes);
    if (size || !chip->newer_vop3) return size;
    r->at = behind;
    return take_lanes_forms(r, op, encoding, ANY, bytes);
}
