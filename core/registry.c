/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.c: growing lists of descriptors; names are looked up by walking them, there are never many. */
#include "registry.h"
#include <stdlib.h>
#include <string.h>

struct list {
    const void **items;
    size_t count;
};

enum { ISAS, LOADERS, CHECKERS, COMMANDS, LISTINGS, READERS, PLUGINS, LISTS };

struct registry {
    struct list list[LISTS];
};

struct registry *registry_new(void) { return calloc(1, sizeof(struct registry)); }

void registry_free(struct registry *r)
{
    if (!r) return;
    for (int i = 0; i < LISTS; i++) free(r->list[i].items);
    free(r);
}

/* What each kind of descriptor is called in errors, and where its name stands. */
static const char *isa_name(const void *d) { return ((const struct gpudbg_isa *)d)->name; }
static const char *loader_name(const void *d) { return ((const struct gpudbg_loader *)d)->name; }
static const char *checker_name(const void *d) { return ((const struct gpudbg_checker *)d)->kind; }
static const char *command_name(const void *d) { return ((const struct gpudbg_command *)d)->name; }
static const char *listing_name(const void *d) { return ((const struct gpudbg_listing *)d)->name; }
static const char *reader_name(const void *d) { return ((const struct gpudbg_reader *)d)->name; }
static const char *plugin_name(const void *d) { return ((const struct gpudbg_plugin *)d)->name; }

static const struct {
    const char *what;
    const char *(*name)(const void *);
} kinds[LISTS] = {
    [ISAS] = {"instruction set", isa_name},
    [LOADERS] = {"loader", loader_name},
    [CHECKERS] = {"checker", checker_name},
    [COMMANDS] = {"command", command_name},
    [LISTINGS] = {"listing", listing_name},
    [READERS] = {"reader of dumps", reader_name},
    [PLUGINS] = {"plug-in", plugin_name},
};

static bool add(struct registry *r, int kind, const void *item, const char *plugin, struct gpudbg_error *err)
{
    struct list *list = &r->list[kind];
    const char *name = kinds[kind].name(item);
    if (!name || !*name) return gpudbg_fail(err, "command", "plug-in %s: a %s without a name", plugin, kinds[kind].what);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(kinds[kind].name(list->items[i]), name) == 0)
            return gpudbg_fail(err, "command", "plug-in %s: there is a %s %s already", plugin, kinds[kind].what, name);
    const void **grown = realloc(list->items, (list->count + 1) * sizeof *grown);
    if (!grown) return gpudbg_fail(err, "command", "plug-in %s: out of memory", plugin);
    list->items = grown;
    list->items[list->count++] = item;
    return true;
}

static bool add_all(
    struct registry *r, int kind, const void *const *items, const char *plugin, struct gpudbg_error *err)
{
    for (; items && *items; items++)
        if (!add(r, kind, *items, plugin, err)) return false;
    return true;
}

bool registry_add(struct registry *r, const struct gpudbg_plugin *p, struct gpudbg_error *err)
{
    size_t before[LISTS];
    for (int i = 0; i < LISTS; i++) before[i] = r->list[i].count;
    if (!p->name || !*p->name) return gpudbg_fail(err, "command", "a plug-in without a name");
    if (add(r, PLUGINS, p, p->name, err) && add_all(r, ISAS, (const void *const *)p->isas, p->name, err) &&
        add_all(r, LOADERS, (const void *const *)p->loaders, p->name, err) &&
        add_all(r, CHECKERS, (const void *const *)p->checkers, p->name, err) &&
        add_all(r, COMMANDS, (const void *const *)p->commands, p->name, err) &&
        add_all(r, LISTINGS, (const void *const *)p->listings, p->name, err) &&
        add_all(r, READERS, (const void *const *)p->readers, p->name, err))
        return true;
    for (int i = 0; i < LISTS; i++) r->list[i].count = before[i];
    return false;
}

static void take_out(struct list *list, const void *const *items)
{
    for (; items && *items; items++)
        for (size_t i = 0; i < list->count; i++)
            if (list->items[i] == *items) {
                memmove(&list->items[i], &list->items[i + 1], (list->count - i - 1) * sizeof *list->items);
                list->count--;
                break;
            }
}

void registry_remove(struct registry *r, const struct gpudbg_plugin *p)
{
    const void *self[] = {p, NULL};
    take_out(&r->list[ISAS], (const void *const *)p->isas);
    take_out(&r->list[LOADERS], (const void *const *)p->loaders);
    take_out(&r->list[CHECKERS], (const void *const *)p->checkers);
    take_out(&r->list[COMMANDS], (const void *const *)p->commands);
    take_out(&r->list[LISTINGS], (const void *const *)p->listings);
    take_out(&r->list[READERS], (const void *const *)p->readers);
    take_out(&r->list[PLUGINS], self);
}

static const void *item(const struct registry *r, int kind, size_t i)
{
    return i < r->list[kind].count ? r->list[kind].items[i] : NULL;
}

const struct gpudbg_isa *registry_isa(const struct registry *r, size_t i) { return item(r, ISAS, i); }
const struct gpudbg_loader *registry_loader(const struct registry *r, size_t i) { return item(r, LOADERS, i); }
const struct gpudbg_checker *registry_checker(const struct registry *r, size_t i) { return item(r, CHECKERS, i); }
const struct gpudbg_command *registry_command(const struct registry *r, size_t i) { return item(r, COMMANDS, i); }
const struct gpudbg_listing *registry_listing(const struct registry *r, size_t i) { return item(r, LISTINGS, i); }
const struct gpudbg_reader *registry_reader(const struct registry *r, size_t i) { return item(r, READERS, i); }
const struct gpudbg_plugin *registry_plugin(const struct registry *r, size_t i) { return item(r, PLUGINS, i); }
