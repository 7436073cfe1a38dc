/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.c: see folder.h. */
#include "session/folder.h"
#include <dirent.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/alloc.h"
#include "image/image.h"
#include "session/session.h"

void folder_free(struct code_folder *f)
{
    for (size_t i = 0; i < f->n; i++) free(f->path[i]);
    free(f->path);
    *f = (struct code_folder){.n = 0};
}

static void append(struct code_folder *f, const char *path)
{
    f->path = xrealloc(f->path, f->n + 1, sizeof *f->path);
    f->path[f->n++] = xstrdup(path);
}

bool folder_full(const struct gpudbg *g, struct gpudbg_error *err)
{
    return gpudbg_fail(err, "too-large",
        "the folder has more than %" PRIu64 " files that can be opened (set file-limit)", g->settings.file_limit);
}

bool folder_entry(const char *folder, const char *name, char *buf, size_t size)
{
    const size_t n = strlen(folder);
    const int length = snprintf(buf, size, "%s%s%s", folder, n && folder[n - 1] == '/' ? "" : "/", name);
    return length > 0 && (size_t)length < size;
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

/* false: there are more files than `set file-limit` allows. */
static bool collect(struct gpudbg *g, const char *folder, struct code_folder *to, struct gpudbg_error *err)
{
    bool good = true;
    struct dirent **entry;
    char path[PATH_MAX];
    const int n = scandir(folder, &entry, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        struct stat st;
        const bool fits = folder_entry(folder, entry[i]->d_name, path, sizeof path);
        free(entry[i]);
        if (!good || !fits || stat(path, &st) != 0 || !S_ISREG(st.st_mode) || !session_is_code(g, path)) continue;
        good = to->n < limit_most(g->settings.file_limit) || folder_full(g, err);
        if (good) append(to, path);
    }
    if (n >= 0) free(entry);
    return good;
}

bool folder_open(struct gpudbg *g, const char *folder, const struct load_options *options, struct gpudbg_error *err)
{
    struct code_folder found = {.options = *options};
    found.options.format = NULL;
    if (!collect(g, folder, &found, err)) {
        folder_free(&found);
        return false;
    }
    for (size_t i = 0; i < found.n; i++) {
        struct gpudbg_error each = {.offset = -1};
        if (!session_load(g, found.path[i], options, &each)) {
            if (!i) *err = each;
            continue;
        }
        folder_free(&g->folder);
        g->folder = found;
        return true;
    }
    const bool none = !found.n;
    folder_free(&found);
    return none ? gpudbg_fail(err, "not-recognised", "no file of this folder is code or a dump") : false;
}

static bool has(const struct code_folder *f, const char *path)
{
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(f->path[i], path) == 0) return true;
    return false;
}

void folder_members(struct code_folder *f, const struct gpudbg_image *image)
{
    const char *path;
    if (!image_member_path(image, 1) || has(f, image_file(image)->path) || has(f, image->path)) return;
    folder_free(f);
    for (size_t i = 0; (path = image_member_path(image, i)); i++) append(f, path);
}

bool folder_add(struct gpudbg *g, const char *path, const struct load_options *options, struct gpudbg_error *err)
{
    const struct load_env env = {g->registry, g->ticker, g->settings.memory_limit};
    struct code_folder *f = &g->folder;
    struct gpudbg_image *image = image_open(&env, path, options, err);
    if (!image) return false;
    image_close(image);
    if (g->loaded.image && !has(f, g->loaded.image->path)) {
        folder_free(f);
        append(f, g->loaded.image->path);
    }
    if (!has(f, path)) append(f, path);
    f->options = (struct load_options){.isa = options->isa, .raw = options->raw, .base = options->base};
    return true;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *folder_path(const struct code_folder *f, const char *word, bool *listed)
{
    char *end;
    const unsigned long number = strtoul(word, &end, 10);
    *listed = has(f, word);
    if (*listed || access(word, F_OK) == 0) return word;
    if (*word >= '0' && *word <= '9' && !*end && number && number <= f->n) return *listed = true, f->path[number - 1];
    for (size_t i = 0; i < f->n; i++)
        if (strcmp(base_name(f->path[i]), word) == 0) return *listed = true, f->path[i];
    return word;
}
