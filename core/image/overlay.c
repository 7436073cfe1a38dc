/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlay.c: code that the user patched; see overlay.h. */
#include "image/overlay.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "image/image.h"

/* A section whose bytes are a copy now. */
struct copied {
    size_t section; /* its number in the image */
    const uint8_t *original;
    uint8_t *bytes;
};

struct overlays {
    struct image_overlay *list;
    size_t n, room;
    struct copied *copied;
    size_t ncopied, room_copied;
};

static void overlays_free(void *data)
{
    struct overlays *o = data;
    for (size_t i = 0; i < o->n; i++) free(o->list[i].text);
    for (size_t i = 0; i < o->ncopied; i++) free(o->copied[i].bytes);
    free(o->list);
    free(o->copied);
    free(o);
}

const struct image_overlay *image_overlays(const struct gpudbg_image *image, size_t *n)
{
    const struct overlays *o = *image_overlays_of(image);
    *n = o ? o->n : 0;
    return o ? o->list : NULL;
}

const struct image_overlay *image_overlay_at(const struct gpudbg_image *image, uint64_t addr)
{
    size_t n;
    const struct image_overlay *list = image_overlays(image, &n);
    for (size_t i = 0; i < n; i++)
        if (addr - list[i].addr < list[i].size) return &list[i];
    return NULL;
}

static struct gpudbg_section *section_at(const struct gpudbg_image *image, uint64_t addr)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    return s ? &image->sections[s - image->sections] : NULL;
}

static struct copied *copy_of(const struct overlays *o, size_t section)
{
    for (size_t i = 0; o && i < o->ncopied; i++)
        if (o->copied[i].section == section) return &o->copied[i];
    return NULL;
}

/* Gives the section bytes of its own. */
static struct copied *make_copy(
    struct gpudbg_image *image, struct overlays *o, struct gpudbg_section *s, struct gpudbg_error *err)
{
    const size_t number = (size_t)(s - image->sections);
    struct copied *known = copy_of(o, number);
    if (known) return known;
    uint8_t *bytes = malloc((size_t)s->size);
    if (!bytes) {
        alloc_failed(err, s->size, "the patched code");
        return NULL;
    }
    memcpy(bytes, s->bytes, (size_t)s->size);
    o->copied = xgrow(o->copied, o->ncopied, &o->room_copied, sizeof *o->copied);
    o->copied[o->ncopied] = (struct copied){number, s->bytes, bytes};
    s->bytes = bytes;
    return &o->copied[o->ncopied++];
}

static bool is_inside(const struct image_overlay *o, uint64_t addr, size_t n)
{
    return o->addr >= addr && o->addr + o->size <= addr + n;
}

static bool may_patch(
    const struct gpudbg_image *image, const struct gpudbg_section *s, uint64_t addr, size_t n, struct gpudbg_error *err)
{
    size_t count;
    const struct image_overlay *list = image_overlays(image, &count);
    if (!s || !s->bytes || !(s->flags & GPUDBG_CODE_BYTES))
        return gpudbg_fail(err, "out-of-range", "there is no code at 0x%" PRIx64, addr);
    if (n > s->size - (addr - s->addr))
        return gpudbg_fail(
            err, "out-of-range", "%zu bytes at 0x%" PRIx64 " reach over the end of %s", n, addr, s->name);
    for (size_t i = 0; i < count; i++)
        if (list[i].addr < addr + n && addr < list[i].addr + list[i].size && !is_inside(&list[i], addr, n))
            return gpudbg_fail(err, "not-now",
                "the patch at 0x%" PRIx64 " reaches into these bytes: `unpatch *0x%" PRIx64 "` first", list[i].addr,
                list[i].addr);
    for (size_t i = 0; i < image->npatches; i++) {
        const struct gpudbg_patch *p = &image->patches[i];
        if (p->addr < addr + n && addr < p->addr + p->size)
            return gpudbg_fail(
                err, "unsupported", "a relocation writes the word at 0x%" PRIx64 ": it cannot be patched", p->addr);
    }
    return true;
}

static void forget(struct overlays *o, size_t i)
{
    free(o->list[i].text);
    memmove(o->list + i, o->list + i + 1, (--o->n - i) * sizeof *o->list);
}

