/* SPDX-License-Identifier: GPL-3.0-or-later */
/* source_file.c: see source.h. */
#include "eval/source_file.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/open_file.h"
#include "gpudbg/text.h"

#define SOURCE_MOST ((uint64_t)16 << 20) /* bytes */

/* ---- Where a file may lie ---- */

/* The next of several folders that ':' separates, from *at on; false: there are no more. */
static bool next_folder(const char **at, char *folder, size_t size)
{
    while (**at == ':') ++*at;
    const size_t n = strcspn(*at, ":");
    if (!n || n >= size) return false;
    snprintf(folder, size, "%.*s", (int)n, *at);
    *at += n;
    return true;
}

static bool is_inside(const char *path, const char *folder)
{
    const size_t n = strlen(folder);
    return strncmp(path, folder, n) == 0 && (path[n] == '/' || (n == 1 && path[0]));
}

/* Opens folder/name if it lies in that folder, links followed.  folder "$cdir": the name alone, wherever it is. */
static bool open_in(struct source *s, const char *folder, const char *name)
{
    char path[PATH_MAX], real[PATH_MAX], inside[PATH_MAX];
    struct gpudbg_error ignored = {0};
    const bool anywhere = strcmp(folder, "$cdir") == 0;
    const int n = anywhere || *name == '/' ? snprintf(path, sizeof path, "%s", name)
                                           : snprintf(path, sizeof path, "%s/%s", folder, name);
    if (n < 0 || (size_t)n >= sizeof path || !realpath(path, real)) return false;
    if (!anywhere && (!realpath(folder, inside) || !is_inside(real, inside))) return false;
    s->text = text_named(real, SOURCE_MOST, &s->size, &ignored);
    if (s->text) s->path = xstrdup(real);
    return s->text != NULL;
}

static const char *last_part(const char *name)
{
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool open_by(struct source *s, const char *folder, const char *name)
{
    if (strcmp(folder, "$cwd") == 0) folder = ".";
    return open_in(s, folder, name) || (strcmp(folder, "$cdir") != 0 && open_in(s, folder, last_part(name)));
}

/* The folder of the loaded file; "." where it has none. */
static void own_folder(const struct gpudbg_image *image, char *folder, size_t size)
{
    const char *name = last_part(image->path);
    const size_t n = (size_t)(name - image->path);
    if (n)
        snprintf(folder, size, "%.*s", (int)n, image->path);
    else
        snprintf(folder, size, ".");
}

/* ---- A file ---- */

void source_close(struct source *s)
{
    free(s->path);
    free(s->text);
    free(s->line);
    *s = (struct source){0};
}

bool source_open(struct source *s, const struct loaded *loaded, const char *file)
{
    char folder[PATH_MAX];
    if (s->file == file && s->searched == loaded->source_changes) return s->text != NULL;
    source_close(s);
    s->file = file;
    s->searched = loaded->source_changes;
    const char *at = loaded->source_path ? loaded->source_path : "";
    while (!s->text && next_folder(&at, folder, sizeof folder)) open_by(s, folder, file);
    if (!s->text) {
        own_folder(loaded->image, folder, sizeof folder);
        open_by(s, folder, file);
    }
    if (!s->text) return false;
    size_t lines = 1;
    for (size_t i = 0; i < s->size; i++) lines += s->text[i] == '\n';
    if (!(s->line = calloc(lines + 1, sizeof *s->line))) {
        free(s->text);
        s->text = NULL;
        return false;
    }
    s->line[s->nlines++] = 0;
    for (size_t i = 0; i < s->size; i++)
        if (s->text[i] == '\n' && i + 1 < s->size) s->line[s->nlines++] = (uint32_t)(i + 1);
    return true;
}

bool source_missing(const char *file, struct gpudbg_error *err)
{
    return gpudbg_fail(
        err, "missing", "%s: the source cannot be read; `directory FOLDER` says where source files are", file);
}

const char *source_line(const struct source *s, uint32_t n, size_t *len)
{
    if (!s->text || n < 1 || n > s->nlines) return NULL;
    size_t from = s->line[n - 1], to = n < s->nlines ? s->line[n] : s->size;
    while (to > from && (s->text[to - 1] == '\n' || s->text[to - 1] == '\r')) to--;
    *len = to - from;
    return s->text + from;
}

/* ---- Several ---- */

static void drop_last(struct sources *s) { source_close(&s->file[--s->n]); }

const struct source *sources_of(struct sources *s, const struct loaded *loaded, const char *file)
{
    size_t at = 0, bytes = 0;
    while (at < s->n && (s->file[at].searched != loaded->source_changes || strcmp(s->file[at].file, file) != 0)) at++;
    if (at == s->n) {
        if (s->n == SOURCES) drop_last(s);
        at = s->n++;
        s->file[at] = (struct source){0};
        source_open(&s->file[at], loaded, file);
        s->opened++;
    }
    const struct source found = s->file[at];
    memmove(s->file + 1, s->file, at * sizeof *s->file);
    s->file[0] = found;
    for (size_t i = 0; i < s->n; i++) bytes += s->file[i].size;
    for (; s->n > 1 && bytes > SOURCES_BYTES; drop_last(s)) bytes -= s->file[s->n - 1].size;
    return s->file;
}

void sources_close(struct sources *s)
{
    while (s->n) drop_last(s);
}

void source_print(const struct loaded *loaded, const char *file, uint32_t line, struct gpudbg_out *out)
{
    struct source source = {0};
    size_t len;
    if (gpudbg_out_json(out)) return;
    source_open(&source, loaded, file);
    const char *text = source_line(&source, line, &len);
    if (text) gpudbg_out_print(out, "%" PRIu32 "  %.*s\n", line, (int)len, text);
    source_close(&source);
}

/* ---- The path ---- */

/* Whether a folder is one of several. */
static bool listed(const char *folders, const char *folder)
{
    char one[PATH_MAX];
    while (next_folder(&folders, one, sizeof one))
        if (strcmp(one, folder) == 0) return true;
    return false;
}

/* A folder's name without links, so that it means the same later. */
static bool resolve(const char *folder, char *real, struct gpudbg_error *err)
{
    struct stat st;
    if (*folder == '$') {
        snprintf(real, PATH_MAX, "%s", folder);
        return strcmp(folder, "$cdir") == 0 || strcmp(folder, "$cwd") == 0 ||
               gpudbg_fail(err, "no-such-name", "%.60s: only $cdir and $cwd name folders", folder);
    }
    if (!realpath(folder, real)) return gpudbg_fail(err, "missing", "%s: %s", folder, strerror(errno));
    return (stat(real, &st) == 0 && S_ISDIR(st.st_mode)) || gpudbg_fail(err, "io", "%s: not a folder", folder);
}

bool source_path_add(char *path, size_t size, const char *folders, struct gpudbg_error *err)
{
    char folder[PATH_MAX], real[PATH_MAX], *made = xalloc(size);
    struct text t = text_in(made, size);
    const char *before = path;
    bool good = true;
    while (good && next_folder(&folders, folder, sizeof folder)) {
        good = resolve(folder, real, err);
        if (good && !listed(made, real)) text_add(&t, "%s%s", t.n ? ":" : "", real);
    }
    char *added = xstrdup(made);
    while (good && next_folder(&before, folder, sizeof folder))
        if (!listed(added, folder)) text_add(&t, "%s%s", t.n ? ":" : "", folder);
    free(added);
    if (good && text_is_cut(&t)) good = gpudbg_fail(err, "too-large", "the source path is too long");
    if (good) snprintf(path, size, "%s", made);
    free(made);
    return good;
}
