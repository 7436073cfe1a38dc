/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_files.h: numbers of many kernels (measure.h), of files by several processes at once: `gpudbg --stats`. */
#ifndef GPUDBG_MEASURE_FILES_H
#define GPUDBG_MEASURE_FILES_H

#include "command/measure.h"
#include "image/load.h"

struct batch_row {
    char *file, *kernel, *isa;
    int64_t number[MEASURES];
};

/* A growing list of rows; batch_free frees what it holds. */
struct batch_rows {
    struct batch_row *row;
    size_t n, room;
};
void batch_free(struct batch_rows *);

struct batch {
    struct gpudbg *g;
    const struct load_options *load;
    struct gpudbg_out *out; /* where errors go */
    size_t done, files;     /* for the progress bar */
    size_t failed;          /* files that could not be read; each was reported */
    void (*each)(void *to, const struct batch_row *);
    void *to;
};

/* Calls each(to, row) for the kernels of files and of what folders hold, in their order.  false: interrupted, or a path
 * could not be read at all. */
bool batch_measure(struct batch *, char **paths, size_t n, struct gpudbg_error *);
/* Rows of a file that `--stats` wrote, as TSV or as JSON Lines; *is: it is such a file. */
bool batch_read(struct batch_rows *, struct gpudbg *, const char *path, bool *is, struct gpudbg_error *);
void batch_keep(void *rows, const struct batch_row *); /* for `each`: adds a copy */

/* Exit status of the program: 0; 3: a file could not be read. */
int batch_stats(struct gpudbg *, char **paths, size_t n, const struct load_options *, struct gpudbg_out *);
/* Kernels whose numbers differ, with the old and the new file; batch_pairs_free frees what it holds. */
struct batch_pair {
    char *kernel, *file[2];
};
struct batch_pairs {
    struct batch_pair *pair;
    size_t n, room;
};
void batch_pairs_free(struct batch_pairs *);
/* ... 0: no number differs; 1: some do; 2: a file could not be read.  pairs: empty at first. */
int batch_diff(struct gpudbg *, const char *old, const char *new, const struct load_options *,
    struct batch_pairs *pairs, struct gpudbg_out *);

#endif
