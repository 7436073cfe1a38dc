/* SPDX-License-Identifier: GPL-3.0-or-later */
/* folder.c: see folder.h. */
#include "session/folder.h"
#include <dirent.h>
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
    *f = (struct code_folder){NULL, 0};
}

static int is_visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void collect(struct gpudbg *g, const char *folder, struct code_folder *to)
{
    struct dirent **entry;
    char path[PATH_MAX];
    const int n = scandir(folder, &entry, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        struct stat st;
        const int length = snprintf(path, sizeof path, "%s%s%s", folder,
            *folder && folder[strlen(folder) - 1] == '/' ? "" : "/", entry[i]->d_name);
        free(entry[i]);
        if (to->n == FOLDER_MOST || length <= 0 || (size_t)length >= sizeof path || stat(path, &st) != 0 ||
            !S_ISREG(st.st_mode) || !session_is_code(g, path))
            continue;
        to->path = xrealloc(to->path, to->n + 1, sizeof *to->path);
        to->path[to->n++] = xstrdup(path);
    }
    if (n >= 0) free(entry);
}

bool folder_open(struct gpudbg *g, const char *folder, const struct load_options *options, struct gpudbg_error *err)
{
    struct code_folder found = {NULL, 0};
    collect(g, folder, &found);
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
    for (size_t i = 0; (path = image_member_path(image, i)); i++) {
        f->path = xrealloc(f->path, f->n + 1, sizeof *f->path);
        f->path[f->n++] = xstrdup(path);
    }
}

const char *folder_path(const struct code_folder *f, const char *word)
{
    char *end;
    const unsigned long number = strtoul(word, &end, 10);
    if (*word < '0' || *word > '9' || *end || !number || number > f->n || access(word, F_OK) == 0) return word;
    return f->path[number - 1];
}
