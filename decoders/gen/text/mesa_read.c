/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mesa_read.c: text as Mesa's drivers print it (mesa_text.c), of all versions: Mesa before 2019 leaves out the number
 * of a message and its header, the subregister 0 of a flag, and the bits of floats; before 2016 null has neither region
 * nor type; before 2014 targets are two numbers, UIP first.
 */
#include <ctype.h>
#include <stdlib.h>
#include <strings.h>
#include "text/mesa_message.h"
#include "gpudbg/lanes.h"

/* ---- In front of the operands ---- */

static bool read_predicate(struct gen_assembly *a)
{
    if (!gpudbg_reading_takes(a->r, '(')) return true;
    a->pred_inv = gpudbg_reading_takes(a->r, '-');
    if (!a->pred_inv) gpudbg_reading_takes(a->r, '+');
    if (!gen_read_flag(a)) return false;
    const char *name = a->r->at;
    const size_t named = *name == '.' ? strcspn(name + 1, " \t)") : 0;
    if (*name == '.') a->r->at += 1 + named;
    if (named > 1 && name[1] == '#') {
        a->r->at = name + 1;
        if (!gen_read_hash(a, 16, "the code of a predicate", &a->pred)) return false;
    } else if (!gen_read_predicate(a, name + 1, named)) {
        return false;
    }
    return gen_read_char(a, ')', "(+f0.0)");
}

static const char *condition_name(const struct gen_assembly *a, unsigned code)
{
    (void)a;
    return gen_mesa_cmod_name(code);
}

static bool read_condition(struct gen_assembly *a)
{
    const char *from = a->r->at;
    const size_t n = gen_letters(from);
    if (a->cmod || a->shape == GEN_SEND) return gen_wants(a, from, "the end of the name is expected here");
    if (gen_is_named(from, n, "e") || gen_is_named(from, n, "ne")) { /* before 2014 */
        a->cmod = n == 1 ? 1 : 2;
        a->r->at += n;
    } else if (!gen_read_code(a, condition_name, 16, "a condition, sat", &a->cmod)) {
        return false;
    }
    if (a->r->at[0] != '.' || a->r->at[1] != 'f') return true;
    a->r->at++;
    return gen_read_flag(a);
}

static bool read_suffixes(struct gen_assembly *a)
{
    while (gen_takes_next(a, '.')) {
        const char *from = a->r->at;
        const size_t n = gen_letters(from);
        if (gen_is_named(from, n, "sat"))
            a->saturate = true;
        else if (gen_is_named(from, n, "breakpoint"))
            a->breakpoint = true;
        else if (a->shape == GEN_MATH || a->shape == GEN_SYNC) /* sync.nop, as in the other syntaxes */
            return gen_read_code(a, gen_function_name, 16, "a function", &a->func);
        else if (!read_condition(a))
            return false;
        else
            continue;
        a->r->at += n;
    }
    if (a->shape != GEN_MATH && a->shape != GEN_SYNC) return true;
    gpudbg_reading_ends(a->r);
    return gen_read_code(a, gen_function_name, 16, "a function", &a->func);
}

/* ---- Registers ---- */

static size_t lower_letters(const char *p)
{
    size_t n = 0;
    while (islower((unsigned char)p[n])) n++;
    return n;
}

static bool read_address(struct gen_assembly *a, struct gen_written *o)
{
    static const char form[] = "g[a0.1 16]";
    int64_t value = 0;
    if (strncmp(a->r->at, "a0", 2) != 0) return gen_wants(a, a->r->at, "an address word is expected here: %s", form);
    a->r->at += 2;
    if (gen_takes_next(a, '.') && !gen_read_int(a, 0, a->eu->address_words - 1, "the address word", &value))
        return false;
    o->addr_sub = (uint8_t)value;
    o->mode = GEN_INDIRECT;
    gpudbg_reading_ends(a->r);
    if (*a->r->at != ']') {
        if (!gen_read_int(a, -512, 1023, "the offset of an address", &value)) return false;
        o->addr_imm = (int16_t)(value > 511 ? value - 1024 : value); /* Mesa prints it without a sign */
    }
    return gen_read_char(a, ']', form);
}

