/* SPDX-License-Identifier: GPL-3.0-or-later */
/* heat.h: all lanes of registers in one look, a register a row, a lane a cell: for the pane lanes. */
#ifndef UI_HEAT_H
#define UI_HEAT_H

#include "channel_rows.h"
#include "registers_shown.h"

#define LANE_OFF_SELECTED 0xa6 /* a broken bar: the selected lane, where it does not run; ':' in ASCII */

struct heat_view {
    const struct channels *channels; /* rows of registers of many bytes; NULL: of registers with lanes */
    bool numbers;                    /* not cells, but as many values as have room: of `channels` */
    unsigned file, lanes;
    uint64_t active;
    int selected;            /* lane */
    const uint16_t *row;     /* registers, in order */
    int rows, cursor;        /* cursor: the row under it, or -1 */
    const struct form *form; /* of the pane, or NULL */
    int sorted;              /* a register: lanes stand in the order of its values; -1: as they are numbered */
    /* Filled in by heat_draw: */
    int left, each;    /* the first cell's column; lanes of a cell */
    int value;         /* columns of the selected lane's value */
    bool kinds;        /* the letters of the types have room */
    int first;         /* of numbers: the first place shown */
    uint8_t order[64]; /* the lane of each place */
};

void heat_draw(struct pane *, const struct area *, struct heat_view *);
/* Rows above the registers. */
int heat_head(const struct heat_view *);
/* The lane in column x; -1: none is. */
int heat_lane(const struct heat_view *, int x);

#endif
