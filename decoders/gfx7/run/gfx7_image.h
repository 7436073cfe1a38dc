/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gfx7_image.h: images in memory, for MIMG.
 *
 *     T# (eight SGPRs) -> struct gfx7_image: what it is, where its levels and slices lie    image_descriptor.c,
 *                                                                                           image_layout.c
 *     S# (four SGPRs)  -> struct gfx7_sampler                                               image_descriptor.c
 *     coordinates      -> texels: load, store, atomics                                      gfx7_image.c
 *                      -> level of detail, filtered texels                                  image_sample.c
 *
 * A level of an image is counted from its base level, a slice from its base slice: what a program sees.
 */
#ifndef GFX7_IMAGE_H
#define GFX7_IMAGE_H

#include "run/gfx7_memory.h"
#include "run/texel.h"
#include "object/tiling.h"

/* ---- Row flags: the forms of an opcode, in op->imm ---- */

enum gfx7_image_form {
    GFX7_IMAGE_MIP = 1,
    GFX7_IMAGE_PACKED = 2,
    GFX7_IMAGE_SIGNED = 4, /* load and store */
    /* Sample and gather, in the order in which their addresses stand before and after the coordinates. */
    GFX7_IMAGE_OFFSET = 1,
    GFX7_IMAGE_BIAS = 2,
    GFX7_IMAGE_COMPARE = 4,
    GFX7_IMAGE_DERIVATIVES = 8,
    GFX7_IMAGE_COARSE = 16,
    GFX7_IMAGE_LEVEL = 32,
    GFX7_IMAGE_CLAMP = 64,
    GFX7_IMAGE_ZERO = 128,
};

/* op->mods of every MIMG op; a VADDR, d VDATA, b the T#'s first SGPR, c the S#'s. */
enum gfx7_image_mods {
    GFX7_IMAGE_DMASK = 15,
    GFX7_IMAGE_UNORM = 1 << 4,
    GFX7_IMAGE_GLC = 1 << 5,
    GFX7_IMAGE_DA = 1 << 6,
    GFX7_IMAGE_R128 = 1 << 7,
    GFX7_IMAGE_TFE = 1 << 8,
    GFX7_IMAGE_LWE = 1 << 9,
};

/* ---- Images ---- */

enum gfx7_image_type {
    GFX7_IMAGE_1D = 8,
    GFX7_IMAGE_2D,
    GFX7_IMAGE_3D,
    GFX7_IMAGE_CUBE,
    GFX7_IMAGE_1D_ARRAY,
    GFX7_IMAGE_2D_ARRAY,
    GFX7_IMAGE_2D_MSAA,
    GFX7_IMAGE_2D_MSAA_ARRAY,
};

#define GFX7_LEVELS 15

struct gfx7_level_place {
    uint32_t width, height, depth; /* texels that a program sees; depth of a volume, else 1 */
    uint32_t pitch, rows;          /* blocks from line to line, lines of blocks from slice to slice */
    uint64_t offset, slice;        /* bytes from the base; from slice to slice */
    bool macro;                    /* 2D tiled; else as the image, but a tiled one 1D */
};

/* What a macro tile of an image is made of. */
struct gfx7_macro {
    struct gfx7_macro_mode mode;
    uint8_t pipe_config, pipes;
    uint32_t tile_bytes;    /* of a tile, or of the part of it in one slice */
    uint32_t parts;         /* slices that a tile is split over */
    uint32_t width, height; /* elements */
    uint32_t interleave;    /* bytes in one pipe before the next */
};

struct gfx7_image {
    struct gfx7_texel texel;
    uint64_t base;
    enum gfx7_image_type type;
    uint8_t sel[4];           /* DST_SEL: 0, 1, or 4 + component */
    uint32_t levels, samples; /* base level to last level */
    uint32_t base_level;
    uint32_t base_slice, slices; /* that a program sees; of a volume: 1 */
    float min_lod;               /* from the first level of all */
    uint32_t min_lod_warn;
    uint8_t array_mode, micro_mode; /* of the tiling table's row */
    uint8_t tiling;
    uint32_t swizzle;                           /* bank and pipe, for macro tiles */
    struct gfx7_macro macro;                    /* of array modes from 2D thin on */
    struct gfx7_level_place level[GFX7_LEVELS]; /* from the base level on */
};

