/* SPDX-License-Identifier: GPL-3.0-or-later */
/* offer.c: types of arguments by name (n:int=64), and a launch line that can be run as it stands; see launch.h. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "gpudbg/text.h"
#include "machine/argument.h"
#include "machine/launch.h"
#include "machine/literal.h"

/* ---- Types ---- */

const char *argument_type_of(char *name)
{
    char *behind = strchr(name, ']'), *colon = strchr(behind ? behind : name, ':');
    if (!colon) return NULL;
    *colon = 0;
    return colon + 1;
}

/* "const global float4 *restrict" as "float4*"; false: it is no plain type that a word can say. */
static bool type_word(const char *type, char *buf, size_t size)
{
    static const char *const qualifiers[] = {
        "const ", "volatile ", "global ", "__global ", "constant ", "__constant ", "local ", "__local ", NULL};
    struct literal_scalar s;
    size_t n = 0;
    if (!type) return false;
    for (const char *const *q = qualifiers; *q; q++)
        if (strncmp(type, *q, strlen(*q)) == 0) return type_word(type + strlen(*q), buf, size);
    while (isalnum((unsigned char)type[n]) || type[n] == '_') n++;
    const bool pointer = type[n + strspn(type + n, " ")] == '*';
    if (!n || (!pointer && type[n])) return false;
    snprintf(buf, size, "%.*s%s", (int)n, type, pointer ? "*" : "");
    return literal_element(buf, &s) != 0;
}

static const char *scalar_word(char kind, uint32_t size)
{
    switch (size) {
    case 1: return kind == 'u' ? "uchar" : kind == 'i' ? "char" : NULL;
    case 2: return kind == 'u' ? "ushort" : kind == 'i' ? "short" : kind == 'f' ? "half" : NULL;
    case 4: return kind == 'u' ? "uint" : kind == 'i' ? "int" : kind == 'f' ? "float" : NULL;
    case 8: return kind == 'u' ? "ulong" : kind == 'i' ? "long" : kind == 'f' ? "double" : NULL;
    default: return NULL;
    }
}

static bool type_of(const struct gpudbg_param *p, char *buf, size_t size)
{
    if (p->kind != GPUDBG_PARAM_VALUE && p->kind != GPUDBG_PARAM_BUFFER && p->kind != GPUDBG_PARAM_LOCAL) return false;
    if (p->type) return type_word(p->type, buf, size);
    const char *word = p->kind == GPUDBG_PARAM_VALUE ? scalar_word(p->scalar, p->size) : NULL;
    if (word) snprintf(buf, size, "%s", word);
    return word != NULL;
}

/* The type of a value that nobody tells: as a prefix of its literal. */
static bool take_type(struct launching *l, struct gpudbg_bound *b, struct literal_scalar s, struct gpudbg_error *err)
{
    struct literal_scalar said;
    const char *rest;
    if (b->param->scalar || !(isdigit((unsigned char)b->text[0]) || strchr("-+.", b->text[0])) ||
        literal_scalar_prefix(b->text, &said, &rest))
        return true;
    const size_t size = strlen(b->text) + 8;
    char *text = launching_keep(l, size);
    if (!text) return launching_no_memory(err);
    snprintf(text, size, "%c%u:%s", s.kind, 8 * s.size, b->text);
    b->text = text;
    return true;
}

bool argument_typed(struct launching *l, struct gpudbg_bound *b, const char *type, struct gpudbg_error *err)
{
    const struct gpudbg_param *p = b->param;
    struct literal_scalar is = {0, 0}, want = {p->scalar, p->size};
    char known[64], what[200];
    const bool pointer = strchr(type, '*') != NULL, told = type_of(p, known, sizeof known);
    const unsigned count = literal_element(type, &is), wanted = told ? literal_element(known, &want) : 0;
    launching_what(&l->launch, b, what, sizeof what);
    if (!count) return gpudbg_fail(err, "bad-argument", "%s: '%.40s' is not a type of OpenCL C", what, type);
    const uint32_t size = is.size * (count == 3 ? 4 : count);
    bool same = pointer == (p->kind != GPUDBG_PARAM_VALUE);
    if (told)
        same = same && count == wanted && is.size == want.size && (is.kind == 'f') == (want.kind == 'f');
    else if (p->kind == GPUDBG_PARAM_VALUE)
        same = same && size == p->size;
    if (!same)
        return gpudbg_fail(
            err, "bad-argument", "%s is not of type %.40s%s%s", what, type, told ? "; it is " : "", told ? known : "");
    return told || pointer || count > 1 || take_type(l, b, is, err);
}

