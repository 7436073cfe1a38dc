/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shown.c: text that a terminal may be sent; see shown.h. */
#include "base/shown.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/charset.h"
#include "gpudbg/text.h"

#define BLOCK 64
#define LINE 4096 /* bytes that shown_print makes without asking for memory */

typedef uint8_t bytes16 __attribute__((vector_size(16)));

/* Whether all bytes of a block are ASCII that needs no change.  Listings are megabytes of it, so the vectors are
 * written out: of a loop over bytes compilers make one over words, which takes 1.7 times as long. */
static bool block_clean(const unsigned char *p)
{
    bytes16 v[BLOCK / 16], odd = {0};
    memcpy(v, p, BLOCK);
    for (int i = 0; i < BLOCK / 16; i++) odd |= (bytes16)((v[i] - 0x20 >= 0x5f) & (v[i] != '\n') & (v[i] != '\t'));
    uint64_t half[2];
    memcpy(half, &odd, sizeof half);
    return !(half[0] | half[1]);
}

/* Unicode 15.1: general categories Cc, Cf, Zl and Zp, and the property Default_Ignorable_Code_Point
 * (DerivedCoreProperties.txt): directions of writing, tags, fillers, joiners and others that nobody sees.  With them
 * names that differ look alike (UTS 39, 3.1). */
static bool controls(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0x00, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x34f, 0x34f}, {0x600, 0x605},
        {0x61c, 0x61c}, {0x6dd, 0x6dd}, {0x70f, 0x70f}, {0x890, 0x891}, {0x8e2, 0x8e2}, {0x115f, 0x1160},
        {0x17b4, 0x17b5}, {0x180b, 0x180f}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164},
        {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x110bd, 0x110bd}, {0x110cd, 0x110cd},
        {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) /* they ascend */
        if (c <= ranges[i][1]) return c >= ranges[i][0];
    return false;
}

/* Unicode 15.1, Scripts.txt: scripts whose letters look like Latin's (UTS 39, confusables.txt), and Latin letters of
 * other widths and of mathematics. */
