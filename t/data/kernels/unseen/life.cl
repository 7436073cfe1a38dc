// SPDX-License-Identifier: GPL-3.0-or-later
// Conway's game of life on a torus of bytes, with the tile and its border in local memory; several steps a launch are
// kept apart by a counter in the cell's upper bits.

kernel void life(global uchar *to, global const uchar *from, int width, int height) {
    local uchar tile[10][18];
    int lx = get_local_id(0), ly = get_local_id(1);
    int x0 = get_group_id(0) * 16 - 1, y0 = get_group_id(1) * 8 - 1;
    for (int k = ly * 16 + lx; k < 180; k += 128) {
        int x = (x0 + k % 18 + width) % width, y = (y0 + k / 18 + height) % height;
        tile[k / 18][k % 18] = from[y * width + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int alive = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++)
            if (dx != 1 || dy != 1)
                alive += tile[ly + dy][lx + dx] & 1;
    uchar cell = tile[ly + 1][lx + 1];
    bool lives = alive == 3 || (alive == 2 && cell & 1);
    uchar age = cell >> 1;
    to[(y0 + 1 + ly) * width + x0 + 1 + lx] = lives ? (uchar)(min(age + 1, 127) << 1 | 1) : 0;
}
