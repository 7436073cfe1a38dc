/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drawing.h: pictures as SVG, put together in memory: rectangles, lines and text on a grid of characters.  Colours are
 * classes of a style sheet, which has a dark half and one for paper.
 */
#ifndef GPUDBG_DRAWING_H
#define GPUDBG_DRAWING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct drawing {
    FILE *to; /* shapes so far */
    char *text;
    size_t n;
    double width, height; /* of all shapes, in pixels */
};

#define DRAWING_CHAR 7.2 /* pixels: a character of the font, a line */
#define DRAWING_LINE 16.0

void drawing_open(struct drawing *);
void drawing_rect(struct drawing *, double x, double y, double w, double h, const char *class);
/* Lines through n points, x and y in turn. */
void drawing_path(struct drawing *, const double *points, size_t n, const char *class);
/* Text whose base line is y; a class may be NULL. */
void drawing_text(struct drawing *, double x, double y, const char *class, const char *text);
/* Lines of text from y on; returns the y below them. */
double drawing_lines(struct drawing *, double x, double y, const char *text);
/* A PNG image of w by h texels, as large as can be seen and as the picture still has room for. */
void drawing_image(struct drawing *, double w, double h, const uint8_t *png, size_t n);
/* Writes the picture: with the style sheet, as a file of its own, or to stand in a page that has it. */
void drawing_write(struct drawing *, FILE *, int alone);
void drawing_close(struct drawing *);

/* The style sheet; text with <, > and & written out, and what is not a character of a page left out. */
extern const char drawing_style[];
void drawing_escape(FILE *, const char *text);

#endif
