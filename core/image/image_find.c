/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_find.c: what stands at an address of an image, and what is named so.  A file may have tens of thousands of
 * sections, kernels and patches, and they may lie over one another, so each question is answered from an index. Indices
 * are made when first asked for; what loaders add later is looked through one by one until it is an eighth of the
 * whole, then indexed, too.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "image/image.h"
#include "base/spans.h"

struct start {
    uint64_t addr;
    uint32_t number;
};

struct image_index {
    struct spans places; /* of sections: the first of the file that covers an address */
    size_t sections;     /* how many of the image's are indexed */
    struct start *patch; /* by address, then in the order in which they were made */
    size_t npatches, patches;
    uint32_t *kernel; /* open addressing by name; number + 1 */
    size_t room, kernels;
    const struct gpudbg_symbol **by_name;
    size_t symbols;
};

static struct image_index *index_of(const struct gpudbg_image *image)
{
    struct image_index **at = image_index(image);
    if (!*at) *at = xalloc(sizeof **at);
    return *at;
}

void image_index_free(struct image_index *x)
{
    if (!x) return;
    free(x->places.span);
    free(x->patch);
    free(x->kernel);
    free(x->by_name);
    free(x);
}

/* Files decide how many there are.  Without memory there is no index, and tables are walked; NULL. */
static void *rows(size_t n, size_t size) { return calloc(n + 1, size); }

/* Whether `n` things, of which `indexed` are in an index, want a new one. */
static bool outgrown(size_t n, size_t indexed) { return n - indexed > 16 + indexed / 8; }

static int by_start(const void *a, const void *b)
{
    const struct start *x = a, *y = b;
    if (x->addr != y->addr) return x->addr < y->addr ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static int by_number(const void *a, const void *b)
{
    const struct start *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

/* ---- Sections ---- */

static bool takes_part(const struct gpudbg_section *s) { return s->flags & GPUDBG_LOADED && s->size; }
static uint64_t last_of(const struct gpudbg_section *s) { return s->addr + (s->size - 1); }

static void index_sections(struct image_index *x, const struct gpudbg_image *image)
{
    struct span *all = rows(image->nsections, sizeof *all);
    size_t n = 0;
    if (!all) return;
    for (size_t i = 0; i < image->nsections; i++)
        if (takes_part(&image->sections[i]))
            all[n++] = (struct span){image->sections[i].addr, last_of(&image->sections[i]), (uint32_t)i};
    free(x->places.span);
    x->places = spans_make(all, n);
    x->sections = x->places.span ? image->nsections : 0;
    free(all);
}

/* What is made by hand has no index: its tables are walked. */
static const struct image_index *sections_of(const struct gpudbg_image *image)
{
    static const struct image_index none;
    if (!image->own) return &none;
    struct image_index *x = index_of(image);
    if (outgrown(image->nsections, x->sections)) index_sections(x, image);
    return x;
}

const struct gpudbg_section *gpudbg_image_at(const struct gpudbg_image *image, uint64_t addr)
{
    const struct image_index *x = sections_of(image);
    size_t at = spans_to(&x->places, addr);
    if (at < x->places.count && x->places.span[at].from <= addr) return &image->sections[x->places.span[at].number];
    for (size_t i = x->sections; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (takes_part(s) && addr >= s->addr && addr - s->addr < s->size) return s;
    }
    return NULL;
}

bool image_next(const struct gpudbg_image *image, uint64_t addr, uint64_t *next)
{
    const struct image_index *x = sections_of(image);
    size_t at = spans_to(&x->places, addr);
    bool found = at < x->places.count;
    if (found) *next = x->places.span[at].from > addr ? x->places.span[at].from : addr;
    for (size_t i = x->sections; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!takes_part(s) || last_of(s) < addr) continue;
        uint64_t from = s->addr > addr ? s->addr : addr;
        if (!found || from < *next) *next = from;
        found = true;
    }
    return found;
}

const uint8_t *gpudbg_image_bytes(const struct gpudbg_image *image, uint64_t addr, size_t *n)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    if (!s || !s->bytes) return NULL;
    *n = (size_t)(s->size - (addr - s->addr));
    return s->bytes + (addr - s->addr);
}

/* ---- Patches ---- */

