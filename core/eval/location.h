/* SPDX-License-Identifier: GPL-3.0-or-later */
/* location.h: places in code as the user names them, and lines of source. */
#ifndef GPUDBG_LOCATION_H
#define GPUDBG_LOCATION_H

#include "eval/eval.h"
#include "gpudbg.h"

/* "*ADDR", "SYMBOL", "SYMBOL+OFF", "L0080", "FILE:LINE", "LINE" (of the file we are in) to an address of code. */
bool location_addr(struct eval *, const char *text, uint64_t *addr, struct gpudbg_error *);
/* "", "SYMBOL", "ADDR" (its function), "FROM,TO", "FROM,+SIZE" to a range of addresses; "" is all code. */
bool location_range(struct eval *, const char *text, uint64_t *from, uint64_t *to, struct gpudbg_error *);
/* "FILE:LINE", "LINE", or anything that is an address, to a row of the line table. */
bool location_line(struct eval *, const char *text, const char **file, uint32_t *line, struct gpudbg_error *);
/* The address to look at when none is said: the selected wave's pc, else the cursor. */
uint64_t location_here(struct eval *);
/* The row of the line table it is in; NULL: none, or the wave has ended. */
const struct gpudbg_line *location_row(struct eval *);

/* A source file in memory. */
struct source {
    const char *file; /* as the line table names it; borrowed */
    char *text;       /* NULL: it could not be read */
    size_t size, nlines;
    uint32_t *line; /* where each line starts */
};
/* Reads `file` unless it is the one that is open: where it says, else beside the loaded file.  false: it cannot be
 * read. */
bool source_open(struct source *, const struct gpudbg_image *, const char *file);
void source_close(struct source *);
/* Line n (from 1) without its end, NULL past the end; *len is its length. */
const char *source_line(const struct source *, uint32_t n, size_t *len);

/* Prints one line with its number, where the file can be read; nothing in JSON. */
void source_print(const struct gpudbg_image *, const char *file, uint32_t line, struct gpudbg_out *);

#endif
