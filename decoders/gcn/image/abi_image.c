/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * abi_image.c: images and samplers as arguments of compiled kernels.
 *
 * The kernel gets a pointer to a descriptor in memory: for an image the T# (eight dwords; of an image1d_buffer_t a V#,
 * four) followed by the values that OpenCL's built-in functions read: dword 8 the kind of channels, 9 their order (both
 * as HSA numbers them), 10 the width.  For a sampler the S#.  Observed with clang 19 and its device library.
 */
#include "image/abi_image.h"
#include "code/bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "code/gcn_decoder.h"
#include "image/texel.h"

#define LINEAR_ROW 8u /* of the tiling table: image_layout.c */

struct shape {
    uint32_t dfmt, nfmt, stride; /* stride: bytes, 0: packed */
    uint32_t size[3];            /* as typed; 0: not given */
};

/* ---- Formats ---- */

/* Names of the command line; the manual's own are the data format's numbers, "_", and the number format's word. */
static const struct {
    const char *name;
    uint8_t dfmt, nfmt;
} names[] = {
    {"r32_uint", GCN_DATA_32, GCN_NUM_UINT},
    {"r32_sint", GCN_DATA_32, GCN_NUM_SINT},
    {"r32_float", GCN_DATA_32, GCN_NUM_FLOAT},
    {"uint4", GCN_DATA_32_32_32_32, GCN_NUM_UINT},
    {"sint4", GCN_DATA_32_32_32_32, GCN_NUM_SINT},
    {"float4", GCN_DATA_32_32_32_32, GCN_NUM_FLOAT},
    {"unorm8x4", GCN_DATA_8_8_8_8, GCN_NUM_UNORM},
};

static bool named(const struct gpudbg_enum *e, const char *text, size_t n, uint32_t *value)
{
    for (size_t i = 0; i < e->count; i++) {
        const char *name = strstr(e->values[i].name, "FORMAT_");
        if (name && strncasecmp(name + 7, text, n) == 0 && strlen(name + 7) == n) {
            *value = (uint32_t)e->values[i].value;
            return true;
        }
    }
    return false;
}

static bool format_of(const char *text, size_t n, struct shape *s)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].name) == n && strncasecmp(names[i].name, text, n) == 0) {
            s->dfmt = names[i].dfmt;
            s->nfmt = names[i].nfmt;
            return true;
        }
    size_t cut = n;
    while (cut && text[cut - 1] != '_') cut--;
    if (cut > 1 && cut + 3 < n && strncasecmp(text + cut, "ogl", 3) == 0) cut = 0;
    if (cut < 2 || !named(&gcn_enum[GCN_E_IMG_NUM_FORMAT], text + cut, n - cut, &s->nfmt)) return false;
    if (cut == 4 && strncasecmp(text, "bc", 2) == 0 && text[2] >= '1' && text[2] <= '7') {
        s->dfmt = (uint32_t)(GCN_DATA_BC1 + text[2] - '1');
        return true;
    }
    return named(&gcn_enum[GCN_E_IMG_DATA_FORMAT], text, cut - 1, &s->dfmt);
}

/* FORMAT[/STRIDE][:WxH[xD]] */
static bool read_shape(const char *what, const char *text, struct shape *s, struct gpudbg_error *err)
{
    size_t n = strcspn(text, "/:");
    int end = 0;
    memset(s, 0, sizeof *s);
    if (!format_of(text, n, s))
        return gpudbg_fail(err, "bad-argument", "%s: '%.*s' is not an image format", what, (int)n, text);
    text += n;
    if (*text == '/' && (sscanf(text, "/%" SCNu32 "%n", &s->stride, &end) != 1 || !s->stride))
        return gpudbg_fail(
            err, "bad-argument", "%s: '%.40s': the bytes from one line to the next must follow '/'", what, text);
    text += end;
    if (*text == ':') {
        char *after = (char *)text;
        for (unsigned i = 0; i < 3 && (i == 0 || *after == 'x'); i++)
            s->size[i] = (uint32_t)strtoul(after + 1, &after, 10);
        text = after;
    }
    return !*text || gpudbg_fail(err, "bad-argument", "%s: '%.40s' is not a size: write :WxH[xD]", what, text);
}

