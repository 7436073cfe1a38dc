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
 *
 * Newer chips have the same fields of S#, named, and more; their T# has other fields.  Source: Mesa, GFX10.
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

static bool check_shape(
    const struct gcn_image *im, unsigned mods, const struct gcn_image_words *t, struct gcn_image_problem *p)
{
    const uint32_t most_levels = t->newer ? t->levels - 1 : t->last_level;
    uint32_t most = t->width > t->height ? t->width : t->height;
    bool r128 = mods & GCN_IMAGE_R128;
    if (r128 && (is_array(im->type) || im->type == GCN_IMAGE_3D))
        return T_WRONG("type", im->type, "arrays and volumes need the 256 bits that r128 leaves out");
    if (im->type == GCN_IMAGE_3D && t->depth > most) most = t->depth;
    if (gcn_image_dimensions(im) == 1 && t->height != 1)
        return T_WRONG("height", t->height - 1, "the image has one dimension");
    if (is_multisampled(im->type) ? t->last_level > 4 : most_levels > 31 - (uint32_t)__builtin_clz(most))
        return T_WRONG(t->newer && !is_multisampled(im->type) ? "max_mip" : "last_level",
            t->newer && !is_multisampled(im->type) ? most_levels : t->last_level,
            is_multisampled(im->type) ? "at most 16 samples" : "the image is too small for so many levels");
    if (t->newer && t->last_level > most_levels) return T_WRONG("last_level", t->last_level, "above max_mip");
    if (t->base_level > t->last_level) return T_WRONG("base_level", t->base_level, "above last_level");
    if (is_multisampled(im->type) && t->base_level)
        return T_WRONG("base_level", t->base_level, "multisampled images have one level");
    const char *last = t->newer ? "depth" : "last_array";
    if (!r128 && t->base_array > t->last_array)
        return T_WRONG("base_array", t->base_array, t->newer ? "above depth" : "above last_array");
    if (im->type == GCN_IMAGE_CUBE && (t->last_array - t->base_array + 1) % 6)
        return T_WRONG(last, t->last_array, "a cube has six slices from base_array on");
    if (im->type == GCN_IMAGE_CUBE && t->width != t->height)
        return T_WRONG("height", t->height - 1, "the faces of a cube are square");
    if (!is_array(im->type) && im->type != GCN_IMAGE_3D && t->base_array != t->last_array)
        return T_WRONG(last, t->last_array, "the image is not an array");
    return true;
}

static bool check_words(const uint32_t t[8], bool newer, const uint8_t sel[4], struct gcn_image_problem *p)
{
    static const char *const names[4] = {"dst_sel_x", "dst_sel_y", "dst_sel_z", "dst_sel_w"};
    for (unsigned i = 0; i < 4; i++)
        if (sel[i] == 2 || sel[i] == 3) return T_WRONG(names[i], sel[i], "reserved");
    if (newer) {
        if (GET(t, T_SHARP_NEWER, array_pitch))
            return T_WRONG("array_pitch", GET(t, T_SHARP_NEWER, array_pitch), "slices of a volume: not implemented");
        if (GET(t, T_SHARP_NEWER, corner_samples)) return T_WRONG("corner_samples", 1, "not implemented");
        if (GET(t, T_SHARP_NEWER, compression_en))
            return T_WRONG("compression_en", 1, "how colours are compressed is not known");
        if (GET(t, T_SHARP_NEWER, bc_swizzle) > 5)
            return T_WRONG("bc_swizzle", GET(t, T_SHARP_NEWER, bc_swizzle), "reserved");
        return true;
    }
    if (GET(t, T_SHARP, interlaced)) return T_WRONG("interlaced", 1, "what it does is not described by the manual");
    if (GET(t, T_SHARP, rest_155)) return T_WRONG("[159:155]", GET(t, T_SHARP, rest_155), "reserved bits");
    if (GET(t, T_SHARP, rest_186)) return T_WRONG("[191:186]", GET(t, T_SHARP, rest_186), "reserved bits");
    return true;
}

