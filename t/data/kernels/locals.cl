// SPDX-License-Identifier: GPL-3.0-or-later
// Local memory of both kinds: the kernel's own, and that of arguments; where each of it lies, t/launch.t and t/gen_binaries.t.
kernel void locals(global uint *out, local uint *a, local long16 *b, local uchar *c, local int8 *d)
{
    local uint own[17];
    uint i = get_local_id(0);
    own[i] = 100 + i;
    a[i] = 200 + i;
    b[i] = 300 + i;
    c[i] = 40 + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * i] = own[i];
    out[4 * i + 1] = a[i];
    out[4 * i + 2] = b[i].s5;
    out[4 * i + 3] = c[i];
    if (!i) {
        d[0] = 1;
        out[16] = (uint)(size_t)a;
        out[17] = (uint)(size_t)b;
        out[18] = (uint)(size_t)c;
        out[19] = (uint)(size_t)d;
    }
}