bool image_overlay_add(struct gpudbg_image *image, uint64_t addr, const uint8_t *bytes, size_t n, const char *text,
    struct gpudbg_error *err)
{
    struct gpudbg_section *s = section_at(image, addr);
    struct overlays **at = image_overlays_of(image);
    if (!may_patch(image, s, addr, n, err)) return false;
    if (!*at) {
        *at = xalloc(sizeof **at);
        image_on_close(image, overlays_free, *at);
    }
    struct overlays *o = *at;
    struct copied *copy = make_copy(image, o, s, err);
    if (!copy) return false;
    for (size_t i = o->n; i-- > 0;)
        if (is_inside(&o->list[i], addr, n)) forget(o, i);
    memcpy(copy->bytes + (addr - s->addr), bytes, n);
    o->list = xgrow(o->list, o->n, &o->room, sizeof *o->list);
    size_t place = o->n++;
    for (; place && o->list[place - 1].addr > addr; place--) o->list[place] = o->list[place - 1];
    o->list[place] = (struct image_overlay){addr, n, xstrdup(text)};
    return true;
}

void image_overlay_original(const struct gpudbg_image *image, uint64_t addr, uint8_t *to, size_t n)
{
    const struct gpudbg_section *s = gpudbg_image_at(image, addr);
    if (!s || !s->bytes || n > s->size - (addr - s->addr)) {
        memset(to, 0, n); /* the file holds nothing there */
        return;
    }
    const struct copied *copy = copy_of(*image_overlays_of(image), (size_t)(s - image->sections));
    memcpy(to, (copy ? copy->original : s->bytes) + (addr - s->addr), n);
}

void image_overlay_drop(struct gpudbg_image *image, uint64_t addr)
{
    struct overlays *o = *image_overlays_of(image);
    for (size_t i = 0; o && i < o->n; i++) {
        if (o->list[i].addr != addr) continue;
        const struct gpudbg_section *s = gpudbg_image_at(image, addr);
        struct copied *copy = s ? copy_of(o, (size_t)(s - image->sections)) : NULL;
        if (copy) memcpy(copy->bytes + (addr - s->addr), copy->original + (addr - s->addr), o->list[i].size);
        forget(o, i);
        return;
    }
}

/* Where bytes of the file lie in it; -1: they are not its own. */
static int64_t offset_in_file(const struct gpudbg_image *image, const uint8_t *bytes, uint64_t size)
{
    const uintptr_t from = (uintptr_t)image->bytes, at = (uintptr_t)bytes;
    return at >= from && at - from <= image->size && size <= image->size - (at - from) ? (int64_t)(at - from) : -1;
}

/* The file's only code, where loading made it: of text, its program. */
static uint8_t *code_alone(const struct gpudbg_image *image, size_t *n, struct gpudbg_error *err)
{
    const struct gpudbg_section *only = NULL;
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        if (!(s->flags & GPUDBG_CODE_BYTES) || !s->bytes) continue;
        if (only)
            only = NULL, i = image->nsections; /* several: which of them? */
        else
            only = s;
    }
    uint8_t *bytes = only ? malloc((size_t)only->size + 1) : NULL;
    if (!only) {
        gpudbg_fail(
            err, "unsupported", "%s: the code was made while loading, and the file has no place for it", image->path);
        return NULL;
    }
    if (!bytes) {
        alloc_failed(err, only->size, "the code");
        return NULL;
    }
    memcpy(bytes, only->bytes, (size_t)only->size);
    *n = (size_t)only->size;
    return bytes;
}

uint8_t *image_overlaid(const struct gpudbg_image *image, size_t *n, struct gpudbg_error *err)
{
    const struct overlays *o = *image_overlays_of(image);
    for (size_t i = 0; i < image->nsections; i++) {
        const struct gpudbg_section *s = &image->sections[i];
        const struct copied *copy = copy_of(o, i);
        if (s->flags & GPUDBG_CODE_BYTES && s->bytes &&
            offset_in_file(image, copy ? copy->original : s->bytes, s->size) < 0)
            return code_alone(image, n, err);
    }
    uint8_t *bytes = malloc(image->size + 1);
    if (!bytes) {
        alloc_failed(err, image->size, "the file");
        return NULL;
    }
    memcpy(bytes, image->bytes, image->size);
    for (size_t i = 0; o && i < o->ncopied; i++) {
        const struct gpudbg_section *s = &image->sections[o->copied[i].section];
        memcpy(bytes + offset_in_file(image, o->copied[i].original, s->size), s->bytes, (size_t)s->size);
    }
    *n = image->size;
    return bytes;
}
