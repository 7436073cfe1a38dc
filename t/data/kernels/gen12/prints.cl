// SPDX-License-Identifier: GPL-3.0-or-later
// A kernel that prints, and elements beside a volume, of a format without alpha.
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;

kernel void prints(global int *out) {
    int i = get_global_id(0);
    if (i == 3)
        printf("item %d\n", i);
    out[i] = i + 1;
}

kernel void beside(read_only image3d_t in, global int4 *out) {
    int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    out[(p.z * get_global_size(1) + p.y) * get_global_size(0) + p.x] = read_imagei(in, nearest, p - (int4)(1, 0, 0, 0));
}
