// SPDX-License-Identifier: GPL-3.0-or-later
// y = A * x for a sparse matrix of doubles in compressed rows: one row a group of 64, halved in local memory.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

kernel void sparse_rows(global double *y, global const uint *start, global const uint *column, global const double *value,
                        global const double *x, double scale) {
    local double part[64];
    uint row = get_group_id(0), l = get_local_id(0);
    double sum = 0;
    for (uint k = start[row] + l; k < start[row + 1]; k += 64)
        sum += value[k] * x[column[k]];
    part[l] = sum;
    for (uint s = 32; s; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            part[l] += part[l + s];
    }
    if (l == 0)
        y[row] = part[0] / scale + y[row];
}
