/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.c: FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2. */
#include "base/sha256.h"
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const uint32_t k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
/* clang-format on */

static uint32_t rotate(uint32_t x, unsigned n) { return x >> n | x << (32 - n); }

static void take(struct sha256 *s, const uint8_t *p)
{
    uint32_t w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)p[4 * i] << 24 | (uint32_t)p[4 * i + 1] << 16 | (uint32_t)p[4 * i + 2] << 8 | p[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        const uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ a >> 3) + w[i - 7] +
               (rotate(b, 17) ^ rotate(b, 19) ^ b >> 10);
    }
    memcpy(v, s->state, sizeof v);
    for (int i = 0; i < 64; i++) {
        const uint32_t one = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) +
                             ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
        const uint32_t two = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) +
                             ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; i++) s->state[i] += v[i];
}

void sha256_open(struct sha256 *s)
{
    static const uint32_t first[8] = {
        0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(s->state, first, sizeof first);
    s->size = 0;
}

void sha256_add(struct sha256 *s, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    const size_t waiting = s->size % 64;
    s->size += n;
    if (waiting) {
        const size_t some = n < 64 - waiting ? n : 64 - waiting;
        if (some) memcpy(s->block + waiting, p, some);
        if (waiting + some < 64) return;
        take(s, s->block);
        p += some;
        n -= some;
    }
    for (; n >= 64; n -= 64, p += 64) take(s, p);
    if (n) memcpy(s->block, p, n);
}

void sha256_text(struct sha256 *s, char text[SHA256_TEXT])
{
    const uint64_t bits = s->size * 8;
    uint8_t end[72] = {0x80}, length[8];
    for (int i = 0; i < 8; i++) length[i] = (uint8_t)(bits >> (56 - 8 * i));
    sha256_add(s, end, (119 - s->size % 64) % 64 + 1);
    sha256_add(s, length, sizeof length);
    for (int i = 0; i < 8; i++) snprintf(text + 8 * i, SHA256_TEXT - 8 * (size_t)i, "%08x", s->state[i]);
}

void sha256_of(const void *bytes, size_t n, char text[SHA256_TEXT])
{
    struct sha256 s;
    sha256_open(&s);
    sha256_add(&s, bytes, n);
    sha256_text(&s, text);
}
