/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texel.c: see texel.h.  Formats 1 to 14 are the buffers' (buffer_format.h).  Names of packed formats count from the
 * top bit: 5_6_5 has x in bits 4:0.  UB formats hold a signed number with half the range added.
 */
#include "image/texel.h"

#include "gpudbg/lanes.h"
#include <string.h>

#include "memory/buffer_format.h"
#include "gpudbg/endian.h"

enum { FIRST_OWN = 16 };

/* Bits of x, y, z, w of the formats that buffers lack, and of fragment masks, which programs see as bits. */
static const uint8_t widths[64][4] = {
    [16] = {5, 6, 5},
    [17] = {5, 5, 5, 1},
    [18] = {1, 5, 5, 5},
    [19] = {4, 4, 4, 4},
    [20] = {24, 8},
    [21] = {8, 24},
    [22] = {32, 8},
    [44] = {8},
    [45] = {8},
    [46] = {8},
    [47] = {8},
    [48] = {8},
    [49] = {8},
    [50] = {16},
    [51] = {16},
    [52] = {32},
    [53] = {32},
    [54] = {32},
    [55] = {32, 32},
    [56] = {32, 32},
    [57] = {4, 4},
    [58] = {5, 5, 6},
};

/* Formats whose components are not plain bit fields, and blocks of several texels. */
static const struct {
    uint8_t bytes, width, height;
} blocks[64] = {
    [22] = {8, 1, 1},
    [GCN_DATA_GB_GR] = {4, 2, 1},
    [GCN_DATA_BG_RG] = {4, 2, 1},
    [GCN_DATA_5_9_9_9] = {4, 1, 1},
    [35] = {8, 4, 4},
    [36] = {16, 4, 4},
    [37] = {16, 4, 4},
    [38] = {8, 4, 4},
    [39] = {16, 4, 4},
    [40] = {16, 4, 4},
    [41] = {16, 4, 4},
    [GCN_DATA_1] = {1, 8, 1},
    [GCN_DATA_1_REVERSED] = {1, 8, 1},
};

/* ---- Formats ---- */

static bool has_float(const uint8_t *bits)
{
    for (unsigned i = 0; i < 4 && bits[i]; i++)
        if (bits[i] != 32 && bits[i] != 16 && bits[i] != 11 && bits[i] != 10 && !(i == 1 && bits[0] == 32))
            return false;
    return true;
}

static bool number_fits(unsigned dfmt, unsigned nfmt, const uint8_t *bits)
{
    if (dfmt >= GCN_DATA_BC1 && dfmt <= GCN_DATA_BC7) {
        bool color = dfmt <= 37 || dfmt == GCN_DATA_BC7;
        return nfmt == GCN_NUM_UNORM || (color ? nfmt == GCN_NUM_SRGB : nfmt == GCN_NUM_SNORM);
    }
    if (dfmt == GCN_DATA_5_9_9_9) return nfmt == GCN_NUM_FLOAT;
    if (nfmt == GCN_NUM_FLOAT) return bits && has_float(bits);
    if (nfmt == GCN_NUM_SRGB) return !bits || bits[0] <= 16;
    return nfmt <= GCN_NUM_UBSCALED && nfmt != 8;
}

const char *gcn_texel_format(unsigned dfmt, unsigned nfmt, struct gcn_texel *t)
{
    *t = (struct gcn_texel){.dfmt = (uint8_t)dfmt, .nfmt = (uint8_t)nfmt, .width = 1, .height = 1};
    if (dfmt >= 64) return "data_format";
    const uint8_t *bits = dfmt < FIRST_OWN ? gcn_format_widths(dfmt) : widths[dfmt];
    if (bits[0]) t->bits = bits;
    if (blocks[dfmt].bytes) {
        t->bytes = blocks[dfmt].bytes;
        t->width = blocks[dfmt].width;
        t->height = blocks[dfmt].height;
    } else {
        t->bytes = (uint8_t)((bits[0] + bits[1] + bits[2] + bits[3]) / 8);
    }
    return !t->bytes ? "data_format" : !number_fits(dfmt, nfmt, t->bits) ? "num_format" : NULL;
}

