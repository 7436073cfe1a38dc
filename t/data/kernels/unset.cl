// SPDX-License-Identifier: GPL-3.0-or-later
// Values that nobody wrote: vectors of three, which have a fourth element that does not matter; and values of which a
// part is unwritten, which leave, decide or are an address if `x` is 0.  t/core/unset.t says what is found.

#define THREE(type, name, what) \
    kernel void sound_##type##_##name(global type##3 *out, global const type *in, int x) { \
        size_t i = get_global_id(0); \
        type##3 a = vload3(i, in), b = (type##3)(in[i], in[i + 1], 2); \
        what; \
    }
#define ALL(type) \
    THREE(type, add, out[i] = a + b) \
    THREE(type, swizzle, out[i] = a.zyx + b.yxz) \
    THREE(type, condition, out[i] = x ? a : b) \
    THREE(type, convert, out[i] = convert_##type##3(convert_float3(a) * 2.0f)) \
    THREE(type, loop, type##3 s = 0; for (int k = 0; k < 3; k++) s += a; out[i] = s + b)
ALL(uchar)
ALL(short)
ALL(int)
ALL(float)

kernel void stored_wider(global ulong *out, int x) {
    uint u;
    if (x)
        u = 1;
    out[get_global_id(0)] = u;
}

kernel void stored_from_local(global uint *out, int x) {
    local ushort p[64];
    if (x)
        p[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = p[get_local_id(0)];
}

kernel void summed(global int *out, int x) {
    int a[8], s = 0;
    for (int k = 0; k < 8 - !x; k++)
        a[k] = k;
    for (int k = 0; k < 8; k++)
        s += a[k]; // born
    out[get_global_id(0)] = s;
}

kernel void decided(global int *out, int x) {
    int a;
    if (x)
        a = 3;
    if (a == 7)
        out[get_global_id(0)] = 1;
}