/* ---- The line ---- */

/* Work-items in each direction, one group: what the kernel requires, 16 x 16 if it is given ids in x and y, else 64. */
static void offer_grid(const struct gpudbg_kernel *k, uint32_t grid[3])
{
    const bool flat = k->dimensions == 2;
    const uint32_t most = k->max_local ? k->max_local : UINT32_MAX;
    grid[0] = flat ? 16 : 64;
    grid[1] = flat ? 16 : 1;
    grid[2] = 1;
    while (grid[0] > 1 && grid[0] * grid[1] > most) {
        grid[0] /= 2;
        if (flat) grid[1] /= 2;
    }
    if (k->reqd_local[0]) memcpy(grid, k->reqd_local, 3 * sizeof *grid);
}

static void offer_value(struct text *t, const struct gpudbg_param *p, uint32_t n)
{
    struct literal_scalar s = {p->scalar, p->size};
    const unsigned count = literal_element(p->type, &s);
    if (p->kind == GPUDBG_PARAM_SAMPLER)
        text_add(t, "0");
    else if (!count && p->size != 1 && p->size != 2 && p->size != 4 && p->size != 8)
        text_add(t, "zero:%u", p->size);
    else if (s.kind == 'f')
        text_add(t, "1.0");
    else
        text_add(t, "%u", s.size == 1 && n > 127 ? 127 : n);
}

/* An image of 16 x 16, or 16 x 16 x 4, texels. */
static void offer_image(struct text *t, const char *type, const uint32_t grid[3])
{
    const unsigned width = grid[0] > 16 || !grid[0] ? 16 : grid[0];
    const bool deep = strstr(type, "3d") || strstr(type, "array"), line = strstr(type, "1d"),
               depth = strstr(type, "depth");
    const unsigned height = line ? 1 : 16, slices = deep ? 4 : 1;
    text_add(t, "zero:%u:%s:%ux%u", width * height * slices * (depth ? 4 : 16), depth ? "r32_float" : "float4", width,
        height);
    if (deep) text_add(t, "x%u", slices);
}

int launch_offer(const struct gpudbg_kernel *k, char *buf, size_t size)
{
    uint32_t g[3];
    struct text t = text_in(buf, size);
    char type[64];
    if (!k) return text_add(&t, "launch -g 64 -l 64"), text_length(&t);
    offer_grid(k, g);
    const uint64_t items = (uint64_t)g[0] * g[1] * g[2];
    text_add(&t, "launch %s", k->name);
    if (g[2] > 1 || k->reqd_local[0])
        text_add(&t, " -g %u,%u,%u -l %u,%u,%u", g[0], g[1], g[2], g[0], g[1], g[2]);
    else if (g[1] > 1)
        text_add(&t, " -g %u,%u -l %u,%u", g[0], g[1], g[0], g[1]);
    else
        text_add(&t, " -g %u -l %u", g[0], g[0]);
    for (size_t i = 0; i < k->nparams; i++) {
        const struct gpudbg_param *p = &k->params[i];
        struct literal_scalar s = {0, 4};
        if (p->optional && (p->kind == GPUDBG_PARAM_TEXT || p->kind == GPUDBG_PARAM_OTHER)) continue;
        const bool typed = type_of(p, type, sizeof type);
        const unsigned count = literal_element(typed ? type : p->type, &s);
        if (p->name)
            text_add(&t, " %s", p->name);
        else
            text_add(&t, " arg%zu", i);
        text_add(&t, "%s%s=", typed ? ":" : "", typed ? type : "");
        if (p->kind == GPUDBG_PARAM_VALUE || p->kind == GPUDBG_PARAM_SAMPLER)
            offer_value(&t, p, g[0]);
        else if (p->type && strncmp(p->type, "image", 5) == 0)
            offer_image(&t, p->type, g);
        else
            text_add(&t, "%s:%" PRIu64, p->kind == GPUDBG_PARAM_LOCAL ? "local" : "zero",
                items * (count ? (count == 3 ? 4 : count) * s.size : 16));
    }
    return text_length(&t);
}
