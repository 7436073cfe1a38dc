/* SPDX-License-Identifier: GPL-3.0-or-later */
/* differences.c: what all comparisons of two of something need; see differences.h. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "code/code_names.h"
#include "command/differences.h"
#include "gpudbg/text.h"
#include "image/image.h"
#include "image/overlay.h"
#include "machine/literal.h"
#include "machine/machine.h"
#include "out/say.h"
#include "session/command.h"

enum { EQUAL, DIFFERENT, USAGE, NOT_READABLE }; /* exit status */

bool difference_ended(struct gpudbg *g, bool good, bool different, const struct gpudbg_error *err)
{
    static const char *const unreadable[] = {
        "missing", "io", "not-recognised", "truncated", "bad-offset", "unsupported"};
    int status = different ? DIFFERENT : EQUAL;
    if (!good) status = USAGE;
    for (size_t i = 0; !good && err->kind && i < sizeof unreadable / sizeof *unreadable; i++)
        if (strcmp(err->kind, unreadable[i]) == 0) status = NOT_READABLE;
    if (status > g->comparison) g->comparison = status;
    return good;
}

void difference_insn(struct gpudbg *g, const struct gpudbg_image *image, uint64_t pc, char *buf, size_t size)
{
    if (!code_text_at(image, pc, g->settings.syntax, buf, size)) snprintf(buf, size, "?");
}

void difference_element(const struct gpudbg_bound *b, uint64_t offset, struct difference_place *e)
{
    struct literal_scalar scalar = {0, 4};
    const struct gpudbg_segment *s = b->segment;
    const bool typed = b->param && b->param->type && literal_element(b->param->type, &scalar) && scalar.size <= 8;
    const unsigned size = typed && scalar.size ? scalar.size : 4;
    const uint64_t index = offset / size;
    const uint64_t start = index * size, n = s->size - start < size ? s->size - start : size;
    e->place = (struct past_place){.space = GPUDBG_GLOBAL, .size = n, .npieces = 1};
    e->place.piece = xalloc(sizeof *e->place.piece);
    *e->place.piece = (struct memory_piece){s->base + start, n};
    if (n == 1 || n == 2 || n == 4 || n == 8)
        e->place.type = (struct value_type){scalar.kind == 'f' && typed   ? VALUE_FLOAT
                                            : scalar.kind == 'i' && typed ? VALUE_SIGNED
                                                                          : VALUE_UNSIGNED,
            (uint8_t)(8 * n)};
    if (typed)
        text_put(e->name, sizeof e->name, "%s[%" PRIu64 "]", b->name, index);
    else
        text_put(e->name, sizeof e->name, "%s byte %" PRIu64, b->name, start);
}

/* ---- The other file ---- */

#define LIKE 4 /* of so many bytes of code one may differ, and it is still the same program */

static struct load_options options_like(const struct gpudbg *g)
{
    const struct gpudbg_image *image = g->loaded.image;
    struct load_options o = {.isa = g->loaded.isa};
    if (strcmp(image->kind, "raw") != 0) return o;
    o.raw = true;
    o.isa = image->isa;
    o.base = image->nsections ? image->sections[0].addr : 0;
    for (size_t i = 1; i < image->nsections; i++)
        if (image->sections[i].addr < o.base) o.base = image->sections[i].addr;
    return o;
}

struct gpudbg_image *difference_unpatched(struct gpudbg *g, struct gpudbg_error *err)
{
    const struct load_options o = options_like(g);
    const struct loaded *l = &g->loaded;
    struct load_options plain = o;
    plain.isa = l->image->isa;
    if (!o.raw) plain.format = l->image->kind;
    struct gpudbg_image *image = session_image_from(g, l->image->path, l->image->bytes, l->image->size, &plain, err);
    bool good = image != NULL;
    for (size_t i = 0; i < l->nadded && good; i++) {
        uint8_t *bytes = malloc(l->added[i].size + 1);
        good = bytes || alloc_failed(err, l->added[i].size, l->added[i].name);
        if (good) image_overlay_original(l->image, l->added[i].addr, bytes, l->added[i].size);
        good = good && image_add_code(image, l->added[i].name, l->added[i].addr, bytes, l->added[i].size, err);
        free(bytes);
    }
    if (good) return image;
    if (image) image_close(image);
    return NULL;
}

struct gpudbg_image *difference_file(struct gpudbg *g, const char *path, struct gpudbg_error *err)
{
    const struct load_options o = options_like(g);
    struct gpudbg_error why = {.offset = -1};
    size_t n;
    if (g->sealed) {
        gpudbg_fail(err, "not-now", "this session must not open files");
        return NULL;
    }
    char *bytes = gpudbg_read_file(g, path, UINT32_MAX, &n, &why);
    if (!bytes) {
        gpudbg_fail(err, why.kind, "%s: %s", path, why.message);
        return NULL;
    }
    struct gpudbg_image *image = session_image_from(g, path, (uint8_t *)bytes, n, &o, err);
    free(bytes);
    return image;
}

bool difference_alike(const struct gpudbg_image *a, const struct gpudbg_image *b)
{
    uint64_t bytes = 0, differ = 0;
    if (a == b) return true;
    if (a->isa != b->isa || a->nsections != b->nsections) return false;
    for (size_t i = 0; i < a->nsections; i++) {
        const struct gpudbg_section *x = &a->sections[i], *y = &b->sections[i];
        if (!(x->flags & GPUDBG_CODE_BYTES)) continue;
        if (x->addr != y->addr || x->size != y->size || !x->bytes || !y->bytes) return false;
        for (uint64_t k = 0; k < x->size; k++) differ += x->bytes[k] != y->bytes[k];
        bytes += x->size;
    }
    return differ <= bytes / LIKE;
}

/* ---- Side by side ---- */

/* The shortest end of a path by which the two files differ: "matmul.co"; of two of that name "old/matmul.co". */
static const char *name_beside(const char *path, const char *other)
{
    const char *name = path + strlen(path), *beside = other + strlen(other);
    while (name > path && beside > other && name[-1] == beside[-1]) name--, beside--;
    if (name > path && beside == other) name--;    /* the other one's path is the end of this one's */
    while (name > path && name[-1] != '/') name--; /* back to where the part begins that differs */
    const char *slash = strrchr(path, '/');
    return strcmp(path, other) == 0 && slash ? slash + 1 : name;
}

void difference_title(struct sides *t, int s, const char *what, const struct gpudbg_image *image)
{
    const struct gpudbg_image *other = t->image[!s] && t->image[!s] != image ? t->image[!s] : image;
    snprintf(
        t->title[s], sizeof t->title[s], "%.12s%s%.40s", what, *what ? " " : "", name_beside(image->path, other->path));
}

bool difference_show(
    struct gpudbg *g, const struct sides *as, bool say, struct gpudbg_out *out, struct gpudbg_error *err)
{
    if (!sides_open(g, as, err)) return false;
    if (say) sides_print(g->sides, out);
    if (g->front.show) g->front.show(g->front.data, "compare", NULL);
    return true;
}
