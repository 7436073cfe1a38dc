/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_descriptor.c: T# and S#, field by field.  A field that contradicts another, or that asks for what the manual
 * does not describe, stops the wave with its name.  Ignored, because they only trade quality or report: PERF_MOD,
 * PERF_MIP, PERF_Z, LOD_BIAS_SEC, MIP_POINT_PRECLAMP, DISABLE_LSB_CEIL, FILTER_PREC_FIX, MTYPE, ATC, the counters.
 *
 * The manual reserves what anisotropic filters use; drivers set it, and their headers name it: filters 2 and 3 are
 * point and bilinear taps, bits 11:9 the logarithm of their greatest number (bits 18:16 and 26:21, which trade quality,
 * are ignored).
 */
#include "image/gcn_image.h"

#include "launch/setup.h"
#include "engine/gcn_predecode.h"

static uint32_t bits(const uint32_t *words, unsigned hi, unsigned lo)
{
    uint64_t v = words[lo / 32] | (lo / 32 + 1 <= hi / 32 ? (uint64_t)words[lo / 32 + 1] << 32 : 0);
    return (uint32_t)(v >> lo % 32 & ((UINT64_C(2) << (hi - lo)) - 1));
}

const char *gcn_image_name(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const struct gpudbg_op *row = gcn_row(w, op);
    return row ? row->name : "image";
}

static bool wrong(struct gpudbg_wave *w, const struct gcn_op *op, const char *which, const char *field, uint32_t value,
    const char *why)
{
    (void)GCN_FAULT(w, op, -1, "%s: %s.%s is %u: %s", gcn_image_name(w, op), which, field, value, why);
    return false;
}

static bool problem(struct gcn_image_problem *p, const char *field, uint32_t value, const char *why)
{
    *p = (struct gcn_image_problem){field, value, why};
    return false;
}

#define T_WRONG(field, value, why) problem(p, field, value, why)
#define S_WRONG(field, value, why) wrong(w, op, "S#", field, value, why)

/* ---- Images ---- */

unsigned gcn_image_dimensions(const struct gcn_image *im)
{
    return im->type == GCN_IMAGE_1D || im->type == GCN_IMAGE_1D_ARRAY ? 1 : im->type == GCN_IMAGE_3D ? 3 : 2;
}

/* A cube's faces are its slices; other images have a slice number if the instruction says that it sends one. */
bool gcn_image_takes_slice(const struct gcn_image *im, const struct gcn_op *op)
{
    return im->type == GCN_IMAGE_CUBE || (im->type != GCN_IMAGE_3D && op->mods & GCN_IMAGE_DA);
}

static bool is_array(enum gcn_image_type type)
{
    return type == GCN_IMAGE_CUBE || type == GCN_IMAGE_1D_ARRAY || type == GCN_IMAGE_2D_ARRAY ||
           type == GCN_IMAGE_2D_MSAA_ARRAY;
}

static bool is_multisampled(enum gcn_image_type type)
{
    return type == GCN_IMAGE_2D_MSAA || type == GCN_IMAGE_2D_MSAA_ARRAY;
}

