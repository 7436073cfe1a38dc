// SPDX-License-Identifier: GPL-3.0-or-later
// Element-wise sums, the smallest kernels there are.  Each stops at n, so the grid may be larger than the data.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void vadd_f32(global float *out, global const float *a, global const float *b, uint n) {
    uint i = get_global_id(0);
    if (i < n)
        out[i] = a[i] + b[i];
}

kernel void vadd_i32(global int *out, global const int *a, global const int *b, uint n) {
    uint i = get_global_id(0);
    if (i < n)
        out[i] = a[i] + b[i];
}

kernel void vadd_f64(global double *out, global const double *a, global const double *b, uint n) {
    uint i = get_global_id(0);
    if (i < n)
        out[i] = a[i] + b[i];
}

kernel void saxpy(global float *y, global const float *x, float alpha, uint n) {
    uint i = get_global_id(0);
    if (i < n)
        y[i] = alpha * x[i] + y[i];
}
