/* SPDX-License-Identifier: GPL-3.0-or-later */
/* script.h: commands that the user defines: `define NAME`, lines, `end`.  While one is being defined, lines are kept, not run. */
#ifndef GPUDBG_SCRIPT_H
#define GPUDBG_SCRIPT_H

#include "gpudbg.h"

struct defines; /* of a session */

struct define {
    struct define *next;
    char *name, *doc; /* doc may be NULL */
    char **lines;
    size_t nlines;
};

void defines_free(struct defines *);
const struct define *define_next(const struct gpudbg *, const struct define *after); /* NULL: the first; NULL: no more */
/* Keeps the line if a definition is open; false if none is. */
bool define_collect(struct gpudbg *, const char *line, struct gpudbg_error *);
/* The name being defined, for the prompt; NULL if none is. */
const char *define_open(const struct gpudbg *);
/* Forgets an open definition that will not be finished. */
void define_drop(struct gpudbg *);
bool define_run(struct gpudbg *, const struct define *, const char *words, struct gpudbg_out *, struct gpudbg_error *);

#endif
