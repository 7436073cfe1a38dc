/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shown.h: text as a terminal, a log or a mail may be given it.  Names, source lines, messages and strings come from
 * files, and a file is a stranger's: an escape in it could write the clipboard, the title or the answer to a question.
 * What a terminal does not show as itself is therefore written out, and never sent:
 *
 *     \x1b      a control character (C0, DEL), or a byte that is not UTF-8
 *     \u202e    a character of Unicode that controls or that nobody sees: C1, directions of writing, separators of
 *               lines, joiners, fillers; beyond four digits \U000e0041, a tag
 *     \u0430    a letter of Greek, Cyrillic or another script with letters like Latin's, in a name that has Latin
 *               letters, too (mixed scripts of UTS 39): two names that look the same are not
 *
 * A backslash stands as it is, so text that was written out once is not changed again.
 */
#ifndef GPUDBG_SHOWN_H
#define GPUDBG_SHOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "gpudbg/error.h"

/* What may pass besides characters that are shown: ends of lines and tabs of text that the program makes itself. */
enum shown { SHOWN_LINE, SHOWN_TEXT };

#define SHOWN_MOST 12 /* bytes that one character can become, with a final 0 */

/* How many bytes at the start of n need no change. */
size_t shown_clean(const char *text, size_t n, enum shown);
#define SHOWN_NAME 128 /* bytes on both sides of a character that say whether its name has Latin letters */
/* Bytes of the character at text[at] of n (at least one), 1 to 4.  escape: what to write in its place; "": itself. */
size_t shown_next(const char *text, size_t at, size_t n, enum shown, char escape[SHOWN_MOST]);
/* As snprintf: writes what is shown of n bytes, cut where no whole character fits, and returns the length of all. */
size_t shown_in(char *buf, size_t size, const char *text, size_t n, enum shown);
/* The same to a stream; false: it could not be written. */
bool shown_write(FILE *, const char *text, size_t n);
/* fprintf through shown_write, for standard error. */
void shown_print(FILE *, const char *fmt, ...) GPUDBG_PRINTF(2, 3);

#endif
