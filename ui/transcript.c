/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "transcript.h"

#include <stdlib.h>
#include <string.h>

static void line_add(struct transcript *t, enum style style, const char *text, size_t n)
{
    char *copy = malloc(n + 1);
    if (!copy)
        return;
    memcpy(copy, text, n);
    copy[n] = 0;
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
    while (t->count > count)
        free(t->line[(t->first + --t->count) % TRANSCRIPT_LINES].text);
}

void transcript_free(struct transcript *t)
{
    transcript_cut(t, 0);
}
