/* SPDX-License-Identifier: GPL-3.0-or-later */
/* t/data/kernels/divergence.cl, loops.cl, scratch.cl, calls.cl, sha256.cl and a demo: one item at a time. */
#include "reference.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

static uint32_t ones(uint32_t x)
{
    uint32_t n = 0;
    for (; x; x >>= 1) n += x & 1;
    return n;
}

static void nested_ifs(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t x = in[i], r;
        bool odd = x & 1;
        if (odd && (x & 2))
            r = 1 + (x & 4 ? x * 3 ^ 0x1234 : x * 3 + x / 16);
        else if (odd)
            r = 1 + (x & 8 ? x / 5 : ~x);
        else if ((x & 6) == 6 || (x & 0x30) == 0x10)
            r = rotate32(x, i);
        else
            r = x - i > 0x80000000u ? (x - i) / 2 : x - i;
        out[i] = r;
    }
}

static uint32_t early_value(uint32_t x)
{
    if (x % 3 == 0) return x / 3;
    uint32_t sum = 1;
    for (uint32_t k = 0; k < 8; k++) {
        if (!(x >> k & 1)) return sum;
        sum += k * x;
    }
    return sum ^ 0xffff;
}

static void early_return(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1), limit = (uint32_t)ref_integer(run, 2);
    for (uint32_t i = 0; i < ref_items(run); i++) out[i] = i < limit ? early_value(in[i]) : 1;
}

static void switch_cases(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t x = in[i], squares = 0;
        for (uint32_t k = 1; k <= (x & 15); k++) squares += k * k;
        uint32_t of[11] = {
            x + 1,
            x * 7,
            x ^ 0x55aa55aa,
            x ^ 0x55aa55aa,
            ones(x),
            x / 9,
            squares,
            ~x,
            ~x,
            x & 0xff,
            x & 0xff,
        };
        out[i] = of[x % 11];
    }
}

static uint32_t octal_sum(uint32_t y)
{
    uint32_t sum = 0;
    do {
        if (y % 5 == 3) return sum;
        sum += y & 15;
        y /= 8;
    } while (y);
    return sum;
}

static void break_continue(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1), n = (uint32_t)ref_integer(run, 2);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t sum = 0;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t x = in[(i + k * 7) % n];
            if (x % 2 == 0 && (x & 0xff) == i % 97) break;
            sum += x % 2 ? 0 : octal_sum(x);
        }
        out[i] = sum;
    }
}

static void collatz(const struct host_run *run)
{
    uint32_t *steps = ref_buffer(run, 0);
    for (uint32_t i = 0; i < ref_integer(run, 1); i++) {
        steps[i] = 0;
        for (uint64_t x = i + 1; x != 1; x = x % 2 ? 3 * x + 1 : x / 2) steps[i]++;
    }
}

static void climb(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    for (uint32_t i = 0; i < ref_integer(run, 1); i++) {
        uint32_t steps = 0, top = i + 1;
        for (uint32_t x = i + 1; x != 1; steps++) {
            x = x % 2 ? 3 * x + 1 : x / 2;
            top = x > top ? x : top;
        }
        out[2 * i] = steps;
        out[2 * i + 1] = top;
    }
}

static void mandelbrot_fixed(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0);
    int64_t width = (int64_t)ref_integer(run, 1), height = (int64_t)ref_integer(run, 2);
    uint32_t limit = (uint32_t)ref_integer(run, 3);
    for (int64_t i = 0; i < width * height; i++) {
        int64_t cr = (i % width) * (3 << 24) / width - (2 << 24), ci = (i / width) * (2 << 24) / height - (1 << 24);
        int64_t zr = 0, zi = 0;
        uint32_t k = 0;
        for (; k < limit && zr * zr + zi * zi <= (int64_t)4 << 48; k++) {
            int64_t t = ((zr * zr - zi * zi) >> 24) + cr;
            zi = (zr * zi >> 23) + ci;
            zr = t;
        }
        out[i] = k;
    }
}

/* The demo's: in floats, 80 x 24 characters. */
static void mandelbrot(const struct host_run *run)
{
    static const char shades[] = " .,:;i1tfLCG08@#";
    char *picture = ref_buffer(run, 0);
    int width = (int)ref_integer(run, 1), height = (int)ref_integer(run, 2), limit = (int)ref_integer(run, 3);
    for (int at = 0; at < width * height; at++) {
        float cr = (float)(at % width) * 0.038f - 2.2f, ci = (float)(at / width) * 0.1f - 1.15f, r = 0, i = 0;
        int k = 0;
        for (; k < limit && r * r + i * i < 4.0f; k++) {
            float next = r * r - i * i + cr;
            i = 2.0f * r * i + ci;
            r = next;
        }
        picture[at] = at % width == width - 1 ? '\n' : shades[k == limit ? 15 : k % 15];
    }
}

static void gcd(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *a = ref_buffer(run, 1), *b = ref_buffer(run, 2);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t x = a[i], y = b[i];
        while (y) {
            uint32_t rest = x % y;
            x = y;
            y = rest;
        }
        out[i] = x;
    }
}