/* 1: a register; 0: not a register; -1: an error was reported. */
static int register_here(struct gen_assembly *a, struct gen_written *o)
{
    const char *p = a->r->at;
    const size_t n = strncmp(p, "ARF", 3) == 0 ? 3 : lower_letters(p);
    uint64_t number = 0;
    if (n == 1 && p[0] == 'g' && p[1] == '[') {
        a->r->at += 2;
        o->file = 1;
        return read_address(a, o) ? 1 : -1;
    }
    const char *behind = p + n;
    const bool numbered = n && isdigit((unsigned char)*behind) && gen_digits(&behind, &number);
    o->mode = GEN_DIRECT;
    if (n == 1 && *p == 'm' && numbered)
        return gpudbg_reading_wants(a->r, p, "unsupported",
                   "m%u is a message register of Gen6 (Sandy Bridge) and older, whose code is not read here",
                   (unsigned)(number & 255))
                   ? 1
                   : -1;
    unsigned high = 16;
    for (unsigned i = 0; i < 16; i++)
        if (gen_mesa_arfs[i] && strlen(gen_mesa_arfs[i]) == n && memcmp(p, gen_mesa_arfs[i], n) == 0) high = i;
    const bool plain = high == 0 || high == 0xa;
    const bool general = n == 1 && *p == 'g' && numbered, by_number = n == 3 && *p == 'A' && numbered;
    if (!general && !by_number && (high == 16 || (!plain && !numbered))) return 0;
    const unsigned most = general || by_number ? 255 : 15;
    if (number > most)
        return gen_wants(a, p + n, "registers of %.*s have numbers from 0 to %u", (int)n, p, general ? 127 : most) ? 1
                                                                                                                   : -1;
    o->file = general;
    o->reg = (uint8_t)(general || by_number ? number : high << 4 | number);
    a->r->at = behind;
    return 1;
}

static bool read_region(struct gen_assembly *a, struct gen_written *o)
{
    if (*a->r->at != '<') return true;
    o->region_at = a->r->at++;
    for (o->nregion = 0;;) {
        uint8_t code;
        const unsigned n = o->nregion++;
        o->code_of[n] = 0;
        if (n == 0 && strncmp(a->r->at, "VxH", 3) == 0) {
            a->r->at += 3;
            o->vx = true;
        } else if (*a->r->at == '#') {
            if (!gen_read_hash(a, 16, "a code of the region", &code)) return false;
            o->region[n] = code;
            o->code_of[n] = 1;
        } else if (!gen_read_int(a, 0, 32, "a number of the region", &o->region[n])) {
            return false;
        }
        if (gpudbg_reading_takes(a->r, '>')) return true;
        if (o->nregion == 3) return gen_wants(a, a->r->at, "a > is expected here: <8,8,1>");
        if (!gpudbg_reading_takes(a->r, ',') && !gpudbg_reading_takes(a->r, ';'))
            return gen_wants(a, a->r->at, "a , or a > is expected here: <8,8,1>");
        o->separator[n] = n || o->vx ? ',' : ';';
    }
}

/* .xyzw of sources, where a single letter means all four; .xy of destinations; "." alone: no component. */
static bool read_components(struct gen_assembly *a, struct gen_written *o, bool destination)
{
    if (*a->r->at != '.') return true;
    const char *from = ++a->r->at;
    const size_t n = strspn(from, "xyzw");
    o->has_swizzle = true;
    if (destination) o->chan_en = 0;
    if (!destination && n != 1 && n != 4) return gen_wants(a, from, "one component or four are expected here: xyzw");
    for (size_t i = 0; i < (destination ? n : 4); i++) {
        const unsigned which = (unsigned)(strchr("xyzw", from[n == 1 ? 0 : i]) - "xyzw") & 3;
        if (destination)
            o->chan_en |= (uint8_t)(1 << which);
        else
            o->swizzle = (uint8_t)((o->swizzle & ~(3u << 2 * i)) | which << 2 * i);
    }
    a->r->at += n;
    return true;
}

