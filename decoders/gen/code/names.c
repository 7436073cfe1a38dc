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

/* 10 to the power n, rounded once. */
#define POWERS 60
static double power(int n)
{
    static const double tens[2 * POWERS + 1] = {1e-60, 1e-59, 1e-58, 1e-57, 1e-56, 1e-55, 1e-54, 1e-53, 1e-52, 1e-51,
        1e-50, 1e-49, 1e-48, 1e-47, 1e-46, 1e-45, 1e-44, 1e-43, 1e-42, 1e-41, 1e-40, 1e-39, 1e-38, 1e-37, 1e-36, 1e-35,
        1e-34, 1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22, 1e-21, 1e-20, 1e-19,
        1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2,
        1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
        1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36,
        1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, 1e50, 1e51, 1e52, 1e53, 1e54,
        1e55, 1e56, 1e57, 1e58, 1e59, 1e60};
    return tens[n + POWERS];
}

/* The nine digits that are nearest to a float above 0, and the power of ten of the first; false: the product is so near
 * to the middle between two numbers that its rounding could choose, which printf then decides. */
static bool nine_digits(double value, uint32_t *number, int *exponent)
{
    int e = (int)floor((ilogb(value) + 0.5) * 0.30102999566398120); /* or one less, or one more */
    double scaled = value * power(8 - e);
    if (scaled >= 1e9)
        scaled = value * power(8 - ++e);
    else if (scaled < 1e8)
        scaled = value * power(8 - --e);
    const double whole = floor(scaled), part = scaled - whole;
    /* Two roundings of 2^-53 each, below 2^30. */
    if (!(scaled > 1e8 + 1 && scaled < 1e9 - 1) || fabs(part - 0.5) < 1e-6) return false;
    *number = (uint32_t)whole + (part > 0.5);
    *exponent = e;
    return true;
}

/* Whether six digits, whose value `shown` was rounded twice, surely do not read back to the float: true of most. */
static bool needs_nine(double value, double shown)
{
    const double least = shown * (1 - 0x1p-45), most = shown * (1 + 0x1p-45);
    return (float)least == (float)most && (float)shown != (float)value;
}

/* Floats that need nine digits, as printf's %.9g writes them; NULL: printf has to. */
static char *put_nine(char *p, double value)
{
    char digits[9];
    uint32_t number;
    int e;
    unsigned n = sizeof digits;
    if (!nine_digits(fabs(value), &number, &e)) return NULL;
    const uint32_t rest = number % 1000, six = number / 1000;
    if (rest >= 499 && rest <= 501) return NULL;
    if (!needs_nine(fabs(value), (six + (rest > 500)) * power(e - 5))) return NULL;
    for (uint32_t left = number, i = sizeof digits; i-- > 0; left /= 10) digits[i] = (char)('0' + left % 10);
    while (n > 1 && digits[n - 1] == '0') n--;
    if (signbit(value)) *p++ = '-';
    if (e >= -4 && e < 9) {
        if (e < 0) {
            p = PUT(p, "0.");
            for (int zeros = e + 1; zeros < 0; zeros++) *p++ = '0';
        }
        for (unsigned i = 0; i < n || (int)i <= e; i++) {
            if (e >= 0 && (int)i == e + 1) *p++ = '.';
            *p++ = i < n ? digits[i] : '0';
        }
        return e >= 0 && (int)n <= e + 1 ? PUT(p, ".0") : p;
    }
    *p++ = digits[0];
    if (n > 1) *p++ = '.';
    for (unsigned i = 1; i < n; i++) *p++ = digits[i];
    *p++ = 'e';
    *p++ = e < 0 ? '-' : '+';
    const unsigned size = (unsigned)(e < 0 ? -e : e);
    *p++ = (char)('0' + size / 10);
    *p++ = (char)('0' + size % 10);
    return p;
}

/* A float as people write it, with so many digits that it reads back to the same bits. */
static char *put_float(char *p, double value, bool wide)
{
    char text[48], *end = put_dyadic(p, value);
    if (!end && !wide) end = put_nine(p, value);
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
