/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Images of gfx7: every MIMG instruction executed alone and held against the model of image_model.h.
 */
#include "wave.h"

#include "image_rig.h"

/* ---- One instruction on one wave ---- */

enum { UNORM = 1 << 12, GLC = 1 << 13, DA = 1 << 14, R128 = 1 << 15, TFE = 1 << 16 };

/* v0 on: address; v32 on: data; s[0:7] T#, s[8:11] S#. */
static bool rig_open(unsigned opcode, unsigned dmask, uint32_t flags)
{
    const uint32_t words[3] = {0xf0000000u | opcode << 18 | dmask << 8 | flags, DATA << 8 | 2u << 21, 0xbf810000};
    return rig_begin(GCN_CHIP_gfx7, words, 3);
}

static void set_float(unsigned row, unsigned lane, double x)
{
    float f = (float)x;
    memcpy(&v(row)[lane], &f, 4);
}

/* ---- Descriptors ---- */

static void put_t(const struct t_sharp *t)
{
    uint32_t *s = gcn_s(r.w);
    s[0] = (uint32_t)(r.buf->base >> 8);
    s[1] = (uint32_t)(r.buf->base >> 40) | t->dfmt << 20 | t->nfmt << 26;
    s[2] = (t->width - 1) | (t->height - 1) << 14;
    s[3] = t->sel | t->base_level << 12 | t->last_level << 16 | t->tiling << 20 | t->pow2 << 25 | t->type << 28;
    s[4] = (t->depth - 1) | (t->pitch - 1) << 13;
    s[5] = t->first | t->last << 13;
    s[6] = s[7] = 0;
}

/* ---- Formats ---- */

static void test_format(const char *name, unsigned dfmt, unsigned nfmt)
{
    static const char *const numbers[] = {"unorm", "snorm", "uscaled", "sscaled", "uint", "sint", "snorm_ogl", "float",
        "", "srgb", "ubnorm", "ubnorm_ogl", "ubint", "ubscaled"};
    unsigned bits[4] = {0}, n = widths_of(name, bits), total = strcmp(name, "X24_8_32") == 0 ? 64 : 0;
    for (unsigned i = 0; i < n && strcmp(name, "X24_8_32") != 0; i++) total += bits[i];
    struct t_sharp t = plain;
    t.dfmt = dfmt;
    t.nfmt = nfmt;
    if (!rig_open(0, 15, 0)) return;
    put_t(&t);
    for (unsigned i = 0; i < 16 * 16 * 16; i++) r.buf->bytes[i] = (uint8_t)random32();
    for (unsigned l = 0; l < 64; l++) {
        v(0)[l] = l % 16;
        v(1)[l] = l / 16;
    }
    struct gpudbg_stop stop = rig_run();
    bool good = stop.reason == GPUDBG_STOP_STEP || stop.reason == GPUDBG_STOP_NONE;
    for (unsigned l = 0; l < 64 && good; l++) {
        const uint8_t *at = r.buf->bytes + l * total / 8;
        unsigned bit = 0;
        for (unsigned i = 0; i < 4 && good; i++) {
            bool integer = nfmt == 4 || nfmt == 5 || nfmt == 12;
            uint32_t want = i == 3 ? integer ? 1 : 0x3f800000 : 0, x = 0;
            for (unsigned k = 0; i < n && k < bits[i]; k++, bit++) x |= (uint32_t)(at[bit / 8] >> bit % 8 & 1) << k;
            if (i < n && !(nfmt == 7 && bits[i] == 8))
                want = component(x, bits[i], nfmt, i);
            else if (i < n)
                continue;
            good = close_words(v(DATA + i)[l], want, nfmt != 9);
            if (!good)
                fprintf(stderr, "# lane %u component %u of 0x%x: 0x%08x, not 0x%08x\n", l, i, x, v(DATA + i)[l], want);
        }
    }
    ok(good, "image_load of %s %s %s", name, numbers[nfmt], good ? "" : stop.message);
    /* What was loaded is stored as it was, where rounding and clamping allow. */
    bool rounded = bits[0] == 32 && nfmt != 4 && nfmt != 5 && nfmt != 7 && nfmt != 12; /* floats have 24 bits */
    if (good && nfmt != 2 && nfmt != 3 && nfmt != 13 && !rounded) {
        uint8_t before[64 * 16];
        uint32_t data[4][64];
        memcpy(before, r.buf->bytes, sizeof before);
        for (unsigned i = 0; i < 4; i++) memcpy(data[i], v(DATA + i), 256);
        rig_close();
        if (!rig_open(8, 15, 0)) return;
        put_t(&t);
        for (unsigned l = 0; l < 64; l++) {
            v(0)[l] = l % 16;
            v(1)[l] = l / 16;
        }
        for (unsigned i = 0; i < 4; i++) memcpy(v(DATA + i), data[i], 256);
        rig_run();
        unsigned wrong = 0;
        for (unsigned l = 0; l < 64; l++)
            for (unsigned i = 0, bit = 0; i < n; i++)
                for (unsigned k = 0, whole = 1; k < bits[i]; k++, bit++) {
                    unsigned at = l * total + bit;
                    bool differs = (before[at / 8] ^ r.buf->bytes[at / 8]) >> at % 8 & 1;
                    uint32_t x = data[i][l];
                    bool undefined = nfmt == 7 && (bits[i] == 8 || (x & 0x7fffffff) > 0x7f800000);
                    bool least = nfmt != 7 && (x == 0xbf800000 || x == 0); /* two numbers stand for -1 */
                    wrong += whole && differs && !undefined && !least;
                }
        ok(wrong == 0, "image_store of %s %s (%u bits differ)", name, numbers[nfmt], wrong);
    }
    rig_close();
}

static void test_formats(void)
{
    static const struct {
        const char *name;
        unsigned dfmt;
        bool floats;
    } list[] = {{"8", 1, 0}, {"16", 2, 1}, {"8_8", 3, 0}, {"32", 4, 1}, {"16_16", 5, 1}, {"10_11_11", 6, 1},
        {"11_11_10", 7, 1}, {"10_10_10_2", 8, 0}, {"2_10_10_10", 9, 0}, {"8_8_8_8", 10, 0}, {"32_32", 11, 1},
        {"16_16_16_16", 12, 1}, {"32_32_32", 13, 1}, {"32_32_32_32", 14, 1}, {"5_6_5", 16, 0}, {"1_5_5_5", 17, 0},
        {"5_5_5_1", 18, 0}, {"4_4_4_4", 19, 0}, {"8_24", 20, 0}, {"24_8", 21, 0}, {"X24_8_32", 22, 1}, {"4_4", 57, 0},
        {"6_5_5", 58, 0}};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        for (unsigned nfmt = 0; nfmt <= 13; nfmt++) {
            unsigned bits[4] = {0};
            widths_of(list[i].name, bits);
            bool one_bit = bits[0] == 1 || bits[3] == 1; /* signs of one bit have no rule */
            if (nfmt == 8 || (nfmt == 7 && !list[i].floats) || (nfmt == 9 && bits[0] > 16) ||
                (one_bit && nfmt != 0 && nfmt != 4 && nfmt != 2))
                continue;
            test_format(list[i].name, list[i].dfmt, nfmt);
        }
}

