/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gen_settle.c: the meaning of an operand that was read: its type, the codes of its region, the bits of its constant.
 * Parts that the text leaves out get the default of its syntax.
 */
#include "text/gen_assembly.h"
#include "gpudbg/lanes.h"
#include "gpudbg/text.h"

static void list_types(const uint8_t *types, unsigned n, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    for (unsigned i = 0; i < n; i++)
        if (types[i] != GEN_BADTYPE) text_add(&t, "%s%s", t.n ? " " : "", gen_type_name[types[i]]);
}

/* The types that an operand may have, by code. */
static const uint8_t *types_of(const struct gen_assembly *a, const struct gen_written *o, unsigned *n)
{
    const bool constant = o->mode == GEN_IMMEDIATE;
    const bool ternary16 = a->shape == GEN_TERNARY && !a->eu->three_regions;
    *n = ternary16 ? 8 : 16;
    if (a->shape == GEN_DPAS) {
        static const uint8_t parts[] = {GEN_UB, GEN_UW, GEN_UD, GEN_UQ, GEN_B, GEN_W, GEN_D, GEN_Q, GEN_HF, GEN_F32,
            GEN_DF, GEN_BF, GEN_U4, GEN_S4, GEN_U2, GEN_S2};
        return parts;
    }
    if (ternary16) return a->eu->ternary_types;
    if (a->shape == GEN_TERNARY) return a->eu->region_types[0]; /* both rows of 8 */
    return constant ? a->eu->imm_types : a->eu->types;
}

static bool settle_type(struct gen_assembly *a, const struct gen_written *o)
{
    char names[80];
    unsigned n;
    const uint8_t *types = types_of(a, o, &n);
    if (GEN_IS(a->op, IMM64) && o->mode == GEN_IMMEDIATE && o->type == GEN_DF) return true;
    if (o->type == GEN_BADTYPE) {
        const bool regions = a->shape == GEN_DPAS || (a->shape == GEN_TERNARY && a->eu->three_regions);
        const bool reserved = a->eu->wide_types && (regions ? a->eu->region_types[0][o->code & 7] == GEN_BADTYPE ||
                                                                  a->eu->region_types[1][o->code & 7] == GEN_BADTYPE
                                                            : types[o->code % n] == GEN_BADTYPE);
        return reserved || gen_wants(a, o->type_at, "this code of a type is not reserved: write its name");
    }
    for (unsigned i = 0; i < n; i++)
        if (types[i] == o->type) return true;
    list_types(types, n, names, sizeof names);
    return gen_wants(a, o->type_at ? o->type_at : o->at, "types of %s here are %s",
        o->mode == GEN_IMMEDIATE ? "constants" : "registers", names);
}

/* The code of a number in the region: an index into `values`. */
static bool region_code(struct gen_assembly *a, const struct gen_written *o, unsigned i, const uint8_t *values,
    unsigned codes, const char *what, uint8_t *code)
{
    char list[80];
    struct text t = text_in(list, sizeof list);
    if (o->code_of[i]) {
        *code = (uint8_t)o->region[i];
        return *code < codes || gen_wants(a, o->region_at, "%s has %u codes", what, codes);
    }
    for (unsigned c = 0; c < codes; c++)
        if (values[c] != GEN_RESERVED && values[c] == o->region[i]) {
            *code = (uint8_t)c;
            return true;
        }
    for (unsigned c = 0; c < codes; c++)
        if (values[c] != GEN_RESERVED) text_add(&t, "%s%u", c ? " " : "", values[c]);
    return gen_wants(a, o->region_at, "%s of a region is one of %s, not %lld", what, list, (long long)o->region[i]);
}

static bool region_form(struct gen_assembly *a, const struct gen_written *o, const char *form)
{
    return gen_wants(a, o->region_at ? o->region_at : a->r->at, "a region of the form %s is expected here", form);
}

static bool settle_destination_region(struct gen_assembly *a, struct gen_written *o)
{
    static const uint8_t two[] = {1, 2};
    const bool ternary = a->shape == GEN_TERNARY;
    if (!o->nregion) { /* IGA: the default is <1> */
        o->h = (ternary && a->eu->three_regions) || (!ternary && o->mme && a->align16) ? 0 : 1;
        return a->iga || region_form(a, o, "<1>");
    }
    if (o->nregion != 1) return region_form(a, o, "<1>");
    if (ternary && !a->eu->three_regions)
        return o->region[0] == 1 || gen_wants(a, o->region_at, "the destination of three sources is <1>");
    return ternary ? region_code(a, o, 0, two, 2, "the step", &o->h)
                   : region_code(a, o, 0, gen_hstrides, 4, "the step", &o->h);
}

