/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image.c: what a loaded file holds.  Strings and loader data live in an arena that goes with the image; the tables are
 * arrays that grow while loading and are sorted once after it.  image_find.c looks things up in them.
 */
#include "image/image.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "base/mapped.h"
#include "gpudbg/text.h"

#define TAKEN_MOST ((uint64_t)16 << 30) /* where the user set no budget */
#define ARENA_MOST ((size_t)256 << 20)  /* what a file's tables may take */

struct closing {
    struct closing *next;
    void (*fn)(void *);
    void *data;
};

struct image_own {
    struct arena arena;
    uint8_t *file;
    size_t file_size;
    bool mapped;
    uint64_t budget, spent; /* bytes; 0: no budget */
    bool lines_left_out;
    void *elf;
    struct image_index *index; /* built when first asked for */
    struct image_debug *debug; /* debug information, opened when first asked for */
    struct overlays *overlays; /* what the user patched, made with the first patch */
    struct closing *closing;   /* newest first */
    const char **source;       /* names of files in line tables, by hash: rows in turn name a few of them */
    size_t nsources, room_sources;
    struct need {
        uint64_t place;
        const char *name;
        uint64_t addr;
    } * needs; /* symbols that the file does not contain */
    size_t nneeds, room_needs, nundefined;
    struct gpudbg_image *container; /* NULL: a file of its own */
    const char **members;           /* paths of all that is in the same container */
    size_t nmembers;
    size_t room_sections, room_symbols, room_kernels, room_lines, room_facts, room_patches;
};

static struct image_own *own(const struct gpudbg_image *image) { return image->own; }

struct gpudbg_image *image_new(const char *path)
{
    struct gpudbg_image *image = xalloc(sizeof *image);
    image->own = xalloc(sizeof(struct image_own));
    own(image)->arena.most = ARENA_MOST;
    image->path = arena_string(&own(image)->arena, path, strlen(path));
    if (!image->path) xalloc_end();
    return image;
}

void image_give(struct gpudbg_image *image, uint8_t *bytes, size_t size, bool mapped)
{
    image->bytes = bytes;
    image->size = size;
    own(image)->file = bytes;
    own(image)->file_size = size;
    own(image)->mapped = mapped;
}

void image_budget(struct gpudbg_image *image, uint64_t bytes)
{
    own(image)->budget = bytes;
    if (bytes && bytes < ARENA_MOST) own(image)->arena.most = (size_t)bytes;
}

void image_inside(struct gpudbg_image *image, struct gpudbg_image *container)
{
    while (own(image)->container) image = own(image)->container;
    own(image)->container = container;
}

const struct gpudbg_image *image_file(const struct gpudbg_image *image)
{
    while (own(image)->container) image = own(image)->container;
    return image;
}

void image_give_members(struct gpudbg_image *image, char **paths, size_t n)
{
    struct image_own *o = own(image);
    o->members = arena_alloc(&o->arena, (n + 1) * sizeof *o->members);
    o->nmembers = 0;
    for (size_t i = 0; o->members && i < n; i++)
        if ((o->members[i] = arena_string(&o->arena, paths[i], strlen(paths[i])))) o->nmembers = i + 1;
}

const char *image_member_path(const struct gpudbg_image *image, size_t i)
{
    return i < own(image)->nmembers ? own(image)->members[i] : NULL;
}

uint64_t image_most(const struct gpudbg_image *image) { return own(image)->budget; }

bool image_take(struct gpudbg_image *image, uint64_t bytes)
{
    struct image_own *o = own(image);
    const uint64_t most = o->budget ? o->budget : TAKEN_MOST;
    if (bytes > most - o->spent) return false;
    o->spent += bytes;
    /* The library that takes it ends the program where there is none; volatile: a compiler may drop what only asks. */
    void *volatile there = malloc((size_t)bytes + 1);
    free(there);
    return there != NULL;
}

void image_lines_too_large(struct gpudbg_image *image)
{
    if (!own(image)->lines_left_out)
        gpudbg_image_fact(image, "line table", "left out: it takes more memory than `set memory-limit` allows", 0);
    own(image)->lines_left_out = true;
}

const char *image_no_lines(const struct gpudbg_image *image)
{
    return own(image)->lines_left_out ? "has a line table that was left out, for want of memory" : "has no line table";
}