/* ---- Pictures ---- */

/* What `picture` shows is what image_load gives, for every format, tiled and not. */
static void test_picture(unsigned dfmt, unsigned nfmt, unsigned tiling)
{
    struct gpudbg_error err = {0};
    struct gpudbg_picture p;
    struct t_sharp t = plain;
    t.dfmt = dfmt;
    t.nfmt = nfmt;
    t.tiling = tiling;
    if (!rig_open(0, 15, 0)) return;
    put_t(&t);
    for (unsigned i = 0; i < 65536; i++) r.buf->bytes[i] = (uint8_t)random32();
    for (unsigned l = 0; l < 64; l++) {
        v(0)[l] = l % 16;
        v(1)[l] = l / 16 * 3;
    }
    struct gpudbg_stop stop = rig_run();
    if (stop.reason == GPUDBG_STOP_FAULT) { /* both refuse */
        ok(!gcn_chips[GCN_CHIP_gfx7].isa.pictures->open(r.g, &gcn_chips[GCN_CHIP_gfx7].isa, gcn_s(r.w), &p, &err),
            "format %u %u, tiling %u: no picture", dfmt, nfmt, tiling);
    } else if (!gcn_chips[GCN_CHIP_gfx7].isa.pictures->open(r.g, &gcn_chips[GCN_CHIP_gfx7].isa, gcn_s(r.w), &p, &err)) {
        ok(false, "format %u %u, tiling %u: %s", dfmt, nfmt, tiling, err.message);
    } else {
        unsigned wrong = 0;
        for (unsigned l = 0; l < 64; l++) {
            uint32_t out[4];
            const uint64_t at = gcn_chips[GCN_CHIP_gfx7].isa.pictures->place(&p, 0, l % 16, l / 16 * 3, 0);
            gcn_chips[GCN_CHIP_gfx7].isa.pictures->texel(
                &p, r.buf->bytes + (at - r.buf->base), l % 16, l / 16 * 3, out);
            for (unsigned i = 0; i < 4; i++) wrong += out[i] != v(DATA + i)[l];
        }
        ok(wrong == 0 && p.width == 16, "the picture of format %u %u, tiling %u, is what is loaded", dfmt, nfmt,
            tiling);
        free(p.own);
    }
    rig_close();
}

static void test_pictures(void)
{
    static const unsigned tilings[] = {8, 13};
    struct gcn_texel t;
    for (unsigned dfmt = 1; dfmt <= 60; dfmt++)
        for (unsigned nfmt = 0; nfmt <= 13; nfmt++)
            for (unsigned i = 0; i < 2 && !gcn_texel_format(dfmt, nfmt, &t); i++) test_picture(dfmt, nfmt, tilings[i]);
}

/* ---- Blocks of several texels, by hand ---- */

static void test_block(
    const char *what, unsigned dfmt, unsigned nfmt, const uint8_t *block, unsigned texel, const double want[4])
{
    struct gcn_texel t;
    uint32_t out[4];
    if (gcn_texel_format(dfmt, nfmt, &t)) {
        ok(false, "%s: a format", what);
        return;
    }
    gcn_texel_load(&t, block, texel % t.width, texel / t.width, out);
    bool good = true;
    for (unsigned i = 0; i < 4; i++) {
        float f;
        memcpy(&f, &out[i], 4);
        if (fabs(f - want[i]) > 1e-6 * (1 + fabs(want[i]))) {
            good = false;
            fprintf(stderr, "# component %u is %.9g, not %.9g\n", i, f, want[i]);
        }
    }
    ok(good, "%s", what);
}

#define WANT(...) \
    (const double[4]) { __VA_ARGS__ }

