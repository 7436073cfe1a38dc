/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sent.c: see sent.h. */
#include "base/sent.h"
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/text.h"

/* Where the member of FILE(MEMBER) begins: at the parenthesis that the last one closes; the end: it is a plain path. */
static size_t member_of(const char *path)
{
    const size_t n = strlen(path);
    size_t depth = 0;
    for (size_t i = n; n && path[n - 1] == ')' && i-- > 0;) {
        depth += path[i] == ')';
        if (path[i] == '(' && !--depth) return i;
    }
    return n;
}

const char *sent_name(const char *path)
{
    size_t at = member_of(path);
    while (at && path[at - 1] != '/') at--;
    return path + at;
}

/* Whether the path is the folder or in it. */
static bool is_in(const char *path, const char *folder, size_t n)
{
    return n > 1 && strncmp(path, folder, n) == 0 && (!path[n] || path[n] == '/');
}

size_t sent_home(const char *path)
{
    static const char *const above[] = {"/home/", "/Users/", "/var/home/", "/export/home/"};
    const char *home = getenv("HOME");
    size_t n = home ? strlen(home) : 0;
    while (n > 1 && home[n - 1] == '/') n--;
    if (n && is_in(path, home, n)) return n;
    if (is_in(path, "/root", 5)) return 5;
    for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
        n = strlen(above[i]);
        if (strncmp(path, above[i], n) == 0 && path[n]) return n + strcspn(path + n, "/");
    }
    return 0;
}

/* The part that both paths begin with, up to a slash. */
static size_t common(const char *a, const char *b)
{
    size_t same = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        if (a[i] == '/') same = i + 1;
    return same;
}

char *sent_path(const char *path, const char *beside)
{
    char folder[PATH_MAX], *file = realpath(path, NULL), *base, *result = NULL;
    const char *slash = strrchr(beside, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - beside + 1) : 2, slash ? beside : "./");
    base = realpath(folder, NULL);
    if (file && base) {
        const size_t n = strlen(base) + strlen(file) + 3;
        char *whole = xalloc(n); /* the folder with a slash behind it */
        struct text t = text_in(whole, n);
        text_add(&t, "%s%s", base, base[1] ? "/" : "");
        const size_t same = common(whole, file), home = sent_home(file);
        size_t up = 0;
        for (const char *p = whole + same; (p = strchr(p, '/')); p++) up++;
        if (!home) {
            result = xstrdup(file);
        } else if (same > home) { /* what is left of the path is within the home folder */
            const size_t size = 3 * up + strlen(file + same) + 1;
            result = xalloc(size);
            struct text to = text_in(result, size);
            while (up--) text_add(&to, "../");
            text_add(&to, "%s", file + same);
        }
        free(whole);
    }
    free(file);
    free(base);
    return result ? result : xstrdup(sent_name(path));
}
