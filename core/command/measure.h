/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.h: what can be counted of a kernel without running it, as numbers of fixed columns. */
#ifndef GPUDBG_MEASURE_H
#define GPUDBG_MEASURE_H

#include "gpudbg.h"

/* Which change of a number is for the better. */
enum measure_better { MEASURE_LESS, MEASURE_MORE, MEASURE_NEITHER };

struct measure_column {
    const char *key, *doc;
    enum measure_better better;
};

enum measure_number {
#define MEASURE(id, ...) MEASURE_##id,
#include "command/measures.def"
#undef MEASURE
    MEASURES
};
extern const struct measure_column measure_columns[MEASURES];

#define MEASURE_UNKNOWN INT64_MIN

struct measured {
    const char *kernel; /* borrowed from the image */
    int64_t number[MEASURES];
};

/* Calls each(to, measured) for every kernel of what is loaded, or once for code without kernels, until it returns
 * false.  false: err says why. */
typedef bool measured_fn(void *to, const struct measured *);
bool measure_loaded(struct gpudbg *, measured_fn *each, void *to, struct gpudbg_error *);

#endif
