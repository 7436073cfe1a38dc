/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ruler.h"
#include "gpudbg/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ruler_add(struct ruler *r, int field, const struct gpudbg_run *run, uint32_t bit)
{
    for (int i = 0; i < GPUDBG_RUNS && run[i].len; i++) {
        uint32_t lo = bit + run[i].lo, left = run[i].len;
        while (left && r->count < RULER_SEGMENTS) { /* cut where a dword ends */
            uint32_t n = 32 - lo % 32 < left ? 32 - lo % 32 : left;
            r->segment[r->count++] = (struct segment){field, lo, n};
            lo += n;
            left -= n;
        }
    }
}

static int segment_order(const void *a, const void *b)
{
    const struct segment *x = a, *y = b;
    if (x->lo / 32 != y->lo / 32) return x->lo < y->lo ? -1 : 1;
    return x->lo > y->lo ? -1 : x->lo < y->lo;
}

void ruler_sort(struct ruler *r) { qsort(r->segment, (size_t)r->count, sizeof *r->segment, segment_order); }

enum detail { DETAIL_BITS, DETAIL_RANGES, DETAIL_STARTS };

/* Texts of a segment in a kind of ruler: the scale above, the value below; returns the columns it takes. */
static int segment_text(
    const struct ruler *r, const struct segment *s, enum detail kind, char *scale, char *value, size_t size)
{
    const struct gpudbg_run run[2] = {{0, (uint8_t)s->len}, {0, 0}};
    uint32_t hi = s->lo + s->len - 1;
    uint64_t bits = gpudbg_bits(r->bytes, s->lo, run);
    if (kind == DETAIL_BITS) {
        for (uint32_t i = 0; i < s->len && i < size - 1; i++) value[i] = bits >> (s->len - 1 - i) & 1 ? '1' : '0';
        value[s->len < size - 1 ? s->len : size - 1] = 0;
        struct text t = text_in(scale, size);
        text_add(&t, "%u", hi);
        if (s->len > 1 && text_length(&t) + snprintf(NULL, 0, "%u", s->lo) < (int)s->len)
            text_add(&t, "%*u", (int)s->len - text_length(&t), s->lo);
    } else {
        snprintf(value, size, "%0*" PRIx64, (int)(s->len + 3) / 4, bits);
        snprintf(scale, size, kind == DETAIL_RANGES && s->len > 1 ? "%u:%u" : "%u", hi, s->lo);
    }
    int a = (int)strlen(scale), b = (int)strlen(value);
    return a > b ? a : b;
}

/* Columns that segments from..to take in a kind of ruler. */
static int ruler_columns(const struct ruler *r, int from, int to, enum detail kind)
{
    char scale[80], value[80];
    int n = 1;
    for (int i = from; i < to; i++) n += segment_text(r, &r->segment[i], kind, scale, value, sizeof scale) + 1;
    return n;
}

/* Draws segments from..to on two rows (more where they do not fit); returns the row after. */
static int rows_draw(const struct ruler *r, const struct area *a, int y, int from, int to, enum detail kind, int marked)
{
    int x = 1;
    for (int i = from; i < to; i++) {
        char scale[80], value[80];
        const struct segment *s = &r->segment[i];
        int w = segment_text(r, s, kind, scale, value, sizeof scale);
        if (x > 1 && x + w > a->w) {
            x = 1;
            y += 2;
        }
        bool here = s->field == marked;
        area_text(a, x, y, STYLE_address, scale);
        area_text(a, x, y + 1, here ? STYLE_field : STYLE_value, value);
        if (here) {
            area_put(a, x - 1, y + 1, STYLE_field, "[");
            area_put(a, x + (int)strlen(value), y + 1, STYLE_field, "]");
        }
        x += w + 1;
    }
    return y + 2;
}

/* The first segment of the dword after that of segment i. */
static int dword_end(const struct ruler *r, int i)
{
    uint32_t dword = r->segment[i].lo / 32;
    while (i < r->count && r->segment[i].lo / 32 == dword) i++;
    return i;
}

/* Every bit, a dword on two rows, if that leaves `spare` rows; else the fewest rows. */
int ruler_draw(const struct ruler *r, const struct area *a, int marked, int spare)
{
    int y = 0, words = 0, widest = 0;
    for (int i = 0; i < r->count; i = dword_end(r, i), words++) {
        int w = ruler_columns(r, i, dword_end(r, i), DETAIL_BITS);
        widest = w > widest ? w : widest;
    }
    if (words * 2 + spare <= a->h && widest <= a->w + 1) {
        for (int i = 0; i < r->count; i = dword_end(r, i))
            y = rows_draw(r, a, y, i, dword_end(r, i), DETAIL_BITS, marked);
        return y;
    }
    enum detail kind = ruler_columns(r, 0, r->count, DETAIL_RANGES) <= a->w + 1 ? DETAIL_RANGES : DETAIL_STARTS;
    return rows_draw(r, a, y, 0, r->count, kind, marked);
}