static bool settle_ternary_region(struct gen_assembly *a, struct gen_written *o, unsigned n)
{
    if (a->eu->three_regions) {
        if (!o->nregion) {
            const bool scalar = o->has_sub || a->exec == 0;
            o->v = scalar ? 0 : a->eu->row_default >> 4;
            o->h = scalar ? 0 : n == 2 ? 1 : a->eu->row_default & 15;
            if (o->mme && a->eu->macro_rows) { /* <4;1>, <1> */
                o->v = 2;
                o->h = 1;
            }
            return a->iga || region_form(a, o, n == 2 ? "<1>" : "<8;1>");
        }
        if (n == 2)
            return o->nregion == 1 ? region_code(a, o, 0, gen_hstrides, 4, "the step", &o->h)
                                   : region_form(a, o, "<1>");
        return o->nregion == 2 && o->separator[0] == ';'
                   ? region_code(a, o, 0, a->eu->row_steps, 4, "the step of rows", &o->v) &&
                         region_code(a, o, 1, gen_hstrides, 4, "the step", &o->h)
                   : region_form(a, o, "<8;1>");
    }
    if (a->iga && o->mme) return true;
    if (a->iga) {
        bool scalar = o->has_sub;
        if (o->nregion) {
            const bool pair = n < 2 && o->nregion == 2, one = n == 2 && o->nregion == 1;
            if (!pair && !one) return region_form(a, o, n < 2 ? "<2;1> or <0;0>" : "<1> or <0>");
            scalar = o->region[0] == 0;
            /* IGA takes all three for the packed region that Align16 has. */
            const bool packed = (o->region[0] == 2 || o->region[0] == 4 || o->region[0] == 8) && o->region[1] == 1;
            if (pair ? !packed && (o->region[0] || o->region[1]) : o->region[0] > 1)
                return region_form(a, o, n < 2 ? "<2;1> or <0;0>" : "<1> or <0>");
        }
        if (!scalar) return true;
        if (o->type != GEN_DF) {
            o->rep = true;
            return true;
        }
        o->swizzle = o->part & 1 ? 0xee : 0x44;
        o->part &= ~(int64_t)1;
        return true;
    }
    if (o->nregion == 1 && o->region[0] == 4) return true;
    o->rep = o->nregion == 3 && o->region[0] == 0 && o->region[1] == 1 && o->region[2] == 0;
    return o->rep || region_form(a, o, "<4>.xyzw or <0;1,0>.xyzw");
}

/* A message whose extended descriptor is in place of the payload's region, in Align16, too. */
static bool has_no_region(const struct gen_assembly *a)
{
    return a->shape == GEN_SEND && a->eu->has_ex_desc && a->eu->column == GEN_COLUMN_e8 && !a->mesa;
}

static bool settle_source_region(struct gen_assembly *a, struct gen_written *o)
{
    if (!o->nregion) { /* IGA: the default is all elements, or one if there is a subregister */
        const bool scalar = a->exec == 0 || (o->has_sub && !o->mme);
        o->v = o->mme && a->align16 ? o->type == GEN_DF ? 2 : 3 : scalar ? 0 : 1;
        o->w = o->h = 0;
        if (o->mme && !scalar && a->eu->macro_rows) { /* <2;2,1> */
            o->v = 2;
            o->w = o->h = 1;
        }
        return a->iga || region_form(a, o, a->align16 ? "<4>.xyzw" : "<8;8,1>");
    }
    if (a->align16 && !has_no_region(a))
        return o->nregion == 1 ? region_code(a, o, 0, gen_strides, 16, "the step of vectors", &o->v)
                               : region_form(a, o, "<4>.xyzw");
    if (o->nregion == 2 && o->separator[0] == ',' && o->mode == GEN_INDIRECT) {
        o->v = 15;
        return region_code(a, o, 0, gen_widths, 8, "the width", &o->w) &&
               region_code(a, o, 1, gen_hstrides, 4, "the step", &o->h);
    }
    if (o->nregion != 3 || o->separator[0] != ';' || o->separator[1] != ',')
        return region_form(a, o, o->mode == GEN_INDIRECT ? "<8;8,1> or <8,1>" : "<8;8,1>");
    return region_code(a, o, 0, gen_strides, 16, "the step of rows", &o->v) &&
           region_code(a, o, 1, gen_widths, 8, "the width", &o->w) &&
           region_code(a, o, 2, gen_hstrides, 4, "the step", &o->h);
}

