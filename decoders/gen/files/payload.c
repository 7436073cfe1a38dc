/* SPDX-License-Identifier: GPL-3.0-or-later */
/* payload.c: `info payload`: the values that a thread of a kernel finds in its registers, and its surfaces, row by row.
 */
#include "files/payload.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "files/gen_binary.h"

/* A row: registers of the payload, or (bti >= 0) a binding table index. */
struct row {
    const struct gpudbg_kernel *kernel;
    const char *what;
    uint32_t reg, sub, size; /* first register, byte in it, bytes */
    int param, bti;
    uint32_t source; /* VALUE: byte of the argument */
};

static int kernel_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->kernel->name);
}

static int place_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    if (row->bti >= 0) return snprintf(buf, size, "bti %d", row->bti);
    return row->sub ? snprintf(buf, size, "r%" PRIu32 "+%" PRIu32, row->reg, row->sub)
                    : snprintf(buf, size, "r%" PRIu32, row->reg);
}

static int size_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%" PRIu32, ((const struct row *)r)->size);
}

static int what_cell(const void *r, char *buf, size_t size)
{
    return snprintf(buf, size, "%s", ((const struct row *)r)->what);
}

static int argument_cell(const void *r, char *buf, size_t size)
{
    const struct row *row = r;
    char from[32] = "";
    if (row->param < 0) return snprintf(buf, size, "%s", "");
    const struct gpudbg_param *p = &row->kernel->params[row->param];
    if (row->source) snprintf(from, sizeof from, " from byte %" PRIu32, row->source);
    return snprintf(buf, size, "%d %s%s%s%s", row->param, p->name ? p->name : "-", p->type ? ": " : "",
        p->type ? p->type : "", from);
}

static const struct gpudbg_column columns[] = {
    {"kernel", "kernel", 0, GPUDBG_NAME, kernel_cell},
    {"place", "place", 0, GPUDBG_NAME, place_cell},
    {"size", "bytes", 0, GPUDBG_COUNT, size_cell},
    {"what", "what", 0, GPUDBG_NAME, what_cell},
    {"argument", "argument", 0, GPUDBG_NOTE, argument_cell},
};

static bool thread_rows(const struct gpudbg_kernel *k, const struct gen_binary *b, gpudbg_row_fn *each, void *to)
{
    static const char *const axes[] = {"local ids x", "local ids y", "local ids z"};
    struct row row = {.kernel = k, .what = "thread header", .size = 32, .param = -1, .bti = -1};
    if (!each(to, &row)) return false;
    unsigned registers = b->simd > 16 ? 2 : 1;
    for (unsigned i = 0; b->local_ids && i < 3 && 1 + (i + 1) * registers <= b->cross_thread; i++) {
        row = (struct row){
            .kernel = k, .what = axes[i], .reg = 1 + i * registers, .size = 2u * b->simd, .param = -1, .bti = -1};
        if (!each(to, &row)) return false;
    }
    return true;
}

static bool payload_rows(const struct gpudbg_kernel *k, const struct gen_binary *b, gpudbg_row_fn *each, void *to)
{
    for (size_t i = 0; i < b->npayload; i++) {
        const struct gen_payload *p = &b->payload[i];
        struct row row = {.kernel = k,
            .what = p->name,
            .reg = b->cross_thread + p->offset / 32,
            .sub = p->offset % 32,
            .size = p->size,
            .param = p->param,
            .bti = -1,
            .source = p->kind == GEN_PAYLOAD_VALUE ? p->source : 0};
        if (!each(to, &row)) return false;
    }
    return true;
}

static bool surface_rows(const struct gpudbg_kernel *k, const struct gen_binary *b, gpudbg_row_fn *each, void *to)
{
    static const char *const kinds[] = {"surface of an argument", "surface of the program's constants",
        "surface of the program's variables", "surface of the private buffer"};
    for (size_t i = 0; i < b->nsurfaces; i++) {
        const struct gen_surface *s = &b->surfaces[i];
        if (s->bindless) continue;
        struct row row = {.kernel = k, .what = kinds[s->kind], .param = s->param, .bti = s->bti};
        if (!each(to, &row)) return false;
    }
    return true;
}

static bool rows(struct gpudbg *g, const char *args, gpudbg_row_fn *each, void *to, struct gpudbg_error *err)
{
    const struct gpudbg_image *image = gpudbg_session_image(g);
    bool found = !*args;
    if (!image) return gpudbg_fail(err, "no-file", "no file is loaded");
    for (size_t i = 0; i < image->nkernels; i++) {
        const struct gpudbg_kernel *k = &image->kernels[i];
        if (*args && strcmp(args, k->name) != 0) continue;
        found = true;
        if (!k->abi || !k->abi_name || (strcmp(k->abi_name, "zebin") != 0 && strcmp(k->abi_name, "patch-tokens") != 0))
            continue;
        if (!thread_rows(k, k->abi, each, to) || !payload_rows(k, k->abi, each, to) ||
            !surface_rows(k, k->abi, each, to))
            return true;
    }
    return found || gpudbg_fail(err, "no-such-name", "no kernel is named \"%.60s\"", args);
}

const struct gpudbg_listing gen_payload_listing = {
    .name = "payload",
    .summary = "show what a thread finds in its registers at the start, and the surfaces",
    .columns = columns,
    .ncolumns = sizeof columns / sizeof *columns,
    .rows = rows,
    .empty = "the file says nothing about payloads",
};
