/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_layout.c: the places of an image's texels.  Positions in tiles and sizes of mip levels are those of AMD's
 * address library, which Mesa publishes; the registers that set them are in tiling.h.
 *
 *     linear     line after line
 *     1D thin    tiles of 8x8 elements, tile after tile; inside a tile by the micro tile mode
 *     2D thin    the same tiles, spread over pipes and banks in macro tiles
 *     PRT        the same as 2D, but every macro tile alike, or banks do not turn from slice to slice
 *
 * The bits of the base address between an interleave and a turn through all pipes and banks turn the pipe (the lowest
 * bits) and the bank of all tiles, so that images that are used together lie in different banks.  Later 1D levels are
 * not affected.
 *
 * Elements are blocks of compressed formats.  Level 0 has the pitch that the T# gives; a later level has the sizes
 * shifted down, rounded up to powers of two, and padded as its layout wants; all slices of a level, then the next
 * level.  A level that fills no macro tile is 1D.
 */
#include "image/gcn_image.h"

#define BLOCK 256u /* bytes: levels begin at a multiple of them */

/* ---- Tiles ---- */

/* The element's place in its tile, 0 to 63: six of the bits x0 x1 x2 y0 y1 y2 (0 to 5), lowest first. */
static uint32_t in_tile(unsigned micro, unsigned bytes, uint32_t x, uint32_t y)
{
    enum { X0, X1, X2, Y0, Y1, Y2 };
    static const uint8_t thin[6] = {X0, Y0, X1, Y1, X2, Y2};
    static const uint8_t display[5][6] = {{X0, X1, X2, Y1, Y0, Y2}, {X0, X1, X2, Y0, Y1, Y2}, {X0, X1, Y0, X2, Y1, Y2},
        {X0, Y0, X1, X2, Y1, Y2}, {Y0, X0, X1, X2, Y1, Y2}};
    static const uint8_t rotated[5][6] = {{Y0, Y1, Y2, X1, X0, X2}, {Y0, Y1, Y2, X0, X1, X2}, {Y0, Y1, X0, Y2, X1, X2},
        {Y0, X0, Y1, X1, X2, Y2}, {X0, Y0, X1, Y1, X2, Y2}};
    unsigned size = (unsigned)__builtin_ctz(bytes);
    const uint8_t *order = micro == GCN_DISPLAY ? display[size] : micro == GCN_ROTATED ? rotated[size] : thin;
    uint32_t bits = (x & 7) | (y & 7) << 3, place = 0;
    for (unsigned i = 0; i < 6; i++) place |= (bits >> order[i] & 1) << i;
    return place;
}

/* Two pipe configurations take so many bits of x that the lowest bank bit takes two as well, so that tiles do not
 * overlap. */
static bool is_wide(unsigned pipe_config) { return pipe_config == 7 || pipe_config == 14; }

/* Works out the macro tiles of an image.  NULL, or what is wrong. */
static const char *macro_of(struct gcn_image *im, const struct gcn_tiling *tiling, const struct gcn_tile_mode *t)
{
    uint32_t one = 64u * im->texel.bytes, all = one * im->samples, row = gcn_dram_row(tiling);
    uint32_t split = t->micro == GCN_DEPTH ? t->split : t->sample_split * one > 256 ? t->sample_split * one : 256;
    split = split < row ? split : row;
    uint32_t size = all < split ? all : split;
    unsigned index = (unsigned)__builtin_ctz(size / 64) + (t->array == GCN_2D_THIN ? 0 : 8);
    struct gcn_macro *m = &im->macro;
    *m = (struct gcn_macro){.mode = gcn_macro_mode(tiling, index),
        .pipe_config = t->pipes,
        .pipes = (uint8_t)gcn_pipes(t->pipes),
        .tile_bytes = size,
        .parts = all / size};
    if (!m->pipes) return "reserved pipe_config";
    m->width = 8u * m->mode.bank_width * m->pipes * m->mode.aspect;
    m->height = 8u * m->mode.bank_height * m->mode.banks / m->mode.aspect;
    m->interleave = gcn_interleave(tiling);
    if (m->mode.aspect > m->mode.banks) return "macro_tile_aspect above num_banks";
    if (is_wide(m->pipe_config) && (m->mode.bank_width != 1 || m->mode.aspect == 1))
        return "this pipe_config needs bank_width 1 and a macro_tile_aspect above 1";
    return NULL;
}

static uint32_t bit(uint32_t v, unsigned n) { return v >> n & 1; }

