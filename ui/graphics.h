/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graphics.h: what a terminal says about pictures.  The program asks it while no screen is shown: for kitty's graphics,
 * for the size of a cell, and for its attributes (DA1; 4 is sixel), which every terminal answers and which come last.
 */
#ifndef UI_GRAPHICS_H
#define UI_GRAPHICS_H

#include <stdbool.h>
#include <stddef.h>
#include "cells.h"
#include "out/raster.h"

#define TYPED_MOST 128

/* What came in while the program asked. */
struct answers {
    bool attributes, sixel, kitty;
    unsigned cell_width, cell_height, colours; /* 0: not said */
    char typed[TYPED_MOST];                    /* what was no answer: somebody types */
    size_t ntyped;
};

/* Takes the answers out of bytes.  Returns how many bytes are done with: an answer may be cut short at their end. */
size_t answers_read(struct answers *, const char *bytes, size_t n);

/* What the terminal on standard input and output has.  If it is not known yet, the program asks and waits a second at
 * most for all answers; `typed` is then what to give back to whoever reads keys.  The size is looked up each time. */
void graphics_ask(struct graphics *, struct answers *);

/* The picture that a terminal shows over its cells: the image with a copy of its bytes.  No system call but write. */
struct graphics_shown {
    struct cells_image image;
    char *bytes;
};
#define GRAPHICS_NUMBER 0x67706462u /* by which the picture of the screen is deleted */
/* Deletes what is shown, unless it stays as it is wanted: call it before the cells are sent.  NULL: all of it. */
void graphics_hide(struct graphics_shown *, const struct cells_image *wanted, FILE *);
/* Shows it, if it is not shown: call it when the cells are there. */
void graphics_show(struct graphics_shown *, const struct cells_image *, FILE *);

#endif