/* The bits of infinity and of NaNs. */
static bool special_bits(struct gen_assembly *a, struct gen_written *o)
{
    const unsigned mantissa = o->type == GEN_F32 ? 23 : o->type == GEN_HF ? 10 : 52, size = 8u * gen_type_size[o->type];
    if (o->type != GEN_F32 && o->type != GEN_HF && o->type != GEN_DF)
        return gen_wants(a, o->term.from, "infinity and NaN are of type f, %sdf", a->eu->wide_types ? "hf, " : "");
    if ((uint64_t)o->term.value >> mantissa)
        return gen_wants(
            a, o->term.from, "the payload of a NaN of type %s has %u bits", gen_type_name[o->type], mantissa);
    const uint64_t sign = (uint64_t)o->neg << (size - 1);
    o->imm = sign | ((UINT64_C(1) << (size - 1)) - (UINT64_C(1) << mantissa)) | (uint64_t)o->term.value;
    if (o->special == 2) o->imm |= UINT64_C(1) << (mantissa - 1);
    if (a->shape == GEN_TERNARY && o->imm >> 16) return gen_wants(a, o->term.from, "a constant here has 16 bits");
    if (size == 16 && a->shape != GEN_TERNARY) o->imm |= o->imm << 16;
    return true;
}

/* The bits of a constant: small ones are in their field twice. */
static bool constant_bits(struct gen_assembly *a, struct gen_written *o)
{
    const struct gpudbg_term *t = &o->term;
    const unsigned type = o->type, size = gen_type_size[type];
    const bool ternary = a->shape == GEN_TERNARY, vector = type >= GEN_UV && type <= GEN_VF;
    const unsigned bits = ternary ? 16 : vector || type == GEN_BADTYPE ? 32 : 8 * size;
    const bool small = size <= 2 && !vector && !ternary;
    uint64_t value = (uint64_t)t->value;
    const bool hex = t->from[0] == '0' && (t->from[1] == 'x' || t->from[1] == 'X');
    if (t->is_float) {
        if (type == GEN_F32)
            value = lanes_bits32((float)t->number);
        else if (type == GEN_DF)
            value = lanes_bits64(t->number);
        else if (type == GEN_HF)
            value = lanes_f16_from_f32(lanes_bits32((float)t->number), LANES_NEAREST, true);
        else
            return gen_wants(a, t->from, "a number with a point is of type %sf or df", a->eu->wide_types ? "hf, " : "");
    } else if (gen_type_is_float(type) && type != GEN_VF && !hex && t->known) {
        return gen_wants(a, t->from, "a constant of type %s is a number with a point, or its bits in hexadecimal",
            gen_type_name[type]);
    } else if (small && hex && t->to - t->from == 10) { /* both halves */
        o->imm = value & 0xffffffff;
        return true;
    } else if (bits < 64 && t->known && (t->value < -((int64_t)1 << (bits - 1)) || t->value >= (int64_t)1 << bits)) {
        return gpudbg_reading_wants(a->r, t->from, "out-of-range", "a constant of type %s%s has %u bits",
            gen_type_name[type], ternary ? " among three sources" : "", bits);
    }
    if (ternary && value >> 16 && t->is_float)
        return gpudbg_reading_wants(a->r, t->from, "out-of-range", "a constant among three sources has 16 bits");
    if (bits < 64) value &= ((uint64_t)1 << bits) - 1;
    if (small && size == 1 && type != GEN_BADTYPE) value |= value << 8;
    if (small && type != GEN_BADTYPE) value |= value << 16;
    o->imm = value;
    return true;
}

static bool counts_bytes(const struct gen_assembly *a, const struct gen_written *o)
{
    const unsigned high = o->reg >> 4;
    return a->iga && o->file == 0 && (high == 0xa || high == 4 || high == 5 || (a->eu->flow_register && high == 0xd));
}

