/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The colours of a picture that may have only so many: all of them if they are few, else by median cut (Heckbert,
 * "Color image quantization for frame buffer display", 1982) over red, green and blue of five bits each. */
#include <stdlib.h>
#include <string.h>
#include "out/raster.h"

#define LEVELS 101 /* 0 to 100 */
#define CELLS 32768
#define COLOURS 256

static unsigned percent_of(uint8_t byte) { return (byte * 100U + 127) / 255; }

/* ---- Few colours ---- */

/* 0: there are more than `most`, or no memory. */
static unsigned all_colours(const struct raster *r, unsigned most, uint8_t *index, uint8_t *percent)
{
    const size_t pixels = (size_t)r->width * r->height;
    uint16_t *known = calloc(LEVELS * LEVELS * LEVELS, sizeof *known); /* 1 + its number */
    unsigned n = 0;
    for (size_t i = 0; known && i < pixels; i++) {
        unsigned part[3];
        for (unsigned c = 0; c < 3; c++) part[c] = percent_of(r->rgb[3 * i + c]);
        uint16_t *at = &known[(part[0] * LEVELS + part[1]) * LEVELS + part[2]];
        if (!*at && n == most) {
            n = 0;
            break;
        }
        if (!*at) {
            for (unsigned c = 0; c < 3; c++) percent[3 * n + c] = (uint8_t)part[c];
            *at = (uint16_t)++n;
        }
        index[i] = (uint8_t)(*at - 1);
    }
    free(known);
    return n;
}

/* ---- Many ---- */

/* Pixels that share the upper five bits of red, green and blue. */
struct cell {
    uint64_t n, sum[3];
    uint16_t key; /* those bits */
};

static unsigned key_of(const uint8_t *rgb)
{
    return (rgb[0] & 0xf8U) << 7 | (rgb[1] & 0xf8U) << 2 | (unsigned)rgb[2] >> 3;
}
static unsigned bits_of(const struct cell *c, unsigned axis) { return (unsigned)c->key >> (10 - 5 * axis) & 31U; }

struct box {
    size_t from, end;     /* cells */
    unsigned axis, width; /* the colour in which they are farthest apart, and how far */
    uint64_t n;           /* pixels */
};

static struct box box_of(const struct cell *cells, size_t from, size_t end)
{
    struct box b = {.from = from, .end = end};
    for (unsigned axis = 0; axis < 3; axis++) {
        unsigned least = 31, most = 0;
        for (size_t i = from; i < end; i++) {
            const unsigned v = bits_of(&cells[i], axis);
            least = v < least ? v : least;
            most = v > most ? v : most;
        }
        if (most - least < b.width) continue;
        b.axis = axis;
        b.width = most - least;
    }
    for (size_t i = from; i < end; i++) b.n += cells[i].n;
    return b;
}

#define BY(name, axis) \
    static int by_##name(const void *a, const void *b) { return (int)bits_of(a, axis) - (int)bits_of(b, axis); }
BY(red, 0)
BY(green, 1)
BY(blue, 2)

/* Where half of a box's pixels are on either side, in cells sorted by its axis; never at its ends. */
static size_t median(struct cell *cells, const struct box *b)
{
    static int (*const by[])(const void *, const void *) = {by_red, by_green, by_blue};
    qsort(cells + b->from, b->end - b->from, sizeof *cells, by[b->axis]);
    uint64_t n = 0;
    size_t i = b->from;
    while (i + 1 < b->end && 2 * n < b->n) n += cells[i++].n;
    return i > b->from ? i : b->from + 1;
}

/* The box to cut next: many pixels, far apart; NULL: each is one cell. */
static struct box *widest(struct box *boxes, unsigned n)
{
    struct box *best = NULL;
    for (unsigned i = 0; i < n; i++)
        if (boxes[i].width && (!best || boxes[i].n * boxes[i].width > best->n * best->width)) best = &boxes[i];
    return best;
}

static void box_colour(const struct cell *cells, const struct box *b, uint8_t *percent)
{
    for (unsigned c = 0; c < 3; c++) {
        uint64_t sum = 0;
        for (size_t i = b->from; i < b->end; i++) sum += cells[i].sum[c];
        percent[c] = (uint8_t)((sum * 100 + b->n * 127) / (b->n * 255));
    }
}

static unsigned cut(struct cell *cells, unsigned most, uint8_t *number, uint8_t *percent)
{
    struct box boxes[COLOURS], *wide;
    size_t used = 0;
    unsigned n = 1;
    for (size_t i = 0; i < CELLS; i++)
        if (cells[i].n) cells[used++] = cells[i];
    boxes[0] = box_of(cells, 0, used);
    while (n < most && (wide = widest(boxes, n))) {
        const struct box was = *wide;
        const size_t at = median(cells, &was);
        *wide = box_of(cells, was.from, at);
        boxes[n++] = box_of(cells, at, was.end);
    }
    for (unsigned i = 0; i < n; i++) {
        box_colour(cells, &boxes[i], percent + (size_t)3 * i);
        for (size_t k = boxes[i].from; k < boxes[i].end; k++) number[cells[k].key] = (uint8_t)i;
    }
    return n;
}

static unsigned cut_colours(const struct raster *r, unsigned most, uint8_t *index, uint8_t *percent)
{
    const size_t pixels = (size_t)r->width * r->height;
    struct cell *cells = calloc(CELLS, sizeof *cells);
    uint8_t *number = calloc(CELLS, 1);
    unsigned n = 0;
    for (size_t i = 0; cells && number && i < pixels; i++) {
        struct cell *at = &cells[key_of(r->rgb + 3 * i)];
        at->key = (uint16_t)key_of(r->rgb + 3 * i);
        at->n++;
        for (unsigned c = 0; c < 3; c++) at->sum[c] += r->rgb[3 * i + c];
    }
    if (cells && number) n = cut(cells, most, number, percent);
    for (size_t i = 0; n && i < pixels; i++) index[i] = number[key_of(r->rgb + 3 * i)];
    free(cells);
    free(number);
    return n;
}

unsigned palette_make(const struct raster *r, unsigned most, uint8_t *index, uint8_t *percent)
{
    const unsigned n = all_colours(r, most, index, percent);
    return n ? n : cut_colours(r, most, index, percent);
}