/* Of patches of one size at one address the last one counts. */
static void index_patches(struct image_index *x, const struct gpudbg_image *image)
{
    struct start *all = rows(image->npatches, sizeof *all);
    if (!all) return;
    free(x->patch);
    x->patch = all;
    x->patches = image->npatches;
    for (size_t i = 0; i < image->npatches; i++) x->patch[i] = (struct start){image->patches[i].addr, (uint32_t)i};
    qsort(x->patch, image->npatches, sizeof *x->patch, by_start);
    size_t n = 0;
    for (size_t i = 0, end; i < image->npatches; i = end) {
        uint32_t latest[9] = {0}; /* by size; number + 1 */
        for (end = i; end < image->npatches && x->patch[end].addr == x->patch[i].addr; end++) {
            const uint32_t number = x->patch[end].number;
            latest[image->patches[number].size % 9] = number + 1;
        }
        const uint64_t addr = x->patch[i].addr;
        for (unsigned size = 0; size < 9; size++)
            if (latest[size]) x->patch[n++] = (struct start){addr, latest[size] - 1};
    }
    x->npatches = n;
}

static void apply(const struct gpudbg_patch *p, uint64_t addr, uint8_t *to, uint64_t size)
{
    for (unsigned b = 0; b < p->size; b++) /* the range may hold a part of it */
        if (p->addr + b - addr < size) to[p->addr + b - addr] = (uint8_t)(p->value >> 8 * b);
}

static void copy_patches(const struct gpudbg_image *image, uint64_t addr, uint8_t *to, uint64_t size)
{
    struct image_index *x = index_of(image);
    if (outgrown(image->npatches, x->patches)) index_patches(x, image);
    const uint64_t first = addr > 8 ? addr - 8 : 0;
    size_t lo = 0, hi = x->npatches, end;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->patch[mid].addr < first)
            lo = mid + 1;
        else
            hi = mid;
    }
    for (end = lo; end < x->npatches && (x->patch[end].addr < addr || x->patch[end].addr - addr < size);) end++;
    struct start *here = rows(end - lo, sizeof *here); /* in the order in which they were made */
    for (size_t i = 0; !here && i < image->npatches; i++) apply(&image->patches[i], addr, to, size);
    if (!here) return;
    if (end > lo) {
        memcpy(here, x->patch + lo, (end - lo) * sizeof *here);
        qsort(here, end - lo, sizeof *here, by_number);
    }
    for (size_t i = 0; i < end - lo; i++) apply(&image->patches[here[i].number], addr, to, size);
    free(here);
    for (size_t i = x->patches; i < image->npatches; i++) apply(&image->patches[i], addr, to, size);
}

/* Puts what [from, last] of a section holds where the range wants it; the section covers these addresses. */
static void put(const struct gpudbg_section *s, uint64_t from, uint64_t last, uint64_t addr, uint8_t *to, uint64_t size)
{
    if (size == 0 || last < addr || (from > addr && from - addr >= size)) return;
    if (from < addr) from = addr;
    if (last - addr >= size) last = addr + (size - 1);
    if (s->bytes)
        memcpy(to + (from - addr), s->bytes + (from - s->addr), (size_t)(last - from + 1));
    else
        memset(to + (from - addr), 0, (size_t)(last - from + 1));
}

void gpudbg_image_copy(const struct gpudbg_image *image, uint64_t addr, uint8_t *to, uint64_t size)
{
    const struct image_index *x = sections_of(image);
    memset(to, 0, (size_t)size);
    for (size_t i = image->nsections; i-- > x->sections;) { /* the first of the file lies over the others */
        const struct gpudbg_section *s = &image->sections[i];
        if (takes_part(s)) put(s, s->addr, last_of(s), addr, to, size);
    }
    for (size_t i = spans_to(&x->places, addr);
         i < x->places.count && (x->places.span[i].from < addr || x->places.span[i].from - addr < size); i++)
        put(&image->sections[x->places.span[i].number], x->places.span[i].from, x->places.span[i].last, addr, to, size);
    if (image->npatches && image->own)
        copy_patches(image, addr, to, size);
    else
        for (size_t i = 0; i < image->npatches; i++) apply(&image->patches[i], addr, to, size);
}

/* ---- Names ---- */

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct gpudbg_symbol *const *)a)->name, (*(const struct gpudbg_symbol *const *)b)->name);
}

