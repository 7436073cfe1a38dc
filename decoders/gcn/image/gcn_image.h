/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_image.h: images in memory, for MIMG.
 *
 *     T# (eight SGPRs) -> struct gcn_image: its format, places of levels and slices        image_descriptor.c,
 *                                                                 image_layout.c, on newer chips image_blocks.c
 *     address VGPRs    -> rows of integers or floats                                       image_address.c
 *     S# (four SGPRs)  -> struct gcn_sampler                                               image_descriptor.c
 *     coordinates      -> texels: load, store, atomics                                      gcn_image.c
 *                      -> level of detail, filtered texels                                  image_sample.c
 *
 * A level of an image is counted from its base level, a slice from its base slice: what a program sees.
 */
#ifndef GCN_IMAGE_H
#define GCN_IMAGE_H

#include "code/bits.h"
#include "memory/gcn_memory.h"
#include "image/texel.h"
#include "files/tiling.h"

/* ---- Row flags: the forms of an opcode, in op->imm ---- */

enum gcn_image_form {
    GCN_IMAGE_MIP = 1,
    GCN_IMAGE_PACKED = 2,
    GCN_IMAGE_SIGNED = 4, /* load and store */
    /* Sample and gather, in the order of their addresses before and after the coordinates. */
    GCN_IMAGE_OFFSET = 1,
    GCN_IMAGE_BIAS = 2,
    GCN_IMAGE_COMPARE = 4,
    GCN_IMAGE_DERIVATIVES = 8,
    GCN_IMAGE_COARSE = 16,
    GCN_IMAGE_LEVEL = 32,
    GCN_IMAGE_CLAMP = 64,
    GCN_IMAGE_ZERO = 128,
};

/* op->mods of every MIMG op; a VADDR, d VDATA, b the T#'s first SGPR, c the S#'s.  From NEWER on: of newer chips. */
enum gcn_image_mods {
    GCN_IMAGE_DMASK = 15,
    GCN_IMAGE_UNORM = 1 << 4,
    GCN_IMAGE_GLC = 1 << 5,
    GCN_IMAGE_DA = 1 << 6,
    GCN_IMAGE_R128 = 1 << 7,
    GCN_IMAGE_TFE = 1 << 8,
    GCN_IMAGE_LWE = 1 << 9,
    GCN_IMAGE_NEWER = 1 << 10,
    GCN_IMAGE_A16 = 1 << 11,
    GCN_IMAGE_D16 = 1 << 12,
    GCN_IMAGE_G16 = 1 << 13,
    GCN_IMAGE_NSA = 14, /* two bits: dwords with more VGPRs of the address */
    GCN_IMAGE_DIM = 16, /* three bits: the type of the image, less GCN_IMAGE_1D */
};

/* ---- Images ---- */

enum gcn_image_type {
    GCN_IMAGE_1D = 8,
    GCN_IMAGE_2D,
    GCN_IMAGE_3D,
    GCN_IMAGE_CUBE,
    GCN_IMAGE_1D_ARRAY,
    GCN_IMAGE_2D_ARRAY,
    GCN_IMAGE_2D_MSAA,
    GCN_IMAGE_2D_MSAA_ARRAY,
};

#define GCN_LEVELS 15

struct gcn_level_place {
    uint32_t width, height, depth; /* texels that a program sees; depth of a volume, else 1 */
    uint32_t pitch, rows;          /* blocks from line to line, lines of blocks from slice to slice */
    uint64_t offset, slice;        /* bytes from the base; from slice to slice */
    bool macro;                    /* 2D tiled; else as the image, but a tiled one 1D */
    uint32_t tail_x, tail_y;       /* in blocks: elements by which the last levels are moved in the block they share */
};

/* A bit of a place: the sum, modulo 2, of these bits of coordinates. */
struct gcn_place_bit {
    uint16_t x, y, z, sample;
};

/* Blocks of newer chips: all levels of a slice are in a row, the smallest first, and a block holds some of `depth`
 * slices of a volume.  log: of bytes and elements. */
