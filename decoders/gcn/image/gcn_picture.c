/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gcn_picture.c: reads images for display, by the functions that MIMG instructions use. */
#include "image/gcn_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "code/gcn_decoder.h"
#include "image/abi_image.h"

static bool describe_for(
    const struct gcn_chip *chip, const struct gpudbg_bound *b, uint32_t *words, struct gpudbg_error *err)
{
    uint8_t bytes[GCN_ARGUMENT_DESCRIPTOR] = {0};
    if (b->segment && b->segment->base & 255)
        return gpudbg_fail(
            err, "bad-argument", "an image begins at a multiple of 256, and 0x%" PRIx64 " is none", b->segment->base);
    if (!gcn_put_image("the picture", b, chip, bytes, err)) return false;
    for (unsigned i = 0; i < 8; i++) words[i] = le_u32(bytes + 4 * i);
    return true;
}

static bool describe(const struct gpudbg_bound *b, uint32_t *words, struct gpudbg_error *err)
{
    return describe_for(NULL, b, words, err);
}

/* What all chips with newer descriptors can say of an image. */
static bool describe_newer(const struct gpudbg_bound *b, uint32_t *words, struct gpudbg_error *err)
{
    static const struct gcn_chip common = {.newer_buffers = true};
    return describe_for(&common, b, words, err);
}

static const char *enum_name(const struct gpudbg_enum *e, uint32_t value)
{
    for (size_t i = 0; i < e->count; i++)
        if (e->values[i].value == value) {
            const char *name = strstr(e->values[i].name, "FORMAT_");
            return name ? name + 7 : e->values[i].name;
        }
    return "?";
}

/* The components that are no constants of the descriptor, and that the format has. */
static uint8_t channels(const struct gcn_image *im)
{
    unsigned bits = 0, have = 4;
    for (unsigned i = 0; im->texel.bits && i < 4; i++)
        if (!im->texel.bits[i] && i < have) have = i;
    for (unsigned i = 0; i < 4; i++) bits |= (unsigned)(im->sel[i] >= 4 && im->sel[i] - 4u < have) << i;
    return (uint8_t)bits;
}

static bool open_words(struct gpudbg *g, const struct gpudbg_isa *isa, const uint32_t *words, struct gpudbg_picture *p,
    struct gpudbg_error *err)
{
    struct gcn_image_problem wrong;
    struct gcn_tiling tiling;
    struct gcn_image *im = calloc(1, sizeof *im);
    if (!im) return gpudbg_fail(err, "memory", "no memory for a picture");
    gcn_tiling_read(g, isa, &tiling);
    const struct gcn_chip *chip = gcn_chip_of(isa);
    if (!gcn_image_read(words, chip->newer_buffers ? GCN_IMAGE_NEWER : 0, chip, &tiling, im, &wrong)) {
        free(im);
        return gpudbg_fail(err, "bad-argument", "T#.%s is %u: %s", wrong.field, wrong.value, wrong.why);
    }
    const struct gcn_level_place *l = &im->level[0];
    const unsigned nfmt = im->texel.nfmt;
    *p = (struct gpudbg_picture){.address = im->base,
        .width = l->width,
        .height = l->height,
        .depth = l->depth,
        .slices = im->slices,
        .levels = im->levels,
        .block = im->texel.bytes,
        .normalized = nfmt == GCN_NUM_UNORM || nfmt == GCN_NUM_SNORM || nfmt == GCN_NUM_SNORM_OGL ||
                      nfmt == GCN_NUM_SRGB || nfmt == GCN_NUM_UBNORM || nfmt == GCN_NUM_UBNORM_OGL,
        .integer = gcn_texel_is_integer(&im->texel),
        .negative = nfmt == GCN_NUM_SINT,
        .channels = channels(im),
        .own = im};
    if (im->texel.dfmt >= GCN_DATA_BC1 && im->texel.dfmt <= GCN_DATA_BC7)
        snprintf(p->format, sizeof p->format, "bc%d_%s", im->texel.dfmt - GCN_DATA_BC1 + 1,
            enum_name(&gcn_enum[GCN_E_IMG_NUM_FORMAT], nfmt));
    else
        snprintf(p->format, sizeof p->format, "%s_%s", enum_name(&gcn_enum[GCN_E_IMG_DATA_FORMAT], im->texel.dfmt),
            enum_name(&gcn_enum[GCN_E_IMG_NUM_FORMAT], nfmt));
    for (char *c = p->format; *c; c++) *c = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
    return true;
}

static void level(const struct gpudbg_picture *p, uint32_t n, uint32_t *width, uint32_t *height, uint32_t *depth)
{
    const struct gcn_image *im = p->own;
    *width = im->level[n].width;
    *height = im->level[n].height;
    *depth = im->level[n].depth;
}

/* For a multisampled image, the place of its first sample. */
static uint64_t place(const struct gpudbg_picture *p, uint32_t n, uint32_t x, uint32_t y, uint32_t slice)
{
    const struct gcn_image *im = p->own;
    return gcn_image_place(im, n, x, y, im->base_slice + slice, 0);
}

static void texel(const struct gpudbg_picture *p, const uint8_t *block, uint32_t x, uint32_t y, uint32_t out[4])
{
    const struct gcn_image *im = p->own;
    uint32_t in[4];
    gcn_texel_load(&im->texel, block, x % im->texel.width, y % im->texel.height, in);
    gcn_image_select(im, in, out);
}

const struct gpudbg_pictures gcn_pictures = {
    .words = 8, .describe = describe, .open = open_words, .level = level, .place = place, .texel = texel};
const struct gpudbg_pictures gcn_newer_pictures = {
    .words = 8, .describe = describe_newer, .open = open_words, .level = level, .place = place, .texel = texel};