static void test_blocks(void)
{
    /* 0xf800 red, 0x001f blue: four colours; texels 0..3 have the indices 0 1 2 3. */
    static const uint8_t bc1[8] = {0x00, 0xf8, 0x1f, 0x00, 0xe4, 0, 0, 0},
                         three[8] = {0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
    test_block("BC1, the first colour", 35, 0, bc1, 0, WANT(1, 0, 0, 1));
    test_block("BC1, the second", 35, 0, bc1, 1, WANT(0, 0, 1, 1));
    test_block("BC1, a third of the way", 35, 0, bc1, 2, WANT(2 / 3., 0, 1 / 3., 1));
    test_block("BC1, two thirds", 35, 0, bc1, 3, WANT(1 / 3., 0, 2 / 3., 1));
    test_block("BC1 of three colours, the middle", 35, 0, three, 2, WANT(0.5, 0, 0.5, 1));
    test_block("BC1 of three colours, transparent", 35, 0, three, 3, WANT(0, 0, 0, 0));
    test_block("BC1 sRGB", 35, 9, three, 2, WANT(0.21404114, 0, 0.21404114, 1));
    static const uint8_t bc2[16] = {0x50, 0xff, 0, 0, 0, 0, 0, 0, 0x1f, 0x00, 0x00, 0xf8, 0xe4, 0, 0, 0};
    test_block("BC2, alpha 5 of 15, always four colours", 36, 0, bc2, 1, WANT(1, 0, 0, 1 / 3.));
    test_block("BC2, a third", 36, 0, bc2, 3, WANT(2 / 3., 0, 1 / 3., 1));
    /* 255, 0; indices 0 1 2 7 of texels 0..3: 0 | 1 << 3 | 2 << 6 | 7 << 9 = 0xe88 */
    static const uint8_t bc3[16] = {255, 0, 0x88, 0x0e, 0, 0, 0, 0, 0x00, 0xf8, 0x1f, 0x00, 0, 0, 0, 0};
    test_block("BC3, alpha 6 of 7", 37, 0, bc3, 2, WANT(1, 0, 0, 6 / 7.));
    test_block("BC3, alpha 1 of 7", 37, 0, bc3, 3, WANT(1, 0, 0, 1 / 7.));
    static const uint8_t bc4[8] = {0, 255, 0x88, 0x0e, 0, 0, 0, 0};
    test_block("BC4 of six values, a fifth", 38, 0, bc4, 2, WANT(0.2, 0, 0, 1));
    test_block("BC4 of six values, one", 38, 0, bc4, 3, WANT(1, 0, 0, 1));
    static const uint8_t bc4s[8] = {127, 0x81, 0x88, 0x0e, 0, 0, 0, 0};
    test_block("BC4 signed, 5 of 7", 38, 1, bc4s, 2, WANT(5 / 7., 0, 0, 1));
    static const uint8_t bc5[16] = {0, 255, 0x88, 0x0e, 0, 0, 0, 0, 255, 0, 0x88, 0x0e, 0, 0, 0, 0};
    test_block("BC5", 39, 0, bc5, 2, WANT(0.2, 6 / 7., 0, 1));
    /* Mode 11 of BC6: 10 bits each, w = 1023, 0, 0 and x = 0, 0, 1023; indices of four bits, texel 0 of three.
     * 0x3ff is 0xffff, times 31 / 64 is 0x7bff: 65504. */
    static const uint8_t bc6[16] = {0xe3, 0x7f, 0, 0, 0, 0, 0x80, 0xff, 0xf1, 0, 0, 0, 0, 0, 0, 0};
    test_block("BC6, the first end", 40, 0, bc6, 0, WANT(65504, 0, 0, 1));
    test_block("BC6, the last index", 40, 0, bc6, 1, WANT(0, 0, 65504, 1));
    static const uint8_t bc6_reserved[16] = {0x13};
    test_block("BC6, a reserved mode", 40, 0, bc6_reserved, 5, WANT(0, 0, 0, 1));
    /* Mode 6 of BC7: 0x40, then seven bits each of r0 r1 g0 g1 b0 b1 a0 a1, two low bits, indices of four bits. */
    uint8_t bc7[16] = {0x40};
    static const uint8_t ends[8] = {127, 0, 0, 127, 64, 64, 127, 127};
    unsigned bit = 7;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < 7; k++, bit++) bc7[bit / 8] |= (uint8_t)((ends[i] >> k & 1) << bit % 8);
    bc7[bit / 8] |= (uint8_t)(1 << bit % 8); /* the first end's low bit; the second's is 0 */
    bit += 2;
    bit += 3;                               /* texel 0: index 0 */
    for (unsigned k = 0; k < 4; k++, bit++) /* texel 1: 15 */
        bc7[bit / 8] |= (uint8_t)(1 << bit % 8);
    bc7[bit / 8] |= (uint8_t)(1 << bit % 8); /* texel 2: 1, weight 4 of 64 */
    test_block("BC7 mode 6, the first end", 41, 0, bc7, 0, WANT(1, 1 / 255., 129 / 255., 1));
    test_block("BC7 mode 6, the second", 41, 0, bc7, 1, WANT(0, 254 / 255., 128 / 255., 254 / 255.));
    test_block("BC7 mode 6, 4 of 64 between", 41, 0, bc7, 2,
        WANT(((255 * 60 + 32) >> 6) / 255., ((60 + 254 * 4 + 32) >> 6) / 255., ((129 * 60 + 128 * 4 + 32) >> 6) / 255.,
            ((255 * 60 + 254 * 4 + 32) >> 6) / 255.));
    /* Mode 5: 0x20, rotation 1: alpha and red change places; ends of 7 and 8 bits; indices of two bits, for colour and
     * alpha. */
    uint8_t mode5[16] = {0x20 | 0x40};
    bit = 8;
    static const uint8_t ends5[8] = {127, 127, 0, 0, 0, 0, 51, 51}, sizes[8] = {7, 7, 7, 7, 7, 7, 8, 8};
    for (unsigned i = 0; i < 8; i++)
        for (unsigned k = 0; k < sizes[i]; k++, bit++) mode5[bit / 8] |= (uint8_t)((ends5[i] >> k & 1) << bit % 8);
    test_block("BC7 mode 5, rotated", 41, 0, mode5, 9, WANT(51 / 255., 0, 0, 1));
    static const uint8_t bc7_reserved[16] = {0};
    test_block("BC7, a reserved mode", 41, 0, bc7_reserved, 3, WANT(0, 0, 0, 0));
    /* Shared exponents: 2^(e - 24) * m. */
    static const uint8_t shared[4] = {
        0x00, 0x01, 0x02, 0x80}; /* x 256, y 256 >> 1 = bits 17:9 of 0x80020100: 256, z 0, e 16 */
    test_block("5_9_9_9", 34, 7, shared, 0, WANT(1, 1, 0, 1));
    static const uint8_t pair[4] = {255, 51, 0, 102};
    test_block("GB_GR, the left texel", 32, 0, pair, 0, WANT(1, 0.2, 0, 1));
    test_block("GB_GR, the right one", 32, 0, pair, 1, WANT(1, 0.4, 0, 1));
    test_block("BG_RG, the left texel", 33, 0, pair, 0, WANT(0.2, 1, 0.4, 1));
    static const uint8_t bits[1] = {0x05};
    test_block("1, bit 2", 59, 0, bits, 2, WANT(1, 0, 0, 1));
    test_block("1_REVERSED, bit 5", 60, 0, bits, 5, WANT(1, 0, 0, 1));
}

/* ---- Where texels lie ---- */

/* Loads 64 texels at random places of a level; memory holds random bytes. */
static void test_place(
    const char *what, const struct t_sharp *t, unsigned bytes, unsigned level, uint32_t flags, uint32_t slices)
{
    static const uint8_t sizes[17] = {[1] = 1, [2] = 2, [4] = 4, [8] = 11, [16] = 14};
    struct t_sharp im = *t;
    im.dfmt = sizes[bytes];
    im.nfmt = 4;
    bool one = im.type == 8 || im.type == 12, volume = im.type == 10, array = im.type == 11 || flags & DA;
    if (!rig_open(1, 15, flags)) return;
    put_t(&im);
    for (unsigned i = 0; i < BUF; i += 4) {
        uint32_t x = random32();
        memcpy(r.buf->bytes + i, &x, 4);
    }
    uint64_t want[64];
    uint32_t shown = level - im.base_level;
    for (unsigned l = 0; l < 64; l++) {
        uint32_t w = im.width >> level ? im.width >> level : 1, h = im.height >> level ? im.height >> level : 1,
                 d = im.depth >> level ? im.depth >> level : 1;
        uint32_t x = random32() % w, y = one ? 0 : random32() % h, z = volume ? random32() % d : 0,
                 s = array ? random32() % slices : 0;
        unsigned row = 0;
        v(row++)[l] = x;
        if (!one) v(row++)[l] = y;
        if (volume) v(row++)[l] = z;
        if (array) v(row++)[l] = s;
        v(row)[l] = shown;
        want[l] = place(&im, bytes, level, x, y, im.first + s + z);
    }
    struct gpudbg_stop stop = rig_run();
    unsigned wrong = 0;
    for (unsigned l = 0; l < 64; l++) {
        uint32_t x = 0;
        memcpy(&x, r.buf->bytes + want[l], bytes < 4 ? bytes : 4);
        wrong += v(DATA)[l] != x;
    }
    ok(stop.reason != GPUDBG_STOP_FAULT && !wrong, "%s, %u bytes, level %u: %u lanes wrong %s", what, bytes, level,
        wrong, stop.reason == GPUDBG_STOP_FAULT ? stop.message : "");
    rig_close();
}

