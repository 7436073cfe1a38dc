/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c: a line as words; see words.h. */
#include "base/alloc.h"
#include "base/words.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES (1u << 20)

static char *skip_blanks(char *at)
{
    while (isspace((unsigned char)*at)) at++;
    return at;
}

static bool name_char(char c) { return isalnum((unsigned char)c) || c == '-' || c == '_'; }

bool args_open(struct gpudbg_args *a, struct eval *eval, const char *line, struct gpudbg_error *err)
{
    size_t n = strlen(line);
    *a = (struct gpudbg_args){.eval = eval};
    if (n > LINE_MAX_BYTES)
        return gpudbg_fail(err, "too-large", "the line has %zu bytes; at most %u are possible", n, LINE_MAX_BYTES);
    a->line = xalloc(n + 2);
    memcpy(a->line, line, n);
    a->line[n] = a->line[n + 1] = 0;
    while (n && isspace((unsigned char)a->line[n - 1])) a->line[--n] = 0;
    a->at = skip_blanks(a->line);
    a->format = a->line + n;
    return true;
}

void args_close(struct gpudbg_args *a)
{
    free(a->line);
    a->line = NULL;
}

/* Ends the text before `at` and returns what follows it. */
static char *cut(char *at)
{
    if (!*at) return at;
    *at = 0;
    return skip_blanks(at + 1);
}

const char *args_name(struct gpudbg_args *a)
{
    char *end = a->at;
    while (name_char(*end)) end++;
    if (*end && *end != '/' && !isspace((unsigned char)*end)) /* not a name: leave it whole for the error */
        while (*end && !isspace((unsigned char)*end)) end++;
    const char *name = a->at;
    if (*end == '/') {
        *end++ = 0;
        a->format = end;
        while (*end && !isspace((unsigned char)*end)) end++;
    }
    a->at = cut(end);
    return name;
}

void args_loose_format(struct gpudbg_args *a)
{
    if (*a->format || *a->at != '/') return;
    char *end = ++a->at;
    while (*end && !isspace((unsigned char)*end)) end++;
    a->format = a->at;
    a->at = cut(end);
}

const char *gpudbg_args_format(struct gpudbg_args *a) { return a->format; }

const char *gpudbg_args_word(struct gpudbg_args *a)
{
    if (!*a->at) return NULL;
    char *from = a->at, *to = a->at, quote = 0;
    const char *word = a->at;
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (quote && *from == quote)
            quote = 0;
        else if (!quote && (*from == '"' || *from == '\''))
            quote = *from;
        else {
            if (quote == '"' && *from == '\\' && from[1]) from++;
            *to++ = *from;
        }
    }
    bool more = *from != 0;
    *to = 0;
    a->at = more ? skip_blanks(from + 1) : from;
    return word;
}

const char *gpudbg_args_rest(struct gpudbg_args *a) { return a->at; }

bool args_end(struct gpudbg_args *a, struct gpudbg_error *err)
{
    if (*a->at) return gpudbg_fail(err, "usage", "\"%.60s\" is one word too many for this command", a->at);
    return true;
}

bool args_whole(struct gpudbg_args *a, char *buf, size_t size, struct gpudbg_error *err)
{
    const char *rest = gpudbg_args_rest(a);
    const size_t n = strlen(rest);
    if (n >= size)
        return gpudbg_fail(err, "too-large", "the argument has %zu letters; at most %zu are possible", n, size - 1);
    memcpy(buf, rest, n + 1);
    return true;
}

const char *args_need(struct gpudbg_args *a, const char *what, struct gpudbg_error *err)
{
    const char *word = gpudbg_args_word(a);
    if (!word) gpudbg_fail(err, "usage", "%s is missing", what);
    return word;
}

bool args_letters(struct gpudbg_args *a, uint64_t *count, char *letter, unsigned *size, struct gpudbg_error *err)
{
    const char *at = a->format;
    *count = 1;
    *letter = 0;
    *size = 0;
    if (isdigit((unsigned char)*at)) {
        char *end;
        *count = strtoull(at, &end, 10);
        at = end;
    }
    for (; *at; at++) {
        static const char sizes[] = "bhwg";
        const char *s = strchr(sizes, *at);
        if (s && !*size)
            *size = 1u << (s - sizes);
        else if (isalpha((unsigned char)*at) && !*letter)
            *letter = *at;
        else
            return gpudbg_fail(
                err, "usage", "/%s is not a format: write / count, a letter of xduotfacsi, a size of bhwg", a->format);
    }
    return true;
}
