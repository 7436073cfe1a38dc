/* SPDX-License-Identifier: GPL-3.0-or-later */
/* out.h: where results go.  Made by front ends; commands see only gpudbg.h's functions and out_listing. */
#ifndef GPUDBG_OUT_H
#define GPUDBG_OUT_H

#include <stdio.h>
#include "gpudbg.h"
#include "base/ticker.h"

/* Gives the rows of a listing: calls each(to, row) until it returns false.  args: what the user wrote behind its name.
 */
typedef bool out_rows_fn(struct gpudbg *, const struct gpudbg_listing *, const char *args, gpudbg_row_fn *each,
    void *to, struct gpudbg_error *);

/* To a stream; text or JSON Lines. */
struct gpudbg_out *out_stream(FILE *, bool json);
/* To memory, for panes and tests; out_taken gives the text so far and forgets it (malloc'ed). */
struct gpudbg_out *out_memory(bool json);
char *out_taken(struct gpudbg_out *, size_t *n);
void out_close(struct gpudbg_out *);
/* All text goes through shown.h, whoever made it: what a terminal would obey is written out.  A piece holds whole
 * characters. */
void out_write(struct gpudbg_out *, const char *text, size_t n);
/* The same of text that is known to have nothing that a terminal would obey. */
void out_clean(struct gpudbg_out *, const char *text, size_t n);
/* Not so: text of another output, in pieces that may end within a character; and what the user spelled out with a
 * backslash. */
void out_raw(struct gpudbg_out *, const char *bytes, size_t n);
void out_flush(struct gpudbg_out *); /* so that a reader has all of it now */
/* Another stream to where its text goes, for processes that write there in its place: what was written before is there.
 * To be closed; NULL: its text goes to memory, or somewhere else, too. */
FILE *out_apart(struct gpudbg_out *);
void out_failed(struct gpudbg_out *, int why); /* they could not */
bool out_broken(const struct gpudbg_out *);    /* a write failed, or the user has had enough: no more is written */
/* Where else everything that is written goes while the stream is open; borrowed; NULL: nowhere. */
struct out_tee {
    FILE *stream; /* NULL: nowhere now */
    bool only;    /* text goes nowhere else */
    int why;      /* errno of a write that failed; nothing more is written then */
};
void out_tee(struct gpudbg_out *, struct out_tee *);
/* Whom to ask, every few pieces of what is written, whether to go on with it; borrowed; NULL: nobody.  Returns who was
 * asked before. */
const struct ticker *out_ask(struct gpudbg_out *, const struct ticker *);
/* Whether the answer was no; the next command writes again. */
bool out_stopped(struct gpudbg_out *);
int out_errno(const struct gpudbg_out *); /* its errno; 0: none failed */
/* How many columns a line of a table may have; 0: no limit, which it begins with. */
void out_width(struct gpudbg_out *, size_t columns);
/* Rows of a listing as an aligned table or as records; `rows` gives them for g, which is passed on to it. */
bool out_listing(struct gpudbg_out *, const struct gpudbg_listing *, const char *args, out_rows_fn *rows,
    struct gpudbg *g, struct gpudbg_error *);
/* {"type":"error"} */
void out_error(struct gpudbg_out *, const struct gpudbg_error *);

#endif
