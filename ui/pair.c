/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pair.c: `gpudbg --stats-diff OLD NEW` on a terminal leads to the pane compare.
 *
 *       1  matmul  old/matmul.co | new/matmul.co
 *       2  scan    old/scan.co | new/scan.co
 *     side by side (Enter: matmul; a number or a name; q ends):
 *
 * The question goes to standard error, so the results on standard output stay what they are.
 */
#include "pair.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/open_file.h"
#include "base/shown.h"
#include "session/saved.h"

#define LISTED 20 /* pairs that get a line; the others are chosen by name */
#define ANSWER_MOST 4096

static const struct batch_pair *named(const struct batch_pairs *p, const char *answer)
{
    char *end;
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->pair[i].kernel, answer) == 0) return &p->pair[i];
    const unsigned long n = strtoul(answer, &end, 10);
    return end != answer && !*end && n && n <= p->n ? &p->pair[n - 1] : NULL;
}

const struct batch_pair *pair_ask(const struct batch_pairs *p)
{
    const struct batch_pair *chosen = NULL;
    struct gpudbg_error err = {.offset = -1};
    char *answer = NULL;
    size_t room = 0;
    if (!p->n) return NULL;
    for (size_t i = 0; i < p->n && i < LISTED && p->n > 1; i++)
        shown_print(stderr, "%4zu  %s  %s | %s\n", i + 1, p->pair[i].kernel, p->pair[i].file[0], p->pair[i].file[1]);
    if (p->n > LISTED) fprintf(stderr, "      and %zu more\n", p->n - LISTED);
    while (!chosen) {
        shown_print(
            stderr, "side by side (Enter: %s%s; q ends): ", p->pair[0].kernel, p->n > 1 ? "; a number or a name" : "");
        fflush(stderr);
        errno = 0;
        const ssize_t n = line_of(stdin, &answer, &room, ANSWER_MOST, &err);
        if (n < 0) break;
        answer[strcspn(answer, "\r\n")] = 0;
        if (strcmp(answer, "q") == 0 || strcmp(answer, "quit") == 0) break;
        chosen = *answer ? named(p, answer) : &p->pair[0];
        if (!chosen) shown_print(stderr, "no kernel \"%.60s\" has other numbers in the new file\n", answer);
    }
    free(answer);
    return chosen;
}

char *pair_command(const struct batch_pair *p)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    if (!f) return xstrdup("diff code");
    fputs("diff code", f);
    saved_word(f, p->file[1]);
    saved_word(f, p->kernel);
    fclose(f);
    return text;
}