struct gcn_blocks {
    const struct gcn_block_mode *mode; /* NULL: an image of an older chip */
    uint8_t log, width, height, depth;
    bool rb_plus;                 /* gcn_chip.rb_plus */
    struct gcn_place_bit bit[20]; /* of places in a block, from the bits of an element on */
    uint32_t mixed_base;          /* bits of the base that places in a block are mixed with */
    uint64_t slice;               /* bytes of all levels of a slice, or of as many slices as a block is deep */
};

/* The parts of a macro tile of an image. */
struct gcn_macro {
    struct gcn_macro_mode mode;
    uint8_t pipe_config, pipes;
    uint32_t tile_bytes;    /* of a tile, or of the part of it in one slice */
    uint32_t parts;         /* slices that a tile is split over */
    uint32_t width, height; /* elements */
    uint32_t interleave;    /* bytes in one pipe before the next */
};

struct gcn_image {
    struct gcn_texel texel;
    uint64_t base;
    enum gcn_image_type type;
    uint8_t sel[4];           /* DST_SEL: 0, 1, or 4 + component */
    uint32_t levels, samples; /* base level to last level */
    uint32_t base_level;
    uint32_t base_slice, slices; /* that a program sees; of a volume: 1 */
    float min_lod;               /* from the first level of all */
    uint32_t min_lod_warn;
    uint8_t array_mode, micro_mode; /* of the tiling table's row */
    uint8_t tiling;
    struct gcn_blocks blocks;
    uint8_t border_order[4];                  /* the component of a border colour that each of the texel's is */
    uint32_t swizzle;                         /* bank and pipe, for macro tiles */
    struct gcn_macro macro;                   /* of array modes from 2D thin on */
    struct gcn_level_place level[GCN_LEVELS]; /* from the base level on */
};

/* The image that the op's T# describes.  false: the run is stopped with the name of the field that is wrong. */
bool gcn_image(struct gpudbg_wave *, const struct gcn_op *, struct gcn_image *);

/* The numbers of a T#, in whatever bits it has them. */
struct gcn_image_words {
    uint64_t base;
    uint32_t type, dfmt, nfmt, width, height, depth; /* depth: of arrays of newer chips, slices up to the last one */
    uint32_t base_level, last_level, base_array, last_array;
    uint32_t min_lod, min_lod_warn;
    uint8_t sel[4];
    uint32_t pitch;  /* texels; newer chips: 0, unless it is another than the layout's */
    uint32_t tiling; /* row of the tiling table, or SW_MODE */
    uint32_t levels; /* newer chips: of the whole image */
    bool pow2_pad, newer;
};

/* The same from the words of a T#; mods: R128, LWE and NEWER of the instruction; chip: whose layouts they are.  false:
 * *problem says what is wrong. */
struct gcn_image_problem {
    const char *field;
    uint32_t value;
    const char *why;
};
bool gcn_image_read(const uint32_t words[8], unsigned mods, const struct gcn_chip *, const struct gcn_tiling *,
    struct gcn_image *, struct gcn_image_problem *);

/* Fills base_level's and later levels' places.  NULL, or why the layout is not supported: "pitch" or a sentence. */
const char *gcn_image_layout(struct gcn_image *, const struct gcn_image_words *, const struct gcn_tiling *);
/* The same for newer chips, and a place there.  image_blocks.c */
const char *gcn_blocks_layout(
    struct gcn_image *, const struct gcn_image_words *, const struct gcn_chip *, const struct gcn_tiling *);
uint64_t gcn_blocks_place(
    const struct gcn_image *, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample);

/* Address of the block with the texel (x, y) of a slice (from the first of all) or depth z. */
uint64_t gcn_image_place(
    const struct gcn_image *, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample);

/* Coordinates that an image has besides x: dimensions of a slice or volume, and whether a slice number follows. */
static inline unsigned gcn_image_dimensions(const struct gcn_image *im)
{
    return im->type == GCN_IMAGE_1D || im->type == GCN_IMAGE_1D_ARRAY ? 1 : im->type == GCN_IMAGE_3D ? 3 : 2;
}
bool gcn_image_takes_slice(const struct gcn_image *, const struct gcn_op *);