/* The type whose name is the n capital letters at p; GEN_BADTYPE: no such type. */
static unsigned type_named(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isupper((unsigned char)p[i])) return GEN_BADTYPE;
    for (unsigned t = 0; t < GEN_BADTYPE; t++)
        if (t != 8 && gen_is_named(p, n, gen_type_name[t])) return t;
    return GEN_BADTYPE;
}

static bool read_type(struct gen_assembly *a, struct gen_written *o)
{
    size_t n = 0;
    while (isupper((unsigned char)a->r->at[n])) n++;
    if (!n) return true;
    o->type_at = a->r->at;
    o->has_type = true;
    o->type = (uint8_t)type_named(a->r->at, n);
    if (o->type == GEN_BADTYPE)
        return gen_wants(a, a->r->at, "a type is expected here: UB UW UD %sB W D %sF DF",
            a->eu->wide_types ? "UQ " : "", a->eu->wide_types ? "Q HF " : "");
    a->r->at += n;
    return true;
}

/* ---- Constants ---- */

/* The nearest float of 8 bits. */
static unsigned vector_float(double value)
{
    const uint32_t bits = lanes_bits32((float)value);
    if (!(bits << 1)) return bits >> 24;
    return (bits >> 24 & 0x80) | (((bits >> 23 & 255) - 124) << 4 & 0x70) | (bits >> 19 & 15);
}

/* [0F, 1F, 0F, 1F]VF */
static bool read_vector(struct gen_assembly *a, struct gen_written *o)
{
    char *end;
    const char *p = a->r->at + 1;
    o->type = GEN_VF;
    for (unsigned i = 0; i < 4; i++) {
        const double value = strtod(p, &end);
        if (end == p || *end != 'F') return gen_wants(a, p, "a number is expected here: [0F, 1F, 0F, 1F]VF");
        o->imm |= (uint64_t)vector_float(value) << 8 * i;
        p = end + 1 + strspn(end + 1, ", ");
    }
    if (strncmp(p, "]VF", 3) != 0) return gen_wants(a, p, "]VF is expected here");
    a->r->at = p + 3;
    return true;
}

/* The type at the end of the constant's n characters, and the length of the number before it. */
static unsigned constant_type(const char *p, size_t n, size_t *number)
{
    const bool hex = n > 2 && p[0] == '0' && p[1] == 'x';
    for (size_t length = n < 2 ? n : 2; length > 0; length--) {
        const unsigned type = type_named(p + n - length, length);
        *number = n - length;
        if (type != GEN_BADTYPE && (!hex || *number > 2)) return type;
    }
    return GEN_BADTYPE;
}

/* Small constants are in their field twice. */
static uint64_t twice(const struct gen_assembly *a, unsigned type, uint64_t bits)
{
    const unsigned size = gen_type_size[type];
    if (type >= GEN_UV || size > 2) return size < 8 ? bits & 0xffffffff : bits;
    bits &= size == 1 ? 0xff : 0xffff;
    if (size == 1) bits |= bits << 8;
    return a->shape == GEN_TERNARY ? bits : bits | bits << 16;
}

static bool read_constant(struct gen_assembly *a, struct gen_written *o)
{
    char text[64], *end;
    const char *from = a->r->at;
    size_t n = strspn(from, "+-0123456789abcdefxinABCDEFGHIJKLMNOPQRSTUVWXYZ."), number;
    o->mode = GEN_IMMEDIATE;
    o->has_type = true;
    if (*from == '[') return read_vector(a, o);
    if (strncmp(from, "Vector Float", 12) == 0 || strncmp(from, "Half Float IMM", 14) == 0)
        return gen_wants(a, from, "this version of Mesa does not print the value of such a constant");
    if (!n || n >= sizeof text) return gen_wants(a, from, "a source is expected here: g10<8,8,1>F, -5D, 0x3f800000F");
    o->type = (uint8_t)constant_type(from, n, &number);
    if (o->type == GEN_BADTYPE || !number)
        return gen_wants(a, from, "a constant ends with its type: -5D, 0x0001UW, 0x3f800000F");
    memcpy(text, from, number);
    text[number] = 0;
    const bool hex = text[0] == '0' && text[1] == 'x', is_float = gen_type_is_float(o->type) && o->type != GEN_VF;
    const bool wide = o->type == GEN_DF || GEN_IS(a->op, IMM64);
    uint64_t bits;
    if (hex) {
        const char *at = text;
        if (!gen_digits(&at, &bits) || *at) return gen_wants(a, from, "a number is expected here");
    } else if (is_float) {
        const double value = strtod(text, &end);
        if (end == text || *end) return gen_wants(a, from, "a number is expected here");
        bits = wide                ? lanes_bits64(value)
               : o->type == GEN_HF ? lanes_f16_from_f32(lanes_bits32((float)value), LANES_NEAREST, true)
                                   : lanes_bits32((float)value);
    } else {
        const long long value = strtoll(text, &end, 10);
        if (end == text || *end) return gen_wants(a, from, "a number is expected here");
        bits = (uint64_t)value;
        const unsigned size = 8 * gen_type_size[o->type];
        if (size < 64 && (value < -(1LL << (size - 1)) || value >= 1LL << size))
            return gpudbg_reading_wants(
                a->r, from, "out-of-range", "a constant of type %s has %u bits", gen_type_name[o->type], size);
    }
    if (GEN_IS(a->op, IMM64)) o->type = GEN_DF; /* its text says F */
    o->imm = twice(a, o->type, bits);
    a->r->at += n;
    return true;
}