static bool check_shape(const struct gcn_image *im, unsigned mods, const uint32_t t[8], struct gcn_image_problem *p)
{
    uint32_t width = bits(t, 77, 64) + 1, height = bits(t, 91, 78) + 1, depth = bits(t, 140, 128) + 1;
    uint32_t base_level = bits(t, 111, 108), last_level = bits(t, 115, 112), base_array = bits(t, 172, 160),
             last_array = bits(t, 185, 173);
    uint32_t most = width > height ? width : height;
    bool r128 = mods & GCN_IMAGE_R128;
    if (r128 && (is_array(im->type) || im->type == GCN_IMAGE_3D))
        return T_WRONG("type", im->type, "arrays and volumes need the 256 bits that r128 leaves out");
    if (im->type == GCN_IMAGE_3D && depth > most) most = depth;
    if (gcn_image_dimensions(im) == 1 && height != 1)
        return T_WRONG("height", height - 1, "the image has one dimension");
    if (is_multisampled(im->type) ? last_level > 4 : last_level > 31 - (uint32_t)__builtin_clz(most))
        return T_WRONG("last_level", last_level,
            is_multisampled(im->type) ? "at most 16 samples" : "the image is too small for so many levels");
    if (base_level > last_level) return T_WRONG("base_level", base_level, "above last_level");
    if (is_multisampled(im->type) && base_level)
        return T_WRONG("base_level", base_level, "multisampled images have one level");
    if (!r128 && base_array > last_array) return T_WRONG("base_array", base_array, "above last_array");
    if (im->type == GCN_IMAGE_CUBE && (last_array - base_array + 1) % 6)
        return T_WRONG("last_array", last_array, "a cube has six slices from base_array on");
    if (im->type == GCN_IMAGE_CUBE && width != height)
        return T_WRONG("height", height - 1, "the faces of a cube are square");
    if (!is_array(im->type) && im->type != GCN_IMAGE_3D && base_array != last_array)
        return T_WRONG("last_array", last_array, "the image is not an array");
    return true;
}

static bool check_words(const uint32_t t[8], struct gcn_image_problem *p)
{
    static const char *const sel[4] = {"dst_sel_x", "dst_sel_y", "dst_sel_z", "dst_sel_w"};
    for (unsigned i = 0; i < 4; i++) {
        uint32_t s = bits(t, 98 + 3 * i, 96 + 3 * i);
        if (s == 2 || s == 3) return T_WRONG(sel[i], s, "reserved");
    }
    if (bits(t, 95, 95)) return T_WRONG("interlaced", 1, "what it does is not described by the manual");
    if (bits(t, 159, 155)) return T_WRONG("[159:155]", bits(t, 159, 155), "reserved bits");
    if (bits(t, 191, 186)) return T_WRONG("[191:186]", bits(t, 191, 186), "reserved bits");
    return true;
}

bool gcn_image_read(const uint32_t words[8], unsigned mods, const struct gcn_tiling *tiling, struct gcn_image *im,
    struct gcn_image_problem *p)
{
    uint32_t t[8] = {0};
    memcpy(t, words, mods & GCN_IMAGE_R128 ? 16 : 32);
    *im = (struct gcn_image){
        .base = (t[0] | (uint64_t)(t[1] & 0xff) << 32) << 8, .type = (enum gcn_image_type)bits(t, 127, 124)};
    if (im->type < GCN_IMAGE_1D) return T_WRONG("type", im->type, "no image");
    const char *field = gcn_texel_format(bits(t, 57, 52), bits(t, 61, 58), &im->texel);
    if (field && field[0] == 'd')
        return T_WRONG(field, im->texel.dfmt,
            im->texel.dfmt > 60 ? "how its texels lie is not described by the manual" : "no format");
    if (field) return T_WRONG(field, im->texel.nfmt, "does not fit the data format");
    if (!check_words(t, p) || !check_shape(im, mods, t, p)) return false;
    for (unsigned i = 0; i < 4; i++) im->sel[i] = (uint8_t)bits(t, 98 + 3 * i, 96 + 3 * i);
    uint32_t last_level = bits(t, 115, 112);
    im->samples = is_multisampled(im->type) ? 1u << last_level : 1;
    im->base_level = bits(t, 111, 108);
    im->levels = is_multisampled(im->type) ? 1 : last_level - im->base_level + 1;
    im->base_slice = bits(t, 172, 160);
    im->slices = im->type == GCN_IMAGE_3D ? 1 : bits(t, 185, 173) - im->base_slice + 1;
    im->min_lod = (float)bits(t, 51, 40) / 256;
    im->min_lod_warn = bits(t, 203, 192);
    if (mods & GCN_IMAGE_LWE && im->min_lod_warn)
        return T_WRONG("min_lod_warn", im->min_lod_warn, "what lwe tells of it is not described by the manual");
    if (mods & GCN_IMAGE_R128) { /* the pitch is left out: as little as the linear layout allows */
        uint32_t width = bits(t, 77, 64) + 1, step = im->texel.bytes < 8 ? 64u / im->texel.bytes : 8;
        step *= im->texel.width;
        t[4] = ((width + step - 1) / step * step - 1) << 13;
    }
    const char *layout = gcn_image_layout(im, t, tiling);
    if (!layout) return true;
    if (strcmp(layout, "pitch") == 0) return T_WRONG(layout, bits(t, 154, 141), "less than the width");
    return T_WRONG("tiling_index", im->tiling, layout);
}

