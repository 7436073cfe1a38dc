/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "masked.h"
#include "base/alloc.h"
#include "base/sent.h"

#include <stdlib.h>
#include <string.h>

/* A row as text, one byte a cell. */
static void row_text(const struct cell *row, int columns, char *text)
{
    for (int x = 0; x < columns; x++) {
        text[x] = row[x].glyph < 0x80 ? (char)row[x].glyph : SENT_ANY;
        if (row[x].cut) text[x] = row[x].before ? SENT_CUT_BEFORE : SENT_CUT;
    }
    text[columns] = 0;
}

/* Where the text ends that goes on at x: at two blanks, or where another style begins. */
static int text_end(const struct cell *row, int columns, int x)
{
    const uint8_t style = row[x - 1].style;
    while (x < columns && row[x].style == style &&
           (row[x].glyph != ' ' || (x + 1 < columns && row[x + 1].glyph != ' ' && row[x + 1].style == style)))
        x++;
    return x;
}

/* Cells [x, x + n) of row y become ~; the text behind them moves up, and the cursor with it. */
static void mask(struct cells *c, int y, int x, int n)
{
    struct cell *row = c->cell + (size_t)y * (size_t)c->columns;
    const int end = text_end(row, c->columns, x + n), rest = end - (x + n);
    row[x].glyph = '~';
    memmove(row + x + 1, row + x + n, (size_t)rest * sizeof *row);
    for (int i = x + 1 + rest; i < end; i++) row[i] = (struct cell){.glyph = ' ', .style = row[x].style};
    if (c->cursor_y == y && c->cursor_x >= x + n && c->cursor_x <= end) c->cursor_x -= n - 1;
}

void cells_mask_homes(struct cells *c)
{
    char *text = xalloc((size_t)c->columns + 1);
    for (int y = 0; y < c->rows; y++) {
        struct cell *row = c->cell + (size_t)y * (size_t)c->columns;
        size_t at = 0;
        row_text(row, c->columns, text);
        for (size_t n; (n = sent_home_in(text, &at)) != 0; at++) {
            mask(c, y, (int)at, (int)n);
            row_text(row, c->columns, text);
        }
    }
    free(text);
}
