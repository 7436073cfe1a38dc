/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * saved.h: the form of a saved session, apart from what its lines mean.
 *
 *     gpudbg session 1
 *     content 0 5024 HASH packed 1511
 *     content 1 1073741824 HASH named "/data/large.bin"
 *     launch "matmul -g 64,64 -l 16,16 zero:16384 @a.bin"
 *     end
 *     (the packed contents, one behind another)
 *
 * A line is words with blanks between them.  A word in quotes may hold anything: \" \\ and \x0a.  A line that begins
 * with # is a comment.  A content is packed by zlib, or is a file that is known by its name, size and SHA-256.
 */
#ifndef GPUDBG_SAVED_H
#define GPUDBG_SAVED_H

#include <stdio.h>
#include "gpudbg.h"
#include "base/sha256.h"
#include "base/ticker.h"

#define SAVED_HEAD "gpudbg session "
#define SAVED_VERSION 1

/* ---- Writing ---- */

struct saved_content {
    const uint8_t *bytes; /* borrowed, or `own`; NULL: the file is named */
    uint8_t *own;
    uint64_t size;
    char hash[SHA256_TEXT];
    char *name; /* of a file that is too large to be in the session; NULL: it is in it */
};

struct saved_writer {
    struct saved_content *content;
    size_t ncontents;
    FILE *lines; /* what stands behind the contents' lines */
    char *text;
    size_t length;
};

bool saved_begin(struct saved_writer *, struct gpudbg_error *);
/* The number of these bytes, which are kept once however often they are added.  own: the writer frees them. */
size_t saved_bytes(struct saved_writer *, const uint8_t *bytes, size_t n, bool own);
/* The number of a file that is named, by `name`; false with an error if it cannot be read. */
bool saved_file(struct saved_writer *, const char *path, const char *name, const struct ticker *, size_t *number,
    struct gpudbg_error *);
/* Text as a word in quotes, with a blank in front. */
void saved_word(FILE *, const char *text);
/* Writes all to FILE, *size bytes. */
bool saved_write(struct saved_writer *, const char *path, const struct ticker *, uint64_t *size, struct gpudbg_error *);
void saved_free(struct saved_writer *);

/* ---- Reading ---- */

struct saved_line {
    long number; /* in the file, from 1 */
    char **word;
    size_t n, at; /* words, and those that were taken */
};

/* What a content is once its bytes were taken out and compared with its hash. */
struct saved_unpacked {
    uint8_t *bytes; /* `size` of them; NULL: see name */
    uint64_t size;
    char hash[SHA256_TEXT];
    char *name;
};

struct saved {
    struct saved_line *line; /* without those of contents */
    size_t nlines;
    struct saved_unpacked *content;
    size_t ncontents;
    void *own;
};

/* Whether a file begins like a saved session. */
bool saved_is(const uint8_t *bytes, size_t n);
/* Reads all of it; NULL with an error that has the line.  most: bytes that its contents may unpack to; 0: no limit. */
struct saved *saved_read(const uint8_t *bytes, size_t n, uint64_t most, const struct ticker *, struct gpudbg_error *);
void saved_close(struct saved *);

/* The words of a line from left to right; false or NULL with an error that names what is missing. */
const char *saved_next(struct saved_line *, const char *what, struct gpudbg_error *);
bool saved_number(struct saved_line *, const char *what, uint64_t most, uint64_t *, struct gpudbg_error *);
/* Pairs of hex digits: how many bytes, in *bytes, malloc'ed. */
bool saved_hex(struct saved_line *, const char *what, uint8_t **bytes, size_t *n, struct gpudbg_error *);
bool saved_more(const struct saved_line *); /* words are left */
/* Takes the next word if it is this one. */
bool saved_take(struct saved_line *, const char *word);
bool saved_done(struct saved_line *, struct gpudbg_error *); /* no words are left */

#endif
