/* SPDX-License-Identifier: GPL-3.0-or-later */
/* define.c: commands that the user defined: the list, and running one with its words in place. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/text.h"
#include "base/words.h"
#include "session/define.h"
#include "session/script.h"
#include "session/session.h"

static void define_free(struct define *d)
{
    lines_free(&d->lines);
    free(d->name);
    free(d->doc);
    free(d->alias);
    free(d);
}

void defines_free(struct define *first)
{
    for (struct define *d = first, *next; d; d = next) {
        next = d->next;
        define_free(d);
    }
}

const struct define *define_next(const struct gpudbg *g, const struct define *after)
{
    return after ? after->next : g->defines;
}

struct define *define_named(const struct gpudbg *g, const char *name)
{
    struct define *d = g->defines;
    while (d && strcmp(d->name, name) != 0) d = d->next;
    return d;
}

#define WORDS_MAX 10 /* that have a name; $argc counts them all */

/* The line with $argc and $arg0 to $arg9 replaced by the words given. */
static bool substituted(const char *line, const char *const *words, size_t nwords, char *buf, size_t size)
{
    struct text t = text_in(buf, size);
    while (*line && !text_is_cut(&t)) {
        if (strncmp(line, "$argc", 5) == 0 && !isalnum((unsigned char)line[5])) {
            text_add(&t, "%zu", nwords);
            line += 5;
        } else if (strncmp(line, "$arg", 4) == 0 && isdigit((unsigned char)line[4]) &&
                   !isalnum((unsigned char)line[5])) {
            size_t i = (size_t)(line[4] - '0');
            text_add(&t, "%s", i < nwords ? words[i] : "");
            line += 5;
        } else {
            text_add_char(&t, *line++);
        }
    }
    return !text_is_cut(&t);
}

#define LINE_SIZE 65536
#define RUN_SIZE (16 << 20)

/* The lines to run: a copy, for the definition may be replaced by one of its own commands. */
static bool substitute_all(const struct gpudbg *g, const struct define *d, const char *const *words, size_t nwords,
    struct line_list *lines, struct gpudbg_error *err)
{
    char *line = xalloc(LINE_SIZE);
    bool ok = true;
    lines->foreign = d->lines.foreign;
    for (size_t i = 0, size = 0; ok && i < d->lines.n; i++) {
        ok = substituted(d->lines.line[i], words, nwords, line, LINE_SIZE) ||
             gpudbg_fail(err, "too-large", "line %zu: too long", i + 1);
        size += ok ? strlen(line) : 0;
        ok = ok &&
             (size <= RUN_SIZE || gpudbg_fail(err, "too-large",
                                      "%s: with these words its lines have more than %d bytes", d->name, RUN_SIZE));
        ok = ok && lines_add(lines, line, g->settings.script_limit, err);
    }
    free(line);
    return ok;
}

bool define_run(
    struct gpudbg *g, const struct define *d, const char *text, struct gpudbg_out *out, struct gpudbg_error *err)
{
    struct gpudbg_args a;
    struct line_list lines = {0};
    const char *words[WORDS_MAX];
    size_t nwords = 0;
    const char *word;
    const unsigned loops = g->script->loops;
    if (!args_open(&a, &g->eval, text, err)) return false;
    for (; (word = gpudbg_args_word(&a)); nwords++)
        if (nwords < WORDS_MAX) words[nwords] = word;
    g->script->loops = 0; /* one around it is not left from inside */
    bool ok = substitute_all(g, d, words, nwords, &lines, err) && lines_run(g, &lines, 0, lines.n, out, err);
    g->script->loops = loops;
    g->script->behind = 0;
    lines_free(&lines);
    args_close(&a);
    return ok;
}

bool alias_run(struct gpudbg *g, const struct define *d, const char *format, const char *rest, struct gpudbg_out *out,
    struct gpudbg_error *err)
{
    const size_t size = strlen(d->alias) + strlen(format) + strlen(rest) + 3;
    if (*format && strchr(d->alias, ' '))
        return gpudbg_fail(err, "usage", "%s does not accept /%s: it is an alias of `%s`", d->name, format, d->alias);
    char *line = xalloc(size);
    struct text t = text_in(line, size);
    text_add(&t, "%s%s%s%s%s", d->alias, *format ? "/" : "", format, *rest ? " " : "", rest);
    g->foreign += d->lines.foreign;
    const bool done = gpudbg_execute(g, line, out, err);
    g->foreign -= d->lines.foreign;
    free(line);
    return done;
}
