/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers of the EU against the tables of the Ivy Bridge manual, volume 4 part 3, chapter 2, and against the host's
 * floats. */
#include "tap.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "decoders/gen/alu/gen_alu.h"
#include "decoders/gen/ops.h"

static const struct gen_fp ieee = {.cuts = true}; /* nearest, F flushed */

static uint32_t bits_of(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return u;
}

static float float_of(uint64_t b)
{
    uint32_t u = (uint32_t)b;
    float f;
    memcpy(&f, &u, 4);
    return f;
}

static uint64_t bits_of_double(double d)
{
    uint64_t u;
    memcpy(&u, &d, 8);
    return u;
}

static double double_of(uint64_t u)
{
    double d;
    memcpy(&d, &u, 8);
    return d;
}

/* ---- 2.3.1.3: comparisons.  Rows src0, columns src1: -inf -fin -denorm -0 +0 +denorm +fin +inf NaN ---- */

static const char *const classes[] = {"-inf", "-fin", "-denorm", "-0", "+0", "+denorm", "+fin", "+inf", "NaN"};
static const uint32_t f_samples[9] = {
    0xff800000, 0xc0000000, 0x80000001, 0x80000000, 0, 1, 0x40000000, 0x7f800000, 0x7fc00000};
static const uint64_t df_samples[9] = {0xfff0000000000000, 0xc000000000000000, 0x8000000000000001, 0x8000000000000000,
    0, 1, 0x4000000000000000, 0x7ff0000000000000, 0x7ff8000000000000};

/* T, F, or ? where the values decide (two of one sign, or denormals by mode).  The scan of table G has +fin and +inf
 * one column too far right; the text beside it says that infinities compare exactly. */
static const struct {
    unsigned cmod;
    const char *name, *rows[9];
} tables[] = {
    {GEN_C_G, "G",
        {"FFFFFFFFF", "T?FFFFFFF", "TT?FFFFFF", "TT?FFFFFF", "TT?FFFFFF", "TT????FFF", "TTTTTT?FF", "TTTTTTTFF",
            "FFFFFFFFF"}},
    {GEN_C_L, "L",
        {"FTTTTTTTF", "F?TTTTTTF", "FF????TTF", "FFFFF?TTF", "FFFFF?TTF", "FFFFF?TTF", "FFFFFF?TF", "FFFFFFFFF",
            "FFFFFFFFF"}},
    {GEN_C_Z, "E",
        {"TFFFFFFFF", "F?FFFFFFF", "FF????FFF", "FF?TT?FFF", "FF?TT?FFF", "FF????FFF", "FFFFFF?FF", "FFFFFFFTF",
            "FFFFFFFFF"}},
    {GEN_C_NZ, "NE",
        {"FTTTTTTTT", "T?TTTTTTT", "TT????TTT", "TT?FF?TTT", "TT?FF?TTT", "TT????TTT", "TTTTTT?TT", "TTTTTTTFT",
            "TTTTTTTTT"}},
    {GEN_C_LE, "LE",
        {"TTTTTTTTF", "F?TTTTTTF", "FF????TTF", "FF?TT?TTF", "FF?TT?TTF", "FF????TTF", "FFFFFF?TF", "FFFFFFFTF",
            "FFFFFFFFF"}},
    {GEN_C_GE, "GE",
        {"TFFFFFFFF", "T?FFFFFFF", "TT????FFF", "TT?TT?FFF", "TT?TT?FFF", "TT????FFF", "TTTTTT?FF", "TTTTTTTTF",
            "FFFFFFFFF"}},
};

/* What the values decide: plain comparison, denormals counting as zeros unless they are kept. */
static bool decide(unsigned cmod, double a, double b)
{
    switch (cmod) {
    case GEN_C_G: return a > b;
    case GEN_C_L: return a < b;
    case GEN_C_Z: return a == b;
    case GEN_C_NZ: return a != b;
    case GEN_C_LE: return a <= b;
    default: return a >= b;
    }
}

static bool compare(unsigned op, unsigned type, unsigned cmod, uint64_t a, uint64_t b, const struct gen_fp *fp)
{
    struct gen_insn insn = {.op = (uint8_t)op, .cmod = (uint8_t)cmod, .shape = GEN_BINARY};
    struct gen_work k = {.insn = &insn, .fp = *fp, .type = type, .n = 1};
    k.src[0][0].f = gen_float_in(type, a, fp);
    k.src[1][0].f = gen_float_in(type, b, fp);
    gen_compute(&k);
    return k.flags & 1;
}

