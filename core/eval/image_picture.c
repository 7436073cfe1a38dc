/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Images in memory as pixels; see image_picture.h. */
#include "eval/image_picture.h"
#include <inttypes.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "eval/plain_picture.h"
#include "eval/value.h"
#include "gpudbg/endian.h"
#include "machine/machine.h"

#define TEXELS_MOST ((uint64_t)1 << 24)
#define WORDS_MOST 16

/* ---- What is an image ---- */

static const struct gpudbg_bound *argument_named(const struct eval *ev, const char *name)
{
    const struct gpudbg_launch *l = ev->running->machine ? ev->running->machine->launch : NULL;
    for (size_t i = 0; l && i < l->nbound; i++) {
        const struct gpudbg_bound *b = &l->bound[i];
        if (b->name && strcmp(b->name, name) == 0 && b->format && b->segment && b->param) return b;
    }
    return NULL;
}

/* The words of a descriptor that registers or memory hold. */
static bool descriptor_words(struct eval *ev, const char *what, uint32_t *words, unsigned n, struct gpudbg_error *err)
{
    struct value v;
    uint8_t bytes[4 * WORDS_MOST];
    if (!expr_value(ev, what, &v, err)) return false;
    if (v.place == PLACE_REGISTER && !v.mask_bit) {
        const size_t have = value_words(ev, ev->selection->wave, &v, words, n, err);
        return have == n || (have && gpudbg_fail(err, "usage",
                                         "%.60s: an image descriptor has %u dwords: name that many registers, $s[0:%u]",
                                         what, n, n - 1));
    }
    const uint64_t addr = v.place == PLACE_MEMORY ? v.addr : v.u;
    if (!value_one(&v, err) || v.type.kind == VALUE_FLOAT ||
        !value_read_memory(ev, ev->selection->wave, v.space, addr, bytes, 4 * n, err))
        return err->kind || gpudbg_fail(err, "usage", "%.60s is not an address", what);
    for (unsigned i = 0; i < n; i++) words[i] = le_u32(bytes + 4 * i);
    return true;
}

/* What is left of the segment from the address on that an expression names. */
static bool memory_from(struct eval *ev, const char *what, struct gpudbg_segment *part, struct gpudbg_error *err)
{
    unsigned space;
    uint64_t addr;
    const struct gpudbg_segment *s = NULL;
    uint8_t byte;
    if (!eval_need_machine(ev, err) || !expr_place(ev, what, &space, &addr, err)) return false;
    if (!machine_peek(ev->running->machine, ev->selection->wave, space, addr, &byte, 1, &s, err)) return false;
    if (space != GPUDBG_GLOBAL) return gpudbg_fail(err, "unsupported", "images lie in global memory, not in the LDS");
    *part = (struct gpudbg_segment){.name = s->name, .base = addr, .size = s->size - (addr - s->base)};
    return true;
}

/* Memory of a format and a size, without any descriptor, as the instruction set would have it. */
static bool plain_words(const struct gpudbg_pictures *how, struct gpudbg_segment *part, const char *format,
    const char *size, uint32_t *words, struct gpudbg_error *err)
{
    char whole[128];
    const char *x = strchr(size, 'x');
    const struct gpudbg_param param = {.type = x && strchr(x + 1, 'x') ? "image3d_t" : "image2d_t"};
    snprintf(whole, sizeof whole, "%.60s:%.60s", format, size);
    const struct gpudbg_bound bound = {.name = "picture",
        .param = &param,
        .kind = GPUDBG_BOUND_BUFFER,
        .format = whole,
        .segment = part,
        .size = part->size};
    return how->describe(&bound, words, err);
}

/* By the instruction set's formats or, where they are none or know it not, by those of plain memory. */
static bool open_plain(struct eval *ev, struct gpudbg *g, const char *what, const char *format, const char *size,
    struct picture *p, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = eval_isa(ev);
    uint32_t words[WORDS_MOST] = {0};
    struct gpudbg_segment part;
    struct gpudbg_error why = {.offset = -1};
    if (!memory_from(ev, what, &part, err)) return false;
    if (p->how && plain_words(p->how, &part, format, size, words, err)) return p->how->open(g, isa, words, &p->is, err);
    const bool own = p->how;
    p->how = &plain_pictures;
    if (plain_picture_open(format, size, part.base, part.size, &p->is, own ? &why : err)) {
        *err = (struct gpudbg_error){.offset = -1};
        return true;
    }
    return false;
}

bool picture_open(struct eval *ev, struct gpudbg *g, const char *what, const char *format, const char *size,
    struct picture *p, struct gpudbg_error *err)
{
    const struct gpudbg_isa *isa = eval_isa(ev);
    uint32_t words[WORDS_MOST] = {0};
    struct offered offered;
    *p = (struct picture){.how = isa ? isa->pictures : NULL};
    if (format) return open_plain(ev, g, what, format, size, p, err);
    const struct gpudbg_bound *b = p->how ? argument_named(ev, what) : NULL;
    if (!b && picture_offered_named(ev, what, &offered) && *offered.format)
        return open_plain(ev, g, what, offered.format, offered.size, p, err);
    if (!p->how)
        return gpudbg_fail(err, "unsupported",
            "gpudbg does not know the images of %s: write WHAT FORMAT WxH, as c float4 64x64",
            isa ? isa->name : "no code");
    const bool ok = b ? p->how->describe(b, words, err) : descriptor_words(ev, what, words, p->how->words, err);
    return ok && p->how->open(g, isa, words, &p->is, err);
}

void picture_close(struct picture *p)
{
    free(p->is.own);
    p->is.own = NULL;
}

/* ---- Texels ---- */