/* ---- Images ---- */

enum { TYPE_3D = 10, TYPE_1D_ARRAY = 12, TYPE_2D_ARRAY }; /* T#.TYPE */

static const struct {
    const char *name;
    uint8_t type, sizes; /* T#.TYPE; how many numbers the size has */
} types[] = {{"image1d_array_t", 12, 2}, {"image1d_t", 8, 1}, {"image2d_array_t", 13, 3}, {"image2d_t", 9, 2},
    {"image3d_t", 10, 3}, {"image2d_depth_t", 9, 2}, {"image2d_array_depth_t", 13, 3}};

static void put_word(uint8_t *to, unsigned i, uint32_t v) { le_put(to + 4 * i, v, 4); }

static void put_words(uint8_t *to, const uint32_t *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++) put_word(to, i, v[i]);
}

/* Components of a texel; 0 of compressed ones. */
static unsigned channels_of(const struct gcn_texel *t)
{
    unsigned n = 0;
    while (n < 4 && t->bits && t->bits[n]) n++;
    return n;
}

/* DST_SEL of T#: a missing channel is 0, a missing alpha 1, in OpenCL also for the border. */
static uint32_t selection(const struct gcn_texel *t)
{
    static const uint16_t sel[5] = {07654, 01004, 01054, 01654, 07654}; /* w z y x */
    return sel[channels_of(t)];
}

/* HSA's numbers of kinds and orders of channels. */
static void put_channels(uint8_t *to, const char *type, const struct gcn_texel *t, uint32_t width)
{
    unsigned bits = t->bits ? t->bits[0] : 8, n = channels_of(t), size = bits == 8 ? 0 : bits == 16 ? 1 : 2;
    uint32_t kind = t->nfmt == GCN_NUM_SNORM       ? size
                    : t->nfmt == GCN_NUM_SINT      ? 8 + size
                    : t->nfmt == GCN_NUM_UINT      ? 11 + size
                    : t->nfmt == GCN_NUM_FLOAT     ? (bits == 16 ? 14 : 15)
                    : bits == 24                   ? 4
                    : bits == 5 && t->bits[1] == 6 ? 6
                    : bits == 5                    ? 5
                    : bits == 10                   ? 7
                                                   : 2 + size;
    static const uint8_t order[5] = {8, 1, 3, 6, 8};
    put_word(to, 8, kind);
    put_word(to, 9, strstr(type, "depth") ? 18u : t->nfmt == GCN_NUM_SRGB && n == 4 ? 14u : order[n]);
    put_word(to, 10, width);
}

/* The number that newer chips have for a data and a number format; 0: none. */
static uint32_t newer_format(const struct gcn_texel *t)
{
    for (uint32_t format = 1; format < 512; format++) {
        unsigned dfmt, nfmt;
        if (gcn_texel_format_newer(format, &dfmt, &nfmt) && dfmt == t->dfmt && nfmt == t->nfmt) return format;
    }
    return 0;
}

static bool is_newer(const struct gcn_chip *chip) { return chip && chip->newer_buffers; }

static bool put_buffer_image(const char *what, const struct gpudbg_bound *b, const struct gcn_chip *chip,
    const struct shape *s, const struct gcn_texel *t, uint8_t *to, struct gpudbg_error *err)
{
    if (s->dfmt > GCN_DATA_32_32_32_32 || s->nfmt > GCN_NUM_FLOAT)
        return gpudbg_fail(err, "bad-argument", "%s: '%s' is not a buffer format", what, b->format);
    uint64_t width = s->size[0] ? s->size[0] : b->size / t->bytes;
    if (width * t->bytes > b->size)
        return gpudbg_fail(err, "bad-argument",
            "%s: %" PRIu64 " texels take %" PRIu64 " bytes, the buffer has %" PRIu64, what, width, width * t->bytes,
            b->size);
    uint32_t v[4] = {0};
    SET(v, V_SHARP, base_address, b->segment->base);
    SET(v, V_SHARP, stride, t->bytes);
    SET(v, V_SHARP, num_records, width);
    SET(v, V_SHARP, dst_sel_x, 4);
    SET(v, V_SHARP, dst_sel_y, 5);
    SET(v, V_SHARP, dst_sel_z, 6);
    SET(v, V_SHARP, dst_sel_w, 7);
    if (is_newer(chip)) {
        SET(v, V_SHARP_NEWER, format, newer_format(t));
        SET(v, V_SHARP_NEWER, resource_level, 1);
        SET(v, V_SHARP_NEWER, oob_select, 1); /* by the index */
    } else {
        SET(v, V_SHARP, num_format, s->nfmt);
        SET(v, V_SHARP, data_format, s->dfmt);
    }
    put_words(to, v, 4);
    put_channels(to, "image1d_buffer_t", t, (uint32_t)width);
    return true;
}

