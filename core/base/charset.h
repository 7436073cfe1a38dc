/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * charset.h: characters as bytes.  gpudbg's text is UTF-8; what comes in another character set is converted by iconv.
 */
#ifndef GPUDBG_CHARSET_H
#define GPUDBG_CHARSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The character at the start of n bytes, in *c, and its length; 0: no UTF-8 (Unicode 15, table 3-7). */
size_t utf8_decode(const unsigned char *, size_t n, uint32_t *c);
/* The bytes of a character, at most 4; how many. */
size_t utf8_encode(uint32_t c, char *to);
bool utf8_valid(const char *, size_t n);

#define CHARSET_UNKNOWN "\xef\xbf\xbd" /* U+FFFD, which stands for bytes that no character has */
#define CHARSET_MOST 3                 /* bytes of UTF-8 that a byte of the sets below may become */

/* From one character set to UTF-8, in pieces. */
struct charset {
    void *iconv;
    size_t unit; /* bytes to skip where iconv finds no character: 2 of UTF-16, else 1 */
};
bool charset_open(struct charset *, const char *from); /* false: iconv knows no such set, or has no memory */
void charset_close(struct charset *);                  /* after true */
/* Converts what is at *in and moves it on; what is left there is the start of a character, at most 3 bytes.  `to` has
 * room for CHARSET_MOST bytes a byte.  How many there are now. */
size_t charset_put(struct charset *, const char **in, size_t *n, char *to, size_t room);

/* A line with bytes above ASCII of which none are UTF-8 is taken for Windows-1252, which has all letters of ISO 8859-1:
 * its length as UTF-8 in `to`, which has room for CHARSET_MOST * n bytes; 0: it is another, or iconv knows no such set.
 */
size_t charset_western(const char *line, size_t n, char *to, size_t room);

#endif
