/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shown.c: text that a terminal may be sent; see shown.h. */
#include "base/shown.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
    return false;
}

/* The character at the start of n bytes, in *c, and its length; 0: no UTF-8 (Unicode 15, table 3-7). */
static size_t decode(const unsigned char *p, size_t n, uint32_t *c)
{
    const size_t length = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (!length || length > n) return 0;
    *c = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80) return 0;
        *c = *c << 6 | (p[i] & 0x3f);
    }
    const bool overlong = (length == 3 && *c < 0x800) || (length == 4 && *c < 0x10000);
    return overlong || *c > 0x10ffff || (*c >= 0xd800 && *c <= 0xdfff) ? 0 : length;
}

size_t shown_next(const char *text, size_t n, enum shown kind, char escape[SHOWN_MOST])
{
    uint32_t c;
    const size_t length = decode((const unsigned char *)text, n, &c);
    escape[0] = 0;
    if (!length || (c < 0x80 && controls(c) && !(kind == SHOWN_TEXT && (c == '\n' || c == '\t'))))
        snprintf(escape, SHOWN_MOST, "\\x%02x", (unsigned char)*text);
    else if (c >= 0x80 && controls(c))
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
            if (c < 0x20 || c >= 0x7f) length = shown_next(text + at, n - at, kind, escape);
            if ((c < 0x20 || c >= 0x7f) && escape[0]) return at;
            at += length;
        }
    }
    return n;
}

size_t shown_in(char *buf, size_t size, const char *text, size_t n, enum shown kind)
{
    char escape[SHOWN_MOST];
    struct text t = text_in(buf, size);
    while (n) {
        const size_t length = shown_next(text, n, kind, escape), room = escape[0] ? strlen(escape) : length;
        if (size && room >= text_room(&t)) { /* no part of a character: what is behind it counts, and is not written */
            t.n += room;
            size = t.size = 0;
        } else {
            text_add_bytes(&t, escape[0] ? escape : text, room);
        }
        text += length;
        n -= length;
    }
    return t.n;
}

bool shown_write(FILE *f, const char *text, size_t n)
{
    char escape[SHOWN_MOST];
    while (n) {
        const size_t clean = shown_clean(text, n, SHOWN_TEXT);
        if (clean && fwrite(text, 1, clean, f) != clean) return false;
        text += clean;
        n -= clean;
        if (!n) break;
        const size_t length = shown_next(text, n, SHOWN_TEXT, escape);
        if (fputs(escape, f) < 0) return false;
        text += length;
        n -= length;
    }
    return true;
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
