/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_layout.c: where texels of an image lie.
 *
 * The tiling table (GB_TILE_MODE0 to 31) and the macro tile table (GB_MACROTILE_MODE0 to 15) are registers; these are the rows
 * that the Linux driver writes for Bonaire with its four pipes and four render backends, rows of DRAM of 2 KB, pipes interleaved
 * by 256 bytes.  Positions in tiles and sizes of mip levels are those of AMD's address library, which Mesa publishes.
 *
 *     linear     line after line
 *     1D thin    tiles of 8x8 elements, tile after tile; inside a tile by the micro tile mode
 *     2D thin    the same tiles, spread over pipes and banks in macro tiles
 *
 * A macro tile starts at a multiple of its size; what the base address has beyond that turns the pipe (the lowest bits, in units of
 * an interleave) and the bank of all tiles, so that images that are used together lie in different banks.  1D levels behind it
 * do not see it.
 *
 * Elements are blocks of compressed formats.  Level 0 has the pitch that the T# gives; a later level has the sizes shifted down,
 * rounded up to powers of two, and padded as its layout wants; all slices of a level, then the next level.
 */
#include "image.h"

#define INTERLEAVE 256u /* bytes */
#define ROW 2048u       /* bytes */
#define PIPES 4u

struct tile_mode {
    const char *name; /* of what is not implemented */
    uint8_t array, micro;
    uint16_t split; /* depth: bytes; other 2D modes: samples */
};

static const struct tile_mode tile_modes[32] = {
    [0] = {NULL, GFX7_2D_THIN, GFX7_DEPTH, 64}, [1] = {NULL, GFX7_2D_THIN, GFX7_DEPTH, 128}, [2] = {NULL, GFX7_2D_THIN, GFX7_DEPTH, 256},
    [3] = {NULL, GFX7_2D_THIN, GFX7_DEPTH, 512}, [4] = {NULL, GFX7_2D_THIN, GFX7_DEPTH, ROW}, [5] = {NULL, GFX7_1D_THIN, GFX7_DEPTH, 0},
    [6] = {"PRT 2D thin, depth", 0, 0, 0}, [7] = {"PRT 2D thin, depth", 0, 0, 0}, [8] = {NULL, GFX7_LINEAR_ALIGNED, 0, 0},
    [9] = {NULL, GFX7_1D_THIN, GFX7_DISPLAY, 0}, [10] = {NULL, GFX7_2D_THIN, GFX7_DISPLAY, 2}, [11] = {"PRT thin, display", 0, 0, 0},
    [12] = {"PRT 2D thin, display", 0, 0, 0}, [13] = {NULL, GFX7_1D_THIN, GFX7_THIN, 0}, [14] = {NULL, GFX7_2D_THIN, GFX7_THIN, 2},
    [16] = {"PRT thin", 0, 0, 0}, [17] = {"PRT 2D thin", 0, 0, 0}, [27] = {NULL, GFX7_1D_THIN, GFX7_ROTATED, 0},
    [28] = {"PRT 2D thin, rotated", 0, 0, 0}, [29] = {"PRT thin, rotated", 0, 0, 0}, [30] = {"PRT 2D thin, rotated", 0, 0, 0},
};

/* Width and height in tiles of a bank, aspect of a macro tile, banks; by log2 of a tile's bytes in units of 64. */
struct macro_mode {
    uint8_t bank_width, bank_height, aspect, banks;
};

static const struct macro_mode macro_modes[6] = {{1, 4, 4, 16}, {1, 2, 4, 16}, {1, 1, 2, 16}, {1, 1, 2, 16}, {1, 1, 2, 16}, {1, 1, 2, 8}};

/* ---- Tiles ---- */

/* The element's place in its tile, 0 to 63: six of the bits x0 x1 x2 y0 y1 y2 (0 to 5), lowest first. */
static uint32_t in_tile(unsigned micro, unsigned bytes, uint32_t x, uint32_t y)
{
    enum { X0, X1, X2, Y0, Y1, Y2 };
    static const uint8_t thin[6] = {X0, Y0, X1, Y1, X2, Y2};
    static const uint8_t display[5][6] = {
        {X0, X1, X2, Y1, Y0, Y2}, {X0, X1, X2, Y0, Y1, Y2}, {X0, X1, Y0, X2, Y1, Y2}, {X0, Y0, X1, X2, Y1, Y2}, {Y0, X0, X1, X2, Y1, Y2}};
    static const uint8_t rotated[5][6] = {
        {Y0, Y1, Y2, X1, X0, X2}, {Y0, Y1, Y2, X0, X1, X2}, {Y0, Y1, X0, Y2, X1, X2}, {Y0, X0, Y1, X1, X2, Y2}, {X0, Y0, X1, Y1, X2, Y2}};
    unsigned size = (unsigned)__builtin_ctz(bytes);
    const uint8_t *order = micro == GFX7_DISPLAY ? display[size] : micro == GFX7_ROTATED ? rotated[size] : thin;
    uint32_t bits = (x & 7) | (y & 7) << 3, place = 0;
    for (unsigned i = 0; i < 6; i++)
        place |= (bits >> order[i] & 1) << i;
    return place;
}

