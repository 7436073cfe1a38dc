/* SPDX-License-Identifier: GPL-3.0-or-later */
/* names.c: names, numbers and constants as all syntaxes write them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "code/gen_decoder.h"
#include "gpudbg/lanes.h"

/* ---- Names ---- */

const char *gen_pred_name(const struct gen_insn *i)
{
    static const char *const align1[16] = {"", "", "anyv", "allv", "any2h", "all2h", "any4h", "all4h", "any8h", "all8h",
        "any16h", "all16h", "any32h", "all32h", NULL, NULL};
    static const char *const align16[16] = {"", "", "x", "y", "z", "w", "any4h", "all4h"};
    return i->align16 ? align16[i->pred & 15] : align1[i->pred & 15];
}

const char *gen_cmod_name(unsigned code, bool prm)
{
    static const char *const short_names[16] = {NULL, "z", "nz", "g", "ge", "l", "le", NULL, "o", "u"};
    static const char *const iga_names[16] = {NULL, "eq", "ne", "gt", "ge", "lt", "le", NULL, "ov", "un"};
    return (prm ? short_names : iga_names)[code & 15];
}

const char *gen_math_name(const struct gen_eu *eu, unsigned func) { return eu->math[func & 15]; }

const char *gen_mesa_cmod_name(unsigned code) { return code == 7 ? "r" : gen_cmod_name(code, true); }

const char *gen_mesa_math_name(unsigned func)
{
    static const char *const names[16] = {
#define MATH(code, id, name, mesa, sources, there) [code] = mesa,
#include "code/functions.def"
    };
    return names[func & 15];
}

const char *gen_sync_name(unsigned func)
{
    static const char *const names[16] = {[0] = "nop", [2] = "allrd", [3] = "allwr", [14] = "bar", [15] = "host"};
    return names[func & 15];
}

const char *gen_sfid_name(const struct gen_eu *eu, unsigned sfid) { return eu->sfid[GEN_SFID_SHORT][sfid & 15]; }

/* ---- Numbers ---- */

char *gen_put_number(char *p, int64_t value)
{
    char digits[24], *d = digits + sizeof digits;
    uint64_t v = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    if (value < 0) *p++ = '-';
    do *--d = (char)('0' + v % 10);
    while (v /= 10);
    size_t n = (size_t)(digits + sizeof digits - d);
    memcpy(p, d, n);
    return p + n;
}

char *gen_put_hex(char *p, uint64_t value, unsigned digits)
{
    static const char hex[] = "0123456789ABCDEF";
    *p++ = '0';
    *p++ = 'x';
    while (digits < 16 && value >> 4 * digits) digits++;
    for (unsigned n = digits; n-- > 0; value >>= 4) p[n] = hex[value & 15];
    return p + digits;
}

char *gen_put_register(char *p, const struct gen_operand *o, bool number)
{
    static const struct {
        const char *name;
        bool numbered;
    } files[GEN_FILES + 1] = {
        [GEN_GRF] = {"r", true},
        [GEN_NULL] = {"null", false},
        [GEN_A0] = {"a", true},
        [GEN_ACC] = {"acc", true},
        [GEN_F] = {"f", true},
        [GEN_CE] = {"ce", false},
        [GEN_SP] = {"sp", false},
        [GEN_SR0] = {"sr", true},
        [GEN_CR0] = {"cr", true},
        [GEN_N0] = {"n", true},
        [GEN_IP] = {"ip", false},
        [GEN_TDR] = {"tdr", true},
        [GEN_TM0] = {"tm", true},
        [GEN_FC] = {"fc", true},
        [GEN_DBG] = {"dbg", true},
        [GEN_NOFILE] = {"msg", true},
    };
    p = put(p, files[o->file].name);
    return number || files[o->file].numbered ? gen_put_dec(p, o->reg) : p;
}

int gen_put_out(const char *from, const char *to, char *buf, size_t size)
{
    size_t n = (size_t)(to - from), copy = n < size ? n : size ? size - 1 : 0;
    if (size) {
        memcpy(buf, from, copy);
        buf[copy] = 0;
    }
    return (int)n;
}

