/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages in and out; see wire.h. */
#include "dap/wire.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/shown.h"

#define PIECE 65536                                /* bytes that are read at once */
#define WAITING (2 * (WIRE_MESSAGE + WIRE_HEADER)) /* that may wait to be read: then no more are taken */

void wire_close(struct wire *w)
{
    free(w->bytes);
    *w = (struct wire){.in = -1, .out = -1, .ended = true};
}

static void broken(struct wire *w, const char *why)
{
    w->ended = true;
    if (!w->broken) w->broken = why;
}

/* ---- In ---- */

/* Reads once; the descriptor has something, or has ended. */
static void take(struct wire *w)
{
    if (w->from && w->from == w->n) w->from = w->n = 0;
    if (w->from > WIRE_MESSAGE) {
        memmove(w->bytes, w->bytes + w->from, w->n - w->from);
        w->n -= w->from;
        w->from = 0;
    }
    if (w->n + PIECE > w->room) w->bytes = xrealloc(w->bytes, w->room = w->n + 2 * PIECE, 1);
    const ssize_t got = read(w->in, w->bytes + w->n, PIECE);
    if (got > 0)
        w->n += (size_t)got;
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        w->ended = true;
}

void wire_fill(struct wire *w, int milliseconds)
{
    struct pollfd p = {.fd = w->in, .events = POLLIN};
    if (w->in < 0) w->ended = true;
    for (; !w->ended && w->n - w->from < WAITING && poll(&p, 1, milliseconds) > 0; milliseconds = 0) take(w);
}

/* The length of the header with its empty line, and what it says of the message; 0: it is not whole. */
static size_t header(struct wire *w, size_t *length)
{
    const char *at = w->bytes + w->from;
    const size_t n = w->n - w->from;
    bool known = false;
    for (size_t i = 0; i < n;) {
        const char *end = memchr(at + i, '\n', n - i);
        const size_t line = (end ? (size_t)(end - at) : n) - i;
        if (line > WIRE_HEADER || i > WIRE_HEADER) break;
        if (!end) return 0;
        const size_t shown = line && at[i + line - 1] == '\r' ? line - 1 : line;
        const char *text = at + i;
        i += line + 1;
        if (!shown) {
            if (!known) broken(w, "a header without Content-Length");
            return known ? i : 0;
        }
        static const char length_is[] = "Content-Length:", type_is[] = "Content-Type:";
        if (shown >= sizeof type_is - 1 && strncasecmp(text, type_is, sizeof type_is - 1) == 0) continue;
        size_t k = sizeof length_is - 1;
        if (known || shown < k || strncasecmp(text, length_is, k) != 0) break;
        while (k < shown && text[k] == ' ') k++;
        const size_t digits = k;
        for (*length = 0; k < shown && isdigit((unsigned char)text[k]); k++)
            if (*length <= WIRE_MESSAGE) *length = *length * 10 + (size_t)(text[k] - '0');
        while (k < shown && text[k] == ' ') k++;
        if (k == digits || k < shown) break;
        if (*length > WIRE_MESSAGE) {
            broken(w, "a message of more than 8 MiB");
            return 0;
        }
        known = true;
    }
    if (n) broken(w, "a header that is not of the Debug Adapter Protocol");
    return 0;
}

/* The number of \uXXXX at p, which has n bytes; -1: it is not that. */
static int escaped(const char *p, size_t n)
{
    char digits[5] = "";
    if (n < 6 || p[0] != '\\' || p[1] != 'u') return -1;
    memcpy(digits, p + 2, 4);
    return strspn(digits, "0123456789abcdefABCDEF") == 4 ? (int)strtol(digits, NULL, 16) : -1;
}

/* Copies one character of a message, an escape as a whole; returns how many bytes it is.  What is put in the place of
 * another is no longer than that, but for a byte that is not UTF-8: one letter. */
static size_t mend_one(const char *p, size_t n, char *to, size_t *made)
{
    char escape[SHOWN_MOST];
    size_t size = p[0] == '\\' && n > 1 ? 2 : 1;
    const int code = escaped(p, n), low = code >= 0 ? escaped(p + 6, n - 6) : -1;
    const bool high = code >= 0xd800 && code < 0xdc00, pair = high && low >= 0xdc00 && low < 0xe000;
    const char *put = p;
    if (code >= 0) {
        size = pair ? 12 : 6;
        if (!code || (code >= 0xd800 && code < 0xe000 && !pair)) put = "\\ufffd";
    } else if (!p[0]) {
        put = "?";
    } else if ((unsigned char)p[0] >= 0x80) {
        size = shown_next(p, 0, n, SHOWN_LINE, escape);
        if (escape[0] && escape[1] == 'x') put = "?";
    }
    *made = put[0] == '?' && put != p ? 1 : size;
    memcpy(to, put, *made);
    return size;
}

static json_t *mend(const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    size_t made, length = 0;
    for (size_t at = 0; copy && at < n; length += made) at += mend_one(text + at, n - at, copy + length, &made);
    json_t *message = copy ? json_loadb(copy, length, JSON_REJECT_DUPLICATES, NULL) : NULL;
    free(copy);
    return message;
}

json_t *wire_next(struct wire *w, char *bad, size_t size, json_t **mended)
{
    size_t length = 0;
    *mended = NULL;
    const size_t head = w->broken || w->n == w->from ? 0 : header(w, &length);
    *bad = 0;
    if (!head || w->n - w->from - head < length) return NULL;
    json_error_t why;
    json_t *message = json_loadb(w->bytes + w->from + head, length, JSON_REJECT_DUPLICATES, &why);
    if (!message) {
        snprintf(bad, size, "line %d, column %d: %s", why.line, why.column, why.text);
        *mended = mend(w->bytes + w->from + head, length);
    }
    w->from += head + length;
    if (*mended && !json_is_object(*mended)) {
        json_decref(*mended);
        *mended = NULL;
    }
    if (message && !json_is_object(message)) {
        snprintf(bad, size, "the message is not an object");
        json_decref(message);
        message = NULL;
    }
    return message;
}

/* ---- Out ---- */

static void write_all(struct wire *w, const char *text, size_t n)
{
    while (n && w->out >= 0) {
        struct pollfd p[2] = {{.fd = w->out, .events = POLLOUT}, {.fd = w->in, .events = POLLIN}};
        const bool listens = !w->ended && w->in >= 0 && w->n - w->from < WAITING;
        if (poll(p, listens ? 2 : 1, -1) < 0 && errno != EINTR) break;
        if (listens && p[1].revents && !(p[0].revents & POLLOUT)) take(w);
        if (!p[0].revents) continue;
        const ssize_t put = write(w->out, text, n < PIPE_BUF ? n : PIPE_BUF);
        if (put < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (put <= 0) break;
        text += put;
        n -= (size_t)put;
    }
    if (!n || w->out < 0) return;
    w->ended = true; /* nobody reads any more */
    w->out = -1;
}

void wire_send(struct wire *w, json_t *message)
{
    char head[64];
    char *text = json_dumps(message, JSON_COMPACT | JSON_ENSURE_ASCII); /* no C1, no direction of writing as such */
    json_decref(message);
    if (!text) xalloc_end();
    for (char *c = text; (c = strchr(c, 0x7f));) *c = '?'; /* DEL, which only the editor's own words hold */
    const size_t n = strlen(text);
    const int head_length = snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", n);
    write_all(w, head, (size_t)head_length);
    write_all(w, text, n);
    free(text);
}
