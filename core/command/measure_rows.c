/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_rows.c: rows of numbers as TSV and JSON Lines, and back: `gpudbg --stats`. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "command/measure_files.h"
#include "gpudbg/text.h"
#include "out/out.h"
#include "session/session.h"

#define RESULTS_MOST ((size_t)1 << 30)

/* ---- Writing ---- */

/* A name that cannot end its column. */
static void add_name(struct text *t, const char *name)
{
    for (const char *c = name; *c; c++) text_add(t, "%c", *c == '\t' || *c == '\n' || *c == '\r' ? ' ' : *c);
}

static void write_head(struct gpudbg_out *out)
{
    char line[1024];
    struct text t = text_in(line, sizeof line);
    text_add(&t, "file\tkernel\tisa");
    for (unsigned i = 0; i < MEASURES; i++) text_add(&t, "\t%s", measure_columns[i].key);
    gpudbg_out_print(out, "%s\n", line);
}

static void write_row(void *to, const struct batch_row *r)
{
    struct gpudbg_out *out = to;
    char line[8192 + 24 * MEASURES];
    struct text t = text_in(line, sizeof line);
    add_name(&t, r->file);
    text_add(&t, "\t");
    add_name(&t, r->kernel);
    text_add(&t, "\t%s", r->isa);
    for (unsigned i = 0; i < MEASURES; i++) {
        text_add(&t, "\t");
        if (r->number[i] != MEASURE_UNKNOWN) text_add(&t, "%" PRId64, r->number[i]);
    }
    gpudbg_out_print(out, "%s\n", line);
    gpudbg_out_begin(out, "stats");
    gpudbg_out_string(out, "file", r->file);
    gpudbg_out_string(out, "kernel", r->kernel);
    gpudbg_out_string(out, "isa", r->isa);
    for (unsigned i = 0; i < MEASURES; i++)
        if (r->number[i] != MEASURE_UNKNOWN) gpudbg_out_number(out, measure_columns[i].key, r->number[i]);
    gpudbg_out_end(out);
}

int batch_stats(struct gpudbg *g, char **paths, size_t n, const struct load_options *load, struct gpudbg_out *out)
{
    struct batch b = {.g = g, .load = load, .out = out, .each = write_row, .to = out};
    struct gpudbg_error err = {.offset = -1};
    write_head(out);
    if (!batch_measure(&b, paths, n, &err)) {
        session_failed(g, &err, "--stats", 0, out);
        return 1;
    }
    return b.failed ? 3 : 0;
}

/* ---- Reading ---- */

/* Which number each column of a TSV file is: MEASURES + 0 to 2: file, kernel, isa; -1: none of ours. */
enum { COLUMNS_MOST = 256, AS_FILE = MEASURES, AS_KERNEL, AS_ISA };
struct heading {
    int as[COLUMNS_MOST];
    size_t n;
};

static int number_named(const char *key)
{
    for (unsigned i = 0; i < MEASURES; i++)
        if (strcmp(measure_columns[i].key, key) == 0) return (int)i;
    return -1;
}

static void read_head(struct heading *h, char *line)
{
    h->n = 0;
    for (char *cell; (cell = strsep(&line, "\t")) && h->n < COLUMNS_MOST;) {
        const int as = strcmp(cell, "file") == 0     ? AS_FILE
                       : strcmp(cell, "kernel") == 0 ? AS_KERNEL
                       : strcmp(cell, "isa") == 0    ? AS_ISA
                                                     : number_named(cell);
        h->as[h->n++] = as;
    }
}

static bool read_number(const char *cell, int64_t *number)
{
    char *end;
    *number = MEASURE_UNKNOWN;
    if (!*cell) return true;
    *number = strtoll(cell, &end, 10);
    return !*end;
}

static bool read_tsv(struct batch_rows *rows, const struct heading *h, char *line)
{
    struct batch_row r = {"", "", "", {0}};
    for (unsigned i = 0; i < MEASURES; i++) r.number[i] = MEASURE_UNKNOWN;
    size_t i = 0;
    for (char *cell; (cell = strsep(&line, "\t")) && i < h->n; i++) {
        const int as = h->as[i];
        if (as == AS_FILE) r.file = cell;
        if (as == AS_KERNEL) r.kernel = cell;
        if (as == AS_ISA) r.isa = cell;
        if (as >= 0 && as < MEASURES && !read_number(cell, &r.number[as])) return false;
    }
    batch_keep(rows, &r);
    return i == h->n;
}

static bool read_json(struct batch_rows *rows, const char *line)
{
    json_t *o = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    const char *type = json_string_value(json_object_get(o, "type"));
    const bool ours = type && strcmp(type, "stats") == 0 && json_is_string(json_object_get(o, "kernel"));
    const char *file = json_string_value(json_object_get(o, "file")),
               *isa = json_string_value(json_object_get(o, "isa"));
    struct batch_row r = {(char *)(file ? file : ""), (char *)json_string_value(json_object_get(o, "kernel")),
        (char *)(isa ? isa : ""), {0}};
    for (unsigned i = 0; i < MEASURES; i++) {
        const json_t *n = json_object_get(o, measure_columns[i].key);
        r.number[i] = json_is_integer(n) ? json_integer_value(n) : MEASURE_UNKNOWN;
    }
    if (ours) batch_keep(rows, &r);
    const bool good = ours || (type && strcmp(type, "error") == 0);
    json_decref(o);
    return good;
}

bool batch_read(struct batch_rows *rows, struct gpudbg *g, const char *path, bool *is, struct gpudbg_error *err)
{
    static const char json[] = "{\"type\":\"", tsv[] = "file\tkernel\t";
    char head[16] = "";
    FILE *f = fopen(path, "rb");
    const size_t got = f ? fread(head, 1, sizeof head, f) : 0;
    if (f) fclose(f);
    *is = got >= sizeof json - 1 &&
          (memcmp(head, json, sizeof json - 1) == 0 || memcmp(head, tsv, sizeof tsv - 1) == 0);
    if (!*is) return true;
    size_t n;
    char *text = gpudbg_read_file(g, path, RESULTS_MOST, &n, err), *rest = text;
    struct heading h = {.n = 0};
    bool good = text != NULL;
    long number = 0;
    for (char *line; good && rest && (line = strsep(&rest, "\n"));) {
        number++;
        if (!*line) continue;
        if (strncmp(line, tsv, sizeof tsv - 1) == 0) /* results that were put together have it again */
            read_head(&h, line);
        else
            good = *line == '{' ? read_json(rows, line) : read_tsv(rows, &h, line);
    }
    if (text && !good) {
        err->line = number;
        gpudbg_fail(err, "syntax", "this line is not a row of --stats");
    }
    free(text);
    return good;
}
