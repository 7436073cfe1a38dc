// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that are right to within some units in the last place.  Row r of the result stands at out[r * n].
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

kernel void math_f32(global float *out, global const float *a, global const float *positive, uint n) {
    uint i = get_global_id(0);
    float x = a[i], p = positive[i];
    global float *o = out + i;
    o[0 * n] = sin(x);
    o[1 * n] = cos(x);
    o[2 * n] = tan(x);
    o[3 * n] = exp(x);
    o[4 * n] = exp2(x);
    o[5 * n] = log(p);
    o[6 * n] = log2(p);
    o[7 * n] = pow(p, x * 0.25f);
    o[8 * n] = rsqrt(p);
    o[9 * n] = cbrt(x);
    o[10 * n] = atan(x);
    o[11 * n] = atan2(x, p);
    o[12 * n] = tanh(x);
    o[13 * n] = sqrt(p);
    o[14 * n] = x / p;
    o[15 * n] = hypot(x, p);
}

kernel void math_native(global float *out, global const float *a, global const float *positive, uint n) {
    uint i = get_global_id(0);
    float x = a[i], p = positive[i];
    global float *o = out + i;
    o[0 * n] = native_exp2(x);
    o[1 * n] = native_log2(p + 2.0f);
    o[2 * n] = native_recip(p);
    o[3 * n] = native_rsqrt(p);
    o[4 * n] = native_sqrt(p);
    o[5 * n] = native_divide(x, p);
}

kernel void math_f64(global double *out, global const double *a, global const double *positive, uint n) {
    uint i = get_global_id(0);
    double x = a[i], p = positive[i];
    global double *o = out + i;
    o[0 * n] = sin(x);
    o[1 * n] = cos(x);
    o[2 * n] = exp(x);
    o[3 * n] = log(p);
    o[4 * n] = pow(p, x * 0.25);
    o[5 * n] = rsqrt(p);
    o[6 * n] = atan2(x, p);
}
