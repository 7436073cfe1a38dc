/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: every value below was worked out by the C compiler or by hand, not by gpudbg. */
#include <stdio.h>
#include <string.h>
#include "command/families.h"
#include "decoders/decoders.h"
#include "eval/expr.h"
#include "session/session.h"
#include "tap.h"
#include "eval/value.h"

/* Brackets left out on purpose: precedence is what is tested. */
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#define C(e)                       \
    {                              \
#e, (uint64_t)(int64_t)(e) \
    } /* the same text, computed by the compiler in 64 bits */

static const struct {
    const char *text;
    uint64_t want;
} integers[] = {
    C(1 + 2 * 3),
    C((1 + 2) * 3),
    C(10 - 4 - 3),
    C(100 / 7),
    C(100 % 7),
    C(-7 / 2),
    C(-7 % 2),
    C(7 / -2),
    C(1 + 2 << 3),
    C(0xff & 0x0f | 0x30),
    C(0xf0 ^ 0x3c),
    C(~5),
    C(!5),
    C(!0),
    C(- -5),
    C(-(3 - 8)),
    C(3 < 4),
    C(4 <= 3),
    C(3 == 3 != 0),
    C(1 || 0 && 0),
    C(5 > 3 > 1),
    C(1 ? 2 : 3),
    C(0     ? 2
        : 0 ? 4
            : 5),
    C(010 + 0),
    C('A' + 1),
    C(2 * -3),
    C(1 + -1),
    {"1 << 40", UINT64_C(1) << 40},
    {"0xffffffff + 1", UINT64_C(0x100000000)},
    {"-1", UINT64_MAX},
    {"0xffffffffffffffff", UINT64_MAX},
    {"0b1011", 11},
    {"(u8)0x1ff", 0xff},
    {"(i8)0xff", UINT64_MAX},
    {"(u16)-1", 0xffff},
    {"(u32)-1", 0xffffffff},
    {"(u32)5 - 6", 0xffffffff},
    {"(i32)5 - 6", UINT64_MAX},
    {"(u32)1 == 1", 1},
    {"(u32)0xffffffff == -1", 1},
    C((int)5 < 0x80000000),
    C((int)5 + 3000000000),
    C((int)-1 == 0xffffffff),
    C((int)-1 < 2147483648),
    C((int)-1 - 0x80000000),
    C((unsigned)-1 == 0xffffffffffffffff),
    C((unsigned)-1 == -1),
    C((short)1 + 3000000000),
    C((int)7 > -3000000000),
    C((long)-1 == 0xffffffffffffffff),
    {"(u64)5 > -1", 0},
    {"(u32)1 - 3000000000", 1294967297},
    C((int)-8 / 4294967296),
    C((char)-1 < 0x80000000),
    {"(u32)0x80000000 >> 31", 1},
    {"(i32)0x80000000 >> 31", UINT64_MAX},
    {"(u8)200 + (u8)100", 300},
    {"(u32)1 << 32", 0},
    {"(int)3.99", 3},
    {"(int)-3.99", (uint64_t)-3},
    {"(u64)(f32)16777217", 16777216},
    {"1.5 > 1", 1},
    {"0 && 1 / 0", 0},
    {"1 || 1 / 0", 1},
    {"1 ? 7 : 1 / 0", 7},
    {"$x = 6", 6},
    {"$x * 7", 42},
    {"$x += 4", 10},
    {"$x <<= 2", 40},
    {"$_isvoid($never)", 1},
    {"$_isvoid($x)", 0},
};

static const struct {
    const char *text;
    double want;
} reals[] = {
    {"7 / 2.0", 3.5},
    {"0.1 + 0.2", 0.1 + 0.2},
    {"(f32)0.1", 0.1f},
    {"(f32)0.1 + (f32)0.2", 0.1f + 0.2f},
    {"1e3", 1000},
    {"-2.5 * 2", -5},
    {".5", 0.5},
    {"(f16)0.1", 0x1.998p-4},
    {"(f16)65520.0", 1.0 / 0.0},
    {"(f16)1.0004882812501", 0x1.004p0},
    {"(f32)1 / 3", 1.0f / 3},
    {"2.5f", 2.5},
    {"1 / 0.0", 1.0 / 0.0},
    {"(f64)(u64)0xffffffffffffffff", 18446744073709551616.0},
    {"(f16)0.00000006", 0x1p-24},
};

