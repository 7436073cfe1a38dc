// SPDX-License-Identifier: GPL-3.0-or-later
// Shortest ways between all pairs of n points; dist is n x n, path remembers the last point between.

// One pass: ways over point k.  The host runs it for k = 0 .. n-1.
kernel void floyd_pass(global uint *dist, global uint *path, uint n, uint k) {
    uint x = get_global_id(0), y = get_global_id(1);
    uint direct = dist[y * n + x];
    uint around = dist[y * n + k] + dist[k * n + x];
    if (around < direct) {
        dist[y * n + x] = around;
        path[y * n + x] = k;
    }
}

// All passes, by one group.
kernel void floyd_group(global uint *dist, uint n) {
    uint size = get_local_size(0);
    for (uint k = 0; k < n; k++) {
        for (uint i = get_local_id(0); i < n * n; i += size) {
            uint around = dist[i / n * n + k] + dist[k * n + i % n];
            if (around < dist[i])
                dist[i] = around;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
