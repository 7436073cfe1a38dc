/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * texel_block.c: BC1 to BC7.  A block of 8 or 16 bytes holds 16 texels: end points of a line (or of two or three lines,
 * by a partition of the block) through the colour space, and for each texel its place on the line. Source: the public
 * descriptions of S3TC, RGTC and BPTC (OpenGL and Direct3D 11 specifications).
 */
#include "image/texel.h"
#include "gpudbg/endian.h"

#include "gpudbg/lanes.h"
#include <string.h>

static uint32_t unorm(double v, double top) { return lanes_bits32((float)(v / top)); }

/* A component of 8 bits, in the form that the number format needs. */
static uint32_t color(const struct gcn_texel *t, double v, double top)
{
    return t->nfmt == GCN_NUM_SRGB ? lanes_bits32((float)gcn_linear(v / top)) : unorm(v, top);
}

/* ---- BC1 to BC5 ---- */

/* Two colours of 5_6_5 (x in the top bits) and two bits a texel.  In BC1 the order of the colours says whether there
 * are four on the line, or three and a transparent black.  Values are exact thirds or halves before they are
 * normalised. */
static void load_color(const struct gcn_texel *t, const uint8_t *b, unsigned texel, bool always_four, uint32_t out[4])
{
    uint32_t c[2] = {le_u16(b), le_u16(b + 2)};
    unsigned at = b[4 + texel / 4] >> 2 * (texel % 4) & 3;
    bool four = always_four || c[0] > c[1];
    static const uint8_t shift[3] = {11, 5, 0}, bits[3] = {5, 6, 5};
    for (unsigned i = 0; i < 3; i++) {
        uint32_t top = (1u << bits[i]) - 1, p = c[0] >> shift[i] & top, q = c[1] >> shift[i] & top;
        uint32_t sixths = at == 0   ? 6 * p
                          : at == 1 ? 6 * q
                          : !four   ? at == 2 ? 3 * p + 3 * q : 0
                          : at == 2 ? 4 * p + 2 * q
                                    : 2 * p + 4 * q;
        out[i] = color(t, sixths, 6.0 * top);
    }
    out[3] = !four && at == 3 ? 0 : 0x3f800000;
}

/* Two values of 8 bits and three bits a texel. */
static uint32_t load_single(const struct gcn_texel *t, const uint8_t *b, unsigned texel)
{
    const uint64_t bits = le_get(b + 2, 6);
    int at = (int)(bits >> 3 * texel & 7);
    bool sign = t->nfmt == GCN_NUM_SNORM;
    int p = sign ? (int8_t)b[0] : b[0], q = sign ? (int8_t)b[1] : b[1], top = sign ? 127 : 255;
    bool eight = p > q;
    if (sign) {
        p = p < -127 ? -127 : p;
        q = q < -127 ? -127 : q;
    }
    if (at < 2) return unorm(at ? q : p, top);
    if (eight) return unorm((8 - at) * p + (at - 1) * q, 7.0 * top);
    return at == 6 ? (sign ? 0xbf800000 : 0) : at == 7 ? 0x3f800000 : unorm((6 - at) * p + (at - 1) * q, 5.0 * top);
}

/* ---- Common to BC6 and BC7 ---- */

/* clang-format off */

