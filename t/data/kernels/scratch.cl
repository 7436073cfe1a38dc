// SPDX-License-Identifier: GPL-3.0-or-later
// Private arrays with indices known only at run time: they live in scratch memory.

kernel void scratch_sort(global int *out, global const int *in) {
    uint i = get_global_id(0);
    int a[24];
    for (int k = 0; k < 24; k++)
        a[k] = in[i * 24 + k];
    for (int k = 1; k < 24; k++) {
        int x = a[k], j = k;
        for (; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
    for (int k = 0; k < 24; k++)
        out[i * 24 + k] = a[k];
}

// A table of 256 bytes an item: byte loads and stores.  The key schedule and stream of RC4.
kernel void scratch_bytes(global uchar *out, global const uchar *key) {
    uint i = get_global_id(0);
    uchar s[256];
    for (int k = 0; k < 256; k++)
        s[k] = (uchar)k;
    uchar j = 0;
    for (int k = 0; k < 256; k++) {
        j += s[k] + key[i * 16 + (k & 15)];
        uchar t = s[k];
        s[k] = s[j];
        s[j] = t;
    }
    uchar x = 0, y = 0;
    for (int k = 0; k < 32; k++) {
        x += 1;
        y += s[x];
        uchar t = s[x];
        s[x] = s[y];
        s[y] = t;
        out[i * 32 + k] = s[(uchar)(s[x] + s[y])];
    }
}

// Elements of 8 and 16 bytes, and a group that shares local memory meanwhile.
kernel void scratch_wide(global ulong *out, global const uint *in) {
    local uint turn[64];
    uint i = get_global_id(0), l = get_local_id(0);
    ulong a[16];
    uint4 v[8];
    turn[l] = in[i];
    for (int k = 0; k < 16; k++)
        a[k] = (ulong)in[i] * (k + 1);
    for (int k = 0; k < 8; k++)
        v[k] = (uint4)(k, in[i], i, l);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 64; k++) {
        uint t = turn[(l + k) & 63];
        a[t & 15] += a[t >> 4 & 15] ^ k;
        v[t >> 8 & 7] += v[t >> 12 & 7].yxwz + (uint4)t;
    }
    ulong sum = 0;
    for (int k = 0; k < 16; k++)
        sum = rotate(sum, 5ul) ^ a[k];
    for (int k = 0; k < 8; k++)
        sum = rotate(sum, 9ul) + v[k].x * 3ul + v[k].y * 5ul + v[k].z * 7ul + v[k].w;
    out[i] = sum;
}

// More live values than registers: the attribute keeps 24 vector registers, the rest is spilled.
__attribute__((amdgpu_num_vgpr(24)))
kernel void scratch_spill(global uint *out, global const uint *in, uint n) {
    uint i = get_global_id(0);
    uint x[40];
#pragma unroll
    for (int k = 0; k < 40; k++)
        x[k] = in[(i * 40 + k * 7) % n];
    for (uint r = 0; r < 3; r++) {
#pragma unroll
        for (int k = 0; k < 40; k++)
            x[k] = x[k] * 5 + rotate(x[(k + 13) % 40], 11u) + r;
    }
    uint sum = 0;
#pragma unroll
    for (int k = 0; k < 40; k++)
        sum ^= x[k] + k;
    out[i] = sum;
}
