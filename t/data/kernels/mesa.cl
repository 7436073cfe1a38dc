// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels for Mesa's driver, which has no library here: ids straight from the compiler's builtins.
#ifdef __AMDGCN__
#define LOCAL_ID __builtin_amdgcn_workitem_id_x()
#define GROUP_ID __builtin_amdgcn_workgroup_id_x()
#define BARRIER() do { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); __builtin_amdgcn_s_barrier(); } while (0)
#else
#define LOCAL_ID get_local_id(0)
#define GROUP_ID get_group_id(0)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#endif

kernel void mesa_scale(global uint *out, global const uint *in, uint factor, uint n) {
    uint l = LOCAL_ID, i = GROUP_ID * 64 + l;
    if (i < n)
        out[i] = in[i] * factor + l;
}

kernel void mesa_groups(global uint *out, global const uint *in) {
    local uint part[64];
    uint l = LOCAL_ID;
    part[l] = in[GROUP_ID * 64 + l];
    for (uint s = 32; s; s >>= 1) {
        BARRIER();
        if (l < s)
            part[l] += part[l + s];
    }
    if (l == 0)
        out[GROUP_ID] = part[0];
}

constant uint primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

// The table's address is for a linker to fill in.
kernel void mesa_table(global uint *out, global const uint *in) {
    uint i = GROUP_ID * 64 + LOCAL_ID;
    out[i] = primes[in[i] & 7] * primes[i & 7];
}
