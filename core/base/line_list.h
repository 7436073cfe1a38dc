/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line_list.h: lines of text that are kept: bodies of commands, what a breakpoint runs. */
#ifndef GPUDBG_LINE_LIST_H
#define GPUDBG_LINE_LIST_H

#include "gpudbg/error.h"

struct line_list {
    char **line; /* n of them, malloc'ed */
    size_t n, room, bytes;
    bool foreign; /* they came from a data file, and may do only what it may: session.h */
};

/* Adds a copy of text.  false: the list already has `most` lines (`set script-limit`; 0: no limit), or there is no
 * memory. */
bool lines_add(struct line_list *, const char *text, uint64_t most, struct gpudbg_error *);
void lines_free(struct line_list *); /* empty afterwards */
/* Whether the line consists of this word alone. */
bool line_is(const char *line, const char *word);

#endif
