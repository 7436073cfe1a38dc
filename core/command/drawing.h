/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drawing.h: pictures put together in memory: rectangles, lines and text on a grid of characters, written as SVG
 * (drawing.c) or as PNG (drawing_png.c).  A shape has a class; a table gives each class its colours for light pages,
 * dark ones and paper.
 */
#ifndef GPUDBG_DRAWING_H
#define GPUDBG_DRAWING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "gpudbg/error.h"

#define DRAWING_CHAR 7.2 /* pixels: a character of the font, a line, the size of the letters, the picture's margin */
#define DRAWING_LINE 16.0
#define DRAWING_LETTERS 12
#define DRAWING_MARGIN 8.0

/* X(name, on light pages, on dark ones, on paper), as 0xrrggbb. */
/* clang-format off */
#define DRAWING_COLOURS(X) \
    X(page, 0xffffff, 0x14171b, 0xffffff) \
    X(ink,  0x1b1f24, 0xe3e6ea, 0x000000) \
    X(dim,  0x6a737d, 0x8b949e, 0x444444) \
    X(box,  0xf2f4f7, 0x22272e, 0xffffff) \
    X(edge, 0x8c959f, 0x768390, 0x444444) \
    X(back, 0xb35900, 0xf0a34a, 0x000000) \
    X(hot,  0xd1242f, 0xff7b72, 0x555555) \
    X(cold, 0x54aeff, 0x388bfd, 0xbbbbbb) \
    X(mark, 0x0969da, 0x79c0ff, 0x000000) \
    X(on,   0x7bb662, 0x57ab5a, 0x999999) \
    X(off,  0xd8dee4, 0x373e47, 0xeeeeee)

/* X(class, colour of the inside, colour of the line, width of the line): a text is the inside of its letters. */
#define DRAWING_CLASSES(X) \
    X(ink,  ink,  none, 0) \
    X(dim,  dim,  none, 0) \
    X(mark, mark, none, 0) \
    X(box,  box,  edge, 1) \
    X(here, box,  mark, 2) \
    X(hot,  hot,  none, 0) \
    X(cold, cold, none, 0) \
    X(on,   on,   none, 0) \
    X(off,  off,  none, 0) \
    X(page, page, none, 0) \
    X(edge, none, edge, 1.3) \
    X(back, none, back, 1.8)
/* clang-format on */

#define X(name, light, dark, paper) COLOUR_##name,
enum drawing_colour { DRAWING_COLOURS(X) COLOUR_none };
#undef X
#define X(class, inside, line, width) DRAW_##class,
enum drawing_class { DRAWING_CLASSES(X) };
#undef X

struct drawing_shape {
    enum { DRAWING_RECT, DRAWING_PATH, DRAWING_TEXT, DRAWING_IMAGE } kind;
    enum drawing_class class;
    double x, y, w, h; /* a text's base line is y */
    size_t n;          /* of data: points, x and y in turn; bytes of a PNG file; bytes of text, without its end */
    void *data;
};

struct drawing {
    struct drawing_shape *shape;
    size_t n, room;
    double width, height; /* of all shapes, in pixels */
};

void drawing_open(struct drawing *);
void drawing_rect(struct drawing *, double x, double y, double w, double h, enum drawing_class);
/* Lines through n points, x and y in turn. */
void drawing_path(struct drawing *, const double *points, size_t n, enum drawing_class);
void drawing_text(struct drawing *, double x, double y, enum drawing_class, const char *text);
/* Lines of text from y on; returns the y below them. */
double drawing_lines(struct drawing *, double x, double y, const char *text);
/* A PNG image of w by h texels, as large as can be seen and as the picture still has room for. */
void drawing_image(struct drawing *, double w, double h, const uint8_t *png, size_t n);
void drawing_close(struct drawing *);

/* What a class looks like; what a colour is on light pages, as 0xrrggbb. */
void drawing_look(enum drawing_class, enum drawing_colour *inside, enum drawing_colour *line, double *width);
uint32_t drawing_light(enum drawing_colour);

/* Writes the picture as SVG: with the style sheet, as a file of its own, or for a page that has the style sheet. */
void drawing_svg(const struct drawing *, FILE *, int alone);
/* Writes it as PNG, as on a light page, two pixels for one of the SVG.  The library for it is loaded now: it is an
 * error of kind "unsupported" if that is missing, or if the picture is larger than a PNG of that library can be. */
bool drawing_png(const struct drawing *, FILE *, struct gpudbg_error *);

/* The style sheet; text with <, > and & written out, and what is not a character of a page left out. */
void drawing_style(FILE *);
void drawing_escape(FILE *, const char *text);

#endif
