// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-std=CL2.0
// Pointers whose address space is known only at run time: global, local and private memory behind one pointer.

__attribute__((noinline)) uint sum_any(const uint *p, uint n) {
    uint sum = 0;
    for (uint k = 0; k < n; k++)
        sum = sum * 31 + p[k];
    return sum;
}

__attribute__((noinline)) void store_any(uint *p, uint value) {
    *p = value;
    ((uchar *)p)[1] ^= 0x5a;
}

kernel void generic_pointers(global uint *out, global uint *data) {
    local uint shared[64];
    uint l = get_local_id(0), i = get_global_id(0), own[8];
    shared[l] = data[i] ^ 0xff;
    for (uint k = 0; k < 8; k++)
        own[k] = data[i] + k * k;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint *p = i % 3 == 0 ? (const uint *)&data[i & ~7u] : i % 3 == 1 ? (const uint *)&shared[l & ~7u] : own;
    uint sum = sum_any(p, 8);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    uint *q = i % 3 == 0 ? (uint *)&data[i] : i % 3 == 1 ? (uint *)&shared[l] : &own[i & 7];
    store_any(q, sum);
    out[i * 4] = sum;
    out[i * 4 + 1] = data[i];
    out[i * 4 + 2] = shared[l];
    out[i * 4 + 3] = sum_any(own, 8);
}