/* Bit i: the part that texel i belongs to. */
static const uint16_t two_parts[64] = {
    0xcccc, 0x8888, 0xeeee, 0xecc8, 0xc880, 0xfeec, 0xfec8, 0xec80,
    0xc800, 0xffec, 0xfe80, 0xe800, 0xffe8, 0xff00, 0xfff0, 0xf000,
    0xf710, 0x008e, 0x7100, 0x08ce, 0x008c, 0x7310, 0x3100, 0x8cce,
    0x088c, 0x3110, 0x6666, 0x366c, 0x17e8, 0x0ff0, 0x718e, 0x399c,
    0xaaaa, 0xf0f0, 0x5a5a, 0x33cc, 0x3c3c, 0x55aa, 0x9696, 0xa55a,
    0x73ce, 0x13c8, 0x324c, 0x3bdc, 0x6996, 0xc33c, 0x9966, 0x0660,
    0x0272, 0x04e4, 0x4e40, 0x2720, 0xc936, 0x936c, 0x39c6, 0x639c,
    0x9336, 0x9cc6, 0x817e, 0xe718, 0xccf0, 0x0fcc, 0x7744, 0xee22,
};
/* Bits 2i and 2i + 1 likewise. */
static const uint32_t three_parts[64] = {
    0xaa685050, 0x6a5a5040, 0x5a5a4200, 0x5450a0a8, 0xa5a50000, 0xa0a05050, 0x5555a0a0, 0x5a5a5050,
    0xaa550000, 0xaa555500, 0xaaaa5500, 0x90909090, 0x94949494, 0xa4a4a4a4, 0xa9a59450, 0x2a0a4250,
    0xa5945040, 0x0a425054, 0xa5a5a500, 0x55a0a0a0, 0xa8a85454, 0x6a6a4040, 0xa4a45000, 0x1a1a0500,
    0x0050a4a4, 0xaaa59090, 0x14696914, 0x69691400, 0xa08585a0, 0xaa821414, 0x50a4a450, 0x6a5a0200,
    0xa9a58000, 0x5090a0a8, 0xa8a09050, 0x24242424, 0x00aa5500, 0x24924924, 0x24499224, 0x50a50a50,
    0x500aa550, 0xaaaa4444, 0x66660000, 0xa5a0a5a0, 0x50a050a0, 0x69286928, 0x44aaaa44, 0x66666600,
    0xaa444444, 0x54a854a8, 0x95809580, 0x96969600, 0xa85454a8, 0x80959580, 0xaa141414, 0x96960000,
    0xaaaa1414, 0xa05050a0, 0xa0a5a5a0, 0x96000000, 0x40804080, 0xa9a8a9a8, 0xaaaaaa44, 0x2a4a5254,
};
/* The texel of each further part whose index lacks its top bit, which is 0; of the first part it is texel 0. */
static const uint8_t second_of_two[64] = {
    15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,
    15,  2,  8,  2,  2,  8,  8, 15,  2,  8,  2,  2,  8,  8,  2,  2,
    15, 15,  6,  8,  2,  8, 15, 15,  2,  8,  2,  2,  2, 15, 15,  6,
     6,  2,  6,  8, 15, 15,  2,  2, 15, 15, 15, 15, 15,  2,  2, 15,
};
static const uint8_t second_of_three[64] = {
     3,  3, 15, 15,  8,  3, 15, 15,  8,  8,  6,  6,  6,  5,  3,  3,
     3,  3,  8, 15,  3,  3,  6, 10,  5,  8,  8,  6,  8,  5, 15, 15,
     8, 15,  3,  5,  6, 10,  8, 15, 15,  3, 15,  5, 15, 15, 15, 15,
     3, 15,  5,  5,  5,  8,  5, 10,  5, 10,  8, 13, 15, 12,  3,  3,
};
static const uint8_t third_of_three[64] = {
    15,  8,  8,  3, 15, 15,  3,  8, 15, 15, 15, 15, 15, 15, 15,  8,
    15,  8, 15,  3, 15,  8, 15,  8,  3, 15,  6, 10, 15, 15, 10,  8,
    15,  3, 15, 10, 10,  8,  9, 10,  6, 15,  8, 15,  3,  6,  6,  8,
    15,  3, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15,  3, 15, 15,  8,
};
/* clang-format on */

/* The place on the line, in 1/64, by the number of index bits. */
static int weight(unsigned bits, unsigned index)
{
    static const uint8_t two[4] = {0, 21, 43, 64}, three[8] = {0, 9, 18, 27, 37, 46, 55, 64},
                         four[16] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
    return bits == 2 ? two[index] : bits == 3 ? three[index] : four[index];
}

struct reader {
    const uint8_t *bytes;
    unsigned at; /* bit */
};

static uint32_t take(struct reader *r, unsigned n)
{
    uint32_t v = 0;
    for (unsigned i = 0; i < n; i++, r->at++) v |= (uint32_t)(r->bytes[r->at / 8] >> r->at % 8 & 1) << i;
    return v;
}

