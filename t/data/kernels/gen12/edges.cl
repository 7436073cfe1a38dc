// SPDX-License-Identifier: GPL-3.0-or-later
// What lies outside an image: samplers of the program that repeat and mirror, and samplers that are arguments.
constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t mirrored = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;

kernel void inside(read_only image2d_t in, global const float2 *at, global float4 *out) {
    size_t i = get_global_id(0);
    out[2 * i] = read_imagef(in, repeat, at[i]);
    out[2 * i + 1] = read_imagef(in, mirrored, at[i]);
}

kernel void given(read_only image2d_t in, global const float2 *at, global float4 *out, sampler_t s) {
    size_t i = get_global_id(0);
    out[i] = read_imagef(in, s, at[i]);
}

kernel void line(read_only image1d_t in, global const float2 *at, global float4 *out, sampler_t s, sampler_t t) {
    size_t i = get_global_id(0);
    out[2 * i] = read_imagef(in, s, at[i].x);
    out[2 * i + 1] = read_imagef(in, t, at[i].x);
}

kernel void volume(read_only image3d_t in, global const float4 *at, global float4 *out, sampler_t s) {
    size_t i = get_global_id(0);
    out[i] = read_imagef(in, s, at[i]);
}
