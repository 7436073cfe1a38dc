/* SPDX-License-Identifier: GPL-3.0-or-later */
/* srgb.c: sRGB to linear and back by additions, products and quotients alone, so that every processor gets the same
 * bits. */
#include "image/texel.h"

/* The n-th root of v in (0, 1], by Newton's method from above. */
static double root(double v, int n)
{
    double x = 1;
    for (int i = 0; i < 200; i++) {
        double power = 1;
        for (int k = 1; k < n; k++) power *= x;
        double next = ((n - 1) * x + v / power) / n;
        if (next >= x) break;
        x = next;
    }
    return x;
}

double gcn_linear(double srgb)
{
    if (srgb <= 0.04045) return srgb / 12.92;
    double v = (srgb + 0.055) / 1.055, fifth = root(v, 5); /* v^2.4 = v^2 * v^(2/5) */
    return v * v * fifth * fifth;
}

double gcn_srgb(double linear)
{
    if (linear <= 0.0031308) return linear * 12.92;
    double twelfth = root(linear, 12), second = twelfth * twelfth; /* linear^(5/12) */
    return 1.055 * (second * second * twelfth) - 0.055;
}