static unsigned part_of(unsigned parts, unsigned shape, unsigned texel)
{
    return parts == 2 ? two_parts[shape] >> texel & 1u : parts == 3 ? three_parts[shape] >> 2 * texel & 3u : 0;
}

static bool is_short(unsigned parts, unsigned shape, unsigned texel)
{
    return texel == 0 || (parts == 2 && texel == second_of_two[shape]) ||
           (parts == 3 && (texel == second_of_three[shape] || texel == third_of_three[shape]));
}

/* Index of a texel, from a run of them that starts here; leaves the reader after the run. */
static unsigned take_index(struct reader *r, unsigned parts, unsigned shape, unsigned bits, unsigned texel)
{
    unsigned index = 0;
    for (unsigned i = 0; i < 16; i++) {
        unsigned v = take(r, bits - is_short(parts, shape, i));
        index = i == texel ? v : index;
    }
    return index;
}

/* ---- BC7 ---- */

struct mode7 {
    uint8_t parts, shape_bits, rotation, selector, color, alpha, own_low, shared_low, index, second_index; /* bits */
};

static const struct mode7 modes7[8] = {
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
    {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
    {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
};

/* A number of n bits as one of 8, its top bits repeated below. */
static int widened(uint32_t v, unsigned n) { return (int)(v << (8 - n) | v >> (2 * n - 8)); }

static void load_bc7(const struct gcn_texel *t, const uint8_t *block, unsigned texel, uint32_t out[4])
{
    struct reader r = {block, 0};
    unsigned mode = 0;
    while (mode < 8 && !take(&r, 1)) mode++;
    if (mode == 8) { /* reserved: black, transparent */
        memset(out, 0, 16);
        return;
    }
    const struct mode7 *m = &modes7[mode];
    unsigned shape = take(&r, m->shape_bits), rotation = take(&r, m->rotation), selector = take(&r, m->selector),
             ends = 2u * m->parts;
    uint32_t end[6][4];
    for (unsigned c = 0; c < 4; c++)
        for (unsigned e = 0; e < ends; e++) end[e][c] = take(&r, c < 3 ? m->color : m->alpha);
    uint32_t low[6] = {0};
    for (unsigned e = 0; e < ends; e++)
        low[e] = m->own_low ? take(&r, 1) : m->shared_low ? (e % 2 ? low[e - 1] : take(&r, 1)) : 0;
    unsigned more = m->own_low || m->shared_low ? 1 : 0;
    unsigned first = take_index(&r, m->parts, shape, m->index, texel);
    unsigned second = m->second_index ? take_index(&r, 1, 0, m->second_index, texel) : first;
    unsigned part = part_of(m->parts, shape, texel);
    int value[4];
    for (unsigned c = 0; c < 4; c++) {
        unsigned bits = c < 3 ? m->color : m->alpha;
        if (!bits) {
            value[c] = 255;
            continue;
        }
        bool other = m->second_index && (c == 3) != (selector == 1);
        int w = other ? weight(m->second_index, second) : weight(m->index, first);
        int p = widened(end[2 * part][c] << more | (more ? low[2 * part] : 0), bits + more);
        int q = widened(end[2 * part + 1][c] << more | (more ? low[2 * part + 1] : 0), bits + more);
        value[c] = ((64 - w) * p + w * q + 32) >> 6;
    }
    if (rotation) {
        int a = value[3];
        value[3] = value[rotation - 1];
        value[rotation - 1] = a;
    }
    for (unsigned c = 0; c < 3; c++) out[c] = color(t, value[c], 255);
    out[3] = unorm(value[3], 255);
}

/* ---- BC6: floats without alpha ---- */

/* The header of a mode: its fields in order, each a colour (r g b), an end point (w x y z), and bits of it, low end
 * first; a run written high:low comes highest bit first.  d is the partition. */
struct mode6 {
    uint8_t code, bits, delta[3];
    bool transformed;
    const char *fields;
};

static const struct mode6 modes6[14] = {
    {0x00, 10, {5, 5, 5}, true,
        "gy4 by4 bz4 rw0-9 gw0-9 bw0-9 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4"},
    {0x01, 7, {6, 6, 6}, true,
        "gy5 gz4 gz5 rw0-6 bz0 bz1 by4 gw0-6 by5 bz2 gy4 bw0-6 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 "
        "rz0-5 d0-4"},
    {0x02, 11, {5, 4, 4}, true,
        "rw0-9 gw0-9 bw0-9 rx0-4 rw10 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4"},
    {0x06, 11, {4, 5, 4}, true,
        "rw0-9 gw0-9 bw0-9 rx0-3 rw10 gz4 gy0-3 gx0-4 gw10 gz0-3 bx0-3 bw10 bz1 by0-3 ry0-3 bz0 bz2 rz0-3 gy4 bz3 "
        "d0-4"},
    {0x0a, 11, {4, 4, 5}, true,
        "rw0-9 gw0-9 bw0-9 rx0-3 rw10 by4 gy0-3 gx0-3 gw10 bz0 gz0-3 bx0-4 bw10 by0-3 ry0-3 bz1 bz2 rz0-3 bz4 bz3 "
        "d0-4"},
    {0x0e, 9, {5, 5, 5}, true,
        "rw0-8 by4 gw0-8 gy4 bw0-8 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 d0-4"},
    {0x12, 8, {6, 5, 5}, true,
        "rw0-7 gz4 by4 gw0-7 bz2 gy4 bw0-7 bz3 bz4 rx0-5 gy0-3 gx0-4 bz0 gz0-3 bx0-4 bz1 by0-3 ry0-5 rz0-5 d0-4"},
    {0x16, 8, {5, 6, 5}, true,
        "rw0-7 bz0 by4 gw0-7 gy5 gy4 bw0-7 gz5 bz4 rx0-4 gz4 gy0-3 gx0-5 gz0-3 bx0-4 bz1 by0-3 ry0-4 bz2 rz0-4 bz3 "
        "d0-4"},
    {0x1a, 8, {5, 5, 6}, true,
        "rw0-7 bz1 by4 gw0-7 by5 gy4 bw0-7 bz5 bz4 rx0-4 gz4 gy0-3 gx0-4 bz0 gz0-3 bx0-5 by0-3 ry0-4 bz2 rz0-4 bz3 "
        "d0-4"},
    {0x1e, 6, {6, 6, 6}, false,
        "rw0-5 gz4 bz0 bz1 by4 gw0-5 gy5 by5 bz2 gy4 bw0-5 gz5 bz3 bz5 bz4 rx0-5 gy0-3 gx0-5 gz0-3 bx0-5 by0-3 ry0-5 "
        "rz0-5 d0-4"},
    {0x03, 10, {10, 10, 10}, false, "rw0-9 gw0-9 bw0-9 rx0-9 gx0-9 bx0-9"},
    {0x07, 11, {9, 9, 9}, true, "rw0-9 gw0-9 bw0-9 rx0-8 rw10 gx0-8 gw10 bx0-8 bw10"},
    {0x0b, 12, {8, 8, 8}, true, "rw0-9 gw0-9 bw0-9 rx0-7 rw11 rw10 gx0-7 gw11 gw10 bx0-7 bw11 bw10"},
    {0x0f, 16, {4, 4, 4}, true,
        "rw0-9 gw0-9 bw0-9 rx0-3 rw15 rw14 rw13 rw12 rw11 rw10 gx0-3 gw15 gw14 gw13 gw12 gw11 gw10 bx0-3 bw15 bw14 "
        "bw13 bw12 bw11 bw10"},
};

static unsigned number(const char **p)
{
    unsigned n = 0;
    for (; **p >= '0' && **p <= '9'; ++*p) n = 10 * n + (unsigned)(**p - '0');
    return n;
}

/* Reads the header; end[0..3] are w, x, y, z. */
static unsigned take_header(struct reader *r, const char *fields, uint32_t end[4][3])
{
    unsigned shape = 0;
    memset(end, 0, 4 * sizeof *end);
    for (const char *p = fields; *p; p += *p == ' ') {
        char c = *p++;
        uint32_t *to = c == 'd' ? &shape : &end[*p == 'w' ? 0 : *p - 'x' + 1][c == 'r' ? 0 : c == 'g' ? 1 : 2];
        p += c != 'd';
        unsigned lo = number(&p), hi = lo;
        if (*p == '-') {
            p++;
            hi = number(&p);
        }
        *to |= take(r, hi - lo + 1) << lo;
    }
    return shape;
}

static int32_t extended(uint32_t v, unsigned bits) { return (int32_t)(v << (32 - bits)) >> (32 - bits); }

/* To 16 bits, or 15 and a sign. */
static int32_t unquantized(int32_t v, unsigned bits, bool sign)
{
    if (!sign) return bits >= 15 || v == 0 ? v : v == (1 << bits) - 1 ? 0xffff : ((v << 15) + 0x4000) >> (bits - 1);
    int32_t size = v < 0 ? -v : v;
    if (bits < 16 && size) size = size >= (1 << (bits - 1)) - 1 ? 0x7fff : ((size << 15) + 0x4000) >> (bits - 1);
    return v < 0 ? -size : size;
}

static void load_bc6(const struct gcn_texel *t, const uint8_t *block, unsigned texel, uint32_t out[4])
{
    bool sign = t->nfmt == GCN_NUM_SNORM;
    struct reader r = {block, 0};
    unsigned code = take(&r, 2), k = 0;
    code |= code > 1 ? take(&r, 3) << 2 : 0;
    while (k < 14 && modes6[k].code != code) k++;
    memset(out, 0, 12);
    out[3] = 0x3f800000;
    if (k == 14) return; /* reserved: black */
    const struct mode6 *m = &modes6[k];
    unsigned parts = k < 10 ? 2 : 1;
    uint32_t raw[4][3];
    unsigned shape = take_header(&r, m->fields, raw), part = part_of(parts, shape, texel);
    unsigned bits = parts == 2 ? 3 : 4;
    int w = weight(bits, take_index(&r, parts, shape, bits, texel));
    for (unsigned c = 0; c < 3; c++) {
        int32_t e[2];
        for (unsigned i = 0; i < 2; i++) {
            unsigned point = 2 * part + i;
            uint32_t v = raw[point][c];
            if (point && m->transformed) v = (raw[0][c] + (uint32_t)extended(v, m->delta[c])) & ((1u << m->bits) - 1);
            e[i] = unquantized(sign ? extended(v, m->bits) : (int32_t)v, m->bits, sign);
        }
        int32_t v = (e[0] * (64 - w) + e[1] * w + 32) >> 6;
        uint32_t half = sign ? (v < 0 ? 0x8000u | (uint32_t)((-v * 31) >> 5) : (uint32_t)((v * 31) >> 5))
                             : (uint32_t)((v * 31) >> 6);
        out[c] = lanes_f32_from_f16(half, true);
    }
}

/* ---- All ---- */

void gcn_block_load(const struct gcn_texel *t, const uint8_t *block, unsigned texel, uint32_t out[4])
{
    switch (t->dfmt) {
    case GCN_DATA_BC1: load_color(t, block, texel, false, out); break;
    case GCN_DATA_BC1 + 1: /* four bits of alpha */
        load_color(t, block + 8, texel, true, out);
        out[3] = unorm(block[texel / 2] >> 4 * (texel % 2) & 15, 15);
        break;
    case GCN_DATA_BC1 + 2: {
        struct gcn_texel alpha = {.nfmt = GCN_NUM_UNORM};
        load_color(t, block + 8, texel, true, out);
        out[3] = load_single(&alpha, block, texel);
        break;
    }
    case GCN_DATA_BC1 + 3:
    case GCN_DATA_BC1 + 4:
        out[0] = load_single(t, block, texel);
        out[1] = t->dfmt == GCN_DATA_BC1 + 4 ? load_single(t, block + 8, texel) : 0;
        out[2] = 0;
        out[3] = 0x3f800000;
        break;
    case GCN_DATA_BC6: load_bc6(t, block, texel, out); break;
    default: load_bc7(t, block, texel, out); break;
    }
}