static void test_places(void)
{
    static const unsigned sizes[] = {1, 2, 4, 8, 16}, tilings[] = {8, 9, 13, 5, 27};
    static const char *const names[] = {"linear", "1D thin, display", "1D thin", "1D thin, depth", "1D thin, rotated"};
    for (unsigned k = 0; k < 5; k++)
        for (unsigned i = 0; i < 5; i++) {
            if (k == 4 && i == 4) continue; /* rotated tiles have at most 64 bits */
            struct t_sharp t = plain;
            char what[80];
            t.tiling = tilings[k];
            snprintf(what, sizeof what, "2D %s", names[k]);
            t.width = 37;
            t.height = 29;
            t.pitch = 64;
            test_place(what, &t, sizes[i], 0, 0, 1);
            t.last_level = 5;
            t.pow2 = 1;
            for (unsigned level = 1; level < 6; level += 2) test_place(what, &t, sizes[i], level, 0, 1);
            t.base_level = 2;
            test_place(what, &t, sizes[i], 3, 0, 1);
            t = plain;
            t.tiling = tilings[k];
            t.type = 13;
            t.depth = 5;
            t.first = 1;
            t.last = 4;
            t.last_level = 2;
            t.pow2 = 1;
            snprintf(what, sizeof what, "2D array %s", names[k]);
            test_place(what, &t, sizes[i], 0, DA, 4);
            test_place(what, &t, sizes[i], 2, DA, 4);
            t.type = 10;
            t.first = t.last = 0;
            t.depth = 7;
            snprintf(what, sizeof what, "3D %s", names[k]);
            test_place(what, &t, sizes[i], 0, 0, 1);
            test_place(what, &t, sizes[i], 1, 0, 1);
            t.type = 11;
            t.depth = 1;
            t.last = 5;
            snprintf(what, sizeof what, "cube %s", names[k]);
            test_place(what, &t, sizes[i], 1, 0, 6);
            t.type = 8;
            t.height = 1;
            t.last = 0;
            t.last_level = 0;
            t.pow2 = 0;
            snprintf(what, sizeof what, "1D %s", names[k]);
            test_place(what, &t, sizes[i], 0, 0, 1);
            t.type = 12;
            t.depth = 3;
            t.last = 2;
            snprintf(what, sizeof what, "1D array %s", names[k]);
            test_place(what, &t, sizes[i], 0, DA, 3);
        }
}

/* 2D tiles: what any layout must have: every element a place of its own, and the whole image no larger than it must be.
 */
static void test_macro(unsigned tiling, unsigned dfmt, unsigned bytes)
{
    struct t_sharp t = plain;
    t.tiling = tiling;
    t.dfmt = dfmt;
    t.width = t.height = 256;
    t.pitch = 256;
    unsigned lost = 0, total = 256 * 256;
    uint8_t *seen = calloc(total, 1);
    for (unsigned y = 0; y < 256; y += 16) { /* 64 lanes store their number; memory says where they went */
        if (!rig_open(8, 1, 0)) break;
        put_t(&t);
        for (unsigned l = 0; l < 64; l++) {
            v(0)[l] = 4 * l + y % 4;
            v(1)[l] = y + l % 16;
            v(DATA)[l] = 1 + l % 64;
        }
        rig_run();
        for (unsigned i = 0; i < total; i++)
            if (r.buf->bytes[i * bytes]) {
                lost += seen[i];
                seen[i] = 1;
            }
        rig_close();
    }
    unsigned found = 0;
    for (unsigned i = 0; i < total; i++) found += seen[i];
    ok(found == 16 * 64 && !lost, "2D thin, row %u, %u bytes: %u of 1024 texels found, %u places met twice", tiling,
        bytes, found, lost);
    free(seen);
}

/* Bank and pipe in the base address move whole interleaves of 256 bytes among banks and pipes: the same texels, other
 * places. */
static void test_swizzle(unsigned swizzle)
{
    struct t_sharp t = plain;
    unsigned at[64], moved = 0, wrong = 0;
    t.tiling = 14;
    t.width = t.height = t.pitch = 256;
    for (unsigned round = 0; round < 2; round++) {
        if (!rig_open(8, 1, 0)) return;
        put_t(&t);
        gcn_s(r.w)[0] += round ? swizzle : 0;
        for (unsigned l = 0; l < 64; l++) {
            v(0)[l] = 4 * l;
            v(1)[l] = 37 * l % 256;
            v(DATA)[l] = 1 + l;
        }
        struct gpudbg_stop stop = rig_run();
        if (stop.reason == GPUDBG_STOP_FAULT) fprintf(stderr, "# %s\n", stop.message);
        unsigned found = 0;
        for (unsigned i = 0; i < BUF / 4; i++) {
            uint32_t x;
            memcpy(&x, r.buf->bytes + 4 * i, 4);
            if (x == 0 || x > 64) continue;
            found++;
            if (round == 0) {
                at[x - 1] = 4 * i;
                continue;
            }
            unsigned unit = at[x - 1] / 256, pipe = unit % 4 ^ swizzle % 4, bank = (unit / 4 % 16) ^ swizzle / 4;
            moved += 4 * i != at[x - 1];
            wrong += 4 * i != (unit / 64 * 64 + bank * 4 + pipe) * 256 + at[x - 1] % 256;
        }
        wrong += found != 64;
        rig_close();
    }
    ok(moved == 64 && !wrong, "swizzle %u in the base address: %u texels moved, %u to the wrong place", swizzle, moved,
        wrong);
}

/* Fragments of a multisampled image have places of their own, and are found there again. */
static void test_fragments(unsigned tiling, unsigned samples_log)
{
    struct t_sharp t = plain;
    t.tiling = tiling;
    t.type = 14;
    t.last_level = samples_log;
    t.width = t.height = t.pitch = 128;
    if (!rig_open(8, 1, 0)) return;
    put_t(&t);
    for (unsigned l = 0; l < 64; l++) {
        v(0)[l] = l % 4 * 9;
        v(1)[l] = l / 16 * 11;
        v(2)[l] = l / 4 % 4; /* fragments above the last are outside */
        v(DATA)[l] = 1 + l;
    }
    struct gpudbg_stop stop = rig_run();
    unsigned found = 0, want = samples_log >= 2 ? 64 : 16u << samples_log;
    for (unsigned i = 0; i < BUF; i += 4) {
        uint32_t x;
        memcpy(&x, r.buf->bytes + i, 4);
        found += x != 0;
    }
    ok(stop.reason != GPUDBG_STOP_FAULT && found == want, "%u fragments, row %u: %u of %u found %s", 1u << samples_log,
        tiling, found, want, stop.reason == GPUDBG_STOP_FAULT ? stop.message : "");
    rig_close();
}

