/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gcn_image.c: MIMG by integer coordinates: load, store, atomics, and queries of an image.
 *
 * The address VGPRs are x, y, z as the image has dimensions, then the slice (cubes: the face and six times the cube),
 * then the fragment of a multisampled image or the mip level.  Outside the image loads and atomics return 0, stores do
 * nothing.
 */
#include "image/gcn_image.h"

#include "gpudbg/lanes.h"

#include "code/gcn_decoder.h"

static bool has_components(struct gpudbg_wave *w, const struct gcn_op *op)
{
    if (op->mods & GCN_IMAGE_DMASK) return true;
    (void)GCN_FAULT(w, op, -1, "%s: dmask is 0: at least one component is needed", gcn_image_name(w, op));
    return false;
}

static unsigned bytes_type(unsigned bytes)
{
    static const uint8_t types[17] = {
        [1] = GCN_U8, [2] = GCN_U16, [4] = GCN_B32, [8] = GCN_B64, [12] = GCN_B96, [16] = GCN_B128};
    return types[bytes];
}

/* The texels of the lanes of mask: the lanes inside of the image, the address of the block, the place in it.  find adds
 * `later` to the number of the sample. */
struct found {
    uint64_t in;
    struct gcn_pieces p;
    uint8_t x[64], y[64];
};

static bool find(
    struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_image *im, unsigned later, struct found *f)
{
    unsigned dimensions = gcn_image_dimensions(im), n = dimensions;
    bool slices = gcn_image_takes_slice(im, op), mip = op->imm & GCN_IMAGE_MIP,
         fragment = im->samples > 1 || im->type >= GCN_IMAGE_2D_MSAA;
    struct gcn_image_address a = {.bias = -1};
    a.own = n + slices + fragment + mip;
    if (!gcn_image_address(w, op, &a)) return false;
    const uint32_t *x = a.row[0], *y = dimensions > 1 ? a.row[1] : NULL, *z = dimensions > 2 ? a.row[2] : NULL;
    const uint32_t *slice = slices ? a.row[n++] : NULL, *sample = fragment ? a.row[n++] : NULL;
    const uint32_t *level = mip ? a.row[n] : NULL;
    f->in = 0;
    f->p.n = 1;
    f->p.bytes = im->texel.bytes;
    for (uint64_t m = gcn_active(w); m; m &= m - 1) {
        unsigned l = gcn_first_lane(m);
        uint32_t v = level ? level[l] : 0, s = slice ? slice[l] : 0, k = sample ? sample[l] + later : 0,
                 dy = y ? y[l] : 0, dz = z ? z[l] : 0;
        if (v >= im->levels || s >= im->slices || k >= im->samples) continue;
        const struct gcn_level_place *p = &im->level[v];
        if (x[l] >= p->width || dy >= p->height || dz >= p->depth) continue;
        uint64_t addr = gcn_image_place(im, v, x[l], dy, im->base_slice + s + dz, k);
        f->in |= m & (0 - m);
        f->x[l] = (uint8_t)(x[l] % im->texel.width);
        f->y[l] = (uint8_t)(dy % im->texel.height);
        f->p.lo[0][l] = (uint32_t)addr;
        f->p.hi[0][l] = (uint32_t)(addr >> 32);
    }
    return true;
}

/* ---- Load and store ---- */

/* The texel's bits, one, two or four components of 8 or 16 bits apart if they are to be extended. */
static void unpacked(const struct gcn_image *im, bool sign, const uint32_t raw[4], uint32_t out[4])
{
    unsigned bytes = im->texel.bytes;
    for (unsigned i = 0; i < 4; i++) out[i] = 4 * i < bytes ? raw[i] : 0;
    if (sign && bytes < 4) out[0] = (uint32_t)((int32_t)(raw[0] << (32 - 8 * bytes)) >> (32 - 8 * bytes));
}

