/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain_picture.h: memory as a picture, line after line, by the name of a format and a size alone: for every
 * instruction set.  A format goes by any name that people give it:
 *
 *     uchar float4 uint          as OpenCL C has it
 *     u8 f32 i16x2 unorm8x4      a kind, the bits, how many
 *     r8_uint rgba8_unorm        the channels, the bits of each, the kind; bgra8_unorm
 *     8_uint 8_8_8_8_unorm       as one vendor's manuals have it
 *     R8G8B8A8_UNORM             as another's
 *
 * and a / behind it gives the bytes of a line: u8/128.
 */
#ifndef GPUDBG_PLAIN_PICTURE_H
#define GPUDBG_PLAIN_PICTURE_H

#include "gpudbg.h"

enum plain_kind { PLAIN_UINT, PLAIN_SINT, PLAIN_UNORM, PLAIN_SNORM, PLAIN_SRGB, PLAIN_FLOAT };

struct plain_format {
    enum plain_kind kind;
    unsigned bits, channels; /* of each channel: 8, 16 or 32; 1 to 4 */
    bool swapped;            /* blue comes first */
};

/* n characters; false: no format is called that. */
bool plain_format_named(const char *name, size_t n, struct plain_format *);
/* A format with the bytes of a line, and a size WxH, of `room` bytes at an address. */
bool plain_picture_open(const char *format, const char *size, uint64_t address, uint64_t room, struct gpudbg_picture *,
    struct gpudbg_error *);
/* How they are read; `describe` and `open` are NULL. */
extern const struct gpudbg_pictures plain_pictures;

#endif
