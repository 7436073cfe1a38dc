// SPDX-License-Identifier: GPL-3.0-or-later
// Prefix sums of each group's elements, in local memory.

// Inclusive, by doubling distances between two buffers.
kernel void scan_inclusive(global uint *out, global const uint *in, local uint *buffer) {
    uint l = get_local_id(0), size = get_local_size(0), from = 0;
    buffer[l] = in[get_global_id(0)];
    for (uint d = 1; d < size; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint x = buffer[from + l];
        if (l >= d)
            x += buffer[from + l - d];
        from = size - from;
        buffer[from + l] = x;
    }
    out[get_global_id(0)] = buffer[from + l];
}

// Exclusive, up and down a tree over two elements an item; the group's total goes to sums.
kernel void scan_exclusive(global uint *out, global uint *sums, global const uint *in) {
    local uint tree[256];
    uint l = get_local_id(0), base = get_group_id(0) * 256, step = 1;
    tree[2 * l] = in[base + 2 * l];
    tree[2 * l + 1] = in[base + 2 * l + 1];
    for (uint d = 128; d; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            tree[step * (2 * l + 2) - 1] += tree[step * (2 * l + 1) - 1];
        step *= 2;
    }
    if (l == 0) {
        sums[get_group_id(0)] = tree[255];
        tree[255] = 0;
    }
    for (uint d = 1; d < 256; d *= 2) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint lo = step * (2 * l + 1) - 1, hi = step * (2 * l + 2) - 1, t = tree[lo];
            tree[lo] = tree[hi];
            tree[hi] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * l] = tree[2 * l];
    out[base + 2 * l + 1] = tree[2 * l + 1];
}
