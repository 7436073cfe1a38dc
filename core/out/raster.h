/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * raster.h: pictures as the bytes from which terminals draw them.
 *
 * Sixel: DEC STD 070 and "VT330/VT340 Programmer Reference Manual", volume 2, chapter 14: a band of six lines at a
 * time, colour by colour.  Colours are parts of 100.
 * Kitty: sw.kovidgoyal.net/kitty/graphics-protocol: a PNG file in base64, 4096 characters a piece.
 */
#ifndef GPUDBG_RASTER_H
#define GPUDBG_RASTER_H

#include <stdint.h>
#include <stdio.h>
#include "gpudbg/error.h"

enum graphics_kind { GRAPHICS_UNKNOWN, GRAPHICS_NONE, GRAPHICS_SIXEL, GRAPHICS_KITTY };

/* What a terminal can draw. */
struct graphics {
    enum graphics_kind kind;
    unsigned columns, rows;           /* of cells */
    unsigned cell_width, cell_height; /* in pixels */
    unsigned colours;                 /* that one sixel picture may have, 2 to 256 */
};

struct raster {
    uint32_t width, height;
    uint8_t *rgb; /* three bytes a pixel, line after line; malloc'ed */
};

/* At most `most` colours (2 to 256) for a picture: index[i] is the colour of pixel i, percent[3 * c] are red, green and
 * blue of colour c in parts of 100.  A picture with no more colours than that keeps all of them.  Returns how many
 * there are; 0 without memory. */
unsigned palette_make(const struct raster *, unsigned most, uint8_t *index, uint8_t *percent);

bool graphics_sixel(FILE *, const struct raster *, unsigned colours, struct gpudbg_error *);
void raster_base64(FILE *, const uint8_t *bytes, size_t n);
/* The terminal does not answer.  `number` 0: the cursor stands behind the picture afterwards; else the cursor stays,
 * the picture is below cells that have a ground, and by its number it can be deleted. */
void graphics_kitty(FILE *, const uint8_t *png, size_t n, uint32_t number);
void graphics_kitty_delete(FILE *, uint32_t number);

#endif