bool gcn_image(struct gpudbg_wave *w, const struct gcn_op *op, struct gcn_image *im)
{
    struct gcn_image_problem p;
    uint32_t t[8] = {0};
    memcpy(t, gcn_s(w) + op->b, op->mods & GCN_IMAGE_R128 ? 16 : 32);
    if (gcn_image_read(t, op->mods, &gcn_of(w)->setup->tiling, im, &p)) return true;
    if (strcmp(p.field, "tiling_index") != 0) return wrong(w, op, "T#", p.field, p.value, p.why);
    (void)GCN_FAULT(
        w, op, -1, "%s: T#.tiling_index is %u (GB_TILE_MODE%u): %s", gcn_image_name(w, op), p.value, p.value, p.why);
    return false;
}

/* ---- Samplers ---- */

bool gcn_sampler(struct gpudbg_wave *w, const struct gcn_op *op, unsigned dimensions, struct gcn_sampler *s)
{
    const uint32_t *t = gcn_s(w) + op->c;
    static const char *const clamp[3] = {"clamp_x", "clamp_y", "clamp_z"};
    uint32_t mag = bits(t, 85, 84), min = bits(t, 87, 86), z = bits(t, 89, 88), mip = bits(t, 91, 90),
             bias = bits(t, 77, 64);
    *s = (struct gcn_sampler){
        .compare = (uint8_t)bits(t, 14, 12),
        .unnormalized = bits(t, 15, 15) || op->mods & GCN_IMAGE_UNORM,
        .degamma = bits(t, 20, 20),
        .cube_wrap = !bits(t, 28, 28),
        .truncates = bits(t, 27, 27),
        .mode = (uint8_t)bits(t, 30, 29),
        .min_lod = (float)bits(t, 43, 32) / 256,
        .max_lod = (float)bits(t, 55, 44) / 256,
        .bias = (float)((int32_t)(bias << 18) >> 18) / 256,
        .linear_mag = mag & 1,
        .linear_min = min & 1,
        .aniso_mag = mag > 1,
        .aniso_min = min > 1,
        .taps = (uint8_t)(1u << bits(t, 11, 9)),
        .z_filter = (uint8_t)z,
        .mip_filter = (uint8_t)mip,
        .border = (uint8_t)bits(t, 127, 126),
        .border_entry = (uint16_t)bits(t, 107, 96),
    };
    if (bits(t, 11, 9) > 4) return S_WRONG("[11:9]", bits(t, 11, 9), "at most 16 anisotropic taps");
    if (bits(t, 19, 19)) return S_WRONG("mc_coord_trunc", 1, "what it does is not described by the manual");
    if (s->mode == 3) return S_WRONG("filter_mode", 3, "reserved");
    if (bits(t, 43, 32) > bits(t, 55, 44)) return S_WRONG("min_lod", bits(t, 43, 32), "above max_lod");
    if (z == 3) return S_WRONG("z_filter", z, "reserved");
    if (mip == 3) return S_WRONG("mip_filter", mip, "reserved");
    for (unsigned i = 0; i < 3; i++) {
        s->clamp[i] = (enum gcn_clamp)bits(t, 3 * i + 2, 3 * i);
        if (s->unnormalized && s->clamp[i] <= GCN_MIRROR && i < 2 && i < dimensions)
            return S_WRONG(clamp[i], s->clamp[i], "unnormalised coordinates do not repeat");
    }
    return true;
}
