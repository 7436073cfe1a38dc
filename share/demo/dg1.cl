// SPDX-License-Identifier: GPL-3.0-or-later
// Collatz for Intel's DG1, 16 work-items a thread: how many steps it takes from each number to 1, and how high it goes.  The
// channels of a thread part at every step and leave the loop one by one; watch the channel IPs with `info channels`.

#ifdef cl_intel_required_subgroup_size
#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))
#else
#define SIMD16
#endif

kernel SIMD16 void climb(global uint *out, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    uint x = i + 1, count = 0, top = x;
    while (x != 1) {
        if (x & 1) {
            x = 3 * x + 1;
            if (x > top)
                top = x;
        } else {
            x >>= 1;
        }
        count++;
    }
    out[2 * i] = count;
    out[2 * i + 1] = top;
}
