/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * image_blocks.c: the places of an image's texels on newer chips, by SW_MODE of its T#.  Source: AMD's address library
 * as PAL and Mesa publish it (gfx10addrlib.cpp).
 *
 *     linear     lines of a multiple of 256 bytes
 *     S, D       blocks of 256 bytes, 4 KB or 64 KB, line by line; in a block each bit of the place is a bit of x, y
 *                or, of the blocks of a volume, z.  The places in the first 256 bytes are in a table below; then come
 *                the bits that are left, lowest first, y before x (in volumes y, x, z in turn)
 *     X, T       the bits that choose a pipe are mixed with others: on a chip of 2^n pipes bit 8 + k of a place, k
 *                below n, is also bit 8 + 2n - 1 - k, as if blocks were larger; in volumes bits 8 + n + 2(n - 1 - k)
 *                and the next one; with X alone bit n - 1 - k of the slice (no volume, and on chips with RB+ no bit of
 *                it above the number of packers), and bits above the block
 *     R_X, Z_X   for what is drawn, VAR with blocks of 16 KB a pipe; and D_X of volumes: by image_places.def.  Volumes
 *                in R_X and Z_X lie slice by slice
 *
 * Images of several samples are in R_X and Z_X alone (image_places_samples.def).  A block holds all samples of its
 * elements; in Z_X those of an element are side by side, and the elements in the first 256 bytes by x and y in turn.
 *
 * GB_ADDR_CONFIG has the pipes and packers.  Of modes with X the base's bits below the block are mixed into places in
 * it (Mesa's tile_swizzle).
 *
 * All levels of a slice are in a row, the smallest first, and so the slices.  The last levels of an image in blocks
 * above 256 bytes share a block, the tail, in which each has a place of its own.  A block of a volume holds several
 * slices.  Sizes are in elements, which are blocks of compressed formats; those of a level are halved and rounded up.
 */
#include "image/gcn_image.h"

#include "files/tiling.h"
#include "gpudbg/lanes.h"

enum { LINEAR = 'L', STANDARD = 'S', DISPLAY = 'D', RENDER = 'R', DEPTH = 'Z', NONE = 0 };
enum { LINE = 256 }; /* bytes: lines and blocks begin at a multiple of them */

/* By SW_MODE. */
struct gcn_block_mode {
    uint8_t kind, log; /* log: of a block's bytes; VARIES: of the pipes */
    char mixes;        /* 'X', 'T', or 0 */
};
enum { VARIES = 1 };
static const struct gcn_block_mode modes[32] = {
    [0] = {LINEAR, 0, 0},
    [1] = {STANDARD, 8, 0},
    [2] = {DISPLAY, 8, 0},
    [5] = {STANDARD, 12, 0},
    [6] = {DISPLAY, 12, 0},
    [9] = {STANDARD, 16, 0},
    [10] = {DISPLAY, 16, 0},
    [17] = {STANDARD, 16, 'T'},
    [18] = {DISPLAY, 16, 'T'},
    [21] = {STANDARD, 12, 'X'},
    [22] = {DISPLAY, 12, 'X'},
    [24] = {DEPTH, 16, 'X'},
    [25] = {STANDARD, 16, 'X'},
    [26] = {DISPLAY, 16, 'X'},
    [27] = {RENDER, 16, 'X'},
    [28] = {DEPTH, VARIES, 'X'},
    [31] = {RENDER, VARIES, 'X'},
};

/* The bits of a place in 256 bytes above those in an element, by the logarithm of its size: of which coordinate, and
 * which of its bits. */
static const char *const standard[5] = {"x0x1x2x3y0y1y2y3", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0y1x1x2", "y0y1x0x1"};
static const char *const display[5] = {"x0x1x2y1y0y2x3y3", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0x1x2y1", "x0y0x1y1"};
static const char *const display_by_rows = "x0x1y0y1x2y2"; /* of dwords */
static const char *const render[2][5] = {
    {"x0x1x2y1y0y2x3y4", "x0x1x2y0y1y2x3", "x0x1y0y1y2x2", "x0y0x1x2y1", "x0y0x1y1"},
    {"x0x1x2x3y0y1y2y3", "x0x1x2y0y1y2x3", "x0x1y0y1x2y2", "x0y0x1x2y1", "x0y0x1y1"}}; /* with RB+ */
static const char *const depth_[2][5] = {
    {"x0y0x1y1x2y2x3y4", "x0y0x1y1x2y2x3", "x0y0x1y1x2y2", "x0y0x1y1x2", "x0y0x1y1"},
    {"x0y0x1y1x2y2x3y3", "x0y0x1y1x2y2x3", "x0y0x1y1x2y2", "x0y0x1y1x2", "x0y0x1y1"}};
static const char *const volume[5] = {"x0x1z0y0z1y1x2z2", "x0z0y0z1y1x1z2", "x0y0z0y1x1z1", "x0z0y0x1z1", "z0y0x0z1"};
static const char *const shown_volume[5] = {
    "x0x1z0y0y1z1x2z2", "x0z0y0x1z1y1z2", "x0y0x1z0y1z1", "x0y0z0x1z1", "x0z0y0z1"};

/* The bits from 256 bytes on. */
enum column { R_X, Z_X, D_X, VAR_R_X, VAR_Z_X };
static const struct places {
    int8_t pipes, packers, size, samples;
    const char *bits[5]; /* by column; NULL: no such mode */
} places[] = {
#define PLACES(pipes, packers, size, ...) {pipes, packers, size, 0, {__VA_ARGS__}},
#include "image/image_places.def"
#define PLACES(pipes, packers, size, samples, r_x, z_x, ...) \
    {pipes, packers, size, samples, {r_x, z_x, NULL, __VA_ARGS__}},
#include "image/image_places_samples.def"
};

/* ---- Bits of a place ---- */

static unsigned count_of(const char *text, char c)
{
    unsigned n = 0;
    for (; *text; text++) n += *text == c;
    return n;
}

static bool is_drawn(const struct gcn_block_mode *m) { return m->kind == RENDER || m->kind == DEPTH; }

/* Whether a block holds several slices. */
static bool is_deep(const struct gcn_image *im) { return im->type == GCN_IMAGE_3D && !is_drawn(im->blocks.mode); }

static const char *first_bits(const struct gcn_image *im)
{
    const unsigned size = (unsigned)__builtin_ctz(im->texel.bytes), plus = im->blocks.rb_plus;
    if (is_deep(im)) return im->blocks.mode->kind == DISPLAY ? shown_volume[size] : volume[size];
    if (im->blocks.mode->kind == STANDARD) return standard[size];
    if (im->blocks.mode->kind == RENDER) return render[plus][size];
    if (im->blocks.mode->kind == DEPTH) return depth_[plus][size];
    return plus && size == 2 ? display_by_rows : display[size];
}

static unsigned samples_log(const struct gcn_image *im) { return (unsigned)__builtin_ctz(im->samples); }

/* Bit i of a place, from the element's size on: of which coordinate; *bit: which of its bits. */
static char bit_of(const struct gcn_image *im, const char *first, unsigned i, unsigned *bit)
{
    const unsigned n = (unsigned)strlen(first) / 2, turns = is_deep(im) ? 3 : 2, samples = samples_log(im);
    if (samples && im->blocks.mode->kind == DEPTH) {
        *bit = i < samples ? i : (i - samples) / 2;
        return i < samples ? 's' : "xy"[(i - samples) % 2];
    }
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
    *(c == 'x' ? &m->x : c == 'y' ? &m->y : c == 'z' ? &m->z : &m->sample) ^= (uint16_t)(1u << bit);
}

/* Bit `at`, as if blocks had no end. */
static void mix_plain(const struct gcn_image *im, struct gcn_place_bit *m, unsigned at)
{
    unsigned bit;
    const char c = bit_of(im, first_bits(im), at - (unsigned)__builtin_ctz(im->texel.bytes), &bit);
    mix(m, c, bit);
}

static void mix_pipes(const struct gcn_image *im, struct gcn_place_bit *m, unsigned at, const struct gcn_pipes *chip)
{
    const unsigned bits = im->blocks.log - 8u, pipes = chip->pipes < bits ? chip->pipes : bits,
                   k = pipes - 1 - (at - 8);
    const bool deep = is_deep(im), all = im->blocks.mode->mixes == 'X';
    const unsigned other = deep ? 8 + pipes + 2 * k : 8 + pipes + k;
    for (unsigned i = other; i <= other + deep; i++)
        if (all || i < im->blocks.log) mix_plain(im, m, i);
    const unsigned slices = im->blocks.rb_plus ? chip->packers : chip->pipes, kept = slices < bits ? slices : bits,
                   nth = chip->pipes - 1u - (at - 8) - (slices - kept);
    if (all && !deep && nth < kept) mix(m, 'z', nth);
}

/* The bits of a mode, which may be those of another one (SAME, WHOLE); NULL: there is no such mode. */
static const char *text_of(const struct places *p, unsigned column)
{
    if (p->bits[column] && *p->bits[column] == ' ') column -= VAR_R_X - R_X;
    return p->bits[column] && !*p->bits[column] ? p->bits[column - 1] : p->bits[column];
}

/* The row of the table for the image, NULL: there is none. */
static const char *listed_bits(const struct gcn_image *im, bool varies, const struct gcn_pipes *chip)
{
    const enum column column = im->blocks.mode->kind == DISPLAY ? D_X
                               : im->blocks.mode->kind == DEPTH ? (varies ? VAR_Z_X : Z_X)
                               : varies                         ? VAR_R_X
                                                                : R_X;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const struct places *p = &places[i];
        if (p->pipes != chip->pipes || 1 << p->size != (int)im->texel.bytes) continue;
        if (p->packers != (im->blocks.rb_plus ? chip->packers : -1) || p->samples != (int)samples_log(im)) continue;
        return text_of(p, column);
    }
    return NULL;
}

static void mix_listed(struct gcn_place_bit *bit, const char *text)
{
    for (; *text; text++) {
        if (*text == ' ') {
            bit++;
            continue;
        }
        char *end;
        const char c = *text;
        mix(bit, c, (unsigned)strtoul(text + 1, &end, 10));
        text = end - 1;
    }
}

/* What each bit of a place is; listed: those from 256 bytes on, or NULL. */
static void choose_bits(struct gcn_image *im, const char *listed, const struct gcn_pipes *chip)
{
    struct gcn_blocks *b = &im->blocks;
    memset(b->bit, 0, sizeof b->bit);
    for (unsigned at = (unsigned)__builtin_ctz(im->texel.bytes); at < (listed ? 8 : b->log); at++) {
        mix_plain(im, &b->bit[at], at);
        if (b->mode->mixes && at >= 8 && at < 8u + chip->pipes) mix_pipes(im, &b->bit[at], at, chip);
    }
    if (listed) mix_listed(b->bit + 8, listed);
}

/* The place of an element in its block. */
static uint32_t in_block(const struct gcn_image *im, uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
    uint32_t place = 0;
    for (unsigned at = (unsigned)__builtin_ctz(im->texel.bytes); at < im->blocks.log; at++) {
        const struct gcn_place_bit *m = &im->blocks.bit[at];
        place |= (uint32_t)__builtin_parity((x & m->x) ^ (y & m->y) << 16) << at;
        place ^= (uint32_t)__builtin_parity((z & m->z) ^ (sample & m->sample) << 16) << at;
    }
    return place ^ im->blocks.mixed_base;
}

/* Elements of a block: the bits of its places but those of samples, x and y in turn from x on, but with 2 or 8 samples
 * from y on where the logarithm of the block's bytes is even; of a volume those of the table. */
static void size_block(struct gcn_image *im)
{
    const unsigned size = (unsigned)__builtin_ctz(im->texel.bytes), samples = samples_log(im),
                   n = im->blocks.log - size - (is_deep(im) ? 0 : samples), y_first = samples & 1 & ~im->blocks.log;
    if (!is_deep(im)) {
        im->blocks.width = (uint8_t)((n + !y_first) / 2);
        im->blocks.height = (uint8_t)(n - im->blocks.width);
        return;
    }
    for (unsigned i = 0, bit; i < n; i++) {
        const char c = bit_of(im, volume[size], i, &bit);
        (*(c == 'x' ? &im->blocks.width : c == 'y' ? &im->blocks.height : &im->blocks.depth))++;
    }
}

/* ---- Places ---- */

uint64_t gcn_blocks_place(
    const struct gcn_image *im, uint32_t level, uint32_t x, uint32_t y, uint32_t slice, uint32_t sample)
{
    const struct gcn_level_place *p = &im->level[level];
    const struct gcn_blocks *b = &im->blocks;
    const uint64_t at = im->base + p->offset, bytes = im->texel.bytes;
    if (b->mode->kind == LINEAR) return at + slice * b->slice + (uint64_t)y * p->pitch + x * bytes;
    const uint64_t block = (uint64_t)(y >> b->height) * (p->pitch >> b->width) + (x >> b->width);
    return at + (slice >> b->depth) * b->slice + (block << b->log) +
           in_block(im, x + p->tail_x, y + p->tail_y, slice, sample);
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
    const unsigned log = im->blocks.log - (is_deep(im) ? (im->blocks.log - 8u) / 3 : 0);
    return log <= 11 ? 1 + (1u << (log - 9)) : log - 4;
}

/* The first level of the tail; `levels`: there is none. */
static unsigned tail_of(const struct gcn_image *im, const struct gcn_image_words *t, bool small_depth)
{
    const char *first = first_bits(im);
    const bool smaller = small_depth && im->blocks.mode->kind == DEPTH; /* as if units had 8 lines of 8 elements */
    const struct gcn_blocks *b = &im->blocks;
    const bool deep = is_deep(im);
    const uint32_t width = (1u << b->width) >> (!deep || b->log % 3 == 1),
                   height = (1u << b->height) >> (deep && b->log % 3 == 0);
    if (t->levels == 1 || b->log == 8) return t->levels;
    for (unsigned l = 0; l < t->levels; l++) {
        const struct sizes s = sizes_of(im, t, l);
        const uint32_t across = smaller && im->texel.bytes < 4 ? width >> (count_of(first, 'x') - 3) : width,
                       down = smaller && im->texel.bytes < 4 ? height >> (count_of(first, 'y') - 3) : height;
        if (s.across <= across && s.down <= down && t->levels - l <= tail_levels(im)) return l;
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
    const bool turned = im->blocks.log & 1; /* blocks that are twice as wide as high, or the other way round */
    uint32_t x = every_other(at, 9 - turned), y = every_other(at, 8 + turned);
    if (turned && __builtin_ctz(im->texel.bytes) & 1) {
        y = y << 1 | (x & 1);
        x >>= 1;
    }
    p->tail_x = x << count_of(first, 'x');
    p->tail_y = y << count_of(first, 'y');
}

static void lay_blocks(struct gcn_image *im, const struct gcn_image_words *t, bool small_depth)
{
    struct gcn_blocks *b = &im->blocks;
    const unsigned tail = tail_of(im, t, small_depth);
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

/* NULL, or why there are no such blocks. */
static const char *check_mode(const struct gcn_image *im, const struct gcn_chip *chip, const struct gcn_pipes *pipes)
{
    const struct gcn_block_mode *mode = im->blocks.mode;
    if (im->texel.bytes == 12) return "blocks of 96 bits";
    if (im->type == GCN_IMAGE_3D && ((mode->kind == DISPLAY && mode != &modes[26]) || mode->log == 8))
        return "no mode for volumes";
    if (gcn_image_dimensions(im) == 1) return "images of one dimension are linear";
    if (mode->kind == DISPLAY && im->texel.bytes == 4 && chip->display_unknown)
        return "which order this chip's display blocks of dwords have is not known";
    if (!mode->mixes) return NULL;
    if (!pipes->known)
        return "its places depend on the chip: give its pipes by `set device GB_ADDR_CONFIG VALUE` (help gfx10)";
    if (chip->display_unknown) return "what this chip mixes by its pipes is not known";
    if (pipes->interleave) return "GB_ADDR_CONFIG.PIPE_INTERLEAVE_SIZE is not 0: only 256 bytes are known";
    return NULL;
}

const char *gcn_blocks_layout(
    struct gcn_image *im, const struct gcn_image_words *t, const struct gcn_chip *chip, const struct gcn_tiling *tiling)
{
    const struct gcn_block_mode *mode = &modes[t->tiling & 31];
    const struct gcn_pipes pipes = gcn_pipes_newer(tiling);
    const bool varies = mode->log == VARIES;
    const char *listed = NULL, *why;
    im->tiling = (uint8_t)t->tiling;
    im->blocks.mode = mode;
    im->blocks.rb_plus = chip->rb_plus;
    if (mode->kind == NONE) return "no swizzle mode";
    if (im->samples > 1 && !is_drawn(mode)) return "images of several samples are in modes Z_X and R_X alone";
    if (im->samples > 8) return "at most 8 samples are stored";
    if (mode->kind == LINEAR) return lay_lines(im, t);
    if ((why = check_mode(im, chip, &pipes))) return why;
    im->blocks.log = varies ? 14 + pipes.pipes : mode->log;
    if (is_drawn(mode) || (is_deep(im) && mode->kind == DISPLAY)) {
        listed = listed_bits(im, varies, &pipes);
        if (!listed) return varies && !chip->rb_plus ? "no mode of RDNA 1" : "no chip has GB_ADDR_CONFIG so";
    }
    im->blocks.mixed_base = mode->mixes ? (uint32_t)im->base & ((UINT32_C(1) << im->blocks.log) - 1) : 0;
    im->base -= im->blocks.mixed_base;
    choose_bits(im, listed, &pipes);
    size_block(im);
    lay_blocks(im, t, chip->small_depth_tails);
    return NULL;
}
