/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tiled surfaces of gfx7 against a model that fills memory: it walks a surface slice by slice, macro tile by macro
 * tile, tile by tile, and lets each tile take the next bytes of its bank in its pipe.  Which bank and pipe that is
 * follows the equations that the drivers' address library publishes, as text; orders of elements in tiles likewise. The
 * decoder has formulas instead.
 */
#include "decoders/gcn/image/gcn_image.h"
#include "tap.h"

#include <stdlib.h>

static uint64_t seed = 5;

static uint32_t random32(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 32) ^ (uint32_t)(seed >> 13);
}

/* ---- The model ---- */

/* Of the manual's PIPE_CONFIG, and Hawaii's two; lowest bit first. */
static const char *const pipe_text[18] = {
    [0] = "x3^y3",
    [4] = "x4^y3 x3^y4",
    [5] = "x3^y3^x4 x4^y4",
    [6] = "x3^y3^x4 x4^y5",
    [7] = "x3^y3^x5 x5^y5",
    [8] = "x4^y3^x5 x3^y5 x4^y4",
    [9] = "x4^y3^x5 x3^y4 x4^y5",
    [10] = "x4^y3^x5 x3^y4 x5^y5",
    [11] = "x3^y3^x4 x5^y4 x4^y5",
    [12] = "x3^y3^x4 x4^y4 x5^y5",
    [13] = "x3^y3^x4 x4^y6 x5^y5",
    [14] = "x3^y3^x5 x6^y5 x5^y6",
    [16] = "x4^y3 x3^y4 x5^y6 x6^y5",
    [17] = "x3^y3^x4 x4^y4 x5^y6 x6^y5",
};
/* By the logarithm of the number of banks; digits count from 3, which is the first bit of a bank's column or row. */
static const char *const bank_text[5] = {
    NULL, "x3^y3", "x3^y4 x4^y3", "x3^y5 x4^y4^y5 x5^y3", "x3^y6 x4^y5^y6 x5^y4 x6^y3"};

/* What equations make of x and y, whose digit 3 is bit 0. */
static uint32_t evaluate(const char *text, uint32_t x, uint32_t y)
{
    uint32_t value = 0, n = 0;
    for (const char *p = text; *p; p++)
        if (*p == 'x' || *p == 'y')
            value ^= ((*p == 'x' ? x : y) >> (p[1] - '3') & 1) << n;
        else if (*p == ' ')
            n++;
    return value;
}

static unsigned bits_in(const char *text)
{
    unsigned n = 1;
    for (const char *p = text; *p; p++) n += *p == ' ';
    return n;
}

enum { LINEAR, ALIGNED, THIN1, THIN2 = 4, PRT, PRT2 };
enum { DISPLAY, THIN, DEPTH, ROTATED };

struct mode { /* decoded from two registers by hand */
    unsigned array, micro, config, pipes, banks, banks_log, bank_width, bank_height, aspect;
    unsigned bytes, samples, tile_bytes, parts, width, height; /* of a macro tile, elements */
};

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }

static struct mode mode_of(const struct gcn_tiling *t, unsigned index, unsigned bytes, unsigned samples)
{
    const uint32_t r = t->tile[index], row = 2048, tile = 64 * bytes;
    struct mode m = {
        .array = r >> 2 & 15, .config = r >> 6 & 31, .micro = r >> 22 & 7, .bytes = bytes, .samples = samples};
    uint32_t split = m.micro == DEPTH ? 64u << (r >> 11 & 7) : (1u << (r >> 25 & 3)) * tile;
    if (m.micro != DEPTH && split < 256) split = 256;
    m.tile_bytes = smaller(tile * samples, smaller(split, row));
    m.parts = tile * samples / m.tile_bytes;
    unsigned which = 0;
    while (64u << which < m.tile_bytes) which++;
    const uint32_t q = t->macro[which + (m.array == PRT || m.array == PRT2 ? 8 : 0)];
    m.pipes = 1u << bits_in(pipe_text[m.config]);
    m.bank_width = 1u << (q & 3);
    m.bank_height = 1u << (q >> 2 & 3);
    m.aspect = 1u << (q >> 4 & 3);
    m.banks_log = 1 + (q >> 6 & 3);
    m.banks = 1u << m.banks_log;
    m.width = 8 * m.bank_width * m.pipes * m.aspect;
    m.height = 8 * m.bank_height * m.banks / m.aspect;
    return m;
}

