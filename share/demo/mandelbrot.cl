// SPDX-License-Identifier: GPL-3.0-or-later
// The Mandelbrot set in characters, one an item, with a line feed at the end of each row: after the run,
// `save arg 0 picture.txt` is the picture.
#pragma OPENCL FP_CONTRACT OFF

constant char shades[] = " .,:;i1tfLCG08@#";

kernel void mandelbrot(global char *picture, int width, int height, int limit) {
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= width || py >= height)
        return;
    float cr = px * 0.038f - 2.2f;
    float ci = py * 0.1f - 1.15f;
    float r = 0, i = 0;
    int k = 0;
    while (k < limit && r * r + i * i < 4.0f) {
        float t = r * r - i * i + cr;
        i = 2.0f * r * i + ci;
        r = t;
        k++;
    }
    picture[py * width + px] = px == width - 1 ? '\n' : shades[k == limit ? 15 : k % 15];
}
