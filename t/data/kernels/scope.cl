// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-std=CL2.0
// Variables of the program: tables of addresses, which a loader relocates; global ones with and without a first value; a
// group's worth of local memory and of items; long private arrays.

constant int first[4] = {1, 2, 3, 4};
constant int second[4] = {10, 20, 30, 40};
constant int *constant tables[2] = {first, second};
global uint offset = 1000;
global uint history[64];

kernel void scope_tables(global int *out) {
    uint i = get_global_id(0);
    out[i] = tables[i & 1][i >> 1 & 3];
}

kernel void scope_variables(global uint *out) {
    uint i = get_global_id(0);
    history[i] = i * 3 + offset;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = history[63 - i];
    if (i == 0)
        offset = 0;
}

kernel __attribute__((reqd_work_group_size(512, 1, 1))) void scope_large(global uint *out) {
    local uint all[16384];
    uint l = get_local_id(0), sum = 0;
    for (uint k = l; k < 16384; k += 512)
        all[k] = k * 7 + get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 32; k++)
        sum += all[(l * 37 + k * 511) & 16383];
    out[get_global_id(0)] = sum;
}

kernel void scope_private(global uint *out, uint n) {
    uint i = get_global_id(0), at = i, a[2000];
    for (uint k = 0; k < 2000; k++)
        a[k] = k ^ i;
    for (uint k = 0; k < n; k++) {
        a[at % 2000] += k;
        at = a[at % 2000] + at * 3;
    }
    out[i] = at;
}