bool picture_texels(struct eval *ev, const struct picture *p, const struct ticker *ticker, uint32_t level,
    uint32_t slice, uint32_t every, struct texels *t, struct gpudbg_error *err)
{
    uint32_t depth;
    uint8_t block[16] = {0};
    uint64_t have = UINT64_MAX;
    *t = (struct texels){.every = every ? every : 1};
    if (level >= p->is.levels)
        return gpudbg_fail(
            err, "out-of-range", "level %" PRIu32 ": the image has %" PRIu32 ", from 0", level, p->is.levels);
    p->how->level(&p->is, level, &t->width, &t->height, &depth);
    const uint32_t slices = p->is.depth > 1 ? depth : p->is.slices;
    if (slice >= slices)
        return gpudbg_fail(err, "out-of-range", "slice %" PRIu32 ": this level has %" PRIu32 ", from 0", slice, slices);
    t->across = t->width;
    t->down = t->height;
    t->width = (t->width + t->every - 1) / t->every;
    t->height = (t->height + t->every - 1) / t->every;
    const uint64_t n = (uint64_t)t->width * t->height;
    if (n > TEXELS_MOST)
        return gpudbg_fail(err, "too-large", "%" PRIu32 "x%" PRIu32 " texels are more than %" PRIu64 ": name a level",
            t->width, t->height, TEXELS_MOST);
    t->rgba = malloc((size_t)n * 4 * sizeof *t->rgba);
    if (!t->rgba) return alloc_failed(err, (size_t)n * 32, "the picture");
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t x = (uint32_t)(i % t->width) * t->every, y = (uint32_t)(i / t->width) * t->every;
        const uint64_t at = p->how->place(&p->is, level, x, y, slice);
        uint32_t out[4];
        if ((at != have && !value_read_memory(ev, ev->selection->wave, GPUDBG_GLOBAL, at, block, p->is.block, err)) ||
            (x == 0 && !ticker_goes_on(ticker, i, n) && !gpudbg_fail(err, "interrupt", "interrupted"))) {
            free(t->rgba);
            return false;
        }
        have = at;
        p->how->texel(&p->is, block, x, y, out);
        for (unsigned c = 0; c < 4; c++) {
            float f;
            memcpy(&f, &out[c], 4);
            t->rgba[4 * i + c] = !p->is.integer ? (double)f : p->is.negative ? (double)(int32_t)out[c] : out[c];
        }
    }
    return true;
}

/* ---- Colours ---- */

static int channel_of(char c)
{
    const char *at = c ? strchr("rgba", c) : NULL;
    return at ? (int)(at - "rgba") : -1;
}

/* Those that texels have; what is constant would only pass through the same range. */
static void channels_of(const struct picture *p, char channels[5])
{
    const unsigned have = p->is.channels ? p->is.channels : 15;
    unsigned n = 0;
    for (unsigned i = 0; i < 4; i++)
        if (have >> i & 1) channels[n++] = "rgba"[i];
    channels[n] = 0;
}

static void range_of(const struct picture *p, const struct texels *t, struct shades *s)
{
    const size_t n = (size_t)t->width * t->height;
    bool any = false;
    s->low = 0;
    s->high = 1;
    if (p->is.normalized) return;
    for (size_t i = 0; i < n; i++)
        for (const char *c = s->channels; *c; c++) {
            const int k = channel_of(*c);
            if (k == 3 && s->channels[1]) continue; /* alpha beside colours is coverage */
            const double d = t->rgba[4 * i + (size_t)k];
            if (!isfinite(d)) continue;
            if (!any || d < s->low) s->low = d;
            if (!any || d > s->high) s->high = d;
            any = true;
        }
}

static uint8_t shade(double d, const struct shades *s)
{
    if (!(d > s->low)) return 0; /* NaN, too */
    const double part = (d - s->low) / (s->high - s->low);
    return part >= 1 ? 255 : (uint8_t)(part * 255 + 0.5);
}

uint8_t *picture_pixels(const struct picture *p, const struct texels *t, struct shades *s, struct gpudbg_error *err)
{
    const size_t n = (size_t)t->width * t->height;
    uint8_t *pixels = calloc(n, 4);
    if (!pixels) return alloc_failed(err, 4 * n, "the pixels"), NULL;
    if (!s->channels[0]) channels_of(p, s->channels);
    if (!s->ranged) range_of(p, t, s);
    for (size_t i = 0; i < n; i++) {
        const double *from = t->rgba + 4 * i;
        uint8_t *to = pixels + 4 * i;
        to[3] = 255;
        if (!s->channels[1]) { /* one channel is grey */
            to[0] = to[1] = to[2] = shade(from[channel_of(s->channels[0])], s);
            continue;
        }
        for (const char *c = s->channels; *c; c++) to[channel_of(*c)] = shade(from[channel_of(*c)], s);
        if (strchr(s->channels, 'a') && !p->is.normalized) to[3] = 255; /* a number, not a coverage */
    }
    return pixels;
}

/* ---- PNG ---- */

uint8_t *picture_png(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *n, struct gpudbg_error *err)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = width, .height = height, .format = PNG_FORMAT_RGBA};
    png_alloc_size_t size = 0;
    uint8_t *bytes = NULL;
    if (png_image_write_to_memory(&image, NULL, &size, 0, rgba, 0, NULL) && (bytes = malloc(size)) &&
        png_image_write_to_memory(&image, bytes, &size, 0, rgba, 0, NULL)) {
        *n = size;
        return bytes;
    }
    free(bytes);
    gpudbg_fail(err, "io", "PNG: %.100s", image.message[0] ? image.message : "out of memory");
    png_image_free(&image);
    return NULL;
}