/* What a macro tile is made of, for an image. */
struct macro {
    const struct macro_mode *mode;
    uint32_t tile_bytes;   /* of a tile, or of the part of it in one slice */
    uint32_t parts;        /* slices that a tile is split over */
    uint32_t width, height; /* elements */
};

static struct macro macro_of(const struct gfx7_image *im)
{
    const struct tile_mode *t = &tile_modes[im->tiling];
    uint32_t one = 64u * im->texel.bytes, all = one * im->samples;
    uint32_t split = t->micro == GFX7_DEPTH ? t->split : t->split * one > INTERLEAVE ? t->split * one : INTERLEAVE;
    split = split < ROW ? split : ROW;
    uint32_t size = all < split ? all : split;
    struct macro m = {.mode = &macro_modes[__builtin_ctz(size / 64)], .tile_bytes = size, .parts = all / size};
    m.width = 8 * m.mode->bank_width * PIPES * m.mode->aspect;
    m.height = 8u * m.mode->bank_height * m.mode->banks / m.mode->aspect;
    return m;
}

static uint32_t bit(uint32_t v, unsigned n)
{
    return v >> n & 1;
}

static uint32_t bank_of(const struct macro *m, uint32_t x, uint32_t y, uint32_t slice, uint32_t part, uint32_t swizzle)
{
    uint32_t banks = m->mode->banks, bank;
    uint32_t tx = x / 8 / (m->mode->bank_width * PIPES), ty = y / 8 / m->mode->bank_height;
    if (banks == 16)
        bank = (bit(tx, 0) ^ bit(ty, 3)) | (bit(tx, 1) ^ bit(ty, 2) ^ bit(ty, 3)) << 1 | (bit(tx, 2) ^ bit(ty, 1)) << 2 |
               (bit(tx, 3) ^ bit(ty, 0)) << 3;
    else
        bank = (bit(tx, 0) ^ bit(ty, 2)) | (bit(tx, 1) ^ bit(ty, 1) ^ bit(ty, 2)) << 1 | (bit(tx, 2) ^ bit(ty, 0)) << 2;
    return (bank ^ (swizzle + slice * (banks / 2 - 1)) ^ (part * (banks / 2 + 1))) & (banks - 1);
}

static uint64_t macro_place(const struct gfx7_image *im, const struct gfx7_level_place *p, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
    const struct macro m = macro_of(im);
    uint32_t bytes = im->texel.bytes, place = in_tile(im->micro_mode, bytes, x, y);
    uint32_t element = im->micro_mode == GFX7_DEPTH ? (place * im->samples + sample) * bytes : sample * 64 * bytes + place * bytes;
    uint32_t part = element / m.tile_bytes;
    uint64_t group = (uint64_t)m.tile_bytes * m.mode->bank_width * m.mode->bank_height; /* of a macro tile, in one bank of one pipe */
    uint64_t across = p->pitch / m.width, slices = across * (p->rows / m.height) * group;
    uint64_t tile = y / 8 % m.mode->bank_height * m.mode->bank_width + x / 8 / PIPES % m.mode->bank_width;
    uint64_t at = slices * (part + m.parts * (uint64_t)slice) + (y / m.height * across + x / m.width) * group + element % m.tile_bytes +
                  tile * m.tile_bytes;
    uint64_t pipe = (bit(x, 3) ^ bit(y, 3) ^ bit(x, 4)) | (bit(x, 4) ^ bit(y, 4)) << 1;
    pipe ^= im->swizzle % PIPES;
    return at % INTERLEAVE + pipe * INTERLEAVE + (uint64_t)bank_of(&m, x, y, slice, part, im->swizzle / PIPES) * INTERLEAVE * PIPES +
           at / INTERLEAVE * INTERLEAVE * PIPES * m.mode->banks;
}

/* ---- Places ---- */

uint64_t gfx7_image_place(const struct gfx7_image *im, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
    const struct gfx7_level_place *p = &im->level[level];
    uint64_t at = im->base + p->offset, bytes = im->texel.bytes;
    x /= im->texel.width;
    y /= im->texel.height;
    if (p->macro)
        return at + macro_place(im, p, x, y, slice, sample);
    at += slice * p->slice;
    if (im->array_mode == GFX7_LINEAR_ALIGNED)
        return at + ((uint64_t)y * p->pitch + x) * bytes;
    return at + (((uint64_t)y / 8 * (p->pitch / 8) + x / 8) * 64 + in_tile(im->micro_mode, (unsigned)bytes, x, y)) * bytes;
}

