/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * region.h: footprints as a picture: a row for each register touched, its bytes from left to right, elements between
 * borders, in each the lanes that it belongs to.
 *
 *     src0 r2.0<8;4,2>:f  2 rows of 4
 *          0       4       8       12      16      20      24      28
 *     r2   |   0   |   .   |   1   |   .   |   2   |   .   |   3   |   .   |
 *
 * One lane is a number, several in a row 0-7, others that do not fit *; x is a lane that does not run or is not
 * written, . an element that nobody touches, = one of no lane in particular.
 */
#ifndef GPUDBG_REGION_H
#define GPUDBG_REGION_H

#include "gpudbg.h"

enum region_mark {
    REGION_TEXT,
    REGION_ROLE,
    REGION_NAME,
    REGION_BORDER,
    REGION_LANE,
    REGION_OFF,
    REGION_EMPTY,
    REGION_NOTE,
    REGION_RULER,
    REGION_VALUE
};

#define REGION_COLUMNS 240

struct region_row {
    char text[REGION_COLUMNS + 1];    /* ASCII */
    uint8_t mark[REGION_COLUMNS + 1]; /* enum region_mark of each character */
    int n;
    int operand; /* the footprint that it belongs to; -1: none */
};

struct region_picture {
    struct region_row *row; /* malloc'ed */
    size_t n;
};

/* Who knows what registers hold: writes the element of `size` bytes at byte `at` of the footprint's file as ASCII in at
 * most `room` columns; 0: it is not known.  Like snprintf. */
struct region_values {
    int (*text)(void *data, const struct gpudbg_footprint *, int32_t at, unsigned size, int room, char *buf, size_t n);
    void *data;
};

/* The picture of an instruction in `columns`.  compact: it has as few rows as can be, and the text of an operand stands
 * behind its first row.  values: they stand in a row below each row of a source, or, if compact, behind the operand;
 * NULL: they are not shown.  false: the instruction set has no regions, or the bytes are not an instruction. */
bool region_draw(struct region_picture *, const struct gpudbg_insn *, struct gpudbg_wave *, int columns, bool compact,
    const struct region_values *values);
void region_free(struct region_picture *);
/* The same as a record {"type":"region"}. */
void region_record(struct gpudbg_out *, const struct gpudbg_insn *, struct gpudbg_wave *, unsigned syntax);

#endif
