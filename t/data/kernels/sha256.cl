// SPDX-License-Identifier: GPL-3.0-or-later
// SHA-256 of one block of 64 bytes an item, then of its own result: the padding is part of the kernel.

constant uint k256[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

void compress(uint *h, uint *w) {
    uint a = h[0], b = h[1], c = h[2], d = h[3], e = h[4], f = h[5], g = h[6], z = h[7];
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            uint x = w[(t + 1) & 15], y = w[(t + 14) & 15];
            w[t & 15] += (rotate(x, 25u) ^ rotate(x, 14u) ^ x >> 3) + w[(t + 9) & 15] +
                         (rotate(y, 15u) ^ rotate(y, 13u) ^ y >> 10);
        }
        uint t1 = z + (rotate(e, 26u) ^ rotate(e, 21u) ^ rotate(e, 7u)) + ((e & f) ^ (~e & g)) + k256[t] + w[t & 15];
        uint t2 = (rotate(a, 30u) ^ rotate(a, 19u) ^ rotate(a, 10u)) + ((a & b) ^ (a & c) ^ (b & c));
        z = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
    h[5] += f;
    h[6] += g;
    h[7] += z;
}

void start(uint *h) {
    h[0] = 0x6a09e667;
    h[1] = 0xbb67ae85;
    h[2] = 0x3c6ef372;
    h[3] = 0xa54ff53a;
    h[4] = 0x510e527f;
    h[5] = 0x9b05688c;
    h[6] = 0x1f83d9ab;
    h[7] = 0x5be0cd19;
}

uint swap_bytes(uint x) {
    return as_uint(as_uchar4(x).wzyx);
}

kernel void sha256_twice(global uint *out, global const uint *in) {
    uint i = get_global_id(0), h[8], w[16];
    start(h);
    for (int k = 0; k < 16; k++)
        w[k] = swap_bytes(in[i * 16 + k]);
    compress(h, w);
    for (int k = 0; k < 16; k++)
        w[k] = k == 0 ? 0x80000000 : k == 15 ? 512 : 0;
    compress(h, w);
    for (int k = 0; k < 16; k++)
        w[k] = k < 8 ? h[k] : k == 8 ? 0x80000000 : k == 15 ? 256 : 0;
    start(h);
    compress(h, w);
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = swap_bytes(h[k]);
}
