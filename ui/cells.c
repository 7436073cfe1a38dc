/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cells.h"
#include "base/alloc.h"
#include "base/shown.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct cells *cells_new(int columns, int rows, bool utf8)
{
    struct cells *c = xalloc(sizeof *c);
    *c = (struct cells){.columns = columns, .rows = rows, .utf8 = utf8, .cursor_x = -1};
    c->cell = calloc((size_t)columns * (size_t)rows + 1, sizeof *c->cell);
    if (!c->cell) {
        free(c);
        return NULL;
    }
    cells_clear(c);
    return c;
}

void cells_free(struct cells *c)
{
    if (c) free(c->cell);
    free(c);
}

void cells_clear(struct cells *c)
{
    for (int i = 0; i < c->columns * c->rows; i++) c->cell[i] = (struct cell){.glyph = ' ', .style = STYLE_text};
    c->cursor_x = -1;
    c->image = (struct cells_image){.w = 0};
}

int cells_encode(uint32_t g, char out[4])
{
    if (g < 0x80) return out[0] = (char)g, 1;
    int n = g < 0x800 ? 2 : g < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, g >>= 6) out[i] = (char)(0x80 | (g & 0x3f));
    out[0] = (char)((0xf00 >> n & 0xff) | g);
    return n;
}

void cells_dump(const struct cells *c, FILE *f)
{
    for (int y = 0; y < c->rows; y++) {
        const struct cell *row = c->cell + (size_t)y * (size_t)c->columns;
        int end = c->columns;
        while (end && (row[end - 1].glyph == ' ')) end--;
        for (int x = 0; x < end; x++) {
            char utf8[4];
            if (row[x].glyph) fwrite(utf8, 1, (size_t)cells_encode(row[x].glyph, utf8), f);
        }
        fputc('\n', f);
    }
}

/* A character of text: its glyph and how many columns that takes in this grid, or what is written in its place. */
struct glyph {
    uint32_t glyph; /* '?' where the grid cannot show it */
    int columns;
    char escape[SHOWN_MOST];
};

/* A character of ASCII that is seen: nearly all are. */
static bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }

/* from: where the text begins. */
static struct glyph glyph_next(const char *from, const char **text, bool utf8)
{
    struct glyph g = {0};
    if (is_plain(**text)) {
        g.glyph = (unsigned char)*(*text)++;
        g.columns = 1;
        return g;
    }
    const size_t at = (size_t)(*text - from), most = (unsigned char)**text < 0x80 ? 1 : SHOWN_NAME + 4;
    const size_t n = shown_next(from, at, at + strnlen(*text, most), SHOWN_LINE, g.escape);
    const unsigned char *p = (const unsigned char *)*text;
    *text += n;
    if (*p == '\t') { /* who knows of stops has made them blanks */
        g = (struct glyph){.glyph = ' ', .columns = 1};
        return g;
    }
    if (g.escape[0]) {
        g.columns = (int)strlen(g.escape);
        return g;
    }
    g.glyph = n == 1 ? p[0] : p[0] & (0x7fu >> n);
    for (size_t i = 1; i < n; i++) g.glyph = g.glyph << 6 | (p[i] & 0x3f);
    g.columns = n == 1 ? 1 : utf8 ? wcwidth((wchar_t)g.glyph) : -1;
    if (g.columns < 0) {
        g.glyph = '?';
        g.columns = 1;
    }
    return g;
}

int text_columns(const char *text, bool utf8)
{
    const char *const from = text;
    int n = 0;
    while (*text) {
        if (is_plain(*text)) {
            text++;
            n++;
        } else {
            n += glyph_next(from, &text, utf8).columns;
        }
    }
    return n;
}

static struct cell *area_cell(const struct area *a, int x, int y)
{
    if (x < a->skip || y < 0 || x >= a->w || y >= a->h) return NULL;
    x += a->x - a->skip;
    y += a->y;
    if (x < 0 || y < 0 || x >= a->cells->columns || y >= a->cells->rows) return NULL;
    return a->cells->cell + (size_t)y * (size_t)a->cells->columns + x;
}

/* ---- Marks of text that is cut ---- */

static bool in_word(const struct cell *c)
{
    const uint32_t g = c->glyph;
    return (g >= '0' && g <= '9') || (g >= 'a' && g <= 'z') || (g >= 'A' && g <= 'Z') || g == '.' || g == '_';
}

static bool in_number(const struct cell *c)
{
    const uint32_t g = c->glyph;
    return (g >= '0' && g <= '9') || (g >= 'a' && g <= 'f') || (g >= 'A' && g <= 'F') || g == 'x' || g == 'X' ||
           g == '.';
}

static bool is_digit(const struct cell *c) { return c->glyph >= '0' && c->glyph <= '9'; }

/* Text goes on beyond the cell at an edge of its area: that cell becomes the mark.  Where it belonged to a number, the
 * digits between it and the number's other end go as well: they would read as a number.  Inwards is where `step` leads,
 * up to `last`. */
