/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/line_list.h"
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define LINES_MAX 10000

bool lines_add(struct line_list *lines, const char *text, struct gpudbg_error *err)
{
    if (lines->n >= LINES_MAX) return gpudbg_fail(err, "too-large", "more than %d lines", LINES_MAX);
    lines->line = xrealloc(lines->line, lines->n + 1, sizeof *lines->line);
    lines->line[lines->n++] = xstrdup(text);
    return true;
}

void lines_free(struct line_list *lines)
{
    for (size_t i = 0; i < lines->n; i++) free(lines->line[i]);
    free(lines->line);
    *lines = (struct line_list){0};
}

bool line_is(const char *line, const char *word)
{
    const size_t n = strlen(word);
    line += strspn(line, " \t");
    return strncmp(line, word, n) == 0 && !line[n + strspn(line + n, " \t\r")];
}
