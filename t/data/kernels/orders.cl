// SPDX-License-Identifier: GPL-3.0-or-later
// The order of an image's channels, as its kernel is told; t/image_kernels.t and t/gen_binaries.t.
// options: -cl-std=CL2.0 -Xclang -cl-ext=+cl_khr_depth_images
kernel void orders(read_only image2d_depth_t depth, read_only image2d_array_depth_t depths, read_only image2d_t colour, global int *to)
{
    to[0] = get_image_channel_order(depth);
    to[1] = get_image_channel_order(depths);
    to[2] = get_image_channel_order(colour);
    to[3] = get_image_channel_data_type(depth);
    to[4] = get_image_channel_data_type(colour);
}
