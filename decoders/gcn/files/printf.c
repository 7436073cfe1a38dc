/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * printf.c: the formats that a code object's metadata lists ("amdhsa.printf", of code object 2 "Printf"): strings of
 * the form ID:N:BYTES...:FORMAT, where control characters and colons in the format are escaped with backslashes.
 * Source: LLVM AMDGPU usage guide (code object metadata); lib/Target/AMDGPU/AMDGPUPrintfRuntimeBinding.cpp.
 */
#include "files/printf.h"

#include <stdlib.h>
#include <string.h>

#define VALUES_MOST 256

/* Takes "N:" from the front. */
static bool take_number(const char **at, uint32_t *number)
{
    char *end;
    const unsigned long n = strtoul(*at, &end, 10);
    if (**at < '0' || **at > '9' || n > UINT32_MAX || *end != ':') return false;
    *number = (uint32_t)n;
    *at = end + 1;
    return true;
}

/* Writes the text without escapes to `to`, which is filled with zeros and has room for all of it. */
static void unescape(const char *from, char *to)
{
    static const char letters[] = "abfnrtv", means[] = "\a\b\f\n\r\t\v";
    while (*from) {
        const char *letter = from[0] == '\\' && from[1] ? strchr(letters, from[1]) : NULL;
        unsigned code = 0, digits = 0;
        for (; from[0] == '\\' && digits < 3 && from[1 + digits] >= '0' && from[1 + digits] <= '7'; digits++)
            code = 8 * code + (unsigned)(from[1 + digits] - '0');
        if (letter) {
            *to++ = means[letter - letters];
            from += 2;
        } else if (digits > 1 && code && code < 256) {
            *to++ = (char)code;
            from += 1 + digits;
        } else {
            *to++ = *from++;
        }
    }
}

static bool read_one(struct gpudbg_image *image, const char *text, struct gcn_printf *p)
{
    uint32_t sizes[VALUES_MOST];
    if (!take_number(&text, &p->id) || !take_number(&text, &p->nvalues) || p->nvalues > VALUES_MOST) return false;
    for (uint32_t i = 0; i < p->nvalues; i++)
        if (!take_number(&text, &sizes[i]) || sizes[i] > 1u << 20) return false;
    uint32_t *kept = gpudbg_image_alloc(image, (p->nvalues + 1) * sizeof *kept);
    char *format = gpudbg_image_alloc(image, strlen(text) + 1); /* zeros; a gpudbg_image_string has no ends of lines */
    if (!kept || !format) return false;
    memcpy(kept, sizes, p->nvalues * sizeof *kept);
    unescape(text, format);
    p->sizes = kept;
    p->format = format;
    return true;
}

static int by_id(const void *a, const void *b)
{
    const struct gcn_printf *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

const struct gcn_printfs *gcn_printfs_read(struct gpudbg_image *image, const json_t *list)
{
    const size_t n = json_array_size(list);
    struct gcn_printfs *all = n ? gpudbg_image_alloc(image, sizeof *all) : NULL;
    struct gcn_printf *rows = n ? gpudbg_image_alloc(image, n * sizeof *rows) : NULL;
    if (!all || !rows) return NULL;
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        struct gcn_printf row = {0};
        if (text && read_one(image, text, &row))
            rows[all->n++] = row;
        else
            gpudbg_image_fact(image, "printf", "a format of the metadata cannot be read: number", i + 1);
    }
    qsort(rows, all->n, sizeof *rows, by_id);
    all->list = rows;
    return all;
}

const struct gcn_printf *gcn_printf_find(const struct gcn_printfs *all, uint32_t id)
{
    const struct gcn_printf key = {.id = id};
    return all ? bsearch(&key, all->list, all->n, sizeof key, by_id) : NULL;
}