static bool settle_sub(struct gen_assembly *a, struct gen_written *o, bool destination)
{
    const unsigned size = counts_bytes(a, o) ? 1 : gen_type_size[o->type];
    if (o->mode != GEN_DIRECT || o->mme) return true;
    const unsigned parts = gen_type_in_byte(o->type);
    if (o->part % parts)
        return gen_wants(a, o->sub_at, "an element of %s does not begin a byte there", gen_type_name[o->type]);
    const int64_t bytes = o->part * (int64_t)size / parts + o->rest;
    const unsigned step = a->shape == GEN_TERNARY && !a->eu->three_regions
                              ? o->type == GEN_HF || (a->eu->column == GEN_COLUMN_e8 && !destination) ? 2 : 4
                          : a->align16 ? 16
                                       : 1;
    if (o->rest >= size)
        return gen_wants(a, o->sub_at, "an element of type %s has %u bytes", gen_type_name[o->type], size);
    if (bytes > 31)
        return gpudbg_reading_wants(a->r, o->sub_at, "out-of-range", "a register has 32 bytes: .0 to .%u of type %s",
            32 / size * parts - 1, gen_type_name[o->type]);
    o->sub = (uint8_t)bytes;
    if (a->iga && a->shape == GEN_TERNARY && !a->eu->three_regions && destination &&
        a->exec == 0) { /* one channel: one component of four is enabled */
        const unsigned dword = o->sub % 16 / 4, half = o->sub % 8 / 2;
        a->exec = o->type == GEN_DF ? 1 : 2;
        o->chan_en = (uint8_t)(o->type == GEN_DF ? 3 << dword : 1 << (o->type == GEN_HF ? half : dword));
        o->sub &= o->type == GEN_HF ? 24 : 16;
    }
    return bytes % step == 0 || gen_wants(a, o->sub_at, "the subregister is a multiple of %u bytes here", step);
}

bool gen_settle_place(struct gen_assembly *a, struct gen_written *o)
{
    if (o->nregion || o->has_swizzle || o->mode != GEN_DIRECT)
        return gen_wants(a, o->region_at ? o->region_at : o->at, "a register without a region is expected here: r10%s",
            a->shape == GEN_SEND ? "" : ".0");
    if (!settle_sub(a, o, true)) return false;
    return a->shape != GEN_SEND || !o->sub || gen_wants(a, o->sub_at, "messages have whole registers: r10");
}

bool gen_settle_descriptor(struct gen_assembly *a, struct gen_written *o)
{
    const int64_t bytes = 4 * o->part + o->rest; /* it is read as a dword, whatever its type is */
    if (o->nregion || o->has_type || o->mode != GEN_DIRECT)
        return gen_wants(a, o->at, "a descriptor is a number, or a register without a region: a0.0");
    o->sub = (uint8_t)bytes;
    return bytes < 32 || gen_wants(a, o->sub_at, "a register has 8 dwords: .0 to .7");
}

bool gen_settle(struct gen_assembly *a, struct gen_written *o, int n)
{
    const bool destination = n < 0, ternary = a->shape == GEN_TERNARY;
    if (!o->has_type && !(a->iga && (a->shape == GEN_SEND || a->shape >= GEN_JUMP)))
        return gen_wants(a, a->r->at, "a type is expected here: %s", o->mode == GEN_IMMEDIATE ? "5:ud" : "r10.0:f");
    if (!settle_type(a, o)) return false;
    if (o->mode == GEN_IMMEDIATE) {
        if (a->shape == GEN_DPAS) return gen_wants(a, o->at, "%s has no constants", a->row->name);
        if (ternary && (!a->eu->three_regions || n == 1))
            return gen_wants(a, o->at,
                a->eu->three_regions ? "source 1 of three is a register; source 0 and source 2 may be constants"
                                     : "all three sources are registers");
        if (a->mesa) return true; /* its bits are read with its type */
        return o->special ? special_bits(a, o) : constant_bits(a, o);
    }
    if (o->inverted && !a->eu->inverts && !a->iga) return gen_wants(a, o->at, "%s negates with -", a->r->isa->name);
    if (o->neg && (a->eu->inverts || a->iga)) {
        const bool logic = GEN_IS(a->op, LOGIC);
        if (logic != o->inverted && !(a->iga && logic)) /* IGA accepts - for logic, too */
            return gen_wants(a, o->at, logic ? "a source of %s is inverted with ~" : "a source of %s is negated with -",
                a->row->name);
    }
    if (!a->eu->three_regions && ternary && (o->mode != GEN_DIRECT || o->file != 1))
        return gen_wants(a, o->at, "operands of three-source instructions are general registers");
    if (ternary && o->mode != GEN_DIRECT)
        return gen_wants(a, o->at, "operands of three-source instructions are named by their number");
    if (o->has_swizzle && !a->align16 && !ternary) return gen_wants(a, o->at, "components need the option Align16");
    if (a->shape == GEN_DPAS) {
        if (o->nregion || o->mode != GEN_DIRECT || o->neg || o->abs)
            return gen_wants(a, o->at, "operands of %s are registers without a region: r10:f", a->row->name);
        return settle_sub(a, o, destination);
    }
    if (destination ? !settle_destination_region(a, o)
        : ternary   ? !settle_ternary_region(a, o, (unsigned)n)
                    : !settle_source_region(a, o))
        return false;
    return settle_sub(a, o, destination);
}
