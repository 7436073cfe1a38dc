/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory as a picture; see plain_picture.h. */
#include "eval/plain_picture.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/alloc.h"
#include "gpudbg/endian.h"
#include "gpudbg/lanes.h"
#include "gpudbg/text.h"

#define SIDE_MOST 65536u

/* ---- Formats ---- */

/* Words for a kind; bits 0: any, 32 unless they are said. */
static const struct {
    const char *name;
    uint8_t kind, bits;
} words[] = {
    {"uchar", PLAIN_UINT, 8},
    {"char", PLAIN_SINT, 8},
    {"ushort", PLAIN_UINT, 16},
    {"short", PLAIN_SINT, 16},
    {"half", PLAIN_FLOAT, 16},
    {"float", PLAIN_FLOAT, 0},
    {"uint", PLAIN_UINT, 0},
    {"sint", PLAIN_SINT, 0},
    {"int", PLAIN_SINT, 0},
    {"unorm", PLAIN_UNORM, 0},
    {"snorm", PLAIN_SNORM, 0},
    {"srgb", PLAIN_SRGB, 0},
    {"u", PLAIN_UINT, 0},
    {"i", PLAIN_SINT, 0},
    {"f", PLAIN_FLOAT, 0},
};
static const char *const kind_names[] = {"uint", "sint", "unorm", "snorm", "srgb", "float"};

static bool known(const struct plain_format *f)
{
    const bool bits = f->bits == 8 || f->bits == 16 || f->bits == 32;
    return f->channels >= 1 && f->channels <= 4 && bits && !(f->kind == PLAIN_FLOAT && f->bits == 8) &&
           !(f->kind == PLAIN_SRGB && f->bits != 8);
}

static bool kind_named(const char *name, enum plain_kind *kind)
{
    for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
        if (strcmp(name, kind_names[i]) == 0) {
            *kind = (enum plain_kind)i;
            return true;
        }
    return false;
}

/* 16_16_float: sizes, all alike, then the kind. */
static bool by_sizes(const char *p, struct plain_format *f)
{
    while (isdigit((unsigned char)*p)) {
        char *end;
        const unsigned long bits = strtoul(p, &end, 10);
        if (*end != '_' || bits > 32 || (f->bits && f->bits != bits)) return false;
        f->bits = (unsigned)bits;
        f->channels++;
        p = end + 1;
    }
    return kind_named(p, &f->kind) && known(f);
}

/* rgba8_unorm, and r8g8b8a8_unorm. */
static bool by_channels(const char *p, struct plain_format *f)
{
    f->swapped = *p == 'b';
    const char *letters = f->swapped ? "bgra" : "rgba";
    while (f->channels < 4 && *p == letters[f->channels]) {
        f->channels++;
        if (!isdigit((unsigned char)*++p)) continue;
        char *end;
        const unsigned long bits = strtoul(p, &end, 10);
        if (bits > 32 || (f->bits && f->bits != bits)) return false;
        f->bits = (unsigned)bits;
        p = end;
    }
    return *p == '_' && (!f->swapped || f->channels == 4) && kind_named(p + 1, &f->kind) && known(f);
}

/* float4, u8, unorm8x4: a number up to 4 alone is how many. */
static bool by_word(const char *p, struct plain_format *f)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i].name);
        if (strncmp(p, words[i].name, n) != 0 || (p[n] && !isdigit((unsigned char)p[n]))) continue;
        char *end = (char *)p + n;
        const unsigned long first = *end ? strtoul(end, &end, 10) : 0;
        const bool bits = first > 4 || *end == 'x';
        unsigned long count = bits || !first ? 1 : first;
        if (*end == 'x' && isdigit((unsigned char)end[1])) count = strtoul(end + 1, &end, 10);
        if (*end || (bits && words[i].bits) || first > 32 || count > 4) return false;
        f->kind = (enum plain_kind)words[i].kind;
        f->bits = bits ? (unsigned)first : words[i].bits ? words[i].bits : 32;
        f->channels = (unsigned)count;
        return known(f);
    }
    return false;
}

bool plain_format_named(const char *name, size_t n, struct plain_format *f)
{
    static bool (*const ways[])(const char *, struct plain_format *) = {by_word, by_channels, by_sizes};
    char text[40];
    if (!n || n >= sizeof text) return false;
    for (size_t i = 0; i < n; i++) text[i] = (char)tolower((unsigned char)name[i]);
    text[n] = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        *f = (struct plain_format){.kind = PLAIN_UINT};
        if (ways[i](text, f)) return true;
    }
    return false;
}

/* ---- Pictures ---- */

struct plain {
    struct plain_format format;
    uint64_t line; /* bytes from one to the next */
};

static bool size_read(const char *text, uint32_t *width, uint32_t *height, struct gpudbg_error *err)
{
    char *end;
    const unsigned long w = strtoul(text, &end, 10);
    const bool two = *end == 'x' && isdigit((unsigned char)end[1]);
    const unsigned long h = two ? strtoul(end + 1, &end, 10) : 1;
    if (!isdigit((unsigned char)*text) || *end || !w || !h || w > SIDE_MOST || h > SIDE_MOST)
        return gpudbg_fail(err, "usage", "%.40s is not a size: write WxH, each 1 to %u", text, SIDE_MOST);
    *width = (uint32_t)w;
    *height = (uint32_t)h;
    return true;
}