/* With r128 the T# is four dwords: one slice, as narrow as it may be. */
static void test_short(void)
{
    struct t_sharp t = plain;
    t.width = 19;
    if (!rig_open(0, 1, R128)) return;
    put_t(&t);
    for (unsigned i = 4; i < 8; i++) gcn_s(r.w)[i] = 0xffffffff;
    for (uint32_t i = 0; i < 1024; i++) memcpy(r.buf->bytes + 4 * i, &i, 4);
    v(0)[0] = 3;
    v(1)[0] = 2;
    struct gpudbg_stop stop = rig_run();
    ok(stop.reason != GPUDBG_STOP_FAULT && v(DATA)[0] == 2 * 32 + 3, "r128: lines of 32, element %u %s", v(DATA)[0],
        stop.reason == GPUDBG_STOP_FAULT ? stop.message : "");
    rig_close();
}

/* ---- Load and store: components, selection, edges ---- */

static void test_load_store(void)
{
    struct t_sharp t = plain;
    t.dfmt = 10;
    t.sel = 00564; /* w 0, z from y, y from z, x from x */
    if (!rig_open(0, 0xe, TFE)) return;
    put_t(&t);
    static const uint8_t texel[4] = {10, 20, 30, 40};
    memcpy(r.buf->bytes, texel, 4);
    v(0)[1] = 16; /* outside */
    v(DATA + 3)[0] = 99;
    rig_run();
    ok(v(DATA)[0] == 30 && v(DATA + 1)[0] == 20 && v(DATA + 2)[0] == 0 && v(DATA + 3)[0] == 0,
        "dst_sel, dmask and tfe: %u %u %u %u", v(DATA)[0], v(DATA + 1)[0], v(DATA + 2)[0], v(DATA + 3)[0]);
    ok(v(DATA)[1] == 0 && v(DATA + 1)[1] == 0, "outside the image a load gives 0");
    rig_close();
    static const struct {
        unsigned opcode, dfmt;
        uint32_t want;
    } packed[] = {{2, 10, 0x281e140a}, {3, 1, 0xfffffff0}, {4, 10, 0x281e140a}, {5, 2, 0xffff80f0}, {2, 1, 0xf0}};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (!rig_open(packed[i].opcode, 1, 0)) return;
        t = plain;
        t.dfmt = packed[i].dfmt;
        put_t(&t);
        memcpy(r.buf->bytes, packed[i].dfmt == 10 ? "\x0a\x14\x1e\x28" : "\xf0\x80\0\0", 4);
        rig_run();
        ok(v(DATA)[0] == packed[i].want, "packed load, opcode %u: 0x%x", packed[i].opcode, v(DATA)[0]);
        rig_close();
    }
    for (unsigned opcode = 8; opcode <= 11; opcode++) {
        if (!rig_open(opcode, 0x5, 0)) return;
        t = plain;
        t.dfmt = 10;
        t.last_level = 2;
        t.pow2 = 1;
        put_t(&t);
        bool mip = opcode & 1, pck = opcode & 2;
        for (unsigned l = 0; l < 64; l++) {
            v(0)[l] = l;
            v(1)[l] = l == 2 ? 16 : 1;
            v(2)[l] = 1;
            v(DATA)[l] = pck ? 0x01020304 : 0x11;
            v(DATA + 1)[l] = 0x122;
        }
        rig_run();
        uint32_t x, want = pck ? 0x01020304 : 0x00ff0011, outside;
        uint64_t at = place(&t, 4, mip, 0, 1, 0);
        memcpy(&x, r.buf->bytes + at, 4);
        memcpy(&outside, r.buf->bytes + place(&t, 4, mip, 0, 1, 0) + 8, 4);
        ok(x == want && outside == 0, "store, opcode %u: 0x%x, outside nothing", opcode, x);
        rig_close();
    }
}

/* ---- Atomics ---- */

static uint64_t atomic(unsigned opcode, uint64_t old, uint64_t src, uint64_t compare, bool wide)
{
    int64_t so = wide ? (int64_t)old : (int32_t)old, ss = wide ? (int64_t)src : (int32_t)src;
    double fo, fs, fc;
    float a, b, c;
    memcpy(&a, &old, 4), memcpy(&b, &src, 4), memcpy(&c, &compare, 4);
    memcpy(&fo, &old, 8), memcpy(&fs, &src, 8), memcpy(&fc, &compare, 8);
    if (!wide) fo = a, fs = b, fc = c;
    switch (opcode) {
    case 15: return src;
    case 16: return old == compare ? src : old;
    case 17: return old + src;
    case 18: return old - src;
    case 19: return src - old;
    case 20: return ss < so ? src : old;
    case 21: return src < old ? src : old;
    case 22: return ss > so ? src : old;
    case 23: return src > old ? src : old;
    case 24: return old & src;
    case 25: return old | src;
    case 26: return old ^ src;
    case 27: return old >= src ? 0 : old + 1;
    case 28: return old == 0 || old > src ? src : old - 1;
    case 29: return fo == fc ? src : old;
    case 30: return fs < fo ? src : old;
    default: return fs > fo ? src : old;
    }
}

static void test_atomic(unsigned opcode, bool wide, bool glc)
{
    bool compares = opcode == 16 || opcode == 29;
    struct t_sharp t = plain;
    t.dfmt = wide ? 11 : 4;
    unsigned bytes = wide ? 8 : 4, n = wide ? 2 : 1, wrong = 0;
    if (!rig_open(opcode, compares ? (wide ? 15 : 3) : wide ? 3 : 1, UNORM | (glc ? GLC : 0))) return;
    put_t(&t);
    uint32_t src[64][4];
    for (unsigned i = 0; i < 16 * 16 * bytes; i += 4) {
        uint32_t x = random32() % 3 ? random32() : random32() % 4;
        memcpy(r.buf->bytes + i, &x, 4);
    }
    for (unsigned l = 0; l < 64; l++) {
        v(0)[l] = l % 8; /* eight lanes meet at each texel */
        v(1)[l] = l == 63 ? 100 : 2;
        for (unsigned i = 0; i < 4; i++) {
            src[l][i] = random32() % 2 ? random32() : random32() % 4;
            if (i >= n && i < 2 * n && compares && random32() % 2)
                memcpy(&src[l][i], r.buf->bytes + (2 * 16 + l % 8) * bytes + 4 * (i - n), 4);
            v(DATA + i)[l] = src[l][i];
        }
    }
    uint8_t model[16 * 16 * 8];
    memcpy(model, r.buf->bytes, 16 * 16 * bytes);
    rig_run();
    for (unsigned l = 0; l < 64; l++) {
        uint64_t old = 0, s = 0, c = 0;
        bool out = l == 63;
        memcpy(&s, src[l], bytes);
        memcpy(&c, src[l] + n, bytes);
        memcpy(&old, model + (2 * 16 + l % 8) * bytes, bytes);
        uint64_t new = atomic(opcode, old, s, c, wide), got = v(DATA)[l] | (wide ? (uint64_t)v(DATA + 1)[l] << 32 : 0);
        if (!out) memcpy(model + (2 * 16 + l % 8) * bytes, &new, bytes);
        wrong += got != (glc ? out ? 0 : old : s);
    }
    ok(!wrong && memcmp(model, r.buf->bytes, 16 * 16 * bytes) == 0,
        "image atomic, opcode %u, %u bits%s: %u lanes wrong", opcode, 8 * bytes, glc ? ", glc" : "", wrong);
    rig_close();
}