/* ---- Operands ---- */

/* Shortens the regions of three sources to the form of the manual. */
static void shorten_region(const struct gen_assembly *a, struct gen_written *o, int n)
{
    if (o->vx) { /* <VxH,8,1> is <8,1> */
        o->region[0] = o->region[1];
        o->region[1] = o->region[2];
        o->code_of[0] = o->code_of[1];
        o->code_of[1] = o->code_of[2];
        o->separator[0] = ',';
        o->nregion = 2;
    } else if (n < 0 || a->shape != GEN_TERNARY || o->nregion != 3) {
        return;
    } else if (!a->eu->three_regions) {
        if (o->region[0] == 4)
            o->nregion = 1;
        else
            o->swizzle = 0; /* one dword for all channels: Mesa sets .xxxx, which means nothing */
    } else if (n == 2) {
        o->region[0] = o->region[2];
        o->nregion = 1;
    } else {
        o->region[1] = o->region[2];
        o->separator[0] = ';';
        o->nregion = 2;
    }
}

static bool read_part(struct gen_assembly *a, struct gen_written *o)
{
    if (*a->r->at != '.' || !isdigit((unsigned char)a->r->at[1])) return true;
    o->sub_at = a->r->at++;
    o->has_sub = true;
    const char *p = a->r->at;
    uint64_t value;
    if (!gen_digits(&p, &value) || value > 31) return gen_wants(a, a->r->at, "the subregister is a number up to 31");
    o->part = (int64_t)value;
    a->r->at = p;
    return true;
}

/* n < 0: the destination. */
static bool read_operand(struct gen_assembly *a, struct gen_written *o, int n)
{
    memset(o, 0, sizeof *o);
    o->type = GEN_UD;
    o->chan_en = 15;
    o->swizzle = 0xe4;
    if (gen_read_ends(a))
        return gen_wants(a, a->r->at, "%s is missing: %s has %s", n < 0 ? "the destination" : "a source", a->row->name,
            a->row->operands);
    const char *from = o->at = a->r->at;
    if (n >= 0) {
        const bool inverted = *from == '~';
        if ((inverted || *from == '-') && !isdigit((unsigned char)from[1]) && strncmp(from + 1, "inf", 3) != 0 &&
            strncmp(from + 1, "nan", 3) != 0) {
            o->neg = true;
            o->inverted = inverted;
            a->r->at++;
        }
        if (strncmp(a->r->at, "(abs)", 5) == 0) {
            o->abs = true;
            a->r->at += 5;
        }
    }
    const int got = strncmp(a->r->at, "nan", 3) == 0 ? 0 : register_here(a, o);
    if (got < 0) return false;
    if (!got && (n < 0 || o->neg || o->abs))
        return gen_wants(a, a->r->at, "a register is expected here: g10%s", n < 0 ? "<1>F" : "<8,8,1>F");
    if (!got) return read_constant(a, o);
    if (!(o->mode == GEN_INDIRECT || read_part(a, o)) || !read_region(a, o) || !read_components(a, o, n < 0) ||
        !read_type(a, o))
        return false;
    if (o->mode == GEN_INDIRECT && n < 0) { /* in elements */
        const unsigned sub = o->addr_sub * (unsigned)gen_type_size[o->type];
        if (sub >= a->eu->address_words)
            return gen_wants(a, o->at, "the address word is one of %u", a->eu->address_words);
        o->addr_sub = (uint8_t)sub;
    }
    shorten_region(a, o, n);
    return true;
}

