// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with one mistake each, for the checkers of runs.
__attribute__((noinline)) void meet(local int *p, int i) {
    p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// A barrier that half of the group does not reach, in a function.
kernel void apart(global int *out, local int *p) {
    int i = get_local_id(0);
    if (i < 64)
        meet(p, i);
    out[get_global_id(0)] = p[i ^ 1];
}

// A wave writes what another one reads.
kernel void local_race(global int *out, local int *p) {
    int i = get_local_id(0);
    p[i] = i;
    out[get_global_id(0)] = p[i ^ 64];
}
