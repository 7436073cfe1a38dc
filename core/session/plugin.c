/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plugin.c: shared objects.  A plug-in that does not fit or does not start is reported and forgotten; the session goes
 * on. What a plug-in registered points into it, so a loaded one stays mapped until the session ends.
 */
#include <errno.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "base/alloc.h"
#include "base/error_kind.h"
#include "session/plugin.h"
#include "word/registry.h"
#include "session/session.h"

struct plugin_loaded {
    struct plugin_loaded *next;
    void *object;
    struct gpudbg_plugin plugin; /* theirs, copied over zeros */
};

static bool open_object(const char *path, void **object, struct gpudbg_error *err)
{
    /* dlopen searches the system's folders for a bare name; a user who names a file means the file. */
    char *real = realpath(path, NULL);
    if (!real)
        return gpudbg_fail(err, errno == ENOENT ? "missing" : "io", "plug-in %s: %s", path,
            errno == ENOENT ? "no such file" : strerror(errno));
    struct stat st;
    if (stat(real, &st) != 0) {
        gpudbg_fail(err, "io", "plug-in %s: %s", path, strerror(errno));
        free(real);
        return false;
    }
    if (!S_ISREG(st.st_mode)) { /* dlopen would wait for a pipe, deaf to signals */
        free(real);
        return gpudbg_fail(err, "io", "plug-in %s: not a regular file", path);
    }
    alloc_watch();
    *object = dlopen(real, RTLD_NOW | RTLD_LOCAL);
    free(real);
    if (!*object && alloc_short()) return gpudbg_fail(err, "memory", "plug-in %s: no memory to load it", path);
    if (!*object) return gpudbg_fail(err, "not-recognised", "plug-in %s: %s", path, dlerror());
    return true;
}

static bool fits(const struct gpudbg_plugin *theirs, const char *path, struct gpudbg_error *err)
{
    if (!theirs) return gpudbg_fail(err, "not-recognised", "plug-in %s: it exports no gpudbg_plugin", path);
    if (theirs->abi != GPUDBG_ABI)
        return gpudbg_fail(err, "unsupported",
            "plug-in %s: it was built for GPUDBG_ABI %u, and this program has %u: build it again", path, theirs->abi,
            GPUDBG_ABI);
    if (theirs->size > sizeof *theirs || theirs->size < 2 * sizeof(uint32_t))
        return gpudbg_fail(err, "unsupported", "plug-in %s: its descriptor has %u bytes, and this program knows %zu",
            path, theirs->size, sizeof *theirs);
    return true;
}

bool plugin_load(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    struct plugin_loaded *mine = xalloc(sizeof *mine);
    if (!open_object(path, &mine->object, err)) {
        free(mine);
        return false;
    }
    const struct gpudbg_plugin *theirs = dlsym(mine->object, "gpudbg_plugin");
    if (!fits(theirs, path, err)) goto fail;
    memcpy(&mine->plugin, theirs, theirs->size);
    if (!registry_add(g->registry, &mine->plugin, err)) goto fail;
    if (mine->plugin.start && !mine->plugin.start(g, err)) {
        if (!err->kind) gpudbg_fail(err, "unsupported", "plug-in %s: it did not start", path);
        registry_remove(g->registry, &mine->plugin);
        goto fail;
    }
    mine->next = g->plugins;
    g->plugins = mine;
    return true;
fail:
    err->kind = error_kind_word(err->kind); /* the plug-in's own word goes with it */
    dlclose(mine->object);
    free(mine);
    return false;
}

void plugins_close(struct plugin_loaded *p)
{
    for (struct plugin_loaded *next; p; p = next) {
        next = p->next;
        dlclose(p->object);
        free(p);
    }
}