/* ---- Sampling ---- */

static void test_sample(const struct gpudbg_op *op, unsigned type, unsigned round)
{
    const char *name = op->name;
    bool gather = strstr(name, "gather4"), lod_only = strcmp(name, "image_get_lod") == 0;
    bool coarse = has_part(name, "cd"), derived = coarse || has_part(name, "d");
    unsigned dims = type == 8 || type == 12 ? 1 : type == 10 ? 3 : 2;
    bool array = type == 12 || type == 13;
    struct t_sharp t = plain;
    struct s_sharp s;
    t.dfmt = 14;
    t.nfmt = 7;
    t.type = type;
    t.width = 16;
    t.pitch = 16;
    t.height = dims > 1 ? 8 : 1;
    t.depth = dims == 3 ? 4 : array ? 3 : 1;
    t.first = array ? 1 : 0;
    t.last = array ? 2 : 0;
    t.last_level = 3;
    t.pow2 = 1;
    t.tiling = round % 2 ? 13 : 8;
    unsigned component = round % 4;
    if (!rig_open(
            (unsigned)gcn_chips[GCN_CHIP_gfx7].isa.rows[op->id].code, gather ? 1u << component : 15, array ? DA : 0))
        return;
    random_sampler(&s, name);
    put_t(&t);
    put_s(&s);
    for (unsigned i = 0; i < 65536; i += 4) {
        float f = (float)(random32() % 1024) / 1024;
        memcpy(r.buf->bytes + i, &f, 4);
    }
    struct ask ask[64];
    for (unsigned l = 0; l < 64; l++) {
        struct ask *a = &ask[l];
        *a = (struct ask){.mem = r.buf->bytes};
        a->compares = has_part(name, "c");
        a->given = has_part(name, "l");
        a->limited = has_part(name, "cl");
        a->zero = has_part(name, "lz");
        unsigned row = 0;
        if (has_part(name, "o")) {
            for (unsigned i = 0; i < 3; i++) a->offset[i] = i < dims ? (int)(random32() % 16) - 8 : 0;
            v(row++)[l] = ((uint32_t)a->offset[0] & 63) | ((uint32_t)a->offset[1] & 63) << 8 |
                          ((uint32_t)a->offset[2] & 63) << 16;
        }
        if (has_part(name, "b")) set_float(row++, l, a->bias = some(-1, 1));
        if (a->compares) set_float(row++, l, a->reference = some(0, 1));
        for (unsigned i = 0; derived && i < dims; i++) {
            set_float(row + i, l, a->dx[i] = some(-0.4, 0.4));
            set_float(row + dims + i, l, a->dy[i] = some(-0.4, 0.4));
        }
        row += derived ? 2 * dims : 0;
        for (unsigned i = 0; i < dims; i++)
            set_float(row++, l, a->at[i] = s.unnormalized ? some(-6, 22) : some(-1.5, 2.5));
        if (array) {
            double x = some(-0.6, 1.9);
            a->slice = x > 0.5;
            set_float(row++, l, x);
        }
        if (a->given || a->limited) set_float(row++, l, a->level = some(-0.5, 3.5));
    }
    for (unsigned l = 0; l < 64; l++)
        for (unsigned i = 0; i < dims; i++) {
            if (!derived) {
                ask[l].dx[i] = ask[l / 4 * 4 + 1].at[i] - ask[l / 4 * 4].at[i];
                ask[l].dy[i] = ask[l / 4 * 4 + 2].at[i] - ask[l / 4 * 4].at[i];
            } else if (coarse) {
                ask[l].dx[i] = ask[l / 4 * 4].dx[i];
                ask[l].dy[i] = ask[l / 4 * 4].dy[i];
            }
        }
    struct gpudbg_stop stop = rig_run();
    unsigned wrong = 0;
    for (unsigned l = 0; l < 64 && stop.reason != GPUDBG_STOP_FAULT; l++)
        for (unsigned c = 0; c < 4; c++) {
            double want, got = get_float(DATA + c, l);
            const struct ask *a = &ask[l];
            double lod = limited_lod(&s, a, raw_lod(&t, &s, a, dims)), at = fmin(fmax(lod, 0), t.last_level);
            if (lod_only) {
                want = c == 1 ? raw_lod(&t, &s, a, dims) : c ? 0 : s.mip == 0 ? 0 : s.mip == 1 ? floor(at + 0.5) : at;
            } else if (gather) {
                static const int ox[4] = {0, 1, 1, 0}, oy[4] = {1, 1, 0, 0};
                unsigned level = s.mip == 0 ? 0 : (unsigned)floor(at + 0.5);
                int w = sizes_of(&t, 0, level), h = sizes_of(&t, 1, level);
                int i[3] = {clamped(s.clamp[0], (int)floor(scaled(&s, a, 0, w) - 0.5) + ox[c], w),
                    clamped(s.clamp[1], (int)floor(scaled(&s, a, 1, h) - 0.5) + oy[c], h), 0};
                want = texel_at(&t, &s, a, level, i, component);
            } else {
                want = sample_value(&t, &s, a, dims, c);
            }
            if (fabs(got - want) > 2e-5 && wrong++ == 0)
                fprintf(stderr,
                    "# lane %u component %u: %g, not %g (clamp %u %u, mag %u min %u mip %u, mode %u, level %g)\n", l, c,
                    got, want, s.clamp[0], s.clamp[1], s.mag, s.min, s.mip, s.mode, lod);
        }
    ok(stop.reason != GPUDBG_STOP_FAULT && !wrong, "%s, type %u, %u: %u wrong %s", name, type, round, wrong,
        stop.reason == GPUDBG_STOP_FAULT ? stop.message : "");
    rig_close();
}

