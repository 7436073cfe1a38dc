// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-std=CL2.0
// Functions of the whole group.  Not for -O0: clang then gives the library's functions no hidden arguments, which they read.

kernel void group_functions(global uint *out, global const uint *in) {
    uint i = get_global_id(0);
    out[i * 4] = work_group_reduce_add(in[i]);
    out[i * 4 + 1] = work_group_scan_inclusive_max(in[i]);
    out[i * 4 + 2] = work_group_scan_exclusive_add(in[i]);
    out[i * 4 + 3] = work_group_broadcast(in[i], 5) ^ (work_group_any(in[i] == 7) ? 0x10000 : 0) ^ (work_group_all(in[i] < 5000) ? 0x20000 : 0);
}
