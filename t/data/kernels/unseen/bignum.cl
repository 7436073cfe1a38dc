// SPDX-License-Identifier: GPL-3.0-or-later
// base^exponent modulo an odd number of 256 bits, by Montgomery's multiplication with words of 32 bits.
#define WORDS 8

void multiply(uint *out, const uint *a, const uint *b, const uint *m, uint inverse) {
    uint t[WORDS + 2];
    for (int i = 0; i < WORDS + 2; i++)
        t[i] = 0;
    for (int i = 0; i < WORDS; i++) {
        ulong carry = 0;
        for (int j = 0; j < WORDS; j++) {
            carry += (ulong)a[j] * b[i] + t[j];
            t[j] = (uint)carry;
            carry >>= 32;
        }
        carry += t[WORDS];
        t[WORDS] = (uint)carry;
        t[WORDS + 1] = (uint)(carry >> 32);
        uint q = t[0] * inverse;
        carry = ((ulong)q * m[0] + t[0]) >> 32;
        for (int j = 1; j < WORDS; j++) {
            carry += (ulong)q * m[j] + t[j];
            t[j - 1] = (uint)carry;
            carry >>= 32;
        }
        carry += t[WORDS];
        t[WORDS - 1] = (uint)carry;
        t[WORDS] = t[WORDS + 1] + (uint)(carry >> 32);
    }
    uint less[WORDS];
    long borrow = 0;
    for (int j = 0; j < WORDS; j++) {
        borrow += (long)t[j] - m[j];
        less[j] = (uint)borrow;
        borrow >>= 32;
    }
    bool keep = t[WORDS] == 0 && borrow;
    for (int j = 0; j < WORDS; j++)
        out[j] = keep ? t[j] : less[j];
}

// one: 2^256 mod m, square: 2^512 mod m, inverse: -1/m mod 2^32; all the same for every item.
kernel void power_mod(global uint *result, global const uint *base, global const uint *exponent, constant uint *modulus,
                      constant uint *one, constant uint *square, uint inverse) {
    uint i = get_global_id(0), m[WORDS], x[WORDS], r[WORDS];
    for (int j = 0; j < WORDS; j++) {
        m[j] = modulus[j];
        x[j] = square[j];
        r[j] = base[i * WORDS + j];
    }
    multiply(x, x, r, m, inverse);
    for (int j = 0; j < WORDS; j++)
        r[j] = one[j];
    for (uint e = exponent[i]; e; e >>= 1) {
        if (e & 1)
            multiply(r, r, x, m, inverse);
        multiply(x, x, x, m, inverse);
    }
    uint unit[WORDS];
    for (int j = 0; j < WORDS; j++)
        unit[j] = j == 0;
    multiply(r, r, unit, m, inverse);
    for (int j = 0; j < WORDS; j++)
        result[i * WORDS + j] = r[j];
}