static uint32_t bank_of(const struct mode *m, uint32_t tx, uint32_t ty, uint32_t slice, uint32_t part, uint32_t swizzle)
{
    uint32_t bank = evaluate(bank_text[m->banks_log], tx / m->bank_width / m->pipes, ty / m->bank_height);
    if (m->config == 7 || m->config == 14) bank ^= (tx >> 1 ^ tx >> 2) & 1;
    bank ^= swizzle + (m->array == THIN2 ? (m->banks / 2 - 1) * slice : 0);
    bank ^= m->array == PRT ? 0 : (m->banks / 2 + 1) * part;
    return bank % m->banks;
}

/* Where each tile's part begins, by slice, part, row and column; pitch and rows are whole macro tiles. */
static uint64_t *fill(const struct mode *m, uint32_t pitch, uint32_t rows, uint32_t slices, uint32_t swizzle)
{
    uint32_t across = pitch / 8, down = rows / 8, wide = m->width / 8, high = m->height / 8;
    uint64_t taken[256] = {0}, *at = calloc((size_t)slices * m->parts * across * down, sizeof *at);
    for (uint32_t s = 0; s < slices * m->parts; s++)
        for (uint32_t my = 0; my < down; my += high)
            for (uint32_t mx = 0; mx < across; mx += wide)
                for (uint32_t ty = my; ty < my + high; ty++)
                    for (uint32_t tx = mx; tx < mx + wide; tx++) {
                        uint32_t x = m->array == PRT ? tx - mx : tx, y = m->array == PRT ? ty - my : ty;
                        uint32_t pipe = evaluate(pipe_text[m->config], x, y) ^ swizzle % m->pipes;
                        uint32_t bank = bank_of(m, x, y, s / m->parts, s % m->parts, swizzle / m->pipes);
                        uint64_t *column = &taken[bank * m->pipes + pipe];
                        at[((uint64_t)s * down + ty) * across + tx] = *column | (uint64_t)(bank * m->pipes + pipe)
                                                                                    << 56;
                        *column += m->tile_bytes;
                    }
    return at;
}

static const char *order_of(unsigned micro, unsigned bytes)
{
    static const char *const display[] = {
        "x0x1x2y1y0y2", "x0x1x2y0y1y2", "x0x1y0x2y1y2", "x0y0x1x2y1y2", "y0x0x1x2y1y2"};
    static const char *const rotated[] = {"y0y1y2x1x0x2", "y0y1y2x0x1x2", "y0y1x0y2x1x2", "y0x0y1x1x2y2"};
    unsigned size = (unsigned)__builtin_ctz(bytes);
    return micro == DISPLAY ? display[size] : micro == ROTATED ? rotated[size] : "x0y0x1y1x2y2";
}

static uint32_t in_tile(const struct mode *m, uint32_t x, uint32_t y)
{
    const char *order = order_of(m->micro, m->bytes);
    uint32_t place = 0;
    for (unsigned i = 0; i < 6; i++) place |= ((order[2 * i] == 'x' ? x : y) >> (order[2 * i + 1] - '0') & 1) << i;
    return place;
}

static uint64_t model_place(const struct mode *m, const uint64_t *tiles, uint32_t pitch, uint32_t rows, uint32_t x,
    uint32_t y, uint32_t slice, uint32_t sample)
{
    uint32_t place = in_tile(m, x, y),
             inside = m->micro == DEPTH ? (place * m->samples + sample) * m->bytes : (sample * 64 + place) * m->bytes;
    uint64_t s = (uint64_t)slice * m->parts + inside / m->tile_bytes,
             start = tiles[(s * (rows / 8) + y / 8) * (pitch / 8) + x / 8];
    uint64_t column = start >> 56, offset = (start << 8 >> 8) + inside % m->tile_bytes;
    return (offset / 256 * (m->pipes * m->banks) + column) * 256 + offset % 256;
}

/* ---- The decoder's ---- */

/* Formats by bytes: 8, 16, 32, 32_32, 32_32_32_32. */
static unsigned format_of(unsigned bytes)
{
    static const uint8_t formats[17] = {[1] = 1, [2] = 2, [4] = 4, [8] = 11, [16] = 14};
    return formats[bytes];
}

