// SPDX-License-Identifier: GPL-3.0-or-later
// Atomics of 32 and 64 bits in global and local memory.  The results do not depend on the order of the items, except
// where a comment says that only the set of the values is fixed.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable

kernel void atomics_shared(global uint *sum, global const uint *in) {
    uint x = in[get_global_id(0)];
    atomic_add(&sum[0], x);
    atomic_sub(&sum[1], x);
    atomic_inc(&sum[2]);
    atomic_dec(&sum[3]);
    atomic_and(&sum[4], x | 0xff);
    atomic_or(&sum[5], x & 0xf0f0f0f0);
    atomic_xor(&sum[6], x);
    atomic_min(&sum[7], x);
    atomic_max(&sum[8], x);
    atomic_min((volatile global int *)&sum[9], (int)x);
    atomic_max((volatile global int *)&sum[10], (int)x);
    // A float sum by compare and swap; the addends are whole, so every order gives the same.
    volatile global uint *f = &sum[11];
    uint old = *f, seen;
    while ((seen = atomic_cmpxchg(f, old, as_uint(as_float(old) + (float)(x & 0xff)))) != old)
        old = seen;
}

// Each item has a slot of its own, so the value returned is fixed too.
kernel void atomics_own(global uint *slot, global uint *old, global const uint *in, uint n) {
    uint i = get_global_id(0), x = in[i];
    old[0 * n + i] = atomic_add(&slot[0 * n + i], x);
    old[1 * n + i] = atomic_sub(&slot[1 * n + i], x);
    old[2 * n + i] = atomic_xchg(&slot[2 * n + i], x);
    old[3 * n + i] = atomic_inc(&slot[3 * n + i]);
    old[4 * n + i] = atomic_dec(&slot[4 * n + i]);
    old[5 * n + i] = atomic_cmpxchg(&slot[5 * n + i], x & 1 ? slot[5 * n + i] : x, ~x);
    old[6 * n + i] = atomic_and(&slot[6 * n + i], x);
    old[7 * n + i] = atomic_or(&slot[7 * n + i], x);
    old[8 * n + i] = atomic_xor(&slot[8 * n + i], x);
    old[9 * n + i] = atomic_min(&slot[9 * n + i], x);
    old[10 * n + i] = atomic_max(&slot[10 * n + i], x);
    old[11 * n + i] = (uint)atomic_min((volatile global int *)&slot[11 * n + i], (int)x);
    old[12 * n + i] = (uint)atomic_max((volatile global int *)&slot[12 * n + i], (int)x);
    old[13 * n + i] = as_uint(atomic_xchg((volatile global float *)&slot[13 * n + i], 1.5f));
}

// Only the set of the values is fixed, of each buffer by itself.
kernel void atomics_tickets(global uint *ticket, global uint *chain, global uint *counter, uint n) {
    uint i = get_global_id(0);
    ticket[i] = atomic_inc(counter);
    chain[i] = atomic_xchg(&chain[n], i);
}

kernel void atomics_local(global uint *out, global const uint *in) {
    local uint sum[11];
    local float fsum;
    uint l = get_local_id(0), x = in[get_global_id(0)];
    if (l < 11)
        sum[l] = l == 4 || l == 7 ? ~0u : l == 9 ? 0x7fffffff : l == 10 ? 0x80000000 : 0;
    if (l == 0)
        fsum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum[0], x);
    atomic_sub(&sum[1], x);
    atomic_inc(&sum[2]);
    atomic_dec(&sum[3]);
    atomic_and(&sum[4], x | 0xff);
    atomic_or(&sum[5], x & 0xf0f0f0f0);
    atomic_xor(&sum[6], x);
    atomic_min(&sum[7], x);
    atomic_max(&sum[8], x);
    atomic_min((volatile local int *)&sum[9], (int)x);
    atomic_max((volatile local int *)&sum[10], (int)x);
    volatile local uint *f = (volatile local uint *)&fsum;
    uint old = *f, seen;
    while ((seen = atomic_cmpxchg(f, old, as_uint(as_float(old) + (float)(x & 0xff)))) != old)
        old = seen;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 12)
        out[get_group_id(0) * 12 + l] = l < 11 ? sum[l] : as_uint(fsum);
}

kernel void atomics_shared64(global ulong *sum, global const ulong *in) {
    ulong x = in[get_global_id(0)];
    atom_add(&sum[0], x);
    atom_sub(&sum[1], x);
    atom_inc(&sum[2]);
    atom_dec(&sum[3]);
    atom_and(&sum[4], x | 0xffff);
    atom_or(&sum[5], x & 0xf0f0f0f0f0f0f0f0);
    atom_xor(&sum[6], x);
    atom_min(&sum[7], x);
    atom_max(&sum[8], x);
    atom_min((volatile global long *)&sum[9], (long)x);
    atom_max((volatile global long *)&sum[10], (long)x);
    volatile global ulong *f = &sum[11];
    ulong old = *f, seen;
    while ((seen = atom_cmpxchg(f, old, old + (x & 0xffff) * 0x100000001)) != old)
        old = seen;
}

kernel void atomics_own64(global ulong *slot, global ulong *old, global const ulong *in, uint n) {
    uint i = get_global_id(0);
    ulong x = in[i];
    old[0 * n + i] = atom_add(&slot[0 * n + i], x);
    old[1 * n + i] = atom_sub(&slot[1 * n + i], x);
    old[2 * n + i] = atom_xchg(&slot[2 * n + i], x);
    old[3 * n + i] = atom_cmpxchg(&slot[3 * n + i], x & 1 ? slot[3 * n + i] : x, ~x);
    old[4 * n + i] = atom_and(&slot[4 * n + i], x);
    old[5 * n + i] = atom_or(&slot[5 * n + i], x);
    old[6 * n + i] = atom_xor(&slot[6 * n + i], x);
    old[7 * n + i] = atom_min(&slot[7 * n + i], x);
    old[8 * n + i] = atom_max(&slot[8 * n + i], x);
    old[9 * n + i] = (ulong)atom_min((volatile global long *)&slot[9 * n + i], (long)x);
    old[10 * n + i] = (ulong)atom_max((volatile global long *)&slot[10 * n + i], (long)x);
}

kernel void atomics_local64(global ulong *out, global const ulong *in) {
    local ulong sum[6];
    uint l = get_local_id(0);
    ulong x = in[get_global_id(0)];
    if (l < 6)
        sum[l] = l == 3 || l == 4 ? ~0ul : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atom_add(&sum[0], x);
    atom_xor(&sum[1], x);
    atom_max(&sum[2], x);
    atom_min(&sum[3], x);
    atom_and(&sum[4], x | 0xffff);
    volatile local ulong *f = &sum[5];
    ulong old = *f, seen;
    while ((seen = atom_cmpxchg(f, old, old + (x & 0xffff) * 0x100000001)) != old)
        old = seen;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 6)
        out[get_group_id(0) * 6 + l] = sum[l];
}