bool plain_picture_open(const char *format, const char *size, uint64_t address, uint64_t room, struct gpudbg_picture *p,
    struct gpudbg_error *err)
{
    struct plain own = {.line = 0};
    const size_t n = strcspn(format, "/");
    char *end = NULL;
    if (!plain_format_named(format, n, &own.format))
        return gpudbg_fail(err, "bad-argument",
            "'%.*s' is not an image format: u8, float4, unorm8x4, rgba8_unorm, 8_8_8_8_unorm and their like are",
            (int)(n < 40 ? n : 40), format);
    if (format[n]) own.line = strtoull(format + n + 1, &end, 10);
    if (end && (*end || !own.line))
        return gpudbg_fail(err, "bad-argument", "'%.40s': the bytes from one line to the next must follow '/'", format);
    *p = (struct gpudbg_picture){.address = address, .depth = 1, .slices = 1, .levels = 1};
    if (!size_read(size, &p->width, &p->height, err)) return false;
    p->block = own.format.bits / 8 * own.format.channels;
    const uint64_t least = (uint64_t)p->width * p->block;
    if (!own.line) own.line = least;
    if (own.line < least)
        return gpudbg_fail(err, "bad-argument", "a line of %" PRIu32 " texels has %" PRIu64 " bytes, not %" PRIu64,
            p->width, least, own.line);
    if (own.line > room || least > room || (p->height - 1) * own.line > room - least)
        return gpudbg_fail(err, "out-of-range",
            "%" PRIu32 "x%" PRIu32 " texels take %" PRIu64 " bytes, and %" PRIu64 " are there", p->width, p->height,
            (p->height - 1) * own.line + least, room);
    struct text t = text_in(p->format, sizeof p->format);
    for (unsigned i = 0; i < own.format.channels; i++) text_add(&t, "%u_", own.format.bits);
    text_add(&t, "%s%s", kind_names[own.format.kind], own.format.swapped ? " (bgra)" : "");
    p->normalized = own.format.kind == PLAIN_UNORM || own.format.kind == PLAIN_SNORM || own.format.kind == PLAIN_SRGB;
    p->integer = own.format.kind == PLAIN_UINT || own.format.kind == PLAIN_SINT;
    p->negative = own.format.kind == PLAIN_SINT;
    p->channels = (uint8_t)((1u << own.format.channels) - 1);
    struct plain *kept = xalloc(sizeof *kept);
    *kept = own;
    p->own = kept;
    return true;
}

static void level(const struct gpudbg_picture *p, uint32_t n, uint32_t *width, uint32_t *height, uint32_t *depth)
{
    (void)n;
    *width = p->width;
    *height = p->height;
    *depth = 1;
}

static uint64_t place(const struct gpudbg_picture *p, uint32_t n, uint32_t x, uint32_t y, uint32_t slice)
{
    const struct plain *own = p->own;
    (void)n, (void)slice;
    return p->address + y * own->line + (uint64_t)x * p->block;
}

/* A channel as a load gives it: the bits of a float, or an integer. */
static uint32_t channel(const struct plain_format *f, uint32_t word)
{
    const uint32_t most = f->bits < 32 ? (1u << f->bits) - 1 : UINT32_MAX;
    const int32_t whole = f->bits < 32 ? (int32_t)(word << (32 - f->bits)) >> (32 - f->bits) : (int32_t)word;
    double d = 0;
    switch (f->kind) {
    case PLAIN_UINT: return word;
    case PLAIN_SINT: return (uint32_t)whole;
    case PLAIN_FLOAT: return f->bits == 16 ? lanes_f32_from_f16((uint16_t)word, true) : word;
    case PLAIN_UNORM: d = (double)word / most; break;
    case PLAIN_SNORM: d = fmax(-1, (double)whole / (most >> 1)); break;
    case PLAIN_SRGB:
        d = (double)word / most;
        d = d <= 0.04045 ? d / 12.92 : pow((d + 0.055) / 1.055, 2.4);
        break;
    }
    const float single = (float)d;
    uint32_t bits;
    memcpy(&bits, &single, 4);
    return bits;
}

static void texel(const struct gpudbg_picture *p, const uint8_t *block, uint32_t x, uint32_t y, uint32_t out[4])
{
    const struct plain *own = p->own;
    const struct plain_format *f = &own->format;
    const float one = 1;
    (void)x, (void)y;
    out[0] = out[1] = out[2] = 0;
    memcpy(&out[3], &one, 4);
    if (p->integer) out[3] = 1;
    for (unsigned i = 0; i < f->channels; i++) {
        const uint8_t *at = block + i * f->bits / 8;
        const uint32_t word = (uint32_t)le_get(at, f->bits / 8);
        struct plain_format own_format = *f;
        if (f->kind == PLAIN_SRGB && i == 3) own_format.kind = PLAIN_UNORM; /* alpha is as it is */
        out[f->swapped && i < 3 ? 2 - i : i] = channel(&own_format, word);
    }
}

const struct gpudbg_pictures plain_pictures = {.level = level, .place = place, .texel = texel};
