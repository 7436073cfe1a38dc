/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_diff.c: what became better and worse between two sets of kernels: `gpudbg --stats-diff OLD NEW`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "command/measure_files.h"
#include "out/say.h"
#include "session/session.h"

struct diff {
    struct gpudbg_out *out;
    struct batch_pairs *pairs;
    size_t better, worse, others, only_old, only_new;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* By kernel, then by the name of the file. */
static int by_name(const void *a, const void *b)
{
    const struct batch_row *x = a, *y = b;
    const int kernel = strcmp(x->kernel, y->kernel), file = strcmp(base_name(x->file), base_name(y->file));
    return kernel ? kernel : file ? file : strcmp(x->file, y->file);
}

/* ---- Those that differ ---- */

static void keep(struct batch_pairs *p, const struct batch_row *old, const struct batch_row *new)
{
    if (p->n == p->room) p->pair = xgrow(p->pair, p->n, &p->room, sizeof *p->pair);
    p->pair[p->n++] = (struct batch_pair){xstrdup(new->kernel), {xstrdup(old->file), xstrdup(new->file)}};
}

void batch_pairs_free(struct batch_pairs *p)
{
    for (size_t i = 0; i < p->n; i++) {
        free(p->pair[i].kernel);
        for (int s = 0; s < 2; s++) free(p->pair[i].file[s]);
    }
    free(p->pair);
    *p = (struct batch_pairs){.n = 0};
}

/* ---- Saying ---- */

static void say(
    struct diff *d, const struct batch_row *r, const char *column, int64_t old, int64_t new, const char *verdict)
{
    const bool numbers = column && old != MEASURE_UNKNOWN && new != MEASURE_UNKNOWN;
    RECORD(d->out, "stats-difference", "{kernel}\t[{column}]\t[{old}]\t[{new}]\t[{sign}{change}]\t{verdict}\t{file}\n",
        STRING("kernel", r->kernel), STRING("file", r->file), STRING("column", column),
        IF(column && old != MEASURE_UNKNOWN, NUMBER("old", old)),
        IF(column && new != MEASURE_UNKNOWN, NUMBER("new", new)), TEXT("sign", numbers && new > old ? "+" : ""),
        IF(numbers, NUMBER("change", new - old)), STRING("verdict", verdict));
}

static void compare(struct diff *d, const struct batch_row *old, const struct batch_row *new)
{
    bool differs = false;
    for (unsigned i = 0; i < MEASURES; i++) {
        const int64_t a = old->number[i], b = new->number[i];
        const enum measure_better better = measure_columns[i].better;
        if (a == b) continue;
        differs = true;
        const bool known = a != MEASURE_UNKNOWN && b != MEASURE_UNKNOWN && better != MEASURE_NEITHER;
        const bool good = known && (better == MEASURE_LESS ? b < a : b > a);
        *(good ? &d->better : known ? &d->worse : &d->others) += 1;
        say(d, new, measure_columns[i].key, a, b, good ? "better" : known ? "worse" : "other");
    }
    if (differs) keep(d->pairs, old, new);
}

static void only(struct diff *d, const struct batch_row *r, bool in_old)
{
    *(in_old ? &d->only_old : &d->only_new) += 1;
    say(d, r, NULL, 0, 0, in_old ? "only in old" : "only in new");
}

/* ---- Pairs ---- */

static size_t same_kernel(const struct batch_rows *r, size_t from)
{
    size_t end = from;
    while (end < r->n && strcmp(r->row[end].kernel, r->row[from].kernel) == 0) end++;
    return end;
}

/* Rows of one kernel name, i to m of the old ones and k to n of the new ones: a single one on both sides is a pair,
 * else files of the same name are. */
static void pair(
    struct diff *d, const struct batch_rows *old, size_t i, size_t m, const struct batch_rows *new, size_t k, size_t n)
{
    const bool single = m - i == 1 && n - k == 1;
    while (i < m || k < n) {
        const int order = i == m   ? 1
                          : k == n ? -1
                          : single ? 0
                                   : strcmp(base_name(old->row[i].file), base_name(new->row[k].file));
        if (order == 0)
            compare(d, &old->row[i++], &new->row[k++]);
        else if (order < 0)
            only(d, &old->row[i++], true);
        else
            only(d, &new->row[k++], false);
    }
}

static void pair_all(struct diff *d, const struct batch_rows *old, const struct batch_rows *new)
{
    size_t i = 0, k = 0;
    while (i < old->n || k < new->n) {
        const int order = i == old->n ? 1 : k == new->n ? -1 : strcmp(old->row[i].kernel, new->row[k].kernel);
        const size_t m = order <= 0 ? same_kernel(old, i) : i, n = order >= 0 ? same_kernel(new, k) : k;
        pair(d, old, i, m, new, k, n);
        i = m;
        k = n;
    }
}

/* ---- Both sides ---- */

static bool read_side(struct gpudbg *g, const char *path, const struct load_options *load, struct batch_rows *rows,
    struct gpudbg_out *out)
{
    struct gpudbg_error err = {.offset = -1};
    struct batch b = {.g = g, .load = load, .out = out, .each = batch_keep, .to = rows};
    bool results;
    char *paths[] = {(char *)path};
    if (!batch_read(rows, g, path, &results, &err) || (!results && !batch_measure(&b, paths, 1, &err))) {
        session_failed(g, &err, path, err.line, out);
        return false;
    }
    if (rows->n) qsort(rows->row, rows->n, sizeof *rows->row, by_name);
    if (!rows->n && !b.failed) {
        gpudbg_fail(&err, "not-recognised", "no kernel is there");
        session_failed(g, &err, path, 0, out);
    }
    return rows->n && !b.failed;
}

int batch_diff(struct gpudbg *g, const char *old, const char *new, const struct load_options *load,
    struct batch_pairs *pairs, struct gpudbg_out *out)
{
    struct batch_rows was = {.n = 0}, is = {.n = 0};
    struct diff d = {.out = out, .pairs = pairs};
    const bool good = read_side(g, old, load, &was, out) && read_side(g, new, load, &is, out);
    if (good) {
        gpudbg_out_print(out, "kernel\tcolumn\told\tnew\tchange\tverdict\tfile\n");
        pair_all(&d, &was, &is);
        out_flush(out);
        fprintf(stderr, "gpudbg: %zu numbers better, %zu worse, %zu other; %zu kernels only in old, %zu only in new\n",
            d.better, d.worse, d.others, d.only_old, d.only_new);
    }
    batch_free(&was);
    batch_free(&is);
    return !good ? 2 : d.better || d.worse || d.others || d.only_old || d.only_new ? 1 : 0;
}
