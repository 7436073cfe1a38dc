/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables of many kinds, for a debugger to find; t/locals.t knows what they hold. */
typedef struct {
    float pos[3];
    int id;
    ushort flags;
} particle;

__constant float steps[4] = {1.0f, 2.0f, 4.0f, -8.0f};

__attribute__((noinline)) int deepest(int x)
{
    return x * 3 + 1;
}

__attribute__((noinline)) int deep(int x)
{
    int once = deepest(x);
    int twice = deepest(once);
    return once ^ twice;
}

__attribute__((always_inline)) inline int inner(int q, int r)
{
    int t = q * r;
    t += 5;
    return deep(t);
}

__kernel void variables(__global int *out, char c, short h, uchar4 v, __global particle *p, __local int *shared)
{
    __local int fixed[64];
    int g = get_local_id(0);
    int2 pair = (int2)(g, g * 2);
    bool even = (g & 1) == 0;
    double d = g * 0.25 - 1;
    long big = (long)g << 33;
    union {
        int i;
        float f;
    } u;
    float own[5];
    for (int i = 0; i < 5; i++)
        own[i] = g + steps[i & 3];
    int grid[2][3];
    for (int i = 0; i < 6; i++)
        grid[i / 3][i % 3] = 10 * g + i;
    u.f = p[g & 3].pos[1];
    shared[g] = g * g;
    fixed[g] = -g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = shared[63 - g] + fixed[(g + 1) & 63];
    sum += (int)own[g % 5] + (int)d + (int)(big >> 33);
    if (even)
        sum += inner(g, c);
    out[g] = sum + pair.y + h + v.z + u.i + grid[1][2];
}
