/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_mail.c: what mails do to the lines of a log: quoted-printable, whose header whoever pasted it leaves out as a
 * rule.  A character is "=3D" there, and a line that ends with "=" goes on in the next one.
 */
#include <ctype.h>
#include <string.h>
#include "dump/dump.h"

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

/* "=0A=" at the end: the mail's line ends where the text's does, which some servers write for each line. */
static bool ends_whole(const char *text, size_t n) { return n >= 4 && memcmp(text + n - 4, "=0A=", 4) == 0; }

/* The byte that three letters such as "=E2" stand for; 0: they stand for none. */
static int byte_of(const char *at, const char *end)
{
    const bool coded = end - at >= 3 && at[0] == '=' && hex(at[1]) >= 0 && hex(at[2]) >= 0;
    return coded ? hex(at[1]) << 4 | hex(at[2]) : 0;
}

/* Whether the line leaves no doubt that it is quoted-printable: "=3D" in it as a logger's text has "=", a byte of
 * UTF-8, a dot at its start (which mail doubles else), a blank at its end. */
static bool is_quoted(const char *text, size_t n)
{
    static const char *const signs[] = {"=3D0x", " =3D ", "=3D=3D"};
    if (memchr(text, 'q', n) && memmem(text, n, "quoted-printable", 16)) return true;
    if (!memchr(text, '=', n)) return false;
    if (ends_whole(text, n)) return true;
    if (n >= 3 && (memcmp(text, "=2E", 3) == 0 || memcmp(text + n - 3, "=20", 3) == 0)) return true;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (memmem(text, n, signs[i], strlen(signs[i]))) return true;
    for (const char *at = text; (at = memchr(at, '=', (size_t)(text + n - at))); at++)
        if (byte_of(at, text + n) >= 0xc2 && at + 3 < text + n && (byte_of(at + 3, text + n) & 0xc0) == 0x80)
            return true;
    for (const char *at = text; (at = memmem(at, (size_t)(text + n - at), "=3D", 3)); at++) /* "seq=3D12", "id=3Dff" */
        if (at > text && isalpha((unsigned char)at[-1]) && at + 3 < text + n && isalnum((unsigned char)at[3]))
            return true;
    return false;
}

size_t dump_unquote(struct dump_cleaner *c, char *text, size_t n)
{
    size_t to = 0;
    if (!c->quoted) c->quoted = is_quoted(text, n);
    if (!c->quoted || !memchr(text, '=', n)) return n;
    if (ends_whole(text, n)) n -= 4;
    for (size_t i = 0; i < n; i++) {
        if (ends_whole(text, i + 4 <= n ? i + 4 : 0)) { /* of a line that was wrapped: its rest follows */
            if (i + 4 < n && text[i + 4] != ' ') text[to++] = ' ';
            i += 3;
        } else if (text[i] == '=' && i + 2 < n && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
            text[to++] = (char)(hex(text[i + 1]) << 4 | hex(text[i + 2]));
            i += 2;
        } else {
            text[to++] = text[i];
        }
    }
    return to;
}

bool dump_goes_on(const struct dump_cleaner *c, const char *text, size_t n)
{
    /* Columns at which mailers break such lines; quotes of answers make them longer.  " =" at fewer columns is a log's
     * own, "status = 0x1", that was wrapped there. */
    enum { LEAST = 60, LEAST_BLANK = 72, MOST = 76 };
    if (!n || text[n - 1] != '=' || ends_whole(text, n)) return false;
    const size_t quotes = strspn(text, "> ");
    return c->quoted || (n >= (n > 1 && text[n - 2] == ' ' ? LEAST_BLANK : LEAST) &&
                            n - (quotes < n ? quotes : 0) <= MOST && n > 1 && !strchr("=!", text[n - 2]));
}
