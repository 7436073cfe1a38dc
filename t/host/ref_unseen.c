/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t/data/kernels/unseen/: kernels that the machine was not written against. */
#include "reference.h"

#include <math.h>
#include <stdlib.h>

static void nbody(const struct host_run *run)
{
    float *next = ref_buffer(run, 0), *body = ref_buffer(run, 1), *speed = ref_buffer(run, 2),
          dt = (float)ref_real(run, 3);
    size_t n = ref_integer(run, 4);
    for (size_t i = 0; i < n; i++) {
        const float *me = body + 4 * i;
        float pull[3] = {0, 0, 0};
        for (size_t k = 0; k < n; k++) {
            const float *other = body + 4 * k;
            float d[3], square = 0;
            for (int c = 0; c < 3; c++) d[c] = other[c] - me[c];
            square = d[0] * d[0] + d[1] * d[1];
            square = square + d[2] * d[2] + 0.01f;
            float inverse = 1.0f / sqrtf(square), factor = other[3] * inverse * inverse * inverse;
            for (int c = 0; c < 3; c++) pull[c] += d[c] * factor;
        }
        for (int c = 0; c < 3; c++) {
            speed[4 * i + c] += pull[c] * dt;
            next[4 * i + c] = me[c] + speed[4 * i + c] * dt;
        }
        next[4 * i + 3] = me[3];
    }
}

/* By halves: even and odd elements first.  The same sums and products as the kernel's, in another order of doing. */
static void transform(float *x, const float *root, unsigned n, unsigned stride)
{
    if (n == 1) return;
    float even[256], odd[256];
    for (unsigned k = 0; k < n / 2; k++) {
        memcpy(even + 2 * k, x + 4 * k, 8);
        memcpy(odd + 2 * k, x + 4 * k + 2, 8);
    }
    transform(even, root, n / 2, stride * 2);
    transform(odd, root, n / 2, stride * 2);
    for (unsigned k = 0; k < n / 2; k++) {
        const float *w = root + 2 * k * stride, *b = odd + 2 * k;
        float re = b[0] * w[0] - b[1] * w[1], im = b[0] * w[1] + b[1] * w[0];
        x[2 * k] = even[2 * k] + re;
        x[2 * k + 1] = even[2 * k + 1] + im;
        x[2 * k + n] = even[2 * k] - re;
        x[2 * k + n + 1] = even[2 * k + 1] - im;
    }
}

static void fourier256(const struct host_run *run)
{
    float *data = ref_buffer(run, 0), *root = ref_buffer(run, 1);
    for (size_t group = 0; group < ref_items(run) / 128; group++) transform(data + group * 512, root, 256, 1);
}

static void sparse_rows(const struct host_run *run)
{
    double *y = ref_buffer(run, 0), *value = ref_buffer(run, 3), *x = ref_buffer(run, 4), scale = ref_real(run, 5);
    uint32_t *start = ref_buffer(run, 1), *column = ref_buffer(run, 2);
    for (size_t row = 0; row < ref_items(run) / 64; row++) {
        double part[64] = {0};
        for (uint32_t k = start[row]; k < start[row + 1]; k++) part[(k - start[row]) % 64] += value[k] * x[column[k]];
        for (unsigned s = 32; s; s /= 2)
            for (unsigned l = 0; l < s; l++) part[l] += part[l + s];
        y[row] = part[0] / scale + y[row];
    }
}

static void life(const struct host_run *run)
{
    uint8_t *to = ref_buffer(run, 0), *from = ref_buffer(run, 1);
    int width = (int)ref_integer(run, 2), height = (int)ref_integer(run, 3);
    for (int i = 0; i < width * height; i++) {
        int alive = 0, age = from[i] / 2 + 1;
        for (int k = 0; k < 9; k++) {
            int x = (i % width + k % 3 - 1 + width) % width, y = (i / width + k / 3 - 1 + height) % height;
            alive += k != 4 && from[y * width + x] % 2;
        }
        to[i] = alive == 3 || (alive == 2 && from[i] % 2) ? (uint8_t)((age > 127 ? 127 : age) * 2 + 1) : 0;
    }
}

static void quarter(uint32_t *s, int a, int b, int c, int d)
{
    static const uint32_t turn[4] = {16, 12, 8, 7};
    for (int k = 0; k < 4; k++) {
        int sum = k % 2 ? c : a, add = k % 2 ? d : b;
        s[sum] += s[add];
        s[k % 2 ? b : d] = rotate32(s[k % 2 ? b : d] ^ s[sum], turn[k]);
    }
}

static void chacha20(const struct host_run *run)
{
    uint32_t *text = ref_buffer(run, 0), *key = ref_buffer(run, 1), *nonce = ref_buffer(run, 2);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t first[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}, s[16];
        memcpy(first + 4, key, 32);
        first[12] = (uint32_t)ref_integer(run, 3) + i;
        memcpy(first + 13, nonce, 12);
        memcpy(s, first, 64);
        for (int round = 0; round < 10; round++) {
            for (int c = 0; c < 4; c++) quarter(s, c, c + 4, c + 8, c + 12);
            for (int c = 0; c < 4; c++) quarter(s, c, (c + 1) % 4 + 4, (c + 2) % 4 + 8, (c + 3) % 4 + 12);
        }
        for (int k = 0; k < 16; k++) text[16 * i + k] ^= s[k] + first[k];
    }
}