/* Reads what was found; the other lanes have 0. */
static bool load(struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_image *im, const struct found *f,
    uint32_t rows[4][64])
{
    const unsigned type = bytes_type(im->texel.bytes);
    _Alignas(64) uint32_t raw[4 * 64];
    memset(rows, 0, 4 * sizeof *rows);
    if (f->in && !gcn_pieces_read(w, op, &f->p, f->in, raw, type)) return false;
    for (uint64_t m = f->in; m; m &= m - 1) {
        unsigned l = gcn_first_lane(m);
        uint32_t in[4] = {0}, texel[4], out[4];
        uint8_t block[16];
        for (unsigned i = 0; i < gcn_data_rows(type); i++) in[i] = raw[64 * i + l];
        if (op->imm & GCN_IMAGE_PACKED) {
            unpacked(im, op->imm & GCN_IMAGE_SIGNED, in, out);
        } else {
            for (unsigned i = 0; i < im->texel.bytes; i++) block[i] = (uint8_t)(in[i / 4] >> 8 * (i % 4));
            gcn_texel_load(&im->texel, block, f->x[l], f->y[l], texel);
            gcn_image_select(im, texel, out);
        }
        for (unsigned i = 0; i < 4; i++) rows[i][l] = out[i];
    }
    return true;
}

static const struct gcn_op *image_load(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    struct gcn_image im;
    struct found f;
    uint32_t rows[4][64];
    if (!mask) return gcn_image_next(op);
    if (!has_components(w, op) || !gcn_image(w, op, &im) || !find(w, op, &im, 0, &f)) return NULL;
    if (!load(w, op, &im, &f, rows)) return NULL;
    gcn_image_result(w, op, mask, rows, op->imm & GCN_IMAGE_PACKED || gcn_texel_is_integer(&im.texel));
    return gcn_image_done(w, op);
}

/* LLVM names the form with all of DMASK after the component x.  What less of DMASK means differs: AMD's manual of
 * RDNA 3 has the component there.  So it stops, and so do samples that are not the first or second four. */
static const struct gcn_op *image_four(struct gpudbg_wave *w, const struct gcn_op *op)
{
    const uint64_t mask = gcn_active(w);
    struct gcn_image im;
    struct found f;
    uint32_t rows[4][64], first[4][64];
    if (!mask) return gcn_image_next(op);
    if (!gcn_image(w, op, &im)) return NULL;
    struct gcn_image_address a = {.own = 3u + gcn_image_takes_slice(&im, op), .bias = -1};
    if (!gcn_image_address(w, op, &a)) return NULL;
    if ((op->mods & GCN_IMAGE_DMASK) != GCN_IMAGE_DMASK)
        return GCN_FAULT(w, op, -1, "%s: dmask is 0x%x: sources differ about what it chooses (0xf is known)",
            gcn_image_name(w, op), op->mods & GCN_IMAGE_DMASK);
    if (im.samples < 4)
        return GCN_FAULT(w, op, -1, "%s: the image has %u samples: what becomes of the others is not known",
            gcn_image_name(w, op), im.samples);
    for (uint64_t m = mask; m; m &= m - 1) {
        const unsigned l = gcn_first_lane(m);
        if (a.row[a.own - 1][l] % 4)
            return GCN_FAULT(w, op, (int)l, "%s: from sample %u on: only whole fours are known", gcn_image_name(w, op),
                a.row[a.own - 1][l]);
    }
    for (unsigned i = 0; i < 4; i++) {
        if (!find(w, op, &im, i, &f) || !load(w, op, &im, &f, rows)) return NULL;
        memcpy(first[i], rows[0], sizeof first[i]);
    }
    gcn_image_result(w, op, mask, first, gcn_texel_is_integer(&im.texel));
    return gcn_image_done(w, op);
}

/* The component that is stored as component i of the texel: the first that DST_SEL would fill from it; 4: none. */
static unsigned source_of(const struct gcn_image *im, unsigned i)
{
    for (unsigned k = 0; k < 4; k++)
        if (im->sel[k] == 4 + i) return k;
    return 4;
}

/* The n-th component of the data; halves are widened as the format's numbers are. */
static uint32_t stored_word(
    const struct gpudbg_wave *w, const struct gcn_op *op, const struct gcn_image *im, unsigned n, unsigned lane)
{
    if (!(op->mods & GCN_IMAGE_D16)) return gcn_v(w, op->d + n)[lane];
    const uint32_t half = gcn_v(w, op->d + n / 2)[lane] >> 16 * (n % 2) & 0xffff;
    if (op->imm & GCN_IMAGE_PACKED || im->texel.nfmt == GCN_NUM_UINT) return half;
    return gcn_texel_is_integer(&im->texel) ? (uint32_t)(int16_t)half : lanes_f32_from_f16(half, true);
}

