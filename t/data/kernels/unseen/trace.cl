// SPDX-License-Identifier: GPL-3.0-or-later
// options: -cl-fp32-correctly-rounded-divide-sqrt
// Rays against spheres, with mirrors: loops that lanes leave at different depths, square roots and divisions.
#pragma OPENCL FP_CONTRACT OFF

typedef struct { float3 at; float radius, mirror; uint colour; } sphere;

float meet(float3 from, float3 along, sphere s) {
    float3 d = s.at - from;
    float b = d.x * along.x + d.y * along.y + d.z * along.z;
    float c = d.x * d.x + d.y * d.y + d.z * d.z - s.radius * s.radius;
    float q = b * b - c;
    if (q < 0.0f)
        return -1.0f;
    q = sqrt(q);
    return b - q > 0.001f ? b - q : b + q > 0.001f ? b + q : -1.0f;
}

kernel void trace(global float4 *image, global const sphere *scene, uint n) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
    float3 from = (float3)(0.0f, 0.0f, -3.0f);
    float3 along = (float3)((x + 0.5f) / w - 0.5f, 0.5f - (y + 0.5f) / h, 1.0f);
    along = along / sqrt(along.x * along.x + along.y * along.y + along.z * along.z);
    float4 sum = (float4)(0.0f, 0.0f, 0.0f, 1.0f);
    float weight = 1.0f;
    for (int depth = 0; depth < 4; depth++) {
        float nearest = 1e10f;
        int which = -1;
        for (uint k = 0; k < n; k++) {
            float t = meet(from, along, scene[k]);
            if (t > 0.0f && t < nearest) {
                nearest = t;
                which = k;
            }
        }
        if (which < 0) {
            sum.z += weight * (0.5f + 0.5f * fabs(along.y));
            break;
        }
        sphere s = scene[which];
        from = from + along * nearest;
        float3 normal = (from - s.at) / s.radius;
        float light = fmax(0.1f, normal.x * 0.48f + normal.y * 0.64f - normal.z * 0.6f);
        uchar4 c = as_uchar4(s.colour);
        sum.xyz += (float3)(c.x, c.y, c.z) * (light * weight * (1.0f - s.mirror) / 255.0f);
        sum.w += 1.0f;
        if (s.mirror == 0.0f)
            break;
        weight *= s.mirror;
        float turn = 2.0f * (along.x * normal.x + along.y * normal.y + along.z * normal.z);
        along = along - normal * turn;
    }
    image[y * w + x] = sum;
}
