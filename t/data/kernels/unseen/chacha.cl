// SPDX-License-Identifier: GPL-3.0-or-later
// ChaCha20 (RFC 8439): each item makes one block of the key stream in vectors of four and adds it to its text.

void round_of(uint4 *a, uint4 *b, uint4 *c, uint4 *d) {
    *a += *b;
    *d = rotate(*d ^ *a, (uint4)16);
    *c += *d;
    *b = rotate(*b ^ *c, (uint4)12);
    *a += *b;
    *d = rotate(*d ^ *a, (uint4)8);
    *c += *d;
    *b = rotate(*b ^ *c, (uint4)7);
}

kernel void chacha20(global uint4 *text, uint8 key, uint3 nonce, uint counter) {
    uint i = get_global_id(0);
    uint4 a0 = (uint4)(0x61707865, 0x3320646e, 0x79622d32, 0x6b206574), b0 = key.lo, c0 = key.hi;
    uint4 d0 = (uint4)(counter + i, nonce);
    uint4 a = a0, b = b0, c = c0, d = d0;
    for (int r = 0; r < 10; r++) {
        round_of(&a, &b, &c, &d);
        b = b.yzwx;
        c = c.zwxy;
        d = d.wxyz;
        round_of(&a, &b, &c, &d);
        b = b.wxyz;
        c = c.zwxy;
        d = d.yzwx;
    }
    text[i * 4] ^= a + a0;
    text[i * 4 + 1] ^= b + b0;
    text[i * 4 + 2] ^= c + c0;
    text[i * 4 + 3] ^= d + d0;
}