/* An image as newer chips describe it: its lines have a multiple of 256 bytes, and if the chip cannot say how many,
 * the least that hold a line. */
static bool put_newer(const char *what, const struct gcn_chip *chip, const struct gcn_texel *t, uint32_t words[8],
    const uint32_t size[3], uint64_t stride, unsigned type, struct gpudbg_error *err)
{
    const uint64_t across = (size[0] + t->width - 1) / t->width, least = (across * t->bytes + 255) / 256 * 256;
    const bool slices = type == TYPE_1D_ARRAY || type == TYPE_2D_ARRAY;
    const bool own = chip->pitch_in_depth && !slices && type != TYPE_3D && stride != least;
    if (!newer_format(t)) return gpudbg_fail(err, "bad-argument", "%s: the chip has no such format", what);
    if (size[1] > 1 || size[2] > 1) {
        if (stride % 256 || stride < least || (stride != least && !own))
            return gpudbg_fail(err, "bad-argument",
                "%s: a line has %" PRIu64 " bytes, and on this chip %s%" PRIu64 ": add them to the format (/%" PRIu64
                ")",
                what, stride, chip->pitch_in_depth && !slices ? "a multiple of 256, at least " : "", least, least);
    }
    SET(words, T_SHARP_NEWER, format, newer_format(t));
    SET(words, T_SHARP_NEWER, width, size[0] - 1);
    SET(words, T_SHARP_NEWER, height, size[1] - 1);
    SET(words, T_SHARP_NEWER, resource_level, 1);
    SET(words, T_SHARP_NEWER, type, type);
    SET(words, T_SHARP_NEWER, depth, own && size[1] > 1 ? stride / t->bytes * t->width - 1 : size[2] - 1);
    words[3] |= selection(t) << LO_OF(T_SHARP, dst_sel_x) % 32;
    return true;
}