/* Adds the parts that old versions leave out of null, ip and tdr0: the type is that of the first source. */
static void fill_in(struct gen_assembly *a, struct gen_written *o, const struct gen_written *like)
{
    const bool source = o != &a->dst, typed = o->has_type;
    if (!o->has_type) {
        const bool none = o->mode == GEN_DIRECT && o->file == 0 && o->reg < 0x10;
        o->type = none && like && like->has_type && like->type < GEN_UV ? like->type : GEN_UD;
        o->has_type = true;
    }
    if (o->mode != GEN_DIRECT || o->nregion || o->file == 1) return;
    if (a->align16) {
        o->nregion = 1;
        o->region[0] = source ? 4 : 1;
    } else if (!source) {
        o->nregion = 1;
        o->region[0] = 1;
    } else {
        const bool none = o->reg < 0x10 && !typed; /* "nullUD" is from Mesa from 2020 on: <0,1,0> */
        o->nregion = 3;
        o->separator[0] = ';';
        o->separator[1] = ',';
        o->region[0] = none ? 8 : 0;
        o->region[1] = none ? 8 : 1;
        o->region[2] = none;
    }
}

static bool settle_all(struct gen_assembly *a, unsigned nsrc)
{
    const struct gen_written *like = nsrc ? &a->src[0] : NULL;
    if (a->dst.mode != GEN_ABSENT) {
        fill_in(a, &a->dst, like);
        if (!gen_settle(a, &a->dst, -1)) return false;
    }
    for (unsigned n = 0; n < nsrc; n++) {
        fill_in(a, &a->src[n], like);
        if (!gen_settle(a, &a->src[n], (int)n)) return false;
    }
    return true;
}

static bool read_computing(struct gen_assembly *a, unsigned nsrc)
{
    if (!read_operand(a, &a->dst, -1)) return false;
    for (a->nsrc = 0; a->nsrc < nsrc; a->nsrc++)
        if (!read_operand(a, &a->src[a->nsrc], a->nsrc)) return false;
    if (nsrc == 1 && (a->shape == GEN_MATH || GEN_IS(a->op, GATHERS)) && !gen_read_ends(a)) {
        a->has_second = true; /* Mesa's tables say that it has two sources */
        if (!read_operand(a, &a->src[1], 1)) return false;
    }
    return settle_all(a, nsrc + a->has_second);
}

/* wait writes the register that it waits for; sync writes nothing. */
static bool read_waiting(struct gen_assembly *a)
{
    struct gen_written *s = &a->src[0];
    a->nsrc = 1;
    if (a->shape == GEN_SYNC) {
        bool bare = false;
        if (gen_read_ends(a)) {
            *s = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB};
        } else {
            if (!read_operand(a, s, 0)) return false;
            bare = s->mode == GEN_DIRECT && !s->nregion; /* nullUD: the versions of Mesa that print it leave the
                                                            destination 0 */
            if (!settle_all(a, 1)) return false;
        }
        a->dst = (struct gen_written){.mode = GEN_DIRECT, .type = GEN_UB, .h = !bare};
        return true;
    }
    if (!read_operand(a, &a->dst, -1) || !settle_all(a, 0)) return false;
    *s = a->dst;
    s->h = 0;
    a->has_second = true;
    a->src[1] = (struct gen_written){
        .mode = GEN_DIRECT, .type = GEN_F32, .swizzle = 0xe4, .v = a->align16 ? 3 : 4, .w = 3, .h = 1};
    s->swizzle = a->align16 && s->chan_en && !(s->chan_en & (s->chan_en - 1))
                     ? (uint8_t)(0x55u * (unsigned)__builtin_ctz(s->chan_en))
                     : 0xe4;
    return s->mode == GEN_DIRECT || gen_wants(a, s->at, "wait waits for a register: n0<1>UD");
}

