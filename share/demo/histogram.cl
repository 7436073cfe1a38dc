// SPDX-License-Identifier: GPL-3.0-or-later
// How often each byte occurs in a text: every group counts in local memory with atomics, then adds its counts to the
// result.  The launch beside it counts the bytes of this very file.

kernel void histogram(global uint *bins, global const uchar *text, uint n) {
    local uint count[256];
    uint l = get_local_id(0), size = get_local_size(0);
    for (uint k = l; k < 256; k += size)
        count[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&count[text[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = l; k < 256; k += size)
        atomic_add(&bins[k], count[k]);
}
