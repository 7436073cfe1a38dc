/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "reflow.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cells.h"

#define FULL 70  /* columns from which on a line may have been broken because it was full */
#define LEAST 24 /* columns that a column of descriptions must have to be kept */

/* A line of the text: where it begins to say something, and where its description does. */
struct line {
    const char *text;
    size_t n;
    size_t indent, column; /* column: of the description behind two blanks or more; else the indent */
};

static struct line line_next(const char **at)
{
    struct line l = {.text = *at, .n = strcspn(*at, "\n")};
    while (l.indent < l.n && l.text[l.indent] == ' ') l.indent++;
    l.column = l.indent;
    for (size_t i = l.indent; i + 2 < l.n; i++)
        if (l.text[i] != ' ' && l.text[i + 1] == ' ' && l.text[i + 2] == ' ') {
            size_t to = i + 1;
            while (to < l.n && l.text[to] == ' ') to++;
            if (to == i + 3 && strchr(".?!", l.text[i])) continue; /* the next sentence */
            l.column = to;
            break;
        }
    *at += l.n + ((*at)[l.n] == '\n');
    return l;
}

static int columns_of(const char *text, size_t n)
{
    char *copy = xstrndup(text, n);
    const int columns = text_columns(copy, true);
    free(copy);
    return columns;
}

/* Whether `next` goes on with what `line` says: it begins where the description does, and its first word had no room.
 */
static bool goes_on(const struct line *line, const struct line *next, int widest)
{
    const char end = line->n ? line->text[line->n - 1] : ' ';
    size_t word = next->indent;
    if (strchr(".:;)", end) && word < next->n && !islower((unsigned char)next->text[word])) return false; /* another */
    while (word < next->n && next->text[word] != ' ') word++;
    return next->indent < next->n && next->indent == line->column && next->column == next->indent && line->n >= FULL &&
           columns_of(line->text, line->n) + 1 + (int)(word - next->indent) > widest - 6;
}

/* One paragraph, which begins at `indent` and goes on at `column`. */
static void paragraph_put(FILE *f, const char *text, size_t column, int width)
{
    size_t hang = column < (size_t)width && (int)column + LEAST <= width ? column : 4 < width ? 4 : 0;
    size_t room = (size_t)width, at = 0, n = strlen(text);
    for (bool first = true; first || at < n; first = false) {
        size_t end = at, fits = at;
        for (size_t i = at; i <= n; i++)
            if (i == n || text[i] == ' ') {
                if (columns_of(text + at, i - at) > (int)room && fits > at) break;
                fits = i;
                if (columns_of(text + at, i - at) > (int)room) break;
            }
        end = fits > at ? fits : n;
        if (!first) fprintf(f, "%*s", (int)hang, "");
        while (end > at && text[end - 1] == ' ') end--;
        fprintf(f, "%.*s\n", (int)(end - at), text + at);
        at = fits > at ? fits : n;
        while (at < n && text[at] == ' ') at++;
        room = (size_t)width - hang;
    }
}

char *reflow(const char *text, int width)
{
    int widest = 0;
    for (const char *at = text; *at;) {
        const struct line l = line_next(&at);
        const int n = columns_of(l.text, l.n);
        widest = n > widest ? n : widest;
    }
    if (widest <= width || width < 2) return xstrdup(text);
    char *out = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&out, &size);
    if (!f) return xstrdup(text);
    for (const char *at = text; *at;) {
        const struct line head = line_next(&at);
        struct line last = head;
        char *whole = xstrndup(head.text, head.n);
        for (const char *more = at; *more; at = more) {
            const struct line next = line_next(&more);
            if (!goes_on(&last, &next, widest)) break;
            const size_t n = strlen(whole);
            whole = xrealloc(whole, n + next.n - next.indent + 2, 1);
            whole[n] = ' ';
            memcpy(whole + n + 1, next.text + next.indent, next.n - next.indent);
            whole[n + 1 + next.n - next.indent] = 0;
            last = next;
        }
        paragraph_put(f, whole, head.column, width);
        free(whole);
    }
    fclose(f);
    return out;
}