static const char *place_image(struct gcn_image *im, const struct gcn_tiling *t, unsigned index, unsigned bytes,
    unsigned samples, uint32_t width, uint32_t height, uint32_t slices, unsigned levels, uint64_t base)
{
    const struct gcn_image_words words = {
        .width = width, .height = height, .depth = slices, .pitch = width, .tiling = index, .last_array = slices - 1};
    *im = (struct gcn_image){
        .base = base, .type = GCN_IMAGE_2D_ARRAY, .samples = samples, .levels = levels, .slices = slices};
    gcn_texel_format(format_of(bytes), 4, &im->texel);
    return gcn_image_layout(im, &words, t);
}

/* ---- Tests ---- */

/* Random elements of a level: how many stand elsewhere than the model says. */
static unsigned wrong_places(
    const struct gcn_image *im, const struct mode *m, unsigned level, uint32_t slices, uint64_t base, uint32_t swizzle)
{
    const struct gcn_level_place *p = &im->level[level];
    uint64_t *tiles = fill(m, p->pitch, p->rows, slices, swizzle);
    unsigned wrong = 0;
    for (unsigned i = 0; i < 3000; i++) {
        uint32_t x = random32() % p->width, y = random32() % p->height, s = random32() % slices,
                 k = random32() % m->samples;
        wrong += gcn_image_place(im, level, x, y, s, k) !=
                 base + p->offset + model_place(m, tiles, p->pitch, p->rows, x, y, s, k);
    }
    free(tiles);
    return wrong;
}

/* A level's pitch and rows are whole macro tiles, if it fills one; else it is 1D. */
static bool padded(const struct gcn_image *im, const struct mode *m, unsigned level, uint32_t width, uint32_t height)
{
    const struct gcn_level_place *p = &im->level[level];
    uint32_t w = 1, h = 1;
    while (w < width >> level) w *= 2;
    while (h < height >> level) h *= 2;
    bool fits = level == 0 || (w >= m->width && h >= m->height);
    return p->macro == fits && (!fits || (p->pitch % m->width == 0 && p->rows % m->height == 0 &&
                                             p->pitch >= width >> level && p->rows >= height >> level));
}

static void test_mode(const char *chip, const struct gcn_tiling *t, unsigned index, unsigned bytes, unsigned samples)
{
    struct gcn_image im;
    struct mode m = mode_of(t, index, bytes, samples);
    uint32_t turn = 256 * m.pipes * m.banks, swizzle = random32() % (m.pipes * m.banks);
    uint64_t base = (uint64_t)turn * (1 + random32() % 1000);
    uint32_t width = m.width * 2 - random32() % 8, height = m.height + 1 + random32() % m.height,
             slices = 1 + random32() % 3;
    unsigned levels = samples == 1 ? 3 : 1, wrong = 0, bad = 0;
    const char *why = place_image(
        &im, t, index, bytes, samples, width, height, slices, levels, base + (uint64_t)swizzle * 256);
    for (unsigned l = 0; !why && l < levels; l++) {
        bad += !padded(&im, &m, l, width, height);
        if (im.level[l].macro) wrong += wrong_places(&im, &m, l, slices, base, swizzle);
    }
    ok(!why && !wrong && !bad, "%s, row %u, %u bytes, %u samples: %u places wrong, %u levels badly padded%s%s", chip,
        index, bytes, samples, wrong, bad, why ? ": " : "", why ? why : "");
}

static void test_table(const char *chip, const struct gcn_tiling *t)
{
    for (unsigned index = 0; index < 32; index++) {
        unsigned array = t->tile[index] >> 2 & 15, micro = t->tile[index] >> 22 & 7;
        for (unsigned bytes = 1; array >= THIN2 && array <= PRT2 && bytes <= (micro == ROTATED ? 8 : 16); bytes *= 2)
            for (unsigned samples = 1; samples <= (bytes <= 8 ? 8 : 2); samples *= 2)
                test_mode(chip, t, index, bytes, samples);
    }
}

