// SPDX-License-Identifier: GPL-3.0-or-later
// C = A * B, square matrices of n x n floats.  Each group of 16 x 16 items makes one tile of C: it walks over the tiles
// of A and B that matter, copies each pair into local memory, and all of its items read them there.
#pragma OPENCL FP_CONTRACT OFF
#define TILE 16

kernel void matmul(global float *c, global const float *a, global const float *b, int n) {
    local float tile_a[TILE][TILE];
    local float tile_b[TILE][TILE];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * TILE + x;
    int row = get_group_id(1) * TILE + y;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        tile_a[y][x] = a[row * n + t + x];
        tile_b[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma nounroll
        for (int k = 0; k < TILE; k++)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
