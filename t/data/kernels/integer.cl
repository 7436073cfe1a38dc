// SPDX-License-Identifier: GPL-3.0-or-later
// The integer operations of OpenCL C.  Row r of the result stands at out[r * n].

kernel void int_arith(global uint *out, global const uint *a, global const uint *b, global const uint *c, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i], z = c[i];
    int sx = (int)x, sy = (int)y, sz = (int)z;
    int nx = (sx << 8) >> 8, ny = (sy << 8) >> 8;       // 24 bits, signed
    uint ux = x & 0xffffff, uy = y & 0xffffff;
    global uint *o = out + i;
    o[0 * n] = x + y;
    o[1 * n] = x - y;
    o[2 * n] = x * y;
    o[3 * n] = mul_hi(x, y);
    o[4 * n] = (uint)mul_hi(sx, sy);
    o[5 * n] = (uint)mul24(nx, ny);
    o[6 * n] = mul24(ux, uy);
    o[7 * n] = (uint)mad24(nx, ny, sz);
    o[8 * n] = mad24(ux, uy, z);
    o[9 * n] = mad_hi(x, y, z);
    o[10 * n] = (uint)mad_hi(sx, sy, sz);
    o[11 * n] = mad_sat(x >> 12, y >> 14, z);
    o[12 * n] = (uint)mad_sat(sx >> 12, sy >> 18, sz);
    o[13 * n] = add_sat(x, y);
    o[14 * n] = (uint)add_sat(sx, sy);
    o[15 * n] = sub_sat(x, y);
    o[16 * n] = (uint)sub_sat(sx, sy);
    o[17 * n] = hadd(x, y);
    o[18 * n] = (uint)hadd(sx, sy);
    o[19 * n] = rhadd(x, y);
    o[20 * n] = (uint)rhadd(sx, sy);
    o[21 * n] = abs(sx);
    o[22 * n] = abs_diff(x, y);
    o[23 * n] = abs_diff(sx >> 1, sy >> 1);      // the library's code overflows for wider ones at -O2
    o[24 * n] = min(x, y) ^ max(y, z);
    o[25 * n] = (uint)(min(sx, sy) ^ max(sy, sz));
    o[26 * n] = clamp(x, min(y, z), max(y, z));
    o[27 * n] = (uint)clamp(sx, min(sy, sz), max(sy, sz));
    o[28 * n] = x * y + z;
    o[29 * n] = (uint)-sx;
}

kernel void int_bits(global uint *out, global const uint *a, global const uint *b, global const uint *c, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i], z = c[i];
    global uint *o = out + i;
    o[0 * n] = x & y;
    o[1 * n] = x | y;
    o[2 * n] = x ^ y;
    o[3 * n] = ~x;
    o[4 * n] = x & ~y;
    o[5 * n] = x << (y & 31);
    o[6 * n] = x >> (y & 31);
    o[7 * n] = (uint)((int)x >> (y & 31));
    o[8 * n] = rotate(x, y);
    o[9 * n] = rotate(x, 7u);
    o[10 * n] = popcount(x);
    o[11 * n] = clz(x) + 64 * clz(x & 0xff) + 4096 * clz(0u);
    o[12 * n] = bitselect(x, y, z);
    o[13 * n] = (x >> 5) & 0x7ff;
    o[14 * n] = (uint)((int)(x << 9) >> 20);
    o[15 * n] = (x & 0xffff00ff) | ((y & 0xff) << 8);
    o[16 * n] = (x >> 13) | (y << 19);
    o[17 * n] = x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
    uint r = x;
    r = (r >> 1 & 0x55555555) | (r & 0x55555555) << 1;
    r = (r >> 2 & 0x33333333) | (r & 0x33333333) << 2;
    r = (r >> 4 & 0x0f0f0f0f) | (r & 0x0f0f0f0f) << 4;
    o[18 * n] = rotate(r & 0xff00ff, 24u) | (rotate(r, 8u) & 0xff00ff);
    o[19 * n] = (x >> (y & 31)) & ((1u << (z & 31)) - 1);
    o[20 * n] = ((1u << (y & 15)) - 1) << (z & 15);
    o[21 * n] = upsample((ushort)x, (ushort)y);
    o[22 * n] = x & -x;
    o[23 * n] = popcount(x ^ y) + z;
}

kernel void int_divide(global uint *out, global const uint *a, global const uint *b, uint n) {
    uint i = get_global_id(0);
    uint x = a[i], y = b[i] ? b[i] : 1;
    int sx = (int)x, sy = (int)y;
    if (sx == INT_MIN && sy == -1)
        sy = 3;
    global uint *o = out + i;
    o[0 * n] = x / y;
    o[1 * n] = x % y;
    o[2 * n] = (uint)(sx / sy);
    o[3 * n] = (uint)(sx % sy);
    o[4 * n] = x / 7;
    o[5 * n] = (uint)(sx % 1000003);
    o[6 * n] = (uint)(sx / 16);
    o[7 * n] = x % (1 + (y & 0xff));
}