/* Formats from 128 on, in the order of their numbers; the first ones are the buffers'.  Those of video (MM) and YCbCr
 * are not known. */
bool gcn_texel_format_newer(unsigned format, unsigned *dfmt, unsigned *nfmt)
{
    enum { FIRST = 128, U = GCN_NUM_UNORM, S = GCN_NUM_SNORM, I = GCN_NUM_UINT, F = GCN_NUM_FLOAT, C = GCN_NUM_SRGB };
    static const uint8_t formats[][2] = {{1, C}, {3, C}, {10, C}, {0, F}, {34, F}, {16, U}, {17, U}, {18, U}, {19, U},
        {57, U}, {59, U}, {60, U}, {0, F}, {20, U}, {20, I}, {21, U}, {21, I}, {22, I}, {22, F}, {32, U}, {32, S},
        {32, I}, {32, C}, {33, U}, {33, S}, {33, I}, {33, C}, {0, U}, {44, I}, {45, I}, {46, I}, {47, I}, {48, I},
        {49, I}, {50, I}, {51, I}, {52, I}, {53, I}, {54, I}, {55, I}, {56, I}, {35, U}, {35, C}, {36, U}, {36, C},
        {37, U}, {37, C}, {38, U}, {38, S}, {39, U}, {39, S}, {40, U}, {40, S}, {41, U}, {41, C}};
    if (format < FIRST) return gcn_format_newer(format, dfmt, nfmt);
    if (format - FIRST >= sizeof formats / sizeof *formats) return false;
    *dfmt = formats[format - FIRST][0];
    *nfmt = formats[format - FIRST][1];
    return *dfmt != 0;
}

bool gcn_texel_is_integer(const struct gcn_texel *t)
{
    return t->nfmt == GCN_NUM_UINT || t->nfmt == GCN_NUM_SINT || t->nfmt == GCN_NUM_UBINT;
}

static uint32_t one(const struct gcn_texel *t) { return gcn_texel_is_integer(t) ? 1 : 0x3f800000; }

/* The number format without its bias. */
static unsigned plain(unsigned nfmt)
{
    static const uint8_t unbiased[] = {GCN_NUM_SNORM, GCN_NUM_SNORM_OGL, GCN_NUM_SINT, GCN_NUM_SSCALED};
    return nfmt >= GCN_NUM_UBNORM ? unbiased[nfmt - GCN_NUM_UBNORM]
           : nfmt == GCN_NUM_SRGB ? (unsigned)GCN_NUM_UNORM
                                  : nfmt;
}

static uint32_t bias(unsigned nfmt, unsigned bits) { return nfmt >= GCN_NUM_UBNORM ? 1u << (bits - 1) : 0; }

/* ---- Loading ---- */

static uint32_t component(const struct gcn_texel *t, uint32_t v, unsigned bits, unsigned i)
{
    if (t->nfmt == GCN_NUM_SRGB && i < 3) return lanes_bits32((float)gcn_linear(v / (double)((1u << bits) - 1)));
    if (t->nfmt == GCN_NUM_SNORM && bits == 1) return v ? 0xbf800000 : 0; /* only a sign */
    return gcn_component_load(v ^ bias(t->nfmt, bits), bits, plain(t->nfmt));
}

static void load_fields(const struct gcn_texel *t, const uint8_t *block, uint32_t out[4])
{
    uint32_t raw[4] = {0};
    unsigned bit = 0;
    for (unsigned i = 0; i < t->bytes; i += 4)
        raw[i / 4] = (uint32_t)le_get(block + i, t->bytes - i < 4u ? t->bytes - i : 4);
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = t->bits[i];
        uint32_t v = raw[bit / 32] >> bit % 32 & (bits == 32 ? UINT32_MAX : (1u << bits) - 1);
        out[i] = bits ? component(t, v, bits, i) : i == 3 ? one(t) : 0;
        bit += bits;
    }
}

