/* SPDX-License-Identifier: GPL-3.0-or-later */
/* attempt_line.c: a line as instructions, inputs and what is expected. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "attempt/attempt.h"
#include "base/alloc.h"

#define TEXT_MOST 65536

/* "NAME=VALUE": the length of NAME, or 0. */
static size_t name_length(const char *word)
{
    if (!isalpha((unsigned char)*word) && *word != '_') return 0;
    size_t n = 0;
    while (isalnum((unsigned char)word[n]) || (word[n] && strchr("_[]:./@+", word[n]))) n++;
    return word[n] == '=' && word[n + 1] && word[n + 1] != '=' ? n : 0;
}

/* The start of the last word that ends at `end`. */
static char *word_before(char *start, char *end)
{
    while (end > start && !isspace((unsigned char)end[-1])) end--;
    return end;
}

static char *trimmed(char *start, char *end)
{
    while (end > start && isspace((unsigned char)end[-1])) end--;
    *end = 0;
    return end;
}

/* Cuts the words NAME=VALUE off the end of a text. */
static void take_inputs(struct attempt_line *line, char *start, char *end)
{
    for (;;) {
        end = trimmed(start, end);
        char *word = word_before(start, end);
        const size_t n = name_length(word);
        if (!n) return;
        word[n] = 0;
        line->in[line->nin++] = (struct attempt_word){word, word + n + 1};
        end = word;
    }
}

static void take_expected(struct attempt_line *line, char *at)
{
    while (*(at += strspn(at, " \t\r\n"))) {
        char *word = at;
        at += strcspn(at, " \t\r\n");
        if (*at) *at++ = 0;
        char *equals = strchr(word, '=');
        if (equals) *equals = 0;
        line->out[line->nout++] = (struct attempt_word){word, equals ? equals + 1 : NULL};
    }
}

static void turn_around(struct attempt_word *w, size_t n)
{
    for (size_t i = 0; i < n / 2; i++) {
        const struct attempt_word last = w[n - 1 - i];
        w[n - 1 - i] = w[i];
        w[i] = last;
    }
}

/* A line for each instruction.  A semicolon inside brackets belongs to it: a region is <8;8,1>. */
static void cut_instructions(char *code)
{
    int depth = 0;
    for (char *p = code; *p; p++) {
        depth += strchr("<([{", *p) != NULL;
        depth -= strchr(">)]}", *p) != NULL;
        if (*p == ';' && depth <= 0) *p = '\n';
    }
}

bool attempt_split(const char *text, struct attempt_line *line, struct gpudbg_error *err)
{
    *line = (struct attempt_line){0};
    const size_t n = strlen(text);
    if (n > TEXT_MOST) return gpudbg_fail(err, "too-large", "a line of %zu characters; %d at most", n, TEXT_MOST);
    line->text = xstrdup(text);
    line->in = xcalloc(n / 2 + 1, sizeof *line->in);
    line->out = xcalloc(n / 2 + 1, sizeof *line->out);
    char *arrow = strstr(line->text, "->");
    if (arrow) {
        line->expects = true;
        take_expected(line, arrow + 2);
        *arrow = 0;
    }
    char *start = line->text + strspn(line->text, " \t");
    take_inputs(line, start, start + strlen(start));
    turn_around(line->in, line->nin);
    line->code = xstrdup(start);
    cut_instructions(line->code);
    if (strspn(line->code, " \t\r\n") != strlen(line->code)) return true;
    attempt_line_free(line);
    return gpudbg_fail(err, "usage", "an instruction is missing: try INSTRUCTION NAME=VALUE...");
}

void attempt_line_free(struct attempt_line *line)
{
    free(line->code);
    free(line->in);
    free(line->out);
    free(line->text);
    *line = (struct attempt_line){0};
}
