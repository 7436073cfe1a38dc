// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels in the styles of other people's programs; t/oracle/gen_compiled.t compiles them and runs them
// beside PoCL.
kernel void bitonic(global uint *data, global const uint *in, local uint *s) {
    int l = get_local_id(0), n = get_local_size(0);
    s[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= n; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            int p = l ^ j;
            if (p > l) {
                bool up = (l & k) == 0;
                uint a = s[l], b = s[p];
                if ((a > b) == up) {
                    s[l] = b;
                    s[p] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    data[get_global_id(0)] = s[l];
}
constant uint K[16] = {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
                       0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
                       0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174};
#define ROR(x, n) rotate((uint)(x), (uint)(32 - (n)))
kernel void sha(global uint *out, global const uint *in) {
    uint w[64];
    uint i = get_global_id(0);
    for (int t = 0; t < 16; t++)
        w[t] = in[(i * 16 + t) & 1023];
    for (int t = 16; t < 64; t++) {
        uint s0 = ROR(w[t - 15], 7) ^ ROR(w[t - 15], 18) ^ (w[t - 15] >> 3),
             s1 = ROR(w[t - 2], 17) ^ ROR(w[t - 2], 19) ^ (w[t - 2] >> 10);
        w[t] = w[t - 16] + s0 + w[t - 7] + s1;
    }
    uint a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    for (int t = 0; t < 64; t++) {
        uint t1 = h + (ROR(e, 6) ^ ROR(e, 11) ^ ROR(e, 25)) + ((e & f) ^ (~e & g)) + K[t & 15] + w[t];
        uint t2 = (ROR(a, 2) ^ ROR(a, 13) ^ ROR(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    out[i] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}
kernel void blur(global uchar4 *out, global const uchar4 *in, int w, int h) {
    local uchar4 t[12][12];
    int lx = get_local_id(0), ly = get_local_id(1), gx = get_group_id(0) * 8, gy = get_group_id(1) * 8;
    for (int y = ly; y < 12; y += 8)
        for (int x = lx; x < 12; x += 8) {
            int sx = clamp(gx + x - 2, 0, w - 1), sy = clamp(gy + y - 2, 0, h - 1);
            t[y][x] = in[sy * w + sx];
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int k[5] = {1, 4, 6, 4, 1};
    int4 s = 0;
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            s += convert_int4(t[ly + y][lx + x]) * (k[x] * k[y]);
    out[get_global_id(1) * w + get_global_id(0)] = convert_uchar4_sat_rte(convert_float4(s) / 256.0f);
}
kernel void hist(global uint *bins, global const uint *in, int n) {
    local uint h[256];
    for (int i = get_local_id(0); i < 256; i += get_local_size(0))
        h[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        uint v = in[i];
        atomic_inc(&h[v & 255]);
        atomic_max(&bins[256], v);
        atomic_min(&bins[257], v);
        atomic_xor(&bins[258], v);
        atomic_or(&bins[260], v & 0xf0f0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < 256; i += get_local_size(0))
        atomic_add(&bins[i], h[i]);
}
typedef struct {
    int a;
    float b;
    char c;
    short d;
    long e;
    float4 f;
    uchar g[5];
} S;
kernel void structs(global uint *out, S s, global const S *arr) {
    int i = get_global_id(0);
    S t = arr[i];
    out[i * 4] = (uint)(s.a + t.a) + s.g[i % 5];
    out[i * 4 + 1] = as_uint(s.b * t.f.z) + (uint)s.c;
    out[i * 4 + 2] = (uint)(s.e * t.e >> 7);
    out[i * 4 + 3] = (uint)(t.d * s.d) + t.g[(i + 2) % 5];
}
kernel void sw(global int *out, global const int *in) {
    int i = get_global_id(0);
    int v = in[i];
    int r = 0;
    for (int k = 0; k < 8; k++) {
        switch ((v >> (k * 3)) & 7) {
        case 0:
            r += 3;
            break;
        case 1:
            r *= 5;
        case 2:
            r -= 7;
            break;
        case 3:
            if (r & 1)
                continue;
            r >>= 1;
            break;
        case 4:
            r ^= v;
            break;
        case 5:
            return;
        case 6:
            r = ~r;
            break;
        default:
            r += k;
            goto end;
        }
    }
end:
    out[i] = r;
}
__attribute__((noinline)) int fact(int n) {
    int r = 1;
    for (int i = 2; i <= n; i++)
        r *= i;
    return r;
}
__attribute__((noinline)) float poly(float x, int n) {
    float r = 0;
    for (int i = 0; i < n; i++)
        r = r * x + (float)fact(i & 7);
    return r;
}
kernel void calls(global float *out, global const float *in) {
    int i = get_global_id(0);
    float x = in[i];
    out[i] = (i & 3) ? poly(x, (i & 7)) : (float)fact(i & 15) + x;
}
kernel void longdiv(global ulong *out, global const ulong *a, global const ulong *b) {
    int i = get_global_id(0);
    ulong x = a[i], y = b[i] | 1;
    long sx = (long)x, sy = (long)y;
    if (sy == 0)
        sy = 1;
    if (sy == -1)
        sy = 3;
    out[i * 6] = x / y;
    out[i * 6 + 1] = x % y;
    out[i * 6 + 2] = (ulong)(sx / sy);
    out[i * 6 + 3] = (ulong)(sx % sy);
    out[i * 6 + 4] = mul_hi(x, y);
    out[i * 6 + 5] = (ulong)mad_hi(sx, sy, (long)i) + popcount(x) + clz(y);
}

kernel void halfc(global float *out, global half *hin, global ushort *o2) {
    int i = get_global_id(0);
    float f = vload_half(i, hin);
    out[i] = f * 3.0f;
    vstore_half_rtz(f * 1.0009765f, i, (global half *)o2);
    vstore_half_rte(f * 1.0009765f, i + 256, (global half *)o2);
    vstore_half_rtp(f * 1.0009765f, i + 512, (global half *)o2);
    vstore_half_rtn(f * 1.0009765f, i + 768, (global half *)o2);
}
kernel void char16s(global char16 *out, global const char16 *a, global const char16 *b) {
    int i = get_global_id(0);
    char16 x = a[i], y = b[i];
    char16 r = x * y + y;
    r = as_char16(abs_diff(x, y));
    r = add_sat(x, y) ^ sub_sat(x, y);
    r += rhadd(x, y).sfedcba9876543210;
    r = select(r, x, y > x);
    r = shuffle(r, as_uchar16(y));
    r -= mul_hi(x, y);
    r = rotate(r, y);
    out[i] = r;
}
kernel void acopy(global float *out, global const float *in) {
    local float s[128];
    event_t e = async_work_group_copy(s, in + get_group_id(0) * 128, 128, 0);
    wait_group_events(1, &e);
    int l = get_local_id(0);
    float t = s[127 - l] + s[l * 2 % 128];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = t;
    s[l + 64] = -t;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + get_group_id(0) * 128, s, 128, 0);
    wait_group_events(1, &e);
}
kernel void priv(global uint *out, global const uint *in) {
    uint a[33];
    int i = get_global_id(0);
    for (int k = 0; k < 33; k++)
        a[k] = in[(i + k) & 1023];
    for (int k = 0; k < 33; k++) {
        uint j = a[k] % 33;
        uint t = a[k];
        a[k] = a[j];
        a[j] = t + k;
    }
    uint r = 0;
    for (int k = 0; k < 33; k++)
        r = r * 31 + a[k];
    out[i] = r;
}
kernel void bytesw(global uchar *out, global const ushort *in, int off) {
    int i = get_global_id(0);
    ushort v = in[i + off];
    out[3 * i] = v;
    out[3 * i + 1] = v >> 8;
    out[3 * i + 2] = (uchar)(v * 3);
}
kernel void scan(global int *out, global const int *in) {
    local int s[2][128];
    int l = get_local_id(0);
    int p = 0;
    s[0][l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 128; d <<= 1) {
        s[1 - p][l] = l >= d ? s[p][l] + s[p][l - d] : s[p][l];
        p = 1 - p;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[p][l];
}
kernel void mandel(global int *out, int w, float x0, float y0, float d) {
    int x = get_global_id(0), y = get_global_id(1);
    float cx = x0 + x * d, cy = y0 + y * d, a = 0, b = 0;
    int n = 0;
    while (a * a + b * b < 4.0f && n < 100) {
        float t = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = t;
        n++;
    }
    out[y * w + x] = n;
}
kernel void mathf(global float *out, global const float *in, int n) {
    int i = get_global_id(0);
    float x = in[i];
    out[i] = floor(x) + ceil(x * 0.5f);
    out[n + i] = fma(x, x, -x);
    out[2 * n + i] = fmod(x, 3.7f);
    out[3 * n + i] = ldexp(x, i % 20 - 10);
    int e;
    out[4 * n + i] = frexp(x, &e) + e;
    out[5 * n + i] = rint(x) + trunc(x * 1.5f);
    out[6 * n + i] = nextafter(x, 100.0f);
    out[7 * n + i] = copysign(x, -1.0f * i);
    out[8 * n + i] = sqrt(fabs(x));
    out[9 * n + i] = x / (x + 3.0f);
    out[10 * n + i] = fdim(x, 1.0f);
    out[11 * n + i] = (float)ilogb(x);
    out[12 * n + i] = maxmag(x, 2.0f) + minmag(x, 2.0f);
    out[13 * n + i] = remainder(x, 2.5f);
    out[14 * n + i] = hypot(x, 1.0f) * 0;
    out[15 * n + i] = step(1.0f, x) + smoothstep(0.0f, 1.0f, x) * 0 + mix(1.0f, 2.0f, 0.5f) + sign(x);
}
kernel void conv(global int *out, global const float *in, int n) {
    int i = get_global_id(0);
    float x = in[i];
    out[i] = convert_int_sat(x);
    out[n + i] = convert_uint_sat(x);
    out[2 * n + i] = convert_char_sat_rte(x);
    out[3 * n + i] = convert_ushort_sat_rtp(x);
    out[4 * n + i] = convert_short_sat_rtn(x);
    out[5 * n + i] = (int)convert_long_sat(x);
    out[6 * n + i] = as_int(convert_float_rtz(in[i] > 0 ? (uint)i * 0x10001u * 77u : 3u));
    out[7 * n + i] = as_int(convert_float_rtp((long)i * 0x123456789abL));
    out[8 * n + i] = as_int(convert_float_rtn((ulong)i * 0xfedcba9876543L));
    out[9 * n + i] = as_int(convert_float_rte((int)(i * 7919 * 7919)));
}
kernel void transpose(global float *out, global const float *in, int w) {
    local float t[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = in[get_global_id(1) * w + get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    int ox = get_group_id(1) * 16 + x, oy = get_group_id(0) * 16 + y;
    out[oy * w + ox] = t[x][y];
}
kernel void shorts(global short *out, global const short *a, global const ushort *b) {
    int i = get_global_id(0);
    short x = a[i];
    ushort y = b[i];
    out[i * 8] = x / (short)(y | 1);
    out[i * 8 + 1] = x % (short)((y & 0xff) | 1);
    out[i * 8 + 2] = x >> (y & 15);
    out[i * 8 + 3] = (ushort)x >> (y & 15);
    out[i * 8 + 4] = mul_hi(x, (short)y);
    out[i * 8 + 5] = hadd(x, (short)y);
    out[i * 8 + 6] = abs(x) + clz(x);
    out[i * 8 + 7] = upsample((char)x, (uchar)y);
}
kernel void atom64(global int *c, global const int *in) {
    int i = get_global_id(0);
    int old, v;
    do {
        old = c[1];
        v = old + in[i];
    } while (atomic_cmpxchg(&c[1], old, v) != old);
    atomic_xchg(&c[2], 42);
    atomic_sub(&c[3], i);
    atomic_dec(&c[4]);
    atomic_and(&c[5], ~(1 << (i & 31)));
}
kernel void xorshift(global ulong *out, uint n) {
    ulong s = get_global_id(0) * 0x9e3779b97f4a7c15UL + 1;
    ulong acc = 0;
    for (uint i = 0; i < n; i++) {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        acc += (s * 0x2545F4914F6CDD1DUL) >> (i & 31);
        acc = rotate(acc, (ulong)i);
    }
    out[get_global_id(0)] = acc;
}
kernel void gid3(global uint *out) {
    uint i =
        get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) * get_global_id(2));
    out[i] = get_local_id(0) | get_local_id(1) << 4 | get_local_id(2) << 8 | get_group_id(0) << 12 |
             get_group_id(1) << 16 | get_group_id(2) << 20 | get_num_groups(1) << 24 | get_work_dim() << 28;
}
kernel void hashes(global uint *out, global const uchar *in, int n) {
    int i = get_global_id(0);
    uint crc = ~0u, fnv = 2166136261u, ad1 = 1, ad2 = 0;
    for (int k = 0; k < n; k++) {
        uchar c = in[(i * 3 + k) & 511];
        crc ^= c;
        for (int b = 0; b < 8; b++)
            crc = (crc >> 1) ^ (0xEDB88320u & -(crc & 1));
        fnv = (fnv ^ c) * 16777619u;
        ad1 = (ad1 + c) % 65521;
        ad2 = (ad2 + ad1) % 65521;
    }
    out[3 * i] = ~crc;
    out[3 * i + 1] = fnv;
    out[3 * i + 2] = ad2 << 16 | ad1;
}
kernel void aesish(global uint4 *out, global const uint4 *in, constant uchar *sbox) {
    int i = get_global_id(0);
    uint4 s = in[i];
    for (int r = 0; r < 10; r++) {
        uchar16 v = as_uchar16(s);
        for (int k = 0; k < 4; k++) {
        }
        uchar t[16];
        vstore16(v, 0, t);
        for (int k = 0; k < 16; k++)
            t[k] = sbox[t[(k * 5) & 15]];
        s = as_uint4(vload16(0, t));
        s ^= (uint4)(s.y << 1, s.z >> 1, rotate(s.w, 3u), s.x);
    }
    out[i] = s;
}
kernel void lu(global float *a, int n) {
    local float col[32];
    int l = get_local_id(0);
    for (int k = 0; k < n; k++) {
        if (l > k) {
            float f = a[l * n + k] / a[k * n + k];
            a[l * n + k] = f;
            for (int j = k + 1; j < n; j++)
                a[l * n + j] -= f * a[k * n + j];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
kernel void qsortk(global int *data, int n) {
    int g = get_global_id(0);
    global int *d = data + g * n;
    int st[32];
    int sp = 0;
    st[sp++] = 0;
    st[sp++] = n - 1;
    while (sp) {
        int hi = st[--sp], lo = st[--sp];
        if (lo >= hi)
            continue;
        int p = d[hi], i = lo - 1;
        for (int j = lo; j < hi; j++)
            if (d[j] <= p) {
                i++;
                int t = d[i];
                d[i] = d[j];
                d[j] = t;
            }
        int t = d[i + 1];
        d[i + 1] = d[hi];
        d[hi] = t;
        st[sp++] = lo;
        st[sp++] = i;
        st[sp++] = i + 2;
        st[sp++] = hi;
    }
}
kernel void lzd(global uchar *out, global const uchar *in, int n) {
    int i = get_global_id(0);
    global uchar *o = out + i * 64;
    int p = 0, k = i * 7;
    while (p < 64) {
        uchar c = in[k++ & 511];
        if (c < 128 || p < 4)
            o[p++] = c;
        else {
            int d = (c & 3) + 1, len = ((c >> 2) & 7) + 2;
            while (len-- > 0 && p < 64) {
                o[p] = o[p - d];
                p++;
            }
        }
    }
}
kernel void collz(global ushort *out, ulong base) {
    ulong v = base + get_global_id(0);
    ushort n = 0;
    while (v != 1 && n < 1000) {
        v = (v & 1) ? 3 * v + 1 : v >> 1;
        n++;
    }
    out[get_global_id(0)] = n;
}
kernel void raym(global uchar4 *out, int w, int h, float4 sph) {
    int x = get_global_id(0), y = get_global_id(1);
    float3 o = 0, d = (float3)((x + 0.5f) / w - 0.5f, (y + 0.5f) / h - 0.5f, 1);
    float b = d.x * sph.x + d.y * sph.y + d.z * sph.z;
    float dd = d.x * d.x + d.y * d.y + d.z * d.z;
    float c = sph.x * sph.x + sph.y * sph.y + sph.z * sph.z - sph.w * sph.w;
    float q = b * b - dd * c;
    uchar4 r = (uchar4)(10, 20, 30, 255);
    if (q > 0) {
        float t = (b - sqrt(q)) / dd;
        float3 p = d * t;
        float3 n = (p - sph.xyz) / sph.w;
        r = convert_uchar4_sat((float4)(n.x * 128 + 128, n.y * 128 + 128, t * 16, 200));
    }
    out[y * w + x] = r;
}
kernel void packs(global uint *out, global const float4 *in) {
    int i = get_global_id(0);
    float4 v = in[i];
    uint r = convert_uint_sat(v.x * 31) << 11 | convert_uint_sat(v.y * 63) << 5 | convert_uint_sat(v.z * 31);
    ushort4 h = convert_ushort4_sat_rte(v * 1000.0f);
    out[2 * i] = r;
    out[2 * i + 1] = h.x + h.y * 3u + h.z * 5u + h.w * 7u;
}
kernel void bothkinds(global uint *out, global const uint *in, local uint *a, local ulong *b) {
    local uint own[37];
    int l = get_local_id(0), i = get_global_id(0);
    own[l] = in[i];
    a[l] = in[i] * 3;
    b[l] = (ulong)in[i] << 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    int k = (l + 5) % get_local_size(0);
    out[i] = own[k] ^ a[k] + (uint)(b[k] >> 20);
}
kernel void red64(global long *out, global const int *in, int n) {
    local long s[64];
    long a = 0;
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        a += (long)in[i] * in[i];
    int l = get_local_id(0);
    s[l] = a;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 32; k > 0; k >>= 1) {
        if (l < k)
            s[l] = max(s[l], s[l + k]) + (s[l] ^ s[l + k]) % 7;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!l)
        out[get_group_id(0)] = s[0];
}

// Signs and zeros of sums that wrap around, which compilers take from the sum's own instruction.
kernel void wraps(global uint *o, global const uint *a, global const uint *b) {
    uint i = get_global_id(0), s = a[i] + b[i], d = a[i] - b[i];
    ushort h = (ushort)((ushort)a[i] + (ushort)b[i]), p = (ushort)((ushort)a[i] * (ushort)b[i]);
    uchar c = (uchar)((uchar)a[i] + (uchar)b[i]);
    o[i * 8] = (int)s < 0 ? 1 : s == 0 ? 2 : 3;
    o[i * 8 + 1] = (int)d >= 0 ? s : d;
    o[i * 8 + 2] = as_short(h) < 0 ? h : 7;
    o[i * 8 + 3] = as_short(p) < 0 ? p : 9;
    o[i * 8 + 4] = as_char(c) < 0 ? c : 11;
    o[i * 8 + 5] = h == 0 ? 1 : c == 0 ? 2 : p == 0 ? 3 : 4;
    o[i * 8 + 6] = d > 0 ? c : h;
    o[i * 8 + 7] = (int)(a[i] << 3) < 0 ? p : s;
}
