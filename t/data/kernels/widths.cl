// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of every width as parameters of a function that stays one: compilers keep them in registers.

__attribute__((noinline)) double widths(ulong w, short h, double d, uchar c, uint u) {
    return (double)(w >> 3) + h * d + c * (double)u;
}

kernel void widths_all(global double *out, global const uint *in) {
    const uint i = get_global_id(0), x = in[i];
    out[i] = widths((ulong)x << 20 | i, (short)(x - 700), x * 0.25, (uchar)(x + 1), x / 3);
}
