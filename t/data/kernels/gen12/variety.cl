/* Types, images, sub-groups, control flow: programs to read, not to run. */
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__kernel void halfs(__global half *a, __global half *b, half s) { int i = get_global_id(0); a[i] = fma(a[i], b[i], s) + sqrt(b[i]) - (half)exp2((float)a[i]); }
__kernel void longs(__global long *a, __global ulong *b, long s) { int i = get_global_id(0); a[i] = a[i] * s + (long)(b[i] >> (i & 63)) / (s | 1) % 7; b[i] = mul_hi(b[i], (ulong)s) ^ rotate(b[i], 13ul); }
__kernel void chars(__global char4 *a, __global uchar4 *b, __global short8 *c) { int i = get_global_id(0); a[i] = (a[i] + convert_char4_sat(b[i])) * (char4)(3); c[i] = c[i].s76543210 - (short8)(i); }
__kernel void ints(__global int *a, __global uint *b, int n) { int i = get_global_id(0); int s = 0; for (int k = 0; k < n; k++) { s += popcount(b[k]) * clz(b[k] | 1); if (s & 0x40) continue; if (s > 1000) break; s ^= rotate(s, k); } a[i] = mad_sat(s, 3, a[i]) + mul24(s, n) + hadd(s, n) + abs_diff(s, n); }
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }
struct S { int a; float b; char c[12]; long d; };
__kernel void atom(__global volatile int *a, __local volatile int *l, __global volatile long *q, __global volatile float *f) { int i = get_local_id(0); if (!i) *l = 0; barrier(CLK_LOCAL_MEM_FENCE); atomic_add(l, i); atomic_max(&a[i & 3], i); atomic_cmpxchg(&a[4], i, i + 1); atom_add(q, (long)i); atomic_xchg(f, 1.5f); barrier(CLK_GLOBAL_MEM_FENCE); a[5 + i] = *l; }
__kernel void structs(__global struct S *s, struct S v, int n) { int i = get_global_id(0); struct S t = s[i]; t.a += v.a * n; t.b = sin(t.b) + cos(v.b) + tan(t.b) + pow(t.b, v.b); t.c[i & 7] = v.c[n & 7]; t.d = v.d / (t.d | 1); s[i] = t; }
__kernel void priv(__global int *o, int n) { int t[64]; for (int i = 0; i < 64; i++) t[i] = i * n; int s = 0; for (int i = 0; i < n; i++) { s += t[(s + i) & 63]; t[(s ^ i) & 63] = s; } o[get_global_id(0)] = s; }
__kernel void sw(__global int *o, int n) { int g = get_global_id(0); switch ((g + n) & 7) { case 0: o[g] = 5; break; case 1: o[g] += 7; case 2: o[g] *= n; break; case 5: for (int i = 0; i < g; i++) { if (o[i] == 3) goto out; o[g] -= i; } break; default: o[g] = -1; } out: o[g + 1] = 2; }
__kernel void sg(__global int *o) { int g = get_global_id(0); o[g] = work_group_reduce_add(g) + work_group_scan_inclusive_max(g) + work_group_broadcast(g, 3) + work_group_any(g == 3); }
__kernel __attribute__((intel_reqd_sub_group_size(8))) void sg8(__global float *o) { int g = get_global_id(0); o[g] = intel_sub_group_shuffle(o[g], get_sub_group_local_id() ^ 3) + sub_group_reduce_add(o[g]) + as_float(intel_sub_group_block_read((__global uint *)o)); }
__kernel __attribute__((intel_reqd_sub_group_size(16))) void sg16(__global float *o) { int g = get_global_id(0); o[g] = native_rsqrt(o[g]) + native_log2(o[g]) + fmod(o[g], 3.0f) + remainder(o[g], 2.0f) + ldexp(o[g], g) + round(o[g]) + ceil(o[g]); }
__kernel __attribute__((intel_reqd_sub_group_size(32))) void sg32(__global float *o, __global uchar *b) { int g = get_global_id(0); o[g] = dot((float4)(o[g]), (float4)(b[g], b[g + 1], 2, 3)) + length((float3)(o[g], 1, b[g])); b[g] = convert_uchar_sat_rte(o[g]); }
__kernel void dbl(__global long *o, __global ushort *u) { int g = get_global_id(0); o[g] = (long)as_float((int)o[g]) + convert_long(u[g]); vstore_half_rtz(as_float(g), g, (__global half *)u); printf("%d %s\n", g, "x"); }