/* What must be refused, and words that the message must hold. */
static const struct {
    const char *text, *words;
} errors[] = {
    {"", "ends too early"},
    {"1 +", "ends too early"},
    {"(1", "expected \")\""},
    {"1 2", "unexpected \"2\""},
    {"1 / 0", "division by zero"},
    {"1 % 0", "division by zero"},
    {"nothing", "no buffer, symbol or label \"nothing\""},
    {"1.5 & 1", "\"&\" does not accept floats"},
    {"~1.5", "\"~\" does not accept floats"},
    {"*1.5", "a float is not an address"},
    {"1 = 2", "left side of ="},
    {"$never", "$never: not set"},
    {"$never += 1", "$never: not set"},
    {"\"a\" + 1", "is a text"},
    {"\"a", "no closing quote"},
    {"0x", "not a number"},
    {"12ab", "not a number"},
    {"0x10000000000000000", "more than 64 bits"},
    {"$99", "no value $99"},
    {"*16", "nothing is launched"},
    {"$pc", "nothing is launched"},
    {"1[2]", "[ ] must follow an address or a register with lanes"},
    {"&1", "not in memory"},
    {"#", "unexpected"},
    {"1 ? 2", "expected \":\""},
};

/* Text by format letter. */
static const struct {
    const char *text;
    char letter;
    const char *want;
} texts[] = {
    {"255", 'x', "0xff"},
    {"255", 0, "255"},
    {"255", 'o', "0377"},
    {"10", 't', "1010"},
    {"0", 't', "0"},
    {"65", 'c', "65 'A'"},
    {"10", 'c', "10 '\\n'"},
    {"-1", 0, "-1"},
    {"(u8)255", 'd', "-1"},
    {"(u32)1", 'z', "0x00000001"},
    {"1.0", 0, "1.0"},
    {"0.1", 0, "0.1"},
    {"(f32)0.1", 0, "0.1"},
    {"(f32)16777216", 0, "16777216.0"},
    {"1 / 3.0", 0, "0.3333333333333333"},
    {"(f32)1 / 3", 0, "0.33333334"},
    {"1.0 / 0", 0, "inf"},
    {"(f32)1.5", 'x', "0x3fc00000"},
    {"(i64)-2", 'u', "18446744073709551614"},
};

int main(void)
{
    struct gpudbg_error err = {0};
    struct gpudbg *g = session_open(command_families, builtin_plugins, &err);
    struct value v;
    char text[256];
    if (!ok(g != NULL, "a session opens")) return tap_done();
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
        err = (struct gpudbg_error){0};
        bool good = expr_value_changing(&g->eval, integers[i].text, &v, &err) && v.type.kind != VALUE_FLOAT &&
                    v.u == integers[i].want;
        ok(good, "%s is %lld (%s)", integers[i].text, (long long)integers[i].want, err.message);
    }
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        bool good = expr_value(&g->eval, reals[i].text, &v, &err) && v.type.kind == VALUE_FLOAT && v.f == reals[i].want;
        ok(good, "%s is %.17g", reals[i].text, reals[i].want);
    }
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        err = (struct gpudbg_error){0};
        bool failed = !expr_value_changing(&g->eval, errors[i].text, &v, &err);
        ok(failed && strstr(err.message, errors[i].words), "\"%s\" is refused: %s", errors[i].text, err.message);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bool good = expr_value(&g->eval, texts[i].text, &v, &err);
        value_text(&g->eval, &v, texts[i].letter, text, sizeof text);
        is_str(good ? text : err.message, texts[i].want, "%s as /%c", texts[i].text,
            texts[i].letter ? texts[i].letter : '-');
    }
    err = (struct gpudbg_error){0};
    const bool assigned = expr_value(&g->eval, "$x = 5", &v, &err);
    ok(!assigned && err.kind && strcmp(err.kind, "usage") == 0, "nothing is assigned by default: %s", err.message);
    char deep[1001];
    memset(deep, '(', 1000);
    deep[1000] = 0;
    ok(!expr_value(&g->eval, deep, &v, &err), "a thousand brackets are refused: %s", err.message);
    memset(deep, '-', 1000);
    ok(!expr_value(&g->eval, deep, &v, &err), "a thousand signs are refused: %s", err.message);
    session_close(g);
    return tap_done();
}