bool image_lines_left_out(const struct gpudbg_image *image) { return own(image)->lines_left_out; }

bool image_cut(const struct gpudbg_image *image) { return own(image)->mapped && mapped_cut(own(image)->file); }

bool image_cut_failed(const struct gpudbg_image *image, struct gpudbg_error *err)
{
    return gpudbg_fail(err, "truncated",
        "%s became shorter while it was open: what is missing reads as 0; `file %s` opens it again", image->path,
        image->path);
}

void **image_elf(struct gpudbg_image *image) { return &own(image)->elf; }

struct image_index **image_index(const struct gpudbg_image *image) { return &own(image)->index; }
struct overlays **image_overlays_of(const struct gpudbg_image *image) { return &own(image)->overlays; }
struct image_debug **image_debug(const struct gpudbg_image *image) { return &own(image)->debug; }

void image_on_close(const struct gpudbg_image *image, void (*fn)(void *data), void *data)
{
    struct closing *c = xalloc(sizeof *c);
    *c = (struct closing){own(image)->closing, fn, data};
    own(image)->closing = c;
}

void image_free(struct gpudbg_image *image)
{
    if (!image) return;
    struct image_own *o = own(image);
    for (struct closing *c = o->closing, *next; c; c = next) {
        next = c->next;
        c->fn(c->data);
        free(c);
    }
    if (o->mapped)
        mapped_close(o->file);
    else
        free(o->file);
    for (size_t i = 0; i < image->nkernels; i++) {
        free(image->kernels[i].params);
        free(image->kernels[i].facts);
    }
    image_free(o->container);
    arena_free(&o->arena);
    image_index_free(o->index);
    free(o->source);
    free(o->needs);
    free(image->sections);
    free(image->symbols);
    free(image->kernels);
    free(image->lines);
    free(image->facts);
    free(image->patches);
    free(o);
    free(image);
}

/* ---- Growing ---- */

void *gpudbg_image_alloc(struct gpudbg_image *image, size_t size) { return arena_alloc(&own(image)->arena, size); }

const char *gpudbg_image_string(struct gpudbg_image *image, const char *text, size_t n)
{
    const char *copy = arena_string(&own(image)->arena, text, n);
    return copy ? copy : "?";
}

/* One more, zeroed. */
static void *grow(void **items, size_t *n, size_t *room, size_t size)
{
    *items = xgrow(*items, *n, room, size);
    return memset((char *)*items + (*n)++ * size, 0, size);
}
#define GROW(array, n, room) grow((void **)&(array), &(n), &(room), sizeof *(array))

static const char *keep(struct gpudbg_image *image, const char *text)
{
    return text ? gpudbg_image_string(image, text, strlen(text)) : NULL;
}

struct gpudbg_section *gpudbg_image_section(
    struct gpudbg_image *image, const char *name, uint64_t addr, uint64_t size, const uint8_t *bytes, uint32_t flags)
{
    struct gpudbg_section *s = GROW(image->sections, image->nsections, own(image)->room_sections);
    *s = (struct gpudbg_section){keep(image, name), addr, size, bytes, flags};
    return s;
}

struct gpudbg_symbol *gpudbg_image_symbol(
    struct gpudbg_image *image, const char *name, uint64_t addr, uint64_t size, enum gpudbg_symbol_kind kind)
{
    struct gpudbg_symbol *s = GROW(image->symbols, image->nsymbols, own(image)->room_symbols);
    *s = (struct gpudbg_symbol){keep(image, name), addr, size, (uint8_t)kind};
    return s;
}

#define UNDEFINED_BASE UINT64_C(0x7fff00000000) /* where no file puts anything */
#define UNDEFINED_EACH UINT64_C(0x1000000)      /* bytes: offsets from one symbol do not reach the next */
#define NEEDS 4096

