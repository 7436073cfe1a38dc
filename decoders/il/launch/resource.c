/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resource.c: what a launch says about resources and samplers.
 *
 *     FORMAT[/STRIDE][:WxH[xD]][:LEVELS]     float4:64x64   unorm8x4/16:4x4:3   r32_sint   rgba16_float
 *     a word or more for a sampler, with commas between: linear,wrap,less,bias=-0.5,lod=0/4,border=0/0/0/1,mip=none
 *
 * STRIDE: bytes from line to line where there are sizes, else from element to element.  Levels lie one after another,
 * the largest first, each with all its slices.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/il_run.h"

/* ---- Names of formats ---- */

static const struct {
    const char *name;
    enum il_element kind;
} kinds[] = {
    {"snorm", ELEMENT_SNORM},
    {"unorm", ELEMENT_UNORM},
    {"sint", ELEMENT_SINT},
    {"uint", ELEMENT_UINT},
    {"float", ELEMENT_FLOAT},
    {"srgb", ELEMENT_SRGB},
    {"int", ELEMENT_SINT},
    {"half", ELEMENT_FLOAT},
};

static bool take_kind(const char **p, uint8_t *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t n = strlen(kinds[i].name);
        if (strncmp(*p, kinds[i].name, n) == 0) {
            *p += n;
            *kind = (uint8_t)kinds[i].kind;
            return true;
        }
    }
    return false;
}

static bool known_size(unsigned long components, unsigned long bits, uint8_t kind)
{
    const bool whole = bits == 8 || bits == 16 || bits == 32;
    return components >= 1 && components <= 4 && whole && !(kind == ELEMENT_FLOAT && bits == 8) &&
           !(kind == ELEMENT_SRGB && bits != 8);
}

/* 16_16_float, 8_8_8_8_unorm: sizes, all alike, then the kind. */
static bool take_sizes_and_kind(const char **p, struct il_format *f)
{
    unsigned components = 0;
    f->bits = 0;
    while (**p >= '0' && **p <= '9') {
        char *end;
        const unsigned long bits = strtoul(*p, &end, 10);
        if (*end != '_' || (f->bits && f->bits != bits) || bits > 32) return false;
        f->bits = (uint8_t)bits;
        components++;
        *p = end + 1;
    }
    f->components = (uint8_t)(components < 5 ? components : 0);
    return take_kind(p, &f->kind) && known_size(f->components, f->bits, f->kind);
}

/* float4, uint, unorm8x4; r32_uint, rgba8_unorm. */
static bool take_name(const char **p, struct il_format *f)
{
    const size_t letters = strspn(*p, "rgba");
    unsigned long components = 1, bits = 32;
    char *end = (char *)*p;
    f->order[0] = 0, f->order[1] = 1, f->order[2] = 2, f->order[3] = 3;
    if (**p >= '0' && **p <= '9') return take_sizes_and_kind(p, f);
    if (letters && letters <= 4 && strncmp("rgba", *p, letters) == 0) {
        components = letters;
        bits = strtoul(*p + letters, &end, 10);
        if (*end != '_') return false;
        *p = end + 1;
        if (!take_kind(p, &f->kind)) return false;
    } else {
        if (!take_kind(p, &f->kind)) return false;
        const bool half = (*p)[-1] == 'f';
        bits = half ? 16 : 32;
        if (**p >= '0' && **p <= '9') {
            components = strtoul(*p, &end, 10);
            *p = end;
            if (**p == 'x') {
                bits = components;
                components = strtoul(*p + 1, &end, 10);
                *p = end;
            } else if (components > 4) {
                bits = components;
                components = 1;
            }
        }
    }
    f->components = (uint8_t)components;
    f->bits = (uint8_t)bits;
    return known_size(components, bits, f->kind);
}

static bool take_sizes(const char **p, struct il_resource *r)
{
    uint32_t size[3] = {1, 1, 1};
    for (unsigned i = 0;; i++) {
        char *end;
        const unsigned long n = strtoul(*p, &end, 10);
        if (i == 3 || end == *p || n == 0 || n > 65536 * 256) return false;
        size[i] = (uint32_t)n;
        *p = end;
        if (**p != 'x') break;
        ++*p;
    }
    r->width = size[0];
    r->height = size[1];
    r->depth = size[2];
    return true;
}

