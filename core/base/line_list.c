/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/line_list.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"

#define BYTES_MOST ((size_t)256 << 20) /* of all lines of a list */

bool lines_add(struct line_list *lines, const char *text, uint64_t most, struct gpudbg_error *err)
{
    const size_t size = strlen(text) + 1;
    if (most && lines->n >= most)
        return gpudbg_fail(err, "too-large", "more than %" PRIu64 " lines (set script-limit)", most);
    if (size > BYTES_MOST - lines->bytes)
        return gpudbg_fail(err, "too-large", "the lines have more than %zu MB", BYTES_MOST >> 20);
    if (lines->n == lines->room) {
        const size_t room = lines->room ? 2 * lines->room : 8;
        char **line = realloc(lines->line, room * sizeof *line);
        if (!line) return alloc_failed(err, room * sizeof *line, "lines");
        lines->line = line;
        lines->room = room;
    }
    char *copy = malloc(size);
    if (!copy) return alloc_failed(err, size, "a line");
    lines->line[lines->n++] = memcpy(copy, text, size);
    lines->bytes += size;
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
