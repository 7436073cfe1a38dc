/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "keys.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/open_file.h"

#define SETTINGS_MOST (1 << 20) /* bytes of a file */

static struct binding *binding_add(struct keys *k, enum keys_mode mode, const char *key)
{
    for (size_t i = 0; i < k->count; i++)
        if (k->binding[i].mode == mode && !strcmp(k->binding[i].key, key)) return &k->binding[i];
    struct binding *list = realloc(k->binding, (k->count + 1) * sizeof *list);
    if (!list) return NULL;
    k->binding = list;
    struct binding *b = &list[k->count++];
    *b = (struct binding){.mode = mode};
    snprintf(b->key, sizeof b->key, "%s", key);
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

static bool heading_read(const char *line, enum keys_mode *mode, struct gpudbg_error *err)
{
    static const char *const names[KEYS_MODES] = {"[keys]", "[prompt]", "[any]"};
    for (int i = 0; i < KEYS_MODES; i++)
        if (!strcmp(line, names[i])) {
            *mode = (enum keys_mode)i;
            return true;
        }
    return gpudbg_fail(err, "syntax", "no group of keys is called %.40s", line);
}

static bool line_read(struct keys *k, char *line, enum keys_mode *mode, struct gpudbg_error *err)
{
    line = trimmed(line);
    if (!*line || (line[0] == '#' && (!line[1] || isspace((unsigned char)line[1])))) return true;
    if (line[0] == '[' && line[1] && !isspace((unsigned char)line[1])) return heading_read(line, mode, err);
    char *label = label_cut(line), *command = line + strcspn(line, " \t");
    if (*command) *command++ = 0;
    command = trimmed(command);
    if (strlen(line) >= sizeof((struct binding *)0)->key || strlen(command) >= sizeof((struct binding *)0)->command)
        return gpudbg_fail(err, "syntax", "the binding of %.40s is too long", line);
    struct binding *b = binding_add(k, *mode, line);
    if (!b) return gpudbg_fail(err, "memory", "no memory for key %s", line);
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
    enum keys_mode mode = KEYS_SINGLE;
    bool ok = true;
    while (ok && fgets(line, sizeof line, f)) {
        number++;
        ok = line_read(k, line, &mode, err);
    }
    fclose(f);
    if (!ok) {
        snprintf(err->file, sizeof err->file, "%s", path);
        err->line = number;
    }
    return ok;
}

void keys_free(struct keys *k)
{
    free(k->binding);
    *k = (struct keys){0};
}

const struct binding *keys_find(const struct keys *k, enum keys_mode mode, const char *sequence, bool *prefix)
{
    const struct binding *found = NULL;
    size_t n = strlen(sequence);
    *prefix = false;
    for (size_t i = 0; i < k->count; i++) {
        const struct binding *b = &k->binding[i];
        if ((b->mode != mode && b->mode != KEYS_ANY) || !*b->command) continue;
        if (!strcmp(b->key, sequence)) {
            if (!found || b->mode == mode) found = b;
        } else if (!strncmp(b->key, sequence, n) && b->key[n] == ',') {
            *prefix = true;
        }
    }
    return found;
}
