/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.h: a line as words.  A word ends at a blank; "..." and '...' keep blanks, and a backslash in "..." keeps the
 * character behind it.  Words are cut out of a copy of the line, so that what is left is still as typed. eval/numbers.h
 * evaluates them.
 */
#ifndef GPUDBG_WORDS_H
#define GPUDBG_WORDS_H

#include "gpudbg.h"

struct eval;

struct gpudbg_args {
    struct eval *eval; /* what expressions in it mean, for those who evaluate words: eval/numbers.h; NULL: nothing */
    char *line;        /* the copy, malloc'ed */
    char *format;      /* after '/', "" if none */
    char *at;          /* what is left */
};

bool args_open(struct gpudbg_args *, struct eval *, const char *line, struct gpudbg_error *);
void args_close(struct gpudbg_args *);
/* Takes the command's name (letters, digits, - and _) from the left, and a /FORMAT that touches it. */
const char *args_name(struct gpudbg_args *);
/* Takes a format that stands alone: "disassemble /a". */
void args_loose_format(struct gpudbg_args *);

/* For commands: nothing may be left. */
bool args_end(struct gpudbg_args *, struct gpudbg_error *);
/* The next word, or an error that says what is missing. */
const char *args_need(struct gpudbg_args *, const char *what, struct gpudbg_error *);
/* The rest of the line in buf; false with an error of kind "too-large": it does not fit, and a part of it might mean
 * something else. */
bool args_whole(struct gpudbg_args *, char *buf, size_t size, struct gpudbg_error *);
/* Formats: "8xw" as count 8, letter 'x', size 4 bytes ('b' 'h' 'w' 'g'; 0 if not given); count is 1 if not given,
 * letter 0. */
bool args_letters(struct gpudbg_args *, uint64_t *count, char *letter, unsigned *size, struct gpudbg_error *);

#endif
