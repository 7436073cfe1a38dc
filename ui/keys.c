/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "keys.h"
#include "base/alloc.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/open_file.h"
#include "gpudbg/text.h"

#define SETTINGS_MOST (1 << 20) /* bytes of a file */

struct group {
    enum keys_mode mode;
    char panes[sizeof((struct binding *)0)->panes];
};

/* What a later file says of all panes holds for those, too, for which an earlier one had a key of their own. */
static void panes_forget(struct keys *k, const char *key)
{
    for (size_t i = 0; i < k->count; i++)
        if (k->binding[i].panes[0] && k->binding[i].file < k->files && !strcmp(k->binding[i].key, key))
            k->binding[i].command[0] = 0;
}

static struct binding *binding_add(struct keys *k, const struct group *group, const char *key)
{
    for (size_t i = 0; i < k->count; i++)
        if (k->binding[i].mode == group->mode && !strcmp(k->binding[i].panes, group->panes) &&
            !strcmp(k->binding[i].key, key))
            return &k->binding[i];
    k->binding = xrealloc(k->binding, k->count + 1, sizeof *k->binding);
    struct binding *b = &k->binding[k->count++];
    *b = (struct binding){.mode = group->mode};
    snprintf(b->key, sizeof b->key, "%s", key);
    snprintf(b->panes, sizeof b->panes, "%s", group->panes);
    return b;
}

static char *trimmed(char *text)
{
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = 0;
    return text;
}

/* The label: from the last '#' that follows a blank; cut off the line. */
static char *label_cut(char *line)
{
    for (char *p = line + strlen(line); p > line; p--)
        if (*p == '#' && isspace((unsigned char)p[-1])) {
            *p = 0;
            return trimmed(p + 1);
        }
    return line + strlen(line);
}

/* "[pane scalar lanes]": names of panes. */
static bool panes_read(const char *names, struct group *group, struct gpudbg_error *err)
{
    *group = (struct group){.mode = KEYS_SINGLE};
    for (struct text t = text_in(group->panes, sizeof group->panes); *names && *names != ']';) {
        const size_t n = strcspn(names, " ]");
        text_add(&t, "%.*s ", (int)n, names);
        if (text_is_cut(&t)) return gpudbg_fail(err, "syntax", "the names of panes are too long before '%.40s'", names);
        names += n + strspn(names + n, " ");
    }
    return group->panes[0] || gpudbg_fail(err, "syntax", "[pane]: the name of a pane is missing");
}

static bool heading_read(const char *line, struct group *group, struct gpudbg_error *err)
{
    static const char *const names[KEYS_MODES] = {"[keys]", "[prompt]", "[any]"};
    for (int i = 0; i < KEYS_MODES; i++)
        if (!strcmp(line, names[i])) {
            *group = (struct group){.mode = (enum keys_mode)i};
            return true;
        }
    if (!strncmp(line, "[pane ", 6) && strchr(line, ']')) return panes_read(line + 6, group, err);
    return gpudbg_fail(err, "syntax", "no group of keys is called %.40s", line);
}

static bool line_read(struct keys *k, char *line, struct group *group, struct gpudbg_error *err)
{
    line = trimmed(line);
    if (!*line || (line[0] == '#' && (!line[1] || isspace((unsigned char)line[1])))) return true;
    if (line[0] == '[' && line[1] && !isspace((unsigned char)line[1])) return heading_read(line, group, err);
    char *label = label_cut(line), *command = line + strcspn(line, " \t");
    if (*command) *command++ = 0;
    command = trimmed(command);
    if (strlen(line) >= sizeof((struct binding *)0)->key || strlen(command) >= sizeof((struct binding *)0)->command)
        return gpudbg_fail(err, "syntax", "the binding of %.40s is too long", line);
    struct binding *b = binding_add(k, group, line);
    if (!b) return gpudbg_fail(err, "memory", "no memory for key %s", line);
    b->file = k->files;
    if (group->mode == KEYS_SINGLE && !group->panes[0]) panes_forget(k, line);
    snprintf(b->command, sizeof b->command, "%s", command);
    snprintf(b->label, sizeof b->label, "%s", label);
    return true;
}

bool keys_read(struct keys *k, const char *path, struct gpudbg_error *err)
{
    FILE *f = stream_named(path, SETTINGS_MOST, err);
    if (!f) return false;
    char line[512];
    long number = 0;
    struct group group = {.mode = KEYS_SINGLE};
    bool ok = true;
    errno = 0;
    k->files++;
    while (ok && fgets(line, sizeof line, f)) {
        number++;
        ok = line_read(k, line, &group, err);
    }
    const bool whole = !ok || stream_ended(f, err);
    fclose(f);
    if (!whole) snprintf(err->file, sizeof err->file, "%s", path);
    if (!ok) {
        snprintf(err->file, sizeof err->file, "%s", path);
        err->line = number;
    }
    return ok && whole;
}

void keys_free(struct keys *k)
{
    free(k->binding);
    *k = (struct keys){0};
}

bool binding_holds(const struct binding *b, const char *pane)
{
    const size_t n = pane ? strlen(pane) : 0;
    for (const char *at = b->panes; n && *at; at += strcspn(at, " ") + 1)
        if (!strncmp(at, pane, n) && at[n] == ' ') return true;
    return !b->panes[0];
}

/* Of two bindings of a key the one that holds for less: in a pane, in a mode, everywhere. */
static int rank_of(const struct binding *b, enum keys_mode mode) { return b->panes[0] ? 2 : b->mode == mode; }

const struct binding *keys_find(
    const struct keys *k, enum keys_mode mode, const char *pane, const char *sequence, bool *prefix)
{
    const struct binding *found = NULL;
    const size_t n = strlen(sequence);
    *prefix = false;
    for (size_t i = 0; i < k->count; i++) {
        const struct binding *b = &k->binding[i];
        if (strncmp(b->key, sequence, n) != 0 || (b->key[n] && b->key[n] != ',')) continue;
        if ((b->mode != mode && b->mode != KEYS_ANY) || !*b->command || !binding_holds(b, pane)) continue;
        if (b->key[n])
            *prefix = true;
        else if (!found || rank_of(b, mode) >= rank_of(found, mode))
            found = b;
    }
    return found;
}
