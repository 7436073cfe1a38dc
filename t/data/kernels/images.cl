// SPDX-License-Identifier: GPL-3.0-or-later
// Images: copies, filters, conversions, arrays, volumes; t/image_kernels.t.
// options: -cl-std=CL2.0

const sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
const sampler_t smooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

kernel void flip(read_only image2d_t from, write_only image2d_t to)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, (int2)(get_image_width(from) - 1 - p.x, p.y), read_imagef(from, p));
}

// A box of 3 x 3, edges repeated.
kernel void blur(read_only image2d_t from, write_only image2d_t to)
{
    int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; y++)
        for (int x = -1; x <= 1; x++)
            sum += read_imagef(from, edge, p + (int2)(x, y));
    write_imagef(to, p, sum * (1.0f / 9));
}

// Twice as large, by linear filtering.
kernel void enlarge(read_only image2d_t from, global float4 *to)
{
    int x = get_global_id(0), y = get_global_id(1);
    float2 size = (float2)(get_global_size(0), get_global_size(1));
    to[y * get_global_size(0) + x] = read_imagef(from, smooth, ((float2)(x, y) + 0.5f) / size);
}

kernel void by_argument(read_only image2d_t from, sampler_t how, global float4 *to)
{
    int x = get_global_id(0);
    to[x] = read_imagef(from, how, (float2)(x * 0.25f - 1, 0.5f));
}

kernel void layers(read_only image2d_array_t from, write_only image3d_t to, read_only image1d_t table, read_only image1d_buffer_t more)
{
    int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    uint4 v = read_imageui(from, p);
    write_imageui(to, p, v + read_imageui(table, p.x) + read_imageui(more, p.y));
}

kernel void about(read_only image2d_array_t a, read_only image3d_t b, global int *to)
{
    to[0] = get_image_width(a);
    to[1] = get_image_height(a);
    to[2] = get_image_array_size(a);
    to[3] = get_image_channel_data_type(a) == CLK_UNORM_INT8;
    to[4] = get_image_channel_order(a) == CLK_RGBA;
    to[5] = get_image_depth(b);
    to[6] = get_image_channel_data_type(b) == CLK_HALF_FLOAT;
    to[7] = get_image_channel_order(b) == CLK_R;
}
