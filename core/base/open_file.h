/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * open_file.h: files to read, by who named them.
 *
 * A name that stands in a file (the source files of debug information), or that the program makes itself (its own
 * data), is a stranger's choice: only a regular file of a bounded size is opened, so that a pipe or a device of that
 * name cannot hold the program up.  What the user names may be a pipe or a device; waiting for it ends with Ctrl-C.
 */
#ifndef GPUDBG_OPEN_FILE_H
#define GPUDBG_OPEN_FILE_H

#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include "base/ticker.h"
#include "gpudbg/error.h"

/* ---- What a file names ---- */

/* A regular file of at most `most` bytes, *size of them; -1 with an error of kind "missing", "io" or "too-large" that
 * names the path. */
int open_named(const char *path, uint64_t most, uint64_t *size, struct gpudbg_error *);
/* The same as a stream; NULL with an error. */
FILE *stream_named(const char *path, uint64_t most, struct gpudbg_error *);

/* All of its bytes and a 0, malloc'ed, *n of them; NULL with an error. */
char *text_named(const char *path, uint64_t most, size_t *n, struct gpudbg_error *);

/* ---- What the user names ---- */

/* A file, pipe or device; never waits.  -1 with an error of kind "missing" or "io" without the path. */
int open_chosen(const char *path, struct gpudbg_error *);
/* Reads at most n bytes of it, and waits for them: 0 at the end, -1 with errno, which is ECANCELED when the ticker did
 * not want to go on.  The ticker is asked 20 times a second while nothing comes, and after every piece. */
ssize_t read_chosen(int fd, void *to, size_t n, const struct ticker *);
/* The same as a stream, which keeps a copy of the ticker; reading it fails with ECANCELED.  NULL with an error. */
FILE *stream_chosen(const char *path, const struct ticker *, struct gpudbg_error *);
/* All that comes, at most `most` bytes, and a 0, malloc'ed, *n of them without the 0; NULL with an error, of kind
 * "too-large", "memory", or read_failed's. */
uint8_t *all_chosen(int fd, uint64_t most, size_t *n, const struct ticker *, struct gpudbg_error *);
/* The same, and no more than `set memory-limit` allows (0: no limit); then the error says so. */
uint8_t *all_within(
    int fd, uint64_t most, uint64_t memory_limit, size_t *n, const struct ticker *, struct gpudbg_error *);
/* "32 MB", or "100 bytes" of what is no whole number of them.  Returns buf. */
const char *size_text(uint64_t bytes, char buf[32]);
/* Says that something has more bytes than a limit, and which setting changes it; kind "too-large".  Returns false. */
bool limit_over(struct gpudbg_error *, const char *what, uint64_t limit, const char *setting);
/* All that comes from a pipe or a device, at most `most` bytes (0: no limit), in a file without a name that stands at
 * its start; fd is closed.  -1 with an error, of kind "too-large" or read_failed's. */
int kept_copy(int fd, uint64_t most, const struct ticker *, struct gpudbg_error *);
/* The next line of a stream, without its end, in *text, which is malloc'ed and has *room bytes: its length.  -1: there
 * is none; stream_ended says whether that was the end.  -2: it has more than `most` bytes, or there is no memory, which
 * *err says. */
ssize_t line_of(FILE *, char **text, size_t *room, uint64_t most, struct gpudbg_error *);
/* After the last line that line_of gave: false, with an error of kind "io" or "memory", where that was not the end of
 * the stream.  errno is to be 0 before line_of. */
bool stream_ended(FILE *, struct gpudbg_error *);
/* Says why reading stopped, from errno: kind "interrupt" or "io".  Returns false. */
bool read_failed(int number, struct gpudbg_error *);

#endif