/* Three mantissas of 9 bits without a leading one, an exponent of 5. */
static void load_shared_exponent(const uint8_t *block, uint32_t out[4])
{
    uint32_t v = le_u32(block);
    for (unsigned i = 0; i < 3; i++)
        out[i] = lanes_bits32(lanes_ldexp32((float)(v >> 9 * i & 511), (int32_t)(v >> 27) - 24));
    out[3] = 0x3f800000;
}

/* Two texels share red and blue; each has its own green. */
static void load_pair(const struct gcn_texel *t, const uint8_t *block, unsigned x, uint32_t out[4])
{
    bool green_first = t->dfmt == GCN_DATA_BG_RG;
    unsigned red = green_first ? 1 : 0, blue = green_first ? 3 : 2, green = 2 * x + (green_first ? 0 : 1);
    out[0] = component(t, block[red], 8, 0);
    out[1] = component(t, block[green], 8, 1);
    out[2] = component(t, block[blue], 8, 2);
    out[3] = one(t);
}

void gcn_texel_load(const struct gcn_texel *t, const uint8_t *block, unsigned x, unsigned y, uint32_t out[4])
{
    if (t->bits) {
        load_fields(t, block, out);
    } else if (t->dfmt == GCN_DATA_5_9_9_9) {
        load_shared_exponent(block, out);
    } else if (t->dfmt == GCN_DATA_GB_GR || t->dfmt == GCN_DATA_BG_RG) {
        load_pair(t, block, x, out);
    } else if (t->dfmt == GCN_DATA_1 || t->dfmt == GCN_DATA_1_REVERSED) {
        out[0] = component(t, *block >> (t->dfmt == GCN_DATA_1 ? x : 7 - x) & 1, 1, 3);
        out[1] = out[2] = 0;
        out[3] = one(t);
    } else {
        gcn_block_load(t, block, 4 * y + x, out);
    }
}

/* ---- Storing ---- */

static uint32_t stored(const struct gcn_texel *t, uint32_t v, unsigned bits, unsigned i)
{
    if (t->nfmt == GCN_NUM_SRGB && i < 3) {
        double x = lanes_f32(v);
        x = x > 0 ? x < 1 ? gcn_srgb(x) : 1 : 0;
        return (uint32_t)(x * ((1u << bits) - 1) + 0.5);
    }
    uint32_t mask = bits == 32 ? UINT32_MAX : (1u << bits) - 1;
    return (gcn_component_store(v, bits, plain(t->nfmt)) ^ bias(t->nfmt, bits)) & mask;
}

/* The largest component decides the exponent, so that it keeps 9 bits; the others follow.  Rounded to the nearest. */
static void store_shared_exponent(const uint32_t in[4], uint8_t *block)
{
    double c[3], most = 0;
    for (unsigned i = 0; i < 3; i++) {
        double v = lanes_f32(in[i]);
        c[i] = v > 0 ? v < 65408 ? v : 65408 : 0;
        most = c[i] > most ? c[i] : most;
    }
    int e = most > 0 ? lanes_exponent64(most) + 15 : 0;
    e = e < 0 ? 0 : e;
    if ((uint32_t)(lanes_ldexp64(most, 24 - e) + 0.5) == 512) e++;
    uint32_t v = (uint32_t)e << 27;
    for (unsigned i = 0; i < 3; i++) v |= (uint32_t)(lanes_ldexp64(c[i], 24 - e) + 0.5) << 9 * i;
    memcpy(block, &v, 4);
}

void gcn_texel_store(const struct gcn_texel *t, const uint32_t in[4], uint8_t *block)
{
    uint64_t raw[2] = {0};
    unsigned bit = 0;
    if (t->dfmt == GCN_DATA_5_9_9_9) {
        store_shared_exponent(in, block);
        return;
    }
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = t->bits[i];
        if (bits) raw[bit / 64] |= (uint64_t)stored(t, in[i], bits, i) << bit % 64;
        bit += bits;
    }
    memcpy(block, raw, t->bytes);
}
