/* SPDX-License-Identifier: GPL-3.0-or-later */
/* location.h: places in code as the user names them. */
#ifndef GPUDBG_LOCATION_H
#define GPUDBG_LOCATION_H

#include "eval/eval.h"
#include "gpudbg.h"

/* "*ADDR", "SYMBOL", "SYMBOL+OFF", "L0080", "FILE:LINE", "LINE" (of the file we are in) to an address of code. */
bool location_addr(struct eval *, const char *text, uint64_t *addr, struct gpudbg_error *);
/* All addresses that a place is at, the lowest first, at least one: of a line, where its statements begin (once a turn:
 * location_turns.h, unless `set line-stops all`); of a function, behind the prologue, and where its inlined copies
 * begin; else what location_addr gives. */
struct code_places {
    uint64_t *addr;
    size_t n;
    uint32_t line; /* the line that was asked for has no code, and this one was taken; 0: as asked */
};
bool location_places(struct eval *, const char *text, struct code_places *, struct gpudbg_error *);
void location_places_free(struct code_places *);
/* "", "SYMBOL", "ADDR" (its function), "FROM,TO", "FROM,+SIZE" to a range of addresses; "" is all code. */
bool location_range(struct eval *, const char *text, uint64_t *from, uint64_t *to, struct gpudbg_error *);
/* "FILE:LINE", "LINE", or anything that is an address, to a row of the line table. */
bool location_line(struct eval *, const char *text, const char **file, uint32_t *line, struct gpudbg_error *);
/* The address to look at when none is said: the selected wave's pc, else the cursor. */
uint64_t location_here(struct eval *);
/* The code to look at when none is said: the same, but of a wave that has ended its kernel, and before a launch the
 * first kernel of the file. */
uint64_t location_code(struct eval *);
/* The row of the line table it is in; NULL: none, or the wave has ended. */
const struct gpudbg_line *location_row(struct eval *);

#endif