/* Every pipe configuration with every macro tile: elements never meet, and stand where the model says. */
static void test_equations(void)
{
    for (unsigned config = 0; config < 18; config++) {
        unsigned tried = 0, wrong = 0, refused = 0;
        for (unsigned macro = 0; pipe_text[config] && macro < 256; macro++) {
            struct gcn_tiling t = {.config = 0x12010001};
            struct gcn_image im;
            t.tile[0] = THIN2 << 2 | config << 6 | THIN << 22;
            for (unsigned i = 0; i < 16; i++) t.macro[i] = macro;
            struct mode m = mode_of(&t, 0, 4, 1);
            bool odd = m.aspect > m.banks || ((config == 7 || config == 14) && (m.bank_width > 1 || m.aspect == 1));
            const char *why = place_image(&im, &t, 0, 4, 1, m.width, odd ? 8 : m.height, 1, 1, 0);
            refused += (why != NULL) != odd;
            if (odd || why) continue;
            tried++;
            wrong += wrong_places(&im, &m, 0, 1, 0, 0);
            uint32_t n = m.width * m.height;
            uint8_t *seen = calloc(n, 1);
            for (uint32_t y = 0; y < m.height; y += 4)
                for (uint32_t x = 0; x < m.width; x += 4) {
                    uint64_t at = gcn_image_place(&im, 0, x, y, 0, 0) / 4;
                    wrong += at >= n || seen[at]++;
                }
            free(seen);
        }
        if (pipe_text[config])
            ok(tried && !wrong && !refused,
                "pipe configuration %u: %u macro tiles, %u places wrong, %u wrongly refused or taken", config, tried,
                wrong, refused);
    }
}

static void test_refused(void)
{
    struct gcn_tiling t = {.config = 0x12010001};
    struct gcn_image im;
    const struct {
        uint32_t tile, macro;
        unsigned bytes, samples;
        const char *why;
    } bad[] = {
        {3 << 2, 0, 4, 1, "thick"},
        {12 << 2, 0, 4, 1, "3D"},
        {THIN1 << 2 | 4 << 22, 0, 4, 1, "micro tile mode"},
        {THIN1 << 2, 0, 4, 2, "samples"},
        {THIN2 << 2 | 1 << 6, 0, 4, 1, "pipe_config"},
        {THIN2 << 2 | 5 << 6, 3 << 4, 4, 1, "macro_tile_aspect"},
        {THIN2 << 2 | ROTATED << 22, 0, 16, 1, "rotated"},
        {THIN2 << 2 | 7 << 6, 0, 4, 1, "bank_width"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        t.tile[0] = bad[i].tile;
        for (unsigned k = 0; k < 16; k++) t.macro[k] = bad[i].macro;
        const char *why = place_image(&im, &t, 0, bad[i].bytes, bad[i].samples, 64, 64, 1, 1, 0);
        ok(why && strstr(why, bad[i].why), "refused: %s", why ? why : bad[i].why);
    }
}

/* Sizes from the register's fields, whatever the table: 512 bytes of interleave halve the columns. */
static void test_linear_general(void)
{
    struct gcn_tiling t = {.config = 0x12010001};
    struct gcn_image im;
    const char *why = place_image(&im, &t, 0, 2, 1, 13, 5, 2, 1, 0x1000);
    ok(!why && gcn_image_place(&im, 0, 3, 4, 0, 0) == 0x1000 + (4 * 13 + 3) * 2 &&
            gcn_image_place(&im, 0, 3, 4, 1, 0) == 0x1000 + (5 * 13 + 4 * 13 + 3) * 2,
        "linear general: lines follow each other without padding");
}

int main(void)
{
    struct gcn_tiling bonaire, other;
    gcn_tiling_read(NULL, &gcn_chips[GCN_CHIP_gfx7].isa, &bonaire);
    test_table("Bonaire", &bonaire);
    other = bonaire; /* Hawaii's: 16 pipes, other macro tiles */
    static const uint8_t hawaii[16] = {
        0xd8, 0xd4, 0xc0, 0xc0, 0x80, 0x40, 0x40, 0, 0xd8, 0xd4, 0xc0, 0xd0, 0xc0, 0x80, 0x40, 0};
    for (unsigned i = 0; i < 32; i++) other.tile[i] = (other.tile[i] & ~(31u << 6)) | 17u << 6;
    for (unsigned i = 0; i < 16; i++) other.macro[i] = hawaii[i];
    other.tile[12] = PRT2 << 2 | 5 << 6 | 3u << 25; /* the one array mode that Bonaire's rows have not */
    test_table("Hawaii", &other);
    static const uint8_t kaveri[16] = {
        0xe9, 0xe5, 0xe4, 0xe4, 0xd4, 0xd0, 0x90, 0, 0xed, 0xe9, 0xe8, 0xe4, 0xd4, 0xd0, 0x90, 0};
    for (unsigned i = 0; i < 32; i++) other.tile[i] = bonaire.tile[i] & ~(31u << 6);
    for (unsigned i = 0; i < 16; i++) other.macro[i] = kaveri[i];
    test_table("two pipes", &other);
    test_equations();
    test_refused();
    test_linear_general();
    return tap_done();
}
