// SPDX-License-Identifier: GPL-3.0-or-later
// Loops whose length depends on the lane's own data.

kernel void collatz(global uint *steps, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    ulong x = i + 1;
    uint count = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x >> 1;
        count++;
    }
    steps[i] = count;
}

// Fixed point with 24 bits of fraction.
kernel void mandelbrot_fixed(global uint *out, int width, int height, uint limit) {
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= width || py >= height)
        return;
    int cr = (int)((long)px * (3 << 24) / width) - (2 << 24);
    int ci = (int)((long)py * (2 << 24) / height) - (1 << 24);
    int zr = 0, zi = 0;
    uint k = 0;
    while (k < limit) {
        long rr = (long)zr * zr, ii = (long)zi * zi;
        if (rr + ii > (long)4 << 48)
            break;
        int t = (int)((rr - ii) >> 24) + cr;
        zi = (int)((long)zr * zi >> 23) + ci;
        zr = t;
        k++;
    }
    out[py * width + px] = k;
}

kernel void gcd(global uint *out, global const uint *a, global const uint *b) {
    uint i = get_global_id(0), x = a[i], y = b[i];
    while (y) {
        uint t = x % y;
        x = y;
        y = t;
    }
    out[i] = x;
}

kernel void integer_root(global uint *out, global const uint *in) {
    uint i = get_global_id(0), x = in[i], r = 0, bit = 1u << 30;
    while (bit > x)
        bit >>= 2;
    for (; bit; bit >>= 2) {
        if (x >= r + bit) {
            x -= r + bit;
            r = (r >> 1) + bit;
        } else {
            r >>= 1;
        }
    }
    out[i] = r;
}