/* The image that the op's T# describes.  false: the run is stopped with the name of the field that is wrong. */
bool gfx7_image(struct gpudbg_wave *, const struct gfx7_op *, struct gfx7_image *);

/* The same from the words of a T#; mods: R128 and LWE of the instruction.  false: what is wrong with it. */
struct gfx7_image_problem {
    const char *field;
    uint32_t value;
    const char *why;
};
bool gfx7_image_read(const uint32_t words[8], unsigned mods, const struct gfx7_tiling *, struct gfx7_image *,
    struct gfx7_image_problem *);

/* Fills base_level's and later levels' places.  NULL, or what about the layout is not to be had.  words: the T#'s. */
const char *gfx7_image_layout(struct gfx7_image *, const uint32_t words[8], const struct gfx7_tiling *);

/* Address of the block with the texel (x, y) of a slice (from the first of all) or depth z. */
uint64_t gfx7_image_place(
    const struct gfx7_image *, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample);

/* Coordinates that an image has besides x: dimensions of a slice or volume, and whether a slice number follows. */
unsigned gfx7_image_dimensions(const struct gfx7_image *);
bool gfx7_image_takes_slice(const struct gfx7_image *, const struct gfx7_op *);

/* ---- Samplers ---- */

enum gfx7_clamp {
    GFX7_WRAP,
    GFX7_MIRROR,
    GFX7_LAST_TEXEL,
    GFX7_MIRROR_LAST_TEXEL,
    GFX7_HALF_BORDER,
    GFX7_MIRROR_HALF_BORDER,
    GFX7_BORDER,
    GFX7_MIRROR_BORDER,
};

struct gfx7_sampler {
    enum gfx7_clamp clamp[3];
    uint8_t compare; /* never, <, ==, <=, >, !=, >=, always */
    bool unnormalized, degamma, cube_wrap, truncates;
    uint8_t mode; /* 0 blend, 1 minimum, 2 maximum */
    float min_lod, max_lod, bias;
    bool linear_mag, linear_min;
    bool aniso_mag, aniso_min;    /* several taps where a pixel is longer than wide */
    uint8_t taps;                 /* at most: 1, 2, 4, 8, 16 */
    uint8_t z_filter, mip_filter; /* 0 none, 1 point, 2 linear */
    uint8_t border;               /* 0 to 2: black, opaque black, white; 3: an entry of the launch's table */
    uint16_t border_entry;
};

/* The op's S#, for an image of so many dimensions. */
bool gfx7_sampler(struct gpudbg_wave *, const struct gfx7_op *, unsigned dimensions, struct gfx7_sampler *);

/* ---- Registers ---- */

/* Name of the op's row, for faults. */
const char *gfx7_image_name(struct gpudbg_wave *, const struct gfx7_op *);
/* Whether the launch has the n VGPRs of the address, which depend on the image.  false: the run is stopped. */
bool gfx7_image_address(struct gpudbg_wave *, const struct gfx7_op *, unsigned n);
/* What DST_SEL makes of a texel. */
void gfx7_image_select(const struct gfx7_image *, const uint32_t in[4], uint32_t out[4]);
/* Writes the components that DMASK names, rows of 64, to VDATA, and the status that TFE and LWE ask for. */
void gfx7_image_result(struct gpudbg_wave *, const struct gfx7_op *, uint64_t mask, uint32_t rows[4][64]);

/* Handlers.  image_sample.c */
const struct gfx7_op *gfx7_image_sample(struct gpudbg_wave *, const struct gfx7_op *);
const struct gfx7_op *gfx7_image_gather(struct gpudbg_wave *, const struct gfx7_op *);
const struct gfx7_op *gfx7_image_get_lod(struct gpudbg_wave *, const struct gfx7_op *);

#endif
