/* Branches, loops, a spill, sub-groups and atomics: what fills scoreboards and payloads. */
__kernel void flow(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0), v = in[i], steps = 0;
    while (v != 1 && steps < n) {
        if (v & 1) v = 3 * v + in[(v >> 1) & 63];
        else v >>= 1;
        if (steps % 7 == 3 && v > n) break;
        steps++;
    }
    atomic_add(&out[0], steps);
    out[i + 1] = steps;
}
__kernel void convert(__global char *b, __global short *w, __global half *h, __global float *f, __global long *l)
{
    int i = get_global_id(0);
    f[i] = b[i] + w[i] + vload_half(i, (__global const half *)h);
    w[i] = convert_short_sat(f[i] * 3.0f);
    b[i] = convert_char_sat_rte(f[i]);
    l[i] = (long)f[i] * l[i] / 7;
    vstore_half(sqrt(f[i]) / native_exp(f[i]), i, h);
}
__kernel void spill(__global float *out, __global const float *in, int n)
{
    float a[64];
    int i = get_global_id(0);
    for (int k = 0; k < 64; k++) a[k] = in[(i * 64 + k) % n];
    for (int r = 0; r < n; r++)
        for (int k = 0; k < 64; k++) a[k] = mad(a[k], a[(k * 5 + 3) & 63], in[r]);
    float s = 0;
    for (int k = 0; k < 64; k++) s += a[k];
    out[i] = s;
}
__kernel void vectors(__global float4 *p, __global uchar16 *q, float4 k)
{
    int i = get_global_id(0);
    p[i] = p[i].wzyx * k + p[i].xxyy;
    uchar16 v = q[i];
    q[i] = v.s0213465789abcdef + (uchar16)(v.even, v.odd);
}
