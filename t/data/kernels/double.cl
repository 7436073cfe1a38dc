// SPDX-License-Identifier: GPL-3.0-or-later
// Double precision operations that have one right answer; denormals are kept.  Row r of the result is at out[r * n].
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void double_arith(global double *out, global const double *a, global const double *b, global const double *c, uint n) {
    uint i = get_global_id(0);
    double x = a[i], y = b[i], z = c[i];
    global double *o = out + i;
    o[0 * n] = x + y;
    o[1 * n] = x - y;
    o[2 * n] = x * y;
    o[3 * n] = fma(x, y, z);
    o[4 * n] = fma(-x, y, fabs(z));
    o[5 * n] = x * y + z;
    o[6 * n] = -x;
    o[7 * n] = fabs(x);
    o[8 * n] = copysign(x, y);
    o[9 * n] = x * 0.5 + 4.0;
    o[10 * n] = x * 0.1 - 1e10;
}

kernel void double_divide(global double *out, global const double *a, global const double *b, uint n) {
    uint i = get_global_id(0);
    double x = a[i], y = b[i];
    global double *o = out + i;
    o[0 * n] = x / y;
    o[1 * n] = 1.0 / x;
    o[2 * n] = sqrt(x);
    o[3 * n] = sqrt(fabs(y));
    o[4 * n] = y / 3.0;
}

kernel void double_round(global double *out, global const double *a, global const double *b, uint n) {
    uint i = get_global_id(0);
    double x = a[i], y = b[i];
    global double *o = out + i;
    double whole;
    int e;
    o[0 * n] = floor(x);
    o[1 * n] = ceil(x);
    o[2 * n] = rint(x);
    o[3 * n] = trunc(x);
    o[4 * n] = round(x);
    o[5 * n] = fract(isfinite(x) && x != 0 ? x : 0.75, &whole);
    o[6 * n] = whole;
    o[7 * n] = frexp(x, &e);
    o[8 * n] = e;
    o[9 * n] = ldexp(x, (int)(i % 60) - 30);
    o[10 * n] = fmax(x, y);
    o[11 * n] = fmin(x, y);
    o[12 * n] = (x < y) + 2 * (x >= y) + 4 * (x != y) + 8 * isnan(x) + 16 * isinf(y);
}

kernel void double_convert(global ulong *out, global const double *a, global const double *wide, global const ulong *c, uint n) {
    uint i = get_global_id(0);
    double x = a[i], w = wide[i];
    ulong u = c[i];
    global ulong *o = out + i;
    o[0 * n] = (ulong)(long)(int)x;
    o[1 * n] = (ulong)(uint)fabs(x);
    o[2 * n] = (ulong)(long)(x * 1e6);
    o[3 * n] = (ulong)(fabs(x) * 1e6);
    o[4 * n] = (ulong)(long)convert_int_sat(isnan(w) ? 0.0 : w);
    o[5 * n] = convert_uint_sat(isnan(w) ? 0.0 : w);
    o[6 * n] = as_ulong((double)u);
    o[7 * n] = as_ulong((double)(long)u);
    o[8 * n] = as_ulong((double)(uint)u);
    o[9 * n] = as_ulong((double)(int)u);
    o[10 * n] = as_uint((float)x);
    o[11 * n] = as_ulong((double)as_float((uint)u & 0xbfffffff | 0x10000000));
    o[12 * n] = (ulong)(long)convert_int_rte(x);
}