/* DST_SEL, LEVEL, TYPE and MIN_LOD are in the same bits of both layouts. */
#define SAME(name)                                                                                \
    static_assert(LO_OF(T_SHARP, name) == LO_OF(T_SHARP_NEWER, name), #name " begins elsewhere"); \
    static_assert(LEN_OF(T_SHARP, name) == LEN_OF(T_SHARP_NEWER, name), #name " is longer or shorter")
SAME(base_address);
SAME(min_lod);
SAME(height);
SAME(dst_sel_x);
SAME(dst_sel_w);
SAME(base_level);
SAME(last_level);
SAME(type);

static struct gcn_image_words words_of(const uint32_t t[8], bool newer)
{
    struct gcn_image_words w = {.base = GET_LONG(t, T_SHARP, base_address) << 8,
        .type = GET(t, T_SHARP, type),
        .height = GET(t, T_SHARP, height) + 1,
        .base_level = GET(t, T_SHARP, base_level),
        .last_level = GET(t, T_SHARP, last_level),
        .min_lod = GET(t, T_SHARP, min_lod),
        .sel = {(uint8_t)GET(t, T_SHARP, dst_sel_x), (uint8_t)GET(t, T_SHARP, dst_sel_y),
            (uint8_t)GET(t, T_SHARP, dst_sel_z), (uint8_t)GET(t, T_SHARP, dst_sel_w)},
        .newer = newer};
    if (newer) {
        w.width = GET(t, T_SHARP_NEWER, width) + 1;
        w.depth = GET(t, T_SHARP_NEWER, depth) + 1;
        w.base_array = w.type == GCN_IMAGE_3D ? 0 : GET(t, T_SHARP_NEWER, base_array);
        w.last_array = w.type == GCN_IMAGE_3D ? 0 : w.depth - 1;
        w.min_lod_warn = GET(t, T_SHARP_NEWER, min_lod_warn);
        w.tiling = GET(t, T_SHARP_NEWER, sw_mode);
        w.levels = GET(t, T_SHARP_NEWER, max_mip) + 1;
        return w;
    }
    w.width = GET(t, T_SHARP, width) + 1;
    w.depth = GET(t, T_SHARP, depth) + 1;
    w.dfmt = GET(t, T_SHARP, data_format);
    w.nfmt = GET(t, T_SHARP, num_format);
    w.base_array = GET(t, T_SHARP, base_array);
    w.last_array = GET(t, T_SHARP, last_array);
    w.min_lod_warn = GET(t, T_SHARP, min_lod_warn);
    w.tiling = GET(t, T_SHARP, tiling_index);
    w.pow2_pad = GET(t, T_SHARP, pow2_pad);
    w.pitch = GET(t, T_SHARP, pitch) + 1;
    return w;
}

static bool read_format(
    const uint32_t t[8], struct gcn_image_words *words, struct gcn_image *im, struct gcn_image_problem *p)
{
    unsigned dfmt = words->dfmt, nfmt = words->nfmt;
    if (words->newer) {
        const uint32_t format = GET(t, T_SHARP_NEWER, format);
        if (!gcn_texel_format_newer(format, &dfmt, &nfmt))
            return T_WRONG("format", format, "no format, or its texels are not known");
        words->dfmt = dfmt;
        words->nfmt = nfmt;
    }
    const char *field = gcn_texel_format(dfmt, nfmt, &im->texel);
    if (!field) return true;
    if (words->newer) return T_WRONG("format", GET(t, T_SHARP_NEWER, format), "how its texels lie is not known");
    if (field[0] == 'd')
        return T_WRONG(field, im->texel.dfmt,
            im->texel.dfmt > 60 ? "how its texels lie is not described by the manual" : "no format");
    return T_WRONG(field, im->texel.nfmt, "does not fit the data format");
}

/* The letters of BC_SWIZZLE, in the order of its numbers. */
static void border_order(unsigned number, uint8_t order[4])
{
    static const char letters[6][5] = {"xyzw", "xwyz", "wzyx", "wxyz", "zyxw", "yxwz"};
    for (unsigned i = 0; i < 4; i++) {
        const char c = letters[number % 6][i];
        order[i] = (uint8_t)(c == 'w' ? 3 : c - 'x');
    }
}

/* On some chips the field that is the depth of volumes holds the pitch of a plain image, less 1; 0: the layout's. */
static void take_pitch(struct gcn_image_words *t, const struct gcn_chip *chip)
{
    const bool plain = t->type == GCN_IMAGE_1D || t->type == GCN_IMAGE_2D;
    if (!t->newer || !chip->pitch_in_depth || !plain || t->tiling) return;
    if (t->depth > 1) t->pitch = t->depth;
    t->depth = 1;
    t->last_array = t->base_array;
}

bool gcn_image_read(const uint32_t words[8], unsigned mods, const struct gcn_chip *chip,
    const struct gcn_tiling *tiling, struct gcn_image *im, struct gcn_image_problem *p)
{
    const bool newer = mods & GCN_IMAGE_NEWER;
    uint32_t given[8] = {0};
    memcpy(given, words, mods & GCN_IMAGE_R128 ? 16 : 32);
    struct gcn_image_words t = words_of(given, newer);
    *im = (struct gcn_image){.base = t.base, .type = (enum gcn_image_type)t.type};
    if (im->type < GCN_IMAGE_1D) return T_WRONG("type", im->type, "no image");
    take_pitch(&t, chip);
    if (newer && mods & GCN_IMAGE_R128) t.levels = t.last_level + 1;
    if (!read_format(given, &t, im, p) || !check_words(given, newer, t.sel, p) || !check_shape(im, mods, &t, p))
        return false;
    if (is_multisampled(im->type)) t.levels = 1; /* max_mip is the logarithm of the samples */
    memcpy(im->sel, t.sel, sizeof im->sel);
    border_order(newer ? GET(given, T_SHARP_NEWER, bc_swizzle) : 0, im->border_order);
    im->samples = is_multisampled(im->type) ? 1u << t.last_level : 1;
    im->base_level = t.base_level;
    im->levels = is_multisampled(im->type) ? 1 : t.last_level - im->base_level + 1;
    im->base_slice = t.base_array;
    im->slices = im->type == GCN_IMAGE_3D ? 1 : t.last_array - im->base_slice + 1;
    im->min_lod = (float)t.min_lod / 256;
    im->min_lod_warn = t.min_lod_warn;
    if (mods & GCN_IMAGE_LWE && im->min_lod_warn)
        return T_WRONG("min_lod_warn", im->min_lod_warn, "the manual does not describe what lwe reports of it");
    if (!newer && mods & GCN_IMAGE_R128) { /* the pitch is left out: the smallest that the linear layout allows */
        uint32_t step = im->texel.bytes < 8 ? 64u / im->texel.bytes : 8;
        step *= im->texel.width;
        t.pitch = (t.width + step - 1) / step * step;
    }
    const char *layout = newer ? gcn_blocks_layout(im, &t, chip, tiling) : gcn_image_layout(im, &t, tiling);
    if (!layout) return true;
    if (strcmp(layout, "pitch") == 0)
        return T_WRONG(newer ? "depth" : layout, t.pitch - 1,
            newer ? "the pitch of the image: less than the width, or no multiple of 256 bytes" : "less than the width");
    return T_WRONG(newer ? "sw_mode" : "tiling_index", t.tiling, layout);
}

/* Whether the dimensions that the instruction names are those of the image; its slices may be left out. */
static bool fits(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_image *im)
{
    static const uint8_t plain[8] = {GCN_IMAGE_1D, GCN_IMAGE_2D, GCN_IMAGE_3D, GCN_IMAGE_CUBE, GCN_IMAGE_1D,
        GCN_IMAGE_2D, GCN_IMAGE_2D_MSAA, GCN_IMAGE_2D_MSAA};
    const unsigned dim = op->mods >> GCN_IMAGE_DIM & 7;
    if (!(op->mods & GCN_IMAGE_NEWER) || plain[dim] == plain[im->type - GCN_IMAGE_1D]) return true;
    (void)GCN_FAULT(w, op, -1, "%s: T#.type is %u: the instruction is for images of type %u", gcn_image_name(w, op),
        im->type, GCN_IMAGE_1D + dim);
    return false;
}

bool gcn_image(struct gpudbg_wave *w, const struct gcn_op *op, struct gcn_image *im)
{
    struct gcn_image_problem p;
    uint32_t t[8] = {0};
    memcpy(t, gcn_s(w) + op->b, op->mods & GCN_IMAGE_R128 ? 16 : 32);
    if (gcn_image_read(t, op->mods, gcn_chip_of(w->machine->isa), &gcn_of(w)->setup->tiling, im, &p))
        return fits(w, op, im);
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
    if (op->mods & GCN_IMAGE_NEWER) {
        s->no_degamma = GET(t, S_SHARP_NEWER, skip_degamma);
        s->aniso_of_levels = GET(t, S_SHARP_NEWER, aniso_override);
        if (GET(t, S_SHARP_NEWER, deriv_adjust_en)) return S_WRONG("deriv_adjust_en", 1, "what it does is not known");
    }
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
