/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t/data/kernels/math.cl: computed one precision wider where C has it. */
#include "reference.h"

#include <math.h>

static void math_f32(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *positive = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        double x = a[i], p = positive[i];
        double row[] = {
            sin(x),
            cos(x),
            tan(x),
            exp(x),
            exp2(x),
            log(p),
            log2(p),
            pow(p, x * 0.25),
            1 / sqrt(p),
            cbrt(x),
            atan(x),
            atan2(x, p),
            tanh(x),
            sqrt(p),
            x / p,
            hypot(x, p),
        };
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = (float)row[r];
    }
}

static void math_native(const struct host_run *run)
{
    float *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *positive = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        double x = a[i], p = positive[i];
        double row[] = {exp2(x), log2((float)(p + 2)), 1 / p, 1 / sqrt(p), sqrt(p), x / p};
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = (float)row[r];
    }
}

static void math_f64(const struct host_run *run)
{
    double *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *positive = ref_buffer(run, 2);
    size_t n = ref_integer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        long double x = a[i], p = positive[i];
        long double row[] = {sinl(x), cosl(x), expl(x), logl(p), powl(p, x * 0.25L), 1 / sqrtl(p), atan2l(x, p)};
        for (size_t r = 0; r < sizeof row / sizeof *row; r++) out[r * n + i] = (double)row[r];
    }
}

const struct reference reference_math[] = {
    {"math_f32", math_f32},
    {"math_native", math_native},
    {"math_f64", math_f64},
    {NULL, NULL},
};
