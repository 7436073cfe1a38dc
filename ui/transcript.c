/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transcript.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static void line_add(struct transcript *t, enum style style, const char *text, size_t n)
{
    char *copy = xalloc(n + 1);
    memcpy(copy, text, n);
    if (t->count == TRANSCRIPT_LINES) {
        free(t->line[t->first].text);
        t->first = (t->first + 1) % TRANSCRIPT_LINES;
        t->count--;
    }
    t->line[(t->first + t->count++) % TRANSCRIPT_LINES] = (struct transcript_line){copy, style};
}

void transcript_add(struct transcript *t, enum style style, const char *text)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        line_add(t, style, text, n);
        text += n + (text[n] == '\n');
    }
}

const struct transcript_line *transcript_line(const struct transcript *t, size_t i)
{
    return i < t->count ? &t->line[(t->first + i) % TRANSCRIPT_LINES] : NULL;
}

void transcript_cut(struct transcript *t, size_t count)
{
    while (t->count > count) free(t->line[(t->first + --t->count) % TRANSCRIPT_LINES].text);
}

/* ---- As a stream ---- */

#define LINE_MAX_BYTES 4000 /* a longer line is cut in two */

struct stream {
    struct transcript *transcript;
    bool (*wrote)(void *, const char *, size_t);
    void *data;
    char part[LINE_MAX_BYTES]; /* of a line that has not ended */
    size_t n;
};

static void part_end(struct stream *s)
{
    line_add(s->transcript, STYLE_text, s->part, s->n);
    s->n = 0;
}

static ssize_t stream_write(void *cookie, const char *text, size_t n)
{
    struct stream *s = cookie;
    for (size_t i = 0; i < n; i++) {
        const bool begins = (text[i] & 0xc0) != 0x80; /* a line is not cut within a character */
        if (text[i] == '\n' || s->n == LINE_MAX_BYTES || (begins && s->n > LINE_MAX_BYTES - 4)) part_end(s);
        if (text[i] != '\n') s->part[s->n++] = text[i];
    }
    return s->wrote && !s->wrote(s->data, text, n) ? 0 : (ssize_t)n;
}

static int stream_close(void *cookie)
{
    struct stream *s = cookie;
    if (s->n) part_end(s);
    free(s);
    return 0;
}

FILE *transcript_stream(struct transcript *t, bool (*wrote)(void *, const char *, size_t), void *data)
{
    struct stream *s = xalloc(sizeof *s);
    s->transcript = t;
    s->wrote = wrote;
    s->data = data;
    FILE *f = fopencookie(s, "w", (cookie_io_functions_t){.write = stream_write, .close = stream_close});
    if (!f) free(s);
    return f;
}

void transcript_free(struct transcript *t) { transcript_cut(t, 0); }