static uint32_t bank_of(const struct gcn_image *im, uint32_t x, uint32_t y, uint32_t slice, uint32_t part)
{
    const struct gcn_macro *m = &im->macro;
    uint32_t banks = m->mode.banks, n = (uint32_t)__builtin_ctz(banks), bank = 0;
    uint32_t tx = x / 8 / (m->mode.bank_width * m->pipes), ty = y / 8 / m->mode.bank_height;
    for (unsigned i = 0; i < n;
         i++) /* x upwards, y downwards; the second bit of three or four has y's highest as well */
        bank |= (bit(tx, i) ^ bit(ty, n - 1 - i) ^ (i == 1 && n > 2 ? bit(ty, n - 1) : 0)) << i;
    if (is_wide(m->pipe_config)) bank ^= bit(x, 4) ^ bit(x, 5);
    uint32_t turn = im->array_mode == GCN_2D_THIN ? slice * (banks / 2 - 1) : 0;
    uint32_t split = im->array_mode == GCN_PRT_THIN ? 0 : part * (banks / 2 + 1);
    return (bank ^ (im->swizzle / m->pipes + turn) ^ split) & (banks - 1);
}

static uint64_t macro_place(const struct gcn_image *im, const struct gcn_level_place *p, uint32_t x, uint32_t y,
    uint32_t slice, uint32_t sample)
{
    const struct gcn_macro *m = &im->macro;
    uint32_t bytes = im->texel.bytes, place = in_tile(im->micro_mode, bytes, x, y);
    uint32_t element = im->micro_mode == GCN_DEPTH ? (place * im->samples + sample) * bytes
                                                   : sample * 64 * bytes + place * bytes;
    uint32_t part = element / m->tile_bytes;
    uint64_t group = (uint64_t)m->tile_bytes * m->mode.bank_width *
                     m->mode.bank_height; /* of a macro tile, in one bank of one pipe */
    uint64_t across = p->pitch / m->width, slices = across * (p->rows / m->height) * group;
    uint64_t tile = y / 8 % m->mode.bank_height * m->mode.bank_width + x / 8 / m->pipes % m->mode.bank_width;
    uint64_t at = slices * (part + m->parts * (uint64_t)slice) + (y / m->height * across + x / m->width) * group +
                  element % m->tile_bytes + tile * m->tile_bytes;
    if (im->array_mode == GCN_PRT_THIN) { /* all macro tiles are alike */
        x %= m->width;
        y %= m->height;
    }
    uint64_t pipe = gcn_pipe(m->pipe_config, x, y) ^ im->swizzle % m->pipes;
    return at % m->interleave + (pipe + (uint64_t)bank_of(im, x, y, slice, part) * m->pipes) * m->interleave +
           at / m->interleave * m->interleave * m->pipes * m->mode.banks;
}

/* ---- Places ---- */

uint64_t gcn_image_place(
    const struct gcn_image *im, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
    const struct gcn_level_place *p = &im->level[level];
    uint64_t at = im->base + p->offset, bytes = im->texel.bytes;
    x /= im->texel.width;
    y /= im->texel.height;
    if (im->blocks.mode) return gcn_blocks_place(im, level, x, y, slice, sample);
    if (p->macro) return at + macro_place(im, p, x, y, slice, sample);
    at += slice * p->slice;
    if (im->array_mode <= GCN_LINEAR_ALIGNED) return at + ((uint64_t)y * p->pitch + x) * bytes;
    return at +
           (((uint64_t)y / 8 * (p->pitch / 8) + x / 8) * 64 + in_tile(im->micro_mode, (unsigned)bytes, x, y)) * bytes;
}

/* ---- Levels ---- */

static uint32_t power(uint32_t v) { return v < 2 ? 1 : 1u << (32 - __builtin_clz(v - 1)); }

