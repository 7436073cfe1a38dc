/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.h: SHA-256 (FIPS 180-4), by which saved sessions know a file again; `sha256sum` prints the same. */
#ifndef GPUDBG_SHA256_H
#define GPUDBG_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32
#define SHA256_TEXT (2 * SHA256_BYTES + 1) /* with a final 0 */

struct sha256 {
    uint32_t state[8];
    uint64_t size;     /* bytes taken in */
    uint8_t block[64]; /* of which size % 64 are waiting */
};

void sha256_open(struct sha256 *);
void sha256_add(struct sha256 *, const void *bytes, size_t n);
/* The digest of all that was added, in hex digits. */
void sha256_text(struct sha256 *, char text[SHA256_TEXT]);
/* The same of bytes at once. */
void sha256_of(const void *bytes, size_t n, char text[SHA256_TEXT]);

#endif