static void test_samples(void)
{
    static const unsigned types[] = {9, 13, 10, 8, 12};
    unsigned rows = 0;
    for (size_t i = 0; i < gcn_chips[GCN_CHIP_gfx7].isa.nops; i++) {
        if (!gpudbg_has_op(&gcn_chips[GCN_CHIP_gfx7].isa, i)) continue;
        const struct gpudbg_op *op = &gcn_chips[GCN_CHIP_gfx7].isa.ops[i];
        bool gather = strncmp(op->name, "image_gather4", 13) == 0;
        if (strncmp(op->name, "image_sample", 12) != 0 && !gather && strcmp(op->name, "image_get_lod") != 0) continue;
        if (strcmp(op->name, "image_sampler") == 0) continue;
        rows++;
        for (unsigned k = 0; k < 5; k++)
            for (unsigned round = 0; round < (k ? 2 : 6); round++)
                if (!gather || types[k] == 9 || types[k] == 13) test_sample(op, types[k], round);
    }
    is_int(rows, 65, "rows with a sampler");
}

/* A point on an edge of a cube has one colour, whichever face it is taken from. */
static void test_cube(void)
{
    static const struct {
        unsigned face[2];
        double x[2], y[2]; /* along the edge: where x or y is -1, i in [0, 1] goes there, 1 - i where it is -2 */
    } edges[] = {
        {{0, 4}, {1, 2}, {-1, -1}},
        {{0, 5}, {2, 1}, {-1, -1}},
        {{1, 4}, {2, 1}, {-1, -1}},
        {{0, 2}, {-1, 2}, {1, -2}},
        {{4, 2}, {-1, -1}, {1, 2}},
        {{4, 3}, {-1, -1}, {2, 1}},
        {{5, 2}, {-1, -2}, {1, 1}},
        {{1, 3}, {-1, 1}, {2, -2}},
    };
    struct t_sharp t = plain;
    struct s_sharp s = {.clamp = {2, 2, 2}, .mag = 1, .min = 1, .most = 0xfff};
    t.dfmt = 14;
    t.nfmt = 7;
    t.type = 11;
    t.width = t.height = t.pitch = 8;
    t.last = 5;
    if (!rig_open(39, 15, DA)) return;
    put_t(&t);
    put_s(&s);
    for (unsigned i = 0; i < 65536; i += 4) {
        float f = (float)(random32() % 1024) / 1024;
        memcpy(r.buf->bytes + i, &f, 4);
    }
    for (unsigned e = 0; e < 8; e++)
        for (unsigned k = 0; k < 8; k++) {
            double i = 0.1 + 0.1 * (k / 2);
            double x = edges[e].x[k % 2], y = edges[e].y[k % 2];
            set_float(0, 8 * e + k, x == -1 ? 1 + i : x == -2 ? 2 - i : x);
            set_float(1, 8 * e + k, y == -1 ? 1 + i : y == -2 ? 2 - i : y);
            set_float(2, 8 * e + k, edges[e].face[k % 2]);
        }
    rig_run();
    for (unsigned e = 0; e < 8; e++) {
        unsigned wrong = 0;
        for (unsigned k = 0; k < 8; k += 2)
            for (unsigned c = 0; c < 4; c++)
                wrong += fabs((double)get_float(DATA + c, 8 * e + k) - (double)get_float(DATA + c, 8 * e + k + 1)) >
                         1e-5;
        ok(!wrong, "faces %u and %u of a cube join: %u wrong", edges[e].face[0], edges[e].face[1], wrong);
    }
    rig_close();
}

/* ---- What an image is; what is refused ---- */

static void test_info(void)
{
    struct t_sharp t = plain;
    t.width = 37;
    t.height = 20;
    t.pitch = 40;
    t.type = 13;
    t.depth = 9;
    t.first = 2;
    t.last = 8;
    t.base_level = 1;
    t.last_level = 4;
    if (!rig_open(14, 15, DA)) return;
    put_t(&t);
    v(0)[1] = 2;
    v(0)[2] = 4;
    rig_run();
    static const uint32_t want[3][4] = {{18, 10, 7, 4}, {4, 2, 7, 4}, {0, 0, 0, 4}};
    for (unsigned l = 0; l < 3; l++)
        ok(v(DATA)[l] == want[l][0] && v(DATA + 1)[l] == want[l][1] && v(DATA + 2)[l] == want[l][2] &&
                v(DATA + 3)[l] == want[l][3],
            "resinfo, level %u: %u %u %u %u", v(0)[l], v(DATA)[l], v(DATA + 1)[l], v(DATA + 2)[l], v(DATA + 3)[l]);
    rig_close();
}

static void refused(
    const char *what, unsigned opcode, const struct t_sharp *t, const struct s_sharp *s, const char *field)
{
    static const struct s_sharp usual = {.most = 0xfff};
    if (!rig_open(opcode, 1, 0)) return;
    put_t(t);
    put_s(s ? s : &usual);
    v(DATA)[0] = 77;
    struct gpudbg_stop stop = rig_run();
    ok(stop.reason == GPUDBG_STOP_FAULT && strstr(stop.message, field) && v(DATA)[0] == 77, "%s is refused by name: %s",
        what, stop.message);
    rig_close();
}

