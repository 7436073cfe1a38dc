/* SPDX-License-Identifier: GPL-3.0-or-later */
/* charset.c: characters as bytes; see charset.h. */
#include "base/charset.h"
#include <errno.h>
#include <iconv.h>
#include <string.h>

size_t utf8_decode(const unsigned char *p, size_t n, uint32_t *c)
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

size_t utf8_encode(uint32_t c, char *to)
{
    if (c < 0x80) return to[0] = (char)c, 1;
    const size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i; i--, c >>= 6) to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)(0xf00u >> length | c);
    return length;
}

/* How many bytes stand before the first one that is not ASCII. */
static size_t ascii(const char *text, size_t n)
{
    size_t i = 0;
    for (uint64_t eight; i + sizeof eight <= n; i += sizeof eight) {
        memcpy(&eight, text + i, sizeof eight);
        if (eight & UINT64_C(0x8080808080808080)) break;
    }
    while (i < n && !((unsigned char)text[i] & 0x80)) i++;
    return i;
}

bool utf8_valid(const char *text, size_t n)
{
    uint32_t c;
    for (size_t i = ascii(text, n), length; i < n; i += length) {
        length = utf8_decode((const unsigned char *)text + i, n - i, &c);
        if (!length) return false;
    }
    return true;
}

bool charset_open(struct charset *c, const char *from)
{
    *c = (struct charset){iconv_open("UTF-8", from), strncmp(from, "UTF-16", 6) == 0 ? 2 : 1};
    return c->iconv != (iconv_t)-1; /* NOLINT: iconv_open's only sign of failure */
}

void charset_close(struct charset *c) { iconv_close(c->iconv); }

size_t charset_put(struct charset *c, const char **in, size_t *n, char *to, size_t room)
{
    char *out = to, *at = (char *)(uintptr_t)*in; /* iconv does not change what it reads */
    while (*n && iconv(c->iconv, &at, n, &out, &room) == (size_t)-1 && errno == EILSEQ && *n >= c->unit &&
           room >= sizeof CHARSET_UNKNOWN - 1) {
        memcpy(out, CHARSET_UNKNOWN, sizeof CHARSET_UNKNOWN - 1);
        out += sizeof CHARSET_UNKNOWN - 1;
        room -= sizeof CHARSET_UNKNOWN - 1;
        at += c->unit;
        *n -= c->unit;
    }
    *in = at;
    return (size_t)(out - to);
}

/* Whether the line has bytes above ASCII, and no two of them make a character of UTF-8. */
static bool is_western(const char *line, size_t n)
{
    uint32_t c;
    bool above = false;
    for (size_t i = ascii(line, n); i < n; i++) {
        above |= (unsigned char)line[i] >= 0x80;
        if (utf8_decode((const unsigned char *)line + i, n - i, &c) > 1) return false;
    }
    return above;
}

size_t charset_western(const char *line, size_t n, char *to, size_t room)
{
    if (!is_western(line, n)) return 0;
    struct charset c;
    if (!charset_open(&c, "CP1252")) return 0;
    const size_t size = charset_put(&c, &line, &n, to, room);
    charset_close(&c);
    return size;
}
