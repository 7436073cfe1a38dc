/* SPDX-License-Identifier: GPL-3.0-or-later */
/* saxpy.DEVICE.krn: the code of this kernel from ocloc 22.43, without its padding. */
kernel void saxpy(global float *y, global const float *x, float a, int n)
{
    int i = get_global_id(0);
    if (i < n) y[i] = a * x[i] + y[i];
}