static bool looks_latin(uint32_t c)
{
    static const uint32_t ranges[][2] = {{0x370, 0x3ff}, {0x400, 0x52f}, {0x531, 0x58f}, {0x10a0, 0x10ff},
        {0x13a0, 0x13ff}, {0x1c80, 0x1c8f}, {0x1f00, 0x1fff}, {0x2100, 0x2188}, {0x2c80, 0x2cff}, {0x2de0, 0x2dff},
        {0xa4d0, 0xa4ff}, {0xa640, 0xa69f}, {0xab70, 0xabbf}, {0xff21, 0xff3a}, {0xff41, 0xff5a}, {0x10280, 0x102df},
        {0x10400, 0x1044f}, {0x1d400, 0x1d7ff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
    return false;
}

/* Punctuation beyond ASCII, by the first bytes: U+0080 to U+00BF, U+2000 to U+207F, U+3000 to U+303F. */
static bool is_punctuation(const unsigned char *p, size_t n)
{
    return p[0] == 0xc2 || (n > 1 && p[0] == 0xe2 && (p[1] & 0xfe) == 0x80) || (n > 1 && p[0] == 0xe3 && p[1] == 0x80);
}

/* What a byte of a name is: 2 a Latin letter, 1 another part of it, 0 its end. */
static int of_name(const unsigned char *p, size_t n, size_t at)
{
    const unsigned char c = p[at], low = c | 0x20;
    if (c < 0x80) return low >= 'a' && low <= 'z' ? 2 : (c >= '0' && c <= '9') || c == '_';
    for (size_t back = 0; back < 3 && back <= at; back++)
        if (is_punctuation(p + at - back, n - at + back)) return 0;
    return 1;
}

static bool in_latin_name(const unsigned char *p, size_t at, size_t n)
{
    int is = 1;
    for (size_t i = at; is == 1 && i-- > 0 && at - i <= SHOWN_NAME;) is = of_name(p, n, i);
    if (is == 2) return true;
    is = 1;
    for (size_t i = at; is == 1 && i < n && i - at <= SHOWN_NAME; i++) is = of_name(p, n, i);
    return is == 2;
}

size_t shown_next(const char *text, size_t at, size_t n, enum shown kind, char escape[SHOWN_MOST])
{
    uint32_t c;
    const size_t length = utf8_decode((const unsigned char *)text + at, n - at, &c);
    escape[0] = 0;
    if (!length || (c < 0x80 && controls(c) && !(kind == SHOWN_TEXT && (c == '\n' || c == '\t'))))
        snprintf(escape, SHOWN_MOST, "\\x%02x", (unsigned char)text[at]);
    else if (c >= 0x80 && (controls(c) || (looks_latin(c) && in_latin_name((const unsigned char *)text, at, n))))
        snprintf(escape, SHOWN_MOST, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
    return length ? length : 1;
}

size_t shown_clean(const char *text, size_t n, enum shown kind)
{
    char escape[SHOWN_MOST];
    size_t at = 0;
    while (at < n) {
        if (kind == SHOWN_TEXT && n - at >= BLOCK && block_clean((const unsigned char *)text + at)) {
            at += BLOCK;
            continue;
        }
        for (const size_t end = n - at > BLOCK ? at + BLOCK : n; at < end;) { /* a character may end behind it */
            const unsigned char c = (unsigned char)text[at];
            size_t length = 1;
            if (c < 0x20 || c >= 0x7f) length = shown_next(text, at, n, kind, escape);
            if ((c < 0x20 || c >= 0x7f) && escape[0]) return at;
            at += length;
        }
    }
    return n;
}

/* Bytes of ASCII at the start that need no change. */
static size_t clean_ascii(const char *text, size_t n)
{
    size_t at = 0;
    while (n - at >= BLOCK && block_clean((const unsigned char *)text + at)) at += BLOCK;
    for (; at < n; at++) {
        const unsigned char c = (unsigned char)text[at];
        if ((c < 0x20 && c != '\n' && c != '\t') || c >= 0x7f) break;
    }
    return at;
}

size_t shown_in(char *buf, size_t size, const char *text, size_t n, enum shown kind)
{
    char escape[SHOWN_MOST];
    struct text t = text_in(buf, size);
    for (size_t at = 0, length; at < n; at += length) {
        length = shown_next(text, at, n, kind, escape);
        const size_t room = escape[0] ? strlen(escape) : length;
        if (size && room >= text_room(&t)) { /* no part of a character: what is behind it counts, and is not written */
            t.n += room;
            size = t.size = 0;
        } else {
            text_add_bytes(&t, escape[0] ? escape : text + at, room);
        }
    }
    return t.n;
}

bool shown_write(FILE *f, const char *text, size_t n)
{
    char escape[SHOWN_MOST];
    size_t from = 0; /* what is not written yet */
    for (size_t at = 0, length; at < n; at += length) {
        escape[0] = 0;
        if (!(length = clean_ascii(text + at, n - at))) length = shown_next(text, at, n, SHOWN_TEXT, escape);
        if (!escape[0]) continue;
        if (fwrite(text + from, 1, at - from, f) != at - from || fputs(escape, f) < 0) return false;
        from = at + length;
    }
    return fwrite(text + from, 1, n - from, f) == n - from;
}

/* What says that memory has ended must not need any: a line that fits is made on the stack, and of a longer one at
 * least its beginning is shown. */
void shown_print(FILE *f, const char *fmt, ...)
{
    char line[LINE], *text = NULL;
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (n >= LINE) {
        va_start(ap, fmt);
        if (vasprintf(&text, fmt, ap) < 0) text = NULL;
        va_end(ap);
    }
    if (n >= LINE && !text) memcpy(line + sizeof line - sizeof " ...\n", " ...\n", sizeof " ...\n");
    if (n >= 0) shown_write(f, text ? text : line, strlen(text ? text : line));
    free(text);
}
