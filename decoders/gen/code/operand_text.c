/* SPDX-License-Identifier: GPL-3.0-or-later */
/* operand_text.c: an operand as the manuals write it, with its region and type: "r10.0<8;8,1>:f". */
#include "code/gen_decoder.h"

char *gen_put_code(char *p, unsigned code)
{
    *p++ = '#';
    return gen_put_number(p, code);
}

/* The register without region: "r10", "null", "acc0", "arf0x5e". */
static char *put_register(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->file == GEN_NOFILE) {
        unsigned file = gen_file_code(i, o);
        p = file == 2 ? PUT(p, "m") : file == 3 ? PUT(p, "imm") : PUT(p, "arf");
        return file == 0 ? gen_put_hex(p, o->arf, 2) : gen_put_number(p, o->arf);
    }
    return gen_put_register(p, o, o->reg != 0);
}

/* The subregister in elements of `size` bytes; remaining bytes follow after '+'. */
static char *put_subregister(char *p, const struct gen_operand *o, unsigned size)
{
    bool none = (o->file == GEN_NULL || o->file == GEN_IP || o->file == GEN_CE) && o->sub == 0;
    if (none) return p;
    *p++ = '.';
    p = gen_put_dec(p, o->sub / size);
    if (o->sub % size) {
        *p++ = '+';
        p = gen_put_dec(p, o->sub % size);
    }
    return p;
}

char *gen_put_systolic(char *p, unsigned func)
{
    p = PUT(gen_put_dec(p, 1u << (func >> 3 & 3)), "x");
    return gen_put_dec(p, (func & 7) + 1);
}

char *gen_put_length(char *p, const struct gen_insn *i)
{
    return i->shape == GEN_SEND && gen_says_length(i) ? gen_put_dec(PUT(p, ":"), i->ex_desc >> 6 & 31) : p;
}

char *gen_prm_register(char *p, const struct gen_insn *i, const struct gen_operand *o, unsigned type)
{
    return put_subregister(put_register(p, i, o), o, gen_type_size[type]);
}

/* A macro's register whose number is in place of Align16's components, and nothing else is odd. */
static bool names_mme(const struct gen_insn *i, const struct gen_operand *o)
{
    return gen_is_macro(i) && i->eu->align16 && o->align16 && o->mode == GEN_DIRECT && o->mme <= 8 && !o->sub &&
           !o->rep && (o == &i->dst || o->swizzle < 16);
}

static char *put_mme(char *p, unsigned n) { return n < 8 ? gen_put_dec(PUT(p, ".mme"), n) : PUT(p, ".nomme"); }

static char *put_place(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    if (o->mode == GEN_INDIRECT) {
        static const char *const files[4] = {"arf[a0.", "r[a0.", "m[a0.", "imm[a0."};
        p = put(p, files[o->file == GEN_GRF ? 1 : gen_file_code(i, o)]);
        p = gen_put_dec(p, o->addr_sub);
        if (o->addr_imm) {
            *p++ = ',';
            p = gen_put_number(p, o->addr_imm);
        }
        *p++ = ']';
        return p;
    }
    if (gen_is_macro(i) && !i->eu->align16) {
        p = put_register(p, i, o);
        return o->sub <= 8 ? put_mme(p, o->sub) : gen_put_code(PUT(p, "."), o->sub);
    }
    if (names_mme(i, o)) return put_mme(put_register(p, i, o), o->mme);
    if (gen_type_in_byte(o->type) > 1) { /* elements of four bits, of two bits */
        p = PUT(put_register(p, i, o), ".");
        return gen_put_dec(p, o->sub * gen_type_in_byte(o->type));
    }
    return gen_prm_register(p, i, o, o->type);
}

static char *put_stride(char *p, unsigned value, unsigned code)
{
    return value == GEN_RESERVED ? gen_put_code(p, code) : gen_put_dec(p, value);
}

static char *put_source_region(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    *p++ = '<';
    if (i->shape == GEN_TERNARY && i->eu->three_regions) {
        if (o != &i->src[2]) {
            p = gen_put_dec(p, o->vstride);
            *p++ = ';';
        }
        p = gen_put_dec(p, o->hstride);
    } else if (i->shape == GEN_TERNARY) {
        p = o->rep ? PUT(p, "0;1,0") : PUT(p, "4");
    } else if (o->align16) {
        p = put_stride(p, o->vstride, o->vcode);
    } else {
        if (!o->vx) {
            p = put_stride(p, o->vstride, o->vcode);
            *p++ = ';';
        }
        p = put_stride(p, o->width, o->wcode);
        *p++ = ',';
        p = gen_put_dec(p, o->hstride);
    }
    *p++ = '>';
    if (!o->align16 || o->rep || names_mme(i, o)) return p;
    *p++ = '.';
    for (unsigned c = 0; c < 4; c++) *p++ = "xyzw"[o->swizzle >> 2 * c & 3];
    return p;
}

static char *put_destination_region(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    *p++ = '<';
    p = gen_put_dec(p, o->hstride);
    *p++ = '>';
    if (!o->align16 || names_mme(i, o)) return p;
    *p++ = '.';
    if (!o->chan_en) return PUT(p, "none");
    for (unsigned c = 0; c < 4; c++)
        if (o->chan_en >> c & 1) *p++ = "xyzw"[c];
    return p;
}

/* The type; a reserved code is written as a number. */
static char *put_type(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    *p++ = ':';
    if (o->type != GEN_BADTYPE) return put(p, gen_type_name[o->type]);
    return gen_put_code(p, gen_type_code(i, o));
}

/* Constants of 8 and 16 bits are in their field twice: if the halves differ, the whole field is written. */
static char *put_constant(char *p, const struct gen_insn *i, const struct gen_operand *o)
{
    uint64_t bits = o->imm;
    unsigned size = gen_type_size[o->type];
    bool small = size <= 2 && o->type < GEN_UV && i->shape != GEN_TERNARY;
    bool twice = small && o->type != GEN_BADTYPE && (bits & 0xffff) == (bits >> 16 & 0xffff) &&
                 (size == 2 || (bits & 0xff) == (bits >> 8 & 0xff));
    if (small && !twice) {
        p = gen_put_hex(p, bits & 0xffffffff, 8);
        return put_type(p, i, o);
    }
    if (size == 1 && i->shape == GEN_TERNARY && bits >> 8) { /* 16 bits for a byte */
        p = gen_put_hex(p, bits, 4);
        return put_type(p, i, o);
    }
    return gen_put_imm(p, o->type, bits, false);
}

char *gen_prm_operand(char *p, const struct gen_insn *i, const struct gen_operand *o, bool destination)
{
    if (o->mode == GEN_ABSENT) return p;
    if (o->mode == GEN_IMMEDIATE)
        return o->type == GEN_BADTYPE ? put_type(gen_put_hex(p, o->imm, 8), i, o) : put_constant(p, i, o);
    if (o->neg) *p++ = i->eu->inverts && GEN_IS(i->op, LOGIC) ? '~' : '-';
    if (o->abs) p = PUT(p, "(abs)");
    p = put_place(p, i, o);
    if (i->shape == GEN_SEND && destination && gen_types_answer(i->eu, i->op)) return put_type(p, i, o);
    if (i->shape == GEN_SEND ? gen_is_split(i) : i->shape >= GEN_JUMP && !i->eu->typed_targets)
        return p; /* whole registers, call's addresses */
    if (i->shape == GEN_DPAS) return put_type(p, i, o);
    p = destination ? put_destination_region(p, i, o) : put_source_region(p, i, o);
    return put_type(p, i, o);
}
