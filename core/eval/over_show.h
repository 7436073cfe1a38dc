/* SPDX-License-Identifier: GPL-3.0-or-later */
/* over_show.h: what expressions over many elements look like: as text, as one line of marks, as a grid, as records. */
#ifndef GPUDBG_OVER_SHOW_H
#define GPUDBG_OVER_SHOW_H

#include "eval/over_lanes.h"

/* A line of marks, one an element, '|' between waves; malloc'ed.
 *     ----####....   of truth values: # holds, - does not; where the lane is masked off, + and .
 *     00123..789     of numbers: how high between the least (0) and the largest (9), . masked off, ! not a number
 * With `blocks`, the heights are the Unicode blocks. */
char *over_bar(const struct over *, bool blocks);
/* The bar with what it means: "----####  4 of 8", "0012  0 to 63"; malloc'ed. */
char *over_line(struct eval *, const struct over *, enum over_kind, char letter, bool blocks);
/* All of it, on as many lines as it takes, without the last end of line; malloc'ed. */
char *over_text(struct eval *, const struct over *, enum over_kind, char letter);
/* The members "type_name" and "waves" (or "elements") of a record, and for uniq "distinct". */
void over_members(struct gpudbg_out *, const struct over *, enum over_kind);
/* Elements by local id, x in a row: rows of `width`; malloc'ed.  NULL with an error: not of lanes of one whole group.
 */
char *over_grid(
    struct eval *, const struct over *, uint32_t width, uint32_t height, char letter, struct gpudbg_error *);

#endif