static void comparisons(void)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (unsigned mode = 0; mode < 3; mode++) {
            const unsigned type = mode ? GEN_DF : GEN_F32;
            struct gen_fp fp = {.keep_df = mode == 2};
            unsigned wrong = 0;
            for (unsigned i = 0; i < 9; i++)
                for (unsigned j = 0; j < 9; j++) {
                    uint64_t a = type == GEN_F32 ? f_samples[i] : df_samples[i],
                             b = type == GEN_F32 ? f_samples[j] : df_samples[j];
                    bool denormal = i == 2 || i == 5 || j == 2 || j == 5;
                    double x = type == GEN_F32 ? (double)float_of(a) : double_of(a),
                           y = type == GEN_F32 ? (double)float_of(b) : double_of(b);
                    if (mode != 2) {
                        x = i == 2 || i == 5 ? 0 : x;
                        y = j == 2 || j == 5 ? 0 : y;
                    }
                    char want = tables[t].rows[i][j];
                    bool wanted = want == '?' || denormal ? decide(tables[t].cmod, x, y) : want == 'T';
                    if (compare(GEN_OP_cmp, type, tables[t].cmod, a, b, &fp) != wanted) {
                        fprintf(stderr, "# %s: %s with %s\n", tables[t].name, classes[i], classes[j]);
                        wrong++;
                    }
                    /* cmpn differs in the column and the row of NaN alone: 2.3.1.1 */
                    bool nan0 = i == 8, nan1 = j == 8, ne = tables[t].cmod == GEN_C_NZ;
                    bool special = nan1 ? !ne : nan0 ? ne : wanted;
                    if (compare(GEN_OP_cmpn, type, tables[t].cmod, a, b, &fp) != special) {
                        fprintf(stderr, "# cmpn %s: %s with %s\n", tables[t].name, classes[i], classes[j]);
                        wrong++;
                    }
                }
            ok(wrong == 0, "2.3.1.3: cmp and cmpn %s of %s", tables[t].name,
                mode == 0   ? "F"
                : mode == 1 ? "DF, denormals flushed"
                            : "DF, denormals kept");
        }
}

/* ---- 2.3.1.4 ---- */

static uint64_t minmax(unsigned cmod, uint32_t a, uint32_t b)
{
    struct gen_insn insn = {.op = GEN_OP_sel, .cmod = (uint8_t)cmod, .shape = GEN_BINARY};
    struct gen_work k = {.insn = &insn, .fp = ieee, .type = GEN_F32, .n = 1};
    k.src[0][0].f = a;
    k.src[1][0].f = b;
    gen_compute(&k);
    return k.out[0].f;
}

static void min_and_max(void)
{
    const uint32_t nan0 = 0x7fc00001, nan1 = 0x7fc00002, one = 0x3f800000, two = 0x40000000;
    ok(minmax(GEN_C_GE, one, two) == two && minmax(GEN_C_GE, two, one) == two, "2.3.1.4: sel.ge is the maximum");
    ok(minmax(GEN_C_L, one, two) == one && minmax(GEN_C_L, two, one) == one, "2.3.1.4: sel.l is the minimum");
    ok(minmax(GEN_C_GE, nan0, one) == one && minmax(GEN_C_L, one, nan1) == one && minmax(GEN_C_L, nan0, one) == one &&
            minmax(GEN_C_GE, one, nan1) == one,
        "2.3.1.4: a NaN loses");
    ok(minmax(GEN_C_GE, nan0, nan1) == nan1 && minmax(GEN_C_L, nan0, nan1) == nan1,
        "2.3.1.4: of two NaNs src1 is taken");
}

/* ---- 2.4.1: special values of float to integer ---- */

