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

json_t *wire_next(struct wire *w, char *bad, size_t size)
{
    size_t length = 0;
    const size_t head = w->broken || w->n == w->from ? 0 : header(w, &length);
    *bad = 0;
    if (!head || w->n - w->from - head < length) return NULL;
    json_error_t why;
    json_t *message = json_loadb(w->bytes + w->from + head, length, JSON_REJECT_DUPLICATES, &why);
    w->from += head + length;
    if (!message) snprintf(bad, size, "line %d, column %d: %s", why.line, why.column, why.text);
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
