// SPDX-License-Identifier: GPL-3.0-or-later
// How many steps it takes from each number to 1: half of an even number, three times an odd one and one more.  The lanes
// of a wave part at every step and leave the loop one by one; watch EXEC.

kernel void collatz(global uint *steps, uint n) {
    uint i = get_global_id(0);
    if (i >= n)
        return;
    ulong x = i + 1;
    uint count = 0;
    while (x != 1) {
        if (x & 1)
            x = 3 * x + 1;
        else
            x = x / 2;
        count++;
    }
    steps[i] = count;
}