static void float_to_integer(void)
{
    static const unsigned types[6] = {GEN_UD, GEN_D, GEN_UW, GEN_W, GEN_UB, GEN_B};
    static const struct {
        const char *name;
        uint32_t f, want[6];
    } rows[] = {
        {"+0", 0, {0, 0, 0, 0, 0, 0}},
        {"-0", 0x80000000, {0, 0, 0, 0, 0, 0}},
        {"+denorm", 0x007fffff, {0, 0, 0, 0, 0, 0}},
        {"-denorm", 0x80000001, {0, 0, 0, 0, 0, 0}},
        {"NaN", 0x7fc00000, {0, 0, 0, 0, 0, 0}},
        {"-NaN", 0xffc00000, {0, 0, 0, 0, 0, 0}},
        {"inf", 0x7f800000, {0xffffffff, 0x7fffffff, 0xffff, 0x7fff, 0xff, 0x7f}},
        {"-inf", 0xff800000, {0, 0x80000000, 0, 0x8000, 0, 0x80}},
        {"2^32", 0x4f800000, {0xffffffff, 0x7fffffff, 0xffff, 0x7fff, 0xff, 0x7f}},
        {"-2^31 - 1 ulp", 0xcf000001, {0, 0x80000000, 0, 0x8000, 0, 0x80}},
        {"1.99", 0x3ffeb852, {1, 1, 1, 1, 1, 1}},
        {"-1.99", 0xbffeb852, {0, 0xffffffff, 0, 0xffff, 0, 0xff}},
        {"255.5", 0x437f8000, {255, 255, 255, 255, 255, 127}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned wrong = 0;
        for (unsigned t = 0; t < 6; t++) {
            uint32_t mask = gen_type_size[types[t]] == 4 ? UINT32_MAX : (1u << gen_type_size[types[t]] * 8) - 1;
            wrong += ((uint32_t)gen_float_to_int(GEN_F32, types[t], rows[i].f) & mask) != rows[i].want[t];
        }
        ok(wrong == 0, "2.4.1: %s as UD, D, UW, W, UB, B", rows[i].name);
    }
}

/* ---- 2.4.2 to 2.4.6 ---- */

static void integers(void)
{
    ok(gen_int_saturate(GEN_D, 0xffffffff) == 0x7fffffff, "2.4.2: UD to D saturates to the largest");
    ok(gen_int_read(GEN_D, 0xffffffff) == -1, "2.4.2: and wraps without saturation");
    ok(gen_int_saturate(GEN_UD, -5) == 0, "2.4.2: a negative number saturates to 0");
    ok(gen_int_saturate(GEN_UB, 300) == 255 && gen_int_read(GEN_UB, 300) == 44,
        "2.4.3: to fewer bits: saturated, or cut off");
    ok(gen_int_to_float(GEN_F32, 16777217, &ieee) == bits_of(16777216.0f),
        "2.4.4: more than 24 bits go to the nearest even");
    ok(gen_int_to_float(GEN_F32, 16777219, &ieee) == bits_of(16777220.0f), "2.4.4: up where that is even");
}

static void doubles(void)
{
    static const struct {
        const char *name;
        uint64_t df;
        uint32_t f;
    } rows[] = {
        {"-inf", 0xfff0000000000000, 0xff800000},
        {"-denorm", 0x8000000000000001, 0x80000000},
        {"-0", 0x8000000000000000, 0x80000000},
        {"+0", 0, 0},
        {"+denorm", 1, 0},
        {"+inf", 0x7ff0000000000000, 0x7f800000},
        {"1 + 2^-24 + 2^-40, towards zero", 0x3ff0000010001000, 0x3f800000},
        {"2^-140, a denormal F", 0x3730000000000000, 0x00000200},
        {"-2^-160, to -0", 0xb5f0000000000000, 0x80000000},
        {"the largest DF, towards zero", 0x7fefffffffffffff, 0x7f7fffff},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ok(gen_float_convert(GEN_DF, GEN_F32, rows[i].df, &ieee) == rows[i].f, "2.4.5: DF to F: %s", rows[i].name);
    ok(gen_is_nan(GEN_F32, gen_float_convert(GEN_DF, GEN_F32, 0x7ff8000000000000, &ieee)), "2.4.5: DF to F: NaN");
    static const uint32_t f[] = {0xff800000, 0xc0490fdb, 0x80000001, 0x80000000, 0, 0x007fffff, 0x40490fdb, 0x7f800000};
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof f / sizeof *f; i++)
        wrong += gen_float_convert(GEN_F32, GEN_DF, f[i], &ieee) != bits_of_double((double)float_of(f[i]));
    ok(wrong == 0, "2.4.6: F to DF is exact, denormals become finite");
}

/* ---- 2.2.5 ---- */

static void restricted(void)
{
    unsigned wrong = 0;
    for (unsigned v = 0; v < 256; v++) {
        double m = (v & 0x7f) ? (1 + (v & 15) / 16.0) * pow(2, (int)(v >> 4 & 7) - 3) : 0;
        wrong += float_of(gen_restricted_float((uint8_t)v)) != (v & 0x80 ? -m : m) ||
                 gen_restricted_float((uint8_t)v) >> 31 != v >> 7;
    }
    ok(wrong == 0, "2.2.5: all 256 restricted floats");
    ok(float_of(gen_restricted_float(0x7f)) == 31.0f && float_of(gen_restricted_float(0x01)) == 0.1328125f,
        "2.2.5: 31 and 0.1328125 at the ends");
}

/* ---- 2.3.1.1, 2.3.2 ---- */

static void modes(void)
{
    const uint32_t inf = 0x7f800000, ninf = 0xff800000, one = 0x3f800000, fmax = 0x7f7fffff;
    struct gen_fp alt = {.alt = true}, kept = {.keep_f = true};
    ok(gen_is_nan(GEN_F32, gen_float_add(GEN_F32, inf, ninf, &ieee)), "2.3.1.1: INF - INF is NaN");
    ok(gen_is_nan(GEN_F32, gen_float_mul(GEN_F32, 0, ninf, &ieee)), "2.3.1.1: 0 * INF is NaN");
    ok(gen_math_float(GEN_F32, GEN_MATH_INV, inf, 0, &ieee) == 0 &&
            gen_math_float(GEN_F32, GEN_MATH_INV, ninf, 0, &ieee) == 0x80000000,
        "2.3.1.1: 1 / INF");
    ok(gen_math_float(GEN_F32, GEN_MATH_INV, 0, 0, &ieee) == inf &&
            gen_math_float(GEN_F32, GEN_MATH_INV, 0x80000000, 0, &ieee) == ninf,
        "2.3.1.1: INV of zeros");
    ok(gen_math_float(GEN_F32, GEN_MATH_RSQ, 0, 0, &ieee) == inf &&
            gen_math_float(GEN_F32, GEN_MATH_RSQ, 0x80000000, 0, &ieee) == ninf,
        "2.3.1.1: RSQ of zeros");
    ok(gen_math_float(GEN_F32, GEN_MATH_SQT, 0x80000000, 0, &ieee) == 0x80000000, "2.3.1.1: SQRT(-0) is -0");
    ok(gen_is_nan(GEN_F32, gen_math_float(GEN_F32, GEN_MATH_SQT, 0xbf800000, 0, &ieee)) &&
            gen_is_nan(GEN_F32, gen_math_float(GEN_F32, GEN_MATH_RSQ, 0xbf800000, 0, &ieee)),
        "2.3.1.1: roots of negative numbers are NaN");
    ok(gen_math_float(GEN_F32, GEN_MATH_LOG, 0, 0, &ieee) == ninf &&
            gen_math_float(GEN_F32, GEN_MATH_LOG, 0x80000000, 0, &ieee) == ninf,
        "2.3.1.1: LOG of zeros");
    ok(gen_is_nan(GEN_F32, gen_math_float(GEN_F32, GEN_MATH_LOG, 0xbf800000, 0, &ieee)) &&
            gen_is_nan(GEN_F32, gen_math_float(GEN_F32, GEN_MATH_LOG, ninf, 0, &ieee)),
        "2.3.1.1: LOG of negative numbers is NaN");
    ok(gen_float_add(GEN_F32, 0x80000000, 0, &ieee) == 0, "2.3.1.2: -0 + 0 is +0");
    ok(gen_float_in(GEN_F32, 0x807fffff, &ieee) == 0x80000000, "2.3.1.2: a denormal F is flushed and keeps its sign");
    ok(gen_float_mul(GEN_F32, 0x00800000, 0x3f000000, &ieee) == 0, "2.3.1.2: and so is a denormal result");
    ok(gen_float_mul(GEN_F32, 0x00800000, 0x3f000000, &kept) == 0x00400000, "gen12 keeps it where cr0.0 says so");
    ok(gen_float_mul(GEN_F32, fmax, 0x40000000, &alt) == fmax &&
            gen_float_mul(GEN_F32, fmax, 0xc0000000, &alt) == 0xff7fffff,
        "2.3.2: ALT: INF becomes fmax");
    ok(gen_float_in(GEN_F32, inf, &alt) == fmax && gen_float_in(GEN_F32, 0x7fc00000, &alt) == 0 &&
            gen_float_in(GEN_F32, 0x80000001, &alt) == 0x80000000,
        "1.2: ALT: INF, NaN and denormals coming in");
    ok(gen_math_float(GEN_F32, GEN_MATH_SQT, bits_of(-4), 0, &alt) == bits_of(2) &&
            gen_math_float(GEN_F32, GEN_MATH_RSQ, bits_of(-4), 0, &alt) == bits_of(0.5f) &&
            gen_math_float(GEN_F32, GEN_MATH_LOG, bits_of(-8), 0, &alt) == bits_of(3),
        "2.3.2: ALT: roots and logarithms of magnitudes");
    ok(gen_float_saturate(GEN_F32, 0x7fc00000) == 0 && gen_float_saturate(GEN_F32, bits_of(1.5f)) == one &&
            gen_float_saturate(GEN_F32, bits_of(-0.5f)) == 0,
        "1.1: a saturated float is in [0, 1], NaN gives 0");
}

/* ---- Rounding modes, against the host ---- */

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 16;
}

