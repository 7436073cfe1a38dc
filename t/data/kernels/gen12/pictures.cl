// SPDX-License-Identifier: GPL-3.0-or-later
// Images and samplers of the program: nearest, linear, with a border.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t between = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void twice(read_only image2d_t in, write_only image2d_t out) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, p, read_imagef(in, nearest, p) * 2.0f);
}

kernel void blend(read_only image2d_t in, global float4 *out) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    out[p.y * get_global_size(0) + p.x] = read_imagef(in, between, (float2)(p.x + 1.0f, p.y + 0.5f));
}

kernel void shifted(read_only image2d_t in, global float4 *out) {
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    out[p.y * get_global_size(0) + p.x] = read_imagef(in, border, (int2)(p.x - 1, p.y + 1));
}
