// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of one wave that part and meet again: nested branches, early return, switch, break and continue.

kernel void nested_ifs(global uint *out, global const uint *in) {
    uint i = get_global_id(0), x = in[i], r = 0;
    if (x & 1) {
        if (x & 2) {
            r = x * 3;
            if (x & 4)
                r ^= 0x1234;
            else
                r += x >> 4;
        } else if (x & 8) {
            r = x / 5;
        } else {
            r = ~x;
        }
        r += 1;
    } else if ((x & 6) == 6 || (x & 0x30) == 0x10) {
        r = rotate(x, i & 31);
    } else {
        r = x - i;
        if (r > 0x80000000u)
            r >>= 1;
    }
    out[i] = r;
}

kernel void early_return(global uint *out, global const uint *in, uint limit) {
    uint i = get_global_id(0), x = in[i];
    out[i] = 1;
    if (i >= limit)
        return;
    if (x % 3 == 0) {
        out[i] = x / 3;
        return;
    }
    for (uint k = 0; k < 8; k++) {
        if ((x >> k & 1) == 0)
            return;
        out[i] += k * x;
    }
    out[i] ^= 0xffff;
}

kernel void switch_cases(global uint *out, global const uint *in) {
    uint i = get_global_id(0), x = in[i], r;
    switch (x % 11) {
    case 0: r = x + 1; break;
    case 1: r = x * 7; break;
    case 2: r = x << 3;      // falls through
    case 3: r = x ^ 0x55aa55aa; break;
    case 4: r = popcount(x); break;
    case 5: r = x / 9; break;
    case 6: r = 0;
        for (uint k = x & 15; k; k--)
            r += k * k;
        break;
    case 7: case 8: r = ~x; break;
    default: r = x & 0xff; break;
    }
    out[i] = r;
}

kernel void break_continue(global uint *out, global const uint *in, uint n) {
    uint i = get_global_id(0), sum = 0;
    for (uint k = 0; k < n; k++) {
        uint x = in[(i + k * 7) % n];
        if (x & 1)
            continue;
        if ((x & 0xff) == i % 97)
            break;
        uint y = x;
        do {
            if (y % 5 == 3)
                break;
            sum += y & 0xf;
            y >>= 3;
        } while (y);
    }
    out[i] = sum;
}
