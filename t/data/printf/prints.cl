// SPDX-License-Identifier: GPL-3.0-or-later
// Every kind of conversion.  Clang gets no device library: what of it printf needs is here, as ROCm's library has it.
// build.sh compiles it; t/core/printf.t says what it prints.
#ifdef __AMDGCN__
#define SLOT (__builtin_expect(ABI >= 5, 1) ? 9 : 3)
global char *__printf_alloc(uint bytes)
{
    constant ulong *hidden = (constant ulong *)__builtin_amdgcn_implicitarg_ptr();
    global char *buffer = (global char *)hidden[SLOT];
    volatile global uint *used = (volatile global uint *)buffer;
    uint now = *used, size = ((global uint *)buffer)[1];
    for (;;) {
        if (now + bytes + 8 > size) return 0;
        uint was = now;
        if (__opencl_atomic_compare_exchange_strong(
                (volatile global atomic_uint *)used, &was, now + bytes, 0, 0, 2))
            return buffer + 8 + now;
        now = was;
    }
}
#define ID ((uint)(__builtin_amdgcn_workgroup_id_x() * 4 + __builtin_amdgcn_workitem_id_x()))
#else
#define ID ((uint)get_global_id(0))
#endif

__attribute__((reqd_work_group_size(4, 1, 1))) kernel void prints(global uint *o, float f)
{
    uint i = ID;
    if (i % 3 == 0) printf("item %u: %s|%5s|%-6s|\n", i, "four", "a", "bcd");
    printf("%d %i %x %#o %X %u %c %%\n", (int)i - 2, -1, i * 0x1234567u, 8, 255, 4294967295u, 'a' + i);
    printf("%ld %lu %hd %hhd\n", (long)i << 40, 18446744073709551615ul, (short)(i - 3), (char)(100 + i));
    printf("%.2f %e %g %8.3f|%-8.1f|%+f\n", f * i, f, f, f * i, f, f);
    printf("%v4d %v2ld %v3d %v4hhd %v3hd %v8hlx\n", (int4)(i, -2, 3, 4), (long2)(i, -1), (int3)(i, 2, 3),
        (char4)(i, -2, 3, 4), (short3)(i, -2, 3), (int8)(i, 1, 2, 3, 4, 5, 6, 7));
    printf("%v4hlf|%.1v3hlf\n", (float4)(i, .5f, -1.f, 1e10f), (float3)(1.f, 2.f, i));
    o[i] = i;
}

__attribute__((reqd_work_group_size(4, 1, 1))) kernel void floods(global uint *o, uint n)
{
    for (uint k = 0; k < n; k++) printf("%u of %u: a line that takes some room\n", k, ID);
    o[ID] = n;
}