uint64_t image_undefined(struct gpudbg_image *image, const char *name, uint64_t place)
{
    struct image_own *o = own(image);
    const struct need *same = NULL;
    if (o->nneeds == NEEDS) return GPUDBG_UNDEFINED;
    for (size_t i = 0; i < o->nneeds && !same; i++)
        if (strcmp(o->needs[i].name, name) == 0) same = &o->needs[i];
    struct need need = {place, same ? same->name : NULL, same ? same->addr : 0};
    if (!same) {
        need.addr = UNDEFINED_BASE + o->nundefined++ * UNDEFINED_EACH;
        need.name = gpudbg_image_symbol(image, name, need.addr, UNDEFINED_EACH, GPUDBG_SYM_UNDEFINED)->name;
        gpudbg_image_fact(image, "undefined symbol", need.name, 0);
    }
    *(struct need *)GROW(o->needs, o->nneeds, o->room_needs) = need;
    return need.addr;
}

bool image_needed(const struct gpudbg_image *image, size_t i, uint64_t *place, const char **name)
{
    if (i >= own(image)->nneeds) return false;
    *place = own(image)->needs[i].place;
    *name = own(image)->needs[i].name;
    return true;
}

struct gpudbg_kernel *gpudbg_image_kernel(struct gpudbg_image *image, const char *name, uint64_t entry)
{
    struct gpudbg_kernel *k = GROW(image->kernels, image->nkernels, own(image)->room_kernels);
    k->name = keep(image, name);
    k->entry = entry;
    return k;
}

/* Kernels have few of these and count no room for them: it is the next power of two. */
static void *grow_few(void *array, size_t n, size_t size)
{
    return n & (n - 1) ? array : xrealloc(array, n ? 2 * n : 1, size);
}

struct gpudbg_param *gpudbg_kernel_param(struct gpudbg_image *image, struct gpudbg_kernel *k)
{
    (void)image;
    k->params = grow_few(k->params, k->nparams, sizeof *k->params);
    struct gpudbg_param *p = &k->params[k->nparams++];
    memset(p, 0, sizeof *p);
    return p;
}

void gpudbg_kernel_fact(struct gpudbg_image *image, struct gpudbg_kernel *k, const char *key, uint64_t value)
{
    k->facts = grow_few(k->facts, k->nfacts, sizeof *k->facts);
    k->facts[k->nfacts++] = (struct gpudbg_fact){keep(image, key), NULL, value};
}

/* OpenCL C's unsigned types start with u. */
char gpudbg_scalar_of(const char *type)
{
    static const char *const floats[] = {"float", "double", "half"}, *const ints[] = {
                                                                         "char", "short", "int", "long", "bool"};
    if (!type) return 0;
    bool is_unsigned = strncmp(type, "unsigned ", 9) == 0 || strcmp(type, "size_t") == 0 ||
                       strcmp(type, "uintptr_t") == 0;
    for (size_t i = 0; i < 3; i++)
        if (strncmp(type, floats[i], strlen(floats[i])) == 0) return 'f';
    for (size_t i = 0; i < 5; i++) {
        if (strncmp(type, ints[i], strlen(ints[i])) == 0) return 'i';
        if (type[0] == 'u' && strncmp(type + 1, ints[i], strlen(ints[i])) == 0) return 'u';
    }
    return is_unsigned ? 'u' : 0;
}

void gpudbg_image_fact(struct gpudbg_image *image, const char *key, const char *text, uint64_t value)
{
    struct gpudbg_fact *f = GROW(image->facts, image->nfacts, own(image)->room_facts);
    *f = (struct gpudbg_fact){keep(image, key), keep(image, text), value};
}

bool gpudbg_image_chip(struct gpudbg_image *image, const struct gpudbg_chip *chip, struct gpudbg_error *err)
{
    char name[160], text[320];
    snprintf(name, sizeof name, "%s%s%s%s", chip->name, chip->family ? " (" : "", chip->family ? chip->family : "",
        chip->family ? ")" : "");
    if (!image->isa) image->isa = chip->isa;
    if (!image->isa) return gpudbg_fail(err, "unsupported", "this is code for %s: not read", name);
    if (image->isa == chip->isa) return true;
    snprintf(text, sizeof text, "the file says %s, and is read as %s because --isa says so: %s", name, image->isa->name,
        chip->isa ? "the two differ" : "much of what is shown is wrong");
    gpudbg_image_fact(image, IMAGE_WARNING, text, 0);
    return true;
}

const char *image_warning(const struct gpudbg_image *image)
{
    for (size_t i = 0; i < image->nfacts; i++)
        if (strcmp(image->facts[i].key, IMAGE_WARNING) == 0) return image->facts[i].text;
    return NULL;
}

