/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cells.h: what a screen shows, as a grid of cells: a glyph and a style each.  Panes write into areas of it and never
 * past an area's edge; curses.c puts a grid on a terminal; cells_dump prints it as text for tests and screenshots.
 *
 * Every pane writes through the functions below, because they keep one promise: nothing on the screen looks like a
 * value that it is not.  Text that has no room ends in a mark, an ellipsis, or > where the grid has only ASCII, and a
 * number is never cut: where its last digits have no room, its first digits are not shown either.
 */
#ifndef UI_CELLS_H
#define UI_CELLS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__GNUC__)
#define CELLS_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define CELLS_PRINTF(f, a)
#endif

/* What a cell is, not how it looks: a theme says that.  A mark stands beside each style, so none is needed to
 * understand. */
/* clang-format off */
#define STYLES(X) \
    X(text) X(rule) X(title) X(focus) X(state) X(key) X(label) X(address) X(mnemonic) X(comment) X(symbol) X(source) \
    X(current) X(cursor) X(changed) X(fresh) X(masked) X(breakpoint) X(name) X(value) X(field) X(prompt) X(input) \
    X(error) X(bar) X(register) X(constant) X(heat1) X(heat2) X(heat3) X(heat4)
/* clang-format on */

enum style {
#define X(name) STYLE_##name,
    STYLES(X)
#undef X
        STYLE_COUNT
};

struct cell {
    uint32_t glyph; /* Unicode; 0: the right half of a wide glyph */
    uint8_t style;
    bool cut : 1;         /* the mark of text that goes on and is not shown */
    bool before : 1;      /* ... to the left */
    uint8_t fore, ground; /* of a picture: two of xterm's colours, from 16 on, in place of the style's; else both 0 */
};

/* A picture for terminals with graphics, which hides w by h cells from x, y on.  The cells hold it too, in blocks. */
struct cells_image {
    int x, y, w, h; /* w 0: there is none */
    bool kitty;     /* it stays until it is deleted; else sixel: it is a part of its cells */
    const char *bytes;
    size_t n; /* bytes to send where it begins; its drawer's, until the cells are cleared */
};

struct area;

struct cells {
    int columns, rows;
    bool utf8;              /* glyphs beyond ASCII may be shown */
    int cursor_x, cursor_y; /* of the terminal's cursor; cursor_x < 0: hidden */
    struct cell *cell;      /* rows * columns */
    struct cells_image image;
    /* Told of every text before it is written, where it begins in the area; NULL: nobody is.  For tests. */
    void (*watch)(void *data, const struct area *, int x, int y, const char *text);
    void *watcher;
};

struct cells *cells_new(int columns, int rows, bool utf8); /* blank; NULL: no memory */
void cells_free(struct cells *);
void cells_clear(struct cells *);
/* Rows as lines of text, blanks at their ends left out. */
void cells_dump(const struct cells *, FILE *);
/* Writes one glyph as UTF-8; returns its length, 1 to 4. */
int cells_encode(uint32_t glyph, char out[4]);

/* A rectangle of a grid; everything below counts from its own corner and is cut at its edges.  Scrolled sideways, its
 * first `skip` columns lie beyond its left edge: column `skip` stands at x, and w counts them too. */
struct area {
    struct cells *cells;
    int x, y, w, h, skip;
};

/* Text (UTF-8; what a terminal would obey is written out as in base/shown.h, other characters that the grid lacks
 * become
 * '?').  What lies outside the area is left out, and a mark says so.  Returns the column after the text, whether or not
 * all was inside. */
int area_text(const struct area *, int x, int y, enum style, const char *text);
int area_put(const struct area *, int x, int y, enum style, const char *fmt, ...) CELLS_PRINTF(5, 6);
/* The same in w columns from x on, as a cell of a table: a number that has no room there is a mark alone. */
void area_left(const struct area *, int x, int y, int w, enum style, const char *text);
void area_right(const struct area *, int x, int y, int w, enum style, const char *text);
/* Copies rows of another area, from its corner on; what has no room is marked as text is. */
void area_copy(const struct area *, const struct area *from);
/* Marks a row of the area as going on to the right, as text that is cut does. */
void area_cut(const struct area *, int y);
/* n times the same glyph; `ascii` stands in where the grid has only ASCII. */
void area_repeat(const struct area *, int x, int y, int n, enum style, uint32_t glyph, char ascii);
/* A cell of a picture: its upper half in one colour, its lower half in another. */
void area_halves(const struct area *, int x, int y, unsigned upper, unsigned lower);
/* A picture for terminals with graphics over those cells of the area; one that has no room is left out. */
void area_image(const struct area *, const struct cells_image *);
void area_restyle(const struct area *, int x, int y, int n, enum style);
/* Marks n cells as being under a pane's cursor: their style, and the terminal's own cursor stands there. */
void area_cursor(const struct area *, int x, int y, int n, enum style);
/* Columns that text takes. */
int text_columns(const char *text, bool utf8);

#endif
