/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_descriptor.c: T# and S#, field by field.  A field that contradicts another, or that asks for something that the
 * manual does not describe, stops the wave with its name.  Ignored, because they only trade quality or report:
 * PERF_MOD, PERF_MIP, PERF_Z, LOD_BIAS_SEC, MIP_POINT_PRECLAMP, DISABLE_LSB_CEIL, FILTER_PREC_FIX, MTYPE, ATC, the
 * counters.
 *
 * The manual reserves the fields of anisotropic filters; drivers set them, and their headers name them: filters 2 and 3
 * are point and bilinear taps, bits 11:9 the logarithm of their greatest number (bits 18:16 and 26:21, which trade
 * quality, are ignored).
 */
#include "code/bits.h"
#include "image/gcn_image.h"

#include "engine/setup.h"
#include "engine/gcn_predecode.h"

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
    uint32_t width = GET(t, T_SHARP, width) + 1, height = GET(t, T_SHARP, height) + 1,
             depth = GET(t, T_SHARP, depth) + 1;
    uint32_t base_level = GET(t, T_SHARP, base_level), last_level = GET(t, T_SHARP, last_level),
             base_array = GET(t, T_SHARP, base_array), last_array = GET(t, T_SHARP, last_array);
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

/* The source of each component of a texel. */
static void selections(const uint32_t t[8], uint8_t sel[4])
{
    sel[0] = (uint8_t)GET(t, T_SHARP, dst_sel_x);
    sel[1] = (uint8_t)GET(t, T_SHARP, dst_sel_y);
    sel[2] = (uint8_t)GET(t, T_SHARP, dst_sel_z);
    sel[3] = (uint8_t)GET(t, T_SHARP, dst_sel_w);
}

static bool check_words(const uint32_t t[8], struct gcn_image_problem *p)
{
    static const char *const names[4] = {"dst_sel_x", "dst_sel_y", "dst_sel_z", "dst_sel_w"};
    uint8_t sel[4];
    selections(t, sel);
    for (unsigned i = 0; i < 4; i++)
        if (sel[i] == 2 || sel[i] == 3) return T_WRONG(names[i], sel[i], "reserved");
    if (GET(t, T_SHARP, interlaced)) return T_WRONG("interlaced", 1, "what it does is not described by the manual");
    if (GET(t, T_SHARP, rest_155)) return T_WRONG("[159:155]", GET(t, T_SHARP, rest_155), "reserved bits");
    if (GET(t, T_SHARP, rest_186)) return T_WRONG("[191:186]", GET(t, T_SHARP, rest_186), "reserved bits");
    return true;
}