/* Components that DMASK leaves out are stored as 0. */
static const struct gcn_op *image_store(struct gpudbg_wave *w, const struct gcn_op *op)
{
    struct gcn_image im;
    struct found f;
    _Alignas(64) uint32_t raw[4 * 64];
    if (!gcn_active(w)) return gcn_image_next(op);
    if (!has_components(w, op) || !gcn_image(w, op, &im) || !find(w, op, &im, 0, &f)) return NULL;
    bool packed = op->imm & GCN_IMAGE_PACKED;
    if (im.texel.width * im.texel.height > 1)
        return GCN_FAULT(w, op, -1, "%s: T#.data_format is %u: a block of several texels cannot be stored",
            gcn_image_name(w, op), im.texel.dfmt);
    for (uint64_t m = f.in; m; m &= m - 1) {
        unsigned l = gcn_first_lane(m), n = 0;
        uint32_t given[5] = {0}, in[4], out[4] = {0};
        for (unsigned i = 0; i < 4; i++)
            if (op->mods >> i & 1) given[i] = stored_word(w, op, &im, n++, l);
        for (unsigned i = 0; i < 4; i++) in[i] = given[source_of(&im, i)];
        if (packed)
            memcpy(out, given, sizeof out);
        else
            gcn_texel_store(&im.texel, in, (uint8_t *)out);
        for (unsigned i = 0; i < 4; i++) raw[64 * i + l] = out[i];
    }
    if (f.in && !gcn_pieces_write(w, op, &f.p, f.in, raw, bytes_type(im.texel.bytes))) return NULL;
    return gcn_image_done(w, op);
}

/* ---- Atomics ---- */

/* DMASK counts the VGPRs: one or two for 32 or 64 bits, twice that for operations that compare.  Old values come back
 * with glc. */
enum { IMAGE_RMW = 8 }; /* where imm holds the operation of an atomic */

static const struct gcn_op *image_atomic(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    struct gcn_image im;
    struct found f;
    struct gcn_rmw_op r = {.rmw = (enum gcn_rmw)(op->imm >> IMAGE_RMW), .src = gcn_v(w, op->d)};
    bool compares = r.rmw == GCN_RMW_CMPSWAP || r.rmw == GCN_RMW_FCMPSWAP;
    unsigned given = (unsigned)__builtin_popcount(op->mods & GCN_IMAGE_DMASK), n = compares ? given / 2 : given;
    if (!mask) return gcn_image_next(op);
    if (!has_components(w, op) || !gcn_image(w, op, &im) || !find(w, op, &im, 0, &f)) return NULL;
    if (n == 0 || n > 2 || (compares && given % 2))
        return GCN_FAULT(w, op, -1, "%s: dmask 0x%x does not select 32 or 64 bits of data", gcn_image_name(w, op),
            op->mods & GCN_IMAGE_DMASK);
    if (im.texel.bytes != 4 * n || im.texel.width > 1)
        return GCN_FAULT(w, op, -1, "%s: T#.data_format is %u: its texels are not of %u bits", gcn_image_name(w, op),
            im.texel.dfmt, 32 * n);
    r.wide = n == 2;
    r.more = compares ? r.src + 64 * n : NULL;
    r.out = op->mods & GCN_IMAGE_GLC ? gcn_v(w, op->d) : NULL;
    if (f.in && !gcn_pieces_modify(w, op, &f.p, f.in, &r)) return NULL;
    for (unsigned i = 0; r.out && i < n; i++)
        for (uint64_t m = mask & ~f.in; m; m &= m - 1) r.out[64 * i + gcn_first_lane(m)] = 0;
    if (op->mods & GCN_IMAGE_TFE && r.out)
        for (uint64_t m = mask; m; m &= m - 1) gcn_v(w, op->d + given)[gcn_first_lane(m)] = 0;
    return gcn_image_done(w, op);
}

/* ---- Queries ---- */

/* Width, height, depth and levels at the level that VADDR names; the number of slices follows the last dimension.  If
 * there is no such level, only the number of levels is returned, as Direct3D's resinfo does. */
