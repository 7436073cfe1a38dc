/* SPDX-License-Identifier: GPL-3.0-or-later */
/* transcript.h: the lines of the prompt pane: what was typed and what came of it.  The oldest go when there are too
 * many. */
#ifndef UI_TRANSCRIPT_H
#define UI_TRANSCRIPT_H

#include <stddef.h>
#include <stdio.h>
#include "cells.h"

#define TRANSCRIPT_LINES 5000

struct transcript {
    struct transcript_line {
        char *text;
        enum style style;
    } line[TRANSCRIPT_LINES];
    size_t first, count;
};

/* Adds text, cut at its newlines. */
void transcript_add(struct transcript *, enum style, const char *text);
/* Line i of 0 to count; NULL past the end. */
const struct transcript_line *transcript_line(const struct transcript *, size_t i);
/* Takes the last lines off, down to `count`. */
void transcript_cut(struct transcript *, size_t count);
void transcript_free(struct transcript *);

/* A stream whose lines go into the transcript as they come, so that any amount of text takes little memory.  `wrote`
 * (may be NULL) sees every piece and says whether to go on; if not, writing fails.  Close it with fclose. */
FILE *transcript_stream(struct transcript *, bool (*wrote)(void *data, const char *text, size_t n), void *data);

#endif