kernel void int64_arith(global ulong *out, global const ulong *a, global const ulong *b, uint n) {
    uint i = get_global_id(0);
    ulong x = a[i], y = b[i];
    long sx = (long)x, sy = (long)y;
    global ulong *o = out + i;
    o[0 * n] = x + y;
    o[1 * n] = x - y;
    o[2 * n] = x * y;
    o[3 * n] = mul_hi(x, y);
    o[4 * n] = (ulong)mul_hi(sx, sy);
    o[5 * n] = x << (y & 63);
    o[6 * n] = x >> (y & 63);
    o[7 * n] = (ulong)(sx >> (y & 63));
    o[8 * n] = rotate(x, y & 63);
    o[9 * n] = popcount(x);
    o[10 * n] = clz(x) + 1000 * clz(x & 0xffffff);
    o[11 * n] = x < y ? x : y + 1;
    o[12 * n] = sx > sy ? x : ~y;
    o[13 * n] = min(x, y) ^ (ulong)max(sx, sy);
    o[14 * n] = abs(sx);
    o[15 * n] = add_sat(x, y);
    o[16 * n] = (ulong)add_sat(sx, sy);
    o[17 * n] = (ulong)sub_sat(sx, sy);
    o[18 * n] = hadd(x, y);
    o[19 * n] = (ulong)(uint)x * (uint)y;
    o[20 * n] = (ulong)((long)(int)x * (int)y);
    o[21 * n] = (ulong)(uint)x * (uint)(y >> 32) + y;
    o[22 * n] = (x == y) | (x != y) << 1 | (sx <= sy) << 2 | (x >= y) << 3;
}

kernel void int64_divide(global ulong *out, global const ulong *a, global const ulong *b, uint n) {
    uint i = get_global_id(0);
    ulong x = a[i], y = b[i] ? b[i] : 1;
    long sx = (long)x, sy = (long)y;
    if (sx == LONG_MIN && sy == -1)
        sy = 3;
    global ulong *o = out + i;
    o[0 * n] = x / y;
    o[1 * n] = x % y;
    o[2 * n] = (ulong)(sx / sy);
    o[3 * n] = (ulong)(sx % sy);
    o[4 * n] = x / (1 + (y & 0xffff));
    o[5 * n] = x % 1000000007;
    o[6 * n] = (ulong)(sx / 10);
}

// Every sum below wraps, saturates or widens on the way to its type.
kernel void int_narrow(global uint *out, global const int *a, global const int *b, global const long *c, uint n) {
    uint i = get_global_id(0);
    int x = a[i], y = b[i];
    long z = c[i];
    char cx = (char)x, cy = (char)y;
    uchar ux = (uchar)x, uy = (uchar)y;
    short hx = (short)x, hy = (short)y;
    ushort vx = (ushort)x, vy = (ushort)y;
    global uint *o = out + i;
    o[0 * n] = (uint)(int)convert_char_sat(x >> 20);
    o[1 * n] = convert_uchar_sat(x >> 20);
    o[2 * n] = (uint)(int)convert_short_sat(x >> 12);
    o[3 * n] = convert_ushort_sat(x >> 12);
    o[4 * n] = (uint)convert_int_sat(z >> 28);
    o[5 * n] = convert_uint_sat(z >> 28);
    o[6 * n] = convert_uint_sat(x);
    o[7 * n] = (uint)convert_int_sat((uint)x);
    o[8 * n] = (uint)(int)(char)(cx + cy);
    o[9 * n] = (uint)(int)add_sat(cx, cy);
    o[10 * n] = sub_sat(ux, uy);
    o[11 * n] = (uint)(int)mul_hi(hx, hy);
    o[12 * n] = mul_hi(vx, vy);
    o[13 * n] = rotate(ux, (uchar)(uy & 7));
    o[14 * n] = clz(vx) + 100 * clz(ux) + 10000 * popcount(vy);
    o[15 * n] = (uint)(int)hadd(cx, cy);
    o[16 * n] = abs_diff(hx, hy);
    o[17 * n] = (uint)(int)(short)(hx * hy);
    o[18 * n] = (uint)(cx >> 3) ^ (ux >> 3) ^ (uint)(hx >> 5) ^ (vx >> 5);
    o[19 * n] = (uint)(ux * uy + vx);
    char4 q = convert_char4_sat((int4)(x, y, x >> 16, y >> 24));
    o[20 * n] = as_uint(q);
    uchar4 u = as_uchar4(x) + as_uchar4(y);
    o[21 * n] = as_uint(u);
    short2 s = add_sat(as_short2(x), as_short2(y));
    o[22 * n] = as_uint(s);
}