bool gcn_put_image(
    const char *what, const struct gpudbg_bound *b, const struct gcn_chip *chip, uint8_t *to, struct gpudbg_error *err)
{
    struct shape s;
    struct gcn_texel t;
    const char *type = b->param->type ? b->param->type : "image2d_t";
    size_t k = 0;
    if (b->kind != GPUDBG_BOUND_BUFFER || !b->format)
        return gpudbg_fail(err, "bad-argument", "%s needs a buffer with a format: @FILE:FORMAT:WxH", what);
    if (!read_shape(what, b->format, &s, err)) return false;
    if (gcn_texel_format(s.dfmt, s.nfmt, &t))
        return gpudbg_fail(err, "bad-argument", "%s: '%s' is not a known format", what, b->format);
    if (strstr(type, "image1d_buffer_t")) return put_buffer_image(what, b, chip, &s, &t, to, err);
    while (k < sizeof types / sizeof *types && !strstr(type, types[k].name)) k++;
    if (k == sizeof types / sizeof *types)
        return gpudbg_fail(err, "unsupported", "%s: images of type %s are not implemented", what, type);
    unsigned sizes = types[k].sizes;
    if (sizes == 1 && !s.size[0]) s.size[0] = b->size / t.bytes < 16384 ? (uint32_t)(b->size / t.bytes) : 16384;
    for (unsigned i = 0; i < 3; i++)
        if (i < sizes ? !s.size[i] || s.size[i] > (i == 2 ? 8192u : 16384u) : s.size[i] > 1)
            return gpudbg_fail(
                err, "bad-argument", "%s: '%s' does not give the %u sizes that %s needs", what, b->format, sizes, type);
    bool lines = type[5] != '1'; /* image1d_array_t: the second size counts slices */
    uint32_t width = s.size[0], height = lines ? s.size[1] : 1,
             depth = sizes == 3             ? s.size[2]
                     : sizes == 2 && !lines ? s.size[1]
                                            : 1;
    uint64_t across = (width + t.width - 1) / t.width, down = (height + t.height - 1) / t.height;
    uint64_t stride = s.stride ? s.stride : across * t.bytes;
    if (stride % t.bytes || stride < across * t.bytes || stride / t.bytes * t.width > 16384)
        return gpudbg_fail(err, "bad-argument",
            "%s: a line cannot have %" PRIu64 " bytes: it has %" PRIu64 " blocks of %u bytes", what, stride, across,
            t.bytes);
    if (stride * down * depth > b->size)
        return gpudbg_fail(err, "bad-argument", "%s: '%s' takes %" PRIu64 " bytes, the buffer has %" PRIu64, what,
            b->format, stride * down * depth, b->size);
    uint64_t base = b->segment->base >> 8;
    uint32_t pitch = (uint32_t)(stride / t.bytes * t.width), volume = types[k].type == 10;
    uint32_t words[8] = {0};
    SET(words, T_SHARP, base_address, base);
    if (is_newer(chip)) {
        if (!put_newer(what, chip, &t, words, (const uint32_t[3]){width, height, depth}, stride, types[k].type, err))
            return false;
        put_words(to, words, 8);
        put_channels(to, type, &t, width);
        return true;
    }
    SET(words, T_SHARP, data_format, s.dfmt);
    SET(words, T_SHARP, num_format, s.nfmt);
    SET(words, T_SHARP, width, width - 1);
    SET(words, T_SHARP, height, height - 1);
    words[3] |= selection(&t) << LO_OF(T_SHARP, dst_sel_x) % 32;
    SET(words, T_SHARP, tiling_index, LINEAR_ROW);
    SET(words, T_SHARP, type, types[k].type);
    SET(words, T_SHARP, depth, depth - 1);
    SET(words, T_SHARP, pitch, pitch - 1);
    SET(words, T_SHARP, last_array, volume ? 0 : depth - 1);
    put_words(to, words, 6);
    put_channels(to, type, &t, width);
    return true;
}

/* ---- Samplers ---- */

/* OpenCL's numbers: bit 0 normalised, 3:1 the address mode outside, 5:4 nearest or linear. */
bool gcn_put_sampler(
    const char *what, const struct gpudbg_bound *b, const struct gcn_chip *chip, uint8_t *to, struct gpudbg_error *err)
{
    (void)chip;                                               /* these fields are in the same bits on all chips */
    static const uint8_t clamp[8] = {2, 2, 6, 0, 1, 8, 8, 8}; /* none, edge, border, repeat, mirrored */
    const uint32_t v = (uint32_t)le_get(b->bytes, b->size < 4 ? (unsigned)b->size : 4);
    uint32_t mode = clamp[v >> 1 & 7], filter = v >> 4;
    if (mode == 8 || (filter != 1 && filter != 2))
        return gpudbg_fail(err, "bad-argument",
            "%s: 0x%x is not a sampler (1 normalised; 2 edge, 4 border, 6 repeat, 8 mirrored; "
            "0x10 nearest, 0x20 linear)",
            what, v);
    uint32_t words[4] = {0};
    SET(words, S_SHARP, clamp_x, mode);
    SET(words, S_SHARP, clamp_y, mode);
    SET(words, S_SHARP, clamp_z, mode);
    SET(words, S_SHARP, force_unnormalized, !(v & 1));
    SET(words, S_SHARP, disable_cube_wrap, 1);
    SET(words, S_SHARP, max_lod, 0xfff);
    SET(words, S_SHARP, xy_mag_filter, filter == 2);
    SET(words, S_SHARP, xy_min_filter, filter == 2);
    put_words(to, words, 4);
    return true;
}
