/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ruler.h: a word drawn as its bits, cut into fields, with the numbers of the bits above:
 *
 *     31 30  25 24    17 16     9 8       0
 *      0  011000[00001100]00001011 010011111
 *
 * a dword on two rows, the lowest first, bits from the left as manuals draw them; or, where that has no room, all
 * dwords on two rows: where each field begins, and its value in hex.
 */
#ifndef UI_RULER_H
#define UI_RULER_H

#include "gpudbg.h"
#include "cells.h"

#define RULER_SEGMENTS 256

struct ruler {
    const uint8_t *bytes; /* of the word */
    struct segment {      /* bits of a field that stand together in a dword */
        int field;        /* whatever number the caller gives it */
        uint32_t lo, len; /* lo from bit 0 of the word */
    } segment[RULER_SEGMENTS];
    int count;
};

/* Adds the runs of a field that is in the word from `bit` on. */
void ruler_add(struct ruler *, int field, const struct gpudbg_run *, uint32_t bit);
void ruler_sort(struct ruler *); /* once all are added */
/* Draws it at the area's top, the field `marked` (-1: none) in brackets: every bit if that leaves `spare` rows, else
 * the fewest rows.  Returns the row after it. */
int ruler_draw(const struct ruler *, const struct area *, int marked, int spare);

#endif
