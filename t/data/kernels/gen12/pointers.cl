// SPDX-License-Identifier: GPL-3.0-or-later
// Pointers that a loader fills in: among the program's variables, and (not optimised, with functions) in code.
global uint table[16] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 11, 12, 13, 14, 15, 16};
global uint other[4] = {100, 200, 300, 400};
global uint zeros[40];
constant uint fixed[4] = {1000, 2000, 3000, 4000};
global uint *global where[3] = {table + 2, other, table + 5};
constant uint *global into = fixed + 1;
constant uint *constant chain[2] = {fixed + 2, fixed};

kernel void pointers(global uint *out) {
    uint i = get_global_id(0);
    out[i] = where[i % 3][i & 3] + into[i & 1] * 3 + chain[i & 1][i >> 1 & 1];
}

__attribute__((noinline)) uint pick(uint i) {
    return table[i & 15] + fixed[i & 3];
}

kernel void picks(global uint *out) {
    uint i = get_global_id(0);
    zeros[i] = i * 7;
    out[i] = pick(i) + pick(i * 3) + zeros[i];
}
