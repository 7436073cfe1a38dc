// SPDX-License-Identifier: GPL-3.0-or-later
// Vector types: components in any order, loads and stores at any alignment, halves as storage.
#pragma OPENCL FP_CONTRACT OFF

kernel void vec_swizzle(global float4 *f, global int3 *t, global uchar16 *u) {
    uint i = get_global_id(0);
    float4 a = f[i];
    a.xy = a.wz + a.xx;
    a.s23 = a.odd * 2.0f - a.even;
    f[i] = a.zxwy;
    int3 b = t[i];
    t[i] = b.zxy * 3 + (int3)(b.x, i, -1);
    uchar16 c = u[i], d = c.sfedcba9876543210;
    d.lo = c.hi ^ d.odd;
    d.s0a5 += c.s123;
    u[i] = d;
}

kernel void vec_load_store(global uchar *bytes, global uint *words, global const uchar *in) {
    uint i = get_global_id(0);
    uchar3 a = vload3(i, in);
    uchar4 b = vload4(i, in + 1);
    uchar8 c = vload8(i, in + 3);
    ushort2 d = vload2(i, (global const ushort *)(in + 2));
    vstore3(a + b.yzw, i, bytes);
    global uint *o = words + i * 11;
    uint3 e = (uint3)(as_uint(b), d.x, d.y);
    vstore3(e, 0, o);
    vstore4(convert_uint4(c.lo) * convert_uint4(c.hi), 0, o + 3);
    vstore4(convert_uint4(c.even) - convert_uint4(c.odd), 0, o + 7);
}

kernel void vec_half(global half *out, global float *wide, global const half *in, global const float *f, uint n) {
    uint i = get_global_id(0);
    wide[i] = vload_half(i, in);
    vstore_half(f[i], i, out);
    vstore_half_rte(f[i], i + n, out);
    vstore_half_rtz(f[i], i + 2 * n, out);
    vstore_half_rtp(f[i], i + 3 * n, out);
    vstore_half_rtn(f[i], i + 4 * n, out);
}

kernel void vec_half4(global half *out, global float4 *wide, global const half *in) {
    uint i = get_global_id(0);
    float4 x = vload_half4(i, in);
    wide[i] = x;
    vstore_half4(x.wzyx, i, out);
}

kernel void vec_select(global int4 *out, global const int4 *a, global const int4 *b) {
    uint i = get_global_id(0);
    int4 x = a[i], y = b[i];
    int4 less = x < y;
    out[i * 4] = select(x, y, less);
    out[i * 4 + 1] = (x & less) | (y & ~less);
    out[i * 4 + 2] = (int4)(any(x > 0), all(x > 0), any(x == y), popcount(x.y));
    out[i * 4 + 3] = shuffle2(x, y, (uint4)(7, i & 7, 2, (uint)x.x & 7));
}

kernel void vec_geometry(global float *out, global const float4 *a, global const float4 *b) {
    uint i = get_global_id(0);
    float4 x = a[i], y = b[i];
    global float *o = out + i * 8;
    o[0] = x.x * y.x + x.y * y.y + x.z * y.z + x.w * y.w;
    vstore3((float3)(x.y * y.z - x.z * y.y, x.z * y.x - x.x * y.z, x.x * y.y - x.y * y.x), 0, o + 1);
    vstore4(fabs(x) + max(x, y), 0, o + 4);
}