static void cut_at(const struct area *a, struct cell *edge, const struct cell *last, int step)
{
    struct cell *mark = edge;
    bool digits = false;
    if (in_word(edge))
        for (; mark != last && in_number(mark + step); mark += step) digits = digits || is_digit(mark + step);
    if (!digits) mark = edge;
    if (!mark->glyph && mark != last) mark--; /* half of a wide glyph: the whole of it */
    for (struct cell *c = edge; c != mark; c += step) *c = (struct cell){.glyph = ' ', .style = c->style};
    if (mark < (step < 0 ? edge : last) && !mark[1].glyph) mark[1].glyph = ' ';
    const bool before = step > 0;
    *mark = (struct cell){.glyph = a->cells->utf8 ? 0x2026
                                   : before       ? '<'
                                                  : '>',
        .style = mark->style,
        .cut = true,
        .before = before};
}

void area_cut(const struct area *a, int y)
{
    struct cell *first = area_cell(a, a->skip, y), *end = area_cell(a, a->w - 1, y);
    if (!first || !end) return;
    for (struct cell *c = end; c >= first && (c->glyph == ' ' || c->cut); c--)
        if (c->cut) return;
    cut_at(a, end, first, -1);
}

int area_text(const struct area *a, int x, int y, enum style style, const char *text)
{
    const char *const from = text;
    struct cell *left = NULL, *right = NULL; /* edges that text goes beyond */
    if (a->cells->watch) a->cells->watch(a->cells->watcher, a, x, y, text);
    while (*text) {
        const struct glyph g = glyph_next(from, &text, a->cells->utf8);
        char one[2] = {(char)g.glyph, 0};
        const char *shown = g.escape[0] ? g.escape : one;
        for (int i = 0; i < (g.escape[0] ? g.columns : 1); i++, shown++) {
            const int w = g.escape[0] ? 1 : g.columns;
            const uint32_t glyph = g.escape[0] ? (unsigned char)*shown : g.glyph;
            struct cell *cell = w ? area_cell(a, x, y) : NULL;
            const bool half = cell && w == 2 && !area_cell(a, x + 1, y);
            if (cell) *cell = (struct cell){.glyph = half ? '?' : glyph, .style = (uint8_t)style};
            if (cell && w == 2 && !half) cell[1] = (struct cell){.glyph = 0, .style = (uint8_t)style};
            if (!cell && w && glyph != ' ') {
                left = x < a->skip ? area_cell(a, a->skip, y) : left;
                right = x >= a->skip ? area_cell(a, a->w - 1, y) : right;
            }
            x += w;
        }
    }
    if (left && x > a->skip) cut_at(a, left, area_cell(a, x < a->w ? x - 1 : a->w - 1, y), 1);
    if (right) area_cut(a, y);
    return x;
}

void area_left(const struct area *a, int x, int y, int w, enum style style, const char *text)
{
    const int skip = x < a->skip ? a->skip - x : 0; /* columns of the cell that are scrolled out */
    const struct area cell = {
        a->cells, a->x + x - a->skip + skip, a->y + y, x + w > a->w ? a->w - x : w, y < a->h ? 1 : 0, skip};
    area_text(&cell, 0, 0, style, text);
}

void area_right(const struct area *a, int x, int y, int w, enum style style, const char *text)
{
    const int n = text_columns(text, a->cells->utf8);
    area_left(a, n < w ? x + w - n : x, y, n < w ? n : w, style, text);
}

void area_copy(const struct area *a, const struct area *from)
{
    for (int y = 0; y < a->h && y < from->h; y++) {
        bool more = false;
        for (int x = 0; x < from->w; x++) {
            const struct cell *source = area_cell(from, x, y);
            struct cell *cell = area_cell(a, x, y);
            if (cell && source) *cell = *source;
            more = more || (!cell && source && source->glyph != ' ');
        }
        if (more) area_cut(a, y);
    }
}

int area_put(const struct area *a, int x, int y, enum style style, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return area_text(a, x, y, style, text);
}

void area_repeat(const struct area *a, int x, int y, int n, enum style style, uint32_t glyph, char ascii)
{
    for (int i = 0; i < n; i++) {
        struct cell *cell = area_cell(a, x + i, y);
        if (cell)
            *cell = (struct cell){.glyph = a->cells->utf8 ? glyph : (unsigned char)ascii, .style = (uint8_t)style};
    }
}

void area_halves(const struct area *a, int x, int y, unsigned upper, unsigned lower)
{
    struct cell *cell = area_cell(a, x, y);
    if (cell)
        *cell = (struct cell){.glyph = 0x2580, .style = STYLE_text, .fore = (uint8_t)upper, .ground = (uint8_t)lower};
}

void area_image(const struct area *a, const struct cells_image *image)
{
    if (image->x < a->skip || image->x + image->w > a->w || image->y + image->h > a->h) return;
    struct cells_image *to = &a->cells->image;
    *to = *image;
    to->x += a->x - a->skip;
    to->y += a->y;
    if (to->x + to->w > a->cells->columns || to->y + to->h >= a->cells->rows) to->w = 0;
}

void area_cursor(const struct area *a, int x, int y, int n, enum style style)
{
    area_restyle(a, x, y, n, style);
    if (area_cell(a, x, y)) {
        a->cells->cursor_x = a->x + x - a->skip;
        a->cells->cursor_y = a->y + y;
    }
}

void area_restyle(const struct area *a, int x, int y, int n, enum style style)
{
    for (int i = 0; i < n; i++) {
        struct cell *cell = area_cell(a, x + i, y);
        if (cell) cell->style = (uint8_t)style;
    }
}
