/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strip.h: all waves of a launch by their lanes, each lane as a letter for the place that it is at. */
#ifndef GPUDBG_STRIP_H
#define GPUDBG_STRIP_H

#include "gpudbg.h"

#define STRIP_LETTERS 26 /* places with a letter of their own; all others share STRIP_OTHER */
#define STRIP_OTHER '*'

/* Waves with neighbouring numbers that are at one place with the same lanes. */
struct strip_row {
    struct gpudbg *g;
    uint32_t first, last;    /* waves */
    uint64_t pc;             /* of no meaning for a wave that ended, or whose place is lost */
    uint64_t exist, running; /* lanes */
    uint8_t state;           /* enum gpudbg_state */
    bool lost_pc, lost_mask; /* of a dump that does not tell */
    bool selected;           /* the selected wave is one of them */
    char letter;             /* 'A' is the place with the lowest address; 0: the waves have ended */
};

/* Each row is a struct strip_row. */
extern const struct gpudbg_listing strip_listing;

/* A lane of a row: its letter; '.' masked off, '?' nobody knows, '-' its wave has ended, ' ' there is no such lane. */
char strip_lane(const struct strip_row *, unsigned lane);
const char *strip_state(const struct strip_row *);
/* "0-3" or "2"; the place; its instruction, or nothing.  Like snprintf. */
int strip_waves(const void *row, char *buf, size_t size);
int strip_place(const void *row, char *buf, size_t size);
int strip_insn(const void *row, char *buf, size_t size);

#endif
