// SPDX-License-Identifier: GPL-3.0-or-later
// Functions that stay functions: chains of calls, results by pointer and by structure, arguments on the stack.
#define FUNCTION __attribute__((noinline))

typedef struct { uint sum, carry; ulong wide; float real; } result;

FUNCTION uint twist(uint x) {
    return x ^ x << 13 ^ x >> 7;
}

FUNCTION uint stir(uint x, uint rounds) {
    for (uint k = 0; k < rounds; k++)
        x = twist(x + k) * 5;
    return x;
}

FUNCTION uint chain(uint x, uint rounds) {
    uint y = stir(x, rounds);
    return y & 1 ? stir(y, 2) + x : twist(y) - x;
}

FUNCTION void both(uint x, uint y, uint *quotient, uint *remainder) {
    *quotient = x / y;
    *remainder = x % y;
}

FUNCTION result full_sum(uint x, uint y) {
    result r;
    r.sum = x + y;
    r.carry = r.sum < x;
    r.wide = (ulong)x * y;
    r.real = (float)(x & 0xffff) * 0.5f;
    return r;
}

FUNCTION uint many(uint a0, uint a1, uint a2, uint a3, uint a4, uint a5, uint a6, uint a7, uint4 v0, uint4 v1, uint4 v2,
                   uint4 v3, ulong w0, ulong w1, uint b0, uint b1, uint b2, uint b3, uint b4, uint b5, uint b6, uint b7) {
    uint x = a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * a4 + 6 * a5 + 7 * a6 + 8 * a7;
    uint4 v = v0 ^ v1 * 3 ^ v2 * 5 ^ v3 * 7;
    x += v.x ^ v.y ^ v.z ^ v.w;
    x ^= (uint)(w0 >> 7) + (uint)w1;
    return x + b0 * 9 + b1 * 10 + b2 * 11 + b3 * 12 + b4 * 13 + b5 * 14 + b6 * 15 + b7 * 16;
}

FUNCTION uint sum_table(const uint *table, uint n, uint stride) {
    uint sum = 0;
    for (uint k = 0; k < n; k++)
        sum = sum * 3 + table[k * stride % n];
    return sum;
}

kernel void calls_chain(global uint *out, global const uint *in) {
    uint i = get_global_id(0);
    out[i] = chain(in[i], in[i] & 7);
}

kernel void calls_results(global ulong *out, global const uint *in) {
    uint i = get_global_id(0), q, r;
    both(in[i], (i & 15) + 3, &q, &r);
    result f = full_sum(in[i], in[i] * 3);
    out[i * 3] = (ulong)q << 32 | r;
    out[i * 3 + 1] = f.wide;
    out[i * 3 + 2] = (ulong)as_uint(f.real) << 32 | (f.sum ^ f.carry);
}

kernel void calls_many(global uint *out, global const uint *in) {
    uint i = get_global_id(0), x = in[i];
    uint4 v = (uint4)(x, x >> 3, x >> 5, x >> 7);
    out[i] = many(x, i, x + 1, i + 1, x + 2, i + 2, x + 3, i + 3, v, v.yzwx, v.zwxy, v + i, (ulong)x << 20, (ulong)x * x,
                  x >> 1, x >> 2, x >> 3, x >> 4, x >> 5, x >> 6, x >> 7, x >> 8);
}

// Only some lanes call, and the callee sees an array of the caller's.
kernel void calls_some(global uint *out, global const uint *in) {
    uint i = get_global_id(0), x = in[i], table[12];
    for (uint k = 0; k < 12; k++)
        table[k] = x * (k + 1);
    if (x & 1)
        out[i] = sum_table(table, 12, 1 + (x >> 1 & 7));
    else if (x & 2)
        out[i] = chain(table[x % 12], 3);
    else
        out[i] = x;
}