static void test_refused(void)
{
    struct t_sharp t;
    struct s_sharp s = {.most = 0xfff};
#define REFUSED(what, opcode, field, ...) (t = plain, __VA_ARGS__, refused(what, opcode, &t, NULL, field))
    REFUSED("a reserved data format", 0, "T#.data_format", t.dfmt = 15);
    REFUSED("a float of 8 bits", 0, "T#.num_format", (t.dfmt = 1, t.nfmt = 7));
    REFUSED("a format that the manual only names", 0, "not described by the manual", t.dfmt = 61);
    REFUSED("a buffer", 0, "T#.type", t.type = 0);
    REFUSED("a reserved selection", 0, "T#.dst_sel_y", t.sel = 07624);
    REFUSED("a base level above the last", 0, "T#.base_level", t.base_level = 1);
    REFUSED("more levels than there can be", 0, "T#.last_level", t.last_level = 5);
    REFUSED("slices backwards", 0, "T#.base_array", (t.type = 13, t.first = 3, t.last = 1));
    REFUSED("a cube of five faces", 0, "T#.last_array", (t.type = 11, t.last = 4));
    REFUSED("a pitch below the width", 0, "T#.pitch", t.pitch = 8);
    REFUSED("a row of the tiling table that the manual does not describe", 0, "tiling_index is 15", t.tiling = 15);
    REFUSED("a line with a height", 0, "T#.height", t.type = 8);
    REFUSED("a multisampled image in a sample", 39, "T#.type", (t.type = 14, t.tiling = 14));
    REFUSED("an atomic of 8 bits", 17, "T#.data_format", t.dfmt = 1);
    REFUSED("a store into compressed blocks", 8, "T#.data_format", (t.dfmt = 35, t.nfmt = 0));
#undef REFUSED
    t = plain;
    t.nfmt = 7;
    s.unnormalized = 1;
    refused("unnormalised coordinates that repeat", 39, &t, &s, "S#.clamp_x");
    t.nfmt = 4;
    s = (struct s_sharp){.mag = 1};
    refused("a linear filter of integers", 39, &t, &s, "T#.num_format");
    t.last_level = 2;
    s = (struct s_sharp){.mip = 2, .most = 0xfff};
    refused("integers blended between levels", 39, &t, &s, "T#.num_format");
    t.last_level = 0;
    t.type = 10;
    s = (struct s_sharp){.z = 2, .most = 0xfff};
    refused("integers blended between slices of a volume", 39, &t, &s, "T#.num_format");
    t.type = 9;
    t.nfmt = 7;
    s = (struct s_sharp){.mag = 2, .ratio = 5};
    refused("more than 16 taps", 39, &t, &s, "S#.[11:9]");
    s = (struct s_sharp){.mode = 3};
    refused("filter mode 3", 39, &t, &s, "S#.filter_mode");
    s = (struct s_sharp){.least = 257, .most = 256};
    refused("a least level of detail above the greatest", 39, &t, &s, "S#.min_lod");
}

/* Clamps of dimensions that an image has not say nothing: y is WRAP. */
static void test_line(void)
{
    struct t_sharp t = plain;
    struct s_sharp s = {.clamp = {2}, .unnormalized = 1, .most = 0xfff};
    t.type = 8;
    t.height = 1;
    if (!rig_open(39, 1, 0)) return;
    put_t(&t);
    put_s(&s);
    for (unsigned i = 0; i < t.width; i++) {
        const float f = (float)(10 * i);
        memcpy(r.buf->bytes + 4 * i, &f, 4);
    }
    set_float(0, 5, 3);
    const struct gpudbg_stop stop = rig_run();
    ok(stop.reason != GPUDBG_STOP_FAULT && get_float(DATA, 5) == 30, "a line, unnormalised, clamp_y WRAP: %g %s",
        get_float(DATA, 5), stop.message);
    rig_close();
}

/* A coordinate in the launch's last VGPR is enough for a line, and too little for an image.  Far outside of it: 0 is
 * loaded. */
static void test_last_vgpr(void)
{
    static const uint32_t code[] = {
        0xf0000100u | UNORM, 7, 0xbf810000u}; /* image_load v0, v7, s[0:7] dmask:0x1 unorm */
    struct gcn_setup setup = {0};
    for (unsigned type = 8; type < 10; type++) {
        struct wave7 t;
        wave7_open(&t, code, 3, 8);
        gcn_of(&t.wave)->setup = &setup;
        t.s[1] = 4u << 20 | 4u << 26; /* 32 bits, unsigned */
        t.s[2] = 3;                   /* four texels */
        t.s[3] = type << 28 | 07654;
        t.s[4] = 63u << 13;
        for (unsigned l = 0; l < 64; l++) {
            wave7_row(&t, 0)[l] = 77;
            wave7_row(&t, 7)[l] = 1000;
        }
        is_int(wave7_run(&t, 10), type == 8 ? GPUDBG_RAN_END : GPUDBG_RAN_FAULT, "an address in the last VGPR, type %u",
            type);
        is_int(wave7_row(&t, 0)[5], type == 8 ? 0 : 77, "... %s: %s", type == 8 ? "is loaded from" : "stops",
            t.machine.stop.message);
        wave7_close(&t);
    }
}

/* Descriptors and addresses of any bits: the instruction runs or stops with a reason; nothing else happens. */
static void test_hostile(void)
{
    unsigned ran = 0, stopped = 0, other = 0;
    for (unsigned n = 0; n < 1500; n++) {
        unsigned opcode = random32() % 112;
        bool exists = (opcode < 6 || (opcode > 7 && opcode < 12) || (opcode > 13 && opcode < 97) || opcode > 103);
        exists = exists && opcode != 66 && opcode != 67 && opcode != 74 && opcode != 75 && opcode != 82 &&
                 opcode != 83 && opcode != 90 && opcode != 91;
        if (!exists || !rig_open(opcode, 1 + random32() % 15, random32() & 0x3f000)) continue;
        struct t_sharp t = plain;
        struct s_sharp s = {.most = 0xfff};
        t.width = 1 + random32() % 200;
        t.pitch = t.width + random32() % 64;
        t.tiling = (const uint8_t[]){8, 13, 14, 5, 2, 27, 9, 10}[random32() % 8];
        put_t(&t);
        put_s(&s);
        for (unsigned k = random32() % 6; k > 0; k--) gcn_s(r.w)[random32() % 12] ^= 1u << random32() % 32;
        if (random32() % 4 == 0)
            for (unsigned i = 0; i < 12; i++) gcn_s(r.w)[i] = random32();
        for (unsigned i = 0; i < 12; i++)
            for (unsigned l = 0; l < 64; l++) v(i)[l] = random32() % 2 ? random32() : random32() % 64;
        struct gpudbg_stop stop = rig_run();
        bool fault = stop.reason == GPUDBG_STOP_FAULT;
        ran += !fault;
        stopped += fault && *stop.message;
        other += fault && !*stop.message;
        rig_close();
    }
    ok(ran && stopped && !other, "random descriptors: %u ran, %u stopped with a reason", ran, stopped);
}

int main(void)
{
    struct gpudbg_error err = {0};
    r.g = session_open(command_families, builtin_plugins, &err);
    if (!r.g) return 1;
    test_formats();
    test_blocks();
    test_places();
    for (unsigned i = 0; i < 5; i++) {
        static const unsigned dfmts[] = {1, 2, 4, 11, 14};
        test_macro(14, dfmts[i], 1u << i);
        test_macro(10, dfmts[i], 1u << i);
        test_macro(2, dfmts[i], 1u << i);
    }
    for (unsigned i = 1; i < 4; i++) {
        test_fragments(14, i);
        test_fragments(2, i);
    }
    test_swizzle(1);
    test_swizzle(4);
    test_swizzle(39);
    test_short();
    test_load_store();
    for (unsigned opcode = 15; opcode <= 31; opcode++)
        for (unsigned k = 0; k < 4; k++) test_atomic(opcode, k & 1, k & 2);
    test_samples();
    test_cube();
    test_info();
    test_refused();
    test_line();
    test_last_vgpr();
    test_hostile();
    test_pictures();
    session_close(r.g);
    return tap_done();
}