static bool register_next(struct gen_assembly *a)
{
    struct gen_written o = {0};
    struct gpudbg_error err = {.offset = -1}, *told = a->r->err;
    const char *at = (gpudbg_reading_ends(a->r), a->r->at), *furthest = a->r->furthest;
    a->r->err = &err;
    a->r->at += *at == '-' || *at == '~';
    if (strncmp(a->r->at, "(abs)", 5) == 0) a->r->at += 5;
    const bool is = register_here(a, &o) != 0 && strchr(".<[ \t{;", *a->r->at);
    a->r->err = told;
    a->r->furthest = furthest;
    a->r->at = at;
    return is;
}

/* ---- Messages ---- */

static bool read_hex(struct gen_assembly *a, uint64_t most, const char *what, uint64_t *value)
{
    const char *p = (gpudbg_reading_ends(a->r), a->r->at);
    if (p[0] != '0' || p[1] != 'x' || !gen_digits(&p, value) || *value > most || isalnum((unsigned char)*p))
        return gen_wants(a, a->r->at, "%s is expected here: 0x02106e00", what);
    a->r->at = p;
    return true;
}

static bool hex_next(struct gen_assembly *a)
{
    gpudbg_reading_ends(a->r);
    return a->r->at[0] == '0' && a->r->at[1] == 'x';
}

/* a0.2<0>UD: the dword of a0.  Mesa before 2021 writes g[a0.2]UD. */
static bool read_a0(struct gen_assembly *a, unsigned *part)
{
    int64_t value = 0;
    const bool older = strncmp(a->r->at, "g[a0", 4) == 0;
    if (older) a->r->at += 2;
    if (strncmp(a->r->at, "a0", 2) != 0)
        return gen_wants(a, a->r->at, "a descriptor is expected here: 0x02106e00, a0<0>UD");
    a->r->at += 2;
    if (*a->r->at == '.' && isdigit((unsigned char)a->r->at[1])) {
        value = a->r->at[1] - '0';
        a->r->at += 2;
    }
    *part = (unsigned)value;
    if (older && *a->r->at++ != ']') return gen_wants(a, a->r->at - 1, "a ] is expected here: g[a0]UD");
    if (strncmp(a->r->at, "<0>", 3) == 0) a->r->at += 3;
    if (strncmp(a->r->at, "UD", 2) == 0) a->r->at += 2;
    return value < 8 || gen_wants(a, a->r->at, "a0 has 8 dwords");
}

static bool read_descriptors_e2(struct gen_assembly *a)
{
    uint64_t value;
    unsigned part;
    if (hex_next(a)) {
        if (!read_hex(a, UINT32_MAX, "the descriptor", &value)) return false;
        a->desc = (uint32_t)value;
        a->has_desc = true;
    } else {
        if (!read_a0(a, &part)) return false;
        if (part) return gen_wants(a, a->r->at, "the descriptor is in a0.0");
        a->desc_is_reg = true;
    }
    if (hex_next(a)) {
        if (!read_hex(a, UINT32_MAX, "the extended descriptor", &value)) return false;
        if (value & 0x3f) return gen_wants(a, a->r->at, "bits 5 to 0 of the extended descriptor are 0");
        a->ex_desc = (uint32_t)value;
        return true;
    }
    if (!read_a0(a, &part)) return false;
    a->ex_desc_is_reg = true;
    a->ex_desc_reg = (uint8_t)part;
    return true;
}

/* The descriptor as a number (Mesa from 2019 on): the upper dword of the instruction. */
static bool read_descriptor_e1(struct gen_assembly *a)
{
    uint64_t value;
    if (!hex_next(a) && register_next(a)) {
        a->desc_is_reg = true;
        if (!read_operand(a, &a->desc_reg, 1)) return false;
        fill_in(a, &a->desc_reg, NULL);
        a->desc_reg.sub = (uint8_t)(a->desc_reg.part * gen_type_size[a->desc_reg.type]);
    }
    if (!hex_next(a)) return true;
    if (!read_hex(a, UINT32_MAX, "the descriptor", &value)) return false;
    a->has_desc = true;
    a->desc = (uint32_t)value & 0x7fffffff;
    a->eot |= value >> 31 & 1;
    return true;
}

