/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names that mean nothing: the error, and the name that was probably meant. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "eval/expr_parser.h"

#define NAME_MOST 40 /* letters of names that are compared */

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Letters to change, add, leave out or exchange with their neighbour, to make one name of the other; upper and lower
 * case are the same.  Rows of the usual table, of which three are needed. */
static unsigned distance(const char *a, const char *b)
{
    unsigned rows[3][NAME_MOST + 1];
    const size_t n = strlen(a), m = strlen(b);
    for (unsigned k = 0; k <= m; k++) rows[0][k] = k;
    for (size_t i = 1; i <= n; i++) {
        unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t k = 1; k <= m; k++) {
            const int x = tolower((unsigned char)a[i - 1]), y = tolower((unsigned char)b[k - 1]);
            row[k] = least(least(above[k], row[k - 1]) + 1, above[k - 1] + (x != y));
            if (i > 1 && k > 1 && x == tolower((unsigned char)b[k - 2]) && y == tolower((unsigned char)a[i - 2]))
                row[k] = least(row[k], two_above[k - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

struct nearest {
    const char *name; /* NULL: nothing is like it */
    unsigned away;
    bool dollar;
};

/* The shorter a name, the fewer letters of it may be wrong. */
static void offer(struct nearest *best, const char *name, const char *candidate, bool dollar)
{
    const size_t n = strlen(name), m = strlen(candidate);
    const unsigned most = n < 3 ? 0 : n < 6 ? 1 : n < 9 ? 2 : 3;
    if (!m || n > NAME_MOST || m > NAME_MOST || (n > m ? n - m : m - n) > most) return;
    const unsigned away = distance(name, candidate);
    if (away > most || (best->name && away >= best->away)) return;
    *best = (struct nearest){candidate, away, dollar};
}

/* "$v" is a file of registers: as a name it needs a number. */
static bool is_file(const struct parser *p, const char *name)
{
    const struct gpudbg_isa *isa = parser_isa(p);
    for (size_t f = 0; isa && f < isa->nfiles; f++)
        if (isa->files[f].indexed && strcmp(isa->files[f].name, name) == 0) return true;
    return false;
}

bool parse_unknown(struct parser *p, const char *name, bool dollar)
{
    struct nearest best = {0};
    const char *candidate;
    char text[80] = "";
    for (size_t i = 0; (candidate = expr_dollar_name(p->ev, i)); i++)
        if (!is_file(p, candidate)) offer(&best, name, candidate, true);
    for (size_t i = 0; (candidate = expr_plain_name(p->ev, i)); i++) offer(&best, name, candidate, false);
    const char *written = best.dollar ? "$" : "";
    if (best.name && dollar) {
        snprintf(text, sizeof text, "; did you mean %s%s?", written, best.name);
        return gpudbg_fail(p->err, "no-such-name", "$%s: not set%s", name, text);
    }
    if (dollar) return gpudbg_fail(p->err, "no-such-name", "$%s: not set, and no register has this name", name);
    if (best.name) snprintf(text, sizeof text, "; did you mean %s%s?", written, best.name);
    return gpudbg_fail(p->err, "no-such-name", "no buffer, symbol or label \"%s\"%s", name, text);
}
