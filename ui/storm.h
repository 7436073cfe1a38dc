/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * storm.h: items of a list that come again and again: a run of up to eight of them that repeats is shown once, and one
 * row stands for all that follow:
 *
 *     13 GPU fault detected: 147        the run
 *     14   ADDR 0x00300400
 *        .. 396 times more, to line 806
 */
#ifndef UI_STORM_H
#define UI_STORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct storm_row {
    uint32_t item;  /* that it shows; of a fold: the first that it hides */
    uint32_t items; /* how many it hides; 0: it is an item */
    uint32_t times; /* the run that stands above repeats so often */
};

struct storms {
    struct storm_row *row; /* malloc'ed; NULL: no memory, every item is a row */
    uint32_t rows;
    uint32_t *open; /* folds that the user has unfolded, by their first item */
    size_t nopen;
};

/* Makes the rows of n items; equal items have equal hashes. */
void storms_take(struct storms *, const uint64_t *hash, uint32_t n);
void storms_free(struct storms *); /* empty afterwards */
/* Unfolds the fold at the row, to be seen by storms_take. */
void storms_unfold(struct storms *, uint32_t row);
/* The row that shows, or hides, an item. */
uint32_t storms_row_of(const struct storms *, uint32_t item);
uint64_t storm_hash(const char *text);

#endif
