// SPDX-License-Identifier: GPL-3.0-or-later
// One mistake a kernel, of every kind that a checker looks for.  With `wrong` 1 it is made, with 0 it is not: so each
// kernel is its own sound twin.  t/core/bugs.t says who finds it.

kernel void global_past(global int *out, int wrong) {
    int i = get_global_id(0);
    out[i + wrong] = i;
}

kernel void global_before(global int *out, int wrong) {
    int i = get_global_id(0);
    out[i] = out[i - 2 * wrong] + 1;
}

kernel void constant_past(global int *out, constant int *in, int wrong) {
    int i = get_global_id(0);
    out[i] = in[i + wrong];
}

kernel void local_past(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    p[i + wrong] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[(i + 1) % 128 + wrong];
}

kernel void private_past(global int *out, int wrong) {
    int a[8];
    int i = get_global_id(0);
    for (int k = 0; k < 8; k++)
        a[(k + i) % 8 + wrong * 4096] = k;
    out[i] = a[i % 8 + wrong * 4096];
}

kernel void null_load(global int *out, global int *in, int wrong) {
    int i = get_global_id(0);
    out[i] = wrong ? in[i] : i;
}

kernel void stores_argument(global int *out, global int *in, int wrong) {
    int i = get_global_id(0);
    if (wrong)
        in[i] = i;
    out[i] = i;
}

kernel void loads_argument(global int *out, global int *in, int wrong) {
    int i = get_global_id(0);
    in[i] = i;
    out[i] = wrong ? in[(i + 1) % get_global_size(0)] : i;
}

kernel void race_groups(global int *out, int wrong) {
    int i = get_global_id(0);
    out[i] = i;
    out[wrong ? 256 : 256 + i] = (int)get_group_id(0) + 1;
}

kernel void race_waves(global int *out, int wrong) {
    int i = get_global_id(0);
    out[i] = i + 1;
    if (!wrong)
        barrier(CLK_GLOBAL_MEM_FENCE);
    out[256 + i] = out[i ^ 64];
}

kernel void race_local(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    p[i] = i + 1;
    if (!wrong)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[i ^ 64];
}

kernel void race_lanes(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    p[wrong ? i & ~3 : i] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[i & ~3];
}

kernel void race_atomic(global int *out, int wrong) {
    int i = get_global_id(0);
    if (wrong)
        out[i] = out[300];
    atomic_inc(&out[300]);
}

kernel void diverged_barrier(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    p[i] = i + 1;
    if (i < 64 || !wrong)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[i];
}

kernel void unset_local(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    if (i < 100 || !wrong)
        p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[i];
}

kernel void unset_branch(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    if (i < 100 || !wrong)
        p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (p[127 - i] > 7)
        atomic_inc(out);
}

kernel void unset_address(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    if (i < 100 || !wrong)
        p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[p[i] & 127] = i;
}

kernel void unset_private(global int *out, int wrong) {
    int a[8];
    int i = get_global_id(0);
    for (int k = 0; k < 8 - wrong; k++)
        a[(k + i) & 7] = k;
    out[i] = a[(i + 7) & 7] + 1;
}

kernel void unset_buffer(global int *out, global int *in, int wrong) {
    int i = get_global_id(0);
    out[i] = wrong ? in[i] * 3 : i;
}

kernel void unset_byte(global int *out, int wrong) {
    local uchar p[512];
    int i = get_local_id(0);
    for (int k = 0; k < 4 - wrong; k++)
        p[4 * i + k] = (uchar)(i + k);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = ((local int *)p)[i] + 1;
}

kernel void race_compare(global int *out, int wrong) {
    int i = get_global_id(0);
    volatile global int *sum = out + 300;
    int old = *sum, seen;
    if (wrong)
        out[i] = old;
    while ((seen = atomic_cmpxchg(sum, old, old + i)) != old)
        old = seen;
}

kernel void unaligned_local(global int *out, int wrong) {
    local int p[129];
    int i = get_local_id(0);
    p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *(local int *)((local char *)p + 4 * (i & 63) + wrong);
}

kernel void array_past(global int *out, int wrong) {
    int a[100], b[100];
    int i = get_global_id(0);
    for (int k = 0; k < 100; k++) {
        a[k] = k + i;
        b[k] = k - i;
    }
    out[i] = a[i * 7 % 100 + 100 * wrong] + b[i * 3 % 100];
}

kernel void array_before(global int *out, int wrong) {
    int a[100], b[100];
    int i = get_global_id(0);
    for (int k = 0; k < 100; k++) {
        a[k] = k + i;
        b[k] = k - i;
    }
    out[i] = a[i * 7 % 100] + b[i * 3 % 100 - 100 * wrong];
}

kernel void copy_in(global int *out, global int *in, int wrong) {
    local int p[128];
    event_t copied = async_work_group_copy(p, in, 128, 0);
    if (!wrong)
        wait_group_events(1, &copied);
    out[get_global_id(0)] = p[get_local_id(0) ^ 64] + 1;
}

kernel void copy_out(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    p[i] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_copy(out, p, 128, 0);
    if (!wrong)
        wait_group_events(1, &copied);
    p[127 - i] = 0;
}

kernel void two_barriers(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    p[i] = i + 1;
    if (wrong) {
        if (i < 64)
            barrier(CLK_LOCAL_MEM_FENCE);
        else
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    } else
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[i ^ 64];
}

kernel void atomic_past(global int *out, int wrong) {
    atomic_inc(&out[get_global_id(0) + wrong]);
}

kernel void fence_other(global int *out, int wrong) {
    int i = get_local_id(0);
    out[i] = i + 1;
    if (wrong)
        barrier(CLK_LOCAL_MEM_FENCE);
    else
        barrier(CLK_GLOBAL_MEM_FENCE);
    out[128 + i] = out[i ^ 64];
}

kernel void copy_past(global int *out, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    p[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t copied = async_work_group_copy(out + wrong, p, 128, 0);
    wait_group_events(1, &copied);
}

kernel void copy_some(global int *out, global int *in, int wrong) {
    local int p[128];
    int i = get_local_id(0);
    event_t copied = 0;
    if (!wrong || i < 64)
        copied = async_work_group_copy(p, in, 128, 0);
    wait_group_events(1, &copied);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[i];
}

kernel void race_hidden(global int *out, int wrong) {
    local int p[1];
    int i = get_local_id(0);
    if (i == 0)
        p[0] = 7;
    if (!wrong)
        barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 64)
        p[0] += 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[0];
}

kernel void race_after(global int *out, int wrong) {
    int i = get_local_id(0);
    atomic_inc(&out[128]);
    if (!wrong)
        barrier(CLK_GLOBAL_MEM_FENCE);
    if (i == 127)
        out[128] = 3;
}

struct padded {
    char c;
    int n;
};

kernel void unset_padding(global struct padded *out, int wrong) {
    struct padded s;
    int i = get_global_id(0);
    s.c = i;
    if (!wrong)
        s.n = i;
    out[i] = s;
}