/* Whether the words agree with the number on the bits that both give. */
static bool words_agree(struct gen_assembly *a, const struct mesa_words *w)
{
    const char *what = NULL;
    if (w->known && (w->value ^ a->desc) & w->mask) what = "another message";
    if (w->has_mlen && w->mlen != (a->desc >> 25 & 15)) what = "another mlen";
    if (w->has_rlen && w->rlen != (a->desc >> 20 & 31)) what = "another rlen";
    return !what || gen_wants(a, w->at, "the words say %s than the number 0x%08x", what, (unsigned)a->desc);
}

static bool read_words(struct gen_assembly *a)
{
    struct mesa_words w;
    const char *from = (gpudbg_reading_ends(a->r), a->r->at);
    const int sfid = mesa_read_sfid(&a->r->at);
    if (sfid < 0 && !(*from == '#' && gen_read_hash(a, 16, "a shared function", &a->sfid)))
        return gen_wants(a, from, "a shared function is expected here: sampler render urb data const");
    if (sfid >= 0) a->sfid = (uint8_t)sfid;
    gpudbg_reading_ends(a->r);
    if (strncmp(a->r->at, "MsgDesc:", 8) == 0) a->r->at += 8;
    const bool whole = mesa_read_message(a->eu, a->sfid, a->r->at, (size_t)(a->options - a->r->at), &w);
    a->r->at = a->options;
    if (a->desc_is_reg) return true;
    if (a->has_desc) return words_agree(a, &w);
    if (!whole || !w.known || !w.has_mlen || !w.has_rlen)
        return gen_wants(a, w.at,
            "words that say the whole message are expected here, as Mesa prints them, or its "
            "number in front of \"%s\"",
            mesa_sfid_name(a->eu, a->sfid));
    if (w.mlen > 15 || w.rlen > 31) return gen_wants(a, w.at, "mlen is a number up to 15, rlen one up to 31");
    a->desc = w.value | w.mlen << 25 | w.rlen << 20;
    if (mesa_guess_header(a->sfid, a->desc)) a->desc |= UINT32_C(1) << 19;
    return true;
}

static bool read_message(struct gen_assembly *a)
{
    if (!gen_splits(a->eu, a->op)) {
        a->nsrc = 1;
        return read_operand(a, &a->dst, -1) && read_operand(a, &a->src[0], 0) && settle_all(a, 1) &&
               read_descriptor_e1(a) && read_words(a);
    }
    a->nsrc = 2;
    struct gen_written *all[3] = {&a->dst, &a->src[0], &a->src[1]};
    for (int n = 0; n < 3; n++) {
        if (!read_operand(a, all[n], n - 1)) return false;
        all[n]->has_type = false;
        if (all[n]->mode != GEN_DIRECT || all[n]->neg || all[n]->abs || !gen_settle_place(a, all[n]))
            return gen_wants(a, all[n]->at, "a register is expected here: g10UD, nullUD");
    }
    return read_descriptors_e2(a) && read_words(a);
}

/* ---- Branches ---- */

static bool takes_word(struct gen_assembly *a, const char *word)
{
    gpudbg_reading_ends(a->r);
    const size_t n = strlen(word);
    if (strncmp(a->r->at, word, n) != 0) return false;
    a->r->at += n;
    return true;
}

/* 32D, -16D; or the name of a label. */
static bool read_jump(struct gen_assembly *a)
{
    const char *from = (gpudbg_reading_ends(a->r), a->r->at), *p = from + (*from == '-');
    uint64_t number;
    if (!gen_digits(&p, &number)) return gen_read_target(a, true);
    const struct gen_insn i = {.eu = a->eu, .op = a->op};
    const int64_t value = *from == '-' ? -(int64_t)number : (int32_t)number;
    if (number > UINT32_MAX) return gen_wants(a, from, "a distance of 32 bits is expected here");
    p += *p == 'U';
    p += *p == 'D';
    a->r->at = p;
    a->jip = value * (int64_t)gen_branch_unit(&i);
    a->jip_at = from;
    a->jip_given = true;
    return true;
}

