/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_blocks.c: the places of an image's texels on newer chips, by SW_MODE of its T#.  Source: AMD's address library
 * as Mesa publishes it (gfx10addrlib.cpp).
 *
 *     linear     lines of a multiple of 256 bytes
 *     S, D       blocks of 256 bytes, 4 KB or 64 KB, line by line; in a block each bit of the place is a bit of x, y
 *                or, of the blocks of a volume, z.  The places in the first 256 bytes are in a table below; then come
 *                the bits that are left, lowest first, y before x (in volumes y, x, z in turn)
 *     X, T       the bits that choose a pipe are mixed with others: on a chip of 2^n pipes bit 8 + k of a place, k
 *                below n, is also bit 8 + 2n - 1 - k, as if blocks were larger; in volumes bits 8 + n + 2(n - 1 - k)
 *                and the next one; with X alone bit n - 1 - k of the slice (no volume), and bits above the block
 *     R_X, Z_X   the same for what is drawn: other bits are mixed, by the table `pairs`, and then come those of `above`
 *
 * Of modes with X the base's bits below the block are mixed into places in it (Mesa's tile_swizzle).
 *
 * All levels of a slice are in a row, the smallest first, and so the slices.  The last levels of an image in blocks
 * above 256 bytes share a block, the tail, in which each has a place of its own.  A block of a volume holds several
 * slices.  Sizes are in elements, which are blocks of compressed formats; those of a level are halved and rounded up.
 */
#include "image/gcn_image.h"

#include "gpudbg/lanes.h"

enum { LINEAR = 'L', STANDARD = 'S', DISPLAY = 'D', RENDER = 'R', DEPTH = 'Z', NONE = 0 };
enum { LINE = 256 }; /* bytes: lines and blocks begin at a multiple of them */

/* By SW_MODE. */
struct gcn_block_mode {
    uint8_t kind, log; /* log: of a block's bytes */
    char mixes;        /* 'X', 'T', or 0 */
    const char *why;   /* why it is not implemented */
};
#define VARIABLE(name)                                                                   \
    {                                                                                    \
        NONE, 0, 0, name ": the size of its blocks depends on the chip, not implemented" \
    }
static const struct gcn_block_mode modes[32] = {
    [0] = {LINEAR, 0, 0, NULL},
    [1] = {STANDARD, 8, 0, NULL},
    [2] = {DISPLAY, 8, 0, NULL},
    [5] = {STANDARD, 12, 0, NULL},
    [6] = {DISPLAY, 12, 0, NULL},
    [9] = {STANDARD, 16, 0, NULL},
    [10] = {DISPLAY, 16, 0, NULL},
    [17] = {STANDARD, 16, 'T', NULL},
    [18] = {DISPLAY, 16, 'T', NULL},
    [21] = {STANDARD, 12, 'X', NULL},
    [22] = {DISPLAY, 12, 'X', NULL},
    [24] = {DEPTH, 16, 'X', NULL},
    [25] = {STANDARD, 16, 'X', NULL},
    [26] = {DISPLAY, 16, 'X', NULL},
    [27] = {RENDER, 16, 'X', NULL},
    [28] = VARIABLE("SW_VAR_Z_X"),
    [31] = VARIABLE("SW_VAR_R_X"),
};

/* The bits of a place in 256 bytes above those in an element, by the logarithm of its size: of which coordinate, and
 * which of its bits. */
