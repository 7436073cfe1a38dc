// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-fp32-correctly-rounded-divide-sqrt
// Single precision operations that have one right answer.  Row r of the result stands at out[r * n].
#pragma OPENCL FP_CONTRACT OFF

kernel void float_arith(global float *out, global const float *a, global const float *b, global const float *c, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i], z = c[i];
    global float *o = out + i;
    o[0 * n] = x + y;
    o[1 * n] = x - y;
    o[2 * n] = x * y;
    o[3 * n] = fma(x, y, z);
    o[4 * n] = fma(-x, fabs(y), -z);
    o[5 * n] = -x;
    o[6 * n] = fabs(x);
    o[7 * n] = copysign(x, y);
    o[8 * n] = (x + y) * 2.0f;
    o[9 * n] = (x - 1.5f) * 0.5f;
    o[10 * n] = x * -4.0f + 3.14159265f;
    o[11 * n] = x * y + z;
    o[12 * n] = -fabs(x) - y;
}

// Products of small integers are exact, so a fused and an unfused mad agree.
kernel void float_mad(global float *out, global const short *a, global const short *b, global const float *c, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i], z = c[i];
    global float *o = out + i;
    o[0 * n] = mad(x, y, z);
    o[1 * n] = mad(-x, y, z);
    o[2 * n] = mad(x, 3.0f, z);
    o[3 * n] = mad(x, y, 0.1f);
    float sum = 0;
    for (int k = 0; k < 8; k++)
        sum = mad(x + k, y - k, sum);
    o[4 * n] = sum;
}

// No zeros here: which zero min and max give is left open.
kernel void float_minmax(global float *out, global const float *a, global const float *b, global const float *c, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i], z = c[i];
    global float *o = out + i;
    o[0 * n] = fmin(x, y);
    o[1 * n] = fmax(x, y);
    o[2 * n] = fmin(fmin(x, y), z);
    o[3 * n] = fmax(fmax(x, y), z);
    o[4 * n] = isnan(z) ? 1.0f : clamp(isnan(x) ? 2.0f : x, -fabs(z), fabs(z));
    o[5 * n] = fmax(fmin(x, 100.0f), -100.0f);
    o[6 * n] = fdim(x, y);
    o[7 * n] = maxmag(isnan(x) ? 1.0f : x, 1.25f);
}

kernel void float_round(global float *out, global const float *a, global const float *b, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i];
    global float *o = out + i;
    float whole;
    int e;
    o[0 * n] = floor(x);
    o[1 * n] = ceil(x);
    o[2 * n] = rint(x);
    o[3 * n] = trunc(x);
    o[4 * n] = round(x);
    o[5 * n] = fract(isfinite(x) && x != 0 ? x : 0.75f, &whole);
    o[6 * n] = whole;
    o[7 * n] = modf(x, &whole);
    o[8 * n] = whole;
    o[9 * n] = frexp(x, &e);
    o[10 * n] = as_float(e);
    o[11 * n] = ldexp(x, (int)(i % 40) - 20);
    o[12 * n] = as_float(ilogb(isnormal(x) ? x : 1.0f));
    o[13 * n] = fmod(x, y);
    o[14 * n] = nextafter(fabs(x) > 1e-10f ? x : 1.0f, y);
}

kernel void float_convert(global uint *out, global const float *a, global const float *wide, global const uint *c,
                          global const ulong *d, uint n) {
    uint i = get_global_id(0);
    float x = a[i], w = wide[i];
    uint u = c[i];
    ulong l = d[i];
    global uint *o = out + i;
    o[0 * n] = (uint)(int)x;
    o[1 * n] = (uint)fabs(x);
    o[2 * n] = (uint)convert_int_rte(x);
    o[3 * n] = (uint)convert_int_rtp(x);
    o[4 * n] = (uint)convert_int_rtn(x);
    o[5 * n] = (uint)convert_int_sat(isnan(w) ? 0.0f : w);
    o[6 * n] = convert_uint_sat(isnan(w) ? 0.0f : w);
    o[7 * n] = convert_uchar_sat(isnan(w) ? 0.0f : w);
    o[8 * n] = (uint)(int)convert_short_sat_rte(isnan(w) ? 0.0f : w);
    o[9 * n] = as_uint((float)u);
    o[10 * n] = as_uint((float)(int)u);
    o[11 * n] = as_uint((float)l);
    o[12 * n] = as_uint((float)(long)l);
    o[13 * n] = as_uint((float)(uchar)u + (float)(uchar)(u >> 8) + (float)(uchar)(u >> 16) + (float)(u >> 24));
    long s = (long)(x * 1048576.0f);
    o[14 * n] = (uint)s;
    o[15 * n] = (uint)(s >> 32);
    ulong v = (ulong)(fabs(x) * 1048576.0f);
    o[16 * n] = (uint)v;
    o[17 * n] = (uint)(v >> 32);
    o[18 * n] = as_uint((float)(short)u) ^ as_uint((float)(ushort)(u >> 3));
    o[19 * n] = (uint)(int)(char)(int)clamp(x, -100.0f, 100.0f);
}

kernel void float_compare(global uint *out, global const float *a, global const float *b, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i];
    global uint *o = out + i;
    o[0 * n] = (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5;
    o[1 * n] = !(x < y) | !(x <= y) << 1 | !(x > y) << 2 | !(x >= y) << 3 | islessgreater(x, y) << 4;
    o[2 * n] = isnan(x) | isinf(x) << 1 | isfinite(x) << 2 | isnormal(x) << 3 | (signbit(x) != 0) << 4;
    o[3 * n] = isordered(x, y) | isunordered(x, y) << 1;
    o[4 * n] = as_uint(select(x, y, isgreater(x, y)));
    o[5 * n] = as_uint(x < 0.0f ? -x : x);
    o[6 * n] = as_uint(isnan(x) ? 7.0f : sign(x));
    o[7 * n] = x > 1.0f && y > 1.0f ? 1 : x < -1.0f || y < -1.0f ? 2 : 3;
}

kernel void float_divide(global float *out, global const float *a, global const float *b, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i];
    global float *o = out + i;
    o[0 * n] = x / y;
    o[1 * n] = 1.0f / x;
    o[2 * n] = x / 3.0f;
    o[3 * n] = sqrt(x);
    o[4 * n] = sqrt(fabs(y));
    o[5 * n] = y / fabs(x);
}

// Denormals in, denormals out: the device treats both as zeros of their sign.
kernel void float_flush(global float *out, global const float *a, global const float *b, global const float *c, uint n) {
    uint i = get_global_id(0);
    float x = a[i], y = b[i], z = c[i];
    global float *o = out + i;
    o[0 * n] = x + y;
    o[1 * n] = x - y;
    o[2 * n] = x * (z * 0x1p+120f);
    o[3 * n] = fma(x, 0.25f, y);
    o[4 * n] = x * 0.5f;
    o[5 * n] = x * 0x1p+30f;
}
