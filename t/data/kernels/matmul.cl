// SPDX-License-Identifier: GPL-3.0-or-later
// C = A * B for square matrices of n x n, row by row.  Every sum runs over k upwards, so all three agree bit for bit.
#pragma OPENCL FP_CONTRACT OFF
#define TILE 16

kernel void matmul_naive(global float *c, global const float *a, global const float *b, int n) {
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

kernel void matmul(global float *c, global const float *a, global const float *b, int n) {
    local float ta[TILE][TILE], tb[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        ta[y][x] = a[row * n + t + x];
        tb[y][x] = b[(t + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; k++)
            sum += ta[y][k] * tb[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}

// The same with tiles of the group's size, in local memory that the launch gives.
kernel void matmul_dynamic(global float *c, global const float *a, global const float *b, int n,
                           local float *ta, local float *tb) {
    int x = get_local_id(0), y = get_local_id(1), size = get_local_size(0);
    int col = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int t = 0; t < n; t += size) {
        ta[y * size + x] = a[row * n + t + x];
        tb[y * size + x] = b[(t + y) * n + col];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < size; k++)
            sum += ta[y * size + k] * tb[k * size + x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + col] = sum;
}
