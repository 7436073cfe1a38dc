// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-std=CL2.0
// What a compiler knows little of: functions behind pointers, whose frames make a stack of unknown depth, and LDS that only
// generic pointers reach.
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable

__attribute__((noinline)) static int deep(int n) {
    volatile int x[300];
    for (int i = 0; i < 300; i++)
        x[i] = i * n;
    return x[n & 255] + x[299];
}

__attribute__((noinline)) static int shallow(int n) {
    return n * 3;
}

typedef int (*function)(int);
__constant function table[2] = {deep, shallow};

kernel void pointer_calls(global int *out, int which) {
    volatile int own[16];
    int i = get_global_id(0);
    for (int k = 0; k < 16; k++)
        own[k] = i + k;
    int r = table[which](i + 2);
    for (int k = 0; k < 16; k++)
        r = r * 3 + own[k];
    out[i] = r;
}

__attribute__((noinline)) static int exchange(int *p, int value) {
    int l = get_local_id(0);
    p[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    return p[l ^ 1];
}

kernel void pointer_local(global int *out, local int *shared, int where) {
    int n = get_local_size(0), l = get_local_id(0);
    out[n + l] = exchange(where ? (int *)shared : (int *)out, l * 7 + 1);
}
