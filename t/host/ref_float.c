/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t/data/kernels/float.cl, double.cl and the floating part of vector_add.cl. */
#include "reference.h"

#include <float.h>
#include <math.h>

static void vadd_f32(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    for (size_t i = 0; i < ref_integer(run, 3); i++) out[i] = a[i] + b[i];
}

static void vadd_f64(const struct host_run *run)
{
    double *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    for (size_t i = 0; i < ref_integer(run, 3); i++) out[i] = a[i] + b[i];
}

static void saxpy(const struct host_run *run)
{
    float *y = ref_buffer(run, 0), *x = ref_buffer(run, 1), alpha = (float)ref_real(run, 2);
    for (size_t i = 0; i < ref_integer(run, 3); i++) y[i] = alpha * x[i] + y[i];
}

static void float_arith(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = a[i], y = b[i], z = c[i];
        float row[] = {
            x + y,
            x - y,
            x * y,
            fmaf(x, y, z),
            fmaf(-x, fabsf(y), -z),
            -x,
            fabsf(x),
            copysignf(x, y),
            (x + y) * 2.0f,
            (x - 1.5f) * 0.5f,
            x * -4.0f + 3.14159265f,
            x * y + z,
            -fabsf(x) - y,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void float_mad(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *c = ref_buffer(run, 3);
    int16_t *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = a[i], y = b[i], z = c[i], sum = 0;
        for (int k = 0; k < 8; k++) sum = (x + k) * (y - k) + sum;
        float row[] = {x * y + z, -x * y + z, x * 3.0f + z, x * y + 0.1f, sum};
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void float_minmax(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = a[i], y = b[i], z = c[i], q = isnan(x) ? 1.0f : x;
        float limited = isnan(x) ? 2.0f : x > fabsf(z) ? fabsf(z) : x < -fabsf(z) ? -fabsf(z) : x;
        if (isnan(x) && 2.0f > fabsf(z)) limited = fabsf(z);
        float row[] = {
            fminf(x, y),
            fmaxf(x, y),
            fminf(fminf(x, y), z),
            fmaxf(fmaxf(x, y), z),
            isnan(z) ? 1.0f : limited,
            fmaxf(fminf(x, 100.0f), -100.0f),
            isnan(x) || isnan(y) ? NAN
            : x > y              ? x - y
                                 : 0.0f,
            fabsf(q) > 1.25f   ? q
            : fabsf(q) < 1.25f ? 1.25f
                               : fmaxf(q, 1.25f),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

/* fract of OpenCL: never 1.  Zeros and infinities are left to implementations in practice; the kernels avoid them. */
static float fraction32(float x, float *whole)
{
    if (!isfinite(x) || x == 0) x = 0.75f;
    *whole = floorf(x);
    return fminf(x - *whole, 0x1.fffffep-1f);
}

static double fraction64(double x, double *whole)
{
    if (!isfinite(x) || x == 0) x = 0.75;
    *whole = floor(x);
    return fmin(x - *whole, 0x1.fffffffffffffp-1);
}

static void float_round(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = a[i], y = b[i], below, whole;
        int e = 0;
        float frac = fraction32(x, &below), rest = modff(x, &whole), mant = frexpf(x, &e);
        if (!isfinite(x)) e = 0;
        float row[] = {
            floorf(x),
            ceilf(x),
            rintf(x),
            truncf(x),
            roundf(x),
            frac,
            below,
            rest,
            whole,
            mant,
            bits_float((uint32_t)e),
            ldexpf(x, (int)(i % 40) - 20),
            bits_float((uint32_t)ilogbf(isnormal(x) ? x : 1.0f)),
            fmodf(x, y),
            nextafterf(fabsf(x) > 1e-10f ? x : 1.0f, y),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

/* NaN became 0 before; truncates. */
static int64_t saturate(double x, double lo, double hi)
{
    return x <= lo ? (int64_t)lo : x >= hi ? (int64_t)hi : (int64_t)x;
}

static void float_convert(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *c = ref_buffer(run, 3);
    float *a = ref_buffer(run, 1), *wide = ref_buffer(run, 2);
    uint64_t *d = ref_buffer(run, 4);
    size_t n = ref_integer(run, 5);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = a[i], w = isnan(wide[i]) ? 0.0f : wide[i];
        uint32_t u = c[i];
        uint64_t l = d[i];
        int64_t s = (int64_t)(x * 1048576.0f), v = (int64_t)(fabsf(x) * 1048576.0f);
        float bytes = (float)(u & 255) + (float)(u >> 8 & 255) + (float)(u >> 16 & 255) + (float)(u >> 24);
        float held = x < -100.0f ? -100.0f : x > 100.0f ? 100.0f : x;
        uint32_t row[] = {
            (uint32_t)(int32_t)x,
            (uint32_t)fabsf(x),
            (uint32_t)(int32_t)rintf(x),
            (uint32_t)(int32_t)ceilf(x),
            (uint32_t)(int32_t)floorf(x),
            (uint32_t)saturate(w, INT32_MIN, INT32_MAX),
            (uint32_t)saturate(w, 0, UINT32_MAX),
            (uint32_t)saturate(w, 0, 255),
            (uint32_t)saturate(rintf(w), -32768, 32767),
            float_bits((float)u),
            float_bits((float)(int32_t)u),
            float_bits((float)l),
            float_bits((float)(int64_t)l),
            float_bits(bytes),
            (uint32_t)s,
            (uint32_t)(s >> 32),
            (uint32_t)v,
            (uint32_t)(v >> 32),
            float_bits((float)(int16_t)u) ^ float_bits((float)(uint16_t)(u >> 3)),
            (uint32_t)(int8_t)(int32_t)held,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void float_compare(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    float *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = a[i], y = b[i];
        bool un = isnan(x) || isnan(y), lt = !un && x < y, gt = !un && x > y, eq = !un && x == y;
        float sign = x > 0 ? 1.0f : x < 0 ? -1.0f : x;
        uint32_t row[] = {
            (uint32_t)(lt | (lt | eq) << 1 | gt << 2 | (gt | eq) << 3 | eq << 4 | !eq << 5),
            (uint32_t)((!lt) | (!(lt | eq)) << 1 | (!gt) << 2 | (!(gt | eq)) << 3 | (lt | gt) << 4),
            (uint32_t)(isnan(x) | (isinf(x) != 0) << 1 | (isfinite(x) != 0) << 2 | (isnormal(x) != 0) << 3 |
                       (signbit(x) != 0) << 4),
            un ? 2 : 1,
            float_bits(gt ? y : x),
            float_bits(x < 0.0f ? -x : x),
            float_bits(isnan(x) ? 7.0f : sign),
            x > 1.0f && y > 1.0f     ? 1
            : x < -1.0f || y < -1.0f ? 2
                                     : 3,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void float_divide(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = a[i], y = b[i];
        float row[] = {x / y, 1.0f / x, x / 3.0f, sqrtf(x), sqrtf(fabsf(y)), y / fabsf(x)};
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

/* A denormal becomes the zero of its sign, going in and coming out. */
static float flush(float x) { return fabsf(x) < FLT_MIN ? copysignf(0.0f, x) : x; }

static void float_flush(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        float x = flush(a[i]), y = flush(b[i]), z = flush(c[i]);
        float row[] = {
            flush(x + y),
            flush(x - y),
            flush(x * flush(z * 0x1p+120f)),
            flush(fmaf(x, 0.25f, y)),
            flush(x * 0.5f),
            x * 0x1p+30f,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void double_arith(const struct host_run *run)
{
    double *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2), *c = ref_buffer(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        double x = a[i], y = b[i], z = c[i];
        double row[] = {
            x + y,
            x - y,
            x * y,
            fma(x, y, z),
            fma(-x, y, fabs(z)),
            x * y + z,
            -x,
            fabs(x),
            copysign(x, y),
            x * 0.5 + 4.0,
            x * 0.1 - 1e10,
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void double_divide(const struct host_run *run)
{
    double *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        double x = a[i], y = b[i];
        double row[] = {x / y, 1.0 / x, sqrt(x), sqrt(fabs(y)), y / 3.0};
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void double_round(const struct host_run *run)
{
    double *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        double x = a[i], y = b[i], below;
        int e = 0;
        double frac = fraction64(x, &below), mant = frexp(x, &e);
        if (!isfinite(x)) e = 0;
        double row[] = {
            floor(x),
            ceil(x),
            rint(x),
            trunc(x),
            round(x),
            frac,
            below,
            mant,
            e,
            ldexp(x, (int)(i % 60) - 30),
            fmax(x, y),
            fmin(x, y),
            (x < y) + 2 * (x >= y) + 4 * (x != y) + 8 * isnan(x) + 16 * (isinf(y) != 0),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

static void double_convert(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0), *c = ref_buffer(run, 3);
    double *a = ref_buffer(run, 1), *wide = ref_buffer(run, 2);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < ref_items(run); i++) {
        double x = a[i], w = isnan(wide[i]) ? 0.0 : wide[i];
        uint64_t u = c[i];
        uint64_t row[] = {
            (uint64_t)(int32_t)x,
            (uint32_t)fabs(x),
            (uint64_t)(int64_t)(x * 1e6),
            (uint64_t)(fabs(x) * 1e6),
            (uint64_t)saturate(w, INT32_MIN, INT32_MAX),
            (uint64_t)saturate(w, 0, UINT32_MAX),
            double_bits((double)u),
            double_bits((double)(int64_t)u),
            double_bits((double)(uint32_t)u),
            double_bits((double)(int32_t)u),
            float_bits((float)x),
            double_bits(bits_float(((uint32_t)u & 0xbfffffff) | 0x10000000)),
            (uint64_t)(int32_t)rint(x),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = row[r];
    }
}

const struct reference reference_float[] = {
    {"vadd_f32", vadd_f32},
    {"vadd_f64", vadd_f64},
    {"saxpy", saxpy},
    {"float_arith", float_arith},
    {"float_mad", float_mad},
    {"float_minmax", float_minmax},
    {"float_round", float_round},
    {"float_convert", float_convert},
    {"float_compare", float_compare},
    {"float_divide", float_divide},
    {"float_flush", float_flush},
    {"double_arith", double_arith},
    {"double_divide", double_divide},
    {"double_round", double_round},
    {"double_convert", double_convert},
    {NULL, NULL},
};
