/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure_files.c: see measure_files.h.  A worker opens files in its own copy of the session and sends rows back. */
#include "command/measure_files.h"
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "base/parts.h"
#include "image/image.h"
#include "session/session.h"

#define FILES_A_PART 16
#define DEEP 32 /* folders in folders */

void batch_free(struct batch_rows *r)
{
    for (size_t i = 0; i < r->n; i++) {
        free(r->row[i].file);
        free(r->row[i].kernel);
        free(r->row[i].isa);
    }
    free(r->row);
    *r = (struct batch_rows){.n = 0};
}

void batch_keep(void *rows, const struct batch_row *row)
{
    struct batch_rows *r = rows;
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->row = xrealloc(r->row, r->room, sizeof *r->row);
    }
    struct batch_row *to = &r->row[r->n++];
    *to = *row;
    to->file = xstrdup(row->file);
    to->kernel = xstrdup(row->kernel);
    to->isa = xstrdup(row->isa);
}

/* ---- Files ---- */

struct paths {
    struct batch *b;
    struct listed {
        char *path;
        bool named; /* by the user; others were met in a folder, and may be no code */
    } * at;
    size_t n, room;
};

static void add_path(struct paths *p, const char *path, bool named)
{
    if (p->n == p->room) {
        p->room = p->room ? 2 * p->room : 64;
        p->at = xrealloc(p->at, p->room, sizeof *p->at);
    }
    p->at[p->n++] = (struct listed){xstrdup(path), named};
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* Links to folders are not followed: they may lead back. */
static void add_folder(struct paths *p, const char *folder, unsigned depth)
{
    struct dirent **entry;
    char path[PATH_MAX];
    const int n = scandir(folder, &entry, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        struct stat st;
        const bool fits = folder_entry(folder, entry[i]->d_name, path, sizeof path);
        free(entry[i]);
        if (!fits || lstat(path, &st) != 0) continue;
        if (S_ISDIR(st.st_mode) && depth < DEEP) add_folder(p, path, depth + 1);
        if (!S_ISDIR(st.st_mode) && (stat(path, &st) != 0 || !S_ISREG(st.st_mode))) continue;
        if (S_ISREG(st.st_mode) && (p->b->load->raw || session_is_code(p->b->g, path))) add_path(p, path, false);
    }
    if (n >= 0) free(entry);
}

/* ---- One file ---- */

/* What a worker sends: rows and errors, one after the other; strings end with 0. */
struct sending {
    struct batch *b;
    struct parts_worker *worker; /* NULL: there is none, rows go to the batch at once */
    struct gpudbg *g;
    const char *path;
};

enum { SENT_ROW = 'R', SENT_ERROR = 'E' };

static void send_string(const struct sending *s, const char *text) { parts_answer(s->worker, text, strlen(text) + 1); }

static void failed(struct batch *b, const char *kind, const char *path, const char *message)
{
    struct gpudbg_error err = {.offset = -1};
    gpudbg_fail(&err, "io", "%s", message);
    err.kind = kind;
    b->failed++;
    session_failed(b->g, &err, path, 0, b->out);
}

static void send_error(const struct sending *s, const struct gpudbg_error *err)
{
    if (!s->worker) {
        failed(s->b, err->kind, s->path, err->message);
        return;
    }
    parts_answer(s->worker, &(char){SENT_ERROR}, 1);
    parts_answer(s->worker, &err->kind, sizeof err->kind); /* a constant of this program: the same in the parent */
    send_string(s, s->path);
    send_string(s, err->message);
}

static bool send_row(void *to, const struct measured *m)
{
    const struct sending *s = to;
    struct batch_row row = {
        (char *)s->g->loaded.image->path, (char *)m->kernel, (char *)s->g->loaded.image->isa->name, {0}};
    memcpy(row.number, m->number, sizeof row.number);
    if (!s->worker) {
        s->b->each(s->b->to, &row);
        return true;
    }
    parts_answer(s->worker, &(char){SENT_ROW}, 1);
    send_string(s, row.file);
    send_string(s, row.kernel);
    send_string(s, row.isa);
    parts_answer(s->worker, row.number, sizeof row.number);
    return true;
}

static void measure_file(struct sending *s, const struct listed *file)
{
    struct gpudbg_error err = {.offset = -1};
    s->path = file->path;
    const char *name = session_input(s->g, file->path, &err);
    if (!name || !session_load(s->g, name, s->b->load, &err)) {
        if (file->named || strcmp(err.kind, "not-recognised") != 0) send_error(s, &err);
        return;
    }
    /* A container: all that it holds. */
    struct code_folder inside = {.n = 0};
    folder_members(&inside, s->g->loaded.image);
    if (!inside.n && !measure_loaded(s->g, send_row, s, &err)) send_error(s, &err);
    for (size_t i = 0; i < inside.n; i++) {
        err = (struct gpudbg_error){.offset = -1};
        s->path = inside.path[i];
        if (!session_load(s->g, inside.path[i], s->b->load, &err) || !measure_loaded(s->g, send_row, s, &err))
            send_error(s, &err);
    }
    folder_free(&inside);
    session_drop(s->g);
}

/* ---- Many files ---- */

static bool work(void *data, size_t part, struct parts_worker *worker)
{
    struct paths *p = data;
    struct sending s = {.b = p->b, .worker = worker, .g = p->b->g};
    for (size_t i = part * FILES_A_PART; i < p->n && i < (part + 1) * FILES_A_PART; i++) {
        measure_file(&s, &p->at[i]);
        if (!parts_goes_on(worker, 1)) return false;
    }
    return true;
}

static const char *taken_string(const char **at)
{
    const char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

static bool take(void *data, size_t part, const void *answer, size_t size)
{
    struct paths *p = data;
    const char *at = answer, *end = at + size;
    (void)part;
    while (at < end) {
        const char what = *at++;
        if (what == SENT_ERROR) {
            const char *kind;
            memcpy(&kind, at, sizeof kind);
            at += sizeof kind;
            const char *path = taken_string(&at);
            failed(p->b, kind, path, taken_string(&at));
            continue;
        }
        struct batch_row row = {(char *)taken_string(&at), (char *)taken_string(&at), (char *)taken_string(&at), {0}};
        memcpy(row.number, at, sizeof row.number);
        at += sizeof row.number;
        p->b->each(p->b->to, &row);
    }
    p->b->done = (part + 1) * FILES_A_PART;
    return true;
}

/* A bar on the terminal, on standard error, below what is printed. */
static bool tick(void *data, uint64_t done, uint64_t todo)
{
    const struct batch *b = data;
    const struct ticker *t = &b->g->ticker;
    static const char full[] = "########################################";
    if (isatty(STDERR_FILENO) && todo) {
        const int n = (int)(done * (sizeof full - 1) / todo);
        fprintf(stderr, "\r[%-*.*s] %" PRIu64 " of %" PRIu64 " files", (int)sizeof full - 1, n, full, done, todo);
        fflush(stderr);
    }
    return ticker_goes_on(t, done, todo);
}

static void wipe(void)
{
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%78s\r", "");
}

static bool measure_all(struct paths *p, struct gpudbg_error *err)
{
    const struct ticker ticker = {.tick = tick, .data = p->b};
    struct batch *b = p->b;
    const unsigned workers = b->g->settings.threads ? (unsigned)b->g->settings.threads : parts_processors();
    const struct parts_work parts = {.n = (p->n + FILES_A_PART - 1) / FILES_A_PART,
        .workers = workers,
        .todo = p->n,
        .ticker = &ticker,
        .work = work,
        .take = take,
        .data = p};
    const enum parts_end end = parts.n > 1 && workers > 1 ? parts_do(&parts) : PARTS_FAILED;
    struct sending s = {.b = b, .g = b->g};
    bool goes_on = end != PARTS_INTERRUPTED;
    for (size_t i = b->done; end == PARTS_FAILED && i < p->n && goes_on; i++) {
        measure_file(&s, &p->at[i]);
        goes_on = tick(b, i + 1, p->n);
    }
    wipe();
    return goes_on || gpudbg_fail(err, "interrupt", "interrupted");
}

bool batch_measure(struct batch *b, char **paths, size_t n, struct gpudbg_error *err)
{
    struct paths p = {.b = b};
    struct stat st;
    for (size_t i = 0; i < n; i++) {
        if (stat(paths[i], &st) == 0 && S_ISDIR(st.st_mode))
            add_folder(&p, paths[i], 0);
        else
            add_path(&p, paths[i], true);
    }
    b->done = 0;
    const bool ok = measure_all(&p, err);
    for (size_t i = 0; i < p.n; i++) free(p.at[i].path);
    free(p.at);
    return ok;
}
