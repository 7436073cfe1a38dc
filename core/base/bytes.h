/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bytes.h: the bounded little-endian reader.  Input is hostile; every offset that comes from a file is checked here,
 * once. No other file does pointer arithmetic on input.
 */
#ifndef GPUDBG_BYTES_H
#define GPUDBG_BYTES_H

#include "gpudbg.h"

struct bytes {
    const uint8_t *at;
    size_t size;
};

/* `size` bytes at `offset` of b, or an error of kind "bad-offset" (starts past the end) or "truncated" (ends past it)
 * that names `what`. */
bool bytes_part(
    struct bytes b, uint64_t offset, uint64_t size, const char *what, struct bytes *out, struct gpudbg_error *);
/* Zero past the end: for fields that the caller has already placed inside. */
uint32_t bytes_u32(struct bytes, size_t offset);
/* Whether the first bytes look like text: they hold no zeros and few other control characters. */
bool bytes_are_text(const uint8_t *, size_t n);
/* Whether they are lines of ASCII, which no code is. */
bool bytes_are_lines(const uint8_t *, size_t n);

#endif