/* How many entries of a sorted array have an address (at `member` of each) of at most addr. */
static size_t count_to(const void *array, size_t n, size_t size, size_t member, uint64_t addr)
{
    size_t lo = 0, hi = n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        uint64_t at;
        memcpy(&at, (const char *)array + mid * size + member, sizeof at);
        if (at <= addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

const struct gpudbg_symbol *gpudbg_image_symbol_at(const struct gpudbg_image *image, uint64_t addr)
{
    size_t i = count_to(
        image->symbols, image->nsymbols, sizeof *image->symbols, offsetof(struct gpudbg_symbol, addr), addr);
    for (unsigned tries = 0; i-- > 0 && tries < 16;
         tries++) { /* a few may start at one address, or be inside another */
        const struct gpudbg_symbol *s = &image->symbols[i];
        if (addr == s->addr || addr - s->addr < s->size) return s;
    }
    return NULL;
}

static void index_names(struct image_index *x, const struct gpudbg_image *image)
{
    free(x->by_name);
    x->by_name = rows(image->nsymbols, sizeof *x->by_name);
    x->symbols = x->by_name ? image->nsymbols : 0;
    for (size_t i = 0; i < x->symbols; i++) x->by_name[i] = &image->symbols[i];
    if (x->symbols) qsort(x->by_name, x->symbols, sizeof *x->by_name, by_name);
}

const struct gpudbg_symbol *gpudbg_image_find(const struct gpudbg_image *image, const char *name)
{
    if (!image->nsymbols) return NULL;
    struct image_index *x = index_of(image);
    if (x->symbols != image->nsymbols) index_names(x, image);
    for (size_t i = 0; !x->by_name && i < image->nsymbols; i++)
        if (image->symbols[i].name && strcmp(image->symbols[i].name, name) == 0) return &image->symbols[i];
    if (!x->by_name) return NULL;
    struct gpudbg_symbol key = {.name = name};
    const struct gpudbg_symbol *k = &key;
    const struct gpudbg_symbol **found = bsearch(&k, x->by_name, image->nsymbols, sizeof *x->by_name, by_name);
    return found ? *found : NULL;
}

/* The slot of the first kernel of that name, or the empty one where it belongs. */
static uint32_t *kernel_slot(struct image_index *x, const struct gpudbg_image *image, const char *name)
{
    uint64_t hash = 1;
    for (const char *c = name; *c; c++) {
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    size_t at = hash & (x->room - 1);
    while (x->kernel[at] && strcmp(image->kernels[x->kernel[at] - 1].name, name) != 0) at = (at + 1) & (x->room - 1);
    return &x->kernel[at];
}

static void index_kernels(struct image_index *x, const struct gpudbg_image *image)
{
    if (2 * image->nkernels >= x->room) {
        free(x->kernel);
        x->room = x->room ? x->room : 64;
        while (2 * image->nkernels >= x->room) x->room *= 2;
        x->kernel = rows(x->room, sizeof *x->kernel);
        x->kernels = 0;
        if (!x->kernel) x->room = 0;
    }
    if (!x->kernel) return;
    for (; x->kernels < image->nkernels; x->kernels++) {
        uint32_t *slot = kernel_slot(x, image, image->kernels[x->kernels].name);
        if (!*slot) *slot = (uint32_t)x->kernels + 1;
    }
}

const struct gpudbg_kernel *gpudbg_image_kernel_named(const struct gpudbg_image *image, const char *name)
{
    struct image_index *x = index_of(image);
    index_kernels(x, image);
    for (size_t i = 0; !x->kernel && i < image->nkernels; i++)
        if (strcmp(image->kernels[i].name, name) == 0) return &image->kernels[i];
    if (!x->kernel) return NULL;
    const uint32_t *slot = kernel_slot(x, image, name);
    return *slot ? &image->kernels[*slot - 1] : NULL;
}

/* Rows with line 0 or file NULL end a sequence: addresses behind them have no line. */
const struct gpudbg_line *gpudbg_image_line(const struct gpudbg_image *image, uint64_t addr)
{
    size_t i = count_to(image->lines, image->nlines, sizeof *image->lines, offsetof(struct gpudbg_line, addr), addr);
    return i && image->lines[i - 1].file ? &image->lines[i - 1] : NULL;
}

int image_where(const struct gpudbg_image *image, uint64_t pc, char *buf, size_t size)
{
    const struct gpudbg_symbol *s = image ? gpudbg_image_symbol_at(image, pc) : NULL;
    if (!s) return snprintf(buf, size, "0x%" PRIx64, pc);
    if (s->addr == pc) return snprintf(buf, size, "%s", s->name);
    return snprintf(buf, size, "%s+0x%" PRIx64, s->name, pc - s->addr);
}
