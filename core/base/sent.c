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

/* The folders in which homes are, with the slash behind them. */
static const char *const homes[] = {"/home/", "/Users/", "/var/home/", "/export/home/"};

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
    const char *home = getenv("HOME");
    size_t n = home ? strlen(home) : 0;
    while (n > 1 && home[n - 1] == '/') n--;
    if (n && is_in(path, home, n)) return n;
    if (is_in(path, "/root", 5)) return 5;
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        n = strlen(homes[i]);
        if (strncmp(path, homes[i], n) == 0 && path[n]) return n + strcspn(path + n, "/");
    }
    return 0;
}

/* ---- In text ---- */

static bool ends_word(char c)
{
    return !c || strchr(" \t\n/:;,'\"`()[]{}<>|", c) || c == SENT_CUT || c == SENT_CUT_BEFORE;
}

/* The user's home without slashes at its end, one byte a character, as text has it. */
static size_t own_home(char home[PATH_MAX])
{
    const char *from = getenv("HOME");
    size_t n = 0;
    for (; from && *from && n < PATH_MAX - 1; from++)
        if (((unsigned char)*from & 0xc0) != 0x80) home[n++] = (unsigned char)*from < 0x80 ? *from : SENT_ANY;
    while (n > 1 && home[n - 1] == '/') n--;
    home[n] = 0;
    return n;
}

/* Bytes of a home at the start of a text; a home whose end has no room counts from its last folder on. */
static size_t home_here(const char *text, const char *home, size_t n)
{
    size_t same = 0, folder = 0;
    while (same < n && text[same] == home[same]) folder = home[same++] == '/' ? same : folder;
    if (n > 1 && same == n && ends_word(text[n])) return n;
    if (n > 1 && text[same] == SENT_CUT && folder > 1 && same > folder && !strchr(home + folder, '/')) return same;
    if (strncmp(text, "/root", 5) == 0 && ends_word(text[5])) return 5;
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        size_t end = strlen(homes[i]), begin = end;
        if (strncmp(text, homes[i], end) != 0) continue;
        while (!ends_word(text[end])) end++;
        if (end > begin) return end;
    }
    return 0;
}

/* Behind the mark of text that has no room to the left: the last bytes of the user's home. */
static size_t home_end(const char *text, const char *home, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (strncmp(text, home + i, n - i) == 0 && ends_word(text[n - i])) return n - i;
    return 0;
}

size_t sent_home_in(const char *text, size_t *at)
{
    char home[PATH_MAX];
    const size_t own = own_home(home);
    for (size_t i = *at; text[i]; i++) {
        size_t n = 0;
        if (i && text[i - 1] == SENT_CUT_BEFORE) n = home_end(text + i, home, own);
        if (!n && text[i] == '/' && (!i || ends_word(text[i - 1]) || strchr("@=", text[i - 1])))
            n = home_here(text + i, home, own);
        if (!n) continue;
        *at = i;
        return n;
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
