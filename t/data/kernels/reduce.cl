// SPDX-License-Identifier: GPL-3.0-or-later
// Sums of a group's elements by halving, one result a group.
#pragma OPENCL FP_CONTRACT OFF

kernel void reduce_uint4(global uint4 *out, global const uint4 *in, local uint4 *part) {
    uint l = get_local_id(0);
    part[l] = in[get_group_id(0) * get_local_size(0) * 2 + l] +
              in[get_group_id(0) * get_local_size(0) * 2 + get_local_size(0) + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = get_local_size(0) / 2; s; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

kernel void reduce_f32(global float *out, global const float *in) {
    local float part[128];
    uint l = get_local_id(0);
    part[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 64; s; s >>= 1) {
        if (l < s)
            part[l] += part[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = part[0];
}

// Each item first walks the whole input in strides of the grid.
kernel void reduce_max(global uint *out, global const uint *in, uint n) {
    local uint part[64];
    uint l = get_local_id(0), best = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        best = max(best, in[i]);
    part[l] = best;
    for (uint s = 32; s; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s)
            part[l] = max(part[l], part[l + s]);
    }
    if (l == 0)
        atomic_max(out, part[0]);
}
