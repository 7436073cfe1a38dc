/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * graphics.h: what a terminal says about pictures.  The program asks it while no screen is shown: for kitty's graphics,
 * for the size of a cell, and for its attributes (DA1; 4 is sixel), which every terminal answers and which come last.
 */
#ifndef UI_GRAPHICS_H
#define UI_GRAPHICS_H

#include <stdbool.h>
#include <stddef.h>
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

#endif
