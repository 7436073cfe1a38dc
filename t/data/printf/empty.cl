// SPDX-License-Identifier: GPL-3.0-or-later
// With the library of rocm-device-libs, which defines a printf that stores nothing: see build.sh.
kernel void p(global int *out)
{
    int i = get_global_id(0);
    if (i < 3)
        printf("hello %d\n", i);
    out[i] = i;
}
