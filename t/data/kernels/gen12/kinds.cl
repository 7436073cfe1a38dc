typedef struct { float a; int b[3]; long c; } S;
__constant int table[8] = {1,2,3,5,8,13,21,34};
__global int counter = 7;
__global int *where = &counter;
__kernel void args(__global int *out, S s, float4 v, long l, char c, ushort2 unused, __local int *tmp, __constant int *k, __read_only image2d_t im, sampler_t sm)
{
    int i = get_global_id(0), x = get_local_id(0);
    tmp[x] = k[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 p = read_imagei(im, sm, (int2)(i, 0));
    out[i] = tmp[x ^ 1] + s.b[1] + (int)s.c + (int)v.z + (int)l + c + table[i & 7] + counter + *where + p.x;
}
__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void priv(__global float *out, int n)
{
    __local float slm[64];
    float a[40];
    for (int i = 0; i < 40; i++) a[i] = out[i * n];
    slm[get_local_linear_id()] = a[n % 40];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(1)] = slm[get_local_linear_id() ^ 3] + a[(n * 7) % 40];
}
__kernel void empty(__global int *out) { out[0] = 1; }
__kernel __attribute__((intel_reqd_sub_group_size(8))) void sg8(__global uint *out) { out[get_global_id(0)] = sub_group_reduce_add(get_local_id(0)) + get_num_groups(0) + get_work_dim() + get_global_size(1); }