bool gcn_image_read(const uint32_t words[8], unsigned mods, const struct gcn_tiling *tiling, struct gcn_image *im,
    struct gcn_image_problem *p)
{
    uint32_t t[8] = {0};
    memcpy(t, words, mods & GCN_IMAGE_R128 ? 16 : 32);
    *im = (struct gcn_image){
        .base = GET_LONG(t, T_SHARP, base_address) << 8, .type = (enum gcn_image_type)GET(t, T_SHARP, type)};
    if (im->type < GCN_IMAGE_1D) return T_WRONG("type", im->type, "no image");
    const char *field = gcn_texel_format(GET(t, T_SHARP, data_format), GET(t, T_SHARP, num_format), &im->texel);
    if (field && field[0] == 'd')
        return T_WRONG(field, im->texel.dfmt,
            im->texel.dfmt > 60 ? "how its texels lie is not described by the manual" : "no format");
    if (field) return T_WRONG(field, im->texel.nfmt, "does not fit the data format");
    if (!check_words(t, p) || !check_shape(im, mods, t, p)) return false;
    selections(t, im->sel);
    uint32_t last_level = GET(t, T_SHARP, last_level);
    im->samples = is_multisampled(im->type) ? 1u << last_level : 1;
    im->base_level = GET(t, T_SHARP, base_level);
    im->levels = is_multisampled(im->type) ? 1 : last_level - im->base_level + 1;
    im->base_slice = GET(t, T_SHARP, base_array);
    im->slices = im->type == GCN_IMAGE_3D ? 1 : GET(t, T_SHARP, last_array) - im->base_slice + 1;
    im->min_lod = (float)GET(t, T_SHARP, min_lod) / 256;
    im->min_lod_warn = GET(t, T_SHARP, min_lod_warn);
    if (mods & GCN_IMAGE_LWE && im->min_lod_warn)
        return T_WRONG("min_lod_warn", im->min_lod_warn, "what lwe tells of it is not described by the manual");
    if (mods & GCN_IMAGE_R128) { /* the pitch is left out: the smallest that the linear layout allows */
        uint32_t width = GET(t, T_SHARP, width) + 1, step = im->texel.bytes < 8 ? 64u / im->texel.bytes : 8;
        step *= im->texel.width;
        t[4] = ((width + step - 1) / step * step - 1) << 13;
    }
    const char *layout = gcn_image_layout(im, t, tiling);
    if (!layout) return true;
    if (strcmp(layout, "pitch") == 0) return T_WRONG(layout, GET(t, T_SHARP, pitch), "less than the width");
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
    uint32_t mag = GET(t, S_SHARP, xy_mag_filter), min = GET(t, S_SHARP, xy_min_filter), z = GET(t, S_SHARP, z_filter),
             mip = GET(t, S_SHARP, mip_filter), bias = GET(t, S_SHARP, lod_bias);
    *s = (struct gcn_sampler){
        .compare = (uint8_t)GET(t, S_SHARP, depth_compare_func),
        .unnormalized = GET(t, S_SHARP, force_unnormalized) || op->mods & GCN_IMAGE_UNORM,
        .degamma = GET(t, S_SHARP, force_degamma),
        .cube_wrap = !GET(t, S_SHARP, disable_cube_wrap),
        .truncates = GET(t, S_SHARP, trunc_coord),
        .mode = (uint8_t)GET(t, S_SHARP, filter_mode),
        .min_lod = (float)GET(t, S_SHARP, min_lod) / 256,
        .max_lod = (float)GET(t, S_SHARP, max_lod) / 256,
        .bias = (float)((int32_t)(bias << 18) >> 18) / 256,
        .linear_mag = mag & 1,
        .linear_min = min & 1,
        .aniso_mag = mag > 1,
        .aniso_min = min > 1,
        .taps = (uint8_t)(1u << GET(t, S_SHARP, anisotropic)),
        .z_filter = (uint8_t)z,
        .mip_filter = (uint8_t)mip,
        .border = (uint8_t)GET(t, S_SHARP, border_color_type),
        .border_entry = (uint16_t)GET(t, S_SHARP, border_color_ptr),
    };
    if (GET(t, S_SHARP, anisotropic) > 4)
        return S_WRONG("[11:9]", GET(t, S_SHARP, anisotropic), "at most 16 anisotropic taps");
    if (GET(t, S_SHARP, mc_coord_trunc))
        return S_WRONG("mc_coord_trunc", 1, "what it does is not described by the manual");
    if (s->mode == 3) return S_WRONG("filter_mode", 3, "reserved");
    if (GET(t, S_SHARP, min_lod) > GET(t, S_SHARP, max_lod))
        return S_WRONG("min_lod", GET(t, S_SHARP, min_lod), "above max_lod");
    if (z == 3) return S_WRONG("z_filter", z, "reserved");
    if (mip == 3) return S_WRONG("mip_filter", mip, "reserved");
    const uint32_t clamps[3] = {GET(t, S_SHARP, clamp_x), GET(t, S_SHARP, clamp_y), GET(t, S_SHARP, clamp_z)};
    for (unsigned i = 0; i < 3; i++) {
        s->clamp[i] = (enum gcn_clamp)clamps[i];
        if (s->unnormalized && s->clamp[i] <= GCN_MIRROR && i < 2 && i < dimensions)
            return S_WRONG(clamp[i], s->clamp[i], "unnormalised coordinates do not repeat");
    }
    return true;
}