static void integer_root(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint64_t lo = 0, hi = 65536; /* lo * lo <= in < hi * hi */
        while (hi - lo > 1) {
            uint64_t mid = (lo + hi) / 2;
            if (mid * mid <= in[i])
                lo = mid;
            else
                hi = mid;
        }
        out[i] = (uint32_t)lo;
    }
}

static int by_value(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void scratch_sort(const struct host_run *run)
{
    int32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    memcpy(out, in, ref_items(run) * 24 * sizeof *out);
    for (size_t i = 0; i < ref_items(run); i++) qsort(out + i * 24, 24, sizeof *out, by_value);
}

static void swap_bytes(uint8_t *a, uint8_t *b)
{
    uint8_t t = *a;
    *a = *b;
    *b = t;
}

static void scratch_bytes(const struct host_run *run)
{
    uint8_t *out = ref_buffer(run, 0), *key = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint8_t s[256], x = 0, y = 0;
        for (unsigned k = 0; k < 256; k++) s[k] = (uint8_t)k;
        for (unsigned k = 0; k < 256; k++) {
            y = (uint8_t)(y + s[k] + key[i * 16 + k % 16]);
            swap_bytes(&s[k], &s[y]);
        }
        y = 0;
        for (unsigned k = 0; k < 32; k++) {
            y = (uint8_t)(y + s[++x]);
            swap_bytes(&s[x], &s[y]);
            out[i * 32 + k] = s[(uint8_t)(s[x] + s[y])];
        }
    }
}

static void scratch_wide(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0);
    uint32_t *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t l = i % 64, v[8][4];
        uint64_t a[16], sum = 0;
        for (uint32_t k = 0; k < 16; k++) a[k] = (uint64_t)in[i] * (k + 1);
        for (uint32_t k = 0; k < 8; k++) {
            uint32_t first[4] = {k, in[i], i, l};
            memcpy(v[k], first, sizeof first);
        }
        for (uint32_t k = 0; k < 64; k++) {
            uint32_t t = in[i - l + (l + k) % 64];
            a[t & 15] += a[t >> 4 & 15] ^ k;
            const uint32_t *from = v[t >> 12 & 7];
            uint32_t turned[4] = {from[1], from[0], from[3], from[2]};
            for (int c = 0; c < 4; c++) v[t >> 8 & 7][c] += turned[c] + t;
        }
        for (uint32_t k = 0; k < 16; k++) sum = rotate64(sum, 5) ^ a[k];
        for (uint32_t k = 0; k < 8; k++)
            sum = rotate64(sum, 9) + v[k][0] * 3ull + v[k][1] * 5ull + v[k][2] * 7ull + v[k][3];
        out[i] = sum;
    }
}

static void scratch_spill(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1), n = (uint32_t)ref_integer(run, 2);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t x[40], sum = 0;
        for (uint32_t k = 0; k < 40; k++) x[k] = in[(i * 40 + k * 7) % n];
        for (uint32_t k = 0; k < 120; k++) x[k % 40] = x[k % 40] * 5 + rotate32(x[(k + 13) % 40], 11) + k / 40;
        for (uint32_t k = 0; k < 40; k++) sum ^= x[k] + k;
        out[i] = sum;
    }
}

static uint32_t twist(uint32_t x) { return x ^ x << 13 ^ x >> 7; }

static uint32_t stir(uint32_t x, uint32_t rounds)
{
    for (uint32_t k = 0; k < rounds; k++) x = twist(x + k) * 5;
    return x;
}

static uint32_t chain(uint32_t x, uint32_t rounds)
{
    uint32_t y = stir(x, rounds);
    return y % 2 ? stir(y, 2) + x : twist(y) - x;
}

static void calls_chain(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) out[i] = chain(in[i], in[i] & 7);
}

static void calls_results(const struct host_run *run)
{
    uint64_t *out = ref_buffer(run, 0);
    uint32_t *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t x = in[i], y = x * 3, d = i % 16 + 3;
        uint64_t sum = (uint64_t)x + y;
        out[3 * i] = (uint64_t)(x / d) << 32 | x % d;
        out[3 * i + 1] = (uint64_t)x * y;
        out[3 * i + 2] = (uint64_t)float_bits((float)(x & 0xffff) / 2) << 32 | (uint32_t)((uint32_t)sum ^ sum >> 32);
    }
}

static void calls_many(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t x = in[i], v[4] = {x, x >> 3, x >> 5, x >> 7}, sum = 0, mixed = 0;
        for (uint32_t k = 0; k < 8; k++) sum += (k + 1) * ((k & 1 ? i : x) + k / 2);
        for (uint32_t c = 0; c < 4; c++) mixed ^= v[c] ^ v[(c + 1) % 4] * 3 ^ v[(c + 2) % 4] * 5 ^ (v[c] + i) * 7;
        sum += mixed;
        sum ^= (uint32_t)(((uint64_t)x << 20) >> 7) + x * x;
        for (uint32_t k = 0; k < 8; k++) sum += (x >> (k + 1)) * (k + 9);
        out[i] = sum;
    }
}

