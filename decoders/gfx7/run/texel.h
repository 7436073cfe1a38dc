/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texel.h: texels of images, between memory and four words.  Formats are numbered as in the image descriptor (Sea
 * Islands register reference, chapter 6: DATA_FORMAT, NUM_FORMAT); 35 to 41, which the manual reserves, are BC1 to BC7.
 *
 * Memory holds *blocks*: one texel, or 2x1 (GB_GR, BG_RG), 4x4 (BCn), 8x1 (one bit each) of them.
 */
#ifndef GFX7_TEXEL_H
#define GFX7_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

enum gfx7_data_format {
    GFX7_DATA_32 = 4,
    GFX7_DATA_8_8_8_8 = 10,
    GFX7_DATA_32_32 = 11,
    GFX7_DATA_32_32_32_32 = 14,
    GFX7_DATA_GB_GR = 32,
    GFX7_DATA_BG_RG = 33,
    GFX7_DATA_5_9_9_9 = 34,
    GFX7_DATA_BC1 = 35,
    GFX7_DATA_BC6 = 40,
    GFX7_DATA_BC7 = 41,
    GFX7_DATA_1 = 59,
    GFX7_DATA_1_REVERSED = 60,
};

enum gfx7_num_format {
    GFX7_NUM_UNORM,
    GFX7_NUM_SNORM,
    GFX7_NUM_USCALED,
    GFX7_NUM_SSCALED,
    GFX7_NUM_UINT,
    GFX7_NUM_SINT,
    GFX7_NUM_SNORM_OGL,
    GFX7_NUM_FLOAT,
    GFX7_NUM_SRGB = 9,
    GFX7_NUM_UBNORM,
    GFX7_NUM_UBNORM_OGL,
    GFX7_NUM_UBINT,
    GFX7_NUM_UBSCALED,
};

struct gfx7_texel {
    uint8_t dfmt, nfmt;
    uint8_t bytes;         /* of a block: 1, 2, 4, 8, 12, 16 */
    uint8_t width, height; /* of a block, texels */
    const uint8_t *bits;   /* of x, y, z, w, from bit 0 on; NULL: by dfmt */
};

/* The format, or the name of the descriptor's field that makes it none: "data_format", "num_format"; then *texel is
 * undefined. */
const char *gfx7_texel_format(unsigned dfmt, unsigned nfmt, struct gfx7_texel *texel);

/* The texel at (x, y) of a block; components that the format lacks are 0, 0, 0, one. */
void gfx7_texel_load(const struct gfx7_texel *, const uint8_t *block, unsigned x, unsigned y, uint32_t out[4]);
/* Blocks of one texel only. */
void gfx7_texel_store(const struct gfx7_texel *, const uint32_t in[4], uint8_t *block);

bool gfx7_texel_is_integer(const struct gfx7_texel *); /* words are integers, not floats: no filtering */

/* texel_block.c: four words of a texel of a compressed block, 16 texels in lines of 4. */
void gfx7_block_load(const struct gfx7_texel *, const uint8_t *block, unsigned texel, uint32_t out[4]);

/* srgb.c: sRGB to linear and back, in [0, 1]; the same bits everywhere. */
double gfx7_linear(double srgb);
double gfx7_srgb(double linear);

#endif
