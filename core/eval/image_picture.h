/* SPDX-License-Identifier: GPL-3.0-or-later */
/* image_picture.h: images in memory as pixels.  What is an image, and what its texels are, the instruction set says
 * (isa->pictures): texels are what the program's own loads give. */
#ifndef GPUDBG_IMAGE_PICTURE_H
#define GPUDBG_IMAGE_PICTURE_H

#include "base/ticker.h"
#include "eval/eval.h"

struct picture {
    struct gpudbg_picture is;
    const struct gpudbg_pictures *how;
};

/* A level and a slice (or depth) as texels, line after line: red, green, blue, alpha of each. */
struct texels {
    uint32_t width, height, every; /* every: only one of so many texels, across and down ... */
    uint32_t across, down;         /* ... of these */
    double *rgba;                  /* malloc'ed */
};

/* An argument that can be seen as a picture: an image, or a buffer whose width other arguments say. */
struct offered {
    const char *name;
    char format[24], size[32]; /* "" : an image, which says it itself */
    uint64_t bytes;
};
/* The i-th of the launch; false: there are no more.  The same by its name. */
bool picture_offered(const struct eval *, size_t i, struct offered *);
bool picture_offered_named(const struct eval *, const char *name, struct offered *);

/* `what` is the name of an argument that is offered, registers or memory that hold a descriptor ($s[0:7]), or, with a
 * format and a size ("float4", "16x16"), an address. */
bool picture_open(struct eval *, struct gpudbg *, const char *what, const char *format, const char *size,
    struct picture *, struct gpudbg_error *);
void picture_close(struct picture *);
bool picture_texels(struct eval *, const struct picture *, const struct ticker *, uint32_t level, uint32_t slice,
    uint32_t every, struct texels *, struct gpudbg_error *);

/* How texels become colours. */
struct shades {
    char channels[5]; /* which are shown: "rgba", "rgb"; one alone is grey */
    bool ranged; /* low and high were given; else 0 to 1 of normalised formats, the least to the largest of others */
    double low, high;
};
/* Red, green, blue, alpha of a byte each; fills in the range.  malloc'ed. */
uint8_t *picture_pixels(const struct picture *, const struct texels *, struct shades *, struct gpudbg_error *);

/* A PNG file of them; malloc'ed, *n bytes.  NULL with an error. */
uint8_t *picture_png(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *n, struct gpudbg_error *);

#endif
