/* SPDX-License-Identifier: GPL-3.0-or-later */
/* registry.c: growing lists of descriptors; names are looked up by walking them, there are never many. */
#include "word/registry.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include <strings.h>
#include "gpudbg/text.h"

struct list {
    const void **items;
    size_t count;
};

/* The listings that count now, worked out when they are asked for. */
struct now {
    struct list list;
    bool known; /* nothing was added or taken out since, and the file's instruction set is the same */
};

enum { ISAS, LOADERS, CHECKERS, COMMANDS, LISTINGS, READERS, PLUGINS, LISTS };

struct registry {
    struct list list[LISTS];
    const char *isa; /* of the loaded file, or NULL */
    struct now *now;
};

struct registry *registry_new(void)
{
    struct registry *r = xalloc(sizeof *r);
    r->now = xalloc(sizeof *r->now);
    return r;
}

void registry_free(struct registry *r)
{
    if (!r) return;
    for (int i = 0; i < LISTS; i++) free(r->list[i].items);
    free(r->now->list.items);
    free(r->now);
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

static bool names_isa(const struct gpudbg_listing *l, const char *isa)
{
    for (const char *const *p = l->isas; p && *p; p++)
        if (strcmp(*p, isa) == 0) return true;
    return false;
}

bool listing_is_of(const struct gpudbg_listing *l, const char *isa) { return !l->isas || names_isa(l, isa); }

/* Can both be there?  Listings of different instruction sets can, and one for all of them beside one of some. */
static bool get_along(int kind, const void *a, const void *b)
{
    const struct gpudbg_listing *one = a, *other = b;
    if (kind != LISTINGS || (!one->isas && !other->isas)) return false;
    if (!one->isas || !other->isas) return true;
    for (const char *const *p = one->isas; *p; p++)
        if (names_isa(other, *p)) return false;
    return true;
}

static void append(struct list *list, const void *item)
{
    list->items = xrealloc(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = item;
}

static bool add(struct registry *r, int kind, const void *item, const char *plugin, struct gpudbg_error *err)
{
    struct list *list = &r->list[kind];
    const char *name = kinds[kind].name(item);
    if (!name || !*name)
        return gpudbg_fail(err, "not-recognised", "plug-in %s: a %s without a name", plugin, kinds[kind].what);
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(kinds[kind].name(list->items[i]), name) == 0 && !get_along(kind, list->items[i], item))
            return gpudbg_fail(
                err, "redefinition", "plug-in %s: there is a %s %s already", plugin, kinds[kind].what, name);
    append(list, item);
    r->now->known = false;
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
    if (!p->name || !*p->name) return gpudbg_fail(err, "not-recognised", "a plug-in without a name");
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
    r->now->known = false;
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

/* The lengths differ nearly always. */
static bool same_name(const char *a, const char *name, size_t n) { return strlen(a) == n && strcasecmp(a, name) == 0; }

const struct gpudbg_isa *registry_isa_named(const struct registry *r, const char *name)
{
    const struct gpudbg_isa *isa;
    const size_t n = strlen(name);
    for (size_t i = 0; (isa = registry_isa(r, i)); i++) {
        if (same_name(isa->name, name, n)) return isa;
        for (const char *const *alias = isa->traits.aliases; alias && *alias; alias++)
            if (same_name(*alias, name, n)) return isa;
    }
    return NULL;
}

/* Is `name` one of the words, which have blanks between them? */
static bool among(const char *words, const char *name, size_t n)
{
    for (; words && *words; words += strspn(words, " ")) {
        const size_t k = strcspn(words, " ");
        if (k == n && strncasecmp(words, name, n) == 0) return true;
        words += k;
    }
    return false;
}

/* Whether the chip is the one of that name, or of the generation of that name. */
static bool has_name(const struct gpudbg_chip *c, const char *name, bool generation)
{
    const size_t n = strlen(name);
    if (generation) return c->family && same_name(c->family, name, n);
    return same_name(c->name, name, n) || among(c->words, name, n);
}

/* The first one, and the plug-in that knows it; NULL: none does. */
static const struct gpudbg_plugin *find_chip(
    const struct registry *r, const char *name, bool generation, struct gpudbg_chip *c)
{
    const struct gpudbg_plugin *p;
    for (size_t i = 0; (p = registry_plugin(r, i)); i++)
        for (size_t k = 0; p->chip && p->chip(k, c); k++)
            if (has_name(c, name, generation)) return p;
    return NULL;
}

/* "a, b and c": the instruction sets that read code of the plug-in's chips. */
static void name_readers(const struct gpudbg_plugin *p, char *buf, size_t size)
{
    const struct gpudbg_isa *isas[32];
    struct text t = text_in(buf, size);
    struct gpudbg_chip c;
    size_t n = 0;
    for (size_t k = 0; p->chip(k, &c) && n < sizeof isas / sizeof *isas; k++) {
        size_t i = 0;
        while (i < n && isas[i] != c.isa) i++;
        if (c.isa && i == n) isas[n++] = c.isa;
    }
    for (size_t i = 0; i < n; i++) text_add(&t, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " and ", isas[i]->name);
}

/* "GENERATION (CHIP and others)": c is the first chip of the generation. */
static void name_generation(const struct gpudbg_plugin *p, const struct gpudbg_chip *c, char *text, size_t size)
{
    struct gpudbg_chip other;
    bool more = false;
    for (size_t k = 0; !more && p->chip(k, &other); k++)
        more = has_name(&other, c->family, true) && strcmp(other.name, c->name) != 0;
    snprintf(text, size, "%s (%s%s)", c->family, c->name, more ? " and others" : "");
}

const struct gpudbg_isa *registry_isa_asked(const struct registry *r, const char *name, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = registry_isa_named(r, name);
    struct gpudbg_chip c;
    char what[160], readers[256];
    if (isa) return isa;
    const struct gpudbg_plugin *p = find_chip(r, name, false, &c);
    if (p && c.isa) return c.isa;
    if (p && c.family && strcasecmp(c.family, c.name) != 0)
        snprintf(what, sizeof what, "%s (%s)", c.name, c.family);
    else if (p)
        snprintf(what, sizeof what, "%s", c.name);
    else if ((p = find_chip(r, name, true, &c)) && c.isa)
        return c.isa;
    else if (p)
        name_generation(p, &c, what, sizeof what);
    if (!p) {
        gpudbg_fail(err, "no-such-name", "no instruction set \"%.40s\"; see `info isa`", name);
        return NULL;
    }
    name_readers(p, readers, sizeof readers);
    if (strncasecmp(what, name, strlen(name)) == 0)
        gpudbg_fail(err, "unsupported", "code for %s is not read; of its relatives gpudbg reads %s", what, readers);
    else
        gpudbg_fail(err, "unsupported", "%.40s is %s, whose code is not read; of its relatives gpudbg reads %s", name,
            what, readers);
    return NULL;
}

void registry_for(struct registry *r, const char *isa)
{
    r->isa = isa;
    r->now->known = false;
}

/* Is it the one of its name that counts now: for the loaded file's instruction set, or the first if none is loaded? */
static bool counts(const struct registry *r, size_t i)
{
    const struct list *list = &r->list[LISTINGS];
    const struct gpudbg_listing *l = list->items[i];
    if (l->isas && r->isa && names_isa(l, r->isa)) return true;
    for (size_t k = 0; !l->isas && k < list->count; k++) { /* one of all sets gives way to one of this set */
        const struct gpudbg_listing *other = list->items[k];
        if (other->isas && strcmp(other->name, l->name) == 0 && r->isa && names_isa(other, r->isa)) return false;
    }
    if (!l->isas) return true;
    for (size_t k = 0; k < list->count; k++) {
        const struct gpudbg_listing *other = list->items[k];
        if (k != i && strcmp(other->name, l->name) == 0 && (k < i || (r->isa && names_isa(other, r->isa))))
            return false;
    }
    return true;
}

const struct gpudbg_listing *registry_general(const struct registry *r, const char *name)
{
    for (size_t k = 0; k < r->list[LISTINGS].count; k++) {
        const struct gpudbg_listing *l = r->list[LISTINGS].items[k];
        if (!l->isas && strcmp(l->name, name) == 0) return l;
    }
    return NULL;
}

const struct gpudbg_listing *registry_listing(const struct registry *r, size_t i)
{
    struct now *now = r->now;
    if (!now->known) {
        now->list.count = 0;
        for (size_t k = 0; k < r->list[LISTINGS].count; k++)
            if (counts(r, k)) append(&now->list, r->list[LISTINGS].items[k]);
        now->known = true;
    }
    return i < now->list.count ? now->list.items[i] : NULL;
}
const struct gpudbg_reader *registry_reader(const struct registry *r, size_t i) { return item(r, READERS, i); }
const struct gpudbg_plugin *registry_plugin(const struct registry *r, size_t i) { return item(r, PLUGINS, i); }