/* ---- Samplers ---- */

enum gcn_clamp {
    GCN_WRAP,
    GCN_MIRROR,
    GCN_LAST_TEXEL,
    GCN_MIRROR_LAST_TEXEL,
    GCN_HALF_BORDER,
    GCN_MIRROR_HALF_BORDER,
    GCN_BORDER,
    GCN_MIRROR_BORDER,
};

struct gcn_sampler {
    enum gcn_clamp clamp[3];
    uint8_t compare; /* never, <, ==, <=, >, !=, >=, always */
    bool unnormalized, degamma, cube_wrap, truncates;
    bool no_degamma;      /* sRGB is taken as plain numbers */
    bool aniso_of_levels; /* no anisotropic filter of an image of one level */
    uint8_t mode;         /* 0 blend, 1 minimum, 2 maximum */
    float min_lod, max_lod, bias;
    bool linear_mag, linear_min;
    bool aniso_mag, aniso_min;    /* several taps where a pixel is longer than wide */
    uint8_t taps;                 /* at most: 1, 2, 4, 8, 16 */
    uint8_t z_filter, mip_filter; /* 0 none, 1 point, 2 linear */
    uint8_t border;               /* 0 to 2: black, opaque black, white; 3: an entry of the launch's table */
    uint16_t border_entry;
};

/* The op's S#, for an image with that number of dimensions. */
bool gcn_sampler(struct gpudbg_wave *, const struct gcn_op *, unsigned dimensions, struct gcn_sampler *);

/* ---- Registers ---- */

/* Name of the op's row, for faults. */
const char *gcn_image_name(struct gpudbg_wave *, const struct gcn_op *);
/* The address of an instruction, a row for each number: those before the coordinates (offset, bias, reference), then
 * derivatives by x, by y, then the coordinates and what follows them.  Halves are widened, to integers or to floats. */
enum { GCN_ADDRESS_MOST = 13 };
struct gcn_image_address {
    unsigned extra, derivatives, own; /* derivatives: by one of x and y */
    int bias;                         /* which of the extra ones is a half when coordinates are; -1: none */
    bool floats;
    const uint32_t *row[GCN_ADDRESS_MOST];
    uint32_t wide[GCN_ADDRESS_MOST][64];
};
/* Fills the rows; the caller sets the numbers before them.  false: the launch lacks VGPRs, and the run is stopped. */
bool gcn_image_address(struct gpudbg_wave *, const struct gcn_op *, struct gcn_image_address *);
/* The op after an image instruction, which may be longer than two dwords; and the same where memory may be watched. */
static inline const struct gcn_op *gcn_image_next(const struct gcn_op *op)
{
    return gcn_next(op) + (op->mods >> GCN_IMAGE_NSA & 3);
}
const struct gcn_op *gcn_image_done(struct gpudbg_wave *, const struct gcn_op *);
/* Selects the components of a texel by DST_SEL. */
void gcn_image_select(const struct gcn_image *, const uint32_t in[4], uint32_t out[4]);
/* Writes the components that DMASK names, rows of 64, to VDATA, and the status that TFE and LWE ask for.  integers:
 * what the components are, for halves. */
void gcn_image_result(struct gpudbg_wave *, const struct gcn_op *, uint64_t mask, uint32_t rows[4][64], bool integers);

const struct gcn_op *gcn_image_ray(
    struct gpudbg_wave *, const struct gcn_op *); /* image_ray.c; imm: dwords of a pointer */
/* Handlers.  image_sample.c */
const struct gcn_op *gcn_image_sample(struct gpudbg_wave *, const struct gcn_op *);
const struct gcn_op *gcn_image_gather(struct gpudbg_wave *, const struct gcn_op *);
const struct gcn_op *gcn_image_get_lod(struct gpudbg_wave *, const struct gcn_op *);

#endif