static bool same(unsigned type, uint64_t got, uint64_t want)
{
    return gen_is_nan(type, want) ? gen_is_nan(type, got) : got == want;
}

static void rounding(void)
{
    static const int host[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    static const char *const names[4] = {"to nearest", "up", "down", "to zero"};
    for (unsigned r = 0; r < 4; r++) {
        struct gen_fp fp = {.round = (uint8_t)r, .keep_f = true, .keep_df = true};
        uint64_t seed = r + 1;
        unsigned wrong = 0;
        fesetround(host[r]);
        for (unsigned i = 0; i < 40000; i++) {
            uint32_t a = (uint32_t)next(&seed),
                     b = i & 1 ? (a & 0xff800000) ^ ((uint32_t)next(&seed) & 0x80ffffff) : (uint32_t)next(&seed),
                     c = (uint32_t)next(&seed);
            volatile float x = float_of(a), y = float_of(b), z = float_of(c);
            volatile float sum = x + y, product = x * y, fused = fmaf(x, y, z);
            uint64_t p = (uint64_t)a << 32 | c,
                     q = i & 2 ? (p & 0xfff0000000000000) ^ (next(&seed) & 0x801fffffffffffff) : (uint64_t)b << 32 | a;
            volatile double u = double_of(p), v = double_of(q), dsum = u + v, dproduct = u * v;
            wrong += 0u + !same(GEN_F32, gen_float_add(GEN_F32, a, b, &fp), bits_of(sum)) +
                     !same(GEN_F32, gen_float_mul(GEN_F32, a, b, &fp), bits_of(product)) +
                     !same(GEN_F32, gen_float_fma(GEN_F32, a, b, c, &fp), bits_of(fused)) +
                     !same(GEN_DF, gen_float_add(GEN_DF, p, q, &fp), bits_of_double(dsum)) +
                     !same(GEN_DF, gen_float_mul(GEN_DF, p, q, &fp), bits_of_double(dproduct));
        }
        fesetround(FE_TONEAREST);
        ok(wrong == 0, "3.3.3.8: F and DF add, mul and fma rounded %s", names[r]);
    }
}

/* ---- math: within the last place, and always the same bits ---- */

static double worst(enum gen_math f, double (*want)(double), float low, float high)
{
    double most = 0;
    for (unsigned i = 0; i <= 20000; i++) {
        float x = low + (high - low) * (float)i / 20000,
              got = float_of(gen_math_float(GEN_F32, f, bits_of(x), 0, &ieee));
        double w = want(x), unit = ldexp(1, ilogb(w != 0 ? w : 1) - 23);
        if (w != 0 && fabs(w) > 1e-37 && fabs(got - w) / unit > most) most = fabs(got - w) / unit;
    }
    return most;
}

static double inverse(double x) { return 1 / x; }
static double root(double x) { return 1 / sqrt(x); }

static void functions(void)
{
    ok(worst(GEN_MATH_INV, inverse, 0.001f, 1e6f) <= 0.5001, "math.inv is the nearest float");
    ok(worst(GEN_MATH_SQT, sqrt, 0.001f, 1e6f) <= 0.5001, "math.sqt is the nearest float");
    ok(worst(GEN_MATH_RSQ, root, 0.001f, 1e6f) <= 0.5001, "math.rsq is the nearest float");
    ok(worst(GEN_MATH_LOG, log2, 0.001f, 1e6f) <= 0.5001, "math.log, base 2, is the nearest float");
    ok(worst(GEN_MATH_EXP, exp2, -120, 120) <= 0.5001, "math.exp, base 2, is the nearest float");
    ok(worst(GEN_MATH_SIN, sin, -100, 100) <= 0.501, "math.sin is the nearest float");
    ok(worst(GEN_MATH_COS, cos, -1e8f, 1e8f) <= 0.501, "math.cos is the nearest float, also of large angles");
    ok(float_of(gen_math_float(GEN_F32, GEN_MATH_POW, bits_of(-3), bits_of(2), &ieee)) == 9, "math.pow takes |src0|");
    gen_wide q, r;
    gen_math_divide(-7, 2, &q, &r);
    ok(q == -3 && r == -1, "integer division is truncated, the remainder has the dividend's sign");
}

int main(void)
{
    comparisons();
    min_and_max();
    float_to_integer();
    integers();
    doubles();
    restricted();
    modes();
    rounding();
    functions();
    return tap_done();
}
