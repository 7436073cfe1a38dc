/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codec.h: streams that xz, lzip, bzip2, zstd or lz4 packed, unpacked piece by piece by the library of each.  Where
 * several streams follow one another in a file, as `cat` leaves them, all are unpacked.
 */
#ifndef GPUDBG_CODEC_H
#define GPUDBG_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct codec;

/* What packed a stream that begins so; NULL: none of these. */
const struct codec *codec_of(const uint8_t *bytes, size_t n);
const char *codec_name(const struct codec *); /* "xz"; static */

/* Where bytes come from and go to; codec_step() moves both along. */
struct codec_flow {
    const uint8_t *in;
    size_t in_n;
    bool in_ends; /* nothing follows these bytes */
    uint8_t *out;
    size_t out_n;
};

/* A stream at work; NULL without memory.  codec_close() frees it, and accepts NULL. */
struct unpacking *codec_open(const struct codec *);
void codec_close(struct unpacking *);

enum codec_state {
    CODEC_GOES_ON,   /* it wants input, or room for output */
    CODEC_ENDED,     /* the input ends, and what it holds is whole */
    CODEC_DAMAGED,   /* damaged, or cut off */
    CODEC_NO_MEMORY, /* or it asks for more than CODEC_MEMORY */
};
#define CODEC_MEMORY (UINT64_C(1) << 30) /* bytes */

enum codec_state codec_step(struct unpacking *, struct codec_flow *);

#endif