/* Writes multiples of 1/4096 below 2^31, exactly, without a library; NULL: the value is not one. */
static char *put_dyadic(char *p, double value)
{
    double scaled = fabs(value) * 4096;
    if (!(scaled < 8796093022208.0) || scaled != floor(scaled)) return NULL;
    uint64_t bits = (uint64_t)scaled;
    if (signbit(value)) *p++ = '-';
    p = gen_put_number(p, (int64_t)(bits >> 12));
    *p++ = '.';
    uint64_t fraction = (bits & 4095) * 244140625; /* of 10^12 */
    for (uint64_t unit = 100000000000; fraction || unit == 100000000000; unit /= 10) {
        *p++ = (char)('0' + fraction / unit);
        fraction %= unit;
    }
    return p;
}

/* A float as people write it, with so many digits that it reads back to the same bits. */
static char *put_float(char *p, double value, bool wide)
{
    char text[48], *end = put_dyadic(p, value);
    if (end) return end;
    snprintf(text, sizeof text, "%.*g", wide ? 15 : 6, value);
    if (wide ? strtod(text, NULL) != value : strtof(text, NULL) != (float)value)
        snprintf(text, sizeof text, "%.*g", wide ? 17 : 9, value);
    p = put(p, text);
    if (!strpbrk(text, ".en")) p = PUT(p, ".0");
    return p;
}

static uint64_t once(unsigned type, uint64_t bits)
{
    switch (gen_type_size[type]) {
    case 1: return bits & 0xff;
    case 2: return type == GEN_UV || type == GEN_V ? bits & 0xffffffff : bits & 0xffff;
    case 4: return bits & 0xffffffff;
    }
    return bits;
}

char *gen_put_imm(char *p, unsigned type, uint64_t bits, bool exact)
{
    bits = once(type, bits);
    char *name = p;
    switch (exact ? GEN_BADTYPE : type) {
    case GEN_W: p = gen_put_number(p, (int16_t)bits); break;
    case GEN_D: p = gen_put_number(p, (int32_t)bits); break;
    case GEN_Q: p = gen_put_number(p, (int64_t)bits); break;
    case GEN_F32: {
        float f = lanes_f32((uint32_t)bits);
        if (isfinite(f)) p = put_float(p, (double)f, false);
        break;
    }
    case GEN_DF: {
        double d = lanes_f64(bits);
        if (isfinite(d)) p = put_float(p, d, true);
        break;
    }
    }
    if (p == name)
        p = gen_put_hex(p, bits, type == GEN_HF ? 4 : type == GEN_F32 || type >= GEN_UV ? 8 : type == GEN_DF ? 16 : 1);
    *p++ = ':';
    return put(p, gen_type_name[type]);
}

const char *gen_pipe_of(unsigned byte)
{
    static const char *const pipes[16] = {[0] = "", [1] = "A", [2] = "F", [3] = "I", [10] = "L"};
    return byte & 0x80 || !(byte & 7) ? NULL : pipes[byte >> 3 & 15];
}

/* "@d" and "$t" with the kind of wait; a byte without meaning is written as a number. */
char *gen_put_swsb(char *p, const struct gen_eu *eu, unsigned op, unsigned byte)
{
    unsigned distance = byte >> 4 & 7, token = byte & 15;
    if (byte == 0) return p;
    if (byte & 0x80 && distance) {
        if (eu->pipes && gen_shapes[op] == GEN_SEND) *p++ = 'A'; /* all pipes; of others, that of the instruction */
        *p++ = '@';
        p = gen_put_number(p, distance);
        p = PUT(p, ",$");
        p = gen_put_number(p, token);
        return gen_takes_token(gen_shapes[op]) ? p : PUT(p, ".dst");
    }
    if (byte < 8 || (eu->pipes && gen_pipe_of(byte))) {
        p = PUT(put(p, gen_pipe_of(byte)), "@");
        return gen_put_number(p, byte & 7);
    }
    if (byte >> 4 >= 2 && byte >> 4 <= 4) {
        *p++ = '$';
        p = gen_put_number(p, token);
        return byte >> 4 == 2 ? PUT(p, ".dst") : byte >> 4 == 3 ? PUT(p, ".src") : p;
    }
    p = PUT(p, "SWSB=");
    return gen_put_hex(p, byte, 2);
}

char *gen_put_bare(char *p, const struct gen_insn *i)
{
    const unsigned scoreboard = i->eu->scoreboard && !GEN_IS(i->op, ILLEGAL) && !i->compacted ? i->w[0] >> 8 & 0xff : 0;
    p = put(p, i->row->name);
    if (scoreboard) return PUT(gen_put_swsb(PUT(p, " {"), i->eu, i->op, scoreboard), "}");
    return i->compacted ? PUT(p, " {Compacted}") : p;
}