void gpudbg_image_patch(struct gpudbg_image *image, uint64_t addr, uint64_t value, unsigned size)
{
    struct gpudbg_patch *p = GROW(image->patches, image->npatches, own(image)->room_patches);
    *p = (struct gpudbg_patch){addr, value, (uint8_t)size};
}

static size_t source_slot(const struct image_own *o, const char *name)
{
    uint64_t hash = 1;
    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)text_shown(*c)) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    for (size_t at = hash & (o->room_sources - 1);; at = (at + 1) & (o->room_sources - 1)) {
        const char *have = o->source[at], *c = name;
        while (have && *c && *have == text_shown(*c)) have++, c++;
        if (!have || *have == *c) return at;
    }
}

/* The name of a source, kept once. */
static const char *keep_source(struct gpudbg_image *image, const char *name)
{
    struct image_own *o = own(image);
    if (2 * o->nsources >= o->room_sources) {
        const struct image_own old = *o;
        o->room_sources = old.room_sources ? 2 * old.room_sources : 64;
        o->source = xcalloc(o->room_sources, sizeof *o->source);
        for (size_t i = 0; i < old.room_sources; i++)
            if (old.source[i]) o->source[source_slot(o, old.source[i])] = old.source[i];
        free(old.source);
    }
    const char **slot = &o->source[source_slot(o, name)];
    if (!*slot) {
        *slot = keep(image, name);
        o->nsources++;
    }
    return *slot;
}

void gpudbg_image_add_line(struct gpudbg_image *image, uint64_t addr, const char *file, uint32_t line, uint32_t column)
{
    struct gpudbg_line *l = GROW(image->lines, image->nlines, own(image)->room_lines);
    *l = (struct gpudbg_line){.addr = addr,
        .file = file ? keep_source(image, file) : NULL,
        .line = line,
        .column = column < UINT16_MAX ? (uint16_t)column : UINT16_MAX};
}

/* ---- Sorting ---- */

static int by_addr(const void *a, const void *b)
{
    const struct gpudbg_symbol *x = a, *y = b;
    if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
    if (x->kind != y->kind) return y->kind - x->kind; /* functions last: gpudbg_image_symbol_at looks from the end */
    return strcmp(x->name, y->name);
}

static int by_line_addr(const void *a, const void *b)
{
    const struct gpudbg_line *x = a, *y = b;
    if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
    return (x->file != NULL) -
           (y->file != NULL); /* the end of one sequence may be the start of the next, which counts */
}

void image_sort(struct gpudbg_image *image)
{
    if (image->nsymbols) qsort(image->symbols, image->nsymbols, sizeof *image->symbols, by_addr);
    if (image->nlines) qsort(image->lines, image->nlines, sizeof *image->lines, by_line_addr);
    image_index_free(own(image)->index); /* symbols stand elsewhere now */
    own(image)->index = NULL;
}

bool image_add_code(struct gpudbg_image *image, const char *name, uint64_t addr, const uint8_t *bytes, size_t size,
    struct gpudbg_error *err)
{
    if (addr % image->isa->align)
        return gpudbg_fail(
            err, "bad-offset", "0x%" PRIx64 ": code starts at a multiple of %u", addr, image->isa->align);
    if (size == 0 || size > UINT64_MAX - addr)
        return gpudbg_fail(err, "bad-offset", "%zu bytes at 0x%" PRIx64 ": no code", size, addr);
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (s->flags & GPUDBG_LOADED && addr < s->addr + s->size && s->addr < addr + size)
            return gpudbg_fail(
                err, "bad-offset", "0x%" PRIx64 " to 0x%" PRIx64 ": '%s' lies there", addr, addr + size, s->name);
    }
    if (gpudbg_image_find(image, name))
        return gpudbg_fail(err, "redefinition", "the name '%s' is already in use; choose another name", name);
    uint8_t *copy = gpudbg_image_alloc(image, size);
    if (!copy) return gpudbg_fail(err, "too-large", "there is no room for %zu bytes of code", size);
    memcpy(copy, bytes, size);
    gpudbg_image_section(image, name, addr, size, copy, GPUDBG_LOADED | GPUDBG_CODE_BYTES);
    gpudbg_image_symbol(image, name, addr, size, GPUDBG_SYM_FUNCTION);
    image_sort(image);
    return true;
}