static bool read_branch(struct gen_assembly *a)
{
    if (a->shape == GEN_CALL) {
        if (!read_operand(a, &a->dst, -1)) return false;
        if (a->eu->typed_targets ? !settle_all(a, 0) : (a->dst.nregion = 0, !gen_settle_place(a, &a->dst)))
            return false;
    }
    if (a->shape == GEN_RET || register_next(a)) {
        a->nsrc = 1;
        if (!read_operand(a, &a->src[0], 0)) return false;
        if (a->eu->typed_targets) {
            fill_in(a, &a->src[0], NULL);
            return gen_settle(a, &a->src[0], 0);
        }
        a->src[0].nregion = 0;
        return gen_settle_place(a, &a->src[0]);
    }
    if (GEN_IS(a->op, THREAD)) return read_jump(a);
    const bool old = !takes_word(a, "JIP:") && a->shape == GEN_BRANCH; /* UIP first */
    if (!gen_read_target(a, !old)) return false;
    if (a->shape != GEN_BRANCH) return true;
    takes_word(a, "UIP:");
    return gen_read_target(a, old);
}

static bool read_operands(struct gen_assembly *a)
{
    switch ((enum gen_shape)a->shape) {
    case GEN_NONE: return true;
    case GEN_UNARY: return read_computing(a, 1);
    case GEN_BINARY: return read_computing(a, 2);
    case GEN_TERNARY: return read_computing(a, 3);
    case GEN_MATH: return read_computing(a, gen_math_sources(a->eu, a->func));
    case GEN_SYNC:
    case GEN_WAIT: return read_waiting(a);
    case GEN_SEND: return read_message(a);
    default: return read_branch(a);
    }
}

/* ---- The whole ---- */

bool gen_mesa_unfinished(const struct gpudbg_isa *isa, unsigned syntax, const char *line, size_t n)
{
    bool sends = false;
    if (isa->syntaxes[syntax][0] != 'm') return false;
    for (size_t i = 0; i < n; i++) {
        if (line[i] == ';' || line[i] == '{') return false;
        sends |= n - i > 4 && memcmp(line + i, "send", 4) == 0 && (line[i + 4] == '(' || line[i + 4] == 'c');
    }
    return sends;
}

/* The options begin at the last brace; a semicolon follows them. */
static bool read_end(struct gen_assembly *a)
{
    const char *from = a->r->at, *brace = strrchr(from, '{');
    a->options = brace ? brace : from + strcspn(from, ";");
    a->r->at = a->options;
    if (!gen_read_options(a)) return false;
    gpudbg_reading_takes(a->r, ';');
    if (!gpudbg_reading_ends(a->r)) return gen_wants(a, a->r->at, "the end of the line is expected here");
    a->r->at = from;
    return true;
}

bool gen_read_mesa(struct gen_assembly *a)
{
    const char *begin = (gpudbg_reading_ends(a->r), a->r->at);
    if (*begin == '(') a->r->at += strcspn(begin, ")") + (begin[strcspn(begin, ")")] != 0);
    if (!gen_read_mnemonic(a)) return false;
    const char *behind = a->r->at;
    if (!read_end(a)) return false;
    a->native = !a->compacted; /* Mesa marks compacted instructions */
    a->r->at = begin;
    if (!read_predicate(a)) return false;
    a->r->at = behind;
    if (!read_suffixes(a)) return false;
    if (gpudbg_reading_takes(a->r, '(')) {
        if (!gen_read_exec(a) || !gen_read_char(a, ')', "(8)")) return false;
    } else if (GEN_IS(a->op, THREAD) || a->shape == GEN_SYNC) { /* left out: the usual channels */
        a->no_mask |= GEN_IS(a->op, THREAD);
    } else if (a->shape != GEN_NONE) {
        return gen_wants(a, a->r->at, "the number of channels is expected here: (8)");
    }
    if (!read_operands(a)) return false;
    return gen_read_ends(a) || gen_wants(a, a->r->at, "the end or { options } are expected here: %s has %s",
                                   a->row->name, a->row->operands);
}
