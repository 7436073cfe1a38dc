/* SPDX-License-Identifier: GPL-3.0-or-later */
/* making.c: see making.h. */
#include "files/making.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SCRATCH_MOST ((uint32_t)2 << 20)

static struct gpudbg_kernel *kernel(const struct gpudbg_image *image) { return &image->kernels[image->nkernels - 1]; }

struct gen_binary *gen_making_start(struct gpudbg_image *image, const char *name, uint64_t entry, size_t payload_most,
    size_t surfaces_most, struct gpudbg_error *err)
{
    size_t n = 0;
    if (!gpudbg_image_bytes(image, entry, &n) || entry & 7) {
        gpudbg_fail(
            err, "bad-offset", "kernel %.80s: its entry 0x%" PRIx64 " is not in the code of this file", name, entry);
        return NULL;
    }
    struct gen_binary *b = gpudbg_image_alloc(image, sizeof *b);
    if (b) b->payload = gpudbg_image_alloc(image, (payload_most + 1) * sizeof *b->payload);
    if (b) b->surfaces = gpudbg_image_alloc(image, (surfaces_most + 1) * sizeof *b->surfaces);
    if (!b || !b->payload || !b->surfaces) {
        gpudbg_fail(err, "too-large", "kernel %.80s: no memory for %zu rows of payload", name, payload_most);
        return NULL;
    }
    struct gpudbg_kernel *k = gpudbg_image_kernel(image, name, entry);
    k->abi = b;
    b->grfs = 128;
    return b;
}

bool gen_making_param(struct gpudbg_image *image, int64_t index, struct gpudbg_error *err)
{
    struct gpudbg_kernel *k = kernel(image);
    if (index < 0 || index >= GEN_PARAMS_MOST)
        return gpudbg_fail(err, "bad-offset", "kernel %.80s: argument %" PRId64 " is not 0 to %d", k->name, index,
            (int)GEN_PARAMS_MOST - 1);
    while (k->nparams <= (size_t)index) gpudbg_kernel_param(image, k)->kind = GPUDBG_PARAM_OTHER;
    return true;
}

/* "float*;8": the type, and its bytes. */
static const char *split_type(struct gpudbg_image *image, const char *type, uint32_t *size)
{
    const char *semicolon = strrchr(type, ';');
    size_t n = semicolon ? (size_t)(semicolon - type) : strlen(type);
    unsigned long bytes = semicolon ? strtoul(semicolon + 1, NULL, 10) : 0;
    *size = bytes <= GEN_PAYLOAD_MOST ? (uint32_t)bytes : 0;
    return gpudbg_image_string(image, type, n);
}

void gen_making_describe(
    struct gpudbg_image *image, int64_t index, const char *address, const char *name, const char *type)
{
    struct gpudbg_param *p = &kernel(image)->params[index];
    if (name && *name) p->name = gpudbg_image_string(image, name, strlen(name));
    if (type && *type) p->type = split_type(image, type, &p->size);
    p->scalar = gpudbg_scalar_of(p->type);
    if (p->type && strncmp(p->type, "image", 5) == 0)
        p->kind = GPUDBG_PARAM_IMAGE;
    else if (p->type && strcmp(p->type, "sampler_t") == 0)
        p->kind = GPUDBG_PARAM_SAMPLER;
    else if (!address)
        return;
    else if (strcmp(address, "__local") == 0)
        p->kind = GPUDBG_PARAM_LOCAL;
    else if (strcmp(address, "__global") == 0 || strcmp(address, "__constant") == 0)
        p->kind = GPUDBG_PARAM_BUFFER;
    else if (strcmp(address, "__private") == 0)
        p->kind = GPUDBG_PARAM_VALUE;
}

bool gen_making_payload(
    struct gpudbg_image *image, struct gen_binary *b, struct gen_payload row, struct gpudbg_error *err)
{
    struct gpudbg_kernel *k = kernel(image);
    if (row.offset > GEN_PAYLOAD_MOST || row.size > GEN_PAYLOAD_MOST - row.offset)
        return gpudbg_fail(err, "bad-offset",
            "kernel %.80s: %" PRIu32 " bytes of payload at 0x%" PRIx32 " end after %d", k->name, row.size, row.offset,
            (int)GEN_PAYLOAD_MOST);
    if (row.offset + row.size > b->payload_size) b->payload_size = row.offset + row.size;
    b->payload[b->npayload++] = row;
    if (row.param < 0) return true;
    /* The file describes an argument in one place, and its part of the payload in another; the description may be
     * missing. */
    struct gpudbg_param *p = &k->params[row.param];
    bool pointer = row.kind == GEN_PAYLOAD_ADDRESS, local = row.kind == GEN_PAYLOAD_LOCAL,
         value = row.kind == GEN_PAYLOAD_VALUE;
    if (p->kind == GPUDBG_PARAM_OTHER && (pointer || local || value))
        p->kind = pointer ? GPUDBG_PARAM_BUFFER : local ? GPUDBG_PARAM_LOCAL : GPUDBG_PARAM_VALUE;
    if (!pointer && !local && !value) return true;
    if (!p->align || row.offset < p->offset) p->offset = row.offset;
    p->align = local ? row.source : 1; /* seen; alignment of a value is the payload's business */
    if (!p->type && value && row.source + (uint64_t)row.size > p->size) p->size = row.source + row.size;
    if (!p->type && !value) p->size = 8;
    return true;
}

