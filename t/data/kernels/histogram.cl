// SPDX-License-Identifier: GPL-3.0-or-later
// How often each byte occurs: counted in local memory by each group, added up in global memory.

kernel void histogram(global uint *bins, global const uchar *data, uint n) {
    local uint count[256];
    uint l = get_local_id(0), size = get_local_size(0);
    for (uint k = l; k < 256; k += size)
        count[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&count[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < 256; k += size)
        if (count[k])
            atomic_add(&bins[k], count[k]);
}
