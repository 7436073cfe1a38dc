/* SPDX-License-Identifier: GPL-3.0-or-later */
/* define.h: commands that the user defined; see `define`. */
#ifndef GPUDBG_DEFINE_H
#define GPUDBG_DEFINE_H

#include "gpudbg.h"
#include "base/line_list.h"

struct define { /* a command that the user defined */
    struct define *next;
    char *name, *doc; /* doc may be NULL */
    struct line_list lines;
    char *alias; /* it stands for this command, and words of it; NULL: it has lines */
};

void defines_free(struct define *);
const struct define *define_next(
    const struct gpudbg *, const struct define *after);               /* NULL: the first; NULL: no more */
struct define *define_named(const struct gpudbg *, const char *name); /* NULL: none */
bool define_run(struct gpudbg *, const struct define *, const char *words, struct gpudbg_out *, struct gpudbg_error *);

/* The command that an alias stands for, with what was typed behind the alias. */
bool alias_run(struct gpudbg *, const struct define *, const char *format, const char *rest, struct gpudbg_out *,
    struct gpudbg_error *);

#endif
