/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * picture_offer.c: which arguments of a launch can be seen as pictures: images, and buffers whose width another
 * argument says.  Where several shapes have as many texels as the buffer, arguments that are called like sizes come
 * first, then squares, then the launch's own grid.
 */
#include "eval/image_picture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include "machine/literal.h"

#define SIDE_LEAST 2u
#define SIDE_MOST 16384u
#define SIDES 16

struct side {
    const char *name; /* NULL: the grid's */
    uint64_t n;
};

/* Numbers that may be sizes: arguments that are whole numbers. */
static size_t sides_of(const struct gpudbg_launch *l, struct side *to)
{
    size_t n = 0;
    for (size_t i = 0; i < l->nbound && n < SIDES; i++) {
        const struct gpudbg_bound *b = &l->bound[i];
        uint64_t v = 0;
        if (b->kind != GPUDBG_BOUND_VALUE || !b->param || b->param->scalar == 'f' || !b->bytes || b->size > 8) continue;
        for (uint64_t k = b->size; k-- > 0;) v = v << 8 | b->bytes[k];
        if (v >= SIDE_LEAST && v <= SIDE_MOST) to[n++] = (struct side){b->name, v};
    }
    return n;
}

static bool called(const struct side *s, const char *const *words)
{
    for (; s->name && *words; words++)
        if (strcasestr(s->name, *words) == s->name || (strlen(*words) > 3 && strcasestr(s->name, *words))) return true;
    return false;
}

static bool is_width(const struct side *s)
{
    static const char *const words[] = {"width", "w", "cols", "columns", "nx", "xs", "pitch", "stride", NULL};
    return called(s, words);
}

static bool is_height(const struct side *s)
{
    static const char *const words[] = {"height", "h", "rows", "ny", "ys", NULL};
    return called(s, words);
}

static bool take(uint64_t *width, uint64_t *height, uint64_t w, uint64_t h)
{
    *width = w;
    *height = h;
    return true;
}

/* A width and a height of as many texels. */
static bool shape_of(const struct gpudbg_launch *l, uint64_t texels, uint64_t *width, uint64_t *height)
{
    struct side side[SIDES];
    const size_t n = sides_of(l, side);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            if (i != k && is_width(&side[i]) && is_height(&side[k]) && side[i].n * side[k].n == texels)
                return take(width, height, side[i].n, side[k].n);
    for (size_t i = 0; i < n; i++)
        if (is_width(&side[i]) && texels % side[i].n == 0 && texels / side[i].n >= SIDE_LEAST &&
            texels / side[i].n <= SIDE_MOST)
            return take(width, height, side[i].n, texels / side[i].n);
    for (size_t i = 0; i < n; i++)
        if (side[i].n * side[i].n == texels) return take(width, height, side[i].n, side[i].n);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n; k++)
            if (side[i].n * side[k].n == texels) return take(width, height, side[i].n, side[k].n);
    if (l->dimensions >= 2 && l->global[0] >= SIDE_LEAST && l->global[1] >= SIDE_LEAST && l->global[0] <= SIDE_MOST &&
        (uint64_t)l->global[0] * l->global[1] == texels)
        return take(width, height, l->global[0], l->global[1]);
    return false;
}

/* Formats that a buffer may have: that of its type or, where the file does not say it, each in turn. */
static bool buffer_offered(const struct gpudbg_launch *l, const struct gpudbg_bound *b, struct offered *o)
{
    static const struct {
        const char *format;
        unsigned bytes;
    } guesses[] = {{"u32", 4}, {"u8", 1}, {"float4", 16}, {"u16", 2}};
    struct literal_scalar scalar = {0, 0};
    const uint64_t bytes = b->segment->size;
    uint64_t width, height;
    const unsigned count = b->param && b->param->type ? literal_element(b->param->type, &scalar) : 0;
    if (count && count <= 4 && scalar.size && scalar.size <= 4) {
        if (bytes % (count * scalar.size) || !shape_of(l, bytes / (count * scalar.size), &width, &height)) return false;
        snprintf(o->format, sizeof o->format, "%c%ux%u", scalar.kind ? scalar.kind : 'u', scalar.size * 8, count);
        snprintf(o->size, sizeof o->size, "%" PRIu64 "x%" PRIu64, width, height);
        return true;
    }
    for (size_t i = 0; !count && i < sizeof guesses / sizeof *guesses; i++) {
        if (bytes % guesses[i].bytes || !shape_of(l, bytes / guesses[i].bytes, &width, &height)) continue;
        const bool real = b->param && b->param->scalar == 'f' && guesses[i].bytes == 4;
        snprintf(o->format, sizeof o->format, "%s", real ? "f32" : guesses[i].format);
        snprintf(o->size, sizeof o->size, "%" PRIu64 "x%" PRIu64, width, height);
        return true;
    }
    return false;
}

static bool offered_as(
    const struct eval *ev, const struct gpudbg_launch *l, const struct gpudbg_bound *b, struct offered *o)
{
    const struct gpudbg_isa *isa = eval_isa(ev);
    if (b->kind != GPUDBG_BOUND_BUFFER || !b->segment || !b->name) return false;
    *o = (struct offered){.name = b->name, .bytes = b->segment->size};
    const char *size = b->format ? strchr(b->format, ':') : NULL;
    if (size && b->param && isa && isa->pictures) return true; /* it says so itself */
    if (size) {                                                /* FORMAT:WxH, on a typed resource */
        snprintf(o->format, sizeof o->format, "%.*s", (int)(size - b->format), b->format);
        snprintf(o->size, sizeof o->size, "%.*s", (int)strcspn(size + 1, ":"), size + 1);
        return strchr(o->size, 'x') != NULL;
    }
    return buffer_offered(l, b, o);
}

bool picture_offered(const struct eval *ev, size_t i, struct offered *o)
{
    const struct gpudbg_launch *l = ev->running->machine ? ev->running->machine->launch : NULL;
    for (size_t k = 0; l && k < l->nbound; k++)
        if (offered_as(ev, l, &l->bound[k], o) && i-- == 0) return true;
    return false;
}

bool picture_offered_named(const struct eval *ev, const char *name, struct offered *o)
{
    for (size_t i = 0; picture_offered(ev, i, o); i++)
        if (strcmp(o->name, name) == 0) return true;
    return false;
}