static void calls_some(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (uint32_t i = 0; i < ref_items(run); i++) {
        uint32_t x = in[i], stride = 1 + (x >> 1) % 8, sum = 0;
        for (uint32_t k = 0; k < 12; k++) sum = sum * 3 + x * (k * stride % 12 + 1);
        out[i] = x % 2 ? sum : x % 4 ? chain(x * (x % 12 + 1), 3) : x;
    }
}

/* The constants of SHA-256 are the first 32 fraction bits of the cube roots of the first 64 primes. */
static uint32_t sha_constant(unsigned index)
{
    unsigned p = 2;
    for (unsigned count = 0;; p++) {
        bool prime = true;
        for (unsigned d = 2; d * d <= p; d++) prime = prime && p % d;
        if (prime && count++ == index) break;
    }
    uint64_t root = 0; /* floor(cbrt(p) * 2^32), bit by bit */
    for (uint64_t bit = (uint64_t)1 << 34; bit; bit >>= 1) {
        wide r = root + bit, square = r * r; /* r^3 = high * 2^64 + some low bits; never equal to p * 2^96 */
        wide high = (square >> 64) * r + ((uint64_t)square * r >> 64);
        if (high < (wide)p << 32) root += bit;
    }
    return (uint32_t)root;
}

static void sha_block(uint32_t h[8], const uint32_t block[16])
{
    static uint32_t constants[64];
    uint32_t w[64], s[8];
    if (!constants[0])
        for (unsigned t = 0; t < 64; t++) constants[t] = sha_constant(t);
    memcpy(w, block, 64);
    memcpy(s, h, 32);
    for (unsigned t = 16; t < 64; t++)
        w[t] = w[t - 16] + w[t - 7] + (rotate32(w[t - 15], 25) ^ rotate32(w[t - 15], 14) ^ w[t - 15] >> 3) +
               (rotate32(w[t - 2], 15) ^ rotate32(w[t - 2], 13) ^ w[t - 2] >> 10);
    for (unsigned t = 0; t < 64; t++) {
        uint32_t e = s[4], a = s[0];
        uint32_t t1 = s[7] + (rotate32(e, 26) ^ rotate32(e, 21) ^ rotate32(e, 7)) + ((e & s[5]) | (~e & s[6])) +
                      constants[t] + w[t];
        uint32_t t2 = (rotate32(a, 30) ^ rotate32(a, 19) ^ rotate32(a, 10)) + ((a & s[1]) | (a & s[2]) | (s[1] & s[2]));
        memmove(s + 1, s, 28);
        s[4] += t1;
        s[0] = t1 + t2;
    }
    for (unsigned k = 0; k < 8; k++) h[k] += s[k];
}

/* SHA-256 of `words` words (at most 16, already in big-endian value order); the digest as eight values. */
static void sha(uint32_t digest[8], const uint32_t *message, unsigned words)
{
    static const uint32_t first[8] = {
        0x6a09e667,
        0xbb67ae85,
        0x3c6ef372,
        0xa54ff53a,
        0x510e527f,
        0x9b05688c,
        0x1f83d9ab,
        0x5be0cd19,
    };
    uint32_t padded[32] = {0};
    unsigned blocks = words < 14 ? 1 : 2;
    memcpy(padded, message, words * 4);
    padded[words] = 0x80000000;
    padded[blocks * 16 - 1] = words * 32;
    memcpy(digest, first, sizeof first);
    for (unsigned b = 0; b < blocks; b++) sha_block(digest, padded + 16 * b);
}

static void sha256_twice(const struct host_run *run)
{
    uint32_t *out = ref_buffer(run, 0), *in = ref_buffer(run, 1);
    for (size_t i = 0; i < ref_items(run); i++) {
        uint32_t message[16], digest[8], again[8];
        for (unsigned k = 0; k < 16; k++) message[k] = __builtin_bswap32(in[i * 16 + k]);
        sha(digest, message, 16);
        sha(again, digest, 8);
        for (unsigned k = 0; k < 8; k++) out[i * 8 + k] = __builtin_bswap32(again[k]);
    }
}

const struct reference reference_flow[] = {
    {"nested_ifs", nested_ifs},
    {"early_return", early_return},
    {"switch_cases", switch_cases},
    {"break_continue", break_continue},
    {"collatz", collatz},
    {"climb", climb},
    {"mandelbrot_fixed", mandelbrot_fixed},
    {"gcd", gcd},
    {"integer_root", integer_root},
    {"scratch_sort", scratch_sort},
    {"scratch_bytes", scratch_bytes},
    {"scratch_wide", scratch_wide},
    {"scratch_spill", scratch_spill},
    {"calls_chain", calls_chain},
    {"calls_results", calls_results},
    {"calls_many", calls_many},
    {"calls_some", calls_some},
    {"sha256_twice", sha256_twice},
    {"mandelbrot", mandelbrot},
    {NULL, NULL},
};
