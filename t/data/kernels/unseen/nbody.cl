// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-fp32-correctly-rounded-divide-sqrt
// One step of bodies that attract each other; the group reads 64 of them at a time into local memory.
#pragma OPENCL FP_CONTRACT OFF

kernel void nbody(global float4 *next, global const float4 *body, global float4 *speed, float dt, uint n) {
    local float4 tile[64];
    uint i = get_global_id(0), l = get_local_id(0);
    float4 me = body[i];
    float3 pull = (float3)(0.0f, 0.0f, 0.0f);
    for (uint t = 0; t < n; t += 64) {
        tile[l] = body[t + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < 64; k++) {
            float4 other = tile[k];
            float3 d = other.xyz - me.xyz;
            float square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01f;
            float inverse = 1.0f / sqrt(square);
            pull += d * (other.w * inverse * inverse * inverse);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float4 v = speed[i];
    v.xyz += pull * dt;
    speed[i] = v;
    me.xyz += v.xyz * dt;
    next[i] = me;
}