static const char *const standard[5] = {"x0x1x2x3y0y1y2y3", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0y1x1x2", "y0y1x0x1"};
static const char *const display[5] = {"x0x1x2y1y0y2x3y3", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0x1x2y1", "x0y0x1y1"};
static const char *const display_by_rows = "x0x1y0y1x2y2"; /* of dwords */
static const char *const render[5] = {"x0x1x2y1y0y2x3y4", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0x1x2y1", "x0y0x1y1"};
static const char *const depth_[5] = {"x0y0x1y1x2y2x3y4", "x0y0x1y1x2y2x3", "x0y0x1y1x2y2", "x0y0x1y1x2", "x0y0x1y1"};
static const char *const volume[5] = {"x0x1z0y0z1y1x2z2", "x0z0y0z1y1x1z2", "x0y0z0y1x1z1", "x0z0y0x1z1", "z0y0x0z1"};

/* R_X, Z_X on chips of 8 and of 16 pipes: from bit 8 on those that are mixed, and the bits above them. */
static const char *const pairs[2] = {"x3y3x4y4x5y5", "x3y3x4y4x6y5x5y6"};
static const char *const above[2][5] = {{"x5y6x6y7x7", "x4y5x6y6x7", "x3y4x5y6x6", "x3y2x4y5x6", "x2y2x3y4x5"},
    {"y6x6y7x7", "y4x6y6x7", "y3x4y6x6", "y2x3y4x6", "y2x2y3x4"}};

/* ---- Bits of a place ---- */

static unsigned count_of(const char *text, char c)
{
    unsigned n = 0;
    for (; *text; text++) n += *text == c;
    return n;
}

static const char *first_bits(const struct gcn_image *im)
{
    const unsigned size = (unsigned)__builtin_ctz(im->texel.bytes);
    if (im->type == GCN_IMAGE_3D) return volume[size];
    if (im->blocks.mode->kind == STANDARD) return standard[size];
    if (im->blocks.mode->kind == RENDER) return render[size];
    if (im->blocks.mode->kind == DEPTH) return depth_[size];
    return im->blocks.by_rows && size == 2 ? display_by_rows : display[size];
}

/* Bit i of a place, from the element's size on: of which coordinate; *bit: which of its bits. */
static char bit_of(const struct gcn_image *im, const char *first, unsigned i, unsigned *bit)
{
    const unsigned n = (unsigned)strlen(first) / 2, turns = im->type == GCN_IMAGE_3D ? 3 : 2;
    if (i < n) {
        *bit = (unsigned)(first[2 * i + 1] - '0');
        return first[2 * i];
    }
    const char c = "yxz"[(i - n) % turns];
    *bit = count_of(first, c) + (i - n) / turns;
    return c;
}

/* The same for bit `at` of a place, mixed into the bits of coordinates that m has. */
static void mix(struct gcn_place_bit *m, char c, unsigned bit)
{
    *(c == 'x' ? &m->x : c == 'y' ? &m->y : &m->z) ^= (uint16_t)(1u << bit);
}

static void mix_text(struct gcn_place_bit *m, const char *text) { mix(m, text[0], (unsigned)(text[1] - '0')); }

/* Bit `at`, as if blocks had no end. */
static void mix_plain(const struct gcn_image *im, struct gcn_place_bit *m, unsigned at)
{
    unsigned bit;
    const char c = bit_of(im, first_bits(im), at - (unsigned)__builtin_ctz(im->texel.bytes), &bit);
    mix(m, c, bit);
}

static void mix_pipes(const struct gcn_image *im, struct gcn_place_bit *m, unsigned at, unsigned pipes)
{
    const unsigned k = pipes - 1 - (at - 8);
    const bool deep = im->type == GCN_IMAGE_3D, all = im->blocks.mode->mixes == 'X';
    const unsigned other = deep ? 8 + pipes + 2 * k : 8 + pipes + k;
    for (unsigned i = other; i <= other + deep; i++)
        if (all || i < im->blocks.log) mix_plain(im, m, i);
    if (all && !deep) mix(m, 'z', k);
}

/* What each bit of a place is. */
static void choose_bits(struct gcn_image *im, unsigned pipes)
{
    struct gcn_blocks *b = &im->blocks;
    const unsigned size = (unsigned)__builtin_ctz(im->texel.bytes);
    const bool drawn = b->mode->kind == RENDER || b->mode->kind == DEPTH;
    memset(b->bit, 0, sizeof b->bit);
    for (unsigned at = size; at < b->log; at++) {
        struct gcn_place_bit *m = &b->bit[at];
        const bool chooses = b->mode->mixes && at >= 8 && at < 8 + pipes;
        if (!drawn || at < 8) {
            mix_plain(im, m, at);
            if (chooses) mix_pipes(im, m, at, pipes);
        } else if (chooses) {
            mix_text(m, pairs[pipes - 3] + 4 * (at - 8));
            mix_text(m, pairs[pipes - 3] + 4 * (at - 8) + 2);
            mix(m, 'z', pipes - 1 - (at - 8));
        } else {
            mix_text(m, above[pipes - 3][size] + 2 * (at - 8 - pipes));
        }
    }
}

/* The place of an element in its block. */
static uint32_t in_block(const struct gcn_image *im, uint32_t x, uint32_t y, uint32_t z)
{
    uint32_t place = 0;
    for (unsigned at = (unsigned)__builtin_ctz(im->texel.bytes); at < im->blocks.log; at++) {
        const struct gcn_place_bit *m = &im->blocks.bit[at];
        place |= (uint32_t)__builtin_parity((x & m->x) ^ (y & m->y) << 16) << at;
        place ^= (uint32_t)__builtin_parity(z & m->z) << at;
    }
    return place ^ im->blocks.mixed_base;
}

/* Elements of a block: the bits of its places, x and y in turn from x on; of a volume those of the table. */
static void size_block(struct gcn_image *im)
{
    const char *first = first_bits(im);
    const unsigned size = (unsigned)__builtin_ctz(im->texel.bytes), n = im->blocks.log - size;
    if (im->type != GCN_IMAGE_3D) {
        im->blocks.width = (uint8_t)((n + 1) / 2);
        im->blocks.height = (uint8_t)(n / 2);
        return;
    }
    for (unsigned i = 0, bit; i < n; i++) {
        const char c = bit_of(im, first, i, &bit);
        (*(c == 'x' ? &im->blocks.width : c == 'y' ? &im->blocks.height : &im->blocks.depth))++;
    }
}

/* ---- Places ---- */

uint64_t gcn_blocks_place(const struct gcn_image *im, uint32_t level, uint32_t x, uint32_t y, uint32_t slice)
{
    const struct gcn_level_place *p = &im->level[level];
    const struct gcn_blocks *b = &im->blocks;
    const uint64_t at = im->base + p->offset, bytes = im->texel.bytes;
    if (b->mode->kind == LINEAR) return at + slice * b->slice + (uint64_t)y * p->pitch + x * bytes;
    const uint64_t block = (uint64_t)(y >> b->height) * (p->pitch >> b->width) + (x >> b->width);
    return at + (slice >> b->depth) * b->slice + (block << b->log) + in_block(im, x + p->tail_x, y + p->tail_y, slice);
}

/* ---- Levels ---- */

static uint32_t align(uint32_t v, uint32_t to) { return (v + to - 1) / to * to; }

static uint32_t halved(uint32_t v, unsigned level) { return (v + (1u << level) - 1) >> level; }

/* The sizes of a level: texels that a program sees, and elements. */
struct sizes {
    uint32_t width, height, depth, across, down, deep;
};

static struct sizes sizes_of(const struct gcn_image *im, const struct gcn_image_words *t, unsigned level)
{
    const bool volume_ = im->type == GCN_IMAGE_3D;
    const uint32_t bw = im->texel.width, bh = im->texel.height;
    struct sizes s = {
        .width = t->width >> level, .height = t->height >> level, .depth = volume_ ? t->depth >> level : 1};
    s.width += !s.width;
    s.height += !s.height;
    s.depth += !s.depth;
    s.across = halved((t->width + bw - 1) / bw, level);
    s.down = halved((t->height + bh - 1) / bh, level);
    s.deep = volume_ ? halved(t->depth, level) : 1;
    return s;
}

static void keep(struct gcn_image *im, unsigned level, struct gcn_level_place p)
{
    if (level >= im->base_level && level < im->base_level + im->levels) im->level[level - im->base_level] = p;
}

static struct gcn_level_place place_of(const struct sizes *s, uint32_t pitch, uint64_t offset)
{
    return (struct gcn_level_place){
        .width = s->width, .height = s->height, .depth = s->depth, .pitch = pitch, .offset = offset};
}

/* pitch: bytes. */
static const char *lay_lines(struct gcn_image *im, const struct gcn_image_words *t)
{
    const uint32_t bytes = im->texel.bytes, own = t->pitch / im->texel.width * bytes;
    uint64_t at = 0;
    if (own && (t->levels > 1 || t->pitch < t->width || own % LINE)) return "pitch";
    for (unsigned l = t->levels; l-- > 0;) {
        const struct sizes s = sizes_of(im, t, l);
        const uint32_t pitch = own ? own : align(s.across * bytes, LINE);
        keep(im, l, place_of(&s, pitch, at));
        at += (uint64_t)pitch * s.down;
    }
    im->blocks.slice = at;
    return NULL;
}

/* The most levels of a tail. */
static unsigned tail_levels(const struct gcn_image *im)
{
    const unsigned log = im->blocks.log - (im->type == GCN_IMAGE_3D ? (im->blocks.log - 8u) / 3 : 0);
    return log <= 11 ? 1 + (1u << (log - 9)) : log - 4;
}

/* The first level of the tail; `levels`: there is none. */
static unsigned tail_of(const struct gcn_image *im, const struct gcn_image_words *t)
{
    const struct gcn_blocks *b = &im->blocks;
    const bool deep = im->type == GCN_IMAGE_3D;
    const uint32_t width = (1u << b->width) >> (!deep || b->log % 3 == 1),
                   height = (1u << b->height) >> (deep && b->log % 3 == 0);
    if (t->levels == 1 || b->log == 8) return t->levels;
    for (unsigned l = 0; l < t->levels; l++) {
        const struct sizes s = sizes_of(im, t, l);
        if (s.across <= width && s.down <= height && t->levels - l <= tail_levels(im)) return l;
    }
    return t->levels;
}

/* Bits `first`, first + 2, ... of the place of a level in the tail, as a number. */
static uint32_t every_other(uint32_t place, unsigned first)
{
    uint32_t n = 0;
    for (unsigned i = 0; i < 6; i++) n |= (place >> (first + 2 * i) & 1) << i;
    return n;
}

/* A level of the tail: by how many elements it is moved.  The unit is 256 bytes. */
static void lay_tail(const struct gcn_image *im, struct gcn_level_place *p, unsigned nth)
{
    const unsigned m = tail_levels(im) - 1 - nth;
    const uint32_t at = m > 6 ? 16u << m : m << 8;
    const char *first = first_bits(im);
    p->tail_x = every_other(at, 9) << count_of(first, 'x');
    p->tail_y = every_other(at, 8) << count_of(first, 'y');
}

static void lay_blocks(struct gcn_image *im, const struct gcn_image_words *t)
{
    struct gcn_blocks *b = &im->blocks;
    const unsigned tail = tail_of(im, t);
    uint64_t at = tail < t->levels ? UINT64_C(1) << b->log : 0;
    for (unsigned l = tail; l < t->levels; l++) {
        const struct sizes s = sizes_of(im, t, l);
        struct gcn_level_place p = place_of(&s, 1u << b->width, 0);
        lay_tail(im, &p, l - tail);
        keep(im, l, p);
    }
    for (unsigned l = tail; l-- > 0;) {
        const struct sizes s = sizes_of(im, t, l);
        const uint32_t pitch = align(s.across, 1u << b->width), rows = align(s.down, 1u << b->height);
        keep(im, l, place_of(&s, pitch, at));
        at += (uint64_t)(pitch >> b->width) * (rows >> b->height) << b->log;
    }
    b->slice = at;
}

const char *gcn_blocks_layout(struct gcn_image *im, const struct gcn_image_words *t, const struct gcn_chip *chip)
{
    const struct gcn_block_mode *mode = &modes[t->tiling & 31];
    im->tiling = (uint8_t)t->tiling;
    im->blocks.mode = mode;
    im->blocks.by_rows = chip->display_by_rows;
    if (mode->why) return mode->why;
    if (mode->kind == NONE) return "no swizzle mode";
    if (im->type >= GCN_IMAGE_2D_MSAA) return "several samples need a mode that mixes bits";
    if (mode->kind == LINEAR) return lay_lines(im, t);
    if (im->texel.bytes == 12) return "blocks of 96 bits";
    if (im->type == GCN_IMAGE_3D && (mode->kind == DISPLAY || mode->log == 8)) return "no mode for volumes";
    if (gcn_image_dimensions(im) == 1) return "images of one dimension are linear";
    if (mode->kind == DISPLAY && im->texel.bytes == 4 && chip->display_unknown)
        return "which order this chip's display blocks of dwords have is not known";
    const bool drawn = mode->kind == RENDER || mode->kind == DEPTH, deep = im->type == GCN_IMAGE_3D;
    if (mode->mixes && !chip->pipes) return "how many pipes the chip has, or what it mixes by them, is not known";
    if (drawn && deep) return "no mode for volumes that is implemented";
    im->blocks.log = mode->log;
    im->blocks.mixed_base = mode->mixes ? (uint32_t)im->base & ((UINT32_C(1) << mode->log) - 1) : 0;
    im->base -= im->blocks.mixed_base;
    choose_bits(im, chip->pipes);
    size_block(im);
    lay_blocks(im, t);
    return NULL;
}
