/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_picture.h: images in memory, for other commands and for panes. */
#ifndef GPUDBG_CMD_PICTURE_H
#define GPUDBG_CMD_PICTURE_H

#include "command/drawing.h"
#include "eval/image_picture.h"
#include "gpudbg.h"
#include "out/raster.h"
#include "session/session.h"

/* The words of `picture`, and the image that they name. */
struct picture_asked {
    char what[512], format[64], size[64], path[4096];
    uint64_t level, slice;
    uint64_t most; /* texels that are read, about: every n-th then; 0: all */
    struct shades shades;
    struct picture picture;
    struct texels texels;
    uint8_t *pixels;
};

/* Opens what the words name; after that, and after a failure, picture_unask frees it. */
bool picture_ask(struct gpudbg *, const char *words, struct picture_asked *, struct gpudbg_error *);
void picture_unask(struct picture_asked *);
/* The mean colour of a rectangle of the picture, on black where it is transparent. */
void picture_mean(const struct picture_asked *, double x0, double y0, double x1, double y1, unsigned rgb[3]);
/* A channel's value as the format has it: 1.0 of floats and of normalised numbers, 1 of integers. */
int picture_number_text(const struct gpudbg_picture *, double, char *buf, size_t size);
/* A colour as one of xterm's 256, from 16 on; as a character, from dark to bright. */
unsigned picture_nearest_256(const unsigned rgb[3]);
char picture_character(const unsigned rgb[3]);

/* What a picture is drawn with: graphics, else cells of so many colours. */
struct picture_tools {
    struct graphics graphics;
    enum session_colours colours;
};
/* What the terminal and `set picture` choose.  It may ask the terminal, once. */
struct picture_tools picture_tools(struct gpudbg *);
/* The bytes by which the terminal shows columns by rows of texels, each as large as so many of its pixels.  `number` as
 * for graphics_kitty.  malloc'ed; NULL with an error. */
char *picture_graphics(const struct graphics *, const struct picture_asked *, double across, double down,
    uint32_t number, size_t *n, struct gpudbg_error *);

/* Adds the image that the words of `picture` name to a drawing. */
bool picture_draw(struct gpudbg *, const char *words, struct drawing *, struct gpudbg_error *);

#endif
