// SPDX-License-Identifier: GPL-3.0-or-later
// A sorting network over the group's elements in local memory, two elements an item; keys carry values.

kernel void bitonic_sort(global uint *keys, global ushort *values, local uint *k, local ushort *v) {
    uint l = get_local_id(0), half_size = get_local_size(0), base = get_group_id(0) * 2 * half_size;
    for (uint i = l; i < 2 * half_size; i += half_size) {
        k[i] = keys[base + i];
        v[i] = values[base + i];
    }
    for (uint size = 2; size <= 2 * half_size; size <<= 1) {
        bool down = (l & size / 2) != 0;
        for (uint d = size / 2; d; d >>= 1) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint at = 2 * l - (l & (d - 1));
            if ((k[at] > k[at + d]) != down) {
                uint tk = k[at];
                ushort tv = v[at];
                k[at] = k[at + d];
                v[at] = v[at + d];
                k[at + d] = tk;
                v[at + d] = tv;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 2 * half_size; i += half_size) {
        keys[base + i] = k[i];
        values[base + i] = v[i];
    }
}