bool il_parse_format(const char *text, struct il_resource *r, struct gpudbg_error *err)
{
    const char *p = text;
    char *end;
    bool ok = take_name(&p, &r->format);
    uint32_t stride = 0;
    if (ok) r->pitch = r->format.components * r->format.bits / 8u;
    if (ok && *p == '/') {
        stride = (uint32_t)strtoul(p + 1, &end, 10);
        ok = end != p + 1 && stride >= r->pitch;
        p = end;
    }
    if (ok && *p == ':') {
        p++;
        ok = take_sizes(&p, r) && (!stride || stride >= (uint64_t)r->width * r->pitch);
        r->line = stride;
    } else if (stride)
        r->pitch = stride;
    if (ok && *p == ':') {
        r->levels = (uint32_t)strtoul(p + 1, &end, 10);
        ok = end != p + 1 && r->levels >= 1 && r->levels <= 16;
        p = end;
    }
    return (ok && !*p) ||
           gpudbg_fail(err, "bad-argument",
               "'%.60s' is not a format: FORMAT[/STRIDE][:WxH[xD]][:LEVELS] (r32_uint, float4, unorm8x4 ...)", text);
}

/* ---- Samplers ---- */

static bool take_numbers(const char *text, float *to, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        char *end;
        to[i] = strtof(text, &end);
        if (end == text || *end != (i + 1 < n ? '/' : 0)) return false;
        text = end + 1;
    }
    return true;
}

/* mag=linear, volmin=point */
static bool filter_word(const char *word, struct il_sampler *s)
{
    const struct {
        const char *name;
        uint8_t *filter;
    } filters[] = {{"mag", &s->mag}, {"min", &s->min}, {"volmag", &s->volmag}, {"volmin", &s->volmin}};
    static const char *const values[] = {"point", "linear", "aniso"};
    const char *equals = strchr(word, '=');
    for (size_t i = 0; equals && i < sizeof filters / sizeof *filters; i++)
        for (uint8_t v = 0; v < 3; v++)
            if (strncmp(word, filters[i].name, (size_t)(equals - word)) == 0 && !filters[i].name[equals - word] &&
                strcmp(equals + 1, values[v]) == 0) {
                *filters[i].filter = v;
                return true;
            }
    return false;
}

static bool sampler_word(const char *word, struct il_sampler *s)
{
    static const char *const wraps[] = {"wrap", "mirror", "clamp", "mirror_once", "border"};
    static const char *const compares[] = {
        "never", "less", "equal", "lequal", "greater", "notequal", "gequal", "always"};
    float lod[2];
    for (uint8_t i = 0; i < 5; i++) {
        if (strcmp(word, wraps[i]) == 0) {
            s->wrap[0] = s->wrap[1] = s->wrap[2] = i;
            return true;
        }
        for (unsigned axis = 0; axis < 3; axis++)
            if (word[0] == "uvw"[axis] && word[1] == '=' && strcmp(word + 2, wraps[i]) == 0) {
                s->wrap[axis] = i;
                return true;
            }
    }
    for (uint8_t i = 0; i < 8; i++)
        if (strcmp(word, compares[i]) == 0) {
            s->compare = i;
            return true;
        }
    if (strcmp(word, "linear") == 0 || strcmp(word, "point") == 0) {
        s->mag = s->min = s->linear_mip = word[0] == 'l';
        return true;
    }
    if (strncmp(word, "aniso=", 6) == 0) { /* with linear filters in all directions */
        char *end;
        const unsigned long n = strtoul(word + 6, &end, 10);
        s->aniso = (uint8_t)(n < 17 ? n : 0);
        s->mag = s->min = IL_ANISOTROPIC;
        s->linear_mip = true;
        return end > word + 6 && !*end && s->aniso;
    }
    if (strncmp(word, "mip=", 4) == 0) {
        s->no_mips = strcmp(word + 4, "none") == 0;
        s->linear_mip = strcmp(word + 4, "linear") == 0;
        return s->no_mips || s->linear_mip || strcmp(word + 4, "point") == 0;
    }
    if (strncmp(word, "bias=", 5) == 0) return take_numbers(word + 5, &s->bias, 1);
    if (strncmp(word, "border=", 7) == 0) return take_numbers(word + 7, s->border, 4);
    if (strncmp(word, "lod=", 4) == 0 && take_numbers(word + 4, lod, 2)) {
        s->min_lod = lod[0];
        s->max_lod = lod[1];
        return true;
    }
    return filter_word(word, s);
}

bool il_parse_sampler(const char *text, struct il_sampler *s, struct gpudbg_error *err)
{
    char word[64];
    for (const char *p = text; *p;) {
        const size_t n = strcspn(p, ",");
        snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), p);
        if (n >= sizeof word || !sampler_word(word, s))
            return gpudbg_fail(err, "bad-argument",
                "'%.40s' is not a word of samplers: point linear aniso=N, mag= min= volmag= volmin= mip=, "
                "wrap mirror clamp mirror_once border (u= v= w=), a comparison, bias= lod= border=",
                word);
        p += n + (p[n] == ',');
    }
    return true;
}