static const struct gcn_op *image_info(struct gpudbg_wave *w, const struct gcn_op *op)
{
    uint64_t mask = gcn_active(w);
    struct gcn_image im;
    uint32_t rows[4][64] = {{0}};
    if (!mask) return gcn_image_next(op);
    struct gcn_image_address a = {.own = 1, .bias = -1};
    if (!has_components(w, op) || !gcn_image(w, op, &im) || !gcn_image_address(w, op, &a)) return NULL;
    unsigned n = gcn_image_dimensions(&im);
    bool slices = im.type == GCN_IMAGE_CUBE || im.type == GCN_IMAGE_1D_ARRAY || im.type == GCN_IMAGE_2D_ARRAY ||
                  im.type == GCN_IMAGE_2D_MSAA_ARRAY;
    for (uint64_t m = mask; m; m &= m - 1) {
        unsigned l = gcn_first_lane(m);
        uint32_t level = a.row[0][l];
        rows[3][l] = im.levels;
        if (level >= im.levels) continue;
        const struct gcn_level_place *p = &im.level[level];
        rows[0][l] = p->width;
        rows[1][l] = n > 1 ? p->height : 0;
        rows[2][l] = n > 2 ? p->depth : 0;
        if (slices) rows[n][l] = im.slices;
    }
    gcn_image_result(w, op, mask, rows, true);
    return gcn_image_done(w, op);
}

/* ---- Ops ---- */

#define SAME(name) static_assert(MASK(MIMG, name) == MASK(MIMG_NEWER, name), #name)
SAME(vaddr);
SAME(vdata);
SAME(srsrc);
SAME(ssamp);
SAME(dmask);
SAME(unorm);
SAME(glc);
SAME(r128);
SAME(tfe);
SAME(lwe);

/* What newer chips have in the place of DA, and more. */
static uint32_t newer_mods(const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2])
{
    const uint32_t dim = GET(w, MIMG_NEWER, dim), type = GCN_IMAGE_1D + dim;
    const bool slices = type == GCN_IMAGE_1D_ARRAY || type == GCN_IMAGE_2D_ARRAY || type == GCN_IMAGE_2D_MSAA_ARRAY;
    return GCN_IMAGE_NEWER | (slices ? GCN_IMAGE_DA : 0) | dim << GCN_IMAGE_DIM |
           (GET(w, MIMG_NEWER, a16) ? GCN_IMAGE_A16 : 0) | (GET(w, MIMG_NEWER, d16) ? GCN_IMAGE_D16 : 0) |
           (row->action == GCN_IMAGE_SAMPLE && row->wide ? GCN_IMAGE_G16 : 0) |
           gcn_nsa((int)insn->variant, w[0]) << GCN_IMAGE_NSA;
}

bool gcn_image_op(
    const struct gpudbg_insn *insn, const struct gcn_memory_row *row, const uint32_t w[2], struct gcn_op *op)
{
    const bool newer = insn->variant != GCN_MIMG;
    op->a = (uint16_t)GET(w, MIMG, vaddr);
    op->d = (uint16_t)GET(w, MIMG, vdata);
    op->b = (uint16_t)(GET(w, MIMG, srsrc) * 4);
    op->c = (uint16_t)(GET(w, MIMG, ssamp) * 4);
    op->mods = GET(w, MIMG, dmask) | (GET(w, MIMG, unorm) ? GCN_IMAGE_UNORM : 0) |
               (GET(w, MIMG, glc) ? GCN_IMAGE_GLC : 0) | (!newer && GET(w, MIMG, da) ? GCN_IMAGE_DA : 0) |
               (GET(w, MIMG, r128) ? GCN_IMAGE_R128 : 0) | (GET(w, MIMG, tfe) ? GCN_IMAGE_TFE : 0) |
               (GET(w, MIMG, lwe) ? GCN_IMAGE_LWE : 0);
    if (newer) op->mods |= newer_mods(insn, row, w);
    op->imm = row->what;
    switch (row->action) {
    case GCN_IMAGE_LOAD: op->fn = image_load; break;
    case GCN_IMAGE_FOUR: op->fn = image_four; break;
    case GCN_IMAGE_STORE: op->fn = image_store; break;
    case GCN_IMAGE_ATOMIC:
        op->fn = image_atomic;
        op->imm = (uint32_t)row->what << IMAGE_RMW; /* none of the forms */
        break;
    case GCN_IMAGE_INFO: op->fn = image_info; break;
    case GCN_IMAGE_RAY:
        op->fn = gcn_image_ray;
        op->imm = 1u + row->wide;
        break;
    case GCN_IMAGE_SAMPLE: op->fn = gcn_image_sample; break;
    case GCN_IMAGE_GATHER: op->fn = gcn_image_gather; break;
    default: op->fn = gcn_image_get_lod; break;
    }
    return true;
}
