// SPDX-License-Identifier: GPL-3.0-or-later
// Five-point stencil in double precision: one Jacobi step on an n by n grid, borders kept.
kernel void stencil(global double *out, global const double *in, int n)
{
    int x = get_global_id(0), y = get_global_id(1), i = y * n + x;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) out[i] = in[i];
    else out[i] = 0.25 * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
}
