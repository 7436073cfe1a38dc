/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.c: see members.h. */
#include "image/members.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/alloc.h"

static bool keep(void *to, const struct gpudbg_member *m)
{
    struct members *all = to;
    if (all->n == all->room) {
        all->room = all->room ? 2 * all->room : 16;
        all->member = xrealloc(all->member, all->room, sizeof *all->member);
    }
    all->member[all->n++] = *m;
    return all->n < MEMBERS_MOST;
}

bool members_read(
    struct members *all, struct gpudbg_image *image, const struct gpudbg_loader *loader, struct gpudbg_error *err)
{
    *all = (struct members){.n = 0};
    return loader->members(image, keep, all, err);
}

void members_free(struct members *all)
{
    free(all->member);
    *all = (struct members){.n = 0};
}

/* Whether an earlier one has the same name, so that this one goes by its number. */
static bool is_again(const struct members *all, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(all->member[k].name, all->member[i].name) == 0) return true;
    return false;
}

/* Bytes of "(WORD)" at the start of text, if it ends there or another follows; 0: text begins otherwise. */
static size_t starts(const char *text, const char *word)
{
    const size_t n = strlen(word);
    if (text[0] != '(' || strncmp(text + 1, word, n) != 0 || text[n + 1] != ')') return 0;
    return text[n + 2] == 0 || text[n + 2] == '(' ? n + 2 : 0;
}

static size_t find(const struct members *all, const char *text, size_t *length)
{
    char number[24];
    for (size_t i = 0; i < all->n; i++)
        if ((*length = starts(text, all->member[i].name))) return i;
    for (size_t i = 0; i < all->n; i++) {
        snprintf(number, sizeof number, "%zu", i + 1);
        if ((*length = starts(text, number))) return i;
    }
    return all->n;
}

size_t members_asked(
    const struct members *all, const struct gpudbg_image *image, size_t *file, size_t *behind, bool *asked)
{
    const char *path = image->path;
    const bool known = *file != SIZE_MAX;
    size_t length = 0, i = all->n, from = known ? *file : 0;
    while (path[from] && (i = find(all, path + from, &length)) == all->n && !known) from++;
    *asked = path[from] != 0;
    *file = from;
    *behind = from + (i < all->n ? length : 0);
    return i;
}

char *members_path(const struct members *all, const struct gpudbg_image *image, size_t n, size_t i)
{
    const char *name = all->member[i].name;
    const size_t size = n + strlen(name) + 32;
    char *path = xalloc(size);
    if (is_again(all, i))
        snprintf(path, size, "%.*s(%zu)", (int)n, image->path, i + 1);
    else
        snprintf(path, size, "%.*s(%s)", (int)n, image->path, name);
    return path;
}

size_t members_file(const char *path)
{
    struct stat st;
    const size_t n = strlen(path);
    if (stat(path, &st) == 0 || (errno != ENOENT && errno != ENOTDIR && errno != ENAMETOOLONG)) return n;
    if (!n || path[n - 1] != ')') return 0;
    char *file = xstrdup(path);
    size_t found = 0;
    for (char *open = strchr(file + 1, '('); open && !found; open = strchr(open + 1, '(')) {
        *open = 0;
        if (stat(file, &st) == 0 && S_ISREG(st.st_mode)) found = (size_t)(open - file);
        *open = '(';
    }
    free(file);
    return found;
}