/* ---- Levels ---- */

static uint32_t power(uint32_t v)
{
    return v < 2 ? 1 : 1u << (32 - __builtin_clz(v - 1));
}

static uint32_t align(uint32_t v, uint32_t to)
{
    return (v + to - 1) / to * to;
}

static uint32_t shifted(uint32_t v, unsigned level)
{
    return v >> level ? v >> level : 1;
}

/* Pads a level's pitch and lines. */
static void pad(const struct gfx7_image *im, struct gfx7_level_place *p, bool first)
{
    uint32_t bytes = im->texel.bytes, step = 8, unit = INTERLEAVE / bytes ? INTERLEAVE / bytes : 1;
    if (p->macro) {
        const struct macro m = macro_of(im);
        p->pitch = align(p->pitch, m.width);
        p->rows = align(p->rows, m.height);
    } else if (im->array_mode == GFX7_LINEAR_ALIGNED) {
        step = 64 / bytes > 8 ? 64 / bytes : 8;
        unit = unit < 64 ? 64 : unit;
        if (!first)
            p->pitch = align(p->pitch, step);
    } else {
        p->pitch = align(p->pitch, 8);
        p->rows = align(p->rows, 8);
    }
    while (!first && !p->macro && (uint64_t)p->pitch * p->rows % unit)
        p->pitch += step;
    p->slice = (uint64_t)p->pitch * p->rows * bytes * im->samples;
}

/* Slices of a level in memory. */
static uint32_t slices_of(const struct gfx7_image *im, const uint32_t t[8], unsigned level, bool powers)
{
    uint32_t depth = (t[4] & 0x1fff) + 1, last = (t[5] >> 13 & 0x1fff) + 1;
    if (im->type == GFX7_IMAGE_3D)
        return level || powers ? power(shifted(depth, level)) : depth;
    depth = im->type == GFX7_IMAGE_CUBE ? 6 * depth : depth;
    depth = depth > last ? depth : last; /* not every driver fills DEPTH for arrays */
    return level || powers ? power(depth) : depth;
}

static const char *check(struct gfx7_image *im, const struct tile_mode *t)
{
    if (t->name)
        return t->name;
    if (!t->array)
        return "no mode in that row";
    im->array_mode = t->array;
    im->micro_mode = t->micro;
    if (t->array != GFX7_LINEAR_ALIGNED && im->texel.bytes == 12)
        return "tiles of 96 bits";
    if (t->array != GFX7_2D_THIN && im->samples > 1)
        return "several samples without macro tiles";
    if (t->array == GFX7_2D_THIN) {
        const struct macro m = macro_of(im);
        uint32_t whole = m.tile_bytes * m.mode->bank_width * m.mode->bank_height * m.mode->banks * PIPES;
        im->swizzle = (uint32_t)(im->base % whole / INTERLEAVE);
        im->base -= im->base % whole;
        if (im->swizzle >= m.mode->banks * PIPES)
            return "2D thin from the middle of a macro tile";
    }
    return NULL;
}

const char *gfx7_image_layout(struct gfx7_image *im, const uint32_t t[8])
{
    uint32_t width = (t[2] & 0x3fff) + 1, height = (t[2] >> 14 & 0x3fff) + 1, depth = (t[4] & 0x1fff) + 1;
    uint32_t pitch = (t[4] >> 13 & 0x3fff) + 1, bw = im->texel.width, bh = im->texel.height, last = im->base_level + im->levels - 1;
    bool powers = t[3] >> 25 & 1, volume = im->type == GFX7_IMAGE_3D;
    uint64_t at = 0;
    im->tiling = t[3] >> 20 & 31;
    const char *problem = check(im, &tile_modes[im->tiling]);
    if (problem)
        return problem;
    if (im->texel.bytes == 12 && last)
        return "mip levels of 96 bits";
    if (pitch < width)
        return "pitch";
    for (unsigned l = 0; l <= last; l++) {
        struct gfx7_level_place p = {.width = shifted(width, l), .height = shifted(height, l), .depth = volume ? shifted(depth, l) : 1, .offset = at};
        uint32_t wide = l ? power(shifted(pitch, l)) : pitch, high = l || powers ? power(p.height) : p.height;
        p.pitch = (wide + bw - 1) / bw;
        p.rows = (high + bh - 1) / bh;
        p.macro = im->array_mode == GFX7_2D_THIN;
        if (p.macro && l && (p.pitch < macro_of(im).width || p.rows < macro_of(im).height))
            p.macro = false;
        pad(im, &p, l == 0);
        at += (p.slice * slices_of(im, t, l, powers) + INTERLEAVE - 1) / INTERLEAVE * INTERLEAVE;
        if (l >= im->base_level)
            im->level[l - im->base_level] = p;
    }
    return NULL;
}