/* r = 2 * r + bit mod m, by long-hand; 256 bits. */
static void double_mod(uint32_t r[8], uint32_t bit, const uint32_t m[8])
{
    uint32_t carry = bit;
    for (int j = 0; j < 8; j++) {
        uint32_t top = r[j] >> 31;
        r[j] = r[j] << 1 | carry;
        carry = top;
    }
    int j = 7;
    while (!carry && j > 0 && r[j] == m[j]) j--;
    if (!carry && r[j] < m[j]) return;
    int64_t borrow = 0;
    for (j = 0; j < 8; j++) {
        borrow += (int64_t)r[j] - m[j];
        r[j] = (uint32_t)borrow;
        borrow >>= 32;
    }
}

/* a * b mod m: the full product, then its bits from the top. */
static void multiply_mod(uint32_t out[8], const uint32_t a[8], const uint32_t b[8], const uint32_t m[8])
{
    uint32_t product[16] = {0}, r[8] = {0};
    for (int i = 0; i < 8; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 8; j++) {
            carry += (uint64_t)a[i] * b[j] + product[i + j];
            product[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product[i + 8] = (uint32_t)carry;
    }
    for (int bit = 511; bit >= 0; bit--) double_mod(r, product[bit / 32] >> bit % 32 & 1, m);
    memcpy(out, r, 32);
}

static void power_mod(const struct host_run *run)
{
    uint32_t *result = ref_buffer(run, 0), *base = ref_buffer(run, 1), *exponent = ref_buffer(run, 2),
             *m = ref_buffer(run, 3);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint32_t r[8] = {1};
        for (int bit = 31; bit >= 0; bit--) {
            multiply_mod(r, r, r, m);
            if (exponent[i] >> bit & 1) multiply_mod(r, r, base + 8 * i, m);
        }
        memcpy(result + 8 * i, r, 32);
    }
}

/* The whole table of prefixes. */
static void edit_distance(const struct host_run *run)
{
    uint8_t *out = ref_buffer(run, 0);
    const char *words = ref_buffer(run, 1), *pattern = ref_buffer(run, 3);
    size_t stride = ref_integer(run, 2);
    for (size_t i = 0; i < ref_items(run); i++) {
        const char *word = words + i * stride;
        size_t n = strlen(word), m = strlen(pattern), d[40][40];
        for (size_t a = 0; a <= m; a++) {
            for (size_t b = 0; b <= n; b++) {
                if (!a || !b) {
                    d[a][b] = a + b;
                    continue;
                }
                d[a][b] = d[a - 1][b - 1] + (pattern[a - 1] != word[b - 1]);
                if (d[a - 1][b] + 1 < d[a][b]) d[a][b] = d[a - 1][b] + 1;
                if (d[a][b - 1] + 1 < d[a][b]) d[a][b] = d[a][b - 1] + 1;
            }
        }
        out[i] = (uint8_t)d[m][n];
    }
}

/* As OpenCL lays the kernel's structure out: a float3 takes 16 bytes. */
struct sphere {
    float at[4], radius, mirror;
    uint8_t colour[4];
    uint32_t pad;
};

static float dot(const float *a, const float *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static float meet(const float *from, const float *along, const struct sphere *s)
{
    float d[3];
    for (int c = 0; c < 3; c++) d[c] = s->at[c] - from[c];
    float b = dot(d, along), square = b * b - (dot(d, d) - s->radius * s->radius);
    if (square < 0) return -1;
    float q = sqrtf(square);
    return b - q > 0.001f ? b - q : b + q > 0.001f ? b + q : -1;
}

static void trace_ray(float *sum, float *from, float *along, const struct sphere *scene, size_t n)
{
    float weight = 1;
    for (int depth = 0; depth < 4; depth++) {
        const struct sphere *s = NULL;
        float nearest = 1e10f, normal[3];
        for (size_t k = 0; k < n; k++) {
            float t = meet(from, along, &scene[k]);
            if (t > 0 && t < nearest) {
                nearest = t;
                s = &scene[k];
            }
        }
        if (!s) {
            sum[2] += weight * (0.5f + 0.5f * fabsf(along[1]));
            return;
        }
        for (int c = 0; c < 3; c++) {
            from[c] = from[c] + along[c] * nearest;
            normal[c] = (from[c] - s->at[c]) / s->radius;
        }
        float light = fmaxf(0.1f, normal[0] * 0.48f + normal[1] * 0.64f - normal[2] * 0.6f);
        for (int c = 0; c < 3; c++) sum[c] += s->colour[c] * (light * weight * (1.0f - s->mirror) / 255.0f);
        sum[3] += 1;
        if (s->mirror == 0) return;
        weight *= s->mirror;
        float turn = 2.0f * dot(along, normal);
        for (int c = 0; c < 3; c++) along[c] = along[c] - normal[c] * turn;
    }
}

static void trace(const struct host_run *run)
{
    float *image = ref_buffer(run, 0);
    const struct sphere *scene = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) {
        float sum[4] = {0, 0, 0, 1}, from[3] = {0, 0, -3};
        float along[3] = {
            ((float)(i % run->global[0]) + 0.5f) / (float)run->global[0] - 0.5f,
            0.5f - ((float)(i / run->global[0]) + 0.5f) / (float)run->global[1],
            1,
        };
        float length = sqrtf(dot(along, along));
        for (int c = 0; c < 3; c++) along[c] = along[c] / length;
        trace_ray(sum, from, along, scene, ref_integer(run, 2));
        memcpy(image + 4 * i, sum, 16);
    }
}

const struct reference reference_unseen[] = {
    {"nbody", nbody},
    {"fourier256", fourier256},
    {"sparse_rows", sparse_rows},
    {"life", life},
    {"chacha20", chacha20},
    {"power_mod", power_mod},
    {"edit_distance", edit_distance},
    {"trace", trace},
    {NULL, NULL},
};
