/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "wrap.h"

#include <stdlib.h>

#include "base/alloc.h"

#define WIDE 1000 /* columns that a row may have before it is broken */
#define MARK 2    /* columns before what goes on */

static const struct cell *row_of(const struct cells *c, int y) { return c->cell + (size_t)y * (size_t)c->columns; }

static int row_end(const struct cells *c, int y)
{
    int end = c->columns;
    while (end && row_of(c, y)[end - 1].glyph == ' ') end--;
    return end;
}

/* Where the piece that begins at `from` ends: behind a blank of its second half, if there is one. */
static int piece_end(const struct cell *row, int from, int end, int width)
{
    if (end - from <= width) return end;
    for (int at = from + width; at > from + width / 2; at--)
        if (row[at - 1].glyph == ' ') return at;
    return from + width - (width > 1 && !row[from + width].glyph); /* not through a wide glyph */
}

static int piece_width(int w, int from) { return from ? (w > MARK ? w - MARK : 1) : w; }

static int pieces_of(const struct cells *c, int y, int w)
{
    int n = 0;
    for (int at = 0, end = row_end(c, y); n == 0 || at < end; n++)
        at = piece_end(row_of(c, y), at, end, piece_width(w, at));
    return n;
}

/* Rows of the wide grid that have room, and whether the cursor's row is among them. */
static int rows_fit(const struct cells *c, const struct area *a, int rows, bool *cursor)
{
    int fit = 0, used = 0;
    while (fit < rows && (used += pieces_of(c, fit, a->w)) <= a->h) fit++;
    *cursor = c->cursor_x < 0 || c->cursor_y < fit;
    return fit;
}

static void row_show(struct pane *p, const struct cells *c, int y, const struct area *a, int *to)
{
    const struct cell *row = row_of(c, y);
    const int end = row_end(c, y);
    const bool cursor = c->cursor_x >= 0 && c->cursor_y == y;
    for (int at = 0, first = 1; (first || at < end) && *to < a->h; (*to)++, first = 0) {
        const int last = piece_end(row, at, end, piece_width(a->w, at)), x = at ? MARK : 0;
        if (at) area_repeat(a, 0, *to, 1, STYLE_rule, 0x21aa, '\\');
        for (int i = at; i < last && x + i - at < a->w; i++)
            a->cells->cell[(size_t)(a->y + *to) * (size_t)a->cells->columns + (size_t)(a->x + x + i - at)] = row[i];
        if (cursor) area_cursor(a, 0, *to, a->w, STYLE_cursor);
        p->wrapped[p->nwrapped++] = (uint16_t)y;
        at = last;
    }
}

bool wrap_draw(struct pane *p, const struct area *a)
{
    struct cells *c = cells_new(WIDE, a->h, a->cells->utf8);
    bool cursor = false;
    int rows = a->h, fit = 0;
    if (!c) return false;
    for (int tries = 0; tries < 16 && !cursor && rows > 0; tries++) { /* fewer rows, until the cursor's has room */
        const struct area wide = {c, 0, 0, WIDE, rows, 0};
        cells_clear(c);
        p->shown = rows;
        p->kind->draw(p, &wide);
        fit = rows_fit(c, a, rows, &cursor);
        if (!cursor) rows = fit > 0 && fit < rows ? fit : rows - 1;
    }
    p->wrapped = xrealloc(p->wrapped, (size_t)a->h + 1, sizeof *p->wrapped);
    p->nwrapped = 0;
    int to = 0;
    for (int y = 0; y < rows && y < a->h && to < a->h; y++) row_show(p, c, y, a, &to);
    p->more = false;
    cells_free(c);
    return true;
}
