/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * over_lanes.h: expressions over many elements at once: the lanes of a wave or of several, elements of memory.
 *
 *     $v0[:] > 3                     in every lane; with $v0[0:7], in these.  $v1 alone is the selected lane's
 *     a[0:255] * 2, a[:]             elements of memory; lanes and memory may stand in one expression
 *     count(E) any all min max sum   one number of all elements; uniq: how many distinct ones; where: a mask of lanes
 *     count($v0 > 3)                 without [:] the argument is evaluated in each lane; $s4, which has none, once a
 * wave count(E, group)                over waves: ", wave 3", ", wave 0-3", ", group", ", group 2"; ", masked" as well
 *
 * The lanes that execute count; with `masked`, all that exist.  In a wave that has ended, those that existed count.
 * The text is read once for each element, so an element sees what any expression sees.
 */
#ifndef GPUDBG_OVER_LANES_H
#define GPUDBG_OVER_LANES_H

#include "eval/expr.h"
#include "eval/expr_parser.h"

#define OVER_MOST 65536 /* elements of one expression */

/* How far the reading of an expression is that is evaluated element by element. */
struct lane_walk {
    size_t index; /* of the element that is evaluated now */
    size_t width; /* elements; 0: no range was read yet */
    bool ranged;  /* a range was read */
    bool lanes;   /* ... of lanes: element i is lane first + i */
    bool laned;   /* something was read that differs from lane to lane */
    bool assigns; /* it stores */
    unsigned first;
};

/* The elements of one wave. */
struct over_wave {
    uint32_t wave;
    uint64_t active, there; /* lanes that execute; that have a value */
    unsigned lane;          /* of the first element */
    size_t first, n;        /* in `bits` */
};

struct over {
    bool lanes;   /* elements are lanes; else of memory, or one a wave */
    bool uniform; /* one element a wave */
    bool truth;   /* all elements are truth values */
    bool masked;  /* lanes that are masked off count, too */
    bool address; /* shown in hex, with symbols */
    bool digits;  /* of pairs of registers: shown in hex, with all digits */
    struct value_type type;
    uint64_t *bits;           /* a pattern of `type` each, wave after wave; malloc'ed */
    struct value_type *shown; /* of each: the type that its register shows (typed.h), bits 0: as `type`; malloc'ed */
    size_t n;
    struct over_wave *wave; /* malloc'ed */
    size_t nwaves;
};

enum over_kind { OVER_EACH, OVER_COUNT, OVER_ANY, OVER_ALL, OVER_MIN, OVER_MAX, OVER_SUM, OVER_UNIQ, OVER_WHERE };

/* What `text` is: OVER_NO: an ordinary expression, not evaluated here.  OVER_YES: `over` has its elements, and `kind`
 * says whether it is "uniq(...)" or "where(...)" of them, alone, else OVER_EACH; close it. */
enum over_found { OVER_NO, OVER_YES, OVER_FAILED };
enum over_found over_value(struct eval *, const char *text, struct over *, enum over_kind *, struct gpudbg_error *);
void over_close(struct over *);

/* Whether element i of a wave counts. */
bool over_counts(const struct over *, const struct over_wave *, size_t i);
struct value over_element(const struct over *, size_t i);
/* The same, as the type that a bare register shows. */
struct value over_shown(const struct over *, size_t i);

/* The length of "count(", "any(" ... at the beginning of the text, without the bracket; 0: it is none of them. */
size_t over_function(const char *text, enum over_kind *);

/* ---- For the parser ---- */

/* Behind the name of a function, at its bracket. */
bool parse_over(struct parser *, enum over_kind, struct value *);
/* A range of n elements from `first` on was read; *at is the one that is meant now. */
bool over_range(struct parser *, uint64_t first, uint64_t n, bool lanes, uint64_t *at);

#endif
