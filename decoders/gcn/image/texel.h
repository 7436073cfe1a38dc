/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texel.h: texels of images, between memory and four words.  Formats are numbered as in the image descriptor (Sea
 * Islands register reference, chapter 6: DATA_FORMAT, NUM_FORMAT); 35 to 41, which the manual reserves, are BC1 to BC7.
 *
 * Memory holds *blocks*: one texel, or 2x1 (GB_GR, BG_RG), 4x4 (BCn), 8x1 (one bit each) of them.
 */
#ifndef GCN_TEXEL_H
#define GCN_TEXEL_H

#include <stdbool.h>
#include <stdint.h>

enum gcn_data_format {
    GCN_DATA_32 = 4,
    GCN_DATA_8_8_8_8 = 10,
    GCN_DATA_32_32 = 11,
    GCN_DATA_32_32_32_32 = 14,
    GCN_DATA_GB_GR = 32,
    GCN_DATA_BG_RG = 33,
    GCN_DATA_5_9_9_9 = 34,
    GCN_DATA_BC1 = 35,
    GCN_DATA_BC6 = 40,
    GCN_DATA_BC7 = 41,
    GCN_DATA_1 = 59,
    GCN_DATA_1_REVERSED = 60,
};

enum gcn_num_format {
    GCN_NUM_UNORM,
    GCN_NUM_SNORM,
    GCN_NUM_USCALED,
    GCN_NUM_SSCALED,
    GCN_NUM_UINT,
    GCN_NUM_SINT,
    GCN_NUM_SNORM_OGL,
    GCN_NUM_FLOAT,
    GCN_NUM_SRGB = 9,
    GCN_NUM_UBNORM,
    GCN_NUM_UBNORM_OGL,
    GCN_NUM_UBINT,
    GCN_NUM_UBSCALED,
};

struct gcn_texel {
    uint8_t dfmt, nfmt;
    uint8_t bytes;         /* of a block: 1, 2, 4, 8, 12, 16 */
    uint8_t width, height; /* of a block, texels */
    const uint8_t *bits;   /* of x, y, z, w, from bit 0 on; NULL: by dfmt */
};

/* Finds the format.  NULL, or the name of the descriptor's field that is not valid: "data_format", "num_format"; then
 * *texel is undefined. */
const char *gcn_texel_format(unsigned dfmt, unsigned nfmt, struct gcn_texel *texel);

/* The data and number format of a format of newer chips, which has one number for both; false: there is no such format,
 * or it is not known how its texels lie. */
bool gcn_texel_format_newer(unsigned format, unsigned *dfmt, unsigned *nfmt);

/* The texel at (x, y) of a block; components that the format lacks are 0, 0, 0, one. */
void gcn_texel_load(const struct gcn_texel *, const uint8_t *block, unsigned x, unsigned y, uint32_t out[4]);
/* Blocks of one texel only. */
void gcn_texel_store(const struct gcn_texel *, const uint32_t in[4], uint8_t *block);

bool gcn_texel_is_integer(const struct gcn_texel *); /* words are integers, not floats: no filtering */

/* texel_block.c: four words of a texel of a compressed block, 16 texels in lines of 4. */
void gcn_block_load(const struct gcn_texel *, const uint8_t *block, unsigned texel, uint32_t out[4]);

/* srgb.c: sRGB to linear and back, in [0, 1]; the same bits everywhere. */
double gcn_linear(double srgb);
double gcn_srgb(double linear);

#endif