void gen_making_surface(struct gen_binary *b, struct gen_surface row) { b->surfaces[b->nsurfaces++] = row; }

bool gen_making_bindless(struct gpudbg_image *image, struct gen_binary *b, int16_t param, uint32_t offset,
    uint32_t size, struct gpudbg_error *err)
{
    unsigned bti = GEN_BINDLESS_LAST;
    for (size_t i = 0; i < b->nsurfaces; i++) bti -= b->surfaces[i].bindless;
    if (bti < GEN_BINDLESS_LAST / 2)
        return gpudbg_fail(err, "unsupported", "kernel %.80s has more than %d bindless surfaces", kernel(image)->name,
            GEN_BINDLESS_LAST / 2);
    gen_making_surface(
        b, (struct gen_surface){.kind = GEN_SURFACE_PARAM, .bti = (uint8_t)bti, .bindless = true, .param = param});
    return gen_making_payload(image, b,
        (struct gen_payload){.kind = GEN_PAYLOAD_BINDLESS,
            .param = param,
            .offset = offset,
            .size = size,
            .source = bti,
            .name = "bindless_surface"},
        err);
}

bool gen_making_finish(struct gpudbg_image *image, struct gen_binary *b, struct gpudbg_error *err)
{
    struct gpudbg_kernel *k = kernel(image);
    if (b->simd != 1 && b->simd != 8 && b->simd != 16 && b->simd != 32)
        return gpudbg_fail(err, "unsupported", "kernel %.80s has SIMD%u, not SIMD8, 16 or 32", k->name, b->simd);
    const uint32_t least = gen_eu_of(image->isa)->scratch_unit;
    if (b->scratch & (b->scratch - 1) || b->scratch > SCRATCH_MOST || (b->scratch && b->scratch < least))
        return gpudbg_fail(err, "unsupported",
            "kernel %.80s: %" PRIu32 " bytes of scratch a thread are not a power of two from %u to %" PRIu32, k->name,
            b->scratch, least, SCRATCH_MOST);
    if (b->slm > 65536)
        return gpudbg_fail(
            err, "too-large", "kernel %.80s needs %" PRIu32 " bytes of SLM: a group has 65536", k->name, b->slm);
    const uint32_t most = gen_eu_of(image->isa)->large_grf ? 256 : 128;
    if (b->grfs < 64 || b->grfs > most)
        return gpudbg_fail(err, "unsupported", "kernel %.80s has %" PRIu32 " registers a thread, not 64 to %" PRIu32,
            k->name, b->grfs, most);
    b->payload_size = (b->payload_size + 31) & ~UINT32_C(31);
    if (b->cross_thread + b->payload_size / 32 > b->grfs)
        return gpudbg_fail(err, "bad-offset",
            "kernel %.80s: %" PRIu32 " bytes of payload from r%u on do not fit in %" PRIu32 " registers", k->name,
            b->payload_size, b->cross_thread, b->grfs);
    k->lds = b->slm;
    k->scratch = b->private_item + b->scratch / b->simd;
    k->kernarg = b->payload_size;
    k->abi_name = b->container == GEN_ZEBIN ? "zebin" : "patch-tokens";
    gpudbg_kernel_fact(image, k, "simd", b->simd);
    gpudbg_kernel_fact(image, k, "grfs", b->grfs);
    gpudbg_kernel_fact(image, k, "slm", b->slm);
    gpudbg_kernel_fact(image, k, "barriers", b->barriers);
    gpudbg_kernel_fact(image, k, "scratch_per_thread", b->scratch);
    gpudbg_kernel_fact(image, k, "private_per_item", b->private_item);
    gpudbg_kernel_fact(image, k, "local_id_registers", b->local_ids ? b->cross_thread - 1u : 0);
    gpudbg_kernel_fact(image, k, "payload_register", b->cross_thread);
    gpudbg_kernel_fact(image, k, "payload_bytes", b->payload_size);
    gpudbg_kernel_fact(image, k, "surfaces", b->nsurfaces);
    if (b->stack_calls) gpudbg_kernel_fact(image, k, "stack_calls", 1);
    return true;
}
