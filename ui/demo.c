/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demo kernels; see demo.h. */
#include "demo.h"
#include "base/alloc.h"
#include "base/open_file.h"
#include "out/say.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_CHOICE "matmul"
#define SCRIPT_MOST (1 << 20) /* bytes */

/* A demo is a script, and beside it a file of the same name that holds code. */
static int is_script(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".gdb") == 0;
}

/* Path of the demo's code. */
static bool code_path(const struct gpudbg *g, const char *name, char *path, size_t size, struct gpudbg_error *err)
{
    for (const char *const *end = (const char *const[]){"co", "il", NULL}; *end; end++) {
        snprintf(path, size, "%s/demo/%s.%s", g->data, name, *end);
        if (access(path, F_OK) == 0) return true;
        if (errno != ENOENT) return gpudbg_fail(err, "io", "%s: %s", path, strerror(errno));
    }
    return true; /* opening it says that it is not there */
}

bool demo_list(struct gpudbg *g, struct gpudbg_out *out)
{
    char folder[1024];
    struct dirent **entries = NULL;
    snprintf(folder, sizeof folder, "%s/demo", g->data);
    int n = scandir(folder, &entries, is_script, alphasort);
    for (int i = 0; i < n; i++) {
        entries[i]->d_name[strlen(entries[i]->d_name) - 4] = 0;
        RECORD(out, "demo", "{name}\n", STRING("name", entries[i]->d_name));
        free(entries[i]);
    }
    free(entries);
    return n > 0;
}

bool demo_open(struct gpudbg *g, const char *name, struct gpudbg_out *out, struct gpudbg_error *err)
{
    char path[1024];
    struct load_options options = {0};
    if (!name) name = FIRST_CHOICE;
    if (strchr(name, '/'))
        return gpudbg_fail(err, "missing", "\"%s\" is not a demo; --demo=list prints their names", name);
    if (!code_path(g, name, path, sizeof path, err) || !session_load(g, path, &options, err)) return false;
    free(g->running.base);
    snprintf(path, sizeof path, "%s/demo", g->data);
    g->running.base = xstrdup(path);
    snprintf(path, sizeof path, "%s/demo/%s.gdb", g->data, name);
    FILE *script = stream_named(path, SCRIPT_MOST, err);
    if (!script) return false;
    g->foreign++; /* what comes with a program is data, too */
    session_script(g, script, path, out);
    g->foreign--;
    fclose(script);
    return true;
}