static uint32_t align(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

static uint32_t shifted(uint32_t v, unsigned level) { return v >> level ? v >> level : 1; }

/* Pads a level's pitch and lines. */
static void pad(const struct gcn_image *im, struct gcn_level_place *p, bool first)
{
    uint32_t bytes = im->texel.bytes, step = 8, unit = BLOCK / bytes ? BLOCK / bytes : 1;
    if (p->macro) {
        p->pitch = align(p->pitch, im->macro.width);
        p->rows = align(p->rows, im->macro.height);
    } else if (im->array_mode == GCN_LINEAR_GENERAL) {
        unit = 1;
    } else if (im->array_mode == GCN_LINEAR_ALIGNED) {
        step = 64 / bytes > 8 ? 64 / bytes : 8;
        unit = unit < 64 ? 64 : unit;
        if (!first) p->pitch = align(p->pitch, step);
    } else {
        p->pitch = align(p->pitch, 8);
        p->rows = align(p->rows, 8);
    }
    while (!first && !p->macro && (uint64_t)p->pitch * p->rows % unit) p->pitch += step;
    p->slice = (uint64_t)p->pitch * p->rows * bytes * im->samples;
}

/* Slices of a level in memory. */
static uint32_t slices_of(const struct gcn_image *im, const struct gcn_image_words *t, unsigned level, bool powers)
{
    uint32_t depth = t->depth, last = t->last_array + 1;
    if (im->type == GCN_IMAGE_3D) return level || powers ? power(shifted(depth, level)) : depth;
    depth = im->type == GCN_IMAGE_CUBE ? 6 * depth : depth;
    depth = depth > last ? depth : last; /* not every driver fills DEPTH for arrays */
    return level || powers ? power(depth) : depth;
}

/* Checks the image's tile mode.  NULL, or the reason why it is not supported. */
static const char *check(struct gcn_image *im, const struct gcn_tiling *tiling)
{
    const struct gcn_tile_mode t = gcn_tile_mode(tiling, im->tiling);
    im->array_mode = t.array;
    im->micro_mode = t.micro;
    if (t.array == 3 || t.array > GCN_PRT_2D_THIN) return "thick or 3D array mode, not described by the manual";
    if (t.array > GCN_LINEAR_ALIGNED && t.micro > GCN_ROTATED) return "micro tile mode not described by the manual";
    if (t.array > GCN_LINEAR_ALIGNED && im->texel.bytes == 12) return "tiles of 96 bits, not described by the manual";
    if (t.array > GCN_LINEAR_ALIGNED && t.micro == GCN_ROTATED && im->texel.bytes == 16)
        return "rotated tiles have at most 64 bits";
    if (t.array < GCN_2D_THIN && im->samples > 1) return "several samples need macro tiles";
    if (t.array < GCN_2D_THIN) return NULL;
    const char *problem = macro_of(im, tiling, &t);
    if (problem) return problem;
    uint32_t turn = im->macro.interleave * im->macro.pipes * im->macro.mode.banks;
    im->swizzle = (uint32_t)(im->base % turn / im->macro.interleave);
    im->base -= im->base % turn;
    return NULL;
}

/* Too small for macro tiles, or banks that do not fill an interleave. */
static bool is_flat(const struct gcn_image *im, const struct gcn_level_place *p)
{
    const struct gcn_macro *m = &im->macro;
    uint32_t bank = m->tile_bytes * m->mode.bank_width * m->mode.bank_height;
    return p->pitch < m->width || p->rows < m->height || m->interleave > bank ||
           m->interleave > m->tile_bytes * m->pipes * m->mode.bank_width * m->mode.aspect;
}

const char *gcn_image_layout(struct gcn_image *im, const struct gcn_image_words *t, const struct gcn_tiling *tiling)
{
    uint32_t width = t->width, height = t->height, depth = t->depth, pitch = t->pitch;
    uint32_t bw = im->texel.width, bh = im->texel.height, last = im->base_level + im->levels - 1;
    bool powers = t->pow2_pad, volume = im->type == GCN_IMAGE_3D;
    uint64_t at = 0;
    im->tiling = (uint8_t)t->tiling;
    const char *problem = check(im, tiling);
    if (problem) return problem;
    if (im->texel.bytes == 12 && last) return "mip levels of 96 bits, not described by the manual";
    if (pitch < width) return "pitch";
    for (unsigned l = 0; l <= last; l++) {
        struct gcn_level_place p = {.width = shifted(width, l),
            .height = shifted(height, l),
            .depth = volume ? shifted(depth, l) : 1,
            .offset = at};
        uint32_t wide = l ? power(shifted(pitch, l)) : pitch, high = l || powers ? power(p.height) : p.height;
        p.pitch = (wide + bw - 1) / bw;
        p.rows = (high + bh - 1) / bh;
        p.macro = im->array_mode >= GCN_2D_THIN && !(l && is_flat(im, &p));
        pad(im, &p, l == 0);
        at += (p.slice * slices_of(im, t, l, powers) + BLOCK - 1) / BLOCK * BLOCK;
        if (l >= im->base_level) im->level[l - im->base_level] = p;
    }
    return NULL;
}
