/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * links.h: which instructions wait for which others, drawn beside the code, for instruction sets that say so
 * (isa->rules.waits).
 *
 *     0040 +---o  send.dc1 ...          o produces something that is waited for
 *     0050 | +-o  math.inv ...          > waits
 *     0060 | +->  add ...               * both
 *     0070 +--->  mul ...               a line that leaves the screen goes on beyond it
 *
 * Lines of the instruction under the cursor are heavy (# ! = in ASCII).  Where lanes are used up only the ends are
 * marked.
 *
 * The waits of a kernel are worked out once, when it is first looked at.
 */
#ifndef UI_LINKS_H
#define UI_LINKS_H

#include "gpudbg.h"
#include "cells.h"

struct links {
    const struct gpudbg_image *image; /* that the rest is about */
    uint64_t from, to;                /* the code whose waits these are */
    struct gpudbg_wait *wait;         /* in the order of who waits */
    size_t n, room;
};

/* Of the code around addr; returns whether there are any. */
bool links_take(struct links *, const struct gpudbg_image *, uint64_t addr);
void links_close(struct links *);

/* Columns that links_draw needs beside code of so many columns. */
int links_columns(int width);
/* Draws them into columns x to x + columns - 1; row[y] is the address of the unit on row y, GPUDBG_NO_ADDR where none
 * stands.  Those of the instruction at `cursor` come first. */
void links_draw(
    const struct links *, const struct area *, int x, int columns, const uint64_t *row, int rows, uint64_t cursor);

#endif
