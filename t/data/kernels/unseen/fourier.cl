// SPDX-License-Identifier: GPL-3.0-or-later
// 256-point complex Fourier transforms, one a group of 128, in local memory; the roots of unity come in a buffer.
#pragma OPENCL FP_CONTRACT OFF

kernel void fourier256(global float2 *data, constant float2 *root) {
    local float2 x[256];
    uint l = get_local_id(0), base = get_group_id(0) * 256;
    for (uint k = l; k < 256; k += 128) {
        uint r = 0;
        for (uint b = 0; b < 8; b++)
            r |= (k >> b & 1) << (7 - b);
        x[r] = data[base + k];
    }
    for (uint half_size = 1; half_size < 256; half_size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = l & (half_size - 1), top = 2 * l - k, bottom = top + half_size;
        float2 w = root[k * (128 / half_size)], a = x[top], b = x[bottom];
        float2 t = (float2)(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
        x[top] = a + t;
        x[bottom] = a - t;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < 256; k += 128)
        data[base + k] = x[k];
}
