// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-std=CL2.0
// What a work-item can ask about its place in the grid, in three dimensions and with partial groups at the edges: before CL2.0
// compilers take all groups to be whole.

kernel void grid_ids(global uint *out) {
    uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    uint at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    global uint *o = out + at * 8;
    o[0] = x | y << 8 | z << 16;
    o[1] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
    o[2] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
    o[3] = get_local_size(0) | get_local_size(1) << 8 | get_local_size(2) << 16;
    o[4] = get_num_groups(0) | get_num_groups(1) << 8 | get_num_groups(2) << 16;
    o[5] = get_global_size(0) | get_global_size(1) << 8 | get_global_size(2) << 16;
    o[6] = get_work_dim();
    o[7] = get_global_offset(0) | get_global_offset(1) << 8 | get_global_offset(2) << 16;
}

// Groups of any size: each item adds itself to its group's sum, and the last barrier shows it to all.
kernel void grid_groups(global uint *out) {
    local uint sum, count;
    uint x = get_global_id(0), y = get_global_id(1);
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        sum = count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, y * 100 + x);
    atomic_inc(&count);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[(y * get_global_size(0) + x) * 2] = sum;
    out[(y * get_global_size(0) + x) * 2 + 1] = count;
}
